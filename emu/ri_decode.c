/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading RI logs and dumps of program buffers: text, JSON (an object for each group, one a line), CSV (a record a
 * line). */
#include "emu/ri_decode.h"
#include "base/bits.h"
#include "ipl/load.h"
#include "ri/log.h"
#include "ri/text.h"
#include "ri/trace/wire.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MOST 48u

/* What to do about a file that is damaged, and about one that is too short. */
#define AGAIN "take another copy of it, or log the run again"
#define MORE  "save the program buffer up to RCA (ri controls tells it)"

struct decoder {
    const struct ri_decode *how;
    FILE *in, *out;
    char *error;
    size_t size;
    uint64_t groups;                  /* read so far */
    bool log;                         /* a log, not a dump */
    bool container;                   /* the log is in chunks of an exception trace's file */
    bool broken;                      /* and one of its chunks does not begin where it should, or is cut */
    uint32_t left;                    /* of the present chunk of the log */
    const char *columns[FIELDS_MOST]; /* CSV: names of the fields, which take long to be found */
    unsigned column_count;
};

/* A group with its bytes, from whichever source. */
struct group {
    struct ri_log_group head; /* with a dump only address, roa, rgs and count are known */
    const uint8_t *bytes;
};

__attribute__((format(printf, 2, 3))) static int wrong(struct decoder *d, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(d->error, d->size, format, list);
    va_end(list);
    return -1;
}

/* The next bytes; fewer at the end of the input, or where no chunk begins. */
static size_t take(struct decoder *d, uint8_t *bytes, size_t size)
{
    size_t had = 0;
    if (!d->container)
        return fread(bytes, 1, size, d->in);
    while (had < size) {
        uint8_t head[ET_CHUNK_HEADER];
        if (d->left) {
            const size_t wanted = size - had < d->left ? size - had : d->left, n = fread(bytes + had, 1, wanted, d->in);
            d->left -= (uint32_t)n;
            had += n;
            if (n < wanted)
                break;
            continue;
        }
        const size_t n = fread(head, 1, sizeof head, d->in);
        if (n != sizeof head || get16(head) != ET_CHUNK_MAGIC) {
            d->broken = n != 0;
            return had;
        }
        d->left = get32(head + 4);
        for (; head[3] != ET_CHUNK_RI && d->left; d->left--)
            if (fgetc(d->in) == EOF) {
                d->broken = true;
                return had;
            }
    }
    return had;
}

static const char *state_name(uint64_t psw_mask) { return psw_mask >> (63 - 15) & 1 ? "problem" : "supervisor"; }

static const char *mode_name(unsigned mode)
{
    static const char *const names[] = {"cycles", "instructions", "directed"};
    return mode < 3 ? names[mode] : "unknown";
}

/* ---- symbols --------------------------------------------------------------------------------------------------- */

/* "name+offset" of an address, or nothing. */
static void put_symbol(const struct decoder *d, const char *before, bool has, uint64_t address, const char *behind)
{
    const struct ipl_symbol *symbol = has ? ipl_symbol_at(d->how->symbols, address) : NULL;
    if (!symbol)
        return;
    fprintf(d->out, "%s%s", before, symbol->name);
    if (symbol->address != address)
        fprintf(d->out, "+%" PRIX64, address - symbol->address);
    fputs(behind, d->out);
}

/* ---- text ------------------------------------------------------------------------------------------------------ */

static void text_group(struct decoder *d, const struct group *g)
{
    const struct ri_log_group *h = &g->head;
    char text[RI_LINE];
    fprintf(d->out, "group %" PRIu64, d->groups);
    if (d->log)
        fprintf(d->out,
                ": CPU %u, TOD %016" PRIX64 ", ASCE %016" PRIX64 ", %s state, mode %u (%s), PSW %016" PRIX64
                " %016" PRIX64 "%s%s",
                h->cpu, h->tod, h->asce, state_name(h->psw_mask), h->mode, mode_name(h->mode), h->psw_mask, h->psw_next,
                h->home ? ", buffer in the home space" : "", h->full ? ", buffer full" : "");
    fputc('\n', d->out);
    for (unsigned i = 0; i < h->count; i++) {
        struct ri_record record = ri_record_from(g->bytes + 16 * i);
        ri_record_text(record, text, sizeof text);
        fprintf(d->out, "  %" PRIX64, h->address + 16 * i);
        if (d->how->hex)
            fprintf(d->out, "  %016" PRIX64 " %016" PRIX64, record.hi, record.lo);
        fprintf(d->out, "  %s", text);
        if (d->how->symbols) {
            struct ri_places places = ri_record_places(record);
            put_symbol(d, "  <", places.has_ia, places.ia, ">");
            put_symbol(d, " -> <", places.has_target, places.target, ">");
        }
        fputc('\n', d->out);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

/* A member with the symbol of an address, when it has one. */
static void json_symbol(const struct decoder *d, const char *member, bool has, uint64_t address)
{
    const struct ipl_symbol *symbol = has ? ipl_symbol_at(d->how->symbols, address) : NULL;
    if (!symbol)
        return;
    fprintf(d->out, ",\"%s\":\"", member);
    for (const char *at = symbol->name; *at; at++)
        fprintf(d->out, *at == '"' || *at == '\\' ? "\\%c" : "%c", (unsigned char)*at < 0x20 ? '?' : *at);
    if (symbol->address != address)
        fprintf(d->out, "+%" PRIX64, address - symbol->address);
    fputc('"', d->out);
}

static void json_group(struct decoder *d, const struct group *g)
{
    const struct ri_log_group *h = &g->head;
    char text[2 * RI_LINE];
    fprintf(d->out, "{\"group\":%" PRIu64, d->groups);
    if (d->log)
        fprintf(d->out,
                ",\"cpu\":%u,\"tod\":\"%016" PRIX64 "\",\"asce\":\"%016" PRIX64
                "\",\"state\":\"%s\",\"mode\":\"%s\",\"psw\":\"%016" PRIX64 "%016" PRIX64
                "\",\"key\":%u,\"home\":%s,\"full\":%s",
                h->cpu, h->tod, h->asce, state_name(h->psw_mask), mode_name(h->mode), h->psw_mask, h->psw_next, h->key,
                h->home ? "true" : "false", h->full ? "true" : "false");
    fprintf(d->out, ",\"address\":\"%016" PRIX64 "\",\"origin\":\"%016" PRIX64 "\",\"records\":[", h->address, h->roa);
    for (unsigned i = 0; i < h->count; i++) {
        const struct ri_record record = ri_record_from(g->bytes + 16 * i);
        const size_t length = ri_record_json(record, text, sizeof text);
        fprintf(d->out, "%s%.*s", i ? "," : "", (int)length - 1, text); /* but for its } */
        if (d->how->symbols) {
            const struct ri_places places = ri_record_places(record);
            json_symbol(d, "symbol", places.has_ia, places.ia);
            json_symbol(d, "target_symbol", places.has_target, places.target);
        }
        fputc('}', d->out);
    }
    fputs("]}\n", d->out);
}

/* ---- CSV ------------------------------------------------------------------------------------------------------- */

static void csv_head(struct decoder *d)
{
    const char *name;
    fputs("group,cpu,stored_tod,asce,psw_state,sampling_mode,record_address,record_type", d->out);
    while (d->column_count < FIELDS_MOST && (name = ri_record_field(d->column_count))) {
        d->columns[d->column_count++] = name;
        fprintf(d->out, ",%s", name);
    }
    fputs(d->how->symbols ? ",symbol,target_symbol\n" : "\n", d->out);
}

struct columns {
    const struct decoder *d;
    bool has[FIELDS_MOST];
    uint64_t value[FIELDS_MOST];
    unsigned digits[FIELDS_MOST];
};

static void column_fact(void *context, const char *name, uint64_t value, unsigned digits)
{
    struct columns *columns = context;
    for (unsigned i = 0; i < columns->d->column_count; i++)
        if (strcmp(columns->d->columns[i], name) == 0) {
            columns->has[i] = true;
            columns->value[i] = value;
            columns->digits[i] = digits;
        }
}

static void csv_group(struct decoder *d, const struct group *g)
{
    const struct ri_log_group *h = &g->head;
    for (unsigned i = 0; i < h->count; i++) {
        struct ri_record record = ri_record_from(g->bytes + 16 * i);
        struct columns columns = {.d = d};
        const char *name = ri_type_name(ri_record_type(record));
        ri_record_facts(record, column_fact, &columns);
        fprintf(d->out, "%" PRIu64, d->groups);
        if (d->log)
            fprintf(d->out, ",%u,%016" PRIX64 ",%016" PRIX64 ",%s,%s", h->cpu, h->tod, h->asce, state_name(h->psw_mask),
                    mode_name(h->mode));
        else
            fputs(",,,,,", d->out);
        fprintf(d->out, ",%016" PRIX64 ",%s", h->address + 16 * i, name ? name : "unknown");
        for (unsigned k = 0; k < d->column_count; k++) {
            fputc(',', d->out);
            if (columns.has[k] && columns.digits[k])
                fprintf(d->out, "%0*" PRIX64, (int)columns.digits[k], columns.value[k]);
            else if (columns.has[k])
                fprintf(d->out, "%" PRIu64, columns.value[k]);
        }
        if (d->how->symbols) {
            struct ri_places places = ri_record_places(record);
            fputc(',', d->out);
            put_symbol(d, "", places.has_ia, places.ia, "");
            fputc(',', d->out);
            put_symbol(d, "", places.has_target, places.target, "");
        }
        fputc('\n', d->out);
    }
}

/* ---- the two kinds of files ------------------------------------------------------------------------------------ */

static int show(struct decoder *d, const struct group *g)
{
    static void (*const forms[])(struct decoder *, const struct group *) = {text_group, json_group, csv_group};
    const char *why = ri_group_wrong(g->bytes, g->head.count, g->head.address == g->head.roa);
    d->groups++;
    if (d->how->cpu < 0 || g->head.cpu == d->how->cpu)
        forms[d->how->form](d, g);
    return why ? wrong(d, "group %" PRIu64 " %s; " AGAIN, d->groups, why) : 0;
}

static int log_header(struct decoder *d, const uint8_t *first, size_t had)
{
    uint8_t bytes[RI_LOG_HEADER] = {0};
    struct ri_log_header h;
    memcpy(bytes, first, had);
    size_t more = take(d, bytes + had, sizeof bytes - had);
    const char *why = ri_log_get_header(bytes, &h);
    if (why)
        return wrong(d, "%s; name what zri --ri-log wrote, or savecore from the origin of a program buffer", why);
    if (had + more < sizeof bytes)
        return wrong(d, "it ends within the header of an RI log; " AGAIN);
    const char *capability = h.secondary ? "secondary" : "primary";
    if (d->how->form == RI_DECODE_TEXT)
        fprintf(d->out,
                "RI log: machine profile %s, %u CPUs; RI profile %s: version %04X, %s capability, largest group %u "
                "records, collection buffer %u records; begun at TOD %016" PRIX64 "\n",
                h.profile, h.cpus, h.ri_profile, h.version, capability, 2u << (h.rgs_max & 7), h.cb_entries, h.tod);
    else if (d->how->form == RI_DECODE_JSON)
        fprintf(d->out,
                "{\"log\":%u,\"profile\":\"%s\",\"cpus\":%u,\"ri_profile\":\"%s\",\"version\":\"%04X\",\"capability\":"
                "\"%s\",\"rgs_max\":%u,\"cb_entries\":%u,\"tod\":\"%016" PRIX64 "\"}\n",
                h.format, h.profile, h.cpus, h.ri_profile, h.version, capability, h.rgs_max, h.cb_entries, h.tod);
    return 0;
}

static int decode_log(struct decoder *d, const uint8_t *first, size_t had)
{
    uint8_t bytes[RI_LOG_ENTRY];
    if (log_header(d, first, had))
        return -1;
    for (;;) {
        struct group g = {.bytes = bytes + RI_LOG_HEAD};
        size_t n = take(d, bytes, RI_LOG_HEAD);
        if (n == 0)
            return d->broken ? wrong(d, "a chunk of the file is damaged behind group %" PRIu64 "; " AGAIN, d->groups)
                             : 0;
        if (n < RI_LOG_HEAD)
            return wrong(d, "it ends within the entry of group %" PRIu64 "; " AGAIN, d->groups + 1);
        const char *why = ri_log_get_group(bytes, &g.head);
        if (why)
            return wrong(d, "the entry of group %" PRIu64 " %s; nothing behind it can be found; " AGAIN, d->groups + 1,
                         why);
        if (take(d, bytes + RI_LOG_HEAD, ri_log_rest(&g.head)) != ri_log_rest(&g.head))
            return wrong(d, "it ends within the entry of group %" PRIu64 "; " AGAIN, d->groups + 1);
        if (show(d, &g))
            return -1;
    }
}

/* A dump is a program buffer from its origin; what is not a group any more behind the last one is left out. */
static int decode_dump(struct decoder *d, const uint8_t *first)
{
    uint8_t bytes[16 * RI_GROUP_RECORDS];
    memcpy(bytes, first, 16);
    const uint64_t begin = ri_record_from(bytes).hi;
    const unsigned rgs = (unsigned)(begin >> RI_BEGIN_RGS_SHIFT) & 7;
    const uint64_t counted = begin >> RI_BEGIN_NRG_SHIFT & 0xffffff;
    struct group g = {.head = {.rgs = (uint8_t)rgs, .count = (uint16_t)(2u << rgs)}, .bytes = bytes};
    g.head.address = g.head.roa = d->how->origin;
    if (d->how->cpu >= 0)
        return wrong(d, "it is a program buffer, which does not tell CPUs; leave --cpu away");
    for (size_t had = 16; d->groups < counted; had = 0) {
        if (fread(bytes + had, 1, 16u * g.head.count - had, d->in) != 16u * g.head.count - had)
            return wrong(d, "the begin record counts %" PRIu64 " groups, but the file ends in group %" PRIu64 "; " MORE,
                         counted, d->groups + 1);
        if (show(d, &g))
            return -1;
        g.head.address += 16 * (uint64_t)g.head.count;
    }
    return 0;
}

int emu_ri_decode(FILE *in, const struct ri_decode *how, FILE *out, char *error, size_t size)
{
    struct decoder d = {.how = how, .in = in, .out = out, .error = error, .size = size};
    uint8_t first[16] = {0};
    errno = 0;
    size_t had = fread(first, 1, sizeof first, in);
    int code;
    if (had == sizeof first && !memcmp(first, "ZETC\1", 5)) {
        d.container = true;
        had = take(&d, first, sizeof first);
    }
    if (had == 0 && d.container) {
        code = wrong(&d, "it has no RI log; name what zri --ri-log wrote, which may be the file of --et-out");
    } else if (had == 0) {
        code = ferror(in) ? wrong(&d, "%s; name a file that zri --ri-log wrote, and look whether it can be read",
                                  strerror(errno))
                          : wrong(&d, "it is empty; has zri ended, and did a group come? ri at the console tells");
    } else {
        d.log = had < sizeof first || first[0] != RI_TYPE_BEGIN;
        if (how->form == RI_DECODE_CSV)
            csv_head(&d);
        code = d.log ? decode_log(&d, first, had) : decode_dump(&d, first);
    }
    if (!code && ferror(in))
        code = wrong(&d, "it cannot be read to its end; look at the host's file system");
    if (fflush(out) != 0 || ferror(out))
        code = wrong(&d, "the output cannot be written: %s; make room, or let the reader stay", strerror(errno));
    return code;
}
