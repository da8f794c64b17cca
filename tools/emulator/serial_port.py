"""A serial port with an emulated board behind it, for tools that talk to a real one (mpremote).

with SerialPort(Pico(files)) as port:
    subprocess.run(["mpremote", "connect", port.path, "ls"])
"""

from __future__ import annotations

import contextlib
import os
import pty
import select
import threading
import tty
from types import TracebackType
from typing import TYPE_CHECKING, Callable

from tools.emulator.pico import Pico

if TYPE_CHECKING:
    from typing_extensions import Self

SLICE_MS = 1.0
IDLE_S = 0.001  # an idle board must not take the processor from the tool that talks to it


class SerialPort:
    """Runs the board in a thread and joins its USB console to a pty; `path` is the port's name.

    `unplug()` makes the port vanish at once, as a pulled cable does. No other pty gets its name
    before the `with` block is left: a tool would talk to another test's board. Touch `pico` only
    after that, or while it is held; `error` is what stopped the board early, say a PowerCut.
    """

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.error: Exception | None = None
        self._stopping = threading.Event()
        self._until: Callable[[Pico], bool] = lambda pico: False
        self._held = threading.Event()
        self._go = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.unplug()
        os.close(self._slave)

    def hold(self, until: Callable[[Pico], bool], seconds: float = 120) -> None:
        """Return when `until` is true of the board, which stands still until `go()`."""
        self._go.clear()
        self._until = until
        assert self._held.wait(seconds), "the board never came to where it was to be held"

    def go(self) -> None:
        self._held.clear()
        self._go.set()

    def unplug(self) -> None:
        if not self._stopping.is_set():
            self._stopping.set()
            self._go.set()
            self._thread.join()
            os.close(self._master)

    def _serve(self) -> None:
        sent = len(self.pico.output)
        try:
            while not self._stopping.is_set():
                sent = self._step(sent)
        except Exception as error:
            self.error = error

    def _step(self, sent: int) -> int:
        """A slice of the board's time; returns how much of its output was passed on so far."""
        typed = self._typed(IDLE_S if self.pico.mcu.core.waiting else 0)
        if typed:
            self.pico.type(typed)
        self.pico.run_for(SLICE_MS)
        if self._until(self.pico):
            self._until = lambda pico: False
            self._held.set()
            self._go.wait()
        return self._pass_on(sent)

    def _typed(self, seconds: float) -> bytes:
        """What the tool wrote; a board that sleeps has time to wait for it."""
        readable, _, _ = select.select([self._master], [], [], seconds)
        return os.read(self._master, 4096) if readable else b""

    def _pass_on(self, sent: int) -> int:
        """What finds no room is kept: of a tool that was ended nobody makes any."""
        if len(self.pico.output) > sent:
            with contextlib.suppress(BlockingIOError):
                sent += os.write(self._master, bytes(self.pico.output[sent : sent + 4096]))
        return sent
