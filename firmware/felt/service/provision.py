"""Takes a new configuration from the service console: checked, replaced as a whole, journalled.

It takes force at the next start. The CONFIG event is what proves in the log that it was changed.
"""

from binascii import hexlify, unhexlify
from os import rename

from felt.games.settings import SettingsError, resolve
from felt.round import events
from felt.store import config


def take(table, keys, path, raw, wanted):
    """Put `raw` in place of the configuration; return its SHA-256. ValueError says why not."""
    if hexlify(config.identity(raw)).decode() != wanted:
        raise ValueError("the upload is not whole: begin again")
    if table.machine and not table.fault:
        table.turn_key(events.SERVICE, keys.read(events.SERVICE))
    try:
        new = config.replace(path, raw, resolve, table.may_configure(), keys.read(events.SERVICE))
    except config.ConfigError as e:
        raise ValueError("%s %s" % (e.code, e.about))
    except SettingsError as e:
        raise ValueError("%s: %s" % (e.name, e.why))
    record(table, new)
    return new


def take_secret(table, keys, path, words):
    """Keep the table's own key and the broker's password; nothing ever reads them back."""
    if not keys.read(events.SERVICE):
        raise ValueError("service_key")
    if not 1 <= len(words) <= 2 or len(words[0]) != 64:
        raise ValueError("secret KEY [PASSWORD]: 64 hexadecimal digits, no blanks")
    unhexlify(words[0])
    with open(path + ".new", "w") as f:
        f.write("\n".join(words))
    rename(path + ".new", path)
    table.note("network", 2)


def record(table, identity):
    """Journal which configuration was put on the table; a table at fault cannot, and says so."""
    if table.fault:
        return False
    table.submit(events.pack("CONFIG", identity[:8]))
    if table.kept and table.document:
        table.kept.put(table.document)  # rounds played under it may still be asked for
    return True
