"""What docs/faults.md promises, in one process: nothing blocks and nothing is lost."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from felt.dealer import pages
from felt.field import lamps
from felt.round.events import CODES
from felt.wheel import motion
from felt.wheel.display import WheelDisplay

from host_tests.helpers.desk import Desk, event_names
from tools.bench.deck import A_SPIN
from tools.prove.player import TABLES


def playing(deal: bool = True) -> Desk:
    """Two seats have bet; seat 1 will hold three hearts and has wagered on the spin."""
    desk = Desk(TABLES[0])
    desk.open()
    desk.cover(1, "ante", "xtra", "bonus_spin")
    desk.cover(3, "ante", "xtra")
    desk.say("bet 1 ante 5 xtra 5 bonus_spin 5")
    desk.say("bet 3 ante 10 xtra 10")
    desk.stack(A_SPIN)
    desk.say("nmb")
    assert desk.machine.phase_name() == "deal", desk.told()
    if deal:
        desk.deal()
    return desk


def to_the_spin(desk: Desk) -> Desk:
    for line in ("1 check", "3 play3"):
        desk.say(line)
    desk.deal()
    desk.say("1 play1")
    for _ in range(20):
        kind = desk.machine.r.kind()
        if kind == "spin":
            return desk
        seat = desk.machine.r.order[desk.machine.r.turn] if kind == "settle" else 0
        desk.say("tap 1" if seat == 1 and not desk.machine.r.tapped[1] else "ok")
    raise AssertionError(desk.terminal.rows)


def test_a_round_without_faults_comes_to_its_spin() -> None:
    desk = to_the_spin(playing())
    desk.say("spin")
    assert desk.machine.r.spun


def test_a_terminal_unplugged_in_a_round_finds_it_as_it_is() -> None:
    desk = playing(deal=False)
    desk.wires[0].cut = True
    desk.run(3000)
    assert not desk.app.hw.terminal.connected
    desk.deal()
    desk.terminal.rows = [""] * 16
    desk.wires[0].cut = False
    desk.run(1500)
    assert "Seat 1" in desk.terminal.rows[1] or desk.machine.r.kind() != "decide"
    desk.say("1 check")
    assert event_names(desk.table)[-1] == "ACT"


def test_a_shoe_unplugged_in_the_deal_loses_no_card() -> None:
    desk = playing(deal=False)
    for _ in range(2):
        desk.shoe.draw()
        desk.run(60)
    desk.wires[1].cut = True
    desk.shoe.draw()
    desk.run(3000)
    assert desk.machine.r.dealt == 2 and "Shoe does not answer." in desk.told()
    desk.wires[1].cut = False
    desk.run(1500)
    assert desk.machine.r.dealt == 3
    desk.deal()
    assert desk.machine.r.dealt == desk.shoe.out


def test_chips_on_the_felt_are_not_withdrawn_by_a_restart() -> None:
    desk = playing(deal=False)
    before = bytes(desk.machine.sensors)
    again = desk.restarted()
    again.run(1000)
    assert not [effect for effect in again.effects if effect[0] == "alarm"]
    assert bytes(again.machine.sensors) == before
    again.chain.bits[2] = 0
    third = again.restarted()
    third.run(1000)
    assert ("alarm", "withdrawn", 3, "ante") in third.effects


def test_a_hasty_entry_does_not_skip_the_wheel() -> None:
    desk = to_the_spin(playing())
    views: list[dict] = []
    painter = SimpleNamespace(step=lambda: False, show=lambda view: views.append(dict(view)))
    desk.app.hw.display = WheelDisplay(painter)
    desk.terminal.command("spin")
    desk.terminal.command("ok")
    desk.run(300)
    assert desk.machine.r.spun and "The wheel is still turning." in desk.told()
    assert desk.terminal.rows[1] == "The wheel is still turning."
    desk.run(motion.DURATION)
    assert "won" in desk.terminal.rows[1] or "HAND PAY" in desk.terminal.rows[1]
    turned = [view["elapsed"] for view in views if view["mode"] == "spin"]
    # no more pictures than the panel shows, 60 a second
    assert 350 < len(turned) < 490 and turned[-1] > motion.DURATION - 50
    desk.say("ok")
    assert "SPUN" in event_names(desk.table)


def test_a_display_that_is_missing_does_not_hold_the_spin() -> None:
    desk = to_the_spin(playing())
    assert desk.app.hw.display is None
    desk.say("spin")
    prize = desk.machine.r.spun
    desk.say("ok")
    assert prize and "SPUN" in event_names(desk.table)


def test_a_stuck_random_source_refuses_the_spin_until_it_is_tested_again() -> None:
    desk = to_the_spin(playing())
    desk.noise.stuck = 1
    desk.run(2000)
    assert any("source is stuck" in text for text in desk.told())
    desk.say("spin")
    assert not desk.machine.r.spun and any("No spin" in text for text in desk.told())
    desk.say("entropy")
    assert desk.told() == ["Turn the attendant key on first."]
    desk.keys[0].on = True
    desk.run(100)
    desk.say("entropy")
    assert any("source is stuck" in text for text in desk.told())
    desk.noise.stuck = None
    desk.say("entropy")
    assert any("may be spun" in text for text in desk.told())
    desk.say("spin")
    assert desk.machine.r.spun


def test_memory_that_fails_in_a_round_lets_nothing_out() -> None:
    desk = playing(deal=False)
    seen = len(desk.effects)

    def fail(at: int, data: bytes) -> None:
        raise OSError(5)

    desk.memory.write = fail
    desk.shoe.draw()
    desk.run(500)
    assert desk.table.fault == "journal"
    assert [e[0] for e in desk.effects[seen:] if e[0] in ("card", "down")] == []
    assert "journal not writable" in " ".join(desk.terminal.rows)
    assert set(desk.leds.shown.values()) <= set(lamps.PATTERNS[lamps.FAULT][:2])
    del desk.memory.write
    again = desk.restarted()
    assert again.table.fault is None and again.machine.r.dealt == 0


def test_a_queue_that_is_full_says_so_and_takes_the_rest() -> None:
    desk = playing(deal=False)
    desk.app.poll_table = lambda now: None
    for _ in range(8):
        desk.say("help", 60)
        desk.terminal.command("log")
        desk.terminal.command("hits")
    desk.run(500)
    assert desk.app.queue.used == 16
    del desk.app.poll_table
    desk.run(500)
    assert desk.app.queue.used == 0 and "Too fast: repeat the last entry." in desk.told()


def test_a_demonstration_without_memory_opens_and_is_marked() -> None:
    desk = Desk(dict(TABLES[0], demonstration=True))
    desk.open()
    assert "DEMONSTRATION" in desk.terminal.rows[-1].upper()
    assert desk.machine.phase_name() == "bet"


def test_pages_can_be_read_at_a_table_without_memory() -> None:
    desk = Desk(TABLES[0])
    desk.run(400)
    desk.table.machine, desk.table.fault = None, "settings"
    for page in ("meters", "log", "hits", "recall", "help", "selftest", "recall 3 2", "meters 9"):
        desk.say(page, 300)
        assert "end" in " ".join(desk.terminal.rows) or "more" in " ".join(desk.terminal.rows)


def test_the_log_speaks_of_seats_devices_and_keys() -> None:
    desk = playing()
    for code, a, b in (("device", 1, 1), ("key", 0, 1), ("void", 0, 0), ("late_bet", 3, 2),
                       ("undo", CODES["PAID"], 4), ("miscount", 8, 5), ("named", 0, 51),
                       ("counted", 51, 1), ("deck_removed", 0, 0)):  # fmt: skip
        desk.table.note(code, a, b)
    said = [text.partition("#")[2] for text in pages.log_lines(desk.table.vault, desk.app.texts)]
    want = (
        "deck 1 removed", "51 cards counted by machine, deck 2", "card 2c is As",
        "wrong card count: board, 5", "taken back: seat 4 settled", "late bet: seat 3",
        "round void: by the supervisor", "attendant key on", "shuffler taken off",
    )  # fmt: skip
    for text, words in zip(said, want):
        assert text.partition(" ")[2].startswith(words + "  "), text


def test_a_late_lap_is_logged_once_and_shown_with_the_meters() -> None:
    desk = Desk(TABLES[0])
    desk.run(400)
    for late in (3, 51, 51, 40, 70):
        desk.app._lap(late)
    logged = [entry[3] for entry in desk.table.vault.entries() if entry[2] == 28]
    assert logged == [70, 51]
    desk.say("meters 2", 400)
    assert any("worst 70 ms" in row for row in desk.terminal.rows), desk.terminal.rows


COLOURS = {
    "open": lamps.OPEN, "latched": lamps.LATCHED, "late": lamps.LATE, "due": lamps.SPIN_DUE,
    "spinning": lamps.SPINNING, "paid": lamps.PAID,
}  # fmt: skip


def seen(desk: Desk, seat: int, ms: int = 2200) -> set:
    """Every colour a seat's lamp shows in a while."""
    found = set()
    for _ in range(ms // 5):
        desk.step()
        found.add(desk.leds.shown[seat - 1])
    return found


@pytest.mark.parametrize("name", COLOURS)
def test_lamps_show_each_state_of_a_seat(name: str) -> None:
    desk = Desk(TABLES[0])
    if name == "open":
        desk.open()
        desk.say("bet 1 ante 5 xtra 5 bonus_spin 5")
    else:
        desk = playing(deal=False)
    if name == "late":
        desk.cover(5, "ante")
        assert seen(desk, 5) == set(lamps.PATTERNS[lamps.LATE][:2])
        return
    if name in ("due", "spinning"):
        desk.deal()
        to_the_spin(desk)
    if name == "spinning":
        desk.say("spin")
    if name == "paid":
        desk.deal()
        for line in ("1 check", "3 play3"):
            desk.say(line)
        desk.deal()
        desk.say("1 play1")
        for _ in range(6):
            r = desk.machine.r
            if r.kind() == "settle" and r.order[r.turn] == 3:
                break
            desk.say("tap 1" if r.kind() == "settle" and not r.tapped[1] else "ok")
        assert seen(desk, 3) == set(lamps.PATTERNS[lamps.PAID][:2])
        return
    assert seen(desk, 1) == set(lamps.PATTERNS[COLOURS[name]][:2])
