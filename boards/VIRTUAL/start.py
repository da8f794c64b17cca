"""Power on, as a board's boot ROM does: devices, then flash as the root, then go.

Run by the bench: MICROPYPATH names the folder of this file's compiled neighbours; FELT_STATE the
instance's folder (fram.bin, flash/). The firmware sees flash/ as "/", exactly like a board's.
"""

import os
import sys

import vfs


def devices():
    """Open the wire and the FRAM while the PC's files are in reach; our own select and time come
    before anything else asks for them."""
    import select  # noqa: F401
    import time  # noqa: F401

    import machine
    import vprobe

    return machine, vprobe


def flash(folder, rom):
    """Let the firmware see its flash as the root and nothing else of this PC."""
    vfs.mount(vfs.VfsPosix(rom), "/virtual")
    vfs.umount("/")
    vfs.mount(vfs.VfsPosix(folder + "/flash"), "/")
    sys.path[:] = [".frozen", "/virtual/program", "/virtual", "/virtual/port"]
    os.chdir("/")


def go():
    """Run the table as _boot.py does; with the service key turned that returns."""
    state, rom = os.getenv("FELT_STATE"), os.getenv("FELT_ROM")
    machine, vprobe = devices()
    flash(state, rom)
    machine.bench.send("h", 0, b"VIRTUAL")
    keys = machine.board.PINS["KEY_SERVICE"]
    machine.bench.wait(None, lambda: keys in machine.Pin._level)  # the key is looked at at once
    vprobe.attach()
    from felt import power

    power.on(machine.WDT(timeout=8000))
    import main

    main.service()


go()
