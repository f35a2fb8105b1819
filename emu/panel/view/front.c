/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The front of the machine: PSW, registers, states, interruption conditions, clocks. PoP chapters 4 and 6. */
#include "cpu/control/interrupt.h"
#include "cpu/control/registers.h"
#include "cpu/state/timing.h"
#include "emu/machine/machine.h"
#include "emu/panel/view/kinds.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The files of registers that are shown, and how. */
static const struct file {
    const char *title, *letters;
    uint8_t id, columns, digits;
    float width;
} files[] = {
    {"General registers", "R", CPU_REG_GR, 4, 16, 86},         {"Control registers", "C", CPU_REG_CR, 4, 16, 86},
    {"Floating-point registers", "F", CPU_REG_FPR, 4, 16, 86}, {"Access registers", "A", CPU_REG_AR, 4, 8, 50},
    {"Vector registers", "V", CPU_REG_VR, 2, 32, 74},
};
#define FILES (sizeof files / sizeof *files)
enum { FRONT_AR = 3, FRONT_VR = 4 };
#define REGISTERS 96u /* of all files together */

/* What was seen when the machine stood, now and the time before: what differs is lit. */
struct memory {
    const struct cpu *cpu;
    unsigned machines;
    uint64_t instructions;
    struct seen {
        uint64_t registers[REGISTERS][2], psw[2];
    } now, before;
    uint64_t speed_ns, speed_from; /* speed is measured since then */
    double speed;                  /* instructions in a second */
};

/* Where blocks are put: below each other in one or two columns. */
struct columns {
    float x[2], width[2], y[2];
    unsigned count;
};

#define GAP 2.0f

static struct columns make_columns(float width)
{
    struct columns c = {.x = {0.5f, 0.5f}, .width = {width - 0.5f, 0}, .count = 1};
    if (width >= 0.5f + 86 + GAP + 50) {
        c.width[0] = 86;
        c.x[1] = 0.5f + 86 + GAP;
        c.width[1] = width - c.x[1];
        c.count = 2;
    }
    return c;
}

/* The place of a block of this size: in the shortest column that is wide enough. */
static struct canvas_box place(struct columns *c, float width, float height)
{
    unsigned best = 0;
    if (c->count == 2 && width <= c->width[1] && c->y[1] < c->y[0])
        best = 1;
    const struct canvas_box box = {c->x[best], c->y[best], width, height};
    c->y[best] += height + 1;
    return box;
}

/* ---- what is lit ------------------------------------------------------------------------------------------------ */

static void look(struct cpu *cpu, struct seen *seen)
{
    unsigned k = 0;
    for (unsigned f = 0; f < FILES; f++)
        for (unsigned n = 0; n < cpu_registers[files[f].id].count; n++, k++)
            if (!cpu_register_get(cpu, files[f].id, n, seen->registers[k]))
                memset(seen->registers[k], 0, sizeof seen->registers[k]);
    seen->psw[0] = cpu_psw_mask(cpu);
    seen->psw[1] = cpu->psw.ia;
}

static uint64_t all_instructions(const struct machine *m)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        n += cpu_instructions(m->sys.cpus[i]);
    return n;
}

/* Several times a second. */
static void measure_speed(struct memory *memory, const struct view *view, uint64_t instructions)
{
    const uint64_t now = session_now_ns(), span = now - memory->speed_ns;
    if (!view->moving || !memory->speed_ns || instructions < memory->speed_from) {
        memory->speed = 0;
        memory->speed_ns = now;
        memory->speed_from = instructions;
    } else if (span > 250000000u) {
        memory->speed = (double)(instructions - memory->speed_from) * 1e9 / (double)span;
        memory->speed_ns = now;
        memory->speed_from = instructions;
    }
}

static struct memory *remember(struct view *view)
{
    void **place = &view->memory[VIEW_FRONT];
    struct memory *memory = *place;
    if (!memory)
        memory = *place = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    const bool new = memory->cpu != view->cpu || memory->machines != view->session->machines;
    const uint64_t instructions = all_instructions(view->session->machine);
    if (!view->moving && memory->instructions != instructions)
        memory->before = memory->now;
    look(view->cpu, &memory->now);
    if (new || view->moving)
        memory->before = memory->now;
    memory->instructions = instructions;
    memory->cpu = view->cpu;
    memory->machines = view->session->machines;
    measure_speed(memory, view, instructions);
    return memory;
}

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

#define LOW 40 /* rows: less has no room for everything, and general registers come first */

static float step_of(const struct file *f) { return (float)(4 + f->digits + 2); }

/* Registers beside each other; fewer where there is no room. */
static unsigned columns_of(const struct file *f, float width)
{
    unsigned n = f->columns;
    while (n > 1 && (float)n * step_of(f) - 2 > width)
        n /= 2;
    return n;
}

static void draw_file(const struct view *view, struct canvas *canvas, const struct file *f, unsigned first,
                      struct canvas_box at)
{
    const struct memory *memory = view->memory[VIEW_FRONT];
    const unsigned count = cpu_registers[f->id].count, columns = columns_of(f, canvas->width - at.x);
    const float step = step_of(f);
    char value[40];
    canvas_text(canvas, at.x, at.y, CANVAS_HEADING, "%s", f->title);
    for (unsigned n = 0; n < count; n++) {
        const uint64_t *v = memory->now.registers[first + n];
        const bool changed = memcmp(v, memory->before.registers[first + n], 2 * sizeof *v) != 0;
        const float x = at.x + (float)(n % columns) * step, y = at.y + 1 + (float)(n / columns);
        if (f->digits > 16)
            snprintf(value, sizeof value, "%016" PRIX64 "%016" PRIX64, v[0], v[1]);
        else
            snprintf(value, sizeof value, "%0*" PRIX64, (int)f->digits, v[1]);
        canvas_text(canvas, x, y, CANVAS_FAINT, "%s%u", f->letters, n);
        canvas_field(canvas, x + 4, y, changed ? CANVAS_CHANGED : CANVAS_VALUE, value,
                     "reg %s%u=", cpu_registers[f->id].name, n);
    }
}

static const char *space_name(uint64_t mask)
{
    static const char *const names[] = {"primary", "access-register", "secondary", "home"};
    return mask & PSW_DAT ? names[field64(mask, 16, 17)] : "real";
}

/* Lamps of bits, side by side; returns where they end. */
static float lamps(struct canvas *canvas, float x, float y, uint64_t mask, const uint64_t bits[],
                   const char *const names[], unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        canvas_lamp(canvas, x, y, mask & bits[i], names[i]);
        x += (float)strlen(names[i]) + 4;
    }
    return x;
}

static void draw_psw(const struct view *view, struct canvas *canvas, const struct memory *memory, struct canvas_box at)
{
    static const uint64_t bits[] = {PSW_PER, PSW_DAT, PSW_IO, PSW_EXT, PSW_MCHK, PSW_WAIT, PSW_PROBLEM, PSW_RI};
    static const char *const names[] = {"PER", "DAT", "I/O", "external", "mach. check", "wait", "problem", "RI"};
    static const uint64_t program[] = {PSW_PM_FIXED_POINT_OVERFLOW, PSW_PM_DECIMAL_OVERFLOW, PSW_PM_HFP_UNDERFLOW,
                                       PSW_PM_HFP_SIGNIFICANCE};
    static const char *const program_names[] = {"fixed", "decimal", "underflow", "significance"};
    const struct cpu *cpu = view->cpu;
    const uint64_t mask = cpu_psw_mask(cpu);
    char value[40];
    canvas_text(canvas, at.x, at.y, CANVAS_HEADING, "Program-status word of CPU %X", cpu->address);
    canvas_text(canvas, at.x, at.y + 1, CANVAS_FAINT, "mask");
    snprintf(value, sizeof value, "%016" PRIX64, mask);
    canvas_field(canvas, at.x + 5, at.y + 1, mask != memory->before.psw[0] ? CANVAS_CHANGED : CANVAS_VALUE, value,
                 "psw mask=");
    canvas_text(canvas, at.x + 23, at.y + 1, CANVAS_FAINT, "address");
    snprintf(value, sizeof value, "%016" PRIX64, cpu->psw.ia);
    canvas_field(canvas, at.x + 31, at.y + 1, cpu->psw.ia != memory->before.psw[1] ? CANVAS_CHANGED : CANVAS_VALUE,
                 value, "psw ia=");
    canvas_text(canvas, at.x + 50, at.y + 1, CANVAS_FAINT, "cc");
    snprintf(value, sizeof value, "%u", cpu->cc);
    canvas_field(canvas, at.x + 53, at.y + 1, CANVAS_VALUE, value, "psw cc=");
    canvas_text(canvas, at.x + 57, at.y + 1, CANVAS_FAINT, "key");
    canvas_text(canvas, at.x + 61, at.y + 1, CANVAS_VALUE, "%X", cpu_key(cpu));
    canvas_text(canvas, at.x + 65, at.y + 1, CANVAS_VALUE, "%s-bit addresses",
                mask & PSW_EA   ? "64"
                : mask & PSW_BA ? "31"
                                : "24");
    lamps(canvas, at.x, at.y + 2, mask, bits, names, 8);
    canvas_text(canvas, at.x, at.y + 3, CANVAS_FAINT, "program mask");
    lamps(canvas, at.x + 13, at.y + 3, mask, program, program_names, 4);
    canvas_text(canvas, at.x + 62, at.y + 3, CANVAS_FAINT, "space");
    canvas_text(canvas, at.x + 68, at.y + 3, CANVAS_VALUE, "%s", space_name(mask));
}

static void draw_states(const struct view *view, struct canvas *canvas, const struct memory *memory,
                        struct canvas_box at)
{
    struct machine *m = view->session->machine;
    canvas_text(canvas, at.x, at.y, CANVAS_HEADING, "CPU states");
    for (unsigned i = 0; i < m->sys.cpu_count && i < 8; i++) {
        const struct cpu *cpu = m->sys.cpus[i];
        const float y = at.y + 1 + (float)i;
        const bool operating = cpu->state == CPU_STATE_OPERATING, waits = operating && (cpu->psw.mask & PSW_WAIT);
        canvas_text(canvas, at.x, y, cpu == view->cpu ? CANVAS_HERE : CANVAS_FAINT, "CPU %X", cpu->address);
        canvas_area(canvas, (struct canvas_box){at.x, y, 6, 1}, "choose this CPU", "cpu %X", cpu->address);
        canvas_lamp(canvas, at.x + 7, y, operating && !waits, "operating");
        canvas_lamp(canvas, at.x + 19, y, waits, "wait");
        canvas_lamp(canvas, at.x + 26, y, cpu->state == CPU_STATE_STOPPED, "stopped");
        canvas_lamp(canvas, at.x + 36, y, cpu->state == CPU_STATE_CHECK_STOP, "check-stop");
    }
    const float y = at.y + at.height - 1;
    canvas_text(canvas, at.x, y, CANVAS_FAINT, "speed");
    if (memory->speed > 0)
        canvas_text(canvas, at.x + 6, y, CANVAS_VALUE, "%.1f million instructions a second", memory->speed / 1e6);
    else
        canvas_text(canvas, at.x + 6, y, CANVAS_VALUE, "%s", view->moving ? "..." : "the machine stands");
}

static void draw_condition(struct canvas *canvas, float x, float y, bool pending, bool enabled, const char *name)
{
    canvas_lamp(canvas, x, y, pending, "");
    canvas_lamp(canvas, x + 3, y, enabled, name);
}

static void draw_interruptions(const struct view *view, struct canvas *canvas, struct canvas_box at)
{
    struct cpu *cpu = view->cpu;
    const uint32_t pending = cpu_external_pending(cpu);
    const bool external = cpu->psw.mask & PSW_EXT;
    const struct cpu_callouts *out = cpu->sys->callouts;
    canvas_text(canvas, at.x, at.y, CANVAS_HEADING, "Interruptions");
    canvas_text(canvas, at.x + 14, at.y, CANVAS_FAINT, "(left lamp: pending, right lamp: enabled)");
    for (unsigned i = 0; i < CPU_EXTERNAL_COUNT; i++)
        draw_condition(canvas, at.x + (i % 2 ? 26 : 0), at.y + 1 + (float)(i / 2), pending & cpu_externals[i].condition,
                       external && (cpu->cr[0] & cpu_externals[i].subclass), cpu_externals[i].name);
    float y = at.y + 1 + (float)((CPU_EXTERNAL_COUNT + 1) / 2);
    draw_condition(canvas, at.x + 26, y - (CPU_EXTERNAL_COUNT % 2), cpu->machine_checks,
                   (cpu->psw.mask & PSW_MCHK) && (cpu->cr[14] & CR14_CHANNEL_REPORT), "machine check");
    if (CPU_EXTERNAL_COUNT % 2 == 0)
        y++;
    draw_condition(canvas, at.x, y, out && out->io_pending && out->io_pending(cpu->sys->machine, cpu),
                   (cpu->psw.mask & PSW_IO) && (cpu->cr[6] & CR6_IO_SUBCLASSES), "input/output");
    draw_condition(canvas, at.x + 26, y, cpu->restart_pending, true, "restart");
}

static void draw_clock(struct canvas *canvas, float x, float y, const char *name, uint64_t value, const char *command)
{
    char digits[20];
    snprintf(digits, sizeof digits, "%016" PRIX64, value);
    canvas_text(canvas, x, y, CANVAS_FAINT, "%s", name);
    if (command)
        canvas_field(canvas, x + 17, y, CANVAS_VALUE, digits, "%s", command);
    else
        canvas_text(canvas, x + 17, y, CANVAS_VALUE, "%s", digits);
}

static void draw_clocks(const struct view *view, struct canvas *canvas, struct canvas_box at)
{
    struct cpu *cpu = view->cpu;
    char value[20];
    canvas_text(canvas, at.x, at.y, CANVAS_HEADING, "Clocks");
    draw_clock(canvas, at.x, at.y + 1, "TOD clock", cpu_tod(cpu), NULL);
    draw_clock(canvas, at.x, at.y + 2, "clock comparator", cpu->clock_comparator, "reg ckc=");
    draw_clock(canvas, at.x, at.y + 3, "CPU timer", (uint64_t)cpu_timer_value(cpu), "reg cpt=");
    canvas_text(canvas, at.x, at.y + 4, CANVAS_FAINT, "instructions");
    canvas_text(canvas, at.x + 17, at.y + 4, CANVAS_VALUE, "%" PRIu64, cpu_instructions(cpu));
    canvas_text(canvas, at.x + 36, at.y + 1, CANVAS_FAINT, "prefix");
    snprintf(value, sizeof value, "%08" PRIX32, cpu->prefix);
    canvas_field(canvas, at.x + 43, at.y + 1, CANVAS_VALUE, value, "prefix ");
    canvas_text(canvas, at.x + 36, at.y + 2, CANVAS_FAINT, "FPC");
    snprintf(value, sizeof value, "%08" PRIX32, cpu->fpc);
    canvas_field(canvas, at.x + 43, at.y + 2, CANVAS_VALUE, value, "reg fpc=");
}

/* Register files from f up to `end`; clocks stand in front of the access registers. */
static void draw_registers(const struct view *view, struct canvas *canvas, struct columns *c, unsigned f, unsigned end)
{
    unsigned first = 0;
    for (unsigned i = 0; i < end; i++) {
        const unsigned count = cpu_registers[files[i].id].count, columns = columns_of(&files[i], canvas->width - 1);
        if (i >= f) {
            if (i == FRONT_AR)
                draw_clocks(view, canvas, place(c, 50, 5));
            draw_file(view, canvas, &files[i], first,
                      place(c, columns == files[i].columns ? files[i].width : (float)columns * step_of(&files[i]),
                            1 + (float)((count + columns - 1) / columns)));
        }
        first += count;
    }
}

static void draw(struct view *view, struct canvas *canvas)
{
    const struct memory *memory = remember(view);
    if (!memory)
        return;
    const unsigned cpus = view->session->machine->sys.cpu_count;
    struct columns c = make_columns(canvas->width);
    const bool low = canvas->height < LOW;
    draw_psw(view, canvas, memory, place(&c, 86, 4));
    if (low)
        draw_registers(view, canvas, &c, 0, 1);
    draw_states(view, canvas, memory, place(&c, 50, (float)(cpus < 8 ? cpus : 8) + 2));
    draw_interruptions(view, canvas, place(&c, 50, 2 + (CPU_EXTERNAL_COUNT + 2) / 2));
    draw_registers(view, canvas, &c, low, FILES);
}

static void end(struct view *view, void *memory)
{
    (void)view;
    free(memory);
}

const struct view_kind view_front = {
    .name = "front",
    .title = "Front",
    .help = "the PSW with its fields, registers, states, interruption conditions, clocks",
    .draw = draw,
    .end = end,
};
