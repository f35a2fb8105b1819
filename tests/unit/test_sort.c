/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SORT LISTS, judged by models of its own: a stable sort for merges, runs by hand for sorts; whatever way the operation
   took, the output is a permutation of the input, in runs that are sorted and delineated. Pages are missing and come
   back when they are asked for, operands are short, input comes in pieces, and both engines take part.
   TEST_SORT=N carries out N of each kind. */
#include "cpu/storage/tlb.h"
#include "cpu_harness.h"
#include "random.h"

enum {
    CODE = 0x8000,
    BLOCK = 0x9a00, /* crosses a page */
    RECALL = 0xc000,
    INPUT = 0x20000,
    OUTPUT = 0x50000,
    RUNS = 0x80000, /* room for as many as there can be records */
    END = 0xf0000,
    MOST = 0x2f000, /* bytes of input */
};
enum { FIXED = 1, VARIABLE = 2, MERGE = 0x80, CF = 1, DESCENDING = 0x80 };

/* One operation as the test knows it. */
struct job {
    unsigned function, key, payload, lists, slots;
    bool descending;
    struct input {
        unsigned at, end; /* offsets of what is left */
    } input[128];
    uint8_t data[MOST];
    unsigned records, bytes;
};

static unsigned size_of(const struct job *j, const uint8_t *record)
{
    return (j->function & 0x7f) == VARIABLE ? j->key + 8 + get16(record + j->key + 6) : j->key + j->payload;
}

static int compare_keys(const struct job *j, const uint8_t *a, const uint8_t *b)
{
    const int way = memcmp(a, b, j->key);
    return j->descending ? -way : way;
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

static struct rig *start(unsigned engine)
{
    struct rig *g = rig_new();
    tables_invalid(g);
    for (uint64_t at = 0; at < 0x100000; at += 0x1000)
        map(g, at, at, 0);
    put32(g->at + CODE, 0xb9380024);     /* sortl 2,4 */
    put32(g->at + CODE + 4, 0xa714fffe); /* again, when not finished */
    put64(g->at + 464, 0x0002000180000000);
    put64(g->at + 472, 0xdead);
    memset(g->at + OUTPUT, 0xee, END - OUTPUT);
    g->cpu->cr[1] = R1_TABLE | ASCE_DT_FIRST | TL_FULL;
    g->cpu->engine_kind = engine ? ENGINE_BLOCK : ENGINE_REFERENCE;
    g->cpu->gr[1] = BLOCK;
    g->cpu->gr[2] = OUTPUT;
    g->cpu->gr[3] = MOST;
    g->cpu->gr[4] = RUNS;
    g->cpu->gr[5] = END - RUNS;
    return g;
}

static unsigned call(struct rig *g, unsigned function, unsigned *faults)
{
    return call_to_end(g, function, CODE, BLOCK, END, faults);
}

static void lose_pages(struct rig *g, struct random *r)
{
    const unsigned one_of = 1 + below(r, 4);
    for (uint64_t page = BLOCK & PAGE_ADDRESS; page < END; page += 0x1000)
        if (!below(r, one_of))
            set_dword(g, entry_of(page), page | 0x400);
    cpu_tlb_purge(g->cpu);
}

/* ---- input ------------------------------------------------------------------------------------------------------- */

/* A record of the list at `to`; in a merge its key does not come before that of the record before it. */
static unsigned make_record(struct job *j, struct random *r, uint8_t *to, const uint8_t *before, unsigned alike)
{
    for (unsigned n = 0; n < j->key; n++)
        to[n] = (uint8_t)(n >= alike ? below(r, 2) ? next(r) : below(r, 3) : 7);
    if (before && j->function & MERGE && compare_keys(j, before, to) > 0) {
        memcpy(to, before, j->key);
        for (unsigned n = j->key; n-- > 0 && below(r, 2);) {
            to[n] = (uint8_t)(j->descending ? to[n] - 1 : to[n] + 1);
            if (to[n] != (j->descending ? 0xff : 0))
                break;
            memcpy(to, before, j->key); /* it went around */
        }
    }
    unsigned at = j->key, payload = j->payload;
    if ((j->function & 0x7f) == VARIABLE) {
        const unsigned most = (4088 - j->key) / 8;
        payload = 8 * below(r, 1 + (below(r, 3) && most > 3 ? 3 : most));
        put64(to + at, next(r) & ~UINT64_C(0xffff));
        put16(to + at + 6, (uint16_t)payload);
        at += 8;
    }
    for (unsigned n = 0; n < payload; n++)
        to[at + n] = (uint8_t)next(r);
    if (payload >= 8)
        put64(to + at, j->records);
    return at + payload;
}

static struct job *make_job(struct random *r, unsigned function)
{
    struct job *j = calloc(1, sizeof *j);
    assert_non_null(j);
    j->function = function;
    j->descending = below(r, 2);
    j->key = below(r, 4) ? 8 * (1 + below(r, 4)) : 8 * (1 + below(r, 511));
    if (function == (FIXED | (function & MERGE)))
        j->payload = below(r, 4) ? 8 * below(r, 5) : 8 * below(r, (4096 - j->key) / 8 + 1);
    if (j->payload + j->key > 4096)
        j->payload = 4096 - j->key;
    j->slots = below(r, 2) ? 32 : 128;
    j->lists = 1 + (below(r, 3) ? below(r, 6) : below(r, j->slots));
    const unsigned each = below(r, 4) ? MOST / j->lists / (1 + below(r, 20)) : MOST / j->lists;
    const unsigned alike = below(r, 3) ? 0 : below(r, j->key + 1);
    for (unsigned n = 0, at = 0; n < j->lists; n++) {
        const unsigned room = at + (below(r, 8) ? each : below(r, each + 1));
        const uint8_t *before = NULL;
        j->input[n].at = at;
        while (at + 4096 <= room) {
            const unsigned size = make_record(j, r, j->data + at, before, alike);
            before = j->data + at;
            at += size;
            j->records++;
        }
        j->input[n].end = at;
        j->bytes += at - j->input[n].at;
    }
    return j;
}

static void set_list(struct rig *g, unsigned n, uint64_t at, uint64_t length)
{
    put64(g->at + BLOCK + 576 + 16 * n, INPUT + at);
    put64(g->at + BLOCK + 576 + 16 * n + 8, length);
}

static void set_block(struct rig *g, const struct job *j)
{
    uint8_t *block = g->at + BLOCK;
    put16(block, j->slots == 32 ? 2 : 4);
    block[7] = j->descending ? DESCENDING : 0;
    put16(block + 10, (uint16_t)j->key);
    put16(block + 14, (uint16_t)j->payload);
    block[33] = (uint8_t)(j->lists - 1);
    put64(block + 56, RECALL | 0x123);
    for (unsigned n = 0; n < j->slots; n++)
        if (n < j->lists)
            set_list(g, n, j->input[n].at, j->input[n].end - j->input[n].at);
        else
            set_list(g, n, 3, 12345); /* inactive: not looked at */
    memcpy(g->at + INPUT, j->data, MOST);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

struct output {
    uint8_t data[MOST];
    unsigned length, runs, run[65536];
};

/* The lists one record after the other: what comes first of those that may follow `last`. */
static void model(const struct job *j, struct output *o)
{
    unsigned at[128];
    const uint8_t *last = NULL;
    o->length = o->runs = 0;
    for (unsigned n = 0; n < j->lists; n++)
        at[n] = j->input[n].at;
    for (;;) {
        const uint8_t *first = NULL;
        unsigned from = 0;
        bool left = false;
        for (unsigned n = j->lists; n-- > 0;) {
            const uint8_t *head = j->data + at[n];
            if (at[n] == j->input[n].end)
                continue;
            left = true;
            if (!(j->function & MERGE) && last && compare_keys(j, head, last) < 0)
                continue;
            if (!first || compare_keys(j, head, first) <= 0) {
                first = head;
                from = n;
            }
        }
        if (!left)
            return;
        if (!first) {
            last = NULL;
            continue;
        }
        if (!last)
            o->run[o->runs++] = o->length;
        memcpy(o->data + o->length, first, size_of(j, first));
        o->length += size_of(j, first);
        at[from] += size_of(j, first);
        last = first;
    }
}

/* What an order means: the same records, every run sorted. `runs` at RUNS, else one without delineation. */
static void check_runs(struct rig *g, const struct job *j, unsigned runs, unsigned *seen)
{
    unsigned at = 0;
    for (unsigned n = 0; n < runs; n++) {
        const uint64_t first = get64(g->at + RUNS + 16 * n) - OUTPUT, length = get64(g->at + RUNS + 16 * n + 8);
        assert_int_equal(first, at);
        assert_true(length);
        const uint8_t *before = NULL;
        while (at < first + length) {
            const uint8_t *record = g->at + OUTPUT + at;
            if (before)
                assert_true(compare_keys(j, before, record) <= 0);
            before = record;
            at += size_of(j, record);
            (*seen)++;
        }
        assert_int_equal(at, first + length);
    }
    assert_int_equal(at, j->bytes);
    assert_int_equal(*seen, j->records);
    assert_int_equal(get64(g->at + RUNS + 16 * runs), UINT64_C(0xeeeeeeeeeeeeeeee));
}

struct piece {
    const uint8_t *at;
    unsigned length;
};
static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    const unsigned shorter = x->length < y->length ? x->length : y->length;
    const int way = memcmp(x->at, y->at, shorter);
    return way ? way : (int)x->length - (int)y->length;
}

static struct piece *pieces(const struct job *j, const uint8_t *data)
{
    struct piece *p = calloc(j->records + 1, sizeof *p);
    assert_non_null(p);
    for (unsigned n = 0, at = 0; n < j->records; at += p[n++].length)
        p[n] = (struct piece){data + at, size_of(j, data + at)};
    qsort(p, j->records, sizeof *p, compare_pieces);
    return p;
}

static void check_permutation(struct rig *g, const struct job *j)
{
    uint8_t *input = malloc(MOST);
    assert_non_null(input);
    for (unsigned n = 0, at = 0; n < j->lists; n++) {
        memcpy(input + at, j->data + j->input[n].at, j->input[n].end - j->input[n].at);
        at += j->input[n].end - j->input[n].at;
    }
    struct piece *a = pieces(j, input), *b = pieces(j, g->at + OUTPUT);
    for (unsigned n = 0; n < j->records; n++) {
        assert_int_equal(a[n].length, b[n].length);
        assert_memory_equal(a[n].at, b[n].at, a[n].length);
    }
    free(a);
    free(b);
    free(input);
}

/* ---- operations in one go ---------------------------------------------------------------------------------------- */

/* Registers, output, delineations and parameter block after condition code 0. */
static void check_end(struct rig *g, const struct job *j, const struct output *o)
{
    const bool merge = j->function & MERGE;
    assert_int_equal(g->cpu->gr[2], OUTPUT + o->length);
    assert_int_equal(g->cpu->gr[3], MOST - o->length);
    assert_int_equal(g->cpu->gr[4], merge ? RUNS : RUNS + 16 * o->runs);
    assert_int_equal(g->cpu->gr[5], merge ? END - RUNS : END - RUNS - 16 * o->runs);
    assert_memory_equal(g->at + OUTPUT, o->data, o->length);
    assert_int_equal(g->at[OUTPUT + o->length], 0xee);
    assert_int_equal(g->at[BLOCK + 7], j->descending ? DESCENDING : 0);
    for (unsigned n = 0; n < j->lists; n++) {
        assert_int_equal(get64(g->at + BLOCK + 576 + 16 * n), INPUT + j->input[n].end);
        assert_int_equal(get64(g->at + BLOCK + 584 + 16 * n), 0);
    }
    if (j->lists < j->slots)
        assert_int_equal(get64(g->at + BLOCK + 584 + 16 * j->lists), 12345);
    for (unsigned n = 0; !merge && n < o->runs; n++) {
        assert_int_equal(get64(g->at + RUNS + 16 * n), OUTPUT + o->run[n]);
        assert_int_equal(get64(g->at + RUNS + 16 * n + 8), (n + 1 < o->runs ? o->run[n + 1] : o->length) - o->run[n]);
    }
}

static void whole(struct random *r, unsigned function, unsigned *faults, unsigned *runs)
{
    static struct output o;
    struct job *j = make_job(r, function);
    model(j, &o);
    for (unsigned engine = 0; engine < 2; engine++) {
        struct rig *g = start(engine);
        set_block(g, j);
        if (engine)
            lose_pages(g, r);
        assert_int_equal(call(g, function, faults), 0);
        check_end(g, j, &o);
        *runs += o.runs;
        if (!(function & MERGE)) {
            unsigned seen = 0;
            check_runs(g, j, o.runs, &seen);
        }
        check_permutation(g, j);
        rig_end(g);
    }
    free(j);
}

static uint64_t count_of(void) { return trials_of("TEST_SORT", 120); }

static void in_one_go(unsigned function, uint64_t seed)
{
    unsigned faults = 0, runs = 0;
    for (uint64_t n = 1; n <= count_of(); n++) {
        struct random r = seeded(seed + n);
        whole(&r, function, &faults, &runs);
    }
    assert_true(faults > 4 * count_of());
    assert_true(function & MERGE || runs > 10 * count_of());
}

static void sorts_fixed(void **state)
{
    (void)state;
    in_one_go(FIXED, 0);
}
static void sorts_variable(void **state)
{
    (void)state;
    in_one_go(VARIABLE, 1000000);
}
static void merges_fixed(void **state)
{
    (void)state;
    in_one_go(FIXED | MERGE, 2000000);
}
static void merges_variable(void **state)
{
    (void)state;
    in_one_go(VARIABLE | MERGE, 3000000);
}

/* ---- operations in pieces ---------------------------------------------------------------------------------------- */

/* Give the list more of its input: some bytes, which may end in a record. False: there is nothing more. */
static bool feed(struct rig *g, struct job *j, struct random *r, unsigned n)
{
    const unsigned at = (unsigned)(get64(g->at + BLOCK + 576 + 16 * n) - INPUT);
    const unsigned now = at + (unsigned)get64(g->at + BLOCK + 584 + 16 * n), end = j->input[n].end;
    unsigned some = 8 * (1 + below(r, below(r, 3) ? 2000 : 20));
    if (now == end)
        return false;
    if (some > end - now)
        some = end - now;
    set_list(g, n, at, now + some - at);
    return true;
}

/* Room is given as it is asked for, and lists as they are empty or incomplete. */
static unsigned carry_out(struct rig *g, struct job *j, struct random *r, unsigned *ends, unsigned *faults)
{
    uint8_t *block = g->at + BLOCK;
    const unsigned control = j->function & MERGE ? 3 : 0;
    uint64_t room = 0, space = 0;
    for (unsigned n = 0; n < j->lists; n++) {
        set_list(g, n, j->input[n].at, 0);
        /* Lists that are never asked for have everything, else something. */
        (void)feed(g, j, r, n);
        while (!control && feed(g, j, r, n) && below(r, 4))
            ;
    }
    block[40] = (uint8_t)(control << 6);
    for (unsigned n = 0; n < 100000; n++) {
        g->cpu->gr[3] = room;
        g->cpu->gr[5] = j->function & MERGE ? 0 : space;
        if (!below(r, 3))
            lose_pages(g, r);
        const uint64_t to = g->cpu->gr[2], runs = g->cpu->gr[4];
        const unsigned cc = call(g, j->function, faults);
        ends[cc & 7]++;
        assert_int_equal(g->cpu->gr[2] + g->cpu->gr[3], to + room);
        assert_int_equal(g->cpu->gr[4] + g->cpu->gr[5], runs + (j->function & MERGE ? 0 : space));
        room = g->cpu->gr[3];
        space = g->cpu->gr[5];
        assert_true(cc < 3);
        assert_int_equal(block[7] & CF, cc != 0);
        if (cc == 0) {
            bool more = false;
            for (unsigned l = 0; l < j->lists; l++)
                more = feed(g, j, r, l) || more;
            if (!more)
                return (unsigned)((g->cpu->gr[4] - RUNS) / 16);
            block[7] &= (uint8_t)~CF;
        } else if (cc == 1) {
            room += below(r, 2) ? 8 * below(r, 600) : 8 * below(r, 6000);
            space += 16 * below(r, 3);
        } else {
            assert_int_equal(cc, 2);
            const bool incomplete = block[46] & 0x80;
            assert_int_equal(!!(block[40] & 0x20), !incomplete);
            const unsigned l = incomplete ? block[47] : block[41];
            assert_true(l < j->lists);
            if (incomplete) {
                assert_true(get64(block + 584 + 16 * l) > 0);
                assert_true(feed(g, j, r, l));
                ends[5]++;
            } else {
                assert_int_equal(get64(block + 584 + 16 * l), 0);
                (void)feed(g, j, r, l);
            }
        }
    }
    fail_msg("no end");
    return 0;
}

static void in_pieces(unsigned function, uint64_t seed, unsigned *ends)
{
    unsigned faults = 0;
    for (uint64_t n = 1; n <= count_of(); n++) {
        struct random r = seeded(seed + n);
        struct job *j = make_job(&r, function);
        struct rig *g = start(below(&r, 2));
        static struct output o;
        unsigned seen = 0;
        set_block(g, j);
        const unsigned runs = carry_out(g, j, &r, ends, &faults);
        if (function & MERGE) { /* in pieces or not, it is the same list */
            model(j, &o);
            assert_int_equal(o.length, j->bytes);
            assert_int_equal(g->cpu->gr[2], OUTPUT + j->bytes);
            assert_memory_equal(g->at + OUTPUT, o.data, o.length);
        } else {
            check_runs(g, j, runs, &seen);
        }
        check_permutation(g, j);
        rig_end(g);
        free(j);
    }
    assert_true(faults > count_of());
    assert_true(ends[0] && ends[1] && ends[2] && ends[5]);
}

static void sorts_in_pieces(void **state)
{
    (void)state;
    unsigned ends[8] = {0};
    in_pieces(FIXED, 4000000, ends);
    in_pieces(VARIABLE, 5000000, ends);
}

static void merges_in_pieces(void **state)
{
    (void)state;
    unsigned ends[8] = {0};
    in_pieces(FIXED | MERGE, 6000000, ends);
    in_pieces(VARIABLE | MERGE, 7000000, ends);
    assert_true(ends[2] > ends[5]); /* some were empty */
}

/* Parameter blocks, continuation states and records of random bits do no harm. */
static void hostile(void **state)
{
    (void)state;
    unsigned seen[8] = {0}, faults = 0;
    for (uint64_t seed = 1; seed <= 10 * count_of(); seed++) {
        struct random r = seeded(seed + 8000000);
        struct job *j = make_job(&r, 1 + below(&r, 2) + (below(&r, 2) ? MERGE : 0));
        struct rig *g = start(below(&r, 2));
        uint8_t *block = g->at + BLOCK;
        set_block(g, j);
        if (below(&r, 2)) { /* a continuation state of ours, nearly */
            block[2] = 1;
            block[7] |= CF;
            block[64] = (uint8_t)j->function;
            block[65] = block[7] & 0x80;
            put16(block + 66, (uint16_t)j->key);
            block[68] = 1;
            put64(block + 72, OUTPUT - 800);
            put64(block + 80, 800);
        }
        for (unsigned n = below(&r, 5); n; n--)
            block[below(&r, 3) ? below(&r, 88) : below(&r, 2624)] ^= (uint8_t)(1u << below(&r, 8));
        block[62] = RECALL >> 8; /* not over the code */
        for (unsigned n = below(&r, 2) * below(&r, 40); n; n--)
            g->at[INPUT + below(&r, MOST)] ^= (uint8_t)next(&r);
        g->cpu->gr[3] = below(&r, 2) ? MOST : 8 * below(&r, 1000);
        g->cpu->gr[5] = below(&r, 2) ? END - RUNS : below(&r, 100);
        if (below(&r, 2))
            g->at[BLOCK + 40] ^= 0xc0;
        const uint64_t to = g->cpu->gr[2] + g->cpu->gr[3];
        const unsigned cc = call(g, j->function, &faults);
        assert_true(cc <= 2 || (cc >= 0x100 && cc != 0x100 + PIC_OPERATION));
        assert_int_equal(g->cpu->gr[2] + g->cpu->gr[3], to);
        seen[cc < 3 ? cc : cc == 0x100 + PIC_DATA ? 3 : 4]++;
        rig_end(g);
        free(j);
    }
    for (unsigned n = 0; n < 4; n++)
        assert_true(seen[n]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_fixed),     cmocka_unit_test(sorts_variable),  cmocka_unit_test(merges_fixed),
        cmocka_unit_test(merges_variable), cmocka_unit_test(sorts_in_pieces), cmocka_unit_test(merges_in_pieces),
        cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
