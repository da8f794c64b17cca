"""A board is data; this checks it against the chip, the wiring and what the firmware asks for."""

from __future__ import annotations

import json
import math
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from tools.emulator.rp2_pins import INTERNAL, W5500, gpios
from tools.generate import wiring
from tools.image import build
from tools.paths import BOARDS, FIRMWARE

NAMES = build.board_names()
CHIPS = [name for name in NAMES if build.board_data(name)["CHIP"] != "host"]

BUSES = ("TERM", "SHOE", "READER", "TFT", "FRAM", "NET")
# Signal to (bus name, function at the chip); signals not listed are plain GPIO.
BUS_SIGNALS = {
    "TERM_TX": ("TERM", "UART{}_TX"),
    "TERM_RX": ("TERM", "UART{}_RX"),
    "SHOE_TX": ("SHOE", "UART{}_TX"),
    "SHOE_RX": ("SHOE", "UART{}_RX"),
    "TFT_SCK": ("TFT", "SPI{}_SCK"),
    "TFT_MOSI": ("TFT", "SPI{}_TX"),
    "NET_SCK": ("NET", "SPI{}_SCK"),
    "NET_MOSI": ("NET", "SPI{}_TX"),
    "NET_MISO": ("NET", "SPI{}_RX"),
    "FRAM_SDA": ("FRAM", "I2C{}_SDA"),
    "FRAM_SCL": ("FRAM", "I2C{}_SCL"),
}


@pytest.fixture(params=NAMES)
def board(request: pytest.FixtureRequest) -> dict[str, Any]:
    return build.board_data(request.param)


@pytest.fixture(params=CHIPS)
def chip(request: pytest.FixtureRequest) -> dict[str, Any]:
    return build.board_data(request.param)


def test_the_boards_we_promise_are_here() -> None:
    assert {"RPI_PICO", "RPI_PICO2", "W5500_EVB_PICO"} <= set(NAMES)


def test_every_board_has_the_same_names(board: dict[str, Any]) -> None:
    assert set(board["PINS"]) == set(wiring.SIGNALS)
    assert set(board["BUSES"]) == set(board["SPEEDS"]) == set(BUSES)
    assert set(board["FEATURES"]) == set(build.board_data("RPI_PICO")["FEATURES"])
    assert board["NAME"] in NAMES


def test_no_pin_is_used_twice(board: dict[str, Any]) -> None:
    assert len(set(board["PINS"].values())) == len(board["PINS"])


def test_pins_reach_the_edge(chip: dict[str, Any]) -> None:
    for name, gpio in chip["PINS"].items():
        assert gpio in wiring.EDGE and gpio not in INTERNAL, name
        assert (gpio in W5500) == name.startswith("NET_"), name


@pytest.mark.parametrize("signal", BUS_SIGNALS)
def test_pin_can_serve_its_bus(chip: dict[str, Any], signal: str) -> None:
    bus, function = BUS_SIGNALS[signal]
    assert chip["PINS"][signal] in gpios(function.format(chip["BUSES"][bus]))


def test_the_display_never_takes_the_readers_pin(chip: dict[str, Any]) -> None:
    """SPI() without `miso` muxes the bus's default one, which is another signal's pin."""
    default = {0: 16, 1: 8}[chip["BUSES"]["TFT"]]
    assert default == chip["PINS"]["READER_RX"]
    hardware = (build.FIRMWARE / "felt" / "hardware.py").read_text(encoding="utf-8")
    assert "miso=None" in hardware


def test_speeds_are_within_the_parts(board: dict[str, Any]) -> None:
    assert board["SPEEDS"]["FRAM"] <= 1_000_000
    assert board["SPEEDS"]["TFT"] <= 62_500_000
    assert board["SPEEDS"]["NET"] <= 33_300_000


def test_one_harness_fits_every_board() -> None:
    assert len({tuple(sorted(build.board_data(name)["PINS"].items())) for name in CHIPS}) == 1


def test_firmware_asks_only_for_pins_that_exist() -> None:
    names = set(wiring.SIGNALS)
    asked = set()
    for path in [*FIRMWARE.rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        asked |= set(re.findall(r'\b(?:pins|PINS)\["(\w+)"\]', text))
        asked |= set(re.findall(r'"((?:TERM|SHOE|READER|FRAM|SENSOR|TFT|KEY|NET)_[A-Z]+)"', text))
    assert asked <= names


def test_description_matches(chip: dict[str, Any]) -> None:
    folder = BOARDS / chip["NAME"]
    described = json.loads((folder / "board.json").read_text())
    assert described["id"] == chip["NAME"].lower()
    assert described["mcu"] == chip["CHIP"]
    assert ("Ethernet" in described["features"]) == chip["FEATURES"]["ethernet"]


@pytest.mark.parametrize("full", [False, True])
def test_manifest_names_what_exists(chip: dict[str, Any], full: bool) -> None:
    """`full`: built in a tree that has micropython-lib, whose own modules are then taken."""
    seen: list[tuple[str, Path]] = []
    required: list[str] = []

    def run(folder: Path) -> None:
        def add(name: str, base_path: str = ".") -> None:
            seen.append((name, (folder / base_path).resolve() / name))

        def include(path: str) -> None:
            if not path.startswith("$"):
                run((folder / path).parent.resolve())

        def require(name: str) -> None:
            required.append(name)
            if not full:
                raise ValueError(name)

        scope = {"include": include, "package": add, "module": add, "require": require}
        runpy.run_path(str(folder / "manifest.py"), scope)

    run(BOARDS / chip["NAME"])
    wanted = {
        "felt",
        "_boot.py",
        "boot.py",
        "main.py",
        "board.py",
        "lang_en.py",
        "felt_release.py",
    }
    assert required == ["neopixel"]
    assert {name for name, _ in seen} == wanted | (set() if full else {"neopixel.py"})
    for name, path in seen:
        assert path.exists() or name in build.texts(), path


def test_the_file_system_is_where_the_interpreter_has_it(chip: dict[str, Any]) -> None:
    text = (BOARDS / chip["NAME"] / "mpconfigboard.h").read_text()
    size = re.search(r"FLASH_STORAGE_BYTES \(([0-9 *]+)\)", text)
    assert size is not None
    held = math.prod(int(part) for part in size[1].split("*"))
    assert held + chip["FILES_AT"] in (2 << 20, 4 << 20)
