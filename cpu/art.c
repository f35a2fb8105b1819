/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access-register translation. PoP chapter 5, "Access-Register Mechanism" (SA22-7832-13). */
#include "cpu/dat.h"

static const uint8_t *absolute(const struct cpu *cpu, uint64_t real, unsigned length)
{
    uint64_t at = cpu_real_to_absolute(cpu, real);
    return storage_has(&cpu->sys->storage, at, length) ? cpu->sys->storage.bytes + at : NULL;
}

/* Secondary-type authority of `eax` in the authority table that an ASTE designates. */
static int extended_authority(struct cpu *cpu, const uint8_t *aste, unsigned eax)
{
    uint32_t origin = get32(aste) & 0x7ffffffc;
    unsigned length = get16(aste + 6) & 0xfff0u;
    if (eax >> 4 > length >> 4)
        return PIC_EXTENDED_AUTHORITY;
    const uint8_t *entry = absolute(cpu, origin + (eax >> 2), 1);
    if (!entry)
        return PIC_ADDRESSING;
    return *entry & (0x40 >> (eax & 3) * 2) ? 0 : PIC_EXTENDED_AUTHORITY;
}

static int by_access_list(struct cpu *cpu, uint32_t alet, uint64_t *asce, bool *fetch_only)
{
    bool primary_list = alet & 0x01000000;
    const uint8_t *holder =
        absolute(cpu, primary_list ? (uint32_t)cpu->cr[5] & 0x7fffffc0 : (uint32_t)cpu->cr[2] & 0x7fffffc0, 64);
    if (!holder)
        return PIC_ADDRESSING;
    uint32_t designation = get32(holder + 16), alen = alet & 0xffff;
    if (alen >> 3 > (designation & 0x7f))
        return PIC_ALEN_TRANSLATION;
    const uint8_t *entry = absolute(cpu, (designation & 0x7fffff80) + 16 * (uint64_t)alen, 16);
    if (!entry)
        return PIC_ADDRESSING;
    uint32_t word = get32(entry);
    if (word & BIT32(0))
        return PIC_ALEN_TRANSLATION;
    if (((word ^ alet) >> 16) & 0xff)
        return PIC_ALE_SEQUENCE;
    const uint8_t *aste = absolute(cpu, get32(entry + 8) & 0x7fffffc0, 64);
    if (!aste)
        return PIC_ADDRESSING;
    if (get32(aste) & BIT32(0))
        return PIC_ASTE_VALIDITY;
    if (get32(aste + 20) != get32(entry + 12))
        return PIC_ASTE_SEQUENCE;
    unsigned eax = (unsigned)field64(cpu->cr[8], 32, 47);
    if ((word & BIT32(7)) && (word & 0xffff) != eax) {
        int code = extended_authority(cpu, aste, eax);
        if (code)
            return code;
    }
    *fetch_only = word & BIT32(6);
    *asce = get64(aste + 8);
    return 0;
}

int art_translate(struct cpu *cpu, unsigned ar, uint64_t *asce, bool *fetch_only)
{
    uint32_t alet = ar ? cpu->ar[ar & 15] : 0;
    *fetch_only = false;
    if (alet == 0) {
        *asce = cpu->cr[1];
        return 0;
    }
    if (alet == 1) {
        *asce = cpu->cr[7];
        return 0;
    }
    return alet & 0xfe000000 ? PIC_ALET_SPECIFICATION : by_access_list(cpu, alet, asce, fetch_only);
}
