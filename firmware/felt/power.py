"""Power comes on: run the table; with the service key turned, make room for the console.

A table that cannot start says so on lamps and display and is started again by the watchdog.
"""

import sys
import time

import board
import machine

FEED_MS = 2000
attendant = None  # feeds the watchdog in service mode; a timer nobody holds is collected


def on(dog):
    """Run the table and never return; return at once with the service key turned."""
    if not machine.Pin(board.PINS["KEY_SERVICE"], machine.Pin.IN, machine.Pin.PULL_UP).value():
        attend(dog)
        return
    try:
        import main

        main.table(dog)
    except BaseException as e:
        sys.print_exception(e)
        fail(e)
    while True:  # the watchdog restarts; the journal has everything
        time.sleep_ms(100)


def attend(dog):
    """Keep the watchdog quiet: the console waits for people, and a prompt feeds nothing."""
    global attendant
    attendant = machine.Timer(period=FEED_MS, callback=lambda timer: dog.feed())


def fail(error):
    """Show why there is no table; whatever part of that fails must not hinder the rest."""
    lines = (type(error).__name__, str(error))
    for show in (_lamps, _display):
        try:
            show(lines)
        except Exception as e:
            sys.print_exception(e)


def _lamps(lines):
    from felt import hardware
    from felt.field.lamps import FAULT

    lamps = hardware.lamps()
    lamps.set_all(FAULT)
    lamps.poll(0)


def _display(lines):
    from felt import hardware

    texts = hardware.language({})
    painter = hardware.painter(texts)
    said = (texts.get("fault.start"), " ".join(lines))
    painter.show({"mode": "fault", "code": "start", "lines": said, "elapsed": 0})
    while painter.step():
        pass
