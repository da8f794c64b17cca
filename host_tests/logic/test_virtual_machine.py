"""The virtual board's `machine` without a bench: pins, buses, buffers, time, watchdog."""

import board
import machine
import vclock
from felt.field.fram import Fram
from felt.field.sensors import SpiChain
from neopixel import NeoPixel
from vbench import PowerCut, bench, clock

PATH = ("boards/VIRTUAL",)
HOST = "it tests the virtual board, which a real one has not"
Pin = machine.Pin
PINS = board.PINS


def setup():
    """Every test starts in stepped time with nothing sent."""
    clock.mode = vclock.STEP
    sent = []
    bench.listener = lambda kind, channel, data: sent.append((kind, channel, data))
    bench.services[:] = []
    return sent


def chain_pins():
    return (
        Pin(PINS["SENSOR_LATCH"], Pin.OUT),
        Pin(PINS["SENSOR_CLK"], Pin.OUT),
        Pin(PINS["SENSOR_DATA"], Pin.IN),
    )


def test_the_driver_reads_the_chain_as_it_was_latched():
    setup()
    latch, clk, data = chain_pins()
    bench.receive("s", 0, bytes([0x81, 2, 3, 4, 5, 6, 0x7F]))
    spi = bytearray(7)
    SpiChain(machine.SoftSPI(sck=clk, miso=data, mosi=Pin(8)), latch).readinto(spi)
    print(spi)
    assert spi == bytes([0x81, 2, 3, 4, 5, 6, 0x7F])


def test_chain_keeps_the_latched_picture_while_shifting():
    setup()
    latch, clk, data = chain_pins()
    bench.receive("s", 0, bytes([0xFF] * 7))
    latch(0)
    latch(1)
    bench.receive("s", 0, bytes(7))
    bits = []
    for _ in range(57):
        bits.append(data())
        clk(1)
        clk(0)
    assert bits == [1] * 56 + [0]


def test_uart_bytes_take_their_time():
    setup()
    uart = machine.UART(0, 115200, rxbuf=256)
    bench.receive("u", 0, b"0123456789")
    assert uart.any() == 0
    bench.wait(87 * 5)
    here = uart.any()
    bench.wait(2000)
    print(here, uart.read())
    assert 4 <= here <= 6


def test_uart_receive_buffer_overflows():
    sent = setup()
    uart = machine.UART(1, 115200, rxbuf=64)
    bench.receive("u", 1, bytes(range(200)))
    bench.wait(50000)
    assert uart.any() == 64
    assert uart.overruns == 136
    assert uart.read() == bytes(range(64))
    assert [m for m in sent if m[0] == "o"]


def test_uart_transmit_buffer_is_bounded():
    setup()
    uart = machine.UART(0, 115200, txbuf=64)
    first = uart.write(bytes(200))
    second = uart.write(bytes(200))
    bench.wait(20000)
    third = uart.write(bytes(200))
    print(first, second, third)
    assert first == 96 and not second and third == 96


def test_fram_answers_like_the_chip():
    setup()
    bus = machine.I2C(1, freq=1000000)
    memory = Fram(bus)
    memory.write(32760, b"abcdefgh")
    back = bytearray(8)
    memory.readinto(32760, back)
    assert back == b"abcdefgh"
    assert memory.identity() == (0x00A, 0x510)
    bus.writeto_mem(0x50, 32766, b"wrap", addrsize=16)
    assert bus.readfrom_mem(0x50, 0, 2, addrsize=16) == b"ap"


def test_power_goes_after_any_byte():
    setup()
    bus = machine.I2C(1)
    for kept in range(5):
        bus.writeto_mem(0x50, 100, b"....", addrsize=16)
        bench.receive("k", 0, bytes([kept, 0, 0, 0]))
        try:
            bus.writeto_mem(0x50, 100, b"WXYZ", addrsize=16)
            cut = False
        except PowerCut:
            cut = True
        bench.receive("k", 0, b"\xff\xff\xff\xff")
        assert cut, kept
        assert bus.readfrom_mem(0x50, 100, 4, addrsize=16) == b"WXYZ"[:kept] + b"...."[kept:]


def test_display_bytes_carry_the_level_of_data_command():
    sent = setup()
    cs, dc = Pin(PINS["TFT_CS"], Pin.OUT), Pin(PINS["TFT_DC"], Pin.OUT)
    spi = machine.SPI(1, 62500000, sck=Pin(10), mosi=Pin(11))
    cs(1)
    spi.write(b"unheard")
    cs(0)
    dc(0)
    spi.write(b"\x2c")
    dc(1)
    spi.write(b"\x12\x34")
    assert sent == [("c", 1, b"\x2c"), ("d", 1, b"\x12\x34")]


def test_spi_is_bound_by_the_peripheral_clock():
    setup()
    machine.freq(125000000)
    slow = machine.SPI(1, 62500000).baudrate
    machine.freq(125000000, 125000000)
    fast = machine.SPI(1, 62500000)
    before = clock.peek()
    fast.write(bytes(62500))
    assert (slow, fast.baudrate) == (24000000, 62500000)
    assert clock.peek() - before == 8000


def test_keys_reach_pins_and_interrupts():
    setup()
    seen = []
    key = Pin(PINS["KEY_SERVICE"], Pin.IN, Pin.PULL_UP)
    key.irq(lambda pin: seen.append(pin.value()), Pin.IRQ_FALLING | Pin.IRQ_RISING)
    bench.receive("p", PINS["KEY_SERVICE"], b"\0")
    bench.receive("p", PINS["KEY_SERVICE"], b"\0")
    bench.receive("p", PINS["KEY_SERVICE"], b"\1")
    assert seen == [0, 1]


def test_watchdog_bites_only_when_unfed():
    setup()
    dog = machine.WDT(timeout=1000)
    for _ in range(5):
        bench.wait(900000)
        dog.feed()
    try:
        bench.wait(1100000)
        bitten = False
    except PowerCut:
        bitten = True
    bench.services[:] = []
    assert bitten


def test_a_timer_that_feeds_does_so_also_after_a_long_wait_for_a_line():
    setup()
    dog = machine.WDT(timeout=1000)
    timer = machine.Timer(period=500, callback=lambda t: dog.feed())
    clock.advance(9000000)  # nothing is served while the console waits for a person
    bench.wait(5000)
    timer.deinit()
    bench.services[:] = []


def test_timer_calls_on_time():
    setup()
    start = clock.peek()
    calls = []
    timer = machine.Timer(
        period=10, callback=lambda t: calls.append((clock.peek() - start) // 1000)
    )
    bench.wait(35000)
    timer.deinit()
    bench.wait(35000)
    assert calls == [10, 20, 30]


def test_lamps_send_green_first():
    sent = setup()
    lamps = NeoPixel(Pin(PINS["LAMPS"]), 2)
    lamps[0] = (1, 2, 3)
    lamps.write()
    assert sent == [("l", PINS["LAMPS"], b"\2\1\3\0\0\0")]


def test_random_bit_varies_and_sticks():
    setup()
    bits = [machine.mem32[board.ROSC_RANDOM] & 1 for _ in range(256)]
    bench.receive("r", 0, b"\1")
    stuck = [machine.mem32[board.ROSC_RANDOM] & 1 for _ in range(256)]
    bench.receive("r", 0, b"\0")
    assert 64 < sum(bits) < 192
    assert sum(stuck) == 256


def test_time_stands_still_until_waited_for():
    setup()
    before = clock.peek()
    for _ in range(1000):
        bytearray(100)
    assert clock.peek() == before
    bench.wait(3600 * 1000000)
    assert clock.peek() - before == 3600 * 1000000


class Pc:
    """The PC's clock in a test's hands."""

    def __enter__(self):
        self.us = 0
        self._real, vclock._real_us = vclock._real_us, lambda: self.us
        self.live = vclock.Clock()
        return self

    def __exit__(self, *ignored):
        vclock._real_us = self._real

    def passed(self, us):
        """Let the PC's time pass; return the table's since its start."""
        self.us += us
        return self.live.peek() - vclock.START


def test_no_time_passes_for_a_table_whose_bench_gets_no_turn():
    with Pc() as pc:
        assert pc.passed(9000000) == 9000000 and not pc.live.stands()  # nobody was heard yet
        pc.live.follow(0)
        assert pc.passed(5000000) == 9000000 + vclock.SLACK_US and pc.live.stands()
        before = pc.live.us()
        assert 0 < pc.live.us() - before < 100  # a loop that watches the clock comes to its end
        pc.live.follow(400000)
        assert pc.passed(1000) in range(9401000 - 500, 9401100) and not pc.live.stands()


def test_however_often_it_is_heard_a_table_is_never_far_ahead_of_its_bench():
    """A firmware that was let run now and then saw the whole time of a busy PC pass."""
    with Pc() as pc:
        pc.live.set_speed(400)
        pc.live.follow(0)
        for beat in range(1, 100):
            assert pc.passed(500000) <= beat * 1000 + vclock.SLACK_US
            pc.live.follow(beat * 1000)


def test_a_table_that_was_ahead_falls_into_step_and_never_goes_back():
    with Pc() as pc:
        pc.live.follow(0)
        last = pc.passed(400000)
        assert last == 400000
        for beat in range(1, 11):
            pc.live.follow(beat * 100000)
            now = pc.passed(100000)
            assert now > last
            last = now
        assert 1100000 <= last <= 1100000 + vclock.STEP_US


def test_a_table_that_was_behind_is_where_its_bench_is():
    with Pc() as pc:
        pc.live.follow(7000)
        pc.passed(1000)
        pc.live.follow(57000)
        assert pc.passed(0) == 50000
