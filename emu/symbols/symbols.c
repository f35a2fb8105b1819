/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/symbols/symbols.h"
#include "base/message.h"
#include "disasm/dis.h"
#include "emu/symbols/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A module with its file; of a log, or of a profile under the module's number. */
struct bound {
    uint64_t start, end, bias;
    uint32_t space;
    struct symbols_file *file; /* NULL: none */
};
struct symbols {
    struct symbols_file **file;
    unsigned files;
    struct bound *told; /* of the log, in its order */
    size_t told_count;
    struct bound *bound; /* of the profile */
    uint32_t bound_count;
    const struct ep_profile *profile;
    char wrong[600]; /* why a file was not taken for a module with its name; "": none was */
};

static int no_memory(char *error, size_t size)
{
    return fail_with(-ENOMEM, error, size, "the host has no memory for it; end other programs, or give it more");
}

struct symbols *symbols_new(void) { return calloc(1, sizeof(struct symbols)); }

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    for (unsigned i = 0; i < symbols->files; i++)
        symbols_file_close(symbols->file[i]);
    free(symbols->file);
    free(symbols->told);
    free(symbols->bound);
    free(symbols);
}

int symbols_add(struct symbols *symbols, const char *argument, char *error, size_t size)
{
    struct symbols_file **larger = realloc(symbols->file, (symbols->files + 1) * sizeof(struct symbols_file *));
    if (!larger)
        return no_memory(error, size);
    symbols->file = larger;
    const int bad = symbols_file_open(argument, &larger[symbols->files], error, size);
    symbols->files += !bad;
    return bad;
}

/* ---- which file is that of which module ------------------------------------------------------------------------- */

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

/* Is this the name, as it stands in a profile? */
static bool is_encoded(const char *name, const char *encoded)
{
    for (; *encoded; encoded++, name++) {
        int c = (unsigned char)*encoded;
        if (c == '%' && digit(encoded[1]) >= 0 && digit(encoded[2]) >= 0) {
            c = digit(encoded[1]) << 4 | digit(encoded[2]);
            encoded += 2;
        }
        if ((unsigned char)*name != c)
            return false;
    }
    return !*name;
}

static void hexadecimal(const uint8_t digest[32], char text[17])
{
    for (unsigned i = 0; i < 8; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

/* Why this file is not the module's although its name is the same. */
static void tell_wrong(struct symbols *symbols, const struct symbols_file *file, const struct ep_module *module)
{
    char own[17], wanted[17];
    hexadecimal(file->digest, own);
    hexadecimal(module->digest, wanted);
    if (!file->has_digest)
        snprintf(symbols->wrong, sizeof symbols->wrong,
                 "the module has a SHA-256 digest, which this build cannot make of the file: it was configured without "
                 "nettle (--with-nettle)");
    else if (memcmp(file->digest, module->digest, sizeof file->digest) != 0)
        snprintf(symbols->wrong, sizeof symbols->wrong,
                 "this is not the file that ran: its SHA-256 digest begins with %s and that of the module with %s; "
                 "give the file as it was",
                 own, wanted);
    else
        snprintf(symbols->wrong, sizeof symbols->wrong,
                 "the module's load bias is %" PRIx64 ", not %" PRIx64 "; leave @ADDRESS out", module->bias,
                 file->address);
}

/* The file of a module and the load bias; NULL: it was not given. */
static struct symbols_file *file_of(struct symbols *symbols, const struct ep_module *module, bool encoded,
                                    uint64_t *bias)
{
    for (unsigned i = 0; i < symbols->files; i++) {
        struct symbols_file *f = symbols->file[i];
        const bool named = encoded ? is_encoded(f->name, module->name) : !strcmp(f->name, module->name);
        const bool same = f->has_digest && !memcmp(f->digest, module->digest, sizeof f->digest);
        if (f->kind == SYMBOLS_MAP)
            continue;
        /* a raw image is one module, whatever its load bias */
        const uint64_t begins = f->kind == SYMBOLS_RAW ? module->start : module->bias;
        const bool there = !f->has_address || f->address == module->bias || f->address == begins;
        if (module->has_digest ? same && there : named) {
            f->used = true;
            *bias = !module->has_digest && f->has_address ? f->address : begins;
            return f;
        }
        if (module->has_digest && (named || same))
            tell_wrong(symbols, f, module);
    }
    return NULL;
}

/* Is every file that of a module? */
static int all_used(const struct symbols *symbols, char *error, size_t size)
{
    for (unsigned i = 0; i < symbols->files; i++) {
        const struct symbols_file *f = symbols->file[i];
        if (f->used || f->kind == SYMBOLS_MAP)
            continue;
        if (symbols->wrong[0])
            return fail_with(-EPERM, error, size, "%s: %s", f->path, symbols->wrong);
        return fail_with(-EPERM, error, size,
                         "%s: no module is this file; lines M of the profile have their names and digests", f->path);
    }
    return 0;
}

/* ---- code ------------------------------------------------------------------------------------------------------- */

static bool code_at(const struct bound *b, uint64_t address, uint8_t bytes[6])
{
    const struct symbols_file *f = b->file;
    const uint64_t own = address - b->bias;
    size_t offset = SIZE_MAX, end = 0;
    if (f->kind == SYMBOLS_RAW && own < f->size) {
        offset = (size_t)own;
        end = f->size;
    }
    for (unsigned i = 0; i < f->segments; i++)
        if (own - f->segment[i].start < f->segment[i].size) {
            offset = f->segment[i].offset + (size_t)(own - f->segment[i].start);
            end = f->segment[i].offset + f->segment[i].size;
        }
    if (offset >= end || end - offset < dis_length(f->bytes[offset]))
        return false;
    memcpy(bytes, f->bytes + offset, dis_length(f->bytes[offset]));
    return true;
}

static int tell_module(void *context, const struct ep_log_module *module)
{
    struct symbols *s = context;
    const struct ep_module *m = &module->module;
    struct bound b = {.start = m->start, .end = m->end, .space = m->space};
    b.file = file_of(s, m, false, &b.bias);
    if (!(s->told_count & (s->told_count - 1))) {
        struct bound *larger = realloc(s->told, (s->told_count ? 2 * s->told_count : 1) * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        s->told = larger;
    }
    s->told[s->told_count++] = b;
    return 0;
}

static int tell_part(struct symbols *symbols, const struct symbols_file *f, uint64_t start, size_t size,
                     uint32_t number, struct ep_profile *profile, uint32_t id)
{
    struct ep_log_module m = {.module = {.start = start + f->address,
                                         .end = start + f->address + size,
                                         .bias = f->address,
                                         .name = f->name,
                                         .has_digest = f->has_digest,
                                         .space = id},
                              .last_epoch = UINT64_MAX};
    memcpy(m.module.digest, f->digest, sizeof m.module.digest);
    const int bad = size ? ep_profile_module(profile, &m.module, NULL) : 0;
    m.module.space = number;
    return bad || !size ? bad : tell_module(symbols, &m);
}

int symbols_everywhere(struct symbols *symbols, uint32_t number, struct ep_profile *profile, uint32_t id)
{
    int bad = 0;
    for (unsigned i = 0; i < symbols->files && !bad; i++) {
        const struct symbols_file *f = symbols->file[i];
        if (f->kind == SYMBOLS_RAW)
            bad = tell_part(symbols, f, 0, f->size, number, profile, id);
        for (unsigned k = 0; k < f->segments && !bad; k++)
            bad = tell_part(symbols, f, f->segment[k].start, f->segment[k].size, number, profile, id);
    }
    return bad;
}

/* Of several modules that an address was in the last one is there. */
static bool fetch(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    const struct symbols *s = context;
    for (size_t i = s->told_count; i--;) {
        const struct bound *b = &s->told[i];
        if (b->space == space && address >= b->start && address < b->end)
            return b->file && code_at(b, address, bytes);
    }
    return false;
}

/* The module that was told last is this one. */
static bool file_of_told(void *context, const struct ep_log_module *module, uint64_t *offset)
{
    const struct symbols *s = context;
    const struct bound *b = s->told_count ? &s->told[s->told_count - 1] : NULL;
    if (!b || !b->file || b->start != module->module.start || b->space != module->module.space)
        return false;
    *offset = b->start - b->bias;
    for (unsigned i = 0; i < b->file->segments; i++)
        if (*offset - b->file->segment[i].start < b->file->segment[i].size) {
            *offset += b->file->segment[i].offset - b->file->segment[i].start;
            break;
        }
    return true;
}

struct ep_images symbols_images(struct symbols *symbols)
{
    return (struct ep_images){symbols, tell_module, fetch, file_of_told};
}

int symbols_all_used(const struct symbols *symbols, char *error, size_t size) { return all_used(symbols, error, size); }

/* ---- profiles --------------------------------------------------------------------------------------------------- */

int symbols_bind(struct symbols *symbols, const struct ep_profile *profile, char *error, size_t size)
{
    const struct ep_module *module = ep_profile_list(profile, EP_MODULES, &symbols->bound_count);
    free(symbols->bound);
    symbols->profile = profile;
    symbols->bound = calloc(symbols->bound_count + 1u, sizeof *symbols->bound);
    if (!symbols->bound)
        return no_memory(error, size);
    for (uint32_t i = 0; i < symbols->bound_count; i++) {
        struct bound *b = &symbols->bound[i];
        *b = (struct bound){.start = module[i].start, .end = module[i].end, .space = module[i].space};
        b->file = file_of(symbols, &module[i], true, &b->bias);
    }
    return all_used(symbols, error, size);
}

static const struct bound *bound_at(const struct symbols *s, uint32_t space, uint64_t address)
{
    const uint32_t m = ep_profile_module_at(s->profile, space, address);
    return m < s->bound_count && s->bound[m].file ? &s->bound[m] : NULL;
}

static bool given(void *context, uint32_t module)
{
    const struct symbols *s = context;
    return module < s->bound_count && s->bound[module].file;
}

static bool first(void *context, uint32_t module, uint64_t *address)
{
    const struct symbols *s = context;
    if (!given(context, module))
        return false;
    *address = s->bound[module].file->first + s->bound[module].bias;
    return true;
}

static bool code(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    const struct bound *b = bound_at(context, space, address);
    return b && code_at(b, address, bytes);
}

static unsigned frames(void *context, uint32_t space, uint64_t address, struct ep_frame *frame, unsigned most)
{
    const struct bound *b = bound_at(context, space, address);
    return b && b->file->lines ? symbols_elf_frames(b->file, address - b->bias, frame, most) : 0;
}

static int list(void *context, uint32_t module, const struct ep_source_listener *listener)
{
    const struct symbols *s = context;
    const struct bound *b = given(context, module) ? &s->bound[module] : NULL;
    return b && b->file->lines ? symbols_elf_list(b->file, b->start - b->bias, b->end - b->bias, b->bias, listener) : 0;
}

struct ep_source symbols_source(struct symbols *symbols)
{
    return (struct ep_source){symbols, given, first, code, frames, list};
}

/* ---- functions -------------------------------------------------------------------------------------------------- */

struct names {
    struct ep_symbol *symbol; /* NULL: only counted */
    size_t count;
};

/* The functions of a file within a module. */
static void names_of(struct names *names, const struct symbols_file *file, const struct bound *b, uint64_t bias)
{
    for (size_t i = 0; i < file->functions; i++) {
        const struct symbols_function *f = &file->function[i];
        const uint64_t start = f->start + bias;
        uint64_t end = f->end == UINT64_MAX ? b->end : f->end + bias;
        if (start < b->start || start >= b->end)
            continue;
        end = f->open && (end > b->end || end <= start) ? b->end : end;
        if (names->symbol)
            names->symbol[names->count] = (struct ep_symbol){start, end, b->space, f->name};
        names->count++;
    }
}

/* Of all modules: by their own files, else by the texts. `named[i]`: the module has some. */
static void all_names(const struct symbols *s, struct names *names, bool *named)
{
    names->count = 0;
    for (uint32_t m = 0; m < s->bound_count; m++) {
        const struct bound *b = &s->bound[m];
        const size_t before = names->count;
        if (b->file)
            names_of(names, b->file, b, b->bias);
        for (unsigned i = 0; i < s->files && names->count == before; i++)
            if (s->file[i]->kind == SYMBOLS_MAP)
                names_of(names, s->file[i], b, s->file[i]->address);
        named[m] = names->count != before;
    }
}

int symbols_name(const struct symbols *symbols, struct ep_profile *profile, char *error, size_t size)
{
    struct names names = {NULL, 0};
    bool *named = calloc(symbols->bound_count + 1u, sizeof *named);
    int bad = named ? 0 : -ENOMEM;
    if (!bad)
        all_names(symbols, &names, named);
    names.symbol = bad ? NULL : calloc(names.count + 1, sizeof *names.symbol);
    bad = names.symbol ? 0 : -ENOMEM;
    if (!bad) {
        all_names(symbols, &names, named);
        ep_profile_forget_functions(profile, named, symbols->bound_count);
        bad = ep_profile_name_functions(profile, names.symbol, names.count);
    }
    free(names.symbol);
    free(named);
    return bad ? fail_with(bad, error, size, "the host has no memory for the functions; give it more") : 0;
}
