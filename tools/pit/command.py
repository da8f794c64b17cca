"""`felt pit`: collector and page, for a broker and a database that are there already."""

from __future__ import annotations

import argparse
import asyncio
import os
import time

from . import page
from .collector import Collector, Keys
from .ledger import accept
from .options import PAGE_PORT, PORT, TLS_PORT
from .store import Store, existing


WATCH_S = 1


def host_port(text: str, port: int) -> tuple[str, int]:
    host, _, given = text.partition(":")
    number = given or str(port)
    if not number.isdecimal() or int(number) > 65535:
        raise ValueError(f"{text}: a port is a number up to 65535")
    return host, int(number)


def where(text: str) -> tuple[tuple[str, int], bool]:
    """(address, TLS or not) of a broker as people write it: host, host:port or a URL."""
    scheme, found, rest = text.rpartition("://")
    if found and scheme not in ("mqtt", "mqtts"):
        raise ValueError(f"{text}: a broker is HOST, mqtt://HOST or mqtts://HOST")
    tls = scheme == "mqtts"
    return host_port(rest.rstrip("/"), TLS_PORT if tls else PORT), tls


def make(args: argparse.Namespace) -> Collector:
    keys = Keys.read(args.keys)
    login = (args.user, os.environ.get("FELT_BROKER_PASSWORD", "")) if args.user else None
    address, tls = where(args.broker)
    collector = Collector(address, lambda: Store(args.database), keys, login, tls, args.ca)
    print(f"collecting {len(keys)} tables from {args.broker}", flush=True)
    return collector


def command(args: argparse.Namespace) -> int:
    """Run until it is stopped. The page's password is in FELT_PIT_PASSWORD."""
    if args.accept:
        return _accept(args)
    if not args.broker:
        print("say which broker: felt pit --broker HOST --database URL")
        return 2
    try:
        collector = make(args)
    except (OSError, ValueError) as error:
        print(f"felt pit: {error}")
        return 2
    collector.start()
    try:
        asyncio.run(_serve(args, collector))
    except (page.NoPassword, OSError, ValueError) as error:
        print(f"felt pit: {error}")
        return 2
    except KeyboardInterrupt:
        pass
    finally:
        collector.stop()
    return 0


def _accept(args: argparse.Namespace) -> int:
    try:
        store = existing(args.database)
    except OSError as error:
        print(f"felt pit: {error}")
        return 2
    if not store.one("SELECT name FROM tables WHERE name = ?", args.accept):
        print(f"felt pit: there is no table {args.accept} in this database")
        return 2
    accept(store, args.accept, time.time())
    print(f"{args.accept} may begin anew")
    return 0


async def _serve(args: argparse.Namespace, collector: Collector) -> None:
    """The page, and what is wrong on the console when it changes."""
    if not args.no_page:
        host, port = host_port(args.page, PAGE_PORT)
        password = os.environ.get("FELT_PIT_PASSWORD", "")
        app = page.make_app(lambda: Store(args.database), host, password, collector)
        _, got = await page.serve(app, host, port)
        print(f"page: http://{host}:{got}/", flush=True)
    told = None
    while True:
        await asyncio.sleep(WATCH_S)
        if collector.trouble != told:
            told = collector.trouble
            print(told or "all is well", flush=True)
