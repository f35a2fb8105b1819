/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tells files apart. */
#ifndef ZRI_EMU_SYMBOLS_DIGEST_H
#define ZRI_EMU_SYMBOLS_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The SHA-256 of `size` bytes. False: this build has no nettle, and `digest` is zeros. */
bool symbols_digest(const void *bytes, size_t size, uint8_t digest[32]);

#endif
