/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operands of guest instructions in host registers. */
#include "cpu/translate/emit/template.h"

void address_into(struct translation *t, unsigned to, unsigned base, unsigned index, int64_t d)
{
    struct x86 *x = &t->x;
    if (index == 16 && base == 16) {
        x86_mov_i(x, to, (uint64_t)d);
        return;
    }
    if (base == 16) {
        base = index;
        index = 16;
    }
    const unsigned first = read64(t, base, RAX);
    if (index != 16)
        x86_lea_x(x, to, first, read64(t, index, RCX), (int32_t)d);
    else if (d)
        x86_lea(x, to, first, (int32_t)d);
    else if (first != to)
        x86_mov(x, true, to, first);
}

void address_emit(struct translation *t, unsigned base, unsigned index, int64_t d)
{
    address_into(t, RAX, base, index, d);
}

/* ---- second operands -------------------------------------------------------------------------------------------- */

static struct operand in_register(unsigned host, struct value value)
{
    return (struct operand){.host = host, .value = value};
}

static struct operand immediate(struct translation *t)
{
    const int64_t i = t->op->i;
    if (i == (int32_t)i)
        return (struct operand){.constant = true, .i = (int32_t)i, .host = NOWHERE, .value = value_constant(i)};
    x86_mov_i(&t->x, RCX, (uint64_t)i);
    return in_register(RCX, value_constant(i));
}

/* Halfwords, bytes and others that are made in RCX. */
static struct operand narrow(struct translation *t, unsigned how, unsigned gr)
{
    struct x86 *x = &t->x;
    const unsigned from = read32(t, gr, RCX);
    switch (how) {
    case FROM_HALF:
        x86_movsx16(x, true, RCX, from);
        break;
    case FROM_HALF_L:
        x86_movzx16(x, RCX, from);
        break;
    case FROM_BYTE:
        x86_movsx8(x, true, RCX, from);
        break;
    case FROM_BYTE_L:
        x86_movzx8(x, RCX, from);
        break;
    case FROM_31:
        copy32(t, RCX, gr);
        x86_alu_i(x, false, ALU_AND, RCX, 0x7fffffff);
        break;
    default:
        copy64(t, RCX, gr);
        x86_bswap(x, how == FROM_REVERSED, RCX);
        break;
    }
    return in_register(RCX, value_host(RCX));
}

void operand_address(struct translation *t, unsigned how)
{
    if (!(how & HOW_RELATIVE)) {
        address_emit(t, t->op->r2, t->op->r3, t->op->d);
        return;
    }
    x86_load(&t->x, true, RCX, CPU, CPU_AT(tlb)); /* it is in the space of the instructions */
    x86_alu_m(&t->x, true, ALU_CMP, RCX, CPU, CPU_AT(fetch_tlb));
    exit_if(t, IF_NE);
    x86_mov_i(&t->x, RAX, (uint64_t)t->op->i);
}

int32_t operand_access(struct translation *t, unsigned how, unsigned length, bool store)
{
    if (!(how & HOW_RELATIVE))
        return access_emit(t, t->op->r2, t->op->r3, t->op->d, length, store);
    operand_address(t, how);
    probe_emit(t, length, store);
    return 0;
}

unsigned operand_length(unsigned how)
{
    static const uint8_t lengths[] = {8, 4, 4, 2, 2, 1, 1, 8, 4, 2};
    return lengths[(how & HOW_OPERAND) - STORAGE_D];
}

void operand_fetch(struct translation *t, unsigned how, unsigned to)
{
    struct x86 *x = &t->x;
    const unsigned kind = how & HOW_OPERAND;
    const int32_t at = operand_access(t, how, operand_length(how), false);
    switch (kind) {
    case STORAGE_D:
        x86_movbe_load(x, X86_WIDE, to, RAX, at);
        break;
    case STORAGE_WORD:
        x86_movbe_load(x, 0, to, RAX, at);
        x86_movsxd(x, to, to);
        break;
    case STORAGE_WORD_L:
        x86_movbe_load(x, 0, to, RAX, at);
        break;
    case STORAGE_HALF:
        x86_movbe_load(x, X86_HALF, to, RAX, at);
        x86_movsx16(x, true, to, to);
        break;
    case STORAGE_HALF_L:
        x86_movbe_load(x, X86_HALF, to, RAX, at);
        x86_movzx16(x, to, to);
        break;
    case STORAGE_BYTE:
        x86_movsx8_m(x, true, to, RAX, at);
        break;
    case STORAGE_BYTE_L:
        x86_movzx8_m(x, to, RAX, at);
        break;
    case STORAGE_HALF_REVERSED:
        x86_movzx16_m(x, to, RAX, at);
        break;
    default:
        x86_load(x, kind == STORAGE_D_REVERSED, to, RAX, at);
        break;
    }
}

struct operand second_operand(struct translation *t, unsigned how)
{
    const unsigned kind = how & HOW_OPERAND, gr = how & HOW_THREE ? t->op->r3 : t->op->r2;
    if (kind >= FROM_STORAGE) {
        operand_fetch(t, how, RCX);
        return in_register(RCX, value_host(RCX));
    }
    switch (kind) {
    case FROM_R:
        return in_register(how & HOW_WORD ? read32(t, gr, RCX) : read64(t, gr, RCX), value_of(REGISTER, gr));
    case FROM_WORD:
        copy32_signed(t, RCX, gr);
        return in_register(RCX, value_of(WORD_SIGNED, gr));
    case FROM_WORD_L:
        copy32(t, RCX, gr);
        return in_register(RCX, value_of(WORD_LOGICAL, gr));
    case FROM_I:
        return immediate(t);
    default:
        return narrow(t, kind, gr);
    }
}

struct operand any_second_operand(struct translation *t, unsigned how)
{
    const unsigned gr = how & HOW_THREE ? t->op->r3 : t->op->r2;
    if ((how & HOW_OPERAND) != FROM_R || gr >= 16 || host_in(t, gr) != NOWHERE)
        return second_operand(t, how);
    read_in_place(t, gr, !(how & HOW_WORD));
    return (struct operand){.in_cpu = true, .gr = (uint8_t)gr, .host = NOWHERE, .value = value_of(REGISTER, gr)};
}

/* ---- what is done with them -------------------------------------------------------------------------------------- */

unsigned first_operand(const struct translation *t, unsigned how)
{
    return !(how & HOW_THREE) ? t->op->r1 : (how & HOW_OPERAND) == FROM_I ? t->op->r3 : t->op->r2;
}

void operand_change_r1(struct translation *t, enum x86_alu alu, const struct operand *y)
{
    if (y->constant)
        change64_i(t, alu, t->op->r1, y->i);
    else if (y->in_cpu)
        change64_m(t, alu, t->op->r1, y->gr);
    else
        change64(t, alu, t->op->r1, y->host);
}

unsigned operand_with_word(struct translation *t, enum x86_alu alu, unsigned gr, const struct operand *y)
{
    unsigned to = RCX;
    if (!y->constant && y->host == RCX && alu != ALU_SUB && !(gr == t->op->r1 && halved(t, gr))) {
        x86_alu(&t->x, false, alu, RCX, read32(t, gr, RAX));
    } else {
        to = word_in_place(t, t->op->r1, gr);
        operand_with(t, false, alu, to, y);
    }
    return to;
}

void operand_with(struct translation *t, bool w, enum x86_alu alu, unsigned to, const struct operand *y)
{
    if (y->constant)
        x86_alu_i(&t->x, w, alu, to, y->i);
    else if (y->in_cpu)
        x86_alu_m(&t->x, w, alu, to, CPU, GR_AT(y->gr));
    else
        x86_alu(&t->x, w, alu, to, y->host);
}
