/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger port as a whole: clients that come and go, and runs of the machine in which one of them has a say. */
#include "emu/debug/gdb.h"
#include "cpu/engine/engine.h"
#include "emu/debug/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STAND_MS 200

/* Exit statuses as the program has them. */
enum { EXIT_GOOD = 0, EXIT_BAD = 1, EXIT_LIMIT = 3 };

struct cpu *gdb_cpu_at(const struct gdb *g, unsigned address)
{
    const struct cpu_system *sys = &gdb_machine(g)->sys;
    return sys->cpus[address < sys->cpu_count ? address : 0]; /* another machine may have fewer */
}

struct cpu *gdb_cpu(const struct gdb *g) { return gdb_cpu_at(g, g->cpu); }

static void say(const struct gdb *g, const char *words)
{
    const struct machine *m = gdb_machine(g);
    if (m->host.message)
        m->host.message(m->host.context, words);
}

/* ---- the client ------------------------------------------------------------------------------------------------ */

static bool connected(const struct gdb *g) { return g->port.in >= 0; }

/* A client that has come: nothing is left of the one before. */
static void welcome(struct gdb *g)
{
    memset(&g->reader, 0, sizeof g->reader);
    g->input_at = g->input_end = g->framed = 0;
    g->no_ack = g->software = g->hardware = g->spoke = g->interrupt = g->gone = g->told_end = false;
    g->fresh = true;
    g->space = CPU_SPACE_CURRENT;
    g->cpu = g->shown = 0;
    g->resumes = CPU_MAX;
    g->range_end = 0;
    memset(g->does, ACTION_CONTINUE, sizeof g->does);
    snprintf(g->reason, sizeof g->reason, "T%02xthread:1;", SIGNAL_TRAP);
}

/* Accesses that belong to points which are gone do not count. */
static void forget_hits(const struct gdb *g)
{
    for (unsigned i = 0; i < gdb_machine(g)->sys.cpu_count; i++)
        gdb_machine(g)->sys.cpus[i]->watched.count = 0;
}

void gdb_forget_client(struct gdb *g)
{
    port_hang_up(&g->port);
    points_clear(g);
    forget_hits(g);
    g->has_machine = g->fresh = g->gone = g->interrupt = false;
    g->input_at = g->input_end = 0;
}

/* What stands between packets is looked at while the machine runs; packets wait until it stands. */
static void look_between(struct gdb *g)
{
    for (; g->input_at < g->input_end && g->reader.state == 0; g->input_at++) {
        if (g->input[g->input_at] == '$')
            return;
        if (packet_take(&g->reader, g->input[g->input_at]) == PACKET_INTERRUPT)
            g->interrupt = true;
    }
}

static void read_client(struct gdb *g)
{
    if (g->input_at) {
        memmove(g->input, g->input + g->input_at, g->input_end - g->input_at);
        g->input_end -= g->input_at;
        g->input_at = 0;
    }
    const long n = port_read(&g->port, g->input + g->input_end, sizeof g->input - g->input_end);
    if (n < 0)
        g->gone = true;
    else
        g->input_end += (size_t)n;
}

/* ---- what the session asks ------------------------------------------------------------------------------------- */

static unsigned visitor_poll(void *context, struct pollfd *fds, unsigned room)
{
    const struct gdb *g = context;
    const bool wants = connected(g) && !g->gone && g->input_end - g->input_at < sizeof g->input;
    if (room < 2)
        return 0;
    fds[0] = (struct pollfd){.fd = g->port.listens, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = wants ? g->port.in : -1, .events = POLLIN};
    return 2;
}

static void visitor_polled(void *context, const struct pollfd *fds, unsigned count)
{
    struct gdb *g = context;
    if (count < 2)
        return;
    if (fds[1].revents && connected(g)) {
        read_client(g);
        if (!g->has_machine)
            look_between(g);
    }
    if (fds[0].revents && port_accept(&g->port))
        welcome(g);
}

static bool calls(const struct gdb *g) { return g->fresh || g->gone || g->interrupt || g->has_machine; }

static bool visitor_calls(void *context)
{
    const struct gdb *g = context;
    return !g->serving && calls(g);
}

bool gdb_calls(const struct session *s)
{
    const struct gdb *g = s->gdb;
    return g && (g->fresh || g->gone || g->interrupt || (g->has_machine && g->input_at < g->input_end));
}
bool gdb_serves(const struct session *s) { return s->gdb && s->gdb->serving; }
bool gdb_killed(const struct session *s) { return s->gdb && s->gdb->killed; }
const char *gdb_place(const struct session *s) { return s->gdb ? s->gdb->port.place : ""; }

void gdb_set_space(struct session *s, enum cpu_space space)
{
    if (s->gdb)
        s->gdb->space = space;
}

void gdb_set_host(struct session *s, const struct gdb_host *host)
{
    if (s->gdb)
        s->gdb->host = *host;
}

void gdb_words(const struct session *s, char *words, size_t size)
{
    const struct gdb *g = s->gdb;
    if (!g)
        snprintf(words, size, "the debugger port is closed");
    else
        snprintf(words, size, "the debugger port is %s; %s, %u points", g->port.place,
                 !connected(g)    ? "no client"
                 : g->has_machine ? "a client has the machine"
                                  : "a client is connected",
                 g->point_count);
}

int gdb_open(struct session *s, const char *place, bool waits, const struct gdb_host *host, char *error, size_t size)
{
    struct gdb *g = calloc(1, sizeof *g);
    if (!g) {
        snprintf(error, size, "the host has no memory for a debugger port");
        return -ENOMEM;
    }
    int code = port_open(&g->port, place, error, size);
    if (code) {
        free(g);
        return code;
    }
    gdb_close(s);
    g->session = s;
    g->waits = waits;
    if (host)
        g->host = *host;
    if (connected(g))
        welcome(g);
    s->gdb = g;
    s->visitors[SESSION_DEBUGGER] =
        (struct session_visitor){.context = g, .poll = visitor_poll, .polled = visitor_polled, .calls = visitor_calls};
    return 0;
}

void gdb_close(struct session *s)
{
    if (!s->gdb)
        return;
    gdb_forget_client(s->gdb);
    port_close(&s->gdb->port);
    free(s->gdb);
    s->gdb = NULL;
    memset(&s->visitors[SESSION_DEBUGGER], 0, sizeof *s->visitors);
}

/* ---- talking --------------------------------------------------------------------------------------------------- */

/* The client does not take what it is sent: the operator need not wait for it. */
static bool give_up(void *context)
{
    const struct gdb *g = context;
    return session_asked(g->session);
}

static void write_client(struct gdb *g, const char *bytes, size_t length)
{
    if (!g->gone && !port_write(&g->port, bytes, length, give_up, g))
        g->gone = true;
}

void gdb_send(struct gdb *g)
{
    g->framed = packet_frame(&g->answer, g->frame);
    write_client(g, g->frame, g->framed);
}

/* One byte of the client's while the machine stands. */
static void take(struct gdb *g, uint8_t byte)
{
    const enum packet_event event = packet_take(&g->reader, byte);
    const bool packet = event == PACKET_COMPLETE || event == PACKET_LONG;
    if ((packet || event == PACKET_BAD) && !g->no_ack)
        write_client(g, packet ? "+" : "-", 1);
    if (event == PACKET_AGAIN && !g->no_ack && g->framed)
        write_client(g, g->frame, g->framed);
    if (!packet)
        return;
    g->spoke = true;
    packet_begin(&g->answer);
    g->silent = false;
    if (event == PACKET_LONG)
        gdb_refuse(g, "the packet is longer than PacketSize");
    else
        gdb_carry_out(g);
    if (!g->silent && connected(g))
        gdb_send(g);
}

/* The client has gone without a word. */
static void lost(struct gdb *g)
{
    const bool was_here = g->spoke;
    if (g->port.stdio) {
        g->killed = true;
        g->waits = false;
        say(g, "gdb has gone; so does the guest");
    } else if (was_here) {
        say(g, "gdb has gone without a word; the guest goes on");
        g->waits = false;
    }
    gdb_forget_client(g);
}

/* The operator wants to look, or somebody else from outside, or the time is over. */
static bool operator_asks(struct session *s)
{
    return session_late(s) || session_asked(s) || session_calls(s, SESSION_CONTROL) || session_called(s);
}

/* The client has the machine until it lets it go on, goes away or kills it. False: the operator asks. */
static bool serve(struct gdb *g)
{
    g->has_machine = true;
    g->fresh = g->interrupt = false;
    while (g->has_machine && connected(g)) {
        g->serving = true;
        while (g->has_machine && !g->gone && g->input_at < g->input_end)
            take(g, g->input[g->input_at++]);
        g->serving = false;
        if (!g->has_machine || !connected(g))
            break;
        if (g->gone)
            lost(g);
        else if (operator_asks(g->session))
            return false;
        else
            session_stand(g->session, STAND_MS);
    }
    if (connected(g))
        look_between(g);
    return true;
}

/* ---- runs ------------------------------------------------------------------------------------------------------ */

void gdb_stop(struct gdb *g, const struct cpu *cpu, unsigned signal, const char *why)
{
    const struct cpu *other = cpu ? cpu : gdb_cpu(g);
    g->cpu = g->shown = other->address;
    snprintf(g->reason, sizeof g->reason, "T%02xthread:%x;%s", signal, other->address + 1u, why);
    g->has_machine = true;
    g->interrupt = false;
    g->range_end = 0;
    packet_begin(&g->answer);
    packet_add(&g->answer, "%s", g->reason);
    gdb_send(g);
}

/* The guest has come to its end. */
static void tell_exit(struct gdb *g, const struct machine_result *result)
{
    const bool limit = result->end == MACHINE_LIMIT || g->session->deadline_struck;
    packet_begin(&g->answer);
    packet_add(&g->answer, "W%02x", session_good_end(g->session, result) ? EXIT_GOOD : limit ? EXIT_LIMIT : EXIT_BAD);
    gdb_send(g);
    gdb_forget_client(g);
}

/* A watched access of some CPU that was not told yet; *which of its accesses. */
static struct cpu *watched(const struct gdb *g, unsigned *which)
{
    for (unsigned i = 0; i < gdb_machine(g)->sys.cpu_count; i++) {
        struct cpu *cpu = gdb_machine(g)->sys.cpus[i];
        for (*which = 0; *which < cpu->watched.count; ++*which)
            if (points_met(g, &cpu->watched.hits[*which]))
                return cpu;
    }
    return NULL;
}

static void tell_watched(struct gdb *g, struct cpu *cpu, unsigned which)
{
    struct cpu_watched *w = &cpu->watched;
    const struct cpu_watch_hit hit = w->hits[which];
    char why[64];
    w->count--;
    memmove(w->hits + which, w->hits + which + 1, (w->count - which) * sizeof hit);
    snprintf(why, sizeof why, "%s:%" PRIx64 ";",
             hit.kind == CPU_STORE   ? "watch"
             : hit.kind == CPU_FETCH ? "rwatch"
                                     : "awatch",
             hit.address);
    gdb_stop(g, cpu, SIGNAL_TRAP, why);
}

static bool some_held(const struct gdb *g)
{
    for (unsigned i = 0; i < gdb_machine(g)->sys.cpu_count; i++)
        if (g->does[i] == ACTION_HELD)
            return true;
    return false;
}

/* CPUs as the client wants them, or as they are without one. */
static void set_cpus(const struct gdb *g, bool client)
{
    struct machine *m = gdb_machine(g);
    m->stepping = NULL;
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        struct cpu *cpu = m->sys.cpus[i];
        cpu->held = client && g->does[i] == ACTION_HELD;
        if (client)
            cpu->goes_on = g->does[i] != ACTION_STEP;
        if (client && g->does[i] == ACTION_STEP)
            m->stepping = cpu;
    }
}

static bool in_range(const struct gdb *g, const struct cpu *cpu)
{
    return cpu && g->range_end && cpu->psw.ia >= g->range_start && cpu->psw.ia < g->range_end &&
           !points_at(g, cpu->psw.ia);
}

/* The machine goes on, up to something that may be for the client. */
static struct machine_result stretch(struct gdb *g, uint64_t limit)
{
    struct machine *m = gdb_machine(g);
    struct machine_result r = {.end = MACHINE_REQUEST}, some;
    unsigned which;
    if (connected(g) && !points_arm(g))
        say(g, "the host has no memory for all points of gdb; some are not in force");
    if (connected(g) && watched(g, &which))
        return r;
    forget_hits(g); /* what is left belongs to points that are gone */
    do {
        set_cpus(g, connected(g));
        some = machine_go_on(m, limit - r.instructions);
        some.instructions += r.instructions;
        r = some;
    } while (r.end == MACHINE_STEPPED && in_range(g, r.cpu) && !(r.cpu && r.cpu->watched.count) &&
             r.instructions < limit && !calls(g));
    set_cpus(g, false);
    return r;
}

/* The guest cannot go on: a good end is told, at a bad one the client may look first. False: the run is over. */
static bool ended(struct gdb *g, const struct machine_result *r)
{
    const bool over = r->end == MACHINE_LIMIT || r->end == MACHINE_REFUSED || r->end == MACHINE_POWERED_OFF;
    if (!over && some_held(g)) { /* so can the others, perhaps */
        gdb_stop(g, NULL, SIGNAL_NONE, "");
        return true;
    }
    if (over || session_good_end(g->session, r) || g->told_end) {
        tell_exit(g, r);
        return false;
    }
    g->told_end = true;
    gdb_stop(g, r->cpu, SIGNAL_ABORT, "");
    return true;
}

/* What a stretch ended with. False: it is for the caller of gdb_run(). */
static bool judge(struct gdb *g, const struct machine_result *r, uint64_t ran)
{
    unsigned which = 0;
    struct cpu *met = connected(g) ? watched(g, &which) : NULL;
    const struct gdb_point *point = r->end == MACHINE_BREAK && r->cpu ? points_at(g, r->cpu->psw.ia) : NULL;
    g->told_end &= !ran || (r->cpu && r->cpu->taken.loop);
    if (!connected(g) || g->fresh || g->gone) /* a client that has gone is told nothing, and nobody else either */
        return met || point || r->end == MACHINE_STEPPED || (r->end == MACHINE_REQUEST && calls(g) && !r->cpu);
    if (met)
        tell_watched(g, met, which);
    else if (r->end == MACHINE_STEPPED)
        gdb_stop(g, r->cpu, SIGNAL_TRAP, "");
    else if (point)
        gdb_stop(g, r->cpu, SIGNAL_TRAP,
                 point->kind == POINT_SOFTWARE && g->software   ? "swbreak:;"
                 : point->kind == POINT_HARDWARE && g->hardware ? "hwbreak:;"
                                                                : "");
    else if (r->end == MACHINE_REQUEST && r->cpu && r->cpu->taken.loop)
        return ended(g, r);
    else if (r->end == MACHINE_REQUEST && g->interrupt && !r->cpu)
        gdb_stop(g, NULL, SIGNAL_INT, "");
    else if (r->end == MACHINE_REQUEST || r->end == MACHINE_BREAK)
        return false; /* the operator's */
    else
        return ended(g, r);
    return true;
}

/* Until a client has come and said something. False: the operator asks. */
static bool await(struct gdb *g)
{
    while (g->waits && !g->killed && !connected(g)) {
        if (operator_asks(g->session))
            return false;
        session_stand(g->session, STAND_MS);
    }
    return true;
}

/* Who calls is served. False: the run is over. */
static bool attend(struct gdb *g)
{
    do {
        if (!await(g))
            return false;
        if (g->gone)
            lost(g);
        if ((g->fresh || g->has_machine) && connected(g) && !serve(g))
            return false;
    } while (g->waits && !g->killed && !g->spoke);
    if (g->spoke)
        g->waits = false;
    return !g->killed;
}

/* Is anything of this port's doing? Else a run is the machine's. */
static bool takes_part(const struct gdb *g) { return g && !g->serving; }

struct machine_result gdb_go_on(struct session *s, uint64_t limit)
{
    struct gdb *g = s->gdb;
    struct machine_result r = {.end = MACHINE_REQUEST};
    if (!takes_part(g))
        return machine_go_on_telling(s->machine, limit);
    for (uint64_t used = 0;;) {
        r = (struct machine_result){.end = MACHINE_REQUEST, .instructions = used};
        if (!attend(g))
            return r;
        r = stretch(g, limit - used);
        const uint64_t ran = r.instructions;
        used += ran;
        r.instructions = used;
        if (!judge(g, &r, ran))
            return r;
    }
}

struct machine_result gdb_run(struct session *s, uint64_t limit)
{
    struct gdb *g = s->gdb;
    if (!takes_part(g))
        return machine_run(s->machine, limit);
    for (unsigned i = 0; i < s->machine->sys.cpu_count; i++)
        s->machine->sys.cpus[i]->goes_on = false;
    g->killed = false;
    session_stand(s, 0);
    return gdb_go_on(s, limit);
}
