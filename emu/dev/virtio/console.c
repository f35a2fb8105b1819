/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Virtio console with one port: what the guest writes goes to the guest's console output, typed lines come from there.
   Virtual I/O Device specification 1.2, section 5.3. */
#include "emu/dev/virtio/transport.h"
#include "emu/dev/virtio/types.h"
#include "emu/state/machine.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define TYPED 4096u /* bytes that wait for the guest */

enum { QUEUE_INPUT = 0, QUEUE_OUTPUT = 1 };

struct console {
    struct virtio v;
    uint8_t typed[TYPED];
    uint16_t length;
};

static void output(struct console *c)
{
    struct machine *m = c->v.device->machine;
    char text[256];
    size_t n;
    while (virtio_take(&c->v, QUEUE_OUTPUT)) {
        for (uint64_t at = 0; (n = virtio_read(&c->v, at, text, sizeof text)) > 0; at += n) {
            if (m->host.output)
                m->host.output(m->host.context, text, n);
            m->sclp.at_line_start = text[n - 1] == '\n';
        }
        virtio_done(&c->v, QUEUE_OUTPUT, 0);
    }
    virtio_tell(&c->v, QUEUE_OUTPUT);
}

static void input(struct console *c)
{
    while (c->length && virtio_take(&c->v, QUEUE_INPUT)) {
        size_t n = virtio_write(&c->v, 0, c->typed, c->length);
        virtio_done(&c->v, QUEUE_INPUT, (uint32_t)n);
        c->length = (uint16_t)(c->length - n);
        memmove(c->typed, c->typed + n, c->length);
    }
    virtio_tell(&c->v, QUEUE_INPUT);
}

static void serve(struct virtio *v, unsigned queue)
{
    if (queue == QUEUE_OUTPUT)
        output((struct console *)v);
    else
        input((struct console *)v);
}

static void reset(struct virtio *v) { ((struct console *)v)->length = 0; }

static void own_fields(struct virtio *v, const struct channel_fields *f)
{
    struct console *c = (struct console *)v;
    f->number(f->context, &c->length, 2);
    if (f->loading && c->length > TYPED) {
        c->length = 0;
        f->refuse(f->context, "more typed input waits than there can be");
    }
    f->bytes(f->context, c->typed, c->length);
}

static const struct virtio_kind kind = {
    .queues = 2, .queue_size = 64, .serve = serve, .reset = reset, .fields = own_fields};

static int open_console(struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    struct console *c = calloc(1, sizeof *c);
    (void)words;
    d->own = c;
    if (c && !count) {
        virtio_open(&c->v, d, &kind, 0);
        return 0;
    }
    snprintf(error, size,
             c ? "virtio-console takes no words; leave them away" : "the host has no memory for a console");
    return c ? -EINVAL : -ENOMEM;
}

static bool line(struct channel_device *d, const char *text)
{
    struct console *c = d->own;
    if (!text)
        return c->length || virtio_available(&c->v, QUEUE_INPUT);
    size_t length = strlen(text);
    if (length + 1 > TYPED - c->length)
        return false;
    memcpy(c->typed + c->length, text, length);
    c->typed[c->length + length] = '\n';
    c->length = (uint16_t)(c->length + length + 1);
    input(c);
    return true;
}

const struct channel_type virtio_console_type = {
    VIRTIO_TYPE("virtio-console", VIRTIO_ID_CONSOLE, "",
                "virtio console; it prints on the guest's console, `input DEVNO TEXT' and standard input type"),
    .open = open_console,
    .close = virtio_close,
    .line = line,
};
