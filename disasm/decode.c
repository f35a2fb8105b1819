/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From bytes to a row and its operands. */
#include "disasm/dis.h"
#include "disasm/internal.h"

#include <string.h>

/* The lookup table has two levels. Byte 0 selects a page and says where the rest of the operation code is; page 0
   serves the one-byte operation codes and is indexed by byte 0 itself. */
#define PAGE_OF(o)                                                                                                     \
    (((o) >> 40) == 0x01   ? 1                                                                                         \
     : ((o) >> 40) == 0xa5 ? 2                                                                                         \
     : ((o) >> 40) == 0xa7 ? 3                                                                                         \
     : ((o) >> 40) == 0xaa ? 4                                                                                         \
     : ((o) >> 40) == 0xb2 ? 5                                                                                         \
     : ((o) >> 40) == 0xb3 ? 6                                                                                         \
     : ((o) >> 40) == 0xb9 ? 7                                                                                         \
     : ((o) >> 40) == 0xc0 ? 8                                                                                         \
     : ((o) >> 40) == 0xc2 ? 9                                                                                         \
     : ((o) >> 40) == 0xc4 ? 10                                                                                        \
     : ((o) >> 40) == 0xc6 ? 11                                                                                        \
     : ((o) >> 40) == 0xc8 ? 12                                                                                        \
     : ((o) >> 40) == 0xcc ? 13                                                                                        \
     : ((o) >> 40) == 0xe3 ? 14                                                                                        \
     : ((o) >> 40) == 0xe5 ? 15                                                                                        \
     : ((o) >> 40) == 0xe6 ? 16                                                                                        \
     : ((o) >> 40) == 0xe7 ? 17                                                                                        \
     : ((o) >> 40) == 0xeb ? 18                                                                                        \
     : ((o) >> 40) == 0xec ? 19                                                                                        \
     : ((o) >> 40) == 0xed ? 20                                                                                        \
                           : 0)
#define REST_OF(o, pattern)                                                                                            \
    ((int)(pattern) == (int)DIS_OP8    ? (o) >> 40                                                                     \
     : (int)(pattern) == (int)DIS_OP12 ? (o) >> 32 & 15                                                                \
     : (int)(pattern) == (int)DIS_OP16 ? (o) >> 32 & 255                                                               \
                                       : (o)&255)

static const struct {
    uint8_t page, pattern;
} pages[256] = {
    [0x01] = {1, DIS_OP16},    [0xa5] = {2, DIS_OP12},    [0xa7] = {3, DIS_OP12},    [0xaa] = {4, DIS_OP12},
    [0xb2] = {5, DIS_OP16},    [0xb3] = {6, DIS_OP16},    [0xb9] = {7, DIS_OP16},    [0xc0] = {8, DIS_OP12},
    [0xc2] = {9, DIS_OP12},    [0xc4] = {10, DIS_OP12},   [0xc6] = {11, DIS_OP12},   [0xc8] = {12, DIS_OP12},
    [0xcc] = {13, DIS_OP12},   [0xe3] = {14, DIS_OP8_40}, [0xe5] = {15, DIS_OP16},   [0xe6] = {16, DIS_OP8_40},
    [0xe7] = {17, DIS_OP8_40}, [0xeb] = {18, DIS_OP8_40}, [0xec] = {19, DIS_OP8_40}, [0xed] = {20, DIS_OP8_40},
};
enum { PAGE_COUNT = 21 };

/* Row + 1 by page and the rest of the operation code; 0 is no instruction. Two rows with one operation code would
   initialize one element twice, which the compiler reports. */
static const uint16_t lookup[PAGE_COUNT * 256] = {
#define ROW(id, mnemonic, name, opcode, format, ...)                                                                   \
    [PAGE_OF(UINT64_C(opcode)) * 256 + REST_OF(UINT64_C(opcode), DIS_PATTERN_##format)] = DIS_##id + 1,
#include "disasm/instructions.def"
#undef ROW
};

/* Halves of a byte. */
static uint8_t high(uint8_t byte) { return byte >> 4; }
static uint8_t low(uint8_t byte) { return byte & 15; }

static uint16_t half(const uint8_t *at) { return (uint16_t)(at[0] << 8 | at[1]); }
static uint32_t word(const uint8_t *at) { return (uint32_t)half(at) << 16 | half(at + 2); }

/* Displacement of 12 bits, and of 20 (DL, DH; signed), whose base-register field begins the byte `at`. */
static int32_t short_displacement(const uint8_t *at) { return half(at) & 0xfff; }
static int32_t long_displacement(const uint8_t *at) { return (int32_t)(int8_t)at[2] * 4096 + short_displacement(at); }

static void base_1(struct dis_insn *insn, const uint8_t *at)
{
    insn->b1 = high(at[0]);
    insn->d1 = short_displacement(at);
}

static void base_2(struct dis_insn *insn, const uint8_t *at)
{
    insn->b2 = high(at[0]);
    insn->d2 = short_displacement(at);
}

static void base_4(struct dis_insn *insn, const uint8_t *at)
{
    insn->b4 = high(at[0]);
    insn->d4 = short_displacement(at);
}

/* The format of the row in `format` has fields like those of the case's format; fields of several readings (R1 and M1,
   R3 and M3) are filled in for each format by its own case. */
static void operands_rr(struct dis_insn *insn, const uint8_t *b, unsigned format)
{
    switch (format) {
    case DIS_FMT_I:
        insn->i2 = b[1];
        break;
    case DIS_FMT_RR:
        insn->r1 = insn->m1 = high(b[1]);
        insn->r2 = low(b[1]);
        break;
    case DIS_FMT_IE:
        insn->i2 = insn->m1 = high(b[3]);
        insn->i3 = low(b[3]);
        break;
    case DIS_FMT_RRD:
        insn->r1 = high(b[2]);
        insn->r3 = high(b[3]);
        insn->r2 = low(b[3]);
        break;
    case DIS_FMT_RRE:
        insn->r1 = high(b[3]);
        insn->r2 = low(b[3]);
        break;
    case DIS_FMT_RRF_a:
    case DIS_FMT_RRF_b:
    case DIS_FMT_RRF_c:
    case DIS_FMT_RRF_d:
    case DIS_FMT_RRF_e:
        insn->r1 = high(b[3]);
        insn->r2 = low(b[3]);
        insn->r3 = insn->m3 = high(b[2]);
        insn->m4 = low(b[2]);
        break;
    default:
        break;
    }
}

/* Formats with an immediate or relative operand behind the first halfword. */
static void operands_ri(struct dis_insn *insn, const uint8_t *b, unsigned format, uint64_t flags)
{
    insn->r1 = insn->m1 = high(b[1]);
    switch (format) {
    case DIS_FMT_RI_a:
        insn->i2 = flags & DIS_SIGNED_I2 ? (int16_t)half(b + 2) : (int64_t)half(b + 2);
        break;
    case DIS_FMT_RI_b:
    case DIS_FMT_RI_c:
        insn->i2 = (int64_t)(int16_t)half(b + 2) * 2;
        break;
    case DIS_FMT_RIL_a:
        insn->i2 = flags & DIS_SIGNED_I2 ? (int32_t)word(b + 2) : (int64_t)word(b + 2);
        break;
    case DIS_FMT_RIL_b:
    case DIS_FMT_RIL_c:
        insn->i2 = (int64_t)(int32_t)word(b + 2) * 2;
        break;
    case DIS_FMT_RSI:
        insn->r3 = low(b[1]);
        insn->i2 = (int64_t)(int16_t)half(b + 2) * 2;
        break;
    case DIS_FMT_MII:
        insn->i2 = (int64_t)((int16_t)((half(b + 1) & 0xfff) << 4) >> 4) * 2;
        insn->ri3 = (int64_t)((int32_t)(word(b + 2) << 8) >> 8) * 2;
        break;
    case DIS_FMT_SMI:
        base_4(insn, b + 2);
        insn->i2 = (int64_t)(int16_t)half(b + 4) * 2;
        break;
    default:
        break;
    }
}

/* Formats RIE, RIS and RRS. */
static void operands_rie(struct dis_insn *insn, const uint8_t *b, unsigned format, uint64_t flags)
{
    insn->r1 = high(b[1]);
    switch (format) {
    case DIS_FMT_RIE_a:
        insn->i2 = flags & DIS_SIGNED_I2 ? (int16_t)half(b + 2) : (int64_t)half(b + 2);
        insn->m3 = high(b[4]);
        break;
    case DIS_FMT_RIE_b:
        insn->r2 = low(b[1]);
        insn->ri3 = (int64_t)(int16_t)half(b + 2) * 2;
        insn->m3 = high(b[4]);
        break;
    case DIS_FMT_RIE_c:
        insn->m3 = low(b[1]);
        insn->ri3 = (int64_t)(int16_t)half(b + 2) * 2;
        insn->i2 = flags & DIS_SIGNED_I2 ? (int8_t)b[4] : (int64_t)b[4];
        break;
    case DIS_FMT_RIE_d:
        insn->r3 = low(b[1]);
        insn->i2 = (int16_t)half(b + 2);
        break;
    case DIS_FMT_RIE_e:
        insn->r3 = low(b[1]);
        insn->i2 = (int64_t)(int16_t)half(b + 2) * 2;
        break;
    case DIS_FMT_RIE_f:
        insn->r2 = low(b[1]);
        insn->i3 = b[2];
        insn->i4 = b[3];
        insn->i5 = b[4];
        break;
    case DIS_FMT_RIE_g:
        insn->m3 = low(b[1]);
        insn->i2 = (int16_t)half(b + 2);
        break;
    case DIS_FMT_RIS:
        insn->m3 = low(b[1]);
        base_4(insn, b + 2);
        insn->i2 = flags & DIS_SIGNED_I2 ? (int8_t)b[4] : (int64_t)b[4];
        break;
    case DIS_FMT_RRS:
        insn->r2 = low(b[1]);
        base_4(insn, b + 2);
        insn->m3 = high(b[4]);
        break;
    default:
        break;
    }
}

/* Formats RX, RXE, RXF, RXY, RS, RSL, RSY. */
static void operands_rx(struct dis_insn *insn, const uint8_t *b, unsigned format)
{
    insn->r1 = insn->m1 = high(b[1]);
    base_2(insn, b + 2);
    switch (format) {
    case DIS_FMT_RXY_a:
    case DIS_FMT_RXY_b:
        insn->d2 = long_displacement(b + 2);
        insn->x2 = low(b[1]);
        break;
    case DIS_FMT_RX_a:
    case DIS_FMT_RX_b:
        insn->x2 = low(b[1]);
        break;
    case DIS_FMT_RXE:
        insn->x2 = low(b[1]);
        insn->m3 = high(b[4]);
        break;
    case DIS_FMT_RXF:
        insn->r3 = high(b[1]);
        insn->x2 = low(b[1]);
        insn->r1 = high(b[4]);
        insn->m1 = 0;
        break;
    case DIS_FMT_RSY_a:
    case DIS_FMT_RSY_b:
        insn->d2 = long_displacement(b + 2);
        insn->r3 = insn->m3 = low(b[1]);
        break;
    case DIS_FMT_RS_a:
    case DIS_FMT_RS_b:
        insn->r3 = insn->m3 = low(b[1]);
        break;
    case DIS_FMT_RSL_a:
        insn->r1 = insn->m1 = 0;
        insn->b2 = 0;
        insn->d2 = 0;
        insn->l1 = high(b[1]);
        base_1(insn, b + 2);
        break;
    case DIS_FMT_RSL_b:
        insn->l2 = b[1];
        insn->r1 = high(b[4]);
        insn->m1 = 0;
        insn->m3 = low(b[4]);
        break;
    default:
        break;
    }
}

/* Formats S, SI, SIL, SIY and SS, SSE, SSF. */
static void operands_ss(struct dis_insn *insn, const uint8_t *b, unsigned format, uint64_t flags)
{
    if (format == DIS_FMT_S) {
        base_2(insn, b + 2);
        return;
    }
    base_1(insn, b + 2);
    switch (format) {
    case DIS_FMT_SI:
        insn->i2 = b[1];
        return;
    case DIS_FMT_SIY:
        insn->d1 = long_displacement(b + 2);
        insn->i2 = flags & DIS_SIGNED_I2 ? (int8_t)b[1] : (int64_t)b[1];
        return;
    case DIS_FMT_SIL:
        insn->i2 = flags & DIS_SIGNED_I2 ? (int16_t)half(b + 4) : (int64_t)half(b + 4);
        return;
    case DIS_FMT_SS_a:
        insn->l1 = b[1];
        break;
    case DIS_FMT_SS_b:
        insn->l1 = high(b[1]);
        insn->l2 = low(b[1]);
        break;
    case DIS_FMT_SS_c:
        insn->l1 = high(b[1]);
        insn->i3 = low(b[1]);
        break;
    case DIS_FMT_SS_d:
        insn->r1 = high(b[1]);
        insn->r3 = low(b[1]);
        break;
    case DIS_FMT_SS_e:
        insn->r1 = high(b[1]);
        insn->r3 = low(b[1]);
        insn->b1 = 0;
        insn->d1 = 0;
        base_2(insn, b + 2);
        base_4(insn, b + 4);
        return;
    case DIS_FMT_SS_f:
        insn->l2 = b[1];
        break;
    case DIS_FMT_SSF:
        insn->r3 = high(b[1]);
        break;
    default:
        break;
    }
    base_2(insn, b + 4);
}

/* Vector-register fields with their bits of RXB. */
static uint8_t v_8(const uint8_t *b) { return (uint8_t)(high(b[1]) | (b[4] & 8) << 1); }
static uint8_t v_12(const uint8_t *b) { return (uint8_t)(low(b[1]) | (b[4] & 4) << 2); }
static uint8_t v_16(const uint8_t *b) { return (uint8_t)(high(b[2]) | (b[4] & 2) << 3); }
static uint8_t v_32(const uint8_t *b) { return (uint8_t)(high(b[4]) | (b[4] & 1) << 4); }

static void operands_vri(struct dis_insn *insn, const uint8_t *b, unsigned format, uint64_t flags)
{
    insn->r1 = v_8(b);
    switch (format) {
    case DIS_FMT_VRI_a:
        insn->i2 = flags & DIS_SIGNED_I2 ? (int16_t)half(b + 2) : (int64_t)half(b + 2);
        insn->m3 = high(b[4]);
        break;
    case DIS_FMT_VRI_b:
        insn->i2 = b[2];
        insn->i3 = b[3];
        insn->m4 = high(b[4]);
        break;
    case DIS_FMT_VRI_c:
        insn->r3 = v_12(b);
        insn->i2 = half(b + 2);
        insn->m4 = high(b[4]);
        break;
    case DIS_FMT_VRI_d:
        insn->r2 = v_12(b);
        insn->r3 = v_16(b);
        insn->i4 = b[3];
        insn->m5 = high(b[4]);
        break;
    case DIS_FMT_VRI_e:
        insn->r2 = v_12(b);
        insn->i2 = half(b + 2) >> 4; /* PoP's I3, of 12 bits */
        insn->m5 = low(b[3]);
        insn->m4 = high(b[4]);
        break;
    case DIS_FMT_VRI_f:
        insn->r2 = v_12(b);
        insn->r3 = v_16(b);
        insn->m5 = high(b[3]);
        insn->i4 = (uint8_t)(half(b + 3) >> 4);
        break;
    case DIS_FMT_VRI_g:
        insn->r2 = v_12(b);
        insn->i4 = b[2];
        insn->m5 = high(b[3]);
        insn->i3 = (uint8_t)(half(b + 3) >> 4);
        break;
    case DIS_FMT_VRI_h:
        insn->i2 = half(b + 2);
        insn->i3 = high(b[4]);
        break;
    case DIS_FMT_VRI_i:
        insn->r2 = low(b[1]);
        insn->m4 = high(b[3]);
        insn->i3 = (uint8_t)(half(b + 3) >> 4);
        break;
    default:
        break;
    }
}

static void operands_vrr(struct dis_insn *insn, const uint8_t *b, unsigned format)
{
    insn->r1 = v_8(b);
    insn->r2 = v_12(b);
    insn->r3 = v_16(b);
    switch (format) {
    case DIS_FMT_VRR_a:
        insn->r3 = 0;
        insn->m5 = high(b[3]);
        insn->m4 = low(b[3]);
        insn->m3 = high(b[4]);
        break;
    case DIS_FMT_VRR_b:
        insn->m5 = high(b[3]);
        insn->m4 = high(b[4]);
        break;
    case DIS_FMT_VRR_c:
        insn->m6 = high(b[3]);
        insn->m5 = low(b[3]);
        insn->m4 = high(b[4]);
        break;
    case DIS_FMT_VRR_d:
        insn->m5 = low(b[2]);
        insn->m6 = high(b[3]);
        insn->r4 = v_32(b);
        break;
    case DIS_FMT_VRR_e:
        insn->m6 = low(b[2]);
        insn->m5 = low(b[3]);
        insn->r4 = v_32(b);
        break;
    case DIS_FMT_VRR_f:
        insn->r2 = low(b[1]);
        insn->r3 = high(b[2]);
        break;
    case DIS_FMT_VRR_g:
        insn->r1 = v_12(b);
        insn->r2 = insn->r3 = 0;
        break;
    case DIS_FMT_VRR_h:
        insn->r1 = v_12(b);
        insn->r2 = v_16(b);
        insn->r3 = 0;
        insn->m3 = high(b[3]);
        break;
    case DIS_FMT_VRR_i:
        insn->r1 = high(b[1]);
        insn->r3 = 0;
        insn->m3 = high(b[3]);
        insn->m4 = low(b[3]);
        break;
    case DIS_FMT_VRR_j:
        insn->m4 = high(b[3]);
        break;
    case DIS_FMT_VRR_k:
        insn->r3 = 0;
        insn->m3 = high(b[3]);
        break;
    default:
        break;
    }
}

static void operands_vrs(struct dis_insn *insn, const uint8_t *b, unsigned format)
{
    insn->r1 = v_8(b);
    base_2(insn, b + 2);
    switch (format) {
    case DIS_FMT_VRS_a:
        insn->r3 = v_12(b);
        insn->m4 = high(b[4]);
        break;
    case DIS_FMT_VRS_b:
        insn->r3 = low(b[1]);
        insn->m4 = high(b[4]);
        break;
    case DIS_FMT_VRS_c:
        insn->r1 = high(b[1]);
        insn->r3 = v_12(b);
        insn->m4 = high(b[4]);
        break;
    case DIS_FMT_VRS_d:
        insn->r3 = low(b[1]);
        insn->r1 = v_32(b);
        break;
    case DIS_FMT_VRV:
        insn->x2 = v_12(b);
        insn->m3 = high(b[4]);
        break;
    case DIS_FMT_VRX:
        insn->x2 = low(b[1]);
        insn->m3 = high(b[4]);
        break;
    case DIS_FMT_VSI:
        insn->i3 = b[1];
        insn->r1 = v_32(b);
        break;
    default:
        break;
    }
}

uint16_t dis_decode(const uint8_t *bytes, struct dis_insn *insn)
{
    unsigned length = dis_length(bytes[0]);
    unsigned page = pages[bytes[0]].page, pattern = pages[bytes[0]].pattern;
    memset(insn, 0, sizeof *insn);
    memcpy(insn->bytes, bytes, length);
    insn->length = (uint8_t)length;
    const uint8_t *b = insn->bytes;
    unsigned rest = page == 0 ? b[0] : pattern == DIS_OP12 ? b[1] & 15 : pattern == DIS_OP16 ? b[1] : b[5];
    unsigned found = lookup[page * 256 + rest];
    if (found == 0)
        return insn->row = DIS_NO_ROW;
    insn->row = (uint16_t)(found - 1);
    const struct dis_row *row = &dis_rows[insn->row];
    unsigned format = row->format;
    if (format >= DIS_FMT_VRI_a)
        format <= DIS_FMT_VRI_i   ? operands_vri(insn, b, format, row->flags)
        : format <= DIS_FMT_VRR_k ? operands_vrr(insn, b, format)
                                  : operands_vrs(insn, b, format);
    else if (format >= DIS_FMT_S)
        operands_ss(insn, b, format, row->flags);
    else if (format >= DIS_FMT_RX_a)
        operands_rx(insn, b, format);
    else if (format >= DIS_FMT_RIE_a)
        operands_rie(insn, b, format, row->flags);
    else if (format >= DIS_FMT_RI_a)
        operands_ri(insn, b, format, row->flags);
    else
        operands_rr(insn, b, format);
    return insn->row;
}
