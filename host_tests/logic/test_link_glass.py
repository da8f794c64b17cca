"""The terminal's edges: what fits into a message, what a console lets pass, what wakes it."""

from felt.link import terminal
from line_end import MINE, Glass, Line, body


def console(rows=()):
    """Return a terminal that was woken by Enter, its line and a clock."""
    line = Line()
    t = terminal.Terminal(line, MINE)
    t.paint(list(rows))
    line.waiting = b"\r"
    t.poll(1000)
    assert t.mode == terminal.CONSOLE
    return t, line


def typed(t, line, data, now):
    line.waiting += data
    return list(t.poll(now))


def spoken(t, line, now):
    """Return what a console says until it is done."""
    for _ in range(60):
        now += 10
        t.poll(now)
    said, line.written = line.written, b""
    return said


def test_a_terminal_that_nobody_plugged_in():
    t = terminal.Terminal(Line(), MINE)
    assert not t.connected and not t.whole and t.change() is None and not t.view
    assert list(t.poll(0)) == [] and t.mode == terminal.NONE
    t.paint(["x"])
    assert not t.whole


def test_a_line_that_brings_nothing_is_no_command():
    t, line = console()
    line.waiting, line.readinto = b"x", lambda view: None
    assert t._read(1010, []) is False and list(t.poll(1010)) == []
    line.waiting = b""
    assert t._read(1020, []) is False


def test_a_line_feed_wakes_the_console_too():
    line = Line()
    t = terminal.Terminal(line, MINE)
    assert typed(t, line, b"\n", 1000) == [] and t.mode == terminal.CONSOLE
    assert typed(t, line, b"ok\n", 1010) == ["ok"]


def test_what_is_echoed_to_a_console_that_does_not_listen_is_bounded():
    t, line = console()
    spoken(t, line, 1000)
    write, line.write = line.write, lambda data: None
    for n in range(4):
        typed(t, line, b"x\x7f" * 32, 2000 + n)
    line.write = write
    assert len(spoken(t, line, 3000)) == 160


def test_a_key_is_told_from_an_old_one_where_numbers_begin_anew():
    glass = Glass()
    glass.run()
    assert glass.press(b"KN\0\0") == [("N", 0, True)], "nothing was painted yet"
    glass.terminal._painted = 200
    assert glass.terminal._current(72) is True and glass.terminal._current(73) is False


def test_a_notice_is_cut_at_80_and_the_ninth_is_refused():
    glass = Glass()
    for n in range(8):
        assert glass.terminal.notice("%d" % n + "x" * 100) is True
    assert glass.terminal.notice("late") is False
    said = [got for got in glass.run()[0] if got[:1] == b"N"]
    assert said == [b"N%d" % n + b"x" * 79 for n in range(8)]
    assert glass.terminal.notice("now") is True


def test_a_message_takes_parts_to_its_last_byte():
    for more, messages in ((0, 1), (1, 2)):
        glass = Glass()
        glass.run()
        glass.press(b"V\1")
        glass.terminal.paint_parts({0: "a" * 100, 1: "b" * (137 + more)})
        said = glass.run()[0]
        assert len(said) == messages and max([len(got) for got in said]) == (242, 141)[more]
        assert b"".join([got[1:] for got in said]) == (
            b"\0\x64" + b"a" * 100 + bytes([1, 137 + more]) + b"b" * (137 + more)
        )
    assert terminal._append(bytearray(242), 0, "") is False
    assert (terminal.SEAT, terminal.BUTTON, terminal.PARTS) == (7, 16, 40)
    glass.terminal.paint_parts({5: "c" * 300, 40: "nowhere"})
    said = glass.run()[0]
    assert said[-1] == b"P\5\xef" + b"c" * 239 and len(said[-1]) == 242


def test_sixteen_full_rows_go_in_three_messages_and_each_once():
    glass = Glass()
    glass.run()
    glass.terminal.paint(["%02d" % n + "x" * 40 for n in range(20)])
    said = glass.run()[0]
    assert [len(got) for got in said] == [1 + 42 * 5, 1 + 42 * 5, 1 + 42 * 5, 1 + 42]
    rows = b"".join([got[1:] for got in said])
    assert rows == b"".join([bytes([n, 40]) + b"%02d" % n + b"x" * 38 for n in range(16)])
    glass.terminal.paint(["%02d" % n + "x" * 40 for n in range(15)])
    assert glass.run()[0] == [b"R\x0f\0"], "a row that is gone is emptied"


def test_rows_come_before_parts_and_a_notice_before_both():
    glass = Glass()
    glass.run()
    glass.press(b"V\1")
    glass.terminal.paint_parts({0: "p"})
    glass.terminal.paint(["r"])
    glass.terminal.notice("n")
    assert not glass.terminal.whole
    assert glass.run()[0] == [b"Nn", b"R\0\1r", b"P\0\1p"] and glass.terminal.whole


def test_a_terminal_may_say_that_it_wants_no_parts_any_more():
    glass = Glass()
    glass.run()
    glass.press(b"V\1")
    assert glass.terminal.view is True
    glass.press(b"V\0")
    assert glass.terminal.view is False and glass.terminal.change() == "view"
    glass.terminal.paint_parts({0: "p"})
    assert glass.run()[0] == [] and glass.terminal.whole
    assert glass.press(b"KN\0\2") == [("N", 0, True)]
    glass.number += 1
    glass.line.say(body(3, glass.number, b"V\5"))
    assert glass.run()[0] == [b"P\0\1p"]


def test_a_part_that_is_owed_makes_a_key_too_early():
    glass = Glass()
    glass.run()
    glass.press(b"V\1")
    glass.terminal.paint_parts({0: "p"})
    glass.number += 1
    glass.line.say(body(3, glass.number, b"KN\0\1"))
    assert list(glass.terminal.poll(glass.now + 5)) == [("N", 0, False)]


def test_a_new_terminal_begins_with_a_clear_screen_and_no_parts():
    glass = Glass()
    glass.terminal.paint(["", "two"])
    glass.run()
    glass.press(b"V\1")
    glass.terminal.change()
    glass.line.say(body(1, 0, b"\1T", sender=0x0505))
    glass.terminal.poll(glass.now)
    assert glass.terminal.change() == "fresh" and not glass.terminal.view
    assert glass.terminal.mode == terminal.FRAMED and glass.terminal.connected
    said = []
    for _ in range(9):
        glass.now += 200
        glass.terminal.poll(glass.now)
        for got in glass.line.frames():
            if got[0] == 3 and got[6:] not in said:
                said.append(got[6:])
                glass.line.say(body(4, got[5], sender=0x0505))
    assert said == [b"C\x10\x28", b"R\1\3two"], "only rows with something in them"


def test_a_lost_terminal_is_no_terminal_and_one_that_is_back_is_not_cleared():
    glass = Glass()
    glass.terminal.paint(["one"])
    glass.run()
    glass.terminal.change()
    glass.now += 2100
    glass.terminal.poll(glass.now)
    assert glass.terminal.change() == "lost" and glass.terminal.mode == terminal.NONE
    assert not glass.terminal.connected and not glass.terminal.whole
    glass.line.frames()
    glass.line.say(body(4, 0))
    assert glass.run()[0] == [] and glass.terminal.change() == "back"
    assert glass.terminal.mode == terminal.FRAMED and glass.terminal.whole


def test_four_lines_are_taken_in_a_call():
    t, line = console()
    four = [("%d" % n) * 15 for n in range(8)]
    got = typed(t, line, b"".join([each.encode() + b"\r" for each in four]), 1010)
    assert got == four[:4] and len(line.waiting) == 64
    assert list(t.poll(1020)) == four[4:]


def test_bytes_that_no_person_types_put_the_console_to_sleep():
    passes = list(range(32, 128)) + [8, 9, 10, 13, 27]
    for byte in range(256):
        t, line = console()
        typed(t, line, bytes([byte]), 1010)
        assert (t.mode == terminal.CONSOLE) == (byte in passes), byte
        assert t._alien(1) is (byte not in passes)


def test_a_console_that_sleeps_wakes_after_a_second_of_silence():
    for wait, mode in ((999, terminal.NONE), (1000, terminal.CONSOLE)):
        t, line = console()
        typed(t, line, b"\xf3", 1500)
        assert t.mode == terminal.NONE
        typed(t, line, b"\r", 1500 + wait)
        assert t.mode == mode, wait
    t, line = console()
    t.change()
    typed(t, line, b"\xf3", 1500)
    typed(t, line, b"a", 2400)
    assert typed(t, line, b"\rok\r", 3300) == [] and t.mode == terminal.NONE, "never quiet"
    assert typed(t, line, b"\r", 4300) == [] and t.change() == "console"
    assert typed(t, line, b"ok\r", 4310) == ["ok"]


def test_what_was_half_typed_before_noise_is_forgotten():
    t, line = console(["row"])
    spoken(t, line, 1000)
    typed(t, line, b"void", 2000)
    typed(t, line, b"\xf3", 2010)
    line.written = b""
    typed(t, line, b"\r", 3100)
    assert typed(t, line, b"ok\r", 3110) == ["ok"]
    assert spoken(t, line, 3110).startswith(b"row\r\n> ")
    typed(t, line, b"x" * 80, 5000)
    typed(t, line, b"\xf3", 5010)
    typed(t, line, b"x\r", 6010)
    assert t.mode == terminal.CONSOLE, "and fills no line"


def test_a_console_is_given_what_its_line_has_carried():
    t, line = console(["x" * 40] * 16)
    assert len(line.written) == 32, "the first call has 32 bytes"
    sizes = []
    for now in (1001, 1002, 1004, 1005, 1008, 1008, 1009):
        line.written = b""
        t.poll(now)
        sizes.append(len(line.written))
    assert sizes == [10, 11, 22, 9, 32, 0, 10], "11 a millisecond, a row of 42 at a time"


def test_line_editing():
    t, line = console()
    assert spoken(t, line, 1000) == b"> "
    typed(t, line, b"ab\x7f\x08\x08c", 2000)
    assert spoken(t, line, 2000) == b"ab\b \b\b \bc"
    assert typed(t, line, b"\r\n", 3000) == ["c"] and spoken(t, line, 3000) == b"\r\n> "
    assert typed(t, line, b"\n", 4000) == [] and spoken(t, line, 4000) == b"\r\n> "
    assert typed(t, line, b" d \n\r", 5000) == ["d"]
    assert spoken(t, line, 5000) == b" d \r\n> "
    assert typed(t, line, b"e\tf\r", 6000) == [] and spoken(t, line, 6000) == b"ef ?\r\n> "
    assert typed(t, line, b"g\r", 7000) == ["g"], "the noise was in the line before"


def test_a_line_of_80_is_taken_and_of_81_is_not():
    t, line = console()
    spoken(t, line, 1000)
    assert typed(t, line, b"x" * 80 + b"\r", 2000) == ["x" * 80]
    spoken(t, line, 2000)
    assert typed(t, line, b"x" * 81 + b"\r", 3000) == []
    assert spoken(t, line, 3000) == b"x" * 80 + b" ?\r\n> "


def test_an_empty_line_paints_everything_again_and_empty_rows_are_left_out():
    t, line = console(["one", "", "three"])
    assert spoken(t, line, 1000) == b"one\r\nthree\r\n> "
    assert t.whole and t.connected
    typed(t, line, b"\r", 2000)
    assert not t.whole
    assert spoken(t, line, 2000) == b"\r\none\r\nthree\r\n> "
    t.paint(["one", "two", "three"])
    assert not t.whole and spoken(t, line, 3000) == b"\r\ntwo\r\n> "


def test_a_console_that_takes_few_bytes_gets_the_rest_later():
    t, line = console(["abcdefgh"])
    spoken(t, line, 1000)
    write = line.write
    line.write = lambda data: write(data[:3])
    t.paint(["ijklmnop"])
    assert spoken(t, line, 2000) == b"\r\nijklmnop\r\n> "
    line.write = lambda data: None
    t.notice("x")
    t.poll(4000)
    line.write = write
    assert spoken(t, line, 4000) == b"\r\n* x\r\n> "
