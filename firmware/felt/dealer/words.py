"""How the table speaks: money, places, cards and refusals in the words people use."""

from felt import cards
from felt.cards import DECK

DEVICES = ("shoe", "shuffler")

# What a refusal is about, in order: s seat, w wager, m money, c card, p place, d device, a action,
# t step of a checklist, f fault, h what happened to a device; everything else is shown as it is.
ABOUT = (
    ("chip_unit", "swm"), ("limits", "swm"), ("least_ante", "sw"), ("equal_ante", "sw"),
    ("exact_stake", "sw"), ("sensor_mismatch", "sw"),
    ("amount", "sw"), ("touch_amount", "sw"), ("touch_spot", "sw"),
    ("not_held", "sc"), ("illegal_action", "sa"), ("device_blocked", "d"),
    ("no_card_there", "p"), ("exposed_already", "p"), ("count_right", "p"), ("step_order", "t"),
    ("no_lap", "p"), ("named_so", "p"), ("count_there", "p"), ("named_twice", "cpp"),
    ("lies_elsewhere", "cpp"),
    ("bad_card", "c"), ("lies_there", "swm"), ("wrong_raise", "swm"), ("table_fault", "f"),
    ("no_table", "f"),
)  # fmt: skip


def beside(pairs, key):
    """Return the value of a key, or None. A table of constants lies in flash, a dict would not."""
    for each, value in pairs:
        if each == key:
            return value
    return None


def money(cents):
    """Return "$12,000" or "$12.50"; whole dollars without cents."""
    whole, rest = divmod(abs(cents), 100)
    text = str(whole)
    for at in range(len(text) - 3, 0, -3):
        text = text[:at] + "," + text[at:]
    text = "$" + text + (".%02d" % rest if rest else "")
    return "-" + text if cents < 0 else text


def place_name(texts, place):
    """Return the name of a place on the felt."""
    if 1 <= place <= 7:
        return texts.get("place.seat", place)
    return texts.get("place.%d" % place)


def seats_text(texts, seats):
    """Return "seat 3", or "seats 1 3" where there are several numbers."""
    return texts.get("place.seats" if " " in seats else "place.seat", seats)


def card_text(c):
    """Return a card's name; one that nobody has read is ??."""
    return cards.name(c) if c < DECK else "??"


def shown(r, place):
    """Return the cards of a place as the table may see them: face-down ones as ##."""
    out = []
    for i, c in enumerate(r.cards[place]):
        out.append(card_text(c) if r.visible[place] >> i & 1 else "##")
    return " ".join(out)


def odds_text(odds):
    """Return "3 to 2"; odds are never stated with "for" (G9)."""
    return "%d to %d" % odds


def reason_text(texts, reason):
    """Return the reason of a settlement line: a hand category or a word."""
    return texts.get("reason.%s" % reason)


def action_text(texts, action):
    """Return a decision in a word: "3x", "FOLDS"."""
    if action[-1].isdigit():
        return action[-1] + "x"
    return texts.get("does." + action, default=action.upper())


def refusal(texts, e, m=None):
    """Return a refused event as a sentence that says what to do."""
    forms = beside(ABOUT, e.code) or ""
    about = []
    for i, value in enumerate(e.about):
        about.append(worded(texts, forms[i] if i < len(forms) else "", value))
    code, bound = _closer(e, m) if m else (e.code, None)
    if bound is not None:
        about.append(money(bound))
    return texts.get("refused." + code, *about)


def _closer(e, m):
    """Return the text that says a refusal best at this table, and the amount it names or None."""
    if e.code == "limits":
        low, high = m.cfg["limits"][e.about[1]]
        return ("above", high) if e.about[2] > high else ("below", low)
    if e.code == "exact_stake":
        stake = m.game.exact(m.cfg, e.about[1])
        return ("exact_stake" if stake is None else "exactly", stake)
    if e.code == "malformed" and e.about[0] == "STUB":
        return "stub_number", None
    if e.code == "no_seat" and m.r and e.about[0] in m.r.seats:
        return "out_already", None
    return e.code, None


def undone_text(texts, kind, seats):
    """Return what was taken back; the pot is settled as a seat of no number."""
    key = "undone.POT" if kind == "PAID" and seats == "0" else "undone." + kind
    return texts.get(key, seats_text(texts, seats))


def command_text(texts, e):
    """Return what is wrong with a command line; of a wrong use the right one."""
    if e.code == "usage":
        return texts.get("command.usage", texts.get("help." + e.about[0]))
    return texts.get("command." + e.code, *e.about)


def worded(texts, form, value):
    """Return a value as what it stands for: the letters are those of ABOUT."""
    if form == "w":
        return texts.get("wager." + value)
    if form == "m":
        return money(value)
    if form == "p":
        return place_name(texts, value)
    if form == "d":
        return texts.get("device." + DEVICES[value]) if value < len(DEVICES) else value
    if form == "h":
        return texts.get("happened.%d" % value)
    if form == "c":
        return cards.name(value) if value < DECK else "?"
    if form == "a":
        return action_text(texts, value) if isinstance(value, str) else value
    if form == "f":
        return texts.get("fault." + str(value))
    if form == "t":
        return texts.get("step." + value, default=value)
    return value
