/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of channels: subchannels and what they are doing, the channel program of one, the latest events. */
#include "emu/dev/css/attach.h"
#include "emu/dev/css/look.h"
#include "emu/panel/view/kinds.h"
#include "emu/panel/view/parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CCWS = 6, EVENTS = 100 };

struct channels_memory {
    bool chosen;
    unsigned set, number; /* of the chosen subchannel */
    unsigned first, page; /* events */
    uint64_t busy[64];    /* by device: the picture in which it was seen at work */
};

struct picture {
    struct view *view;
    struct canvas *canvas;
    struct channels_memory *memory;
    const struct channel_device *shown; /* whose program is shown */
};

/* ---- subchannels ---------------------------------------------------------------------------------------------------
 */

static void draw_device(struct picture *p, const struct channel_device *d, unsigned n, float y)
{
    struct canvas *c = p->canvas;
    struct css_look look;
    char words[120];
    css_look(d, &look);
    css_look_words(&look, words, sizeof words);
    uint64_t *busy = &p->memory->busy[n % 64];
    if (look.working || look.scsw & 0x7fff)
        *busy = p->view->pictures + 1;
    const uint64_t age = p->view->pictures + 1 - *busy;
    if (*busy && age < 60)
        view_fill(c, 0, y, 1, CANVAS_A, 220 - 3 * (unsigned)age);
    if (d == p->shown)
        view_fill(c, 1, y, c->width - 1, CANVAS_HERE, 50);
    view_text(c, 2, y, 7, CANVAS_VALUE, "%u:%04X", d->set, d->number);
    view_text(c, 10, y, 5, CANVAS_FAINT, "%04X", d->subchannel);
    view_text(c, 16, y, 9, CANVAS_PLAIN, "%s", d->type->name);
    view_text(c, 26, y, 5, look.enabled ? CANVAS_LIT : CANVAS_FAINT, look.enabled ? "isc %u" : "off", look.isc);
    view_text(c, 33, y, 34, look.scsw & 0x7fff ? CANVAS_CHANGED : CANVAS_FAINT, "%s", words);
    if (look.requests && c->width > 68)
        view_text(c, 66, y, 2, CANVAS_WARNING, "!");
    view_text(c, 68, y, 20, look.device_status & 2 || look.status & 0x3f ? CANVAS_WARNING : CANVAS_FAINT,
              "dev %02X sch %02X %04X", look.device_status, look.status, look.count);
    view_text(c, 88, y, c->width - 88, CANVAS_FAINT, "%s", css_device_words(d));
    view_area(c, 1, y, c->width - 1, "its channel program", "/channels %u:%04X", d->set, d->subchannel);
}

/* Whose program is shown: the chosen one's, else one that is at work, else the first. */
static void choose(struct picture *p)
{
    const struct css *css = p->view->session->machine->css;
    const struct channel_device *d;
    for (unsigned n = 0; (d = css_device(css, n)); n++) {
        struct css_look look;
        css_look(d, &look);
        const bool wanted =
            p->memory->chosen ? d->set == p->memory->set && d->subchannel == p->memory->number : look.working;
        if (wanted || !p->shown)
            p->shown = d;
        if (wanted)
            return;
    }
}

static float draw_subchannels(struct picture *p, float y, unsigned most)
{
    const struct css *css = p->view->session->machine->css;
    const struct channel_device *d;
    unsigned n = 0;
    view_text(p->canvas, 2, y, p->canvas->width, CANVAS_HEADING, "%-7s %-5s %-9s %-6s %-34s %s", "device", "subch",
              "type", "", "what it does", "status and residual count");
    for (; (d = css_device(css, n)); n++)
        if (n < most)
            draw_device(p, d, n, ++y);
    if (n > most)
        view_text(p->canvas, 2, ++y, p->canvas->width, CANVAS_FAINT, "%u more devices have no place here", n - most);
    if (!n)
        view_text(p->canvas, 2, ++y, p->canvas->width, CANVAS_FAINT,
                  "no device is attached; attach and --device do that");
    return y + 2;
}

/* ---- a channel program ---------------------------------------------------------------------------------------------
 */

static float draw_program(struct picture *p, float y)
{
    const struct storage *s = &p->view->session->machine->sys.storage;
    struct css_look look;
    if (!p->shown)
        return y;
    css_look(p->shown, &look);
    view_text(p->canvas, 2, y, p->canvas->width, CANVAS_HEADING,
              "%u:%04X: channel program, format %u, parameter %08" PRIX32, p->shown->set, p->shown->number,
              look.format1, look.parameter);
    uint64_t at = look.at;
    if (!at)
        view_text(p->canvas, 2, ++y, p->canvas->width, CANVAS_FAINT, "none was begun");
    for (unsigned n = 0; n < CCWS && at; n++) {
        char words[128];
        uint64_t next;
        if (at & 7 || !storage_has(s, at, 8)) {
            view_text(p->canvas, 2, ++y, p->canvas->width, CANVAS_WARNING, "%08" PRIX64 " is no place for a CCW", at);
            break;
        }
        css_ccw_words(s->bytes + at, look.format1, at, words, sizeof words, &next);
        view_text(p->canvas, 2, ++y, p->canvas->width - 2, n || !look.working ? CANVAS_PLAIN : CANVAS_HERE,
                  "%08" PRIX64 "  %016" PRIX64 "  %s", at, get64(s->bytes + at), words + 2);
        view_area(p->canvas, 2, y, 26, "this CCW in storage", "/storage %" PRIX64, at);
        at = next;
    }
    return y + 2;
}

/* ---- events --------------------------------------------------------------------------------------------------------
 */

static void draw_events(struct picture *p, float y)
{
    const struct view_teller *t = p->view->teller;
    char text[300];
    view_text(p->canvas, 2, y++, p->canvas->width, CANVAS_HEADING, "Latest events");
    if (!t || !t->event)
        view_text(p->canvas, 2, y, p->canvas->width, CANVAS_FAINT, "no console tells them");
    else if (!t->keeps_events || !t->keeps_events(t->context))
        view_missing(p->canvas, y, "Events are not kept; from now on they are by the command:", "events keep");
    else if (!t->event(t->context, 0, text, sizeof text))
        view_text(p->canvas, 2, y, p->canvas->width, CANVAS_FAINT, "none so far");
    else
        for (unsigned n = p->memory->first; n < EVENTS && view_has_row(p->canvas, y); n++)
            if (t->event(t->context, n, text, sizeof text))
                view_text(p->canvas, 1, y++, p->canvas->width - 1, CANVAS_PLAIN, "%s", text);
}

static void draw(struct view *view, struct canvas *canvas)
{
    struct picture p = {.view = view, .canvas = canvas};
    const unsigned rows = view_rows(canvas);
    p.memory = view_memory(view, VIEW_CHANNELS, sizeof *p.memory);
    view_title(view, canvas, "Channels");
    if (!p.memory || rows < 4)
        return;
    choose(&p);
    float y = draw_subchannels(&p, 1, rows < 16 ? 3 : rows / 3);
    if (rows >= 16)
        y = draw_program(&p, y);
    p.memory->page = (float)rows > y + 1 ? rows - (unsigned)y - 1 : 1;
    draw_events(&p, y);
}

static bool command(struct view *view, const char *words)
{
    struct channels_memory *m = view_memory(view, VIEW_CHANNELS, sizeof *m);
    int64_t rows;
    unsigned set, number;
    if (!m)
        return true;
    if (view_scroll(words, m->page, &rows)) {
        const int64_t to = rows == INT64_MIN ? 0 : (int64_t)m->first + rows;
        m->first = to < 0 ? 0 : to > EVENTS - 1 ? EVENTS - 1 : (unsigned)to;
        return true;
    }
    if (sscanf(words, "%u:%x", &set, &number) != 2)
        return false;
    m->chosen = true;
    m->set = set;
    m->number = number;
    return true;
}

const struct view_kind view_channels = {.name = "channels",
                                        .title = "Channels",
                                        .help = "subchannels, their programs and states, the latest events",
                                        .draw = draw,
                                        .end = view_memory_end,
                                        .command = command};
