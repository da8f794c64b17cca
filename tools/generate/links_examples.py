"""Writes the byte-level examples of docs/links.md from the code that runs on the table."""

from __future__ import annotations

import sys

from felt.link import frame, port, reader, shoe, terminal

from tools.generate.written import keep
from tools.paths import ROOT
from tools.peers.shoe_peer import ShoePeer
from tools.peers.wire import Clock, Wire

PAGE = ROOT / "docs" / "links.md"
BEGIN = "<!-- examples: written by tools/generate/links_examples.py -->\n"
END = "<!-- end of examples -->"
KINDS = {port.HELLO: "HELLO", port.WELCOME: "WELCOME", port.DATA: "DATA", port.ACK: "ACK"}
CONTROLLER, DEVICE = 0x1234, 0xABCD


def dump(data: bytes) -> str:
    return " ".join(f"{byte:02x}" for byte in data)


def bare_frames() -> list[str]:
    lines = []
    for body in (b"123456789", bytes(2), b"\x04\x00\x05"):
        encoder = frame.Encoder()
        encoder.body[: len(body)] = body
        lines.append(f"body {dump(body)}\nline {dump(bytes(encoder.seal(len(body))))}\n")
    return lines


def describe(body: bytes) -> str:
    own, other = (int.from_bytes(body[i : i + 2], "little") for i in (1, 3))
    text = f"{KINDS[body[0]]} from {own:04x} to {other:04x}, number {body[5]}"
    return text + (f", payload {dump(body[6:])}" if len(body) > port.HEAD else "")


def _explain(who: str, data: bytearray) -> list[str]:
    decoder, at, start, lines = frame.Decoder(), 0, 0, []
    while at < len(data):
        at = decoder.feed(data, at, len(data))
        if decoder.size >= 0:
            text = describe(bytes(decoder.body[: decoder.size]))
            lines.append(f"{who} {dump(bytes(data[start:at]))}\n    {text}\n")
            start = at
    return lines


def conversation() -> list[str]:
    """A shoe is plugged in, introduces itself, and one card is drawn."""
    clock, wire, lines = Clock(0), Wire(), []
    end, peer = (
        shoe.FeltShoe(wire.a, CONTROLLER),
        ShoePeer(wire.b, DEVICE, bytes(range(51, -1, -1))),
    )
    peer.firmware = "felt-shoe 1.0"
    for turn in range(14):
        now = clock.step(5)
        if turn == 10:
            peer.draw()
        peer.poll(now)
        lines += _explain("shoe      ", wire.b.out)
        wire.a.waiting.extend(wire.b.out)
        wire.b.out.clear()
        if end.poll(now):
            end.accept()
        lines += _explain("controller", wire.a.out)
        wire.b.waiting.extend(wire.a.out)
        wire.a.out.clear()
    return lines


def payloads() -> list[str]:
    rows = {
        "ace of spades drawn, the first card": b"D\x33\x01",
        "stack for request 9: three cards, six are out now": b"S\x09\x06\x03\x00\x05\x2a",
        "shuffle complete, 52 counted, deck 2": b"P\x34\x02",
    }
    lines = [f"{dump(raw)}\n    {text}: {shoe.parse(raw)}\n" for text, raw in rows.items()]
    screen = terminal.Terminal(Wire().a, CONTROLLER)
    screen.paint(["Premium", "", "Bets"])
    lines.append(f"{dump(bytes(screen._pack()))}\n    rows 0 and 2 of the terminal's screen\n")
    lines.append(f"{dump(bytes([terminal.LINE]) + b'fold 3')}\n    command line from a terminal\n")
    key = bytes([terminal.KEY, ord(terminal.CHIP), 2, 9])
    lines.append(f"{dump(key)}\n    the $25 chip touched while message 9 was on the screen\n")
    return lines


def pictures() -> list[str]:
    body = reader.picture(7, [2500, 500] + [0] * 11 + [None], 2)
    encoder = frame.Encoder()
    encoder.body[: len(body)] = body
    text = "picture 7, two spots a seat: seat 1 $25 and $5, seat 7 chips that cannot be told"
    return [f"reader     {dump(bytes(encoder.seal(len(body))))}\n    {text}\n"]


def examples() -> str:
    parts = (
        ("Bare frames (the check value of CRC-32 is in the first)", bare_frames()),
        ("A shoe is plugged in; later one card is drawn", conversation()),
        ("Payloads", payloads()),
        ("A chip reader", pictures()),
    )
    blocks = [f"### {title}\n\n```\n{''.join(lines)}```\n" for title, lines in parts]
    return "\n" + "\n".join(blocks) + "\n"


def page() -> str:
    """The page with its examples made anew."""
    head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return head + BEGIN + examples() + END + rest.split(END)[1]


if __name__ == "__main__":
    sys.exit(keep({PAGE: page()}, "--check" in sys.argv))
