"""`make terminal PORT=/dev/ttyUSB0`: the dealer's terminal in a browser, at a serial line."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys

from aiohttp import web

from tools.terminal.server import Glass, SerialLine, make_app


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def serve(path: str, port: int) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    runner = web.AppRunner(make_app(Glass(SerialLine(path, say))), shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    page = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    print(f"dealer terminal of {path}: {page}   (Ctrl-C ends it)", flush=True)
    try:
        await stop.wait()
    finally:
        await runner.cleanup()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", required=True, help="the serial adapter, e.g. /dev/ttyUSB0")
    parser.add_argument("--web", type=int, default=8070, help="the page's port; 0 picks one")
    given = parser.parse_args()
    try:
        asyncio.run(serve(given.port, given.web))
    except (OSError, OverflowError) as error:  # a port in use, or none that can be
        print(f"the terminal cannot start: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
