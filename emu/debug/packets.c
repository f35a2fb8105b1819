/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the client's packets do: registers, storage, points, going on. */
#include "emu/debug/internal.h"
#include "emu/debug/storage.h"
#include <inttypes.h>
#include <string.h>

static const struct {
    const char *text;
    gdb_packet *carry_out;
} packets[] = {
#define PACKET(text, function) {text, function},
#include "emu/debug/packets.def"
#undef PACKET
};

void gdb_carry_out(struct gdb *g)
{
    for (unsigned i = 0; i < sizeof packets / sizeof *packets; i++) {
        const size_t n = strlen(packets[i].text);
        if (strncmp(g->reader.body, packets[i].text, n) == 0) {
            packets[i].carry_out(g, g->reader.body + n, g->reader.length - n);
            return;
        }
    }
}

static void okay(struct gdb *g) { packet_add(&g->answer, "OK"); }

void gdb_refuse(struct gdb *g, const char *why)
{
    packet_begin(&g->answer);
    if (why)
        packet_add(&g->answer, "E.%s", why);
    else
        packet_add(&g->answer, "E01");
}

static void reply(struct gdb *g, bool good)
{
    if (good)
        okay(g);
    else
        gdb_refuse(g, NULL);
}

/* ---- registers ------------------------------------------------------------------------------------------------- */

void gdb_registers(struct gdb *g, const char *arguments, size_t length)
{
    (void)arguments;
    (void)length;
    for (unsigned i = 0; i < registers_count(); i++)
        if (!registers_add(g, i)) {
            gdb_refuse(g, NULL);
            return;
        }
}

void gdb_set_registers(struct gdb *g, const char *arguments, size_t length)
{
    uint8_t bytes[16];
    bool good = true;
    for (unsigned i = 0; good && i < registers_count() && length; i++) {
        const size_t n = registers_bytes(i);
        good = length >= 2 * n && packet_bytes(arguments, 2 * n, bytes, sizeof bytes) == (long)n &&
               registers_set(g, i, bytes, n);
        arguments += good ? 2 * n : 0;
        length -= good ? 2 * n : 0;
    }
    reply(g, good && !length);
}

void gdb_register(struct gdb *g, const char *arguments, size_t length)
{
    uint64_t number;
    (void)length;
    if (!packet_number(&arguments, 8, &number) || *arguments || !registers_add(g, (unsigned)number))
        gdb_refuse(g, NULL);
}

void gdb_set_register(struct gdb *g, const char *arguments, size_t length)
{
    const char *at = arguments;
    uint64_t number;
    uint8_t bytes[16];
    long n = -1;
    if (packet_number(&at, 8, &number) && *at++ == '=')
        n = packet_bytes(at, length - (size_t)(at - arguments), bytes, sizeof bytes);
    reply(g, n > 0 && registers_set(g, (unsigned)number, bytes, (size_t)n));
}

/* ---- storage --------------------------------------------------------------------------------------------------- */

/* "ADDRESS,LENGTH" */
static bool range(const char **text, uint64_t *address, uint64_t *length)
{
    return packet_number(text, 16, address) && *(*text)++ == ',' && packet_number(text, 16, length);
}

void gdb_storage(struct gdb *g, const char *arguments, size_t length)
{
    uint8_t bytes[PACKET_MOST / 2];
    uint64_t address, count;
    (void)length;
    if (!range(&arguments, &address, &count) || *arguments) {
        gdb_refuse(g, NULL);
        return;
    }
    const size_t most = count < sizeof bytes ? (size_t)count : sizeof bytes;
    const size_t had = debug_fetch(gdb_cpu(g), g->space, address, bytes, most);
    if (had == 0 && count)
        gdb_refuse(g, NULL); /* gdb 13 takes words for bytes here */
    else
        packet_add_hex(&g->answer, bytes, had);
}

/* ADDRESS,LENGTH: in front of what is to be stored; *data receives that. */
static bool destination(const char *arguments, uint64_t *address, uint64_t *count, const char **data)
{
    *data = arguments;
    return range(data, address, count) && *(*data)++ == ':';
}

void gdb_set_storage(struct gdb *g, const char *arguments, size_t length)
{
    uint8_t bytes[PACKET_MOST / 2];
    uint64_t address, count;
    const char *data;
    reply(g, destination(arguments, &address, &count, &data) &&
                 packet_bytes(data, length - (size_t)(data - arguments), bytes, sizeof bytes) == (long)count &&
                 debug_store(gdb_cpu(g), g->space, address, bytes, (size_t)count));
}

void gdb_set_storage_binary(struct gdb *g, const char *arguments, size_t length)
{
    uint64_t address, count;
    const char *data;
    reply(g, destination(arguments, &address, &count, &data) && length - (size_t)(data - arguments) == count &&
                 debug_store(gdb_cpu(g), g->space, address, data, (size_t)count));
}

/* ---- points ---------------------------------------------------------------------------------------------------- */

/* KIND,ADDRESS,LENGTH of a Z or z packet. False: it was answered. */
static bool point(struct gdb *g, const char *text, struct gdb_point *p)
{
    uint64_t kind;
    if (!packet_number(&text, 2, &kind) || *text++ != ',' || !range(&text, &p->address, &p->length)) {
        gdb_refuse(g, NULL);
        return false;
    }
    if (kind >= POINT_KINDS)
        return false; /* not known: the answer is empty */
    p->kind = (uint8_t)kind;
    p->space = kind < POINT_WRITE               ? CPU_WATCH_LOGICAL
               : g->space == CPU_SPACE_REAL     ? CPU_WATCH_REAL
               : g->space == CPU_SPACE_ABSOLUTE ? CPU_WATCH_ABSOLUTE
                                                : CPU_WATCH_LOGICAL;
    if (kind >= POINT_WRITE && (p->length == 0 || p->length - 1 > UINT64_MAX - p->address)) {
        gdb_refuse(g, "a watchpoint has a length, and does not wrap");
        return false;
    }
    return true;
}

void gdb_insert(struct gdb *g, const char *arguments, size_t length)
{
    struct gdb_point p;
    (void)length;
    if (!point(g, arguments, &p))
        return;
    if (points_add(g, &p))
        okay(g);
    else
        gdb_refuse(g, "there is no room for another point");
}

void gdb_remove(struct gdb *g, const char *arguments, size_t length)
{
    struct gdb_point p;
    (void)length;
    if (!point(g, arguments, &p))
        return;
    points_remove(g, &p);
    okay(g);
}

/* ---- going on -------------------------------------------------------------------------------------------------- */

void gdb_why(struct gdb *g, const char *arguments, size_t length)
{
    (void)arguments;
    (void)length;
    packet_add(&g->answer, "%s", g->reason);
}

static void go_on(struct gdb *g)
{
    g->silent = true;
    g->has_machine = false;
}

/* c and s with an address, of the CPU that Hc chose or all. */
static void plain(struct gdb *g, const char *address, enum gdb_action action)
{
    uint64_t ia;
    uint8_t bytes[8];
    unsigned pswa = 0;
    const unsigned one = g->resumes < CPU_MAX ? g->resumes : gdb_cpu(g)->address;
    if (*address) {
        if (!packet_number(&address, 16, &ia) || *address) {
            gdb_refuse(g, NULL);
            return;
        }
        put64(bytes, ia);
        while (pswa < registers_count() && !registers_is_address(pswa))
            pswa++;
        if (!registers_set(g, pswa, bytes, sizeof bytes)) {
            gdb_refuse(g, "this is no address to go on at");
            return;
        }
    }
    memset(g->does, g->resumes < CPU_MAX ? ACTION_HELD : ACTION_CONTINUE, sizeof g->does);
    g->does[one] = (uint8_t)action;
    g->range_end = 0;
    go_on(g);
}

void gdb_continue(struct gdb *g, const char *arguments, size_t length)
{
    (void)length;
    plain(g, arguments, ACTION_CONTINUE);
}

void gdb_step(struct gdb *g, const char *arguments, size_t length)
{
    (void)length;
    plain(g, arguments, ACTION_STEP);
}

/* Signals mean nothing to a machine. */
static const char *behind_signal(const char *text)
{
    uint64_t signal;
    return packet_number(&text, 2, &signal) ? text + (*text == ';') : text;
}

void gdb_continue_signal(struct gdb *g, const char *arguments, size_t length)
{
    (void)length;
    plain(g, behind_signal(arguments), ACTION_CONTINUE);
}

void gdb_step_signal(struct gdb *g, const char *arguments, size_t length)
{
    (void)length;
    plain(g, behind_signal(arguments), ACTION_STEP);
}

void gdb_cont_offers(struct gdb *g, const char *arguments, size_t length)
{
    (void)arguments;
    (void)length;
    packet_add(&g->answer, "vCont;c;C;s;S;r");
}

/* One action of a vCont packet, behind its semicolon: ACTION[:THREAD]. */
struct action {
    enum gdb_action does;
    unsigned cpu; /* CPU_MAX: all */
    uint64_t start, end;
};

static bool parse_action(const struct gdb *g, const char **text, struct action *a)
{
    const char letter = *(*text)++;
    uint64_t signal;
    *a = (struct action){.does = letter == 'c' || letter == 'C' ? ACTION_CONTINUE : ACTION_STEP, .cpu = CPU_MAX};
    if ((letter == 'C' || letter == 'S') && !packet_number(text, 2, &signal))
        return false;
    if (letter == 'r' && !(range(text, &a->start, &a->end)))
        return false;
    if (!letter || !strchr("cCsSr", letter))
        return false;
    if (**text != ':')
        return true;
    (*text)++;
    return gdb_thread(g, text, &a->cpu);
}

void gdb_cont(struct gdb *g, const char *arguments, size_t length)
{
    uint8_t does[CPU_MAX] = {0};
    bool given[CPU_MAX] = {false}, stepping = false;
    struct action a;
    (void)length;
    g->range_end = 0;
    while (*arguments == ';') {
        arguments++;
        if (!parse_action(g, &arguments, &a)) {
            gdb_refuse(g, NULL);
            return;
        }
        for (unsigned i = 0; i < CPU_MAX; i++) {
            if (given[i] || (a.cpu < CPU_MAX && a.cpu != i)) /* the leftmost one counts */
                continue;
            const bool other_steps =
                a.does == ACTION_STEP && (stepping || (a.cpu == CPU_MAX && i != gdb_cpu(g)->address));
            given[i] = true;
            does[i] = (uint8_t)(other_steps ? ACTION_HELD : a.does); /* one CPU steps */
            stepping |= does[i] == ACTION_STEP;
            if (does[i] == ACTION_STEP && a.end) {
                g->range_start = a.start;
                g->range_end = a.end;
            }
        }
    }
    if (*arguments) {
        gdb_refuse(g, NULL);
        return;
    }
    memcpy(g->does, does, sizeof does);
    go_on(g);
}

void gdb_detach(struct gdb *g, const char *arguments, size_t length)
{
    (void)arguments;
    (void)length;
    okay(g);
    gdb_send(g);
    g->silent = true;
    gdb_forget_client(g);
    g->waits = false;
}

void gdb_kill(struct gdb *g, const char *arguments, size_t length)
{
    const struct machine *m = gdb_machine(g);
    (void)arguments;
    (void)length;
    g->silent = g->killed = true;
    gdb_forget_client(g);
    if (m->host.message)
        m->host.message(m->host.context, "gdb has killed the guest");
}

void gdb_kill_politely(struct gdb *g, const char *arguments, size_t length)
{
    okay(g);
    gdb_send(g);
    gdb_kill(g, arguments, length);
}
