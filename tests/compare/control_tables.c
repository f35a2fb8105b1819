/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation, ASN, access-list and linkage tables of the comparison of control instructions. */
#include "base/bits.h"
#include "tests/compare/control.h"

static void make_space(uint8_t *image, unsigned n)
{
    uint8_t *segments = image + AT_TABLES + 0x1000 * n;
    const uint32_t pages = AT_PAGE_TABLES + 0x800 * n;
    for (unsigned k = 0; k < 512; k++)
        put64(segments + 8 * k, BIT64(58)); /* invalid */
    put64(segments, pages);
    for (unsigned k = 1; k < 64; k++)
        put64(segments + 8 * k, AT_CASE_PAGES + 0x800 * k);
    put64(segments + 8 * (SEGMENT_PROTECTED >> 20), pages | BIT64(54));
    put64(segments + 8 * (SEGMENT_MALFORMED >> 20), pages | BIT64(60)); /* of another table type */
    for (unsigned k = 0; k < 256; k++)
        put64(image + pages + 8 * k, (uint64_t)k << 12);
    for (unsigned k = 0; k < 2; k++)
        put64(image + pages + 8 * (8 + k), 0x8000 + 0x2000 * n + 0x1000 * k);
    put64(image + pages + 8 * 10, 0x8000 + 0x2000 * n + BIT64(53));
    put64(image + pages + 8 * 11, 0x8000 + 0x2000 * n + BIT64(54));
}

static void make_aste(uint8_t *image, unsigned asn, unsigned space, uint32_t sequence)
{
    uint8_t *aste = image + AT_ASN_SECOND + 64 * asn;
    put32(aste, AT_AUTHORITY);
    put32(aste + 4, asn << 16 | 0x10); /* authorization index; 32 entries */
    put64(aste + 8, AT_TABLES + 0x1000 * space);
    put32(aste + 16, AT_LIST);
    put32(aste + 20, sequence);
    put32(aste + 24, BIT32(0) | AT_LINKAGE);
}

static void make_list_entry(uint8_t *image, unsigned n, uint32_t word, unsigned asn, uint32_t sequence)
{
    uint8_t *entry = image + AT_LIST + 16 * n;
    put32(entry, word);
    put32(entry + 8, AT_ASN_SECOND + 64 * asn);
    put32(entry + 12, sequence);
}

/* Entries of the entry table: basic and stacking, to the same space and to another, with and without authority. */
static void make_entry(uint8_t *image, unsigned n)
{
    static const uint32_t options[8] = {0x00000000, 0x80000000, 0x88000000, 0x84000000,
                                        0x83000000, 0x9cd00000, 0x93e00000, 0x80000000};
    uint8_t *entry = image + AT_ENTRIES + 32 * n;
    const unsigned asn = n & 8 ? 3 : 0;
    put32(entry + 4, BIT32(0) | (0x7000 + 16 * n) | (n & 1));
    put16(entry + 8, n == 7 ? 0 : 0xffff);
    put16(entry + 10, (uint16_t)asn);
    put16(entry + 12, 0x00f0);
    put32(entry + 16, options[n & 7] | (n & 4 ? 0x0002 : 0));
    put32(entry + 20, asn ? AT_ASN_SECOND + 64 * 3 : 0);
    put64(entry + 24, 0x5a5a00005a5a0000 + n);
}

void control_tables(uint8_t *image)
{
    for (unsigned n = 0; n < SPACES; n++)
        make_space(image, n);
    for (unsigned k = 256; k < 64 * 256; k++)
        put64(image + AT_CASE_PAGES + 8 * k, (uint64_t)k << 12);
    put32(image + AT_DUCT + 16, AT_LIST);
    put32(image + AT_ASN_FIRST, AT_ASN_SECOND);
    put32(image + AT_ASN_FIRST + 4, BIT32(0));
    for (unsigned asn = 1; asn < 8; asn++)
        make_aste(image, asn, asn < 4 ? (asn == 3 ? 3 : asn - 1) : 1, 7);
    put32(image + AT_ASN_SECOND + 64 * 4, AT_AUTHORITY | BIT32(0)); /* ASN 4: invalid */
    put32(image + AT_ASN_SECOND + 64 * 5 + 4, 0x00500000);          /* ASN 5: a short authority table */
    make_list_entry(image, 2, 0x00000000, 3, 7);
    make_list_entry(image, 3, 0x02000000, 3, 7); /* fetch only */
    make_list_entry(image, 4, 0x80000000, 3, 7); /* invalid */
    make_list_entry(image, 5, 0x00050000, 3, 7); /* sequence number 5 */
    make_list_entry(image, 6, 0x00000000, 4, 7); /* invalid ASTE */
    make_list_entry(image, 7, 0x01000009, 3, 7); /* private */
    for (unsigned k = 0; k < 16; k++)
        image[AT_AUTHORITY + k] = (uint8_t)(0xf4 >> (k & 1));
    put32(image + AT_LINKAGE, AT_ENTRIES | 0x3f);
    put32(image + AT_LINKAGE + 4, BIT32(0));
    for (unsigned n = 0; n < 16; n++)
        make_entry(image, n);
}
