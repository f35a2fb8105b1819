/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zri-prof: edge profiles built, added up, reported, compared, and in forms that other programs read. */
#include "emu/zri_prof.h"
#include "base/bits.h"
#include "emu/exit.h"
#include "emu/streams.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum command { BUILD, MERGE, REPORT, DIFF, EXPORT, COMMANDS };
enum {
    OPTION_TOP = 256,
    OPTION_JSON,
    OPTION_METRICS,
    OPTION_FORMAT,
    OPTION_MODULE,
    OPTION_BRSTACK,
    OPTION_FUNCTION,
    OPTION_PROB,
    OPTION_FORCE,
    OPTION_SYMBOLS,
    OPTION_VERSION
};

static const struct zri_prof_command commands[COMMANDS] = {
    [BUILD] = {"build", "LOG -o PROFILE", "the profile of a sample log", 1, 1, zri_prof_build},
    [MERGE] = {"merge", "PROFILE... -o PROFILE", "the sum of profiles, in any order", 1, 1 << 20, zri_prof_merge},
    [REPORT] = {"report", "PROFILE", "hot functions and edges, call targets, possible tail calls", 1, 1,
                zri_prof_report},
    [DIFF] = {"diff", "REFERENCE PROFILE", "how near a profile is to another, and what differs most", 2, 2,
              zri_prof_diff},
    [EXPORT] = {"export", "--format NAME FILE", "a form for other programs, on standard output", 1, 1, zri_prof_export},
};

#define OF(command) (1u << (command))
static const struct zri_prof_option options[] = {
    {{"output", required_argument, NULL, 'o'},
     "FILE",
     "where to; - is standard output (also -o)",
     OF(BUILD) | OF(MERGE)},
    {{"force", no_argument, NULL, OPTION_FORCE},
     NULL,
     "merge profiles of different modes, events, CBT sizes or normalisation",
     OF(MERGE)},
    {{"top", required_argument, NULL, OPTION_TOP},
     "N",
     "so many lines of each table, 20 without it",
     OF(REPORT) | OF(DIFF)},
    {{"json", no_argument, NULL, OPTION_JSON}, NULL, "everything as one JSON object", OF(REPORT) | OF(DIFF)},
    {{"metrics", no_argument, NULL, OPTION_METRICS}, NULL, "the metrics alone, lines key value", OF(DIFF)},
    {{"format", required_argument, NULL, OPTION_FORMAT}, "NAME", "the form, see below", OF(EXPORT)},
    {{"module", required_argument, NULL, OPTION_MODULE},
     "NAME",
     "the module of llvm-raw, when there are several",
     OF(EXPORT)},
    {{"brstack", required_argument, NULL, OPTION_BRSTACK},
     "full",
     "branches that were not taken, too, in the form brstack",
     OF(EXPORT)},
    {{"function", required_argument, NULL, OPTION_FUNCTION},
     "NAME",
     "the function whose control flow dot draws; else it draws who calls whom",
     OF(EXPORT)},
    {{"prob", no_argument, NULL, OPTION_PROB}, NULL, "probabilities at the edges of dot", OF(EXPORT)},
    {{"symbols", required_argument, NULL, OPTION_SYMBOLS},
     "FILE[@ADDRESS]",
     "code, symbols and lines of a module; any number of them",
     OF(BUILD) | OF(MERGE) | OF(REPORT) | OF(DIFF) | OF(EXPORT)},
    {{"version", no_argument, NULL, OPTION_VERSION}, NULL, "print the version", 0},
    {{"help", no_argument, NULL, 'h'}, NULL, "print this list", 0},
};
#define OPTIONS (sizeof options / sizeof *options)

static void help(FILE *out)
{
    fputs("zri-prof COMMAND [options] FILES\nProfiles are files of ZEPROF 1, sample logs of ZTBTLOG1; - is standard "
          "input.\n\n",
          out);
    for (unsigned i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-7s %-22s %s\n", commands[i].name, commands[i].arguments, commands[i].help);
    fputs("\nOptions, behind the command:\n", out);
    for (size_t i = 0; i < OPTIONS; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s%s%s", options[i].option.name, options[i].word ? " " : "",
                 options[i].word ? options[i].word : "");
        fprintf(out, "  --%-22s %s\n", text, options[i].help);
    }
    fputs("\nForms for export:\n", out);
    for (unsigned i = 0; i < zri_prof_form_count(); i++)
        fprintf(out, "  %-10s %s%s%s\n", zri_prof_forms[i].name, zri_prof_forms[i].help,
                zri_prof_forms[i].source ? "; needs --symbols" : "", zri_prof_forms[i].log ? "; of a sample log" : "");
    fputs("\nExit status: 0 all is well; 1 a file is not what is wanted, or profiles may not be taken together; 2 it "
          "cannot be\nread or written; 64 this list was not followed.\n",
          out);
}

static int completion(const char *shell)
{
    const struct zri_prof_tables tables = {commands, options, zri_prof_forms, COMMANDS, OPTIONS, zri_prof_form_count()};
    return zri_prof_complete(shell, &tables)
               ? EMU_EXIT_GOOD
               : zri_prof_fail(EMU_EXIT_USAGE, "--dump-completion", "name a shell, bash or zsh");
}

/* ---- options --------------------------------------------------------------------------------------------------- */

static int set_option(struct zri_prof_run *run, int letter)
{
    char *end;
    for (size_t i = 0; i < OPTIONS; i++)
        if (options[i].option.val == letter && !(options[i].commands & OF(run->command)))
            return zri_prof_fail(EMU_EXIT_USAGE, commands[run->command].name,
                                 "it has no option --%s; zri-prof --help tells more", options[i].option.name);
    switch (letter) {
    case 'o':
        run->output = optarg;
        return 0;
    case OPTION_FORMAT:
        run->format = optarg;
        return 0;
    case OPTION_MODULE:
        run->module = optarg;
        return 0;
    case OPTION_BRSTACK:
        run->brstack_full = true;
        return strcmp(optarg, "full") ? zri_prof_fail(EMU_EXIT_USAGE, "--brstack", "say full, or leave it out") : 0;
    case OPTION_FUNCTION:
        run->function = optarg;
        return 0;
    case OPTION_PROB:
        run->probabilities = true;
        return 0;
    case OPTION_SYMBOLS:
        run->symbols[run->symbol_files++] = optarg;
        return 0;
    case OPTION_TOP:
        errno = 0;
        run->top = strtoull(optarg, &end, 10);
        return *optarg < '0' || *optarg > '9' || *end || errno
                   ? zri_prof_fail(EMU_EXIT_USAGE, "--top", "give a number of lines in decimal")
                   : 0;
    case OPTION_JSON:
        run->json = true;
        return 0;
    case OPTION_METRICS:
        run->metrics = true;
        return 0;
    default:
        run->force = true;
        return 0;
    }
}

static int version(void)
{
    printf("zri-prof %s\n", PACKAGE_VERSION);
    return EMU_EXIT_GOOD;
}

static int perform(struct zri_prof_run *run, int argc, char **argv)
{
    struct option table[OPTIONS + 1] = {{0}};
    int letter, status = 0;
    for (size_t i = 0; i < OPTIONS; i++)
        table[i] = options[i].option;
    while (!status && (letter = getopt_long(argc, argv, "o:h", table, NULL)) != -1) {
        if (letter == 'h') {
            help(stdout);
            return EMU_EXIT_GOOD;
        }
        if (letter == OPTION_VERSION)
            return version();
        status = letter == '?'
                     ? zri_prof_fail(EMU_EXIT_USAGE, argv[optind - 1],
                                     "there is no such option, or it needs an argument; zri-prof --help lists them")
                     : set_option(run, letter);
    }
    if (status)
        return status;
    run->files = argv + optind;
    run->count = argc - optind;
    if (run->count < commands[run->command].least || run->count > commands[run->command].most)
        return zri_prof_fail(EMU_EXIT_USAGE, commands[run->command].name, "it wants %s; zri-prof --help tells more",
                             commands[run->command].arguments);
    return commands[run->command].act(run);
}

static int command(int argc, char **argv)
{
    struct zri_prof_run run = {.command = 0, .top = 20};
    const char *word = argc > 1 ? argv[1] : "";
    opterr = 0;
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
        help(stdout);
        return EMU_EXIT_GOOD;
    }
    if (!strcmp(word, "--version"))
        return version();
    if (!strcmp(word, "--dump-completion"))
        return completion(argc == 3 ? argv[2] : "");
    while (run.command < COMMANDS && strcmp(commands[run.command].name, word) != 0)
        run.command++;
    if (run.command == COMMANDS)
        return zri_prof_fail(EMU_EXIT_USAGE, "command", "%s%s; zri-prof --help lists the commands",
                             *word ? "there is none of the name " : "say what to do first", word);
    run.symbols = calloc((size_t)argc, sizeof *run.symbols); /* each is an argument */
    if (!run.symbols)
        return zri_prof_fail(EMU_EXIT_HOST, word, "%s", zri_prof_no_memory);
    const int status = perform(&run, argc - 1, argv + 1);
    free(run.symbols);
    return status;
}

int main(int argc, char **argv)
{
    if (!emu_streams_open())
        return zri_prof_fail(EMU_EXIT_HOST, "start",
                             "the host does not give /dev/null for a standard descriptor that is closed");
    return emu_streams_end("zri-prof", command(argc, argv));
}
