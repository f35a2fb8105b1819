/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients of the control socket that do not keep the rules: requests made by mutation, in pieces, several clients at
   once that vanish at any moment, also while a command of theirs is being carried out, and some that never read.
   Nothing may crash, hang or grow without end, and every line that comes back is JSON. Usage: fuzz_control [COUNT
   [SEED]]. The sanitizers are the judges. */
#include "emu/control/control.h"
#include "tests/fuzz/mutate.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef HAVE_JANSSON
#include <jansson.h>

#define CLIENTS 5u
#define MOST    300u /* bytes of a request */

static const char *const seeds[] = {
    "{\"id\":1,\"do\":\"status\"}",
    "{\"id\":2,\"do\":\"registers\"}",
    "{\"id\":3,\"do\":\"registers\",\"names\":[\"r1\",\"v31\",\"fpc\"],\"cpu\":1}",
    "{\"id\":4,\"do\":\"set\",\"registers\":{\"r1\":\"FF\",\"v3\":\"0123456789ABCDEF0123456789ABCDEF\"}}",
    "{\"id\":5,\"do\":\"set\",\"registers\":{\"c0\":5,\"pswm\":\"0000000180000000\",\"prefix\":\"2000\"}}",
    "{\"id\":6,\"do\":\"read\",\"address\":\"FFFF0\",\"length\":16}",
    "{\"id\":7,\"do\":\"read\",\"address\":4096,\"length\":1048576,\"space\":\"home\"}",
    "{\"id\":8,\"do\":\"write\",\"address\":\"FFFF0\",\"bytes\":\"00112233\",\"space\":\"primary\"}",
    "{\"id\":9,\"do\":\"type\",\"text\":\"root\\npass\\n\"}",
    "{\"id\":10,\"do\":\"go\"}",
    "{\"id\":11,\"do\":\"stop\"}",
    "{\"id\":12,\"do\":\"subscribe\",\"events\":[\"output\",\"run\",\"one\"]}",
    "{\"id\":13,\"do\":\"subscribe\",\"events\":[\"two\"]}",
    "{\"id\":14,\"do\":\"unsubscribe\"}",
    "{\"id\":15,\"do\":\"help\"}",
    "{\"id\":\"x\",\"command\":\"psw\"}",
    "{\"id\":17,\"command\":\"g\",\"text\":true}",
    "{\"id\":18,\"command\":\"cpu 1\",\"cpu\":1}",
    "{\"id\":19,\"do\":\"read\",\"address\":\"\\u00e9\\ud83d\\ude00\"}",
};

struct world {
    struct session session;
    uint64_t state;
    int clients[CLIENTS];
    bool reads[CLIENTS];
    char heard[CLIENTS][4096]; /* of a line that is not complete; a longer one is not looked at */
    size_t heard_length[CLIENTS];
    char place[80], path[60];
    unsigned depth;
    uint64_t lines;
};

static uint64_t pick(struct world *w, uint64_t below) { return random_step(&w->state) % below; }

static void fail(const char *what, const char *more)
{
    fprintf(stderr, "fuzz_control: %s: %s\n", what, more);
    abort();
}

/* A client says something, whole or not. */
static void speak(struct world *w, unsigned i)
{
    char text[MOST + 1], *more = NULL;
    const char *seed = seeds[pick(w, sizeof seeds / sizeof *seeds)];
    size_t n = strlen(seed);
    memcpy(text, seed, n);
    if (pick(w, 2))
        n = mutate(&w->state, text, n, MOST, 4, "{}[]\":,\\0123456789abcdeftu\n-.");
    if (pick(w, 10))
        text[n++] = '\n';
    else if (pick(w, 8) == 0) /* much of something, without an end */
        more = malloc(70000);
    if (more) {
        memset(more, "[{\" x"[pick(w, 5)], 70000);
        (void)!send(w->clients[i], more, 70000, MSG_NOSIGNAL | MSG_DONTWAIT);
        free(more);
    }
    (void)!send(w->clients[i], text, n, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void judge_line(struct world *w, const char *line, size_t n)
{
    char text[4097];
    json_error_t why;
    memcpy(text, line, n);
    text[n] = 0;
    json_t *got = json_loads(text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);
    if (!got || !json_is_object(got))
        fail("an answer is no JSON object", text);
    json_decref(got);
    w->lines++;
}

/* What has come back is one line of JSON behind the other. */
static void hear(struct world *w, unsigned i)
{
    char bytes[4096];
    ssize_t n;
    while ((n = recv(w->clients[i], bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
        for (ssize_t k = 0; k < n; k++) {
            size_t *length = &w->heard_length[i];
            if (bytes[k] == '\n' && *length < sizeof w->heard[i])
                judge_line(w, w->heard[i], *length);
            if (bytes[k] == '\n')
                *length = 0;
            else if (*length < sizeof w->heard[i])
                w->heard[i][(*length)++] = bytes[k];
        }
}

static void come_or_go(struct world *w, unsigned i)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (w->clients[i] >= 0) {
        if (pick(w, 3) == 0) {
            shutdown(w->clients[i], SHUT_WR);
            return;
        }
        for (uint64_t n = pick(w, 2) * 50; n--; session_stand(&w->session, 0))
            hear(w, i); /* at last: what was kept for it, or the word with which it was sent away */
        close(w->clients[i]);
        w->clients[i] = -1;
        return;
    }
    memcpy(address.sun_path, w->path, strlen(w->path) + 1);
    w->clients[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (w->clients[i] < 0 || connect(w->clients[i], (struct sockaddr *)&address, sizeof address)) {
        close(w->clients[i]); /* too many are waiting to be accepted */
        w->clients[i] = -1;
        return;
    }
    w->reads[i] = pick(w, 3) != 0;
    w->heard_length[i] = 0;
    if (!w->reads[i]) { /* it wants to know everything, and never reads */
        static const char all[] = "{\"id\":0,\"do\":\"subscribe\",\"events\":[\"one\",\"output\"]}\n";
        (void)!send(w->clients[i], all, strlen(all), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}

/* What the machine does meanwhile: the guest writes, something happens. */
static void happen(struct world *w)
{
    static const char event[] = "{\"event\":\"one\",\"text\":\"something that happened, in a longer sentence\"}";
    const struct session_visitor *v = &w->session.visitors[SESSION_CONTROL];
    char text[64];
    const size_t n = pick(w, sizeof text);
    for (size_t i = 0; i < n; i++)
        text[i] = pick(w, 2) ? (char)pick(w, 256) : "\xe2\x82\xac\xf0\x9f\x98\x80"[pick(w, 7)];
    v->output(v->context, text, n);
    for (uint64_t k = pick(w, 20); k--;)
        control_event(&w->session, (unsigned)pick(w, 2), event);
    if (pick(w, 150) == 0) /* much of it */
        for (unsigned k = 0; k < 200000; k++)
            control_event(&w->session, 0, event);
}

static void round_of(struct world *w)
{
    for (unsigned i = 0; i < CLIENTS; i++) {
        if (pick(w, w->clients[i] < 0 ? 3 : 25) == 0)
            come_or_go(w, i);
        else if (w->clients[i] >= 0 && pick(w, 2))
            speak(w, i);
    }
    happen(w);
    session_stand(&w->session, 0);
    if (session_calls(&w->session, SESSION_CONTROL))
        control_serve(&w->session);
    for (unsigned i = 0; i < CLIENTS; i++)
        if (w->clients[i] >= 0 && w->reads[i])
            hear(w, i);
}

/* The console is not what is tried here: it shows something, or runs, and then clients go on talking. */
static struct control_shown command(void *context, struct cpu **cpu, const char *line, bool json)
{
    static const char *const shows[] = {"",     "{\"a\":1}", "plain words\n", "\xff\xfe broken \x80",
                                        "[1,2", "17",        "\"x\""};
    struct world *w = context;
    struct control_shown shown = {.failed = pick(w, 5) == 0, .long_one = pick(w, 50) == 0};
    (void)line;
    (void)json;
    *cpu = w->session.machine->sys.cpus[pick(w, 2)];
    if (w->depth == 0 && pick(w, 3) == 0) {
        w->depth++;
        control_running(&w->session);
        for (uint64_t n = pick(w, 6); n-- && !control_stops(&w->session);)
            round_of(w);
        control_stopped(&w->session, "an end", *cpu);
        w->depth--;
    }
    shown.text = shown.long_one || pick(w, 50) == 0 ? NULL : strdup(shows[pick(w, sizeof shows / sizeof *shows)]);
    return shown;
}

static const char *class_name(unsigned n) { return n == 0 ? "one" : n == 1 ? "two" : NULL; }

static void listen_to(void *context, uint32_t classes)
{
    (void)context;
    if (classes > 3)
        fail("classes that nobody has", "");
}

int main(int argc, char **argv)
{
    static struct world w;
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
    char folder[] = "/tmp/zri-control-XXXXXX", error[256];
    struct machine_config config = machine_default_config();
    w.state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252;
    config.storage = UINT64_C(1) << 20;
    config.cpus = 2;
    if (!mkdtemp(folder) || session_open(&w.session, &config, false, NULL, error, sizeof error))
        fail("no machine", error);
    w.session.machine->host.message = NULL;
    snprintf(w.path, sizeof w.path, "%s/s", folder);
    snprintf(w.place, sizeof w.place, "unix:%s", w.path);
    for (unsigned i = 0; i < CLIENTS; i++)
        w.clients[i] = -1;
    const struct control_host host = {&w, command, class_name, listen_to};
    for (uint64_t n = 0; n < count;) {
        if (control_open(&w.session, w.place, &host, error, sizeof error))
            fail("no socket", error);
        for (unsigned k = 0; k < 500 && n < count; k++, n++) {
            round_of(&w);
            if (control_goes(&w.session)) {
                control_running(&w.session);
                round_of(&w);
                control_stopped(&w.session, "the end of a run", w.session.machine->sys.cpus[0]);
            }
        }
        for (unsigned i = 0; i < CLIENTS; i++) {
            if (w.clients[i] >= 0)
                close(w.clients[i]);
            w.clients[i] = -1;
        }
        control_close(&w.session);
    }
    session_close(&w.session);
    rmdir(folder);
    if (count >= 1000 && w.lines < count)
        fail("hardly anything was answered", "");
    printf("%" PRIu64 " rounds of %u clients, %" PRIu64 " lines of answers and events\n", count, CLIENTS, w.lines);
    return 0;
}
#else
int main(void)
{
    printf("skipped: zri was built without jansson\n");
    return 77;
}
#endif
