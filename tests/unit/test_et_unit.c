/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace unit as a whole: registers and who may write them, change points, SYNC, buffers, sinks, the ring in guest
   storage (specification 3.4, 3.6, 4, ET-54 to ET-77). */
#include "tests/unit/et_harness.h"
#include <errno.h>

static uint64_t status(struct rig *r) { return et_read(r->cpu, ETST); }
static uint64_t etst(struct rig *r, unsigned low, unsigned width)
{
    return status(r) >> low & ((UINT64_C(1) << width) - 1);
}

/* An SVC and back: three events. */
static void visit(struct rig *r, unsigned number)
{
    take(r, 1, ET_SVC, number, 0x100);
    back(r, 1, 0x100);
}

/* Offsets of SYNCs in a stream: how many, and where. */
static size_t syncs(const struct bytes *b, size_t *where, size_t most)
{
    static const uint8_t marker[] = {0, 0, 0, 0, 0, 0, 0, ET_SYNC_END};
    size_t n = 0;
    for (size_t i = 0; i + sizeof marker <= b->size; i++)
        if (!memcmp(b->at + i, marker, sizeof marker)) {
            assert_true(n < most);
            where[n++] = i;
        }
    return n;
}

/* ---- registers
 * ------------------------------------------------------------------------------------------------------- */

static void et_68_registers(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    for (unsigned i = 0; i < ET_REGISTERS; i++)
        assert_true(et_read(r.cpu, i) == (i == ETST ? 0 : et_register_reset(i)));
    assert_true(et_read(r.cpu, ET_REGISTERS) == 0);
    assert_non_null(et_write(r.cpu, ET_REGISTERS, 0, ET_BY_START));
    assert_true(et_read(r.cpu, ETCR) == 0x4030040);
    assert_true(et_read(r.cpu, ETFR) == 0x1a1e0000);
    assert_true(et_read(r.cpu, ETSL) == 0x70ff);
    assert_true(et_read(r.cpu, ETBF) == UINT64_C(0x4000000014));
    assert_true(et_read(r.cpu, ETPM) == UINT64_C(0x04f1c00180000000));
    assert_non_null(et_write(r.cpu, ETBF, 6, ET_BY_START));
    assert_non_null(et_write(r.cpu, ETBF, 27, ET_BY_START));
    assert_non_null(et_write(r.cpu, ETBF, 0x314, ET_BY_START));
    assert_non_null(et_write(r.cpu, ETCR, 0x40300f3, ET_BY_START));
    assert_non_null(et_write(r.cpu, ETFR, 0x1a1fff00, ET_BY_START));
    assert_true(et_read(r.cpu, ETBF) == UINT64_C(0x4000000014));
    rig_end(&r);
}

static void et_67_68_status(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, false); /* nothing leaves */
    set(&r, ETBF, 7);
    set(&r, ETFR, 0x1a1e0040);
    assert_int_equal(status(&r), 0);
    set(&r, ETCR, 0x4030041);
    assert_int_equal(status(&r), 1);
    take(&r, 1, ET_SVC, 10, 0x100);
    assert_int_equal(etst(&r, 8, 8), 1);
    assert_int_equal(etst(&r, 16, 9), 0x10a);
    for (unsigned i = 0; !etst(&r, 1, 1); i++) { /* until it overflows */
        assert_true(i < 100);
        take(&r, 2, ET_SVC, 10, 0x100);
        back(&r, 3, 0x100);
    }
    const uint64_t lost = etst(&r, 32, 32);
    struct et_accounts accounts;
    et_accounts(r.cpu, &accounts);
    assert_true(lost > 0 && lost == accounts.lost);
    assert_int_equal(accounts.detected, accounts.filtered + accounts.emitted + accounts.lost);
    assert_null(et_write(r.cpu, ETST, 1, ET_BY_CONSOLE)); /* read only ... */
    assert_int_equal(etst(&r, 1, 1), 1);
    assert_null(et_write(r.cpu, ETST, 2, ET_BY_CONSOLE)); /* ... but for this */
    assert_int_equal(etst(&r, 1, 1), 0);
    assert_int_equal(etst(&r, 32, 32), lost);
    rig_end(&r);
}

static void et_72_lock(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETCR, 0x4030041);
    assert_non_null(et_write(r.cpu, ETCR, 0x5030041, ET_BY_GUEST)); /* not by the guest */
    assert_null(et_write(r.cpu, ETCR, 0x5030041, ET_BY_CONSOLE));
    assert_non_null(et_write(r.cpu, ETCR, 0x4030041, ET_BY_CONSOLE));
    assert_non_null(et_write(r.cpu, ETSL, 0, ET_BY_CONSOLE));
    assert_non_null(et_write(r.cpu, ETSL, 0, ET_BY_GUEST));
    assert_non_null(et_write(r.cpu, ETST, 2, ET_BY_GUEST));
    assert_non_null(et_output(r.cpu, false, ET_BY_CONSOLE));
    assert_true(et_read(r.cpu, ETSL) == 0x70ff);
    assert_int_equal(etst(&r, 0, 1), 1);
    assert_null(et_write(r.cpu, ETSL, 0x7000, ET_BY_START));
    rig_end(&r);
}

static void et_71_72_guest_writes(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    assert_null(et_write(r.cpu, ETSL, 0x7000, ET_BY_GUEST));
    assert_null(et_write(r.cpu, ETCR, 0x0030040, ET_BY_GUEST)); /* GUEST=0 */
    assert_non_null(et_write(r.cpu, ETSL, 0x7001, ET_BY_GUEST));
    assert_non_null(et_output(r.cpu, true, ET_BY_GUEST));
    assert_null(et_write(r.cpu, ETSL, 0x7001, ET_BY_CONSOLE));
    rig_end(&r);
}

static void et_73_always(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    assert_non_null(et_write(r.cpu, ETCR, 0x6030040, ET_BY_CONSOLE));
    assert_non_null(et_write(r.cpu, ETCR, 0x6030040, ET_BY_GUEST));
    set(&r, ETCR, 0x6030040); /* EN=0 */
    assert_int_equal(etst(&r, 0, 1), 1);
    assert_non_null(et_output(r.cpu, false, ET_BY_CONSOLE));
    assert_non_null(et_write(r.cpu, ETCR, 0x4030040, ET_BY_CONSOLE));
    assert_null(et_write(r.cpu, ETCR, 0x6030010, ET_BY_CONSOLE)); /* the amount can be chosen */
    assert_int_equal(etst(&r, 0, 1), 1);
    figure_3(&r);
    assert_words(&r, 0, "E10a E00b");
    rig_end(&r);
}

/* A refused write changes nothing, and says so in the stream where that is asked for. */
static void et_75_76_refused(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETCR, 0x4030241);
    take(&r, 1, ET_SVC, 1, 0x100);
    assert_non_null(et_write(r.cpu, ETBF, 3, ET_BY_CONSOLE));
    struct et_config c = *et_configuration(r.cpu);
    ET_PUT(&c, ETFR, FIG, 1);
    ET_PUT(&c, ETFR, INFO, 1);
    ET_PUT(&c, ETSL, NORM, 0); /* the good part is not taken either */
    assert_non_null(et_configure(r.cpu, &c, ET_BY_CONSOLE));
    back(&r, 2, 0x100);
    assert_int_equal(et_finish(r.machine), 0);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    size_t where[4];
    assert_int_equal(syncs(&b, where, 4), 1);
    char *words = words_of(b.at, b.size);
    assert_string_equal(words, "E101 state11 state11 X101 R000");
    free(words);
    bytes_free(&b);
    rig_end(&r);
}

/* ---- change points
 * ---------------------------------------------------------------------------------------------------- */

/* A change: what was there before is in the old form, then SYNC and CFG, then the new form. */
static void et_33_54_75_change(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    r.now = 1;
    set(&r, ETCR, 0x4030041);
    take(&r, 1, ET_SVC, 10, 0x100);
    assert_null(et_write(r.cpu, ETFR, 0x1a1e0008, ET_BY_GUEST)); /* by the guest: STATE 12 is asked for with STATE=1 */
    assert_null(et_write(r.cpu, ETFR, 0x1a1e0008, ET_BY_GUEST)); /* no change */
    back(&r, 2, 0x100);
    assert_stream(&r, "00 00 00 00 00 00 00 80 10 80 01 01 00 ff ff 03 01 00 01 d1"
                      "38 01 c1 80 8c 20  38 02 80 80 f8 d0 01  38 05 00  0e 0a 11"
                      "00 00 00 00 00 00 00 80 10 80 01 02 01 9f f3 01 01 8a 02 02 8a 02 eb"
                      "38 01 c1 80 8c 20  38 02 88 80 f8 d0 01  38 05 00  0e 0a 21  1d 30"
                      "78 04 01 03 00 02 94 9a 01 a2");
    rig_end(&r);
}

/* An EXIT whose boundary has not come when the CPU stops is put out alone, whatever comes next. What the encoder holds
   is in test_et_encode.c. */
static void et_33_released(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 5; how++) {
        struct rig r;
        rig_begin(&r, 1, true);
        set(&r, ETFR, 0x1a1e0040);
        set(&r, ETCR, 0x4030241);
        take(&r, 1, ET_IO, 3, 0x100);
        load(&r, 2, at(0x100));
        et_state(r.cpu, ET_ST_STOPPED);
        if (how == 0)
            et_flush(r.cpu);
        else if (how == 1)
            set(&r, ETSL, 0x70fe);
        else if (how == 2)
            assert_null(et_output(r.cpu, false, ET_BY_CONSOLE));
        else if (how == 3)
            et_state(r.cpu, ET_ST_RESET);
        static const char *const words[] = {"E00b X00b state4", "E00b X00b state4", "E00b X00b state4 state9",
                                            "E00b X00b state4 state6", "E00b X00b state4"};
        assert_words(&r, 0, words[how]);
        rig_end(&r);
    }
}

static void et_54_off_and_on(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETCR, 0x4030041);
    take(&r, 1, ET_SVC, 1, 0x100);
    assert_null(et_output(r.cpu, false, ET_BY_CONSOLE));
    take(&r, 2, ET_SVC, 2, 0x200);
    assert_null(et_output(r.cpu, true, ET_BY_CONSOLE));
    back(&r, 3, 0x200);
    struct et_accounts accounts;
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.detected, 5); /* not those in between */
    assert_int_equal(et_finish(r.machine), 0);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    size_t where[3];
    assert_int_equal(syncs(&b, where, 3), 2);
    assert_bytes(b.at + where[1] + 16, 7, "82 02 03 82 02 81 02"); /* SVC 2, 2 frames: SVC 2, SVC 1 */
    char *words = words_of(b.at, b.size);
    assert_string_equal(words, "E101 state9 state10 X102 R101");
    free(words);
    bytes_free(&b);
    rig_end(&r);
}

/* SYNC at most every SYNCPER bytes (64 here), numbered, with packets and sum of the segment before. */
static void et_54_periodic(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETBF, UINT64_C(0x100000014));
    set(&r, ETCR, 0x4030041);
    for (unsigned i = 0; i < 60; i++)
        take(&r, i, ET_SVC, i, 0x100);
    assert_int_equal(et_finish(r.machine), 0);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    size_t where[10];
    const size_t n = syncs(&b, where, 10);
    assert_int_equal(n, 4);
    for (size_t i = 1; i < n; i++) {
        const uint8_t *p = b.at + where[i] + 8;
        /* 16 of CFG and 16 events of 3 are 64 */
        assert_int_equal(p[3], i + 1);
        assert_int_equal(p[4], 16);
    }
    bytes_free(&b);
    rig_end(&r);
    rig_begin(&r, 1, true); /* 0: only the mandatory ones */
    set(&r, ETBF, 0x14);
    set(&r, ETCR, 0x4030041);
    for (unsigned i = 0; i < 5000; i++)
        take(&r, i, ET_SVC, i, 0x100);
    et_finish(r.machine);
    b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    assert_int_equal(syncs(&b, where, 10), 1);
    bytes_free(&b);
    rig_end(&r);
}

/* No more than eight frames are told, innermost first, but their number is. */
static void et_54_many_frames(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    for (unsigned i = 0; i < 20; i++)
        take(&r, i, ET_IO, i, 0x100 + i);
    r.now = 0;
    set(&r, ETCR, 0x4030041);
    et_finish(r.machine);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    assert_bytes(b.at + 8, 20, "10 80 01 01 00 ff ff 03 00 0b 15 0b 0a 09 08 0f 0e 0d 0c 7d");
    bytes_free(&b);
    rig_end(&r);
}

static void et_50_counts(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    take(&r, 0, ET_SVC, 99, 0x100);  /* before the stream */
    set(&r, ETCR, 0x40b0011 ^ 0x10); /* CNTE; no event selected */
    for (unsigned i = 0; i < 300; i++)
        visit(&r, 10);
    take(&r, 1, ET_IO, 3, 0x100);
    et_flush(r.cpu);
    for (unsigned i = 0; i < 60; i++)
        visit(&r, i);
    et_flush(r.cpu);
    et_flush(r.cpu); /* nothing since: no packet */
    et_finish(r.machine);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    size_t where[4];
    assert_int_equal(syncs(&b, where, 4), 4);
    /* 36 bytes of SYNC and CFG in front */
    assert_int_equal(b.at[where[1] - 8], ET_H_CNT);
    assert_bytes(b.at + where[1] - 8, 8, "40 06 0b 01 8a 02 ac 02");
    /* 60 pairs of 3 bytes: 42 in the first packet */
    const uint8_t *p = b.at + where[2] - 2 - 54 - 2 - 126;
    assert_bytes(p, 8, "40 7e 80 02 01 81 02 01");
    assert_bytes(p + 128, 5, "40 36 aa 02 01");
    assert_true(where[3] - where[2] < 50);
    bytes_free(&b);
    rig_end(&r);
}

/* ---- buffers
 * ----------------------------------------------------------------------------------------------------------- */

/* 128 bytes, 1 byte in 1024 instructions: what fits is known beforehand, and the loss too. */
static void et_61_62_small_buffer(void **state)
{
    struct rig r;
    struct et_accounts accounts;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETBF, UINT64_C(0x4000010007));
    set(&r, ETCR, 0x4030041);
    for (unsigned i = 0; i < 40; i++) { /* 36 for SYNC and CFG; 30 events of 3 are 126 */
        take(&r, 1, ET_SVC, 10, 0x100);
        et_accounts(r.cpu, &accounts);
        assert_int_equal(accounts.lost, i < 30 ? 0 : i - 29);
        assert_int_equal(accounts.emitted, i < 30 ? i + 1 : 30);
    }
    /* SYNC with OVF in front needs 2 + 30 + 8 + 16 bytes (1 + 9 frames are told): too early at 40 bytes, in time at 60
     */
    r.instructions = 1024 * 40;
    take(&r, 1, ET_SVC, 10, 0x100);
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.lost, 11);
    r.instructions = 1024 * 60;
    take(&r, 1, ET_SVC, 10, 0x100);
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.lost, 11);
    assert_int_equal(accounts.emitted, 31);
    assert_int_equal(accounts.detected, 42);
    assert_int_equal(et_finish(r.machine), 0);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    size_t where[3];
    assert_int_equal(syncs(&b, where, 3), 2);
    assert_bytes(b.at + where[1] - 2, 2, "70 0b");
    char *words = words_of(b.at, where[1] - 2);
    assert_int_equal(strlen(words), 30 * 5 - 1);
    free(words);
    bytes_free(&b);
    rig_end(&r);
}

/* The exit's rate: bytes per 1024 instructions, whole ones, nothing saved up while the buffer is empty. */
static void et_61_drain_rate(void **state)
{
    struct rig r;
    uint8_t left[256];
    (void)state;
    rig_begin(&r, 1, true);
    r.instructions = 123456789;
    set(&r, ETBF, UINT64_C(0x4000030007)); /* 3 */
    set(&r, ETCR, 0x4030041);
    const size_t begin = et_buffer_look(r.cpu, left, sizeof left);
    assert_int_equal(begin, 36);
    r.instructions += 1024 * 2 + 341; /* 6 bytes and a 1023rd of the next */
    take(&r, 1, ET_SVC, 10, 0x100);
    assert_int_equal(et_buffer_look(r.cpu, left, sizeof left), begin - 6 + 3);
    r.instructions += 1;
    take(&r, 1, ET_SVC, 10, 0x100);
    assert_int_equal(et_buffer_look(r.cpu, left, sizeof left), begin - 7 + 6);
    r.instructions += 1024 * 1000;
    take(&r, 1, ET_SVC, 10, 0x100);
    assert_int_equal(et_buffer_look(r.cpu, left, sizeof left), 3);
    r.instructions += 341; /* had it saved up, this would have left */
    take(&r, 1, ET_SVC, 10, 0x100);
    assert_int_equal(et_buffer_look(r.cpu, left, sizeof left), 6);
    rig_end(&r);
}

static void et_63_stall(void **state)
{
    struct rig r;
    struct et_accounts accounts;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETBF, UINT64_C(0x4000010107));
    set(&r, ETCR, 0x4030041);
    for (unsigned i = 0; i < 1000; i++)
        visit(&r, 10);
    assert_int_equal(etst(&r, 3, 1), 1);
    assert_true(r.stalls > 2000);
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.lost, 0);
    assert_int_equal(accounts.emitted, 3000);
    r.instructions = 1024 * 1000;
    take(&r, 1, ET_SVC, 10, 0x100);
    assert_int_equal(etst(&r, 3, 1), 0);
    et_finish(r.machine);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    char *words = words_of(b.at, b.size);
    assert_int_equal(strlen(words), 3001 * 5 - 1);
    free(words);
    bytes_free(&b);
    rig_end(&r);
    rig_begin(&r, 1, false); /* nobody takes anything away: nothing to wait for */
    set(&r, ETBF, UINT64_C(0x4000010107));
    set(&r, ETCR, 0x4030041);
    for (unsigned i = 0; i < 100; i++)
        take(&r, 1, ET_SVC, 10, 0x100);
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.emitted, 30);
    assert_int_equal(accounts.lost, accounts.detected - 30);
    rig_end(&r);
}

static void et_64_wrap(void **state)
{
    struct rig r;
    uint8_t left[1024];
    struct et_accounts accounts;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETBF, UINT64_C(0x100000209)); /* 512 bytes, SYNC every 64 */
    set(&r, ETCR, 0x4030041);
    for (unsigned i = 0; i < 1000; i++)
        visit(&r, i & 0xff);
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.lost, 0);
    assert_int_equal(r.file.size, 0);
    assert_int_equal(et_buffer_look(r.cpu, left, sizeof left), 512);
    assert_bytes(left + 506, 6, "0e e7 21 0e 00 30"); /* the last of them, 999 & FF */
    assert_int_equal(et_finish(r.machine), 0);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    size_t where[10];
    assert_true(syncs(&b, where, 10) >= 4);
    assert_int_equal(where[0], 0);
    char *words = words_of(b.at, b.size);
    assert_string_equal(words + strlen(words) - 14, "E1e7 X1e7 R000");
    free(words);
    bytes_free(&b);
    rig_end(&r);
}

/* A block that is longer than a small buffer waits for an empty one. */
static void et_61_longer_than_the_buffer(void **state)
{
    struct rig r;
    struct et_config c;
    (void)state;
    rig_begin(&r, 1, true);
    et_config_reset(&c);
    for (unsigned i = 0; i < 8; i++)
        c.reg[ETBM0 + i] = UINT64_C(0xfedcba9876543210);
    c.reg[ETBF] = UINT64_C(0x4000010007);
    ET_PUT(&c, ETCR, ENABLE, 1);
    assert_null(et_configure(r.cpu, &c, ET_BY_START));
    uint8_t left[1024];
    assert_true(et_buffer_look(r.cpu, left, sizeof left) > 128);
    take(&r, 1, ET_SVC, 10, 0x100);
    struct et_accounts accounts;
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.lost, 1);
    r.instructions = 1024 * 2000;
    take(&r, 1, ET_SVC, 10, 0x100);
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.lost, 2); /* OVF and SYNC alone fill it */
    r.instructions = 1024 * 4000;
    take(&r, 1, ET_SVC, 10, 0x100);
    assert_int_equal(et_finish(r.machine), 0);
    rig_end(&r);
}

/* ---- sinks
 * -------------------------------------------------------------------------------------------------------------- */

static void et_65_memory(void **state)
{
    struct rig r;
    uint8_t taken[4096];
    (void)state;
    rig_begin(&r, 1, false);
    set(&r, ETCR, 0x4030041);
    figure_3(&r);
    assert_int_equal(et_buffer_look(r.cpu, taken, sizeof taken), 36 + 18);
    assert_int_equal(et_buffer_take(r.cpu, taken, 36), 36);
    assert_int_equal(et_buffer_take(r.cpu, taken, sizeof taken), 18);
    assert_bytes(taken, 18, "0e0a11 0e0b10 0e0b20 0e0a31 0e0a21 0e0030");
    assert_int_equal(et_buffer_take(r.cpu, taken, sizeof taken), 0);
    assert_int_equal(et_finish(r.machine), 0);
    assert_int_equal(et_buffer_look(r.cpu, taken, sizeof taken), 10);
    assert_int_equal(taken[0], ET_H_END);
    rig_end(&r);
}

/* Memory first, then a file: all of it is there, and the next file begins anew. */
static void et_65_files_that_change(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    assert_int_equal(et_sink(r.machine, false), 0);
    set(&r, ETCR, 0x4030041);
    take(&r, 1, ET_SVC, 1, 0x100);
    assert_int_equal(r.file.size, 0);
    assert_int_equal(et_sink(r.machine, true), 0);
    take(&r, 2, ET_SVC, 2, 0x200);
    assert_int_equal(et_sink(r.machine, true), 0); /* another file */
    struct bytes first = r.file;
    r.file = (struct bytes){0};
    back(&r, 3, 0x200);
    assert_words(&r, 0, "X102 R101");
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    assert_int_equal(b.at[11], 1); /* SYNC number 1 */
    bytes_free(&b);
    bytes_free(&r.file);
    r.file = first;
    b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    char *words = words_of(b.at, b.size);
    assert_string_equal(words, "E101 E102");
    assert_int_equal(b.at[b.size - 10], ET_H_END);
    free(words);
    bytes_free(&b);
    rig_end(&r);
}

static int keep(void *context, const uint8_t *bytes, size_t size)
{
    bytes_add(context, bytes, size);
    return 0;
}

static void et_65_69_dump(void **state)
{
    struct rig r;
    struct bytes dump = {0};
    (void)state;
    rig_begin(&r, 1, false);
    set(&r, ETTS, ET_TSM_SEPARATE);
    set(&r, ETCR, 0x4030041);
    figure_3(&r);
    for (unsigned i = 0; i < 2; i++) { /* it stays */
        bytes_free(&dump);
        assert_int_equal(et_dump(r.machine, keep, &dump), 0);
    }
    r.file = dump;
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS), t = stream_of(&r, 0, ET_CHUNK_TIMING);
    char *words = words_of(b.at, b.size);
    assert_string_equal(words, "E10a E00b X00b R10a X10a R000");
    assert_int_equal(t.at[9], ET_SYNC_FLAGS | ET_SYNC_TIMING);
    free(words);
    bytes_free(&b);
    bytes_free(&t);
    rig_end(&r);
}

/* A sink that fails: nothing more goes out, the host is told, what comes is counted as lost. */
static void et_65_67_write_error(void **state)
{
    struct rig r;
    struct et_accounts accounts;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETCR, 0x4030041);
    r.write_error = -ENOSPC;
    take(&r, 1, ET_SVC, 1, 0x100);
    et_flush(r.cpu);
    assert_int_equal(et_machine_error(r.machine), -ENOSPC);
    take(&r, 1, ET_SVC, 1, 0x100);
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.lost, 1);
    assert_int_equal(et_finish(r.machine), -ENOSPC);
    assert_int_equal(r.file.size, 0);
    assert_int_equal(r.writes, 1);
    rig_end(&r);
}

/* Other chunks are the same whatever exception trace does (ET-22), and streams of CPUs come apart again (ET-1). */
static void et_1_22_112_container(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 3; how++) {
        struct rig r;
        rig_begin(&r, 3, true);
        for (unsigned i = 0; i < 3; i++) {
            r.cpu = et_machine_cpu(r.machine, i);
            if (how)
                set(&r, ETCR, how == 1 ? 0x4030041 : 0x4030011);
        }
        for (unsigned n = 0; n < 5000; n++)
            for (unsigned i = 0; i < 3; i++) {
                r.cpu = et_machine_cpu(r.machine, i);
                et_entry(r.cpu, ET_SVC, i, at(0x100), at(0x200), NULL);
                et_reload(r.cpu, ET_LPSWE, at(0x100));
                et_boundary(r.cpu, at(0x100));
                if (n % 1000 == i)
                    assert_int_equal(et_chunk(r.machine, i, ET_CHUNK_RI, "records", 7), 0);
            }
        assert_int_equal(et_finish(r.machine), 0);
        for (unsigned i = 0; i < 3; i++) {
            struct bytes ri = stream_of(&r, i, ET_CHUNK_RI), events = stream_of(&r, i, ET_CHUNK_EVENTS);
            assert_int_equal(ri.size, 35);
            assert_memory_equal(ri.at, "recordsrecordsrecordsrecordsrecords", 35);
            char *words = events.size ? words_of(events.at, events.size) : calloc(1, 1);
            assert_int_equal(strlen(words), how == 0 ? 0 : how == 1 ? 5000 * 15 - 1 : 5000 * 5 - 1);
            if (how)
                assert_int_equal(words[3], '0' + i);
            free(words);
            bytes_free(&ri);
            bytes_free(&events);
        }
        rig_end(&r);
    }
}

/* ---- the ring in guest storage
 * ------------------------------------------------------------------------------------------- */

static void et_66_guest_ring(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, false);
    assert_null(et_write(r.cpu, ETGA, 0x200, ET_BY_GUEST));
    assert_non_null(et_write(r.cpu, ETGL, 127, ET_BY_GUEST));        /* too short */
    assert_non_null(et_write(r.cpu, ETGL, 0x1000, ET_BY_GUEST));     /* not all in storage */
    assert_non_null(et_write(r.cpu, ETGL, UINT64_MAX, ET_BY_GUEST)); /* wraps */
    assert_true(et_read(r.cpu, ETGL) == 0);
    set(&r, ETMS, UINT64_C(50) << 48); /* alert at half of it */
    assert_null(et_write(r.cpu, ETGL, 132, ET_BY_GUEST));
    assert_memory_equal(r.storage + 0x200, "ZETR\0\0\0\1\0\0\0\0\0\0\0\x64", 16);
    set(&r, ETCR, 0x4030041);
    assert_int_equal(get64(r.storage + 0x210), 46);
    take(&r, 1, ET_SVC, 0, 0x100);
    assert_int_equal(r.alerts, 0);
    take(&r, 1, ET_SVC, 1, 0x100); /* 52 */
    assert_int_equal(r.alerts, 1);
    assert_bytes(r.storage + 0x220 + 49, 6, "0e 01 11 00 00 00");
    for (unsigned i = 2; i < 25; i++)
        take(&r, 1, ET_SVC, i, 0x100);
    assert_int_equal(get64(r.storage + 0x210), 46 + 25 * 3); /* 121: it has wrapped */
    assert_int_equal(get64(r.storage + 0x218), 0);
    assert_bytes(r.storage + 0x220 + 15, 8, "0e 17 11 0e 18 11 01 c1");
    assert_int_equal(r.storage[0x220 + 100], 0); /* nothing behind the ring */
    assert_int_equal(r.alerts, 1);
    for (unsigned i = 0; i < 20; i++)
        take(&r, 1, ET_SVC, i, 0x100);
    assert_int_equal(r.alerts, 2);
    struct et_accounts accounts;
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.lost, 0); /* the ring is a sink */
    assert_null(et_write(r.cpu, ETGL, 0, ET_BY_GUEST));
    const uint64_t written = get64(r.storage + 0x210);
    take(&r, 1, ET_SVC, 1, 0x100);
    assert_int_equal(get64(r.storage + 0x210), written);
    rig_end(&r);
}

/* Ring and file together have the same bytes. */
static void et_66_ring_and_file(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETGA, 0);
    set(&r, ETGL, 4096);
    set(&r, ETCR, 0x4030041);
    figure_3(&r);
    assert_int_equal(et_finish(r.machine), 0);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    assert_int_equal(get64(r.storage + 16), b.size);
    assert_memory_equal(r.storage + 32, b.at, b.size);
    bytes_free(&b);
    rig_end(&r);
}

/* ---- clocks
 * -------------------------------------------------------------------------------------------------------------- */

static void et_53_clocks(void **state)
{
    (void)state;
    for (unsigned clock = 0; clock < 4; clock++) {
        struct rig r;
        rig_begin(&r, 1, true);
        for (unsigned i = 0; i < 4; i++)
            r.ahead[i] = 0x1000 * (i + 1);
        set(&r, ETTS, clock << 4 | 1 | 4 << 8);
        set(&r, ETCR, 0x4030041);
        take(&r, 0x20, ET_SVC, 1, 0x100);
        r.ahead[clock] -= 0x1000; /* set back */
        back(&r, 0x30, 0x100);
        assert_int_equal(et_finish(r.machine), 0);
        struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
        size_t at = 0;
        while (b.at[at] != ET_H_FULL)
            at++;
        uint8_t wanted[16] = {0x0e, 0x01, 0x11, 0xc2, 0x0e, 0x01, 0x21, ET_H_TSA};
        unsigned n = 8 + et_leb_put(wanted + 8, 0x100 * clock + 3);
        memcpy(wanted + n, "\x0e\x00\x30\xc0", 4);
        assert_memory_equal(b.at + at, wanted, n + 4);
        bytes_free(&b);
        rig_end(&r);
    }
}

/* A clock that changes while frames are open gives no durations across it. */
static void et_53_84_another_clock(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    r.ahead[ET_CLOCK_HOST] = 1000000;
    take(&r, 10, ET_SVC, 1, 0x100);
    r.now = 20;
    set(&r, ETTS, ET_CLOCK_HOST << 4);
    back(&r, 35, 0x100);
    assert_int_equal(et_count(r.cpu, 0x101)->gross, 15);
    rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_68_registers),
        cmocka_unit_test(et_67_68_status),
        cmocka_unit_test(et_72_lock),
        cmocka_unit_test(et_71_72_guest_writes),
        cmocka_unit_test(et_73_always),
        cmocka_unit_test(et_75_76_refused),
        cmocka_unit_test(et_33_54_75_change),
        cmocka_unit_test(et_33_released),
        cmocka_unit_test(et_54_off_and_on),
        cmocka_unit_test(et_54_periodic),
        cmocka_unit_test(et_54_many_frames),
        cmocka_unit_test(et_50_counts),
        cmocka_unit_test(et_61_62_small_buffer),
        cmocka_unit_test(et_61_drain_rate),
        cmocka_unit_test(et_63_stall),
        cmocka_unit_test(et_64_wrap),
        cmocka_unit_test(et_61_longer_than_the_buffer),
        cmocka_unit_test(et_65_memory),
        cmocka_unit_test(et_65_files_that_change),
        cmocka_unit_test(et_65_69_dump),
        cmocka_unit_test(et_65_67_write_error),
        cmocka_unit_test(et_1_22_112_container),
        cmocka_unit_test(et_66_guest_ring),
        cmocka_unit_test(et_66_ring_and_file),
        cmocka_unit_test(et_53_clocks),
        cmocka_unit_test(et_53_84_another_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
