"""The price of every wager: the enumerators against the firmware, each other and known counts.

Everything here runs without numba, except the compiled loops' own test, which is skipped then.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from felt.evaluator import rank
from felt.games.bonus_spin import TABLES, TRIGGER
from felt.games.common import FULL, STRAIGHT
from felt.games.settings import game_module

from tools.generate import weights
from tools.prove.par import __main__ as par
from tools.prove.par import (
    agree,
    book,
    catalogue,
    hands,
    pays,
    record,
    scores,
    sides,
    spin,
    suits,
    three,
)
from tools.prove.par.table import Deal, cell

# Published counts of all five- and seven-card hands, high card to royal flush.
FIVE = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]
SEVEN = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324]
DEALS = 1000


@pytest.mark.parametrize("size, known", [(5, FIVE), (7, SEVEN)])
def test_every_hand_is_counted(size: int, known: list[int]) -> None:
    assert hands.grouped(size, scores.starts()) == known


def test_numbers_are_the_firmware_s_scores() -> None:
    rng = random.Random(3)
    for size in (5, 7):
        for _ in range(3000):
            cards = rng.sample(range(52), size)
            assert scores.tables().scores[scores.number(cards)] == rank(bytes(cards))


@pytest.mark.parametrize("name", list(agree.GAMES))
def test_random_hands_are_settled_alike(name: str) -> None:
    tables = agree.tables(name)
    for table in tables:
        assert agree.differences(table, DEALS // len(tables)) == []


def test_a_difference_is_found() -> None:
    table = agree.winners_pot({})
    wrong = table._replace(told=lambda deal, path: {"jacks_plus": Fraction(-1)})
    assert agree.differences(wrong, 200)


def test_classes_of_suits() -> None:
    for size, many, every in ((2, 169, 1326), (3, 1755, 22100)):
        found = suits.classes(size)
        assert len(found) == many and sum(c.times for c in found.values()) == every


def test_dealer_qualifies_where_the_ante_says_so() -> None:
    """Found by asking the machine; a pair of threes and any pair are the rule texts'."""
    for name, ranks in (("premium", [1, 1, 3, 2, 0]), ("headsup", [0, 0, 3, 2, 1])):
        assert scores.ranks_of(pays.ask(catalogue.showdown(name), {}).cut) == ranks


def test_a_cell_is_what_it_says() -> None:
    deal = Deal((48, 49), (36, 41), (50, 8, 13, 22, 31))  # three aces against a high card
    mine, theirs = scores.number(deal.hole + deal.board), scores.number(deal.dealer + deal.board)
    assert cell(mine, theirs, scores.starts()[1]) == 3 * 6 + 2 * 2


def figure(key: str) -> Fraction:
    side, how = catalogue.sides()[key]
    return Fraction(sides.price(side, how)["edge"])


def test_known_side_wagers() -> None:
    assert figure("headsup.pocket_bonus.1") == Fraction(10, 221)
    assert figure("winners_pot.jacks_plus") == Fraction(473, 1911)


def repaid(monkeypatch: pytest.MonkeyPatch, table: Any, hand: Any, odds: tuple[int, int]) -> None:
    """Change one odds of a game's pay table, as an editor would in its module."""
    monkeypatch.setitem(table.odds, hand, odds)


def test_another_odds_is_another_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full house that pays 10 instead of 9 is worth its 3,473,184 hands of 133,784,560."""
    before = figure("headsup.trips_plus.1")
    repaid(monkeypatch, game_module("headsup").TABLES["trips_plus"][0], FULL, (10, 1))
    assert before - figure("headsup.trips_plus.1") == Fraction(SEVEN[FULL], sum(SEVEN))


def test_another_odds_is_another_main_game(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = catalogue.showdown("premium")
    before = pays.ask(shape, {})
    repaid(monkeypatch, game_module("premium").TABLES["xtra"], STRAIGHT, (2, 1))
    after = pays.ask(shape, {})
    won = STRAIGHT * 6 + 2 * 2 + 1  # a straight beats a qualified dealer
    assert after.net(("play3",), won) - before.net(("play3",), won) == 1
    assert after.table(("play3",), 2) != before.table(("play3",), 2)


def plain_score(hand: bytes) -> int:
    """High cards only: enough to order three cards."""
    ranks = sorted((c >> 2 for c in hand), reverse=True)
    return ranks[0] * 169 + ranks[1] * 13 + ranks[2]


def test_three_cards_meet_every_dealer() -> None:
    cut = plain_score(bytes([40, 1, 6]))
    rng = random.Random(5)
    for met in rng.sample(three.meetings(plain_score, cut), 5):
        want: dict[tuple[int, bool], int] = {}
        for dealer in combinations(set(range(52)) - set(met.hole.cards), 3):
            score = plain_score(bytes(dealer))
            order = 2 if met.score > score else 1 if met.score == score else 0
            want[order, score >= cut] = want.get((order, score >= cut), 0) + 1
        assert met.counts == want


def test_the_trigger_is_the_machine_s() -> None:
    odds = spin.chance()
    assert odds.one == Fraction(*TRIGGER)
    suit = 4 * 286 * 120 + 12 * 286 * 286  # three of ten left in the suit, or of another suit
    assert odds.both == Fraction(suit, 22100 * 18424)


def test_one_player_s_deviation_by_listing_every_result() -> None:
    odds = spin.chance()
    for _, chosen in weights.load(weights.ILLUSTRATIVE, None, None):
        stake, _, player, _ = TABLES[chosen.table]
        won = [*player]
        won[0] = 0
        top = spin.mean_jackpot(chosen, odds.one)
        results = [(odds.one * Fraction(w, chosen.total), Fraction(p))
                   for w, p in zip(chosen.weights, [top, *won[1:]])]  # fmt: skip
        mean = sum(p * x for p, x in results)
        square = sum(p * x * x for p, x in results)
        assert spin.variance(chosen, 1, odds) == (square - mean**2) / stake**2
        # over many rounds the mean jackpot pays seed and contributions, as the return counts them
        assert mean / stake == weights.returns(chosen, 1).total


def test_a_search_finds_what_is_wanted() -> None:
    odds = spin.chance()
    goal = Fraction(86, 100)
    chosen = spin.search("flush1_fixed", goal, 15.0, odds, prize=500000)
    assert goal - spin.NEAR <= weights.returns(chosen, 6).total <= goal
    assert abs(float(spin.variance(chosen, 6, odds)) ** 0.5 - 15) < 1
    with pytest.raises(ValueError):
        spin.search("flush5_fixed", Fraction(1, 100), 15.0, odds, prize=500000)


def test_a_book_of_other_rules_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(par, "OUT", tmp_path / "build" / "par.json")
    par.save({"x.y": {"edge": "1/2"}})
    assert par.load()["x.y"] == {"edge": "1/2"}
    old = json.loads(par.OUT.read_text())
    old["about"]["rules"] = "another"
    par.OUT.write_text(json.dumps(old))
    assert par.load() == {}


def test_the_tool_writes_figures_and_a_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(par, "ROOT", tmp_path)
    monkeypatch.setattr(par, "OUT", tmp_path / "build" / "par.json")
    monkeypatch.setattr(par, "SHEETS", tmp_path / "build" / "par")
    assert par.main(["--sides", "--games", "winners_pot"]) == 0
    found = json.loads(par.OUT.read_text())
    assert found["winners_pot.jacks_plus"]["edge"] == "473/1911"
    assert "24.7514 %" in (par.SHEETS / "winners_pot.html").read_text()
    assert "differ in 0" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        par.main(["--find", "flush9"])


def test_an_option_in_the_player_s_favour_is_named() -> None:
    base: dict[str, Any] = {"edge": "1/50", "edge_percent": 2.0, "average_wager": "1"}
    base |= {"element_of_risk_percent": 2.0, "variance": "1", "settings": {"version": "a"}}
    option = {"version": "a", "tens": "pay"}
    found = book.changed(base, {**base, "edge": "-1/50"}, option)
    assert found["players_edge"] and found["settings"] == {"tens": "pay"}
    assert not book.changed(base, base, {})["players_edge"]


def test_another_order_of_counting_comes_to_the_same() -> None:
    pytest.importorskip("numba", reason="numpy and numba come with make par")
    from tools.prove.par import recount

    play = three.default()
    assert str(recount.three_card_edge(play)) == book.figures(play.outcomes())["edge"]


def test_compiled_loops_count_as_plain_ones() -> None:
    np = pytest.importorskip("numpy", reason="numpy and numba come with make par")
    pytest.importorskip("numba", reason="numpy and numba come with make par")
    from tools.prove.par import kernels

    steps, suited, _, _ = kernels.tables()
    rng = random.Random(8)
    cards = rng.sample(range(52), 7)
    board, hole, cut = cards[:4], tuple(sorted(cards[4:])), 1497
    n = 17296
    ids, order = np.empty(n, np.int32), np.empty(n, np.int32)
    places = np.empty((n, 3), np.uint8)
    less, tied, weak = (np.empty(n, np.int64) for _ in range(3))
    heads = np.empty(kernels.NUMBERS + 1, np.int32)
    kernels.score_triples(np.array(board), steps, suited, ids, places)
    kernels.compare_triples(n, ids, places, cut, heads, order, less, tied, weak)
    h = next(i for i in range(n) if tuple(places[i]) == hole)
    mine = scores.number([*board, *hole])
    others = combinations(set(range(52)) - set(cards), 3)
    theirs = [scores.number([*board, *dealer]) for dealer in others]
    assert ids[h] == mine
    assert less[h] == sum(x < mine for x in theirs) and tied[h] == theirs.count(mine)
    assert weak[h] == sum(x < cut for x in theirs)


def test_three_card_poker_is_the_public_game() -> None:
    """An edge of 3.37 %, and Q-6-4 the lowest hand to play."""
    play = three.default()
    edge = Fraction(book.figures(play.outcomes())["edge"])
    assert edge == Fraction(686689, 20358520)
    met = sorted(play.met, key=lambda m: m.score)
    lowest = next(m for m in met if play.plays(m))
    assert sorted(c >> 2 for c in lowest.hole.cards) == [2, 4, 10]
    assert all(play.plays(m) == (m.score >= lowest.score) for m in met)
    assert figure("three_card.pair_plus.1") == Fraction(128, 5525)


def test_another_odds_is_another_best_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """A main game from the odds in its module to its edge: a straight's ante bonus of 2."""
    before = Fraction(book.figures(three.default().outcomes())["edge"])
    repaid(monkeypatch, game_module("three_card").TABLES["ante_bonus"], STRAIGHT, (2, 1))
    after = Fraction(book.figures(three.solve({}).outcomes())["edge"])
    assert before - after == Fraction(720, 22100)


def test_the_page_shows_the_figures_of_these_rules() -> None:
    """A changed odds fails here until `make par ARGS=--record` has made the page anew."""
    assert record.differences() == []


def test_a_changed_odds_is_named_by_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "quick", lambda: {"winners_pot.jacks_plus": "1/4"})
    repaid(monkeypatch, game_module("premium").TABLES["xtra"], STRAIGHT, (2, 1))
    wrong = record.differences()
    assert [text.split()[0] for text in wrong] == ["winners_pot.jacks_plus", "premium.main"]
