/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/lesson/record.h"
#include "base/room.h"
#include "cpu/control/model.h"
#include "emu/machine/machine.h"
#include "ri/ri.h"
#include "ri/state.h"
#include <string.h>

void record_begin(struct record *r, const struct machine *m)
{
    struct ec_model *model = cpu_model(m->sys.cpus[0]);
    memset(r, 0, sizeof *r);
    r->instructions = machine_instructions(m);
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        const struct ri *ri = m->sys.cpus[i]->ri;
        r->groups[i] = ri->groups;
        r->samples[i] = ri->told.samples;
        r->halts[i] = ri->halts;
    }
    if (model)
        ec_model_totals(model, &r->totals);
}

void record_interruption(struct record *r, const struct cpu *cpu, enum cpu_class class, unsigned code)
{
    struct record_event *e = &r->events[r->event_count++ % RECORD_EVENTS];
    *e = (struct record_event){.class = (uint8_t) class, .code = code, .address = cpu->psw.ia};
    if (class == CPU_CLASS_PROGRAM)
        e->address = cpu->taken.latest.ia;
    else if (class == CPU_CLASS_SVC)
        e->address = cpu->psw.ia - cpu->ilc;
}

void record_instruction(struct record *r, const struct cpu *cpu, const struct dis_insn *insn)
{
    for (unsigned i = 0; i < r->counted_count; i++) {
        struct record_counted *c = &r->counted[i];
        c->count += c->what == (c->by_row ? insn->row : cpu->insn_ia);
    }
}

void record_output(struct record *r, const char *text, size_t length)
{
    room_for_last(r->output, sizeof r->output - 1, &r->output_length, text, length);
    r->output[r->output_length] = 0;
}

bool record_count(struct record *r, bool by_row, uint64_t what)
{
    for (unsigned i = 0; i < r->counted_count; i++)
        if (r->counted[i].by_row == by_row && r->counted[i].what == what)
            return true;
    if (r->counted_count == RECORD_COUNTED)
        return false;
    r->counted[r->counted_count++] = (struct record_counted){.by_row = by_row, .what = what};
    return true;
}

uint64_t record_counted(const struct record *r, bool by_row, uint64_t what)
{
    for (unsigned i = 0; i < r->counted_count; i++)
        if (r->counted[i].by_row == by_row && r->counted[i].what == what)
            return r->counted[i].count;
    return 0;
}

uint64_t record_happened(const struct record *r, enum cpu_class class, const uint64_t *code, const uint64_t *address)
{
    const uint64_t kept = r->event_count < RECORD_EVENTS ? r->event_count : RECORD_EVENTS;
    uint64_t found = 0;
    for (uint64_t i = 0; i < kept; i++) {
        const struct record_event *e = &r->events[i];
        found += e->class == class && (!code || e->code == *code) && (!address || e->address == *address);
    }
    return found;
}
