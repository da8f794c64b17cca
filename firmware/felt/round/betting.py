"""Wagers before the cards: entered, seen by sensors, locked by "No more bets" (G7)."""

import micropython
from felt.games.common import BOARD, DEAD, FOLDED, IN
from felt.round import draws, events, shoe
from felt.round.due import due
from felt.round.flow import next_stage
from felt.round.opening import need_between
from felt.round.procedures import shuffler
from felt.round.state import BET, CHECK, ROUND, Refused, Round
from felt.round.undo import chips_moved


def bet(m, ev, out):
    """Replace all wagers of a seat; all zero takes them back."""
    if m.phase == ROUND:
        raise Refused("no_more_bets")
    if m.phase not in (BET, CHECK):
        raise Refused("not_open")
    seat = ev[1] if len(ev) > 1 else 0
    if not 1 <= seat <= m.cfg["seats"]:
        raise Refused("no_seat", seat)
    n = len(m.game.WAGERS)
    if len(ev) != 2 + 4 * n:
        raise Refused("malformed", "BET")
    amounts = [int.from_bytes(ev[i : i + 4], "big") for i in range(2, 2 + 4 * n, 4)]
    check_amounts(m, seat, amounts)
    m.bets[seat] = amounts if any(amounts) else None
    m.coupons[seat] = 0
    out.append(("bet", seat) + tuple(amounts))


def check_amounts(m, seat, amounts):
    """Refuse wagers of a seat that may not stand."""
    if not any(amounts):
        return
    if not m.game.opens(amounts):
        raise Refused("no_ante", seat)
    limits = m.cfg["limits"] or {}
    for wager, cents in zip(m.game.WAGERS, amounts):
        if cents % m.cfg["chip_unit"]:
            raise Refused("chip_unit", seat, wager, cents)
        low, high = limits.get(wager, (cents, cents))
        if cents and not low <= cents <= high:
            raise Refused("limits", seat, wager, cents)
    wrong = m.game.check_bets(m.cfg, amounts)
    if wrong:
        raise Refused(wrong[1], seat, wrong[0])


def coupon(m, ev, out):
    """A wager is a match play coupon: paid as its face value, never counted as drop (O4)."""
    if m.phase not in (BET, CHECK):
        raise Refused("no_more_bets" if m.phase == ROUND else "not_open")
    seat, spot, on = ev[1], ev[2], ev[3]
    wagers = m.game.WAGERS
    if spot >= len(wagers) or on > 1 or seat > m.cfg["seats"] or not m.bets[seat]:
        raise Refused("malformed", "COUPON")
    if not m.bets[seat][spot] or wagers[spot] not in m.game.COUPONS:
        raise Refused("no_coupon", seat, wagers[spot])
    m.coupons[seat] = m.coupons[seat] & ~(1 << spot) | on << spot
    out.append(("coupon", seat, wagers[spot], on))


def paired(m, ev, out):
    """One player takes two adjacent positions, where the house permits it (C9)."""
    need_between(m)
    a, b = ev[1] & ~events.NOT_PAIRED, ev[2]
    if not m.cfg.get("two_positions"):  # an option of one game
        raise Refused("one_position")
    if a != ev[1]:
        if (a, b) not in m.pairs:
            raise Refused("not_paired", a, b)
        m.pairs.remove((a, b))
        out.append(("log", "paired", a, 0))
        return
    if b != a + 1 or not 1 <= a < m.cfg["seats"]:
        raise Refused("not_adjacent", a, b)
    if (a, b) not in m.pairs:
        if any([s in pair for pair in m.pairs for s in (a, b)]):
            raise Refused("two_at_most", a, b)
        m.pairs.append((a, b))
    out.append(("log", "paired", a, b))


def sensors(m, ev, out):
    """Take the debounced picture of the spots; after the lock a change is an alarm (G7)."""
    if len(ev) != 8:
        raise Refused("malformed", "SENSORS")
    before, m.sensors = m.sensors, bytes(ev[1:])
    if m.phase == ROUND:
        chips_moved(m, before)
    if m.phase == ROUND and not m.r.void:
        for seat in range(1, m.cfg["seats"] + 1):
            if not m.r.booked[seat]:
                _alarms(m, seat, before[seat - 1], out)


def _alarms(m, seat, lay, out):
    """Alarm each spot once per change against what the round allows.

    Chips that did not lie there before were not withdrawn now: the dealer has those of a fold that
    was taken back, and a spot that was overruled never saw any."""
    r = m.r
    for i, wager in enumerate(m.game.SPOTS):
        bit = 1 << i
        there = m.sensors[seat - 1] & bit
        stake = _stake(r, seat, wager)
        wrong = there and not stake and not _may_come(m, seat, wager)
        gone = stake and not there and (lay | r.late[seat]) & bit
        wrong = wrong or (gone and _must_stay(m, seat, wager))
        if wrong and not r.late[seat] & bit:
            r.late[seat] |= bit
            out.append(("alarm", "late_bet" if there else "withdrawn", seat, wager))
            out.append(("log", "late_bet" if there else "withdrawn", seat, i))
        elif not wrong:
            r.late[seat] &= ~bit


def _stake(r, seat, wager):
    if wager in r.game.WAGERS:
        return r.stake(seat, wager)
    return r.raise_on(seat, wager)


def _may_come(m, seat, wager):
    """Chips for a raise may lie there before the dealer enters it, while seats decide."""
    r = m.r
    if due(m).kind == "collect":
        return True  # the next round's
    if r.kind() != "decide" or r.status[seat] != IN:
        return False
    return any([m.game.decision(word).spot == wager for word in m.game.legal(r, seat, r.arg())])


def _must_stay(m, seat, wager):
    """A latched wager is collected at the lock, what a fold loses is taken up (P12).

    While seats are settled, chips that are lost or belong to a pot are the dealer's to move."""
    r = m.r
    if wager == m.game.LATCH or not _lives(m, seat, wager):
        return False
    if m.game.POT and wager not in m.game.METERS and (r.settling or r.kind() == "reveal"):
        return False  # with the last card they go into the pot
    if not r.settling:
        return True
    if due(m).seat == seat or draws.unknown(r, seat) or draws.unknown(r, BOARD):
        return False
    return all([ln.net >= 0 for ln in m.game.settle(r, seat) if ln.wager == wager])


def _lives(m, seat, wager):
    """True for a wager still to be settled: a fold and a dead hand leave some (P9, H7, W6, W8)."""
    game, status = m.game, m.r.status[seat]
    if status == FOLDED:
        return wager not in game.fold_takes(m.cfg) and (not game.POT or wager in game.METERS)
    return status == IN or (status == DEAD and wager in game.DEAD_KEEPS)


def check_devices(m):
    """No bets are locked while what deals the cards is known not to."""
    if m.dealing != "hand" and (m.absent | m.broken) >> events.SHOE & 1:
        raise Refused("device_blocked", events.SHOE)
    if m.dealing == "hand" and shuffler(m) == "none":
        raise Refused("hand_needs_shuffler")


def lock(m, ev, out):
    """No more bets: wagers stand from here on, Bonus Spin latches, cards may be dealt."""
    if m.phase != BET:
        raise Refused("not_betting")
    if len(m.bets) - m.bets.count(None) < m.game.MIN_PLAYERS:
        raise Refused("players", m.game.MIN_PLAYERS)
    wrong = m.game.check_table(m.bets)
    if wrong:
        raise Refused(wrong[2], wrong[0], wrong[1])
    check_devices(m)
    if m.cfg["sensors"] and not m.accept:
        _cross_check(m)
    m.accept = 0
    m.phase = ROUND
    m.r = Round(m.game, m.cfg, m.dealing, m.button, m.bets, bytes(m.coupons))
    out.append(("locked", m.round_no + 1))
    if m.game.LATCH:
        _latch(m, m.r, m.game.LATCH, out)
    next_stage(m, out)
    if m.early:
        shoe.begin(m, out)


def _latch(m, r, wager, out):
    """Collect the wagers that spin the wheel: never returned on a win (P12)."""
    i = m.game.WAGERS.index(wager)
    latched = [s for s in r.seats if r.bets[s][i]]
    m.meters.contribute(len(latched))
    for s in latched:
        out.append(("take", s, wager, r.bets[s][i], m.game.LATCH_RULE, "latched"))


@micropython.native
def _cross_check(m):
    """Chips seen and amounts entered must agree on every spot."""
    wagers = m.game.WAGERS
    every = (1 << len(wagers)) - 1
    for seat in range(1, m.cfg["seats"] + 1):
        wrong = m.sensors[seat - 1] & every
        bit = 1
        for cents in m.bets[seat] or ():
            if cents:
                wrong ^= bit
            bit <<= 1
        for i, wager in enumerate(wagers if wrong else ()):
            if wrong >> i & 1:
                raise Refused("sensor_mismatch", seat, wager)


HANDLERS = {
    "BET": bet,
    "COUPON": coupon,
    "PAIRED": paired,
    "SENSORS": sensors,
    "LOCK": lock,
}
