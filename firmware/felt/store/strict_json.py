"""Reads JSON as strictly as its standard, the same on every interpreter.

MicroPython's own reader takes much that is no JSON, so that a person and the table could read two
different settings out of one file. Numbers are whole, or have one decimal as percentages may."""

DEPTH = 6
DIGITS = 15
_ESCAPES = {34: 34, 92: 92, 47: 47, 98: 8, 102: 12, 110: 10, 114: 13, 116: 9}
_BLANKS = (32, 9, 10, 13)
_FRACTION = (b".", b"e", b"E")
_WORDS = ((b"true", True), (b"false", False), (b"null", None))


class NotJson(Exception):
    """A reason key, and the byte or the name it concerns."""


def loads(raw):
    """Return the value in `raw` (bytes); NotJson says what is wrong and where."""
    _check_utf8(raw)
    value, at = _value(raw, _blank(raw, 0), DEPTH)
    if at != len(raw):
        raise NotJson("not_json", at)
    return value


def _check_utf8(raw):
    """Refuse what is not the shortest UTF-8 of a character: interpreters differ about it."""
    at = 0
    while at < len(raw):
        c = raw[at]
        more = 0 if c < 0x80 else 1 if 0xC2 <= c < 0xE0 else 2 if 0xE0 <= c < 0xF0 else 3
        tail = raw[at + 1 : at + 1 + more]
        if len(tail) < more or not _tail_fits(c, tail):
            raise NotJson("not_text", at)
        at += 1 + more


def _tail_fits(c, tail):
    if not tail:
        return c < 0x80
    for b in tail:
        if b & 0xC0 != 0x80:
            return False
    low = {0xE0: 0xA0, 0xF0: 0x90}.get(c, 0x80)
    high = {0xED: 0x9F, 0xF4: 0x8F}.get(c, 0xBF)
    return c <= 0xF4 and low <= tail[0] <= high


def _blank(raw, at):
    while at < len(raw) and raw[at] in _BLANKS:
        at += 1
    return at


def _value(raw, at, depth):
    """Return (value, where the next token begins)."""
    c = raw[at] if at < len(raw) else 0
    if c in (0x7B, 0x5B) and not depth:
        raise NotJson("too_deep", at)
    if c == 0x7B:
        value, at = _object(raw, at + 1, depth - 1)
    elif c == 0x5B:
        value, at = _array(raw, at + 1, depth - 1)
    elif c == 0x22:
        value, at = _string(raw, at + 1)
    elif c == 0x2D or 0x30 <= c <= 0x39:
        value, at = _number(raw, at)
    else:
        value, at = _word(raw, at)
    return value, _blank(raw, at)


def _word(raw, at):
    for word, value in _WORDS:
        if raw[at : at + len(word)] == word:
            return value, at + len(word)
    raise NotJson("not_json", at)


def _object(raw, at, depth):
    found = {}
    at = _blank(raw, at)
    if raw[at : at + 1] == b"}":
        return found, at + 1
    while True:
        if raw[at : at + 1] != b'"':
            raise NotJson("not_json", at)
        name, at = _string(raw, at + 1)
        if name in found:
            raise NotJson("twice", name)
        at = _blank(raw, at)
        if raw[at : at + 1] != b":":
            raise NotJson("not_json", at)
        found[name], at = _value(raw, _blank(raw, at + 1), depth)
        at, more = _comma(raw, at, b"}")
        if not more:
            return found, at


def _array(raw, at, depth):
    found = []
    at = _blank(raw, at)
    if raw[at : at + 1] == b"]":
        return found, at + 1
    while True:
        value, at = _value(raw, at, depth)
        found.append(value)
        at, more = _comma(raw, at, b"]")
        if not more:
            return found, at


def _comma(raw, at, end):
    """Return (place after the comma or the end, True when more must come)."""
    mark = raw[at : at + 1]
    if mark == end:
        return at + 1, False
    if mark != b",":
        raise NotJson("not_json", at)
    return _blank(raw, at + 1), True


def _number(raw, at):
    first = at
    at += raw[at] == 0x2D
    digits = at
    while at < len(raw) and 0x30 <= raw[at] <= 0x39:
        at += 1
    leading_zero = raw[digits : digits + 1] == b"0" and at - digits > 1
    whole = at > digits and not leading_zero and at - digits <= DIGITS
    if whole and raw[at : at + 1] == b"." and raw[at + 1 : at + 2].isdigit():
        end = at + 2
        if not (raw[end : end + 1].isdigit() or raw[end : end + 1] in _FRACTION):
            return float(str(raw[first:end], "ascii")), end
    if not whole or raw[at : at + 1] in _FRACTION:
        raise NotJson("number", first)
    return int(str(raw[first:at], "ascii")), at


def _string(raw, at):
    """Return (text, place behind its closing quote)."""
    out = bytearray()
    while True:
        c = raw[at] if at < len(raw) else 0
        if c < 0x20:
            raise NotJson("not_json", at)
        at += 1
        if c == 0x22:
            return str(bytes(out), "utf-8"), at
        if c == 0x5C:
            code, at = _escape(raw, at)
            out.extend(chr(code).encode())
        else:
            out.append(c)


def _escape(raw, at):
    c = raw[at] if at < len(raw) else 0
    if c in _ESCAPES:
        return _ESCAPES[c], at + 1
    digits = raw[at + 1 : at + 5]
    if c != 0x75 or len(digits) < 4:
        raise NotJson("not_json", at)
    code = 0
    for d in digits:
        place = b"0123456789abcdefABCDEF".find(bytes([d]))
        if place < 0:
            raise NotJson("not_json", at)
        code = code * 16 + (place if place < 16 else place - 6)
    if 0xD800 <= code < 0xE000:
        raise NotJson("not_json", at)
    return code, at + 5
