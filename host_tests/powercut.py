"""Pull the plug after every byte: the same proof on CPython and MicroPython.

FRAM writes its bytes in order, so one run that records every byte written gives all images a cut
can leave: the memory before the round plus a prefix of that record. Each image is started from as
the table would start. An image that differs from the one before in a byte which that start never
read must start the same way, so it is counted without starting again. With `every` each image is
started, with the real machine; otherwise the machine's part is proved once a round (`fold`).
"""

import sys
from array import array

from felt.round.machine import Machine
from felt.store.vault import Vault
from player import TABLES, Player


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
            if not (seen[addr] and seen[addr + n - 1]) or bytes(1) in bytes(seen[addr : addr + n]):
                for a in range(addr, addr + n):
                    seen[a] = seen[a] or 1

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


LOGGED = []


def log_code(name):
    if name not in LOGGED:
        LOGGED.append(name)
    return LOGGED.index(name) + 1


def enter(vault, effects):
    """The log entries and hits of the event last appended or replayed."""
    for e in effects:
        if e[0] == "log":
            vault.log(vault.at, log_code(e[1]), e[2], e[3])
        elif e[0] == "hit":
            vault.hit(vault.at, e[1], e[2], vault.number)


class Desk:
    """What the table does with an event: step, journal, entries, checkpoint."""

    def __init__(self, nv, settings):
        self.vault = Vault(nv)
        self.m = Machine(settings)

    def set_up(self):
        self.vault.clear(self.m.dump(), 0)

    def start(self):
        self.m.load(self.vault.open())
        effects = ()
        for event in self.vault.replay():
            effects = self.m.step(event)
            enter(self.vault, effects)
        self.keep(effects)

    def feed(self, event):
        effects = self.m.step(event)
        self.vault.append(event)
        enter(self.vault, effects)
        self.keep(effects)

    def keep(self, effects):
        for e in effects:
            if e[0] == "checkpoint":
                self.vault.checkpoint(self.m.dump(), e[1])


class Trip:
    """One event of the uncut round and what belongs to it."""

    def __init__(self, event, effects, m):
        self.event = event
        self.effects = [e for e in effects if e[0] in ("log", "hit", "checkpoint")]
        self.dump = m.dump() if "checkpoint" in [e[0] for e in self.effects] else None
        self.snapshot = m.snapshot()
        self.acknowledged = 0  # bytes written when append() returned


class Proof:
    """Plays rounds on one table and cuts each at every byte."""

    def __init__(self, settings, seed, every=False, progress=None):
        self.settings = settings
        self.nv = PowerCutImage()
        self.scratch = PowerCutImage()
        self.desk = Desk(self.nv, settings)
        self.desk.set_up()
        self.player = Player(self.desk.m, self.feed, seed)
        self.every = every
        self.progress = progress or (lambda proof: None)
        self.rounds = self.events = self.cuts = self.pairs = self.starts = 0

    # --- the uncut round, recorded

    def roll_on(self, left):
        """Play on until the journal's end is `left` bytes away, so that cuts meet the wrap."""
        ring = self.desk.vault.ring
        while ring.size - self.desk.vault._walk.pos > left:
            self.trips = []
            self.nv.record()
            self.player.round()
        self.nv.restore()

    def feed(self, event):
        desk = self.desk
        effects = desk.m.step(event)
        trip = Trip(event, effects, desk.m)
        desk.vault.append(event)
        trip.acknowledged = len(self.nv.values)
        enter(desk.vault, effects)
        desk.keep(effects)
        self.trips.append(trip)

    def play(self):
        self.before = bytes(self.nv.data)
        self.seq = self.desk.vault.seq
        self.trips = []
        self.snapshot = self.desk.m.snapshot()
        state = Vault(self.nv).open()
        self.nv.record()
        self.player.round()
        self.addresses, self.values = self.nv.addresses, self.nv.values
        self.nv.restore()
        self.rounds += 1
        self.events += len(self.trips)
        self.kept = {0: state}
        self.fold(state)
        self.entries = [e for e in self.newest(self.desk.vault)]

    def fold(self, state):
        """A start from a checkpoint passes through the very states of the uncut round."""
        m = Machine(self.settings)
        m.load(state)
        for i, trip in enumerate(self.trips):
            effects = m.step(trip.event)
            assert m.snapshot() == trip.snapshot, (i, trip.event)
            assert [e for e in effects if e in trip.effects] == trip.effects
            if trip.dump:
                self.kept[i + 1] = trip.dump
                m = Machine(self.settings)
                m.load(trip.dump)
                assert m.snapshot() == trip.snapshot
            assert m.meters.conserved()

    def newest(self, vault):
        """The newest entries of log and hits, each with what it came from."""
        out = []
        for source in (vault.entries(), vault.hits()):
            for entry in source:
                if entry[1] < self.seq or len(out) > 80:
                    break
                out.append(entry)
        return out

    # --- starting from what a cut left; the recorded effects stand for the machine's

    def start(self, nv):
        """Start as the table does; return the vault and how many of the round's events it has."""
        self.starts += 1
        if self.every:
            return self.real_start(nv)
        vault = Vault(nv)
        state = vault.open()
        have = vault.seq - self.seq
        first = trip = None
        for event in vault.replay():
            trip = self.trips[vault.at - self.seq]
            assert event == trip.event, "another event came back"
            first = vault.at - self.seq if first is None else first
            enter(vault, trip.effects)
        assert state == self.kept[have if first is None else first], "another state came back"
        if trip:
            self.keep(vault, trip)
        return vault, have

    def real_start(self, nv):
        desk = Desk(nv, self.settings)
        desk.start()
        have = desk.vault.seq - self.seq
        found = desk.m.snapshot()
        assert found == (self.trips[have - 1].snapshot if have else self.snapshot)
        return desk.vault, have

    def keep(self, vault, trip):
        for e in trip.effects:
            if e[0] == "checkpoint":
                vault.checkpoint(trip.dump, e[1])

    def check(self, vault, have):
        expected = [e for e in self.entries if e[1] < self.seq + have]
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
            least = self.acknowledged(times, k)
            assert least <= have <= least + 1, (least, have)
            self.cuts += 1
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
            trip = self.trips[have]
            vault.append(trip.event)
            times.append(len(nv.values))
            enter(vault, trip.effects)
            self.keep(vault, trip)
            have += 1
        return vault, found, have, times

    def cut_twice_everywhere(self):
        """Cut at every byte and, for each, again at every byte of the start after it."""
        image = bytearray(self.before)
        maps = None
        inner = 0
        for k in range(len(self.values) + 1):
            if k:
                at = self.addresses[k - 1]
                image[at] = self.values[k - 1]
            if maps is None or self.every or 1 in (maps[0][at], maps[1][at]):
                maps = (bytearray(len(image)), bytearray(len(image)))
                inner = self.second_cuts(image, maps[0], maps[1])
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
            least = self.acknowledged(times, j, found)
            assert least <= again <= least + 1, (least, again)
        return len(values) + 1

    def to_the_end(self, vault, have):
        """Play the rest of the round: the same past to the last bit, nothing twice."""
        for trip in self.trips[have:]:
            vault.append(trip.event)
            enter(vault, trip.effects)
            self.keep(vault, trip)
        assert vault.chain == self.desk.vault.chain and vault.number == self.desk.vault.number
        self.check(vault, len(self.trips))


def run(rounds, pairs, seed=1, every=False, progress=None, cuts=0):
    """Cut `rounds` rounds spread over the tables at every byte, `pairs` of them twice.

    Stops after `cuts` single cuts if given. Returns rounds, events, cuts, pairs, starts."""
    totals = [0] * 5
    for i, settings in enumerate(TABLES):
        proof = Proof(settings, seed * 100 + i, every, progress)
        proof.roll_on(2000 + 2000 * (i & 3))
        share = (cuts * (i + 1) // len(TABLES)) - totals[2]
        for number in range(i, rounds, len(TABLES)):
            proof.play()
            proof.cut_everywhere()
            if number < pairs:
                proof.cut_twice_everywhere()
            if cuts and proof.cuts >= share:
                break
        got = (proof.rounds, proof.events, proof.cuts, proof.pairs, proof.starts)
        totals = [a + b for a, b in zip(totals, got)]
    return totals


def main(args):
    """rounds pairs [seed [every [cuts]]]: prints one line `PROGRESS cuts` now and then."""
    rounds, pairs, seed, every, cuts = [int(a) for a in args] + [1, 0, 0][len(args) - 2 :]
    seen = [0]

    def progress(proof):
        seen[0] += 1
        if every and seen[0] % 500 == 0:
            print("PROGRESS", seen[0])

    done = run(rounds, pairs, seed, bool(every), progress, cuts)
    print("%d rounds, %d events, %d cuts, %d pairs of cuts, %d starts" % tuple(done))


if __name__ == "__main__":
    main(sys.argv[1:])
