"""What the rule texts say in every game alike; docs/rules.md names the test of each sentence."""

from croupier import Croupier, find
from felt.games.common import BOARD, BURN, DEALER, DISCARD
from felt.games.settings import SettingsError
from felt.round import decks, events, procedures
from felt.round.due import due, stub_due
from felt.round.machine import Machine

FRESH = True
GAMES = ("premium", "headsup", "colorado", "winners_pot", "ultimate", "three_card")
METHODS = ("shoe", "hand", "auto")
DRAWN = 0
OPENING = ["inspect", "verify", "spread", "view", "wash", "shuffle"]


def one(game, **settings):
    if game == "colorado":
        settings["version"] = "required"
    if settings.get("dealing") == "hand":
        settings.setdefault("shuffler", "plain")
    return Croupier(game, **settings)


def every(**settings):
    return [one(game, **settings) for game in GAMES]


def everywhere():
    """Every game in every way of dealing."""
    return [one(game, dealing=method) for method in METHODS for game in GAMES]


def all_dealt(t):
    """A round whose last card lies there and whose hands are not settled."""
    t.begin(1, 2)
    while not t.m.r.all_dealt():
        t.turn()
    return t


def voided(t):
    """End the round that is open as the supervisor would."""
    t.key(1)
    t.do("VOID", 0)
    t.key(0)
    t.do("END")


def steps_before_a_lock(t):
    """Work the checklist off; no wager is locked before it is empty."""
    found = []
    t.key(1)
    while due(t.m).kind == "check":
        assert t.refused("LOCK", b"") == "not_betting"
        found.append(due(t.m).choices[0])
        t.turn()
    t.key(0)
    return found


def test_nothing_is_dealt_before_the_cards_are_inspected_shuffled_and_cut():
    for t in every():
        assert t.refused("LOCK", b"") == "not_betting"
        t.do("OPEN", 0)
        assert steps_before_a_lock(t) == OPENING + ["cut"]
        t.begin(1, 2)
        t.deal(1)
        voided(t)
        assert steps_before_a_lock(t) == ["shuffle", "cut"]


def test_cards_from_a_shuffler_are_dealt_without_a_cut():
    for t in every(shuffler="plain"):
        t.do("OPEN", 0)
        assert steps_before_a_lock(t) == OPENING
        t.begin(1, 2)
        voided(t)
        assert steps_before_a_lock(t) == ["shuffle"]


def test_pre_shuffled_cards_are_verified_and_cut_and_shuffled_after_their_round():
    for t in every():
        t.do("OPEN", 1)
        assert steps_before_a_lock(t) == ["verify", "cut"]
        t.begin(1, 2)
        voided(t)
        assert due(t.m).choices == ("shuffle",)


def test_a_second_deck_needs_a_shuffler_in_every_game():
    for game in GAMES:
        settings = dict(one(game).m.cfg_source)
        settings["second_deck"] = True
        try:
            Machine(settings)
            raise AssertionError(game)
        except SettingsError as e:
            assert (e.name, e.why) == ("second_deck", "deck_needs_shuffler")


def test_decks_alternate_and_each_is_seen_by_itself_in_every_game():
    for t in every(shuffler="plain", second_deck=True):
        t.do("OPEN", 0)
        assert steps_before_a_lock(t) == OPENING + OPENING
        for deck in (0, 1, 0):
            assert t.m.deck == deck
            t.begin(1, 2)
            voided(t)
        assert decks.facts(t.m, 0)[0] == decks.facts(t.m, 1)[0] == 1


def test_the_cards_of_one_deck_are_collected_before_the_other_is_used():
    t = one("headsup", shuffler="plain", second_deck=True)
    all_dealt(t)
    t.settle()
    assert due(t.m).kind == "collect" and t.m.deck == 0
    assert t.refused("LOCK", b"") == "not_betting" and t.refused("SHUFFLED", 0) == "no_checklist"
    t.do("END")
    assert t.m.deck == 1


def test_a_card_before_the_deck_is_ready_belongs_to_no_round():
    for t in every():
        t.begin(1, 2)
        voided(t)
        effects = t.do("SHOE", DRAWN, 1, bytes([7]))
        assert find(effects, "alarm") == [("alarm", "astray", 0, "")]
        t.begin(1, 2)
        assert t.m.r.dealt == 0 and not t.m.r.seen[7]


def test_no_card_is_dealt_before_no_more_bets():
    for t in everywhere():
        t.open()
        assert t.refused("CARD", 7) == "no_card_due"
        assert t.refused("STACK", bytes([7, 8, 9])) == "no_card_due"
        t.begin(1, 2)
        assert t.m.r.dealt == 0 and due(t.m).kind == "deal"


def test_a_card_drawn_in_error_is_the_first_one_in_every_game():
    for t in every():
        t.open()
        t.do("SHOE", DRAWN, 1, bytes([7]))
        t.begin(1, 2)
        assert list(t.m.r.cards[1]) == [7] and not t.m.r.visible[1] and t.m.r.dealt == 1


def test_one_card_face_up_is_laid_aside_and_two_void_in_every_game():
    for t in every():
        t.begin(1, 2)
        t.deal(1)
        t.do("FACEUP", t.filler.pop())
        assert due(t.m).kind == "deal" and len(t.m.r.cards[DISCARD]) == 1
        t.do("FACEUP", t.filler.pop())
        assert t.void_now() and t.m.r.void == "face_up"
        t.do("END")
        assert due(t.m).choices == ("shuffle",)


def test_colorado_is_dealt_from_the_far_left_with_the_board_last():
    for dealing in ("shoe", "hand"):
        t = one("colorado", dealing=dealing)
        t.begin(2, 5)
        assert [list(d) for d in t.m.r.plan] == [[2], [5], [BOARD]] * 3
        t.deal()
        assert not any(t.m.r.visible)
    t = one("colorado", dealing="auto")
    t.begin(2, 5)
    assert [list(d) for d in t.m.r.plan] == [[2] * 3, [5] * 3, [BOARD] * 3]
    t.deal()
    assert not any(t.m.r.visible)


def test_winners_pot_from_an_automated_shoe():
    t = one("winners_pot", dealing="auto")
    t.begin(2, 5)
    up = [0x80 | place for place in (2, 5, DEALER)]
    assert [list(d) for d in t.m.r.plan] == [[p & 127, p & 127, p] for p in up]
    t.deal()
    for word in ("bet", "double"):
        t.all_act(word)
        assert [list(d) for d in t.m.r.plan] == [[BURN]] + [[p] for p in up]
        t.deal()


def test_dealing_from_the_hand_needs_a_shuffler_in_every_game():
    for game in GAMES:
        settings = dict(one(game).m.cfg_source)
        settings["dealing"] = "hand"
        try:
            Machine(settings)
            raise AssertionError(game)
        except SettingsError as e:
            assert e.name == "dealing"
        assert one(game).refused("METHOD", events.METHODS.index("hand")) == "hand_needs_shuffler"
        assert one(game, dealing="hand").m.dealing == "hand"


def _asked(t):
    """Play five rounds; return those in which the stub had to be counted."""
    asked = []
    for number in range(1, 6):
        t.begin(1, 2)
        while due(t.m).kind not in ("collect", "check"):
            if due(t.m).kind == "stub":
                asked.append(number)
            t.turn()
        t.do("END")
    return asked


def test_the_stub_is_counted_in_every_fifth_round_of_every_game_from_a_shoe():
    for t in every():
        assert _asked(t) == [5]


def test_the_stub_is_counted_in_every_fifth_round_of_every_game_from_the_hand():
    for t in every(dealing="hand"):
        assert _asked(t) == [5]


def test_the_stub_is_counted_in_every_fifth_round_of_every_game_from_an_automated_shoe():
    for t in every(dealing="auto"):
        assert _asked(t) == [5]


def test_no_card_is_due_once_all_are_dealt_in_every_way_of_dealing():
    for t in everywhere():
        all_dealt(t)
        typed = ("STACK", bytes([7])) if t.m.dealing == "auto" else ("CARD", 7)
        assert t.refused(*typed) == "no_card_due"
        before = t.m.r.dealt
        effects = t.do("SHOE", DRAWN, 0, bytes([t.filler.pop()]))
        assert ("alarm", "too_many", 0, "") in effects and not find(effects, "card")
        assert t.m.r.dealt == before + 1 and not t.m.r.visible[DISCARD]


def test_a_right_count_lets_the_round_go_on_in_every_way_of_dealing():
    for t in everywhere():
        all_dealt(t)
        before = due(t.m)
        assert ("note", "stub_right") in t.do("STUB", 52 - t.m.r.dealt, 0)
        assert due(t.m) == before and not t.m.r.void


def test_a_wrong_count_of_hands_dealt_right_voids_all_and_the_deck_leaves():
    for t in everywhere():
        all_dealt(t)
        t.do("STUB", 51 - t.m.r.dealt, 0)
        assert t.void_now() and t.m.r.void == "stub_wrong"
        t.do("END")
        assert t.m.why == "deck_removed" and t.refused("OPEN", 2) == "not_idle"


def test_a_wrong_count_of_misdealt_hands_voids_all_and_52_cards_stay():
    for t in everywhere():
        all_dealt(t)
        on_felt = t.m.r.dealt + 1
        t.do("STUB", 52 - on_felt, events.ON_FELT + on_felt)
        assert t.void_now() and t.m.r.void == "stub_misdealt"
        t.do("END")
        assert due(t.m).choices == ("shuffle",)


def test_a_counting_shuffler_spares_the_count_of_the_stub():
    for dealing in METHODS:
        for game in GAMES:
            t = one(game, dealing=dealing, shuffler="counting", stub_every=1)
            all_dealt(t)
            no_waiver = game == "premium" and dealing == "auto"
            assert stub_due(t.m) == no_waiver, (game, dealing)


def test_a_deck_that_a_shuffler_counts_wrong_leaves_in_every_game():
    for dealing in METHODS:
        for t in every(dealing=dealing, shuffler="counting"):
            t.begin(1, 2)
            voided(t)
            t.do("SHUFFLED", 51)
            assert t.m.why == "deck_removed"


def test_the_stub_is_taken_out_of_an_automated_shoe():
    for t in every(dealing="auto"):
        all_dealt(t)
        t.do("HAPPENED", events.SHOE, events.REMOVED)
        assert not t.m.r.void


def test_an_automated_shoe_that_fails_voids_the_round_in_every_game():
    for what in (events.JAM, events.EMPTY, events.REMOVED):
        for t in every(dealing="auto"):
            t.begin(1, 2)
            t.deal(1)
            t.do("HAPPENED", events.SHOE, what)
            assert t.void_now() and t.m.r.void == "jam"
            t.do("END")
            assert due(t.m).choices == ("shuffle",)
            if what != events.EMPTY:
                t.checklist()
                t.bet(1, *[500] * t.m.game.MANDATORY)
                t.bet(2, *[500] * t.m.game.MANDATORY)
                assert t.refused("LOCK", b"") == "device_blocked"


def test_a_shuffler_that_fails_lets_the_round_go_on_and_shuffles_no_more():
    for t in every(shuffler="plain"):
        t.begin(1, 2)
        t.deal(1)
        t.do("HAPPENED", events.SHUFFLER, events.JAM)
        assert due(t.m).kind == "deal"
        voided(t)
        assert t.refused("SHUFFLED", 0) == "device_blocked"
        t.do("HAPPENED", events.SHUFFLER, events.REMOVED)
        assert steps_before_a_lock(t) == ["shuffle", "cut"]


def test_an_automated_shoe_leaves_before_another_way_of_dealing_in_every_game():
    for t in every(dealing="auto", shuffler="plain"):
        for way in ("shoe", "hand"):
            assert t.refused("METHOD", events.METHODS.index(way)) == "remove_device"
        t.do("HAPPENED", events.SHOE, events.REMOVED)
        t.do("METHOD", events.METHODS.index("hand"))


def test_cards_lie_spread_while_nobody_plays_and_are_mixed_again_in_every_game():
    for t in every():
        t.open()
        t.do("IDLE")
        assert t.refused("LOCK", b"") == "not_betting"
        t.do("OPEN", 2)
        assert steps_before_a_lock(t) == ["turn_up", "view", "wash", "shuffle", "cut"]


def test_a_recut_before_the_first_card_in_every_game():
    for t in every():
        t.begin(1, 2)
        t.key(1)
        t.do("OVERRIDE", events.RECUT)
        assert due(t.m).choices == ("cut",)
        assert t.refused("DONE", procedures.CUT, 9) == "cut_least"
        t.do("DONE", procedures.CUT, 10)
        t.deal(1)
        assert t.refused("OVERRIDE", events.RECUT) == "no_recut"


def test_a_hand_with_a_wrong_number_of_cards_costs_what_its_game_says():
    for game, place, more, left in (
        ("premium", 1, 1, "seat"), ("premium", 1, -1, "seat"), ("premium", DEALER, 1, "void"),
        ("headsup", 1, 1, "void"), ("headsup", 1, -1, "void"), ("headsup", DEALER, 1, "void"),
        ("colorado", 1, 1, "void"), ("colorado", 1, -1, "void"), ("colorado", BOARD, 1, "void"),
        ("winners_pot", 1, 1, "seat"), ("winners_pot", 1, -1, "void"),
        ("winners_pot", DEALER, -1, "void"), ("ultimate", 1, 1, "void"),
        ("ultimate", DEALER, 1, "void"), ("three_card", 1, 1, "seat"),
        ("three_card", 1, -1, "seat"), ("three_card", DEALER, 1, "void"),
    ):  # fmt: skip
        t = one(game)
        t.begin(1, 2)
        t.deal()
        t.do("MISCOUNT", place, len(t.m.r.cards[place]) + more)
        assert bool(t.m.r.void) == (left == "void"), (game, place, more)
        if left == "seat":
            assert 1 not in t.m.r.live() and 2 in t.m.r.live()
            t.settle()
            t.end()
        else:
            t.do("END")
        assert due(t.m).choices == ("shuffle",)


def test_G7a_an_irregularity_is_taken_until_its_seat_is_booked():
    t = all_dealt(one("premium"))
    while due(t.m).kind != "settle":
        t.turn()
    t.do("PAID", 1)
    assert t.refused("MISCOUNT", 1, 4) == "settled_already"
    t.do("MISCOUNT", 2, 4)
    assert t.nets()[2, "ante"] == 0 and due(t.m).kind == "collect"


def test_G7c_a_typed_report_that_voids_needs_the_key():
    for key, answer in (("attendant", "attendant_key"), ("none", None)):
        t = one("headsup", void_key=key)
        t.begin(1, 2)
        t.deal()
        t.m.typed = True
        assert t.refused("MISCOUNT", 1, 3) == answer
        t.m.typed = False
        assert t.m.r.void if answer is None else not t.m.r.void
