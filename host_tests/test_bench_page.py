"""A page holds what the table shows, whenever it was opened and whatever changed meanwhile."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import ClientSession, WSMsgType, web
from aiohttp.test_utils import TestServer

from tools.bench import server
from tools.bench.display import Display
from tools.bench.session import Session
from tools.bench.supervisor import Supervisor
from tools.bench.world import World

BLANK, SHOWN = {"prompt": ""}, {"prompt": "Place your bets"}
FAILED_S = 20  # only a server that forgets a page takes so long
WIDE, HIGH = Display().width, Display().height


class Told:
    """A session as far as a page sees it."""

    def __init__(self) -> None:
        self.title = "one"
        self.state: dict[str, Any] = {"terminal": BLANK, "keys": {"service": False}}
        self.world = SimpleNamespace(display=Display())

    def hello(self) -> dict[str, Any]:
        return {"title": self.title}

    def state_message(self) -> dict[str, Any]:
        return self.state


class Browser:
    """What net.js keeps: everything that came, put together."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.hello: dict[str, Any] = {}
        self.state: dict[str, Any] = {}
        self.pixels = bytearray(WIDE * HIGH * 2)

    async def take(self) -> None:
        message = await self.socket.receive()
        assert message.type in (WSMsgType.TEXT, WSMsgType.BINARY), message
        if message.type == WSMsgType.BINARY:
            at, rows = int.from_bytes(message.data[:2], "big"), message.data[2:]
            first = at * WIDE * 2
            self.pixels[first : first + len(rows)] = rows
            return
        told = json.loads(message.data)
        (self.hello if told.pop("t") == "hello" else self.state).update(told)

    async def until(self, key: str, value: object) -> None:
        while self.state.get(key) != value:
            await self.take()


def serve(session: Any, play: Any) -> None:
    """Run `play(open)` with a server; `open()` gives a page."""

    async def run() -> None:
        async with TestServer(server.make_app(session)) as at, ClientSession() as client:

            async def page() -> Browser:
                return Browser(await client.ws_connect(at.make_url("/ws")))

            await asyncio.wait_for(play(page), FAILED_S)

    asyncio.run(run())


@pytest.mark.parametrize("during", ["hello", "state", "pixels"])
def test_a_change_while_the_first_state_is_sent_reaches_that_page(
    during: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second page's first messages stand still until the first page has seen the change."""
    session = Told()
    seen = asyncio.Event()
    sockets: list[object] = []
    send_str, send_bytes = web.WebSocketResponse.send_str, web.WebSocketResponse.send_bytes

    async def hold(socket: object, kind: str) -> None:
        if socket not in sockets:
            sockets.append(socket)
        if sockets.index(socket) == 1 and kind == during and not seen.is_set():
            session.state = {**session.state, "terminal": SHOWN}
            session.world.display.pixels[:2] = b"\x12\x34"
            session.world.display._touch(0, 1)
            await seen.wait()

    async def slow_str(self: Any, text: str, **how: Any) -> None:
        await hold(self, json.loads(text)["t"])
        await send_str(self, text, **how)

    async def slow_bytes(self: Any, data: bytes, **how: Any) -> None:
        await hold(self, "pixels")
        await send_bytes(self, data, **how)

    monkeypatch.setattr(web.WebSocketResponse, "send_str", slow_str)
    monkeypatch.setattr(web.WebSocketResponse, "send_bytes", slow_bytes)

    async def play(page: Any) -> None:
        first = await page()
        await first.until("terminal", BLANK)
        second = await page()
        await first.until("terminal", SHOWN)
        seen.set()
        await second.until("terminal", SHOWN)
        while second.pixels[:2] != b"\x12\x34":
            await second.take()
        assert second.state == {**session.state, "done": 0}

    serve(session, play)


def test_a_page_that_cannot_be_told_is_closed_and_asks_again() -> None:
    """Left open it would show for ever what it was told last."""
    session = Told()

    async def play(page: Any) -> None:
        first = await page()
        await first.until("terminal", BLANK)
        session.state["terminal"] = object()  # no JSON
        while (message := await first.socket.receive()).type == WSMsgType.BINARY:
            pass
        assert message.type == WSMsgType.CLOSE, message
        session.state["terminal"] = SHOWN
        await (await page()).until("terminal", SHOWN)

    serve(session, play)


def test_a_change_inside_a_value_is_sent_and_nothing_twice() -> None:
    session = Told()
    session.state["hand"] = held = ["Ah"]
    page = server.Page(session)  # type: ignore[arg-type]
    page.news()
    held.append("Kh")
    assert page.news() == ['{"t": "state", "hand": ["Ah", "Kh"]}']
    assert page.news() == []


def test_another_table_is_told_from_the_start() -> None:
    session = Told()
    page = server.Page(session)  # type: ignore[arg-type]
    page.news()
    session.title, session.world = "two", SimpleNamespace(display=Display())
    hello, state, pixels = page.news()
    assert json.loads(hello) == {"t": "hello", "title": "two"}
    assert json.loads(state) == {"t": "state", **session.state, "done": 0}
    assert pixels == bytes(2 + WIDE * HIGH * 2)


def test_a_picture_of_the_wheel_is_told_as_a_picture_alone(tmp_path: Path) -> None:
    """With a count of pictures beside it felt and buttons were painted thirty times a second."""
    session = Session(tmp_path, "premium")
    session.supervisor = Supervisor(World("premium", tmp_path))
    session._hello = {}
    page = server.Page(session)
    page.news()
    paint(session.world.display)
    assert [type(each) for each in page.news()] == [bytes]


def paint(display: Display) -> None:
    """A pixel each in two rows."""
    for command, data in ((0x2A, b"\0\0\0\0"), (0x2B, b"\0\x07\0\x08"), (0x2C, b"\1\2\3\4")):
        display.command(bytes([command]))
        display.data(data)


def test_only_rows_that_changed_are_sent_and_each_reader_has_its_own_place() -> None:
    display = Display()
    early = display.strokes
    paint(display)
    rows = display.rows_since(early)
    assert rows is not None and (rows[0], len(rows[1])) == (7, 2 * 2 * WIDE)
    assert display.rows_since(display.strokes) is None
    assert display.rows_since(early) == rows
