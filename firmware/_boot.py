"""The first code of ours after reset: the interpreter runs it before USB, and Ctrl-C is not heard.

What it lets return or raise would lead to a prompt. So the watchdog comes first, everything after
it is caught, and it returns only with the service key turned. Nothing on the file system is ever a
program; an unreadable file system is never formatted.
"""

import sys

import machine

sys.path[:] = [".frozen"]
dog = machine.WDT(timeout=8000)
try:
    from felt import power
    from felt.field import flash

    flash.mount()
    power.on(dog)
except BaseException:  # also what cannot be shown any more: the watchdog is left to restart
    while True:
        pass
