/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libri: run-time instrumentation for a process under Linux on s390x, by the system call s390_runtime_instr of the
   kernel as it is. A program opens it, switches it on, runs, and reads what was sampled, with no system call in
   between:

       struct libri ri;
       struct libri_setup setup = {.interval = 20011, .collect = LIBRI_CALLS};
       int code = libri_open(&ri, &setup);
       if (code)
           fprintf(stderr, "%s\n", libri_problem(code));
       ...
       libri_on(&ri);  work();  libri_read(&ri, each, context);  libri_close(&ri);

   Compile libri.c into the program, with the root of zri's tree as a folder for headers: types and fields of records
   stand in ri/types.def and ri/records.def, which zri decodes by too. What decodes works on any host; what controls
   yields -ENOSYS where the host is no s390x Linux.

   What a program has to know of the facility under Linux:
   - controls belong to a thread. A child of fork() has none, and opens its own; nobody finds another's groups;
   - every interruption, thus every system call, page fault, signal and task switch, empties the collection buffer: a
     group holds only what was collected since. Sampling goes on, also in a signal's handler;
   - a group whose page of the buffer is not there is lost. libri_open() touches all pages; lock them where storage is
     scarce;
   - a full buffer stops sampling until it is read.

   ipl/guest/mrvm/linux.c is a run-time that compiles by what it finds with it. */
#ifndef LIBRI_H
#define LIBRI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- decoding -------------------------------------------------------------------------------------------------- */

/* LIBRI_CALL and so on: types of records. */
enum libri_type {
#define TYPE(code, id, fields, name) LIBRI_##id = code,
#include "ri/types.def"
};
/* LIBRI_BRANCH_TGT and so on: fields. Calls, returns and transfers have those that begin LIBRI_BRANCH. */
enum libri_field {
#define FIELD(type, name, first, last, text) LIBRI_##type##_##name,
#include "ri/records.def"
    LIBRI_FIELDS
};

struct libri_record {
    uint64_t first, second; /* bits 0-63, 64-127 */
};
/* A reporting group: the header first, the sample instruction last. */
struct libri_group {
    const uint8_t *bytes;     /* 16 for each record */
    unsigned records, number; /* number from 1 in this buffer */
};
typedef void (*libri_each)(void *context, const struct libri_group *group);

/* Record `n`, 0 to group->records - 1. */
struct libri_record libri_record(const struct libri_group *group, unsigned n);
/* Its type, or what is none. */
static inline unsigned libri_type(struct libri_record record) { return (unsigned)(record.first >> 56); }
/* "call" and so on; NULL when there is no such type. */
const char *libri_type_name(unsigned type);
/* Has a record of this type that field? The name of a field, as in the specification: "TGT". NULL: there is none. */
bool libri_has(unsigned type, enum libri_field field);
const char *libri_field_name(enum libri_field field);
/* The value of a field. The caller knows that the record's type has it. */
uint64_t libri_field(struct libri_record record, enum libri_field field);
/* A program buffer of `size` bytes from its origin on: calls back for each group in it, yields how many there are; 0
   when it does not begin with a begin record. Believes nothing in it beyond its end. */
unsigned libri_groups(const void *buffer, size_t size, libri_each each, void *context);

/* ---- the process ----------------------------------------------------------------------------------------------- */

enum libri_collect {
    LIBRI_CALLS = 1,
    LIBRI_RETURNS = 2,
    LIBRI_OTHERS = 4, /* all other taken branches */
    LIBRI_EMITS = 8,  /* what libri_emit() says */
};

struct libri_setup {
    uint64_t interval; /* instructions between samples, best a prime; 0: only libri_next() makes any */
    size_t size;       /* of the buffer, bytes; 0: 64 KiB. Rounded up to pages of 4 KiB */
    void *buffer;      /* NULL: libri_open() makes it. Else the caller's: whole pages of 4 KiB, `size` is not 0 */
    unsigned rgs;      /* a group has 2^(rgs + 1) records, 0-4; more than this machine has room for are fewer */
    unsigned collect;  /* enum libri_collect */
};

struct libri {
    uint8_t block[64] __attribute__((aligned(8))); /* the control block */
    uint8_t *buffer;
    size_t size;
    uint64_t interval;
    bool on;
    bool own;  /* the buffer is libri's */
    bool full; /* there was no room for a group before the last pause: groups were lost */
};

/* Get the controls from the kernel, make and set up the buffer; off as yet. 0, or a negative errno: -EINVAL setup is no
   good; -ENOSYS the kernel has no such call, or this is no s390x Linux; -EOPNOTSUPP the machine has no such facility;
   -ENOMEM. */
int libri_open(struct libri *ri, const struct libri_setup *setup);
/* From the next instruction on. 0, or -EPERM: this thread has no controls. */
int libri_on(struct libri *ri);
int libri_off(struct libri *ri);
/* Call back for each group that was stored since the last time and empty the buffer; then it is on again if it was on.
   Yields the groups, or -EPERM. No system call is made. */
int libri_read(struct libri *ri, libri_each each, void *context);
/* The two halves of libri_read(), for a program that looks at the groups by itself. It is off from here on; yields the
   groups stored since the last time, which stand in ri->buffer one behind the other, or -EPERM. */
int libri_pause(struct libri *ri);
/* Empty the buffer; then it is on again if it was on before libri_pause(), with another interval and other things to
   collect. 0, or -EPERM, or -EINVAL: `collect` is no good. */
int libri_resume(struct libri *ri, uint64_t interval, unsigned collect);
/* Give everything back. After an open that failed nothing is to be done. */
void libri_close(struct libri *ri);
/* What is the matter, and what to do: a sentence for an error of the functions above. */
const char *libri_problem(int code);

/* RIEMIT, RINEXT: a value into the collection buffer; the next instruction becomes a sample. No-operations while off,
   and on machines where libri_open() says -EOPNOTSUPP never to be reached. */
#ifdef __s390x__
static inline void libri_emit(uint64_t value) { __asm__ volatile(".insn ri,0xaa040000,%0,0" : : "d"(value)); }
static inline void libri_next(void) { __asm__ volatile(".insn ri,0xaa000000,%%r0,0" : : : "memory"); }
#endif

#endif
