"""What the table waits for, in every state of whole rounds of each game."""

from croupier import colorado, headsup, premium, winners_pot
from felt.dealer import commands
from felt.games.common import BOARD, BURN, DEALER, UP
from felt.round.due import KINDS, due


def told(t):
    """Return the kind that is due, after checking that its value is sound."""
    now = due(t.m)
    assert now.kind in KINDS
    assert bool(now.places) == (now.kind in ("deal", "mend", "spun", "hand_pay"))
    assert bool(now.seat) == (
        now.kind in ("decide", "discard", "tap", "settle", "spin", "spun", "hand_pay")
    )
    return now.kind


def ok(t):
    """Answer as the terminal's `ok` does; return what was due."""
    kind = told(t)
    event = commands.parse(t.m, "ok")
    t.m.step(event)
    return kind


def test_around_a_round():
    t = headsup()
    assert due(t.m).choices == ("new",) and told(t) == "closed"
    t.do("OPEN", 0)
    assert due(t.m).choices == ("inspect",) and told(t) == "check"
    t.checklist()
    assert told(t) == "bet" and commands.parse(t.m, "nmb") == "lock"
    t.do("IDLE")
    assert told(t) == "idle"


def test_a_recut_comes_before_the_first_card():
    t = headsup()
    t.begin(1)
    t.key(1)
    t.do("OVERRIDE", 0)
    assert due(t.m).choices == ("cut",)
    assert ok(t) == "check" and told(t) == "deal"


def test_deliveries_and_decisions():
    t = headsup(dealing="auto")
    t.begin(1, 2)
    assert bytes(due(t.m).places) == bytes([BOARD] * 5)
    t.deal(1)
    assert bytes(due(t.m).places) == bytes([1, 1])
    t.deal()
    now = due(t.m)
    assert (now.kind, now.seat) == ("decide", 1)
    assert now.choices == ("raise1", "raise2", "raise3", "check")
    t.all_act("check")
    now = due(t.m)
    assert (now.kind, now.amounts) == ("show", (3,))
    assert ok(t) == "show" and told(t) == "decide"


def test_a_burn_and_a_card_face_up():
    t = winners_pot()
    t.begin(1, 2)
    t.deal()
    t.all_act("bet")
    assert bytes(due(t.m).places) == bytes([BURN])
    t.deal(1)
    assert bytes(due(t.m).places) == bytes([1 | UP])


def test_the_dealers_missing_card_and_nothing_else():
    t = premium()
    t.begin(1)
    t.deal()
    t.do("MISCOUNT", DEALER, 2)
    now = due(t.m)
    assert now.kind == "mend" and bytes(now.places) == bytes([DEALER])
    assert t.refused("REVEAL") == "nothing_to_reveal"
    assert t.refused("ACT", 1, 0, 255) == "no_decision_due"


def test_spins_to_the_hand_pay():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    t.bet(1, 500, 500, 0, 0, 500)
    t.begin(1, s1="AhKhQh")
    t.deal()
    t.all_act("play3")
    t.deal()
    assert ok(t) == "reveal"
    assert told(t) == "tap" and due(t.m).amounts
    assert t.refused("PAID", 1) == "tap_due"
    t.do("TAP", 1)
    assert ok(t) == "settle"
    assert told(t) == "spin" and commands.parse(t.m, "ok") == "spin"
    t.do("UNDO")
    assert told(t) == "tap" and t.refused("SPIN", 1, 4) == "tap_due"
    t.do("TAP", 1)
    t.do("SPIN", 1, 1)
    now = due(t.m)
    assert now.kind == "hand_pay" and bytes(now.places) == b"\x01"
    assert now.amounts == (1000035, 1000035)
    t.key(1)
    t.do("HANDPAID", 1)
    assert ok(t) == "spun" and ok(t) == "collect"


def test_the_discard_named_at_settlement():
    t = colorado()
    t.begin(1)
    t.deal()
    t.all_act("bet")
    assert ok(t) == "show"
    assert told(t) == "discard" and t.refused("PAID", 1) == "discard_due"
    t.do("DISCARD", 1, t.m.r.cards[1][0])
    assert ok(t) == "settle" and told(t) == "collect"


def test_the_stub_comes_before_what_is_settled():
    t = headsup(stub_every=1)
    t.begin(1)
    t.deal()
    t.all_act("raise1")
    t.deal()
    t.deal()
    assert told(t) == "stub" and t.refused("REVEAL") == "stub_due"
    t.do("STUB", 52 - t.m.r.dealt, 0)
    assert told(t) == "reveal"


def test_a_void_round_waits_for_its_end():
    t = winners_pot()
    t.begin(1, 2)
    t.key(1)
    t.do("VOID", 0)
    assert ok(t) == "void" and told(t) == "check"
