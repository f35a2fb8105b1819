/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs small guest programs, written as assembler lines, on a bare CPU, once by each engine. */
#ifndef TESTS_RI_GUEST_H
#define TESTS_RI_GUEST_H

#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "cpu/storage/main.h"
#include "tests/unit/ri_harness.h"
#include "tests/unit/use_engine.h"
#include <stdio.h>
#include <stdlib.h>

#define CODE     0x10000u /* programs begin here */
#define BLOCK    0x11000u /* control blocks: BLOCK, BLOCK + 40, ... */
#define OUT      0x12000u /* what programs store */
#define END_PSW  0x900u   /* "lpswe 0x900" ends a program */
#define PSW_64   (PSW_EA | PSW_BA)
#define WAIT_END 0xfffu
/* Disabled waits of the interruptions that a test did not redirect. */
#define WAIT_PROGRAM  0xd1u
#define WAIT_SVC      0xc1u
#define WAIT_EXTERNAL 0xb1u

struct guest {
    struct cpu_system sys;
    struct cpu *cpu;
    uint8_t *storage;
    struct {
        char name[24];
        uint64_t address;
    } labels[256];
    unsigned label_count;
};

static inline void guest_psw(struct guest *g, uint64_t at, uint64_t mask, uint64_t ia)
{
    put64(g->storage + at, mask);
    put64(g->storage + at + 8, ia);
}

/* `miss`: see use_engine(). */
static inline void guest_init_forced(struct guest *g, const char *profile, enum engine_kind engine, unsigned miss)
{
    memset(g, 0, sizeof *g);
    assert_int_equal(storage_create(&g->sys.storage, 4u << 20), 0);
    g->storage = g->sys.storage.bytes;
    memset(g->sys.profile.facilities, 0xff, sizeof g->sys.profile.facilities);
    g->sys.profile.facilities[2] &= ~BIT64(FACILITY_STORAGE_KEY_REMOVAL - 128);
    g->sys.tod_base = UINT64_C(0xd000000000000000);
    g->cpu = cpu_create(&g->sys, 0);
    assert_non_null(g->cpu);
    assert_int_equal(ri_set_profile(g->cpu->ri, ri_profile_find(profile)), 0);
    cpu_reset(g->cpu, CPU_RESET_INITIAL);
    use_engine(g->cpu, engine, miss);
    g->cpu->clock_comparator = ~UINT64_C(0);
    guest_psw(g, END_PSW, PSW_WAIT | PSW_64, WAIT_END);
    guest_psw(g, 0x1d0, PSW_WAIT | PSW_64, WAIT_PROGRAM);
    guest_psw(g, 0x1c0, PSW_WAIT | PSW_64, WAIT_SVC);
    guest_psw(g, 0x1b0, PSW_WAIT | PSW_64, WAIT_EXTERNAL);
}
static inline void guest_init(struct guest *g, const char *profile, enum engine_kind engine)
{
    guest_init_forced(g, profile, engine, 0);
}
static inline void guest_end(struct guest *g)
{
    cpu_destroy(g->cpu);
    storage_destroy(&g->sys.storage);
}

/* A cmocka test that is run by all engines. */
#define GUEST(name, profile)                                                                                           \
    static void name##_body(struct guest *g);                                                                          \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {                                        \
            struct guest g;                                                                                            \
            guest_init(&g, profile, (enum engine_kind)engine);                                                         \
            name##_body(&g);                                                                                           \
            guest_end(&g);                                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_body(struct guest *g)

static inline uint64_t label(const struct guest *g, const char *name)
{
    for (unsigned i = 0; i < g->label_count; i++)
        if (strcmp(g->labels[i].name, name) == 0)
            return g->labels[i].address;
    fail_msg("no label %s", name);
    return 0;
}

/* One line with @name replaced by the label's address (in the first pass by the line's own). */
static inline void substitute(const struct guest *g, const char *line, char *out, size_t size, uint64_t own, bool final)
{
    size_t n = 0;
    while (*line && n + 24 < size) {
        if (*line != '@') {
            out[n++] = *line++;
            continue;
        }
        char name[24];
        size_t k = 0;
        for (line++;
             k < sizeof name - 1 && (*line == '_' || (*line >= 'a' && *line <= 'z') || (*line >= '0' && *line <= '9'));)
            name[k++] = *line++;
        name[k] = 0;
        n += (size_t)snprintf(out + n, size - n, "0x%llx", (unsigned long long)(final ? label(g, name) : own));
    }
    out[n] = 0;
}

/* Assemble lines separated by newline or semicolon at `address`. "name:" alone on a line is a label, "@name" its
   address,
   ".org HEX" goes on elsewhere, ".hex HEX" puts bytes. */
static inline void guest_code(struct guest *g, uint64_t address, const char *text)
{
    for (int pass = 0; pass < 2; pass++) {
        uint64_t at = address;
        char *copy = strdup(text), *rest = copy, *line;
        if (pass == 0)
            g->label_count = 0;
        while ((line = strsep(&rest, "\n;"))) {
            char final[160], why[160] = "";
            uint8_t bytes[6];
            line += strspn(line, " \t");
            if (!*line)
                continue;
            size_t length = strlen(line);
            if (line[length - 1] == ':') {
                line[length - 1] = 0;
                if (pass == 0) {
                    snprintf(g->labels[g->label_count].name, sizeof g->labels[0].name, "%s", line);
                    g->labels[g->label_count++].address = at;
                }
                continue;
            }
            if (strncmp(line, ".org ", 5) == 0) {
                at = strtoull(line + 5, NULL, 16);
                continue;
            }
            if (strncmp(line, ".hex ", 5) == 0) {
                for (const char *p = line + 5; p[0] && p[1]; p += 2)
                    g->storage[at++] = (uint8_t)strtoul((char[]){p[0], p[1], 0}, NULL, 16);
                continue;
            }
            substitute(g, line, final, sizeof final, at, pass);
            int n = dis_assemble(final, at, bytes, why, sizeof why);
            if (n < 0)
                fail_msg("%s: %s", final, why);
            memcpy(g->storage + at, bytes, (size_t)n);
            at += (uint64_t)n;
        }
        free(copy);
    }
    cpu_code_written(&g->sys, 0, g->sys.storage.size);
}

/* Run from (mask, ia) until a disabled wait; yields its address. */
static inline uint64_t guest_go(struct guest *g, uint64_t mask, uint64_t ia)
{
    uint64_t done;
    g->cpu->state = CPU_STATE_OPERATING;
    assert_int_equal(cpu_load_psw(g->cpu, mask, ia), 0);
    enum engine_end end = engine_run(g->cpu, 1000000, &done);
    engine_advance(&g->sys, cpu_cycles(g->cpu) - g->cpu->slice_start);
    assert_int_equal(end, ENGINE_WAIT);
    return g->cpu->psw.ia;
}
/* Assemble and run a program in the supervisor state, 64-bit mode. */
static inline uint64_t guest_run(struct guest *g, const char *text)
{
    guest_code(g, CODE, text);
    return guest_go(g, PSW_64, CODE);
}
#define ENDS(g, text) assert_int_equal(guest_well(g, guest_run(g, text)), WAIT_END)
/* Says what ended a program that should have come to its end. */
static inline uint64_t guest_well(const struct guest *g, uint64_t wait)
{
    if (wait == WAIT_PROGRAM)
        print_error("program interruption %04X at %llX\n", get16(g->storage + 142),
                    (unsigned long long)get64(g->storage + 0x158));
    return wait;
}

/* A program interruption ended the program: its code and length code. */
static inline void guest_program(const struct guest *g, unsigned code, unsigned ilc)
{
    assert_int_equal(g->cpu->psw.ia, WAIT_PROGRAM);
    assert_int_equal(get16(g->storage + 142), code);
    assert_int_equal(g->storage[141], ilc);
}
static inline uint64_t program_old_mask(const struct guest *g) { return get64(g->storage + 0x150); }
static inline uint64_t program_old_ia(const struct guest *g) { return get64(g->storage + 0x158); }

static inline void guest_block(struct guest *g, unsigned n, struct ri_controls c)
{
    ri_controls_encode(&c, g->storage + BLOCK + 64 * n);
}
/* The block that a program stored at OUT + 64 n. */
static inline struct ri_controls guest_out(const struct guest *g, unsigned n)
{
    return ri_controls_decode(g->storage + OUT + 64 * n);
}
/* Condition code that "ipm" put into general register `r`. */
static inline unsigned guest_cc(const struct guest *g, unsigned r) { return (unsigned)(g->cpu->gr[r] >> 28) & 3; }

static inline struct ri_record guest_record(const struct guest *g, unsigned n)
{
    return ri_record_from(g->storage + BASE + 16 * n);
}
static inline unsigned guest_type(const struct guest *g, unsigned n) { return g->storage[BASE + 16 * n]; }
static inline uint64_t guest_field(const struct guest *g, unsigned n, const char *name)
{
    struct wanted want = {name, 0, false};
    ri_record_facts(guest_record(g, n), wanted_fact, &want);
    assert_true(want.found);
    return want.value;
}
static inline uint64_t guest_groups(const struct guest *g) { return g->cpu->ri->groups; }

#endif
