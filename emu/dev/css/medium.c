/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The medium of a disk: an image, and who else has it. */
#include "emu/dev/css/medium.h"
#include "emu/dev/css/internal.h"
#include "emu/state/machine.h"

static void message(void *context, const char *text) { channel_message(context, text); }

static void lost(void *context)
{
    const struct machine_host *host = &((struct channel_device *)context)->machine->host;
    if (host->lost)
        host->lost(host->context);
}

/* A disk of the same machine has the file, and one of the two writes to it. */
static bool disturbed(void *context, const struct image *image)
{
    const struct channel_device *d = context;
    struct channel_device *other;
    for (unsigned n = 0; (other = css_device(d->machine->css, n)); n++) {
        const struct image *theirs = other != d && other->type->image ? other->type->image(other) : NULL;
        if (theirs && image_disturbs(image, theirs))
            return true;
    }
    return false;
}

struct image *channel_medium(struct channel_device *device, unsigned count, char **words, char *error, size_t size)
{
    const struct image_user user = {.context = device,
                                    .private_writes = device->private_medium,
                                    .message = message,
                                    .lost = lost,
                                    .disturbed = disturbed};
    return image_open_words(&user, count, words, error, size);
}
