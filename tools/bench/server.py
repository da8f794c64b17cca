"""The page's server: static files, one WebSocket, a few read-only views. Bound to 127.0.0.1."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from tools.bench import memory
from tools.bench.hands import ActionError
from tools.bench.script import ScriptError
from tools.bench.session import Session

STATIC = Path(__file__).parent / "static"
PUSH_S = 1 / 30
HOSTS = ("127.0.0.1", "localhost")
SESSION: web.AppKey[Session] = web.AppKey("session", Session)
SOCKETS: web.AppKey[set] = web.AppKey("sockets", set)


@web.middleware
async def _own_page(request: web.Request, handler: Any) -> web.StreamResponse:
    """Other pages in the same browser reach 127.0.0.1 too; only this bench's own may play."""
    origin = request.headers.get("Origin")
    if request.host.partition(":")[0] not in HOSTS or origin not in (
        None,
        f"http://{request.host}",
    ):
        raise web.HTTPForbidden
    return await handler(request)


def make_app(session: Session) -> web.Application:
    app = web.Application(middlewares=[_own_page])
    app[SESSION] = session
    app[SOCKETS] = set()
    app.router.add_get("/", _index)
    app.router.add_get("/ws", _socket)
    app.router.add_get("/screen.png", _screen)
    app.router.add_get("/api/{view}", _view)
    app.router.add_post("/api/do", _do)
    app.router.add_post("/api/script", _script)
    app.router.add_static("/", STATIC)
    app.cleanup_ctx.append(_pusher)
    return app


async def _index(request: web.Request) -> web.StreamResponse:
    return web.FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-store"})


async def _screen(request: web.Request) -> web.Response:
    display = request.app[SESSION].world.display
    return web.Response(body=display.png(), content_type="image/png")


async def _view(request: web.Request) -> web.Response:
    session = request.app[SESSION]
    name = request.match_info["view"]
    if name == "record":
        return web.Response(text=session.recording())
    if name == "scripts":
        return web.json_response(session.scripts())
    if name not in memory.VIEWS:
        raise web.HTTPNotFound
    found = await asyncio.to_thread(memory.look, session.state, session.settings, name)
    return web.json_response(found)


async def _do(request: web.Request) -> web.Response:
    """One action by HTTP, for people with curl."""
    try:
        await request.app[SESSION].do((await request.text()).strip())
    except ActionError as error:
        return web.json_response({"error": str(error)}, status=409)
    return web.json_response({"ok": True})


async def _script(request: web.Request) -> web.Response:
    try:
        await request.app[SESSION].run_script(await request.text())
    except ScriptError as error:
        return web.Response(text=str(error), status=400)
    return web.json_response({"ok": True})


async def _socket(request: web.Request) -> web.WebSocketResponse:
    session = request.app[SESSION]
    ws = web.WebSocketResponse(heartbeat=20, max_msg_size=1 << 20)
    await ws.prepare(request)
    first, pixels = 0, bytes(session.world.display.pixels)
    await ws.send_json({"t": "hello", **session.hello()})
    await ws.send_json({"t": "state", **session.state_message()})
    await ws.send_bytes(bytes([first]) + pixels)
    request.app[SOCKETS].add(ws)
    try:
        async for message in ws:
            if message.type == WSMsgType.TEXT:
                await _act(session, ws, message.data)
    finally:
        request.app[SOCKETS].discard(ws)
    return ws


async def _act(session: Session, ws: web.WebSocketResponse, text: str) -> None:
    """A person did something on the page; what cannot be done is said to that page only."""
    try:
        await session.do(str(json.loads(text)["do"]))
    except ActionError as error:
        await ws.send_json({"t": "error", "text": str(error)})
    except (ValueError, KeyError, TypeError):
        await ws.send_json({"t": "error", "text": "not understood"})


async def _pusher(app: web.Application) -> Any:
    """Send what changed to every page, at most thirty times a second."""
    task = asyncio.create_task(_push(app))
    yield
    task.cancel()
    sockets: set = app[SOCKETS]
    for ws in list(sockets):
        await ws.close()


async def _push(app: web.Application) -> None:
    session = app[SESSION]
    last: dict[str, Any] = {}
    hello = session.hello()
    while True:
        await asyncio.sleep(PUSH_S)
        if session.hello() != hello:
            hello = session.hello()
            await _send(app, json.dumps({"t": "hello", **hello}))
            last = {}
        state = session.state_message()
        changed = {k: v for k, v in state.items() if k not in last or last[k] != v}
        rows = session.world.display.take_dirty()
        if changed:
            last = json.loads(json.dumps(state))
            await _send(app, json.dumps({"t": "state", **changed}))
        if rows:
            await _send(app, bytes([rows[0]]) + rows[1])


async def _send(app: web.Application, what: str | bytes) -> None:
    sockets: set = app[SOCKETS]
    for ws in list(sockets):
        try:
            if isinstance(what, str):
                await ws.send_str(what)
            else:
                await ws.send_bytes(what)
        except (ConnectionError, RuntimeError):
            sockets.discard(ws)
