/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of the pipeline model (event-counter specification 5.4): those built in, and what the reader refuses; the
   parts that they shape: caches, TLBs, predictor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ri/counters/model/cache.h"
#include "ri/counters/model/decode.h"
#include "ri/counters/model/predict.h"
#include "ri/counters/model/profile.h"
#include "tests/unit/random.h"
#include <string.h>

static int read_text(const char *text, struct ec_profile *p, char why[200])
{
    return ec_profile_read("dir/small.uarch", text, strlen(text), p, why, 200);
}

static void built_in(void **state)
{
    struct ec_profile p;
    uint32_t value;
    (void)state;
    assert_int_equal(ec_profile_built_in("zlarge", &p), 0);
    assert_int_equal(p.ct_entries, 48);
    assert_int_equal(p.predictor, EC_GSHARE);
    assert_int_equal(p.l3_sets * p.l3_ways * p.line, 64 << 20);
    assert_int_equal(p.l1i_sets * p.l1i_ways * p.line, 96 << 10);
    assert_int_equal(ec_profile_built_in("teach", &p), 0);
    assert_int_equal(p.l1d_sets * p.l1d_ways * p.line, 4 << 10);
    assert_true(ec_profile_built_in("other", &p) < 0);
    assert_string_equal(ec_profile_key(&p, 0, &value), "mhz");
    assert_int_equal(value, 1000);
    unsigned keys = 0;
    while (ec_profile_key(&p, keys, &value))
        keys++;
    assert_int_equal(keys, 48);
}

static void files(void **state)
{
    struct ec_profile p, large;
    char why[200];
    (void)state;
    assert_int_equal(read_text("# small\n\nbase        = teach\nct_entries  = 8 # few\r\npredictor   = gshare\n"
                               "history\t= 8\nlat_mem     = 200\nmachine = 3906",
                               &p, why),
                     0);
    assert_int_equal(p.ct_entries, 8);
    assert_int_equal(p.predictor, EC_GSHARE);
    assert_int_equal(p.history, 8);
    assert_int_equal(p.lat_mem, 200);
    assert_int_equal(p.machine, 0x3906);
    assert_int_equal(p.fetch_width, 2);
    assert_string_equal(p.name, "small");
    assert_int_equal(read_text("base = zlarge", &p, why), 0);
    assert_int_equal(ec_profile_built_in("zlarge", &large), 0);
    assert_int_equal(p.l2_sets, large.l2_sets);
    assert_int_equal(read_text("", &p, why), 0);
}

static void refused(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"\nspeed = 3\n", "dir/small.uarch, line 2: unknown key speed; "},
        {"ct_entries = 3", "line 1: not possible: 3; ct_entries is 4 to 256"},
        {"ct_entries = 257", "line 1: not possible: 257; "},
        {"ct_entries = 0x10", "not possible: 0x10; "},
        {"ct_entries = -5", "not possible: -5; "},
        {"ct_entries =", "not possible:; "},
        {"ct_entries = 99999999999", "not possible: 99999999999; "},
        {"ct_entries 16", "line 1: no = behind ct_entries 16; write key = value"},
        {"l1i_sets = 12", "l1i_sets is 1 to 65536, a power of two"},
        {"line = 32", "line is 64 to 256: 64, 128 or 256"},
        {"predictor = oracle", "no predictor: oracle; predictor is bimodal, gshare or tage"},
        {"machine = 39", "no machine type: 39; "},
        {"machine = 39o6", "no machine type: 39o6; "},
        {"machine = 39066", "no machine type: 39066; "},
        {"base = huge", "no such profile: huge; base is teach or zlarge"},
        {"mhz = 5\nbase = teach", "line 2: base behind other keys; put it before them"},
        {"mhz = 5\nmhz = 6", "line 2: a second mhz; leave one of them"},
        {"predictor = gshare\npredictor = gshare", "a second predictor; "},
        {"l3_sets = 64", "l3_sets and l3_ways: one is 0; give both, or none"},
        {"base = zlarge\nl3_ways = 0", "l3_sets and l3_ways: one is 0"},
        {"\x01\x02 = 3", "unknown key ??; "},
    };
    struct ec_profile p, before;
    char why[200];
    (void)state;
    assert_int_equal(ec_profile_built_in("teach", &before), 0);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        p = before;
        assert_true(read_text(cases[i].text, &p, why) < 0);
        if (!strstr(why, cases[i].why))
            fail_msg("%s: %s", cases[i].text, why);
        assert_memory_equal(&p, &before, sizeof p);
    }
    assert_true(ec_profile_read("f", "mhz\0= 5", 7, &p, why, sizeof why) < 0);
    assert_non_null(strstr(why, "f, line 1: a zero byte"));
    char line[400];
    memset(line, 'a', sizeof line);
    assert_true(ec_profile_read("f", line, sizeof line, &p, why, sizeof why) < 0);
    assert_non_null(strstr(why, "the line is too long"));
}

/* Every key: its limits are taken, what is beyond is not. */
static void limits(void **state)
{
    static const struct {
        const char *key;
        uint32_t least, most;
        int rule;
    } keys[] = {
#define ANY                              0
#define POWER                            0
#define POWER0                           0
#define LINE                             0
#define KEY(key, rule, least, most, ...) {#key, least, most, rule},
#include "ri/counters/model/profile.def"
#undef KEY
    };
    struct ec_profile p;
    char why[200], text[100];
    (void)state;
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
        const bool third = strncmp(keys[i].key, "l3_", 3) == 0;
        snprintf(text, sizeof text, "%s = %u", keys[i].key, keys[i].most + 1);
        assert_true(read_text(text, &p, why) < 0);
        snprintf(text, sizeof text, "%s = %u", keys[i].key, keys[i].most);
        assert_true(third || read_text(text, &p, why) == 0);
        snprintf(text, sizeof text, "%s = %u", keys[i].key, keys[i].least);
        assert_true(read_text(text, &p, why) == 0);
        if (keys[i].least) {
            snprintf(text, sizeof text, "%s = %u", keys[i].key, keys[i].least - 1);
            assert_true(read_text(text, &p, why) < 0);
        }
    }
}

/* ---- caches and TLBs: a judge that keeps a list ---------------------------------------------------------------- */

static bool judged(uint64_t *list, unsigned *count, unsigned ways, uint64_t what)
{
    unsigned at = 0;
    while (at < *count && list[at] != what)
        at++;
    const bool hit = at < *count;
    if (!hit && *count < ways)
        at = (*count)++;
    else if (!hit)
        at = ways - 1;
    memmove(list + 1, list, at * sizeof *list);
    list[0] = what;
    return hit;
}

static void ec_216_caches(void **state)
{
    struct ec_cache cache;
    uint64_t list[4][3];
    unsigned count[4] = {0};
    struct random r = seeded(1);
    (void)state;
    assert_int_equal(ec_cache_create(&cache, 4, 3), 0);
    for (unsigned i = 0; i < 20000; i++) {
        const uint64_t line = below(&r, 24);
        const unsigned set = line % 4;
        if (below(&r, 10) == 0) {
            unsigned at = 0;
            while (at < count[set] && list[set][at] != line)
                at++;
            assert_int_equal(ec_cache_remove(&cache, line), at < count[set]);
            if (at < count[set])
                memmove(&list[set][at], &list[set][at + 1], (--count[set] - at) * sizeof list[0][0]);
        } else {
            const bool has = ec_cache_has(&cache, line);
            assert_int_equal(ec_cache_access(&cache, line), judged(list[set], &count[set], 3, line));
            assert_true(ec_cache_has(&cache, line) && (has || i < 20000));
        }
    }
    ec_cache_destroy(&cache);
}

static void ec_219_tlbs(void **state)
{
    struct ec_tlb tlb;
    uint64_t list[13];
    unsigned count = 0, hits = 0;
    struct random r = seeded(2);
    (void)state;
    assert_int_equal(ec_tlb_create(&tlb, 13), 0);
    for (unsigned i = 0; i < 40000; i++) {
        const uint64_t space = below(&r, 3) * 0x1000 + 0x40, page = below(&r, 8) * below(&r, 8);
        if (below(&r, 2000) == 0) {
            ec_tlb_reset(&tlb);
            count = 0;
        }
        const bool hit = judged(list, &count, 13, space << 32 | page);
        assert_int_equal(ec_tlb_has(&tlb, space, page), hit);
        assert_int_equal(ec_tlb_access(&tlb, space, page), hit);
        hits += hit;
    }
    assert_true(hits > 1000 && hits < 39000);
    ec_tlb_destroy(&tlb);
}

/* ---- prediction ------------------------------------------------------------------------------------------------ */

static struct ec_predict predictor(const char *text)
{
    struct ec_profile profile;
    struct ec_predict p;
    char why[200];
    if (read_text(text, &profile, why))
        fail_msg("%s", why);
    assert_int_equal(ec_predict_create(&p, &profile), 0);
    return p;
}

static struct ec_prediction predict(const struct ec_predict *p, const struct ec_branch *b)
{
    return ec_predict_branch(p, &p->past, b);
}

/* EC-214, each line of its table. */
static void ec_214_predictions(void **state)
{
    struct ec_predict p = predictor("ras_entries = 2");
    struct ec_branch b = {.ia = 0x1000, .next = 0x1004, .target = 0x2000, .conditional = true, .relative = true};
    struct ec_prediction is = predict(&p, &b);
    (void)state;
    assert_true(!is.taken && is.target == 0x1004 && !is.btb_hit);
    ec_predict_learn(&p, &b, true, 0x2000);
    is = predict(&p, &b);
    assert_true(is.taken && is.source == EC_FROM_BTB && is.target == 0x2000 && is.btb_hit);
    for (unsigned i = 0; i < 2; i++)
        ec_predict_learn(&p, &b, false, 0);
    is = predict(&p, &b);
    assert_true(!is.taken && is.btb_hit);
    b = (struct ec_branch){.ia = 0x3000, .next = 0x3004, .target = 0x4000, .relative = true};
    is = predict(&p, &b);
    assert_true(is.taken && is.source == EC_FROM_DECODE && is.target == 0x4000);
    b.relative = false;
    is = predict(&p, &b);
    assert_true(!is.taken && is.source == EC_FROM_STALL);
    b.ia = 0x5000;
    b.conditional = true;
    p.pht[0x5000 / 2 % 256] = 3;
    is = predict(&p, &b);
    assert_true(!is.taken && is.source == EC_FROM_NONE && is.target == 0x3004);
    b = (struct ec_branch){.ia = 0x6000, .next = 0x6004, .ret = true};
    assert_int_equal(predict(&p, &b).source, EC_FROM_STALL);
    for (unsigned i = 1; i <= 3; i++) /* the oldest of three is dropped */
        ec_predict_learn(&p, &(struct ec_branch){.ia = 0x100, .next = i, .call = true}, true, 0x6000);
    for (unsigned i = 3; i > 1; i--) {
        is = predict(&p, &b);
        assert_true(is.taken && is.source == EC_FROM_RAS && is.target == i);
        ec_predict_learn(&p, &b, true, i);
    }
    assert_int_equal(predict(&p, &b).source, EC_FROM_BTB);
    ec_predict_destroy(&p);
}

/* EC-212: look-ups do not make an entry recent, taken branches do. */
static void ec_212_targets(void **state)
{
    struct ec_predict p = predictor("btb_sets = 1\nbtb_ways = 2");
    struct ec_branch a = {.ia = 2, .relative = true}, b = {.ia = 4, .relative = true}, c = {.ia = 6, .relative = true};
    (void)state;
    ec_predict_learn(&p, &a, true, 10);
    ec_predict_learn(&p, &b, true, 20);
    assert_true(predict(&p, &a).btb_hit);
    ec_predict_learn(&p, &c, true, 30);
    assert_false(predict(&p, &a).btb_hit);
    ec_predict_learn(&p, &b, true, 21);
    ec_predict_learn(&p, &a, true, 11);
    assert_false(predict(&p, &c).btb_hit);
    assert_int_equal(predict(&p, &b).target, 21);
    ec_predict_destroy(&p);
}

/* A pattern that only history tells: each kind with history learns it, the bimodal one cannot. */
static void ec_213_patterns(void **state)
{
    static const struct {
        const char *text;
        bool learns;
    } kinds[] = {{"predictor = bimodal", false}, {"predictor = gshare\nhistory = 6", true}, {"predictor = tage", true}};
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        struct ec_predict p = predictor(kinds[k].text);
        const struct ec_branch b = {
            .ia = 0x1234, .next = 0x1238, .target = 0x2000, .conditional = true, .relative = true};
        unsigned wrong = 0;
        for (unsigned i = 0; i < 4000; i++) {
            const bool taken = i % 5 == 0 || i % 5 == 2;
            wrong += i >= 2000 && predict(&p, &b).taken != taken;
            ec_predict_learn(&p, &b, taken, 0x2000);
        }
        assert_int_equal(wrong == 0, kinds[k].learns);
        ec_predict_destroy(&p);
    }
}

/* ---- decoding -------------------------------------------------------------------------------------------------- */

static void ec_205_210_211_decoded(void **state)
{
    static const struct {
        const char *line;
        unsigned class, rd, wr, flags;
    } cases[] = {
        {"agr 2,3", EC_ALU, 2, 1, 0},
        {"agr 2,2", EC_ALU, 1, 1, 0},
        {"lgr 2,3", EC_ALU, 1, 1, 0},
        {"la 4,8(5,6)", EC_ALU, 2, 1, 0},
        {"lg 3,0(4,5)", EC_LD, 2, 1, 0},
        {"stg 3,0(4,5)", EC_ST, 3, 0, 0},
        {"cgr 3,4", EC_ALU, 2, 0, 0},
        {"cg 3,0(0,4)", EC_LD, 2, 0, 0},
        {"lmg 6,15,48(15)", EC_LD, 1, 10, 0},
        {"stmg 6,15,48(15)", EC_ST, 10, 0, 0},
        {"mvc 0(8,1),0(2)", EC_SS, 2, 0, 0},
        {"mlgr 2,5", EC_MUL, 2, 2, 0},
        {"dlgr 2,5", EC_DIV, 3, 2, 0},
        {"msgr 2,5", EC_MUL, 2, 1, 0},
        {"ap 0(4,1),0(4,2)", EC_DEC, 2, 0, 0},
        {"adbr 1,2", EC_FLOAT, 0, 0, 0},
        {"ld 1,0(0,3)", EC_LD, 1, 0, 0},
        {"std 1,0(0,3)", EC_ST, 1, 0, 0},
        {"va %v1,%v2,%v3,0", EC_FLOAT, 0, 0, 0},
        {"brctg 1,0x2000", EC_BR, 1, 1, EC_OP_BRANCH | EC_OP_CONDITIONAL | EC_OP_RELATIVE},
        {"brc 15,0x2000", EC_BR, 0, 0, EC_OP_BRANCH | EC_OP_RELATIVE},
        {"bcr 15,14", EC_BR, 1, 0, EC_OP_BRANCH | EC_OP_RETURN},
        {"bcr 8,14", EC_BR, 1, 0, EC_OP_BRANCH | EC_OP_CONDITIONAL},
        {"bcr 15,0", EC_SERIALISE, 0, 0, EC_OP_SERIAL},
        {"bcr 14,0", EC_SERIALISE, 0, 0, EC_OP_SERIAL},
        {"bcr 13,0", EC_ALU, 0, 0, 0},
        {"brasl 14,0x2000", EC_BR, 0, 1, EC_OP_BRANCH | EC_OP_RELATIVE | EC_OP_CALL},
        {"basr 14,0", EC_ALU, 0, 1, 0},
        {"cs 1,2,0(3)", EC_ST, 3, 1, 0},
        {"lpswe 0(4)", EC_SERIALISE, 1, 0, EC_OP_SERIAL | EC_OP_DRAIN},
        {"ptlb", EC_OTHER, 0, 0, EC_OP_PURGE},
    };
    struct ec_profile p;
    (void)state;
    assert_int_equal(ec_profile_built_in("teach", &p), 0);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[8] = {0};
        char why[160];
        struct ec_op op;
        if (dis_assemble(cases[i].line, 0x1000, bytes, why, sizeof why) < 0)
            fail_msg("%s: %s", cases[i].line, why);
        ec_decode(&p, bytes, &op);
        if (op.class != cases[i].class || op.reg_rd != cases[i].rd || op.reg_wr != cases[i].wr ||
            op.flags != cases[i].flags)
            fail_msg("%s: %s, %u read, %u written, flags %x", cases[i].line, ec_class_name(op.class), op.reg_rd,
                     op.reg_wr, op.flags);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in),        cmocka_unit_test(files),
        cmocka_unit_test(refused),         cmocka_unit_test(limits),
        cmocka_unit_test(ec_216_caches),   cmocka_unit_test(ec_219_tlbs),
        cmocka_unit_test(ec_212_targets),  cmocka_unit_test(ec_214_predictions),
        cmocka_unit_test(ec_213_patterns), cmocka_unit_test(ec_205_210_211_decoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
