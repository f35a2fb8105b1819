/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of the exception-trace decoder: streams written by hand, and what the decoder tells of them in few letters.

   What an event becomes: E10a@1000 (ENTRY, number, time), X EXIT, R RETURN, S SIGNAL, T6@5 (STATE 6), M MARK, C COUNTS,
   L LOST; "???" for a number that is not known, no "@" for a time that is not. Behind it flags (+tc +la +frc +cut +imp
   +wd +dbt +ab), durations (" g290/225", ">" in front of a lower and "<" of an upper bound), "l45" latency, "s12" start
   latency, "c2" chain. A diagnostic is "D05". */
#ifndef ZRI_TESTS_UNIT_ET_READER_H
#define ZRI_TESTS_UNIT_ET_READER_H

#include "ri/trace/decode.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams --------------------------------------------------------------------------------------------------- */

struct made {
    uint8_t bytes[1 << 16];
    size_t size, segment; /* segment: where it begins */
    unsigned sequence, packets, source, flags;
};

static inline void made_byte(struct made *made, unsigned byte) { made->bytes[made->size++] = (uint8_t)byte; }

static inline void made_leb(struct made *made, uint64_t value)
{
    made->size += et_leb_put(made->bytes + made->size, value);
}

/* Bytes in hexadecimal, blanks are passed over; `packets' of them are event packets. */
static inline void made_hex(struct made *made, unsigned packets, const char *text)
{
    for (; *text; text++) {
        unsigned byte;
        if (*text == ' ')
            continue;
        if (sscanf(text, "%2x", &byte) != 1)
            abort();
        made_byte(made, byte);
        text++;
    }
    made->packets += packets;
}

/* Frames: innermost first; `open' may be more than are listed. */
static inline void made_sync_of(struct made *made, uint64_t time, unsigned current, unsigned open,
                                const unsigned *frames)
{
    const uint16_t crc = et_crc16(ET_CRC16_INIT, made->bytes + made->segment, made->size - made->segment);
    for (unsigned i = 0; i < ET_SYNC_ZEROS; i++)
        made_byte(made, 0);
    made_byte(made, ET_SYNC_END);
    const size_t body = made->size;
    made_byte(made, ET_VERSION);
    made_byte(made, ET_SYNC_FLAGS | made->flags);
    made_leb(made, made->source + 1);
    made_leb(made, ++made->sequence);
    made_leb(made, made->packets);
    made_leb(made, made->sequence == 1 ? ET_CRC16_INIT : crc);
    made_leb(made, time);
    made_leb(made, current);
    made_leb(made, open + 1);
    for (unsigned i = 0; i < open && i < ET_SYNC_FRAMES; i++)
        made_leb(made, frames[i]);
    made_byte(made, et_crc8(0, made->bytes + body, made->size - body));
    made->packets = 0;
    made->segment = made->size;
    made->flags &= ET_SYNC_FIGURE | ET_SYNC_TIMING;
}

static inline void made_cfg(struct made *made, unsigned index, uint64_t value)
{
    made_byte(made, ET_H_CFG);
    made_byte(made, index + 1);
    made_leb(made, value);
}

/* ETCR, ETFR, ETTS and whatever else differs from its reset value. */
static inline void made_config(struct made *made, const struct et_config *config)
{
    static const unsigned always[] = {ETCR, ETFR, ETTS};
    for (unsigned i = 0; i < 3; i++)
        made_cfg(made, always[i], config->reg[always[i]]);
    for (unsigned i = 0; i < ET_REGISTERS; i++)
        if ((i == ETSL || i == ETRG || i == ETMS || (i >= ETBM0 && i <= ETBM7)) &&
            config->reg[i] != et_register_reset(i))
            made_cfg(made, i, config->reg[i]);
}

/* Keys and values of a configuration: "events=entry,omit=on"; output on, timestamps inline and the clock insn are
 * given. */
static inline struct et_config made_keys(const char *keys)
{
    struct et_config config;
    char text[512], why[256], *key;
    et_config_reset(&config);
    ET_PUT(&config, ETCR, ENABLE, 1);
    ET_PUT(&config, ETTS, TSM, ET_TSM_INLINE);
    ET_PUT(&config, ETTS, CLK, ET_CLOCK_INSN);
    snprintf(text, sizeof text, "%s", keys);
    for (key = strtok(text, ","); key; key = strtok(NULL, ",")) {
        char *value = strchr(key, '=');
        *value++ = 0;
        if (et_config_key(&config, key, value, why, sizeof why)) {
            fprintf(stderr, "%s\n", why);
            abort();
        }
    }
    return config;
}

/* SYNC without frames and configuration. */
static inline void made_begin(struct made *made, uint64_t time, const char *keys)
{
    const struct et_config config = made_keys(keys);
    if (ET_GET(&config, ETFR, FIG))
        made->flags |= ET_SYNC_FIGURE;
    made_sync_of(made, time, 0, 0, NULL);
    made_config(made, &config);
}

static inline void made_end(struct made *made, uint64_t filtered, uint64_t emitted, uint64_t lost)
{
    const uint16_t crc = et_crc16(ET_CRC16_INIT, made->bytes + made->segment, made->size - made->segment);
    made_byte(made, ET_H_END);
    const size_t body = made->size;
    made_leb(made, filtered + emitted + lost);
    made_leb(made, filtered);
    made_leb(made, emitted);
    made_leb(made, lost);
    made_leb(made, made->packets);
    made_leb(made, crc);
    made_byte(made, et_crc8(0, made->bytes + body, made->size - body));
}

/* ---- container ------------------------------------------------------------------------------------------------- */

static inline size_t file_head(uint8_t *bytes, unsigned sources)
{
    const uint8_t head[ET_FILE_HEADER] = {'Z', 'E', 'T', 'C', 1, 0, 0, 0, 0, 0, 0, (uint8_t)sources, 0, 0, 0, 0};
    memcpy(bytes, head, sizeof head);
    return sizeof head;
}

static inline size_t file_chunk(uint8_t *bytes, unsigned source, unsigned kind, const uint8_t *payload, size_t size)
{
    const uint8_t head[ET_CHUNK_HEADER] = {0x5a,
                                           0x43,
                                           (uint8_t)source,
                                           (uint8_t)kind,
                                           (uint8_t)(size >> 24),
                                           (uint8_t)(size >> 16),
                                           (uint8_t)(size >> 8),
                                           (uint8_t)size};
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + sizeof head, payload, size);
    return sizeof head + size;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

struct told {
    char *text; /* in few letters, blanks between */
    size_t size, room;
    unsigned events, implied; /* event packets' events; those that the decoder made */
    unsigned diagnostics[ET_DIAGNOSTICS + 1], any;
    uint64_t reported;                                               /* bytes of D01, D06, D07, D08, D18, D22 */
    uint64_t offset[ET_DIAGNOSTICS + 1], length[ET_DIAGNOSTICS + 1]; /* of the last of each code */
    char words[ET_DIAGNOSTICS + 1][200];
    struct et_event last[ET_KINDS]; /* none that are implied */
    uint64_t end[ET_END_NUMBERS];
    uint64_t counted[64];
    size_t counts;
    struct et_decoder_sums sums;
    struct et_config config; /* of source 0 at the end */
    bool quiet;              /* nothing is written into `text' */
    bool bare;               /* of events only kind and number, and none that are implied */
    bool plain;              /* nothing of diagnostics and losses */
    int source;              /* only events of this one; -1: all */
};

__attribute__((format(printf, 2, 3))) static inline void told_add(struct told *told, const char *format, ...)
{
    va_list list;
    if (told->quiet)
        return;
    if (told->room - told->size < 256) {
        told->room = told->room ? 2 * told->room : 4096;
        told->text = realloc(told->text, told->room);
        if (!told->text)
            abort();
    }
    va_start(list, format);
    told->size += (size_t)vsnprintf(told->text + told->size, told->room - told->size, format, list);
    va_end(list);
}

static inline void told_flags(struct told *told, unsigned flags)
{
    static const char *const names[] = {"tc", "la", "frc", "cut", "imp", "wd", "dbt", "", "ab", ""};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (flags & 1u << i && *names[i])
            told_add(told, "+%s", names[i]);
}

static inline void told_numbers(struct told *told, const struct et_event *event)
{
    if (event->kind == ET_K_END)
        memcpy(told->end, event->numbers, sizeof told->end);
    for (size_t i = 0; event->kind == ET_K_COUNTS && i < event->count && told->counts < 64; i++)
        told->counted[told->counts++] = event->numbers[i];
}

static inline void told_event(void *context, const struct et_event *event)
{
    struct told *told = context;
    if (!(event->flags & ET_E_IMPLIED))
        told->last[event->kind] = *event;
    told_numbers(told, event);
    if (event->kind <= ET_K_MARK && event->flags & ET_E_IMPLIED)
        told->implied++;
    else if (event->kind <= ET_K_MARK)
        told->events++;
    if (event->kind > ET_K_LOST || event->kind == ET_K_SYNC || event->kind == ET_K_CONFIG ||
        (told->bare && event->flags & ET_E_IMPLIED) || (told->plain && event->kind == ET_K_LOST) ||
        (told->source >= 0 && told->source != (int)event->source))
        return;
    told_add(told, "%s%c", told->size ? " " : "", "EXRSTMC  L"[event->kind]);
    if (event->kind == ET_K_STATE || event->kind == ET_K_MARK)
        told_add(told, "%" PRIx64, event->value);
    else if (event->kind == ET_K_LOST && event->value == UINT64_MAX)
        told_add(told, "?");
    else if (event->kind == ET_K_LOST)
        told_add(told, "%" PRIu64, event->value);
    else if (event->kind <= ET_K_SIGNAL && event->en_known)
        told_add(told, "%03x", event->en);
    else if (event->kind <= ET_K_SIGNAL)
        told_add(told, "???");
    if (told->bare || event->kind > ET_K_MARK)
        return;
    if (event->time_known)
        told_add(told, "@%" PRIu64, event->time);
    told_flags(told, event->flags);
    if (event->durations) {
        const char *is = event->flags & ET_E_BOUND  ? event->flags & ET_E_MOST ? "~" : ">"
                         : event->flags & ET_E_MOST ? "<"
                                                    : "";
        told_add(told, " %sg%" PRIu64 "/%" PRIu64, is, event->gross, event->self);
    }
    if (event->latency_known)
        told_add(told, " l%" PRIu64, event->latency);
    if (event->start_known)
        told_add(told, " s%" PRIu64, event->start_latency);
    if (event->chain)
        told_add(told, " c%u", event->chain);
}

static inline void told_diagnostic(void *context, const struct et_diagnostic *diagnostic)
{
    struct told *told = context;
    const unsigned code = diagnostic->code;
    if (!code || code > ET_DIAGNOSTICS || !*diagnostic->text)
        abort();
    told->diagnostics[code]++;
    told->any++;
    told->offset[code] = diagnostic->offset;
    told->length[code] = diagnostic->length;
    snprintf(told->words[code], sizeof told->words[code], "%s", diagnostic->text);
    if (code == 1 || (code >= 6 && code <= 8) || code == 18 || code == 22)
        told->reported += diagnostic->length;
    if (!told->plain)
        told_add(told, "%sD%02u", told->size ? " " : "", code);
}

static inline void told_free(struct told *told)
{
    free(told->text);
    told->text = NULL;
}

/* Decode, in pieces of `piece' bytes (0: at once). */
static inline void tell_with(struct told *told, const struct et_decoder_options *options, const uint8_t *bytes,
                             size_t size, size_t piece)
{
    const struct et_decoder_calls calls = {told, told_event, told_diagnostic, NULL};
    struct et_decoder *decoder = et_decoder_new(&calls, options);
    if (!decoder)
        abort();
    for (size_t at = 0, n; at < size; at += n) {
        n = piece && piece < size - at ? piece : size - at;
        if (et_decoder_push(decoder, bytes + at, n))
            abort();
    }
    et_decoder_end(decoder);
    et_decoder_sums(decoder, &told->sums);
    if (et_decoder_config(decoder, 0))
        told->config = *et_decoder_config(decoder, 0);
    et_decoder_free(decoder);
    if (!told->quiet)
        told_add(told, "%s", "");
}

static inline void tell(struct told *told, const uint8_t *bytes, size_t size)
{
    memset(told, 0, sizeof *told);
    told->source = -1;
    tell_with(told, NULL, bytes, size, 0);
}

/* Every byte is in a packet or reported, once (ET-81). */
static inline bool adds_up(const struct told *told, size_t size)
{
    return told->sums.input == size && told->sums.packets + told->sums.reported == size &&
           told->sums.reported == told->reported && told->sums.diagnostics == told->any;
}

#endif
