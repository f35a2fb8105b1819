/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call-frame information: libdw gives the rule of each register as an expression, which is worked out here with the
   guest's registers and storage. Nothing in it is trusted. */
#include "emu/symbols/unwind.h"
#include "emu/symbols/lines.h"
#include "emu/symbols/text.h"
#include <stdio.h>
#include <string.h>

bool symbols_file_has(const struct symbols_file *file, uint64_t address)
{
    for (unsigned i = 0; i < file->segments; i++)
        if (address - file->address - file->segment[i].start < file->segment[i].size)
            return true;
    return false;
}

void symbols_file_line(struct symbols_file *file, uint64_t address, char *text, size_t size)
{
    struct ep_frame frame;
    *text = 0;
    if (file->kind != SYMBOLS_ELF || !symbols_elf_line(file, address - file->address, &frame))
        return;
    const char *slash = strrchr(frame.file, '/');
    snprintf(text, size, "%s:%u", slash ? slash + 1 : frame.file, frame.line);
}

void symbols_file_text(struct symbols_file *file, struct symbols_texts *texts, uint64_t address, char *text,
                       size_t size, bool *newer)
{
    struct ep_frame frame;
    struct timespec changed;
    char beside[4096];
    *text = 0;
    *newer = false;
    if (!texts || file->kind != SYMBOLS_ELF || !symbols_elf_line(file, address - file->address, &frame))
        return;
    const char *slash = strrchr(frame.file, '/');
    const int length = snprintf(beside, sizeof beside, "%.*s%s", (int)(file->name - file->path), file->path,
                                slash ? slash + 1 : frame.file);
    if (!symbols_text(texts, frame.file, frame.line, text, size, &changed) &&
        (length >= (int)sizeof beside || !symbols_text(texts, beside, frame.line, text, size, &changed)))
        return;
    const struct timespec was = file->changed;
    *newer = changed.tv_sec > was.tv_sec || (changed.tv_sec == was.tv_sec && changed.tv_nsec > was.tv_nsec);
}

bool symbols_file_function(const struct symbols_file *file, size_t n, uint64_t *start, uint64_t *end, const char **name)
{
    if (n >= file->functions)
        return false;
    const struct symbols_function *f = &file->function[n];
    *start = f->start + file->address;
    *end = f->end + file->address;
    *name = f->name;
    return true;
}

#define SAVED_R14 112u /* the s390x ELF ABI: the return address, from the caller's stack pointer */

static bool fetch64(const struct unwind_storage *storage, uint64_t address, uint64_t *value)
{
    uint8_t bytes[8];
    if (!storage->fetch(storage->context, address, bytes))
        return false;
    *value = get64(bytes);
    return true;
}

/* A frame begins with the stack pointer of the caller's, in which the return address was saved, if it was: a function
   that calls none need not. */
static enum unwind_how by_chain(const struct unwind_storage *storage, bool innermost, struct unwind_frame *frame)
{
    uint64_t chain, ia;
    if (!frame->known[15] || !fetch64(storage, frame->gr[15], &chain) || chain <= frame->gr[15] || chain & 7 ||
        !fetch64(storage, chain + SAVED_R14, &ia))
        return UNWIND_NONE;
    if (!ia && innermost)
        ia = frame->gr[14];
    if (!ia || ia & 1)
        return UNWIND_NONE;
    memset(frame->known, 0, sizeof frame->known);
    frame->ia = ia;
    frame->gr[15] = chain;
    frame->known[15] = true;
    return UNWIND_CHAIN;
}

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#define STACK         16u
#define FIRST_FPR     16u /* DWARF numbers of registers */
#define BEHIND_FPRS   32u
#define RETURN_COLUMN 14u

struct evaluation {
    const struct unwind_storage *storage;
    const struct unwind_frame *frame;
    uint64_t cfa, stack[STACK];
    unsigned depth;
    bool is_value; /* the result is the value itself, not where it is */
};

/* The floating-point register with a DWARF number: 0 2 4 6 1 3 5 7 8 10 12 14 9 11 13 15. */
static unsigned fpr_of(unsigned number)
{
    const unsigned n = number - FIRST_FPR;
    return (n & 8) | (n & 3) << 1 | (n >> 2 & 1);
}

static bool register_value(const struct unwind_frame *frame, uint64_t number, uint64_t *value)
{
    if (number < 16 && frame->known[number])
        *value = frame->gr[number];
    else if (number >= FIRST_FPR && number < BEHIND_FPRS)
        *value = frame->fpr[fpr_of((unsigned)number)];
    else
        return false;
    return true;
}

static bool push(struct evaluation *e, uint64_t value)
{
    if (e->depth == STACK)
        return false;
    e->stack[e->depth++] = value;
    return true;
}

/* Operations on the topmost value, or the two topmost ones. */
static bool compute(struct evaluation *e, const Dwarf_Op *op)
{
    const unsigned wanted = op->atom == DW_OP_plus_uconst || op->atom == DW_OP_deref ? 1 : 2;
    if (e->depth < wanted)
        return false;
    uint64_t *top = &e->stack[e->depth - 1];
    switch (op->atom) {
    case DW_OP_plus_uconst:
        *top += op->number;
        return true;
    case DW_OP_deref:
        return fetch64(e->storage, *top, top);
    case DW_OP_plus:
        top[-1] += *top;
        break;
    case DW_OP_minus:
        top[-1] -= *top;
        break;
    case DW_OP_and:
        top[-1] &= *top;
        break;
    default:
        return false;
    }
    e->depth--;
    return true;
}

static bool operation(struct evaluation *e, const Dwarf_Op *op)
{
    uint64_t value;
    const unsigned atom = op->atom;
    if (atom == DW_OP_call_frame_cfa)
        return push(e, e->cfa);
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
        return push(e, atom - DW_OP_lit0);
    if (atom >= DW_OP_const1u && atom <= DW_OP_consts)
        return push(e, op->number);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        return register_value(e->frame, atom - DW_OP_breg0, &value) && push(e, value + op->number);
    if (atom == DW_OP_bregx)
        return register_value(e->frame, op->number, &value) && push(e, value + op->number2);
    if (atom == DW_OP_stack_value || (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) || atom == DW_OP_regx) {
        e->is_value = true;
        return atom == DW_OP_stack_value ||
               (register_value(e->frame, atom == DW_OP_regx ? op->number : atom - DW_OP_reg0, &value) &&
                push(e, value));
    }
    return compute(e, op);
}

static bool evaluate(struct evaluation *e, const Dwarf_Op *ops, size_t count, uint64_t *result)
{
    e->depth = 0;
    e->is_value = false;
    for (size_t i = 0; i < count; i++)
        if (!operation(e, &ops[i]))
            return false;
    *result = e->depth ? e->stack[e->depth - 1] : 0;
    return e->depth != 0;
}

/* The caller's general register by its rule. */
static bool restore(Dwarf_Frame *rules, struct evaluation *e, unsigned number, uint64_t *value)
{
    Dwarf_Op *ops, memory[3];
    size_t count;
    if (dwarf_frame_register(rules, (int)number, memory, &ops, &count))
        return false;
    if (count == 0 && ops == memory) /* not to be had */
        return false;
    if (count == 0) /* as it is */
        return register_value(e->frame, number, value);
    uint64_t result;
    if (!evaluate(e, ops, count, &result))
        return false;
    *value = result;
    return e->is_value || fetch64(e->storage, result, value);
}

static bool by_rules(Dwarf_Frame *rules, const struct unwind_storage *storage, struct unwind_frame *frame)
{
    struct evaluation e = {.storage = storage, .frame = frame};
    struct unwind_frame caller = *frame;
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_frame_cfa(rules, &ops, &count) || !count || !evaluate(&e, ops, count, &e.cfa))
        return false;
    for (unsigned n = 0; n < 16; n++)
        caller.known[n] = restore(rules, &e, n, &caller.gr[n]);
    if (!caller.known[RETURN_COLUMN] || !caller.known[15] || !caller.gr[RETURN_COLUMN] ||
        caller.gr[RETURN_COLUMN] & 1 || (caller.gr[15] == frame->gr[15] && caller.gr[RETURN_COLUMN] == frame->ia))
        return false;
    caller.ia = caller.gr[RETURN_COLUMN];
    *frame = caller;
    return true;
}

enum unwind_how symbols_unwind(struct symbols_file *file, const struct unwind_storage *storage, bool innermost,
                               struct unwind_frame *frame)
{
    Dwarf *dwarf = file && file->lines ? symbols_lines_dwarf(file->lines) : NULL;
    /* behind a call that is the last thing of a function the rules are those of another one */
    const uint64_t at = frame->ia - (file ? file->address : 0) - !innermost;
    Dwarf_CFI *kinds[2] = {dwarf ? dwarf_getcfi(dwarf) : NULL, file && file->lines ? symbols_lines_frames(file) : NULL};
    for (unsigned i = 0; i < 2; i++) {
        Dwarf_Frame *rules = NULL;
        if (!kinds[i] || dwarf_cfi_addrframe(kinds[i], at, &rules))
            continue;
        const bool done = by_rules(rules, storage, frame);
        free(rules);
        if (done)
            return UNWIND_CFI;
        return UNWIND_NONE;
    }
    return by_chain(storage, innermost, frame);
}

#else

enum unwind_how symbols_unwind(struct symbols_file *file, const struct unwind_storage *storage, bool innermost,
                               struct unwind_frame *frame)
{
    (void)file;
    return by_chain(storage, innermost, frame);
}

#endif
