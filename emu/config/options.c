/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line, from the table of options. */
#include "emu/config/options.h"
#include "emu/config/pipeline.h"
#include "emu/config/wrap.h"
#include "emu/config/edges.h"
#include "emu/config/exception.h"
#include "cpu/engine/engine.h"
#include "ri/counters/model/passages.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum option_number {
    OPTION_FIRST = 1000,
#define OPTION(id, letter, name, argument, help) OPTION_##id,
#define OPTION_GROUP(title)
#include "emu/config/options.def"
#undef OPTION
#undef OPTION_GROUP
};

static const struct option table[] = {
#define OPTION(id, letter, name, argument, help)                                                                       \
    {name, (argument) ? required_argument : no_argument, NULL, OPTION_##id},
#define OPTION_GROUP(title)
#include "emu/config/options.def"
#undef OPTION
#undef OPTION_GROUP
    {NULL, 0, NULL, 0}};

static const struct line {
    const char *name, *argument, *help; /* of a group its title alone, in help */
    char letter;
} lines[] = {
#define OPTION(id, letter, name, argument, help) {name, argument, help, letter},
#define OPTION_GROUP(title)                      {NULL, NULL, title, 0},
#include "emu/config/options.def"
#undef OPTION
#undef OPTION_GROUP
};
#define LINES (sizeof lines / sizeof *lines)

#define HELP_COLUMN 37u
#define HELP_WIDTH  80u /* when nobody knows it */

/* An option and its argument: "-m, --storage SIZE". */
static void option_words(const struct line *l, char *text, size_t size)
{
    char letter[8] = "    ";
    if (l->letter)
        snprintf(letter, sizeof letter, "-%c, ", l->letter);
    snprintf(text, size, "%s--%s%s%s", letter, l->name, l->argument ? " " : "", l->argument ? l->argument : "");
}

void emu_options_help(FILE *out)
{
    const unsigned width = wrap_width(out, HELP_WIDTH), column = width >= 2 * HELP_COLUMN ? HELP_COLUMN : 10;
    char head[256];
    wrap_text("IMAGE: ELF, raw binary, .ins list, object deck, Linux kernel. Without one the console opens.", 0, 0,
              width, head, sizeof head);
    fprintf(out, "zri [options] [IMAGE[@ADDRESS]] ...\n%s\n", head);
    for (unsigned i = 0; i < LINES; i++) {
        const struct line *l = &lines[i];
        char left[64], help[1024];
        if (!l->name) {
            fprintf(out, "\n%s\n", l->help);
            continue;
        }
        option_words(l, left, sizeof left);
        const bool own_line = strlen(left) + 4 > column; /* the help begins below it */
        wrap_text(l->help, column, column, width, help, sizeof help);
        if (own_line)
            fprintf(out, "  %s\n%*s%s\n", left, (int)column, "", help);
        else
            fprintf(out, "  %-*s%s\n", (int)column - 2, left, help);
    }
}

void emu_options_manual(FILE *out)
{
    for (unsigned i = 0; i < LINES; i++) {
        if (!lines[i].name) {
            fprintf(out, ".SS %s\n", lines[i].help);
            continue;
        }
        fprintf(out, ".TP\n");
        if (lines[i].letter)
            fprintf(out, ".BR \\-%c \", \" ", lines[i].letter);
        else
            fprintf(out, ".BR ");
        fprintf(out, "\\-\\-%s", lines[i].name);
        if (lines[i].argument)
            fprintf(out, " \" \\fI%s\\fP\"", lines[i].argument);
        fprintf(out, "\n%s\n", lines[i].help);
    }
}

/* Options whose argument is one of some words; what they are called in messages. */
#define WORDS 4
static const struct choice {
    const char *option, *plural, *words[WORDS];
} known[] = {{"engine", "engines", {"block", "reference", "translate"}},
             {"clock", "clocks", {"virtual", "host"}},
             {"console", "consoles", {"line", "ascii", "both"}},
             {"identity", "identities", {"machine", "lpar", "vm"}},
             {"net", "networks", {"user"}}};

static const struct choice *choice_of(const char *option)
{
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].option, option) == 0)
            return &known[i];
    return NULL;
}

/* What a shell completes as the argument of an option: files, one of some words in text[size], or nothing. */
static const char *choices(const struct line *l, char *text, size_t size)
{
    const struct emu_profile *p;
    const struct choice *choice = choice_of(l->name);
    size_t used = 0;
    for (unsigned i = 0; strcmp(l->name, "profile") == 0 && (p = emu_profile_number(i)) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s ", p->name);
    for (unsigned i = 0; choice && i < WORDS && choice->words[i] && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", choice->words[i]);
    return used ? text : NULL;
}

static bool takes_file(const struct line *l)
{
    return l->argument && (strncmp(l->argument, "FILE", 4) == 0 || strcmp(l->argument, "PROGRAM") == 0);
}

void emu_options_bash(FILE *out)
{
    fputs("# Completion of zri's options for bash; made from the table of options.\n_zri()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n    case $prev in\n",
          out);
    for (unsigned i = 0; i < LINES; i++) {
        const struct line *l = &lines[i];
        char profiles[256];
        if (!l->name || !l->argument)
            continue;
        fprintf(out, "    --%s", l->name);
        if (l->letter)
            fprintf(out, "|-%c", l->letter);
        if (choices(l, profiles, sizeof profiles))
            fprintf(out, ") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n",
                    choices(l, profiles, sizeof profiles));
        else
            fprintf(out, ") COMPREPLY=(%s); return ;;\n", takes_file(l) ? "$(compgen -f -- \"$cur\")" : "");
    }
    fputs("    esac\n    case $cur in\n    -*) COMPREPLY=($(compgen -W '", out);
    for (unsigned i = 0; i < LINES; i++)
        if (lines[i].name)
            fprintf(out, "--%s ", lines[i].name);
    fputs("' -- \"$cur\")) ;;\n    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n    esac\n}\n"
          "complete -o filenames -F _zri zri\n",
          out);
}

/* A text within '...[...]' of zsh's _arguments. */
static void zsh_text(FILE *out, const char *text)
{
    for (; *text && *text != ';'; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}

void emu_options_zsh(FILE *out)
{
    fputs("#compdef zri\n# Completion of zri's options for zsh; made from the table of options.\n_arguments \\\n", out);
    for (unsigned i = 0; i < LINES; i++) {
        const struct line *l = &lines[i];
        char profiles[256];
        if (!l->name)
            continue;
        fprintf(out, "  '*--%s[", l->name);
        zsh_text(out, l->help);
        fputc(']', out);
        if (l->argument && choices(l, profiles, sizeof profiles))
            fprintf(out, ":%s:(%s)", l->name, choices(l, profiles, sizeof profiles));
        else if (l->argument)
            fprintf(out, ":%s:%s", l->name, takes_file(l) ? "_files" : "");
        fputs("' \\\n", out);
    }
    fputs("  '*:image:_files'\n", out);
}

/* Letters that have to be changed, put in or left out to make one word of the other. */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[64];
    const size_t n = strlen(b);
    if (n >= sizeof row / sizeof *row)
        return UINT_MAX;
    for (unsigned i = 0; i <= n; i++)
        row[i] = i;
    for (; *a; a++) {
        unsigned corner = row[0]++;
        for (size_t i = 0; i < n; i++) {
            const unsigned change = corner + (*a != b[i]), more = (row[i] < row[i + 1] ? row[i] : row[i + 1]) + 1;
            corner = row[i + 1];
            row[i + 1] = change < more ? change : more;
        }
    }
    return row[n];
}

/* The option whose name is nearest to a word, if one is near; else NULL. */
static const char *nearest(const char *word)
{
    const char *best = NULL;
    unsigned least = (unsigned)strlen(word) / 2 + 2; /* nearer than this */
    for (unsigned i = 0; i < LINES; i++) {
        const unsigned d = lines[i].name ? distance(word, lines[i].name) : UINT_MAX;
        if (d < least || (best == NULL && lines[i].name && strstr(lines[i].name, word))) {
            best = lines[i].name;
            least = d < least ? d : least;
        }
    }
    return best;
}

int emu_parse_size(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    char *end;
    if (!isdigit((unsigned char)*text))
        return -EINVAL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    unsigned shift = 0;
    if (*end) {
        const char *unit = strchr(units, toupper((unsigned char)*end));
        if (!unit || end[1])
            return -EINVAL;
        shift = 10 * (unsigned)(unit - units + 1);
    }
    if (errno || value > UINT64_MAX >> shift)
        return -EINVAL;
    *bytes = (uint64_t)value << shift;
    return 0;
}

static bool hexadecimal(const char *text, char stop, uint64_t *value, const char **end)
{
    char *behind;
    if (!isxdigit((unsigned char)*text))
        return false;
    errno = 0;
    *value = strtoull(text, &behind, 16);
    *end = behind;
    return !errno && *behind == stop;
}

int emu_parse_range(char *text, uint64_t *start, uint64_t *end, char *error, size_t size)
{
    char *colon = strrchr(text, ':');
    const char *rest;
    if (!colon || colon == text || !hexadecimal(colon + 1, '-', start, &rest) ||
        !hexadecimal(rest + 1, 0, end, &rest) || *end < *start) {
        snprintf(error, size, "'%.80s' is not FILE:START-END; give two hexadecimal addresses, as core.bin:0-FFF", text);
        return -EINVAL;
    }
    *colon = 0;
    return 0;
}

static int wrong(char *error, size_t size, const char *option, const char *value, const char *remedy)
{
    snprintf(error, size, "--%s %.80s: %s", option, value, remedy);
    return -EINVAL;
}

/* The number of the word that is the option's argument, or -EINVAL with a sentence that names the words. */
static int chosen(const char *option, const char *value, char *error, size_t size)
{
    const struct choice *choice = choice_of(option);
    char remedy[128];
    size_t used = (size_t)snprintf(remedy, sizeof remedy, "the %s are ", choice->plural);
    for (int i = 0; i < WORDS && choice->words[i]; i++) {
        if (strcmp(choice->words[i], value) == 0)
            return i;
        const bool last = i + 1 == WORDS || !choice->words[i + 1];
        used += (size_t)snprintf(remedy + used, sizeof remedy - used, "%s%s",
                                 !i     ? ""
                                 : last ? " and "
                                        : ", ",
                                 choice->words[i]);
    }
    return wrong(error, size, option, value, remedy);
}

/* A sentence about options that do not go together. */
__attribute__((format(printf, 3, 4))) static int refused(char *error, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, size, format, arguments);
    va_end(arguments);
    return -EINVAL;
}

/* A decimal number from 1 to `limit`. */
static bool decimal(const char *text, uint64_t limit, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long v = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    if (!isdigit((unsigned char)*text) || errno || *end || v == 0 || v > limit)
        return false;
    *value = v;
    return true;
}

/* How the log of the pipeline is written. */
static int pipe_log_option(int number, const char *value, struct emu_options *o, char *error, size_t size)
{
    uint8_t format = 0;
    if (number == OPTION_PIPE_FORMAT) {
        while (format < EC_LOG_FORMATS && strcmp(ec_log_formats[format], value) != 0)
            format++;
        o->machine.pipe_format = format;
        return format < EC_LOG_FORMATS ? 0
                                       : wrong(error, size, "pipe-format", value, "give kanata, o3, chrome or lines");
    }
    if (decimal(value, UINT64_MAX, number == OPTION_PIPE_FROM ? &o->machine.pipe_from : &o->machine.pipe_to))
        return 0;
    return wrong(error, size, number == OPTION_PIPE_FROM ? "pipe-from" : "pipe-to", value,
                 "give the number of an executed instruction, decimal, from 1");
}

/* The pipeline model: on, and what is done with it; positive: another option. */
static int pipeline_option(int number, char *value, struct emu_options *o, char *error, size_t size)
{
    switch (number) {
    case OPTION_PIPE:
        o->machine.pipelined = true;
        return emu_pipeline_find(value, &o->machine.pipeline, error, size);
    case OPTION_PIPE_OUT:
        o->machine.pipe_out = value;
        break;
    case OPTION_PIPE_SAMPLE:
        o->pipe_sample = value;
        break;
    case OPTION_PIPE_BY:
        o->pipe_by = value;
        break;
    case OPTION_PIPE_REPORT:
        o->pipe_report = value;
        break;
    case OPTION_PIPE_CONTROL:
        o->machine.pipe_control = true;
        return diagnose_change(&o->machine.diagnose, "+1f8", error, size);
    case OPTION_PIPE_FORMAT:
    case OPTION_PIPE_FROM:
    case OPTION_PIPE_TO:
        return pipe_log_option(number, value, o, error, size);
    default:
        return 1;
    }
    if (o->machine.pipelined)
        return 0;
    o->machine.pipelined = true;
    return emu_pipeline_find("teach", &o->machine.pipeline, error, size);
}

/* Options that shape the configuration of the machine; positive: another option. */
static int configuration_option(int number, char *value, struct emu_options *o, char *error, size_t size)
{
    uint64_t n;
    int word;
    switch (number) {
    case OPTION_STANDBY_CPUS:
        if (!decimal(value, CPU_MAX - 1, &n))
            return wrong(error, size, "standby-cpus", value, "give a number from 1 to 63");
        o->machine.standby_cpus = (unsigned)n;
        return 0;
    case OPTION_STANDBY_STORAGE:
        if (emu_parse_size(value, &n) || n == 0 || n > UINT64_C(1) << 39 || n % (UINT64_C(256) << 20))
            return wrong(error, size, "standby-storage", value, "give a multiple of 256M");
        o->machine.standby_storage = n;
        return 0;
    case OPTION_IDENTITY:
        word = chosen("identity", value, error, size);
        o->identity = word < 0 ? o->identity : (unsigned)word + 1; /* levels of STORE SYSTEM INFORMATION */
        return word < 0 ? word : 0;
    default:
        return 1;
    }
}

/* Options that shape the machine; positive: another option. */
static int machine_option(int number, char *value, struct emu_options *o, char *error, size_t size)
{
    static const uint8_t consoles[] = {SCLP_LINE_MODE, SCLP_ASCII, SCLP_LINE_MODE | SCLP_ASCII};
    uint64_t n;
    int word;
    switch (number) {
    case OPTION_CPUS:
        if (!decimal(value, CPU_MAX, &n))
            return wrong(error, size, "cpus", value, "give a number from 1 to 64");
        o->machine.cpus = (unsigned)n;
        return 0;
    case OPTION_STORAGE:
        o->storage_given = true;
        if (emu_parse_size(value, &n) || n < 1 << 20 || n > UINT64_C(1) << 40)
            return wrong(error, size, "storage", value, "give a size from 1M to 1T, such as 512M");
        o->machine.storage = n;
        return 0;
    case OPTION_PROFILE:
        if (strcmp(value, "help") == 0) {
            o->list_profiles = true;
            return 0;
        }
        o->profile_given = true;
        return emu_profile_find(value, &o->machine.profile, error, size);
    case OPTION_ENGINE:
        o->engine_given = true;
        word = chosen("engine", value, error, size);
        o->machine.engine = word == 1 ? ENGINE_REFERENCE : word == 2 ? ENGINE_TRANSLATE : ENGINE_BLOCK;
        return word < 0 ? word : 0;
    case OPTION_CLOCK:
        word = chosen("clock", value, error, size);
        o->machine.host_clock = word == 1;
        o->clock_virtual = !o->machine.host_clock;
        return word < 0 ? word : 0;
    case OPTION_SEED:
        o->machine.entropy = strcmp(value, "host") ? ENTROPY_SEED : ENTROPY_HOST;
        o->machine.seed = 0;
        if (o->machine.entropy == ENTROPY_SEED && strcmp(value, "0") && !decimal(value, UINT64_MAX, &o->machine.seed))
            return wrong(error, size, "seed", value, "give a number, or host");
        return 0;
    case OPTION_THREADS:
        o->machine.threads = o->machine.host_clock = true;
        return 0;
    case OPTION_DIAGNOSE:
        return diagnose_change(&o->machine.diagnose, value, error, size);
    case OPTION_CONSOLE:
        word = chosen("console", value, error, size);
        if (word >= 0)
            o->machine.consoles = consoles[word];
        o->console_given = true;
        return word < 0 ? word : 0;
    default:
        return configuration_option(number, value, o, error, size);
    }
}

/* SIZE[,N] of --history. */
static int history_option(char *value, struct emu_options *o, char *error, size_t size)
{
    char *comma = strchr(value, ',');
    if (comma)
        *comma = 0;
    if (emu_parse_size(value, &o->history) || o->history < 1 << 20 || o->history > UINT64_C(1) << 40)
        return wrong(error, size, "history", value, "give a size from 1M to 1T, such as 256M");
    if (comma && !decimal(comma + 1, UINT64_C(1) << 60, &o->history_spacing))
        return wrong(error, size, "history", comma + 1, "give the instructions between two moments, such as 8000000");
    return 0;
}

/* Recordings, and the past. */
static int past_option(int number, char *value, struct emu_options *o, char *error, size_t size)
{
    switch (number) {
    case OPTION_RECORD:
        o->record = value;
        return 0;
    case OPTION_REPLAY:
        o->replay = value;
        return 0;
    case OPTION_RECORD_LIMIT:
        if (emu_parse_size(value, &o->record_limit) || o->record_limit < 1 << 16)
            return wrong(error, size, "record-limit", value, "give a size from 64K on, such as 100M");
        return 0;
    default:
        return history_option(value, o, error, size);
    }
}

static int limit_option(int number, char *value, struct emu_options *o, char *error, size_t size)
{
    char *end;
    switch (number) {
    case OPTION_LIMIT:
        return decimal(value, UINT64_MAX, &o->limit)
                   ? 0
                   : wrong(error, size, "limit", value, "give a number of instructions");
    case OPTION_SECONDS:
        o->seconds = strtod(value, &end);
        return end != value && !*end && o->seconds > 0 && o->seconds < 1e9
                   ? 0
                   : wrong(error, size, "seconds", value, "give a number of seconds");
    case OPTION_SAVECORE:
        o->savecore = value;
        return emu_parse_range(value, &o->save_start, &o->save_end, error, size);
    case OPTION_SNAPSHOT:
        o->snapshot = value;
        return 0;
    case OPTION_DEVICE:
        if (o->device_count == EMU_FILES)
            return wrong(error, size, "device", value, "too many devices; attach them in a script");
        o->devices[o->device_count++] = value;
        return 0;
    case OPTION_DISK:
    case OPTION_NET:
        if (o->next_count == EMU_FILES)
            return wrong(error, size, number == OPTION_DISK ? "disk" : "net", value,
                         "too many devices; attach them in a script");
        o->next[o->next_count].type = number == OPTION_DISK ? "virtio-blk" : "virtio-net";
        o->next[o->next_count++].words = value;
        return 0;
    case OPTION_IPL:
        o->ipl = value;
        return 0;
    case OPTION_SCRIPT:
        if (o->script_count == EMU_FILES)
            return wrong(error, size, "script", value, "too many scripts; put them into one");
        o->scripts[o->script_count++] = value;
        return 0;
    default:
        return 1;
    }
}

static int add_image(char *argument, struct emu_options *o, char *error, size_t size)
{
    if (o->image_count == EMU_IMAGES) {
        snprintf(error, size, "'%.80s': more than %u images; put them into an .ins list", argument, EMU_IMAGES);
        return -EINVAL;
    }
    int code = ipl_parse_argument(argument, &o->images[o->image_count], error, size);
    if (!code)
        o->image_count++;
    return code;
}

/* Options of exception trace. */
static int exception_option(int number, char *value, struct emu_options *o, char *error, size_t size)
{
    struct et_config config;
    switch (number) {
    case OPTION_ET:
        et_config_reset(&config);
        if (o->et_key_count == EMU_FILES)
            return wrong(error, size, "et", value, "too many; put them into a file for --et-config");
        if (emu_exception_keys(value, &config, error, size))
            return -EINVAL;
        o->et_keys[o->et_key_count++] = value;
        return 0;
    case OPTION_ET_CONFIG:
        o->et_config = value;
        return 0;
    case OPTION_ET_OUT:
        o->et_out = value;
        return 0;
    default:
        return 1;
    }
}

static int add_key(struct emu_options *o, const char *key, const char *name, const char *value, char *error,
                   size_t size)
{
    struct emu_edges edges;
    emu_edges_reset(&edges);
    if (o->profile_key_count == EMU_FILES)
        return wrong(error, size, name, value, "too many; leave those out that have their usual values");
    if (emu_edges_key(&edges, key, error, size))
        return -EINVAL;
    o->profile_keys[o->profile_key_count++] = key;
    return 0;
}

/* Options of edge profiles. */
static int profile_option(int number, char *value, struct emu_options *o, char *error, size_t size)
{
    switch (number) {
    case OPTION_PROFILE_OUT:
        o->profile_out = value;
        return 0;
    case OPTION_PROFILE_LOG:
        o->profile_log = value;
        return 0;
    case OPTION_PROFILE_EXACT:
        o->profile_exact = value;
        return 0;
    case OPTION_PROFILE_PERIOD:
        snprintf(o->profile_text[0], sizeof o->profile_text[0], "base=%.40s", value);
        return add_key(o, o->profile_text[0], "profile-period", value, error, size);
    case OPTION_PROFILE_WHAT:
        snprintf(o->profile_text[1], sizeof o->profile_text[1], "what=%.40s", value);
        return add_key(o, o->profile_text[1], "profile-what", value, error, size);
    case OPTION_PROFILE_SET:
        return add_key(o, value, "profile-set", value, error, size);
    default:
        return 1;
    }
}

/* Options of scripted tests. */
static int test_option(int number, char *value, struct emu_options *o)
{
    switch (number) {
    case OPTION_TEST:
        o->test = true;
        return 0;
    case OPTION_GRADE:
        o->grade = true;
        return 0;
    case OPTION_ONLY:
        o->only = value;
        return 0;
    case OPTION_VERBOSE:
    case 'v':
        o->verbose = true;
        return 0;
    case OPTION_TAP:
        o->tap = true;
        return 0;
    case OPTION_JUNIT:
        o->junit = value;
        return 0;
    case OPTION_COVERAGE:
        o->coverage = value;
        return 0;
    default:
        return 1;
    }
}

static int one_option(int number, char *value, struct emu_options *o, char *error, size_t size)
{
    int code = machine_option(number, value, o, error, size);
    if (code > 0)
        code = limit_option(number, value, o, error, size);
    if (code > 0)
        code = exception_option(number, value, o, error, size);
    if (code > 0)
        code = profile_option(number, value, o, error, size);
    if (code > 0)
        code = test_option(number, value, o);
    if (code > 0)
        code = pipeline_option(number, value, o, error, size);
    if (code <= 0)
        return code;
    switch (number) {
    case OPTION_PANEL:
        o->panel = true;
        break;
    case OPTION_TUI:
        o->tui = true;
        break;
    case OPTION_SANDBOX:
        o->sandbox = true;
        break;
    case OPTION_BATCH:
    case 'B':
        o->batch = true;
        break;
    case OPTION_STOP:
    case 'S':
        o->stop = true;
        break;
    case OPTION_GDB:
    case OPTION_GDB_USUAL:
    case 's':
        o->gdb = number == OPTION_GDB ? value : "1234";
        break;
    case OPTION_CONTROL:
        o->control = value;
        break;
    case OPTION_DEMO:
        o->demo = true;
        break;
    case OPTION_LESSON:
        o->lesson = value;
        break;
    case OPTION_KERNEL:
        if (add_image(value, o, error, size))
            return -EINVAL;
        break;
    case OPTION_RUN:
        o->run = value;
        break;
    case OPTION_INITRD:
        o->initrd = value;
        break;
    case OPTION_APPEND:
        o->append = value;
        break;
    case OPTION_RECORD:
    case OPTION_REPLAY:
    case OPTION_RECORD_LIMIT:
    case OPTION_HISTORY:
        return past_option(number, value, o, error, size);
    case OPTION_LOCKSTEP:
        o->lockstep = true;
        break;
    case OPTION_DUMP_CODE:
        o->dump_code = value;
        break;
    case OPTION_PERF_MAP:
        o->perf_map = true;
        break;
    case OPTION_TRACE:
        o->trace = value;
        break;
    case OPTION_TRACE_WHAT:
        o->trace_what = value;
        break;
    case OPTION_RI_LOG:
        o->ri_log = value;
        break;
    case OPTION_JSON:
        o->json = true;
        break;
    case OPTION_MISSING:
        o->list_missing = true;
        break;
    case OPTION_MANUAL:
        o->dump_manual = value;
        break;
    case OPTION_VERSION:
        o->version = true;
        break;
    default:
        o->help = true;
    }
    return 0;
}

/* getopt() found no option in `word`. */
static int no_option(const char *word, bool no_argument_given, char *error, size_t size)
{
    char name[64];
    const char *dashes = word + strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(dashes, "="), dashes);
    const char *near = *name ? nearest(name) : NULL;
    if (no_argument_given)
        snprintf(error, size, "option '%.60s' needs an argument; zri --help says which", word);
    else if (near)
        snprintf(error, size, "there is no option '%.60s'; did you mean --%s? zri --help lists them", word, near);
    else
        snprintf(error, size, "there is no option '%.60s'; zri --help lists them", word);
    return -EINVAL;
}

/* Words that are no options: tests or images; and the images that options stand for. */
static int take_words(struct emu_options *o, int argc, char **argv, char *error, size_t size)
{
    for (int i = optind; i < argc; i++) {
        if ((o->test || o->grade) && o->test_count < EMU_TESTS)
            o->tests[o->test_count++] = argv[i];
        else if (add_image(argv[i], o, error, size))
            return -EINVAL;
    }
    if (o->test && !o->test_count)
        return refused(error, size, "--test: no file is named; write zri --test FILE.zt ...");
    const char *of_tests = o->only ? "only" : o->verbose ? "verbose" : o->tap ? "tap" : o->junit ? "junit" : NULL;
    if (o->grade && !o->test_count)
        return refused(error, size, "--grade: no file is named; write zri --grade FILE ...");
    if (of_tests && !o->test && !(o->grade && strcmp(of_tests, "tap") == 0))
        return refused(error, size, "--%s is said of scripted tests; write zri --test FILE.zt ...", of_tests);
    if (o->trace_what && !o->trace)
        return refused(error, size, "--trace-what: it says what --trace FILE writes; give that, too");
    if (o->demo && o->image_count < EMU_IMAGES)
        o->images[o->image_count++].path = "builtin:demo";
    if (o->run && o->image_count)
        return refused(error, size, "--run: '%.80s' is the one image; leave the others out (--append gives arguments)",
                       o->run);
    if (o->run) {
        o->images[o->image_count++].path = "builtin:linux-user";
        o->images[o->image_count].kind = IPL_KIND_ELF;
        o->images[o->image_count++].path = o->run;
    }
    return 0;
}

/* What wants runs that can be repeated, and what makes such that cannot. */
static int repetition(const struct emu_options *o, char *error, size_t size)
{
    const char *alone = o->lockstep        ? "lockstep"
                        : o->trace         ? "trace"
                        : o->snapshot      ? "snapshot"
                        : o->clock_virtual ? "clock virtual"
                                           : NULL;
    if (o->machine.entropy == ENTROPY_HOST && (o->lockstep || o->snapshot))
        return refused(error, size, "--%s: %s; leave --seed host out", o->lockstep ? "lockstep" : "snapshot",
                       o->lockstep ? "two machines must draw the same random numbers"
                                   : "the saved machine has its random numbers");
    if (o->machine.pipelined && (o->lockstep || o->snapshot))
        return refused(error, size, "--pipe: not with --%s; %s", o->lockstep ? "lockstep" : "snapshot",
                       o->lockstep ? "the block engine has no pipeline model"
                                   : "turn it on by the console command ctr on");
    if (!o->machine.pipe_out && (o->machine.pipe_format || o->machine.pipe_from || o->machine.pipe_to))
        return refused(error, size, "--pipe-format, --pipe-from, --pipe-to: they say how --pipe-out writes; give it");
    if (o->machine.pipe_to && o->machine.pipe_from > o->machine.pipe_to)
        return refused(error, size, "--pipe-from is behind --pipe-to; give an earlier one");
    if (o->machine.threads && o->machine.entropy == ENTROPY_SEED)
        return refused(error, size, "--seed: with --threads no two runs are alike; leave it out, or give --seed host");
    if (o->machine.threads && alone)
        return refused(error, size,
                       "--%s wants runs that can be repeated; with --threads no two runs are alike, leave it out",
                       alone);
    return 0;
}

/* Where the program comes from: one place. */
static int program_source(const struct emu_options *o, char *error, size_t size)
{
    if (o->ipl && (o->image_count || o->run || o->snapshot))
        return refused(error, size, "--ipl %.40s: the program comes from the device; leave image and snapshot out",
                       o->ipl);
    if (o->snapshot && (o->device_count || o->next_count))
        return refused(error, size,
                       "--snapshot: the saved machine has its devices; leave --device, --disk and --net out");
    if (o->snapshot && o->image_count)
        return refused(error, size, "--snapshot: the saved machine has its program; leave the image out");
    if (o->panel && (o->batch || o->lockstep))
        return refused(error, size,
                       "--panel: a window is for somebody who looks; leave --%s out (the console command "
                       "panel shot makes pictures without one)",
                       o->batch ? "batch" : "lockstep");
    if (o->panel && o->sandbox)
        return refused(error, size,
                       "--panel: its window speaks with the display while the guest runs, which --sandbox does "
                       "not allow; leave one of the two out");
    if (o->tui && (o->batch || o->lockstep || o->test || o->grade))
        return refused(error, size, "--tui: the panel is for somebody who looks; leave --%s out",
                       o->batch      ? "batch"
                       : o->lockstep ? "lockstep"
                       : o->test     ? "test"
                                     : "grade");
    if (o->gdb && o->lockstep)
        return refused(error, size, "--gdb: a debugger has one machine; leave --lockstep out");
    if (o->control && o->lockstep)
        return refused(error, size, "--control: its clients have one machine; leave --lockstep out");
    if (o->script_count && o->lockstep)
        return refused(
            error, size,
            "--script: its commands are for one machine; leave --lockstep out, or name an image that `savecore' made");
    if (o->gdb && o->sandbox)
        return refused(error, size, "--gdb: a client comes while the guest runs; leave --sandbox out");
    if (o->gdb && strcmp(o->gdb, "stdio") == 0 && !o->batch)
        return refused(error, size, "--gdb stdio: standard input and output cannot be the console's too; give --batch");
    if (o->lesson &&
        (o->ipl || o->image_count || o->snapshot || o->batch || o->lockstep || o->test || o->machine.threads))
        return refused(error, size,
                       "--lesson %.40s: the lesson makes its machine ready, and has a console; leave image, --ipl, "
                       "--snapshot, --batch, --lockstep, --threads and --test out",
                       o->lesson);
    if ((o->initrd || o->append) && o->image_count == 0)
        return refused(error, size, "--initrd and --append belong to a kernel; name one by --kernel FILE");
    return 0;
}

/* What is recorded and replayed. */
static int recordings(const struct emu_options *o, char *error, size_t size)
{
    const char *name = o->record ? "record" : "replay";
    if (o->record && o->replay)
        return refused(error, size, "--record: what is replayed is recorded already; leave one of the two out");
    if (o->record_limit && !o->record)
        return refused(error, size, "--record-limit is said of a recording; give --record FILE");
    if ((o->record || o->replay || o->history) && (o->lockstep || o->test))
        return refused(error, size, "--%s: not with --%s; leave one of the two out",
                       o->record || o->replay ? name : "history", o->test ? "test" : "lockstep");
    if ((o->record || o->replay) && o->machine.threads)
        return refused(error, size,
                       "--%s: with --threads nobody can say in which order CPUs meet; leave it out, then they have "
                       "their turns",
                       name);
    if (o->history && o->machine.host_clock && !o->record && !o->replay)
        return refused(error, size,
                       "--history: the host's clock does not go back; leave --clock host and --threads "
                       "out, or record it by --record FILE");
    return 0;
}

/* Is a kernel told to write on the VT220? */
static bool names_vt220(const char *command_line)
{
    static const char word[] = "console=ttysclp";
    for (const char *at = command_line; (at = strstr(at, word)); at += strlen(word))
        if (at == command_line || at[-1] == ' ')
            return true;
    return false;
}

static int finish(struct emu_options *o, int argc, char **argv, char *error, size_t size)
{
    int code = take_words(o, argc, argv, error, size);
    code = code ? code : repetition(o, error, size);
    code = code ? code : program_source(o, error, size);
    code = code ? code : recordings(o, error, size);
    if (code)
        return code;
    if (o->machine.cpus + o->machine.standby_cpus > CPU_MAX)
        return refused(error, size, "--standby-cpus: more than %u CPUs together with --cpus", CPU_MAX);
    o->machine.cpus += o->machine.standby_cpus;
    o->machine.storage += o->machine.standby_storage;
    if (o->identity)
        o->machine.profile.level = (uint8_t)o->identity;
    if (!o->console_given && !o->run && o->append && names_vt220(o->append))
        o->machine.consoles = SCLP_ASCII;
    if (o->image_count) {
        o->images[0].initrd = o->initrd;
        o->images[0].append = o->append;
    }
    return 0;
}

int emu_options_parse(int argc, char **argv, struct emu_options *o, char *error, size_t size)
{
    /* Facilities are changed when the profile is known, in whatever order the options stand. */
    const char *facilities[EMU_FILES];
    unsigned facility_count = 0;
    int number, index = 0;
    memset(o, 0, sizeof *o);
    o->machine = machine_default_config();
    opterr = 0;
    optind = 0;
    while ((number = getopt_long(argc, argv, ":BShm:sv", table, &index)) != -1) {
        const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
        int code = 0;
        if (number == OPTION_LESSON && *optarg == '-') /* the option behind it */
            optind--;
        if ((number == ':' && optopt == OPTION_LESSON) || (number == OPTION_LESSON && *optarg == '-')) {
            o->lessons = true;
            continue;
        }
        if (number == '?' || number == ':')
            return no_option(word, number == ':', error, size);
        if (number == 'm')
            number = OPTION_STORAGE;
        if (number == OPTION_FACILITY && facility_count < EMU_FILES)
            facilities[facility_count++] = optarg;
        else
            code = one_option(number, optarg, o, error, size);
        if (code)
            return -EINVAL;
    }
    o->profile_given |= facility_count != 0;
    for (unsigned i = 0; i < facility_count; i++)
        if (emu_profile_change(&o->machine.profile, facilities[i], error, size))
            return -EINVAL;
    return finish(o, argc, argv, error, size);
}
