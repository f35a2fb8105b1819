/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an event costs a trace unit (ET-108: at most 150 ns): figure 6 and back, again and again, for some
   configurations, into a file that takes everything. Prints nanoseconds for an event and bytes for an event. */
#include "ri/trace/trace.h"
#include <stdio.h>
#include <time.h>

#define ROUNDS 400000u
#define EVENTS 9u /* of a round: 3 times ENTRY and EXIT, twice RETURN, SIGNAL */

struct ticks {
    uint64_t now, bytes;
};

static uint64_t clock_now(void *context, unsigned cpu, enum et_clock clock)
{
    (void)cpu;
    (void)clock;
    return ((struct ticks *)context)->now;
}

static void attention(void *context, unsigned cpu, bool wanted)
{
    (void)context;
    (void)cpu;
    (void)wanted;
}

static int swallow(void *context, const uint8_t *bytes, size_t size)
{
    (void)bytes;
    ((struct ticks *)context)->bytes += size;
    return 0;
}

static struct et_psw psw(uint64_t address) { return (struct et_psw){UINT64_C(0x0704000180000000), address}; }

static void take(struct et_cpu *cpu, struct ticks *t, enum et_class class, unsigned code, uint64_t from)
{
    const struct et_info info = {.given = 0x606, .code = code, .ilc = 4, .asn = 1, .bear = from};
    t->now += 40;
    et_entry(cpu, class, code, psw(from), psw(0x8000), &info);
    et_boundary(cpu, psw(0x8000));
}

static void back(struct et_cpu *cpu, struct ticks *t, uint64_t to, bool passed)
{
    t->now += 75;
    et_reload(cpu, ET_LPSWE, psw(to));
    if (passed)
        et_boundary(cpu, psw(to));
}

static void round_of(struct et_machine *machine, struct et_cpu *cpu, struct ticks *t, unsigned i)
{
    take(cpu, t, ET_SVC, i & 63, 0x1000);
    take(cpu, t, ET_EXTERNAL, 0x1004, 0x2000);
    et_request(machine, 0, ET_IO, 5, NULL, false);
    back(cpu, t, 0x2000, false);
    take(cpu, t, ET_IO, 5, 0x2000);
    back(cpu, t, 0x2000, true);
    back(cpu, t, 0x1000, true);
}

static void measure(const char *name, uint64_t etcr, uint64_t etfr, uint64_t etts)
{
    struct ticks t = {0, 0};
    const struct et_limits limits = {.host_clock = false};
    const struct et_host host = {.context = &t, .clock = clock_now, .attention = attention, .write = swallow};
    struct et_machine *machine = et_machine_new(1, &host, &limits);
    struct et_cpu *cpu = machine ? et_machine_cpu(machine, 0) : NULL;
    struct timespec begin, end;
    if (!cpu || et_write(cpu, ETFR, etfr, ET_BY_START) || et_write(cpu, ETTS, etts, ET_BY_START) ||
        et_write(cpu, ETCR, etcr, ET_BY_START)) {
        printf("%-28s cannot be set up\n", name);
        et_machine_free(machine);
        return;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (unsigned i = 0; i < ROUNDS; i++)
        round_of(machine, cpu, &t, i);
    et_finish(machine);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    const double ns = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    printf("%-28s %6.1f ns an event, %5.2f bytes\n", name, ns / (ROUNDS * (double)EVENTS),
           (double)t.bytes / (ROUNDS * (double)EVENTS));
    et_machine_free(machine);
}

int main(void)
{
    const uint64_t on = 0x4030341;
    measure("output off", 0x4030340, 0x1a1e0000, 0x11);
    measure("all, no time", on, 0x1afe0000, 0x10);
    measure("all, inline time", on, 0x1afe0000, 0x11);
    measure("all, separate time", on, 0x1afe0000, 0x12);
    measure("entry only", 0x4030011, 0x1afe0000, 0x11);
    measure("merged, FIFO 16, reduced", on, 0x1efe008e, 0x11);
    measure("with info and addresses", on, UINT64_C(0xf1afe0000), 0x11);
    measure("full stream", on | 0x40000, 0x1a1e0000, 0x11);
    return 0;
}
