"""A house's own pay tables: what a configuration may change, and what a text forbids (O1, O2)."""

from felt.games import SettingsError
from felt.games.common import FIXED, HANDS, NO_LESS, PayTable


def odds(text):
    """Return (a, b) of "3 to 2", or None when it is no such text."""
    words = text.split() if isinstance(text, str) else ()
    if len(words) != 3 or words[1] != "to" or not (words[0] + words[2]).isdigit():
        return None
    a, b = int(words[0]), int(words[2])
    return (a, b) if a and b and max(a, b) < 1 << 24 else None


def tables(game, value):
    """Return {name: PayTable} of what a house replaces; SettingsError names what is wrong."""
    return {name: _table(game, name, value[name]) for name in sorted(value)}


def _table(game, name, rows):
    where = "pay_tables." + str(name)
    printed = game.TABLES.get(name)
    if not isinstance(printed, PayTable) or printed.change == FIXED:
        raise SettingsError(where, "not_replaceable")
    if not isinstance(rows, dict):
        raise SettingsError(where, "bad_value")
    new = dict(printed.odds) if printed.change == NO_LESS else {}
    for hand in sorted(rows):
        key = HANDS.index(hand) if hand in HANDS else hand
        found = odds(rows[hand])
        if key not in printed.odds or found is None:
            raise SettingsError("%s.%s" % (where, hand), "bad_value")
        if printed.change == NO_LESS and _less(found, printed.odds[key]):
            raise SettingsError("%s.%s" % (where, hand), "pays_less")
        new[key] = found
    return PayTable(printed.rule, new, printed.change)


def _less(mine, least):
    return mine[0] * least[1] < least[0] * mine[1]
