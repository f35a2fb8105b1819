/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that come from the guest, by DIAGNOSE code 8. */
#include "emu/console/base/internal.h"
#include "emu/console/console.h"
#include <string.h>

/* A guest may ask for nothing that runs or replaces the machine, and nothing that names a file of the host. */
static bool may(const struct console *c, const char *line)
{
    char word[32];
    size_t n = strcspn(line, " \t=");
    if (n == 0 || n >= sizeof word)
        return false;
    memcpy(word, line, n);
    word[n] = 0;
    const struct console_command *command = console_find(c, word);
    return command && (command->flags & CONSOLE_GUEST);
}

static int guest_command(void *context, const char *line, char *answer, size_t size)
{
    struct console *c = context;
    struct cpu *selected = c->cpu;
    FILE *out = c->out;
    line += strspn(line, " \t");
    if (!may(c, line)) {
        snprintf(answer, size, "a guest may not give this command\n");
        return 2;
    }
    memset(answer, 0, size);
    c->out = fmemopen(answer, size, "w");
    if (!c->out) {
        c->out = out;
        return 2;
    }
    c->for_guest = true;
    int code = console_line(c, line);
    c->for_guest = false;
    fclose(c->out);
    answer[size - 1] = 0;
    c->out = out;
    c->cpu = selected;
    return code ? 1 : 0;
}

void console_serve_guest(struct console *c)
{
    c->session->command = guest_command;
    c->session->command_context = c;
}
