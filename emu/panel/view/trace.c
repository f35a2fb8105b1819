/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of exception trace: a lane for each CPU on a time line, with what interrupted what; the latest events. */
#include "cpu/state/exceptions.h"
#include "cpu/state/interruptions.h"
#include "emu/observe/exception_trace.h"
#include "emu/panel/view/kinds.h"
#include "emu/panel/view/parts.h"
#include "ri/trace/show/output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NOTED = 2048, DEPTH = 4, LABEL = 9 };

/* What is kept of an event. */
struct noted {
    uint64_t time, value;
    uint16_t en;
    uint8_t kind, source, depth;
    bool timed; /* its time is known; else it is the last that was */
};

struct trace_memory {
    uint64_t count; /* of all that were told */
    struct noted noted[NOTED];
    uint64_t span; /* ticks across the canvas; 0: as the latest events need */
    unsigned first, page;
};

struct picture {
    struct canvas *canvas;
    struct trace_memory *memory;
    uint64_t from, to; /* ticks */
    float x, width;
    unsigned boxes; /* areas that were made so far */
    bool by_order;  /* times are not known: an event is a tick */
    unsigned base;  /* nesting of what is shown in the lowest row */
};

/* ---- what is told --------------------------------------------------------------------------------------------------
 */

static void note(void *context, const struct et_event *event)
{
    struct trace_memory *m = context;
    if (event->kind > ET_K_MARK || event->flags & ET_E_WITHDRAWN)
        return;
    m->noted[m->count % NOTED] = (struct noted){.time = event->time,
                                                .value = event->value,
                                                .en = (uint16_t)event->en,
                                                .kind = (uint8_t)event->kind,
                                                .source = (uint8_t)event->source,
                                                .depth = (uint8_t)(event->depth > 250 ? 250 : event->depth),
                                                .timed = event->time_known};
    m->count++;
}

static unsigned kept(const struct trace_memory *m) { return m->count < NOTED ? (unsigned)m->count : NOTED; }

/* The n-th of those that are kept, from the oldest. */
static const struct noted *numbered(const struct trace_memory *m, unsigned n)
{
    return &m->noted[(m->count - kept(m) + n) % NOTED];
}

/* The time of that one, or its number. */
static uint64_t when(const struct picture *p, unsigned n)
{
    return p->by_order ? p->memory->count - kept(p->memory) + n : numbered(p->memory, n)->time;
}

static const char *program_name(unsigned code)
{
    const struct cpu_code_name *row = cpu_program_codes;
    while (row->name && row->code != code)
        row++;
    return row->name;
}

/* ---- the time line -------------------------------------------------------------------------------------------------
 */

static enum canvas_role role_of(unsigned en)
{
    switch (et_number_class(en)) {
    case ET_PROGRAM:
        return CANVAS_A;
    case ET_SVC:
        return CANVAS_B;
    case ET_EXTERNAL:
        return CANVAS_C;
    case ET_IO:
        return CANVAS_D;
    default:
        return CANVAS_E;
    }
}

static float place(const struct picture *p, uint64_t time)
{
    if (time <= p->from)
        return p->x;
    if (time >= p->to)
        return p->x + p->width;
    return p->x + p->width * (float)((double)(time - p->from) / (double)(p->to - p->from));
}

/* A handler from one time to another; `row` is that of its depth. */
static void draw_frame(struct picture *p, unsigned en, uint64_t from, uint64_t to, float row)
{
    const float x = place(p, from), end = place(p, to);
    char name[ET_NAME_SIZE], tip[ET_NAME_SIZE + 60];
    if (to < p->from || from > p->to)
        return;
    float width = end - x;
    if (width < 0.15f)
        width = 0.15f;
    view_fill(p->canvas, x, row, width, role_of(en), 190);
    if (width < 0.5f || p->boxes++ > 300)
        return;
    et_number_name(en, program_name, name);
    snprintf(tip, sizeof tip, "%s: %" PRIu64 " %s", name, to - from, p->by_order ? "events" : "ticks");
    view_area(p->canvas, x, row, width, tip, "%s", "");
    if (width >= 4)
        view_text(p->canvas, x, row, width, CANVAS_PLAIN, "%s", name);
}

struct lane {
    uint16_t en[DEPTH];
    uint64_t since[DEPTH];
    bool open[DEPTH];
};

static void close_above(struct picture *p, struct lane *lane, unsigned depth, uint64_t time, float y)
{
    for (unsigned d = depth; d < DEPTH; d++) {
        if (lane->open[d])
            draw_frame(p, lane->en[d], lane->since[d], time, y + (float)(DEPTH - 1 - d));
        lane->open[d] = false;
    }
}

/* One event at `time` into its lane. */
static void draw_event(struct picture *p, struct lane *lane, const struct noted *e, uint64_t time, float y)
{
    if (e->kind == ET_K_ENTRY && e->depth > p->base) {
        const unsigned d = e->depth - 1u - p->base;
        close_above(p, lane, d, time, y);
        if (d < DEPTH) {
            lane->open[d] = true;
            lane->en[d] = e->en;
            lane->since[d] = time;
        }
    } else if (e->kind == ET_K_EXIT && e->depth >= p->base) {
        const unsigned d = e->depth - p->base;
        if (d < DEPTH && !lane->open[d]) { /* it began before what is kept */
            lane->open[d] = true;
            lane->en[d] = e->en;
            lane->since[d] = p->from;
        }
        close_above(p, lane, d, time, y);
    } else if ((e->kind == ET_K_SIGNAL || e->kind == ET_K_MARK) && time >= p->from && time <= p->to) {
        view_fill(p->canvas, place(p, time), y + DEPTH, 0.2f, e->kind == ET_K_MARK ? CANVAS_HERE : CANVAS_WARNING, 255);
    }
}

/* Guests that leave handlers otherwise than by a return nest ever deeper: the lowest of what is to be seen counts. */
static void find_base(struct picture *p, unsigned source)
{
    p->base = UINT32_MAX;
    for (unsigned n = 0; n < kept(p->memory); n++) {
        const struct noted *e = numbered(p->memory, n);
        const bool entry = e->kind == ET_K_ENTRY;
        if (e->source == source && (entry || e->kind == ET_K_EXIT) && when(p, n) >= p->from) {
            const unsigned under = entry && e->depth ? e->depth - 1u : e->depth;
            p->base = under < p->base ? under : p->base;
        }
    }
    if (p->base == UINT32_MAX)
        p->base = 0;
}

static void draw_lane(struct picture *p, unsigned source, float y)
{
    struct lane lane = {.open = {false}};
    view_text(p->canvas, 1, y + DEPTH - 1, LABEL - 1, CANVAS_HEADING,
              source == ET_SOURCE_MACHINE ? "machine" : "CPU %X", source);
    view_fill(p->canvas, p->x, y + DEPTH, p->width, CANVAS_FAINT, 60);
    find_base(p, source);
    for (unsigned n = 0; n < kept(p->memory); n++) {
        const struct noted *e = numbered(p->memory, n);
        if (e->source == source)
            draw_event(p, &lane, e, when(p, n), y);
    }
    close_above(p, &lane, 0, p->to, y);
}

/* From when to when: up to now, as far back as was asked for or as sixty events take. */
static void choose(struct picture *p, uint64_t now)
{
    const struct trace_memory *m = p->memory;
    const unsigned count = kept(m), recent = count > 60 ? count - 60 : 0;
    unsigned timed = 0;
    for (unsigned n = recent; n < count; n++)
        timed += numbered(m, n)->timed;
    p->by_order = timed < (count - recent) / 2;
    p->to = p->by_order ? m->count : now;
    p->from = count ? when(p, recent) : 0;
    if (count && when(p, count - 1) > p->to)
        p->to = when(p, count - 1);
    if (m->span)
        p->from = p->to > m->span ? p->to - m->span : 0;
    if (p->from >= p->to)
        p->from = p->to ? p->to - 1 : 0;
    if (p->from == p->to)
        p->to++;
}

static void draw_head(struct picture *p)
{
    static const struct {
        enum canvas_role role;
        const char *name;
    } legend[] = {{CANVAS_A, "program"}, {CANVAS_B, "SVC"},           {CANVAS_C, "external"},
                  {CANVAS_D, "I/O"},     {CANVAS_E, "machine check"}, {CANVAS_WARNING, "request"}};
    float x = view_key(p->canvas, 1, 1, "wider", "/trace wider");
    x = view_key(p->canvas, x, 1, "closer", "/trace closer");
    x = view_key(p->canvas, x, 1, "latest", "/trace latest");
    for (unsigned i = 0; i < sizeof legend / sizeof *legend; i++) {
        const float width = (float)strlen(legend[i].name);
        if (x + width + 2 > p->canvas->width)
            break;
        view_fill(p->canvas, x, 1, 1, legend[i].role, 200);
        view_text(p->canvas, x + 2, 1, width, CANVAS_FAINT, "%s", legend[i].name);
        x += width + 4;
    }
    if (p->by_order) {
        view_text(p->canvas, LABEL, 2, p->width, CANVAS_FAINT, "in their order; for times:");
        view_key(p->canvas, LABEL + 27, 2, "et set timestamps=inline", "et set timestamps=inline");
        return;
    }
    view_text(p->canvas, LABEL, 2, p->width, CANVAS_FAINT, "%" PRIu64, p->from);
    if (p->width > 70)
        view_text(p->canvas, p->x + p->width / 2 - 10, 2, 30, CANVAS_FAINT, "%" PRIu64 " ticks across",
                  p->to - p->from);
    if (p->width > 45)
        view_text(p->canvas, p->x + p->width - 20, 2, 20, CANVAS_FAINT, "%20" PRIu64, p->to);
}

/* ---- the latest events ---------------------------------------------------------------------------------------------
 */

static void draw_events(struct picture *p, float y)
{
    struct trace_memory *m = p->memory;
    char name[ET_NAME_SIZE];
    for (unsigned n = m->first; n < kept(m) && view_has_row(p->canvas, y); n++, y++) {
        const struct noted *e = numbered(m, kept(m) - 1 - n);
        char what[80];
        if (e->kind == ET_K_STATE || e->kind == ET_K_MARK)
            snprintf(what, sizeof what, "%" PRIX64 " %s", e->value,
                     e->kind == ET_K_STATE ? et_state_name((unsigned)(e->value & 0xff)) : "");
        else
            snprintf(what, sizeof what, "%s", et_number_name(e->en, program_name, name));
        char who[12] = "machine";
        if (e->source != ET_SOURCE_MACHINE)
            snprintf(who, sizeof who, "CPU %X", e->source);
        const unsigned depth = e->depth > p->base ? e->depth - p->base : 0;
        view_text(p->canvas, 1, y, p->canvas->width - 1, CANVAS_PLAIN, "%20" PRIu64 "  %-7s %*s%-8s %s",
                  when(p, kept(m) - 1 - n) + p->by_order, who, depth > 10 ? 20 : 2 * (int)depth, "",
                  et_kind_name(e->kind), what);
    }
}

/* ---- the view ------------------------------------------------------------------------------------------------------
 */

/* What is missing; false: nothing is. */
static bool draw_missing(const struct view *view, struct canvas *canvas)
{
    const struct cpu_exceptions *x = view->cpu->exceptions;
    if (!exception_trace_kept(view->session->machine) || !x || !x->unit)
        view_missing(canvas, 1, "Exception trace is off. It is turned on by the option --et-out, or now by:", "et on");
    else if (!(et_read(x->unit, ETST) >> ETST_ACTIVE_LOW & 1))
        view_missing(canvas, 1, "Exception trace follows what runs, but puts nothing out:", "et on");
    else
        return false;
    return true;
}

static bool follow(const struct view *view, struct trace_memory *m)
{
    struct exception_live *live = exception_trace_live(view->session->machine);
    if (!live || exception_live_follows(live, EXCEPTION_LIVE_VIEW, m))
        return live;
    m->count = 0; /* all that is kept will be told */
    return exception_live_follow(live, EXCEPTION_LIVE_VIEW, note, m);
}

static void draw(struct view *view, struct canvas *canvas)
{
    struct machine *machine = view->session->machine;
    struct trace_memory *m = view_memory(view, VIEW_TRACE, sizeof *m);
    struct picture p = {.canvas = canvas, .memory = m, .x = LABEL, .width = canvas->width - LABEL - 1};
    const unsigned rows = view_rows(canvas);
    view_title(view, canvas, "Exception trace");
    if (!m || canvas->width < 24 || draw_missing(view, canvas) || !follow(view, m))
        return;
    choose(&p, exception_trace_now(machine, view->cpu));
    draw_head(&p);
    const unsigned lanes = machine->sys.cpu_count > 1 ? machine->sys.cpu_count + 1 : 1;
    const unsigned room = rows > 16 ? (rows - 10) / (DEPTH + 1) : 1;
    float y = 3;
    for (unsigned n = 0; n < lanes && n < room; n++, y += DEPTH + 1)
        draw_lane(&p, n < machine->sys.cpu_count ? n : ET_SOURCE_MACHINE, y);
    if (lanes > room)
        view_text(canvas, 1, y++, canvas->width - 1, CANVAS_FAINT, "%u more lanes have no place here", lanes - room);
    m->page = (float)rows > y + 2 ? rows - (unsigned)y - 1 : 1;
    view_text(canvas, 1, y, canvas->width, CANVAS_HEADING, "Latest events, of %" PRIu64, m->count);
    draw_events(&p, y + 1);
}

static void end(struct view *view, void *memory)
{
    struct machine *machine = view->session ? view->session->machine : NULL;
    if (machine && exception_trace_kept(machine))
        exception_live_follow(exception_trace_live(machine), EXCEPTION_LIVE_VIEW, NULL, NULL);
    view_memory_end(view, memory);
}

static bool command(struct view *view, const char *words)
{
    struct trace_memory *m = view_memory(view, VIEW_TRACE, sizeof *m);
    int64_t rows;
    if (!m)
        return true;
    if (strcasecmp(words, "latest") == 0) {
        m->span = 0;
        return true;
    }
    if (strcasecmp(words, "wider") == 0 || strcasecmp(words, "closer") == 0) {
        const unsigned n = kept(m), back = n > 60 ? n - 60 : 0;
        if (!m->span && n)
            m->span = numbered(m, n - 1)->time - numbered(m, back)->time;
        if (!m->span)
            m->span = 60;
        if (*words == 'w' || *words == 'W')
            m->span = m->span > UINT64_MAX / 4 ? m->span : 2 * m->span + 2;
        else
            m->span = m->span / 2 + 1;
        return true;
    }
    if (!view_scroll(words, m->page, &rows))
        return false;
    const int64_t to = rows == INT64_MIN ? 0 : (int64_t)m->first + rows;
    m->first = to < 0 ? 0 : to > NOTED - 1 ? NOTED - 1 : (unsigned)to;
    return true;
}

const struct view_kind view_trace = {.name = "trace",
                                     .title = "Trace",
                                     .help = "interruptions on a time line, a lane for each CPU",
                                     .draw = draw,
                                     .end = end,
                                     .command = command};
