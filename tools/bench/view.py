"""What can be seen of a round, folded from the firmware's feed of effects.

A feed line is an effect as words, `card 3 Ah`, `pay 3 ante 500 ...`. The bench never looks into
the controller: a card nobody may see yet is known here only as a card face down.
"""

from __future__ import annotations

from typing import Any, Callable

DEALER, BOARD, BURN, DISCARD = 0, 8, 9, 10
PLACES = 11
_KEEP = 400


class View:
    """The felt as its players see it."""

    def __init__(self) -> None:
        self.phase = ""
        self.lines: list[str] = []  # everything heard, newest last
        self.jackpot: int | None = None
        self.forget_round()

    def forget_round(self) -> None:
        self.cards: list[list[str]] = [[] for _ in range(PLACES)]
        self.moves: list[dict[str, Any]] = []  # pay, take, push, return
        self.acts: dict[int, str] = {}
        self.due: list[int] | None = None
        self.ask: dict[str, Any] | None = None
        self.tapped: list[int] = []
        self.latched: list[int] = []
        self.spin: dict[str, int] | None = None
        self.void: str | None = None
        self.bets: dict[int, list[int]] = {}

    def take(self, line: str) -> None:
        """Fold one feed line; unknown ones are kept in `lines` only."""
        self.lines.append(line)
        del self.lines[:-_KEEP]
        words = line.split()
        if not words:
            return
        handler: Callable[[list[str]], None] | None = getattr(self, "_" + words[0], None)
        if handler:
            handler(words[1:])

    def _phase(self, w: list[str]) -> None:
        self.phase = w[0]
        self.due = self.ask = None

    def _check(self, w: list[str]) -> None:
        self.phase = "check " + w[0]

    def _bet(self, w: list[str]) -> None:
        self.bets[int(w[0])] = [int(x) for x in w[1:]]

    def _locked(self, w: list[str]) -> None:
        self.phase = "locked"

    def _latched(self, w: list[str]) -> None:
        self.latched.append(int(w[0]))

    def _due(self, w: list[str]) -> None:
        self.due = [int(x) for x in w[:3]]
        self.ask = None

    def _down(self, w: list[str]) -> None:
        self.cards[int(w[0])].append("##")
        self.due = None

    def _card(self, w: list[str]) -> None:
        """A card becomes visible: dealt face up, or one of the place's down cards is turned."""
        held = self.cards[int(w[0])]
        if self.phase in ("deal", "locked") or "##" not in held:
            held.append(w[1])
            self.due = None
        else:
            held[held.index("##")] = w[1]

    def _ask(self, w: list[str]) -> None:
        self.phase = "decide"
        self.ask = {"seat": int(w[0]), "actions": w[1:]}

    def _act(self, w: list[str]) -> None:
        self.acts[int(w[0])] = w[1]
        self.ask = None

    def _move(self, kind: str, w: list[str]) -> None:
        move = {"kind": kind, "seat": int(w[0]), "wager": w[1], "cents": int(w[2])}
        move["why"] = " ".join(w[3:])
        self.moves.append(move)

    def _pay(self, w: list[str]) -> None:
        self._move("pay", w)

    def _take(self, w: list[str]) -> None:
        self._move("take", w)

    def _push(self, w: list[str]) -> None:
        self._move("push", w)

    def _return(self, w: list[str]) -> None:
        self._move("return", w)

    def _pot(self, w: list[str]) -> None:
        self._move("pay" if w[0] != "0" else "house", [w[0], "pot", w[1], *w[2:]])

    def _to_pot(self, w: list[str]) -> None:
        self._move("take", [w[0], "pot", w[1], *w[2:]])

    def _tapped(self, w: list[str]) -> None:
        self.tapped.append(int(w[0]))

    def _spin(self, w: list[str]) -> None:
        self.spin = {"seat": int(w[0]), "position": int(w[1])}

    def _void(self, w: list[str]) -> None:
        self.void = w[0]
        self.phase = "void"
        self.ask = self.due = None

    def _undone(self, w: list[str]) -> None:
        seat = int(w[1])
        if w[0] == "ACT":
            self.acts.pop(seat, None)
        elif w[0] == "TAP" and seat in self.tapped:
            self.tapped.remove(seat)

    def _over(self, w: list[str]) -> None:
        self.forget_round()
        self.phase = "over"

    def _jackpot(self, w: list[str]) -> None:
        self.jackpot = int(w[0])

    def state(self) -> dict[str, Any]:
        names = ("phase", "cards", "moves", "acts", "due", "ask", "tapped", "latched", "spin")
        out = {name: getattr(self, name) for name in names}
        out.update(void=self.void, jackpot=self.jackpot, bets=self.bets)
        return out
