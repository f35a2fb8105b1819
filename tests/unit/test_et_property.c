/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What units put out of random histories with random configurations, read back (ET-55, ET-58, ET-60, ET-67). */
#include "tests/unit/et_random.h"
#include "ri/trace/decode.h"

#define EVENTS_MAX 2000u

struct heard {
    unsigned count, diagnostics;
    struct et_event event[EVENTS_MAX];
};

static void event(void *context, const struct et_event *e)
{
    struct heard *h = context;
    if (e->kind > ET_K_MARK || e->flags & ET_E_IMPLIED)
        return;
    assert_true(h->count < EVENTS_MAX);
    h->event[h->count++] = *e;
}
/* Levels 1 to 3 are looked at: D12 to D15 are of nesting, which a stream that leaves something out has in part only. */
static void diagnostic(void *context, const struct et_diagnostic *d)
{
    if (d->code >= 12 && d->code <= 15)
        return;
    print_error("D%02u at %u: %s\n", d->code, (unsigned)d->offset, d->text);
    ((struct heard *)context)->diagnostics++;
}
static struct heard *read_back(const struct rig *r)
{
    struct heard *h = calloc(1, sizeof *h);
    const struct et_decoder_calls calls = {.context = h, .event = event, .diagnostic = diagnostic};
    const struct et_decoder_options options = {.strict = true};
    struct et_decoder *d = et_decoder_new(&calls, &options);
    assert_non_null(h);
    assert_non_null(d);
    assert_int_equal(et_decoder_push(d, r->file.at, r->file.size), 0);
    et_decoder_end(d);
    et_decoder_free(d);
    return h;
}

/* The event `e' of the full stream is the one that was put out as `o' with configuration `c'. */
static bool same(const struct et_config *c, const struct et_event *o, const struct et_event *e)
{
    const unsigned shift = (unsigned)ET_GET(c, ETTS, SHIFT);
    const bool merged = ET_GET(c, ETFR, MERGE) && o->kind == ET_K_EXIT; /* it may have the time of its partner */
    const bool numbered = o->kind <= ET_K_SIGNAL && o->en_known;
    if (o->kind != e->kind || (numbered && o->en != e->en))
        return false;
    if ((o->kind == ET_K_STATE || o->kind == ET_K_MARK) && o->value != e->value)
        return false;
    if (o->kind == ET_K_SIGNAL && (o->flags ^ e->flags) & ET_E_WITHDRAWN)
        return false;
    if (o->kind <= ET_K_RETURN && !ET_GET(c, ETFR, FIG) && (o->flags ^ e->flags) & ET_E_FRC)
        return false;
    if (ET_GET(c, ETFR, ADDRO) && o->old_known && o->old_address != e->old_address)
        return false;
    if (ET_GET(c, ETFR, ADDRR) && o->return_known && o->return_address != e->return_address)
        return false;
    return merged || !o->time_known || ET_GET(c, ETTS, TSM) == ET_TSM_OFF || o->time >> shift == e->time >> shift;
}

static void et_55_60_67_random(void **state)
{
    uint64_t all = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct rig direct, full;
        struct history h = {.state = seed * UINT64_C(0xd1342543de82ef95), .rig = {&direct, &full}, .address = 0x1000};
        const struct et_config c = any_config(&h);
        struct et_config downstream = c;
        struct et_accounts a;
        ET_PUT(&downstream, ETCR, DS, 1);
        rig_begin(&direct, 1, true);
        rig_begin(&full, 1, true);
        assert_null(et_configure(direct.cpu, &c, ET_BY_START));
        assert_null(et_configure(full.cpu, &downstream, ET_BY_START));
        for (unsigned i = 0; i < 300; i++) {
            any_step(&h);
            et_accounts(direct.cpu, &a);
            assert_int_equal(a.detected, a.filtered + a.emitted + a.lost);
        }
        assert_int_equal(et_finish(direct.machine), 0);
        assert_int_equal(et_finish(full.machine), 0);
        et_accounts(direct.cpu, &a);
        struct heard *out = read_back(&direct), *every = read_back(&full);
        if (out->diagnostics || every->diagnostics || out->count != a.emitted)
            print_error("seed %u: ETCR %x ETFR %llx: %u events, %u emitted\n", (unsigned)seed, (unsigned)c.reg[ETCR],
                        (unsigned long long)c.reg[ETFR], out->count, (unsigned)a.emitted);
        assert_int_equal(out->diagnostics, 0);
        assert_int_equal(every->diagnostics, 0);
        assert_int_equal(out->count, a.emitted);
        assert_int_equal(every->count, a.detected);
        unsigned at = 0; /* in order, each is one of those that there were */
        for (unsigned i = 0; i < out->count; i++, at++) {
            while (at < every->count && !same(&c, &out->event[i], &every->event[at]))
                at++;
            if (at == every->count)
                print_error("seed %u: event %u of %u is none that there was\n", (unsigned)seed, i, out->count);
            assert_true(at < every->count);
        }
        all += out->count;
        free(out);
        free(every);
        rig_end(&direct);
        rig_end(&full);
    }
    assert_true(all > 10000);
}

/* No more than four zeros outside of SYNC and END. */
static void et_58_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct rig r;
        struct history h = {.state = seed * UINT64_C(0xd1342543de82ef95), .rig = {&r}, .address = 0};
        struct et_config c = any_config(&h);
        ET_PUT(&c, ETBF, SYNCPER, 0); /* SYNC in the beginning only */
        rig_begin(&r, 1, true);
        assert_null(et_configure(r.cpu, &c, ET_BY_START));
        for (unsigned i = 0; i < 300; i++)
            any_step(&h);
        assert_int_equal(et_finish(r.machine), 0);
        struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
        unsigned zeros = 0;
        for (size_t i = 30; i + 30 < b.size; i++) {
            zeros = b.at[i] ? 0 : zeros + 1;
            assert_true(zeros <= 4);
        }
        bytes_free(&b);
        rig_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_55_60_67_random),
        cmocka_unit_test(et_58_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
