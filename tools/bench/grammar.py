"""What may stand behind each word of the script language, so that a typo is found before play.

A form is a line of kinds: SEAT SPOT AMOUNT COUNT ACTION CARDS KEY LOOK WORD TEXT, `a|b` for
a choice of words, `?` for a word that may be left out, `...` for a group that is repeated.
"""

from __future__ import annotations

from typing import Callable, Iterable

from felt import cards
from felt.link import terminal

from tools import games
from tools.bench import deck
from tools.bench.amounts import cents

LOOKS = (
    "screen", "prompt", "notice", "phase", "feed", "jackpot", "fault", "lamp", "power", "wheel",
)  # fmt: skip
SEEN = {"wheel": ("turning", "still"), "power": ("on", "off")}  # what these can be seen to be
FORMS = {
    "place": "SEAT SPOT AMOUNT", "remove": "SEAT SPOT AMOUNT?", "sweep": "SEAT?",
    "stick": "SEAT SPOT on|off|free", "bet": "SEAT SPOT AMOUNT ...", "say": "TEXT",
    "touch": "KEY COUNT?", "sensors": "presence|amounts",
    "decide": "SEAT ACTION", "tap": "SEAT", "key": "attendant|service on|off?",
    "deal": "due|COUNT?", "hand": "due|COUNT?", "stack": "CARDS", "shuffle": "COUNT?",
    "shuffle-deck": "", "faceup": "", "jam": "", "unjam": "", "lift": "", "fit": "",
    "unplug": "terminal|shoe|reader", "plug": "terminal|shoe|reader",
    "garbage": "terminal|shoe COUNT?",
    "type": "TEXT", "power": "on|off", "cut-power": "now|write|COUNT?", "watchdog": "",
    "speed": "COUNT", "random": "stuck|normal",
    "wait": "COUNT", "wait-for": "LOOK TEXT", "expect": "LOOK TEXT", "expect-not": "LOOK TEXT",
    "screenshot": "WORD", "print": "TEXT?", "deal-all": "", "checklist": "", "settle": "",
    "repeat": "COUNT", "end": "", "table": "TEXT",
}  # fmt: skip


class Typo(ValueError):
    """The text names the word that is wrong and what could stand there."""


def _one_of(word: str, names: Iterable[str], what: str) -> None:
    known = sorted(set(names))
    if word not in known:
        raise Typo(f"{word!r} is no {what}: {', '.join(known)}")


def _seat(word: str, played: list[str]) -> None:
    most = max(games.seats(game) for game in played)
    if not word.isdecimal() or not 1 <= int(word) <= most:
        raise Typo(f"{word!r} is no seat: 1 to {most}")


def _spot(word: str, played: list[str]) -> None:
    _one_of(word, (spot for game in played for spot in games.spots(game)), "spot")


def _action(word: str, played: list[str]) -> None:
    _one_of(word, (name for game in played for name in games.actions(game)), "decision")


def _amount(word: str, played: list[str]) -> None:
    cents(word)


def _count(word: str, played: list[str]) -> None:
    if not word.isdecimal():
        raise Typo(f"{word!r} is no number")


def _card(word: str, played: list[str]) -> None:
    try:
        cards.parse(word)
    except ValueError:
        raise Typo(f"{word!r} is no card (rank 2-9TJQKA, suit cdhs)") from None


def _cards(word: str, played: list[str]) -> None:
    for at in range(0, len(word), 2):
        _card(word[at : at + 2], played)
    deck.stacked(word)


def _key(word: str, played: list[str]) -> None:
    _one_of(word, terminal.KEYS, "key of the dealer's terminal (docs/links.md)")


def _look(word: str, played: list[str]) -> None:
    _one_of(word, LOOKS, "thing to look at")


KINDS: dict[str, Callable[[str, list[str]], None]] = {
    "SEAT": _seat, "SPOT": _spot, "AMOUNT": _amount, "COUNT": _count, "ACTION": _action,
    "CARDS": _cards, "KEY": _key, "LOOK": _look, "WORD": lambda word, played: None,
}  # fmt: skip


def check(words: list[str], game: str | None = None) -> None:
    """Typo names the first word that cannot stand where it stands; of any game without one."""
    verb, rest = words[0], words[1:]
    if verb not in FORMS:
        raise Typo(f"no such statement: {verb}")
    played = [game] if game else list(games.TITLES)
    try:
        _match(FORMS[verb].split(), rest, played)
        if FORMS[verb].startswith("LOOK"):
            _awaited(*_within(rest) if verb == "wait-for" else rest)
    except Typo as typo:
        raise Typo(f"{verb}: {typo}; {verb} {FORMS[verb]}".rstrip("; ")) from None
    except ValueError as error:
        raise Typo(f"{verb}: {error}") from None


def _within(rest: list[str]) -> list[str]:
    """What is waited for, without how long."""
    if rest[-1] == "within":
        raise Typo("COUNT is missing behind within")
    if rest[-2] != "within":
        return rest
    _count(rest[-1], [])
    return rest[:-2]


def _awaited(what: str, *text: str) -> None:
    if not text:
        raise Typo("TEXT is missing before within")
    if what == "jackpot":
        cents(" ".join(text))
    if what in SEEN:
        _one_of(" ".join(text), SEEN[what], f"state of {what}")


def _match(form: list[str], rest: list[str], played: list[str]) -> None:
    if form[-1:] == ["..."]:
        group = form[1:-1]
        form = form[:1] + group * max(1, -(-(len(rest) - 1) // len(group)))
    for i, kind in enumerate(form):
        if kind.rstrip("?") == "TEXT" or kind == "CARDS":
            if i == len(rest) and not kind.endswith("?"):
                raise Typo("something is missing at the end")
            return _cards("".join(rest), played) if kind == "CARDS" else None
        if i == len(rest):
            if kind.endswith("?"):
                return None
            raise Typo(f"{kind} is missing at the end")
        _word(kind.rstrip("?"), rest[i], played)
    if len(rest) > len(form):
        raise Typo(f"{rest[len(form)]!r} is too much")
    return None


def _word(kind: str, word: str, played: list[str]) -> None:
    """One word against a kind or a choice; a kind in a choice comes last."""
    *names, last = kind.split("|")
    if word in names or word == last:
        return
    if last in KINDS:
        KINDS[last](word, played)
    else:
        raise Typo(f"{word!r} is none of {', '.join([*names, last])}")
