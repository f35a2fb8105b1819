/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen by ncurses. */
#define _GNU_SOURCE /* memfd_create */
#include "emu/panel/terminal/screen.h"
#include "emu/panel/terminal/keys.h"
#include <errno.h>

#if HAVE_NCURSES
#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#undef lines /* term.h has made macros of these words */
#undef columns

#define ESCAPE_MS 25

struct screen {
    FILE *in, *out;
    SCREEN *curses;
    int said;      /* what was written to the standard descriptors */
    off_t said_at; /* so much of it was handed over */
    int before[2]; /* those as they were */
    int stops;     /* tells that the program is to be stopped; -1: it never is */
    bool unicode, colours, raw;
    int mouse_x, mouse_y;
};

/* ---- an end by a signal -------------------------------------------------------------------------------------------
   A handler has no argument of its own; a process has one terminal. */

static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGQUIT};
#define DEADLY (sizeof deadly / sizeof *deadly)

static struct {
    volatile sig_atomic_t on;
    int terminal, error; /* descriptors */
    struct termios modes;
    char bytes[256]; /* what ends the drawing */
    size_t length;
    struct sigaction before[DEADLY];
} at_end;

static void restore(void)
{
    if (!at_end.on)
        return;
    at_end.on = 0;
    (void)!write(at_end.terminal, at_end.bytes, at_end.length);
    (void)tcsetattr(at_end.terminal, TCSANOW, &at_end.modes);
    (void)dup2(at_end.error, STDERR_FILENO);
}

/* The terminal is as it was; then it goes on as it would have without us. */
static void died(int number, siginfo_t *info, void *context)
{
    (void)context;
    restore();
    for (unsigned i = 0; i < DEADLY; i++)
        if (deadly[i] == number)
            (void)sigaction(number, &at_end.before[i], NULL);
    if (info->si_code <= 0) /* it was sent; else the instruction is at fault once more */
        raise(number);
}

/* The terminal's word, without what says how long it takes. */
static void add_word(const char *name)
{
    const char *word = tigetstr(name);
    if (!word || word == (const char *)-1)
        return;
    for (; *word && at_end.length < sizeof at_end.bytes - 32; word++) {
        if (*word == '$' && word[1] == '<' && strchr(word, '>'))
            word = strchr(word, '>');
        else
            at_end.bytes[at_end.length++] = *word;
    }
}

static void watch_end(const struct screen *s, const struct termios *modes)
{
    static const char mouse_off[] = "\033[?1000l\033[?1006l";
    at_end.terminal = fileno(s->out);
    at_end.error = s->before[1];
    at_end.modes = *modes;
    at_end.length = 0;
    add_word("sgr0");
    add_word("cnorm");
    add_word("rmkx");
    if (tigetstr("kmous") && tigetstr("kmous") != (const char *)-1) {
        memcpy(at_end.bytes + at_end.length, mouse_off, sizeof mouse_off - 1);
        at_end.length += sizeof mouse_off - 1;
    }
    add_word("rmcup");
    const struct sigaction action = {.sa_sigaction = died, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    at_end.on = 1;
    for (unsigned i = 0; i < DEADLY; i++) {
        (void)sigaction(deadly[i], &action, &at_end.before[i]);
        if (at_end.before[i].sa_handler == SIG_IGN) /* SIGQUIT, where a shell put us into the background */
            (void)sigaction(deadly[i], &at_end.before[i], NULL);
    }
    atexit(restore);
}

static void end_watch(void)
{
    at_end.on = 0;
    for (unsigned i = 0; i < DEADLY; i++)
        (void)sigaction(deadly[i], &at_end.before[i], NULL);
}

/* ---- Ctrl-Z --------------------------------------------------------------------------------------------------------
   Where the program has other threads, what ncurses does in a handler may stop nothing or draw on: the signal is read.
 */

static void begin_stops(struct screen *s)
{
    struct sigaction action;
    sigset_t set;
    if (sigaction(SIGTSTP, NULL, &action) || action.sa_handler == SIG_IGN)
        return; /* whoever has started the program wants none */
    action = (struct sigaction){.sa_handler = SIG_DFL};
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    if (sigaction(SIGTSTP, &action, NULL) == 0 && pthread_sigmask(SIG_BLOCK, &set, NULL) == 0)
        s->stops = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void end_stops(struct screen *s)
{
    sigset_t set;
    if (s->stops < 0)
        return;
    close(s->stops);
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

int screen_stops(const struct screen *s) { return s->stops; }

void screen_suspend(struct screen *s)
{
    struct signalfd_siginfo info;
    sigset_t set;
    while (read(s->stops, &info, sizeof info) == (ssize_t)sizeof info)
        ;
    endwin(); /* until the next drawing */
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    raise(SIGTSTP);
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* here it stops, and goes on */
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* ---- open and close -----------------------------------------------------------------------------------------------
 */

/* Is there a terminal, and can it be drawn on? */
static int look_at_terminal(char *error, size_t size)
{
    const char *name = getenv("TERM");
    int known = 0;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        snprintf(error, size, "--tui: standard input and output are no terminal; leave --tui out, or start it in one");
        return -ENOTTY;
    }
    if (!name || !*name) {
        snprintf(error, size, "--tui: TERM does not say what terminal this is; set it, as TERM=xterm");
        return -EINVAL;
    }
    if (setupterm(NULL, STDOUT_FILENO, &known) == ERR && known <= 0) {
        snprintf(error, size,
                 "--tui: the terminal '%.40s' of TERM is not known to this system; set TERM to one that is (as xterm "
                 "or vt100), or install ncurses-term",
                 name);
        return -EINVAL;
    }
    const char *move = tigetstr("cup");
    const bool draws = move && move != (const char *)-1;
    del_curterm(cur_term);
    if (draws)
        return 0;
    snprintf(error, size, "--tui: the terminal '%.40s' of TERM cannot be drawn on; use the console without --tui",
             name);
    return -EINVAL;
}

/* The standard descriptors lead into a file in memory from now on. */
static int divert(struct screen *s)
{
    s->said = memfd_create("zri-said", MFD_CLOEXEC);
    s->before[0] = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    s->before[1] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (s->said < 0 || s->before[0] < 0 || s->before[1] < 0 || fcntl(s->said, F_SETFL, O_APPEND) < 0)
        return -errno;
    fflush(stdout);
    fflush(stderr);
    if (dup2(s->said, STDOUT_FILENO) < 0 || dup2(s->said, STDERR_FILENO) < 0)
        return -errno;
    setvbuf(stdout, NULL, _IOLBF, 0);
    return 0;
}

/* And to where they led before. */
static void undivert(struct screen *s)
{
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++)
        if (s->before[i] >= 0) {
            (void)dup2(s->before[i], i ? STDERR_FILENO : STDOUT_FILENO);
            close(s->before[i]);
        }
    if (s->said >= 0)
        close(s->said);
}

#define PAIR(role)      ((short)(1 + (role)))
#define PAIR_BACK(role) ((short)(1 + CANVAS_ROLES + (role)))

/* Colours that the roles have, of the eight that every terminal with colours has; -1: its own. No meaning rests on red
   against green: what is marked differs in brightness, too. */
static short colour(unsigned role)
{
    static const short colours[CANVAS_ROLES] = {[CANVAS_PLAIN] = -1,
                                                [CANVAS_FAINT] = -1,
                                                [CANVAS_HEADING] = COLOR_CYAN,
                                                [CANVAS_VALUE] = -1,
                                                [CANVAS_CHANGED] = COLOR_YELLOW,
                                                [CANVAS_HERE] = COLOR_BLUE,
                                                [CANVAS_LIT] = COLOR_YELLOW,
                                                [CANVAS_DARK] = -1,
                                                [CANVAS_WARNING] = COLOR_MAGENTA,
                                                [CANVAS_LINK] = COLOR_CYAN,
                                                [CANVAS_A] = COLOR_BLUE,
                                                [CANVAS_B] = COLOR_YELLOW,
                                                [CANVAS_C] = COLOR_CYAN,
                                                [CANVAS_D] = COLOR_MAGENTA,
                                                [CANVAS_E] = COLOR_WHITE};
    return colours[role];
}

static void begin_colours(struct screen *s)
{
    const char *none = getenv("NO_COLOR");
    s->colours =
        has_colors() && !(none && *none) && start_color() == OK && COLORS >= 8 && COLOR_PAIRS > 2 * CANVAS_ROLES + 1;
    if (!s->colours)
        return;
    const bool own = use_default_colors() == OK;
    for (unsigned role = 0; role < CANVAS_ROLES; role++) {
        const short c = colour(role), front = c < 0 ? (short)(own ? -1 : COLOR_WHITE) : c;
        init_pair(PAIR(role), front, (short)(own ? -1 : COLOR_BLACK));
        init_pair(PAIR_BACK(role), c == COLOR_BLUE || c == COLOR_MAGENTA ? COLOR_WHITE : COLOR_BLACK,
                  c < 0 ? COLOR_WHITE : c);
    }
}

static int begin_curses(struct screen *s, char *error, size_t size)
{
    s->in = fdopen(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "r");
    s->out = fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "w");
    s->curses = s->in && s->out ? newterm(NULL, s->out, s->in) : NULL;
    if (!s->curses) {
        snprintf(error, size, "--tui: the terminal could not be taken; leave --tui out");
        return -EIO;
    }
    set_escdelay(ESCAPE_MS);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, FALSE);
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    begin_colours(s);
    return 0;
}

int screen_open(struct screen **screen, char *error, size_t size)
{
    struct termios modes;
    int code = look_at_terminal(error, size);
    if (code)
        return code;
    struct screen *s = calloc(1, sizeof *s);
    if (!s) {
        snprintf(error, size, "the host has no memory for a screen");
        return -ENOMEM;
    }
    s->said = s->before[0] = s->before[1] = s->stops = -1;
    setlocale(LC_CTYPE, "");
    s->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    (void)tcgetattr(STDIN_FILENO, &modes);
    code = begin_curses(s, error, size);
    if (!code && (code = divert(s)))
        snprintf(error, size, "--tui: the host does not give a file in memory: %s", strerror(-code));
    *screen = s;
    if (!code)
        begin_stops(s);
    if (!code)
        watch_end(s, &modes);
    else
        screen_close(s);
    return code;
}

void screen_close(struct screen *s)
{
    if (at_end.on)
        end_watch();
    if (s->curses) {
        endwin();
        delscreen(s->curses);
    }
    end_stops(s);
    undivert(s);
    if (s->in)
        fclose(s->in);
    if (s->out)
        fclose(s->out);
    free(s);
}

/* ---- keys ---------------------------------------------------------------------------------------------------------
 */

static const struct {
    int curses;
    uint32_t key;
} keys[] = {
    {KEY_UP, KEYS_UP},       {KEY_DOWN, KEYS_DOWN},     {KEY_LEFT, KEYS_LEFT},           {KEY_RIGHT, KEYS_RIGHT},
    {KEY_HOME, KEYS_HOME},   {KEY_END, KEYS_END},       {KEY_PPAGE, KEYS_PAGE_UP},       {KEY_NPAGE, KEYS_PAGE_DOWN},
    {KEY_IC, KEYS_INSERT},   {KEY_DC, KEYS_DELETE},     {KEY_BACKSPACE, KEYS_BACKSPACE}, {KEY_BTAB, KEYS_BACK_TAB},
    {KEY_SR, KEYS_SHIFT_UP}, {KEY_SF, KEYS_SHIFT_DOWN}, {KEY_SLEFT, KEYS_SHIFT_LEFT},    {KEY_SRIGHT, KEYS_SHIFT_RIGHT},
    {KEY_ENTER, KEYS_ENTER}, {KEY_RESIZE, KEYS_RESIZE}};

static uint32_t function_key(struct screen *s, int code)
{
    MEVENT event;
    if (code == KEY_MOUSE) {
        if (getmouse(&event) != OK)
            return KEYS_NONE;
        s->mouse_x = event.x;
        s->mouse_y = event.y;
        return event.bstate & BUTTON4_PRESSED   ? KEYS_WHEEL_UP
               : event.bstate & BUTTON5_PRESSED ? KEYS_WHEEL_DOWN
                                                : KEYS_CLICK;
    }
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].curses == code)
            return keys[i].key;
    return code >= KEY_F(1) && code <= KEY_F(24) ? KEYS_F + (uint32_t)(code - KEY_F0) : KEYS_NONE;
}

static uint32_t plain_key(wint_t key)
{
    return key == 0x7F ? KEYS_BACKSPACE : key == '\n' ? KEYS_ENTER : (uint32_t)key;
}

/* Another size is told by a signal, which whoever was in the background meanwhile has not got. */
static void take_size(const struct screen *s)
{
    struct winsize size;
    if (screen_resized(s) && ioctl(fileno(s->in), TIOCGWINSZ, &size) == 0)
        (void)resizeterm(size.ws_row, size.ws_col); /* KEY_RESIZE is the next key */
}

uint32_t screen_key(struct screen *s)
{
    wint_t key;
    take_size(s);
    const int kind = get_wch(&key);
    if (kind == ERR)
        return KEYS_NONE;
    if (kind == KEY_CODE_YES)
        return function_key(s, (int)key);
    if (key != KEYS_ESCAPE || s->raw)
        return plain_key(key);
    const int second = get_wch(&key); /* Alt, or Escape alone */
    return second == OK ? KEY_OF_ALT(plain_key(key)) : second == ERR ? KEYS_ESCAPE : function_key(s, (int)key);
}

void screen_mouse(const struct screen *s, int *x, int *y)
{
    *x = s->mouse_x;
    *y = s->mouse_y;
}

void screen_raw(struct screen *s, bool on)
{
    if (on == s->raw)
        return;
    s->raw = on;
    if (on) {
        raw();
    } else {
        noraw();
        cbreak();
    }
}

/* ---- drawing ------------------------------------------------------------------------------------------------------
 */

void screen_size(const struct screen *s, unsigned *columns, unsigned *rows)
{
    (void)s;
    *columns = (unsigned)getmaxx(stdscr);
    *rows = (unsigned)getmaxy(stdscr);
}

bool screen_resized(const struct screen *s)
{
    struct winsize size;
    return ioctl(fileno(s->in), TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row &&
           (size.ws_col != getmaxx(stdscr) || size.ws_row != getmaxy(stdscr));
}

/* What a role is beside its colour, and without. */
static attr_t attributes(const struct screen *s, unsigned role)
{
    switch (role) {
    case CANVAS_HEADING:
    case CANVAS_LIT:
        return A_BOLD;
    case CANVAS_CHANGED:
        return s->colours ? A_BOLD : A_BOLD | A_UNDERLINE;
    case CANVAS_HERE:
    case CANVAS_WARNING:
        return s->colours ? A_BOLD : A_REVERSE;
    case CANVAS_LINK:
        return A_UNDERLINE;
    case CANVAS_FAINT:
    case CANVAS_DARK:
        return A_DIM;
    default:
        return A_NORMAL;
    }
}

static void put(struct screen *s, int x, int y, uint32_t character, attr_t attr, short pair)
{
    const wchar_t text[2] = {(wchar_t)character, 0};
    cchar_t c;
    if (x < 0 || y < 0 || x >= getmaxx(stdscr) || y >= getmaxy(stdscr))
        return;
    setcchar(&c, text, attr, s->colours ? pair : 0, NULL);
    mvadd_wch(y, x, &c);
}

static attr_t look_of(unsigned look)
{
    return (look & SCREEN_REVERSE ? A_REVERSE : 0) | (look & SCREEN_UNDERLINE ? A_UNDERLINE : 0) |
           (look & SCREEN_BOLD ? A_BOLD : 0);
}

/* Without colours the kinds of what is filled are told apart by their patterns. */
static uint32_t pattern(const struct screen *s, const struct cell *cell)
{
    static const uint32_t patterns[] = {0x2591, 0x2592, 0x2593, 0x2588, 0x25A1};
    static const char plain[] = ".:%#o";
    const unsigned kind = cell->fill_role - CANVAS_A;
    if (s->colours || cell->fill_role < CANVAS_A || kind >= sizeof plain - 1)
        return cell_shown(cell, s->unicode);
    return s->unicode ? patterns[kind] : (uint8_t)plain[kind];
}

/* What lies behind something that is marked; else it is a picture of its own, in shades. */
static bool marks(unsigned role) { return role < CANVAS_A && role != CANVAS_PLAIN && role != CANVAS_FAINT; }

void screen_cell(struct screen *s, int x, int y, const struct cell *cell, unsigned look)
{
    const bool filled = cell->fill != 0, written = cell->character || cell->lines;
    const attr_t wanted = look_of(look);
    if (filled && !written && !marks(cell->fill_role)) {
        const attr_t attr = attributes(s, cell->fill_role) & ~(attr_t)(A_UNDERLINE | A_REVERSE);
        put(s, x, y, pattern(s, cell), attr | wanted, PAIR(cell->fill_role));
        return;
    }
    attr_t attr = attributes(s, written ? cell->role : CANVAS_PLAIN) | wanted;
    const bool behind = filled && (marks(cell->fill_role) || cell->fill >= 96);
    if (behind)
        attr &= ~(attr_t)A_DIM;
    if (behind && !s->colours)
        attr |= A_REVERSE;
    else if (filled)
        attr |= A_BOLD;
    put(s, x, y, written ? cell_shown(cell, s->unicode) : ' ', attr,
        behind ? PAIR_BACK(cell->fill_role) : PAIR(cell->role));
}

void screen_character(struct screen *s, int x, int y, uint32_t character, enum canvas_role role, unsigned look)
{
    const struct cell cell = {.character = character, .role = (uint8_t)role};
    screen_cell(s, x, y, &cell, look);
}

int screen_text(struct screen *s, int x, int y, int end, const char *text, enum canvas_role role, unsigned look)
{
    while (*text && x < end)
        screen_character(s, x++, y, cells_character(&text), role, look);
    return x;
}

void screen_clear(struct screen *s)
{
    (void)s;
    erase();
}

void screen_show(struct screen *s, int x, int y, bool anew)
{
    (void)s;
    curs_set(x >= 0);
    if (x >= 0)
        move(y < getmaxy(stdscr) ? y : 0, x < getmaxx(stdscr) ? x : getmaxx(stdscr) - 1);
    if (anew)
        clearok(stdscr, TRUE);
    refresh();
}

/* ---- what others write --------------------------------------------------------------------------------------------
 */

size_t screen_said(struct screen *s, char *bytes, size_t size)
{
    struct stat now;
    fflush(stdout);
    if (fstat(s->said, &now) || now.st_size <= s->said_at)
        return 0;
    const ssize_t n = pread(s->said, bytes, size, s->said_at);
    if (n <= 0)
        return 0;
    s->said_at += n;
    if (s->said_at == now.st_size && ftruncate(s->said, 0) == 0)
        s->said_at = 0;
    return (size_t)n;
}
#else

int screen_open(struct screen **screen, char *error, size_t size)
{
    *screen = NULL;
    snprintf(error, size, "--tui: zri was built without ncurses; install libncurses-dev and configure again");
    return -ENOTSUP;
}

void screen_close(struct screen *s) { (void)s; }
void screen_size(const struct screen *s, unsigned *columns, unsigned *rows) { (void)s, *columns = *rows = 0; }
bool screen_resized(const struct screen *s) { return (void)s, false; }
int screen_stops(const struct screen *s) { return (void)s, -1; }
void screen_suspend(struct screen *s) { (void)s; }
uint32_t screen_key(struct screen *s) { return (void)s, KEYS_NONE; }
void screen_mouse(const struct screen *s, int *x, int *y) { (void)s, *x = *y = 0; }
void screen_raw(struct screen *s, bool raw) { (void)s, (void)raw; }
void screen_cell(struct screen *s, int x, int y, const struct cell *c, unsigned look)
{
    (void)s, (void)x, (void)y, (void)c, (void)look;
}
int screen_text(struct screen *s, int x, int y, int end, const char *text, enum canvas_role role, unsigned look)
{
    (void)s, (void)y, (void)end, (void)text, (void)role, (void)look;
    return x;
}
void screen_character(struct screen *s, int x, int y, uint32_t character, enum canvas_role role, unsigned look)
{
    (void)s, (void)x, (void)y, (void)character, (void)role, (void)look;
}
void screen_clear(struct screen *s) { (void)s; }
void screen_show(struct screen *s, int x, int y, bool anew) { (void)s, (void)x, (void)y, (void)anew; }
size_t screen_said(struct screen *s, char *bytes, size_t size) { return (void)s, (void)bytes, (void)size, 0; }
#endif
