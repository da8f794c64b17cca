"""`make terminal` as a person starts it: at a serial line, its page in reach, ended by Ctrl-C."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import urllib.request

from tools.paths import ROOT


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
