/* SPDX-License-Identifier: GPL-3.0-or-later */
/* whatif: the next instructions are carried out by a copy of the whole process, which has a copy of the machine and
   whose descriptors are closed or can only be read. It tells registers, the storage that it has stored into, and
   interruptions; what is different is found by comparing with the machine, which nothing has touched. */
#include "cpu/control/registers.h"
#include "cpu/state/timing.h"
#include "cpu/storage/tlb.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/told.h"
#include "emu/machine/run.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEPS       100000u
#define SECONDS     10u
#define EVENTS      16u
#define PAGES       1024u /* that are told */
#define RANGES      32u   /* of storage that are shown */
#define SHOWN       16u   /* bytes of each */
#define DESCRIPTORS 1024
#define REPORT      3 /* the descriptor that the copy writes to */

struct copy_event {
    uint32_t class, code;
    uint64_t ia; /* where the CPU was */
};

struct copy_register {
    uint64_t value[2];
};

/* What the copy tells first; its pages follow. */
struct copy_report {
    uint64_t instructions;
    uint32_t end; /* enum engine_end of the last step */
    uint32_t events, registers, pages;
    struct copy_event event[EVENTS]; /* the first ones */
    struct copy_register value[256]; /* in the order of the table */
};

struct copy_page {
    uint64_t page;
    uint8_t bytes[PAGE_SIZE_Z];
};

/* ---- in the copy ----------------------------------------------------------------------------------------------- */

/* Nothing that is open can be written to any more, but for the report. */
static void shut(int report)
{
    const int nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        char path[32];
        struct stat s;
        if (fd == report || fd == nothing || fstat(fd, &s))
            continue;
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        const bool disk = S_ISREG(s.st_mode) || S_ISBLK(s.st_mode);
        const int again = fd > 2 && disk ? open(path, O_RDONLY) : -1;
        dup2(again >= 0 ? again : nothing, fd);
        if (again >= 0)
            close(again);
    }
    dup2(report, REPORT);
}

static void note(void *context, struct cpu *cpu, enum cpu_class class, unsigned code)
{
    struct copy_report *r = context;
    if (r->events < EVENTS)
        r->event[r->events] = (struct copy_event){class, code, cpu->psw.ia};
    r->events++;
}

static unsigned registers_of(struct cpu *cpu, struct copy_register *values)
{
    unsigned n = 0;
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++)
        for (unsigned number = 0; number < cpu_registers[id].count && n < 256; number++, n++)
            if (!cpu_register_get(cpu, id, number, values[n].value))
                memset(&values[n], 0, sizeof values[n]);
    return n;
}

static void put(const void *bytes, size_t length)
{
    for (const uint8_t *at = bytes; length;) {
        const ssize_t n = write(REPORT, at, length);
        if (n <= 0)
            _exit(1);
        at += n;
        length -= (size_t)n;
    }
}

__attribute__((noreturn)) static void copy(struct console *c, uint64_t count, int report)
{
    static const struct session_keeper nothing;
    struct machine *m = c->machine;
    struct storage *s = &m->sys.storage;
    struct copy_report r = {.instructions = cpu_instructions(c->cpu)};
    const struct cpu_observer observer = {.context = &r, .interruption = note};
    const uint64_t pages = s->total >> PAGE_BITS;
    shut(report);
    c->session->out = c->session->copy = NULL;
    c->session->heard = NULL;
    memset(c->session->visitors, 0, sizeof c->session->visitors);
    c->session->keeper = nothing;
    m->door = NULL;
    c->cpu->observer = &observer;
    for (uint64_t page = 0; page < pages; page++) {
        tlb_watch_page(&m->sys, page << PAGE_BITS);
        s->page_flags[page] |= PAGE_UNCHANGED;
    }
    cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    for (uint64_t i = 0; i < count && (r.end = machine_step(m, c->cpu)) != ENGINE_WAIT && r.end != ENGINE_STOPPED; i++)
        ;
    r.instructions = cpu_instructions(c->cpu) - r.instructions;
    r.registers = registers_of(c->cpu, r.value);
    for (uint64_t page = 0; page < pages; page++)
        r.pages += !(s->page_flags[page] & PAGE_UNCHANGED);
    put(&r, sizeof r);
    for (uint64_t page = 0, told = 0; page < pages && told < PAGES; page++) {
        if (s->page_flags[page] & PAGE_UNCHANGED)
            continue;
        put(&page, sizeof page);
        put(s->bytes + (page << PAGE_BITS), PAGE_SIZE_Z);
        told++;
    }
    _exit(0);
}

/* ---- what it tells --------------------------------------------------------------------------------------------- */

/* Exactly so many bytes before the deadline; false: they do not come. */
static bool get(int from, void *to, size_t length, uint64_t deadline)
{
    for (uint8_t *at = to; length;) {
        struct pollfd fd = {.fd = from, .events = POLLIN};
        const uint64_t now = session_now_ns();
        if (now >= deadline)
            return false;
        if (poll(&fd, 1, (int)((deadline - now) / 1000000) + 1) <= 0)
            continue;
        const ssize_t n = read(from, at, length);
        if (n <= 0)
            return false;
        at += n;
        length -= (size_t)n;
    }
    return true;
}

static void hex(const uint8_t *bytes, unsigned length, char *text)
{
    for (unsigned i = 0; i < length && i < SHOWN; i++)
        sprintf(text + 2 * i, "%02X", bytes[i]);
    if (length > SHOWN)
        strcpy(text + (size_t)2 * SHOWN, "...");
}

/* The ranges of a page that are different: bytes with at most seven between them that are the same. */
static void show_page(struct console *c, const struct copy_page *p, unsigned *shown)
{
    const uint8_t *before = c->machine->sys.storage.bytes + (p->page << PAGE_BITS);
    for (unsigned at = 0; at < PAGE_SIZE_Z; at++) {
        char old[2 * SHOWN + 4] = "", new[2 * SHOWN + 4] = "";
        unsigned end = at, last = at;
        if (p->bytes[at] == before[at])
            continue;
        for (; end < PAGE_SIZE_Z && end < last + 8; end++)
            if (p->bytes[end] != before[end])
                last = end;
        hex(before + at, last + 1 - at, old);
        hex(p->bytes + at, last + 1 - at, new);
        if ((*shown)++ < RANGES)
            SHOW_ROW(c, "  absolute {}, length {}: {} -> {}\n", fact_hex("address", (p->page << PAGE_BITS) + at, 16),
                     fact_number("length", last + 1 - at), fact_text("before", old), fact_text("after", new));
        at = last;
    }
}

static void show_register(struct console *c, unsigned id, unsigned number, const struct copy_register *before,
                          const struct copy_register *after)
{
    const struct cpu_register *row = &cpu_registers[id];
    const bool wide = row->width == 128;
    char name[24], old[40], new[40];
    snprintf(name, sizeof name, row->count > 1 ? "%s%u" : "%s", row->name, number);
    snprintf(old, sizeof old, wide ? "%016" PRIX64 : "%.0" PRIX64, before->value[0]);
    snprintf(new, sizeof new, wide ? "%016" PRIX64 : "%.0" PRIX64, after->value[0]);
    if (!wide)
        *old = *new = 0;
    snprintf(old + strlen(old), sizeof old - strlen(old), "%0*" PRIX64, row->width == 32 ? 8 : 16, before->value[1]);
    snprintf(new + strlen(new), sizeof new - strlen(new), "%0*" PRIX64, row->width == 32 ? 8 : 16, after->value[1]);
    SHOW_ROW(c, "  {-7} {} -> {}\n", fact_text("register", name), fact_text("before", old), fact_text("after", new));
}

/* The condition code of the left half of the PSW. */
static void show_cc(struct console *c, uint64_t before, uint64_t after)
{
    const unsigned old = (unsigned)field64(before, 18, 19), new = (unsigned)field64(after, 18, 19);
    if (old != new)
        SHOW_ROW(c, "  {-7} {} -> {}\n", fact_text("register", "cc"), fact_number("before", old),
                 fact_number("after", new));
}

/* A register whose change is time alone, or is seen in another one. */
static bool passed_over(unsigned id, unsigned number, const struct copy_register *before,
                        const struct copy_register *after)
{
    return id == CPU_REG_CPU_TIMER || (id == CPU_REG_VR && number < 16 && before->value[1] == after->value[1]);
}

static unsigned show_registers(struct console *c, const struct copy_report *r)
{
    struct copy_register now[256];
    const unsigned count = registers_of(c->cpu, now);
    unsigned n = 0, changed = 0;
    show_list(c, "registers");
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++)
        for (unsigned number = 0; number < cpu_registers[id].count && n < count && n < r->registers; number++, n++)
            if (memcmp(&now[n], &r->value[n], sizeof now[n]) != 0 && !passed_over(id, number, &now[n], &r->value[n])) {
                show_register(c, id, number, &now[n], &r->value[n]);
                if (id == CPU_REG_PSW_MASK)
                    show_cc(c, now[n].value[1], r->value[n].value[1]);
                changed++;
            }
    show_end_list(c);
    return changed;
}

static void show_events(struct console *c, const struct copy_report *r)
{
    show_list(c, "interruptions");
    for (unsigned i = 0; i < r->events && i < EVENTS; i++) {
        char words[160];
        const struct copy_event *e = &r->event[i];
        console_class_words(e->class, e->class == CPU_CLASS_RESTART ? -1 : (int64_t)e->code, words, sizeof words);
        SHOW_ROW(c, "  {} would come, with the old PSW at {}\n", fact_text("interruption", words),
                 fact_hex("address", e->ia, 16));
    }
    show_end_list(c);
    if (r->events > EVENTS)
        show_words(c, "  and %u more interruptions\n", r->events - EVENTS);
}

static const char *end_words(const struct copy_report *r)
{
    return r->end == ENGINE_WAIT      ? ", and the CPU would wait"
           : r->end == ENGINE_STOPPED ? ", and the CPU would stop"
                                      : "";
}

/* The whole report. False: it did not come, or not all of it. */
static bool show(struct console *c, int from)
{
    const uint64_t deadline = session_now_ns() + UINT64_C(1000000000) * SECONDS;
    struct copy_report *r = malloc(sizeof *r);
    struct copy_page *p = malloc(sizeof *p);
    unsigned ranges = 0;
    bool good = r && p && get(from, r, sizeof *r, deadline);
    if (good) {
        SHOW(c, "{} instruction{} would be carried out{}:\n", fact_number("instructions", r->instructions),
             fact_text(NULL, r->instructions == 1 ? "" : "s"), fact_text("end", end_words(r)));
        show_events(c, r);
        const unsigned changed = show_registers(c, r);
        show_list(c, "storage");
        for (unsigned i = 0; good && i < r->pages && i < PAGES; i++) {
            good = get(from, p, sizeof *p, deadline) && p->page < c->machine->sys.storage.total >> PAGE_BITS;
            if (good)
                show_page(c, p, &ranges);
        }
        show_end_list(c);
        if (ranges > RANGES || r->pages > PAGES)
            show_words(c, "  and more of storage\n");
        if (!changed && !ranges)
            show_words(c, "  nothing would change\n");
    }
    free(p);
    free(r);
    return good;
}

int console_cmd_whatif(struct console *c, int argc, char **argv)
{
    uint64_t count = 1;
    int ends[2], status;
    if (argc > 2)
        return console_usage(c, "whatif");
    if (argc == 2 && console_count(c, argv[1], &count))
        return -1;
    if (!count || count > STEPS)
        return console_fail(c, "whatif: give a number of instructions from 1 to %u", STEPS);
    if (c->cpu->state == CPU_STATE_CHECK_STOP)
        return console_fail(c, "whatif: CPU %X is in the check-stop state; only a reset brings it out",
                            c->cpu->address);
    fflush(NULL);
    if (pipe(ends))
        return console_fail(c, "whatif: the host gives no pipe: %s", strerror(errno));
    const pid_t pid = fork();
    if (pid == 0)
        copy(c, count, ends[1]);
    const int why = errno;
    close(ends[1]);
    show_object(c, NULL);
    const bool good = pid > 0 && show(c, ends[0]);
    show_end_object(c);
    close(ends[0]);
    if (pid > 0) {
        kill(pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    if (pid < 0)
        return console_fail(c, "whatif: the host gives no process for the copy: %s; in the sandbox there is none",
                            strerror(why));
    return good ? 0
                : console_fail(c, "whatif: the copy was not ready after %u seconds; try fewer instructions", SECONDS);
}
