/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views that there are, for the table in view.c. */
#ifndef ZRI_EMU_PANEL_VIEW_KINDS_H
#define ZRI_EMU_PANEL_VIEW_KINDS_H

#include "emu/panel/view/view.h"

extern const struct view_kind view_front, view_code, view_storage, view_translation, view_instrumentation,
    view_channels, view_machine, view_trace, view_pipeline, view_graph;

#endif
