"""The picture of a touch terminal: tiles and buttons, made from what the screen is made from."""

from felt import cards
from felt.dealer import desk as _desk
from felt.dealer import proposal, screen, touch
from felt.dealer.words import action_text, money, place_name, shown
from felt.games.common import DEAD, FOLDED, VOID
from felt.link import terminal as t

GOLD, PLAIN, GUARDED, ON = "g", "p", "r", "o"
FIRST_CHOICE = t.BUTTON + 3
MARKS = {"pay": "p", "take": "t", "push": "u"}  # what a tile's line begins with


def parts(v, page, more=None):
    """Return {part: text} of the table as it stands; page: rows are shown instead of the felt.

    NEXT turns the page then; more: another one follows it.
    """
    m, texts = v.m, v.texts
    v.late = _desk.moved_late(m, v.desk)
    out = {
        t.TITLE: screen.title(v),
        t.PROMPT: texts.get("fault." + v.fault) if v.fault else _prompt(v),
        t.BOOKS: texts.get("todo.fault") if v.fault else _books(v),
        t.FELT: "\n".join(screen.felt_rows(v)),
        t.MONEY: "\n".join([_marked(row) for row in _money(v)]),
        t.FOOT: screen.foot(v) + ("  " + texts.get("row.key_on") if m.keys & 1 else ""),
    }
    for seat in range(1, m.cfg["seats"] + 1):
        out[t.SEAT + seat] = _seat(v, seat)
    if _takes_number(v):
        out[t.ENTRY] = "k" + v.desk.typed
    _buttons(v, out)
    if page:
        out[t.SEAT] = "page"
        label = texts.get("next.page" if more else "next.close")
        out[t.BUTTON] = _button(GOLD, t.NEXT, 0, label)
    return out


def _prompt(v):
    """Return what is waited for in the words of somebody who touches and does not type."""
    if v.desk.asks:
        key = "floor.touch_place" if touch.places(v.m, v.desk) else "floor.touch_seat"
        return v.texts.get(key, _entry(v, v.desk.asks))
    if v.now.kind == "name" and not v.turning:
        return v.texts.get("prompt.touch_name", place_name(v.texts, v.now.places[0]))
    return screen.prompt(v)


def _books(v):
    if v.now.kind != "name":
        if proposal.recount(v.m, v.now):
            return v.texts.get("alarm.stub_again")
        if proposal.to_touch(v.m, v.desk, v.now):
            return v.texts.get("books.touch", (v.desk.typed + "??")[:2])
        return screen.books(v)
    return v.texts.get("books.name", place_name(v.texts, v.now.places[0]), _touched(v))


def _touched(v):
    """Return the cards of the place that is named, as far as they were seen or touched."""
    typed = v.desk.typed
    lie = v.m.r.cards[v.now.places[0]]
    asked = proposal.unnamed(v.m, v.desk, v.now)
    out = []
    for i in range(v.now.amounts[0]):
        if i in asked:
            out.append((typed + "??")[:2])
            typed = typed[2:]
        else:
            out.append(cards.name(lie[i]) if v.m.r.visible[v.now.places[0]] >> i & 1 else "##")
    return " ".join(out)


def broken(rows, page):
    """Return the picture of a table that has no machine to show: its fault and what to do."""
    return {t.PROMPT: rows[0], t.BOOKS: rows[1], t.SEAT: "page" if page else ""}


def _money(v):
    """Return chips to move that no seat's tile shows: at settlement the tiles do."""
    if v.now.kind in ("settle", "tap"):
        return [] if v.turning else screen.return_rows(v)
    return screen.money_rows(v)


def _marked(row):
    return {"PAY  ": "p", "TAKE ": "t", "POT t": "t", "POT T": "p"}.get(row[:5], "w") + row


def _takes_number(v):
    kind = "" if v.desk.floor else v.now.kind
    if kind == "check":
        return v.now.choices[0] in ("cut", "shuffle")
    if kind == "bet":
        return v.desk.seat
    return kind == "stub" or (kind and proposal.recount(v.m, v.now))


def _seat(v, seat):
    """Return a seat's tile: flags, then a line each; the first letter says what it is."""
    r = v.m.r
    flags = "*" if v.desk.seat == seat else ""
    due = proposal.asked(v.desk, v.proposal.wrong) if v.now.kind == "decide" else v.now.seat
    if seat == due and not (flags and v.now.kind == "decide"):
        flags += ">"
    lines = _bets(v, seat) if r is None else _round(v, seat)
    return flags + ("\n".join(lines) or "s ")


def _bets(v, seat):
    m = v.m
    if v.now.kind != "bet":
        return []
    amounts = _desk.wagers(m, v.desk, seat)
    booked = m.bets[seat] or [0] * len(amounts)
    out = []
    for i, cents in enumerate(amounts):
        if cents == 0 and not (v.desk.seat == seat and v.desk.spot == i):
            continue
        mark = "!" if cents is None else "w" if cents == booked[i] else "d"
        text = "?" if cents is None else money(cents)
        out.append("%s%s %s" % (mark, v.texts.get("tile." + m.game.WAGERS[i]), text))
    return out


def _round(v, seat):
    m, r, texts = v.m, v.m.r, v.texts
    alarmed = _alarmed(v, seat)
    if not r.bets[seat]:
        return [alarmed[spot] for spot in m.game.SPOTS if spot in alarmed]
    lines = _settling(v, seat)
    done = screen.settled(v, seat)
    folded = r.status[seat] == FOLDED
    held = r.cards[seat] and (not folded or (lines and seat == v.now.seat))
    out = ["c" + shown(r, seat)] if held else []
    if done and not folded:
        out.append("s" + texts.get("status.settled"))
    if not done and not lines:
        for wager, cents in zip(m.game.WAGERS, screen.standing(m, seat)):
            if cents:
                line = "w%s %s" % (texts.get("tile." + wager), money(cents))
                out.append(alarmed.pop(wager, line))
        out_of_it = r.status[seat] in (VOID, DEAD) and not screen.raise_lies(v, seat)
        if r.raised[seat] and not (folded or out_of_it):
            only = m.game.RAISES[0] if len(m.game.RAISES) == 1 else ""
            line = "w%s +%s" % (only and texts.get("tile." + only), money(r.raised[seat]))
            out.append(alarmed.pop(only, line))
    if r.status[seat] in (FOLDED, VOID, DEAD):
        out.append("s" + texts.get("status.%d" % r.status[seat]))
    if r.tapped[seat]:
        out.append("s" + texts.get("tile.spins"))
    out += [alarmed[spot] for spot in m.game.SPOTS if spot in alarmed]
    if v.now.kind == "decide" and seat in r.order[r.turn :]:
        action = _desk.decision(m, v.desk, seat)
        out.append("d" + action_text(texts, action) if action else "!?")
    return out + lines


def _alarmed(v, seat):
    """Return a line for each spot whose chips lie otherwise than locked: an alarm passes."""
    m, texts = v.m, v.texts
    out = {}
    for i, spot in enumerate(m.game.SPOTS):
        if m.r.late[seat] >> i & 1:
            there = m.sensors[seat - 1] >> i & 1
            key = "tile.late" if there else "tile.gone"
            out[spot] = "!" + texts.get(key, texts.get("tile." + spot))
    for who, spot, cents, _ in v.late:
        if who == seat:  # what a reader tells of them
            out[spot] = "!%s %s" % (texts.get("tile." + spot), money(cents))
    return out


def _settling(v, seat):
    """Return a seat's chips to move as lines of its tile."""
    out = []
    if v.turning or seat not in proposal.to_settle(v.m):
        return out
    for ln in proposal.lines_of(v.m, seat):
        move = "pay" if ln.net > 0 else "take" if ln.net < 0 else "push"
        words = MARKS[move], v.texts.get("tile." + move), v.texts.get("tile." + ln.wager)
        out.append("%s%s %s " % words + money(abs(ln.net) or ln.stake))
    return out


def _buttons(v, out):
    texts = v.texts
    ready = v.proposal.events and not (v.fault or v.turning or v.desk.floor)
    kind = "" if v.turning else v.now.kind  # a label would tell the coming prize
    if _desk.unread(v.m, v.desk, v.now):
        kind = "dealt"
    elif v.desk.typed and proposal.recount(v.m, v.now):
        kind = "stub"
    gold = GOLD
    if proposal.stub_voids(v.m, v.desk, v.now):
        kind, gold = "stub_void", GUARDED
    label = texts.get("next." + kind, v.now.seat, default=texts.get("next.none"))
    if kind == "settle":
        label = _settle_label(v)
    out[t.BUTTON] = _button(gold if ready else PLAIN, t.NEXT, 0, label)
    out[t.BUTTON + 1] = _button(PLAIN, t.UNDO, 0, texts.get("key.undo"))
    out[t.BUTTON + 2] = _button(ON if v.desk.floor else PLAIN, t.FLOOR, 0, texts.get("key.floor"))
    for i, choice in enumerate(_choices(v)):
        out[FIRST_CHOICE + i] = _button(*choice)


def _settle_label(v):
    paid, tapped = screen.settles(v)
    words = [v.texts.get("next.settle", paid)] if paid or not tapped else []
    return " ".join(words + ([v.texts.get("next.tap", tapped)] if tapped else []))


def _button(style, key, value, label):
    return "%s%s%d %s" % (style, key, value, label)


def _choices(v):
    """Return the buttons that are not always there, as (style, key, value, label)."""
    if v.desk.floor:
        return _floor(v)
    if v.fault or v.turning:
        return []
    kind = v.now.kind
    if kind == "bet" and v.desk.seat:
        return _amounts(v)
    if kind == "decide":
        return _decisions(v)
    if kind in ("discard", "settle") and proposal.turned(v.m):
        held = v.m.r.cards[proposal.turned(v.m)]
        return [(PLAIN, t.CARD, i, cards.name(c)) for i, c in enumerate(held)]
    if proposal.to_touch(v.m, v.desk, v.now):
        return _cards(v)
    if kind == "closed":
        return [
            (GUARDED, t.MENU, touch.FLOOR.index(line), _entry(v, line)) for line in touch.OPENS
        ]
    return []


def _amounts(v):
    out = []
    for i, wager in enumerate(v.m.game.WAGERS):
        style = ON if v.desk.spot == i else PLAIN
        out.append((style, t.SPOT, i, v.texts.get("wager." + wager)))
    for i, cents in enumerate(_desk.CHIPS):
        out.append((PLAIN, t.CHIP, i, money(cents)))
    return out


def _cards(v):
    """Return ranks from the ace down, what erases the last card, and the suits."""
    out = []
    for i in range(touch.SUIT - 1, -1, -1):
        label = v.texts.get("rank." + cards.RANKS[i], default=cards.RANKS[i])
        style = ON if len(v.desk.typed) % 2 and v.desk.typed[-1] == cards.RANKS[i] else PLAIN
        out.append((style, t.CARD, i, label))
    out.append((PLAIN, t.ERASE, 0, v.texts.get("key.erase")))
    for i, suit in enumerate(cards.SUITS):
        out.append((PLAIN, t.CARD, touch.SUIT + i, v.texts.get("suit." + suit)))
    return out


def _decisions(v):
    seat = proposal.asked(v.desk, v.proposal.wrong)
    if seat not in v.m.r.order[v.m.r.turn :]:
        return []
    chosen = _desk.decision(v.m, v.desk, seat)
    out = []
    for i, action in enumerate(v.m.game.legal(v.m.r, seat, v.m.r.arg())):
        style = ON if action == chosen else PLAIN
        out.append((style, t.ACTION, i, action_text(v.texts, action)))
    return out


def _floor(v):
    out = []
    for i, line in enumerate(touch.FLOOR):
        if not touch.offers(v.m, v.desk, line):
            continue
        style = ON if v.desk.asks == line else GUARDED if line in touch.GUARDED else PLAIN
        out.append((style, t.MENU, i, _entry(v, line)))
    for name, place in touch.places(v.m, v.desk):
        out.append((PLAIN, t.SEAT_KEY, place, v.texts.get("key." + name)))
    return out


def _entry(v, line):
    """Return what the menu calls a command line."""
    return v.texts.get("floor." + line.replace(" SEAT", "").replace(" ", "_"))
