/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripted tests: the statements that set the machine up. */
#include "cpu/control/interrupt.h"
#include "cpu/control/registers.h"
#include "cpu/state/timing.h"
#include "cpu/translate/translate.h"
#include "emu/dev/css/attach.h"
#include "emu/script/internal.h"
#include "ri/text.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the translation tables of `dat on` stand. */
#define TABLES        0x300000u
#define TABLES_END    0x400000u
#define SEGMENT_TABLE 0x4000u /* bytes, 2,048 entries */
#define PAGE_TABLE    0x800u
#define IDENTITY      0x400000u /* mapped to itself */

static enum zt_result bad(struct zt_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum zt_result bad(struct zt_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->why, sizeof run->why, format, arguments);
    va_end(arguments);
    return ZT_NOT_UNDERSTOOD;
}

static uint8_t *storage_at(struct zt_run *run, uint64_t address, uint64_t length)
{
    struct storage *s = &run->machine->sys.storage;
    return storage_has(s, address, length) ? s->bytes + address : NULL;
}

/* ---- before the machine is made -------------------------------------------------------------------------------- */

enum zt_result zt_prepare(struct zt_run *run, const char *text)
{
    const char *rest;
    char error[ZT_TEXT];
    if (zt_word(text, "engine", &rest)) {
        run->engine = !strcmp(rest, "both")        ? zt_all_engines()
                      : !strcmp(rest, "reference") ? 1
                      : !strcmp(rest, "block")     ? 2
                      : !strcmp(rest, "translate") ? zt_all_engines() & 4
                                                   : 0;
        return run->engine || !strcmp(rest, "translate") ? ZT_OK
                                                         : bad(run, "engine is both, reference, block or translate");
    }
    if (zt_word(text, "profile", &rest))
        return emu_profile_find(rest, &run->config.profile, error, sizeof error) ? bad(run, "%s", error) : ZT_OK;
    if (zt_word(text, "facility", &rest))
        return emu_profile_change(&run->config.profile, rest, error, sizeof error) ? bad(run, "%s", error) : ZT_OK;
    if (zt_word(text, "execute", &rest)) {
        run->execute = true;
        return ZT_OK;
    }
    return ZT_NOT_MINE;
}

unsigned zt_all_engines(void)
{
    char why[ZT_TEXT];
    return translator_possible(why, sizeof why) ? 3 : 7;
}

/* ---- registers ------------------------------------------------------------------------------------------------- */

/* The prefix moves with the new PSWs of the test. */
static enum zt_result set_prefix(struct zt_run *run, uint64_t value)
{
    struct cpu *cpu = run->cpu;
    uint8_t *bytes = run->machine->sys.storage.bytes;
    if ((value & ~UINT64_C(0x7fffe000)) || !storage_at(run, value, 0x2000))
        return bad(run, "a prefix is the address of an 8K-byte block in storage");
    memcpy(bytes + value + 0x1a0, bytes + cpu->prefix + 0x1a0, 0x60);
    return cpu_set_prefix(cpu, (uint32_t)value) ? ZT_OK : bad(run, "a prefix is the address of a block in storage");
}

static enum zt_result set_register(struct zt_run *run, unsigned id, unsigned n, char part, const uint64_t value[2])
{
    struct cpu *cpu = run->cpu;
    if (id == CPU_REG_PREFIX)
        return set_prefix(run, value[1]);
    if (part == 'l')
        set_gr32(cpu, n, (uint32_t)value[1]);
    else if (part == 'h')
        set_grh32(cpu, n, (uint32_t)value[1]);
    else if (cpu_register_set(cpu, id, n, value))
        return bad(run, "the %s cannot have this value", cpu_registers[id].what);
    return ZT_OK;
}

static enum zt_result set_registers(struct zt_run *run, const char *text)
{
    char part;
    unsigned id, n, last;
    uint64_t value[2] = {0};
    enum zt_result result = ZT_OK;
    const char *t = text;
    if (!zt_register(&t, &id, &n, &part))
        return ZT_NOT_MINE;
    last = n;
    if (id == CPU_REG_GR && part == ' ' && *t == '-') {
        t++;
        if (!zt_register(&t, &id, &last, &part) || id != CPU_REG_GR || last < n)
            return bad(run, "registers are set as r2-r4 = 1 2 3");
    }
    if (!zt_equals(&t))
        return bad(run, "a register is set as r1 = VALUE");
    if (cpu_registers[id].width > 64) {
        uint8_t bytes[16];
        if (zt_bytes(t, bytes, 16) != 16)
            return bad(run, "a vector register has 32 hexadecimal digits");
        return set_register(run, id, n, part, (const uint64_t[2]){get64(bytes), get64(bytes + 8)});
    }
    for (; n <= last && result == ZT_OK; n++) {
        if (!zt_number(&t, &value[1]))
            return bad(run, "\"%s\" is no hexadecimal number of at most 16 digits", t);
        result = set_register(run, id, n, part, value);
    }
    return result != ZT_OK || zt_end(t) ? result : bad(run, "there is more on this line than was looked for: %s", t);
}

/* ---- PSW ------------------------------------------------------------------------------------------------------- */

static void put_field(struct zt_run *run, unsigned last, uint64_t width, uint64_t value)
{
    run->mask = (run->mask & ~(width << (63 - last))) | (value & width) << (63 - last);
}

static enum zt_result set_psw_words(struct zt_run *run, const char *text)
{
    static const struct {
        const char *word;
        unsigned last, width, value;
    } words[] = {{"in problem state", 15, 1, 1},
                 {"in supervisor state", 15, 1, 0},
                 {"space primary", 17, 3, 0},
                 {"space ar", 17, 3, 1},
                 {"space secondary", 17, 3, 2},
                 {"space home", 17, 3, 3},
                 {"amode 24", 32, 3, 0},
                 {"amode 31", 32, 3, 1},
                 {"amode 64", 32, 3, 3},
                 {"ri on", 24, 1, 1},
                 {"ri off", 24, 1, 0}};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(text, words[i].word)) {
            if (words[i].last == 32) { /* EA and BA are bits 31 and 32 */
                run->mask &= ~(PSW_EA | PSW_BA);
                run->mask |= words[i].value == 3 ? PSW_EA | PSW_BA : words[i].value == 1 ? PSW_BA : 0;
            } else {
                put_field(run, words[i].last, words[i].width, words[i].value);
            }
            return ZT_OK;
        }
    return ZT_NOT_MINE;
}

static enum zt_result set_psw(struct zt_run *run, const char *text)
{
    const char *t;
    uint64_t value, address;
    enum zt_result result = set_psw_words(run, text);
    if (result != ZT_NOT_MINE)
        return result;
    if (zt_word(text, "mask on", &t))
        return zt_number(&t, &value) ? (run->mask |= value, ZT_OK) : bad(run, "mask on needs 16 hexadecimal digits");
    if (zt_word(text, "mask off", &t))
        return zt_number(&t, &value) ? (run->mask &= ~value, ZT_OK) : bad(run, "mask off needs 16 hexadecimal digits");
    if (zt_word(text, "psw", &t)) {
        if (!zt_equals(&t) || !zt_number(&t, &value) || !zt_number(&t, &address) || !zt_end(t))
            return bad(run, "a PSW is set as psw = MASK ADDRESS");
        run->mask = value;
        run->start = address;
        run->has_start = true;
        return ZT_OK;
    }
    static const struct {
        const char *word;
        unsigned last, width;
    } fields[] = {{"cc", 19, 3}, {"pm", 23, 15}, {"key", 11, 15}};
    for (unsigned i = 0; i < 3; i++)
        if (zt_word(text, fields[i].word, &t)) {
            if (!zt_equals(&t) || !zt_number(&t, &value) || value > fields[i].width || !zt_end(t))
                return bad(run, "%s is a number up to %X", fields[i].word, fields[i].width);
            put_field(run, fields[i].last, fields[i].width, value);
            return ZT_OK;
        }
    return ZT_NOT_MINE;
}

/* ---- the clock ------------------------------------------------------------------------------------------------- */

static enum zt_result set_clock(struct zt_run *run, const char *text)
{
    const char *t;
    uint64_t value;
    if (!zt_word(text, "tod", &t))
        return ZT_NOT_MINE;
    if (!zt_equals(&t) || !zt_number(&t, &value) || !zt_end(t))
        return bad(run, "it is set as tod = VALUE");
    cpu_set_tod(run->cpu, value);
    return ZT_OK;
}

/* ---- storage --------------------------------------------------------------------------------------------------- */

static enum zt_result set_storage(struct zt_run *run, const char *text)
{
    const char *t;
    uint64_t address, value;
    if (zt_word(text, "mem", &t)) {
        uint8_t bytes[4096];
        int n;
        if (!zt_address(run, &t, &address) || !zt_equals(&t) || (n = zt_bytes(t, bytes, sizeof bytes)) <= 0)
            return bad(run, "storage is set as mem ADDRESS = BYTES, pairs of hexadecimal digits or \"text\"");
        uint8_t *at = storage_at(run, address, (unsigned)n);
        if (!at)
            return bad(run, "the machine of a test has 4 MB of storage");
        memcpy(at, bytes, (unsigned)n);
        return ZT_OK;
    }
    if (zt_word(text, "storage key", &t)) {
        if (!zt_number(&t, &address) || !zt_equals(&t) || !zt_number(&t, &value) || value > 0xff || !zt_end(t) ||
            !storage_at(run, address, 1))
            return bad(run, "a storage key is set as storage key ADDRESS = two digits");
        run->machine->sys.storage.keys[address >> PAGE_BITS] = (uint8_t)value & 0xfe;
        return ZT_OK;
    }
    return ZT_NOT_MINE;
}

/* ---- translation ----------------------------------------------------------------------------------------------- */

/* The segment-table entry of a logical address below 2 GB; a page table is made when there is none. NULL: no room. */
static uint8_t *segment_entry(struct zt_run *run, unsigned space, uint64_t logical)
{
    uint8_t *bytes = run->machine->sys.storage.bytes;
    uint8_t *entry = bytes + TABLES + space * SEGMENT_TABLE + 8 * (logical >> 20);
    if (get64(entry) & 0x20) {
        if (run->next_table + PAGE_TABLE > TABLES_END)
            return NULL;
        for (unsigned p = 0; p < 256; p++) {
            uint64_t page = (logical & ~UINT64_C(0xfffff)) + p * PAGE_SIZE_Z;
            put64(bytes + run->next_table + 8 * p, page < IDENTITY ? page : 0x400);
        }
        put64(entry, run->next_table);
        run->next_table += PAGE_TABLE;
    }
    return entry;
}

static enum zt_result dat_on(struct zt_run *run)
{
    static const unsigned controls[3] = {1, 7, 13};
    if (run->dat)
        return ZT_OK;
    run->next_table = TABLES + 3 * SEGMENT_TABLE;
    for (unsigned space = 0; space < 3; space++) {
        uint64_t table = TABLES + space * SEGMENT_TABLE;
        for (unsigned i = 0; i < 2048; i++)
            put64(run->machine->sys.storage.bytes + table + 8 * i, 0x20);
        for (uint64_t at = 0; at < IDENTITY; at += 0x100000)
            (void)segment_entry(run, space, at);
        run->cpu->cr[controls[space]] = table | 3;
    }
    run->mask |= PSW_DAT;
    run->dat = true;
    return ZT_OK;
}

static enum zt_result set_page(struct zt_run *run, const char *t, unsigned space)
{
    uint64_t logical, real;
    if (!run->dat)
        return bad(run, "dat on comes before pages and segments");
    if (!zt_number(&t, &logical) || !zt_equals(&t) || !zt_number(&t, &real) || logical >> 31)
        return bad(run, "a page is mapped as page LOGICAL = REAL [protected] [invalid], LOGICAL below 80000000");
    uint64_t entry = real & PAGE_ADDRESS;
    while (!zt_end(t))
        if (zt_word(t, "protected", &t))
            entry |= 0x200;
        else if (zt_word(t, "invalid", &t))
            entry |= 0x400;
        else
            return bad(run, "a page is protected or invalid, not \"%s\"", t);
    uint8_t *segment = segment_entry(run, space, logical);
    if (!segment)
        return bad(run, "there is no room for more page tables; map pages of fewer segments");
    put64(run->machine->sys.storage.bytes + (get64(segment) & ~UINT64_C(0x7ff)) + 8 * (logical >> 12 & 0xff), entry);
    return ZT_OK;
}

static enum zt_result set_translation(struct zt_run *run, const char *text)
{
    const char *t;
    uint64_t logical;
    if (!strcmp(text, "dat on"))
        return dat_on(run);
    if (zt_word(text, "page", &t))
        return set_page(run, t, 0);
    if (zt_word(text, "secondary page", &t))
        return set_page(run, t, 1);
    if (zt_word(text, "home page", &t))
        return set_page(run, t, 2);
    if (!zt_word(text, "segment", &t))
        return ZT_NOT_MINE;
    uint8_t *entry;
    if (!run->dat)
        return bad(run, "dat on comes before pages and segments");
    if (!zt_number(&t, &logical) || logical >> 31 || !(entry = segment_entry(run, 0, logical)))
        return bad(run, "a segment is set as segment LOGICAL protected|invalid, LOGICAL below 80000000");
    if (!strcmp(t, "protected"))
        put64(entry, get64(entry) | 0x200);
    else if (!strcmp(t, "invalid"))
        put64(entry, get64(entry) | 0x20);
    else
        return bad(run, "a segment is protected or invalid");
    return ZT_OK;
}

/* ---- run-time instrumentation, interruptions ------------------------------------------------------------------- */

static bool ri_fields(const char *t, uint8_t block[RI_BLOCK_SIZE], char *wrong, size_t size)
{
    struct ri_controls controls = {0};
    while (!zt_end(t)) {
        char name[16];
        unsigned n = 0;
        uint64_t value;
        while (isalnum((unsigned char)*t) && n + 1 < sizeof name)
            name[n++] = *t++;
        name[n] = 0;
        if (!n || !zt_equals(&t) || !zt_number(&t, &value) || !ri_controls_set(&controls, name, value)) {
            snprintf(wrong, size, "%s", name);
            return false;
        }
    }
    ri_controls_encode(&controls, block);
    return true;
}

static enum zt_result set_ri(struct zt_run *run, const char *text)
{
    const char *t;
    char wrong[16];
    uint8_t block[RI_BLOCK_SIZE], *at;
    uint64_t address;
    if (zt_word(text, "riccb", &t)) {
        if (!zt_number(&t, &address) || !(at = storage_at(run, address, sizeof block)))
            return bad(run, "a control block is stored as riccb ADDRESS V = 1 ...");
        if (!ri_fields(t, block, wrong, sizeof wrong))
            return bad(run, "\"%s\" is no control, or its value is too large", wrong);
        memcpy(at, block, sizeof block);
        return ZT_OK;
    }
    if (!zt_word(text, "ri", &t))
        return ZT_NOT_MINE;
    if (!ri_fields(t, block, wrong, sizeof wrong))
        return bad(run, "\"%s\" is no control, or its value is too large", wrong);
    if (ri_block_invalid(block, false))
        return bad(run, "LRIC does not take this mode; M is 0, 1 or 2");
    (void)ri_lric(run->cpu->ri, block);
    return ZT_OK;
}

static enum zt_result set_pending(struct zt_run *run, const char *text)
{
    struct cpu *cpu = run->cpu;
    const char *t;
    uint64_t n;
    if (!zt_word(text, "pending", &t))
        return ZT_NOT_MINE;
    if (!strcmp(t, "key")) {
        cpu_raise_external(cpu, CPU_EXT_INTERRUPT_KEY);
        return ZT_OK;
    }
    static const char *const kinds[] = {"emergency", "call", "malfunction", "service"};
    for (unsigned i = 0; i < 4; i++)
        if (zt_word(t, kinds[i], &t)) {
            if (!zt_number(&t, &n) || (i < 3 && n >= CPU_MAX))
                return bad(run, "pending %s needs a number", kinds[i]);
            if (i == 0) {
                cpu->ext_emergency |= UINT64_C(1) << n;
                cpu_raise_external(cpu, CPU_EXT_EMERGENCY);
            } else if (i == 1) {
                cpu->ext_call_from = (uint16_t)n;
                cpu_raise_external(cpu, CPU_EXT_CALL);
            } else if (i == 2) {
                cpu->ext_malfunction |= UINT64_C(1) << n;
                cpu_raise_external(cpu, CPU_EXT_MALFUNCTION_ALERT);
            } else {
                cpu_raise_service_signal(&run->machine->sys, (uint32_t)n);
            }
            return ZT_OK;
        }
    return bad(run, "pending is key, emergency CPU, call CPU, malfunction CPU or service PARAMETER");
}

static enum zt_result set_device(struct zt_run *run, const char *text)
{
    const char *t;
    char error[200];
    if (!zt_word(text, "device", &t))
        return ZT_NOT_MINE;
    return css_attach_text(run->machine, t, false, error, sizeof error) ? bad(run, "%s", error) : ZT_OK;
}

enum zt_result zt_set(struct zt_run *run, const char *text)
{
    static enum zt_result (*const setters[])(struct zt_run *, const char *) = {
        set_registers, set_psw, set_clock, set_storage, set_translation, set_ri, set_pending, set_device};
    for (unsigned i = 0; i < sizeof setters / sizeof setters[0]; i++) {
        enum zt_result result = setters[i](run, text);
        if (result != ZT_NOT_MINE)
            return result;
    }
    return ZT_NOT_MINE;
}
