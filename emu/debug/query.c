/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the client asks about the target, and the console's commands. */
#include "emu/debug/internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void gdb_okay(struct gdb *g, const char *arguments, size_t length)
{
    (void)arguments;
    (void)length;
    packet_add(&g->answer, "OK");
}

void gdb_supported(struct gdb *g, const char *arguments, size_t length)
{
    (void)length;
    g->software = strstr(arguments, "swbreak+") != NULL;
    g->hardware = strstr(arguments, "hwbreak+") != NULL;
    packet_add(&g->answer,
               "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:memory-map:read+;qXfer:threads:read+;"
               "swbreak+;hwbreak+;vContSupported+;ReverseStep+;ReverseContinue+",
               PACKET_MOST);
}

void gdb_no_acknowledgement(struct gdb *g, const char *arguments, size_t length)
{
    gdb_okay(g, arguments, length);
    g->no_ack = true;
}

void gdb_attached(struct gdb *g, const char *arguments, size_t length)
{
    (void)arguments;
    (void)length;
    packet_add(&g->answer, "1");
}

/* ---- documents ------------------------------------------------------------------------------------------------- */

typedef void writer(struct gdb *g, FILE *out);

/* The part of a document that "OFFSET,LENGTH" asks for. */
static void transfer(struct gdb *g, const char *arguments, writer *write)
{
    uint64_t offset, count;
    char *text = NULL;
    size_t size = 0;
    if (!packet_number(&arguments, 16, &offset) || *arguments++ != ',' || !packet_number(&arguments, 16, &count)) {
        gdb_refuse(g, NULL);
        return;
    }
    FILE *out = open_memstream(&text, &size);
    if (out)
        write(g, out);
    if (!out || fclose(out)) {
        gdb_refuse(g, "the host has no memory");
    } else if (offset >= size) {
        packet_add(&g->answer, "l");
    } else {
        const size_t room = PACKET_MOST / 2 - 1, left = size - (size_t)offset;
        size_t some = count < room ? (size_t)count : room;
        some = some < left ? some : left;
        packet_add(&g->answer, some == left ? "l" : "m");
        packet_add_binary(&g->answer, text + offset, some);
    }
    free(text);
}

static void write_features(struct gdb *g, FILE *out)
{
    (void)g;
    registers_describe(out);
}

void gdb_features(struct gdb *g, const char *arguments, size_t length)
{
    (void)length;
    transfer(g, arguments, write_features);
}

/* Main storage, and behind it what is there for virtual addresses only. */
static void write_map(struct gdb *g, FILE *out)
{
    const uint64_t size = gdb_machine(g)->sys.storage.size;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<!DOCTYPE memory-map PUBLIC \"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" "
            "\"http://sourceware.org/gdb/gdb-memory-map.dtd\">\n<memory-map>\n"
            "<memory type=\"ram\" start=\"0x0\" length=\"0x%" PRIx64 "\"/>\n"
            "<memory type=\"ram\" start=\"0x%" PRIx64 "\" length=\"0x%" PRIx64 "\"/>\n</memory-map>\n",
            size, size, -size);
}

void gdb_memory_map(struct gdb *g, const char *arguments, size_t length)
{
    (void)length;
    transfer(g, arguments, write_map);
}

/* ---- CPUs as threads ------------------------------------------------------------------------------------------- */

static bool there(const struct gdb *g, unsigned cpu)
{
    return cpu < gdb_machine(g)->sys.cpu_count && !machine_cpu_standby(gdb_machine(g), cpu);
}

bool gdb_thread(const struct gdb *g, const char **text, unsigned *cpu)
{
    uint64_t number;
    *cpu = CPU_MAX;
    if (strncmp(*text, "-1", 2) == 0) {
        *text += 2;
        return true;
    }
    if (!packet_number(text, 8, &number))
        return false;
    if (number == 0)
        return true;
    *cpu = (unsigned)number - 1;
    return there(g, *cpu);
}

static void write_threads(struct gdb *g, FILE *out)
{
    fputs("<?xml version=\"1.0\"?>\n<threads>\n", out);
    for (unsigned i = 0; i < gdb_machine(g)->sys.cpu_count; i++)
        if (there(g, i))
            fprintf(out, "<thread id=\"%x\" core=\"%u\" name=\"CPU %u\">%s</thread>\n", i + 1, i, i,
                    machine_state_name(gdb_machine(g)->sys.cpus[i]));
    fputs("</threads>\n", out);
}

void gdb_thread_list(struct gdb *g, const char *arguments, size_t length)
{
    (void)length;
    transfer(g, arguments, write_threads);
}

void gdb_first_threads(struct gdb *g, const char *arguments, size_t length)
{
    (void)arguments;
    (void)length;
    for (unsigned i = 0; i < gdb_machine(g)->sys.cpu_count; i++)
        if (there(g, i))
            packet_add(&g->answer, "%s%x", g->answer.length ? "," : "m", i + 1);
}

void gdb_more_threads(struct gdb *g, const char *arguments, size_t length)
{
    (void)arguments;
    (void)length;
    packet_add(&g->answer, "l");
}

void gdb_thread_words(struct gdb *g, const char *arguments, size_t length)
{
    unsigned cpu;
    char words[64];
    (void)length;
    if (!gdb_thread(g, &arguments, &cpu) || cpu == CPU_MAX) {
        gdb_refuse(g, NULL);
        return;
    }
    snprintf(words, sizeof words, "CPU %u, %s", cpu, machine_state_name(gdb_machine(g)->sys.cpus[cpu]));
    packet_add_hex(&g->answer, words, strlen(words));
}

void gdb_current_thread(struct gdb *g, const char *arguments, size_t length)
{
    (void)arguments;
    (void)length;
    packet_add(&g->answer, "QC%x", gdb_cpu(g)->address + 1u);
}

void gdb_alive(struct gdb *g, const char *arguments, size_t length)
{
    unsigned cpu;
    (void)length;
    if (!gdb_thread(g, &arguments, &cpu))
        gdb_refuse(g, NULL);
    else
        packet_add(&g->answer, "OK");
}

void gdb_choose(struct gdb *g, const char *arguments, size_t length)
{
    const char what = length ? *arguments++ : 0;
    unsigned cpu;
    if ((what != 'g' && what != 'c') || !gdb_thread(g, &arguments, &cpu)) {
        gdb_refuse(g, NULL);
        return;
    }
    if (what == 'c')
        g->resumes = cpu;
    else if (cpu < CPU_MAX)
        g->cpu = cpu;
    packet_add(&g->answer, "OK");
}

/* ---- the console ----------------------------------------------------------------------------------------------- */

/* Text that the client shows at once, in packets as long as may be. */
static void show(struct gdb *g, const char *text)
{
    const size_t most = PACKET_MOST / 2 - 1;
    for (size_t left = strlen(text), some; left; text += some, left -= some) {
        some = left < most ? left : most;
        packet_begin(&g->answer);
        packet_add(&g->answer, "O");
        packet_add_hex(&g->answer, text, some);
        gdb_send(g);
    }
}

void gdb_monitor(struct gdb *g, const char *arguments, size_t length)
{
    char line[1024], *shown;
    const long n = packet_bytes(arguments, length, (uint8_t *)line, sizeof line - 1);
    struct cpu *cpu = gdb_cpu_at(g, g->shown);
    bool quits = false;
    if (n < 0 || !g->host.command || memchr(line, 0, (size_t)n) || memchr(line, '\n', (size_t)n)) {
        gdb_refuse(g, n < 0 ? "a command has at most 1023 characters" : "this is no command");
        return;
    }
    line[n] = 0;
    shown = g->host.command(g->host.context, &cpu, line, &quits);
    if (!shown) {
        gdb_refuse(g, "the host has no memory");
        return;
    }
    g->shown = cpu->address;
    show(g, shown);
    free(shown);
    packet_begin(&g->answer);
    packet_add(&g->answer, "OK");
    if (!quits)
        return;
    gdb_send(g);
    gdb_kill(g, "", 0);
}
