"""The table's configuration: one JSON document on flash, replaced as a whole or not at all.

What may stand in it is decided by the `check` passed in (felt.games.settings.resolve): this file
knows only the container, so that PC tools and the table share one validator. Its identity is the
SHA-256 of the file's bytes."""

import hashlib
import os

from felt.store import strict_json

MOST = 4096


class ConfigError(Exception):
    """Why a document is not taken: a reason key, and what it concerns."""

    def __init__(self, code, about=""):
        super().__init__(code, about)
        self.code = code
        self.about = about


def identity(raw):
    return hashlib.sha256(raw).digest()


def parse(raw):
    """Return the document in `raw`; ConfigError when it is not one strict JSON object."""
    if len(raw) > MOST:
        raise ConfigError("too_long", len(raw))
    try:
        doc = strict_json.loads(raw)
    except strict_json.NotJson as e:
        raise ConfigError(*e.args)
    if not isinstance(doc, dict):
        raise ConfigError("not_object")
    return doc


def read(path):
    """Return the file's bytes; ConfigError when there is none."""
    try:
        with open(path, "rb") as f:
            return f.read(MOST + 1)
    except OSError:
        raise ConfigError("missing", path)


def load(path, check):
    """Return (what `check` makes of the document, identity); `check` raises what it refuses."""
    raw = read(path)
    return check(parse(raw)), identity(raw)


def replace(path, raw, check, between, service_key):
    """Put a checked document in place of the old one and return its identity.

    A cut leaves the old document or the new one."""
    if not between:
        raise ConfigError("round_open")
    if not service_key:
        raise ConfigError("service_key")
    check(parse(raw))
    new = path + ".new"
    with open(new, "wb") as f:
        f.write(raw)
    _same(new, raw)
    os.rename(new, path)
    _same(path, raw)
    return identity(raw)


def _same(path, raw):
    if read(path) != raw:
        raise ConfigError("write", path)
