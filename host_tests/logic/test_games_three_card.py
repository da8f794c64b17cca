"""Three Card Poker: every ruling (T1-T9), on every runtime."""

from croupier import Croupier, find
from felt.games.settings import SettingsError
from felt.round.due import due


def three_card(**settings):
    return Croupier("three_card", **settings)


def played(word, hand, dealer, ante=500, plus=0, **settings):
    """Play one seat; return its nets, the ante bonus apart."""
    t = three_card(**settings)
    t.open()
    t.bet(1, ante, plus)
    t.begin(1, s1=hand, dealer=dealer)
    t.deal()
    if word:
        t.act(1, word)
    found = t.settle()
    t.end()
    return {wager: found[1, wager] for _, wager in found}


QUALIFIED, WEAK = "Qc3d2h", "Jc9d8h"


def test_T1_ante_or_pair_plus_or_both():
    t = three_card()
    t.open()
    t.bet(1, 500)
    t.bet(2, 0, 500)
    t.bet(7, 500, 300)
    assert [s for s in range(8) if t.m.bets[s]] == [1, 2, 7]
    t.bet(2, 0, 0)
    assert t.m.bets[2] is None
    saved = t.m.dump()
    t.bet(2, 0, 400)
    assert t.m.dump() != saved
    t.m.load(t.m.dump())
    assert t.m.bets[2] == [0, 400]


def test_T2_deal_orders():
    t = three_card()
    t.begin(1, 3)
    assert [bytes(p) for p in t.m.r.plan] == [b"\1", b"\3", b"\0"] * 3
    t = three_card(dealing="auto")
    t.begin(1, 3)
    assert [bytes(p) for p in t.m.r.plan] == [b"\1\1\1", b"\3\3\3", b"\0\0\0"]


def test_T3_a_straight_beats_a_flush():
    nets = played("play", "2h3c4d", "AsKsJs")
    assert nets == {"ante": 500, "play": 500, "ante_bonus": 500}


def test_T4_only_antes_decide_and_a_fold_loses():
    t = three_card()
    t.open()
    t.bet(1, 0, 500)
    t.bet(2, 500)
    t.begin(1, 2)
    t.deal()
    assert find(t.effects, "ask") == [("ask", 2, "play", "fold")]
    assert t.refused("ACT", 1, 1, 255) == "not_your_turn"
    lost = {"ante": -500, "pair_plus": -100}
    assert played("fold", "7h7c2d", QUALIFIED, plus=100) == lost
    live = played("fold", "7h7c2d", QUALIFIED, plus=100, pair_plus_after_fold="live")
    assert live == {"ante": -500, "pair_plus": 100}


def test_T5_a_dealer_below_queen_high():
    assert played("play", "5h3c2d", WEAK) == {"ante": 500, "play": 0}
    assert played("play", "AhKcJd", WEAK) == {"ante": 500, "play": 0}
    assert played("play", "AhKcJd", QUALIFIED) == {"ante": 500, "play": 500}


def test_T6_win_tie_lose():
    assert played("play", "AhKc9d", QUALIFIED) == {"ante": 500, "play": 500}
    assert played("play", "Qh3s2d", QUALIFIED) == {"ante": 0, "play": 0}
    assert played("play", "Jh9s2d", QUALIFIED) == {"ante": -500, "play": -500}


def test_T7_the_ante_bonus_whatever_the_dealer_has():
    for hand, bonus in (("2h3c4d", 500), ("7h7c7d", 2000), ("2h3h4h", 2500)):
        assert played("play", hand, "AcAdAs")["ante_bonus"] == bonus
        assert played("play", hand, WEAK)["ante_bonus"] == bonus
    beaten = played("play", "2h3c4d", "AcAdAs")
    assert (beaten["ante"], beaten["play"]) == (-500, -500)
    assert "ante_bonus" not in played("fold", "2h3c4d", WEAK)


def test_T7_the_ante_bonus_has_no_stake_of_its_own():
    t = Croupier("three_card")
    t.open()
    t.bet(1, 500)
    t.begin(1, s1="4h4d4c")
    t.deal()
    t.act(1, "play")
    while due(t.m).kind != "settle":
        t.turn()
    lines = [(ln.wager, ln.stake) for ln in t.m.game.settle(t.m.r, 1)]
    assert lines == [("ante", 500), ("play", 500), ("ante_bonus", 0)]


def test_T8_pair_plus_by_two_tables():
    for hand, pays in (
        ("2h3h4h", (4000, 4000)), ("7h7c7d", (3000, 3000)), ("2h3c4d", (600, 600)),
        ("2h7h9h", (400, 300)), ("7h7c2d", (100, 100)), ("AhKc7s", (-100, -100)),
    ):  # fmt: skip
        for table in (1, 2):
            alone = played(None, hand, WEAK, ante=0, plus=100, pair_plus=table)
            assert alone == {"pair_plus": pays[table - 1]}, (hand, table)
    for bad in ({"pair_plus": 3}, {"pair_plus_after_fold": "push"}):
        try:
            three_card(**bad)
        except SettingsError:
            continue
        raise AssertionError(bad)


def test_T9_wrong_counts_and_a_card_seen():
    t = three_card()
    t.begin(1, 2)
    t.deal()
    t.do("MISCOUNT", 1, 4)
    assert t.nets() == {(1, "ante"): 0} and t.m.r.kind() == "decide"
    t.do("MISCOUNT", 0, 2)
    assert t.void_now()
    t = three_card()
    t.begin(1, 2)
    t.deal()
    t.act(1, "play")
    t.do("EXPOSED", 0)
    assert t.void_now()
    t = three_card()
    t.begin(1)
    t.deal()
    t.act(1, "play")
    t.do("EXPOSED", 0)
    assert not t.m.r.void
