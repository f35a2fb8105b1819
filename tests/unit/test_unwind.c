/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames and their callers: rules of call-frame information, good ones and such as nobody should write, and the back
   chain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "emu/symbols/unwind.h"
#include "tests/unit/cfi_maker.h"
#include <stdio.h>
#include <unistd.h>

#define STACK UINT64_C(0x8000)
#define IA    (CFI_CODE + 0x40u)

static char path[] = "/tmp/test_unwind.XXXXXX";

/* Storage: doublewords at STACK and behind, each its own address with X'1000000' added; there is nothing elsewhere. */
static bool fetch(void *context, uint64_t address, uint8_t bytes[8])
{
    const uint64_t *change = context; /* at change[0] there is change[1] */
    if (address < STACK || address > STACK + 0x1000)
        return false;
    put64(bytes, change && address == change[0] ? change[1] : address + 0x1000000);
    return true;
}

static struct unwind_frame frame_at(uint64_t ia)
{
    struct unwind_frame f = {.ia = ia};
    for (unsigned i = 0; i < 16; i++) {
        f.gr[i] = 0x100 * i;
        f.fpr[i] = 0x5000 + 2 * i;
        f.known[i] = true;
    }
    f.gr[14] = 0x20002;
    f.gr[15] = STACK;
    return f;
}

/* The caller of a frame, by a program behind "CFA is register 15 + 160", in both sections. */
static enum unwind_how up(const uint8_t *fde, size_t length, const uint64_t *change, uint64_t ia, bool innermost,
                          struct unwind_frame *f)
{
    static const uint8_t cie[] = {0x0c, 15, 0xa0, 1};
    enum unwind_how how[2];
    struct unwind_frame both[2];
    for (unsigned eh = 0; eh < 2; eh++) {
        uint8_t file[CFI_MOST];
        struct symbols_file *symbols;
        char error[600];
        const size_t size =
            cfi_elf(file, eh, &(struct cfi_program){cie, sizeof cie}, &(struct cfi_program){fde, length});
        FILE *out = fopen(path, "wb");
        assert_true(out && fwrite(file, 1, size, out) == size && fclose(out) == 0);
        if (symbols_file_open(path, &symbols, error, sizeof error))
            fail_msg("%s", error);
        assert_true(symbols_file_has(symbols, CFI_CODE) && !symbols_file_has(symbols, CFI_CODE + CFI_SIZE));
        both[eh] = *f;
        const struct unwind_frame before = *f;
        const struct unwind_storage storage = {.context = (void *)(uintptr_t)change, .fetch = fetch};
        both[eh].ia = ia;
        how[eh] = symbols_unwind(symbols, &storage, innermost, &both[eh]);
        if (how[eh] == UNWIND_NONE) { /* it is as it was */
            both[eh].ia = before.ia;
            assert_memory_equal(&both[eh], &before, sizeof before);
        }
        symbols_file_close(symbols);
    }
    assert_int_equal(how[0], how[1]);
    assert_memory_equal(&both[0], &both[1], sizeof both[0]);
    *f = both[0];
    return how[0];
}

#define UP(f, change, ...)                                                                                             \
    up((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}), change, IA, true, f)

/* As gcc writes them: registers in the save area of the caller, or in floating-point registers. */
static void what_compilers_write(void **state)
{
    struct unwind_frame f = frame_at(IA);
    (void)state;
    /* offset r14 6*-8, offset r15 5*-8, offset r11 9*-8, def_cfa_offset 320 */
    assert_int_equal(UP(&f, NULL, 0x8e, 6, 0x8f, 5, 0x8b, 9, 0x0e, 0xc0, 2), UNWIND_CFI);
    assert_int_equal(f.ia, STACK + 320 - 48 + 0x1000000);
    assert_int_equal(f.gr[14], f.ia);
    assert_int_equal(f.gr[15], STACK + 320 - 40 + 0x1000000);
    assert_int_equal(f.gr[11], STACK + 320 - 72 + 0x1000000);
    assert_int_equal(f.gr[6], 0x600); /* kept by whoever is called */
    assert_true(f.known[6] && f.known[11]);
    /* register r11 in f2, r14 in f1, r15 in f15 (numbers 17, 20, 31) */
    f = frame_at(IA);
    assert_int_equal(UP(&f, NULL, 0x09, 11, 17, 0x09, 14, 20, 0x09, 15, 31), UNWIND_CFI);
    assert_int_equal(f.gr[11], 0x5004);
    assert_int_equal(f.ia, 0x5002);
    assert_int_equal(f.gr[15], 0x501e);
    /* the place decides: advance_loc 40, then others; remember and restore */
    f = frame_at(IA);
    assert_int_equal(
        up((const uint8_t[]){0x8f, 5, 0x0a, 0x8e, 6, 0x0e, 0xc0, 2, 0x02, 0x40, 0x0b}, 11, NULL, IA + 1, true, &f),
        UNWIND_CFI);
    assert_int_equal(f.ia, 0x20002); /* restored: still in general register 14 */
    f = frame_at(IA);
    assert_int_equal(
        up((const uint8_t[]){0x8f, 5, 0x0a, 0x8e, 6, 0x0e, 0xc0, 2, 0x02, 0x40, 0x0b}, 11, NULL, IA, false, &f),
        UNWIND_CFI);
    assert_int_equal(f.ia, STACK + 320 - 48 + 0x1000000); /* a caller is looked up in its call */
    /* an unknown register stays so */
    f = frame_at(IA);
    f.known[7] = false;
    assert_int_equal(UP(&f, NULL, 0x8e, 6, 0x8f, 5, 0x07, 8), UNWIND_CFI);
    assert_false(f.known[7] || f.known[8]);
}

/* What register 14 becomes by an expression; `value`: it is that itself, not where it is. Zero: nothing. */
static uint64_t by_expression(bool value, const uint8_t *bytes, uint8_t length)
{
    uint8_t program[200] = {0x8f, 5, value ? 0x16 : 0x10, 14, length};
    struct unwind_frame f = frame_at(IA);
    memcpy(program + 5, bytes, length);
    const enum unwind_how how = up(program, 5u + length, NULL, IA, true, &f);
    return how == UNWIND_NONE ? 0 : f.ia;
}
#define VALUE(...) by_expression(true, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
#define PLACE(...) by_expression(false, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void expressions(void **state)
{
    (void)state;
    assert_int_equal(VALUE(0x0a, 0x12, 0x34), 0x1234);                                   /* const2u */
    assert_int_equal(VALUE(0x0b, 0xff, 0xfe), UINT64_C(0xfffffffffffffffe));             /* const2s */
    assert_int_equal(VALUE(0x11, 0x7e), UINT64_C(0xfffffffffffffffe));                   /* consts -2 */
    assert_int_equal(VALUE(0x0e, 1, 2, 3, 4, 5, 6, 7, 8), UINT64_C(0x0102030405060708)); /* const8u */
    assert_int_equal(VALUE(0x4e), 30);                                                   /* lit30 */
    assert_int_equal(VALUE(0x7f, 0x70), STACK - 16);                                     /* breg15 -16 */
    assert_int_equal(VALUE(0x92, 15, 0x10), STACK + 16);                                 /* bregx 15 16 */
    assert_int_equal(VALUE(0x8f, 0), 0x501e);                                            /* breg31: f15 */
    assert_int_equal(VALUE(0x7f, 0, 0x23, 0x22), STACK + 0x22);                          /* plus_uconst */
    assert_int_equal(VALUE(0x7f, 8, 0x06), STACK + 8 + 0x1000000);                       /* deref */
    assert_int_equal(VALUE(0x7f, 0, 0x34, 0x22), STACK + 4);                             /* plus */
    assert_int_equal(VALUE(0x7f, 0, 0x34, 0x1c), STACK - 4);                             /* minus */
    assert_int_equal(VALUE(0x7f, 0x7f, 0x08, 0xf0, 0x1a), 0xf0);                         /* and */
    assert_int_equal(VALUE(0x5e), 0x20002);                                              /* reg14 */
    assert_int_equal(PLACE(0x7f, 0x18), STACK + 0x18 + 0x1000000);
    assert_int_equal(PLACE(0x7f, 0, 0x06, 0x9f), STACK + 0x1000000); /* stack_value */
    /* The CFA by an expression, deref(breg15 + 8) less X'1000000': def_cfa_expression; r14 at its place. */
    struct unwind_frame f = frame_at(IA);
    assert_int_equal(UP(&f, NULL, 0x0f, 9, 0x7f, 8, 0x06, 0x0c, 1, 0, 0, 0, 0x1c, 0x8e, 0, 0x8f, 5), UNWIND_NONE);
    f = frame_at(IA); /* 0x38 + STACK - 40: in storage again */
    assert_int_equal(UP(&f, NULL, 0x0f, 11, 0x7f, 0x38, 0x06, 0x0c, 1, 0, 0, 0, 0x1c, 0x23, 0, 0x8e, 0, 0x8f, 5),
                     UNWIND_CFI);
    assert_int_equal(f.ia, STACK + 0x38 + 0x1000000);
}

/* Nothing comes of these, and nothing bad either. */
static void nothing_comes_of_it(void **state)
{
    static const struct {
        const char *what;
        uint8_t length, bytes[40];
    } cases[] = {
        {"register 14 undefined", 2, {0x07, 14}},
        {"register 15 undefined", 4, {0x8e, 6, 0x07, 15}},
        {"r14 where no storage is", 5, {0x2f, 14, 0x80, 0x40, 0}},
        {"one operand for plus: the CFA", 4, {0x16, 14, 1, 0x22}},
        {"nothing left on the stack", 3, {0x16, 14, 0}},
        {"17 values", 20, {0x16, 14,   17,   0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30,
                           0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x4e}},
        {"an operation that is not known", 6, {0x16, 14, 3, 0x4e, 0x1e, 0x4e}},
        {"a branch in an expression", 6, {0x16, 14, 3, 0x2f, 0xff, 0xfd}},
        {"register 40", 6, {0x16, 14, 3, 0x92, 40, 0}},
        {"register 2^34", 9, {0x09, 14, 0x80, 0x80, 0x80, 0x80, 0x40, 0, 0}},
        {"a rule for register 2^34", 9, {0x05, 0x80, 0x80, 0x80, 0x80, 0x40, 1, 0x07, 14}},
        {"CFA by register 99", 3, {0x0c, 99, 1}},
        {"CFA by register 2^20", 6, {0x0c, 0x80, 0x80, 0x40, 1, 0}},
        {"an expression behind the end", 4, {0x16, 14, 0x7f, 0x4e}},
        {"a number without an end", 5, {0x0e, 0xff, 0xff, 0xff, 0xff}},
        {"an instruction that is not known", 2, {0x3f, 0x3f}},
        {"restore without remember", 1, {0x0b}},
        {"an odd return address", 4, {0x16, 14, 1, 0x4f}},
        {"a return address of zero", 4, {0x16, 14, 1, 0x30}},
        {"the frame itself", 9, {0x16, 14, 5, 0x0c, 0, 1, 0, 0x40, 0x00}},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct unwind_frame f = frame_at(IA);
        const enum unwind_how how = up(cases[i].bytes, cases[i].length, NULL, IA, true, &f);
        if (how != UNWIND_NONE && !(how == UNWIND_CFI && f.ia == 0x20002))
            fail_msg("%s: %d, %lx", cases[i].what, how, (unsigned long)f.ia);
    }
    /* Where the register is not known, which tells the rules that libdw leaves away from those that lead nowhere. */
    struct unwind_frame f = frame_at(IA);
    f.known[14] = false;
    assert_int_equal(UP(&f, NULL, 0), UNWIND_NONE);
    assert_int_equal(UP(&f, NULL, 0x8e, 6, 0x8f, 5), UNWIND_CFI);
    f = frame_at(IA); /* the stack pointer and the place are those of the frame: it would never end */
    f.gr[14] = IA;
    assert_int_equal(UP(&f, NULL, 0), UNWIND_NONE);
}

static void the_back_chain(void **state)
{
    const struct {
        uint64_t at[2];   /* what is at this place of storage */
        uint64_t ia, r14; /* of the caller, 0: there is none; of the frame */
        bool innermost, known15;
    } cases[] = {
        {{STACK, STACK + 0x100}, STACK + 0x170 + 0x1000000, 0x20002, true, true},
        {{STACK, STACK + 0x100}, STACK + 0x170 + 0x1000000, 0x20002, false, true},
        {{STACK, STACK + 0x100}, 0, 0x20002, true, false},
        {{STACK, STACK}, 0, 0x20002, true, true},            /* it does not go on */
        {{STACK, STACK - 8}, 0, 0x20002, true, true},        /* goes down */
        {{STACK, STACK + 0x104}, 0, 0x20002, true, true},    /* is none */
        {{STACK, STACK + 0x100000}, 0, 0x20002, true, true}, /* leads out of storage */
        {{STACK, 0}, 0, 0x20002, true, true},                /* the first one */
        {{STACK, UINT64_C(0xfffffffffffffff8)}, 0, 0x20002, true, true},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct unwind_frame f = frame_at(0x70000), before;
        const struct unwind_storage storage = {.context = (void *)(uintptr_t)cases[i].at, .fetch = fetch};
        f.known[15] = cases[i].known15;
        before = f;
        const enum unwind_how how = symbols_unwind(NULL, &storage, cases[i].innermost, &f);
        if (how != (cases[i].ia ? UNWIND_CHAIN : UNWIND_NONE))
            fail_msg("case %u: %d", i, how);
        if (!cases[i].ia) {
            assert_memory_equal(&f, &before, sizeof f);
            continue;
        }
        assert_int_equal(f.ia, cases[i].ia);
        assert_int_equal(f.gr[15], STACK + 0x100);
        for (unsigned n = 0; n < 15; n++)
            assert_false(f.known[n]);
    }
}

/* A function that calls none has not saved its return address: it is still in general register 14. */
static bool saved_zero(void *context, uint64_t address, uint8_t bytes[8])
{
    (void)context;
    put64(bytes, address == STACK ? STACK + 0x100 : 0);
    return true;
}

static void a_leaf(void **state)
{
    const struct unwind_storage storage = {.fetch = saved_zero};
    struct unwind_frame f = frame_at(0x70000);
    (void)state;
    assert_int_equal(symbols_unwind(NULL, &storage, true, &f), UNWIND_CHAIN);
    assert_int_equal(f.ia, 0x20002);
    f = frame_at(0x70000);
    assert_int_equal(symbols_unwind(NULL, &storage, false, &f), UNWIND_NONE);
    f.gr[14] = 0x20003;
    assert_int_equal(symbols_unwind(NULL, &storage, true, &f), UNWIND_NONE);
}

int main(void)
{
#ifdef HAVE_LIBDW
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_compilers_write), cmocka_unit_test(expressions), cmocka_unit_test(nothing_comes_of_it),
        cmocka_unit_test(the_back_chain),       cmocka_unit_test(a_leaf),
    };
#else
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_back_chain), cmocka_unit_test(a_leaf)};
    (void)what_compilers_write, (void)expressions, (void)nothing_comes_of_it;
#endif
    const int file = mkstemp(path);
    if (file < 0 || close(file))
        return 99;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
