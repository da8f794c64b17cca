// The interpreter every board has: the port's own, less what no table uses. Flash that is not taken
// here is there for the program, and a part that is not there cannot be misused.
#include <mpconfigport.h>

// Nothing on a board is compiled to machine code: viper and Thumb kernels come frozen. FELT_COMPILER
// is set for the compiler's own files (felt.cmake); the rest still runs such code.
#if defined(FELT_COMPILER)
#undef MICROPY_EMIT_THUMB
#define MICROPY_EMIT_THUMB (0)
#undef MICROPY_EMIT_INLINE_THUMB
#define MICROPY_EMIT_INLINE_THUMB (0)
#endif

// File systems, hashes and ciphers: littlefs and SHA-256 are what is used.
#undef MICROPY_VFS_FAT
#define MICROPY_VFS_FAT (0)
#undef MICROPY_PY_CRYPTOLIB
#define MICROPY_PY_CRYPTOLIB (0)
#undef MICROPY_PY_HASHLIB_SHA1
#define MICROPY_PY_HASHLIB_SHA1 (0)

// Hardware no table has. (I2S, PWM and soft I2C stay: the port names them.)
#undef MICROPY_PY_MACHINE_ADC
#define MICROPY_PY_MACHINE_ADC (0)
#undef MICROPY_PY_MACHINE_DHT_READINTO
#define MICROPY_PY_MACHINE_DHT_READINTO (0)
#undef MICROPY_PY_MACHINE_PULSE
#define MICROPY_PY_MACHINE_PULSE (0)
#undef MICROPY_PY_ONEWIRE
#define MICROPY_PY_ONEWIRE (0)
#undef MICROPY_HW_ENABLE_USB_RUNTIME_DEVICE
#define MICROPY_HW_ENABLE_USB_RUNTIME_DEVICE (0)
#define MICROPY_PY_MACHINE_SIGNAL (0)

// One core runs the table.
#undef MICROPY_PY_THREAD
#define MICROPY_PY_THREAD (0)

// Modules and builtins nothing imports. (deflate stays: crc32 is part of it.)
#define MICROPY_PY_FRAMEBUF (0)
#define MICROPY_PY_RE (0)
#define MICROPY_PY_HEAPQ (0)
#define MICROPY_PY_RANDOM (0)
#define MICROPY_PY_CMATH (0)
#define MICROPY_PY_MATH (0)
#define MICROPY_PY_BUILTINS_COMPLEX (0)
#define MICROPY_PY_BUILTINS_HELP (0)
#define MICROPY_PY_PLATFORM (0)
#define MICROPY_PY_ERRNO (0)

// The collector's list of what it still has to follow, 2 bytes each. With the usual 64 the table of
// loaded modules alone overflows it, and then it goes over the whole heap again.
#define MICROPY_ALLOC_GC_STACK_SIZE (256)

// What a technician's PC has sent and nobody has read yet; the rest waits on its side.
#define MICROPY_HW_STDIN_BUFFER_LEN (128)
