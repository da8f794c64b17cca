"""Settings and memory that keep a table closed, each named."""

from felt.round import events
from felt.round.machine import Machine
from felt.round.state import Refused
from felt.table import Table


class OtherMemory:
    """Opens with the state of a table of another game."""

    def __init__(self, settings):
        self.settings = settings

    def open(self):
        return Machine(self.settings).dump()

    def replay(self):
        return ()


def test_memory_of_another_game_keeps_the_table_closed():
    t = Table({"game": "headsup"}, OtherMemory({"game": "winners_pot"}))
    t.start(1)
    assert t.fault == "state_foreign", t.fault
    try:
        t.submit(events.pack("KEY", 0, 1))
    except Refused as e:
        assert e.code == "table_fault"
    else:
        raise AssertionError("a closed table took an event")


def test_bad_settings_keep_the_table_closed_and_are_named():
    for settings, detail in (
        ({"game": "colorado"}, "version missing"),
        ({"game": "premium", "tens": "push"}, "tens unknown_setting"),
        ({"game": "premium", "bonus_spin": "flush5_fixed"}, "fixed_prize contradiction"),
        ({"game": "bridge"}, "game unknown_game"),
        ({"game": "headsup", "dealing": "hand"}, "dealing hand_needs_shuffler"),
        ({"game": "headsup", "seats": 7}, "seats too_many_seats"),
    ):
        t = Table(settings, None)
        t.start(1)
        assert (t.fault, t.detail) == ("settings", detail), (t.fault, t.detail)
        for act in (t.clear, t.accept):  # the technician is told what comes first
            try:
                act(1)
            except Refused as e:
                assert (e.code, e.about) == ("no_table", ("settings",))
            else:
                raise AssertionError("memory of no table was set up")


def spin_settings(**more):
    """A Premium table with the project's own wheel weights, not a word about them."""
    weights = [10, 18700, 1000, 20, 32000, 800, 50, 29500, 5000, 320, 12000, 600]
    settings = {"game": "premium", "bonus_spin": "flush5_progressive", "weights": weights}
    settings.update(more)
    return settings


def test_illustrative_weights_keep_a_table_closed_unless_the_configuration_says_the_word():
    for settings, marked in (
        (spin_settings(), None),
        (spin_settings(weights_note="approved"), None),
        (spin_settings(weights_note="Illustrative, for the trade fair"), True),
        (spin_settings(demonstration=True), True),
        (spin_settings(weights=[7] * 12, weights_note="approved"), False),
    ):
        t = Table(settings, None)
        if marked is None:
            assert (t.fault, t.detail) == ("settings", "weights illustrative"), t.detail
        else:
            assert not t.fault and t.machine.cfg["illustrative"] is marked, settings
    assert not Machine({"game": "headsup"}).cfg["illustrative"]
