/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control flow of one function out of the machine's edge profile: its part of the profile, blocks and arcs as the
   exports have them (ri/profile/show/cfg.h), layers by the longest path, order by barycentres. */
#include "emu/panel/view/flow.h"
#include "cpu/storage/dat.h"
#include "disasm/dis.h"
#include "emu/edges/profile.h"
#include "emu/inspect/inspect.h"
#include "ri/profile/show/cfg.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- code ----------------------------------------------------------------------------------------------------------
 */

/* Who asks, and about which profile. */
struct code {
    struct cpu *cpu;
    const struct ep_space *space;
    uint32_t spaces;
};

/* Bytes in a space of the profile; false: not all of them are there. */
static bool fetch(const struct code *c, uint32_t space, uint64_t address, uint8_t *to, unsigned length)
{
    const struct storage *s = &c->cpu->sys->storage;
    for (unsigned done = 0; done < length; done += 2, address += 2) {
        struct dat_result result = {.absolute = 0};
        if (space >= c->spaces)
            return false;
        if (c->space[space].kind == EP_SPACE_REAL)
            result.absolute = cpu_real_to_absolute(c->cpu, address);
        else if (dat_translate(c->cpu, c->space[space].token, address, &result, NULL, NULL))
            return false;
        if (!storage_has(s, result.absolute, 2))
            return false;
        memcpy(to + done, s->bytes + result.absolute, 2);
    }
    return true;
}

static bool code_at(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    return fetch(context, space, address, bytes, 2) && fetch(context, space, address, bytes, dis_length(bytes[0]));
}

/* ---- the part of the profile that is the function's
 * ------------------------------------------------------------------ */

struct part {
    const struct ep_profile *whole;
    struct ep_profile *profile;
    struct ep_function function;
    struct ep_module module;
    uint32_t space; /* number in `profile` */
};

static bool inside(const struct part *p, uint32_t space, uint64_t address)
{
    return space == p->module.space && address >= p->function.start && address < p->function.end;
}

static int take_places(struct part *p)
{
    uint32_t spaces, id = 0;
    const struct ep_space *space = ep_profile_list(p->whole, EP_SPACES, &spaces);
    struct ep_module module = p->module;
    struct ep_function function = p->function;
    if (p->module.space >= spaces)
        return -1;
    int bad = ep_profile_space(p->profile, &space[p->module.space], &p->space);
    module.space = p->space;
    bad = bad ? bad : ep_profile_module(p->profile, &module, &id);
    function.module = id;
    bad = bad ? bad : ep_profile_function(p->profile, &function, &id);
    for (unsigned h = 0; h < EP_HEADERS && !bad; h++)
        if (ep_header_is_number((enum ep_header)h) && h != EP_H_BRANCH_UNITS && h != EP_H_RUN_UNITS &&
            ep_profile_header(p->whole, (enum ep_header)h))
            bad = ep_profile_set_number(p->profile, (enum ep_header)h, ep_profile_number(p->whole, (enum ep_header)h));
    return bad;
}

/* Edges from within, also to elsewhere in the same space; runs within. */
static int take_rows(struct part *p, enum ep_list_name list)
{
    uint32_t count;
    int bad = 0;
    const struct ep_row *row = ep_profile_list(p->whole, list, &count);
    for (uint32_t i = 0; i < count && !bad; i++) {
        struct ep_row r = row[i];
        if (!inside(p, r.from_space, r.from) || r.to_space != r.from_space ||
            (list == EP_RUNS && !inside(p, r.to_space, r.to)))
            continue;
        r.from_space = r.to_space = p->space;
        bad = ep_profile_add(p->profile, list, &r);
    }
    return bad;
}

static int take_sites(struct part *p)
{
    uint32_t count;
    int bad = 0;
    const struct ep_site_facts *site = ep_profile_list(p->whole, EP_SITES, &count);
    for (uint32_t i = 0; i < count && !bad; i++) {
        struct ep_site_facts s = site[i];
        if (!inside(p, s.space, s.at))
            continue;
        s.space = p->space;
        bad = ep_profile_site(p->profile, &s);
    }
    return bad;
}

static int take_part(struct part *p)
{
    p->profile = ep_profile_new();
    if (!p->profile)
        return -1;
    int bad = take_places(p);
    bad = bad ? bad : take_sites(p);
    bad = bad ? bad : take_rows(p, EP_EDGES);
    bad = bad ? bad : take_rows(p, EP_RUNS);
    return bad ? bad : ep_profile_settle(p->profile);
}

/* ---- nodes and arcs
 * -------------------------------------------------------------------------------------------------- */

static void take_lines(struct flow_node *n, const struct code *c, uint32_t space)
{
    uint64_t address = n->start;
    for (unsigned i = 0; i < n->instructions; i++) {
        uint8_t bytes[6];
        char text[96];
        if (n->lines == FLOW_LINES || !code_at((void *)(uintptr_t)c, space, address, bytes))
            return;
        inspect_text(bytes, address, text, sizeof text);
        if (n->lines == FLOW_LINES - 1 && i + 1 < n->instructions)
            snprintf(n->line[n->lines++], FLOW_TEXT, "... %u more", n->instructions - i);
        else
            snprintf(n->line[n->lines++], FLOW_TEXT, "%.39s", text);
        address += dis_length(bytes[0]);
    }
}

static void take_blocks(struct flow *f, const struct ep_cfg *cfg, const struct code *c)
{
    uint8_t *number = calloc(cfg->blocks + 1u, 1);
    if (!number)
        return;
    for (uint32_t i = 0; i < cfg->blocks; i++) {
        const struct ep_block *b = &cfg->block[i];
        if (b->start < f->start || b->start >= f->end) /* of what it calls */
            continue;
        if (f->nodes == FLOW_NODES) {
            f->left++;
            continue;
        }
        struct flow_node *n = &f->node[f->nodes++];
        number[i] = (uint8_t)f->nodes;
        *n = (struct flow_node){.start = b->start,
                                .last = b->last,
                                .count = ep_rounded(b->units, cfg->view->unit),
                                .instructions = b->instructions};
        take_lines(n, c, b->space);
    }
    for (uint32_t i = 0; i < cfg->arcs && f->arcs < FLOW_ARCS; i++) {
        const struct ep_arc *a = &cfg->arc[i];
        if (a->block == EP_NO_BLOCK || !number[a->from] || !number[a->block])
            continue;
        f->arc[f->arcs++] = (struct flow_arc){.from = (uint8_t)(number[a->from] - 1),
                                              .to = (uint8_t)(number[a->block] - 1),
                                              .kind = a->kind,
                                              .count = ep_rounded(a->units, cfg->view->unit)};
    }
    free(number);
}

static void take_function(struct flow *f, struct cpu *cpu, struct part *p)
{
    struct ep_view view;
    struct ep_cfg cfg;
    struct code code = {.cpu = cpu};
    const struct ep_source source = {.context = &code, .code = code_at};
    if (take_part(p) || ep_view_make(&view, p->profile)) {
        snprintf(f->why, sizeof f->why, "the host has no memory for the graph");
        return;
    }
    code.space = ep_profile_list(p->profile, EP_SPACES, &code.spaces);
    if (!ep_cfg_make(&cfg, &view, NULL, &source, f->why, sizeof f->why)) {
        take_blocks(f, &cfg, &code);
        ep_cfg_free(&cfg);
        *f->why = 0;
    } else if (!*f->why) {
        snprintf(f->why, sizeof f->why, "the host has no memory for the graph");
    }
    ep_view_free(&view);
}

/* ---- which function
 * -------------------------------------------------------------------------------------------------- */

/* The innermost function at the address, in the space that the CPU fetches from when it is in several. */
static bool find_function(struct part *p, const struct cpu *cpu, uint64_t address)
{
    uint32_t functions, modules, spaces;
    const struct ep_function *f = ep_profile_list(p->whole, EP_FUNCTIONS, &functions);
    const struct ep_module *m = ep_profile_list(p->whole, EP_MODULES, &modules);
    const struct ep_space *s = ep_profile_list(p->whole, EP_SPACES, &spaces);
    const bool dat = cpu->psw.mask & PSW_DAT;
    const uint64_t asce = inspect_instruction_space(cpu) == CPU_SPACE_HOME ? cpu->cr[13] : cpu->cr[1];
    unsigned best = 0;
    for (uint32_t i = 0; i < functions; i++) {
        if (address < f[i].start || address >= f[i].end || f[i].module >= modules || m[f[i].module].space >= spaces)
            continue;
        const struct ep_space *space = &s[m[f[i].module].space];
        const bool here =
            dat ? space->kind != EP_SPACE_REAL && !((space->token ^ asce) >> 12) : space->kind == EP_SPACE_REAL;
        const unsigned good = 1 + here;
        if (good < best || (good == best && best && f[i].end - f[i].start >= p->function.end - p->function.start))
            continue;
        best = good;
        p->function = f[i];
        p->module = m[f[i].module];
    }
    return best;
}

/* The profile knows no function there: a range of a space in which something was executed is taken for one. */
static bool guess_function(struct part *p, const struct flow_guess *guess)
{
    uint32_t count;
    const struct ep_row *row = ep_profile_list(p->whole, EP_EDGES, &count);
    p->function = (struct ep_function){.start = guess->start, .end = guess->end, .name = guess->name};
    p->module = (struct ep_module){.start = guess->start, .end = guess->end, .name = "storage"};
    bool found = false;
    uint64_t least = guess->end;
    for (uint32_t i = 0; i < count; i++) {
        if (!found)
            p->module.space = row[i].from_space;
        if (!inside(p, row[i].from_space, row[i].from))
            continue;
        found = true;
        least = row[i].from < least ? row[i].from : least;
        if (inside(p, row[i].to_space, row[i].to) && row[i].to < least)
            least = row[i].to;
    }
    if (found) /* what is in front of it was not executed, as far as is known */
        p->function.start = p->module.start = least;
    return found;
}

/* The functions with the most branches; where none is known the edges with the most. */
static void find_hot(struct flow *f, const struct ep_profile *whole)
{
    struct ep_view view;
    if (ep_view_make(&view, whole))
        return;
    uint64_t *units = calloc(view.branches + 1u, sizeof *units);
    for (uint32_t i = 0; units && i < view.branches; i++)
        units[i] = view.branch[i].row->units;
    const uint32_t count = view.functions ? view.functions : view.branches;
    uint32_t *by_size = units ? ep_by_size(view.functions ? view.units : units, count) : NULL;
    for (uint32_t i = 0; by_size && i < count && f->hot_count < FLOW_HOT; i++) {
        struct flow_hot *hot = &f->hot[f->hot_count];
        const uint32_t n = by_size[i];
        hot->count = ep_rounded(view.functions ? view.units[n] : units[n], view.unit);
        if (!hot->count)
            break;
        f->hot_count++;
        hot->start = view.functions ? view.function[n].start : view.branch[n].row->from;
        if (view.functions)
            snprintf(hot->name, sizeof hot->name, "%.79s", ep_view_name(&view, n));
        else
            snprintf(hot->name, sizeof hot->name, "branch at %" PRIX64 " to %" PRIX64, hot->start,
                     view.branch[n].row->to);
    }
    free(by_size);
    free(units);
    ep_view_free(&view);
}

void flow_make(struct flow *f, struct cpu *cpu, uint64_t address, const struct flow_guess *guess)
{
    struct ep_profile *whole;
    struct part part = {.whole = NULL};
    memset(f, 0, sizeof *f);
    if (edge_profile_copy(cpu->sys->machine, false, &whole, f->why, sizeof f->why))
        return;
    part.whole = whole;
    find_hot(f, whole);
    if (find_function(&part, cpu, address) || guess_function(&part, guess)) {
        snprintf(f->name, sizeof f->name, "%.79s", part.function.name ? part.function.name : "");
        f->start = part.function.start;
        f->end = part.function.end;
        take_function(f, cpu, &part);
        flow_layout(f);
    }
    ep_profile_free(part.profile);
    ep_profile_free(whole);
}
