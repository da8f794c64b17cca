"""Pins of the virtual board, and the chain of bet sensors that hangs on three of them."""

import board
from vbench import bench
from vparts import Chain165

_PINS = board.PINS


class Pin:
    """A pin; every Pin object of one number is the same pin."""

    IN, OUT, OPEN_DRAIN, ALT = 0, 1, 2, 3
    PULL_UP, PULL_DOWN = 1, 2
    IRQ_FALLING, IRQ_RISING = 4, 8

    _level = {}  # number: last level
    _irqs = {}  # number: (handler, trigger, Pin)
    outputs = {}  # number: called with each new level
    inputs = {}  # number: called for the level

    def __init__(self, id, mode=-1, pull=-1, *, value=None, alt=-1):
        self.id = id.id if isinstance(id, Pin) else id
        self._out = Pin.outputs.get(self.id)
        self._in = Pin.inputs.get(self.id)
        self.init(mode, pull, value=value)

    def init(self, mode=-1, pull=-1, *, value=None, alt=-1):
        if pull in (Pin.PULL_UP, Pin.PULL_DOWN) and self.id not in Pin._level:
            Pin._level[self.id] = int(pull == Pin.PULL_UP)
        if value is not None:
            self.value(value)

    def value(self, level=None):
        if level is None:
            if self._in:
                return self._in()
            bench.glance()
            return Pin._level.get(self.id, 0)
        level = 1 if level else 0
        Pin._level[self.id] = level
        if self._out:
            self._out(level)
        else:
            bench.send("p", self.id, bytes([level]))

    __call__ = value

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    high = on
    low = off

    def toggle(self):
        self.value(1 - self.value())

    def irq(self, handler=None, trigger=12, hard=False):
        Pin._irqs[self.id] = (handler, trigger, self)
        return self

    def __repr__(self):
        return "Pin(GPIO%d)" % self.id


def _pin_input(number, data):
    """The bench moved an input: key switches and whatever hangs on a spare pin."""
    old = Pin._level.get(number)
    new = data[0]
    Pin._level[number] = new
    handler, trigger, pin = Pin._irqs.get(number, (None, 0, None))
    edge = Pin.IRQ_RISING if new else Pin.IRQ_FALLING
    if handler and new != old and trigger & edge:
        handler(pin)


bench.handlers["p"] = _pin_input

chain = Chain165()
Pin.outputs[_PINS["SENSOR_LATCH"]] = chain.latch
Pin.outputs[_PINS["SENSOR_CLK"]] = chain.clock
Pin.inputs[_PINS["SENSOR_DATA"]] = chain.data


def _silent(level):
    """Chip select and D/C change far too often to be worth a message; SPI looks at them."""


Pin.outputs[_PINS["TFT_CS"]] = _silent
Pin.outputs[_PINS["TFT_DC"]] = _silent


_net = []


def net():
    """The W5500, made when a bus to it is: a table without a network has none."""
    if not _net:
        import vw5500

        _net.append(vw5500.Chip())
        Pin.outputs[_PINS["NET_CS"]] = _net[0].select
    return _net[0]


def number(pin):
    """Return a pin's number, however it was named."""
    return pin.id if isinstance(pin, Pin) else pin
