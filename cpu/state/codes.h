/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an instruction body or a storage accessor returns: 0, a program-interruption code, or one of the special
   outcomes below. PoP chapter 6, "Program-Interruption Conditions". */
#ifndef ZRI_CPU_STATE_CODES_H
#define ZRI_CPU_STATE_CODES_H

#include <stdbool.h>
#include <stdint.h>

/* Data-exception codes but those of IEEE exceptions. PoP chapter 6, "Data Exception". */
enum cpu_dxc {
    DXC_DECIMAL = 0x00,
    DXC_AFP_REGISTER = 0x01,
    DXC_BFP = 0x02,
    DXC_DFP = 0x03,
    DXC_VECTOR = 0xfe,
    DXC_TRAP = 0xff, /* COMPARE AND TRAP */
};

enum cpu_code {
    CPU_OK = 0,
    PIC_OPERATION = 0x01,
    PIC_PRIVILEGED_OPERATION = 0x02,
    PIC_EXECUTE = 0x03,
    PIC_PROTECTION = 0x04,
    PIC_ADDRESSING = 0x05,
    PIC_SPECIFICATION = 0x06,
    PIC_DATA = 0x07,
    PIC_FIXED_POINT_OVERFLOW = 0x08,
    PIC_FIXED_POINT_DIVIDE = 0x09,
    PIC_DECIMAL_OVERFLOW = 0x0a,
    PIC_DECIMAL_DIVIDE = 0x0b,
    PIC_HFP_EXPONENT_OVERFLOW = 0x0c,
    PIC_HFP_EXPONENT_UNDERFLOW = 0x0d,
    PIC_HFP_SIGNIFICANCE = 0x0e,
    PIC_HFP_DIVIDE = 0x0f,
    PIC_SEGMENT_TRANSLATION = 0x10,
    PIC_PAGE_TRANSLATION = 0x11,
    PIC_TRANSLATION_SPECIFICATION = 0x12,
    PIC_SPECIAL_OPERATION = 0x13,
    PIC_OPERAND = 0x15,
    PIC_TRACE_TABLE = 0x16,
    PIC_TRANSACTION_CONSTRAINT = 0x18,
    PIC_VECTOR_PROCESSING = 0x1b,
    PIC_SPACE_SWITCH_EVENT = 0x1c,
    PIC_HFP_SQUARE_ROOT = 0x1d,
    PIC_PC_TRANSLATION_SPECIFICATION = 0x1f,
    PIC_AFX_TRANSLATION = 0x20,
    PIC_ASX_TRANSLATION = 0x21,
    PIC_LX_TRANSLATION = 0x22,
    PIC_EX_TRANSLATION = 0x23,
    PIC_PRIMARY_AUTHORITY = 0x24,
    PIC_SECONDARY_AUTHORITY = 0x25,
    PIC_LFX_TRANSLATION = 0x26,
    PIC_LSX_TRANSLATION = 0x27,
    PIC_ALET_SPECIFICATION = 0x28,
    PIC_ALEN_TRANSLATION = 0x29,
    PIC_ALE_SEQUENCE = 0x2a,
    PIC_ASTE_VALIDITY = 0x2b,
    PIC_ASTE_SEQUENCE = 0x2c,
    PIC_EXTENDED_AUTHORITY = 0x2d,
    PIC_LSTE_SEQUENCE = 0x2e,
    PIC_ASTE_INSTANCE = 0x2f,
    PIC_STACK_FULL = 0x30,
    PIC_STACK_EMPTY = 0x31,
    PIC_STACK_SPECIFICATION = 0x32,
    PIC_STACK_TYPE = 0x33,
    PIC_STACK_OPERATION = 0x34,
    PIC_ASCE_TYPE = 0x38,
    PIC_REGION_FIRST_TRANSLATION = 0x39,
    PIC_REGION_SECOND_TRANSLATION = 0x3a,
    PIC_REGION_THIRD_TRANSLATION = 0x3b,
    PIC_MONITOR_EVENT = 0x40,
    PIC_PER_EVENT = 0x80, /* ORed to another code, or alone */
    PIC_CRYPTO_OPERATION = 0x119,
    PIC_TRANSACTION_ABORT = 0x200,

    /* Special outcomes; never stored by an interruption. */
    CPU_PARTIAL = 0x10000, /* interruptible instruction: registers updated, PSW stays at the instruction */
    CPU_SVC = 0x20000,     /* supervisor-call interruption with cpu->svc_code; PSW already behind SVC */
    CPU_CHECK_STOP = 0x40000,
    CPU_TX_ABORT = 0x80000, /* the transaction ends: cpu_tx_abort() with the code that was noted, no interruption */
};

/* Transaction-abort codes. */
enum cpu_tx_code {
    TX_EXTERNAL = 2,
    TX_PROGRAM = 4,
    TX_MACHINE_CHECK = 5,
    TX_IO = 6,
    TX_FETCH_OVERFLOW = 7,
    TX_STORE_OVERFLOW = 8,
    TX_FETCH_CONFLICT = 9,
    TX_STORE_CONFLICT = 10,
    TX_RESTRICTED = 11,
    TX_FILTERED = 12,
    TX_NESTING = 13,
    TX_GUARDED = 19,
    TX_MISCELLANEOUS = 255,
    TX_TABORT = 256, /* and up */
};

struct cpu;

/* True for codes whose operation is nullified: the old PSW designates the instruction itself. */
bool cpu_code_nullifies(int code);
/* True for codes with which the operation is completed (fixed-point overflow, PER alone, monitor event ...): such an
 * instruction counts. */
bool cpu_code_completes(int code);
/* True for codes with which the translation-exception identification is stored (without PER and transaction bits). */
bool cpu_code_stores_teid(int code);

/* The same, knowing the data-exception code of PIC_DATA (cpu->dxc): compare-and-trap and some IEEE traps complete. */
bool cpu_completes(const struct cpu *cpu, int code);
/* A data- or vector-exception code goes to the FPC register while the additional floating-point registers may be used.
 */
void cpu_exception_code_to_fpc(struct cpu *cpu, uint8_t code);

#endif
