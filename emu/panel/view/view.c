/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views: one row each, in the order of their tabs and keys. */
#include "emu/panel/view/view.h"
#include "emu/panel/view/kinds.h"
#include <stdio.h>
#include <string.h>

static const struct view_kind *const kinds[VIEW_COUNT] = {
    [VIEW_FRONT] = &view_front,
    [VIEW_CODE] = &view_code,
    [VIEW_STORAGE] = &view_storage,
    [VIEW_TRANSLATION] = &view_translation,
    [VIEW_INSTRUMENTATION] = &view_instrumentation,
    [VIEW_TRACE] = &view_trace,
    [VIEW_GRAPH] = &view_graph,
    [VIEW_PIPELINE] = &view_pipeline,
    [VIEW_CHANNELS] = &view_channels,
    [VIEW_MACHINE] = &view_machine,
};

const struct view_kind *view_kind(unsigned n) { return n < VIEW_COUNT ? kinds[n] : NULL; }

int view_find(const char *name)
{
    for (unsigned n = 0; n < VIEW_COUNT; n++)
        if (kinds[n] && strcmp(kinds[n]->name, name) == 0)
            return (int)n;
    return -1;
}

void view_draw(struct view *view, unsigned n, struct canvas *canvas)
{
    const struct view_kind *kind = view_kind(n);
    if (!view->cpu || !kind)
        return;
    kind->draw(view, canvas);
    view->pictures++;
}

bool view_command(struct view *view, const char *command)
{
    char name[32];
    const size_t n = strcspn(command, " ");
    snprintf(name, sizeof name, "%.*s", (int)n, command);
    const int number = view_find(name);
    const struct view_kind *kind = number < 0 ? NULL : kinds[number];
    return kind && kind->command && kind->command(view, command + n + strspn(command + n, " "));
}

void view_end(struct view *view)
{
    for (unsigned n = 0; n < VIEW_COUNT; n++) {
        if (kinds[n] && kinds[n]->end && view->memory[n])
            kinds[n]->end(view, view->memory[n]);
        view->memory[n] = NULL;
    }
}
