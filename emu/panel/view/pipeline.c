/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the pipeline model: the latest instructions by rows, cycles by columns. */
#include "cpu/control/model.h"
#include "emu/observe/pipeline.h"
#include "emu/panel/view/kinds.h"
#include "emu/panel/view/parts.h"
#include "ri/counters/model/passages.h"
#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 400, TOP = 3 };

struct pipeline_memory {
    unsigned first, page; /* instructions behind the last row */
};

static const struct {
    char letter;
    enum canvas_role role;
    const char *name;
} stages[] = {{'F', CANVAS_A, "fetched"},
              {'D', CANVAS_B, "dispatched"},
              {'X', CANVAS_C, "executed"},
              {'N', CANVAS_D, "finished"},
              {'C', CANVAS_HERE, "completes"}};

static bool thrown_away(const struct ec_passed *p) { return p->passage.wrong_path || p->cancelled; }

static uint64_t latest_cycle(const struct ec_passed *p)
{
    const uint64_t at[] = {p->passage.f, p->passage.d, p->passage.x, p->passage.n, p->end};
    uint64_t last = 0;
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++)
        last = at[i] > last ? at[i] : last;
    return last;
}

/* Its stages from a cycle on. */
static void draw_stages(struct canvas *c, const struct ec_passed *p, uint64_t from, float x, float y, unsigned columns)
{
    char text[COLUMNS + 1];
    unsigned begun = 0;
    int then = -1;
    for (unsigned n = 0; n <= columns; n++) {
        const int stage = n < columns ? ec_passed_stage(p, from + n) : -1;
        text[n] = stage < 0 ? ' ' : stage == 4 && thrown_away(p) ? 'x' : stages[stage].letter;
        if (stage == then)
            continue;
        if (then >= 0)
            view_fill(c, x + (float)begun, y, (float)(n - begun), thrown_away(p) ? CANVAS_FAINT : stages[then].role,
                      thrown_away(p) ? 60 : 120);
        begun = n;
        then = stage;
    }
    text[columns] = 0;
    unsigned blank = (unsigned)strspn(text, " ");
    for (unsigned end = columns; end > blank && text[end - 1] == ' ';)
        text[--end] = 0;
    if (text[blank])
        view_text(c, x + (float)blank, y, (float)columns, thrown_away(p) ? CANVAS_WARNING : CANVAS_PLAIN, "%s",
                  text + blank);
}

static void draw_row(struct canvas *c, const struct ec_passed *p, float y, float width)
{
    char words[128];
    const enum canvas_role role = thrown_away(p) ? CANVAS_FAINT : p->mispredicted ? CANVAS_WARNING : CANVAS_VALUE;
    ec_passage_text(&p->passage, words, sizeof words);
    view_text(c, 0, y, 1, CANVAS_WARNING, "%s",
              p->passage.wrong_path ? "w"
              : p->cancelled        ? "c"
              : p->mispredicted     ? "!"
                                    : " ");
    view_text(c, 2, y, width - 3, role, "%s", words);
    view_area(c, 0, y, width, "the instruction", "/code %" PRIX64, p->passage.ia);
}

static void draw_legend(struct canvas *c, uint64_t from)
{
    float x = 1;
    for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++) {
        const float width = (float)strlen(stages[i].name) + 3;
        view_fill(c, x, 1, 1, stages[i].role, 160);
        view_text(c, x, 1, width - 1, CANVAS_PLAIN, "%c %s", stages[i].letter, stages[i].name);
        x += width + 1;
    }
    view_text(c, x, 1, c->width, CANVAS_FAINT, "w wrong path, x thrown away, ! mispredicted, c cancelled");
    if (c->width > 60)
        view_text(c, c->width - 30, 2, 29, CANVAS_FAINT, "from cycle %" PRIu64, from);
}

static void draw_recent(struct canvas *c, struct pipeline_memory *m, const struct ec_recent *r)
{
    const unsigned rows = view_rows(c) > TOP ? view_rows(c) - TOP : 0;
    const unsigned kept = r->count < EC_RECENT ? (unsigned)r->count : EC_RECENT;
    const float width = c->width >= 100 ? 46 : c->width * 0.45f;
    unsigned columns = c->width > width + 2 ? (unsigned)(c->width - width - 1) : 1;
    uint64_t last = 0;
    columns = columns > COLUMNS ? COLUMNS : columns;
    if (m->first >= kept)
        m->first = kept ? kept - 1 : 0;
    const unsigned shown = kept - m->first < rows ? kept - m->first : rows;
    const uint64_t first = r->count - m->first - shown; /* number of the first that is shown */
    m->page = rows;
    for (unsigned n = 0; n < shown; n++) {
        const uint64_t cycle = latest_cycle(&r->passed[(first + n) % EC_RECENT]);
        last = cycle > last ? cycle : last;
    }
    uint64_t from = shown ? r->passed[first % EC_RECENT].passage.f : 0;
    if (last >= columns && from < last - columns + 1)
        from = last - columns + 1;
    draw_legend(c, from);
    for (unsigned n = 0; n < shown; n++) {
        const struct ec_passed *p = &r->passed[(first + n) % EC_RECENT];
        draw_row(c, p, TOP + (float)n, width);
        draw_stages(c, p, from, (float)(int)width, TOP + (float)n, columns);
    }
    if (!shown && rows)
        view_text(c, 1, TOP, c->width, CANVAS_FAINT, "nothing has passed through it since");
}

static void draw(struct view *view, struct canvas *canvas)
{
    struct pipeline_memory *m = view_memory(view, VIEW_PIPELINE, sizeof *m);
    const struct ec_recent *recent = machine_pipeline_recent(view->session->machine, view->cpu);
    view_title(view, canvas, "Pipeline");
    if (!m)
        return;
    if (!cpu_model(view->cpu))
        view_missing(canvas, 1,
                     "The pipeline model is off. It is turned on by the option --pipe, or now by:", "ctr on");
    else if (!recent)
        view_missing(
            canvas, 1,
            "The pipeline model is on, but what passes through it is not kept; from now on it is by:", "ctr pipe on");
    else
        draw_recent(canvas, m, recent);
}

static bool command(struct view *view, const char *words)
{
    struct pipeline_memory *m = view_memory(view, VIEW_PIPELINE, sizeof *m);
    int64_t rows;
    if (!m || !view_scroll(words, m->page, &rows))
        return !m;
    const int64_t to = rows == INT64_MIN ? 0 : (int64_t)m->first - rows;
    m->first = to < 0 ? 0 : to > EC_RECENT - 1 ? EC_RECENT - 1 : (unsigned)to;
    return true;
}

const struct view_kind view_pipeline = {.name = "pipeline",
                                        .title = "Pipeline",
                                        .help = "what passes through the pipeline model, cycle by cycle",
                                        .draw = draw,
                                        .end = view_memory_end,
                                        .command = command};
