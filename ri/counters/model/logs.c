/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline logs: gem5's O3PipeView, Chrome's trace events, one line for each instruction; Kanata is in kanata.c. */
#include "ri/counters/model/kanata.h"
#include "ri/counters/model/passages.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stages as tracks; instructions in one stage at the same time are in lanes of its track. */
enum { STAGES = 4, LANES = 4096 };
const char *const ec_log_formats[EC_LOG_FORMATS] = {"kanata", "o3", "chrome", "lines"};

struct ec_log {
    void (*put)(void *context, const char *text, size_t length);
    void *context;
    struct ec_kanata *kanata;
    struct ec_passages *passages;
    enum ec_log_format format;
    uint64_t count;
    unsigned lanes[STAGES];
    uint64_t *busy; /* [STAGES][LANES]: until which cycle */
};

__attribute__((format(printf, 2, 3))) static void write_text(struct ec_log *log, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    log->put(log->context, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static bool retires(const struct ec_passed *p) { return !p->passage.wrong_path && !p->cancelled; }

/* ---- O3PipeView ------------------------------------------------------------------------------------------------ */

/* Ticks are thousandths of a cycle; 0 is what was not reached. Reading: an instruction is decoded in the cycle behind
   its fetch unless it is thrown away before. */
static void o3(struct ec_log *log, const struct ec_passed *p)
{
    char text[96];
    const struct ec_passage *i = &p->passage;
    const uint64_t decode = i->d || i->f + 1 <= p->end ? i->f + 1 : 0;
    ec_passage_text(i, text, sizeof text);
    write_text(log, "O3PipeView:fetch:%" PRIu64 ":0x%016" PRIx64 ":0:%" PRIu64 ":%s\n", 1000 * i->f, i->ia,
               log->count++, strchr(text, ' '));
    write_text(log,
               "O3PipeView:decode:%" PRIu64 "\nO3PipeView:rename:%" PRIu64 "\nO3PipeView:dispatch:%" PRIu64
               "\nO3PipeView:issue:%" PRIu64 "\nO3PipeView:complete:%" PRIu64 "\nO3PipeView:retire:%" PRIu64
               ":store:0\n",
               1000 * decode, 1000 * i->d, 1000 * i->d, 1000 * i->x, 1000 * i->n, retires(p) ? 1000 * p->end : 0);
}

/* ---- Chrome's trace events ------------------------------------------------------------------------------------- */

/* A lane of a stage that is free from `begin` on, taken until `end`. */
static unsigned lane(struct ec_log *log, unsigned stage, uint64_t begin, uint64_t end)
{
    uint64_t *busy = &log->busy[(size_t)stage * LANES];
    unsigned n = 0;
    while (n + 1 < LANES && busy[n] > begin)
        n++;
    busy[n] = end;
    return n;
}

static void track(struct ec_log *log, unsigned stage, unsigned n)
{
    static const char *const names[STAGES] = {"F fetched", "D dispatched", "X executed", "N finished"};
    for (; log->lanes[stage] <= n; log->lanes[stage]++) {
        const unsigned tid = stage * LANES + log->lanes[stage];
        write_text(log,
                   ",\n{\"ph\":\"M\",\"pid\":0,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}},\n"
                   "{\"ph\":\"M\",\"pid\":0,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}",
                   tid, names[stage], tid, tid);
    }
}

static void chrome(struct ec_log *log, const struct ec_passed *p)
{
    char text[96];
    const struct ec_passage *i = &p->passage;
    const uint64_t begins[STAGES + 1] = {i->f, i->d, i->x, i->n, p->end};
    const char *fate = retires(p) ? "completed" : p->cancelled ? "cancelled" : i->d ? "flushed" : "only fetched";
    ec_passage_text(i, text, sizeof text);
    for (unsigned stage = 0; stage < STAGES; stage++) {
        if (!begins[stage])
            continue;
        const uint64_t next = begins[stage + 1] ? begins[stage + 1] : p->end;
        const uint64_t end = next < p->end ? next : p->end;
        const unsigned n = lane(log, stage, begins[stage], end);
        track(log, stage, n);
        write_text(log,
                   ",\n{\"ph\":\"X\",\"pid\":0,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
                   ",\"name\":\"%s\",\"cat\":\"%s\",\"args\":{\"number\":%" PRIu64 ",\"end\":\"%s\"}}",
                   stage * LANES + n, begins[stage], end - begins[stage], text, i->wrong_path ? "wrong" : "right",
                   log->count, fate);
    }
    log->count++;
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

static void number(char *to, size_t size, bool there, uint64_t value)
{
    if (there)
        snprintf(to, size, "%" PRIu64, value);
    else
        snprintf(to, size, "-");
}

static void line(struct ec_log *log, const struct ec_passed *p)
{
    char text[96], tag[24], d[24], x[24], n[24];
    const struct ec_passage *i = &p->passage;
    number(tag, sizeof tag, i->d, i->tag);
    number(d, sizeof d, i->d, i->d);
    number(x, sizeof x, i->x, i->x);
    number(n, sizeof n, i->n, i->n);
    ec_passage_text(i, text, sizeof text);
    write_text(log, "%s %3s F %" PRIu64 " D %s X %s N %s %c %" PRIu64 " %s%s\n", i->wrong_path ? "w" : " ", tag, i->f,
               d, x, n, retires(p) ? 'C' : 'R', p->end, text,
               p->mispredicted ? "  mispredicted"
               : p->cancelled  ? "  cancelled"
                               : "");
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

static void take(void *context, const struct ec_passed *p)
{
    struct ec_log *log = context;
    if (log->format == EC_LOG_O3)
        o3(log, p);
    else if (log->format == EC_LOG_CHROME)
        chrome(log, p);
    else
        line(log, p);
}

struct ec_log *ec_log_create(enum ec_log_format format, void (*put)(void *context, const char *text, size_t length),
                             void *context)
{
    struct ec_log *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    *log = (struct ec_log){.put = put, .context = context, .format = format};
    if (format == EC_LOG_KANATA)
        log->kanata = ec_kanata_create(put, context);
    else
        log->passages = ec_passages_create(take, log);
    if (format == EC_LOG_CHROME)
        log->busy = calloc((size_t)STAGES * LANES, sizeof *log->busy);
    if ((!log->kanata && !log->passages) || (format == EC_LOG_CHROME && !log->busy)) {
        log->format = EC_LOG_LINES; /* nothing is written at its end */
        (void)ec_log_destroy(log);
        return NULL;
    }
    if (format == EC_LOG_CHROME)
        write_text(log, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                        "{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"pipeline, 1 us a "
                        "cycle\"}}");
    return log;
}

bool ec_log_destroy(struct ec_log *log)
{
    bool whole = true;
    if (log->kanata)
        whole = ec_kanata_destroy(log->kanata);
    if (log->passages)
        whole = ec_passages_destroy(log->passages);
    if (log->format == EC_LOG_CHROME)
        write_text(log, "\n]}\n");
    free(log->busy);
    free(log);
    return whole;
}

const struct ec_watch *ec_log_watch(struct ec_log *log)
{
    return log->kanata ? ec_kanata_watch(log->kanata) : ec_passages_watch(log->passages);
}
