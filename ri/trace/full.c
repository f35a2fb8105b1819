/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of full streams: FULL, SIG, STATE, MARK with INFO, ADDR and a time each; SYNC, CFG, OVF, END. */
#include "ri/trace/full.h"
#include <string.h>

/* A packet reader returns the bytes it used; 0: more are needed; -1: `wrong` is set. */

static int bad(struct et_full *f, const char *what)
{
    f->wrong = what;
    return -1;
}

/* Numbers in a row. Returns bytes used, 0 or -1. */
static int numbers(struct et_full *f, const uint8_t *bytes, size_t size, uint64_t *value, unsigned count)
{
    size_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        const int n = et_leb_get(bytes + at, size - at, &value[i]);
        if (n <= 0)
            return n ? bad(f, "a number that is not in its shortest form") : 0;
        at += (size_t)n;
    }
    return (int)at;
}

void et_full_init(struct et_full *f, const struct et_config *config, const struct et_way *way)
{
    struct et_config direct = *config;
    memset(f, 0, sizeof *f);
    ET_PUT(&direct, ETCR, DS, 0);
    et_encoder_init(&f->encoder, 0, way);
    et_encoder_configure(&f->encoder, &direct);
}

/* ---- SYNC ---------------------------------------------------------------------------------------------------------
 */

enum { SOURCE, SEQUENCE, PACKETS, CRC, TIME, CURRENT, FRAMES, SYNC_NUMBERS };

/* Where the unit itself began, was asked for SYNC or had lost events, the filter does likewise. The SYNCs that came
   because so many bytes were out are not its own. */
static void synchronized(struct et_full *f, const uint64_t *value, const uint16_t *en, unsigned known)
{
    struct et_encoder *e = &f->encoder;
    const uint64_t time = value[TIME];
    if (!f->begun)
        e->source = (uint8_t)(value[SOURCE] - 1);
    if (!e->on || f->loss)
        et_nest_set(&e->nest, (unsigned)value[CURRENT], (unsigned)value[FRAMES] - 1, en, known);
    if (!e->on) {
        if (ET_GET(&e->config, ETCR, ENABLE) || ET_GET(&e->config, ETCR, ALWAYS))
            et_encoder_start(e, time);
    } else if (f->loss) {
        et_encoder_poll(e, time);
    } else if (!e->sync_period || f->since_sync < e->sync_period) {
        et_encoder_release(e);
        et_encoder_sync(e, time);
    }
    f->begun = true;
    f->loss = false;
    f->time = time;
    memset(f->address, 0, sizeof f->address);
}

static int sync_packet(struct et_full *f, const uint8_t *bytes, size_t size)
{
    uint64_t value[SYNC_NUMBERS], en[ET_SYNC_FRAMES];
    uint16_t frames[ET_SYNC_FRAMES];
    if (size < ET_SYNC_ZEROS + 3)
        return 0;
    const uint8_t *body = bytes + ET_SYNC_ZEROS + 1;
    for (unsigned i = 0; i < ET_SYNC_ZEROS; i++)
        if (bytes[i])
            return bad(f, "zeros that are no SYNC");
    if (body[-1] != ET_SYNC_END)
        return bad(f, "zeros that are no SYNC");
    int n = numbers(f, body + 2, size - ET_SYNC_ZEROS - 3, value, SYNC_NUMBERS);
    if (n <= 0)
        return n;
    size_t at = 2 + (size_t)n;
    const unsigned known = value[FRAMES] - 1 < ET_SYNC_FRAMES ? (unsigned)value[FRAMES] - 1 : ET_SYNC_FRAMES;
    n = numbers(f, body + at, (size_t)(bytes + size - body) - at, en, known);
    if (n < 0 || (!n && known))
        return n;
    at += (size_t)n;
    if (body + at >= bytes + size)
        return 0;
    if (et_crc8(0, body, at) != body[at] || !value[FRAMES] || value[SOURCE] - 1 > ET_SOURCE_MACHINE)
        return bad(f, "a SYNC that is damaged");
    for (unsigned i = 0; i < known; i++)
        frames[i] = (uint16_t)(en[i] & (ET_NUMBERS - 1));
    synchronized(f, value, frames, known);
    return (int)(ET_SYNC_ZEROS + 1 + at + 1);
}

/* ---- events -------------------------------------------------------------------------------------------------------
 */

static int begin(struct et_full *f, struct et_occurrence event, int size)
{
    if (f->has_event)
        return bad(f, "an event without a time");
    f->has_event = true;
    f->event = event;
    return size;
}

static int full_packet(struct et_full *f, const uint8_t *p, size_t size)
{
    if (size < 3)
        return 0;
    if (!(p[2] >> 4 & 3))
        return bad(f, "an event of no kind");
    return begin(f,
                 (struct et_occurrence){.what = (enum et_what)(p[2] >> 4 & 3),
                                        .en = (uint16_t)(p[1] | (p[2] & ET_P_EN8) << 8),
                                        .tc = p[2] & ET_P_TC,
                                        .la = p[2] & ET_P_LA,
                                        .frc = p[2] & ET_P_FRC},
                 3);
}

static int signal_packet(struct et_full *f, const uint8_t *p, size_t size)
{
    if (size < 3)
        return 0;
    return begin(f,
                 (struct et_occurrence){.what = ET_W_SIGNAL,
                                        .en = (uint16_t)(p[1] | (p[2] & ET_P_EN8) << 8),
                                        .withdrawn = p[2] & ET_SIG_WITHDRAWN},
                 3);
}

static int other_packet(struct et_full *f, const uint8_t *p, size_t size)
{
    struct et_occurrence event = {.what = ET_W_MARK};
    if (*p == ET_H_STATE) {
        event.what = ET_W_STATE;
        event.value = size > 1 ? p[1] : 0;
        return size > 1 ? begin(f, event, 2) : 0;
    }
    const int n = numbers(f, p + 1, size - 1, &event.value, 1);
    return n <= 0 ? n : begin(f, event, n + 1);
}

static void info_pair(struct et_full *f, uint64_t tag, uint64_t value)
{
    struct et_info *info = &f->info;
    switch (tag) {
    case ET_INFO_CODE:
        info->code = value;
        break;
    case ET_INFO_ILC:
        info->ilc = (uint8_t)value;
        break;
    case ET_INFO_PARAMETER:
        info->parameter = value;
        break;
    case ET_INFO_CPU_ADDRESS:
        info->cpu_address = (uint16_t)value;
        break;
    case ET_INFO_IO_WORD:
        info->io_word = (uint32_t)value;
        break;
    case ET_INFO_FLAGS: /* the last one is between unit and filter */
        info->flags = (uint8_t)(value & ~(uint64_t)ET_IF_PROBLEM);
        f->event.problem = value & ET_IF_PROBLEM;
        break;
    case ET_INFO_DXC:
        info->dxc = (uint8_t)value;
        break;
    case ET_INFO_DEPTH:
        f->event.depth = (uint8_t)value;
        break;
    case ET_INFO_ASN:
        info->asn = (uint16_t)value;
        break;
    case ET_INFO_BEAR:
        info->bear = value;
        break;
    default:
        return;
    }
    info->given |= 1u << tag;
}

static int info_packet(struct et_full *f, const uint8_t *p, size_t size)
{
    if (size < 2 || size < 2u + p[1])
        return 0;
    const uint8_t *at = p + 2, *end = p + 2 + p[1];
    f->info = (struct et_info){.given = 0};
    f->event.info = &f->info;
    while (at < end) {
        uint64_t pair[2];
        const int n = numbers(f, at, (size_t)(end - at), pair, 2);
        if (n <= 0 || !f->has_event)
            return bad(f, "an INFO that is none");
        info_pair(f, pair[0], pair[1]);
        at += n;
    }
    return 2 + p[1];
}

static int address_packet(struct et_full *f, const uint8_t *p, size_t size)
{
    uint64_t value;
    if (size < 2)
        return 0;
    if (!f->has_event || p[1] < ET_ADDR_OLD || p[1] > ET_ADDR_RETURN)
        return bad(f, "an ADDR that is none");
    const int n = numbers(f, p + 2, size - 2, &value, 1);
    if (n <= 0)
        return n;
    f->address[p[1]] += et_unzigzag(value);
    f->event.address[p[1]] = f->address[p[1]];
    f->event.addresses |= (uint8_t)(1u << p[1]);
    return 2 + n;
}

/* The time is the last thing that belongs to an event. */
static int time_packet(struct et_full *f, const uint8_t *p, size_t size)
{
    uint64_t value = *p - (unsigned)ET_H_TSS;
    int n = 0;
    if (*p < ET_H_TSS && (n = numbers(f, p + 1, size - 1, &value, 1)) <= 0)
        return n;
    if (!f->has_event)
        return bad(f, "a time without an event");
    f->time = *p == ET_H_TSA ? value : f->time + value;
    f->has_event = false;
    f->event.time = f->time;
    et_encoder_event(&f->encoder, &f->event);
    if (f->event.what == ET_W_STATE && f->event.value == ET_ST_OFF)
        et_encoder_stop(&f->encoder);
    return n + 1;
}

/* ---- all others ---------------------------------------------------------------------------------------------------
 */

/* What comes out has the times of what goes in: by clock (ETTS.CLK). */
static const char *const other_clock[] = {
    "times of another clock: it needs clock=tod", "times of another clock: it needs clock=insn",
    "times of another clock: it needs clock=cycle", "times of another clock: it needs clock=host"};

static int config_packet(struct et_full *f, const uint8_t *p, size_t size)
{
    struct et_config c = {{0}};
    uint64_t value;
    const int n = size < 2 ? 0 : numbers(f, p + 2, size - 2, &value, 1);
    if (n <= 0)
        return n;
    c.reg[ETCR] = value;
    if (p[1] == ETCR + 1 && !ET_GET(&c, ETCR, DS))
        return bad(f, "a stream that was put out without downstream=on");
    c.reg[ETTS] = value;
    if (p[1] == ETTS + 1 && ET_GET(&c, ETTS, CLK) != ET_GET(&f->encoder.config, ETTS, CLK))
        return bad(f, other_clock[ET_GET(&c, ETTS, CLK)]);
    return 2 + n;
}

static int loss_packet(struct et_full *f, const uint8_t *p, size_t size)
{
    uint64_t value;
    const int n = numbers(f, p + 1, size - 1, &value, 1);
    if (n <= 0)
        return n;
    f->loss = true;
    et_encoder_release(&f->encoder);
    et_encoder_lose(&f->encoder, value);
    return 1 + n;
}

static int end_packet(struct et_full *f, const uint8_t *p, size_t size)
{
    uint64_t value[6];
    const int n = numbers(f, p + 1, size - 1, value, 6);
    if (n <= 0 || (size_t)n + 2 > size)
        return n < 0 ? n : 0;
    f->ended = true;
    et_encoder_end(&f->encoder, f->time);
    return n + 2;
}

static int packet(struct et_full *f, const uint8_t *p, size_t size)
{
    if (f->ended)
        return bad(f, "bytes behind END");
    if (!*p)
        return sync_packet(f, p, size);
    if (!f->begun)
        return bad(f, "a stream that does not begin with SYNC");
    switch (*p) {
    case ET_H_FULL:
        return full_packet(f, p, size);
    case ET_H_SIG:
        return signal_packet(f, p, size);
    case ET_H_STATE:
    case ET_H_MARK:
        return other_packet(f, p, size);
    case ET_H_INFO:
        return info_packet(f, p, size);
    case ET_H_ADDR:
        return address_packet(f, p, size);
    case ET_H_CFG:
        return config_packet(f, p, size);
    case ET_H_OVF:
        return loss_packet(f, p, size);
    case ET_H_END:
        return end_packet(f, p, size);
    default:
        if (*p == ET_H_TSD || *p == ET_H_TSA || (*p >= ET_H_TSS && *p <= ET_H_TSS_LAST))
            return time_packet(f, p, size);
        return bad(f, "a packet that full streams do not have");
    }
}

bool et_full_push(struct et_full *f, const uint8_t *bytes, size_t size)
{
    while (size && !f->wrong) {
        const size_t room = sizeof f->bytes - f->pending, now = size < room ? size : room;
        size_t at = 0;
        int n = 1;
        memcpy(f->bytes + f->pending, bytes, now);
        f->pending += now;
        bytes += now;
        size -= now;
        while (at < f->pending && (n = packet(f, f->bytes + at, f->pending - at)) > 0) {
            f->since_sync = f->bytes[at] ? f->since_sync + (size_t)n : 0;
            f->offset += (size_t)n;
            at += (size_t)n;
        }
        memmove(f->bytes, f->bytes + at, f->pending - at);
        f->pending -= at;
        if (!n && f->pending == sizeof f->bytes)
            bad(f, "a packet that is too long");
    }
    return !f->wrong;
}
