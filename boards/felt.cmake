# What every board tells MicroPython's build; a board's own mpconfigboard.cmake includes it.
set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)
list(APPEND MICROPY_DEF_BOARD MP_CONFIGFILE=<../mpconfigfelt.h>)

# The compiler's own files: a board never makes machine code (mpconfigfelt.h).
foreach(name asmthumb compile emitbc emitcommon emitinlinethumb emitnthumb)
    set_source_files_properties(${MICROPY_DIR}/py/${name}.c PROPERTIES COMPILE_DEFINITIONS FELT_COMPILER)
endforeach()

# Of the TLS library a table uses SHA-256. The linker drops the rest: it need not be compiled.
file(GLOB unused ${MICROPY_DIR}/lib/mbedtls/library/*.c)
list(REMOVE_ITEM unused
    ${MICROPY_DIR}/lib/mbedtls/library/platform_util.c ${MICROPY_DIR}/lib/mbedtls/library/sha256.c)
set_source_files_properties(${unused} PROPERTIES HEADER_FILE_ONLY ON)

# For speed, as the port has its virtual machine: while the collector runs nothing else does, and
# every call of a kernel converts its arguments.
foreach(name gc nativeglue obj)
    set_source_files_properties(${MICROPY_DIR}/py/${name}.c PROPERTIES COMPILE_OPTIONS -O2)
endforeach()
