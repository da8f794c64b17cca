"""A round on the emulated board, to its end: power cut in the spin, the wheel, a hang (minutes).

Prints what the terminal asked for with emulated and wall time. The wheel's turning is shortened:
the processor stands still for most of it, as it does during a flash erase, while time goes on.

    tools/round_emulator.py [--hang]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [
    str(ROOT / part) for part in ("host_tests/shims", "firmware", "host_tests", "tools")
]

from field_table import FieldTable  # noqa: E402

JUMP_MS = 300
WATCHDOG_MS = 9000


def jump(table: FieldTable, ms: float) -> None:
    """Let time pass while the processor stands still; the other ends go on."""
    table.pico.mcu.clock.tick(ms * 1e6)


def turn_to_the_end(table: FieldTable) -> None:
    for _ in range(60):
        if "turning" not in table.prompt:
            return
        jump(table, JUMP_MS)
        table.pico.run_for(60)
    raise SystemExit("FAIL the wheel does not stop: " + table.prompt)


def cut_in_the_spin(table: FieldTable) -> FieldTable:
    """Cut the power while the wheel turns; the spin is shown again with the same prize."""
    table.pico.run_for(300)
    before = table.memory().machine.r
    table.tell(f"power cut, position {before.spun}")
    table = table.power_cycle()
    table.start()
    turn_to_the_end(table)
    after = table.memory().machine.r
    table.tell(f"wheel stands, position {after.spun}")
    same = (before.spun, before.prize, before.pays) == (after.spun, after.prize, after.pays)
    if not same:
        raise SystemExit("FAIL another prize after the cut")
    return table


def hang(table: FieldTable) -> None:
    """The display's bus stops in the middle of a byte: a task waits for ever."""
    spi = table.pico.mcu.spi[table.pico.buses["TFT"]]
    stock, spi.on_transmit = spi.on_transmit, lambda value: None
    before = table.prompt
    table.pico.run_for(300)
    jump(table, WATCHDOG_MS)
    table.pico.run_for(20)
    table.tell(f"display bus stuck, resets {table.pico.resets}")
    spi.on_transmit = stock
    if table.pico.resets != 1:
        raise SystemExit("FAIL the watchdog did not restart the board")
    table.terminal.rows = []
    table.start()
    if table.prompt != before:
        raise SystemExit(f"FAIL after the restart: {table.prompt!r}, before {before!r}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hang", action="store_true", help="a hang of the display's bus as well")
    args = parser.parse_args()
    table = FieldTable.fresh(log=lambda text: print(text, flush=True))
    table.start()
    table.bets()
    table.to_settlement()
    print("\n".join("    " + row for row in table.terminal.rows if row))
    table.say("ok", "Settle seat 3")
    print("\n".join("    " + row for row in table.terminal.rows if row))
    table.say("ok", "Seat 1 spins")
    if args.hang:
        hang(table)
    table.say("meters 2")
    table.pico.run_for(100)
    print("\n".join("    " + row for row in table.terminal.rows if row))
    table.say("spin", "turning")
    table = cut_in_the_spin(table)
    table.say("ok", "Collect")
    table.say("ok")
    meters = table.memory().machine.meters
    table.tell(f"round over: handle {meters.handle}, win {meters.win}, jackpot {meters.jackpot}")
    print("PASS")
    return 0


if __name__ == "__main__":
    sys.exit(main())
