/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that look at storage and change it. */
#define _GNU_SOURCE /* strcasestr */
#include "base/ebcdic.h"
#include "cpu/storage/code.h"
#include "cpu/storage/main.h"
#include "cpu/storage/tlb.h"
#include "disasm/dis.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/listing.h"
#include "emu/console/base/source.h"
#include "emu/console/base/space.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHOW_DEFAULT 64u
#define SHOW_MOST    0x10000u

/* ---- ADDRESS[-END|.LENGTH][=BYTES] ----------------------------------------------------------------------------- */

struct range {
    uint64_t start, length;
    bool given;  /* a length was */
    char *bytes; /* behind the =, NULL: none */
};

static int parse_range(struct console *c, char *text, struct range *range)
{
    uint64_t end;
    char *equals = strchr(text, '='), *mark;
    memset(range, 0, sizeof *range);
    range->length = SHOW_DEFAULT;
    if (equals) {
        *equals = 0;
        range->bytes = equals + 1;
    }
    mark = strpbrk(text, "-.");
    char kind = mark ? *mark : 0;
    if (mark)
        *mark++ = 0;
    if (console_value(c, text, &range->start))
        return -1;
    if (!mark)
        return 0;
    if (console_value(c, mark, &end))
        return -1;
    range->given = true;
    range->length = kind == '.' ? end : end - range->start + 1;
    if (kind == '-' && range->start == 0 && end == UINT64_MAX)
        range->length = UINT64_MAX;
    if (range->length == 0 || (kind == '-' && end < range->start))
        return console_fail(c, "%s%c%s: nothing is in this range; the end comes behind the start", text, kind, mark);
    return 0;
}

/* Pairs of digits of the words into bytes. Returns how many, or -1. */
static int parse_bytes(struct console *c, char **words, int count, uint8_t *bytes, int room)
{
    int n = 0, half = 0;
    for (int i = 0; i < count; i++)
        for (const char *at = words[i]; *at; at++) {
            if (!isxdigit((unsigned char)*at))
                return console_fail(c, "'%.40s': bytes are pairs of hexadecimal digits", words[i]);
            if (n == room)
                return console_fail(c, "more than %d bytes; use several lines", room);
            char digit[2] = {*at, 0};
            unsigned value = (unsigned)strtoul(digit, NULL, 16);
            bytes[n] = (uint8_t)(half ? bytes[n] << 4 | value : value);
            n += half;
            half = !half;
        }
    if (half || n == 0)
        return console_fail(c, "bytes are pairs of hexadecimal digits; there is %s",
                            n || half ? "half a byte" : "none");
    return n;
}

static int no_storage(struct console *c, const char *what, uint64_t address, int code)
{
    return console_fail(c, "%s %" PRIX64 ": no access, program-interruption code %04X (%s)", what, address,
                        (unsigned)code, look_code_name(code));
}

static int alter(struct console *c, const char *what, enum cpu_space space, unsigned ar, uint64_t address,
                 const uint8_t *bytes, unsigned length)
{
    int code;
    for (unsigned done = 0, left; done < length; done += left) /* all of it must be there first */
        if (!look_page(c, space, ar, address + done, &left, &code))
            return no_storage(c, what, address + done, code);
    for (unsigned done = 0, left; done < length; done += left) {
        uint8_t *host = look_page(c, space, ar, address + done, &left, &code);
        if (left > length - done)
            left = length - done;
        memcpy(host, bytes + done, left);
        struct cpu_system *sys = &c->machine->sys;
        const uint64_t absolute = (uint64_t)(host - sys->storage.bytes);
        storage_record_store(&sys->storage, absolute, left);
        cpu_code_written(sys, absolute, left);
    }
    return 0;
}

/* One line of a dump: 16 bytes in hexadecimal, EBCDIC and ASCII. */
static void dump_line(struct console *c, uint64_t address, const uint8_t *bytes, unsigned length)
{
    char hex[48] = "", plain[33] = "", ebcdic[17] = "", ascii[17] = "";
    unsigned used = 0;
    for (unsigned i = 0; i < length; i++) {
        unsigned char e = ebcdic_to_latin(bytes[i]);
        snprintf(plain + 2 * i, sizeof plain - 2 * i, "%02X", bytes[i]);
        used += (unsigned)snprintf(hex + used, sizeof hex - used, "%s%02X", i && i % 4 == 0 ? " " : "", bytes[i]);
        ebcdic[i] = e >= 0x20 && e < 0x7f ? (char)e : '.';
        ascii[i] = bytes[i] >= 0x20 && bytes[i] < 0x7f ? (char)bytes[i] : '.';
    }
    SHOW_ROW(c, "{}  {-35}  *{-16}* |{-16}|\n", fact_hex("address", address, 16), fact_text(NULL, hex),
             fact_text(NULL, ebcdic), fact_text(NULL, ascii), fact_text("bytes", plain));
}

static int dump(struct console *c, const char *what, enum cpu_space space, unsigned ar, const struct range *range,
                uint64_t *next)
{
    uint64_t at = range->start, end = at + range->length;
    unsigned shown = 0;
    int code = 0;
    if (range->length > SHOW_MOST)
        return console_fail(c, "%" PRIX64 " bytes are too many to show; up to %X, or use savecore", range->length,
                            SHOW_MOST);
    show_list(c, NULL);
    while (at != end) {
        uint8_t bytes[16];
        unsigned n = 16 - (unsigned)(at & 15);
        if (n > end - at)
            n = (unsigned)(end - at);
        unsigned left;
        const uint8_t *host = look_page(c, space, ar, at, &left, &code);
        if (!host)
            break;
        memcpy(bytes, host, n); /* does not cross a page */
        dump_line(c, at, bytes, n);
        at += n;
        shown++;
    }
    *next = at;
    show_end_list(c);
    if (!code)
        return 0;
    if (!shown) {
        json_clear(&c->facts);
        return no_storage(c, what, at, code);
    }
    show_words(c, "%s %" PRIX64 ": no access, program-interruption code %04X (%s)\n", what, at, (unsigned)code,
               look_code_name(code));
    return 0;
}

/* Show or alter, from word `first` on. */
static int storage_command(struct console *c, const char *what, enum cpu_space space, unsigned ar, int argc,
                           char **argv, uint64_t *next)
{
    struct range range = {.start = *next, .length = SHOW_DEFAULT};
    uint8_t bytes[CONSOLE_LINE];
    if (argc && parse_range(c, argv[0], &range))
        return -1;
    if (!range.bytes) {
        if (argc > 1)
            return console_fail(c, "'%.40s' is one word too many; give one range, ADDRESS-END or ADDRESS.LENGTH",
                                argv[1]);
        return dump(c, what, space, ar, &range, next);
    }
    argv[0] = range.bytes;
    int n = parse_bytes(c, argv, argc, bytes, (int)sizeof bytes);
    if (n < 0)
        return -1;
    return alter(c, what, space, ar, range.start, bytes, (unsigned)n);
}

int console_cmd_real(struct console *c, int argc, char **argv)
{
    return storage_command(c, "real", CPU_SPACE_REAL, 0, argc - 1, argv + 1, &c->next_r);
}

int console_cmd_abs(struct console *c, int argc, char **argv)
{
    return storage_command(c, "absolute", CPU_SPACE_ABSOLUTE, 0, argc - 1, argv + 1, &c->next_r);
}

int console_cmd_virtual(struct console *c, int argc, char **argv)
{
    enum cpu_space space = CPU_SPACE_CURRENT;
    unsigned ar = 0;
    bool named = argc > 1 && space_word(c, argv[1], &space, &ar);
    return storage_command(c, "virtual", space, ar, argc - 1 - named, argv + 1 + named, &c->next_v);
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

static void show_instruction(struct console *c, uint64_t address, const struct look_instruction *i)
{
    char symbol[104] = "", source[104] = "";
    const struct source_text text = source_text(c, address);
    if (*i->symbol)
        snprintf(symbol, sizeof symbol, "  <%s>", i->symbol);
    if (*i->source)
        snprintf(source, sizeof source, "  %s", i->source);
    SHOW_ROW(c, "{}  {-12}  {}{}{}\n", fact_hex("address", address, 16), fact_text("bytes", i->hex),
             fact_text("text", i->text), fact_text(NULL, symbol), fact_text(NULL, source),
             fact_text("symbol", i->symbol), fact_if(*i->source, fact_text("source", i->source)),
             fact_if(*text.words, fact_text("source_text", text.words)),
             fact_if(text.newer, fact_flag("source_newer", true, "", "")));
}

int console_cmd_disassemble(struct console *c, int argc, char **argv)
{
    struct range range = {.start = argc == 1 && c->next_u ? c->next_u : c->cpu->psw.ia, .length = 0};
    if (argc > 2)
        return console_usage(c, "u");
    if (argc == 2 && parse_range(c, argv[1], &range))
        return -1;
    if (range.bytes)
        return console_fail(c, "u only shows; asm ADDRESS INSTRUCTION changes");
    uint64_t at = range.start, most = range.given ? range.length : SHOW_DEFAULT;
    unsigned count = 0;
    char line[LISTING_PLACE] = "";
    if (most > SHOW_MOST)
        return console_fail(c, "%" PRIX64 " bytes are too many to show; up to %X", most, SHOW_MOST);
    show_list(c, NULL);
    while (range.given ? at - range.start < most : count < 10) {
        const struct look_instruction i = look_instruction(c, at);
        if (!i.length)
            break;
        listing_source(c, at, line);
        show_instruction(c, at, &i);
        at += i.length;
        count++;
    }
    show_end_list(c);
    c->next_u = at;
    if (count)
        return 0;
    json_clear(&c->facts);
    return console_fail(c, "u %" PRIX64 ": there is no instruction to be fetched; 'translate %" PRIX64 "' tells why",
                        at, at);
}

int console_cmd_assemble(struct console *c, int argc, char **argv)
{
    uint8_t bytes[6];
    char why[200];
    uint64_t address;
    if (argc < 3)
        return console_usage(c, "asm");
    if (console_value(c, argv[1], &address))
        return -1;
    const char *text = c->rest + strcspn(c->rest, " \t");
    int length = dis_assemble(text + strspn(text, " \t"), address, bytes, why, sizeof why);
    if (length < 0)
        return console_fail(c, "asm: %s", why);
    if (alter(c, "asm", look_instruction_space(c->cpu), 0, address, bytes, (unsigned)length))
        return -1;
    const struct look_instruction i = look_instruction(c, address);
    show_list(c, NULL);
    show_instruction(c, address, &i);
    show_end_list(c);
    return 0;
}

/* ---- translations that the CPU holds ---------------------------------------------------------------------------- */

static unsigned show_tlb(struct console *c, const char *what, const struct tlb *tlb)
{
    unsigned count = 0;
    for (unsigned i = 0; i < TLB_ENTRIES; i++) {
        const struct tlb_entry *e = &tlb->entry[i];
        bool read = e->read != TLB_NONE, write = e->write != TLB_NONE;
        if (!tlb_in_use(tlb, i))
            continue;
        count++;
        SHOW_ROW(c, "{-12} {} -> {} {}{}\n", fact_text("for", what), fact_hex("page", read ? e->read : e->write, 16),
                 fact_hex("absolute", e->absolute, 16), fact_flag("fetch", read, "fetch ", ""),
                 fact_flag("store", write, "store", ""));
    }
    return count;
}

int console_cmd_tlb(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    show_list(c, NULL);
    unsigned count = show_tlb(c, "operands", c->cpu->tlb);
    if (c->cpu->fetch_tlb != c->cpu->tlb)
        count += show_tlb(c, "instructions", c->cpu->fetch_tlb);
    show_end_list(c);
    show_words(c, "%u entries\n", count);
    return 0;
}

/* ---- keys and symbols ------------------------------------------------------------------------------------------ */

int console_cmd_keys(struct console *c, int argc, char **argv)
{
    struct storage *s = &c->machine->sys.storage;
    struct range range;
    uint64_t key = 0;
    if (argc != 2)
        return console_usage(c, "keys");
    if (parse_range(c, argv[1], &range))
        return -1;
    if (range.bytes && console_hex(c, range.bytes, 0xfe, &key))
        return -1;
    uint64_t first = range.start >> PAGE_BITS,
             last = range.given ? (range.start + range.length - 1) >> PAGE_BITS : first;
    if (last < first || last >= s->size >> PAGE_BITS || last - first > 0xffff)
        return console_fail(c, "keys: storage ends at %" PRIX64, s->size - 1);
    if (range.bytes) {
        memset(s->keys + first, (int)key, last - first + 1);
        cpu_tlb_purge_all(&c->machine->sys);
        return 0;
    }
    show_list(c, NULL);
    for (uint64_t i = first; i <= last; i++) {
        uint64_t from = i;
        while (i < last && s->keys[i + 1] == s->keys[from])
            i++;
        uint8_t k = s->keys[from];
        SHOW_ROW(c, "{}-{}  key {}: access control {x}{}{}{}\n", fact_hex("start", from << PAGE_BITS, 16),
                 fact_hex("end", (i << PAGE_BITS) + 0xfff, 16), fact_hex("key", k, 2), fact_hex(NULL, k >> 4, 1),
                 fact_flag(NULL, k & KEY_F, ", fetch protection", ""), fact_flag(NULL, k & KEY_R, ", referenced", ""),
                 fact_flag(NULL, k & KEY_C, ", changed", ""));
    }
    show_end_list(c);
    return 0;
}

/* Fewer symbols than this are no map of a program. */
#define STUB 2u

/* Where symbols are kept; NULL after console_fail(). */
static struct ipl_symbols *symbols_of(struct console *c)
{
    if (!c->session->load)
        c->session->load = ipl_load_new(&ipl_host_files, c->machine->sys.storage.size);
    if (c->session->load)
        return ipl_load_symbols(c->session->load);
    (void)console_fail(c, "symbols: the host has no memory");
    return NULL;
}

/* The functions of an ELF file, and what else it has for debuggers. */
static int read_elf(struct console *c, const char *argument)
{
    struct symbols_file *file;
    uint64_t start, end;
    const char *name;
    size_t n = 0;
    char error[CONSOLE_ERROR];
    struct ipl_symbols *symbols = symbols_of(c);
    if (!symbols)
        return -1;
    if (source_add(c, argument, &file, error, sizeof error))
        return console_fail(c, "%s", error);
    while (symbols_file_function(file, n, &start, &end, &name)) {
        if (ipl_symbols_add(symbols, start, end - start, name, true))
            return console_fail(c, "symbols: the host has no memory");
        n++;
    }
    SHOW_ROW(c, "{} functions (decimal) read from {}\n", fact_number("read", n), fact_text("file", argument));
    return 0;
}

static int read_map(struct console *c, const char *file)
{
    uint8_t *bytes;
    uint64_t length;
    char error[CONSOLE_ERROR];
    struct ipl_symbols *symbols = symbols_of(c);
    if (!symbols)
        return -1;
    const unsigned before = ipl_symbols_count(symbols);
    if (ipl_host_files.read(NULL, file, UINT64_C(64) << 20, &bytes, &length, error, sizeof error))
        return console_fail(c, "%s", error);
    int code = ipl_symbols_add_map(symbols, (const char *)bytes, length, 0, error, sizeof error);
    free(bytes);
    if (code)
        return console_fail(c, "%s", error);
    const unsigned count = ipl_symbols_count(symbols) - before;
    SHOW_ROW(
        c, "{} symbols (decimal) read from {}{}\n", fact_number("read", count), fact_text("file", file),
        fact_flag("stub", count < STUB,
                  ": a stub; Debian's System.map is one, the real one is in the -dbg package of the kernel, or take "
                  "the guest's /proc/kallsyms",
                  ""));
    return 0;
}

static void show_symbol(struct console *c, const struct ipl_symbol *s)
{
    SHOW_ROW(c, "{} {x6} {}\n", fact_hex("address", s->address, 16), fact_hex("size", s->size, 0),
             fact_text("name", s->name));
}

#define SYMBOLS_SHOWN 500u

/* All symbols with `part` in their names, as many as are shown; returns how many have it. */
static unsigned show_symbols(struct console *c, struct ipl_symbols *symbols, const char *part)
{
    const unsigned count = symbols ? ipl_symbols_count(symbols) : 0;
    unsigned found = 0;
    show_list(c, NULL);
    for (unsigned i = 0; i < count; i++) {
        const struct ipl_symbol *s = ipl_symbol_number(symbols, i);
        if (strcasestr(s->name, part) && found++ < SYMBOLS_SHOWN)
            show_symbol(c, s);
    }
    show_end_list(c);
    return found;
}

int console_cmd_symbols(struct console *c, int argc, char **argv)
{
    struct ipl_symbols *symbols = c->session->load ? ipl_load_symbols(c->session->load) : NULL;
    if (argc > 2)
        return console_usage(c, "symbols");
    const char *name = argc == 2 ? argv[1] + (*argv[1] == '@') : "";
    const struct ipl_symbol *s = symbols && *name ? ipl_symbol_named(symbols, name) : NULL;
    if (s) {
        show_list(c, NULL);
        show_symbol(c, s);
        show_end_list(c);
        return 0;
    }
    if (argc == 2 && source_is_elf(argv[1]))
        return read_elf(c, argv[1]);
    if (argc == 2 && access(argv[1], F_OK) == 0)
        return read_map(c, argv[1]);
    const unsigned found = show_symbols(c, symbols, name);
    if (!found && argc == 2) {
        json_clear(&c->facts);
        return console_fail(c, "symbols: no symbol has '%.60s' in its name, and there is no such file", argv[1]);
    }
    show_words(c, "%u symbols (decimal)%s\n", found,
               found > SYMBOLS_SHOWN ? ", the first 500 of them shown; give a part of a name" : "");
    return 0;
}
