"""The panel's driver: what goes over the wire, with and without DMA, and that nothing waits."""

from felt.wheel.panel import ST7789, ST7796, Panel


class Wire:
    """SPI and pins as the panel sees them: (is_data, bytes) while selected."""

    def __init__(self):
        self.log = []
        self.level = {}
        self.lost = 0
        self.band = b""

    def pin(self, name):
        def drive(level):
            self.level[name] = level
            if name in ("rst", "bl"):
                self.log.append((name, level))

        return drive

    def write(self, data):
        if self.level["cs"]:
            self.lost += 1
        data = bytes(data)
        if len(data) > 1000:  # two whole pictures do not fit a board's heap: keep alike ones once
            self.band = data = self.band if data == self.band else data
        self.log.append((self.level["dc"], data))


class Sender:
    """A DMA channel that reads the buffer as late as it may."""

    def __init__(self, wire):
        self.wire = wire
        self.data = None

    def send(self, x, y, w, h, data):
        assert self.data is None, "started while busy"
        for code, first, last in ((0x2A, x, x + w - 1), (0x2B, y, y + h - 1), (0x2C, None, 0)):
            self.wire.level["dc"] = 0
            self.wire.write(bytes([code]))
            self.wire.level["dc"] = 1
            if first is not None:
                self.wire.write(bytes([first >> 8, first & 255, last >> 8, last & 255]))
        self.data = memoryview(data)[: 2 * w * h]
        self.asked = 2

    def band(self, win, data):
        self.send(win[0], win[1], win[2], win[3], data)

    def busy(self):
        """True once more when asked while sending."""
        if self.data is None:
            return False
        self.asked -= 1
        if self.asked:
            return True
        assert self.wire.level["dc"] == 1 and self.wire.level["cs"] == 0
        self.wire.write(self.data)
        self.data = None
        return False


def panel(dma=False, kind=ST7789):
    wire = Wire()
    sender = Sender(wire) if dma else None
    pins = [wire.pin(name) for name in ("cs", "dc", "rst", "bl")]
    return wire, Panel(kind, wire, *pins, sender)


def started(dma=False, kind=ST7789):
    wire, tft = panel(dma, kind)
    tft.start(lambda ms: wire.log.append(("ms", ms)))
    return wire, tft


def test_start_resets_waits_and_sets_up():
    wire, tft = started()
    assert wire.log[:6] == [
        ("bl", 0),
        ("rst", 0),
        ("ms", 1),
        ("rst", 1),
        ("ms", 120),
        (0, b"\x11"),
    ]
    assert wire.log[6] == ("ms", 120)
    assert (0, b"\x3a") in wire.log and (1, b"\x55") in wire.log
    assert wire.log[wire.log.index((0, b"\x3a")) + 1] == (1, b"\x55")
    assert wire.log[-1] == (0, b"\x29")
    assert wire.lost == 0 and wire.level["cs"] == 1 and wire.level["bl"] == 0


def test_start_paints_black():
    for dma in (False, True):
        wire, tft = started(dma)
        sent = [data for kind, data in wire.log if kind == 1 and len(data) > 1000]
        assert sum([len(data) for data in sent]) == 240 * 240 * 2
        assert not [data for data in sent if any(data)]


def blit_log(x, y, right, bottom, data):
    return [
        (0, b"\x2a"),
        (1, bytes([0, x, 0, right])),
        (0, b"\x2b"),
        (1, bytes([0, y, 0, bottom])),
        (0, b"\x2c"),
        (1, data),
    ]


def test_blit_sets_the_window_and_sends():
    wire, tft = started()
    wire.log.clear()
    tft.blit(20, 30, 2, 3, b"abcdefghijkl")
    assert wire.log == blit_log(20, 30, 21, 32, b"abcdefghijkl")
    assert wire.level["cs"] == 1 and wire.lost == 0


def test_columns_and_rows_beyond_a_byte():
    for dma in (False, True):
        wire, tft = started(dma, ST7796)
        assert (tft.width, tft.height) == (480, 320)
        wire.log.clear()
        tft.blit(300, 280, 2, 3, b"abcdefghijkl")
        tft.finish()
        assert wire.log[1] == (1, b"\x01\x2c\x01\x2d") and wire.log[3] == (1, b"\x01\x18\x01\x1a")
        assert wire.log[5] == (1, b"abcdefghijkl") and wire.lost == 0


def test_without_dma_nothing_is_ever_under_way():
    wire, tft = started()
    tft.send(0, 0, 1, 1, b"ab")
    assert not tft.busy()


def test_with_dma_a_band_may_be_read_until_the_next():
    wire, tft = started(dma=True)
    wire.log.clear()
    one = bytearray(b"1" * 100)
    tft.blit(0, 0, 50, 1, one)
    assert wire.log[-1] == (0, b"\x2c") and wire.level["cs"] == 0
    tft.blit(0, 1, 50, 1, b"2" * 100)
    tft.finish()
    tft.finish()
    want = blit_log(0, 0, 49, 0, b"1" * 100) + blit_log(0, 1, 49, 1, b"2" * 100)
    assert wire.log == want
    assert wire.lost == 0


def test_commands_wait_for_the_picture():
    wire, tft = started(dma=True)
    tft.blit(0, 0, 50, 1, b"3" * 100)
    tft.sleep()
    assert wire.log[-4:] == [("bl", 0), (1, b"3" * 100), (0, b"\x28"), (0, b"\x10")]
    tft.wake()
    assert wire.log[-2:] == [(0, b"\x11"), (0, b"\x29")]
    tft.light(True)
    assert wire.level["bl"] == 1 and wire.lost == 0
