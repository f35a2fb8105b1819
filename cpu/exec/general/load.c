/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that load one general register or store from one. PoP chapter 7.
   Unless the comment says otherwise the condition code is unchanged and the only exceptions are access exceptions of
   the storage operand. */
#include "cpu/exec/general/internal.h"

/* Relative-long operands belong to the space of the instructions: in the secondary-space mode that is the primary
   one. */
static bool relative_is_primary(const struct cpu *cpu)
{
    return (cpu->psw.mask & (PSW_DAT | PSW_AS)) == (PSW_DAT | BIT64(16));
}

static int relative_fetch(struct cpu *cpu, uint64_t address, void *to, unsigned length)
{
    struct cpu_access access = {
        .address = address, .space = CPU_SPACE_PRIMARY, .key = (uint8_t)cpu_key(cpu), .kind = CPU_FETCH};
    return cpu_fetch_as(cpu, &access, to, length);
}

static int relative_store(struct cpu *cpu, uint64_t address, const void *from, unsigned length)
{
    struct cpu_access access = {
        .address = address, .space = CPU_SPACE_PRIMARY, .key = (uint8_t)cpu_key(cpu), .kind = CPU_STORE};
    return cpu_store_as(cpu, &access, from, length);
}

int general_relative_halfword(struct cpu *cpu, const struct dis_insn *i, uint16_t *v)
{
    uint64_t address = cpu_relative(cpu, i->i2);
    if (address & 1)
        return PIC_SPECIFICATION;
    if (!relative_is_primary(cpu))
        return cpu_fetch2(cpu, address, 0, v);
    uint8_t bytes[2] = {0};
    int code = relative_fetch(cpu, address, bytes, 2);
    *v = get16(bytes);
    return code;
}

int general_relative_word(struct cpu *cpu, const struct dis_insn *i, uint32_t *v)
{
    uint64_t address = cpu_relative(cpu, i->i2);
    if (address & 3)
        return PIC_SPECIFICATION;
    if (!relative_is_primary(cpu))
        return cpu_fetch4(cpu, address, 0, v);
    uint8_t bytes[4] = {0};
    int code = relative_fetch(cpu, address, bytes, 4);
    *v = get32(bytes);
    return code;
}

int general_relative_doubleword(struct cpu *cpu, const struct dis_insn *i, uint64_t *v)
{
    uint64_t address = cpu_relative(cpu, i->i2);
    if (address & 7)
        return PIC_SPECIFICATION;
    if (!relative_is_primary(cpu))
        return cpu_fetch8(cpu, address, 0, v);
    uint8_t bytes[8] = {0};
    int code = relative_fetch(cpu, address, bytes, 8);
    *v = get64(bytes);
    return code;
}

/* LOAD (LR, LGR, LGFR; L, LY, LG, LGF): the second operand, sign-extended by the forms with F, goes to the
   first-operand location. */
int cpu_lr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, gr32(cpu, i->r2));
    return 0;
}
int cpu_lgr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = cpu->gr[i->r2];
    return 0;
}
int cpu_lgfr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint64_t)(int32_t)gr32(cpu, i->r2);
    return 0;
}
int cpu_l(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, v);
    return 0;
}
int cpu_lg(struct cpu *cpu, const struct dis_insn *i) { return general_doubleword(cpu, i, &cpu->gr[i->r1]); }
int cpu_lgf(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = (uint64_t)(int64_t)v;
    return 0;
}

/* LOAD RELATIVE LONG (LRL, LGRL, LGFRL). Specification exception: operand not on its boundary. */
int cpu_lrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_relative_word(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, v);
    return 0;
}
int cpu_lgrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_relative_doubleword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v;
    return 0;
}
int cpu_lgfrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_relative_word(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = (uint64_t)(int32_t)v;
    return 0;
}

/* LOAD IMMEDIATE (LGFI), LOAD HALFWORD IMMEDIATE (LHI, LGHI): the sign-extended I2. */
int cpu_lgfi(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint64_t)(int32_t)i->i2;
    return 0;
}
int cpu_lhi(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, (uint32_t)(int16_t)i->i2);
    return 0;
}
int cpu_lghi(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint64_t)(int16_t)i->i2;
    return 0;
}

/* LOAD ADDRESS (LA, LAY), LOAD ADDRESS RELATIVE LONG (LARL): the address goes to bits 40-63, 33-63 or 0-63 by the
   addressing mode, zeros to the rest of bits 32-63; storage is not accessed. */
int cpu_la(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr_address(cpu, i->r1, cpu_ea2(cpu, i));
    return 0;
}
int cpu_larl(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr_address(cpu, i->r1, cpu_relative(cpu, i->i2));
    return 0;
}

/* LOAD ADDRESS EXTENDED (LAE, LAEY): as LOAD ADDRESS, and access register R1 receives 0, 1 or 2 in the primary-space,
   secondary-space and home-space mode; in the access-register mode, the contents of access register B2, or zero when B2
   is zero. */
int cpu_lae(struct cpu *cpu, const struct dis_insn *i)
{
    static const uint32_t alet[4] = {[AS_PRIMARY] = 0, [AS_SECONDARY] = 1, [AS_HOME] = 2};
    unsigned as = (unsigned)field64(cpu->psw.mask, 16, 17);
    uint32_t value = as != AS_ACCESS_REGISTER ? alet[as] : i->b2 ? cpu->ar[i->b2] : 0;
    set_gr_address(cpu, i->r1, cpu_ea2(cpu, i));
    cpu->ar[i->r1] = value;
    return 0;
}

/* LOAD AND TEST (LTR, LTGR, LTGFR; LT, LTG, LTGF). Condition code: 0 zero, 1 less than zero, 2 greater than zero. */
static int load_and_test(struct cpu *cpu, unsigned r1, int64_t v)
{
    cpu->gr[r1] = (uint64_t)v;
    cpu->cc = general_sign(v);
    return 0;
}
static int load_and_test32(struct cpu *cpu, unsigned r1, uint32_t v)
{
    set_gr32(cpu, r1, v);
    cpu->cc = general_sign((int32_t)v);
    return 0;
}
int cpu_ltr(struct cpu *cpu, const struct dis_insn *i) { return load_and_test32(cpu, i->r1, gr32(cpu, i->r2)); }
int cpu_ltgr(struct cpu *cpu, const struct dis_insn *i) { return load_and_test(cpu, i->r1, (int64_t)cpu->gr[i->r2]); }
int cpu_ltgfr(struct cpu *cpu, const struct dis_insn *i)
{
    return load_and_test(cpu, i->r1, (int32_t)gr32(cpu, i->r2));
}
int cpu_lt(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : load_and_test32(cpu, i->r1, v);
}
int cpu_ltg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : load_and_test(cpu, i->r1, (int64_t)v);
}
int cpu_ltgf(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    return code ? code : load_and_test(cpu, i->r1, v);
}

/* LOAD AND TRAP (LAT, LGAT), LOAD HIGH AND TRAP (LFHAT), LOAD LOGICAL AND TRAP (LLGFAT), LOAD LOGICAL THIRTY ONE BITS
   AND TRAP (LLGTAT): load; when the result is zero, data exception with DXC X'FF' (completed). */
int cpu_lat(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, v);
    return v ? 0 : general_trap(cpu);
}
int cpu_lgat(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v;
    return v ? 0 : general_trap(cpu);
}
int cpu_lfhat(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    set_grh32(cpu, i->r1, v);
    return v ? 0 : general_trap(cpu);
}
int cpu_llgfat(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v;
    return v ? 0 : general_trap(cpu);
}
int cpu_llgtat(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v & 0x7fffffff;
    return cpu->gr[i->r1] ? 0 : general_trap(cpu);
}

/* LOAD AND ZERO RIGHTMOST BYTE (LZRF, LZRG), LOAD LOGICAL AND ZERO RIGHTMOST BYTE (LLZRGF). */
int cpu_lzrf(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, v & ~UINT32_C(0xff));
    return 0;
}
int cpu_lzrg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v & ~UINT64_C(0xff);
    return 0;
}
int cpu_llzrgf(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v & ~UINT32_C(0xff);
    return 0;
}

/* LOAD BYTE (LBR, LGBR; LB, LGB), LOAD BYTE HIGH (LBH): sign-extended. */
int cpu_lbr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, (uint32_t)(int8_t)cpu->gr[i->r2]);
    return 0;
}
int cpu_lgbr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint64_t)(int8_t)cpu->gr[i->r2];
    return 0;
}
int cpu_lb(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t v;
    int code = general_byte(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, (uint32_t)(int8_t)v);
    return 0;
}
int cpu_lgb(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t v;
    int code = general_byte(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = (uint64_t)(int8_t)v;
    return 0;
}
int cpu_lbh(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t v;
    int code = general_byte(cpu, i, &v);
    if (code)
        return code;
    set_grh32(cpu, i->r1, (uint32_t)(int8_t)v);
    return 0;
}

/* LOAD COMPLEMENT (LCR, LCGR, LCGFR): condition code 0 zero, 1 less than zero, 2 greater than zero, 3 overflow (the
   maximum negative number). Fixed-point overflow (completed). LCGFR cannot overflow. */
int cpu_lcr(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v = gr32(cpu, i->r2);
    set_gr32(cpu, i->r1, 0u - v);
    if (v == 0x80000000u)
        return general_overflow(cpu);
    cpu->cc = general_sign((int32_t)(0u - v));
    return 0;
}
int cpu_lcgr(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v = cpu->gr[i->r2];
    cpu->gr[i->r1] = 0 - v;
    if (v == BIT64(0))
        return general_overflow(cpu);
    cpu->cc = general_sign((int64_t)(0 - v));
    return 0;
}
int cpu_lcgfr(struct cpu *cpu, const struct dis_insn *i)
{
    return load_and_test(cpu, i->r1, -(int64_t)(int32_t)gr32(cpu, i->r2));
}

/* LOAD NEGATIVE (LNR, LNGR, LNGFR): condition code 0 zero, 1 less than zero. */
int cpu_lnr(struct cpu *cpu, const struct dis_insn *i)
{
    return load_and_test32(cpu, i->r1, (int32_t)gr32(cpu, i->r2) > 0 ? 0u - gr32(cpu, i->r2) : gr32(cpu, i->r2));
}
int cpu_lngr(struct cpu *cpu, const struct dis_insn *i)
{
    return load_and_test(cpu, i->r1, (int64_t)((int64_t)cpu->gr[i->r2] > 0 ? 0 - cpu->gr[i->r2] : cpu->gr[i->r2]));
}
int cpu_lngfr(struct cpu *cpu, const struct dis_insn *i)
{
    int64_t v = (int32_t)gr32(cpu, i->r2);
    return load_and_test(cpu, i->r1, v > 0 ? -v : v);
}

/* LOAD POSITIVE (LPR, LPGR, LPGFR): condition code 0 zero, 2 greater than zero, 3 overflow (the maximum negative
   number). Fixed-point overflow (completed). LPGFR cannot overflow. */
int cpu_lpr(struct cpu *cpu, const struct dis_insn *i)
{
    return (int32_t)gr32(cpu, i->r2) < 0 ? cpu_lcr(cpu, i) : cpu_ltr(cpu, i);
}
int cpu_lpgr(struct cpu *cpu, const struct dis_insn *i)
{
    return (int64_t)cpu->gr[i->r2] < 0 ? cpu_lcgr(cpu, i) : cpu_ltgr(cpu, i);
}
int cpu_lpgfr(struct cpu *cpu, const struct dis_insn *i)
{
    return (int32_t)gr32(cpu, i->r2) < 0 ? cpu_lcgfr(cpu, i) : cpu_ltgfr(cpu, i);
}

/* LOAD HALFWORD (LHR, LGHR; LH, LHY, LGH), LOAD HALFWORD HIGH (LHH): sign-extended. */
int cpu_lhr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, (uint32_t)(int16_t)cpu->gr[i->r2]);
    return 0;
}
int cpu_lghr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint64_t)(int16_t)cpu->gr[i->r2];
    return 0;
}
int cpu_lh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, (uint32_t)v);
    return 0;
}
int cpu_lgh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = (uint64_t)v;
    return 0;
}
int cpu_lhh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    if (code)
        return code;
    set_grh32(cpu, i->r1, (uint32_t)v);
    return 0;
}

/* LOAD HALFWORD RELATIVE LONG (LHRL, LGHRL), LOAD LOGICAL HALFWORD RELATIVE LONG (LLHRL, LLGHRL), LOAD LOGICAL RELATIVE
   LONG (LLGFRL). Specification exception: LLGFRL operand not on a word boundary. */
int cpu_lhrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = general_relative_halfword(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, (uint32_t)(int16_t)v);
    return 0;
}
int cpu_lghrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = general_relative_halfword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = (uint64_t)(int16_t)v;
    return 0;
}
int cpu_llhrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = general_relative_halfword(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, v);
    return 0;
}
int cpu_llghrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = general_relative_halfword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v;
    return 0;
}
int cpu_llgfrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_relative_word(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v;
    return 0;
}

/* LOAD HIGH (LFH): bits 0-31 of the register. */
int cpu_lfh(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    set_grh32(cpu, i->r1, v);
    return 0;
}

/* LOAD LOGICAL (LLGFR; LLGF), LOAD LOGICAL CHARACTER (LLCR, LLGCR; LLC, LLGC), CHARACTER HIGH (LLCH), HALFWORD (LLHR,
   LLGHR; LLH, LLGH), HALFWORD HIGH (LLHH), THIRTY ONE BITS (LLGTR; LLGT): zeros are appended on the left. */
int cpu_llgfr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = gr32(cpu, i->r2);
    return 0;
}
int cpu_llgf(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v;
    return 0;
}
int cpu_llcr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, (uint8_t)cpu->gr[i->r2]);
    return 0;
}
int cpu_llgcr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint8_t)cpu->gr[i->r2];
    return 0;
}
int cpu_llc(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t v;
    int code = general_byte(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, v);
    return 0;
}
int cpu_llgc(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t v;
    int code = general_byte(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v;
    return 0;
}
int cpu_llch(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t v;
    int code = general_byte(cpu, i, &v);
    if (code)
        return code;
    set_grh32(cpu, i->r1, v);
    return 0;
}
int cpu_llhr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, (uint16_t)cpu->gr[i->r2]);
    return 0;
}
int cpu_llghr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint16_t)cpu->gr[i->r2];
    return 0;
}
int cpu_llh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, (uint16_t)v);
    return 0;
}
int cpu_llgh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = (uint16_t)v;
    return 0;
}
int cpu_llhh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    if (code)
        return code;
    set_grh32(cpu, i->r1, (uint16_t)v);
    return 0;
}
int cpu_llgtr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = gr32(cpu, i->r2) & 0x7fffffff;
    return 0;
}
int cpu_llgt(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = v & 0x7fffffff;
    return 0;
}

/* LOAD LOGICAL IMMEDIATE (LLIHF, LLILF, LLIHH, LLIHL, LLILH, LLILL): I2 in its place, zeros elsewhere. */
int cpu_llihf(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint64_t)(uint32_t)i->i2 << 32;
    return 0;
}
int cpu_llilf(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint32_t)i->i2;
    return 0;
}
int cpu_llihh(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint64_t)(uint16_t)i->i2 << 48;
    return 0;
}
int cpu_llihl(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint64_t)(uint16_t)i->i2 << 32;
    return 0;
}
int cpu_llilh(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint64_t)(uint16_t)i->i2 << 16;
    return 0;
}
int cpu_llill(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = (uint16_t)i->i2;
    return 0;
}

/* INSERT IMMEDIATE (IIHF, IILF, IIHH, IIHL, IILH, IILL): I2 replaces its place, the rest is unchanged. */
static int insert(struct cpu *cpu, unsigned r1, unsigned first, unsigned last, uint64_t v)
{
    uint64_t place = (~UINT64_C(0) >> (63 - (last - first))) << (63 - last);
    cpu->gr[r1] = (cpu->gr[r1] & ~place) | (v << (63 - last) & place);
    return 0;
}
int cpu_iihf(struct cpu *cpu, const struct dis_insn *i) { return insert(cpu, i->r1, 0, 31, (uint64_t)i->i2); }
int cpu_iilf(struct cpu *cpu, const struct dis_insn *i) { return insert(cpu, i->r1, 32, 63, (uint64_t)i->i2); }
int cpu_iihh(struct cpu *cpu, const struct dis_insn *i) { return insert(cpu, i->r1, 0, 15, (uint64_t)i->i2); }
int cpu_iihl(struct cpu *cpu, const struct dis_insn *i) { return insert(cpu, i->r1, 16, 31, (uint64_t)i->i2); }
int cpu_iilh(struct cpu *cpu, const struct dis_insn *i) { return insert(cpu, i->r1, 32, 47, (uint64_t)i->i2); }
int cpu_iill(struct cpu *cpu, const struct dis_insn *i) { return insert(cpu, i->r1, 48, 63, (uint64_t)i->i2); }

/* INSERT CHARACTER (IC, ICY): bits 56-63. */
int cpu_ic(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t v;
    int code = general_byte(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = (cpu->gr[i->r1] & ~UINT64_C(0xff)) | v;
    return 0;
}

/* LOAD REVERSED (LRVR, LRVGR; LRVH, LRV, LRVG): the bytes in reversed order; LRVH leaves bits 0-47 unchanged. */
int cpu_lrvr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, __builtin_bswap32(gr32(cpu, i->r2)));
    return 0;
}
int cpu_lrvgr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = __builtin_bswap64(cpu->gr[i->r2]);
    return 0;
}
int cpu_lrvh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = (cpu->gr[i->r1] & ~UINT64_C(0xffff)) | __builtin_bswap16((uint16_t)v);
    return 0;
}
int cpu_lrv(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, __builtin_bswap32(v));
    return 0;
}
int cpu_lrvg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = __builtin_bswap64(v);
    return 0;
}

/* STORE (ST, STY, STG), STORE RELATIVE LONG (STRL, STGRL; specification exception: operand not on its boundary). */
int cpu_st(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store4(cpu, cpu_ea2(cpu, i), i->b2, gr32(cpu, i->r1));
}
int cpu_stg(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store8(cpu, cpu_ea2(cpu, i), i->b2, cpu->gr[i->r1]);
}
int cpu_strl(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_relative(cpu, i->i2);
    if (address & 3)
        return PIC_SPECIFICATION;
    if (!relative_is_primary(cpu))
        return cpu_store4(cpu, address, 0, gr32(cpu, i->r1));
    uint8_t bytes[4];
    put32(bytes, gr32(cpu, i->r1));
    return relative_store(cpu, address, bytes, 4);
}
int cpu_stgrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_relative(cpu, i->i2);
    if (address & 7)
        return PIC_SPECIFICATION;
    if (!relative_is_primary(cpu))
        return cpu_store8(cpu, address, 0, cpu->gr[i->r1]);
    uint8_t bytes[8];
    put64(bytes, cpu->gr[i->r1]);
    return relative_store(cpu, address, bytes, 8);
}

/* STORE CHARACTER (STC, STCY), STORE CHARACTER HIGH (STCH: bits 24-31). */
int cpu_stc(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store1(cpu, cpu_ea2(cpu, i), i->b2, (uint8_t)cpu->gr[i->r1]);
}
int cpu_stch(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store1(cpu, cpu_ea2(cpu, i), i->b2, (uint8_t)grh32(cpu, i->r1));
}

/* STORE HALFWORD (STH, STHY), STORE HALFWORD HIGH (STHH: bits 16-31), STORE HALFWORD RELATIVE LONG (STHRL). */
int cpu_sth(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store2(cpu, cpu_ea2(cpu, i), i->b2, (uint16_t)cpu->gr[i->r1]);
}
int cpu_sthh(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store2(cpu, cpu_ea2(cpu, i), i->b2, (uint16_t)grh32(cpu, i->r1));
}
int cpu_sthrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_relative(cpu, i->i2);
    if (address & 1)
        return PIC_SPECIFICATION;
    if (!relative_is_primary(cpu))
        return cpu_store2(cpu, address, 0, (uint16_t)cpu->gr[i->r1]);
    uint8_t bytes[2];
    put16(bytes, (uint16_t)cpu->gr[i->r1]);
    return relative_store(cpu, address, bytes, 2);
}

/* STORE HIGH (STFH): bits 0-31. */
int cpu_stfh(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store4(cpu, cpu_ea2(cpu, i), i->b2, grh32(cpu, i->r1));
}

/* STORE REVERSED (STRVH, STRV, STRVG). */
int cpu_strvh(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store2(cpu, cpu_ea2(cpu, i), i->b2, __builtin_bswap16((uint16_t)cpu->gr[i->r1]));
}
int cpu_strv(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store4(cpu, cpu_ea2(cpu, i), i->b2, __builtin_bswap32(gr32(cpu, i->r1)));
}
int cpu_strvg(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store8(cpu, cpu_ea2(cpu, i), i->b2, __builtin_bswap64(cpu->gr[i->r1]));
}

/* MOVE immediate (MVI, MVIY; MVHHI, MVHI, MVGHI): I2, sign-extended by the last three, to the first-operand
   location. */
int cpu_mvi(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store1(cpu, cpu_ea1(cpu, i), i->b1, (uint8_t)i->i2);
}
int cpu_mvhhi(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store2(cpu, cpu_ea1(cpu, i), i->b1, (uint16_t)i->i2);
}
int cpu_mvhi(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store4(cpu, cpu_ea1(cpu, i), i->b1, (uint32_t)(int16_t)i->i2);
}
int cpu_mvghi(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store8(cpu, cpu_ea1(cpu, i), i->b1, (uint64_t)(int16_t)i->i2);
}
