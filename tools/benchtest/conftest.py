"""Measurements of a board against limits, for hardware engineers: emulated or real by a flag.

    make bench-test ARGS="--virtual"       the emulated Pico
    make bench-test PORT=/dev/ttyACM0      a real one; the wiring is in the header of each file

Every measurement ends up in one report with plots, build/reports/bench-*.html.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

from tools.field import device, ports
from tools.field.report import Report
from tools.field.trouble import Trouble
from tools.measure.plots import number, plot, samples

START = "import board, machine, time\nmachine.freq(board.FREQ, board.FREQ)\n"
Measure = Callable[..., None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--virtual", action="store_true", help="measure the emulated Pico")
    parser.addoption("--port", help="serial port of a real board")
    parser.addoption("--reports", type=Path, help="folder for the report (build/reports)")


class Target:
    """A board that runs code: `run` returns what it printed, `numbers` that as numbers."""

    def __init__(self, run: Callable[[str], str], fresh: Callable[[], None], name: str) -> None:
        self.name = name
        self._run = run
        self._fresh = fresh

    def run(self, code: str) -> str:
        """Each piece of code meets an empty heap, as the firmware does at power-on."""
        self._fresh()
        return self._run(START + code)

    def numbers(self, code: str) -> list[float]:
        return [float(word) for word in self.run(code).split()]


def emulated() -> Target:
    """A Pico with the whole program, a table that is set up, and the shoe's line looped back."""
    import json

    from tools.emulator.boards_on_usb import table_memory
    from tools.emulator.pico import Fram, Pico

    memory, settings = table_memory("closed")
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(memory))
    pico.uart[1].received = lambda byte: pico.send(1, bytes([byte]))
    pico.run("pass")

    def fresh() -> None:
        pico.boot()

    return Target(pico.run, fresh, "emulated RPI_PICO")


@pytest.fixture(scope="session")
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    if request.config.getoption("--virtual"):
        yield emulated()
        return
    try:
        port = ports.find_port(request.config.getoption("--port"))
        with device.Board(port) as board:
            name, facts = board.check(None)
            yield Target(board.run, board.fresh, f"{name} {facts['id']} at {port}")
    except Trouble as trouble:
        pytest.exit(str(trouble), trouble.code)


_report = Report("Measurements of a board")


@pytest.fixture
def measure(target: Target, request: pytest.FixtureRequest) -> Measure:
    """measure(name, values, unit, most=, least=): judged by the worst value, kept, plotted."""

    about = request.module.__doc__.partition("Wiring: ")
    wiring = f"wiring, {about[0].partition(':')[0].lower()}", " ".join(about[2].split())

    def take(
        name: str,
        values: list[float],
        unit: str,
        most: float | None = None,
        least: float | None = None,
    ) -> None:
        assert values, f"{name}: nothing was measured"
        _report.facts["board"] = target.name
        _report.facts[wiring[0]] = wiring[1]
        worst = max(values) if most is not None else min(values)
        limit = most if most is not None else least
        ok = limit is None or (worst <= limit if most is not None else worst >= limit)
        bound = (
            "" if limit is None else f", {'most' if least is None else 'least'} {number(limit)}"
        )
        words = f"{number(worst)} {unit}{bound}"
        _report.add(name, ok, f"{words} ({samples(values)})")
        _report.figures.append(plot(name, values, unit, limit, least is not None))
        assert ok, f"{name}: {words}"

    return take


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _report.rows:
        print()
        _report.finish("bench", session.config.getoption("--reports"))


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "emulator: runs the image in the RP2040 emulator")
