"""Serves the touch terminal: one serial line to the table, one page, bound to 127.0.0.1.

The page gets what changed; a touch goes to the controller with the number of the last message
shown. A touch that cannot be sent is refused to the page that made it, never dropped in silence.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import deque
from pathlib import Path
from typing import Any, Callable, Protocol

import serial
from aiohttp import WSMsgType, web
from felt.link.terminal import KEYS

from tools.own_page import own_page, told
from tools.peers.terminal_peer import BAUD, TerminalPeer

STATIC = Path(__file__).parent / "static"
POLL_S = 0.01
KEPT = 200  # notices
AGAIN_S = 1.0  # between two attempts to open a port that is gone


class Line(Protocol):
    """What a peer takes for its UART."""

    def any(self) -> int: ...
    def readinto(self, buf: Any) -> int | None: ...
    def write(self, data: bytes) -> int: ...


class SerialLine:
    """A serial port that may be unplugged and come back; meanwhile it carries nothing.

    `tell` hears once why it cannot be opened, and when it is there again."""

    def __init__(self, path: str, tell: Callable[[str], None] = lambda text: None) -> None:
        self.path = path
        self._tell = tell
        self._why = ""
        self._port: Any = None
        self._tried = 0.0

    def _open(self) -> Any:
        if self._port is None and time.monotonic() - self._tried >= AGAIN_S:
            self._tried = time.monotonic()
            self._port = self._try(
                lambda: serial.serial_for_url(
                    self.path, BAUD, timeout=0, write_timeout=1, exclusive=True
                )
            )
            if self._port and self._why:
                self._told("")
        return self._port

    def _told(self, why: str) -> None:
        if why != self._why:
            self._why = why
            self._tell(f"waiting for {self.path}: {why}" if why else f"{self.path} is there")

    def _try(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except (OSError, ValueError) as error:  # SerialException is an OSError
            self._port = None
            self._told(str(error))
            return None

    def any(self) -> int:
        port = self._open()
        return (self._try(lambda: port.in_waiting) or 0) if port else 0

    def readinto(self, buf: Any) -> int | None:
        data = self._try(lambda: self._port.read(len(buf))) if self._port else b""
        buf[: len(data or b"")] = data or b""
        return len(data or b"") or None

    def write(self, data: bytes) -> int:
        return (self._try(lambda: self._port.write(bytes(data))) or 0) if self._port else 0


class Glass:
    """The terminal's end of the line, polled, and what its pages are told."""

    def __init__(self, line: Line) -> None:
        self.peer = TerminalPeer(line, secrets.randbelow(65535) + 1, touched=True)
        self._began = time.monotonic()
        self.told: deque[tuple[str, bool]] = deque(maxlen=KEPT)
        self.count = 0  # notices told so far, those that are kept no more too

    def poll(self) -> None:
        self.peer.poll(int((time.monotonic() - self._began) * 1000))
        self.told.extend(self.peer.notices)
        self.count += len(self.peer.notices)
        self.peer.notices.clear()

    def since(self, count: int) -> list[tuple[str, bool]]:
        """The notices after the first `count`, as far as they are kept."""
        fresh = min(self.count - count, len(self.told))
        return list(self.told)[len(self.told) - fresh :]

    def state(self) -> dict[str, Any]:
        peer = self.peer
        return {
            "up": peer.connected,
            "parts": list(peer.parts),
            "rows": list(peer.rows),
            "sent": peer.sent,
            "taken": peer.taken,
            "dropped": peer.dropped,
        }

    def touch(self, key: str, value: int) -> bool:
        """Send a touch; False when the line is down or too many wait."""
        return self.peer.connected and self.peer.key(key, value)


GLASS: web.AppKey[Glass] = web.AppKey("glass", Glass)


def make_app(glass: Glass) -> web.Application:
    app = web.Application(middlewares=[own_page])
    app[GLASS] = glass
    app.router.add_get("/", _index)
    app.router.add_get("/ws", _socket)
    app.router.add_static("/", STATIC)
    app.cleanup_ctx.append(_poller)
    return app


async def _index(request: web.Request) -> web.StreamResponse:
    return web.FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-store"})


async def _poller(app: web.Application) -> Any:
    task = asyncio.create_task(_poll(app[GLASS]))
    yield
    task.cancel()


async def _poll(glass: Glass) -> None:
    while True:
        glass.poll()
        await asyncio.sleep(POLL_S)


async def _socket(request: web.Request) -> web.WebSocketResponse:
    glass = request.app[GLASS]
    ws = web.WebSocketResponse(compress=False)  # it goes nowhere else
    await ws.prepare(request)
    with told(ws, _tell(ws, glass)):
        async for message in ws:
            if message.type == WSMsgType.TEXT and not _touched(glass, message.data):
                await ws.send_json({"refused": message.data})
    return ws


def _touched(glass: Glass, text: str) -> bool:
    try:
        found = json.loads(text)
        key, value = str(found["key"]), int(found["value"])
    except (ValueError, KeyError, TypeError):
        return False
    return len(key) == 1 and key in KEYS and 0 <= value < 256 and glass.touch(key, value)


async def _tell(ws: web.WebSocketResponse, glass: Glass) -> None:
    """Tell one page what changed since it was last told."""
    state: dict[str, Any] = {}
    said = glass.count
    while not ws.closed:
        now = glass.state()
        changed = {key: value for key, value in now.items() if state.get(key) != value}
        news, said = glass.since(said), glass.count
        if changed or news:
            state = now
            await ws.send_json({"state": changed, "notices": news})
        await asyncio.sleep(POLL_S)
