"""Paint every screen of the wheel display: pictures for people, hashes for the tests.

tools/generate/screens.py            write docs/screens/*.png and host_tests/data/screens.json
tools/generate/screens.py --check    fail when a hash differs from the committed one; write nothing
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import micropython  # noqa: F401  (viper's names for CPython)
from PIL import Image

from tools.generate.display_views import LANGUAGE, SIZE, STRIP, VIEWS, Glass
from tools.paths import ROOT

PICTURES = ROOT / "docs" / "screens"
HASHES = ROOT / "host_tests" / "data" / "screens.json"
SCALE = 2


def picture(pixels: bytes) -> Image.Image:
    out = bytearray()
    for i in range(0, len(pixels), 2):
        word = pixels[i] << 8 | pixels[i + 1]
        red, green, blue = word >> 11, word >> 5 & 63, word & 31
        out += bytes((red * 255 // 31, green * 255 // 63, blue * 255 // 31))
    return Image.frombytes("RGB", (SIZE, SIZE), bytes(out))


def strip(glass: Any, columns: int = 4) -> Image.Image:
    rows = -(-len(STRIP) // columns)
    sheet = Image.new("RGB", (columns * (SIZE + 4) - 4, rows * (SIZE + 4) - 4), "white")
    for n, view in enumerate(STRIP):
        spot = (n % columns * (SIZE + 4), n // columns * (SIZE + 4))
        sheet.paste(picture(glass.paint(view)), spot)
    return sheet


def main() -> int:
    glass = Glass(str(ROOT / LANGUAGE))
    frames = {name: bytes(glass.paint(view)) for name, view in VIEWS.items()}
    hashes = {name: hashlib.sha256(pixels).hexdigest() for name, pixels in frames.items()}
    if "--check" in sys.argv:
        kept = json.loads(HASHES.read_text())
        wrong = sorted(n for n in kept.keys() | hashes.keys() if kept.get(n) != hashes.get(n))
        for name in wrong:
            print(f"screen {name} differs from {HASHES.name}: look at it, then make screens")
        return 1 if wrong else 0
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, pixels in frames.items():
        large = picture(pixels).resize((SIZE * SCALE, SIZE * SCALE), Image.Resampling.NEAREST)
        large.save(PICTURES / f"{name}.png", optimize=True)
    strip(glass).save(PICTURES / "spin_strip.png", optimize=True)
    HASHES.write_text(json.dumps(hashes, indent=1, sort_keys=True) + "\n")
    print(f"{len(frames)} screens and a strip in {PICTURES.relative_to(ROOT)}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
