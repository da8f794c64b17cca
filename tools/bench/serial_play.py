"""Plays scripts at a real board and says in one sentence what stopped them."""

from __future__ import annotations

import time
from pathlib import Path

from tools.bench import reading, real_script
from tools.bench.routines import NoTable
from tools.bench.runner import Runner
from tools.bench.script import ScriptError, Statement, load, table_of
from tools.bench.serial_table import RealTable
from tools.bench.session import SCRIPTS

TICK_S = 0.005


def _rest() -> None:
    time.sleep(TICK_S)


def statements_of(path: Path | None, table: RealTable) -> list[Statement]:
    """The script, checked against this table; without a file the demo of the table's game."""
    path = path or SCRIPTS / f"{table.game}.felt"
    statements = load(path)
    if any(statement.verb == "table" for statement in statements):
        phase, prompt = (table.picture or {})["phase"], table.terminal.rows[reading.PROMPT]
        why = real_script.mismatch(table_of(statements), table.game, phase, prompt)
        if why:
            raise ScriptError(f"{path.name}: {why}")
    return statements


def play(path: Path | None, terminal: str, shoe: str | None) -> str:
    """Play one script; return what went wrong, or nothing."""
    if path:
        real_script.check(load(path), bool(shoe))
    table = RealTable(terminal, shoe)
    try:
        table.meet(_rest)
        statements = statements_of(path, table)
        real_script.check(statements, bool(shoe))
        runner = Runner(statements, table)
        runner.listen = lambda text: print("  " + text, flush=True)
        return _run(runner, table)
    finally:
        table.close()


def _run(runner: Runner, table: RealTable) -> str:
    try:
        while not runner.done:
            table.live()
            runner.step(table.now)
            _rest()
    except NoTable as error:
        error.args = (f"{runner.current}: {error}",)
        raise
    return runner.error
