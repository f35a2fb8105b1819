/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data mover: counts, data chaining, indirect and modified indirect addressing, protection, and what an access of a
   channel does to storage. PoP chapter 15, "Channel-Command Word" and "Channel Indirect Data Addressing". */
#include "cpu/storage/code.h"
#include "emu/dev/css/program.h"
#include "emu/state/machine.h"

/* A program whose data chaining leads back to itself never ends on a machine. Here a command that takes more than this
   ends with a program check, so that the operator keeps the machine. */
#define MOST_CHAINED 16384u
#define MOST_BYTES   (UINT64_C(64) << 20)

#define MIDAW_LAST 0x80
#define MIDAW_SKIP 0x40
#define MIDAW_DTI  0x20 /* data-transfer interruption: taken, none is made */

bool css_failed(struct subchannel *s, uint8_t check)
{
    s->status |= check;
    s->failed = true;
    return false;
}

/* The host's place of a byte of storage, when the access is allowed by key; the rest of its page is then, too. */
static uint8_t *place(struct css *css, struct subchannel *s, uint64_t address, bool store)
{
    struct storage *storage = css_storage(css);
    if (!storage_has(storage, address, 1)) {
        css_failed(s, CHANNEL_PROGRAM_CHECK);
        return NULL;
    }
    uint8_t *key = &storage->keys[address >> PAGE_BITS];
    unsigned access = s->orb >> 28;
    if (access && access != (unsigned)(*key >> 4) && (store || (*key & KEY_F))) {
        css_failed(s, CHANNEL_PROTECTION_CHECK);
        return NULL;
    }
    *key |= store ? KEY_R | KEY_C : KEY_R;
    return storage->bytes + address;
}

bool css_fetch_control(struct css *css, struct subchannel *s, uint64_t address, void *to, unsigned length)
{
    const uint8_t *from = place(css, s, address, false); /* aligned by its length: within a page */
    if (from)
        memcpy(to, from, length);
    return from != NULL;
}

void css_data_begin(struct subchannel *s)
{
    s->left = s->ccw.count;
    s->list = s->ccw.address;
    s->area_left = s->area_sum = 0;
    s->area_skip = s->area_last = s->list_begun = false;
}

static bool backward(const struct subchannel *s) { return (s->command & 0x0f) == 0x0c; }

/* The next area by an IDAW. */
static bool indirect_area(struct css *css, struct subchannel *s)
{
    const bool wide = s->orb & ORB_FORMAT2_IDAW;
    const uint64_t block = wide && !(s->orb & ORB_IDAW_2K) ? 4096 : 2048;
    uint8_t word[8];
    if (s->list & (wide ? 7 : 3))
        return css_failed(s, CHANNEL_PROGRAM_CHECK);
    if (!css_fetch_control(css, s, s->list, word, wide ? 8 : 4))
        return false;
    uint64_t address = wide ? get64(word) : get32(word), within = address & (block - 1);
    if ((!wide && (address & BIT32(0))) || (s->list_begun && within != (backward(s) ? block - 1 : 0)))
        return css_failed(s, CHANNEL_PROGRAM_CHECK);
    s->list += wide ? 8 : 4;
    s->area = address;
    s->area_left = (uint32_t)(backward(s) ? within + 1 : block - within);
    return true;
}

/* The next area by a MIDAW. */
static bool modified_area(struct css *css, struct subchannel *s)
{
    uint8_t word[16];
    if (s->area_last || (s->list & 15) || (s->list_begun && (s->list & (PAGE_SIZE_Z - 1)) == 0))
        return css_failed(s, CHANNEL_PROGRAM_CHECK);
    if (!css_fetch_control(css, s, s->list, word, sizeof word))
        return false;
    uint64_t address = get64(word + 8), within = address & (PAGE_SIZE_Z - 1);
    unsigned flags = word[5], count = get16(word + 6);
    s->area_sum += count;
    s->area_last = flags & MIDAW_LAST;
    s->area_skip = flags & MIDAW_SKIP;
    bool crosses = backward(s) ? within + 1 < count : within + count > PAGE_SIZE_Z;
    if (get32(word) || word[4] || (flags & ~(unsigned)(MIDAW_LAST | MIDAW_SKIP | MIDAW_DTI)) || count == 0 ||
        s->area_sum > s->ccw.count || (s->area_last && s->area_sum != s->ccw.count) || (crosses && !s->area_skip))
        return css_failed(s, CHANNEL_PROGRAM_CHECK);
    s->list += 16;
    s->area = address;
    s->area_left = count;
    return true;
}

static bool next_area(struct css *css, struct subchannel *s)
{
    bool good = true;
    if (s->ccw.flags & CCW_MODIFIED)
        good = modified_area(css, s);
    else if (s->ccw.flags & CCW_INDIRECT)
        good = indirect_area(css, s);
    else {
        s->area = s->ccw.address;
        s->area_left = s->left;
    }
    s->list_begun = true;
    return good;
}

/* Does the address-limit check allow this byte? */
static bool within_limit(const struct css *css, const struct subchannel *s)
{
    if (!(s->orb & ORB_LIMIT))
        return true;
    unsigned mode = s->flags & PMCW_LIMIT_MODE;
    return mode == PMCW_LIMIT_FROM    ? s->area >= css->address_limit
           : mode == PMCW_LIMIT_BELOW ? s->area < css->address_limit
                                      : true;
}

/* Move up to `n` bytes that lie together. 0: a check. */
static size_t move_together(struct css *css, struct subchannel *s, uint8_t *out, const uint8_t *in, size_t n)
{
    size_t page = PAGE_SIZE_Z - (s->area & (PAGE_SIZE_Z - 1));
    if (backward(s))
        n = 1;
    if (n > page)
        n = page;
    if (n > s->left)
        n = s->left;
    if (n > s->area_left)
        n = s->area_left;
    if ((s->orb & ORB_LIMIT) && n > 1 && css->address_limit - s->area < n && css->address_limit > s->area)
        n = css->address_limit - s->area;
    if (!s->area_skip && !(in && (s->ccw.flags & CCW_SKIP))) {
        if (!within_limit(css, s))
            css_failed(s, CHANNEL_PROGRAM_CHECK);
        uint8_t *host = s->failed ? NULL : place(css, s, s->area, in != NULL);
        if (!host)
            return 0;
        if (in) {
            memcpy(host, in, n);
            cpu_code_written_outside(css_system(css), s->area, n);
        } else {
            memcpy(out, host, n);
        }
    } else if (out) {
        memset(out, 0, n);
    }
    s->area = backward(s) ? s->area - n : s->area + n;
    s->area_left -= (uint32_t)n;
    s->left = (uint16_t)(s->left - n);
    return n;
}

static size_t move(struct channel_io *io, uint8_t *out, const uint8_t *in, size_t length)
{
    struct css *css = io->css;
    struct subchannel *s = io->s;
    size_t done = 0, n;
    s->moved = true;
    while (done < length && !s->failed) {
        if (s->left == 0 && (!css_chain_data(css, s) || io->chained++ == MOST_CHAINED || io->bytes > MOST_BYTES)) {
            if (io->chained > MOST_CHAINED || io->bytes > MOST_BYTES)
                css_failed(s, CHANNEL_PROGRAM_CHECK);
            break;
        }
        if (s->area_left == 0 && !next_area(css, s))
            break;
        n = move_together(css, s, out ? out + done : NULL, in ? in + done : NULL, length - done);
        done += n;
        io->bytes += n;
    }
    return done;
}

bool channel_rewind(struct channel_io *io)
{
    if (io->chained || io->s->failed)
        return false;
    css_data_begin(io->s);
    return true;
}

size_t channel_store(struct channel_io *io, const void *from, size_t length)
{
    size_t n = move(io, NULL, from, length);
    io->s->excess |= n < length;
    return n;
}

size_t channel_fetch_some(struct channel_io *io, void *to, size_t length) { return move(io, to, NULL, length); }

size_t channel_fetch(struct channel_io *io, void *to, size_t length)
{
    size_t n = move(io, to, NULL, length);
    io->s->excess |= n < length;
    return n;
}

/* ---- adapters -------------------------------------------------------------------------------------------------- */

static uint8_t *block(struct machine *m, uint64_t absolute, size_t length, uint8_t bits)
{
    struct storage *storage = &m->sys.storage;
    if (!storage_has(storage, absolute, length))
        return NULL;
    for (uint64_t page = absolute >> PAGE_BITS; length && page <= (absolute + length - 1) >> PAGE_BITS; page++)
        storage->keys[page] |= bits;
    return storage->bytes + absolute;
}

bool channel_storage_fetch(struct machine *m, uint64_t absolute, void *to, size_t length)
{
    const uint8_t *from = block(m, absolute, length, KEY_R);
    if (from)
        memcpy(to, from, length);
    return from != NULL;
}

bool channel_storage_store(struct machine *m, uint64_t absolute, const void *from, size_t length)
{
    uint8_t *to = block(m, absolute, length, KEY_R | KEY_C);
    if (!to)
        return false;
    memcpy(to, from, length);
    cpu_code_written_outside(&m->sys, absolute, length);
    return true;
}

int channel_storage_or(struct machine *m, uint64_t absolute, uint8_t bits)
{
    uint8_t *at = block(m, absolute, 1, KEY_R | KEY_C);
    if (!at)
        return -1;
    uint8_t was = __atomic_fetch_or(at, bits, __ATOMIC_SEQ_CST);
    cpu_code_written_outside(&m->sys, absolute, 1);
    return was;
}
