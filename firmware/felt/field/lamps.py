"""Seat lamps: WS2812 LEDs that show the state of each seat's Bonus Spin wager.

A colour is a pure function of pattern and time. The chain is written only when a colour changed:
a write keeps interrupts off for about 30 us an LED (7 LEDs: 0.21 ms), while a UART FIFO of 32
bytes fills in 2.7 ms at 115200 baud.
"""

OFF, OPEN, LATCHED, LATE, SPIN_DUE, SPINNING, PAID, FAULT = range(8)

_DARK = (0, 0, 0)

# pattern: (colour, colour, shift). The two take turns every 2**shift ms; powers of two divide the
# period of the clock, so its wrap cannot be seen. Shift None is steady.
PATTERNS = (
    (_DARK, _DARK, None),
    ((0, 24, 0), (0, 24, 0), None),
    ((0, 40, 96), (0, 40, 96), None),
    ((160, 0, 0), _DARK, 7),
    ((120, 90, 0), (20, 15, 0), 9),
    ((90, 0, 120), (0, 60, 120), 7),
    ((0, 140, 0), (60, 60, 0), 8),
    ((120, 0, 0), (0, 0, 40), 10),
)


def colour(pattern, now):
    """Return (red, green, blue) of a pattern at a time in ms."""
    first, second, shift = PATTERNS[pattern]
    return second if shift is not None and now >> shift & 1 else first


class Lamps:
    """leds: an object with NeoPixel's interface; per_seat LEDs for each seat, seat 0 first."""

    def __init__(self, leds, seats=7, per_seat=1):
        self._leds = leds
        self._per_seat = per_seat
        self._patterns = bytearray(seats)
        self._shown = [None] * seats
        self.writes = 0

    def set(self, seat, pattern):
        if not 0 <= pattern < len(PATTERNS):
            raise ValueError("no such lamp pattern: %r" % (pattern,))
        self._patterns[seat] = pattern

    def set_all(self, pattern):
        for seat in range(len(self._patterns)):
            self.set(seat, pattern)

    def poll(self, now):
        """Write the chain if a colour changed; return whether it was written."""
        changed = False
        for seat in range(len(self._patterns)):
            want = colour(self._patterns[seat], now)
            if want is not self._shown[seat]:
                self._shown[seat] = want
                for led in range(seat * self._per_seat, (seat + 1) * self._per_seat):
                    self._leds[led] = want
                changed = True
        if changed:
            self._leds.write()
            self.writes += 1
        return changed
