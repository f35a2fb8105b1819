/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The image loaders: what they accept lands where it should; what they refuse leaves no trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#if HAVE_ZLIB
#include <zlib.h>
#endif
#include "cpu/storage/main.h"
#include "ipl/load.h"
#include "tests/unit/ipl_samples.h"

#define MIB (1u << 20)

/* Files in memory. */
struct file {
    const char *path;
    const uint8_t *bytes;
    uint64_t length;
};
struct fixture {
    struct file file[8];
    unsigned count;
    struct ipl_files files;
    struct cpu_system sys;
    struct ipl_load *load;
    char error[400];
};

static int memory_read(void *context, const char *path, uint64_t limit, uint8_t **bytes, uint64_t *length, char *error,
                       size_t size)
{
    struct fixture *f = context;
    for (unsigned i = 0; i < f->count; i++)
        if (!strcmp(path, f->file[i].path)) {
            if (f->file[i].length > limit) {
                snprintf(error, size, "%s: too long", path);
                return -EFBIG;
            }
            *bytes = malloc(f->file[i].length + 1);
            memcpy(*bytes, f->file[i].bytes, f->file[i].length);
            *length = f->file[i].length;
            return 0;
        }
    snprintf(error, size, "%s: no such file", path);
    return -ENOENT;
}

static void add_file(struct fixture *f, const char *path, const void *bytes, uint64_t length)
{
    f->file[f->count++] = (struct file){path, bytes, length};
}

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->files = (struct ipl_files){f, memory_read};
    if (storage_create(&f->sys.storage, MIB))
        return -1;
    f->load = ipl_load_new(&f->files, MIB);
    *state = f;
    return f->load ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    ipl_load_free(f->load);
    storage_destroy(&f->sys.storage);
    free(f);
    return 0;
}

static int add(struct fixture *f, const char *argument)
{
    char text[200];
    struct ipl_request request = {0};
    snprintf(text, sizeof text, "%s", argument);
    int code = ipl_parse_argument(text, &request, f->error, sizeof f->error);
    return code ? code : ipl_add(f->load, &request, f->error, sizeof f->error);
}

static void expect_start(struct fixture *f, uint64_t mask, uint64_t ia)
{
    uint64_t m = 0, i = 0;
    assert_int_equal(ipl_start_psw(f->load, &f->sys.storage, &m, &i, f->error, sizeof f->error), 0);
    assert_int_equal(m, mask);
    assert_int_equal(i, ia);
}

static void expect_refused(struct fixture *f, const char *argument, int code, const char *word)
{
    uint64_t bytes = ipl_load_bytes(f->load);
    unsigned symbols = ipl_symbols_count(ipl_load_symbols(f->load));
    assert_int_equal(add(f, argument), code);
    if (!strstr(f->error, word))
        fail_msg("expected '%s' in: %s", word, f->error);
    assert_int_equal(ipl_load_bytes(f->load), bytes);
    assert_int_equal(ipl_symbols_count(ipl_load_symbols(f->load)), symbols);
}

static void raw_at_zero_starts_by_its_psw(void **state)
{
    struct fixture *f = *state;
    static const uint8_t image[16] = {0, 8, 0, 0, 0x80, 1, 0, 0, 0xde, 0xad};
    add_file(f, "a", image, sizeof image);
    assert_int_equal(add(f, "a"), 0);
    assert_int_equal(f->sys.storage.bytes[0], 0); /* nothing is stored before ipl_store */
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_memory_equal(f->sys.storage.bytes, image, sizeof image);
    expect_start(f, 0x80000000, 0x10000);
}

static void long_psw_at_zero(void **state)
{
    struct fixture *f = *state;
    static const uint8_t image[16] = {0, 0, 0, 1, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0};
    add_file(f, "a", image, sizeof image);
    assert_int_equal(add(f, "a@0"), 0);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    expect_start(f, UINT64_C(0x180000000), 0x20000);
}

static void raw_elsewhere_starts_at_its_first_byte(void **state)
{
    struct fixture *f = *state;
    static const uint8_t image[6] = {1, 2, 3, 4, 5, 6};
    add_file(f, "dir@home/a", image, sizeof image);
    assert_int_equal(add(f, "dir@home/a@0xffffa"), 0);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_memory_equal(f->sys.storage.bytes + 0xffffa, image, 6);
    expect_start(f, UINT64_C(0x180000000), 0xffffa);
    expect_refused(f, "dir@home/a@ffffb", -EFBIG, "beyond the machine's storage of 1 MiB");
    expect_refused(f, "dir@home/a@ffffffffffffffff", -EFBIG, "--storage");
    expect_refused(f, "dir@home/a@10000000000000000", -EINVAL, "64 bits");
    expect_refused(f, "nothing@0", -ENOENT, "nothing");
    expect_refused(f, "dir@home/a", -ENOEXEC, "too few");
}

static void empty_images_and_names(void **state)
{
    struct fixture *f = *state;
    uint64_t mask, ia;
    add_file(f, "e", "", 0);
    expect_refused(f, "e", -ENOEXEC, "empty");
    expect_refused(f, "", -EINVAL, "without a name");
    assert_int_equal(ipl_start_psw(f->load, &f->sys.storage, &mask, &ia, f->error, sizeof f->error), -ENOEXEC);
    assert_non_null(strstr(f->error, "nothing to start"));
    static const uint8_t zeros[16];
    add_file(f, "z", zeros, sizeof zeros);
    assert_int_equal(add(f, "z"), 0);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_int_equal(ipl_start_psw(f->load, &f->sys.storage, &mask, &ia, f->error, sizeof f->error), -ENOEXEC);
    assert_non_null(strstr(f->error, "absolute 0 is zero"));
}

static void elf_goes_to_its_physical_addresses(void **state)
{
    struct fixture *f = *state;
    make_elf();
    add_file(f, "p", elf, sizeof elf);
    memset(f->sys.storage.bytes + 0x20000, 0xff, 32);
    assert_int_equal(add(f, "p"), 0);
    assert_int_equal(ipl_kind_of(f->load), IPL_KIND_ELF);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_memory_equal(f->sys.storage.bytes + 0x20000, "ABCDEFGH\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\377", 25);
    assert_memory_equal(f->sys.storage.bytes + 0x1000, "IJKL", 4);
    expect_start(f, UINT64_C(0x180000000), 0x20004);
    struct ipl_symbols *symbols = ipl_load_symbols(f->load);
    assert_string_equal(ipl_symbol_at(symbols, 0x400007)->name, "begin");
    assert_true(ipl_symbol_at(symbols, 0x400007)->code);
    assert_null(ipl_symbol_at(symbols, 0x400008));
    assert_null(ipl_symbol_at(symbols, 0x400003));
    assert_int_equal(ipl_symbol_named(symbols, "begin")->address, 0x400004);
    assert_null(ipl_symbol_named(symbols, "end"));
    expect_refused(f, "p@1000", -EINVAL, "name their own addresses");
}

static void elf_that_will_not_do(void **state)
{
    struct fixture *f = *state;
    static const struct {
        unsigned at, bytes;
        uint64_t value;
        int code;
        const char *word;
    } changes[] = {
        {5, 1, 1, -ENOEXEC, "little-endian"},
        {18, 2, 62, -ENOEXEC, "machine number 62"},
        {4, 1, 1, -ENOEXEC, "-m64"},
        {16, 2, 1, -ENOEXEC, "link it first"},
        {16, 2, 3, -ENOEXEC, "no-pie"},
        {16, 2, 4, -ENOEXEC, "type 4"},
        {56, 2, 0, -ENOEXEC, "program headers"},
        {54, 2, 55, -ENOEXEC, "program headers"},
        {32, 8, 0x3ff, -ENOEXEC, "cut short"},
        {64 + 8, 8, 0x3fd, -ENOEXEC, "segment 0"},
        {64 + 8, 8, ~UINT64_C(0), -ENOEXEC, "segment 0"},
        {64 + 32, 8, 25, -ENOEXEC, "segment 0"},
        {64 + 24, 8, MIB - 23, -EFBIG, "beyond"},
        {64 + 40, 8, ~UINT64_C(0), -EFBIG, "beyond"},
        {24, 8, 0x400018, -ENOEXEC, "in no segment"},
    };
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
        make_elf();
        uint8_t *p = elf + changes[i].at;
        if (changes[i].bytes == 1)
            *p = (uint8_t)changes[i].value;
        else if (changes[i].bytes == 2)
            put16(p, (uint16_t)changes[i].value);
        else
            put64(p, changes[i].value);
        f->count = 0;
        add_file(f, "p", elf, sizeof elf);
        expect_refused(f, "p", changes[i].code, changes[i].word);
    }
    make_elf();
    f->count = 0;
    add_file(f, "p", elf, 63);
    expect_refused(f, "p", -ENOEXEC, "inside the ELF header");
}

static void lb_6_lists(void **state)
{
    struct fixture *f = *state;
    static const char list[] = "* a list\n\nk.img 0x0\r\nsub/w 10\n/abs 0000000000000020";
    static const uint8_t kernel[24] = {0, 8, 0, 0, 0x80, 0, 0x20, 0};
    add_file(f, "x/l.ins", list, sizeof list - 1);
    add_file(f, "x/k.img", kernel, sizeof kernel);
    add_file(f, "x/sub/w", "WORD", 4);
    add_file(f, "/abs", "ABS", 3);
    assert_int_equal(add(f, "x/l.ins"), 0);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_memory_equal(f->sys.storage.bytes + 0x10, "WORD\0\0\0\0", 8);
    assert_memory_equal(f->sys.storage.bytes + 0x20, "ABS", 3);
    expect_start(f, 0x80000000, 0x2000);
    static const struct {
        const char *text, *word;
        int code;
    } bad[] = {{"k.img", "line 1: not of the form", -EINVAL},
               {"\nk.img 0 0", "line 2: not of the form", -EINVAL},
               {"k.img 10g", "not a hexadecimal", -EINVAL},
               {"k.img 0\nmissing 5", "line 2: x/missing", -ENOENT},
               {"k.img 0\nk.img fffff", "line 2: x/k.img: 24 bytes", -EFBIG},
               {"* nothing\n", "names no file", -ENOEXEC}};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        f->file[0] = (struct file){"x/l.ins", (const uint8_t *)bad[i].text, strlen(bad[i].text)};
        expect_refused(f, "x/l.ins", bad[i].code, bad[i].word);
    }
    f->file[0] = (struct file){"x/l.ins", (const uint8_t *)"a\0b 0", 5};
    expect_refused(f, "x/l.ins", -EINVAL, "not text");
}

static void decks_are_moved_and_joined(void **state)
{
    struct fixture *f = *state;
    make_deck();
    add_file(f, "d", deck, 80 * 7);
    assert_int_equal(add(f, "d@8000"), 0);
    assert_int_equal(ipl_kind_of(f->load), IPL_KIND_DECK);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_memory_equal(f->sys.storage.bytes + 0x8000, "abcdefgh\0\0\x80\4\0\0\x80\x10wxyz", 20);
    expect_start(f, UINT64_C(0x180000000), 0x8004);
    assert_string_equal(ipl_symbol_at(ipl_load_symbols(f->load), 0x8002)->name, "MAIN");
    assert_string_equal(ipl_symbol_at(ipl_load_symbols(f->load), 0x8011)->name, "SUB");
    ipl_load_free(f->load);
    f->load = ipl_load_new(&f->files, MIB);
    assert_int_equal(add(f, "d"), 0); /* at the assembled origin */
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_memory_equal(f->sys.storage.bytes + 0x100, "abcdefgh\0\0\1\4\0\0\1\x10wxyz", 20);
    expect_start(f, UINT64_C(0x180000000), 0x104);
    expect_refused(f, "d@fffff", -EFBIG, "beyond");
}

static void decks_that_will_not_do(void **state)
{
    struct fixture *f = *state;
    static const struct {
        unsigned at;
        uint8_t value;
        unsigned length;
        const char *word;
    } changes[] = {
        {0, 2, 80 * 6, "card 6: the deck is cut short"},
        {0, 2, 79, "whole cards"},
        {80 + 1, 0x40, 560, "card 2: is none of"},
        {11, 49, 560, "card 1: an ESD"},
        {80 + 11, 57, 560, "card 2: a TXT"},
        {80 + 15, 9, 560, "card 2: its text belongs"},
        {80 + 15, 2, 560, "card 2: its text belongs"},
        {80 + 7, 0x22, 560, "card 2: its text lies outside"},
        {160 + 11, 57, 560, "card 3: an RLD"},
        {160 + 11, 12, 560, "card 3: its last RLD item"},
        {160 + 17, 7, 560, "card 3: an RLD item names"},
        {160 + 20, 0x2c, 560, "card 3: has a kind"},
        {160 + 23, 0x40, 560, "card 3: an address constant lies outside"},
        {320 + 16, 0xc1, 560, "card 3: an address constant refers"},
        {240 + 6, 9, 560, "card 4: its entry"},
    };
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
        make_deck();
        deck[changes[i].at] = changes[i].value;
        f->count = 0;
        add_file(f, "d", deck, changes[i].length);
        struct ipl_request request = {.path = "d", .kind = IPL_KIND_DECK};
        assert_int_equal(ipl_add(f->load, &request, f->error, sizeof f->error), -ENOEXEC);
        if (!strstr(f->error, changes[i].word))
            fail_msg("case %u: expected '%s' in: %s", i, changes[i].word, f->error);
        assert_int_equal(ipl_load_bytes(f->load), 0);
    }
}

static int add_kernel(struct fixture *f, const char *initrd, const char *append)
{
    struct ipl_request request = {.path = "vmlinuz", .initrd = initrd, .append = append};
    return ipl_add(f->load, &request, f->error, sizeof f->error);
}

static void lb_1_2_3_linux_kernel_with_all(void **state)
{
    struct fixture *f = *state;
    uint8_t *s = f->sys.storage.bytes;
    ipl_load_free(f->load);
    storage_destroy(&f->sys.storage);
    assert_int_equal(storage_create(&f->sys.storage, 4 * MIB), 0);
    f->load = ipl_load_new(&f->files, 4 * MIB);
    s = f->sys.storage.bytes;
    make_kernel();
    add_file(f, "vmlinuz", kernel, sizeof kernel);
    add_file(f, "initrd", "\x1f\x8bsmall and not unpacked", 24);
    assert_int_equal(add_kernel(f, "initrd", "console=ttyS0"), 0);
    assert_int_equal(ipl_kind_of(f->load), IPL_KIND_LINUX);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    expect_start(f, UINT64_C(0x180000000), 0x10000);
    uint64_t address = get64(s + 0x10408);
    assert_int_equal(address % 4096, 0);
    assert_true(address >= sizeof kernel + MIB);
    assert_int_equal(get64(s + 0x10410), 24);
    assert_memory_equal(s + address, "\x1f\x8bsmall and not unpacked", 24);
    assert_string_equal((char *)s + 0x10480, "console=ttyS0");
    assert_int_equal(s[0x11480], 0x11); /* behind the field */
}

static void lb_1_2_linux_kernel_that_will_not_do(void **state)
{
    struct fixture *f = *state;
    char text[4097];
    memset(text, 'x', sizeof text - 1);
    text[4096] = 0;
    make_kernel();
    add_file(f, "vmlinuz", kernel, sizeof kernel);
    add_file(f, "initrd", kernel, 100);
    assert_int_equal(add_kernel(f, NULL, text), -E2BIG);
    assert_non_null(strstr(f->error, "4096 characters"));
    assert_int_equal(add_kernel(f, "initrd", NULL), -EFBIG); /* 1 MiB of storage */
    assert_int_equal(add_kernel(f, "none", NULL), -ENOENT);
    assert_int_equal(ipl_load_bytes(f->load), 0);
    text[4095] = 0;
    assert_int_equal(add_kernel(f, NULL, text), 0);
    put64(kernel + 0x10430, 0);
    text[895] = 0;
    assert_int_equal(add_kernel(f, NULL, text), 0);
    text[895] = 'x';
    text[896] = 0;
    assert_int_equal(add_kernel(f, NULL, text), -E2BIG);
    put64(kernel + 0x10430, ~UINT64_C(0));
    assert_int_equal(add_kernel(f, NULL, NULL), -ENOEXEC);
    f->file[0].length = 0x10480;
    assert_int_equal(add_kernel(f, "initrd", "x"), -ENOEXEC);
    assert_non_null(strstr(f->error, "not a Linux kernel"));
}

/* Any image may have a text, ended by a zero byte, where a kernel has its command line; it comes over the image. */
static void a_text_for_other_images(void **state)
{
    static uint8_t raw[0x10500];
    struct fixture *f = *state;
    struct ipl_request request = {.path = "elf", .append = "one two"};
    const uint8_t *s = f->sys.storage.bytes;
    make_elf();
    add_file(f, "elf", elf, sizeof elf);
    memset(raw, 0xee, sizeof raw);
    add_file(f, "raw", raw, sizeof raw);
    assert_int_equal(ipl_add(f->load, &request, f->error, sizeof f->error), 0);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_string_equal((const char *)s + 0x10480, "one two");
    request.path = "raw";
    request.append = "three";
    assert_int_equal(ipl_add(f->load, &request, f->error, sizeof f->error), 0);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_string_equal((const char *)s + 0x10480, "three");
    assert_int_equal(s[0x1047f], 0xee);
    assert_int_equal(s[0x10486], 0xee);
}

#if HAVE_ZLIB
static void compressed_images(void **state)
{
    struct fixture *f = *state;
    static uint8_t packed[70000], plain[100000];
    plain[1] = 8, plain[4] = 0x80, plain[99999] = 7;
    z_stream z = {.next_in = plain, .avail_in = sizeof plain, .next_out = packed, .avail_out = sizeof packed};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    uint64_t length = z.total_out;
    deflateEnd(&z);
    add_file(f, "a.gz", packed, length);
    assert_int_equal(add(f, "a.gz"), 0);
    assert_int_equal(ipl_load_bytes(f->load), sizeof plain);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    assert_memory_equal(f->sys.storage.bytes, plain, sizeof plain);
    f->file[0].length = length - 9;
    expect_refused(f, "a.gz", -ENOEXEC, "damaged or cut short");
}
#endif

static void maps(void **state)
{
    struct fixture *f = *state;
    struct ipl_symbols *s = ipl_symbols_new();
    static const char map[] = "0000000000100000 T startup\n0000000000100010 t loop\n# note\n"
                              "                 U elsewhere\n100020 D data";
    assert_int_equal(ipl_symbols_add_map(s, map, sizeof map - 1, 0x1000, f->error, sizeof f->error), 0);
    assert_int_equal(ipl_symbols_count(s), 3);
    assert_string_equal(ipl_symbol_at(s, 0x10100f)->name, "startup");
    assert_string_equal(ipl_symbol_at(s, 0x101010)->name, "loop");
    assert_string_equal(ipl_symbol_at(s, ~UINT64_C(0))->name, "data");
    assert_false(ipl_symbol_at(s, 0x101020)->code);
    assert_null(ipl_symbol_at(s, 0x100fff));
    assert_int_equal(ipl_symbols_add_map(s, "1 T a\n2 b\n", 10, 0, f->error, sizeof f->error), -EINVAL);
    assert_non_null(strstr(f->error, "line 2"));
    assert_int_equal(ipl_symbols_count(s), 3);
    ipl_symbols_free(s);
}

/* A refused image in the middle leaves the earlier ones as they were. */
static void never_half_loaded(void **state)
{
    struct fixture *f = *state;
    make_elf();
    make_deck();
    add_file(f, "p", elf, sizeof elf);
    add_file(f, "d", deck, 80 * 6);
    assert_int_equal(add(f, "p"), 0);
    expect_refused(f, "d", -ENOEXEC, "cut short");
    expect_refused(f, "d@fffffff0", -ENOEXEC, "cut short");
    assert_int_equal(ipl_load_end(f->load), 0x20018);
    assert_int_equal(ipl_store(f->load, &f->sys), 0);
    expect_start(f, UINT64_C(0x180000000), 0x20004);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(raw_at_zero_starts_by_its_psw),
        CASE(long_psw_at_zero),
        CASE(raw_elsewhere_starts_at_its_first_byte),
        CASE(empty_images_and_names),
        CASE(elf_goes_to_its_physical_addresses),
        CASE(elf_that_will_not_do),
        CASE(lb_6_lists),
        CASE(decks_are_moved_and_joined),
        CASE(decks_that_will_not_do),
        CASE(lb_1_2_3_linux_kernel_with_all),
        CASE(lb_1_2_linux_kernel_that_will_not_do),
        CASE(a_text_for_other_images),
#if HAVE_ZLIB
        CASE(compressed_images),
#endif
        CASE(maps),
        CASE(never_half_loaded)
    };
    return cmocka_run_group_tests_name("ipl", tests, NULL, NULL);
}
