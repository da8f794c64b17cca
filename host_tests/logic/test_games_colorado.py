"""Rulings C1 to C11: Colorado Hold 'Em. Each test is named after its ruling."""

from croupier import colorado, find
from felt.cards import parse_all
from felt.games.settings import SettingsError
from felt.round.due import due
from felt.round.machine import Machine


def why_closed(**settings):
    settings["game"] = "colorado"
    try:
        Machine(settings)
    except SettingsError as e:
        return e.name
    return None


def played(s1, board, act, card="", bets=(500,), **settings):
    """One seat's nets after a round."""
    t = colorado(**settings)
    t.open()
    t.bet(1, *bets)
    t.begin(1, s1=s1, board=board)
    t.deal()
    t.act(1, act, card)
    if t.m.r.paying:
        t.do("PAID", 1)
    nets = t.settle()
    t.end()
    return {w: nets[s, w] for s, w in nets}


def pair_of(rank, **settings):
    return played(rank + "h" + rank + "d" + "2c", "3s5cKh" if rank != "K" else "3s5cQh", "bet",
                  "2c", **settings)["ante"]  # fmt: skip


def test_C1_versions():
    assert why_closed() == "version" and why_closed(version="both") == "version"
    t = colorado(version="required")
    t.begin(1)
    t.deal()
    assert t.m.game.legal(t.m.r, 1, 0) == ("bet", "fold", "instant")
    t = colorado(version="permissible")
    t.begin(1)
    t.deal()
    assert t.m.game.legal(t.m.r, 1, 0) == ("bet", "stay", "instant")
    assert t.refused("ACT", 1, 0, 255) == "illegal_action"  # no fold


def test_C2_permissible_tens():
    assert pair_of("T", version="permissible") == 0
    assert pair_of("T", version="permissible", tens="pay") == 500
    assert why_closed(version="permissible", tens="lose") == "tens"


def test_C3_pairs():
    for rank, net in (("6", -500), ("7", 0), ("9", 0), ("T", 500), ("A", 500)):
        assert pair_of(rank) == net, rank
    for rank, net in (("8", -500), ("9", 0), ("J", 500), ("K", 500)):
        assert pair_of(rank, version="permissible") == net, rank


def test_C3_ante_and_bet_each_at_the_hands_odds():
    nets = played("8h8dAc", "8s3c3h", "bet", "Ac")
    assert nets == {"ante": 5500, "bet": 5500}
    nets = played("8h8dAc", "8s3c3h", "stay", "Ac", version="permissible")
    assert nets == {"ante": 5000}


def test_C3_the_discard_is_one_of_the_three():
    t = colorado()
    t.begin(1, s1="8h8dAc")
    t.deal()
    assert t.refused("ACT", 1, 1, 0) == "not_held"
    t.act(1, "bet", "Ac")
    shown = [e[2] for e in find(t.do("REVEAL"), "card") if e[1] == 1]
    assert len(shown) == 2 and t.m.r.discarded[1] not in shown  # the discard stays face down


def test_C3_a_discard_face_down_is_named_when_the_hand_is_settled():
    t = colorado()
    t.begin(1, 2, s1="8h8dAc", s2="KhKd2c")
    t.deal()
    assert t.refused("DISCARD", 1, t.m.r.cards[1][0]) == "no_discard_due"
    t.do("ACT", 1, 1, 255)
    t.do("ACT", 2, 1, 255)
    effects = t.do("REVEAL")
    first, second = t.m.r.order
    assert ("discard_due", first) in effects and not find(effects, "pay")
    assert not [e for e in effects if e[0] == "card" and e[1] == first]
    assert (
        t.refused("PAID", first) == "discard_due" and t.refused("DISCARD", first, 51) == "not_held"
    )
    assert t.refused("DISCARD", second, t.m.r.cards[second][0]) == "no_discard_due"
    wrong, right = t.m.r.cards[first][0], t.m.r.cards[first][2]
    t.do("DISCARD", first, wrong)
    assert t.refused("DISCARD", first, right) == "no_discard_due"
    assert ("undone", "DISCARD", first) in t.do("UNDO")
    assert t.m.r.lines == () and not t.m.r.visible[first]
    shown = [e[2] for e in find(t.do("DISCARD", first, right), "card")]
    assert shown == list(t.m.r.cards[first][:2]) and t.m.r.lines
    effects = t.do("PAID", first)
    assert ("discard_due", second) in effects
    t.do("DISCARD", second, t.m.r.cards[second][2])
    t.do("PAID", second)
    assert t.m.r.kind() == "collect" and t.refused("UNDO") == "nothing_to_undo"


def test_C4_instant_winner_pays_the_ante_before_the_board():
    t = colorado()
    t.open()
    t.bet(1, 500, 100)
    t.bet(2, 500)
    t.begin(1, 2, s1="8h8d8c")
    t.deal()
    effects = t.act(1, "instant")
    assert ("pay", 1, "ante", 2500, (5, 1), "Colorado 12(b)", "instant") in effects
    assert ("pay", 1, "bonus", 500, (5, 1), "Colorado 12(d)", "instant") in effects
    assert not t.m.r.visible[8] and t.refused("ACT", 2, 0, 255) == "no_decision_due"
    assert t.refused("PAID", 2) == "not_your_turn"
    assert ("ask", 2, "bet", "fold", "instant") in t.do("PAID", 1)
    assert t.m.r.raised[1] == 0


def test_G7b_a_declaration_is_judged_again_by_the_cards_that_lie_there():
    t = colorado()
    t.begin(1, 2, s1="8h8d8c")
    t.deal()
    t.act(1, "instant")
    t.key(1)
    effects = t.do("NAMED", 1, parse_all("8h8d9c"))
    assert ("take", 1, "ante", 500, "Colorado 14(d)", "false_instant") in effects, effects
    effects = t.do("NAMED", 1, parse_all("9h9d9c"))
    assert ("pay", 1, "ante", 2500, (5, 1), "Colorado 12(b)", "instant") in effects
    t.do("PAID", 1)
    assert t.nets() == {(1, "ante"): 2500}


def test_C4_ace_two_three_suited():
    for cards, a23, pays in (
        ("Ah2h3h", True, 2500),
        ("Ah2h3h", False, -500),
        ("AhKhQh", False, 2500),
        ("Ah2h3d", True, -500),
        ("Kh Ah2h".replace(" ", ""), True, -500),
    ):
        assert played(cards, "9s9c9h", "instant", a23_instant=a23)["ante"] == pays, cards


def test_C5_not_declared_plays_on():
    nets = played("8h8d8c", "8s3cKh", "bet", "8c", (500, 100))
    assert nets == {"ante": 1500, "bet": 1500, "bonus": 300}


def test_C6_false_declaration_loses_ante_and_bonus():
    nets = played("8h8d9c", "8s3cKh", "instant", "", (500, 100))
    assert nets == {"ante": -500, "bonus": -100}


def test_C7_bonus_wager():
    t = colorado()
    t.open()
    try:
        t.bet(1, 500, 200)
        assert False, "took two dollars"
    except Exception as e:
        assert e.code == "exact_stake"
    assert played("8h8d9c", "8s3cKh", "fold", "", (500, 100))["bonus"] == -100
    assert played("JhJd2c", "8s3cKh", "bet", "2c", (500, 100))["bonus"] == 0
    assert played("ThTd2c", "8s3cKh", "bet", "2c", (500, 100))["bonus"] == -100
    assert played("AhKh2c", "QhJhTh", "bet", "2c", (500, 100))["bonus"] == 1000000


def test_C8_what_a_limit_has_cut_cites_the_limit():
    royal, three = ("AhKh2c", "QhJhTh", "bet", "2c"), ("8h8d8c", "9s3cKh", "instant", "")
    for hand, stake, rules in (
        (royal, 5000, "(b) (b)"),
        (royal, 7500, "(b) (c)"),
        (royal, 20000, "(c) (c)"),
        (three, 1000000, "(b)"),
        (three, 2000000, "(c)"),
    ):
        for version, section in (("required", "12"), ("permissible", "13")):
            t = colorado(version=version)
            t.open()
            t.bet(1, stake)
            t.begin(1, s1=hand[0], board=hand[1])
            t.deal()
            t.act(1, *hand[2:])
            while not t.m.r.paying and due(t.m).kind != "settle":
                t.turn()
            told = [(ln.wager, ln.rule) for ln in t.m.game.settle(t.m.r, 1)]
            wanted = zip(("ante", "bet"), ["Colorado " + section + p for p in rules.split()])
            assert told == list(wanted), (hand, stake, told)


def test_C8_payout_limit_ante_first():
    royal = ("AhKh2c", "QhJhTh", "bet", "2c")
    nets = played(*royal, bets=(7500, 100))
    assert nets == {"ante": 3750000, "bet": 1250000, "bonus": 1000000}
    nets = played(*royal, bets=(20000,))
    assert nets == {"ante": 5000000, "bet": 0}
    nets = played(*royal, bets=(20000,), payout_limit=12000000)
    assert nets == {"ante": 10000000, "bet": 2000000}
    nets = played("8h8d8c", "9s3cKh", "instant", "", (2000000,))
    assert nets == {"ante": 5000000}
    assert why_closed(version="required", payout_limit=4999999) == "payout_limit"


def test_C9_two_adjacent_positions():
    t = colorado()
    assert t.refused("PAIRED", 1, 2) == "one_position"
    t = colorado(two_positions=True)
    t.open()
    assert (
        t.refused("PAIRED", 1, 3) == "not_adjacent" and t.refused("PAIRED", 7, 8) == "not_adjacent"
    )
    t.do("PAIRED", 2, 3)
    assert t.refused("PAIRED", 3, 4) == "two_at_most"
    t.do("PAIRED", 2, 3)
    t.do("PAIRED", 4, 5)
    assert t.m.pairs == [(2, 3), (4, 5)]


def test_C10_wrong_card_count_anywhere_voids_all():
    for place, count in ((1, 2), (1, 4), (8, 2)):
        t = colorado()
        t.begin(1, 2)
        t.deal()
        t.do("MISCOUNT", place, count)
        assert t.void_now(), place
    t = colorado()
    t.begin(1)
    t.deal()
    assert t.refused("MISCOUNT", 0, 2) == "no_card_there"  # this game has no dealer's hand
    assert t.refused("EXPOSED", 0) == "no_card_there"


def test_C10_an_instant_winner_paid_before_stays_paid():
    t = colorado()
    t.begin(1, 2, s1="8h8d8c")
    t.deal()
    t.act(1, "instant")
    t.do("PAID", 1)
    t.do("MISCOUNT", 2, 4)
    assert t.nets() == {(1, "ante"): 2500, (2, "ante"): 0}


def test_C10_an_instant_winner_not_yet_paid_is_returned():
    t = colorado()
    t.begin(1, 2, s1="8h8d8c")
    t.deal()
    t.act(1, "instant")
    t.do("MISCOUNT", 2, 4)
    assert t.void_now()


def test_C11_one_to_seven_seats():
    assert why_closed(version="required", seats=8) == "seats"
    t = colorado()
    t.begin(1, 7)
    t.deal()
    assert len(t.m.r.cards[7]) == 3
