"""The table controller: the same modules on CPython, on MicroPython and on the RP2040."""
