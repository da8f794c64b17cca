"""Where things lie: inside the wheel, or in the checkout these tools are part of."""

from __future__ import annotations

import site
from importlib import import_module
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_INSIDE = _HERE / "data"  # of the wheel only
PACKED = _INSIDE.is_dir()
ROOT = _INSIDE if PACKED else _HERE.parent.parent
FIRMWARE = ROOT / "firmware"
BOARDS = ROOT / "boards"
EXAMPLES = ROOT / "configs" if PACKED else ROOT / "tools" / "configs"
WEIGHTS = ROOT / "tools" / "data" / "illustrative_weights.json"
# The room of the pit: beside this one in a checkout, inside it in a wheel.
PIT = f"{__package__}.pit" if PACKED else "tools.pit"
REPORTS = Path("felt-reports") if PACKED else ROOT / "build" / "reports"


def version() -> str:
    """The wheel's; in a checkout that of a release made of it."""
    if PACKED:
        from importlib import metadata  # slow to load, and nothing else here needs it

        return metadata.version("felt-field")
    return str(import_module("tools.image.release").number())


def wheel_name(number: str) -> str:
    """The file of this program in a release's folder."""
    return f"felt_field-{number}-py3-none-any.whl"


def installed() -> str:
    """The file this program was installed from; a checkout's has the number before the first."""
    return wheel_name(version() if PACKED else "0.0.0")


def reach_firmware() -> None:
    """Let `import felt` find the firmware's own checks that the wheel carries."""
    for folder in (ROOT / "shims", FIRMWARE):
        if PACKED:
            site.addsitedir(str(folder))
