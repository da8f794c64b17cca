"""Where things lie in the checkout; every tool and test asks here."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRMWARE = ROOT / "firmware"
BOARDS = ROOT / "boards"
BUILD = ROOT / "build"
SHIMS = ROOT / "tools" / "shims"
