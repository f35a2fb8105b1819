/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands about devices. */
#include "emu/console/base/internal.h"
#include "emu/dev/css/attach.h"
#include "emu/dev/types.h"
#include <stdio.h>
#include <string.h>

#define DEVICE_TEXT 1024

/* The device that a word names; NULL after a sentence. */
static struct channel_device *named(struct console *c, const char *word)
{
    unsigned set;
    uint16_t number;
    struct channel_device *d = NULL;
    if (!css_parse_number(word, &set, &number))
        console_fail(c, "'%.40s' is no device number; give one as 000C or 0:000C", word);
    else if (!(d = css_find_number(c->machine->css, set, number)))
        console_fail(c, "there is no device %u:%04X; devlist lists them", set, number);
    return d;
}

int console_cmd_attach(struct console *c, int argc, char **argv)
{
    char text[DEVICE_TEXT], error[CONSOLE_ERROR];
    size_t used = 0;
    if (argc < 3)
        return console_usage(c, "attach");
    for (int i = 1; i < argc && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 1 ? "," : "", argv[i]);
    if (used >= sizeof text)
        return console_fail(c, "attach: the words are too long; %d characters have room", DEVICE_TEXT);
    return session_attach(c->session, text, true, error, sizeof error) ? console_fail(c, "%s", error) : 0;
}

int console_cmd_detach(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    if (argc != 2)
        return console_usage(c, "detach");
    return session_detach(c->session, argv[1], error, sizeof error) ? console_fail(c, "%s", error) : 0;
}

int console_cmd_devinit(struct console *c, int argc, char **argv)
{
    char error[CONSOLE_ERROR];
    if (argc < 2)
        return console_usage(c, "devinit");
    const struct channel_device *d = named(c, argv[1]);
    if (!d)
        return -1;
    unsigned count = (unsigned)argc - 2;
    int code = css_reopen(c->machine, d->set, d->number, count, argv + 2, error, sizeof error);
    return code ? console_fail(c, "%s", error) : 0;
}

int console_cmd_devlist(struct console *c, int argc, char **argv)
{
    const struct channel_device *d;
    (void)argc;
    (void)argv;
    show_list(c, NULL);
    for (unsigned n = 0; (d = css_device(c->machine->css, n)); n++) {
        char what[160] = "", number[16];
        if (d->type->describe)
            d->type->describe(d, what, sizeof what);
        snprintf(number, sizeof number, "%u:%04X", d->set, d->number);
        SHOW_ROW(c, "{}  subchannel {}  {}{}{}\n", fact_text("device", number),
                 fact_hex("subchannel", d->subchannel, 4), fact_text("words", css_device_words(d)),
                 fact_text(NULL, *what ? "  " : ""), fact_text("state", what));
    }
    show_end_list(c);
    return 0;
}

int console_cmd_devtypes(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    show_list(c, NULL);
    for (const struct channel_type *const *t = device_types; *t; t++)
        SHOW_ROW(c, "{-6} {}\n       {}\n", fact_text("type", (*t)->name), fact_text("words", (*t)->arguments),
                 fact_text("help", (*t)->help));
    show_end_list(c);
    return 0;
}

int console_cmd_input(struct console *c, int argc, char **argv)
{
    if (argc < 2)
        return console_usage(c, "input");
    struct channel_device *d = named(c, argv[1]);
    if (!d)
        return -1;
    const char *text = strstr(c->rest, argv[1]);
    text = text ? text + strlen(argv[1]) : "";
    text += *text == ' ';
    if (!d->type->line)
        return console_fail(c, "input: %s is no console", argv[1]);
    return d->type->line(d, text)
               ? 0
               : console_fail(c, "input: the device has an unread line already; let the guest run (g)");
}

int console_cmd_attention(struct console *c, int argc, char **argv)
{
    if (argc != 2)
        return console_usage(c, "i");
    struct channel_device *d = named(c, argv[1]);
    if (!d)
        return -1;
    if (!d->type->keyboard)
        return console_fail(c, "i: %s has no attention key", argv[1]);
    channel_attention(d, CHANNEL_ATTENTION);
    return 0;
}
