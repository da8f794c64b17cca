"""What leaves a table: finished rounds only, in order, until confirmed, after a restart too."""

import struct
from binascii import unhexlify

from cut_flash import with_flash
from felt.net import mqtt, records
from felt.net.outbox import AGAIN_MS, AHEAD, BEAT_MS, Outbox
from felt.net.records import Mac
from felt.net.uplink import Uplink
from felt.store.archive import Archive
from felt.store.area import RamMemory
from felt.store.vault import Vault

KEY = bytes(range(32))


class Machine:
    phase, round_no, between, early = 1, 0, True, b""


class FakeTable:
    """A table as the outbox sees it, over a real vault."""

    fault, detail, document, identity = None, "", b"{}", bytes(24)
    starts = 3

    def __init__(self, memory=None, archive=None):
        self.vault = Vault(memory or RamMemory(4096), state_max=48, logs=8, hits=2, guards=1)
        if memory is None:
            self.vault.clear(b"start", 1)
        else:
            self.vault.open()
            for _ in self.vault.replay():
                pass
        self.machine = Machine()
        self.archive, self.kept = archive, None
        self.clocks, self.notes = [], []

    def stamp(self):
        return self.starts, 5, 0

    def set_clock(self, real):
        self.clocks.append(real)

    def note(self, key, a, b, counted):
        self.notes.append((key, a, b, counted))

    def play(self, n=1, closes=True):
        for _ in range(n):
            for i in range(3):
                self.vault.append(b"event %d" % i)
            self.vault.checkpoint(b"state", closes)
            if self.archive:
                self.archive.add(self.vault)


def confirm(serial, logged=0, start=3, beat=0, real=0, key=KEY, name="t"):
    data = struct.pack(
        records.CONFIRMED, 1, records.CONFIRM, serial, bytes(8), logged, start, beat, real
    )
    return records.closed(Mac(key, name), data)


def box_of(table):
    box = Outbox(table, Mac(KEY, "t"), bytes(32), b"board   ")
    return box


def sent(box, now=0, laps=80):
    """(kind, number, number before) of what goes out in so many laps."""
    out = []
    for _ in range(laps):
        parcel = box.next(now)
        if parcel:
            out.append(struct.unpack(records.HEAD, parcel[0])[1:])
    return out


def of(found, kind):
    return [(number, before) for k, number, before in found if k == kind]


def test_mac_is_hmac_sha256():
    # RFC 4231, test case 2, whose key is shorter than a block and whose data is split here
    mac = Mac(b"Jefe", "")
    mac._name = b""
    mac.begin()
    mac.add(b"what do ya want ")
    mac.add(b"for nothing?")
    want = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert mac.end() == unhexlify(want)


def test_nothing_but_a_beat_before_the_first_confirmation():
    table = FakeTable()
    table.play(3)
    assert [k for k, _, _ in sent(box_of(table))] == [records.BEAT]


def test_rounds_in_order_and_only_so_far_ahead():
    table = FakeTable()
    table.play(12)
    box = box_of(table)
    sent(box)
    assert box.confirm(confirm(2), 0)
    found = of(sent(box), records.SEGMENT)
    assert found == [(n, n - 1) for n in range(3, 3 + AHEAD)]
    assert box.confirm(confirm(10), 0)
    assert of(sent(box), records.SEGMENT) == [(11, 10), (12, 11)]


def test_an_open_round_does_not_leave():
    table = FakeTable()
    table.play(2)
    table.play(1, closes=False)  # what came after the last round may be the next one's
    box = box_of(table)
    sent(box)
    box.confirm(confirm(0), 0)
    assert of(sent(box), records.SEGMENT) == [(1, 0), (2, 1)]
    table.play(1)
    box.confirm(confirm(2), 0)
    assert of(sent(box), records.SEGMENT) == [(3, 2), (4, 3)]


def test_nothing_is_read_where_the_journal_came_round():
    table = FakeTable()
    table.play(5)
    box = box_of(table)
    sent(box)
    box.confirm(confirm(0, 99), 0)
    body = None
    while body is None:
        parcel = box.next(0)
        if parcel and parcel[0][1:2] == records.SEGMENT:
            body = parcel[1]
    first, view = bytearray(body.size), bytearray(body.size)
    body.read(0, memoryview(first))
    for _ in range(200):
        table.play()
        try:
            body.read(0, memoryview(view))
        except ValueError:
            break
        assert view == first
    else:
        raise AssertionError("the journal never came round")
    assert not body.whole()


def test_log_entries_wait_for_the_end_of_a_round():
    table = FakeTable()
    table.vault.note(5, 1, 2)
    box = box_of(table)
    table.machine.between = False
    sent(box)
    box.confirm(confirm(0), 0)
    assert of(sent(box), records.LOG) == []
    table.machine.between = True
    assert of(sent(box), records.LOG) == [(1, 0), (2, 1)]
    assert of(sent(box), records.LOG) == []


def test_what_is_not_confirmed_is_sent_again():
    table = FakeTable()
    table.play(2)
    box = box_of(table)
    sent(box)
    box.confirm(confirm(0, 99), 0)
    assert of(sent(box, 0), records.SEGMENT) == [(1, 0), (2, 1)]
    assert of(sent(box, AGAIN_MS), records.SEGMENT) == []
    assert of(sent(box, AGAIN_MS + 1), records.SEGMENT) == [(1, 0), (2, 1)]


def test_a_restart_goes_on_from_the_archive():
    def body(folder):
        table = FakeTable(archive=Archive(folder + "/rounds", 8, 2048))
        table.play(90)
        oldest = list(table.vault.segments())[-1].seal.serial
        assert oldest > 10
        again = FakeTable(table.vault.nv, table.archive)
        box = box_of(again)
        got = []
        sent(box)
        stored = 3
        while stored < 90:
            box.confirm(confirm(stored, 99), 0)
            got += of(sent(box, laps=400), records.SEGMENT)
            assert stored < got[-1][0]
            stored = got[-1][0]
        assert got == [(n, n - 1) for n in range(4, 91)]

    with_flash(body)


def test_what_even_the_archive_forgot_is_a_declared_gap():
    def body(folder):
        table = FakeTable(archive=Archive(folder + "/rounds", 2, 700))
        table.play(90)
        box = box_of(table)
        sent(box)
        box.confirm(confirm(3, 99), 0)
        first = of(sent(box), records.SEGMENT)[0]
        assert first[1] == 3 and first[0] > 20

    with_flash(body)


def test_forged_and_foreign_confirmations_are_not_heard():
    table = FakeTable()
    table.play(2)
    box = box_of(table)
    sent(box)
    good = confirm(2)
    for forged in (
        confirm(2, key=bytes(32)), confirm(2, name="u"), good[:-1], good + b"x", b"", b"x" * 60,
        bytes([2]) + good[1:], good[:5] + b"\xff" + good[6:],
    ):  # fmt: skip
        assert not box.confirm(forged, 0)
    assert box.stored is None


def test_time_is_taken_only_from_the_answer_to_the_newest_beat():
    table = FakeTable()
    box = box_of(table)
    sent(box)
    box.confirm(confirm(0, beat=0, real=800000000), 0)
    box.confirm(confirm(0, start=2, beat=1, real=800000000), 0)
    box.write_down()
    assert table.clocks == []
    box.confirm(confirm(0, beat=1, real=800000000), 0)
    assert table.clocks == []  # to write takes time that a lap of the network does not have
    box.write_down()
    box.write_down()
    assert table.clocks == [800000000]


def test_a_remark_is_logged_once_and_apart():
    table = FakeTable()
    box = box_of(table)
    box.remark(3, 5)
    assert table.notes == []
    box.write_down()
    box.write_down()
    assert table.notes == [("network", 3, 5, True)]


def test_a_database_that_was_put_back_gets_its_rounds_again():
    table = FakeTable()
    table.play(6)
    box = box_of(table)
    sent(box)
    box.confirm(confirm(6, 99, beat=1), 0)
    assert of(sent(box), records.SEGMENT) == []
    box.confirm(confirm(2, 99, beat=1), 0)
    box.confirm(confirm(2, 99, beat=1), 0)  # a collector that is behind
    assert of(sent(box), records.SEGMENT) == []
    assert len(sent(box, BEAT_MS)) == 1
    box.confirm(confirm(1, 99, beat=1), BEAT_MS)  # an old message
    assert of(sent(box, BEAT_MS), records.SEGMENT) == []
    box.confirm(confirm(2, 99, beat=2), BEAT_MS)
    assert of(sent(box, BEAT_MS), records.SEGMENT) == [(n, n - 1) for n in range(3, 7)]


def test_a_beat_again_and_at_once_when_something_changes():
    table = FakeTable()
    box = box_of(table)
    assert len(sent(box, 0)) == 1
    assert len(sent(box, BEAT_MS - 1)) == 0
    table.fault = "vault_older"
    assert len(sent(box, BEAT_MS - 1)) == 1
    assert len(sent(box, 2 * BEAT_MS)) == 1


class Sink:
    """A broker that says yes to everything and keeps what it hears."""

    def __init__(self):
        self.there, self.said, self.waiting = mqtt.CLOSED, b"", b""

    def connect(self, address, port):
        self.there, self.waiting = mqtt.OPEN, b"\x20\x02\0\0\x90\x03\0\1\0"

    def state(self):
        return self.there

    def send(self, data):
        self.said += bytes(data)
        self.waiting += b"\x40\x02\0\1"
        return len(data)

    def recv(self, buf):
        n = min(len(buf), len(self.waiting))
        buf[:n] = self.waiting[:n]
        self.waiting = self.waiting[n:]
        return n

    def close(self):
        self.there = mqtt.CLOSED


def test_an_uplink_sends_whole_records_with_their_mac():
    table = FakeTable()
    table.play(2)
    sink = Sink()
    link = Uplink(sink, box_of(table), "t", (b"\x0a\0\0\1", 1883))
    for _ in range(60):
        link.poll(0)
    link.box.confirm(confirm(0, 99), 0)
    for _ in range(200):
        link.poll(0)
    assert not link.errors, link.error
    segment = list(table.vault.segments())[0]
    raw = bytearray(segment.size())
    table.vault.ring.read(segment.start, raw)
    body = records.head(records.SEGMENT, 2, 1) + bytes(raw)
    assert records.closed(Mac(KEY, "t"), body) in sink.said


def test_an_error_ends_the_connection_and_is_tried_again():
    table = FakeTable()
    sink = Sink()
    link = Uplink(sink, box_of(table), "t", (b"\x0a\0\0\1", 1883))

    def fails(now):
        raise OSError(5)

    link.box.next = fails
    for _ in range(60):
        link.poll(0)
    assert link.errors == 1 and link.client.state == mqtt.DOWN
    link.poll(999)
    assert link.client.state == mqtt.DOWN
    link.poll(1000)
    assert link.client.state != mqtt.DOWN
