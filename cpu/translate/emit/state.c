/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where general registers and the condition code are while a block is translated. */
#include "cpu/translate/emit/internal.h"

unsigned host_of(unsigned gr)
{
    static const uint8_t hosts[17] = {R8,      RSI, RBX, RBP, R12,     R13,     NOWHERE, NOWHERE, NOWHERE,
                                      NOWHERE, R10, R14, R9,  NOWHERE, NOWHERE, R15,     NOWHERE};
    return hosts[gr];
}

/* The left half comes back from struct cpu. Twice does no harm. */
static void join(struct translation *t, unsigned gr, unsigned scratch)
{
    x86_load(&t->x, false, scratch, CPU, GR_AT(gr) + 4);
    x86_shift_i(&t->x, true, SHIFT_SHL, scratch, 32);
    x86_alu(&t->x, true, ALU_OR, host_in(t, gr), scratch);
    t->split &= ~(1u << gr);
    t->flags = false;
}

static void touch(struct translation *t, unsigned gr)
{
    if (gr < 16 && t->uses[gr] < UINT8_MAX)
        t->uses[gr]++;
}

void written32(struct translation *t, unsigned gr)
{
    touch(t, gr);
    shares_end(t, gr);
    if (t->word_writes[gr] < UINT8_MAX)
        t->word_writes[gr]++;
    t->dirty |= (uint16_t)(1u << gr);
}

/* The left half is used, or goes. */
static void as_doubleword(struct translation *t, unsigned gr)
{
    touch(t, gr);
    if (gr < 16)
        t->doublewords |= (uint16_t)(1u << gr);
}

static bool moved_in(const struct translation *t, unsigned gr)
{
    return t->hosts[gr] != NOWHERE && host_of(gr) == NOWHERE;
}
static bool moved_out(const struct translation *t, unsigned gr)
{
    return t->hosts[gr] == NOWHERE && host_of(gr) != NOWHERE;
}

static void registers_move(struct translation *t)
{
    for (unsigned gr = 0; gr < 16; gr++)
        if (moved_out(t, gr))
            x86_store(&t->x, true, host_of(gr), CPU, GR_AT(gr));
    for (unsigned gr = 0; gr < 16; gr++)
        if (moved_in(t, gr))
            x86_load(&t->x, !halved(t, gr), t->hosts[gr], CPU, GR_AT(gr));
}

void registers_halve(struct translation *t)
{
    if (t->split & MOVED)
        registers_move(t);
    for (unsigned gr = 0; gr < 16; gr++)
        if (halved(t, gr) && !(t->split & MOVED && moved_in(t, gr))) {
            x86_store(&t->x, true, host_in(t, gr), CPU, GR_AT(gr));
            x86_mov(&t->x, false, host_in(t, gr), host_in(t, gr));
        }
}

/* A word that comes from struct cpu goes back as one: its left half has stayed there. */
void make_whole(struct translation *t)
{
    const bool moved = t->split & MOVED;
    for (unsigned gr = 0; gr < 16; gr++)
        if (moved && moved_in(t, gr))
            x86_store(&t->x, !halved(t, gr), t->hosts[gr], CPU, GR_AT(gr));
        else if (halved(t, gr))
            join(t, gr, RAX);
    for (unsigned gr = 0; gr < 16 && moved; gr++)
        if (moved_out(t, gr))
            x86_load(&t->x, true, host_of(gr), CPU, GR_AT(gr));
    t->split = 0;
}

unsigned read32(struct translation *t, unsigned gr, unsigned scratch)
{
    touch(t, gr);
    if (host_in(t, gr) != NOWHERE)
        return host_in(t, gr);
    if (gr == 16)
        x86_mov_i(&t->x, scratch, 0);
    else
        copy32(t, scratch, gr);
    return scratch;
}

unsigned word_in_place(struct translation *t, unsigned gr, unsigned from)
{
    if (gr == from && halved(t, gr))
        return host_in(t, gr);
    copy32(t, RAX, from);
    return RAX;
}

unsigned read64(struct translation *t, unsigned gr, unsigned scratch)
{
    as_doubleword(t, gr);
    if (halved(t, gr))
        join(t, gr, scratch);
    if (host_in(t, gr) != NOWHERE)
        return host_in(t, gr);
    copy64(t, scratch, gr);
    return scratch;
}

void copy64(struct translation *t, unsigned to, unsigned gr)
{
    as_doubleword(t, gr);
    if (halved(t, gr))
        join(t, gr, to);
    if (gr == 16)
        x86_mov_i(&t->x, to, 0);
    else if (host_in(t, gr) == NOWHERE)
        x86_load(&t->x, true, to, CPU, GR_AT(gr));
    else if (host_in(t, gr) != to)
        x86_mov(&t->x, true, to, host_in(t, gr));
}

void copy32(struct translation *t, unsigned to, unsigned gr)
{
    touch(t, gr);
    if (host_in(t, gr) == NOWHERE)
        x86_load(&t->x, false, to, CPU, GR_AT(gr));
    else
        x86_mov(&t->x, false, to, host_in(t, gr));
}

void copy32_signed(struct translation *t, unsigned to, unsigned gr)
{
    touch(t, gr);
    if (host_in(t, gr) == NOWHERE)
        x86_movsxd_m(&t->x, to, CPU, GR_AT(gr));
    else
        x86_movsxd(&t->x, to, host_in(t, gr));
}

void written(struct translation *t, unsigned gr)
{
    as_doubleword(t, gr);
    shares_end(t, gr);
    t->split &= ~(1u << gr);
    t->dirty |= (uint16_t)(1u << gr);
}

void write64(struct translation *t, unsigned gr, unsigned from)
{
    written(t, gr);
    if (host_in(t, gr) == NOWHERE)
        x86_store(&t->x, true, from, CPU, GR_AT(gr));
    else if (host_in(t, gr) != from)
        x86_mov(&t->x, true, host_in(t, gr), from);
}

void write32(struct translation *t, unsigned gr, unsigned from)
{
    const unsigned host = host_in(t, gr);
    written32(t, gr);
    if (halved(t, gr)) {
        if (from != host)
            x86_mov(&t->x, false, host, from);
    } else if (host == NOWHERE) {
        x86_store(&t->x, false, from, CPU, GR_AT(gr));
    } else { /* the difference of the right halves, exclusive-ored in */
        x86_alu(&t->x, false, ALU_XOR, from, host);
        x86_alu(&t->x, true, ALU_XOR, host, from);
    }
}

void change64(struct translation *t, enum x86_alu alu, unsigned gr, unsigned from)
{
    if (halved(t, gr))
        join(t, gr, from == RAX ? RCX : RAX);
    written(t, gr);
    if (host_in(t, gr) == NOWHERE)
        x86_alu_to_m(&t->x, true, alu, CPU, GR_AT(gr), from);
    else
        x86_alu(&t->x, true, alu, host_in(t, gr), from);
}

void change64_m(struct translation *t, enum x86_alu alu, unsigned gr, unsigned from)
{
    if (host_in(t, gr) == NOWHERE) {
        x86_load(&t->x, true, RCX, CPU, GR_AT(from));
        change64(t, alu, gr, RCX);
        return;
    }
    if (halved(t, gr))
        join(t, gr, RAX);
    written(t, gr);
    x86_alu_m(&t->x, true, alu, host_in(t, gr), CPU, GR_AT(from));
}

void read_in_place(struct translation *t, unsigned gr, bool whole)
{
    if (whole)
        as_doubleword(t, gr);
    else
        touch(t, gr);
}

void change32(struct translation *t, enum x86_alu alu, unsigned gr, unsigned from)
{
    written32(t, gr);
    if (host_in(t, gr) == NOWHERE)
        x86_alu_to_m(&t->x, false, alu, CPU, GR_AT(gr), from);
    else
        x86_alu(&t->x, !halved(t, gr), alu, host_in(t, gr), from);
}

void change64_i(struct translation *t, enum x86_alu alu, unsigned gr, int32_t value)
{
    if (halved(t, gr))
        join(t, gr, RAX);
    written(t, gr);
    if (host_in(t, gr) == NOWHERE)
        x86_alu_mi(&t->x, true, alu, CPU, GR_AT(gr), value);
    else
        x86_alu_i(&t->x, true, alu, host_in(t, gr), value);
}

/* ---- the condition code ----------------------------------------------------------------------------------------- */

struct value value_of(enum place place, unsigned gr)
{
    return (struct value){.place = place, .reg = (uint8_t)gr, .host = NOWHERE};
}

struct value value_constant(int64_t constant)
{
    return (struct value){.place = CONSTANT, .reg = NOWHERE, .host = NOWHERE, .constant = constant};
}

struct value value_host(unsigned host)
{
    return (struct value){.place = IN_SLOT, .reg = NOWHERE, .host = (uint8_t)host};
}

bool value_comes_back(unsigned gr, const struct value *added)
{
    return gr < 16 &&
           (added->place == CONSTANT ? added->constant == (int32_t)added->constant && added->constant != INT32_MIN
                                     : added->place == REGISTER && added->reg < 16 && added->reg != gr);
}

struct value value_before(unsigned gr, const struct value *added, bool subtracted)
{
    struct value v = value_of(REGISTER_LESS, gr);
    v.less = added->place == CONSTANT ? NOWHERE : added->reg;
    v.constant = added->constant;
    v.plus = subtracted;
    return v;
}

/* LEA keeps the flags; without a host register for one of its operands they are lost. */
static void load_before(struct translation *t, const struct value *v, unsigned to)
{
    struct x86 *x = &t->x;
    const unsigned host = host_in(t, v->reg);
    if (v->less == NOWHERE) {
        x86_lea(x, to, read64(t, v->reg, to), (int32_t)(v->plus ? v->constant : -v->constant));
        return;
    }
    copy64(t, to, v->less);
    if (host == NOWHERE) {
        if (!v->plus)
            x86_neg(x, true, to);
        x86_alu_m(x, true, ALU_ADD, to, CPU, GR_AT(v->reg));
        t->flags = false;
        return;
    }
    if (!v->plus)
        x86_not(x, true, to);
    x86_lea_x(x, to, to, read64(t, v->reg, NOWHERE), v->plus ? 0 : 1);
}

void value_load(struct translation *t, const struct value *v, int32_t slot, unsigned to)
{
    switch (v->place) {
    case REGISTER_LESS:
        load_before(t, v, to);
        break;
    case CONSTANT:
        x86_mov_i(&t->x, to, (uint64_t)v->constant);
        break;
    case REGISTER:
        copy64(t, to, v->reg);
        break;
    case WORD_SIGNED:
        copy32_signed(t, to, v->reg);
        break;
    case WORD_LOGICAL:
        copy32(t, to, v->reg);
        break;
    default:
        if (v->host == NOWHERE)
            x86_load(&t->x, true, to, CPU, slot);
        else if (v->host != to)
            x86_mov(&t->x, true, to, v->host);
        break;
    }
}

static void store_value(struct translation *t, const struct value *v, int32_t slot)
{
    unsigned from = RAX;
    if (v->place == CONSTANT && v->constant == (int32_t)v->constant) {
        x86_store_i(&t->x, true, CPU, slot, (int32_t)v->constant);
        return;
    }
    if (v->place == IN_SLOT)
        from = v->host;
    else if (v->place == REGISTER && host_in(t, v->reg) != NOWHERE)
        from = read64(t, v->reg, RAX);
    else
        value_load(t, v, slot, RAX);
    x86_store(&t->x, true, from, CPU, slot);
}

static bool is_of(const struct value *v, unsigned gr)
{
    return v->place >= REGISTER && (v->reg == gr || (v->place == REGISTER_LESS && v->less == gr));
}

static void spare(struct translation *t, struct value *v, int32_t slot, unsigned gr)
{
    if (!is_of(v, gr))
        return;
    if (t->live)
        store_value(t, v, slot);
    *v = value_host(NOWHERE);
}

void cc_spare(struct translation *t, unsigned gr)
{
    spare(t, &t->cc.a, CPU_AT(cc_a), gr);
    spare(t, &t->cc.b, CPU_AT(cc_b), gr);
}

static void set(struct translation *t, struct value *to, struct value v, int32_t slot, unsigned changed)
{
    if (v.place == IN_SLOT && t->live && v.host != NOWHERE)
        store_value(t, &v, slot);
    *to = v;
    if (changed != NOWHERE)
        spare(t, to, slot, changed);
}

void cc_set(struct translation *t, struct value a, struct value b, unsigned changed)
{
    set(t, &t->cc.a, a, CPU_AT(cc_a), changed);
    set(t, &t->cc.b, b, CPU_AT(cc_b), changed);
}

void cc_store(struct translation *t, const struct cc *cc, unsigned kind)
{
    if (cc->a.place != IN_SLOT)
        store_value(t, &cc->a, CPU_AT(cc_a));
    if (cc->b.place != IN_SLOT)
        store_value(t, &cc->b, CPU_AT(cc_b));
    if (kind != KIND_DYNAMIC)
        x86_store_i(&t->x, true, CPU, CPU_AT(cc_kind), (int32_t)kind);
}
