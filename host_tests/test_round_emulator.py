"""A full Premium round with a Bonus Spin on the emulated board, over real UARTs, pins and buses.

`make round-emulator` plays it longer: a hang, power cut and back, the wheel to its end.
"""

from __future__ import annotations

import pytest
from felt.field import lamps
from felt.round import events

from tools.emulator.field_table import FieldTable
from tools.emulator.pico import PowerCut

pytestmark = pytest.mark.emulator


def test_a_round_is_played_and_a_cut_spin_keeps_its_prize() -> None:
    table = FieldTable.fresh(usb=True, log=print)
    table.start()
    table.bets()
    table.to_settlement()
    first = "\n".join(table.terminal.rows)
    assert "PUSH Ante $5" in first and "PAY  Play $5 " in first and "1 to 1" in first
    assert "PUSH X-Tra Bonus $5" in first and "JACKPOT $10,000.35" in first
    assert table.pico.lamps.pixels[0] in lamps.PATTERNS[lamps.SPIN_DUE][:2]
    table.say("ok", "Settle seat 3")
    third = "\n".join(table.terminal.rows)
    assert "PUSH Ante $10" in third and "PAY  Play $30 " in third and "1 to 1" in third
    table.say("ok", "Seat 1 spins")
    table.say("spin", "turning")
    before = table.bands
    table.pico.run_for(200)
    assert table.bands > before, "the wheel is painted"

    found = table.memory()  # what a power cut at this instant leaves
    r = found.machine.r
    drawn = [events.unpack(event)[1] for event in found.vault.tail()]
    assert [1, r.spun] in drawn and r.kind() == "spin" and r.order[r.turn] == 1
    meters = found.machine.meters
    handle = dict(zip(meters.wagers, meters.handle))
    win = dict(zip(meters.wagers, meters.win))
    assert (handle["ante"], handle["xtra"], handle["play"]) == (1500, 1500, 3500)
    assert (win["ante"], win["xtra"], win["play"]) == (0, 0, -3500)
    assert (meters.contributions, meters.jackpot) == (35, 1000035)

    table.pico.type(b"\x03\x03\r\n\x03")
    table.pico.run_for(50)
    assert table.pico.output == b"", "a running table offers no REPL"
    assert table.pico.resets == 0 and "turning" in table.prompt


def test_a_card_whose_record_was_cut_is_told_again_at_once() -> None:
    table = FieldTable.fresh(log=print)
    table.start()
    table.bets(spins=False)
    table.say("nmb", "Next card: seat 1")
    table.pico.fram.cut_after = 3
    table.shoe.draw()
    with pytest.raises(PowerCut):
        table.pico.run_for(500)
    table = table.power_cycle()
    table.start()
    table.until(lambda: "Next card: seat 3" in table.prompt, 500)
    assert len(table.memory().machine.r.cards[1]) == 1
