/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files with debugging information. */
#include "emu/console/base/source.h"
#include "base/message.h"
#include "emu/console/base/base.h"
#include "emu/symbols/text.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The files with code. */
static void close_files(struct console *c)
{
    for (unsigned i = 0; i < c->source_count; i++)
        symbols_file_close(c->source[i]);
    c->source_count = 0;
}

void source_close(struct console *c)
{
    close_files(c);
    symbols_texts_free(c->texts);
    c->texts = NULL;
}

bool source_is_elf(const char *argument)
{
    char magic[4] = "", path[CONSOLE_LINE];
    snprintf(path, sizeof path, "%s", argument);
    char *at = strrchr(path, '@');
    if (at && access(path, F_OK))
        *at = 0;
    FILE *f = fopen(path, "rb");
    const bool elf = f && fread(magic, sizeof magic, 1, f) == 1 && memcmp(magic, "\177ELF", sizeof magic) == 0;
    if (f)
        fclose(f);
    return elf;
}

/* The images of the latest load; nobody asked for them by name, so that one without information is passed over. */
static void open_images(struct console *c)
{
    char error[CONSOLE_ERROR];
    if (c->source_loads == c->session->loads)
        return;
    c->source_loads = c->session->loads;
    close_files(c);
    for (unsigned i = 0; i < c->session->image_count && c->source_count < CONSOLE_SOURCES; i++)
        if (source_is_elf(c->session->images[i]) &&
            !symbols_file_open(c->session->images[i], &c->source[c->source_count], error, sizeof error))
            c->source_count++;
}

struct symbols_file *source_file(struct console *c, uint64_t address)
{
    open_images(c);
    for (unsigned i = c->source_count; i-- > 0;)
        if (symbols_file_has(c->source[i], address))
            return c->source[i];
    return NULL;
}

void source_line(struct console *c, uint64_t address, char *text, size_t size)
{
    struct symbols_file *file = source_file(c, address);
    *text = 0;
    if (file)
        symbols_file_line(file, address, text, size);
}

struct source_text source_text(struct console *c, uint64_t address)
{
    struct source_text text = {.newer = false};
    struct symbols_file *file = source_file(c, address);
    if (!c->texts)
        c->texts = symbols_texts_new();
    if (file && !c->for_guest) /* the program under it may name any file of the host */
        symbols_file_text(file, c->texts, address, text.words, sizeof text.words, &text.newer);
    return text;
}

int source_add(struct console *c, const char *argument, struct symbols_file **file, char *error, size_t size)
{
    open_images(c);
    if (c->source_count == CONSOLE_SOURCES)
        return fail_with(-ENOSPC, error, size,
                         "symbols: %d files are open already; load the machine anew with those that are needed",
                         CONSOLE_SOURCES);
    const int bad = symbols_file_open(argument, file, error, size);
    if (!bad)
        c->source[c->source_count++] = *file;
    return bad;
}
