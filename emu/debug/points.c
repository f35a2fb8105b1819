/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints and watchpoints of the client. Storage of the guest is never written for them. */
#include "cpu/engine/engine.h"
#include "emu/debug/internal.h"
#include <string.h>

static bool watches(const struct gdb_point *p) { return p->kind >= POINT_WRITE; }

static bool same(const struct gdb_point *a, const struct gdb_point *b)
{
    return a->kind == b->kind && a->address == b->address && a->length == b->length && a->space == b->space;
}

bool points_add(struct gdb *g, const struct gdb_point *point)
{
    unsigned watched = watches(point);
    for (unsigned i = 0; i < g->point_count; i++) {
        if (same(&g->points[i], point))
            return true;
        watched += watches(&g->points[i]);
    }
    if (g->point_count == GDB_POINTS || watched > CPU_WATCHES / 2)
        return false;
    g->points[g->point_count++] = *point;
    return true;
}

void points_remove(struct gdb *g, const struct gdb_point *point)
{
    for (unsigned i = 0; i < g->point_count; i++)
        if (same(&g->points[i], point)) {
            memmove(&g->points[i], &g->points[i + 1], (--g->point_count - i) * sizeof *g->points);
            return;
        }
}

const struct gdb_point *points_at(const struct gdb *g, uint64_t address)
{
    for (unsigned i = 0; i < g->point_count; i++)
        if (!watches(&g->points[i]) && g->points[i].address == address)
            return &g->points[i];
    return NULL;
}

static void disarm(struct gdb *g)
{
    const struct cpu_system *sys = &gdb_machine(g)->sys;
    const bool there = g->armed_machine == g->session->machines; /* else they have gone with that machine */
    for (unsigned i = 0; there && i < g->armed_count; i++)
        for (unsigned c = 0; !watches(&g->armed[i]) && c < sys->cpu_count; c++)
            engine_break_remove(sys->cpus[c], g->armed[i].address);
    g->armed_count = 0;
}

static const uint8_t kinds[POINT_KINDS] = {
    [POINT_WRITE] = CPU_STORE, [POINT_READ] = CPU_FETCH, [POINT_ACCESS] = CPU_UPDATE};

bool points_met(const struct gdb *g, const struct cpu_watch_hit *hit)
{
    for (unsigned i = 0; i < g->point_count; i++)
        if (watches(&g->points[i]) && g->points[i].address == hit->watch && kinds[g->points[i].kind] == hit->kind &&
            g->points[i].space == hit->space)
            return true;
    return false;
}

bool points_arm(struct gdb *g)
{
    const struct cpu_system *sys = &gdb_machine(g)->sys;
    struct cpu_watches list = {0};
    bool same_ones = g->armed_machine == g->session->machines && g->armed_count == g->point_count;
    for (unsigned i = 0; same_ones && i < g->point_count; i++)
        same_ones = same(&g->points[i], &g->armed[i]);
    if (same_ones)
        return true;
    disarm(g);
    g->armed_machine = g->session->machines;
    for (unsigned i = 0; i < g->point_count; i++) {
        const struct gdb_point *p = &g->points[i];
        g->armed[g->armed_count++] = *p;
        if (watches(p))
            list.watch[list.count++] = (struct cpu_watch){
                .address = p->address, .length = p->length, .kind = kinds[p->kind], .space = p->space};
        for (unsigned c = 0; !watches(p) && c < sys->cpu_count; c++)
            if (engine_break_add(sys->cpus[c], p->address))
                return false;
    }
    return session_watch(g->session, SESSION_WATCH_DEBUGGER, &list) == 0;
}

void points_clear(struct gdb *g)
{
    const struct cpu_watches none = {0};
    g->point_count = 0;
    disarm(g);
    (void)!session_watch(g->session, SESSION_WATCH_DEBUGGER, &none);
}
