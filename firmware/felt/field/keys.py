"""The attendant's and the service key switch, debounced."""

from felt.ticks import diff

ATTENDANT, SERVICE = 0, 1
DEBOUNCE_MS = 50


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
