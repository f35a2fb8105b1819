/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which program a Linux process runs. Layouts: ELF gABI chapters 4 and 5; s390x ELF ABI supplement, "Process
   Initialization"; <link.h> for struct r_debug and struct link_map. */
#include "emu/edges/linux_process.h"

enum { BLOCK = 4096, PIECE = 32, AUX_MOST = 64, HEADERS_MOST = 64, DYNAMIC_MOST = 256, OBJECTS_MOST = 256 };
enum { AT_PHDR = 3, AT_PHNUM = 5, AT_BASE = 7, AT_ENTRY = 9, AT_EXECFN = 31, AT_SYSINFO_EHDR = 33 };
enum { PT_LOAD = 1, PT_DYNAMIC = 2, PF_X = 1, DT_DEBUG = 21, EM_S390 = 22 };
enum { ELF_HEADER = 64, PROGRAM_HEADER = 56 };
#define ARGUMENTS_MOST (UINT64_C(256) << 10) /* bytes between the auxiliary vector and the name at the top */

/* Bytes that may lie in several blocks. */
static bool get(const struct linux_reader *r, uint64_t address, void *to, size_t length)
{
    for (unsigned char *p = to; length > 0;) {
        const size_t rest = BLOCK - address % BLOCK, n = length < rest ? length : rest;
        if (!r->read(r->context, address, p, n))
            return false;
        address += n;
        p += n;
        length -= n;
    }
    return true;
}

static bool word(const struct linux_reader *r, uint64_t address, uint64_t *value)
{
    unsigned char bytes[8];
    if (!get(r, address, bytes, sizeof bytes))
        return false;
    *value = get64(bytes);
    return true;
}

/* A text at an address: without its folders, cut to what there is place for. */
static bool text(const struct linux_reader *r, uint64_t address, char name[LINUX_NAME])
{
    char piece[PIECE];
    unsigned used = 0;
    for (unsigned i = 0, left = 0; i < BLOCK; i++, left--) {
        if (!left) {
            left = PIECE - (address + i) % PIECE;
            if (!get(r, address + i, piece + PIECE - left, left))
                return false;
        }
        const char c = piece[PIECE - left];
        if (c == '\0') {
            name[used] = '\0';
            return used > 0;
        }
        if (c == '/')
            used = 0;
        else if (used < LINUX_NAME - 1)
            name[used++] = c;
    }
    return false;
}

/* ---- the initial stack ------------------------------------------------------------------------------------------ */

/* Where the text that ends below the last doubleword of a block begins; 0: none does. */
static uint64_t name_at_top(const struct linux_reader *r, uint64_t block)
{
    unsigned char bytes[BLOCK];
    unsigned at = BLOCK - 8;
    if (!r->read(r->context, block, bytes, BLOCK) || get64(bytes + BLOCK - 8) != 0 || bytes[at - 1] != '\0')
        return 0;
    for (at--; at > 0 && bytes[at - 1] != '\0'; at--)
        if (bytes[at - 1] < ' ')
            return 0;
    return at == 0 || at == BLOCK - 9 ? 0 : block + at;
}

static void keep(struct linux_process *p, uint64_t type, uint64_t value)
{
    switch (type) {
    case AT_PHDR:
        p->headers = value;
        break;
    case AT_PHNUM:
        p->header_count = value < HEADERS_MOST ? (unsigned)value : HEADERS_MOST;
        break;
    case AT_BASE:
        p->base = value;
        break;
    case AT_ENTRY:
        p->entry = value;
        break;
    case AT_SYSINFO_EHDR:
        p->vdso = value;
        break;
    default:
        break;
    }
}

/* The entries of the vector around the one at `at`. */
static void read_vector(const struct linux_reader *r, struct linux_process *p, uint64_t at)
{
    uint64_t type, value;
    for (unsigned i = 1; i < AUX_MOST && word(r, at - 16 * i, &type) && word(r, at - 16 * i + 8, &value); i++) {
        if (type == 0 || type >= AUX_MOST)
            break;
        keep(p, type, value);
    }
    for (unsigned i = 1; i < AUX_MOST && word(r, at + 16 * i, &type) && word(r, at + 16 * i + 8, &value); i++) {
        if (type == 0)
            break;
        keep(p, type, value);
    }
}

/* The entry of the vector that points to the name. */
static bool find_vector(const struct linux_reader *r, struct linux_process *p)
{
    uint64_t above = 0; /* the doubleword behind the one that is looked at */
    const uint64_t from = p->name_at & ~UINT64_C(7);
    for (uint64_t at = from; from - at < ARGUMENTS_MOST; at -= 8) {
        uint64_t value;
        if (!word(r, at, &value))
            return false;
        if (value == AT_EXECFN && above == p->name_at) {
            read_vector(r, p, at);
            return p->headers != 0 && p->header_count != 0;
        }
        above = value;
    }
    return false;
}

bool linux_process_find(const struct linux_reader *reader, uint64_t stack, struct linux_process *process)
{
    const uint64_t first = stack - stack % BLOCK;
    for (uint64_t block = first; block - first < LINUX_STACK_MOST; block += BLOCK) {
        *process = (struct linux_process){.name_at = name_at_top(reader, block)};
        if (process->name_at && find_vector(reader, process) && text(reader, process->name_at, process->program))
            return true;
    }
    return false;
}

bool linux_process_same(const struct linux_reader *reader, const struct linux_process *process)
{
    char name[LINUX_NAME];
    return text(reader, process->name_at, name) && strcmp(name, process->program) == 0;
}

/* ---- modules ---------------------------------------------------------------------------------------------------- */

struct segment {
    uint32_t type, flags;
    uint64_t offset, address, size;
};

static bool get_segment(const struct linux_reader *r, uint64_t headers, unsigned i, struct segment *s)
{
    unsigned char bytes[PROGRAM_HEADER];
    if (!get(r, headers + (uint64_t)i * PROGRAM_HEADER, bytes, sizeof bytes))
        return false;
    *s = (struct segment){get32(bytes), get32(bytes + 4), get64(bytes + 8), get64(bytes + 16), get64(bytes + 40)};
    return true;
}

static void add(struct linux_process *p, const char *name, uint64_t start, uint64_t size, uint64_t bias)
{
    const uint64_t end = start + size;
    if (end <= start || p->modules == LINUX_MODULES)
        return;
    for (unsigned i = 0; i < p->modules; i++)
        if (start < p->module[i].end && p->module[i].start < end)
            return; /* known already */
    struct linux_module *m = &p->module[p->modules++];
    *m = (struct linux_module){.start = start, .end = end, .bias = bias};
    memcpy(m->name, name, strnlen(name, LINUX_NAME - 1));
}

/* The executable segments that program headers name. */
static void add_segments(const struct linux_reader *r, struct linux_process *p, const char *name, uint64_t headers,
                         unsigned count, uint64_t bias)
{
    struct segment s;
    for (unsigned i = 0; i < count && get_segment(r, headers, i, &s); i++)
        if (s.type == PT_LOAD && (s.flags & PF_X))
            add(p, name, bias + s.address, s.size, bias);
}

/* What is loaded with its ELF header at an address, which is that of its first segment. */
static void add_object(const struct linux_reader *r, struct linux_process *p, const char *name, uint64_t at)
{
    unsigned char h[ELF_HEADER];
    struct segment s;
    if (!get(r, at, h, sizeof h) || memcmp(h, "\177ELF\2\2", 6) != 0 || get16(h + 18) != EM_S390 ||
        get16(h + 54) != PROGRAM_HEADER)
        return;
    const unsigned count = get16(h + 56) < HEADERS_MOST ? get16(h + 56) : HEADERS_MOST;
    const uint64_t headers = at + get64(h + 32);
    for (unsigned i = 0; i < count && get_segment(r, headers, i, &s); i++)
        if (s.type == PT_LOAD) {
            add_segments(r, p, name, headers, count, at - (s.address - s.address % BLOCK));
            return;
        }
}

/* What the run-time linker has loaded: the list that the program's dynamic section leads to. */
static void add_loaded(const struct linux_reader *r, struct linux_process *p, uint64_t dynamic)
{
    uint64_t tag, value = 0, object, bias, name_at;
    char name[LINUX_NAME];
    for (unsigned i = 0;; i++) {
        if (i == DYNAMIC_MOST || !word(r, dynamic + 16 * i, &tag) || !word(r, dynamic + 16 * i + 8, &value) || tag == 0)
            return;
        if (tag == DT_DEBUG)
            break;
    }
    if (value == 0 || !word(r, value + 8, &object))
        return;
    for (unsigned i = 0; i < OBJECTS_MOST && object != 0; i++) {
        if (!word(r, object, &bias) || !word(r, object + 8, &name_at))
            return;
        if (text(r, name_at, name)) /* the program itself has none */
            add_object(r, p, name, bias);
        if (!word(r, object + 24, &object))
            return;
    }
}

void linux_process_modules(const struct linux_reader *reader, struct linux_process *process)
{
    struct segment s;
    uint64_t bias = 0, dynamic = 0;
    for (unsigned i = 0; i < process->header_count && get_segment(reader, process->headers, i, &s); i++)
        if (s.type == PT_LOAD && s.offset == 0) /* the headers stand behind the ELF header */
            bias = process->headers - ELF_HEADER - s.address;
        else if (s.type == PT_DYNAMIC)
            dynamic = s.address;
    add_segments(reader, process, process->program, process->headers, process->header_count, bias);
    if (dynamic)
        add_loaded(reader, process, bias + dynamic);
    if (process->base)
        add_object(reader, process, "ld64.so.1", process->base);
    if (process->vdso)
        add_object(reader, process, "linux-vdso64.so.1", process->vdso);
}
