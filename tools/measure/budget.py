"""What the firmware costs a board: flash of the image, heap of a table of every game; with limits.

On an emulated board with the image that is shipped, a table of each game is opened as main.py does
it, one with a wheel with its display.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import sys

from felt.games.settings import game_module

from tools import stopped
from tools.games import GAMES
from tools.image import image
from tools.image.packages import ImageError
from tools.paths import BUILD

FREE_LEAST = 180_000
FREE_WITH_WHEEL = 150_000  # it has bands and tables in memory
START_MS = 3000  # power-on to an open table
BLOCK = 16  # bytes of heap in one of mem_info()'s blocks

# What main.table() does, up to the point where it starts its tasks.
TABLE = """
import main, gc
app = main.start()
gc.collect()
import micropython
micropython.mem_info()
print("fault", app.table.fault or "none")
print("detail", app.table.detail)
print("open", gc.mem_free())
"""


def measure(game: str) -> dict[str, str]:
    """`open` and `largest` bytes, `fault`, and `ms` main.start() took."""
    from tools.emulator.boards_on_usb import table_memory
    from tools.emulator.pico import Fram, GuestError, Pico

    memory, settings = table_memory("open", game)
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(memory))
    try:
        pico.run("import main")
        began = pico.ms
        text = pico.run(TABLE)
    except GuestError as error:
        text = f"fault {str(error).splitlines()[-1]}\ndetail \nopen 0\nmax free sz: 0\n"
    lines = [line.partition(" ") for line in text.splitlines()]
    found = {line[0]: line[2] for line in lines if line[0] in ("fault", "detail", "open")}
    found["largest"] = str(int(text.partition("max free sz: ")[2].split()[0]) * BLOCK)
    return {**found, "ms": str(round(pico.ms - began))}


def measured(identity: str) -> dict[str, dict[str, str]]:
    """What a table of each game leaves free; kept by the image's identity."""
    kept = BUILD / "budget" / f"{identity[:16]}.json"
    if not kept.exists():
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            found = dict(zip(GAMES, pool.map(measure, GAMES)))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(found))
    return json.loads(kept.read_text())


def over(found: dict[str, dict[str, str]]) -> list[str]:
    """Prints a row a game; says where too little is left."""
    wrong = []
    for game, row in found.items():
        limit = FREE_WITH_WHEEL if game_module(game).LATCH else FREE_LEAST
        free = int(row["open"])
        print(
            f"{game:14} {free:8} bytes free of heap, at least {limit}; largest block "
            f"{row['largest']:>7}; started in {row['ms']} ms"
        )
        if row["fault"] != "none":
            wrong.append(f"{game}: the table did not open: {row['fault']} {row['detail']}")
        elif free < limit:
            wrong.append(f"{game}: {free} bytes of heap free, under {limit}")
        if int(row["ms"]) > START_MS:
            wrong.append(f"{game}: started in {row['ms']} ms, over {START_MS}")
    return wrong


def main() -> int:
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    try:
        made = image.make()  # too long an image does not come into being
    except ImageError as error:
        print(f"budget: not measured, {error}")
        return 0
    print(f"{made.board}: {made.room} bytes of flash left before the file system")
    wrong = over(measured(made.identity))
    for line in wrong:
        print(f"over budget: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
