"""A reliable message link over a serial line: nothing lost, doubled or out of order.

Stop and wait: one message is under way at a time and is repeated until the other end has accepted
it. Both ends name their session (a random number per start) in every frame, so a restart of
either end is noticed and never mistaken for old traffic. Nothing here waits; poll() does what is
due and returns. docs/links.md is the specification for whoever writes the other end.
"""

from felt.link import frame
from felt.ticks import diff

VERSION = 1
HELLO, WELCOME, DATA, ACK = 1, 2, 3, 4
HEAD = 6  # kind, own session (2, little endian), the other's session (2), sequence number
PAYLOAD = frame.LIMIT - HEAD

CONTROLLER, SHOE, TERMINAL = 67, 83, 84  # roles: "C", "S", "T"

# What poll() reports.
NOTHING, LOST, BACK, FRESH = 0, 1, 2, 3

RETRY_MS = 100
HELLO_MS = 200
BEAT_MS = 250
LOST_MS = 2000  # must outlive a 400 ms flash erase at both ends in turn

_CHUNK = 128
_CHUNKS = 4  # bytes taken per poll are bounded, so a babbling line cannot hold the loop


class Port:
    """One end of a link.

    session: 1..65535, random, different at every start. peer: the role expected at the other end.
    keep: when the other end restarts, send what it had not accepted again (True) or drop it.
    passive: stay silent until a valid frame was heard. resume: a `mark` saved before a restart.
    """

    def __init__(self, uart, role, peer, session, **options):
        if not 0 < session < 65536:
            raise ValueError("session must be 1..65535: %r" % (session,))
        self.uart = uart
        self.role = role
        self.session = session
        self._expected = peer
        self._keep = options.get("keep", False)
        self._passive = options.get("passive", False)
        self._resume = options.get("resume", (None, None))
        self._queue = [None] * options.get("queue", 16)
        self._first = 0
        self.pending = 0  # messages not yet accepted by the other end
        self._number = 1  # of the message at the head of the queue, 1..255
        self._sent = None  # when the message under way was last sent
        self.up = False
        self.peer = 0
        self._stranger = None
        self._taken = 0  # number of the last message accepted from the peer; 0: none
        self.message = None
        self._offered = 0  # number of `message`
        self._reply = 0
        self._news = NOTHING
        self._heard = self._spoke = None
        self._rx = bytearray(_CHUNK)
        self._part = self._rx_view = memoryview(self._rx)
        self._in = frame.Decoder()
        self._out = frame.Encoder()
        self.good = 0
        self.repeats = 0
        self.foreign = 0  # valid frames of the wrong version or role

    @property
    def bad(self):
        """Frames thrown away for a wrong CRC or shape."""
        return self._in.bad

    @property
    def free(self):
        """Messages that send() will still take."""
        return len(self._queue) - self.pending

    @property
    def number(self):
        """The number that the next message given to an empty queue will have."""
        return self._number

    @property
    def mark(self):
        """(session, number) of the last accepted message; give it as resume after a restart."""
        return (self.peer, self._taken)

    def send(self, payload):
        """Queue a message; False when the queue is full (nothing was queued)."""
        if len(payload) > PAYLOAD:
            raise ValueError("message too long: %d" % len(payload))
        size = len(self._queue)
        if self.pending == size:
            return False
        self._queue[(self._first + self.pending) % size] = bytes(payload)
        self.pending += 1
        return True

    def accept(self):
        """Acknowledge `message`: it is safe now, the other end may forget it."""
        self.message = None
        if self._offered:
            self._taken = self._offered
            self._offered = 0
            self._reply = self._reply or ACK

    def poll(self, now):
        """Read, answer, repeat and watch the time; return NOTHING, LOST, BACK or FRESH."""
        for _ in range(_CHUNKS):
            n = self.read()
            if not n:
                break
            self.feed(self._rx, n, now)
        return self.tick(now)

    def read(self):
        """Move waiting bytes into the receive buffer; return how many."""
        n = min(self.uart.any(), _CHUNK)
        if not n:
            return 0
        if len(self._part) != n:  # most messages are as long as the one before
            self._part = self._rx_view[:n]
        return self.uart.readinto(self._part) or 0

    def feed(self, buf, n, now):
        """Take n received bytes; return the number of valid frames of this link among them."""
        before = self.good
        at = 0
        while at < n:
            at = self._in.feed(buf, at, n)
            if self._in.size >= HEAD:
                self._frame(self._in.body, self._in.size, now)
        return self.good - before

    def tick(self, now):
        """Send what is due; return what happened to the link since the last call."""
        if self.up and diff(now, self._heard) >= LOST_MS:
            self.up = False
            self._sent = None
            self._news = LOST
        if self._reply:
            self._control(self._reply, self._stranger or self.peer, now)
        if not self.up:
            if not self._passive and _due(self._spoke, HELLO_MS, now):
                self._control(HELLO, 0, now)  # 0: nobody heard lately, so no end is half open
        elif self.pending and _due(self._sent, RETRY_MS, now):
            self._data(now)
        elif _due(self._spoke, BEAT_MS, now):
            self._control(ACK, self.peer, now)
        news = self._news
        self._news = NOTHING
        return news

    def _frame(self, body, size, now):
        kind = body[0]
        theirs = body[1] | body[2] << 8
        mine = body[3] | body[4] << 8
        greets = kind == HELLO or kind == WELCOME
        right = greets and size >= HEAD + 2 and body[6] == VERSION and body[7] == self._expected
        if theirs == 0 or theirs == self.session:
            if theirs and right and self.role == CONTROLLER:
                self._renew()  # both have drawn the same
            return  # or it is our own echo
        if greets and not right:
            self.foreign += 1
            return
        self.good += 1
        if mine != self.session:
            self._stranger = theirs
            self._reply = WELCOME if kind == HELLO else HELLO
        elif greets:
            if theirs != self.peer or kind == HELLO:
                self._reply = WELCOME
            self._greet(theirs, now)
            self._acked(body[5])
        elif theirs != self.peer:
            self._stranger = theirs
            self._reply = HELLO
        else:
            self._alive(BACK, now)
            if kind == DATA:
                self._take(body, size)
            elif kind == ACK:
                self._acked(body[5])

    def _greet(self, theirs, now):
        self._stranger = None
        if theirs == self.peer:
            self._alive(BACK, now)
            return
        self.peer = theirs
        self._taken = self._resume[1] if self._resume[0] == theirs else 0
        self._offered = 0  # a message of the old session stays readable but is not acknowledged
        self._sent = None
        if not self._keep:
            self._drop()
        self.up = False
        self._alive(FRESH, now)

    def _alive(self, news, now):
        self._heard = now
        if not self.up:
            self.up = True
            self._news = news

    def _take(self, body, size):
        number = body[5]
        if number == self._taken:
            self._reply = self._reply or ACK
        elif self.message is None and number and self._taken in (0, _before(number)):
            self.message = bytes(body[HEAD:size])
            self._offered = number

    def _acked(self, number):
        """The other end has accepted message `number`: go on to the next one."""
        if number != self._number:
            if number and number != _before(self._number):
                self._renew()
            return
        self._number = number % 255 + 1
        self._sent = None
        if self.pending:
            self._queue[self._first] = None
            self._first = (self._first + 1) % len(self._queue)
            self.pending -= 1

    def _renew(self):
        """Take another session: this one is the other end's, or that of our own last start."""
        self.session = self.session % 65535 + 1
        self.up = False
        self._sent = self._spoke = None

    def _drop(self):
        """Forget the queue. The number stays: the peer's greeting tells whether it was taken."""
        for i in range(len(self._queue)):
            self._queue[i] = None
        self.pending = 0

    def _control(self, kind, peer, now):
        if kind == ACK:
            self._write(ACK, peer, self._taken, HEAD, now)
        else:
            self._out.body[HEAD] = VERSION
            self._out.body[HEAD + 1] = self.role
            taken = self._taken if peer == self.peer else 0
            self._write(kind, peer, taken, HEAD + 2, now)
        self._reply = 0

    def _data(self, now):
        payload = self._queue[self._first]
        size = HEAD + len(payload)
        self._out.body[HEAD:size] = payload
        if self._sent is not None:
            self.repeats += 1
        self._sent = now
        self._write(DATA, self.peer, self._number, size, now)

    def _write(self, kind, peer, number, size, now):
        body = self._out.body
        body[0] = kind
        body[1] = self.session & 0xFF
        body[2] = self.session >> 8
        body[3] = peer & 0xFF
        body[4] = peer >> 8
        body[5] = number
        self.uart.write(self._out.seal(size))  # a short write is a damaged frame: repeated later
        self._spoke = now


def _due(since, after, now):
    return since is None or diff(now, since) >= after


def _before(number):
    return number - 1 if number > 1 else 255
