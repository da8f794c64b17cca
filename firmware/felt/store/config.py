"""The table's configuration: one JSON document on flash, checked, replaced atomically.

{"table": name, "settings": {...}, "by": who, "when": date}. Its identity is the SHA-256 of the
file's bytes. What settings mean is the games' business; here is only how they are kept.
"""

import json
import os
from hashlib import sha256

from felt.games.settings import SettingsError, resolve

PATH = "config.json"
SPARE = "config.new"
MOST = 4096
KEYS = {"table": str, "settings": dict, "by": str, "when": str}


class ConfigError(Exception):
    """A document that cannot be used: a reason key and what it concerns."""

    def __init__(self, why, about=""):
        super().__init__(why, about)
        self.why = why
        self.about = about


def check(raw):
    """Return the document of these bytes, or refuse it naming the first thing wrong."""
    if len(raw) > MOST:
        raise ConfigError("too_long", len(raw))
    try:
        document = json.loads(bytes(raw).decode())
    except (ValueError, UnicodeError):
        raise ConfigError("not_json")
    if not isinstance(document, dict):
        raise ConfigError("not_object")
    for key in sorted(document):
        if key not in KEYS:
            raise ConfigError("unknown_key", key)
    for key in sorted(KEYS):
        if not isinstance(document.get(key), KEYS[key]):
            raise ConfigError("missing" if key not in document else "wrong_type", key)
    try:
        resolve(document["settings"])
    except SettingsError as e:
        raise ConfigError(e.why, e.name)
    return document


def read(path=PATH):
    """Return the bytes of the configuration in force; ConfigError when there is none."""
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError:
        raise ConfigError("no_file", path)


def load(path=PATH):
    """Return (settings, SHA-256 digest) of the configuration in force."""
    raw = read(path)
    return check(raw)["settings"], sha256(raw).digest()


def replace(raw, permitted, path=PATH, spare=SPARE):
    """Put another configuration in force, whole or not at all; return its digest.

    permitted: no round is open and the service key is on; the table knows.
    """
    if not permitted:
        raise ConfigError("not_permitted")
    check(raw)
    with open(spare, "wb") as f:
        f.write(raw)
    with open(spare, "rb") as f:
        if f.read() != raw:
            raise ConfigError("not_written", spare)
    os.rename(spare, path)  # littlefs replaces the target in one step
    return sha256(raw).digest()
