/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The requests of the socket's own: registers, storage, typing, running, events. */
#include "emu/control/internal.h"

#ifdef HAVE_JANSSON
#include "base/digit.h"
#include "cpu/control/registers.h"
#include "emu/control/json.h"
#include "emu/debug/gdb.h"
#include "emu/debug/storage.h"
#include "emu/dev/sclp/event.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define READ_MOST (UINT32_C(1) << 20) /* bytes of storage in one answer */

/* ---- status -------------------------------------------------------------------------------------------------------
 */

static json_t *psw_text(struct cpu *cpu)
{
    char text[40];
    snprintf(text, sizeof text, "%016" PRIX64 " %016" PRIX64, cpu_psw_mask(cpu), cpu->psw.ia);
    return json_string(text);
}

json_t *control_status(const struct control *c)
{
    const struct machine *m = c->session->machine;
    char words[160];
    json_t *cpus = json_array();
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        json_array_append_new(cpus, json_pack("{si ss so}", "cpu", (int)i, "state", machine_state_name(m->sys.cpus[i]),
                                              "psw", psw_text(m->sys.cpus[i])));
    gdb_words(c->session, words, sizeof words);
    json_t *status = json_pack("{sb sI so ss}", "running", c->running != 0, "instructions",
                               (json_int_t)machine_instructions(m), "cpus", cpus, "gdb", words);
    if (*c->end)
        json_object_set_new(status, "end", json_string(c->end));
    return status;
}

bool control_do_status(struct control_request *r)
{
    r->result = control_status(r->control);
    return true;
}

/* ---- registers ----------------------------------------------------------------------------------------------------
 */

static void add_register(json_t *to, struct cpu *cpu, unsigned id, unsigned number)
{
    const struct cpu_register *reg = &cpu_registers[id];
    uint64_t value[2];
    char name[24], text[40];
    if (!cpu_register_get(cpu, id, number, value))
        return;
    snprintf(name, sizeof name, reg->count > 1 ? "%s%u" : "%s", reg->name, number);
    if (reg->width == 128)
        snprintf(text, sizeof text, "%016" PRIX64 "%016" PRIX64, value[0], value[1]);
    else
        snprintf(text, sizeof text, "%0*" PRIX64, reg->width / 4, value[1]);
    json_object_set_new(to, name, json_string(text));
}

/* A register of that name; negative: refused. */
static int find_register(struct control_request *r, const char *name, unsigned *number)
{
    const int id = name ? cpu_register_find(name, number) : -1;
    if (id < 0)
        control_refuse(r, "\"%.40s\" is no register; the request registers without names lists them", name ? name : "");
    return id;
}

bool control_do_registers(struct control_request *r)
{
    const json_t *names = json_object_get(r->all, "names"), *name;
    struct cpu *cpu = control_cpu(r);
    size_t i;
    unsigned number;
    if (!cpu)
        return false;
    if (names && !json_is_array(names))
        return control_refuse(r, "\"names\" is a list of names");
    json_t *found = json_object();
    for (unsigned id = 0; !names && id < CPU_REGISTER_COUNT; id++)
        for (unsigned n = 0; n < cpu_registers[id].count; n++)
            add_register(found, cpu, id, n);
    json_array_foreach(names, i, name)
    {
        const int id = find_register(r, json_string_value(name), &number);
        if (id < 0) {
            json_decref(found);
            return false;
        }
        add_register(found, cpu, (unsigned)id, number);
    }
    r->result = json_pack("{si so}", "cpu", (int)cpu->address, "registers", found);
    return true;
}

/* Hexadecimal digits, or a number that is not negative, of at most `width` bits. */
static bool value_of(const json_t *from, unsigned width, uint64_t value[2])
{
    value[0] = value[1] = 0;
    if (json_is_integer(from)) {
        value[1] = (uint64_t)json_integer_value(from);
        return json_integer_value(from) >= 0 && (width >= 64 || value[1] >> width == 0);
    }
    const char *text = json_string_value(from);
    if (!text || !*text || strlen(text) > width / 4)
        return false;
    for (; *text; text++) {
        if (hex_digit(*text) < 0)
            return false;
        value[0] = value[0] << 4 | value[1] >> 60;
        value[1] = value[1] << 4 | (unsigned)hex_digit(*text);
    }
    return true;
}

/* The registers that a request names with their values; `set` or only looked at. */
static bool each_register(struct control_request *r, struct cpu *cpu, const json_t *registers, bool set)
{
    const char *name;
    json_t *to;
    uint64_t value[2];
    unsigned number = 0;
    json_object_foreach((json_t *)(uintptr_t)registers, name, to)
    {
        const int id = find_register(r, name, &number);
        if (id < 0)
            return false;
        if (!value_of(to, cpu_registers[id].width, value))
            return control_refuse(r, "\"%.40s\" takes at most %u hexadecimal digits", name,
                                  cpu_registers[id].width / 4u);
        if (set && cpu_register_set(cpu, (unsigned)id, number, value))
            return control_refuse(r, "\"%.40s\" cannot have this value; the registers in front of it were set", name);
    }
    return true;
}

bool control_do_set(struct control_request *r)
{
    const json_t *registers = json_object_get(r->all, "registers");
    struct cpu *cpu = control_cpu(r);
    if (!cpu)
        return false;
    if (!json_is_object(registers))
        return control_refuse(r, "\"registers\" is an object of names and values");
    return each_register(r, cpu, registers, false) && each_register(r, cpu, registers, true);
}

/* ---- storage ------------------------------------------------------------------------------------------------------
 */

static bool place_of(struct control_request *r, enum cpu_space *space, uint64_t *address)
{
    static const struct {
        const char *word;
        enum cpu_space space;
    } spaces[] = {{"absolute", CPU_SPACE_ABSOLUTE}, {"real", CPU_SPACE_REAL},           {"current", CPU_SPACE_CURRENT},
                  {"primary", CPU_SPACE_PRIMARY},   {"secondary", CPU_SPACE_SECONDARY}, {"home", CPU_SPACE_HOME}};
    const json_t *named = json_object_get(r->all, "space");
    const char *word = named ? json_string_value(named) : "absolute";
    uint64_t value[2];
    if (!value_of(json_object_get(r->all, "address"), 64, value))
        return control_refuse(r, "\"address\" takes at most 16 hexadecimal digits");
    *address = value[1];
    for (unsigned i = 0; word && i < sizeof spaces / sizeof *spaces; i++)
        if (strcmp(word, spaces[i].word) == 0) {
            *space = spaces[i].space;
            return true;
        }
    return control_refuse(r, "\"space\" is one of absolute, real, current, primary, secondary and home");
}

bool control_do_read(struct control_request *r)
{
    static const char digits[] = "0123456789ABCDEF";
    const json_t *length = json_object_get(r->all, "length");
    const json_int_t n = length ? json_integer_value(length) : 1;
    struct cpu *cpu = control_cpu(r);
    enum cpu_space space;
    uint64_t address;
    char where[20];
    if (!cpu || !place_of(r, &space, &address))
        return false;
    if ((length && !json_is_integer(length)) || n < 1 || n > READ_MOST)
        return control_refuse(r, "\"length\" is a number from 1 to %u", READ_MOST);
    uint8_t *bytes = malloc((size_t)n);
    char *text = malloc(2 * (size_t)n);
    const size_t found = bytes && text ? debug_fetch(cpu, space, address, bytes, (size_t)n) : 0;
    for (size_t i = 0; i < found; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    snprintf(where, sizeof where, "%016" PRIX64, address);
    if (found == (size_t)n)
        r->result = json_pack("{ss so}", "address", where, "bytes", json_stringn(text, 2 * found));
    else
        control_refuse(r, bytes && text ? "%016" PRIX64 " is not in storage" : "the host has no memory for that",
                       address + found);
    free(bytes);
    free(text);
    return r->result != NULL;
}

bool control_do_write(struct control_request *r)
{
    const json_t *given = json_object_get(r->all, "bytes");
    const char *text = json_string_value(given);
    const size_t n = json_string_length(given);
    struct cpu *cpu = control_cpu(r);
    enum cpu_space space;
    uint64_t address;
    if (!cpu || !place_of(r, &space, &address))
        return false;
    bool good = text && n && n % 2 == 0;
    for (size_t i = 0; good && i < n; i++)
        good = hex_digit(text[i]) >= 0;
    if (!good)
        return control_refuse(r, "\"bytes\" takes two hexadecimal digits for each byte");
    uint8_t *bytes = malloc(n / 2);
    for (size_t i = 0; bytes && i < n / 2; i++)
        bytes[i] = (uint8_t)(hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]));
    good = bytes && debug_store(cpu, space, address, bytes, n / 2);
    if (!good)
        control_refuse(r,
                       bytes ? "%016" PRIX64 " and what follows is not all in storage; nothing was changed"
                             : "the host has no memory for that",
                       address);
    free(bytes);
    return good;
}

/* ---- the guest's console ------------------------------------------------------------------------------------------
 */

/* Why it was not typed. */
static bool refuse_typing(struct control_request *r, int code)
{
    switch (code) {
    case 0:
        return true;
    case -ENOSPC:
        return control_refuse(r, "the guest has too much unread input; let it run and try again");
    case -EROFS:
        return control_refuse(r, "a recording is replayed, and what comes from outside is in it");
    default:
        return control_refuse(r, "the guest does not listen to its console now; let it run and try again");
    }
}

/* Lines for the line-mode console or a console device. */
static bool type_lines(struct control_request *r, const char *text)
{
    const size_t all = strlen(text);
    if (text[all - 1] != '\n')
        return control_refuse(r, "the guest's console takes whole lines: end \"text\" with a newline");
    for (size_t i = 0, n; i < all; i += n + 1) {
        n = strcspn(text + i, "\n");
        if (n > SCLP_LINE)
            return control_refuse(r, "a line has at most %u characters", SCLP_LINE);
    }
    return refuse_typing(r, session_post(r->control->session, false, text, all));
}

static bool type_keys(struct control_request *r, const char *text)
{
    const size_t n = strlen(text);
    char *keys = malloc(n);
    if (!keys)
        return control_refuse(r, "the host has no memory for that");
    for (size_t i = 0; i < n; i++)
        keys[i] = (char)(text[i] == '\n' ? '\r' : text[i]);
    const int code = session_post(r->control->session, true, keys, n);
    free(keys);
    return refuse_typing(r, code);
}

bool control_do_type(struct control_request *r)
{
    const struct session *s = r->control->session;
    const char *text = json_string_value(json_object_get(r->all, "text"));
    if (!text || !*text)
        return control_refuse(r, "\"text\" is what is to be typed");
    const bool keys = !css_line(s->machine->css, NULL) && sclp_listens_keys(s->machine);
    return keys ? type_keys(r, text) : type_lines(r, text);
}

/* ---- running ------------------------------------------------------------------------------------------------------
 */

bool control_do_go(struct control_request *r)
{
    if (r->control->running || r->control->go)
        return control_refuse(r, "the machine runs already");
    r->control->go = true;
    return true;
}

/* Clients whose requests to stop wait for the end of the run. */
struct control_waiter {
    struct control_waiter *next;
    uint64_t client;
    json_t *id;
};

void control_answer_stops(struct control *c)
{
    while (c->waiters) {
        struct control_waiter *w = c->waiters;
        struct control_client *client = control_client_of(c, w->client);
        json_t *answer = json_pack("{sO so}", "id", w->id, "result", control_status(c));
        char *line = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
        if (client && line)
            control_tell(c, client, line, strlen(line));
        if (client)
            client->serving--;
        c->waiters = w->next;
        free(line);
        json_decref(answer);
        json_decref(w->id);
        free(w);
    }
}

bool control_do_stop(struct control_request *r)
{
    struct control *c = r->control;
    struct control_client *client = control_client_of(c, r->client);
    struct control_waiter *w = c->running && client ? malloc(sizeof *w) : NULL;
    c->go = false;
    c->stop = c->running;
    if (!w)
        return control_do_status(r);
    *w = (struct control_waiter){c->waiters, r->client, json_incref(json_object_get(r->all, "id"))};
    client->serving++;
    c->waiters = w;
    r->later = true;
    return true;
}

bool control_do_quit(struct control_request *r)
{
    r->control->quit = true;
    return true;
}

/* ---- events -------------------------------------------------------------------------------------------------------
 */

/* Bits of the subjects that a request names. */
static bool subjects_of(struct control_request *r, uint64_t *subjects)
{
    const json_t *events = json_object_get(r->all, "events"), *event;
    size_t i;
    *subjects = 0;
    if (!json_is_array(events))
        return control_refuse(r, "\"events\" is a list of names");
    json_array_foreach(events, i, event)
    {
        const char *name = json_string_value(event), *known = NULL;
        for (unsigned n = 0; name && (known = control_subject_name(r->control, n)); n++)
            if (strcmp(name, known) == 0) {
                *subjects |= UINT64_C(1) << n;
                break;
            }
        if (!known)
            return control_refuse(r, "there is no event \"%.40s\"; {\"do\":\"help\"} lists them", name ? name : "");
    }
    return true;
}

static bool change_subjects(struct control_request *r, uint64_t more, uint64_t less)
{
    struct control_client *client = control_client_of(r->control, r->client);
    const char *name;
    if (!client)
        return true;
    client->subjects = (client->subjects | more) & ~less;
    r->result = json_array();
    for (unsigned n = 0; (name = control_subject_name(r->control, n)); n++)
        if (client->subjects >> n & 1)
            json_array_append_new(r->result, json_string(name));
    control_listen(r->control);
    return true;
}

bool control_do_subscribe(struct control_request *r)
{
    uint64_t subjects;
    return subjects_of(r, &subjects) && change_subjects(r, subjects, 0);
}

bool control_do_unsubscribe(struct control_request *r)
{
    uint64_t subjects = UINT64_MAX;
    return (!json_object_get(r->all, "events") || subjects_of(r, &subjects)) && change_subjects(r, 0, subjects);
}
#endif
