"""What `felt pit` and `felt audit` may be told; apart, so that `felt` starts without them."""

from __future__ import annotations

import argparse
from pathlib import Path

PORT, TLS_PORT = 1883, 8883
PAGE_PORT = 8090
DATABASE = "sqlite:FILE or postgresql://USER@HOST/NAME"


def pit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--broker", help="HOST, HOST:PORT, or mqtts://HOST:PORT for TLS")
    parser.add_argument("--database", required=True, help=DATABASE)
    parser.add_argument("--keys", type=Path, default=Path("pit-keys.json"), help="tables' keys")
    parser.add_argument("--user", help="of the broker; its password is in FELT_BROKER_PASSWORD")
    parser.add_argument("--ca", type=Path, metavar="FILE", help="certificate authority of the"
                        " broker; without it those this PC trusts")  # fmt: skip
    parser.add_argument("--page", default=f"127.0.0.1:{PAGE_PORT}", help="HOST:PORT of the page;"
                        " elsewhere than here it needs FELT_PIT_PASSWORD")  # fmt: skip
    parser.add_argument("--no-page", action="store_true", help="only collect")
    parser.add_argument("--accept", metavar="TABLE", help="let this table begin anew, and end")


def audit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tables", nargs="*", help="only these tables")
    parser.add_argument("--database", required=True, help=DATABASE)
