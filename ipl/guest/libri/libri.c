/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libri: see libri.h. Decoding by zri's tables; the control block by the table of its fields; the kernel's call. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "libri.h"
#include <errno.h>
#include <string.h>

/* ---- decoding -------------------------------------------------------------------------------------------------- */

enum layout {
    LAYOUT_NONE,
    LAYOUT_BEGIN,
    LAYOUT_TIMESTAMP,
    LAYOUT_INSTRUCTION,
    LAYOUT_EMIT,
    LAYOUT_ABORT,
    LAYOUT_BRANCH,
    LAYOUT_EXTRA
};
static const struct {
    uint8_t layout, first, last;
    const char *name;
} fields[] = {
#define FIELD(type, name, first, last, text) {LAYOUT_##type, first, last, #name},
#include "ri/records.def"
};
static const struct type {
    uint8_t code, layout;
    const char *name;
} types[] = {
#define TYPE(code, id, fields, name) {code, LAYOUT_##fields, name},
#include "ri/types.def"
};

static uint64_t big_endian(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++)
        value = value << 8 | bytes[i];
    return value;
}

static const struct type *type_of(unsigned code)
{
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].code == code)
            return &types[i];
    return NULL;
}

static struct libri_record record_at(const uint8_t *bytes)
{
    return (struct libri_record){big_endian(bytes), big_endian(bytes + 8)};
}

struct libri_record libri_record(const struct libri_group *group, unsigned n)
{
    return record_at(group->bytes + 16 * (size_t)n);
}

const char *libri_type_name(unsigned code)
{
    const struct type *type = type_of(code);
    return type ? type->name : NULL;
}

const char *libri_field_name(enum libri_field field) { return field < LIBRI_FIELDS ? fields[field].name : NULL; }

bool libri_has(unsigned code, enum libri_field field)
{
    const struct type *type = type_of(code);
    return type && field < LIBRI_FIELDS && fields[field].layout == type->layout;
}

uint64_t libri_field(struct libri_record record, enum libri_field field)
{
    if (field >= LIBRI_FIELDS)
        return 0;
    const unsigned first = fields[field].first, last = fields[field].last;
    const uint64_t half = first < 64 ? record.first : record.second;
    return half >> (63 - last % 64) & ~UINT64_C(0) >> (63 - (last - first));
}

unsigned libri_groups(const void *buffer, size_t size, libri_each each, void *context)
{
    const uint8_t *bytes = buffer;
    if (size < 16 || bytes[0] != LIBRI_BEGIN)
        return 0;
    const struct libri_record begin = record_at(bytes);
    const unsigned records = 2u << libri_field(begin, LIBRI_BEGIN_RGS);
    const size_t length = 16 * (size_t)records;
    uint64_t groups = libri_field(begin, LIBRI_BEGIN_NRG);
    if (groups > size / length)
        groups = size / length;
    for (unsigned g = 0; g < groups; g++)
        each(context, &(struct libri_group){.bytes = bytes + g * length, .records = records, .number = g + 1});
    return (unsigned)groups;
}

/* ---- what is wrong --------------------------------------------------------------------------------------------- */

const char *libri_problem(int code)
{
    switch (code) {
    case 0:
        return "nothing is wrong";
    case -ENOSYS:
        return "there is no system call s390_runtime_instr here; run on Linux for s390x, 3.7 or newer";
    case -EOPNOTSUPP:
        return "this machine has no run-time instrumentation (facility 64); give it the facility, with zri by "
               "--facility 64";
    case -EINVAL:
        return "the setup of run-time instrumentation is no good; rgs is 0 to 4, collect has the bits of enum "
               "libri_collect, a buffer of the caller's is whole pages";
    case -EPERM:
        return "this thread has no controls of run-time instrumentation; call libri_open() in the thread that "
               "measures, "
               "and again in a child of fork()";
    case -ENOMEM:
        return "there is no storage for the program buffer of run-time instrumentation; take a smaller one";
    default:
        return strerror(-code);
    }
}

/* ---- the process ----------------------------------------------------------------------------------------------- */

#if defined __s390x__ && defined __linux__
#include <sys/mman.h>
#include <unistd.h>

#define CALL_RUNTIME_INSTR 342
#define START              1
#define STOP               2
#define PAGE               4096u

/* Where the fields of the control block are. */
struct place {
    uint8_t doubleword, first, last;
};
#define CONTROL(dw, first, last, id, name, mric, text)                                                                 \
    static const struct place at_##id __attribute__((unused)) = {dw, first, last};
#include "ri/controls.def"

static void put(struct libri *ri, struct place at, uint64_t value)
{
    uint64_t *const doubleword = (uint64_t *)(void *)ri->block + at.doubleword;
    const unsigned shift = 63u - at.last;
    const uint64_t mask = ~UINT64_C(0) >> (63u - (at.last - at.first)) << shift;
    *doubleword = (*doubleword & ~mask) | (value << shift & mask);
}
static uint64_t get(const uint8_t *block, struct place at)
{
    return big_endian(block + 8 * at.doubleword) >> (63u - at.last) & ~UINT64_C(0) >> (63u - (at.last - at.first));
}

/* The condition code of the instruction before. */
#define CONDITION_CODE "\n ipm %0\n srl %0,28"

static int modify(const struct libri *ri) /* MRIC */
{
    int cc;
    __asm__ volatile(".insn rsy,0xeb0000000062,%%r0,%%r0,%1" CONDITION_CODE
                     : "=d"(cc)
                     : "Q"(ri->block)
                     : "cc", "memory");
    return cc ? -EPERM : 0;
}

static int store(uint8_t (*block)[64]) /* STRIC */
{
    int cc;
    __asm__ volatile(".insn rsy,0xeb0000000061,%%r0,%%r0,%1" CONDITION_CODE
                     : "=d"(cc), "=Q"(*block)
                     :
                     : "cc", "memory");
    return cc ? -EPERM : 0;
}

static int switch_on(void) /* RION */
{
    int cc;
    __asm__ volatile(".insn ri,0xaa010000,%%r0,0" CONDITION_CODE : "=d"(cc) : : "cc", "memory");
    return cc ? -EPERM : 0;
}

static int switch_off(void) /* RIOFF */
{
    int cc;
    __asm__ volatile(".insn ri,0xaa030000,%%r0,0" CONDITION_CODE : "=d"(cc) : : "cc", "memory");
    return cc ? -EPERM : 0;
}

static bool good(const struct libri_setup *setup)
{
    if (setup->buffer && ((uintptr_t)setup->buffer % PAGE || !setup->size || setup->size % PAGE))
        return false;
    return setup->rgs <= 4 && setup->collect < 16 && setup->size < SIZE_MAX - PAGE;
}

/* The buffer is empty, an interval begins. */
static void rewind_buffer(struct libri *ri)
{
    memset(ri->buffer, 0, 8); /* or an old number of groups would be seen again */
    put(ri, at_rca, (uintptr_t)ri->buffer);
    put(ri, at_rsic, ri->interval);
}

static void set_interval(struct libri *ri, uint64_t interval, unsigned collect)
{
    put(ri, at_m, interval ? 1 : 2); /* instructions; directed only */
    put(ri, at_c, (collect & LIBRI_CALLS) != 0);
    put(ri, at_r, (collect & LIBRI_RETURNS) != 0);
    put(ri, at_b, (collect & LIBRI_OTHERS) != 0);
    put(ri, at_e, (collect & LIBRI_EMITS) != 0);
    put(ri, at_sf, interval);
    ri->interval = interval;
}

static void set_up(struct libri *ri, const struct libri_setup *setup)
{
    memset(ri->block, 0, sizeof ri->block);
    put(ri, at_roa, (uintptr_t)ri->buffer);
    put(ri, at_rla, (uintptr_t)ri->buffer + ri->size - 1);
    put(ri, at_rgs, setup->rgs);
    put(ri, at_n, 1);
    put(ri, at_f, 1); /* every sample is reported, whatever the caches did */
    set_interval(ri, setup->interval, setup->collect);
    rewind_buffer(ri);
}

int libri_open(struct libri *ri, const struct libri_setup *setup)
{
    memset(ri, 0, sizeof *ri);
    if (!good(setup))
        return -EINVAL;
    if (syscall(CALL_RUNTIME_INSTR, START, 0))
        return -errno;
    ri->size = ((setup->size ? setup->size : 65536u) + PAGE - 1) / PAGE * PAGE;
    ri->own = !setup->buffer;
    void *buffer = setup->buffer;
    if (ri->own)
        buffer = mmap(NULL, ri->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED) {
        syscall(CALL_RUNTIME_INSTR, STOP, 0);
        return -ENOMEM;
    }
    ri->buffer = buffer;
    memset(ri->buffer, 0, ri->size); /* its pages are there: what meets a page fault is lost */
    set_up(ri, setup);
    const int code = modify(ri);
    if (code)
        libri_close(ri);
    return code;
}

int libri_on(struct libri *ri)
{
    const int code = switch_on();
    ri->on = !code;
    return code;
}

int libri_off(struct libri *ri)
{
    ri->on = false;
    return switch_off();
}

/* Off, and what is in the buffer: bytes in *used; ri->on stays as it was. */
static int stop(struct libri *ri, size_t *used)
{
    uint8_t now[64] __attribute__((aligned(8)));
    int code = switch_off();
    if (!code)
        code = store(&now);
    if (code)
        return code;
    const uint64_t length = get(now, at_rca) - (uintptr_t)ri->buffer;
    *used = length < ri->size ? length : ri->size;
    ri->full = get(now, at_l) != 0;
    return 0;
}

static int go_on(struct libri *ri)
{
    rewind_buffer(ri);
    const int code = modify(ri);
    return !code && ri->on ? switch_on() : code;
}

int libri_read(struct libri *ri, libri_each each, void *context)
{
    size_t used = 0;
    int code = stop(ri, &used);
    if (code)
        return code;
    const int groups = (int)libri_groups(ri->buffer, used, each, context);
    code = go_on(ri);
    return code ? code : groups;
}

int libri_pause(struct libri *ri)
{
    size_t used = 0;
    const int code = stop(ri, &used);
    return code ? code : (int)(used / (32u << libri_field(record_at(ri->buffer), LIBRI_BEGIN_RGS)));
}

int libri_resume(struct libri *ri, uint64_t interval, unsigned collect)
{
    if (collect >= 16)
        return -EINVAL;
    set_interval(ri, interval, collect);
    return go_on(ri);
}

void libri_close(struct libri *ri)
{
    switch_off();
    syscall(CALL_RUNTIME_INSTR, STOP, 0);
    if (ri->own)
        munmap(ri->buffer, ri->size);
    memset(ri, 0, sizeof *ri);
}

#else

int libri_open(struct libri *ri, const struct libri_setup *setup)
{
    (void)setup;
    memset(ri, 0, sizeof *ri);
    return -ENOSYS;
}

int libri_on(struct libri *ri)
{
    (void)ri;
    return -EPERM;
}

int libri_off(struct libri *ri)
{
    (void)ri;
    return -EPERM;
}

int libri_read(struct libri *ri, libri_each each, void *context)
{
    (void)ri;
    (void)each;
    (void)context;
    return -EPERM;
}

int libri_pause(struct libri *ri)
{
    (void)ri;
    return -EPERM;
}

int libri_resume(struct libri *ri, uint64_t interval, unsigned collect)
{
    (void)ri;
    (void)interval;
    (void)collect;
    return -EPERM;
}

void libri_close(struct libri *ri) { (void)ri; }

#endif
