"""MicroPython's select with the virtual board's clock: waiting here is where time passes.

asyncio waits in ipoll, so this is also where messages of the bench come in. Objects with a
`vpoll` method (our UARTs) are asked; anything else (stdin, sockets) goes to the real poll.
"""

from uselect import POLLERR, POLLHUP, POLLIN, POLLOUT  # noqa: F401
from uselect import poll as _poll
from vbench import bench


class poll:
    def __init__(self):
        self._real = _poll()
        self._plain = 0
        self._ours = {}  # id: [object, events]

    def register(self, obj, events=POLLIN | POLLOUT):
        if hasattr(obj, "vpoll"):
            self._ours[id(obj)] = [obj, events]
        else:
            self._real.register(obj, events)
            self._plain += 1

    def modify(self, obj, events):
        if id(obj) in self._ours:
            self._ours[id(obj)][1] = events
        else:
            self._real.modify(obj, events)

    def unregister(self, obj):
        if id(obj) in self._ours:
            del self._ours[id(obj)]
        else:
            self._real.unregister(obj)
            self._plain -= 1

    def _found(self):
        found = self._real.poll(0) if self._plain else []
        for key in self._ours:
            obj, events = self._ours[key]
            seen = obj.vpoll(events)
            if seen:
                found.append((obj, seen))
        return found

    def poll(self, timeout=-1):
        if timeout == 0:
            bench.pump()
            return self._found()
        watch = self._found if self._plain or self._ours else None
        us = None if timeout < 0 else timeout * 1000
        if self._plain and us is None:
            us = 10000  # a plain file cannot wake the bench's wait
        bench.wait(us, watch)
        return self._found()

    def ipoll(self, timeout=-1, flags=0):
        return self.poll(timeout)
