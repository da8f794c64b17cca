"""Frames: what is sealed comes out again, whatever lies between, and nothing else does."""

import binascii

import micropython
from felt.link import crc, frame

from tools.peers.wire import Random


def _sealed(body):
    encoder = frame.Encoder()
    encoder.body[: len(body)] = body
    return bytearray(encoder.seal(len(body)))


def _bodies(stream, decoder=None, piece=0):
    decoder = decoder or frame.Decoder()
    found = []
    piece = piece or len(stream)
    for start in range(0, len(stream), piece):
        at = start
        end = min(start + piece, len(stream))
        while at < end:
            at = decoder.feed(stream, at, end)
            if decoder.size >= 0:
                found.append(bytes(decoder.body[: decoder.size]))
    return found


def test_known_bytes():
    sealed = _sealed(b"123456789")  # CRC-32 of the check string is CBF43926
    assert sealed == b"\x00\x0e123456789\x26\x39\xf4\xcb\x00", sealed
    assert _sealed(b"\x00\x00")[:4] == b"\x00\x01\x01\x05"


def test_round_trip_of_every_length_and_zero_pattern():
    random = Random(1)
    for size in range(1, frame.LIMIT + 1):
        for zeros in (0, 1, 3):
            body = bytes(
                [random.below(256) if not random.chance(zeros) else 0 for _ in range(size)]
            )
            sealed = _sealed(body)
            assert sealed.find(b"\0", 1) == len(sealed) - 1 and len(sealed) == size + 7
            assert _bodies(sealed) == [body], size


def test_cut_anywhere_into_pieces():
    stream = bytearray()
    want = []
    for n in range(1, 20):
        want.append(bytes(range(n)))
        stream.extend(_sealed(want[-1]))
    for piece in range(1, 40):
        assert _bodies(stream, None, piece) == want


def test_the_frame_after_garbage_is_never_lost():
    random = Random(2)
    decoder = frame.Decoder()
    for round_ in range(300):
        garbage = bytearray([random.below(256) for _ in range(random.below(700))])
        body = bytes([round_ & 255, round_ >> 8, 0, 7])
        got = _bodies(garbage + _sealed(body), decoder, 1 + random.below(300))
        assert got == [body], (round_, got)
    print(decoder.bad)


def test_every_single_bit_error_and_every_short_burst_is_found():
    sealed = _sealed(b"\x03\x00\x10\x00card")
    for at in range(1, len(sealed) - 1):
        for value in range(256):
            if value != sealed[at]:
                damaged = bytearray(sealed)
                damaged[at] = value
                assert _bodies(damaged) == [], (at, value)


def test_a_stream_without_delimiter_stays_in_bounds():
    decoder = frame.Decoder()
    long = bytearray(b"\x55" * 5000)
    assert _bodies(long, decoder) == []
    assert _bodies(_sealed(b"ok"), decoder) == [b"ok"]
    assert decoder.bad == 1


def test_the_boards_own_crc_is_the_known_one_and_allocates_nothing():
    random = Random(5)
    for size in (0, 1, 2, 13, 100, 248):
        body = bytes([random.below(256) for _ in range(size)])
        want = binascii.crc32(body)
        moved = bytearray(size + 9)
        at = bytearray(body)
        micropython.heap_lock()
        try:
            crc.copy(moved, 3, at, 0, size)
            crc.put(moved, 3, 3 + size)
            known = crc.right(moved, 3, 3 + size)
        finally:
            micropython.heap_unlock()
        assert moved[3 : 3 + size] == body and known
        assert [moved[3 + size + n] for n in range(4)] == [want >> 8 * n & 255 for n in range(4)]
        for n in range(3, 7 + size):
            moved[n] ^= 1 << n % 8
            assert not crc.right(moved, 3, 3 + size), n
            moved[n] ^= 1 << n % 8
        assert moved[:3] == bytes(3) and moved[7 + size :] == bytes(2)
