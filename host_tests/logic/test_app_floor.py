"""The floorperson's menu on the glass: what its touches book, and pages read to their end."""

from at_table import QUICK, Sitting
from felt.dealer import pages
from felt.dealer import touch as touching
from felt.games.common import VOID
from felt.link import terminal as keys
from felt.round.due import due


LOG = "EVENT LOG, newest first"


def floor(at, entry):
    """Touch an entry of the menu; return what was told."""
    at.touch(keys.FLOOR)
    return at.touch(keys.MENU, touching.FLOOR.index(entry))


def dealt(game, *seats, **settings):
    """A table on the glass whose seats wait for their first decision, the attendant's key on."""
    at = Sitting(game, **settings)
    at.hw.terminal.view = True
    at.play.begin(*seats)
    at.play.deal()
    at.play.key(1)
    at.told()
    return at


def miscounted(at, entry, seat):
    """Report a wrong count on the glass; return what the log keeps of it."""
    floor(at, entry)
    at.touch(keys.SEAT_KEY, seat)
    at.told()
    return at.logged("miscount")


def test_W10_a_card_too_many_voids_that_hand_only():
    at = dealt("winners_pot", 1, 2, 3)
    assert miscounted(at, "miscount SEAT more", 2) == [("miscount", 2, 4)], "the true count"
    assert at.m.r.status[2] == VOID and due(at.m).kind == "decide" and not at.m.r.void


def test_W10_a_missing_card_is_a_misdeal():
    at = dealt("winners_pot", 1, 2, 3)
    assert miscounted(at, "miscount SEAT less", 2) == [("miscount", 2, 2)]
    assert due(at.m).kind == "void" and at.m.r.void == "misdeal"


def test_P20_a_card_the_dealer_lacks_is_dealt():
    at = dealt("premium", 1, 2)
    at.touch(keys.FLOOR)
    at.touch(keys.MENU, touching.FLOOR.index("miscount SEAT less"))
    assert "pS0 Dealer" in at.hw.terminal.parts.values(), "the dealer's place has a button"
    at.touch(keys.SEAT_KEY, 0)
    assert at.logged("miscount") == [("miscount", 0, 2)] and due(at.m).kind == "mend"
    at.touch(keys.FLOOR)
    assert "pS0 Dealer" not in at.hw.terminal.parts.values(), "only where it is asked for"


def test_a_count_is_guarded_and_refused_where_no_cards_lie():
    at = dealt("winners_pot", 1, 2)
    at.touch(keys.FLOOR)
    shown = list(at.hw.terminal.parts.values())
    for entry, label in (("more", "Card too many"), ("less", "Card missing")):
        index = touching.FLOOR.index("miscount SEAT " + entry)
        assert "rM%d %s" % (index, label) in shown
    at.touch(keys.MENU, touching.FLOOR.index("miscount SEAT less"))
    assert at.touch(keys.SEAT_KEY, 5) == ["! There is no seat 5 here."]
    for word in ("more", "less"):
        at = Sitting("winners_pot")
        at.play.begin(1, 2)
        assert at.say("miscount 1 " + word) == ["! No card lies at seat 1."]
    at = Sitting("winners_pot")
    assert at.say("miscount 1 less") == ["! No round is open."]


def next_key(at):
    """Touch NEXT on a screen that was looked at; return what was told."""
    at.now += 1000
    return at.touch(keys.NEXT)


def reading(at):
    """The title of the page that is open, or None; what NEXT does."""
    shown = at.hw.terminal.parts
    return (at.app.page or [None])[0], shown[keys.BUTTON]


def test_a_list_longer_than_the_screen_is_read_to_its_end_with_next():
    at = Sitting("winners_pot")
    at.hw.terminal.view = True
    at.play.open()
    for number in range(20):
        at.table.note("probe", number)
        at.table.note("tap", 1)
    at.told()
    booked = at.named()
    floor(at, "log")
    assert reading(at) == (LOG, "gN0 NEXT PAGE")
    next_key(at)
    assert reading(at) == (LOG + " (2)", "gN0 NEXT PAGE")
    assert at.touch(keys.NEXT) == [QUICK] and reading(at)[0] == LOG + " (2)", (
        "a bounce turns nothing"
    )
    while reading(at) != (None, "pN0 NO MORE BETS"):
        last = reading(at)
        assert next_key(at) == []
    assert last[1] == "gN0 CLOSE PAGE" and at.named() == booked, "no page books anything"
    floor(at, "log")
    at.touch(keys.SEAT_KEY, 1)
    assert reading(at)[0] is None, "any other touch closes it"
    at.say("log")
    at.now += 1000
    at.say("next")
    assert reading(at)[0] == LOG + " (2)", "typed as well"


def test_every_page_knows_the_words_of_the_one_that_follows():
    for words, page, then in (
        ("log", 2, "log 2"), ("log 2", 3, "log 3"), ("log x", 2, "log 2"),
        ("recall", 2, "recall 1 2"), ("recall 3", 2, "recall 3 2"),
        ("recall 3 2", 3, "recall 3 3"), ("recall x", 2, "recall 1 2"),
    ):  # fmt: skip
        assert " ".join(pages.following(words.split(), page)) == then


def test_next_puts_the_menu_away_and_books_nothing_under_it():
    """Its button was not golden, and booked all the same while the menu asked for a seat."""
    at = Sitting("winners_pot")
    at.play.begin(1, 2)
    at.play.deal()
    at.hw.terminal.view = True
    for seat in (1, 2):
        at.touch(keys.SEAT_KEY, seat)
        at.touch(keys.ACTION, 0)
    at.now += 1000
    at.touch(keys.FLOOR)
    at.touch(keys.MENU, touching.FLOOR.index("exposed SEAT"))
    assert at.hw.terminal.parts[keys.BUTTON] == "pN0 BOOK"
    assert at.touch(keys.NEXT) == [] and due(at.m).kind == "decide"
    assert not at.app.desk.floor and not at.app.desk.asks
    assert at.hw.terminal.parts[keys.BUTTON] == "gN0 BOOK"
    assert at.touch(keys.NEXT) == [QUICK] and due(at.m).kind == "decide", "a bounce"
    at.now += 1000
    assert at.touch(keys.NEXT) == [] and due(at.m).kind == "deal"


def test_an_entry_that_is_about_a_seat_says_that_it_waits_for_one():
    at = dealt("winners_pot", 1, 2)
    before = at.hw.terminal.parts[keys.PROMPT]
    for entry, asked in (
        ("exposed SEAT", "Player card seen: touch the seat"),
        ("miscount SEAT less", "Card missing: touch the seat or place"),
    ):
        floor(at, entry)
        assert at.hw.terminal.parts[keys.PROMPT] == asked
        at.touch(keys.FLOOR)
        assert at.hw.terminal.parts[keys.PROMPT] == before, "the menu was left"


def test_a_key_that_was_left_on_stands_on_the_glass():
    at = dealt("winners_pot", 1, 2)
    assert at.hw.terminal.parts[keys.FOOT] == "button dealer  ATTENDANT KEY ON"
    at.app.queue.put(("key", (0, False)))
    at.told()
    assert at.hw.terminal.parts[keys.FOOT] == "button dealer"


def test_a_table_whose_automated_shoe_is_gone_deals_another_way_by_touches_alone():
    """Both ways were offered and refused: only a typed line took the shoe off."""
    at = Sitting("headsup", dealing="auto")
    at.hw.terminal.view = True
    at.play.open()
    at.hw.shoe.connected = False
    at.say("bet 1 ante 5 odds 5")
    assert at.hw.terminal.parts[keys.BUTTON] == "pN0 NO MORE BETS"
    at.touch(keys.FLOOR)
    shown = [
        text[1:] for text in at.hw.terminal.parts.values() if "Shoe" in text or "Deal" in text
    ]
    assert shown == ["M%d Shoe taken off" % touching.FLOOR.index("device shoe removed")]
    at.touch(keys.FLOOR)
    floor(at, "device shoe removed")
    floor(at, "method shoe")
    assert at.m.dealing == "shoe"
    floor(at, "device shoe attached")
    assert at.hw.terminal.parts[keys.BUTTON][0] == "g", "a manual shoe may be silent"
    next_key(at)
    assert at.m.r, "bets are locked"


def test_spins_that_cannot_be_drawn_are_tested_or_ended_by_touches_alone():
    """SPIN was golden and refused for ever: what the page says to do could only be typed."""
    for entry in ("entropy", "nospin"):
        at = Sitting("premium", bonus_spin="flush1_fixed", fixed_prize=100000)
        at.hw.terminal.view = True
        at.play.open()
        at.play.bet(1, 500, 500, 0, 0, 100)
        at.play.begin(1, s1="2h5h9h", dealer="3c3dTs", board="KdQs8c7d")
        for word in ("check", "play1"):
            at.play.deal()
            at.play.act(1, word)
        while due(at.m).kind != "spin":
            at.play.turn()
        at.noise.fault = "entropy_stuck"
        at.play.key(1)
        at.told()
        assert at.hw.terminal.parts[keys.BUTTON][0] == "p"
        assert "stuck" in next_key(at)[0]
        floor(at, entry)
        if entry == "nospin":
            assert due(at.m).kind == "collect" and (1, "bonus_spin", 0) in at.m.r.results
        else:
            assert at.hw.terminal.parts[keys.BUTTON][0] == "g"
            next_key(at)
            assert due(at.m).kind in ("spun", "hand_pay")


def test_a_typed_ok_books_nothing_that_lies_under_the_menu():
    at = dealt("winners_pot", 1, 2)
    at.touch(keys.FLOOR)
    for word in ("ok", "next"):
        booked = at.named()
        at.app.desk.floor = True
        at.now += 1000
        at.say(word)
        assert at.named() == booked and not at.app.desk.floor
    at.touch(keys.FLOOR)
    at.hw.terminal.view, at.hw.terminal.changed = False, "console"
    at.app.poll_terminal(at.now)
    assert not at.app.desk.floor, "nothing shows it there"


def test_no_meters_are_told_of_memory_that_was_not_read():
    """They were those of a machine just made: noughts, to be noted before the real ones went."""
    for fault, told in (("state_foreign", False), ("vault_chain", False), ("replay", False),
                        ("journal", True), (None, True)):  # fmt: skip
        at = Sitting("headsup")
        at.table.fault = fault
        heard = at.say("meters")
        assert (at.app.page is not None) == told, fault
        assert told or heard[0].endswith("Nothing is accepted: call service."), heard
