/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients of the debugger port that do not keep the rules: packets made by mutation, cut off, with wrong sums, in any
   order, while a guest runs that stores and branches. Nothing may crash or hang, and the guest's code stays what it is
   unless a packet that says so has changed it. Usage: fuzz_gdb [COUNT [SEED]]. The sanitizers are the judges. */
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "tests/fuzz/mutate.h"
#include "tests/unit/gdb_rig.h"
#include <inttypes.h>

#define MOST 6000u /* bytes of a client */

static const char *const seeds[] = {
    "qSupported:multiprocess+;swbreak+;hwbreak+",
    "QStartNoAckMode",
    "?",
    "g",
    "G0000000000000001",
    "p0",
    "p11",
    "P0=0000000000010000",
    "P10=0001000180000000",
    "P31=ffffffffffffffff",
    "P11=0000000000010000",
    "m10000,40",
    "m0,ffffffffffffffff",
    "mfffffffffffffff0,20",
    "Mfffff,2:0102",
    "M20000,4:01020304",
    "X20000,4:abcd",
    "X10000,0:",
    "Z0,10004,2",
    "Z1,1000a,2",
    "Z2,20000,8",
    "Z3,20000,1",
    "Z4,1fffff,2",
    "Z2,0,ffffffffffffffff",
    "z0,10004,2",
    "z2,20000,8",
    "vCont?",
    "vCont;c",
    "vCont;s:1;c",
    "vCont;s:2",
    "vCont;r10000,10010:1;c:-1",
    "vCont;C05;S05:1",
    "c",
    "s",
    "c10000",
    "sffffffffffffffff",
    "C05;10000",
    "Hg1",
    "Hc2",
    "Hg-1",
    "Hc0",
    "T1",
    "T99",
    "qC",
    "qfThreadInfo",
    "qsThreadInfo",
    "qThreadExtraInfo,1",
    "qXfer:features:read:target.xml:0,ffff",
    "qXfer:features:read:target.xml:100,10",
    "qXfer:memory-map:read::0,400",
    "qXfer:threads:read::0,400",
    "qRcmd,707377",
    "qRcmd,7",
    "qRcmd,",
    "qAttached",
    "qSymbol::",
    "vMustReplyEmpty",
    "vKill;1",
    "D",
    "k",
};

static uint64_t pick(uint64_t *state, uint64_t below) { return random_step(state) % below; }

/* The console is not what is tried here: an answer that is longer than a packet now and then. */
static char *command(void *context, struct cpu **cpu, const char *line, bool *quits)
{
    uint64_t *state = context;
    const size_t n = strlen(line) + (pick(state, 8) ? 0 : 30000);
    char *text = malloc(n + 1);
    (void)cpu;
    *quits = pick(state, 50) == 0;
    if (text) {
        memset(text, 'x', n);
        text[n] = 0;
    }
    return text;
}

/* What a client sends in all. */
static size_t make_client(uint64_t *state, char *bytes)
{
    size_t used = 0;
    for (uint64_t n = 1 + pick(state, 40); n-- && used < MOST - 600;) {
        char body[300];
        size_t length = (size_t)snprintf(body, sizeof body, "%s", seeds[pick(state, sizeof seeds / sizeof *seeds)]);
        uint8_t sum = 0;
        if (pick(state, 2))
            length = mutate(state, body, length, sizeof body, 4, "0123456789abcdef,;:=-#$}*");
        for (size_t i = 0; i < length; i++)
            sum = (uint8_t)(sum + (uint8_t)body[i]);
        if (pick(state, 20) == 0)
            bytes[used++] = "\003+-$#"[pick(state, 5)];
        bytes[used++] = '$';
        memcpy(bytes + used, body, length);
        used += length;
        used += (size_t)snprintf(bytes + used, 8, "#%02x", pick(state, 30) ? sum : sum ^ 1u);
    }
    return pick(state, 4) ? used : pick(state, used + 1); /* and cut off */
}

static void one(struct rig *r, uint64_t *state)
{
    static const char *const lines[] = {"lghi %r1,50",         "larl %r2,0x20000",  "stg %r1,0(%r2)", "ag %r3,0(%r2)",
                                        "mvc 8(8,%r2),0(%r2)", "brctg %r1,0x1000a", "j 0x10000",      NULL};
    static char bytes[MOST], answers[0x40000];
    for (unsigned i = 0; i < r->m->sys.cpu_count; i++) {
        struct cpu *cpu = r->m->sys.cpus[i];
        cpu_reset(cpu, CPU_RESET_CLEAR);
        if (cpu->held || cpu->watched.count > CPU_WATCHED)
            rig_fail("a CPU is held, and nobody is there");
    }
    rig_program(r, lines);
    if (r->m->sys.cpu_count > 1 && cpu_load_psw(r->m->sys.cpus[1], RIG_PSW, RIG_CODE) == 0)
        r->m->sys.cpus[1]->state = CPU_STATE_OPERATING;
    r->client = rig_connect(r);
    const size_t n = make_client(state, bytes);
    if (n)
        rig_send(r, bytes, n);
    if (pick(state, 2))
        shutdown(r->client, SHUT_WR);
    else
        rig_hang_up(r);
    const struct machine_result result = gdb_run(&r->session, 2000 + pick(state, 2000));
    if (result.end == MACHINE_BREAK || result.end == MACHINE_STEPPED)
        rig_fail("a stop that belongs to nobody");
    if (r->client >= 0)
        rig_hear(r, answers, sizeof answers);
    rig_hang_up(r);
    if (gdb_calls(&r->session)) /* a client that came to its end with the guest's limit */
        (void)gdb_run(&r->session, 1);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (uint64_t i = 0; i < count;) {
        struct rig r;
        rig_open(&r, 1 + (unsigned)pick(&state, 2), pick(&state, 2) ? ENGINE_BLOCK : ENGINE_REFERENCE);
        r.m->host.message = NULL;
        gdb_set_host(&r.session, &(struct gdb_host){.context = &state, .command = command});
        for (unsigned k = 0; k < 100 && i < count; k++, i++)
            one(&r, &state);
        rig_close(&r);
    }
    printf("%" PRIu64 " clients\n", count);
    return 0;
}
