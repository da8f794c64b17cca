"""Finds one sealed segment by its number, a small step a call: memory first, then the archive.

A table's archive may hold weeks. Looking through it at one go would stop the table, so whoever
looks calls `step` once a lap until it answers.
"""

from felt.store import journal
from felt.store.area import VaultError

_HEAD = 2  # length before a segment in a file


class Held:
    """A segment in critical memory, to be read in pieces.

    The journal goes round and may overwrite it with an open round, of which nothing may leave: so
    how far the journal has come is looked at before every piece."""

    def __init__(self, vault, start, serial, size):
        self._vault, self._start = vault, start
        self._come = 0
        self.serial, self.size = serial, size

    def ready(self):
        return True

    def read(self, at, view):
        if not self.whole():
            raise ValueError("overwritten")
        self._vault.ring.read(self._start + at, view)

    def whole(self):
        """True while the journal's end has not come round to it; asked more than once a lap."""
        size = self._vault.ring.size
        come = (self._vault.end - self._start) % size
        self._come = come if self._come <= come <= size - journal.TAIL else size  # then for good
        return self._come < size


class Open:
    """The one file that is open: to close, to open and to measure one takes a lap each."""

    def __init__(self, archive):
        self._archive = archive
        self._path = self._file = self._next = None
        self._changes = self.end = 0

    def ready(self, path):
        """True when this file is open as it is on flash now; a step towards that otherwise."""
        changes = self._archive.changes if self._archive else 0
        if changes == self._changes:
            if path == self._path:
                return True
            if path == self._next:
                self.end = self._file.seek(0, 2)
                self._path, self._next = path, None
                return False
        self._changes = changes
        self._path = self._next = None
        if self._file:
            file, self._file = self._file, None
            file.close()
        else:
            self._file = open(path, "rb")
            self._next = path
        return False

    def read(self, at, view):
        self._file.seek(at)
        if self._file.readinto(view) != len(view):
            raise OSError("short file")


class Filed:
    """A part of a file, to be read in pieces when it is `ready`."""

    def __init__(self, file, path, offset, length, serial):
        self._file, self._path, self._offset = file, path, offset
        self.size, self.serial = length, serial

    def ready(self):
        return self._file.ready(self._path)

    def read(self, at, view):
        self._file.read(self._offset + at, view)

    def whole(self):
        # It raises when the file was removed meanwhile; else that was only appended to.
        open(self._path, "rb").close()  # half as long as os.stat
        return True


class Shelf:
    """`ask(serial)`, then `step()` until it is no longer None: a segment, or False for none.

    The one asked for may be gone: then it is the next one there is."""

    def __init__(self, table):
        self._table = table
        self.file = Open(table.archive)
        self._buf = bytearray(journal.SEAL_SIZE)
        self._head = bytearray(_HEAD)
        self._steps = None
        self._place = None  # file, offset and number of the segment found there last
        self._oldest = 0  # in critical memory, when it was last looked through: it only rises

    def ask(self, serial):
        self._steps = self._search(serial)

    def step(self):
        try:
            return next(self._steps)
        except (VaultError, OSError, StopIteration) as e:
            self._steps = self._place = None
            if isinstance(e, OSError) and self._table.archive:
                self._table.archive.look()  # a file is not there any more
            return False

    def _search(self, serial):
        vault, buf = self._table.vault, self._buf
        if serial < self._oldest and self._table.archive:
            for found in self._archived(serial, self._oldest):
                yield found
        oldest = start = size = 0
        for at in vault.seals(buf):
            number = journal.seen(buf)[0]
            if number < serial:
                break
            oldest, start, size = number, at, journal.SEAL_SIZE + (buf[2] | buf[3] << 8)
            if number == serial:
                break
            yield None
        if oldest > serial:
            self._oldest = oldest
        if oldest != serial and self._table.archive:
            for found in self._archived(serial, oldest or 1 << 32):
                yield found
        yield Held(vault, start, oldest, size) if oldest else False

    def _archived(self, serial, below):
        """The first segment from `serial` on and before `below`; nothing when there is none."""
        archive = self._table.archive
        names = archive.known
        at = 0
        if self._place and self._place[0] in names and self._place[2] < serial:
            at, offset = names.index(self._place[0]), self._place[1]
        else:
            for i in range(len(names)):
                path = archive.path(names[i])
                while not self.file.ready(path):
                    yield None
                found = self._at(path, 0)
                if found and found.serial <= serial:
                    at = i
                yield None
            offset = 0
        for number in names[at:]:
            path = archive.path(number)
            while True:
                while not self.file.ready(path):
                    yield None
                found = self._at(path, offset)
                if found is None:
                    break
                if serial <= found.serial < below:
                    self._place = number, offset + _HEAD + found.size, found.serial
                    yield found
                offset += _HEAD + found.size
                yield None
            offset = 0

    def _at(self, path, offset):
        """The segment at this place of the open file, None at the end or where none is."""
        file, head, buf = self.file, self._head, self._buf
        if offset + _HEAD > file.end:
            return None
        file.read(offset, head)
        length = head[0] | head[1] << 8
        if length < 2 * journal.SEAL_SIZE or offset + _HEAD + length > file.end:
            return None
        try:
            journal.glance(file, offset + _HEAD + length - journal.SEAL_SIZE, buf)
            serial = journal.seen(buf)[0]
        except VaultError:
            serial = -1  # damaged: it is passed over, and the collector is told of the gap
        return Filed(file, path, offset + _HEAD, length, serial)
