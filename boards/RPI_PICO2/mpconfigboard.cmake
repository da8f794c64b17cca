set(PICO_BOARD "pico2")
set(PICO_PLATFORM "rp2350-arm-s")
include(${MICROPY_BOARD_DIR}/../felt.cmake)
