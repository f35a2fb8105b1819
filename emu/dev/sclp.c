/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SERVICE CALL and the service-call control block (SCCB). Facts: LB-20 to LB-29. */
#include "emu/dev/sclp.h"
#include "cpu/access.h"
#include "cpu/interrupt.h"
#include "emu/ebcdic.h"
#include "emu/machine.h"

#define COMMAND_READ_SCP_INFO        0x00020001u
#define COMMAND_READ_SCP_INFO_FORCED 0x00120001u
#define COMMAND_READ_CPU_INFO        0x00010001u
#define COMMAND_WRITE_EVENT_DATA     0x00760005u
#define COMMAND_READ_EVENT_DATA      0x00770005u
#define COMMAND_WRITE_EVENT_MASK     0x00780005u

#define RESPONSE_BOUNDARY         0x0100
#define RESPONSE_READ_COMPLETE    0x0010
#define RESPONSE_COMPLETE         0x0020
#define RESPONSE_INVALID_COMMAND  0x01f0
#define RESPONSE_TOO_SHORT        0x0300
#define RESPONSE_INVALID_FUNCTION 0x40f0
#define RESPONSE_NO_EVENT         0x60f0
#define RESPONSE_SELECTION        0x70f0
#define RESPONSE_LENGTHS          0x72f0
#define RESPONSE_SYNTAX           0x73f0
#define RESPONSE_MASK_LENGTH      0x74f0
#define RESPONSE_EXCEEDS          0x75f0

#define SCCB_HEADER     8u
#define EVENT_HEADER    6u
#define EVENT_PROCESSED 0x80

/* Event types, and their bits in masks. */
enum { EVENT_OPERATOR_COMMAND = 0x01, EVENT_MESSAGE = 0x02, EVENT_ASCII = 0x1a, EVENT_QUIESCE = 0x1d };
#define EVENT_BIT(type)   BIT32((type)-1)
#define LINE_MODE_RECEIVE EVENT_BIT(EVENT_MESSAGE)
#define LINE_MODE_SEND    EVENT_BIT(EVENT_OPERATOR_COMMAND)
#define ASCII_BOTH        EVENT_BIT(EVENT_ASCII)
#define ALWAYS_SEND       EVENT_BIT(EVENT_QUIESCE)

void sclp_reset(struct sclp *sclp)
{
    memset(sclp, 0, sizeof *sclp);
    sclp->at_line_start = true;
}

static void output(struct machine *m, const char *text, size_t length)
{
    if (length && m->host.output)
        m->host.output(m->host.context, text, length);
    if (length)
        m->sclp.at_line_start = text[length - 1] == '\n';
}

/* ---- information ----------------------------------------------------------------------------------------------- */

static void cpu_entries(const struct machine *m, uint8_t *at)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        memset(at + 16 * i, 0, 16);
        at[16 * i] = (uint8_t)m->sys.cpus[i]->address;
    }
}

static uint16_t read_scp_info(const struct machine *m, uint8_t *sccb, unsigned length)
{
    const unsigned entries = 128;
    uint64_t mib = m->sys.storage.size >> 20, increment = 1;
    if (length < entries + 16 * m->sys.cpu_count)
        return RESPONSE_TOO_SHORT;
    while (mib / increment > 0xffff && increment < 128) /* what is not a whole increment is not reported */
        increment *= 2;
    if (mib / increment > 0xffff)
        mib = 0xffff * increment;
    memset(sccb + SCCB_HEADER, 0, length - SCCB_HEADER);
    put16(sccb + 8, (uint16_t)(mib / increment));
    sccb[10] = (uint8_t)increment;
    put16(sccb + 16, (uint16_t)m->sys.cpu_count);
    put16(sccb + 18, (uint16_t)entries);
    memset(sccb + 24, 0x40, 8); /* load parameter: blanks */
    put64(sccb + 48, UINT64_C(0x0800000000000000));
    put16(sccb + 120, (uint16_t)(m->sys.cpu_count - 1));
    cpu_entries(m, sccb + entries);
    return RESPONSE_READ_COMPLETE;
}

static uint16_t read_cpu_info(const struct machine *m, uint8_t *sccb, unsigned length)
{
    const unsigned entries = 32;
    if (length < entries + 16 * m->sys.cpu_count)
        return RESPONSE_TOO_SHORT;
    memset(sccb + SCCB_HEADER, 0, length - SCCB_HEADER);
    put16(sccb + 8, (uint16_t)m->sys.cpu_count);
    put16(sccb + 10, (uint16_t)entries);
    put16(sccb + 14, (uint16_t)(entries + 16 * m->sys.cpu_count));
    cpu_entries(m, sccb + entries);
    return RESPONSE_READ_COMPLETE;
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static uint32_t get_mask(const uint8_t *at, unsigned length)
{
    uint8_t bytes[4] = {0};
    memcpy(bytes, at, length < 4 ? length : 4);
    return get32(bytes);
}

static void put_mask(uint8_t *at, unsigned length, uint32_t mask)
{
    uint8_t bytes[4];
    put32(bytes, mask);
    memset(at, 0, length);
    memcpy(at, bytes, length < 4 ? length : 4);
}

static uint16_t write_event_mask(struct machine *m, uint8_t *sccb, unsigned length)
{
    if (length < 12)
        return RESPONSE_TOO_SHORT;
    unsigned n = get16(sccb + 10);
    if (n == 0 || n > 8)
        return RESPONSE_MASK_LENGTH;
    if (length < 12 + 4 * n)
        return RESPONSE_TOO_SHORT;
    m->sclp.receive_mask = get_mask(sccb + 12, n);
    m->sclp.send_mask = get_mask(sccb + 12 + n, n);
    uint32_t ascii = m->config.consoles & SCLP_ASCII ? ASCII_BOTH : 0;
    bool lines = m->config.consoles & SCLP_LINE_MODE;
    put_mask(sccb + 12 + 2 * n, n, ascii | (lines ? LINE_MODE_RECEIVE : 0));
    put_mask(sccb + 12 + 3 * n, n, ascii | (lines ? LINE_MODE_SEND : 0) | ALWAYS_SEND);
    return RESPONSE_COMPLETE;
}

/* One line of EBCDIC text. */
static void print_ebcdic(struct machine *m, const uint8_t *text, unsigned length)
{
    char line[2 * 256 + 2];
    size_t used = 0;
    for (unsigned i = 0; i < length; i++) {
        unsigned char c = emu_from_ebcdic(text[i]);
        if (c == 0)
            continue;
        if (c >= 0x80) { /* as UTF-8 */
            line[used++] = (char)(0xc0 | c >> 6);
            c = 0x80 | (c & 0x3f);
        }
        line[used++] = (char)c;
        if (used >= sizeof line - 2) {
            output(m, line, used);
            used = 0;
        }
    }
    line[used++] = '\n';
    output(m, line, used);
}

/* A message event: a message data block with any number of objects, each text object a line. False: malformed. */
static bool message(struct machine *m, const uint8_t *event, unsigned length)
{
    unsigned at = EVENT_HEADER;
    if (length < at + 12 || get16(event + at) < 12 || get16(event + at) > length - at)
        return false;
    unsigned end = at + get16(event + at);
    if (get16(event + at + 2) != 1 || get32(event + at + 4) != 0xd4c4c240)
        return false;
    for (at += 12; at + 4 <= end;) {
        unsigned n = get16(event + at), type = get16(event + at + 2);
        if (n < 4 || n > end - at)
            return false;
        if (type == 4) {
            if (n < 10)
                return false;
            print_ebcdic(m, event + at + 10, n - 10);
        }
        at += n;
    }
    return true;
}

/* Guest output: every event buffer of the SCCB. */
static uint16_t write_event_data(struct machine *m, uint8_t *sccb, unsigned length)
{
    for (unsigned at = SCCB_HEADER; at < length;) {
        uint8_t *event = sccb + at;
        if (length - at < EVENT_HEADER)
            return RESPONSE_LENGTHS;
        unsigned n = get16(event);
        if (n < EVENT_HEADER || n > length - at)
            return RESPONSE_LENGTHS;
        if (event[2] == EVENT_MESSAGE) {
            if (!message(m, event, n))
                return RESPONSE_SYNTAX;
        } else if (event[2] == EVENT_ASCII && (m->config.consoles & SCLP_ASCII)) {
            output(m, (const char *)event + EVENT_HEADER, n - EVENT_HEADER);
        } else {
            return RESPONSE_INVALID_FUNCTION;
        }
        event[3] |= EVENT_PROCESSED;
        at += n;
    }
    return RESPONSE_COMPLETE;
}

/* Which events wait for the guest, of those that it listens to. */
static uint32_t waiting(const struct machine *m)
{
    uint32_t types = (m->sclp.line_length ? EVENT_BIT(EVENT_OPERATOR_COMMAND) : 0) |
                     (m->sclp.key_length ? EVENT_BIT(EVENT_ASCII) : 0) |
                     (m->sclp.quiesce ? EVENT_BIT(EVENT_QUIESCE) : 0);
    return types & m->sclp.receive_mask;
}

/* Put the first typed line into an event buffer; returns its length, 0: no room. */
static unsigned line_event(struct machine *m, uint8_t *event, unsigned room)
{
    const char *newline = memchr(m->sclp.line, '\n', m->sclp.line_length);
    size_t n = newline ? (size_t)(newline - m->sclp.line) : m->sclp.line_length, text = n < 200 ? n : 200;
    unsigned length = EVENT_HEADER + 16 + (unsigned)text;
    if (length > room)
        return 0;
    memset(event, 0, length);
    put16(event, (uint16_t)length);
    event[2] = EVENT_OPERATOR_COMMAND;
    uint8_t *v = event + EVENT_HEADER;
    put16(v, (uint16_t)(16 + text));
    put16(v + 2, 0x1310);
    put16(v + 4, (uint16_t)(12 + text));
    put16(v + 6, 0x1212);
    put16(v + 8, (uint16_t)(8 + text));
    put16(v + 10, 0x1320);
    v[12] = (uint8_t)(4 + text);
    v[13] = 0x31;
    v[14] = (uint8_t)(2 + text);
    v[15] = 0x30;
    for (size_t i = 0; i < text; i++)
        v[16 + i] = emu_to_ebcdic((unsigned char)m->sclp.line[i]);
    n += newline != NULL;
    memmove(m->sclp.line, m->sclp.line + n, m->sclp.line_length - n);
    m->sclp.line_length -= n;
    return length;
}

static unsigned key_event(struct machine *m, uint8_t *event, unsigned room)
{
    size_t n = m->sclp.key_length;
    if (room < EVENT_HEADER + 2)
        return 0;
    if (n > room - EVENT_HEADER - 1)
        n = room - EVENT_HEADER - 1;
    memset(event, 0, EVENT_HEADER + 1);
    put16(event, (uint16_t)(EVENT_HEADER + 1 + n));
    event[2] = EVENT_ASCII;
    memcpy(event + EVENT_HEADER + 1, m->sclp.keys, n);
    memmove(m->sclp.keys, m->sclp.keys + n, m->sclp.key_length - n);
    m->sclp.key_length -= n;
    return EVENT_HEADER + 1 + (unsigned)n;
}

static uint16_t read_event_data(struct machine *m, uint8_t *sccb, unsigned length)
{
    uint32_t types = waiting(m);
    unsigned n = 0, room = length - SCCB_HEADER;
    uint8_t *event = sccb + SCCB_HEADER;
    if (sccb[2] == 1 && length >= SCCB_HEADER + 4)
        types &= get32(event); /* selective read */
    else if (sccb[2] > 1)
        return RESPONSE_INVALID_FUNCTION;
    if (!types)
        return RESPONSE_NO_EVENT;
    if (types & EVENT_BIT(EVENT_OPERATOR_COMMAND)) {
        n = line_event(m, event, room);
    } else if (types & EVENT_BIT(EVENT_ASCII)) {
        n = key_event(m, event, room);
    } else if (room >= EVENT_HEADER + 3) {
        n = EVENT_HEADER + 3;
        memset(event, 0, n);
        put16(event, (uint16_t)n);
        event[2] = EVENT_QUIESCE;
        m->sclp.quiesce = false;
    }
    if (!n)
        return RESPONSE_EXCEEDS;
    if (sccb[5] & 0x80)
        put16(sccb, (uint16_t)(SCCB_HEADER + n));
    return RESPONSE_COMPLETE;
}

/* ---- SERVICE CALL ---------------------------------------------------------------------------------------------- */

static uint16_t carry_out(struct machine *m, uint32_t command, uint8_t *sccb, unsigned length)
{
    switch (command) {
    case COMMAND_READ_SCP_INFO:
    case COMMAND_READ_SCP_INFO_FORCED:
        return read_scp_info(m, sccb, length);
    case COMMAND_READ_CPU_INFO:
        return read_cpu_info(m, sccb, length);
    case COMMAND_WRITE_EVENT_MASK:
        return write_event_mask(m, sccb, length);
    case COMMAND_WRITE_EVENT_DATA:
        return write_event_data(m, sccb, length);
    case COMMAND_READ_EVENT_DATA:
        return read_event_data(m, sccb, length);
    default:
        return RESPONSE_INVALID_COMMAND;
    }
}

int sclp_service_call(void *machine, struct cpu *cpu, uint32_t command, uint64_t sccb, unsigned *cc)
{
    struct machine *m = machine;
    if (sccb & ~UINT64_C(0x7ffffff8))
        return PIC_SPECIFICATION;
    uint64_t absolute = cpu_real_to_absolute(cpu, sccb);
    if (!storage_has(&m->sys.storage, absolute, SCCB_HEADER))
        return PIC_ADDRESSING;
    if ((absolute & ~UINT64_C(0x1fff)) == cpu->prefix)
        return PIC_SPECIFICATION;
    uint8_t *host = m->sys.storage.bytes + absolute;
    unsigned length = get16(host);
    if (length < SCCB_HEADER)
        return PIC_SPECIFICATION;
    uint16_t response = RESPONSE_BOUNDARY;
    if ((absolute & 0xfff) + length <= PAGE_SIZE_Z)
        response = carry_out(m, command, host, length);
    put16(host + 6, response);
    cpu_code_written(&m->sys, absolute, length);
    m->sys.storage.keys[absolute >> PAGE_BITS] |= KEY_R | KEY_C;
    cpu_raise_service_signal(&m->sys, (uint32_t)sccb | (waiting(m) ? 1 : 0));
    *cc = 0;
    return 0;
}

/* ---- input ----------------------------------------------------------------------------------------------------- */

static void event_pending(struct machine *m)
{
    if (waiting(m))
        cpu_raise_service_signal(&m->sys, 1);
}

bool sclp_listens_lines(const struct machine *m) { return m->sclp.receive_mask & EVENT_BIT(EVENT_OPERATOR_COMMAND); }

bool sclp_listens_keys(const struct machine *m) { return m->sclp.receive_mask & EVENT_BIT(EVENT_ASCII); }

bool sclp_input_line(struct machine *m, const char *text)
{
    size_t n = strlen(text);
    if (!sclp_listens_lines(m) || m->sclp.line_length + n + 1 > sizeof m->sclp.line)
        return false;
    memcpy(m->sclp.line + m->sclp.line_length, text, n);
    m->sclp.line_length += n;
    m->sclp.line[m->sclp.line_length++] = '\n';
    event_pending(m);
    return true;
}

bool sclp_input_keys(struct machine *m, const char *text, size_t length)
{
    if (!sclp_listens_keys(m) || m->sclp.key_length + length > sizeof m->sclp.keys)
        return false;
    memcpy(m->sclp.keys + m->sclp.key_length, text, length);
    m->sclp.key_length += length;
    event_pending(m);
    return true;
}

bool sclp_quiesce(struct machine *m)
{
    if (!(m->sclp.receive_mask & EVENT_BIT(EVENT_QUIESCE)))
        return false;
    m->sclp.quiesce = true;
    event_pending(m);
    return true;
}
