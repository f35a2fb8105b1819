/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Virtio entropy device. Its bytes are the machine's random numbers (--seed): the host's, or a sequence that repeats.
   Virtual I/O Device specification 1.2, section 5.4. */
#include "emu/dev/virtio/transport.h"
#include "emu/dev/virtio/types.h"
#include "emu/state/machine.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 65536u /* bytes for one request */

static void serve(struct virtio *v, unsigned queue)
{
    struct machine *m = v->device->machine;
    uint8_t bytes[256];
    while (virtio_take(v, queue)) {
        const size_t room = v->request.in < MOST ? (size_t)v->request.in : MOST;
        size_t done = 0;
        while (done < room) {
            size_t n = room - done < sizeof bytes ? room - done : sizeof bytes;
            m->sys.callouts->random(m, bytes, n);
            n = virtio_write(v, done, bytes, n);
            if (!n)
                break;
            done += n;
        }
        virtio_done(v, queue, (uint32_t)done);
    }
    virtio_tell(v, queue);
}

static const struct virtio_kind kind = {.queues = 1, .queue_size = 16, .serve = serve};

static int open_entropy(struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    struct virtio *v = calloc(1, sizeof *v);
    (void)words;
    d->own = v;
    if (v && !count) {
        virtio_open(v, d, &kind, 0);
        return 0;
    }
    snprintf(error, size, v ? "virtio-rng takes no words; leave them away" : "the host has no memory for a device");
    return v ? -EINVAL : -ENOMEM;
}

const struct channel_type virtio_rng_type = {
    VIRTIO_TYPE("virtio-rng", VIRTIO_ID_ENTROPY, "",
                "virtio source of random numbers; --seed says which, usually the same in every run"),
    .open = open_entropy,
    .close = virtio_close,
};
