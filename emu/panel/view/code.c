/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of code: instructions around the PSW or a chosen address, where branches go, what the next one works on. */
#include "cpu/control/observe.h"
#include "disasm/explain.h"
#include "emu/inspect/inspect.h"
#include "emu/panel/view/kinds.h"
#include "emu/panel/view/parts.h"
#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { ROWS_MOST = 200, SOURCES = 512, LOOKUPS = 4, BACK = 100 };
enum { MARK_X = 4, ADDRESS_X = 6, BYTES_X = 23, WIDE = 65, TEXT_LINES = 8 };

struct row {
    uint64_t address, target;
    struct dis_insn insn;
    bool has_target, taken;
    unsigned line;                /* of the picture, 0: the first below the title */
    const struct source *heading; /* its source, in the line above; NULL: as of the row before, or there is no text */
};

/* Source lines that were looked for: they are not looked for sixty times a second. */
struct source {
    uint64_t address;
    bool known;
    struct view_source told; /* without folders */
};

struct code_memory {
    uint64_t top, shown_at; /* address of the first row, and what was to be seen then */
    bool begun;
    unsigned page;
    struct source source[SOURCES];
};

struct picture {
    struct view *view;
    struct canvas *canvas;
    struct code_memory *memory;
    enum cpu_space space;
    struct row row[ROWS_MOST];
    unsigned count, lines; /* rows, and the lines that they take */
    unsigned lookups;
    int code; /* why there are no more rows */
};

/* ---- where rows begin -------------------------------------------------------------------------------------------- */

/* The address from which `rows` instructions lead to `address`, or as many as there are. The instructions in front of
   one are not known for sure: the way with the fewest bytes that are none is taken. */
static uint64_t before(struct view *view, uint64_t address, unsigned rows)
{
    uint8_t bytes[2 * BACK + 8] = {0};
    int count[BACK + 1] = {0}, bad[BACK + 1] = {0}, best = 0;
    const enum cpu_space space = inspect_instruction_space(view->cpu);
    unsigned reach = BACK;
    if (address / 2 < reach)
        reach = (unsigned)(address / 2);
    while (reach && inspect_fetch(view->cpu, space, 0, address - 2 * (uint64_t)reach, bytes + 2 * (BACK - reach),
                                  2 * reach) != 2 * reach)
        reach /= 2;
    for (unsigned k = 1; k <= reach; k++) {
        struct dis_insn insn;
        const uint8_t *at = bytes + 2 * (BACK - k);
        const unsigned length = dis_length(*at) / 2;
        count[k] = -1;
        if (length > k || count[k - length] < 0)
            continue;
        count[k] = count[k - length] + 1;
        bad[k] = bad[k - length] + (dis_decode(at, &insn) == DIS_NO_ROW);
        if (count[k] <= (int)rows && (count[k] > count[best] || (count[k] == count[best] && bad[k] < bad[best])))
            best = (int)k;
    }
    return address - 2 * (uint64_t)best;
}

/* ---- rows ----------------------------------------------------------------------------------------------------------
 */

static void find_target(const struct cpu *cpu, struct row *r)
{
    struct dis_named_operand o[DIS_OPERANDS_MOST];
    if (r->insn.row == DIS_NO_ROW || dis_branch_class(&r->insn) == DIS_BRANCH_NONE)
        return;
    const unsigned count = dis_named_operands(&r->insn, o);
    const bool here = r->address == cpu->psw.ia;
    for (unsigned n = 0; n < count; n++) {
        if (o[n].kind == DIS_NAMED_RELATIVE) {
            r->target = r->address + (uint64_t)o[n].value;
            r->has_target = true;
        } else if (o[n].kind == DIS_NAMED_ADDRESS && here && !o[n].vector_index) {
            r->target = cpu_ea(cpu, o[n].base, o[n].index, (int32_t)o[n].value);
            r->has_target = true;
        } else if (n + 1 == count && o[n].kind == DIS_NAMED_GR && here) {
            r->target = cpu->gr[o[n].number & 15];
            r->has_target = true;
        }
    }
    r->target &= cpu->address_mask;
    const unsigned row = r->insn.row;
    const bool on_condition = row == DIS_BC || row == DIS_BCR || row == DIS_BRC || row == DIS_BRCL || row == DIS_BIC;
    r->taken = dis_branch_always(&r->insn) || (on_condition && count && (o[0].value & (8 >> cpu->cc)));
}

/* NULL: nobody knows. While the machine runs the address is another one in each picture; when it stands, what was not
   known is asked again, as files with symbols may have come. */
static const struct source *source_of(struct picture *p, uint64_t address)
{
    struct source *s = &p->memory->source[address / 2 % SOURCES];
    const struct view_teller *teller = p->view->teller;
    if (s->known && s->address == address && (*s->told.place || p->view->moving))
        return s;
    if (!teller || !teller->source || (p->view->moving && p->lookups == LOOKUPS))
        return NULL;
    struct view_source told = {.newer = false};
    p->lookups++;
    teller->source(teller->context, address, &told);
    const char *slash = strrchr(told.place, '/');
    *s = (struct source){address, true, told};
    if (slash)
        snprintf(s->told.place, sizeof s->told.place, "%s", slash + 1);
    return s;
}

/* The source of row n, if it is another line than that of the row before, and has a text. */
static const struct source *heading(struct picture *p, unsigned n)
{
    const struct source *s = source_of(p, p->row[n].address);
    const struct source *before = n ? source_of(p, p->row[n - 1].address) : NULL;
    return s && *s->told.text && !(before && strcmp(before->told.place, s->told.place) == 0) ? s : NULL;
}

/* Rows from an address on, until so many lines are full. */
static void gather(struct picture *p, uint64_t address, unsigned lines)
{
    const bool sources = p->canvas->width >= WIDE && lines >= TEXT_LINES;
    p->count = p->lines = 0;
    p->code = 0;
    while (p->lines < lines && p->count < ROWS_MOST) {
        uint8_t bytes[6] = {0};
        struct row *r = &p->row[p->count];
        unsigned left;
        const unsigned had = inspect_fetch(p->view->cpu, p->space, 0, address, bytes, sizeof bytes);
        if (had < 2 || had < dis_length(bytes[0])) {
            inspect_page(p->view->cpu, p->space, 0, address + had, &left, &p->code);
            break;
        }
        *r = (struct row){.address = address};
        dis_decode(bytes, &r->insn);
        find_target(p->view->cpu, r);
        r->heading = sources ? heading(p, p->count) : NULL;
        if (r->heading && p->lines + 2 > lines)
            break;
        r->line = p->lines + (r->heading != NULL);
        p->lines = r->line + 1;
        p->count++;
        address = (address + r->insn.length) & p->view->cpu->address_mask;
    }
}

static int row_of(const struct picture *p, uint64_t address)
{
    for (unsigned n = 0; n < p->count; n++)
        if (p->row[n].address == address)
            return (int)n;
    return -1;
}

/* Which rows: those of before, unless what is to be seen is not among them. */
static void choose(struct picture *p, unsigned rows)
{
    struct code_memory *m = p->memory;
    const uint64_t wanted = p->view->follow ? p->view->cpu->psw.ia : p->view->code_at;
    if (m->begun)
        gather(p, m->top, rows);
    const int row = m->begun ? row_of(p, wanted) : -1;
    if ((row < 0 || p->row[row].line + 2 > rows) && (!m->begun || p->view->follow || wanted != m->shown_at)) {
        m->top = before(p->view, wanted, rows / 3);
        gather(p, m->top, rows);
    }
    m->begun = true;
    m->shown_at = wanted;
    m->page = p->count ? p->count : 1;
}

/* ---- texts ---------------------------------------------------------------------------------------------------------
 */

static bool breakpoint_at(const struct view *view, uint64_t address)
{
    return view->teller && view->teller->breakpoint && view->teller->breakpoint(view->teller->context, address);
}

static void draw_mark(const struct picture *p, const struct row *r, float y)
{
    const bool stands = breakpoint_at(p->view, r->address);
    if (stands)
        view_text(p->canvas, MARK_X, y, 1, CANVAS_WARNING, "●");
    view_area(p->canvas, 0, y, ADDRESS_X, stands ? "remove the breakpoint" : "stop here", "%s %" PRIX64,
              stands ? "b-" : "b", r->address);
}

/* A line of the source, above its first instruction. */
static void draw_heading(const struct picture *p, const struct source *s, float y)
{
    struct canvas *c = p->canvas;
    const char *note = s->told.newer ? " (newer than the program)" : "";
    const float behind = ADDRESS_X + (float)(strlen(s->told.place) + strlen(note)) + 2;
    view_text(c, ADDRESS_X, y, c->width, *note ? CANVAS_WARNING : CANVAS_FAINT, "%s%s", s->told.place, note);
    view_text(c, behind > BYTES_X ? behind : BYTES_X, y, c->width, CANVAS_PLAIN, "%s", s->told.text);
}

/* Address, bytes, text, symbol and source, as far as there is place. */
static void draw_row(struct picture *p, const struct row *r, float y)
{
    struct canvas *c = p->canvas;
    char text[96], hex[16] = "", symbol[96], to[96];
    const bool here = r->address == p->view->cpu->psw.ia, wide = c->width >= WIDE;
    float x = wide ? BYTES_X + 14 : BYTES_X;
    if (here)
        view_fill(c, ADDRESS_X, y, c->width - ADDRESS_X, CANVAS_HERE, 70);
    else if (!p->view->follow && r->address == p->view->code_at)
        view_fill(c, ADDRESS_X, y, c->width - ADDRESS_X, CANVAS_HERE, 30);
    draw_mark(p, r, y);
    view_text(c, ADDRESS_X, y, 16, here ? CANVAS_HERE : CANVAS_FAINT, "%016" PRIX64, r->address);
    view_area(c, ADDRESS_X, y, 16, "how this address is translated", "/translation %" PRIX64, r->address);
    for (unsigned n = 0; n < r->insn.length; n++)
        snprintf(hex + 2 * n, sizeof hex - 2 * n, "%02X", r->insn.bytes[n]);
    if (wide)
        view_text(c, BYTES_X, y, 12, CANVAS_FAINT, "%s", hex);
    inspect_text(r->insn.bytes, r->address, text, sizeof text);
    if (r->heading)
        draw_heading(p, r->heading, y - 1);
    view_text(c, x, y, c->width - x,
              here                        ? CANVAS_HERE
              : r->insn.row == DIS_NO_ROW ? CANVAS_FAINT
                                          : CANVAS_VALUE,
              "%s", text);
    if (r->has_target)
        view_area(c, x, y, 28, "go to where it branches", "/code %" PRIX64, r->target);
    x += 30;
    inspect_symbol(p->view->session, r->address, symbol, sizeof symbol);
    to[0] = 0;
    if (r->has_target)
        inspect_symbol(p->view->session, r->target, to, sizeof to);
    const struct source *from = c->width > x + 45 ? source_of(p, r->address) : NULL;
    const char *source = from && !*from->told.text ? from->told.place : "";
    if (c->width > x + 10)
        view_text(c, x, y, (*source ? c->width - 25 : c->width) - x - 1,
                  strchr(symbol, '+') ? CANVAS_FAINT : CANVAS_HEADING, "%s%s%s", symbol, *to ? " → " : "", to);
    if (*source)
        view_text(c, c->width - 25, y, 24, CANVAS_FAINT, "%s", source);
}

/* ---- where a branch goes -------------------------------------------------------------------------------------------
 */

static void draw_arrow(const struct picture *p, unsigned from, float first)
{
    const struct row *r = &p->row[from];
    const int to = row_of(p, r->target);
    const float y = first + (float)r->line + 0.5f;
    const enum canvas_role role = r->taken ? CANVAS_LIT : CANVAS_FAINT;
    float end = to < 0 ? 0 : first + (float)p->row[to].line + 0.5f;
    if (to < 0) /* out of sight: above or below */
        end = r->target < r->address ? first + 0.1f : first + (float)p->lines - 0.1f;
    if (to == (int)from || p->count < 2)
        return;
    view_line(p->canvas, 2.5f, y, 1.5f, y, role, false);
    view_line(p->canvas, 1.5f, y, 1.5f, end, role, to < 0);
    if (to >= 0)
        view_line(p->canvas, 1.5f, end, 2.9f, end, role, true);
}

static void draw_arrows(const struct picture *p, float first)
{
    const int pointed = (int)(p->view->pointer_y - first);
    for (unsigned n = 0; n < p->count; n++)
        if (p->row[n].has_target && (p->row[n].address == p->view->cpu->psw.ia ||
                                     (p->view->pointer_y >= first && pointed == (int)p->row[n].line)))
            draw_arrow(p, n, first);
}

/* ---- what it works on ----------------------------------------------------------------------------------------------
 */

struct uses {
    struct canvas *canvas;
    float x, y;
};

static void put_use(struct uses *u, const char *command, unsigned number, uint64_t value, unsigned digits)
{
    char text[24];
    const float width = 25;
    if (u->x + width > u->canvas->width && u->x > 1) {
        u->x = 1;
        u->y++;
    }
    snprintf(text, sizeof text, "%0*" PRIX64, (int)digits, value);
    if (!view_has_row(u->canvas, u->y))
        return;
    view_text(u->canvas, u->x, u->y, 6, CANVAS_FAINT, "%s %u", command, number);
    view_field(u->canvas, u->x + 7, u->y, CANVAS_VALUE, text, "%s %u=", command, number);
    u->x += width;
}

static void put_register(struct uses *u, const struct cpu *cpu, unsigned kind, unsigned n)
{
    if (kind == DIS_NAMED_GR)
        put_use(u, "gpr", n & 15, cpu->gr[n & 15], 16);
    else if (kind == DIS_NAMED_FR)
        put_use(u, "fpr", n & 15, cpu->vr[n & 15].hi, 16);
    else if (kind == DIS_NAMED_AR)
        put_use(u, "ar", n & 15, cpu->ar[n & 15], 8);
    else if (kind == DIS_NAMED_CR)
        put_use(u, "cr", n & 15, cpu->cr[n & 15], 16);
}

static void put_storage(struct uses *u, struct cpu *cpu, const struct dis_insn *insn)
{
    struct cpu_named_operand o[2];
    for (unsigned n = 0, all = cpu_named_operands(cpu, insn, o); n < all; n++) {
        uint8_t bytes[16];
        char text[40] = "";
        const unsigned length = o[n].length < sizeof bytes ? (unsigned)o[n].length : (unsigned)sizeof bytes;
        const unsigned had = inspect_fetch(cpu, CPU_SPACE_CURRENT, o[n].ar, o[n].address, bytes, length);
        for (unsigned i = 0; i < had; i++)
            snprintf(text + 2 * i, sizeof text - 2 * i, "%02X", bytes[i]);
        u->y++;
        view_text(u->canvas, 1, u->y, u->canvas->width, CANVAS_VALUE, "%-7s %016" PRIX64 ": %s%s",
                  o[n].store ? o[n].fetch ? "updates" : "stores" : "fetches", o[n].address, text,
                  had < length        ? had ? " ... not there" : "not there"
                  : o[n].length > had ? " ..."
                                      : "");
    }
}

/* The operands of the instruction at the PSW, in the lowest rows from y on. */
static void draw_uses(const struct picture *p, float y)
{
    struct dis_named_operand o[DIS_OPERANDS_MOST];
    struct cpu *cpu = p->view->cpu;
    const int row = row_of(p, cpu->psw.ia);
    struct uses u = {p->canvas, 1, y + 1};
    uint32_t told = 0;
    char title[100] = "";
    const struct dis_insn *next = row < 0 ? NULL : &p->row[row].insn;
    if (next && next->row != DIS_NO_ROW && !(cpu->psw.mask & PSW_WAIT))
        snprintf(title, sizeof title, "%.70s%s", dis_rows[next->row].name,
                 !p->row[row].has_target ? ""
                 : p->row[row].taken     ? ": branches"
                                         : ": a branch");
    const float begin = *title ? (float)strlen(title) + 2 : 0;
    view_text(p->canvas, 1, y, p->canvas->width - 1, CANVAS_FAINT, "%s", title);
    view_line(p->canvas, begin, y + 0.5f, p->canvas->width, y + 0.5f, CANVAS_FAINT, false);
    if (cpu->psw.mask & PSW_WAIT || cpu->psw.ia & 1) {
        view_text(p->canvas, 1, y + 1, p->canvas->width - 1, CANVAS_WARNING, "%s",
                  cpu->psw.mask & PSW_WAIT ? "the CPU waits: it fetches no instruction"
                                           : "an odd address: a specification exception");
        return;
    }
    if (row < 0)
        return;
    const struct dis_insn *insn = &p->row[row].insn;
    if (insn->row == DIS_NO_ROW) {
        view_text(p->canvas, 1, y + 1, p->canvas->width - 1, CANVAS_WARNING, "no instruction: an operation exception");
        return;
    }
    for (unsigned n = 0, count = dis_named_operands(insn, o); n < count; n++) {
        if (o[n].kind <= DIS_NAMED_CR)
            put_register(&u, cpu, o[n].kind, o[n].number);
        if (o[n].pair && o[n].kind == DIS_NAMED_GR)
            put_register(&u, cpu, o[n].kind, o[n].number + 1u);
        if (o[n].kind != DIS_NAMED_ADDRESS)
            continue;
        const unsigned index = o[n].vector_index ? 0 : o[n].index;
        if (o[n].base && !(told >> o[n].base & 1))
            put_register(&u, cpu, DIS_NAMED_GR, o[n].base);
        if (index && index != o[n].base && !(told >> index & 1))
            put_register(&u, cpu, DIS_NAMED_GR, index);
        told |= UINT32_C(1) << o[n].base | UINT32_C(1) << index;
    }
    put_storage(&u, cpu, insn);
}

/* ---- the view ------------------------------------------------------------------------------------------------------
 */

static void draw_head(struct picture *p)
{
    char text[20];
    struct canvas *c = p->canvas;
    view_title(p->view, c, "Code");
    snprintf(text, sizeof text, "%016" PRIX64, p->view->follow ? p->view->cpu->psw.ia : p->view->code_at);
    if (c->width >= 25 && view_rows(c))
        view_field(c, ADDRESS_X, 0, p->view->follow ? CANVAS_HERE : CANVAS_VALUE, text, "/code ");
    if (!p->view->follow)
        view_key(c, ADDRESS_X + 18, 0, "Follow the PSW", "/code follow");
    else if (c->width >= 62) /* beside the CPU's state */
        view_text(c, ADDRESS_X + 18, 0, 20, CANVAS_FAINT, "following the PSW");
}

static void draw(struct view *view, struct canvas *canvas)
{
    struct picture p = {.view = view, .canvas = canvas, .space = inspect_instruction_space(view->cpu)};
    const unsigned all = view_rows(canvas), uses = all >= 14 ? 5 : 0;
    p.memory = view_memory(view, VIEW_CODE, sizeof *p.memory);
    draw_head(&p);
    if (!p.memory || all < 2)
        return;
    choose(&p, all - 1 - uses);
    for (unsigned n = 0; n < p.count; n++)
        draw_row(&p, &p.row[n], 1 + (float)p.row[n].line);
    draw_arrows(&p, 1);
    if (p.code && p.lines < all - 1 - uses) {
        const struct row *last = p.count ? &p.row[p.count - 1] : NULL;
        const uint64_t at = last ? last->address + last->insn.length : p.memory->top;
        view_text(canvas, ADDRESS_X, 1 + (float)p.lines, canvas->width, CANVAS_WARNING, "%016" PRIX64 " %s", at,
                  inspect_code_name(p.code));
    }
    if (uses)
        draw_uses(&p, (float)(all - uses));
}

static bool command(struct view *view, const char *words)
{
    struct code_memory *m = view_memory(view, VIEW_CODE, sizeof *m);
    int64_t rows;
    uint64_t address;
    if (!m)
        return true;
    if (strcasecmp(words, "follow") == 0) {
        view->follow = true;
        return true;
    }
    if (view_scroll(words, m->page, &rows)) {
        if (!m->begun || rows == INT64_MIN) {
            view->follow = true;
            return true;
        }
        view->follow = false;
        view->code_at = m->shown_at;
        if (rows < 0) {
            m->top = before(view, m->top, (unsigned)-rows);
        } else {
            for (uint8_t first; rows-- > 0; m->top += dis_length(first))
                if (!inspect_fetch(view->cpu, inspect_instruction_space(view->cpu), 0, m->top, &first, 1))
                    break;
        }
        return true;
    }
    if (!view_address(view, words, &address))
        return false;
    view->follow = false;
    view->code_at = address & ~UINT64_C(1);
    return true;
}

const struct view_kind view_code = {.name = "code",
                                    .title = "Code",
                                    .help = "instructions around the PSW or an address, breakpoints, branches",
                                    .draw = draw,
                                    .end = view_memory_end,
                                    .command = command};
