"""The critical memory: order, checkpoints, recall, limits, and what it says about damage."""

import struct
from binascii import crc32

from felt.store import area, entries, header, journal, witness
from felt.store.area import RamMemory, VaultError, VaultFull
from felt.store.entries import LOST
from felt.store.upkeep import CLEARED
from felt.store.vault import Vault

COPIES = header.SIZE + witness.SIZE


def small(nv=None, owner=None):
    """A memory small enough to wrap within a test."""
    return Vault(nv or RamMemory(4096), state_max=200, logs=10, hits=3, guards=3, owner=owner)


def fresh(state=b"start"):
    vault = small()
    vault.clear(state, 1)
    return vault


def again(vault):
    """The same bytes after a restart: (vault, state, events)."""
    other = small(vault.nv)
    state = other.open()
    return other, state, list(other.replay())


def code_of(function, *args):
    try:
        function(*args)
    except VaultError as e:
        return e.code
    return 0


def play(vault, number, events=5):
    for i in range(events):
        vault.append(b"round %d event %d" % (number, i))
    vault.checkpoint(b"state %d" % number, True)


def test_an_append_is_there_after_a_restart():
    vault = fresh()
    events = [b"a", b"bc", bytes(63)]
    assert [vault.append(e) for e in events] == [vault.seq - 3, vault.seq - 2, vault.seq - 1]
    _, state, replayed = again(vault)
    assert state == b"start" and replayed == events


def test_a_checkpoint_takes_the_events_out_of_the_replay():
    vault = fresh()
    play(vault, 0)
    vault.append(b"next")
    other, state, replayed = again(vault)
    assert state == b"state 0" and replayed == [b"next"]
    assert (
        other.number == vault.number == 1 and other.seq == vault.seq and other.chain == vault.chain
    )


def test_replay_gives_each_event_its_sequence_number():
    vault = fresh()
    first = vault.append(b"x")
    vault.append(b"y")
    other = small(vault.nv)
    other.open()
    assert [other.at for _ in other.replay()] == [first, first + 1]
    assert other.append(b"z") == first + 2 == other.at


def test_nothing_is_written_before_replay_has_finished():
    vault = fresh()
    vault.append(b"x")
    other = small(vault.nv)
    assert code_of(lambda: list(other.replay())) == area.E_ORDER
    other.open()
    assert code_of(other.append, b"y") == area.E_ORDER
    assert code_of(other.checkpoint, b"", True) == area.E_ORDER
    assert code_of(other.note, 1) == area.E_ORDER


def test_open_and_reading_never_write():
    vault = fresh()
    for n in range(12):
        play(vault, n)
    image = bytes(vault.nv.data)
    other, _, _ = again(vault)
    other.verify()
    for r in other.rounds():
        list(r.events())
    list(other.tail()), list(other.entries()), list(other.hits())
    assert bytes(vault.nv.data) == image


def test_rounds_come_newest_first_whole_and_around_the_ring():
    vault = fresh()
    for n in range(40):
        play(vault, n, 3 + n % 4)
        seen = list(vault.rounds())
        assert [r.number for r in seen] == list(range(n, n - len(seen), -1))
        for r in seen:
            got = list(r.events())
            assert got == [b"round %d event %d" % (r.number, i) for i in range(len(got))]
            assert len(got) == 3 + r.number % 4 and r.whole()
        assert vault.verify() == [] and vault.verify_chain() == len(seen)
        assert again(vault)[1:] == (b"state %d" % n, [])
    assert 10 < len(seen) < 30


def test_a_checkpoint_within_a_round_splits_it_but_recall_joins_it():
    vault = fresh()
    play(vault, 0)
    vault.append(b"bet")
    vault.checkpoint(b"between", False)
    vault.append(b"lock")
    assert list(vault.tail()) == [b"lock"] and vault.number == 1
    assert [r.number for r in vault.rounds()] == [0]
    vault.checkpoint(b"done", True)
    newest = next(vault.rounds())
    assert newest.number == 1 and list(newest.events()) == [b"bet", b"lock"] and newest.whole()


def test_a_repeated_checkpoint_closes_one_round_only():
    vault = fresh()
    play(vault, 0)
    vault.checkpoint(b"again", True)
    other, state, _ = again(vault)
    assert other.number == 1 and state == b"again"


def test_a_full_segment_refuses_and_keeps_everything():
    vault = fresh()
    play(vault, 0)
    count = 0
    try:
        while True:
            left = vault.room()
            vault.append(bytes(60))
            count += 1
            assert vault.room() == left - 66
    except VaultFull:
        assert left < 66
    assert len(again(vault)[2]) == count and vault.verify() == []
    vault.checkpoint(b"closed", True)
    assert again(vault)[1] == b"closed"
    assert [r.number for r in vault.rounds()][0] == 1


def test_two_full_segments_survive_the_loss_of_the_newest_copy():
    vault = fresh()
    events = []
    for closing in (True, False):
        while vault.room() >= 66:
            vault.append(bytes([len(events)]) * 60)
            events.append(bytes([len(events)]) * 60)
        if closing:
            vault.checkpoint(b"newest", True)
    _, state, replayed = again(vault)
    assert state == b"newest"
    vault.nv.data[COPIES + 218 + 20] ^= 1  # in the state of the second copy
    other, state, replayed = again(vault)
    assert state == b"start" and replayed == events and other.verify() == ["copy"]
    other.checkpoint(b"repaired", True)
    assert again(vault)[1] == b"repaired" and other.verify() == []


def test_events_of_no_size_or_too_large_are_refused():
    vault = fresh()
    for bad in (b"", bytes(64)):
        try:
            vault.append(bad)
            assert False
        except ValueError:
            pass
    assert code_of(vault.checkpoint, bytes(201), True) == area.E_ORDER


def test_log_entries_are_written_once_however_often_they_are_replayed():
    vault = fresh()
    seq = vault.append(b"x")
    for _ in range(3):
        restarted = again(vault)[0]
        restarted.log(seq, 7, 1, 2)
        restarted.log(seq, 7, 1, 2)
        restarted.log(seq, 9)
    got = [e[1:5] for e in again(vault)[0].entries()]
    assert got[:3] == [(seq, 9, 0, 0), (seq, 7, 1, 2), (seq, 7, 1, 2)] and got[3][1] == CLEARED


def test_notes_are_always_added_and_the_log_keeps_the_newest():
    vault = fresh()
    for n in range(25):
        seq = vault.append(b"x")
        vault.log(seq, 1, n)
        vault = again(vault)[0]
        vault.log(seq, 1, n)
        vault.note(2, n)
    got = list(vault.entries())
    assert len(got) == 10 and [e[2] for e in got[:4]] == [2, 1, 2, 1] and got[0][3] == 24


def test_hits_are_kept():
    vault = fresh()
    for n in range(5):
        vault.hit(vault.append(b"h"), n, 1000000 + n, n)
    assert [h[2:5] for h in vault.hits()] == [(n, 1000000 + n, n) for n in (4, 3, 2)]


def test_reasons_a_table_stays_closed():
    assert code_of(Vault(None).open) == area.E_MISSING
    assert code_of(small().open) == area.E_BLANK
    nv = RamMemory(4096)
    nv.data[:] = b"\xff" * 4096
    assert code_of(small(nv).open) == area.E_BLANK
    nv.data[:] = b"\x33" * 4096
    assert code_of(small(nv).open) == area.E_HEADER
    vault = fresh()
    assert (
        code_of(Vault(vault.nv, state_max=100, logs=10, hits=3, guards=3).open) == area.E_VERSION
    )
    vault.nv.data[5] = 1
    assert code_of(small(vault.nv).open) == area.E_VERSION


class Mute:
    """A memory that answers nothing."""

    size = 4096

    def readinto(self, addr, buf):
        raise OSError(19)

    def write(self, addr, buf):
        raise OSError(19)


def test_a_memory_that_does_not_answer_is_missing():
    for vault in (small(Mute()), Vault(None)):
        assert code_of(vault.open) == area.E_MISSING and vault.reason == area.E_MISSING
        assert vault.verify() == ["missing"]
        assert list(vault.rounds()) == list(vault.tail()) == []
    assert list(vault.entries()) == list(vault.hits()) == []


def test_the_log_can_be_read_while_damage_keeps_the_table_closed():
    vault = fresh()
    vault.append(b"event")
    vault.log(vault.at, 7)
    vault.nv.data[-vault.ring.size + vault._walk.pos - 3] ^= 1
    other = small(vault.nv)
    assert code_of(other.open) == area.E_JOURNAL
    assert [e[2] for e in other.entries()] == [7, CLEARED]
    assert list(other.rounds()) == [] and other.verify() == ["journal"]


class Sticky(RamMemory):
    """A memory with one cell that cannot be changed."""

    def write(self, addr, buf):
        keep = self.data[-200]
        super().write(addr, buf)
        self.data[-200] = keep


def test_a_cell_that_does_not_take_the_byte_is_found_at_once():
    vault = small(Sticky(4096))
    vault.clear(b"", 0)
    code = 0
    for n in range(40):
        code = code or code_of(play, vault, n)
    assert code == area.E_WRITE


def test_clearing_keeps_the_log_and_says_so():
    vault = fresh()
    play(vault, 0)
    vault.log(vault.at, 5, 6)
    vault.hit(vault.at, 1, 500, 0)
    seq = vault.seq
    vault.nv.data[COPIES] ^= 1
    vault.nv.data[COPIES + 218] ^= 1
    other = small(vault.nv)
    assert code_of(other.open) == area.E_COPIES
    other.clear(b"new", 3)
    assert [e[2:5] for e in other.entries()][:2] == [(CLEARED, 3, area.E_COPIES), (5, 6, 0)]
    assert list(other.hits())[0][2:5] == (1, 500, 0)
    assert again(other)[1:] == (b"new", []) and list(other.rounds()) == []
    other.log(other.append(b"x"), 8)
    assert other.seq >= seq and next(other.entries())[2] == 8


def forge(vault, change):
    """Change the newest round as a forger would, every CRC included; returns a walk over it."""
    segment = next(vault.segments())
    walk = journal.Walk(vault.ring, segment.start)
    crc, pos, seq = walk.crc, walk.pos, walk.seq
    seal = bytearray(journal.SEAL_SIZE)
    vault.ring.read(segment.start + segment.seal.span, seal)
    for event in change(list(segment.events())):
        crc = journal.write_event(vault.ring, pos, crc, seq, event, bytearray(80))
        pos += len(event) + journal.OVERHEAD
        seq += 1
    struct.pack_into("<I", seal, 19, crc)
    struct.pack_into("<I", seal, 55, crc32(memoryview(seal)[:55]))
    vault.ring.write(pos, seal)
    return walk


def to_the_end(walk):
    while walk.step() is not None:
        pass


def test_an_edited_or_reordered_round_is_found_by_the_chain():
    def edit(events):
        return events[:-1] + [b"round 2 event 7"]

    def reorder(events):
        return [events[1], events[0]] + events[2:]

    for change in (edit, reorder):
        vault = fresh()
        for n in range(3):
            play(vault, n)
        to_the_end(forge(vault, list))
        assert vault.verify_chain() == 3
        assert code_of(to_the_end, forge(vault, change)) == area.E_CHAIN
        assert code_of(vault.verify_chain) == area.E_CHAIN
        assert code_of(small(vault.nv).open) == area.E_JOURNAL


def test_a_dropped_round_is_found_by_the_chain():
    vault = fresh()
    for n in range(3):
        play(vault, n)
    newest, middle, oldest = list(vault.segments())
    image = bytearray(newest.size())
    vault.ring.read(newest.start, image)
    vault.ring.write(middle.start, image)
    assert code_of(vault.verify_chain) == area.E_CHAIN


def test_the_newest_entry_is_found_whatever_slot_it_is_in_and_whatever_is_damaged():
    nv = RamMemory(10 * entries.SIZE)
    for count in range(1, 32):
        ring = entries.Entries(area.Area(nv, 0, nv.size), 10)
        ring.put(count, 1, count)
        image = bytes(nv.data)
        for slot in range(11):
            if slot < 10:
                nv.data[slot * entries.SIZE + 7] ^= 4
            again = entries.Entries(area.Area(nv, 0, nv.size), 10)
            newest_is_bad = slot == (count - 1) % 10
            assert again.last_seq() == count - newest_is_bad or (count == 1 and newest_is_bad)
            nv.data[:] = image


def test_clearing_turns_damaged_entries_into_lost_ones():
    nv = RamMemory(10 * entries.SIZE)
    ring = entries.Entries(area.Area(nv, 0, nv.size), 10)
    for count in range(1, 14):
        ring.put(count, 1, count)
    for slot in (0, 1, 5):
        nv.data[slot * entries.SIZE + 7] ^= 4
    ring.drop_damaged()
    again = entries.Entries(area.Area(nv, 0, nv.size), 10)
    assert again.last_seq() == 13 and again.scan() == 0
    assert [e[2] for e in again.newest_first()] == [1, LOST, LOST, 1, 1, 1, 1, LOST, 1, 1]
    again.put(14, 1, 14)
    assert [e[0] for e in again.newest_first()] == list(range(14, 4, -1))


def test_ten_rounds_of_1300_bytes_stay_beside_the_largest_open_round():
    vault = Vault(RamMemory(32768))
    vault.clear(b"", 0)
    for number in range(30):
        for i in range(95):
            vault.append(b"%7d" % i)
        vault.checkpoint(bytes(400), True)
    assert next(vault.segments()).seal.span == 1294
    while vault.room() >= 69:
        vault.append(bytes(63))
    kept = [r for r in vault.rounds() if r.whole()]
    assert [r.number for r in kept][:10] == list(range(29, 19, -1))
    assert len(list(kept[9].events())) == 95 and vault.verify() == []


class Recording(RamMemory):
    """Keeps every byte written, in order."""

    def __init__(self, size):
        super().__init__(size)
        self.written = []

    def write(self, addr, buf):
        super().write(addr, buf)
        for i, value in enumerate(bytes(buf)):
            self.written.append((addr + i, value))


def test_a_cut_while_clearing_leaves_the_old_memory_or_one_that_says_so():
    nv = Recording(4096)
    vault = small(nv)
    vault.clear(b"first", 1)
    play(vault, 0)
    before = bytes(nv.data)
    nv.written = []
    vault.clear(b"second", 2)
    image = RamMemory(4096)
    image.data[:] = before
    told = {}
    for addr, value in nv.written:
        image.data[addr] = value
        other = small(image)
        code = code_of(other.open)
        told[code] = told.get(code, 0) + 1
        if not code:
            assert other.open() == (b"state 0" if told.get(area.E_CLEARING) is None else b"second")
            assert other.verify() == []
    assert sorted(told) == [0, area.E_CLEARING] and code == 0 and other.open() == b"second"
    for count in range(0, len(nv.written), 7):
        image.data[:] = before
        for addr, value in nv.written[:count]:
            image.data[addr] = value
        again = small(image)
        code_of(again.open)
        again.clear(b"third", 3)
        assert again.verify() == [] and small(image).open() == b"third"


def test_a_round_whose_beginning_is_gone_is_not_given_out():
    vault = fresh()
    partial = 0
    for n in range(60):
        vault.append(b"bet in round %d" % n)
        vault.checkpoint(b"between", False)
        play(vault, n, 3 + n % 4)
        for r in vault.rounds():
            assert next(r.events()) == b"bet in round %d" % r.number
        oldest = list(journal.group(vault.segments()))[-1]
        partial += not oldest.whole()
    assert partial > 3


def test_a_mark_that_became_zero_is_damage_wherever_it_lies():
    """Before there was a witness each of these dropped that event and all later ones unsaid."""
    vault = fresh()
    play(vault, 0)
    marks = []
    for i in range(6):
        marks.append(vault._walk.pos)
        vault.append(b"spin %d" % i)
    base = vault.nv.size - vault.ring.size
    for mark in marks:
        kept = vault.nv.data[base + mark]
        vault.nv.data[base + mark] = 0
        assert code_of(small(vault.nv).open) == area.E_JOURNAL
        vault.nv.data[base + mark] = kept
    assert len(again(vault)[2]) == 6


def test_the_log_may_not_know_more_than_the_journal():
    vault = fresh()
    at = vault._walk.pos
    vault.log(vault.append(b"x"), 7)
    vault.nv.data[vault.nv.size - vault.ring.size + at] = 0
    vault._witness.begin(vault.seq - 1)  # both witnesses lost their last word too
    assert code_of(small(vault.nv).open) == area.E_JOURNAL


def test_one_witness_is_enough_and_none_is_damage():
    vault = fresh()
    vault.append(b"x")
    for slot in range(2):
        vault.nv.data[header.SIZE + 8 * slot] ^= 1
        assert again(vault)[2] == [b"x"]
        vault.nv.data[header.SIZE + 8 * slot] ^= 1
    vault.nv.data[header.SIZE : header.SIZE + witness.SIZE] = bytes(witness.SIZE)
    assert code_of(small(vault.nv).open) == area.E_JOURNAL


def test_another_boards_memory_is_foreign_until_it_is_adopted():
    vault = small(owner=b"board 1")
    vault.clear(b"start", 1)
    play(vault, 0)
    other = small(vault.nv, b"board 2")
    assert code_of(other.open) == area.E_FOREIGN
    other.adopt()
    assert other.open() == b"state 0" and list(other.replay()) == [] and other.number == 1
    assert code_of(small(vault.nv, b"board 1").open) == area.E_FOREIGN
    assert small(vault.nv, b"board 2").verify() == []


def test_a_cut_while_adopting_leaves_one_owner():
    whole = small(Recording(4096), b"board 1")
    whole.clear(b"start", 1)
    before = bytes(whole.nv.data)
    whole.nv.written = []
    small(whole.nv, b"board 2").adopt()
    for cut in range(len(whole.nv.written) + 1):
        image = RamMemory(4096)
        image.data[:] = before
        for address, value in whole.nv.written[:cut]:
            image.data[address] = value
        codes = [code_of(small(image, owner).open) for owner in (b"board 1", b"board 2")]
        assert sorted(codes) == [0, area.E_FOREIGN], cut


def test_numbers_go_on_behind_what_is_kept_elsewhere():
    vault = fresh()
    for n in range(3):
        play(vault, n)
    newest = next(vault.segments()).seal
    blank = small()
    blank.clear(b"new", 1, newest)
    assert blank.number == 3 and blank._walk.seal.serial == newest.serial + 1
    vault.clear(b"new", 1)
    assert vault.number == 3 and vault._walk.seal.serial == newest.serial + 1


def test_guarded_entries_outlive_a_flood_of_others_and_all_carry_their_stamp():
    vault = fresh()
    vault.guarded = (5,), (6,)
    clock = [3, 40, 0]
    vault.stamp(lambda: tuple(clock))
    vault.note(5, 1, 2)
    for n in range(50):
        clock[1] += 1
        vault.note((6, 9)[n & 1], n)
    assert 5 not in [e[2] for e in vault.entries()]
    kept = list(vault.guards())
    assert [e[2] for e in kept] == [6, 6, 6, 5, CLEARED] and kept[3][2:] == (5, 1, 2, 3, 40, 0)
    assert next(vault.entries())[5:] == (3, 90, 0) and vault.starts() == 3


def test_damage_beside_the_state_is_named_and_mended_on_purpose():
    vault = fresh()
    play(vault, 0)
    vault.append(b"next")
    vault.log(vault.at, 7)
    slot = COPIES + 2 * 218 + entries.SIZE  # the newest of the two entries
    vault.nv.data[slot + 12] ^= 1
    vault.nv.data[COPIES + 15] ^= 1  # in the older checkpoint
    other, state, replayed = again(vault)
    assert other.verify() == other.damage() == ["copy", "log"]
    other.mend()
    again_, state, replayed = again(vault)
    assert state == b"state 0" and replayed == [b"next"] and again_.verify() == []
    assert [e[2] for e in again_.entries()] == [CLEARED]
