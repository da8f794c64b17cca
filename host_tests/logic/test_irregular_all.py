"""Rulings G1 to G13: what all games share. Each test is named after its ruling."""

from croupier import colorado, find, headsup, premium, winners_pot
from felt import cards, evaluator
from felt.games.settings import SettingsError
from felt.round import events, procedures
from felt.round.due import due, stub_due
from felt.round.events import pack
from felt.round.machine import Machine

ALL = (premium, headsup, colorado, winners_pot)
SHOE, SHUFFLER = events.SHOE, events.SHUFFLER

FRESH = True


def score(text):
    return evaluator.rank5(cards.parse_all(text))


def play_out(t):
    """Play the open round to its end with the quietest decisions."""
    word = {"premium": "play3", "headsup": "raise1", "colorado": "bet", "winners_pot": "bet"}
    while t.m.r.kind() in ("deal", "decide", "show") and t.m.r.stage < 6:
        if t.m.r.kind() == "decide":
            legal = t.m.game.legal(t.m.r, t.m.r.order[0], t.m.r.arg())
            mine = word[t.m.game.NAME]
            t.all_act(mine if mine in legal else legal[0], t.m.game.NAME == "colorado")
        elif t.m.r.kind() == "show":
            break
        else:
            t.deal()
    return t.settle()


def test_G1_standard_comparison():
    assert score("2c3d4h5sAc") < score("2c3d4h5s6c")  # the wheel is the lowest straight
    assert score("AhAdKc8s2d") > score("AcAsKd7h6h")  # kickers in order
    assert score("AhKdQc8s2d") == score("AcKsQd8h2h")  # equal is a push
    t = headsup()
    t.begin(1, board="AhKhQhJhTh", s1="2c3d", dealer="2d3c")
    play_out(t)
    assert t.nets() == {(1, "ante"): 0, (1, "raise"): 0, (1, "odds"): 0}


def test_G2_straight_is_not_all_of_one_suit():
    assert evaluator.category(score("5c6c7c8c9d")) == 4
    assert evaluator.category(score("5c6c7c8c9c")) == 8


def test_G3_one_face_up_card_is_discarded_a_second_voids():
    _second_face_up_voids(ALL[:2])


def test_G3_in_the_other_games_too():
    _second_face_up_voids(ALL[2:])


def _second_face_up_voids(tables):
    for table in tables:
        t = table()
        t.begin(1, 2)
        t.deal(2)
        card = t.filler.pop()
        effects = t.do("FACEUP", card)
        assert ("card", 10, card) in effects and find(effects, "due")
        assert t.refused("FACEUP", card) == "duplicate_card"
        t.deal(1)
        t.do("FACEUP", t.filler.pop())
        assert t.void_now()
        t.end()
        assert t.m.phase_name() == "check"  # reshuffle


def test_G3_the_count_starts_anew_each_round():
    t = colorado()
    for _ in range(2):
        t.begin(1)
        t.deal(1)
        t.do("FACEUP", t.filler.pop())
        play_out(t)
        t.end()
    assert t.m.meters.rounds == 2


def test_G4_card_drawn_in_error_is_the_next_card():
    t = headsup()
    t.begin(1)
    t.deal()
    card = cards.parse("Ks")
    effects = t.do("CARD", card)
    assert ("alarm", "drawn_in_error", 0, "") in effects and not find(effects, "card")
    t.do("CARD", cards.parse("Kh"))  # and the one after it
    effects = t.act(1, "check")
    assert ("card", 8, card) in effects and ("card", 8, cards.parse("Kh")) in effects
    assert t.refused("UNDO") == "nothing_to_undo"  # the cards lie on that decision
    assert len(t.m.r.cards[8]) == 2 and t.m.r.dealt == 6


def test_G4_it_may_be_the_burn():
    for dealing in ("shoe", "auto"):
        t = winners_pot(dealing=dealing, shuffler="plain")
        t.begin(1, 2)
        t.deal()
        card = cards.parse("Ks") if not t.m.r.seen[cards.parse("Ks")] else cards.parse("Kh")
        t.do("STACK", bytes([card])) if dealing == "auto" else t.do("CARD", card)
        t.all_act("bet")
        assert list(t.m.r.cards[9]) == [card]


def test_G4_a_card_drawn_while_dealing_is_simply_the_next():
    t = premium()
    t.begin(1)
    t.do("CARD", 0)
    assert list(t.m.r.cards[1]) == [0] and not t.m.r.visible[1]


def test_G5_stub_count_every_fifth_round_at_the_latest():
    for table in ALL:
        t = table()
        for n in range(1, 6):
            t.begin(1, 2)
            play_out_until_last_reveal(t)
            assert stub_due(t.m) == (n == 5)
            if n == 5:
                assert t.refused("REVEAL") == "stub_due"
                t.do("STUB", 52 - t.m.r.dealt, 0)
                assert t.refused("STUB", 40, 0) == "counted_already"
            t.settle()
            t.end()
        assert procedures.since_stub(t.m) == 0


def play_out_until_last_reveal(t):
    word = {"premium": "play3", "headsup": "raise1", "colorado": "bet", "winners_pot": "bet"}
    while True:
        kind = t.m.r.kind()
        if kind == "decide":
            legal = t.m.game.legal(t.m.r, t.m.r.order[0], t.m.r.arg())
            mine = word[t.m.game.NAME]
            t.all_act(mine if mine in legal else legal[0], t.m.game.NAME == "colorado")
        elif kind == "deal":
            t.deal()
        else:
            return


def test_G5_counting_earlier_starts_the_five_anew():
    t = colorado()
    t.begin(1)
    t.deal()
    assert t.refused("STUB", 53, 0) == "malformed"
    t.do("STUB", 46, 0)
    t.all_act("bet", True)
    t.settle()
    t.end()
    assert procedures.since_stub(t.m) == 0


def test_G5_too_early_while_cards_are_due():
    t = headsup()
    t.begin(1)
    t.deal()
    assert t.refused("STUB", 48, 0) == "still_dealing"


def test_G5_waived_with_a_counting_shuffler():
    t = colorado(shuffler="counting")
    for _ in range(7):
        t.begin(1)
        play_out(t)
        assert not stub_due(t.m)
        t.end()


def test_G5_not_waived_with_a_shuffler_that_does_not_count_or_is_gone():
    t = colorado(shuffler="plain", stub_every=1)
    t.begin(1)
    assert stub_due(t.m)
    t = colorado(shuffler="counting", stub_every=1)
    t.do("DEVICE", SHUFFLER, events.REMOVED)
    t.begin(1)
    assert stub_due(t.m)


def test_G5_premium_from_an_automated_shoe_has_no_waiver():
    for dealing, option, due_now in (
        ("auto", False, True),
        ("auto", True, False),
        ("hand", False, False),
    ):
        t = premium(shuffler="counting", dealing=dealing, stub_every=2, stub_waiver_auto=option)
        t.begin(1)
        assert not stub_due(t.m)
        play_out(t)
        t.end()
        t.begin(1)
        assert stub_due(t.m) == due_now


def test_G5_shuffler_reporting_not_52_removes_the_deck():
    t = colorado(shuffler="counting")
    t.begin(1)
    play_out(t)
    t.end()
    effects = t.do("SHUFFLED", 51)
    assert ("alarm", "deck_removed", 1, "") in effects
    assert t.m.phase_name() == "closed" and t.m.why == "deck_removed"
    assert t.refused("OPEN", 2) == "not_idle"
    t.open()
    assert t.m.phase_name() == "bet"


def test_G6_an_automated_shoe_that_jams_voids_the_round():
    for table in ALL[:2]:
        t = table(dealing="auto", shuffler="plain")
        t.begin(1, 2)
        t.deal(2)
        t.do("HAPPENED", SHOE, events.JAM)
        assert t.void_now(), table
        t.end()
        assert t.m.phase_name() == "check"


def test_G6_also_after_its_last_card():
    t = headsup(dealing="auto")
    t.begin(1)
    t.deal()
    t.do("HAPPENED", SHOE, events.JAM)
    assert t.void_now()


def test_G6_a_shuffler_or_a_manual_shoe_that_fails_voids_nothing():
    for device in (SHOE, SHUFFLER):
        for what in (events.JAM, events.REMOVED, events.EMPTY):
            t = headsup(shuffler="plain")
            t.begin(1)
            t.deal(2)
            t.do("HAPPENED", device, what)
            assert t.m.r.kind() == "deal"


def test_G6_stops_dealing_voids_only_while_cards_are_due():
    t = colorado()
    t.begin(1)
    t.deal()
    t.do("HAPPENED", SHOE, events.EMPTY)
    t.do("HAPPENED", SHOE, events.REMOVED)  # the stub is taken out
    assert t.m.r.kind() == "decide"
    t = headsup(dealing="auto")
    t.begin(1)
    t.deal(1)
    t.do("HAPPENED", SHOE, events.REMOVED)
    assert t.void_now()


def test_G6_hands_dealt_from_the_hand_do_not_mind_the_shoe():
    t = headsup(dealing="hand", shuffler="plain")
    t.begin(1)
    t.do("HAPPENED", SHOE, events.JAM)
    assert t.m.r.kind() == "deal"


def test_G6_device_off_the_table_before_another_method():
    t = premium(dealing="auto", shuffler="plain")
    t.open()
    t.bet(1, 500, 500)
    t.do("HAPPENED", SHOE, events.JAM)
    assert t.refused("LOCK", b"") == "device_blocked"
    assert t.refused("METHOD", events.METHODS.index("hand")) == "remove_device"
    t.do("HAPPENED", SHOE, events.REMOVED)
    t.do("METHOD", events.METHODS.index("hand"))
    t.do("LOCK", b"")
    assert t.m.r.dealing == "hand"
    assert t.refused("METHOD", 0) == "round_open"


def test_G6_jammed_shuffler_is_cleared_or_leaves_before_a_manual_shuffle():
    t = colorado(shuffler="plain")
    t.begin(1)
    play_out(t)
    t.end()
    t.do("HAPPENED", SHUFFLER, events.JAM)
    assert t.refused("SHUFFLED", 52) == "device_blocked"
    t.do("HAPPENED", SHUFFLER, events.REMOVED)
    assert t.checklist() == ["shuffle", "cut"]  # shuffled by hand, so it is cut
    t.do("HAPPENED", SHUFFLER, events.ATTACHED)
    t.begin(1)
    play_out(t)
    t.end()
    assert t.checklist() == ["inspect", "verify", "shuffle"]  # nobody knows what it brought
    t.begin(1)
    play_out(t)
    t.end()
    assert t.checklist() == ["shuffle"]


def test_G7_wagers_after_no_more_bets_are_rejected_and_alarmed():
    t = premium(sensors=True)
    t.open()
    t.bet(1, 500, 500)
    spots = bytearray(7)
    spots[0] = 3
    t.do("SENSORS", spots)
    t.begin(1)
    assert refused_bet(t, 1) == "no_more_bets" and refused_bet(t, 2) == "no_more_bets"
    spots[0] = 7
    late = ("alarm", "late_bet", 1, "dealer_bonus")
    assert late in t.do("SENSORS", spots)
    assert late not in t.do("SENSORS", spots)  # once a change
    spots[0] = 2
    assert ("alarm", "withdrawn", 1, "ante") in t.do("SENSORS", spots)
    spots[0], spots[3] = 3, 1
    assert ("alarm", "late_bet", 4, "ante") in t.do("SENSORS", spots)


def refused_bet(t, seat):
    try:
        t.bet(seat, 500, 500)
    except Exception as e:
        return e.code
    return None


def test_G7_chips_for_a_decision_are_no_late_bet():
    t = premium(sensors=True)
    t.open()
    t.bet(1, 500, 500)
    t.do("SENSORS", b"\x03\0\0\0\0\0\0")
    t.begin(1)
    assert find(t.do("SENSORS", b"\x23\0\0\0\0\0\0"), "alarm")  # nobody decides yet
    t.do("SENSORS", b"\x03\0\0\0\0\0\0")
    t.deal()
    assert not find(t.do("SENSORS", b"\x23\0\0\0\0\0\0"), "alarm")
    t.act(1, "play3")
    assert ("alarm", "withdrawn", 1, "play") in t.do("SENSORS", b"\x03\0\0\0\0\0\0")


def test_G7_sensors_and_entries_are_compared_at_the_lock():
    t = premium(sensors=True)
    t.open()
    t.bet(1, 500, 500, 100)
    t.do("SENSORS", b"\x03\0\0\0\0\0\0")
    assert t.refused("LOCK", b"") == "sensor_mismatch"
    assert t.refused("OVERRIDE", events.ACCEPT_SENSORS) == "attendant_key"
    t.key(1)
    effects = t.do("OVERRIDE", events.ACCEPT_SENSORS)
    assert ("log", "override", events.ACCEPT_SENSORS, 0) in effects
    t.do("LOCK", b"")
    assert t.m.accept == 0  # for one lock


def test_G8_void_returns_every_stake_and_pays_nothing():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    t.bet(1, 500, 500, 100, 200, 500)
    t.bet(2, 700, 700)
    t.begin(1, 2)
    t.deal()
    t.act(1, "play3")
    t.key(1)
    effects = t.do("VOID", 0)
    assert t.void_now() and len(t.m.r.results) == 8
    back = {(e[1], e[2]): e[3] for e in find(effects, "return")}
    assert back[1, "play"] == 1500 and back[1, "bonus_spin"] == 500 and back[2, "ante"] == 700
    assert t.m.meters.jackpot == 1000000 + 35  # the contribution stays
    t.end()
    assert t.m.meters.voids[0] == 1 and t.m.meters.rounds == 0 and sum(t.m.meters.handle) == 0


def test_G8_only_a_supervisor_voids_and_only_what_is_not_booked():
    t = headsup()
    t.begin(1)
    assert t.refused("VOID", 0) == "attendant_key"
    t.key(1)
    assert t.refused("VOID", 99) == "malformed"
    t.deal()
    t.all_act("raise1")
    t.deal()
    t.deal()
    t.do("REVEAL")
    t.do("PAID", 1)
    assert t.m.phase_name() == "collect" and t.refused("VOID", 0) == "settled_already"


def test_G9_odds_are_pairs_read_a_to_b():
    t = premium()
    t.begin(1, s1="AhKhQh", dealer="2c3d5h", board="JhTh7c8d")
    t.deal()
    t.act(1, "play3")
    t.deal()
    effects = t.do("REVEAL")
    assert ("pay", 1, "xtra", 250000, (500, 1), "13:69F-X.11(d)", 9) in effects


def test_G10_seat_order():
    t = premium()
    t.begin(3, 1, 5)
    t.deal()
    assert list(t.m.r.order) == [1, 3, 5]
    t = colorado()
    t.begin(3, 1, 5)
    t.deal()
    assert list(t.m.r.order) == [1, 3, 5]  # decisions clockwise
    t.all_act("bet", True)
    t.do("REVEAL")
    assert list(t.m.r.order) == [5, 3, 1]  # hands from the far right


def test_G11_misdealt_but_52_present_voids_all():
    t = colorado()
    t.begin(1)
    t.deal()
    t.do("STUB", 45, 1)
    assert t.void_now() and t.m.meters.voids[6] == 1
    t.end()
    assert t.m.phase_name() == "check"


def test_G11_not_misdealt_and_wrong_voids_all_and_the_deck_leaves():
    t = colorado()
    t.begin(1)
    t.deal()
    t.do("STUB", 45, 0)
    assert t.void_now()
    effects = t.end()
    assert t.m.phase_name() == "closed" and t.m.why == "deck_removed"
    assert find(effects, "checkpoint") == [("checkpoint", 1)]


def test_G11_wrong_after_settlement_is_alarmed_and_the_deck_leaves():
    t = colorado()
    t.begin(1)
    play_out(t)
    assert ("alarm", "stub_again", 0, "") in t.do("STUB", 45, 0)
    t.do("END")
    assert t.m.why == "deck_removed" and t.m.meters.rounds == 1


def test_G11_a_wrong_count_after_settlement_can_be_mended_until_the_cards_are_collected():
    t = colorado()
    t.begin(1)
    play_out(t)
    t.do("STUB", 4, 0)  # somebody forgot a digit
    t.do("STUB", 52 - t.m.r.dealt, 0)
    assert t.refused("STUB", 45, 0) == "counted_already"
    t.do("END")
    assert t.m.why == "open" and procedures.since_stub(t.m) == 0


def test_G12_second_deck_only_with_a_shuffler_and_alternating():
    try:
        Machine({"game": "premium", "second_deck": True})
        assert False, "opened"
    except SettingsError as e:
        assert (e.name, e.why) == ("second_deck", "deck_needs_shuffler")
    t = colorado(second_deck=True, shuffler="plain")
    t.begin(1)
    for deck in (0, 1, 0, 1):
        assert t.m.deck == deck
        play_out(t)
        t.end()
        t.begin(1)
    t.do("HAPPENED", SHUFFLER, events.REMOVED)  # one deck from here on
    play_out(t)
    t.end()
    assert t.m.deck == 0
    assert t.checklist() == ["shuffle", "cut"]


def test_G12_each_deck_has_its_own_opening():
    one = ["inspect", "verify", "spread", "view", "wash", "shuffle"]
    assert colorado().open() == one + ["cut"]
    assert colorado(shuffler="plain").open() == one
    assert colorado(second_deck=True, shuffler="plain").open() == one + one


def test_G13_cut_of_at_least_10():
    t = colorado()
    t.begin(1)
    play_out(t)
    t.end()
    t.do("SHUFFLED", 0)
    for wrong in (0, 9, 52, 255):
        assert t.refused("DONE", procedures.CUT, wrong) == "cut_least"
    t.do("DONE", procedures.CUT, 10)
    assert t.m.phase_name() == "bet"


def test_G13_pre_shuffled_cards_are_verified_and_cut():
    assert colorado().open(1) == ["verify", "cut"]
    assert colorado(shuffler="plain").open(1) == ["verify", "cut"]
    two = colorado(shuffler="plain", second_deck=True)
    assert two.open(1) == ["verify", "cut", "verify", "cut"]


def test_G13_recut_by_the_supervisor_before_the_first_card():
    t = colorado()
    t.open()
    assert t.refused("OVERRIDE", events.RECUT) == "attendant_key"
    t.key(1)
    t.do("OVERRIDE", events.RECUT)
    assert t.checklist() == ["cut"]
    t.begin(1)
    t.key(1)
    t.do("OVERRIDE", events.RECUT)  # after the lock, no card out yet
    assert t.refused("CARD", 0) == "cut_due"
    assert t.refused("DONE", procedures.CUT, 5) == "cut_least"
    assert find(t.do("DONE", procedures.CUT, 30), "due")
    t.deal(1)
    assert t.refused("OVERRIDE", events.RECUT) == "no_recut"


def test_G13_no_recut_of_cards_that_were_not_cut():
    t = colorado(shuffler="plain")
    t.open()
    t.key(1)
    assert t.refused("OVERRIDE", events.RECUT) == "no_recut"


def test_opening_needs_the_floorperson_and_the_order_of_steps():
    t = premium()
    t.do("OPEN", 0)
    assert t.refused("DONE", procedures.VERIFY, 0) == "step_order"
    t.do("DONE", procedures.INSPECT, 0)
    assert t.refused("DONE", procedures.VERIFY, 0) == "attendant_key"
    assert t.refused("IDLE") == "step_order"  # cards nobody verified are not spread for play
    assert t.refused("OPEN", 0) == "not_closed"
    assert t.refused("LOCK", b"") == "not_betting"


def test_idle_spread_and_reopen():
    for settings, steps in (
        ({}, ["turn_up", "view", "wash", "shuffle", "cut"]),
        ({"shuffler": "plain", "second_deck": True}, ["turn_up", "view", "wash", "shuffle"] * 2),
    ):
        t = premium(**settings)
        t.open()
        t.bet(1, 500, 500)
        assert t.refused("IDLE") == "wagers_stand"
        t.bet(1, 0)
        t.do("IDLE")
        assert t.m.phase_name() == "idle"
        assert t.open(2) == steps


def test_chips_that_lie_there_forbid_to_spread_or_close_without_a_key():
    """The bets of the next round lay there, unbooked, and the cards were spread beside them."""
    for name in ("IDLE", "CLOSE"):
        t = premium(sensors=True)
        t.open()
        t.do("SENSORS", bytes([0, 1, 0, 0, 0, 0, 0]))
        t.m.typed = True
        assert t.refused(name) == "chips_stand"
        t.key(1)  # a spot that fails must not keep a table open
        t.do(name)
        t = premium(sensors=True)
        t.open()
        t.do("SENSORS", bytes([0, 1, 0, 0, 0, 0, 0]))
        t.do(name)  # journals of earlier builds replay


def test_close_and_open_again():
    t = premium()
    t.begin(1)
    assert t.refused("CLOSE") == "round_open"
    play_out(t)
    t.end()
    t.do("CLOSE")
    assert t.m.phase_name() == "closed"
    t.open()


def test_undo_of_wagers_and_decisions():
    t = premium()
    t.open()
    t.bet(1, 500, 500)
    t.bet(1, 900, 900)
    t.do("TAKE_BACK")
    assert t.m.bets[1] == [500, 500, 0, 0, 0]
    assert ("undone", "BET", 1) in t.do("TAKE_BACK") and t.m.bets[1] is None
    assert t.refused("TAKE_BACK") == "nothing_to_undo"
    t.begin(1, 2)
    assert t.refused("TAKE_BACK") == "nothing_to_undo"
    t.deal()
    before = t.m.snapshot()
    t.act(1, "play3")
    assert find(t.do("TAKE_BACK"), "ask") == [("ask", 1, "play3", "check")]
    assert t.m.snapshot() == before
    t.act(1, "check")
    t.act(2, "check")  # the stage moves on to the board
    t.do("TAKE_BACK")
    assert t.m.r.kind() == "decide" and t.m.r.turn == 1
    t.act(2, "play3")
    t.deal(1)
    assert t.refused("TAKE_BACK") == "nothing_to_undo"  # a card was dealt since


def test_undo_of_a_fold_gives_the_stakes_back_to_the_hand():
    t = winners_pot()
    t.begin(1, 2)
    t.deal()
    t.act(1, "fold")
    t.do("TAKE_BACK")
    assert t.m.r.live() == [1, 2]


def decided():
    """Three seats of Heads Up before the dealer's hand; snapshots before each of the last acts."""
    t = headsup()
    t.begin(1, 2, 3)
    t.deal()
    states = []
    while due(t.m).kind in ("decide", "deal"):
        now = due(t.m)
        states.append(t.m.snapshot())
        if now.kind == "decide":
            t.act(now.seat, "check" if "check" in now.choices else "raise1")
        else:
            t.deal()
            states = []
    return t, states


def settled_up_to(seat):
    """The same at settlement; snapshots before each entry from the last act on."""
    t, states = decided()
    states.append(t.m.snapshot())
    t.do("REVEAL")
    while due(t.m).seat <= seat and due(t.m).kind == "settle":
        states.append(t.m.snapshot())
        t.do("PAID", due(t.m).seat)
    return t, states


def test_undo_reaches_back_over_settled_and_reveal_not_to_decisions():
    t, states = settled_up_to(3)
    assert due(t.m).kind == "collect" and len(states) >= 7
    undone = []
    for _ in range(4):
        undone += [e[1:] for e in t.do("TAKE_BACK") if e[0] == "undone"]
        assert t.m.snapshot() == states.pop()
    assert undone == [("PAID", 3), ("PAID", 2), ("PAID", 1), ("REVEAL", 0)]
    assert t.refused("TAKE_BACK") == "nothing_to_undo"  # the dealer's hand was seen


def test_undo_of_decisions_ends_at_the_last_card():
    t, states = settled_up_to(0)
    undone = [e[1:] for e in t.do("TAKE_BACK") if e[0] == "undone"]
    assert undone == [("REVEAL", 0)]
    t, states = decided()
    undone = []
    while states:
        undone += [e[1:] for e in t.do("TAKE_BACK") if e[0] == "undone"]
        assert t.m.snapshot() == states.pop()
    assert undone == [("ACT", 3), ("ACT", 2), ("ACT", 1)]
    assert t.refused("TAKE_BACK") == "nothing_to_undo"  # a card lies on what came before


def test_undo_ends_where_chips_of_the_next_seat_have_moved():
    t, states = settled_up_to(1)
    moved = bytearray(t.m.sensors)
    moved[0] ^= 1  # the seat that was settled takes its chips up
    t.do("SENSORS", bytes(moved))
    assert ("undone", "PAID", 1) in t.do("TAKE_BACK")
    t.do("PAID", 1)
    moved[1] ^= 1  # seat 2 is settled now
    t.do("SENSORS", bytes(moved))
    assert t.refused("TAKE_BACK") == "nothing_to_undo"


def test_a_board_card_that_was_turned_can_be_turned_back_but_nothing_before_it():
    t = colorado()
    t.begin(1)
    t.deal()
    t.act(1, "bet")
    t.do("REVEAL")
    assert ("undone", "REVEAL", 0) in t.do("TAKE_BACK") and due(t.m).kind == "show"
    t.do("REVEAL")
    t.do("TAKE_BACK")
    assert t.refused("TAKE_BACK") == "nothing_to_undo"


def test_a_key_or_sensor_between_does_not_spoil_an_undo():
    t = premium()
    t.begin(1)
    t.deal()
    t.act(1, "play3")
    t.key(1)
    t.do("SENSORS", bytes(7))
    t.do("TAKE_BACK")
    assert t.m.r.raised[1] == 0


def test_override_and_configuration_are_logged_and_need_their_keys():
    t = premium()
    assert ("log", "config", 0, 0) in t.do("CONFIG", bytes(32))
    assert t.refused("CONFIG", b"12") == "malformed"
    assert t.refused("PERIOD") == "attendant_key"
    t.key(1)
    assert ("log", "period", 0, 0) in t.do("PERIOD")
    assert t.refused("OVERRIDE", 9) == "malformed"
    t.open()
    t.bet(1, 500, 500)
    assert t.refused("CONFIG", bytes(32)) == "wagers_stand"
    t.begin(1)
    assert t.refused("CONFIG", bytes(32)) == "round_open"


def test_garbage_is_refused_by_name():
    t = premium()
    for raw in (b"", b"\x00", b"\xff\x01", pack("OPEN", 0) + b"x", b"\x0d\x01"):
        before = t.m.snapshot()
        try:
            t.m.step(raw)
            assert False, raw
        except Exception as e:
            assert e.code in ("unknown_event", "malformed"), raw
        assert t.m.snapshot() == before


def test_a_device_fault_is_logged():
    assert premium().do("FAULT", 3, 4) == [("log", "fault", 3, 4)]


def test_state_of_another_table_or_torn_state_is_refused():
    t = premium()
    whole = t.m.dump()
    for buf in (b"", whole[:5], whole[:40], whole[:-1], headsup().m.dump(), b"\xff\xff"):
        try:
            premium().m.load(buf)
            assert False, len(buf)
        except ValueError:
            pass
    premium().m.load(whole)
