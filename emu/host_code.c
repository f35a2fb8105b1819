/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files about translated code, and the report of host faults in it. */
#define _GNU_SOURCE /* REG_RIP */
#include "emu/host_code.h"
#include "disasm/dis.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static void write_dump(FILE *f, const struct cpu *cpu, const struct translated *what)
{
    uint64_t ia = what->ia;
    const uint8_t *guest = what->guest;
    fprintf(f,
            "block %016" PRIX64 ", CPU %u, %u instructions, %" PRIu64 " bytes of code at %" PRIxPTR " and %" PRIu64
            " at %" PRIxPTR "\n",
            ia, cpu->address, what->count, what->code[0].length, (uintptr_t)what->code[0].run, what->code[1].length,
            (uintptr_t)what->code[1].run);
    for (unsigned i = 0; i < what->count; i++) {
        char text[80];
        const unsigned n = dis_text(guest, ia, true, text, sizeof text);
        fprintf(f, "  %" PRIX64 " %s\n", ia, text);
        guest += n;
        ia += n;
    }
    for (unsigned part = 0; part < 2; part++) {
        const uint64_t length = what->code[part].length;
        const char *const begins = part ? "apart " : "code ";
        for (uint64_t i = 0; i < length; i++)
            fprintf(f, "%s%02x%s", i % 32 ? "" : begins, what->code[part].run[i],
                    i % 32 == 31 || i + 1 == length ? "\n" : " ");
    }
}

static void translated(void *context, const struct cpu *cpu, const struct translated *what)
{
    struct host_code *h = context;
    if (h->dump)
        write_dump(h->dump, cpu, what);
    if (h->map) {
        for (unsigned part = 0; part < 2; part++)
            fprintf(h->map, "%" PRIxPTR " %" PRIx64 " zri-%" PRIx64 "\n", (uintptr_t)what->code[part].run,
                    what->code[part].length, what->ia);
        fflush(h->map); /* perf reads it when the program has long ended by whatever */
    }
}

/* ---- host faults ------------------------------------------------------------------------------------------------ */

#define STACK 65536u

#ifdef REG_RIP
/* The handler's stack begins with the place of the machine that it is about. */
static void faulted(int number, siginfo_t *info, void *context)
{
    const ucontext_t *at = context;
    stack_t stack;
    char text[512];
    (void)info;
    if (sigaltstack(NULL, &stack) == 0 && stack.ss_sp) {
        const struct machine *m = **(struct machine ***)stack.ss_sp;
        bool known = false;
        for (unsigned i = 0; i < m->sys.cpu_count && !known; i++)
            known = m->sys.cpus[i] && translator_explain(m->sys.cpus[i], (uintptr_t)at->uc_mcontext.gregs[REG_RIP],
                                                         text, sizeof text - 40);
        if (known) {
            char line[600];
            const int n = snprintf(line, sizeof line, "zri: host signal %d; %s\n", number, text);
            (void)!write(STDERR_FILENO, line, (size_t)n);
        }
    }
    raise(number); /* its action is the host's again */
}

static void watch_faults(struct host_code *h, struct machine **m)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    const struct sigaction action = {.sa_sigaction = faulted, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
    h->stack = malloc(STACK);
    if (!h->stack)
        return;
    *(struct machine ***)h->stack = m;
    const stack_t stack = {.ss_sp = h->stack, .ss_size = STACK};
    if (sigaltstack(&stack, NULL) == 0)
        for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
            (void)sigaction(signals[i], &action, NULL);
}
#else
static void watch_faults(struct host_code *h, struct machine **m) { (void)h, (void)m; }
#endif

/* ---- files ------------------------------------------------------------------------------------------------------ */

int host_code_begin(struct host_code *h, struct machine **machine, const char *dump, bool map, char *error, size_t size)
{
    const struct machine *m = *machine;
    char name[64];
    *h = (struct host_code){.listener = {h, translated}};
    if (dump && !(h->dump = fopen(dump, "w"))) {
        snprintf(error, size, "--dump-code %s: %s; name a file that can be written", dump, strerror(errno));
        return -EINVAL;
    }
    snprintf(name, sizeof name, "/tmp/perf-%ld.map", (long)getpid());
    if (map && !(h->map = fopen(name, "w"))) {
        snprintf(error, size, "--perf-map: %s: %s; perf looks for no other place", name, strerror(errno));
        return -EINVAL;
    }
    bool any = false;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        if (m->sys.cpus[i] && translator_stats(m->sys.cpus[i])) {
            any = true;
            if (h->dump || h->map)
                translator_listen(m->sys.cpus[i], &h->listener);
        }
    if (any)
        watch_faults(h, machine);
    return 0;
}

static int end_file(FILE *f, const char *option, char *error, size_t size)
{
    const bool bad = f && ferror(f);
    if (!f || (!fclose(f) && !bad))
        return 0;
    snprintf(error, size, "%s: not everything could be written; make room and run it again", option);
    return -EIO;
}

int host_code_end(struct host_code *h, char *error, size_t size)
{
    const int code = end_file(h->dump, "--dump-code", error, size), other = end_file(h->map, "--perf-map", error, size);
    if (h->stack) {
        const stack_t none = {.ss_flags = SS_DISABLE};
        (void)sigaltstack(&none, NULL);
        free(h->stack);
    }
    return code ? code : other;
}
