"""Power cut at every byte of a round of each table, twice in one, on both interpreters.

The proof can fail. `make powercut` cuts 100,000 times with a real start after each and twice on
both interpreters, `make long ARGS=cuts` for hours.
"""

from __future__ import annotations

from typing import Any

import pytest
from felt import table
from felt.store.area import Area, VaultError
from felt.store.entries import SIZE, Entries
from felt.store.witness import Witness

from tools.prove.powercut import TABLES, PowerCut, PowerCutImage, Proof
from tools.prove.powercut_long import Run


def prove(runtime: str, *numbers: int) -> str:
    run = Run(runtime, list(numbers))
    run.run()
    assert not run.error, run.error
    return run.line


@pytest.mark.parametrize(
    ("runtime", "played", "twice"), [("cpython", len(TABLES), 1), ("micropython", 6, 0)]
)
def test_no_cut_and_no_pair_of_cuts_loses_or_doubles_anything(
    runtime: str, played: int, twice: int
) -> None:
    """A round of every table on a PC's interpreter, one cut twice at every third byte; of six on
    the board's."""
    line = prove(runtime, played, twice, 1, 0, 0, 3)
    rounds, _, cuts, pairs, starts = [int(part.split()[0]) for part in line.split(",")]
    assert rounds == played
    assert cuts > 400 * rounds
    assert pairs >= 20_000 * twice
    assert starts > 100 * rounds
    print(line)


def test_a_running_table_that_loses_power_leaves_what_the_record_says() -> None:
    proof = Proof(TABLES[0], 5)
    proof.play()
    for cut in range(0, len(proof.values), 41):
        nv = PowerCutImage()
        nv.data[:] = proof.before
        vault, _ = proof.start(nv)
        nv.cut_after(cut)
        with pytest.raises(PowerCut):
            for at in range(len(proof.trips)):
                proof.repeat(vault, at)
        image = bytearray(proof.before)
        for address, value in zip(proof.addresses[:cut], proof.values[:cut]):
            image[address] = value
        assert nv.data == image
        with pytest.raises(PowerCut):
            nv.write(0, b"x")
        nv.restore()
        proof.real_start(nv.data)


def _mark_first(area: Area, pos: int, buf: Any) -> None:
    area.write(pos, buf)


def _always(entries: Entries, seq: int, code: int, a: int = 0, b: int = 0) -> None:
    entries.note(seq, code, a, b)


def _ahead(witness: Witness, seq: int) -> None:
    PUT(witness, seq + 1)


PUT = Witness.put


@pytest.mark.parametrize(
    ("owner", "name", "broken"),
    [(Area, "commit", _mark_first), (Entries, "put", _always), (Witness, "put", _ahead)],
    ids=["mark first", "entries repeated", "a witness ahead of its journal"],
)
def test_a_careless_memory_does_not_pass(
    owner: Any, name: str, broken: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, broken)
    with pytest.raises((AssertionError, VaultError)):
        proof = Proof(TABLES[0], 5)
        proof.roll_on(1500)
        for _ in range(4):
            proof.play()
            proof.cut_everywhere()


def test_checkpoints_made_only_for_room_are_cut_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "COMFORT", 6120)  # a checkpoint at almost every wager
    proof = Proof(TABLES[3], 5)
    proof.roll_on(1500)
    for _ in range(3):
        proof.play()
        assert len(proof.kept) >= 2
        proof.cut_everywhere()
    proof.cut_twice_everywhere()


def test_a_torn_mark_over_what_an_earlier_cut_left_of_an_entry_is_no_damage() -> None:
    """Two cuts at one slot: in the entry's body, then at the first byte of its repetition."""
    nv = PowerCutImage()
    log = Entries(Area(nv, 0, 10 * SIZE), 10)
    log.put(1, 1)
    nv.cut_after(20)
    with pytest.raises(PowerCut):
        log.put(2, 2, 0xFFFFFFFF, 0xFFFFFFFF)
    left = bytearray(nv.data)
    again = PowerCutImage()
    again.data[:] = left
    again.record()
    Entries(Area(again, 0, 10 * SIZE), 10).put(2, 2, 0xFFFFFFFF, 0xFFFFFFFF)
    for address, value in zip(again.addresses, again.values):
        torn = PowerCutImage()
        torn.data[:] = left
        torn.data[address] ^= 0x21
        assert Entries(Area(torn, 0, 10 * SIZE), 10).scan() == 0, address
        left[address] = value
