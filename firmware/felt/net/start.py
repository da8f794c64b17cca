"""Builds the network task from a table's settings and the secret it was given."""

from binascii import unhexlify

from felt.games.network import DHCP, OWN, PORT, address
from felt.net.outbox import Outbox
from felt.net.records import Mac
from felt.net.uplink import Uplink
from felt.net.w5500 import W5500, Missing

SECRET = "pit.key"  # 64 hexadecimal digits, then the broker's password on a line of its own
KEY_SIZE = 32
SPREAD_MS = 4  # for each unit of the board number's last byte
NOBODY = bytes(4)
_LOCAL = 2  # a hardware address that nobody sold


def secret(path=SECRET):
    """Return (key, password) or None: a table without its key has no network."""
    try:
        with open(path) as f:
            lines = f.read().split("\n")
        key = unhexlify(lines[0].strip())
    except (OSError, ValueError):
        return None
    return (key, lines[1].strip() if len(lines) > 1 else "") if len(key) == KEY_SIZE else None


def uplink(section, bus, select, table, build, board):
    """Return the task, or None when the key or the chip is missing; the log says which."""
    known = secret()
    if known is None:
        table.note("network", 0)
        return None
    lent = section["address"] == DHCP
    own = [NOBODY if lent else address(section[name]) for name in OWN]
    hardware = bytes([_LOCAL]) + board[-5:]
    try:
        chip = W5500(bus, select, hardware, *own, port=table.starts)
    except Missing:
        table.note("network", 1)
        return None
    login = (section["user"], known[1]) if section.get("user") else None
    name = section["table"]
    box = Outbox(table, Mac(known[0], name), build, board)
    broker = address(section["broker"]), section.get("port", PORT)
    lease = _lease(chip, hardware, name, table.starts) if lent else None
    return Uplink(chip, box, name, broker, login, SPREAD_MS * board[-1], lease)


def _lease(chip, hardware, name, seed):
    from felt.net import dhcp, udp  # only where addresses are lent

    port = udp.Datagrams(chip, dhcp.CLIENT, dhcp.SERVER)
    return dhcp.Lease(port, chip.settle, hardware, name, seed)
