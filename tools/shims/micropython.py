"""MicroPython's `micropython` module for CPython, so that firmware runs there unchanged."""

import builtins
import functools
import sys


def main():
    """Start the real interpreter: its package has a module of this name, which this one hides."""
    from micropython_module import run_main

    return run_main(sys.argv)


def const(value):
    return value


def _identity(function):
    return function


native = bytecode = _identity


def _ptr8(buf):
    """A viper pointer to bytes is the buffer itself: indexing means the same."""
    return buf


def _ptr16(buf):
    return memoryview(buf).cast("B").cast("H")


class _Address:
    """Where in a constant a pointer points, as a number one can add to; constants begin at 0."""

    __slots__ = ("at", "words")

    def __init__(self, words, at):
        self.words = words
        self.at = at

    def __radd__(self, more):
        return _Address(self.words, self.at + more)

    def __and__(self, mask):
        return self.at & mask

    def __getitem__(self, index):
        assert not self.at & 3, "a word that is not aligned"
        return self.words[(self.at >> 2) + index]


@functools.cache
def _words(buf):
    return memoryview(buf)[: len(buf) & ~3].cast("I").tolist()


def _ptr32(buf):
    return buf if isinstance(buf, _Address) else memoryview(buf).cast("B").cast("I")


def _uint(value):
    return value & 0xFFFFFFFF if isinstance(value, int) else _Address(_words(value), 0)


# Viper knows these names without an import.
builtins.ptr8, builtins.ptr16, builtins.ptr32, builtins.uint = _ptr8, _ptr16, _ptr32, _uint


def viper(function):
    """Viper makes a wide pointer of an argument by its annotation; so does this."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    kinds = [function.__annotations__.get(name) for name in names]
    if not any(kind in (_ptr16, _ptr32) for kind in kinds):
        return function

    def call(*args):
        wide = (_ptr16, _ptr32)
        return function(*(k(a) if k in wide else a for k, a in zip(kinds, args)))

    return call


def heap_lock():
    return 0


def heap_unlock():
    return 0


def opt_level(level=0):
    return level


def kbd_intr(_char):
    pass


def schedule(function, argument):
    function(argument)


def alloc_emergency_exception_buf(_size):
    pass
