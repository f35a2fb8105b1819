/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of addresses, for the console and for counting samples by routine. */
#ifndef ZRI_IPL_SYMBOLS_H
#define ZRI_IPL_SYMBOLS_H

#include "base/bits.h"
#include <stddef.h>

struct ipl_symbols;

struct ipl_symbol {
    uint64_t address;
    uint64_t size; /* 0: not known, reaches to the next symbol */
    const char *name;
    bool code; /* a function, or a place in a text section */
};

struct ipl_symbols *ipl_symbols_new(void) MUST_USE; /* NULL: no host memory */
void ipl_symbols_free(struct ipl_symbols *symbols);
/* Add one; `name` is copied. 0 or -ENOMEM. */
int ipl_symbols_add(struct ipl_symbols *symbols, uint64_t address, uint64_t size, const char *name, bool code) MUST_USE;
/* Add a map in the form that nm prints and that Linux's System.map has: "ADDRESS TYPE NAME" lines. Returns 0 or a
   negative errno and a sentence with the line number; then nothing was added. `delta` is added to each address. */
int ipl_symbols_add_map(struct ipl_symbols *symbols, const char *text, uint64_t length, uint64_t delta, char *error,
                        size_t size) MUST_USE;
/* The symbol that `address` lies in (nearest one at or below it, within its size when that is known), or NULL. The
   pointer is good until the next addition. */
const struct ipl_symbol *ipl_symbol_at(struct ipl_symbols *symbols, uint64_t address);
/* The symbol called `name`, or NULL. */
const struct ipl_symbol *ipl_symbol_named(struct ipl_symbols *symbols, const char *name);
/* Symbols in address order, for completion: index 0 to count - 1. */
unsigned ipl_symbols_count(const struct ipl_symbols *symbols);
const struct ipl_symbol *ipl_symbol_number(struct ipl_symbols *symbols, unsigned index);

#endif
