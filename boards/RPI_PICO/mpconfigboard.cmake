set(PICO_BOARD "pico")
set(PICO_PLATFORM "rp2040")
include(${MICROPY_BOARD_DIR}/../felt.cmake)
