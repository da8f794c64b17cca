"""The loop of the running table: how often each task comes, who is late, what a failure does."""

import asyncio

from at_table import Record, Spin, fails, gaps, watched
from felt.field import lamps


def run(at, ms):
    """Run the loop for so many ms of its clock, which moves on when everything waits."""
    end = at.now + ms
    waiting = []

    async def sleep(wait):
        until = at.now + wait
        if until > end:
            raise asyncio.CancelledError
        event = asyncio.Event()
        waiting.append((until, event))
        await event.wait()

    async def main():
        asyncio.create_task(at.app.run(sleep))
        for _ in range(4):
            await asyncio.sleep(0)
        while waiting:
            at.now = max(at.now, min([until for until, _ in waiting]))
            for each in [each for each in waiting if each[0] <= at.now]:
                waiting.remove(each)
                each[1].set()
            for _ in range(4):
                await asyncio.sleep(0)

    asyncio.run(main())


def test_every_task_has_its_period():
    at = watched(net=True)
    record = Record(at)
    run(at, 620)
    want = {
        "input": 5, "shoe": 10, "terminal": 10, "table": 5, "view": 8, "random": 250, "reader": 20,
        "net": 10,
    }  # fmt: skip
    for name in want:
        assert gaps(record.calls[name]) == [want[name]], (name, record.calls[name][:9])
        assert record.calls[name][0] == 0
    assert at.dog.fed == 3, "fed when every task has come round, the slowest too"
    assert at.app.latency.worst == 0 and sum(at.app.latency.counts) in (61, 62)


def test_the_loop_says_how_late_it_comes_and_who_starves():
    at = watched()
    record = Record(at)

    def slow():
        if len(record.calls["reader"]) == 3:
            at.now += 70

    record.work["reader"] = slow
    run(at, 200)
    assert 60 < at.app.latency.worst <= 70 and len(at.logged("latency")) == 1
    at = watched()
    record = Record(at)
    record.work["shoe"] = fails
    run(at, 1500)
    assert at.logged("watchdog") == [("watchdog", 1, 0)]
    assert len(record.calls["shoe"]) == 5 and at.dog.fed == 0


def test_a_task_that_fails_five_times_in_a_row_is_given_up_and_lamps_show_it():
    at = watched()
    record = Record(at)
    record.work["input"] = fails
    poll = at.app.poll_input
    for _ in range(4):
        assert at.app.attempt(0, poll) is True
    assert not at.hw.leds
    del record.work["input"]
    assert at.app.attempt(0, poll) is True and at.app.dog.missing()[0] == "shoe"
    record.work["input"] = fails
    at.now = 5
    for _ in range(4):
        assert at.app.attempt(0, poll) is True
    assert at.app.attempt(0, poll) is False
    assert [at.hw.leds[n] for n in range(7)] == [lamps.colour(lamps.FAULT, 5)] * 7
    heard = at.hw.terminal.heard
    assert len(heard) == 9 and heard[0][1] is True
    assert heard[0][0].startswith("Program error in input: KeyError(") and "lost" in heard[0][0]
    assert at.logged("error") == [("error", 0, 0)]


def test_a_failure_that_cannot_even_be_told_ends_the_task():
    at = watched()
    Record(at).work["shoe"] = fails

    def broken(text, alarm=False):
        raise OSError(5)

    at.hw.terminal.notice = broken
    assert at.app.attempt(1, at.app.poll_shoe) is False


def test_what_was_half_done_when_a_task_failed_is_begun_anew():
    at = watched()
    at.play.open()
    at.work()
    at.say("help")
    assert at.app.page
    at.hw.shoe.says = [("empty",)]
    at.app.poll_shoe(0)
    at.app.queue.get()
    at.app.attempt(1, lambda now: fails())
    assert at.app.page is None
    at.app.poll_shoe(0)
    assert at.app.queue.get() == ("shoe", ("empty",)), "a message that was lost comes again"
    at.app._dirty = True
    for _ in range(2):
        at.app.poll_table(0)
    rows = at.app._rows
    at.app.attempt(4, lambda now: fails())
    at.work()
    assert rows and at.hw.terminal.rows[: len(rows)] == rows
    assert at.hw.terminal.rows.count(rows[0]) == 1


def test_the_loop_goes_over_to_turning_and_comes_back():
    at = watched()
    at.hw.display = Spin(at, 150)
    record = Record(at)
    at.app.poll_view = lambda now: at.app._turned()
    run(at, 300)
    assert not at.app._busy and at.now >= 200
    late = [t for t in record.calls["shoe"] if t >= 160]
    assert gaps(late) == [10]
