/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access-register translation. PoP chapter 5, "Access-Register Mechanism" (SA22-7832-13). */
#include "cpu/storage/art.h"
#include "cpu/storage/access.h"

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

/* The access-list entry of an ALET other than 0 and 1, with the ASTE it designates. */
struct list_entry {
    uint32_t word, aste_origin;
    const uint8_t *aste;
};

static int find_entry(const struct cpu *cpu, uint32_t alet, struct list_entry *found)
{
    bool primary_list = alet & 0x01000000;
    if (alet & 0xfe000000)
        return PIC_ALET_SPECIFICATION;
    const uint8_t *holder = absolute(
        cpu, primary_list ? (uint32_t)(cpu->cr[5] & CR5_PRIMARY_ASTE_ORIGIN) : (uint32_t)(cpu->cr[2] & CR2_DUCT_ORIGIN),
        64);
    if (!holder)
        return PIC_ADDRESSING;
    uint32_t designation = get32(holder + 16), alen = alet & 0xffff;
    if (alen >> 3 > (designation & 0x7f))
        return PIC_ALEN_TRANSLATION;
    const uint8_t *entry = absolute(cpu, (designation & 0x7fffff80) + 16 * (uint64_t)alen, 16);
    if (!entry)
        return PIC_ADDRESSING;
    found->word = get32(entry);
    if (found->word & BIT32(0))
        return PIC_ALEN_TRANSLATION;
    if (((found->word ^ alet) >> 16) & 0xff)
        return PIC_ALE_SEQUENCE;
    found->aste_origin = get32(entry + 8) & 0x7fffffc0;
    found->aste = absolute(cpu, found->aste_origin, 64);
    if (!found->aste)
        return PIC_ADDRESSING;
    if (get32(found->aste) & BIT32(0))
        return PIC_ASTE_VALIDITY;
    return get32(found->aste + 20) != get32(entry + 12) ? PIC_ASTE_SEQUENCE : 0;
}

int art_find_aste(const struct cpu *cpu, uint32_t alet, uint32_t *origin)
{
    struct list_entry found;
    int code = find_entry(cpu, alet, &found);
    if (!code)
        *origin = found.aste_origin;
    return code;
}

static int by_access_list(struct cpu *cpu, uint32_t alet, uint64_t *asce, bool *fetch_only)
{
    struct list_entry found;
    int code = find_entry(cpu, alet, &found);
    if (code)
        return code;
    unsigned eax = (unsigned)cpu_control_value(cpu->cr[8], CR8_EXTENDED_AUTHORIZATION_INDEX);
    if ((found.word & BIT32(7)) && (found.word & 0xffff) != eax) {
        code = extended_authority(cpu, found.aste, eax);
        if (code)
            return code;
    }
    *fetch_only = found.word & BIT32(6);
    *asce = get64(found.aste + 8);
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
    return by_access_list(cpu, alet, asce, fetch_only);
}
