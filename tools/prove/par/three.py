"""Three Card Poker: every hand of the player against every hand of the dealer, in plain Python.

All 22,100 hands are put in order once; how many of them, sharing no card with the player's, are
lower, equal or higher follows from counts by card and by pair of cards.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, groupby
from typing import Any, Callable, Iterator, NamedTuple

from felt.evaluator.three import rank3

from tools.prove.par import suits
from tools.prove.par.stats import Outcome
from tools.prove.par.suits import Class
from tools.prove.par.table import LOST, TIED, UNIT, WON, Deal, Nets, Seat, exact

GAME = "three_card"
AGAINST = 18424  # dealer's hands for each of the player's
Hand = tuple[int, ...]
Score = Callable[[bytes], int]


class Meeting(NamedTuple):
    """How the dealer's hands compare with one of the player's: counts by (order, qualified)."""

    hole: Class
    score: int
    counts: dict[tuple[int, bool], int]


class Seen:
    """Hands counted whole, by card and by pair of cards."""

    def __init__(self) -> None:
        self.total = 0
        self.within: Counter = Counter()

    def add(self, hand: Hand) -> None:
        self.total += 1
        self.within.update(hand)
        self.within.update(combinations(hand, 2))

    def apart(self, hand: Hand) -> int:
        """Hands that share no card with this one; it must not have been added itself."""
        w = self.within
        a, b, c = hand
        return self.total - w[a] - w[b] - w[c] + w[a, b] + w[a, c] + w[b, c]


def ordered(score: Score) -> list[tuple[int, Hand]]:
    """All hands, lowest first."""
    return sorted((score(bytes(h)), h) for h in combinations(range(52), 3))


def meetings(score: Score, cut: int) -> list[Meeting]:
    """Every class of the player's hands; the dealer qualifies with a score of at least `cut`."""
    wanted = {c.cards: c for c in suits.classes(3).values()}
    below, weak, found = Seen(), Seen(), []
    hands = ordered(score)
    for s, hand in hands:
        if s < cut:
            weak.add(hand)
    for s, equal in groupby(hands, key=lambda row: row[0]):
        same = [hand for _, hand in equal]
        mine = [(hand, below.apart(hand)) for hand in same if hand in wanted]
        for hand in same:
            below.add(hand)
        for hand, less in mine:
            # a hand itself is counted once in `below` and `weak`, and shares three cards
            tied = below.apart(hand) - 1 - less
            poor = weak.apart(hand) - (s < cut)
            found.append(Meeting(wanted[hand], s, _spread(s >= cut, less, tied, poor)))
    return found


def _spread(strong: bool, less: int, tied: int, poor: int) -> dict[tuple[int, bool], int]:
    counts = {(TIED, strong): tied}
    if strong:
        counts[WON, False], counts[WON, True] = poor, less - poor
        counts[LOST, True] = AGAINST - less - tied
    else:
        counts[WON, False] = less
        counts[LOST, False], counts[LOST, True] = poor - less - tied, AGAINST - poor
    return {where: n for where, n in counts.items() if n}


def qualifies(seat: Seat, score: Score) -> int:
    """The dealer's lowest score that qualifies: where the settlement of a sure winner changes."""
    hands = ordered(score)
    best = hands[-1][1]
    dealers = [h for h in hands if not set(h[1]) & set(best) and h[0] < hands[-1][0]]
    scores = sorted({s for s, _ in dealers})
    example = dict(reversed(dealers))
    nets = {}

    def asked(i: int) -> Nets:
        if i not in nets:
            nets[i] = exact(seat, Deal(best, example[scores[i]]), ("play",))
        return nets[i]

    low, high = 0, len(scores) - 1
    if asked(low) == asked(high):
        return 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if asked(middle) == asked(0) else (low, middle)
    return scores[high]


class Play(NamedTuple):
    """The best play: play or fold for each class of hands."""

    seat: Seat
    cut: int
    met: list[Meeting]
    nets: dict[tuple, Nets]  # by score, order and whether the dealer qualifies
    folded: Nets

    def value(self, m: Meeting) -> Fraction:
        """The expected net of playing, per unit of ante."""
        won = sum(n * sum(self.nets[m.score, where].values()) for where, n in m.counts.items())
        return Fraction(won, UNIT * AGAINST)

    def plays(self, m: Meeting) -> bool:
        return self.value(m) > Fraction(sum(self.folded.values()), UNIT)

    def outcomes(self) -> Iterator[Outcome]:
        """Everything that happens under the best play."""
        for m in self.met:
            if not self.plays(m):
                net = Fraction(sum(self.folded.values()), UNIT)
                yield Outcome(AGAINST * m.hole.times, net, Fraction(1), "fold")
                continue
            for where, n in m.counts.items():
                net = Fraction(sum(self.nets[m.score, where].values()), UNIT)
                yield Outcome(n * m.hole.times, net, Fraction(2), "play")


def solve(settings: dict[str, Any], score: Score = rank3) -> Play:
    """Play every hand that is worth more than a fold."""
    seat = Seat(GAME, settings, {"ante": UNIT})
    cut = qualifies(seat, score)
    met = meetings(score, cut)
    hands = ordered(score)
    nets: dict[tuple, Nets] = {}
    for m in met:
        for where in m.counts:
            key = m.score, where
            if key not in nets:
                dealer = _dealer(m, where, hands, cut)
                nets[key] = exact(seat, Deal(m.hole.cards, dealer), ("play",))
    some = met[0].hole.cards
    away = tuple(c for c in range(52) if c not in some)[:3]
    return Play(seat, cut, met, nets, exact(seat, Deal(some, away), ("fold",)))


@lru_cache(maxsize=1)
def default() -> Play:
    """The best play at a table without options."""
    return solve({})


def _dealer(m: Meeting, where: tuple[int, bool], hands: list, cut: int) -> Hand:
    """A dealer's hand that meets the player's in this way: the lowest that shares no card."""
    order, qualified = where
    start = m.score + (order == LOST) if order != WON else 0
    for _, hand in hands[bisect_left(hands, (max(start, cut) if qualified else start,)) :]:
        if not set(hand) & set(m.hole.cards):
            return hand
    raise LookupError(f"{m.hole}: no dealer's hand {where}")
