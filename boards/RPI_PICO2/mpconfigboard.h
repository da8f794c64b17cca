// What the table's interpreter is told of the board; FILES_AT in board.py says the same.
#define MICROPY_HW_BOARD_NAME "Felt table on a Raspberry Pi Pico 2"
#define MICROPY_HW_FLASH_STORAGE_BYTES (3 * 1024 * 1024)
