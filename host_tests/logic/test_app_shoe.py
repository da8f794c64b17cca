"""What a shoe or a shuffler says becomes an event, a sentence or a note; what it is asked for."""

from at_table import Sitting
from felt.games.common import UP
from felt.link import terminal as keys
from felt.round import events
from felt.round.due import due
from felt.round.state import Refused

SHUFFLED = "shuffled"


def says(at, *message):
    """The shoe says something; return what the dealer is told."""
    at.hw.shoe.says.append(message)
    at.app.poll_shoe(0)
    return at.told()


def dealing(**settings):
    at = Sitting(**settings)
    at.play.begin(1, 2)
    at.told()
    return at


def shuffling(**settings):
    """A table whose deck is to be shuffled after a void round."""
    at = Sitting(**settings)
    at.play.begin(1, 2)
    at.play.key(1)
    at.play.do("VOID", 0)
    at.play.do("END")
    at.told()
    assert due(at.m).choices == ("shuffle",)
    return at


def test_cards_drawn_are_journalled_before_the_shoe_forgets_them():
    at = dealing()
    assert says(at, "drawn", 5, 1) == ["First card out"]
    assert at.m.r.dealt == 1 and at.m.r.cards[1] == bytes([5]) and at.hw.shoe.says == []
    assert at.named()[-1] == "SHOE"


def test_a_card_that_cannot_be_journalled_stays_in_the_shoe_until_something_changes():
    at = dealing()
    submit = at.table.submit

    def refuse(event):
        raise Refused("journal_full")

    at.table.submit = refuse
    full = "! Event memory is nearly full: settle or void the round."
    assert says(at, "drawn", 5, 1) == [full]
    assert at.hw.shoe.says == [("drawn", 5, 1)]
    at.app.poll_shoe(0)
    assert at.told() == [], "it is not tried again by itself"
    assert at.say("help") == [full]
    at.table.submit = submit
    at.say("help")
    assert at.m.r.dealt == 1 and at.hw.shoe.says == []
    at.say("help")
    assert at.m.r.dealt == 1


def test_a_table_at_fault_leaves_cards_in_the_shoe_and_takes_everything_else():
    at = dealing()
    at.table.fault = "journal"
    assert says(at, "garbled", b"x") == [] and at.hw.shoe.says == []
    assert says(at, "empty") == [] and at.hw.shoe.says == []
    for message in (("drawn", 5, 1), ("stack", 1, 3, b"\1\2\3"), ("face_up", 9, 1)):
        assert says(at, *message) == [] and at.hw.shoe.says == [message]
        at.hw.shoe.says.clear()
        at.app._shoe_waits = False
    assert at.m.r.dealt == 0
    at.hw.shoe.says.append(("drawn", 5, 1))
    at.app.poll_shoe(0)
    at.work()
    at.table.fault = None
    at.say("help")
    assert at.m.r.dealt == 1 and at.hw.shoe.says == [], "tried again when something changes"


def test_what_happens_to_a_shoe_is_an_event_of_its_own():
    for message, code in (
        ("jam", 0),
        ("removed", 1),
        ("attached", 2),
        ("cleared", 2),
        ("empty", 3),
    ):
        at = Sitting()
        at.play.open()
        happened = []
        at.app.submit = happened.append
        says(at, message, 3)
        assert [events.unpack(e) for e in happened] == [("HAPPENED", [0, code])], message
        assert at.hw.shoe.says == []


def test_a_stack_and_a_face_up_card_are_told_from_a_drawn_one():
    at = dealing(dealing="auto")
    booked = []
    at.app.submit = lambda event: booked.append(events.unpack(event)) or True
    says(at, "drawn", 7, 1)
    says(at, "stack", 9, 4, b"\1\2\3")
    says(at, "face_up", 8, 5)
    assert booked == [
        ("SHOE", [0, 1, b"\7"]), ("SHOE", [1, 4, b"\1\2\3"]), ("SHOE", [2, 5, b"\10"])
    ]  # fmt: skip
    assert at.hw.shoe.says == []


def test_a_link_that_comes_and_goes_is_told_and_logged_and_a_new_shoe_is_asked_its_name():
    at = Sitting()
    assert says(at, "link", "lost") == ["! Shoe does not answer."]
    assert says(at, "link", "back") == ["Shoe answers again."] and at.hw.shoe.asked == []
    assert says(at, "link", "fresh") == ["Shoe connected."] and at.hw.shoe.asked == ["hello"]
    assert at.logged("link") == [("link", 0, 1), ("link", 0, 2), ("link", 0, 3)]
    assert at.app.shoe_id == ""
    assert says(at, "identity", 7, "Shoe 3") == [] and at.app.shoe_id == "Shoe 3"
    assert says(at, "count", 52) == [] and at.hw.shoe.says == []


def test_cards_that_go_into_the_shuffler_are_collected():
    at = dealing()
    assert says(at, "shuffling") == [] and at.m.r is not None
    at.play.key(1)
    at.play.do("VOID", 0)
    assert says(at, "shuffling") == [] and at.m.r is not None, "stakes are returned first"
    at = Sitting()
    ended = []
    at.app.submit = ended.append
    at.app._follow_shuffler("shuffling", ("shuffling",), Kind("collect"))
    assert ended == [events.pack("END")]
    at.app._follow_shuffler("shuffling", ("shuffling",), Kind("settle"))
    assert len(ended) == 1


class Kind:
    choices = ()

    def __init__(self, kind):
        self.kind = kind


def test_a_shuffle_that_is_due_is_done_and_another_one_is_a_count():
    at = shuffling(shuffler="counting")
    assert says(at, SHUFFLED, 52, 0) == []
    assert at.named()[-1] == "SHUFFLED" and due(at.m).kind == "bet"
    assert says(at, SHUFFLED, 52, 1) == [] and at.named()[-1] == "COUNTED"
    at = shuffling(shuffler="plain")
    assert says(at, SHUFFLED, 52, 2) == [], "a table with one deck compares none"
    assert at.named()[-1] == "SHUFFLED"


def test_a_count_a_person_types_is_never_passed_over():
    """Without a machine that counts, 51 would have been taken for a shuffle like any other."""
    for device in ("none", "plain"):
        at = shuffling(shuffler=device)
        assert at.say("done 51") == ["! A deck has 52 cards, not 51: count again, or close."]
        assert due(at.m).choices == ("shuffle",) and at.named() == []
        assert at.say("done 52") == [] and due(at.m).choices != ("shuffle",)


def test_of_two_decks_the_one_that_is_due_is_asked_for():
    at = shuffling(shuffler="counting", second_deck=True)
    assert at.m.deck == 1
    assert says(at, SHUFFLED, 52, 1) == ["! Deck 2 is due, the shuffler says 1: change them"]
    assert at.named()[-1] == "COUNTED" and due(at.m).choices == ("shuffle",)
    assert says(at, SHUFFLED, 52, 2) == [] and at.named()[-1] == "SHUFFLED"
    assert at.app._right_deck(at.m, 1) is False and at.app._right_deck(at.m, 2) is True
    at = shuffling(shuffler="counting", second_deck=True)
    assert says(at, SHUFFLED, 52, 0) == [] and at.named()[-1] == "SHUFFLED", "it names none"


def test_an_automated_shoe_is_asked_once_for_each_stack_under_a_new_tag():
    at = Sitting(dealing="auto")
    shoe = at.hw.shoe
    at.work()
    assert shoe.asked == []
    at.play.begin(1, 2)
    shoe.connected = False
    at.work()
    assert shoe.asked == []
    shoe.connected = True
    shoe.takes = False
    at.work()
    shoe.takes = True
    at.work(3)
    at.work(3)
    places = len(due(at.m).places)
    first = at.m.round_no * 64 % 255 + 1
    assert shoe.asked == [(places, first)]
    at.play.turn()
    at.work(3)
    assert shoe.asked[1:] == [(len(due(at.m).places), (at.m.round_no * 64 + places) % 255 + 1)]
    tags = [tag for _, tag in shoe.asked]
    while due(at.m).kind == "deal":
        at.play.turn()
    at.work(2)
    assert len(shoe.asked) == len(set(shoe.asked)) and tags[0] != tags[1]


def test_tags_are_1_to_255_and_a_stack_is_asked_for_again_after_a_pause():
    at = dealing(dealing="auto")
    assert at.hw.shoe.asked == [(len(due(at.m).places), 1)], "also when it starts in a deal"
    lowest, highest = 255, 1
    for number in range(300):
        at.m.round_no = number
        at.app._asked = 0
        at.hw.shoe.asked.clear()
        at.work(1)
        tag = at.hw.shoe.asked[0][1]
        assert tag == number * 64 % 255 + 1
        lowest, highest = min(lowest, tag), max(highest, tag)
    assert (lowest, highest) == (1, 255)
    at.hw.shoe.asked.clear()
    at.m.r.stopped = 1
    at.work(1)
    at.m.r.stopped = 0
    at.work(1)
    assert len(at.hw.shoe.asked) == 1


def test_nothing_is_asked_of_a_shoe_from_which_a_person_deals_nor_while_the_wheel_turns():
    at = dealing()
    at.work()
    assert at.hw.shoe.asked == []
    at = Sitting(dealing="auto")
    at.app._busy = True
    at.play.begin(1, 2)
    at.work()
    assert at.hw.shoe.asked == []


def nod(at):
    at.now += 500
    return at.touch(keys.NEXT)


def suits(at, card):
    for value in (card >> 2, 13 + (card & 3)):
        assert at.touch(keys.CARD, value) == []


def test_a_shoe_that_is_silent_in_the_deal_leaves_a_way_on_that_is_touched():
    at = dealing()
    at.hw.terminal.view = True
    says(at, "drawn", 5, 1)
    assert at.hw.terminal.parts[keys.BUTTON][0] == "p", "the shoe tells what is dealt"
    assert at.say("dealt") == ["! The shoe reads the cards here."]
    at.hw.shoe.connected = False
    says(at, "link", "lost")
    assert at.hw.terminal.parts[keys.BUTTON] == "gN0 CARDS DEALT"
    assert at.hw.terminal.parts[keys.BOOKS] == "Nothing reads them. All dealt? NEXT"
    assert "Nothing reads them. All dealt? NEXT" in at.hw.terminal.rows
    nod(at)
    assert at.named()[-1] == "DEALT" and due(at.m).kind == "decide"
    assert [bytes(at.m.r.cards[place]) for place in (1, 2, 0)] == [b"\5\xff", b"\xff" * 2] + [
        b"\xff" * 2
    ]
    at.hw.shoe.connected = True
    told = says(at, "drawn", 9, 2)
    assert told == ["! Card 2 is told now: it was said to lie there"]
    assert at.m.r.dealt == 6 and at.m.r.stopped == [], "it is no card more"


def test_a_shoe_that_jams_or_is_off_in_the_deal_leaves_the_same_way_on():
    """Its cable was in: nothing said a word, and "dealt" was answered that the shoe reads them."""
    for what, again in (("jam", "cleared"), ("removed", "attached")):
        at = dealing()
        at.hw.terminal.view = True
        says(at, "drawn", 5, 1)
        says(at, what)
        at.work()
        assert at.hw.terminal.parts[keys.BUTTON] == "gN0 CARDS DEALT", what
        says(at, again)
        at.work()
        assert at.hw.terminal.parts[keys.BUTTON][0] == "p", "it tells what is dealt again"
        says(at, what)
        assert at.say("dealt") == [] and due(at.m).kind == "decide"


def test_a_card_face_up_that_nothing_reads_is_touched():
    at = Sitting("winners_pot", dealing="shoe")
    at.hw.terminal.view = True
    at.play.begin(1, 2)
    at.hw.shoe.connected = False
    at.work()
    nod(at)
    assert due(at.m).places[0] & UP and at.m.r.dealt == 6
    assert nod(at) == ["! Touch rank, then suit, of every card."]
    assert at.hw.terminal.parts[keys.BOOKS] == "Nothing reads it, touch it: ??"
    suits(at, 51)
    assert at.hw.terminal.parts[keys.BOOKS] == "Nothing reads it, touch it: As"
    assert at.touch(keys.CARD, 3) == ["! All its cards are named: NEXT, or erase one."]
    assert at.touch(keys.UNDO) == [] and at.app.desk.typed == ""
    suits(at, 50)
    nod(at)
    assert at.m.r.cards[1][2] == 50 and at.m.r.dealt == 7 and at.app.desk.typed == ""
    suits(at, 50)
    assert nod(at)[0].startswith("! ") and at.m.r.dealt == 7, "it lies there already"


def test_cards_dealt_from_the_hand_are_said_to_lie_there():
    at = Sitting(dealing="hand", shuffler="plain")
    at.hw.terminal.view = True
    at.play.begin(1, 2)
    at.work()
    nod(at)
    assert at.named()[-1] == "DEALT" and due(at.m).kind == "decide"
    at = Sitting(dealing="auto")
    at.hw.terminal.view = True
    at.play.begin(1, 2)
    at.hw.shoe.connected = False
    at.work()
    assert nod(at)[0].startswith("! Next: stack") and at.m.r.dealt == 0
    assert at.say("dealt") == ["! The shoe reads the cards here."]
