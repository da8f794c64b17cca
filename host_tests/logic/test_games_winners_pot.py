"""Rulings W1 to W14: Winner's Pot Poker. Each test is named after its ruling."""

from croupier import find, winners_pot
from felt.games.common import DEAD, IN
from felt.games.settings import SettingsError
from felt.round.due import due
from felt.round.machine import Machine

HIGH = "AhAdKc8s3d"
LOW = "7h6d4c3s2d"
MID = "QhQdJc8c3c"


def why_closed(**settings):
    settings["game"] = "winners_pot"
    try:
        Machine(settings)
    except SettingsError as e:
        return e.name
    return None


def play(t, acts):
    """Play the locked round: acts is {seat: words}; return the nets."""
    acts = {s: list(acts[s]) for s in acts}
    t.deal()
    while t.m.r.kind() in ("decide", "deal"):
        if t.m.r.kind() == "deal":
            t.deal()
        else:
            seat = t.m.r.order[t.m.r.turn]
            t.act(seat, acts[seat].pop(0))
    return t.settle()


STAY = ("bet", "double")


def played(acts, bets=None, button=0, hands=None, **settings):
    """The nets of a round."""
    t = winners_pot(**settings)
    t.open()
    t.m.button = button
    for seat in acts:
        t.bet(seat, *(bets or {}).get(seat, (500,)))
    t.begin(*acts, **(hands or {}))
    nets = play(t, acts)
    t.end()
    return nets


def places(t):
    return [d[0] & 127 for d in t.m.r.plan]


def test_W1_the_round():
    t = winners_pot()
    t.begin(1, 2)
    assert [list(d) for d in t.m.r.plan] == [[1], [2], [0]] * 2 + [[0x81], [0x82], [0x80]]
    t.deal()
    assert t.m.game.legal(t.m.r, 1, 0) == ("bet", "fold")
    t.all_act("bet")
    assert places(t) == [9, 1, 2, 0] and t.m.r.raised[1] == 500
    t.deal()
    t.all_act("double")
    assert t.m.r.raised[1] == 1500 and places(t) == [9, 1, 2, 0]
    t.deal()
    assert [len(t.m.r.cards[p]) for p in (0, 1, 2, 9)] == [5, 5, 5, 2]
    assert t.m.r.visible[1] == 0b11100


def test_W1_multiples_are_options():
    nets = played({1: STAY, 2: STAY}, bet_multiple=3, double_multiple=1,
                  hands={"s1": HIGH, "s2": LOW, "dealer": MID})  # fmt: skip
    assert nets[2, "pot"] == -2500 and nets[1, "pot"] == 2000  # 5,000 less 10%, less 2,500
    assert why_closed(bet_multiple=0) == "bet_multiple"


def test_W2_equal_antes_and_two_players():
    t = winners_pot()
    t.open()
    t.bet(1, 500)
    assert t.refused("LOCK", b"") == "players"
    t.bet(2, 600)
    assert t.refused("LOCK", b"") == "equal_antes"


def test_W2_folded_stakes_stay_in_the_pot():
    nets = played({1: STAY, 2: ("fold",), 3: ("bet", "fold")},
                  hands={"s1": HIGH, "dealer": MID}, commission_percent=0)  # fmt: skip
    assert nets == {(1, "pot"): 1500, (2, "pot"): -500, (3, "pot"): -1000}


def test_W3_commission():
    hands = {"s1": HIGH, "s2": LOW, "dealer": MID}
    for settings, commission in (
        ({}, 400),
        ({"commission_percent": 7}, 200),  # 280 rounded down to a chip
        ({"commission_percent": 0}, 0),
        ({"commission_cap": 300}, 300),
        ({"commission_cap": 399}, 300),
        ({"commission_cap": 0}, 0),
    ):
        nets = played({1: STAY, 2: STAY}, hands=dict(hands), **settings)
        assert nets[1, "pot"] == 2000 - commission, settings
    assert why_closed(commission_percent=11) == "commission_percent"
    assert why_closed(commission_cap=-1) == "commission_cap"


def test_W3_no_commission_when_the_dealer_takes_the_pot():
    t = winners_pot()
    t.begin(1, 2, s1=LOW, s2=MID, dealer=HIGH)
    nets = play(t, {1: STAY, 2: STAY})
    assert nets == {(1, "pot"): -2000, (2, "pot"): -2000}
    assert t.m.meters.commission == 0 and t.m.meters.win[0] == 4000


TIE = {"s1": "AhAdKc8s3d", "s2": "AcAsKd8h3h"}


def test_W4_tie_between_players_odd_chips_from_the_buttons_left():
    for button, first in ((0, 1), (1, 2), (2, 1)):
        nets = played({1: STAY, 2: STAY, 3: ("fold",)}, {1: (100,), 2: (100,), 3: (100,)}, button,
                      dict(TIE, dealer=MID))  # fmt: skip
        # pot 900, commission 0 (90 rounded down): 500 and 400
        assert nets[first, "pot"] == 100 and nets[3 - first, "pot"] == 0, button


def test_W4_tie_with_the_dealer():
    t = winners_pot()
    t.begin(1, 2, 3, s1=HIGH, dealer="AcAsKd8h3h", s2=MID, s3=LOW)
    nets = play(t, {1: STAY, 2: STAY, 3: ("fold",)})
    # pot 4500: the dealer's half is 2200, the player's 2300 less 10% = 230, a chip's 200
    assert nets[1, "pot"] == 2100 - 2000 and t.m.meters.commission == 200


def test_W5_all_fold_and_the_dealer_takes_the_pot():
    t = winners_pot()
    t.begin(1, 2)
    t.deal()
    t.all_act("fold")
    assert t.m.r.kind() == "pot" and ("pot", 0, 1000, "19:47-33.10(h)", "house") in t.effects
    assert t.settle() == {(1, "pot"): -500, (2, "pot"): -500}
    t.end()


def test_W5_all_fold_when_the_stub_is_due():
    t = winners_pot(stub_every=1)
    t.begin(1, 2)
    t.deal()
    t.all_act("fold")
    t.settle()
    assert t.refused("END") == "stub_due"
    t.do("STUB", 43, 0)
    t.do("END")


def test_W6_jacks_plus_after_a_fold():
    bets = {1: (500, 100), 2: (500,)}
    for cards, acts, net in (
        ("JhJd2c", ("fold",), 100),
        ("ThTd2c", ("fold",), -100),
        ("2h2d2c", ("fold",), 700),
        ("JhTh9h", ("fold",), -100),  # no straights or flushes of three
        ("2h2d3c3d", ("bet", "fold"), 300),
        ("2h2d2c2s", ("bet", "fold"), 5000),
        ("JhTh9h8h", ("bet", "fold"), -100),
        ("QhQd9h8h", ("bet", "fold"), 100),
    ):
        nets = played({1: acts, 2: STAY}, bets, hands={"s1": cards})
        assert nets[1, "jacks_plus"] == net, cards


def test_a_pair_too_low_for_jacks_plus_is_still_called_a_pair():
    # A hand, what Jacks Plus gets on it, what it is called; then on its two down cards alone.
    for hand, whole, dead in (
        ("8h8d2c4d6s", (-100, 1), (-100, 1)),
        ("ThTd2c4d6s", (-100, 1), (-100, 1)),
        ("JhJd2c4d6s", (100, 1), (100, 1)),
        ("Ah9d2c4d6s", (-100, 0), (-100, 0)),
        ("8h8d2c2d6s", (300, 2), (-100, 1)),
    ):
        t = winners_pot()
        t.open()
        t.bet(1, 500, 100)
        t.begin(1, 2, s1=hand)
        while due(t.m).kind != "settle":
            t.turn()
        for status, wanted in ((IN, whole), (DEAD, dead)):
            t.m.r.status[1] = status
            assert [(ln.net, ln.reason) for ln in t.m.game.settle(t.m.r, 1)] == [wanted], hand


ROYALS = {"s1": "AhKhQhJhTh", "s2": "AdKdQdJdTd", "dealer": "7c6s4c3s2s"}


def test_W7_payout_limit():
    nets = played({1: STAY, 2: STAY}, {1: (500, 20000), 2: (500, 100)},
                  hands={"s1": ROYALS["s1"], "s2": LOW})  # fmt: skip
    assert nets[1, "jacks_plus"] == 5000000
    assert why_closed(payout_limit=100) == "payout_limit"


def test_W7_what_a_limit_has_cut_cites_the_limit():
    # Stake, hand, net, the paragraph a recall names.
    for stake, hand, net, rule in (
        (20000, ROYALS["s1"], 5000000, "19:47-33.11(c)"),
        (12500, ROYALS["s1"], 5000000, "19:47-33.11(b)"),
        (100000, "9h8h7h6h5h", 5000000, "19:47-33.11(c)"),
        (10000, "9h8h7h6h5h", 800000, "19:47-33.11(b)"),
    ):
        t = winners_pot()
        t.open()
        t.bet(1, 500, stake)
        t.begin(1, 2, s1=hand)
        while due(t.m).kind != "settle":
            t.turn()
        (line,) = t.m.game.settle(t.m.r, 1)
        assert (line.net, line.rule) == (net, rule), (stake, hand, line)


def test_W7_several_royals_share_the_limit():
    nets = played({1: STAY, 2: STAY}, {1: (500, 10000), 2: (500, 5000)}, hands=dict(ROYALS))
    assert (nets[1, "jacks_plus"], nets[2, "jacks_plus"]) == (3333333, 1666666)
    nets = played({1: STAY, 2: STAY}, {1: (500, 100), 2: (500, 200)}, hands=dict(ROYALS))
    assert (nets[1, "jacks_plus"], nets[2, "jacks_plus"]) == (40000, 80000)
    nets = played({1: STAY, 2: STAY}, {1: (500, 10000), 2: (500, 5000)}, hands=dict(ROYALS),
                  payout_limit=6000000)  # fmt: skip
    assert (nets[1, "jacks_plus"], nets[2, "jacks_plus"]) == (4000000, 2000000)


def test_W8_one_down_card_up_the_third_comes_down():
    t = winners_pot()
    t.begin(1, 2)
    t.deal(3)
    assert ("note", "third_down", 1) in t.do("EXPOSED", 1)
    assert t.refused("EXPOSED", 1) == "exposed_already"
    t.deal()
    assert t.m.r.visible[1] == 0 and t.m.r.visible[2] == 0b100 and len(t.m.r.cards[1]) == 3


def test_W8_both_up_the_hand_is_dead_and_jacks_plus_lives():
    for cards, net in (("JhJd", 100), ("ThTd", -100), ("AhKd", -100)):
        t = winners_pot()
        t.open()
        t.bet(1, 500, 100)
        t.begin(1, 2, 3, s1=cards)
        t.deal(8)
        t.do("EXPOSED", 1)
        effects = t.do("EXPOSED", 1)
        assert [e[2] for e in find(effects, "return")] == ["pot"] and places(t)[-1] == 0
        assert t.refused("MISCOUNT", 1, 3) == "no_seat"
        nets = play(t, {2: STAY, 3: STAY})
        assert nets[1, "pot"] == 0 and nets[1, "jacks_plus"] == net
        assert len(t.m.r.cards[1]) == 2


def test_W8_dead_hand_in_a_round_that_turns_void():
    t = winners_pot()
    t.open()
    t.bet(1, 500, 100)
    t.begin(1, 2, 3)
    t.deal(8)
    t.do("EXPOSED", 1)
    t.do("EXPOSED", 1)
    t.do("DEVICE", 0, 0)
    assert t.void_now() and len(t.nets()) == 4 == len(t.m.r.results)


def test_W8_all_hands_dead():
    t = winners_pot()
    t.begin(1, 2)
    t.deal(6)
    for seat in (1, 1, 2, 2):
        t.do("EXPOSED", seat)
    assert t.m.r.kind() == "pot" and t.settle() == {(1, "pot"): 0, (2, "pot"): 0}


def test_W8_dealers_own_cards():
    t = winners_pot()
    t.begin(1, 2)
    t.deal(6)
    assert ("note", "third_down", 0) in t.do("EXPOSED", 0)
    t.do("EXPOSED", 0)
    assert not t.void_now() and 0 not in [d[0] & 127 for d in t.m.r.plan[t.m.r.at :]]


def test_W8a_players_contest_the_pot_among_themselves():
    t = winners_pot(commission_percent=0)
    t.begin(1, 2, s1="2c3d4h5s7c", s2="AcAdAhKsQc", dealer="KcKd")
    t.deal(6)
    t.do("EXPOSED", 0)
    t.do("EXPOSED", 0)
    t.deal()
    for word in ("bet", "double"):
        t.all_act(word)
        t.deal()
    lines, _, _ = t.m.game.finish(t.m.r)
    assert [ln.reason for ln in lines] == ["lose", "best_hand"], "nobody beat a dead hand"
    assert t.settle() == {(1, "pot"): -2000, (2, "pot"): 2000}


def test_W8a_a_house_may_void_instead():
    t = winners_pot(dealer_dead="void")
    t.begin(1, 2)
    t.deal(6)
    t.do("EXPOSED", 0)
    t.do("EXPOSED", 0)
    assert t.void_now()


def test_W8_in_stacks_the_third_card_lies_there_already():
    t = winners_pot(dealing="auto")
    t.begin(1, 2)
    t.deal(1)
    assert ("note", "stays_live", 1) in t.do("EXPOSED", 1)
    assert ("note", "dead", 1) in t.do("EXPOSED", 1)


def test_W9_face_up_card_after_the_deal_is_ignored():
    t = winners_pot()
    t.begin(1, 2)
    t.deal()
    t.all_act("bet")
    t.deal()
    t.all_act("double")
    t.deal()
    for _ in range(2):
        assert ("note", "face_up_ignored") in t.do("FACEUP", t.filler.pop())
    assert t.m.r.kind() == "reveal"
    t.settle()


def test_W10_extra_card_voids_that_hand():
    t = winners_pot()
    t.open()
    t.bet(1, 500, 100)
    t.begin(1, 2, 3, s2=HIGH, s3=LOW, dealer=MID)
    t.deal()
    effects = t.do("MISCOUNT", 1, 4)
    assert [e[2] for e in find(effects, "return")] == ["pot", "jacks_plus"]
    nets = play(t, {2: STAY, 3: STAY})
    assert nets[1, "pot"] == nets[1, "jacks_plus"] == 0
    assert nets[2, "pot"] == 4000 - 400 - 2000  # the void stakes are not in the pot


def test_W10_a_card_not_dealt_is_a_misdeal():
    for place in (1, 0):
        t = winners_pot()
        t.begin(1, 2)
        t.deal()
        t.do("MISCOUNT", place, 2)
        assert t.void_now() and t.m.meters.voids[5] == 1
    t = winners_pot()
    t.begin(1, 2)
    t.deal()
    assert t.refused("MISCOUNT", 8, 1) == "no_card_there"


def test_W10_the_last_two_hands_void():
    t = winners_pot()
    t.begin(1, 2)
    t.deal()
    t.do("MISCOUNT", 1, 4)
    t.do("MISCOUNT", 2, 4)
    assert t.m.r.kind() == "pot" and t.settle() == {(1, "pot"): 0, (2, "pot"): 0}


def test_W10_void_in_the_middle_of_a_card_round():
    t = winners_pot()
    t.begin(1, 2, 3)
    t.deal()
    t.all_act("bet")
    t.deal(2)
    t.do("MISCOUNT", 3, 4)
    assert places(t) == [9, 1, 2, 0]
    t.deal()
    assert len(t.m.r.cards[3]) == 3 and list(t.m.r.order) == [1, 2]


def test_W11_missed_burn_two_before_the_next_card():
    t = winners_pot()
    t.begin(1, 2)
    assert t.refused("NO_BURN") == "no_burn_due"
    t.deal()
    t.all_act("bet")
    assert find(t.do("NO_BURN"), "due") == [("due", 1, 1, 1)]
    t.deal()
    t.act(1, "double")
    t.act(2, "double")
    assert places(t) == [9, 9, 1, 2, 0]
    t.do("UNDO")  # the debt survives an undo
    t.act(2, "double")
    assert places(t) == [9, 9, 1, 2, 0]
    t.deal()
    assert len(t.m.r.cards[9]) == 2


def test_stakes_go_into_the_pot_with_the_last_card_without_an_alarm():
    t = winners_pot()
    t.begin(1, 2)
    t.do("SENSORS", bytes([1, 1, 0, 0, 0, 0, 0]))
    t.deal()
    for word in ("bet", "double"):
        t.all_act(word)
        t.deal()
    assert t.m.r.kind() == "reveal"
    assert not find(t.do("SENSORS", bytes(7)), "alarm")


def test_W12_button_moves_clockwise_through_seats_then_dealer():
    t = winners_pot()
    seen = []
    for _ in range(5):
        t.begin(2, 5)
        seen.append((t.m.button, places(t)[:3]))
        t.deal()
        t.all_act("fold")
        t.settle()
        t.end()
    assert seen == [(0, [2, 5, 0]), (2, [5, 0, 2]), (5, [0, 2, 5]), (0, [2, 5, 0]), (2, [5, 0, 2])]


def test_W12_button_not_moved_goes_on_as_if_moved():
    t = winners_pot()
    assert t.refused("BUTTON") == "no_round"
    t.begin(1, 2)
    assert ("note", "button_as_moved", 0) in t.do("BUTTON")
    t.deal()
    t.all_act("fold")
    t.settle()
    t.end()
    assert t.m.button == 1  # moved once


def test_W13_player_exposes_own_card_and_stays_live():
    t = winners_pot()
    t.begin(1, 2)
    t.deal()
    assert ("note", "stays_live", 1) in t.do("EXPOSED", 1)
    assert ("note", "stays_live", 0) in t.do("EXPOSED", 0)
    assert t.m.r.live() == [1, 2]


def test_W14_seats():
    assert why_closed(seats=7) == "seats"
    assert winners_pot().refused("PAIRED", 1, 2) == "one_position"
