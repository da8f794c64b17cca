"""Files that tools write and git keeps are what the tools write now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from felt.games.settings import resolve

from tools.games import GAMES
from tools.generate import configs, money_screens, written


def test_every_game_has_an_example_that_opens_a_table() -> None:
    assert written.keep(configs.files(), check=True) == 0
    for game in GAMES:
        settings = json.loads((configs.OUT / f"{game}.json").read_text())
        assert resolve(settings)[0].NAME == game


def test_every_money_screen_is_as_committed() -> None:
    assert written.keep({money_screens.OUT: money_screens.page()}, check=True) == 0


def test_what_is_outdated_is_named_and_then_written(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(written, "ROOT", tmp_path)
    page = tmp_path / "docs" / "page.md"
    assert written.keep({page: "new"}, check=True) == 1 and not page.exists()
    assert "docs/page.md is outdated" in capsys.readouterr().err
    assert written.keep({page: "new"}, check=False) == 0 and page.read_text() == "new"
    assert written.keep({page: "new"}, check=True) == 0
