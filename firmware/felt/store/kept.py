"""Every configuration a table was played under, on flash by its identity.

A round names its configuration by the first eight bytes of the document's SHA-256; whoever reads
the round later finds the whole document here. The oldest goes when there are too many."""

import os
from binascii import hexlify

from felt.store import config

MOST = 24


class Kept:
    """Documents in `folder`, named by a rising number and their identity."""

    def __init__(self, folder, most=MOST):
        self._folder = folder
        self._most = most
        try:
            os.mkdir(folder)
        except OSError:
            pass

    def _names(self):
        names = os.listdir(self._folder)
        return sorted([n for n in names if n.endswith(".json") and n[:8].isdigit()])

    def _find(self, identity):
        end = "-%s.json" % hexlify(identity[:8]).decode()
        for name in self._names()[::-1]:
            if name.endswith(end):
                return "%s/%s" % (self._folder, name)
        return None

    def has(self, identity):
        return self._find(identity) is not None

    def paths(self):
        """The file of every kept document, oldest first."""
        return ["%s/%s" % (self._folder, name) for name in self._names()]

    def put(self, raw):
        """Keep a document; True when it was not there yet. Only between rounds: flash."""
        identity = config.identity(raw)
        if self.get(identity) is not None:
            return False
        names = self._names()
        while len(names) >= self._most:
            os.remove("%s/%s" % (self._folder, names.pop(0)))
        number = int(names[-1][:8]) + 1 if names else 1
        path = "%s/%08d-%s" % (self._folder, number, hexlify(identity[:8]).decode())
        with open(path + ".new", "wb") as f:
            f.write(raw)
        os.rename(path + ".new", path + ".json")
        return True

    def get(self, identity):
        """Return the document with this identity (its first eight bytes), or None."""
        path = self._find(identity)
        if path is None:
            return None
        raw = config.read(path)
        return raw if config.identity(raw)[:8] == bytes(identity[:8]) else None
