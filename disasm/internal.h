/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of disasm/ share. */
#ifndef ZRI_DISASM_INTERNAL_H
#define ZRI_DISASM_INTERNAL_H

#include "disasm/dis.h"

/* Where the operation code of a format is (formats.def). */
enum dis_pattern { DIS_OP8, DIS_OP12, DIS_OP16, DIS_OP8_40 };

#define DIS_PATTERN_MASK(pattern)                                                                                      \
    ((int)(pattern) == (int)DIS_OP8    ? UINT64_C(0xff0000000000)                                                      \
     : (int)(pattern) == (int)DIS_OP12 ? UINT64_C(0xff0f00000000)                                                      \
     : (int)(pattern) == (int)DIS_OP16 ? UINT64_C(0xffff00000000)                                                      \
                                       : UINT64_C(0xff00000000ff))

enum {
#define FORMAT(id, length, opcode) DIS_PATTERN_##id = DIS_##opcode, DIS_LENGTH_##id = length,
#include "disasm/formats.def"
#undef FORMAT
#define FACILITY(id, bit, name) DIS_FAC_BIT_##id = bit,
#include "disasm/facilities.def"
#undef FACILITY
};

#endif
