/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine of trace units whose clock, storage and sink are the test's; histories in a few words; bytes in
 * hexadecimal.
 */
#ifndef ZRI_TESTS_UNIT_ET_HARNESS_H
#define ZRI_TESTS_UNIT_ET_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/bits.h"
#include "ri/trace/trace.h"
#include "ri/trace/wire.h"

#define UNUSED __attribute__((unused))

struct bytes {
    uint8_t *at;
    size_t size;
};
static UNUSED void bytes_add(struct bytes *b, const uint8_t *bytes, size_t size)
{
    b->at = realloc(b->at, b->size + size + 1);
    assert_non_null(b->at);
    memcpy(b->at + b->size, bytes, size);
    b->size += size;
}
static UNUSED void bytes_free(struct bytes *b)
{
    free(b->at);
    *b = (struct bytes){0};
}

/* Bytes as "0e 0a 11 ": what a test compares. Owned by the caller. */
static UNUSED char *hex(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size * 3 + 1);
    assert_non_null(text);
    *text = 0;
    for (size_t i = 0; i < size; i++)
        snprintf(text + 3 * i, 4, "%02x ", bytes[i]);
    return text;
}
/* `wanted`: hexadecimal with spaces anywhere. */
static UNUSED void assert_bytes(const uint8_t *bytes, size_t size, const char *wanted)
{
    char *have = hex(bytes, size), *want = malloc(strlen(wanted) * 2 + 4);
    size_t n = 0;
    for (const char *c = wanted; *c; c++)
        if (*c != ' ' && *c != '\n') {
            want[n++] = *c;
            if (n % 3 == 2)
                want[n++] = ' ';
        }
    want[n] = 0;
    if (strcmp(have, want))
        print_error("have %s\nwant %s\n", have, want);
    assert_string_equal(have, want);
    free(have);
    free(want);
}

#define CPUS_MAX 3

struct rig {
    struct et_machine *machine;
    struct et_cpu *cpu;
    uint64_t now, instructions;
    uint64_t ahead[4]; /* of `now', by clock */
    struct bytes file;
    bool attention[CPUS_MAX];
    int write_error;
    unsigned writes, stalls, alerts, stops;
    char mode[32];
    uint8_t storage[4096];
};

static UNUSED uint64_t rig_clock(void *context, unsigned cpu, enum et_clock clock)
{
    (void)cpu;
    return ((struct rig *)context)->now + ((struct rig *)context)->ahead[clock];
}
static UNUSED uint64_t rig_instructions(void *context, unsigned cpu)
{
    (void)cpu;
    return ((struct rig *)context)->instructions;
}
static UNUSED void rig_attention(void *context, unsigned cpu, bool wanted)
{
    struct rig *r = context;
    assert_true(cpu < CPUS_MAX);
    assert_true(r->attention[cpu] != wanted);
    r->attention[cpu] = wanted;
}
static UNUSED int rig_write(void *context, const uint8_t *bytes, size_t size)
{
    struct rig *r = context;
    r->writes++;
    if (!r->write_error)
        bytes_add(&r->file, bytes, size);
    return r->write_error;
}
static UNUSED bool rig_fetch(void *context, unsigned cpu, uint64_t real, void *bytes, size_t size)
{
    struct rig *r = context;
    (void)cpu;
    if (real > sizeof r->storage || size > sizeof r->storage - real)
        return false;
    memcpy(bytes, r->storage + real, size);
    return true;
}
static UNUSED bool rig_store(void *context, unsigned cpu, uint64_t real, const void *bytes, size_t size)
{
    struct rig *r = context;
    (void)cpu;
    if (real > sizeof r->storage || size > sizeof r->storage - real)
        return false;
    memcpy(r->storage + real, bytes, size);
    return true;
}
static UNUSED void rig_alert(void *context, unsigned cpu)
{
    (void)cpu;
    ((struct rig *)context)->alerts++;
}
static UNUSED bool rig_mode(void *context, unsigned cpu, const char *name)
{
    (void)cpu;
    snprintf(((struct rig *)context)->mode, sizeof((struct rig *)context)->mode, "%s", name);
    return true;
}
static UNUSED void rig_stop(void *context, unsigned cpu, const char *rule)
{
    (void)cpu;
    (void)rule;
    ((struct rig *)context)->stops++;
}
static UNUSED void rig_stall(void *context, unsigned cpu)
{
    (void)cpu;
    ((struct rig *)context)->stalls++;
}

/* `sink`: a file; else what is put out stays in the buffer. */
static UNUSED void rig_begin(struct rig *r, unsigned cpus, bool sink)
{
    memset(r, 0, sizeof *r);
    const struct et_limits limits = {.host_clock = true};
    const struct et_host host = {.context = r,
                                 .clock = rig_clock,
                                 .instructions = rig_instructions,
                                 .attention = rig_attention,
                                 .write = sink ? rig_write : NULL,
                                 .fetch = rig_fetch,
                                 .store = rig_store,
                                 .alert = rig_alert,
                                 .mode = rig_mode,
                                 .stop = rig_stop,
                                 .stall = rig_stall};
    r->machine = et_machine_new(cpus, &host, &limits);
    assert_non_null(r->machine);
    r->cpu = et_machine_cpu(r->machine, 0);
}
static UNUSED void rig_end(struct rig *r)
{
    et_machine_free(r->machine);
    bytes_free(&r->file);
}

static UNUSED void set(struct rig *r, unsigned reg, uint64_t value)
{
    assert_null(et_write(r->cpu, reg, value, ET_BY_START));
}

/* Payload of all chunks of a source and kind, in order. */
static UNUSED struct bytes stream_of(const struct rig *r, unsigned source, unsigned kind)
{
    struct bytes b = {0};
    size_t at = ET_FILE_HEADER;
    assert_true(r->file.size >= at);
    assert_memory_equal(r->file.at, "ZETC\1\0\0\0", 8);
    while (at < r->file.size) {
        const uint8_t *c = r->file.at + at;
        assert_true(r->file.size - at > ET_CHUNK_HEADER);
        assert_int_equal(get16(c), 0x5a43);
        const size_t size = get32(c + 4);
        assert_true(r->file.size - at - ET_CHUNK_HEADER >= size);
        if (c[2] == source && c[3] == kind)
            bytes_add(&b, c + ET_CHUNK_HEADER, size);
        at += ET_CHUNK_HEADER + size;
    }
    return b;
}
/* End the run; the event stream of CPU 0 is `wanted`. */
static UNUSED void assert_stream(struct rig *r, const char *wanted)
{
    assert_int_equal(et_finish(r->machine), 0);
    struct bytes b = stream_of(r, 0, ET_CHUNK_EVENTS);
    assert_bytes(b.at, b.size, wanted);
    bytes_free(&b);
}

/* ---- histories: PSWs of supervisor state whose address says where ------------------------------------------------ */

#define SUPERVISOR UINT64_C(0x0704000180000000)
#define PROBLEM    UINT64_C(0x0705000180000000)
static UNUSED struct et_psw at(uint64_t address) { return (struct et_psw){SUPERVISOR, address}; }
static UNUSED struct et_psw user(uint64_t address) { return (struct et_psw){PROBLEM, address}; }

/* An interruption is taken at `from`, and its handler's first instruction begins. */
static UNUSED void take_from(struct rig *r, uint64_t time, enum et_class class, uint64_t code, struct et_psw from)
{
    r->now = time;
    et_entry(r->cpu, class, code, from, at(0x8000), NULL);
    et_boundary(r->cpu, at(0x8000));
}
static UNUSED void take(struct rig *r, uint64_t time, enum et_class class, uint64_t code, uint64_t from)
{
    take_from(r, time, class, code, at(from));
}
/* LPSWE; `back` also passes the boundary behind it. */
static UNUSED void load(struct rig *r, uint64_t time, struct et_psw to)
{
    r->now = time;
    et_reload(r->cpu, ET_LPSWE, to);
}
static UNUSED void back(struct rig *r, uint64_t time, uint64_t to)
{
    load(r, time, at(to));
    if (r->attention[0])
        et_boundary(r->cpu, at(to));
}

/* Figures 3 and 6 of the document with the numbers and times of specification 8. */
static UNUSED void figure_3(struct rig *r)
{
    take(r, 1000, ET_SVC, 10, 0x100);
    take(r, 1040, ET_IO, 3, 0x200);
    back(r, 1105, 0x200);
    back(r, 1290, 0x100);
}
static UNUSED void figure_6(struct rig *r)
{
    take(r, 1000, ET_SVC, 10, 0x100);
    take(r, 1040, ET_EXTERNAL, 0x1004, 0x200);
    r->now = 1060;
    et_request(r->machine, 0, ET_IO, 5, NULL, false);
    load(r, 1105, at(0x200));
    take(r, 1105, ET_IO, 5, 0x200);
    back(r, 1180, 0x200);
    back(r, 1290, 0x100);
}

/* Exception packets of full form, SIG, STATE and MARK in a stream without times and details, in words: E10a, X10a, R000
   with .t (TC), .l (LA), .f (FRC); S00d, W00d (withdrawn); state6; mark5. Owned by the caller. */
static UNUSED char *words_of(const uint8_t *bytes, size_t size)
{
    char *text = calloc(1, size * 12 + 1), *to = text;
    assert_non_null(text);
    for (size_t i = 0; i < size;) {
        uint64_t value;
        const uint8_t *p = bytes + i;
        int n;
        switch (*p) {
        case 0: /* SYNC */
            for (i += 10; i < size && bytes[i] != ET_H_CFG; i++)
                continue;
            break;
        case ET_H_CFG:
            n = et_leb_get(p + 2, size - i - 2, &value);
            assert_true(n > 0);
            i += 2 + (size_t)n;
            break;
        case ET_H_FULL:
            to += sprintf(to, "%c%03x%s%s%s ", ".EXR"[p[2] >> 4 & 3], p[1] | (p[2] & 1u) << 8,
                          p[2] & ET_P_TC ? ".t" : "", p[2] & ET_P_LA ? ".l" : "", p[2] & ET_P_FRC ? ".f" : "");
            i += 3;
            break;
        case ET_H_SIG:
            to += sprintf(to, "%c%03x ", p[2] & ET_SIG_WITHDRAWN ? 'W' : 'S', p[1] | (p[2] & 1u) << 8);
            i += 3;
            break;
        case ET_H_STATE:
            to += sprintf(to, "state%u ", p[1]);
            i += 2;
            break;
        case ET_H_MARK:
            n = et_leb_get(p + 1, size - i - 1, &value);
            assert_true(n > 0);
            to += sprintf(to, "mark%u ", (unsigned)value);
            i += 1 + (size_t)n;
            break;
        case ET_H_END:
            i = size;
            break;
        default:
            print_error("offset %zu: %02x\n", i, *p);
            fail();
        }
    }
    if (to > text)
        to[-1] = 0;
    return text;
}
/* End the run; the event stream of source `source` has these events. */
static UNUSED void assert_words(struct rig *r, unsigned source, const char *wanted)
{
    assert_int_equal(et_finish(r->machine), 0);
    struct bytes b = stream_of(r, source, ET_CHUNK_EVENTS);
    char *have = words_of(b.at, b.size);
    assert_string_equal(have, wanted);
    free(have);
    bytes_free(&b);
}
/* A machine that puts out everything with all flags, without times; `etcr` is added to ETCR. */
static UNUSED void rig_all(struct rig *r, unsigned cpus, uint64_t etcr)
{
    rig_begin(r, cpus, true);
    set(r, ETFR, 0x1afe0000);
    set(r, ETCR, UINT64_C(0x4030341) | etcr);
}

#endif
