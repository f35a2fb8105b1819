/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that load and save, resets, engines, the guest's console. */
#include "cpu/control/registers.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "cpu/storage/main.h"
#include "cpu/translate/translate.h"
#include "emu/console/base/internal.h"
#include "emu/console/run.h"
#include "emu/dev/sclp/event.h"
#include "emu/machine/core.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LOADCORE_MOST (UINT64_C(1) << 32)

static int load(struct console *c, int argc, char **argv)
{
    struct ipl_request requests[CONSOLE_WORDS];
    char error[CONSOLE_ERROR];
    unsigned count = 0;
    if (argc < 2)
        return console_usage(c, argv[0]);
    for (int i = 1; i < argc; i++) {
        memset(&requests[count], 0, sizeof *requests);
        if (count && strncmp(argv[i], "initrd=", 7) == 0) {
            requests[0].initrd = argv[i] + 7;
            continue;
        }
        if (count && strncmp(argv[i], "append=", 7) == 0) {
            requests[0].append = argv[i] + 7;
            continue;
        }
        if (ipl_parse_argument(argv[i], &requests[count], error, sizeof error))
            return console_fail(c, "%s", error);
        count++;
    }
    if (session_load(c->session, requests, count, error, sizeof error))
        return console_fail(c, "%s", error);
    c->cpu = c->machine->sys.cpus[0];
    c->next_u = 0;
    return 0;
}

int console_cmd_load(struct console *c, int argc, char **argv)
{
    if (load(c, argc, argv))
        return -1;
    console_show_where(c);
    return 0;
}

int console_cmd_ipl(struct console *c, int argc, char **argv)
{
    unsigned set;
    uint16_t number;
    char error[CONSOLE_ERROR];
    const bool normal = argc == 3 && console_word(c, "ipl", "", argv[2]);
    if (argc == 2 + normal && css_parse_number(argv[1], &set, &number) &&
        css_find_number(c->machine->css, set, number)) {
        if (session_ipl(c->session, argv[1], !normal, error, sizeof error))
            return console_fail(c, "%s", error);
        c->cpu = c->machine->sys.cpus[0];
    } else if (normal) {
        return console_fail(c, "ipl: '%.40s' is no device; storage is kept by initial program loading from one alone",
                            argv[1]);
    } else if (load(c, argc, argv)) {
        return -1;
    }
    cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    return console_go(c);
}

int console_cmd_loadcore(struct console *c, int argc, char **argv)
{
    struct ipl_request request = {0};
    char error[CONSOLE_ERROR];
    uint8_t *bytes;
    uint64_t length;
    struct storage *s = &c->machine->sys.storage;
    if (argc != 2)
        return console_usage(c, "loadcore");
    if (ipl_parse_argument(argv[1], &request, error, sizeof error) ||
        ipl_host_files.read(NULL, request.path, LOADCORE_MOST, &bytes, &length, error, sizeof error))
        return console_fail(c, "%s", error);
    if (!storage_has(s, request.address, length)) {
        free(bytes);
        return console_fail(c, "loadcore: %" PRIX64 " bytes from %" PRIX64 " on do not fit; storage ends at %" PRIX64,
                            length, request.address, s->size - 1);
    }
    memcpy(s->bytes + request.address, bytes, (size_t)length);
    storage_record_store(s, request.address, length);
    cpu_code_written(&c->machine->sys, request.address, length);
    free(bytes);
    show_words(c, "%" PRIX64 " bytes at %" PRIX64 "\n", length, request.address);
    return 0;
}

int console_cmd_savecore(struct console *c, int argc, char **argv)
{
    uint64_t start, end;
    char error[CONSOLE_ERROR];
    const struct console_word *word = argc == 3 ? console_word(c, "savecore", "", argv[1]) : NULL;
    if (word && strcmp(word->word, "--kdump") == 0)
        return console_fail(c,
                            "savecore --kdump: no library of Debian writes the compressed form; take --elf, which gdb "
                            "reads (the program makedumpfile is to make the compressed form of such a file)");
    if (word)
        return core_save(c->machine, argv[2], error, sizeof error) ? console_fail(c, "%s", error) : 0;
    if (argc != 4)
        return console_usage(c, "savecore");
    if (console_value(c, argv[2], &start) || console_value(c, argv[3], &end))
        return -1;
    if (session_savecore(c->session, argv[1], start, end, error, sizeof error))
        return console_fail(c, "%s", error);
    return 0;
}

int console_cmd_reset(struct console *c, int argc, char **argv)
{
    if (argc > 2)
        return console_usage(c, "reset");
    const struct console_word *word = console_wants(c, "reset", "", argc == 2 ? argv[1] : "initial");
    if (!word)
        return -1;
    if (word->value == CPU_RESET_CLEAR) {
        machine_clear(c->machine);
    } else {
        cpu_reset(c->cpu, (enum cpu_reset_kind)word->value);
        diagnose_reset_cpu(c->machine, c->cpu);
    }
    return 0;
}

int console_cmd_engine(struct console *c, int argc, char **argv)
{
    if (argc > 2)
        return console_usage(c, "engine");
    if (argc == 1) {
        show_value(c, "{}\n", fact_text(NULL, console_word_for(c, "engine", "", c->cpu->engine_kind)->word));
        return 0;
    }
    const struct console_word *word = console_wants(c, "engine", "", argv[1]);
    for (unsigned i = 0; word && i < c->machine->sys.cpu_count; i++) {
        char why[256];
        if (word->value == ENGINE_TRANSLATE && translator_attach(c->machine->sys.cpus[i], NULL, why, sizeof why))
            return console_fail(c, "engine: %s", why);
        c->machine->sys.cpus[i]->engine_kind = (uint8_t)word->value;
    }
    return word ? 0 : -1;
}

int console_cmd_guest(struct console *c, int argc, char **argv)
{
    char line[CONSOLE_LINE + 1];
    (void)argc;
    (void)argv;
    if (strlen(c->rest) > SCLP_LINE)
        return console_fail(c, "a line has at most %u characters", SCLP_LINE);
    if (!sclp_listens_keys(c->machine) && sclp_listens_lines(c->machine))
        return sclp_input_line(c->machine, c->rest)
                   ? 0
                   : console_fail(c, "the guest has too much unread input; let it run (g)");
    if (!sclp_listens_keys(c->machine))
        return console_fail(c, "the guest does not listen to its console now; let it run (g) and try again");
    snprintf(line, sizeof line, "%.*s\r", CONSOLE_LINE - 1, c->rest);
    return sclp_input_keys(c->machine, line, strlen(line))
               ? 0
               : console_fail(c, "the guest has too much unread input; let it run (g)");
}

int console_cmd_quiesce(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return sclp_quiesce(c->machine)
               ? 0
               : console_fail(c, "quiesce: the guest does not listen to this signal; stop ends it at once");
}
