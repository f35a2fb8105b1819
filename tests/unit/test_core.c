/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Core files, read back: every header, note and page; what a guest says of itself is not trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cpu/life/life.h"
#include "emu/machine/core.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE (UINT64_C(4) << 20)

static char path[] = "/tmp/test_core.XXXXXX";

static struct machine *make(void)
{
    struct machine_config config = machine_default_config();
    char error[256];
    config.storage = SIZE;
    config.cpus = 2;
    struct machine *m = machine_create(&config, NULL, error, sizeof error);
    assert_non_null(m);
    for (unsigned c = 0; c < 2; c++) {
        struct cpu *cpu = m->sys.cpus[c];
        for (unsigned i = 0; i < 32; i++)
            cpu->vr[i] = (struct vector_register){.hi = 0xa000 + 0x100 * c + i, .lo = 0xb000 + 0x100 * c + i};
        for (unsigned i = 0; i < 16; i++) {
            cpu->gr[i] = 0xc000 + 0x100 * c + i;
            cpu->cr[i] = 0xd000 + 0x100 * c + i;
            cpu->ar[i] = 0xe000 + 0x100 * c + i;
        }
        cpu->fpc = 0x70000 + c;
        cpu->prefix = 0x4000 * c;
        cpu->clock_comparator = 0x1234 + c;
        cpu->tod_programmable = 0x77 + c;
        cpu->psw.mask = UINT64_C(0x0000000180000000);
        cpu->psw.ia = 0x8000 + c;
        cpu->cc = (uint8_t)(2 + c);
    }
    return m;
}

/* The file that core_save() makes, all of it; free() it. */
static uint8_t *saved(struct machine *m, size_t *size)
{
    char error[400];
    struct stat st;
    if (core_save(m, path, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(stat(path, &st), 0);
    *size = (size_t)st.st_size;
    uint8_t *bytes = malloc(*size);
    FILE *in = fopen(path, "rb");
    assert_true(bytes && in && fread(bytes, 1, *size, in) == *size);
    fclose(in);
    return bytes;
}

struct note {
    const char *name;
    uint32_t type, length;
    const uint8_t *bytes;
};

/* The next of the notes; false: there are no more. All lie within them. */
static bool next(const uint8_t *notes, size_t length, size_t *at, struct note *n)
{
    if (*at == length)
        return false;
    assert_true(length - *at >= 12);
    const uint32_t name = get32(notes + *at);
    n->length = get32(notes + *at + 4);
    n->type = get32(notes + *at + 8);
    n->name = (const char *)notes + *at + 12;
    n->bytes = notes + *at + 12 + ((name + 3) & ~3u);
    *at = (size_t)(n->bytes - notes) + ((n->length + 3) & ~3u);
    assert_true(*at <= length && n->name[name - 1] == 0);
    return true;
}

static void is_note(const struct note *n, const char *name, unsigned type, unsigned length)
{
    assert_string_equal(n->name, name);
    assert_int_equal(n->type, type);
    assert_int_equal(n->length, length);
}

static void one_cpu(unsigned c, const uint8_t *notes, size_t length, size_t *at)
{
    static const struct {
        const char *name;
        unsigned type, length;
    } order[] = {{"CORE", 1, 336},    {"CORE", 2, 136},      {"LINUX", 0x301, 8},
                 {"LINUX", 0x302, 8}, {"LINUX", 0x303, 4},   {"LINUX", 0x304, 128},
                 {"LINUX", 0x305, 4}, {"LINUX", 0x309, 128}, {"LINUX", 0x30a, 256}};
    struct note n[9];
    for (unsigned i = 0; i < 9; i++) {
        assert_true(next(notes, length, at, &n[i]));
        is_note(&n[i], order[i].name, order[i].type, order[i].length);
    }
    assert_int_equal(get32(n[0].bytes + 32), c + 1);
    assert_int_equal(get64(n[0].bytes + 112), UINT64_C(0x0000000180000000) | (uint64_t)(2 + c) << 44);
    assert_int_equal(get64(n[0].bytes + 120), 0x8000 + c);
    assert_int_equal(get32(n[1].bytes), 0x70000 + c);
    assert_int_equal(get64(n[3].bytes), 0x1234 + c);
    assert_int_equal(get32(n[4].bytes), 0x77 + c);
    assert_int_equal(get32(n[6].bytes), 0x4000 * c);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(get64(n[0].bytes + 128 + 8 * i), 0xc000 + 0x100 * c + i);
        assert_int_equal(get32(n[0].bytes + 256 + 4 * i), 0xe000 + 0x100 * c + i);
        assert_int_equal(get64(n[1].bytes + 8 + 8 * i), 0xa000 + 0x100 * c + i);
        assert_int_equal(get64(n[5].bytes + 8 * i), 0xd000 + 0x100 * c + i);
        assert_int_equal(get64(n[7].bytes + 8 * i), 0xb000 + 0x100 * c + i);
        assert_int_equal(get64(n[8].bytes + 16 * i), 0xa010 + 0x100 * c + i);
        assert_int_equal(get64(n[8].bytes + 16 * i + 8), 0xb010 + 0x100 * c + i);
    }
}

/* The headers are right; the notes behind those of the CPUs: how many, the last one in *last. */
static unsigned look(const struct machine *m, const uint8_t *file, size_t size, struct note *last)
{
    static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 2, 2, 1};
    const uint8_t *one = file + 64, *two = file + 120;
    assert_memory_equal(file, ident, 16);
    assert_int_equal(get16(file + 16), 4);
    assert_int_equal(get16(file + 18), 22);
    assert_int_equal(get64(file + 32), 64);
    assert_int_equal(get16(file + 54), 56);
    assert_int_equal(get16(file + 56), 2);
    assert_int_equal(get32(one), 4);
    assert_int_equal(get32(two), 1);
    const uint64_t notes = get64(one + 8), length = get64(one + 32), offset = get64(two + 8);
    assert_true(notes == 176 && notes + length <= offset && offset % 4096 == 0 && size == offset + SIZE);
    assert_int_equal(get64(two + 16), 0);
    assert_int_equal(get64(two + 24), 0);
    assert_int_equal(get64(two + 32), SIZE);
    assert_int_equal(get64(two + 40), SIZE);
    assert_memory_equal(file + offset, m->sys.storage.bytes, SIZE);
    size_t at = 0;
    unsigned more = 0;
    assert_true(next(file + notes, (size_t)length, &at, last));
    is_note(last, "CORE", 3, 136);
    one_cpu(0, file + notes, (size_t)length, &at);
    one_cpu(1, file + notes, (size_t)length, &at);
    while (next(file + notes, (size_t)length, &at, last))
        more++;
    return more;
}

static void headers_notes_and_storage(void **state)
{
    struct machine *m = make();
    struct note last;
    struct stat st;
    size_t size;
    (void)state;
    memset(m->sys.storage.bytes + 0x3000, 0x5a, 0x1001);
    m->sys.storage.bytes[SIZE - 1] = 1;
    uint8_t *file = saved(m, &size);
    assert_int_equal(look(m, file, size, &last), 0);
    assert_int_equal(stat(path, &st), 0);
    assert_true((uint64_t)st.st_blocks * 512 < SIZE / 4); /* pages of zeros are holes */
    free(file);
    machine_destroy(m);
}

static void put_info(struct machine *m, uint64_t at, uint32_t length)
{
    uint8_t *storage = m->sys.storage.bytes;
    put64(storage + 0xe0c, at);
    if (at > SIZE - 24)
        return;
    put32(storage + at, 11);
    put32(storage + at + 4, length);
    put32(storage + at + 8, 0);
    memcpy(storage + at + 12, "VMCOREINFO", 11);
    if (at + 24 + 9 <= SIZE)
        memcpy(storage + at + 24, "OSRELEASE", 9);
}

static void what_linux_says(void **state)
{
    static const struct {
        uint64_t at;
        uint32_t length;
        bool good;
    } cases[] = {{0x5000, 9, true},
                 {SIZE - 36, 12, true},
                 {SIZE - 36, 13, false},
                 {0x5002, 9, false},
                 {0x5000, 65536, true},
                 {0x5000, 65537, false},
                 {0x5000, 0xffffffff, false},
                 {SIZE - 24, 0, false},
                 {SIZE - 20, 9, false},
                 {0, 9, false},
                 {UINT64_C(0xfffffffffffffffc), 9, false}};
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine *m = make();
        struct note last;
        size_t size;
        put_info(m, cases[i].at, cases[i].length);
        uint8_t *file = saved(m, &size);
        if (look(m, file, size, &last) != cases[i].good)
            fail_msg("case %u", i);
        if (cases[i].good) {
            is_note(&last, "VMCOREINFO", 0, cases[i].length);
            assert_memory_equal(last.bytes, "OSRELEASE", 9);
        }
        free(file);
        machine_destroy(m);
    }
}

static void places_that_do_not_do(void **state)
{
    struct machine *m = make();
    char error[400];
    (void)state;
    assert_int_equal(core_save(m, "/nonexistent/core", error, sizeof error), -ENOENT);
    assert_non_null(strstr(error, "cannot write the core file '/nonexistent/core'"));
    assert_int_equal(core_save(m, "/dev/full", error, sizeof error), -ESPIPE);
    assert_non_null(strstr(error, "name a file in a folder with room"));
    assert_int_equal(access("/dev/full", F_OK), 0); /* it was not removed */
    machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_notes_and_storage),
        cmocka_unit_test(what_linux_says),
        cmocka_unit_test(places_that_do_not_do),
    };
    const int file = mkstemp(path);
    if (file < 0 || close(file))
        return 99;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
