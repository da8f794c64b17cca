"""The floorperson's menu and cards named on the glass: what its touches book and what is told."""

from at_table import Sitting
from felt.dealer import touch as touching
from felt.games.common import VOID
from felt.link import terminal as keys
from felt.round.due import due


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
        at = Sitting("headsup")
        at.play.begin(1)
        assert at.say("miscount 1 " + word) == ["! No card lies at seat 1."]
    at = Sitting("headsup")
    assert at.say("miscount 1 less") == ["! No round is open."]
