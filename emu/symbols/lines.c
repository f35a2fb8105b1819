/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines: which unit an address belongs to, its line, and the functions around it. libdw reads; how far it goes
   on a damaged file is limited here. */
#include "emu/symbols/lines.h"
#include "base/message.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>

#define DISCRIMINATOR 0x2136u    /* DW_AT_GNU_discriminator, of a call that was inlined */
#define RANGES_MOST   (1u << 22) /* of all units */
#define STEPS_MOST    (1u << 20) /* entries looked at for one address */
#define DEPTH_MOST    64u        /* of entries within each other */

struct range { /* addresses of a unit */
    uint64_t start, end;
    Dwarf_Off unit; /* of its entry */
};
struct symbols_lines {
    Dwarf *dwarf;
    struct range *range;
    size_t ranges, room;
    Dwarf_Die function; /* that the last address was in */
    bool has_function;
    Dwarf_CFI *frames; /* of .eh_frame */
    bool has_looked;   /* for them */
};

static int no_memory(char *error, size_t size)
{
    return fail_with(-ENOMEM, error, size, "the host has no memory for it; end other programs, or give it more");
}

static int compare(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

static int add_range(struct symbols_lines *lines, uint64_t start, uint64_t end, Dwarf_Off unit)
{
    if (lines->ranges == RANGES_MOST)
        return -EINVAL;
    if (lines->ranges == lines->room) {
        const size_t room = lines->room ? 2 * lines->room : 256;
        struct range *larger = realloc(lines->range, room * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        lines->range = larger;
        lines->room = room;
    }
    lines->range[lines->ranges++] = (struct range){start, end, unit};
    return 0;
}

static int add_unit(struct symbols_lines *lines, Dwarf_Die *die)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t offset = 0;
    int bad = 0;
    while (!bad && (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
        if (start < end)
            bad = add_range(lines, start, end, dwarf_dieoffset(die));
    return bad;
}

int symbols_lines_open(struct symbols_file *file, char *error, size_t size)
{
    struct symbols_lines *lines = file->lines = calloc(1, sizeof *lines);
    Dwarf_Off offset = 0, next;
    size_t header;
    int bad = 0;
    if (!lines)
        return no_memory(error, size);
    lines->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
    while (!bad && lines->dwarf && !dwarf_nextcu(lines->dwarf, offset, &next, &header, NULL, NULL, NULL)) {
        Dwarf_Die die;
        if (dwarf_offdie(lines->dwarf, offset + header, &die) && dwarf_tag(&die) == DW_TAG_compile_unit)
            bad = add_unit(lines, &die);
        if (next <= offset)
            break;
        offset = next;
    }
    if (lines->ranges)
        qsort(lines->range, lines->ranges, sizeof *lines->range, compare);
    return !bad ? 0
           : bad == -ENOMEM
               ? no_memory(error, size)
               : fail_with(bad, error, size, "its debugging information has too many ranges: it is damaged");
}

void symbols_lines_close(struct symbols_lines *lines)
{
    if (!lines)
        return;
    if (lines->dwarf)
        dwarf_end(lines->dwarf);
    if (lines->frames)
        dwarf_cfi_end(lines->frames);
    free(lines->range);
    free(lines);
}

Dwarf *symbols_lines_dwarf(const struct symbols_lines *lines) { return lines->dwarf; }

Dwarf_CFI *symbols_lines_frames(const struct symbols_file *file)
{
    if (!file->lines->has_looked)
        file->lines->frames = dwarf_getcfi_elf(file->elf);
    file->lines->has_looked = true;
    return file->lines->frames;
}

/* ---- functions around an address -------------------------------------------------------------------------------- */

static bool is_scope(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/* The first of `die` and the entries behind it that has the address, or for `outside` is a scope without addresses.
   Each entry that is looked at costs one of *steps. */
static bool find_sibling(Dwarf_Die *die, uint64_t address, bool outside, unsigned *steps)
{
    while (*steps) {
        const Dwarf_Off at = dwarf_dieoffset(die);
        const int tag = dwarf_tag(die);
        --*steps;
        if ((outside && is_scope(tag)) ||
            ((tag == DW_TAG_subprogram ||
              (!outside && (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
                            tag == DW_TAG_try_block || tag == DW_TAG_catch_block))) &&
             dwarf_haspc(die, address) == 1))
            return true;
        if (dwarf_siblingof(die, die) || dwarf_dieoffset(die) <= at)
            return false;
    }
    return false;
}

/* The function that has an address, within scopes. */
static bool find_function(struct symbols_lines *lines, Dwarf_Die *unit, uint64_t address, unsigned *steps)
{
    Dwarf_Die stack[DEPTH_MOST];
    unsigned depth = 0;
    if (lines->has_function && dwarf_haspc(&lines->function, address) == 1)
        return true;
    lines->has_function = false;
    bool more = !dwarf_child(unit, &stack[0]);
    while (*steps) {
        if (more && find_sibling(&stack[depth], address, true, steps)) {
            if (!is_scope(dwarf_tag(&stack[depth]))) {
                lines->function = stack[depth];
                return lines->has_function = true;
            }
            if (depth + 1 < DEPTH_MOST && !dwarf_child(&stack[depth], &stack[depth + 1])) {
                depth++;
                continue;
            }
        } else if (depth-- == 0) {
            return false;
        }
        const Dwarf_Off at = dwarf_dieoffset(&stack[depth]); /* the scope is done */
        more = !dwarf_siblingof(&stack[depth], &stack[depth]) && dwarf_dieoffset(&stack[depth]) > at;
    }
    return false;
}

/* Functions from the outermost on, in `chain`: how many. */
static unsigned find_chain(struct symbols_lines *lines, Dwarf_Die *unit, uint64_t address, Dwarf_Die *chain)
{
    unsigned steps = STEPS_MOST, count = 0;
    Dwarf_Die die, child;
    if (!find_function(lines, unit, address, &steps))
        return 0;
    chain[count++] = die = lines->function;
    for (unsigned depth = 0; depth < DEPTH_MOST && count < DEPTH_MOST && !dwarf_child(&die, &child); depth++) {
        if (!find_sibling(&child, address, false, &steps))
            break;
        die = child;
        if (dwarf_tag(&die) == DW_TAG_subprogram || dwarf_tag(&die) == DW_TAG_inlined_subroutine)
            chain[count++] = die;
    }
    return count;
}

static uint32_t number(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) || value > UINT32_MAX)
        return 0;
    return (uint32_t)value;
}

static const char *linkage_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = NULL;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
        dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
        name = dwarf_formstring(&attribute);
    return name ? name : dwarf_diename(die);
}

static void tell_function(struct ep_frame *frame, Dwarf_Die *die)
{
    int line;
    frame->function = linkage_name(die);
    frame->declared = dwarf_decl_line(die, &line) || line < 0 ? 0 : (uint32_t)line;
}

/* Where the line table says that an address comes from. */
static void tell_line(struct ep_frame *frame, Dwarf_Die *unit, uint64_t address)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    unsigned discriminator;
    int number;
    if (!line || dwarf_lineno(line, &number) || number <= 0)
        return;
    frame->line = (uint32_t)number;
    frame->file = dwarf_linesrc(line, NULL, NULL);
    frame->discriminator = dwarf_linediscriminator(line, &discriminator) ? 0 : discriminator;
}

/* Where an inlined function was called. */
static void tell_call(struct ep_frame *frame, Dwarf_Die *unit, Dwarf_Die *inlined)
{
    Dwarf_Files *files;
    size_t count;
    const uint32_t file = number(inlined, DW_AT_call_file);
    frame->line = number(inlined, DW_AT_call_line);
    frame->discriminator = number(inlined, DISCRIMINATOR);
    if (!dwarf_getsrcfiles(unit, &files, &count) && file < count)
        frame->file = dwarf_filesrc(files, file, NULL, NULL);
}

/* The unit of an address. */
static bool find_unit(const struct symbols_lines *lines, uint64_t address, Dwarf_Die *unit)
{
    size_t low = 0, high = lines->ranges;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (lines->range[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < lines->range[low - 1].end && dwarf_offdie(lines->dwarf, lines->range[low - 1].unit, unit);
}

unsigned symbols_elf_frames(struct symbols_file *file, uint64_t address, struct ep_frame *frame, unsigned most)
{
    Dwarf_Die unit, chain[DEPTH_MOST];
    if (!most || !find_unit(file->lines, address, &unit))
        return 0;
    const unsigned count = find_chain(file->lines, &unit, address, chain), told = count < most ? count : most;
    frame[0] = (struct ep_frame){.function = NULL};
    tell_line(&frame[0], &unit, address);
    for (unsigned i = 0; i < told; i++) {
        if (i)
            frame[i] = (struct ep_frame){.function = NULL};
        if (i)
            tell_call(&frame[i], &unit, &chain[count - i]);
        tell_function(&frame[i], &chain[count - 1 - i]);
    }
    return told ? told : frame[0].line != 0;
}

bool symbols_elf_line(struct symbols_file *file, uint64_t address, struct ep_frame *frame)
{
    Dwarf_Die unit;
    *frame = (struct ep_frame){.function = NULL};
    if (find_unit(file->lines, address, &unit))
        tell_line(frame, &unit, address);
    return frame->file && frame->line;
}

/* ---- everything ------------------------------------------------------------------------------------------------- */

struct everything {
    uint64_t start, end, bias;
    const struct ep_source_listener *listener;
    unsigned steps;
};

/* Of lines at one address the last one is that of the instruction there. */
static int list_lines(const struct everything *e, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t count;
    int bad = 0;
    if (dwarf_getsrclines(unit, &lines, &count))
        return 0;
    for (size_t i = 0; i + 1 < count && !bad; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
        Dwarf_Addr address, behind;
        bool end;
        int number;
        if (!line || !next || dwarf_lineaddr(line, &address) || dwarf_lineaddr(next, &behind) || address == behind ||
            dwarf_lineendsequence(line, &end) || end || dwarf_lineno(line, &number) || number <= 0 ||
            address < e->start || address >= e->end)
            continue;
        const char *file = dwarf_linesrc(line, NULL, NULL);
        bad = file ? e->listener->line(e->listener->context, file, (uint32_t)number) : 0;
    }
    return bad;
}

static int list_function(const struct everything *e, Dwarf_Die *die)
{
    struct ep_frame frame = {.function = NULL};
    Dwarf_Addr base, start, end, entry;
    if (dwarf_entrypc(die, &entry) || entry < e->start || entry >= e->end)
        return 0;
    for (ptrdiff_t offset = 0; (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0;)
        if (entry >= start && entry < end) {
            tell_function(&frame, die);
            frame.file = dwarf_decl_file(die);
            return e->listener->function(e->listener->context, &frame, entry + e->bias, end + e->bias);
        }
    return 0;
}

/* The functions among the entries in `parent`; scopes are looked into, `depth` deep. */
static int list_functions(struct everything *e, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;
    int bad = 0;
    if (dwarf_child(parent, &die))
        return 0;
    for (; e->steps && !bad; e->steps--) {
        const Dwarf_Off at = dwarf_dieoffset(&die);
        if (dwarf_tag(&die) == DW_TAG_subprogram)
            bad = list_function(e, &die);
        else if (is_scope(dwarf_tag(&die)) && depth)
            bad = list_functions(e, &die, depth - 1);
        if (dwarf_siblingof(&die, &die) || dwarf_dieoffset(&die) <= at)
            break;
    }
    return bad;
}

int symbols_elf_list(struct symbols_file *file, uint64_t start, uint64_t end, uint64_t bias,
                     const struct ep_source_listener *listener)
{
    struct symbols_lines *lines = file->lines;
    struct everything e = {start, end, bias, listener, 0};
    Dwarf_Off offset = 0, next;
    size_t header;
    int bad = 0;
    while (!bad && lines->dwarf && !dwarf_nextcu(lines->dwarf, offset, &next, &header, NULL, NULL, NULL)) {
        Dwarf_Die die;
        e.steps = STEPS_MOST;
        if (dwarf_offdie(lines->dwarf, offset + header, &die) && dwarf_tag(&die) == DW_TAG_compile_unit) {
            bad = list_lines(&e, &die);
            bad = bad ? bad : list_functions(&e, &die, 8);
        }
        if (next <= offset)
            break;
        offset = next;
    }
    return bad;
}

#endif
