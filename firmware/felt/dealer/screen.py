"""What the terminal shows: a pure picture of the state, repainted after every event."""

from felt import cards
from felt.games.common import BOARD, DEAD, DEALER, DISCARD, FOLDED, UP, VOID
from felt.round.due import SPUN, due

COLUMNS = 40
ROWS = 16
# Refusals whose first value is a place.
PLACES_NAMED = ("no_lap", "named_so", "count_there", "no_card_there", "count_right")


def money(cents):
    """Return "$12.50"; whole dollars without cents."""
    whole, rest = divmod(abs(cents), 100)
    text = "$%d.%02d" % (whole, rest) if rest else "$%d" % whole
    return "-" + text if cents < 0 else text


def place_name(texts, place):
    """Return the name of a place on the felt."""
    if 1 <= place <= 7:
        return texts.get("place.seat", place)
    return texts.get("place.%d" % place)


def shown(r, place):
    """Return the cards of a place as the table may see them: face-down ones as ##."""
    out = []
    for i, c in enumerate(r.cards[place]):
        known = cards.name(c) if c < 52 else "??"
        out.append(known if r.visible[place] >> i & 1 else "##")
    return " ".join(out)


def odds_text(odds):
    """Return "3 to 2"; odds are never stated with "for" (G9)."""
    return "%d to %d" % odds


def reason_text(texts, reason):
    """Return the reason of a settlement line: a hand category or a word."""
    return texts.get("reason.%s" % reason)


def line_rows(texts, ln, named):
    """Return one settled wager as two rows: the chips to move, and why by which rule."""
    key = "line.pay" if ln.net > 0 else "line.take" if ln.net < 0 else "line.push"
    amount = money(abs(ln.net) if ln.net else ln.stake)
    first = texts.get(key, texts.get("wager." + ln.wager), amount)
    if ln.odds:
        first += "  " + odds_text(ln.odds)
    if named:
        first += " " + place_name(texts, ln.seat)
    return [first, "  " + reason_text(texts, ln.reason) + " " + ln.rule]


def refusal(texts, e):
    """Return a refused event as a sentence that says what to do."""
    about = e.about
    if e.code == "not_held" and about[1] < 52:
        about = (about[0], cards.name(about[1]))
    elif e.code in ("named_twice", "lies_elsewhere"):
        about = (cards.name(about[0]),) + tuple([place_name(texts, p) for p in about[1:]])
    elif e.code in PLACES_NAMED:
        about = (place_name(texts, about[0]),) + about[1:]
    return texts.get("refused." + e.code, *about)


def prompt(m, texts):
    """Return the one thing the table waits for, in words."""
    now = due(m)
    kind = now.kind
    if kind == "check":
        return texts.get("step." + now.choices[0])
    if kind == "closed":
        return texts.get("prompt.closed." + now.choices[0])
    if kind == "deal":
        return _delivery(now.places, texts)
    if kind == "stop":
        return texts.get("prompt.stop." + now.choices[0], *now.amounts)
    if kind in ("mend", "name"):
        where = place_name(texts, now.places[0] & ~UP)
        return texts.get("prompt." + kind, where, *now.amounts)
    if kind == "show":
        return texts.get("prompt.show", now.amounts[0])
    if kind in SPUN:
        won, prize = now.amounts
        named = prize and m.wheel.prize_name
        return texts.get("prompt." + kind, now.seat, named or money(prize or won))
    return texts.get("prompt." + kind, now.seat, " ".join(now.choices))


def _delivery(places, texts):
    where = place_name(texts, places[0] & ~UP)
    if len(places) > 1:
        return texts.get("prompt.stack", len(places), where)
    return texts.get("prompt.card_up" if places[0] & UP else "prompt.card", where)


def seat_row(m, texts, seat):
    """Return one seat: wagers, cards that may be seen, what it decided."""
    bets = m.bets[seat]
    if not bets:
        return "%d" % seat
    parts = ["%d" % seat]
    for wager, cents in zip(m.game.WAGERS, bets):
        if cents:
            mark = "c" if m.coupons[seat] >> m.game.WAGERS.index(wager) & 1 else ""
            parts.append("%s %s%s" % (texts.get("short." + wager), money(cents), mark))
    r = m.r
    if r:
        if r.raised[seat]:
            parts.append("+%s" % money(r.raised[seat]))
        if r.status[seat] in (FOLDED, VOID, DEAD):
            parts.append(texts.get("status.%d" % r.status[seat]))
        elif r.cards[seat]:
            parts.append(shown(r, seat))
        if r.tapped[seat]:
            parts.append("*")
    return " ".join(parts)


def screen(m, texts, fault=None):
    """Yield the terminal's rows for the machine as it stands, which must not change meanwhile."""
    left = ROWS - 1
    for row in _body(m, texts):
        if left:
            left -= 1
            yield row[:COLUMNS]
    while left > 1:
        left -= 1
        yield ""
    if left:
        yield texts.get("hint." + m.phase_name(), default="")[:COLUMNS]
    yield _foot(m, texts, fault)[:COLUMNS]


def _body(m, texts):
    title = texts.get("game." + m.game.NAME).upper()
    yield texts.get("row.title", title, m.round_no + 1)
    yield prompt(m, texts)
    r = m.r
    settling, lines, named = _settling(m)
    for seat in settling if settling else range(1, m.cfg["seats"] + 1):
        yield seat_row(m, texts, seat)
    if r:
        for place, key in ((BOARD, "board"), (DEALER, "dealer"), (DISCARD, "face_up")):
            if r.cards[place]:
                yield texts.get("row." + key, shown(r, place))
        for ln in lines:
            for row in line_rows(texts, ln, named):
                yield row


def _settling(m):
    """Return the seats whose chips are being moved, their lines, and whether those name seats."""
    now = due(m)
    if now.kind == "pot":
        return m.r.live(), now.amounts, True
    if now.kind in ("settle", "tap") and now.amounts:
        return (now.seat,), now.amounts, False
    return (), (), False


def _foot(m, texts, fault):
    if fault:
        return texts.get("fault." + fault)
    if m.cfg["demonstration"]:
        return texts.get("row.demonstration")
    return texts.get("row.jackpot", money(m.meters.jackpot)) if m.meters.seed else ""
