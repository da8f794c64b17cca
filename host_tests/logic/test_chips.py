"""Chips on the felt after the lock: what the spots see is held against what was entered."""

from croupier import Croupier, find
from felt.round.due import due


def _decided(*seats):
    """A table with sensors whose seats have three cards and are asked."""
    t = Croupier("premium", sensors=True)
    t.open()
    for seat in seats:
        t.bet(seat, 500, 500)
    _cover(t, *[(seat, "ante", "xtra") for seat in seats])
    t.do("LOCK", b"")
    for c in range(3 * len(seats) + 3):
        t.do("CARD", 51 - c)
    t.m.typed = True
    return t


def _cover(t, *spots):
    """Chips on these spots of (seat, names...), and nowhere else."""
    bits = bytearray(7)
    for place in spots:
        for name in place[1:]:
            bits[place[0] - 1] |= 1 << t.m.game.SPOTS.index(name)
    return t.do("SENSORS", bytes(bits))


def test_a_raise_entered_without_its_chips_is_not_taken():
    t = _decided(1, 2)
    t.act(1, "play3")
    act = t.m.game.ACTIONS.index("check")
    assert t.refused("ACT", 2, act, 255) == "sensor_mismatch"
    _cover(t, (1, "ante", "xtra", "play"), (2, "ante", "xtra"))
    t.act(2, "check")
    assert t.m.phase_name() == "deal"


def test_a_check_with_chips_on_the_raise_is_not_taken_unless_overruled():
    t = _decided(1, 2)
    t.act(1, "check")
    _cover(t, (1, "ante", "xtra", "play"), (2, "ante", "xtra"))
    act = t.m.game.ACTIONS.index("check")
    assert t.refused("ACT", 2, act, 255) == "sensor_mismatch"
    t.key(1)
    t.do("OVERRIDE", 1)
    t.act(2, "check")
    assert t.m.phase_name() == "deal" and not t.m.accept


def test_a_decision_taken_back_gives_the_supervisors_order_back():
    """It was asked for again by key, though nothing had changed on the felt."""
    t = _decided(1, 2)
    t.act(1, "check")
    _cover(t, (1, "ante", "xtra", "play"), (2, "ante", "xtra"))
    t.key(1)
    t.do("OVERRIDE", 1)
    t.act(2, "check")
    t.do("TAKE_BACK")
    assert t.m.accept == 1
    t.act(2, "check")
    assert t.m.phase_name() == "deal" and not t.m.accept


def test_a_replay_asks_no_sensor():
    t = _decided(1)
    t.m.typed = False
    t.act(1, "play3")
    assert t.m.phase_name() == "deal"


def test_chips_for_the_next_round_are_no_late_bet_while_cards_are_collected():
    """A newcomer's were, one settled player's beside him were not."""
    t = Croupier("headsup", sensors=True)
    t.open()
    t.bet(1, 500, 500)
    _cover(t, (1, "ante", "odds"))
    t.begin(1)
    t.deal()
    t.act(1, "raise1")
    while due(t.m).kind != "collect":
        t.turn()
    assert not find(_cover(t, (1, "ante"), (4, "ante", "odds")), "alarm")
    assert not any(t.m.r.late)


def test_chips_of_a_seat_not_yet_settled_are_watched_while_others_are():
    t = _decided(1, 2)
    whole = ("ante", "xtra", "play")
    _cover(t, (1,) + whole, (2,) + whole)
    t.all_act("play3")
    for c in range(4):
        t.do("CARD", 5 * c)
    t.do("REVEAL")
    best = t.m.game.settle(t.m.r, 2)
    won = [ln.wager for ln in best if ln.net >= 0 and ln.wager in whole]
    rest = [w for w in whole if w not in won[:1]]
    effects = _cover(t, (1,) + whole, (2,) + tuple(rest))
    assert won and find(effects, "alarm") == [("alarm", "withdrawn", 2, won[0])]
    effects = _cover(t, (1,) + whole, (2,) + whole + ("player_bonus",))
    assert find(effects, "alarm") == [("alarm", "late_bet", 2, "player_bonus")]
    assert not find(_cover(t, (2,) + whole), "alarm")  # the seat that is settled is moved
