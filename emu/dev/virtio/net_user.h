/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network of its own for a guest, made by libslirp from ordinary sockets of the host, without privileges: the guest
   is 10.0.2.15 by DHCP, the host 10.0.2.2, a name server 10.0.2.3. Everything that comes from the host comes while the
   descriptors are looked at, between two slices of the CPUs. */
#ifndef ZRI_EMU_DEV_VIRTIO_NET_USER_H
#define ZRI_EMU_DEV_VIRTIO_NET_USER_H

#include "base/bits.h"
#include <stddef.h>

struct net_user;
struct pollfd;

/* Open a network by words: "user", "restrict" (no way out of it), "hostloopback=on" (10.0.2.2 is the host's
   loopback, which it is not otherwise), "hostfwd=tcp|udp:[ADDRESS:]PORT-[ADDRESS]:PORT".
   Frames for the guest go to `receive`. NULL with a sentence in error[size]. */
struct net_user *net_user_open(unsigned count, char **words,
                               void (*receive)(void *context, const uint8_t *frame, size_t length), void *context,
                               char *error, size_t size) MUST_USE;
void net_user_close(struct net_user *net); /* NULL is taken */
/* A frame from the guest, at most 65535 bytes. */
void net_user_send(struct net_user *net, const uint8_t *frame, size_t length);
/* What is to be looked at: at most `room` descriptors, and how long at most (*timeout_ms becomes less). Returns how
   many. Then what was seen. */
unsigned net_user_poll(struct net_user *net, struct pollfd *fds, unsigned room, uint32_t *timeout_ms);
void net_user_polled(struct net_user *net, const struct pollfd *fds, unsigned count);

#endif
