/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage of the past. Beside the machine's storage stands what it held at the last moment that was kept (of pages that
   are zero the host keeps nothing). At the next one the pages that were stored into are compared line by line: lines
   that differ, as they were, make up what undoes the time between, and are brought up to date beside. Storage keys and
   the states of pages, which change without a mark, are compared whole, in blocks of 4096, as if they were pages behind
   those of storage. */
#include "emu/history/pages.h"
#include "base/room.h"
#include "cpu/storage/code.h"
#include "cpu/storage/main.h"
#include "cpu/storage/tlb.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE  64u
#define LINES (PAGE_SIZE_Z / LINE)
#define HEAD                                                                                                           \
    24u /* bytes of a piece in front of its lines: page, lines that differ (bit n: line n), those that are zero */

struct pages {
    struct machine *machine;
    uint8_t *kept;   /* of storage, by storage_map() */
    uint8_t *others; /* of keys, then of states, each `blocks` blocks */
    uint64_t pages;  /* of storage */
    uint64_t blocks;
};

struct piece {
    uint64_t page, differ, zero;
    const uint8_t *lines; /* those that differ and are not zero, in order */
};

static const uint8_t zeros[PAGE_SIZE_Z];

void pages_undo_free(struct pages_undo *u)
{
    free(u->bytes);
    *u = (struct pages_undo){0};
}

static size_t lines_of(const struct piece *p) { return (size_t)__builtin_popcountll(p->differ & ~p->zero) * LINE; }

/* The next piece at *at; false: there is none. */
static bool next_piece(const struct pages_undo *u, size_t *at, struct piece *p)
{
    if (*at >= u->length)
        return false;
    memcpy(&p->page, u->bytes + *at, 8);
    memcpy(&p->differ, u->bytes + *at + 8, 8);
    memcpy(&p->zero, u->bytes + *at + 16, 8);
    p->lines = u->bytes + *at + HEAD;
    *at += HEAD + lines_of(p);
    return true;
}

/* Room for its lines is there. */
static void put_head(uint8_t *at, const struct piece *p)
{
    memcpy(at, &p->page, 8);
    memcpy(at + 8, &p->differ, 8);
    memcpy(at + 16, &p->zero, 8);
}

/* What turns `now` into `then` becomes a piece, and `then` becomes `now`. */
static bool compare(struct pages_undo *u, uint64_t page, const uint8_t *now, uint8_t *then)
{
    struct piece p = {.page = page};
    if (memcmp(now, then, PAGE_SIZE_Z) == 0)
        return true;
    if (!room_for(&u->bytes, &u->room, u->length + HEAD + PAGE_SIZE_Z))
        return false;
    uint8_t *to = u->bytes + u->length + HEAD;
    for (unsigned n = 0; n < LINES; n++) {
        const uint8_t *line = now + n * LINE;
        if (memcmp(line, then + n * LINE, LINE) == 0)
            continue;
        p.differ |= UINT64_C(1) << n;
        if (memcmp(then + n * LINE, zeros, LINE) == 0) {
            p.zero |= UINT64_C(1) << n;
        } else {
            memcpy(to, then + n * LINE, LINE);
            to += LINE;
        }
        memcpy(then + n * LINE, line, LINE);
    }
    put_head(u->bytes + u->length, &p);
    u->length = (size_t)(to - u->bytes);
    return true;
}

/* ---- keys and states --------------------------------------------------------------------------------------------- */

/* Block n of them as it is now, in bytes[]; how many of it there are. */
static unsigned other_now(const struct pages *p, uint64_t n, uint8_t bytes[PAGE_SIZE_Z])
{
    const struct storage *s = &p->machine->sys.storage;
    const uint64_t first = n % p->blocks * PAGE_SIZE_Z;
    const unsigned count = (unsigned)(p->pages - first < PAGE_SIZE_Z ? p->pages - first : PAGE_SIZE_Z);
    memset(bytes + count, 0, PAGE_SIZE_Z - count);
    if (n < p->blocks) {
        memcpy(bytes, s->keys + first, count);
        return count;
    }
    for (unsigned i = 0; i < count; i++)
        bytes[i] = s->page_flags[first + i] & PAGE_STATE;
    return count;
}

static void set_other(const struct pages *p, uint64_t n, const uint8_t bytes[PAGE_SIZE_Z])
{
    struct storage *s = &p->machine->sys.storage;
    const uint64_t first = n % p->blocks * PAGE_SIZE_Z;
    const unsigned count = (unsigned)(p->pages - first < PAGE_SIZE_Z ? p->pages - first : PAGE_SIZE_Z);
    if (n < p->blocks) {
        memcpy(s->keys + first, bytes, count);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        s->page_flags[first + i] = (s->page_flags[first + i] & (uint8_t)~PAGE_STATE) | (bytes[i] & PAGE_STATE);
}

/* ---- pages of storage ---------------------------------------------------------------------------------------------
 */

static uint8_t *now_of(const struct pages *p, uint64_t page)
{
    return p->machine->sys.storage.bytes + (page << PAGE_BITS);
}
static uint8_t *kept_of(const struct pages *p, uint64_t page) { return p->kept + (page << PAGE_BITS); }

/* The first page from `page` on that may have been changed; p->pages: none. */
static uint64_t changed_from(const struct pages *p, uint64_t page)
{
    const uint8_t *flags = p->machine->sys.storage.page_flags;
    const uint64_t all = UINT64_C(0x0101010101010101) * PAGE_UNCHANGED;
    while (page < p->pages) {
        uint64_t eight;
        if (page % 8 == 0 && page + 8 <= p->pages && (memcpy(&eight, flags + page, 8), (eight & all) == all))
            page += 8;
        else if (flags[page] & PAGE_UNCHANGED)
            page++;
        else
            return page;
    }
    return p->pages;
}

/* From now on a store into the page is noticed. */
static void mark(const struct pages *p, uint64_t page)
{
    tlb_watch_page(&p->machine->sys, page << PAGE_BITS);
    p->machine->sys.storage.page_flags[page] |= PAGE_UNCHANGED;
}

static void stored(const struct pages *p, uint64_t page)
{
    struct cpu_system *sys = &p->machine->sys;
    cpu_code_written(sys, page << PAGE_BITS, PAGE_SIZE_Z);
}

void pages_end(struct pages *p)
{
    if (!p)
        return;
    if (p->kept)
        munmap(p->kept, p->pages << PAGE_BITS);
    free(p->others);
    free(p);
}

struct pages *pages_begin(struct machine *m)
{
    struct pages *p = calloc(1, sizeof *p);
    struct pages_undo nothing = {0};
    if (!p)
        return NULL;
    p->machine = m;
    p->pages = m->sys.storage.total >> PAGE_BITS;
    p->blocks = (p->pages + PAGE_SIZE_Z - 1) / PAGE_SIZE_Z;
    p->kept = storage_map(p->pages << PAGE_BITS);
    p->others = calloc(2 * p->blocks, PAGE_SIZE_Z);
    if (!p->kept || !p->others) {
        pages_end(p);
        return NULL;
    }
    for (uint64_t page = 0; page < p->pages; page++) {
        if (memcmp(now_of(p, page), zeros, PAGE_SIZE_Z) != 0)
            memcpy(kept_of(p, page), now_of(p, page), PAGE_SIZE_Z);
        mark(p, page);
    }
    if (!pages_keep(p, &nothing)) {
        pages_end(p);
        p = NULL;
    }
    pages_undo_free(&nothing);
    return p;
}

bool pages_keep(struct pages *p, struct pages_undo *u)
{
    uint8_t now[PAGE_SIZE_Z];
    bool good = true;
    for (uint64_t page = changed_from(p, 0); page < p->pages; page = changed_from(p, page + 1)) {
        good = good && compare(u, page, now_of(p, page), kept_of(p, page));
        if (!good)
            memcpy(kept_of(p, page), now_of(p, page), PAGE_SIZE_Z);
        mark(p, page);
    }
    for (uint64_t n = 0; n < 2 * p->blocks; n++) {
        other_now(p, n, now);
        good = good && compare(u, p->pages + n, now, p->others + n * PAGE_SIZE_Z);
        if (!good)
            memcpy(p->others + n * PAGE_SIZE_Z, now, PAGE_SIZE_Z);
    }
    if (good && u->length < u->room) { /* what is left of the room is not needed */
        uint8_t *bytes = realloc(u->bytes, u->length ? u->length : 1);
        u->bytes = bytes ? bytes : u->bytes;
        u->room = u->length;
    }
    return good;
}

bool pages_changed(const struct pages *p)
{
    uint8_t now[PAGE_SIZE_Z];
    for (uint64_t page = changed_from(p, 0); page < p->pages; page = changed_from(p, page + 1))
        if (memcmp(now_of(p, page), kept_of(p, page), PAGE_SIZE_Z) != 0)
            return true;
    for (uint64_t n = 0; n < 2 * p->blocks; n++) {
        other_now(p, n, now);
        if (memcmp(now, p->others + n * PAGE_SIZE_Z, PAGE_SIZE_Z) != 0)
            return true;
    }
    return false;
}

void pages_return(struct pages *p)
{
    for (uint64_t page = changed_from(p, 0); page < p->pages; page = changed_from(p, page + 1)) {
        if (memcmp(now_of(p, page), kept_of(p, page), PAGE_SIZE_Z) != 0) {
            memcpy(now_of(p, page), kept_of(p, page), PAGE_SIZE_Z);
            stored(p, page);
        }
        mark(p, page);
    }
    for (uint64_t n = 0; n < 2 * p->blocks; n++)
        set_other(p, n, p->others + n * PAGE_SIZE_Z);
    cpu_tlb_purge_all(&p->machine->sys);
}

/* Lines of a piece into a page. */
static void put_lines(const struct piece *piece, uint8_t *page)
{
    const uint8_t *from = piece->lines;
    for (uint64_t left = piece->differ; left; left &= left - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(left);
        if (piece->zero >> n & 1) {
            memset(page + n * LINE, 0, LINE);
            continue;
        }
        memcpy(page + n * LINE, from, LINE);
        from += LINE;
    }
}

void pages_undo(struct pages *p, const struct pages_undo *u)
{
    struct piece piece;
    for (size_t at = 0; next_piece(u, &at, &piece);) {
        if (piece.page >= p->pages) {
            uint8_t *other = p->others + (piece.page - p->pages) * PAGE_SIZE_Z;
            put_lines(&piece, other);
            set_other(p, piece.page - p->pages, other);
            continue;
        }
        put_lines(&piece, kept_of(p, piece.page));
        put_lines(&piece, now_of(p, piece.page));
        stored(p, piece.page);
        mark(p, piece.page);
    }
    cpu_tlb_purge_all(&p->machine->sys);
}

/* ---- joining ------------------------------------------------------------------------------------------------------
 */

/* A piece for a page behind those that `to` has: of `first` where that has a line, else of `last`. */
static void join(struct pages_undo *to, const struct piece *first, const struct piece *last)
{
    struct piece p = {.page = first->page,
                      .differ = first->differ | last->differ,
                      .zero = first->zero | (last->zero & ~first->differ)};
    const uint8_t *one = first->lines, *other = last->lines;
    uint8_t *at = to->bytes + to->length + HEAD;
    put_head(to->bytes + to->length, &p);
    for (uint64_t left = p.differ; left; left &= left - 1) {
        const uint64_t bit = left & -left;
        const bool in_first = first->differ & ~first->zero & bit, in_last = last->differ & ~last->zero & bit;
        if (in_first || (in_last && !(first->differ & bit))) {
            memcpy(at, in_first ? one : other, LINE);
            at += LINE;
        }
        one += in_first ? LINE : 0;
        other += in_last ? LINE : 0;
    }
    to->length = (size_t)(at - to->bytes);
}

bool pages_undo_join(struct pages_undo *first, struct pages_undo *last)
{
    const struct piece none = {.page = UINT64_MAX};
    struct pages_undo all = {0};
    struct piece a = none, b = none;
    size_t at_a = 0, at_b = 0;
    if (!room_for(&all.bytes, &all.room, first->length + last->length))
        return false;
    bool more_a = next_piece(first, &at_a, &a), more_b = next_piece(last, &at_b, &b);
    while (more_a || more_b) {
        const bool from_a = more_a && (!more_b || a.page <= b.page), from_b = more_b && (!more_a || b.page <= a.page);
        const struct piece nothing = {.page = from_a ? a.page : b.page};
        join(&all, from_a ? &a : &nothing, from_b ? &b : &nothing);
        more_a = from_a ? next_piece(first, &at_a, &a) : more_a;
        more_b = from_b ? next_piece(last, &at_b, &b) : more_b;
    }
    pages_undo_free(first);
    pages_undo_free(last);
    *first = all;
    return true;
}
