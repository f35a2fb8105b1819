/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Channel subsystem from the machine's side: files that fail under a disk, time, adapters, devices that come and go.
   The instructions and channel programs themselves are in tests/script/io.zt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cpu/engine/engine.h"
#include "emu/dev/css/attach.h"
#include "emu/dev/image/disk.h"
#include "tests/unit/channel_rig.h"
#include "tests/unit/put_code.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define PSW_64 UINT64_C(0x0000000180000000)
#define IRB    0x20400u

/* A file of 64 blocks as the disk 0120; block n is full of bytes n. */
static void make_disk(struct rig *r, const char *words)
{
    char name[64], device[128];
    snprintf(name, sizeof name, "test-channel-%ld", (long)getpid());
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    for (unsigned n = 0; n < 64; n++)
        for (unsigned i = 0; i < 512; i++)
            fputc((int)n, f);
    assert_int_equal(fclose(f), 0);
    snprintf(device, sizeof device, "0120,9336,%s%s", name, words);
    make(r, 1, ENGINE_REFERENCE, device);
    snprintf(r->file, sizeof r->file, "%s", name);
}

static void end(struct rig *r)
{
    machine_destroy(r->m);
    if (r->file[0])
        unlink(r->file);
}

static void lb_82_moves(void **state)
{
    (void)state;
    struct rig r;
    uint8_t irb[CPU_IO_BLOCK];
    make_disk(&r, "");
    enable(&r);
    disk_program(&r, false, 5, 3);
    run_program(&r, irb);
    assert_int_equal(get32(irb), 0x00804007);
    assert_int_equal(get32(irb + 8), 0x0c000000);
    assert_int_equal(r.at[0x30000], 5);
    assert_int_equal(r.at[0x305ff], 7);
    memset(r.at + 0x30000, 0xab, 1024);
    disk_program(&r, true, 62, 2);
    run_program(&r, irb);
    assert_int_equal(get32(irb + 8), 0x0c000000);
    end(&r);
}

static void assert_equipment_check(struct rig *r, const uint8_t *irb, const char *words)
{
    assert_int_equal(get32(irb), 0x00824017);
    assert_int_equal(irb[8], 0x0e);
    assert_int_equal(irb[32], SENSE_EQUIPMENT_CHECK);
    if (!strstr(r->message, "device 0:0120: ") || !strstr(r->message, words))
        fail_msg("the operator read: %s", r->message);
}

/* The file becomes shorter: what is left can be read, the rest cannot, and nothing makes it longer again. */
static void cut_off(void **state)
{
    (void)state;
    struct rig r;
    uint8_t irb[CPU_IO_BLOCK];
    make_disk(&r, "");
    enable(&r);
    assert_int_equal(truncate(r.file, 512 * 10 + 100), 0);
    disk_program(&r, false, 8, 2);
    run_program(&r, irb);
    assert_int_equal(get32(irb + 8), 0x0c000000);
    disk_program(&r, false, 9, 2);
    run_program(&r, irb);
    assert_equipment_check(&r, irb, "cannot read");
    r.message[0] = 0;
    disk_program(&r, true, 40, 1);
    run_program(&r, irb);
    assert_equipment_check(&r, irb, "cannot write");
    FILE *f = fopen(r.file, "rb");
    fseek(f, 0, SEEK_END);
    assert_int_equal(ftell(f), 512 * 10 + 100);
    fclose(f);
    end(&r);
}

/* No more room on the host. */
static void full(void **state)
{
    (void)state;
    struct rig r;
    uint8_t irb[CPU_IO_BLOCK];
    struct rlimit old, small;
    make_disk(&r, "");
    enable(&r);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 512 * 20;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    disk_program(&r, true, 40, 1);
    run_program(&r, irb);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_equipment_check(&r, irb, "cannot write");
    disk_program(&r, true, 40, 1);
    run_program(&r, irb);
    assert_int_equal(get32(irb + 8), 0x0c000000);
    end(&r);
}

/* Read-only and snapshot mode leave the file as it is; a file that has gone is still there for who has it open. */
static void kept(void **state)
{
    (void)state;
    static const char *const words[] = {",ro", ",snapshot"};
    for (unsigned i = 0; i < 2; i++) {
        struct rig r;
        uint8_t irb[CPU_IO_BLOCK];
        make_disk(&r, words[i]);
        enable(&r);
        memset(r.at + 0x30000, 0xab, 512);
        disk_program(&r, true, 3, 1);
        run_program(&r, irb);
        assert_int_equal(irb[8], i ? 0x0c : 0x0e);
        if (i == 0) {
            assert_int_equal(irb[32], SENSE_COMMAND_REJECT);
            assert_int_equal(irb[33], 0x02); /* write inhibited */
        }
        unlink(r.file);
        disk_program(&r, false, 2, 2);
        run_program(&r, irb);
        assert_int_equal(irb[8], 0x0c);
        assert_int_equal(r.at[0x30000], 2);
        assert_int_equal(r.at[0x30200], i ? 0xab : 3);
        end(&r);
    }
}

/* Images: edges, pieces, what is refused. */
static void images(void **state)
{
    (void)state;
    char error[256];
    uint8_t bytes[6000];
    struct image *i = image_open("=10K", false, false, error, sizeof error);
    assert_non_null(i);
    assert_int_equal(image_size(i), 10240);
    memset(bytes, 0x55, sizeof bytes);
    assert_int_equal(image_write(i, 4000, bytes, 6000), 0);
    assert_int_equal(image_read(i, 3990, bytes, 20), 0);
    assert_int_equal(bytes[9], 0);
    assert_int_equal(bytes[10], 0x55);
    assert_int_equal(image_read(i, 9990, bytes, 250), 0);
    assert_int_equal(bytes[9], 0x55);
    assert_int_equal(bytes[10], 0);
    assert_int_not_equal(image_read(i, 10239, bytes, 2), 0);
    assert_int_not_equal(image_write(i, UINT64_MAX, bytes, 2), 0);
    assert_int_equal(image_flush(i), 0);
    image_close(i);
    static const char *const none[] = {"", "=", "=0", "=12X", "=1KK", "=99999999999999999999", "/nonexistent/x", "/"};
    for (unsigned n = 0; n < sizeof none / sizeof *none; n++) {
        error[0] = 0;
        assert_null(image_open(none[n], false, false, error, sizeof error));
        assert_non_null(strstr(error, "disk image"));
    }
}

/* An image never has the number of a standard stream, into which something may be printed. */
static void above_streams(void **state)
{
    char name[] = "/tmp/zri-image-XXXXXX", error[256];
    int file = mkstemp(name), input = dup(STDIN_FILENO);
    (void)state;
    assert_true(file >= 0 && input >= 0 && ftruncate(file, 4096) == 0);
    close(STDIN_FILENO);
    struct image *i = image_open(name, false, false, error, sizeof error);
    assert_non_null(i);
    assert_int_equal(open("/dev/null", O_RDONLY), STDIN_FILENO); /* nobody has it */
    image_close(i);
    dup2(input, STDIN_FILENO);
    close(input);
    close(file);
    unlink(name);
}

/* MODIFY SUBCHANNEL: bits 0, 1, 6 and 7 of word 1 and bits 0-30 of word 6 must be zeros, bit 5 of word 1 need not. */
static void modify_checks(void **state)
{
    struct rig r;
    unsigned cc;
    (void)state;
    make(&r, 1, ENGINE_REFERENCE, "0120,3370,=1M");
    for (unsigned bit = 0; bit < 32; bit++)
        for (unsigned word6 = 0; word6 < 2; word6++) {
            uint8_t schib[CPU_IO_BLOCK] = {0};
            put32(schib + (word6 ? 24 : 4), BIT32(bit));
            const bool wrong = word6 ? bit != 31 : bit == 0 || bit == 1 || bit == 6 || bit == 7;
            r.cpu->gr[1] = 0x10000;
            assert_int_equal(css_io(r.m, r.cpu, CPU_IO_MODIFY, schib, &cc), wrong ? PIC_OPERAND : 0);
        }
    machine_destroy(r.m);
}

static void set_monitor(struct rig *r, uint64_t gr1, uint64_t gr2)
{
    uint8_t block[CPU_IO_BLOCK];
    unsigned cc;
    r->cpu->gr[1] = gr1;
    r->cpu->gr[2] = gr2;
    assert_int_equal(css_io(r->m, r->cpu, CPU_IO_SET_MONITOR, block, &cc), 0);
}

/* Measurement blocks count starts and samples and add up times when SET CHANNEL MONITOR and the subchannel say so. */
static void measurement(void **state)
{
    enum { BLOCKS_AT = 0x40000, INDEX = 3 };
    struct rig r;
    uint8_t block[CPU_IO_BLOCK] = {0}, irb[CPU_IO_BLOCK];
    (void)state;
    make(&r, 1, ENGINE_REFERENCE, "0120,3370,=1M");
    const uint8_t *at = r.at + BLOCKS_AT + 32 * INDEX;
    put16(block + 4, 0x0090); /* enabled, measured */
    block[8] = 0x80;
    put16(block + 12, INDEX);
    assert_int_equal(io(&r, CPU_IO_MODIFY, block), 0);
    disk_program(&r, false, 0, 8);
    run_program(&r, irb);
    assert_int_equal(get32(at), 0); /* nobody has asked */
    set_monitor(&r, 2, BLOCKS_AT);
    for (unsigned n = 1; n <= 100; n++) {
        run_program(&r, irb);
        assert_int_equal(get32(at), n << 16 | n);
    }
    /* Each program waits 5 microseconds and takes some more: 100 of them are more than one unit of 128, less than
       20. */
    assert_in_range(get32(at + 4), 1, 20);
    assert_in_range(get32(at + 8), 3, 4);
    assert_true(r.m->sys.storage.keys[BLOCKS_AT >> PAGE_BITS] & KEY_C);
    set_monitor(&r, 0, 0);
    run_program(&r, irb);
    assert_int_equal(get32(at), 100u << 16 | 100);
    /* a key that does not fit ends it */
    r.m->sys.storage.keys[BLOCKS_AT >> PAGE_BITS] = 0x40;
    set_monitor(&r, 0x30000002, BLOCKS_AT);
    run_program(&r, irb);
    assert_int_equal(get32(at), 100u << 16 | 100);
    assert_int_equal(io(&r, CPU_IO_STORE, block), 0);
    assert_int_equal(get16(block + 4), 0x0081);
    set_monitor(&r, 0x40000002, BLOCKS_AT);
    put16(block + 4, 0x0090);
    assert_int_equal(io(&r, CPU_IO_MODIFY, block), 0);
    run_program(&r, irb);
    assert_int_equal(get32(at), 101u << 16 | 101);
    machine_reset(r.m);
    r.m->sys.storage.keys[BLOCKS_AT >> PAGE_BITS] = 0;
    assert_int_equal(io(&r, CPU_IO_MODIFY, block), 0);
    run_program(&r, irb);
    assert_int_equal(get32(at), 101u << 16 | 101); /* a reset ends it, too */
    machine_destroy(r.m);
}

/* The program counts in R5 until the interruption comes; the machine is run in pieces of `piece` instructions. */
static uint64_t counted(uint8_t engine, unsigned cpus, uint64_t piece)
{
    static const char *const lines[] = {"msch 0(2)", "ssch 0(3)", "stosm 0(4),2", "ahi 5,1", "brc 15,0x1000c", NULL};
    struct rig r;
    make(&r, cpus, engine, "000C,3505,ascii,=CARD");
    put_program(r.at, 0x10000, lines);
    put32(r.at + 0x20004, 0x00800000);
    r.at[0x20008] = 0x80;
    put32(r.at + 0x20104, 0x0080ff00);
    put32(r.at + 0x20108, 0x20200);
    put64(r.at + 0x20200, UINT64_C(0x0200005000021000));
    put64(r.at + 496, UINT64_C(0x0002000180000000)); /* I/O new PSW: disabled wait */
    put64(r.at + 504, 0xfff);
    r.cpu->gr[1] = 0x10000;
    r.cpu->gr[2] = 0x20000;
    r.cpu->gr[3] = 0x20100;
    r.cpu->gr[4] = IRB;
    r.cpu->cr[6] = 0x80000000;
    assert_int_equal(machine_start(r.m, PSW_64, 0x10000), 0);
    struct machine_result result;
    for (unsigned i = 0; i < 1000000; i++) {
        result = machine_run(r.m, piece);
        if (result.end != MACHINE_LIMIT)
            break;
    }
    assert_int_equal(result.end, MACHINE_STOPPED);
    assert_int_equal(r.cpu->psw.ia, 0xfff);
    assert_int_equal(get32(r.at + 184), 0x10000);
    uint64_t n = r.cpu->gr[5];
    end(&r);
    return n;
}

/* An interruption comes at the same instruction, whatever the engine and however the run is cut. */
static void lb_72_same_time(void **state)
{
    (void)state;
    uint64_t n = counted(ENGINE_REFERENCE, 1, UINT64_MAX);
    assert_in_range(n, 1000, 20000);
    for (unsigned cpus = 1; cpus <= 2; cpus++) {
        static const uint64_t pieces[] = {UINT64_MAX, 1, 7, 1000, 4099};
        for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; i++)
            for (unsigned engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++)
                assert_int_equal(counted((uint8_t)engine, cpus, pieces[i]), n);
    }
}

/* Adapter interruptions: one word, the subclass, pending until taken; subchannels of the subclass come first. */
static void lb_74_adapters(void **state)
{
    (void)state;
    struct rig r;
    uint32_t words[3];
    uint8_t block[CPU_IO_BLOCK] = {0};
    make(&r, 1, ENGINE_REFERENCE, "0009,3215");
    r.cpu->cr[6] = 0xff000000;
    assert_false(css_io_pending(r.m, r.cpu));
    channel_adapter_interruption(r.m, 3);
    channel_adapter_interruption(r.m, 3);
    r.cpu->cr[6] = 0xef000000;
    assert_false(css_io_pending(r.m, r.cpu));
    r.cpu->cr[6] = 0x10000000;
    assert_true(css_io_pending(r.m, r.cpu));
    put16(block + 4, 0x1880);
    block[8] = 0x80;
    assert_int_equal(io(&r, CPU_IO_MODIFY, block), 0);
    channel_attention(channel_find(r.m, 0x10000), CHANNEL_ATTENTION);
    assert_true(css_io_take(r.m, r.cpu, words));
    assert_int_equal(words[0], 0x10000);
    assert_int_equal(words[2], 0x18000000);
    assert_true(css_io_take(r.m, r.cpu, words));
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], 0);
    assert_int_equal(words[2], 0x98000000);
    assert_false(css_io_take(r.m, r.cpu, words));
    assert_int_equal(io(&r, CPU_IO_TEST, block), 0);
    assert_int_equal(get32(block), 0x00000011);
    assert_int_equal(block[8], CHANNEL_ATTENTION);
    end(&r);
}

/* The 3215: a read waits for the line; a line announces itself; halting ends the wait. */
static void lb_84_typed(void **state)
{
    (void)state;
    struct rig r;
    uint8_t irb[CPU_IO_BLOCK], orb[CPU_IO_BLOCK] = {0};
    make(&r, 1, ENGINE_REFERENCE, "0009,3215");
    assert_false(css_line(r.m->css, NULL));
    enable(&r);
    assert_true(css_line(r.m->css, NULL));
    assert_true(css_line(r.m->css, "hi"));
    assert_int_equal(io(&r, CPU_IO_TEST, irb), 0);
    assert_int_equal(irb[8], CHANNEL_ATTENTION);
    put64(r.at + 0x20200, UINT64_C(0x0a20005000021000));
    run_program(&r, irb);
    assert_int_equal(get32(irb + 8), 0x0c00004e);
    assert_int_equal(get16(r.at + 0x21000), 0x8889);
    put32(orb + 4, 0x0080ff00);
    put32(orb + 8, 0x20200);
    assert_int_equal(io(&r, CPU_IO_START, orb), 0);
    css_event(r.m, r.m->sys.event_at);
    assert_int_equal(r.m->sys.event_at, 0);
    assert_int_equal(io(&r, CPU_IO_TEST, irb), 1);
    assert_int_equal(get32(irb) & 0xfe0, 0x0c0); /* subchannel and device active */
    assert_true(css_line(r.m->css, "you"));
    while (r.m->sys.event_at)
        css_event(r.m, r.m->sys.event_at);
    assert_int_equal(io(&r, CPU_IO_TEST, irb), 0);
    assert_int_equal(get32(irb + 8), 0x0c00004d);
    assert_int_equal(io(&r, CPU_IO_START, orb), 0);
    css_event(r.m, r.m->sys.event_at);
    assert_int_equal(io(&r, CPU_IO_HALT, NULL), 0);
    assert_int_equal(io(&r, CPU_IO_TEST, irb), 0);
    assert_int_equal(get32(irb), 0x00806007);
    assert_int_equal(get32(irb + 8), 0x0c000050);
    end(&r);
}

/* A device is taken away in the middle of its program; another one takes its subchannel. */
static void lb_56_70_come_and_go(void **state)
{
    (void)state;
    struct rig r;
    uint8_t block[CPU_IO_BLOCK] = {0};
    char error[200];
    make(&r, 1, ENGINE_REFERENCE, "000C,3505,ascii,=CARD");
    enable(&r);
    put32(block + 4, 0x0080ff00);
    put32(block + 8, 0x20200);
    assert_int_equal(io(&r, CPU_IO_START, block), 0);
    assert_int_equal(css_detach(r.m, 0, 0xc, true, error, sizeof error), 0);
    assert_int_equal(r.m->sys.event_at, 0);
    assert_int_equal(io(&r, CPU_IO_STORE, block), 0);
    assert_int_equal(get32(block + 4), 0);
    assert_int_equal(io(&r, CPU_IO_TEST, block), 3);
    assert_int_equal(io(&r, CPU_IO_MODIFY, block), 0); /* nothing to modify */
    assert_int_equal(css_attach_text(r.m, "0120,3370,=1M", true, error, sizeof error), 0);
    assert_int_equal(io(&r, CPU_IO_STORE, block), 0);
    assert_int_equal(get32(block + 4), 0x00010120);
    assert_true(r.cpu->machine_checks & CPU_MCK_CHANNEL_REPORT);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(io(&r, CPU_IO_REPORT_WORD, block), 0);
        assert_int_equal(get32(block), 0x03040000);
    }
    assert_int_equal(io(&r, CPU_IO_REPORT_WORD, block), 1);
    assert_null(channel_find(r.m, 0x10001));
    assert_non_null(channel_find(r.m, 0x10000));
    assert_null(channel_find(r.m, 0x20000));
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lb_82_moves),    cmocka_unit_test(cut_off),       cmocka_unit_test(full),
        cmocka_unit_test(kept),           cmocka_unit_test(above_streams), cmocka_unit_test(modify_checks),
        cmocka_unit_test(measurement),    cmocka_unit_test(images),        cmocka_unit_test(lb_72_same_time),
        cmocka_unit_test(lb_74_adapters), cmocka_unit_test(lb_84_typed),   cmocka_unit_test(lb_56_70_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
