"""What the pinned emulator's source does slowly, replaced before it is compiled.

Its core crosses into Python for every conditional branch, every call, every look at whether to
stop; memory goes through buffer objects passed from module to module. Here the same is done in C,
in line. Nothing the guest could notice changes: instructions, cycles, alarms and the order of
everything are the same, which host_tests/test_emulator.py compares with the published core.

`called` on the chip is set where Python code may have run: only then can anybody have asked to
stop, so only then is that looked at.
"""

from __future__ import annotations

import re
from pathlib import Path

NATIVE = Path("src") / "rp2040py" / "native"

BUS = """
cdef inline unsigned char *within(RP2040 chip, unsigned int address) noexcept:
    if address - 0x20000000U < 264 * 1024:
        return chip._at_ram + (address - 0x20000000U)
    if address - 0x10000000U < 0x1000000U:
        return chip._at_flash + (address - 0x10000000U)
    if address < 0x4000U:
        return chip._at_rom + address
    return NULL


cdef inline unsigned int load32(RP2040 chip, unsigned int address) except? 0xFFFFFFFFU:
    cdef unsigned char *at = NULL if address & 3 else within(chip, address)
    if at != NULL:
        return at[0] | at[1] << 8 | at[2] << 16 | <unsigned int> at[3] << 24
    chip.called = True
    return chip.read_uint32(address)


cdef inline unsigned int load16(RP2040 chip, unsigned int address) except? 0xFFFFFFFFU:
    cdef unsigned char *at = NULL if address & 1 else within(chip, address)
    if at != NULL:
        return at[0] | at[1] << 8
    chip.called = True
    return chip.read_uint16(address)


cdef inline unsigned int load8(RP2040 chip, unsigned int address) except? 0xFFFFFFFFU:
    cdef unsigned char *at = within(chip, address)
    if at != NULL:
        return at[0]
    chip.called = True
    return chip.read_uint8(address)


cdef inline int store32(RP2040 chip, unsigned int address, unsigned int value) except -1:
    cdef unsigned char *at
    if address - 0x20000000U < 264 * 1024 - 3:
        at = chip._at_ram + (address - 0x20000000U)
        at[0] = value & 0xFF
        at[1] = (value >> 8) & 0xFF
        at[2] = (value >> 16) & 0xFF
        at[3] = value >> 24
        return 0
    chip.called = True
    chip.write_uint32(address, value)
    return 0


cdef inline int store16(RP2040 chip, unsigned int address, unsigned int value) except -1:
    cdef unsigned char *at
    if address - 0x20000000U < 264 * 1024 - 1:
        at = chip._at_ram + (address - 0x20000000U)
        at[0] = value & 0xFF
        at[1] = (value >> 8) & 0xFF
        return 0
    chip.called = True
    chip.write_uint16(address, value)
    return 0


cdef inline int store8(RP2040 chip, unsigned int address, unsigned int value) except -1:
    if address - 0x20000000U < 264 * 1024:
        chip._at_ram[address - 0x20000000U] = value & 0xFF
        return 0
    chip.called = True
    chip.write_uint8(address, value)
    return 0
"""

HELPERS = """\
from rp2040py.native._rp2040 cimport load8, load16, load32, store8, store16, store32


cdef inline unsigned int u32(long long n) noexcept:
    return <unsigned int> n


cdef inline int s32(long long n) noexcept:
    return <int> <unsigned int> n

"""

CONDITION = """\
cdef inline bint check_condition(CortexM0Core core, unsigned int cond) noexcept:
    cdef unsigned int base = cond >> 1
    cdef bint result
    if base == 0b000:
        result = core.z
    elif base == 0b001:
        result = core.c
    elif base == 0b010:
        result = core.n
    elif base == 0b011:
        result = core.v
    elif base == 0b100:
        result = core.c and not core.z
    elif base == 0b101:
        result = core.n == core.v
    elif base == 0b110:
        result = core.n == core.v and not core.z
    else:
        result = True
    return not result if cond & 1 and cond != 0b1111 else result
"""

TICK = """\
            if tick_batch <= 1:
                target = clock._nanos_counter + delta_nanos
                if clock._next_alarm is not None and clock._next_alarm.nanos <= target:
                    clock.tick(delta_nanos)
                    rp2040.called = True
                else:
                    clock._nanos_counter = target
"""

ADVANCE = """\
        if not {0}.stopped:
            {0}.cycle_fp += cycles << 8
            if {0}.cycle_fp >= {0}.next_due_fp:
                {0}.advance(0)
                rp2040.called = True
"""

# file: (what stands there, how often, what stands there then); the first is a regular expression.
Edit = tuple[str, int, str]
EDITS: dict[str, list[Edit]] = {
    "_rp2040.pxd": [
        (
            r"    cdef dict __dict__\n",
            1,
            "    cdef unsigned char *_at_rom\n    cdef unsigned char *_at_flash\n"
            "    cdef unsigned char *_at_ram\n    cdef public bint called\n"
            "    cdef dict __dict__\n",
        ),
        (r"\Z", 1, "\n" + BUS),
    ],
    "_rp2040.pyx": [
        (
            r"(        self\.core = CortexM0Core\(self\)\n)",
            1,
            "        self._at_rom = <unsigned char *> &self._bootrom[0]\n"
            "        self._at_flash = &self._flash[0]\n        self._at_ram = &self._sram[0]\n"
            r"        self.called = True" + "\n" + r"\1",
        ),
    ],
    "_cortex_m0_core.pxd": [
        (r"unsigned int\[:\] registers", 1, "unsigned int[::1] registers"),
    ],
    "_cortex_m0_core.pyx": [
        (r"from rp2040py\.native\._bit cimport s32, u32\n", 1, HELPERS),
        (r"self\.bl_taken = lambda core, blx: None", 1, "self.bl_taken = None"),
        (
            r"( +)core\.bl_taken\(",
            2,
            r"\1if core.bl_taken is not None:" + "\n" + r"\1    core.bl_taken(",
        ),
        (
            r"( +)core\.rp2040\.on_break",
            3,
            r"\1core.rp2040.called = True" + "\n" + r"\1core.rp2040.on_break",
        ),
        (r"core\.rp2040\.read_uint(8|16|32)\(", 13, r"load\1(core.rp2040, "),
        (r"self\.rp2040\.read_uint16\(", 2, "load16(self.rp2040, "),
        (r"core\.rp2040\.write_uint(8|16|32)\(", 10, r"store\1(core.rp2040, "),
        (
            r"cdef inline bint check_condition\([^\n]*\n"
            r"    return core\.check_condition\(cond\)\n",
            1,
            CONDITION,
        ),
    ],
    "_simulator.pyx": [
        (
            r"from rp2040py\.native\._rp2040 cimport RP2040\n",
            1,
            "from rp2040py.native._pio cimport RPPIO\n"
            "from rp2040py.native._rp2040 cimport RP2040\n",
        ),
        (r"cimport SimulationClock\n", 1, "cimport ClockAlarm, SimulationClock\n"),
        (
            r"    pios = rp2040\.pio\n",
            1,
            "    cdef RPPIO first = rp2040.pio[0]\n    cdef RPPIO second = rp2040.pio[1]\n"
            "    cdef double target\n",
        ),
        (
            r"    while i < BATCH_INSTRUCTION_CEILING and not simulator\.stopped:\n",
            1,
            "    rp2040.called = True\n    while i < BATCH_INSTRUCTION_CEILING:\n"
            "        if rp2040.called:\n            rp2040.called = False\n"
            "            if simulator.stopped:\n                break\n",
        ),
        (
            r"(            clock\.tick\(idle_nanos\)\n)",
            1,
            r"\1            rp2040.called = True" + "\n",
        ),
        (
            r"            if tick_batch <= 1:\n                clock\.tick\(delta_nanos\)\n",
            1,
            TICK,
        ),
        (
            r"        for pio in pios:\n            if not pio\.stopped:\n"
            r"                pio\.advance\(cycles\)\n",
            1,
            ADVANCE.format("first") + ADVANCE.format("second"),
        ),
    ],
}


class Differs(Exception):
    """The source is not the one these edits were made for."""


def edited(text: str, edits: list[Edit]) -> str:
    """A file after its edits; Differs when one does not fit as often as it should."""
    for old, count, new in edits:
        text, found = re.subn(old, new, text)
        if found != count:
            raise Differs(f"{old!r} stands there {found} times, not {count}")
    return text


def apply(tree: Path) -> None:
    """Edit the unpacked source in `tree`."""
    for name, edits in EDITS.items():
        path = tree / NATIVE / name
        path.write_text(edited(path.read_text(encoding="utf-8"), edits), encoding="utf-8")


def installed() -> bool:
    """True when the emulator in use was compiled from the edited source."""
    from rp2040py.rp2040 import RP2040

    return hasattr(RP2040, "called")
