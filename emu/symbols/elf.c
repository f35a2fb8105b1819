/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF files of z/Architecture: segments and functions by libelf, lines by libdw (both of elfutils). */
#include "emu/symbols/lines.h"
#include "base/message.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBDW

#include <gelf.h>

#define SECTIONS_MOST 0x100000u

static int no_memory(char *error, size_t size)
{
    return fail_with(-ENOMEM, error, size, "the host has no memory for it; end other programs, or give it more");
}

static int damaged(const char *what, char *error, size_t size)
{
    const int number = elf_errno();
    return fail_with(-EINVAL, error, size, "%s%s%s; take the file that ran", what, number ? ": " : "",
                     number ? elf_errmsg(number) : "");
}

/* Segments that can be executed, and where the first of all begins. */
static int read_segments(struct symbols_file *file, Elf *elf, char *error, size_t size)
{
    size_t count;
    bool any = false;
    if (elf_getphdrnum(elf, &count))
        return damaged("the program headers of the ELF file cannot be read", error, size);
    if (count > SECTIONS_MOST)
        return damaged("the ELF file has too many program headers", error, size);
    file->segment = calloc(count + 1, sizeof *file->segment);
    if (!file->segment)
        return no_memory(error, size);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header))
            return damaged("a program header of the ELF file cannot be read", error, size);
        if (header.p_type != PT_LOAD)
            continue;
        if (!any || header.p_vaddr < file->first)
            file->first = header.p_vaddr;
        any = true;
        if (!(header.p_flags & PF_X))
            continue;
        if (header.p_offset > file->size || header.p_filesz > file->size - header.p_offset)
            return damaged("a segment reaches behind the end of the ELF file: it is cut", error, size);
        file->segment[file->segments++] =
            (struct symbols_segment){header.p_vaddr, (size_t)header.p_offset, (size_t)header.p_filesz};
    }
    return any ? 0 : damaged("the ELF file has no segments to be loaded: it is not linked", error, size);
}

struct section {
    uint64_t end;
    bool code;
};

static struct section *read_sections(Elf *elf, size_t *count)
{
    if (elf_getshdrnum(elf, count) || *count > SECTIONS_MOST)
        *count = 0;
    struct section *all = calloc(*count + 1, sizeof *all);
    for (size_t i = 0; all && i < *count; i++) {
        GElf_Shdr header;
        Elf_Scn *scn = elf_getscn(elf, i);
        if (scn && gelf_getshdr(scn, &header))
            all[i] = (struct section){header.sh_addr + header.sh_size, header.sh_flags & SHF_EXECINSTR};
    }
    return all;
}

/* Is it the name of a function, and what of it is known? */
static bool function_of(const GElf_Sym *symbol, const struct section *section, size_t sections, const char *name,
                        struct symbols_function *f)
{
    static const uint8_t ranks[] = {[STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1};
    const unsigned type = GELF_ST_TYPE(symbol->st_info), bind = GELF_ST_BIND(symbol->st_info);
    const bool label = type == STT_NOTYPE;
    if (!name || !*name || *name == '.' || *name == '$' || symbol->st_shndx == SHN_UNDEF ||
        (type != STT_FUNC && type != STT_GNU_IFUNC && (!label || bind == STB_LOCAL)))
        return false;
    const struct section *in = symbol->st_shndx < sections ? &section[symbol->st_shndx] : NULL;
    if (in ? !in->code : label) /* places that are no section: only functions */
        return false;
    *f = (struct symbols_function){.start = symbol->st_value,
                                   .end = symbol->st_value + symbol->st_size,
                                   .name = name,
                                   .rank = bind < sizeof ranks ? ranks[bind] : 3,
                                   .label = label};
    if (f->end <= f->start) {
        f->open = true;
        f->end = in ? in->end : UINT64_MAX;
    }
    return f->end > f->start;
}

/* Functions of one table; *any: it has some. */
static int read_table(struct symbols_file *file, Elf *elf, Elf_Scn *table, const struct section *section,
                      size_t sections, char *error, size_t size)
{
    GElf_Shdr header;
    Elf_Data *data = elf_getdata(table, NULL);
    if (!data || !gelf_getshdr(table, &header) || !header.sh_entsize)
        return 0;
    const size_t count = data->d_size / header.sh_entsize;
    struct symbols_function *larger = realloc(file->function, (file->functions + count + 1) * sizeof *larger);
    if (!larger)
        return no_memory(error, size);
    file->function = larger;
    for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, (int)i, &symbol))
            file->functions += function_of(&symbol, section, sections, elf_strptr(elf, header.sh_link, symbol.st_name),
                                           &larger[file->functions]);
    }
    return 0;
}

/* Of the full table, or where the file was stripped of it, of the one for dynamic linking. */
static int read_functions(struct symbols_file *file, Elf *elf, char *error, size_t size)
{
    size_t sections;
    struct section *section = read_sections(elf, &sections);
    int bad = section ? 0 : no_memory(error, size);
    for (unsigned type = SHT_SYMTAB;; type = SHT_DYNSYM) {
        Elf_Scn *scn = NULL;
        GElf_Shdr header;
        while (!bad && (scn = elf_nextscn(elf, scn)))
            if (gelf_getshdr(scn, &header) && header.sh_type == type)
                bad = read_table(file, elf, scn, section, sections, error, size);
        if (bad || file->functions || type == SHT_DYNSYM)
            break;
    }
    free(section);
    if (!bad)
        symbols_order(file);
    return bad;
}

int symbols_elf_open(struct symbols_file *file, char *error, size_t size)
{
    GElf_Ehdr header;
    if (elf_version(EV_CURRENT) == EV_NONE)
        return damaged("libelf is of another version", error, size);
    (void)elf_errno();
    file->elf = elf_memory((char *)file->bytes, file->size);
    if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &header))
        return damaged("the ELF header cannot be read", error, size);
    if (header.e_machine != EM_S390 || header.e_ident[EI_DATA] != ELFDATA2MSB)
        return fail_with(-EINVAL, error, size,
                         "this ELF file is for another machine (%u), not z/Architecture; take the file that ran",
                         header.e_machine);
    int bad = read_segments(file, file->elf, error, size);
    bad = bad ? bad : read_functions(file, file->elf, error, size);
    return bad ? bad : symbols_lines_open(file, error, size);
}

void symbols_elf_close(struct symbols_file *file)
{
    symbols_lines_close(file->lines);
    if (file->elf)
        elf_end(file->elf);
}

#else

int symbols_elf_open(struct symbols_file *file, char *error, size_t size)
{
    (void)file;
    return fail_with(-EOPNOTSUPP, error, size,
                     "this build cannot read ELF files: it was configured without libdw of elfutils; install "
                     "libdw-dev and configure --with-libdw");
}

void symbols_elf_close(struct symbols_file *file) { (void)file; }

unsigned symbols_elf_frames(struct symbols_file *file, uint64_t address, struct ep_frame *frame, unsigned most)
{
    (void)file;
    (void)address;
    (void)frame;
    (void)most;
    return 0;
}

bool symbols_elf_line(struct symbols_file *file, uint64_t address, struct ep_frame *frame)
{
    (void)file;
    (void)address;
    *frame = (struct ep_frame){.function = NULL};
    return false;
}

int symbols_elf_list(struct symbols_file *file, uint64_t start, uint64_t end, uint64_t bias,
                     const struct ep_source_listener *listener)
{
    (void)file;
    (void)start;
    (void)end;
    (void)bias;
    (void)listener;
    return 0;
}

#endif
