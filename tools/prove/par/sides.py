"""Side wagers: every hand counted, one of each group settled by the firmware."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Callable, NamedTuple

from felt.evaluator.three import category3, rank3
from felt.games.three_card import HANDS

from tools.prove.par import hands, scores, suits
from tools.prove.par.stats import Outcome, figures, named
from tools.prove.par.suits import Class
from tools.prove.par.table import Deal, Seat, exact, numbered

KINDS = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush", "royal flush",
)  # fmt: skip


class Side(NamedTuple):
    """A wager settled by one hand: of `sizes` hole, dealer and board cards."""

    seat: Seat
    wager: str
    sizes: tuple[int, int, int]
    actions: tuple[str, ...]

    def net(self, deal: Deal) -> Fraction:
        """What one unit of the wager wins or loses."""
        nets = exact(self.seat, deal, self.actions, self.wager)
        return Fraction(nets[self.wager], self.seat.wagers[self.wager])


def pays_of_groups(side: Side) -> dict[int, Fraction]:
    """What the wager nets with each group of hands that can come."""
    counts = hands.grouped(side.sizes[0] + side.sizes[2], list(scores.cuts()))
    deals: dict[int, Deal] = {}
    for deal, mine, _ in numbered(side.sizes):
        deals.setdefault(scores.group(mine), deal)
    missed = [g for g, n in enumerate(counts) if n and g not in deals]
    if missed:
        raise LookupError(f"{side.wager}: no deal was found for the groups {missed}")
    return {group: side.net(deal) for group, deal in deals.items()}


def by_number(side: Side) -> list[Outcome]:
    """Outcomes of a wager on the best five of the player's cards and the board's."""
    counts = hands.grouped(side.sizes[0] + side.sizes[2], list(scores.cuts()))
    pays = pays_of_groups(side)
    return _joined([(g, counts[g], pays[g]) for g in sorted(pays, reverse=True)])


def _joined(rows: list[tuple[int, int, Fraction]]) -> list[Outcome]:
    """Neighbouring groups of one category and pay as one outcome, named by where it begins."""
    found: list[list[Any]] = []
    for group, count, net in rows:
        kind = scores.kind(scores.cuts()[group])
        if found and found[-1][:2] == [kind, net]:
            found[-1][2] += count
            found[-1][3] = group
        else:
            found.append([kind, net, count, group])
    kinds = [row[0] for row in found]
    return [
        Outcome(count, net, Fraction(1), _name(kind, group, kinds.count(kind) > 1))
        for kind, net, count, group in found
    ]


def _name(kind: int, group: int, several: bool) -> str:
    lead = suits.RANKS[scores.ranks_of(scores.cuts()[group])[0]]
    return KINDS[kind] + (f", {lead} or better" if several else "")


def pays_of_holes(side: Side) -> dict[suits.Key, Fraction]:
    """What the wager nets with each class of hole cards."""
    found = {}
    for k, hole in suits.classes(side.sizes[0]).items():
        others = [c for c in range(52) if c not in hole.cards]
        dealer, rest = others[: side.sizes[1]], others[side.sizes[1] :]
        found[k] = side.net(Deal(hole.cards, tuple(dealer), tuple(rest[: side.sizes[2]])))
    return found


def by_hole(side: Side) -> list[Outcome]:
    """Outcomes of a wager on the hole cards alone: each class of them is settled."""
    rows: dict[Fraction, list[Class]] = {}
    for k, net in pays_of_holes(side).items():
        rows.setdefault(net, []).append(suits.classes(side.sizes[0])[k])
    return [
        Outcome(sum(c.times for c in rows[net]), net, Fraction(1), _holes(rows[net]))
        for net in sorted(rows, reverse=True)
    ]


def _holes(members: list[Class]) -> str:
    if len(members[0].cards) == 2 and len(members) <= 14:
        return " ".join(suits.pair_name(m.cards) for m in members)
    if len(members[0].cards) == 3:
        kinds = {HANDS[category3(rank3(bytes(m.cards)))] for m in members}
        return ", ".join(KINDS[kind] for kind in sorted(kinds))
    return f"{len(members)} classes of hands"


def price(side: Side, how: Callable[[Side], list[Outcome]]) -> dict[str, Any]:
    """Every figure of a side wager."""
    outcomes = how(side)
    about = {"wager": side.wager, "settings": side.seat.settings}
    return {**figures(outcomes), **about, "pays": named(outcomes)}
