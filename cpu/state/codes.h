/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an instruction body or a storage accessor returns: 0, a program-interruption code, or one of the special
   outcomes below. PoP chapter 6, "Program-Interruption Conditions". */
#ifndef ZRI_CPU_STATE_CODES_H
#define ZRI_CPU_STATE_CODES_H

#include <stdbool.h>
#include <stdint.h>

/* Data-exception codes, vector-exception codes. */
enum cpu_dxc {
#define DATA_EXCEPTION(id, code, name) DXC_##id = code,
#include "cpu/state/interruptions.def"
};
enum cpu_vxc {
#define VECTOR_EXCEPTION(id, code, name) VXC_##id = code,
#include "cpu/state/interruptions.def"
};

enum cpu_code {
    CPU_OK = 0,
/* Program interruptions; PIC_PER_EVENT is ORed to another code, or alone. */
#define PROGRAM(id, code, name)     PIC_##id = code,
#define PROGRAM_BIT(id, code, name) PIC_##id = code,
#include "cpu/state/interruptions.def"

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
/* A data- or vector-exception code goes to the FPC register while the additional floating-point registers may be
   used. */
void cpu_exception_code_to_fpc(struct cpu *cpu, uint8_t code);

#endif
