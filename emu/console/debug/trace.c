/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction traces. What is told of an instruction, or an interruption, is one record of text. Records go to the
   screen, to a file, or into a store of bounded size that is written to its file whenever the machine stands. */
#include "emu/console/debug/trace.h"
#include "cpu/control/observe.h"
#include "cpu/control/registers.h"
#include "cpu/control/transaction.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/told.h"
#include "emu/console/debug/debug.h"
#include "emu/console/debug/kept.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define RECORD        4096u /* longest, in characters */
#define OPERAND_BYTES 32u   /* shown of an operand */
#define RANGES        8u
#define MOST_LINES    10000000u
#define MOST_BYTES    (UINT64_C(1) << 34)

/* What is told. */
struct filter {
    uint32_t kinds; /* enum console_trace_kind; 0: everything */
    unsigned range_count;
    struct {
        uint64_t first, last;
    } ranges[RANGES];
    int cpu; /* that one alone; -1: all */
    bool in_space, operands;
    uint64_t space;
};

/* The registers of a CPU as they lie in it, by the rows of their table. */
struct registers {
    uint8_t row[CPU_REGISTER_COUNT][32 * 16];
    uint8_t cc;
};

struct console_tracing {
    struct filter filter;
    FILE *file; /* NULL: the screen */
    char name[CONSOLE_FILE];
    struct kept kept; /* kept.most_bytes or most_records: the file has what is kept */
    bool begun;       /* of the instruction that is being carried out something may be told */
    uint32_t kinds;   /* its kinds, but for branches */
    struct registers before;
    struct cpu_named_operand operands[2];
    unsigned operand_count;
    uint8_t bytes[2][OPERAND_BYTES];
    unsigned had[2];
    char record[RECORD];
    size_t used;
};

bool trace_wanted(const struct console *c) { return c->tracing; }

bool trace_wants_instructions(const struct console *c)
{
    return c->tracing && (!c->tracing->filter.kinds || c->tracing->filter.kinds & ~(uint32_t)TRACE_INTERRUPTIONS);
}

bool console_traces_to_screen(const struct console *c) { return c->tracing && !c->tracing->file; }

/* ---- records ---------------------------------------------------------------------------------------------------- */

/* The operator has asked for attention: a trace to the screen ends at once, not when the machine looks next. */
static bool muted(struct console *c)
{
    if (!c->trace_muted && session_asked(c->session))
        c->trace_muted = true;
    return c->trace_muted;
}

__attribute__((format(printf, 2, 3))) static void add(struct console_tracing *t, const char *format, ...)
{
    va_list arguments;
    if (t->used >= sizeof t->record - 1)
        return;
    va_start(arguments, format);
    const int n = vsnprintf(t->record + t->used, sizeof t->record - t->used, format, arguments);
    va_end(arguments);
    t->used += n > 0 ? (size_t)n : 0;
}

static bool bounded(const struct console_tracing *t) { return t->kept.most_bytes || t->kept.most_records; }

/* The record is told. */
static void put(struct console *c)
{
    struct console_tracing *t = c->tracing;
    if (t->used >= sizeof t->record) /* cut off: its end is still that of a line */
        t->used = sizeof t->record - 1;
    t->record[t->used] = 0;
    if (t->used)
        t->record[t->used - 1] = '\n';
    if (t->file && bounded(t))
        kept_add(&t->kept, t->record, t->used);
    else if (t->file)
        fputs(t->record, t->file);
    else if (!muted(c))
        console_print(c, "%s", t->record);
    t->used = 0;
}

/* ---- what is told ----------------------------------------------------------------------------------------------- */

static bool place_counts(const struct filter *f, const struct cpu *cpu, uint64_t ia)
{
    bool within = !f->range_count;
    for (unsigned i = 0; i < f->range_count && !within; i++)
        within = ia - f->ranges[i].first <= f->ranges[i].last - f->ranges[i].first;
    return within && (f->cpu < 0 || cpu->address == f->cpu) && (!f->in_space || console_in_space(cpu, f->space));
}

static bool stores(const struct dis_row *row) { return row->storage[0].store || row->storage[1].store; }

/* The kinds that an instruction is of, but for branches, which show behind it. */
static uint32_t kinds_of(const struct dis_insn *insn)
{
    if (insn->row == DIS_NO_ROW)
        return 0;
    const struct dis_row *row = &dis_rows[insn->row];
    return (strcmp(row->section, "14") == 0 ? TRACE_IO : 0) | (insn->row == DIS_SIGP ? TRACE_SIGP : 0) |
           (insn->row == DIS_DIAG ? TRACE_DIAGNOSE : 0) | (stores(row) ? TRACE_STORES : 0);
}

static uint64_t row_bytes(const struct cpu_register *r) { return r->stride ? r->count * r->stride : r->width / 8; }

static void keep_registers(struct console_tracing *t, const struct cpu *cpu)
{
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++)
        memcpy(t->before.row[id], (const uint8_t *)cpu + cpu_registers[id].offset, row_bytes(&cpu_registers[id]));
    t->before.cc = cpu->cc;
}

/* Bytes of an operand, as many as are shown and can be had. */
static unsigned operand_bytes(struct console *c, struct cpu *cpu, const struct cpu_named_operand *o, uint64_t length,
                              uint8_t bytes[OPERAND_BYTES])
{
    struct cpu *chosen = c->cpu;
    c->cpu = cpu;
    const unsigned had = look_fetch(c, CPU_SPACE_CURRENT, o->ar, o->address, bytes,
                                    length < OPERAND_BYTES ? (unsigned)length : OPERAND_BYTES);
    c->cpu = chosen;
    return had;
}

static void begin_operands(struct console *c, struct cpu *cpu, const struct dis_insn *insn)
{
    struct console_tracing *t = c->tracing;
    t->operand_count = insn->row == DIS_NO_ROW ? 0 : cpu_named_operands(cpu, insn, t->operands);
    for (unsigned i = 0; i < t->operand_count; i++) {
        t->had[i] = operand_bytes(c, cpu, &t->operands[i], t->operands[i].length, t->bytes[i]);
        if (t->operands[i].told && !cpu->ri_before)
            cpu->told_length = 0;
    }
}

/* The instruction that an execute-type one will carry out. False: it cannot be had. */
static bool executed(struct console *c, struct cpu *cpu, const struct dis_insn *insn, struct dis_insn *target)
{
    struct cpu *chosen = c->cpu;
    uint8_t bytes[6] = {0};
    uint64_t address;
    if (insn->row == DIS_NO_ROW || !(dis_rows[insn->row].flags & DIS_EXECUTES) ||
        !cpu_operand_address(cpu, insn, &dis_rows[insn->row].storage[0], &address))
        return false;
    c->cpu = cpu;
    const unsigned had = look_fetch(c, look_instruction_space(cpu), 0, address, bytes, sizeof bytes);
    c->cpu = chosen;
    if (had < dis_length(bytes[0]))
        return false;
    if (insn->r1)
        bytes[1] |= (uint8_t)cpu->gr[insn->r1];
    return dis_decode(bytes, target) != DIS_NO_ROW;
}

static void add_instruction(struct console *c, const struct cpu *cpu, const struct dis_insn *insn)
{
    struct console_tracing *t = c->tracing;
    char words[128], symbol[96], hex[16] = "";
    look_text(insn->bytes, cpu->insn_ia, words, sizeof words);
    look_symbol(c, cpu->insn_ia, symbol, sizeof symbol);
    for (unsigned i = 0; i < insn->length; i++)
        snprintf(hex + 2 * i, sizeof hex - 2 * i, "%02X", insn->bytes[i]);
    add(t, "CPU %X %016" PRIX64 "  %-12s  %s%s%s%s\n", cpu->address, cpu->insn_ia, hex, words, *symbol ? "  <" : "",
        symbol, *symbol ? ">" : "");
}

void trace_before(struct console *c, struct cpu *cpu, const struct dis_insn *insn)
{
    struct console_tracing *t = c->tracing;
    struct dis_insn target;
    const struct filter *f = &t->filter;
    t->begun = false;
    if (!place_counts(f, cpu, cpu->insn_ia))
        return;
    const bool executes = executed(c, cpu, insn, &target);
    t->kinds = kinds_of(executes ? &target : insn);
    if (f->kinds && !(f->kinds & (t->kinds | TRACE_BRANCHES)))
        return;
    t->begun = true;
    t->used = 0;
    keep_registers(t, cpu);
    add_instruction(c, cpu, insn);
    if (executes && f->operands) {
        char words[128];
        look_text(target.bytes, cpu->insn_ia, words, sizeof words);
        add(t, "      executes %s\n", words);
    }
    t->operand_count = 0;
    if (f->operands)
        begin_operands(c, cpu, executes ? &target : insn);
}

static void add_hex(struct console_tracing *t, const uint8_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        add(t, "%02X", bytes[i]);
}

/* "      stores 0000000000020000.4 00000001 -> 00000002" */
static void add_operands(struct console *c, struct cpu *cpu)
{
    struct console_tracing *t = c->tracing;
    for (unsigned i = 0; i < t->operand_count; i++) {
        const struct cpu_named_operand *o = &t->operands[i];
        const uint64_t length = o->told && cpu->told_length ? cpu->told_length : o->length;
        uint8_t now[OPERAND_BYTES];
        add(t, "      %s %016" PRIX64 ".%" PRIX64 " ",
            o->store && o->fetch ? "updates"
            : o->store           ? "stores"
                                 : "fetches",
            o->address, length);
        if (o->told && cpu->told_length > o->length) /* only now is it known */
            t->had[i] = operand_bytes(c, cpu, o, length, t->bytes[i]);
        add_hex(t, t->bytes[i], t->had[i]);
        if (o->store) {
            const unsigned had = operand_bytes(c, cpu, o, length, now);
            add(t, " -> ");
            add_hex(t, now, had);
        }
        add(t, "%s\n", length > OPERAND_BYTES ? " ..." : "");
    }
}

/* Register `number` of a row of the table has changed. */
static void add_register(struct console_tracing *t, struct cpu *cpu, unsigned id, unsigned number)
{
    const struct cpu_register *r = &cpu_registers[id];
    uint64_t value[2];
    char name[16];
    const uint8_t *then = t->before.row[id] + number * r->stride;
    if (!cpu_register_get(cpu, id, number, value))
        return;
    snprintf(name, sizeof name, "%s", id == CPU_REG_PSW_MASK ? "PSW" : r->name);
    for (char *at = name; *at; at++)
        *at = (char)(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
    if (r->count > 1)
        snprintf(name + strlen(name), sizeof name - strlen(name), "%u", number);
    if (id == CPU_REG_VR && number < 16 && memcmp(then + 8, &cpu->vr[number].lo, 8) == 0)
        add(t, " F%u=%016" PRIX64, number, value[0]);
    else if (r->width == 128)
        add(t, " %s=%016" PRIX64 "%016" PRIX64, name, value[0], value[1]);
    else
        add(t, " %s=%0*" PRIX64, name, r->width / 4, value[1]);
}

/* What changes by itself, or is told by the next instruction. */
static bool goes_without_saying(unsigned id)
{
    return id == CPU_REG_FPR || id == CPU_REG_PSW_ADDRESS || id == CPU_REG_BEAR || id == CPU_REG_CPU_TIMER;
}

static void add_registers(struct console_tracing *t, struct cpu *cpu)
{
    const size_t line = t->used;
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++) {
        const struct cpu_register *r = &cpu_registers[id];
        const uint8_t *now = (const uint8_t *)cpu + r->offset;
        if (goes_without_saying(id) || memcmp(now, t->before.row[id], row_bytes(r)) == 0)
            continue;
        for (unsigned n = 0; n < r->count; n++)
            if (memcmp(now + n * r->stride, t->before.row[id] + n * r->stride, r->width / 8) != 0) {
                add(t, "%s", t->used == line ? "     " : "");
                add_register(t, cpu, id, n);
            }
    }
    if (t->used != line || cpu->cc != t->before.cc)
        add(t, "%s cc=%u\n", t->used == line ? "     " : "", cpu->cc);
}

void trace_after(struct console *c, struct cpu *cpu, int code)
{
    struct console_tracing *t = c->tracing;
    const uint32_t kinds = t->filter.kinds;
    const bool done = code == 0 || cpu_code_completes(code);
    if (!t->begun)
        return;
    t->begun = false;
    if (kinds && !(t->kinds & kinds) && !(kinds & TRACE_BRANCHES && cpu->branched && done))
        return;
    if (code == CPU_TX_ABORT)
        add(t, "      transaction aborted, code %" PRIu64 "\n", cpu->tx_code);
    if (done)
        add_operands(c, cpu);
    if ((kinds & TRACE_BRANCHES) && cpu->branched && done)
        add(t, "      to %016" PRIX64 "\n", cpu->psw.ia);
    add_registers(t, cpu);
    put(c);
}

void trace_interruption(struct console *c, struct cpu *cpu, enum cpu_class class, unsigned code)
{
    struct console_tracing *t = c->tracing;
    const struct filter *f = &t->filter;
    char words[160];
    if (!place_counts(f, cpu, cpu->psw.ia) ||
        (f->kinds && !(f->kinds & TRACE_INTERRUPTIONS) && !(class == CPU_CLASS_IO && f->kinds & TRACE_IO)))
        return;
    console_class_words(class, code, words, sizeof words);
    t->used = 0;
    add(t, "CPU %X %s, old PSW %016" PRIX64 " %016" PRIX64 "\n", cpu->address, words, cpu_psw_mask(cpu), cpu->psw.ia);
    put(c);
}

/* ---- begin and end ---------------------------------------------------------------------------------------------- */

static void flush(struct console *c, bool last)
{
    struct console_tracing *t = c->tracing;
    if (!t->file)
        return;
    if (bounded(t))
        (void)kept_write(&t->kept, t->file, last); /* what is lost is told when the file ends */
    fflush(t->file);
}

void console_trace_flush(struct console *c)
{
    if (c->tracing)
        flush(c, false);
}

void console_trace_end(struct console *c)
{
    struct console_tracing *t = c->tracing;
    if (!t)
        return;
    flush(c, true);
    console_end_file(c, &t->file, "trace", t->name);
    kept_free(&t->kept);
    free(t);
    c->tracing = NULL;
}

/* "1000", "64K", "8M": a number of bytes, decimal. */
static int parse_size(struct console *c, const char *text, uint64_t *bytes)
{
    char number[24];
    const size_t n = strlen(text);
    const char unit = n ? text[n - 1] : 0;
    const unsigned shift = unit == 'K' || unit == 'k' ? 10 : unit == 'M' || unit == 'm' ? 20 : unit == 'G' ? 30 : 0;
    snprintf(number, sizeof number, "%.*s", (int)(shift ? n - 1 : n), text);
    if (console_count(c, number, bytes))
        return -1;
    if (*bytes < RECORD >> shift || *bytes > MOST_BYTES >> shift || !*bytes)
        return console_fail(c, "t+: a trace is kept in %u bytes to %uG", RECORD, (unsigned)(MOST_BYTES >> 30));
    *bytes <<= shift;
    return 0;
}

static int parse_range(struct console *c, char *text, struct filter *f)
{
    char *mark = strpbrk(text, "-.");
    const char kind = mark ? *mark : 0;
    uint64_t first, end = 1;
    if (f->range_count == RANGES)
        return console_fail(c, "t+: more than %u ranges; leave some away", RANGES);
    if (mark)
        *mark++ = 0;
    if (console_value(c, text, &first) || (mark && console_value(c, mark, &end)))
        return -1;
    const uint64_t last = kind == '-' ? end : first + end - 1;
    if (last < first || !end)
        return console_fail(c, "t+: nothing is in this range; the end comes behind the start");
    f->ranges[f->range_count].first = first;
    f->ranges[f->range_count++].last = last;
    return 0;
}

static int parse_kinds(struct console *c, char *text, struct filter *f)
{
    char *rest = NULL;
    for (const char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        const struct console_word *known = console_wants(c, "t+", "only", word);
        if (!known)
            return -1;
        f->kinds |= (uint32_t)known->value;
    }
    return f->kinds ? 0 : console_usage(c, "t+");
}

/* A word that takes a value, with it. */
static int parse_pair(struct console *c, const char *word, char *text, struct console_tracing *t)
{
    uint64_t value = 0;
    struct filter *f = &t->filter;
    if (strcasecmp(word, "only") == 0)
        return parse_kinds(c, text, f);
    if (strcasecmp(word, "range") == 0)
        return parse_range(c, text, f);
    if (strcasecmp(word, "size") == 0)
        return parse_size(c, text, &t->kept.most_bytes);
    if (strcasecmp(word, "space") == 0) {
        f->in_space = true;
        return console_value(c, text, &f->space);
    }
    if (strcasecmp(word, "last") == 0) {
        if (console_count(c, text, &t->kept.most_records))
            return -1;
        return t->kept.most_records && t->kept.most_records <= MOST_LINES
                   ? 0
                   : console_fail(c, "t+: the last 1 to %u may be kept", MOST_LINES);
    }
    if (console_hex(c, text, c->machine->sys.cpu_count - 1, &value))
        return -1;
    f->cpu = (int)value;
    return 0;
}

static int parse(struct console *c, int argc, char **argv, struct console_tracing *t)
{
    for (int i = 0; i < argc; i++) {
        const struct console_word *word = console_word(c, "t+", "", argv[i]);
        if (!word)
            return console_fail(c, "t+: '%.40s' is not one of its words (help t+); a file is named first", argv[i]);
        if (!*word->arguments)
            t->filter.operands = true;
        else if (i + 1 == argc)
            return console_usage(c, "t+");
        else if (parse_pair(c, word->word, argv[++i], t))
            return -1;
    }
    return bounded(t) && !*t->name ? console_fail(c, "t+: size and last are those of a file; name one") : 0;
}

static int open_file(struct console *c, struct console_tracing *t)
{
    t->file = *t->name ? fopen(t->name, "w") : NULL;
    if (t->file || !*t->name)
        return 0;
    return console_fail(c, "cannot write the trace '%.200s': %s; name a file in a folder that you may write to",
                        t->name, strerror(errno));
}

/* A trace as the words say begins, in the place of the one that there is. */
static int begin(struct console *c, const char *file, int argc, char **argv)
{
    if (file && strlen(file) >= CONSOLE_FILE)
        return console_fail(c, "t+: the name of the file is longer than %d characters", CONSOLE_FILE - 1);
    struct console_tracing *t = calloc(1, sizeof *t);
    if (!t)
        return console_fail(c, "t+: the host has no memory");
    t->filter.cpu = -1;
    snprintf(t->name, sizeof t->name, "%s", file ? file : "");
    if (parse(c, argc, argv, t) || open_file(c, t)) {
        free(t);
        return -1;
    }
    console_trace_end(c);
    c->tracing = t;
    console_observe(c);
    return 0;
}

int console_trace(struct console *c, const char *file, const char *words)
{
    char line[CONSOLE_LINE], *argv[CONSOLE_WORDS], *rest = NULL;
    int argc = 0;
    snprintf(line, sizeof line, "%s", words ? words : "");
    for (char *word = strtok_r(line, " \t", &rest); word && argc < CONSOLE_WORDS; word = strtok_r(NULL, " \t", &rest))
        argv[argc++] = word;
    if (!begin(c, file, argc, argv))
        return 0;
    console_print(c, "%s\n", c->error);
    return -1;
}

int console_cmd_trace(struct console *c, int argc, char **argv)
{
    if (c->machine->sys.threads)
        return console_fail(
            c, "t+: with --threads every CPU runs by itself and has no place in one trace; leave --threads out");
    const bool named = argc > 1 && !console_word(c, "t+", "", argv[1]);
    return begin(c, named ? argv[1] : NULL, argc - 1 - named, argv + 1 + named);
}

int console_cmd_untrace(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    console_trace_end(c);
    console_observe(c);
    return 0;
}
