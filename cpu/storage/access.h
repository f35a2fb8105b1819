/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access to storage by logical address: the only way instruction bodies reach it. PoP chapter 3.
   `ar` is the number of the general register that the operand's base (or address) is in; it matters in the
   access-register mode only, 0 means the primary space there. Addresses must already be wrapped to the addressing mode
   (cpu_ea*). All functions return 0 or a program-interruption code with cpu->teid and the access ids set; then nothing
   was stored. */
#ifndef ZRI_CPU_STORAGE_ACCESS_H
#define ZRI_CPU_STORAGE_ACCESS_H

#include "cpu/state/cpu.h"

#define TLB_ENTRIES 4096u
#define TLB_FORMED  131072u
#define TLB_KNOWN   32u
#define TLB_PLACES  4096u
#define TLB_NONE    (~UINT64_C(0))
#define TLB_LOW     512u

/* One page of a translation context. A tag equals the page's logical address when the access needs no further check. */
struct tlb_entry {
    uint64_t read;     /* page address when fetches are allowed as they are, else TLB_NONE */
    uint64_t write;    /* likewise for stores: change bit on, no decoded code in the page, no PER, no watch. Low-address
                          protection: with TLB_LOW added, which no access asks for as it is; see tlb_above_low() */
    uintptr_t host;    /* add it to the logical address: host address */
    uint64_t absolute; /* absolute address of the page frame */
};

struct tlb {
    _Alignas(64) struct tlb_entry entry[TLB_ENTRIES]; /* none is in two lines of the host's cache */
    /* The table entries, by their absolute addresses, that it depends on (see cpu/storage/tlb.c): */
    uint64_t page_entry[TLB_ENTRIES];   /* the page-table entry that each one was formed from, or TLB_NONE */
    uint64_t formed[TLB_FORMED / 64];   /* those that it depends on as a whole: bits that say no, or perhaps */
    uint64_t known[TLB_KNOWN];          /* some of these, or TLB_NONE */
    uint64_t fetched[TLB_ENTRIES / 64]; /* entries by which an instruction was fetched: execution is allowed */
    /* Groups of slots, see tlb_slot_bit(). In others there is no page: both tags are TLB_NONE, or zero as they were
       never used (see ZEROS_FOUND in cpu/storage/tlb.c). */
    uint64_t groups;
    /* What this context is for (see cpu/storage/tlb.c): */
    uint64_t asce;
    uint32_t mode;       /* DAT, key, CR0 bits ... packed */
    uint32_t prefix;     /* page frames are real addresses */
    uint32_t generation; /* unique; renewed whenever the context is purged or reused. 0 never */
    uint64_t used;       /* for replacement */
    /* Translated code: the entry in which each place of the program found its page last; any one when it did not. */
    struct tlb_entry *expected[TLB_PLACES];
};

/* A page whose first 512 bytes have low-address protection: may `length` bytes be stored at `address`? A supervisor
   that keeps its save areas there asks with each interruption and each call. */
static inline bool tlb_above_low(const struct tlb_entry *e, uint64_t address, unsigned length)
{
    return e->write == ((address & PAGE_ADDRESS) | TLB_LOW) && (address & (PAGE_SIZE_Z - 1)) >= TLB_LOW &&
           length <= PAGE_SIZE_Z - (address & (PAGE_SIZE_Z - 1));
}

enum cpu_access_kind { CPU_FETCH = 1, CPU_STORE = 2, CPU_UPDATE = 3, CPU_INSTRUCTION = 4 };

/* Which space an access uses. */
enum cpu_space {
    CPU_SPACE_CURRENT, /* by PSW bits 16-17 and, in the AR mode, `ar` */
    CPU_SPACE_PRIMARY,
    CPU_SPACE_SECONDARY,
    CPU_SPACE_HOME,
    CPU_SPACE_AR,   /* by access register `ar` */
    CPU_SPACE_REAL, /* prefixing applies, no DAT */
    CPU_SPACE_ABSOLUTE,
};

static ALWAYS_INLINE struct tlb_entry *tlb_slot(struct tlb *tlb, uint64_t address)
{
    return &tlb->entry[(address >> PAGE_BITS) % TLB_ENTRIES];
}

/* What is noted of a slot: in tlb.groups, in storage.slots, and in storage.write_slots when it lets stores through. */
static inline uint64_t tlb_slot_bit(unsigned slot) { return UINT64_C(1) << slot / (TLB_ENTRIES / 64); }
static inline bool tlb_in_use(const struct tlb *tlb, unsigned slot)
{
    const struct tlb_entry *e = &tlb->entry[slot];
    return tlb->groups & tlb_slot_bit(slot) && (e->read != TLB_NONE || e->write != TLB_NONE);
}

/* Slow paths of the inline functions below; any length 1-4096, crossing a page allowed, exceptions of both pages
   first. */
int cpu_fetch_slow(struct cpu *cpu, uint64_t address, unsigned ar, void *to, unsigned length) MUST_USE;
int cpu_store_slow(struct cpu *cpu, uint64_t address, unsigned ar, const void *from, unsigned length) MUST_USE;

#define TLB_HIT(entry_tag, address, size) LIKELY((entry_tag) == ((address) & (PAGE_ADDRESS | ((size)-1))))

static inline int MUST_USE cpu_fetch1(struct cpu *cpu, uint64_t address, unsigned ar, uint8_t *value)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    if (TLB_HIT(e->read, address, 1)) {
        *value = *(const uint8_t *)(address + e->host);
        return 0;
    }
    return cpu_fetch_slow(cpu, address, ar, value, 1);
}
#define CPU_ACCESSORS(n, type, get, put)                                                                               \
    static inline int MUST_USE cpu_fetch##n(struct cpu *cpu, uint64_t address, unsigned ar, type *value)               \
    {                                                                                                                  \
        const struct tlb_entry *e = tlb_slot(cpu->tlb, address);                                                       \
        if (TLB_HIT(e->read, address, n)) {                                                                            \
            *value = get((const void *)(address + e->host));                                                           \
            return 0;                                                                                                  \
        }                                                                                                              \
        uint8_t bytes[n];                                                                                              \
        int code = cpu_fetch_slow(cpu, address, ar, bytes, n);                                                         \
        if (!code)                                                                                                     \
            *value = get(bytes);                                                                                       \
        return code;                                                                                                   \
    }                                                                                                                  \
    static inline int MUST_USE cpu_store##n(struct cpu *cpu, uint64_t address, unsigned ar, type value)                \
    {                                                                                                                  \
        const struct tlb_entry *e = tlb_slot(cpu->tlb, address);                                                       \
        if (TLB_HIT(e->write, address, n)) {                                                                           \
            put((void *)(address + e->host), value);                                                                   \
            return 0;                                                                                                  \
        }                                                                                                              \
        uint8_t bytes[n];                                                                                              \
        put(bytes, value);                                                                                             \
        return cpu_store_slow(cpu, address, ar, bytes, n);                                                             \
    }
CPU_ACCESSORS(2, uint16_t, get16, put16)
CPU_ACCESSORS(4, uint32_t, get32, put32)
CPU_ACCESSORS(8, uint64_t, get64, put64)
#undef CPU_ACCESSORS
static inline int MUST_USE cpu_store1(struct cpu *cpu, uint64_t address, unsigned ar, uint8_t value)
{
    const struct tlb_entry *e = tlb_slot(cpu->tlb, address);
    if (TLB_HIT(e->write, address, 1)) {
        *(uint8_t *)(address + e->host) = value;
        return 0;
    }
    return cpu_store_slow(cpu, address, ar, &value, 1);
}

/* Bytes 1-4096 long, in storage order; the operand may cross one page boundary and wraps with the addressing mode. */
int cpu_fetch_bytes(struct cpu *cpu, uint64_t address, unsigned ar, void *to, unsigned length) MUST_USE;
int cpu_store_bytes(struct cpu *cpu, uint64_t address, unsigned ar, const void *from, unsigned length) MUST_USE;

/* Are the bytes [address, address+length) (1-4096) accessible for `kind`? Sets reference and change bits as an access
   would, changes nothing else. Bodies that store in several steps test first. */
int cpu_test(struct cpu *cpu, uint64_t address, unsigned ar, unsigned length, enum cpu_access_kind kind) MUST_USE;

/* Host address of [address, address+length), which must lie in one page (length 1 to what is left of it). For CPU_STORE
   and CPU_UPDATE the caller will store there at once: decoded code in those bytes is dropped, PER storage alteration is
   noted. For long operands: page by page. The pointer is good until the next access function is called with another
   page... and never across instructions. */
int cpu_page(struct cpu *cpu, uint64_t address, unsigned ar, unsigned length, enum cpu_access_kind kind,
             uint8_t **host) MUST_USE;

/* Bytes left in the page that `address` is in: 1-4096. */
static inline unsigned cpu_page_left(uint64_t address) { return PAGE_SIZE_Z - (unsigned)(address & (PAGE_SIZE_Z - 1)); }

/* Interlocked update of an aligned operand of n = 1,2,4,8 or 16 bytes: yields a host pointer for host atomics, after
   store access was tested and decoded code there dropped. Alignment is the caller's to check first. */
int cpu_interlocked(struct cpu *cpu, uint64_t address, unsigned ar, unsigned n, void **host) MUST_USE;

/* An access that is described in full: explicit space, access key, and which checks apply (MVCP, MVCK, LURA, IPTE,
   group stores of RI, PC linkage ...). */
struct cpu_access {
    uint64_t address;
    enum cpu_space space;
    uint8_t ar;   /* for CPU_SPACE_AR and CPU_SPACE_CURRENT */
    uint8_t key;  /* access key 0-15 */
    uint8_t kind; /* enum cpu_access_kind */
    bool no_per;  /* no PER storage-alteration event */
    bool test;    /* TEST PROTECTION: reference and change bits stay as they are, nothing is entered into a TLB */
    bool wide;    /* a 64-bit address whatever the addressing mode: a range does not wrap earlier */
    bool no_low_protection; /* low-address protection does not apply */
};
/* Translate and check one access (within a page). On 0, *absolute is the absolute address; reference/change bits are
 * set. */
int cpu_translate(struct cpu *cpu, const struct cpu_access *access, uint64_t *absolute) MUST_USE;
/* Fetch or store by such a description; may cross pages; both pages are tested first. */
int cpu_fetch_as(struct cpu *cpu, const struct cpu_access *access, void *to, unsigned length) MUST_USE;
int cpu_store_as(struct cpu *cpu, const struct cpu_access *access, const void *from, unsigned length) MUST_USE;

/* May the 4K-byte block, or what else begins at this real address, be stored as far as low-address protection goes?
   Returns 0 or PIC_PROTECTION. */
int cpu_low_address_exception(struct cpu *cpu, uint64_t real) MUST_USE;

/* Fetch the instruction at psw.ia: 2, 4 or 6 bytes into bytes[6] (the rest zero). Checks an odd address
   (specification), DAT, fetch protection, page crossing. Returns 0 or a code. */
int cpu_fetch_instruction(struct cpu *cpu, uint64_t ia, uint8_t bytes[6]) MUST_USE;
/* Absolute address and host page of the instruction page at `ia` (for decoding blocks); 0 or a code. */
int cpu_instruction_page(struct cpu *cpu, uint64_t ia, uint64_t *absolute) MUST_USE;
/* Where the host has the page of `ia` when instructions were fetched from it and can be again without a look at the
   tables; NULL: not known. Nothing changes. */
const uint8_t *cpu_fetched_page(const struct cpu *cpu, uint64_t ia);

/* Real address to absolute (prefixing). */
static inline uint64_t cpu_real_to_absolute(const struct cpu *cpu, uint64_t real)
{
    uint64_t block = real & ~UINT64_C(0x1fff);
    return block == 0 ? real + cpu->prefix : block == cpu->prefix ? real & 0x1fff : real;
}
/* Host pointer to `length` bytes at a real address that do not cross a page; NULL when not in storage. Checks nothing
   else; for low storage of interruptions. Stores must be followed by cpu_code_written(). */
uint8_t *cpu_real_host(struct cpu *cpu, uint64_t real, unsigned length);

#endif
