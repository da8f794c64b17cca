"""Whose turn it is while the wheel turns, how late it comes, and that asking costs no memory."""

import micropython
from felt.loop import NEVER, Latency, Turns
from felt.ticks import PERIOD

RP2040 = True


def _calls(turns, began, ms):
    """Ask every millisecond until there is nothing to do: (ms, task) of every call."""
    found = []
    for n in range(ms):
        task = turns.take((began + n) % PERIOD)
        while task >= 0:
            found.append((n, task))
            task = turns.take((began + n) % PERIOD)
    return found


def test_every_task_is_called_when_its_period_is_over_also_where_the_clock_wraps():
    for began in (0, 1000, PERIOD - 7):
        turns = Turns([5, 40])
        turns.start(began)
        got = _calls(turns, began, 81)
        assert [n for n, task in got if task == 0] == list(range(5, 81, 5)), began
        assert [n for n, task in got if task == 1] == [40, 80], began


def test_to_look_takes_nothing():
    turns = Turns([5, NEVER, 10])
    turns.start(0)
    assert [turns.look(4), turns.look(10), turns.look(10)] == [-1, 2, 2]
    assert [turns.take(10) for _ in range(3)] == [2, 0, -5]
    assert turns.look(14) == -1


def test_no_task_is_starved_by_one_that_is_always_late():
    turns = Turns([1, 1, 1])
    turns.start(0)
    assert sorted([turns.take(n * 50) for n in range(1, 31)]) == [0] * 10 + [1] * 10 + [2] * 10


def test_it_says_how_long_to_wait_and_how_late_a_task_comes():
    turns = Turns([5, 8])
    turns.start(100)
    assert turns.take(101) == -4
    assert turns.take(112) == 1 and turns.late == 4
    assert turns.take(112) == 0 and turns.late == 7
    turns.end(0)
    turns.end(1)
    assert turns.take(5000) == -1000


def test_to_ask_allocates_nothing():
    turns = Turns([5, 9, 40])
    late = Latency()
    turns.start(0)
    micropython.heap_lock()
    try:
        for n in range(0, 400, 7):
            late.add(n % 30)
            turns.take(n)
            late.worst = max(late.worst, turns.late)
            turns.look(n)
    finally:
        micropython.heap_unlock()
    assert sum(late.counts) == 58 and late.worst >= 29
