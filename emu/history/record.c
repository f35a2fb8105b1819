/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording that is made or replayed. While it is made, what comes from outside goes into a file; while it is
   replayed, its events are those that are to come again (emu/history/events.c), from the first one on. What the machine
   is now and then stands between them, so that a replay that went another way is found, and near the place. */
#include "emu/history/record.h"
#include "cpu/control/psw.h"
#include "cpu/state/timing.h"
#include "emu/history/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHECK_EACH UINT64_C(16000000) /* instructions */
#define TOD_1970   UINT64_C(0x7d91048bca000000)

/* ---- what a machine is like ------------------------------------------------------------------------------------ */

/* Of registers, PSWs and clocks of all CPUs. */
static uint64_t registers_hash(const struct history *h)
{
    const struct machine *m = h->machine;
    uint64_t hash = history_clock(h);
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        const struct cpu *cpu = m->sys.cpus[i];
        const uint64_t words[] = {cpu_psw_mask(cpu), cpu->psw.ia,          cpu->fpc, cpu->prefix, cpu->clock_comparator,
                                  cpu->state,        cpu_instructions(cpu)};
        hash = tape_hash(hash, cpu->gr, sizeof cpu->gr);
        hash = tape_hash(hash, cpu->cr, sizeof cpu->cr);
        hash = tape_hash(hash, cpu->ar, sizeof cpu->ar);
        hash = tape_hash(hash, cpu->vr, sizeof cpu->vr);
        hash = tape_hash(hash, words, sizeof words);
    }
    return hash;
}

/* Of all that storage holds, and its keys. */
static uint64_t storage_hash(const struct machine *m)
{
    static const uint8_t zeros[PAGE_SIZE_Z];
    const struct storage *s = &m->sys.storage;
    uint64_t hash = s->total;
    for (uint64_t page = 0; page < s->total >> PAGE_BITS; page++) {
        const uint8_t *bytes = s->bytes + (page << PAGE_BITS);
        if (memcmp(bytes, zeros, PAGE_SIZE_Z) != 0)
            hash = tape_hash(hash ^ page, bytes, PAGE_SIZE_Z);
    }
    return tape_hash(hash, s->keys, s->total >> PAGE_BITS);
}

/* What tells whether somebody changed the machine between two runs: its state, and whether storage was written to. */
static uint64_t marked(struct history *h, uint64_t *stores)
{
    char error[256];
    const struct storage *s = &h->machine->sys.storage;
    *stores = h->machine->sys.storage.told;
    if (snapshot_keep(h->machine, &h->scratch, error, sizeof error))
        return 0;
    return tape_hash(tape_hash(0, h->scratch.bytes, h->scratch.length), s->keys, s->total >> PAGE_BITS);
}

/* ---- recording ------------------------------------------------------------------------------------------------- */

static void say(const struct history *h, const char *words)
{
    char text[700];
    snprintf(text, sizeof text, "recording '%.200s': %s", h->tape->file, words);
    session_say(h->session, text);
}

static bool behind_end(const struct machine *m, bool *loops)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        const struct cpu *cpu = m->sys.cpus[i];
        *loops |= cpu->taken.loop;
        if (cpu->state == CPU_STATE_OPERATING && !machine_disabled_wait(cpu))
            return false;
    }
    return true;
}

/* Did the guest come to its end by itself? */
static bool guest_ended(const struct machine *m)
{
    bool loops = false;
    return behind_end(m, &loops) || loops;
}

/* The file is closed, with what its end is. */
static int end_file(struct history *h, enum tape_why why)
{
    struct tape *t = h->tape;
    uint8_t bytes[24];
    if (!t->out)
        return 0;
    struct event e = events_now(h, TAPE_END, false, why);
    e.bytes = bytes;
    e.length = why == TAPE_CHANGED ? 0 : sizeof bytes;
    put64(bytes, registers_hash(h));
    put64(bytes + 8, storage_hash(h->machine));
    put64(bytes + 16, t->wrote);
    const int code = tape_close(t->out, &e);
    t->out = NULL;
    return code;
}

/* Something could not be put. */
static void lose(struct history *h, int code)
{
    char words[360];
    const uint64_t length = tape_length(h->tape->out);
    if (code == -EFBIG)
        snprintf(words, sizeof words,
                 "it ends here, at instruction %" PRIu64 ", as it has %" PRIu64 " bytes; --record-limit lets it be "
                 "longer; the guest goes on",
                 machine_instructions(h->machine), length);
    else
        snprintf(words, sizeof words,
                 "it ends here, at instruction %" PRIu64 ", behind byte %" PRIu64 ": %s; make room, or name a file "
                 "elsewhere, and record again; what was recorded can be replayed, and the guest goes on",
                 machine_instructions(h->machine), length, strerror(-code));
    say(h, words);
    (void)end_file(h, TAPE_FULL);
    h->tape->wrong = true;
}

static void put(struct history *h, const struct event *e)
{
    struct tape *t = h->tape;
    if (!t->out)
        return;
    const int code = tape_put(t->out, e);
    if (code)
        lose(h, code);
}

/* The machine becomes another one than that which is recorded, by somebody's hand. */
static void end_changed(struct history *h, const char *why)
{
    char words[300];
    if (h->tape->out) {
        snprintf(words, sizeof words, "it ends here, at instruction %" PRIu64 ": %s; the guest goes on",
                 machine_instructions(h->machine), why);
        say(h, words);
        (void)end_file(h, TAPE_CHANGED);
    }
    if (h->tape->replays) {
        snprintf(words, sizeof words,
                 "it is left here, at instruction %" PRIu64 ": %s; what comes from outside now is new",
                 machine_instructions(h->machine), why);
        say(h, words);
        h->tape->replays = false;
    }
}

void recording_told(struct history *h, const struct event *e)
{
    if (!h->tape || !h->tape->out)
        return;
    if (tape_behind(h->tape->out, e))
        put(h, e);
    else
        end_changed(h, "the past went on in another way");
}

/* Something that the machine is like now. */
static void put_state(struct history *h, enum tape_kind kind)
{
    uint8_t bytes[16];
    struct event e = events_now(h, kind, false, registers_hash(h));
    if (kind == TAPE_BEGIN)
        put64(bytes, storage_hash(h->machine));
    put64(bytes + (kind == TAPE_BEGIN ? 8 : 0), h->tape->wrote);
    e.bytes = bytes;
    e.length = kind == TAPE_BEGIN ? 16 : 8;
    put(h, &e);
}

void recording_due(struct history *h)
{
    struct tape *t = h->tape;
    if (!t || !t->out || h->travelling || h->event < h->event_count)
        return;
    const uint64_t now = machine_instructions(h->machine);
    if (now >= t->check_at) {
        put_state(h, TAPE_CHECK);
        t->check_at = now + CHECK_EACH;
    }
}

void recording_block(struct history *h, uint64_t device, const uint8_t *bytes, size_t length)
{
    struct tape *t = h->tape;
    if (!t || !t->out)
        return;
    const int code = tape_put_block(t->out, device, bytes, length);
    if (code)
        lose(h, code);
}

void recording_run_begins(struct history *h)
{
    struct tape *t = h->tape;
    uint64_t stores;
    if (!t)
        return;
    const bool comes = t->replays && h->event < h->event_count;
    if (t->marked && (t->out || comes) && (marked(h, &stores) != t->mark || stores != t->stores)) {
        end_changed(h, "somebody changed the machine");
        events_forget_future(h);
    }
    if (t->out && !t->begun) {
        put_state(h, TAPE_BEGIN);
        t->check_at = machine_instructions(h->machine) + CHECK_EACH;
    }
    if (t->replays && !t->begun)
        events_replay(h); /* the beginning */
    t->begun = true;
}

void recording_run_ended(struct history *h)
{
    struct tape *t = h->tape;
    if (!t || !(t->out || t->replays))
        return;
    t->mark = marked(h, &t->stores);
    t->marked = true;
}

void recording_future_gone(struct history *h)
{
    if (h->tape)
        end_changed(h, "the past was changed");
}

void recording_close(struct history *h)
{
    if (!h->tape)
        return;
    (void)end_file(h, TAPE_OPERATOR);
    free(h->tape);
    h->tape = NULL;
}

/* ---- replaying ------------------------------------------------------------------------------------------------- */

/* The replay is not the run that was recorded. */
static void differ(struct history *h, const char *what)
{
    char words[400];
    snprintf(words, sizeof words,
             "the replay went another way: at instruction %" PRIu64 " %s (all was the same at %" PRIu64
             "); were the files changed that the guest reads? Else it is a fault of zri, please report it",
             machine_instructions(h->machine), what, h->tape->last_good);
    say(h, words);
    h->tape->wrong = h->session->played_out = true;
    h->tape->replays = false;
    h->event = h->event_count; /* what came from outside then has no place any more */
}

void recording_missed(struct history *h)
{
    const struct tape *t = h->tape;
    if (t && t->replays)
        differ(h, "the machine passed a place where something came from outside");
}

/* The registers are as they were, and what was written is. */
static bool same_registers(struct history *h, uint64_t registers, uint64_t wrote)
{
    const char *what = registers != registers_hash(h)                 ? "registers or clocks have other values"
                       : h->tape->straight && wrote != h->tape->wrote ? "the guest has written something else"
                                                                      : NULL;
    if (what)
        differ(h, what);
    else
        h->tape->last_good = machine_instructions(h->machine);
    return !what;
}

static void at_end(struct history *h, const struct event *e)
{
    char words[200];
    if (e->length && (!same_registers(h, get64(e->bytes), get64(e->bytes + 16)) ||
                      get64(e->bytes + 8) != storage_hash(h->machine))) {
        if (!h->tape->wrong)
            differ(h, "storage holds something else");
        return;
    }
    h->session->played_out = true;
    if (e->value == TAPE_GUEST || h->travelling)
        return;
    snprintf(words, sizeof words, "it ends here, at instruction %" PRIu64 "%s", machine_instructions(h->machine),
             e->value == TAPE_CUT    ? ", where it was cut off"
             : e->value == TAPE_FULL ? ", where it had its limit"
                                     : "");
    say(h, words);
}

void recording_replay(struct history *h, const struct event *e)
{
    struct tape *t = h->tape;
    if (!t->replays)
        return;
    if (e->kind == TAPE_END) {
        at_end(h, e);
    } else if (h->travelling) {
        return;
    } else if (e->kind == TAPE_CHECK) {
        (void)same_registers(h, e->value, get64(e->bytes));
    } else if (e->kind == TAPE_BEGIN && same_registers(h, e->value, t->wrote) &&
               get64(e->bytes) != storage_hash(h->machine)) {
        differ(h, "storage holds something else");
    }
}

/* ---- beginning and ending -------------------------------------------------------------------------------------- */

/* What the machine draws from the host when it is made. */
static int draw(struct emu_options *o, char *error, size_t size)
{
    struct timespec t;
    if (o->machine.host_clock) {
        clock_gettime(CLOCK_REALTIME, &t);
        o->machine.profile.tod_start =
            TOD_1970 + ((uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000) * CPU_TOD_MICROSECOND;
    }
    if (o->machine.entropy == ENTROPY_SEED || (o->machine.entropy == ENTROPY_BY_CLOCK && !o->machine.host_clock))
        return 0;
    if (!getentropy(&o->machine.seed, sizeof o->machine.seed))
        return 0;
    snprintf(error, size, "--record: the host gives no random numbers; give --seed N");
    return -EIO;
}

static int take_number(const struct tape_in *in, const char *file, const char *name, uint64_t *value, char *error,
                       size_t size)
{
    const char *text = tape_item(in, name);
    char *end = NULL;
    errno = 0;
    if (text)
        *value = strtoull(text, &end, 10);
    if (text && !errno && end != text && !*end)
        return 0;
    snprintf(error, size, "recording '%.200s' does not say %s; it was made by hand, record again", file, name);
    return -EINVAL;
}

int recording_prepare(struct emu_options *o, struct tape_in *in, char *error, size_t size)
{
    memset(in, 0, sizeof *in);
    if (!o->record && !o->replay)
        return 0;
    if (!o->record_limit)
        o->record_limit = TAPE_BYTES;
    int code = o->replay ? tape_read(o->replay, in, error, size) : draw(o, error, size);
    if (!code && o->replay)
        code = take_number(in, o->replay, "seed", &o->machine.seed, error, size);
    if (!code && o->replay)
        code = take_number(in, o->replay, "clock begins", &o->machine.profile.tod_start, error, size);
    o->follows = o->machine.host_clock;
    o->machine.host_clock = false;
    o->machine.entropy = ENTROPY_SEED;
    o->machine.replayed = o->replay != NULL;
    o->machine.private_media |= o->replay != NULL;
    return code;
}

/* The first item that the recording has and this machine has not. 0 or -EINVAL with a sentence. */
static int same_items(const struct tape_in *in, const char *file, const char *items, size_t length, char *error,
                      size_t size)
{
    const struct tape_in mine = {.items = (char *)(uintptr_t)items, .items_length = length};
    for (unsigned way = 0; way < 2; way++) {
        const struct tape_in *from = way ? &mine : in, *to = way ? in : &mine;
        for (size_t at = 0; at < from->items_length;) {
            const char *name = from->items + at, *value = name + strlen(name) + 1, *other = tape_item(to, name);
            if (!other || strcmp(value, other) != 0) {
                snprintf(error, size,
                         "recording '%.100s' is of another run: %.60s was %.60s and is %.60s; give what was recorded, "
                         "or record again",
                         file, name, way ? other ? other : "not there" : value,
                         way     ? value
                         : other ? other
                                 : "not there");
                return -EINVAL;
            }
            at = (size_t)(value - from->items) + strlen(value) + 1;
        }
    }
    return 0;
}

/* The events of `in` are what is to come. */
static void take_events(struct history *h, struct tape_in *in)
{
    h->events = in->events;
    h->event_count = h->event_room = in->count;
    h->event = 0;
    for (unsigned n = 0; n < in->count; n++)
        h->event_bytes += sizeof *in->events + in->events[n].length;
    h->tape->ends = in->events[in->count - 1].instructions;
    h->tape->cut = in->cut != 0;
    in->events = NULL;
    in->count = 0;
}

static void warn_of_cut(const struct history *h, uint64_t at)
{
    char words[300];
    snprintf(words, sizeof words,
             "it is cut off or damaged behind byte %" PRIu64
             "; what is in front of that is replayed, up to instruction "
             "%" PRIu64 "; take a whole copy, or record again",
             at, h->tape->ends);
    say(h, words);
}

int recording_begin(struct session *s, const struct emu_options *o, struct tape_in *in, char *error, size_t size)
{
    const char *file = o->record ? o->record : o->replay;
    size_t length;
    if (!file)
        return 0;
    struct history *h = history_of(s);
    if (h)
        disks_restore(h, in->blocks, in->block_count);
    char *items = h ? recording_items(s, o, &length) : NULL;
    struct tape *t = items ? calloc(1, sizeof *t) : NULL;
    int code = t ? 0 : -ENOMEM;
    if (!t)
        snprintf(error, size, "recording '%.200s': the host has no memory; end other programs", file);
    else
        snprintf(t->file, sizeof t->file, "%s", file);
    if (!code && o->record && !(t->out = tape_create(file, o->record_limit, items, length, error, size)))
        code = -EIO;
    if (!code && o->replay)
        code = same_items(in, file, items, length, error, size);
    free(items);
    if (code) {
        free(t);
        if (h)
            history_unused(h);
        return code;
    }
    h->tape = t;
    t->straight = true;
    if (t->out && disks_watch(h)) {
        snprintf(error, size, "recording '%.200s': the host has no memory; end other programs", file);
        return -ENOMEM;
    }
    t->replays = t->played = o->replay != NULL;
    if (t->replays)
        take_events(h, in);
    if (t->cut)
        warn_of_cut(h, in->cut);
    if (o->follows && o->record)
        session_follow(s);
    events_due(h);
    return 0;
}

/* What is replayed is over: was it all? */
static void finish_replay(struct history *h)
{
    const struct event *e = h->event < h->event_count ? &h->events[h->event] : NULL;
    if (!h->tape->replays || !e || !guest_ended(h->machine))
        return;
    if (e->kind == TAPE_END && e->instructions == machine_instructions(h->machine))
        at_end(h, e);
    else
        differ(h, "the guest ends, and in the recording it went on");
}

int recording_finish(struct session *s, char *error, size_t size)
{
    struct history *h = s->history;
    struct tape *t = h ? h->tape : NULL;
    if (!t)
        return 0;
    finish_replay(h);
    const int code = end_file(h, guest_ended(h->machine) ? TAPE_GUEST : TAPE_OPERATOR);
    if (code)
        snprintf(error, size,
                 "recording '%.200s': its end cannot be written: %s; make room and record again; what was recorded can "
                 "be replayed",
                 t->file, strerror(-code));
    else if (t->wrong || t->cut)
        snprintf(error, size, "recording '%.200s': not all of the run was %s, see above", t->file,
                 t->played ? "replayed" : "recorded");
    const bool bad = code || t->wrong || t->cut;
    return bad ? code ? code : -EIO : 0;
}
