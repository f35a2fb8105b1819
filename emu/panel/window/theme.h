/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours for what marks mean. The five kinds and the warnings are those of Okabe and Ito (Color Universal Design,
   2008), which colour-blind people tell apart, darkened on the light ground so that text can be read. Nothing is said
   by colour alone: what changed is underlined, lamps are filled or not. */
#ifndef ZRI_EMU_PANEL_WINDOW_THEME_H
#define ZRI_EMU_PANEL_WINDOW_THEME_H

#include "emu/panel/canvas/canvas.h"

struct theme {
    const char *name;
    uint32_t ground;              /* RRGGBB */
    uint32_t key;                 /* of a button */
    uint32_t roles[CANVAS_ROLES]; /* by enum canvas_role */
};

enum { THEME_DARK, THEME_LIGHT, THEMES };
extern const struct theme themes[THEMES];

/* How far two colours are apart, as the Web Content Accessibility Guidelines measure it: 1 to 21; text wants 4.5. */
double theme_contrast(uint32_t one, uint32_t other);

#endif
