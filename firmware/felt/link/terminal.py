"""The dealer's terminal: a small text screen down; command lines, keys and touches up.

One UART, two kinds of terminal. A framed one speaks docs/links.md and gets changed rows only; one
that is touched asks for parts too: the same picture as tiles and buttons. A person with a plain
serial console (picocom) presses Enter and gets the same rows as lines of text. A valid frame
always wins; a line counts only while no framed terminal is connected, the first one only wakes the
console, and a byte no person types puts it to sleep until the line was quiet for a while: so noise
cannot become a command.
"""

from felt.link import port as _port
from felt.ticks import diff

ROWS = 16
COLUMNS = 40
NOTICES = 8
COMMAND = 80  # longest command line

# First byte of a payload. Down: clear, rows, parts, notice, alarm. Up: command line, key, view.
CLEAR, TEXT, PART, NOTICE, ALARM = 67, 82, 80, 78, 65
LINE, KEY, VIEW = 76, 75, 86

# Parts of the picture on a terminal that is touched; seat n is at SEAT + n.
TITLE, PROMPT, BOOKS, FELT, MONEY, FOOT, ENTRY = range(7)
SEAT, BUTTON, PARTS = 7, 16, 40
# What a key says, as a letter; its value follows.
KEYS = "NUFSWCDXAHM"
NEXT, UNDO, FLOOR, SEAT_KEY, SPOT, CHIP, DIGIT, ERASE, ACTION, CARD, MENU = KEYS

NONE, FRAMED, CONSOLE = 0, 1, 2  # modes

_NEWS = (None, "lost", "back", "fresh")
_ALL = (1 << ROWS) - 1
_HALF = 128  # of the 255 message numbers
_BYTES_PER_MS = 11  # 115200 baud: a console is never written faster, so write() never waits
_BURST = 32
_KEYS = bytes(range(32, 128)) + b"\x1b\r\n\t\b"
QUIET_MS = 1000


class Terminal:
    """Screen, notices and commands. Nothing here waits for the terminal."""

    def __init__(self, uart, session):
        self.port = _port.Port(
            uart, _port.CONTROLLER, _port.TERMINAL, session, passive=True, queue=4
        )
        self._uart = uart
        self._rows = [""] * ROWS
        self._stale = 0  # a bit per row that the terminal does not show yet
        self.view = False  # it wants parts
        self._parts = [""] * PARTS
        self._due = bytearray(PARTS)  # 1: the terminal does not show this part yet
        self._painted = None  # number of the last message with rows or parts
        self._notices = []
        self.mode = NONE
        self._news = None
        self._console = Console()
        self._buf = bytearray(64)
        self._part = self._view = memoryview(self._buf)
        self._commands = []
        self._last = None
        self._ignore = False  # typing, until the line was quiet
        self._heard = 0

    @property
    def connected(self):
        return self.mode != NONE

    def change(self):
        """Return, once, what became of the connection: lost, back, fresh, console or None."""
        news = self._news
        self._news = None
        return news

    def paint(self, lines):
        """Show these lines (at most ROWS of COLUMNS characters); only changes are sent."""
        for i in range(ROWS):
            row = lines[i][:COLUMNS] if i < len(lines) else ""
            if row != self._rows[i]:
                self._rows[i] = row
                self._stale |= 1 << i

    def paint_parts(self, parts):
        """Show these parts, by their place; one that is missing is empty."""
        for i in range(PARTS):
            text = parts.get(i, "")
            if text != self._parts[i]:
                self._parts[i] = text
                self._due[i] = True

    @property
    def whole(self):
        """True when everything painted has been sent and accepted, or nobody is there to see."""
        if self.mode == CONSOLE:
            return not (self._stale or self._console.busy)
        owed = self._stale or self.port.pending or (self.view and any(self._due))
        return self.port.up and not owed

    def _current(self, seen):
        """True when the key was pressed by somebody who could see all that was painted."""
        owed = self._stale or (self.view and any(self._due))
        return not owed and (seen - self._painted) % 255 < _HALF

    def notice(self, text, alarm=False):
        """Queue one line to be shown once; False when NOTICES of them wait already."""
        if len(self._notices) >= NOTICES:
            return False
        self._notices.append((ALARM if alarm else NOTICE, text[:COMMAND]))
        return True

    def poll(self, now):
        """Read and write what is due; return the command lines that came in."""
        commands = ()
        if self._uart.any():
            commands = self._commands
            commands.clear()
            while len(commands) < 4 and self._read(now, commands):
                pass
        if self.mode == CONSOLE:
            self._speak(now)
        else:
            self._link(now, commands)
        self._last = now
        return commands

    def _read(self, now, commands):
        n = min(self._uart.any(), len(self._buf))
        if n and len(self._part) != n:  # most messages are as long as the one before
            self._part = self._view[:n]
        n = (self._uart.readinto(self._part) or 0) if n else 0
        if not n:
            return False
        if diff(now, self._heard) >= QUIET_MS:
            self._ignore = False
        self._heard = now
        if self.port.feed(self._buf, n, now) or self._alien(n):
            self._sleep()
        elif not self._ignore and not self.port.up:
            self._typed(n, commands)
        return True

    def _alien(self, n):
        """Whether a byte came that no person types (a few control keys are let pass)."""
        for i in range(n):
            if self._buf[i] not in _KEYS:
                return True
        return False

    def _sleep(self):
        self._ignore = True
        self._console.forget()
        if self.mode == CONSOLE:
            self.mode = NONE

    def _typed(self, n, commands):
        for line in self._console.type(self._buf, n):
            if self.mode != CONSOLE:
                self.mode = CONSOLE
                self._news = "console"
                self._stale = _ALL
            elif line:
                commands.append(line)
            else:
                self._stale = _ALL

    def _link(self, now, commands):
        news = self.port.tick(now)
        if news:
            self._changed(news)
        message = self.port.message
        if message is not None:
            found = self._hear(message)
            if found:
                commands.append(found)
            self.port.accept()
        if self.port.up and self.port.pending == 0:
            self._send()

    def _hear(self, message):
        """Return a command line, or (key, value, all was seen) of a key; None for neither."""
        if len(message) == 4 and message[0] == KEY and chr(message[1]) in KEYS:
            return chr(message[1]), message[2], self._current(message[3])
        if len(message) == 2 and message[0] == VIEW:
            self.view = bool(message[1])
            for i in range(PARTS):
                self._due[i] = bool(self._parts[i])
            self._news = "view"
            return None
        return _line(message)

    def _changed(self, news):
        self._news = _NEWS[news]
        self.mode = NONE if news == _port.LOST else FRAMED
        if news == _port.FRESH:
            self.view = False
            self._painted = 0
            self.port.send(bytes([CLEAR, ROWS, COLUMNS]))
            self._stale = 0
            for i in range(ROWS):
                if self._rows[i]:
                    self._stale |= 1 << i

    def _send(self):
        """Put notices, else as many changed rows as fit, into one message."""
        if self._notices:
            kind, text = self._notices.pop(0)
            self.port.send(bytes([kind]) + text.encode())
        elif self._stale:
            self._painted = self.port.number
            self.port.send(self._pack())
        elif self.view and any(self._due):
            self._painted = self.port.number
            self.port.send(self._pack_parts())

    def _pack(self):
        message = bytearray([TEXT])
        for i in range(ROWS):
            if self._stale & (1 << i):
                if not _append(message, i, self._rows[i]):
                    break
                self._stale &= ~(1 << i)
        return message

    def _pack_parts(self):
        message = bytearray([PART])
        for i in range(PARTS):
            if self._due[i]:
                if not _append(message, i, self._parts[i]):
                    break
                self._due[i] = 0
        return message

    def _speak(self, now):
        """Give a console as many bytes as its line has carried since the last call."""
        room = _BURST if self._last is None else diff(now, self._last) * _BYTES_PER_MS
        if not self._console.busy:
            self._next()
        self._console.flush(self._uart, max(0, min(room, _BURST)))

    def _next(self):
        if self._notices:
            kind, text = self._notices.pop(0)
            self._console.say(("! " if kind == ALARM else "* ") + text)
            return
        for i in range(ROWS):
            if self._stale & (1 << i):
                self._stale &= ~(1 << i)
                if self._rows[i]:
                    self._console.say(self._rows[i])
                    return
        self._console.prompt()


def _append(message, index, text):
    """Add one text to a message; False when it does not fit any more."""
    raw = text.encode()[: _port.PAYLOAD - 3]
    if len(message) + 2 + len(raw) > _port.PAYLOAD:
        return False
    message.append(index)
    message.append(len(raw))
    message.extend(raw)
    return True


def _line(message):
    """Return the command in a message of a framed terminal, or None when it is not one."""
    if len(message) < 2 or message[0] != LINE or len(message) > COMMAND + 1:
        return None
    return _clean(message[1:])


def _clean(raw):
    for byte in raw:
        if not 32 <= byte < 127:
            return None
    return raw.decode().strip()


class Console:
    """Line editing for a person: echo, backspace, a prompt behind what was said."""

    def __init__(self):
        self._typed = bytearray()
        self._noise = False  # this line has a key in it that means nothing, or is too long
        self._out = b""
        self._prompted = False
        self._return = False

    @property
    def busy(self):
        return bool(self._out)

    def forget(self):
        """Start over: what looked like typing was not."""
        if self._typed:  # every frame comes by here: a new one would be allocated each time
            self._typed = bytearray()
        self._noise = False
        self._prompted = False
        self._out = b""

    def type(self, buf, n):
        """Take n typed bytes; return the list of complete lines."""
        lines = []
        for i in range(n):
            byte = buf[i]
            if byte == 10 and self._return:  # CR LF is one line end
                self._return = False
                continue
            self._return = byte == 13
            if byte == 13 or byte == 10:
                self._end(lines)
            elif byte == 8 or byte == 127:
                self._rub()
            elif byte >= 32 and len(self._typed) < COMMAND:
                self._typed.append(byte)
                self._echo(bytes([byte]))
            else:
                self._noise = True
        return lines

    def _end(self, lines):
        if self._noise:
            self._echo(b" ?")
        else:
            lines.append(bytes(self._typed).decode().strip())
        self._typed = bytearray()
        self._noise = False
        self._echo(b"\r\n")
        self._prompted = False

    def _rub(self):
        if self._typed:
            self._typed = self._typed[:-1]
            self._echo(b"\b \b")

    def _echo(self, data):
        """Echo behind the prompt only, and no more than a person can have typed."""
        if self._prompted and len(self._out) < 2 * COMMAND:
            self._out += data

    def say(self, text):
        """Print a line; what was typed so far comes again behind the next prompt."""
        self._echo(b"\r\n")
        self._prompted = False
        self._out += text.encode() + b"\r\n"

    def prompt(self):
        if not self._prompted:
            self._prompted = True
            self._out += b"> " + bytes(self._typed)

    def flush(self, uart, room):
        """Write at most room bytes of what is to be said; the rest waits."""
        if self._out:
            n = uart.write(self._out[:room]) or 0
            self._out = self._out[n:]
