"""Every text a person reads, by key, from one language file: its bytes, frozen into the image.

The file has a `key text` line each. An index of three bytes a text is frozen beside it; lines are
read where they lie when they are shown, and the most recent ones kept.
"""

from binascii import crc32
from io import BytesIO

KEPT = 48


def index(lines):
    """Return (a byte of hash a text, two bytes of place a text) of a language file's lines."""
    hashes, places = bytearray(), bytearray()
    place = 0
    for line in lines:
        if line[:1] not in (b"#", b"\n", b"\r"):
            hashes.append(crc32(line[: line.find(b" ")]) & 0xFF)
            places.extend(bytes((place & 0xFF, place >> 8)))
        place += len(line)
        if place > 65535:
            raise ValueError("language file over 64 KB")
    return bytes(hashes), bytes(places)


class Texts:
    """Texts of a language file (its bytes with their index, or a path); a key without one shows as
    itself."""

    def __init__(self, source, found=None):
        self._file = BytesIO(source) if isinstance(source, bytes) else open(source, "rb")
        self._hashes, self._places = found or index(self._file)
        self._kept = {}

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
            self._file.seek(self._places[2 * at] | self._places[2 * at + 1] << 8)
            line = self._file.readline()
            if line[: len(raw) + 1] == raw + b" ":
                return line[len(raw) + 1 :].decode().strip()
            at = self._hashes.find(wanted, at + 1)
        return key
