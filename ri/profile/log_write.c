/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/log_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int put(struct ep_log_writer *w, const void *bytes, size_t size)
{
    if (!w->bad) {
        w->crc = ep_crc32(w->crc, bytes, size);
        w->bad = w->sink.put(w->sink.context, bytes, size);
    }
    return w->bad;
}

/* A record: `size` bytes with its head, which is made here, and `text` behind them, with its length. */
static int record(struct ep_log_writer *w, unsigned type, unsigned flags, uint8_t *bytes, size_t size, const char *text)
{
    static const uint8_t zeros[8];
    uint8_t length[4];
    const size_t named = text ? strlen(text) : 0, used = size + (text ? sizeof length + named : 0), rest = -used & 7;
    if (named > LOG_TEXT)
        return -EINVAL;
    put16(bytes, (uint16_t)type);
    put16(bytes + 2, (uint16_t)flags);
    put32(bytes + 4, (uint32_t)(used + rest));
    put32(length, (uint32_t)named);
    put(w, bytes, size);
    if (text) {
        put(w, length, sizeof length);
        put(w, text, named);
    }
    return put(w, zeros, rest);
}

int ep_log_begin(struct ep_log_writer *w, const struct ep_sink *sink, const struct ep_log_header *header)
{
    const struct ep_parameters *p = &header->parameters;
    uint8_t bytes[LOG_HEADER] = LOG_MAGIC;
    *w = (struct ep_log_writer){.sink = *sink};
    if (header->cpus > EP_LOG_CPUS)
        return -EINVAL;
    put16(bytes + 8, 1);
    put16(bytes + 10, LOG_HEADER);
    put32(bytes + 12, LOG_HAS_ORIGINS | (header->ri ? LOG_IS_RI : 0) | (p->event == EP_EVENT_CALL ? LOG_IS_CALLS : 0));
    put16(bytes + 16, (uint16_t)(p->event + 1));
    put16(bytes + 18, (uint16_t)p->tbt);
    put16(bytes + 20, (uint16_t)header->cbt);
    put16(bytes + 22, (uint16_t)header->cpus);
    put64(bytes + 24, p->base);
    put64(bytes + 32, p->delta);
    put64(bytes + 40, p->seed);
    return put(w, bytes, sizeof bytes);
}

int ep_log_parameter(struct ep_log_writer *w, const char *key, const char *value)
{
    uint8_t head[LOG_HEAD];
    char text[LOG_TEXT + 1];
    const size_t k = strlen(key), v = strlen(value);
    if (k + 1 + v > LOG_TEXT)
        return -EINVAL;
    memcpy(text, key, k);
    text[k] = '=';
    memcpy(text + k + 1, value, v + 1);
    return record(w, LOG_PARAM, 0, head, sizeof head, text);
}

int ep_log_space(struct ep_log_writer *w, uint32_t number, const struct ep_space *space)
{
    uint8_t bytes[24];
    uint32_t kind = 0;
    while (kind < EP_SPACE_KINDS && log_space_kinds[kind] != space->kind)
        kind++;
    put32(bytes + 8, number);
    put32(bytes + 12, kind);
    put64(bytes + 16, space->token);
    return record(w, LOG_SPACE, 0, bytes, sizeof bytes, space->name ? space->name : "");
}

int ep_log_module(struct ep_log_writer *w, const struct ep_log_module *module)
{
    const struct ep_module *m = &module->module;
    uint8_t bytes[88] = {0};
    put32(bytes + 8, m->space);
    put64(bytes + 16, m->start);
    put64(bytes + 24, m->end);
    put64(bytes + 32, m->bias);
    put64(bytes + 40, module->first_epoch);
    put64(bytes + 48, module->last_epoch);
    if (m->has_digest)
        memcpy(bytes + 56, m->digest, sizeof m->digest);
    return record(w, LOG_MODULE, 0, bytes, sizeof bytes, m->name ? m->name : "");
}

int ep_log_changed(struct ep_log_writer *w, uint32_t space, uint64_t page, uint64_t epoch)
{
    uint8_t bytes[32] = {0};
    put32(bytes + 8, space);
    put64(bytes + 16, page);
    put64(bytes + 24, epoch);
    return record(w, LOG_CODEMOD, 0, bytes, sizeof bytes, NULL);
}

int ep_log_target(struct ep_log_writer *w, uint16_t cpu, struct ep_place at, const struct ep_target *target)
{
    uint8_t bytes[40] = {0};
    struct dis_insn insn;
    dis_decode(target->bytes, &insn);
    put32(bytes + 8, at.space);
    put16(bytes + 12, cpu);
    put16(bytes + 14, (uint16_t)dis_edge_class(&insn));
    put64(bytes + 16, at.address);
    put64(bytes + 24, target->event);
    memcpy(bytes + 32, target->bytes, sizeof target->bytes);
    return record(w, LOG_EXTARGET, 0, bytes, sizeof bytes, NULL);
}

int ep_log_lost(struct ep_log_writer *w, uint16_t cpu, unsigned reason, uint64_t count)
{
    uint8_t bytes[24] = {0};
    put16(bytes + 8, cpu);
    put16(bytes + 10, (uint16_t)reason);
    put64(bytes + 16, count);
    return record(w, LOG_LOST, 0, bytes, sizeof bytes, NULL);
}

static void put_entry(uint8_t *bytes, const struct ep_entry *e, uint64_t event)
{
    const uint64_t distance = event > e->event ? event - e->event : 0;
    memset(bytes, 0, LOG_ENTRY);
    put64(bytes, e->from.address);
    put64(bytes + 8, e->to.address);
    put64(bytes + 16, e->epoch);
    put32(bytes + 24, e->to.space);
    put32(bytes + 28, e->from.space);
    put32(bytes + 32, (uint32_t)(distance < UINT32_MAX ? distance : UINT32_MAX));
    bytes[36] = e->kind;
    bytes[37] = (uint8_t)((e->executed ? LOG_ENTRY_EXECUTED : 0) | (e->not_taken ? LOG_ENTRY_NOT_TAKEN : 0) |
                          e->from.mode << LOG_FROM_SHIFT | e->to.mode << LOG_TO_SHIFT | e->reason << LOG_REASON_SHIFT);
}

int ep_log_sample(struct ep_log_writer *w, const struct ep_sample *s)
{
    const struct ep_trigger *t = &s->trigger;
    const size_t size = LOG_SAMPLE + (size_t)s->count * LOG_ENTRY;
    if (size > LOG_MOST)
        return -EINVAL;
    uint8_t *bytes = calloc(1, size);
    if (!bytes)
        return -ENOMEM;
    put64(bytes + 8, t->event);
    put64(bytes + 16, t->at.address);
    put32(bytes + 24, t->at.space);
    put16(bytes + 28, s->cpu);
    put16(bytes + 30, (uint16_t)s->count);
    put64(bytes + 32, t->interval);
    put64(bytes + 40, s->origin_valid ? s->origin.address : 0);
    put32(bytes + 48, s->origin_valid ? s->origin.space : 0);
    bytes[52] = (uint8_t)((t->branch ? LOG_IS_BRANCH : 0) | (t->taken ? LOG_IS_TAKEN : 0) | LOG_HAS_ADDRESS |
                          (s->origin_valid ? LOG_HAS_ORIGIN : 0) | (t->executed ? LOG_EXECUTED : 0));
    bytes[53] = t->at.mode;
    bytes[54] = s->origin_valid ? s->origin.mode : 0;
    for (unsigned i = 0; i < s->count; i++)
        put_entry(bytes + LOG_SAMPLE + (size_t)i * LOG_ENTRY, &s->entry[i], t->event);
    const int bad = record(w, LOG_TRACE, s->cut ? LOG_WAS_CUT : 0, bytes, size, NULL);
    free(bytes);
    return bad;
}

int ep_log_end(struct ep_log_writer *w, const uint64_t *events, unsigned cpus)
{
    uint8_t bytes[16 + 8 * EP_LOG_CPUS] = {0}, check[8] = {0};
    const size_t size = 16 + 8 * (size_t)cpus;
    if (cpus > EP_LOG_CPUS)
        return -EINVAL;
    put16(bytes, LOG_END);
    put32(bytes + 4, (uint32_t)(size + sizeof check));
    put32(bytes + 8, cpus);
    for (unsigned i = 0; i < cpus; i++)
        put64(bytes + 16 + 8 * (size_t)i, events[i]);
    put(w, bytes, size);
    put32(check, w->crc);
    return put(w, check, sizeof check);
}
