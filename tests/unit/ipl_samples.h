/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small good images of each format, for the loaders' tests and fuzzing. */
#ifndef ZRI_TESTS_UNIT_IPL_SAMPLES_H
#define ZRI_TESTS_UNIT_IPL_SAMPLES_H

#include "base/bits.h"

/* ELF: header, two segments, symbols. */
static uint8_t elf[0x400];
static void make_elf(void)
{
    memset(elf, 0, sizeof elf);
    memcpy(elf, "\177ELF\2\2\1", 7);
    put16(elf + 16, 2);
    put16(elf + 18, 22);
    put64(elf + 24, 0x400004); /* entry, virtual */
    put64(elf + 32, 64);
    put64(elf + 40, 0x200);
    put16(elf + 54, 56);
    put16(elf + 56, 2);
    put16(elf + 58, 64);
    put16(elf + 60, 3);
    uint8_t *p = elf + 64;
    put32(p, 1);
    put64(p + 8, 0x100), put64(p + 16, 0x400000), put64(p + 24, 0x20000), put64(p + 32, 8), put64(p + 40, 24);
    p += 56;
    put32(p, 1);
    put64(p + 8, 0x108), put64(p + 16, 0x1000), put64(p + 24, 0x1000), put64(p + 32, 4), put64(p + 40, 4);
    memcpy(elf + 0x100, "ABCDEFGHIJKL", 12);
    uint8_t *s = elf + 0x240; /* section 1: symbols, section 2: names */
    put32(s + 4, 2), put64(s + 24, 0x300), put64(s + 32, 48), put32(s + 40, 2);
    s += 64;
    put64(s + 24, 0x380), put64(s + 32, 16);
    uint8_t *y = elf + 0x300 + 24;
    put32(y, 1), y[4] = 2, put16(y + 6, 1), put64(y + 8, 0x400004), put64(y + 16, 4);
    memcpy(elf + 0x380, "\0begin\0", 7);
}

/* Cards. */
static uint8_t deck[80 * 8];
static void card(unsigned n, const char *kind, unsigned a, unsigned count, unsigned id, const void *data)
{
    static const uint8_t names[4][3] = {
        {0xc5, 0xe2, 0xc4}, {0xe3, 0xe7, 0xe3}, {0xd9, 0xd3, 0xc4}, {0xc5, 0xd5, 0xc4}}; /* ESD TXT RLD END */
    uint8_t *c = deck + 80 * n;
    memset(c, 0x40, 80);
    c[0] = 2;
    memcpy(c + 1, names[*kind == 'E' ? kind[1] == 'S' ? 0 : 3 : *kind == 'T' ? 1 : 2], 3);
    if (*kind == 'T' || (kind[1] == 'N' && a != ~0u)) {
        c[5] = 0;
        put16(c + 6, (uint16_t)a);
    }
    if (kind[1] != 'N')
        put16(c + 10, (uint16_t)count);
    if (id)
        put16(c + 14, (uint16_t)id);
    if (data)
        memcpy(c + 16, data, count);
}

#define MAIN_NAME "\xd4\xc1\xc9\xd5\x40\x40\x40\x40" /* MAIN */
#define SUB_NAME  "\xe2\xe4\xc2\x40\x40\x40\x40\x40" /* SUB */

/* MAIN: 16 bytes at 100: two address constants: A(MAIN+4) and V(SUB); SUB: 4 bytes. */
static void make_deck(void)
{
    card(0, "ESD", 0, 32, 1, MAIN_NAME "\0\0\1\0\x40\0\0\x10" SUB_NAME "\2\x40\x40\x40\x40\x40\x40\x40");
    card(1, "TXT", 0x100, 16, 1, "abcdefgh\0\0\1\4\0\0\0\0");
    card(2, "RLD", 0, 16, 0, "\0\1\0\1\x0c\0\1\x08\0\2\0\1\x1c\0\1\x0c");
    card(3, "END", 0x104, 0, 1, NULL);
    card(4, "ESD", 0, 16, 1, SUB_NAME "\0\0\0\0\x40\0\0\4");
    card(5, "TXT", 0, 4, 1, "wxyz");
    card(6, "END", ~0u, 0, 0, NULL);
}

static uint8_t kernel[0x20000];
static void make_kernel(void)
{
    memset(kernel, 0x11, sizeof kernel);
    memcpy(kernel + 0x10008, "S390EP\0\1", 8);
    memset(kernel + 0x10400, 0, 0x80);
    put64(kernel + 0x10430, 4096);
}

#endif
