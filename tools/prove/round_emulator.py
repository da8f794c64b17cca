"""A round on the emulated board, to its end: a hang, a power cut, the wheel (minutes).

Prints what the terminal asked for with emulated and wall time, how many pictures a second the
turning wheel was painted at beside everything else the table does, and how late its loop was.
A game without a wheel: its round freezes before a decision and loses power in a settlement.

    make round-emulator [ARGS="--game NAME|all --board NAME --rest 30"]
"""

from __future__ import annotations

import argparse
import sys
import time

from felt.wheel.motion import DURATION
from felt.wheel.screens import moving
from felt.wheel.shapes import small

from tools import stopped
from tools.emulator.field_table import FieldTable
from tools.games import GAMES, WITH_WHEEL
from tools.image import build, image
from tools.prove.field_round import FieldRound

WATCHDOG_MS = 9000
WATCHED_MS = DURATION - 2000  # a part of the turning in which nothing but the wheel is painted
LATE = "Loop late"
EMULATED = [name for name in image.boards() if build.board_data(name)["CHIP"] == "rp2040"]


def turn_to_the_end(table: FieldTable) -> None:
    table.pico.run_for(500)
    bands = table.bands
    table.pico.run_for(WATCHED_MS)
    frames = (table.bands - bands) / len(moving(small()))
    table.tell(f"{frames * 1000 / WATCHED_MS:.1f} pictures a second")
    table.until(lambda: "turning" not in table.prompt, DURATION)


def lateness(table: FieldTable) -> str:
    """What the table's own meter says of its loop."""
    table.say("meters 2")
    table.pico.run_for(300)
    return next(row for row in table.terminal.rows if row.startswith(LATE))


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
    table.pico.mcu.clock.tick(WATCHDOG_MS * 1e6)  # the processor waits in vain: skip that
    table.pico.run_for(20)
    table.tell(f"display bus stuck, resets {table.pico.resets}")
    spi.on_transmit = stock
    if table.pico.resets != 1:
        raise SystemExit("FAIL the watchdog did not restart the board")
    table.terminal.rows = []
    table.start()
    if table.prompt != before:
        raise SystemExit(f"FAIL after the restart: {table.prompt!r}, before {before!r}")


def without_wheel(table: FieldTable) -> None:
    field = FieldRound(table)
    field.play()
    field.check()
    field.table.tell("round over, meters as of an undisturbed one")


def with_wheel(table: FieldTable, hangs: bool, rest_s: float) -> None:
    table.bets()
    table.to_settlement()
    print("\n".join("    " + row for row in table.terminal.rows if row))
    table.say("ok", "Settle seat 3")
    print("\n".join("    " + row for row in table.terminal.rows if row))
    table.say("ok", "Seat 1 spins")
    if hangs:
        hang(table)
    table.tell(lateness(table))
    table.say("spin", "turning")
    table = cut_in_the_spin(table)
    table.say("ok", "Collect")
    table.say("ok")
    table.pico.run_for(1000 * rest_s)
    table.tell(lateness(table))
    meters = table.memory().machine.meters
    table.tell(f"round over: handle {meters.handle}, win {meters.win}, jackpot {meters.jackpot}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hang", action="store_true", help="a hang of the display's bus as well")
    parser.add_argument("--rest", type=float, default=30, metavar="SECONDS",
                        help="how long the table rests before its meter is read (30)")  # fmt: skip
    parser.add_argument("--game", choices=(*GAMES, "all"), default=WITH_WHEEL)
    parser.add_argument("--board", choices=EMULATED, default="RPI_PICO")
    args = parser.parse_args()
    for game in GAMES if args.game == "all" else (args.game,):
        print(f"{game} on {args.board}", flush=True)
        began = time.process_time()
        table = FieldTable.fresh(
            log=lambda text: print(text, flush=True), game=game, board=args.board
        )
        table.start()
        if game == WITH_WHEEL:
            with_wheel(table, args.hang, args.rest)
        else:
            without_wheel(table)
        print(f"PASS {game}, {time.process_time() - began:.0f} s of processor time", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
