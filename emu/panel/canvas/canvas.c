/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings of the machine as lists of items. */
#include "emu/panel/canvas/canvas.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST  1000
#define STORE_MOST (UINT32_C(4) << 20)

void canvas_clear(struct canvas *canvas, float width, float height)
{
    canvas->width = width;
    canvas->height = height;
    canvas->count = 0;
    canvas->stored = 0;
    canvas->incomplete = false;
}

void canvas_free(struct canvas *canvas)
{
    free(canvas->items);
    free(canvas->store);
    *canvas = (struct canvas){.items = NULL};
}

/* Room for `more` elements of `size` bytes behind `have`; false: there is none. */
static bool make_room(void **what, uint32_t have, uint32_t more, uint32_t *room, uint32_t most, size_t size)
{
    if (have + more <= *room)
        return true;
    if (have + more > most)
        return false;
    uint32_t wanted = 2 * (have + more) + 64;
    if (wanted > most)
        wanted = most;
    void *larger = realloc(*what, wanted * size);
    if (!larger)
        return false;
    *what = larger;
    *room = wanted;
    return true;
}

/* Keep a text with a zero behind it; 0: there was no room. Offset 0 is an empty text. */
static uint32_t keep(struct canvas *canvas, const char *text, uint32_t length)
{
    void *store = canvas->store;
    const bool fits =
        make_room(&store, canvas->stored, length + 2, &canvas->store_room, STORE_MOST, sizeof *canvas->store);
    canvas->store = store;
    if (!fits) {
        canvas->incomplete = true;
        return 0;
    }
    if (!canvas->stored)
        canvas->store[canvas->stored++] = 0;
    const uint32_t at = canvas->stored;
    memcpy(canvas->store + at, text, length);
    canvas->store[at + length] = 0;
    canvas->stored += length + 1;
    return at;
}

/* Bytes of a text that are kept: whole characters. */
static uint32_t length_of(const char *text)
{
    const size_t length = strlen(text);
    uint32_t kept = length > TEXT_MOST ? TEXT_MOST : (uint32_t)length;
    while (kept && kept < length && (text[kept] & 0xC0) == 0x80)
        kept--;
    return kept;
}

/* Format and keep; a text that is cut off ends where a character of UTF-8 does. */
static uint32_t keep_formatted(struct canvas *canvas, uint32_t *length, const char *format, va_list arguments)
{
    char text[TEXT_MOST + 2]; /* the byte behind the last one that is kept is looked at */
    const int n = vsnprintf(text, sizeof text, format, arguments);
    *length = n < 0 ? 0 : length_of(text);
    const uint32_t at = keep(canvas, text, *length);
    if (!at)
        *length = 0;
    return at;
}

/* A new item; NULL: the drawing is full. */
static struct canvas_item *append(struct canvas *canvas, enum canvas_kind kind, enum canvas_role role,
                                  struct canvas_box box)
{
    void *items = canvas->items;
    const bool fits = make_room(&items, canvas->count, 1, &canvas->room, CANVAS_MOST, sizeof *canvas->items);
    canvas->items = items;
    if (!fits) {
        canvas->incomplete = true;
        return NULL;
    }
    struct canvas_item *item = &canvas->items[canvas->count++];
    *item = (struct canvas_item){.kind = (uint8_t)kind, .role = (uint8_t)role, .strength = 255, .box = box};
    return item;
}

/* Cells that a text takes: characters of UTF-8. */
static float cells(const struct canvas *canvas, const struct canvas_item *item)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < item->length; i++)
        n += (canvas->store[item->text + i] & 0xC0) != 0x80;
    return (float)n;
}

static void name(struct canvas *canvas, struct canvas_item *item, const char *text)
{
    const uint32_t length = length_of(text);
    item->text = keep(canvas, text, length);
    item->length = item->text ? length : 0;
}

void canvas_text(struct canvas *canvas, float x, float y, enum canvas_role role, const char *format, ...)
{
    struct canvas_item *item = append(canvas, CANVAS_TEXT, role, (struct canvas_box){x, y, 0, 1});
    if (!item)
        return;
    va_list arguments;
    va_start(arguments, format);
    item->text = keep_formatted(canvas, &item->length, format, arguments);
    va_end(arguments);
    item->box.width = cells(canvas, item);
}

void canvas_fill(struct canvas *canvas, struct canvas_box box, enum canvas_role role, unsigned strength)
{
    struct canvas_item *item = append(canvas, CANVAS_FILL, role, box);
    if (item)
        item->strength = (uint8_t)(strength > 255 ? 255 : strength);
}

void canvas_frame(struct canvas *canvas, struct canvas_box box, enum canvas_role role)
{
    append(canvas, CANVAS_FRAME, role, box);
}

void canvas_line(struct canvas *canvas, float x, float y, float to_x, float to_y, enum canvas_role role, bool arrow)
{
    struct canvas_item *item = append(canvas, CANVAS_LINE, role, (struct canvas_box){x, y, to_x - x, to_y - y});
    if (item)
        item->arrow = arrow;
}

void canvas_lamp(struct canvas *canvas, float x, float y, bool lit, const char *label)
{
    struct canvas_item *item =
        append(canvas, CANVAS_LAMP, lit ? CANVAS_LIT : CANVAS_DARK, (struct canvas_box){x, y, 0, 1});
    if (!item)
        return;
    name(canvas, item, label);
    item->box.width = cells(canvas, item) + 2;
}

void canvas_button(struct canvas *canvas, struct canvas_box box, const char *label, const char *command)
{
    struct canvas_item *item = append(canvas, CANVAS_BUTTON, CANVAS_LINK, box);
    if (!item)
        return;
    name(canvas, item, label);
    item->command_length = length_of(command);
    item->command = keep(canvas, command, item->command_length);
}

void canvas_area(struct canvas *canvas, struct canvas_box box, const char *tip, const char *command, ...)
{
    struct canvas_item *item = append(canvas, CANVAS_AREA, CANVAS_LINK, box);
    if (!item)
        return;
    name(canvas, item, tip);
    va_list arguments;
    va_start(arguments, command);
    item->command = keep_formatted(canvas, &item->command_length, command, arguments);
    va_end(arguments);
}

void canvas_field(struct canvas *canvas, float x, float y, enum canvas_role role, const char *value,
                  const char *command, ...)
{
    struct canvas_item *item = append(canvas, CANVAS_FIELD, role, (struct canvas_box){x, y, 0, 1});
    if (!item)
        return;
    name(canvas, item, value);
    item->box.width = cells(canvas, item);
    va_list arguments;
    va_start(arguments, command);
    item->command = keep_formatted(canvas, &item->command_length, command, arguments);
    va_end(arguments);
}

/* Cut off what of the box is outside. False: nothing is inside. */
static bool cut(struct canvas_box *box, const struct canvas_box *clip)
{
    const float right = clip->x + clip->width, bottom = clip->y + clip->height;
    const float to_x = box->x + box->width, to_y = box->y + box->height;
    if (to_x <= clip->x || to_y <= clip->y || box->x >= right || box->y >= bottom)
        return false;
    box->x = box->x < clip->x ? clip->x : box->x;
    box->y = box->y < clip->y ? clip->y : box->y;
    box->width = (to_x < right ? to_x : right) - box->x;
    box->height = (to_y < bottom ? to_y : bottom) - box->y;
    return true;
}

/* Cut off what of the line from x, y on is outside, where y is one coordinate, by its share of the whole. */
static bool cut_line(float *from, float *other, float *length, float *other_length, float least, float most)
{
    float first = *from, last = *from + *length;
    if ((first < least && last < least) || (first > most && last > most))
        return false;
    const float a = *length != 0 ? ((first < least ? least : first > most ? most : first) - first) / *length : 0;
    const float b = *length != 0 ? ((last < least ? least : last > most ? most : last) - first) / *length : 1;
    *other += a * *other_length;
    *other_length *= b - a;
    *from += a * *length;
    *length *= b - a;
    return true;
}

static bool cut_item(struct canvas_item *item, const struct canvas_box *clip)
{
    struct canvas_box *b = &item->box;
    if (item->kind == CANVAS_LINE)
        return cut_line(&b->y, &b->x, &b->height, &b->width, clip->y, clip->y + clip->height) &&
               cut_line(&b->x, &b->y, &b->width, &b->height, clip->x, clip->x + clip->width);
    if (item->kind == CANVAS_TEXT || item->kind == CANVAS_FIELD || item->kind == CANVAS_LAMP)
        return b->y >= clip->y && b->y + b->height <= clip->y + clip->height + 0.01f && b->x < clip->x + clip->width;
    return cut(b, clip);
}

void canvas_append(struct canvas *canvas, const struct canvas *other, float x, float y, struct canvas_box clip)
{
    for (uint32_t i = 0; i < other->count; i++) {
        struct canvas_item item = other->items[i];
        item.box.x += x;
        item.box.y += y;
        if (!cut_item(&item, &clip))
            continue;
        struct canvas_item *new = append(canvas, item.kind, item.role, item.box);
        if (!new)
            return;
        item.text = item.length ? keep(canvas, other->store + item.text, item.length) : 0;
        item.length = item.text ? item.length : 0;
        item.command = item.command_length ? keep(canvas, other->store + item.command, item.command_length) : 0;
        item.command_length = item.command ? item.command_length : 0;
        *new = item;
    }
    canvas->incomplete |= other->incomplete;
}

bool canvas_answers(const struct canvas_item *item)
{
    return item->command_length &&
           (item->kind == CANVAS_BUTTON || item->kind == CANVAS_AREA || item->kind == CANVAS_FIELD);
}

const struct canvas_item *canvas_at(const struct canvas *canvas, float x, float y)
{
    for (uint32_t i = canvas->count; i > 0; i--) {
        const struct canvas_item *item = &canvas->items[i - 1];
        const bool answers = item->kind == CANVAS_BUTTON || item->kind == CANVAS_AREA || item->kind == CANVAS_FIELD;
        if (answers && x >= item->box.x && x < item->box.x + item->box.width && y >= item->box.y &&
            y < item->box.y + item->box.height)
            return item;
    }
    return NULL;
}

const char *canvas_item_text(const struct canvas *canvas, const struct canvas_item *item)
{
    return item->text ? canvas->store + item->text : "";
}

const char *canvas_item_command(const struct canvas *canvas, const struct canvas_item *item)
{
    return item->command ? canvas->store + item->command : "";
}
