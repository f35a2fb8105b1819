/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Painting a drawing: by SDL onto a window, or onto a picture in memory. */
#ifndef ZRI_EMU_PANEL_WINDOW_PAINT_H
#define ZRI_EMU_PANEL_WINDOW_PAINT_H

#include "emu/panel/canvas/canvas.h"
#include "emu/panel/window/sdl.h"
#include "emu/panel/window/theme.h"

#ifdef HAVE_SDL2
#define PAINT_GLYPHS 512u

/* What it takes to paint: a font in one size, and its characters as they were made for this renderer. */
struct painter {
    const struct sdl *sdl;
    SDL_Renderer *renderer;
    TTF_Font *font[2]; /* plain, bold */
    int cell_width, cell_height, pixels;
    struct glyph {
        uint32_t character; /* 0: free */
        bool bold;
        SDL_Texture *texture; /* NULL: nothing to be seen */
        int x, width, height;
    } glyphs[PAINT_GLYPHS];
};

/* Begin, with characters that are so many pixels high. 0, or a negative errno with a sentence. */
int paint_begin(struct painter *painter, const struct sdl *sdl, SDL_Renderer *renderer, int pixels, char *error,
                size_t size);
void paint_end(struct painter *painter);
/* Paint all of a drawing, ground first. */
void paint(struct painter *painter, const struct canvas *canvas, const struct theme *theme);
#endif

#endif
