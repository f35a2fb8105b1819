/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of an edge profile: the control flow of the function where the PSW is, or of a chosen one. */
#include "emu/edges/profile.h"
#include "emu/panel/view/flow.h"
#include "emu/panel/view/kinds.h"
#include "emu/panel/view/parts.h"
#include "ri/profile/show/cfg.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Making the graph anew takes at most this part of the host's time, and is not done more often: */
enum { PART = 100 };
#define AGAIN_NS UINT64_C(500000000)

struct graph_memory {
    bool chosen, made, wanted;
    uint64_t address; /* that was chosen */
    uint64_t made_at; /* address that it was made for */
    uint64_t instructions, due_ns;
    float left, top; /* of the picture, cells */
    unsigned page;
    struct flow flow;
};

struct picture {
    struct canvas *canvas;
    const struct flow *flow;
    float dx, dy; /* from the picture to the canvas */
    uint64_t most;
};

enum { TOP = 2 };

/* ---- lines
 * ----------------------------------------------------------------------------------------------------------- */

static float within(float value, float least, float most)
{
    return value < least ? least : value > most ? most : value;
}

/* A level or upright piece, as far as it is in the canvas. */
static void piece(const struct picture *p, float x, float y, float to_x, float to_y, enum canvas_role role, bool arrow)
{
    const float width = p->canvas->width - 0.1f, height = p->canvas->height - 0.1f;
    const float a = within(x, 0, width), b = within(y, TOP, height), c = within(to_x, 0, width),
                d = within(to_y, TOP, height);
    const bool cut = c < to_x || c > to_x || d < to_y || d > to_y;
    if ((x < 0 && to_x < 0) || (x > width && to_x > width) || (y < TOP && to_y < TOP) || (y > height && to_y > height))
        return;
    canvas_line(p->canvas, a, b, c, d, role, arrow && !cut);
}

static enum canvas_role role_of(const struct picture *p, uint64_t count)
{
    return !count ? CANVAS_FAINT : count > p->most / 2 ? CANVAS_LIT : count > p->most / 10 ? CANVAS_A : CANVAS_PLAIN;
}

static void draw_arc(const struct picture *p, unsigned number)
{
    const struct flow_arc *a = &p->flow->arc[number];
    const struct flow_node *from = &p->flow->node[a->from], *to = &p->flow->node[a->to];
    const enum canvas_role role = role_of(p, a->count);
    unsigned out = 0, in = 0;
    for (unsigned i = 0; i < number; i++) { /* lines at one node stand beside each other */
        out += p->flow->arc[i].from == a->from;
        in += p->flow->arc[i].to == a->to;
    }
    const float x = p->dx + from->x + 6 + (float)(out % 4 * 8), y = p->dy + from->y + from->height;
    const float to_x = p->dx + to->x + 10 + (float)(in % 4 * 6), to_y = p->dy + to->y;
    if (x + 1 < p->canvas->width && x >= 0 && y >= TOP)
        view_text(p->canvas, x + 1, y, 12, role, "%" PRIu64, a->count);
    if (to->layer == from->layer + 1 && !a->back) { /* through the rows between the two layers */
        const float middle = to_y - 1 + (float)(number % 3) * 0.3f;
        piece(p, x, y, x, middle, role, false);
        piece(p, x, middle, to_x, middle, role, false);
        piece(p, to_x, middle, to_x, to_y, role, true);
        return;
    }
    /* through those below the one, beside the columns, and through those above the other */
    const float side = p->dx + (from->x > to->x ? from->x : to->x) + FLOW_WIDTH + 0.5f + (float)(number % 4) * 0.8f;
    const float low = y + 1 + (float)(number % 2) * 0.4f, high = to_y - 1 + (float)(number % 2) * 0.4f;
    piece(p, x, y, x, low, role, false);
    piece(p, x, low, side, low, role, false);
    piece(p, side, low, side, high, role, false);
    piece(p, side, high, to_x, high, role, false);
    piece(p, to_x, high, to_x, to_y, role, true);
}

/* ---- blocks
 * ---------------------------------------------------------------------------------------------------------- */

static void draw_frame(const struct picture *p, const struct flow_node *n, bool here)
{
    const float x = p->dx + n->x, y = p->dy + n->y, right = x + n->width - 0.1f, low = y + n->height - 0.1f;
    const enum canvas_role role = here ? CANVAS_HERE : role_of(p, n->count);
    piece(p, x, y, right, y, role, false);
    piece(p, x, low, right, low, role, false);
    piece(p, x, y, x, low, role, false);
    piece(p, right, y, right, low, role, false);
}

static void draw_node(const struct picture *p, const struct flow_node *n, const struct cpu *cpu)
{
    const float x = p->dx + n->x, y = p->dy + n->y;
    const bool here = cpu->psw.ia >= n->start && cpu->psw.ia <= n->last;
    if (x >= p->canvas->width || x + n->width <= 0 || y >= p->canvas->height || y + n->height <= TOP)
        return;
    draw_frame(p, n, here);
    if (x + 1 < 0)
        return;
    if (y >= TOP) {
        view_text(p->canvas, x + 1, y, n->width - 2, here ? CANVAS_HERE : CANVAS_HEADING,
                  " %" PRIX64 "  %" PRIu64 " times ", n->start, n->count);
        view_area(p->canvas, x + 1, y, n->width - 2, "the code of this block", "/code %" PRIX64, n->start);
    }
    for (unsigned i = 0; i < n->lines; i++)
        if (y + 1 + (float)i >= TOP)
            view_text(p->canvas, x + 1, y + 1 + (float)i, n->width - 2, CANVAS_VALUE, "%s", n->line[i]);
}

/* ---- the view
 * -------------------------------------------------------------------------------------------------------- */

/* By the symbols of what was loaded; without one some bytes around the address. */
static void guess_function(const struct view *view, uint64_t address, struct flow_guess *guess)
{
    struct ipl_symbols *symbols = view->session->load ? ipl_load_symbols(view->session->load) : NULL;
    const struct ipl_symbol *s = symbols ? ipl_symbol_at(symbols, address) : NULL;
    guess->start = address > 512 ? (address - 512) & ~UINT64_C(1) : 0;
    guess->end = address + 512 > address ? address + 512 : UINT64_MAX;
    snprintf(guess->name, sizeof guess->name, "around %" PRIX64, address);
    if (!s)
        return;
    guess->start = s->address;
    guess->end = s->size ? s->address + s->size : UINT64_MAX;
    snprintf(guess->name, sizeof guess->name, "%.79s", s->name);
    for (unsigned n = 0; !s->size && n < ipl_symbols_count(symbols); n++) {
        const struct ipl_symbol *other = ipl_symbol_number(symbols, n);
        if (other && other->address > guess->start && other->address < guess->end)
            guess->end = other->address;
    }
    if (guess->end < guess->start)
        guess->end = UINT64_MAX;
}

static void make(struct view *view, struct graph_memory *m, uint64_t address)
{
    const uint64_t from = session_now_ns();
    struct flow_guess guess;
    guess_function(view, address, &guess);
    flow_make(&m->flow, view->cpu, address, &guess);
    const uint64_t now = session_now_ns(), pause = (now - from) * PART;
    m->made = true;
    m->wanted = false;
    m->made_at = address;
    m->instructions = machine_instructions(view->session->machine);
    m->due_ns = now + (pause > AGAIN_NS ? pause : AGAIN_NS);
}

/* Is it another one by now? Not more often than it may cost. */
static bool stale(const struct view *view, const struct graph_memory *m, uint64_t address)
{
    if (!m->made || m->wanted)
        return true;
    if (session_now_ns() < m->due_ns)
        return false;
    return m->instructions != machine_instructions(view->session->machine) ||
           (address != m->made_at && (address < m->flow.start || address >= m->flow.end));
}

static void draw_hot(struct canvas *c, const struct flow *f, uint64_t address, float y)
{
    if (f->start == f->end)
        view_text(c, 1, y++, c->width, CANVAS_PLAIN, "The profile has no branches around %" PRIX64 ".", address);
    if (*f->why)
        y = view_missing(c, y, f->why, "");
    if (!f->hot_count) {
        view_text(c, 1, y, c->width, CANVAS_PLAIN,
                  "It has no samples yet. --profile-what says whose branches count, --profile-period how many are "
                  "between two.");
        return;
    }
    view_text(c, 1, y++, c->width, CANVAS_HEADING, "Most branches are in or at:");
    for (unsigned i = 0; i < f->hot_count; i++, y++) {
        view_text(c, 2, y, c->width, CANVAS_LINK, "%12" PRIu64 "  %s", f->hot[i].count, f->hot[i].name);
        view_area(c, 2, y, c->width - 4, "its graph", "/graph %" PRIX64, f->hot[i].start);
    }
}

static void draw_graph(const struct view *view, struct canvas *canvas, struct graph_memory *m)
{
    const struct flow *f = &m->flow;
    struct picture p = {.canvas = canvas, .flow = f};
    for (unsigned i = 0; i < f->nodes; i++)
        p.most = f->node[i].count > p.most ? f->node[i].count : p.most;
    p.dx = (f->width < canvas->width ? (canvas->width - f->width) / 2 : 1) - m->left;
    p.dx = (float)(int)p.dx;
    p.dy = TOP + 1 - m->top;
    for (unsigned i = 0; i < f->arcs; i++)
        draw_arc(&p, i);
    for (unsigned i = 0; i < f->nodes; i++)
        draw_node(&p, &f->node[i], view->cpu);
}

static void draw_head(const struct view *view, struct canvas *canvas, const struct graph_memory *m, uint64_t address)
{
    char text[20];
    view_title(view, canvas, "Edge profile");
    snprintf(text, sizeof text, "%016" PRIX64, address);
    view_field(canvas, 15, 0, m->chosen ? CANVAS_VALUE : CANVAS_HERE, text, "/graph ");
    float x = 33;
    if (m->chosen)
        x = view_key(canvas, x, 0, "PSW", "/graph psw");
    x = view_key(canvas, x, 0, "left", "/graph left");
    x = view_key(canvas, x, 0, "right", "/graph right");
    if (m->flow.start != m->flow.end)
        view_text(canvas, 1, 1, canvas->width - 1, CANVAS_HEADING, "%s: %u blocks, %u arcs%s", m->flow.name,
                  m->flow.nodes + (unsigned)m->flow.left, m->flow.arcs,
                  m->flow.left ? "; the first 64 blocks are shown" : "");
}

static void draw(struct view *view, struct canvas *canvas)
{
    struct graph_memory *m = view_memory(view, VIEW_GRAPH, sizeof *m);
    const struct edge_profile_state state = edge_profile_state(view->session->machine);
    if (!m || !state.there) {
        view_title(view, canvas, "Edge profile");
        view_missing(canvas, 1,
                     "No edge profile is kept. It is turned on by the option --profile-out, or now by:", "prof on");
        return;
    }
    const uint64_t address = m->chosen ? m->address : view->follow ? view->cpu->psw.ia : view->code_at;
    if (stale(view, m, address))
        make(view, m, address);
    m->page = view_rows(canvas);
    draw_head(view, canvas, m, m->made_at);
    if (m->flow.nodes)
        draw_graph(view, canvas, m);
    else
        draw_hot(canvas, &m->flow, m->made_at, 2);
}

static bool command(struct view *view, const char *words)
{
    struct graph_memory *m = view_memory(view, VIEW_GRAPH, sizeof *m);
    int64_t rows;
    if (!m)
        return true;
    if (strcasecmp(words, "psw") == 0) {
        m->chosen = false;
        m->wanted = true;
        return true;
    }
    if (strcasecmp(words, "left") == 0 || strcasecmp(words, "right") == 0) {
        m->left += *words == 'l' || *words == 'L' ? -20.0f : 20.0f;
        m->left = within(m->left, 0, m->flow.width);
        return true;
    }
    if (view_scroll(words, m->page, &rows)) {
        m->top = rows == INT64_MIN ? 0 : within(m->top + (float)rows, 0, m->flow.height);
        return true;
    }
    if (!view_address(view, words, &m->address))
        return false;
    m->chosen = m->wanted = true;
    m->left = m->top = 0;
    return true;
}

const struct view_kind view_graph = {.name = "graph",
                                     .title = "Graph",
                                     .help = "the control flow of a function, as an edge profile has it",
                                     .draw = draw,
                                     .end = view_memory_end,
                                     .command = command};
