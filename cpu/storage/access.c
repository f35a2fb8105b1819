/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access to storage by logical address: translation, protection, reference and change bits, and the slow paths of
   access.h. PoP chapter 3 (SA22-7832-13). */
#include "cpu/storage/access.h"
#include "cpu/state/per.h"
#include "cpu/storage/code.h"
#include "cpu/storage/dat.h"
#include "cpu/storage/lines.h"
#include "cpu/storage/tables.h"
#include "cpu/storage/tlb.h"
#include "cpu/storage/watch.h"

/* TEID, real 168. */
#define TEID_STORE   BIT64(53)
#define TEID_FETCH   BIT64(52)
#define TEID_DAT     BIT64(61) /* protection: by DAT or access list, and the address is meaningful */
#define TEID_LIST    BIT64(60) /* with TEID_DAT: access-list-controlled protection; alone: key-controlled */
#define TEID_EXECUTE BIT64(56) /* with TEID_DAT: instruction-execution protection; alone: low-address */

/* Why a protection exception is recognized. */
enum protection { NOT_PROTECTED, BY_KEY, BY_LOW_ADDRESS, BY_TABLE, BY_LIST, BY_EXECUTION };

/* One page of an access on its way. */
struct page {
    uint64_t address, absolute;
    struct dat_space from;
    struct dat_result dat;
    bool translated; /* DAT took part */
};

/* An exception of an access: what the interruption will store at real 160 and 168. */
static int exception(struct cpu *cpu, const struct cpu_access *a, const struct page *p, int code)
{
    cpu->exception_access_id = p->from.identification == AS_ACCESS_REGISTER ? a->ar : 0;
    cpu->operand_access_id = 0;
    cpu->teid = (p->address & PAGE_ADDRESS) | p->from.identification;
    if (cpu_facility(cpu->sys, FACILITY_FETCH_STORE_INDICATION))
        cpu->teid |= a->kind & CPU_STORE ? TEID_STORE : TEID_FETCH;
    return code;
}

static int protection(struct cpu *cpu, const struct cpu_access *a, const struct page *p, enum protection why)
{
    static const uint64_t of_teid[] = {
        [BY_TABLE] = TEID_DAT, [BY_LIST] = TEID_DAT | TEID_LIST, [BY_EXECUTION] = TEID_DAT | TEID_EXECUTE,
        [BY_KEY] = TEID_LIST,  [BY_LOW_ADDRESS] = TEID_EXECUTE,
    };
    (void)exception(cpu, a, p, PIC_PROTECTION);
    if ((of_teid[why] & TEID_DAT) || cpu_facility(cpu->sys, FACILITY_ESOP2))
        cpu->teid |= of_teid[why];
    if (!p->translated)
        cpu->exception_access_id = 0;
    return PIC_PROTECTION;
}

static bool low_address_protected(const struct cpu *cpu, const struct cpu_access *a, const struct page *p)
{
    if (!(cpu->cr[0] & CR0_LOW_ADDRESS_PROTECTION) || a->no_low_protection || a->space == CPU_SPACE_ABSOLUTE)
        return false;
    if (p->translated && (p->from.asce & ASCE_PRIVATE))
        return false;
    return (p->address & ~UINT64_C(0x11ff)) == 0; /* 0-511 and 4096-4607 */
}

/* Key-controlled protection of the block at p->absolute. */
static bool key_allows(const struct cpu *cpu, const struct cpu_access *a, const struct page *p)
{
    const uint8_t block_key = p->dat.acc_valid ? p->dat.acc : storage_key(&cpu->sys->storage, p->absolute);
    unsigned acc = block_key >> 4;
    if (a->key == 0 || acc == a->key)
        return true;
    if (acc == 9 && (cpu->cr[0] & CR0_STORAGE_PROTECTION_OVERRIDE))
        return true;
    if (a->kind & CPU_STORE)
        return false;
    if (!(block_key & KEY_F))
        return true;
    return (cpu->cr[0] & CR0_FETCH_PROTECTION_OVERRIDE) && p->address < 2048 &&
           !(p->translated && (p->from.asce & ASCE_PRIVATE));
}

/* Protection by the access list and the tables: known once the page is translated, wherever its frame is. */
static enum protection table_protection(const struct cpu_access *a, const struct page *p)
{
    if ((a->kind & CPU_STORE) && p->from.fetch_only)
        return BY_LIST;
    if ((a->kind & CPU_STORE) && p->dat.protect)
        return BY_TABLE;
    return a->kind == CPU_INSTRUCTION && p->dat.no_execute ? BY_EXECUTION : NOT_PROTECTED;
}

int cpu_low_address_exception(struct cpu *cpu, uint64_t real)
{
    const struct cpu_access access = {.kind = CPU_STORE};
    const struct page page = {.address = real};
    if (!(cpu->cr[0] & CR0_LOW_ADDRESS_PROTECTION) || real & ~UINT64_C(0x11ff))
        return 0;
    return protection(cpu, &access, &page, BY_LOW_ADDRESS);
}

static struct cpu_access current(const struct cpu *cpu, uint64_t address, unsigned ar, unsigned kind)
{
    return (struct cpu_access){.address = address,
                               .space = CPU_SPACE_CURRENT,
                               .ar = (uint8_t)ar,
                               .key = (uint8_t)cpu_key(cpu),
                               .kind = (uint8_t)kind};
}

/* Translate and check one page of an access; p->absolute is that of p->address. Sets nothing but what an exception
 * stores. */
static int resolve(struct cpu *cpu, const struct cpu_access *a, struct page *p)
{
    enum cpu_space space = a->space;
    p->from = (struct dat_space){0};
    p->translated = space != CPU_SPACE_REAL && space != CPU_SPACE_ABSOLUTE;
    if (space == CPU_SPACE_CURRENT && !(cpu->psw.mask & PSW_DAT)) {
        p->translated = false;
        space = CPU_SPACE_REAL;
    }
    if (space == CPU_SPACE_CURRENT && a->kind == CPU_INSTRUCTION)
        space = field64(cpu->psw.mask, 16, 17) == AS_HOME ? CPU_SPACE_HOME : CPU_SPACE_PRIMARY;
    if (p->translated) {
        int code = dat_space(cpu, space, a->ar, &p->from);
        if (code)
            return exception(cpu, a, p, code);
        if ((a->kind & CPU_STORE) && low_address_protected(cpu, a, p))
            return protection(cpu, a, p, BY_LOW_ADDRESS);
        code = dat_translate(cpu, p->from.asce, p->address, &p->dat, NULL, NULL);
        if (code)
            return exception(cpu, a, p, code);
        p->absolute = p->dat.absolute;
    } else {
        if ((a->kind & CPU_STORE) && low_address_protected(cpu, a, p))
            return protection(cpu, a, p, BY_LOW_ADDRESS);
        p->dat = (struct dat_result){0};
        p->absolute = space == CPU_SPACE_ABSOLUTE ? p->address : cpu_real_to_absolute(cpu, p->address);
    }
    /* PoP chapter 6, priority of access exceptions: these before the frame is looked at, its key after that. */
    enum protection why = table_protection(a, p);
    if (UNLIKELY(why != NOT_PROTECTED))
        return protection(cpu, a, p, why);
    if (!storage_has(&cpu->sys->storage, p->absolute, 1))
        return exception(cpu, a, p, PIC_ADDRESSING);
    return key_allows(cpu, a, p) ? 0 : protection(cpu, a, p, BY_KEY);
}

/* Reference and change bits of a block that was accessed. */
static void note_reference(struct cpu *cpu, uint64_t absolute, unsigned kind)
{
    uint8_t *key = &cpu->sys->storage.keys[absolute >> PAGE_BITS];
    uint8_t set = kind & CPU_STORE ? KEY_R | KEY_C : KEY_R;
    if ((storage_key(&cpu->sys->storage, absolute) & set) != set)
        __atomic_fetch_or(key, set, __ATOMIC_RELAXED);
    if (kind & CPU_STORE) /* translation contexts let stores through from now on */
        storage_note_change(&cpu->sys->storage, absolute);
}

/* There is a TLB entry for a block: seen by others before the access is carried out. */
static void note_slot(const struct cpu *cpu, uint64_t *slots, uint64_t bit)
{
    if (cpu_alone(cpu->sys))
        *slots |= bit;
    else
        __atomic_fetch_or(slots, bit, __ATOMIC_SEQ_CST);
}

/* Enter a page that was just accessed by the current space and key into the context for such accesses. */
static void enter(struct cpu *cpu, const struct cpu_access *a, const struct page *p)
{
    const bool instruction = a->kind == CPU_INSTRUCTION;
    struct tlb *tlb = instruction ? cpu->fetch_tlb : cpu->tlb;
    uint64_t page = p->address & PAGE_ADDRESS, frame = p->absolute & PAGE_ADDRESS;
    struct storage *s = &cpu->sys->storage;
    if (a->space != CPU_SPACE_CURRENT || a->key != cpu_key(cpu) || tlb == &cpu->tlb_pool->empty)
        return;
    if (!tables_used(cpu, tlb, &p->dat, instruction))
        return;
    struct tlb_entry *e = tlb_slot(tlb, page);
    const unsigned slot = (unsigned)(e - tlb->entry);
    const uint64_t page_entry = p->dat.paged ? p->dat.entries[p->dat.count - 1] : TLB_NONE;
    const bool watched = UNLIKELY(cpu->sys->watches) && cpu_watch_page(cpu, page, frame);
    bool same = (e->read == page || e->write == page || e->write == (page | TLB_LOW)) && e->absolute == frame &&
                tlb->page_entry[slot] == page_entry;
    tlb->page_entry[slot] = page_entry;
    if (!(tlb->groups & tlb_slot_bit(slot)))
        tlb_begin_group(tlb, tlb_slot_bit(slot));
    uint64_t *fetched = &tlb->fetched[slot / 64];
    if (!same) {
        *e = (struct tlb_entry){.read = TLB_NONE, .write = TLB_NONE, .absolute = frame};
        *fetched &= ~(UINT64_C(1) << slot % 64);
    }
    *fetched |= (uint64_t)instruction << slot % 64;
    e->host = (uintptr_t)s->bytes + frame - page;
    if (!(__atomic_load_n(&s->slots[frame >> PAGE_BITS], __ATOMIC_RELAXED) & tlb_slot_bit(slot)))
        note_slot(cpu, &s->slots[frame >> PAGE_BITS], tlb_slot_bit(slot));
    if (!(a->kind & CPU_STORE) || a->kind == CPU_UPDATE) {
        /* Fetch protection is a matter of the block, but the override and the low addresses are not. */
        if ((page || !(cpu->cr[0] & CR0_FETCH_PROTECTION_OVERRIDE)) && !watched)
            e->read = page;
    }
    if ((a->kind & CPU_STORE) && !__atomic_load_n(&s->code_lines[frame >> PAGE_BITS], __ATOMIC_RELAXED) &&
        !(__atomic_load_n(&s->page_flags[frame >> PAGE_BITS], __ATOMIC_RELAXED) & (PAGE_TABLES | PAGE_PROFILED)) &&
        !per_watches_stores(cpu) && !watched) {
        note_slot(cpu, &s->write_slots[frame >> PAGE_BITS], tlb_slot_bit(slot));
        /* whoever decodes code marks it and then looks at these bits */
        if (!cpu_alone(cpu->sys) && __atomic_load_n(&s->code_lines[frame >> PAGE_BITS], __ATOMIC_SEQ_CST))
            return;
        e->write = (cpu->cr[0] & CR0_LOW_ADDRESS_PROTECTION) && page <= 0x1000 ? page | TLB_LOW : page;
    }
}

/* A space that is not the current one: one of its programs may have accessed the page before, as their supervisor's
   moves between spaces mostly find. */
static bool found(struct cpu *cpu, const struct cpu_access *a, uint64_t address, uint64_t *absolute)
{
    struct dat_space from = {0};
    const uint64_t page = address & PAGE_ADDRESS;
    if (a->kind == CPU_INSTRUCTION || dat_space(cpu, a->space, a->ar, &from))
        return false;
    const struct tlb *tlb = tlb_known_space(cpu, from.asce, a->key);
    const struct tlb_entry *e = tlb ? &tlb->entry[(address >> PAGE_BITS) % TLB_ENTRIES] : NULL;
    if (!e || (a->kind != CPU_STORE && e->read != page) || (a->kind & CPU_STORE && e->write != page))
        return false;
    *absolute = e->absolute | (address & (PAGE_SIZE_Z - 1));
    return true;
}

/* Resolve one page, note reference, enter it. */
static int touch(struct cpu *cpu, const struct cpu_access *a, uint64_t address, uint64_t *absolute)
{
    struct page p;
    if ((a->space == CPU_SPACE_PRIMARY || a->space == CPU_SPACE_SECONDARY || a->space == CPU_SPACE_HOME) &&
        found(cpu, a, address, absolute))
        return 0;
    p.address = address;
    int code = resolve(cpu, a, &p);
    if (code)
        return code;
    *absolute = p.absolute;
    if (a->test)
        return 0;
    note_reference(cpu, p.absolute, a->kind);
    enter(cpu, a, &p);
    return 0;
}

/* The second page of a range of `length` bytes: its address, or false when there is none. */
static bool crosses(const struct cpu *cpu, const struct cpu_access *a, unsigned length, uint64_t *second)
{
    if (length <= cpu_page_left(a->address))
        return false;
    *second = (a->address & PAGE_ADDRESS) + PAGE_SIZE_Z;
    if (!a->wide)
        *second &= cpu->address_mask;
    return true;
}

/* Resolve a range of 1-4096 bytes: absolute addresses of its one or two parts; parts[1].length is 0 with one. All
   exceptions come before any effect but reference bits. */
struct part {
    uint64_t absolute;
    unsigned length;
};

static int resolve_range(struct cpu *cpu, const struct cpu_access *a, unsigned length, struct part parts[2])
{
    uint64_t second;
    if (!crosses(cpu, a, length, &second)) {
        parts[0].length = length;
        parts[1].length = 0;
        return touch(cpu, a, a->address, &parts[0].absolute);
    }
    struct page p;
    p.address = a->address;
    int code = resolve(cpu, a, &p);
    if (!code) {
        p.address = second;
        code = resolve(cpu, a, &p);
    }
    if (code)
        return code;
    parts[0].length = cpu_page_left(a->address);
    parts[1].length = length - parts[0].length;
    code = touch(cpu, a, a->address, &parts[0].absolute);
    if (!code)
        code = touch(cpu, a, second, &parts[1].absolute);
    return code;
}

/* The parts are about to be accessed: a transaction is told. */
static int transact(struct cpu *cpu, const struct part parts[2], bool store)
{
    if (LIKELY(!cpu->tx_depth))
        return 0;
    int code = lines_access(cpu, parts[0].absolute, parts[0].length, store);
    return code || !parts[1].length ? code : lines_access(cpu, parts[1].absolute, parts[1].length, store);
}

/* An access is carried out that a debugger may want to know of. */
static void note_watched(struct cpu *cpu, const struct cpu_access *a, const struct part parts[2])
{
    if (LIKELY(!cpu->sys->watches))
        return;
    cpu_watch_note(cpu, a, parts[0].length + parts[1].length);
    for (unsigned i = 0; i < 2 && !a->test; i++)
        if (parts[i].length)
            cpu_watch_part(cpu, parts[i].absolute, parts[i].length, a->kind);
}

static int fetch_range(struct cpu *cpu, const struct cpu_access *a, void *to, unsigned length)
{
    struct part parts[2];
    int code = resolve_range(cpu, a, length, parts);
    if (!code)
        code = transact(cpu, parts, false);
    if (code)
        return code;
    const uint8_t *bytes = cpu->sys->storage.bytes;
    memcpy(to, bytes + parts[0].absolute, parts[0].length);
    if (parts[1].length)
        memcpy((uint8_t *)to + parts[0].length, bytes + parts[1].absolute, parts[1].length);
    note_watched(cpu, a, parts);
    return 0;
}

/* A store was carried out that PER may want to know of. */
static void note_per(struct cpu *cpu, const struct cpu_access *a, unsigned length)
{
    struct dat_space from = {0};
    if (LIKELY(a->no_per || !per_watches_stores(cpu)))
        return;
    if (a->space == CPU_SPACE_REAL) {
        per_store_real(cpu);
        return;
    }
    bool dat = a->space == CPU_SPACE_CURRENT ? (cpu->psw.mask & PSW_DAT) != 0 : a->space != CPU_SPACE_ABSOLUTE;
    uint8_t access_id = cpu->exception_access_id;
    if (dat && dat_space(cpu, a->space, a->ar, &from))
        cpu->exception_access_id = access_id; /* cannot be: the store was allowed */
    per_store(cpu, &(struct per_store){.address = a->address,
                                       .length = length,
                                       .dat = dat,
                                       .asce = from.asce,
                                       .identification = from.identification,
                                       .ar = a->ar});
}

static int store_range(struct cpu *cpu, const struct cpu_access *a, const void *from, unsigned length)
{
    struct part parts[2];
    int code = resolve_range(cpu, a, length, parts);
    if (!code)
        code = transact(cpu, parts, true);
    if (code)
        return code;
    uint8_t *bytes = cpu->sys->storage.bytes;
    memcpy(bytes + parts[0].absolute, from, parts[0].length);
    if (parts[1].length)
        memcpy(bytes + parts[1].absolute, (const uint8_t *)from + parts[0].length, parts[1].length);
    for (unsigned i = 0; i < 2; i++)
        if (parts[i].length)
            cpu_code_accessed(cpu, parts[i].absolute, parts[i].length);
    note_per(cpu, a, length);
    note_watched(cpu, a, parts);
    return 0;
}

/* Short operands without a call or a string instruction of the host, which take longer to start than to do. */
static inline void copy(uint8_t *to, const uint8_t *from, unsigned n)
{
    uint64_t first, last;
    if (n > 16 || n < 4) {
        if (n > 16)
            memmove(to, from, n);
        else
            for (unsigned i = 0; i < n; i++)
                to[i] = from[i];
        return;
    }
    if (n >= 8) {
        memcpy(&first, from, 8);
        memcpy(&last, from + n - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + n - 8, &last, 8);
        return;
    }
    uint32_t left, right;
    memcpy(&left, from, 4);
    memcpy(&right, from + n - 4, 4);
    memcpy(to, &left, 4);
    memcpy(to + n - 4, &right, 4);
}

int cpu_fetch_slow(struct cpu *cpu, uint64_t address, unsigned ar, void *to, unsigned length)
{
    struct cpu_access a = current(cpu, address, ar, CPU_FETCH);
    return fetch_range(cpu, &a, to, length);
}

int cpu_store_slow(struct cpu *cpu, uint64_t address, unsigned ar, const void *from, unsigned length)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    if (tlb_above_low(e, address, length)) {
        copy((uint8_t *)(address + e->host), from, length);
        return 0;
    }
    struct cpu_access a = current(cpu, address, ar, CPU_STORE);
    return store_range(cpu, &a, from, length);
}

int cpu_fetch_bytes(struct cpu *cpu, uint64_t address, unsigned ar, void *to, unsigned length)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    if (LIKELY(e->read == (address & PAGE_ADDRESS) && length <= cpu_page_left(address))) {
        copy(to, (const uint8_t *)(address + e->host), length);
        return 0;
    }
    return cpu_fetch_slow(cpu, address, ar, to, length);
}

int cpu_store_bytes(struct cpu *cpu, uint64_t address, unsigned ar, const void *from, unsigned length)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    if (LIKELY(e->write == (address & PAGE_ADDRESS) && length <= cpu_page_left(address))) {
        copy((uint8_t *)(address + e->host), from, length);
        return 0;
    }
    return cpu_store_slow(cpu, address, ar, from, length);
}

int cpu_test(struct cpu *cpu, uint64_t address, unsigned ar, unsigned length, enum cpu_access_kind kind)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    const uint64_t page = address & PAGE_ADDRESS;
    if (LIKELY(kind != CPU_INSTRUCTION &&
               (!(kind & CPU_STORE) || e->write == page || tlb_above_low(e, address, length)) &&
               (kind == CPU_STORE || e->read == page) && length <= cpu_page_left(address)))
        return 0;
    struct cpu_access a = current(cpu, address, ar, kind);
    struct part parts[2];
    return resolve_range(cpu, &a, length, parts);
}

int cpu_page(struct cpu *cpu, uint64_t address, unsigned ar, unsigned length, enum cpu_access_kind kind, uint8_t **host)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    uint64_t page = address & PAGE_ADDRESS;
    if (LIKELY((kind == CPU_STORE || e->read == page) &&
               (!(kind & CPU_STORE) || e->write == page || tlb_above_low(e, address, length)) &&
               kind != CPU_INSTRUCTION)) {
        *host = (uint8_t *)(address + e->host);
        return 0;
    }
    struct cpu_access a = current(cpu, address, ar, kind);
    uint64_t absolute;
    int code = touch(cpu, &a, address, &absolute);
    if (code)
        return code;
    const struct part parts[2] = {{absolute, length}};
    code = transact(cpu, parts, kind & CPU_STORE);
    if (code)
        return code;
    *host = cpu->sys->storage.bytes + absolute;
    if (kind & CPU_STORE) {
        cpu_code_about_to_be_stored(cpu, absolute, length);
        note_per(cpu, &a, length);
    }
    note_watched(cpu, &a, parts);
    return 0;
}

int cpu_interlocked(struct cpu *cpu, uint64_t address, unsigned ar, unsigned n, void **host)
{
    uint8_t *bytes;
    int code = cpu_page(cpu, address, ar, n, CPU_UPDATE, &bytes);
    if (!code)
        *host = bytes;
    return code;
}

int cpu_translate(struct cpu *cpu, const struct cpu_access *access, uint64_t *absolute)
{
    return touch(cpu, access, access->address, absolute);
}

int cpu_fetch_as(struct cpu *cpu, const struct cpu_access *access, void *to, unsigned length)
{
    return fetch_range(cpu, access, to, length);
}

int cpu_store_as(struct cpu *cpu, const struct cpu_access *access, const void *from, unsigned length)
{
    return store_range(cpu, access, from, length);
}

int cpu_instruction_page(struct cpu *cpu, uint64_t ia, uint64_t *absolute)
{
    struct cpu_access a = current(cpu, ia, 0, CPU_INSTRUCTION);
    struct tlb *tlb = cpu->fetch_tlb;
    const struct tlb_entry *e = tlb_slot(tlb, ia);
    const unsigned slot = (unsigned)(e - tlb->entry);
    if (e->read == (ia & PAGE_ADDRESS) && (tlb->fetched[slot / 64] >> slot % 64 & 1 || !dat_no_execute(cpu))) {
        tlb->fetched[slot / 64] |= UINT64_C(1) << slot % 64;
        tables_used_again(tlb, tlb->page_entry[slot]);
        *absolute = e->absolute | (ia & 0xfff);
        return 0;
    }
    return touch(cpu, &a, ia, absolute);
}

const uint8_t *cpu_fetched_page(const struct cpu *cpu, uint64_t ia)
{
    const struct tlb *tlb = cpu->fetch_tlb;
    const struct tlb_entry *e = tlb_slot(cpu->fetch_tlb, ia);
    const unsigned slot = (unsigned)(e - tlb->entry);
    const uint64_t page = ia & PAGE_ADDRESS;
    return e->read == page && tlb->fetched[slot / 64] >> slot % 64 & 1 ? (const uint8_t *)(page + e->host) : NULL;
}

int cpu_fetch_instruction(struct cpu *cpu, uint64_t ia, uint8_t bytes[6])
{
    uint64_t absolute;
    memset(bytes, 0, 6);
    if (ia & 1)
        return PIC_SPECIFICATION;
    int code = cpu_instruction_page(cpu, ia, &absolute);
    if (code)
        return code;
    const uint8_t *storage = cpu->sys->storage.bytes;
    unsigned length = dis_length(storage[absolute]), here = cpu_page_left(ia);
    if (length <= here) {
        memcpy(bytes, storage + absolute, length);
        return 0;
    }
    memcpy(bytes, storage + absolute, here);
    code = cpu_instruction_page(cpu, (ia + here) & cpu->address_mask, &absolute);
    if (!code)
        memcpy(bytes + here, storage + absolute, length - here);
    return code;
}

uint8_t *cpu_real_host(struct cpu *cpu, uint64_t real, unsigned length)
{
    uint64_t absolute = cpu_real_to_absolute(cpu, real);
    return storage_has(&cpu->sys->storage, absolute, length) ? cpu->sys->storage.bytes + absolute : NULL;
}
