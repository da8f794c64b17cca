"""Turn a table's settings into a game and a complete, checked configuration.

Loaded while a table is set up, and forgotten then.
"""

import sys

from felt.games import SettingsError
from felt.games.common import tenths

MOST = 0xFFFFFFFF  # cents: records keep 32 bits of an amount in the settings
# kind, default, domain: a choice's domain is its values, an int's is (low, high or None).
OPTIONS = {
    "seats": ("int", None, (1, 7)),
    "chip_unit": ("int", 100, (1, 1000000)),
    "void_key": ("choice", "attendant", ("attendant", "none")),
    "dealing": ("choice", "shoe", ("shoe", "hand", "auto")),
    "shuffler": ("choice", "none", ("none", "plain", "counting")),
    "second_deck": ("bool", False, None),
    "stub_every": ("int", 5, (1, 5)),
    "sensors": ("bool", True, None),
    "card_reader": ("bool", True, None),  # False: cards dealt face down are named when turned
    "reader": ("bool", False, None),  # a chip reader is fitted
    "limits": ("limits", None, None),
    "wagers_off": ("wagers", (), None),
    "pay_tables": ("tables", {}, None),
    "language": ("choice", "en", ("en",)),  # the files in lang/
    "demonstration": ("bool", False, None),
    "network": ("network", None, None),  # how the pit is reached; felt/games/network.py
    "table_name": ("text", "", None),
    "provisioned_by": ("text", "", None),
    "provisioned_on": ("text", "", None),
}


def game_module(name):
    """Import one game by name; only the game in play takes memory."""
    try:
        if not name.replace("_", "").isalpha():
            raise ImportError
        path = "felt.games." + name
        __import__(path)
        return sys.modules[path].GAME
    except (ImportError, AttributeError):  # no such module, or no game in it; or no text at all
        raise SettingsError("game", "unknown_game")


def wheel_name(settings):
    """Return the wheel's pay table a configuration names, or None; settings may be nonsense."""
    try:
        return game_module(settings.get("game")).wheel_name(settings)
    except SettingsError:
        return None


def schema(game):
    """Return every option of a game: the common ones and its own."""
    merged = dict(OPTIONS)
    merged.update(game.OPTIONS)
    return merged


def resolve(settings):
    """Return (game, configuration); raise SettingsError naming the first bad setting."""
    game = game_module(settings.get("game"))
    options = schema(game)
    for name in sorted(settings):
        if name != "game" and name not in options:
            raise SettingsError(name, "unknown_setting")
    cfg = {"game": game.NAME}
    for name in sorted(options):
        kind, default, domain = options[name]
        value = settings.get(name, default)
        if value is None:
            if name in game.REQUIRED or default is not None:
                raise SettingsError(name, "missing")
        elif not _fits(kind, value, domain, game):
            raise SettingsError(name, "bad_value")
        cfg[name] = value
    if cfg["seats"] is None:
        cfg["seats"] = game.SEATS
    if cfg["pay_tables"]:
        from felt.games import house

        cfg["pay_tables"] = house.tables(game, cfg["pay_tables"])
    _consistent(game, cfg)
    cfg["illustrative"] = game.illustrative(cfg)
    return game, cfg


def _consistent(game, cfg):
    if cfg["seats"] > game.SEATS:
        raise SettingsError("seats", "too_many_seats")
    if cfg["dealing"] == "hand" and cfg["shuffler"] == "none":
        raise SettingsError("dealing", "hand_needs_shuffler")
    if cfg["second_deck"] and cfg["shuffler"] == "none":
        raise SettingsError("second_deck", "deck_needs_shuffler")
    wrong = game.conflict(cfg)
    if wrong:
        raise SettingsError(wrong, "contradiction")


def _is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _fits(kind, value, domain, game):
    if kind == "int":
        low, high = domain
        return _is_int(value) and low <= value <= (MOST if high is None else high)
    if kind == "choice":
        return isinstance(value, str) and value in domain
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "text":
        return isinstance(value, str) and len(value) <= 64
    if kind == "name":
        return isinstance(value, str) and len(value) <= 16 and _plain(value)
    if kind == "tenths":
        return tenths(value) is not None and domain[0] <= tenths(value) <= domain[1]
    if kind == "weights":
        return _weights(value)
    if kind == "network":
        from felt.games import network

        network.check(value)
        return True
    if kind == "wagers":
        return isinstance(value, (list, tuple)) and all([w in game.MAY_BE_OFF for w in value])
    if kind == "tables":
        return isinstance(value, dict)
    return _limits(value, game)


def _plain(text):
    """Letters, digits and blanks: every display has them."""
    return all([c == " " or c.isalpha() or c.isdigit() for c in text])


def _weights(value):
    """Twelve positive integers whose sum stays a small int on the board."""
    if not isinstance(value, (list, tuple)) or len(value) != 12:
        return False
    for w in value:
        if not _is_int(w) or w < 1:
            return False
    return sum(value) <= 1 << 24


def _limits(value, game):
    """A dict of wager name to [minimum, maximum]."""
    if not isinstance(value, dict):
        return False
    for wager in value:
        pair = value[wager]
        if wager not in game.WAGERS or not isinstance(pair, (list, tuple)) or len(pair) != 2:
            return False
        if not (_is_int(pair[0]) and _is_int(pair[1]) and 0 < pair[0] <= pair[1] <= MOST):
            return False
    return True
