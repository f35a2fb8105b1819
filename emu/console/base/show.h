/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Displays: written once, shown as text for people or as JSON for programs.

   A display consists of lines. Each is a text in which {} stands for a fact, and the facts: in the text they take the
   places in their order (a text says how: {-12} left-aligned in 12 columns, {5} right-aligned, {x} hexadecimal without
   leading zeros); in JSON they are members of an object with their names. Facts behind the last {} are for programs
   alone; a fact without a name is for people alone. */
#ifndef ZRI_EMU_CONSOLE_SHOW_H
#define ZRI_EMU_CONSOLE_SHOW_H

#include "emu/console/base/base.h"

enum fact_kind { FACT_TEXT, FACT_HEX, FACT_NUMBER, FACT_FLAG, FACT_NONE };

struct fact {
    const char *name;      /* NULL: no member of the JSON object */
    const char *text, *no; /* words; of a flag those for true and false */
    uint64_t value;
    uint8_t kind, digits; /* enum fact_kind; of a hexadecimal value its digits */
};

static inline struct fact fact_text(const char *name, const char *text)
{
    return (struct fact){.name = name, .text = text, .kind = FACT_TEXT};
}
/* A value in hexadecimal digits, which is a text in JSON. */
static inline struct fact fact_hex(const char *name, uint64_t value, unsigned digits)
{
    return (struct fact){.name = name, .value = value, .kind = FACT_HEX, .digits = (uint8_t)digits};
}
static inline struct fact fact_number(const char *name, uint64_t value)
{
    return (struct fact){.name = name, .value = value, .kind = FACT_NUMBER};
}
/* True or false, with the words that the text has for it. */
static inline struct fact fact_flag(const char *name, bool value, const char *yes, const char *no)
{
    return (struct fact){.name = name, .text = yes, .no = no, .value = value, .kind = FACT_FLAG};
}
/* `fact` if `when`, otherwise nothing at all. */
static inline struct fact fact_if(bool when, struct fact fact)
{
    if (!when)
        fact.kind = FACT_NONE;
    return fact;
}

/* Lists and objects of the JSON form; without effect on the text. `name` NULL: the outermost one, or within a list. */
void show_list(struct console *c, const char *name);
void show_end_list(struct console *c);
void show_object(struct console *c, const char *name);
void show_end_object(struct console *c);
/* Words for people alone. */
void show_words(struct console *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What the macros below stand for: a line of `count` facts of the object that is open; an object of its own; a value of
   the list that is open (of the display when none is), whose name does not count. */
void show_facts(struct console *c, const char *format, const struct fact *facts, unsigned count);
void show_row(struct console *c, const char *format, const struct fact *facts, unsigned count);
void show_value(struct console *c, const char *format, struct fact fact);

#define FACTS(...) (const struct fact[]){__VA_ARGS__}, sizeof((const struct fact[]){__VA_ARGS__}) / sizeof(struct fact)
/* A line whose facts belong to the object that is open. */
#define SHOW(c, format, ...) show_facts(c, format, FACTS(__VA_ARGS__))
/* A line that is an object of its own: of a list, or all of a display. */
#define SHOW_ROW(c, format, ...) show_row(c, format, FACTS(__VA_ARGS__))

/* The display that is being made is put aside, so that another command can be carried out meanwhile; and goes on. */
struct show_aside {
    struct json facts;
    bool json;
};
struct show_aside show_put_aside(struct console *c);
void show_take_back(struct console *c, const struct show_aside *aside);

/* For what is made elsewhere in both forms: is it to be the one for programs? */
bool show_is_json(const struct console *c);

#endif
