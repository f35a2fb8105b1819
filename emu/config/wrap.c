/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that fits the terminal. */
#include "emu/config/wrap.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static unsigned of_environment(const char *name)
{
    const char *text = getenv(name);
    const long value = text ? strtol(text, NULL, 10) : 0;
    return value >= 20 && value < 10000 ? (unsigned)value : 0;
}

unsigned wrap_width(FILE *out, unsigned otherwise)
{
    struct winsize size = {0};
    if (of_environment("COLUMNS"))
        return of_environment("COLUMNS");
    return isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20 ? size.ws_col
                                                                                                  : otherwise;
}

unsigned wrap_height(FILE *out, unsigned otherwise)
{
    struct winsize size = {0};
    if (of_environment("LINES"))
        return of_environment("LINES");
    return isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_row >= 4 ? size.ws_row
                                                                                                 : otherwise;
}

void wrap_text(const char *text, unsigned column, unsigned indent, unsigned width, char *out, size_t size)
{
    size_t used = 0;
    unsigned at = column;
    *out = 0;
    while (*text) {
        const size_t blanks = strspn(text, " "), word = strcspn(text + blanks, " |"),
                     n = word + (text[blanks + word] == '|');
        int more;
        if (width && at > indent && at + blanks + n > width) {
            more = snprintf(out + used, size - used, "\n%*s%.*s", (int)indent, "", (int)n, text + blanks);
            at = indent + (unsigned)n;
        } else {
            more = snprintf(out + used, size - used, "%.*s", (int)(blanks + n), text);
            at += (unsigned)(blanks + n);
        }
        if (more < 0 || used + (size_t)more >= size)
            return;
        used += (size_t)more;
        text += blanks + n;
    }
}
