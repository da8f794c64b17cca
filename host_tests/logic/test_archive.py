"""Rounds on flash: all of them come back, in a bounded ring, whatever is cut."""

import os

from cut_flash import cuts_of, with_flash
from felt.store.archive import Archive
from felt.store.area import RamMemory, VaultError
from felt.store.vault import Vault

from host_tests.helpers.repeats import times


def memory():
    vault = Vault(RamMemory(2048), state_max=48, logs=2, hits=2, guards=1)
    vault.clear(b"start", 1)
    return vault


def events_of(number):
    return [b"round %d event %d" % (number, i) for i in range(2 + number % 3)]


def play(vault, number):
    for event in events_of(number):
        vault.append(event)
    vault.checkpoint(b"%d" % number, True)


def numbers(source):
    """The round numbers that come, each with exactly its events."""
    out = []
    for r in source.rounds():
        if r.whole():
            assert list(r.events()) == events_of(r.number)
            out.append(r.number)
    return out


def test_recall_goes_beyond_critical_memory():
    def body(folder):
        vault, archive = memory(), Archive(folder + "/history", 8, 2048)
        for n in range(40):
            play(vault, n)
            assert archive.add(vault) == 1
        assert archive.add(vault) == 0
        assert numbers(Archive(folder + "/history")) == list(range(39, -1, -1))
        kept = numbers(vault)
        assert len(kept) < 20
        assert [r.number for r in archive.older(vault)] == list(range(39 - len(kept), -1, -1))
        assert archive.verify() == (40, 0, 0)

    with_flash(body)


def test_the_ring_is_bounded_and_forgets_the_oldest():
    def body(folder):
        vault, archive = memory(), Archive(folder + "/history", 3, 1024)
        for n in range(60):
            play(vault, n)
            archive.add(vault)
            names = os.listdir(folder + "/history")
            sizes = [os.stat(folder + "/history/" + name)[6] for name in names]
            assert len(names) <= 3 and max(sizes) <= 1024
        kept = numbers(archive)
        assert kept == list(range(59, 59 - len(kept), -1)) and len(kept) >= 10
        assert archive.verify()[1:] == (0, 0)

    with_flash(body)


def test_what_was_missed_is_caught_up_and_a_gap_shows():
    def body(folder):
        vault, archive = memory(), Archive(folder + "/history", 8, 2048)
        play(vault, 0)
        archive.add(vault)
        for n in range(1, 5):
            play(vault, n)
        assert archive.add(vault) == 4 and numbers(archive) == [4, 3, 2, 1, 0]
        for n in range(5, 50):
            play(vault, n)
        stored = archive.add(vault)
        assert 4 < stored < 45
        assert archive.verify() == (5 + stored, 0, 1)
        findings = [r.finding for r in archive.rounds()]
        assert findings.index("gap") == stored and findings.count("gap") == 1
        vault.clear(b"new", 1)
        play(vault, 50)
        assert archive.add(vault) == 1 and archive.verify() == (6 + stored, 0, 2)
        assert next(archive.older(vault)).number == 49

    with_flash(body)


def test_a_damaged_or_unfinished_file_is_found_and_not_written_to():
    def body(folder):
        vault, archive = memory(), Archive(folder + "/history", 8, 4096)
        for n in range(6):
            play(vault, n)
            archive.add(vault)
        path = folder + "/history/" + os.listdir(folder + "/history")[0]
        with open(path, "rb") as f:
            whole = f.read()
        for at in range(0, len(whole), times(7, 7, 61)):
            with open(path, "wb") as f:
                f.write(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            count, bad, breaks = archive.verify()
            assert (count, bad, breaks) != (6, 0, 0), at
        with open(path, "wb") as f:
            f.write(whole[:-5])
        assert archive.verify() == (5, 0, 0) and archive.add(vault) == 1
        assert len(os.listdir(folder + "/history")) == 2
        assert archive.verify() == (6, 0, 0) and numbers(archive) == [5, 4, 3, 2, 1, 0]

    with_flash(body)


def test_a_cut_loses_no_round_that_was_stored_and_the_next_start_stores_the_rest():
    vault = memory()
    for n in range(9):
        play(vault, n)
    image = bytes(vault.nv.data)

    def at_round(count):
        """The critical memory as it was after `count` rounds."""
        other = memory()
        for n in range(count):
            play(other, n)
        return other

    before, full = at_round(6), at_round(9)
    assert bytes(full.nv.data) == image

    def prepare(folder):
        Archive(folder + "/history", 2, 512).add(before)

    def change(folder):
        Archive(folder + "/history", 2, 512).add(full)

    def after(folder):
        archive = Archive(folder + "/history", 2, 512)
        kept = numbers(archive)
        assert kept and kept[0] >= 5 and kept == list(range(kept[0], kept[0] - len(kept), -1))
        assert archive.verify()[1:] == (0, 0)
        change(folder)
        assert numbers(archive)[:2] == [8, 7] and archive.verify()[1:] == (0, 0)

    assert cuts_of(prepare, change, after, times(1, 3, 61)) > 0


def test_damage_stands_in_the_list_of_rounds_where_it_was_found():
    """Before, a stored round with a bad seal was passed over, and one with a bad event raised."""

    def body(folder):
        vault, archive = memory(), Archive(folder + "/history", 8, 4096)
        for n in range(6):
            play(vault, n)
            archive.add(vault)
        path = folder + "/history/" + os.listdir(folder + "/history")[0]
        with open(path, "rb") as f:
            whole = f.read()
        for at in range(0, len(whole), times(1, 3, 23)):
            with open(path, "wb") as f:
                f.write(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            found = []
            for r in archive.rounds():
                try:
                    r.check()
                    assert list(r.events()) == events_of(r.number)
                    found.append(r.number)
                except VaultError:
                    found.append("damaged")
            unfinished = found == list(range(len(found) - 1, -1, -1))  # as a cut leaves it
            assert "damaged" in found or (unfinished and len(found) < 6), (at, found)

    with_flash(body)


def test_memory_older_than_the_archive_or_with_another_past_is_told_until_accepted():
    def body(folder):
        vault, archive = memory(), Archive(folder + "/history", 8, 4096)
        images = []
        for n in range(6):
            images.append(bytes(vault.nv.data))
            play(vault, n)
            archive.add(vault)
        assert archive.follows(vault)
        vault.nv.data[:] = images[4]
        vault.open(), list(vault.replay())
        assert not archive.follows(vault)
        vault.append(b"another")
        vault.checkpoint(b"past", True)
        assert not archive.follows(vault)
        vault.append(b"another")
        vault.checkpoint(b"past", True)
        assert not archive.follows(vault)  # as many segments, but not those
        archive.accept()
        assert archive.follows(vault) and archive.add(vault) == 2 and archive.follows(vault)
        assert [r.number for r in archive.rounds() if not r.finding][:3] == [5, 4, 5]
        vault.nv.data[:] = images[5]
        vault.open(), list(vault.replay())
        assert not archive.follows(vault)

    with_flash(body)


def test_memory_set_up_anew_goes_on_behind_the_archive():
    def body(folder):
        vault, archive = memory(), Archive(folder + "/history", 8, 4096)
        for n in range(3):
            play(vault, n)
        archive.add(vault)
        blank = Vault(RamMemory(2048), state_max=48, logs=2, hits=2, guards=1)
        blank.clear(b"start", 1, archive.newest().seal)
        assert archive.follows(blank) and blank.number == 3
        play(blank, 3)
        assert archive.add(blank) == 1 and archive.follows(blank)
        blank.clear(b"again", 1, archive.newest().seal)
        assert archive.follows(blank) and archive.add(blank) == 0

    with_flash(body)
