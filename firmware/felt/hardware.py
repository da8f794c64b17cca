"""Build the hardware from the board's data, once."""

import os
import time

import board
import machine

from felt.field import flash
from felt.games.settings import wheel_name

CONFIG = "config.json"
FLASH = 0x10000000  # where RP2040 and RP2350 show their flash
SESSION = 65535
NET_WAKES_MS = 2  # W5500 after its reset: PLL locked, registers answer


class Hardware:
    """What the table is given: every device, built and named."""


def pin(name, *mode):
    """Return a pin by its name on the board."""
    return machine.Pin(board.PINS[name], *mode)


def session():
    """Return a number for the links that differs at every start."""
    return int.from_bytes(os.urandom(2), "big") % (SESSION - 1) + 1


def uart(name):
    """Return a UART with room for a 400 ms flash erase's worth of short frames."""
    return machine.UART(
        board.BUSES[name],
        board.SPEEDS[name],
        tx=pin(name + "_TX"),
        rx=pin(name + "_RX"),
        rxbuf=512,
        txbuf=512,
        timeout=0,
    )


def fram():
    """Return the critical memory, or None when nothing answers."""
    from felt.field.fram import Fram

    bus = machine.I2C(
        board.BUSES["FRAM"], sda=pin("FRAM_SDA"), scl=pin("FRAM_SCL"), freq=board.SPEEDS["FRAM"]
    )
    memory = Fram(bus)
    try:
        memory.probe()
    except OSError:
        return None
    return memory


def lamps():
    """Return the lamps of seven seats."""
    from neopixel import NeoPixel

    from felt.field.lamps import Lamps

    return Lamps(NeoPixel(pin("LAMPS"), 7))


def field(hw):
    """Build sensors, keys and lamps."""
    from felt.field.keys import Keys
    from felt.field.sensors import Sensors, SpiChain

    latch = pin("SENSOR_LATCH", machine.Pin.OUT)
    clock = pin("SENSOR_CLK", machine.Pin.OUT)
    bus = machine.SoftSPI(
        1_000_000, polarity=1, phase=0, sck=clock, mosi=latch, miso=pin("SENSOR_DATA")
    )
    covered = board.FEATURES["covered_spot"]
    tied = board.FEATURES.get("tied")
    hw.sensors = Sensors(SpiChain(bus, latch), invert=not covered, tied=tied)
    pull = machine.Pin.PULL_UP
    keys = [pin(name, machine.Pin.IN, pull) for name in ("KEY_ATTENDANT", "KEY_SERVICE")]
    hw.keys = Keys(keys)
    hw.lamps = lamps()


def links(hw):
    """Build shoe and terminal."""
    from felt.link.shoe import FeltShoe
    from felt.link.terminal import Terminal

    hw.shoe = FeltShoe(uart("SHOE"), session())
    hw.terminal = Terminal(uart("TERM"), session())


def reader():
    """Return the chip reader: a third serial line, on a state machine where the chip has one."""
    from felt.link.reader import FeltReader

    number, speed = board.BUSES["READER"], board.SPEEDS["READER"]
    if board.CHIP == "host":
        return FeltReader(machine.UART(number, speed, rx=pin("READER_RX"), rxbuf=512, timeout=0))
    from felt.link.pio_uart import reader_line

    return FeltReader(reader_line(number, pin("READER_RX"), speed))


def sender():
    """Return what sends a band while the next one is painted, on chips that can."""
    if board.CHIP == "host":
        return None
    from felt.wheel import dma

    chip = dma.RP2350 if board.CHIP == "rp2350" else dma.RP2040
    return dma.SpiSender(board.BUSES["TFT"], board.PINS["TFT_DC"], chip)


def painter(texts):
    """Return what paints pictures on the wheel display."""
    from felt.wheel.panel import KINDS, PHASE, POLARITY, Panel
    from felt.wheel.screens import Screens
    from felt.wheel.shapes import SHAPES

    out = machine.Pin.OUT
    bus = machine.SPI(
        board.BUSES["TFT"],
        baudrate=board.SPEEDS["TFT"],
        polarity=POLARITY,
        phase=PHASE,
        sck=pin("TFT_SCK"),
        mosi=pin("TFT_MOSI"),
        miso=None,
    )
    pins = [pin("TFT_" + name, out) for name in ("CS", "DC", "RST", "BL")]
    panel = Panel(KINDS[board.FEATURES["panel"]], bus, *pins, dma=sender())
    panel.start(time.sleep_ms)
    panel.light(True)
    shape = SHAPES[panel.width, panel.height]()
    return Screens(panel.send, texts.get, shape, panel.busy, panel.band)


def screen(texts):
    """Build the wheel display."""
    from felt.wheel.display import WheelDisplay

    return WheelDisplay(painter(texts))


def generator(settings, boots):
    """Return the random generator of a table that spins, else None."""
    if not wheel_name(settings):
        return None
    from felt.field.rosc import jitter
    from felt.spin.entropy import EntropySource, Generator

    source = EntropySource(os.urandom, jitter, machine.unique_id(), boots)
    return Generator(source)


def program():
    """Return the program as it lies in flash; the virtual board has a file for it."""
    from felt.program import Program

    if board.CHIP == "host":
        return Program(machine.flash())
    import uctypes

    return Program(uctypes.bytearray_at(FLASH, board.FILES_AT))


def network(section, table, build):
    """Return the network task of a table that has one; None without chip or key."""
    from binascii import unhexlify

    from felt.net import start

    bus = machine.SPI(
        board.BUSES["NET"],
        baudrate=board.SPEEDS["NET"],
        sck=pin("NET_SCK"),
        mosi=pin("NET_MOSI"),
        miso=pin("NET_MISO"),
    )
    select = pin("NET_CS", machine.Pin.OUT)
    reset = pin("NET_RST", machine.Pin.OUT)
    reset(0)
    time.sleep_ms(1)
    reset(1)
    time.sleep_ms(NET_WAKES_MS)
    name = unhexlify(build) if build else bytes(32)
    return start.uplink(section, bus, select, table, name, machine.unique_id())


def identity(build, settings, digest):
    """Return (24 bytes: firmware, configuration and weights in force, fault)."""
    from binascii import unhexlify

    weights = settings.get("weights")
    spin = wheel_name(settings)
    wheel_id = bytes(8)
    fault = None
    if weights and isinstance(spin, str):
        from felt.spin import wheel

        try:
            wheel_id = unhexlify(wheel.identity(spin, weights)[:16])
        except wheel.WeightsError as e:
            fault = e.args[0], " ".join([str(about) for about in e.args[1:]])
    return (unhexlify(build[:16]) if build else bytes(8)) + digest[:8] + wheel_id, fault


def configuration():
    """Return (settings, document, digest, fault) of the configuration on flash."""
    from felt.store import config

    if not flash.files():
        return {}, b"", bytes(32), ("files", "")
    try:
        raw = config.read(CONFIG)
        return config.parse(raw), raw, config.identity(raw), None
    except config.ConfigError as e:
        return {}, b"", bytes(32), ("config", "%s %s" % (e.code, e.about))


def language(settings):
    """Return the texts; settings that name no language there is are told in English."""
    from felt.texts import Texts

    try:
        frozen = __import__("lang_" + settings.get("language", "en"))
    except (ImportError, TypeError):
        frozen = __import__("lang_en")
    return Texts(frozen.TEXT, frozen.INDEX)


def build(display=True):
    """Build everything; return (hardware, table, texts, build id)."""
    machine.freq(board.FREQ, board.FREQ)  # the peripheral clock too, before any bus is made
    hw = Hardware()
    hw.board = board.NAME
    hw.unique_id = "".join(["%02x" % b for b in machine.unique_id()])
    hw.ticks = time.ticks_ms
    hw.sleep_ms = time.sleep_ms
    hw.clock_text = "%d Hz, TFT %d Hz" % (board.FREQ, board.SPEEDS["TFT"])
    settings, document, digest, fault = configuration()
    texts = language(settings)
    wanted = wheel_name(settings) or not settings  # a table without settings says so on it
    hw.display = screen(texts) if display and wanted else None
    hw.program = program()
    hw.files, hw.format = flash.files, flash.format
    hw.elsewhere = "/virtual" if board.CHIP == "host" else ""  # mounted, not of the file system
    from felt.store.archive import Archive
    from felt.store.kept import Kept
    from felt.store.vault import Vault
    from felt.table import Table

    hw.fram = memory = fram()
    field(hw)
    links(hw)
    hw.reader = reader() if settings.get("reader") else None
    name = hw.program.identity
    ident, wrong = identity(name, settings, digest)
    if memory is None and settings.get("demonstration"):
        from felt.store.area import RamMemory

        memory = RamMemory()
    table = Table(settings, Vault(memory, owner=machine.unique_id()), None, ident)
    if hw.fram is None and memory and table.machine:  # a demonstration forgets at every start
        table.vault.clear(table.machine.dump(), 0)
    if fault or wrong:
        table.fault, table.detail = fault or wrong
    table.archive = Archive("rounds")
    table.kept, table.document = Kept("settings"), document
    began = time.time()
    table.seconds = lambda: int(time.time() - began)
    table.start(machine.reset_cause(), hw.keys.settle(time.sleep_ms))
    if table.machine:
        table.generator = generator(settings, table.starts)
    section = settings.get("network") if table.machine else None
    hw.net = network(section, table, name) if section and display else None
    return hw, table, texts, name
