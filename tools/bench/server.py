"""The page's server: static files, one WebSocket, a few read-only views. Bound to 127.0.0.1."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from aiohttp import WSMsgType, web

from tools.bench import memory
from tools.bench.hands import ActionError
from tools.bench.page import Page
from tools.bench.script import ScriptError
from tools.bench.session import Session
from tools.own_page import own_page, told

STATIC = Path(__file__).parent / "static"
GLASS = Path(__file__).parent.parent / "terminal" / "static"
PUSH_S = 1 / 30
SESSION: web.AppKey[Session] = web.AppKey("session", Session)
SOCKETS: web.AppKey[set] = web.AppKey("sockets", set)


def make_app(session: Session) -> web.Application:
    app = web.Application(middlewares=[own_page])
    app[SESSION] = session
    app[SOCKETS] = set()
    app.router.add_get("/", _index)
    app.router.add_get("/ws", _socket)
    app.router.add_get("/screen.png", _screen)
    app.router.add_get("/api/{view}", _view)
    app.router.add_post("/api/do", _do)
    app.router.add_post("/api/script", _script)
    app.router.add_static("/terminal/", GLASS)
    app.router.add_static("/", STATIC)
    app.on_shutdown.append(_goodbye)
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
    ws = web.WebSocketResponse(max_msg_size=1 << 20, compress=False)  # it goes nowhere else
    await ws.prepare(request)
    request.app[SOCKETS].add(ws)
    page = Page(session)
    try:
        with told(ws, _tell(ws, page)):
            async for message in ws:
                if message.type == WSMsgType.TEXT:
                    await _act(session, ws, message.data)
                    page.acts += 1
    finally:
        request.app[SOCKETS].discard(ws)
    return ws


async def _tell(ws: web.WebSocketResponse, page: Page) -> None:
    """Send a page what changed, at most thirty times a second."""
    while not ws.closed:
        for what in page.news():
            await (ws.send_str(what) if isinstance(what, str) else ws.send_bytes(what))
        await asyncio.sleep(PUSH_S)


async def _act(session: Session, ws: web.WebSocketResponse, text: str) -> None:
    """A person did something on the page; what cannot be done is said to that page only."""
    try:
        await session.do(str(json.loads(text)["do"]))
    except ActionError as error:
        await ws.send_json({"t": "error", "text": str(error)})
    except (ValueError, KeyError, TypeError):
        await ws.send_json({"t": "error", "text": "not understood"})


async def _goodbye(app: web.Application) -> None:
    sockets: set = app[SOCKETS]
    for ws in list(sockets):
        await ws.close()
