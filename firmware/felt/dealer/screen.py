"""What the terminal shows: a pure picture of state and desk, repainted after every event.

One row a wager moved, the cards first; texts and amounts are made to fit, never cut.
"""

from felt.dealer import desk as _desk
from felt.dealer import proposal
from felt.dealer.words import (
    action_text,
    command_text,  # noqa: F401  (for the application)
    money,
    odds_text,
    place_name,
    reason_text,
    refusal,
    seats_text,
    shown,
)
from felt.games.bonus_spin import TOP
from felt.games.common import BOARD, DEAD, DEALER, DISCARD, FOLDED, UP, VOID, winnings
from felt.link.terminal import COLUMNS, ROWS
from felt.round import decks, events
from felt.round.due import SPUN

BESIDE = 3  # rows of money with which every seat still has its row


class View:
    """Everything a picture is made from: machine, desk, words, and what is in the way."""

    def __init__(self, m, desk, texts, every, fault=None, turning=False):
        self.m = m
        self.desk = desk
        self.texts = texts
        self.fault = fault
        self.turning = turning
        self.proposal = proposal.propose(m, desk, every)
        self.now = self.proposal.now


def prompt(v):
    """Return the one thing the table waits for, in words."""
    texts, now = v.texts, v.now
    kind = now.kind
    if v.turning:
        return texts.get("notice.turning")
    if kind == "check":
        return texts.get("step." + now.choices[0])
    if kind == "closed":
        return texts.get("prompt.closed." + now.choices[0])
    if kind == "deal":
        return _delivery(now.places, texts)
    if kind == "stop":
        told = now.amounts[1:] if now.choices == ("said",) else now.amounts
        return texts.get("prompt.stop." + now.choices[0], *told)
    if kind in ("mend", "name"):
        where = place_name(texts, now.places[0] & ~UP)
        return texts.get("prompt." + kind, where, *now.amounts)
    if kind == "show":
        return texts.get("prompt.show", now.amounts[0])
    if kind in SPUN:
        return _won(v)
    if kind == "decide":
        words = [action_text(texts, word) for word in now.choices]
        return texts.get("prompt.decide", now.seat, " ".join(words))
    if kind == "void":
        return texts.get("prompt.void", reason_text(texts, v.m.r.void))
    if kind == "reveal" and v.m.r.status[DEALER] == DEAD:
        return texts.get("prompt.reveal_dead")
    return texts.get("prompt." + kind, now.seat)


def _delivery(places, texts):
    where = place_name(texts, places[0] & ~UP)
    if len(places) > 1:
        return texts.get("prompt.stack", len(places), where)
    return texts.get("prompt.card_up" if places[0] & UP else "prompt.card", where)


def _won(v):
    """Say what this spin pays its player; a prize paid by hand is not paid again."""
    now = v.now
    if now.kind == "hand_pay":
        prize = v.m.wheel.prize_name or money(now.amounts[1])
        return v.texts.get("prompt.hand_pay", now.seat, prize)
    pays = spin_pays(v.m, now)
    mine = [cents for seat, cents in pays if seat == now.seat]
    if not mine:
        return v.texts.get("prompt.hand_paid", now.seat)
    return v.texts.get("prompt.spun", now.seat, money(mine[0]))


def spin_pays(m, now):
    """Return (seat, cents) of what this spin alone pays and is still to be paid."""
    from felt.round.spins import latched

    pays, community = m.wheel.pays, m.wheel.community
    position = now.places[0]
    out = []
    if now.kind == "hand_pay":
        out.append((now.seat, now.amounts[1]))
    elif position != TOP:
        out.append((now.seat, pays[position - 1]))
    share = community[position - 1]
    for seat in latched(m.r):
        if share and seat != now.seat:
            out.append((seat, share))
    return out


def books(v):
    """Return in one row what NEXT will book, or what is missing."""
    p = v.proposal
    if p.wrong and v.now.kind in ("bet", "decide", "stub"):
        return refusal(v.texts, p.wrong, v.m)
    if _desk.unread(v.m, v.desk, v.now):
        return v.texts.get("books.card" if v.now.places[0] & UP else "books.dealt")
    if v.now.kind == "decide":
        return decisions_row(v)
    if proposal.stub_voids(v.m, v.desk, v.now):
        return v.texts.get("books.stub_void", v.desk.typed)
    if v.now.kind == "bet":
        return v.texts.get("books.bet", *_stakes(v))
    for seat in proposal.to_settle(v.m) if v.now.kind in ("settle", "tap") else ():
        wrong = _desk.paid_wrong(v.m, v.desk, seat, proposal.lines_of(v.m, seat))
        if wrong:
            return refusal(v.texts, wrong, v.m)
    if v.now.kind == "settle" and len(p.events) > 1:
        paid, tapped = settles(v)
        text = v.texts.get("books.settle", seats_text(v.texts, paid))
        return text + (", " + v.texts.get("next.tap", tapped) if tapped else "")
    turned = proposal.turned(v.m) if v.now.kind == "settle" else 0
    return v.texts.get("books.discard", turned) if turned else ""


def settles(v):
    """Return the seats NEXT settles as words, and the one it taps or 0."""
    found = [events.unpack(e) for e in v.proposal.events]
    tapped = [args[0] for name, args in found if name == "TAP"]
    paid = [str(args[0]) for name, args in found if name == "PAID" and args[0] not in tapped]
    return " ".join(paid), tapped[0] if tapped else 0


def standing(m, seat):
    """Return what a seat still has on the felt of its wagers: a fold's are taken at once, those of
    a hand out of the round go back."""
    gone = list(m.game.METERS if m.r.booked[seat] else ())
    if m.r.status[seat] == FOLDED and m.game.POT:
        gone += [wager for wager in m.game.WAGERS if wager not in m.game.METERS]
    elif m.r.status[seat] == FOLDED:
        gone += list(m.game.fold_takes(m.cfg))
    elif m.r.status[seat] in (VOID, DEAD):  # what was returned, as far as the felt tells
        left = m.game.DEAD_KEEPS if m.r.status[seat] == DEAD else ()
        lie = m.sensors[seat - 1] if m.cfg["sensors"] else 255
        gone += [w for i, w in enumerate(m.game.WAGERS) if w not in left and not lie >> i & 1]
    return [0 if w in gone else cents for w, cents in zip(m.game.WAGERS, m.r.bets[seat])]


def settled(v, seat):
    """True for a seat whose chips were moved; what went into a pot still lies there."""
    m = v.m
    return bool(m.r.booked[seat]) and not (m.game.POT and v.now.kind in ("settle", "pot"))


def _stakes(v):
    seats = 0
    total = 0
    for seat in range(1, v.m.cfg["seats"] + 1):
        amounts = _desk.wagers(v.m, v.desk, seat)
        seats += 1 if any(amounts) else 0
        total += sum([cents or 0 for cents in amounts])
    return seats, money(total)


def decisions_row(v):
    """Return "2 3x  4 1x  6 FOLDS", by decision where that is too long: that always fits."""
    found = [
        (seat, action_text(v.texts, action) if action else "?")
        for seat, action in proposal.decisions(v.m, v.desk)
    ]
    row = "  ".join(["%d %s" % each for each in found])
    if len(row) <= COLUMNS:
        return row
    groups = []
    for _, word in found:
        if word not in [each[0] for each in groups]:
            groups.append((word, " ".join([str(s) for s, w in found if w == word])))
    return "  ".join(["%s: %s" % each for each in groups])


def wagers_text(m, texts, amounts):
    """Return wagers by their letters; those of the same amount stand together: "AX $25 S $5"."""
    groups = []
    for i, cents in enumerate(amounts):
        if cents == 0:
            continue
        letter = texts.get("short." + m.game.WAGERS[i])
        same = [each for each in groups if each[1] == cents]
        if same:
            same[0][0] += letter
        else:
            groups.append([letter, cents])
    return " ".join(["%s %s" % (g[0], "?" if g[1] is None else money(g[1])) for g in groups])


def seat_rows(v, seat):
    """Return one seat in one row, or two where one is too short."""
    m, texts, r = v.m, v.texts, v.m.r
    if r is None:
        amounts = _desk.wagers(m, v.desk, seat) if v.now.kind == "bet" else m.bets[seat] or ()
        booked = list(amounts) == (m.bets[seat] or [0] * len(amounts))
        return ["%d%s%s" % (seat, " " if booked else "~", wagers_text(m, texts, amounts))]
    if not r.bets[seat]:
        return [" ".join(["%d" % seat] + round_words(v, seat))]
    done = settled(v, seat)
    wagered = "" if done else wagers_text(m, texts, standing(m, seat))
    if done and r.status[seat] != FOLDED:
        wagered = texts.get("status.settled")
    first = ("%d %s" % (seat, wagered)).strip()
    rest = " ".join(round_words(v, seat))
    if len(first) + 1 + len(rest) <= COLUMNS:
        return [first + " " + rest]
    return [first, "  " + rest]


def round_words(v, seat):
    """Return what a seat has come to in this round: raise, cards, state."""
    r = v.m.r
    parts = []
    if r.raised[seat] and not settled(v, seat) and r.status[seat] != FOLDED:
        parts.append("+%s" % money(r.raised[seat]))
    if r.status[seat] in (FOLDED, VOID, DEAD):
        parts.append(v.texts.get("status.%d" % r.status[seat]))
    elif r.cards[seat]:
        parts.append(shown(r, seat))
    if r.tapped[seat]:
        parts.append("*")
    if r.late[seat]:
        parts.append(v.texts.get("status.late"))
    return parts


def line_row(texts, ln):
    """Return one settled wager: the chips to move, the odds or the limit that cut what they give,
    and why where there is room."""
    key = "line.pay" if ln.net > 0 else "line.take" if ln.net < 0 else "line.push"
    amount = money(abs(ln.net) if ln.net else ln.stake)
    row = texts.get(key, texts.get("wager." + ln.wager), amount)
    odds = odds_text(ln.odds) if ln.odds else ""
    if ln.odds and ln.net < winnings(ln.stake, ln.odds):
        odds = texts.get("line.limit")
    for more in (odds, reason_text(texts, ln.reason)):
        if more and len(row) + 1 + len(more) <= COLUMNS:
            row += " " + more
    return row


def money_rows(v):
    """Return the rows of chips to be moved now; none while the wheel turns."""
    m, now, texts = v.m, v.now, v.texts
    if m.r is None or v.turning:
        return []
    if now.kind == "pot":
        return pot_rows(m, texts) + return_rows(v)
    if now.kind == "void":
        stakes = [(s, m.r.returned[s]) for s in m.r.seats if m.r.returned[s]]
        return [texts.get("line.return", s, money(cents)) for s, cents in stakes]
    if now.kind in SPUN:
        return [texts.get("line.spin", s, money(cents)) for s, cents in spin_pays(m, now)]
    if now.kind in ("settle", "tap"):
        return [line_row(texts, ln) for ln in proposal.lines_of(m, now.seat)] + return_rows(v)
    return collect_rows(v) + return_rows(v)


def return_rows(v):
    """Return what goes back to seats that are out of the round, while chips of theirs lie there
    or nothing can tell."""
    m, r = v.m, v.m.r
    out = []
    for seat in r.seats:
        if r.status[seat] not in (VOID, DEAD) or v.now.kind == "collect":
            continue
        left = m.game.DEAD_KEEPS if r.status[seat] == DEAD else ()
        stakes = [(w, s) for w, s in m.game.stakes(r, seat) if w not in left]
        spots = [i for i, w in enumerate(m.game.WAGERS) if r.bets[seat][i] and w not in left]
        if raise_lies(v, seat) or any(
            [_desk.seen(m, v.desk, seat, i) is not False for i in spots]
        ):
            out.append(v.texts.get("line.return", seat, money(sum([s for _, s in stakes]))))
    return out


def raise_lies(v, seat):
    """True while chips of a seat's raise lie there, or nothing can tell."""
    m = v.m
    spots = [i for i, w in enumerate(m.game.SPOTS) if w in m.game.RAISES and m.r.raise_on(seat, w)]
    return any([_desk.seen(m, v.desk, seat, i) is not False for i in spots])


def collect_rows(v):
    """Return what is to be collected at once: Bonus Spin at the lock, what a fold loses."""
    m, r, texts = v.m, v.m.r, v.texts
    out = []
    if r.dealt == 0 and m.game.LATCH:
        seats = [str(s) for s in r.seats if r.stake(s, m.game.LATCH)]
        if seats:
            name = texts.get("wager." + m.game.LATCH)
            out.append(texts.get("collect.latch", name, seats_text(texts, " ".join(seats))))
    if v.now.kind in ("discard", "collect"):
        return out
    if v.now.kind == "reveal" and m.game.POT:
        there = [m.game.stakes(r, s) for s in r.seats if r.status[s] not in (VOID, DEAD)]
        pot = sum([cents for each in there for w, cents in each if w == m.game.POT])
        return out + [texts.get("collect.pot_all", money(pot))]
    return out + _fold_rows(v)


def _fold_rows(v):
    """Return what folds lose: by seat while its chips lie there, in one row where nothing can
    tell."""
    m, r, texts = v.m, v.m.r, v.texts
    out = []
    unseen = []
    takes = (m.game.POT,) if m.game.POT else m.game.fold_takes(m.cfg)
    for seat in [s for s in r.seats if r.status[s] == FOLDED]:
        lost = [(w, s) for w, s in m.game.stakes(r, seat) if w in takes]
        spots = [w for w, _ in lost]
        if m.game.POT:
            spots = [w for w in m.game.SPOTS if w not in m.game.METERS]
        there = [_desk.seen(m, v.desk, seat, m.game.SPOTS.index(w)) for w in spots]
        total = sum([cents for _, cents in lost])
        if any(there) and m.game.POT:
            out.append(texts.get("collect.pot", seat, money(total)))
        elif any(there):
            names = ", ".join([texts.get("wager." + w) for w in spots])
            out.append(texts.get("collect.fold", seat, names, money(total)))
        elif None in there:
            unseen.append((str(seat), total))
    if unseen and not r.settling:
        seats = seats_text(texts, " ".join([seat for seat, _ in unseen]))
        key = "collect.pot_folds" if m.game.POT else "collect.folds"
        out.append(texts.get(key, seats, money(sum([cents for _, cents in unseen]))))
    return out


def pot_rows(m, texts):
    """Return who gets the pot, in chips to move, then commission and the house's share."""
    lines, commission, house = m.game.finish(m.r)
    out = []
    for ln in lines:
        award = ln.stake + ln.net
        if award:
            out.append(texts.get("pot.to", ln.seat, money(award), reason_text(texts, ln.reason)))
    if not out:
        out.append(texts.get("pot.dealer"))
    out.append(texts.get("pot.commission", money(commission)))
    out.append(texts.get("pot.house", money(house)))
    return out


def felt_rows(v):
    """Return board, dealer's hand and discard rack, as far as they may be seen."""
    r = v.m.r
    out = []
    if r:
        for place, key in ((BOARD, "board"), (DEALER, "dealer"), (DISCARD, "rack")):
            if r.cards[place]:
                dead = place == DEALER and r.status[DEALER] == DEAD
                row = v.texts.get("row." + key, shown(r, place))
                out.append(row + " " + v.texts.get("status.%d" % DEAD) if dead else row)
    return out


def screen(v):
    """Yield the terminal's rows for the table as it stands, which must not change meanwhile."""
    left = ROWS - 1
    for row in _body(v):
        if left:
            left -= 1
            yield row[:COLUMNS]
    while left:
        left -= 1
        yield "" if left else _hint(v)[:COLUMNS]
    yield foot(v)[:COLUMNS]


def _hint(v):
    """Return the words that can be typed now."""
    phase = v.texts.get("hint." + v.m.phase_name(), default="")
    return v.texts.get("hint." + v.now.kind, default=phase)


def title(v):
    """Return the first row: the game and the number of the round."""
    name = v.texts.get("game." + v.m.game.NAME).upper()
    return v.texts.get("row.title", name, v.m.round_no + 1)


def _body(v):
    m, texts = v.m, v.texts
    yield title(v)
    if v.fault:
        yield texts.get("fault." + v.fault)
        yield texts.get("todo.fault")
    else:
        yield prompt(v)
    if books(v) and not v.fault:
        yield books(v)
    settling = v.now.kind in ("settle", "tap") and v.now.amounts
    if settling:
        yield texts.get("row.seat", v.now.seat, shown(m.r, v.now.seat))
    for row in felt_rows(v):
        yield row
    moves = money_rows(v)
    for row in moves:
        yield row
    if not settling and v.now.kind != "void" and len(moves) <= BESIDE:
        for seat in range(1, m.cfg["seats"] + 1):
            for row in seat_rows(v, seat):
                yield row


def foot(v):
    """Return the last row: the jackpot, the button, the deck in play."""
    m, texts = v.m, v.texts
    if m.cfg["demonstration"]:
        return texts.get("row.demonstration")
    parts = []
    if m.meters.seed:
        if not v.turning:
            v.desk.jackpot = m.meters.jackpot
        if v.desk.jackpot:  # after a power cut not before the wheel stands
            parts.append(texts.get("row.jackpot", money(v.desk.jackpot)))
    if m.game.BUTTON:
        parts.append(texts.get("row.button", place_name(texts, m.button)))
    if m.cfg["second_deck"]:
        parts.append(texts.get("row.deck", decks.in_hand(m) + 1))
    if m.cfg["illustrative"]:
        parts.append(texts.get("row.illustrative"))
    return "  ".join(parts)
