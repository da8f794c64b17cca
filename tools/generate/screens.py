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
from felt.wheel import shapes
from felt.wheel.motion import DURATION
from PIL import Image

from tools.generate.display_views import LANGUAGE, STRIP, VIEWS, Glass, kept_as
from tools.paths import ROOT

PICTURES = ROOT / "docs" / "screens"
HASHES = ROOT / "host_tests" / "data" / "screens.json"
SCALE = 2
FILM_MS = 80


def picture(pixels: bytes, shape: Any) -> Image.Image:
    out = bytearray()
    for i in range(0, len(pixels), 2):
        word = pixels[i] << 8 | pixels[i + 1]
        red, green, blue = word >> 11, word >> 5 & 63, word & 31
        out += bytes((red * 255 // 31, green * 255 // 63, blue * 255 // 31))
    return Image.frombytes("RGB", (shape.width, shape.height), bytes(out))


def strip(glass: Any, columns: int = 4) -> Image.Image:
    size = glass.shape.width
    rows = -(-len(STRIP) // columns)
    sheet = Image.new("RGB", (columns * (size + 4) - 4, rows * (size + 4) - 4), "white")
    for n, view in enumerate(STRIP):
        spot = (n % columns * (size + 4), n // columns * (size + 4))
        sheet.paste(picture(glass.paint(view), glass.shape), spot)
    return sheet


def film(glass: Any) -> list[Image.Image]:
    """A spin and its win, a picture every FILM_MS."""
    spin, win = VIEWS["spin_start"], VIEWS["win"]
    times = range(0, DURATION + FILM_MS, FILM_MS)
    views = [dict(spin, elapsed=t) for t in times]
    views += [dict(win, elapsed=t) for t in range(0, 1280, FILM_MS)]
    return [picture(glass.paint(view), glass.shape).quantize(48) for view in views]


def write(frames: dict[str, bytes], known: dict[str, Any], glasses: list[Any]) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, pixels in frames.items():
        shown = picture(pixels, known[name])
        if not name.startswith("wide_"):
            size = (shown.width * SCALE, shown.height * SCALE)
            shown = shown.resize(size, Image.Resampling.NEAREST)
        shown.save(PICTURES / f"{name}.png", optimize=True)
    strip(glasses[0]).save(PICTURES / "spin_strip.png", optimize=True)
    first, *others = film(glasses[0])
    first.save(
        PICTURES / "spin.gif", save_all=True, append_images=others, duration=FILM_MS, loop=0
    )


def main() -> int:
    glasses = [Glass(str(ROOT / LANGUAGE), shape=make()) for make in (shapes.small, shapes.large)]
    frames, known = {}, {}
    for glass in glasses:
        for name, view in VIEWS.items():
            kept = kept_as(name, glass.shape)
            frames[kept] = bytes(glass.paint(view))
            known[kept] = glass.shape
    hashes = {name: hashlib.sha256(pixels).hexdigest() for name, pixels in frames.items()}
    if "--check" in sys.argv:
        committed = json.loads(HASHES.read_text())
        both = committed.keys() | hashes.keys()
        wrong = sorted(n for n in both if committed.get(n) != hashes.get(n))
        for name in wrong:
            print(f"screen {name} differs from {HASHES.name}: look at it, then make screens")
        return 1 if wrong else 0
    write(frames, known, glasses)
    HASHES.write_text(json.dumps(hashes, indent=1, sort_keys=True) + "\n")
    print(f"{len(frames)} screens, a strip and a film in {PICTURES.relative_to(ROOT)}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
