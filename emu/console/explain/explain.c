/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain: an instruction in sentences, with what its operands are now and what could go wrong. */
#include "disasm/explain.h"
#include "cpu/control/observe.h"
#include "cpu/control/transaction.h"
#include "cpu/storage/access.h"
#include "disasm/facility.h"
#include "emu/console/base/internal.h"
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#define BYTES_SHOWN 16u

/* The instruction that is told of. */
struct told_instruction {
    struct dis_insn insn;
    uint64_t address;
};

static const struct dis_row *row_of(const struct told_instruction *t) { return &dis_rows[t->insn.row]; }

/* ---- what it is ------------------------------------------------------------------------------------------------ */

static void show_title(struct console *c, const struct told_instruction *t)
{
    char text[128], hex[16] = "";
    look_text(t->insn.bytes, t->address, text, sizeof text);
    for (unsigned n = 0; n < t->insn.length; n++)
        snprintf(hex + 2 * n, sizeof hex - 2 * n, "%02X", t->insn.bytes[n]);
    SHOW(c, "{}  {}  {}\n", fact_hex("address", t->address, 16), fact_text("bytes", hex),
         fact_text("instruction", text));
    SHOW(c, "{}, format {}, chapter {} of the Principles of Operation\n", fact_text("name", row_of(t)->name),
         fact_text("format", dis_format_name(row_of(t)->format)), fact_text("chapter", row_of(t)->section));
}

static uint64_t bits_of(const struct dis_insn *insn, unsigned first, unsigned width)
{
    uint64_t all = 0;
    for (unsigned n = 0; n < 6; n++)
        all = all << 8 | insn->bytes[n];
    return all >> (48 - first - width) & ((UINT64_C(1) << width) - 1);
}

static const char *field_words(const struct dis_named_field *f)
{
    static const struct {
        char letter;
        const char *words;
    } kinds[] = {{'O', "operation code"}, {'R', "register"},        {'V', "vector register"},
                 {'X', "index register"}, {'B', "base register"},   {'D', "displacement"},
                 {'M', "mask"},           {'L', "length less one"}, {'I', "number in the instruction"}};
    if (strcmp(f->name, "RXB") == 0)
        return "leftmost bits of the vector registers";
    if (strncmp(f->name, "RI", 2) == 0)
        return "distance in halfwords";
    for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++)
        if (*f->name == kinds[n].letter)
            return kinds[n].words;
    return "not looked at";
}

static void show_format(struct console *c, const struct told_instruction *t)
{
    struct dis_named_field fields[DIS_FIELDS_MOST];
    const unsigned count = dis_named_fields(&t->insn, fields);
    show_list(c, "fields");
    for (unsigned n = 0; n < count; n++) {
        char bits[16];
        const unsigned first = fields[n].first, width = fields[n].width;
        snprintf(bits, sizeof bits, "%u-%u", first, first + width - 1);
        SHOW_ROW(c, "  bits {-6} {-4} {-9} {}\n", fact_text("bits", bits), fact_text("name", fields[n].name),
                 fact_hex("value", bits_of(&t->insn, first, width), (width + 3) / 4),
                 fact_text(NULL, field_words(&fields[n])));
    }
    show_end_list(c);
}

/* ---- what it works on ------------------------------------------------------------------------------------------ */

static void register_text(const struct cpu *cpu, const struct dis_named_operand *o, unsigned step, char *text,
                          size_t size)
{
    const unsigned n = o->number + step;
    switch (o->kind) {
    case DIS_NAMED_GR:
        snprintf(text, size, "general register %u = %016" PRIX64 " (%" PRId64 ")", n & 15, cpu->gr[n & 15],
                 (int64_t)cpu->gr[n & 15]);
        break;
    case DIS_NAMED_FR:
        snprintf(text, size, "floating-point register %u = %016" PRIX64, n & 15, cpu->vr[n & 15].hi);
        break;
    case DIS_NAMED_AR:
        snprintf(text, size, "access register %u = %08" PRIX32, n & 15, cpu->ar[n & 15]);
        break;
    case DIS_NAMED_CR:
        snprintf(text, size, "control register %u = %016" PRIX64, n & 15, cpu->cr[n & 15]);
        break;
    default:
        snprintf(text, size, "vector register %u = %016" PRIX64 " %016" PRIX64, n & 31, cpu->vr[n & 31].hi,
                 cpu->vr[n & 31].lo);
    }
}

/* "address 20004 = 4 + general register 3 (20000)". */
static void address_text(const struct cpu *cpu, const struct dis_named_operand *o, char *text, size_t size)
{
    uint64_t address = (uint64_t)o->value;
    char sum[200];
    snprintf(sum, sizeof sum, "%s%" PRIX64, o->value < 0 ? "-" : "", (uint64_t)(o->value < 0 ? -o->value : o->value));
    if (o->base) {
        address += cpu->gr[o->base];
        snprintf(sum + strlen(sum), sizeof sum - strlen(sum), " + register %u (%" PRIX64 ")", o->base,
                 cpu->gr[o->base]);
    }
    if (o->index && !o->vector_index) {
        address += cpu->gr[o->index];
        snprintf(sum + strlen(sum), sizeof sum - strlen(sum), " + register %u (%" PRIX64 ")", o->index,
                 cpu->gr[o->index]);
    }
    if (o->vector_index)
        snprintf(sum + strlen(sum), sizeof sum - strlen(sum), " + an element of vector register %u", o->index);
    if (o->vector_index)
        snprintf(text, size, "address %s", sum);
    else
        snprintf(text, size, "address %" PRIX64 " = %s", address & cpu->address_mask, sum);
}

static void show_operand(struct console *c, const struct told_instruction *t, const struct dis_named_operand *o,
                         unsigned number)
{
    char text[300];
    const struct cpu *cpu = c->cpu;
    if (o->kind == DIS_NAMED_VALUE)
        snprintf(text, sizeof text, "the number %" PRId64, o->value);
    else if (o->kind == DIS_NAMED_RELATIVE)
        snprintf(text, sizeof text, "address %" PRIX64 " = %" PRId64 " bytes from here",
                 (t->address + (uint64_t)o->value) & cpu->address_mask, o->value);
    else if (o->kind == DIS_NAMED_ADDRESS)
        address_text(cpu, o, text, sizeof text);
    else
        register_text(cpu, o, 0, text, sizeof text);
    SHOW_ROW(c, "  {}. {}\n", fact_number("number", number), fact_text("text", text));
    if (o->pair) {
        register_text(cpu, o, o->kind == DIS_NAMED_FR ? 2 : 1, text, sizeof text);
        SHOW_ROW(c, "     and {}\n", fact_text("text", text), fact_number("number", number));
    }
}

/* The bytes that are there now. */
static void show_contents(struct console *c, const struct cpu_named_operand *o)
{
    uint8_t bytes[BYTES_SHOWN];
    char text[2 * BYTES_SHOWN + 8] = "";
    const unsigned length = o->length < BYTES_SHOWN ? (unsigned)o->length : BYTES_SHOWN;
    const unsigned had = look_fetch(c, CPU_SPACE_CURRENT, o->ar, o->address, bytes, length);
    for (unsigned n = 0; n < had; n++)
        snprintf(text + 2 * n, sizeof text - 2 * n, "%02X", bytes[n]);
    if (had < length)
        snprintf(text + 2 * had, sizeof text - 2 * had, had ? " ..." : "nothing");
    char count[32];
    snprintf(count, sizeof count, "%" PRIu64 " byte%s", o->length, o->length == 1 ? "" : "s");
    SHOW_ROW(c, "  storage {}, {}, {}: {}{}\n", fact_hex("address", o->address, 16),
             fact_text(NULL, o->told ? "as long as it turns out" : count),
             fact_text("access", o->fetch && o->store ? "fetched and stored"
                                 : o->store           ? "stored"
                                                      : "fetched"),
             fact_text("contents", text), fact_text(NULL, o->length > BYTES_SHOWN ? " ..." : ""),
             fact_number("length", o->length));
}

static void show_operands(struct console *c, const struct told_instruction *t)
{
    struct dis_named_operand operands[DIS_OPERANDS_MOST];
    struct cpu_named_operand storage[2];
    const unsigned count = dis_named_operands(&t->insn, operands);
    show_words(c, count ? "Operands now:\n" : "It names no operands.\n");
    show_list(c, "operands");
    for (unsigned n = 0; n < count; n++)
        show_operand(c, t, &operands[n], n + 1);
    show_end_list(c);
    show_list(c, "storage");
    if (c->cpu->psw.ia == t->address)
        for (unsigned n = 0, all = cpu_named_operands(c->cpu, &t->insn, storage); n < all; n++)
            show_contents(c, &storage[n]);
    show_end_list(c);
}

/* ---- what it does ---------------------------------------------------------------------------------------------- */

static void show_conditions(struct console *c, const struct told_instruction *t)
{
    show_list(c, "conditions");
    if (row_of(t)->cc == DIS_CC_UNCHANGED)
        show_words(c, "The condition code, %u now, stays.\n", c->cpu->cc);
    else
        show_words(c, "The condition code, %u now, will be:\n", c->cpu->cc);
    for (unsigned cc = 0; cc < 4; cc++)
        if (*dis_condition(t->insn.row, cc))
            SHOW_ROW(c, "  {}  {}\n", fact_number("cc", cc), fact_text("meaning", dis_condition(t->insn.row, cc)));
    show_end_list(c);
}

/* A branch on condition: would it be taken now? */
static void show_branch(struct console *c, const struct told_instruction *t)
{
    if (!(row_of(t)->flags & DIS_BRANCHES))
        return;
    const bool on_condition = t->insn.row == DIS_BC || t->insn.row == DIS_BCR || t->insn.row == DIS_BRC ||
                              t->insn.row == DIS_BRCL || t->insn.row == DIS_BIC;
    if (!on_condition)
        return;
    struct dis_named_operand mask[DIS_OPERANDS_MOST];
    dis_named_operands(&t->insn, mask);
    const bool taken = dis_branch_class(&t->insn) && (mask[0].value & (8 >> c->cpu->cc));
    SHOW(c, "With condition code {} it {}.\n", fact_number("cc_now", c->cpu->cc),
         fact_flag("branches", taken, "branches", "does not branch"));
}

/* ---- what could go wrong --------------------------------------------------------------------------------------- */

static void risk(struct console *c, bool now, const char *name, const char *why)
{
    SHOW_ROW(c, "  {} {}: {}\n", fact_text(NULL, now ? "YES" : "no "), fact_text("exception", name),
             fact_text("why", why), fact_text("now", now ? "yes" : "no"));
}

static void show_operation(struct console *c, const struct told_instruction *t)
{
    char why[200];
    const struct dis_row *row = row_of(t);
    const bool bit = row->facility && row->facility < 240;
    const bool has = !bit || cpu_facility(&c->machine->sys, row->facility);
    if (!dis_implemented(t->insn.row))
        snprintf(why, sizeof why, "this machine does not have the instruction");
    else if (bit)
        snprintf(why, sizeof why, "facility %u (%s) is %sinstalled", row->facility, dis_facility_name(row->facility),
                 has ? "" : "not ");
    else
        snprintf(why, sizeof why, "every machine of this profile has it");
    risk(c, !has || !dis_implemented(t->insn.row), "operation", why);
}

static void show_authority(struct console *c, const struct told_instruction *t)
{
    const bool problem = c->cpu->psw.mask & PSW_PROBLEM;
    const uint64_t flags = row_of(t)->flags;
    if (flags & DIS_PRIVILEGED)
        risk(c, problem, "privileged operation",
             problem ? "it is privileged, and the CPU is in the problem state"
                     : "it is privileged, but the CPU is in the supervisor state");
}

static void show_registers(struct console *c, const struct told_instruction *t)
{
    const uint64_t flags = row_of(t)->flags;
    const bool odd = ((flags & DIS_EVEN_R1) && (t->insn.r1 & 1)) || ((flags & DIS_EVEN_R2) && (t->insn.r2 & 1)) ||
                     ((flags & DIS_EVEN_R3) && (t->insn.r3 & 1));
    const bool pair = ((flags & DIS_FP_PAIR_R1) && (t->insn.r1 & 2)) ||
                      ((flags & DIS_FP_PAIR_R2) && (t->insn.r2 & 2)) || ((flags & DIS_FP_PAIR_R3) && (t->insn.r3 & 2));
    if (flags & (DIS_EVEN_R1 | DIS_EVEN_R2 | DIS_EVEN_R3))
        risk(c, odd, "specification",
             odd ? "a pair begins with an odd register" : "its pairs begin with even registers");
    if (flags & (DIS_FP_PAIR_R1 | DIS_FP_PAIR_R2 | DIS_FP_PAIR_R3))
        risk(c, pair, "specification",
             pair ? "a pair of floating-point registers begins with 2, 3, 6, 7, 10, 11, 14 or 15"
                  : "its pairs of floating-point registers are right");
}

static void show_enabled(struct console *c, const struct told_instruction *t)
{
    const uint64_t flags = row_of(t)->flags;
    const bool afp = c->cpu->cr[0] & CR0_AFP, vector = afp && (c->cpu->cr[0] & CR0_VECTOR);
    if (flags & DIS_NEEDS_AFP)
        risk(c, !afp, "data",
             afp ? "the AFP-register control (bit 45 of control register 0) is one"
                 : "the AFP-register control (bit 45 of control register 0) is zero");
    if (flags & DIS_NEEDS_VECTOR)
        risk(c, !vector, "data",
             vector ? "vector-enablement and AFP-register control (bits 46 and 45 of control register 0) are ones"
                    : "vector-enablement or AFP-register control (bits 46 and 45 of control register 0) is zero");
    if (cpu_tx_active(c->cpu) && (flags & DIS_TX_RESTRICTED))
        risk(c, true, "transaction", "the CPU is in a transaction, and it is restricted there");
}

/* Would this access be refused? The first byte and the last are tried, as the CPU would, without a trace. */
static int try_access(struct cpu *cpu, const struct cpu_named_operand *o, uint64_t *where)
{
    const uint64_t ends[2] = {o->address, (o->address + (o->length ? o->length - 1 : 0)) & cpu->address_mask};
    const uint64_t teid = cpu->teid;
    int code = 0;
    for (unsigned n = 0; n < 2 && !code; n++) {
        uint64_t absolute;
        const struct cpu_access access = {.address = ends[n],
                                          .space = CPU_SPACE_CURRENT,
                                          .ar = o->ar,
                                          .key = (uint8_t)cpu_key(cpu),
                                          .kind = o->fetch && o->store ? CPU_UPDATE
                                                  : o->store           ? CPU_STORE
                                                                       : CPU_FETCH,
                                          .test = true};
        *where = ends[n];
        code = cpu_translate(cpu, &access, &absolute);
    }
    cpu->teid = teid;
    return code;
}

static void show_accesses(struct console *c, const struct told_instruction *t)
{
    struct cpu_named_operand storage[2];
    if (!(row_of(t)->flags & (DIS_FETCHES | DIS_STORES)))
        return;
    if (c->cpu->psw.ia != t->address) {
        risk(c, false, "access", "not known: its operands are where the registers point when it is its turn");
        return;
    }
    for (unsigned n = 0, all = cpu_named_operands(c->cpu, &t->insn, storage); n < all; n++) {
        char why[160];
        uint64_t where = 0;
        const int code = try_access(c->cpu, &storage[n], &where);
        snprintf(why, sizeof why, "%s %" PRIX64 "%s%s", storage[n].store ? "storing at" : "fetching from",
                 code ? where : storage[n].address, code ? " is refused: " : " is allowed",
                 code ? look_code_name(code) : "");
        risk(c, code != 0, "access", why);
    }
}

static void show_values(struct console *c, const struct told_instruction *t)
{
    unsigned bit;
    const char *words;
    for (unsigned n = 0; (words = dis_value_exception(t->insn.row, n, &bit)); n++) {
        const bool off = bit && !(c->cpu->psw.mask & BIT64(bit));
        SHOW_ROW(c, "  {} {}{}\n", fact_text(NULL, off ? "no " : "by its values:"), fact_text("exception", words),
                 fact_text(NULL, off ? "; now the bit of the program mask for it is zero" : ""),
                 fact_text("now", off ? "no" : "depends"));
    }
}

static void show_risks(struct console *c, const struct told_instruction *t)
{
    show_words(c, "Could it be refused?\n");
    show_list(c, "exceptions");
    show_operation(c, t);
    show_authority(c, t);
    show_registers(c, t);
    show_enabled(c, t);
    show_accesses(c, t);
    show_values(c, t);
    show_end_list(c);
}

/* ---- the command ----------------------------------------------------------------------------------------------- */

static void show_instruction(struct console *c, const struct told_instruction *t)
{
    char text[600];
    show_object(c, NULL);
    show_title(c, t);
    show_format(c, t);
    dis_explain(&t->insn, text, sizeof text);
    SHOW(c, "{}\n", fact_text("does", text));
    show_operands(c, t);
    show_branch(c, t);
    show_conditions(c, t);
    show_risks(c, t);
    show_end_object(c);
}

/* The instruction at an address. */
static int explain_address(struct console *c, uint64_t address)
{
    struct told_instruction t = {.address = address};
    uint8_t bytes[6] = {0};
    const unsigned had = look_fetch(c, look_instruction_space(c->cpu), 0, address, bytes, sizeof bytes);
    if (had < 2 || had < dis_length(bytes[0]))
        return console_fail(c,
                            "explain: there is no instruction at %" PRIX64 ": no storage, or no translation; "
                            "translate %" PRIX64 " shows why",
                            address, address);
    if (dis_decode(bytes, &t.insn) == DIS_NO_ROW)
        return console_fail(c, "explain: %02X%02X at %" PRIX64 " is no instruction: it would be an operation exception",
                            bytes[0], bytes[1], address);
    show_instruction(c, &t);
    return 0;
}

/* An instruction as text, as if it came next. */
static int explain_text(struct console *c, const char *line)
{
    struct told_instruction t = {.address = c->cpu->psw.ia};
    uint8_t bytes[6] = {0};
    char why[256];
    if (dis_assemble(line, t.address, bytes, why, sizeof why) < 0)
        return console_fail(c, "explain: %s", why);
    dis_decode(bytes, &t.insn);
    show_instruction(c, &t);
    return 0;
}

int console_cmd_explain(struct console *c, int argc, char **argv)
{
    uint64_t address = c->cpu->psw.ia;
    if (argc > 1) {
        const struct console_word *word = console_word(c, "explain", "", argv[1]);
        if (word && word->run)
            return word->run(c, argc, argv);
        if (argc > 2 || (dis_find(argv[1]) != DIS_NO_ROW && argv[1][strspn(argv[1], "0123456789abcdefABCDEF")]))
            return explain_text(c, c->rest);
        if (console_value(c, argv[1], &address))
            return -1;
    }
    return explain_address(c, address);
}
