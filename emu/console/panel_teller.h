/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What views of the machine ask the console. */
#ifndef ZRI_EMU_CONSOLE_PANEL_TELLER_H
#define ZRI_EMU_CONSOLE_PANEL_TELLER_H

#include "emu/console/base/base.h"
#include "emu/panel/view/view.h"

/* For view->teller; good as long as the console. */
struct view_teller console_view_teller(struct console *c);

#endif
