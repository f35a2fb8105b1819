/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace: histories as text, carried out by the unit; streams as bytes, read by the decoder. For et.py, which
   has the second model do the same and compares.

     et unit      lines on stdin as et_history.py says; at each `end' one answer: "log N", N bytes of what `write',
   `all', `output' and `show' told, "container N", N bytes et facts     lines `number CLASS CODE', `reset INDEX', `wrong
   HOST-CLOCK VALUE*19', answered line by line et decode    "stream N", N bytes; the answer is lines of events and
   diagnostics and "end"; again until stdin ends */
#include "ri/trace/decode.h"
#include "ri/trace/filter.h"
#include "ri/trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#define CPUS     256
#define NUMBERS  24
#define FLOATING 0xffff

struct bytes {
    uint8_t *at;
    size_t size, room;
};

struct world {
    struct et_machine *machine;
    unsigned cpus;
    uint64_t ticks[CPUS][4];
    bool attention[CPUS];
    struct bytes log, container;
};

static void die(const char *why)
{
    fprintf(stderr, "et: %s\n", why);
    exit(2);
}

static void put(struct bytes *to, const void *bytes, size_t size)
{
    if (to->room - to->size < size) {
        to->room = (to->size + size) * 2;
        to->at = realloc(to->at, to->room);
        if (!to->at) {
            die("no memory");
        }
    }
    memcpy(to->at + to->size, bytes, size);
    to->size += size;
}

/* ---- what the unit is handed ------------------------------------------------------------------------------------- */

static uint64_t ticks(void *context, unsigned cpu, enum et_clock clock)
{
    return ((struct world *)context)->ticks[cpu % CPUS][clock];
}

static uint64_t instructions(void *context, unsigned cpu)
{
    return ((struct world *)context)->ticks[cpu % CPUS][ET_CLOCK_INSN];
}

static void attention(void *context, unsigned cpu, bool wanted)
{
    ((struct world *)context)->attention[cpu % CPUS] = wanted;
}

static int keep(void *context, const uint8_t *bytes, size_t size)
{
    put(&((struct world *)context)->container, bytes, size);
    return 0;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

struct line {
    char word[16];
    uint64_t number[NUMBERS];
    unsigned count;
    struct et_info info;
};

static void give(struct et_info *info, unsigned tag, uint64_t value)
{
    info->given |= 1u << tag;
    switch (tag) {
    case ET_INFO_CODE:
        info->code = value;
        break;
    case ET_INFO_ILC:
        info->ilc = (uint8_t)value;
        break;
    case ET_INFO_PARAMETER:
        info->parameter = value;
        break;
    case ET_INFO_CPU_ADDRESS:
        info->cpu_address = (uint16_t)value;
        break;
    case ET_INFO_IO_WORD:
        info->io_word = (uint32_t)value;
        break;
    case ET_INFO_FLAGS:
        info->flags = (uint8_t)value;
        break;
    case ET_INFO_DXC:
        info->dxc = (uint8_t)value;
        break;
    case ET_INFO_ASN:
        info->asn = (uint16_t)value;
        break;
    case ET_INFO_BEAR:
        info->bear = value;
        break;
    default:
        break;
    }
}

static void parse(char *text, struct line *line)
{
    char *rest = NULL, *word = strtok_r(text, " \n", &rest);

    memset(line, 0, sizeof *line);
    snprintf(line->word, sizeof line->word, "%s", word ? word : "");
    while ((word = strtok_r(NULL, " \n", &rest))) {
        char *end;
        uint64_t value = strtoull(word, &end, 16);

        if (*end == ':') {
            give(&line->info, (unsigned)value & 31, strtoull(end + 1, NULL, 16));
        } else if (line->count < NUMBERS) {
            line->number[line->count++] = value;
        }
    }
}

static void show(struct world *world, struct et_cpu *cpu, unsigned n)
{
    struct et_accounts a;
    char text[512];

    et_accounts(cpu, &a);
    put(&world->log, text,
        (size_t)snprintf(text, sizeof text,
                         "accounts %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
                         " held %x depth %x current %x attention %x\n",
                         a.detected, a.filtered, a.emitted, a.lost, a.reloads_in_normal, a.reloads_in_handler,
                         (unsigned)(et_read(cpu, ETST) >> 2 & 1), et_depth(cpu), et_current(cpu), world->attention[n]));
    for (unsigned i = 0; i < et_depth(cpu); i++) {
        struct et_frame_view f;

        if (et_frame(cpu, i, &f)) {
            put(&world->log, text,
                (size_t)snprintf(text, sizeof text, "frame %x %x %" PRIx64 " %" PRIx64 "\n", f.en, f.interrupted,
                                 f.old.mask, f.old.address));
        }
    }
    for (unsigned en = 0; en < ET_NUMBERS; en++) {
        const struct et_count *c = et_count(cpu, en);

        if (c->entries | c->exits | c->returns | c->tail_chains | c->late_arrivals) {
            put(&world->log, text,
                (size_t)snprintf(text, sizeof text,
                                 "count %x: %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
                                 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n",
                                 en, c->entries, c->exits, c->returns, c->tail_chains, c->late_arrivals, c->gross,
                                 c->self, c->gross_max, c->self_max));
        }
    }
}

static void judged(struct world *world, const char *refused)
{
    const char *word = refused ? "refused\n" : "accepted\n";

    put(&world->log, word, strlen(word));
}

static void begin(struct world *world, const struct line *line)
{
    const struct et_host host = {
        .context = world, .clock = ticks, .instructions = instructions, .attention = attention, .write = keep};
    const struct et_limits limits = {.host_clock = line->number[1] != 0};

    memset(world->ticks, 0, sizeof world->ticks);
    memset(world->attention, 0, sizeof world->attention);
    world->log.size = world->container.size = 0;
    world->cpus = (unsigned)line->number[0];
    world->machine = et_machine_new(world->cpus, &host, &limits);
    if (!world->machine) {
        die("no machine");
    }
}

static void answer(const struct world *world)
{
    printf("log %zu\n", world->log.size);
    if (world->log.size) {
        fwrite(world->log.at, 1, world->log.size, stdout);
    }
    printf("container %zu\n", world->container.size);
    if (world->container.size) {
        fwrite(world->container.at, 1, world->container.size, stdout);
    }
    fflush(stdout);
}

static void end(struct world *world)
{
    et_finish(world->machine);
    et_machine_free(world->machine);
    world->machine = NULL;
    answer(world);
}

/* Hooks of a CPU. */
static bool hook(struct world *world, struct et_cpu *cpu, const struct line *line)
{
    const char *word = line->word;
    const uint64_t *n = line->number;

    if (!strcmp(word, "entry")) {
        et_entry(cpu, (enum et_class)n[1], n[2], (struct et_psw){n[3], n[4]}, (struct et_psw){n[5], n[6]}, &line->info);
    } else if (!strcmp(word, "reload")) {
        et_reload(cpu, (enum et_insn)n[1], (struct et_psw){n[2], n[3]});
    } else if (!strcmp(word, "boundary")) {
        if (world->attention[n[0] % CPUS]) {
            et_boundary(cpu, (struct et_psw){n[1], n[2]});
        } else {
            put(&world->log, "no attention\n", 13);
        }
    } else if (!strcmp(word, "tpi")) {
        et_tpi(cpu, (unsigned)n[1], (uint32_t)n[2]);
    } else if (!strcmp(word, "state")) {
        et_state(cpu, (unsigned)n[1]);
    } else if (!strcmp(word, "mark")) {
        et_mark(cpu, n[1]);
    } else {
        return false;
    }
    return true;
}

/* What configures and asks. */
static bool control(struct world *world, struct et_cpu *cpu, const struct line *line)
{
    const char *word = line->word;
    const uint64_t *n = line->number;

    if (!strcmp(word, "flush")) {
        et_flush(cpu);
    } else if (!strcmp(word, "write")) {
        judged(world, et_write(cpu, (unsigned)n[1], n[2], (enum et_by)n[3]));
    } else if (!strcmp(word, "output")) {
        judged(world, et_output(cpu, n[1] != 0, (enum et_by)n[2]));
    } else if (!strcmp(word, "all")) {
        struct et_config config;

        memcpy(config.reg, n + 2, sizeof config.reg);
        judged(world, et_configure(cpu, &config, (enum et_by)n[1]));
    } else if (!strcmp(word, "show")) {
        show(world, cpu, (unsigned)n[0]);
    } else {
        return false;
    }
    return true;
}

static void play(struct world *world, char *text)
{
    struct line line;
    struct et_cpu *cpu;

    parse(text, &line);
    if (!strcmp(line.word, "new")) {
        begin(world, &line);
        return;
    }
    if (!world->machine) {
        die("a history begins with `new'");
    }
    if (!strcmp(line.word, "end")) {
        end(world);
    } else if (!strcmp(line.word, "request")) {
        et_request(world->machine, line.number[0] == FLOATING ? -1 : (int)line.number[0], (enum et_class)line.number[1],
                   line.number[2], &line.info, line.number[3] != 0);
    } else if (!strcmp(line.word, "time")) {
        memcpy(world->ticks[line.number[0] % CPUS], line.number + 1, sizeof world->ticks[0]);
    } else {
        cpu = et_machine_cpu(world->machine, (unsigned)line.number[0]);
        if (!cpu || !(hook(world, cpu, &line) || control(world, cpu, &line))) {
            fprintf(stderr, "et: %s %" PRIx64 ": not understood\n", line.word, line.number[0]);
            exit(2);
        }
    }
}

/* ---- decoder ----------------------------------------------------------------------------------------------------- */

static void told(void *context, const struct et_event *e)
{
    (void)context;
    printf("event %u source %u index %" PRIu64 " offset %" PRIu64 " time %d %" PRIu64 " en %d %x flags %x depth %u",
           (unsigned)e->kind, e->source, e->index, e->offset, e->time_known, e->time, e->en_known,
           e->en_known ? e->en : 0, e->flags, e->depth);
    printf(" old %d %" PRIx64 " new %d %" PRIx64 " return %d %" PRIx64, e->old_known, e->old_known ? e->old_address : 0,
           e->new_known, e->new_known ? e->new_address : 0, e->return_known, e->return_known ? e->return_address : 0);
    printf(" durations %d %" PRIu64 " %" PRIu64 " latency %d %" PRIu64 " start %d %" PRIu64, e->durations,
           e->durations ? e->gross : 0, e->durations ? e->self : 0, e->latency_known, e->latency_known ? e->latency : 0,
           e->start_known, e->start_known ? e->start_latency : 0);
    printf(" value %" PRIx64 " reg %u given", e->value, e->reg);
    for (unsigned tag = 1; tag <= ET_INFO_BEAR; tag++) {
        if (e->given >> tag & 1) {
            printf(" %x:%" PRIx64, tag, e->info[tag]);
        }
    }
    printf(" numbers");
    for (size_t i = 0; i < e->count; i++) {
        printf(" %" PRIx64, e->numbers[i]);
    }
    printf("\n");
}

static void diagnosed(void *context, const struct et_diagnostic *d)
{
    (void)context;
    printf("diagnostic %u source %u offset %" PRIu64 " length %" PRIu64 " text %s\n", d->code, d->source, d->offset,
           d->length, d->text);
}

/* Pieces of ever other sizes, as a pipe brings them. */
static void decode(const uint8_t *bytes, size_t size)
{
    const struct et_decoder_calls calls = {.event = told, .diagnostic = diagnosed};
    const struct et_decoder_options options = {0};
    struct et_decoder *decoder = et_decoder_new(&calls, &options);
    struct et_decoder_sums sums;
    size_t done = 0, piece = size % 7 + 1;

    if (!decoder) {
        die("no decoder");
    }
    while (done < size) {
        size_t n = size - done < piece ? size - done : piece;

        if (et_decoder_push(decoder, bytes + done, n)) {
            die("no memory");
        }
        done += n;
        piece = piece * 5 % 61 + 1;
    }
    et_decoder_end(decoder);
    et_decoder_sums(decoder, &sums);
    printf("sums input %" PRIu64 " packets %" PRIu64 " reported %" PRIu64 " events %" PRIu64 " lost %" PRIu64
           " segments %" PRIu64 "\nend\n",
           sums.input, sums.packets, sums.reported, sums.events, sums.lost, sums.segments);
    fflush(stdout);
    et_decoder_free(decoder);
}

static void decode_all(void)
{
    char text[64];
    size_t size;

    while (fgets(text, sizeof text, stdin) && sscanf(text, "stream %zu", &size) == 1) {
        uint8_t *bytes = malloc(size + 1);

        if (!bytes || fread(bytes, 1, size, stdin) != size) {
            die("a stream that is not all there");
        }
        decode(bytes, size);
        free(bytes);
    }
}

/* ---- filter ------------------------------------------------------------------------------------------------------ */

static void filter(struct world *world, const struct et_config *config, const uint8_t *bytes, size_t size)
{
    struct et_filter *filter = et_filter_new(config, keep, world);
    int wrong;

    if (!filter) {
        die("no filter");
    }
    world->log.size = world->container.size = 0;
    wrong = et_filter_push(filter, bytes, size / 3);
    wrong = wrong ? wrong : et_filter_push(filter, bytes + size / 3, size - size / 3);
    wrong = wrong ? wrong : et_filter_end(filter);
    if (wrong) {
        const char *why = et_filter_error(filter);

        put(&world->log, why ? why : "it fails", strlen(why ? why : "it fails"));
        put(&world->log, "\n", 1);
    }
    et_filter_free(filter);
    answer(world);
}

static void filter_all(struct world *world, char *text, int size)
{
    struct et_config config;
    struct line line;
    size_t bytes;

    while (fgets(text, size, stdin)) {
        parse(text, &line);
        memcpy(config.reg, line.number, sizeof config.reg);
        if (!fgets(text, size, stdin) || sscanf(text, "stream %zu", &bytes) != 1) {
            die("no stream follows the configuration");
        }
        uint8_t *stream = malloc(bytes + 1);
        if (!stream || fread(stream, 1, bytes, stdin) != bytes) {
            die("a stream that is not all there");
        }
        filter(world, &config, stream, bytes);
        free(stream);
    }
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */

static void fact(const struct line *line)
{
    const uint64_t *n = line->number;

    if (!strcmp(line->word, "number")) {
        unsigned en = et_number((enum et_class)n[0], n[1]);

        printf("%x %u\n", en, (unsigned)et_number_class(en));
    } else if (!strcmp(line->word, "reset")) {
        printf("%" PRIx64 "\n", et_register_reset((unsigned)n[0]));
    } else if (!strcmp(line->word, "wrong")) {
        const struct et_limits limits = {.host_clock = n[0] != 0};
        struct et_config config;

        memcpy(config.reg, n + 1, sizeof config.reg);
        printf("%s\n", et_config_wrong(&config, &limits) ? "refused" : "accepted");
    } else {
        die("a fact that is not known");
    }
}

static void facts(char *text, int size)
{
    struct line line;

    while (fgets(text, size, stdin)) {
        parse(text, &line);
        fact(&line);
    }
}

int main(int argc, char **argv)
{
    static struct world world;
    static char text[2048];

    if (argc == 2 && !strcmp(argv[1], "facts")) {
        facts(text, sizeof text);
    } else if (argc == 2 && !strcmp(argv[1], "filter")) {
        filter_all(&world, text, sizeof text);
    } else if (argc == 2 && !strcmp(argv[1], "decode")) {
        decode_all();
    } else if (argc == 2 && !strcmp(argv[1], "unit")) {
        while (fgets(text, sizeof text, stdin)) {
            play(&world, text);
        }
        free(world.log.at);
        free(world.container.at);
    } else {
        die("say unit, facts, filter or decode");
    }
    return 0;
}
