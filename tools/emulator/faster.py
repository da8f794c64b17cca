"""What the pinned emulator's source does slowly, replaced before it is compiled.

Its core crosses into Python for every conditional branch, every call, every look at whether to
stop; memory goes through buffer objects passed from module to module. Here the same is done in C,
in line, and the clock is told of many instructions at once. Nothing the guest could notice
changes: instructions, cycles, alarms and the order of everything are the same, which
host_tests/test_fast_emulator.py compares with the published core.

`called` on the chip is set where Python code may have run: only then can anybody have asked to
stop, so only then is that looked at.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

NATIVE = Path("src") / "rp2040py" / "native"

BUS = """\
cdef inline unsigned char *within(CortexM0Core core, unsigned int address) noexcept:
    if address - 0x20000000U < 264 * 1024:
        return core._at_ram + (address - 0x20000000U)
    if address - 0x10000000U < 0x1000000U:
        return core._at_flash + (address - 0x10000000U)
    if address < 0x4000U:
        return core._at_rom + address
    return NULL


cdef inline unsigned int load32(CortexM0Core core, unsigned int address) except? 0xFFFFFFFFU:
    cdef unsigned char *at = NULL if address & 3 else within(core, address)
    if at != NULL:
        return at[0] | at[1] << 8 | at[2] << 16 | <unsigned int> at[3] << 24
    if address - DIVIDER < 0x1CU and not address & 3:
        return divider_read(core, address - DIVIDER)
    core.settle()
    return core.rp2040.read_uint32(address)


cdef inline unsigned int load16(CortexM0Core core, unsigned int address) except? 0xFFFFFFFFU:
    cdef unsigned char *at = NULL if address & 1 else within(core, address)
    if at != NULL:
        return at[0] | at[1] << 8
    core.settle()
    return core.rp2040.read_uint16(address)


cdef inline unsigned int load8(CortexM0Core core, unsigned int address) except? 0xFFFFFFFFU:
    cdef unsigned char *at = within(core, address)
    if at != NULL:
        return at[0]
    core.settle()
    return core.rp2040.read_uint8(address)


cdef inline int store32(CortexM0Core core, unsigned int address, unsigned int value) except -1:
    cdef unsigned char *at
    if address - 0x20000000U < 264 * 1024 - 3:
        at = core._at_ram + (address - 0x20000000U)
        at[0] = value & 0xFF
        at[1] = (value >> 8) & 0xFF
        at[2] = (value >> 16) & 0xFF
        at[3] = value >> 24
        return 0
    if address - DIVIDER < 0x18U and not address & 3:
        divider_write(core, address - DIVIDER, value)
        return 0
    core.settle()
    core.rp2040.write_uint32(address, value)
    return 0


cdef inline int store16(CortexM0Core core, unsigned int address, unsigned int value) except -1:
    cdef unsigned char *at
    if address - 0x20000000U < 264 * 1024 - 1:
        at = core._at_ram + (address - 0x20000000U)
        at[0] = value & 0xFF
        at[1] = (value >> 8) & 0xFF
        return 0
    core.settle()
    core.rp2040.write_uint16(address, value)
    return 0


cdef inline int store8(CortexM0Core core, unsigned int address, unsigned int value) except -1:
    if address - 0x20000000U < 264 * 1024:
        core._at_ram[address - 0x20000000U] = value & 0xFF
        return 0
    core.settle()
    core.rp2040.write_uint8(address, value)
    return 0

"""

# Inside a burst nobody looks at the clock. Who may, through an access to a peripheral, finds it
# and the PIOs where one instruction after the other would have brought them.
SETTLE = """\
    cdef void settle(self) noexcept:
        self.rp2040.called = True
        if self.spent:
            self.rp2040.clock._nanos_counter += self.spent * 8.0
            if not self.first.stopped:
                self.first.cycle_fp += self.spent << 8
            if not self.second.stopped:
                self.second.cycle_fp += self.spent << 8
            self.spent = 0

"""

# Instructions one after the other, until Python ran, an interrupt or sleep came, or there is no
# room left before an alarm. The last one's cycles are returned, those before it are `spent`.
BURST = """\
    cdef int burst(self, long long room) except -1:
        cdef unsigned int opcode_pc, opcode, opcode2
        cdef OpHandler handler
        cdef int delta_cycles
        cdef RP2040 chip = self.rp2040
        self.spent = 0
        if self.interrupts_updated:
            return self.execute_instruction()
        while True:
            opcode_pc = self.registers[15] & 0xFFFFFFFEU
            opcode = load16(self, opcode_pc)
            opcode2 = 0
            handler = NULL
            if opcode < 0xE800U:
                handler = NEAR_TABLE[opcode >> 6]
                if handler == NULL:
                    handler = DISPATCH_TABLE[opcode]
            elif WIDE_RANGE_START <= opcode < WIDE_RANGE_END:
                opcode2 = load16(self, opcode_pc + 2)
                handler = resolve_wide(opcode, opcode2)
            if handler == NULL:
                return self.execute_instruction()
            self.registers[15] = self.registers[15] + 2
            delta_cycles = handler(self, opcode, opcode2, opcode_pc)
            self.cycles += delta_cycles
            if chip.called or self.waiting or self.interrupts_updated:
                return delta_cycles
            if self.spent + delta_cycles >= room:
                return delta_cycles
            self.spent += delta_cycles

"""

# The chip's divider, which the guest's every division uses; its block in Python is never asked.
DIVIDER = """\
cdef const unsigned int DIVIDER = 0xD0000060U


cdef unsigned int divider_read(CortexM0Core core, unsigned int offset) noexcept:
    if offset == 0x10:
        core.div_csr &= ~0b10U
        return core.div_quotient
    if offset == 0x14:
        return core.div_remainder
    if offset == 0x18:
        return core.div_csr
    return core.div_divisor if offset & 4 else core.div_dividend


cdef void divider_write(CortexM0Core core, unsigned int offset, unsigned int value) noexcept:
    cdef long long over, under
    core.div_csr = 0b11
    if offset == 0x10:
        core.div_quotient = value
        return
    if offset == 0x14:
        core.div_remainder = value
        return
    if offset & 4:
        core.div_divisor = value
    else:
        core.div_dividend = value
    over, under = core.div_dividend, core.div_divisor
    if offset & 8:
        over, under = <int> core.div_dividend, <int> core.div_divisor
    if under == 0:
        core.div_quotient = 0xFFFFFFFFU if core.div_dividend else 1
        core.div_remainder = core.div_dividend
    else:
        core.div_quotient = <unsigned int> (over / under)
        core.div_remainder = <unsigned int> (over % under)
    core.cycles += 8

"""

HELPERS = f"""\
{DIVIDER}
{BUS}
cdef inline unsigned int u32(long long n) noexcept:
    return <unsigned int> n


cdef inline int s32(long long n) noexcept:
    return <int> <unsigned int> n

"""

# Half a megabyte of handlers does not stay near the processor; all but a few are told apart by
# ten bits, and those stand in this table.
NEAR = """\
cdef OpHandler NEAR_TABLE[0x400]


cdef void _build_near_table():
    cdef unsigned int group, opcode
    for group in range(0x400):
        NEAR_TABLE[group] = DISPATCH_TABLE[group << 6]
        for opcode in range(group << 6, (group + 1) << 6):
            if DISPATCH_TABLE[opcode] != NEAR_TABLE[group]:
                NEAR_TABLE[group] = NULL
                break


_build_near_table()
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

EXECUTE = """\
            if tick_batch > 1:
                cycles = core.execute_instruction()
            else:
                room = 2000
                if clock._next_alarm is not None:
                    target = clock._next_alarm.nanos - clock._nanos_counter
                    room = <long long> min(2000.0, target / CYCLE_NANOS)
                if not first.stopped:
                    room = min(room, (first.next_due_fp - first.cycle_fp) >> 8)
                if not second.stopped:
                    room = min(room, (second.next_due_fp - second.cycle_fp) >> 8)
                cycles = core.burst(room)
                if core.spent:
                    core.settle()
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
    ],
    "_rp2040.pyx": [
        (
            r"(        self\.core = CortexM0Core\(self\)\n)",
            1,
            "        self._at_rom = <unsigned char *> &self._bootrom[0]\n"
            "        self._at_flash = &self._flash[0]\n        self._at_ram = &self._sram[0]\n"
            r"        self.called = True" + "\n" + r"\1",
        ),
        (
            r"( +)self\.sio\.reset\(\)\n",
            1,
            r"\1self.sio.reset()" + "\n" + r"\1self.core.reset_divider()" + "\n",
        ),
    ],
    "_cortex_m0_core.pxd": [
        (r"unsigned int\[:\] registers", 1, "unsigned int[::1] registers"),
        (
            r"(    cdef public unsigned int banked_sp\n)",
            1,
            r"\1    cdef unsigned char *_at_rom" + "\n    cdef unsigned char *_at_flash\n"
            "    cdef unsigned char *_at_ram\n    cdef unsigned int div_dividend\n"
            "    cdef unsigned int div_divisor\n    cdef unsigned int div_quotient\n"
            "    cdef unsigned int div_remainder\n    cdef unsigned int div_csr\n"
            "    cdef long long spent\n    cdef RPPIO first\n    cdef RPPIO second\n",
        ),
        (
            r"from rp2040py\.native\._rp2040 cimport RP2040\n",
            1,
            "from rp2040py.native._pio cimport RPPIO\n"
            "from rp2040py.native._rp2040 cimport RP2040\n",
        ),
        (
            r"(    cpdef int execute_instruction\(self\) except -1\n)",
            1,
            r"\1    cdef int burst(self, long long room) except -1" + "\n"
            "    cdef void settle(self) noexcept\n",
        ),
    ],
    "_cortex_m0_core.pyx": [
        (
            r"        self\.rp2040 = rp2040\n",
            1,
            "        self.rp2040 = rp2040\n        self._at_rom = self.rp2040._at_rom\n"
            "        self._at_flash = self.rp2040._at_flash\n"
            "        self._at_ram = self.rp2040._at_ram\n        self.reset_divider()\n",
        ),
        (
            r"    @property\n    def logger",
            1,
            "    def reset_divider(self):\n        self.div_dividend = 0\n"
            "        self.div_divisor = 1\n        self.div_quotient = 0\n"
            "        self.div_remainder = 0\n        self.div_csr = 0\n\n"
            "    @property\n    def logger",
        ),
        (r"self\.bl_taken = lambda core, blx: None", 1, "self.bl_taken = None"),
        (
            r"( +)core\.bl_taken\(",
            2,
            r"\1if core.bl_taken is not None:" + "\n" + r"\1    core.bl_taken(",
        ),
        (
            r"( +)core\.rp2040\.on_break",
            3,
            r"\1core.settle()" + "\n" + r"\1core.rp2040.on_break",
        ),
        (r"core\.rp2040\.read_uint(8|16|32)\(", 13, r"load\1(core, "),
        (r"self\.rp2040\.read_uint16\(", 2, "load16(self, "),
        (r"core\.rp2040\.write_uint(8|16|32)\(", 10, r"store\1(core, "),
        (
            r"cdef inline bint check_condition\([^\n]*\n"
            r"    return core\.check_condition\(cond\)\n",
            1,
            CONDITION,
        ),
        (
            r"( +)handler = DISPATCH_TABLE\[opcode\]\n",
            1,
            r"\1handler = NEAR_TABLE[opcode >> 6]" + "\n" + r"\1if handler == NULL:" + "\n"
            r"\1    handler = DISPATCH_TABLE[opcode]" + "\n",
        ),
        (r"\n_build_dispatch_table\(\)\n", 1, "\n_build_dispatch_table()\n\n\n" + NEAR),
        (r"from rp2040py\.native\._bit cimport s32, u32\n", 1, HELPERS),
        (r"(    cpdef int execute_instruction\(self\))", 1, SETTLE + BURST + r"\1"),
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
            "    cdef double target\n    cdef long long room\n"
            "    core.first, core.second = first, second\n",
        ),
        (r"            cycles = core\.execute_instruction\(\)\n", 1, EXECUTE),
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


def digest() -> str:
    """Which edits these are."""
    return hashlib.sha256(repr(EDITS).encode()).hexdigest()[:8]


def apply(tree: Path) -> None:
    """Edit the unpacked source in `tree`, which then says which edits it has."""
    (tree / NATIVE.parent / "edited.py").write_text(f'EDITS = "{digest()}"\n', encoding="utf-8")
    for name, edits in EDITS.items():
        path = tree / NATIVE / name
        path.write_text(edited(path.read_text(encoding="utf-8"), edits), encoding="utf-8")


def installed() -> bool:
    """True when the emulator in use was compiled from the source with these very edits."""
    try:
        from rp2040py.edited import EDITS as there
    except ImportError:
        return False
    return bool(there == digest())
