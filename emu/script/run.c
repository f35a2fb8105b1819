/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripted tests: instructions, the run of a case, the report. */
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/translate/translate.h"
#include "emu/script/coverage.h"
#include "emu/script/internal.h"
#include "ri/ri.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_INSTRUCTION 0x10000u
#define TARGET            0x18000u /* of EXECUTE RELATIVE LONG */
#define STORAGE           (UINT64_C(4) << 20)
#define DEFAULT_LIMIT     0x10000u
/* Instruction addresses of the new PSWs: this and the kind of interruption. They are waits, nothing is fetched
   there. */
#define MAGIC 0x5a5a0000u

/* ---- instructions ---------------------------------------------------------------------------------------------- */

static enum zt_result not_understood(struct zt_run *run, const char *why)
{
    snprintf(run->why, sizeof run->why, "%s", why);
    return ZT_NOT_UNDERSTOOD;
}

static struct zt_place *new_place(struct zt_run *run)
{
    if (run->place_count == ZT_PLACES)
        return NULL;
    struct zt_place *p = &run->places[run->place_count++];
    *p = (struct zt_place){.address = run->here, .line = run->line};
    return p;
}

/* The text of an instruction with every @LABEL replaced by its address; labels that are not known yet are `here`. */
static bool resolve_labels(struct zt_run *run, const char *text, uint64_t here, bool all, char *out, size_t size)
{
    size_t n = 0;
    while (*text) {
        uint64_t address = here;
        if (*text == '@') {
            const char *t = text;
            if (!zt_address(run, &t, &address)) {
                if (all)
                    return false;
                t = text + 1;
                while (isalnum((unsigned char)*t) || *t == '_')
                    t++;
            }
            text = t;
            n += (size_t)snprintf(out + n, size - n, "0x%" PRIx64, address);
        } else {
            out[n++] = *text++;
        }
        if (n + 24 >= size)
            return false;
    }
    out[n] = 0;
    return true;
}

static int to_bytes(struct zt_run *run, const char *text, uint64_t address, bool all, uint8_t bytes[6])
{
    char line[ZT_TEXT], why[ZT_TEXT];
    const char *t;
    if (zt_word(text, "hex", &t)) {
        int n = zt_bytes(t, bytes, 6);
        if (n == 2 || n == 4 || n == 6)
            return n;
        snprintf(run->why, sizeof run->why, "do hex needs 4, 8 or 12 hexadecimal digits");
        return -1;
    }
    if (!resolve_labels(run, text, address, all, line, sizeof line)) {
        snprintf(run->why, sizeof run->why, "a label of \"%s\" is not in this case", text);
        return -1;
    }
    int n = dis_assemble(line, address, bytes, why, sizeof why);
    if (n < 0)
        snprintf(run->why, sizeof run->why, "%s", why);
    return n;
}

static enum zt_result add_instruction(struct zt_run *run, const char *text)
{
    uint8_t bytes[6];
    struct zt_place *p = new_place(run);
    if (!p)
        return not_understood(run, "a case has at most 128 instructions and labels");
    int n = to_bytes(run, text, run->here, false, bytes);
    if (n < 0)
        return ZT_NOT_UNDERSTOOD;
    snprintf(p->text, sizeof p->text, "%s", text);
    p->length = (unsigned)n;
    if (!run->has_start) {
        run->start = run->here;
        run->has_start = true;
    }
    run->here += p->length;
    return ZT_OK;
}

static enum zt_result add_label(struct zt_run *run, const char *text, size_t length)
{
    struct zt_place *p = new_place(run);
    if (!p || length >= sizeof p->label)
        return not_understood(run, "a label has at most 31 letters, and a case at most 128 instructions and labels");
    memcpy(p->label, text, length);
    return ZT_OK;
}

enum zt_result zt_do(struct zt_run *run, const char *text)
{
    const char *t;
    uint64_t value;
    size_t n = 0;
    if (zt_word(text, "do", &t))
        return add_instruction(run, t);
    if (zt_word(text, "at", &t)) {
        if (!zt_number(&t, &value) || (value & 1) || value + 0x1000 > STORAGE)
            return not_understood(run, "at needs an even address below 3FF000");
        run->here = value;
        return ZT_OK;
    }
    static const struct {
        const char *word;
        size_t place;
    } numbers[] = {{"run", offsetof(struct zt_run, instructions)}, {"limit", offsetof(struct zt_run, limit)}};
    for (unsigned i = 0; i < 2; i++)
        if (zt_word(text, numbers[i].word, &t)) {
            if (!zt_number(&t, &value) || value == 0)
                return not_understood(run, "run and limit need a number of instructions");
            *(uint64_t *)(void *)((char *)run + numbers[i].place) = value;
            return ZT_OK;
        }
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    if (n && text[n] == ':' && zt_end(text + n + 1))
        return add_label(run, text, n);
    return ZT_NOT_MINE;
}

static struct zt_place *last_instruction(struct zt_run *run)
{
    for (unsigned i = run->place_count; i-- > 0;)
        if (!run->places[i].label[0])
            return &run->places[i];
    return NULL;
}

/* With EXECUTE RELATIVE LONG in place of the last instruction, labels behind it move. */
static void make_room_for_execute(struct zt_run *run, const struct zt_place *last)
{
    for (unsigned i = 0; i < run->place_count; i++)
        if (run->places[i].label[0] && run->places[i].address > last->address &&
            run->places[i].address <= last->address + last->length)
            run->places[i].address = last->address + 6;
}

enum zt_result zt_assemble(struct zt_run *run)
{
    struct zt_place *last = last_instruction(run);
    if (!last)
        return not_understood(run, "a case needs at least one \"do INSTRUCTION\"");
    if (run->executing)
        make_room_for_execute(run, last);
    for (unsigned i = 0; i < run->place_count; i++) {
        struct zt_place *p = &run->places[i];
        uint8_t bytes[6], *storage = run->machine->sys.storage.bytes;
        if (p->label[0])
            continue;
        bool moved = run->executing && p == last;
        run->line = p->line;
        int n = to_bytes(run, p->text, moved ? TARGET : p->address, true, bytes);
        if (n < 0)
            return ZT_NOT_UNDERSTOOD;
        memcpy(storage + (moved ? TARGET : p->address), bytes, (unsigned)n);
        if (moved) {
            put16(storage + p->address, 0xc600);
            put32(storage + p->address + 2, (uint32_t)((int64_t)(TARGET - p->address) / 2));
        }
    }
    run->last = last->address;
    run->last_next = last->address + (run->executing ? 6 : last->length);
    return ZT_OK;
}

/* ---- one run --------------------------------------------------------------------------------------------------- */

static void set_new_psws(struct machine *m)
{
    for (unsigned kind = ZT_RESTART; kind <= ZT_IO; kind++) {
        put64(m->sys.storage.bytes + 0x1a0 + 16 * (kind - 1), PSW_WAIT | PSW_EA | PSW_BA);
        put64(m->sys.storage.bytes + 0x1a8 + 16 * (kind - 1), MAGIC | kind);
    }
}

static void find_end(struct zt_run *run)
{
    struct cpu *cpu = run->cpu;
    run->end_mask = cpu_psw_mask(cpu);
    run->end_ia = cpu->psw.ia;
    run->done = cpu_instructions(cpu);
    run->interruption = ZT_NONE;
    unsigned kind = (unsigned)(cpu->psw.ia ^ MAGIC);
    if (run->result.end == MACHINE_STOPPED && (cpu->psw.mask & PSW_WAIT) && kind >= ZT_RESTART && kind <= ZT_IO &&
        cpu->psw.ia >> 16 == MAGIC >> 16) {
        const uint8_t *old = run->machine->sys.storage.bytes + cpu->prefix + 0x120 + 16 * (kind - 1);
        run->interruption = (enum zt_interruption)kind;
        run->end_mask = get64(old);
        run->end_ia = get64(old + 8);
    }
}

static enum zt_result carry_out(struct zt_run *run)
{
    struct cpu *cpu = run->cpu;
    cpu_mode_changed(cpu);
    int code = machine_start(run->machine, run->mask, run->start);
    if (code)
        return not_understood(run, "the PSW of this case is not valid; LPSWE can load such a one");
    run->before = *cpu;
    if (!run->instructions &&
        (engine_break_add(cpu, run->last_next) || (run->has_until && engine_break_add(cpu, run->until))))
        return not_understood(run, "the host has no memory for a breakpoint");
    uint64_t most = run->instructions ? run->instructions : run->limit;
    if (run->budget && *run->budget < most)
        most = *run->budget;
    run->result = machine_run(run->machine, most);
    if (run->budget)
        *run->budget -= run->result.instructions < *run->budget ? run->result.instructions : *run->budget;
    find_end(run);
    return ZT_OK;
}

#define DIFFERENCES 64u /* of a case that are told */

/* A difference between what a line expects and what came, and the runs in which it came: bits of `variants`. */
struct difference {
    unsigned line, runs;
    char text[2 * ZT_TEXT];
};

/* A case, a row, and where messages go. */
struct context {
    const char *file;
    const struct zt_case *c;
    const struct zt_row *row;
    const struct zt_listener *listener;
    struct coverage *coverage;
    struct difference *differences; /* room for DIFFERENCES */
    unsigned difference_count, runs, variant;
};

/* The runs of a case: number, words for it. */
static const char *const variants[] = {"reference engine",       "block engine",       "translator",
                                       "reference engine, EXRL", "block engine, EXRL", "translator, EXRL"};
#define VARIANTS (sizeof variants / sizeof *variants)
#define ENGINES  3u

static void report(const struct context *x, unsigned line, const char *how, const char *text)
{
    char out[4 * ZT_TEXT], row[32] = "";
    if (x->row)
        snprintf(row, sizeof row, " (row at line %u)", x->row->line);
    snprintf(out, sizeof out, "%s:%u: %s%s%s: %s", x->file, line, x->c->name, row, how, text);
    x->listener->line(x->listener->context, out);
}

/* A difference of this run; the same one of another run is told with it. */
static void note(struct context *x, unsigned line, const char *text)
{
    unsigned i = 0;
    while (i < x->difference_count && (x->differences[i].line != line || strcmp(x->differences[i].text, text) != 0))
        i++;
    if (i == DIFFERENCES)
        return;
    if (i == x->difference_count) {
        x->differences[x->difference_count++] = (struct difference){.line = line};
        snprintf(x->differences[i].text, sizeof x->differences[i].text, "%s", text);
    }
    x->differences[i].runs |= 1u << x->variant;
}

/* Each difference once; with the engines that show it, when not all of them do. */
static void report_differences(const struct context *x)
{
    for (unsigned i = 0; i < x->difference_count; i++) {
        const struct difference *d = &x->differences[i];
        char how[128] = "";
        for (unsigned v = 0; d->runs != x->runs && v < VARIANTS; v++)
            if (d->runs >> v & 1)
                snprintf(how + strlen(how), sizeof how - strlen(how), "%s%s", *how ? "; " : " [", variants[v]);
        snprintf(how + strlen(how), sizeof how - strlen(how), "%s", *how ? "]" : "");
        report(x, d->line, how, d->text);
    }
}

typedef enum zt_result step(struct zt_run *run, const char *text);

static enum zt_result set_or_do(struct zt_run *run, const char *text)
{
    const char *rest;
    enum zt_result result = zt_prepare(run, text);
    if (result == ZT_NOT_MINE)
        result = zt_set(run, text);
    if (result == ZT_NOT_MINE)
        result = zt_do(run, text);
    if (result == ZT_NOT_MINE && (zt_word(text, "expect", &rest) || zt_word(text, "until", &rest)))
        result = ZT_OK;
    if (result == ZT_NOT_MINE) {
        snprintf(run->why, sizeof run->why, "'%.*s' is not understood; zri-test(5) has the list",
                 (int)strcspn(text, " \t="), text);
        return ZT_NOT_UNDERSTOOD;
    }
    return result;
}

static enum zt_result prepare_only(struct zt_run *run, const char *text)
{
    enum zt_result result = zt_prepare(run, text);
    return result == ZT_NOT_MINE ? ZT_OK : result;
}

static enum zt_result until_only(struct zt_run *run, const char *text)
{
    const char *t;
    if (!zt_word(text, "until", &t))
        return ZT_OK;
    run->has_until = true;
    return zt_address(run, &t, &run->until) && zt_end(t) ? ZT_OK
                                                         : not_understood(run, "until needs an address or @LABEL");
}

static enum zt_result expect_only(struct zt_run *run, const char *text)
{
    const char *t;
    return zt_word(text, "expect", &t) ? zt_expect(run, t) : ZT_OK;
}

/* A line that is not understood, with its words where `why` quotes none of them. */
static void refuse(const struct context *x, unsigned line, const char *text, const char *why)
{
    char out[4 * ZT_TEXT];
    if (strchr(why, '"') || strchr(why, '\''))
        snprintf(out, sizeof out, "%s", why);
    else
        snprintf(out, sizeof out, "\"%s\": %s", text, why);
    report(x, line, "", out);
}

/* Carry out one pass over the statements. All differences are reported, the first line not understood ends it. */
static enum zt_result pass(struct zt_run *run, struct context *x, step *each)
{
    enum zt_result all = ZT_OK;
    for (unsigned i = 0; i < x->c->statements.count; i++) {
        const struct zt_statement *s = &x->c->statements.items[i];
        char text[ZT_TEXT];
        enum zt_result result;
        run->line = s->line;
        if (!zt_fill(x->c, x->row, s->text, text))
            result = not_understood(run, "a $column of this line is not in the table, or the line becomes too long");
        else
            result = each(run, text);
        if (result == ZT_DIFFERENT) {
            note(x, s->line, run->found);
            all = ZT_DIFFERENT;
        } else if (result != ZT_OK) {
            refuse(x, s->line, s->text, run->why);
            return ZT_NOT_UNDERSTOOD;
        }
    }
    return all;
}

static enum zt_result whole_run(struct zt_run *run, struct context *x)
{
    enum zt_result result = pass(run, x, set_or_do);
    if (result == ZT_OK)
        result = pass(run, x, until_only);
    if (result != ZT_OK)
        return result;
    run->line = x->c->line;
    result = zt_assemble(run);
    if (result != ZT_OK) {
        report(x, run->line, "", run->why);
        return result;
    }
    result = carry_out(run);
    if (result != ZT_OK) {
        report(x, x->c->line, "", run->why);
        return result;
    }
    result = pass(run, x, expect_only);
    if (result == ZT_NOT_UNDERSTOOD)
        return result;
    if (zt_expect_rest(run) == ZT_DIFFERENT) {
        note(x, x->c->line, run->found);
        result = ZT_DIFFERENT;
    }
    return result;
}

/* Cases are short: what can be translated is, before it is carried out the first time. */
static const struct translate_force at_once = {.heat = 1, .buffer = 1u << 18, .all = true};

/* One engine, directly or by EXECUTE RELATIVE LONG, on a machine of its own. */
static enum zt_result one_run(struct context *x, const struct zt_run *prepared, unsigned engine, bool executing)
{
    char error[ZT_TEXT];
    struct zt_run *run = malloc(sizeof *run);
    if (!run)
        return ZT_NOT_UNDERSTOOD;
    *run = *prepared;
    run->executing = executing;
    run->budget = x->listener->budget;
    run->config.engine = engine == ENGINE_TRANSLATE ? ENGINE_BLOCK : (uint8_t)engine;
    run->config.pipelined = x->listener->pipeline && engine == ENGINE_REFERENCE;
    if (run->config.pipelined)
        run->config.pipeline = *x->listener->pipeline;
    run->mask = PSW_EA | PSW_BA;
    run->here = FIRST_INSTRUCTION;
    run->limit = DEFAULT_LIMIT;
    enum zt_result result = ZT_NOT_UNDERSTOOD;
    run->machine = machine_create(&run->config, NULL, error, sizeof error);
    if (run->machine) {
        run->cpu = run->machine->sys.cpus[0];
        if (engine == ENGINE_TRANSLATE && !translator_attach(run->cpu, &at_once, error, sizeof error))
            run->cpu->engine_kind = ENGINE_TRANSLATE;
        set_new_psws(run->machine);
        if (x->coverage && engine == ENGINE_REFERENCE) {
            /* The block engine carries out the same instructions: a run on it that ends as expected has seen what this
             * one sees. */
            x->coverage->engines =
                (uint8_t)((1u << ENGINE_REFERENCE) | (prepared->engine & 2 ? 1u << ENGINE_BLOCK : 0));
            run->cpu->observer = &x->coverage->observer;
        }
        result = whole_run(run, x);
        machine_destroy(run->machine);
    } else {
        report(x, x->c->line, "", error);
    }
    free(run);
    return result;
}

static enum zt_result one_row(struct context *x)
{
    struct zt_run *prepared = calloc(1, sizeof *prepared);
    enum zt_result all = ZT_OK;
    x->differences = calloc(DIFFERENCES, sizeof *x->differences);
    x->difference_count = x->runs = 0;
    if (!prepared || !x->differences) {
        free(prepared);
        free(x->differences);
        report(x, x->c->line, "", "the host has no memory");
        return ZT_NOT_UNDERSTOOD;
    }
    prepared->config = machine_default_config();
    prepared->config.storage = STORAGE;
    prepared->engine = zt_all_engines();
    if (pass(prepared, x, prepare_only) != ZT_OK)
        all = ZT_NOT_UNDERSTOOD;
    for (unsigned variant = 0; variant < VARIANTS && all != ZT_NOT_UNDERSTOOD; variant++) {
        static const uint8_t engines[ENGINES] = {ENGINE_REFERENCE, ENGINE_BLOCK, ENGINE_TRANSLATE};
        const unsigned engine = variant % ENGINES;
        const bool executing = variant >= ENGINES;
        if (!(prepared->engine >> engine & 1) || (executing && !prepared->execute))
            continue;
        x->variant = variant;
        x->runs |= 1u << variant;
        enum zt_result result = one_run(x, prepared, engines[engine], executing);
        if (result != ZT_OK)
            all = result;
    }
    report_differences(x);
    free(x->differences);
    free(prepared);
    return all;
}

/* Is this case to be run? With `exact` only a case of that very name. */
static bool wanted(const struct zt_case *c, const char *only, bool exact)
{
    return !only || (exact ? !strcmp(c->name, only) : strstr(c->name, only) != NULL);
}

/* All rows of a case. Returns ZT_NOT_UNDERSTOOD, or ZT_OK whatever came of it. */
static enum zt_result one_case(struct context *x)
{
    const struct zt_case *c = x->c;
    for (unsigned r = 0; r < (c->column_count ? c->row_count : 1u); r++) {
        x->row = c->column_count ? &c->rows[r] : NULL;
        enum zt_result result = one_row(x);
        struct zt_outcome outcome = {x->file, c->name, c->line, x->row ? x->row->line : 0,
                                     result == ZT_OK          ? ZT_PASSED
                                     : result == ZT_DIFFERENT ? ZT_FAILED
                                                              : ZT_REFUSED};
        x->listener->done(x->listener->context, &outcome);
        if (result == ZT_NOT_UNDERSTOOD)
            return result;
    }
    return ZT_OK;
}

int zt_run_text(const char *text, size_t length, const char *name, const char *only, struct coverage *coverage,
                const struct zt_listener *listener)
{
    struct zt_file file;
    char why[ZT_TEXT], out[2 * ZT_TEXT];
    unsigned bad = zt_file_parse(text, length, &file, why, sizeof why);
    bool exact = false;
    int count = 0;
    if (bad) {
        snprintf(out, sizeof out, "%s:%u: %s", name, bad, why);
        listener->line(listener->context, out);
        return -EINVAL;
    }
    for (unsigned i = 0; only && i < file.case_count && !exact; i++)
        exact = wanted(&file.cases[i], only, true);
    for (unsigned i = 0; i < file.case_count && count >= 0; i++) {
        struct context x = {name, &file.cases[i], NULL, listener, coverage};
        if (!wanted(x.c, only, exact))
            continue;
        count++;
        if (one_case(&x) != ZT_OK)
            count = -EINVAL;
    }
    zt_file_free(&file);
    return count;
}

/* The whole file, for the caller to free. Returns 0 or a negative errno. */
static int read_file(const char *path, char **text, size_t *length)
{
    FILE *f = fopen(path, "rb");
    size_t room = 0;
    int code = f ? 0 : -errno;
    while (f && !code && !feof(f)) {
        if (*length == room) {
            room = room ? 2 * room : 65536;
            char *more = realloc(*text, room);
            if (!more) {
                code = -ENOMEM;
                break;
            }
            *text = more;
        }
        errno = EIO;
        *length += fread(*text + *length, 1, room - *length, f);
        if (ferror(f))
            code = -errno;
    }
    if (f)
        fclose(f);
    return code;
}

int zt_run_file(const char *path, const char *only, struct coverage *coverage, const struct zt_listener *listener)
{
    char *text = NULL, out[2 * ZT_TEXT];
    size_t length = 0;
    int code = read_file(path, &text, &length);
    if (code) {
        snprintf(out, sizeof out, "%s: cannot be read: %s; %s", path, strerror(-code),
                 code == -EISDIR ? "name the .zt files in it" : "name a .zt file");
        listener->line(listener->context, out);
    } else {
        code = zt_run_text(text ? text : "", length, path, only, coverage, listener);
    }
    free(text);
    return code;
}
