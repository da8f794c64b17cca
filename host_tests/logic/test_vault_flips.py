"""Every single bit of the critical memory, flipped: noticed, or outside of all that counts."""

from felt.store import checkpoint, entries, header, journal, witness
from felt.store.area import RamMemory, VaultError
from felt.store.vault import Vault

from host_tests.helpers.repeats import times

SIZE = 1408
STATE, LOGS, HITS, GUARDS = 40, 3, 1, 1
COPY = STATE + checkpoint.EXTRA


def small(nv):
    return Vault(nv, state_max=STATE, logs=LOGS, hits=HITS, guards=GUARDS)


def used_memory():
    """A memory whose journal has wrapped, with entries, sealed rounds and an open one."""
    vault = small(RamMemory(SIZE))
    vault.clear(b"start", 1)
    vault.guarded = (2,), (1,)
    for number in range(9):
        for i in range(3 + number % 3):
            vault.append(b"%d event %d" % (number, i) * (1 + i % 2))
            vault.log(vault.at, 1, number, i)
        vault.hit(vault.at, 1, 100, number)
        vault.log(vault.at, 2)
        vault.checkpoint(b"state after %d" % number, True)
    vault.append(b"open")
    vault.append(b"round")
    return vault


def look(nv):
    """All there is to read, or None when damage was noticed."""
    vault = small(nv)
    try:
        state = vault.open()
    except VaultError:
        return None
    if vault.verify():
        return None
    rounds = [(r.number, list(r.events())) for r in vault.rounds()]
    entered = list(vault.entries()), list(vault.hits())
    return state, list(vault.replay()), rounds, entered, vault.seq, vault.chain


def counts(vault):
    """One byte per address: 1 where a record that counts, or the zero behind the newest, lies."""
    out = bytearray(SIZE)
    spans = [(0, 32)]
    at = header.SIZE + witness.SIZE
    for area in vault._copies:
        length = checkpoint.Copy(area).length
        spans.append((at, length + checkpoint.EXTRA))
        at += COPY
    spans.append((at, (LOGS + HITS + 2 * GUARDS) * entries.SIZE))
    for start, length in spans:
        out[start : start + length] = b"\x01" * length
    base = SIZE - vault.ring.size
    oldest = list(vault.segments())[-1].start
    for pos in range(oldest, vault._walk.seal_pos + vault._walk.used + 1):
        out[base + pos % vault.ring.size] = 1
    return out


def test_every_flipped_bit_is_noticed_or_outside_of_all_records():
    vault = used_memory()
    nv = vault.nv
    whole = look(nv)
    assert whole and len(whole[1]) == 2 and len(whole[2]) > 3
    inside = counts(vault)
    noticed = missed = tried = 0
    step = times(1, 5, 97)
    for place in range(0, SIZE * 8, step):
        address, bit = place >> 3, place & 7
        nv.data[address] ^= 1 << bit
        seen = look(nv)
        nv.data[address] ^= 1 << bit
        tried += inside[address]
        if seen is None:
            noticed += 1
        else:
            assert seen == whole, (address, bit)
            missed += inside[address]
    assert noticed + missed == tried
    # marks of entries, whose checksum has the last word, and the zero behind the newest record
    blind = 8 * (LOGS + HITS + 2 * GUARDS + 1)
    assert missed == blind if step == 1 else missed < noticed


def test_a_flip_is_noticed_before_anything_is_stepped_or_written():
    vault = used_memory()
    nv = vault.nv
    base = SIZE - vault.ring.size
    head = vault._walk.pos
    for back in range(1, 20):  # the records of the open round
        nv.data[base + (head - back) % vault.ring.size] ^= 0x10
        image = bytes(nv.data)
        try:
            small(nv).open()
            assert False, back
        except VaultError:
            pass
        assert bytes(nv.data) == image
        nv.data[base + (head - back) % vault.ring.size] ^= 0x10


def test_the_journal_module_bounds_what_a_cut_can_touch():
    assert journal.TAIL >= journal.SEAL_SIZE + 1
    assert journal.TAIL == journal.EVENT_MAX + journal.OVERHEAD + 1
