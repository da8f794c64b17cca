"""Whose turn it is while the wheel turns, how late it comes, and that asking costs no memory."""

import micropython
from felt.loop import LONGEST, Latency, Turns
from felt.ticks import PERIOD

RP2040 = True


def _calls(turns, began, ms):
    """Ask every millisecond until there is nothing to do: (ms, task) of every call."""
    found = []
    for n in range(ms):
        task = turns.next((began + n) % PERIOD)
        while task >= 0:
            found.append((n, task))
            task = turns.next((began + n) % PERIOD)
    return found


def test_every_task_is_called_when_its_period_is_over_also_where_the_clock_wraps():
    for began in (0, 1000, PERIOD - 7):
        turns = Turns([5, 40])
        turns.start(began)
        got = _calls(turns, began, 81)
        assert [n for n, task in got if task == 0] == list(range(5, 81, 5)), began
        assert [n for n, task in got if task == 1] == [40, 80], began


def test_a_task_without_a_period_has_the_time_that_nobody_else_wants():
    turns = Turns([5, 0, 10])
    turns.start(0)
    assert [turns.next(4) for _ in range(3)] == [1, 1, 1]
    assert [turns.next(10) for _ in range(5)] == [2, 0, 1, 1, 1]
    turns.every(1, 1)
    assert turns.next(10) == -1 and turns.next(11) == 1


def test_no_task_is_starved_by_one_that_is_always_late():
    turns = Turns([1, 1, 1])
    turns.start(0)
    assert sorted([turns.next(n * 50) for n in range(1, 31)]) == [0] * 10 + [1] * 10 + [2] * 10


def test_it_says_how_long_to_wait_and_how_late_a_task_comes():
    turns = Turns([5, 8])
    turns.start(100)
    assert turns.next(101) == -4
    assert turns.next(112) == 1 and turns.late == 4
    assert turns.next(112) == 0 and turns.late == 7
    turns.end(0)
    turns.end(1)
    assert turns.next(5000) == -LONGEST


def test_to_ask_allocates_nothing():
    turns = Turns([5, 0, 40])
    late = Latency()
    turns.start(0)
    micropython.heap_lock()
    try:
        for n in range(0, 400, 7):
            late.add(n % 30)
            turns.next(n)
            turns.every(1, n & 1)
    finally:
        micropython.heap_unlock()
    assert sum(late.counts) == 58 and late.worst == 29
