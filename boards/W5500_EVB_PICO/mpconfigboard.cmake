set(PICO_BOARD "wiznet_w5100s_evb_pico")
set(PICO_PLATFORM "rp2040")
include(${MICROPY_BOARD_DIR}/../felt.cmake)
