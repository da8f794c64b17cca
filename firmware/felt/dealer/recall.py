"""A finished round in words: every wager, card, decision, spin and payment, from its events.

The round is played again through the machine, so what is read here is what was paid then.
"""

from binascii import hexlify

from felt import cards
from felt.dealer import screen
from felt.dealer.words import beside, card_text, undone_text, worded
from felt.games import SettingsError
from felt.games.common import UP
from felt.round import events, shoe
from felt.round.due import DEALS, due
from felt.round.machine import Machine
from felt.round.state import BET, Refused
from felt.round.undo import ENTRIES
from felt.store.area import VaultError
from felt.store.config import parse
from felt.table import CONTEXT

BACK = ("UNDO", "TAKE_BACK")
ENTERED = ("BET", "COUPON") + BACK  # before no more bets


def identities(event):
    """Return (firmware, configuration) of a LOCK event, 8 bytes each, or None."""
    return (event[1:9], event[9:17]) if len(event) == 25 + CONTEXT else None


def _lock(found):
    """Return the event that locked a kept round's wagers, b"" where none is left."""
    for event in found.events():
        if events.NAMES[event[0]] == "LOCK":
            return event
    return b""


def _begin(m, event):
    """Put a fresh machine where the round began."""
    raw = event[1:]
    m.accept = True
    m.absent = m.broken = 0
    if len(raw) >= CONTEXT:
        m.button = raw[-CONTEXT]
        m.meters.jackpot = int.from_bytes(raw[1 - CONTEXT :], "big")


def told(table, found, texts):
    """Yield a kept round in words, under the settings it was played under, or why not."""
    try:
        if found.finding:
            yield texts.get("page." + found.finding, found.where)
            return
        found.check()
        known = identities(_lock(found))
        settings = _played_under(table, known[1]) if known else table.machine.cfg_source
        if settings is None:
            yield texts.get("recall.unkept", hexlify(known[1]).decode())
            return
        if known and table.identity and known[0] != table.identity[:8]:
            yield texts.get("recall.build", hexlify(known[0]).decode())
        cancelled = taken_back(found.events, settings)
        for text in lines(found.events(), settings, texts, cancelled):
            yield text
    except (VaultError, OSError, SettingsError):
        yield texts.get("page.damaged", "")


def _played_under(table, identity):
    """Return the settings of a configuration's identity; None when they are not kept."""
    if table.identity[8:16] in (b"", identity):
        return table.machine.cfg_source
    raw = table.settings_of(identity)
    return parse(raw) if raw else None


def last_bets(table):
    """Return what each seat bet in the last kept round of these settings, None without one."""
    try:
        for found in table.rounds():
            known = identities(_lock(found))
            if known and table.identity[8:16] not in (b"", known[1]):
                return None
            return _bets(found.events(), table.machine.cfg_source)
    except (VaultError, OSError, Refused):
        pass
    return None


def _bets(round_events, settings):
    """Return the wagers a round was locked with."""
    m = Machine(settings)
    m.phase = BET
    for event in round_events:
        name = events.NAMES[event[0]]
        if name == "LOCK":
            break
        if name in ENTERED:
            m.step(event)
    return m.bets


def lines(round_events, settings, texts, cancelled):
    """Yield a line of text for everything that happened in a round.

    `cancelled` is what taken_back found: those lines say that they do not count."""
    for at, (m, name, event, where, effects) in enumerate(_steps(round_events, settings)):
        if isinstance(effects, Refused):
            yield "%s: %s" % (name, screen.refusal(texts, effects))
            continue
        for text in _step_texts(m, name, event, where, effects, texts):
            yield texts.get("recall.cancelled", text) if at in cancelled else text


def _step_texts(m, name, event, where, effects, texts):
    if name == "SHOE" and not effects:
        return  # told again after a restart of either end
    late = [e[2] for e in effects if e[:2] == ("alarm", "told_late")]
    if late:  # a person has said that it lies there: it was dealt then
        for position, c in zip(late, event[3:]):
            yield texts.get("recall.late", position, card_text(c))
        return
    for text in _event(m, name, event, where, texts):
        yield text
    for effect in effects:
        text = effect_text(effect, texts)
        if text:
            yield text


def taken_back(events_of, settings):
    """Return the places of the entries that were taken back later, in the order of _steps.

    What they booked was never paid: whoever adds up a round must see which lines these are."""
    if not any(events.NAMES[event[0]] in BACK for event in events_of()):
        return ()
    found, trail = [], []
    for at, (m, name, _, _, effects) in enumerate(_steps(events_of(), settings)):
        if isinstance(effects, Refused):
            continue
        if name in ENTRIES:
            trail.append((at, name))
        undone = [e[1] for e in effects if e[0] == "undone"]
        if undone and trail and trail[-1][1] == undone[0]:
            found.append(trail.pop()[0])
        trail = trail[len(trail) - len(m.undo) :]
    return found


def _steps(round_events, settings):
    """Play a round; yield (machine, name, event, where its cards went, effects or refusal)."""
    m = Machine(settings)
    m.keys = 1
    began = False
    for event in round_events:
        name = events.NAMES[event[0]]
        if not began:
            if name not in ENTERED + ("LOCK", "SHOE", "SENSORS"):
                continue
            m.phase = BET  # whatever was checked and shuffled meanwhile
            began = name == "LOCK"
            if began:
                _begin(m, event)
        where = _places(m)
        try:
            effects = m.step(event)
        except Refused as e:
            effects = e
        yield m, name, event, where, effects


def _places(m):
    """Return where the next cards go, before they are dealt."""
    now = due(m)
    return [p & ~UP for p in now.places] if now.kind in DEALS else (DRAWN,)


DRAWN = None  # a card drawn in error has no place yet


# Told in a few words: what is said of each byte, c a card, p a place, d a device, h what became
# of it, n a number.
REPORTS = (
    ("FACEUP", "c"), ("EXPOSED", "p"), ("MISCOUNT", "pn"), ("MISDEALT", "pnn"), ("STUB", "n"),
    ("DEVICE", "dh"), ("HAPPENED", "dh"), ("NO_BURN", ""), ("TAP", "p"), ("GO_ON", ""),
    ("SAID", ""), ("DEALT", ""),
)  # fmt: skip


def _event(m, name, event, where, texts):
    if name == "BET":
        parts = []
        for i, wager in enumerate(m.game.WAGERS):
            amount = int.from_bytes(event[2 + 4 * i : 6 + 4 * i], "big")
            if amount:
                parts.append("%s %s" % (texts.get("wager." + wager), screen.money(amount)))
        return [texts.get("recall.bet", event[1], ", ".join(parts) or "-")]
    if name == "COUPON":
        wager = texts.get("wager." + m.game.WAGERS[event[2]])
        return [texts.get("recall.coupon" if event[3] else "recall.chips", event[1], wager)]
    if name == "SHOE" and event[1] == shoe.UP:
        name, event = "FACEUP", event[2:]
    if name in ("CARD", "STACK", "SHOE"):
        dealt = zip(where, event[3 if name == "SHOE" else 1 :])
        return ["%s %s" % (_where(texts, p), card_text(c)) for p, c in dealt]
    if name == "ACT":
        action = texts.get("action." + m.game.ACTIONS[event[2]])
        card = "" if event[3] == events.NO_CARD else cards.name(event[3])
        return [texts.get("recall.act", event[1], action, card)]
    if name == "DISCARD":
        return [texts.get("recall.act", event[1], "discard", cards.name(event[2]))]
    if name == "SPIN":
        return [texts.get("recall.spin", event[1], event[2])]
    if name == "NAMED":
        named = " ".join([card_text(c) for c in event[2:]])
        return ["%s = %s" % (screen.place_name(texts, event[1]), named)]
    forms = beside(REPORTS, name)
    if forms is not None:
        about = [worded(texts, form, b) for form, b in zip(forms, event[1:])]
        return [texts.get("told." + name, *about)]
    return []


def _where(texts, place):
    return texts.get("recall.drawn") if place is DRAWN else screen.place_name(texts, place)


def effect_text(effect, texts):
    """Return a payment as a sentence with its rule, what was taken back, None for all else."""
    kind = effect[0]
    if kind == "pay":
        _, seat, wager, amount, odds, rule, reason = effect
        why = screen.reason_text(texts, reason)
        if odds:
            why += ", " + screen.odds_text(odds)
    elif kind in ("take", "push", "return"):
        _, seat, wager, amount, rule, reason = effect
        why = screen.reason_text(texts, reason)
    elif kind == "pot":
        _, seat, amount, rule, reason = effect
        wager, why = "pot", screen.reason_text(texts, reason)
    elif kind == "commission":
        return texts.get("recall.commission", screen.money(effect[1]))
    elif kind == "undone":
        return texts.get("log.undo", undone_text(texts, effect[1], str(effect[2])))
    elif kind == "void":
        return texts.get("recall.void", screen.reason_text(texts, effect[1]))
    elif effect[:2] == ("note", "dead"):
        return texts.get("note.dead", screen.place_name(texts, effect[2]))
    else:
        return None
    who = screen.place_name(texts, seat)
    return texts.get(
        "recall." + kind, who, texts.get("wager." + wager), screen.money(amount), why, rule
    )
