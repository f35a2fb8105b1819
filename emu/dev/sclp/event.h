/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of the service processor: the line-mode and the ASCII (VT220) console, the request to end. */
#ifndef ZRI_EMU_DEV_SCLP_EVENT_H
#define ZRI_EMU_DEV_SCLP_EVENT_H

#include "emu/state/machine.h"

/* Type a line (line mode, without line end) or characters (ASCII console). False: the guest does not listen or has too
   much unread input. */
bool sclp_input_line(struct machine *machine, const char *text);
bool sclp_input_keys(struct machine *machine, const char *text, size_t length);
/* Ask the guest to end in order. False: it does not listen to that event. */
bool sclp_quiesce(struct machine *machine);
/* Characters that may be typed now, with the end of each line; 0: the guest does not listen. */
size_t sclp_line_room(const struct machine *machine);
size_t sclp_key_room(const struct machine *machine);
/* True when the guest can receive lines; keys. */
bool sclp_listens_lines(const struct machine *machine);
bool sclp_listens_keys(const struct machine *machine);

#endif
