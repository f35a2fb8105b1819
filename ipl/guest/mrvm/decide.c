/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is compiled, and when: by the readings of run-time instrumentation (2.6 of the specification), or by counters.
 */
#include "code.h"

#define HEAT_T1      16u
#define SELF_T2      3u
#define SHARE_T2     10u /* per mille of the samples in the window */
#define SETTLED      16u
#define SELF_SETTLE  8u
#define SELF_DOUBLED 32u /* samples, lest chance doubles a share */
#define COUNT_T2     2000
#define GUARD_LEAST  16u
#define DIRECT_SITES 50u  /* counted calls of a site that the test mode asks about */
#define DIRECT_ALL   200u /* directed samples that it wants */
#define GUARD_COUNT  2000

/* The commonest two targets and their shares in per mille. */
u32 site_targets(const struct site *s, u16 target[2], u32 share[2])
{
    const u32 *counts = s->count;
    u32 sum = s->other, first = TARGETS, second = TARGETS;
    for (u32 i = 0; i < s->targets; i++) {
        sum += counts[i];
        if (first == TARGETS || counts[i] > counts[first]) {
            second = first;
            first = i;
        } else if (second == TARGETS || counts[i] > counts[second])
            second = i;
    }
    target[0] = first < TARGETS ? s->target[first] : (u16)NO_METHOD;
    target[1] = second < TARGETS ? s->target[second] : (u16)NO_METHOD;
    share[0] = sum && first < TARGETS ? (u32)(counts[first] * 1000ul / sum) : 0;
    share[1] = sum && second < TARGETS ? (u32)(counts[second] * 1000ul / sum) : 0;
    return sum;
}

enum site_kind site_kind(const struct site *s)
{
    u16 target[2];
    u32 share[2];
    if (!s->is_virtual)
        return SITE_UNKNOWN;
    if (site_targets(s, target, share) < SETTLED)
        return SITE_UNKNOWN;
    return share[0] >= 950 ? SITE_MONO : share[0] + share[1] >= 950 ? SITE_BI : SITE_MEGA;
}

enum site_kind site_decided(struct site *s, u16 target[2])
{
    u32 share[2];
    const enum site_kind kind = site_kind(s);
    if (kind != SITE_UNKNOWN) {
        (void)site_targets(s, s->decided_target, share);
        s->decided = (u8)kind;
    }
    target[0] = s->decided_target[0];
    target[1] = s->decided_target[1];
    return s->decided;
}

/* RINEXT in place becomes a branch that is never taken. */
static void unplant(u32 site)
{
    const struct version *v = &vm.version[vm.method[vm.site[site].method].version];
    for (u64 i = 0; i < v->length / 2; i++)
        if (SITE_MAP[(v->start - CODE_START) / 2 + i] == (site + 1) * SITE_SCALE)
            *(u32 *)(v->start + 2 * i - 4) = 0xa7040000;
}

/* Directed samples settle a site that is seldom seen. */
static void settle(struct site *s)
{
    for (u32 i = 0; i < s->targets; i++) {
        s->count[i] += s->share[i];
        s->n += s->share[i];
        s->share[i] = 0;
    }
    s->planted = 0;
}

static u32 sites_end(u32 number) { return number + 1 < vm.methods ? vm.method[number + 1].site0 - 1u : vm.sites; }

static void forget(struct site *s)
{
    s->targets = 0;
    s->n = s->other = s->window = 0;
    for (u32 i = 0; i < TARGETS; i++)
        s->count[i] = s->share[i] = 0;
}

/* Does a guard of this version fail too often? Calls at its sites are seen only when it does. */
static u32 guards_fail(const struct version *v)
{
    for (u32 i = 0; i < v->inlined; i++) {
        struct site *s = &vm.site[v->guard_site[i]];
        u32 others = 0;
        if (s->window < GUARD_LEAST)
            continue;
        for (u32 k = 0; k < s->targets; k++)
            if (s->target[k] != v->guard_target[i][0] && s->target[k] != v->guard_target[i][1])
                others += s->since[k];
        if (others >= GUARD_LEAST && others * 4 >= vm.window_calls)
            return v->guard_site[i] + 1u;
    }
    return 0;
}

/* Sites that a hot method needs to know and does not: RINEXT before them. */
static u32 plant(u32 number)
{
    u32 planted = 0;
    for (u32 i = vm.method[number].site0 - 1u; i < sites_end(number); i++) {
        struct site *s = &vm.site[i];
        if (!s->is_virtual || s->planted || s->directed || s->decided || site_kind(s) != SITE_UNKNOWN)
            continue;
        s->planted = 1;
        planted = 1;
    }
    return planted;
}

/* Sites of a method that were not known when it was compiled, and are now: by directed samples or by others. */
static u32 settled(u32 number)
{
    u32 done = 0;
    for (u32 i = vm.method[number].site0 - 1u; i < sites_end(number); i++) {
        struct site *s = &vm.site[i];
        if (s->planted && s->directed >= SETTLED) {
            unplant(i);
            settle(s);
            done = 1;
        } else if (s->is_virtual && !s->planted && !s->decided && s->n)
            done |= site_kind(s) != SITE_UNKNOWN;
    }
    return done;
}

static void compile2_for(u32 number, enum why why, u32 detail)
{
    struct method *m = &vm.method[number];
    if (m->compiled2 == RETRY)
        return;
    m->compiled2++;
    for (u32 i = m->site0 - 1u; i < sites_end(number); i++)
        if (vm.site[i].is_virtual && !vm.site[i].planted)
            event_site((u16)i);
    m->self_share = vm.window_self ? m->self * 1000 / vm.window_self : 0;
    (void)method_compile((u16)number, T2, why, detail);
}

static u32 share_of(const struct method *m) { return vm.window_self ? m->self * 1000 / vm.window_self : 0; }

/* Nearly always nothing: that is found out first, as each reading asks about each method. */
static void decide_about(u32 number)
{
    struct method *m = &vm.method[number];
    if (m->tier == T0) {
        if (m->heat >= HEAT_T1)
            (void)method_compile((u16)number, T1, WHY_EMIT, m->heat);
        return;
    }
    if (m->tier == T1) {
        if (m->self >= SELF_T2 && share_of(m) >= SHARE_T2)
            compile2_for(number, WHY_SELF, m->self << 16 | share_of(m));
        return;
    }
    if (!m->virtuals && !vm.version[m->version].inlined && m->self < SELF_DOUBLED)
        return; /* without guards, and without sites that want settling */
    const u32 site = guards_fail(&vm.version[m->version]);
    if (site) {
        struct site *s = &vm.site[site - 1];
        for (u32 k = 0; k < s->targets; k++)
            s->count[k] = s->since[k]; /* what was before is of no use any more */
        s->other = 0;
        compile2_for(number, WHY_GUARD, site - 1);
    } else if (settled(number))
        compile2_for(number, WHY_SETTLED, 0);
    else if (m->self >= SELF_SETTLE && m->compiled2 < RETRY && plant(number))
        compile2_for(number, WHY_PLANT, 0);
    else if (m->self >= SELF_DOUBLED && m->self_share && share_of(m) >= 2 * m->self_share && m->compiled2 < 3)
        compile2_for(number, WHY_DOUBLED, share_of(m));
}

/* The test mode: RINEXT before each virtual call that is seen often enough, until there are enough directed samples. */
static void decide_direct(void)
{
    for (u32 i = 0; i < vm.sites; i++) {
        struct site *s = &vm.site[i];
        const u32 wanted = s->is_virtual && s->n >= DIRECT_SITES && s->directed < DIRECT_ALL;
        if (s->planted == wanted)
            continue;
        if (!wanted)
            unplant(i);
        s->planted = (u8)wanted;
        (void)method_compile(s->method, T1, wanted ? WHY_PLANT : WHY_SETTLED, i);
    }
}

void decide(void)
{
    if (vm.mode == T1_DIRECT)
        decide_direct();
    if (vm.mode != RI)
        return;
    for (u32 i = 0; i < vm.methods; i++)
        decide_about(i);
    for (; vm.windows; vm.windows--) {
        struct site *s = &vm.site[vm.windowed[vm.windows - 1]];
        s->window = 0;
        for (u32 k = 0; k < s->targets; k++)
            s->since[k] = 0;
    }
}

/* ---- by counters ----------------------------------------------------------------------------------------------- */

/* The receiver caches become what sites know. */
static void take_caches(u32 number)
{
    for (u32 i = vm.method[number].site0 - 1u; i < sites_end(number); i++) {
        struct site *s = &vm.site[i];
        if (!s->is_virtual)
            continue;
        forget(s);
        for (u32 k = 0; k < 2; k++) {
            if (!s->klass[k])
                continue;
            s->target[s->targets] = s->klass[k]->method[s->slot];
            s->count[s->targets++] = (u32)s->seen[k];
            s->n += (u32)s->seen[k];
        }
        s->other = (u32)s->others;
        s->n += s->other;
    }
}

void triggered(u64 number)
{
    struct method *m = &vm.method[number];
    if (vm.mode == T1_COUNTER) /* measures what counting costs */
        return;
    if (m->tier == T0) {
        m->counter = COUNT_T2;
        (void)method_compile((u16)number, T1, WHY_COUNT, 0);
        return;
    }
    take_caches((u32)number);
    m->guard_count = GUARD_COUNT;
    compile2_for((u32)number, m->tier == T1 ? WHY_COUNT : WHY_GUARD, 0);
}

/* The class in vm.receiver is in neither place of the site's cache. */
void receiver_slow(u64 site)
{
    struct site *s = &vm.site[site];
    for (u32 k = 0; k < 2; k++)
        if (!s->klass[k]) {
            s->klass[k] = (struct klass *)vm.receiver;
            s->seen[k] = 1;
            return;
        }
    s->others++;
}
