"""`felt pit`: collector and page, for a broker and a database that are there already."""

from __future__ import annotations

import argparse
import asyncio
import os
import time

from . import page
from .collector import Collector, Keys
from .ledger import accept
from .options import PAGE_PORT, PORT
from .store import Store


def host_port(text: str, port: int) -> tuple[str, int]:
    host, _, given = text.partition(":")
    return host, int(given or port)


def command(args: argparse.Namespace) -> int:
    """Run until it is stopped. The page's password is in FELT_PIT_PASSWORD."""
    if args.accept:
        accept(Store(args.database), args.accept, time.time())
        print(f"{args.accept} may begin anew")
        return 0
    if not args.broker:
        print("say which broker: felt pit --broker HOST --database URL")
        return 2
    keys = Keys.read(args.keys)
    login = (args.user, os.environ.get("FELT_BROKER_PASSWORD", "")) if args.user else None
    broker = host_port(args.broker, PORT)
    collector = Collector(broker, lambda: Store(args.database), keys, login, args.tls)
    collector.start()
    print(f"collecting {len(keys)} tables from {args.broker}", flush=True)
    try:
        asyncio.run(_serve(args, collector))
    except KeyboardInterrupt:
        pass
    finally:
        collector.stop()
    return 0


async def _serve(args: argparse.Namespace, collector: Collector) -> None:
    if not args.no_page:
        host, port = host_port(args.page, PAGE_PORT)
        password = os.environ.get("FELT_PIT_PASSWORD", "")
        app = page.make_app(lambda: Store(args.database), host, password, collector)
        _, got = await page.serve(app, host, port)
        print(f"page: http://{host}:{got}/", flush=True)
    await asyncio.Event().wait()
