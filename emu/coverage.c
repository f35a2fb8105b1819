/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage of the instruction table by tests. */
#include "emu/coverage.h"
#include "cpu/access.h"
#include "cpu/engine/engine.h"
#include "cpu/interrupt.h"
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
        if (all)
            print_row(row, r, out);
    }
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (dis_implemented(row) && !c->rows[row].modes)
            fprintf(out, "%s%s", unseen++ ? " " : "not seen by any scripted test: ", dis_rows[row].mnemonic);
    fprintf(out,
            "%sinstructions with a body: %u; seen by scripted tests: %u, on both engines %u, in all addressing modes "
            "%u, with an exception %u, "
            "executed by EX or EXRL %u\n",
            unseen ? "\n" : "", with_body, seen, both, modes, exceptions, executed);
    return unseen;
}
