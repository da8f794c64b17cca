"""Feeds the hardware watchdog only while every task is alive."""

from felt.ticks import diff


class Watchdog:
    """wdt: an object with feed(). A task checks in by its index in names.

    on_starving(name) is called once per starvation, when a task has kept the watchdog unfed for
    warn_ms: time to log the name before the reset comes.
    """

    def __init__(self, wdt, names, warn_ms=1000, on_starving=None):
        self._wdt = wdt
        self._names = names
        self._seen = bytearray(len(names))
        self._warn_ms = warn_ms
        self._on_starving = on_starving
        self._fed = None
        self._warned = False

    def check_in(self, task):
        self._seen[task] = 1

    def missing(self):
        """Names of the tasks that have not checked in since the last feed."""
        return [name for name, seen in zip(self._names, self._seen) if not seen]

    def poll(self, now):
        """Feed if every task has checked in; return whether it was fed."""
        if self._fed is None:
            self._fed = now
        if self._seen.find(b"\0") >= 0:
            if not self._warned and diff(now, self._fed) >= self._warn_ms:
                self._warned = True
                if self._on_starving:
                    self._on_starving(self.missing()[0])
            return False
        self._wdt.feed()
        self._fed = now
        self._warned = False
        for task in range(len(self._seen)):
            self._seen[task] = 0
        return True
