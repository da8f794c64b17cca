"""The dealer's terminal: a small text screen down, command lines up.

One UART, two kinds of terminal. A framed one speaks docs/links.md and gets changed rows only. A
person with a plain serial console (picocom) presses Enter and gets the same rows as lines of text.
A valid frame always wins; a line counts only while no framed terminal is connected, the first one
only wakes the console, and a byte no person types puts it to sleep until the line was quiet for a
while: so noise cannot become a command.
"""

from felt.link import port as _port
from felt.ticks import diff

ROWS = 16
COLUMNS = 40
NOTICES = 8
COMMAND = 80  # longest command line

# First byte of a payload. Down: clear, rows, notice, alarm. Up: command line.
CLEAR, TEXT, NOTICE, ALARM, LINE = 67, 82, 78, 65, 76

NONE, FRAMED, CONSOLE = 0, 1, 2  # modes

_NEWS = (None, "lost", "back", "fresh")
_ALL = (1 << ROWS) - 1
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
        self._notices = []
        self.mode = NONE
        self._news = None
        self._console = Console()
        self._buf = bytearray(64)
        self._view = memoryview(self._buf)
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
            commands = []
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
        n = (self._uart.readinto(self._view[:n]) or 0) if n else 0
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
            line = _line(message)
            if line:
                commands.append(line)
            self.port.accept()
        if self.port.up and self.port.pending == 0:
            self._send()

    def _changed(self, news):
        self._news = _NEWS[news]
        self.mode = NONE if news == _port.LOST else FRAMED
        if news == _port.FRESH:
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
            self.port.send(self._pack())

    def _pack(self):
        message = bytearray([TEXT])
        for i in range(ROWS):
            if self._stale & (1 << i):
                text = self._rows[i].encode()
                if len(message) + 2 + len(text) > _port.PAYLOAD:
                    break
                message.append(i)
                message.append(len(text))
                message.extend(text)
                self._stale &= ~(1 << i)
        return message

    def _speak(self, now):
        """Give a console as many bytes as its line has carried since the last call."""
        room = _BURST if self._last is None else diff(now, self._last) * _BYTES_PER_MS
        room = min(room, _BURST)
        if room > 0 and not self._console.busy:
            self._next()
        if room > 0:
            self._console.flush(self._uart, room)

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


def _line(message):
    """Return the command in a message of a framed terminal, or None when it is not one."""
    if len(message) < 2 or message[0] != LINE or len(message) > COMMAND + 1:
        return None
    return _clean(message[1:])


def _clean(raw):
    for byte in raw:
        if not 32 <= byte < 127:
            return None
    return str(raw, "ascii").strip()


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
            elif 32 <= byte < 127 and len(self._typed) < COMMAND:
                self._typed.append(byte)
                self._echo(bytes([byte]))
            else:
                self._noise = True
        return lines

    def _end(self, lines):
        if self._noise:
            self._echo(b" ?")
        else:
            lines.append(str(self._typed, "ascii").strip())
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
