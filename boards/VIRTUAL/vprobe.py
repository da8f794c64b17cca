"""A probe on the running table for the bench's page: what may be seen, and how the loop is doing.

It listens at the application's own seams (effects, repaint) and sends text; it never changes
anything. A card that lies face down leaves here as ##, like on the terminal.
"""

import json

from vbench import bench

EVERY_US = 1000000
LOOK_US = 50000
_app = [None]
_last = [""]
_due = [0]
_turning = [False]


def attach():
    """Put the probe on the application class before main builds it."""
    from felt.app import App

    init, effect, paint = App.__init__, App._effect, App.paint

    def probed_init(self, *args):
        init(self, *args)
        _app[0] = self

    def probed_effect(self, what):
        bench.send("e", 0, words(what).encode())
        effect(self, what)

    def probed_paint(self):
        paint(self)
        tell(self)

    App.__init__ = probed_init
    App._effect = probed_effect
    App.paint = probed_paint
    bench.services.append(_health)


def words(effect):
    """An effect as one line: names and numbers, cards as text."""
    from felt import cards

    parts = []
    for i, part in enumerate(effect):
        if effect[0] == "card" and i == 2:
            part = cards.name(part)
        elif isinstance(part, tuple):
            part = "%d:%d" % part
        parts.append(str(part).replace(" ", "_") if i < len(effect) - 1 else str(part))
    return " ".join(parts)


def tell(app):
    """Send the picture when it changed."""
    text = json.dumps(picture(app))
    if text != _last[0]:
        _last[0] = text
        bench.send("n", 0, text.encode())


def picture(app):
    """The table as people around it may know it."""
    from felt.round.procedures import shuffler

    table = app.table
    m = table.machine
    out = {"fault": table.fault, "detail": table.detail}
    if m is None:
        return out
    out["phase"] = m.phase_name()
    for name in ("why", "round_no", "dealing", "button", "bets", "since_stub", "keys", "boots"):
        out[name] = getattr(m, name)
    out["sensors"] = list(m.sensors)
    out["amounts"] = _amounts(app.desk.reader)
    out["shuffler"] = shuffler(m)
    out["jackpot"] = m.meters.jackpot if m.meters.seed else None
    out["due"] = waits_for(m)
    if m.r:
        _round(m, out)
    return out


def _amounts(reader):
    """What a chip reader has told: [seat, spot, cents] of every spot with chips; None without."""
    if not (reader and reader.connected):
        return None
    places = [(seat, spot) for seat in range(1, 8) for spot in range(8)]
    return [
        [seat, spot, reader.cents(seat, spot)] for seat, spot in places if reader.told(seat, spot)
    ]


def waits_for(m):
    """What the table waits for, without the money: that is in the lines."""
    from felt.games.common import UP
    from felt.round.due import due

    now = due(m)
    out = {"kind": now.kind, "seat": now.seat, "choices": list(now.choices)}
    out["places"] = [place & ~UP for place in now.places]
    return out


def _round(m, out):
    from felt.dealer.screen import shown

    r = m.r
    out["cards"] = [shown(r, place).split() for place in range(11)]
    for name in ("raised", "pays", "face_up", "dealt"):
        out[name] = getattr(r, name)
    for name in ("status", "tapped", "late"):
        out[name] = list(getattr(r, name))
    out["asked"] = _asked(m)
    out["lines"] = [_line(ln) for ln in r.lines]


def _asked(m):
    """Chips the terminal asks to move, of every seat that is not settled yet."""
    from felt.dealer import proposal

    out = []
    for seat in proposal.to_settle(m):
        for ln in proposal.lines_of(m, seat):
            kind = "pay" if ln.net > 0 else "take" if ln.net < 0 else "push"
            out.append([seat, kind, ln.wager, abs(ln.net)])
    return out


def _line(ln):
    odds = "%d to %d" % ln.odds if ln.odds else ""
    return [ln.seat, ln.wager, ln.stake, ln.net, odds, ln.rule, str(ln.reason)]


def _health(now):
    """Once a second: how late the loop comes round; at once: whether the wheel turns."""
    turning = bool(_app[0] and _app[0].turning())
    if turning != _turning[0]:
        _turning[0] = turning
        bench.send("t", 0, bytes([turning]))
    if now >= _due[0]:
        _due[0] = now + EVERY_US
        app = _app[0]
        if app:
            import gc

            worst = {"counts": app.latency.counts, "worst": app.latency.worst}
            worst["free"] = gc.mem_free()
            worst["queue"] = app.queue.most
            worst["p999"] = app.latency.quantile(999)
            bench.send("y", 0, json.dumps(worst).encode())
    return now + LOOK_US
