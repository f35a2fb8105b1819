/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where translated code looks for the pages of its operands, and where it lies itself. */
#include "cpu/life/life.h"
#include "cpu/control/psw.h"
#include "cpu/storage/main.h"
#include "cpu/translate/emit/internal.h"
#include "cpu/translate/translate.h"
#include "tests/unit/bare_cpu.h"
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define CODE   0x10000u
#define DATA   0x20000u
#define PASSES 150000u

/* Register 15 counts, 10 has the operand's address, 3 what changes its page. */
static const uint8_t each_time[] = {
    0x5a, 0x10, 0xa0, 0x00, /* A */
    0xb9, 0x82, 0x00, 0xa3, /* XGR: the other page */
    0xa7, 0xf7, 0xff, 0xfc, /* BRCTG */
    0xa7, 0xf4, 0x00, 0x00,
};
static const uint8_t seldom[] = {
    0x5a, 0x10, 0xa0, 0x00,                         /* A */
    0xa7, 0xf1, 0x00, 0x7f, 0xa7, 0x74, 0x00, 0x04, /* TMLL, BRC: one time of 128, */
    0xb9, 0x82, 0x00, 0xa3,                         /* XGR */
    0xa7, 0xf7, 0xff, 0xf8,                         /* BRCTG */
    0xa7, 0xf4, 0x00, 0x00,
};
static const uint8_t vectors[] = {
    0xe7, 0x10, 0xa0, 0x00, 0x00, 0x06, /* VL */
    0xe7, 0x22, 0x10, 0x00, 0x30, 0xf3, /* VAG: register 2 has the sum */
    0xb9, 0x82, 0x00, 0xa3,             /* XGR */
    0xa7, 0xf7, 0xff, 0xf8,             /* BRCTG */
    0xa7, 0xf4, 0x00, 0x00,
};

/* How often a block was translated a second time while the program ran; the program's sum is as it should be. */
static uint64_t anew(const uint8_t *program, size_t size, uint64_t other_page)
{
    struct cpu_system sys;
    struct cpu *cpu = bare_cpu(&sys, UINT64_C(1) << 20);
    char why[256];
    uint64_t done, number;
    if (translator_attach(cpu, NULL, why, sizeof why)) {
        print_message("%s\n", why);
        number = UINT64_MAX;
    } else {
        cpu->engine_kind = ENGINE_TRANSLATE;
        memcpy(sys.storage.bytes + CODE, program, size);
        sys.storage.bytes[DATA + 3] = sys.storage.bytes[DATA + 0x1000 + 3] = 1;
        cpu->cr[0] |= BIT64(45) | BIT64(46); /* AFP-register control, vector enablement */
        cpu->gr[10] = DATA;
        cpu->gr[3] = other_page;
        cpu->gr[15] = PASSES;
        assert_int_equal(cpu_load_psw(cpu, PSW_EA | PSW_BA, CODE), 0);
        cpu->state = CPU_STATE_OPERATING;
        for (unsigned i = 0; i < PASSES / 1000; i++)
            assert_int_equal(engine_run(cpu, 6000, &done), ENGINE_BUDGET);
        assert_int_equal(cpu->gr[15], 0);
        assert_int_equal(program == vectors ? cpu->vr[2].hi >> 32 : cpu->gr[1], PASSES);
        number = translator_stats(cpu)->anew;
    }
    cpu_destroy(cpu);
    storage_destroy(&sys.storage);
    return number;
}

/* An operand that is in one page stays expected there, and so does one that is seldom in another page. One that changes
   its page all the time is not expected any more, and nothing is translated a third time for it. */
static void pages_of_operands(void **state)
{
    (void)state;
    const uint64_t often = anew(each_time, sizeof each_time, 0x1000);
    if (often == UINT64_MAX)
        skip();
    assert_int_equal(often, 1);
    assert_int_equal(anew(vectors, sizeof vectors, 0x1000), 1);
    assert_int_equal(anew(each_time, sizeof each_time, 0), 0);
    assert_int_equal(anew(seldom, sizeof seldom, 0x1000), 0);
}

/* The parts of a buffer lie in large pages when more than one of them is full: what was written runs on, and can be
   changed. */
static void large_pages(void **state)
{
    (void)state;
#if ZRI_TRANSLATOR
    static const uint8_t code[] = {0xb8, 1, 0, 0, 0, 0xc3}; /* MOV of a number, RET */
    const uint64_t size = 8 << 20, step = 4096 + 64;
    struct code_buffer buffer;
    char why[256];
    if (code_buffer_create(&buffer, size, why, sizeof why))
        fail_msg("%s", why);
    for (uint64_t at = 0; at + sizeof code <= size; at += step) {
        memcpy(buffer.write + at, code, sizeof code);
        buffer.parts[at >= buffer.parts[1].begin].used = at + sizeof code;
        code_buffer_filled(&buffer);
    }
    assert_int_equal(buffer.parts[0].end, buffer.parts[1].begin);
    assert_true(buffer.parts[0].large == buffer.parts[0].end && buffer.parts[1].large == size);
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint64_t at = 0; at + sizeof code <= size; at += step) {
            const uint8_t *run = buffer.run + at;
            unsigned (*function)(void);
            memcpy(&function, &run, sizeof function);
            assert_int_equal(function(), 1 + pass);
            buffer.write[at + 1] = 2;
        }
    code_buffer_destroy(&buffer);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages_of_operands), cmocka_unit_test(large_pages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
