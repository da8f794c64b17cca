"""Bet sensors: a chain of seven 74HC165, one byte a seat, one bit a spot.

Scanned every 5 ms into buffers made once; nothing is allocated in the scan. A spot changes after
it has read the same for the debounce time. Spots that flutter or never clear are reported once.
"""

import micropython

from felt.ticks import diff

SEATS = 7
SPOTS = 56
SCAN_MS = 5
WINDOW_MS = 2048
STUCK, FLAPPING, CHAIN = "stuck", "flapping", "chain"


class SpiChain:
    """The chain on an SPI or SoftSPI bus, polarity=1, phase=0.

    The bus samples on the falling edge, the registers shift on the rising one. latch is /PL; it
    may be the bus's MOSI too, which sends ones. Bit 7 of byte 0 comes first: input
    H of the register next to the controller.
    """

    def __init__(self, spi, latch):
        self._spi = spi
        self._latch = latch
        latch.value(1)

    def readinto(self, buf):
        latch = self._latch
        latch.value(0)  # parallel load; a Python call is far longer than the 100 ns needed
        latch.value(1)
        self._spi.readinto(buf, 0xFF)


class Sensors:
    """Debounced presence per spot; spot number = seat * 8 + bit.

    chain: readinto(7-byte buffer). Options: debounce_ms (30); invert (False; True when a covered
    spot reads 0); flaps (20 raw changes in WINDOW_MS make a spot flapping); taken_rounds (2) and
    idle_rounds (20), see round_closed; tied: (mask, value), 7 bytes each, inputs wired to a fixed
    level, by which a broken chain is known.
    """

    def __init__(self, chain, **options):
        self._chain = chain
        self._steps = max(1, options.get("debounce_ms", 30) // SCAN_MS)
        self._flip = 0xFF if options.get("invert", False) else 0
        self._flaps = options.get("flaps", 20)
        self._taken_rounds = options.get("taken_rounds", 2)
        self._idle_rounds = options.get("idle_rounds", 20)
        self._tied = options.get("tied")
        self.state = bytearray(SEATS)
        self.stuck = bytearray(SEATS)
        self.flapping = bytearray(SEATS)
        self.broken = False
        self._told = (bytearray(SEATS), bytearray(SEATS), bytearray(1))
        self._raw = bytearray(SEATS)
        self._old = bytearray(SEATS)
        self._differs = bytearray(SEATS)
        self._seen = bytearray(SEATS)  # the last scan that was digested,
        self._quiet = False  # which changed nothing and left nothing to count
        self._count = bytearray(SPOTS)  # scans a spot has differed from its state
        self._edges = bytearray(SPOTS)  # raw changes in this window
        self._kept = bytearray(SPOTS)  # closed rounds a spot stayed covered
        self._held = bytearray(SPOTS)  # closed rounds it stayed covered though its wager was taken
        self._scanned = None
        self._window = 0
        self._odd = 0

    def poll(self, now):
        """Scan when due; return True when a spot changed."""
        if self._scanned is not None and diff(now, self._scanned) < SCAN_MS:
            return False
        self._scanned = now
        if diff(now, self._window) >= WINDOW_MS or diff(now, self._window) < 0:
            self._window = now
            for spot in range(SPOTS):
                self._edges[spot] = 0
        self._chain.readinto(self._raw)
        if self._quiet and self._raw == self._seen:
            return False
        return self._sound() and self._digest()

    def present(self, seat, spot):
        return bool(self.state[seat] >> spot & 1)

    def faults(self):
        """Return what went wrong since the last call: a list of (fault, spot number)."""
        stuck, flapping, chain = self._told
        if stuck == self.stuck and flapping == self.flapping and chain[0] == self.broken:
            return ()
        return self._fresh()

    def round_closed(self, taken=None):
        """A round is over. taken: 7-byte map of spots that must be empty now.

        A winner may leave chips for the next round, so a covered spot is stuck only after
        idle_rounds rounds without ever reading empty, or taken_rounds when it had to be empty.
        """
        for spot in range(SPOTS):
            mask = 1 << (spot & 7)
            seat = spot >> 3
            if self.state[seat] & mask:
                self._kept[spot] = min(255, self._kept[spot] + 1)
                if taken and taken[seat] & mask:
                    self._held[spot] = min(255, self._held[spot] + 1)
                kept = self._kept[spot] >= self._idle_rounds
                if kept or self._held[spot] >= self._taken_rounds:
                    self.stuck[seat] |= mask

    @micropython.native
    def _digest(self):
        raw = self._raw
        state = self.state
        old = self._old
        differs = self._differs
        flip = self._flip
        seen = self._seen
        changed = False
        quiet = True
        for seat in range(SEATS):
            byte = raw[seat]
            seen[seat] = byte
            byte ^= flip
            if byte != state[seat] or byte != old[seat] or differs[seat]:
                quiet = False
                if self._settle(seat, byte):
                    changed = True
        self._quiet = quiet
        return changed

    @micropython.native
    def _settle(self, seat, byte):
        """One seat with something moving: count scans and edges of each spot."""
        count = self._count
        steps = self._steps
        moved = byte ^ self._old[seat]
        differs = byte ^ self.state[seat]
        self._old[seat] = byte
        self._differs[seat] = differs
        changed = False
        mask = 1
        for spot in range(seat * 8, seat * 8 + 8):
            if moved & mask:
                self._edge(seat, spot, mask)
            if not differs & mask:
                count[spot] = 0
            elif count[spot] < steps:
                count[spot] += 1
            else:
                self._toggle(seat, spot, mask)
                changed = True
            mask <<= 1
        return changed

    def _edge(self, seat, spot, mask):
        edges = self._edges[spot]
        if edges < 255:
            self._edges[spot] = edges + 1
            if edges + 1 >= self._flaps:
                self.flapping[seat] |= mask

    def _toggle(self, seat, spot, mask):
        self._count[spot] = 0
        self.state[seat] ^= mask
        self._kept[spot] = self._held[spot] = 0
        self.stuck[seat] &= ~mask
        self._told[0][seat] &= ~mask

    def _sound(self):
        """Compare inputs tied to a fixed level; a scan that disagrees is not believed."""
        if not self._tied:
            return True
        mask, value = self._tied
        for i in range(SEATS):
            if self._raw[i] & mask[i] != value[i]:
                self._quiet = False
                self._odd = min(255, self._odd + 1)
                if self._odd > self._steps:
                    self.broken = True
                return False
        self._odd = 0
        self.broken = False
        return True

    def _fresh(self):
        found = []
        for told, now, name in zip(self._told, (self.stuck, self.flapping), (STUCK, FLAPPING)):
            for spot in range(SPOTS):
                mask = 1 << (spot & 7)
                if now[spot >> 3] & ~told[spot >> 3] & mask:
                    told[spot >> 3] |= mask
                    found.append((name, spot))
        if self.broken != bool(self._told[2][0]):
            self._told[2][0] = self.broken
            if self.broken:
                found.append((CHAIN, 0))
        return found
