"""Builds the network task from a table's settings and the secret it was given."""

from binascii import unhexlify

from felt.games.network import address
from felt.net.outbox import Outbox
from felt.net.records import Mac
from felt.net.uplink import Uplink
from felt.net.w5500 import W5500, Missing

SECRET = "pit.key"  # 64 hexadecimal digits, then the broker's password on a line of its own
KEY_SIZE = 32
SPREAD_MS = 4  # for each unit of the board number's last byte
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
    parts = [address(section[name]) for name in ("address", "subnet", "gateway", "broker")]
    try:
        chip = W5500(bus, select, bytes([_LOCAL]) + board[-5:], *parts[:3], port=table.starts)
    except Missing:
        table.note("network", 1)
        return None
    login = (section["user"], known[1]) if section.get("user") else None
    name = section["table"]
    box = Outbox(table, Mac(known[0], name), build, board)
    broker = parts[3], section.get("port", 1883)
    return Uplink(chip, box, name, broker, login, SPREAD_MS * board[-1])
