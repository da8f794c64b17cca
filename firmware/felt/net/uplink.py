"""The network task: one connection, one record under way, one thing done a call.

Whatever the network does, the table's own work is not waited for and not changed by it: an error
in here ends the connection, is counted and tried again later.
"""

from felt.net import mqtt, records
from felt.ticks import diff

PIECE = 64  # bytes of a record in one call: 0.6 ms from critical memory
WAIT_MS = (1000, 2000, 4000, 8000, 16000, 30000)  # from one try to the next
TOPIC = "felt/%s/%s"
OUT, IN, LINE = "out", "in", "line"
LOGIN, REFUSED = 3, 4  # of the log's entry `network`; 0 to 2 are written at the start
_LOGIN = (4, 5)  # MQTT: bad user name or password, not authorized
THERE, GONE = "there", "gone"  # what the line's topic says, the second one as last will


class Uplink:
    """`poll(now)` from the application's loop; `sock` is a socket that never waits."""

    def __init__(self, sock, box, name, broker, login=None, spread=0, lease=None):
        self.box = box
        self.lease = lease  # of an address, where it is lent
        self.client = mqtt.Client(
            sock, broker, "felt-" + name, login, (TOPIC % (name, LINE), GONE), TOPIC % (name, IN)
        )
        self._out, self._line = TOPIC % (name, OUT), TOPIC % (name, LINE)
        self._spread = spread  # ms, so that a pit does not come back all at once
        self._tries = 0
        self._again = None
        self._there = False
        self._piece = bytearray(PIECE)
        self._turn = False  # to send; the laps between look at the socket
        self._record = self._parcel = self._heard = self._said = None
        self.errors = 0
        self.error = ""

    @property
    def busy(self):
        """True while a record is under way, or being looked for."""
        at_hand = self._record or self._parcel or self._heard or self._said
        return bool(at_hand or self.box.looks() or not self.client.free())

    def poll(self, now):
        """One step; never raises."""
        try:
            self._step(now)
        except Exception as e:
            self.errors += 1
            self.error = repr(e)
            self._end(now)

    def _end(self, now):
        """Close, forget what was under way, try again after a while."""
        try:
            self.client.drop(self.client.why or "error")
        except Exception:
            pass
        self._record = self._parcel = self._heard = self._said = None
        self._there = False
        self._again = (now + WAIT_MS[self._tries] + self._spread) & 0x3FFFFFFF
        self._tries = min(self._tries + 1, len(WAIT_MS) - 1)

    def _step(self, now):
        client = self.client
        if self.lease and not self._has_address(now):
            return
        if client.state == mqtt.DOWN:
            if self._again is None or diff(now, self._again) >= 0:
                self.box.restart(now)
                client.open(now)
            return
        if self._heard is not None:
            self._said, self._heard = (records.opened(self.box.mac, self._heard),), None
        elif self._said:
            if self.box.take(self._said[0], now):
                self._tries = 0
            self._said = None
        elif self._turn and client.free():
            self._turn = False
            self._send(now)
        else:
            self._turn = True
            self._heard = client.poll(now)
            if client.state == mqtt.DOWN:
                self._down(now)

    def _down(self, now):
        client = self.client
        if client.refused:
            self.box.remark(LOGIN if client.refused in _LOGIN else REFUSED, client.refused)
            client.refused = 0
        self._end(now)

    def _has_address(self, now):
        """False when the lease took this lap, or there is no address to speak from."""
        was = self.lease.held
        took = self.lease.poll(now)
        if self.lease.held != was and self.client.state != mqtt.DOWN:
            self._end(now)
        return self.lease.held and not took

    def _send(self, now):
        if self._record:
            self._go_on()
        elif not self._there:
            self._there = True
            self.client.publish(self._line, len(THERE), True)
            self.client.put(THERE.encode())
        elif self._parcel:
            parcel, self._parcel = self._parcel, None
            self._begin(*parcel)
        elif self.client.may_publish():
            self._parcel = self.box.next(now)

    def _begin(self, head, body):
        self._record, self._at, self._checked = body, 0, False
        self.client.publish(self._out, len(head) + body.size + records.MAC_SIZE)
        self.client.put(head)
        self.box.mac.begin()
        self.box.mac.add(head)

    def _go_on(self):
        """The next piece of the record, or its end."""
        body = self._record
        if not body.ready():
            return
        left = body.size - self._at
        if left:
            piece = memoryview(self._piece)[: min(PIECE, left)]
            body.read(self._at, piece)
            self.box.mac.add(piece)
            self.client.put(piece)
            self._at += len(piece)
        elif not self._checked:
            self._checked = True
            if not body.whole():
                raise ValueError("overwritten while it was sent")
        else:
            self.client.put(self.box.mac.end())
            self._record = None
