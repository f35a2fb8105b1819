/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/edges/programs.h"
#include "cpu/control/registers.h"
#include "cpu/storage/access.h"
#include "cpu/storage/dat.h"
#include "emu/edges/linux_process.h"
#include <stdlib.h>
#include <string.h>

#define LOOKS_FIRST  4u   /* a program without a name is looked at so often when its space is entered ... */
#define LOOKS_LATER  64u  /* ... and then each time of so many */
#define PARENTS_MOST 256u /* processes among which that is looked for that a new one is a copy of */
#define UNKNOWN_MOST (1u << 20)
#define KERNEL_END   UINT64_C(0xfffffffffffff000)

struct edge_program {
    struct linux_process *process; /* NULL: not known */
    unsigned entered;
    unsigned unknown, until; /* addresses outside of all modules; modules are looked for at the next `until` */
    unsigned told;           /* modules that were */
    unsigned latest;         /* the one that an address was in */
    bool kernel;
};

struct view {
    const struct cpu *cpu;
    uint64_t asce;
    uint64_t entry; /* of the page table, in the latest translation; 0: it did not come so far */
};

static void keep_entry(void *context, const struct cpu_walk_step *step)
{
    struct view *v = context;
    v->entry = strcmp(step->what, "page table") == 0 ? step->entry : 0;
}

/* Linux makes pages invalid that were not used for some time, all of them at a fork, and has their frames and
   PAGE_PRESENT in the entry still (since 3.9). */
#define PAGE_PRESENT (BIT64(63) | BIT64(53))

static bool read_space(void *context, uint64_t address, void *to, size_t length)
{
    struct view *v = context;
    const struct storage *storage = &v->cpu->sys->storage;
    struct dat_result dat;
    v->entry = 0;
    if (dat_translate(v->cpu, v->asce, address, &dat, keep_entry, v)) {
        if ((v->entry & PAGE_PRESENT) != PAGE_PRESENT)
            return false;
        dat.absolute = (v->entry & PAGE_ADDRESS) | (address & ~PAGE_ADDRESS);
    }
    if (!storage_has(storage, dat.absolute, length))
        return false;
    memcpy(to, storage->bytes + dat.absolute, length);
    return true;
}

/* The entry of a space; NULL: no host memory. */
static struct edge_program *program_of(struct edge_programs *p, uint32_t number)
{
    if (number >= p->room) {
        const uint32_t room = 2 * number + 16;
        struct edge_program *more = realloc(p->program, room * sizeof *more);
        if (!more)
            return NULL;
        memset(more + p->room, 0, (room - p->room) * sizeof *more);
        p->program = more;
        p->room = room;
    }
    return &p->program[number];
}

/* A space that is known: does what it holds stand as it was? */
static bool stands(struct edge_program *e, const struct linux_reader *reader)
{
    if (e->process)
        return linux_process_same(reader, e->process);
    e->entered++;
    return e->entered > LOOKS_FIRST && e->entered % LOOKS_LATER;
}

/* A process that was forked has the modules of the one that it is a copy of, at the same places, and its page tables do
   not show them yet. */
static void inherit(const struct edge_programs *p, uint32_t number, struct linux_process *process)
{
    for (uint32_t i = number; i-- > 0 && number - i <= PARENTS_MOST;) {
        const struct linux_process *l = i < p->room ? p->program[i].process : NULL;
        if (l && l->modules && l->name_at == process->name_at && l->headers == process->headers &&
            l->base == process->base && l->vdso == process->vdso && !strcmp(l->program, process->program)) {
            *process = *l;
            return;
        }
    }
}

static uint32_t add_space(struct edge_programs *p, unsigned kind, uint64_t asce, const struct linux_process *process,
                          bool *added)
{
    const uint32_t number = edge_spaces_add(p->spaces, kind, asce, process ? process->program : NULL, added);
    struct edge_program *e = *added ? program_of(p, number) : NULL;
    if (e && process && (e->process = malloc(sizeof *process)))
        *e->process = *process;
    if (e && e->process)
        inherit(p, number, e->process);
    if (e)
        e->until = 1;
    return number;
}

static uint32_t user_space(struct edge_programs *p, struct cpu *cpu, unsigned kind, uint64_t asce, bool *added)
{
    struct view view = {cpu, asce, 0};
    const struct linux_reader reader = {&view, read_space};
    uint32_t number = 0;
    const bool known = edge_spaces_find(p->spaces, kind, asce, &number);
    struct edge_program *e = known ? program_of(p, number) : NULL;
    struct linux_process process;
    *added = false;
    if (known && (!e || stands(e, &reader)))
        return number;
    if (linux_process_find(&reader, cpu->gr[15], &process))
        return add_space(p, kind, asce, &process, added);
    return known && !e->process ? number : add_space(p, kind, asce, NULL, added);
}

uint32_t edge_programs_space(struct edge_programs *p, struct cpu *cpu, unsigned kind, uint64_t asce, bool *added)
{
    uint32_t number;
    *added = false;
    if (kind == EP_SPACE_PRIMARY && cpu_problem_state(cpu))
        return user_space(p, cpu, kind, asce, added);
    if (edge_spaces_find(p->spaces, kind, asce, &number))
        return number;
    const bool kernel = p->kernel && kind == EP_SPACE_HOME;
    number = edge_spaces_add(p->spaces, kind, asce, kernel ? "kernel" : NULL, added);
    struct edge_program *e = kernel && *added ? program_of(p, number) : NULL;
    if (e)
        e->kernel = true;
    return number;
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static bool in_modules(struct edge_program *e, uint64_t address)
{
    const struct linux_process *l = e->process;
    for (unsigned i = 0, n = e->latest; i < l->modules; i++, n = n + 1 < l->modules ? n + 1 : 0)
        if (address >= l->module[n].start && address < l->module[n].end) {
            e->latest = n;
            return true;
        }
    return false;
}

/* For more modules. Code that none has is made by the program: it is not looked for each time. */
static void look(struct edge_programs *p, struct cpu *cpu, uint32_t number, struct edge_program *e)
{
    struct view view = {cpu, p->spaces->space[number].asce, 0};
    const struct linux_reader reader = {&view, read_space};
    const unsigned before = e->process->modules;
    if (linux_process_same(&reader, e->process))
        linux_process_modules(&reader, e->process);
    e->unknown = 0;
    e->until = e->process->modules > before ? 1 : e->until < UNKNOWN_MOST ? 2 * e->until : UNKNOWN_MOST;
}

void edge_programs_modules(struct edge_programs *p, struct cpu *cpu, uint32_t number, uint64_t address,
                           void (*tell)(void *context, const struct ep_module *module), void *context)
{
    struct edge_program *e = number < p->room ? &p->program[number] : NULL;
    if (e && e->kernel && !e->told++) {
        const struct ep_module module = {.end = KERNEL_END, .name = "kernel", .space = number};
        tell(context, &module);
    }
    if (!e || !e->process)
        return;
    if (!in_modules(e, address) && ++e->unknown >= e->until)
        look(p, cpu, number, e);
    for (; e->told < e->process->modules; e->told++) {
        const struct linux_module *m = &e->process->module[e->told];
        tell(context, &(struct ep_module){m->start, m->end, m->bias, m->name, number, false, {0}});
    }
}

bool edge_programs_knows(const struct edge_programs *p, uint32_t number)
{
    return number < p->room && p->program[number].process;
}

bool edge_programs_settled(const struct edge_programs *p, uint32_t number)
{
    const struct edge_program *e = number < p->room ? &p->program[number] : NULL;
    return !e || (!e->process && (!e->kernel || e->told));
}

void edge_programs_destroy(struct edge_programs *p)
{
    for (uint32_t i = 0; i < p->room; i++)
        free(p->program[i].process);
    free(p->program);
    p->program = NULL;
    p->room = 0;
}
