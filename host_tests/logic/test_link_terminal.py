"""The dealer terminal, framed and as a plain console, on the same UART."""

from felt.link import terminal

from tools.peers.terminal_peer import TerminalPeer
from tools.peers.wire import Clock, Random, Wire


class Bench:
    def __init__(self, peer=True, touched=False):
        self.clock = Clock()
        self.wire = Wire()
        self.terminal = terminal.Terminal(self.wire.a, 5)
        self.peer = TerminalPeer(self.wire.b, 6, touched) if peer else None
        self.commands = []
        self.printed = ""

    def run(self, ms=500):
        for _ in range(ms // 5):
            now = self.clock.step(5)
            self.wire.step(5)
            if not self.wire.a.deaf:
                self.commands.extend(self.terminal.poll(now))
            if self.peer:
                if not self.wire.b.deaf:
                    self.peer.poll(now)
            else:
                self.printed += "".join([chr(byte) for byte in self.wire.b.waiting])
                self.wire.b.waiting = bytearray()

    def type(self, text):
        self.wire.b.write(text.encode())
        self.run()
        printed, self.printed = self.printed, ""
        return printed


def test_a_screen_and_its_changes():
    bench = Bench()
    bench.terminal.paint(["Premium Hold 'Em", "", "Seat 3: ante?"])
    bench.run()
    assert bench.terminal.connected and bench.terminal.change() == "fresh"
    assert bench.peer.rows[:3] == ["Premium Hold 'Em", "", "Seat 3: ante?"]
    assert len(bench.peer.rows) == terminal.ROWS and bench.peer.received == 2
    bench.terminal.paint(["Premium Hold 'Em", "x" * 60])
    bench.run()
    assert bench.peer.rows[:3] == ["Premium Hold 'Em", "x" * 40, ""]
    assert bench.peer.received == 4, "only the two changed rows were sent"
    bench.terminal.paint(["Premium Hold 'Em", "x" * 60])
    bench.run()
    assert bench.peer.received == 4


def test_a_full_screen_of_wide_characters():
    bench = Bench()
    rows = [chr(0x2660 + i % 4) * 40 for i in range(16)]
    bench.terminal.paint(rows)
    bench.run(1500)
    assert bench.peer.rows == rows


def test_commands_and_notices():
    bench = Bench()
    bench.run()
    assert bench.peer.command("fold 3")
    assert bench.terminal.notice("deck two in use")
    assert bench.terminal.notice("late bet at seat 4", True)
    bench.run()
    assert bench.commands == ["fold 3"]
    assert bench.peer.notices == [("deck two in use", False), ("late bet at seat 4", True)]


def test_notices_are_bounded_and_wait_for_a_terminal():
    bench = Bench(peer=False)
    for n in range(terminal.NOTICES):
        assert bench.terminal.notice("n%d" % n)
    assert not bench.terminal.notice("one too many")
    bench.peer = TerminalPeer(bench.wire.b, 8)
    bench.run(1500)
    assert len(bench.peer.notices) == terminal.NOTICES


def test_no_terminal_is_not_an_error_and_costs_nothing():
    bench = Bench(peer=False)
    bench.terminal.paint(["hello"])
    bench.run(10000)
    assert not bench.terminal.connected and bench.printed == ""


def test_unplugged_and_plugged_in_again():
    bench = Bench()
    bench.terminal.paint(["one"])
    bench.run()
    bench.terminal.change()
    bench.wire.cut = True
    bench.run(3000)
    assert not bench.terminal.connected and bench.terminal.change() == "lost"
    bench.terminal.paint(["two", "three"])
    bench.wire.cut = False
    bench.run(1000)
    assert bench.terminal.change() == "back" and bench.peer.rows[:2] == ["two", "three"]


def test_another_terminal_gets_the_whole_screen():
    bench = Bench()
    bench.terminal.paint(["one", "two"])
    bench.run()
    bench.peer = TerminalPeer(bench.wire.b, 99)
    bench.run()
    assert bench.peer.rows[:2] == ["one", "two"]


def test_commands_across_a_restart_of_the_controller_are_not_replayed():
    bench = Bench()
    bench.run()
    bench.wire.a.go_deaf(300)
    bench.peer.command("pay")
    bench.run(200)
    bench.terminal = terminal.Terminal(bench.wire.a, 55)  # restarts, deaf, before taking it
    bench.run(1000)
    assert bench.commands == [] and bench.terminal.connected
    bench.peer.command("again")
    bench.run()
    assert bench.commands == ["again"]


def test_deaf_periods_lose_no_command_and_no_row():
    bench = Bench()
    random = Random(6)
    bench.run()
    want = []
    for n in range(40):
        want.append("cmd %d" % n)
        bench.peer.command(want[-1])
        bench.terminal.paint(["row %d" % n, "seat %d" % (n * 7)])
        (bench.wire.a if random.chance(2) else bench.wire.b).go_deaf(random.below(400))
        bench.run(300)
    bench.run(2000)
    assert bench.commands == want
    assert bench.peer.rows[:2] == ["row 39", "seat 273"]


def test_a_person_with_a_plain_console():
    bench = Bench(peer=False)
    bench.terminal.paint(["Colorado", "", "Cut the deck"])
    assert bench.type("\r") == "Colorado\r\nCut the deck\r\n> "
    assert bench.terminal.change() == "console" and bench.terminal.connected
    assert bench.type("cut 12") == "cut 12"
    assert bench.type("\x7f3") == "\b \b3"
    assert bench.type("\r\n") == "\r\n> "
    assert bench.commands == ["cut 13"]
    bench.terminal.paint(["Colorado", "", "Bets, please"])
    assert bench.type("me").endswith("\r\nBets, please\r\n> me")
    bench.terminal.notice("late", True)
    bench.run()
    assert bench.printed.endswith("\r\n! late\r\n> me"), bench.printed
    bench.printed = ""
    assert bench.type("ters\n") == "ters\r\n> "
    assert bench.commands[-1] == "meters"
    assert bench.type("\r") == "\r\nColorado\r\nBets, please\r\n> "
    assert bench.type("\x1b[A\r").endswith(" ?\r\n> ")
    assert len(bench.commands) == 2


def test_the_first_line_only_wakes_the_console():
    bench = Bench(peer=False)
    bench.type("open\r")
    assert bench.commands == []
    bench.type("open\r")
    assert bench.commands == ["open"]


def test_noise_puts_the_console_to_sleep_until_the_line_is_quiet():
    bench = Bench(peer=False)
    bench.type("\r")
    bench.wire.a.arrive(b"\xf3\rpay\r")
    bench.type("\rpay\rpay\r")
    assert not bench.terminal.connected and bench.commands == []
    bench.run(1000)
    bench.type("\rpay\r")
    assert bench.commands == ["pay"]


def test_a_framed_terminal_takes_over_from_a_console():
    bench = Bench(peer=False)
    bench.terminal.paint(["one"])
    bench.type("\r")
    bench.peer = TerminalPeer(bench.wire.b, 8)
    bench.run(1000)
    assert bench.terminal.mode == terminal.FRAMED and bench.peer.rows[0] == "one"
    bench.wire.b.write(b"\rfold 1\rfold 2\r")
    bench.run()
    assert bench.commands == [], "typing beside a framed terminal is no command"
    bench.peer = None
    bench.run(2500)
    assert not bench.terminal.connected
    bench.printed = ""
    assert bench.type("\r") == "one\r\n> "


def test_random_bytes_are_not_commands():
    bench = Bench(peer=False)
    random = Random(8)
    for _ in range(400):
        bench.wire.a.arrive(bytearray([random.below(256) for _ in range(64)]))
        bench.commands.extend(bench.terminal.poll(bench.clock.step(5)))
    assert bench.commands == []
    bench.peer = TerminalPeer(bench.wire.b, 8)
    bench.run(1000)
    assert bench.terminal.mode == terminal.FRAMED


def test_a_console_is_never_written_faster_than_the_line():
    bench = Bench(peer=False)
    bench.terminal.paint(["x" * 40] * 16)
    bench.wire.a.arrive(b"\r")
    written = []
    for _ in range(100):
        bench.terminal.poll(bench.clock.step(1))
        written.append(len(bench.wire.a.out))
        bench.wire.a.out = bytearray()
    assert max(written) <= 32 and max(written[1:]) <= 11, written


def test_parts_go_only_to_a_terminal_that_asks():
    plain, touched = Bench(), Bench(touched=True)
    for bench in (plain, touched):
        bench.terminal.paint(["title"])
        bench.terminal.paint_parts({terminal.PROMPT: "Place your bets", terminal.SEAT + 3: "A $5"})
        bench.run()
        assert bench.peer.rows[0] == "title"
    assert not any(plain.peer.parts) and plain.terminal.whole
    assert touched.peer.parts[terminal.PROMPT] == "Place your bets"
    assert touched.peer.parts[terminal.SEAT + 3] == "A $5" and touched.terminal.view
    touched.terminal.paint_parts({terminal.PROMPT: "No more bets"})
    touched.run()
    assert touched.peer.parts[terminal.SEAT + 3] == ""


def test_keys_say_whether_all_was_seen():
    bench = Bench(touched=True)
    bench.terminal.paint(["one"])
    bench.run()
    assert bench.peer.key(terminal.NEXT) and bench.peer.key(terminal.SEAT_KEY, 7)
    bench.run()
    assert bench.commands == [("N", 0, True), ("S", 7, True)]
    bench.commands.clear()
    bench.peer.key(terminal.NEXT)
    bench.terminal.paint(["two"])  # painted while the key is under way
    bench.run()
    assert bench.commands == [("N", 0, False)] and bench.peer.rows[0] == "two"
    bench.commands.clear()
    bench.terminal.notice("hello")
    bench.run()
    bench.peer.key(terminal.NEXT)
    bench.run()
    assert bench.commands == [("N", 0, True)], "a notice is no picture"


def test_what_is_no_key_is_no_command():
    bench = Bench(touched=True)
    bench.run()
    for message in (b"K", b"KN", b"KN\0", b"Kz\0\0", b"KN\0\0\0", b"V", b"V\1\1", b"", b"Z\0"):
        bench.peer.port.send(message)
        bench.run()
    assert bench.commands == []
