"""Every refusal, reason, wager, step, note and alarm the round machine can utter has a text."""

from __future__ import annotations

import re

from felt.games.settings import game_module
from felt.round.meters import CAUSES
from felt.round.procedures import STEPS

from tools.games import GAMES
from tools.paths import ROOT

CODE = [*(ROOT / "firmware/felt/round").glob("*.py"), *(ROOT / "firmware/felt/games").glob("*.py")]


def texts() -> set[str]:
    rows = (ROOT / "firmware/lang/en.txt").read_text(encoding="utf-8").splitlines()
    return {row.split(" ", 1)[0] for row in rows if row and not row.startswith("#")}


def uttered(pattern: str) -> set[str]:
    return {word for path in CODE for word in re.findall(pattern, path.read_text())}


def test_every_refusal_has_a_text() -> None:
    codes = uttered(r'Refused\(\s*"(\w+)"')
    codes |= {"equal_ante", "equal_antes", "exact_stake", "spin_closed", "least_ante", "not_held"}
    assert len(codes) > 50
    assert {f"refused.{code}" for code in codes} <= texts()


def test_every_fault_of_generator_and_weights_has_a_text() -> None:
    code = "".join(p.read_text() for p in (ROOT / "firmware/felt/spin").glob("*.py"))
    entropy = set(re.findall(r'"(entropy_\w+)"', code))
    weights = set(re.findall(r'WeightsError\("(\w+)"', code))
    assert len(entropy) == 5 and len(weights) == 4
    assert {f"refused.{c}" for c in entropy} | {f"fault.{c}" for c in weights} <= texts()


def test_every_reason_wager_and_step_has_a_text() -> None:
    keys = {f"reason.{cause}" for cause in CAUSES} | {f"step.{step}" for step in STEPS if step}
    keys |= {f"reason.{n}" for n in range(10)}
    for name in GAMES:
        keys |= {f"wager.{wager}" for wager in game_module(name).METERS}
        keys.add(f"game.{name}")
        keys |= {f"wager.{spot}" for spot in game_module(name).SPOTS}
        keys |= {f"short.{wager}" for wager in game_module(name).WAGERS}
        keys |= {f"action.{word}" for word in game_module(name).ACTIONS}
    said = uttered(r'(?:Line|lost|kept)\([^()]*"(\w+)"\)')
    assert {"fold", "tie", "unqualified"} <= said
    keys |= {f"reason.{word}" for word in said}
    assert keys <= texts()


def test_every_note_and_alarm_has_a_text() -> None:
    keys = {f"note.{word}" for word in uttered(r'\("note", "(\w+)"')}
    keys |= {f"alarm.{word}" for word in uttered(r'\("alarm", "(\w+)"')}
    assert len(keys) > 10 and keys <= texts()
