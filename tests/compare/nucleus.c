/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nucleus that carries out the cases, made from the parts of a case. */
#include "base/bits.h"
#include "disasm/dis.h"
#include "tests/compare/compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { AT_OUT = 0x2200, AT_CONTROLS = 0xf80 };

struct code {
    uint8_t *image;
    uint64_t at;
};

static void __attribute__((format(printf, 2, 3))) emit(struct code *c, const char *format, ...)
{
    char line[80], why[256];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    int length = dis_assemble(line, c->at, c->image + c->at, why, sizeof why);
    if (length < 0) {
        fprintf(stderr, "compare: nucleus: %s: %s\n", line, why);
        abort();
    }
    c->at += (unsigned)length;
}

/* Base register of an offset in the case: 1, or 4 for what lies behind 4,096 bytes. */
static unsigned base_of(unsigned offset) { return offset < 4096 ? 1 : 4; }

/* Storage from the case, or into it. */
static void emit_copy(struct code *c, unsigned offset, uint32_t where, unsigned bytes, bool in)
{
    for (unsigned k = 0; k < bytes; k += 256) {
        unsigned n = bytes - k < 256 ? bytes - k : 256, from = offset + k;
        emit(c, "llilf %%r2,0x%x", where + k);
        if (in)
            emit(c, "mvc 0(%u,%%r2),%u(%%r%u)", n, from & 4095, base_of(from));
        else
            emit(c, "mvc %u(%u,%%r%u),0(%%r2)", from & 4095, n, base_of(from));
    }
}

static void emit_registers(struct code *c, const struct compare_part *p, bool in)
{
    const unsigned offset = in ? p->in : p->out, last = p->where +
                                                        p->bytes / (p->kind == COMPARE_AR   ? 4
                                                                    : p->kind == COMPARE_VR ? 16
                                                                                            : 8) -
                                                        1;
    const unsigned at = offset & 4095, base = base_of(offset);
    switch (p->kind) {
    case COMPARE_AR:
        emit(c, "%s %%a%u,%%a%u,%u(%%r%u)", in ? "lam" : "stam", p->where, last, at, base);
        break;
    case COMPARE_CR:
        emit(c, "%s %%c%u,%%c%u,%u(%%r%u)", in ? "lctlg" : "stctg", p->where, last, at, base);
        break;
    case COMPARE_FPC:
        emit(c, "%s %u(%%r%u)", in ? "lfpc" : "stfpc", at, base);
        break;
    case COMPARE_VR:
        emit(c, "%s %%v%u,%%v%u,%u(%%r%u)", in ? "vlm" : "vstm", p->where, last, at, base);
        break;
    default:
        for (unsigned r = p->where; r <= last; r++)
            emit(c, "%s %%f%u,%u(%%r%u)", in ? "ld" : "std", r, at + 8 * (r - p->where), base);
        break;
    }
}

static void emit_keys(struct code *c, const struct compare_part *p, bool in)
{
    for (unsigned k = 0; k < p->bytes; k++) {
        unsigned offset = (in ? p->in : p->out) + k;
        emit(c, "llilf %%r2,0x%x", p->where + 4096 * k);
        if (in)
            emit(c, "ic %%r3,%u(%%r%u)", offset & 4095, base_of(offset));
        emit(c, "%s %%r3,%%r2", in ? "sske" : "iske");
        if (!in)
            emit(c, "stc %%r3,%u(%%r%u)", offset & 4095, base_of(offset));
    }
}

static void emit_part(struct code *c, const struct compare_part *p, bool in)
{
    switch (p->kind) {
    case COMPARE_GR: /* last in, first out */
    case COMPARE_PSW:
        break;
    case COMPARE_CODE:
    case COMPARE_MEMORY:
        emit_copy(c, in ? p->in : p->out, p->where, p->bytes, in);
        break;
    case COMPARE_OLD_PSW:
        emit_copy(c, p->out, 0x140, p->bytes, false);
        break;
    case COMPARE_CODES:
        emit_copy(c, p->out, p->where, p->bytes, false);
        break;
    case COMPARE_KEYS:
        emit_keys(c, p, in);
        break;
    default:
        emit_registers(c, p, in);
        if (p->kind == COMPARE_CR && in)
            emit(c, "ptlb");
        break;
    }
}

static void emit_parts(struct code *c, const struct compare_class *class, bool in)
{
    for (unsigned k = 0; k < class->part_count; k++) {
        const struct compare_part *p = &class->parts[in ? k : class->part_count - 1 - k];
        if ((in ? p->in : p->out) != COMPARE_NONE)
            emit_part(c, p, in);
    }
}

/* Returns the address of what takes SVC and program interruptions. */
static uint64_t make_nucleus(const struct compare_class *class, uint8_t *image)
{
    struct code c = {image, AT_NUCLEUS};
    emit(&c, "lctlg %%c0,%%c0,0x%x", AT_CONTROLS);
    emit(&c, "lg %%r1,0x%x", AT_POINTER);
    emit(&c, "lay %%r4,4096(%%r1)");
    emit(&c, "mvc 0x%x(16,%%r0),%u(%%r1)", AT_PSW, compare_part_of(class, COMPARE_PSW)->in);
    emit_parts(&c, class, true);
    for (unsigned k = 0; k < class->part_count; k++)
        if (class->parts[k].kind == COMPARE_CODES)
            emit(&c, "xc %u(%u,%%r0),%u(%%r0)", class->parts[k].where, class->parts[k].bytes, class->parts[k].where);
    emit(&c, "xc 0x140(32,%%r0),0x140(%%r0)");
    emit(&c, "lmg %%r0,%%r15,%u(%%r1)", compare_part_of(class, COMPARE_GR)->in);
    emit(&c, "lpswe 0x%x", AT_PSW);
    uint64_t handler = c.at;
    emit(&c, "stmg %%r0,%%r15,0x%x", AT_OUT);
    emit(&c, "lg %%r1,0x%x", AT_POINTER);
    emit(&c, "lay %%r4,4096(%%r1)");
    emit_parts(&c, class, false);
    emit_copy(&c, compare_part_of(class, COMPARE_GR)->out, AT_OUT, 128, false);
    emit(&c, "lay %%r1,%u(%%r1)", class->case_size);
    emit(&c, "stg %%r1,0x%x", AT_POINTER);
    emit(&c, "clg %%r1,0x%x", AT_POINTER + 8);
    emit(&c, "jlh 0x%x", AT_NUCLEUS);
    emit(&c, "lpswe 0x%x", AT_PSW + 16);
    if (c.at > AT_POINTER)
        abort(); /* it has outgrown its place */
    return handler;
}

void compare_frame(const struct compare_class *c, uint8_t *image, unsigned cases)
{
    uint64_t handler = make_nucleus(c, image);
    for (unsigned k = 0x1a0; k < 0x200; k += 16) {
        bool ours = k == 0x1a0 || k == 0x1c0 || k == 0x1d0; /* restart, SVC, program */
        put64(image + k, ours ? BIT64(31) | BIT64(32) : BIT64(14) | BIT64(31) | BIT64(32));
        put64(image + k + 8, k == 0x1a0 ? AT_NUCLEUS : ours ? handler : k);
    }
    put64(image + AT_CONTROLS, c->nucleus_controls);
    put64(image + AT_PSW + 16, BIT64(14) | BIT64(31) | BIT64(32));
    put64(image + AT_PSW + 24, 0xfff);
    put64(image + AT_POINTER, AT_CASES);
    put64(image + AT_POINTER + 8, AT_CASES + (uint64_t)cases * c->case_size);
}
