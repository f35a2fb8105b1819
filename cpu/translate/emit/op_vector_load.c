/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: vector registers from and to storage, general registers and constants. PoP chapter 21. */
#include "cpu/translate/emit/vector.h"

/* Number of the host for element `number` of 1 << size bytes, and where that is */
static unsigned place(unsigned size, unsigned number) { return number ^ (7u >> size); }
static int32_t place_at(unsigned vr, unsigned size, unsigned number)
{
    return V_AT(vr) + (int32_t)(place(size, number) << size);
}

/* The storage operand's host address into RAX */
static void storage(struct translation *t, unsigned length, bool store)
{
    access_whole(&t->x, operand_access(t, 0, length, store));
}

/* ---- whole registers -------------------------------------------------------------------------------------------- */

/* Between a register and sixteen bytes at d from RAX */
static void fetch_whole(struct translation *t, unsigned vr, int32_t d)
{
    x86_vload(&t->x, 0, RAX, d);
    x86_three_code(&t->x, PACKED_BYTES, vector_write(t, vr), 0, packed_constant(t, PACKED_REVERSED));
}
static void store_whole(struct translation *t, unsigned vr, int32_t d)
{
    x86_three_code(&t->x, PACKED_BYTES, 0, vector_read(t, vr), packed_constant(t, PACKED_REVERSED));
    x86_vstore(&t->x, 0, RAX, d);
}

void template_vector_load(struct translation *t, unsigned how)
{
    (void)how;
    fetch_whole(t, V1, operand_access(t, 0, 16, false));
}

/* To a block boundary; in front of one it is the handler's. */
void template_vector_load_to_boundary(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    operand_address(t, 0);
    x86_lea(x, RCX, RAX, 15);
    x86_alu(x, true, ALU_XOR, RCX, RAX);
    x86_shift_i(x, true, SHIFT_SHR, RCX, t->op->m);
    exit_if(t, IF_NE);
    probe_emit(t, 16, false);
    fetch_whole(t, V1, 0);
}

void template_vector_store(struct translation *t, unsigned how)
{
    (void)how;
    store_whole(t, V1, operand_access(t, 0, 16, true));
}

/* Stored with HOW_FOUR. Each may take the place of the one before. */
void template_vector_several(struct translation *t, unsigned how)
{
    const bool store = how & HOW_FOUR;
    const int32_t at = operand_access(t, 0, 16u * t->op->m, store);
    for (unsigned i = 0; i < t->op->m; i++) {
        t->vector_time++;
        if (store)
            store_whole(t, V1 + i, at + 16 * (int32_t)i);
        else
            fetch_whole(t, V1 + i, at + 16 * (int32_t)i);
    }
}

/* The register becomes the ones of the leftmost bytes in storage's order, as many as RCX says. RDX is lost. */
static void window(struct translation *t, unsigned xmm)
{
    x86_lea_code(&t->x, RDX, packed_constant(t, PACKED_WINDOW));
    x86_alu(&t->x, true, ALU_SUB, RDX, RCX);
    x86_vload(&t->x, xmm, RDX, 16);
}
/* Of VLL and VSTL: RAX becomes the host address, RCX the length by the register. Sixteen bytes that are not in one page
   are the body's. */
static void storage_by_length(struct translation *t, bool store)
{
    struct x86 *x = &t->x;
    address_emit(t, t->insn.b2 ? t->insn.b2 : 16, 16, t->insn.d2);
    probe_emit(t, 16, store);
    copy32(t, RCX, t->insn.r3);
    x86_mov_i(x, RDX, 15);
    x86_alu(x, false, ALU_CMP, RCX, RDX);
    x86_cmov(x, false, IF_A, RCX, RDX);
    x86_lea(x, RCX, RCX, 1);
}

void template_vector_load_length(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    storage_by_length(t, false);
    window(t, 1);
    x86_vload(x, 0, RAX, 0);
    x86_three(x, PACKED_AND, 0, 0, 1);
    x86_three_code(x, PACKED_BYTES, vector_write(t, V1), 0, packed_constant(t, PACKED_REVERSED));
    code_known(t);
}

/* The bytes of XMM0 that a bit of the length stands for, at RAX: its end, to be patched, is returned. */
static uint8_t *store_part(struct x86 *x, unsigned bytes)
{
    x86_test_i(x, false, RCX, (int32_t)bytes);
    x86_jcc(x, IF_E, x->at);
    uint8_t *const over = x->at;
    if (bytes == 16) {
        x86_vstore(x, 0, RAX, 0);
        return over;
    }
    x86_vfrom_xmm(x, true, RDX, 0);
    if (bytes == 1)
        x86_store8(x, RDX, RAX, 0);
    else if (bytes == 2)
        x86_store16(x, RDX, RAX, 0);
    else
        x86_store(x, bytes == 8, RDX, RAX, 0);
    if (bytes > 1) {
        x86_alu_i(x, true, ALU_ADD, RAX, (int32_t)bytes);
        x86_vshift_bytes(x, 0, 0, (uint8_t)bytes);
    }
    return over;
}

void template_vector_store_length(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    storage_by_length(t, true);
    x86_three_code(x, PACKED_BYTES, 0, vector_read(t, V1), packed_constant(t, PACKED_REVERSED));
    for (unsigned bytes = 16; bytes; bytes /= 2) {
        uint8_t *const over = store_part(x, bytes);
        if (!x->full)
            x86_patch(over, x->at);
    }
    code_known(t);
}

void template_vector_move(struct translation *t, unsigned how)
{
    (void)how;
    vector_written(t, V1, vector_read(t, V2));
}

/* ---- elements --------------------------------------------------------------------------------------------------- */

/* RCX becomes the element of storage at RAX. */
static void fetch(struct x86 *x, unsigned size)
{
    if (size == 0)
        x86_movzx8_m(x, RCX, RAX, 0);
    else
        x86_movbe_load(x, size == 3 ? X86_WIDE : size == 1 ? X86_HALF : 0, RCX, RAX, 0);
    if (size == 1)
        x86_movzx16(x, RCX, RCX);
}

/* RCX becomes an element of a register. */
static void element(struct translation *t, unsigned vr, unsigned size, unsigned number)
{
    struct x86 *x = &t->x;
    const int32_t at = place_at(vr, size, number);
    if (vector_held(t, vr) && size == 3 && number == 0)
        x86_vfrom_xmm(x, true, RCX, vector_read(t, vr));
    else if (vector_held(t, vr))
        x86_vextract(x, 1u << size, RCX, vector_read(t, vr), (uint8_t)place(size, number));
    else if (size == 0)
        x86_movzx8_m(x, RCX, CPU, at);
    else if (size == 1)
        x86_movzx16_m(x, RCX, CPU, at);
    else
        x86_load(x, size == 3, RCX, CPU, at);
}

/* V1 becomes what RCX has, in every element. */
static void replicate(struct translation *t, unsigned size)
{
    struct x86 *x = &t->x;
    if (size < 2)
        x86_imul_i(x, false, RCX, RCX, size ? 0x10001 : 0x01010101);
    x86_vto_xmm(x, size == 3, 0, RCX);
    x86_vpshufd(x, vector_write(t, V1), 0, size == 3 ? 0x44 : 0);
}

/* An element of V1 becomes what is in a register of the host. */
static void insert(struct translation *t, unsigned size, unsigned number, unsigned from)
{
    const unsigned xmm = vector_change(t, V1);
    x86_vinsert(&t->x, 1u << size, xmm, xmm, from, (uint8_t)place(size, number));
}

void template_vector_replicate_storage(struct translation *t, unsigned how)
{
    (void)how;
    storage(t, 1u << t->insn.m3, false);
    fetch(&t->x, t->insn.m3);
    replicate(t, t->insn.m3);
}

/* With zeros beside; of size 6, a word at the left */
void template_vector_load_alone(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned size = t->insn.m3 == 6 ? 2 : t->insn.m3;
    (void)how;
    storage(t, 1u << size, false);
    fetch(x, size);
    if (t->insn.m3 == 6)
        x86_shift_i(x, true, SHIFT_SHL, RCX, 32);
    x86_vto_xmm(x, true, vector_write(t, V1), RCX);
}

/* How: the size, here and below */
void template_vector_load_element(struct translation *t, unsigned how)
{
    storage(t, 1u << how, false);
    fetch(&t->x, how);
    insert(t, how, t->op->m, RCX);
}

void template_vector_store_element(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    storage(t, 1u << how, true);
    element(t, V1, how, t->op->m);
    if (how == 0)
        x86_store8(x, RCX, RAX, 0);
    else
        x86_movbe_store(x, how == 3 ? X86_WIDE : how == 1 ? X86_HALF : 0, RCX, RAX, 0);
}

void template_vector_element_immediate(struct translation *t, unsigned how)
{
    x86_mov_i(&t->x, RCX, (uint64_t)t->op->i);
    insert(t, how, t->op->m, RCX);
}

void template_vector_constant(struct translation *t, unsigned how)
{
    (void)how;
    if (t->op->i == 0) {
        x86_three(&t->x, PACKED_XOR, vector_write(t, V1), 0, 0);
    } else if (t->op->i == -1) {
        ones(t, 0);
        vector_written(t, V1, 0);
    } else {
        x86_mov_i(&t->x, RCX, (uint64_t)t->op->i);
        replicate(t, 3);
    }
}

void template_vector_replicate(struct translation *t, unsigned how)
{
    (void)how;
    element(t, V3, t->insn.m4, t->op->m);
    replicate(t, t->insn.m4);
}

/* ---- general registers ------------------------------------------------------------------------------------------ */

void template_vector_to_general(struct translation *t, unsigned how)
{
    (void)how;
    element(t, V3, t->insn.m4, t->op->m);
    write64(t, t->op->r1, RCX);
}

void template_vector_from_general(struct translation *t, unsigned how)
{
    (void)how;
    insert(t, t->insn.m4, t->op->m, read64(t, t->op->r3, RCX));
}

void template_vector_from_pair(struct translation *t, unsigned how)
{
    (void)how;
    x86_vto_xmm(&t->x, true, 0, read64(t, t->op->r2, RAX));
    const unsigned right = read64(t, t->op->r3, RCX);
    x86_vinsert(&t->x, 8, vector_write(t, V1), 0, right, 1);
}
