"""WIZnet W5500-EVB-Pico: what is wired where. Data only; main.py builds the hardware from it."""

NAME = "W5500_EVB_PICO"
CHIP = "rp2040"
FREQ = 125_000_000
FILES_AT = 0xA0000  # of flash: the image ends before it, mpconfigboard.h says the same

PINS = {
    "TERM_TX": 0,
    "TERM_RX": 1,
    "FRAM_SDA": 2,
    "FRAM_SCL": 3,
    "SHOE_TX": 4,
    "SHOE_RX": 5,
    "SENSOR_LATCH": 6,
    "SENSOR_CLK": 7,
    "READER_RX": 8,
    "TFT_CS": 9,
    "TFT_SCK": 10,
    "TFT_MOSI": 11,
    "TFT_DC": 12,
    "TFT_RST": 13,
    "TFT_BL": 14,
    "LAMPS": 15,
    "NET_MISO": 16,
    "NET_CS": 17,
    "NET_SCK": 18,
    "NET_MOSI": 19,
    "NET_RST": 20,
    "SENSOR_DATA": 22,
    "KEY_ATTENDANT": 26,
    "KEY_SERVICE": 27,
    "PROBE": 28,
}

# READER is a PIO state machine. Its pin is SPI1's default MISO, which the display does not use.
BUSES = {"TERM": 0, "SHOE": 1, "READER": 0, "TFT": 1, "FRAM": 1, "NET": 0}
SPEEDS = {
    "TERM": 115_200,
    "SHOE": 115_200,
    "READER": 115_200,
    "TFT": 62_500_000,
    "FRAM": 1_000_000,
    "NET": 20_000_000,
}

# Register whose lowest bit is the ring oscillator's jitter: the wheel's noise source.
ROSC_RANDOM = 0x4006001C

# covered_spot: what a 74HC165 input reads while chips lie on its spot
# panel: ST7789 (240x240) or ST7796 (480x320, data sheets disagree on its clock: see SPEEDS["TFT"])
FEATURES = {"panel": "ST7789", "covered_spot": 0, "ethernet": True, "fpu": False}
