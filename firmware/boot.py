"""Lock-down: the table starts here, before USB is up, so a running table offers no REPL.

With the service key turned at power-on this file does nothing: USB comes up, main.py offers the
service console, and mpremote can reach the REPL.
"""

import board
from machine import Pin

if Pin(board.PINS["KEY_SERVICE"], Pin.IN, Pin.PULL_UP).value():
    import main

    main.table()
