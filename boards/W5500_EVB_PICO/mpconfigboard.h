// What the table's interpreter is told of the board; FILES_AT in board.py says the same.
#define MICROPY_HW_BOARD_NAME "Felt table on a W5500-EVB-Pico"
#define MICROPY_HW_FLASH_STORAGE_BYTES (1408 * 1024)
