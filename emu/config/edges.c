/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/config/edges.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BASE       10007u /* primes: no multiple of the period of a shorter loop */
#define BASE_CALLS 619u
#define TBT        32u
#define WALK_MOST  (UINT64_C(1) << 32)

void emu_edges_reset(struct emu_edges *e)
{
    *e = (struct emu_edges){.seed = 1, .tbt = TBT, .walk_limit = EP_WALK_LIMIT, .append_nt = true, .problem = true};
}

enum key {
    EVENT,
    BASE_N,
    DELTA,
    SEED,
    TBT_N,
    CBT,
    APPEND_NT,
    SHORT,
    NORM,
    WALK_LIMIT,
    WHAT,
    RANGE,
    PLACEMENT,
    QUEUE,
    KEYS
};
static const struct {
    const char *name, *words; /* of its values; NULL: numbers */
} keys[KEYS] = {
    [EVENT] = {"event", "branch insn call taken"},
    [BASE_N] = {"base", NULL},
    [DELTA] = {"delta", NULL},
    [SEED] = {"seed", NULL},
    [TBT_N] = {"tbt", NULL},
    [CBT] = {"cbt", NULL},
    [APPEND_NT] = {"append_nt", "off on"},
    [SHORT] = {"short", "auto drop keep"},
    [NORM] = {"norm", "none run block"},
    [WALK_LIMIT] = {"walk_limit", NULL},
    [WHAT] = {"what", "user kernel all"},
    [RANGE] = {"range", NULL},
    [PLACEMENT] = {"placement", "inline thread"},
    [QUEUE] = {"queue", "wait drop"},
};

/* The number of `value` among the words of a key; -1: it is none. */
static int word_of(const char *words, const char *value)
{
    const size_t length = strlen(value);
    for (int n = 0; *words; n++) {
        const size_t one = strcspn(words, " ");
        if (one == length && !strncmp(words, value, one))
            return n;
        words += one;
        words += *words == ' ';
    }
    return -1;
}

static void word_at(const char *words, unsigned n, char *text, size_t size)
{
    for (; n; n--)
        words += strcspn(words, " ") + 1;
    snprintf(text, size, "%.*s", (int)strcspn(words, " "), words);
}

/* A decimal number, all of the text. */
static bool number_of(const char *text, uint64_t *n)
{
    char *end;
    errno = 0;
    *n = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static void set_word(struct emu_edges *e, enum key key, unsigned n)
{
    switch (key) {
    case EVENT:
        e->event = n;
        break;
    case APPEND_NT:
        e->append_nt = n;
        break;
    case SHORT:
        e->short_is = n;
        break;
    case NORM:
        e->norm = n;
        e->has_norm = true;
        break;
    case WHAT:
        e->program[0] = 0;
        e->problem = n != 1;
        e->supervisor = n != 0;
        break;
    case PLACEMENT:
        e->threaded = n;
        break;
    default:
        e->drop = n;
        break;
    }
}

static void set_number(struct emu_edges *e, enum key key, uint64_t n)
{
    const unsigned few = n > UINT32_MAX ? UINT32_MAX : (unsigned)n;
    switch (key) {
    case BASE_N:
        e->base = n;
        e->has_base = true;
        break;
    case DELTA:
        e->delta = n;
        e->has_delta = true;
        break;
    case SEED:
        e->seed = n;
        break;
    case TBT_N:
        e->tbt = few;
        break;
    case CBT:
        e->cbt = few;
        e->has_cbt = true;
        break;
    default:
        e->walk_limit = n;
        break;
    }
}

/* "START-END", hexadecimal, inclusive; behind and apart from those that are there. "any": no ranges. */
static int add_range(struct emu_edges *e, const char *text, char *error, size_t size)
{
    char *end;
    struct ep_range r;
    if (!strcmp(text, "any")) {
        e->ranges = 0;
        return 0;
    }
    r.first = strtoull(text, &end, 16);
    const bool two = end != text && *end == '-' && end[1];
    r.last = two ? strtoull(end + 1, &end, 16) : 0;
    if (!two || *end || r.last < r.first || (e->ranges && r.first <= e->range[e->ranges - 1].last)) {
        snprintf(error, size,
                 "profile: range=%.80s: give START-END, hexadecimal and inclusive, each range behind the one before, "
                 "or any",
                 text);
        return -EINVAL;
    }
    if (e->ranges == EMU_EDGES_RANGES) {
        snprintf(error, size, "profile: range=%.80s: more than %u ranges; make fewer and larger ones", text,
                 EMU_EDGES_RANGES);
        return -EINVAL;
    }
    e->range[e->ranges++] = r;
    return 0;
}

/* A program's name, as the kernel has it in /proc/PID/exe, without its folders. */
static int set_program(struct emu_edges *e, const char *value, char *error, size_t size)
{
    const size_t length = strlen(value);
    if (!length || length >= sizeof e->program || strchr(value, '/')) {
        snprintf(error, size,
                 "profile: what=%.80s: give user, kernel, all, or the name of a program without its folders, of at "
                 "most %zu characters",
                 value, sizeof e->program - 1);
        return -EINVAL;
    }
    memcpy(e->program, value, length + 1);
    e->problem = true;
    e->supervisor = false;
    return 0;
}

int emu_edges_key(struct emu_edges *e, const char *text, char *error, size_t size)
{
    const char *value = strchr(text, '=');
    uint64_t n;
    unsigned key = 0;
    const size_t length = value ? (size_t)(value - text) : strlen(text);
    while (key < KEYS && (strlen(keys[key].name) != length || strncmp(keys[key].name, text, length)))
        key++;
    if (key == KEYS || !value) {
        snprintf(error, size,
                 "profile: '%.80s': give KEY=VALUE with one of the keys event, base, delta, seed, tbt, cbt, append_nt, "
                 "short, norm, walk_limit, what, range, placement, queue",
                 text);
        return -EINVAL;
    }
    value++;
    if (key == RANGE)
        return add_range(e, value, error, size);
    if (!keys[key].words) {
        if (!number_of(value, &n)) {
            snprintf(error, size, "profile: %s=%.80s: give a decimal number", keys[key].name, value);
            return -EINVAL;
        }
        set_number(e, key, n);
        return 0;
    }
    const int word = word_of(keys[key].words, value);
    if (word < 0 && key == WHAT)
        return set_program(e, value, error, size);
    if (word < 0) {
        snprintf(error, size, "profile: %s=%.80s: give one of: %s", keys[key].name, value, keys[key].words);
        return -EINVAL;
    }
    set_word(e, key, (unsigned)word);
    return 0;
}

static int refused(char *error, size_t size, const char *name, uint64_t value, const char *remedy, uint64_t most)
{
    snprintf(error, size, "profile: %s=%" PRIu64 " cannot be: %s%" PRIu64, name, value, remedy, most);
    return -EINVAL;
}

int emu_edges_settle(const struct emu_edges *e, struct ep_parameters *p, struct ep_rules *r, char *error, size_t size)
{
    const bool insn = e->event == EP_EVENT_INSN;
    const uint64_t base = e->has_base ? e->base : e->event == EP_EVENT_CALL ? BASE_CALLS : BASE;
    const uint64_t delta = e->has_delta ? e->delta : base / 16;
    const unsigned most = insn && e->tbt ? e->tbt - 1 : e->tbt;
    const unsigned cbt = e->has_cbt ? e->cbt : most;
    if (!base || base > INT64_MAX)
        return refused(error, size, "base", base, "give a number from 1 to ", INT64_MAX);
    if (delta > base / 8)
        return refused(error, size, "delta", delta, "with this base give a number from 0 to ", base / 8);
    if (!e->tbt || e->tbt > EP_TRACE_MOST || !most)
        return refused(error, size, "tbt", e->tbt,
                       insn ? "with event=insn give a number from 2 to " : "give a number from 1 to ", EP_TRACE_MOST);
    if (!cbt || cbt > most)
        return refused(error, size, "cbt", cbt, "with this tbt and event give a number from 1 to ", most);
    if (!e->walk_limit || e->walk_limit > WALK_MOST)
        return refused(error, size, "walk_limit", e->walk_limit, "give a number from 1 to ", WALK_MOST);
    *p = (struct ep_parameters){.base = base,
                                .delta = delta,
                                .seed = e->seed,
                                .tbt = e->tbt,
                                .event = e->event,
                                .filter = {.problem = e->problem,
                                           .supervisor = e->supervisor,
                                           .range = e->ranges ? e->range : NULL,
                                           .ranges = e->ranges}};
    *r = (struct ep_rules){.cbt = cbt,
                           .event = e->event,
                           .short_is = e->short_is,
                           .walk_limit = e->walk_limit,
                           .append_nt = e->append_nt,
                           .weigh = e->has_norm ? e->norm
                                    : insn      ? EP_NORM_RUN
                                                : EP_NORM_NONE};
    return 0;
}

const char *emu_edges_doubt(const struct ep_parameters *p)
{
    if (!p->delta && p->base > 1 && !ep_prime(p->base))
        return "profile: delta=0 and a base that is no prime can lock to a loop whose period divides it, and then see "
               "the same few branches for ever; give a prime base, or a delta";
    return NULL;
}

void emu_edges_filter(const struct emu_edges *e, char *text, size_t size)
{
    const char *what = e->program[0] ? e->program : !e->supervisor ? "user" : e->problem ? "all" : "kernel";
    size_t n = (size_t)snprintf(text, size, "%s", what);
    for (unsigned i = 0; i < e->ranges && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, ",%" PRIx64 "-%" PRIx64, e->range[i].first, e->range[i].last);
}

void emu_edges_show(const struct emu_edges *e, void (*line)(void *context, const char *key, const char *value),
                    void *context)
{
    struct ep_parameters p = {.base = 0};
    struct ep_rules r = {.cbt = 0};
    char text[EMU_EDGES_RANGES * 36], error[200];
    if (emu_edges_settle(e, &p, &r, error, sizeof error))
        return;
    const unsigned words[KEYS] = {[EVENT] = e->event,
                                  [APPEND_NT] = e->append_nt,
                                  [SHORT] = e->short_is,
                                  [NORM] = r.weigh,
                                  [PLACEMENT] = e->threaded,
                                  [QUEUE] = e->drop,
                                  [WHAT] = !e->supervisor ? 0
                                           : e->problem   ? 2
                                                          : 1};
    const uint64_t numbers[KEYS] = {[BASE_N] = p.base, [DELTA] = p.delta, [SEED] = p.seed,
                                    [TBT_N] = p.tbt,   [CBT] = r.cbt,     [WALK_LIMIT] = r.walk_limit};
    for (unsigned key = 0; key < KEYS; key++) {
        size_t n = 0;
        if (key == WHAT && e->program[0])
            snprintf(text, sizeof text, "%s", e->program);
        else if (keys[key].words)
            word_at(keys[key].words, words[key], text, sizeof text);
        else
            snprintf(text, sizeof text, "%" PRIu64, numbers[key]);
        if (key == RANGE) {
            snprintf(text, sizeof text, "any");
            for (unsigned i = 0; i < e->ranges; i++)
                n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRIx64 "-%" PRIx64, i ? "," : "",
                                      e->range[i].first, e->range[i].last);
        }
        line(context, keys[key].name, text);
    }
}
