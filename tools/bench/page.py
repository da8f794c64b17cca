"""What one open page was told, and what it has to be told next.

Every page has its own memory of what was sent to it and one task that writes to it: a change can
never count as sent to a page that did not get it, whenever the page was opened.
"""

from __future__ import annotations

import json

from tools.bench.display import Display
from tools.bench.session import Session


class Page:
    """`news()` gives the messages that lead from what the page holds to what is so now."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._hello = ""
        self._told: dict[str, str] = {}  # by key, as the JSON text that was sent
        self._display: Display | None = None
        self._painted = 0
        self.acts = 0  # how many of the page's own actions are done

    def news(self) -> list[str | bytes]:
        """Messages in order; whoever takes them sends them or gives the page up."""
        return [*self._introduction(), *self._state(), *self._pixels()]

    def _introduction(self) -> list[str]:
        """Another table than before: the page forgets the old one, so everything is told again."""
        hello = json.dumps({"t": "hello", **self._session.hello()})
        if hello == self._hello:
            return []
        self._hello, self._told = hello, {}
        return [hello]

    def _state(self) -> list[str]:
        state = {**self._session.state_message(), "done": self.acts}
        now = {key: json.dumps(value) for key, value in state.items()}
        changed = [key for key, text in now.items() if self._told.get(key) != text]
        self._told = now
        if not changed:
            return []
        return ['{"t": "state", ' + ", ".join(f'"{key}": {now[key]}' for key in changed) + "}"]

    def _pixels(self) -> list[bytes]:
        display = self._session.world.display
        if display is not self._display:
            self._display, self._painted = display, 0
        rows = display.rows_since(self._painted)
        self._painted = display.strokes
        return [rows[0].to_bytes(2, "big") + rows[1]] if rows else []
