/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an event costs a trace unit, and an event packet the decoder (ET-108: at most 150 ns, and 200 ns): figure 6 and
   back, again and again, for some configurations, into a file that takes everything. Prints nanoseconds and bytes for
   an event, and millions of event packets decoded in a second. et --check: the best of some tries must be within these
   bounds; exit status 1 when one is not, 77 in a build that is slow by intention. */
#include "ri/trace/decode.h"
#include "ri/trace/trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_NS   150.0 /* for an event */
#define LEAST_MPS 5.0   /* million packets in a second */
#define TRIES     5u    /* of --check; others may use the host as well */

#define ROUNDS 400000u
#define EVENTS 9u /* of a round: 3 times ENTRY and EXIT, twice RETURN, SIGNAL */

struct ticks {
    uint64_t now, bytes;
    uint8_t *kept; /* the file, of KEPT bytes; NULL: thrown away */
};
#define KEPT (UINT64_C(1) << 26)

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
    struct ticks *t = context;
    if (t->kept && t->bytes + size <= KEPT)
        memcpy(t->kept + t->bytes, bytes, size);
    t->bytes += size;
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

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

struct setting {
    const char *name;
    uint64_t etcr, etfr, etts;
};

/* All rounds with this setting. Nanoseconds for an event, negative: it cannot be set up. */
static double encode(const struct setting *setting, struct ticks *t)
{
    const struct et_limits limits = {.host_clock = false};
    const struct et_host host = {.context = t, .clock = clock_now, .attention = attention, .write = swallow};
    struct et_machine *machine = et_machine_new(1, &host, &limits);
    struct et_cpu *cpu = machine ? et_machine_cpu(machine, 0) : NULL;
    double ns = -1;
    if (cpu && !et_write(cpu, ETFR, setting->etfr, ET_BY_START) && !et_write(cpu, ETTS, setting->etts, ET_BY_START) &&
        !et_write(cpu, ETCR, setting->etcr, ET_BY_START)) {
        const double begin = cpu_ns();
        for (unsigned i = 0; i < ROUNDS; i++)
            round_of(machine, cpu, t, i);
        et_finish(machine);
        ns = (cpu_ns() - begin) / (ROUNDS * (double)EVENTS);
    }
    et_machine_free(machine);
    return ns;
}

static void an_event(void *context, const struct et_event *event) { *(uint64_t *)context += event->kind <= ET_K_MARK; }

static void a_diagnostic(void *context, const struct et_diagnostic *diagnostic)
{
    (void)context;
    printf("  D%02u %s\n", diagnostic->code, diagnostic->text);
}

/* Decodes what was kept. Millions of event packets in a second; 0: not all of it could be. */
static double decode(const struct ticks *t)
{
    uint64_t events = 0;
    const struct et_decoder_calls calls = {&events, an_event, a_diagnostic, NULL};
    struct et_decoder_sums sums;
    const double begin = cpu_ns();
    struct et_decoder *decoder = t->bytes <= KEPT ? et_decoder_new(&calls, NULL) : NULL;
    if (!decoder || et_decoder_push(decoder, t->kept, t->bytes)) {
        et_decoder_free(decoder);
        return 0;
    }
    et_decoder_end(decoder);
    et_decoder_sums(decoder, &sums);
    et_decoder_free(decoder);
    return events && !sums.diagnostics ? (double)sums.events * 1e3 / (cpu_ns() - begin) : 0;
}

/* The setting, so many times. False: never within the bounds. */
static bool measure(const struct setting *setting, unsigned tries, uint8_t *kept)
{
    double ns = 1e9, speed = 0;
    struct ticks t = {0};
    for (unsigned i = 0; i < tries && (ns > MOST_NS || speed < LEAST_MPS); i++) {
        t = (struct ticks){.kept = kept};
        const double one = encode(setting, &t), back = one >= 0 && t.bytes ? decode(&t) : LEAST_MPS;
        if (one < 0) {
            printf("%-28s cannot be set up\n", setting->name);
            return false;
        }
        ns = one < ns ? one : ns;
        speed = back > speed ? back : speed;
    }
    printf("%-28s %6.1f ns an event, %5.2f bytes", setting->name, ns, (double)t.bytes / (ROUNDS * (double)EVENTS));
    if (t.bytes)
        printf("; decoded: %5.1f million packets in a second", speed);
    putchar('\n');
    return ns <= MOST_NS && speed >= LEAST_MPS;
}

#if !defined __OPTIMIZE__ || defined __SANITIZE_ADDRESS__
#define SLOW_BUILD true
#else
#define SLOW_BUILD false
#endif

int main(int argc, char **argv)
{
    const uint64_t on = 0x4030341;
    const struct setting settings[] = {{"output off", 0x4030340, 0x1a1e0000, 0x11},
                                       {"all, no time", on, 0x1afe0000, 0x10},
                                       {"all, inline time", on, 0x1afe0000, 0x11},
                                       {"all, separate time", on, 0x1afe0000, 0x12},
                                       {"entry only", 0x4030011, 0x1afe0000, 0x11},
                                       {"merged, FIFO 16, reduced", on, 0x1efe008e, 0x11},
                                       {"with info and addresses", on, UINT64_C(0xf1afe0000), 0x11},
                                       {"full stream", on | 0x40000, 0x1a1e0000, 0x11}};
    const bool check = argc > 1 && !strcmp(argv[1], "--check");
    if (check && SLOW_BUILD)
        return 77;
    uint8_t *kept = malloc(KEPT);
    bool good = kept;
    for (unsigned i = 0; kept && i < sizeof settings / sizeof *settings; i++)
        good &= measure(&settings[i], check ? TRIES : 1, kept);
    free(kept);
    return check && !good;
}
