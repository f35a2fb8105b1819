/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracker: which PSW reload ends which interruption, and what follows what (specification 1.4 to 1.6). */
#include "ri/trace/tracker.h"
#include "base/bits.h"
#include <string.h>

#define FORCED        0x8000u
#define PROBLEM_STATE BIT64(15)

void et_tracker_init(struct et_tracker *t, void (*tell)(void *, const struct et_occurrence *), void *context)
{
    struct et_config reset;
    memset(t, 0, sizeof *t);
    t->tell = tell;
    t->context = context;
    et_config_reset(&reset);
    et_tracker_rules(t, &reset);
}

void et_tracker_rules(struct et_tracker *t, const struct et_config *config)
{
    t->ctx = ET_GET(config, ETCR, CTX);
    t->near = ET_GET(config, ETCR, NEAR);
    t->tpi = ET_GET(config, ETCR, TPI);
    t->retm = (unsigned)ET_GET(config, ETCR, RETM);
    t->match = config->reg[ETPM];
}

void et_tracker_clock(struct et_tracker *t, uint64_t now)
{
    for (unsigned i = 0; i < t->depth; i++) {
        t->frame[i].since = now;
        t->frame[i].inner = 0;
    }
    t->reload_time = now;
}

static struct et_frame *frame_of(struct et_tracker *t, uint64_t serial)
{
    for (unsigned i = t->depth; serial && i-- > 0;)
        if (t->frame[i].serial == serial)
            return &t->frame[i];
    return NULL;
}

static void tell_state(struct et_tracker *t, unsigned code, uint64_t now)
{
    t->tell(t->context,
            &(struct et_occurrence){.what = ET_W_STATE, .value = code, .time = now, .depth = (uint8_t)t->depth});
}

static void push(struct et_tracker *t, const struct et_frame *frame, uint64_t now)
{
    if (t->depth == ET_FRAMES) {
        memmove(t->frame, t->frame + 1, sizeof t->frame - sizeof *t->frame);
        t->depth--;
        tell_state(t, ET_ST_FRAME_DROPPED, now);
    }
    t->frame[t->depth++] = *frame;
}

static void drop(struct et_tracker *t, unsigned index)
{
    memmove(t->frame + index, t->frame + index + 1, (t->depth - index - 1) * sizeof *t->frame);
    t->depth--;
}

/* ---- exact counters --------------------------------------------------------------------------------------------- */

static uint64_t since(uint64_t now, uint64_t then) { return now > then ? now - then : 0; }

/* `en` is left. `frame`: its own, NULL when it is not known any more. */
static void count_exit(struct et_tracker *t, unsigned en, struct et_frame *frame, uint64_t now)
{
    struct et_count *c = &t->count[en];
    c->exits++;
    if (!frame)
        return;
    frame->left = true;
    const uint64_t gross = since(now, frame->since), self = since(gross, frame->inner);
    c->gross += gross;
    c->self += self;
    if (gross > c->gross_max)
        c->gross_max = gross;
    if (self > c->self_max)
        c->self_max = self;
    struct et_frame *parent = frame_of(t, frame->parent);
    if (parent)
        parent->inner += gross;
}

static void count_entry(struct et_tracker *t, unsigned en, bool tc, bool la)
{
    struct et_count *c = &t->count[en];
    c->entries++;
    c->tail_chains += tc;
    c->late_arrivals += la;
}

/* ---- EXIT: a PSW was loaded ------------------------------------------------------------------------------------- */

static void leave(struct et_tracker *t, unsigned en, struct et_frame *frame, bool forced)
{
    count_exit(t, en, frame, t->reload_time);
    t->exit[t->exits++] = (uint16_t)(en | (forced ? FORCED : 0));
}

static void resume(struct et_tracker *t, unsigned en, uint64_t running, bool forced)
{
    t->pend = ET_PEND_RETURN;
    t->resume = (uint16_t)en;
    t->resume_running = running;
    t->return_forced = forced;
}

static int matching(const struct et_tracker *t, struct et_psw loaded)
{
    for (unsigned i = t->depth; i-- > 0;) {
        const struct et_psw *old = &t->frame[i].old;
        const uint64_t ahead = loaded.address - old->address;
        if ((old->mask ^ loaded.mask) & t->match)
            continue;
        if (!ahead || (t->near && ahead + 6 <= 12 && !(ahead & 1)))
            return (int)i;
    }
    return -1;
}

/* Steps 2 to 4. Reading: with CTX=1 what is left is the handler that runs, also when the matching frame is the top one,
   and nothing when none runs: a task that goes on after another one told its EXIT has none to tell (test_et_tracker.c).
 */
static void leave_matching(struct et_tracker *t, unsigned index)
{
    const struct et_frame f = t->frame[index];
    if (t->ctx) {
        if (t->current)
            leave(t, t->current, frame_of(t, t->running), false);
        drop(t, index);
    } else {
        bool forced = false;
        while (t->depth > index) {
            struct et_frame *top = &t->frame[t->depth - 1];
            leave(t, top->en, top, forced);
            t->depth--;
            forced = true;
        }
    }
    resume(t, f.resume, f.parent, false);
}

/* Steps 5 to 8. Reading: where no handler runs there is none to be left (CTX=1). */
static void leave_unmatched(struct et_tracker *t, struct et_psw loaded)
{
    const bool to_problem = loaded.mask & PROBLEM_STATE;
    if (t->retm == ET_RETM_MATCH || (t->retm == ET_RETM_PSTATE && !to_problem) || !t->current) {
        t->reloads_in_handler++;
        return;
    }
    leave(t, t->current, frame_of(t, t->running), true);
    if (t->retm == ET_RETM_PSTATE) {
        if (!t->ctx)
            t->depth = 0;
        resume(t, ET_NORMAL, 0, true);
        return;
    }
    const struct et_frame top = t->frame[t->depth - 1];
    t->depth--;
    resume(t, top.resume, top.parent, true);
}

void et_tracker_reload(struct et_tracker *t, enum et_insn insn, struct et_psw loaded, uint64_t now)
{
    const bool load_psw = insn <= ET_LPSWEY;
    et_tracker_boundary(t, NULL, now);
    if (!t->depth) {
        t->reloads_in_normal += load_psw;
        return;
    }
    t->reload_time = now;
    const int index = matching(t, loaded);
    if (index >= 0)
        leave_matching(t, (unsigned)index);
    else if (load_psw)
        leave_unmatched(t, loaded);
}

/* ---- the boundary ----------------------------------------------------------------------------------------------- */

/* EXITs that were held. Reading: of several, the last one, which stands directly before the ENTRY, is the tail-chained
   one. */
static void tell_exits(struct et_tracker *t, bool chained)
{
    for (unsigned i = 0; i < t->exits; i++)
        t->tell(t->context, &(struct et_occurrence){.what = ET_W_EXIT,
                                                    .en = t->exit[i] & (ET_NUMBERS - 1),
                                                    .frc = t->exit[i] & FORCED,
                                                    .tc = chained && i + 1 == t->exits,
                                                    .time = t->reload_time,
                                                    .depth = (uint8_t)t->depth});
    t->exits = 0;
}

void et_tracker_boundary(struct et_tracker *t, const struct et_psw *next, uint64_t now)
{
    if (t->pend == ET_PEND_RETURN) {
        tell_exits(t, false);
        t->current = t->resume;
        t->running = t->resume_running;
        t->count[t->current].returns++;
        t->tell(t->context, &(struct et_occurrence){.what = ET_W_RETURN,
                                                    .en = t->current,
                                                    .frc = t->return_forced,
                                                    .time = now,
                                                    .depth = (uint8_t)t->depth,
                                                    .addresses = next ? 1u << ET_ADDR_RETURN : 0,
                                                    .address[ET_ADDR_RETURN] = next ? next->address : 0});
    }
    t->pend = ET_PEND_NONE;
}

void et_tracker_entry(struct et_tracker *t, unsigned en, struct et_psw old, struct et_psw new_psw,
                      const struct et_info *info, uint64_t now)
{
    const bool tc = t->pend == ET_PEND_RETURN, la = t->pend == ET_PEND_START;
    tell_exits(t, true);
    push(t,
         &(struct et_frame){.en = (uint16_t)en,
                            .resume = tc ? t->resume : t->current,
                            .parent = tc ? t->resume_running : t->running,
                            .old = old,
                            .since = now,
                            .serial = ++t->serial},
         now);
    t->current = (uint16_t)en;
    t->running = t->serial;
    t->pend = ET_PEND_START;
    count_entry(t, en, tc, la);
    t->tell(t->context, &(struct et_occurrence){.what = ET_W_ENTRY,
                                                .en = (uint16_t)en,
                                                .tc = tc,
                                                .la = la,
                                                .problem = old.mask & PROBLEM_STATE,
                                                .time = now,
                                                .info = info,
                                                .depth = (uint8_t)t->depth,
                                                .addresses = 1u << ET_ADDR_OLD | 1u << ET_ADDR_NEW,
                                                .address[ET_ADDR_OLD] = old.address,
                                                .address[ET_ADDR_NEW] = new_psw.address});
}

void et_tracker_tpi(struct et_tracker *t, unsigned isc, uint32_t ssid, uint64_t now)
{
    struct et_frame *frame = frame_of(t, t->running);
    if (!t->tpi || !frame || et_number_class(t->current) != ET_IO)
        return;
    const struct et_info info = {.given = 1u << ET_INFO_CODE | 1u << ET_INFO_FLAGS, .code = ssid, .flags = ET_IF_TPI};
    count_exit(t, frame->en, frame, now);
    t->tell(t->context, &(struct et_occurrence){
                            .what = ET_W_EXIT, .en = frame->en, .tc = true, .time = now, .depth = (uint8_t)t->depth});
    frame->en = t->current = (uint16_t)et_number(ET_IO, isc);
    frame->since = now;
    frame->inner = 0;
    frame->left = false;
    count_entry(t, frame->en, true, false);
    t->tell(t->context, &(struct et_occurrence){.what = ET_W_ENTRY,
                                                .en = frame->en,
                                                .tc = true,
                                                .problem = frame->old.mask & PROBLEM_STATE,
                                                .time = now,
                                                .info = &info,
                                                .depth = (uint8_t)t->depth});
}

void et_tracker_stop(struct et_tracker *t) { tell_exits(t, false); }

void et_tracker_state(struct et_tracker *t, unsigned code, uint64_t now)
{
    if (code == ET_ST_STOPPED || code == ET_ST_RESET)
        tell_exits(t, false);
    if (code == ET_ST_RESET) {
        t->pend = ET_PEND_NONE;
        t->depth = 0;
        t->current = ET_NORMAL;
        t->running = 0;
    }
    tell_state(t, code, now);
}
