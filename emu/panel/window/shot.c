/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of the panel, without a window. */
#include "emu/panel/window/internal.h"
#include "emu/panel/window/paint.h"
#include "emu/panel/window/png.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_SDL2
/* Draw view n (negative: the chosen one) in characters of this size, as one drawing. */
static void compose(struct panel *p, int n, const struct painter *painter)
{
    struct canvas kept;
    pthread_mutex_lock(&p->lock);
    const unsigned chosen = p->ui.view;
    const float width = p->ui.cell_width, height = p->ui.cell_height, scroll = p->ui.scroll;
    if (n >= 0 && (unsigned)n != chosen)
        p->ui.scroll = 0;
    p->ui.cell_width = (float)painter->cell_width;
    p->ui.cell_height = (float)painter->cell_height;
    p->ui.view = n >= 0 ? (unsigned)n : chosen;
    pthread_mutex_unlock(&p->lock);
    panel_draw(p, n >= 0 ? (unsigned)n : chosen);
    pthread_mutex_lock(&p->lock);
    kept = p->shown;
    p->shown = p->drawing;
    panel_compose(p, &p->whole);
    p->shown = kept;
    p->ui.view = chosen;
    p->ui.cell_width = width;
    p->ui.cell_height = height;
    p->ui.scroll = scroll;
    pthread_mutex_unlock(&p->lock);
}

static int make(struct panel *p, const char *file, int n, struct painter *painter, SDL_Surface *surface, char *error,
                size_t size)
{
    compose(p, n, painter);
    paint(painter, &p->whole, &themes[p->ui.theme]);
    p->sdl.SDL_RenderPresent(painter->renderer);
    return png_write(file, surface->pixels, (unsigned)surface->w, (unsigned)surface->h, (size_t)surface->pitch / 4,
                     error, size);
}

static int picture(struct panel *p, const char *file, int n, char *error, size_t size)
{
    const struct sdl *sdl = &p->sdl;
    struct painter *painter = malloc(sizeof *painter);
    SDL_Surface *surface =
        sdl->SDL_CreateRGBSurfaceWithFormat(0, (int)p->ui.width, (int)p->ui.height, 32, SDL_PIXELFORMAT_RGB888);
    SDL_Renderer *renderer = surface ? sdl->SDL_CreateSoftwareRenderer(surface) : NULL;
    int code = renderer && painter ? 0 : -ENOMEM;
    if (code)
        snprintf(error, size, "the picture '%.200s': the host has no memory for it", file);
    if (!code)
        code = paint_begin(painter, sdl, renderer, (int)panel_font_pixels(&p->ui), error, size);
    if (!code) {
        code = make(p, file, n, painter, surface, error, size);
        paint_end(painter);
    }
    if (renderer)
        sdl->SDL_DestroyRenderer(renderer);
    if (surface)
        sdl->SDL_FreeSurface(surface);
    free(painter);
    return code;
}

int panel_shot(struct panel *p, const char *file, int n, char *error, size_t size)
{
    int code = p->sdl.libraries[0] ? 0 : sdl_load(&p->sdl, error, size);
    if (code)
        return code;
    pthread_mutex_lock(&p->paint_lock);
    if (p->sdl.TTF_Init()) {
        snprintf(error, size, "SDL2_ttf does not begin: %s", p->sdl.SDL_GetError());
        code = -ENOTSUP;
    } else {
        code = picture(p, file, n, error, size);
        p->sdl.TTF_Quit();
    }
    pthread_mutex_unlock(&p->paint_lock);
    return code;
}
#else
int panel_shot(struct panel *p, const char *file, int n, char *error, size_t size)
{
    (void)p;
    (void)n;
    snprintf(error, size,
             "the picture '%.200s': zri was built without SDL2; install libsdl2-dev and libsdl2-ttf-dev and "
             "configure again",
             file);
    return -ENOTSUP;
}
#endif
