/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SDL2 and SDL2_ttf, loaded when a window or a picture is wanted: a program that is linked with them takes three times
   as long to start. */
#ifndef ZRI_EMU_PANEL_WINDOW_SDL_H
#define ZRI_EMU_PANEL_WINDOW_SDL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef HAVE_SDL2
#include <SDL.h>
#include <SDL_ttf.h>

struct sdl {
    void *libraries[2];
#define SDL(name) __typeof__(name) *name;
#define TTF(name) __typeof__(name) *name;
#include "emu/panel/window/sdl.def"
};

/* Load both. 0, or a negative errno with a sentence. sdl_unload() lets go of them. */
int sdl_load(struct sdl *sdl, char *error, size_t size);
void sdl_unload(struct sdl *sdl);
#endif

#endif
