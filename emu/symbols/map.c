/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of addresses: "ADDRESS TYPE NAME", as Linux's System.map and nm have them, with the module in brackets behind
   the name in /proc/kallsyms, with the size behind the address in what nm -S prints. */
#include "base/message.h"
#include "emu/symbols/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct line {
    uint64_t address, length;
    bool sized;
    char type;
    char *name;
};

/* A hexadecimal number of at most 16 digits, up to a blank; NULL: there is none. */
static char *number(char *text, uint64_t *value)
{
    unsigned digits = 0;
    for (*value = 0;; text++, digits++) {
        const char c = *text;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            break;
        *value = *value << 4 | (unsigned)digit;
    }
    return digits && digits <= 16 && *text == ' ' ? text : NULL;
}

/* False: it is not such a line. */
static bool parse(char *text, struct line *line)
{
    char *at = number(text, &line->address), *end;
    if (!at)
        return false;
    at++;
    if ((end = number(at, &line->length)) && end - at > 1) {
        line->sized = true;
        at = end + 1;
    } else {
        line->sized = false;
        line->length = 0;
    }
    line->type = *at;
    if (line->type <= ' ' || at[1] != ' ')
        return false;
    line->name = at + 2;
    at = line->name + strcspn(line->name, " \t\r");
    end = at + strspn(at, " \t\r");
    if (*end && (*end != '[' || end == at)) /* a module, or nothing */
        return false;
    if (at == line->name)
        return false;
    *at = 0;
    return true;
}

static bool is_code(char type) { return strchr("tTwWiI", type) != NULL; }

/* Lines for symbols without a place have blanks in front ("                 U printf"). */
static bool has_no_place(const char *text)
{
    const size_t blanks = strspn(text, " ");
    return (blanks && strchr("UwvW", text[blanks]) && text[blanks]) || !text[blanks];
}

static int add(struct symbols_file *file, size_t *room, const struct line *line)
{
    if (file->functions == *room) {
        const size_t more = *room ? 2 * *room : 1024;
        struct symbols_function *all = realloc(file->function, more * sizeof *all);
        if (!all)
            return -ENOMEM;
        file->function = all;
        *room = more;
    }
    const bool open = !line->sized || !line->length;
    const uint64_t end = open ? UINT64_MAX : line->address + line->length;
    if (end <= line->address)
        return 0;
    file->function[file->functions++] = (struct symbols_function){.start = line->address,
                                                                  .end = end,
                                                                  .name = line->name,
                                                                  .rank = line->type == 'T' || line->type == 'I'   ? 0
                                                                          : line->type == 't' || line->type == 'i' ? 2
                                                                                                                   : 1,
                                                                  .open = open};
    return 0;
}

/* Ends of open functions are at symbols that are no functions, too (_etext). */
static void end_at_data(struct symbols_file *file, const uint64_t *place, size_t places)
{
    size_t p = 0;
    for (size_t i = 0; i < file->functions; i++) {
        struct symbols_function *f = &file->function[i];
        while (p < places && place[p] <= f->start)
            p++;
        if (f->open && p < places && place[p] < f->end)
            f->end = place[p];
    }
}

static int place_compare(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

int symbols_map_read(struct symbols_file *file, char *error, size_t size)
{
    size_t room = 0, lines = 0, places = 0, number = 0;
    uint64_t *place, any = 0;
    int bad = 0;
    for (size_t i = 0; i < file->size; i++)
        lines += file->bytes[i] == '\n';
    place = calloc(lines + 1, sizeof *place);
    if (!place)
        return fail_with(-ENOMEM, error, size, "the host has no memory for it; end other programs, or give it more");
    for (char *text = (char *)file->bytes, *end = text + file->size; !bad && text < end; number++) {
        char *next = memchr(text, '\n', (size_t)(end - text));
        struct line line;
        next = next ? next : end;
        *next = 0;
        if (strlen(text) != (size_t)(next - text) || (!has_no_place(text) && !parse(text, &line))) {
            bad = fail_with(-EINVAL, error, size,
                            "line %zu is none of a list of symbols (ADDRESS TYPE NAME); take System.map, a copy of "
                            "/proc/kallsyms, or what nm prints",
                            number + 1);
        } else if (!has_no_place(text)) {
            any |= line.address;
            const bool label = line.name[0] == '.' || line.name[0] == '$';
            if (is_code(line.type) && !label)
                bad = add(file, &room, &line);
            else if (line.type != 'A' && line.type != 'a' && !label)
                place[places++] = line.address;
            if (bad)
                bad = fail_with(bad, error, size, "the host has no memory for it; end other programs, or give it more");
        }
        text = next + 1;
    }
    if (!bad && number && !any)
        bad = fail_with(-EINVAL, error, size,
                        "all addresses are zero: the kernel hides them; copy /proc/kallsyms as root of the guest");
    if (!bad) {
        qsort(place, places, sizeof *place, place_compare);
        symbols_order(file);
        end_at_data(file, place, places);
    }
    free(place);
    return bad;
}
