/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The demonstration: runs, then shows its program buffer in words. */
#include "emu/demo.h"
#include "cpu/storage/access.h"
#include "cpu/storage/dat.h"
#include "emu/batch.h"
#include "ri/text.h"
#include <inttypes.h>
#include <stdlib.h>

#define ROUTINES 64u

struct count {
    const char *name;
    unsigned samples;
};

struct report {
    struct ipl_symbols *symbols;
    unsigned groups, samples, elsewhere, routines;
    struct count routine[ROUTINES];
};

/* Where an address is: " (name+offset)", or nothing. */
static void name_place(struct ipl_symbols *symbols, uint64_t address, char *text, size_t size)
{
    const struct ipl_symbol *symbol = ipl_symbol_at(symbols, address);
    text[0] = 0;
    if (symbol && symbol->code && address == symbol->address)
        snprintf(text, size, "%s", symbol->name);
    else if (symbol && symbol->code)
        snprintf(text, size, "%s+%" PRIX64, symbol->name, address - symbol->address);
}

static void count_sample(struct report *report, uint64_t address)
{
    const struct ipl_symbol *symbol = ipl_symbol_at(report->symbols, address);
    report->samples++;
    unsigned i = 0;
    while (symbol && i < report->routines && strcmp(report->routine[i].name, symbol->name) != 0)
        i++;
    if (!symbol || i == ROUTINES) {
        report->elsewhere++;
        return;
    }
    if (i == report->routines)
        report->routine[report->routines++] = (struct count){symbol->name, 0};
    report->routine[i].samples++;
}

static void print_record(void *context, unsigned group, uint64_t address, struct ri_record record)
{
    struct report *report = context;
    struct ri_places places = ri_record_places(record);
    char text[RI_LINE], from[80] = "", to[80] = "";
    if (group != report->groups) {
        report->groups = group;
        printf("group %u\n", group);
    }
    ri_record_text(record, text, sizeof text);
    if (places.has_ia)
        name_place(report->symbols, places.ia, from, sizeof from);
    if (places.has_target)
        name_place(report->symbols, places.target, to, sizeof to);
    printf("  %" PRIX64 "  %s", address, text);
    if (from[0] && to[0])
        printf("  [%s -> %s]", from, to);
    else if (from[0] || to[0])
        printf("  [%s]", from[0] ? from : to);
    putchar('\n');
    if (ri_record_type(record) == RI_TYPE_INSTRUCTION && places.has_ia)
        count_sample(report, places.ia);
}

/* The program buffer from ROA up to RCA as the CPU's current space has it, or NULL. */
static uint8_t *fetch_buffer(struct cpu *cpu, uint64_t from, uint64_t length)
{
    uint8_t *bytes = malloc(length ? length : 1);
    for (uint64_t done = 0; bytes && done < length;) {
        uint64_t absolute, part = cpu_page_left(from + done);
        bool protect;
        if (part > length - done)
            part = length - done;
        if (cpu_walk(cpu, CPU_SPACE_CURRENT, 0, from + done, NULL, NULL, &absolute, &protect) ||
            !storage_has(&cpu->sys->storage, absolute, part)) {
            free(bytes);
            return NULL;
        }
        memcpy(bytes + done, cpu->sys->storage.bytes + absolute, part);
        done += part;
    }
    return bytes;
}

static void print_routines(struct report *report)
{
    printf("\nsamples by routine\n");
    for (unsigned n = 0; n < report->routines; n++) {
        unsigned most = n;
        for (unsigned i = n; i < report->routines; i++)
            if (report->routine[i].samples > report->routine[most].samples)
                most = i;
        struct count swap = report->routine[n];
        report->routine[n] = report->routine[most];
        report->routine[most] = swap;
        printf("%6u  %s\n", report->routine[n].samples, report->routine[n].name);
    }
    if (report->elsewhere)
        printf("%6u  elsewhere\n", report->elsewhere);
}

static void print_summary(const struct report *report, unsigned groups, const struct ri_controls *controls)
{
    printf("\n%u reporting groups, %u samples\n", groups, report->samples);
    printf("\nIn short: a program ran with run-time instrumentation on, and without being\n"
           "changed it was watched: each time a sample was due, the branches before it and\n"
           "the sampled instruction were stored as a group.\n");
    if (report->routines)
        printf("Most samples fell into `%s', where the program spends its time.\n", report->routine[0].name);
    printf("\nWhat to type next at the prompt (zri --demo without --batch gives one):\n"
           "  ri listing 1       calls and branches of the first group with their instructions\n"
           "  ri controls        what the program asked run-time instrumentation for\n"
           "  translate %-8" PRIX64 " how the CPU found the program buffer\n"
           "  load builtin:demo  then s, b @work and g: go through it yourself\n"
           "  help               all commands; doc/tour.txt and doc/ri-by-example.txt lead through them\n",
           controls->roa);
}

int emu_demo(struct session *session, const struct emu_options *options)
{
    int status = emu_batch(session, options, NULL);
    struct cpu *cpu = session->machine->sys.cpus[0];
    const struct ri_controls *controls = &cpu->ri->controls;
    struct report report = {.symbols = ipl_load_symbols(session->load)};
    if (!controls->v || controls->rca <= controls->roa || controls->rca - controls->roa > 1u << 24) {
        printf("no reporting groups: the machine has no run-time instrumentation, or the program did not get to it\n");
        return status ? status : EMU_EXIT_BAD;
    }
    uint64_t length = controls->rca - controls->roa;
    uint8_t *bytes = fetch_buffer(cpu, controls->roa, length);
    if (!bytes) {
        printf("the program buffer at %" PRIX64 " cannot be read\n", controls->roa);
        return EMU_EXIT_BAD;
    }
    printf("\nwhat run-time instrumentation stored: the program buffer at %" PRIX64 ", %" PRIu64 " bytes\n",
           controls->roa, length);
    unsigned groups = ri_buffer_each(bytes, length, controls->roa, print_record, &report);
    print_routines(&report);
    print_summary(&report, groups, controls);
    free(bytes);
    return status;
}
