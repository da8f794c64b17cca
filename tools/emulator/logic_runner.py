"""Runs the tests of one logic module and reports each on stdout; one file for every runtime.

Report lines start with byte 1, which no test prints: `run NAME`, then `ok`, or `fail` and a
traceback.
"""

import gc
import sys


def _print_traceback(error):
    if hasattr(sys, "print_exception"):
        sys.print_exception(error, sys.stdout)
        return
    import traceback

    traceback.print_exception(error, file=sys.stdout)
    frame = error.__traceback__
    while frame.tb_next:
        frame = frame.tb_next
    for name, value in frame.tb_frame.f_locals.items():
        print("    ", name, "=", repr(value)[:200])


def _run(function):
    try:
        function()
    except Exception as error:
        print("\x01fail")
        _print_traceback(error)
    else:
        print("\x01ok")


def main(module, names):
    tests = __import__(module)
    for name in names:
        gc.collect()
        print("\x01run", name)
        _run(getattr(tests, name))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
