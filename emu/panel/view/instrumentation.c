/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of run-time instrumentation: its controls, how far it is to the next sample, the collection buffer, groups
   in the program buffer. Source: RI specification, C, E and H. */
#include "emu/inspect/inspect.h"
#include "emu/panel/view/kinds.h"
#include "emu/panel/view/parts.h"
#include "ri/text.h"
#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { CONTROL_WIDTH = 27, SIDE = 2 * CONTROL_WIDTH + 2, RING_HEIGHT = 6 };

struct instrumentation_memory {
    unsigned back; /* groups behind the one that is shown; 0: the latest is */
    unsigned first, page;
};

struct picture {
    struct view *view;
    struct canvas *canvas;
    const struct ri *ri;
    struct instrumentation_memory *memory;
    float x, y, width; /* of the column that is being drawn */
};

/* ---- what it does --------------------------------------------------------------------------------------------------
 */

static void draw_lamps(struct picture *p)
{
    const struct ri *ri = p->ri;
    const struct {
        bool on;
        const char *name;
    } lamp[] = {{ri->controls.v, "valid"},
                {p->view->cpu->psw.mask & PSW_RI, "PSW bit 24"},
                {ri_active(ri), "active"},
                {ri->halted, "halted"},
                {ri->controls.v && ri_stopped(ri), "buffer full"},
                {ri->frozen, "frozen"},
                {ri->directed, "directed"},
                {ri->deferred, "deferred"},
                {ri_alert(ri) & 0x10, "full alert"},
                {ri_alert(ri) & 0x20, "halt alert"}};
    float x = 1;
    for (unsigned i = 0; i < sizeof lamp / sizeof *lamp; i++) {
        const float width = (float)strlen(lamp[i].name) + 3;
        if (x + width > p->canvas->width) {
            x = 1;
            p->y++;
        }
        if (view_has_row(p->canvas, p->y) && x + width <= p->canvas->width)
            canvas_lamp(p->canvas, x, p->y, lamp[i].on, lamp[i].name);
        x += width;
    }
    p->y++;
}

/* A bar with what it says in front; `part` of 1. */
static void draw_bar(struct picture *p, const char *name, double part, enum canvas_role role, const char *words)
{
    const float from = p->x + 13, width = p->width - 15;
    view_text(p->canvas, p->x, p->y, 12, CANVAS_HEADING, "%s", name);
    if (width >= 4) {
        view_fill(p->canvas, from, p->y, width, CANVAS_FAINT, 40);
        if (part > 0)
            view_fill(p->canvas, from, p->y, width * (float)(part > 1 ? 1 : part), role, 200);
    }
    view_text(p->canvas, from, p->y + 1, width, CANVAS_PLAIN, "%s", words);
    p->y += 2;
}

static void draw_next(struct picture *p)
{
    const struct ri *ri = p->ri;
    const uint64_t left = ri_remaining(ri), all = ri->controls.sf;
    const char *unit = ri->controls.m == RI_MODE_CYCLES ? "cycles" : "instructions";
    char words[128];
    double part = 0;
    if (!ri_active(ri)) {
        snprintf(words, sizeof words, "none: %s", ri_state_name(ri));
    } else if (ri->directed) {
        snprintf(words, sizeof words, "the instruction at %" PRIX64 ", directed by RINEXT", ri->nsi);
        part = 1;
    } else if (left == UINT64_MAX) {
        snprintf(words, sizeof words, "where RINEXT directs");
    } else {
        snprintf(words, sizeof words, "in %" PRIu64 " of %" PRIu64 " %s", left, all, unit);
        part = all && left <= all ? 1 - (double)left / (double)all : 0;
    }
    draw_bar(p, "next sample", part, CANVAS_A, words);
}

/* ---- controls ------------------------------------------------------------------------------------------------------
 */

struct controls {
    struct picture *p;
    float first;
    unsigned column, columns;
};

static void put_control(void *context, const char *name, uint64_t value, unsigned digits, const char *words)
{
    struct controls *c = context;
    struct picture *p = c->p;
    char text[24];
    const float x = p->x + (float)(c->column * CONTROL_WIDTH);
    (void)words;
    snprintf(text, sizeof text, digits ? "%0*" PRIX64 : "%*" PRIX64, digits ? (int)digits : 1, value);
    view_text(p->canvas, x, p->y, 5, CANVAS_FAINT, "%s", name);
    view_field(p->canvas, x + 5, p->y, value ? CANVAS_VALUE : CANVAS_FAINT, text, "ri set %s=", name);
    if (++c->column == c->columns) {
        c->column = 0;
        p->y++;
    }
}

static void draw_controls(struct picture *p)
{
    struct controls c = {.p = p, .columns = p->width < 2 * CONTROL_WIDTH ? 1 : 2};
    view_text(p->canvas, p->x, p->y++, p->width, CANVAS_HEADING, "Controls");
    ri_controls_each(&p->ri->controls, put_control, &c);
    p->y += c.column != 0;
}

/* ---- the collection buffer -----------------------------------------------------------------------------------------
 */

static enum canvas_role record_role(unsigned type)
{
    switch (type) {
    case RI_TYPE_CALL:
        return CANVAS_A;
    case RI_TYPE_RETURN:
        return CANVAS_B;
    case RI_TYPE_TRANSFER:
        return CANVAS_C;
    case RI_TYPE_EMIT:
        return CANVAS_D;
    default:
        return CANVAS_E;
    }
}

/* The place of step n along a rectangle of that size, clockwise from its upper left corner. */
static void around(unsigned n, unsigned width, unsigned height, float *x, float *y)
{
    const unsigned across = width - 1, down = height - 1;
    *x = n < across              ? (float)n
         : n < across + down     ? (float)across
         : n < 2 * across + down ? (float)(2 * across + down - n)
                                 : 0;
    *y = n < across              ? 0
         : n < across + down     ? (float)(n - across)
         : n < 2 * across + down ? (float)down
                                 : (float)(2 * (across + down) - n);
}

static void draw_ring(struct picture *p)
{
    const struct ri *ri = p->ri;
    const unsigned entries = ri->profile.cb_entries ? ri->profile.cb_entries : 1, count = ri_collected(ri);
    const bool rectangle = view_has_row(p->canvas, p->y + RING_HEIGHT + 3) && p->width >= 24;
    const unsigned height = rectangle ? RING_HEIGHT : 1;
    const unsigned room = p->width > 70 ? 68 : p->width > 4 ? (unsigned)p->width - 2 : 2;
    const unsigned steps = rectangle ? 2 * (room + height - 2) : room;
    view_text(p->canvas, p->x, p->y, p->width, CANVAS_HEADING, "Collection buffer: %u of %u records%s", count, entries,
              ri->frozen ? ", frozen" : "");
    enum canvas_role slot[RI_RING] = {CANVAS_PLAIN};
    for (unsigned i = 0; i < entries && i < RI_RING; i++)
        slot[i] = CANVAS_FAINT;
    for (unsigned i = 0; i < count; i++)
        slot[(ri->head - count + i) % entries % RI_RING] =
            i + 1 == count ? CANVAS_HERE : record_role(ri_record_type(ri_collected_record(ri, i)));
    for (unsigned n = 0; n < steps; n++) { /* a step stands for some slots, or some steps for one */
        const unsigned from = n * entries / steps, to = (n + 1) * entries / steps;
        enum canvas_role role = slot[from % RI_RING];
        float x = (float)n, y = 0;
        for (unsigned i = from; i < to; i++)
            role = slot[i % RI_RING] == CANVAS_FAINT || role == CANVAS_HERE ? role : slot[i % RI_RING];
        if (rectangle)
            around(n, room, height, &x, &y);
        view_fill(p->canvas, p->x + x, p->y + 1 + y, 1, role, role == CANVAS_FAINT ? 40 : 200);
    }
    if (rectangle && count) {
        char text[RI_LINE];
        ri_record_text(ri_collected_record(ri, count - 1), text, sizeof text);
        view_text(p->canvas, p->x + 2, p->y + 3, (float)room - 4, CANVAS_PLAIN, "newest: %s", text);
        view_text(p->canvas, p->x + 2, p->y + 4, (float)room - 4, CANVAS_FAINT, "%s",
                  "colours: call, return, transfer, emitted");
    }
    p->y += (float)height + 2;
}

/* ---- the program buffer --------------------------------------------------------------------------------------------
 */

static bool begins(const struct picture *p, enum cpu_space space, uint64_t address)
{
    uint8_t bytes[16];
    return inspect_fetch(p->view->cpu, space, 0, address, bytes, sizeof bytes) == sizeof bytes &&
           (bytes[0] == RI_TYPE_BEGIN || bytes[0] == RI_TYPE_TIMESTAMP);
}

/* The space that the groups were stored in: by the PSW and control H, unless the PSW is another one meanwhile. */
static enum cpu_space buffer_space(const struct picture *p, uint64_t group)
{
    const enum cpu_space dat = p->ri->controls.h ? CPU_SPACE_HOME : CPU_SPACE_PRIMARY;
    const enum cpu_space now = p->view->cpu->psw.mask & PSW_DAT ? dat : CPU_SPACE_REAL;
    const enum cpu_space other = now == dat ? CPU_SPACE_REAL : dat;
    return !begins(p, now, group) && begins(p, other, group) ? other : now;
}

static void draw_fill(struct picture *p)
{
    const struct ri_controls *c = &p->ri->controls;
    const uint64_t all = c->rla >= c->roa ? c->rla - c->roa : 0, used = c->rca > c->roa ? c->rca - c->roa : 0;
    char words[160];
    snprintf(words, sizeof words,
             "%" PRIX64 " to %" PRIX64 ", next at %" PRIX64 "; %" PRIu64 " groups, %" PRIu64 " halts", c->roa, c->rla,
             c->rca, p->ri->groups, p->ri->halts);
    draw_bar(p, "program buf.", all ? (double)used / (double)all : 0, ri_stopped(p->ri) ? CANVAS_WARNING : CANVAS_B,
             words);
}

static void draw_records(struct picture *p, uint64_t address, unsigned records)
{
    char text[RI_LINE];
    const enum cpu_space space = buffer_space(p, address);
    for (unsigned n = p->memory->first; n < records && view_has_row(p->canvas, p->y); n++) {
        uint8_t bytes[16];
        if (inspect_fetch(p->view->cpu, space, 0, address + 16 * (uint64_t)n, bytes, sizeof bytes) != sizeof bytes) {
            view_text(p->canvas, p->x + 1, p->y++, p->width - 1, CANVAS_WARNING, "%" PRIX64 " cannot be fetched",
                      address + 16 * (uint64_t)n);
            return;
        }
        const struct ri_record record = ri_record_from(bytes);
        const unsigned type = ri_record_type(record);
        if (!n && type != RI_TYPE_BEGIN && type != RI_TYPE_TIMESTAMP) {
            view_text(p->canvas, p->x + 1, p->y++, p->width - 1, CANVAS_WARNING, "no group begins here");
            return;
        }
        view_fill(p->canvas, p->x, p->y, 1, record_role(type), type == RI_TYPE_FILLER ? 20 : 200);
        ri_record_text(record, text, sizeof text);
        view_text(p->canvas, p->x + 2, p->y, p->width - 2, type == RI_TYPE_FILLER ? CANVAS_FAINT : CANVAS_PLAIN, "%s",
                  text);
        const struct ri_places places = ri_record_places(record);
        if (places.has_ia)
            view_area(p->canvas, p->x, p->y, p->width, "the instruction", "/code %" PRIX64, places.ia);
        p->y++;
    }
}

/* One group, the latest unless an earlier one was asked for. */
static void draw_group(struct picture *p)
{
    const struct ri_controls *c = &p->ri->controls;
    const uint64_t size = UINT64_C(32) << c->rgs; /* 2^(RGS+1) records */
    const uint64_t used = c->rca > c->roa && c->rca <= c->rla + 1 ? (c->rca - c->roa) / size : 0;
    if (!used) {
        view_text(p->canvas, p->x, p->y, p->width, CANVAS_FAINT, "no group is in the program buffer");
        return;
    }
    if (p->memory->back >= used)
        p->memory->back = (unsigned)(used - 1);
    const uint64_t address = c->rca - (p->memory->back + UINT64_C(1)) * size;
    view_text(p->canvas, p->x, p->y, p->width - 18, CANVAS_HEADING, "Group %" PRIu64 " of %" PRIu64 " at %" PRIX64,
              used - p->memory->back, used, address);
    const float x = p->x + p->width - 18;
    if (x > p->x + 20) {
        view_key(p->canvas, x, p->y, "older", "/instrumentation older");
        view_key(p->canvas, x + 8, p->y, "newer", "/instrumentation newer");
    }
    p->y++;
    p->memory->page = p->canvas->height > p->y ? (unsigned)(p->canvas->height - p->y) : 1;
    draw_records(p, address, (unsigned)(size / 16));
}

/* ---- the view ------------------------------------------------------------------------------------------------------
 */

static bool draw_missing(struct picture *p)
{
    const struct view *view = p->view;
    if (!cpu_facility(&view->session->machine->sys, FACILITY_RI)) {
        p->y = view_missing(p->canvas, p->y,
                            "This machine has no run-time instrumentation: its profile does not have facility 64.", "");
        return true;
    }
    if (!p->ri->controls.v) {
        p->y =
            view_missing(p->canvas, p->y,
                         "Run-time instrumentation is off: its controls are not valid. A program loads them by LRIC, "
                         "or the operator by: ri set V=1 Qs=1 Ps=1 M=1 B=1 F=1 SF=1000 ROA=... RCA=... RLA=...",
                         "");
        return false;
    }
    if (!(view->cpu->psw.mask & PSW_RI))
        p->y = view_missing(p->canvas, p->y, "The controls are valid, but PSW bit 24 is zero:", "ri on");
    return false;
}

static void draw(struct view *view, struct canvas *canvas)
{
    struct picture p = {
        .view = view, .canvas = canvas, .ri = view->cpu->ri, .x = 1, .y = 1, .width = canvas->width - 2};
    const bool wide = canvas->width >= SIDE + 50;
    p.memory = view_memory(view, VIEW_INSTRUMENTATION, sizeof *p.memory);
    view_title(view, canvas, "Run-time instrumentation");
    if (!p.memory || canvas->width < 8 || draw_missing(&p))
        return;
    draw_lamps(&p);
    const float top = p.y;
    if (wide) {
        p.width = SIDE - 2;
        draw_controls(&p);
        p.x = SIDE;
        p.width = canvas->width - SIDE - 1;
        p.y = top;
    }
    draw_next(&p);
    if (p.ri->controls.v)
        draw_fill(&p);
    draw_ring(&p);
    if (p.ri->controls.v)
        draw_group(&p);
    if (!wide && view_has_row(canvas, p.y + 2)) {
        p.y++;
        draw_controls(&p);
    }
}

static bool command(struct view *view, const char *words)
{
    struct instrumentation_memory *m = view_memory(view, VIEW_INSTRUMENTATION, sizeof *m);
    int64_t rows;
    if (!m)
        return true;
    if (strcasecmp(words, "older") == 0 || strcasecmp(words, "newer") == 0) {
        if (strcasecmp(words, "older") == 0)
            m->back++;
        else
            m->back -= m->back > 0;
        m->first = 0;
        return true;
    }
    if (!view_scroll(words, m->page, &rows))
        return false;
    m->first = rows == INT64_MIN || (int64_t)m->first + rows < 0 ? 0 : (unsigned)((int64_t)m->first + rows);
    if (m->first >= RI_GROUP_RECORDS)
        m->first = RI_GROUP_RECORDS - 1;
    return true;
}

const struct view_kind view_instrumentation = {
    .name = "instrumentation",
    .title = "Instrumentation",
    .help = "run-time instrumentation: controls, buffers, groups, the next sample",
    .draw = draw,
    .end = view_memory_end,
    .command = command};
