"""Writes boards/NAME/wiring.md, the table a technician solders by, from that board's board.py."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.generate.written import keep
from tools.image import build
from tools.paths import BOARDS

# The pin on the edge of a Pico-shaped board for each GPIO that reaches it.
# Every fifth pin is ground; beyond GPIO 22 the order has gaps for RUN and the analogue ground.
EDGE = {gpio: gpio + 1 + (gpio + 2) // 4 for gpio in range(23)} | {26: 31, 27: 32, 28: 34}

# What each signal connects to. Every board has exactly these.
SIGNALS = {
    "TERM_TX": ("dealer terminal", "RX", "UART0, 3.3 V"),
    "TERM_RX": ("dealer terminal", "TX", "UART0, 3.3 V"),
    "SHOE_TX": ("card shoe", "RX", "UART1, 3.3 V"),
    "SHOE_RX": ("card shoe", "TX", "UART1, 3.3 V"),
    "FRAM_SDA": ("MB85RC256V", "5 SDA", "2.2 kohm to 3.3 V; A0, A1, A2 and WP to ground"),
    "FRAM_SCL": ("MB85RC256V", "6 SCL", "2.2 kohm to 3.3 V"),
    "READER_RX": ("chip reader, where fitted", "TX", "PIO, 3.3 V; the reader only sends"),
    "SENSOR_LATCH": ("74HC165, all seven", "1 SH/LD", "low loads"),
    "SENSOR_CLK": ("74HC165, all seven", "2 CLK", "CLK INH (15) to ground"),
    "SENSOR_DATA": ("74HC165, last one", "9 QH", "QH to the next SER (10); first SER to 3.3 V"),
    "LAMPS": ("WS2812, first one", "DIN", "through 74AHCT125 and 330 ohm; lamps on 5 V"),
    "TFT_SCK": ("ST7789 display", "SCL", "SPI; keep under 10 cm"),
    "TFT_MOSI": ("ST7789 display", "SDA", "SPI; keep under 10 cm"),
    "TFT_CS": ("ST7789 display", "CS", ""),
    "TFT_DC": ("ST7789 display", "DC", ""),
    "TFT_RST": ("ST7789 display", "RES", ""),
    "TFT_BL": ("ST7789 display", "BLK", "10 kohm to ground: dark until started"),
    "NET_MISO": ("W5500 module, where fitted", "MISO", "SPI; on W5500-EVB-Pico wired already"),
    "NET_CS": ("W5500 module, where fitted", "SCSn", ""),
    "NET_SCK": ("W5500 module, where fitted", "SCLK", "SPI; keep under 10 cm"),
    "NET_MOSI": ("W5500 module, where fitted", "MOSI", "SPI; keep under 10 cm"),
    "NET_RST": ("W5500 module, where fitted", "RSTn", ""),
    "KEY_ATTENDANT": ("attendant's key switch", "1", "other side to ground"),
    "KEY_SERVICE": ("service key switch", "1", "other side to ground"),
    "PROBE": ("bench probe", "tip", "nothing in the table is on this pin"),
}


def table(board: str) -> str:
    data = build.board_data(board)
    rows = [
        f"# Wiring of {board}",
        "",
        f"Made from board.py by `tools/generate/wiring.py`. Chip: {data['CHIP']}.",
        "Power: 5 V to pin 39 (VSYS), 3.3 V from pin 36; ground: 3, 8, 13, 18, 23, 28, 33, 38.",
        "",
        "| pin | GPIO | signal | goes to | there | note |",
        "|---:|---:|---|---|---|---|",
    ]
    for name, gpio in sorted(data["PINS"].items(), key=lambda item: item[1]):
        rows.append(f"| {EDGE[gpio]} | {gpio} | {name} | {' | '.join(SIGNALS[name])} |")
    return "\n".join(rows) + "\n"


def files() -> dict[Path, str]:
    boards = [b for b in build.board_names() if build.board_data(b)["CHIP"] != "host"]
    return {BOARDS / board / "wiring.md": table(board) for board in boards}


if __name__ == "__main__":
    sys.exit(keep(files(), "--check" in sys.argv))
