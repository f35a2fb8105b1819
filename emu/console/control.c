/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands from outside while the machine runs or stands: of clients of the control socket, and typed at the terminal.
 */
#define _GNU_SOURCE /* fopencookie */
#include "emu/control/control.h"
#include "emu/console/base/internal.h"
#include "emu/console/console.h"
#include "emu/console/debug/events.h"
#include "emu/console/run.h"
#include "emu/debug/gdb.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MOST (UINT32_C(2) << 20) /* bytes that a command may show a client */
#define STAND_MS   200

/* ---- what a command shows -----------------------------------------------------------------------------------------
 */

struct capture {
    char *text;
    size_t length, room;
    bool too_long, no_memory;
};

/* All is taken, so that a command notices nothing; too much is not kept. */
static ssize_t keep(void *cookie, const char *bytes, size_t n)
{
    struct capture *k = cookie;
    k->too_long |= k->length + n > SHOWN_MOST;
    if (k->too_long || k->no_memory)
        return (ssize_t)n;
    if (k->length + n + 1 > k->room) {
        const size_t room = 2 * (k->length + n) + 1024;
        char *more = realloc(k->text, room);
        k->no_memory = !more;
        if (!more)
            return (ssize_t)n;
        k->text = more;
        k->room = room;
    }
    memcpy(k->text + k->length, bytes, n);
    k->length += n;
    k->text[k->length] = 0;
    return (ssize_t)n;
}

/* What of the console belongs to the command that is being carried out: put aside for another one. */
struct aside {
    struct show_aside facts;
    FILE *out;
    struct cpu *cpu;
    unsigned machines;
    const char *rest;
    bool json_always;
};

static struct aside put_aside(struct console *c)
{
    const struct aside a = {show_put_aside(c), c->out, c->cpu, c->session->machines, c->rest, c->json_always};
    return a;
}

static void take_back(struct console *c, const struct aside *a)
{
    show_take_back(c, &a->facts);
    c->out = a->out;
    if (c->session->machines == a->machines) /* else that CPU is gone */
        c->cpu = a->cpu;
    c->rest = a->rest;
    c->json_always = a->json_always;
}

struct control_shown console_show_command(void *context, struct cpu **cpu, const char *line, bool json)
{
    struct console *c = context;
    struct capture k = {NULL};
    struct control_shown shown = {NULL};
    const struct aside aside = put_aside(c);
    c->out = fopencookie(&k, "w", (cookie_io_functions_t){.write = keep});
    if (!c->out) {
        take_back(c, &aside);
        return shown;
    }
    c->cpu = *cpu;
    c->json_always = json;
    shown.failed = console_line(c, line) != 0;
    fclose(c->out);
    *cpu = c->cpu;
    take_back(c, &aside);
    shown.long_one = k.too_long;
    if (shown.failed && *c->error) {
        free(k.text);
        k = (struct capture){.text = strdup(c->error)};
    } else if (shown.failed && k.text) {
        k.text[strcspn(k.text, "\n")] = 0;
    } else if (!k.text && !k.no_memory) {
        k.text = strdup("");
    }
    shown.text = k.too_long || k.no_memory ? NULL : k.text;
    if (!shown.text)
        free(k.text);
    return shown;
}

/* ---- events -------------------------------------------------------------------------------------------------------
 */

static void told(void *context, unsigned class, const char *json) { control_event(context, class, json); }

static void listen(void *context, uint32_t classes)
{
    struct console *c = context;
    events_listen(c, classes, told, c->session);
}

void console_serve_control(struct console *c)
{
    control_set_host(c->session, &(struct control_host){.context = c,
                                                        .command = console_show_command,
                                                        .class_name = events_class_name,
                                                        .listen = listen});
}

/* ---- while the machine runs ---------------------------------------------------------------------------------------
 */

void console_line_between(struct console *c, const char *line)
{
    const struct aside aside = put_aside(c);
    console_line(c, line);
    fflush(c->out);
    take_back(c, &aside);
}

/* A command that was typed while the guest runs. */
static void carry_out_typed(struct console *c)
{
    char line[sizeof c->session->asked];
    strcpy(line, c->session->asked);
    c->session->asked_complete = false;
    console_line_between(c, line);
}

/* The run was left for a moment. False: it is to end. */
static bool attend(struct console *c)
{
    const bool before = c->attending;
    c->attending = true;
    if (c->session->asked_complete)
        carry_out_typed(c);
    control_serve(c->session);
    session_serve(c->session);
    c->attending = before;
    c->quit |= control_quits(c->session);
    c->stopped_outside |= control_stops(c->session);
    return !c->quit && !c->stopped_outside;
}

static bool is_visited(const struct session *s, const struct machine_result *r)
{
    return r->end == MACHINE_REQUEST && !r->cpu &&
           (session_calls(s, SESSION_CONTROL) || session_called(s) || s->asked_complete);
}

struct machine_result console_run(struct console *c, uint64_t limit)
{
    struct session *s = c->session;
    const bool before = c->serves, ran = c->runs;
    c->serves = c->runs = true;
    struct machine_result r = gdb_run(s, limit);
    uint64_t used = r.instructions;
    while (is_visited(s, &r) && attend(c)) {
        if (s->interrupted || s->deadline_struck || s->met || gdb_killed(s))
            break;
        r = gdb_go_on(s, limit - used);
        used += r.instructions;
    }
    c->serves = before;
    c->runs = ran;
    r.instructions = used;
    return r;
}

/* ---- while it stands ----------------------------------------------------------------------------------------------
 */

bool console_attend(struct console *c)
{
    struct session *s = c->session;
    control_serve(s);
    session_serve(s);
    c->quit |= control_quits(s);
    if (c->quit || !control_goes(s))
        return false;
    const struct aside aside = put_aside(c);
    console_line(c, "g");
    struct cpu *cpu = c->cpu;
    take_back(c, &aside);
    c->cpu = cpu;
    return true;
}

bool console_in_between(const struct console *c)
{
    const struct machine_result *r = &c->result;
    return !c->has_result || r->end == MACHINE_BREAK || (r->end == MACHINE_REQUEST && !(r->cpu && r->cpu->taken.loop));
}

/* The guest has come to an end that it does not come back from by itself, and nobody is there to look at it. */
static bool is_over(const struct console *c) { return !console_in_between(c) && !control_connected(c->session); }

void console_stand(struct console *c, bool runs)
{
    struct session *s = c->session;
    c->no_ends = c->out;
    if (runs) {
        const struct aside aside = put_aside(c);
        console_line(c, "g");
        take_back(c, &aside);
    }
    while (!c->quit && !s->terminated && !s->deadline_struck && !is_over(c)) {
        session_stand(s, STAND_MS);
        if (!session_late(s) && session_calls(s, SESSION_CONTROL))
            (void)console_attend(c);
    }
    c->no_ends = NULL;
}
