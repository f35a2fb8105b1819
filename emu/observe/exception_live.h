/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace while it is made: the newest bytes of all streams are kept, and decoded for whoever looks at them, by
   the decoder that reads files. */
#ifndef ZRI_EMU_MACHINE_EXCEPTION_LIVE_H
#define ZRI_EMU_MACHINE_EXCEPTION_LIVE_H

#include "ri/trace/decode.h"
#include "ri/trace/trace.h"

struct exception_live;

/* Listens to the units of a machine from now on. NULL: no host memory. */
struct exception_live *exception_live_create(struct et_machine *units);
void exception_live_destroy(struct exception_live *live);

typedef void exception_live_event(void *context, const struct et_event *event);
/* Decode what is kept and tell it. False: no host memory. */
bool exception_live_recent(struct exception_live *live, exception_live_event *event, void *context);
/* Tell every event from now on as it is made; NULL: no more. To a view what is kept of those before is told, too.
   False: no host memory. */
enum exception_live_follower { EXCEPTION_LIVE_CONSOLE, EXCEPTION_LIVE_VIEW, EXCEPTION_LIVE_FOLLOWERS };
bool exception_live_follow(struct exception_live *live, enum exception_live_follower who, exception_live_event *event,
                           void *context);
/* It is told to this one. */
bool exception_live_follows(const struct exception_live *live, enum exception_live_follower who, const void *context);

#endif
