/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On-line analyser of exception trace: rules as text, what they measure and what they do (specification 5.8, ET-95,
   ET-96). */
#include "tests/unit/et_random.h"
#include "ri/trace/decode.h"
#include "ri/trace/rules/rules.h"

/* A machine that puts out everything with times, and has the rules in `lines`, a line each. */
static struct et_rules *ruled(struct rig *r, const char *lines)
{
    char why[300], line[300];
    struct et_rules *rules = et_rules_new();
    assert_non_null(rules);
    rig_begin(r, 1, true);
    for (const char *end; *lines; lines = end + (*end == '\n')) {
        end = strchr(lines, '\n') ? strchr(lines, '\n') : lines + strlen(lines);
        snprintf(line, sizeof line, "%.*s", (int)(end - lines), lines);
        if (et_rules_line(rules, line, why, sizeof why)) {
            print_error("%s\n", why);
            fail();
        }
    }
    assert_null(et_rules_attach(rules, r->machine, why, sizeof why));
    set(r, ETTS, 0x11);
    set(r, ETCR, 0x4030341);
    return rules;
}
static uint64_t fired(const struct et_rules *rules, unsigned index)
{
    struct et_rule_view view;
    assert_true(et_rules_view(rules, index, &view));
    return view.fired;
}
static void ended(struct rig *r, struct et_rules *rules)
{
    et_rules_free(rules);
    rig_end(r);
}
static void visit(struct rig *r, uint64_t time, unsigned number, uint64_t length)
{
    take(r, time, ET_SVC, number, 0x100);
    back(r, time + length, 0x100);
}

static void et_96_count(void **state)
{
    struct rig r;
    struct et_rules *rules = ruled(&r, "rule a: when count(svc) >= 3 do mark 77\n"
                                       "rule b: when count(0x102) = 2 do alert\n"
                                       "rule c: when count(external) > 0 do stop");
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        visit(&r, 10 * i, i & 1 ? 2 : 1, 5);
        assert_int_equal(fired(rules, 0), i >= 2); /* once: it stays true */
        assert_int_equal(fired(rules, 1), i >= 3);
    }
    visit(&r, 90, 2, 5);
    visit(&r, 99, 2, 5);
    assert_int_equal(fired(rules, 1), 1);
    assert_int_equal(r.alerts, 1);
    assert_int_equal(r.stops, 0);
    take(&r, 100, ET_EXTERNAL, 0x1004, 0x100);
    assert_int_equal(r.stops, 1);
    et_finish(r.machine);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    bool marked = false;
    for (size_t i = 1; i < b.size; i++)
        marked |= b.at[i - 1] == ET_H_MARK && b.at[i] == 77;
    assert_true(marked);
    bytes_free(&b);
    ended(&r, rules);
}

/* Windows begin with the first event. More than so many: at once; less: when the window is over. */
static void et_96_rate(void **state)
{
    struct rig r;
    struct et_rules *rules = ruled(&r, "rule many: when rate(svc) > 2 per 100 ticks do alert\n"
                                       "rule few: when rate(svc) < 2 per 100 ticks do mark 1\n"
                                       "rule some: when count(all) >= 2 per 100 ticks do stop");
    static const struct {
        uint64_t time;
        unsigned many, few, some;
    } steps[] = {{1000, 0, 0, 0}, {1010, 0, 0, 1}, {1050, 1, 0, 1}, {1060, 1, 0, 1}, /* one window */
                 {1100, 1, 0, 1}, {1190, 1, 0, 2},                                   /* the next has two */
                 {1200, 1, 0, 2},                                                    /* one */
                 {1350, 1, 1, 2},                                                    /* told when it is over */
                 {1360, 1, 1, 3}, {1370, 2, 1, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        visit(&r, steps[i].time, 1, 0);
        assert_int_equal(fired(rules, 0), steps[i].many);
        assert_int_equal(fired(rules, 1), steps[i].few);
        assert_int_equal(fired(rules, 2), steps[i].some);
    }
    assert_int_equal(r.alerts, 2);
    assert_int_equal(r.stops, 3);
    ended(&r, rules);
}

static void et_96_latency_gross_depth(void **state)
{
    struct rig r;
    struct et_rules *rules = ruled(&r, "rule late: when latency(io) > 40 do mode reference\n"
                                       "rule long: when gross(svc) >= 100 do mark 2\n"
                                       "rule deep: when depth >= 2 do mark 3");
    (void)state;
    et_request(r.machine, 0, ET_IO, 5, NULL, false);
    take(&r, 40, ET_IO, 5, 0x100);
    assert_int_equal(fired(rules, 0), 0);
    back(&r, 50, 0x100);
    et_request(r.machine, 0, ET_IO, 5, NULL, false);
    take(&r, 91, ET_IO, 5, 0x100);
    assert_int_equal(fired(rules, 0), 1);
    assert_string_equal(r.mode, "reference");
    back(&r, 92, 0x100);
    visit(&r, 200, 1, 99);
    assert_int_equal(fired(rules, 1), 0);
    visit(&r, 300, 1, 100);
    visit(&r, 500, 1, 101); /* each of them */
    assert_int_equal(fired(rules, 1), 2);
    take(&r, 700, ET_SVC, 1, 0x100);
    assert_int_equal(fired(rules, 2), 0);
    take(&r, 700, ET_SVC, 1, 0x200);
    take(&r, 700, ET_SVC, 1, 0x300);
    assert_int_equal(fired(rules, 2), 1); /* it stays deep */
    back(&r, 701, 0x300);
    back(&r, 701, 0x200);
    take(&r, 702, ET_SVC, 1, 0x200);
    assert_int_equal(fired(rules, 2), 2); /* deep again */
    ended(&r, rules);
}

static void et_96_lost(void **state)
{
    struct rig r;
    struct et_rules *rules = ruled(&r, "rule loss: when lost > 5 do set buffer=20 drain=0; alert");
    (void)state;
    set(&r, ETBF, UINT64_C(0x4000010007));
    for (unsigned i = 0; i < 40; i++)
        visit(&r, 10 * i, 1, 5);
    assert_int_equal(fired(rules, 0), 0); /* nobody has been told yet */
    r.instructions = 1024 * 1000;
    visit(&r, 1000, 1, 5);
    assert_int_equal(fired(rules, 0), 1);
    assert_int_equal(r.alerts, 1);
    assert_true(et_read(r.cpu, ETBF) == UINT64_C(0x4000000014));
    ended(&r, rules);
}

/* `set' is one change of all its keys, by the rules that hold for the operator. */
static void et_96_set(void **state)
{
    struct rig r;
    struct et_rule_view view;
    struct et_rules *rules = ruled(&r, "rule less: when count(all) > 1\n"
                                       "  do set events=entry omit=on timestamps=off; mark 9\n"
                                       "rule wrong: when count(svc) > 2 do set figure-mode=on info=on");
    (void)state;
    visit(&r, 10, 1, 5);
    assert_int_equal(et_read(r.cpu, ETFR) & 1, 0);
    visit(&r, 20, 1, 5);
    assert_int_equal(et_read(r.cpu, ETFR) & 1, 1);
    assert_int_equal(et_read(r.cpu, ETCR) >> 4 & 15, 1);
    assert_int_equal(et_read(r.cpu, ETTS) & 3, 0);
    assert_true(et_rules_view(rules, 0, &view));
    assert_string_equal(view.name, "less");
    assert_null(view.refused);
    et_flush(r.cpu); /* numbers are omitted now: of all interruptions, none is known to be an SVC */
    visit(&r, 30, 1, 5);
    visit(&r, 40, 1, 5);
    assert_int_equal(fired(rules, 1), 0);
    set(&r, ETFR, 0x1a1e0000);
    visit(&r, 50, 1, 5);
    visit(&r, 60, 1, 5);
    assert_true(et_rules_view(rules, 1, &view));
    assert_int_equal(view.fired, 1);
    assert_non_null(view.refused);
    assert_non_null(strstr(view.refused, "figure-mode"));
    assert_int_equal(et_read(r.cpu, ETFR) >> 24 & 1, 0);
    assert_false(et_rules_view(rules, 2, &view));
    ended(&r, rules);
}

/* What a rule's own actions put out does not make it go round and round. */
static void et_96_no_circles(void **state)
{
    struct rig r;
    struct et_rules *rules = ruled(&r, "rule round: when count(all) >= 0 per 1 ticks do mark 5; set merge.timeout=3");
    (void)state;
    visit(&r, 10, 1, 5);
    visit(&r, 20, 1, 5);
    assert_true(fired(rules, 0) >= 2 && fired(rules, 0) < 10);
    ended(&r, rules);
}

static void et_96_refused_text(void **state)
{
    static const char *const lines[][2] = {
        {"a: when depth > 1 do stop", "begins with `rule NAME:'"},
        {"rule : when depth > 1 do stop", "begins with `rule NAME:'"},
        {"rule a when depth > 1 do stop", "`:' and `when'"},
        {"rule a: when width > 1 do stop", "`width' is not"},
        {"rule a: when count > 1 do stop", "parentheses"},
        {"rule a: when count() > 1 do stop", "neither a number"},
        {"rule a: when count(0x200) > 1 do stop", "neither a number"},
        {"rule a: when count(svcs) > 1 do stop", "`svcs'"},
        {"rule a: when count(svc > 1 do stop", "not closed"},
        {"rule a: when depth ~ 1 do stop", "an operator"},
        {"rule a: when depth > many do stop", "`many' is no number"},
        {"rule a: when depth > 1 per 0 ticks do stop", "not 0"},
        {"rule a: when depth > 1 per 5 do stop", "`ticks'"},
        {"rule a: when depth > 1 per 5 ticks do stop", "only rate"},
        {"rule a: when rate(svc) > 1 do stop", "per N ticks"},
        {"rule a: when depth > 1 stop do ", "`do' is missing"},
        {"rule a: when depth > 1 do ", "`' is not"},
        {"rule a: when depth > 1 do dance", "`dance' is not"},
        {"rule a: when depth > 1 do mark", "mark wants"},
        {"rule a: when depth > 1 do mode", "mode wants"},
        {"rule a: when depth > 1 do mode ;", "mode wants"},
        {"rule a: when depth > 1 do set", "set wants"},
        {"rule a: when depth > 1 do set omit", "wants a value"},
        {"rule a: when depth > 1 do set colour=red", "no key `colour'"},
        {"rule a: when depth > 1 do set omit=maybe", "maybe"},
        {"rule a: when depth > 1 do stop stop", "stands where"},
        {"rule a: when depth > 1 do stop;", "`' is not"},
        {"rule a: when depth > 1 do mark 1;mark 2;mark 3;mark 4;mark 5;mark 6;mark 7;mark 8;mark 9", "more than 8"},
        {"do stop", "behind no rule"},
    };
    char why[300], line[700];
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct et_rules *rules = et_rules_new();
        if (!et_rules_line(rules, lines[i][0], why, sizeof why)) {
            print_error("%s\n", lines[i][0]);
            fail();
        }
        if (!strstr(why, lines[i][1]))
            print_error("%s\n%s\n", lines[i][0], why);
        assert_non_null(strstr(why, lines[i][1]));
        et_rules_free(rules);
    }
    struct et_rules *rules = et_rules_new();
    assert_null(et_rules_line(rules, "# words", why, sizeof why));
    assert_null(et_rules_line(rules, "  ", why, sizeof why));
    assert_null(et_rules_line(rules, "rule a: when depth > 1 do stop", why, sizeof why));
    assert_non_null(et_rules_line(rules, "rule a: when depth > 2 do stop", why, sizeof why)); /* twice */
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = 0;
    assert_non_null(et_rules_line(rules, line, why, sizeof why));
    assert_null(et_rules_line(rules, "rule b: when depth > 2", why, sizeof why));
    assert_non_null(et_rules_line(rules, "rule c: when depth > 2 do stop", why, sizeof why));
    struct rig r;
    rig_begin(&r, 1, false);
    assert_non_null(et_rules_attach(rules, r.machine, why, sizeof why)); /* b is not complete */
    et_rules_free(rules);
    rig_end(&r);
}

/* ---- in the process and from the file
 * ---------------------------------------------------------------------------------- */

/* Sums over all events: what is the same when the events are. */
struct sums {
    uint64_t events, time, gross, self, depth, latency, kinds;
};
static void summed(void *context, const struct et_event *e)
{
    struct sums *s = context;
    if (e->kind > ET_K_MARK)
        return;
    s->events++;
    s->kinds = s->kinds * 31 + e->kind * 7 + e->en;
    s->time += e->time;
    s->depth += e->depth;
    s->gross += e->durations && !(e->flags & ET_E_IMPLIED) ? e->gross : 0; /* not of what never ended */
    s->self += e->durations && !(e->flags & ET_E_IMPLIED) ? e->self : 0;
    s->latency += e->latency_known ? e->latency : 0;
}
static void diagnosed(void *context, const struct et_diagnostic *d)
{
    (void)context;
    print_error("D%02u %s\n", d->code, d->text);
}
static void heard(void *context, struct et_cpu *cpu, bool timing, const uint8_t *bytes, size_t size)
{
    uint8_t header[ET_CHUNK_HEADER] = {0x5a, 0x43, (uint8_t)et_cpu_source(cpu), timing};
    put32(header + 4, (uint32_t)size);
    et_decoder_push(context, header, sizeof header);
    et_decoder_push(context, bytes, size);
}

/* The decoder behind the unit and the one behind the file tell the same events, and their durations are the tracker's.
 */
static void et_84_95_the_same_numbers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        static const uint8_t file[ET_FILE_HEADER] = {'Z', 'E', 'T', 'C', 1, 0, 0, 0, 0, 0, 0, 1};
        struct rig r;
        struct sums inside = {0}, outside = {0};
        const struct et_decoder_options options = {.strict = true};
        const struct et_decoder_calls calls[2] = {{.context = &inside, .event = summed, .diagnostic = diagnosed},
                                                  {.context = &outside, .event = summed, .diagnostic = diagnosed}};
        struct et_decoder *decoder[2] = {et_decoder_new(&calls[0], &options), et_decoder_new(&calls[1], &options)};
        struct history h = {.state = seed * UINT64_C(0x9e3779b97f4a7c15), .rig = {&r}, .address = 0x1000};
        rig_begin(&r, 1, true);
        assert_non_null(decoder[0]);
        assert_non_null(decoder[1]);
        et_decoder_push(decoder[0], file, sizeof file);
        const struct et_listener listener = {.context = decoder[0], .put = heard};
        assert_true(et_listen(r.machine, &listener));
        set(&r, ETTS, 0x11 + seed % 2);
        set(&r, ETFR, seed % 3 ? 0x1afe0000 : 0x1afe000e);
        set(&r, ETCR, 0x4030741);
        for (unsigned i = 0; i < 500; i++)
            any_step(&h);
        uint64_t gross = 0, self = 0;
        for (unsigned en = 0; en < ET_NUMBERS; en++) {
            gross += et_count(r.cpu, en)->gross;
            self += et_count(r.cpu, en)->self;
        }
        assert_int_equal(et_finish(r.machine), 0);
        et_decoder_end(decoder[0]);
        et_decoder_push(decoder[1], r.file.at, r.file.size);
        et_decoder_end(decoder[1]);
        assert_memory_equal(&inside, &outside, sizeof inside);
        struct et_decoder_sums sums;
        et_decoder_sums(decoder[1], &sums);
        assert_true(inside.events > 100);
        assert_int_equal(sums.diagnostics, 0);
        assert_int_equal(inside.gross, gross);
        assert_int_equal(inside.self, self);
        et_decoder_free(decoder[0]);
        et_decoder_free(decoder[1]);
        rig_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_96_count),
        cmocka_unit_test(et_96_rate),
        cmocka_unit_test(et_96_latency_gross_depth),
        cmocka_unit_test(et_96_lost),
        cmocka_unit_test(et_96_set),
        cmocka_unit_test(et_96_no_circles),
        cmocka_unit_test(et_96_refused_text),
        cmocka_unit_test(et_84_95_the_same_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
