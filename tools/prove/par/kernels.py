"""The loops that take minutes in Python and seconds compiled: showdowns counted over every deal.

A *cell* is what a payment depends on: the player's category, the order (0 lost, 1 tied, 2 won) and
whether the dealer qualifies. Kernels count cells and decide by the pays handed in; they know no
rule. Needs numpy and numba (requirements-par.txt).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numba import njit

from tools.prove.par import scores

CELLS = 60  # 10 categories * 3 orders * 2 kinds of dealer
PAIRS = 1326  # of cards
TRIPLES = 22100
NUMBERS = 7462


@lru_cache(maxsize=1)
def tables() -> tuple:
    """The lookup tables as arrays: steps, suited, five, category by number."""
    t = scores.tables()
    five = np.full(len(t.steps) // scores.RANKS, -1, np.int32)
    five[list(t.five)] = list(t.five.values())
    kinds = np.zeros(NUMBERS, np.int8)
    for start in scores.starts()[1:]:
        kinds[start:] += 1
    return np.array(t.steps, np.int32), np.array(t.suited, np.int32), five, kinds


@njit(cache=True)
def pair_index(a, b):
    """The place of a pair of cards a < b among all."""
    return b * (b - 1) // 2 + a


@njit(cache=True)
def triple_index(a, b, c):
    """The place of three cards a < b < c among all."""
    return c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a


@njit(cache=True)
def _sorted_by(ids, count, heads, order):
    """Fill `order` with 0..count-1 sorted by ids, which are below NUMBERS."""
    low, high = ids[0], ids[0]
    for i in range(count):
        low, high = min(low, ids[i]), max(high, ids[i])
    heads[low : high + 2] = 0
    for i in range(count):
        heads[ids[i] + 1] += 1
    for i in range(low, high + 1):
        heads[i + 1] += heads[i]
    for i in range(count):
        order[heads[ids[i]]] = i
        heads[ids[i]] += 1


@njit(cache=True)
def score_pairs(board, steps, suited, ids, low, high):
    """Number every two cards with a board of five; return how many there are."""
    used = np.zeros(52, np.bool_)
    masks = np.zeros(4, np.int64)
    size = np.zeros(4, np.int64)
    state = 0
    for c in board:
        used[c] = True
        masks[c & 3] |= 1 << (c >> 2)
        size[c & 3] += 1
        state = steps[state * 13 + (c >> 2)]
    suit = -1
    for s in range(4):
        if size[s] >= 3:
            suit = s
    n = 0
    for b in range(1, 52):
        if used[b]:
            continue
        after = steps[state * 13 + (b >> 2)]
        for a in range(b):
            if used[a]:
                continue
            found = steps[after * 13 + (a >> 2)]
            if suit >= 0:
                mask = masks[suit]
                if a & 3 == suit:
                    mask |= 1 << (a >> 2)
                if b & 3 == suit:
                    mask |= 1 << (b >> 2)
                found = max(found, suited[mask])
            ids[n], low[n], high[n] = found, a, b
            n += 1
    return n


@njit(cache=True)
def compare_pairs(n, ids, low, high, cut, heads, order, less, tied, weak):
    """For each holding, of the dealer's holdings that share no card with it: how many are lower,

    how many equal, and how many are below `cut` (an unqualified dealer).
    """
    _sorted_by(ids, n, heads, order)
    seen = np.zeros(52, np.int32)
    total = 0
    for i in range(n):
        if ids[i] < cut:
            total += 1
            seen[low[i]] += 1
            seen[high[i]] += 1
    for i in range(n):
        weak[i] = total - seen[low[i]] - seen[high[i]] + (ids[i] < cut)
    seen[:] = 0
    i = 0
    while i < n:
        j = i
        while j < n and ids[order[j]] == ids[order[i]]:
            h = order[j]
            less[h] = i - seen[low[h]] - seen[high[h]]
            j += 1
        for k in range(i, j):
            seen[low[order[k]]] += 1
            seen[high[order[k]]] += 1
        for k in range(i, j):
            h = order[k]
            tied[h] = j - seen[low[h]] - seen[high[h]] + 1 - less[h]
        i = j


@njit(cache=True)
def spread(strong, total, less, tied, weak, six):
    """Six counts, [order * 2 + qualified], of one holding against `total` holdings."""
    if strong:  # the player's own hand would qualify
        six[4], six[5] = weak, less - weak
        six[2], six[3] = 0, tied
        six[0], six[1] = 0, total - less - tied
    else:
        six[4], six[5] = less, 0
        six[2], six[3] = tied, 0
        six[0] = weak - less - tied
        six[1] = total - weak


@njit(cache=True)
def worth(six, pays, cell):
    """What six counts are worth at these pays, which start at `cell`."""
    found = 0
    for i in range(6):
        found += six[i] * pays[cell + i]
    return found


@njit(cache=True)
def swapped(card, one, other):
    """A card after two suits have changed names."""
    suit = card & 3
    return card - suit + (other if suit == one else one if suit == other else suit)


@njit(cache=True)
def flop(cards, twins, cut, last, folded, steps, suited, kinds, every, later):
    """Count the cells of every pair of hole cards over all turns and rivers after a flop.

    `every[twin, pair, cell]` counts all showdowns; `later[k, twin, pair, cell]` those that the
    river's decision plays at pays `last[k]`, its last column those folded at `folded[k]` each.
    `twins` are two suits the flop does not tell apart, or the same one twice: of two boards that
    differ by them one is counted, with twin 1; what is the same either way has twin 0.
    """
    ids = np.empty(1081, np.int32)
    low = np.empty(1081, np.int32)
    high = np.empty(1081, np.int32)
    order = np.empty(1081, np.int32)
    less = np.empty(1081, np.int64)
    tied = np.empty(1081, np.int64)
    weak = np.empty(1081, np.int64)
    heads = np.empty(NUMBERS + 1, np.int32)
    six = np.empty(6, np.int64)
    board = np.empty(5, np.int64)
    board[:3] = cards
    for turn in range(51):
        if turn == cards[0] or turn == cards[1] or turn == cards[2]:
            continue
        for river in range(turn + 1, 52):
            if river == cards[0] or river == cards[1] or river == cards[2]:
                continue
            x, y = swapped(turn, twins[0], twins[1]), swapped(river, twins[0], twins[1])
            here, there = pair_index(turn, river), pair_index(min(x, y), max(x, y))
            if there < here:
                continue
            twin = 1 if there > here else 0
            board[3], board[4] = turn, river
            n = score_pairs(board, steps, suited, ids, low, high)
            compare_pairs(n, ids, low, high, cut, heads, order, less, tied, weak)
            for h in range(n):
                spread(ids[h] >= cut, 990, less[h], tied[h], weak[h], six)
                cell = kinds[ids[h]] * 6
                pair = pair_index(low[h], high[h])
                for i in range(6):
                    every[twin, pair, cell + i] += six[i]
                for k in range(len(last)):
                    if worth(six, last[k], cell) > 990 * folded[k]:
                        for i in range(6):
                            later[k, twin, pair, cell + i] += six[i]
                    else:
                        later[k, twin, pair, CELLS] += 990


@njit(cache=True)
def score_triples(board, steps, suited, ids, places):
    """Number every three cards with a board of four; `places[h]` are the cards of holding h."""
    used = np.zeros(52, np.bool_)
    start = np.zeros(4, np.int64)
    state = 0
    for c in board:
        used[c] = True
        start[c & 3] |= 1 << (c >> 2)
        state = steps[state * 13 + (c >> 2)]
    masks = np.empty(4, np.int64)
    n = 0
    for c in range(2, 52):
        if used[c]:
            continue
        one = steps[state * 13 + (c >> 2)]
        for b in range(1, c):
            if used[b]:
                continue
            two = steps[one * 13 + (b >> 2)]
            for a in range(b):
                if used[a]:
                    continue
                masks[:] = start
                masks[a & 3] |= 1 << (a >> 2)
                masks[b & 3] |= 1 << (b >> 2)
                masks[c & 3] |= 1 << (c >> 2)
                found = steps[two * 13 + (a >> 2)]
                for s in range(4):
                    found = max(found, suited[masks[s]])
                ids[n] = found
                places[n, 0], places[n, 1], places[n, 2] = a, b, c
                n += 1
    return n


@njit(cache=True)
def _apart(total, one, two, cards, h):
    """Of `total` holdings counted by card and by pair, those that share no card with h.

    A holding equal to h is still counted: it shares three cards.
    """
    a, b, c = cards[h, 0], cards[h, 1], cards[h, 2]
    found = total - one[a] - one[b] - one[c]
    return found + two[a * 52 + b] + two[a * 52 + c] + two[b * 52 + c]


@njit(cache=True)
def _seen(one, two, cards, h):
    a, b, c = cards[h, 0], cards[h, 1], cards[h, 2]
    one[a] += 1
    one[b] += 1
    one[c] += 1
    two[a * 52 + b] += 1
    two[a * 52 + c] += 1
    two[b * 52 + c] += 1


@njit(cache=True)
def compare_triples(n, ids, places, cut, heads, order, less, tied, weak):
    """As compare_pairs, with holdings of three cards."""
    _sorted_by(ids, n, heads, order)
    one = np.zeros(52, np.int32)
    two = np.zeros(52 * 52, np.int32)
    total = 0
    for i in range(n):
        if ids[i] < cut:
            total += 1
            _seen(one, two, places, i)
    for i in range(n):
        weak[i] = _apart(total, one, two, places, i) - (ids[i] < cut)
    one[:] = 0
    two[:] = 0
    i = 0
    while i < n:
        j = i
        while j < n and ids[order[j]] == ids[order[i]]:
            less[order[j]] = _apart(i, one, two, places, order[j])
            j += 1
        for k in range(i, j):
            _seen(one, two, places, order[k])
        for k in range(i, j):
            h = order[k]
            tied[h] = _apart(j, one, two, places, h) - 1 - less[h]
        i = j


@njit(cache=True)
def board_of_four(
    board, times, cut, plays, folded, steps, suited, kinds, classes, every, later, chosen
):
    """Count the cells of every three hole cards with a board that stands for `times` boards.

    `every[class, cell]` counts all showdowns; `later[k, action, class, cell]` those the decision
    after the board gives to an action at pays `plays[k, action]`, in the last column of action 0
    the showdowns folded. `chosen[k, holding]` takes the decisions, 0 for a fold.
    """
    n = 17296
    against = 14190
    ids = np.empty(n, np.int32)
    places = np.empty((n, 3), np.uint8)
    order = np.empty(n, np.int32)
    less = np.empty(n, np.int64)
    tied = np.empty(n, np.int64)
    weak = np.empty(n, np.int64)
    heads = np.empty(NUMBERS + 1, np.int32)
    six = np.empty(6, np.int64)
    score_triples(board, steps, suited, ids, places)
    compare_triples(n, ids, places, cut, heads, order, less, tied, weak)
    for h in range(n):
        spread(ids[h] >= cut, against, less[h], tied[h], weak[h], six)
        cell = kinds[ids[h]] * 6
        hole = classes[triple_index(places[h, 0], places[h, 1], places[h, 2])]
        for i in range(6):
            every[hole, cell + i] += times * six[i]
        for k in range(len(plays)):
            best, action = against * folded[k], 0
            for a in range(len(plays[k])):
                value = worth(six, plays[k, a], cell)
                if value > best:
                    best, action = value, a + 1
            if chosen.shape[1] == n:
                chosen[k, h] = action
            if action == 0:
                later[k, 0, hole, CELLS] += times * against
            else:
                for i in range(6):
                    later[k, action - 1, hole, cell + i] += times * six[i]


@njit(cache=True)
def kept_hands(holes, steps, suited, five, cuts, found):
    """Count the groups of five-card hands of three hole cards, by the card discarded.

    `found[hole, discard, group]`: over every board of three; a group starts at each of `cuts`.
    """
    group = np.zeros(NUMBERS, np.int32)
    for start in cuts:
        group[start:] += 1
    group -= 1
    for h in range(len(holes)):
        hole = holes[h]
        for away in range(3):
            a, b = hole[(away + 1) % 3], hole[(away + 2) % 3]
            state = steps[steps[a >> 2] * 13 + (b >> 2)]
            for x in range(50):
                if x == hole[0] or x == hole[1] or x == hole[2]:
                    continue
                sx = steps[state * 13 + (x >> 2)]
                for y in range(x + 1, 51):
                    if y == hole[0] or y == hole[1] or y == hole[2]:
                        continue
                    sy = steps[sx * 13 + (y >> 2)]
                    flush = a & 3 == b & 3 and a & 3 == x & 3 and a & 3 == y & 3
                    for z in range(y + 1, 52):
                        if z == hole[0] or z == hole[1] or z == hole[2]:
                            continue
                        if flush and z & 3 == a & 3:
                            mask = 1 << (a >> 2) | 1 << (b >> 2) | 1 << (x >> 2)
                            number = suited[mask | 1 << (y >> 2) | 1 << (z >> 2)]
                        else:
                            s = steps[sy * 13 + (z >> 2)]
                            number = five[s]
                        found[h, away, group[number]] += 1
