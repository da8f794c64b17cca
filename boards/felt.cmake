# What every board tells MicroPython's build; a board's own mpconfigboard.cmake includes it.
set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)
list(APPEND MICROPY_DEF_BOARD MP_CONFIGFILE=<../mpconfigfelt.h>)

# The compiler's own files: a board never makes machine code (mpconfigfelt.h).
foreach(name compile emitbc emitcommon)
    set_source_files_properties(${MICROPY_DIR}/py/${name}.c PROPERTIES COMPILE_DEFINITIONS FELT_COMPILER)
endforeach()

# What the linker drops anyway need not be compiled: other processors' code, what mpconfigfelt.h
# leaves out, and of the TLS library all but SHA-256.
set(unused "")
foreach(place
    py/asm* py/emitn* py/emitinline* py/nlr* py/builtinhelp py/modcmath py/moderrno py/modmath py/modthread
    py/objcomplex py/objint_longlong py/profile py/pystack py/showbc
    extmod/btstack/* extmod/machine_adc* extmod/machine_pulse extmod/machine_signal extmod/machine_usb_device
    extmod/modbluetooth extmod/modcryptolib extmod/modframebuf extmod/modheapq extmod/modlwip extmod/modmarshal
    extmod/modnetwork extmod/modonewire extmod/modplatform extmod/modrandom extmod/modre extmod/modsocket
    extmod/modtls_* extmod/modwebrepl extmod/modwebsocket extmod/network_* extmod/nimble/* extmod/vfs_fat*
    extmod/vfs_posix* extmod/vfs_rom*
    lib/littlefs/lfs1* lib/mbedtls/library/* lib/oofatfs/* shared/netutils/*)
    file(GLOB found ${MICROPY_DIR}/${place}.c)
    list(APPEND unused ${found})
endforeach()
foreach(used py/nlr py/nlrthumb lib/mbedtls/library/platform_util lib/mbedtls/library/sha256)
    list(REMOVE_ITEM unused ${MICROPY_DIR}/${used}.c)
endforeach()
set_source_files_properties(${unused} PROPERTIES HEADER_FILE_ONLY ON)

# For speed, as the port has its virtual machine: while the collector runs nothing else does, and
# every call of a kernel converts its arguments.
foreach(name gc nativeglue obj)
    set_source_files_properties(${MICROPY_DIR}/py/${name}.c PROPERTIES COMPILE_OPTIONS -O2)
endforeach()
