"""Which picture the wheel display shows: a function of the table's state and the time."""

from felt.program import version
from felt.round.due import SPUN, due
from felt.round.state import CLOSED
from felt.ticks import diff
from felt.wheel import motion

LOOK = 80  # ms from one picture to the next where the wheel does not turn
RATE = 60  # pictures a second where it does: as many as the panel shows
CELEBRATION = 4000  # ms a top prize is celebrated before the screen asks for the attendant


class WheelDisplay:
    """Feeds a Screens painter one band at a time. The spin's clock starts when it is first seen,
    so after a power cut the same spin is shown again and ends on the same position."""

    def __init__(self, screens):
        self._screens = screens
        self.turns = False  # the picture being painted is of a turning wheel
        self._since = 0
        self._resting = 1  # position the wheel was last seen at
        self._key = None
        self._looked = None
        self._number = 0  # of the turning wheel's picture: its time at RATE
        self._seen = None  # what the view was made from
        self._fault = None
        self._view = None
        self._spin = False  # the view is of a spin, turning or won
        self._done = None  # (seat, position) of the spin that was shown to its end

    def step(self, app, now):
        """Paint on; between pictures look at the table again. True if it is to be called again
        soon: there is more to paint or the panel is being sent to."""
        screens = self._screens
        if screens.step():
            return True
        if self._seen != app.changes or self._fault != app.table.fault:
            self._look(app, now)
            self._show(now)
            return True  # what is new is arranged by the next call
        if not self._due(now):
            return False
        self._show(now)
        return screens.step()

    def _show(self, now):
        self._looked = now
        self._time(diff(now, self._since))
        self._screens.show(self._view)

    def _due(self, now):
        """Whether it is time for the next picture."""
        if not self.turns:
            return diff(now, self._looked) >= LOOK
        number = diff(now, self._since) * RATE // 1000
        if number == self._number:
            return False
        self._number = number
        return True

    def _look(self, app, now):
        """Make the view anew; its time goes on unless it is another picture."""
        self._seen = app.changes
        self._fault = app.table.fault
        view = self._view = self._picture(app)
        self._spin = view["mode"] == "spin"
        key = (view["mode"], view.get("seat"), view.get("position"))
        if key != self._key:
            self._key = key
            self._since = now

    def _time(self, elapsed):
        """Set how long the picture is shown; a spin that is over becomes a win."""
        view = self._view
        self.turns = self._spin and elapsed < motion.DURATION
        if not self._spin:
            self._done = None
        elif not self.turns:
            self._done = (view["seat"], view["position"])
            self._resting = view["position"]
            elapsed -= motion.DURATION
            mode = "handpay" if view["locked"] and elapsed >= CELEBRATION else "win"
            if view["mode"] != mode:
                view = self._view = dict(view, mode=mode)
        view["elapsed"] = elapsed

    def turning(self, m):
        """True while a spin is drawn that was not yet shown to its end."""
        now = due(m)
        return now.kind in SPUN and self._done != (now.seat, now.places[0])

    def _picture(self, app):
        table, m = app.table, app.table.machine
        if table.fault or m is None:
            text = app.texts.get("fault." + table.fault)
            return {"mode": "fault", "code": table.fault, "lines": (text, table.detail)}
        wheel = m.wheel
        view = {"mode": "attract", "demo": m.cfg["demonstration"] or m.cfg["illustrative"]}
        view["table"] = wheel.name if wheel else None
        if wheel is None or m.phase == CLOSED:
            view["mode"] = "closed" if wheel else "build"
            view["code"] = app.build[:12]
            release = version()
            view["lines"] = (
                app.texts.get("screen.build") + " " + view["code"],
                app.texts.get("screen.release" if release else "screen.unsigned", release),
            )
        if wheel:
            view["jackpot"] = m.meters.jackpot if wheel.seed else wheel.prize
            view["prize_name"] = wheel.prize_name
        now = due(m)
        if now.kind in SPUN:
            self._spun(view, wheel, now)
        return view

    def _spun(self, view, wheel, now):
        position, prize = now.places[0], now.amounts[1]
        view["mode"] = "spin"
        view["seat"] = now.seat
        view["start"], view["position"] = self._resting, position
        view["prize"] = prize or wheel.pays[position - 1]
        view["locked"] = now.kind == "hand_pay"
        view["community"] = wheel.community[position - 1]
