"""The attendant's and the service key switch, debounced."""

from felt.ticks import diff

ATTENDANT, SERVICE = 0, 1
DEBOUNCE_MS = 50
TRIES = 8  # a switch that never settles must not hold the start


class Keys:
    """pins: attendant, service; a turned key reads `active` (0: switch to ground, pull-up)."""

    def __init__(self, pins, active=0):
        self._pins = pins
        self._active = active
        self.on = [False] * len(pins)
        self._since = [None] * len(pins)

    def read(self, key):
        """The switch at this instant, not debounced; for the decision at power-on."""
        return self._pins[key].value() == self._active

    def settle(self, sleep_ms):
        """Return the switches as they stand at power-on, a bit each; they start from there."""
        before = None
        for _ in range(TRIES):
            self.on = [self.read(key) for key in range(len(self._pins))]
            if self.on == before:
                break
            before = self.on
            sleep_ms(DEBOUNCE_MS)
        return sum([1 << key for key in range(len(self.on)) if self.on[key]])

    def poll(self, now):
        """Return (key, on) when a key was turned, else None; call again for the other key."""
        for key in range(len(self._pins)):
            if self.read(key) == self.on[key]:
                self._since[key] = None
            elif self._since[key] is None:
                self._since[key] = now
            elif diff(now, self._since[key]) >= DEBOUNCE_MS:
                self._since[key] = None
                self.on[key] = not self.on[key]
                return (key, self.on[key])
        return None
