/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of the specification's example (3.2), and the lines of an invented source, as an exporter is given them. */
#ifndef ZRI_TESTS_UNIT_EP_SOURCE_H
#define ZRI_TESTS_UNIT_EP_SOURCE_H

#include "ri/profile/show/source.h"
#include <string.h>

#define EP_SOURCE_BASE 0x10000u
static const uint8_t ep_source_code[] = {
    0xa7, 0x59, 0x00, 0x03, 0xa7, 0x29, 0x00, 0x01, 0xa7, 0x39, 0x00, 0x01, 0xa7, 0x49, 0x00, 0x02, 0xec, 0x24,
    0x00, 0x04, 0x05, 0x7e, 0x07, 0x00, 0xa7, 0x31, 0x00, 0x01, 0xa7, 0x74, 0x00, 0x04, 0xa7, 0x4b, 0x00, 0x05,
    0xb9, 0x02, 0x00, 0x44, 0xa7, 0x84, 0x00, 0x0c, 0xb9, 0x04, 0x00, 0x64, 0xec, 0x62, 0x00, 0x04, 0x00, 0x7d,
    0x07, 0x00, 0xa7, 0x2b, 0x00, 0x02, 0xa7, 0x57, 0xff, 0xea, 0xa7, 0x29, 0x00, 0x00, 0x0a, 0x01};

struct ep_lines { /* what frames() tells from `address` on */
    uint64_t address;
    struct ep_frame frame[3];
    unsigned frames;
};
struct ep_code_source {
    const uint8_t *code;
    size_t size;
    uint64_t base;
    const struct ep_lines *lines; /* in the order of addresses; NULL: none */
    unsigned count;
};

static inline bool ep_source_given(void *context, uint32_t module)
{
    const struct ep_code_source *s = context;
    return s->code && module == 0;
}
static inline bool ep_source_first(void *context, uint32_t module, uint64_t *address)
{
    *address = ((const struct ep_code_source *)context)->base;
    return ep_source_given(context, module);
}
static inline bool ep_source_bytes(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    const struct ep_code_source *s = context;
    const uint64_t offset = address - s->base;
    if (space || offset >= s->size)
        return false;
    memcpy(bytes, s->code + offset, s->size - offset < 6 ? s->size - offset : 6);
    return true;
}
static inline unsigned ep_source_frames(void *context, uint32_t space, uint64_t address, struct ep_frame *frame,
                                        unsigned most)
{
    const struct ep_code_source *s = context;
    const struct ep_lines *found = NULL;
    for (unsigned i = 0; i < s->count && s->lines[i].address <= address; i++)
        found = &s->lines[i];
    if (space || !found)
        return 0;
    for (unsigned i = 0; i < found->frames && i < most; i++)
        frame[i] = found->frame[i];
    return found->frames < most ? found->frames : most;
}
/* Its lines, one more that was never executed, and one function, up to 1003e. */
static inline int ep_source_list(void *context, uint32_t module, const struct ep_source_listener *listener)
{
    const struct ep_code_source *s = context;
    int bad = module || !s->count ? 0 : listener->line(listener->context, "/src/a.c", 99);
    for (unsigned i = 0; i < s->count && !bad; i++)
        bad = listener->line(listener->context, s->lines[i].frame[0].file, s->lines[i].frame[0].line);
    if (!bad && s->count)
        bad = listener->function(listener->context, &s->lines[0].frame[0], s->lines[0].address, s->base + 0x3e);
    return bad;
}
static inline struct ep_source ep_source_of(struct ep_code_source *s)
{
    return (struct ep_source){s, ep_source_given, ep_source_first, ep_source_bytes, ep_source_frames, ep_source_list};
}

#endif
