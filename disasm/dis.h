/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instruction table and what comes out of it: decoding, text, assembling.
   Source for names, formats and fields: z/Architecture Principles of Operation (PoP). */
#ifndef ZRI_DISASM_DIS_H
#define ZRI_DISASM_DIS_H

#include "disasm/facility.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Instruction formats, named as in PoP chapter 5. */
enum dis_format {
#define FORMAT(id, length, opcode, name) DIS_FMT_##id,
#include "disasm/formats.def"
#undef FORMAT
    DIS_FORMAT_COUNT
};

/* One row number for every instruction; the order is that of instructions.def.
   Row 0 is the first instruction. DIS_NO_ROW: these bytes are no instruction. */
enum dis_row_number {
#define ROW(id, ...) DIS_##id,
#include "disasm/instructions.def"
#undef ROW
    DIS_ROW_COUNT,
    DIS_NO_ROW = 0xffff
};

/* Flags of a row. */
#define DIS_BIT(n) (UINT64_C(1) << (n))
enum dis_flag {
    DIS_PRIVILEGED = DIS_BIT(0),     /* privileged-operation exception in the problem state */
    DIS_SEMIPRIVILEGED = DIS_BIT(1), /* authority is examined by the body */
    DIS_INTERRUPTIBLE = DIS_BIT(2),  /* may end with a partial completion */
    DIS_CC3_END = DIS_BIT(3),        /* may end after a CPU-determined amount (condition code 3) */
    DIS_BRANCHES = DIS_BIT(4),       /* may put another address than the next one into the PSW */
    DIS_CHANGES_MODE = DIS_BIT(5),   /* changes the PSW (other than CC, address, program mask), control registers,
                                     translation, keys, prefix, clocks: ends a decoded block, interruptions are
                                     looked at behind it */
    DIS_SERIALIZES = DIS_BIT(6),
    DIS_EXECUTES = DIS_BIT(7), /* EX, EXRL */
    DIS_STORES = DIS_BIT(8),   /* may store into its storage operands */
    DIS_FETCHES = DIS_BIT(9),  /* may fetch from its storage operands */
    DIS_EVEN_R1 = DIS_BIT(10), /* odd register: specification exception (checked before the body) */
    DIS_EVEN_R2 = DIS_BIT(11),
    DIS_EVEN_R3 = DIS_BIT(12),
    DIS_FP_PAIR_R1 = DIS_BIT(13), /* names an extended FP operand: must be 0,1,4,5,8,9,12,13 */
    DIS_FP_PAIR_R2 = DIS_BIT(14),
    DIS_FP_PAIR_R3 = DIS_BIT(15),
    DIS_NEEDS_AFP = DIS_BIT(16),      /* BFP/DFP: data exception DXC 2 or 3 while the AFP control is zero */
    DIS_AFP_IF_HIGH = DIS_BIT(17),    /* HFP and FP support: DXC 1 for FPRs other than 0,2,4,6 then */
    DIS_NEEDS_VECTOR = DIS_BIT(18),   /* vector enablement control, DXC X'FE' */
    DIS_TX_RESTRICTED = DIS_BIT(19),  /* restricted in every transaction */
    DIS_TX_CONSTRAINED = DIS_BIT(20), /* restricted in constrained transactions only */
    DIS_OPTIONAL_1 = DIS_BIT(21),     /* the last operand may be left out when zero */
    DIS_OPTIONAL_2 = DIS_BIT(22),     /* the last two may */
    DIS_SIGNED_I2 = DIS_BIT(23),      /* I2 is signed; set from the operands, not written in the rows */
    DIS_DECIMAL_FLOAT = DIS_BIT(24),  /* with DIS_NEEDS_AFP: of decimal floating point, DXC 3; else of binary, DXC 2 */
    DIS_CHANGES_AR = DIS_BIT(25),     /* changes access registers: restricted in transactions that do not allow that */
    DIS_GIVES_BACK = DIS_BIT(26),   /* with code 6 or 7 (M1, or R1 while M3 is zero) gives a cache line back: restricted
                                       in transactions */
    DIS_TX_BRANCH = DIS_BIT(27),    /* relative branch by a mask: allowed in constrained transactions, forward */
    DIS_ON_CONDITION = DIS_BIT(28), /* accesses its storage operand only when M1 or M3 selects the condition code */
    DIS_ALONE = DIS_BIT(29),        /* changes what belongs to all CPUs: the others stand still meanwhile */
    DIS_INTERLOCKED = DIS_BIT(30),  /* fetches and stores its operand as one interlocked update */
    DIS_UNCOUNTED = DIS_BIT(31),    /* run-time instrumentation never counts it */
    DIS_RI_STEP = DIS_BIT(32),      /* looks at or changes the state of run-time instrumentation */
    DIS_QUERIES = DIS_BIT(33),      /* has a function code in bits 57-63 of general register 0; the query, 0, has no
                                       operands but the parameter block at general register 1, where it stores */
};

/* Branch classes of run-time instrumentation. BC (and BIC) with mask 15 is "other" or "return" by control J;
   the class of a given instruction, with its masks and R2 looked at, comes from dis_branch_class(). */
enum dis_branch {
    DIS_BRANCH_NONE,
    DIS_BRANCH_CALL,
    DIS_BRANCH_RETURN, /* BCR 15 */
    DIS_BRANCH_OTHER,
    DIS_BRANCH_BC15, /* BC/BIC 15: by control J */
};

/* Classes of edge profiles (spec/edge-profile.md 2.5). A row has the class before masks and R2 are looked at; the class
   of a given instruction comes from dis_edge_class(). */
enum dis_edge {
    DIS_EDGE_ORD,    /* everything else */
    DIS_EDGE_NEVER,  /* a form of a branch that cannot branch */
    DIS_EDGE_COND,   /* may fall through */
    DIS_EDGE_UNCOND, /* these three always transfer */
    DIS_EDGE_CALL,
    DIS_EDGE_RET,
    DIS_EDGE_EXEC, /* EX, EXRL */
    DIS_EDGE_XFER, /* changes the instruction address by other means */
};

/* How an instruction sets the condition code (documentation, and the engine's dead-code rules). */
enum dis_cc {
    DIS_CC_UNCHANGED,
    DIS_CC_SET,    /* always set when the instruction completes */
    DIS_CC_MAY,    /* set in some cases (PFMF, MVPG, EX by its target ...) */
    DIS_CC_LOADED, /* loaded from an operand (LPSW, SPM, ...) */
};

/* Where a storage operand's address comes from, and how long it is. */
enum dis_where {
    DIS_AT_NONE,
    DIS_AT_B1D1,
    DIS_AT_B2D2,
    DIS_AT_X2B2D2,
    DIS_AT_B4D4,
    DIS_AT_V2B2D2,
    DIS_AT_R1,
    DIS_AT_R2,
    DIS_AT_R3,  /* the register holds the address */
    DIS_AT_RI2, /* relative to the instruction */
};
/* Rules for the length of a storage operand. "Register R" is a general register that the instruction names. */
enum dis_length {
    DIS_LEN_FIXED, /* `bytes` */
    DIS_LEN_L,     /* length code + 1 */
    DIS_LEN_L1,
    DIS_LEN_L2,
    DIS_LEN_R1, /* `bytes` is 1: register R + 1, 0: register R; 32 or 64 bits by the addressing mode */
    DIS_LEN_R2,
    DIS_LEN_R3,
    DIS_LEN_R1_24, /* bits 40-63 of register R + 1 */
    DIS_LEN_R2_24,
    DIS_LEN_R1_TWICE, /* twice, half of what is in register R + 1 */
    DIS_LEN_R1_HALF,
    DIS_LEN_R1_MOST, /* register R, at most `bytes` */
    DIS_LEN_R3_MOST,
    DIS_LEN_TO_R1, /* up to the address in register R1, a multiple of `bytes` */
    DIS_LEN_GR0,   /* bits 56-63 of general register 0, + 1 */
    DIS_LEN_REGS4, /* registers R1 to R3, 4, 8 or 16 bytes each */
    DIS_LEN_REGS8,
    DIS_LEN_REGS16,
    DIS_LEN_MASK,        /* ones in the mask M3; none: one byte is tested */
    DIS_LEN_ELEMENT,     /* that of M3: 1 to 8 bytes for 0 to 3, a word for 6 */
    DIS_LEN_INDEX_R3,    /* highest index of a byte in bits 32-63 of register R3, 15 at most */
    DIS_LEN_INDEX_I3,    /* ... in I3 */
    DIS_LEN_TO_BLOCK,    /* 16, at most up to the next boundary of 64 << M3 bytes */
    DIS_LEN_SWAPPED,     /* COMPARE AND SWAP AND STORE: by bits 56-63 of general register 0, */
    DIS_LEN_STORED,      /* by bits 48-55 */
    DIS_LEN_LOCKED,      /* PERFORM LOCKED OPERATION: by bits 55 and 62-63 of general register 0 */
    DIS_LEN_IF_BASE,     /* `bytes` with a base register, else there is no operand */
    DIS_LEN_INSTRUCTION, /* the target of an execute-type instruction: fetched as one, no operand access */
    DIS_LEN_TOLD, /* known when the instruction was carried out: the body tells that of the operand that is accessed
                     first */
};
struct dis_storage {
    uint8_t where;  /* enum dis_where */
    uint8_t length; /* enum dis_length */
    uint16_t bytes;
    bool fetch, store;
};

/* Operand classes, in assembler order: used by the text and the assembler, by the console's completion
   and by the manual. The field letters are PoP's. */
enum dis_operand_kind {
    DIS_OP_NONE,
#define OPERAND(id, ...) DIS_OP_##id,
#include "disasm/operands.def"
#undef OPERAND
};

struct dis_row {
    const char *mnemonic;          /* lower case as the assembler prints it */
    const char *name;              /* PoP's full name, e.g. "ADD (32)" */
    uint64_t opcode;               /* left-aligned in 48 bits (bit 0 of the instruction is bit 47 here) */
    uint64_t mask;                 /* ones where opcode decides */
    uint8_t format;                /* enum dis_format */
    uint8_t length;                /* 2, 4 or 6 bytes */
    uint8_t facility;              /* STFLE bit that promises it; 0: base; from 240 on: no bit, see facilities.def */
    uint8_t facility_id;           /* enum dis_facility: tells facilities apart that share a bit */
    uint8_t cc;                    /* enum dis_cc */
    uint8_t branch;                /* enum dis_branch, before masks are looked at */
    uint8_t edge;                  /* enum dis_edge, before masks are looked at */
    uint64_t flags;                /* enum dis_flag */
    uint8_t operands[7];           /* enum dis_operand_kind, ends with DIS_OP_NONE */
    struct dis_storage storage[2]; /* lowest-numbered storage operand first */
    const char *body;              /* name of the body in cpu/, "none" when there is none yet */
    const char *section;           /* PoP chapter, e.g. "7" */
};

extern const struct dis_row dis_rows[DIS_ROW_COUNT];

/* The operands of one instruction, decoded once. Fields that a format does not have are zero.
   Registers are numbers; v-fields include the RXB bits (0-31). */
struct dis_insn {
    uint16_t row;               /* enum dis_row_number, or DIS_NO_ROW */
    uint8_t length;             /* 2, 4 or 6 bytes, by the first two bits even with DIS_NO_ROW */
    uint8_t r1, r2, r3;         /* R1, R2, R3 (and V1, V2, V3 of vector formats: 0-31) */
    uint8_t r4;                 /* V4 */
    uint8_t x2;                 /* index register, 0 = none; V2 of VRV */
    uint8_t b1, b2, b4;         /* base registers, 0 = none (b4: also B3 of SS-e/SSF-like formats named B4) */
    uint8_t m1, m3, m4, m5, m6; /* masks as in PoP */
    uint8_t l1, l2;             /* length codes as in the instruction (bytes - 1); L is l1 */
    int32_t d1, d2, d4;         /* displacements, bytes; 20-bit ones are signed */
    int64_t i2;                 /* immediate operand I2, sign-extended when the instruction says signed, else
                                   zero-extended; relative operands RI2 in BYTES, signed */
    int64_t ri3;                /* RI3/RI4 (RIE-b, RIE-c, MII, SMI) in bytes, signed */
    uint8_t i3, i4, i5;         /* I3, I4, I5 of the formats that have them (RIE-f rotate: i3,i4,i5) */
    uint8_t bytes[6];           /* the instruction itself; unused ones zero */
};

/* Length in bytes by bits 0-1 of the first byte. */
static inline unsigned dis_length(uint8_t first) { return first < 0x40 ? 2 : first < 0xc0 ? 4 : 6; }

/* Decode the instruction in `bytes` (dis_length() bytes are read). Always fills `*insn`; insn->row is DIS_NO_ROW when
   no row matches. Returns insn->row. */
uint16_t dis_decode(const uint8_t *bytes, struct dis_insn *insn);

/* Text of an instruction as GNU objdump prints it: mnemonic, a tab, operands; relative operands as absolute
   hexadecimal addresses (X'..' without prefix as objdump does) computed from `address`. Unknown bytes give ".long",
   ".short" forms as objdump prints. `extended` selects extended mnemonics (jne, vceqb) as objdump does by default.
   Writes at most `size` bytes, always ends with NUL. Returns the bytes that the text
   stands for: the instruction's length, of data at most 4. */
unsigned dis_text(const uint8_t *bytes, uint64_t address, bool extended, char *text, size_t size);

/* The same where `available` bytes may be read, as objdump does over a file: bytes that are no instruction, or only the
   beginning of one, give four, two or one bytes of data, whatever length their first byte says. Returns the bytes that
   the text stands for; 0 when none is available. */
unsigned dis_text_of(const uint8_t *bytes, size_t available, uint64_t address, bool extended, char *text, size_t size);

/* Assemble one line ("ahi %r1,5", also "ahi 1,5", "l 1,0(2,3)", extended mnemonics, hexadecimal as 0x.. or X'..').
   `address` is where it will stand. Fills up to 6 bytes; returns the length, or -1 with a sentence in `why`
   that names the place and the remedy. */
int dis_assemble(const char *line, uint64_t address, uint8_t bytes[6], char *why, size_t size);

/* Class of this very instruction: masks and zero R2 fields looked at (a form that cannot branch has none). */
enum dis_branch dis_branch_class(const struct dis_insn *insn);

/* Class of this very instruction in edge profiles: masks and zero R2 fields looked at. DIS_NO_ROW is DIS_EDGE_ORD. */
enum dis_edge dis_edge_class(const struct dis_insn *insn);

/* True when the encoding alone makes the branch unconditional (call class, mask 15, BSM). */
bool dis_branch_always(const struct dis_insn *insn);

/* True when the branch address is relative to the instruction. */
bool dis_branch_relative(const struct dis_insn *insn);

/* The floating-point registers that the instruction names, as a set: 1 << number; both of a pair. */
uint16_t dis_float_registers(const struct dis_insn *insn);

/* True when the row has a body. */
bool dis_implemented(unsigned row);

/* Next row without a body, beginning the search at `from` (0 at first, then the answer + 1); DIS_NO_ROW at the end. */
uint16_t dis_missing(unsigned from);

/* Row of a mnemonic (base mnemonics only), or DIS_NO_ROW. */
uint16_t dis_find(const char *mnemonic);

/* Mnemonic number `n` of all that the assembler knows, rows first, then extended ones (some of these twice); NULL
   behind the last. For completion. */
const char *dis_mnemonic(unsigned n);

/* Name of a format as PoP writes it ("RIE-b"); NULL when `format` is not one. */
const char *dis_format_name(unsigned format);

#endif
