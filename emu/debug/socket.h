/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sockets in the file system that are only their owner's. */
#ifndef ZRI_EMU_DEBUG_SOCKET_H
#define ZRI_EMU_DEBUG_SOCKET_H

#include "base/bits.h"
#include <stddef.h>

#define SOCKET_PATH 108 /* bytes of a path with its zero */

/* Listen at a path of 1 to 107 characters. A socket that is left there, and at which nobody listens, is replaced.
   Returns a descriptor that does not block, or a negative errno with why and what to do in why[size]. */
int socket_listen(const char *path, char *why, size_t size) MUST_USE;

#endif
