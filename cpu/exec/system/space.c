/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control instructions that move data between spaces and keys. PoP chapter 10 (SA22-7832-13). With the
   storage-key-removal facility an access key that is not zero is a special-operation exception. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"

/* One side of a move. */
struct side {
    uint64_t address;
    enum cpu_space space;
    uint8_t ar, key;
};

static struct cpu_access access_of(const struct side *side, uint8_t kind)
{
    return (struct cpu_access){
        .address = side->address, .space = side->space, .ar = side->ar, .key = side->key, .kind = kind};
}

/* A part of an operand that lies in one page: bytes `first` up to `last` (exclusive) from `absolute` on. */
struct part {
    uint64_t absolute;
    unsigned first, last;
};

/* The parts of an operand of 1-4096 bytes, two at most; a part that cannot be accessed is left out (the access itself
   finds out). `access` is to be without effect (test). */
static unsigned parts_of(struct cpu *cpu, struct cpu_access access, unsigned length, struct part parts[2])
{
    const unsigned room = PAGE_SIZE_Z - (unsigned)(access.address & (PAGE_SIZE_Z - 1));
    const unsigned ends[2] = {room < length ? room : length, length};
    unsigned n = 0;
    for (unsigned k = 0, first = 0; k < 2 && first < length; first = ends[k++]) {
        parts[n] = (struct part){.first = first, .last = ends[k]};
        if (!cpu_translate(cpu, &access, &parts[n].absolute))
            n++;
        access.address = (access.address + room) & (access.wide ? ~UINT64_C(0) : cpu->address_mask);
    }
    return n;
}

/* Where a byte of the source is one that was stored before it is fetched, moving byte by byte from left to right, it
   has the value that was stored. Pages that follow each other in the address space need not do so in absolute storage:
   each part of one operand is compared with each of the other. */
static void overlap(uint8_t *bytes, const struct part *from, const struct part *to, unsigned n_to)
{
    for (unsigned n = from->first; n < from->last; n++)
        for (unsigned t = 0; t < n_to; t++) {
            const uint64_t at = from->absolute + (n - from->first) - to[t].absolute;
            if (at < to[t].last - to[t].first && to[t].first + at < n)
                bytes[n] = bytes[to[t].first + at];
        }
}
static bool may_overlap(const struct part *from, const struct part *to)
{
    return ((from->absolute ^ to->absolute) & PAGE_ADDRESS) == 0 && to->first < from->last &&
           !(from->absolute == to->absolute && from->first == to->first);
}

/* Move `length` bytes (1-4096; 0 does nothing) with the result of a byte-by-byte move from left to right. */
static int move(struct cpu *cpu, const struct side *to, const struct side *from, unsigned length)
{
    uint8_t bytes[PAGE_SIZE_Z];
    struct part sources[2], targets[2];
    struct cpu_access fetch = access_of(from, CPU_FETCH), store = access_of(to, CPU_STORE);
    if (!length)
        return 0;
    int code = cpu_fetch_as(cpu, &fetch, bytes, length);
    if (code)
        return code;
    fetch.test = store.test = true;
    const unsigned n_sources = parts_of(cpu, fetch, length, sources), n_targets = parts_of(cpu, store, length, targets);
    for (unsigned s = 0; s < n_sources; s++)
        for (unsigned t = 0; t < n_targets; t++)
            if (may_overlap(&sources[s], &targets[t])) {
                overlap(bytes, &sources[s], targets, n_targets);
                break;
            }
    store.test = false;
    return cpu_store_as(cpu, &store, bytes, length);
}

static unsigned least(uint64_t a, unsigned b) { return a < b ? (unsigned)a : b; }

/* The true length in a register: 32 bits in the 24- and 31-bit modes, 64 bits otherwise. */
static uint64_t true_length(const struct cpu *cpu, unsigned r)
{
    return cpu->psw.mask & PSW_EA ? cpu->gr[r] : gr32(cpu, r);
}

/* May an access key be used: 0, special operation (there are no keys) or privileged operation (PSW-key mask). */
static int MUST_USE key_refused(const struct cpu *cpu, unsigned key)
{
    int code = control_key_refused(cpu, key);
    return code || !cpu_problem_state(cpu) || (cpu->cr[3] & BIT64(CR3_KEY_MASK_BIT + key)) ? code
                                                                                           : PIC_PRIVILEGED_OPERATION;
}

/* MOVE TO PRIMARY and MOVE TO SECONDARY: up to 256 bytes between the primary and the secondary space; the true length
   is in R1, the access key of the secondary operand in bits 56-59 of R3. CC: 0 true length at most 256, 3 more (256
   moved). Exceptions: special operation (DAT off, secondary-space control zero, AR or home mode); privileged operation
   (key); access. */
static int move_primary_secondary(struct cpu *cpu, const struct dis_insn *i, bool to_primary)
{
    unsigned as = (unsigned)field64(cpu->psw.mask, 16, 17), key = (unsigned)cpu->gr[i->r3] >> 4 & 15;
    uint64_t length = true_length(cpu, i->r1);
    if (!(cpu->psw.mask & PSW_DAT) || !(cpu->cr[0] & CR0_SECONDARY_SPACE) || as == AS_ACCESS_REGISTER || as == AS_HOME)
        return PIC_SPECIAL_OPERATION;
    int code = key_refused(cpu, key);
    if (code)
        return code;
    struct side first = {cpu_ea1(cpu, i), CPU_SPACE_PRIMARY, i->b1, (uint8_t)cpu_key(cpu)};
    struct side second = {cpu_ea2(cpu, i), CPU_SPACE_SECONDARY, i->b2, (uint8_t)key};
    if (!to_primary) {
        first.space = CPU_SPACE_SECONDARY;
        first.key = (uint8_t)key;
        second.space = CPU_SPACE_PRIMARY;
        second.key = (uint8_t)cpu_key(cpu);
    }
    code = move(cpu, &first, &second, least(length, 256));
    if (!code)
        cpu->cc = length > 256 ? 3 : 0;
    return code;
}
int cpu_mvcp(struct cpu *cpu, const struct dis_insn *i) { return move_primary_secondary(cpu, i, true); }
int cpu_mvcs(struct cpu *cpu, const struct dis_insn *i) { return move_primary_secondary(cpu, i, false); }

/* MOVE WITH KEY: up to 256 bytes; the true length is in R1, the access key of the second operand in bits 56-59 of R3.
   CC: 0 true length at most 256, 3 more. Exceptions: privileged operation (key); access. */
int cpu_mvck(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned key = (unsigned)cpu->gr[i->r3] >> 4 & 15;
    uint64_t length = true_length(cpu, i->r1);
    int code = key_refused(cpu, key);
    if (code)
        return code;
    struct side to = {cpu_ea1(cpu, i), CPU_SPACE_CURRENT, i->b1, (uint8_t)cpu_key(cpu)};
    struct side from = {cpu_ea2(cpu, i), CPU_SPACE_CURRENT, i->b2, (uint8_t)key};
    code = move(cpu, &to, &from, least(length, 256));
    if (!code)
        cpu->cc = length > 256 ? 3 : 0;
    return code;
}

/* MOVE WITH SOURCE KEY and MOVE WITH DESTINATION KEY: bits 56-63 of general register 0 are the length less one, bits
   56-59 of general register 1 the access key of that operand. CC: unchanged. Exceptions: privileged operation (key);
   access. */
static int move_with_key_in_1(struct cpu *cpu, const struct dis_insn *i, bool source)
{
    unsigned key = (unsigned)cpu->gr[1] >> 4 & 15;
    int code = key_refused(cpu, key);
    if (code)
        return code;
    struct side to = {cpu_ea1(cpu, i), CPU_SPACE_CURRENT, i->b1, (uint8_t)(source ? cpu_key(cpu) : key)};
    struct side from = {cpu_ea2(cpu, i), CPU_SPACE_CURRENT, i->b2, (uint8_t)(source ? key : cpu_key(cpu))};
    return move(cpu, &to, &from, ((unsigned)cpu->gr[0] & 0xff) + 1);
}
int cpu_mvcsk(struct cpu *cpu, const struct dis_insn *i) { return move_with_key_in_1(cpu, i, true); }
int cpu_mvcdk(struct cpu *cpu, const struct dis_insn *i) { return move_with_key_in_1(cpu, i, false); }

/* The space and key that one operand-access control of MVCOS asks for. */
static void mvcos_side(const struct cpu *cpu, uint32_t oac, struct side *side)
{
    static const uint8_t space_of[4] = {CPU_SPACE_PRIMARY, CPU_SPACE_AR, CPU_SPACE_SECONDARY, CPU_SPACE_HOME};
    side->key = (uint8_t)(oac & 2 ? oac >> 12 & 15 : cpu_key(cpu));
    unsigned as = oac & 1 ? oac >> 6 & 3 : (unsigned)field64(cpu->psw.mask, 16, 17);
    side->space = space_of[as];
}

/* MOVE WITH OPTIONAL SPECIFICATIONS: up to 4,096 bytes, length in R3; general register 0 has the operand-access control
   of the first operand in bits 32-47, of the second in bits 48-63: key (0-3), address-space control (8-9), key and AS
   validity (14, 15). CC: 0 all moved, 3 length above 4,096. Exceptions: operation; special operation (DAT off;
   secondary-space control; home from the problem state); privileged operation (key); access. */
int cpu_mvcos(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t oac1 = gr32(cpu, 0) >> 16, oac2 = gr32(cpu, 0) & 0xffff;
    uint64_t length = true_length(cpu, i->r3);
    struct side to = {cpu_ea1(cpu, i), CPU_SPACE_CURRENT, i->b1, 0};
    struct side from = {cpu_ea2(cpu, i), CPU_SPACE_CURRENT, i->b2, 0};
    if (!(cpu->psw.mask & PSW_DAT))
        return PIC_SPECIAL_OPERATION;
    mvcos_side(cpu, oac1, &to);
    mvcos_side(cpu, oac2, &from);
    if (to.space == CPU_SPACE_HOME && (oac1 & 1) && cpu_problem_state(cpu))
        return PIC_SPECIAL_OPERATION;
    if (!(cpu->cr[0] & CR0_SECONDARY_SPACE) && (to.space == CPU_SPACE_SECONDARY || from.space == CPU_SPACE_SECONDARY))
        return PIC_SPECIAL_OPERATION;
    int code = key_refused(cpu, to.key);
    if (!code)
        code = key_refused(cpu, from.key);
    if (!code)
        code = move(cpu, &to, &from, least(length, 4096));
    if (!code)
        cpu->cc = length > 4096 ? 3 : 0;
    return code;
}

/* EXTRACT PRIMARY / SECONDARY ASN (AND INSTANCE): bits 48-63 of control register 4 or 3 to R1, the instance forms with
   bits 0-31 of them. CC: unchanged. Exceptions: special operation (DAT off); privileged operation (problem state,
   extraction authority zero). */
static int extract_asn(struct cpu *cpu, unsigned r, uint64_t control, bool instance)
{
    if (!(cpu->psw.mask & PSW_DAT))
        return PIC_SPECIAL_OPERATION;
    if (cpu_problem_state(cpu) && !(cpu->cr[0] & CR0_EXTRACTION_AUTHORITY))
        return PIC_PRIVILEGED_OPERATION;
    if (instance)
        set_grh32(cpu, r, (uint32_t)(control >> 32));
    set_gr32(cpu, r, (uint32_t)control & 0xffff);
    return 0;
}
int cpu_epar(struct cpu *cpu, const struct dis_insn *i) { return extract_asn(cpu, i->r1, cpu->cr[4], false); }
int cpu_epair(struct cpu *cpu, const struct dis_insn *i) { return extract_asn(cpu, i->r1, cpu->cr[4], true); }
int cpu_esar(struct cpu *cpu, const struct dis_insn *i) { return extract_asn(cpu, i->r1, cpu->cr[3], false); }
int cpu_esair(struct cpu *cpu, const struct dis_insn *i) { return extract_asn(cpu, i->r1, cpu->cr[3], true); }
