/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine with its operator: host input and output, lockstep. */
#define _GNU_SOURCE /* ppoll */
#include "emu/edges/profile.h"
#include "emu/machine/session.h"
#include "emu/dev/sclp/event.h"
#include "cpu/control/registers.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/lockstep/lockstep.h"
#include "cpu/state/timing.h"
#include "emu/machine/diagnose.h"
#include "emu/observe/exception_trace.h"
#include "emu/machine/snapshot.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#define DEVICE_POLLS 256       /* descriptors of the host for devices */
#define URGENT_NS    20000000u /* from one look for what cannot wait to the next, while nobody shows pictures */

uint64_t session_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- what the machine asks of its host ------------------------------------------------------------------------- */

void session_say(const struct session *s, const char *sentence)
{
    fprintf(stderr, "%szri: %s\n", s->machine->sclp.at_line_start ? "" : "\n", sentence);
}

static void host_message(void *context, const char *text) { session_say(context, text); }

/* Compares what was written last with what is expected. */
static void look_for_expected(struct session *s, const char *text, size_t length)
{
    const size_t n = strlen(s->expected);
    for (size_t i = 0; i < length; i++) {
        memmove(s->written, s->written + 1, n - 1);
        s->written[n - 1] = text[i];
        s->met |= memcmp(s->written, s->expected, n) == 0;
    }
}

static void host_output(void *context, const char *text, size_t length)
{
    struct session *s = context;
    if (s->keeper.wrote)
        s->keeper.wrote(s->keeper.context, text, length);
    if (s->expected[0])
        look_for_expected(s, text, length);
    if (s->heard)
        s->heard(s->heard_context, text, length);
    if (s->copy)
        fwrite(text, 1, length, s->copy);
    for (unsigned i = 0; i < SESSION_VISITORS; i++)
        if (s->visitors[i].output)
            s->visitors[i].output(s->visitors[i].context, text, length);
    if (!s->out)
        return;
    errno = 0;
    if (fwrite(text, 1, length, s->out) == length && !fflush(s->out))
        return;
    if (!s->output_told) {
        char words[160];
        snprintf(words, sizeof words,
                 "what the guest writes cannot be written to standard output: %s; the guest goes on",
                 errno ? strerror(errno) : "an error");
        host_message(s, words);
    }
    s->output_told = s->lost = true;
}

static void host_lost(void *context)
{
    struct session *s = context;
    s->lost = true;
}

#define READ_AT_ONCE 256  /* typed characters */
#define ATTENTION    0x1d /* Ctrl-] */

/* The keeper of what comes from outside learns of it. */
static void tell_keeper(const struct session *s, enum session_outside kind, uint64_t value, const void *bytes,
                        size_t length)
{
    if (s->keeper.told)
        s->keeper.told(s->keeper.context, kind, s->idles, value, bytes, length);
}

static bool replays(const struct session *s) { return s->keeper.replays && s->keeper.replays(s->keeper.context); }

/* A line for a console device that the guest uses, or its line-mode console. False: it takes no such line. */
static bool hand_line(struct session *s, const char *line)
{
    return css_line(s->machine->css, NULL) ? css_line(s->machine->css, line), true : sclp_input_line(s->machine, line);
}

/* Between two rotations. */
static void pass(struct session *s, uint64_t units)
{
    machine_rotate(s->machine); /* what a slice has used so far is over */
    engine_skip(&s->machine->sys, units);
}

void session_hand(struct session *s, enum session_outside kind, uint64_t value, const uint8_t *bytes, size_t length)
{
    struct channel_device *d;
    switch (kind) {
    case SESSION_LINE:
        (void)!hand_line(s, (const char *)bytes);
        break;
    case SESSION_KEYS:
        sclp_input_keys(s->machine, (const char *)bytes, length);
        break;
    case SESSION_QUIESCE:
        (void)!sclp_quiesce(s->machine);
        break;
    case SESSION_FRAME:
        d = css_find_number(s->machine->css, (unsigned)(value >> 16 & 3), (uint16_t)value);
        if (d && d->type->frame)
            d->type->frame(d, bytes, length);
        break;
    case SESSION_PASSED:
        pass(s, value);
        break;
    case SESSION_SLEPT:
        break;
    }
}

/* A network device is handed this. */
static void host_frame(void *context, unsigned set, uint16_t number, const uint8_t *bytes, size_t length)
{
    tell_keeper(context, SESSION_FRAME, (uint64_t)set << 16 | number, bytes, length);
}

#define STEP_NS 1000000u /* by which the guest's clock follows, at least */

/* The guest's clock is brought to the host's. */
static void follow(struct session *s)
{
    const uint64_t passed = session_now_ns() - s->follows_ns;
    const uint64_t units = passed / 1000 * CPU_TOD_MICROSECOND, now = s->machine->sys.now;
    if (units < now + STEP_NS / 1000 * CPU_TOD_MICROSECOND)
        return;
    tell_keeper(s, SESSION_PASSED, units - now, NULL, 0);
    pass(s, units - now);
}

void session_follow(struct session *s)
{
    s->follows = true;
    s->follows_ns = session_now_ns() - s->machine->sys.now / CPU_TOD_MICROSECOND * 1000;
}

/* A typed line is complete: a console device that the guest uses comes first. */
static void take_line(struct session *s)
{
    char words[96];
    s->typed[s->typed_length] = 0;
    tell_keeper(s, SESSION_LINE, 0, s->typed, s->typed_length);
    if (!hand_line(s, s->typed)) {
        snprintf(words, sizeof words, "a line of %zu characters was not typed; the guest's console takes %u",
                 s->typed_length, SCLP_LINE);
        host_message(s, words);
    }
    s->typed_length = 0;
}

/* What is typed for us becomes visible where the terminal does not do that. */
static void echo(const struct session *s, const char *text)
{
    if (!s->raw || !s->out)
        return;
    fputs(text, s->out);
    fflush(s->out);
}

/* A key of a command that is typed while the guest runs. An empty line and a second Ctrl-] stop the guest. */
static void take_asked(struct session *s, char key)
{
    const char shown[2] = {key, 0};
    const bool ends = key == '\n' || key == '\r', stops = key == ATTENTION || key == 3 || (ends && !s->asked_length);
    if (stops || ends) {
        s->asks = false;
        s->asked[s->asked_length] = 0;
        s->interrupted |= stops;
        s->asked_complete = !stops;
        echo(s, "\n");
    } else if (key == 0x7f || key == '\b') {
        echo(s, s->asked_length ? "\b \b" : "");
        s->asked_length -= s->asked_length != 0;
    } else if ((uint8_t)key >= ' ' && s->asked_length < sizeof s->asked - 1) {
        s->asked[s->asked_length++] = key;
        echo(s, shown);
    }
}

/* At a terminal: what Ctrl-] begins is ours and is taken out; at one that gives lines it must be the first key of its
   line. Returns how much is left for the guest. */
static size_t take_attention(struct session *s, char *bytes, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
        const bool first = left              ? bytes[left - 1] == '\n'
                           : s->ahead_length ? s->ahead[s->ahead_length - 1] == '\n'
                                             : s->typed_length == 0;
        if (s->asks) {
            take_asked(s, bytes[i]);
        } else if (bytes[i] == ATTENTION && (s->raw || first)) {
            s->asks = true;
            s->asked_length = 0;
            echo(s, "\nzri (the guest runs)> ");
        } else {
            bytes[left++] = bytes[i];
        }
    }
    return left;
}

/* Hand typed characters to the guest: to its console device, as keys to its VT220, or whole lines to its line-mode
   console. */
static void hand_input(struct session *s, const char *bytes, size_t n)
{
    if (!css_line(s->machine->css, NULL) && sclp_key_room(s->machine)) {
        tell_keeper(s, SESSION_KEYS, 0, bytes, n);
        sclp_input_keys(s->machine, bytes, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '\n' || (s->raw && bytes[i] == '\r'))
            take_line(s);
        else if (s->typed_length < sizeof s->typed - 1)
            s->typed[s->typed_length++] = bytes[i];
    }
}

/* What was read ahead and can be handed over now. */
static void hand_ahead(struct session *s)
{
    const size_t n = s->ahead_length < READ_AT_ONCE ? s->ahead_length : READ_AT_ONCE;
    if (!n)
        return;
    hand_input(s, s->ahead, n);
    s->ahead_length -= n;
    memmove(s->ahead, s->ahead + n, s->ahead_length);
}

int session_post(struct session *s, bool keys, const char *bytes, size_t n)
{
    struct machine *m = s->machine;
    const bool device = css_line(m->css, NULL);
    if (replays(s))
        return -EROFS;
    if (keys ? device || !sclp_listens_keys(m) : !device && !sclp_listens_lines(m))
        return -ENXIO;
    const size_t room = keys ? sclp_key_room(m) : device ? sizeof s->posted : sclp_line_room(m);
    if (s->posted_length + n > room || s->posted_length + n > sizeof s->posted ||
        (s->posted_length && keys != s->posted_keys))
        return -ENOSPC;
    memcpy(s->posted + s->posted_length, bytes, n);
    s->posted_length += n;
    s->posted_keys = keys;
    return 0;
}

/* A line that was posted, without its end. */
static void hand_posted_line(struct session *s, const char *bytes, size_t n)
{
    char line[sizeof s->posted + 1];
    memcpy(line, bytes, n);
    line[n] = 0;
    tell_keeper(s, SESSION_LINE, 0, line, n);
    if (!hand_line(s, line))
        host_message(s, "a line that came from elsewhere was not typed; the guest does not take it");
}

/* What was typed elsewhere. True: there was something. */
static bool hand_posted(struct session *s)
{
    const size_t n = s->posted_length;
    if (!n || replays(s))
        return false;
    s->posted_length = 0;
    if (s->posted_keys) {
        tell_keeper(s, SESSION_KEYS, 0, s->posted, n);
        sclp_input_keys(s->machine, s->posted, n);
    }
    for (size_t i = 0, end; !s->posted_keys && i < n; i = end + 1) {
        for (end = i; end < n - 1 && s->posted[end] != '\n'; end++)
            ;
        hand_posted_line(s, s->posted + i, end - i);
    }
    return true;
}

/* `wants`: the guest takes it now. */
static void take_input(struct session *s, bool wants)
{
    char bytes[READ_AT_ONCE];
    ssize_t n = read(s->input, bytes, sizeof bytes);
    if (n <= 0) {
        if (!wants) /* no end for a guest that does not listen */
            return;
        s->input_ended = n == 0 || errno != EAGAIN;
        if (s->input_ended && s->typed_length)
            take_line(s);
        return;
    }
    if (s->pace)
        n = (ssize_t)take_attention(s, bytes, (size_t)n);
    if (!n)
        return;
    if (wants && !s->ahead_length) {
        hand_input(s, bytes, (size_t)n);
        return;
    }
    memcpy(s->ahead + s->ahead_length, bytes, (size_t)n);
    s->ahead_length += (size_t)n;
}

/* Nothing is read that could not be handed over. */
static bool wants_input(const struct session *s)
{
    return s->input >= 0 && !s->input_ended && !s->asked_complete &&
           (sclp_key_room(s->machine) >= READ_AT_ONCE || sclp_line_room(s->machine) >= 2 * READ_AT_ONCE ||
            css_line(s->machine->css, NULL));
}

/* At a terminal keys are read also while the guest does not listen: they may be ours. */
static bool reads_ahead(const struct session *s)
{
    return s->reads_ahead && s->pace && s->input >= 0 && !s->input_ended && !s->asked_complete && !replays(s);
}

/* What cannot be kept waits at the terminal. */
static bool keeps_more(const struct session *s) { return sizeof s->ahead - s->ahead_length >= READ_AT_ONCE; }

/* A request to terminate goes to the guest first, when it runs and listens; the next one is for us. */
static void terminate(struct session *s, bool runs)
{
    if (!runs || s->ending || replays(s) || !sclp_quiesce(s->machine)) {
        s->interrupted = s->terminated = true;
        return;
    }
    s->ending = true;
    tell_keeper(s, SESSION_QUIESCE, 0, NULL, 0);
    host_message(s, "the guest is asked to end");
}

/* Nobody is there any more, which is a request to terminate; it may be noticed by a signal and at the terminal. */
static void hang_up(struct session *s, bool runs)
{
    if (s->hung_up)
        return;
    s->hung_up = s->input_ended = true;
    terminate(s, runs);
}

static void take_signal(struct session *s, unsigned number, bool runs)
{
    if (number == SIGTERM) {
        terminate(s, runs);
    } else if (number == SIGHUP) {
        hang_up(s, runs);
    } else {
        s->interrupted = true;
        s->ahead_length = 0; /* the terminal throws away what it still holds */
    }
}

void session_visitors_poll(const struct session *s, struct session_visit *v)
{
    v->count = 0;
    for (unsigned i = 0; i < SESSION_VISITORS; i++) {
        const struct session_visitor *visitor = &s->visitors[i];
        v->counts[i] =
            visitor->poll ? visitor->poll(visitor->context, v->fds + v->count, SESSION_VISITOR_FDS - v->count) : 0;
        v->count += v->counts[i];
    }
}

void session_visitors_polled(struct session *s, const struct session_visit *v)
{
    const struct pollfd *fds = v->fds;
    for (unsigned i = 0; i < SESSION_VISITORS; fds += v->counts[i++])
        if (v->counts[i])
            s->visitors[i].polled(s->visitors[i].context, fds, v->counts[i]);
}

static bool has_visitors(const struct session *s)
{
    for (unsigned i = 0; i < SESSION_VISITORS; i++)
        if (s->visitors[i].poll)
            return true;
    return false;
}

static bool has_pictures(const struct session *s)
{
    for (unsigned i = 0; i < SESSION_VISITORS; i++)
        if (s->visitors[i].shows && s->visitors[i].shows(s->visitors[i].context))
            return true;
    return false;
}

/* The visitors alone, and signals when they are wanted; waits at most so long. */
static void look_at_visitors(struct session *s, bool signals, int ms)
{
    struct pollfd fds[1 + SESSION_VISITOR_FDS] = {{.fd = signals ? s->signals : -1, .events = POLLIN}};
    struct signalfd_siginfo info;
    struct session_visit v;
    session_visitors_poll(s, &v);
    memcpy(fds + 1, v.fds, v.count * sizeof *fds);
    if (poll(fds, 1 + v.count, ms) <= 0)
        return;
    memcpy(v.fds, fds + 1, v.count * sizeof *fds);
    if (fds[0].revents && read(s->signals, &info, sizeof info) == (ssize_t)sizeof info)
        take_signal(s, info.ssi_signo, false);
    session_visitors_polled(s, &v);
}

void session_stand(struct session *s, unsigned ms) { look_at_visitors(s, ms != 0, (int)ms); }

bool session_calls(const struct session *s, enum session_visitors visitor)
{
    const struct session_visitor *v = &s->visitors[visitor];
    return v->calls && v->calls(v->context);
}

static bool visitors_call(const struct session *s)
{
    for (unsigned i = 0; i < SESSION_VISITORS; i++)
        if (session_calls(s, (enum session_visitors)i))
            return true;
    return false;
}

bool session_called(const struct session *s)
{
    for (unsigned i = 0; i < SESSION_VISITORS; i++)
        if (s->visitors[i].served && session_calls(s, (enum session_visitors)i))
            return true;
    return false;
}

void session_serve(struct session *s)
{
    for (unsigned i = 0; i < SESSION_VISITORS; i++)
        if (s->visitors[i].served && session_calls(s, (enum session_visitors)i))
            s->visitors[i].served(s->visitors[i].context);
}

/* Somebody is there who may type by other ways than s->input. */
static bool visitor_types(const struct session *s)
{
    for (unsigned i = 0; i < SESSION_VISITORS; i++)
        if (s->visitors[i].types && s->visitors[i].types(s->visitors[i].context))
            return true;
    return false;
}

/* Somebody may come who types. */
static bool visitor_may_type(const struct session *s)
{
    for (unsigned i = 0; i < SESSION_VISITORS; i++)
        if (s->visitors[i].types)
            return true;
    return false;
}

/* Look at signals, input and what devices want, waiting at most `ns` nanoseconds (UINT64_MAX: until something happens).
   `runs`: the guest does. This is the door for everything from outside. */
static void look(struct session *s, uint64_t ns, bool runs)
{
    const bool again = replays(s), wants = wants_input(s) && !again, terminal = s->pace && !s->hung_up,
               reads = (wants || (runs && reads_ahead(s))) && keeps_more(s);
    struct pollfd fds[2 + SESSION_VISITOR_FDS + DEVICE_POLLS] = {
        {.fd = s->signals, .events = POLLIN}, {.fd = reads || terminal ? s->input : -1, .events = reads ? POLLIN : 0}};
    struct css *css = s->machine->css;
    struct session_visit v;
    if ((runs && hand_posted(s)) || (wants && s->ahead_length))
        ns = 0;
    session_visitors_poll(s, &v);
    memcpy(fds + 2, v.fds, v.count * sizeof *fds);
    const unsigned behind = 2 + v.count;
    unsigned count = behind;
    if (!again && css_polls(css)) {
        uint32_t ms = UINT32_MAX;
        count += css_poll(css, fds + behind, DEVICE_POLLS, &ms);
        if (ms != UINT32_MAX && ms * UINT64_C(1000000) < ns)
            ns = ms * UINT64_C(1000000);
    }
    struct timespec time = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    int found = ppoll(fds, count, ns == UINT64_MAX ? NULL : &time, NULL);
    for (unsigned i = 0; found <= 0 && i < count; i++)
        fds[i].revents = 0;
    if (!again)
        css_polled(css, fds + behind);
    memcpy(v.fds, fds + 2, v.count * sizeof *fds);
    session_visitors_polled(s, &v);
    if (fds[0].revents) {
        struct signalfd_siginfo info;
        if (read(s->signals, &info, sizeof info) == (ssize_t)sizeof info)
            take_signal(s, info.ssi_signo, runs);
    }
    if (terminal && (fds[1].revents & (POLLHUP | POLLERR)))
        hang_up(s, runs);
    else if (reads && fds[1].revents)
        take_input(s, wants);
    else if (wants)
        hand_ahead(s);
}

static bool host_poll(void *context)
{
    struct session *s = context;
    if (!s->looked && (s->signals >= 0 || wants_input(s) || css_polls(s->machine->css) || has_visitors(s)))
        look(s, 0, true);
    s->looked = false;
    if (s->follows && !replays(s))
        follow(s);
    return session_late(s) || s->interrupted || s->met || s->asked_complete || s->played_out || visitors_call(s);
}

/* Signals and the deadline alone, and keys where a terminal is lent to the guest: somebody sits there. */
static bool host_urgent(void *context)
{
    struct session *s = context;
    struct signalfd_siginfo info;
    const uint64_t now = session_now_ns();
    if (now - s->urgent_ns < URGENT_NS && !has_pictures(s))
        return false;
    s->urgent_ns = now;
    if (s->raw)
        look(s, 0, true);
    else if (s->signals >= 0 && read(s->signals, &info, sizeof info) == (ssize_t)sizeof info)
        take_signal(s, info.ssi_signo, true);
    if (has_visitors(s) && !s->raw)
        look_at_visitors(s, false, 0);
    return session_late(s) || s->interrupted || s->asked_complete || visitors_call(s);
}

/* How much of `us` microseconds the host slept, when it is to sleep at all: with the host's clock, at a terminal, and
   while somebody may type or a network answer. Otherwise idle time is skipped. */
static bool host_idle(void *context, uint64_t *us)
{
    const uint64_t longest = 1000000;
    struct session *s = context;
    const bool host = s->machine->config.host_clock || s->follows,
               waits = wants_input(s) || css_polls(s->machine->css) || visitor_types(s);
    if (replays(s))
        return s->keeper.idle(s->keeper.context, us);
    if (!waits && !s->keyboard && (*us == UINT64_MAX ? !visitor_may_type(s) : !host))
        return false;
    if (*us != UINT64_MAX && !host && !s->pace && !waits)
        return true;
    uint64_t start = session_now_ns(), span = *us < longest ? *us * 1000 : longest * 1000;
    s->idles = true;
    look(s, *us == UINT64_MAX && !s->deadline_ns ? UINT64_MAX : span, true);
    uint64_t slept = (session_now_ns() - start) / 1000;
    s->looked = true;
    if (slept < *us && *us != UINT64_MAX) /* that it slept as long as it was to needs no word */
        tell_keeper(s, SESSION_SLEPT, slept, NULL, 0);
    s->idles = false;
    if (slept < *us)
        *us = slept;
    return true;
}

static void watch(struct session *s, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, number);
    if (sigprocmask(SIG_BLOCK, &set, NULL) == 0)
        s->signals = signalfd(s->signals, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void session_watch_keyboard(struct session *s)
{
    if (s->keyboard)
        return;
    watch(s, SIGINT);
    s->keyboard = s->signals >= 0;
}

void session_watch_termination(struct session *s) { watch(s, SIGTERM); }

bool session_asked(struct session *s)
{
    struct signalfd_siginfo info;
    if (!s->interrupted && s->signals >= 0 && read(s->signals, &info, sizeof info) == (ssize_t)sizeof info)
        take_signal(s, info.ssi_signo, true);
    return s->interrupted;
}

bool session_late(struct session *s)
{
    if (s->deadline_ns && session_now_ns() >= s->deadline_ns)
        s->deadline_struck = true;
    return s->deadline_struck;
}

bool session_interrupted(struct session *s)
{
    if (s->signals >= 0)
        look(s, 0, false);
    bool was = s->interrupted;
    s->interrupted = false;
    return was;
}

void session_lend_terminal(struct session *s)
{
    struct termios raw;
    if (s->raw || !(s->machine->config.consoles & SCLP_ASCII) || s->input < 0 || tcgetattr(s->input, &s->terminal))
        return;
    raw = s->terminal;
    raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR | ISTRIP | BRKINT);
    raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG | IEXTEN);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    s->raw = tcsetattr(s->input, TCSANOW, &raw) == 0;
}

void session_take_terminal(struct session *s)
{
    if (s->raw)
        tcsetattr(s->input, TCSANOW, &s->terminal);
    s->raw = false;
}

static int host_command(void *context, const char *line, char *answer, size_t size)
{
    struct session *s = context;
    return s->command ? s->command(s->command_context, line, answer, size) : 1;
}

void session_expect(struct session *s, const char *text)
{
    memset(s->written, 0, sizeof s->written);
    snprintf(s->expected, sizeof s->expected, "%s", text);
    s->met = false;
}

static bool host_load(void *context, bool clear)
{
    const struct session *s = context;
    return session_load_again(s, s->machine, clear);
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

int session_open(struct session *s, const struct machine_config *config, bool lockstep, FILE *out, char *error,
                 size_t size)
{
    struct machine_host host = {.context = s,
                                .output = host_output,
                                .poll = host_poll,
                                .urgent = host_urgent,
                                .idle = host_idle,
                                .message = host_message,
                                .lost = host_lost,
                                .frame = host_frame,
                                .load = host_load,
                                .command = host_command};
    struct machine_config mine = *config, twin = *config;
    memset(s, 0, sizeof *s);
    s->out = out;
    s->signals = s->input = -1;
    mine.private_media |= lockstep; /* two machines cannot write one file */
    s->machine = machine_create(&mine, &host, error, size);
    if (!s->machine)
        return -EINVAL;
    if (!lockstep)
        return 0;
    if (config->cpus != 1 || config->host_clock) {
        snprintf(error, size, "--lockstep compares one CPU with the virtual clock; leave --cpus and --clock away");
        session_close(s);
        return -EINVAL;
    }
    twin.engine = config->engine == ENGINE_REFERENCE ? ENGINE_BLOCK : ENGINE_REFERENCE;
    twin.private_media = true;
    s->twin = machine_create(&twin, NULL, error, size);
    if (!s->twin) {
        session_close(s);
        return -ENOMEM;
    }
    return 0;
}

int session_begin_log(struct session *s, const char *file, char *error, size_t size)
{
    s->ri_log = emu_ri_log_open(file, s->machine, error, size);
    if (!s->ri_log)
        return -EIO;
    emu_ri_log_attach(s->ri_log, s->machine);
    return 0;
}

int session_share_log(struct session *s, char *error, size_t size)
{
    s->ri_log = emu_ri_log_share(s->machine, error, size);
    if (!s->ri_log)
        return -ENOMEM;
    emu_ri_log_attach(s->ri_log, s->machine);
    return 0;
}

int session_end_log(struct session *s, char *error, size_t size)
{
    struct emu_ri_log *log = s->ri_log;
    for (unsigned i = 0; log && i < s->machine->sys.cpu_count; i++)
        ri_tell_stored(s->machine->sys.cpus[i]->ri, NULL, NULL);
    s->ri_log = NULL;
    return emu_ri_log_close(log, error, size);
}

void session_close(struct session *s)
{
    char error[512];
    if (s->keeper.end)
        s->keeper.end(s->keeper.context);
    if (s->machine && session_end_log(s, error, sizeof error))
        s->ri_log = NULL; /* session_end_log() was there for those who want to know */
    machine_destroy(s->machine);
    machine_destroy(s->twin);
    ipl_load_free(s->load);
    if (s->signals >= 0)
        close(s->signals);
    s->machine = s->twin = NULL;
    s->load = NULL;
    s->signals = -1;
}

/* ---- machines that were saved ---------------------------------------------------------------------------------- */

int session_resume(struct session *s, const char *file, const struct emu_profile *profile, char *error, size_t size)
{
    struct machine *m, *twin = NULL;
    css_settle(s->machine->css); /* the saved machine may have the same disks */
    m = snapshot_load(file, profile, &s->machine->host, s->machine->config.engine, error, size);
    if (!m)
        return -EINVAL;
    if (s->twin && (m->config.cpus != 1 || m->config.host_clock)) {
        snprintf(error, size, "snapshot '%.100s': --lockstep compares one CPU with the virtual clock; leave it away",
                 file);
        machine_destroy(m);
        return -EINVAL;
    }
    if (s->twin && m->config.pipelined) {
        snprintf(error, size,
                 "snapshot '%.100s': its pipeline model is on, which the block engine has not; leave --lockstep away",
                 file);
        machine_destroy(m);
        return -EINVAL;
    }
    if (s->twin && css_device(m->css, 0) && !m->config.private_media) {
        snprintf(error, size,
                 "snapshot '%.100s': its devices write to files, which two machines cannot; leave --lockstep away",
                 file);
        machine_destroy(m);
        return -EINVAL;
    }
    if (s->twin &&
        !(twin = snapshot_load(file, profile, NULL,
                               m->config.engine == ENGINE_REFERENCE ? ENGINE_BLOCK : ENGINE_REFERENCE, error, size))) {
        machine_destroy(m);
        return -EINVAL;
    }
    if (exception_trace_end(s->machine, error, size)) { /* it is of that machine, and ends with it */
        host_message(s, error);
        s->lost = true;
    }
    if (edge_profile_end(s->machine, NULL, NULL, error, size)) { /* likewise */
        host_message(s, error);
        s->lost = true;
    }
    machine_destroy(s->machine);
    machine_destroy(s->twin);
    s->machines++;
    cpu_watch_set(&m->sys, &s->watched);
    s->machine = m;
    s->twin = twin;
    if (s->ri_log)
        emu_ri_log_attach(s->ri_log, m);
    s->typed_length = 0;
    if (s->keeper.renewed)
        s->keeper.renewed(s->keeper.context);
    return 0;
}

int session_watch(struct session *s, enum session_watcher watcher, const struct cpu_watches *watches)
{
    unsigned count = watches->count;
    for (unsigned i = 0; i < SESSION_WATCHERS; i++)
        count += i == (unsigned)watcher ? 0 : s->watches[i].count;
    if (count > CPU_WATCHES)
        return -ENOSPC;
    if (!watches->count && !s->watches[watcher].count)
        return 0;
    s->watches[watcher] = *watches;
    s->watched.count = 0;
    for (unsigned i = 0; i < SESSION_WATCHERS; i++)
        for (unsigned k = 0; k < s->watches[i].count; k++)
            s->watched.watch[s->watched.count++] = s->watches[i].watch[k];
    cpu_watch_set(&s->machine->sys, &s->watched);
    return 0;
}

bool session_good_end(const struct session *s, const struct machine_result *result)
{
    const struct machine *m = s->machine;
    bool waits = false;
    if (result->end == MACHINE_POWERED_OFF || result->end != MACHINE_STOPPED)
        return result->end == MACHINE_POWERED_OFF;
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        const struct cpu *cpu = m->sys.cpus[i];
        if (cpu->state == CPU_STATE_CHECK_STOP)
            return false;
        if (!machine_disabled_wait(cpu))
            continue;
        waits = true;
        if (cpu->psw.ia != 0 && cpu->psw.ia != 0xfff)
            return false;
    }
    return waits;
}

void session_start(struct session *s)
{
    for (unsigned i = 0; i < s->machine->sys.cpu_count; i++)
        if (s->machine->sys.cpus[i]->state == CPU_STATE_OPERATING)
            return;
    cpu_set_state(s->machine->sys.cpus[0], CPU_STATE_OPERATING);
    if (s->twin)
        cpu_set_state(s->twin->sys.cpus[0], CPU_STATE_OPERATING);
}

/* ---- lockstep -------------------------------------------------------------------------------------------------- */

/* The guest of both machines asked to be loaded again. */
static bool both_again(struct session *s)
{
    const bool clear = s->machine->diagnose.load == DIAGNOSE_LOAD_CLEAR;
    s->machine->diagnose.load = s->twin->diagnose.load = DIAGNOSE_LOAD_NONE;
    return session_load_again(s, s->machine, clear) && session_load_again(s, s->twin, clear);
}

/* Registers after every span, storage only now and then: a guest that waits often would be compared for ever. */
static bool lockstep(struct session *s, uint64_t limit, struct machine_result *result, char *why, size_t size)
{
    const uint64_t span = 100000;
    struct cpu *a = s->machine->sys.cpus[0], *b = s->twin->sys.cpus[0];
    uint64_t checked = 0;
    *result = (struct machine_result){.end = MACHINE_LIMIT, .cpu = a};
    while (result->instructions < limit) {
        uint64_t before = cpu_instructions(a), left = limit - result->instructions;
        if (!lockstep_registers(a, b, left < span ? left : span, why, size))
            return false;
        uint64_t done = cpu_instructions(a) - before;
        result->instructions += done;
        if (result->instructions - checked >= 10 * span) {
            checked = result->instructions;
            if (!lockstep_storage(a, b, why, size))
                return false;
        }
        if (s->machine->diagnose.load && !both_again(s)) {
            result->end = MACHINE_STOPPED;
            return true;
        }
        if (host_poll(s)) {
            result->end = MACHINE_REQUEST;
            return true;
        }
        if (done)
            continue;
        if (a->state != CPU_STATE_OPERATING || machine_disabled_wait(a)) {
            result->end = s->machine->powered_off ? MACHINE_POWERED_OFF : MACHINE_STOPPED;
            return true;
        }
        int64_t event = cpu_next_event_units(a);
        if (event == INT64_MAX) {
            result->end = MACHINE_IDLE;
            return true;
        }
        engine_skip(&s->machine->sys, (uint64_t)event);
        engine_skip(&s->twin->sys, (uint64_t)event);
    }
    return true;
}

bool session_lockstep(struct session *s, uint64_t limit, struct machine_result *result, char *why, size_t size)
{
    return lockstep(s, limit, result, why, size) &&
           lockstep_storage(s->machine->sys.cpus[0], s->twin->sys.cpus[0], why, size);
}
