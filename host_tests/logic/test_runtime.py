"""What firmware counts on in every runtime: integers, buffers and viper mean the same."""

import micropython
from micropython import const

RP2040 = True

_LIMIT = const(52)


@micropython.viper
def total(buf: ptr8, count: int) -> int:
    result = 0
    for i in range(count):
        result += buf[i]
    return result


@micropython.viper
def second(buf: ptr16) -> int:
    return int(buf[1])


def test_const_and_big_integers():
    assert _LIMIT == 52
    cents = 50_000_00 * 1000
    print(cents, cents * cents, -7 // 2, -7 % 5)


def test_viper_reads_buffers():
    buf = bytes(range(1, 8))
    print(total(buf, 7), second(bytearray([1, 2, 3, 4])))


def test_buffers_and_formats():
    buf = bytearray(6)
    view = memoryview(buf)
    view[2:4] = b"ab"
    print(bytes(buf), "%02x %5d|%-4s|" % (255, -12, "ab"), "{:>6} {:04d}".format("x", 7))
    print(int.from_bytes(b"\x01\x02", "big"), (513).to_bytes(2, "little"))


def test_exceptions_carry_their_text():
    try:
        raise ValueError("Ah Ah")
    except ValueError as error:
        print(type(error).__name__, error.args)
