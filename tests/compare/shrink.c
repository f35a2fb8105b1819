/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a case that differs simpler, round by round: an image of many simpler forms is carried out by both sides, and
   the simplest that still differs goes into the next round. What is left is kept as a scripted test. */
#include "base/bits.h"
#include "disasm/dis.h"
#include "tests/compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIATIONS = 600, ITEMS_MAX = 1024 };

/* A piece of a case that can be left out. */
struct item {
    uint16_t at, bytes;
    bool code; /* becomes NOPRs instead of zeros */
};

/* Where its first instruction stands: a class without a place for it carries it out where the case is. */
static bool in_place(const struct compare_class *c, const uint8_t *in, uint64_t at)
{
    return get64(in + compare_part_of(c, COMPARE_PSW)->in + 8) == at + c->code;
}

/* Bytes of instructions up to the SVC that ends them. */
static unsigned code_length(const struct compare_class *c, const uint8_t *in)
{
    const unsigned room = c->code_bytes;
    unsigned n = 0;
    while (n < room && !(n && in[c->code + n] == 0x0a))
        n += dis_length(in[c->code + n]);
    return n < room || room > 8 ? n : dis_length(in[c->code]);
}

/* The case stood at `from` and is to stand at `to`. */
static void move_case(const struct compare_class *c, uint8_t *in, uint64_t from, uint64_t to)
{
    uint8_t *psw = in + compare_part_of(c, COMPARE_PSW)->in;
    if (!in_place(c, in, from))
        return;
    put64(psw + 8, to + c->code);
    for (unsigned n = 0, length = code_length(c, in); n < length;) {
        uint8_t *bytes = in + c->code + n;
        struct dis_insn insn;
        dis_decode(bytes, &insn);
        if (insn.row != DIS_NO_ROW && dis_rows[insn.row].storage[0].where == DIS_AT_RI2)
            put32(bytes + 2, get32(bytes + 2) - (uint32_t)((int64_t)(to - from) / 2));
        n += insn.length;
    }
}

/* Registers that lead to operands, or that the first instruction names when it is of the kinds that need them all. */
static uint32_t needed_registers(const struct compare_class *c, const uint8_t *in)
{
    struct dis_insn i;
    uint32_t set = 0;
    if (c->needed)
        return c->needed(in);
    uint16_t row = compare_insn(c, in, &i);
    if (row == DIS_NO_ROW)
        return 0xffff;
    set |= (1u << i.b1 | 1u << i.b2 | 1u << i.b4 | 1u << (i.x2 & 15)) & ~1u; /* 0: none */
    const struct dis_row *r = &dis_rows[row];
    bool all = r->flags & (DIS_BRANCHES | DIS_INTERRUPTIBLE | DIS_CC3_END);
    for (unsigned k = 0; k < 2; k++)
        all |= r->storage[k].where >= DIS_AT_R1 && r->storage[k].where <= DIS_AT_R3;
    if (all)
        set |= 0xfu | 3u << (i.r1 & 15) | 3u << (i.r2 & 15) | 3u << (i.r3 & 15);
    return set;
}

static unsigned find_items(const struct compare_class *c, const uint8_t *in, struct item *items)
{
    static const uint8_t zeros[16];
    const uint32_t needed = needed_registers(c, in);
    unsigned count = 0, length = code_length(c, in);
    for (unsigned k = 0; k < c->part_count; k++) {
        const struct compare_part *p = &c->parts[k];
        unsigned n = p->kind == COMPARE_AR || p->kind == COMPARE_FPC ? 4
                     : p->kind == COMPARE_VR                         ? 16
                     : p->kind == COMPARE_KEYS                       ? 1
                                                                     : 8;
        if (p->in == COMPARE_NONE || p->kind == COMPARE_CODE || p->kind == COMPARE_PSW || p->kind == COMPARE_CR)
            continue;
        for (unsigned at = 0; at < p->bytes && count < ITEMS_MAX; at += n)
            if (!(p->kind == COMPARE_GR && needed >> (at / n) & 1) && memcmp(in + p->in + at, zeros, n) != 0)
                items[count++] = (struct item){(uint16_t)(p->in + at), (uint16_t)n, false};
    }
    for (unsigned n = 0; n < length && length > dis_length(in[c->code]) && count < ITEMS_MAX;) {
        unsigned bytes = dis_length(in[c->code + n]);
        if (get16(in + c->code + n) != 0x0700)
            items[count++] = (struct item){(uint16_t)(c->code + n), (uint16_t)bytes, true};
        n += bytes;
    }
    return count;
}

static void take_out(uint8_t *in, const struct item *item)
{
    for (unsigned k = 0; k < item->bytes; k += 2)
        if (item->code)
            put16(in + item->at + k, 0x0700);
    if (!item->code)
        memset(in + item->at, 0, item->bytes);
}

/* Form number `n`: 0 is the case itself, then each piece alone, then runs of pieces, then random sets. false: that was
   the last. */
static bool make_form(uint8_t *in, const struct item *items, unsigned count, unsigned n, uint64_t *random)
{
    if (n >= VARIATIONS || count == 0)
        return n == 0;
    unsigned single = count < VARIATIONS / 2 ? count : VARIATIONS / 2;
    if (n && n <= single) {
        take_out(in, &items[n - 1]);
    } else if (n) {
        unsigned first = compare_below(random, count), length = 1 + compare_below(random, count);
        unsigned of = n % 3 ? 1 : 1 + compare_below(random, 4);
        for (unsigned k = 0; k < length; k++)
            if (of == 1 || compare_below(random, of))
                take_out(in, &items[(first + k) % count]);
    }
    return true;
}

int compare_vary(const struct compare_class *c, char **arg)
{
    struct item *items = calloc(ITEMS_MAX, sizeof *items);
    uint8_t *file = calloc(1, COMPARE_ELF_HEAD + AT_CASES + (size_t)VARIATIONS * c->case_size);
    uint64_t random = strtoull(arg[0], NULL, 0);
    size_t size = 0;
    uint8_t *original = compare_read(arg[1], &size);
    if (!items || !file || !original || size != c->case_size)
        return 2;
    unsigned count = find_items(c, original, items), n = 0;
    uint8_t *image = file + COMPARE_ELF_HEAD;
    /* Tables of the class, without cases of its own. */
    compare_frame(c, image, 0);
    c->make(image, 0, 1, "zri", NULL);
    for (;; n++) {
        uint64_t at = AT_CASES + (uint64_t)n * c->case_size;
        if (n >= VARIATIONS)
            break;
        memcpy(image + at, original, c->case_size);
        move_case(c, image + at, AT_CASES, at);
        if (!make_form(image + at, items, count, n, &random))
            break;
    }
    compare_frame(c, image, n);
    int status = compare_write_image(c, arg[2], file, n);
    free(file);
    free(original);
    free(items);
    return status;
}

/* Two storages that were left; `end` receives where the last case ends. false: not both whole. */
static bool read_both(const char *ours, const char *theirs, uint8_t **a, uint8_t **b, uint64_t *end)
{
    size_t size_a = 0, size_b = 0;
    *a = compare_read(ours, &size_a);
    *b = compare_read(theirs, &size_b);
    if (!*a || !*b || size_a < AT_CASES || size_b < AT_CASES)
        return false;
    *end = get64(*a + AT_POINTER + 8);
    return *end <= size_a && *end <= size_b && get64(*a + AT_POINTER) == *end && get64(*b + AT_POINTER) == *end;
}

int compare_pick(const struct compare_class *c, char **arg)
{
    uint8_t *a, *b;
    uint64_t end;
    unsigned wanted = (unsigned)strtoul(arg[4], NULL, 10);
    if (!read_both(arg[0], arg[1], &a, &b, &end))
        return 2;
    for (uint64_t at = AT_CASES; at < end; at += c->case_size) {
        if (!compare_differs(c, a + at, b + at, arg[2]) || wanted--)
            continue;
        memset(a + at + c->out, 0, c->end - c->out);
        move_case(c, a + at, at, AT_CASES);
        return compare_write(arg[3], a + at, c->case_size) ? 0 : 2;
    }
    free(a);
    free(b);
    return 1;
}

int compare_choose(const struct compare_class *c, char **arg)
{
    struct item *items = calloc(ITEMS_MAX, sizeof *items);
    uint8_t *a, *b;
    uint64_t end, best = 0;
    if (!items || !read_both(arg[0], arg[1], &a, &b, &end))
        return 2;
    unsigned fewest = find_items(c, a + AT_CASES, items);
    for (uint64_t at = AT_CASES + c->case_size; at < end; at += c->case_size) {
        unsigned n = find_items(c, a + at, items);
        if (n < fewest && compare_differs(c, a + at, b + at, arg[2])) {
            fewest = n;
            best = at;
        }
    }
    if (best) {
        memset(a + best + c->out, 0, c->end - c->out);
        move_case(c, a + best, best, AT_CASES);
    }
    bool good = !best || compare_write(arg[3], a + best, c->case_size);
    free(items);
    free(a);
    free(b);
    return !good ? 2 : best ? 0 : 1;
}

/* ---- the scripted test ----------------------------------------------------------------------------------------- */

static void print_hex(const uint8_t *at, unsigned n)
{
    while (n--)
        printf("%02X", *at++);
}

static bool all_zero(const uint8_t *at, unsigned n)
{
    while (n--)
        if (*at++)
            return false;
    return true;
}

static void print_memory(const char *word, uint64_t address, const uint8_t *at, const uint8_t *before, unsigned n)
{
    for (unsigned k = 0, piece; k < n; k += piece) {
        piece = n - k < 16 ? n - k : 16;
        if (before ? memcmp(at + k, before + k, piece) == 0 : all_zero(at + k, piece))
            continue;
        printf("    %smem %llX = ", word, (unsigned long long)(address + k));
        print_hex(at + k, piece);
        putchar('\n');
    }
}

/* Registers: those given, or (`before`) those expected to have changed. */
static void print_registers(const char *word, char letter, const struct compare_part *p, const uint8_t *at,
                            const uint8_t *before, unsigned size)
{
    for (unsigned k = 0; k < p->bytes / size; k++) {
        if (before ? memcmp(at + size * k, before + size * k, size) == 0 : all_zero(at + size * k, size))
            continue;
        printf("    %s%c%u = ", word, letter, p->where + k);
        print_hex(at + size * k, size);
        putchar('\n');
    }
}

static void print_part(const struct compare_part *p, const uint8_t *a, bool expected)
{
    static const char letters[] = {
        [COMPARE_GR] = 'r', [COMPARE_AR] = 'a', [COMPARE_CR] = 'c', [COMPARE_FR] = 'f', [COMPARE_VR] = 'v'};
    const uint16_t offset = expected ? p->out : p->in;
    const uint8_t *at = a + offset, *before = expected && p->in != COMPARE_NONE ? a + p->in : NULL;
    const char *word = expected ? "expect " : "";
    if (offset == COMPARE_NONE)
        return;
    switch (p->kind) {
    case COMPARE_GR:
    case COMPARE_AR:
    case COMPARE_CR:
    case COMPARE_FR:
    case COMPARE_VR:
        print_registers(word, letters[p->kind], p, at, before,
                        p->kind == COMPARE_AR   ? 4
                        : p->kind == COMPARE_VR ? 16
                                                : 8);
        break;
    case COMPARE_FPC:
        printf("    %sfpc = %08X\n", word, get32(at));
        break;
    case COMPARE_MEMORY:
        print_memory(word, p->where, at, before, p->bytes);
        break;
    case COMPARE_KEYS:
        for (unsigned k = 0; k < p->bytes; k++)
            if (before ? before[k] != at[k] : at[k] != 0)
                printf("    %sstorage key %X = %02X\n", word, p->where + 4096 * k, at[k]);
        break;
    default:
        break;
    }
}

/* How it ended: a program interruption or the SVC behind it; what branches is one instruction that ends somewhere. */
static void print_end(const struct compare_class *c, const uint8_t *a, bool branches)
{
    const struct compare_part *codes = compare_part_of(c, COMPARE_CODES), *old = compare_part_of(c, COMPARE_OLD_PSW);
    unsigned pic = compare_pic(c, a);
    const uint8_t *psw = a + old->out + (pic ? 16 : 0), *id = a + codes->out - codes->where;
    if (pic)
        printf("    expect program %X ilc %X\n", pic, id[141] & 6);
    else
        printf(branches ? "    run 1\n" : "    expect svc %X\n", id[139]);
    printf("    expect psw = %016llX %016llX\n", (unsigned long long)get64(psw),
           (unsigned long long)get64(psw + 8) - (branches && !pic ? 2 : 0));
    if (pic == 7)
        printf("    expect dxc = %02X\n", id[147]);
    if (codes->bytes + codes->where >= 176 && get64(id + 168))
        printf("    expect teid = %016llX\n", (unsigned long long)get64(id + 168));
}

int compare_keep(const struct compare_class *c, char **arg)
{
    const struct compare_part *psw = compare_part_of(c, COMPARE_PSW);
    uint8_t *a, *b;
    uint64_t end;
    char text[128];
    if (!read_both(arg[0], arg[1], &a, &b, &end))
        return 2;
    const uint8_t *in = a + AT_CASES, *theirs = b + AT_CASES;
    const uint64_t start = get64(in + psw->in + 8);
    printf(
        "# SPDX-License-Identifier: GPL-3.0-or-later\n"
        "# Found by comparison. Expected is what the reference engine did: look whether the book says so.\ntest %s\n",
        arg[2]);
    for (unsigned k = 0; k < c->part_count; k++)
        if (c->parts[k].kind != COMPARE_CODE)
            print_part(&c->parts[k], in, false);
    if (c->nucleus_controls && !compare_part_of(c, COMPARE_CR))
        printf("    c0 = %016llX\n", (unsigned long long)c->nucleus_controls);
    print_memory("", c->tables[0], a + c->tables[0], NULL, (unsigned)(c->tables[1] - c->tables[0]));
    printf("    psw = %016llX %016llX\n    at %llX\n", (unsigned long long)get64(in + psw->in),
           (unsigned long long)start, (unsigned long long)start);
    const uint8_t svc[2] = {0x0a, compare_pic(c, in) ? 1 : in[compare_part_of(c, COMPARE_CODES)->out + 3]};
    for (unsigned n = 0, length = code_length(c, in); n <= length;) {
        const uint8_t *bytes = n < length ? in + c->code + n : svc;
        dis_text(bytes, start + n, false, text, sizeof text);
        printf("    do hex ");
        print_hex(bytes, dis_length(*bytes));
        printf(" # %s\n", text);
        n += dis_length(*bytes);
    }
    if (c->target && get16(in + c->code) == 0xc600) {
        const uint64_t target = start + 2 * (uint64_t)(int64_t)(int32_t)get32(in + c->code + 2);
        dis_text(in + c->target, target, false, text, sizeof text);
        printf("    mem %llX = ", (unsigned long long)target);
        print_hex(in + c->target, dis_length(in[c->target]));
        printf(" # %s\n", text);
    }
    struct dis_insn first;
    uint16_t row = compare_insn(c, in, &first);
    print_end(c, in,
              row != DIS_NO_ROW && dis_rows[row].flags & DIS_BRANCHES && code_length(c, in) == dis_length(in[c->code]));
    for (unsigned k = 0; k < c->part_count; k++)
        print_part(&c->parts[k], in, true);
    printf("    # the other side: program %X, old PSW ", compare_pic(c, theirs));
    print_hex(theirs + compare_part_of(c, COMPARE_OLD_PSW)->out + (compare_pic(c, theirs) ? 16 : 0), 16);
    putchar('\n');
    free(a);
    free(b);
    return 0;
}
