"""A witness who cannot be surprised proves nothing: each of these tables is wrong on purpose."""

from __future__ import annotations

from typing import Any, Callable

import pytest
from felt import app
from felt.games import colorado, premium, winners_pot
from felt.round import betting, devices, flow, payout, play, shoe

from tools.prove.evening import METHODS
from tools.prove.evening import play as evening

Patch = pytest.MonkeyPatch
ROUNDS = 40


def failures(game: str, method: str, errors: int = 0, rounds: int = ROUNDS) -> int:
    """Rounds that failed, up to the first evening in which one did."""
    for seed in range(1, 1 + rounds // 10):
        found = evening(game, method, 10, errors, seed, lambda text: None)[1]
        if found:
            return found
    return 0


def backwards(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: list(function(*args))[::-1]


@pytest.mark.parametrize("method", METHODS)
def test_colorado_dealt_backwards(monkeypatch: Patch, method: str) -> None:
    game = type(colorado.GAME)
    monkeypatch.setattr(game, "plan", backwards(game.plan))
    assert failures("colorado", method)


@pytest.mark.parametrize("method", METHODS)
def test_winners_pot_dealt_from_the_wrong_side(monkeypatch: Patch, method: str) -> None:
    game = type(winners_pot.GAME)
    monkeypatch.setattr(game, "clockwise", backwards(game.clockwise))
    assert failures("winners_pot", method)


@pytest.mark.parametrize("game", (colorado, winners_pot, premium))
def test_hands_exposed_from_the_other_side(monkeypatch: Patch, game: Any) -> None:
    monkeypatch.setattr(type(game.GAME), "DESCENDING", not game.GAME.DESCENDING)
    assert failures(game.GAME.NAME, "shoe")


def test_seats_asked_in_the_wrong_order(monkeypatch: Patch) -> None:
    game = type(premium.GAME)
    monkeypatch.setattr(game, "around", backwards(game.around))
    assert failures("premium", "shoe")


def test_wagers_settled_in_another_order(monkeypatch: Patch) -> None:
    game = type(premium.GAME)
    monkeypatch.setattr(game, "settle", backwards(game.settle))
    assert failures("premium", "shoe")


def test_a_jam_after_the_last_card_that_voids_nothing(monkeypatch: Patch) -> None:
    def fails(r: Any, which: int, what: int) -> bool:
        return bool(r and r.dealing == "auto" and what != 2 and not r.all_dealt())

    monkeypatch.setattr(devices, "_fails", fails)
    assert failures("colorado", "auto", 60, 300)


def test_an_application_that_drops_a_gap(monkeypatch: Patch) -> None:
    monkeypatch.setattr(shoe, "_odd", lambda m, report, first: None)
    assert failures("headsup", "shoe", 60, 300)


def test_an_application_that_drops_a_count(monkeypatch: Patch) -> None:
    monkeypatch.setattr(app.App, "_follow_shuffler", lambda *args: None)
    assert failures("headsup", "hand")


def test_chips_that_nobody_holds_against_the_entry(monkeypatch: Patch) -> None:
    monkeypatch.setattr(play, "check_raises", lambda *args: None)
    assert failures("headsup", "shoe", 60, 300)


def test_late_chips_that_nobody_sees(monkeypatch: Patch) -> None:
    monkeypatch.setattr(betting, "_alarms", lambda *args: None)
    assert failures("headsup", "shoe", 60, 300)


def test_a_seat_that_is_passed_over_at_settlement(monkeypatch: Patch) -> None:
    monkeypatch.setattr(payout, "present", lambda *args: False)
    assert failures("premium", "hand")


def test_stages_left_out(monkeypatch: Patch) -> None:
    monkeypatch.setitem(flow.ENTER, "decide", lambda m, out: False)
    assert failures("colorado", "shoe")
