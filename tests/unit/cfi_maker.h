/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF file with call-frame information that a test has written: the code at X'10000', 256 bytes, has the program of
   a CIE and that of an FDE (DWARF, 6.4), in .debug_frame or in .eh_frame. */
#ifndef ZRI_TESTS_CFI_MAKER_H
#define ZRI_TESTS_CFI_MAKER_H

#include "base/bits.h"
#include <stdbool.h>
#include <string.h>

#define CFI_CODE 0x10000u
#define CFI_SIZE 0x100u
#define CFI_MOST 4096u /* bytes of a file */
enum { CFI_TEXT = 0x80, CFI_FRAMES = CFI_TEXT + CFI_SIZE };

struct cfi_program {
    const uint8_t *bytes;
    size_t length;
};

/* Instructions behind `head`, filled up with DW_CFA_nop; returns the bytes of the entry. */
static size_t cfi_entry(uint8_t *at, size_t head, const struct cfi_program *p)
{
    const size_t all = (head + p->length + 7) & ~(size_t)7;
    memset(at + head, 0, all - head);
    if (p->length)
        memcpy(at + head, p->bytes, p->length);
    put32(at, (uint32_t)(all - 4));
    return all;
}

static void cfi_section(uint8_t *at, unsigned name, unsigned type, uint64_t flags, uint64_t address, size_t offset,
                        size_t size)
{
    memset(at, 0, 64);
    put32(at, name);
    put32(at + 4, type);
    put64(at + 8, flags);
    put64(at + 16, address);
    put64(at + 24, offset);
    put64(at + 32, size);
    put64(at + 48, 1);
}

/* The file into file[CFI_MOST]; how long it is. The programs have 1024 bytes at most each. */
static size_t cfi_elf(uint8_t *file, bool eh, const struct cfi_program *cie, const struct cfi_program *fde)
{
    static const char names[] = "\0.text\0.debug_frame\0.eh_frame\0.shstrtab";
    uint8_t *at = file + CFI_FRAMES, *headers;
    memset(file, 0, CFI_MOST);
    memset(file + CFI_TEXT, 7, CFI_SIZE);
    put32(at + 4, eh ? 0 : 0xffffffff);
    memcpy(at + 8, (const uint8_t[]){1, 0, 1, 0x78, 14}, 5); /* version 1, "", code by 1, data by -8, column 14 */
    at += cfi_entry(at, 13, cie);
    put32(at + 4, eh ? (uint32_t)(at + 4 - (file + CFI_FRAMES)) : 0);
    put64(at + 8, CFI_CODE);
    put64(at + 16, CFI_SIZE);
    at += cfi_entry(at, 24, fde);
    const size_t frames = (size_t)(at - (file + CFI_FRAMES)) + (eh ? 4 : 0), strings = CFI_FRAMES + frames;
    memcpy(file + strings, names, sizeof names);
    headers = file + ((strings + sizeof names + 7) & ~(size_t)7);
    cfi_section(headers, 0, 0, 0, 0, 0, 0);
    cfi_section(headers + 64, 1, 1, 6, CFI_CODE, CFI_TEXT, CFI_SIZE);
    cfi_section(headers + 128, eh ? 20 : 7, 1, eh ? 2 : 0, eh ? CFI_CODE + 0x1000 : 0, CFI_FRAMES, frames);
    cfi_section(headers + 192, 30, 3, 0, 0, strings, sizeof names);
    memcpy(file, "\177ELF\2\2\1", 7);
    put16(file + 16, 2);
    put16(file + 18, 22);
    put32(file + 20, 1);
    put64(file + 32, 64);
    put64(file + 40, (uint64_t)(headers - file));
    put16(file + 52, 64);
    put16(file + 54, 56);
    put16(file + 56, 1);
    put16(file + 58, 64);
    put16(file + 60, 4);
    put16(file + 62, 3);
    put32(file + 64, 1); /* PT_LOAD, which can be executed */
    put32(file + 68, 5);
    put64(file + 72, CFI_TEXT);
    put64(file + 80, CFI_CODE);
    put64(file + 96, CFI_SIZE);
    put64(file + 104, CFI_SIZE);
    put64(file + 112, 1);
    return (size_t)(headers - file) + 256;
}

#endif
