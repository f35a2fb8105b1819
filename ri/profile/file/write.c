/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a profile in the form "ZEPROF 1". */
#include "ri/profile/file/internal.h"
#include "base/message.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    const struct ep_sink *sink;
    uint64_t lines;
    uint32_t crc;
    int status;
};

static void put(struct writer *w, const char *text)
{
    const size_t size = strlen(text);
    w->crc = ep_crc32(w->crc, text, size);
    if (!w->status)
        w->status = w->sink->put(w->sink->context, text, size);
}

/* A piece of a line, without texts of any length. */
static void print(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(struct writer *w, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    put(w, text);
}

/* The last word of a line. */
static void end(struct writer *w, const char *word)
{
    put(w, word);
    put(w, "\n");
    w->lines++;
}

static void headers(struct writer *w, const struct ep_profile *profile)
{
    for (unsigned i = 0; i < EP_HEADERS; i++) {
        if (!profile->headers[i])
            continue;
        print(w, "H %s ", ep_header_facts[i].key);
        end(w, profile->headers[i]);
    }
}

static void places(struct writer *w, const struct ep_profile *profile)
{
    const struct ep_space *spaces = EP_ITEMS(profile, EP_SPACES, struct ep_space);
    const struct ep_module *modules = EP_ITEMS(profile, EP_MODULES, struct ep_module);
    const struct ep_function *functions = EP_ITEMS(profile, EP_FUNCTIONS, struct ep_function);
    for (uint32_t i = 0; i < profile->lists[EP_SPACES].count; i++) {
        print(w, "S %" PRIu32 " %s %016" PRIx64 " ", i, ep_space_word(spaces[i].kind), spaces[i].token);
        end(w, spaces[i].name);
    }
    for (uint32_t i = 0; i < profile->lists[EP_MODULES].count; i++) {
        const struct ep_module *m = &modules[i];
        print(w, "M %" PRIu32 " %" PRIu32 " %" PRIx64 " %" PRIx64 " %" PRIx64 " sha256:", i, m->space, m->start, m->end,
              m->bias);
        for (unsigned k = 0; m->has_digest && k < sizeof m->digest; k++)
            print(w, "%02x", m->digest[k]);
        put(w, m->has_digest ? " " : "- ");
        end(w, m->name);
    }
    for (uint32_t i = 0; i < profile->lists[EP_FUNCTIONS].count; i++) {
        print(w, "F %" PRIu32 " %" PRIu32 " %" PRIx64 " %" PRIx64 " ", i, functions[i].module, functions[i].start,
              functions[i].end);
        end(w, functions[i].name);
    }
}

static void sites(struct writer *w, const struct ep_profile *profile)
{
    const struct ep_site_facts *sites = EP_ITEMS(profile, EP_SITES, struct ep_site_facts);
    for (uint32_t i = 0; i < profile->lists[EP_SITES].count; i++) {
        const struct ep_site_facts *s = &sites[i];
        print(w, "B %" PRIu32 " %" PRIx64 " %s %u ", s->space, s->at, ep_class_word(s->class), s->length);
        if (s->has_target)
            print(w, "%" PRIx64 " ", s->target);
        else
            put(w, "- ");
        end(w, s->opcode);
    }
}

static void rows(struct writer *w, const struct ep_profile *profile, enum ep_list_name list)
{
    const struct ep_row *rows = EP_ITEMS(profile, list, struct ep_row);
    char units[24];
    for (uint32_t i = 0; i < profile->lists[list].count; i++) {
        const struct ep_row *r = &rows[i];
        print(w, "%c %" PRIu32 " %" PRIx64 " ", "ERCG"[list - EP_EDGES], r -> from_space, r -> from);
        if (list != EP_RUNS)
            print(w, "%" PRIu32 " ", r->to_space);
        print(w, "%" PRIx64 " ", r->to);
        if (list == EP_GAPS)
            print(w, "%s ", ep_gap_word(r->kind));
        else if (list != EP_CALLS)
            put(w, list == EP_EDGES ? r->kind == EP_TAKEN ? "T " : "N " : r->kind == EP_RUN_BRANCH ? "B " : "X ");
        snprintf(units, sizeof units, "%" PRIu64, r->units);
        end(w, units);
    }
}

static void counters(struct writer *w, const struct ep_profile *profile)
{
    const struct ep_counter *counters = EP_ITEMS(profile, EP_COUNTERS, struct ep_counter);
    char value[24];
    for (uint32_t i = 0; i < profile->lists[EP_COUNTERS].count; i++) {
        print(w, "D %s ", counters[i].name);
        snprintf(value, sizeof value, "%" PRIu64, counters[i].value);
        end(w, value);
    }
}

/* Is everything there that a reader wants? */
static int complete(const struct ep_profile *profile, char *error, size_t size)
{
    struct ep_fault fault;
    for (unsigned i = 0; i < EP_HEADERS; i++)
        if (!profile->headers[i] && ep_header_facts[i].required)
            return fail_with(-EINVAL, error, size, "the profile has no header %s; set it before the profile is written",
                             ep_header_facts[i].key);
    if (ep_sites_fit(profile, &fault))
        return 0;
    return fail_with(-EINVAL, error, size, "%s; tell every site of an edge or call, and no others", fault.text);
}

int ep_profile_write(const struct ep_profile *profile, const struct ep_sink *sink, char *error, size_t size)
{
    struct ep_profile *settled;
    struct writer w = {.sink = sink};
    int status = ep_profile_copy(profile, &settled);
    if (!status)
        status = ep_profile_settle(settled);
    if (status)
        (void)!fail_with(status, error, size, "the host has no memory for it; end other programs, or give it more");
    else
        status = complete(settled, error, size);
    if (status) {
        ep_profile_free(settled);
        return status;
    }
    end(&w, "ZEPROF 1");
    headers(&w, settled);
    places(&w, settled);
    sites(&w, settled);
    for (unsigned list = EP_EDGES; list <= EP_GAPS; list++)
        rows(&w, settled, list);
    counters(&w, settled);
    const uint32_t crc = w.crc;
    print(&w, "Z %" PRIu64 " %08" PRIx32 "\n", w.lines, crc);
    ep_profile_free(settled);
    if (w.status)
        return fail_with(w.status, error, size, "%s while the profile is written; give it a place with room",
                         strerror(-w.status));
    return 0;
}
