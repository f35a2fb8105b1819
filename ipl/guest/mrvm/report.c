/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run-time says: one record in a line, key=value. What happens during a run is kept and told at its end, so
   that no supervisor call falls between two readings. */
#include "vm.h"

static char line[2800];
static u32 used;

static const char *const modes[MODES] = {"none-i",   "none-b",     "counter", "counter-g", "ri",   "oracle",
                                         "t1-plain", "t1-counter", "t1-ri",   "t1-direct", "exact"};
static const char *const progs[PROGS] = {"shapes", "phase", "flat", "twin", "tiny"};
static const char *const tiers[] = {"T0", "T1", "T2"};
static const char *const kinds[] = {"unknown", "mono", "bi", "mega"};
static const char *const whys[] = {"start", "emit", "count", "self", "guard", "doubled", "plant", "settled"};

const char *mode_name(u32 mode) { return modes[mode]; }
const char *prog_name(u32 prog) { return progs[prog]; }

void line_text(const char *text)
{
    while (*text && used < sizeof line - 1)
        line[used++] = *text++;
}

void line_begin(const char *word)
{
    used = 0;
    line_text(word);
}

static void digits(u64 value, u64 base, u32 least)
{
    char text[24];
    u32 n = 24;
    do
        text[--n] = "0123456789abcdef"[value % base];
    while ((value /= base) || 24 - n < least);
    while (n < 24 && used < sizeof line - 1)
        line[used++] = text[n++];
}

static void key_of(const char *key)
{
    line_text(" ");
    line_text(key);
    line_text("=");
}

void line_number(const char *key, u64 value)
{
    key_of(key);
    digits(value, 10, 1);
}

void line_hex(const char *key, u64 value)
{
    key_of(key);
    line_text("0x");
    digits(value, 16, 1);
}

void line_word(const char *key, const char *word)
{
    key_of(key);
    line_text(word);
}

void line_hundredths(const char *key, u64 value)
{
    key_of(key);
    digits(value / 100, 10, 1);
    line_text(".");
    digits(value % 100, 10, 2);
}

/* Per mille as percent with a decimal. */
static void percent(u64 permille)
{
    digits(permille / 10, 10, 1);
    line_text(".");
    digits(permille % 10, 10, 1);
}

void line_end(void) { (void)service(SVC_WRITE, (u64)line, used, 0); }

/* ---- while it runs --------------------------------------------------------------------------------------------- */

static struct event *event(u32 kind)
{
    struct event *e = &vm.event[vm.events];
    if (vm.events == EVENTS - 1) {
        vm.unlogged++;
        return e;
    }
    vm.events++;
    e->kind = (u8)kind;
    e->it = vm.iteration;
    e->insn = instructions() - vm.start;
    return e;
}

void event_tier(u16 number, u8 from, u8 to, u8 why, u32 detail, u32 bytes)
{
    struct event *e = event(EVENT_TIER);
    const struct version *v = &vm.version[vm.method[number].version];
    e->method = number;
    e->from = from;
    e->to = to;
    e->what = why;
    e->a = detail;
    e->b = bytes;
    e->count = v->inlined > 4 ? 4 : v->inlined;
    for (u32 i = 0; i < e->count; i++) {
        e->name[i] = v->guard_target[i][0];
        e->records[i] = vm.site[v->guard_site[i]].bci;
    }
    if (vm.marks)
        (void)service(SVC_MARK, (u64)number << 8 | to, 0, 0);
}

void event_site(u16 number)
{
    struct site *s = &vm.site[number];
    u32 share[2];
    u16 target[2];
    const u32 n = site_targets(s, target, share), kind = site_kind(s);
    if (kind == SITE_UNKNOWN || (kind == s->told && target[0] == s->told_target))
        return;
    s->told = (u8)kind;
    s->told_target = target[0];
    struct event *e = event(EVENT_SITE);
    e->method = s->method;
    e->bci = s->bci;
    e->what = (u8)kind;
    e->a = n;
    e->b = share[0];
    e->c = share[1];
    e->name[0] = target[0];
    e->name[1] = target[1];
}

void event_read(const u32 records[8], u32 groups, u32 cost)
{
    struct event *e = event(EVENT_READ);
    e->a = groups;
    e->b = cost;
    for (u32 i = 0; i < 8; i++)
        e->records[i] = records[i];
}

/* ---- at the end ------------------------------------------------------------------------------------------------ */

static const char *name_of(u32 number) { return number < vm.methods ? vm.method[number].name : "-"; }

static void tell_tier(const struct event *e)
{
    line_begin("TIER");
    line_number("it", e->it);
    line_number("insn", e->insn);
    line_number("m", e->method);
    line_word("name", name_of(e->method));
    line_word("from", tiers[e->from]);
    line_word("to", tiers[e->to]);
    line_word("why", whys[e->what]);
    if (e->what == WHY_SELF) {
        line_text(":");
        digits(e->a >> 16, 10, 1);
        line_text("/");
        percent(e->a & 0xffff);
        line_text("%");
    } else if (e->what == WHY_EMIT) {
        line_text(":");
        digits(e->a, 10, 1);
    }
    line_number("bytes", e->b);
    for (u32 i = 0; i < e->count; i++) {
        line_text(i ? "," : " inl=");
        line_text(name_of(e->name[i]));
        line_text("@0x");
        digits(e->records[i], 16, 2);
    }
    line_end();
}

static void tell_site(const struct event *e)
{
    line_begin("SITE");
    line_number("it", e->it);
    line_number("insn", e->insn);
    line_number("m", e->method);
    line_text(" bci=0x");
    digits(e->bci, 16, 2);
    line_number("n", e->a);
    line_word("kind", kinds[e->what]);
    line_word("top", name_of(e->name[0]));
    line_text(":");
    percent(e->b);
    if (e->what == SITE_BI) {
        line_text(",");
        line_text(name_of(e->name[1]));
        line_text(":");
        percent(e->c);
    }
    line_end();
}

static void tell_read(const struct event *e)
{
    static const char *const names[7] = {"emit", "call", "ret", "xfer", "insn", "fill", "stale"};
    line_begin("READ");
    line_number("it", e->it);
    line_number("insn", e->insn);
    line_number("groups", e->a);
    line_number("records", (u64)e->a * RECORDS);
    for (u32 i = 0; i < 7; i++)
        line_number(names[i], e->records[i]);
    line_number("cost", e->b);
    line_end();
}

/* Instructions of an iteration without those for reading groups, which come in every sixth or so. */
static u64 net(u32 it) { return vm.ipi[it] - vm.read_cost[it]; }

static u64 median(u32 from, u32 to)
{
    u64 sorted[ITERATIONS];
    u32 n = to - from;
    for (u32 i = 0; i < n; i++) {
        u32 k = i;
        for (; k && sorted[k - 1] > net(from + i); k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = net(from + i);
    }
    return n ? sorted[n / 2] : 0;
}

/* Reading: a reading costs more than the two percent of an iteration that are allowed, so that with readings in the
   count no program was ever steady. */
/* The first iteration from which `many` successive ones lie within some percent of the median of the last quarter. */
static u32 steady_from(u32 from, u32 to, u32 many, u32 percents, u64 *middle)
{
    u32 run = 0;
    *middle = median(to - (to - from) / 4, to);
    for (u32 i = from; i < to; i++) {
        const u64 d = net(i) > *middle ? net(i) - *middle : *middle - net(i);
        run = d * 100 <= *middle * percents ? run + 1 : 0;
        if (run == many)
            return i + 1 - many;
    }
    return to;
}

static void tell_steady(const char *word, u32 from, u32 to)
{
    u64 middle, insn = 0, near;
    if (to - from < 40)
        return;
    const u32 at = steady_from(from, to, 20, 2, &middle), within = steady_from(from, to, 20, 5, &near);
    for (u32 i = from; i < at; i++)
        insn += vm.ipi[i];
    line_begin(word);
    line_number("it", at - from);
    line_number("insn", insn + (from ? 0 : vm.start_cost));
    line_number("ipi", middle);
    line_number("within5", within - from);
    line_end();
}

static u64 self_of(u32 number) { return vm.method[number].self + vm.method[number].self_before; }

static void tell_hot(void)
{
    u8 told[METHODS] = {0};
    u64 sum = 0;
    for (u32 i = 0; i < vm.methods; i++)
        sum += self_of(i);
    for (u32 rank = 1; rank <= 8 && sum; rank++) {
        u32 best = NO_METHOD;
        for (u32 i = 0; i < vm.methods; i++)
            if (!told[i] && self_of(i) && (best == NO_METHOD || self_of(i) > self_of(best)))
                best = i;
        if (best == NO_METHOD)
            return;
        told[best] = 1;
        line_begin("HOT");
        line_number("rank", rank);
        line_number("m", best);
        line_word("name", name_of(best));
        line_number("samples", self_of(best));
        line_text(" share=");
        percent(self_of(best) * 1000ul / sum);
        line_word("tier", tiers[vm.method[best].tier]);
        line_end();
    }
}

/* Callees of the virtual sites: counted, and by directed samples. */
static void tell_edges(void)
{
    for (u32 i = 0; i < vm.sites; i++) {
        const struct site *s = &vm.site[i];
        if (!s->is_virtual || !s->n)
            continue;
        line_begin("EDGE");
        line_number("m", s->method);
        line_text(" bci=0x");
        digits(s->bci, 16, 2);
        line_word("name", name_of(s->method));
        line_number("n", s->n);
        line_number("directed", s->directed);
        line_word("kind", kinds[site_kind(s)]);
        for (u32 k = 0; k < s->targets; k++) {
            line_text(k ? "," : " to=");
            line_text(name_of(s->target[k]));
            line_text(":");
            digits(s->count[k], 10, 1);
            line_text(":");
            digits(s->share[k], 10, 1);
        }
        line_end();
    }
}

static void tell_ipi(void)
{
    for (u32 i = 0; i < vm.iterations; i++) {
        if (i % 20 == 0) {
            line_begin("IPI");
            line_number("it", i);
            line_text(" v=");
        }
        digits(vm.ipi[i], 10, 1);
        if (i % 20 == 19 || i + 1 == vm.iterations)
            line_end();
        else
            line_text(",");
    }
}

/* Where compiled code stands, for who looks at it from outside. */
static void tell_code(void)
{
    for (u32 i = 1; i < vm.versions; i++) {
        const struct version *v = &vm.version[i];
        if (!v->length || v->tier == T0)
            continue;
        line_begin("CODE");
        line_number("m", v->method);
        line_word("name", name_of(v->method));
        line_hex("start", v->start);
        line_number("bytes", v->length);
        line_word("tier", tiers[v->tier]);
        line_end();
    }
}

void report_end(u64 total, u64 services)
{
    line_begin("MRVM v=1");
    line_word("mode", mode_name(vm.mode));
    line_word("prog", prog_name(vm.prog));
    line_number("iters", vm.iterations);
    line_number("sf", vm.next_sf);
    line_number("rgs", 3);
    line_number("pb", BUFFER_SIZE);
    line_number("seed", vm.seed);
    if (vm.prog == TWIN)
        line_word("space", vm.second ? "B" : "A");
    line_end();
    platform_report();
    if (vm.ri_off) {
        line_begin("RI state=off");
        line_word("why", vm.ri_off);
        line_end();
    }
    for (u32 i = 0; i < vm.events; i++)
        if (vm.event[i].kind == EVENT_TIER)
            tell_tier(&vm.event[i]);
        else if (vm.event[i].kind == EVENT_SITE)
            tell_site(&vm.event[i]);
        else
            tell_read(&vm.event[i]);
    if (vm.prog == PHASE || (vm.prog == TWIN && vm.second)) {
        tell_steady("STEADY", 0, vm.iterations / 2);
        tell_steady("STEADY2", vm.iterations / 2, vm.iterations);
    } else
        tell_steady("STEADY", 0, vm.iterations);
    tell_hot();
    tell_edges();
    tell_code();
    tell_ipi();
    line_begin("END");
    line_number("iters", vm.iterations);
    line_number("insn", total);
    key_of("checksum");
    line_text("0x");
    digits(vm.checksum, 16, 16);
    line_number("groups", vm.groups);
    line_number("lost", vm.lost);
    line_number("stale", vm.stale);
    line_number("reads", vm.readings);
    line_number("readinsn", vm.reading_insn);
    line_number("decideinsn", vm.deciding_insn);
    line_number("compileinsn", vm.compile_insn);
    line_hundredths("overhead", total ? vm.reading_insn * 10000 / total : 0);
    line_number("svc", services);
    line_number("unlogged", vm.unlogged);
    line_end();
}
