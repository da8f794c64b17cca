"""What this program is: the SHA-256 of the image as it lies in flash, measured on the board.

The last sector before the file system seals it: `FELT`, its length, the hash it must have. The
measured hash is the build's identity, shown on display, console and in `make verify`.
"""

import os
from binascii import hexlify
from hashlib import sha256

SEAL = 4096
MAGIC = b"FELT"
CODE = (".py", ".mpy", ".pyc", ".uf2", ".bin", ".elf")


class Program:
    """flash: everything before the file system, to be read like bytes."""

    def __init__(self, flash):
        self._flash = memoryview(flash)
        self.identity = ""
        self.fault = ""
        self.length = 0
        self.measure()

    def measure(self):
        """Hash the image again; `fault` says how it is not what it was sealed as."""
        seal = self._flash[len(self._flash) - SEAL :]
        self.length = int.from_bytes(seal[4:8], "little")
        if bytes(seal[:4]) != MAGIC or self.length > len(self._flash) - SEAL:
            self.fault = "no seal"
            return
        found = sha256(self._flash[: self.length]).digest()
        self.identity = hexlify(found).decode()
        self.fault = "" if found == bytes(seal[8:40]) else "changed"


def version():
    """Return the release this build was made to be signed as, "" when it was made for none.

    The word is no proof: a signature is checked where a release is written to a board.
    """
    try:
        return __import__("felt_release").VERSION
    except ImportError:  # sources as they lie in a checkout
        return ""


def files(folder, elsewhere):
    """Yield the path of every file on the file system, not of what else is mounted on it."""
    for entry in os.ilistdir(folder or "/"):
        path = folder + "/" + entry[0]
        if path == elsewhere:
            continue
        if entry[1] == 0x4000:
            yield from files(path, elsewhere)
        else:
            yield path


def stray(elsewhere=""):
    """Return the first file that looks like code, or "": none belongs there, none is ever run."""
    for path in files("", elsewhere):
        for end in CODE:
            if path.endswith(end):
                return path
    return ""
