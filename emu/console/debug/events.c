/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event log stands between the CPUs and the machine: its functions are called in the place of the machine's, call
   those, and tell what was asked and what came of it. */
#include "emu/console/debug/events.h"
#include "cpu/engine/engine.h"
#include "cpu/state/interruptions.h"
#include "cpu/state/timing.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/told.h"
#include "emu/console/debug/debug.h"
#include "emu/dev/css/look.h"
#include "emu/machine/sigp.h"
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CCWS_SHOWN 8u
#define EVENT_TEXT 640u
#define EVENT_LINE 240u /* a longer one that is kept is cut off */

/* The classes of events, with the words of the command. */
enum event_class {
#define EVENT(id, name) EVENT_##id,
#include "emu/console/debug/events.def"
    EVENT_COUNT
};
static const char *const names[] = {
#define EVENT(id, name) name,
#include "emu/console/debug/events.def"
};

struct console_events {
    struct cpu_callouts callouts;    /* the machine's, with ours in their place */
    const struct cpu_callouts *real; /* the machine's; NULL: ours are not in force */
    struct console *console;
    pthread_mutex_t lock; /* CPUs may run in threads */
    uint32_t classes;     /* bits 1 << enum event_class; 0: off */
    int cpu;              /* that one alone; -1: all */
    int64_t code;         /* events with this code alone; negative: all */
    FILE *file;           /* NULL: the screen */
    bool json;
    char name[CONSOLE_FILE];
    uint64_t told;
    uint32_t listened; /* as classes, for the listener */
    events_told *listener;
    void *listener_context;
    uint32_t keeps; /* as classes: those whose latest events are kept */
    uint64_t kept;  /* so many ever were: kept_text is a ring */
    char kept_text[EVENTS_KEPT][EVENT_LINE];
};

static uint32_t wanted_classes(const struct console_events *e) { return e->classes | e->listened | e->keeps; }

const char *events_class_name(unsigned n) { return n < EVENT_COUNT ? names[n] : NULL; }

static struct console_events *events_of(const struct cpu *cpu)
{
    return (struct console_events *)(uintptr_t)cpu->sys->callouts; /* its first member */
}

/* An event as a JSON object. */
static struct json event_json(const struct cpu *cpu, enum event_class class, int64_t code, const char *text,
                              uint64_t us)
{
    struct json j = {.length = 0};
    json_begin_object(&j, NULL);
    json_text(&j, "event", names[class]);
    json_number(&j, "cpu", cpu->address);
    json_number(&j, "microsecond", us);
    json_number(&j, "instruction", cpu_instructions(cpu));
    json_hex(&j, "address", cpu->psw.ia, 16);
    if (code >= 0)
        json_hex(&j, "code", (uint64_t)code, 4);
    json_text(&j, "text", text);
    json_end_object(&j);
    return j;
}

/* The operator's line. */
static void tell_operator(struct console_events *e, const struct cpu *cpu, enum event_class class, const char *text,
                          const char *json, uint64_t us)
{
    e->told++;
    if (e->json && e->file)
        fprintf(e->file, "%s\n", json);
    else if (e->json)
        console_print(e->console, "%s\n", json);
    else if (e->file)
        fprintf(e->file, "%10" PRIu64 " us CPU %X %s: %s\n", us, cpu->address, names[class], text);
    else
        console_print(e->console, "%10" PRIu64 " us CPU %X %s: %s\n", us, cpu->address, names[class], text);
}

static void keep_line(struct console_events *e, const struct cpu *cpu, enum event_class class, const char *text,
                      uint64_t us)
{
    snprintf(e->kept_text[e->kept++ % EVENTS_KEPT], EVENT_LINE, "%10" PRIu64 " us CPU %X %s: %.160s", us, cpu->address,
             names[class], text);
}

bool events_kept(const struct console *c, unsigned back, char *text, size_t size)
{
    const struct console_events *e = c->events;
    if (!e || back >= EVENTS_KEPT || back >= e->kept)
        return false;
    snprintf(text, size, "%s", e->kept_text[(e->kept - 1 - back) % EVENTS_KEPT]);
    return true;
}

bool events_keeps(const struct console *c) { return c->events && c->events->keeps; }

/* One event: a line. Negative code: it has none. */
__attribute__((format(printf, 5, 6))) static void tell(struct console_events *e, const struct cpu *cpu,
                                                       enum event_class class, int64_t code, const char *format, ...)
{
    char text[EVENT_TEXT];
    va_list arguments;
    const bool operators =
        e->classes >> class & 1 && (e->cpu < 0 || cpu->address == e->cpu) && (e->code < 0 || code == e->code);
    const bool listener = e->listened >> class & 1;
    const bool keeps = e->keeps >> class & 1;
    if (!operators && !listener && !keeps)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const uint64_t us = cpu_now(cpu) / CPU_TOD_MICROSECOND;
    struct json json = {.length = 0};
    if (listener || e->json)
        json = event_json(cpu, class, code, text, us);
    pthread_mutex_lock(&e->lock);
    if (operators && (json.text || !e->json))
        tell_operator(e, cpu, class, text, json.text, us);
    if (listener && json.text)
        e->listener(e->listener_context, class, json.text);
    if (keeps)
        keep_line(e, cpu, class, text, us);
    pthread_mutex_unlock(&e->lock);
    json_clear(&json);
}

static const char *failed_words(int code, char *text, size_t size)
{
    *text = 0;
    if (code)
        console_class_words(CPU_CLASS_PROGRAM, code, text, size);
    return text;
}

/* " (0:0120 9336)": the device of a subsystem-identification word; "": there is none. */
static const char *device_words(const struct cpu *cpu, uint32_t id, char text[48])
{
    const struct channel_device *d = channel_find(cpu->sys->machine, id);
    *text = 0;
    if (d)
        snprintf(text, 48, " (%u:%04X %s)", d->set, d->number, d->type->name);
    return text;
}

/* ---- what the machine is asked ---------------------------------------------------------------------------------- */

static int service_call(void *machine, struct cpu *cpu, uint32_t command, uint64_t sccb, unsigned *cc)
{
    static const struct {
        uint32_t command;
        const char *name;
    } known[] = {{0x00020001, "read SCP information"},   {0x00120001, "read SCP information, forced"},
                 {0x00010001, "read CPU information"},   {0x00100001, "deconfigure CPU"},
                 {0x00110001, "configure CPU"},          {0x00040001, "read storage information"},
                 {0x00080001, "attach storage element"}, {0x000c0001, "unassign storage"},
                 {0x000d0001, "assign storage"},         {0x00760005, "write event data"},
                 {0x00770005, "read event data"},        {0x00780005, "write event mask"}};
    struct console_events *e = events_of(cpu);
    char words[160];
    const char *name = "another command";
    const int code = e->real->service_call(machine, cpu, command, sccb, cc);
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].command == (command & ~UINT32_C(0xff00)))
            name = known[i].name;
    if (code)
        tell(e, cpu, EVENT_SCLP, command, "%s (%08X), SCCB %" PRIX64 ": %s", name, command, sccb,
             failed_words(code, words, sizeof words));
    else
        tell(e, cpu, EVENT_SCLP, command, "%s (%08X), SCCB %" PRIX64 ", cc %u", name, command, sccb, *cc);
    return code;
}

static int sigp(void *machine, struct cpu *cpu, uint16_t address, uint8_t order, uint64_t parameter, uint32_t *status,
                unsigned *cc)
{
    struct console_events *e = events_of(cpu);
    char bits[32] = "";
    const int code = e->real->sigp(machine, cpu, address, order, parameter, status, cc);
    if (!code && *cc == 1)
        snprintf(bits, sizeof bits, ", status %08X", *status);
    tell(e, cpu, EVENT_SIGP, order, "%s (%02X) to CPU %X, parameter %" PRIX64 ", cc %u%s", machine_sigp_name(order),
         order, address, parameter, *cc, bits);
    return code;
}

static const char *diagnose_name(unsigned code)
{
    switch (code) {
#define DIAGNOSE(number, offered, carry_out, text)                                                                     \
    case number:                                                                                                       \
        return text;
#include "emu/config/diagnose.def"
    default:
        return "not offered";
    }
}

static int diagnose(void *machine, struct cpu *cpu, uint16_t function, unsigned r1, unsigned r3)
{
    struct console_events *e = events_of(cpu);
    const bool notifies = function == 0x500;
    char words[160], device[48];
    const uint64_t a = cpu->gr[r1], b = cpu->gr[r3], gr2 = cpu->gr[2], gr3 = cpu->gr[3], gr1 = cpu->gr[1];
    const int code = e->real->diagnose(machine, cpu, function, r1, r3);
    if (notifies)
        tell(e, cpu, EVENT_VIRTIO, (int64_t)gr1, "%s (%" PRIu64 ") %08X%s, queue %" PRIu64 ", answer %" PRIX64,
             gr1 == 3 ? "notify" : "function", gr1, (uint32_t)gr2, device_words(cpu, (uint32_t)gr2, device), gr3,
             cpu->gr[2]);
    tell(e, cpu, EVENT_DIAGNOSE, function,
         "%03X (%s), R%u=%" PRIX64 " R%u=%" PRIX64 " became %" PRIX64 " %" PRIX64 "%s%s", function,
         diagnose_name(function), r1, a, r3, b, cpu->gr[r1], cpu->gr[r3], code ? ": " : "",
         failed_words(code, words, sizeof words));
    return code;
}

/* ---- channel programs ------------------------------------------------------------------------------------------- */

/* The program of an ORB, as far as it is in storage. */
static void program_words(const struct storage *storage, const uint8_t *orb, char *text, size_t size)
{
    const bool format1 = get32(orb + 4) >> 23 & 1;
    uint64_t at = get32(orb + 8) & 0x7fffffff;
    size_t n = (size_t)snprintf(text, size, "parameter %08X, format-%u program at %" PRIX64, get32(orb), format1, at);
    for (unsigned i = 0; i < CCWS_SHOWN && at && storage_has(storage, at, 8) && n < size; i++)
        n += css_ccw_words(storage->bytes + at, format1, at, text + n, size - n, &at);
}

static const char *const io_names[] = {
    [CPU_IO_CLEAR] = "CSCH",        [CPU_IO_HALT] = "HSCH",       [CPU_IO_RESUME] = "RSCH",
    [CPU_IO_CANCEL] = "XSCH",       [CPU_IO_RESET_PATH] = "RCHP", [CPU_IO_SET_LIMIT] = "SAL",
    [CPU_IO_SET_MONITOR] = "SCHM",  [CPU_IO_MODIFY] = "MSCH",     [CPU_IO_START] = "SSCH",
    [CPU_IO_STORE] = "STSCH",       [CPU_IO_TEST] = "TSCH",       [CPU_IO_PATH_STATUS] = "STCPS",
    [CPU_IO_REPORT_WORD] = "STCRW", [CPU_IO_PENDING] = "TPI",     [CPU_IO_CALL] = "CHSC",
    [CPU_IO_SIGNAL] = "SIGA"};

static int io(void *machine, struct cpu *cpu, enum cpu_io function, uint8_t block[CPU_IO_BLOCK], unsigned *cc)
{
    struct console_events *e = events_of(cpu);
    char words[512] = "", failed_text[160], device[48];
    const uint32_t subchannel = (uint32_t)cpu->gr[1];
    const bool shows = wanted_classes(e) >> EVENT_IO & 1;
    if (shows && function == CPU_IO_START)
        program_words(&cpu->sys->storage, block, words, sizeof words);
    if (shows && function == CPU_IO_CALL)
        snprintf(words, sizeof words, "command %04X", get16(block + 2));
    const int code = e->real->io(machine, cpu, function, block, cc);
    if (shows && !code && function == CPU_IO_TEST && *cc == 0)
        snprintf(words, sizeof words, "device status %02X, subchannel status %02X, residual count %X", block[8],
                 block[9], get16(block + 10));
    if (shows && !code && function == CPU_IO_REPORT_WORD && *cc == 0)
        snprintf(words, sizeof words, "channel-report word %08X", get32(block));
    if (code)
        tell(e, cpu, EVENT_IO, subchannel, "%s %08X: %s", io_names[function], subchannel,
             failed_words(code, failed_text, sizeof failed_text));
    else
        tell(e, cpu, EVENT_IO, subchannel, "%s %08X%s, cc %u%s%s", io_names[function], subchannel,
             device_words(cpu, subchannel, device), *cc, *words ? ", " : "", words);
    return code;
}

static bool io_take(void *machine, struct cpu *cpu, uint32_t words[3])
{
    struct console_events *e = events_of(cpu);
    const bool taken = e->real->io_take(machine, cpu, words);
    char device[48];
    if (taken && words[0])
        tell(e, cpu, EVENT_IO, words[0], "I/O interruption of subchannel %08X%s, parameter %08X, subclass %u", words[0],
             device_words(cpu, words[0], device), words[1], words[2] >> 27 & 7);
    else if (taken)
        tell(e, cpu, EVENT_IO, 0, "I/O interruption of an adapter, parameter %08X, subclass %u", words[1],
             words[2] >> 27 & 7);
    return taken;
}

static uint32_t external_condition(unsigned code)
{
    for (unsigned i = 0; i < CPU_EXTERNAL_COUNT; i++)
        if (cpu_externals[i].code == code)
            return cpu_externals[i].condition;
    return 0;
}

/* What an interruption has stored besides its code. */
static const char *parameter_words(const struct cpu *cpu, enum cpu_class class, unsigned code, char *text, size_t size)
{
    const uint8_t *low = cpu->sys->storage.bytes + cpu->prefix;
    const unsigned program = code & ~(unsigned)(PIC_PER_EVENT | PIC_TRANSACTION_ABORT);
    *text = 0;
    if (class == CPU_CLASS_EXTERNAL && external_condition(code) & (CPU_EXT_CALL | CPU_EXT_EMERGENCY))
        snprintf(text, size, " from CPU %X", get16(low + 132));
    else if (class == CPU_CLASS_EXTERNAL &&
             external_condition(code) & (CPU_EXT_SERVICE_SIGNAL | CPU_EXT_MEASUREMENT_ALERT))
        snprintf(text, size, ", parameter %08X", get32(low + 128));
    else if (class == CPU_CLASS_MACHINE_CHECK)
        snprintf(text, size, ", code %016" PRIX64, get64(low + 232));
    else if (class == CPU_CLASS_PROGRAM && program == PIC_DATA)
        snprintf(text, size, ", DXC %02X", get32(low + 144));
    else if (class == CPU_CLASS_PROGRAM && cpu_code_stores_teid((int)program))
        snprintf(text, size, ", address %" PRIX64, get64(low + 168) & PAGE_ADDRESS);
    else if (class == CPU_CLASS_PROGRAM && program == PIC_MONITOR_EVENT)
        snprintf(text, size, ", class %X, monitor code %" PRIX64, get16(low + 148), get64(low + 176));
    return text;
}

/* ---- what happens to a CPU -------------------------------------------------------------------------------------- */

void events_interruption(struct console *c, struct cpu *cpu, enum cpu_class class, unsigned code)
{
    static const uint8_t classes[] = {[CPU_CLASS_PROGRAM] = EVENT_PROGRAM,   [CPU_CLASS_SVC] = EVENT_SVC,
                                      [CPU_CLASS_EXTERNAL] = EVENT_EXTERNAL, [CPU_CLASS_IO] = EVENT_IO,
                                      [CPU_CLASS_RESTART] = EVENT_MACHINE,   [CPU_CLASS_MACHINE_CHECK] = EVENT_MACHINE};
    char words[160];
    if (!events_wanted(c) || class == CPU_CLASS_IO) /* io_take() tells more */
        return;
    char parameters[96];
    console_class_words(class, class == CPU_CLASS_RESTART ? -1 : (int64_t)code, words, sizeof words);
    tell(c->events, cpu, classes[class], code, "%s%s, old PSW %016" PRIX64 " %016" PRIX64, words,
         parameter_words(cpu, class, code, parameters, sizeof parameters), cpu_psw_mask(cpu), cpu->psw.ia);
}

void events_loaded(struct console *c, struct cpu *cpu, uint64_t mask, uint64_t ia)
{
    if (events_wanted(c))
        tell(c->events, cpu, EVENT_PSW, -1, "loaded %016" PRIX64 " %016" PRIX64, mask, ia);
}

bool events_wanted(const struct console *c) { return c->events && wanted_classes(c->events); }

/* ---- the log ---------------------------------------------------------------------------------------------------- */

void events_hook(struct console *c)
{
    struct console_events *e = c->events;
    struct cpu_system *sys = &c->machine->sys;
    if (!e)
        return;
    if (e->real && sys->callouts == &e->callouts)
        sys->callouts = e->real;
    e->real = NULL;
    if (wanted_classes(e)) {
        e->real = sys->callouts;
        e->callouts = *e->real;
        e->callouts.service_call = service_call;
        e->callouts.sigp = sigp;
        e->callouts.diagnose = diagnose;
        e->callouts.io = io;
        e->callouts.io_take = io_take;
        sys->callouts = &e->callouts;
    }
    console_observe(c);
}

void events_end(struct console *c)
{
    struct console_events *e = c->events;
    if (!e)
        return;
    e->classes = e->listened = 0;
    events_hook(c);
    console_end_file(c, &e->file, "event log", e->name);
    pthread_mutex_destroy(&e->lock);
    free(e);
    c->events = NULL;
}

/* The log, off where it is new. NULL: the host has no memory. */
static struct console_events *make_events(struct console *c)
{
    if (c->events)
        return c->events;
    c->events = calloc(1, sizeof *c->events);
    if (!c->events)
        return NULL;
    c->events->console = c;
    pthread_mutex_init(&c->events->lock, NULL);
    return c->events;
}

void events_listen(struct console *c, uint32_t classes, events_told *told, void *context)
{
    struct console_events *e = classes ? make_events(c) : c->events;
    if (!e)
        return;
    e->listener = told;
    e->listener_context = context;
    e->listened = classes;
    if (wanted_classes(e))
        events_hook(c);
    else
        events_end(c);
}

/* "io,sigp": bits of classes; 0 after console_fail(). */
static uint32_t parse_classes(struct console *c, char *text)
{
    uint32_t classes = 0;
    char *rest = NULL;
    for (const char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        const struct console_word *known = console_word(c, "events", "on", word);
        if (!known || !known->value) {
            console_wants(c, "events", "on", word);
            return 0;
        }
        classes |= (uint32_t)known->value;
    }
    return classes;
}

static int parse_file(struct console *c, const char *word, const char *name, struct console_events *wanted)
{
    if (strlen(name) >= sizeof wanted->name)
        return console_fail(c, "events: the name of the file is longer than %zu characters", sizeof wanted->name - 1);
    if (wanted->file)
        return console_fail(c, "events: one file is enough");
    wanted->file = fopen(name, "w");
    wanted->json = strcasecmp(word, "json") == 0;
    strcpy(wanted->name, name);
    return wanted->file ? 0
                        : console_fail(c,
                                       "cannot write the event log '%.200s': %s; name a file in a folder that you may "
                                       "write to",
                                       name, strerror(errno));
}

static int parse_on(struct console *c, int argc, char **argv, struct console_events *wanted)
{
    uint64_t value;
    for (int i = 2; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (more && strcasecmp(argv[i], "cpu") == 0) {
            if (console_hex(c, argv[++i], c->machine->sys.cpu_count - 1, &value))
                return -1;
            wanted->cpu = (int)value;
        } else if (more && strcasecmp(argv[i], "code") == 0) {
            if (console_hex(c, argv[++i], UINT32_MAX, &value))
                return -1;
            wanted->code = (int64_t)value;
        } else if (more && (strcasecmp(argv[i], "file") == 0 || strcasecmp(argv[i], "json") == 0)) {
            if (parse_file(c, argv[i], argv[i + 1], wanted))
                return -1;
            i++;
        } else if (wanted->classes || !(wanted->classes = parse_classes(c, argv[i]))) {
            return *c->error ? -1 : console_usage(c, "events");
        }
    }
    if (!wanted->classes)
        wanted->classes = ((uint32_t)1 << EVENT_PSW) - 1; /* the last one: all but the loads of PSWs */
    return 0;
}

int console_events_on(struct console *c, int argc, char **argv)
{
    struct console_events wanted = {.cpu = -1, .code = -1};
    if (parse_on(c, argc, argv, &wanted)) {
        console_end_file(c, &wanted.file, "event log", wanted.name);
        return -1;
    }
    struct console_events *e = make_events(c);
    if (!e) {
        console_end_file(c, &wanted.file, "event log", wanted.name);
        return console_fail(c, "events: the host has no memory");
    }
    console_end_file(c, &e->file, "event log", e->name);
    e->classes = wanted.classes;
    e->cpu = wanted.cpu;
    e->code = wanted.code;
    e->file = wanted.file;
    e->json = wanted.json || (!wanted.file && show_is_json(c));
    e->told = 0;
    strcpy(e->name, wanted.name);
    events_hook(c);
    return 0;
}

int console_events_keep(struct console *c, int argc, char **argv)
{
    const struct console_word *off = argc == 3 ? console_word(c, "events", "keep", argv[2]) : NULL;
    if (argc > 2 && !off)
        return console_usage(c, "events");
    struct console_events *e = off ? c->events : make_events(c);
    if (!e)
        return off ? 0 : console_fail(c, "events: the host has no memory");
    e->keeps = off ? 0 : ((uint32_t)1 << EVENT_PSW) - 1;
    if (wanted_classes(e))
        events_hook(c);
    else
        events_end(c);
    return 0;
}

int console_events_off(struct console *c, int argc, char **argv)
{
    (void)argv;
    struct console_events *e = c->events;
    if (argc > 2)
        return console_usage(c, "events");
    if (e && (e->listened || e->keeps)) {
        e->classes = 0;
        console_end_file(c, &e->file, "event log", e->name);
        events_hook(c);
    } else {
        events_end(c);
    }
    return 0;
}

int console_cmd_events(struct console *c, int argc, char **argv)
{
    char classes[160] = "";
    const struct console_events *e = c->events;
    if (argc > 1)
        return console_run_word(c, "events", argc, argv);
    for (unsigned i = 0; e && i < EVENT_COUNT; i++)
        if (e->classes >> i & 1)
            snprintf(classes + strlen(classes), sizeof classes - strlen(classes), "%s%s", *classes ? "," : "",
                     names[i]);
    if (e && e->classes)
        SHOW_ROW(c, "{}: {} told, to {}\n", fact_text("classes", classes), fact_number("told", e->told),
                 fact_text("to", e->file ? e->name : "the screen"), fact_flag("on", true, "", ""));
    else
        SHOW_ROW(c, "{}\n", fact_flag("on", false, "", "no events are told"));
    if (e && e->file)
        fflush(e->file);
    return 0;
}
