/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where clients come in: a port of the host, a socket of the file system, or standard input and output. */
#ifndef ZRI_EMU_DEBUG_PORT_H
#define ZRI_EMU_DEBUG_PORT_H

#include "base/bits.h"
#include <stddef.h>

#define PORT_PATH 108

struct port {
    int listens;          /* descriptor that listens; -1: none */
    int in, out;          /* of the client; -1: there is none */
    int refused;          /* of the latest one that was sent away: it needs time to read why; -1: none */
    bool stdio;           /* it is standard input and output, and there will be no other */
    char path[PORT_PATH]; /* of a socket in the file system, "": none */
    char place[160];      /* where it listens, in words */
};

/* Open PORT (on the loopback address), ADDRESS:PORT (a number as IP has it, [..] around one with colons), unix:PATH or
   stdio. Returns 0, or a negative errno with a sentence. */
int port_open(struct port *port, const char *text, char *error, size_t size) MUST_USE;
void port_close(struct port *port);

/* Somebody calls: the client when there is none; else it is told so and sent away. Returns whether there is a new
   client. */
bool port_accept(struct port *port);
void port_hang_up(struct port *port);

/* What the client has sent, without waiting: how many bytes, 0: nothing now, negative: it has gone. */
long port_read(struct port *port, void *bytes, size_t size);
/* Send it all. `give_up` is asked now and then while the client does not take it. False: it has gone, or was given
   up. */
bool port_write(struct port *port, const void *bytes, size_t length, bool (*give_up)(void *context), void *context);

#endif
