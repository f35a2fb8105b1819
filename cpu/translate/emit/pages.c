/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage by the CPU's translation context, looked into inline.

   A page is expected in that entry of the context in which the same place of the program found its page last: so the
   host address follows from nothing that the program computes, and what does is only compared. Where the entry is
   wrong the right one is looked up behind the rest and expected from then on. Entries say themselves what they are
   for, so whoever changes them knows nothing of this. Each place has one in each context, as programs and their
   supervisor come back to theirs. What goes from page to page all the time is better looked for each time, where no
   branch is foretold wrongly: see cpu/translate/places.c. The context is the host's GS segment, where programs may
   say what that is: nobody else uses it, and an access needs no load of the context's address first. */
#include "cpu/translate/emit/internal.h"
#include "cpu/storage/access.h"

static int32_t tag(bool store)
{
    return (int32_t)(store ? offsetof(struct tlb_entry, write) : offsetof(struct tlb_entry, read));
}

/* Not equal yet: low-address protection is not for what is not in the first bytes of its page (see tlb_above_low()). */
static void above_low_emit(struct x86 *x)
{
    x86_jcc(x, IF_E, x->at);
    uint8_t *const equal = x->at;
    x86_alu_i(x, true, ALU_OR, RDX, TLB_LOW);
    x86_alu_m(x, true, ALU_CMP, RDX, RCX, tag(true));
    x86_jcc(x, IF_NE, x->at);
    uint8_t *const other = x->at;
    x86_mov(x, false, RDX, RAX);
    x86_alu_i(x, false, ALU_AND, RDX, (int32_t)(PAGE_SIZE_Z - TLB_LOW));
    x86_alu_i(x, false, ALU_CMP, RDX, TLB_LOW);
    x86_alu(x, false, ALU_SBB, RDX, RDX); /* zero: not below */
    if (x->full)
        return;
    x86_patch(equal, x->at);
    x86_patch(other, x->at);
}

/* RCX becomes the entry in which the context has the page of RAX, if any, in bytes from the context on. */
static void page_entry_emit(struct x86 *x)
{
    _Static_assert(sizeof(struct tlb_entry) == 32 && offsetof(struct tlb, entry) == 0 && PAGE_BITS == 12,
                   "an entry is found by a shift and a mask");
    _Static_assert(TLB_ENTRIES <= 1u << (32 - PAGE_BITS), "its number is in the word of the address");
    x86_mov(x, false, RCX, RAX);
    x86_shift_i(x, false, SHIFT_SHR, RCX, PAGE_BITS - 5);
    x86_alu_i(x, false, ALU_AND, RCX, (TLB_ENTRIES - 1) * 32);
}

/* Who asked is noted when its turn has come, and from then on nobody, until cpu->looks is set anew. */
static void note_look(struct x86 *x)
{
    x86_alu_mi(x, false, ALU_SUB, CPU, CPU_AT(looks), 1);
    x86_jcc(x, IF_NS, x->at);
    uint8_t *const not_now = x->at;
    x86_load(x, true, RCX, RSP, 0);
    x86_store(x, true, RCX, CPU, CPU_AT(looked));
    x86_store_i(x, false, CPU, CPU_AT(looks), INT32_MAX);
    if (!x->full)
        x86_patch(not_now, x->at);
}

void look_emit(struct x86 *x, bool store)
{
    note_look(x);
    page_entry_emit(x);
    x86_alu_m(x, true, ALU_ADD, RCX, CPU, CPU_AT(tlb));
    x86_alu_i(x, true, ALU_AND, RDX, -(int32_t)PAGE_SIZE_Z);
    x86_alu_m(x, true, ALU_CMP, RDX, RCX, tag(store));
    if (store)
        above_low_emit(x);
    x86_ret(x);
}

/* For tests: every n-th access is taken to miss. */
static bool forced_miss(struct translator *r) { return r->force.miss && ++r->accesses % r->force.miss == 0; }

/* RDX becomes what equals an entry's tag when all bytes from RAX on are in its page: for lengths that are powers of two
   where they are on such a boundary, for others where they do not end at the very beginning of a page. */
static void emit_page(struct translation *t, struct elsewhere *e, unsigned length)
{
    struct x86 *x = &t->x;
    unsigned power = 1;
    while (power < length)
        power *= 2;
    if (length == power && length <= 8) {
        x86_mov(x, true, RDX, RAX);
        x86_alu_i(x, true, ALU_AND, RDX, -(int32_t)PAGE_SIZE_Z | ((int32_t)length - 1));
        return;
    }
    x86_lea(x, RDX, RAX, (int32_t)length - 1);
    x86_test_i(x, false, RDX, (int32_t)(PAGE_SIZE_Z - power));
    x86_jcc(x, IF_E, x->at);
    e->from[1] = x->at;
    x86_alu_i(x, true, ALU_AND, RDX, -(int32_t)PAGE_SIZE_Z);
}

static int32_t expected_at(uint16_t place)
{
    return (int32_t)(offsetof(struct tlb, expected) + place * sizeof(struct tlb_entry *));
}

void context_emit(const struct translator *r, struct x86 *x, unsigned scratch)
{
    if (!r->segment)
        return;
    x86_rdgsbase(x, scratch);
    x86_alu_m(x, true, ALU_CMP, scratch, CPU, CPU_AT(tlb));
    x86_jcc(x, IF_E, x->at);
    uint8_t *const same = x->at;
    x86_load(x, true, scratch, CPU, CPU_AT(tlb));
    x86_wrgsbase(x, scratch);
    if (!x->full)
        x86_patch(same, x->at);
}

/* Is the entry in RCX told from the context on? */
static bool in_segment(const struct translation *t, const struct elsewhere *e)
{
    return e->wanders && t->translator->segment;
}

/* RCX becomes the entry that is expected, or the one where the page is looked for. */
static struct elsewhere *expect(struct translation *t, unsigned length, bool store)
{
    struct x86 *x = &t->x;
    struct elsewhere *e = &t->elsewhere[t->elsewhere_count++];
    *e = (struct elsewhere){.length = (uint16_t)length, .store = store, .number = (uint8_t)t->number};
    e->wanders = t->wanders || *wanders_at(t->translator, t->block, block_op(t->block, t->number)) != 0;
    e->miss = forced_miss(t->translator);
    if (e->wanders) {
        page_entry_emit(x);
        if (!in_segment(t, e))
            x86_alu_m(x, true, ALU_ADD, RCX, CPU, CPU_AT(tlb));
        return e;
    }
    e->place = t->translator->places_used++ % TLB_PLACES;
    if (t->translator->segment) {
        x86_load_gs(x, RCX, expected_at(e->place));
    } else {
        x86_load(x, true, RCX, CPU, CPU_AT(tlb));
        x86_load(x, true, RCX, RCX, expected_at(e->place));
    }
    return e;
}

/* Is it that of the page in RDX? */
static void compare(struct translation *t, struct elsewhere *e)
{
    if (e->miss)
        x86_alu(&t->x, true, ALU_CMP, CPU, RSP); /* never equal */
    else if (in_segment(t, e))
        x86_alu_gs(&t->x, ALU_CMP, RDX, RCX, tag(e->store));
    else
        x86_alu_m(&t->x, true, ALU_CMP, RDX, RCX, tag(e->store));
    x86_jcc(&t->x, IF_NE, t->x.at);
    e->from[0] = e->to = t->x.at;
}

static void to_host(struct translation *t, const struct elsewhere *e)
{
    const int32_t host = (int32_t)offsetof(struct tlb_entry, host);
    if (in_segment(t, e))
        x86_alu_gs(&t->x, ALU_ADD, RAX, RCX, host);
    else
        x86_alu_m(&t->x, true, ALU_ADD, RAX, RCX, host);
}

void probe_emit(struct translation *t, unsigned length, bool store)
{
    struct exit *const exit = exit_note(t);
    struct elsewhere *const e = expect(t, length, store);
    e->exit = exit;
    emit_page(t, e, length);
    compare(t, e);
    to_host(t, e);
}

void probe_share_emit(struct translation *t, const struct share *share)
{
    struct x86 *x = &t->x;
    const unsigned length = (unsigned)(share->high - share->low);
    struct elsewhere *const e = expect(t, length, share->store);
    x86_mov(x, true, RDX, RAX);
    x86_alu_i(x, true, ALU_AND, RDX, -(int32_t)PAGE_SIZE_Z);
    compare(t, e);
    x86_alu(x, false, ALU_XOR, RDX, RAX); /* where in the page it begins */
    x86_alu_i(x, false, ALU_CMP, RDX, (int32_t)(PAGE_SIZE_Z - length));
    x86_jcc(x, IF_A, x->at);
    e->from[1] = e->to = x->at;
    to_host(t, e);
}

void elsewhere_emit(struct translation *t)
{
    struct x86 *x = &t->x;
    const struct translator *r = t->translator;
    for (unsigned i = 0; i < t->elsewhere_count && !x->full; i++) {
        const struct elsewhere *e = &t->elsewhere[i];
        for (unsigned n = 0; n < 2 && e->from[n]; n++)
            x86_patch(e->from[n], x->at);
        place_note(t, block_op(t->block, e->number));
        x86_lea(x, RDX, RAX, (int32_t)e->length - 1);
        x86_call(x, code_write(r, e->store ? r->look_write : r->look_read));
        if (e->miss)
            x86_alu(x, true, ALU_CMP, CPU, RSP);
        if (e->exit) {
            x86_jcc(x, IF_NE, x->at);
            e->exit->from = x->at;
        } else {
            x86_jcc(x, IF_NE, t->apart_at[e->number]);
        }
        if (in_segment(t, e)) {
            x86_alu_m(x, true, ALU_SUB, RCX, CPU, CPU_AT(tlb));
        } else if (!e->wanders && r->segment) {
            x86_store_gs(x, RCX, expected_at(e->place));
        } else if (!e->wanders) {
            x86_load(x, true, RDX, CPU, CPU_AT(tlb));
            x86_store(x, true, RCX, RDX, expected_at(e->place));
        }
        x86_jmp(x, e->to);
    }
}

void crossing_emit(struct translation *t, const struct dis_insn *insn)
{
    struct x86 *x = &t->x;
    const struct op *op = &t->block->ops[t->block->tail]; /* its target is behind the instruction */
    const uint64_t page = BRANCH.target & PAGE_ADDRESS, slot = (page >> PAGE_BITS) % TLB_ENTRIES;
    const unsigned here = PAGE_SIZE_Z - t->op->offset;
    const int32_t entry = (int32_t)(offsetof(struct tlb, entry) + slot * sizeof(struct tlb_entry));
    const unsigned halves = (insn->length - here) / 2;
    uint16_t rest[2];
    memcpy(rest, insn->bytes + here, 2 * halves);
    x86_load(x, true, RAX, CPU, CPU_AT(fetch_tlb));
    x86_mov_i(x, RDX, page);
    x86_alu_m(x, true, ALU_CMP, RDX, RAX, entry + tag(false));
    exit_if(t, IF_NE);
    x86_movzx8_m(x, RCX, RAX, (int32_t)(offsetof(struct tlb, fetched) + slot / 8));
    x86_bt_i(x, false, RCX, slot % 8);
    exit_if(t, IF_AE);
    x86_alu_m(x, true, ALU_ADD, RDX, RAX, entry + (int32_t)offsetof(struct tlb_entry, host));
    for (unsigned i = 0; i < halves; i++) {
        x86_movzx16_m(x, RCX, RDX, (int32_t)(2 * i));
        x86_alu_i(x, false, ALU_CMP, RCX, rest[i]);
        exit_if(t, IF_NE);
    }
}
