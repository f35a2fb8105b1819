/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of instructions.def as constant data. */
#include "disasm/dis.h"
#include "disasm/internal.h"

#include <string.h>

/* How the columns of instructions.def become initializers. */
#define OPS(...) __VA_ARGS__
#define FETCH    true, false
#define STORE    false, true
#define UPDATE   true, true
#define AT(where, length, bytes, ...)                                                                                  \
    {                                                                                                                  \
        DIS_AT_##where, DIS_LEN_##length, bytes, __VA_ARGS__                                                           \
    }
#define ST(where, length, bytes, access) AT(where, length, bytes, access)
#define NO_ST                                                                                                          \
    {                                                                                                                  \
        DIS_AT_NONE, DIS_LEN_FIXED, 0, false, false                                                                    \
    }
#define OPERANDS_(a, b, c, d, e, f)                                                                                    \
    {                                                                                                                  \
        DIS_OP_##a, DIS_OP_##b, DIS_OP_##c, DIS_OP_##d, DIS_OP_##e, DIS_OP_##f, DIS_OP_NONE                            \
    }
#define OPERANDS(...) OPERANDS_(__VA_ARGS__)

#define TEXT_(a) #a
#define TEXT(a)  TEXT_(a)

#define SIGNED_I2_(a, b, c, d, e, f)                                                                                   \
    ((DIS_SIGNED_##a | DIS_SIGNED_##b | DIS_SIGNED_##c | DIS_SIGNED_##d | DIS_SIGNED_##e | DIS_SIGNED_##f)             \
         ? DIS_SIGNED_I2                                                                                               \
         : 0)
#define SIGNED_I2(...) SIGNED_I2_(__VA_ARGS__)

const struct dis_row dis_rows[DIS_ROW_COUNT] = {
#define ROW(id_, mnemonic_, name_, opcode_, format_, facility_, flags_, cc_, branch_, edge_, operands_, storage1_,     \
            storage2_, section_, body_)                                                                                \
    [DIS_##id_] = {.mnemonic = mnemonic_,                                                                              \
                   .name = name_,                                                                                      \
                   .opcode = UINT64_C(opcode_),                                                                        \
                   .mask = DIS_PATTERN_MASK(DIS_PATTERN_##format_),                                                    \
                   .format = DIS_FMT_##format_,                                                                        \
                   .length = DIS_LENGTH_##format_,                                                                     \
                   .facility = FACILITY_##facility_,                                                                   \
                   .facility_id = DIS_FAC_##facility_,                                                                 \
                   .cc = DIS_CC_##cc_,                                                                                 \
                   .branch = DIS_BRANCH_##branch_,                                                                     \
                   .edge = DIS_EDGE_##edge_,                                                                           \
                   .flags = (flags_) | SIGNED_I2(operands_),                                                           \
                   .operands = OPERANDS(operands_),                                                                    \
                   .storage = {storage1_, storage2_},                                                                  \
                   .body = TEXT(body_),                                                                                \
                   .section = section_},
#include "disasm/instructions.def"
#undef ROW
};

bool dis_implemented(unsigned row) { return row < DIS_ROW_COUNT && strcmp(dis_rows[row].body, "none") != 0; }

uint16_t dis_missing(unsigned from)
{
    for (unsigned row = from; row < DIS_ROW_COUNT; row++)
        if (!dis_implemented(row))
            return (uint16_t)row;
    return DIS_NO_ROW;
}

uint16_t dis_find(const char *mnemonic)
{
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (dis_rows[row].mnemonic[0] == mnemonic[0] && strcmp(dis_rows[row].mnemonic, mnemonic) == 0)
            return (uint16_t)row;
    return DIS_NO_ROW;
}

const char *dis_mnemonic(unsigned n)
{
    if (n < DIS_ROW_COUNT)
        return dis_rows[n].mnemonic;
    return n - DIS_ROW_COUNT < dis_extended_count ? dis_extended[n - DIS_ROW_COUNT].mnemonic : NULL;
}

const char *dis_format_name(unsigned format)
{
    static const char *const names[DIS_FORMAT_COUNT] = {
#define FORMAT(id, length, opcode, name) [DIS_FMT_##id] = name,
#include "disasm/formats.def"
#undef FORMAT
    };
    return format < DIS_FORMAT_COUNT ? names[format] : NULL;
}
