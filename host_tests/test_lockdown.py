"""Who gets in: the service key at power-on opens the console, and every entry is logged.

That a running table offers no REPL is shown on the emulated board in test_round_emulator.py, and
that Ctrl-C leads from the console to the REPL in test_flash_table.py (mpremote goes that way).
"""

from __future__ import annotations

from pathlib import Path

from tools.bench.virtual_port import VirtualPort
from tools.emulator.boards_on_usb import run_tool

ASKED = ("help", "selftest", "meters", "recall", "dump", "log")


def test_the_service_key_opens_the_console_and_is_logged(tmp_path: Path) -> None:
    with VirtualPort(tmp_path) as port:
        first = run_tool("field", "console", "--port", port.path, *ASKED)
        port.power_cycle()
        second = run_tool("field", "console", "--port", port.path, "log")
    assert first.returncode == 0, first.stdout + first.stderr
    assert "# help: this list" in first.stdout and "OK program" in first.stdout
    assert '"meter": "rounds"' in first.stdout
    entries = [text.count("service entry") for text in (first.stdout, second.stdout)]
    assert entries[0] >= 1 and entries[1] == entries[0] + 1, second.stdout
