/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every image format does with a load: put bytes at an address, say where to start. */
#include "ipl/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define MAX_PIECES 4096u

static int grow_pieces(struct ipl_load *load)
{
    unsigned room = load->room ? load->room * 2 : 16;
    struct ipl_piece *pieces = realloc(load->pieces, room * sizeof *pieces);
    if (!pieces)
        return -ENOMEM;
    load->pieces = pieces;
    load->room = room;
    return 0;
}

int ipl_piece(struct ipl_load *load, const char *name, uint64_t address, uint8_t *bytes, uint64_t length, uint64_t zero,
              bool take, char *error, size_t size)
{
    int code = 0;
    uint64_t all;
    if (__builtin_add_overflow(length, zero, &all) || all > load->storage_size || address > load->storage_size - all)
        code = fail_with(-EFBIG, error, size,
                         "%s: %" PRIu64 " bytes at address %" PRIX64 " end beyond the machine's storage of %" PRIu64
                         " MiB; give it more with --storage or load it lower",
                         name, length + zero, address, load->storage_size >> 20);
    else if (load->count >= MAX_PIECES)
        code = fail_with(-E2BIG, error, size, "%s: more than %u pieces; join some of the files", name, MAX_PIECES);
    else if (load->count == load->room && grow_pieces(load))
        code = fail_with(-ENOMEM, error, size, "%s: no memory on the host; close other programs", name);
    uint8_t *own = bytes;
    if (!code && !take && length) {
        own = malloc(length);
        if (!own)
            code = fail_with(-ENOMEM, error, size, "%s: no memory on the host; close other programs", name);
        else
            memcpy(own, bytes, length);
    }
    if (code) {
        if (take)
            free(bytes);
        return code;
    }
    load->pieces[load->count++] =
        (struct ipl_piece){.address = address, .bytes = length || take ? own : NULL, .length = length, .zero = zero};
    return 0;
}

void ipl_start(struct ipl_load *load, enum ipl_start_kind start, uint64_t entry)
{
    if (load->start != IPL_START_NONE)
        return;
    load->start = start;
    load->entry = entry;
}
