"""What people read at the end: outcome, progress, plots."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tools.field.report import TODO, Bar, Report
from tools.measure import plots


def test_outcome_summary_and_files(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    report = Report("Flashing a table", {"version": [1, 28, 0], "label": "<b>"})
    report.add("copied", True, "3 files")
    report.add("shoe", TODO, "does not answer")
    assert report.outcome == "PASS" and report.finish("flash", tmp_path) == 0
    report.add("fram", False, "not fitted")
    assert report.finish("flash", tmp_path) == 1
    assert "FAIL  Flashing a table" in capsys.readouterr().out
    (data,) = tmp_path.glob("*.json")
    assert [row["outcome"] for row in json.loads(data.read_text())["rows"]] == [
        "PASS",
        "TO DO",
        "FAIL",
    ]
    page = data.with_suffix(".html").read_text()
    assert "1 of 3 passed; FAIL: fram; TO DO: shoe" in page
    assert "1.28.0" in page and "&lt;b&gt;" in page and "http" not in page


def test_the_bar_is_for_terminals_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    Bar("copying")(1, 2)
    assert capsys.readouterr().err == ""
    reader, writer = os.openpty()
    with os.fdopen(writer, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        bar = Bar("copying")
        bar(1, 2)
        bar(2, 2)
        terminal.flush()
        shown = ""
        while not shown.endswith("\n"):  # a terminal hands on what it has, in parts
            shown += os.read(reader, 1000).decode()
    os.close(reader)
    assert " 50 %" in shown and "100 %" in shown and shown.endswith("\n")


@pytest.mark.parametrize("value", [0.0013, 0.7, 1, 26.5, 249, 1000, 10001, 123456])
def test_the_axis_ends_just_above_what_is_drawn(value: float) -> None:
    assert value <= plots.nice(value) <= 2 * value


def test_a_plot_says_span_limit_and_its_direction() -> None:
    figure = plots.plot("frames", [26.5, 28], "1/s", 25, least=True)
    assert "26.5 to 28 1/s, 2 samples" in figure and "least 25" in figure
    assert "<rect" in plots.plot("all", [41], "ms", 250) and "most 250" in plots.plot(
        "all", [41], "ms", 250
    )
    assert "0 bytes, 3 samples" in plots.plot("errors", [0, 0, 0], "bytes", 0)
