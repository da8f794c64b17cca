"""SPI and I2C of the virtual board, as fast as their clocks: display, sensors, FRAM."""

import board
from vbench import bench, clock, setting
from vparts import FRAM_ADDRESS, Fram, Identity
from vpin import Pin, chain, net, number

RESERVED = 0x7C  # I2C device identity

_PINS = board.PINS
rates = [125000000, 48000000]  # cpu, peripherals: the default since v1.24


class SPI:
    """A bus: writes reach the selected display, reads come from the sensors."""

    MSB, LSB = 1, 0
    CONTROLLER = 0

    def __init__(self, id=-1, baudrate=1000000, **options):
        self.id = id
        self._sensors = number(options.get("sck")) == _PINS["SENSOR_CLK"]
        self._net = number(options.get("sck")) == _PINS["NET_SCK"] and net()
        self.init(baudrate)

    def init(self, baudrate=1000000, **options):
        self.baudrate = min(baudrate, rates[1] // 2)

    def deinit(self):
        pass

    def write(self, buf):
        if self._net:
            self._net.write(buf)
        elif not self._sensors and not Pin._level.get(_PINS["TFT_CS"], 1):
            data = Pin._level.get(_PINS["TFT_DC"], 0)
            bench.send("d" if data else "c", max(self.id, 0), buf)
        clock.spend(len(buf) * 8000000 // self.baudrate)

    def readinto(self, buf, write=0):
        if self._net:
            self._net.readinto(buf)
        elif self._sensors:
            chain.readinto(buf)
        else:
            for i in range(len(buf)):
                buf[i] = 0
        clock.spend(len(buf) * 8000000 // self.baudrate)

    def read(self, n, write=0):
        buf = bytearray(n)
        self.readinto(buf)
        return bytes(buf)

    def write_readinto(self, out, into):
        self.write(out)
        self.readinto(into)


class SoftSPI(SPI):
    def __init__(self, baudrate=500000, **options):
        super().__init__(-1, baudrate, **options)


class I2C:
    """A bus with the FRAM on it, unless the bench says none is fitted."""

    def __init__(self, id=-1, *, scl=None, sda=None, freq=400000, timeout=50000):
        self._freq = freq

    def scan(self):
        return [address for address in sorted(devices) if address != RESERVED]

    def _device(self, addr, n):
        clock.spend((n + 1) * 9000000 // self._freq)
        if addr not in devices:
            raise OSError(5)
        return devices[addr]

    def writeto(self, addr, buf, stop=True):
        self._device(addr, len(buf)).write(buf)
        return len(buf) + 1

    def writevto(self, addr, parts, stop=True):
        return self.writeto(addr, b"".join([bytes(part) for part in parts]), stop)

    def readfrom_into(self, addr, buf, stop=True):
        self._device(addr, len(buf)).readinto(buf)

    def readfrom(self, addr, n, stop=True):
        buf = bytearray(n)
        self.readfrom_into(addr, buf)
        return bytes(buf)

    def writeto_mem(self, addr, memaddr, buf, *, addrsize=8):
        device = self._device(addr, len(buf) + addrsize // 8)
        device.seek(memaddr)
        device.put(memoryview(buf))

    def readfrom_mem_into(self, addr, memaddr, buf, *, addrsize=8):
        device = self._device(addr, len(buf) + 1 + addrsize // 8)
        device.seek(memaddr)
        device.readinto(buf)

    def readfrom_mem(self, addr, memaddr, n, *, addrsize=8):
        buf = bytearray(n)
        self.readfrom_mem_into(addr, memaddr, buf, addrsize=addrsize)
        return bytes(buf)


SoftI2C = I2C
devices = {}
if setting("FELT_FRAM") != "none":
    _state = setting("FELT_STATE")
    devices[FRAM_ADDRESS] = Fram(_state + "/fram.bin" if _state else None)
    devices[RESERVED] = Identity(FRAM_ADDRESS)
