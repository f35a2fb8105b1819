/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libri, the library for programs under Linux, decodes program buffers as ri/ does for console and zri-ri: the same
   groups, records, types, fields and values, from buffers that ri/ stored and from any bytes. Elsewhere than on s390x
   Linux it says that there is nothing to control. */
#include "ipl/guest/libri/libri.h"
#include "tests/random.h"
#include "tests/unit/ri_harness.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What one of the two decoders says of a buffer: a line for each record. */
struct words {
    char *text;
    size_t length, room;
    const uint8_t *bytes; /* libri: of the buffer */
};

static void say(struct words *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (w->room - w->length < 256) {
        w->room += 65536;
        w->text = realloc(w->text, w->room);
        assert_non_null(w->text);
    }
    w->length += (size_t)vsnprintf(w->text + w->length, w->room - w->length, format, list);
    va_end(list);
}

static void fact(void *context, const char *name, uint64_t value, unsigned digits)
{
    (void)digits;
    say(context, " %s=%" PRIX64, name, value);
}
static void record_of_ri(void *context, unsigned group, uint64_t address, struct ri_record r)
{
    struct words *w = context;
    const char *name = ri_type_name(ri_record_type(r));
    say(w, "%u %" PRIX64 " %s", group, address - BASE, name ? name : "none");
    ri_record_facts(r, fact, w);
    say(w, "\n");
}

static void group_of_libri(void *context, const struct libri_group *group)
{
    struct words *w = context;
    for (unsigned i = 0; i < group->records; i++) {
        const struct libri_record r = libri_record(group, i);
        const char *name = libri_type_name(libri_type(r));
        say(w, "%u %" PRIX64 " %s", group->number, (uint64_t)(group->bytes - w->bytes) + 16 * i, name ? name : "none");
        for (unsigned f = 0; f < LIBRI_FIELDS; f++)
            if (libri_has(libri_type(r), f))
                say(w, " %s=%" PRIX64, libri_field_name(f), libri_field(r, f));
        say(w, "\n");
    }
}

/* Both say the same of a buffer; yields the groups. */
static unsigned same(const uint8_t *bytes, size_t size)
{
    struct words ri = {.text = NULL}, libri = {.bytes = bytes};
    const unsigned groups = ri_buffer_each(bytes, size, BASE, record_of_ri, &ri);
    assert_int_equal(libri_groups(bytes, size, group_of_libri, &libri), groups);
    assert_int_equal(ri.length, libri.length);
    if (groups)
        assert_string_equal(ri.text, libri.text);
    free(ri.text);
    free(libri.text);
    return groups;
}

WORLD(what_ri_stored, "RI-A")
{
    for (unsigned rgs = 0; rgs <= 4; rgs++) {
        struct ri_controls c = usual(7);
        c.rgs = (uint8_t)rgs;
        c.d = 1;
        memset(w->bytes, 0, sizeof w->bytes);
        lric(w, c);
        ri_enable(w->ri, true);
        for (unsigned i = 0; i < 40; i++) {
            call(w, 0x11000 + 0x100 * i);
            emit(w, 0x5a5a5a5a5a5aULL * i);
            steps(w, i % 5);
        }
        assert_true(same(w->bytes, 0x1000) >= 5);
        ri_enable(w->ri, false);
    }
}

static unsigned below(uint64_t *random, unsigned n) { return (unsigned)((random_step(random) >> 33) % n); }

/* Any records, any sizes, any number of groups announced. */
static void any_bytes(void **state)
{
    enum { SIZE = 4096 };
    (void)state;
    uint64_t random = 1;
    uint8_t *bytes = malloc(SIZE);
    unsigned groups = 0;
    assert_non_null(bytes);
    for (unsigned n = 0; n < 3000; n++) {
        const size_t size = below(&random, SIZE + 1);
        uint8_t *end = bytes + SIZE - size; /* so that a sanitizer sees what is read beyond it */
        for (size_t i = 0; i < size; i++)
            end[i] = (uint8_t)below(&random, i % 16 == 0 ? 0x16 : 256);
        if (size && n % 8)
            end[0] = LIBRI_BEGIN;
        if (size > 3 && n % 3)
            end[1] = end[2] = 0;
        groups += same(end, size);
    }
    assert_true(groups > 1000);
    free(bytes);
}

static void names(void **state)
{
    (void)state;
    unsigned types = 0;
    for (unsigned code = 0; code < 256; code++) {
        const char *here = libri_type_name(code), *there = ri_type_name(code);
        assert_int_equal(!here, !there);
        if (here)
            assert_string_equal(here, there);
        types += here != NULL;
    }
    assert_int_equal(types, 10);
    assert_null(libri_field_name(LIBRI_FIELDS));
    assert_false(libri_has(LIBRI_CALL, LIBRI_FIELDS));
    assert_int_equal(libri_field((struct libri_record){~UINT64_C(0), ~UINT64_C(0)}, LIBRI_FIELDS), 0);
}

#ifndef __s390x__
static void not_here(void **state)
{
    (void)state;
    struct libri ri;
    const struct libri_setup setup = {.interval = 1009};
    assert_int_equal(libri_open(&ri, &setup), -ENOSYS);
    assert_non_null(strstr(libri_problem(-ENOSYS), "s390_runtime_instr"));
    assert_int_equal(libri_on(&ri), -EPERM);
    assert_int_equal(libri_read(&ri, NULL, NULL), -EPERM);
    assert_int_equal(libri_pause(&ri), -EPERM);
    assert_int_equal(libri_resume(&ri, 1009, LIBRI_CALLS), -EPERM);
}
#endif

static void every_problem_has_a_remedy(void **state)
{
    static const int codes[] = {-ENOSYS, -EOPNOTSUPP, -EINVAL, -EPERM, -ENOMEM};
    (void)state;
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++)
        assert_non_null(strstr(libri_problem(codes[i]), "; "));
    assert_non_null(libri_problem(-EIO));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ri_stored),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(names),
#ifndef __s390x__
        cmocka_unit_test(not_here),
#endif
        cmocka_unit_test(every_problem_has_a_remedy),
    };
    RI_OR_SKIP();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
