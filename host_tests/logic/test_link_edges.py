"""The edges of the links: the last byte that fits, the first millisecond that is too late."""

import binascii
import sys

from felt.link import crc, frame, port, reader, shoe
from line_end import MINE, THEIRS, Line, body, connected, pictures


def sealed(data, limit=frame.LIMIT):
    encoder = frame.Encoder(limit)
    encoder.body[: len(data)] = data
    return bytearray(encoder.seal(len(data)))


def test_a_frame_holds_1_to_248_bytes_and_everything_else_is_counted():
    decoder = frame.Decoder()
    assert (decoder.size, decoder.bad, decoder.feed(b"", 0, 0)) == (-1, 0, 0)
    for data, size in ((b"x", 1), (b"x" * 248, 248), (b"", -1)):
        raw = sealed(data)
        bad = decoder.bad
        assert decoder.feed(raw, 0, len(raw)) == 1 and decoder.size == -1, "the first delimiter"
        assert decoder.feed(raw, 1, len(raw)) == len(raw) == len(data) + 7
        assert decoder.size == size and decoder.bad == bad + (size < 0)
    small = frame.Decoder(8)
    assert len(frame.Encoder(8).body) == 8
    for data, size in ((b"x" * 8, 8), (b"x" * 9, -1), (b"x" * 3, 3)):
        raw = sealed(data, 9)
        small.feed(raw, 1, len(raw))
        assert small.size == size, data
    assert small.bad == 1
    small.feed(b"\0\0\0", 0, 3)
    assert small.bad == 1, "nothing between delimiters is no frame"


def test_a_code_byte_that_points_past_the_end_is_no_frame():
    for change in (-1, 1):
        raw = sealed(b"card")
        raw[1] += change
        decoder = frame.Decoder()
        decoder.feed(raw, 1, len(raw))
        assert decoder.size == -1 and decoder.bad == 1


def test_a_board_s_own_crc_makes_and_takes_the_same_frames():
    given, there = frame.crc, sys.platform == "rp2"
    assert (given is None) != there, "a PC has a faster one"
    usual = sealed(b"123456789\0")
    try:
        frame.crc = crc
        assert sealed(b"123456789\0") == usual
        decoder = frame.Decoder()
        decoder.feed(usual, 1, 5)
        decoder.feed(usual, 5, len(usual))
        assert bytes(decoder.body[: decoder.size]) == b"123456789\0"
        usual[4] ^= 1
        decoder.feed(usual, 1, len(usual))
        assert decoder.size == -1 and decoder.bad == 1
    finally:
        frame.crc = given


def test_a_greeting_that_is_cut_off_behind_its_version_is_foreign():
    """Its role would be the first byte of the checksum."""
    end, line, _ = connected()
    for sender in range(1, 65536):
        short = body(1, 0, b"\1", sender=sender)
        if binascii.crc32(short) & 255 == ord("S"):
            break
    line.say(short)
    end.poll(1010)
    assert end.foreign == 1 and line.frames() == []


def test_an_end_that_accepted_nothing_acknowledges_nothing():
    line = Line()
    end = port.Port(line, port.CONTROLLER, port.SHOE, MINE)
    end.accept()
    end.poll(0)
    assert line.frames() == [b"\1\2\1\0\0\0\1C"] and end.mark == (0, 0) and end.message is None
    assert (end.pending, end.good, end.repeats, end.foreign, end.bad) == (0, 0, 0, 0, 0)
    assert end.peer == 0 and end.number == 1 and not end.up


def test_bytes_of_one_read_hold_several_frames_and_all_are_counted():
    end, line, _ = connected()
    line.say(body(4, 0))
    line.say(body(4, 0))
    raw = bytearray(line.waiting)
    line.waiting = b""
    assert end.feed(raw, len(raw), 1001) == 2 and end.good == 3
    short = sealed(b"\4\4\3\2\1")
    assert end.feed(short, len(short), 1002) == 0, "shorter than a head"


def test_a_read_that_brings_fewer_bytes_or_none_is_taken_as_it_is():
    end, line, _ = connected()
    line.waiting = b"\0" * 200
    assert end.read() == 128 and end.read() == 72 and end.read() == 0
    line.readinto = lambda view: None
    line.waiting = b"x"
    assert end.read() == 0


def test_messages_wait_in_a_ring_that_goes_round_and_a_peer_s_restart_drops_or_keeps_them():
    for keep in (True, False):
        end, line, _ = connected(queue=3, keep=keep)
        for n in range(7):
            assert end.send(b"%d" % n)
            end.poll(2000 + n)
            assert line.frames()[-1][6:] == b"%d" % n
            line.say(body(4, n + 1))
            end.poll(2000 + n)
        assert end.free == 3 and end.send(b"a") and end.send(b"b") and end.free == 1
        line.say(body(1, 0, b"\1S", sender=0x0505))
        assert end.poll(2010) == port.FRESH and end.peer == 0x0505
        assert end.pending == (2 if keep else 0), keep
        said = [got[5:] for got in line.frames() if got[0] == 3]
        assert said == ([b"\x08a"] if keep else []), said
        assert end.send(b"c") and end.free == (0 if keep else 2)


def test_a_number_that_was_never_sent_makes_an_end_begin_a_new_session():
    end, line, _ = connected()
    line.frames()
    line.say(body(4, 9))
    end.poll(1010)
    assert end.session == MINE + 1 and not end.up
    assert line.frames()[-1][:3] == bytes([1, (MINE + 1) & 255, (MINE + 1) >> 8])
    end, line, _ = connected()
    line.say(body(4, 255))
    end.poll(1010)
    assert end.session == MINE and end.up, "the one before the first"
    last = port.Port(Line(), port.CONTROLLER, port.SHOE, 65535)
    last._renew()
    assert last.session == 1


def test_a_greeting_in_the_middle_of_a_session_changes_nothing_but_says_welcome():
    end, line, _ = connected()
    end.send(b"x")
    end.poll(1000)
    line.frames()
    line.say(body(1, 1, b"\1S"))
    assert end.poll(1010) == port.NOTHING and end.up and end.pending == 0
    assert line.frames() == [b"\2\2\1\4\3\0\1C"]
    line.say(body(3, 4, b"y"))
    end.poll(1020)
    end.accept()
    end.poll(1030)
    line.frames()
    line.say(body(1, 1, b"\1S"))
    end.poll(1040)
    assert line.frames() == [b"\2\2\1\4\3\4\1C"], "with the number of what was taken"
    line.say(body(1, 1, b"\1S", to=0, sender=0x0707))
    end.poll(1050)
    assert line.frames() == [b"\2\2\1\7\7\0\1C"], "a stranger's messages were not taken"
    assert end.peer == THEIRS


def test_a_mark_is_believed_for_its_own_session_only():
    for session, taken in ((THEIRS, 7), (THEIRS + 1, 0)):
        end, line, said = connected(resume=(session, 7))
        assert end.mark == (THEIRS, taken)
        line.say(body(3, 7, b"old"))
        end.poll(1010)
        assert (end.message is None) == (taken == 7)


def test_a_lost_end_sends_again_at_once_when_it_is_back():
    end, line, _ = connected()
    end.send(b"x")
    end.poll(2950)
    assert end.poll(3000) == port.LOST
    line.frames()
    assert end.send(b"y")
    end.poll(3010)
    assert [got[0] for got in line.frames()] == [], "hello was said at 3000, data waits"
    line.say(body(4, 0))
    assert end.poll(3020) == port.BACK
    assert [got[0] for got in line.frames()] == [3] and end.repeats == 0


def test_a_shoe_s_payloads_by_their_letter_and_length():
    good = {
        b"D\x33\5": ("drawn", 51, 5), b"D\xff\5": ("drawn", 255, 5), b"F\0\1": ("face_up", 0, 1),
        b"J\7": ("jam", 7), b"K": ("cleared",), b"E": ("empty",), b"R": ("removed",),
        b"A\x34": ("attached", 52), b"C\x33": ("count", 51), b"B": ("shuffling",),
        b"P\x34\2": ("shuffled", 52, 2), b"I\x0f": ("identity", 15, ""),
        b"I\1 ~": ("identity", 1, " ~"), b"S\1\2\1\x33": ("stack", 1, 2, b"\x33"),
        b"S\1\2\2\0\xff": ("stack", 1, 2, b"\0\xff"),
    }  # fmt: skip
    for raw in good:
        assert shoe.parse(raw) == good[raw], raw
    for raw in (
        b"D\x34\1", b"F\x34\1", b"D\1", b"J", b"J\1\1", b"K\1", b"E\0", b"R\0", b"A", b"C\1\1",
        b"B\0", b"P\x34", b"I", b"I\1\x1f", b"I\1\x7f", b"S\1\2", b"S\1\2\0", b"S\1\2\2\1",
        b"S\1\2\1\x34", b"S\1\2\1\1\1", b"d\1\1", b"\0",
    ):  # fmt: skip
        assert shoe.parse(raw) == ("garbled", raw), raw
    assert (shoe.READS, shoe.SHUFFLES, shoe.COUNTS, shoe.STACKS) == (1, 2, 4, 8)


def test_a_shoe_gives_the_same_message_until_it_is_accepted_and_its_link_between_two():
    line = Line()
    s = shoe.FeltShoe(line, MINE)
    assert s.poll(0) is None and not s.connected
    s.accept()
    line.say(body(1, 0, b"\1S"))
    line.say(body(3, 4, b"E"))
    assert s.poll(1000) == ("link", "fresh") == s.poll(1001)
    s.accept()
    assert s.poll(1002) == ("empty",) == s.poll(1003)
    assert s.poll(3000) == ("empty",), "it is lost, but first things first"
    line.frames()
    s.accept()
    assert s.port.mark == (THEIRS, 4)
    assert s.poll(3001) == ("link", "lost") and not s.connected
    s.accept()
    assert s.poll(3002) is None
    line.say(body(4, 0))
    assert s.poll(3003) == ("link", "back")


def test_a_reader_takes_512_bytes_a_call_and_counts_what_is_damaged():
    line = Line()
    r = reader.FeltReader(line)
    assert (r.pictures, r.missed, r.bad, r.connected) == (0, 0, 0, False)
    line.waiting = b"\1" * 1000
    assert r.poll(0) is False and len(line.waiting) == 488
    line.waiting = b"\0"
    r.poll(5)
    assert r.bad == 1
    line.waiting = b"\0\1\0"
    r.poll(10)
    line.waiting = b"\1\0"
    r.poll(15)
    readinto = line.readinto
    line.readinto = lambda view: None
    assert r.poll(20) is False and r.bad == 3
    line.waiting = b"x"
    assert r.poll(25) is False
    line.readinto, line.waiting = readinto, b"\0"
    r.poll(30)
    assert r.bad == 3, "a line that brings nothing brings nothing"


def test_a_reader_s_amounts_lie_where_they_belong():
    line = Line()
    r = reader.FeltReader(line)
    amounts = [(seat + 1) * 1000 + spot for seat in range(7) for spot in range(3)]
    for counter in (255, 0):
        line.say(pictures(3, amounts, counter))
        r.poll(0)
    assert [r.cents(seat, spot) for seat in range(1, 8) for spot in range(3)] == amounts
    assert r.missed == 0 and r.cents(1, 3) == 0
    assert reader.picture(257, [1, None], 1) == b"P\1\1\0\0\0\1\xff\xff\xff\xff"
    amounts[0] = 0x01020304
    for counter in (1, 2):
        line.say(pictures(3, amounts, counter))
    assert r.poll(5) is True and r.cents(1, 0) == 0x01020304
    line.say(pictures(3, amounts, 3))
    assert r.poll(10) is False, "the same again is no news"
    line.say(pictures(2, amounts[:14], 4))
    line.say(pictures(3, amounts, 5))
    assert r.poll(15) is False and r.connected
    line.say(pictures(1, [9] * 7, 0))
    line.say(pictures(1, [9] * 7, 3))
    assert r.poll(20) is True and r.cents(7, 0) == 9
    for wrong in (b"Q\7\1" + bytes(28), b"P\7\1" + bytes(27)):
        assert r._picture(wrong, len(wrong), 20) is False
    r = reader.FeltReader(line)
    line.say(pictures(1, [9] * 7, 0))
    line.say(pictures(1, [9] * 7, 3))
    assert r.poll(0) is True and r.missed == 2
    assert reader.picture(0, []) == b"P\0\x08" and reader.ReaderAdapter.connected is False
