"""Rulings P1 to P23: Premium Hold 'Em. Each test is named after its ruling."""

from croupier import find, premium
from felt.games.bonus_spin import TABLES
from felt.games.settings import SettingsError
from felt.round import events
from felt.round.machine import Machine

FLUSH = "2h7hJh"


def refused_bet(t, *cents):
    try:
        t.bet(1, *cents)
    except Exception as e:
        return e.code, e.about[1] if len(e.about) > 1 else None
    return None


def why_closed(**settings):
    settings["game"] = "premium"
    try:
        Machine(settings)
    except SettingsError as e:
        return e.name
    return None


def played(acts=("play3",), bets=(500, 500), spins=(), **hands):
    """One seat's nets after a round."""
    settings = {"bonus_spin": "flush5_progressive"} if len(bets) == 5 and bets[4] else {}
    settings.update(hands.pop("settings", {}))
    t = premium(**settings)
    t.open()
    t.bet(1, *bets)
    t.begin(1, **hands)
    t.deal()
    t.act(1, acts[0])
    t.deal()
    if len(acts) > 1:
        t.act(1, acts[1])
    nets = t.settle(spins)
    t.end()
    return {w: nets[s, w] for s, w in nets}


WIN = {"s1": "AhAdKc", "dealer": "QcQd2s", "board": "3h5s8d9c"}  # aces beat queens
LOSE = {"s1": "QcQd2s", "dealer": "AhAdKc", "board": "3h5s8d9c"}
LOW = {"s1": "AhKdQc", "dealer": "AcKs6d", "board": "3h5s8d9c"}  # the dealer has ace high
LOW_LOSE = {"s1": "AhJdTc", "dealer": "AcKs6d", "board": "3h5s8d9c"}


def test_P1_xtra_equals_the_ante_and_the_ante_is_a_dollar_or_more():
    t = premium()
    t.open()
    assert refused_bet(t, 500, 400) == ("equal_ante", "xtra")
    assert refused_bet(t, 500) == ("equal_ante", "xtra")
    assert refused_bet(t, 0, 500) == ("no_ante", None)
    t = premium(chip_unit=25)
    t.open()
    assert refused_bet(t, 75, 75) == ("least_ante", "ante")
    assert refused_bet(t, 100, 100) is None


def test_P2_three_cards_each():
    t = premium()
    t.begin(1, 2)
    t.deal()
    assert [len(t.m.r.cards[p]) for p in (0, 1, 2, 8)] == [3, 3, 3, 0]


def test_P3_second_play_wager_is_one_or_two_antes_or_a_fold():
    t = premium()
    t.begin(1)
    t.deal()
    assert t.m.game.legal(t.m.r, 1, 0) == ("play3", "check")
    for word in ("play1", "play2", "fold"):
        assert t.refused("ACT", 1, t.m.game.ACTIONS.index(word), 255) == "illegal_action"
    t.act(1, "check")
    t.deal()
    for word in ("play3", "check"):
        assert t.refused("ACT", 1, t.m.game.ACTIONS.index(word), 255) == "illegal_action"
    t.act(1, "play2")
    assert t.m.r.raised[1] == 1000


def test_P4_xtra_loses_with_a_fold():
    assert played(("check", "fold"), **WIN) == {"ante": -500, "xtra": -500}


def test_P5_xtra_without_a_straight():
    assert played(**WIN)["xtra"] == 0
    assert played(**LOSE)["xtra"] == -500
    tie = {"s1": "AhKd2c", "dealer": "AcKs2d", "board": "QhJsTd9c"}
    assert played(**tie) == {"ante": 0, "play": 0, "xtra": 0}


def test_P6_xtra_pays_when_the_dealer_does_not_qualify():
    hands = {"s1": "6h7d2c", "dealer": "AcKsJd", "board": "3h4s5d9c"}
    assert played(**hands) == {"ante": 0, "play": 1500, "xtra": 500}


def test_P7_dealer_below_threes_but_higher():
    assert played(**LOW_LOSE)["ante"] == -500
    assert played(settings={"ante_unqualified": "push"}, **LOW_LOSE)["ante"] == 0
    assert played(**LOW)["ante"] == 0  # the player is higher: a push
    twos = {"s1": "KhQdJc", "dealer": "2c2s6d", "board": "3h5s8d9c"}
    assert played(settings={"ante_unqualified": "push"}, **twos)["ante"] == 0
    threes = {"s1": "KhQdJc", "dealer": "3c2s6d", "board": "3h5s8d9c"}
    assert played(settings={"ante_unqualified": "push"}, **threes)["ante"] == -500


def test_P8_play_wager_knows_no_qualification():
    assert played(**LOW)["play"] == 1500
    assert played(("check", "play1"), settings={"ante_unqualified": "push"}, **LOW_LOSE) == {
        "ante": 0,
        "play": -500,
        "xtra": -500,
    }


def test_P9_jacks_up_stays_live_after_a_fold():
    jacks = {"s1": "JhJd2c", "dealer": "TcTs4d", "board": "3h3s8d9c"}
    nets = played(("check", "fold"), (500, 500, 100, 200), **jacks)
    assert nets == {"ante": -500, "xtra": -500, "dealer_bonus": -100, "player_bonus": 200}


def test_P9_dealer_reveals_even_when_all_fold():
    t = premium()
    t.begin(1)
    t.deal()
    t.all_act("check")
    t.deal()
    t.all_act("fold")
    assert t.m.r.kind() == "reveal"


def test_P10_three_hole_cards_of_one_suit_trigger():
    t = premium(bonus_spin="flush1_progressive")
    t.open()
    for seat in (1, 2, 3):
        t.bet(seat, 500, 500, 0, 0, 100)
    hands = {"s1": FLUSH, "s2": "9s8sTs", "s3": "2c7c8h", "dealer": "3dJdQd"}
    t.begin(1, 2, 3, **hands)
    t.deal()
    triggers = t.m.game.triggers
    assert [triggers(t.m.r, s) for s in (1, 2, 3)] == [True, True, False]


def test_P11_folded_player_still_spins():
    nets = played(("check", "fold"), (500, 500, 0, 0, 500), [4], s1=FLUSH)
    assert nets == {"ante": -500, "xtra": -500, "bonus_spin": 500000 - 500}


def test_P11_a_folded_flush_may_be_tapped_before_the_cards_leave():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    t.bet(1, 500, 500, 0, 0, 500)
    t.begin(1, s1=FLUSH)
    t.deal()
    t.all_act("check")
    assert t.refused("TAP", 1) == "tap_early"
    t.deal()
    t.all_act("fold")
    t.do("TAP", 1)
    assert t.settle([2]) == {
        (1, "ante"): -500,
        (1, "xtra"): -500,
        (1, "bonus_spin"): 3500,
    }


def test_P12_stake_is_exact_and_collected_at_the_lock():
    for name in TABLES:
        stake = TABLES[name][0]
        more = {"fixed_prize": 100} if "fixed" in name else {}
        t = premium(bonus_spin=name, **more)
        t.open()
        assert refused_bet(t, 500, 500, 0, 0, stake + 100) == ("exact_stake", "bonus_spin")
        t.bet(1, 500, 500, 0, 0, stake)
        taken = ("take", 1, "bonus_spin", stake, "13:69F-X.10(a)3", "latched")
        assert taken in t.do("LOCK", b"")


def test_P12_a_collected_chip_is_no_withdrawn_wager():
    t = premium(bonus_spin="flush5_progressive", sensors=True)
    t.open()
    t.bet(1, 500, 500, 0, 0, 500)
    t.do("SENSORS", b"\x13\0\0\0\0\0\0")
    t.do("LOCK", b"")
    assert not find(t.do("SENSORS", b"\x03\0\0\0\0\0\0"), "alarm")


def test_P13_seven_percent_at_the_latch():
    for name, share in (("flush5_progressive", 35), ("flush1_progressive", 7)):
        t = premium(bonus_spin=name)
        t.open()
        for seat in (1, 2, 3):
            t.bet(seat, 500, 500, 0, 0, TABLES[name][0] if seat < 3 else 0)
        t.do("LOCK", b"")
        assert t.m.meters.jackpot == TABLES[name][1] + 2 * share
        assert t.m.meters.contributions == 2 * share


def test_P14_community_pay_goes_to_every_other_latched_seat():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    for seat in (1, 2, 3, 4):
        t.bet(seat, 500, 500, 0, 0, 500 if seat != 4 else 0)
    t.begin(1, 2, 3, 4, s1=FLUSH, s2="3c8cQc")
    t.deal()
    t.all_act("check")
    t.deal()
    t.all_act("fold")
    nets = t.settle([6, 6])
    spun = {s: nets[s, w] for s, w in nets if w == "bonus_spin"}
    assert spun == {1: 34500, 2: 34500, 3: 19500}


def test_P15_first_to_hit_takes_the_meter_the_second_the_seed():
    t = premium(bonus_spin="flush5_progressive")
    t.m.meters.carry(2500000)
    t.open()
    for seat in (5, 2):
        t.bet(seat, 500, 500, 0, 0, 500)
    t.begin(5, 2, s2=FLUSH, s5="3c8cQc")
    t.deal()
    t.all_act("play3")
    t.deal()
    nets = t.settle([1, 1])
    assert nets[2, "bonus_spin"] == 2500070 - 500 and nets[5, "bonus_spin"] == 1000000 - 500
    assert t.m.meters.jackpot == 1000000 and t.m.meters.hits == 2 and t.m.meters.conserved()


def test_P15_hand_pay_waits_for_the_attendant():
    t = at_the_spin()
    assert t.refused("SPIN", 1, 0) == "bad_position" and t.refused("SPIN", 1, 13) == "bad_position"
    assert t.refused("SPUN", 1) == "no_spin"
    effects = t.do("SPIN", 1, 1)
    assert ("hit", 1, 1000035) in effects and t.m.meters.jackpot == 1000000
    assert t.refused("SPUN", 1) == "hand_pay" and t.refused("HANDPAID", 1) == "attendant_key"
    assert t.refused("SPIN", 1, 1) == "no_spin"
    t.key(1)
    t.do("HANDPAID", 1)
    assert t.refused("HANDPAID", 1) == "no_hand_pay"
    t.do("SPUN", 1)
    assert t.m.r.kind() == "collect"


def at_the_spin():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    t.bet(1, 500, 500, 0, 0, 500)
    t.begin(1, s1=FLUSH)
    t.deal()
    t.all_act("play3")
    t.deal()
    t.do("REVEAL")
    t.turn()
    t.turn()
    return t


def test_P15_a_meter_below_its_seed_is_a_fault():
    t = premium(bonus_spin="flush5_progressive")
    try:
        t.m.meters.carry(999999)
        assert False, "carried"
    except ValueError:
        pass
    t.m.meters.jackpot -= 1
    assert not t.m.meters.conserved()


def test_P16_tap_agrees_with_wager_and_cards():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    t.bet(1, 500, 500, 0, 0, 500)
    t.bet(2, 500, 500)
    t.bet(3, 500, 500, 0, 0, 500)
    t.begin(1, 2, 3, s1=FLUSH, s2="3c8cQc", s3="2c7d8h")
    t.deal()
    assert t.refused("TAP", 1) == "tap_early"
    t.all_act("play3")
    t.deal()
    assert ("tap_due", 1) in t.do("REVEAL")
    assert t.refused("PAID", 1) == "tap_due"
    assert t.refused("TAP", 2) == "no_spin_wager" and t.refused("TAP", 9) == "no_spin_wager"
    assert t.refused("TAP", 3) == "tap_early"
    assert ("log", "tap", 1, 0) in t.do("TAP", 1)
    assert t.refused("TAP", 1) == "tapped_already"
    t.do("PAID", 1)
    t.do("PAID", 2)
    assert t.refused("TAP", 3) == "no_flush"
    t.do("PAID", 3)
    assert t.m.r.kind() == "spin" and list(t.m.r.order) == [1]


def test_P16_a_tap_is_undone_until_the_spin_starts():
    t = at_the_spin()
    effects = t.do("UNDO")
    assert ("undone", "TAP", 1) in effects and find(effects, "log")
    assert t.refused("SPIN", 1, 2) == "tap_due"  # the cards still say that seat 1 spins
    t.do("TAP", 1)
    t.do("SPIN", 1, 2)
    assert t.refused("UNDO") == "nothing_to_undo" and t.refused("TAP", 1) == "tap_late"


def test_P17_no_weights_no_bonus_spin():
    t = premium(bonus_spin="flush5_progressive", weights=None)
    t.open()
    assert refused_bet(t, 500, 500, 0, 0, 500) == ("spin_closed", "bonus_spin")
    assert refused_bet(t, 500, 500) is None
    for bad in ([1] * 11, [1] * 13, [0] + [1] * 11, [1.5] * 12, [True] * 12, "x", 12):
        assert why_closed(bonus_spin="flush5_progressive", weights=bad) == "weights", bad
    assert why_closed(weights=[1] * 12) == "weights"


def test_P18_fixed_prize_is_mandatory_for_the_fixed_tables_only():
    assert why_closed(bonus_spin="flush5_fixed") == "fixed_prize"
    assert why_closed(bonus_spin="flush1_fixed", fixed_prize=100) is None
    assert why_closed(bonus_spin="flush5_progressive", fixed_prize=100) == "fixed_prize"
    assert why_closed(fixed_prize=100) == "fixed_prize"


def test_P19_dealer_card_exposed_early_voids_all_side_wagers_too():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    t.bet(1, 500, 500, 100, 100, 500)
    t.begin(1, s1=FLUSH)
    assert t.refused("EXPOSED", 0) == "no_card_there"
    t.deal()
    t.do("EXPOSED", 0)
    assert t.void_now() and len(t.m.r.results) == 5 and t.m.meters.voids[1] == 1


def test_P19_not_once_each_player_has_folded_or_placed_a_play_wager():
    t = premium()
    t.begin(1, 2)
    t.deal()
    t.act(1, "play3")
    t.act(2, "check")
    t.deal()
    t.act(2, "play1")
    t.do("EXPOSED", 0)
    assert t.m.r.kind() == "reveal"


def test_P20_player_miscounted_that_seat_is_void_and_the_round_finishes():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    for seat in (1, 2):
        t.bet(seat, 500, 500, 100, 0, 500)
    t.begin(1, 2, s1=FLUSH)
    t.deal()
    assert (
        t.refused("MISCOUNT", 1, 3) == "count_right" and t.refused("MISCOUNT", 4, 2) == "no_seat"
    )
    effects = t.do("MISCOUNT", 1, 4)
    assert len(find(effects, "return")) == 4 and find(effects, "ask")[0][1] == 2
    assert t.refused("MISCOUNT", 1, 4) == "no_seat"
    t.act(2, "play3")
    t.deal()
    nets = t.settle()
    assert [nets[1, w] for w in ("ante", "xtra", "dealer_bonus", "bonus_spin")] == [0, 0, 0, 0]
    assert nets[2, "bonus_spin"] == -500
    t.end()
    assert t.m.phase_name() == "check"


def test_P20_dealer_short_is_completed_in_sequence():
    t = premium()
    t.begin(1, 2)
    t.deal()
    assert find(t.do("MISCOUNT", 0, 2), "due") == [("due", 0, 1, 0)]
    assert t.refused("ACT", 1, 0, 255) == "no_decision_due"
    card = t.card(0)
    effects = t.do("CARD", card)
    assert ("down", 0) in effects and t.m.r.cards[0][-1] == card and not find(effects, "card")
    t.act(1, "play3")


def test_P20_dealer_miscounted_otherwise_voids_all():
    for count, late in ((4, False), (1, False), (2, True)):
        t = premium()
        t.begin(1)
        t.deal()
        if late:
            t.act(1, "check")
            t.deal(1)
        t.do("MISCOUNT", 0, count)
        assert t.void_now(), (count, late)
    t = premium(dealing="auto")
    t.begin(1)
    t.deal()
    t.do("MISCOUNT", 0, 2)
    assert t.void_now()


def test_P20_a_face_up_card_while_the_dealer_is_completed():
    t = premium()
    t.begin(1)
    t.deal()
    t.do("MISCOUNT", 0, 2)
    assert find(t.do("FACEUP", t.filler.pop()), "due") == [("due", 0, 1, 0)]


def test_P21_automated_shoe_in_stacks_of_three():
    t = premium(dealing="auto")
    t.begin(2, 5)
    assert [list(d) for d in t.m.r.plan] == [[2] * 3, [5] * 3, [0] * 3, [8, 8, 9], [8, 8, 9]]
    assert t.refused("CARD", 1) == "stack_due" and t.refused("STACK", b"\1\2") == "stack_size"
    assert t.refused("STACK", b"\1\2\2") == "duplicate_card"
    t.deal()
    r = t.m.r
    assert [len(r.cards[p]) for p in (2, 5, 0, 8, 9)] == [3, 3, 3, 4, 2] and not r.visible[8]
    t.all_act("check")
    shown = find(t.do("REVEAL"), "card")
    assert [e[2] for e in shown] == list(r.cards[8])


def test_P21_manual_deal_has_no_burn():
    for dealing in ("shoe", "hand"):
        t = premium(dealing=dealing, shuffler="plain")
        t.begin(2, 5)
        assert [d[0] for d in t.m.r.plan] == [2, 5, 0] * 3
        assert t.refused("STACK", b"\1\2\3") == "card_due"
        assert t.refused("NO_BURN") == "no_burn_due"
        t.deal()
        t.all_act("check")
        assert [d[0] & 127 for d in t.m.r.plan] == [8] * 4


def test_P22_from_the_hand_only_with_a_shuffler():
    assert why_closed(dealing="hand") == "dealing"
    assert why_closed(dealing="hand", shuffler="plain") is None
    t = premium(dealing="hand", shuffler="plain")
    t.open()
    t.bet(1, 500, 500)
    t.do("DEVICE", events.SHUFFLER, events.REMOVED)
    assert t.refused("LOCK", b"") == "hand_needs_shuffler"
    assert premium().refused("METHOD", 1) == "hand_needs_shuffler"


def test_P23_one_to_six_seats_one_position_each():
    assert why_closed(seats=7) == "seats" and why_closed(seats=0) == "seats"
    t = premium(seats=3)
    t.open()
    for seat in (0, 4, 7, 8):
        try:
            t.bet(seat, 500, 500)
            assert False, seat
        except Exception as e:
            assert e.code == "no_seat"
    assert t.refused("PAIRED", 1, 2) == "one_position"
    assert t.refused("LOCK", b"") == "players"


def test_other_exposed_cards_stay_live():
    t = premium()
    t.begin(1)
    assert t.refused("EXPOSED", 1) == "no_card_there"
    t.deal()
    t.do("EXPOSED", 1)
    assert t.m.r.kind() == "decide"


def test_unknown_and_contradictory_settings_are_named():
    assert why_closed(colour="red") == "colour"
    assert why_closed(ante_unqualified="maybe") == "ante_unqualified"
    assert why_closed(chip_unit=0) == "chip_unit"
    assert why_closed(bonus_spin="flush1_progressive", chip_unit=500) == "chip_unit"
    assert why_closed(limits={"ante": [500, 100]}) == "limits"
    assert why_closed(limits={"odds": [100, 500]}) == "limits"


def test_table_limits_and_chips():
    t = premium(limits={"ante": [500, 2500], "dealer_bonus": [100, 1000]})
    t.open()
    assert refused_bet(t, 400, 400) == ("limits", "ante")
    assert refused_bet(t, 2600, 2600) == ("limits", "ante")
    assert refused_bet(t, 550, 550) == ("chip_unit", "ante")
    assert refused_bet(t, 500, 500, 1100) == ("limits", "dealer_bonus")
    assert refused_bet(t, 500, 500, 1000) is None
