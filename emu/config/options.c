/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line, from the table of options. */
#include "emu/config/options.h"
#include "cpu/engine/engine.h"
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum option_number {
    OPTION_FIRST = 1000,
#define OPTION(id, letter, name, argument, help) OPTION_##id,
#define LATER(name, argument, what)
#include "emu/config/options.def"
#undef OPTION
#undef LATER
    OPTION_LATER,
};

static const struct option table[] = {
#define OPTION(id, letter, name, argument, help)                                                                       \
    {name, (argument) ? required_argument : no_argument, NULL, OPTION_##id},
#define LATER(name, argument, what) {name, argument, NULL, OPTION_LATER},
#include "emu/config/options.def"
#undef OPTION
#undef LATER
    {NULL, 0, NULL, 0}};

static const struct line {
    const char *name, *argument, *help;
    char letter;
    bool later;
} lines[] = {
#define OPTION(id, letter, name, argument, help) {name, argument, help, letter, false},
#define LATER(name, argument, what)              {name, NULL, what, 0, true},
#include "emu/config/options.def"
#undef OPTION
#undef LATER
};
#define LINES (sizeof lines / sizeof *lines)

void emu_options_help(FILE *out)
{
    fprintf(out, "zri [options] [IMAGE[@ADDRESS]] ...\n"
                 "IMAGE: ELF, raw binary, .ins list, object deck, Linux kernel. Without one the console opens.\n\n");
    for (unsigned i = 0; i < LINES; i++) {
        char left[48], letter[8] = "    ";
        if (lines[i].later)
            continue;
        if (lines[i].letter)
            snprintf(letter, sizeof letter, "-%c, ", lines[i].letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, lines[i].name, lines[i].argument ? " " : "",
                 lines[i].argument ? lines[i].argument : "");
        fprintf(out, "  %-34s %s\n", left, lines[i].help);
    }
}

void emu_options_manual(FILE *out)
{
    for (unsigned i = 0; i < LINES; i++) {
        if (lines[i].later)
            continue;
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

/* Options that shape the machine. */
static int machine_option(int number, char *value, struct emu_options *o, char *error, size_t size)
{
    uint64_t n;
    switch (number) {
    case OPTION_CPUS:
        if (!decimal(value, CPU_MAX, &n))
            return wrong(error, size, "cpus", value, "give a number from 1 to 64");
        o->machine.cpus = (unsigned)n;
        return 0;
    case OPTION_STORAGE:
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
        if (strcmp(value, "translate") == 0)
            return wrong(error, size, "engine", value,
                         "the translating engine is not there yet; block is the fastest one");
        if (strcmp(value, "block") && strcmp(value, "reference"))
            return wrong(error, size, "engine", value, "the engines are block and reference");
        o->machine.engine = strcmp(value, "block") ? ENGINE_REFERENCE : ENGINE_BLOCK;
        return 0;
    case OPTION_CLOCK:
        if (strcmp(value, "virtual") && strcmp(value, "host"))
            return wrong(error, size, "clock", value, "the clocks are virtual and host");
        o->machine.host_clock = strcmp(value, "host") == 0;
        o->clock_virtual = !o->machine.host_clock;
        return 0;
    case OPTION_THREADS:
        o->machine.threads = o->machine.host_clock = true;
        return 0;
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
        if (strcmp(value, "vm") && strcmp(value, "lpar") && strcmp(value, "machine"))
            return wrong(error, size, "identity", value, "the identities are vm, lpar and machine");
        o->identity = *value == 'v' ? 3 : *value == 'l' ? 2 : 1;
        return 0;
    case OPTION_DIAGNOSE:
        return diagnose_change(&o->machine.diagnose, value, error, size);
    case OPTION_CONSOLE:
        if (strcmp(value, "line") && strcmp(value, "ascii") && strcmp(value, "both"))
            return wrong(error, size, "console", value, "the consoles are line, ascii and both");
        o->machine.consoles = (uint8_t)((*value != 'a' ? SCLP_LINE_MODE : 0) | (*value != 'l' ? SCLP_ASCII : 0));
        return 0;
    default:
        return 1;
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

/* Options of scripted tests. */
static int test_option(int number, char *value, struct emu_options *o)
{
    switch (number) {
    case OPTION_TEST:
        o->test = true;
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
        code = test_option(number, value, o);
    if (code <= 0)
        return code;
    switch (number) {
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
    case OPTION_DEMO:
        o->demo = true;
        break;
    case OPTION_KERNEL:
        if (add_image(value, o, error, size))
            return -EINVAL;
        o->images[o->image_count - 1].kind = IPL_KIND_LINUX;
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
    case OPTION_LOCKSTEP:
        o->lockstep = true;
        break;
    case OPTION_TRACE:
        o->trace = value;
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
        if (strcmp(value, "options") && strcmp(value, "commands"))
            return wrong(error, size, "dump-manual", value, "the parts are options and commands");
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
    if (no_argument_given)
        snprintf(error, size, "option '%.60s' needs an argument; zri --help says which", word);
    else
        snprintf(error, size, "there is no option '%.60s' like this; zri --help lists them", word);
    return -EINVAL;
}

static int finish(struct emu_options *o, int argc, char **argv, char *error, size_t size)
{
    for (int i = optind; i < argc; i++) {
        if (o->test && o->test_count < EMU_FILES)
            o->tests[o->test_count++] = argv[i];
        else if (add_image(argv[i], o, error, size))
            return -EINVAL;
    }
    if (o->test && !o->test_count) {
        snprintf(error, size, "--test: no file is named; write zri --test FILE.zt ...");
        return -EINVAL;
    }
    const char *of_tests = o->only ? "only" : o->verbose ? "verbose" : o->tap ? "tap" : o->junit ? "junit" : NULL;
    if (of_tests && !o->test) {
        snprintf(error, size, "--%s is said of scripted tests; write zri --test FILE.zt ...", of_tests);
        return -EINVAL;
    }
    if (o->demo && o->image_count < EMU_IMAGES)
        o->images[o->image_count++].path = "builtin:demo";
    if (o->run && o->image_count) {
        snprintf(error, size, "--run: '%.80s' is the one image; leave the others out (--append gives arguments)",
                 o->run);
        return -EINVAL;
    }
    if (o->run) {
        o->images[o->image_count++].path = "builtin:linux-user";
        o->images[o->image_count].kind = IPL_KIND_ELF;
        o->images[o->image_count++].path = o->run;
    }
    const char *alone = o->lockstep        ? "lockstep"
                        : o->trace         ? "trace"
                        : o->snapshot      ? "snapshot"
                        : o->clock_virtual ? "clock virtual"
                                           : NULL;
    if (o->machine.threads && alone) {
        snprintf(error, size,
                 "--%s wants runs that can be repeated; with --threads no two runs are alike, leave it out", alone);
        return -EINVAL;
    }
    if (o->ipl && (o->image_count || o->run || o->snapshot)) {
        snprintf(error, size, "--ipl %.40s: the program comes from the device; leave image and snapshot out", o->ipl);
        return -EINVAL;
    }
    if (o->snapshot && (o->device_count || o->next_count)) {
        snprintf(error, size, "--snapshot: the saved machine has its devices; leave --device, --disk and --net out");
        return -EINVAL;
    }
    if (o->snapshot && o->image_count) {
        snprintf(error, size, "--snapshot: the saved machine has its program; leave the image out");
        return -EINVAL;
    }
    if ((o->initrd || o->append) && o->image_count == 0) {
        snprintf(error, size, "--initrd and --append belong to a Linux kernel; name one by --kernel FILE");
        return -EINVAL;
    }
    if (o->machine.cpus + o->machine.standby_cpus > CPU_MAX) {
        snprintf(error, size, "--standby-cpus: more than %u CPUs together with --cpus", CPU_MAX);
        return -EINVAL;
    }
    o->machine.cpus += o->machine.standby_cpus;
    o->machine.storage += o->machine.standby_storage;
    if (o->identity)
        o->machine.profile.level = (uint8_t)o->identity;
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
        if (number == '?' || number == ':')
            return no_option(word, number == ':', error, size);
        if (number == 's')
            return no_option("-s", false, error, size);
        if (number == OPTION_LATER) {
            snprintf(error, size, "--%s is not there yet; a later version brings %s", table[index].name,
                     lines[index].help);
            return -EINVAL;
        }
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
