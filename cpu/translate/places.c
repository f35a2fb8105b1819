/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which instruction the code at some place is of: for reports of faults, and for storage accesses that do not find
   their pages where they expect them.

   The page that an access expects costs it nothing, but a branch that is foretold wrongly when the page is another one,
   and programs that go from object to object have one in five of these. So of so many accesses that found their page
   elsewhere one is noted, with its place. An instruction that is seen often enough has its block translated again, and
   each that was seen at all looks for its page where the context has it: a few operations, but no branch. So do all
   accesses outside of loops when there are more of them than a context can expect pages for: what is expected would
   take as much of the host's cache as all else. */
#include "cpu/translate/plan.h"
#include "cpu/translate/translate.h"
#include <inttypes.h>
#include <stdio.h>

#define LOOKS  256 /* of so many, one is noted */
#define ENOUGH 4u  /* noted so often, and the block is translated again */
/* As long as one of so many instructions finds its page elsewhere; what is seldom elsewhere may be as it is. */
#define OFTEN UINT64_C(64)

/* NULL: code of no operation, but a routine's. */
static struct op *op_at(const struct translator *r, uint64_t at)
{
    const struct places *places = &r->places[at >= r->buffer.parts[1].begin];
    size_t low = 0, high = places->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (places->at[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? places->at[low - 1].op : NULL;
}

void looks_begin(struct cpu *cpu)
{
    const unsigned forced = translator_of(cpu)->force.looks;
    cpu->looked = NULL;
    cpu->looks = forced ? (int32_t)forced - 1 : LOOKS - 1;
    translator_of(cpu)->looks_from = cpu_instructions(cpu);
}

/* The same programs come back, or others do. */
void looks_forget(struct translator *r)
{
    for (unsigned i = 0; i < WANDERS; i++)
        r->wanders[i] /= 2;
}

void looked(struct cpu *cpu)
{
    struct translator *r = translator_of(cpu);
    const uint64_t at = (uint64_t)(cpu->looked - 1 - r->buffer.run); /* it returns there */
    const uint64_t looks = LOOKS + (uint64_t)(INT32_MAX - cpu->looks);
    const bool often = looks * OFTEN >= cpu_instructions(cpu) - r->looks_from || r->force.looks;
    looks_begin(cpu);
    struct op *const op = often ? op_at(r, at) : NULL;
    struct block *block = op ? block_of(op) : NULL;
    if (!block || block->need == BLOCK_NEVER || block->code == r->hooks.outside)
        return;
    /* Its edges are linked with what is found in the current mode and fetch context: it has to be theirs. */
    if (cpu->jumps[jump_slot(block->ia)] != block)
        return;
    const unsigned enough = r->force.looks ? 1 : ENOUGH;
    uint8_t *const seen = wanders_at(r, block, op);
    if (*seen >= enough || ++*seen < enough)
        return;
    edges_unlink(r, block);
    translate(cpu, cache_of(cpu), block);
    r->stats.anew++;
}

bool translator_explain(const struct cpu *cpu, uintptr_t pc, char *text, size_t size)
{
    const struct translator *r = translator_of(cpu);
    const uint64_t at = r ? pc - (uintptr_t)r->buffer.run : UINT64_MAX;
    char line[80] = "";
    if (!r || at >= r->buffer.size || at >= r->buffer.parts[at >= r->buffer.parts[1].begin].used)
        return false;
    struct op *op = op_at(r, at);
    if (!op) {
        snprintf(text, size, "CPU %u in the translator's routines at %" PRIX64, cpu->address, at);
        return true;
    }
    struct block *block = block_of(op);
    const struct op *crossing = block_crossing(block);
    const uint64_t ia = op_ia(op);
    dis_text(crossing ? crossing->insn->bytes : block->host + op->offset, ia, true, line, sizeof line);
    snprintf(text, size,
             "CPU %u in translated code: block at %" PRIX64 ", instruction at %" PRIX64 " `%s`, PSW %016" PRIX64
             " %016" PRIX64 ", code at %" PRIX64,
             cpu->address, block->ia, ia, line, cpu->psw.mask, ia, at);
    return true;
}
