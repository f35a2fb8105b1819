/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request: its line is understood, carried out and answered. */
#include "emu/control/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_JANSSON
#include "base/utf8.h"
#include "emu/control/json.h"

bool control_possible(void) { return true; }

/* ---- texts --------------------------------------------------------------------------------------------------------
 */

json_t *control_text(const char *text, size_t length)
{
    static const char unknown[] = "\xef\xbf\xbd"; /* U+FFFD */
    char *good = malloc(3 * length + 1);
    size_t n = 0;
    if (!good)
        return NULL;
    for (size_t i = 0; i < length;) {
        uint8_t next[5] = {0}; /* a zero is behind it */
        memcpy(next, text + i, length - i < 4 ? length - i : 4);
        const unsigned size = utf8_length(next);
        memcpy(good + n, size ? text + i : unknown, size ? size : 3);
        n += size ? size : 3;
        i += size ? size : 1;
    }
    json_t *made = json_stringn(good, n);
    free(good);
    return made;
}

/* How many bytes at the end of a text are the beginning of a character. */
static size_t begun(const char *text, size_t length)
{
    for (size_t n = 1; n <= 3 && n <= length; n++) {
        const uint8_t byte = (uint8_t)text[length - n];
        if (byte >= 0xc0)
            return (byte >= 0xf0 ? 4u : byte >= 0xe0 ? 3u : 2u) > n ? n : 0;
        if (byte < 0x80)
            return 0;
    }
    return 0;
}

/* ---- answers and events -------------------------------------------------------------------------------------------
 */

/* Send an object, which is freed. */
static void send_object(struct control *c, struct control_client *client, json_t *object)
{
    char *line = object ? json_dumps(object, JSON_COMPACT) : NULL;
    if (line && client)
        control_tell(c, client, line, strlen(line));
    else if (client)
        client->gone = true; /* the host has no memory: it hears so by the end of the connection */
    free(line);
    json_decref(object);
}

void control_say(struct control *c, struct control_client *client, const char *name, const char *text)
{
    send_object(c, client, json_pack("{so}", name, control_text(text, strlen(text))));
}

/* An event for all who want to hear of that subject; the object is freed. */
static void tell_subject(struct control *c, enum control_subject subject, json_t *object)
{
    char *line = object ? json_dumps(object, JSON_COMPACT) : NULL;
    for (unsigned i = 0; line && i < CONTROL_CLIENTS; i++)
        if (c->clients[i].file >= 0 && c->clients[i].subjects >> subject & 1)
            control_tell(c, &c->clients[i], line, strlen(line));
    free(line);
    json_decref(object);
}

static bool anybody(const struct control *c, enum control_subject subject)
{
    for (unsigned i = 0; i < CONTROL_CLIENTS; i++)
        if (c->clients[i].file >= 0 && c->clients[i].subjects >> subject & 1)
            return true;
    return false;
}

void control_tell_output(struct control *c, const char *text, size_t length)
{
    if (!anybody(c, SUBJECT_OUTPUT)) {
        c->tail_length = 0;
        return;
    }
    char *all = malloc(c->tail_length + length);
    if (!all)
        return;
    memcpy(all, c->tail, c->tail_length);
    memcpy(all + c->tail_length, text, length);
    length += c->tail_length;
    c->tail_length = begun(all, length);
    length -= c->tail_length;
    memcpy(c->tail, all + length, c->tail_length);
    if (length)
        tell_subject(c, SUBJECT_OUTPUT, json_pack("{ss so}", "event", "output", "text", control_text(all, length)));
    free(all);
}

void control_tell_run(struct control *c, const char *end, struct cpu *cpu)
{
    char psw[40], instructions[24];
    if (!anybody(c, SUBJECT_RUN))
        return;
    if (!end) {
        tell_subject(c, SUBJECT_RUN, json_pack("{ss}", "event", "running"));
        return;
    }
    snprintf(psw, sizeof psw, "%016" PRIX64 " %016" PRIX64, cpu_psw_mask(cpu), cpu->psw.ia);
    snprintf(instructions, sizeof instructions, "%" PRIu64, machine_instructions(c->session->machine));
    tell_subject(c, SUBJECT_RUN,
                 json_pack("{ss ss si sI ss ss}", "event", "stopped", "end", end, "cpu", (int)cpu->address,
                           "instructions", (json_int_t)machine_instructions(c->session->machine), "state",
                           machine_state_name(cpu), "psw", psw));
}

/* ---- understanding ------------------------------------------------------------------------------------------------
 */

bool control_refuse(struct control_request *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error, sizeof r->error, format, arguments);
    va_end(arguments);
    return false;
}

/* Objects and lists in a line, one within the other; brackets in texts do not count. */
static unsigned depth(const char *line)
{
    unsigned now = 0, most = 0;
    bool text = false;
    for (; *line; line++) {
        if (text && *line == '\\' && line[1])
            line++;
        else if (*line == '"')
            text = !text;
        else if (!text && (*line == '{' || *line == '['))
            most = ++now > most ? now : most;
        else if (!text && (*line == '}' || *line == ']') && now)
            now--;
    }
    return most;
}

static json_t *parse(struct control_request *r, const char *line, size_t length)
{
    json_error_t why;
    if (strlen(line) != length) {
        control_refuse(r, "the line has a zero byte; JSON has none");
        return NULL;
    }
    if (depth(line) > CONTROL_DEPTH) {
        control_refuse(r, "objects and lists are nested deeper than %u; a request has them flat", CONTROL_DEPTH);
        return NULL;
    }
    json_t *all = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
    if (all && json_is_object(all))
        return all;
    if (all)
        control_refuse(r, "a request is an object, {...}");
    else
        control_refuse(r, "that is no JSON: %.160s, character %d", why.text, why.position);
    json_decref(all);
    return NULL;
}

static bool has_id(struct control_request *r)
{
    const json_t *id = json_object_get(r->all, "id");
    if (json_is_integer(id) || (json_is_string(id) && json_string_length(id) <= 100))
        return true;
    return control_refuse(r, "a request has an \"id\": a number, or a text of at most 100 bytes");
}

/* Members that the request does not know are mistakes; `members` has a blank behind each. */
static bool known_members(struct control_request *r, const char *members)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)r->all, name, value)
    {
        const char *at = members;
        const size_t n = strlen(name);
        while (*at && (strncmp(at, name, n) != 0 || at[n] != ' '))
            at += strcspn(at, " ") + 1;
        if (!*at)
            return control_refuse(r, "the request does not know \"%.40s\"; {\"do\":\"help\"} lists what there is",
                                  name);
    }
    return true;
}

struct cpu *control_cpu(struct control_request *r)
{
    const struct cpu_system *sys = &r->control->session->machine->sys;
    const json_t *wanted = json_object_get(r->all, "cpu");
    const struct control_client *client = control_client_of(r->control, r->client);
    const json_int_t number = wanted ? json_integer_value(wanted) : client ? client->cpu : 0;
    if ((!wanted || json_is_integer(wanted)) && number >= 0 && number < sys->cpu_count)
        return sys->cpus[number];
    if (!wanted)
        return sys->cpus[0]; /* another machine may have fewer */
    control_refuse(r, "\"cpu\": there are CPUs 0 to %u", sys->cpu_count - 1);
    return NULL;
}

/* ---- commands of the console --------------------------------------------------------------------------------------
 */

/* A display: as JSON when that is what was wanted and it is one value. */
static void put_shown(struct control_request *r, const struct control_shown *shown, bool json)
{
    const size_t length = strlen(shown->text);
    r->result = json && length ? json_loadb(shown->text, length, JSON_DECODE_ANY, NULL) : NULL;
    if (!r->result && (length || !json)) {
        r->member = "text";
        r->result = control_text(shown->text, length);
    }
}

static bool do_command(struct control_request *r)
{
    const json_t *line = json_object_get(r->all, "command"), *text = json_object_get(r->all, "text");
    const bool json = !json_is_true(text);
    struct cpu *cpu = NULL;
    if (!json_is_string(line) || (text && !json_is_boolean(text)))
        return control_refuse(r, "\"command\" is a text, and \"text\" true or false");
    if (strpbrk(json_string_value(line), "\r\n"))
        return control_refuse(r, "a command is one line");
    if (!known_members(r, "id command text cpu ") || !(cpu = control_cpu(r)))
        return false;
    struct control_shown shown =
        r->control->host.command(r->control->host.context, &cpu, json_string_value(line), json);
    struct control_client *client = control_client_of(r->control, r->client);
    if (client && !json_object_get(r->all, "cpu"))
        client->cpu = cpu->address;
    bool good = !shown.failed && shown.text;
    if (shown.long_one)
        good = control_refuse(r, "the answer is longer than an answer can be; ask for less, or let the command write a "
                                 "file");
    else if (!shown.text)
        good = control_refuse(r, "the host has no memory for the answer");
    else if (shown.failed)
        control_refuse(r, "%s", shown.text);
    else
        put_shown(r, &shown, json);
    free(shown.text);
    return good;
}

/* ---- carrying out -------------------------------------------------------------------------------------------------
 */

static const struct {
    const char *word, *members, *help;
    control_function *run;
} requests[] = {
#define REQUEST(word, function, members, help) {word, "id do " members, help, control_##function},
#include "emu/control/requests.def"
#undef REQUEST
};

bool control_do_help(struct control_request *r)
{
    json_t *list = json_array(), *events = json_array();
    const char *name;
    for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++)
        json_array_append_new(list, json_pack("{ss ss ss}", "do", requests[i].word, "members",
                                              requests[i].members + strlen("id do "), "help", requests[i].help));
    for (unsigned n = 0; (name = control_subject_name(r->control, n)); n++)
        json_array_append_new(events, json_string(name));
    r->result = json_pack("{so so}", "requests", list, "events", events);
    return true;
}

static bool perform(struct control_request *r)
{
    const json_t *word = json_object_get(r->all, "do"), *command = json_object_get(r->all, "command");
    if (!has_id(r))
        return false;
    if (command && !word)
        return do_command(r);
    if (!json_is_string(word) || command)
        return control_refuse(r,
                              "a request has either \"command\", a command of the console, or \"do\" with one of its "
                              "own words");
    for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++)
        if (strcmp(json_string_value(word), requests[i].word) == 0)
            return known_members(r, requests[i].members) && requests[i].run(r);
    return control_refuse(r, "\"do\": there is no request \"%.40s\"; {\"do\":\"help\"} lists them",
                          json_string_value(word));
}

void control_carry_out(struct control *c, struct control_client *client, const char *line, size_t length)
{
    struct control_request r = {.control = c, .client = client->serial, .member = "result"};
    json_t *all = parse(&r, line, length);
    r.all = all;
    const bool good = all && perform(&r);
    client = control_client_of(c, r.client);
    if (!r.later && client) {
        json_t *answer = json_object(), *id = json_object_get(all, "id");
        if (id)
            json_object_set(answer, "id", id);
        if (good)
            json_object_set_new(answer, r.member, r.result ? r.result : json_null());
        else
            json_object_set_new(answer, "error", control_text(r.error, strlen(r.error)));
        r.result = good ? NULL : r.result;
        send_object(c, client, answer);
    }
    json_decref(r.result);
    json_decref(all);
}
#else
/* Without jansson there is no socket, and nobody calls these. */
bool control_possible(void) { return false; }
void control_carry_out(struct control *c, struct control_client *client, const char *line, size_t length)
{
    (void)c, (void)client, (void)line, (void)length;
}
void control_say(struct control *c, struct control_client *client, const char *name, const char *text)
{
    (void)c, (void)client, (void)name, (void)text;
}
void control_tell_output(struct control *c, const char *text, size_t length) { (void)c, (void)text, (void)length; }
void control_tell_run(struct control *c, const char *end, struct cpu *cpu) { (void)c, (void)end, (void)cpu; }
void control_answer_stops(struct control *c) { (void)c; }
#endif
