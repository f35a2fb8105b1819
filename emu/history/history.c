/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments of the past: when one is kept, and which are given up when they take too much. */
#include "emu/history/history.h"
#include "emu/history/internal.h"
#include "emu/observe/pipeline.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FARTHEST 8u /* times the spacing: between moments of which one between them was given up */
#define MOMENTS  4096u

static void free_moment(struct history *h, struct moment *m)
{
    h->bytes -= m->state.length + m->undo.length + m->disks.length;
    free(m->state.bytes);
    pages_undo_free(&m->undo);
    disks_undo_free(&m->disks);
}

static void forget(struct history *h)
{
    while (h->count)
        free_moment(h, &h->moments[--h->count]);
    h->bytes = 0;
    if (!h->tape)
        events_free(h);
    pages_end(h->pages);
    h->pages = NULL;
}

/* Two moments get one: n is given up. False: the host has no memory for that. */
static bool join(struct history *h, unsigned n)
{
    struct moment *before = &h->moments[n - 1], *gone = &h->moments[n];
    const uint64_t had = before->undo.length + gone->undo.length;
    if (!disks_undo_join(&before->disks, &gone->disks) || !pages_undo_join(&before->undo, &gone->undo))
        return false;
    h->bytes += before->undo.length - had;
    free_moment(h, gone);
    memmove(gone, gone + 1, (--h->count - n) * sizeof *gone);
    return true;
}

/* The one that is missed least: close to others, and long ago. 0: none can be given up. */
static unsigned least(const struct history *h)
{
    const uint64_t now = h->moments[h->count - 1].instructions;
    unsigned found = 0;
    double best = 0;
    for (unsigned n = 1; n + 1 < h->count; n++) {
        const struct moment *m = &h->moments[n];
        const uint64_t span = m[1].instructions - m[-1].instructions;
        const double miss = (double)span / (double)(now - m->instructions + h->spacing);
        if (!m->changed && span <= FARTHEST * h->spacing && (!found || miss < best)) {
            found = n;
            best = miss;
        }
    }
    return found;
}

/* What there is too much of is given up. */
static void thin(struct history *h)
{
    while (h->count > 1 && (h->bytes > h->most || h->count > MOMENTS)) {
        const unsigned n = least(h);
        if (n && join(h, n))
            continue;
        free_moment(h, &h->moments[0]);
        memmove(h->moments, h->moments + 1, --h->count * sizeof *h->moments);
        h->moments[0].changed = true;
    }
}

static bool room_for_moment(struct history *h)
{
    if (h->count < h->room)
        return true;
    const unsigned room = 2 * h->room + 64;
    struct moment *more = realloc(h->moments, room * sizeof *more);
    if (!more)
        return false;
    h->moments = more;
    h->room = room;
    return true;
}

/* The machine as it is now becomes a moment; h->scratch has its state. */
static void keep(struct history *h, bool changed, bool stop)
{
    struct machine *m = h->machine;
    struct moment now = {.instructions = machine_instructions(m),
                         .time = history_clock(h),
                         .event = h->event,
                         .changed = changed,
                         .stop = stop};
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        now.each[i] = cpu_instructions(m->sys.cpus[i]);
    now.state.bytes = malloc(h->scratch.length);
    if (!now.state.bytes || !room_for_moment(h) ||
        (h->count &&
         (!pages_keep(h->pages, &h->moments[h->count - 1].undo) || !disks_keep(h, &h->moments[h->count - 1].disks)))) {
        free(now.state.bytes);
        h->broken = true;
        return;
    }
    memcpy(now.state.bytes, h->scratch.bytes, h->scratch.length);
    now.state.length = now.state.room = h->scratch.length;
    if (h->count)
        h->bytes += h->moments[h->count - 1].undo.length + h->moments[h->count - 1].disks.length;
    h->bytes += now.state.length;
    h->moments[h->count++] = now;
    h->next_at = now.instructions + h->spacing;
    /* Of places where runs ended, close behind each other, the last one is enough. */
    if (h->count > 2) {
        const struct moment *before = &h->moments[h->count - 2];
        if (before->stop && !before->changed && now.instructions - before[-1].instructions < h->spacing)
            (void)join(h, h->count - 2);
    }
    thin(h);
}

static bool take_state(struct history *h)
{
    char error[256];
    if (snapshot_keep(h->machine, &h->scratch, error, sizeof error))
        h->broken = true;
    return !h->broken;
}

/* ---- what the machine tells ---------------------------------------------------------------------------------------
 */

/* Is it where it was at the last moment? */
static bool same(const struct history *h)
{
    const struct moment *last = &h->moments[h->count - 1];
    return last->state.length == h->scratch.length &&
           memcmp(last->state.bytes, h->scratch.bytes, h->scratch.length) == 0 && !pages_changed(h->pages) &&
           !disks_changed(h);
}

static int start(struct history *h)
{
    h->broken = false;
    h->pages = pages_begin(h->machine);
    if (!h->pages || disks_begin(h) || !take_state(h))
        return -ENOMEM;
    keep(h, true, false);
    return h->broken ? -ENOMEM : 0;
}

static void begin_moments(struct history *h)
{
    char error[512];
    if (h->broken || history_possible(h->session, error, sizeof error)) {
        forget(h);
        h->broken = start(h) != 0;
        return;
    }
    if (disks_watch(h))
        h->broken = true;
    if (take_state(h) && !same(h)) {
        if (!h->tape || !h->tape->replays) /* a recording knows better: emu/history/record.c */
            events_forget_future(h);
        keep(h, true, false);
    }
}

static void begin(void *context)
{
    struct history *h = context;
    if (h->travelling)
        return;
    h->session->played_out = false;
    recording_run_begins(h);
    if (h->keeps && !h->only)
        begin_moments(h);
    events_due(h);
}

static void end(void *context)
{
    struct history *h = context;
    if (h->travelling)
        return;
    if (h->keeps && !h->only && !h->broken && take_state(h) && !same(h))
        keep(h, false, true);
    recording_run_ended(h);
}

/* A rotation begins, something is to come again, or the next moment is due. */
static bool due(void *context)
{
    struct history *h = context;
    if (h->event < h->event_count)
        events_replay(h);
    if (h->keeps && !h->only && machine_instructions(h->machine) >= h->next_at && !h->broken && take_state(h))
        keep(h, false, false);
    recording_due(h);
    events_due(h);
    return h->session->played_out;
}

/* ---- going there --------------------------------------------------------------------------------------------------
 */

unsigned moments_before(const struct history *h, uint64_t instructions)
{
    unsigned n = h->count - 1;
    while (n && h->moments[n].instructions > instructions)
        n--;
    return n;
}

/* Nothing that a run left behind for its caller. */
static void forget_ends(struct machine *m)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        struct cpu *cpu = m->sys.cpus[i];
        cpu->watched.count = 0;
        cpu->taken.loop = cpu->taken.stopped = cpu->leave = false;
        cpu->taken.repeats = 0;
        if (cpu->taken.latest.when > cpu_instructions(cpu)) /* it is still to come */
            cpu->taken.latest.number = 0;
    }
}

int moments_return(struct history *h, unsigned n, char *error, size_t size)
{
    int disks = disks_return(h);
    pages_return(h->pages);
    while (h->count > n + 1) {
        struct moment *before = &h->moments[h->count - 2];
        pages_undo(h->pages, &before->undo);
        disks = disks ? disks : disks_undo(h, &before->disks);
        h->bytes -= before->undo.length + before->disks.length;
        pages_undo_free(&before->undo);
        disks_undo_free(&before->disks);
        free_moment(h, &h->moments[--h->count]);
    }
    struct moment *there = &h->moments[n];
    h->event = there->event;
    h->next_at = there->instructions + h->spacing;
    int code = snapshot_return(h->machine, &there->state, error, size);
    if (!code && disks) {
        code = disks;
        snprintf(error, size, "a disk cannot be made what it was: %s; look after the host's medium", strerror(-disks));
    }
    pages_return(h->pages); /* loading may have touched it */
    forget_ends(h->machine);
    events_due(h);
    if (!code)
        return 0;
    h->broken = true;
    return -EIO;
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

int history_possible(const struct session *s, char *error, size_t size)
{
    const struct machine *m = s->machine;
    const char *why = NULL;
    if (m->config.host_clock || m->config.threads)
        why = "the machine follows the host's clock; leave --clock host and --threads away";
    else if (s->twin)
        why = "two machines run in lockstep; leave --lockstep away";
    else if (!machine_repeats_random(m))
        why = "its random numbers are the host's; leave --seed host away";
    else if (machine_pipeline_logged(m))
        why = "a log of the pipeline is being written; leave --pipe-out away, or end it (ctr trace off)";
    else if (m->measure)
        why = "the pipeline model is measured by samples or by place, and that is not kept; end it (ctr sample off, "
              "ctr by off)";
    else if (m->exceptions)
        why = "an exception trace is being written; end it (et off)";
    else if (m->edges)
        why = "a profile is being made; end it (prof off)";
    else if (s->ri_log)
        why = "a log of reporting groups is being written; leave --ri-log away";
    if (!why)
        return 0;
    snprintf(error, size, "the past cannot be kept: %s", why);
    return -ENOTSUP;
}

static void free_history(struct history *h)
{
    struct session *s = h->session;
    forget(h);
    events_free(h);
    disks_leave(h);
    if (h->machines == s->machines) { /* else that machine has gone */
        h->machine->door = NULL;
        h->machine->due = UINT64_MAX;
        h->machine->again = false;
    }
    memset(&s->keeper, 0, sizeof s->keeper);
    free(h->moments);
    free(h->scratch.bytes);
    free(h);
    s->history = NULL;
}

/* The session is being closed. */
static void close_session(void *context)
{
    struct history *h = context;
    recording_close(h);
    free_history(h);
}

struct history *history_of(struct session *s)
{
    struct history *h = s->history;
    if (h)
        return h;
    h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->session = s;
    h->machine = s->machine;
    h->door = (struct machine_door){.context = h, .begin = begin, .end = end, .due = due};
    h->machine->door = &h->door;
    s->history = h;
    events_join_session(h);
    s->keeper.end = close_session;
    return h;
}

void history_unused(struct history *h)
{
    if (!h->keeps && !h->tape)
        free_history(h);
}

int history_begin(struct session *s, uint64_t bytes, uint64_t spacing, char *error, size_t size)
{
    int code = history_possible(s, error, size);
    if (code)
        return code;
    history_end(s);
    struct history *h = history_of(s);
    if (h) {
        h->keeps = true;
        h->most = bytes;
        h->spacing = spacing;
    }
    if (h && !start(h))
        return 0;
    history_end(s);
    snprintf(error, size, "the past cannot be kept: the host has no memory; end other programs");
    return -ENOMEM;
}

int history_begin_only(struct session *s, char *error, size_t size)
{
    const int code = history_begin(s, HISTORY_BYTES, HISTORY_SPACING, error, size);
    if (!code) {
        s->history->only = true;
        events_due(s->history);
    }
    return code;
}

void history_end(struct session *s)
{
    struct history *h = s->history;
    if (!h)
        return;
    forget(h);
    h->keeps = h->broken = h->only = false;
    if (!h->tape || !h->tape->out)
        disks_leave(h);
    events_due(h);
    history_unused(h);
}

void history_tell(const struct session *s, struct history_words *w)
{
    const struct history *h = s->history;
    memset(w, 0, sizeof *w);
    if (!h || !h->count)
        return;
    *w = (struct history_words){.kept = true,
                                .first = h->moments[0].instructions,
                                .now = machine_instructions(h->machine),
                                .first_time = h->moments[0].time,
                                .now_time = history_clock(h),
                                .moments = h->count,
                                .bytes = h->bytes,
                                .most = h->most,
                                .outside = h->event_count,
                                .again = h->event < h->event_count};
}
