"""Power-on self test: one `OK name` or `ERROR code text` line a part.

A critical part that fails keeps the table closed; the others are told and the table goes on.
"""

import gc

from felt import evaluator
from felt.program import stray, version
from felt.ticks import diff

HEAP_LEAST = 20000
LINK_WAIT_MS = 600


class Failed(Exception):
    """A part is not as it must be; the text says how."""


def program(hw, table):
    """The image in flash is what it was sealed as."""
    if hw.program.fault:
        raise Failed(hw.program.fault)
    return "%d bytes, build %s, %s" % (
        hw.program.length,
        hw.program.identity[:12],
        version() or "unsigned",
    )


def files(hw, table):
    """There is a file system, and nothing on it looks like a program."""
    if not hw.files():
        raise Failed("no file system")
    found = stray(hw.elsewhere)
    if found:
        raise Failed("code " + found)
    return "no code among them"


def evaluator_test(hw, table):
    """Sample hands of every category."""
    if not evaluator.self_test():
        raise Failed("wrong hand")
    return "sample hands"


def memory(hw, table):
    """Enough heap is left to play."""
    gc.collect()
    free = gc.mem_free() if hasattr(gc, "mem_free") else HEAP_LEAST
    if free < HEAP_LEAST:
        raise Failed("%d bytes free" % free)
    return "%d bytes free" % free


def fram(hw, table):
    """Critical memory answers, and the vault found it whole."""
    if hw.fram is None:
        if table.machine and table.machine.cfg["demonstration"]:
            return "demonstration, none fitted"
        raise Failed("not fitted")
    if table.fault and table.fault[:5] == "vault":
        raise Failed(table.fault[6:])
    damaged = () if table.verified else table.vault.verify()
    table.verified = False  # asked again later, it is read again
    if damaged:
        raise Failed(" ".join(damaged))
    return "%d bytes, chain whole" % hw.fram.size


def display(hw, table):
    """A display cannot answer on its bus: only whether one is built in is known."""
    return "built, write-only" if hw.display else "none"


def sensors(hw, table):
    """The chain reads the same twice, and is not all ones (unplugged)."""
    now = hw.ticks()
    hw.sensors.poll(now)
    if hw.sensors.broken:
        raise Failed("chain broken")
    return "chain read"


def _link(hw, device):
    """Wait for both links at once; the second one asked for has had its time already."""
    both = (hw.shoe, hw.terminal)
    start = hw.ticks()
    while not (device.connected or hw.waited):
        now = hw.ticks()
        for one in both:
            if not one.connected:  # what comes in later is the table's
                one.poll(now)
        hw.waited = diff(now, start) > LINK_WAIT_MS
        hw.sleep_ms(5)
    if not device.connected:
        raise Failed("does not answer")
    return "connected"


def shoe(hw, table):
    """The shoe's link is up."""
    hw.waited = False
    return _link(hw, hw.shoe)


def terminal(hw, table):
    """The dealer terminal's link is up."""
    return _link(hw, hw.terminal)


def random_source(hw, table):
    """The noise source passes its start-up tests."""
    generator = table.generator
    if generator is None:
        return "not needed"
    try:
        generator.start()
    except Exception as e:
        raise Failed(str(e.args[0] if e.args else e))
    return "health tests passed"


def clocks(hw, table):
    """The peripheral clock is what the bus speeds were computed from."""
    return hw.clock_text


def keys(hw, table):
    """Where the key switches stand."""
    on = ("off", "on")
    return "attendant %s, service %s" % (on[hw.keys.read(0)], on[hw.keys.read(1)])


# code, name, test, critical
PARTS = (
    ("T1", "program", program, True),
    ("T2", "evaluator", evaluator_test, True),
    ("T3", "memory", memory, True),
    ("T4", "fram", fram, True),
    ("T5", "display", display, False),
    ("T6", "sensors", sensors, True),
    ("T7", "shoe", shoe, False),
    ("T8", "terminal", terminal, False),
    ("T9", "random", random_source, False),
    ("T10", "clocks", clocks, False),
    ("T11", "keys", keys, False),
    ("T12", "files", files, True),
)


def run(hw, table, say):
    """Test every part; say a line each; return all lines and what failed of critical parts."""
    lines = []
    bad = []
    for code, name, test, critical in PARTS:
        try:
            lines.append("OK %s %s" % (name, test(hw, table)))
        except Failed as e:
            lines.append("ERROR %s %s: %s" % (code, name, e.args[0]))
            if critical:
                bad.append("%s %s" % (code, e.args[0]))
        say(lines[-1])
    return lines, bad
