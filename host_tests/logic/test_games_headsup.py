"""Rulings H1 to H12: Heads Up Hold'em. Each test is named after its ruling."""

from croupier import find, headsup
from felt.games.common import versus
from felt.games.settings import SettingsError
from felt.round.machine import Machine


def why_closed(**settings):
    settings["game"] = "headsup"
    try:
        Machine(settings)
    except SettingsError as e:
        return e.name
    return None


def played(acts=("raise1",), bets=(500, 500), **hands):
    """One seat's nets after a round."""
    t = headsup(**hands.pop("settings", {}))
    t.open()
    t.bet(1, *bets)
    t.begin(1, **hands)
    t.deal()
    for word in acts:
        t.act(1, word)
        t.deal()
    while t.m.r.kind() == "deal":
        t.deal()
    nets = t.settle()
    t.end()
    return {w: nets[s, w] for s, w in nets}


BOARD = "3h5s8d9cJs"
WIN = {"s1": "AhAd", "dealer": "QcQd", "board": BOARD}
LOSE = {"s1": "QcQd", "dealer": "AhAd", "board": BOARD}
LOW = {"s1": "AhKd", "dealer": "AcQs", "board": BOARD}  # no pair on either side
LOW_LOSE = {"s1": "AcQs", "dealer": "AhKd", "board": BOARD}


def legal(t):
    return t.m.game.legal(t.m.r, 1, t.m.r.arg())


def test_G1_a_hand_that_is_better_by_the_least_wins():
    for order, net, word in ((1, 500, "win"), (0, 0, "tie"), (-1, -500, "lose")):
        line = versus(1, "ante", 500, order, ("w", "t", "l"))
        assert (line.net, line.rule, line.reason) == (net, word[0], word)


def test_H1_raise_sizes():
    t = headsup()
    t.begin(1)
    t.deal()
    assert legal(t) == ("raise1", "raise2", "raise3", "check")
    assert t.refused("ACT", 1, t.m.game.ACTIONS.index("fold"), 255) == "illegal_action"
    t.act(1, "check")
    t.deal()
    assert legal(t) == ("raise1", "raise2", "check")
    t.act(1, "check")
    t.deal()
    assert legal(t) == ("raise1", "fold")
    t.act(1, "raise1")
    assert t.m.r.raised[1] == 500 and t.m.r.kind() == "reveal"


def test_H1_one_raise_per_round():
    t = headsup()
    t.begin(1, 2)
    t.deal()
    t.act(1, "raise3")
    t.act(2, "check")
    t.deal()
    assert list(t.m.r.order) == [2] and t.refused("ACT", 1, 2, 255) == "not_your_turn"


def test_H2_check_gives_up_this_stage_only():
    assert played(("check", "check", "raise1"), **WIN)["raise"] == 500
    assert played(("check", "raise2"), **WIN)["raise"] == 1000


def test_H3_dealer_without_a_pair_pushes_the_ante():
    assert played(**LOW)["ante"] == 0 and played(**LOW_LOSE)["ante"] == 0
    compare = {"ante_unqualified": "compare"}
    assert played(settings=compare, **LOW)["ante"] == 0
    assert played(settings=compare, **LOW_LOSE)["ante"] == -500
    assert played(settings=compare, **WIN)["ante"] == 500


def test_H4_raise_and_odds_stay_in_action():
    assert played(("raise3",), **LOW) == {"ante": 0, "raise": 1500, "odds": 0}
    assert played(("raise3",), **LOW_LOSE) == {"ante": 0, "raise": -1500, "odds": -500}


def test_H5_odds_wager():
    straight = {"s1": "4h6d", "dealer": "AcAs", "board": "3h5s7d9cJs"}
    assert played(**straight)["odds"] == 500
    flush = {"s1": "4h6h", "dealer": "AcAs", "board": "3h5h7d9hJs"}
    assert played(bets=(700, 700), **flush)["odds"] == 1050  # 3 to 2
    assert played(**WIN)["odds"] == 0 and played(**LOSE)["odds"] == -500
    tie = {"s1": "2h2d", "dealer": "2c2s", "board": "TsJsQsKsAs"}
    assert played(**tie) == {"ante": 0, "raise": 0, "odds": 0}


def test_H6_bad_beat():
    beaten = {"s1": "4h6d", "dealer": "8h9h", "board": "3h5h7h9cJs"}  # straight under a flush
    assert played(**beaten) == {"ante": -500, "raise": -500, "odds": 2000}
    assert played(settings={"bad_beat": "none"}, **beaten)["odds"] == -500
    quads = {"s1": "2h2d", "dealer": "AhKd", "board": "2c2sAcAdAs"}
    assert played(**quads)["odds"] == 12500


def test_H7_trips_plus_lives_after_a_fold():
    trips = {"s1": "8h8s", "dealer": "AhAd", "board": BOARD}
    fold = ("check", "check", "fold")
    nets = played(fold, (500, 500, 100, 100), **trips)
    assert nets == {"ante": -500, "odds": -500, "trips_plus": 300, "pocket_bonus": 500}


def test_H8_pocket_bonus_by_the_table():
    for hand, pays in (
        ("AhAd", 30), ("AhKh", 20), ("AhJh", 20), ("AhQd", 10), ("7c7d", 5), ("AhTh", -1),
        ("KhQh", -1),
    ):  # fmt: skip
        hands = {"s1": hand, "dealer": "2c3d", "board": "4h6s8d9cKs"}
        assert played(bets=(500, 500, 0, 100), **hands)["pocket_bonus"] == pays * 100, hand


def test_H9_pay_tables_by_configuration():
    full = {"s1": "8h8s", "dealer": "AhAd", "board": "8d3s3cJhQs"}
    for table, pays in ((1, 9), (2, 8), (3, 8), (4, 7)):
        nets = played(bets=(500, 500, 100), settings={"trips_plus": table}, **full)
        assert nets["trips_plus"] == pays * 100
    for table, pays in ((1, 5), (2, 5), (3, 4)):
        nets = played(bets=(500, 500, 0, 100), settings={"pocket_bonus": table}, **full)
        assert nets["pocket_bonus"] == pays * 100
    assert why_closed(trips_plus=5) == "trips_plus" and why_closed(trips_plus="1") == "trips_plus"
    assert why_closed(pocket_bonus=0) == "pocket_bonus"
    t = headsup()
    t.begin(1)
    t.key(1, 1)
    assert t.refused("CONFIG", bytes(32)) == "round_open"


def test_H10_deal_order():
    t = headsup(dealing="auto")
    t.begin(2, 5)
    assert [list(d) for d in t.m.r.plan] == [[8] * 5, [2, 2], [5, 5], [0, 0]]
    t.deal()
    assert not t.m.r.visible[8]
    t.all_act("check")
    assert len(find(t.do("REVEAL"), "card")) == 3
    t.all_act("check")
    assert len(find(t.do("REVEAL"), "card")) == 2
    for dealing in ("shoe", "hand"):
        t = headsup(dealing=dealing, shuffler="plain")
        t.begin(2, 5)
        assert [d[0] for d in t.m.r.plan] == [2, 5, 0] * 2
        t.deal()
        t.all_act("check")
        t.deal()
        assert len(t.m.r.cards[8]) == 3 and t.m.r.visible[8] == 7


def test_H11_wrong_card_count_anywhere_voids_all():
    for place in (0, 1, 8):
        t = headsup(dealing="auto")
        t.begin(1, 2)
        t.deal()
        t.do("MISCOUNT", place, 1)
        assert t.void_now(), place


def test_H11_dealer_card_exposed_early_voids_all():
    t = headsup()
    t.begin(1)
    t.deal()
    t.act(1, "raise1")
    t.do("EXPOSED", 0)
    assert t.void_now()


def test_H11_not_when_the_reveal_is_due():
    t = headsup()
    t.begin(1)
    t.deal()
    t.act(1, "raise1")
    t.deal()
    t.deal()
    t.do("EXPOSED", 0)
    assert t.m.r.kind() == "reveal"
    t.turn()
    t.do("EXPOSED", 0)
    assert t.m.r.kind() == "settle" and not t.m.r.void, "it lies there for all to see"


def test_H12_one_to_six_seats():
    assert why_closed(seats=7) == "seats"
    t = headsup()
    t.open()
    try:
        t.bet(7, 500, 500)
        assert False
    except Exception as e:
        assert e.code == "no_seat"
    try:
        t.bet(1, 500, 600)
        assert False
    except Exception as e:
        assert e.code == "equal_ante"
