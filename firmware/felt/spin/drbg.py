"""HMAC-DRBG with SHA-256 (NIST SP 800-90A Rev. 1, 10.1.2): the wheel's random generator.

It lives here because stock MicroPython has neither a DRBG nor `hmac`. Nothing in it is random:
entropy is handed in by felt.spin.entropy, so NIST's vectors run through exactly this code.
"""

from hashlib import sha256

MIN_ENTROPY = 32  # bytes: security strength 256
MIN_NONCE = 16
MAX_REQUEST = 65536  # bytes: 2**19 bits
RESEED_INTERVAL = 1 << 20  # requests; the standard allows 2**48
_EMPTY = b""

try:
    from uctypes import addressof, bytearray_at

    def scrub(secret):
        """Overwrite a buffer, or bytes that nobody else holds, with zeros."""
        clear(bytearray_at(addressof(secret), len(secret)))

except ImportError:

    def scrub(secret):
        """Overwrite a buffer with zeros; CPython's bytes cannot be reached."""
        if not isinstance(secret, bytes):
            clear(secret)


def clear(buf):
    """Fill a writable buffer with zeros."""
    buf[:] = bytes(len(buf))


class DrbgError(Exception):
    """args[0] says why: `drbg_state`, `drbg_input`, `drbg_size` or `drbg_reseed`."""


class Drbg:
    """One instance: V, and the key K kept as HMAC's two padded blocks."""

    def __init__(self, interval=RESEED_INTERVAL):
        self.interval = interval
        self.count = 0  # the reseed counter; 0 = not instantiated
        self._v = bytearray(32)
        self._inner = bytearray(64)
        self._outer = bytearray(64)

    def instantiate(self, entropy, nonce, personal=_EMPTY):
        """Start from entropy (32 bytes of min-entropy or more) and a nonce that never repeats."""
        if len(entropy) < MIN_ENTROPY or len(nonce) < MIN_NONCE:
            raise DrbgError("drbg_input")
        self.wipe()
        self._inner[32:] = b"\x36" * 32
        self._outer[32:] = b"\x5c" * 32
        self._key(bytearray(32))
        self._v[:] = b"\1" * 32
        self._update(entropy, nonce, personal)
        self.count = 1

    def reseed(self, entropy, additional=_EMPTY):
        """Mix fresh entropy into the state."""
        self._alive()
        if len(entropy) < MIN_ENTROPY:
            raise DrbgError("drbg_input")
        self._update(entropy, additional, _EMPTY)
        self.count = 1

    def generate(self, out, additional=_EMPTY):
        """Fill the buffer `out`; refused when the instance is due for a reseed."""
        self._alive()
        if len(out) > MAX_REQUEST:
            raise DrbgError("drbg_size")
        if self.count > self.interval:
            raise DrbgError("drbg_reseed")
        if additional:
            self._update(additional, _EMPTY, _EMPTY)
        for at in range(0, len(out), 32):
            self._next()
            n = min(32, len(out) - at)
            out[at : at + n] = memoryview(self._v)[:n]
        self._update(additional, _EMPTY, _EMPTY)
        self.count += 1

    def wipe(self):
        """Uninstantiate: overwrite every secret."""
        self.count = 0
        clear(self._v)
        clear(self._inner)
        clear(self._outer)

    def _alive(self):
        if not self.count:
            raise DrbgError("drbg_state")

    def _key(self, key):
        """Set K; it is always 32 bytes, so the second half of each pad is constant."""
        inner, outer = self._inner, self._outer
        i = 0
        for k in key:
            inner[i] = k ^ 0x36
            outer[i] = k ^ 0x5C
            i += 1
        scrub(key)

    def _finish(self, inner):
        digest = inner.digest()
        h = sha256(self._outer)
        h.update(digest)
        scrub(digest)
        return h.digest()

    def _next(self):
        """V = HMAC(K, V)."""
        h = sha256(self._inner)
        h.update(self._v)
        mac = self._finish(h)
        self._v[:] = mac
        scrub(mac)

    def _update(self, a, b, c):
        """HMAC_DRBG_Update with the provided data a || b || c."""
        for tag in (b"\0", b"\1") if a or b or c else (b"\0",):
            h = sha256(self._inner)
            h.update(self._v)
            h.update(tag)
            h.update(a)
            h.update(b)
            h.update(c)
            self._key(self._finish(h))
            self._next()
