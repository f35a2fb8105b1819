/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage of the instruction table by tests. */
#include "emu/script/coverage.h"
#include "cpu/engine/engine.h"
#include "cpu/storage/access.h"
#include "cpu/storage/dat.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static void see(struct coverage *c, const struct cpu *cpu, unsigned row, bool executed, int code)
{
    struct coverage_row *r = &c->rows[row];
    uint64_t psw = cpu->psw.mask;
    unsigned pic = (unsigned)code & ~(unsigned)PIC_PER_EVENT;
    r->modes |= psw & PSW_EA ? 4 : psw & PSW_BA ? 2 : 1;
    r->engines |= c->engines;
    r->executed = r->executed || executed;
    if (code == 0 || code == CPU_SVC || cpu_completes(cpu, code))
        r->cc |= (uint8_t)(1u << (cpu->cc & 3));
    if (code > 0 && pic && pic < COVERAGE_CODES)
        r->codes |= UINT64_C(1) << pic;
}

/* Behind each instruction. An execute-type instruction whose target was reached counts for the target. */
static void after(void *context, struct cpu *cpu, const struct dis_insn *insn, int code)
{
    struct coverage *c = context;
    if (insn->row == DIS_NO_ROW)
        return;
    if (!cpu->executed) {
        see(c, cpu, insn->row, false, code);
        return;
    }
    see(c, cpu, insn->row, false, 0);
    uint64_t absolute;
    bool protect;
    struct dis_insn target;
    if (cpu_walk(cpu, CPU_SPACE_CURRENT, 0, cpu->target_ia, NULL, NULL, &absolute, &protect) ||
        !storage_has(&cpu->sys->storage, absolute, 6))
        return;
    dis_decode(cpu->sys->storage.bytes + absolute, &target);
    if (target.row != DIS_NO_ROW)
        see(c, cpu, target.row, true, code);
}

void coverage_init(struct coverage *c)
{
    memset(c, 0, sizeof *c);
    c->observer = (struct cpu_observer){.context = c, .after = after};
    c->engines = 1u << ENGINE_REFERENCE;
}

int coverage_append(const struct coverage *c, const char *file)
{
    FILE *f = fopen(file, "a");
    if (!f)
        return -errno;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++) {
        const struct coverage_row *r = &c->rows[row];
        if (r->modes)
            fprintf(f, "%s %x %x %x %x %" PRIx64 "\n", dis_rows[row].mnemonic, r->engines, r->modes, r->executed, r->cc,
                    r->codes);
    }
    int bad = ferror(f);
    return fclose(f) || bad ? -EIO : 0;
}

int coverage_read(struct coverage *c, const char *file)
{
    FILE *f = fopen(file, "r");
    char mnemonic[16];
    unsigned engines, modes, executed, cc;
    uint64_t codes;
    int n, code = 0;
    if (!f)
        return -errno;
    while (!code &&
           (n = fscanf(f, "%15s %x %x %x %x %" SCNx64, mnemonic, &engines, &modes, &executed, &cc, &codes)) != EOF) {
        unsigned row = n == 6 ? dis_find(mnemonic) : DIS_NO_ROW;
        if (row == DIS_NO_ROW) {
            code = -EINVAL;
            break;
        }
        struct coverage_row *r = &c->rows[row];
        r->engines |= (uint8_t)engines;
        r->modes |= (uint8_t)modes;
        r->cc |= (uint8_t)cc;
        r->executed = r->executed || executed;
        r->codes |= codes;
    }
    fclose(f);
    return code;
}

/* ---- what the table promises ---- */

#define CODE(n) (UINT64_C(1) << (n))

/* Kinds of exceptions that a row of the table makes possible: the codes of one kind stand for each other. */
static const struct {
    const char *name;
    uint64_t codes;
} kinds[COVERAGE_KINDS] = {
    {"operation", CODE(PIC_OPERATION)},
    {"privileged operation", CODE(PIC_PRIVILEGED_OPERATION)},
    {"execute", CODE(PIC_EXECUTE)},
    {"specification", CODE(PIC_SPECIFICATION)},
    {"data", CODE(PIC_DATA)},
    {"access", CODE(PIC_PROTECTION) | CODE(PIC_ADDRESSING) | CODE(PIC_SEGMENT_TRANSLATION) |
                   CODE(PIC_PAGE_TRANSLATION) | CODE(PIC_TRANSLATION_SPECIFICATION) | CODE(PIC_ASCE_TYPE) |
                   CODE(PIC_REGION_FIRST_TRANSLATION) | CODE(PIC_REGION_SECOND_TRANSLATION) |
                   CODE(PIC_REGION_THIRD_TRANSLATION)},
};
enum { KIND_OPERATION, KIND_PRIVILEGED, KIND_EXECUTE, KIND_SPECIFICATION, KIND_DATA, KIND_ACCESS };

/* Kinds of exceptions (1 << kind) that the flags, the facility and the storage operands of a row promise. */
static unsigned promised(unsigned row)
{
    const struct dis_row *r = &dis_rows[row];
    unsigned set = 0;
    if (r->facility)
        set |= 1u << KIND_OPERATION;
    if (r->flags & DIS_PRIVILEGED)
        set |= 1u << KIND_PRIVILEGED;
    if (r->flags & DIS_EXECUTES)
        set |= 1u << KIND_EXECUTE;
    if (r->flags & (DIS_EVEN_R1 | DIS_EVEN_R2 | DIS_EVEN_R3 | DIS_FP_PAIR_R1 | DIS_FP_PAIR_R2 | DIS_FP_PAIR_R3))
        set |= 1u << KIND_SPECIFICATION;
    if (r->flags & (DIS_NEEDS_AFP | DIS_AFP_IF_HIGH | DIS_NEEDS_VECTOR))
        set |= 1u << KIND_DATA;
    for (unsigned k = 0; k < 2; k++)
        if (r->storage[k].where != DIS_AT_NONE && (r->storage[k].fetch || r->storage[k].store))
            set |= 1u << KIND_ACCESS;
    return set;
}

/* Of those, the kinds that nothing has seen. */
static unsigned lacking(unsigned row, const struct coverage_row *seen)
{
    unsigned set = promised(row);
    for (unsigned kind = 0; kind < COVERAGE_KINDS; kind++)
        if (seen->codes & kinds[kind].codes)
            set &= ~(1u << kind);
    return set;
}

/* A row that always sets the condition code was seen with one value of it alone. */
static bool one_cc(unsigned row, const struct coverage_row *seen)
{
    return dis_rows[row].cc == DIS_CC_SET && (seen->cc & (seen->cc - 1)) == 0;
}

static void list_gaps(const struct coverage *c, FILE *out)
{
    for (unsigned kind = 0; kind <= COVERAGE_KINDS; kind++) {
        unsigned count = 0;
        for (unsigned row = 0; row < DIS_ROW_COUNT; row++) {
            const struct coverage_row *r = &c->rows[row];
            if (!dis_implemented(row) || !r->modes ||
                !(kind < COVERAGE_KINDS ? lacking(row, r) >> kind & 1 : one_cc(row, r)))
                continue;
            if (!count++)
                fprintf(out, kind < COVERAGE_KINDS ? "no %s exception seen:" : "one %s alone seen:",
                        kind < COVERAGE_KINDS ? kinds[kind].name : "condition code");
            fprintf(out, " %s", dis_rows[row].mnemonic);
        }
        if (count)
            fprintf(out, " (%u)\n", count);
    }
}

static void print_row(unsigned row, const struct coverage_row *r, FILE *out)
{
    fprintf(out, "%-9s %-4s %-9s %-4s cc ", dis_rows[row].mnemonic,
            r->engines == 3                    ? "both"
            : r->engines == 1u << ENGINE_BLOCK ? "blk"
            : r->engines                       ? "ref"
                                               : "-",
            r->modes == 7  ? "24/31/64"
            : r->modes & 3 ? "31 or 24"
            : r->modes     ? "64"
                           : "-",
            r->executed ? "EX" : "");
    for (unsigned cc = 0; cc < 4; cc++)
        fprintf(out, "%c", r->cc >> cc & 1 ? '0' + (int)cc : '-');
    fprintf(out, "  codes");
    for (unsigned code = 1; code < COVERAGE_CODES; code++)
        if (r->codes >> code & 1)
            fprintf(out, " %X", code);
    fprintf(out, "\n");
}

unsigned coverage_report(const struct coverage *c, bool all, FILE *out)
{
    unsigned possible = 0, found = 0, single = 0;
    unsigned with_body = 0, seen = 0, both = 0, modes = 0, exceptions = 0, executed = 0, unseen = 0;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++) {
        const struct coverage_row *r = &c->rows[row];
        if (!dis_implemented(row))
            continue;
        with_body++;
        seen += r->modes != 0;
        both += r->engines == 3;
        modes += r->modes == 7;
        exceptions += r->codes != 0;
        executed += r->executed;
        possible += (unsigned)__builtin_popcount(promised(row));
        found += (unsigned)__builtin_popcount(promised(row) & ~lacking(row, r));
        single += one_cc(row, r);
        if (all)
            print_row(row, r, out);
    }
    if (all)
        list_gaps(c, out);
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (dis_implemented(row) && !c->rows[row].modes)
            fprintf(out, "%s%s", unseen++ ? " " : "not seen by any scripted test: ", dis_rows[row].mnemonic);
    fprintf(out,
            "%sinstructions with a body: %u; seen by scripted tests: %u, on both engines %u, in all addressing modes "
            "%u, with an exception %u, "
            "executed by EX or EXRL %u\n"
            "exceptions that the table promises: %u kinds in all rows, seen %u; rows that set the condition code and "
            "were seen with one value alone: %u\n",
            unseen ? "\n" : "", with_body, seen, both, modes, exceptions, executed, possible, found, single);
    return unseen;
}
