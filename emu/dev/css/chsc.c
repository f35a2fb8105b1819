/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CHANNEL SUBSYSTEM CALL. Commands, request and response blocks are those that Linux uses; the
   instruction is not in the Principles of Operation. */
#include "emu/dev/css/internal.h"

enum {
    COMMAND_PATH_DESCRIPTION = 0x0002,
    COMMAND_SUBCHANNEL_DESCRIPTION = 0x0004,
    COMMAND_EVENT_INFORMATION = 0x000e,
    COMMAND_CHARACTERISTICS = 0x0010,
    COMMAND_SET_DOMAIN = 0x0031,
};

enum {
    RESPONSE_DONE = 0x0001,
    RESPONSE_LENGTH = 0x0003,
    RESPONSE_UNKNOWN = 0x0004,
    RESPONSE_NO_EVENT = 0x0005,
    RESPONSE_FORMAT = 0x0007,
};

#define HEADER                8u /* response: length, code, a word of zeros */
#define REQUEST_LENGTH        16u
#define SET_DOMAIN_LENGTH     0x400u
#define OPERATION_ENABLE_SETS 0x0002u
#define CHARACTERISTICS       4080u
#define ORDINARY_PATH         0x1a /* FICON */

/* Finish a response of `data` bytes behind its header. */
static void respond(uint8_t *response, unsigned code, unsigned data)
{
    put16(response, (uint16_t)(HEADER + data));
    put16(response + 2, (uint16_t)code);
    put32(response + 4, 0);
}

/* A channel path exists when a device is behind it; *type as for descriptions. */
static bool path_exists(const struct css *css, unsigned path, uint8_t *type)
{
    for (unsigned set = 0; set < CSS_SETS; set++)
        for (unsigned i = 0; i < css->count[set]; i++) {
            const struct subchannel *s = css->subchannels[set][i];
            if (s->device && s->path == path) {
                *type = s->device->type->path_type ? s->device->type->path_type : ORDINARY_PATH;
                return true;
            }
        }
    return false;
}

static void path_descriptions(const struct css *css, const uint8_t *request, uint8_t *response)
{
    unsigned format = request[6] & 0x0f, first = request[7], last = request[11], data = 0;
    unsigned size = format ? 32 : 8;
    if (format > 1) {
        respond(response, RESPONSE_FORMAT, 0);
        return;
    }
    if (first > last || REQUEST_LENGTH + HEADER + (last - first + 1) * size > CPU_IO_BLOCK) {
        respond(response, RESPONSE_LENGTH, 0);
        return;
    }
    for (unsigned path = first; path <= last; path++) {
        uint8_t type, *at = response + HEADER + data;
        if (!path_exists(css, path, &type))
            continue;
        memset(at, 0, size);
        at[0] = 0x80; /* valid */
        at[2] = type;
        at[3] = (uint8_t)path;
        data += size;
    }
    respond(response, RESPONSE_DONE, data);
}

static void subchannel_descriptions(const struct css *css, const uint8_t *request, uint8_t *response)
{
    const unsigned size = 32;
    unsigned set = request[5] >> 4 & 3, first = get16(request + 6), last = get16(request + 10), data = 0;
    if (first > last || REQUEST_LENGTH + HEADER + (last - first + 1) * size > CPU_IO_BLOCK) {
        respond(response, RESPONSE_LENGTH, 0);
        return;
    }
    for (unsigned number = first; number <= last; number++) {
        const struct subchannel *s = css_subchannel_at(css, set, number);
        uint8_t *at = response + HEADER + data;
        memset(at, 0, size);
        put16(at + 6, (uint16_t)number);
        data += size;
        if (!s)
            continue;
        at[0] = s->device ? 0xc0 : 0x80; /* subchannel and device valid; an I/O subchannel */
        at[1] = s->device ? (uint8_t)s->device->number : 0;
        put16(at + 2, s->device ? s->device->number : 0);
        at[4] = s->pim;
        at[8] = s->path;
    }
    respond(response, RESPONSE_DONE, data);
}

static void characteristics(uint8_t *response)
{
    memset(response + HEADER, 0, CHARACTERISTICS - HEADER);
    /* General characteristics: adapter interruptions (41), several subchannel sets (45). */
    put32(response + HEADER + 4, BIT32(41 - 32) | BIT32(45 - 32));
    respond(response, RESPONSE_DONE, CHARACTERISTICS - HEADER);
}

static void set_domain(struct css *css, const uint8_t *request, uint8_t *response)
{
    unsigned code = RESPONSE_DONE;
    if (get16(request) != SET_DOMAIN_LENGTH)
        code = RESPONSE_LENGTH;
    else if (request[4] & 0x0f)
        code = RESPONSE_FORMAT;
    else if (get16(request + 6) != OPERATION_ENABLE_SETS)
        code = RESPONSE_LENGTH;
    else
        css->sets_enabled = true;
    respond(response, code, 0);
}

void css_call(struct css *css, uint8_t *block)
{
    const unsigned command = get16(block + 2);
    uint8_t *response = block + get16(block);
    if (command != COMMAND_SET_DOMAIN && get16(block) != REQUEST_LENGTH) {
        bool known = command == COMMAND_PATH_DESCRIPTION || command == COMMAND_SUBCHANNEL_DESCRIPTION ||
                     command == COMMAND_EVENT_INFORMATION || command == COMMAND_CHARACTERISTICS;
        respond(response, known ? RESPONSE_LENGTH : RESPONSE_UNKNOWN, 0);
        return;
    }
    switch (command) {
    case COMMAND_PATH_DESCRIPTION:
        path_descriptions(css, block, response);
        break;
    case COMMAND_SUBCHANNEL_DESCRIPTION:
        subchannel_descriptions(css, block, response);
        break;
    case COMMAND_EVENT_INFORMATION:
        respond(response, RESPONSE_NO_EVENT, 0);
        break;
    case COMMAND_CHARACTERISTICS:
        characteristics(response);
        break;
    case COMMAND_SET_DOMAIN:
        set_domain(css, block, response);
        break;
    default:
        respond(response, RESPONSE_UNKNOWN, 0);
        break;
    }
}
