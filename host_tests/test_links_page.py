"""docs/links.md says what the code does: its examples and its tables."""

from __future__ import annotations

import re

from felt.link import frame, port, reader, shoe, terminal

from tools.generate import links_examples

PAGE = links_examples.PAGE.read_text(encoding="utf-8")
FLOWING = " ".join(PAGE.split())  # a sentence is one wherever its lines break


def test_examples_are_what_the_code_sends() -> None:
    assert links_examples.BEGIN + links_examples.examples() + links_examples.END in PAGE


def test_a_reader_of_the_page_can_decode_every_line() -> None:
    """An independent COBS and CRC-32 decoder written from the page's words."""
    speakers = "line|shoe {6}|controller|reader {4}"
    lines = re.findall(rf"^(?:{speakers}) ((?:[0-9a-f]{{2}} ?)+)$", PAGE, re.M)
    assert len(lines) > 8
    for line in lines:
        data = bytes.fromhex(line)
        assert data[0] == data[-1] == 0
        assert _crc(_unstuff(data[1:-1])[:-4]) == _unstuff(data[1:-1])[-4:]


def _unstuff(data: bytes) -> bytes:
    out = b""
    while data:
        out += data[1 : data[0]] + b"\0"
        data = data[data[0] :]
    return out[:-1]


def _crc(data: bytes) -> bytes:
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ (0xEDB88320 if register & 1 else 0)
    return (register ^ 0xFFFFFFFF).to_bytes(4, "little")


def test_every_shoe_message_is_in_its_table() -> None:
    for code, name, _ in shoe.FROM_SHOE:
        assert re.search(rf'^\| `{chr(code)}` .*`\("{name}"', PAGE, re.M), name
    for code in (shoe.HELLO, shoe.DISPENSE, shoe.ASK_COUNT, shoe.SHUFFLE):
        assert f"| `{chr(code)}` " in PAGE


def test_figures() -> None:
    for text in (
        f"at most {frame.LIMIT} bytes",
        f"0 to {port.PAYLOAD} bytes",
        f"every {port.HELLO_MS} ms",
        f"repeated every {port.RETRY_MS} ms",
        f"for {port.BEAT_MS} ms sends ACK",
        f"for {port.LOST_MS} ms: the link is lost",
        f"{terminal.ROWS} rows of {terminal.COLUMNS} characters",
        f"1 to {terminal.COMMAND} printable",
    ):
        assert text in FLOWING, text


def test_every_key_is_in_its_table() -> None:
    for letter in terminal.KEYS:
        assert f"| `{letter}` " in PAGE, letter
    for code in (terminal.CLEAR, terminal.TEXT, terminal.PART, terminal.LINE, terminal.KEY):
        assert f"| `{chr(code)}` " in PAGE
    assert f"| {terminal.BUTTON} to {terminal.PARTS - 1} | buttons" in PAGE
    assert f"| {terminal.SEAT + 1} to {terminal.SEAT + 7} | seats" in PAGE


def test_figures_of_the_reader() -> None:
    assert f"Silent for {reader.SILENT_MS} ms" in PAGE
    assert f"1 to {reader.SPOTS}" in PAGE
