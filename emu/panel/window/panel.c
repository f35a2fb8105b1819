/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel on the machine's side: drawing views while the machine stands, and carrying out what was pressed. */
#include "emu/panel/window/internal.h"
#include "base/words.h"
#include "emu/dev/css/css.h"
#include "emu/panel/canvas/cells.h"
#include "emu/panel/window/theme.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define INTERVAL_NS 15500000u /* of 60 pictures in a second, a little less: looks come every few milliseconds */
#define SHARE       80u       /* drawing takes one part in so many of the time at most */

/* ---- drawing ---------------------------------------------------------------------------------------------------- */

/* The CPU that is looked at: another one when the console speaks of another, or the machine is another. */
static void follow_console(struct panel *p)
{
    struct cpu *cpu = p->host.cpu(p->host.context);
    if (cpu != p->console_cpu || p->machines != p->session->machines)
        p->view.cpu = cpu;
    p->console_cpu = cpu;
    p->machines = p->session->machines;
}

/* How far down it was drawn. */
static float content_of(const struct canvas *canvas)
{
    float content = 0;
    for (uint32_t i = 0; i < canvas->count; i++) {
        const struct canvas_box *b = &canvas->items[i].box;
        const float end = b->y + (b->height > 0 ? b->height : 0);
        if (canvas->items[i].kind != CANVAS_AREA) /* which is not seen */
            content = end > content ? end : content;
    }
    return content;
}

/* Draw view n as it is to be seen now. */
void panel_draw(struct panel *p, unsigned n)
{
    follow_console(p);
    pthread_mutex_lock(&p->lock);
    const struct canvas_box box = panel_view_box(&p->ui);
    p->view.pointer_x = p->ui.pointer_x - box.x;
    p->view.pointer_y = p->ui.pointer_y - box.y + p->ui.scroll;
    if (p->ui.pointer_y < box.y || p->ui.pointer_y >= box.y + box.height)
        p->view.pointer_x = p->view.pointer_y = -1;
    pthread_mutex_unlock(&p->lock);
    p->view.moving = p->host.runs(p->host.context);
    canvas_clear(&p->drawing, box.width, box.height);
    view_draw(&p->view, n, &p->drawing);
}

/* What was drawn is what is shown from now on. */
static void hand_over(struct panel *p)
{
    pthread_mutex_lock(&p->lock);
    const struct canvas before = p->shown;
    p->shown = p->drawing;
    p->drawing = before;
    p->content = content_of(&p->shown);
    p->picture++;
    p->ui.runs = p->view.moving;
    p->ui.cpu = p->view.cpu->address;
    p->ui.cpus = p->session->machine->sys.cpu_count;
    pthread_mutex_unlock(&p->lock);
}

/* Time that the host gave this thread: less than has passed where others want the host, too. */
static uint64_t given_ns(void)
{
    struct timespec time;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) ? 0
                                                         : (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void draw_anew(struct panel *p)
{
    const uint64_t begin = session_now_ns(), given = given_ns();
    atomic_store(&p->stale, false);
    pthread_mutex_lock(&p->lock);
    const unsigned n = p->ui.view;
    pthread_mutex_unlock(&p->lock);
    panel_draw(p, n);
    hand_over(p);
    const uint64_t now = session_now_ns(), wanted = (now - begin) * SHARE;
    const uint64_t interval = (7 * atomic_load(&p->interval_ns) + (wanted > INTERVAL_NS ? wanted : INTERVAL_NS)) / 8;
    atomic_store(&p->interval_ns, interval < INTERVAL_NS ? INTERVAL_NS : interval);
    p->given_next_ns = given_ns() + (given_ns() - given) * SHARE;
    p->drawing_ns += now - begin;
    atomic_store(&p->drawn_ns, now);
}

/* ---- commands --------------------------------------------------------------------------------------------------- */

static void show(struct panel *p, const char *text)
{
    pthread_mutex_lock(&p->lock);
    panel_show(&p->ui, text, strlen(text));
    p->changes++;
    pthread_mutex_unlock(&p->lock);
}

static void carry_out(struct panel *p, const char *line)
{
    char head[PANEL_LINE + 16];
    snprintf(head, sizeof head, "zri> %.*s\n", (int)PANEL_LINE, line);
    show(p, head);
    struct cpu *cpu = p->view.cpu;
    char *text = p->host.command(p->host.context, &cpu, line);
    if (p->machines == p->session->machines || cpu == p->host.cpu(p->host.context))
        p->view.cpu = cpu;
    follow_console(p);
    if (text && *text)
        show(p, text);
    if (text && *text && text[strlen(text) - 1] != '\n')
        show(p, "\n");
    free(text);
}

static bool runs(const struct panel *p) { return p->host.runs(p->host.context); }

static void start(struct panel *p, bool by_step) { carry_out(p, by_step && !runs(p) ? "s" : runs(p) ? "start" : "g"); }

static void restart(struct panel *p)
{
    carry_out(p, "restart");
    if (!runs(p))
        carry_out(p, "g");
}

static void choose_next_cpu(struct panel *p)
{
    const struct cpu_system *sys = &p->session->machine->sys;
    char line[32];
    snprintf(line, sizeof line, "cpu %X", (p->view.cpu->address + 1u) % sys->cpu_count);
    carry_out(p, line);
}

static void offer(struct panel_ui *ui, const char *what, const char *with)
{
    if (ui->choices < PANEL_MENU)
        snprintf(ui->choice[ui->choices++], PANEL_WIDTH, "%s%s", what, with);
}

/* What can be loaded: devices, the images of the last time, the demonstration. */
static void offer_loads(struct panel *p)
{
    struct panel_ui *ui = &p->ui;
    const struct channel_device *d;
    char number[16];
    pthread_mutex_lock(&p->lock);
    ui->choices = 0;
    snprintf(ui->title, sizeof ui->title, "Load and start");
    if (p->session->image_count) {
        char line[PANEL_WIDTH] = "ipl";
        for (unsigned i = 0; i < p->session->image_count; i++)
            if (strlen(line) + strlen(p->session->images[i]) + 2 < sizeof line)
                strcat(strcat(line, " "), p->session->images[i]);
        offer(ui, line, "");
    }
    for (unsigned n = 0; (d = css_device(p->session->machine->css, n)) && n < PANEL_MENU - 4; n++) {
        snprintf(number, sizeof number, d->set ? "%u:%04X" : "%.0u%04X", d->set, d->number);
        offer(ui, "ipl ", number);
    }
    offer(ui, "ipl builtin:demo", "");
    offer(ui, "load builtin:demo", "");
    ui->menu = true;
    p->changes++;
    pthread_mutex_unlock(&p->lock);
}

static void offer_resets(struct panel *p)
{
    pthread_mutex_lock(&p->lock);
    p->ui.choices = 0;
    snprintf(p->ui.title, sizeof p->ui.title, "Reset");
    offer(&p->ui, "reset cpu", "");
    offer(&p->ui, "reset initial", "");
    offer(&p->ui, "reset clear", "");
    p->ui.menu = true;
    p->changes++;
    pthread_mutex_unlock(&p->lock);
}

/* The next file name that is free. */
static void take_picture(struct panel *p)
{
    char name[64], words[512];
    do
        snprintf(name, sizeof name, "zri-panel-%u.png", ++p->pictures);
    while (access(name, F_OK) == 0 && p->pictures < 10000);
    if (panel_shot(p, name, -1, words, sizeof words - 1) == 0)
        snprintf(words, sizeof words, "the picture is in %s", name);
    strcat(words, "\n");
    show(p, words);
}

static void help(struct panel *p)
{
    show(p,
         "F1-F10, Ctrl+1-9: views. Tab, Shift+Tab: from key to key and field to field; Enter presses. Tab in a command "
         "that has begun completes its word. Ctrl+G start, "
         "Ctrl+P pause, Ctrl+S step.\n"
         "Ctrl++, Ctrl+-, Ctrl+0: size. Ctrl+T: dark or light. F11: whole screen. F12: a picture. Up, Down: commands "
         "given before. PageUp, PageDown, wheel: more.\n"
         "A click on a value changes it. The line below takes every command of the console; 'help' lists them, .TEXT "
         "types for the guest.\n");
}

/* A list of words, each with a line end behind it, as lines with as many words as have a place. */
static void in_lines(char *words, size_t columns)
{
    size_t used = 0;
    for (char *word = words; *word;) {
        const size_t length = strcspn(word, "\n");
        const bool fits = word > words && used + 1 + length <= columns;
        if (fits)
            word[-1] = ' ';
        used = fits ? used + 1 + length : length;
        word += length + 1;
    }
}

/* The word in front of the cursor becomes what all that it may become begin with; several are listed. */
static void complete(struct panel *p)
{
    struct panel_input *in = &p->ui.input;
    struct panel_input was;
    char words[4000] = "";
    unsigned count;
    pthread_mutex_lock(&p->lock);
    was = *in;
    const float width = panel_columns(&p->ui);
    const size_t columns = width < 20 ? 20 : width > PANEL_WIDTH - 1 ? PANEL_WIDTH - 1 : (size_t)width;
    pthread_mutex_unlock(&p->lock);
    p->host.complete(p->host.context, was.text, was.cursor, words, sizeof words);
    const size_t common = words_common(words, &count);
    pthread_mutex_lock(&p->lock);
    if (count && was.cursor == in->cursor && strcmp(was.text, in->text) == 0) /* nothing was typed meanwhile */
        panel_complete(in, words, common, count == 1);
    pthread_mutex_unlock(&p->lock);
    if (count > 1) {
        in_lines(words, columns);
        show(p, words);
    }
}

static void own(struct panel *p, const char *command)
{
    pthread_mutex_lock(&p->lock);
    const bool by_step = p->ui.by_step;
    pthread_mutex_unlock(&p->lock);
    if (strcmp(command, "/start") == 0)
        start(p, by_step);
    else if (strcmp(command, "/step") == 0 && !runs(p))
        carry_out(p, "s");
    else if (strcmp(command, "/pause") == 0 || strcmp(command, "/step") == 0)
        p->host.stop(p->host.context);
    else if (strcmp(command, "/restart") == 0)
        restart(p);
    else if (strcmp(command, "/cpu") == 0)
        choose_next_cpu(p);
    else if (strcmp(command, "/load") == 0)
        offer_loads(p);
    else if (strcmp(command, "/reset") == 0)
        offer_resets(p);
    else if (strcmp(command, "/picture") == 0)
        take_picture(p);
    else if (strcmp(command, "/help") == 0)
        help(p);
    else if (strcmp(command, "/complete") == 0)
        complete(p);
    else
        (void)view_command(&p->view, command + 1);
}

/* The next one that waits; NULL: none does. The caller frees it. */
static char *take(struct panel *p)
{
    char *command = NULL;
    pthread_mutex_lock(&p->lock);
    if (p->queue_length) {
        command = p->queue[p->queue_first];
        p->queue_first = (p->queue_first + 1) % PANEL_QUEUE;
        p->queue_length--;
        atomic_fetch_sub(&p->waiting, 1);
    }
    pthread_mutex_unlock(&p->lock);
    return command;
}

void panel_serve(struct panel *p)
{
    for (char *command; (command = take(p)); free(command))
        if (*command == '/')
            own(p, command);
        else
            carry_out(p, command);
    draw_anew(p);
    p->served = true;
}

/* ---- what the session asks -------------------------------------------------------------------------------------- */

void panel_ring(struct panel *p)
{
    const uint64_t one = 1;
    if (p->bell >= 0)
        (void)!write(p->bell, &one, sizeof one);
}

#ifdef HAVE_SDL2 /* else nobody looks */
/* Whoever looks at visitors has done something since the latest drawing, or the guest has. */
static unsigned visitor_poll(void *context, struct pollfd *fds, unsigned room)
{
    struct panel *p = context;
    if (!room)
        return 0;
    if (!p->served)
        atomic_store(&p->stale, true);
    p->served = false;
    fds[0] = (struct pollfd){.fd = p->bell, .events = POLLIN};
    return 1;
}

static void visitor_polled(void *context, const struct pollfd *fds, unsigned count)
{
    struct panel *p = context;
    uint64_t rung;
    if (count && fds[0].revents)
        (void)!read(p->bell, &rung, sizeof rung);
}

static bool visitor_calls(void *context)
{
    struct panel *p = context;
    if (!atomic_load(&p->waiting) && p->view.moving && !p->session->machine->config.threads &&
        given_ns() < p->given_next_ns)
        return false;
    return atomic_load(&p->waiting) || (atomic_load(&p->visible) && atomic_load(&p->stale) &&
                                        session_now_ns() - atomic_load(&p->drawn_ns) >= atomic_load(&p->interval_ns));
}

/* He shows pictures and may type as long as there is a window. */
static bool visitor_types(void *context) { return panel_is_open(context); }

static void visitor_served(void *context) { panel_serve(context); }
#endif

static void visitor_output(void *context, const char *text, size_t length)
{
    struct panel *p = context;
    pthread_mutex_lock(&p->lock);
    panel_show(&p->ui, text, length);
    p->changes++;
    pthread_mutex_unlock(&p->lock);
}

/* ---- settings, and what scripts do ------------------------------------------------------------------------------ */

static bool changed(struct panel *p, bool good)
{
    p->changes++;
    pthread_mutex_unlock(&p->lock);
    if (good)
        draw_anew(p);
    return good;
}

bool panel_view(struct panel *p, const char *name)
{
    const int n = view_find(name);
    char command[64];
    snprintf(command, sizeof command, "/view %.40s", name);
    pthread_mutex_lock(&p->lock);
    if (n >= 0)
        panel_command(p, command);
    return changed(p, n >= 0);
}

bool panel_theme(struct panel *p, const char *name)
{
    unsigned n = 0;
    while (n < THEMES && strcmp(themes[n].name, name) != 0)
        n++;
    pthread_mutex_lock(&p->lock);
    if (n < THEMES)
        p->ui.theme = n;
    return changed(p, n < THEMES);
}

bool panel_size(struct panel *p, uint64_t width, uint64_t height)
{
    const bool good = width >= 320 && width <= 8192 && height >= 320 && height <= 8192;
    pthread_mutex_lock(&p->lock);
    if (good) {
        p->ui.width = (unsigned)width;
        p->ui.height = (unsigned)height;
        atomic_store(&p->resize, true);
    }
    return changed(p, good);
}

bool panel_scale(struct panel *p, uint64_t per_cent)
{
    const bool good = per_cent >= 50 && per_cent <= 400;
    pthread_mutex_lock(&p->lock);
    if (good)
        p->ui.scale = (unsigned)per_cent;
    return changed(p, good);
}

int panel_text(struct panel *p, void (*line)(void *context, const char *text), void *context)
{
    struct cells cells = {.cell = NULL};
    draw_anew(p);
    pthread_mutex_lock(&p->lock);
    panel_compose(p, &p->whole);
    pthread_mutex_unlock(&p->lock);
    const int code = cells_draw(&cells, &p->whole);
    for (unsigned y = 0; !code && y < cells.rows; y++) {
        char text[4 * CELLS_MOST + 1];
        size_t n = 0, end = 0;
        for (unsigned x = 0; x < cells.columns; x++) {
            char character[5];
            cells_utf8(cell_shown(&cells.cell[(size_t)y * cells.columns + x], true), character);
            n += (size_t)sprintf(text + n, "%s", character);
            end = character[0] == ' ' ? end : n;
        }
        text[end] = 0;
        line(context, text);
    }
    cells_free(&cells);
    return code;
}

struct panel_status panel_status(struct panel *p)
{
    pthread_mutex_lock(&p->lock);
    struct panel_status status = {.open = panel_is_open(p),
                                  .view = view_kind(p->ui.view)->name,
                                  .theme = themes[p->ui.theme].name,
                                  .width = p->ui.width,
                                  .height = p->ui.height,
                                  .scale = p->ui.scale,
                                  .pictures = p->picture,
                                  .drawing_ns = p->drawing_ns,
                                  .focus = ""};
    panel_compose(p, &p->whole);
    const struct canvas_item *item = p->ui.focus < 0 ? NULL : panel_focused(&p->whole, p->ui.focus);
    if (item)
        status.focus = canvas_item_text(&p->whole, item);
    pthread_mutex_unlock(&p->lock);
    return status;
}

/* What was pressed is carried out before the next command. */
static bool pressed(struct panel *p, bool good)
{
    pthread_mutex_unlock(&p->lock);
    panel_serve(p);
    return good;
}

bool panel_click(struct panel *p, float x, float y)
{
    draw_anew(p);
    pthread_mutex_lock(&p->lock);
    return pressed(p, panel_click_at(p, x, y));
}

bool panel_press(struct panel *p, const char *label)
{
    const struct canvas_item *found = NULL;
    draw_anew(p);
    pthread_mutex_lock(&p->lock);
    panel_compose(p, &p->whole);
    for (uint32_t i = p->whole.count; i > 0 && !found; i--) {
        const struct canvas_item *item = &p->whole.items[i - 1];
        if (canvas_answers(item) && strcmp(canvas_item_text(&p->whole, item), label) == 0)
            found = item;
    }
    return pressed(p, found &&
                          panel_click_at(p, found->box.x + found->box.width / 2, found->box.y + found->box.height / 2));
}

bool panel_key(struct panel *p, const char *name)
{
    static const char *const names[] = {
#define KEY(id, name) name,
#include "emu/panel/window/keys.def"
    };
    unsigned key = 0;
    while (key < KEY_NONE && strcasecmp(names[key], name) != 0)
        key++;
    draw_anew(p);
    pthread_mutex_lock(&p->lock);
    return pressed(p, panel_press_key(p, (enum panel_key_code)key));
}

void panel_type(struct panel *p, const char *text)
{
    pthread_mutex_lock(&p->lock);
    panel_type_text(p, text);
    (void)pressed(p, true);
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

/* Without a window nobody calls; what the guest writes is shown all the same. */
static void listen_only(struct panel *p)
{
    p->session->visitors[SESSION_WINDOW] = (struct session_visitor){.context = p, .output = visitor_output};
}

struct panel *panel_create(struct session *session, const struct panel_host *host)
{
    struct panel *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->session = session;
    p->host = *host;
    p->view = (struct view){.session = session, .teller = &p->host.teller, .follow = true};
    p->machines = session->machines;
    p->interval_ns = INTERVAL_NS;
    p->bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    pthread_mutex_init(&p->lock, NULL);
#ifdef HAVE_SDL2
    pthread_mutex_init(&p->paint_lock, NULL);
    pthread_cond_init(&p->opening, NULL);
#endif
    panel_ui_begin(&p->ui);
    follow_console(p);
    listen_only(p);
    return p;
}

void panel_destroy(struct panel *p)
{
    if (!p)
        return;
    panel_close(p);
    memset(&p->session->visitors[SESSION_WINDOW], 0, sizeof *p->session->visitors);
    view_end(&p->view);
    for (char *command; (command = take(p));)
        free(command);
    canvas_free(&p->drawing);
    canvas_free(&p->shown);
    canvas_free(&p->whole);
    pthread_mutex_destroy(&p->lock);
#ifdef HAVE_SDL2
    pthread_mutex_destroy(&p->paint_lock);
    pthread_cond_destroy(&p->opening);
#endif
    if (p->bell >= 0)
        close(p->bell);
    free(p);
}

bool panel_is_open(const struct panel *p) { return p && atomic_load(&p->open); }

static void join(struct panel *p)
{
    if (p->started)
        pthread_join(p->thread, NULL);
    p->started = false;
    atomic_store(&p->open, false);
    atomic_store(&p->visible, false);
    listen_only(p);
}

void panel_close(struct panel *p)
{
    atomic_store(&p->leave, true);
    join(p);
}

#ifdef HAVE_SDL2
static int begin_thread(struct panel *p)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the machine's */
    const int code = -pthread_create(&p->thread, NULL, panel_window, p);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

int panel_open(struct panel *p, char *error, size_t size)
{
    if (panel_is_open(p))
        return 0;
    join(p);
    if (atomic_load(&p->lost)) {
        snprintf(error, size, "the display of the panel has gone; start zri anew for another window");
        return -EIO;
    }
    int code = p->sdl.libraries[0] ? 0 : sdl_load(&p->sdl, error, size);
    if (code)
        return code;
    atomic_store(&p->leave, false);
    p->opened = false;
    code = begin_thread(p);
    if (code) {
        snprintf(error, size, "the panel: the host gives no thread for its window: %s", strerror(-code));
        return code;
    }
    p->started = true;
    pthread_mutex_lock(&p->lock);
    while (!p->opened)
        pthread_cond_wait(&p->opening, &p->lock);
    code = p->result;
    pthread_mutex_unlock(&p->lock);
    if (code) {
        snprintf(error, size, "%s", p->why);
        join(p);
        return code;
    }
    p->session->visitors[SESSION_WINDOW] = (struct session_visitor){.context = p,
                                                                    .poll = visitor_poll,
                                                                    .polled = visitor_polled,
                                                                    .calls = visitor_calls,
                                                                    .types = visitor_types,
                                                                    .shows = visitor_types,
                                                                    .output = visitor_output,
                                                                    .served = visitor_served};
    atomic_store(&p->stale, true);
    return 0;
}
#else
int panel_open(struct panel *p, char *error, size_t size)
{
    (void)p;
    snprintf(error, size,
             "the panel: zri was built without SDL2; install libsdl2-dev and libsdl2-ttf-dev and configure "
             "again, or use --tui");
    return -ENOTSUP;
}
#endif
