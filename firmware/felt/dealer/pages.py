"""Pages the dealer or floorperson can read on the terminal: meters, recall, log, hits, help."""

from felt.dealer import recall as words_of
from felt.dealer import screen
from felt.dealer.commands import MONTHS
from felt.dealer.words import beside, undone_text, worded
from felt.logbook import LOG
from felt.round import decks, procedures
from felt.round.events import NAMES
from felt.round.meters import CAUSES
from felt.store.area import VaultError
from felt.store.entries import LOST

BODY = screen.ROWS - 2
# What an entry's numbers are: p place, c card, d device, h what happened to it, k key, o on or
# off, w what became of the network, v cause of a void, 1 a deck counted from nought, nothing: a
# number. Entries not named here are for the technician.
SAID = (
    ("key", ("k", "o")), ("deck_removed", ("1",)), ("paired", ("p",)), ("late_bet", ("p",)),
    ("withdrawn", ("p",)), ("override", ()), ("period", ()), ("drawn_in_error", ()),
    ("tap", ("p",)), ("hit", ("p",)), ("hand_paid", ("p",)), ("void", ("v",)),
    ("face_up", ("c",)), ("exposed", ("p",)), ("miscount", ("p", "")), ("stub", ("",)),
    ("device", ("d", "h")), ("no_burn", ()), ("named", ("c", "c")), ("counted", ("", "1")),
    ("no_spin", ("p",)), ("config_found", ()), ("network", ("w",)),
)  # fmt: skip


def paged(app, title, lines, words):
    """Return one screenful of an endless supply of lines; the last word may be a page number.

    The application is told which page follows, None after the last.
    """
    app.more = None
    page = int(words[-1]) if words and words[-1].isdigit() else 1
    rows = [title + (" (%d)" % page if page > 1 else "")]
    skip = (page - 1) * BODY
    for text in lines:
        for part in wrapped(text):
            if skip:
                skip -= 1
            elif len(rows) > BODY:
                app.more = page + 1
                rows.append(app.texts.get("page.more", app.more))
                return rows
            else:
                rows.append(part)
    rows.append(app.texts.get("page.end"))
    return rows


def following(words, page):
    """Return the words that show another page of what these words show."""
    if words[0] != "recall":
        return [words[0], str(page)]
    back = words[1] if words[1:] and words[1].isdigit() else "1"
    return [words[0], back, str(page)]


def wrapped(text, width=screen.COLUMNS):
    """Yield a line broken at blanks."""
    while len(text) > width:
        head = text[:width].rsplit(" ", 1)[0] or text[:width]
        yield head
        text = " " + text[len(head) :].strip()
    yield text


def meter_lines(m, texts):
    """Yield every meter of the table."""
    t = m.meters
    yield texts.get("meter.rounds", t.rounds, t.period_rounds)
    for i, wager in enumerate(t.wagers):
        name = texts.get("wager." + wager)
        yield texts.get("meter.life", name, screen.money(t.handle[i]), screen.money(t.win[i]))
        handle, win = screen.money(t.period_handle[i]), screen.money(t.period_win[i])
        yield texts.get("meter.period", name, handle, win)
    if t.coupons:
        yield texts.get("meter.coupons", screen.money(t.coupons))
    if t.commission:
        yield texts.get("meter.commission", screen.money(t.commission))
    if t.seed:
        yield texts.get("meter.jackpot", screen.money(t.jackpot), screen.money(t.seed))
        yield texts.get("meter.contributions", screen.money(t.contributions))
        yield texts.get("meter.hits", t.hits, screen.money(t.hit_total))
        yield texts.get("meter.carried", screen.money(t.carried))
    for i, cause in enumerate(CAUSES):
        if t.voids[i]:
            yield texts.get("meter.voids", texts.get("reason." + cause), t.voids[i])


def log_lines(vault, texts):
    """Yield the event log, newest first."""
    return entry_lines(vault.entries(), texts)


def entry_lines(entries, texts):
    """Yield log entries in words: number, event, what, then start and time where known."""
    for serial, seq, code, a, b, start, since, real in entries:
        text = "%d #%d %s" % (serial, seq, entry_text(texts, code, a, b))
        yield "%s  %d+%ds%s" % (text, start, since, " " + moment(real) if real else "")


def entry_text(texts, code, a, b):
    """Return an entry in words: its two numbers as what they stand for, or as they are."""
    name = LOG[code] if code < len(LOG) else "lost" if code == LOST else "cleared"
    forms = beside(SAID, name)
    if name == "undo" and a < len(NAMES):
        return texts.get("log.undo", undone_text(texts, NAMES[a], str(b)))
    if forms is None:
        return "%s %d %d" % (texts.get("log." + name), a, b)
    return texts.get("log." + name, *[_said(texts, f, n) for f, n in zip(forms, (a, b))])


def _said(texts, form, number):
    if form == "v":
        return texts.get("reason." + CAUSES[number]) if number < len(CAUSES) else number
    if form in ("k", "o", "w"):
        return texts.get("log.%s.%d" % (form, number))
    return number + 1 if form == "1" else worded(texts, form, number)


def moment(real):
    """Return seconds since 2000 as a date and a time."""
    days, rest = divmod(real, 86400)
    year = 2000
    while days >= 365 + (year % 4 == 0):
        days -= 365 + (year % 4 == 0)
        year += 1
    month = 0
    while days >= MONTHS[month] + (month == 1 and year % 4 == 0):
        days -= MONTHS[month] + (month == 1 and year % 4 == 0)
        month += 1
    clock = rest // 3600, rest // 60 % 60, rest % 60
    return "%04d-%02d-%02d %02d:%02d:%02d" % ((year, month + 1, days + 1) + clock)


def security(app, words):
    """Service entries, configurations, clearings, faults, keys and starts."""
    lines = entry_lines(app.table.vault.guards(), app.texts)
    return paged(app, app.texts.get("page.security"), lines, words)


def hit_lines(vault, texts):
    """Yield the jackpot hits, newest first."""
    for serial, _, seat, cents, number, _, _, _ in vault.hits():
        yield texts.get("page.hit", serial, number, seat, screen.money(cents))


def meters(app, words):
    """Every meter of the table, then how its loop is doing."""
    return paged(app, app.texts.get("page.meters"), _all_meters(app), words)


def _all_meters(app):
    if app.table.machine:
        for text in meter_lines(app.table.machine, app.texts):
            yield text
    late = app.latency
    yield app.texts.get("meter.latency", late.quantile(999), late.worst)
    yield app.texts.get("meter.resting", app.resting_worst)
    yield app.texts.get("meter.queue", app.queue.most, app.queue.depth)


def self_test(app, words):
    """What the power-on self test found."""
    return paged(app, app.texts.get("page.selftest"), app.tests, words)


def log(app, words):
    """The last 200 logged happenings."""
    return paged(app, app.texts.get("page.log"), log_lines(app.table.vault, app.texts), words)


def hits(app, words):
    """The last 25 jackpot hits."""
    return paged(app, app.texts.get("page.hits"), hit_lines(app.table.vault, app.texts), words)


def recall(app, words):
    """A finished round: `recall`, `recall 3` (third last), `recall 3 2` (its second page)."""
    back = int(words[0]) if words and words[0].isdigit() else 1
    lines = recalled(app.table, app.texts, back)
    return paged(app, app.texts.get("page.recall", back), lines, words[1:])


def recalled(table, texts, back):
    """Return the lines of the round `back` rounds ago."""
    try:
        for found in table.rounds() if table.machine else ():
            back -= 1
            if not back:
                return words_of.told(table, found, texts)
    except (VaultError, OSError):
        return iter([texts.get("page.damaged")])
    return iter([texts.get("page.no_round")])


def decks_page(app, words):
    """Each deck: when it was inspected, its stub, its last shuffle and machine count."""
    m, texts = app.table.machine, app.texts
    lines = []
    for deck in range(procedures.decks(m)) if m else ():
        seen, since, how, count = decks.facts(m, deck)
        lines.append(texts.get("deck.seen", deck + 1, seen, since))
        lines.append(texts.get("deck.how.%d" % how, count or "-"))
    return paged(app, texts.get("page.decks"), lines, words)


def help_page(app, words):
    """The commands, or the usage of one."""
    if words and not words[0].isdigit():
        key = "help." + words[0]
        return paged(app, words[0], [app.texts.get(key)], ())
    return paged(app, app.texts.get("page.help"), _topics(app.texts), words)


def _topics(texts):
    for name in texts.get("page.topics").split():
        yield texts.get("help." + name)


PAGES = {"meters": meters, "log": log, "hits": hits, "recall": recall, "help": help_page}
PAGES["decks"] = decks_page
PAGES["selftest"] = self_test
PAGES["security"] = security
