"""Every text a person reads, by key, from one language file: its bytes, frozen into the image.

The file has a `key text` line each. Only an index stays in memory (three bytes a text); lines are
read where they lie when they are shown, and the most recent ones kept.
"""

from array import array
from binascii import crc32
from io import BytesIO

KEPT = 48


class Texts:
    """Texts of a language file (its bytes, or a path); a key without one shows as itself."""

    def __init__(self, source):
        self._file = BytesIO(source) if isinstance(source, bytes) else open(source, "rb")
        self._hashes = bytearray()
        self._places = array("H")
        self._kept = {}
        place = 0
        for line in self._file:
            if line[:1] not in (b"#", b"\n", b"\r"):
                self._hashes.append(crc32(line[: line.find(b" ")]) & 0xFF)
                self._places.append(place)
            place += len(line)
        if place > 65535:
            raise ValueError("language file over 64 KB")

    def get(self, key, *values, default=None):
        """Return the text of a key with its %s filled in order; surplus values are dropped."""
        text = self._kept.get(key)
        if text is None:
            text = self._read(key)
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[key] = text
        if text == key and default is not None:
            return default
        for value in values:
            at = text.find("%s")
            if at >= 0:
                text = text[:at] + str(value) + text[at + 2 :]
        return text.replace("%s", "").strip()

    def _read(self, key):
        raw = key.encode()
        wanted = bytes((crc32(raw) & 0xFF,))
        at = self._hashes.find(wanted)
        while at >= 0:
            self._file.seek(self._places[at])
            line = self._file.readline()
            if line[: len(raw) + 1] == raw + b" ":
                return line[len(raw) + 1 :].decode().strip()
            at = self._hashes.find(wanted, at + 1)
        return key
