"""`make terminal` as a person starts it: at a serial line, its page in reach, ended by Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from aiohttp.test_utils import TestClient, TestServer

from host_tests.helpers.no_line import NoLine
from tools.paths import ROOT
from tools.terminal.server import AGAIN_S, KEPT, Glass, SerialLine, make_app


def test_the_terminal_serves_its_page_at_a_serial_line() -> None:
    near, far = pty.openpty()
    command = [sys.executable, "-m", "tools.terminal", "--port", os.ttyname(far), "--web", "0"]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout
        said = child.stdout.readline()
        page = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert page and os.ttyname(far) in said, said
        with urllib.request.urlopen(page[0], timeout=120) as answer:
            assert answer.status == 200 and b"<script" in answer.read()
        child.send_signal(signal.SIGINT)
        assert child.wait(120) == 0
    finally:
        child.kill()
        child.wait()
        os.close(near)
        os.close(far)


def test_a_port_that_is_not_there_is_told_once_and_when_it_comes(tmp_path: Path) -> None:
    told: list[str] = []
    port = tmp_path / "ttyFELT"
    line = SerialLine(str(port), told.append)
    for _ in range(3):
        line._tried = -AGAIN_S
        assert line.any() == 0
    assert len(told) == 1 and told[0].startswith(f"waiting for {port}: "), told
    near, far = pty.openpty()
    port.symlink_to(os.ttyname(far))
    line._tried = -AGAIN_S
    line.any()
    os.close(near)
    os.close(far)
    assert told[1:] == [f"{port} is there"]


def test_a_page_hears_the_notices_of_a_whole_evening() -> None:
    """It heard the first two hundred, and no alarm after them."""

    async def evening() -> list[str]:
        glass = Glass(NoLine())
        heard: list[str] = []
        async with TestClient(TestServer(make_app(glass))) as client:
            async with client.ws_connect("/ws") as page:
                await page.receive_json()
                for upto in (KEPT, *range(KEPT + 1, KEPT + 9)):
                    told = range(len(heard), upto)
                    glass.peer.notices += [(f"notice {number}", True) for number in told]
                    while len(heard) < upto:
                        heard += [text for text, _ in (await page.receive_json())["notices"]]
        return heard

    heard = asyncio.run(asyncio.wait_for(evening(), 120))
    assert heard == [f"notice {number}" for number in range(KEPT + 8)]
