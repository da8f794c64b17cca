"""What stands on the wires, byte by byte and millisecond by millisecond, as docs/links.md has it.

The peers of the other tests are built on the same files; here the other end is these bytes only.
"""

from felt.link import port, reader, shoe, terminal
from line_end import MINE, THEIRS, Glass, Line, body, connected, pictures


def test_an_end_that_is_alone_says_hello_every_200_ms():
    line = Line()
    end = port.Port(line, port.CONTROLLER, port.SHOE, MINE)
    hello = b"\1\2\1\0\0\0\1C"
    assert end.poll(0) == port.NOTHING and line.frames() == [hello]
    end.poll(199)
    assert line.frames() == []
    end.poll(200)
    assert line.frames() == [hello] and not end.up
    quiet = port.Port(line, port.CONTROLLER, port.TERMINAL, MINE, passive=True)
    quiet.poll(0)
    assert line.frames() == []


def test_a_hello_is_answered_and_another_role_or_version_is_not():
    end, line, said = connected()
    assert said == [b"\2\2\1\4\3\0\1C"], said
    assert end.peer == THEIRS and end.good == 1 and end.mark == (THEIRS, 0)
    for payload in (b"\2S", b"\1T", b"\1"):
        end.uart.say(body(1, 0, payload))
        assert end.poll(1001) == port.NOTHING
    assert end.foreign == 3 and end.good == 1
    line.say(body(4, 0, sender=MINE))
    line.say(body(4, 0, sender=0))
    end.poll(1002)
    assert end.good == 1 and line.frames() == [], "an echo is nobody"


def test_a_stranger_is_asked_and_a_welcome_that_is_news_is_welcomed():
    line = Line()
    end = port.Port(line, port.CONTROLLER, port.SHOE, MINE, passive=True)
    line.say(body(3, 1, b"x", to=0x0909))
    end.poll(0)
    assert line.frames() == [b"\1\2\1\4\3\0\1C"] and end.message is None
    line.say(body(2, 0, b"\1S"))
    assert end.poll(1) == port.FRESH
    assert line.frames() == [b"\2\2\1\4\3\0\1C"]
    line.say(body(2, 0, b"\1S"))
    assert end.poll(2) == port.NOTHING and line.frames() == [], "no news"
    line.say(body(4, 0, sender=0x0505))
    end.poll(3)
    assert line.frames() == [b"\1\2\1\5\5\0\1C"] and end.peer == THEIRS


def test_a_message_is_repeated_every_100_ms_until_its_number_is_acknowledged():
    end, line, _ = connected()
    assert end.send(b"card") and end.send(b"next") and end.number == 1 and end.pending == 2
    data = b"\3\2\1\4\3\1card"
    end.poll(1000)
    assert line.frames() == [data] and end.repeats == 0
    end.poll(1099)
    assert line.frames() == []
    end.poll(1100)
    assert line.frames() == [data] and end.repeats == 1
    line.say(body(4, 0))
    end.poll(1110)
    assert end.pending == 2 and line.frames() == []
    line.say(body(4, 1))
    end.poll(1120)
    assert end.pending == 1 and line.frames() == [b"\3\2\1\4\3\2next"] and end.number == 2
    line.say(body(4, 2))
    end.poll(1130)
    assert end.pending == 0 and end.number == 3
    for n in range(3, 258):
        assert end.send(b"")
        end.poll(2000)
        line.say(body(4, (n - 1) % 255 + 1))
        end.poll(2000)
    assert end.pending == 0 and end.number == 3, "after 255 comes 1"


def test_a_message_is_acknowledged_when_it_is_accepted_and_again_when_it_comes_again():
    end, line, _ = connected()
    ack = b"\4\2\1\4\3\7"
    end.accept()
    end.poll(1000)
    assert line.frames() == [], "nothing was accepted"
    line.say(body(3, 7, b"D"))
    end.poll(1010)
    assert end.message == b"D" and line.frames() == []
    line.say(body(3, 7, b"D"))
    end.poll(1020)
    assert line.frames() == []
    end.accept()
    assert end.message is None and end.mark == (THEIRS, 7)
    end.poll(1030)
    assert line.frames() == [ack]
    end.accept()
    end.poll(1035)
    assert line.frames() == [], "one acknowledgement is enough"
    line.say(body(3, 7, b"D"))
    end.poll(1040)
    assert line.frames() == [ack] and end.message is None
    for skipped in (0, 6, 9):
        line.say(body(3, skipped, b"x"))
        end.poll(1050)
        assert end.message is None and line.frames() == []
    line.say(body(3, 8, b"E"))
    end.poll(1060)
    assert end.message == b"E"


def test_heartbeat_after_250_ms_and_lost_after_2000():
    end, line, _ = connected()
    end.poll(1249)
    assert line.frames() == []
    end.poll(1250)
    assert line.frames() == [b"\4\2\1\4\3\0"]
    assert end.poll(2999) == port.NOTHING and end.up
    line.frames()
    assert end.poll(3000) == port.LOST and not end.up
    assert end.poll(3001) == port.NOTHING
    line.say(body(4, 0))
    assert end.poll(3002) == port.BACK and end.up


def test_the_bounds_of_a_session_a_message_and_a_queue():
    line = Line()
    for session in (0, 65536):
        try:
            port.Port(line, port.CONTROLLER, port.SHOE, session)
        except ValueError as e:
            assert str(e) == "session must be 1..65535: %d" % session
            continue
        raise AssertionError(session)
    for session in (1, 65535):
        assert port.Port(line, port.CONTROLLER, port.SHOE, session).session == session
    end, line, _ = connected()
    assert port.PAYLOAD == 242 and end.free == 16
    try:
        end.send(bytes(243))
        raise AssertionError("too long")
    except ValueError as e:
        assert str(e) == "message too long: 243"
    assert end.send(bytes(242)) and end.free == 15 and end.pending == 1
    for _ in range(15):
        assert end.send(b"x")
    assert end.send(b"x") is False and end.free == 0 and end.pending == 16


def test_a_babbling_line_is_read_in_pieces():
    end, line, _ = connected()
    line.waiting = b"\1" * 1000
    end.poll(1001)
    assert len(line.waiting) == 1000 - 4 * 128
    line.waiting = b""
    before = end.bad
    line.waiting = b"\0\5abcd\0"
    end.poll(1002)
    assert end.bad >= before + 1


def test_what_the_controller_says_to_a_shoe():
    line = Line()
    s = shoe.FeltShoe(line, MINE)
    line.say(body(1, 0, b"\1S"))
    assert s.poll(1000) == ("link", "fresh") and s.connected
    s.accept()
    assert s.hello() and s.dispense(3, 7) and s.count() and s.shuffle()
    said = []
    line.frames()
    for n in range(4):
        s.poll(1000)
        said += line.frames()
        line.say(body(4, n + 1))
        s.poll(1000)
        said += line.frames()
    assert [f[6:] for f in said if f[0] == 3] == [b"h", b"d\3\7", b"c", b"s"]


def test_an_adapter_that_does_nothing():
    nobody = shoe.ShoeAdapter()
    assert nobody.poll(0) is None and nobody.accept() is None and not nobody.connected
    assert [nobody.hello(), nobody.dispense(3, 1), nobody.count(), nobody.shuffle()] == [False] * 4
    blind = reader.ReaderAdapter()
    assert not blind.connected and blind.poll(0) is False and blind.cents(1, 0) is None


def test_what_the_controller_says_to_a_terminal():
    glass = Glass()
    glass.terminal.paint(["ab", "", "c"])
    assert glass.run()[0] == [b"C\x10\x28", b"R\0\2ab\2\1c"]
    assert glass.terminal.whole and glass.terminal.change() == "fresh"
    assert glass.terminal.change() is None, "told once"
    glass.terminal.paint(["ab", "", "d" * 50])
    assert not glass.terminal.whole
    assert glass.run()[0] == [b"R\2\x28" + b"d" * 40]
    assert glass.terminal.notice("note") and glass.terminal.notice("now", True)
    assert glass.run()[0] == [b"Nnote", b"Anow"]
    glass.terminal.paint_parts({terminal.TITLE: "t", terminal.SEAT + 2: "s", 39: "b"})
    assert glass.terminal.whole and glass.run()[0] == [], "nobody asked for parts"
    assert glass.press(b"V\1") == [] and glass.terminal.change() == "view"
    glass.terminal.paint_parts({terminal.TITLE: "t", terminal.SEAT + 2: "z", 39: "b"})
    assert not glass.terminal.whole
    assert glass.run()[0] == [b"P\x09\1z"], "the others went with the view"


def test_parts_go_to_the_terminal_that_asks_for_them():
    glass = Glass()
    glass.terminal.paint_parts({0: "title", 15: "x", 39: "last"})
    glass.run()
    glass.number += 1
    glass.line.say(body(3, glass.number, b"V\1"))
    assert glass.run()[0] == [b"P\0\5title\x0f\1x\x27\4last"]


def test_what_a_terminal_may_say():
    glass = Glass()
    glass.run()
    assert glass.press(b"Lf") == ["f"]
    assert glass.press(b"L" + b"x" * 80) == ["x" * 80]
    for nothing in (
        b"L",
        b"L" + b"x" * 81,
        b"Lf\x1f",
        b"Lf\x7f",
        b"lf",
        b"KN\0",
        b"Kn\0\0",
        b"V",
        b"",
    ):
        assert glass.press(nothing) == [], nothing
    assert glass.press(b"L ~ ") == ["~"]
    for letter in "NUFSWCDXAHM":
        assert glass.press(b"K" + letter.encode() + b"\5\1") == [(letter, 5, True)]


def test_a_key_counts_only_when_the_last_picture_was_seen():
    glass = Glass()
    glass.terminal.paint(["one"])
    glass.run()  # clear is message 1, the row message 2
    assert glass.press(b"KN\0\2") == [("N", 0, True)]
    assert glass.press(b"KN\0\1") == [("N", 0, False)]
    assert glass.press(b"KN\0\x81") == [("N", 0, True)], "127 later"
    assert glass.press(b"KN\0\x82") == [("N", 0, False)], "128 is before"
    glass.terminal.paint(["two"])
    glass.number += 1
    glass.line.say(body(3, glass.number, b"KN\0\2"))
    assert glass.terminal.poll(glass.now + 5) == [("N", 0, False)], "it was not even sent"


def test_a_console_gets_notices_as_lines_and_says_when_it_is_done():
    line = Line()
    t = terminal.Terminal(line, MINE)
    t.paint(["row"])
    t.notice("calm")
    t.notice("fire", True)
    line.waiting = b"\r"
    now = 1000
    t.poll(now)
    assert t.mode == terminal.CONSOLE and t.change() == "console" and not t.whole
    for _ in range(20):
        now += 10
        t.poll(now)
    assert line.written == b"* calm\r\n! fire\r\nrow\r\n> " and t.whole


def test_a_reader_is_believed_at_the_second_picture_and_silent_after_1000_ms():
    line = Line()
    r = reader.FeltReader(line)
    amounts = [0] * 14
    amounts[0], amounts[3], amounts[4] = 500, (1 << 30) - 1, 1 << 30
    line.say(pictures(2, amounts, 254))
    assert r.poll(0) is True and r.connected and r.cents(1, 0) is None
    line.say(pictures(2, amounts, 254))
    assert r.poll(100) is False, "a counter that stands"
    line.say(pictures(2, amounts, 1))
    assert r.poll(200) is True
    assert (r.cents(1, 0), r.cents(2, 1), r.cents(3, 0)) == (500, (1 << 30) - 1, None)
    assert (r.pictures, r.missed, r.bad) == (2, 2, 0)
    assert r.poll(1199) is False and r.connected
    assert r.poll(1200) is True and not r.connected and r.cents(1, 0) is None
    line.say(pictures(2, amounts, 1))
    assert r.poll(1300) is False and not r.connected, "it hangs: still the same counter"
    line.say(pictures(2, amounts, 2))
    assert r.poll(1400) is True and r.cents(1, 0) is None
    for wrong in (b"", b"P\3", b"Q" + pictures(2, amounts, 3)[1:], pictures(2, amounts[1:], 3),
                  pictures(0, [], 3), pictures(9, [0] * 14, 3)):  # fmt: skip
        line.say(wrong)
        assert r.poll(1410) is False
    line.say(pictures(8, [7] * 56, 3))
    line.say(pictures(8, [7] * 56, 4))
    assert r.poll(1500) is True and r.cents(7, 7) == 7


def test_what_is_typed_beside_a_framed_terminal_is_no_command():
    glass = Glass()
    glass.run()
    glass.now += 1200  # quiet long enough for a console, not for the link
    glass.line.waiting = b"\rfold 1\rfold 1\r"
    assert glass.run()[1] == [] and glass.terminal.mode == terminal.FRAMED
