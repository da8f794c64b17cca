"""Cards nobody read, named on the glass by rank and suit, in any order; none is told before."""

from at_table import Sitting
from felt import cards
from felt.dealer import touch as touching
from felt.link import terminal as keys
from felt.round.due import due


def name(at, *words):
    """Touch rank and suit of cards; return what was told."""
    told = []
    for word in words:
        told += at.touch(keys.CARD, cards.RANKS.index(word[0]))
        if len(word) > 1:
            told += at.touch(keys.CARD, touching.SUIT + cards.SUITS.index(word[1]))
    return told


def unread(game="headsup", **settings):
    """A table without a reader on the glass, seat 1 dealt in stacks nobody has seen."""
    at = Sitting(game, dealing="auto", card_reader=False, **settings)
    at.hw.terminal.view = True
    at.play.begin(1)
    at.play.do("DEALT")
    at.told()
    return at


def next_key(at):
    """Touch NEXT on a screen that was looked at; return what was told."""
    at.now += 1000
    return at.touch(keys.NEXT)


def test_a_round_nobody_read_is_finished_on_the_glass():
    at = unread()
    at.say("1 check")
    shown = at.hw.terminal.parts
    assert shown[keys.PROMPT] == "Turn cards of board: touch rank and suit"
    assert shown[keys.BOOKS] == "board: ?? ?? ??" and shown[keys.BUTTON] == "pN0 NAME CARDS"
    assert next_key(at) == ["! Touch rank, then suit, of every card."]
    assert name(at, "2c", "7d", "9h") == [] and next_key(at) == ["Cards named: board"]
    next_key(at)
    at.say("1 raise1")
    assert at.hw.terminal.parts[keys.BOOKS] == "board: 2c 7d 9h ?? ??", "those lie there seen"
    name(at, "Js", "Qs")
    next_key(at)
    next_key(at)
    for place, hand in (("dealer", ("Kc", "Kd")), ("seat 1", ("Ac", "Ad"))):
        assert due(at.m).kind == "name"
        assert at.hw.terminal.parts[keys.BOOKS] == place + ": ?? ??"
        name(at, *hand)
        assert at.hw.terminal.parts[keys.BUTTON] == "gN0 NAME CARDS"
        next_key(at)
        if place == "dealer":
            assert due(at.m).kind == "reveal"
            next_key(at)
    assert due(at.m).kind == "settle" and cards.names(at.m.r.cards[1]) == "Ac Ad"
    next_key(at)
    assert due(at.m).kind == "collect"


def test_half_a_card_is_shown_exchanged_and_taken_back():
    at = unread()
    at.say("1 check")
    assert at.touch(keys.CARD, touching.SUIT) == ["! Touch rank, then suit, of every card."]
    name(at, "Ah", "K")
    shown = at.hw.terminal.parts
    assert shown[keys.BOOKS] == "board: Ah K? ??" and "oH11 K" in shown.values()
    assert name(at, "A") == [] and at.app.desk.typed == "AhA", "the last rank counts"
    assert at.touch(keys.CARD, touching.SUIT + 2) == ["! Ah is named twice."]
    assert at.touch(keys.CARD, touching.SUIT + 4) == ["! Touch rank, then suit, of every card."]
    at.touch(keys.SEAT_KEY, 1)
    assert at.app.desk.typed == "AhA", "a seat that is touched forgets nothing"
    assert at.touch(keys.UNDO) == [] and at.app.desk.typed == "Ah"
    name(at, "Kd", "Qs")
    assert name(at, "2") == ["! All its cards are named: NEXT, or erase one."]
    at.touch(keys.ERASE)
    assert at.hw.terminal.parts[keys.BOOKS] == "board: Ah Kd ??"
    for left in ("Ah", "", ""):
        at.touch(keys.ERASE)
        assert at.app.desk.typed == left
    assert at.touch(keys.UNDO) == ["Taken back: decision of seat 1"], "nothing is half entered"


def mixed():
    """Heads Up to the dealer's hand: his first card was typed, nobody knows his second."""
    at = Sitting("headsup", card_reader=False)
    at.hw.terminal.view = True
    at.play.begin(1)
    for card in (1, 4, 2, 255):
        at.play.do("CARD", card)
    at.play.act(1, "raise1")
    for card in (10, 20, 30, 40, 50):
        at.play.do("CARD", card)
    at.told()
    assert due(at.m).kind == "name" and list(at.m.r.cards[0]) == [4, 255]
    return at


def test_G7b_a_card_that_was_read_keeps_its_place_and_is_not_told():
    at = mixed()
    assert at.hw.terminal.parts[keys.BOOKS] == "dealer: ?? ??"
    name(at, "Ks", "3c")
    next_key(at)
    assert cards.names(at.m.r.cards[0]) == "3c Ks", "touched in the other order"
    at = mixed()
    name(at, "Ks", "4c")
    assert next_key(at) == ["! Turn the attendant key on first."], "another one was read there"
    assert at.logged("probe") and at.app.desk.typed == "Ks4c"
    at.play.key(1)
    at.told()
    next_key(at)
    assert cards.names(at.m.r.cards[0]) == "Ks 4c" and at.app.desk.typed == ""


def test_a_hand_nobody_read_is_named_before_its_discard_is_asked_for():
    at = Sitting("colorado", card_reader=False, version="required")
    at.hw.terminal.view = True
    at.play.begin(1, 2)
    for card in (255, 1, 20, 255, 5, 30, 255, 9, 40):
        at.play.do("CARD", card)
    for seat in (1, 2):
        at.say("%d bet" % seat)
    while due(at.m).kind == "show":
        next_key(at)
    assert (due(at.m).kind, due(at.m).seat) == ("discard", 2)
    at.touch(keys.CARD, 1)
    assert (due(at.m).kind, due(at.m).seat) == ("settle", 2)
    held = [text for text in at.hw.terminal.parts.values() if text[1:2] == keys.CARD]
    assert held == [], "seat 1 lies unread: none of its cards can be touched yet"
    next_key(at)
    assert (due(at.m).kind, due(at.m).seat) == ("name", 1)
    name(at, "2h", "Th", "Kh")
    next_key(at)
    assert (due(at.m).kind, due(at.m).seat) == ("discard", 1)
