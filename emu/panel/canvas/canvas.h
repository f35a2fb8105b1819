/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing of the machine that knows no screen: a view lists what there is to see, and a window or a terminal shows
   it. Places and sizes are in character cells, fractions allowed; a terminal rounds them. What a mark means is said,
   not what colour it has. */
#ifndef ZRI_EMU_PANEL_CANVAS_CANVAS_H
#define ZRI_EMU_PANEL_CANVAS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What something means, from which screens choose colours, in pairs that colour-blind people can tell apart. */
enum canvas_role {
    CANVAS_PLAIN,
    CANVAS_FAINT,   /* labels, rulers, what is off */
    CANVAS_HEADING, /* names of groups */
    CANVAS_VALUE,
    CANVAS_CHANGED, /* a value that is another one than in the last picture that stood */
    CANVAS_HERE,    /* where the PSW is, what is chosen */
    CANVAS_LIT,     /* a lamp that is on */
    CANVAS_DARK,    /* a lamp that is off */
    CANVAS_WARNING,
    CANVAS_LINK, /* what can be clicked */
    CANVAS_A,    /* five kinds that are told apart: lanes, classes of frames, ... */
    CANVAS_B,
    CANVAS_C,
    CANVAS_D,
    CANVAS_E,
    CANVAS_GROUND, /* of a fill: as where nothing is drawn, so that what is under it is not seen */
    CANVAS_ROLES
};

struct canvas_box {
    float x, y, width, height; /* cells; y grows downwards */
};

enum canvas_kind {
    CANVAS_TEXT,   /* text[length] from box.x, box.y on; one line */
    CANVAS_FILL,   /* the box, `strength` strong */
    CANVAS_FRAME,  /* its outline */
    CANVAS_LINE,   /* from box.x, box.y by box.width, box.height (which may be negative); `arrow`: a head at its end */
    CANVAS_LAMP,   /* a lamp in the box, lit when the role is CANVAS_LIT */
    CANVAS_BUTTON, /* a key in the box with its text; gives `command` */
    CANVAS_AREA,   /* nothing to be seen: a click gives `command`, resting there shows `text` */
    CANVAS_FIELD   /* text that can be changed in place: what is typed comes behind `command` */
};

/* Texts are in the canvas's own store: offset and length. */
struct canvas_item {
    uint8_t kind;     /* enum canvas_kind */
    uint8_t role;     /* enum canvas_role */
    uint8_t strength; /* 0-255 */
    bool arrow;
    struct canvas_box box;
    uint32_t text, length;
    uint32_t command, command_length; /* a command of the console, or one of the panel that begins with '/'; 0: none */
};

/* Items in the order in which they are drawn. It grows as needed up to CANVAS_MOST items, and says when something had
   no place any more. */
#define CANVAS_MOST 20000u
struct canvas {
    float width, height; /* of what there is to draw on, cells */
    struct canvas_item *items;
    uint32_t count, room;
    char *store;
    uint32_t stored, store_room;
    bool incomplete;
};

/* Begin anew with these sizes; storage is kept for the next picture. canvas_free() gives it back. */
void canvas_clear(struct canvas *canvas, float width, float height);
void canvas_free(struct canvas *canvas);

/* Draw. printf forms; a text longer than 1,000 characters is cut off. */
void canvas_text(struct canvas *canvas, float x, float y, enum canvas_role role, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void canvas_fill(struct canvas *canvas, struct canvas_box box, enum canvas_role role, unsigned strength);
void canvas_frame(struct canvas *canvas, struct canvas_box box, enum canvas_role role);
void canvas_line(struct canvas *canvas, float x, float y, float to_x, float to_y, enum canvas_role role, bool arrow);
void canvas_lamp(struct canvas *canvas, float x, float y, bool lit, const char *label);
/* `command`: of the console ("s"), or of the panel itself ("/view code"). */
void canvas_button(struct canvas *canvas, struct canvas_box box, const char *label, const char *command);
void canvas_area(struct canvas *canvas, struct canvas_box box, const char *tip, const char *command, ...)
    __attribute__((format(printf, 4, 5)));
/* A value that can be changed in place: "r 5=" and what was typed make the command. */
void canvas_field(struct canvas *canvas, float x, float y, enum canvas_role role, const char *value,
                  const char *command, ...) __attribute__((format(printf, 6, 7)));

/* Put a drawing into this one: moved by (x, y), and only what is inside `clip` (of this one) afterwards. Text is not
   cut, boxes are. */
void canvas_append(struct canvas *canvas, const struct canvas *other, float x, float y, struct canvas_box clip);

/* Does a click on this item do something? */
bool canvas_answers(const struct canvas_item *item);
/* The topmost item at a place that has a command or a tip; NULL: none. */
const struct canvas_item *canvas_at(const struct canvas *canvas, float x, float y);
/* Text and command of an item, as strings that live as long as the picture. */
const char *canvas_item_text(const struct canvas *canvas, const struct canvas_item *item);
const char *canvas_item_command(const struct canvas *canvas, const struct canvas_item *item);

#endif
