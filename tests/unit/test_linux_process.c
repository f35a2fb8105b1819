/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which program a Linux process runs, from its storage alone: a process made by hand, then the same one damaged. */
#include "emu/edges/linux_process.h"
#include "tests/random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { BLOCK = 4096 };
#define PROGRAM UINT64_C(0x2aa00000000)
#define LINKER  UINT64_C(0x3fff0000000)
#define LIBRARY UINT64_C(0x3ffe0000000)
#define STACK   UINT64_C(0x3fffffd0000) /* four blocks */

/* Blocks of storage that are there. */
struct world {
    struct block {
        uint64_t address;
        unsigned char bytes[BLOCK];
    } block[8];
    unsigned blocks;
    uint64_t reads;
};

static bool world_read(void *context, uint64_t address, void *to, size_t length)
{
    struct world *w = context;
    w->reads++;
    assert_true(length > 0 && length <= BLOCK - address % BLOCK);
    for (unsigned i = 0; i < w->blocks; i++)
        if (w->block[i].address == address - address % BLOCK) {
            memcpy(to, w->block[i].bytes + address % BLOCK, length);
            return true;
        }
    return false;
}

static unsigned char *at(struct world *w, uint64_t address)
{
    for (unsigned i = 0; i < w->blocks; i++)
        if (w->block[i].address == address - address % BLOCK)
            return w->block[i].bytes + address % BLOCK;
    fail();
    return NULL;
}

static void word(struct world *w, uint64_t address, uint64_t value) { put64(at(w, address), value); }

static void segment(struct world *w, uint64_t to, unsigned type, unsigned flags, uint64_t offset, uint64_t address,
                    uint64_t size)
{
    put32(at(w, to), type);
    put32(at(w, to) + 4, flags);
    word(w, to + 8, offset);
    word(w, to + 16, address);
    word(w, to + 32, size);
    word(w, to + 40, size);
}

static void elf(struct world *w, uint64_t to, unsigned headers)
{
    memcpy(at(w, to), "\177ELF\2\2\1", 7);
    put16(at(w, to) + 18, 22);
    word(w, to + 32, 64);
    put16(at(w, to) + 54, 56);
    put16(at(w, to) + 56, (uint16_t)headers);
}

/* A program that is loaded anywhere, the run-time linker, and one library. */
static void build(struct world *w)
{
    static const uint64_t places[] = {PROGRAM,           PROGRAM + BLOCK,   LINKER,           LIBRARY, STACK,
                                      STACK + 2 * BLOCK, STACK + 3 * BLOCK, STACK + 4 * BLOCK};
    *w = (struct world){.blocks = 8};
    for (unsigned i = 0; i < w->blocks; i++)
        w->block[i].address = places[i];
    elf(w, PROGRAM, 4);
    segment(w, PROGRAM + 64, 6, 4, 64, 64, 4 * 56);
    segment(w, PROGRAM + 64 + 56, 1, 5, 0, 0, 0x800);
    segment(w, PROGRAM + 64 + 112, 1, 6, 0x1000, 0x1000, 0x1000);
    segment(w, PROGRAM + 64 + 168, 2, 6, 0x1000, 0x1000, 0x100);
    elf(w, LINKER, 1);
    segment(w, LINKER + 64, 1, 5, 0, 0, 0x20000);
    elf(w, LIBRARY, 2);
    segment(w, LIBRARY + 64, 1, 4, 0, 0, 0x1000);
    segment(w, LIBRARY + 64 + 56, 1, 5, 0x1000, 0x1000, 0x54321);
    /* the linker's list: program, library, linker */
    word(w, PROGRAM + BLOCK, 1);
    word(w, PROGRAM + BLOCK + 16, 21);
    word(w, PROGRAM + BLOCK + 24, LINKER + 0x800);
    word(w, LINKER + 0x808, LINKER + 0x900);
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t object = LINKER + 0x900 + 0x40 * i;
        word(w, object, i == 0 ? PROGRAM : i == 1 ? LIBRARY : LINKER);
        word(w, object + 8, LINKER + 0xa00 + 0x40 * i);
        word(w, object + 24, i < 2 ? object + 0x40 : 0);
    }
    strcpy((char *)at(w, LINKER + 0xa40), "/lib/s390x-linux-gnu/libc.so.6");
    strcpy((char *)at(w, LINKER + 0xa80), "/lib/ld64.so.1");
    /* the stack's end: vector, texts, the file's name; the vDSO may lie right behind it */
    const uint64_t end = STACK + 4 * BLOCK, name = end - 8 - sizeof "/usr/bin/worker", vector = end - 0x400;
    const uint64_t pairs[][2] = {{33, 0x3fff8000000}, {3, PROGRAM + 64},    {4, 56},    {5, 4},
                                 {7, LINKER},         {9, PROGRAM + 0x100}, {31, name}, {0, 0}};
    strcpy((char *)at(w, name), "/usr/bin/worker");
    strcpy((char *)at(w, name) - 5, "A=31");
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        word(w, vector + 16 * i, pairs[i][0]);
        word(w, vector + 16 * i + 8, pairs[i][1]);
    }
    word(w, vector - 16, name - 5); /* the environment, and its end */
}

static void a_process_says_what_it_runs(void **state)
{
    static struct world w;
    struct linux_process p;
    const struct linux_reader reader = {&w, world_read};
    (void)state;
    build(&w);
    assert_true(linux_process_find(&reader, STACK + 0x123, &p)); /* over a block that is not there */
    assert_string_equal(p.program, "worker");
    assert_int_equal(p.entry, PROGRAM + 0x100);
    assert_int_equal(p.base, LINKER);
    assert_int_equal(p.vdso, 0x3fff8000000);
    assert_true(linux_process_same(&reader, &p));
    linux_process_modules(&reader, &p);
    assert_int_equal(p.modules, 3);
    assert_string_equal(p.module[0].name, "worker");
    assert_int_equal(p.module[0].start, PROGRAM);
    assert_int_equal(p.module[0].end, PROGRAM + 0x800);
    assert_int_equal(p.module[0].bias, PROGRAM);
    assert_string_equal(p.module[1].name, "libc.so.6");
    assert_int_equal(p.module[1].start, LIBRARY + 0x1000);
    assert_int_equal(p.module[1].end, LIBRARY + 0x1000 + 0x54321);
    assert_int_equal(p.module[1].bias, LIBRARY);
    assert_string_equal(p.module[2].name, "ld64.so.1");
    assert_int_equal(p.module[2].start, LINKER);
}

static void another_program_is_noticed(void **state)
{
    static struct world w;
    struct linux_process p;
    const struct linux_reader reader = {&w, world_read};
    (void)state;
    build(&w);
    assert_true(linux_process_find(&reader, STACK, &p));
    at(&w, p.name_at)[9] = 'W';
    assert_false(linux_process_same(&reader, &p));
    w.blocks = 4;
    assert_false(linux_process_same(&reader, &p));
    assert_false(linux_process_find(&reader, STACK, &p));
}

static void a_program_at_a_fixed_place_needs_no_list(void **state)
{
    static struct world w;
    struct linux_process p;
    const struct linux_reader reader = {&w, world_read};
    (void)state;
    build(&w);
    segment(&w, PROGRAM + 64, 4, 4, 0, 0, 0);
    segment(&w, PROGRAM + 64 + 56, 1, 5, 0, PROGRAM, 0x800);
    segment(&w, PROGRAM + 64 + 168, 7, 4, 0, 0, 0);
    word(&w, STACK + 4 * BLOCK - 0x400 + 4 * 16 + 8, 0); /* no linker */
    assert_true(linux_process_find(&reader, STACK, &p));
    linux_process_modules(&reader, &p);
    assert_int_equal(p.modules, 1);
    assert_int_equal(p.module[0].start, PROGRAM);
    assert_int_equal(p.module[0].bias, 0);
}

/* Whatever stands in the guest's storage: no access outside, a bounded number of reads, modules apart and named. */
static void a_damaged_process_is_read_to_an_end(void **state)
{
    static struct world whole, w;
    struct linux_process p;
    const struct linux_reader reader = {&w, world_read};
    uint64_t random = 5, found = 0;
    (void)state;
    build(&whole);
    for (unsigned i = 0; i < 3000; i++) {
        w = whole;
        for (unsigned k = 0; k < 1 + i % 40; k++) {
            struct block *b = &w.block[random_step(&random) % w.blocks];
            const unsigned where = (unsigned)(random_step(&random) % (b->address >= STACK ? BLOCK : 0xb00));
            if (random_step(&random) & 1)
                put64(b->bytes + (where & ~7u) % (BLOCK - 8),
                      whole.block[random_step(&random) % w.blocks].address + (where & ~7u));
            else
                b->bytes[where] = (unsigned char)random_step(&random);
        }
        if (!linux_process_find(&reader, STACK, &p))
            continue;
        found++;
        linux_process_modules(&reader, &p);
        assert_in_range(p.modules, 0, LINUX_MODULES);
        for (unsigned k = 0; k < p.modules; k++) {
            assert_true(p.module[k].start < p.module[k].end && p.module[k].name[0]);
            for (unsigned m = 0; m < k; m++)
                assert_true(p.module[k].end <= p.module[m].start || p.module[m].end <= p.module[k].start);
        }
        assert_true(w.reads < 3000000);
    }
    assert_true(found > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_says_what_it_runs),
        cmocka_unit_test(another_program_is_noticed),
        cmocka_unit_test(a_program_at_a_fixed_place_needs_no_list),
        cmocka_unit_test(a_damaged_process_is_read_to_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
