/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Displays, as text or as JSON. */
#include "emu/console/base/show.h"
#include "emu/console/base/base.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define FACT_MOST 40 /* characters of a number */

void show_list(struct console *c, const char *name)
{
    if (c->json)
        json_begin_list(&c->facts, name);
}

void show_end_list(struct console *c)
{
    if (c->json)
        json_end_list(&c->facts);
}

void show_object(struct console *c, const char *name)
{
    if (c->json)
        json_begin_object(&c->facts, name);
}

void show_end_object(struct console *c)
{
    if (c->json)
        json_end_object(&c->facts);
}

void show_words(struct console *c, const char *format, ...)
{
    char text[CONSOLE_LINE * 2];
    va_list arguments;
    if (c->json)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    console_print(c, "%s", text);
}

static void put_json(struct json *json, const struct fact *f)
{
    switch (f->kind) {
    case FACT_TEXT:
        json_text(json, f->name, f->text);
        break;
    case FACT_HEX:
        json_hex(json, f->name, f->value, f->digits);
        break;
    case FACT_NUMBER:
        json_number(json, f->name, f->value);
        break;
    case FACT_FLAG:
        json_bool(json, f->name, f->value);
        break;
    default:
        break;
    }
}

/* A fact in the place of {...}; `how` is what stands between the braces. */
static void put_text(struct console *c, const char *how, const struct fact *f)
{
    char number[FACT_MOST];
    const char *text = f->text;
    const bool plain = *how == 'x';
    const int width = atoi(how + plain);
    if (f->kind == FACT_FLAG) {
        text = f->value ? f->text : f->no;
    } else if (f->kind == FACT_HEX) {
        snprintf(number, sizeof number, "%0*" PRIX64, plain ? 1 : f->digits, f->value);
        text = number;
    } else if (f->kind == FACT_NUMBER) {
        snprintf(number, sizeof number, "%" PRIu64, f->value);
        text = number;
    }
    if (f->kind == FACT_NONE || !text)
        text = "";
    console_print(c, "%*s", width, text);
}

static void put_line(struct console *c, const char *format, const struct fact *facts, unsigned count)
{
    unsigned next = 0;
    while (*format) {
        const size_t n = strcspn(format, "{");
        console_print(c, "%.*s", (int)n, format);
        format += n;
        if (!*format)
            break;
        if (next < count)
            put_text(c, format + 1, &facts[next++]);
        format += strcspn(format, "}");
        format += *format == '}';
    }
}

void show_facts(struct console *c, const char *format, const struct fact *facts, unsigned count)
{
    if (!c->json) {
        put_line(c, format, facts, count);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        if (facts[i].name)
            put_json(&c->facts, &facts[i]);
}

void show_row(struct console *c, const char *format, const struct fact *facts, unsigned count)
{
    show_object(c, NULL);
    show_facts(c, format, facts, count);
    show_end_object(c);
}

void show_value(struct console *c, const char *format, struct fact fact)
{
    fact.name = NULL;
    if (c->json)
        put_json(&c->facts, &fact);
    else
        put_line(c, format, &fact, 1);
}

bool show_is_json(const struct console *c) { return c->json; }

struct show_aside show_put_aside(struct console *c)
{
    const struct show_aside aside = {c->facts, c->json};
    c->facts = (struct json){.length = 0};
    return aside;
}

void show_take_back(struct console *c, const struct show_aside *aside)
{
    json_clear(&c->facts);
    c->facts = aside->facts;
    c->json = aside->json;
}
