/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel's window, in a thread of its own: it paints what the machine's thread has drawn, and takes keys and clicks.
 */
#define _GNU_SOURCE /* RTLD_NOLOAD */
#include "emu/panel/window/internal.h"

#ifdef HAVE_SDL2
#include "emu/panel/window/paint.h"
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_MS   16
#define DPI_USUAL 96.0f

struct window {
    struct panel *panel;
    const struct sdl *sdl;
    SDL_Window *window;
    SDL_Renderer *renderer;
    struct painter painter;
    bool painting; /* there is a painter */
    struct canvas whole;
    uint64_t picture, changes; /* that are on the screen */
    bool exposed;              /* it has to be painted anew */
    bool full;
    bool closed; /* by its user */
};

/* ---- a display that goes away ------------------------------------------------------------------------------------
   Xlib ends the program then, unless a function that it calls first does not return. It hands over no context, so that
   function finds the panel by its thread. */

static _Thread_local struct panel *painted_here;
static _Thread_local bool locked_here, painting_here; /* its locks are held by this thread */

static void lock(struct panel *p)
{
    pthread_mutex_lock(&p->lock);
    locked_here = true;
}

static void unlock(struct panel *p)
{
    locked_here = false;
    pthread_mutex_unlock(&p->lock);
}

/* In front of the other one, as for pictures. */
static void lock_paint(struct panel *p)
{
    pthread_mutex_lock(&p->paint_lock);
    painting_here = true;
}

static void unlock_paint(struct panel *p)
{
    painting_here = false;
    pthread_mutex_unlock(&p->paint_lock);
}

static int display_lost(void *display)
{
    static const char words[] = "the display of the panel has gone; the machine goes on\n";
    struct panel *p = painted_here;
    (void)display;
    if (!p)
        return 0;
    if (locked_here)
        unlock(p);
    if (painting_here)
        unlock_paint(p);
    atomic_store(&p->lost, true);
    atomic_store(&p->visible, false);
    atomic_store(&p->open, false);
    if (p->session->machine->host.message)
        p->session->machine->host.message(p->session->machine->host.context, words);
    pthread_exit(NULL);
    return 0;
}

/* A request that the server refuses, of a window that has just gone say, would end the program otherwise. */
static int request_refused(void *display, void *what)
{
    (void)display, (void)what;
    return 0;
}

/* Before there is a connection, as SDL puts back what it found when it closes one, and again when there is one. */
static void survive_display(int how)
{
    void *x = dlopen("libX11.so.6", RTLD_LAZY | how);
    int (*(*set)(int (*)(void *)))(void *);
    int (*(*set_refused)(int (*)(void *, void *)))(void *, void *);
    void *found = x ? dlsym(x, "XSetIOErrorHandler") : NULL, *refused = x ? dlsym(x, "XSetErrorHandler") : NULL;
    if (!found || !refused)
        return;
    memcpy(&set, &found, sizeof set);
    set(display_lost);
    memcpy(&set_refused, &refused, sizeof set_refused);
    set_refused(request_refused);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* Displays with small pixels get larger characters, in quarters. */
static void scale_to_display(struct window *w)
{
    float dpi = 0;
    const int code = w->sdl->SDL_GetDisplayDPI(0, &dpi, NULL, NULL);
    if (!code && dpi > 1.25f * DPI_USUAL && dpi < 8 * DPI_USUAL && w->panel->ui.scale == 100)
        w->panel->ui.scale = 25 * (unsigned)lroundf(4 * dpi / DPI_USUAL);
}

/* SDL opens windows that nobody sees where there is no display; they are for those who ask for them. */
static bool unseen(const struct sdl *sdl)
{
    const char *driver = sdl->SDL_GetCurrentVideoDriver();
    return !getenv("SDL_VIDEODRIVER") && driver && (!strcmp(driver, "offscreen") || !strcmp(driver, "dummy"));
}

static int open_window(struct window *w, char *why, size_t size)
{
    const struct sdl *sdl = w->sdl;
    const char *driver = getenv("SDL_RENDER_DRIVER");
    sdl->SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (!driver)
        sdl->SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    sdl->SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    sdl->SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    survive_display(0);
    const int code = sdl->SDL_Init(SDL_INIT_VIDEO);
    if (code || unseen(sdl)) {
        snprintf(why, size,
                 "the panel: no window can be opened: %s; start zri where there is a display (DISPLAY or "
                 "WAYLAND_DISPLAY names it, ssh -X brings one along), or use --tui",
                 code ? sdl->SDL_GetError() : "there is no display");
        return -ENODEV;
    }
    survive_display(RTLD_NOLOAD);
    scale_to_display(w);
    w->window = sdl->SDL_CreateWindow("zri", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, (int)w->panel->ui.width,
                                      (int)w->panel->ui.height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (w->window) /* text needs no graphics processor, and its drivers are not always good */
        w->renderer = sdl->SDL_CreateRenderer(w->window, -1, driver ? 0 : SDL_RENDERER_SOFTWARE);
    if (!w->window || !w->renderer) {
        snprintf(why, size, "the panel: the display gives no window: %s; use --tui", sdl->SDL_GetError());
        return -ENODEV;
    }
    sdl->SDL_SetWindowMinimumSize(w->window, 320, 320);
    sdl->SDL_StartTextInput();
    return 0;
}

/* A painter whose characters have the wanted size. With the panel's lock. */
static int renew_painter(struct window *w, char *why, size_t size)
{
    struct panel_ui *ui = &w->panel->ui;
    const int pixels = (int)panel_font_pixels(ui);
    if (w->painting && w->painter.pixels == pixels)
        return 0;
    if (w->painting)
        paint_end(&w->painter);
    w->painting = false;
    const int code = paint_begin(&w->painter, w->sdl, w->renderer, pixels, why, size);
    if (code)
        return code;
    w->painting = true;
    ui->cell_width = (float)w->painter.cell_width;
    ui->cell_height = (float)w->painter.cell_height;
    atomic_store(&w->panel->stale, true);
    return 0;
}

static int begin(struct window *w, char *why, size_t size)
{
    struct panel *p = w->panel;
    int code = open_window(w, why, size);
    if (!code && w->sdl->TTF_Init()) {
        snprintf(why, size, "the panel: SDL2_ttf does not begin: %s", w->sdl->SDL_GetError());
        code = -ENOTSUP;
    }
    if (code)
        return code;
    lock_paint(p);
    code = renew_painter(w, why, size);
    unlock_paint(p);
    return code;
}

static void end(struct window *w)
{
    const struct sdl *sdl = w->sdl;
    lock_paint(w->panel);
    if (w->painting)
        paint_end(&w->painter);
    unlock_paint(w->panel);
    if (w->renderer)
        sdl->SDL_DestroyRenderer(w->renderer);
    if (w->window)
        sdl->SDL_DestroyWindow(w->window);
    sdl->SDL_QuitSubSystem(SDL_INIT_VIDEO);
    canvas_free(&w->whole);
}

/* ---- events, with the panel's lock ------------------------------------------------------------------------------ */

static enum panel_key_code control_key(SDL_Keycode key)
{
    static const struct {
        SDL_Keycode key;
        enum panel_key_code code;
    } keys[] = {{SDLK_PLUS, KEY_CTRL_PLUS},
                {SDLK_EQUALS, KEY_CTRL_PLUS},
                {SDLK_KP_PLUS, KEY_CTRL_PLUS},
                {SDLK_MINUS, KEY_CTRL_MINUS},
                {SDLK_KP_MINUS, KEY_CTRL_MINUS},
                {SDLK_t, KEY_CTRL_T},
                {SDLK_g, KEY_CTRL_G},
                {SDLK_p, KEY_CTRL_P},
                {SDLK_s, KEY_CTRL_S},
                {SDLK_u, KEY_CTRL_U},
                {SDLK_0, KEY_CTRL_0}};
    if (key >= SDLK_1 && key <= SDLK_9)
        return (enum panel_key_code)(KEY_CTRL_1 + (key - SDLK_1));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].key == key)
            return keys[i].code;
    return KEY_NONE;
}

static enum panel_key_code plain_key(SDL_Keycode key, bool shift)
{
    static const struct {
        SDL_Keycode key;
        enum panel_key_code code;
    } keys[] = {{SDLK_RETURN, KEY_ENTER},   {SDLK_KP_ENTER, KEY_ENTER},     {SDLK_ESCAPE, KEY_ESCAPE},
                {SDLK_UP, KEY_UP},          {SDLK_DOWN, KEY_DOWN},          {SDLK_LEFT, KEY_LEFT},
                {SDLK_RIGHT, KEY_RIGHT},    {SDLK_HOME, KEY_HOME},          {SDLK_END, KEY_END},
                {SDLK_PAGEUP, KEY_PAGE_UP}, {SDLK_PAGEDOWN, KEY_PAGE_DOWN}, {SDLK_BACKSPACE, KEY_BACKSPACE},
                {SDLK_DELETE, KEY_DELETE}};
    if (key == SDLK_TAB)
        return shift ? KEY_BACK_TAB : KEY_TAB;
    if (key >= SDLK_F1 && key <= SDLK_F12)
        return (enum panel_key_code)(KEY_F1 + (key - SDLK_F1));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].key == key)
            return keys[i].code;
    return KEY_NONE;
}

static void key_down(struct window *w, const SDL_Keysym *key)
{
    if (key->mod & KMOD_CTRL && key->sym == SDLK_q) {
        w->closed = true;
    } else if (key->mod & KMOD_CTRL && key->sym == SDLK_v) {
        char *text = w->sdl->SDL_GetClipboardText();
        if (text)
            panel_type_text(w->panel, text);
        w->sdl->SDL_free(text);
    } else {
        (void)panel_press_key(w->panel, key->mod & KMOD_CTRL ? control_key(key->sym)
                                                             : plain_key(key->sym, key->mod & KMOD_SHIFT));
    }
}

/* Where the pointer is: the renderer may have more pixels than the window. */
static float cells_x(const struct window *w, int x)
{
    int width = 1, pixels = 1;
    w->sdl->SDL_GetWindowSize(w->window, &width, NULL);
    w->sdl->SDL_GetRendererOutputSize(w->renderer, &pixels, NULL);
    return (float)x * (float)pixels / (float)(width > 0 ? width : 1) / w->panel->ui.cell_width;
}

static float cells_y(const struct window *w, int y)
{
    int height = 1, pixels = 1;
    w->sdl->SDL_GetWindowSize(w->window, NULL, &height);
    w->sdl->SDL_GetRendererOutputSize(w->renderer, NULL, &pixels);
    return (float)y * (float)pixels / (float)(height > 0 ? height : 1) / w->panel->ui.cell_height;
}

static void window_event(struct window *w, const SDL_WindowEvent *e)
{
    struct panel_ui *ui = &w->panel->ui;
    int width, height;
    w->exposed = true;
    if (e->event == SDL_WINDOWEVENT_CLOSE)
        w->closed = true;
    if (e->event == SDL_WINDOWEVENT_HIDDEN || e->event == SDL_WINDOWEVENT_MINIMIZED)
        atomic_store(&w->panel->visible, false);
    if (e->event == SDL_WINDOWEVENT_SHOWN || e->event == SDL_WINDOWEVENT_RESTORED ||
        e->event == SDL_WINDOWEVENT_EXPOSED)
        atomic_store(&w->panel->visible, true);
    if (w->sdl->SDL_GetRendererOutputSize(w->renderer, &width, &height) || width < 1 || height < 1)
        return;
    if (ui->width != (unsigned)width || ui->height != (unsigned)height)
        atomic_store(&w->panel->stale, true);
    ui->width = (unsigned)width;
    ui->height = (unsigned)height;
}

static void take_event(struct window *w, const SDL_Event *e)
{
    switch (e->type) {
    case SDL_QUIT:
        w->closed = true;
        break;
    case SDL_WINDOWEVENT:
        window_event(w, &e->window);
        break;
    case SDL_KEYDOWN:
        key_down(w, &e->key.keysym);
        break;
    case SDL_TEXTINPUT:
        if (!(w->sdl->SDL_GetModState() & KMOD_CTRL)) /* else it was a command */
            panel_type_text(w->panel, e->text.text);
        break;
    case SDL_MOUSEBUTTONDOWN:
        if (e->button.button == SDL_BUTTON_LEFT)
            (void)panel_click_at(w->panel, cells_x(w, e->button.x), cells_y(w, e->button.y));
        break;
    case SDL_MOUSEMOTION:
        panel_point(w->panel, cells_x(w, e->motion.x), cells_y(w, e->motion.y));
        break;
    case SDL_MOUSEWHEEL:
        panel_wheel(w->panel, -3 * e->wheel.y);
        break;
    default:
        break;
    }
}

/* ---- pictures --------------------------------------------------------------------------------------------------- */

static void follow_settings(struct window *w)
{
    struct panel *p = w->panel;
    if (atomic_exchange(&p->resize, false))
        w->sdl->SDL_SetWindowSize(w->window, (int)p->ui.width, (int)p->ui.height);
    const bool full = atomic_load(&p->full);
    if (full != w->full)
        w->sdl->SDL_SetWindowFullscreen(w->window, full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    w->full = full;
}

/* Paint, when there is something new. */
static void refresh(struct window *w)
{
    struct panel *p = w->panel;
    char why[300];
    lock_paint(p);
    lock(p);
    follow_settings(w);
    const bool new = w->exposed || p->picture != w->picture || p->changes != w->changes;
    const unsigned theme = p->ui.theme;
    w->picture = p->picture;
    w->changes = p->changes;
    w->exposed = false;
    const bool good = renew_painter(w, why, sizeof why) == 0;
    if (new &&good)
        panel_compose(p, &w->whole);
    unlock(p);
    if (new &&good) {
        paint(&w->painter, &w->whole, &themes[theme]);
        w->sdl->SDL_RenderPresent(w->renderer);
    }
    unlock_paint(p);
}

/* The machine draws when it is asked, as often as there are pictures at most. */
static void ask_for_picture(const struct window *w)
{
    struct panel *p = w->panel;
    const uint64_t age = session_now_ns() - atomic_load(&p->drawn_ns);
    if (atomic_load(&p->visible) && atomic_load(&p->stale) && age >= atomic_load(&p->interval_ns))
        panel_ring(p);
}

static void run(struct window *w)
{
    SDL_Event event;
    while (!atomic_load(&w->panel->leave) && !w->closed) {
        bool some = w->sdl->SDL_WaitEventTimeout(&event, TICK_MS);
        lock(w->panel);
        for (; some; some = w->sdl->SDL_PollEvent(&event))
            take_event(w, &event);
        unlock(w->panel);
        refresh(w);
        ask_for_picture(w);
    }
}

static void tell_opened(struct panel *p, int code)
{
    lock(p);
    p->result = code;
    p->opened = true;
    atomic_store(&p->open, code == 0);
    atomic_store(&p->visible, code == 0);
    pthread_cond_signal(&p->opening);
    unlock(p);
}

void *panel_window(void *panel)
{
    struct panel *p = panel;
    struct window w = {.panel = p, .sdl = &p->sdl, .exposed = true};
    painted_here = p;
    const int code = begin(&w, p->why, sizeof p->why);
    tell_opened(p, code);
    if (!code)
        run(&w);
    end(&w);
    atomic_store(&p->visible, false);
    atomic_store(&p->open, false);
    panel_ring(p);
    return NULL;
}
#endif
