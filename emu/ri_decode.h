/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading RI logs and dumps of program buffers, offline. */
#ifndef ZRI_EMU_RI_DECODE_H
#define ZRI_EMU_RI_DECODE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct ipl_symbols;

enum ri_decode_form { RI_DECODE_TEXT, RI_DECODE_JSON, RI_DECODE_CSV };

struct ri_decode {
    enum ri_decode_form form;
    bool hex;                    /* text: the 16 bytes of each record too */
    int cpu;                     /* only groups of this CPU address; -1: of all */
    struct ipl_symbols *symbols; /* names for instruction and branch addresses, in every form; NULL: none */
    uint64_t origin;             /* of a dumped program buffer: the address of its first byte */
};

/* Decode all of `in` onto `out`. Which of the two kinds it is follows from its first bytes. Returns 0, or -1 with words
   in error[size] that fit behind the file's name: the file is damaged, or cannot be read, or `out` cannot be written;
   what was good before that place has been decoded. */
int emu_ri_decode(FILE *in, const struct ri_decode *how, FILE *out, char *error, size_t size)
    __attribute__((warn_unused_result));

#endif
