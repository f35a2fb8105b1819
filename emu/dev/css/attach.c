/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attaching devices and taking them away. */
#include "emu/dev/css/attach.h"
#include "emu/dev/css/internal.h"
#include "emu/state/machine.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_WORDS 32

/* A subchannel without device, or a new one at the end. NULL: no memory. */
static struct subchannel *free_subchannel(struct css *css, unsigned set)
{
    for (unsigned i = 0; i < css->count[set]; i++)
        if (!css->subchannels[set][i]->device)
            return css->subchannels[set][i];
    return css_add_subchannel(css, set);
}

static const struct channel_type *find_type(const struct css *css, const char *name)
{
    for (const struct channel_type *const *t = css->types; *t; t++)
        if (strcmp((*t)->name, name) == 0)
            return *t;
    return NULL;
}

static void identify(struct channel_device *d)
{
    const struct channel_type *t = d->type;
    d->identity[0] = 0xff;
    put16(d->identity + 1, t->control_unit_type);
    d->identity[3] = t->control_unit_model;
    put16(d->identity + 4, t->device_type);
    d->identity[6] = t->device_model;
    d->identity_length = 7;
}

/* The words joined by commas, in memory of their own. */
static char *join(const char *type, unsigned count, char **words)
{
    size_t length = strlen(type) + 1;
    for (unsigned i = 0; i < count; i++)
        length += strlen(words[i]) + 1;
    char *text = malloc(length), *at = text;
    if (!text)
        return NULL;
    at = stpcpy(at, type);
    for (unsigned i = 0; i < count; i++) {
        *at++ = ',';
        at = stpcpy(at, words[i]);
    }
    return text;
}

static int refuse(char *error, size_t size, unsigned set, unsigned number, const char *why, int code)
{
    snprintf(error, size, "device %u:%04X: %s", set, number, why);
    return code;
}

/* Make what the device keeps. Its own words about an error get its number in front. */
static int open_device(struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    char why[800] = "";
    int code = d->type->open ? d->type->open(d, count, words, why, sizeof why) : 0;
    return code ? refuse(error, size, d->set, d->number, why, code) : 0;
}

/* Attach to a subchannel that has no device; NULL: there was no memory for it. */
static int attach(struct css *css, struct subchannel *s, unsigned set, uint16_t number, const char *type,
                  unsigned count, char **words, char *error, size_t size)
{
    const struct channel_type *t = find_type(css, type);
    if (!t) {
        snprintf(error, size, "device %u:%04X: there is no type '%.40s'; `devtypes' and the manual list them", set,
                 number, type);
        return -EINVAL;
    }
    if (css_find_number(css, set, number))
        return refuse(error, size, set, number, "it is there already; take another number, or detach it first",
                      -EEXIST);
    struct channel_device *d = s ? calloc(1, sizeof *d) : NULL;
    char *text = d ? join(type, count, words) : NULL;
    if (!text) {
        free(d);
        return refuse(error, size, set, number, "the host has no memory for it", -ENOMEM);
    }
    *d = (struct channel_device){.type = t,
                                 .machine = css->machine,
                                 .number = number,
                                 .set = (uint8_t)set,
                                 .subchannel = s->number,
                                 .private_medium = css->machine->config.private_media};
    identify(d);
    s->device = d;
    s->words = text;
    int code = open_device(d, count, words, error, size);
    if (code)
        css_end_device(s);
    else
        css_reset_subchannel(css, s);
    return code;
}

static int attach_new(struct machine *m, unsigned set, uint16_t number, const char *type, unsigned count, char **words,
                      bool report, char *error, size_t size)
{
    struct subchannel *s = free_subchannel(m->css, set);
    int code = attach(m->css, s, set, number, type, count, words, error, size);
    if (!code && report)
        css_report_subchannel(m->css, s);
    return code;
}

/* Split at commas, in place. Returns how many; more than MAX_WORDS: too many. */
static unsigned split(char *text, char *words[MAX_WORDS])
{
    unsigned count = 0;
    char *rest = text, *word;
    while ((word = strsep(&rest, ",")) && count < MAX_WORDS)
        words[count++] = word;
    return word ? MAX_WORDS + 1 : count;
}

int css_attach_words(struct css *css, struct subchannel *s, uint16_t number, char *text, char *error, size_t size)
{
    char *words[MAX_WORDS];
    unsigned count = split(text, words);
    if (count > MAX_WORDS)
        return refuse(error, size, s->set, number, "it has too many words", -EINVAL);
    return attach(css, s, s->set, number, words[0], count - 1, words + 1, error, size);
}

int css_attach_text(struct machine *m, const char *text, bool report, char *error, size_t size)
{
    char *words[MAX_WORDS], *copy = strdup(text);
    unsigned count = copy ? split(copy, words) : 0, set;
    uint16_t number;
    int code = -EINVAL;
    if (count < 2 || count > MAX_WORDS || !css_parse_number(words[0], &set, &number))
        snprintf(error, size, "'%.100s' is no device; write DEVNO,TYPE,... as 000C,3505,deck", text);
    else
        code = attach_new(m, set, number, words[1], count - 2, words + 2, report, error, size);
    free(copy);
    return code;
}

int css_detach(struct machine *m, unsigned set, uint16_t number, bool report, char *error, size_t size)
{
    struct channel_device *d = css_find_number(m->css, set, number);
    if (!d)
        return refuse(error, size, set, number, "there is none; `devlist' lists the devices", -ENODEV);
    struct subchannel *s = css_subchannel(d);
    css_withdraw(m->css, s);
    css_end_device(s);
    css_reset_subchannel(m->css, s);
    css_schedule(m->css);
    if (report)
        css_report_subchannel(m->css, s);
    return 0;
}

int css_reopen(struct machine *m, unsigned set, uint16_t number, unsigned count, char **words, char *error, size_t size)
{
    struct channel_device *d = css_find_number(m->css, set, number);
    if (!d)
        return refuse(error, size, set, number, "there is none; `devlist' lists the devices", -ENODEV);
    const char *held = d->type->held ? d->type->held(d) : NULL;
    if (held)
        return refuse(error, size, set, number, held, -EBUSY);
    struct subchannel *s = css_subchannel(d);
    char *text = join(d->type->name, count, words);
    if (!text)
        return refuse(error, size, set, number, "the host has no memory for it", -ENOMEM);
    if (d->type->close)
        d->type->close(d);
    free(s->words);
    s->words = text;
    d->block_io.block_size = 0;
    identify(d);
    int code = open_device(d, count, words, error, size);
    if (code) {
        char ignored[8];
        const size_t length = strnlen(error, size);
        (void)css_detach(m, set, number, true, ignored, sizeof ignored);
        if (length < size)
            snprintf(error + length, size - length, "; device %u:%04X is detached now", set, number);
    }
    return code;
}

const char *css_device_words(const struct channel_device *device) { return css_subchannel(device)->words; }

uint16_t css_free_number(const struct css *css)
{
    uint16_t number = 0;
    while (number < UINT16_MAX && css_find_number(css, 0, number))
        number++;
    return number;
}
