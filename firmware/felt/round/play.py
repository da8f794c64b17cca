"""Cards and decisions: stages entered in order, each card to the place that is due."""

from felt.games.common import BOARD, BURN, DEALER, IN, UP
from felt.round import payout
from felt.round.due import due
from felt.round.events import NO_CARD
from felt.round.flow import ENTER, announce, next_stage, next_turn, resume
from felt.round.state import Refused


def _enter_deal(m, out):
    r = m.r
    r.plan, r.at = m.game.plan(r, r.arg()), 0
    if not r.plan:
        return False
    out.append(("phase", "deal"))
    if r.held is not None:
        card, r.held = r.held, None
        r.dealt -= 1  # it was counted when it was drawn
        m.undo = None  # the decision before has a card on it now
        deliver(m, bytes([card]), out)
        if r.at == len(r.plan):
            return False
    else:
        announce(r.plan[r.at], out)
    return True


def _enter_turn_up(m, out):
    out.append(("phase", m.r.kind()))
    return True


def _take_cards(m, cards):
    """Check cards against the deck; nothing is changed yet."""
    seen = m.r.seen
    for i, c in enumerate(cards):
        if c > 51:
            raise Refused("bad_card", c)
        if seen[c] or c in list(cards[:i]):
            raise Refused("duplicate_card")


def card(m, ev, out):
    """One card from shoe or hand: to the place due, or held as the next card (G4)."""
    r = m.r
    if r is None or r.void:
        raise Refused("no_card_due")
    if r.dealing == "auto":
        raise Refused("stack_due")
    if r.recut:
        raise Refused("cut_due")
    _take_cards(m, ev[1:2])
    kind = due(m).kind
    if kind == "mend":
        _mend_dealer(m, ev[1], out)
    elif kind == "deal":
        deliver(m, ev[1:2], out)
        if r.at == len(r.plan):
            next_stage(m, out)
    else:
        _hold(r, ev[1], out)


def _hold(r, c, out):
    """Keep a card drawn in error, face unseen: it is the next card (G4)."""
    if r.all_dealt() or r.held is not None:
        raise Refused("no_card_due")
    r.seen[c] = 1
    r.dealt += 1
    r.held = c
    out.append(("alarm", "drawn_in_error", 0, ""))
    out.append(("log", "drawn_in_error", 0, 0))


def _mend_dealer(m, c, out):
    r = m.r
    r.seen[c] = 1
    r.dealt += 1
    r.cards[DEALER].append(c)
    r.short -= 1
    out.append(("down", DEALER))
    if not r.short:
        out.append(("note", "dealer_complete"))
        resume(m, out)


def stack(m, ev, out):
    """A stack from the automated shoe: as many cards as are due together."""
    r = m.r
    if r is None or r.void:
        raise Refused("no_card_due")
    if r.dealing != "auto":
        raise Refused("card_due")
    if r.recut:
        raise Refused("cut_due")
    cards = bytes(ev[1:])
    now = due(m)
    size = len(now.places) if now.kind == "deal" else 1
    if len(cards) != size:
        raise Refused("stack_size", len(cards), size)
    _take_cards(m, cards)
    if now.kind != "deal":
        _hold(r, cards[0], out)
        return
    deliver(m, cards, out)
    if r.at == len(r.plan):
        next_stage(m, out)


def deliver(m, cards, out):
    """Put one delivery where the plan says; only face-up cards are named."""
    r = m.r
    places = r.plan[r.at]
    for i, c in enumerate(cards):
        place = places[i] & ~UP
        held = r.cards[place]
        r.seen[c] = 1
        if place == BURN:
            r.owed_burns = 0
        if places[i] & UP:
            r.visible[place] |= 1 << len(held)
            out.append(("card", place, c))
        else:
            out.append(("down", place))
        held.append(c)
    if r.dealt == 0:
        out.append(("note", "first_card"))
    r.dealt += len(cards)
    r.at += 1
    if r.at < len(r.plan):
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
    before = ("ACT", seat, r.stage, r.turn, r.raised[seat], r.order, r.plan, r.at)
    wrong = m.game.act(r, seat, action, None if named == NO_CARD else named)
    if wrong:
        raise Refused(wrong, seat, named)
    r.acts[seat].append(code)
    out.append(("act", seat, action, r.raised[seat]))
    m.undo = before
    if action == "fold":
        payout.take_folded(m, seat, out)
    if m.game.decision(action).pays:
        m.undo = None
        r.paying = seat
        payout.present(m, seat, out)
    else:
        next_turn(m, out)
        if r.kind() in ("settle", "pot", "spin", "collect"):
            m.undo = None


def undo_act(m, last):
    """Put the round back to before a decision; no card was dealt since."""
    r = m.r
    _, seat, r.stage, r.turn, raised, r.order, r.plan, r.at = last
    r.raised[seat] = raised
    r.status[seat] = IN
    r.discarded[seat] = None
    r.acts[seat] = r.acts[seat][:-1]


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
            out.append(("card", place, r.cards[place][i]))


ENTER["deal"] = _enter_deal
ENTER["show"] = ENTER["reveal"] = _enter_turn_up
HANDLERS = {"CARD": card, "STACK": stack, "ACT": act, "REVEAL": reveal}
