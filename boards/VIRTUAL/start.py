"""Power on, as a board's boot ROM does: devices, then flash as the root, then go.

Run by the bench: MICROPYPATH names the folder of this file's compiled neighbours; FELT_STATE the
instance's folder (fram.bin, flash/). The firmware sees flash/ as "/", exactly like a board's.
"""

import os
import sys

import vfs

state = os.getenv("FELT_STATE")
here = os.getenv("FELT_ROM")

import select  # noqa: E402, F401
import time  # noqa: E402, F401  (ours, before anything else asks for it)

import machine  # noqa: E402  (opens the wire and the FRAM while the PC's files are in reach)
import vprobe  # noqa: E402

vfs.mount(vfs.VfsPosix(here), "/virtual")
vfs.umount("/")
vfs.mount(vfs.VfsPosix(state + "/flash"), "/")
sys.path[:] = [".frozen", "/virtual/program", "/virtual", "/virtual/port"]
os.chdir("/")
machine.bench.send("h", 0, b"VIRTUAL")
keys = machine.board.PINS["KEY_SERVICE"]
machine.bench.wait(500000, lambda: keys in machine.Pin._level)  # the key is looked at at once
vprobe.attach()

from felt import power  # noqa: E402

power.on(machine.WDT(timeout=8000))  # as _boot.py does; it returns with the service key turned
import main  # noqa: E402

main.service()
