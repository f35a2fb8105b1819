/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that run the machine: start, stop, step, breakpoints, traces, branch history. */
#include "cpu/control/interrupt.h"
#include "cpu/control/transaction.h"
#include "emu/console/internal.h"
#include "ri/ri.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- observing: trace and branch history ----------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void trace(struct console *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (c->trace_file)
        vfprintf(c->trace_file, format, arguments);
    else
        vfprintf(c->out, format, arguments);
    va_end(arguments);
}

static void before(void *context, struct cpu *cpu, const struct dis_insn *insn)
{
    struct console *c = context;
    char words[128], symbol[96];
    if (!c->trace_screen && !c->trace_file)
        return;
    memcpy(c->trace_gr, cpu->gr, sizeof c->trace_gr);
    dis_text(insn->bytes, cpu->insn_ia, true, words, sizeof words);
    for (char *tab = words; *tab; tab++)
        if (*tab == '\t')
            *tab = ' ';
    console_symbol(c, cpu->insn_ia, symbol, sizeof symbol);
    char hex[16] = "";
    for (unsigned i = 0; i < insn->length; i++)
        snprintf(hex + 2 * i, sizeof hex - 2 * i, "%02X", insn->bytes[i]);
    trace(c, "CPU %X %016" PRIX64 "  %-12s  %s%s%s%s\n", cpu->address, cpu->insn_ia, hex, words, *symbol ? "  <" : "",
          symbol, *symbol ? ">" : "");
}

static void after(void *context, struct cpu *cpu, const struct dis_insn *insn, int code)
{
    struct console *c = context;
    (void)insn;
    if (cpu->branched && (code == 0 || cpu_code_completes(code))) {
        c->branch_from[c->branches % CONSOLE_BRANCHES] = cpu->insn_ia;
        c->branch_to[c->branches % CONSOLE_BRANCHES] = cpu->psw.ia;
        c->branches++;
    }
    if (!c->trace_screen && !c->trace_file)
        return;
    if (code == CPU_TX_ABORT)
        trace(c, "      transaction aborted, code %" PRIu64 "\n", cpu_tx_code(cpu));
    bool any = false;
    for (unsigned i = 0; i < 16; i++) {
        if (cpu->gr[i] == c->trace_gr[i])
            continue;
        trace(c, "%s R%u=%016" PRIX64, any ? "" : "     ", i, cpu->gr[i]);
        any = true;
    }
    if (any)
        trace(c, " cc=%u\n", cpu->cc);
}

static void interruption(void *context, struct cpu *cpu, const char *kind, unsigned code)
{
    struct console *c = context;
    if (c->trace_screen || c->trace_file)
        trace(c, "CPU %X %s interruption, code %04X, old PSW %016" PRIX64 " %016" PRIX64 "\n", cpu->address, kind, code,
              cpu_psw_mask(cpu), cpu->psw.ia);
}

void console_observe(struct console *c)
{
    bool wanted = c->trace_screen || c->trace_file || c->keep_branches;
    c->observer = (struct cpu_observer){.context = c, .before = before, .after = after, .interruption = interruption};
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++) {
        struct cpu *cpu = c->machine->sys.cpus[i];
        if (wanted)
            cpu->observer = &c->observer;
        else if (cpu->observer == &c->observer)
            cpu->observer = NULL;
    }
    c->observed = wanted;
}

int console_trace(struct console *c, const char *file)
{
    FILE *f = fopen(file, "w");
    if (!f) {
        console_print(c, "cannot write the trace '%.200s': %s; name a file in a folder that you may write to\n", file,
                      strerror(errno));
        return -1;
    }
    if (c->trace_file)
        fclose(c->trace_file);
    c->trace_file = f;
    console_observe(c);
    return 0;
}

int console_cmd_trace(struct console *c, int argc, char **argv)
{
    if (argc > 2)
        return console_usage(c, "t+");
    if (c->machine->sys.threads)
        return console_fail(
            c, "t+: with --threads every CPU runs by itself and has no place in one trace; leave --threads out");
    if (argc == 2)
        return console_trace(c, argv[1]) ? console_fail(c, "t+: name a file that can be written") : 0;
    c->trace_screen = true;
    console_observe(c);
    return 0;
}

int console_cmd_untrace(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->trace_file)
        fclose(c->trace_file);
    c->trace_file = NULL;
    c->trace_screen = false;
    console_observe(c);
    return 0;
}

int console_cmd_branches(struct console *c, int argc, char **argv)
{
    uint64_t count = 16;
    if (argc > 2)
        return console_usage(c, "branches");
    if (argc == 2 && c->machine->sys.threads && strcmp(argv[1], "on") == 0)
        return console_fail(c, "branches: with --threads they are noted while stepping only; leave --threads out");
    if (argc == 2 && (strcmp(argv[1], "on") == 0 || strcmp(argv[1], "off") == 0)) {
        c->keep_branches = strcmp(argv[1], "on") == 0;
        console_observe(c);
        return 0;
    }
    if (argc == 2 && console_count(c, argv[1], &count))
        return -1;
    if (count > CONSOLE_BRANCHES)
        count = CONSOLE_BRANCHES;
    if (count > c->branches)
        count = c->branches;
    if (c->json)
        json_list(&c->facts, NULL);
    for (uint64_t i = 1; i <= count; i++) {
        uint64_t from = c->branch_from[(c->branches - i) % CONSOLE_BRANCHES],
                 to = c->branch_to[(c->branches - i) % CONSOLE_BRANCHES];
        char a[96], b[96];
        console_symbol(c, from, a, sizeof a);
        console_symbol(c, to, b, sizeof b);
        if (c->json) {
            json_object(&c->facts, NULL);
            json_hex(&c->facts, "from", from, 16);
            json_hex(&c->facts, "to", to, 16);
            json_end_object(&c->facts);
        } else {
            console_print(c, "%016" PRIX64 " -> %016" PRIX64 "  %s%s%s\n", from, to, a, *a || *b ? " -> " : "", b);
        }
    }
    if (c->json)
        json_end_list(&c->facts);
    else if (!count)
        console_print(c, "no branch was noted%s\n",
                      c->observed ? "" : "; 'branches on' begins, stepping notes them too");
    return 0;
}

/* ---- breakpoints ----------------------------------------------------------------------------------------------- */

static bool compare(uint64_t left, const char *relation, uint64_t right)
{
    if (strcmp(relation, "=") == 0)
        return left == right;
    if (strcmp(relation, "!=") == 0)
        return left != right;
    if (strcmp(relation, "<") == 0)
        return left < right;
    if (strcmp(relation, ">") == 0)
        return left > right;
    return strcmp(relation, "<=") == 0 ? left <= right : left >= right;
}

/* True when the condition of a breakpoint holds on `cpu` (or cannot be worked out). */
static bool condition_holds(struct console *c, struct cpu *cpu, const struct console_break *b)
{
    struct cpu *chosen = c->cpu;
    bool holds = true;
    c->cpu = cpu;
    for (unsigned i = 0; holds && i < b->condition_count; i++) {
        uint64_t left, right;
        if (console_value(c, b->conditions[i].left, &left) || console_value(c, b->conditions[i].right, &right))
            break; /* cannot be worked out now: let the operator look */
        holds = compare(left, b->conditions[i].relation, right);
    }
    c->cpu = chosen;
    return holds;
}

static int parse_conditions(struct console *c, int argc, char **argv, struct console_break *b)
{
    static const char *const relations[] = {"=", "!=", "<", ">", "<=", ">="};
    const unsigned most = sizeof b->conditions / sizeof *b->conditions;
    for (int i = 0; i < argc; i += 4) {
        struct console_condition *condition = &b->conditions[b->condition_count];
        uint64_t value;
        bool known = false;
        if (strcasecmp(argv[i], i ? "and" : "if") != 0 || argc < i + 4)
            return console_usage(c, "b");
        if (b->condition_count == most)
            return console_fail(c, "b: more than %u comparisons; leave some away", most);
        for (unsigned k = 0; k < sizeof relations / sizeof *relations; k++)
            known = known || strcmp(argv[i + 2], relations[k]) == 0;
        if (!known)
            return console_fail(c, "b: '%.10s' is no relation; give one of = != < > <= >= with spaces around it",
                                argv[i + 2]);
        if (strlen(argv[i + 1]) >= sizeof condition->left || strlen(argv[i + 3]) >= sizeof condition->right)
            return console_fail(c, "b: a value of the condition is longer than %zu characters",
                                sizeof condition->left - 1);
        strcpy(condition->left, argv[i + 1]);
        strcpy(condition->relation, argv[i + 2]);
        strcpy(condition->right, argv[i + 3]);
        if (console_value(c, condition->left, &value) || console_value(c, condition->right, &value))
            return -1;
        b->condition_count++;
    }
    return 0;
}

static struct console_break *break_at(struct console *c, uint64_t address)
{
    for (unsigned i = 0; i < c->break_count; i++)
        if (c->breaks[i].address == address)
            return &c->breaks[i];
    return NULL;
}

static void remove_break(struct console *c, struct console_break *b)
{
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        engine_break_remove(c->machine->sys.cpus[i], b->address);
    *b = c->breaks[--c->break_count];
}

static int add_break(struct console *c, const struct console_break *b)
{
    struct console_break *old = break_at(c, b->address);
    if (old) {
        *old = *b;
        return 0;
    }
    if (c->break_count == CONSOLE_BREAKS)
        return console_fail(c, "b: there are %d breakpoints already; remove one with b-", CONSOLE_BREAKS);
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        if (engine_break_add(c->machine->sys.cpus[i], b->address))
            return console_fail(c, "b: the host has no memory for a breakpoint");
    c->breaks[c->break_count++] = *b;
    return 0;
}

int console_cmd_break(struct console *c, int argc, char **argv)
{
    struct console_break b = {0};
    if (argc < 2)
        return console_usage(c, "b");
    if (console_value(c, argv[1], &b.address) || parse_conditions(c, argc - 2, argv + 2, &b))
        return -1;
    return add_break(c, &b);
}

int console_cmd_unbreak(struct console *c, int argc, char **argv)
{
    uint64_t address;
    if (argc != 2)
        return console_usage(c, "b-");
    if (strcasecmp(argv[1], "all") == 0) {
        while (c->break_count)
            remove_break(c, &c->breaks[0]);
        return 0;
    }
    if (console_value(c, argv[1], &address))
        return -1;
    struct console_break *b = break_at(c, address);
    if (!b)
        return console_fail(c, "b-: there is no breakpoint at %" PRIX64 "; b? lists them", address);
    remove_break(c, b);
    return 0;
}

int console_cmd_breaks(struct console *c, int argc, char **argv)
{
    char words[256];
    (void)argc;
    (void)argv;
    if (c->json)
        json_list(&c->facts, NULL);
    for (unsigned i = 0; i < c->break_count; i++) {
        const struct console_break *b = &c->breaks[i];
        char condition[600] = "";
        for (unsigned k = 0; k < b->condition_count; k++)
            snprintf(condition + strlen(condition), sizeof condition - strlen(condition), " %s %s %s %s",
                     k ? "and" : "if", b->conditions[k].left, b->conditions[k].relation, b->conditions[k].right);
        if (c->json) {
            json_object(&c->facts, NULL);
            json_hex(&c->facts, "address", b->address, 16);
            json_text(&c->facts, "condition", condition + (*condition == ' '));
            json_number(&c->facts, "hits", b->hits);
            json_end_object(&c->facts);
        } else {
            if (!console_instruction(c, b->address, words, sizeof words))
                snprintf(words, sizeof words, "%016" PRIX64, b->address);
            console_print(c, "%s%s, met %" PRIu64 " times\n", words, condition, b->hits);
        }
    }
    if (c->json)
        json_end_list(&c->facts);
    else if (!c->break_count)
        console_print(c, "no breakpoints\n");
    return 0;
}

/* ---- running --------------------------------------------------------------------------------------------------- */

void console_where(struct console *c, struct cpu *cpu)
{
    char words[256];
    struct cpu *chosen = c->cpu;
    c->cpu = cpu;
    unsigned length = console_instruction(c, cpu->psw.ia, words, sizeof words);
    c->next_u = 0;
    if (c->json) {
        json_text(&c->facts, "state", machine_state_name(cpu));
        json_number(&c->facts, "cpu", cpu->address);
        json_hex(&c->facts, "mask", cpu_psw_mask(cpu), 16);
        json_hex(&c->facts, "address", cpu->psw.ia, 16);
        if (length)
            json_text(&c->facts, "next", words + 18);
    } else {
        machine_cpu_words(cpu, words, sizeof words);
        console_print(c, "%s\n", words);
        if (console_instruction(c, cpu->psw.ia, words, sizeof words) && !(cpu->psw.mask & PSW_WAIT))
            console_print(c, "%s\n", words);
    }
    c->cpu = chosen;
}

struct watch {
    uint64_t counts[CPU_MAX][RI_STOP_COUNT];
};

static void count(const struct ri *ri, uint64_t counts[RI_STOP_COUNT])
{
#define STOP(name, word, member) counts[RI_STOP_##name] = ri->member;
    CONSOLE_RI_STOPS(STOP)
#undef STOP
}

static void watch_begin(const struct console *c, struct watch *w)
{
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        count(c->machine->sys.cpus[i]->ri, w->counts[i]);
}

/* The CPU on which what `ri stop` asked for has happened; NULL: none. */
static struct cpu *watch_met(const struct console *c, const struct watch *w)
{
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++) {
        struct cpu *cpu = c->machine->sys.cpus[i];
        uint64_t now[RI_STOP_COUNT];
        count(cpu->ri, now);
        for (unsigned k = 0; k < RI_STOP_COUNT; k++)
            if (c->ri_stop >> k & 1 && now[k] != w->counts[i][k])
                return cpu;
    }
    return NULL;
}

static void watch_cpus(struct console *c, bool on)
{
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        c->machine->sys.cpus[i]->ri_watch = on;
}

enum go_end { GO_RAN, GO_RI, GO_LIMIT };

/* One stretch of the machine, with `ri stop` in mind. */
static enum go_end observed_stretch(struct console *c, uint64_t limit)
{
    struct watch w;
    if (!c->ri_stop) {
        c->result = machine_run(c->machine, limit);
        return GO_RAN;
    }
    enum go_end end = GO_RAN;
    watch_cpus(c, true);
    watch_begin(c, &w);
    for (uint64_t done = 0; done < limit;) { /* the machine ends with a request when a CPU stored a group or halted */
        c->result = machine_run(c->machine, limit - done);
        done += c->result.instructions;
        struct cpu *met = watch_met(c, &w);
        if (met) {
            c->cpu = met;
            end = GO_RI;
            break;
        }
        if (c->result.end != MACHINE_REQUEST || !c->result.cpu)
            break;
        watch_begin(c, &w);
    }
    watch_cpus(c, false);
    return end;
}

static enum go_end stretch(struct console *c, uint64_t limit)
{
    session_lend_terminal(c->session);
    enum go_end end = observed_stretch(c, limit);
    session_take_terminal(c->session);
    return end;
}

void console_show_where(struct console *c)
{
    if (c->json)
        json_object(&c->facts, NULL);
    console_where(c, c->cpu);
    if (c->json)
        json_end_object(&c->facts);
}

static const char *end_words(const struct console *c, enum go_end end)
{
    if (end == GO_RI)
        return "run-time instrumentation: what 'ri stop' asked for has happened";
    switch (c->result.end) {
    case MACHINE_LIMIT:
        return "the limit of instructions is reached";
    case MACHINE_STOPPED:
        return "every CPU is stopped or in a disabled wait";
    case MACHINE_POWERED_OFF:
        return "the guest powered off";
    case MACHINE_IDLE:
        return "every CPU waits for what cannot come";
    case MACHINE_BREAK:
        return "breakpoint";
    default:
        return c->session->met               ? "the guest wrote what was expected"
               : c->session->deadline_struck ? "the time is over"
                                             : "interrupted from the keyboard";
    }
}

static void tell_end(struct console *c, enum go_end end)
{
    struct cpu *cpu = end == GO_RI ? c->cpu : c->result.cpu ? c->result.cpu : c->cpu;
    c->cpu = cpu;
    if (c->json) {
        json_object(&c->facts, NULL);
        json_text(&c->facts, "end", end_words(c, end));
        json_number(&c->facts, "instructions", machine_instructions(c->machine));
        console_where(c, cpu);
        json_end_object(&c->facts);
        return;
    }
    if (!c->machine->sclp.at_line_start && c->session->out == c->out)
        console_print(c, "\n");
    console_print(c, "%s, %" PRIu64 " instructions so far\n", end_words(c, end), machine_instructions(c->machine));
    console_where(c, cpu);
}

int console_go(struct console *c)
{
    enum go_end end;
    c->has_result = true;
    fflush(c->out);
    (void)session_interrupted(c->session);
    for (;;) {
        uint64_t used = machine_instructions(c->machine), limit = UINT64_MAX;
        if (c->limit)
            limit = used < c->limit ? c->limit - used : 0;
        end = stretch(c, limit);
        if (end == GO_RAN && c->result.end == MACHINE_BREAK && c->result.cpu) {
            struct console_break *b = break_at(c, c->result.cpu->psw.ia);
            if (b && !condition_holds(c, c->result.cpu, b))
                continue;
            if (b)
                b->hits++;
        }
        break;
    }
    c->session->interrupted = false;
    if (c->trace_file)
        fflush(c->trace_file);
    tell_end(c, end);
    return 0;
}

void console_start(struct console *c)
{
    c->json = c->json_always;
    session_start(c->session);
    console_go(c);
    if (c->facts.length)
        console_print(c, "%s\n", c->facts.text);
    json_clear(&c->facts);
}

/* The machine is left where it is when the words come. */
int console_cmd_expect(struct console *c, int argc, char **argv)
{
    (void)argv;
    if (argc < 2 || strlen(c->rest) >= sizeof c->session->expected)
        return console_usage(c, "expect");
    session_expect(c->session, c->rest);
    if (c->cpu->state == CPU_STATE_STOPPED)
        cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    int code = console_go(c);
    bool met = c->session->met;
    session_expect(c->session, "");
    return code || met ? code : console_fail(c, "the guest did not write it");
}

int console_cmd_go(struct console *c, int argc, char **argv)
{
    struct console_break until = {0};
    bool added = false;
    if (argc > 2)
        return console_usage(c, "g");
    if (argc == 2) {
        if (console_value(c, argv[1], &until.address))
            return -1;
        added = !break_at(c, until.address);
        if (added && add_break(c, &until))
            return -1;
    }
    if (c->cpu->state == CPU_STATE_STOPPED)
        cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    int code = console_go(c);
    if (added)
        remove_break(c, break_at(c, until.address));
    return code;
}

int console_cmd_step(struct console *c, int argc, char **argv)
{
    uint64_t count = 1;
    char words[256];
    bool kept = c->keep_branches;
    if (argc > 2)
        return console_usage(c, "s");
    if (argc == 2 && console_count(c, argv[1], &count))
        return -1;
    uint8_t state = c->cpu->state;
    if (state == CPU_STATE_CHECK_STOP)
        return console_fail(c, "s: CPU %X is in the check-stop state; only a reset brings it out", c->cpu->address);
    cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    c->keep_branches = true;
    console_observe(c);
    for (uint64_t i = 0; i < count; i++) {
        if (!c->json && count > 1 && !c->trace_screen && !(c->cpu->psw.mask & PSW_WAIT) &&
            console_instruction(c, c->cpu->psw.ia, words, sizeof words))
            console_print(c, "%s\n", words);
        unsigned end = machine_step(c->machine, c->cpu);
        if (end == ENGINE_WAIT || end == ENGINE_STOPPED || ((i & 1023) == 1023 && session_interrupted(c->session)))
            break;
    }
    c->keep_branches = kept;
    console_observe(c);
    if (state == CPU_STATE_STOPPED && c->cpu->state == CPU_STATE_OPERATING)
        cpu_set_state(c->cpu, CPU_STATE_STOPPED);
    console_show_where(c);
    return 0;
}

int console_cmd_start(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->cpu->state == CPU_STATE_CHECK_STOP)
        return console_fail(c, "start: CPU %X is in the check-stop state; only a reset brings it out", c->cpu->address);
    cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    return 0;
}

int console_cmd_stop(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->cpu->state == CPU_STATE_OPERATING)
        cpu_set_state(c->cpu, CPU_STATE_STOPPED);
    return 0;
}

int console_cmd_restart(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->cpu->state == CPU_STATE_CHECK_STOP)
        return console_fail(c, "restart: CPU %X is in the check-stop state; only a reset brings it out",
                            c->cpu->address);
    c->cpu->restart_pending = true;
    cpu_set_state(c->cpu, CPU_STATE_OPERATING);
    return 0;
}

int console_cmd_ext(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    cpu_raise_external(c->cpu, CPU_EXT_INTERRUPT_KEY);
    return 0;
}
