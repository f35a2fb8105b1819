/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles: interval, ring of taken branches, program flow tracer (specification 2.2, 2.3, 2.6, 2.7). Random
   programs are "executed" by throwing dice at each conditional branch; what completed is known exactly, and what the
   walk makes of the ring must be its end. */
#include "ri/profile/decoded.h"
#include "ri/profile/pmc.h"
#include "ri/profile/ring.h"
#include "tests/unit/ep_world.h"
#include "tests/unit/ep_example.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- interval --------------------------------------------------------------------------------------------------- */

static void ep_27_draws_are_those_of_the_vector(void **state)
{
    static const uint64_t wanted[2][6] = {{9726, 9928, 10487, 10131, 10569, 9852},
                                          {10527, 10318, 10046, 10076, 10575, 9422}};
    (void)state;
    for (unsigned cpu = 0; cpu < 2; cpu++) {
        struct ep_pmc pmc;
        ep_pmc_init(&pmc, 10007, 625, 1, cpu);
        for (unsigned i = 0; i < 6; i++) {
            assert_int_equal(pmc.interval, wanted[cpu][i]);
            ep_pmc_restart(&pmc);
        }
    }
}

static void ep_25_draws_are_uniform(void **state)
{
    enum { D = 12, DRAWS = 1000000, VALUES = 2 * D + 1 };
    struct ep_pmc pmc;
    unsigned seen[VALUES] = {0};
    double mean = 0, chi = 0;
    (void)state;
    ep_pmc_init(&pmc, 100, D, 7, 0);
    for (unsigned i = 0; i < DRAWS; i++) {
        assert_in_range(pmc.interval, 100 - D, 100 + D);
        seen[pmc.interval - (100 - D)]++;
        mean += (double)pmc.interval / DRAWS;
        ep_pmc_restart(&pmc);
    }
    assert_true(fabs(mean - 100) <= 4 * sqrt((VALUES * VALUES - 1) / 12.0 / DRAWS));
    for (unsigned i = 0; i < VALUES; i++) {
        const double e = (double)DRAWS / VALUES;
        assert_true(seen[i]);
        chi += (seen[i] - e) * (seen[i] - e) / e;
    }
    assert_true(chi < 51.18); /* 24 degrees of freedom, p = 0.001 */
}

static void ep_22_23_24_each_interval_ends_once(void **state)
{
    struct ep_pmc pmc;
    uint64_t expired = 0;
    (void)state;
    ep_pmc_init(&pmc, 5, 0, 1, 0);
    for (unsigned i = 1; i <= 15; i++) {
        expired = 0;
        assert_int_equal(ep_pmc_event(&pmc, &expired), i % 5 == 0);
        assert_int_equal(expired, i % 5 ? 0 : 5);
    }
    assert_int_equal(pmc.total, 15);
}

static void ep_25_28_90_intervals_that_are_none(void **state)
{
    (void)state;
    assert_false(ep_interval_valid(0, 0));
    assert_true(ep_interval_valid(1, 0));
    assert_false(ep_interval_valid(7, 1));
    assert_true(ep_interval_valid(8, 1));
    assert_true(ep_interval_valid(10007, 1250));
    assert_false(ep_interval_valid(10007, 1251));
    assert_false(ep_interval_valid(UINT64_C(1) << 63, 0));
    assert_true(ep_prime(2) && ep_prime(619) && ep_prime(10007) && ep_prime(UINT64_C(18446744073709551557)));
    assert_false(ep_prime(0) || ep_prime(1) || ep_prime(10000) || ep_prime(561) || ep_prime(UINT64_C(3215031751)));
}

/* ---- ring ------------------------------------------------------------------------------------------------------- */

static struct ep_entry entry(unsigned kind, uint64_t from, uint64_t to)
{
    return (struct ep_entry){.from = at(from), .to = at(to), .kind = (uint8_t)kind};
}

static void ep_11_12_13_16_the_newest_are_kept_in_order(void **state)
{
    struct ep_ring ring;
    struct ep_entry out[EP_RING_MOST(4)];
    struct ep_sample s;
    (void)state;
    assert_int_equal(ep_ring_create(&ring, 4), 0);
    ep_ring_start(&ring, at(0x100), 0);
    for (unsigned n = 1; n <= 7; n++) {
        const struct ep_entry e = entry(EP_TRANSFER, n > 5 ? 5 : n, 0x200); /* the last three are the same branch */
        ep_ring_put(&ring, &e);
        for (unsigned again = 0; again < 2; again++) { /* reading changes nothing */
            ep_ring_read(&ring, out, &s);
            assert_int_equal(s.count, n < 4 ? n : 4);
            assert_int_equal(s.origin_valid, n <= 4);
            for (unsigned i = 0; i < s.count; i++) {
                const unsigned k = n - s.count + i + 1;
                assert_int_equal(out[i].from.address, k > 5 ? 5 : k);
            }
        }
    }
    ep_ring_destroy(&ring);
}

/* Gaps do not count towards the size; of several-target sites nothing crowds branches out, and what was overwritten is
   said. */
static void ep_12_36_gaps_and_executes(void **state)
{
    struct ep_ring ring;
    struct ep_entry out[EP_RING_MOST(2)];
    struct ep_sample s;
    (void)state;
    assert_int_equal(ep_ring_create(&ring, 2), 0);
    ep_ring_start(&ring, at(0), 0);
    static const uint8_t kinds[] = {EP_CALL, EP_GAP, EP_EXEC, EP_RETURN, EP_EXEC, EP_GAP, EP_TRANSFER, EP_EXEC};
    for (unsigned i = 0; i < sizeof kinds; i++) {
        const struct ep_entry e = entry(kinds[i], i, i);
        ep_ring_put(&ring, &e);
    }
    ep_ring_read(&ring, out, &s);
    assert_false(s.origin_valid || s.cut);
    assert_int_equal(s.count, 7); /* from the gap on: two taken branches */
    for (unsigned i = 0; i < s.count; i++)
        assert_int_equal(out[i].kind, kinds[i + 1]);
    for (unsigned i = 0; i < EP_RING_EXECS(2); i++) {
        const struct ep_entry e = entry(EP_EXEC, 100 + i, 0);
        ep_ring_put(&ring, &e);
    }
    ep_ring_read(&ring, out, &s);
    assert_true(s.cut); /* the one behind the newest branch is gone, too */
    assert_int_equal(s.count, EP_RING_EXECS(2));
    assert_int_equal(out[0].from.address, 100);
    ep_ring_destroy(&ring);
}

static void ep_90_sizes_that_are_none(void **state)
{
    struct ep_ring ring;
    (void)state;
    assert_int_equal(ep_ring_create(&ring, 0), -EINVAL);
    assert_int_equal(ep_ring_create(&ring, EP_TRACE_MOST + 1), -EINVAL);
}

/* ---- the example of section 3.2 --------------------------------------------------------------------------------- */

static const uint8_t figure[] = {0xa7, 0x59, 0x00, 0x03, 0xa7, 0x29, 0x00, 0x01, 0xa7, 0x39, 0x00, 0x01, 0xa7, 0x49,
                                 0x00, 0x02, 0xec, 0x24, 0x00, 0x04, 0x05, 0x7e, 0x07, 0x00, 0xa7, 0x31, 0x00, 0x01,
                                 0xa7, 0x74, 0x00, 0x04, 0xa7, 0x4b, 0x00, 0x05, 0xb9, 0x02, 0x00, 0x44, 0xa7, 0x84,
                                 0x00, 0x0c, 0xb9, 0x04, 0x00, 0x64, 0xec, 0x62, 0x00, 0x04, 0x00, 0x7d, 0x07, 0x00,
                                 0xa7, 0x2b, 0x00, 0x02, 0xa7, 0x57, 0xff, 0xea, 0xa7, 0x29, 0x00, 0x00, 0x0a, 0x01};

/* Outcomes of the 15 branches. */
static const char figure_taken[] = "TTNTTTTNTTNTNTN";

static struct world *figure_world(unsigned tbt, struct ep_rules rules, uint64_t base)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    memcpy(w->code, figure, sizeof figure);
    w->size = sizeof figure;
    world_begin(w, tbt, rules, base, all);
    return w;
}
/* One more instruction; *next is the number of the next branch. False: it was the SVC. */
static bool figure_step(struct world *w, unsigned *next)
{
    struct dis_insn insn;
    uint8_t bytes[6] = {0};
    uint64_t changed;
    assert_true(fetch(w, at(w->ia), bytes, &changed));
    dis_decode(bytes, &insn);
    const bool branch = ep_edge_branches(dis_edge_class(&insn)), taken = branch && figure_taken[(*next)++] == 'T';
    const int64_t offset = insn.bytes[0] == 0xec ? insn.ri3 : insn.i2;
    const bool more = insn.row != DIS_SVC;
    instruction(w, &insn, insn.length, false, taken, w->ia + (uint64_t)offset);
    return more;
}

static const struct ep_rules usual = {.cbt = 4, .walk_limit = EP_WALK_LIMIT, .append_nt = true};

/* The last trace is that of the document's table; all of them are compared with what completed (AT-2). */
static void ep_1_2_6_22_37_39_figure_3(void **state)
{
    static const uint64_t wanted[4] = {0x1001c, 0x10028, 0x10030, 0x1003c};
    (void)state;
    struct world *w = figure_world(4, usual, 5);
    unsigned next = 0, instructions = 1;
    while (figure_step(w, &next))
        instructions++;
    assert_int_equal(instructions, 34);
    assert_int_equal(w->unit.pmc.total, 15);
    assert_int_equal(w->samples, 3);
    assert_int_equal(w->dropped[EP_ACCEPTED], 3);
    struct ep_sample s = {.trigger = {.at = at(0x1003c), .event = 15, .branch = true}};
    struct ep_path path;
    ep_ring_read(&w->unit.ring, w->unit.entries, &s);
    assert_int_equal(ep_walk(w->walker, &s, &path), EP_ACCEPTED);
    assert_int_equal(path.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(path.step[i].from.address, wanted[i]);
        assert_int_equal(path.step[i].taken, i == 0 || i == 2);
    }
    assert_int_equal(path.step[3].to.address, 0x10040);
    world_end(w);
}

/* The whole of it: from what is executed to the file of the specification's example. */
static void ep_22_23_50_53_the_example_from_the_program_to_the_file(void **state)
{
    const struct ep_code code = {.fetch = NULL};
    const struct ep_space space = {.kind = EP_SPACE_PRIMARY};
    const struct ep_module module = {.start = BASE, .end = BASE + 0x48, .name = "ex"};
    const struct ep_function function = {.start = BASE, .end = BASE + 0x48, .name = "_start"};
    struct ep_collector c;
    struct ep_profile *profile = ep_profile_new();
    char error[600];
    (void)state;
    assert_non_null(profile);
    struct world *w = figure_world(4, usual, 4);
    ep_collector_begin(&c, profile, &usual);
    for (unsigned i = 0; i <= SPACE; i++) /* spaces have numbers of their own in the profile */
        assert_int_equal(ep_collector_space(&c, &space), 0);
    assert_int_equal(ep_profile_module(profile, &module, NULL), 0);
    assert_int_equal(ep_profile_function(profile, &function, NULL), 0);
    w->collector = &c;
    w->code_of = &code;
    unsigned next = 0;
    while (figure_step(w, &next))
        ;
    assert_int_equal(ep_collector_tell(&c, &w->unit.parameters, &usual, w->unit.pmc.total, "ex"), 0);
    char *text = ep_to_text(profile, error);
    if (!text)
        fail_msg("%s", error);
    assert_string_equal(text, EP_EXAMPLE);
    free(text);
    ep_collector_end(&c);
    ep_profile_free(profile);
    world_end(w);
}

/* A profile of what `w` completes in so many steps, its samples added one by one and by what is kept of stretches. */
static void collect_both(struct world *w, unsigned steps, bool gaps, uint64_t *accepted)
{
    const struct ep_code code = {w, fetch, targets, page};
    const struct ep_space space = {.kind = EP_SPACE_PRIMARY};
    struct ep_collector c[2];
    struct ep_profile *profile[2];
    char error[600], *text[2];
    w->quick_walker = ep_walker_create(&w->rules, &code, EP_RING_MOST(w->unit.parameters.tbt));
    assert_non_null(w->quick_walker);
    w->code_of = &code;
    for (unsigned k = 0; k < 2; k++) {
        profile[k] = ep_profile_new();
        assert_non_null(profile[k]);
        ep_collector_begin(&c[k], profile[k], &w->rules);
        for (unsigned i = 0; i <= SPACE; i++)
            assert_int_equal(ep_collector_space(&c[k], &space), 0);
    }
    w->collector = &c[0];
    w->quick = &c[1];
    for (unsigned i = 0; i < steps; i++) {
        random_step_of(w, gaps);
        if (below(w, 300))
            continue;
        w->changed = ++w->epoch;
        uint8_t *insn = w->code + w->start[below(w, w->starts)];
        if (insn[0] == 0x18) /* another register: traces over it are of no use */
            insn[1] ^= 1;
    }
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(ep_collector_tell(&c[k], &w->unit.parameters, &w->rules, w->unit.pmc.total, "x"), 0);
        text[k] = ep_to_text(profile[k], error);
        if (!text[k])
            fail_msg("%s", error);
    }
    assert_string_equal(text[0], text[1]);
    *accepted += c[1].accepted;
    for (unsigned k = 0; k < 2; k++) {
        free(text[k]);
        ep_collector_end(&c[k]);
        ep_profile_free(profile[k]);
    }
}

static void ep_32_48_50_53_what_is_kept_of_stretches_adds_up_to_the_same(void **state)
{
    uint64_t accepted = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        const struct ep_rules rules = {.cbt = 6, .walk_limit = seed % 5 ? EP_WALK_LIMIT : 5, .append_nt = seed % 7};
        struct world *w = random_world(seed, 8, rules, seed & 1, all);
        w->biased = true;
        collect_both(w, 2000, seed & 2, &accepted);
        world_end(w);
    }
    /* so many changes that there is no room for all that was kept */
    struct world *w =
        random_world(3, 8, (struct ep_rules){.cbt = 6, .walk_limit = EP_WALK_LIMIT, .append_nt = true}, false, all);
    collect_both(w, 100000, false, &accepted);
    world_end(w);
    assert_true(accepted > 10000);
}

static void ep_40_without_the_trigger_it_ends_with_a_taken_branch(void **state)
{
    struct ep_rules rules = usual;
    struct ep_path path;
    (void)state;
    rules.append_nt = false;
    struct world *w = figure_world(4, rules, 100);
    unsigned next = 0;
    while (figure_step(w, &next))
        ;
    struct ep_sample s = {.trigger = {.at = at(0x1003c), .event = 15, .branch = true}};
    ep_ring_read(&w->unit.ring, w->unit.entries, &s);
    assert_int_equal(ep_walk(w->walker, &s, &path), EP_ACCEPTED);
    assert_int_equal(path.count, 4);
    assert_int_equal(path.step[3].from.address, 0x10030);
    assert_true(path.step[3].taken);
    world_end(w);
}

/* An interruption between any two instructions, from which the program goes on (i) where it was, (ii) at L9. */
static void ep_19_38_an_interruption_between_any_two_instructions(void **state)
{
    (void)state;
    for (unsigned place = 0; place < 34; place++)
        for (unsigned elsewhere = 0; elsewhere < 2; elsewhere++) {
            struct ep_rules rules = usual;
            rules.short_is = EP_SHORT_KEEP;
            struct world *w = figure_world(8, rules, 1);
            unsigned next = 0;
            for (unsigned i = 0;; i++) {
                if (i == place)
                    gap(w, elsewhere ? 0x10040 : w->ia);
                if (!figure_step(w, &next))
                    break;
            }
            assert_int_equal(w->dropped[EP_ACCEPTED], w->samples);
            assert_true(elsewhere || w->samples == 15);
            world_end(w);
        }
}

/* ---- what is wrong ---------------------------------------------------------------------------------------------- */

/* The trace of the figure's last sample, one thing changed. */
static enum ep_drop damaged(unsigned which)
{
    struct world *w = figure_world(4, usual, 100);
    unsigned next = 0;
    while (figure_step(w, &next))
        ;
    struct ep_sample s = {.trigger = {.at = at(0x1003c), .event = 15, .branch = true}};
    struct ep_path path;
    ep_ring_read(&w->unit.ring, w->unit.entries, &s);
    switch (which) {
    case 0:
        w->code[0x30] = 0x18; /* bc4 is no branch */
        break;
    case 1:
        w->code[0x33]++; /* ... it goes elsewhere */
        break;
    case 2:
        memcpy(w->code + 0x28, "\xa7\xf4\x00\x02", 4); /* an unconditional branch is on the way */
        break;
    case 3:
        memcpy(w->code + 0x2c, "\x18\x12\xa7\x08", 4); /* the next instruction is in the midst of one */
        break;
    case 4:
        w->size = 0x38; /* it goes on behind the end */
        break;
    case 5:
        w->changed = 1; /* the code is another one since */
        break;
    case 6:
        w->unit.entries[s.count - 1].from.mode = EP_31;
        break;
    case 7:
        w->unit.entries[s.count - 1].from.space++;
        break;
    case 8:
        s.trigger.at.address = 0x10030; /* lies before the place where the newest branch went */
        break;
    default:
        break;
    }
    const enum ep_drop drop = ep_walk(w->walker, &s, &path);
    world_end(w);
    return drop;
}

static void ep_42_43_88_checks(void **state)
{
    static const uint8_t wanted[] = {EP_DROP_IMAGE, EP_DROP_IMAGE, EP_DROP_FLOW, EP_DROP_FLOW, EP_DROP_UNMAPPED,
                                     EP_DROP_SMC,   EP_DROP_FLOW,  EP_DROP_FLOW, EP_DROP_FLOW};
    (void)state;
    for (unsigned i = 0; i < sizeof wanted; i++)
        if (damaged(i) != wanted[i])
            fail_msg("case %u: '%s'", i, ep_drop_name(damaged(i)));
    assert_int_equal(damaged(99), EP_ACCEPTED);
}

/* What goes wrong before the part that is kept does no harm. */
static void ep_43_what_is_left_is_used(void **state)
{
    (void)state;
    struct ep_rules rules = usual;
    rules.cbt = 2;
    struct world *w = figure_world(8, rules, 100);
    unsigned next = 0;
    while (figure_step(w, &next))
        ;
    struct ep_sample s = {.trigger = {.at = at(0x1003c), .event = 15, .branch = true}};
    struct ep_path path;
    ep_ring_read(&w->unit.ring, w->unit.entries, &s);
    w->unit.entries[2].from.address += 2;
    assert_int_equal(ep_walk(w->walker, &s, &path), EP_ACCEPTED);
    assert_int_equal(path.count, 2);
    world_end(w);
}

/* ---- random programs -------------------------------------------------------------------------------------------- */
/* AT-1, AT-2, AT-11 by events: with every branch as the trigger each trace is the end of what completed, and none is
   dropped. */
static void ep_t2_14_15_20_36_37_45_46_random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct ep_rules rules = {.cbt = 1 + seed % 16, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
        struct world *w = random_world(seed, 16, rules, true, all);
        for (unsigned i = 0; i < 3000; i++)
            random_step_of(w, seed & 1);
        assert_int_equal(w->samples, w->count);
        if (w->dropped[EP_ACCEPTED] != w->samples)
            for (unsigned d = 1; d < EP_DROPS; d++)
                if (w->dropped[d])
                    fail_msg("seed %u: %u of %u: %s", (unsigned)seed, (unsigned)w->dropped[d], (unsigned)w->samples,
                             ep_drop_name(d));
        world_end(w);
    }
}

/* The same with instructions as triggers. */
static void ep_41_58_instructions_as_triggers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct ep_rules rules = {.cbt = 1 + seed % 15, .event = EP_EVENT_INSN, .walk_limit = EP_WALK_LIMIT};
        struct world *w = random_world(seed, 16, rules, true, all);
        for (unsigned i = 0; i < 2000; i++)
            random_step_of(w, false);
        assert_int_equal(w->dropped[EP_ACCEPTED], w->samples);
        world_end(w);
    }
}

/* The target program is only a part of what is executed: ranges of addresses, the problem state. Execution crosses
   their borders by branches, by gaps and by going straight on. */
static void ep_7_10_18_38_a_part_of_the_program(void **state)
{
    uint64_t samples = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        const struct ep_rules rules = {.cbt = 1 + seed % 16,
                                       .event = seed % 3 ? EP_EVENT_BRANCH : EP_EVENT_INSN,
                                       .walk_limit = EP_WALK_LIMIT,
                                       .append_nt = true};
        const struct ep_range range[2] = {{BASE + seed % 40, BASE + 100 + seed % 40},
                                          {BASE + 150 + seed % 50, BASE + 280 + seed % 30}};
        const struct ep_filter filter = {
            .problem = true, .supervisor = seed & 1, .range = seed & 2 ? range : NULL, .ranges = seed & 2 ? 2 : 0};
        struct world *w = random_world(seed, 32, rules, true, filter);
        for (unsigned i = 0; i < 3000; i++) {
            random_step_of(w, true);
            if (below(w, 50) == 0) { /* an interruption, or the return from one */
                gap(w, w->problem ? anywhere(w) : w->ia);
                w->problem = !w->problem;
            }
        }
        samples += w->dropped[EP_ACCEPTED];
        for (unsigned d = EP_ACCEPTED + 1; d < EP_DROP_SHORT; d++)
            if (w->dropped[d])
                fail_msg("seed %u: %u of %u: %s", (unsigned)seed, (unsigned)w->dropped[d], (unsigned)w->samples,
                         ep_drop_name(d));
        world_end(w);
    }
    assert_true(samples > 100000);
}

/* Code that changes under way: traces are dropped or right. */
static void ep_65_code_that_changes(void **state)
{
    uint64_t dropped = 0, accepted = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct ep_rules rules = {.cbt = 8, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
        struct world *w = random_world(seed, 8, rules, false, all);
        for (unsigned i = 0; i < 3000; i++) {
            random_step_of(w, false);
            uint8_t *insn = &w->code[w->start[below(w, w->starts - 1)]];
            if (below(w, 60) == 0 && insn[0] == 0xa7 && (insn[1] & 15) == 4) {
                insn[1] ^= 0xf0; /* a branch on another condition, always or never */
                w->changed = ++w->epoch;
            }
        }
        dropped += w->dropped[EP_DROP_SMC];
        accepted += w->dropped[EP_ACCEPTED];
        assert_int_equal(w->dropped[EP_ACCEPTED] + w->dropped[EP_DROP_SMC] + w->dropped[EP_DROP_SHORT], w->samples);
        world_end(w);
    }
    assert_true(dropped > 1000 && accepted > 1000);
}

/* A walker that keeps what it has decoded finds what one does that reads everything again: with gaps, execute-type
   instructions and code that changes under way, for each kind of event and weight. */
static void ep_44_65_what_is_kept_changes_nothing(void **state)
{
    uint64_t dropped = 0, accepted = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct ep_rules rules = {.cbt = 1 + seed % 15, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
        rules.event = seed & 1 ? EP_EVENT_BRANCH : EP_EVENT_INSN;
        rules.weigh = seed & 1 ? EP_NORM_NONE : seed % 3;
        struct world *w = random_world(seed, 16, rules, true, all);
        const struct ep_code code = {w, fetch, targets, NULL};
        w->biased = true;
        w->other = ep_walker_create(&rules, &code, EP_RING_MOST(16));
        assert_non_null(w->other);
        for (unsigned i = 0; i < 2000; i++) {
            random_step_of(w, seed & 2);
            uint8_t *insn = &w->code[w->start[below(w, w->starts - 1)]];
            if (below(w, 400) == 0 && insn[0] == 0xa7 && (insn[1] & 15) == 4) {
                insn[1] ^= 0xf0;
                w->changed = ++w->epoch;
            }
        }
        dropped += w->dropped[EP_DROP_SMC];
        accepted += w->dropped[EP_ACCEPTED];
        world_end(w);
    }
    assert_true(dropped > 1000 && accepted > 100000);
}

/* Pages that look alike in all but one of address, space and mode are told apart; the changed one is read again, one
   that is not counted always, and so is an instruction that crosses into another page. */
struct pages {
    uint8_t byte;
    uint64_t changed;
    bool counted;
    unsigned fetched;
};
static bool pages_fetch(void *context, struct ep_place place, uint8_t bytes[6], uint64_t *changed)
{
    struct pages *p = context;
    memcpy(bytes, place.address % EP_PAGE == EP_PAGE - 2 ? "\xa7\x18" : "\x18\x00", 2);
    bytes[1] = (uint8_t)(p->byte + place.space + place.mode + place.address / EP_PAGE);
    *changed = p->changed;
    p->fetched++;
    return true;
}
static bool pages_page(void *context, struct ep_place place, uint64_t *changed)
{
    const struct pages *p = context;
    (void)place;
    *changed = p->changed;
    return p->counted;
}
static void ep_44_65_pages_are_told_apart(void **state)
{
    struct pages p = {.counted = true};
    const struct ep_code code = {.context = &p, .fetch = pages_fetch, .page = pages_page};
    (void)state;
    struct ep_decoder *d = ep_decoder_create(&code, false);
    assert_non_null(d);
    for (unsigned round = 0; round < 4; round++) {
        p.changed = round == 2;
        p.byte = round == 2 ? 50 : 0;
        p.counted = round != 3;
        p.fetched = 0;
        ep_decoder_look(d);
        for (unsigned n = 0; n < 3 * 10 * 2; n++) { /* modes, pages, spaces */
            const struct ep_place place = {n / 3 % 10 * EP_PAGE + 8, n / 30, (uint8_t)(n % 3)};
            uint64_t changed = 99;
            const struct ep_decoded *insn = ep_decoder_read(d, place, &changed);
            assert_non_null(insn);
            assert_int_equal(insn->bytes[1], p.byte + n / 30 + n % 3 + n / 3 % 10);
            assert_int_equal(changed, p.changed);
        }
        assert_true(round == 1 ? p.fetched < 30 : p.fetched == 60);
    }
    for (unsigned n = 1; n <= 3; n++) {
        const struct ep_place place = {EP_PAGE - 2, 0, EP_64};
        uint64_t changed;
        p.counted = true;
        p.fetched = 0;
        assert_non_null(ep_decoder_read(d, place, &changed));
        assert_int_equal(p.fetched, 1);
    }
    ep_decoder_destroy(d);
}

/* ---- the origin ------------------------------------------------------------------------------------------------- */

/* From BASE on: BRC, LR, BRC, none of them taken; J to 32, where BRC and BRC, not taken, follow. */
static void from_origin(struct ep_rules rules, uint64_t changed, const struct ep_sample *s, enum ep_drop drop,
                        const char *wanted)
{
    static const uint8_t first[] = {0xa7, 0x84, 0, 8, 0x18, 0x12, 0xa7, 0x44, 0, 8, 0xa7, 0xf4, 0, 11};
    static const uint8_t second[] = {0xa7, 0x24, 0, 8, 0xa7, 0x14, 0, 8, 0x07, 0xfe};
    static struct world w;
    const struct ep_code code = {&w, fetch, targets, page};
    struct ep_path path;
    char text[80] = "";
    w = (struct world){.size = 64, .changed = changed};
    memcpy(w.code, first, sizeof first);
    memcpy(w.code + 32, second, sizeof second);
    struct ep_walker *walker = ep_walker_create(&rules, &code, 8);
    assert_non_null(walker);
    assert_int_equal(ep_walk(walker, s, &path), drop);
    for (unsigned i = 0; !drop && i < path.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d%c ", (int)(path.step[i].from.address - BASE),
                 path.step[i].taken ? 'T' : 'N');
    assert_string_equal(text, drop ? "" : wanted);
    ep_walker_destroy(walker);
}

static void ep_20_45_the_walk_begins_at_the_origin(void **state)
{
    struct ep_rules rules = {.cbt = 8, .event = EP_EVENT_BRANCH, .walk_limit = 100, .append_nt = true};
    struct ep_entry jump = entry(EP_TRANSFER, BASE + 10, BASE + 32);
    struct ep_sample s = {.trigger = {.at = at(BASE + 36), .event = 5, .branch = true},
                          .origin = at(BASE),
                          .origin_epoch = 1,
                          .origin_valid = true,
                          .count = 1,
                          .entry = &jump};
    (void)state;
    jump.epoch = 2;
    from_origin(rules, 1, &s, EP_ACCEPTED, "0N 6N 10T 32N 36N ");
    s.origin = at(BASE + 4); /* behind the first one, in front of an instruction that is none */
    from_origin(rules, 1, &s, EP_ACCEPTED, "6N 10T 32N 36N ");
    s.origin = at(BASE + 10); /* at the taken one */
    from_origin(rules, 1, &s, EP_ACCEPTED, "10T 32N 36N ");
    s.origin = at(BASE);
    rules.cbt = 2; /* the newest are kept whatever it goes back to */
    from_origin(rules, 1, &s, EP_ACCEPTED, "32N 36N ");
    rules.cbt = 8;
    s.origin_valid = false;
    from_origin(rules, 1, &s, EP_DROP_SHORT, NULL);
    s.origin_valid = true; /* the code before the jump has changed since, that behind it has not */
    from_origin(rules, 2, &s, EP_DROP_SMC, NULL);
    rules.short_is = EP_SHORT_KEEP;
    from_origin(rules, 2, &s, EP_ACCEPTED, "10T 32N 36N ");
    rules.short_is = EP_SHORT_AUTO;
    s.origin_epoch = 0; /* not known: code that has ever changed is not trusted */
    from_origin(rules, 1, &s, EP_DROP_SMC, NULL);
    from_origin(rules, 0, &s, EP_ACCEPTED, "0N 6N 10T 32N 36N ");
    s.origin = at(BASE + 12); /* in the middle of it */
    from_origin(rules, 0, &s, EP_DROP_FLOW, NULL);
    s.origin = at(BASE); /* no taken branch at all */
    s.count = 0;
    s.trigger.at = at(BASE + 6);
    from_origin(rules, 0, &s, EP_ACCEPTED, "0N 6N ");
    s.trigger.at = at(BASE + 36); /* the jump is passed */
    from_origin(rules, 0, &s, EP_DROP_FLOW, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_20_45_the_walk_begins_at_the_origin),
        cmocka_unit_test(ep_27_draws_are_those_of_the_vector),
        cmocka_unit_test(ep_25_draws_are_uniform),
        cmocka_unit_test(ep_22_23_24_each_interval_ends_once),
        cmocka_unit_test(ep_25_28_90_intervals_that_are_none),
        cmocka_unit_test(ep_11_12_13_16_the_newest_are_kept_in_order),
        cmocka_unit_test(ep_12_36_gaps_and_executes),
        cmocka_unit_test(ep_90_sizes_that_are_none),
        cmocka_unit_test(ep_1_2_6_22_37_39_figure_3),
        cmocka_unit_test(ep_22_23_50_53_the_example_from_the_program_to_the_file),
        cmocka_unit_test(ep_32_48_50_53_what_is_kept_of_stretches_adds_up_to_the_same),
        cmocka_unit_test(ep_40_without_the_trigger_it_ends_with_a_taken_branch),
        cmocka_unit_test(ep_19_38_an_interruption_between_any_two_instructions),
        cmocka_unit_test(ep_42_43_88_checks),
        cmocka_unit_test(ep_43_what_is_left_is_used),
        cmocka_unit_test(ep_t2_14_15_20_36_37_45_46_random_programs),
        cmocka_unit_test(ep_41_58_instructions_as_triggers),
        cmocka_unit_test(ep_7_10_18_38_a_part_of_the_program),
        cmocka_unit_test(ep_65_code_that_changes),
        cmocka_unit_test(ep_44_65_what_is_kept_changes_nothing),
        cmocka_unit_test(ep_44_65_pages_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
