/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The block engine's cache: what a place where the reference engine serves leaves there, and for how long. */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/storage/code.h"
#include "disasm/dis.h"
#include "tests/unit/cpu_harness.h"

#define CODE   0x10000u
#define CROSS  0x10ffeu /* an instruction of six bytes here has four of them in the next page */
#define BEHIND 0x11004u
#define VALUE  0x20000u
#define NONE   0x20100u
#define PASSES 5u

static void assemble(struct rig *r, uint64_t at, const char *line)
{
    char why[200];
    const int n = dis_assemble(line, at, r->at + at, why, sizeof why);
    if (n < 0)
        fail_msg("%s: %s", line, why);
    cpu_code_written(&r->sys, at, (unsigned)n);
}

static void run(struct rig *r, uint64_t ia, unsigned units)
{
    uint64_t done;
    r->cpu->engine_kind = ENGINE_BLOCK;
    r->cpu->psw.ia = ia;
    assert_int_equal(engine_run(r->cpu, units, &done), ENGINE_BUDGET);
}

static const struct block *block_at(const struct rig *r, uint64_t ia)
{
    const struct block *block = r->cpu->jumps[jump_slot(ia)];
    return block->ia == ia && block->need != BLOCK_NEVER ? block : NULL;
}

/* A block that has no instruction of its own begins here. */
static bool known(const struct rig *r, uint64_t ia)
{
    const struct block *block = block_at(r, ia);
    return block && block->need == 0;
}

/* One that is an instruction in two pages. */
static bool crosses(const struct rig *r, uint64_t ia)
{
    const struct block *block = block_at(r, ia);
    return block && block->ops[0].run == op_crossing;
}

/* A loop through an instruction that lies in two pages does not look for it again each time; when either page changes,
   it is looked at anew. */
static void an_instruction_in_two_pages(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    assemble(r, CODE, "j 0x10ffe");
    assemble(r, CROSS, "lg %r1,0(%r2)");
    assemble(r, BEHIND, "brct %r3,0x10000");
    assemble(r, BEHIND + 4, "j 0x11008");
    put64(r->at + VALUE, 77);
    r->cpu->gr[2] = VALUE;
    r->cpu->gr[3] = PASSES;
    run(r, CODE, 3 * PASSES);
    assert_int_equal(r->cpu->psw.ia, BEHIND + 4);
    assert_int_equal(r->cpu->gr[1], 77);
    assert_true(crosses(r, CROSS));

    put64(r->at + VALUE, 78); /* in pieces as small as can be */
    r->cpu->gr[3] = PASSES;
    r->cpu->psw.ia = CODE;
    for (unsigned n = 0; n < 3 * PASSES; n++)
        run(r, r->cpu->psw.ia, 1);
    assert_int_equal(r->cpu->psw.ia, BEHIND + 4);
    assert_int_equal(r->cpu->gr[1], 78);

    put16(r->at + CROSS + 2, 0x2008); /* its second halfword, of which the block knows nothing */
    cpu_code_written(&r->sys, CROSS + 2, 2);
    assert_true(crosses(r, CROSS));
    put64(r->at + VALUE + 8, 79);
    r->cpu->gr[3] = PASSES;
    run(r, CODE, 3 * PASSES);
    assert_int_equal(r->cpu->gr[1], 79);

    assemble(r, CROSS, "bcr 0,%r0");
    assemble(r, CROSS + 2, "lghi %r1,5");
    assert_null(block_at(r, CROSS));
    r->cpu->gr[3] = PASSES;
    run(r, CODE, 4 * PASSES);
    assert_int_equal(r->cpu->psw.ia, BEHIND + 4);
    assert_int_equal(r->cpu->gr[1], 5);
    assert_false(crosses(r, CROSS));
    rig_end(r);
}

/* Likewise one that always ends in an exception; that it does not any more, is seen. */
static void an_instruction_that_is_none(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    put64(r->at + 0x1d0, PSW_64); /* program new PSW */
    put64(r->at + 0x1d8, CODE);
    assemble(r, CODE, "j 0x10000");
    run(r, NONE, 10);
    assert_int_equal(get16(r->at + 0x8e), PIC_OPERATION);
    assert_int_equal(r->cpu->psw.ia, CODE);
    assert_true(known(r, NONE));

    assemble(r, NONE, "j 0x20100");
    assert_false(known(r, NONE));
    run(r, NONE, 10);
    assert_int_equal(r->cpu->psw.ia, NONE);
    rig_end(r);
}

/* Threads: what is left to a body, as its operand is in two pages, is decoded again. It is the instruction that the
   block was made of, also when another CPU has stored there and has not told it yet. */
static void code_that_another_cpu_changes(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    r->sys.threads = r->sys.alone = true;
    assemble(r, CODE, "lm %r4,%r5,0(%r2)");
    assemble(r, CODE + 4, "brct %r3,0x10000");
    assemble(r, CODE + 8, "j 0x10008");
    put32(r->at + VALUE, 77);
    r->cpu->gr[2] = VALUE - 4;
    r->cpu->gr[3] = PASSES;
    run(r, CODE, 2);
    assert_int_equal(r->cpu->gr[5], 77);
    put16(r->at + CODE, 0x9867); /* LM of 6 and 7, without a word */
    put32(r->at + VALUE, 78);
    run(r, CODE, 2 * PASSES - 2);
    assert_int_equal(r->cpu->psw.ia, CODE + 8);
    assert_int_equal(r->cpu->gr[5], 78);
    assert_int_equal(r->cpu->gr[7], 0);
    cpu_code_written(&r->sys, CODE, 2);
    run(r, CODE, 1);
    assert_int_equal(r->cpu->gr[7], 78);
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instruction_in_two_pages),
        cmocka_unit_test(an_instruction_that_is_none),
        cmocka_unit_test(code_that_another_cpu_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
