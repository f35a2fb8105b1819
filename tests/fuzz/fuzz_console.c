/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries the console, the language of scripted tests and machine profiles with lines made by mutation: none may crash,
   hang, or harm the host. Usage: fuzz_console [COUNT [SEED]]. The sanitizers are the judges. */
#include "emu/config/options.h"
#include "emu/console/base/base.h"
#include "emu/console/console.h"
#include "emu/script/script.h"
#include "tests/fuzz/mutate.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"%r1",
                                    "%c0",
                                    "@work",
                                    "10000",
                                    "FFFFFFFFFFFFFFFF",
                                    "0",
                                    "-1",
                                    "7FFFFFF",
                                    "20000.10",
                                    "10000-100FF",
                                    "1=5",
                                    "16=1",
                                    "15=%r1+1",
                                    "if",
                                    "and",
                                    "=",
                                    "<",
                                    "word(0)",
                                    "dword(FFFFFFFF)",
                                    "byte(byte(0))",
                                    "--json",
                                    "all",
                                    "on",
                                    "off",
                                    "primary",
                                    "home",
                                    "ar5",
                                    "set",
                                    "V=1",
                                    "SF=0",
                                    "SF=FFFFFFFFFFFFFFFF",
                                    "ROA=100000",
                                    "RLA=0",
                                    "RCA=1",
                                    "M=3",
                                    "RGS=7",
                                    "Key=F",
                                    "stop",
                                    "group",
                                    "halt",
                                    "none",
                                    "buffer",
                                    "collection",
                                    "controls",
                                    "next",
                                    "clear",
                                    "explain",
                                    "listing",
                                    "hex",
                                    "sample",
                                    "full",
                                    "alert",
                                    "lric",
                                    "mric",
                                    "stric",
                                    "tric",
                                    "rion",
                                    "rioff",
                                    "V=1",
                                    "Qs=1",
                                    "N=1",
                                    "BPxt=1",
                                    "IC=F",
                                    "groups",
                                    "ahi",
                                    "%r1,5",
                                    "\"",
                                    "reference",
                                    "block",
                                    "builtin:demo",
                                    "builtin:demo@5",
                                    "psw",
                                    "b",
                                    "help",
                                    "ia=10000",
                                    "mask=0000000180000000",
                                    "cc=3",
                                    "0400000180000000",
                                    "20000=C1C2",
                                    "=",
                                    "5",
                                    "999999999999999999999",
                                    "r",
                                    "(((((",
                                    "%",
                                    "@",
                                    ".",
                                    "+",
                                    "clear",
                                    "\xff\x80"};

static const char *const tests[] = {
    "test a\n  r1 = $a\n  r2 = 5\n  do ar 1,2\n  expect r1 = $b\n  expect cc $c\n  table a b c\n   1 6 2\n   2 7 2\n\n",
    "setup\n  mem 20000 = 0102 e\"ABC\" 00*10\n  pm = 8\ntest b\n  amode 31\n  dat on\n  page 5000 = 6000 protected\n  "
    "do l 1,0(2)\n  execute\n  expect program 10 ilc 4\n",
    "engine block\ntest c\n x:\n  do brct 1,@x\n  r1 = 3\n  limit 100\n  expect others unchanged\n  expect ia next\n",
    "test d\n  ri V=1 SF=10\n  ri on\n  riccb 20000 V=1\n  pending key\n  psw = 0100000180000000 10000\n  storage key "
    "20000 = F8\n  expect external 40\n  expect mem 20000 = 00*40\n"};

static const char profile[] =
    "name = x\nfacilities = all -64 0-9\nmachine-type = 2964\nlevel = 2\nri = RI-B\ntod = 5\n";

struct random {
    uint64_t state;
};

static const char likely[] = "0123456789ABCDEFabcdef $=*-.@%\"\n#";

static uint64_t pick(struct random *r, uint64_t below) { return random_step(&r->state) % below; }

/* Commands that reach files of the host or would run long are left out. */
static bool allowed(const char *name)
{
    static const char *const not_these[] = {"script", "log",     "savecore", "loadcore", "t+",   "snapshot", "suspend",
                                            "resume", "symbols", "sym",      "quit",     "exit", NULL};
    for (unsigned i = 0; not_these[i]; i++)
        if (strcmp(name, not_these[i]) == 0)
            return false;
    return true;
}

static bool names_a_file(const char *line)
{
    return strstr(line, "ipl") || strstr(line, "load") || strstr(line, "IPL") || strchr(line, '/');
}

static void fuzz_console(struct random *r, uint64_t count)
{
    struct machine_config config = machine_default_config();
    struct session session;
    char line[1200], error[512];
    FILE *out = fopen("/dev/null", "w");
    config.storage = UINT64_C(8) << 20;
    if (!out || session_open(&session, &config, false, out, error, sizeof error))
        exit(99);
    struct console *c = console_create(&session, out);
    if (!c)
        exit(99);
    for (uint64_t i = 0; i < count; i++) {
        const struct console_command *command = &c->table->commands[pick(r, c->table->command_count)];
        if (!command->name || !allowed(command->name))
            continue;
        size_t n = (size_t)snprintf(line, sizeof line, "%s", command->name);
        for (uint64_t k = pick(r, 6); k--;)
            n += (size_t)snprintf(line + n, sizeof line - n, " %s", words[pick(r, sizeof words / sizeof *words)]);
        if (pick(r, 2))
            n = mutate(&r->state, line, n, sizeof line - 1, 6, likely);
        line[n] = 0;
        char first[1200];
        memcpy(first, line, n + 1);
        first[strcspn(first, " \t")] = 0;
        const struct console_command *real = console_find(c, first);
        bool from_file = names_a_file(line) && !strstr(line, "load builtin:demo\n");
        if (from_file || (real && !allowed(real->name)) || strncmp(first, "t+", 2) == 0)
            continue;
        session.machine->powered_off = false;
        console_set_limit(c, machine_instructions(session.machine) + 2000);
        if (real && strcmp(real->name, "s") == 0 && n > 6)
            continue; /* long counts */
        console_line(c, line);
        if (i % 5000 == 0)
            console_line(c, "load builtin:demo");
    }
    console_destroy(c);
    session_close(&session);
    fclose(out);
}

static void drop(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static void drop_case(void *context, const struct zt_outcome *outcome)
{
    (void)context;
    (void)outcome;
}

static void fuzz_tests(struct random *r, uint64_t count)
{
    const struct zt_listener nobody = {drop, drop_case, NULL, NULL};
    char text[4096];
    for (uint64_t i = 0; i < count; i++) {
        const char *seed = tests[pick(r, sizeof tests / sizeof *tests)];
        size_t n = strlen(seed);
        memcpy(text, seed, n);
        n = mutate(&r->state, text, n, sizeof text, 6, likely);
        (void)zt_run_text(text, n, "fuzz", pick(r, 8) ? NULL : "b", NULL, &nobody);
    }
}

static void fuzz_profiles(struct random *r, uint64_t count)
{
    char text[1024], error[512];
    struct emu_profile p;
    struct cpu_profile cpu;
    for (uint64_t i = 0; i < count; i++) {
        memcpy(text, profile, sizeof profile);
        size_t n = mutate(&r->state, text, sizeof profile - 1, sizeof text, 6, likely);
        if (emu_profile_parse(text, n, "fuzz", &p, error, sizeof error) == 0)
            (void)!emu_profile_resolve(&p, &cpu, error, sizeof error);
    }
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
    struct random r = {.state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252};
    fuzz_console(&r, count);
    fuzz_tests(&r, count / 50);
    fuzz_profiles(&r, count / 4);
    printf("fuzz_console: %" PRIu64 " console lines, %" PRIu64 " test files, %" PRIu64 " profiles: no harm\n", count,
           count / 50, count / 4);
    return 0;
}
