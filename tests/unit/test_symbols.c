/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files for zri-prof --symbols: which names are functions, which file is that of which module. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "emu/symbols/internal.h"
#include "emu/symbols/symbols.h"
#include "emu/symbols/text.h"
#include "tests/unit/ep_example.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/test_symbols.XXXXXX";

/* Writes a file; its path. */
static const char *file_with(const char *name, const void *bytes, size_t size)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
    return path;
}

static struct symbols_file *map_of(const char *text)
{
    struct symbols_file *file;
    char error[600];
    if (symbols_file_open(file_with("map", text, strlen(text)), &file, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(file->kind, SYMBOLS_MAP);
    return file;
}

static void is_function(const struct symbols_file *file, size_t i, uint64_t start, uint64_t end, const char *name)
{
    assert_true(i < file->functions);
    assert_string_equal(file->function[i].name, name);
    assert_int_equal(file->function[i].start, start);
    assert_int_equal(file->function[i].end, end);
}

static void ep_92_95_lists_of_addresses(void **state)
{
    (void)state;
    /* in no order; data end a function; absolute and hidden ones, and those without a place, are nothing */
    struct symbols_file *f = map_of("0000000000001040 t second\t[nf_tables]\n0000000000001000 T first\n"
                                    "0000000000001060 D data\n                 U printf\n0000000000001010 A absolute\n"
                                    "0000000000001020 t .Llabel\n0000000000002000 0000000000000010 W sized\n"
                                    "0000000000003000 i last\n");
    assert_int_equal(f->functions, 4);
    is_function(f, 0, 0x1000, 0x1040, "first");
    is_function(f, 1, 0x1040, 0x1060, "second");
    is_function(f, 2, 0x2000, 0x2010, "sized");
    is_function(f, 3, 0x3000, UINT64_MAX, "last");
    symbols_file_close(f);
}

static void ep_92_of_several_names_one_stays(void **state)
{
    (void)state;
    struct symbols_file *f = map_of("0000000000001000 t a\n0000000000001000 W b\n0000000000001000 T __c\n"
                                    "0000000000001000 T longer\n0000000000001000 T dd\n0000000000001000 T cc\n"
                                    "0000000000002000 T open\n0000000000002000 0000000000000004 t sized\n");
    assert_int_equal(f->functions, 2);
    is_function(f, 0, 0x1000, 0x2000, "cc");
    is_function(f, 1, 0x2000, 0x2004, "sized");
    symbols_file_close(f);
}

static void ep_91_lists_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {{"0000000000001000 T\n", "line 1 is none of a list"},
               {"0000000000001000 T a\n1000 T b c\n", "line 2 is none of a list"},
               {"00000000000010000 T a\n", "line 1 is none of a list"},
               {"1000 TT a\n", "line 1 is none of a list"},
               {"xyz T a\n", "line 1 is none of a list"},
               {"1000 T a [b\tc\n1000", "line 2 is none of a list"},
               {"0000000000000000 T a\n0000000000000000 t b\n", "all addresses are zero"}};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct symbols_file *f;
        char error[600];
        assert_int_equal(symbols_file_open(file_with("map", bad[i].text, strlen(bad[i].text)), &f, error, sizeof error),
                         -EINVAL);
        if (!strstr(error, bad[i].words))
            fail_msg("%s: %s", bad[i].text, error);
    }
}

/* Bytes as they stood in storage are code of the module with their name; with an address, from there on. */
static void ep_34_95_raw_images(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x07, 0xfe, 0xa7, 0xf4, 0x00, 0x02, 0xc0};
    struct symbols *symbols = symbols_new();
    char error[600], argument[300];
    struct ep_profile *p = ep_of_text(EP_EXAMPLE, strlen(EP_EXAMPLE), error);
    uint8_t got[6];
    assert_non_null(p);
    snprintf(argument, sizeof argument, "%s@10010", file_with("ex", bytes, sizeof bytes));
    assert_int_equal(symbols_add(symbols, argument, error, sizeof error), 0);
    assert_int_equal(symbols_bind(symbols, p, error, sizeof error), 0);
    const struct ep_source source = symbols_source(symbols);
    assert_true(source.given(source.context, 0));
    assert_true(source.code(source.context, 0, 0x10010, got));
    assert_memory_equal(got, bytes, 2);
    assert_true(source.code(source.context, 0, 0x10012, got));
    assert_memory_equal(got, bytes + 2, 4);
    assert_false(source.code(source.context, 0, 0x10016, got)); /* it is cut */
    assert_false(source.code(source.context, 0, 0x1000e, got));
    assert_false(source.code(source.context, 0, 0x10018, got));
    assert_false(source.code(source.context, 1, 0x10010, got));
    symbols_free(symbols);
    /* without an address it begins where the module does */
    symbols = symbols_new();
    assert_int_equal(symbols_add(symbols, file_with("ex", bytes, sizeof bytes), error, sizeof error), 0);
    assert_int_equal(symbols_bind(symbols, p, error, sizeof error), 0);
    const struct ep_source again = symbols_source(symbols);
    assert_true(again.code(again.context, 0, 0x10002, got));
    assert_memory_equal(got, bytes + 2, 4);
    assert_false(again.code(again.context, 0, 0x10010, got));
    symbols_free(symbols);
    ep_profile_free(p);
}

/* The last of several modules at one place is there. */
static void ep_85_modules_that_follow_each_other(void **state)
{
    (void)state;
    static const uint8_t a[] = {0x07, 0xfe}, b[] = {0x07, 0x00};
    struct symbols *symbols = symbols_new();
    char error[600];
    struct ep_log_module module = {.module = {.start = 0x1000, .end = 0x1002, .bias = 0x1000, .name = "a"}};
    uint8_t got[6];
    assert_int_equal(symbols_add(symbols, file_with("a", a, sizeof a), error, sizeof error), 0);
    assert_int_equal(symbols_add(symbols, file_with("b", b, sizeof b), error, sizeof error), 0);
    const struct ep_images images = symbols_images(symbols);
    assert_false(images.fetch(images.context, 0, 0x1000, got));
    assert_int_equal(images.module(images.context, &module), 0);
    assert_true(images.fetch(images.context, 0, 0x1000, got));
    assert_memory_equal(got, a, 2);
    assert_int_equal(symbols_all_used(symbols, error, sizeof error), -EPERM);
    module.module.name = "b";
    assert_int_equal(images.module(images.context, &module), 0);
    assert_true(images.fetch(images.context, 0, 0x1000, got));
    assert_memory_equal(got, b, 2);
    assert_int_equal(symbols_all_used(symbols, error, sizeof error), 0);
    module.module.name = "c"; /* nobody has its file: there is no code */
    assert_int_equal(images.module(images.context, &module), 0);
    assert_false(images.fetch(images.context, 0, 0x1000, got));
    assert_false(images.fetch(images.context, 1, 0x1000, got));
    symbols_free(symbols);
}

/* ---- lines of source files --------------------------------------------------------------------------------------- */

static bool is_line(struct symbols_texts *texts, const char *path, uint32_t line, const char *expected)
{
    char text[24];
    struct timespec changed = {0, 0};
    memset(text, 'x', sizeof text);
    const bool found = symbols_text(texts, path, line, text, sizeof text, &changed);
    if (strcmp(text, expected) != 0)
        print_error("line %u of %s: '%s'\n", line, path, text);
    return found && strcmp(text, expected) == 0;
}

static bool is_none(struct symbols_texts *texts, const char *path, uint32_t line)
{
    char text[8] = "x";
    struct timespec changed;
    return !symbols_text(texts, path, line, text, sizeof text, &changed) && !*text;
}

static void text_of_lines(void **state)
{
    static const char lines[] = "first\n\tx\ty \t\r\n\n\033[2J\xff\xc3\xa4\xc2\x9b\0.\n"
                                "a line that is longer than what there is for it\n\xe2\x82";
    struct symbols_texts *texts = symbols_texts_new();
    assert_non_null(texts);
    (void)state;
    const char *path = file_with("map", lines, sizeof lines - 1);
    assert_true(is_line(texts, path, 1, "first"));
    assert_true(is_line(texts, path, 2, "        x       y"));
    assert_true(is_line(texts, path, 3, ""));
    assert_true(is_line(texts, path, 4, ".[2J.\xc3\xa4...")); /* nothing that a terminal would obey */
    assert_true(is_line(texts, path, 5, "a line that is long"));
    assert_true(is_line(texts, path, 6, ".."));
    assert_true(is_none(texts, path, 7));
    assert_true(is_none(texts, path, 0));
    assert_true(is_none(texts, path, UINT32_MAX));
    symbols_texts_free(texts);
}

/* The file becomes another one, is shorter than it was, ends with its last line, is empty, goes away. */
static void text_of_a_file_that_changes(void **state)
{
    struct symbols_texts *texts = symbols_texts_new();
    char path[200];
    assert_non_null(texts);
    (void)state;
    snprintf(path, sizeof path, "%s", file_with("map", "one\ntwo\nthree\n", 14));
    assert_true(is_line(texts, path, 3, "three"));
    assert_true(is_none(texts, path, 4));
    file_with("map", "eins\n", 5);
    assert_true(is_line(texts, path, 1, "eins"));
    assert_true(is_none(texts, path, 2));
    assert_true(is_none(texts, path, 3));
    file_with("map", "", 0);
    assert_true(is_none(texts, path, 1));
    unlink(path);
    assert_true(is_none(texts, path, 1));
    symbols_texts_free(texts);
}

/* More files than are kept; folders, pipes (which nobody waits for), what is too large, what may not be read. */
static void text_of_other_files(void **state)
{
    struct symbols_texts *texts = symbols_texts_new();
    char path[40][200];
    assert_non_null(texts);
    (void)state;
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < 40; i++) {
            char name[20], text[20];
            snprintf(name, sizeof name, "file%u", i);
            snprintf(text, sizeof text, "text %u", i);
            if (!round)
                snprintf(path[i], sizeof path[i], "%s", file_with(name, text, strlen(text)));
            assert_true(is_line(texts, path[i], 1, text));
            if (round)
                unlink(path[i]);
        }
    assert_true(is_none(texts, folder, 1));
    assert_true(is_none(texts, "/dev/zero", 1));
    assert_int_equal(mkfifo(path[0], 0600), 0);
    assert_true(is_none(texts, path[0], 1));
    unlink(path[0]);
    file_with("file0", "large\n", 6);
    assert_int_equal(truncate(path[0], (off_t)1 << 40), 0);
    assert_true(is_none(texts, path[0], 1));
    unlink(path[0]);
    symbols_texts_free(texts);
}

static int begin(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}
static int end(void **state)
{
    static const char *const names[] = {"map", "ex", "a", "b"};
    char path[200];
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_92_95_lists_of_addresses),
        cmocka_unit_test(ep_92_of_several_names_one_stays),
        cmocka_unit_test(ep_91_lists_that_are_none),
        cmocka_unit_test(ep_34_95_raw_images),
        cmocka_unit_test(ep_85_modules_that_follow_each_other),
        cmocka_unit_test(text_of_lines),
        cmocka_unit_test(text_of_a_file_that_changes),
        cmocka_unit_test(text_of_other_files),
    };
    return cmocka_run_group_tests_name("symbols", tests, begin, end);
}
