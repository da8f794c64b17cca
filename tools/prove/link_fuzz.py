"""Throws random bytes and damaged frames at every link and deals shoes through deaf periods.

`make link-fuzz` runs the long version; the tests run a short one. It prints one line a part and
ends with `OK` or the first thing that went wrong. The same seed gives the same run.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

from felt.link import frame, port, reader, shoe, terminal

from tools import stopped
from tools.peers.reader_peer import ReaderPeer
from tools.peers.shoe_peer import ShoePeer
from tools.peers.terminal_peer import TerminalPeer
from tools.peers.wire import Clock, Random, Wire

STEP_MS = 5


class Wrong(Exception):
    """The link did something it must never do."""


class ShoeLink:
    """Controller and shoe on one wire; what the controller believes is in `got`."""

    name = "shoe"
    burst = 8  # frames that wait when the controller looks

    def __init__(self) -> None:
        self.clock = Clock()
        self.wire = Wire()
        self.end: Any = shoe.FeltShoe(self.wire.a, 4242)
        self.peer: Any = ShoePeer(self.wire.b, 777, bytes(range(52)))
        self.got: list[tuple] = []

    @property
    def bad(self) -> int:
        return int(self.end.port.bad)

    def frames(self) -> list[bytes]:
        return _frames(self)

    def poll(self) -> None:
        message = self.end.poll(self.clock.step(STEP_MS))
        if message:
            self.end.accept()
            if message[0] != shoe.LINK:
                self.got.append(message)

    def sound(self) -> None:
        """A card sent now must arrive, and be the next one."""
        self.peer.load(bytes(range(52)))
        self.peer.draw()
        self.settle()
        cards = [m for m in self.got if m[0] not in (shoe.IDENTITY, shoe.COUNT)]
        if cards != [(shoe.DRAWN, 0, 1)]:
            raise Wrong(f"shoe: {cards[:5]}")
        self.got.clear()

    def settle(self, ms: int = 800) -> None:
        for _ in range(ms // STEP_MS):
            self.wire.step(STEP_MS)
            self.poll()
            self.peer.poll(self.clock.now)


class TerminalLink(ShoeLink):
    """Controller and framed terminal on one wire; commands believed are in `got`."""

    name = "terminal"

    def __init__(self) -> None:
        self.clock = Clock()
        self.wire = Wire()
        self.end = terminal.Terminal(self.wire.a, 4243)
        self.peer = TerminalPeer(self.wire.b, 778)
        self.got = []
        self.count = 0

    def poll(self) -> None:
        self.got.extend(self.end.poll(self.clock.step(STEP_MS)))

    def sound(self) -> None:
        self.count += 1
        want = f"tap {self.count}"
        self.peer.command(want)
        self.end.paint([want])
        self.settle(2500 if not self.peer.connected else 800)
        if self.got != [want] or self.peer.rows[0] != want:
            raise Wrong(f"terminal: {self.got[:5]} {self.peer.rows[:1]}")
        self.got.clear()


class ReaderLink(ShoeLink):
    """A chip reader and the table; an amount believed that never lay there is in `got`."""

    name = "reader"
    burst = 2  # its frames are long, and a look takes 512 bytes

    def __init__(self) -> None:
        self.clock = Clock()
        self.wire = Wire()
        self.end = reader.FeltReader(self.wire.a)
        self.peer = ReaderPeer(self.wire.b)
        self.peer.cents[3, 1] = 2_500
        self.got = []

    @property
    def bad(self) -> int:
        return int(self.end.bad)

    def frames(self) -> list[bytes]:
        made = []
        for _ in range(12):
            self.peer.counter = self.peer.counter + 1 & 255
            made.append(self.peer.frame())
        return made

    def poll(self) -> None:
        self.end.poll(self.clock.step(STEP_MS))
        for seat in range(1, reader.SEATS + 1):
            for spot in range(reader.SPOTS):
                found = self.end.cents(seat, spot)
                if found is not None and found != self.peer.cents.get((seat, spot), 0):
                    self.got.append((seat, spot, found))

    def sound(self) -> None:
        self.settle()
        if self.end.cents(3, 1) != self.peer.cents[3, 1]:
            raise Wrong(f"reader: {self.end.cents(3, 1)}")
        if self.got:
            raise Wrong(f"reader: believed {self.got[:3]}")


LINKS = (ShoeLink, TerminalLink, ReaderLink)


class Progress:
    def __init__(self, name: str, total: int) -> None:
        self.name, self.total = name, total
        self.start = self.shown = time.monotonic()

    def show(self, done: int) -> None:
        now = time.monotonic()
        if sys.stderr.isatty() and now - self.shown > 0.2:
            self.shown = now
            print(f"\r{self.name} {100 * done // self.total}%", end="", file=sys.stderr)

    def end(self, text: str) -> None:
        lead = "\r" if sys.stderr.isatty() else ""
        took = time.monotonic() - self.start
        print(f"{lead}{self.name}: {self.total:,} {text} ({took:.0f} s)", flush=True)


def random_bytes(link: Any, total: int, rng: random.Random) -> None:
    """Nothing may come out of noise, and a good message must pass right behind it."""
    progress = Progress(f"{link.name} random bytes", total)
    link.settle()
    link.sound()
    pieces = total // 50
    for done in range(0, total, 50):
        link.wire.a.waiting.extend(rng.randbytes(50))
        link.poll()
        link.wire.a.out.clear()
        if link.got:
            raise Wrong(f"{link.name}: believed {link.got[:3]} out of noise")
        if done // 50 % (pieces // 20 or 1) == 0:
            link.sound()
        progress.show(done)
    link.sound()
    progress.end(f"in, nothing believed, {link.bad:,} pieces thrown away")


def _frames(link: Any) -> list[bytes]:
    """Valid frames as this link's peer would send them now: each kind, several payloads."""
    peer = link.peer.port
    number = link.end.port.mark[1] % 255 + 1  # the very one it waits for
    payloads = [b"D\x05\x01", b"S\x01\x03\x03\x01\x02\x03", b"F\x07\x02", b"J\x01", b"P\x34\x01"]
    if isinstance(link, TerminalLink):
        payloads = [b"Lpay 3 500", b"Lfold 2", b"Lundo", b"KN\0\1", b"V\1"]
    made = []
    for kind in (port.HELLO, port.WELCOME, port.DATA, port.ACK):
        head = bytes([kind]) + peer.session.to_bytes(2, "little")
        head += link.end.port.session.to_bytes(2, "little")
        for payload in payloads:
            tail = bytes([port.VERSION, peer.role]) if kind <= port.WELCOME else payload
            made.append(seal(head + bytes([number]) + (tail if kind != port.ACK else b"")))
    return made


def seal(body: bytes) -> bytes:
    encoder = frame.Encoder()
    encoder.body[: len(body)] = body
    return bytes(encoder.seal(len(body)))


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Damage a frame in one to four places so that it is no longer what was sent."""
    out = bytearray(data)
    while data.strip(b"\0") in bytes(out).split(b"\0"):
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(out))
            how = rng.randrange(5)
            if how == 0:
                out[at] ^= 1 << rng.randrange(8)
            elif how == 1:
                out[at] = rng.randrange(256)
            elif how == 2 and len(out) > 2:
                del out[at]
            elif how == 3:
                out.insert(at, rng.randrange(256))
            else:
                other = rng.randrange(len(out))
                out[at], out[other] = out[other], out[at]
    return bytes(out)


def mutated_frames(link: Any, total: int, rng: random.Random) -> None:
    """A damaged frame is never believed."""
    progress = Progress(f"{link.name} mutated frames", total)
    link.settle()
    link.sound()
    frames = link.frames()
    for done in range(total):
        link.wire.a.waiting.extend(mutate(rng.choice(frames), rng))
        if done % link.burst == 0:
            link.poll()
            link.wire.a.out.clear()
        if link.got:
            raise Wrong(f"{link.name}: believed {link.got[:3]} out of damaged frames")
        if done % (total // 20 or 1) == 0:
            link.settle()  # what is still in the buffer ends here
            link.sound()
            frames = link.frames()
        progress.show(done)
    link.sound()
    progress.end(f"in, nothing believed, {link.bad:,} pieces thrown away")


def deal(seed: int) -> tuple[int, int]:
    """Deal one shuffled shoe with deaf periods at both ends; return (repeats, bytes lost)."""
    rng = random.Random(seed)
    order = list(range(52))
    rng.shuffle(order)
    clock, wire = Clock(rng.randrange(1 << 30)), Wire(random=Random(seed))
    peer, end = ShoePeer(wire.b, 1 + seed % 60000, bytes(order)), shoe.FeltShoe(wire.a, 60001)
    got: list[tuple] = []
    quiet = 0
    while quiet < 20:
        now = clock.step(STEP_MS)
        if rng.random() < 0.3 and not wire.b.deaf:
            peer.draw()
        if rng.random() < 0.02:
            rng.choice((wire.a, wire.b)).go_deaf(rng.randint(1, 400))
        wire.step(STEP_MS)
        if not wire.a.deaf:
            message = end.poll(now)
            if message:
                got.append(message)
                end.accept()
        if not wire.b.deaf:
            peer.poll(now)
        quiet = 0 if peer.inside or peer.port.pending or end.port.message else quiet + 1
    cards = [m[1:] for m in got if m[0] == shoe.DRAWN]
    if cards != [(card, n) for n, card in enumerate(order, 1)]:
        raise Wrong(f"shoe {seed}: dealt {order}, received {cards}")
    return peer.port.repeats, wire.a.lost + wire.b.lost


def shoes(total: int, seed: int) -> None:
    progress = Progress("shoes of 52 cards", total)
    repeats = lost = 0
    for n in range(total):
        more, gone = deal(seed * 1_000_003 + n)
        repeats, lost = repeats + more, lost + gone
        progress.show(n)
    progress.end(
        f"dealt with deaf periods up to 400 ms, no card lost or doubled: "
        f"{lost:,} bytes lost on the line, {repeats:,} messages repeated"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bytes", type=int, default=10_000_000)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--shoes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    try:
        for kind in LINKS:
            random_bytes(kind(), given.bytes, rng)
            mutated_frames(kind(), given.frames, rng)
        shoes(given.shoes, given.seed)
    except Wrong as wrong:
        print(f"ERROR seed {given.seed}: {wrong}")
        return 1
    print("OK")
    return 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
