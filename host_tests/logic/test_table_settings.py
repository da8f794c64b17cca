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
