/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code being emitted, and the formats of the instructions that the compilers use. */
#ifndef MRVM_CODE_H
#define MRVM_CODE_H

#include "build.h"

#define EMIT_MOST   16384u
#define CODE_LABELS 256u
#define CODE_FIXES  512u
#define CODE_SITES  96u

struct code {
    u8 bytes[EMIT_MOST];
    u32 n, failed;
    u32 labels, fixes, sites;
    s32 label[CODE_LABELS]; /* offset, -1: not yet */
    struct {
        u32 at, label;
    } fix[CODE_FIXES];
    struct {
        u32 at, site;
    } site[CODE_SITES];
    struct version *version;
};

enum { R_BUFFER = 10, R_FRAME = 11, R_VM = 12, R_LINK = 14 };
enum { MASK_ALWAYS = 15, MASK_EQUAL = 8, MASK_NOT_EQUAL = 7, MASK_LOW = 4, MASK_NOT_LOW = 11 };

void emit2(struct code *c, u32 bytes);
void emit4(struct code *c, u32 bytes);
void emit6(struct code *c, u64 bytes);
u32 code_label(struct code *c);
void code_here(struct code *c, u32 label);
/* BRANCH RELATIVE ON CONDITION LONG. */
void emit_branch(struct code *c, u32 mask, u32 label);
/* The BASR that is emitted next is the call of this site. */
void code_site(struct code *c, u32 site);

/* RXY: the second byte of the operation is 0xe3. */
enum rxy {
    LTG = 0x02,
    LG = 0x04,
    AG = 0x08,
    SG = 0x09,
    MSG = 0x0c,
    CG = 0x20,
    STG = 0x24,
    LAY = 0x71,
    NG = 0x80,
    OG = 0x81,
    XG = 0x82
};
void emit_rxy(struct code *c, enum rxy op, u32 r, u32 base, s32 displacement);
void emit_rxy_index(struct code *c, enum rxy op, u32 r, u32 base, u32 index, s32 displacement);
enum rre { LTGR = 0xb902, LGR = 0xb904, MSGR = 0xb90c, CGR = 0xb920 };
void emit_rre(struct code *c, enum rre op, u32 r1, u32 r2);
enum rrf { NGRK = 0xb9e4, OGRK = 0xb9e6, XGRK = 0xb9e7, AGRK = 0xb9e8, SGRK = 0xb9e9, LOCGR = 0xb9e2 };
void emit_rrf(struct code *c, enum rrf op, u32 r1, u32 r2, u32 r3_or_mask);
enum rsy { SRAG = 0x0a, SLLG = 0x0d, RLLG = 0x1c };
void emit_shift(struct code *c, enum rsy op, u32 r1, u32 r3, u32 base, s32 displacement);
enum ri_op { LGHI = 9, AGHI = 11, CGHI = 15 };
void emit_ri(struct code *c, enum ri_op op, u32 r, s32 value);
enum ril_op { LGFI = 0xc01, MSGFI = 0xc20, AGFI = 0xc28, CGFI = 0xc2c, CLGFI = 0xc2e };
void emit_ril(struct code *c, enum ril_op op, u32 r, s64 value);
void emit_add_memory(struct code *c, u32 base, s32 displacement, s32 value); /* AGSI */
void emit_constant(struct code *c, u32 r, s64 value);
void emit_riemit(struct code *c, u32 r);
void emit_rinext(struct code *c);
void emit_basr(struct code *c, u32 r); /* with 14 as the link */

/* Displacement of a place of struct vm from register 12. */
#define IN_VM(place) ((s32)((u64) & (place) - (u64)&vm))

/* What both compilers have at a method's beginning and for its way out of line: the return address is stored into the
   frame, then the safepoint poll. */
void emit_entry(struct code *c, const struct method *m, u32 *poll, u32 *back);
void emit_poll(struct code *c, u32 poll, u32 back);
void emit_helper(struct code *c, enum helper helper);

/* The methods of the compilers: false, the method is not one for it. */
void compile1(struct code *c, u32 number);
void compile2(struct code *c, u32 number);

/* The site of a call of a method; bci is there. */
u32 site_at(u32 method, u32 bci);

#endif
