/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that look at storage and change it. */
#include "disasm/dis.h"
#include "emu/console/internal.h"
#include "base/ebcdic.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SHOW_DEFAULT 64u
#define SHOW_MOST    0x10000u

/* ---- reaching storage without effects -------------------------------------------------------------------------- */

/* Absolute address of a byte; 0 or the program-interruption code. */
static int absolute_address(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, uint64_t *absolute)
{
    bool protect;
    int code = cpu_walk(c->cpu, space, ar, address, NULL, NULL, absolute, &protect);
    if (!code && !storage_has(&c->machine->sys.storage, *absolute, 1))
        code = PIC_ADDRESSING;
    return code;
}

/* The host's bytes at an address up to the end of its page. */
static uint8_t *host_page(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, unsigned *left,
                          int *code)
{
    uint64_t absolute;
    *code = absolute_address(c, space, ar, address, &absolute);
    *left = cpu_page_left(address);
    return *code ? NULL : c->machine->sys.storage.bytes + absolute;
}

unsigned console_fetch(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, void *to,
                       unsigned length)
{
    unsigned done = 0, left;
    int code;
    while (done < length) {
        const uint8_t *host = host_page(c, space, ar, address + done, &left, &code);
        if (!host)
            break;
        if (left > length - done)
            left = length - done;
        memcpy((uint8_t *)to + done, host, left);
        done += left;
    }
    return done;
}

const char *console_code_name(int code)
{
    static const struct {
        int code;
        const char *name;
    } names[] = {
        {PIC_OPERATION, "operation"},
        {PIC_PRIVILEGED_OPERATION, "privileged operation"},
        {PIC_EXECUTE, "execute"},
        {PIC_PROTECTION, "protection"},
        {PIC_ADDRESSING, "addressing: there is no storage"},
        {PIC_SPECIFICATION, "specification"},
        {PIC_DATA, "data"},
        {PIC_FIXED_POINT_OVERFLOW, "fixed-point overflow"},
        {PIC_FIXED_POINT_DIVIDE, "fixed-point divide"},
        {PIC_SEGMENT_TRANSLATION, "segment translation"},
        {PIC_PAGE_TRANSLATION, "page translation"},
        {PIC_TRANSLATION_SPECIFICATION, "translation specification"},
        {PIC_SPECIAL_OPERATION, "special operation"},
        {PIC_ASCE_TYPE, "ASCE type"},
        {PIC_REGION_FIRST_TRANSLATION, "region first translation"},
        {PIC_REGION_SECOND_TRANSLATION, "region second translation"},
        {PIC_REGION_THIRD_TRANSLATION, "region third translation"},
        {PIC_MONITOR_EVENT, "monitor event"},
        {PIC_PER_EVENT, "PER event"},
        {PIC_ALET_SPECIFICATION, "ALET specification"},
        {PIC_ALEN_TRANSLATION, "ALEN translation"},
        {PIC_ALE_SEQUENCE, "ALE sequence"},
        {PIC_ASTE_VALIDITY, "ASTE validity"},
        {PIC_ASTE_SEQUENCE, "ASTE sequence"},
        {PIC_EXTENDED_AUTHORITY, "extended authority"},
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code)
            return names[i].name;
    return "program interruption";
}

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
                        (unsigned)code, console_code_name(code));
}

static int alter(struct console *c, const char *what, enum cpu_space space, unsigned ar, uint64_t address,
                 const uint8_t *bytes, unsigned length)
{
    int code;
    for (unsigned done = 0, left; done < length; done += left) /* all of it must be there first */
        if (!host_page(c, space, ar, address + done, &left, &code))
            return no_storage(c, what, address + done, code);
    for (unsigned done = 0, left; done < length; done += left) {
        uint8_t *host = host_page(c, space, ar, address + done, &left, &code);
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
    char hex[48] = "", ebcdic[17] = "", ascii[17] = "";
    unsigned used = 0;
    for (unsigned i = 0; i < length; i++) {
        unsigned char e = ebcdic_to_latin(bytes[i]);
        used += (unsigned)snprintf(hex + used, sizeof hex - used, "%s%02X", i && i % 4 == 0 ? " " : "", bytes[i]);
        ebcdic[i] = e >= 0x20 && e < 0x7f ? (char)e : '.';
        ascii[i] = bytes[i] >= 0x20 && bytes[i] < 0x7f ? (char)bytes[i] : '.';
    }
    if (c->json) {
        json_object(&c->facts, NULL);
        json_hex(&c->facts, "address", address, 16);
        char plain[33];
        for (unsigned i = 0; i < length; i++)
            snprintf(plain + 2 * i, 3, "%02X", bytes[i]);
        json_text(&c->facts, "bytes", plain);
        json_end_object(&c->facts);
        return;
    }
    console_print(c, "%016" PRIX64 "  %-35s  *%-16s* |%-16s|\n", address, hex, ebcdic, ascii);
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
    if (c->json)
        json_list(&c->facts, NULL);
    while (at != end) {
        uint8_t bytes[16];
        unsigned n = 16 - (unsigned)(at & 15);
        if (n > end - at)
            n = (unsigned)(end - at);
        unsigned left;
        const uint8_t *host = host_page(c, space, ar, at, &left, &code);
        if (!host)
            break;
        memcpy(bytes, host, n); /* does not cross a page */
        dump_line(c, at, bytes, n);
        at += n;
        shown++;
    }
    *next = at;
    if (c->json)
        json_end_list(&c->facts);
    if (!code)
        return 0;
    if (!shown) {
        json_clear(&c->facts);
        return no_storage(c, what, at, code);
    }
    if (!c->json)
        console_print(c, "%s %" PRIX64 ": no access, program-interruption code %04X (%s)\n", what, at, (unsigned)code,
                      console_code_name(code));
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

/* A word that names a space; true when it is one. */
static bool space_word(const char *word, enum cpu_space *space, unsigned *ar)
{
    static const struct {
        const char *name;
        enum cpu_space space;
    } names[] = {{"primary", CPU_SPACE_PRIMARY}, {"secondary", CPU_SPACE_SECONDARY}, {"home", CPU_SPACE_HOME},
                 {"real", CPU_SPACE_REAL},       {"absolute", CPU_SPACE_ABSOLUTE},   {"current", CPU_SPACE_CURRENT}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(word, names[i].name) == 0) {
            *space = names[i].space;
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

int console_cmd_virtual(struct console *c, int argc, char **argv)
{
    enum cpu_space space = CPU_SPACE_CURRENT;
    unsigned ar = 0;
    bool named = argc > 1 && space_word(argv[1], &space, &ar);
    return storage_command(c, "virtual", space, ar, argc - 1 - named, argv + 1 + named, &c->next_v);
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

/* Instructions are fetched from the primary space in the secondary-space and access-register modes. */
enum cpu_space console_instruction_space(const struct cpu *cpu)
{
    if (!(cpu->psw.mask & PSW_DAT))
        return CPU_SPACE_REAL;
    return field64(cpu->psw.mask, 16, 17) == AS_HOME ? CPU_SPACE_HOME : CPU_SPACE_PRIMARY;
}

void console_symbol(struct console *c, uint64_t address, char *text, size_t size)
{
    const struct ipl_symbol *s = NULL;
    *text = 0;
    if (c->session->load)
        s = ipl_symbol_at(ipl_load_symbols(c->session->load), address);
    if (!s || (!s->code && !s->size && address != s->address)) /* data of unknown length ends anywhere */
        return;
    if (address == s->address)
        snprintf(text, size, "%s", s->name);
    else
        snprintf(text, size, "%s+%" PRIX64, s->name, address - s->address);
}

unsigned console_instruction(struct console *c, uint64_t address, char *text, size_t size)
{
    uint8_t bytes[6] = {0};
    char words[128], hex[16] = "", symbol[96];
    unsigned had = console_fetch(c, console_instruction_space(c->cpu), 0, address, bytes, sizeof bytes);
    unsigned length = dis_length(bytes[0]);
    if (had < 2 || had < length)
        return 0;
    length = dis_text(bytes, address, true, words, sizeof words);
    for (unsigned i = 0; i < length && i < 6; i++)
        snprintf(hex + 2 * i, sizeof hex - 2 * i, "%02X", bytes[i]);
    for (char *tab = words; *tab; tab++)
        if (*tab == '\t')
            *tab = ' ';
    console_symbol(c, address, symbol, sizeof symbol);
    snprintf(text, size, "%016" PRIX64 "  %-12s  %s%s%s%s", address, hex, words, *symbol ? "  <" : "", symbol,
             *symbol ? ">" : "");
    return length;
}

static void instruction_json(struct console *c, uint64_t address, unsigned length)
{
    uint8_t bytes[6] = {0};
    char words[128], hex[16] = "", symbol[96];
    console_fetch(c, console_instruction_space(c->cpu), 0, address, bytes, length);
    dis_text(bytes, address, true, words, sizeof words);
    for (unsigned i = 0; i < length && i < 6; i++)
        snprintf(hex + 2 * i, sizeof hex - 2 * i, "%02X", bytes[i]);
    console_symbol(c, address, symbol, sizeof symbol);
    json_object(&c->facts, NULL);
    json_hex(&c->facts, "address", address, 16);
    json_text(&c->facts, "bytes", hex);
    json_text(&c->facts, "text", words);
    json_text(&c->facts, "symbol", symbol);
    json_end_object(&c->facts);
}

int console_cmd_disassemble(struct console *c, int argc, char **argv)
{
    struct range range = {.start = argc == 1 && c->next_u ? c->next_u : c->cpu->psw.ia, .length = 0};
    char text[256];
    if (argc > 2)
        return console_usage(c, "u");
    if (argc == 2 && parse_range(c, argv[1], &range))
        return -1;
    if (range.bytes)
        return console_fail(c, "u only shows; asm ADDRESS INSTRUCTION changes");
    uint64_t at = range.start, most = range.given ? range.length : SHOW_DEFAULT;
    unsigned count = 0;
    if (most > SHOW_MOST)
        return console_fail(c, "%" PRIX64 " bytes are too many to show; up to %X", most, SHOW_MOST);
    if (c->json)
        json_list(&c->facts, NULL);
    while (range.given ? at - range.start < most : count < 10) {
        unsigned length = console_instruction(c, at, text, sizeof text);
        if (!length)
            break;
        if (c->json)
            instruction_json(c, at, length);
        else
            console_print(c, "%s\n", text);
        at += length;
        count++;
    }
    if (c->json)
        json_end_list(&c->facts);
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
    char why[200], words[128];
    uint64_t address;
    if (argc < 3)
        return console_usage(c, "asm");
    if (console_value(c, argv[1], &address))
        return -1;
    const char *text = c->rest + strcspn(c->rest, " \t");
    int length = dis_assemble(text + strspn(text, " \t"), address, bytes, why, sizeof why);
    if (length < 0)
        return console_fail(c, "asm: %s", why);
    if (alter(c, "asm", console_instruction_space(c->cpu), 0, address, bytes, (unsigned)length))
        return -1;
    if (c->json) {
        json_list(&c->facts, NULL);
        instruction_json(c, address, (unsigned)length);
        json_end_list(&c->facts);
    } else if (console_instruction(c, address, words, sizeof words)) {
        console_print(c, "%s\n", words);
    }
    return 0;
}

/* ---- translation ----------------------------------------------------------------------------------------------- */

static void step(void *context, const struct cpu_walk_step *s)
{
    struct console *c = context;
    if (c->json) {
        json_object(&c->facts, NULL);
        json_text(&c->facts, "table", s->what);
        json_hex(&c->facts, "origin", s->origin, 16);
        json_number(&c->facts, "index", s->index);
        json_hex(&c->facts, "entry_address", s->entry_address, 16);
        json_hex(&c->facts, "entry", s->entry, 16);
        json_end_object(&c->facts);
        return;
    }
    console_print(c, "%-20s at %016" PRIX64 ", entry %3X at %016" PRIX64 ": %016" PRIX64 "%s%s\n", s->what, s->origin,
                  s->index, s->entry_address, s->entry,
                  strcmp(s->what, "page table") == 0 ? s->entry & 0x400 ? "  invalid" : ""
                  : s->entry & 0x20                  ? "  invalid"
                                                     : "",
                  s->entry & 0x200 ? "  protected" : "");
}

static void asce_words(struct console *c, enum cpu_space space)
{
    static const char *const names[] = {"segment table", "region third table", "region second table",
                                        "region first table"};
    struct cpu *cpu = c->cpu;
    unsigned as = (unsigned)field64(cpu->psw.mask, 16, 17);
    if (space == CPU_SPACE_CURRENT)
        space = !(cpu->psw.mask & PSW_DAT) ? CPU_SPACE_REAL
                : as == AS_PRIMARY         ? CPU_SPACE_PRIMARY
                : as == AS_SECONDARY       ? CPU_SPACE_SECONDARY
                : as == AS_HOME            ? CPU_SPACE_HOME
                                           : CPU_SPACE_AR;
    unsigned cr = space == CPU_SPACE_PRIMARY ? 1 : space == CPU_SPACE_SECONDARY ? 7 : space == CPU_SPACE_HOME ? 13 : 0;
    if (!cr)
        return;
    uint64_t asce = cpu->cr[cr];
    if (asce & 0x20)
        console_print(c, "ASCE in CR%u: %016" PRIX64 ", real space\n", cr, asce);
    else
        console_print(c, "ASCE in CR%u: %016" PRIX64 ", %s, length %u\n", cr, asce, names[field64(asce, 60, 61)],
                      (unsigned)field64(asce, 62, 63));
}

int console_cmd_translate(struct console *c, int argc, char **argv)
{
    enum cpu_space space = CPU_SPACE_CURRENT;
    unsigned ar = 0;
    uint64_t address, absolute;
    bool protect = false;
    bool named = argc > 1 && space_word(argv[1], &space, &ar);
    if (argc != 2 + named)
        return console_usage(c, "translate");
    if (console_value(c, argv[1 + named], &address))
        return -1;
    if (c->json) {
        json_object(&c->facts, NULL);
        json_hex(&c->facts, "address", address, 16);
        json_list(&c->facts, "steps");
    } else {
        asce_words(c, space);
    }
    int code = cpu_walk(c->cpu, space, ar, address, step, c, &absolute, &protect);
    if (!code && !storage_has(&c->machine->sys.storage, absolute, 1))
        code = PIC_ADDRESSING;
    if (c->json) {
        json_end_list(&c->facts);
        json_hex(&c->facts, "code", (unsigned)code, 4);
        if (!code)
            json_hex(&c->facts, "absolute", absolute, 16);
        if (!code)
            json_bool(&c->facts, "protected", protect);
        json_end_object(&c->facts);
        return 0;
    }
    if (code)
        console_print(c, "%016" PRIX64 ": program-interruption code %04X (%s)\n", address, (unsigned)code,
                      console_code_name(code));
    else
        console_print(c, "%016" PRIX64 " is absolute %016" PRIX64 "%s, storage key %02X\n", address, absolute,
                      protect ? ", DAT protection" : "", c->machine->sys.storage.keys[absolute >> PAGE_BITS]);
    return 0;
}

static unsigned show_tlb(struct console *c, const char *what, const struct tlb *tlb)
{
    unsigned count = 0;
    for (unsigned i = 0; i < TLB_ENTRIES; i++) {
        const struct tlb_entry *e = &tlb->entry[i];
        bool read = e->read != TLB_NONE, write = e->write != TLB_NONE;
        if (!read && !write)
            continue;
        count++;
        if (c->json) {
            json_object(&c->facts, NULL);
            json_text(&c->facts, "for", what);
            json_hex(&c->facts, "page", read ? e->read : e->write, 16);
            json_hex(&c->facts, "absolute", e->absolute, 16);
            json_bool(&c->facts, "fetch", read);
            json_bool(&c->facts, "store", write);
            json_end_object(&c->facts);
        } else {
            console_print(c, "%-12s %016" PRIX64 " -> %016" PRIX64 " %s%s\n", what, read ? e->read : e->write,
                          e->absolute, read ? "fetch " : "", write ? "store" : "");
        }
    }
    return count;
}

int console_cmd_tlb(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (c->json)
        json_list(&c->facts, NULL);
    unsigned count = show_tlb(c, "operands", c->cpu->tlb);
    if (c->cpu->fetch_tlb != c->cpu->tlb)
        count += show_tlb(c, "instructions", c->cpu->fetch_tlb);
    if (c->json)
        json_end_list(&c->facts);
    else
        console_print(c, "%u entries\n", count);
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
    if (c->json)
        json_list(&c->facts, NULL);
    for (uint64_t i = first; i <= last; i++) {
        uint64_t from = i;
        while (i < last && s->keys[i + 1] == s->keys[from])
            i++;
        uint8_t k = s->keys[from];
        if (c->json) {
            json_object(&c->facts, NULL);
            json_hex(&c->facts, "start", from << PAGE_BITS, 16);
            json_hex(&c->facts, "end", (i << PAGE_BITS) + 0xfff, 16);
            json_hex(&c->facts, "key", k, 2);
            json_end_object(&c->facts);
        } else {
            console_print(c, "%016" PRIX64 "-%016" PRIX64 "  key %02X: access control %X%s%s%s\n", from << PAGE_BITS,
                          (i << PAGE_BITS) + 0xfff, k, k >> 4, k & KEY_F ? ", fetch protection" : "",
                          k & KEY_R ? ", referenced" : "", k & KEY_C ? ", changed" : "");
        }
    }
    if (c->json)
        json_end_list(&c->facts);
    return 0;
}

static int read_map(struct console *c, const char *file)
{
    uint8_t *bytes;
    uint64_t length;
    char error[CONSOLE_ERROR];
    if (!c->session->load) {
        c->session->load = ipl_load_new(&ipl_host_files, c->machine->sys.storage.size);
        if (!c->session->load)
            return console_fail(c, "symbols: the host has no memory");
    }
    int code = ipl_host_files.read(NULL, file, UINT64_C(64) << 20, &bytes, &length, error, sizeof error);
    if (code)
        return console_fail(c, "%s", error);
    code = ipl_symbols_add_map(ipl_load_symbols(c->session->load), (const char *)bytes, length, 0, error, sizeof error);
    free(bytes);
    return code ? console_fail(c, "%s", error) : 0;
}

static void show_symbol(struct console *c, const struct ipl_symbol *s)
{
    if (c->json) {
        json_object(&c->facts, NULL);
        json_text(&c->facts, "name", s->name);
        json_hex(&c->facts, "address", s->address, 16);
        json_hex(&c->facts, "size", s->size, 0);
        json_end_object(&c->facts);
    } else {
        console_print(c, "%016" PRIX64 " %6" PRIX64 " %s\n", s->address, s->size, s->name);
    }
}

int console_cmd_symbols(struct console *c, int argc, char **argv)
{
    struct ipl_symbols *symbols = c->session->load ? ipl_load_symbols(c->session->load) : NULL;
    if (argc > 2)
        return console_usage(c, "symbols");
    if (argc == 2) {
        const struct ipl_symbol *s = symbols ? ipl_symbol_named(symbols, argv[1] + (*argv[1] == '@')) : NULL;
        if (!s)
            return read_map(c, argv[1]);
        show_symbol(c, s);
        return 0;
    }
    unsigned count = symbols ? ipl_symbols_count(symbols) : 0;
    if (c->json)
        json_list(&c->facts, NULL);
    for (unsigned i = 0; i < count && i < 500; i++)
        show_symbol(c, ipl_symbol_number(symbols, i));
    if (c->json)
        json_end_list(&c->facts);
    else
        console_print(c, "%u symbols (decimal)\n", count);
    return 0;
}
