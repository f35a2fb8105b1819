/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control block and the instructions that load, modify, store and test it (specification B, C, D), by events. */
#include "tests/unit/ri_harness.h"

static void load_words(struct world *w, const uint64_t words[8])
{
    uint8_t block[RI_BLOCK_SIZE];
    for (unsigned i = 0; i < 64; i++)
        block[i] = (uint8_t)(words[i / 8] >> (56 - 8 * (i % 8)));
    assert_false(ri_block_invalid(block, false));
    ri_lric(w->ri, block);
}
static void store_words(struct world *w, uint64_t words[8])
{
    uint8_t block[RI_BLOCK_SIZE];
    ri_stric(w->ri, block);
    memset(words, 0, 64);
    for (unsigned i = 0; i < 64; i++)
        words[i / 8] = words[i / 8] << 8 | block[i];
}

/* Positions are written out here once more on purpose: the layout of C.2 in hexadecimal. */
WORLD(ri_12_lric_stric_identical, "RI-A")
{
    const uint64_t in[8] = {0x20040, 0x20000, 0x20fff, 0xf8f7500110ff55a7, 0, 0x1000, 0x800, 0};
    uint64_t out[8];
    load_words(w, in);
    store_words(w, out);
    assert_int_equal(out[0], 0x20040);
    assert_int_equal(out[1], 0x20000);
    assert_int_equal(out[2], 0x20fff);
    /* A is zero; reserved bits of byte 29 (14, 15) are zero. */
    assert_int_equal(out[3], 0xf0f7500110fc55a7);
    assert_int_equal(out[4], 0);
    assert_int_equal(out[5], 0x1000);
    assert_int_equal(out[6], 0x800);
    assert_int_equal(out[7], 0);
}

WORLD(ri_13_reserved_positions_stored_as_zeros, "RI-A")
{
    /* Everything one but M (1), RGS (1): RCA etc. in range. */
    const uint64_t in[8] = {0x20000, 0x20000, 0x20fff, 0xfffffff91fffffff, ~0ull, 0x1000, 0x800, ~0ull};
    uint64_t out[8];
    load_words(w, in);
    store_words(w, out);
    assert_int_equal(out[3], 0xf0f7f0091cfcffff);
    assert_int_equal(out[4], 0);
    assert_int_equal(out[7], 0);
}

WORLD(ri_12_each_bit_alone, "RI-A")
{
    /* Each bit of the fourth doubleword, with V; what may come back is the bit alone or nothing (A, reserved, M). */
    const uint64_t kept = 0xf0f7f00f0cfcffff;
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t one = UINT64_C(1) << bit;
        if (one == UINT64_C(1) << 63)
            continue;
        const uint64_t in[8] = {0x20000, 0x20000, 0x20fff, UINT64_C(1) << 63 | one, 0, 64, 64, 0};
        uint64_t out[8], want = UINT64_C(1) << 63 | (one & kept);
        if (bit >= 28 && bit < 32) { /* M */
            uint8_t block[64] = {0};
            block[24] = 0x80;
            block[28] = (uint8_t)(one >> 24);
            assert_int_equal(ri_block_invalid(block, false), bit > 29);
            continue;
        }
        load_words(w, in);
        store_words(w, out);
        assert_int_equal(out[3], want);
    }
}

WORLD(ri_14_addresses_normalized, "RI-A")
{
    for (unsigned rgs = 0; rgs <= 4; rgs++) {
        struct ri_controls c = usual(10);
        c.roa = 0x20123;
        c.rla = 0x25123;
        c.rca = 0x21fff;
        c.rgs = (uint8_t)rgs;
        lric(w, c);
        c = stric(w);
        assert_int_equal(c.roa, 0x20000);
        assert_int_equal(c.rla, 0x25fff);
        assert_int_equal(c.rca, 0x21fff & ~((UINT64_C(0x20) << rgs) - 1));
    }
}

WORLD(ri_15_rca_out_of_range_becomes_roa, "RI-A")
{
    struct ri_controls c = usual(10);
    c.rca = 0x1ffe0;
    lric(w, c);
    assert_int_equal(stric(w).rca, BASE);
    c.rca = BASE + 0x1020;
    lric(w, c);
    assert_int_equal(stric(w).rca, BASE);
    c.rca = BASE + 0x1000; /* RLA + 1: full */
    lric(w, c);
    assert_int_equal(stric(w).rca, BASE + 0x1000);
    assert_true(ri_stopped(w->ri));
    c.roa = 0x30000; /* an empty buffer is accepted and stopped (C.3 item 5) */
    c.rla = 0x2ffff;
    c.rca = 0x30000;
    lric(w, c);
    assert_int_equal(stric(w).rca, 0x30000);
    assert_true(ri_stopped(w->ri));
}

WORLD(ri_16_lric_ignores_a, "RI-A")
{
    struct ri_controls c = usual(10);
    c.a = 1;
    lric(w, c);
    assert_int_equal(stric(w).a, 0);
    assert_int_equal(ri_tric(w->ri), 0);
}

WORLD(ri_17_v_zero_clears_everything, "RI-A")
{
    struct ri_controls c = usual(10);
    c.g = c.l = c.u = 1;
    lric(w, c);
    assert_int_equal(ri_alert(w->ri), 0x30);
    c.v = 0;
    c.m = 15; /* not looked at */
    lric(w, c);
    uint64_t out[8];
    store_words(w, out);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(out[i], 0);
    assert_int_equal(ri_alert(w->ri), 0);
    assert_int_equal(ri_pvc(w->ri, false), 3);
}

WORLD(ri_18_sf_limits, "RI-B")
{
    struct ri_controls c = usual(0);
    lric(w, c);
    assert_int_equal(stric(w).sf, 16);
    c.m = 2;
    lric(w, c);
    assert_int_equal(stric(w).sf, 16);
    c.m = 0;
    lric(w, c);
    assert_int_equal(stric(w).sf, 64);
    c.sf = UINT64_C(1) << 33;
    lric(w, c);
    assert_int_equal(stric(w).sf, UINT32_MAX);
    assert_int_equal(ri_set_profile(w->ri, ri_profile_find("RI-A")), 0);
    c.sf = 0;
    lric(w, c);
    assert_int_equal(stric(w).sf, 4);
    c.m = 1;
    lric(w, c);
    assert_int_equal(stric(w).sf, 1);
    c.sf = ~UINT64_C(0);
    lric(w, c);
    assert_int_equal(stric(w).sf, UINT64_C(1) << 40);
}

WORLD(ri_19_rsic_limits, "RI-B")
{
    struct ri_controls c = usual(100);
    c.rsic = UINT64_C(1) << 35;
    lric(w, c);
    assert_int_equal(stric(w).rsic, UINT32_MAX);
    c.rsic = 3;
    lric(w, c);
    assert_int_equal(stric(w).rsic, 3);
}

WORLD(ri_20_rsic_zero, "RI-A")
{
    struct ri_controls c = usual(100);
    for (uint8_t m = 0; m < 3; m++) {
        c.m = m;
        lric(w, c);
        assert_int_equal(stric(w).rsic, m < 2 ? 100 : 0);
    }
}

WORLD(ri_21_rgs_limit, "RI-B")
{
    struct ri_controls c = usual(100);
    c.rgs = 4;
    lric(w, c);
    assert_int_equal(stric(w).rgs, 2);
    c.rca = BASE + 0x400;
    lric(w, c);
    assert_int_equal(stric(w).rgs, 4);
    assert_int_equal(stric(w).rca, BASE + 0x400);
    c.rca = BASE + 0x80; /* of the operand's RGS: aligned down to ROA, so RGS is clamped after all */
    lric(w, c);
    assert_int_equal(stric(w).rca, BASE);
    assert_int_equal(stric(w).rgs, 2);
}

WORLD(ri_22_38_invalid_mode, "RI-A")
{
    for (unsigned m = 0; m < 16; m++) {
        struct ri_controls c = usual(1);
        uint8_t block[RI_BLOCK_SIZE];
        c.m = (uint8_t)m;
        ri_controls_encode(&c, block);
        assert_int_equal(ri_block_invalid(block, false), m > 2);
        c.v = 0;
        ri_controls_encode(&c, block);
        assert_int_equal(ri_block_invalid(block, false), false);
        assert_int_equal(ri_block_invalid(block, true), m > 2); /* MRIC does not look at V */
        assert_int_equal(stric(w).v, 0);
    }
}

WORLD(ri_25_v_zero_while_enabled, "RI-A")
{
    uint8_t zeros[RI_BLOCK_SIZE] = {0};
    lric(w, usual(10));
    ri_enable(w->ri, true);
    assert_true(ri_active(w->ri));
    assert_false(ri_lric(w->ri, zeros)); /* the caller sets PSW bit 24 to zero */
    assert_false(ri_active(w->ri));
    ri_enable(w->ri, true); /* with V zero it counts as off */
    assert_false(ri_active(w->ri));
}

WORLD(ri_26_lric_while_enabled, "RI-A")
{
    lric(w, usual(10));
    ri_enable(w->ri, true);
    call(w, 0x11000);
    steps(w, 2);
    assert_int_equal(stric(w).rsic, 7);
    assert_int_equal(ri_collected(w->ri), 1);
    lric(w, usual(5));
    assert_true(ri_active(w->ri));
    assert_int_equal(ri_collected(w->ri), 0);
    assert_int_equal(stric(w).rsic, 5);
    assert_int_equal(stric(w).a, 1); /* C.5 */
}

WORLD(ri_27_alert_by_lric, "RI-A")
{
    struct ri_controls c = usual(10);
    c.u = c.g = 1;
    lric(w, c);
    assert_int_equal(ri_alert(w->ri), 0x20);
    c.g = 0;
    c.l = 1;
    lric(w, c);
    assert_int_equal(ri_alert(w->ri), 0x10);
    c.u = 0;
    lric(w, c);
    assert_int_equal(ri_alert(w->ri), 0);
    c.u = 1;
    c.l = 0;
    lric(w, c);
    assert_int_equal(ri_alert(w->ri), 0);
}

WORLD(ri_29_31_mric_fields, "RI-A")
{
    struct ri_controls c = {
        .rca = BASE, .roa = BASE, .rla = BASE + 0xfff, .v = 1, .rgs = 1, .key = 3, .t = 1, .qs = 1, .m = 1, .sf = 9};
    lric(w, c);
    struct ri_controls in = all_of_mric();
    in.s = in.k = in.h = in.ps = in.pc = in.qc = in.g = in.u = in.l = 1;
    in.key = 15;
    mric(w, in, false);
    struct ri_controls out = stric(w), want = all_of_mric();
    want.v = 1;
    want.key = 3;
    want.t = 1;
    want.qs = 1;
    want.a = 1;
    uint8_t a[RI_BLOCK_SIZE], b[RI_BLOCK_SIZE];
    ri_controls_encode(&out, a);
    ri_controls_encode(&want, b);
    assert_memory_equal(a, b, sizeof a);
    assert_int_equal(ri_tric(w->ri), 1); /* RI-46 */
    mric(w, (struct ri_controls){.rca = BASE + 0x40, .roa = BASE, .rla = BASE + 0xfff, .rgs = 1, .m = 1}, false);
    assert_int_equal(stric(w).mae, 0); /* RI-39 */
}

WORLD(ri_30_mric_buffer_by_k, "RI-A")
{
    struct ri_controls c = usual(10);
    c.k = 0;
    lric(w, c);
    c.roa = c.rca = 0x28000;
    c.rla = 0x28fff;
    mric(w, c, true);
    assert_int_equal(stric(w).roa, BASE);
    assert_int_equal(stric(w).rla, BASE + 0xfff);
    assert_int_equal(stric(w).rca, BASE); /* RI-33: outside of the resulting range */
    mric(w, c, false);
    assert_int_equal(stric(w).roa, 0x28000);
    assert_int_equal(stric(w).rla, 0x28fff);
    c = usual(10);
    lric(w, c);
    c.roa = c.rca = 0x28000;
    c.rla = 0x28fff;
    mric(w, c, true);
    assert_int_equal(stric(w).roa, 0x28000);
}

WORLD(ri_32_33_mric_rca, "RI-A")
{
    struct ri_controls c = usual(10);
    lric(w, c);
    c.rca = BASE + 0x100;
    mric(w, c, false);
    assert_int_equal(stric(w).rca, BASE + 0x100);
    c.rgs = 2;
    mric(w, c, false);
    assert_int_equal(stric(w).rca, BASE);
    mric(w, c, false); /* now RGS agrees */
    assert_int_equal(stric(w).rca, BASE + 0x100);
    c.rca = BASE - 0x80;
    mric(w, c, false);
    assert_int_equal(stric(w).rca, BASE);
    c.rca = BASE + 0x1080;
    mric(w, c, false);
    assert_int_equal(stric(w).rca, BASE);
}

WORLD(ri_34_35_36_mric_g_l, "RI-A")
{
    struct ri_controls c = usual(10);
    c.g = c.l = c.u = 1;
    c.rca = BASE + 0x1000;
    lric(w, c);
    mric(w, c, false); /* still full, RCA is not ROA */
    assert_int_equal(ri_alert(w->ri), 0x30);
    c.rca = BASE + 0x40; /* room */
    mric(w, c, false);
    assert_int_equal(ri_alert(w->ri), 0x20);
    assert_false(ri_stopped(w->ri));
    c.rca = BASE;
    mric(w, c, false);
    assert_int_equal(ri_alert(w->ri), 0);
    assert_int_equal(stric(w).g, 0);
    assert_int_equal(stric(w).u, 1);
}

WORLD(ri_40_mric_while_enabled, "RI-A")
{
    lric(w, usual(10));
    ri_enable(w->ri, true);
    call(w, 0x11000);
    next(w);
    struct ri_controls c = usual(20);
    c.rsic = 6;
    mric(w, c, false);
    assert_int_equal(ri_collected(w->ri), 0);
    assert_int_equal(stric(w).rsic, 6);
    steps(w, 1); /* would be the directed sample */
    assert_int_equal(groups(w), 0);
    steps(w, 5);
    assert_int_equal(groups(w), 1);
}

WORLD(ri_37_42_47_49_permission, "RI-A")
{
    assert_int_equal(ri_pvc(w->ri, true), 2); /* RI-47: permission first */
    assert_int_equal(ri_pvc(w->ri, false), 3);
    struct ri_controls c = usual(10);
    lric(w, c);
    assert_int_equal(ri_pvc(w->ri, true), 0);
    assert_int_equal(ri_pvc(w->ri, false), 0);
    c.s = 0;
    lric(w, c);
    assert_int_equal(ri_pvc(w->ri, true), 2);
    assert_int_equal(ri_pvc(w->ri, false), 0);
}

WORLD(ri_45_46_altered, "RI-A")
{
    lric(w, usual(10));
    assert_int_equal(ri_tric(w->ri), 0);
    ri_enable(w->ri, true);
    assert_int_equal(ri_tric(w->ri), 1);
    ri_enable(w->ri, false);
    assert_int_equal(ri_tric(w->ri), 1);
    lric(w, usual(10));
    assert_int_equal(ri_tric(w->ri), 0);
    mric(w, usual(10), true);
    assert_int_equal(ri_tric(w->ri), 1);
}

WORLD(ri_9_reset, "RI-A")
{
    struct ri_controls c = usual(10);
    c.u = c.g = 1;
    lric(w, c);
    ri_enable(w->ri, true);
    call(w, 0x11000);
    ri_reset(w->ri);
    assert_false(ri_active(w->ri));
    assert_int_equal(ri_pvc(w->ri, false), 3);
    assert_int_equal(ri_alert(w->ri), 0);
    assert_int_equal(ri_collected(w->ri), 0);
    uint64_t out[8];
    store_words(w, out);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(out[i], 0);
}

WORLD(ri_122_presentation_resets_g_and_l, "RI-A")
{
    struct ri_controls c = usual(10);
    c.g = c.l = 1;
    lric(w, c);
    assert_int_equal(ri_alert(w->ri), 0); /* U holds it back */
    assert_int_equal(stric(w).g + stric(w).l, 2);
    c.u = 1;
    lric(w, c);
    assert_int_equal(ri_alert(w->ri), 0x30);
    ri_alert_presented(w->ri);
    assert_int_equal(ri_alert(w->ri), 0);
    assert_int_equal(stric(w).g + stric(w).l, 0);
    assert_int_equal(stric(w).a, 1);
}

WORLD(ri_147_148_linux_blocks, "RI-A")
{
    struct ri_controls c = {.rla = 0xfff, .v = 1, .s = 1, .k = 1, .ps = 1, .pc = 1};
    lric(w, c);
    assert_int_equal(ri_pvc(w->ri, true), 0);
    mric(w, (struct ri_controls){.rca = BASE, .roa = BASE, .rla = BASE + 0xfff}, true);
    assert_int_equal(stric(w).roa, BASE);
    ri_enable(w->ri, true);
    assert_true(ri_active(w->ri));
    ri_enable(w->ri, false);
    lric(w, (struct ri_controls){0});
    assert_int_equal(ri_pvc(w->ri, false), 3);
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ri_9_reset),
        cmocka_unit_test(ri_12_lric_stric_identical),
        cmocka_unit_test(ri_12_each_bit_alone),
        cmocka_unit_test(ri_13_reserved_positions_stored_as_zeros),
        cmocka_unit_test(ri_14_addresses_normalized),
        cmocka_unit_test(ri_15_rca_out_of_range_becomes_roa),
        cmocka_unit_test(ri_16_lric_ignores_a),
        cmocka_unit_test(ri_17_v_zero_clears_everything),
        cmocka_unit_test(ri_18_sf_limits),
        cmocka_unit_test(ri_19_rsic_limits),
        cmocka_unit_test(ri_20_rsic_zero),
        cmocka_unit_test(ri_21_rgs_limit),
        cmocka_unit_test(ri_22_38_invalid_mode),
        cmocka_unit_test(ri_25_v_zero_while_enabled),
        cmocka_unit_test(ri_26_lric_while_enabled),
        cmocka_unit_test(ri_27_alert_by_lric),
        cmocka_unit_test(ri_29_31_mric_fields),
        cmocka_unit_test(ri_30_mric_buffer_by_k),
        cmocka_unit_test(ri_32_33_mric_rca),
        cmocka_unit_test(ri_34_35_36_mric_g_l),
        cmocka_unit_test(ri_37_42_47_49_permission),
        cmocka_unit_test(ri_40_mric_while_enabled),
        cmocka_unit_test(ri_45_46_altered),
        cmocka_unit_test(ri_122_presentation_resets_g_and_l),
        cmocka_unit_test(ri_147_148_linux_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
