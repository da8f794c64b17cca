"""The virtual table: firmware on a real MicroPython, and everything that is plugged into it."""
