"""One program at a time in a folder of its own state."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO


def claim(folder: Path, who: str) -> IO[str]:
    """Keep the folder to this process while the file is open; OSError when another has it."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OSError(f"another {who} runs in {folder}; give this one its own --state") from None
    return lock
