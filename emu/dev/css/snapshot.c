/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channel subsystem in a snapshot: its own state, and for each subchannel the words that its device was attached
   with, its state and the device's. Loading attaches the devices anew. */
#include "emu/dev/css/snapshot.h"
#include "emu/dev/css/internal.h"
#include "emu/state/machine.h"
#include <stdlib.h>
#include <string.h>

#define LONGEST_WORDS 4096u

static void number(const struct channel_fields *f, void *place, unsigned size) { f->number(f->context, place, size); }
#define NUMBER(member) number(f, &(member), sizeof(member))

static void refuse(const struct channel_fields *f, const char *why)
{
    if (f->loading)
        f->refuse(f->context, why);
}

static void flag(const struct channel_fields *f, bool *place)
{
    uint8_t value = !f->loading && *place;
    number(f, &value, 1);
    if (value > 1)
        refuse(f, "a flag is neither 0 nor 1");
    *place = value == 1;
}

static void path_management(const struct channel_fields *f, struct subchannel *s)
{
    NUMBER(s->parameter);
    NUMBER(s->word6);
    NUMBER(s->flags);
    NUMBER(s->block_index);
    NUMBER(s->lpm);
    NUMBER(s->pnom);
    NUMBER(s->lpum);
    NUMBER(s->pim);
    NUMBER(s->pom);
    NUMBER(s->pam);
    NUMBER(s->path);
    if ((s->flags & PMCW_RESERVED) || !(s->flags & PMCW_VALID) != !s->device)
        refuse(f, "a subchannel is not possible");
}

static void status(const struct channel_fields *f, struct subchannel *s)
{
    NUMBER(s->scsw);
    NUMBER(s->ccw_address);
    NUMBER(s->device_status);
    NUMBER(s->status);
    NUMBER(s->count);
    NUMBER(s->sense_length);
    f->bytes(f->context, s->sense, sizeof s->sense);
    flag(f, &s->interruption);
    NUMBER(s->order);
    NUMBER(s->unsolicited);
    if (s->sense_length > sizeof s->sense) {
        s->sense_length = 0;
        refuse(f, "more sense information than there can be");
    }
}

static void program(const struct channel_fields *f, struct subchannel *s)
{
    NUMBER(s->orb);
    NUMBER(s->phase);
    flag(f, &s->failed);
    flag(f, &s->excess);
    flag(f, &s->moved);
    NUMBER(s->previous);
    NUMBER(s->command);
    NUMBER(s->ending);
    NUMBER(s->left);
    NUMBER(s->ccw.command);
    NUMBER(s->ccw.flags);
    NUMBER(s->ccw.count);
    NUMBER(s->ccw.address);
    NUMBER(s->at);
    NUMBER(s->next);
    NUMBER(s->due);
    NUMBER(s->timer);
    NUMBER(s->started);
    NUMBER(s->begun);
    NUMBER(s->pending_rest);
    NUMBER(s->connect_rest);
    if (s->phase > PHASE_ENDING || (s->phase != PHASE_IDLE && !s->device)) {
        s->phase = PHASE_IDLE;
        s->due = 0;
        refuse(f, "a channel program stands nowhere");
    }
}

/* The words of the device, "" when there is none. Loading attaches it. */
static void device(const struct channel_fields *f, struct css *css, struct subchannel *s)
{
    char words[LONGEST_WORDS + 1] = "", error[256];
    uint16_t length = s->device ? (uint16_t)strlen(s->words) : 0, id = s->device ? s->device->number : 0;
    NUMBER(length);
    NUMBER(id);
    if (length > LONGEST_WORDS)
        refuse(f, "the words of a device are too long");
    if (f->refused(f->context))
        return;
    if (!f->loading)
        memcpy(words, s->device ? s->words : "", length);
    f->bytes(f->context, words, length);
    if (f->in_place && f->loading &&
        (length != (s->device ? strlen(s->words) : 0) ||
         (length && (memcmp(words, s->words, length) != 0 || id != s->device->number))))
        refuse(f, "a device was attached or taken away meanwhile");
    else if (!f->in_place && f->loading && length && !f->refused(f->context) &&
             css_attach_words(css, s, id, words, error, sizeof error))
        refuse(f, error);
    if (!s->device || f->refused(f->context))
        return;
    f->bytes(f->context, s->device->sense, sizeof s->device->sense);
    NUMBER(s->device->block_io.block_size);
    NUMBER(s->device->block_io.offset);
    if (s->device->type->fields)
        s->device->type->fields(s->device, f);
}

static void one(const struct channel_fields *f, struct css *css, struct subchannel *s)
{
    device(f, css, s);
    if (f->refused(f->context))
        return;
    path_management(f, s);
    status(f, s);
    program(f, s);
    if (f->loading && s->interruption)
        css->requests[css_isc(s)]++;
}

/* Block I/O of DIAGNOSE X'250' that has ended and is to be told about. */
static void block_io(const struct channel_fields *f, struct cpu_system *sys)
{
    uint32_t count = sys->block_io_count;
    NUMBER(count);
    if (count > CPU_BLOCK_IO)
        refuse(f, "more block I/O than there can be");
    for (unsigned i = 0; i < count && !f->refused(f->context); i++) {
        NUMBER(sys->block_io[i].what);
        NUMBER(sys->block_io[i].parameter);
    }
    sys->block_io_count = f->refused(f->context) ? 0 : count;
}

void css_fields(struct css *css, const struct channel_fields *f)
{
    uint32_t reports = css->report_count;
    if (f->loading)
        memset(css->requests, 0, sizeof css->requests);
    flag(f, &css->machine->config.private_media);
    flag(f, &css->sets_enabled);
    NUMBER(css->now);
    NUMBER(css->orders);
    NUMBER(css->adapter);
    NUMBER(css->address_limit);
    flag(f, &css->measures);
    NUMBER(css->measure_key);
    NUMBER(css->measure_block);
    NUMBER(reports);
    if (css->measure_key > 15 || (css->measure_block & 31))
        refuse(f, "measurement blocks are not possible");
    if (reports > CRW_QUEUE)
        refuse(f, "more channel reports than there can be");
    for (unsigned i = 0; i < reports && !f->refused(f->context); i++)
        NUMBER(css->reports[i]);
    css->report_count = f->refused(f->context) ? 0 : reports;
    block_io(f, css_system(css));
    for (unsigned set = 0; set < CSS_SETS; set++) {
        uint32_t count = css->count[set];
        NUMBER(count);
        if (f->in_place && count != css->count[set])
            refuse(f, "a device was attached or taken away meanwhile");
        for (unsigned i = 0; i < count && !f->refused(f->context); i++) {
            const bool there = f->in_place || !f->loading;
            struct subchannel *s = !there                ? css_add_subchannel(css, set)
                                   : i < css->count[set] ? css->subchannels[set][i]
                                                         : NULL;
            if (s)
                one(f, css, s);
            else
                refuse(f, "the host has no memory for a subchannel, or there are too many");
        }
    }
    css_schedule(css);
}
