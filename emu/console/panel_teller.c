/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What views of the machine ask the console. */
#include "emu/console/base/internal.h"
#include "emu/console/debug/debug.h"
#include "emu/console/debug/events.h"
#include "emu/console/base/source.h"
#include "emu/console/panel_teller.h"

static bool breakpoint(void *context, uint64_t address)
{
    const struct console_break *b = console_break_at(context, address);
    return b && !b->passing;
}

static void source(void *context, uint64_t address, struct view_source *source)
{
    source_line(context, address, source->place, sizeof source->place);
    const struct source_text text = source_text(context, address);
    snprintf(source->text, sizeof source->text, "%s", text.words);
    source->newer = text.newer;
}

static bool keeps_events(void *context) { return events_keeps(context); }

static bool event(void *context, unsigned back, char *text, size_t size)
{
    return events_kept(context, back, text, size);
}

struct view_teller console_view_teller(struct console *c)
{
    return (struct view_teller){c, breakpoint, source, keeps_events, event};
}
