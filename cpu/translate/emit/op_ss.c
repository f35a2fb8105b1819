/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: storage-to-storage instructions, each operand in one page, and EXECUTE of them. Both operands are looked
   for before anything is changed. PoP chapter 7. */
#include "cpu/translate/emit/template.h"

/* Host addresses into RAX: of the first operand, of the second, whose bases and displacements are where the block
   engine has them */
static void first(struct translation *t, unsigned n, bool store)
{
    access_whole(&t->x, access_emit(t, t->op->r1, 16, t->op->d, n, store));
}
static void second(struct translation *t, unsigned n)
{
    access_whole(&t->x, access_emit(t, t->op->r2, 16, t->op->i, n, false));
}

/* `n` bytes, at most 32, as two pieces of the largest power of two that overlap, or one. */
static unsigned piece_of(unsigned n)
{
    unsigned piece = 16;
    while (piece > n)
        piece /= 2;
    return piece;
}
/* RDX and RCX, or XMM0 and XMM1 */
static void piece_load(struct x86 *x, unsigned piece, unsigned to, unsigned base, int32_t d)
{
    if (piece == 16)
        x86_movups_load(x, to == RCX, base, d);
    else if (piece == 1)
        x86_movzx8_m(x, to, base, d);
    else if (piece == 2)
        x86_movzx16_m(x, to, base, d);
    else
        x86_load(x, piece == 8, to, base, d);
}
static void piece_store(struct x86 *x, unsigned piece, unsigned from, unsigned base, int32_t d)
{
    if (piece == 16)
        x86_movups_store(x, from == RCX, base, d);
    else if (piece == 1)
        x86_store8(x, from, base, d);
    else if (piece == 2)
        x86_store16(x, from, base, d);
    else
        x86_store(x, piece == 8, from, base, d);
}

/* Both operands of n bytes: the first is at RAX then, stored into when `store`, the second at RCX. */
static void both(struct translation *t, unsigned n, bool store)
{
    second(t, n);
    x86_store(&t->x, true, RAX, RSP, KEEP_AT);
    first(t, n, store);
    x86_load(&t->x, true, RCX, RSP, KEEP_AT);
}

/* A C function of n, the first operand at RAX and the second one at RCX. */
static void by_function(struct translation *t, unsigned n, code_function function)
{
    x86_mov(&t->x, true, RDX, RAX);
    x86_store_i(&t->x, true, RSP, PASS_AT, (int32_t)n);
    call_function(t, function);
}

/* To the handler, when the first operand begins behind the first byte of the second and before its end. */
static void spare_overlap(struct translation *t, unsigned n)
{
    struct x86 *x = &t->x;
    if (n == 1)
        return;
    x86_lea(x, RDX, RAX, -1);
    x86_alu(x, true, ALU_SUB, RDX, RCX);
    x86_alu_i(x, true, ALU_CMP, RDX, (int32_t)n - 1);
    exit_if(t, IF_B);
}

static uint64_t move(struct cpu *cpu, uint64_t n, uint64_t to, uint64_t from)
{
    (void)cpu;
    memmove((uint8_t *)(uintptr_t)to, (const uint8_t *)(uintptr_t)from, n);
    return 0;
}

#define INLINE_BYTES 64u /* moved by code; more by a function */

/* Piece by piece from the left; the last one, which overlaps the one before, is fetched first. */
static void move_pieces(struct x86 *x, unsigned n)
{
    const unsigned piece = piece_of(n);
    if (piece < 16) {
        piece_load(x, piece, RDX, RCX, 0);
        if (piece < n)
            piece_load(x, piece, RCX, RCX, (int32_t)(n - piece));
        piece_store(x, piece, RDX, RAX, 0);
        if (piece < n)
            piece_store(x, piece, RCX, RAX, (int32_t)(n - piece));
        return;
    }
    if (n % 16)
        x86_movups_load(x, 1, RCX, (int32_t)n - 16);
    for (unsigned at = 0; at + 16 <= n; at += 16) {
        x86_movups_load(x, 0, RCX, (int32_t)at);
        x86_movups_store(x, 0, RAX, (int32_t)at);
    }
    if (n % 16)
        x86_movups_store(x, 1, RAX, (int32_t)n - 16);
}

void template_move(struct translation *t, unsigned how)
{
    const unsigned n = t->op->m + 1u;
    (void)how;
    both(t, n, true);
    spare_overlap(t, n);
    if (n > INLINE_BYTES)
        by_function(t, n, move);
    else
        move_pieces(&t->x, n);
}

/* An operand exclusive-ored with itself */
static void clear(struct translation *t, unsigned n)
{
    struct x86 *x = &t->x;
    const unsigned piece = piece_of(n);
    first(t, n, true);
    if (piece == 16)
        x86_packed(x, PACKED_XOR, 0, 0);
    else
        x86_mov_i(x, RDX, 0);
    for (unsigned at = 0; at + piece <= n; at += piece)
        piece_store(x, piece, RDX, RAX, (int32_t)at);
    if (n % piece)
        piece_store(x, piece, RDX, RAX, (int32_t)(n - piece));
    cc_set(t, value_constant(0), value_constant(0), NOWHERE);
}

/* Byte by byte from the left; whether any is not zero then. */
#define LOGIC(name, operator)                                                                                          \
    static uint64_t name(struct cpu *cpu, uint64_t n, uint64_t first, uint64_t second)                                 \
    {                                                                                                                  \
        uint8_t *to = (uint8_t *)(uintptr_t)first, any = 0;                                                            \
        const uint8_t *from = (const uint8_t *)(uintptr_t)second;                                                      \
        (void)cpu;                                                                                                     \
        for (uint64_t i = 0; i < n; i++)                                                                               \
            any |= to[i] = to[i] operator from[i];                                                                     \
        return any;                                                                                                    \
    }
LOGIC(and_bytes, &)
LOGIC(or_bytes, |)
LOGIC(xor_bytes, ^)

/* NC, OC and XC: those of one, two, four or eight bytes here, others by functions */
void template_logic_storage(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned n = t->op->m + 1u;
    if (how & HOW_XOR && t->op->r1 == t->op->r2 && t->op->d == t->op->i) {
        clear(t, n);
        return;
    }
    both(t, n, true);
    if (n > 8 || n & (n - 1)) {
        by_function(t, n, how & HOW_AND ? and_bytes : how & HOW_XOR ? xor_bytes : or_bytes);
        cc_set(t, value_constant(0), value_host(RAX), NOWHERE);
        return;
    }
    spare_overlap(t, n);
    piece_load(x, n, RCX, RCX, 0);
    piece_load(x, n, RDX, RAX, 0);
    x86_alu(x, n == 8, how & HOW_AND ? ALU_AND : how & HOW_XOR ? ALU_XOR : ALU_OR, RDX, RCX);
    piece_store(x, n, RDX, RAX, 0);
    cc_set(t, value_constant(0), value_host(RDX), NOWHERE);
}

/* RCX becomes the operand at RAX, to be compared as signed. */
static void number(struct x86 *x, unsigned n)
{
    if (n == 1) {
        x86_movzx8_m(x, RCX, RAX, 0);
        return;
    }
    x86_movbe_load(x, n == 8 ? X86_WIDE : n == 2 ? X86_HALF : 0, RCX, RAX, 0);
    if (n == 2)
        x86_movzx16(x, RCX, RCX);
    if (n == 8) {
        x86_mov_i(x, RDX, BIT64(0));
        x86_alu(x, true, ALU_XOR, RCX, RDX);
    }
}

static uint64_t compare(struct cpu *cpu, uint64_t n, uint64_t first, uint64_t second)
{
    (void)cpu;
    return (uint64_t)(int64_t)memcmp((const uint8_t *)(uintptr_t)first, (const uint8_t *)(uintptr_t)second, n);
}

/* Those of one, two, four or eight bytes here */
void template_compare_storage(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned n = t->op->m + 1u;
    (void)how;
    if (n > 8 || n & (n - 1)) {
        both(t, n, false);
        by_function(t, n, compare);
        cc_set(t, value_host(RAX), value_constant(0), NOWHERE);
        return;
    }
    first(t, n, false);
    number(x, n);
    x86_store(x, true, RCX, RSP, KEEP_AT);
    second(t, n);
    number(x, n);
    x86_load(x, true, RDX, RSP, KEEP_AT);
    cc_set(t, value_host(RDX), value_host(RCX), NOWHERE);
}

/* ---- execute ---------------------------------------------------------------------------------------------------- */

/* EX, and EXRL with HOW_RELATIVE: targets that block_target() knows. The condition code itself is known then. */
void template_execute(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const uint64_t ia = (t->block->ia & PAGE_ADDRESS) | t->op->offset;
    if (t->live)
        x86_store(x, true, cc_known(t, t->op->kind), RSP, PASS_AT);
    else
        x86_store_i(x, true, RSP, PASS_AT, 0);
    t->cc = without_hosts(t->cc);
    t->flags = false;
    registers_spill(t);
    t->dirty = 0;
    if (how & HOW_RELATIVE) {
        x86_mov_i(x, RDX, ia + (uint64_t)t->insn.i2);
    } else {
        address_emit(t, t->op->r2, t->op->r3, t->op->d);
        x86_mov(x, true, RDX, RAX);
    }
    const bool profiled = t->block->mode & MODE_EDGES;
    x86_mov_i(x, RCX, profiled ? (uint64_t)(uintptr_t)t->op : t->op->r1);
    call_function(t, profiled ? block_target_known : block_target);
    context_emit(t->translator, x, RCX);
    x86_test(x, true, RAX, RAX);
    exit_if(t, IF_S);
    x86_alu_i(x, true, ALU_ADD, LEFT, BLOCK_TARGET_CYCLES);
    cc_set(t, value_host(RAX), value_constant(0), NOWHERE);
}
