/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map of main storage. Nothing is asked of the guest: what is looked at is there anyway. */
#include "emu/panel/view/frames.h"
#include "emu/inspect/inspect.h"
#include "ri/ri.h"
#include <string.h>

/* Of each picture, so that it takes a small part of a millisecond; the first one may take a few of them. */
enum { FRAMES_A_PICTURE = 32768, ENTRIES_A_PICTURE = 2048, PAGES_A_PICTURE = 128, FIRST = 32 };
/* Of each round: a guest's tables may lead to themselves. */
enum { ENTRIES_A_ROUND = 1 << 20, PAGES_A_BUFFER = 4096 };

void frames_shape(struct frames *f, uint64_t frames_of, uint32_t cells)
{
    uint32_t per = 1;
    if (cells > FRAMES_CELLS)
        cells = FRAMES_CELLS;
    if (!cells)
        cells = 1;
    while ((frames_of + per - 1) / per > cells)
        per *= 2;
    const uint32_t needed = (uint32_t)((frames_of + per - 1) / per);
    if (f->per == per && f->cells == needed)
        return;
    memset(f->cell, 0, sizeof f->cell);
    f->per = per;
    f->cells = needed;
    f->sum = (struct frames_cell){.read = 0};
    f->cell_now = f->offset = 0;
}

/* ---- keys, code and translations in use ----------------------------------------------------------------------------
 */

static void add(struct frames_cell *sum, const struct storage *s, uint64_t first, uint32_t count)
{
    for (uint64_t i = first; i < first + count; i++) {
        const uint8_t key = __atomic_load_n(&s->keys[i], __ATOMIC_RELAXED);
        sum->read += (key & KEY_R) != 0;
        sum->written += (key & KEY_C) != 0;
        sum->code += s->code_lines[i] != 0;
        sum->signature = (sum->signature ^ (key | s->code_lines[i] << 8) ^ s->slots[i] ^ s->write_slots[i] << 1) *
                         UINT64_C(0x9e3779b97f4a7c15);
    }
}

static void finish(struct frames *f, uint64_t picture)
{
    struct frames_cell *cell = &f->cell[f->cell_now];
    if (cell->seen && cell->signature != f->sum.signature)
        f->sum.hot = picture;
    else
        f->sum.hot = cell->hot;
    f->sum.seen = true;
    *cell = f->sum;
    f->sum = (struct frames_cell){.read = 0};
    f->offset = 0;
    f->cell_now = f->cell_now + 1 < f->cells ? f->cell_now + 1 : 0;
}

static void look_at_keys(struct frames *f, const struct storage *s, uint64_t picture, bool first_time)
{
    uint32_t budget = FRAMES_A_PICTURE * (first_time ? FIRST : 1);
    const uint64_t all = s->size >> PAGE_BITS;
    for (uint32_t cells = 0; budget && cells < f->cells; cells++) {
        const uint64_t first = (uint64_t)f->cell_now * f->per + f->offset;
        uint64_t count = f->per - f->offset;
        if (first >= all)
            count = 0;
        else if (count > all - first)
            count = all - first;
        const bool whole = count <= budget;
        if (!whole)
            count = budget;
        add(&f->sum, s, first, (uint32_t)count);
        budget -= (uint32_t)count;
        f->offset += (uint32_t)count;
        if (whole)
            finish(f, picture);
    }
}

/* ---- translation tables --------------------------------------------------------------------------------------------
 */

static void mark(struct frames *f, uint64_t absolute, enum frames_mark what)
{
    struct frames_marked *m = &f->next;
    const uint32_t frame = (uint32_t)(absolute >> PAGE_BITS);
    if (m->count == FRAMES_MARKED || (m->count && m->frame[m->count - 1] == frame && m->mark[m->count - 1] == what))
        return;
    m->frame[m->count] = frame;
    m->mark[m->count++] = (uint8_t)what;
}

/* A table begins to be walked: entries of `offset` to `length` quarters of it. */
static void enter(struct frames *f, const struct cpu *cpu, uint64_t origin, int level, unsigned offset, unsigned length)
{
    if (f->depth == FRAMES_DEPTH || offset > length)
        return;
    f->table[f->depth++] =
        (struct frames_table){origin + offset * UINT64_C(4096), origin + (length + 1) * UINT64_C(4096), level};
    for (unsigned n = offset; n <= length; n++) {
        const uint64_t absolute = cpu_real_to_absolute(cpu, origin + n * UINT64_C(4096));
        if (storage_has(&cpu->sys->storage, absolute, 4096))
            mark(f, absolute, FRAMES_TABLE);
    }
}

/* The tables of one more control register of the CPU; false: it has no more. */
static bool next_root(struct frames *f, const struct cpu *cpu)
{
    static const uint8_t registers[] = {1, 7, 13};
    while (f->root < sizeof registers) {
        const uint64_t asce = cpu->cr[registers[f->root++]];
        bool known = asce & BIT64(58) || f->root_count == FRAMES_ROOTS;
        for (unsigned i = 0; i < f->root_count; i++)
            known |= f->roots[i] == (asce & PAGE_ADDRESS);
        if (known)
            continue;
        f->roots[f->root_count++] = asce & PAGE_ADDRESS;
        enter(f, cpu, asce & PAGE_ADDRESS, (int)field64(asce, 60, 61), 0, (unsigned)field64(asce, 62, 63));
        return true;
    }
    return false;
}

/* One more entry of the table that is being walked. */
static void walk_entry(struct frames *f, const struct cpu *cpu)
{
    struct frames_table *t = &f->table[f->depth - 1];
    const struct storage *s = &cpu->sys->storage;
    if (t->at >= t->end || t->level < 0) {
        f->depth--;
        return;
    }
    const uint64_t absolute = cpu_real_to_absolute(cpu, t->at);
    t->at += 8;
    if (!storage_has(s, absolute, 8)) {
        t->at = ((t->at - 8) | (PAGE_SIZE_Z - 1)) + 1; /* nothing in this frame is there */
        return;
    }
    const uint64_t entry = get64(s->bytes + absolute);
    const int level = t->level;
    if (entry & BIT64(58) || field64(entry, 60, 61) != (uint64_t)level)
        return;
    if (level > 0 && !(level == 1 && entry & BIT64(53)))
        enter(f, cpu, entry & PAGE_ADDRESS, level - 1, (unsigned)field64(entry, 56, 57),
              (unsigned)field64(entry, 62, 63));
    else if (level == 0 && !(entry & BIT64(53))) {
        const uint64_t table = cpu_real_to_absolute(cpu, entry & ~(BIT64(52) - 1));
        if (storage_has(s, table, 2048))
            mark(f, table, FRAMES_TABLE);
    }
}

/* ---- program buffers -----------------------------------------------------------------------------------------------
 */

/* One more page of the CPU's program buffer; false: there is none. */
static bool next_page(struct frames *f, struct cpu *cpu)
{
    const struct ri_controls *c = &cpu->ri->controls;
    const uint64_t address = (c->roa & PAGE_ADDRESS) + f->page * PAGE_SIZE_Z;
    uint64_t absolute;
    if (!c->v || c->rla < c->roa || f->page >= PAGES_A_BUFFER || address > c->rla || address < (c->roa & PAGE_ADDRESS))
        return false;
    f->page++;
    const enum cpu_space space = !(cpu->psw.mask & PSW_DAT) ? CPU_SPACE_REAL
                                 : c->h                     ? CPU_SPACE_HOME
                                                            : CPU_SPACE_PRIMARY;
    if (!inspect_absolute(cpu, space, 0, address, &absolute))
        mark(f, absolute, FRAMES_BUFFER);
    return true;
}

/* ---- all -----------------------------------------------------------------------------------------------------------
 */

static void end_round(struct frames *f)
{
    memcpy(f->marked.frame, f->next.frame, f->next.count * sizeof *f->next.frame);
    memcpy(f->marked.mark, f->next.mark, f->next.count * sizeof *f->next.mark);
    f->marked.count = f->next.count;
    f->next.count = 0;
    f->cpu = f->root = f->depth = f->root_count = 0;
    f->page = f->walked = 0;
}

static void look_at_tables(struct frames *f, struct machine *machine, bool first_time)
{
    unsigned entries = ENTRIES_A_PICTURE * (first_time ? FIRST : 1), pages = PAGES_A_PICTURE;
    while (entries && pages) {
        if (f->cpu >= machine->sys.cpu_count || f->walked >= ENTRIES_A_ROUND) {
            end_round(f);
            return;
        }
        struct cpu *cpu = machine->sys.cpus[f->cpu];
        if (cpu && f->depth) {
            walk_entry(f, cpu);
            f->walked++;
            entries--;
        } else if (cpu && next_page(f, cpu)) {
            pages--;
        } else if (!cpu || !next_root(f, cpu)) {
            f->cpu++;
            f->root = 0;
            f->page = 0;
        }
    }
}

void frames_look(struct frames *f, struct machine *machine, uint64_t picture)
{
    const bool first_time = !f->cell[0].seen;
    look_at_keys(f, &machine->sys.storage, picture, first_time);
    look_at_tables(f, machine, first_time);
}
