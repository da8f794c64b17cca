"""Pull the plug after every byte: the same proof on CPython and MicroPython.

FRAM writes its bytes in order, so one run that records every byte written gives all images a cut
can leave: the memory before the round plus a prefix of that record. Each image is started from as
the table would start. An image that differs from the one before in a byte which that start never
read must start the same way, so it is counted without starting again. Most starts use the calls
recorded from the table in place of its machine, whose part is proved once a round (`fold`); every
eighth is a start of the table itself, and with `every` all images are started that way.
"""

import sys
from array import array

from felt.round.machine import Machine
from felt.store.vault import Vault
from felt.table import Table

from tools.prove.player import TABLES, Player


class PowerCut(Exception):
    pass


class PowerCutImage:
    """Critical memory that loses power after a given number of bytes, and keeps what it has."""

    def __init__(self, size=32768):
        self.size = size
        self.data = bytearray(size)
        self.maps = []  # per address: 1 read before it was written, 2 written first
        self.restore()

    def restore(self):
        self.left = None
        self.dead = False
        self.addresses = array("H")
        self.recording = False

    def cut_after(self, count):
        self.left = count

    def record(self):
        """Keep address and value of every byte written from here on."""
        self.addresses = array("H")
        self.values = bytearray()
        self.recording = True

    def readinto(self, addr, buf):
        if self.dead:
            raise PowerCut()
        n = len(buf)
        buf[:] = memoryview(self.data)[addr : addr + n]
        for seen in self.maps:
            now = bytes(memoryview(seen)[addr : addr + n])
            if b"\0" in now:
                seen[addr : addr + n] = now.replace(b"\0", b"\1")

    def write(self, addr, buf):
        for value in bytes(buf):
            if self.dead or self.left == 0:
                self.dead = True
                raise PowerCut()
            self.poke(addr, value)
            if self.recording:
                self.addresses.append(addr)
                self.values.append(value)
            if self.left is not None:
                self.left -= 1
            addr += 1
        if self.left == 0:
            self.dead = True
            raise PowerCut()

    def poke(self, addr, value):
        self.data[addr] = value
        for seen in self.maps:
            seen[addr] = seen[addr] or 2


class Watched(Vault):
    """A vault that notes what the table had it do for each event."""

    def begin(self, nv):
        self.trips = []
        self.noted = []
        self.kept = {}
        self._record = nv

    def append(self, event):
        seq = Vault.append(self, event)
        self.trips.append(Trip(event, len(self._record.values)))
        return seq

    def note(self, code, a=0, b=0):
        Vault.note(self, code, a, b)  # belongs to no event: a cut may take it
        self.noted.append((code, a, b))

    def log(self, seq, code, a=0, b=0):
        Vault.log(self, seq, code, a, b)
        self.trips[-1].calls.append((Vault.log, seq, code, a, b))

    def hit(self, seq, seat, cents, number):
        Vault.hit(self, seq, seat, cents, number)
        self.trips[-1].calls.append((Vault.hit, seq, seat, cents, number))

    def checkpoint(self, state, closes_round):
        Vault.checkpoint(self, state, closes_round)
        self.kept[len(self.trips)] = state, closes_round


class Trip:
    """One event of the uncut round and what belongs to it."""

    def __init__(self, event, acknowledged):
        self.event = event
        self.acknowledged = acknowledged  # bytes written when append() returned
        self.calls = []
        self.snapshot = b""


class Proof:
    """Plays rounds on one table and cuts each at every byte."""

    def __init__(self, settings, seed, every=False, progress=None, kind=Vault):
        self.settings = settings
        self.kind = kind  # of vault that starts from what a cut left
        self.nv = PowerCutImage()
        self.scratch = PowerCutImage()
        self.vault = Watched(self.nv)
        self.vault.begin(self.nv)
        self.table = Table(settings, self.vault)
        self.table.machine.keys = 3
        self.table.clear(0)
        self.player = Player(self.table.machine, self.feed, seed)
        self.every = every
        self.progress = progress or (lambda proof: None)
        self.rounds = self.events = self.cuts = self.pairs = self.starts = 0
        self.torn = self.doubles = 0

    # --- the uncut round, recorded

    def feed(self, event):
        self.table.submit(event)
        assert not self.table.fault, self.table.fault
        if self.vault.trips:  # old news is not journalled
            self.vault.trips[-1].snapshot = self.table.machine.snapshot()

    def roll_on(self, left):
        """Play on until the journal's end is `left` bytes away, so that cuts meet the wrap."""
        while self.vault.ring.size - self.vault._walk.pos > left:
            self.vault.begin(self.nv)
            self.nv.record()
            self.player.round()
        self.nv.restore()

    def play(self):
        self.before = bytes(self.nv.data)
        self.seq = self.vault.seq
        self.snapshot = self.table.machine.snapshot()
        self.vault.begin(self.nv)
        self.nv.record()
        state = Vault(self.nv).open()
        self.player.round()
        self.addresses, self.values = self.nv.addresses, self.nv.values
        self.nv.restore()
        self.trips, self.kept = self.vault.trips, self.vault.kept
        self.noted = self.vault.noted
        self.states = {0: state}
        for n in self.kept:
            self.states[n] = self.kept[n][0]
        self.rounds += 1
        self.events += len(self.trips)
        self.fold(state)
        self.entries = self.newest(self.vault)

    def fold(self, state):
        """A start from a checkpoint passes through the very states of the uncut round."""
        m = Machine(self.settings)
        m.load(state)
        for i, trip in enumerate(self.trips):
            m.step(trip.event)
            assert m.snapshot() == trip.snapshot, (i, trip.event)
            if i + 1 in self.kept:
                m = Machine(self.settings)
                m.load(self.states[i + 1])
                assert m.snapshot() == trip.snapshot
            assert m.meters.conserved()

    def newest(self, vault):
        """This round's entries in log and hits."""
        out = []
        for source in (vault.entries(), vault.hits()):
            for entry in source:
                if entry[1] < self.seq or len(out) > 80:
                    break
                if entry[2:5] not in self.noted:  # its number counts the notes, too
                    out.append(entry[1:])
        return out

    # --- starting from what a cut left

    def start(self, nv):
        """Start as the table does, the recorded calls in place of the machine's effects.

        Returns the vault and how many of the round's events it has."""
        self.starts += 1
        vault = self.kind(nv)
        vault.guarded = self.vault.guarded
        state = vault.open()
        have = vault.seq - self.seq
        first = None
        for event in vault.replay():
            at = vault.at - self.seq
            first = at if first is None else first
            assert event == self.trips[at].event, "another event came back"
            self.calls(vault, at)
        assert state == self.states[have if first is None else first], "another state came back"
        if first is not None:
            self.keep(vault, have)
        return vault, have

    def calls(self, vault, at):
        for call in self.trips[at].calls:
            call[0](vault, *call[1:])

    def keep(self, vault, have):
        if have in self.kept:
            vault.checkpoint(*self.kept[have])

    def repeat(self, vault, have):
        """What the table does when the event a cut took comes again."""
        vault.append(self.trips[have].event)
        self.calls(vault, have)
        self.keep(vault, have + 1)

    def real_start(self, image, to_the_end=False):
        """The table itself starts, counts the start, and plays the rest of the round."""
        nv = PowerCutImage()
        nv.data[:] = image
        table = self.begin(nv)
        have = table.vault.seq - self.seq - 1
        self.same(table, self.trips[have - 1].snapshot if have else self.snapshot)
        if to_the_end:
            for trip in self.trips[have:]:
                table.submit(trip.event)
            self.same(table, self.trips[-1].snapshot)
            assert not table.fault and table.vault.number == self.vault.number
        return have

    def begin(self, nv):
        """A table that has started from what is in `nv`."""
        table = Table(self.settings, self.kind(nv))
        table.start(0)
        assert not table.fault, (table.fault, table.detail)
        return table

    def same(self, table, snapshot, starts=1):
        m = table.machine
        m.boots -= starts
        assert m.snapshot() == snapshot, "another state"
        m.boots += starts

    def check(self, vault, have):
        expected = [e for e in self.entries if e[0] < self.seq + have]
        assert self.newest(vault) == expected, "entries differ"

    def acknowledged(self, done, upto, first=0):
        """How many events were acknowledged when `upto` bytes were written, of times in `done`."""
        n = first
        while n - first < len(done) and done[n - first] <= upto:
            n += 1
        return n

    def cut_everywhere(self):
        """Cut once, at every byte."""
        times = [t.acknowledged for t in self.trips]
        image = bytearray(self.before)
        seen = None
        for k in range(len(self.values) + 1):
            if k:
                image[self.addresses[k - 1]] = self.values[k - 1]
            if seen is None or self.every or seen[self.addresses[k - 1]] == 1:
                seen = bytearray(len(image))
                have = self.start_copy(image, [seen])
                if self.every or self.starts % 8 == 0:
                    assert have == self.real_start(image, self.starts % 64 == 0)
            least = self.acknowledged(times, k)
            assert least <= have <= least + 1, (least, have)
            self.cuts += 1
            self.progress(self)

    def tear_everywhere(self, dice):
        """Cut at every byte, which is left with any value: as if it had never been begun."""
        times = [t.acknowledged for t in self.trips]
        image = bytearray(self.before)
        for k in range(len(self.values)):
            at = self.addresses[k]
            torn = bytearray(image)
            torn[at] = dice.below(256)
            have = self.real_start(torn)
            least = self.acknowledged(times, k)
            assert least <= have <= least + 1, (k, least, have)
            image[at] = self.values[k]
            self.torn += 1
            self.progress(self)

    # --- cutting the table's own start after a cut, at every byte, each left with any value

    def cut_starts(self, dice, count):
        """For `count` cuts with a torn byte: cut and tear every byte of the start after it."""
        chosen = sorted([dice.below(len(self.values)) for _ in range(count)])
        image = bytearray(self.before)
        for k in range(len(self.values)):
            at = self.addresses[k]
            while chosen and chosen[0] == k:
                chosen.pop(0)
                torn = bytearray(image)
                torn[at] = dice.below(256)
                self.cut_start(torn, dice)
            image[at] = self.values[k]

    def cut_start(self, image, dice):
        """Cut one start after every byte it writes; the next start has all it had."""
        nv = PowerCutImage()
        nv.data[:] = image
        nv.record()
        table = self.begin(nv)
        have = table.vault.seq - self.seq - 1
        state = self.trips[have - 1].snapshot if have else self.snapshot
        image = bytearray(image)
        for at, value in zip(nv.addresses, nv.values):
            torn = bytearray(image)
            torn[at] = dice.below(256)
            for left in (image, torn):
                again = PowerCutImage()
                again.data[:] = left
                table = self.begin(again)
                boots = table.vault.seq - self.seq - have
                assert boots in (1, 2), (have, boots)
                self.same(table, state, boots)
                self.doubles += 1
            image[at] = value
            self.progress(self)

    def start_copy(self, image, maps):
        work = self.scratch
        work.data[:] = image
        work.maps = maps
        vault, have = self.start(work)
        self.check(vault, have)
        work.maps = []
        return have

    # --- cutting again while the table starts and repeats the event that was lost

    def resume(self, nv):
        """Start, then repeat what the cut took; returns the vault, its events and times of ack."""
        vault, have = self.start(nv)
        found = have
        times = []
        if have < len(self.trips):
            vault.append(self.trips[have].event)
            times.append(len(nv.values))
            self.calls(vault, have)
            self.keep(vault, have + 1)
            have += 1
        return vault, found, have, times

    def cut_twice_everywhere(self, step=1):
        """Cut at every byte, or one of `step`, and again at every byte of the start after it."""
        image = bytearray(self.before)
        maps = bytearray(), bytearray()
        inner = 0
        stale = True
        for k in range(len(self.values) + 1):
            if k:
                at = self.addresses[k - 1]
                image[at] = self.values[k - 1]
                stale = stale or self.every or 1 in (maps[0][at], maps[1][at])
            if k % step:
                continue
            if stale:
                maps = (bytearray(len(image)), bytearray(len(image)))
                inner = self.second_cuts(image, maps[0], maps[1])
                stale = False
            self.pairs += inner
            self.progress(self)

    def second_cuts(self, image, own, later):
        """All cuts of one start; marks what it and the starts after it read of `image`."""
        work = self.scratch
        work.data[:] = image
        work.maps = [own]
        work.record()
        vault, found, have, times = self.resume(work)
        addresses, values = work.addresses, work.values
        work.restore()
        self.to_the_end(vault, have)
        image = bytearray(image)
        seen = None
        for j in range(len(values) + 1):
            if j:
                image[addresses[j - 1]] = values[j - 1]
                later[addresses[j - 1]] = later[addresses[j - 1]] or 2
            if seen is None or self.every or seen[addresses[j - 1]] == 1:
                seen = bytearray(len(image))
                again = self.start_copy(image, [seen, later])
                if self.starts % 64 == 0:
                    assert again == self.real_start(image, True)
            least = self.acknowledged(times, j, found)
            assert least <= again <= least + 1, (least, again)
        return len(values) + 1

    def to_the_end(self, vault, have):
        """Play the rest of the round: the same past to the last bit, nothing twice."""
        for at in range(have, len(self.trips)):
            self.repeat(vault, at)
        assert vault.chain == self.vault.chain and vault.number == self.vault.number
        self.check(vault, len(self.trips))


def run(rounds, pairs, seed=1, every=False, progress=None, cuts=0, step=1):
    """Cut `rounds` rounds spread over the tables at every byte, `pairs` of them twice.

    Stops after `cuts` single cuts if given; of `step` first cuts of a pair one is made.
    Returns rounds, events, cuts, pairs, starts."""
    totals = [0] * 5
    for i, settings in enumerate(TABLES[:rounds]):
        proof = Proof(settings, seed * 100 + i, every, progress)
        proof.roll_on(2000 + 2000 * (i & 3))
        share = (cuts * (i + 1) // len(TABLES)) - totals[2]
        for number in range(i, rounds, len(TABLES)):
            proof.play()
            proof.cut_everywhere()
            if number < pairs:
                proof.cut_twice_everywhere(step)
            if cuts and proof.cuts >= share:
                break
        got = (proof.rounds, proof.events, proof.cuts, proof.pairs, proof.starts)
        totals = [a + b for a, b in zip(totals, got)]
    return totals


def main(args):
    """rounds pairs [seed [every [cuts [step]]]]: prints one line `PROGRESS cuts` now and then."""
    numbers = [int(a) for a in args] + [1, 0, 0, 1][len(args) - 2 :]
    rounds, pairs, seed, every, cuts, step = numbers
    seen = [0]

    def progress(proof):
        seen[0] += 1
        if every and seen[0] % 500 == 0:
            print("PROGRESS", seen[0])

    done = run(rounds, pairs, seed, bool(every), progress, cuts, step)
    print("%d rounds, %d events, %d cuts, %d pairs of cuts, %d starts" % tuple(done))


if __name__ == "__main__":
    main(sys.argv[1:])
