/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zri-prof: edge profiles added up, reported, compared, and in forms that other programs read. */
#include "base/bits.h"
#include "emu/exit.h"
#include "emu/streams.h"
#include "ri/profile/show/output.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum command { BUILD, MERGE, REPORT, DIFF, EXPORT, COMMANDS };
enum {
    OPTION_TOP = 256,
    OPTION_JSON,
    OPTION_METRICS,
    OPTION_FORMAT,
    OPTION_MODULE,
    OPTION_FORCE,
    OPTION_SYMBOLS,
    OPTION_VERSION
};

struct run {
    enum command command;
    char **files;
    int count;
    const char *output, *format, *module;
    uint64_t top;
    bool json, metrics, force;
};

static int merge(const struct run *run), report(const struct run *run), diff(const struct run *run),
    export_form(const struct run *run);

static const struct {
    const char *name, *arguments, *help;
    int least, most;                /* files */
    int (*act)(const struct run *); /* NULL: not there yet */
} commands[COMMANDS] = {
    [BUILD] = {"build", "LOG -o PROFILE", "a profile of a sample log", 1, 1, NULL},
    [MERGE] = {"merge", "PROFILE... -o PROFILE", "the sum of profiles, in any order", 1, 1 << 20, merge},
    [REPORT] = {"report", "PROFILE", "hot functions and edges, call targets, possible tail calls", 1, 1, report},
    [DIFF] = {"diff", "REFERENCE PROFILE", "how near a profile is to another, and what differs most", 2, 2, diff},
    [EXPORT] = {"export", "--format NAME FILE", "a form for other programs, on standard output", 1, 1, export_form},
};

static const struct {
    const char *name, *help;
    bool there;
} formats[] = {
    {"llvm-raw", "LLVM's unsymbolized profile of one module, for llvm-profgen", true},
    {"folded", "folded stacks, for flame graphs", true},
    {"brstack", "branch stacks as perf script has them, of a sample log", false},
    {"callgrind", "for KCachegrind and callgrind_annotate", false},
    {"dot", "graphs for Graphviz", false},
    {"llvm", "LLVM's sample profile", false},
    {"lcov", "coverage, of exact profiles", false},
};
#define FORMATS (sizeof formats / sizeof *formats)

#define OF(command) (1u << (command))
static const struct {
    struct option option;
    const char *word, *help;
    unsigned commands; /* OF(): those that take it; 0: it stands without one */
    bool there;
} options[] = {
    {{"output", required_argument, NULL, 'o'},
     "FILE",
     "where to; - is standard output (also -o)",
     OF(BUILD) | OF(MERGE),
     true},
    {{"force", no_argument, NULL, OPTION_FORCE},
     NULL,
     "merge profiles of different modes, events, CBT sizes or "
     "normalisation",
     OF(MERGE),
     true},
    {{"top", required_argument, NULL, OPTION_TOP},
     "N",
     "so many lines of each table, 20 without it",
     OF(REPORT) | OF(DIFF),
     true},
    {{"json", no_argument, NULL, OPTION_JSON}, NULL, "everything as one JSON object", OF(REPORT) | OF(DIFF), true},
    {{"metrics", no_argument, NULL, OPTION_METRICS}, NULL, "the metrics alone, lines key value", OF(DIFF), true},
    {{"format", required_argument, NULL, OPTION_FORMAT}, "NAME", "the form, see below", OF(EXPORT), true},
    {{"module", required_argument, NULL, OPTION_MODULE},
     "NAME",
     "the module of llvm-raw, when there are several",
     OF(EXPORT),
     true},
    {{"symbols", required_argument, NULL, OPTION_SYMBOLS},
     "FILE[@ADDRESS]",
     "code, symbols and lines of a module",
     OF(BUILD) | OF(MERGE) | OF(REPORT) | OF(DIFF) | OF(EXPORT),
     false},
    {{"version", no_argument, NULL, OPTION_VERSION}, NULL, "print the version", 0, true},
    {{"help", no_argument, NULL, 'h'}, NULL, "print this list", 0, true},
};
#define OPTIONS (sizeof options / sizeof *options)

static const char not_there[] = " (not there yet)";

static void help(FILE *out)
{
    fputs("zri-prof COMMAND [options] FILES\nProfiles are files of ZEPROF 1, which zri itself does not write yet; - is "
          "standard input.\n\n",
          out);
    for (unsigned i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-7s %-22s %s%s\n", commands[i].name, commands[i].arguments, commands[i].help,
                commands[i].act ? "" : not_there);
    fputs("\nOptions, behind the command:\n", out);
    for (size_t i = 0; i < OPTIONS; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s%s%s", options[i].option.name, options[i].word ? " " : "",
                 options[i].word ? options[i].word : "");
        fprintf(out, "  --%-22s %s%s\n", text, options[i].help, options[i].there ? "" : not_there);
    }
    fputs("\nForms for export:\n", out);
    for (size_t i = 0; i < FORMATS; i++)
        fprintf(out, "  %-10s %s%s\n", formats[i].name, formats[i].help, formats[i].there ? "" : not_there);
    fputs("\nExit status: 0 all is well; 1 a file is not what is wanted, or profiles may not be taken together; 2 it "
          "cannot "
          "be\nread or written; 64 this list was not followed, or it is not there yet.\n",
          out);
}

/* ---- what shells complete, from the tables ---------------------------------------------------------------------- */

static void command_words(void)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        if (commands[i].act)
            printf("%s ", commands[i].name);
}

static void form_words(void)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].there)
            printf("%s ", formats[i].name);
}

/* Lines for the options of each command; in front of them, between and behind them what the shell wants. */
static void option_words(const char *format, const char *between, const char *end)
{
    for (unsigned k = 0; k < COMMANDS; k++) {
        if (!commands[k].act)
            continue;
        printf(format, commands[k].name);
        for (size_t i = 0; i < OPTIONS; i++)
            if (options[i].there && (!options[i].commands || options[i].commands & OF(k)))
                printf("%s--%s", between, options[i].option.name);
        puts(end);
    }
}

static int completion(const char *shell)
{
    if (!strcmp(shell, "bash")) {
        fputs("# Completion of zri-prof for bash; made from its tables.\n_zri_prof()\n{\n"
              "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n    case $prev in\n"
              "    --format) COMPREPLY=($(compgen -W '",
              stdout);
        form_words();
        fputs("' -- \"$cur\")); return ;;\n    --top|--module) COMPREPLY=(); return ;;\n    esac\n"
              "    case $COMP_CWORD:${COMP_WORDS[1]} in\n    1:*) COMPREPLY=($(compgen -W '",
              stdout);
        command_words();
        puts("--help --version' -- \"$cur\")); return ;;");
        option_words("    *:%s) words='", " ", "' ;;");
        puts("    esac\n    case $cur in\n    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
             "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n    esac\n}\n"
             "complete -o filenames -F _zri_prof zri-prof");
        return EMU_EXIT_GOOD;
    }
    fputs("#compdef zri-prof\n# Completion of zri-prof for zsh; made from its tables.\n"
          "if (( CURRENT == 2 )); then\n    compadd -- --help --version ",
          stdout);
    command_words();
    fputs("\nelif [[ $words[CURRENT-1] == --format ]]; then\n    compadd ", stdout);
    form_words();
    puts("\nelif [[ $words[CURRENT] == -* ]]; then\n    case $words[2] in");
    option_words("    %s) compadd --", " ", " ;;");
    puts("    esac\nelse\n    _files\nfi");
    return EMU_EXIT_GOOD;
}

/* Tells what is wrong with `thing` and what to do, and gives the status. */
static int fail(int status, const char *thing, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int fail(int status, const char *thing, const char *format, ...)
{
    va_list list;
    fprintf(stderr, "zri-prof: %s: ", thing);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return status;
}

static const char no_memory[] = "the host has no memory for it; end other programs, or give it more";

/* ---- profiles from files --------------------------------------------------------------------------------------- */

static long read_some(void *context, void *bytes, size_t size)
{
    ssize_t n;
    while ((n = read(*(const int *)context, bytes, size)) < 0 && errno == EINTR)
        ;
    return n < 0 ? -errno : n;
}

static void caution(void *context, const char *sentence)
{
    fprintf(stderr, "zri-prof: %s: %s\n", (char *)context, sentence);
}

/* 0 or a status that has been told. */
static int load(const char *name, struct ep_profile **profile)
{
    char error[800];
    int file = STDIN_FILENO;
    const bool named = strcmp(name, "-") != 0;
    if (named && (file = open(name, O_RDONLY)) < 0)
        return fail(EMU_EXIT_HOST, name, "%s; %s", strerror(errno),
                    errno == ENOENT ? "check the name" : "check its permissions, and that it is a file");
    const struct ep_input input = {&file, read_some};
    const int status = ep_profile_read(&input, profile, error, sizeof error);
    if (named)
        close(file);
    if (status)
        return fail(status == -EINVAL ? EMU_EXIT_BAD : EMU_EXIT_HOST, name, "%s", error);
    ep_cautions(*profile, caution, (char *)(uintptr_t)name);
    return 0;
}

static void put(void *context, const void *bytes, size_t size)
{
    (void)context;
    if (fwrite(bytes, 1, size, stdout) != size)
        return; /* emu_streams_end() sees it */
}
static const struct ep_writer to_output = {NULL, put};

/* ---- merge ----------------------------------------------------------------------------------------------------- */

static int sink(void *context, const void *bytes, size_t size)
{
    errno = 0;
    return fwrite(bytes, 1, size, context) == size ? 0 : errno ? -errno : -EIO;
}

/* Writes to a file of its own first, when `name` is one or is new: what was there stays until all is written. */
static int save(const struct ep_profile *profile, const char *name)
{
    char error[400], temporary[4096 + 8];
    struct stat facts;
    if (!strcmp(name, "-")) {
        const struct ep_sink out = {stdout, sink};
        return ep_profile_write(profile, &out, error, sizeof error)
                   ? fail(EMU_EXIT_HOST, "standard output", "%s", error)
                   : 0;
    }
    const bool direct = !stat(name, &facts) && !S_ISREG(facts.st_mode);
    if (snprintf(temporary, sizeof temporary, "%s%s", name, direct ? "" : ".new") >= (int)sizeof temporary)
        return fail(EMU_EXIT_HOST, "--output", "the name is too long; give another one");
    FILE *file = fopen(temporary, "w");
    if (!file)
        return fail(EMU_EXIT_HOST, temporary, "%s; name a file in a folder that can be written", strerror(errno));
    const struct ep_sink to = {file, sink};
    int status = ep_profile_write(profile, &to, error, sizeof error);
    errno = 0;
    const bool lost = fflush(file) || ferror(file); /* also of what was said to be written before */
    if ((fclose(file) || lost) && !status)
        status = snprintf(error, sizeof error, "%s; give it a place with room", strerror(errno ? errno : EIO));
    if (!status && !direct && rename(temporary, name))
        status = snprintf(error, sizeof error, "%s; name a file in a folder that can be written", strerror(errno));
    if (!status)
        return 0;
    if (!direct)
        unlink(temporary);
    return fail(EMU_EXIT_HOST, name, "%s", error);
}

static int merge(const struct run *run)
{
    const struct ep_join_options join = {.forced = run->force};
    struct ep_profile **profiles, *sum = NULL;
    char error[1600];
    int status = 0;
    if (!run->output)
        return fail(EMU_EXIT_USAGE, "merge", "name the file for the sum: -o PROFILE; zri-prof --help tells more");
    profiles = calloc((size_t)run->count, sizeof *profiles);
    if (!profiles)
        return fail(EMU_EXIT_HOST, "merge", "%s", no_memory);
    for (int i = 0; !status && i < run->count; i++)
        status = load(run->files[i], &profiles[i]);
    if (!status) {
        const int failed = ep_profile_merge((const struct ep_profile *const *)profiles, (const char *const *)run->files,
                                            (size_t)run->count, &join, &sum, error, sizeof error);
        status = failed ? fail(failed == -EPERM ? EMU_EXIT_BAD : EMU_EXIT_HOST, "merge", "%s", error)
                        : save(sum, run->output);
    }
    if (sum && ep_profile_saturated(sum))
        caution((char *)(uintptr_t)run->output, "a count has reached 2**64 - 1 and is too small from there on");
    for (int i = 0; i < run->count; i++)
        ep_profile_free(profiles[i]);
    ep_profile_free(sum);
    free(profiles);
    return status;
}

/* ---- what is shown --------------------------------------------------------------------------------------------- */

static int report(const struct run *run)
{
    const struct ep_show show = {&to_output, run->top};
    struct ep_profile *profile;
    int status = load(run->files[0], &profile);
    if (status)
        return status;
    if (run->json ? ep_report_json(profile, &show) : ep_report_text(profile, &show))
        status = fail(EMU_EXIT_HOST, run->files[0], "%s", no_memory);
    ep_profile_free(profile);
    return status;
}

static int diff(const struct run *run)
{
    const struct ep_show show = {&to_output, run->top};
    struct ep_profile *profiles[2] = {NULL, NULL}, *aligned[2] = {NULL, NULL};
    char error[1600];
    if (run->json && run->metrics)
        return fail(EMU_EXIT_USAGE, "options", "--json and --metrics: one form at a time");
    int status = load(run->files[0], &profiles[0]);
    status = status ? status : load(run->files[1], &profiles[1]);
    if (!status) {
        const int failed = ep_profile_align((const struct ep_profile *const *)profiles, (const char *const *)run->files,
                                            aligned, error, sizeof error);
        if (failed)
            status = fail(failed == -EPERM ? EMU_EXIT_BAD : EMU_EXIT_HOST, "diff", "%s", error);
        else if (run->json      ? ep_diff_json(aligned, &show)
                 : run->metrics ? ep_diff_metrics(aligned, &show)
                                : ep_diff_text(aligned, &show))
            status = fail(EMU_EXIT_HOST, "diff", "%s", no_memory);
    }
    for (unsigned i = 0; i < 2; i++) {
        ep_profile_free(profiles[i]);
        ep_profile_free(aligned[i]);
    }
    return status;
}

static int export_form(const struct run *run)
{
    struct ep_profile *profile;
    char error[800];
    size_t form = 0;
    if (!run->format)
        return fail(EMU_EXIT_USAGE, "export", "name the form: --format NAME; zri-prof --help lists them");
    while (form < FORMATS && strcmp(formats[form].name, run->format) != 0)
        form++;
    if (form == FORMATS)
        return fail(EMU_EXIT_USAGE, "--format", "there is no form %s; zri-prof --help lists them", run->format);
    if (!formats[form].there)
        return fail(EMU_EXIT_USAGE, "--format", "the form %s is not there yet; llvm-raw and folded are", run->format);
    if (run->module && strcmp(run->format, "llvm-raw") != 0)
        return fail(EMU_EXIT_USAGE, "--module", "only the form llvm-raw takes it; leave it out");
    int status = load(run->files[0], &profile);
    if (status)
        return status;
    if (!strcmp(run->format, "folded")) {
        if (ep_export_folded(profile, &to_output))
            status = fail(EMU_EXIT_HOST, run->files[0], "%s", no_memory);
    } else {
        const int failed = ep_export_raw(profile, run->module, &to_output, error, sizeof error);
        if (failed)
            status = fail(failed == -ENOENT ? EMU_EXIT_BAD : EMU_EXIT_HOST, run->files[0], "%s", error);
    }
    ep_profile_free(profile);
    return status;
}

/* ---- options --------------------------------------------------------------------------------------------------- */

static int set_option(struct run *run, int letter)
{
    char *end;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (options[i].option.val != letter)
            continue;
        if (!(options[i].commands & OF(run->command)))
            return fail(EMU_EXIT_USAGE, commands[run->command].name,
                        "it has no option --%s; zri-prof --help tells more", options[i].option.name);
        if (!options[i].there)
            return fail(EMU_EXIT_USAGE, commands[run->command].name, "--%s is not there yet; leave it out",
                        options[i].option.name);
    }
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
    case OPTION_TOP:
        errno = 0;
        run->top = strtoull(optarg, &end, 10);
        return *optarg < '0' || *optarg > '9' || *end || errno
                   ? fail(EMU_EXIT_USAGE, "--top", "give a number of lines in decimal")
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

static int perform(struct run *run, int argc, char **argv)
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
        status = letter == '?' ? fail(EMU_EXIT_USAGE, argv[optind - 1],
                                      "there is no such option, or it needs an argument; zri-prof --help lists them")
                               : set_option(run, letter);
    }
    if (status)
        return status;
    run->files = argv + optind;
    run->count = argc - optind;
    if (run->count < commands[run->command].least || run->count > commands[run->command].most)
        return fail(EMU_EXIT_USAGE, commands[run->command].name, "it wants %s; zri-prof --help tells more",
                    commands[run->command].arguments);
    return commands[run->command].act(run);
}

static int command(int argc, char **argv)
{
    struct run run = {.command = 0, .top = 20};
    const char *word = argc > 1 ? argv[1] : "";
    opterr = 0;
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
        help(stdout);
        return EMU_EXIT_GOOD;
    }
    if (!strcmp(word, "--version"))
        return version();
    if (!strcmp(word, "--dump-completion")) {
        const char *shell = argc == 3 ? argv[2] : "";
        return !strcmp(shell, "bash") || !strcmp(shell, "zsh")
                   ? completion(shell)
                   : fail(EMU_EXIT_USAGE, word, "name a shell, bash or zsh");
    }
    while (run.command < COMMANDS && strcmp(commands[run.command].name, word) != 0)
        run.command++;
    if (run.command == COMMANDS)
        return fail(EMU_EXIT_USAGE, "command", "%s%s; zri-prof --help lists the commands",
                    *word ? "there is none of the name " : "say what to do first", word);
    if (!commands[run.command].act)
        return fail(EMU_EXIT_USAGE, word, "this command is not there yet; zri-prof --help says which are");
    return perform(&run, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    if (!emu_streams_open())
        return fail(EMU_EXIT_HOST, "start",
                    "the host does not give /dev/null for a standard descriptor that is closed");
    return emu_streams_end("zri-prof", command(argc, argv));
}
