/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace as Common Trace Format 1.8: a folder with `metadata' and a stream for each source, of packets that
   are made whole in memory before they are put. */
#include "base/bits.h"
#include "ri/trace/show/output.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCES  256u
#define MAGIC    0xc1fc1fc1u
#define HEAD     (24u + 44u) /* header and context of a packet */
#define PACKET   65536u      /* a segment that is longer becomes several packets */
#define EVENT    320u        /* no event is longer */
#define TEXT     240u        /* of a diagnostic, as much as fits */
#define TOD_1970 UINT64_C(0x7d91048bca000000)
#define TOD_RATE UINT64_C(4096000000)
#define UNNAMED  0xffffu /* a number that is not known */

enum { ID_ENTRY = 1, ID_EXIT, ID_RETURN, ID_SIGNAL, ID_STATE, ID_LOST, ID_MARK, ID_DIAGNOSTIC };

static const uint8_t uuid[16] = {[6] = 0x40, [8] = 0x80, [15] = 1};

struct lane {
    uint8_t *packet; /* PACKET bytes */
    size_t length;
    uint64_t first, last; /* times, as written */
    uint64_t lost;
};

struct ctf {
    const struct et_output_setting *setting;
    struct et_scale scale;
    bool based, rebased;
    uint64_t base; /* taken from every time */
    uint64_t seen[ET_NUMBERS / 64];
    bool unnamed;
    struct lane lane[SOURCES];
};

static void *begin(const struct et_output_setting *setting)
{
    struct ctf *c = calloc(1, sizeof *c);
    uint8_t *packets = c ? malloc(SOURCES * (size_t)PACKET) : NULL;
    if (!packets) {
        free(c);
        return NULL;
    }
    c->setting = setting;
    et_scale_init(&c->scale, setting->insn_rate);
    for (unsigned i = 0; i < SOURCES; i++) {
        c->lane[i].packet = packets + i * (size_t)PACKET;
        c->lane[i].length = HEAD;
    }
    return c;
}

static void file_name(unsigned source, char name[16])
{
    if (source == ET_SOURCE_MACHINE)
        snprintf(name, 16, "machine");
    else
        snprintf(name, 16, "cpu%02u", source);
}

/* Complete the packet of a source and put it. */
static void flush(struct ctf *c, unsigned source)
{
    struct lane *lane = &c->lane[source];
    uint8_t *at = lane->packet;
    char name[16];
    if (lane->length == HEAD)
        return;
    put32(at, MAGIC);
    memcpy(at + 4, uuid, sizeof uuid);
    put32(at + 20, 0);
    put64(at + 24, lane->first);
    put64(at + 32, lane->last);
    put64(at + 40, 8 * (uint64_t)lane->length);
    put64(at + 48, 8 * (uint64_t)lane->length);
    put64(at + 56, lane->lost);
    put32(at + 64, source);
    file_name(source, name);
    c->setting->writer.put(c->setting->writer.context, name, at, lane->length);
    lane->length = HEAD;
}

/* The time as it is written: from 1970 on with the TOD clock, and never back within a stream. */
static uint64_t time_of(struct ctf *c, const struct lane *lane, uint64_t time)
{
    if (!c->based) {
        c->based = true;
        c->rebased = c->scale.clock == ET_CLOCK_TOD && time < TOD_1970;
        c->base = c->scale.clock == ET_CLOCK_TOD && !c->rebased ? TOD_1970 : 0;
    }
    const uint64_t moved = time < c->base ? 0 : time - c->base;
    return moved < lane->last ? lane->last : moved;
}

/* Room for an event of a source, behind its head. */
static uint8_t *room(struct ctf *c, unsigned source, unsigned id, uint64_t time)
{
    struct lane *lane = &c->lane[source];
    if (lane->length + EVENT > PACKET)
        flush(c, source);
    lane->last = time_of(c, lane, time);
    if (lane->length == HEAD)
        lane->first = lane->last;
    uint8_t *at = lane->packet + lane->length;
    *at++ = (uint8_t)id;
    put64(at, lane->last);
    return at + 8;
}

static void done(struct ctf *c, unsigned source, const uint8_t *end)
{
    c->lane[source].length = (size_t)(end - c->lane[source].packet);
}

static uint8_t *add(uint8_t *at, unsigned bytes, uint64_t value)
{
    uint8_t all[8];
    put64(all, value);
    memcpy(at, all + 8 - bytes, bytes);
    return at + bytes;
}

/* Number and flags: bit 0 TC, 1 LA, 2 FRC, 3 cut, 4 implied. */
static uint8_t *number(struct ctf *c, uint8_t *at, const struct et_event *event)
{
    const unsigned flags = event->flags & (ET_E_TC | ET_E_LA | ET_E_FRC | ET_E_CUT | ET_E_IMPLIED);
    if (event->en_known)
        c->seen[event->en / 64 % (ET_NUMBERS / 64)] |= UINT64_C(1) << event->en % 64;
    else
        c->unnamed = true;
    return add(add(at, 2, event->en_known ? event->en : UNNAMED), 1, flags);
}

static void exception(struct ctf *c, const struct et_event *event)
{
    static const uint8_t ids[] = {
        [ET_K_ENTRY] = ID_ENTRY, [ET_K_EXIT] = ID_EXIT, [ET_K_RETURN] = ID_RETURN, [ET_K_SIGNAL] = ID_SIGNAL};
    uint8_t *at = room(c, event->source, ids[event->kind], event->time);
    at = number(c, at, event);
    if (event->kind != ET_K_SIGNAL)
        at = add(at, 1, et_shown_depth(event));
    if (event->kind == ET_K_ENTRY) {
        at = add(at, 8, event->latency_known ? event->latency : 0);
        at = add(at, 8, event->old_known ? event->old_address : 0);
        at = add(at, 8, event->new_known ? event->new_address : 0);
    } else if (event->kind == ET_K_EXIT) {
        at = add(at, 8, event->durations ? event->gross : 0);
        at = add(at, 8, event->durations ? event->self : 0);
    } else if (event->kind == ET_K_RETURN) {
        at = add(at, 8, event->return_known ? event->return_address : 0);
    }
    done(c, event->source, at);
}

/* State, mark and loss. */
static void other(struct ctf *c, const struct et_event *event)
{
    const unsigned id = event->kind == ET_K_STATE ? ID_STATE : event->kind == ET_K_MARK ? ID_MARK : ID_LOST;
    const bool known = event->kind != ET_K_LOST || event->value != UINT64_MAX;
    uint8_t *at = room(c, event->source, id, event->time);
    at = add(at, id == ID_STATE ? 1 : 8, known ? event->value : 0);
    if (id == ID_LOST) {
        at = add(at, 8, event->offset);
        c->lane[event->source].lost += known ? event->value : 1;
    }
    done(c, event->source, at);
}

static void event(void *output, const struct et_event *event)
{
    struct ctf *c = output;
    if (event->kind == ET_K_FILE || event->source >= SOURCES)
        return;
    et_scale_event(&c->scale, event);
    if (event->kind == ET_K_SYNC)
        flush(c, event->source);
    else if (event->kind <= ET_K_SIGNAL)
        exception(c, event);
    else if (event->kind == ET_K_STATE || event->kind == ET_K_MARK || event->kind == ET_K_LOST)
        other(c, event);
}

static void diagnostic(void *output, const struct et_diagnostic *diagnostic)
{
    struct ctf *c = output;
    const unsigned source = diagnostic->source % SOURCES;
    uint8_t *at = room(c, source, ID_DIAGNOSTIC, c->based ? c->lane[source].last + c->base : diagnostic->time);
    at = add(add(at, 1, diagnostic->code), 8, diagnostic->offset);
    size_t length = strlen(diagnostic->text);
    if (length > TEXT)
        length = TEXT;
    memcpy(at, diagnostic->text, length);
    at[length] = 0;
    done(c, source, at + length + 1);
}

/* ---- metadata -------------------------------------------------------------------------------------------------- */

static const char types[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8;  align = 8; signed = false; } := uint8_t;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; base = 16; } := addr_t;\n"
    "trace {\n  major = 1; minor = 8; byte_order = be;\n  uuid = \"00000000-0000-4000-8000-000000000001\";\n"
    "  packet.header := struct { uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; };\n};\n";

static const char streams[] =
    "stream {\n  id = 0;\n  packet.context := struct {\n    et_time_t timestamp_begin; et_time_t timestamp_end;\n"
    "    uint64_t content_size; uint64_t packet_size; uint64_t events_discarded; uint32_t cpu_id; };\n"
    "  event.header := struct { uint8_t id; et_time_t timestamp; };\n};\n";

static const char *const events[] = {
    [ID_ENTRY] = "et_entry\"; stream_id = 0; fields := struct { en_t en; uint8_t flags; uint8_t depth; "
                 "uint64_t latency; addr_t old_ia; addr_t new_ia; }; };\n",
    [ID_EXIT] = "et_exit\"; stream_id = 0; fields := struct { en_t en; uint8_t flags; uint8_t depth; "
                "uint64_t gross; uint64_t self; }; };\n",
    [ID_RETURN] =
        "et_return\"; stream_id = 0; fields := struct { en_t en; uint8_t flags; uint8_t depth; addr_t ia; }; };\n",
    [ID_SIGNAL] = "et_signal\"; stream_id = 0; fields := struct { en_t en; uint8_t flags; }; };\n",
    [ID_STATE] = "et_state\"; stream_id = 0; fields := struct { uint8_t code; }; };\n",
    [ID_LOST] = "et_lost\"; stream_id = 0; fields := struct { uint64_t events; uint64_t offset; }; };\n",
    [ID_MARK] = "et_mark\"; stream_id = 0; fields := struct { uint64_t value; }; };\n",
    [ID_DIAGNOSTIC] =
        "et_diag\"; stream_id = 0; fields := struct { uint8_t code; uint64_t offset; string text; }; };\n",
};

__attribute__((format(printf, 2, 3))) static void line(const struct ctf *c, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n > 0)
        c->setting->writer.put(c->setting->writer.context, "metadata", text,
                               (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static void put_clock(const struct ctf *c)
{
    const bool tod = c->scale.clock == ET_CLOCK_TOD, host = c->scale.clock == ET_CLOCK_HOST;
    const char *name = et_clock_name(c->scale.clock);
    line(c, "env { tracer_name = \"exception-trace\"; tracer_major = 1; tracer_minor = 0; et_clock = \"%s\";", name);
    line(c, " et_epoch = \"%s\"; };\n",
         !tod         ? "none"
         : c->rebased ? "before 1970: times are those of the TOD clock, shown from 1970 on"
                      : "1970-01-01");
    line(c, "clock { name = \"et_clock\"; description = \"%s\";\n",
         tod                               ? "TOD clock, 1 tick = 2^-12 microseconds"
         : host                            ? "nanoseconds of the host"
         : c->scale.clock == ET_CLOCK_INSN ? "1 tick = 1 retired instruction"
                                           : "1 tick = 1 cycle");
    line(c, "        freq = %" PRIu64 "; offset_s = 0; offset = 0; };\n",
         tod    ? TOD_RATE
         : host ? UINT64_C(1000000000)
                : c->scale.rate);
    line(c, "typealias integer { size = 64; align = 8; signed = false; map = clock.et_clock.value; } := et_time_t;\n");
}

static void put_numbers(const struct ctf *c)
{
    char name[ET_NAME_SIZE];
    line(c, "typealias enum : uint16_t { \"NORMAL\" = 0");
    for (unsigned en = 1; en < ET_NUMBERS; en++)
        if (c->seen[en / 64] >> en % 64 & 1)
            line(c, ", \"%s\" = %u", et_number_name(en, c->setting->program, name), en);
    if (c->unnamed)
        line(c, ", \"?\" = %u", UNNAMED);
    line(c, " } := en_t;\n");
}

static void end(void *output, const struct et_decoder_sums *sums)
{
    struct ctf *c = output;
    const struct et_writer *w = &c->setting->writer;
    (void)sums;
    for (unsigned i = 0; i < SOURCES; i++)
        flush(c, i);
    free(c->lane[0].packet);
    w->put(w->context, "metadata", types, sizeof types - 1);
    put_clock(c);
    put_numbers(c);
    w->put(w->context, "metadata", streams, sizeof streams - 1);
    for (unsigned id = ID_ENTRY; id <= ID_DIAGNOSTIC; id++) {
        line(c, "event { id = %u; name = \"", id);
        w->put(w->context, "metadata", events[id], strlen(events[id]));
    }
    free(c);
}

const struct et_output et_output_ctf = {
    .name = "ctf",
    .help = "a folder in Common Trace Format 1.8, for babeltrace2 and Trace Compass",
    .wants = ET_OUTPUT_FOLDER,
    .begin = begin,
    .event = event,
    .diagnostic = diagnostic,
    .end = end,
};
