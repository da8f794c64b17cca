"""Ultimate Texas Hold 'Em: every ruling (U1-U8), on every runtime."""

from croupier import Croupier, find
from felt.games.settings import SettingsError

BOARD = "2c7d9hJsKc"


def ultimate(**settings):
    return Croupier("ultimate", **settings)


def played(words, hand="AhAd", dealer="QhQd", board=BOARD, trips=0, **settings):
    """Play one seat with these words; return its nets."""
    t = ultimate(**settings)
    t.open()
    t.bet(1, 500, 500, trips)
    t.begin(1, s1=hand, dealer=dealer, board=board)
    for word in words:
        t.deal()
        t.act(1, word)
    t.deal()
    while t.m.r.kind() == "deal":
        t.deal()
    found = t.settle()
    return {wager: found[1, wager] for _, wager in found}


def test_U1_ante_and_blind_are_equal_and_mandatory():
    t = ultimate()
    t.open()
    for bets in ((500,), (500, 400), (0, 500), (0, 0, 500)):
        try:
            t.bet(1, *bets)
        except Exception as e:
            assert e.code in ("equal_ante", "no_ante"), bets
        else:
            raise AssertionError(bets)
    t.bet(6, 500, 500, 300)
    assert t.refused("BET", 7, bytes(12)) == "no_seat"


def test_U2_deal_orders():
    t = ultimate()
    t.begin(1, 3)
    assert [bytes(p) for p in t.m.r.plan] == [b"\1", b"\3", b"\0"] * 2
    t = ultimate(dealing="auto")
    t.begin(1, 3)
    assert [bytes(p) for p in t.m.r.plan] == [b"\x08" * 5, b"\1\1", b"\3\3", b"\0\0"]


def test_U3_the_play_wager_comes_once_and_shrinks():
    t = ultimate()
    t.begin(1, 2)
    t.deal()
    assert find(t.effects, "ask") == [("ask", 1, "play4", "play3", "check")]
    t.act(1, "play4")
    t.act(2, "check")
    t.deal()
    assert find(t.effects, "ask") == [("ask", 2, "play2", "check")]
    t.act(2, "check")
    t.deal()
    assert find(t.effects, "ask") == [("ask", 2, "play1", "fold")]
    t.act(2, "fold")
    assert t.m.r.raised[1] == 2000 and t.m.r.raised[2] == 0
    nets = t.settle()
    assert nets[2, "ante"] == nets[2, "blind"] == -500 and (2, "play") not in nets


def test_U4_a_dealer_without_a_pair_pushes_the_ante_only():
    nets = played(["play4"], dealer="3h4d", board="6c7d9hJsKc", hand="AhAd")
    assert nets == {"ante": 0, "play": 2000, "blind": 0}
    nets = played(["check", "play2"], hand="3h4d", dealer="AhQd", board="6c7d9hJsKc")
    assert nets == {"ante": 0, "play": -1000, "blind": -500}


def test_U5_win_tie_lose():
    assert played(["play3"]) == {"ante": 500, "play": 1500, "blind": 0}
    assert played(["play3"], hand="QcQs") == {"ante": 0, "play": 0, "blind": 0}
    assert played(["play3"], hand="ThTd") == {"ante": -500, "play": -1500, "blind": -500}


def test_U6_the_blind_pays_a_straight_or_better_that_wins():
    for board, hand, net in (
        ("2c7d9hTsJc", "8hQd", 500),
        ("2c7c9hJcKc", "Ac3d", 750),
        ("9c9d2hJsJc", "9h4d", 1500),
        ("9c9d2hJsJc", "9h9s", 5000),
        ("2c6h7h8hKc", "9hTh", 25000),
        ("2cJhQhKh3c", "AhTh", 250000),
        ("2c7d9hJsKc", "JhJd", 0),
    ):
        nets = played(["check", "check", "play1"], hand=hand, board=board, dealer="2d2s")
        assert nets["blind"] == net, (board, hand, nets)


def test_U7_trips_by_three_tables_and_after_a_fold():
    hand, full = "9h4d", "9c9d2hJsJc"
    for board, pays in ((full, [900, 800, 800]), ("2c7c9cJc3d", None), ("5h6h7s8dKc", None)):
        won = []
        for table in (1, 2, 3):
            t = ultimate(trips=table)
            t.open()
            t.bet(1, 500, 500, 100)
            t.begin(1, s1="Ac9h" if pays is None else hand, dealer="2d2s", board=board)
            t.deal()
            t.act(1, "play4")
            t.deal()
            t.deal()
            won.append(t.settle()[1, "trips"])
        assert won == (pays or ([700, 700, 600] if board[1] == "c" else [400, 400, 500]))
    fold = ["check", "check", "fold"]
    assert played(fold, hand, board=full, trips=100)["trips"] == 900
    lost = played(fold, hand, board=full, trips=100, trips_after_fold="lose")
    assert lost == {"ante": -500, "blind": -500, "trips": -100}


def test_U7_trips_can_be_switched_off():
    t = ultimate(wagers_off=["trips"])
    t.open()
    try:
        t.bet(1, 500, 500, 100)
    except Exception as e:
        assert e.code == "wager_off"
    else:
        raise AssertionError("a wager the house does not offer")
    for bad in ({"trips": 4}, {"trips_after_fold": "push"}, {"wagers_off": ["blind"]}):
        try:
            ultimate(**bad)
        except SettingsError:
            continue
        raise AssertionError(bad)


def test_U8_irregularities_void_all():
    t = ultimate()
    t.begin(1, 2)
    t.deal()
    t.do("MISCOUNT", 1, 3)
    assert t.void_now()
    t = ultimate()
    t.begin(1, 2)
    t.deal()
    t.all_act("play4")
    t.do("EXPOSED", 0)
    assert t.void_now()
