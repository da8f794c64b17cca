"""Critical memory kept in a file: a table's whole heap stays free for the table, as on a board;
on a board itself, whose code is not in its heap, there is room for it."""

import io
import os
from binascii import hexlify

from felt.logbook import LOG
from felt.store.vault import Vault
from felt.table import Table

from host_tests.helpers.repeats import ON_BOARD


class PowerCut(Exception):
    """The supply went away while a byte was being written."""


class FileImage:
    """32 KiB that lose power after a given number of bytes, and keep what they have."""

    size = 32768

    def __init__(self, name):
        self._file = io.BytesIO(bytes(self.size)) if ON_BOARD else self._unnamed(name)
        self.left = None
        self.wipe()

    def _unnamed(self, name):
        try:
            os.mkdir("build")
        except OSError:
            pass
        path = "build/%s-%s.fram" % (name, hexlify(os.urandom(8)).decode())
        opened = open(path, "w+b")
        os.remove(path)  # gone with the process, however that ends
        return opened

    def wipe(self):
        """Make it a chip fresh from the factory."""
        self._file.seek(0)
        for _ in range(self.size // 1024):
            self._file.write(bytes(1024))
        self.left = None

    def cut_after(self, count):
        """Let `count` more bytes through; None never cuts."""
        self.left = count

    def readinto(self, addr, buf):
        self._alive()
        self._file.seek(addr)
        self._file.readinto(buf)

    def write(self, addr, buf):
        self._alive()
        self._file.seek(addr)
        if self.left is not None and len(buf) > self.left:
            self._file.write(bytes(buf)[: self.left])
            self.left = -1
            raise PowerCut()
        self._file.write(bytes(buf))
        if self.left is not None:
            self.left -= len(buf)

    def _alive(self):
        if self.left == -1:
            raise PowerCut()

    def fresh(self, settings, watch=None):
        """Return a table on cleared memory."""
        self.wipe()
        t = Table(settings, Vault(self), watch=watch)
        t.start(1)
        assert t.fault == "vault_blank", t.fault
        t.turn_key(0, 1)
        t.turn_key(1, 1)
        t.clear(1)
        assert t.fault is None
        return t

    def again(self, settings):
        """Return the table after power came back."""
        self.cut_after(None)
        t = Table(settings, Vault(self))
        t.start(1)
        return t


def logged(entries):
    """Return the names of log entries."""
    return [LOG[e[2]] for e in entries if e[2] < len(LOG)]
