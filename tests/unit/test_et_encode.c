/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encoder of exception trace: formats, merging, compression, figure mode, order of decisions (specification 3.3 to 3.9,
   ET-31 to ET-53), by events. */
#include "tests/unit/et_harness.h"
#include "ri/trace/encode.h"

/* An encoder whose bytes are kept; `room` says how often there is still room. */
struct encoder {
    struct et_encoder e;
    struct bytes events, timing;
    unsigned room;
};
static bool room(void *context, size_t events, size_t timing)
{
    struct encoder *x = context;
    (void)events;
    (void)timing;
    if (x->room && x->room != UINT32_MAX)
        x->room--;
    return x->room;
}
static void put(void *context, const uint8_t *events, size_t size, const uint8_t *timing, size_t timing_size)
{
    struct encoder *x = context;
    bytes_add(&x->events, events, size);
    bytes_add(&x->timing, timing, timing_size);
}
static void begin(struct encoder *x, const struct et_config *config)
{
    memset(x, 0, sizeof *x);
    x->room = UINT32_MAX;
    const struct et_way way = {x, room, put};
    et_encoder_init(&x->e, 0, &way);
    et_encoder_configure(&x->e, config);
    et_encoder_start(&x->e, 0);
    assert_true(x->events.size > 0);
}
/* What came since the last look is `wanted`. */
static void came(struct encoder *x, const char *wanted)
{
    assert_bytes(x->events.at, x->events.size, wanted);
    x->events.size = 0;
}
static void end(struct encoder *x)
{
    bytes_free(&x->events);
    bytes_free(&x->timing);
}
static struct et_config config(uint64_t etfr)
{
    struct et_config c;
    et_config_reset(&c);
    c.reg[ETFR] = UINT64_C(0x1a1e0000) ^ etfr;
    ET_PUT(&c, ETCR, ENABLE, 1);
    return c;
}

#define TC     1u
#define LA     2u
#define FORCED 4u
static void tell(struct encoder *x, enum et_what what, unsigned en, unsigned flags, uint64_t time)
{
    et_encoder_event(
        &x->e,
        &(struct et_occurrence){
            .what = what, .en = (uint16_t)en, .tc = flags & TC, .la = flags & LA, .frc = flags & FORCED, .time = time});
}
/* "E1 E2 X2.t R1": E, X, R, S and W with a hexadecimal number; .t .l .f are TC, LA, FRC; @20 sets the time. */
static void play(struct encoder *x, const char *words)
{
    uint64_t time = 0;
    for (const char *c = words; *c;) {
        char *after;
        const char letter = *c++;
        if (letter == ' ')
            continue;
        const unsigned long number = strtoul(c, &after, 16);
        unsigned flags = 0;
        c = after;
        while (*c == '.') {
            flags |= c[1] == 't' ? TC : c[1] == 'l' ? LA : FORCED;
            c += 2;
        }
        if (letter == '@')
            time = number;
        else if (letter == 'S' || letter == 'W')
            et_encoder_event(
                &x->e, &(struct et_occurrence){
                           .what = ET_W_SIGNAL, .en = (uint16_t)number, .withdrawn = letter == 'W', .time = time});
        else
            tell(x,
                 letter == 'E'   ? ET_W_ENTRY
                 : letter == 'X' ? ET_W_EXIT
                                 : ET_W_RETURN,
                 (unsigned)number, flags, time);
    }
}
/* With ETFR (xor its reset value) the events become these bytes, SYNC and CFG put aside. */
static void becomes(uint64_t etfr, const char *words, const char *wanted)
{
    struct encoder x;
    const struct et_config c = config(etfr);
    const struct et_limits limits = {.host_clock = true};
    assert_null(et_config_wrong(&c, &limits));
    begin(&x, &c);
    x.events.size = 0;
    play(&x, words);
    came(&x, wanted);
    end(&x);
}

#define OMIT     UINT64_C(0x1)
#define PREVIOUS UINT64_C(0x2)
#define STACK    UINT64_C(0x4)
#define FIFO     UINT64_C(0x6)
#define RED      UINT64_C(0x8)
#define SUPPRESS UINT64_C(0x10)
#define OFFSET   UINT64_C(0x20)
#define MERGE    UINT64_C(0x40)
#define TAIL     UINT64_C(0x80)
#define TCE      UINT64_C(0x200000)
#define TCX      UINT64_C(0x400000)
#define LAE      UINT64_C(0x800000)
#define FIGURE   UINT64_C(0x1000000)
#define BASE(n)  ((uint64_t)(n) << 8)

#define A3 "E1 E2 X2 R1 X1 R0"
#define A6 "E1 E2 X2.t E3.t X3 R1 X1 R0"

/* ---- formats ------------------------------------------------------------------------------------------------------
 */

static void et_31_full(void **state)
{
    struct encoder x;
    const struct et_config c = config(0);
    (void)state;
    begin(&x, &c);
    for (unsigned en = 0; en < 512; en++)
        for (unsigned fn = 1; fn <= 3; fn++) {
            const uint8_t wanted[] = {0x0e, (uint8_t)en, (uint8_t)(fn << 4 | en >> 8)};
            x.events.size = 0;
            tell(&x, (enum et_what)fn, en, 0, 0);
            if (x.events.size != 3) { /* a SYNC was due */
                assert_true(x.events.size > 30);
                memmove(x.events.at, x.events.at + x.events.size - 3, 3);
            }
            assert_memory_equal(x.events.at, wanted, 3);
        }
    end(&x);
}

static void et_32_merged(void **state)
{
    struct encoder x;
    const struct et_config c = config(MERGE);
    (void)state;
    begin(&x, &c);
    for (unsigned left = 0; left < 512; left += left == 254 ? 1 : 7)
        for (unsigned to = 0; to < 512; to += to == 253 ? 2 : 11) {
            const uint8_t wanted[] = {0x0f, (uint8_t)left, (uint8_t)to, (uint8_t)((to >> 8) << 1 | left >> 8)};
            x.events.size = 0;
            tell(&x, ET_W_EXIT, left, 0, 0);
            tell(&x, ET_W_RETURN, to, 0, 0);
            assert_true(x.events.size == 4 || x.events.size > 30);
            assert_memory_equal(x.events.at + x.events.size - 4, wanted, 4);
        }
    end(&x);
}

static void et_34_merged_tail(void **state)
{
    (void)state;
    becomes(TAIL | TCE, "X4.t Ed.t", "0f 04 0d 50");
    becomes(TAIL, "X104.t E10d.t", "0f 04 0d 53");
    becomes(TAIL | RED, "X4.t Ed.t", "0f 04 0d 50");
    becomes(TAIL, "X4 R10d", "0f 04 0d 02");
    becomes(MERGE | TCX, "X4.t Ed.t", "0e 04 60 0e 0d 10");
}

static void et_33_34_red2(void **state)
{
    (void)state;
    becomes(MERGE | RED, "X4 Rd", "11 4d");
    becomes(MERGE | RED, "X4 R10", "0f 04 10 00");
    becomes(MERGE | RED | OFFSET | BASE(0x100), "X104 R10f", "11 4f");
    becomes(MERGE | RED | OFFSET | BASE(0x100), "X104 R110", "0f 04 10 03");
}

static void et_35_36_37_flags(void **state)
{
    (void)state;
    becomes(0, A6, "0e0110 0e0210 0e0220 0e0310 0e0320 0e0130 0e0120 0e0030");
    becomes(TCE, A6, "0e0110 0e0210 0e0220 0e0350 0e0320 0e0130 0e0120 0e0030");
    becomes(TCX, A6, "0e0110 0e0210 0e0260 0e0310 0e0320 0e0130 0e0120 0e0030");
    becomes(TCE | TCX | OMIT, A6, "0d10 0d10 0d60 0d50 0d20 0d30 0d20 0d30");
    becomes(LAE, "E1 E2.l", "0e0110 0e0290");
    becomes(0, "E1 E2.l", "0e0110 0e0210");
    becomes(LAE | RED, "E1.l", "1d91");
    becomes(TCE | RED, "E1.t", "1d51");
    becomes(LAE | PREVIOUS, "E1 E1.l", "0e0110 1590");
    becomes(LAE | FIFO, "E1 E1.l", "0e0110 1990");
    becomes(LAE | OMIT, "E1.l", "0d90");
    becomes(0, "X1.f R101.f", "0e0128 0e0139");
}

static void et_38_omitted(void **state)
{
    (void)state;
    becomes(OMIT, "E101 E2 X2.f R1", "0d10 0d10 0d28 0d30");
    /* it wins over COMP and RED, and MERGE is ignored */
    becomes(OMIT | FIFO | RED | MERGE, A3, "0d10 0d10 0d20 0d30 0d20 0d30");
    becomes(OMIT | RED | SUPPRESS, "E101", "0d10");
}

static void et_39_40_41_reduced(void **state)
{
    (void)state;
    for (unsigned en = 0; en < 16; en++) {
        char words[8], wanted[8];
        snprintf(words, sizeof words, "E%x", en);
        snprintf(wanted, sizeof wanted, "1d1%x", en);
        becomes(RED, words, wanted);
    }
    becomes(RED, "E10 X10 R110", "0e1010 0e1020 0e1031");
    becomes(RED | SUPPRESS, "E10 X10 R110 Ef", "1d1f");
    becomes(RED | OFFSET | BASE(0x50), "E56 E60 E4f E50 E5f", "1d16 0e6010 0e4f10 1d10 1d1f");
    becomes(RED | OFFSET | BASE(0x50) | SUPPRESS, "E56 E60 E4f", "1d16");
    /* REDMAX 5 (15 xor 10); without an offset REDBASE does not matter */
    becomes(RED | UINT64_C(10) << 17, "E5 E6", "1d15 0e0610");
    becomes(RED | BASE(0x50), "E5 E56", "1d15 0e5610");
    /* FRC cannot be carried by it */
    becomes(RED, "X1.f R0.f", "0e0128 0e0038");
}

/* ---- compression ---------------------------------------------------------------------------------------------------
 */

static void et_42_previous(void **state)
{
    (void)state;
    becomes(PREVIOUS, A3, "0e0110 0e0210 1520 0e0130 1520 0e0030");
    becomes(PREVIOUS, "E1 E1 X1.f", "0e0110 1510 1528");
    /* an event that is not put out changes nothing: SIG neither, MERGED counts with its second number */
    becomes(PREVIOUS | MERGE, "E1 X2 R1 X1 R3 E3", "0e0110 0f020100 0f010300 1510");
}

static void et_43_stack(void **state)
{
    (void)state;
    becomes(STACK, "R0 E1 X1 R0", "0e0030 0e0110 1520 1530");
    becomes(STACK, "E1 E1 X1 X1 X1", "0e0110 0e0110 1520 1520 0e0120");
    becomes(STACK | MERGE, "X2 R1 X1 E5", "0f020100 1520 0e0510");
    /* two entries (STKD=1): the bottom is gone */
    becomes(STACK ^ UINT64_C(2) << 27, "E1 E2 E3 X3 X2 X1", "0e0110 0e0210 0e0310 1520 1520 0e0120");
    /* one entry */
    becomes(STACK ^ UINT64_C(3) << 27, "E1 E2 X2 X1", "0e0110 0e0210 1520 0e0120");
    /* 128 entries */
    {
        struct encoder x;
        const struct et_config c = config(STACK ^ UINT64_C(4) << 27);
        begin(&x, &c);
        for (unsigned i = 0; i < 129; i++)
            tell(&x, ET_W_ENTRY, 0x100 + i, 0, 0);
        for (unsigned i = 129; i-- > 0;) {
            x.events.size = 0;
            tell(&x, ET_W_EXIT, 0x100 + i, 0, 0);
            came(&x, i ? "1520" : "0e0021");
        }
        end(&x);
    }
}

static void et_44_fifo(void **state)
{
    (void)state;
    becomes(FIFO, A3, "0e0110 0e0210 1921 1930 1923 0e0030");
    /* two entries: the oldest is overwritten, by every event */
    becomes(FIFO ^ UINT64_C(1) << 25, "E1 E2 E3 X1 X3 X1 X3", "0e0110 0e0210 0e0310 0e0120 1920 1921 1920");
    for (unsigned log = 1; log <= 4; log++) { /* the write position wraps: entry n comes into the place of entry 0 */
        struct encoder x;
        const struct et_config c = config(FIFO ^ (UINT64_C(1) ^ (log - 1)) << 25);
        const unsigned size = 1u << log;
        begin(&x, &c);
        for (unsigned i = 0; i <= size; i++) {
            x.events.size = 0;
            tell(&x, ET_W_ENTRY, i, 0, 0);
            assert_int_equal(x.events.size, 3);
        }
        for (unsigned i = 1; i <= size; i++) { /* each in turn is the oldest, and is written once more */
            char wanted[8];
            x.events.size = 0;
            tell(&x, ET_W_EXIT, i, 0, 0);
            snprintf(wanted, sizeof wanted, "192%x", i % size);
            came(&x, wanted);
        }
        end(&x);
    }
    /* FRC cannot be carried; the number is written all the same */
    becomes(FIFO, "E1 X1.f X1", "0e0110 0e0128 1921");
    becomes(FIFO | MERGE, "E1 X1 R0 X0", "0e0110 0f010000");
    becomes(FIFO | MERGE, "E1 X1 R0 E0 E1", "0e0110 0f010000 1912 1911");
    becomes(FIFO | RED, A3, "1d11 1d12 1921 1930 1923 1d30");
}

/* OMIT and SIG change nothing of the numbers remembered. */
static void et_42_44_signals_change_nothing(void **state)
{
    struct encoder x;
    struct et_config c = config(PREVIOUS);
    (void)state;
    ET_PUT(&c, ETCR, SIG, 1);
    begin(&x, &c);
    x.events.size = 0;
    play(&x, "E1 S2 X1 W102");
    came(&x, "0e0110 220200 1520 220281");
    end(&x);
}

/* ---- figure mode ----------------------------------------------------------------------------------------------------
 */

static void et_46_figure_mode(void **state)
{
    (void)state;
    becomes(FIGURE, A3, "0e0110 0e0210 0e0220 0e0130 0e0120 0e0030");
    becomes(FIGURE | MERGE, A3, "0e0110 0e0210 0f020100 0f010000");
    becomes(FIGURE | OMIT, A3, "0d10 0d10 0d20 0d30 0d20 0d30");
    becomes(FIGURE | RED, A3, "0d11 0d12 0d22 0d31 0d21 0d30");
    becomes(FIGURE | PREVIOUS, A3, "0e0110 0e0210 0d20 0e0130 0d20 0e0030");
    becomes(FIGURE | FIFO, A3, "0e0110 0e0210 0d21 0d30 0d23 0e0030");
    becomes(FIGURE | TCX, A6, "0e0110 0e0210 0e0260 0e0310 0e0320 0e0130 0e0120 0e0030");
    becomes(FIGURE | STACK, "R0 E1 X1 R0", "0e0030 0e0110 0d20 0d30");
    becomes(FIGURE | RED | OFFSET | BASE(80), "E56 E60", "0d16 0e6010");
    /* there are neither LA nor FRC: a forced event is one like all others */
    becomes(FIGURE, "E1.l X1.f", "0e0110 0e0120");
    becomes(FIGURE | FIFO, "E1 X1.f", "0e0110 0d20");
    becomes(FIGURE | MERGE, "X1.f R0.f", "0f010000");
    becomes(FIGURE | MERGE | RED, "X1 R0", "0f010000");
    {
        struct encoder x;
        struct et_config c = config(FIGURE | TCE);
        ET_PUT(&c, ETCR, EVSEL, 1);
        begin(&x, &c);
        assert_int_equal(x.events.at[9], 0x81); /* FLG of SYNC */
        x.events.size = 0;
        play(&x, A6);
        came(&x, "0e0110 0e0210 0e0350");
        end(&x);
    }
}

/* ---- order of decisions: a branch each
 * ------------------------------------------------------------------------------- */

static void et_45_e1_off(void **state)
{
    struct encoder x;
    struct et_config c = config(0);
    (void)state;
    begin(&x, &c);
    et_encoder_stop(&x.e);
    x.events.size = 0;
    play(&x, A3);
    came(&x, "");
    assert_int_equal(x.e.detected, 0);
    end(&x);
}

/* E2: due SYNC comes in front of an event, also of one that is filtered, but waits for a held EXIT. */
static void et_45_54_e2_sync_due(void **state)
{
    struct encoder x;
    struct et_config c = config(MERGE);
    (void)state;
    ET_PUT(&c, ETBF, SYNCPER, 1);
    begin(&x, &c);
    x.events.size = 0;
    while (x.e.events.bytes < 61) { /* SYNC is due at 64 */
        x.events.size = 0;
        play(&x, "E1");
        came(&x, "0e0110");
    }
    play(&x, "X1");
    came(&x, "");
    while (x.e.events.bytes < 64) {
        play(&x, "X1");
        x.events.size = 0;
    }
    play(&x, "R0"); /* the pair is complete */
    came(&x, "0f010000");
    play(&x, "E1"); /* the next event is behind SYNC */
    assert_int_equal(x.events.at[7], ET_SYNC_END);
    assert_int_equal(x.events.at[x.events.size - 3], ET_H_FULL);
    end(&x);
}

static void et_45_33_e3_timeout(void **state)
{
    struct encoder x;
    struct et_config c = config(MERGE);
    (void)state;
    ET_PUT(&c, ETMS, MTO, 16);
    begin(&x, &c);
    x.events.size = 0;
    play(&x, "@10 X1 @20 R0");
    came(&x, "0f010000");
    play(&x, "@10 X1 @21 R0");
    came(&x, "0e0120 0e0030");
    play(&x, "@10 X1");
    et_encoder_poll(&x.e, 0x20);
    came(&x, "");
    et_encoder_poll(&x.e, 0x21); /* at any later hook */
    came(&x, "0e0120");
    end(&x);
}

static void et_45_33_e4_kind_filtered(void **state)
{
    struct encoder x;
    struct et_config c = config(MERGE);
    (void)state;
    ET_PUT(&c, ETCR, EVSEL, 3); /* entry and exit */
    begin(&x, &c);
    x.events.size = 0;
    play(&x, "E1 X1");
    came(&x, "0e0110");
    play(&x, "R0"); /* RETURN is filtered: the EXIT alone */
    came(&x, "0e0120");
    assert_int_equal(x.e.filtered, 1);
    end(&x);
}

static void et_45_33_e5_number_filtered(void **state)
{
    struct encoder x;
    struct et_config c = config(MERGE);
    (void)state;
    ET_PUT(&c, ETSL, NORM, 0);
    begin(&x, &c);
    x.events.size = 0;
    play(&x, "X1 R0");
    came(&x, "0e0120");
    assert_int_equal(x.e.filtered, 1);
    end(&x);
}

static void et_45_33_e6_not_mergeable(void **state)
{
    (void)state;
    becomes(MERGE, "X1 E2", "0e0120 0e0210");
    becomes(MERGE, "X1.t E2.t", "0e0120 0e0210");
    becomes(TAIL, "X1 E2", "0e0120 0e0210");
    becomes(MERGE, "X1 X2 R0", "0e0120 0f020000");
    becomes(MERGE, "X1.f R0", "0e0128 0e0030");
    becomes(MERGE, "X1 R0.f", "0e0120 0e0038");
    becomes(TAIL | LAE, "X1.t E2.t.l", "0e0120 0e0290");
    {
        struct encoder x;
        struct et_config c = config(MERGE);
        ET_PUT(&c, ETCR, SIG, 1);
        begin(&x, &c);
        x.events.size = 0;
        play(&x, "X1 S2 R0");
        came(&x, "0e0120 220200 0e0030");
        end(&x);
    }
}

/* Released, alone: output off, SYNC asked for or a change (both by et_encoder_release()), stop, reset. */
static void et_33_released(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 5; how++) {
        struct encoder x;
        struct et_config c = config(MERGE);
        begin(&x, &c);
        x.events.size = 0;
        play(&x, "X1");
        came(&x, "");
        if (how == 0)
            et_encoder_stop(&x.e);
        else if (how == 1)
            et_encoder_release(&x.e);
        else if (how == 2)
            et_encoder_end(&x.e, 0);
        else
            et_encoder_event(
                &x.e, &(struct et_occurrence){.what = ET_W_STATE, .value = how == 3 ? ET_ST_STOPPED : ET_ST_RESET});
        assert_bytes(x.events.at, 3, "0e0120");
        assert_false(x.e.holding);
        if (how == 4)
            assert_bytes(x.events.at + 3, x.events.size - 3, "2d06");
        end(&x);
    }
}

static void et_45_e7_held(void **state)
{
    struct encoder x;
    struct et_config c = config(MERGE);
    (void)state;
    begin(&x, &c);
    x.events.size = 0;
    play(&x, "X1");
    came(&x, "");
    assert_true(x.e.holding);
    assert_int_equal(x.e.detected, 1);
    assert_int_equal(x.e.emitted + x.e.filtered + x.e.lost, 0);
    end(&x);
    becomes(MERGE | OMIT, "X1", "0d20");
}

/* E9 to E12 in their order: OMIT, compression, reduction, full. */
static void et_45_e9_to_e12(void **state)
{
    (void)state;
    becomes(OMIT | PREVIOUS | RED, "E1 X1", "0d10 0d20");
    becomes(PREVIOUS | RED, "E1 X1 R10", "1d11 1520 0e1030");
    becomes(RED, "E1 E10", "1d11 0e1010");
}

/* ---- details
 * --------------------------------------------------------------------------------------------------------- */

static void et_48_info_tags(void **state)
{
    struct encoder x;
    const struct et_config c = config(UINT64_C(1) << 32);
    const struct et_info info = {.given = 0x7fe,
                                 .code = 1,
                                 .ilc = 2,
                                 .parameter = UINT64_MAX,
                                 .cpu_address = 4,
                                 .io_word = 5,
                                 .flags = ET_IF_PER,
                                 .dxc = 7,
                                 .asn = 9,
                                 .bear = 0x80};
    (void)state;
    begin(&x, &c);
    x.events.size = 0;
    struct et_occurrence o = {.what = ET_W_ENTRY, .en = 0x91, .info = &info, .depth = 3};
    et_encoder_event(&x.e, &o);
    came(&x, "0e9110 24 1e 01 01 02 02 03 ff ff ff ff ff ff ff ff ff 01 04 04 05 05 06 08 07 07 08 03 09 09 0a 80 01");
    o.what = ET_W_EXIT; /* ENTRY and SIG alone have details */
    et_encoder_event(&x.e, &o);
    came(&x, "0e9120");
    o.what = ET_W_ENTRY; /* nothing known: no packet */
    o.info = NULL;
    et_encoder_event(&x.e, &o);
    came(&x, "0e9110");
    end(&x);
}

static void et_49_addresses(void **state)
{
    struct encoder x;
    const struct et_config c = config(UINT64_C(0xe) << 32);
    (void)state;
    begin(&x, &c);
    x.events.size = 0;
    struct et_occurrence o = {.what = ET_W_ENTRY,
                              .en = 1,
                              .addresses = 1u << ET_ADDR_OLD | 1u << ET_ADDR_NEW,
                              .address = {0, 0x10, UINT64_C(1) << 63, 0}};
    et_encoder_event(&x.e, &o);
    came(&x, "0e0110 28 01 20 28 02 ff ff ff ff ff ff ff ff ff 01");
    o.address[ET_ADDR_OLD] = 8; /* -8 */
    o.address[ET_ADDR_NEW] = 0; /* the same difference again, modulo 2^64 */
    et_encoder_event(&x.e, &o);
    came(&x, "0e0110 28 01 0f 28 02 ff ff ff ff ff ff ff ff ff 01");
    o.address[ET_ADDR_OLD] = 7 + (UINT64_C(1) << 63); /* the largest difference */
    et_encoder_event(&x.e, &o);
    came(&x, "0e0110 28 01 fe ff ff ff ff ff ff ff ff 01 28 02 00");
    o = (struct et_occurrence){
        .what = ET_W_RETURN, .en = 0, .addresses = 1u << ET_ADDR_RETURN, .address = {0, 0, 0, 1}};
    et_encoder_event(&x.e, &o);
    came(&x, "0e0030 28 03 02");
    end(&x);
}

static void et_50_state_and_mark(void **state)
{
    struct encoder x;
    struct et_config c = config(0);
    (void)state;
    begin(&x, &c);
    x.events.size = 0;
    for (unsigned code = 1; code <= 13; code++)
        et_encoder_event(&x.e, &(struct et_occurrence){.what = ET_W_STATE, .value = code});
    came(&x, "2d06 2d08 2d09 2d0a"); /* with STATE=0 */
    et_encoder_event(&x.e, &(struct et_occurrence){.what = ET_W_MARK, .value = 300});
    came(&x, "3c ac 02");
    assert_int_equal(x.e.filtered, 9);
    ET_PUT(&c, ETCR, STATE, 1);
    et_encoder_configure(&x.e, &c);
    for (unsigned code = 1; code <= 13; code++)
        et_encoder_event(&x.e, &(struct et_occurrence){.what = ET_W_STATE, .value = code});
    came(&x, "2d01 2d02 2d03 2d04 2d05 2d06 2d07 2d08 2d09 2d0a 2d0b 2d0c 2d0d");
    end(&x);
}

/* ---- time
 * ------------------------------------------------------------------------------------------------------------ */

static void et_51_53_inline_time(void **state)
{
    struct encoder x;
    struct et_config c = config(MERGE);
    (void)state;
    ET_PUT(&c, ETTS, TSM, ET_TSM_INLINE);
    begin(&x, &c);
    x.events.size = 0;
    tell(&x, ET_W_ENTRY, 1, 0, 0);
    came(&x, "0e0110 c0");
    tell(&x, ET_W_ENTRY, 1, 0, 62);
    came(&x, "0e0110 fe");
    tell(&x, ET_W_ENTRY, 1, 0, 125);
    came(&x, "0e0110 30 3f");
    tell(&x, ET_W_ENTRY, 1, 0, 125 + (UINT64_C(1) << 63));
    came(&x, "0e0110 30 80 80 80 80 80 80 80 80 80 01");
    tell(&x, ET_W_ENTRY, 1, 0, 5); /* the clock was set back */
    came(&x, "0e0110 34 05");
    tell(&x, ET_W_EXIT, 1, 0, 10); /* a pair has one time, that of its second event */
    tell(&x, ET_W_RETURN, 0, 0, 12);
    came(&x, "0f010000 c7");
    ET_PUT(&c, ETTS, SHIFT, 4);
    et_encoder_configure(&x.e, &c);
    et_encoder_sync(&x.e, 0x1237);
    x.events.size = 0;
    tell(&x, ET_W_ENTRY, 1, 0, 0x123f);
    came(&x, "0e0110 c0");
    tell(&x, ET_W_ENTRY, 1, 0, 0x1240);
    came(&x, "0e0110 c1");
    end(&x);
}

static void et_52_separate_time(void **state)
{
    struct encoder x;
    struct et_config c = config(MERGE);
    (void)state;
    ET_PUT(&c, ETTS, TSM, ET_TSM_SEPARATE);
    begin(&x, &c);
    assert_bytes(x.timing.at, x.timing.size, "00 00 00 00 00 00 00 80 10 82 01 01 00 ff ff 03 00 00 01 6a");
    x.events.size = x.timing.size = 0;
    play(&x, "@5 E1 @6 E2 @46 X2 @47 R1 @8 X1 @9 R0");
    came(&x, "0e0110 0e0210 0f020100 0f010000");
    assert_bytes(x.timing.at, x.timing.size, "c5 c1 30 41 34 09");
    x.timing.size = 0;
    et_encoder_sync(&x.e, 0x10);
    assert_bytes(x.timing.at, 12, "00 00 00 00 00 00 00 80 10 82 01 02"); /* the same number and time */
    assert_int_equal(x.timing.at[12], 4);                                 /* times */
    x.events.size = x.timing.size = 0;
    et_encoder_end(&x.e, 0x10);
    assert_int_equal(x.events.at[0], ET_H_END);
    assert_int_equal(x.timing.at[0], ET_H_END);
    end(&x);
}

/* ---- loss
 * ------------------------------------------------------------------------------------------------------------ */

static void et_56_57_107_s7_loss_and_recovery(void **state)
{
    struct encoder x;
    struct et_config c = config(0);
    (void)state;
    ET_PUT(&c, ETTS, TSM, ET_TSM_INLINE);
    ET_PUT(&c, ETTS, CLK, ET_CLOCK_INSN);
    memset(&x, 0, sizeof x);
    x.room = UINT32_MAX;
    const struct et_way way = {&x, room, put};
    et_encoder_init(&x.e, 0, &way);
    et_encoder_configure(&x.e, &c);
    et_encoder_start(&x.e, 1000);
    tell(&x, ET_W_ENTRY, 0x10a, 0, 1000);
    tell(&x, ET_W_ENTRY, 0x004, 0, 1040);
    x.room = 0;
    tell(&x, ET_W_EXIT, 0x004, TC, 1105);
    tell(&x, ET_W_ENTRY, 0x00d, TC, 1105);
    tell(&x, ET_W_EXIT, 0x00d, 0, 1180);
    tell(&x, ET_W_RETURN, 0x10a, 0, 1180);
    tell(&x, ET_W_EXIT, 0x10a, 0, 1290);
    tell(&x, ET_W_RETURN, 0, 0, 1290);
    tell(&x, ET_W_ENTRY, 0x091, 0, 2000);
    assert_true(x.e.overflowed);
    x.room = UINT32_MAX;
    et_encoder_poll(&x.e, 2000);
    tell(&x, ET_W_EXIT, 0x091, 0, 2100);
    tell(&x, ET_W_RETURN, 0, 0, 2100);
    et_encoder_end(&x.e, 2100);
    came(&x, "00 00 00 00 00 00 00 80 10 80 01 01 00 ff ff 03 e8 07 00 01 ff  38 01 c1 80 8c 20  38 02 80 80 f8 d0 01"
             "38 05 11  0e 0a 11 c0  0e 04 10 e8  70 07"
             "00 00 00 00 00 00 00 80 10 84 01 02 02 c7 78 d0 0f 91 01 02 91 01 45"
             "38 01 c1 80 8c 20  38 02 80 80 f8 d0 01  38 05 11  0e 91 20 30 64  0e 00 30 c0"
             "78 0b 00 04 07 02 fd 86 02 37");
    end(&x);
}

/* A pair that does not fit is two events; what is filtered meanwhile is not lost. */
static void et_56_62_67_pairs_are_lost_whole(void **state)
{
    struct encoder x;
    struct et_config c = config(MERGE);
    (void)state;
    ET_PUT(&c, ETSL, NORM, 0);
    begin(&x, &c);
    x.events.size = 0;
    x.room = 0;
    play(&x, "X2 R1 X1 R0");
    assert_int_equal(x.e.lost, 3);
    assert_int_equal(x.e.filtered, 1);
    assert_int_equal(x.e.detected, 4);
    x.room = UINT32_MAX;
    play(&x, "E1");
    assert_bytes(x.events.at, 2, "70 03");
    assert_int_equal(x.events.at[2 + 9], ET_SYNC_FLAGS | ET_SYNC_AFTER_LOSS);
    assert_bytes(x.events.at + x.events.size - 3, 3, "0e0110");
    assert_int_equal(x.e.detected, x.e.filtered + x.e.emitted + x.e.lost);
    end(&x);
}

/* ---- properties
 * ------------------------------------------------------------------------------------------------------ */

/* No more than four zeros outside of SYNC and END, whatever is put out: the formats at their zeros. */
static void et_58_zeros(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 32; way++) {
        struct encoder x;
        struct et_config c = config((way & 1 ? MERGE : 0) | (way & 2 ? RED : 0) | (way & 4 ? UINT64_C(0xf) << 32 : 0) |
                                    (way & 8 ? FIFO : 0));
        const struct et_info info = {.given = 0x7fe};
        ET_PUT(&c, ETTS, TSM, way & 16 ? ET_TSM_INLINE : ET_TSM_OFF);
        ET_PUT(&c, ETCR, SIG, 1);
        begin(&x, &c);
        x.events.size = 0;
        for (unsigned i = 0; i < 4; i++) {
            et_encoder_event(&x.e, &(struct et_occurrence){.what = ET_W_ENTRY, .info = &info, .addresses = 6});
            et_encoder_event(&x.e, &(struct et_occurrence){.what = ET_W_EXIT});
            et_encoder_event(&x.e, &(struct et_occurrence){.what = ET_W_RETURN, .addresses = 8});
            et_encoder_event(&x.e, &(struct et_occurrence){.what = ET_W_SIGNAL, .info = &info});
            et_encoder_event(&x.e, &(struct et_occurrence){.what = ET_W_MARK});
            et_encoder_event(&x.e, &(struct et_occurrence){.what = ET_W_STATE, .value = ET_ST_RESET});
        }
        unsigned zeros = 0;
        for (size_t i = 0; i < x.events.size; i++) {
            zeros = x.events.at[i] ? 0 : zeros + 1;
            assert_true(zeros <= 4);
        }
        end(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_31_full),
        cmocka_unit_test(et_32_merged),
        cmocka_unit_test(et_34_merged_tail),
        cmocka_unit_test(et_33_34_red2),
        cmocka_unit_test(et_35_36_37_flags),
        cmocka_unit_test(et_38_omitted),
        cmocka_unit_test(et_39_40_41_reduced),
        cmocka_unit_test(et_42_previous),
        cmocka_unit_test(et_43_stack),
        cmocka_unit_test(et_44_fifo),
        cmocka_unit_test(et_42_44_signals_change_nothing),
        cmocka_unit_test(et_46_figure_mode),
        cmocka_unit_test(et_45_e1_off),
        cmocka_unit_test(et_45_54_e2_sync_due),
        cmocka_unit_test(et_45_33_e3_timeout),
        cmocka_unit_test(et_45_33_e4_kind_filtered),
        cmocka_unit_test(et_45_33_e5_number_filtered),
        cmocka_unit_test(et_45_33_e6_not_mergeable),
        cmocka_unit_test(et_33_released),
        cmocka_unit_test(et_45_e7_held),
        cmocka_unit_test(et_45_e9_to_e12),
        cmocka_unit_test(et_48_info_tags),
        cmocka_unit_test(et_49_addresses),
        cmocka_unit_test(et_50_state_and_mark),
        cmocka_unit_test(et_51_53_inline_time),
        cmocka_unit_test(et_52_separate_time),
        cmocka_unit_test(et_56_57_107_s7_loss_and_recovery),
        cmocka_unit_test(et_56_62_67_pairs_are_lost_whole),
        cmocka_unit_test(et_58_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
