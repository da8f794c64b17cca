"""Which peripheral each GPIO can serve: the function table of the RP2040 (data sheet 2.19.2).

The RP2350 keeps these three columns for GPIO 0 to 29.
"""

from __future__ import annotations

_TABLE = """
SPI0_RX  UART0_TX  I2C0_SDA
SPI0_CS  UART0_RX  I2C0_SCL
SPI0_SCK UART0_CTS I2C1_SDA
SPI0_TX  UART0_RTS I2C1_SCL
SPI0_RX  UART1_TX  I2C0_SDA
SPI0_CS  UART1_RX  I2C0_SCL
SPI0_SCK UART1_CTS I2C1_SDA
SPI0_TX  UART1_RTS I2C1_SCL
SPI1_RX  UART1_TX  I2C0_SDA
SPI1_CS  UART1_RX  I2C0_SCL
SPI1_SCK UART1_CTS I2C1_SDA
SPI1_TX  UART1_RTS I2C1_SCL
SPI1_RX  UART0_TX  I2C0_SDA
SPI1_CS  UART0_RX  I2C0_SCL
SPI1_SCK UART0_CTS I2C1_SDA
SPI1_TX  UART0_RTS I2C1_SCL
SPI0_RX  UART0_TX  I2C0_SDA
SPI0_CS  UART0_RX  I2C0_SCL
SPI0_SCK UART0_CTS I2C1_SDA
SPI0_TX  UART0_RTS I2C1_SCL
SPI0_RX  UART1_TX  I2C0_SDA
SPI0_CS  UART1_RX  I2C0_SCL
SPI0_SCK UART1_CTS I2C1_SDA
SPI0_TX  UART1_RTS I2C1_SCL
SPI1_RX  UART1_TX  I2C0_SDA
SPI1_CS  UART1_RX  I2C0_SCL
SPI1_SCK UART1_CTS I2C1_SDA
SPI1_TX  UART1_RTS I2C1_SCL
SPI1_RX  UART0_TX  I2C0_SDA
SPI1_CS  UART0_RX  I2C0_SCL
"""

FUNCTIONS = [row.split() for row in _TABLE.strip().splitlines()]

# On these boards the chip's pins that never reach the edge: power supply control, VBUS sense,
# LED and VSYS measurement; on the W5500 board also its Ethernet chip.
INTERNAL = {23, 24, 25, 29}
W5500 = {16, 17, 18, 19, 20, 21}


def gpios(function: str) -> list[int]:
    """The GPIOs that can serve `function`, for example "UART0_TX"."""
    return [gpio for gpio, row in enumerate(FUNCTIONS) if function in row]
