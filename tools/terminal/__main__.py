"""`make terminal PORT=/dev/ttyUSB0`: the dealer's terminal in a browser, at a serial line."""

from __future__ import annotations

import argparse
import sys

from aiohttp import web

from tools.terminal.server import SerialLine, make_app


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", required=True, help="the serial adapter, e.g. /dev/ttyUSB0")
    parser.add_argument("--web", type=int, default=8070, help="the page's port; 0 picks one")
    given = parser.parse_args()
    print(f"dealer terminal at {given.port}; its page follows (Ctrl-C ends it)", flush=True)
    web.run_app(make_app(SerialLine(given.port)), host="127.0.0.1", port=given.web)
    return 0


if __name__ == "__main__":
    sys.exit(main())
