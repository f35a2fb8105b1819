/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripted tests: what is expected at the end. */
#include "cpu/control/registers.h"
#include "cpu/state/interruptions.h"
#include "cpu/state/timing.h"
#include "emu/script/internal.h"
#include "ri/text.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum zt_result say(struct zt_run *run, enum zt_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static enum zt_result say(struct zt_run *run, enum zt_result result, const char *format, ...)
{
    va_list arguments;
    char *to = result == ZT_DIFFERENT ? run->found : run->why;
    va_start(arguments, format);
    vsnprintf(to, sizeof run->why, format, arguments);
    va_end(arguments);
    return result;
}

static const uint8_t *low(const struct zt_run *run) { return run->machine->sys.storage.bytes + run->cpu->prefix; }

static const char *interruption_name(enum zt_interruption kind)
{
    static const char *const names[] = {"no interruption", "restart",       "external", "svc",
                                        "program",         "machine check", "i/o"};
    return names[kind];
}

/* Words for how the case ended. */
static const char *end_text(const struct zt_run *run, char *text, size_t size)
{
    const uint8_t *s = low(run);
    char name[96];
    switch (run->interruption) {
    case ZT_PROGRAM:
        cpu_program_name(get16(s + 142), name, sizeof name);
        snprintf(text, size, "program %X ilc %X%s%s%s", get16(s + 142), get16(s + 140), *name ? " (" : "", name,
                 *name ? ")" : "");
        break;
    case ZT_SVC:
        snprintf(text, size, "svc %X", get16(s + 138));
        break;
    case ZT_EXTERNAL:
        snprintf(text, size, "external %X (%s)", get16(s + 134),
                 cpu_external_name(get16(s + 134)) ? cpu_external_name(get16(s + 134)) : "no name");
        break;
    case ZT_NONE:
        snprintf(text, size, "%s at %" PRIX64,
                 run->result.end == MACHINE_STOPPED ? machine_state_name(run->cpu)
                 : run->result.end == MACHINE_LIMIT ? "no end, the limit was reached"
                 : run->result.end == MACHINE_IDLE  ? "enabled wait"
                                                    : "no interruption",
                 run->end_ia);
        break;
    default:
        snprintf(text, size, "%s", interruption_name(run->interruption));
    }
    return text;
}

/* ---- interruptions and states ---------------------------------------------------------------------------------- */

static enum zt_result expect_interruption(struct zt_run *run, const char *text)
{
    static const struct {
        const char *word;
        enum zt_interruption kind;
        unsigned code; /* real address of the code, 0: none */
    } kinds[] = {{"program", ZT_PROGRAM, 142},           {"svc", ZT_SVC, 138},
                 {"external", ZT_EXTERNAL, 134},         {"restart", ZT_RESTART, 0},
                 {"machine check", ZT_MACHINE_CHECK, 0}, {"i/o", ZT_IO, 0},
                 {"no interruption", ZT_NONE, 0}};
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *t;
        uint64_t code, ilc;
        char ended[ZT_TEXT];
        if (!zt_word(text, kinds[i].word, &t))
            continue;
        run->named_interruption = true;
        if (kinds[i].code && !zt_number(&t, &code))
            return say(run, ZT_NOT_UNDERSTOOD, "expect %s needs a code", kinds[i].word);
        bool has_ilc = kinds[i].kind == ZT_PROGRAM && zt_word(t, "ilc", &t);
        if (has_ilc && !zt_number(&t, &ilc))
            return say(run, ZT_NOT_UNDERSTOOD, "ilc is 0, 2, 4 or 6");
        if (!zt_end(t))
            return say(run, ZT_NOT_UNDERSTOOD, "there is more on this line than was looked for: %s", t);
        if (has_ilc && run->executing && ilc)
            ilc = 6;
        bool same = run->interruption == kinds[i].kind && (!kinds[i].code || get16(low(run) + kinds[i].code) == code) &&
                    (!has_ilc || get16(low(run) + 140) == ilc);
        return same ? ZT_OK : say(run, ZT_DIFFERENT, "expected %s, found %s", text, end_text(run, ended, sizeof ended));
    }
    return ZT_NOT_MINE;
}

static enum zt_result expect_state(struct zt_run *run, const char *text)
{
    char ended[ZT_TEXT];
    bool waits = run->cpu->psw.mask & PSW_WAIT, operating = run->cpu->state == CPU_STATE_OPERATING;
    bool is;
    if (!strcmp(text, "wait"))
        is = operating && waits && run->interruption == ZT_NONE;
    else if (!strcmp(text, "stopped"))
        is = run->cpu->state == CPU_STATE_STOPPED;
    else if (!strcmp(text, "check-stop"))
        is = run->cpu->state == CPU_STATE_CHECK_STOP;
    else
        return ZT_NOT_MINE;
    return is ? ZT_OK : say(run, ZT_DIFFERENT, "expected %s, found %s", text, end_text(run, ended, sizeof ended));
}

static enum zt_result expect_ri(struct zt_run *run, const char *text)
{
    const char *t;
    uint64_t value;
    char name[16];
    unsigned n = 0;
    struct ri *ri = run->cpu->ri;
    if (!zt_word(text, "ri", &t))
        return ZT_NOT_MINE;
    if (!strcmp(t, "active") || !strcmp(t, "off") || !strcmp(t, "halted") || !strcmp(t, "stopped")) {
        const char *state = ri_state_name(ri);
        return !strncmp(state, t, strlen(t)) ? ZT_OK : say(run, ZT_DIFFERENT, "expected RI %s, found %s", t, state);
    }
    while (*t && *t != ' ' && *t != '=' && n + 1 < sizeof name)
        name[n++] = *t++;
    name[n] = 0;
    struct ri_controls expected = ri->controls;
    if (!zt_equals(&t) || !zt_number(&t, &value) || !zt_end(t) || !ri_controls_set(&expected, name, value))
        return say(run, ZT_NOT_UNDERSTOOD, "a control is expected as expect ri FIELD = VALUE");
    uint8_t a[RI_BLOCK_SIZE], b[RI_BLOCK_SIZE];
    ri_controls_encode(&expected, a);
    ri_controls_encode(&ri->controls, b);
    if (!memcmp(a, b, sizeof a))
        return ZT_OK;
    for (n = 0; a[n] == b[n];)
        n++;
    n &= ~7u;
    return say(run, ZT_DIFFERENT, "expected %s in control-block bytes %X-%X: %016" PRIX64 ", found %016" PRIX64, name,
               n, n + 7, get64(a + n), get64(b + n));
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

static enum zt_result compare(struct zt_run *run, const char *what, const char *t, uint64_t found)
{
    uint64_t expected;
    const char *rest;
    if (zt_word(t, "*", &rest) && zt_end(rest))
        return ZT_OK;
    if (!zt_address(run, &t, &expected) || !zt_end(t))
        return say(run, ZT_NOT_UNDERSTOOD, "\"%s\" is no hexadecimal number of at most 16 digits", t);
    return expected == found
               ? ZT_OK
               : say(run, ZT_DIFFERENT, "expected %s = %" PRIX64 ", found %" PRIX64, what, expected, found);
}

/* `others unchanged' leaves out what a line has named. */
static void note_named(struct zt_run *run, unsigned id, unsigned n)
{
    if (id == CPU_REG_GR)
        run->named_gr |= 1u << n;
    else if (id == CPU_REG_AR)
        run->named_ar |= 1u << n;
    else if (id == CPU_REG_FPR || (id == CPU_REG_VR && n < 16))
        run->named_fpr |= 1u << n;
}

static enum zt_result expect_register(struct zt_run *run, const char *text)
{
    const char *t = text;
    char part, what[24];
    unsigned id, n;
    uint64_t found[2];
    uint8_t bytes[16];
    if (!zt_register(&t, &id, &n, &part))
        return ZT_NOT_MINE;
    size_t length = (size_t)(t - text);
    while (length && text[length - 1] == ' ')
        length--;
    snprintf(what, sizeof what, "%.*s", (int)length, text);
    if (!zt_equals(&t))
        return say(run, ZT_NOT_UNDERSTOOD, "a register is expected as expect r1 = VALUE");
    if (!cpu_register_get(run->cpu, id, n, found))
        return ZT_NOT_MINE;
    note_named(run, id, n);
    if (part != ' ')
        return compare(run, what, t, part == 'l' ? gr32(run->cpu, n) : grh32(run->cpu, n));
    if (cpu_registers[id].width <= 64)
        return compare(run, what, t, found[1]);
    if (zt_bytes(t, bytes, 16) != 16)
        return say(run, ZT_NOT_UNDERSTOOD, "a vector register has 32 hexadecimal digits");
    if (get64(bytes) == found[0] && get64(bytes + 8) == found[1])
        return ZT_OK;
    return say(run, ZT_DIFFERENT, "expected %s = %016" PRIX64 "%016" PRIX64 ", found %016" PRIX64 "%016" PRIX64, what,
               get64(bytes), get64(bytes + 8), found[0], found[1]);
}

static enum zt_result expect_mem(struct zt_run *run, const char *text)
{
    const char *t;
    uint64_t address;
    uint8_t bytes[4096];
    int n;
    if (!zt_word(text, "mem", &t))
        return ZT_NOT_MINE;
    if (!zt_address(run, &t, &address) || !zt_equals(&t) || (n = zt_bytes(t, bytes, sizeof bytes)) <= 0 ||
        !storage_has(&run->machine->sys.storage, address, (unsigned)n))
        return say(run, ZT_NOT_UNDERSTOOD, "storage is expected as expect mem ADDRESS = BYTES");
    const uint8_t *found = run->machine->sys.storage.bytes + address;
    if (!memcmp(bytes, found, (unsigned)n))
        return ZT_OK;
    unsigned at = 0, shown = 0;
    while (bytes[at] == found[at])
        at++;
    char expected_text[40], found_text[40];
    for (unsigned i = at; i < (unsigned)n && shown < 16; i++, shown++) {
        snprintf(expected_text + 2 * shown, 3, "%02X", bytes[i]);
        snprintf(found_text + 2 * shown, 3, "%02X", found[i]);
    }
    return say(run, ZT_DIFFERENT, "expected mem %" PRIX64 " = %s, found %s", address + at, expected_text, found_text);
}

static enum zt_result expect_psw(struct zt_run *run, const char *text)
{
    const char *t, *rest;
    uint64_t expected[2], found[2] = {run->end_mask, run->end_ia};
    bool looked[2];
    if (!zt_word(text, "psw", &t))
        return ZT_NOT_MINE;
    if (!zt_equals(&t))
        return say(run, ZT_NOT_UNDERSTOOD, "a PSW is expected as expect psw = MASK ADDRESS");
    for (unsigned i = 0; i < 2; i++) {
        looked[i] = !zt_word(t, "*", &rest);
        if (!looked[i])
            t = rest;
        else if (!zt_number(&t, &expected[i]))
            return say(run, ZT_NOT_UNDERSTOOD, "a PSW is expected as expect psw = MASK ADDRESS");
    }
    run->named_cc = true;
    if ((!looked[0] || expected[0] == found[0]) && (!looked[1] || expected[1] == found[1]))
        return ZT_OK;
    return say(run, ZT_DIFFERENT, "expected %s, found %016" PRIX64 " %016" PRIX64, text, found[0], found[1]);
}

static enum zt_result expect_named(struct zt_run *run, const char *text)
{
    struct cpu *cpu = run->cpu;
    const uint8_t *s = low(run);
    const struct {
        const char *word;
        uint64_t value;
    } values[] = {
        {"tod", cpu_tod(cpu)},
        {"key", field64(run->end_mask, 8, 11)},
        {"pm", field64(run->end_mask, 20, 23)},
        {"teid", get64(s + 168)},
        {"dxc", s[147]},
        {"instructions", run->done},
        {"ia", run->end_ia},
    };
    const char *t;
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
        if (zt_word(text, values[i].word, &t) && zt_equals(&t))
            return compare(run, values[i].word, t, values[i].value);
    if (zt_word(text, "storage key", &t)) {
        uint64_t address;
        if (!zt_number(&t, &address) || !zt_equals(&t) || !storage_has(&run->machine->sys.storage, address, 1))
            return say(run, ZT_NOT_UNDERSTOOD, "a storage key is expected as expect storage key ADDRESS = KEY");
        return compare(run, "storage key", t, run->machine->sys.storage.keys[address >> PAGE_BITS]);
    }
    return ZT_NOT_MINE;
}

static enum zt_result expect_words(struct zt_run *run, const char *text)
{
    const char *t;
    if (!strcmp(text, "ia next") || !strcmp(text, "ia same")) {
        uint64_t expected = text[3] == 'n' ? run->last_next : run->last;
        return expected == run->end_ia
                   ? ZT_OK
                   : say(run, ZT_DIFFERENT, "expected ia = %" PRIX64 ", found %" PRIX64, expected, run->end_ia);
    }
    if (zt_word(text, "cc", &t)) {
        run->named_cc = true;
        (void)zt_equals(&t);
        return compare(run, "cc", t, field64(run->end_mask, 18, 19));
    }
    if (!strcmp(text, "others unchanged")) {
        run->others = true;
        return ZT_OK;
    }
    return ZT_NOT_MINE;
}

enum zt_result zt_expect(struct zt_run *run, const char *text)
{
    static enum zt_result (*const experts[])(struct zt_run *, const char *) = {
        expect_interruption, expect_state, expect_register, expect_mem,
        expect_psw,          expect_words, expect_named,    expect_ri};
    for (unsigned i = 0; i < sizeof experts / sizeof experts[0]; i++) {
        enum zt_result result = experts[i](run, text);
        if (result != ZT_NOT_MINE)
            return result;
    }
    return say(run, ZT_NOT_UNDERSTOOD, "\"expect %s\" is not understood; zri-test(5) has the list", text);
}

static enum zt_result others_unchanged(struct zt_run *run)
{
    for (unsigned n = 0; n < 16; n++) {
        const struct cpu *now = run->cpu, *then = &run->before;
        if (!(run->named_gr >> n & 1) && now->gr[n] != then->gr[n])
            return say(run, ZT_DIFFERENT, "expected r%u unchanged = %" PRIX64 ", found %" PRIX64, n, then->gr[n],
                       now->gr[n]);
        if (!(run->named_ar >> n & 1) && now->ar[n] != then->ar[n])
            return say(run, ZT_DIFFERENT, "expected a%u unchanged = %X, found %X", n, then->ar[n], now->ar[n]);
        if (!(run->named_fpr >> n & 1) && now->vr[n].hi != then->vr[n].hi)
            return say(run, ZT_DIFFERENT, "expected f%u unchanged = %" PRIX64 ", found %" PRIX64, n, then->vr[n].hi,
                       now->vr[n].hi);
    }
    unsigned cc = (unsigned)field64(run->end_mask, 18, 19);
    if (!run->named_cc && cc != run->before.cc)
        return say(run, ZT_DIFFERENT, "expected cc unchanged = %u, found %u", run->before.cc, cc);
    return ZT_OK;
}

enum zt_result zt_expect_rest(struct zt_run *run)
{
    char ended[ZT_TEXT];
    if (run->interruption != ZT_NONE && !run->named_interruption)
        return say(run, ZT_DIFFERENT, "expected no interruption, found %s", end_text(run, ended, sizeof ended));
    if (run->result.end == MACHINE_LIMIT && !run->instructions)
        return say(run, ZT_DIFFERENT, "expected an end within %" PRIX64 " instructions, found none; ia = %" PRIX64,
                   run->limit, run->end_ia);
    return run->others ? others_unchanged(run) : ZT_OK;
}
