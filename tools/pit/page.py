"""The pit's page: read-only, bound to 127.0.0.1 unless told otherwise, with a password then."""

from __future__ import annotations

import asyncio
import base64
import hmac
import time
from pathlib import Path
from typing import Any, Callable

from aiohttp import web

from . import views
from .store import Store

STATIC = Path(__file__).parent / "static"
LOCAL = ("127.0.0.1", "localhost", "::1")
USER = "pit"
STORE: web.AppKey[Callable[[], Store]] = web.AppKey("store")
COLLECTOR: web.AppKey[Any] = web.AppKey("collector")


class NoPassword(Exception):
    """A page that others reach needs one."""


def make_app(
    open_store: Callable[[], Store], host: str, password: str, collector: Any = None
) -> web.Application:
    if host not in LOCAL and not password:
        raise NoPassword(f"a page on {host} needs a password in FELT_PIT_PASSWORD")
    app = web.Application(middlewares=[_guard(host, password)])
    app[STORE] = open_store
    app[COLLECTOR] = collector
    app.router.add_get("/", _index)
    app.router.add_get("/shift.csv", _shift)
    app.router.add_get("/api/{view}", _view)
    app.router.add_static("/", STATIC)
    return app


def _guard(host: str, password: str) -> Any:
    want = "Basic " + base64.b64encode(f"{USER}:{password}".encode()).decode()

    @web.middleware
    async def guard(request: web.Request, handler: Any) -> web.StreamResponse:
        if request.method != "GET":
            raise web.HTTPMethodNotAllowed(request.method, ["GET"])
        if host in LOCAL and request.host.rpartition(":")[0] not in LOCAL:
            raise web.HTTPForbidden
        given = request.headers.get("Authorization", "")
        if password and not hmac.compare_digest(given.encode(), want.encode()):
            raise web.HTTPUnauthorized(headers={"WWW-Authenticate": 'Basic realm="pit"'})
        return await handler(request)

    return guard


async def _index(request: web.Request) -> web.StreamResponse:
    return web.FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-store"})


async def _read(request: web.Request, look: Callable[[Store], Any]) -> Any:
    """Ask the database in a thread of its own, through a connection of its own."""

    def ask() -> Any:
        store = request.app[STORE]()
        try:
            return look(store)
        finally:
            store.close()

    return await asyncio.to_thread(ask)


async def _view(request: web.Request) -> web.Response:
    query = request.query
    name = query.get("table", "")
    try:
        look = {
            "tables": views.tables,
            "alarms": views.alarms,
            "hits": views.hits,
            "log": lambda store: views.log(store, name),
            "rounds": lambda store: views.rounds(store, name, int(query.get("before", 1 << 60))),
            "round": lambda store: views.one_round(
                store, name, int(query.get("epoch", 0)), int(query.get("serial", 0))
            ),
        }[request.match_info["view"]]
        found = await _read(request, look)
    except KeyError:
        raise web.HTTPNotFound from None
    except ValueError:
        raise web.HTTPBadRequest from None
    collector = request.app[COLLECTOR]
    trouble = collector.trouble if collector else ""
    return web.json_response({"now": time.time(), "trouble": trouble, "found": found})


async def _shift(request: web.Request) -> web.Response:
    """Rounds of the last `hours`, eight unless told otherwise."""
    try:
        hours = float(request.query.get("hours", 8))
    except ValueError:
        raise web.HTTPBadRequest from None
    now = time.time()
    text = await _read(request, lambda store: views.shift(store, now - hours * 3600, now))
    named = {"Content-Disposition": "attachment; filename=shift.csv"}
    return web.Response(text=text, content_type="text/csv", headers=named)


async def serve(app: web.Application, host: str, port: int) -> tuple[web.AppRunner, int]:
    """Start the page; returns its runner and the port it got."""
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, host, port)
    await site.start()
    return runner, runner.addresses[0][1]
