"""What is changed in MicroPython's own sources before an image is made of them.

Each change is a text that must stand in its file exactly once; where it does not, the tree is
another one than this was written for, and no image comes into being.

- **Aligned kernels.** Viper code for a Cortex-M0+ keeps its constants beside it and reads them as
  aligned words, but MicroPython 1.25 freezes it at even addresses: every second function would
  calculate with others.
- **Functions in flash.** A frozen function is made on the heap when its module is imported, 16
  bytes each that never change. Here mpy-tool writes those without default values and cells as
  constants, and making one returns it. They need to know where their module's names are, so each
  frozen module has its object at a fixed place in memory, which the collector looks at.
- **Names in flash.** Names of modules and single characters are interned when they are first
  used, on the heap; mpy-tool adds them to those in flash.
- **No file names.** A frozen module keeps no `__file__`; a traceback has it from the code.
- **No debug information.** It is no part of an image, and a fifth of the time to compile one.
- **Where room is looked for.** MicroPython remembers where the first free block is, not where two
  or more in a row may be, and looks at used blocks one by one: a look through the table's own
  objects takes up to a millisecond, several in a lap when the heap is nearly full. Here it
  remembers where two to nine in a row may be and passes over sixteen used blocks at once; what is
  found is the same place as before.
"""

from __future__ import annotations

from pathlib import Path

from tools.image.packages import ImageError

CHANGES = (
    (
        "ports/rp2/CMakeLists.txt",
        """\
    -g  # always include debug information in the ELF
""",
        """\
    -g0
""",
    ),
    (
        "tools/mpy-tool.py",
        """\
            # ARMVxxM or RV32IMC -- two byte align.
            self.fun_data_attributes += " __attribute__ ((aligned (2)))"
""",
        """\
            self.fun_data_attributes += " __attribute__ ((aligned (4)))"
""",
    ),
    (
        "tools/mpy-tool.py",
        """\
            for rc in self.children:
                print("// child of %s" % self.escaped_name)
                rc.freeze()
                print()
            print("static const mp_raw_code_t *const children_%s[] = {" % self.escaped_name)
            for rc in self.children:
                print("    (const mp_raw_code_t *)&proto_fun_%s," % rc.escaped_name)
""",
        """\
            made = self.made_plainly() if self.code_kind == MP_CODE_BYTECODE else ()
            for rc in self.children:
                print("// child of %s" % self.escaped_name)
                rc.function = None
                if rc.code_kind == MP_CODE_BYTECODE and rc in made:
                    rc.function = len(frozen_functions)
                    frozen_functions.append((rc, frozen_module_index))
                rc.freeze()
                print()
            print("static const mp_raw_code_t *const children_%s[] = {" % self.escaped_name)
            for rc in self.children:
                if rc.function is None:
                    place = "proto_fun_" + rc.escaped_name
                else:
                    place = "mp_frozen_functions[%u]" % rc.function
                print("    (const mp_raw_code_t *)&%s," % place)
""",
    ),
    (
        "tools/mpy-tool.py",
        """\
class RawCodeBytecode(RawCode):
""",
        """\
class RawCodeBytecode(RawCode):
    def made_plainly(self):
        found = []
        before = None
        ip = self.offset_opcodes
        while ip < len(self.fun_data):
            _, size, arg, _ = mp_opcode_decode(self.fun_data, ip)
            opcode = self.fun_data[ip]
            # The body of a class is made once, to be run and thrown away.
            if opcode == Opcode.MP_BC_MAKE_FUNCTION and before != Opcode.MP_BC_LOAD_BUILD_CLASS:
                found.append(self.children[arg])
            before = opcode
            ip += size
        return found

""",
    ),
    (
        "tools/mpy-tool.py",
        """\
        self.freeze_children()
        self.freeze_raw_code()
""",
        """\
        self.freeze_children()
        if getattr(self, "function", None) is None:
            self.freeze_raw_code()
""",
    ),
    (
        "tools/mpy-tool.py",
        """\
        print("    .proto_fun = &proto_fun_%s," % self.raw_code.escaped_name)
""",
        """\
        print("    .proto_fun = &proto_fun_%s," % self.raw_code.escaped_name)
        print("    .context = &mp_frozen_contexts[%u]," % compiled_module_index)
""",
    ),
    (
        "tools/mpy-tool.py",
        """\
    # add to qstrs
    new = {}
""",
        """\
    known = [chr(code) for code in range(33, 127)]
    for cm in compiled_modules:
        parts = cm.source_file.str[: -len(".py")].replace("/__init__", "").split("/")
        known += [".".join(parts), parts[-1]]
    for name in known:
        if global_qstrs.find_by_str(name) is None:
            global_qstrs.add(name)
    # add to qstrs
    new = {}
""",
    ),
    (
        "tools/mpy-tool.py",
        """\
    for idx, cm in enumerate(compiled_modules):
        cm.freeze(idx)
""",
        """\
    global frozen_functions, frozen_module_index
    frozen_functions = []
    print('#include "py/objfun.h"')
    print("extern const mp_obj_fun_bc_t mp_frozen_functions[];")
    print("mp_module_context_t mp_frozen_contexts[%u];" % len(compiled_modules))
    print("const size_t mp_frozen_contexts_size = sizeof(mp_frozen_contexts);")
    for idx, cm in enumerate(compiled_modules):
        frozen_module_index = idx
        cm.freeze(idx)
    print("const mp_obj_fun_bc_t mp_frozen_functions[] = {")
    for rc, index in frozen_functions:
        made = "gen_wrap" if rc.scope_flags & MP_SCOPE_FLAG_GENERATOR else "fun_bc"
        name = rc.escaped_name
        children = "(void *)&children_" + name if rc.children else "NULL"
        print("    {{&mp_type_%s}, &mp_frozen_contexts[%u]," % (made, index))
        print("     %s, fun_data_%s}," % (children, name))
    print("};")
    print("const size_t mp_frozen_functions_size = sizeof(mp_frozen_functions);")
""",
    ),
    (
        "py/bc.h",
        """\
    const mp_module_constants_t constants;
    const void *proto_fun;
} mp_frozen_module_t;
""",
        """\
    const mp_module_constants_t constants;
    const void *proto_fun;
    mp_module_context_t *context;
} mp_frozen_module_t;
extern mp_module_context_t mp_frozen_contexts[];
extern const size_t mp_frozen_contexts_size;
""",
    ),
    (
        "py/builtinimport.c",
        """\
            module_obj->constants = frozen->constants;
""",
        """\
            module_obj->constants = frozen->constants;
            *frozen->context = *module_obj;
            module_obj = frozen->context;
            mp_map_t *names = &module_obj->module.globals->map;
            mp_obj_t name = mp_map_lookup(names, MP_OBJ_NEW_QSTR(MP_QSTR___name__), \
MP_MAP_LOOKUP)->value;
            mp_obj_dict_store(MP_OBJ_FROM_PTR(&MP_STATE_VM(mp_loaded_modules_dict)), name, \
MP_OBJ_FROM_PTR(module_obj));
""",
    ),
    (
        "py/builtinimport.c",
        """\
    if (outer_module_obj != MP_OBJ_NULL) {
        // If it's a sub-module then make it available on the parent module.
""",
        """\
    module_obj = mp_obj_dict_get(MP_OBJ_FROM_PTR(&MP_STATE_VM(mp_loaded_modules_dict)), \
MP_OBJ_NEW_QSTR(full_mod_name));
    if (outer_module_obj != MP_OBJ_NULL) {
        // If it's a sub-module then make it available on the parent module.
""",
    ),
    (
        "py/builtinimport.c",
        """\
            qstr frozen_file_qstr = qstr_from_str(file_str + frozen_path_prefix_len);
""",
        """\
            qstr frozen_file_qstr = MP_QSTRnull;
""",
    ),
    (
        "py/builtinimport.c",
        """\
    mp_store_attr(MP_OBJ_FROM_PTR(&context->module), MP_QSTR___file__, \
MP_OBJ_NEW_QSTR(source_name));
    #else
""",
        """\
    if (source_name != MP_QSTRnull) {
        mp_store_attr(MP_OBJ_FROM_PTR(&context->module), MP_QSTR___file__, \
MP_OBJ_NEW_QSTR(source_name));
    }
    #else
""",
    ),
    (
        "py/emitglue.c",
        """\
mp_obj_t mp_make_function_from_proto_fun(mp_proto_fun_t proto_fun, \
const mp_module_context_t *context, const mp_obj_t *def_args) {
""",
        """\
extern const mp_obj_fun_bc_t mp_frozen_functions[];
extern const size_t mp_frozen_functions_size;

mp_obj_t mp_make_function_from_proto_fun(mp_proto_fun_t proto_fun, \
const mp_module_context_t *context, const mp_obj_t *def_args) {
    if ((uintptr_t)proto_fun - (uintptr_t)mp_frozen_functions < mp_frozen_functions_size) {
        return MP_OBJ_FROM_PTR(proto_fun);
    }
""",
    ),
    (
        "shared/runtime/pyexec.c",
        """\
            mp_module_context_t *ctx = m_new_obj(mp_module_context_t);
            ctx->module.globals = mp_globals_get();
            ctx->constants = frozen->constants;
""",
        """\
            mp_module_context_t *ctx = frozen->context;
            ctx->module.globals = mp_globals_get();
            ctx->constants = frozen->constants;
""",
    ),
    (
        "ports/rp2/main.c",
        """\
    gc_collect_start();
    gc_helper_collect_regs_and_stack();
""",
        """\
    gc_collect_start();
    gc_collect_root((void **)mp_frozen_contexts, mp_frozen_contexts_size / sizeof(void *));
    gc_helper_collect_regs_and_stack();
""",
    ),
    (
        "py/gc.c",
        """\
static void gc_setup_area(mp_state_mem_area_t *area, void *start, void *end) {
""",
        """\
#if MICROPY_GC_SPLIT_HEAP
#error one heap is expected
#endif

#define GC_RUNS (8)
// [k]: table bytes before this one hold no run of k + 2 free blocks
static size_t gc_runs[GC_RUNS];

static void gc_runs_reset(void) {
    memset(gc_runs, 0, sizeof(gc_runs));
}

static size_t gc_runs_from(size_t n_blocks, size_t first) {
    if (n_blocks < 2) {
        return first;
    }
    return MAX(first, gc_runs[MIN(n_blocks - 2, GC_RUNS - 1)]);
}

// The first run of n_blocks was taken, it ended at `block`.
static void gc_runs_taken(size_t n_blocks, size_t block) {
    if (n_blocks < 2) {
        return;
    }
    for (size_t k = n_blocks - 2; k < GC_RUNS; k++) {
        gc_runs[k] = MAX(gc_runs[k], (block + 1) / BLOCKS_PER_ATB);
    }
}

// Free blocks before it become one run with it: there are few where a look was spared.
static void gc_runs_freed(mp_state_mem_area_t *area, size_t block) {
    for (size_t n = 0; n <= GC_RUNS && block > 0; n++) {
        if (ATB_GET_KIND(area, block - 1) != AT_FREE) {
            break;
        }
        block -= 1;
    }
    for (size_t k = 0; k < GC_RUNS; k++) {
        gc_runs[k] = MIN(gc_runs[k], block / BLOCKS_PER_ATB);
    }
}

// A whole word of the table, sixteen blocks, and none of them free.
static inline bool gc_none_free(mp_state_mem_area_t *area, size_t i) {
    const byte *at = area->gc_alloc_table_start + i;
    if (((uintptr_t)at & 3) || i + 4 > area->gc_alloc_table_byte_len) {
        return false;
    }
    uint32_t word = *(const uint32_t *)at;
    return ((word | word >> 1) & 0x55555555) == 0x55555555;
}

static void gc_setup_area(mp_state_mem_area_t *area, void *start, void *end) {
    gc_runs_reset();
""",
    ),
    (
        "py/gc.c",
        """\
    gc_sweep_free_blocks();
    #if MICROPY_GC_SPLIT_HEAP
""",
        """\
    gc_sweep_free_blocks();
    gc_runs_reset();
    #if MICROPY_GC_SPLIT_HEAP
""",
    ),
    (
        "py/gc.c",
        """\
            for (i = area->gc_last_free_atb_index; i < area->gc_alloc_table_byte_len; i++) {
""",
        """\
            i = gc_runs_from(n_blocks, area->gc_last_free_atb_index);
            for (; i < area->gc_alloc_table_byte_len; i++) {
                while (gc_none_free(area, i)) {
                    n_free = 0;
                    i += 4;
                }
                if (i >= area->gc_alloc_table_byte_len) {
                    break;
                }
""",
    ),
    (
        "py/gc.c",
        """\
    area->gc_last_used_block = MAX(area->gc_last_used_block, end_block);

    // mark first block as used head
""",
        """\
    gc_runs_taken(n_blocks, end_block);
    area->gc_last_used_block = MAX(area->gc_last_used_block, end_block);

    // mark first block as used head
""",
    ),
    (
        "py/gc.c",
        """\
    // set the last_free pointer to this block if it's earlier in the heap
""",
        """\
    gc_runs_freed(area, block);
    // set the last_free pointer to this block if it's earlier in the heap
""",
    ),
    (
        "py/gc.c",
        """\
        // set the last_free pointer to end of this block if it's earlier in the heap
""",
        """\
        gc_runs_freed(area, block + new_blocks);
        // set the last_free pointer to end of this block if it's earlier in the heap
""",
    ),
)


def apply(tree: Path) -> None:
    """Make every change in a tree of sources."""
    for name, old, new in CHANGES:
        text = (tree / name).read_text()
        if text.count(old) != 1:
            raise ImageError(f"{name} is otherwise than expected: {old.strip().splitlines()[0]}")
        (tree / name).write_text(text.replace(old, new))
