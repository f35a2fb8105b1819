/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zri-et: exception traces as text, reports, and what other programs read; filter is in zri_et_filter.c. */
#include "emu/zri_et.h"
#include "base/bits.h"
#include "cpu/state/interruptions.h"
#include "emu/exit.h"
#include "emu/streams.h"
#include "ri/trace/read/merge.h"
#include "ri/trace/show/output.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A row for each output: option --NAME. */
static const struct et_output *const outputs[] = {&et_output_text,   &et_output_report, &et_output_json,
                                                  &et_output_chrome, &et_output_ctf,    &et_output_folded,
                                                  &et_output_csv,    &et_output_jsonl,  &et_output_vcd};
#define OUTPUTS (sizeof outputs / sizeof *outputs)

enum {
    OPTION_CPU = 256,
    OPTION_STRICT,
    OPTION_SALVAGE,
    OPTION_ASSUME,
    OPTION_RATE,
    OPTION_MERGE,
    OPTION_COMPLETE,
    OPTION_VERSION,
    OPTION_OUTPUT
};

static const struct {
    struct option option;
    const char *word, *help;
} others[] = {
    {{"cpu", required_argument, NULL, OPTION_CPU}, "N", "only events of the CPU with this address (decimal)"},
    {{"merge", no_argument, NULL, OPTION_MERGE},
     NULL,
     "the CPUs' events in the order of their times, also when each CPU has a clock of its own"},
    {{"strict", no_argument, NULL, OPTION_STRICT}, NULL, "report reserved bits that are not zero as well"},
    {{"salvage", no_argument, NULL, OPTION_SALVAGE},
     NULL,
     "go on behind damage without waiting for a SYNC; marked doubtful"},
    {{"assume-config", required_argument, NULL, OPTION_ASSUME},
     "FILE",
     "a fragment that begins without SYNC: its configuration, lines key = value"},
    {{"insn-rate", required_argument, NULL, OPTION_RATE},
     "N",
     "ticks in a second of the clocks insn and cycle; without it one is shown as 1 ns"},
    {{"dump-completion", required_argument, NULL, OPTION_COMPLETE},
     "SHELL",
     "print the completion of these options for bash or zsh"},
    {{"version", no_argument, NULL, OPTION_VERSION}, NULL, "print the version"},
    {{"help", no_argument, NULL, 'h'}, NULL, "print this list"},
};
#define OTHERS (sizeof others / sizeof *others)

/* The folder of an output, and its files. */
#define FILES 260u
struct folder {
    const char *name;
    char failed[512]; /* what went wrong with the first file that did, empty: nothing */
    unsigned count;
    struct {
        char name[20];
        FILE *file;
    } files[FILES];
};

struct run {
    const struct et_output *output;
    void *state; /* of the output */
    struct et_output_setting setting;
    struct et_decoder *decoder;
    int cpu; /* -1: all */
    uint64_t rate;
    bool strict, salvage, merge;
    bool mute; /* what the output still writes is thrown away */
    struct et_decoder_sums sums;
    struct et_config assume;
    bool assumed;
    const char *name;
    struct folder *folder;        /* of an output that writes one, NULL: none */
    struct zri_et_groups *groups; /* NULL: none */
    bool tod, timed;              /* the trace clock is that of the groups; there was an event with its time */
    uint64_t diagnostics;
    unsigned first_code;
    char first[200];
};

static void help(FILE *out)
{
    fputs("zri-et [options] FILE\n"
          "zri-et filter [options] FILE: less of a trace that has everything; zri-et filter --help tells more\n"
          "FILE: an exception trace that zri --et-out FILE wrote; - is standard input, decoded as it arrives.\n\n",
          out);
    for (size_t i = 0; i < OUTPUTS; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s%s", outputs[i]->name, outputs[i]->wants & ET_OUTPUT_FOLDER ? " DIR" : "");
        fprintf(out, "  --%-20s %s\n", text, outputs[i]->help);
    }
    for (size_t i = 0; i < OTHERS; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s%s%s", others[i].option.name, others[i].word ? " " : "",
                 others[i].word ? others[i].word : "");
        fprintf(out, "  --%-20s %s\n", text, others[i].help);
    }
    fputs(
        "\nExit status: 0 all is well; 1 decoded, with diagnostics; 2 nothing can be decoded, or it cannot be read or\n"
        "written; 64 this list was not followed.\n",
        out);
}

static const char *program_name(unsigned code)
{
    for (const struct cpu_code_name *row = cpu_program_codes; row->name; row++)
        if (row->code == code)
            return row->name;
    return NULL;
}

/* ---- between decoder and output -------------------------------------------------------------------------------- */

static void folder_failed(struct folder *folder, const char *file)
{
    if (!folder->failed[0])
        snprintf(folder->failed, sizeof folder->failed, "%s/%s: %s; make room, or name a folder that can be written",
                 folder->name, file, strerror(errno));
}

/* The file of this name in the folder; NULL: it cannot be opened, which has been noted. */
static FILE *file_of(struct folder *folder, const char *name)
{
    char path[4096];
    unsigned i = 0;
    while (i < folder->count && strcmp(folder->files[i].name, name) != 0)
        i++;
    if (i < folder->count || i == FILES)
        return i < folder->count ? folder->files[i].file : NULL;
    folder->count++;
    snprintf(folder->files[i].name, sizeof folder->files[i].name, "%s", name);
    snprintf(path, sizeof path, "%s/%s", folder->name, name);
    folder->files[i].file = fopen(path, "w");
    if (!folder->files[i].file)
        folder_failed(folder, name);
    return folder->files[i].file;
}

static void put(void *context, const char *file, const void *bytes, size_t size)
{
    struct run *run = context;
    if (run->mute)
        return;
    FILE *to = file && run->folder ? file_of(run->folder, file) : stdout;
    if (to && fwrite(bytes, 1, size, to) != size && to != stdout)
        folder_failed(run->folder, file);
}

/* Close the files. 0, or a status that has been told. */
static int folder_end(struct folder *folder)
{
    for (unsigned i = 0; i < folder->count; i++) {
        FILE *file = folder->files[i].file;
        if (!file)
            continue;
        errno = EIO; /* what an earlier write has met is forgotten */
        const bool lost = ferror(file);
        if (fclose(file) || lost)
            folder_failed(folder, folder->files[i].name);
    }
    if (!folder->failed[0])
        return 0;
    fprintf(stderr, "zri-et: %s\n", folder->failed);
    return EMU_EXIT_HOST;
}

/* Make the folder, which must not hold a trace already. */
static int folder_begin(struct folder *folder)
{
    char path[4096];
    if (mkdir(folder->name, 0777) && errno != EEXIST)
        return zri_et_fail(EMU_EXIT_HOST, folder->name, "%s; name a folder that can be made", strerror(errno));
    snprintf(path, sizeof path, "%s/metadata", folder->name);
    if (!access(path, F_OK))
        return zri_et_fail(EMU_EXIT_HOST, folder->name,
                           "there is a trace in it already; remove it, or name another folder");
    return 0;
}

static void event(void *context, const struct et_event *event)
{
    struct run *run = context;
    if (event->kind == ET_K_CONFIG && event->reg == ETTS)
        run->tod = ET_GET(&((struct et_config){.reg[ETTS] = event->value}), ETTS, CLK) == ET_CLOCK_TOD;
    run->timed |= event->time_known && event->kind <= ET_K_MARK;
    if (run->groups && run->tod && run->timed)
        zri_et_groups_until(run->groups, event->time, run->output, run->state);
    if (run->cpu < 0 || run->cpu == (int)event->source || event->kind == ET_K_FILE)
        run->output->event(run->state, event);
}

static void diagnostic(void *context, const struct et_diagnostic *diagnostic)
{
    struct run *run = context;
    if (!run->diagnostics++) {
        run->first_code = diagnostic->code;
        snprintf(run->first, sizeof run->first, "%s", diagnostic->text);
    }
    run->output->diagnostic(run->state, diagnostic);
}

static void chunk(void *context, unsigned source, unsigned kind, uint64_t offset, const uint8_t *bytes, size_t size,
                  bool last)
{
    struct run *run = context;
    (void)source, (void)offset;
    if (kind == ET_CHUNK_METADATA && run->output->metadata)
        run->output->metadata(run->state, bytes, size, last);
}

/* ---- the input ------------------------------------------------------------------------------------------------- */

static const char no_memory[] = "the host has no memory for it; end other programs, or give it more";

/* Decodes all of `file' as it comes. 0 or a status that has been told. */
static int decode(struct run *run, int file, const struct et_decoder_calls *calls,
                  const struct et_decoder_options *options)
{
    uint8_t bytes[65536];
    ssize_t n;
    run->decoder = et_decoder_new(calls, options);
    if (!run->decoder)
        return zri_et_fail(EMU_EXIT_HOST, run->name, "%s", no_memory);
    while ((n = read(file, bytes, sizeof bytes)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return zri_et_fail(EMU_EXIT_HOST, run->name, "%s; check that it is a file and can be read",
                               strerror(errno));
        if (et_decoder_push(run->decoder, bytes, (size_t)n))
            return zri_et_fail(EMU_EXIT_HOST, run->name, "%s", no_memory);
        if (((size_t)n < sizeof bytes && fflush(stdout)) || ferror(stdout))
            return zri_et_fail(EMU_EXIT_HOST, "standard output", "%s; give it a place with room", strerror(errno));
    }
    et_decoder_end(run->decoder);
    et_decoder_sums(run->decoder, &run->sums);
    return 0;
}

static long read_at(void *context, uint64_t offset, uint8_t *bytes, size_t size)
{
    ssize_t n;
    while ((n = pread(*(const int *)context, bytes, size, (off_t)offset)) < 0 && errno == EINTR)
        ;
    return n < 0 ? -errno : n;
}

/* A copy of what cannot be read at any place; it has no name and goes with the program. -1: told. */
static int copied(const struct run *run, int file)
{
    uint8_t bytes[65536];
    FILE *copy = tmpfile();
    ssize_t n = 0;
    while (copy && ((n = read(file, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0 && fwrite(bytes, 1, (size_t)n, copy) != (size_t)n)
            break;
    if (copy && n == 0 && !fflush(copy))
        return fileno(copy);
    zri_et_fail(EMU_EXIT_HOST, run->name, "%s while a copy of it is made; write it to a file and name that",
                strerror(errno));
    return -1;
}

/* Looks which sources there are; `file` can be read at any place afterwards. 0 or a status that has been told. */
static int find_sources(struct run *run, int *file, const struct et_decoder_options *options,
                        struct et_sources *sources)
{
    if (lseek(*file, 0, SEEK_CUR) < 0 && (*file = copied(run, *file)) < 0)
        return EMU_EXIT_HOST;
    const struct et_input input = {file, read_at};
    const int status = et_sources_find(&input, options, sources);
    if (status == -ENOMEM)
        return zri_et_fail(EMU_EXIT_HOST, run->name, "%s", no_memory);
    if (status)
        return zri_et_fail(EMU_EXIT_HOST, run->name, "%s; check that it is a file and can be read", strerror(-status));
    if (run->output->wants & ET_OUTPUT_MERGED && run->cpu < 0 && sources->count > 1 && sources->apart && !run->merge)
        return zri_et_fail(
            EMU_EXIT_USAGE, run->name,
            "each of its CPUs counts time for itself (clock=insn or cycle): --cpu N shows one of them, --merge "
            "all on one axis nevertheless");
    return 0;
}

/* A file, not a pipe, whose head names more than one source. */
static bool several(int file)
{
    uint8_t head[ET_FILE_HEADER];
    struct stat facts;
    return !fstat(file, &facts) && S_ISREG(facts.st_mode) && pread(file, head, sizeof head, 0) == sizeof head &&
           !memcmp(head, "ZETC", 4) && get32(head + 8) > 1;
}

/* Decodes in the order of time. 0 or a status that has been told. */
static int decode_merged(struct run *run, int file, const struct et_decoder_calls *calls,
                         const struct et_decoder_options *options, const struct et_sources *sources)
{
    const struct et_input input = {&file, read_at};
    const int status = et_merge(&input, options, sources, calls, &run->sums);
    if (status == -ENOMEM)
        return zri_et_fail(EMU_EXIT_HOST, run->name, "%s", no_memory);
    return status
               ? zri_et_fail(EMU_EXIT_HOST, run->name, "%s; check that it is a file and can be read", strerror(-status))
               : 0;
}

/* What came of it. */
static int verdict(struct run *run)
{
    const struct et_decoder_sums sums = run->sums;
    const bool starved = run->output->starved && run->output->starved(run->state);
    if (run->tod && run->timed)
        zri_et_groups_until(run->groups, UINT64_MAX, run->output, run->state);
    run->output->end(run->state, &sums);
    if (starved)
        return zri_et_fail(EMU_EXIT_HOST, run->name, "%s", no_memory);
    if (!sums.events && !sums.segments)
        return zri_et_fail(EMU_EXIT_HOST, run->name, "nothing in it can be decoded; is it what zri --et-out wrote?");
    if (sums.input != sums.packets + sums.reported)
        return zri_et_fail(EMU_EXIT_BAD, run->name,
                           "its bytes do not add up, which is a fault of this program; please report it");
    if (!run->diagnostics)
        return EMU_EXIT_GOOD;
    if (run->output != &et_output_text && run->output != &et_output_report)
        zri_et_fail(EMU_EXIT_BAD, run->name, "%llu diagnostics, the first: D%02u %s; zri-et --text tells all",
                    (unsigned long long)run->diagnostics, run->first_code, run->first);
    return EMU_EXIT_BAD;
}

/* The output goes, and what it has still to say is not said: something has been told instead. */
static void give_up(struct run *run)
{
    run->mute = true;
    run->output->end(run->state, &run->sums);
}

static int read_trace(struct run *run, int file)
{
    const struct et_decoder_calls calls = {run, event, diagnostic, chunk};
    const struct et_decoder_options options = {
        .strict = run->strict, .salvage = run->salvage, .assume = run->assumed ? &run->assume : NULL};
    run->setting = (struct et_output_setting){.writer = {.context = run, .put = put},
                                              .program = program_name,
                                              .input = run->name,
                                              .insn_rate = run->rate,
                                              .merged = run->merge || run->output->wants & ET_OUTPUT_MERGED};
    struct et_sources sources = {.count = 0};
    int status = run->setting.merged || several(file) ? find_sources(run, &file, &options, &sources) : 0;
    if (status)
        return status;
    run->setting.merged |= sources.count > 1 && !sources.apart;
    run->state = run->output->begin(&run->setting);
    if (!run->state)
        return zri_et_fail(EMU_EXIT_HOST, run->name, "%s", no_memory);
    if (run->output->group)
        status = zri_et_groups_read(file, run->name, run->cpu, &run->groups);
    if (!status)
        status = run->setting.merged ? decode_merged(run, file, &calls, &options, &sources)
                                     : decode(run, file, &calls, &options);
    if (!status)
        status = verdict(run);
    else
        give_up(run);
    const size_t left = zri_et_groups_end(run->groups);
    if (!status && left)
        zri_et_fail(
            0, run->name,
            "%zu groups of its RI log are not shown: their times are those of the TOD clock; trace with clock=tod "
            "and timestamps=inline, or see zri-ri",
            left);
    const int lost = run->folder ? folder_end(run->folder) : 0;
    return lost ? lost : status;
}

static int open_trace(struct run *run)
{
    if (!strcmp(run->name, "-"))
        return read_trace(run, STDIN_FILENO);
    const int file = open(run->name, O_RDONLY);
    if (file < 0)
        return zri_et_fail(EMU_EXIT_HOST, run->name, "%s; %s", strerror(errno),
                           errno == ENOENT ? "check the name" : "check its permissions, and that it is a file");
    const int status = read_trace(run, file);
    close(file);
    return status;
}

/* ---- options --------------------------------------------------------------------------------------------------- */

static bool number(const char *text, unsigned long long limit, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return !errno && end != text && !*end && *text != '-' && *value <= limit;
}

static char *trimmed(char *text)
{
    text += strspn(text, " \t\r\n");
    for (size_t n = strlen(text); n && strchr(" \t\r\n", text[n - 1]); n--)
        text[n - 1] = 0;
    return text;
}

/* Lines key = value; sections and comments are passed over. */
static int read_config(struct run *run, const char *name)
{
    char line[1024], why[256];
    FILE *file = fopen(name, "r");
    int status = 0;
    if (!file)
        return zri_et_fail(EMU_EXIT_HOST, name, "%s; check the name and its permissions", strerror(errno));
    et_config_reset(&run->assume);
    run->assumed = true;
    while (!status && fgets(line, sizeof line, file)) {
        line[strcspn(line, "#")] = 0;
        char *key = trimmed(line), *value = strchr(key, '=');
        if (!*key || *key == '[')
            continue;
        if (!value) {
            status = zri_et_fail(EMU_EXIT_USAGE, name, "'%s' is no line key = value", key);
            break;
        }
        *value++ = 0;
        if (et_config_key(&run->assume, trimmed(key), trimmed(value), why, sizeof why))
            status = zri_et_fail(EMU_EXIT_USAGE, name, "%s", why);
    }
    if (!status && ferror(file))
        status = zri_et_fail(EMU_EXIT_HOST, name, "it cannot be read; check that it is a file");
    fclose(file);
    return status;
}

static int set_option(struct run *run, int letter)
{
    uint64_t value;
    switch (letter) {
    case OPTION_CPU:
        if (!number(optarg, ET_SOURCE_MACHINE, &value))
            return zri_et_fail(EMU_EXIT_USAGE, "--cpu", "give a CPU address in decimal; 255 is the machine");
        run->cpu = (int)value;
        return 0;
    case OPTION_STRICT:
        run->strict = true;
        return 0;
    case OPTION_MERGE:
        run->merge = true;
        return 0;
    case OPTION_SALVAGE:
        run->salvage = true;
        return 0;
    case OPTION_ASSUME:
        return read_config(run, optarg);
    case OPTION_RATE:
        if (!number(optarg, UINT64_C(1000000000000000), &run->rate) || !run->rate)
            return zri_et_fail(EMU_EXIT_USAGE, "--insn-rate", "give a number of instructions in a second, in decimal");
        return 0;
    default:
        if (letter < OPTION_OUTPUT)
            return 0;
        if (run->output && run->output != outputs[letter - OPTION_OUTPUT])
            return zri_et_fail(EMU_EXIT_USAGE, "options", "--%s and --%s: one output at a time", run->output->name,
                               outputs[letter - OPTION_OUTPUT]->name);
        run->output = outputs[letter - OPTION_OUTPUT];
        if (run->output->wants & ET_OUTPUT_FOLDER)
            run->folder->name = optarg;
        return 0;
    }
}

static void option_table(struct option *table)
{
    for (size_t i = 0; i < OUTPUTS; i++)
        *table++ =
            (struct option){outputs[i]->name, outputs[i]->wants & ET_OUTPUT_FOLDER ? required_argument : no_argument,
                            NULL, OPTION_OUTPUT + (int)i};
    for (size_t i = 0; i < OTHERS; i++)
        *table++ = others[i].option;
    *table = (struct option){NULL, 0, NULL, 0};
}

static int command(int argc, char **argv)
{
    struct option table[OUTPUTS + OTHERS + 1];
    struct folder folder = {.name = NULL};
    struct run run = {.cpu = -1, .folder = &folder};
    int letter, status = 0;
    option_table(table);
    while (!status && (letter = getopt_long(argc, argv, "h", table, NULL)) != -1) {
        if (letter == 'h') {
            help(stdout);
            return EMU_EXIT_GOOD;
        }
        if (letter == OPTION_COMPLETE)
            return zri_et_complete(optarg, table)
                       ? EMU_EXIT_GOOD
                       : zri_et_fail(EMU_EXIT_USAGE, "--dump-completion", "the shells are bash and zsh");
        if (letter == OPTION_VERSION) {
            printf("zri-et %s\n", PACKAGE_VERSION);
            return EMU_EXIT_GOOD;
        }
        status = letter == '?'
                     ? zri_et_fail(EMU_EXIT_USAGE, argv[optind - 1],
                                   "there is no such option, or it needs an argument; zri-et --help lists them")
                     : set_option(&run, letter);
    }
    if (status)
        return status;
    if (optind + 1 != argc)
        return zri_et_fail(EMU_EXIT_USAGE, "files", "name one file, or - for standard input; zri-et --help tells more");
    run.name = argv[optind];
    if (!run.output)
        run.output = &et_output_text;
    if (!folder.name)
        run.folder = NULL;
    else
        status = folder_begin(&folder);
    if (!status)
        status = open_trace(&run);
    et_decoder_free(run.decoder);
    return status;
}

int main(int argc, char **argv)
{
    if (!emu_streams_open())
        return zri_et_fail(EMU_EXIT_HOST, "start",
                           "the host does not give /dev/null for a standard descriptor that is closed");
    const bool filter = argc > 1 && !strcmp(argv[1], "filter");
    opterr = 0;
    return emu_streams_end("zri-et", filter ? zri_et_filter(argc - 1, argv + 1) : command(argc, argv));
}
