"""MicroPython's `micropython` module for CPython, so that firmware runs there unchanged."""

import builtins


def const(value):
    return value


def _identity(function):
    return function


native = viper = bytecode = asm_thumb = _identity


def _pointer(buf):
    """A viper pointer to bytes is the buffer itself: indexing means the same."""
    return buf


# Viper names its pointer types without an import; wider pointers index a typed view.
builtins.ptr8 = _pointer
builtins.ptr16 = lambda buf: memoryview(buf).cast("B").cast("H")
builtins.ptr32 = lambda buf: memoryview(buf).cast("B").cast("I")
# In viper annotations and casts `uint` is a 32-bit word.
builtins.uint = lambda value: value & 0xFFFFFFFF


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
