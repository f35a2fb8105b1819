/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the machine: all CPUs with their states, where they are, how fast they go. */
#include "cpu/state/timing.h"
#include "emu/inspect/inspect.h"
#include "emu/panel/view/kinds.h"
#include "emu/panel/view/parts.h"
#include <inttypes.h>
#include <string.h>

struct machine_memory {
    uint64_t then_ns;
    uint64_t then[CPU_MAX];
    double speed[CPU_MAX]; /* instructions in a second */
    unsigned first, page;
};

/* Over half a second each. */
static void measure(const struct view *view, struct machine_memory *m)
{
    const struct cpu_system *sys = &view->session->machine->sys;
    const uint64_t now = session_now_ns(), span = now - m->then_ns;
    if (m->then_ns && span < 500000000)
        return;
    for (unsigned n = 0; n < sys->cpu_count; n++) {
        const uint64_t count = cpu_instructions(sys->cpus[n]);
        m->speed[n] = m->then_ns && count > m->then[n] ? (double)(count - m->then[n]) * 1e9 / (double)span : 0;
        m->then[n] = count;
    }
    m->then_ns = now;
}

static void draw_cpu(const struct view *view, struct canvas *c, const struct machine_memory *m, unsigned n, float y)
{
    const struct machine *machine = view->session->machine;
    const struct cpu *cpu = machine->sys.cpus[n];
    const bool operating = cpu->state == CPU_STATE_OPERATING && !(cpu->psw.mask & PSW_WAIT);
    const char *state = machine_cpu_standby(machine, n) ? "standby" : machine_state_name(cpu);
    char symbol[80];
    inspect_symbol(view->session, cpu->psw.ia, symbol, sizeof symbol);
    if (cpu == view->cpu)
        view_fill(c, 0, y, c->width, CANVAS_HERE, 50);
    view_text(c, 1, y, 3, CANVAS_VALUE, "%2X", n);
    view_text(c, 5, y, 14,
              cpu->state == CPU_STATE_CHECK_STOP ? CANVAS_WARNING
              : operating                        ? CANVAS_LIT
                                                 : CANVAS_FAINT,
              "%s", state);
    view_text(c, 20, y, 16, CANVAS_VALUE, "%016" PRIX64, cpu->psw.ia);
    view_text(c, 38, y, 16, CANVAS_FAINT, "%016" PRIX64, cpu_psw_mask(cpu));
    view_text(c, 56, y, 16, CANVAS_PLAIN, "%14" PRIu64, cpu_instructions(cpu));
    view_text(c, 72, y, 8, m->speed[n] > 0 ? CANVAS_VALUE : CANVAS_FAINT, "%8.1f", m->speed[n] / 1e6);
    view_text(c, 82, y, c->width - 82, CANVAS_HEADING, "%s", symbol);
    view_area(c, 0, y, 4, "choose this CPU", "cpu %X", n);
    view_area(c, 20, y, 16, "the code there", "/code %" PRIX64, cpu->psw.ia);
}

static void draw_head(const struct view *view, struct canvas *c, const struct machine_memory *m)
{
    const struct machine *machine = view->session->machine;
    const struct cpu_system *sys = &machine->sys;
    double sum = 0;
    for (unsigned n = 0; n < sys->cpu_count; n++)
        sum += m->speed[n];
    view_text(c, 1, 1, c->width - 1, CANVAS_PLAIN,
              "%s, machine type %04X, %u CPU%s, %" PRIu64 " MiB of storage, %s clock%s", sys->profile.name,
              sys->profile.machine_type, sys->cpu_count, sys->cpu_count == 1 ? "" : "s", sys->storage.size >> 20,
              sys->host_clock ? "host's" : "virtual", sys->threads ? ", host threads" : "");
    view_text(c, 1, 2, c->width - 1, CANVAS_PLAIN,
              "%" PRIu64 " instructions, %.1f million a second; %.6f s of guest time", machine_instructions(machine),
              sum / 1e6, (double)sys->now / CPU_TOD_MICROSECOND / 1e6);
    view_text(c, 1, 4, c->width - 1, CANVAS_HEADING, "%-3s %-14s %-17s %-17s %14s  %8s", "CPU", "state", "address",
              "PSW bits 0-63", "instructions", "M/s");
}

static void draw(struct view *view, struct canvas *canvas)
{
    struct machine_memory *m = view_memory(view, VIEW_MACHINE, sizeof *m);
    const struct cpu_system *sys = &view->session->machine->sys;
    const unsigned rows = view_rows(canvas), room = rows > 6 ? rows - 6 : 0;
    view_title(view, canvas, "Machine");
    if (!m)
        return;
    measure(view, m);
    draw_head(view, canvas, m);
    m->page = room;
    if (m->first >= sys->cpu_count)
        m->first = 0;
    unsigned n = m->first;
    for (; n < sys->cpu_count && n - m->first < room; n++)
        draw_cpu(view, canvas, m, n, 5 + (float)(n - m->first));
    if (n < sys->cpu_count)
        view_more(canvas, sys->cpu_count - n, "CPUs");
}

static bool command(struct view *view, const char *words)
{
    struct machine_memory *m = view_memory(view, VIEW_MACHINE, sizeof *m);
    int64_t rows;
    if (!m || !view_scroll(words, m->page, &rows))
        return !m;
    const int64_t to = rows == INT64_MIN ? 0 : (int64_t)m->first + rows;
    m->first = to < 0 ? 0 : to > CPU_MAX ? CPU_MAX : (unsigned)to;
    return true;
}

const struct view_kind view_machine = {.name = "machine",
                                       .title = "Machine",
                                       .help = "all CPUs: states, addresses, speed",
                                       .draw = draw,
                                       .end = view_memory_end,
                                       .command = command};
