/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PERFORM LOCKED OPERATION. PoP chapter 7 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"

/* The six operations; each has four forms, and the function code is operation * 4 + form. */
enum operation { PLO_CL, PLO_CS, PLO_DCS, PLO_CSST, PLO_CSDST, PLO_CSTST, PLO_OPERATIONS };
enum form { FORM_32, FORM_LIST_64, FORM_64, FORM_LIST_128 }; /* no suffix, G, GR, X */

/* Places in the parameter list at the fourth-operand address: slots of 16 bytes, whose contents are right-aligned for
   operands that are shorter. */
enum slot {
    SLOT_OP1_COMPARE = 0,
    SLOT_OP1_REPLACE = 16,
    SLOT_OP3 = 32,
    SLOT_OP3_STORE = 48,
    SLOT_OP5 = 80,
    SLOT_OP7 = 112
};
enum { LIST_OP4_ALET = 68, LIST_OP4_ADDRESS = 72, LIST_NEXT = 32 }; /* operands 6 and 8: 32 and 64 bytes on */

#define PLO_TEST     BIT64(55)
#define PLO_RESERVED field64(cpu->gr[0], 32, 54)

struct plo {
    struct cpu *cpu;
    const struct dis_insn *insn;
    enum operation operation;
    enum form form;
    unsigned size;      /* of the operands, bytes */
    uint64_t address2;  /* second operand */
    uint64_t list;      /* fourth operand or parameter list */
    uint8_t op2[16];    /* as fetched */
    uint64_t target[3]; /* addresses of the fourth, sixth and eighth operand */
    uint8_t target_ar;  /* of the fourth operand; of those in a list */
    uint32_t alet[3];   /* for operands 4, 6, 8 of a list in the access-register mode */
};

static bool has_list(const struct plo *p)
{
    return p->form == FORM_LIST_64 || p->form == FORM_LIST_128 || p->operation >= PLO_CSDST;
}

/* Operands 1 and 3 are in registers, not in the list. */
static bool in_registers(const struct plo *p) { return p->form == FORM_32 || p->form == FORM_64; }

static bool access_register_mode(const struct cpu *cpu)
{
    return (cpu->psw.mask & PSW_DAT) && field64(cpu->psw.mask, 16, 17) == AS_ACCESS_REGISTER;
}

/* Address of a slot's operand in the list. */
static uint64_t slot_address(const struct plo *p, enum slot slot)
{
    return cpu_wrap(p->cpu, p->list + (unsigned)slot + 16 - p->size);
}

static int fetch_slot(const struct plo *p, enum slot slot, uint8_t *bytes)
{
    return cpu_fetch_bytes(p->cpu, slot_address(p, slot), p->insn->b4, bytes, p->size);
}

static int store_slot(const struct plo *p, enum slot slot, const uint8_t *bytes)
{
    return cpu_store_bytes(p->cpu, slot_address(p, slot), p->insn->b4, bytes, p->size);
}

static void fetch_register(const struct plo *p, unsigned r, uint8_t *bytes)
{
    if (p->size == 4)
        put32(bytes, gr32(p->cpu, r));
    else
        put64(bytes, p->cpu->gr[r]);
}

static void set_register(const struct plo *p, unsigned r, const uint8_t *bytes)
{
    if (p->size == 4)
        set_gr32(p->cpu, r, get32(bytes));
    else
        p->cpu->gr[r] = get64(bytes);
}

/* Operand from a register or from its slot in the list. */
static int fetch_value(const struct plo *p, unsigned r, enum slot slot, uint8_t *bytes)
{
    if (!in_registers(p))
        return fetch_slot(p, slot, bytes);
    fetch_register(p, r, bytes);
    return 0;
}

static int store_value(const struct plo *p, unsigned r, enum slot slot, const uint8_t *bytes)
{
    if (!in_registers(p))
        return store_slot(p, slot, bytes);
    set_register(p, r, bytes);
    return 0;
}

/* Operand 4, 6 or 8 (n = 0, 1, 2): in the access-register mode R3 receives the access-list-entry token first. */
static void select_space(const struct plo *p, unsigned n)
{
    if (has_list(p) && access_register_mode(p->cpu))
        p->cpu->ar[p->insn->r3] = p->alet[n];
}

static int fetch_target(const struct plo *p, unsigned n, uint8_t *bytes)
{
    select_space(p, n);
    return cpu_fetch_bytes(p->cpu, p->target[n], p->target_ar, bytes, p->size);
}

static int test_target(const struct plo *p, unsigned n)
{
    select_space(p, n);
    return cpu_test(p->cpu, p->target[n], p->target_ar, p->size, CPU_STORE);
}

static int store_target(const struct plo *p, unsigned n, const uint8_t *bytes)
{
    select_space(p, n);
    return cpu_store_bytes(p->cpu, p->target[n], p->target_ar, bytes, p->size);
}

/* Number of operands 4, 6 and 8 that the operation has. */
static unsigned targets(const struct plo *p)
{
    static const uint8_t count[PLO_OPERATIONS] = {1, 0, 1, 1, 2, 3};
    return count[p->operation];
}

/* Find operands 4, 6 and 8: the fourth-operand address itself, or addresses in the parameter list. */
static int find_targets(struct plo *p)
{
    struct cpu *cpu = p->cpu;
    p->target[0] = p->list;
    p->target_ar = p->insn->b4;
    if (!has_list(p))
        return p->list & (p->size - 1) && targets(p) ? PIC_SPECIFICATION : 0;
    if (p->list & (p->size == 4 ? 3 : 7))
        return PIC_SPECIFICATION;
    if (!targets(p))
        return 0;
    p->target_ar = p->insn->r3;
    if (access_register_mode(cpu) && !p->insn->r3)
        return PIC_SPECIFICATION;
    for (unsigned n = 0; n < targets(p); n++) {
        uint64_t at = cpu_wrap(cpu, p->list + LIST_OP4_ADDRESS + n * LIST_NEXT);
        int code = 0;
        if (access_register_mode(cpu))
            code = cpu_fetch4(cpu, cpu_wrap(cpu, at - (LIST_OP4_ADDRESS - LIST_OP4_ALET)), p->insn->b4, &p->alet[n]);
        if (!code && (cpu->psw.mask & PSW_EA)) {
            code = cpu_fetch8(cpu, at, p->insn->b4, &p->target[n]);
        } else if (!code) {
            uint32_t word;
            code = cpu_fetch4(cpu, cpu_wrap(cpu, at + 4), p->insn->b4, &word);
            if (!code)
                p->target[n] = cpu_wrap(cpu, word);
        }
        if (code)
            return code;
        if (p->target[n] & (p->size - 1))
            return PIC_SPECIFICATION;
    }
    return 0;
}

/* Register pairs and boundaries. */
static int check(const struct plo *p)
{
    bool pair1 = in_registers(p) && p->operation != PLO_CL, pair3 = in_registers(p) && p->operation == PLO_DCS;
    if ((pair1 && (p->insn->r1 & 1)) || (pair3 && (p->insn->r3 & 1)))
        return PIC_SPECIFICATION;
    return p->address2 & (p->size - 1) ? PIC_SPECIFICATION : 0;
}

/* COMPARE AND LOAD: the second operand equals the first: the fourth goes to the third. */
static int compare_and_load(const struct plo *p)
{
    uint8_t value[16];
    int code = fetch_target(p, 0, value);
    return code ? code : store_value(p, p->insn->r3, SLOT_OP3, value);
}

/* DOUBLE COMPARE AND SWAP, second half: the third operand with the fourth. */
static int double_compare(struct plo *p, uint8_t *replacement, bool *same)
{
    uint8_t compare[16], value[16];
    int code = fetch_value(p, p->insn->r3, SLOT_OP3, compare);
    if (!code)
        code = fetch_target(p, 0, value);
    if (!code)
        code = fetch_value(p, p->insn->r3 + 1u, SLOT_OP3_STORE, replacement);
    if (code)
        return code;
    *same = memcmp(compare, value, p->size) == 0;
    if (*same)
        return test_target(p, 0);
    p->cpu->cc = 2;
    return store_value(p, p->insn->r3, SLOT_OP3, value);
}

/* The operations that swap: all is fetched and tested, then operands 4, 6 and 8 are stored and the second at last. */
static int swap_and_store(struct plo *p)
{
    static const enum slot slot[3] = {SLOT_OP3_STORE, SLOT_OP5, SLOT_OP7};
    uint8_t replacement[16], value[3][16];
    bool same = true;
    int code = fetch_value(p, p->insn->r1 + 1u, SLOT_OP1_REPLACE, replacement);
    if (!code)
        code = cpu_test(p->cpu, p->address2, p->insn->b2, p->size, CPU_STORE);
    if (!code && p->operation == PLO_DCS)
        code = double_compare(p, value[0], &same);
    for (unsigned n = 0; p->operation != PLO_DCS && !code && n < targets(p); n++) {
        if (p->operation == PLO_CSST && in_registers(p))
            fetch_register(p, p->insn->r3, value[0]);
        else
            code = fetch_slot(p, slot[n], value[n]);
        if (!code)
            code = test_target(p, n);
    }
    if (code || !same)
        return code;
    for (unsigned n = 0; !code && n < targets(p); n++)
        code = store_target(p, n, value[n]);
    return code ? code : cpu_store_bytes(p->cpu, p->address2, p->insn->b2, replacement, p->size);
}

static int locked_operation(struct plo *p)
{
    uint8_t compare[16];
    int code = check(p);
    if (!code)
        code = find_targets(p);
    if (!code)
        code = cpu_fetch_bytes(p->cpu, p->address2, p->insn->b2, p->op2, p->size);
    if (!code)
        code = fetch_value(p, p->insn->r1, SLOT_OP1_COMPARE, compare);
    if (code)
        return code;
    p->cpu->cc = 0;
    if (memcmp(compare, p->op2, p->size) == 0)
        return p->operation == PLO_CL ? compare_and_load(p) : swap_and_store(p);
    p->cpu->cc = 1;
    return store_value(p, p->insn->r1, SLOT_OP1_COMPARE, p->op2);
}

/* PERFORM LOCKED OPERATION: bits 56-63 of general register 0 are the function code; with bit 55 one only its validity
   is tested. All CPUs exclude each other here, so that the lock token in general register 1 need not be looked at. CC:
   0 all comparisons equal, 1 second operand unequal (it goes to the first), 2 fourth unequal (it goes to the third);
   when testing, 0 valid code, 3 not. Exceptions: specification (bits 32-54 of general register 0, code, odd registers,
   boundaries, R3 zero in the access-register mode); access. */
int cpu_plo(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned function = (uint8_t)cpu->gr[0];
    if (PLO_RESERVED)
        return PIC_SPECIFICATION;
    if (cpu->gr[0] & PLO_TEST) {
        cpu->cc = function < 4 * PLO_OPERATIONS ? 0 : 3;
        return 0;
    }
    if (function >= 4 * PLO_OPERATIONS)
        return PIC_SPECIFICATION;
    static const uint8_t sizes[4] = {4, 8, 8, 16};
    struct plo p = {.cpu = cpu,
                    .insn = i,
                    .operation = (enum operation)(function / 4),
                    .form = (enum form)(function % 4),
                    .size = sizes[function % 4],
                    .address2 = cpu_ea2(cpu, i),
                    .list = cpu_ea4(cpu, i)};
    uint8_t cc = cpu->cc;
    uint32_t ar3 = cpu->ar[i->r3];
    while (__atomic_test_and_set(&cpu->sys->plo_lock, __ATOMIC_ACQUIRE))
        ;
    int code = locked_operation(&p);
    __atomic_clear(&cpu->sys->plo_lock, __ATOMIC_RELEASE);
    if (code) {
        cpu->cc = cc;
        cpu->ar[i->r3] = ar3;
    }
    return code;
}
