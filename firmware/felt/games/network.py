"""Checks the optional `network` section of a table's settings; loaded only where there is one.

Key and password are no settings: they lie in a file of their own that is never read back.
"""

from felt.games import SettingsError

NAMES = ("table", "address", "subnet", "gateway", "broker", "port", "user")
OWN = ("address", "subnet", "gateway")
DHCP = "dhcp"  # instead of an address: a server lends all three
PORT = 1883  # of a broker, unless another is named
NAME_MAX = 32  # of a table and of a user


def address(text):
    """Four bytes of a dotted address, or None."""
    parts = text.split(".") if isinstance(text, str) else ()
    if len(parts) != 4:
        return None
    for part in parts:
        if not part.isdigit() or len(part) > 3 or int(part) > 255:
            return None
    return bytes([int(part) for part in parts])


def _name(text):
    """A name that is one level of a topic, and the name of a file."""
    if not isinstance(text, str) or not 0 < len(text) <= NAME_MAX:
        return False
    return all([c in "-_." or (ord(c) < 128 and (c.isalpha() or c.isdigit())) for c in text])


def _table(text):
    """Some brokers (RabbitMQ) take a dot for the end of a topic's level."""
    return _name(text) and "." not in text


def check(section):
    """Raise SettingsError naming the first setting that is not possible."""
    if not isinstance(section, dict):
        raise SettingsError("network", "bad_value")
    for name in sorted(section):
        if name not in NAMES:
            raise SettingsError("network." + name, "unknown_setting")
    lent = section.get("address") == DHCP
    for name in OWN[1:]:
        if lent and name in section:
            raise SettingsError("network." + name, "bad_value")
    for name in ("table", "broker") + (() if lent else OWN):
        if name not in section:
            raise SettingsError("network." + name, "missing")
        good = _table(section[name]) if name == "table" else address(section[name])
        if not good:
            raise SettingsError("network." + name, "bad_value")
    port = section.get("port", PORT)
    if isinstance(port, bool) or not isinstance(port, int) or not 0 < port < 65536:
        raise SettingsError("network.port", "bad_value")
    if not _name(section.get("user", "felt")):
        raise SettingsError("network.user", "bad_value")
