/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of an RI log. Each field stands once in a table, from which writing and reading follow. */
#include "ri/log.h"
#include "ri/internal.h"
#include "ri/text.h"
#include <string.h>

static const char magic[8] = "zriRIlog";

struct place {
    uint8_t at, width;
    uint8_t offset, size; /* of the member */
};
#define PLACE(type, at, width, member)                                                                                 \
    {                                                                                                                  \
        at, width, offsetof(struct type, member), sizeof(((struct type *)0)->member)                                   \
    }
static const struct place header_places[] = {
    PLACE(ri_log_header, 8, 2, format),     PLACE(ri_log_header, 10, 2, version),
    PLACE(ri_log_header, 12, 2, cpus),      PLACE(ri_log_header, 14, 2, cb_entries),
    PLACE(ri_log_header, 16, 1, secondary), PLACE(ri_log_header, 17, 1, rgs_max),
    PLACE(ri_log_header, 24, 8, tod),
};
enum { HEADER_PROFILE = 32, HEADER_RI_PROFILE = 64 };
/* In front of these stand the length of the entry (4 bytes) and its kind (2). */
enum { KIND_GROUP = 1 };
static const struct place group_places[] = {
    PLACE(ri_log_group, 6, 2, cpu),       PLACE(ri_log_group, 8, 8, tod),       PLACE(ri_log_group, 16, 8, asce),
    PLACE(ri_log_group, 24, 8, psw_mask), PLACE(ri_log_group, 32, 8, psw_next), PLACE(ri_log_group, 40, 8, address),
    PLACE(ri_log_group, 48, 8, roa),      PLACE(ri_log_group, 56, 1, mode),     PLACE(ri_log_group, 57, 1, rgs),
    PLACE(ri_log_group, 58, 1, key),      PLACE(ri_log_group, 59, 1, home),     PLACE(ri_log_group, 60, 1, full),
    PLACE(ri_log_group, 62, 2, count),
};

static void put(uint8_t *bytes, unsigned width, uint64_t value)
{
    while (width--) {
        bytes[width] = (uint8_t)value;
        value >>= 8;
    }
}

static uint64_t get(const uint8_t *bytes, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value = value << 8 | bytes[i];
    return value;
}

static void put_places(const struct place *places, size_t count, const void *from, uint8_t *bytes)
{
    for (size_t i = 0; i < count; i++) {
        const char *member = (const char *)from + places[i].offset;
        uint16_t half;
        uint64_t value;
        if (places[i].size == 1) {
            value = *(const uint8_t *)member;
        } else if (places[i].size == 2) {
            memcpy(&half, member, sizeof half);
            value = half;
        } else {
            memcpy(&value, member, sizeof value);
        }
        put(bytes + places[i].at, places[i].width, value);
    }
}

static void get_places(const struct place *places, size_t count, const uint8_t *bytes, void *to)
{
    for (size_t i = 0; i < count; i++) {
        char *member = (char *)to + places[i].offset;
        uint64_t value = get(bytes + places[i].at, places[i].width);
        uint16_t half = (uint16_t)value;
        if (places[i].size == 1)
            *(uint8_t *)member = (uint8_t)value;
        else if (places[i].size == 2)
            memcpy(member, &half, sizeof half);
        else
            memcpy(member, &value, sizeof value);
    }
}
#define COUNT(places) (sizeof(places) / sizeof *(places))

void ri_log_put_header(const struct ri_log_header *header, uint8_t bytes[RI_LOG_HEADER])
{
    memset(bytes, 0, RI_LOG_HEADER);
    memcpy(bytes, magic, sizeof magic);
    put_places(header_places, COUNT(header_places), header, bytes);
    memcpy(bytes + HEADER_PROFILE, header->profile, sizeof header->profile);
    memcpy(bytes + HEADER_RI_PROFILE, header->ri_profile, sizeof header->ri_profile);
}

/* A name that a person may see: letters only as far as they are printable, NUL at the end. */
static void get_name(const uint8_t *bytes, char *name, size_t size)
{
    memset(name, 0, size);
    for (size_t i = 0; i + 1 < size && bytes[i]; i++)
        name[i] = bytes[i] > ' ' && bytes[i] < 0x7f && bytes[i] != '"' && bytes[i] != '\\' ? (char)bytes[i] : '?';
}

const char *ri_log_get_header(const uint8_t bytes[RI_LOG_HEADER], struct ri_log_header *header)
{
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return "it is neither an RI log nor a program buffer (which begins with a begin record)";
    memset(header, 0, sizeof *header);
    get_places(header_places, COUNT(header_places), bytes, header);
    get_name(bytes + HEADER_PROFILE, header->profile, sizeof header->profile);
    get_name(bytes + HEADER_RI_PROFILE, header->ri_profile, sizeof header->ri_profile);
    return header->format == RI_LOG_FORMAT ? NULL : "it is an RI log of a format that this version does not know";
}

bool ri_log_controls_differ(const struct ri_controls *a, const struct ri_controls *b)
{
    uint8_t blocks[2][RI_BLOCK_SIZE];
    for (unsigned i = 0; i < 2; i++) {
        struct ri_controls c = i ? *b : *a;
        c.rca = c.rsic = 0;
        c.a = c.g = c.l = c.mae = 0;
        ri_controls_encode(&c, blocks[i]);
    }
    return memcmp(blocks[0], blocks[1], RI_BLOCK_SIZE) != 0;
}

size_t ri_log_put_group(const struct ri_log_group *group, const struct ri_record *records,
                        const struct ri_controls *controls, uint8_t bytes[RI_LOG_ENTRY])
{
    const size_t length = RI_LOG_HEAD + ri_log_rest(group);
    memset(bytes, 0, RI_LOG_HEAD);
    put(bytes, 4, length);
    put(bytes + 4, 2, KIND_GROUP);
    put_places(group_places, COUNT(group_places), group, bytes);
    for (unsigned i = 0; i < group->count; i++) {
        put64(bytes + RI_LOG_HEAD + 16 * i, records[i].hi);
        put64(bytes + RI_LOG_HEAD + 16 * i + 8, records[i].lo);
    }
    if (group->controls)
        ri_controls_encode(controls, bytes + length - RI_BLOCK_SIZE);
    return length;
}

const char *ri_log_get_group(const uint8_t bytes[RI_LOG_HEAD], struct ri_log_group *group)
{
    memset(group, 0, sizeof *group);
    get_places(group_places, COUNT(group_places), bytes, group);
    if (get(bytes + 4, 2) != KIND_GROUP)
        return "is of an unknown kind";
    if (group->rgs > 7 || group->count != ri_group_count(group->rgs))
        return "has a number of records that does not fit its group size";
    const uint64_t length = get(bytes, 4);
    group->controls = length == RI_LOG_HEAD + 16u * group->count + RI_BLOCK_SIZE;
    return length == RI_LOG_HEAD + ri_log_rest(group) ? NULL : "has a length that does not fit its records";
}

const char *ri_group_wrong(const uint8_t *bytes, unsigned count, bool first)
{
    if (bytes[0] != (first ? RI_TYPE_BEGIN : RI_TYPE_TIMESTAMP))
        return first ? "does not begin with a begin record" : "does not begin with a timestamp record";
    if (bytes[16 * (count - 1)] != RI_TYPE_INSTRUCTION)
        return "does not end with an instruction record";
    for (unsigned i = 1; i + 1 < count; i++) {
        unsigned type = bytes[16 * i];
        bool extra = type == RI_TYPE_EXTRA && i + 2 == count;
        if (type != RI_TYPE_FILLER && !extra && (type < RI_TYPE_EMIT || !ri_type_name(type)))
            return "has a record of a type that cannot be there";
    }
    return NULL;
}
