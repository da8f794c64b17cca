"""The emulated board behaves like the data sheets where the stock emulator does not."""

from __future__ import annotations

import pytest

from tools.emulator.pico import GuestError, Pico, PowerCut

pytestmark = pytest.mark.emulator

UART = """
from machine import UART, Pin
from board import PINS
u = UART({bus}, 115200, tx=Pin(PINS["{name}_TX"]), rx=Pin(PINS["{name}_RX"]), rxbuf=512)
"""

FRAM = """
from machine import I2C, Pin
import board
bus = I2C(board.BUSES["FRAM"], sda=Pin(board.PINS["FRAM_SDA"]), scl=Pin(board.PINS["FRAM_SCL"]),
          freq=board.SPEEDS["FRAM"])
"""

SENSORS = """
from machine import Pin
from board import PINS
latch = Pin(PINS["SENSOR_LATCH"], Pin.OUT, value=1)
clk = Pin(PINS["SENSOR_CLK"], Pin.OUT, value=0)
data = Pin(PINS["SENSOR_DATA"], Pin.IN)
latch(0); latch(1)
bits = []
for _ in range(56):
    bits.append(data())
    clk(1); clk(0)
print(bits)
"""

DISPLAY = """
from machine import SPI, Pin
import board, time
p = board.PINS
cs = Pin(p["TFT_CS"], Pin.OUT, value=1)
dc = Pin(p["TFT_DC"], Pin.OUT, value=0)
spi = SPI(board.BUSES["TFT"], 24_000_000, sck=Pin(p["TFT_SCK"]), mosi=Pin(p["TFT_MOSI"]))
spi.write(b"unseen")
cs(0); spi.write(b"\\x2c"); dc(1); spi.write(b"\\x12\\x34"); cs(1)
"""

KEY = """
from machine import Pin
from board import PINS
k = Pin(PINS["KEY_SERVICE"], Pin.IN, Pin.PULL_UP)
"""


@pytest.fixture
def pico() -> Pico:
    return Pico()


def test_run_gives_output_and_traceback(pico: Pico) -> None:
    assert pico.run("print('a', 1 << 31)") == "a 2147483648\n"
    with pytest.raises(GuestError, match="ZeroDivisionError"):
        pico.run("1 // 0")
    assert pico.run("print(2)") == "2\n"


def test_heap_is_what_the_budget_counts_on(pico: Pico) -> None:
    free = int(pico.run("import gc; gc.collect(); print(gc.mem_free())"))
    assert 235_000 < free < 246_000


@pytest.mark.parametrize(("bus", "name"), [(0, "TERM"), (1, "SHOE")])
def test_uart_both_ways_at_line_speed(pico: Pico, bus: int, name: str) -> None:
    text = bytes(range(65, 65 + 26)) * 10
    pico.run(UART.format(bus=bus, name=name))
    assert pico.uart[bus].tx_pin == pico.pins[f"{name}_TX"]
    start = pico.ms
    pico.run(f"u.write({text!r}); u.flush()")
    pico.run_for(1)
    assert bytes(pico.uart_output[bus]) == text
    assert pico.ms - start > len(text) * 10 / 115.2
    pico.send(bus, text)
    pico.run_for(len(text) * 10 / 115.2 + 2)
    assert pico.run("print(u.read())") == f"{text!r}\n"
    assert pico.uart[bus].overruns == 0


def test_uart_byte_is_lost_when_nobody_listens(pico: Pico) -> None:
    pico.boot()
    pico.send(1, b"lost")
    pico.run_for(2)
    assert pico.uart[1].unwired == 4


def test_flash_busy_time_starves_the_uart(pico: Pico) -> None:
    pico.flash.erase_ms, pico.flash.program_ms = 45, 0.7
    pico.run(UART.format(bus=1, name="SHOE"))
    pico.send(1, bytes(1000))
    pico.run("f = open('x', 'w')\nfor _ in range(3): f.write('x' * 3000)\nf.close()")
    assert pico.flash.operations > 3
    assert pico.uart[1].overruns > 100


def test_fram_keeps_what_was_written(pico: Pico) -> None:
    pico.run(FRAM)
    pico.run("bus.writeto_mem(0x50, 0x7FFC, b'abcd', addrsize=16)")
    assert pico.fram.memory[0x7FFC:] == b"abcd"
    assert pico.run("print(bus.readfrom_mem(0x50, 0x7FFD, 4, addrsize=16))") == "b'bcd\\x00'\n"


def test_missing_fram_is_an_oserror(pico: Pico) -> None:
    pico.run(FRAM)
    pico.fram.present = False
    with pytest.raises(GuestError, match="OSError: 5"):
        pico.run("bus.readfrom_mem(0x50, 0, 4, addrsize=16)")


def test_fram_timing_is_the_bus_clock(pico: Pico) -> None:
    pico.run(FRAM + "import time\nb = bytes(64)")
    pico.fram.true_timing = True
    code = "t = time.ticks_us(); bus.writeto_mem(0x50, 0, b, addrsize=16)\n"
    took = int(pico.run(code + "print(time.ticks_diff(time.ticks_us(), t))"))
    assert 67 * 9 <= took < 67 * 9 * 1.5


def test_power_cut_in_the_fram_keeps_the_bytes_before(pico: Pico) -> None:
    pico.run(FRAM)
    pico.fram.cut_after = 3
    with pytest.raises(PowerCut):
        pico.run("bus.writeto_mem(0x50, 16, b'abcdef', addrsize=16)")
    after = pico.power_cycle()
    after.run(FRAM)
    assert after.run("print(bus.readfrom_mem(0x50, 16, 4, addrsize=16))") == "b'abc\\x00'\n"


def test_power_cut_tears_a_flash_write_but_the_image_mounts(pico: Pico) -> None:
    pico.run("with open('kept', 'w') as f: f.write('old')")
    pico.flash.cut_at = 2
    with pytest.raises(PowerCut):
        pico.run("f = open('kept', 'w'); f.write('n' * 5000); f.close()")
    assert pico.power_cycle().run("print(open('kept').read())") == "old\n"


def test_sensor_chain_reads_every_bit_in_order(pico: Pico) -> None:
    pattern = [int(c) for c in f"{0xA5C3_0F81_7E42_99:056b}"]
    pico.boot()
    for index, level in enumerate(pattern):
        pico.sensors.set(index, level)
    assert pico.run(SENSORS) == f"{pattern}\n"


def test_lamps_show_the_colours_sent(pico: Pico) -> None:
    pico.run(
        "import board\nfrom machine import Pin\nfrom neopixel import NeoPixel\n"
        "n = NeoPixel(Pin(board.PINS['LAMPS']), 7)\n"
        "for i in range(7): n[i] = (i * 30, 255 - i, 7)\nn.write()"
    )
    assert pico.lamps.pixels == [(i * 30, 255 - i, 7) for i in range(7)]


def test_display_bytes_come_with_data_or_command(pico: Pico) -> None:
    seen: list[tuple[int, bool]] = []
    pico.on_display = lambda byte, is_data: seen.append((byte, is_data))
    pico.run(DISPLAY)
    assert seen == [(0x2C, False), (0x12, True), (0x34, True)]
    pico.run("b = bytes(2400)")
    code = "t = time.ticks_us(); spi.write(b)\n"
    took = int(pico.run(code + "print(time.ticks_diff(time.ticks_us(), t))"))
    assert 800 <= took < 1000


DMA = """
from felt.wheel.dma import SpiSender
dma = SpiSender(1, 12)
b = bytearray(bytes(range(200)) * 10)
cs(0)
t = time.ticks_us(); dma.send(0, 0, 100, 10, b)
b[0] = b[1999] = 255
while dma.busy(): pass
print(time.ticks_diff(time.ticks_us(), t))
"""


def test_dma_to_the_display_takes_its_time_and_reads_memory_as_it_goes(pico: Pico) -> None:
    commands, pixels = bytearray(), bytearray()
    pico.run(DISPLAY)
    pico.on_display = lambda byte, is_data: commands.append(byte)
    pico.on_pixels = pixels.extend
    took = int(pico.run(DMA))
    assert commands == b"\x2a\0\0\0\x63\x2b\0\0\0\x09\x2c"
    assert pixels == bytes(range(200)) * 9 + bytes(range(199)) + b"\xff"  # the end was repainted
    assert 667 <= took < 900  # 2000 bytes at 24 MHz, the commands and the call


def test_keys_and_probe(pico: Pico) -> None:
    pico.run(KEY)
    assert pico.run("print(k())") == "0\n"
    pico.drive("KEY_SERVICE", 1)
    assert pico.run("print(k()); Pin(PINS['PROBE'], Pin.OUT, value=1)") == "1\n"
    assert pico.level("PROBE")


def test_watchdog_restarts_the_board(pico: Pico) -> None:
    pico.boot()
    pico.type(b"import machine; w = machine.WDT(timeout=100)\r\nwhile 1: pass\r\n\r\n")
    pico.run_until(lambda: pico.resets, 400)
    assert pico.resets == 1


def test_clk_peri_follows_machine_freq(pico: Pico) -> None:
    code = "from machine import SPI\nprint(SPI(1, 62_500_000))"
    assert "24000000" in pico.run(code)
    pico.run("import machine; machine.freq(125_000_000, 125_000_000)")
    assert "62500000" in pico.run(code)


def test_noise_bit_varies_and_can_stick(pico: Pico) -> None:
    code = (
        "import board, machine\nprint([machine.mem32[board.ROSC_RANDOM] & 1 for _ in range(64)])"
    )
    assert 10 < sum(map(int, pico.run(code).strip("[]\n").split(","))) < 54
    pico.rosc.stuck = 1
    assert pico.run(code) == f"{[1] * 64}\n"
