"""Before the cards: keys, opening checklists, wagers, sensors and "No more bets"."""

from felt.round import events, play, procedures
from felt.round.flow import ask, next_stage
from felt.round.procedures import start_check
from felt.round.state import BET, CHECK, CLOSED, IDLE, ROUND, Refused, Round

REOPEN = 2
RULE_LATCH = "13:69F-X.10(a)3"


def boot(m, ev, out):
    """Count a start; the reset cause is for the log."""
    m.boots += 1
    out.append(("log", "boot", ev[1], 0))


def key(m, ev, out):
    """A key switch turned."""
    if ev[1] > 1 or ev[2] > 1:
        raise Refused("malformed", "KEY")
    m.keys = m.keys & ~(1 << ev[1]) | ev[2] << ev[1]
    out.append(("log", "key", ev[1], ev[2]))


def config(m, ev, out):
    """Another configuration takes force: between rounds, with the service key."""
    need_between(m)
    if not m.has_key(events.SERVICE):
        raise Refused("service_key")
    if len(ev) < 9:
        raise Refused("malformed", "CONFIG")
    m.config_id = bytes(ev[1:9])
    out.append(("log", "config", ev[1], ev[2]))
    out.append(("checkpoint", 0))


def need_between(m):
    """Refuse while wagers are locked."""
    if m.phase == ROUND:
        raise Refused("round_open")


def need_supervisor(m):
    """Refuse without the attendant's key."""
    if not m.has_key(events.ATTENDANT):
        raise Refused("attendant_key")


def open_table(m, ev, out):
    """Start the checklist for new or pre-shuffled cards, or for a spread table's new player."""
    kind = ev[1]
    if kind == REOPEN:
        if m.phase != IDLE:
            raise Refused("not_idle")
        steps = procedures.after_idle(m.cfg)
    elif kind > REOPEN:
        raise Refused("malformed", "OPEN")
    elif m.phase != CLOSED:
        raise Refused("not_closed")
    else:
        steps = procedures.opening(m.cfg, kind)
    if kind != REOPEN:
        m.since_stub = m.deck = 0
    start_check(m, steps, out)


def done(m, ev, out):
    """One step of the checklist is done; its number is judged."""
    if m.phase != CHECK:
        raise Refused("no_checklist")
    step, number = ev[1], ev[2]
    if step != m.steps[m.step_at]:
        raise Refused("step_order", procedures.STEPS[m.steps[m.step_at]])
    if procedures.needs_supervisor(step):
        need_supervisor(m)
    if step == procedures.CUT and not procedures.CUT_LEAST <= number < procedures.DECK:
        raise Refused("cut_least", number)
    shuffled = step == procedures.SHUFFLE and m.cfg["shuffler"] != "none"
    if shuffled and m.broken >> events.SHUFFLER & 1:
        raise Refused("device_blocked", events.SHUFFLER)
    if shuffled and m.cfg["shuffler"] == "counting" and number != procedures.DECK:
        procedures.remove_deck(m, out)
        return
    m.step_at += 1
    if m.step_at == len(m.steps):
        m.phase = BET
        out.append(("phase", "bet"))
    else:
        out.append(("check", procedures.STEPS[m.steps[m.step_at]]))


def close(m, ev, out):
    """Close the table; wagers on the felt forbid it."""
    need_between(m)
    if any(m.bets):
        raise Refused("wagers_stand")
    m.phase, m.why = CLOSED, "closed"
    m.steps, m.step_at = b"", 0
    out.append(("phase", "closed"))
    out.append(("checkpoint", 0))


def idle(m, ev, out):
    """Spread the cards while nobody plays."""
    if m.phase not in (BET, CHECK):
        raise Refused("not_open")
    if any(m.bets):
        raise Refused("wagers_stand")
    m.phase = IDLE
    m.steps, m.step_at = b"", 0
    out.append(("phase", "idle"))
    out.append(("checkpoint", 0))


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
    _check_amounts(m, seat, amounts)
    m.undo = ("BET", seat, m.bets[seat])
    m.bets[seat] = amounts if amounts[0] else None
    out.append(("bet", seat) + tuple(amounts))


def _check_amounts(m, seat, amounts):
    if not any(amounts):
        return
    if not amounts[0]:
        raise Refused("no_ante", seat)
    limits = m.cfg["limits"] or {}
    for wager, cents in zip(m.game.WAGERS, amounts):
        if cents % m.cfg["chip_unit"]:
            raise Refused("chip_unit", seat, wager, cents)
        low, high = limits.get(wager, (0, cents))
        if cents and not low <= cents <= high:
            raise Refused("limits", seat, wager, cents)
    wrong = m.game.check_bets(m.cfg, amounts)
    if wrong:
        raise Refused(wrong[1], seat, wrong[0])


def paired(m, ev, out):
    """One player takes two adjacent positions, where the house permits it (C9)."""
    need_between(m)
    a, b = ev[1], ev[2]
    if not m.cfg.get("two_positions"):
        raise Refused("one_position")
    if b != a + 1 or not 1 <= a < b <= m.cfg["seats"]:
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
    m.sensors = bytes(ev[1:])
    if m.phase == ROUND and not m.r.settling and m.r.void == 255:
        for seat in range(1, m.cfg["seats"] + 1):
            _alarms(m, seat, out)


def _alarms(m, seat, out):
    """Alarm each spot once per change against what the round allows."""
    r = m.r
    spots = m.game.WAGERS + m.game.RAISES[:1]
    for i, wager in enumerate(spots):
        bit = 1 << i
        there = m.sensors[seat - 1] & bit
        stake = _stake(r, seat, i, len(m.game.WAGERS))
        wrong = (there and not stake) or (stake and not there and _must_stay(m, seat, wager))
        if wrong and not r.late[seat] & bit:
            r.late[seat] |= bit
            out.append(("alarm", "late_bet" if there else "withdrawn", seat, wager))
            out.append(("log", "late_bet" if there else "withdrawn", seat, i))
        elif not wrong:
            r.late[seat] &= ~bit


def _stake(r, seat, spot, n):
    if spot == n:
        return r.raised[seat]
    return r.bets[seat][spot] if r.bets[seat] else 0


def _must_stay(m, seat, wager):
    """Bonus Spin is collected at the lock, folded and settled wagers are taken up (P12)."""
    return wager != "bonus_spin" and m.r.status[seat] == 1


def override(m, ev, out):
    """A supervisor's order, with the attendant's key, always logged."""
    need_supervisor(m)
    what = ev[1]
    if what == events.RECUT:
        if m.phase != BET:
            raise Refused("no_recut")
        start_check(m, bytes([procedures.CUT]), out)
    elif what == events.ACCEPT_SENSORS:
        if m.phase != BET:
            raise Refused("not_betting")
        m.accept = 1
    else:
        raise Refused("malformed", "OVERRIDE")
    out.append(("log", "override", what, 0))


def method(m, ev, out):
    """Change the way of dealing; an automated device must be off the table first (G6)."""
    need_between(m)
    if ev[1] >= len(events.METHODS):
        raise Refused("malformed", "METHOD")
    wanted = events.METHODS[ev[1]]
    if wanted == "hand" and m.cfg["shuffler"] == "none":
        raise Refused("hand_needs_shuffler")
    off = m.absent >> events.SHOE & 1
    if wanted != m.dealing and m.dealing == "auto" and not off:
        raise Refused("remove_device", events.SHOE)
    m.dealing = wanted
    out.append(("log", "method", ev[1], 0))
    out.append(("checkpoint", 0))


def period(m, ev, out):
    """Read and restart the period meters."""
    need_between(m)
    need_supervisor(m)
    m.meters.restart_period()
    out.append(("log", "period", 0, 0))
    out.append(("checkpoint", 0))


def lock(m, ev, out):
    """No more bets: wagers stand from here on, Bonus Spin latches, cards may be dealt."""
    if m.phase != BET:
        raise Refused("not_betting")
    if sum([1 for b in m.bets if b]) < m.game.MIN_PLAYERS:
        raise Refused("players", m.game.MIN_PLAYERS)
    wrong = m.game.check_table(m.bets)
    if wrong:
        raise Refused(wrong[2], wrong[0], wrong[1])
    if m.dealing != "hand" and (m.absent | m.broken) >> events.SHOE & 1:
        raise Refused("device_blocked", events.SHOE)
    if m.cfg["sensors"] and not m.accept:
        _cross_check(m)
    m.accept = 0
    m.phase = ROUND
    m.r = Round(m.game, m.cfg, m.dealing, m.button, m.bets)
    out.append(("locked", m.round_no + 1))
    if "bonus_spin" in m.game.WAGERS:
        spot = m.game.WAGERS.index("bonus_spin")
        latched = [s for s in m.r.seats if m.bets[s][spot]]
        m.meters.contribute(len(latched))
        for s in latched:  # collected now, never returned on a win (P12)
            out.append(("take", s, "bonus_spin", m.bets[s][spot], RULE_LATCH, "latched"))
    next_stage(m, out)


def _cross_check(m):
    """Chips seen and amounts entered must agree on every spot."""
    for seat in range(1, m.cfg["seats"] + 1):
        for i, wager in enumerate(m.game.WAGERS):
            stake = m.bets[seat][i] if m.bets[seat] else 0
            if bool(m.sensors[seat - 1] >> i & 1) != bool(stake):
                raise Refused("sensor_mismatch", seat, wager)


def undo(m, ev, out):
    """Take back the last dealer entry where nothing has built on it."""
    last = m.undo
    if last is None:
        raise Refused("nothing_to_undo")
    what, seat = last[0], last[1]
    if what == "BET":
        m.bets[seat] = last[2]
    elif what == "TAP":
        m.r.tapped[seat] = 0
    else:
        play.undo_act(m, last)
    out.append(("undone", what, seat))
    if what == "ACT":
        ask(m, out)
    out.append(("log", "undo", events.CODES[what], seat))


def fault(m, ev, out):
    """A device reported a fault: logged; the table decides what stays open."""
    out.append(("log", "fault", ev[1], ev[2]))


HANDLERS = {
    "BOOT": boot,
    "KEY": key,
    "CONFIG": config,
    "OPEN": open_table,
    "DONE": done,
    "CLOSE": close,
    "IDLE": idle,
    "BET": bet,
    "PAIRED": paired,
    "SENSORS": sensors,
    "OVERRIDE": override,
    "METHOD": method,
    "PERIOD": period,
    "LOCK": lock,
    "UNDO": undo,
    "FAULT": fault,
}
