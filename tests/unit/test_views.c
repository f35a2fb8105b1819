/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of prepared machines: what is to be seen, said and clicked; and nothing that the machine can tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cpu/control/psw.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "emu/dev/css/attach.h"
#include "emu/dev/css/internal.h"
#include "emu/edges/profile.h"
#include "emu/observe/exception_trace.h"
#include "emu/observe/pipeline.h"
#include "emu/panel/canvas/cells.h"
#include "emu/panel/view/kinds.h"
#include "ri/ri.h"
#include "tests/machine_hash.h"
#include "tests/unit/put_code.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

#define CODE 0x10000u

static char error[512];

struct looked {
    struct session session;
    struct view view;
    struct canvas canvas;
    bool breaks;         /* a breakpoint stands at CODE + 8 */
    bool sources, newer; /* source lines have a text; it is newer than the program */
};

static bool breakpoint(void *context, uint64_t address)
{
    return ((struct looked *)context)->breaks && address == CODE + 8;
}

static void source(void *context, uint64_t address, struct view_source *told)
{
    const struct looked *l = context;
    snprintf(told->place, sizeof told->place, "%s", address == CODE ? "/home/u/loop.S:7" : "");
    if (l->sources && address >= CODE && address < CODE + 0x12) {
        snprintf(told->place, sizeof told->place, "/home/u/loop.S:%u", address < CODE + 8 ? 7 : 8);
        snprintf(told->text, sizeof told->text, "%s", address < CODE + 8 ? "begin: five times" : "again: load");
        told->newer = l->newer;
    }
}

static void assemble(struct session *s, uint64_t *at, const char *line)
{
    *at = put_code(s->machine->sys.storage.bytes, *at, line);
}

/* A machine of 4 MiB with a loop at CODE. */
static int begin(void **state)
{
    struct looked *l = calloc(1, sizeof *l);
    struct machine_config config = machine_default_config();
    config.storage = UINT64_C(4) << 20;
    config.cpus = 2;
    assert_non_null(l);
    assert_int_equal(session_open(&l->session, &config, false, NULL, error, sizeof error), 0);
    uint64_t at = CODE;
    assemble(&l->session, &at, "lghi %r1,5");
    assemble(&l->session, &at, "la %r2,8(%r1,%r3)");
    assemble(&l->session, &at, "lg %r4,0(%r3)");
    assemble(&l->session, &at, "brctg %r1,0x10008");
    assemble(&l->session, &at, "j 0x10000");
    struct cpu *cpu = l->session.machine->sys.cpus[0];
    assert_int_equal(cpu_load_psw(cpu, PSW_EA | PSW_BA, CODE), 0);
    cpu->gr[3] = 0x20000;
    l->view = (struct view){.session = &l->session, .cpu = cpu, .follow = true, .pointer_x = -1, .pointer_y = -1};
    *state = l;
    return 0;
}

static int end(void **state)
{
    struct looked *l = *state;
    view_end(&l->view);
    canvas_free(&l->canvas);
    session_close(&l->session);
    free(l);
    return 0;
}

static void draw(struct looked *l, const struct view_kind *kind, float width, float height)
{
    canvas_clear(&l->canvas, width, height);
    if (!kind)
        return;
    l->view.pictures++;
    kind->draw(&l->view, &l->canvas);
    if (!getenv("VIEWS_SHOWN"))
        return;
    struct cells cells = {.cell = NULL};
    assert_int_equal(cells_draw(&cells, &l->canvas), 0);
    cells_print(&cells, true, stdout);
    cells_free(&cells);
}

/* The item whose text has these characters; NULL: none. */
static const struct canvas_item *item(const struct looked *l, const char *text)
{
    for (uint32_t i = 0; i < l->canvas.count; i++)
        if (strstr(canvas_item_text(&l->canvas, &l->canvas.items[i]), text))
            return &l->canvas.items[i];
    return NULL;
}

/* The last one, and at least the second. */
static const struct canvas_item *last(const struct looked *l, const char *text)
{
    const struct canvas_item *found = item(l, text);
    for (uint32_t i = 0; i < l->canvas.count; i++)
        if (strcmp(canvas_item_text(&l->canvas, &l->canvas.items[i]), text) == 0)
            found = &l->canvas.items[i];
    assert_non_null(found);
    return found;
}

static const char *command_at(const struct looked *l, float x, float y)
{
    const struct canvas_item *i = canvas_at(&l->canvas, x, y);
    return i ? canvas_item_command(&l->canvas, i) : "";
}

/* The role of what fills a cell last; -1: nothing does. */
static int filled(const struct looked *l, float x, float y)
{
    int role = -1;
    for (uint32_t i = 0; i < l->canvas.count; i++) {
        const struct canvas_item *f = &l->canvas.items[i];
        if (f->kind == CANVAS_FILL && x >= f->box.x && x < f->box.x + f->box.width && y >= f->box.y &&
            y < f->box.y + f->box.height)
            role = f->role;
    }
    return role;
}

static void arrow_leads_to(struct looked *l, const char *text)
{
    const struct canvas_item *head = NULL;
    for (uint32_t i = 0; i < l->canvas.count; i++)
        if (l->canvas.items[i].kind == CANVAS_LINE && l->canvas.items[i].arrow)
            head = &l->canvas.items[i];
    assert_non_null(head);
    assert_int_equal((int)head->box.y, (int)item(l, text)->box.y);
}

/* ---- each view -----------------------------------------------------------------------------------------------------
 */

static void test_code(void **state)
{
    struct looked *l = *state;
    const struct view_teller teller = {.context = l, .breakpoint = breakpoint, .source = source};
    l->view.teller = &teller;
    for (unsigned n = 0; n < 8; n++) /* not all lines of source are looked for at once */
        draw(l, &view_code, 120, 30);
    assert_non_null(item(l, "lghi %r1,5"));
    assert_int_equal(item(l, "lghi %r1,5")->role, CANVAS_HERE);
    assert_int_equal(item(l, "la %r2,8(%r1,%r3)")->role, CANVAS_VALUE);
    assert_non_null(item(l, "loop.S:7"));
    assert_null(item(l, "●"));
    assert_string_equal(command_at(l, 1, item(l, "lg %r4")->box.y), "b 10008");
    l->breaks = true;
    draw(l, &view_code, 120, 30);
    assert_non_null(item(l, "●"));
    assert_true(item(l, "●")->box.y == item(l, "lg %r4")->box.y);
    assert_string_equal(command_at(l, 1, item(l, "lg %r4")->box.y), "b- 10008");
    /* a branch: its arrow leads to the row of its target; what it works on */
    l->view.cpu->psw.ia = CODE + 0xe;
    l->view.cpu->gr[1] = 0x1234;
    draw(l, &view_code, 120, 30);
    arrow_leads_to(l, "lg %r4");
    assert_non_null(item(l, "0000000000001234"));
    assert_string_equal(canvas_item_command(&l->canvas, item(l, "0000000000001234")), "gpr 1=");
    /* another address, and where there is no storage */
    assert_true(view_code.command(&l->view, "3ffffc"));
    assert_false(l->view.follow);
    draw(l, &view_code, 120, 30);
    assert_non_null(item(l, "there is no storage"));
    assert_false(view_code.command(&l->view, "nonsense"));
    assert_true(view_code.command(&l->view, "follow"));
    assert_true(l->view.follow);
}

/* A line of the source stands above its first instruction, once; arrows, breakpoints and the pointer know of it. */
static void test_code_source(void **state)
{
    struct looked *l = *state;
    const struct view_teller teller = {.context = l, .breakpoint = breakpoint, .source = source};
    l->view.teller = &teller;
    l->sources = true;
    draw(l, &view_code, 120, 30);
    const float y = item(l, "lghi %r1,5")->box.y;
    assert_true(item(l, "begin: five times")->box.y == y - 1);
    assert_true(item(l, "loop.S:7")->box.y == y - 1);
    assert_true(item(l, "la %r2,")->box.y == y + 1);
    assert_true(item(l, "again: load")->box.y == y + 2);
    assert_true(item(l, "lg %r4")->box.y == y + 3);
    assert_true(item(l, "brctg")->box.y == y + 4);
    assert_null(item(l, "newer"));
    unsigned lines = 0;
    for (uint32_t i = 0; i < l->canvas.count; i++)
        lines += strstr(canvas_item_text(&l->canvas, &l->canvas.items[i]), "loop.S:8") != NULL;
    assert_int_equal(lines, 1);
    assert_string_equal(command_at(l, 1, y + 3), "b 10008");
    l->view.cpu->psw.ia = CODE + 0xe;
    draw(l, &view_code, 120, 30);
    arrow_leads_to(l, "lg %r4");
    /* no place for it: the instructions are what counts; in any height the one at the PSW is seen */
    draw(l, &view_code, 60, 30);
    assert_null(item(l, "begin: five times"));
    for (unsigned height = 2; height < 30; height++) {
        draw(l, &view_code, 120, (float)height);
        assert_non_null(item(l, "brctg"));
    }
    l->newer = true;
    assert_true(view_code.command(&l->view, "follow"));
    l->session.loads++; /* another program: nothing is remembered */
    draw(l, &view_code, 120, 30);
    assert_non_null(item(l, "loop.S:7 (newer than the program)"));
    assert_int_equal(item(l, "newer than")->role, CANVAS_WARNING);
    /* what was not known is asked again: `symbols` may have brought it */
    l->sources = false;
    l->session.loads++;
    draw(l, &view_code, 120, 30);
    assert_null(item(l, "again: load"));
    l->sources = true;
    draw(l, &view_code, 120, 30);
    assert_non_null(item(l, "again: load"));
}

static void test_storage(void **state)
{
    struct looked *l = *state;
    struct storage *s = &l->session.machine->sys.storage;
    s->keys[0x100] = KEY_R;
    s->keys[0x101] = KEY_R | KEY_C;
    memcpy(s->bytes + 0x300000, "\xc8\x85\x93\x93\x96", 5);
    assert_true(view_storage.command(&l->view, "300000"));
    draw(l, &view_storage, 93, 30);
    assert_int_equal(filled(l, 13 + 0x100 % 80, 2 + 0x100 / 80), CANVAS_A);
    assert_int_equal(filled(l, 13 + 0x101 % 80, 2 + 0x101 / 80), CANVAS_B);
    assert_int_equal(filled(l, 13 + 0x102 % 80, 2 + 0x102 / 80), CANVAS_FAINT);
    assert_int_equal(filled(l, 13 + (CODE >> 12), 2), CANVAS_HERE);
    assert_non_null(item(l, "C8859393"));
    assert_int_equal(item(l, "C8859393")->role, CANVAS_VALUE);
    assert_non_null(item(l, "Hello..."));
    assert_string_equal(canvas_item_command(&l->canvas, item(l, "C8859393")), "abs 300000=");
    /* a byte is another one after a step */
    s->bytes[0x300003] = 0x81;
    l->session.machine->sys.cpus[0]->elapsed++;
    draw(l, &view_storage, 93, 30);
    assert_int_equal(item(l, "C8859381")->role, CANVAS_CHANGED);
    /* a click on the map */
    l->view.pointer_x = 13 + 0x101 % 80;
    l->view.pointer_y = 2 + 0x101 / 80;
    draw(l, &view_storage, 93, 30);
    assert_non_null(item(l, "of 1 frames 1 read, 1 written"));
    assert_string_equal(command_at(l, l->view.pointer_x, l->view.pointer_y), "/storage pick");
    assert_true(view_storage.command(&l->view, "pick"));
    assert_int_equal(l->view.storage_at, 0x101000);
    assert_true(view_storage.command(&l->view, "fffffffffffffff0"));
    draw(l, &view_storage, 93, 30);
    assert_non_null(item(l, "there is no storage"));
}

/* Tables of primary space: 0 to X'100000' by a page table, of which page 1 is invalid, and page 2 has bit 52. */
static void map_pages(struct looked *l)
{
    uint8_t *b = l->session.machine->sys.storage.bytes;
    for (unsigned n = 0; n < 2048; n++)
        put64(b + 0x200000 + 8 * n, n ? BIT64(58) : 0x210000);
    for (unsigned n = 0; n < 256; n++)
        put64(b + 0x210000 + 8 * n, n * UINT64_C(4096) | (n == 1 ? BIT64(53) : n == 2 ? BIT64(52) : 0));
    l->view.cpu->cr[1] = 0x200000 | 3;
    assert_int_equal(cpu_load_psw(l->view.cpu, PSW_EA | PSW_BA | PSW_DAT, CODE), 0);
}

static void test_translation(void **state)
{
    struct looked *l = *state;
    draw(l, &view_translation, 120, 30);
    assert_non_null(item(l, "DAT is off"));
    map_pages(l);
    draw(l, &view_translation, 120, 30);
    assert_non_null(item(l, "segment table"));
    assert_non_null(item(l, "page table"));
    assert_non_null(item(l, "absolute 0000000000010000"));
    assert_int_equal(item(l, "0000000000210000")->kind, CANVAS_FIELD);
    assert_string_equal(canvas_item_command(&l->canvas, item(l, "0000000000210000")), "r 200000=");
    assert_true(view_translation.command(&l->view, "1000"));
    draw(l, &view_translation, 120, 30);
    assert_non_null(item(l, "program interruption 0011"));
    assert_int_equal(item(l, "invalid")->role, CANVAS_FAINT);
    assert_int_equal(last(l, "invalid")->role, CANVAS_WARNING);
    assert_true(view_translation.command(&l->view, "2000"));
    draw(l, &view_translation, 120, 30);
    assert_int_equal(item(l, "bit 52 of the page-table entry is one")->role, CANVAS_WARNING);
    assert_int_equal(item(l, "bit 52 (must be 0)")->role, CANVAS_WARNING);
    assert_true(view_translation.command(&l->view, "7fff000000000000"));
    draw(l, &view_translation, 120, 30);
    assert_non_null(item(l, "program interruption 0038"));
    assert_true(view_translation.command(&l->view, "home"));
    draw(l, &view_translation, 40, 10);
    /* the map of storage has found the tables */
    for (unsigned n = 0; n < 20; n++)
        draw(l, &view_storage, 93, 30);
    assert_int_equal(filled(l, 13 + 0x200 % 80, 2 + 0x200 / 80), CANVAS_D);
    assert_int_equal(filled(l, 13 + 0x210 % 80, 2 + 0x210 / 80), CANVAS_D);
    assert_int_equal(filled(l, 13 + 0x220 % 80, 2 + 0x220 / 80), CANVAS_FAINT);
}

static void test_instrumentation(void **state)
{
    struct looked *l = *state;
    struct cpu *cpu = l->view.cpu;
    uint8_t block[RI_BLOCK_SIZE];
    draw(l, &view_instrumentation, 140, 40);
    assert_non_null(item(l, "its controls are not valid"));
    assert_int_equal(item(l, "active")->role, CANVAS_DARK);
    struct ri_controls controls = {.v = 1, .qs = 1, .qc = 1, .m = 1, .c = 1, .r = 1, .b = 1, .f = 1, .rgs = 1};
    controls.roa = controls.rca = 0x300000;
    controls.rla = 0x300fff;
    controls.sf = controls.rsic = 1000;
    ri_controls_encode(&controls, block);
    (void)ri_lric(cpu->ri, block);
    draw(l, &view_instrumentation, 140, 40);
    assert_string_equal(canvas_item_command(&l->canvas, item(l, "ri on")), "ri on");
    assert_non_null(item(l, "no group is in the program buffer"));
    assert_int_equal(cpu_load_psw(cpu, PSW_EA | PSW_BA | PSW_RI, CODE), 0);
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    machine_run(l->session.machine, 300);
    draw(l, &view_instrumentation, 140, 40);
    assert_int_equal(item(l, "active")->role, CANVAS_LIT);
    assert_non_null(item(l, "in 700 of 1000 instructions"));
    assert_null(item(l, "buffer: 0 of"));
    assert_string_equal(canvas_item_command(&l->canvas, last(l, "00000000000002BC")), "ri set RSIC=");
    machine_run(l->session.machine, 2300);
    draw(l, &view_instrumentation, 140, 40);
    assert_non_null(item(l, "Group 2 of 2 at 300040"));
    assert_non_null(item(l, "timestamp"));
    assert_true(view_instrumentation.command(&l->view, "older"));
    draw(l, &view_instrumentation, 140, 40);
    assert_non_null(item(l, "Group 1 of 2 at 300000"));
    assert_non_null(item(l, "transfer"));
    cpu->ri->controls.roa = 1; /* no guest can, but a damaged snapshot */
    draw(l, &view_instrumentation, 140, 40);
}

static bool event(void *context, unsigned back, char *text, size_t size)
{
    (void)context;
    snprintf(text, size, "event %u", back);
    return back < 2;
}

static bool keeps_events(void *context) { return ((struct looked *)context)->breaks; }

static void test_channels(void **state)
{
    struct looked *l = *state;
    const struct view_teller teller = {.context = l, .keeps_events = keeps_events, .event = event};
    draw(l, &view_channels, 120, 30);
    assert_non_null(item(l, "no device is attached"));
    assert_int_equal(css_attach_text(l->session.machine, "000C,3505,ascii,=A CARD", false, error, sizeof error), 0);
    assert_int_equal(css_attach_text(l->session.machine, "0009,3215", false, error, sizeof error), 0);
    l->view.teller = &teller;
    draw(l, &view_channels, 120, 30);
    assert_non_null(item(l, "0:000C"));
    assert_non_null(item(l, "3215"));
    assert_non_null(item(l, "not enabled"));
    assert_non_null(item(l, "none was begun"));
    assert_string_equal(canvas_item_command(&l->canvas, item(l, "events keep")), "events keep");
    assert_string_equal(command_at(l, 5, item(l, "3215")->box.y), "/channels 0:0001");
    l->breaks = true;
    draw(l, &view_channels, 120, 30);
    assert_non_null(item(l, "event 1"));
    assert_null(item(l, "events keep"));
    assert_true(view_channels.command(&l->view, "0:0001"));
    draw(l, &view_channels, 120, 30);
    assert_non_null(item(l, "0:0009: channel program"));
    /* a program that is being carried out */
    struct subchannel *s = css_subchannel(css_device(l->session.machine->css, 1));
    put64(l->session.machine->sys.storage.bytes + 0x1000, UINT64_C(0x0940000500002000));
    put64(l->session.machine->sys.storage.bytes + 0x1008, UINT64_C(0x0a00005000003000));
    s->phase = PHASE_FETCH;
    s->orb = ORB_FORMAT1;
    s->scsw = SCSW_START | SCSW_ACTIVE;
    s->flags |= PMCW_ENABLED;
    s->at = 0x1000;
    draw(l, &view_channels, 120, 30);
    assert_int_equal(item(l, "09 2000.5 CC")->role, CANVAS_HERE);
    assert_int_equal(item(l, "0A 3000.50")->role, CANVAS_PLAIN);
    assert_non_null(item(l, "start active"));
    s->at = 0xfffffff8;
    draw(l, &view_channels, 120, 30);
    assert_non_null(item(l, "is no place for a CCW"));
    s->phase = PHASE_IDLE;
}

static void test_machine(void **state)
{
    struct looked *l = *state;
    draw(l, &view_machine, 120, 30);
    assert_non_null(item(l, "2 CPUs, 4 MiB"));
    assert_string_equal(command_at(l, 1, 6), "cpu 1");
    l->session.machine->sys.cpus[1]->state = CPU_STATE_CHECK_STOP;
    draw(l, &view_machine, 120, 30);
    assert_int_equal(item(l, "check-stop")->role, CANVAS_WARNING);
    draw(l, &view_machine, 60, 7);
    assert_non_null(item(l, "1 more CPUs"));
}

/* A supervisor call in each round, that returns at once. */
static void call_supervisor(struct looked *l)
{
    uint8_t *b = l->session.machine->sys.storage.bytes;
    uint64_t at = CODE + 0x12;
    assemble(&l->session, &at, "svc 7");
    assemble(&l->session, &at, "j 0x10000");
    at = 0x11000;
    assemble(&l->session, &at, "lpswe 320(%r0)"); /* the old PSW */
    put64(b + 448, PSW_EA | PSW_BA);
    put64(b + 456, 0x11000);
}

static void test_trace(void **state)
{
    struct looked *l = *state;
    const char *const keys[] = {"enable=on"};
    const struct exception_trace_plan plan = {.keys = keys, .key_count = 1};
    draw(l, &view_trace, 120, 40);
    assert_string_equal(canvas_item_command(&l->canvas, item(l, "et on")), "et on");
    assert_int_equal(exception_trace_begin(l->session.machine, &plan, error, sizeof error), 0);
    draw(l, &view_trace, 120, 40);
    assert_null(item(l, "et on"));
    call_supervisor(l);
    cpu_set_state(l->view.cpu, CPU_STATE_OPERATING);
    machine_run(l->session.machine, 2000);
    draw(l, &view_trace, 120, 40);
    assert_non_null(item(l, "ENTRY"));
    assert_non_null(item(l, "SVC 7"));
    /* without times the events are numbered */
    assert_in_range(strtoull(canvas_item_text(&l->canvas, item(l, "ENTRY")), NULL, 10), 1, 9999);
    bool frames = false; /* handlers stand one row above what they interrupted */
    for (uint32_t i = 0; i < l->canvas.count; i++)
        frames |= l->canvas.items[i].kind == CANVAS_FILL && l->canvas.items[i].role == CANVAS_B &&
                  l->canvas.items[i].box.y == 6;
    assert_true(frames);
    assert_true(view_trace.command(&l->view, "closer"));
    assert_true(view_trace.command(&l->view, "wider"));
    assert_true(view_trace.command(&l->view, "latest"));
    assert_false(view_trace.command(&l->view, "nonsense"));
}

static void profile(struct looked *l)
{
    struct emu_edges asked = edge_profile_asked(l->session.machine);
    const char *doubt;
    assert_int_equal(emu_edges_key(&asked, "what=all", error, sizeof error), 0);
    assert_int_equal(emu_edges_key(&asked, "base=97", error, sizeof error), 0);
    assert_int_equal(edge_profile_set(l->session.machine, &asked, &doubt, error, sizeof error), 0);
    assert_int_equal(edge_profile_on(l->session.machine, error, sizeof error), 0);
}

/* What a function calls is not among its blocks. */
static void test_graph_calls(void **state)
{
    struct looked *l = *state;
    uint64_t at = CODE;
    assemble(&l->session, &at, "brasl %r14,0x14000");
    assemble(&l->session, &at, "j 0x10000");
    at = 0x14000;
    assemble(&l->session, &at, "lghi %r1,3");
    assemble(&l->session, &at, "brctg %r1,0x14004");
    assemble(&l->session, &at, "br %r14");
    profile(l);
    cpu_set_state(l->view.cpu, CPU_STATE_OPERATING);
    machine_run(l->session.machine, 100000);
    assert_true(view_graph.command(&l->view, "10000"));
    draw(l, &view_graph, 120, 60);
    assert_non_null(item(l, " 10000  "));
    assert_null(item(l, " 14000  "));
}

static void test_graph(void **state)
{
    struct looked *l = *state;
    unsigned heads = 0;
    draw(l, &view_graph, 120, 60);
    assert_string_equal(canvas_item_command(&l->canvas, item(l, "prof on")), "prof on");
    profile(l);
    draw(l, &view_graph, 120, 60);
    assert_non_null(item(l, "has no branches around 10000"));
    assert_non_null(item(l, "It has no samples yet."));
    assert_null(item(l, "Most branches"));
    cpu_set_state(l->view.cpu, CPU_STATE_OPERATING);
    machine_run(l->session.machine, 100000);
    assert_true(view_graph.command(&l->view, "10000"));
    draw(l, &view_graph, 120, 60);
    assert_non_null(item(l, " 10008  "));
    assert_non_null(item(l, "brctg %r1,0x10008"));
    assert_non_null(item(l, "j 0x10000"));
    assert_string_equal(command_at(l, item(l, " 10008  ")->box.x, item(l, " 10008  ")->box.y), "/code 10008");
    for (uint32_t i = 0; i < l->canvas.count; i++)
        heads += l->canvas.items[i].kind == CANVAS_LINE && l->canvas.items[i].arrow;
    assert_true(heads >= 3); /* into the loop, around it, out of it */
    assert_true(view_graph.command(&l->view, "2000"));
    draw(l, &view_graph, 120, 60);
    assert_non_null(item(l, "branch at 1000E to 10008"));
    assert_true(view_graph.command(&l->view, "psw"));
    assert_true(view_graph.command(&l->view, "right"));
    draw(l, &view_graph, 40, 10);
}

static void test_pipeline(void **state)
{
    struct looked *l = *state;
    struct ec_profile profile;
    draw(l, &view_pipeline, 120, 40);
    assert_string_equal(canvas_item_command(&l->canvas, item(l, "ctr on")), "ctr on");
    assert_int_equal(ec_profile_read("x", "", 0, &profile, error, sizeof error), 0);
    assert_int_equal(machine_pipeline(l->session.machine, &profile, error, sizeof error), 0);
    draw(l, &view_pipeline, 120, 40);
    assert_string_equal(canvas_item_command(&l->canvas, item(l, "ctr pipe on")), "ctr pipe on");
    assert_int_equal(machine_pipeline_keep(l->session.machine, true), 0);
    draw(l, &view_pipeline, 120, 40);
    assert_non_null(item(l, "nothing has passed"));
    cpu_set_state(l->view.cpu, CPU_STATE_OPERATING);
    machine_run(l->session.machine, 500);
    draw(l, &view_pipeline, 120, 40);
    assert_non_null(item(l, "lghi %r1,5"));
    assert_non_null(item(l, "FFFFFD"));
    assert_non_null(item(l, "w"));
    assert_true(view_pipeline.command(&l->view, "up"));
    assert_true(view_pipeline.command(&l->view, "home"));
}

/* ---- all views -----------------------------------------------------------------------------------------------------
 */

/* Nothing but lines of text stands outside of what there is, at any size. */
static void test_sizes(void **state)
{
    static const float sizes[][2] = {{40, 10},   {1, 1}, {80, 24}, {41.5f, 10.5f},
                                     {300, 100}, {0, 0}, {200, 3}, {10, 60}};
    struct looked *l = *state;
    map_pages(l);
    for (unsigned k = VIEW_CODE; k < VIEW_COUNT; k++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            draw(l, view_kind(k), sizes[s][0], sizes[s][1]);
            assert_false(l->canvas.incomplete);
            for (uint32_t i = 0; i < l->canvas.count; i++) {
                const struct canvas_box *b = &l->canvas.items[i].box;
                if (b->x < 0 || b->y < 0 || b->y > sizes[s][1] ||
                    (l->canvas.items[i].kind == CANVAS_TEXT && b->x + b->width > sizes[s][0]))
                    fail_msg("%s at %gx%g: '%s' is at %g,%g", view_kind(k)->name, (double)sizes[s][0],
                             (double)sizes[s][1], canvas_item_text(&l->canvas, &l->canvas.items[i]), (double)b->x,
                             (double)b->y);
            }
        }
}

/* All that views look at is on. */
static void turn_on(struct looked *l)
{
    const char *const keys[] = {"enable=on"};
    const struct exception_trace_plan plan = {.keys = keys, .key_count = 1};
    uint8_t block[RI_BLOCK_SIZE];
    struct ri_controls controls = {.v = 1, .qs = 1, .qc = 1, .m = 1, .c = 1, .r = 1, .b = 1, .f = 1, .rgs = 1};
    controls.roa = controls.rca = 0x80000;
    controls.rla = 0x8ffff;
    controls.sf = controls.rsic = 100;
    map_pages(l);
    call_supervisor(l);
    assert_int_equal(exception_trace_begin(l->session.machine, &plan, error, sizeof error), 0);
    assert_int_equal(css_attach_text(l->session.machine, "0009,3215", false, error, sizeof error), 0);
    assert_int_equal(edge_profile_on(l->session.machine, error, sizeof error), 0);
    ri_controls_encode(&controls, block);
    (void)ri_lric(l->view.cpu->ri, block);
    assert_int_equal(cpu_load_psw(l->view.cpu, PSW_EA | PSW_BA | PSW_DAT | PSW_RI, CODE), 0);
    cpu_set_state(l->view.cpu, CPU_STATE_OPERATING);
}

/* A run with every view drawn between its pieces ends as one without. */
static void test_nothing_changes(void **state)
{
    struct looked *l = *state, *other;
    void *second;
    begin(&second);
    other = second;
    struct looked *both[] = {l, other};
    for (unsigned i = 0; i < 2; i++) {
        turn_on(both[i]);
        for (unsigned n = 0; n < 50; n++) {
            machine_run(both[i]->session.machine, 997);
            for (unsigned k = 0; i && k < VIEW_COUNT; k++)
                draw(both[i], view_kind(k), 120, 40);
        }
    }
    assert_true(machine_instructions(l->session.machine) > 40000);
    assert_int_equal(machine_hash(l->session.machine), machine_hash(other->session.machine));
    end(&second);
}

/* Two engines side by side find no difference while everything is looked at. */
static void test_lockstep(void **state)
{
    struct looked *l = *state;
    struct machine_config config = machine_default_config();
    struct machine_result result;
    char why[500] = "";
    view_end(&l->view);
    session_close(&l->session);
    config.storage = UINT64_C(4) << 20;
    assert_int_equal(session_open(&l->session, &config, true, NULL, error, sizeof error), 0);
    struct machine *both[] = {l->session.machine, l->session.twin};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t at = CODE;
        l->session.machine = both[i];
        assemble(&l->session, &at, "lg %r4,0(%r3)");
        assemble(&l->session, &at, "aghi %r4,1");
        assemble(&l->session, &at, "stg %r4,0(%r3)");
        assemble(&l->session, &at, "j 0x10000");
        l->view.cpu = both[i]->sys.cpus[0];
        l->view.cpu->gr[3] = 0x20000;
        map_pages(l);
        cpu_set_state(l->view.cpu, CPU_STATE_OPERATING);
    }
    l->session.machine = both[0];
    l->view.cpu = both[0]->sys.cpus[0];
    for (unsigned n = 0; n < 30; n++) {
        if (!session_lockstep(&l->session, 997, &result, why, sizeof why))
            fail_msg("%s", why);
        for (unsigned k = 0; k < VIEW_COUNT; k++)
            draw(l, view_kind(k), 120, 40);
    }
    assert_true(l->view.cpu->gr[4] > 7000);
}

/* What a picture takes, for whoever reads the log; a hundred times what it should is a fault. */
static void test_time(void **state)
{
    struct looked *l = *state;
    turn_on(l);
    machine_run(l->session.machine, 20000);
    for (unsigned k = 0; k < VIEW_COUNT; k++) {
        struct timespec from, to;
        draw(l, view_kind(k), 160, 50);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        for (unsigned n = 0; n < 20; n++)
            draw(l, view_kind(k), 160, 50);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        const double us = ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / 20e3;
        print_message("%s: %.0f us, %u items\n", view_kind(k)->name, us, l->canvas.count);
        assert_true(us < 100000);
    }
}

/* ---- who looks ----------------------------------------------------------------------------------------------------
 */

static unsigned count_look(void *context, struct pollfd *fds, unsigned room)
{
    (void)fds;
    (void)room;
    ++*(unsigned *)context;
    return 0;
}

static bool yes(void *context) { return context != NULL; }

/* Whoever shows no pictures of the running machine costs it a look in 20 ms at most; others are looked for at once. */
static void test_looks(void **state)
{
    struct looked *l = *state;
    const struct machine_host *host = &l->session.machine->host;
    unsigned looks = 0;
    l->session.visitors[SESSION_WINDOW] = (struct session_visitor){.context = &looks, .poll = count_look};
    const uint64_t begin = session_now_ns();
    unsigned calls = 0;
    while (calls < 100 || session_now_ns() - begin < 50000000) {
        assert_false(host->urgent(host->context));
        calls++;
    }
    assert_in_range(looks, 1, (session_now_ns() - begin) / 20000000 + 1);
    l->session.visitors[SESSION_WINDOW].shows = yes;
    looks = 0;
    for (calls = 0; calls < 100; calls++)
        (void)host->urgent(host->context);
    assert_int_equal(looks, 100);
}

#define VIEW_TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {VIEW_TEST(test_code),
                                       VIEW_TEST(test_code_source),
                                       VIEW_TEST(test_storage),
                                       VIEW_TEST(test_translation),
                                       VIEW_TEST(test_instrumentation),
                                       VIEW_TEST(test_channels),
                                       VIEW_TEST(test_machine),
                                       VIEW_TEST(test_trace),
                                       VIEW_TEST(test_graph),
                                       VIEW_TEST(test_graph_calls),
                                       VIEW_TEST(test_pipeline),
                                       VIEW_TEST(test_sizes),
                                       VIEW_TEST(test_nothing_changes),
                                       VIEW_TEST(test_lockstep),
                                       VIEW_TEST(test_time),
                                       VIEW_TEST(test_looks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
