/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF core files: the ELF-64 object file format with the notes of the s390x ELF ABI supplement, as Linux writes them of
   itself (NT_PRSTATUS and those of the CPU's other registers). */
#include "emu/machine/core.h"
#include "cpu/control/psw.h"
#include "cpu/state/timing.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 64, PROGRAM_HEADER = 56, PAGE = 4096 };
enum { ET_CORE_FILE = 4, EM_OF_S390 = 22, SEGMENT_LOAD = 1, SEGMENT_NOTE = 4, SEGMENT_RWX = 7 };
enum note {
    NOTE_PRSTATUS = 1,
    NOTE_FPREGSET = 2,
    NOTE_PRPSINFO = 3,
    NOTE_TIMER = 0x301,
    NOTE_TODCMP = 0x302,
    NOTE_TODPREG = 0x303,
    NOTE_CTRS = 0x304,
    NOTE_PREFIX = 0x305,
    NOTE_VXRS_LOW = 0x309,
    NOTE_VXRS_HIGH = 0x30a
};
#define OF_ONE_CPU   2048u /* bytes of notes, at most */
#define VMCOREINFO   "VMCOREINFO"
#define INFO_LARGEST 65536u
/* Linux keeps the address of its VMCOREINFO note in its prefix area at absolute zero. */
#define VMCORE_INFO_AT 0xe0cu

struct notes {
    uint8_t *bytes;
    size_t length, room;
};

/* A note whose contents are zeros: where they are; NULL: no memory. */
static uint8_t *note(struct notes *n, const char *name, unsigned type, size_t length)
{
    const size_t name_length = strlen(name) + 1, named = (name_length + 3) & ~(size_t)3;
    const size_t all = 12 + named + ((length + 3) & ~(size_t)3);
    if (n->length + all > n->room) {
        const size_t room = 2 * n->room + all + OF_ONE_CPU;
        uint8_t *larger = realloc(n->bytes, room);
        if (!larger)
            return NULL;
        n->bytes = larger;
        n->room = room;
    }
    uint8_t *at = n->bytes + n->length;
    memset(at, 0, all);
    put32(at, (uint32_t)name_length);
    put32(at + 4, (uint32_t)length);
    put32(at + 8, type);
    memcpy(at + 12, name, name_length);
    n->length += all;
    return at + 12 + named;
}

/* struct elf_prstatus: the number of the process at 32, the registers at 112. */
static bool note_status(struct notes *n, const struct cpu *cpu)
{
    uint8_t *at = note(n, "CORE", NOTE_PRSTATUS, 336);
    if (!at)
        return false;
    put32(at + 32, cpu->address + 1u);
    put64(at + 112, cpu_psw_mask(cpu));
    put64(at + 120, cpu->psw.ia);
    for (unsigned i = 0; i < 16; i++) {
        put64(at + 128 + 8 * i, cpu->gr[i]);
        put32(at + 256 + 4 * i, cpu->ar[i]);
    }
    put64(at + 320, cpu->gr[2]);
    put32(at + 328, 1); /* floating-point registers are there */
    return true;
}

static bool note_float(struct notes *n, const struct cpu *cpu)
{
    uint8_t *at = note(n, "CORE", NOTE_FPREGSET, 136);
    if (!at)
        return false;
    put32(at, cpu->fpc);
    for (unsigned i = 0; i < 16; i++)
        put64(at + 8 + 8 * i, cpu->vr[i].hi);
    return true;
}

static bool note_value(struct notes *n, unsigned type, unsigned length, uint64_t value)
{
    uint8_t *at = note(n, "LINUX", type, length);
    if (at && length == 4)
        put32(at, (uint32_t)value);
    else if (at)
        put64(at, value);
    return at != NULL;
}

static bool note_controls(struct notes *n, const struct cpu *cpu)
{
    uint8_t *at = note(n, "LINUX", NOTE_CTRS, 128);
    for (unsigned i = 0; at && i < 16; i++)
        put64(at + 8 * i, cpu->cr[i]);
    return at != NULL;
}

static bool note_vectors(struct notes *n, const struct cpu *cpu)
{
    uint8_t *at = note(n, "LINUX", NOTE_VXRS_LOW, 128);
    for (unsigned i = 0; at && i < 16; i++)
        put64(at + 8 * i, cpu->vr[i].lo);
    if (at)
        at = note(n, "LINUX", NOTE_VXRS_HIGH, 256);
    for (unsigned i = 0; at && i < 16; i++) {
        put64(at + 16 * i, cpu->vr[16 + i].hi);
        put64(at + 16 * i + 8, cpu->vr[16 + i].lo);
    }
    return at != NULL;
}

static bool note_cpu(struct notes *n, struct cpu *cpu)
{
    return note_status(n, cpu) && note_float(n, cpu) && note_value(n, NOTE_TIMER, 8, (uint64_t)cpu_timer_value(cpu)) &&
           note_value(n, NOTE_TODCMP, 8, cpu->clock_comparator) &&
           note_value(n, NOTE_TODPREG, 4, cpu->tod_programmable) && note_controls(n, cpu) &&
           note_value(n, NOTE_PREFIX, 4, cpu->prefix) && note_vectors(n, cpu);
}

/* What Linux says of its own data structures; a guest that is no Linux has nothing that looks like it. */
static bool note_linux(struct notes *n, const struct storage *storage)
{
    const uint64_t at = get64(storage->bytes + VMCORE_INFO_AT);
    if (!at || at & 3 || !storage_has(storage, at, 24) || get32(storage->bytes + at) != sizeof VMCOREINFO ||
        memcmp(storage->bytes + at + 12, VMCOREINFO, sizeof VMCOREINFO) != 0)
        return true;
    const uint32_t length = get32(storage->bytes + at + 4);
    if (length > INFO_LARGEST || !storage_has(storage, at + 24, length))
        return true;
    uint8_t *to = note(n, VMCOREINFO, 0, length);
    if (to)
        memcpy(to, storage->bytes + at + 24, length);
    return to != NULL;
}

static bool make_notes(struct notes *n, const struct machine *m)
{
    uint8_t *at = note(n, "CORE", NOTE_PRPSINFO, 136);
    if (!at)
        return false;
    memcpy(at + 1, "R", 1);
    memcpy(at + 40, "zri", 3);
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        if (m->sys.cpus[i] && !note_cpu(n, m->sys.cpus[i]))
            return false;
    return note_linux(n, &m->sys.storage);
}

static void put_header(uint8_t *at)
{
    memcpy(at, "\177ELF\2\2\1", 7); /* 64 bits, most significant byte first, version 1 */
    put16(at + 16, ET_CORE_FILE);
    put16(at + 18, EM_OF_S390);
    put32(at + 20, 1);
    put64(at + 32, HEADER);
    put16(at + 52, HEADER);
    put16(at + 54, PROGRAM_HEADER);
    put16(at + 56, 2);
}

static void put_segment(uint8_t *at, unsigned type, uint64_t offset, uint64_t bytes, uint64_t in_storage)
{
    put32(at, type);
    put32(at + 4, type == SEGMENT_LOAD ? SEGMENT_RWX : 0);
    put64(at + 8, offset);
    put64(at + 32, bytes);
    put64(at + 40, in_storage);
    put64(at + 48, type == SEGMENT_LOAD ? PAGE : 4);
}

/* Pages of zeros are passed over. */
static bool write_storage(FILE *f, const struct storage *storage, uint64_t offset)
{
    static const uint8_t zeros[PAGE];
    bool there = false;
    for (uint64_t at = 0; at < storage->size; at += PAGE) {
        const bool empty = memcmp(storage->bytes + at, zeros, PAGE) == 0;
        if (!empty && !there && fseeko(f, (off_t)(offset + at), SEEK_SET))
            return false;
        there = !empty;
        if (there && fwrite(storage->bytes + at, PAGE, 1, f) != 1)
            return false;
    }
    return fflush(f) == 0 && ftruncate(fileno(f), (off_t)(offset + storage->size)) == 0;
}

static bool write_all(FILE *f, const struct machine *m, const struct notes *n)
{
    uint8_t head[HEADER + 2 * PROGRAM_HEADER] = {0};
    const uint64_t offset = (sizeof head + n->length + PAGE - 1) / PAGE * PAGE;
    put_header(head);
    put_segment(head + HEADER, SEGMENT_NOTE, sizeof head, n->length, 0);
    put_segment(head + HEADER + PROGRAM_HEADER, SEGMENT_LOAD, offset, m->sys.storage.size, m->sys.storage.size);
    return fwrite(head, sizeof head, 1, f) == 1 && fwrite(n->bytes, n->length, 1, f) == 1 &&
           write_storage(f, &m->sys.storage, offset);
}

int core_save(struct machine *m, const char *file, char *error, size_t size)
{
    struct notes n = {.length = 0};
    if (!make_notes(&n, m)) {
        free(n.bytes);
        snprintf(error, size, "the host has no memory for the notes of a core file; end other programs");
        return -ENOMEM;
    }
    errno = 0;
    FILE *f = fopen(file, "wb");
    struct stat st;
    const bool regular = f && fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode);
    int code = f ? 0 : -errno;
    if (f && !regular)
        code = -ESPIPE;
    else if (f && !write_all(f, m, &n))
        code = errno ? -errno : -EIO;
    if (f && fclose(f) && !code)
        code = -errno;
    free(n.bytes);
    if (!code)
        return 0;
    if (regular)
        unlink(file);
    snprintf(error, size,
             "cannot write the core file '%.200s': %s%s; name a file in a folder with room for %" PRIu64 " bytes", file,
             strerror(-code), regular ? "; the part that was written is removed" : "", m->sys.storage.size);
    return code;
}
