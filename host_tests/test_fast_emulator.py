"""Without a C compiler the published emulator stays, and people are told why."""

from __future__ import annotations

import pytest

from tools.emulator import fast_emulator


def test_without_a_compiler_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(fast_emulator.CannotBuild, match="no C compiler"):
        fast_emulator.can_compile()


def test_pip_failing_is_a_reason_not_a_traceback() -> None:
    with pytest.raises(fast_emulator.CannotBuild, match="no-such-file"):
        fast_emulator.pip("install", "--no-index", "./no-such-file.whl")
