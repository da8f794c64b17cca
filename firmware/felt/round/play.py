"""Cards and decisions: stages entered in order, each card to the place that is due."""

import micropython
from felt.cards import DECK, UNKNOWN
from felt.games.common import BOARD, BURN, DEALER, UP
from felt.round import draws, payout
from felt.round.due import DEALS, due
from felt.round.events import NO_CARD
from felt.round.flow import ENTER, announce, next_stage, next_turn, resume
from felt.round.state import Refused


def _enter_deal(m, out):
    r = m.r
    r.plan, r.at = m.game.plan(r, r.arg()), 0
    r.stage_from = len(r.slots)
    out.append(("phase", "deal"))
    if draws.count_in_play(r) > len(r.slots):
        m.undo = None  # the decision before has a card on it now
        deliver(m, out)
    else:
        _say_due(r, out)
    return r.at < len(r.plan)


def _enter_turn_up(m, out):
    out.append(("phase", m.r.kind()))
    return True


@micropython.native
def _take_cards(m, cards):
    """Check cards against those people know of; nothing is changed yet.

    The answer may not tell what lies face down: one that was only read there was read wrongly."""
    for i, c in enumerate(cards):
        if c >= DECK and (c != UNKNOWN or m.cfg["card_reader"]):
            raise Refused("bad_card", c)
        if c < DECK and (draws.known(m.r, c) or c in list(cards[:i])):
            raise Refused("duplicate_card")


def _enter_cards(m, cards, out):
    """Take cards that a person typed."""
    draws.doubt(m.r, cards)
    m.r.entered.extend(cards)
    take(m, cards, out)


def need_cards(m):
    """Return the open round that may be given cards."""
    r = m.r
    if r is None or r.void:
        raise Refused("no_card_due")
    if r.recut:
        raise Refused("cut_due")
    if r.stopped:
        raise Refused("stopped")
    return r


def card(m, ev, out):
    """One card entered by hand: to the place due, or held as the next card (G4)."""
    r = need_cards(m)
    if r.dealing == "auto":
        raise Refused("stack_due")
    if due(m).kind not in DEALS and r.all_dealt():
        raise Refused("no_card_due")
    _take_cards(m, ev[1:])
    _enter_cards(m, ev[1:], out)


def stack(m, ev, out):
    """A stack entered by hand: as many cards as are due together."""
    r = need_cards(m)
    if r.dealing != "auto":
        raise Refused("card_due")
    cards = bytes(ev[1:])
    now = due(m)
    size = len(now.places) if now.kind in DEALS else 1
    if len(cards) != size:
        raise Refused("stack_size", len(cards), size)
    if now.kind not in DEALS and r.all_dealt():
        raise Refused("no_card_due")
    _take_cards(m, cards)
    _enter_cards(m, cards, out)


def dealt(m, ev, out):
    """The face-down cards that are due lie there, unread: they are named when they are turned.

    Whether a shoe is there to read them is the application's to know (G6)."""
    r = need_cards(m)
    if m.cfg["card_reader"] and r.dealing == "auto":
        raise Refused("reader_reads")
    now = due(m)
    if now.kind not in DEALS or now.places[0] & UP:
        raise Refused("no_card_due")
    while now.kind in DEALS and not now.places[0] & UP:
        take(m, bytes([UNKNOWN] * len(now.places)), out)
        if r.kind() != "deal":
            return
        now = due(m)


def take(m, cards, out):
    """Cards left the deck: to the places due, or held as the next ones (G4)."""
    r = m.r
    kind = due(m).kind
    if r.dealt == 0:
        out.append(("note", "first_card"))
    for c in cards:
        draws.push(r, c)
    if kind not in DEALS:
        draws.lay(r)
        out.append(("alarm", "drawn_in_error", 0, ""))
        out.append(("log", "drawn_in_error", 0, 0))
    else:
        deliver(m, out)
        follow(m, kind, out)


def follow(m, kind, out):
    """Go on when the last card that was due lies there."""
    r = m.r
    if r.owed:
        return
    if kind == "mend":
        out.append(("note", "dealer_complete"))
    if r.kind() == "deal" and r.at == len(r.plan):
        next_stage(m, out)
    elif r.kind() == "settle":
        payout.again(m, out)
    elif kind == "mend":
        resume(m, out)


@micropython.native
def deliver(m, out):
    """Let drawn cards take the places that are due; only face-up cards are named."""
    r = m.r
    before = len(r.slots)
    draws.deal(r)
    for i in range(before, len(r.slots)):
        place = r.slots[i] & ~UP
        if place == BURN:
            r.owed_burns = 0
        later = sum([1 for s in r.slots[i:] if s & ~UP == place])
        nth = len(r.cards[place]) - later
        if r.slots[i] & UP and r.cards[place][nth] != UNKNOWN:
            out.append(("card", place, r.cards[place][nth]))
        else:
            out.append(("down", place))
    _say_due(r, out)


def _say_due(r, out):
    if r.owed:
        announce(r.owed[:1], out)
    elif r.kind() == "deal" and r.at < len(r.plan):
        announce(r.plan[r.at], out)


def act(m, ev, out):
    """A seat's decision, in its turn."""
    r = m.r
    now = due(m)
    if now.kind != "decide":
        raise Refused("no_decision_due")
    seat, code, named = ev[1], ev[2], ev[3]
    if seat != now.seat:
        raise Refused("not_your_turn", now.seat)
    if code >= len(m.game.ACTIONS):
        raise Refused("illegal_action", seat, code)
    action = m.game.ACTIONS[code]
    if action not in now.choices:
        raise Refused("illegal_action", seat, action)
    if m.typed and r.turn == len(r.order) - 1:
        check_raises(m, {seat: action}, now.choices)
    if m.game.decision(action).pays and draws.unknown(r, seat):
        raise Refused("name_first", seat)
    wrong = m.game.act(r, seat, action, None if named == NO_CARD else named)
    if wrong:
        raise Refused(wrong, seat, named)
    if r.turn == len(r.order) - 1:
        m.accept = 0
    r.acts[seat] += bytes([code])
    out.append(("act", seat, action, r.raised[seat]))
    if action == "fold":
        payout.take_folded(m, seat, out)
    if m.game.decision(action).pays:
        r.paying = seat
        payout.present(m, seat, out)
    else:
        next_turn(m, out)


def check_raises(m, deciding, choices):
    """The last seats decide: chips and entries must agree on every spot of this stage's raises.

    Only what a person enters is held against the spots; a supervisor may overrule them."""
    r = m.r
    if m.accept or not m.cfg["sensors"]:
        return
    decision = m.game.decision
    for spot in [decision(word).spot for word in choices]:
        for seat in r.order if spot else ():
            now = decision(deciding[seat]).spot if seat in deciding else None
            entered = now == spot or r.raise_on(seat, spot)
            there = m.sensors[seat - 1] >> m.game.SPOTS.index(spot) & 1
            if bool(entered) != bool(there):
                raise Refused("sensor_mismatch", seat, spot)


def reveal(m, ev, out):
    """Turn the cards that are due: the next board cards, or the dealer's hand."""
    r = m.r
    now = due(m)
    if now.kind == "stub":
        raise Refused("stub_due")
    if now.kind not in ("show", "reveal"):
        raise Refused("nothing_to_reveal")
    if now.kind == "show":
        have = 0
        while r.visible[BOARD] >> have & 1:
            have += 1
        show(r, BOARD, range(have, have + now.amounts[0]), out)
    else:
        show(r, DEALER, range(len(r.cards[DEALER])), out)
    next_stage(m, out)


def show(r, place, which, out):
    """Turn cards face up; those already seen are not named again."""
    for i in which:
        if not r.visible[place] >> i & 1:
            r.visible[place] |= 1 << i
            r.turned[place] |= 1 << i
            out.append(("card", place, r.cards[place][i]))


ENTER["deal"] = _enter_deal
ENTER["show"] = ENTER["reveal"] = _enter_turn_up
HANDLERS = {"CARD": card, "STACK": stack, "DEALT": dealt, "ACT": act, "REVEAL": reveal}
