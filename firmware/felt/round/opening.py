"""The table's day around the rounds: keys, opening, checklists, closing, supervisor's orders."""

from felt.cards import DECK
from felt.round import decks, events, procedures
from felt.round.due import due
from felt.round.flow import resume
from felt.round.procedures import CUT, SHUFFLE, shuffler, start_check
from felt.round.state import BET, CHECK, CLOSED, IDLE, ROUND, Refused

REOPEN = 2


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
    """Another configuration is in force: never while wagers stand; who puts it there asks keys."""
    need_between(m)
    if any(m.bets):
        raise Refused("wagers_stand")
    if len(ev) < 9:
        raise Refused("malformed", "CONFIG")
    m.config_id = bytes(ev[1:9])
    m.dealing = m.cfg["dealing"]
    out.append(("log", "config", ev[1], ev[2]))
    out.append(("checkpoint", 0))


def need_between(m):
    """Refuse while wagers are locked."""
    if m.phase == ROUND:
        raise Refused("round_open")


def need_bare(m):
    """Refuse while wagers are booked; chips that are only seen may be a spot that fails."""
    if any(m.bets):
        raise Refused("wagers_stand")
    if m.typed and m.cfg["sensors"] and any(m.sensors) and not m.has_key(events.ATTENDANT):
        raise Refused("chips_stand")


def need_supervisor(m):
    """Refuse without the attendant's key."""
    if not m.has_key(events.ATTENDANT):
        raise Refused("attendant_key")


def need_void_key(m):
    """Refuse a report that a person typed and that voids, where the house asks for a key (G7c)."""
    if m.typed and m.cfg["void_key"] == "attendant":
        need_supervisor(m)


def open_table(m, ev, out):
    """Start the checklist for new or pre-shuffled cards, or for a spread table's new player."""
    kind = ev[1]
    if kind == REOPEN:
        if m.phase != IDLE:
            raise Refused("not_idle")
        steps = procedures.after_idle(m)
    elif kind not in (procedures.NEW, procedures.PRE_SHUFFLED):
        raise Refused("malformed", "OPEN")
    elif m.phase != CLOSED:
        raise Refused("not_closed")
    else:
        steps = procedures.opening(m, kind)
    if kind != REOPEN:
        m.since_stub = m.deck = 0
    start_check(m, steps, out)


def done(m, ev, out):
    """A step of the checklist is done; a shuffle's count once stood for the stubs of all decks."""
    step, number = ev[1], ev[2]
    _need_step(m, step)
    if procedures.needs_supervisor(step):
        need_supervisor(m)
    if step == CUT and not procedures.CUT_LEAST <= number < DECK:
        raise Refused("cut_least", number)
    if step == SHUFFLE:
        return _shuffled(m, number, range(2), out)
    if step == procedures.VERIFY:
        decks.verified(m)
        m.absent &= ~decks.INSPECT
    _next_step(m, out)


def shuffled(m, ev, out):
    """The deck whose turn it is was shuffled, and counted or not."""
    _need_step(m, SHUFFLE)
    number = ev[1]
    if m.typed and shuffler(m) != "counting" and number not in (procedures.UNCOUNTED, DECK):
        raise Refused("deck_count", number)  # no machine's count: nothing would heed it
    deck = decks.of_pass(m, SHUFFLE)
    _shuffled(m, number, (deck,), out)


def _need_step(m, step):
    if due(m).kind != "check":
        raise Refused("no_checklist")
    if step != m.steps[m.step_at]:
        raise Refused("step_order", procedures.STEPS[m.steps[m.step_at]])


def _shuffled(m, number, stand_for, out):
    """Judge a shuffle: another count than 52 sends the deck away (G5)."""
    device = shuffler(m)
    if device != "none" and m.broken >> events.SHUFFLER & 1:
        raise Refused("device_blocked", events.SHUFFLER)
    if device == "none" and CUT not in list(m.steps[m.step_at :]):
        m.steps += bytes([CUT])  # the shuffler left the table: shuffled by hand, so cut
    deck = decks.of_pass(m, SHUFFLE)
    number = decks.shuffled(m, number)
    if device == "counting" and number == procedures.UNCOUNTED:
        out.append(("alarm", "not_counted", 0, ""))
    elif device == "counting":
        if number != DECK:
            return procedures.remove_deck(m, deck, out)
        if m.game.stub_waived(m.cfg, m.dealing):
            for deck in stand_for:
                procedures.count_round(m, deck, 0)
    _next_step(m, out)


def _next_step(m, out):
    m.step_at += 1
    if m.phase == ROUND:
        m.r.recut = 0
        resume(m, out)
    elif m.step_at == len(m.steps):
        m.phase = BET
        out.append(("phase", "bet"))
    else:
        out.append(("check", procedures.STEPS[m.steps[m.step_at]]))


def close(m, ev, out):
    """Close the table; wagers or chips on the felt forbid it."""
    need_between(m)
    need_bare(m)
    m.phase, m.why = CLOSED, "closed"
    m.steps, m.step_at, m.accept, m.early = b"", 0, 0, b""
    out.append(("phase", "closed"))
    out.append(("checkpoint", 0))


def idle(m, ev, out):
    """Spread the cards while nobody plays."""
    if m.phase not in (BET, CHECK):
        raise Refused("not_open")
    need_bare(m)
    if m.phase == CHECK and procedures.VERIFY in list(m.steps[m.step_at :]):
        raise Refused("step_order", procedures.STEPS[m.steps[m.step_at]])
    decks.spread(m)
    m.phase = IDLE
    m.steps, m.step_at, m.accept, m.early = b"", 0, 0, b""
    out.append(("phase", "idle"))
    out.append(("checkpoint", 0))


def override(m, ev, out):
    """A supervisor's order, with the attendant's key, always logged."""
    need_supervisor(m)
    what = ev[1]
    if what == events.RECUT:
        _recut(m, out)
    elif what == events.ACCEPT_SENSORS:
        if m.phase != BET and due(m).kind != "decide":
            raise Refused("not_betting")
        m.accept = 1
    else:
        raise Refused("malformed", "OVERRIDE")
    out.append(("log", "override", what, 0))


def _recut(m, out):
    """The cards are cut again: after a cut and before the first card, wagers locked or not."""
    if m.steps and CUT not in list(m.steps):
        raise Refused("no_recut")
    if m.phase == BET:
        start_check(m, bytes([CUT]), out)
    elif m.phase == ROUND and not m.r.void and not m.r.dealt:
        m.steps, m.step_at, m.r.recut = bytes([CUT]), 0, 1
        out.append(("check", procedures.STEPS[CUT]))
    else:
        raise Refused("no_recut")


def method(m, ev, out):
    """Change the way of dealing; an automated device must be off the table first (G6)."""
    need_between(m)
    if ev[1] >= len(events.METHODS):
        raise Refused("malformed", "METHOD")
    wanted = events.METHODS[ev[1]]
    if wanted == "hand" and shuffler(m) == "none":
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


def carry(m, ev, out):
    """Bring a progressive meter into memory that was just set up: both keys, once, logged."""
    need_between(m)
    t = m.meters
    if m.keys & 3 != 3:
        raise Refused("both_keys")
    if len(ev) != 5:
        raise Refused("malformed", "CARRY")
    if t.contributions or t.hits or t.carried:
        raise Refused("meter_runs")
    cents = int.from_bytes(ev[1:], "big")
    try:
        t.carry(cents)
    except ValueError:
        raise Refused("carry_amount")
    out.append(("log", "carried", 0, cents))
    out.append(("checkpoint", 0))


def fault(m, ev, out):
    """A device reported a fault: logged; the table decides what stays open."""
    out.append(("log", "fault", ev[1], ev[2]))


HANDLERS = {
    "BOOT": boot,
    "KEY": key,
    "CONFIG": config,
    "OPEN": open_table,
    "DONE": done,
    "SHUFFLED": shuffled,
    "CLOSE": close,
    "IDLE": idle,
    "OVERRIDE": override,
    "METHOD": method,
    "PERIOD": period,
    "CARRY": carry,
    "FAULT": fault,
}
