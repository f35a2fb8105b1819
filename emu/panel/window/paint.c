/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters, boxes, lines, lamps and keys in colours. */
#include "emu/panel/window/paint.h"

#ifdef HAVE_SDL2
#include "emu/panel/canvas/cells.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the font --------------------------------------------------------------------------------------------------- */

/* ZRI_PANEL_FONT, or one that distributions have. NULL, and a sentence: there is none. */
static const char *font_file(char *error, size_t size)
{
    static const char *const usual[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
                                        "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf",
                                        "/usr/share/fonts/dejavu/DejaVuSansMono.ttf",
                                        "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
                                        "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
                                        "/usr/share/fonts/truetype/freefont/FreeMono.ttf"};
    const char *given = getenv("ZRI_PANEL_FONT");
    if (given && *given) {
        if (access(given, R_OK) == 0)
            return given;
        snprintf(error, size,
                 "ZRI_PANEL_FONT: the font '%.200s' cannot be read: %s; name a TrueType file of fixed width", given,
                 strerror(errno));
        return NULL;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (access(usual[i], R_OK) == 0)
            return usual[i];
    snprintf(error, size,
             "no font was found for the panel; install fonts-dejavu-core, or name a TrueType file of fixed width in "
             "ZRI_PANEL_FONT");
    return NULL;
}

static int open_fonts(struct painter *p, int pixels, char *error, size_t size)
{
    int least, most, low, high, advance = 0;
    const char *file = font_file(error, size);
    if (!file)
        return -ENOENT;
    for (unsigned bold = 0; bold < 2; bold++) {
        p->font[bold] = p->sdl->TTF_OpenFont(file, pixels);
        if (!p->font[bold]) {
            snprintf(error, size, "the font '%.200s' is none: %s; name a TrueType file in ZRI_PANEL_FONT", file,
                     p->sdl->SDL_GetError());
            return -EINVAL;
        }
        p->sdl->TTF_SetFontHinting(p->font[bold], TTF_HINTING_LIGHT);
    }
    p->sdl->TTF_SetFontStyle(p->font[1], TTF_STYLE_BOLD);
    if (p->sdl->TTF_GlyphMetrics32(p->font[0], 'M', &least, &most, &low, &high, &advance))
        advance = pixels / 2;
    p->cell_width = advance > 1 ? advance : 2;
    p->cell_height = p->sdl->TTF_FontHeight(p->font[0]) + 2;
    return 0;
}

int paint_begin(struct painter *p, const struct sdl *sdl, SDL_Renderer *renderer, int pixels, char *error, size_t size)
{
    *p = (struct painter){.sdl = sdl, .renderer = renderer, .pixels = pixels};
    const int code = open_fonts(p, pixels, error, size);
    if (code)
        paint_end(p);
    return code;
}

void paint_end(struct painter *p)
{
    for (unsigned i = 0; i < PAINT_GLYPHS; i++)
        if (p->glyphs[i].texture)
            p->sdl->SDL_DestroyTexture(p->glyphs[i].texture);
    for (unsigned bold = 0; bold < 2; bold++)
        if (p->font[bold])
            p->sdl->TTF_CloseFont(p->font[bold]);
    memset(p->glyphs, 0, sizeof p->glyphs);
    p->font[0] = p->font[1] = NULL;
}

/* ---- characters ------------------------------------------------------------------------------------------------- */

static void make_glyph(struct painter *p, struct glyph *g)
{
    int least = 0, most, low, high, advance;
    const SDL_Color white = {255, 255, 255, 255};
    TTF_Font *font = p->font[g->bold];
    if (g->character <= ' ')
        return;
    SDL_Surface *made = p->sdl->TTF_RenderGlyph32_Blended(font, g->character, white);
    if (!made)
        return;
    if (p->sdl->TTF_GlyphMetrics32(font, g->character, &least, &most, &low, &high, &advance) || least > 0)
        least = 0; /* the picture of it begins where it stands, or on its left */
    g->x = least;
    g->width = made->w;
    g->height = made->h;
    g->texture = p->sdl->SDL_CreateTextureFromSurface(p->renderer, made);
    p->sdl->SDL_FreeSurface(made);
}

/* The character as a picture; NULL: there is no room for more of them. */
static struct glyph *glyph_of(struct painter *p, uint32_t character, bool bold)
{
    const unsigned first = (character * 2 + bold) % PAINT_GLYPHS;
    for (unsigned i = 0; i < PAINT_GLYPHS; i++) {
        struct glyph *g = &p->glyphs[(first + i) % PAINT_GLYPHS];
        if (g->character == character && g->bold == bold)
            return g;
        if (!g->character) {
            g->character = character;
            g->bold = bold;
            make_glyph(p, g);
            return g;
        }
    }
    return NULL;
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

static int x_of(const struct painter *p, float x) { return (int)lroundf(x * (float)p->cell_width); }
static int y_of(const struct painter *p, float y) { return (int)lroundf(y * (float)p->cell_height); }

static SDL_Rect rect_of(const struct painter *p, const struct canvas_box *b)
{
    const int x = x_of(p, b->x), y = y_of(p, b->y);
    return (SDL_Rect){x, y, x_of(p, b->x + b->width) - x, y_of(p, b->y + b->height) - y};
}

static void colour(const struct painter *p, uint32_t rgb, unsigned strength)
{
    p->sdl->SDL_SetRenderDrawColor(p->renderer, (uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb,
                                   (uint8_t)strength);
}

static void text_at(struct painter *p, int x, int y, const char *text, uint32_t rgb, bool bold)
{
    for (; *text; x += p->cell_width) {
        const struct glyph *g = glyph_of(p, cells_character(&text), bold);
        if (!g || !g->texture)
            continue;
        const SDL_Rect to = {x + g->x, y + 1, g->width, g->height};
        p->sdl->SDL_SetTextureColorMod(g->texture, (uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb);
        p->sdl->SDL_RenderCopy(p->renderer, g->texture, NULL, &to);
    }
}

static void disc(const struct painter *p, int x, int y, int radius)
{
    for (int dy = -radius; dy <= radius; dy++) {
        const int dx = (int)sqrtf(((float)radius + 0.4f) * ((float)radius + 0.4f) - (float)(dy * dy));
        p->sdl->SDL_RenderDrawLine(p->renderer, x - dx, y + dy, x + dx, y + dy);
    }
}

/* Lit: a disc. Not lit: a ring. */
static void lamp(struct painter *p, const struct canvas *canvas, const struct canvas_item *item,
                 const struct theme *theme)
{
    const bool lit = item->role == CANVAS_LIT;
    const int x = x_of(p, item->box.x) + p->cell_width, y = y_of(p, item->box.y) + p->cell_height / 2;
    const int radius = p->cell_height * 3 / 10;
    colour(p, theme->roles[item->role], 255);
    disc(p, x, y, radius);
    if (!lit) {
        colour(p, theme->ground, 255);
        disc(p, x, y, radius - (radius > 5 ? 2 : 1));
    }
    text_at(p, x_of(p, item->box.x + 2) + p->cell_width / 3, y_of(p, item->box.y), canvas_item_text(canvas, item),
            theme->roles[lit ? CANVAS_VALUE : CANVAS_FAINT], false);
}

static void line(struct painter *p, const struct canvas_item *item, const struct theme *theme)
{
    const int x = x_of(p, item->box.x), y = y_of(p, item->box.y);
    const int to_x = x_of(p, item->box.x + item->box.width), to_y = y_of(p, item->box.y + item->box.height);
    colour(p, theme->roles[item->role], 255);
    p->sdl->SDL_RenderDrawLine(p->renderer, x, y, to_x, to_y);
    if (!item->arrow)
        return;
    const float angle = atan2f((float)(to_y - y), (float)(to_x - x)), length = (float)p->cell_height * 0.45f;
    for (float spread = -0.45f; spread <= 0.46f; spread += 0.05f)
        p->sdl->SDL_RenderDrawLine(p->renderer, to_x, to_y, to_x - (int)lroundf(length * cosf(angle + spread)),
                                   to_y - (int)lroundf(length * sinf(angle + spread)));
}

static void button(struct painter *p, const struct canvas *canvas, const struct canvas_item *item,
                   const struct theme *theme)
{
    const SDL_Rect box = rect_of(p, &item->box);
    const char *text = canvas_item_text(canvas, item), *rest = text;
    int width = 0;
    for (; *rest; width += p->cell_width)
        (void)cells_character(&rest);
    colour(p, theme->key, 255);
    p->sdl->SDL_RenderFillRect(p->renderer, &box);
    colour(p, theme->roles[item->role], 255);
    p->sdl->SDL_RenderDrawRect(p->renderer, &box);
    text_at(p, box.x + (box.w - width) / 2, box.y + (box.h - p->cell_height) / 2, text, theme->roles[item->role],
            false);
}

static void words(struct painter *p, const struct canvas *canvas, const struct canvas_item *item,
                  const struct theme *theme)
{
    const SDL_Rect box = rect_of(p, &item->box);
    const bool bold = item->role == CANVAS_HEADING || item->role == CANVAS_CHANGED || item->role == CANVAS_HERE;
    const uint32_t rgb = theme->roles[item->role];
    text_at(p, box.x, box.y, canvas_item_text(canvas, item), rgb, bold);
    if (item->role == CANVAS_CHANGED) {
        colour(p, rgb, 255);
        p->sdl->SDL_RenderDrawLine(p->renderer, box.x, box.y + box.h - 2, box.x + box.w, box.y + box.h - 2);
    }
}

static void one(struct painter *p, const struct canvas *canvas, const struct canvas_item *item,
                const struct theme *theme)
{
    const SDL_Rect box = rect_of(p, &item->box);
    const unsigned role = item->role < CANVAS_ROLES ? item->role : CANVAS_PLAIN;
    switch (item->kind) {
    case CANVAS_TEXT:
    case CANVAS_FIELD:
        words(p, canvas, item, theme);
        break;
    case CANVAS_FILL:
        colour(p, item->role == CANVAS_GROUND ? theme->ground : theme->roles[role], item->strength);
        p->sdl->SDL_RenderFillRect(p->renderer, &box);
        break;
    case CANVAS_FRAME:
        colour(p, theme->roles[role], 255);
        p->sdl->SDL_RenderDrawRect(p->renderer, &box);
        break;
    case CANVAS_LINE:
        line(p, item, theme);
        break;
    case CANVAS_LAMP:
        lamp(p, canvas, item, theme);
        break;
    case CANVAS_BUTTON:
        button(p, canvas, item, theme);
        break;
    default: /* an area is not seen */
        break;
    }
}

void paint(struct painter *p, const struct canvas *canvas, const struct theme *theme)
{
    p->sdl->SDL_SetRenderDrawBlendMode(p->renderer, SDL_BLENDMODE_BLEND);
    colour(p, theme->ground, 255);
    p->sdl->SDL_RenderClear(p->renderer);
    for (uint32_t i = 0; i < canvas->count; i++)
        one(p, canvas, &canvas->items[i], theme);
}
#endif
