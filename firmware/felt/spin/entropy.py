"""Entropy with SP 800-90B health tests, and the generator that draws for the wheel.

Two noise sources are handed in: the system's `urandom` and single bits sampled from the ring
oscillator. Every raw sample is tested before it is used; a source that is stuck, biased or missing
stops the generator, and only a start-up test that passes brings it back. Formulas for the
cutoffs are in docs/bonus_spin.md.
"""

from felt.spin import EntropyError
from felt.spin.drbg import Drbg, clear, scrub

LIMIT = 1 << 24  # below(n) takes n up to this: candidates are three bytes, small ints on the board
SPINS = 6  # draws from one reseed: a round has at most this many spinners
_BITS = 1024  # ring-oscillator samples in a seed, claimed at half a bit each
_BYTES = 64  # urandom bytes in a seed, claimed at four bits each
_CHUNK = 32  # samples taken by one background step
_SLICE = 128  # samples taken by one part of a reseed that is done in parts: 5 ms on the board
_CYCLES = 4096  # background steps after which a reseed takes the next one's place
_BLOCKS = 16  # blocks a draw may use: ten candidates each, failing with 2**-160 at worst

# (repetition cutoff, window, proportion cutoff) for a false alarm of 2**-30; a host test
# recomputes them. The standard's window is 1024 for bits and 512 for wider samples.
BIT_CUTOFFS = (61, 1024, 810)
BYTE_CUTOFFS = (9, 512, 71)


class Health:
    """Repetition count and adaptive proportion tests of one source (SP 800-90B 4.4.1, 4.4.2)."""

    def __init__(self, cutoffs):
        self._repeat, self._window, self._most = cutoffs
        self._binary = self._window == 1024
        self.reset()

    def reset(self):
        """Forget what was seen."""
        self._last = -1
        self._run = self._seen = self._same = self._first = 0

    def feed(self, samples):
        """Return None, or the code of the test that failed on these samples."""
        last, run = self._last, self._run
        seen, same, first = self._seen, self._same, self._first
        for s in samples:
            run = run + 1 if s == last else 1
            last = s
            if run >= self._repeat:
                return "entropy_stuck"
            if not seen:
                first = s
                same = 0
            seen += 1
            if s == first:
                same += 1
            if seen == self._window:
                other = seen - same if self._binary else 0
                if max(same, other) >= self._most:
                    return "entropy_biased"
                seen = 0
        self._last, self._run = last, run
        self._seen, self._same, self._first = seen, same, first


class EntropySource:
    """Both noise sources behind their tests. `urandom(n)` gives new bytes, `jitter()` one bit."""

    def __init__(self, urandom, jitter, board_id, boot_count):
        self._urandom = urandom
        self._jitter = jitter
        self._tests = (Health(BYTE_CUTOFFS), Health(BIT_CUTOFFS))
        self._raw = bytearray(_BYTES + _BITS)
        self._have = 0  # samples gathered for a seed that is made in parts
        self.fault = "entropy_off"
        self._who = bytes(board_id)
        self._boot = boot_count
        self._starts = 0

    def start(self):
        """Run the start-up test on two windows of each source; its samples are thrown away."""
        for test in self._tests:
            test.reset()
        self._starts += 1
        self._have = 0
        self.fault = "entropy_off"
        for _ in range(2 * 512 // _BYTES):
            self._bytes()
        for _ in range(2):
            self._bits(_BYTES, _BITS)
        scrub(self._raw)
        self.fault = None

    def nonce(self):
        """Return bytes that no other board and no other start has (SP 800-90A 8.6.7)."""
        return self._who + ("%012d.%06d" % (self._boot, self._starts)).encode()

    def seed(self):
        """Return fresh tested samples in a buffer that the caller scrubs."""
        self._check()
        self._have = 0
        self._bytes()
        self._bits(_BYTES, _BITS)
        return self._raw

    def gather(self):
        """Take a part of the samples of a seed; return it like seed() with the last part."""
        self._check()
        at = self._have
        if not at:
            self._bytes()
            self._have = _BYTES
            return None
        self._bits(at, _SLICE)
        self._have = at + _SLICE
        if self._have < len(self._raw):
            return None
        self._have = 0
        return self._raw

    def chunk(self):
        """Return a few fresh tested bits, likewise."""
        self._check()
        self._have = 0
        self._bits(0, _CHUNK)
        return memoryview(self._raw)[:_CHUNK]

    def _bytes(self):
        try:
            noise = self._urandom(_BYTES)
            if len(noise) != _BYTES:
                raise OSError
        except (OSError, TypeError):
            self._fail("entropy_missing")
        self._judge(self._tests[0].feed(noise))
        self._raw[:_BYTES] = noise
        scrub(noise)

    def _bits(self, at, n):
        raw, jitter = self._raw, self._jitter
        try:
            for i in range(at, at + n):
                raw[i] = jitter() & 1
        except (OSError, TypeError):
            self._fail("entropy_missing")
        self._judge(self._tests[1].feed(memoryview(raw)[at : at + n]))

    def _check(self):
        if self.fault:
            raise EntropyError(self.fault)

    def _judge(self, code):
        if code:
            self._fail(code)

    def _fail(self, code):
        scrub(self._raw)
        self._have = 0
        self.fault = code
        raise EntropyError(code)


class Generator:
    """Source and DRBG together: what the table holds."""

    def __init__(self, source, personal=b"felt bonus spin 1"):
        self._source = source
        self._drbg = Drbg()
        self._personal = personal
        self._out = bytearray(30)
        self._left = 0

    @property
    def fault(self):
        """Why nothing can be drawn, or None."""
        return self._source.fault or (None if self._drbg.count else "entropy_off")

    def start(self):
        """Test the source, then seed; the only way back after a fault."""
        self.wipe()
        self._source.start()
        noise = self._source.seed()
        self._drbg.instantiate(noise, self._source.nonce(), self._personal)
        scrub(noise)
        self._left = SPINS

    def reseed(self):
        """Fresh entropy: call it for every round, before its first spin."""
        noise = self._take(self._source.seed)
        self._drbg.reseed(noise)
        scrub(noise)
        self._left = SPINS

    def gather(self):
        """Do a part of reseed(); True when it is done. Any other call starts it over."""
        noise = self._take(self._source.gather)
        if noise is None:
            return False
        self._drbg.reseed(noise)
        scrub(noise)
        self._left = SPINS
        return True

    def cycle(self):
        """Between spins: step the state with fresh noise and throw the output away."""
        if self._drbg.count >= _CYCLES:
            return self.reseed()
        noise = self._take(self._source.chunk)
        self._drbg.generate(self._out, noise)
        scrub(noise)
        clear(self._out)

    def below(self, n):
        """Return an unbiased number in 0..n-1 by rejection; reseeds itself if nobody did."""
        if not 1 <= n <= LIMIT:
            raise ValueError("below")
        if not self._left:
            self.reseed()
        self._left -= 1
        try:
            for _ in range(_BLOCKS):
                self._drbg.generate(self._out)
                value = pick(self._out, n)
                if value >= 0:
                    return value
        finally:
            clear(self._out)
        self.wipe()
        raise EntropyError("entropy_draw")

    def wipe(self):
        """Overwrite the state; start() is needed before the next draw."""
        self._left = 0
        self._drbg.wipe()
        clear(self._out)

    def _take(self, collect):
        """Collect noise; a source that fails takes the DRBG's state with it."""
        try:
            noise = collect()
        except EntropyError:
            self.wipe()
            raise
        if not self._drbg.count:
            raise EntropyError("entropy_off")
        return noise


def pick(block, n):
    """Return the first three-byte candidate, cut to n's power of two, that is below n; or -1."""
    mask = 1
    while mask < n:
        mask <<= 1
    mask -= 1
    for i in range(0, len(block), 3):
        value = (block[i] << 16 | block[i + 1] << 8 | block[i + 2]) & mask
        if value < n:
            return value
    return -1
