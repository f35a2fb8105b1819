/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws every view of random machines: random storage, registers, PSWs, control blocks of run-time instrumentation,
   translation tables, subchannels; at random sizes and places of the pointer, behind random commands. Nothing of the
   machine may change by that. Usage: fuzz_views [COUNT [SEED]]. The sanitizers are the judges. */
#include "base/bits.h"
#include "cpu/control/psw.h"
#include "cpu/state/timing.h"
#include "cpu/life/life.h"
#include "cpu/storage/code.h"
#include "cpu/storage/tlb.h"
#include "emu/dev/css/attach.h"
#include "emu/dev/css/internal.h"
#include "emu/edges/profile.h"
#include "emu/observe/exception_trace.h"
#include "emu/observe/pipeline.h"
#include "emu/panel/canvas/cells.h"
#include "emu/panel/view/view.h"
#include "ri/ri.h"
#include "tests/machine_hash.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS = 3, DEVICES = 3 };
#define STORAGE (UINT64_C(2) << 20)

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

/* An address: near the start, in storage, at its end, or anything. */
static uint64_t address(uint64_t *state)
{
    const uint64_t r = random_step(state);
    switch (pick(state, 5)) {
    case 0:
        return r % 0x3000;
    case 1:
        return STORAGE - 64 + r % 128;
    case 2:
        return r;
    case 3:
        return UINT64_MAX - r % 64;
    default:
        return r % STORAGE;
    }
}

/* A page as a table of one of the kinds, or of anything. */
static void fill_page(uint64_t *state, uint8_t *page)
{
    const uint64_t kind = pick(state, 4), type = pick(state, 4);
    for (unsigned n = 0; n < 512; n++) {
        uint64_t entry = random_step(state);
        if (kind == 1) /* a table of regions or segments */
            entry = (address(state) & ~UINT64_C(0xfff)) | type << 2 | (entry & (pick(state, 4) ? 0xc3 : 0xfff));
        else if (kind == 2) /* pages */
            entry = (address(state) & ~UINT64_C(0xfff)) | (pick(state, 4) ? 0 : entry & 0xf00);
        else if (kind == 3)
            entry = entry & 1 ? 0 : entry;
        put64(page + 8 * (size_t)n, entry);
    }
}

static void random_cpu(uint64_t *state, struct cpu *cpu)
{
    uint8_t block[RI_BLOCK_SIZE];
    for (unsigned n = 0; n < 16; n++) {
        cpu->gr[n] = address(state);
        cpu->ar[n] = (uint32_t)(pick(state, 3) ? pick(state, 3) : random_step(state));
        cpu->cr[n] = pick(state, 2) ? random_step(state) : (address(state) & ~UINT64_C(0xfff)) | pick(state, 16);
    }
    cpu->cr[0] |= pick(state, 2) ? CR0_EDAT : 0;
    cpu->psw.mask = random_step(state) & ~PSW_CC;
    cpu->psw.ia = address(state);
    cpu->state = (uint8_t)pick(state, 4);
    for (unsigned n = 0; n < sizeof block; n++)
        block[n] = (uint8_t)random_step(state);
    cpu->ri->controls = ri_controls_decode(block);
    cpu->ri->controls.v = pick(state, 4) != 0;
    cpu->ri->controls.roa = address(state);
    cpu->ri->controls.rla = pick(state, 2) ? cpu->ri->controls.roa + pick(state, 0x20000) : address(state);
    cpu->ri->controls.rca = pick(state, 2) ? cpu->ri->controls.roa + pick(state, 0x10000) : address(state);
}

static void random_machine(uint64_t *state, struct machine *m)
{
    for (unsigned n = 0; n < 24; n++)
        fill_page(state, m->sys.storage.bytes + pick(state, STORAGE >> 12) * 4096);
    for (uint64_t n = 0; n < STORAGE >> 12; n++)
        m->sys.storage.keys[n] = (uint8_t)(random_step(state) & 0xfe);
    for (unsigned n = 0; n < CPUS; n++)
        random_cpu(state, m->sys.cpus[n]);
    for (unsigned n = 0; n < DEVICES; n++) {
        struct subchannel *s = css_subchannel(css_device(m->css, n));
        s->at = address(state);
        s->orb = (uint32_t)random_step(state);
        s->scsw = (uint32_t)random_step(state);
        s->flags = (uint16_t)random_step(state);
    }
}

/* What runs stays what it was: the machine goes on from a state that it may be in. */
static void run(uint64_t *state, struct machine *m)
{
    for (unsigned n = 0; n < CPUS; n++) {
        struct cpu *cpu = m->sys.cpus[n];
        const uint8_t none[RI_BLOCK_SIZE] = {0};
        for (unsigned i = 0; i < 16; i++)
            cpu->cr[i] = 0;
        (void)ri_lric(cpu->ri, none);
        cpu_tlb_purge(cpu);
        cpu->state = CPU_STATE_STOPPED;
    }
    for (unsigned n = 0; n < DEVICES; n++)
        css_reset(m->css);
    for (unsigned n = 0; n < 6; n++) {
        put64(m->sys.storage.bytes + 416 + 16 * (size_t)n, PSW_EA | PSW_BA);
        put64(m->sys.storage.bytes + 424 + 16 * (size_t)n, pick(state, STORAGE) & ~UINT64_C(1));
    }
    cpu_code_written(&m->sys, 0, STORAGE);
    if (!cpu_load_psw(m->sys.cpus[0], PSW_EA | PSW_BA, pick(state, STORAGE) & ~UINT64_C(1)))
        cpu_set_state(m->sys.cpus[0], CPU_STATE_OPERATING);
    machine_run(m, 3000);
}

static bool told(void *context, uint64_t at)
{
    (void)context;
    return at & 4;
}

static void source(void *context, uint64_t at, struct view_source *source)
{
    (void)context;
    snprintf(source->place, sizeof source->place, "%s/f.c:%" PRIu64,
             at & 8 ? "" : "/very/long/path/of/a/file/that/has/no/end/at/all/and/goes/on", at);
    snprintf(source->text, sizeof source->text, "%.*s", (int)(at & 0xff),
             at & 16 ? "\tx\001 = y; /* \303\274 \377 */"
                     : "a long line that says a thing again and again, and again and again, and again and "
                       "again, and again and again, and again and again, and again and again, and then once more");
    source->newer = at & 32;
}

static bool keeps(void *context)
{
    (void)context;
    return true;
}

static bool event(void *context, unsigned back, char *text, size_t size)
{
    (void)context;
    snprintf(text, size, "%*u", (int)(back * 5), back);
    return back < 60;
}

static void random_command(uint64_t *state, struct view *view)
{
    static const char *const words[] = {
        "up",     "down",   "pageup", "pagedown", "home",      "psw",     "follow",
        "real",   "home",   "ar3",    "pick",     "older",     "newer",   "wider",
        "closer", "latest", "left",   "right",    "ascii",     "virtual", "absolute",
        "0:0001", "3:ffff", "",       "-1",       "secondary", "@",       "fffffffffffffffff"};
    char line[80];
    const struct view_kind *kind = view_kind((unsigned)pick(state, VIEW_COUNT));
    if (pick(state, 2))
        snprintf(line, sizeof line, "%s %s", kind->name, words[pick(state, sizeof words / sizeof *words)]);
    else
        snprintf(line, sizeof line, "%s %" PRIx64, kind->name, address(state));
    view_command(view, line);
}

/* The view is asked for a text, in cells, of what it has drawn. */
static void draw(uint64_t *state, struct view *view, struct canvas *canvas, struct cells *cells)
{
    const float sizes[] = {0, 1, 12, 40, 80, 133.5f, 200};
    for (unsigned n = 0; n < VIEW_COUNT; n++) {
        const float width = sizes[pick(state, 7)], height = sizes[pick(state, 6)] / 2;
        view->pointer_x = (float)pick(state, 400) / 2 - 20;
        view->pointer_y = (float)pick(state, 200) / 2 - 10;
        canvas_clear(canvas, width, height);
        view_draw(view, n, canvas);
        for (uint32_t i = 0; n != VIEW_FRONT && i < canvas->count; i++) {
            const struct canvas_box *b = &canvas->items[i].box;
            if (b->x < 0 || b->y < 0 || b->x > width || b->y > height) {
                fprintf(stderr, "%s at %gx%g: '%s' is at %g,%g\n", view_kind(n)->name, (double)width, (double)height,
                        canvas_item_text(canvas, &canvas->items[i]), (double)b->x, (double)b->y);
                abort();
            }
        }
        if (cells_draw(cells, canvas))
            abort();
    }
}

static void begin(struct session *s, bool observed)
{
    struct machine_config config = machine_default_config();
    char error[512];
    static const char *const devices[DEVICES] = {"000C,3505,ascii,=A CARD", "0009,3215", "1:0120,9336,=8K"};
    const char *const keys[] = {"enable=on"};
    const struct exception_trace_plan plan = {.keys = keys, .key_count = 1};
    struct ec_profile profile;
    config.storage = STORAGE;
    config.cpus = CPUS;
    config.private_media = true;
    if (session_open(s, &config, false, NULL, error, sizeof error))
        exit(99);
    for (unsigned n = 0; n < DEVICES; n++)
        if (css_attach_text(s->machine, devices[n], false, error, sizeof error))
            exit(99);
    if (!observed)
        return;
    if (exception_trace_begin(s->machine, &plan, error, sizeof error) ||
        edge_profile_on(s->machine, error, sizeof error) ||
        ec_profile_read("x", "", 0, &profile, error, sizeof error) ||
        machine_pipeline(s->machine, &profile, error, sizeof error) || machine_pipeline_keep(s->machine, true))
        exit(99);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const struct view_teller teller = {NULL, told, source, keeps, event};
    struct session *s = malloc(sizeof *s);
    struct view view = {.session = s, .teller = &teller, .follow = true};
    struct canvas canvas = {.count = 0};
    struct cells cells = {.cell = NULL};
    for (uint64_t n = 0; s && n < count; n++) {
        if (n % 50 == 0)
            begin(s, n % 100 != 0);
        view.cpu = s->machine->sys.cpus[pick(&state, CPUS)];
        run(&state, s->machine);
        draw(&state, &view, &canvas, &cells); /* of what has run */
        random_machine(&state, s->machine);
        const uint64_t before = machine_hash(s->machine);
        for (unsigned i = 0; i < 4; i++) {
            view.moving = i & 1;
            random_command(&state, &view);
            draw(&state, &view, &canvas, &cells);
        }
        if (machine_hash(s->machine) != before) {
            fprintf(stderr, "input %" PRIu64 ": a view has changed the machine\n", n);
            abort();
        }
        if (n % 50 == 49 || n + 1 == count) {
            view_end(&view);
            session_close(s);
        }
    }
    free(s);
    canvas_free(&canvas);
    cells_free(&cells);
    printf("%" PRIu64 " machines, every view drawn\n", count);
    return 0;
}
