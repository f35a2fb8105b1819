/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random dictionaries for COMPRESSION CALL. */
#ifndef ZRI_TESTS_COMPARE_DICTIONARY_H
#define ZRI_TESTS_COMPARE_DICTIONARY_H

#include <stdbool.h>
#include <stdint.h>

/* First letter and number of letters that children are made of. */
enum { DICTIONARY_LETTER = 0x40, DICTIONARY_LETTERS = 6 };

/* Fill in a compression dictionary of 256 << size entries (behind it, with format 1, the second halves of sibling
   descriptors) and the expansion dictionary of the same tree. Returns the number of entries in use, descriptors
   counted; *usable is called for each that stands for a symbol. */
unsigned dictionary_make(uint8_t *compression, uint8_t *expansion, unsigned size, bool format_1, uint64_t *random,
                         uint16_t symbols[8192], unsigned *symbol_count);

#endif
