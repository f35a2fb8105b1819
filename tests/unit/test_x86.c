/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every form of the translator's emitter against the bytes of an assembler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cpu/translate/host/x86_three.h"
#include <stdio.h>

#define ROOM 32u

static void form(const char *text, const uint8_t *made, size_t length, const char *bytes, size_t expected)
{
    if (length == expected && memcmp(made, bytes, length) == 0)
        return;
    char hex[3 * ROOM + 1] = "";
    for (size_t i = 0; i < length; i++)
        snprintf(hex + 3 * i, 4, "%02x ", made[i]);
    fail_msg("%s: the emitter made %s", text, hex);
}

static void forms(void **state)
{
    (void)state;
    uint8_t room[3 * ROOM];
#define FORM(text, call, bytes)                                                                                        \
    do {                                                                                                               \
        struct x86 emitter = {.at = room + ROOM, .end = room + sizeof room}, *x = &emitter;                            \
        call;                                                                                                          \
        form(text, room + ROOM, (size_t)(emitter.at - (room + ROOM)), bytes, sizeof(bytes) - 1);                       \
    } while (0);
#include "tests/unit/x86_forms.def"
#include "tests/unit/x86_three_forms.def"
#undef FORM
}

/* What is patched later has the same length whatever the operand. */
static void lengths(void **state)
{
    (void)state;
    uint8_t room[ROOM];
    for (int64_t value = -1; value <= 0x7fffffff; value = value < 1 ? value + 1 : value * 3) {
        struct x86 x = {.at = room, .end = room + sizeof room};
        x86_alu_i4(&x, true, ALU_SUB, R11, (int32_t)value);
        assert_int_equal(x.at - room, 7);
    }
}

/* Nothing is written behind the end, and it is said. */
static void full(void **state)
{
    (void)state;
    uint8_t room[ROOM];
    memset(room, 0xee, sizeof room);
    struct x86 x = {.at = room, .end = room + 9};
    x86_mov_i(&x, RAX, UINT64_C(0x1122334455667788));
    assert_true(x.full);
    assert_int_equal(room[9], 0xee);
    assert_true(x.at <= x.end);
}

static void patched(void **state)
{
    (void)state;
    uint8_t room[ROOM] = {0};
    const uint8_t expected[] = {0x0f, 0x84, 0x0a, 0, 0, 0};
    struct x86 x = {.at = room, .end = room + sizeof room};
    x86_jcc(&x, IF_E, x.at);
    x86_patch(x.at, x.at + 10);
    assert_memory_equal(room, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(lengths), cmocka_unit_test(full),
                                       cmocka_unit_test(patched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
