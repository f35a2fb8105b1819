/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* RTLD_NEXT */
/* The debugger port, packet by packet: what gdb itself is not seen to send, and clients that do not keep the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cpu/engine/engine.h"
#include "emu/debug/packet.h"
#include "emu/debug/socket.h"
#include "tests/unit/gdb_rig.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

static const char *const counts[] = {"lghi %r1,5",        "larl %r2,0x20000", "stg %r1,0(%r2)",
                                     "brctg %r1,0x1000a", "lpswe 0x300",      NULL};
static const char *const never_ends[] = {"aghi %r1,1", "j 0x10000", NULL};

/* What was answered to these packets, without acknowledgements, one behind the other with a blank between. */
static char heard[0x20000];
static const char *answers(struct rig *r, const char *const *packets, uint64_t limit, struct machine_result *result)
{
    static char raw[0x20000];
    size_t used = 0;
    r->client = rig_connect(r);
    for (; *packets; packets++)
        rig_say(r, *packets);
    *result = gdb_run(&r->session, limit);
    rig_hear(r, raw, sizeof raw);
    for (const char *at = raw; (at = strchr(at, '$'));) {
        const char *end = strchr(++at, '#');
        assert_non_null(end);
        used += (size_t)snprintf(heard + used, sizeof heard - used, "%s%.*s", used ? " " : "", (int)(end - at), at);
        at = end;
    }
    rig_hang_up(r);
    return heard;
}
#define ANSWERS(rig, result, ...) answers(rig, (const char *const[]){__VA_ARGS__, NULL}, 100000, result)

static void registers_and_storage(void **state)
{
    struct rig r;
    struct machine_result result;
    (void)state;
    rig_open(&r, 1, ENGINE_BLOCK);
    rig_program(&r, counts);
    r.m->sys.cpus[0]->gr[3] = 0x1122334455667788;
    r.m->sys.cpus[0]->vr[2] = (struct vector_register){1, 2};
    assert_string_equal(ANSWERS(&r, &result, "?", "p3", "p2=", "m10000,4", "M10000,2:0707", "m10000,4", "mfffff,4",
                                "m100000,4", "P3=00000000000000ff", "p3", "P3=ff", "p400", "vKill;1"),
                        "T05thread:1; 1122334455667788 E01 a7190005 OK 07070005 00 E01 "
                        "OK 00000000000000ff E01 E01 OK");
    assert_int_equal(result.end, MACHINE_REQUEST);
    assert_true(gdb_killed(&r.session));
    rig_close(&r);
}

/* All registers there and back: nothing changes. Then a PSW that cannot be. */
static void all_registers(void **state)
{
    struct rig r;
    struct machine_result result;
    static char set[0x4000];
    (void)state;
    rig_open(&r, 1, ENGINE_BLOCK);
    rig_program(&r, counts);
    for (unsigned i = 0; i < 32; i++)
        r.m->sys.cpus[0]->vr[i] = (struct vector_register){i, ~(uint64_t)i};
    const struct cpu was = *r.m->sys.cpus[0];
    snprintf(set, sizeof set, "G%s", ANSWERS(&r, &result, "g", "D"));
    *strchr(set, ' ') = 0;
    assert_true(strlen(set) > 2 * (18 * 8 + 16 * 4 + 17 * 8 + 16 * 8));
    rig_program(&r, counts);
    assert_string_equal(ANSWERS(&r, &result, set, "p11=", "P10=0000000000000001", "P10=0002000180000000", "k"),
                        "OK E01 E01 OK");
    assert_memory_equal(was.vr, r.m->sys.cpus[0]->vr, sizeof was.vr);
    assert_int_equal(r.m->sys.cpus[0]->psw.mask, UINT64_C(0x0002000180000000));
    rig_close(&r);
}

/* Both engines stop at the same places, and nobody writes into the guest's storage. */
static void stops(void **state)
{
    (void)state;
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_REFERENCE; engine++) {
        struct rig r;
        struct machine_result result;
        uint8_t before[64];
        rig_open(&r, 1, engine);
        rig_program(&r, counts);
        memcpy(before, r.m->sys.storage.bytes + RIG_CODE, sizeof before);
        const char *got = ANSWERS(&r, &result, "qSupported:swbreak+;hwbreak+", "vCont?", "Z0,10004,2", "vCont;c",
                                  "z0,10004,2", "Z1,1000a,2", "c", "z1,1000a,2", "vCont;s:1", "Z2,20000,1", "vCont;c",
                                  "m20000,8", "vCont;c", "z2,20000,1", "vCont;r10010,10016:1", "vCont;c");
        assert_memory_equal(before, r.m->sys.storage.bytes + RIG_CODE, sizeof before);
        assert_non_null(strstr(got, "PacketSize=4000"));
        got = strchr(got, ' ') + 1;
        assert_string_equal(got,
                            "vCont;c;C;s;S;r OK T05thread:1;swbreak:; OK OK T05thread:1;hwbreak:; OK T05thread:1; OK "
                            "T05thread:1;watch:20000; 0000000000000004 T05thread:1;watch:20000; OK T05thread:1; W00");
        assert_int_equal(result.end, MACHINE_STOPPED);
        rig_close(&r);
    }
}

/* A guest that ends badly is first looked at. */
static void bad_ends(void **state)
{
    static const char *const ends[] = {"lghi %r1,1", "stg %r1,0x308", "lpswe 0x300", NULL};
    struct rig r;
    struct machine_result result;
    (void)state;
    rig_open(&r, 1, ENGINE_BLOCK);
    rig_program(&r, ends);
    assert_string_equal(ANSWERS(&r, &result, "c", "?", "c"), "T06thread:1; T06thread:1; W01");
    assert_int_equal(result.end, MACHINE_STOPPED);
    rig_program(&r, never_ends);
    assert_string_equal(ANSWERS(&r, &result, "c"), "W03");
    assert_int_equal(result.end, MACHINE_LIMIT);
    rig_close(&r);
}

/* Two CPUs: one held, one stepped; the list of both. */
static void threads(void **state)
{
    struct rig r;
    struct machine_result result;
    (void)state;
    rig_open(&r, 2, ENGINE_BLOCK);
    rig_program(&r, never_ends);
    r.m->sys.cpus[1]->state = CPU_STATE_OPERATING;
    assert_int_equal(cpu_load_psw(r.m->sys.cpus[1], RIG_PSW, RIG_CODE), 0);
    assert_string_equal(ANSWERS(&r, &result, "qfThreadInfo", "qsThreadInfo", "T2", "T3", "Hg2", "qC", "Hc2", "s", "s",
                                "p1", "Hg1", "p1", "qThreadExtraInfo,2", "vCont;s:1", "p1", "vCont;x", "vCont;s:9",
                                "k"),
                        "m1,2 l OK E01 OK QC2 OK T05thread:2; T05thread:2; 0000000000000001 OK 0000000000000000 "
                        "43505520312c206f7065726174696e67 T05thread:1; 0000000000000001 E01 E01");
    rig_close(&r);
}

/* Ctrl-C stops a guest that never ends, within its time slice. */
static void interrupts(void **state)
{
    (void)state;
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_REFERENCE; engine++) {
        struct rig r;
        char text[200];
        rig_open(&r, 1, engine);
        rig_program(&r, never_ends);
        r.client = rig_connect(&r);
        rig_say(&r, "QStartNoAckMode");
        rig_say(&r, "vCont;c");
        rig_send(&r, "\003", 1);
        rig_say(&r, "k");
        const uint64_t start = session_now_ns();
        assert_int_equal(gdb_run(&r.session, UINT64_MAX).end, MACHINE_REQUEST);
        assert_true(session_now_ns() - start < 2000000000); /* 100 ms on a host that has time for us */
        rig_hear(&r, text, sizeof text);
        assert_non_null(strstr(text, "$T02thread:1;#"));
        rig_close(&r);
    }
}

/* A client in a thread of its own: Ctrl-C a while after the guest went on, and how long it took. */
static void *presses_key(void *context)
{
    static uint64_t took_ns;
    const struct rig *r = context;
    char text[200];
    usleep(100000);
    const uint64_t start = session_now_ns();
    rig_send(r, "\003", 1);
    for (size_t used = 0; used < sizeof text - 1;) {
        const ssize_t n = recv(r->client, text + used, sizeof text - 1 - used, 0);
        used += n > 0 ? (size_t)n : 0;
        text[used] = 0;
        if (n <= 0 || strstr(text, "$T02"))
            break;
    }
    took_ns = session_now_ns() - start;
    rig_say(r, "k");
    return strstr(text, "$T02") ? &took_ns : NULL;
}

/* It takes less than a tenth of a second, whatever the guest does: counts, waits with a timer set or for nothing that
   will come while somebody types, on one CPU or in threads. (Twice that here: the host has more to do.) */
static void interrupts_are_quick(void **state)
{
    static const char *const waits[] = {"spt 0x310", "lctlg %c0,%c0,0x318", "lpswe 0x320", NULL};
    (void)state;
    for (unsigned how = 0; how < 6; how++) {
        struct rig r;
        pthread_t client;
        void *took;
        rig_open_as(&r, how == 3 ? 2 : 1, how == 1 ? ENGINE_REFERENCE : ENGINE_BLOCK, how == 3 || how == 5, how == 4);
        rig_program(&r, how == 2 || how > 3 ? waits : never_ends);
        put64(r.m->sys.storage.bytes + 0x310, 1000 << 12); /* a timer that strikes for ever, its handler waits again */
        put64(r.m->sys.storage.bytes + 0x318, CR0_CPU_TIMER);
        for (unsigned psw = 0x1b0; psw; psw = psw == 0x1b0 ? 0x320 : 0) {
            put64(r.m->sys.storage.bytes + psw, RIG_PSW | (psw == 0x320 ? PSW_WAIT | PSW_EXT : 0));
            put64(r.m->sys.storage.bytes + psw + 8, RIG_CODE);
        }
        r.client = rig_connect(&r);
        rig_say(&r, "c");
        assert_int_equal(pthread_create(&client, NULL, presses_key, &r), 0);
        assert_int_equal(gdb_run(&r.session, UINT64_MAX).end, MACHINE_REQUEST);
        pthread_join(client, &took);
        assert_non_null(took);
        print_message("%u: %u us\n", how, (unsigned)(*(uint64_t *)took / 1000));
        assert_true(*(uint64_t *)took < 200000000);
        rig_close(&r);
    }
}

/* Wrong sums, cut-off packets, noise, packets that are too long or unknown; then all is as before. */
static void bad_packets(void **state)
{
    static char longest[0x5000];
    struct rig r;
    char text[1000];
    (void)state;
    rig_open(&r, 1, ENGINE_BLOCK);
    rig_program(&r, counts);
    r.client = rig_connect(&r);
    rig_send(&r, "$p3#00", 6);
    rig_send(&r, "$p3#zz", 6);
    rig_send(&r, "$p3$", 4);
    rig_send(&r, "p3#a3", 5);
    rig_send(&r, "garbage\377\0\n++", 12);
    memset(longest, 'x', sizeof longest - 1);
    snprintf(longest, 3, "$X");
    longest[2] = 'x';
    longest[sizeof longest - 4] = '#';
    uint8_t sum = 0;
    for (unsigned i = 1; i < sizeof longest - 4; i++)
        sum = (uint8_t)(sum + (uint8_t)longest[i]);
    snprintf(longest + sizeof longest - 3, 3, "%02x", sum);
    rig_send(&r, longest, sizeof longest - 1);
    rig_say(&r, "qWhatIsThis");
    rig_say(&r, "vMustReplyEmpty");
    rig_say(&r, "mfffffffffffffffff,1");
    rig_say(&r, "Z9,0,0");
    rig_say(&r, "Z2,ffffffffffffffff,2");
    rig_say(&r, "Z2,10,0");
    rig_say(&r, "qXfer:features:read:target.xml:ffffff,10");
    rig_say(&r, "qXfer:features:read:target.xml:0,1f");
    rig_send(&r, "-", 1);
    rig_send(&r, "$m1000", 6); /* and gone */
    shutdown(r.client, SHUT_WR);
    const struct machine_result result = gdb_run(&r.session, 100000);
    assert_int_equal(result.end, MACHINE_STOPPED); /* nobody is left: the guest goes on to its end */
    rig_hear(&r, text, sizeof text);
    assert_string_equal(text,
                        "---+$0000000000000000#00+$E.the packet is longer than PacketSize#cd+$#00+$#00+$E01#a6+$#00+"
                        "$E.a watchpoint has a length, and does not wrap#49+$E.a watchpoint has a length, and does not "
                        "wrap#49+$l#6c+$m<?xml version=\"1.0\"?>\n<!DOCTYPE#6b$m<?xml version=\"1.0\"?>\n<!DOCTYPE#6b");
    rig_close(&r);
}

/* Another client is told so; the first one notices nothing. A client that goes makes room. */
static void one_client(void **state)
{
    struct rig r;
    char text[200];
    (void)state;
    rig_open(&r, 1, ENGINE_BLOCK);
    rig_program(&r, never_ends);
    for (unsigned round = 0; round < 3; round++) {
        r.client = rig_connect(&r);
        rig_say(&r, "?");
        struct rig second = r;
        second.client = rig_connect(&r);
        shutdown(r.client, SHUT_WR);
        assert_int_equal(gdb_run(&r.session, 50000000).end, MACHINE_LIMIT);
        rig_hear(&second, text, sizeof text);
        assert_string_equal(text, "+$E.another debugger is connected to this machine#68");
        rig_hear(&r, text, sizeof text);
        assert_string_equal(text, "+$T05thread:1;#d7");
        close(second.client);
        rig_hang_up(&r);
    }
    rig_close(&r);
}

/* A client that sends and never reads is given up when the operator asks; a closed descriptor is a client that has
 * gone. */
static void host_faults(void **state)
{
    struct rig r;
    char error[300];
    (void)state;
    rig_open(&r, 1, ENGINE_BLOCK);
    rig_program(&r, never_ends);
    r.client = rig_connect(&r);
    const int little = 2048;
    setsockopt(r.client, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    for (unsigned i = 0; i < 100; i++)
        rig_say(&r, "m0,1fff");
    r.session.interrupted = true;
    assert_int_equal(gdb_run(&r.session, 1000).end, MACHINE_REQUEST);
    r.session.interrupted = false;
    rig_hang_up(&r);
    assert_int_equal(gdb_run(&r.session, 1000).end, MACHINE_LIMIT);
    gdb_close(&r.session);
    static const struct {
        const char *place, *words;
    } wrong[] = {{"", "give a port"},        {"65536", "give a port"},         {"1x", "give a port"},
                 {"localhost:1", "numeric"}, {"unix:", "1 to 107 characters"}, {"unix:/nowhere/at/all", "No such file"},
                 {":1", "give a port"},      {"127.0.0.1:-1", "give a port"},  {"192.0.2.1:1234", "cannot listen"}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_true(gdb_open(&r.session, wrong[i].place, false, NULL, error, sizeof error) < 0);
        if (!strstr(error, wrong[i].words))
            fail_msg("%s: %s", wrong[i].place, error);
    }
    assert_int_equal(gdb_open(&r.session, "0", false, NULL, error, sizeof error), 0);
    char place[100];
    snprintf(place, sizeof place, "%s", gdb_place(&r.session));
    assert_int_equal(strncmp(place, "127.0.0.1:", 10), 0);
    struct rig other;
    rig_open(&other, 1, ENGINE_BLOCK);
    assert_true(gdb_open(&other.session, place, false, NULL, error, sizeof error) < 0);
    assert_non_null(strstr(error, "name another port"));
    assert_non_null(other.session.gdb); /* the port that was open stays */
    rig_close(&other);
    rig_close(&r);
}

/* The frame alone: escapes there and back. */
static void frames(void **state)
{
    static struct packet_answer answer;
    static struct packet_reader reader;
    static char frame[PACKET_FRAME];
    uint8_t all[256];
    (void)state;
    for (unsigned i = 0; i < sizeof all; i++)
        all[i] = (uint8_t)i;
    packet_begin(&answer);
    packet_add_binary(&answer, all, sizeof all);
    const size_t n = packet_frame(&answer, frame);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(packet_take(&reader, (uint8_t)frame[i]), i == n - 1 ? PACKET_COMPLETE : PACKET_NONE);
    assert_int_equal(reader.length, sizeof all);
    assert_memory_equal(reader.body, all, sizeof all);
    assert_int_equal(packet_take(&reader, 3), PACKET_INTERRUPT);
    assert_int_equal(packet_take(&reader, '+'), PACKET_TAKEN);
    assert_int_equal(packet_take(&reader, '-'), PACKET_AGAIN);
    packet_begin(&answer);
    for (unsigned i = 0; i < 200; i++)
        packet_add_hex(&answer, all, sizeof all);
    assert_true(answer.full);
    assert_true(answer.length <= PACKET_MOST);
    packet_add(&answer, "%s", "no more room");
    assert_true(packet_frame(&answer, frame) <= PACKET_FRAME);
}

/* ---- a path that is there can be connected to ----------------------------------------------------------------------
 */

static const char *early; /* the path that is not to be there yet, or NULL */
static unsigned listened;

int listen(int file, int waiting)
{
    int (*next)(int, int) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "listen");
    if (early)
        assert_int_equal(access(early, F_OK), -1);
    listened++;
    return next(file, waiting);
}

/* Clients wait for the path: it appears when its socket listens, also where one was left over or its name is so long
   that no other fits beside it (there the path is there first). */
static void paths_that_listen(void **state)
{
    char folder[] = "/tmp/zri-socket-XXXXXX", path[SOCKET_PATH + 1], why[200];
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (size_t length = 30; length < SOCKET_PATH; length += SOCKET_PATH - 1 - 30) {
        snprintf(path, sizeof path, "%s/%0*d", folder, (int)(length - strlen(folder) - 1), 0);
        assert_int_equal(strlen(path), length);
        for (unsigned again = 0; again < 2; again++) {
            struct sockaddr_un address = {.sun_family = AF_UNIX};
            memcpy(address.sun_path, path, length);
            early = length == 30 && !again ? path : NULL;
            listened = 0;
            const int file = socket_listen(path, why, sizeof why);
            early = NULL;
            assert_true(file > 0);
            assert_true(listened >= 1);
            const int client = socket(AF_UNIX, SOCK_STREAM, 0);
            assert_int_equal(connect(client, (struct sockaddr *)&address, sizeof address), 0);
            assert_int_equal(socket_listen(path, why, sizeof why), -EADDRINUSE); /* not taken from its owner */
            close(client);
            close(file); /* and left over */
        }
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0); /* nothing else is left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames),        cmocka_unit_test(registers_and_storage),
        cmocka_unit_test(all_registers), cmocka_unit_test(stops),
        cmocka_unit_test(bad_ends),      cmocka_unit_test(threads),
        cmocka_unit_test(interrupts),    cmocka_unit_test(interrupts_are_quick),
        cmocka_unit_test(bad_packets),   cmocka_unit_test(one_client),
        cmocka_unit_test(host_faults),   cmocka_unit_test(paths_that_listen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
