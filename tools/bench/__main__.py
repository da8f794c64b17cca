"""`make run`: start the virtual table and serve its page."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from pathlib import Path

from aiohttp import web

from tools import games
from tools.bench import server, starts
from tools.bench.session import Session
from tools.own_folder import claim
from tools.paths import ROOT


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--port", type=int, default=8069, help="0 picks a free one")
    parser.add_argument("--state", type=Path, default=ROOT / "build" / "table",
                        help="the instance's folder; two tables need two")  # fmt: skip
    parser.add_argument("--game", choices=sorted(games.TITLES), default=games.FIRST)
    parser.add_argument("--dealing", choices=games.DEALINGS, default="shoe")
    parser.add_argument("--start", choices=sorted(starts.STATES), default="open",
                        help="; ".join(f"{k}: {v}" for k, v in starts.STATES.items()))  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="for shuffles and link sessions")
    return parser.parse_args()


async def serve(args: argparse.Namespace) -> None:
    lock = claim(args.state.resolve(), "table")
    session = Session(args.state.resolve(), args.game, dealing=args.dealing,
                      start=args.start, seed=args.seed)  # fmt: skip
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await session.start()
    runner = web.AppRunner(server.make_app(session), shutdown_timeout=1)
    try:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", args.port)
        await site.start()
        port = runner.addresses[0][1]
        print(f"virtual table: http://127.0.0.1:{port}/   (Ctrl-C ends it)", flush=True)
        await stop.wait()
    finally:
        with contextlib.suppress(asyncio.CancelledError):
            await runner.cleanup()
        await session.stop()
        lock.close()


def main() -> int:
    try:
        asyncio.run(serve(arguments()))
    except (OSError, OverflowError) as error:  # a port in use, or none that can be
        print(f"the virtual table cannot start: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
