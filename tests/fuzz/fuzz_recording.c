/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries recordings made by mutation, unpacked and with lengths and checksums made right again, so that the damage
   arrives where events are understood, and replays what is taken: none may crash, hang, or harm the host. Usage:
   fuzz_recording [COUNT [SEED]]. The sanitizers are the judges. */
#include "base/bits.h"
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "emu/history/internal.h"
#include "emu/history/record.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

#define MOST   200000u
#define HEAD   12u
#define BLOCKS 8u

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

/* The blocks of a file, unpacked. */
struct file {
    uint8_t head[HEAD];
    unsigned count;
    size_t length[BLOCKS];
    uint8_t bytes[BLOCKS][MOST];
};

static struct emu_options options(const char *name, bool again)
{
    struct emu_options o = {.machine = machine_default_config()};
    o.machine.storage = UINT64_C(1) << 20;
    o.machine.cpus = 2;
    *(again ? &o.replay : &o.record) = name;
    return o;
}

/* A small machine of two CPUs with a loop, a console, a disk and a network. False: with a sentence. */
static bool open_machine(struct session *s, struct emu_options *o, struct tape_in *in, char *error, size_t size)
{
    static const uint8_t loop[] = {0xa7, 0x1b, 0, 1, 0xa7, 0xf4, 0xff, 0xfe};
    static const char *const devices[] = {"0009,3215", "0120,virtio-blk,=64K", "0130,virtio-net,user"};
    bool good = !recording_prepare(o, in, error, size);
    o->machine.replayed = true; /* the network needs no host */
    if (!good || session_open(s, &o->machine, false, NULL, error, size))
        return false;
    for (unsigned i = 0; good && i < 3; i++)
        good = !session_attach(s, devices[i], false, error, size);
    memcpy(s->machine->sys.storage.bytes + 0x10000, loop, sizeof loop);
    for (unsigned i = 0; good && i < 2; i++) {
        good = !cpu_load_psw(s->machine->sys.cpus[i], PSW_EA | PSW_BA, 0x10000);
        cpu_set_state(s->machine->sys.cpus[i], CPU_STATE_OPERATING);
    }
    s->machine->sclp.receive_mask = UINT32_MAX;
    good = good && !recording_begin(s, o, in, error, size);
    if (!good)
        session_close(s);
    return good;
}

/* Events of every kind. */
static void seed(const char *name)
{
    struct emu_options o = options(name, false);
    struct session s;
    struct tape_in in;
    char error[600];
    if (!open_machine(&s, &o, &in, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(99);
    }
    uint8_t frame[64] = {1, 2, 3};
    for (unsigned n = 0; n < 6; n++) {
        machine_run(s.machine, 5000);
        s.keeper.told(s.keeper.context, (enum session_outside)n, n == SESSION_SLEPT,
                      n == SESSION_FRAME                          ? 0x130
                      : n == SESSION_SLEPT || n == SESSION_PASSED ? 10
                                                                  : 0,
                      frame, n == SESSION_LINE || n == SESSION_KEYS || n == SESSION_FRAME ? sizeof frame : 0);
    }
    machine_run(s.machine, 5000);
    if (recording_finish(&s, error, sizeof error))
        exit(99);
    session_close(&s);
}

static void unpack(const char *name, struct file *f)
{
    static uint8_t packed[MOST];
    uint8_t head[HEAD];
    FILE *from = fopen(name, "rb");
    if (!from || fread(f->head, 1, HEAD, from) != HEAD)
        exit(99);
    for (f->count = 0; f->count < BLOCKS && fread(head, 1, HEAD, from) == HEAD; f->count++) {
        uLongf length = MOST;
        if (fread(packed, 1, get32(head), from) != get32(head) ||
            uncompress(f->bytes[f->count], &length, packed, get32(head)) != Z_OK)
            exit(99);
        f->length[f->count] = length;
    }
    fclose(from);
    if (f->count < 2)
        exit(99);
}

static void pack(const char *name, const struct file *f, uint64_t *state)
{
    static uint8_t packed[2 * MOST];
    uint8_t head[HEAD];
    FILE *to = fopen(name, "wb");
    if (!to || fwrite(f->head, 1, HEAD, to) != HEAD)
        exit(99);
    for (unsigned n = 0; n < f->count; n++) {
        uLongf length = sizeof packed;
        if (compress(packed, &length, f->bytes[n], f->length[n]) != Z_OK)
            exit(99);
        put32(head, (uint32_t)length);
        put32(head + 4, (uint32_t)f->length[n]);
        put32(head + 8, (uint32_t)crc32(0, packed, (uInt)length));
        if (!pick(state, 40)) /* the frame itself */
            head[pick(state, HEAD)] = (uint8_t)pick(state, 256);
        if (fwrite(head, 1, HEAD, to) != HEAD || fwrite(packed, 1, length, to) != length)
            exit(99);
    }
    if (fclose(to))
        exit(99);
}

/* Numbers and kinds of events mostly; what a recording is of seldom, as it is refused for that. */
static void mutate(struct file *f, uint64_t *state)
{
    for (uint64_t k = 1 + pick(state, 4); k--;) {
        const unsigned n = pick(state, 12) ? 1 + (unsigned)pick(state, f->count - 1) : 0;
        uint8_t *bytes = f->bytes[n];
        const size_t at = pick(state, f->length[n]);
        switch (pick(state, 6)) {
        case 0: /* cut off */
            f->length[n] = at + 1;
            break;
        case 1: /* a piece twice */
            if (f->length[n] + 40 < MOST && at + 20 < f->length[n]) {
                memmove(bytes + at + 20, bytes + at, f->length[n] - at);
                f->length[n] += 20;
            }
            break;
        case 2: /* a long number */
            memset(bytes + at, 0xff, f->length[n] - at < 9 ? f->length[n] - at : 9);
            break;
        case 3: /* a kind */
            bytes[at] = (uint8_t)(pick(state, 2) ? 16 + pick(state, 5) : pick(state, 8));
            break;
        default:
            bytes[at] = (uint8_t)pick(state, 256);
        }
    }
}

/* What is taken is replayed, forwards and backwards. */
static bool replay(const char *name, uint64_t *state)
{
    struct emu_options o = options(name, true);
    struct session s;
    struct tape_in in;
    struct history_end end;
    char error[600] = "";
    const bool good = open_machine(&s, &o, &in, error, sizeof error);
    tape_free(&in);
    if (!good && !error[0]) {
        fprintf(stderr, "fuzz_recording: refused without a sentence\n");
        exit(1);
    }
    if (!good)
        return false;
    if (pick(state, 2))
        (void)!history_begin(&s, 1 << 20, 3000, error, sizeof error);
    for (unsigned n = 0; n < 6; n++) {
        machine_run(s.machine, 1 + pick(state, 12000));
        if (s.history && s.history->keeps)
            (void)!history_goto(&s, pick(state, 40000), &end, error, sizeof error);
    }
    (void)!recording_finish(&s, error, sizeof error);
    session_close(&s);
    return true;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 400;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252, taken = 0;
    static struct file good, bad;
    char name[64];
    snprintf(name, sizeof name, "fuzz-recording-%ld", (long)getpid());
    if (!freopen("/dev/null", "w", stderr)) /* what a replay says is not the matter */
        return 99;
    seed(name);
    unpack(name, &good);
    for (uint64_t i = 0; i < count; i++) {
        bad = good;
        mutate(&bad, &state);
        pack(name, &bad, &state);
        taken += replay(name, &state);
    }
    unlink(name);
    printf("fuzz_recording: %" PRIu64 " recordings, %" PRIu64 " taken: no harm\n", count, taken);
    return 0;
}

#else
int main(void) { return 77; }
#endif
