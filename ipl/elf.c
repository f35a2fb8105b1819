/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF64 executables for S/390 (System V ABI, gABI chapters 4 and 5, and its s390x supplement). */
#include "ipl/internal.h"
#include <errno.h>
#include <inttypes.h>

enum {
    EHDR_SIZE = 64,
    PHDR_SIZE = 56,
    SHDR_SIZE = 64,
    SYM_SIZE = 24,
    ET_REL = 1,
    ET_EXEC = 2,
    ET_DYN = 3,
    EM_S390 = 22,
    PT_LOAD = 1,
    SHT_SYMTAB = 2,
    SHF_EXECINSTR = 4,
    STT_NOTYPE = 0,
    STT_OBJECT = 1,
    STT_FUNC = 2,
    SHN_UNDEF = 0,
    SHN_LORESERVE = 0xff00
};

struct elf {
    const char *name;
    const uint8_t *bytes;
    uint64_t length;
    uint64_t phoff, shoff;
    unsigned phnum, shnum, phentsize, shentsize;
};

struct segment {
    uint64_t offset, virtual, physical, file_size, memory_size;
};

static bool inside(const struct elf *elf, uint64_t offset, uint64_t length)
{
    return offset <= elf->length && length <= elf->length - offset;
}

bool ipl_is_elf(const uint8_t *bytes, uint64_t length) { return length >= 4 && !memcmp(bytes, "\177ELF", 4); }

static int check_header(struct elf *elf, char *error, size_t size)
{
    const uint8_t *e = elf->bytes;
    if (elf->length < EHDR_SIZE)
        return fail_with(-ENOEXEC, error, size,
                         "%s: ends after %" PRIu64 " bytes, inside the ELF header; fetch it again", elf->name,
                         elf->length);
    if (e[5] != 2)
        return fail_with(-ENOEXEC, error, size,
                         "%s: is a little-endian ELF file, for another machine; use an s390x one", elf->name);
    if (get16(e + 18) != EM_S390)
        return fail_with(-ENOEXEC, error, size,
                         "%s: is an ELF file for machine number %u, not for S/390 (22); compile it with "
                         "s390x-linux-gnu-gcc",
                         elf->name, get16(e + 18));
    if (e[4] != 2)
        return fail_with(-ENOEXEC, error, size, "%s: is a 32-bit ELF file; compile it with -m64", elf->name);
    unsigned type = get16(e + 16);
    if (type == ET_REL)
        return fail_with(-ENOEXEC, error, size, "%s: is an object file; link it first (s390x-linux-gnu-ld -Ttext=...)",
                         elf->name);
    if (type == ET_DYN)
        return fail_with(-ENOEXEC, error, size,
                         "%s: is position-independent and would need a dynamic linker; link it with -static -no-pie",
                         elf->name);
    if (type != ET_EXEC)
        return fail_with(-ENOEXEC, error, size, "%s: is an ELF file of type %u, not an executable", elf->name, type);
    elf->phoff = get64(e + 32);
    elf->shoff = get64(e + 40);
    elf->phentsize = get16(e + 54);
    elf->phnum = get16(e + 56);
    elf->shentsize = get16(e + 58);
    elf->shnum = get16(e + 60);
    if (elf->phnum == 0 || elf->phentsize < PHDR_SIZE)
        return fail_with(-ENOEXEC, error, size, "%s: has no program headers, so nothing to load; link it", elf->name);
    if (!inside(elf, elf->phoff, (uint64_t)elf->phnum * elf->phentsize))
        return fail_with(-ENOEXEC, error, size,
                         "%s: the program headers at offset %" PRIX64 " lie beyond the file's end; it is cut short",
                         elf->name, elf->phoff);
    return 0;
}

static struct segment segment_at(const struct elf *elf, unsigned n, bool *load)
{
    const uint8_t *p = elf->bytes + elf->phoff + (uint64_t)n * elf->phentsize;
    *load = get32(p) == PT_LOAD && get64(p + 40) != 0;
    return (struct segment){get64(p + 8), get64(p + 16), get64(p + 24), get64(p + 32), get64(p + 40)};
}

static int load_segments(struct ipl_load *load, const struct elf *elf, uint64_t *entry, char *error, size_t size)
{
    bool any = false, entered = false;
    uint64_t start = *entry;
    for (unsigned n = 0; n < elf->phnum; n++) {
        bool wanted;
        struct segment s = segment_at(elf, n, &wanted);
        if (!wanted)
            continue;
        if (s.file_size > s.memory_size || !inside(elf, s.offset, s.file_size))
            return fail_with(-ENOEXEC, error, size,
                             "%s: segment %u (%" PRIu64 " bytes at offset %" PRIX64
                             ") lies beyond the file's end; the file is cut short or damaged",
                             elf->name, n, s.file_size, s.offset);
        int code = ipl_piece(load, elf->name, s.physical, (uint8_t *)(uintptr_t)elf->bytes + s.offset, s.file_size,
                             s.memory_size - s.file_size, false, error, size);
        if (code)
            return code;
        any = true;
        if (!entered && start - s.virtual < s.memory_size) {
            entered = true;
            *entry = start - s.virtual + s.physical;
        }
    }
    if (!any)
        return fail_with(-ENOEXEC, error, size, "%s: has no loadable segment; link it", elf->name);
    if (!entered)
        return fail_with(-ENOEXEC, error, size, "%s: the entry address %" PRIX64 " is in no segment; link it with -e",
                         elf->name, start);
    return 0;
}

/* Names are taken up to their zero byte inside the string table; a symbol that is damaged is left out, because the
   program itself does not depend on it. */
static int load_symbol(struct ipl_load *load, const struct elf *elf, const uint8_t *sym, uint64_t strings,
                       uint64_t strings_size)
{
    unsigned type = sym[4] & 15, section = get16(sym + 6);
    uint64_t at = get32(sym);
    if (section == SHN_UNDEF || section >= SHN_LORESERVE || type > STT_FUNC || at >= strings_size)
        return 0;
    const char *name = (const char *)elf->bytes + strings + at;
    size_t length = strnlen(name, strings_size - at);
    if (length == 0 || length == strings_size - at || name[0] == '.')
        return 0;
    bool code = type == STT_FUNC;
    if (type == STT_NOTYPE && section < elf->shnum)
        code = get64(elf->bytes + elf->shoff + (uint64_t)section * elf->shentsize + 8) & SHF_EXECINSTR;
    return ipl_symbols_add(load->staged, get64(sym + 8), get64(sym + 16), name, code);
}

static int load_symbols(struct ipl_load *load, const struct elf *elf)
{
    if (elf->shentsize < SHDR_SIZE || !inside(elf, elf->shoff, (uint64_t)elf->shnum * elf->shentsize))
        return 0;
    for (unsigned n = 0; n < elf->shnum; n++) {
        const uint8_t *s = elf->bytes + elf->shoff + (uint64_t)n * elf->shentsize;
        uint32_t link = get32(s + 40);
        if (get32(s + 4) != SHT_SYMTAB || link >= elf->shnum)
            continue;
        const uint8_t *t = elf->bytes + elf->shoff + (uint64_t)link * elf->shentsize;
        uint64_t offset = get64(s + 24), length = get64(s + 32), strings = get64(t + 24), strings_size = get64(t + 32);
        if (!inside(elf, offset, length) || !inside(elf, strings, strings_size))
            continue;
        for (uint64_t i = 0; i + SYM_SIZE <= length; i += SYM_SIZE) {
            int code = load_symbol(load, elf, elf->bytes + offset + i, strings, strings_size);
            if (code)
                return code;
        }
    }
    return 0;
}

int ipl_elf(struct ipl_load *load, const char *name, const uint8_t *bytes, uint64_t length, char *error, size_t size)
{
    struct elf elf = {.name = name, .bytes = bytes, .length = length};
    if (!ipl_is_elf(bytes, length))
        return fail_with(-ENOEXEC, error, size, "%s: is not an ELF file; load it as a raw binary with @ADDRESS", name);
    int code = check_header(&elf, error, size);
    uint64_t entry = code ? 0 : get64(bytes + 24);
    if (!code)
        code = load_segments(load, &elf, &entry, error, size);
    if (!code && load_symbols(load, &elf))
        code = fail_with(-ENOMEM, error, size, "%s: no memory on the host for its symbols", name);
    if (!code)
        ipl_start(load, IPL_START_ENTRY, entry);
    return code;
}
