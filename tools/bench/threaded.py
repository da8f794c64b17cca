"""A virtual table that lives in a thread, for programs that wait for nothing themselves."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

from tools.bench.session import Session
from tools.bench.supervisor import LIMIT_S
from tools.games import FIRST


class Threaded:
    """`with` starts the table and stops it; subclasses say what they join to it."""

    def __init__(self, folder: Path, game: str = FIRST, **options: Any) -> None:
        self.session = Session(folder, game, **options)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Any:
        self._thread.start()
        try:
            self._wait(self._start())
        except BaseException:
            self.__exit__()  # nobody else ends it
            raise
        return self

    def __exit__(self, *ignored: Any) -> None:
        self._wait(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, coroutine: Any, seconds: float = 3 * LIMIT_S) -> Any:
        """What it waits for has limits of its own, and says more when it ends by one."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(seconds)

    async def _start(self) -> None:
        await self.session.start()

    async def _stop(self) -> None:
        await self.session.stop()
