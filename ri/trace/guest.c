/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring in a guest's storage (specification 5.8). */
#include "ri/trace/guest.h"
#include "base/bits.h"

const char *et_guest_assign(struct et_guest *g, const struct et_host *host, unsigned cpu, uint64_t address,
                            uint64_t length)
{
    uint8_t header[ET_GUEST_HEADER] = "ZETR", last;
    if (!length) {
        g->used = false;
        return NULL;
    }
    if (length < ET_GUEST_MIN)
        return "a guest ring is at least 128 bytes long, 32 for its header";
    if (address + length < address || !host->fetch || !host->store ||
        !host->fetch(host->context, cpu, address + length - 1, &last, 1))
        return "the guest ring is not all in storage";
    put32(header + 4, ET_GUEST_VERSION);
    put64(header + 8, length - ET_GUEST_HEADER);
    if (!host->store(host->context, cpu, address, header, sizeof header))
        return "the guest ring is not all in storage";
    *g = (struct et_guest){.used = true, .address = address, .size = length - ET_GUEST_HEADER};
    return NULL;
}

/* The mark at `percent` of the ring lies in the `size` bytes that were put at `place`, or in their next round. */
static bool crossed(const struct et_guest *g, uint64_t place, uint64_t size, unsigned percent)
{
    const uint64_t share = percent < 100 ? percent : 100;
    const uint64_t mark = g->size / 100 * share + g->size % 100 * share / 100;
    return percent && ((place < mark && place + size >= mark) || place + size >= g->size + mark);
}

bool et_guest_put(struct et_guest *g, const struct et_host *host, unsigned cpu, const uint8_t *bytes, size_t size,
                  uint64_t lost, unsigned alert_percent)
{
    const uint64_t begin = g->written % g->size;
    uint8_t words[16];
    for (size_t done = 0; done < size && g->used;) {
        const uint64_t place = (begin + done) % g->size, ahead = g->size - place;
        const size_t now = size - done < ahead ? size - done : (size_t)ahead;
        g->used = host->store(host->context, cpu, g->address + ET_GUEST_HEADER + place, bytes + done, now);
        done += now;
    }
    g->written += size;
    put64(words, g->written);
    put64(words + 8, lost);
    g->used = g->used && host->store(host->context, cpu, g->address + 16, words, sizeof words);
    if (g->used && host->alert && crossed(g, begin, size, alert_percent))
        host->alert(host->context, cpu);
    return g->used;
}
