/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs small guest programs on a machine with exception trace, once by each engine, and tells their history in few
   letters: E101 (ENTRY, exception number), X EXIT, R RETURN, S SIGNAL, T6 (STATE 6), M7 (MARK). Behind it +t
   tail-chained, +l late, +f forced, - withdrawn, /4 the flags of INFO; in parentheses what the decoder adds. */
#ifndef ZRI_TESTS_UNIT_ET_GUEST_H
#define ZRI_TESTS_UNIT_ET_GUEST_H

#include "tests/unit/ri_guest.h"
#include "cpu/state/timing.h"
#include "emu/dev/css/channel.h"
#include "emu/observe/exception_live.h"
#include "emu/observe/exception_trace.h"
#include "emu/machine/run.h"

#define EXT_ON PSW_EXT
#define IO_ON  PSW_IO
#define FULL                                                                                                           \
    "enable=on,signal=on,state=on,tpi=on,info=on,addr=old+new+ret,timestamps=inline,clock=insn,tailflag=both,"         \
    "lateflag=on"

struct traced {
    struct machine *m;
    struct cpu *cpu;
    uint8_t *at;
    struct guest text; /* labels */
    char history[8192];
    uint8_t stream[1 << 16]; /* bytes of the event stream of CPU 0 */
    size_t size;
    struct et_event event[512]; /* events as the decoder told them */
    unsigned events;
};

static inline void traced_event(void *context, const struct et_event *e)
{
    struct traced *w = context;
    static const char letters[] = "EXRSTM";
    const size_t used = strlen(w->history);
    char *to = w->history + used;
    if (e->kind > ET_K_MARK)
        return;
    assert_true(used + 40 < sizeof w->history && w->events < sizeof w->event / sizeof *w->event);
    w->event[w->events++] = *e;
    int n = sprintf(to, "%s%s%c", used ? " " : "", e->flags & ET_E_IMPLIED ? "(" : "", letters[e->kind]);
    if (e->kind < ET_K_STATE)
        n += sprintf(to + n, "%03x%s%s%s%s", e->en, e->flags & ET_E_TC ? "+t" : "", e->flags & ET_E_LA ? "+l" : "",
                     e->flags & ET_E_FRC ? "+f" : "", e->flags & ET_E_WITHDRAWN ? "-" : "");
    else
        n += sprintf(to + n, "%llx", (unsigned long long)e->value);
    if (e->flags & ET_E_IMPLIED)
        n += sprintf(to + n, ")");
    if (e->given >> ET_INFO_FLAGS & 1)
        sprintf(to + n, "/%llx", (unsigned long long)e->info[ET_INFO_FLAGS]);
}

static inline void traced_bytes(void *context, struct et_cpu *cpu, bool timing, const uint8_t *bytes, size_t size)
{
    struct traced *w = context;
    if (timing || et_cpu_source(cpu) || w->size + size > sizeof w->stream)
        return;
    memcpy(w->stream + w->size, bytes, size);
    w->size += size;
}

/* The new PSW of a class: where the label is, or a disabled wait. */
static inline void traced_new_psw(struct traced *w, uint64_t place, uint64_t mask, const char *name)
{
    for (unsigned i = 0; i < w->text.label_count; i++)
        if (!strcmp(w->text.labels[i].name, name)) {
            put64(w->at + place, PSW_64 | mask);
            put64(w->at + place + 8, w->text.labels[i].address);
            return;
        }
    put64(w->at + place, PSW_64 | PSW_WAIT);
    put64(w->at + place + 8, 0xbad);
}

/* A machine with this program at CODE and handlers at the labels rst, ext, svc, pgm, mck, io; all subclasses enabled.
 */
static inline void traced_begin(struct traced *w, enum engine_kind engine, unsigned cpus, const char *code)
{
    struct machine_config config = machine_default_config();
    char error[256];
    memset(w, 0, sizeof *w);
    config.storage = UINT64_C(4) << 20;
    config.cpus = cpus;
    config.engine = (uint8_t)engine;
    w->m = machine_create(&config, NULL, error, sizeof error);
    assert_non_null(w->m);
    w->cpu = w->m->sys.cpus[0];
    w->at = w->text.storage = w->m->sys.storage.bytes;
    guest_code(&w->text, CODE, code);
    cpu_code_written(&w->m->sys, 0, w->m->sys.storage.size);
    guest_psw(&w->text, END_PSW, PSW_WAIT | PSW_64, WAIT_END);
    static const struct {
        uint64_t place;
        const char *name;
    } classes[] = {{416, "rst"}, {432, "ext"}, {448, "svc"}, {464, "pgm"}, {480, "mck"}, {496, "io"}};
    for (unsigned i = 0; i < 6; i++)
        traced_new_psw(w, classes[i].place, 0, classes[i].name);
    for (unsigned i = 0; i < cpus; i++) {
        struct cpu *cpu = w->m->sys.cpus[i];
        cpu->cr[0] |= CR0_EXTERNAL_CALL | CR0_EMERGENCY_SIGNAL | CR0_INTERRUPT_KEY | CR0_SERVICE_SIGNAL |
                      CR0_MALFUNCTION_ALERT | CR0_MEASUREMENT_ALERT;
        cpu->cr[6] = 0xff000000;
        cpu->cr[14] = CR14_CHANNEL_REPORT;
        cpu->clock_comparator = ~UINT64_C(0);
        cpu_set_timer(cpu, INT64_MAX);
    }
}
static inline void traced_end(struct traced *w) { machine_destroy(w->m); }

static inline struct et_cpu *traced_unit(struct traced *w) { return exception_trace_unit(w->m, w->cpu); }

/* Trace from now on with these keys. */
static inline void traced_trace(struct traced *w, const char *keys)
{
    const struct exception_trace_plan plan = {.keys = &keys, .key_count = 1};
    const struct et_listener listener = {.context = w, .put = traced_bytes};
    char error[256];
    assert_true(exception_live_follow(exception_trace_live(w->m), EXCEPTION_LIVE_CONSOLE, traced_event, w));
    assert_true(et_listen(exception_trace_units(w->m), &listener));
    if (exception_trace_begin(w->m, &plan, error, sizeof error))
        fail_msg("%s", error);
}

/* Run CPU 0 from here until nothing can happen any more. */
static inline struct machine_result traced_go(struct traced *w, uint64_t mask, uint64_t ia)
{
    assert_int_equal(machine_start(w->m, PSW_64 | mask, ia), 0);
    return machine_run(w->m, 1000000);
}

static inline void traced_history(struct traced *w, const char *wanted)
{
    if (strcmp(w->history, wanted))
        print_error("have %s\nwant %s\n", w->history, wanted);
    assert_string_equal(w->history, wanted);
}

/* A program whose history is known, on all engines, with the same bytes. */
struct history {
    const char *code, *wanted;
    uint64_t mask;                    /* PSW bits of the program */
    void (*before)(struct traced *w); /* NULL: nothing more */
    void (*after)(struct traced *w);  /* the program waits */
    const char *keys;                 /* beside FULL */
};

static inline void assert_history(const struct history *h)
{
    static struct traced w[ENGINE_TRANSLATE + 1];
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        struct traced *one = &w[engine];
        traced_begin(one, (enum engine_kind)engine, 1, h->code);
        if (h->before)
            h->before(one);
        char keys[512];
        snprintf(keys, sizeof keys, FULL "%s%s", h->keys ? "," : "", h->keys ? h->keys : "");
        traced_trace(one, keys);
        (void)traced_go(one, h->mask, CODE);
        if (h->after)
            h->after(one);
        et_flush(traced_unit(one)); /* so that the last event is complete */
        traced_history(one, h->wanted);
    }
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        assert_int_equal(w[engine].size, w[0].size);
        assert_memory_equal(w[engine].stream, w[0].stream, w[0].size);
    }
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++)
        traced_end(&w[engine]);
}

#endif
