/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/console/base/space.h"
#include "emu/console/base/base.h"
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

bool space_word(const struct console *c, const char *word, enum cpu_space *space, unsigned *ar)
{
    const struct console_word *found = console_word(c, "v", "", word);
    if (found && found->value != CPU_SPACE_AR) {
        *space = (enum cpu_space)found->value;
        return true;
    }
    if (strncasecmp(word, "ar", 2) != 0 || !isdigit((unsigned char)word[2]))
        return false;
    char *end;
    unsigned long n = strtoul(word + 2, &end, 10);
    if (*end || n > 15)
        return false;
    *space = CPU_SPACE_AR;
    *ar = (unsigned)n;
    return true;
}
