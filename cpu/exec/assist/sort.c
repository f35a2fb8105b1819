/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SORT LISTS. The book with it (SA22-1082-00, "The Enhanced-Sort Facility for z/Architecture") is not at hand. The
   fields of the parameter block, the modes and what the condition codes mean are as IBM's patents on the instruction
   have them (US 10,831,478, 10,831,502, 10,831,503, 12,393,399); what was settled without them is marked with the word
   Reading, and tests/unit/test_sort.c and tests/script/sort.zt pin it.

   The heads of the active input lists are compared; the first in order is stored. In the merge mode that gives one
   output list. In the sort mode heads that belong before the record stored last wait for the next output list, which
   begins when no others are left. Only what was stored has left its input list, so the state of an operation is in the
   registers and the parameter block, and for the open output list in the continuation state (its place) and in the
   continuation-record-recall buffer (the key of its last record).

   An execution that meets an access exception ends before it with condition code 3; the next meets it with nothing
   done, and is nullified. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/operand.h"
#include <string.h>

enum { QUERY = 0, FIXED = 1, VARIABLE = 2 };                                       /* function codes */
enum { PARAMETER = 1 };                                                            /* general register */
enum { AMOUNT = 32768, RECORD = 4096, HEADER = 8, LISTS = 128, DELINEATION = 16 }; /* AMOUNT: bytes of one execution */
enum { CONTINUE_ALL = 0, END_OTHER = 1, END_ZERO = 2 };                            /* empty-input-lists control, bits */

/* The parameter block: offsets of fields, and bits in their bytes. */
enum {
    BLOCK_VERSION = 0,
    BLOCK_MODEL = 2,
    BLOCK_ORDER = 7, /* bit 0: sort order; bit 7: continuation flag */
    BLOCK_KEY = 10,
    BLOCK_PAYLOAD = 14,
    BLOCK_ACTIVE = 33,
    BLOCK_EMPTY = 40, /* bits 0-1 control, bit 2 flag */
    BLOCK_EMPTY_NUMBER = 41,
    BLOCK_INCOMPLETE = 46, /* bit 0 */
    BLOCK_INCOMPLETE_NUMBER = 47,
    BLOCK_RECALL = 56,
    BLOCK_STATE = 64,
    BLOCK_LISTS = 576,
    DESCENDING = 0x80,
    CF = 0x01,
    EMPTY = 0x20,
    INCOMPLETE = 0x80,
};

/* Reading: the number of this model, and the format of its continuation state. */
enum {
    MODEL = 1,
    STATE_FUNCTION = BLOCK_STATE,  /* function code and mode, as in general register 0 */
    STATE_ORDER = BLOCK_STATE + 1, /* sort order */
    STATE_KEY = BLOCK_STATE + 2,
    STATE_OPEN = BLOCK_STATE + 4, /* 1: there is an output list, which is not at its end */
    STATE_AT = BLOCK_STATE + 8,
    STATE_LENGTH = BLOCK_STATE + 16,
};

struct list {
    uint64_t address, length;
    uint64_t prefix; /* of the key, so that the lower comes first */
    unsigned size;   /* of the record */
    bool head;       /* there is one, and all of it */
    bool later;      /* it belongs to the next output list */
};

struct call {
    struct cpu *cpu;
    uint8_t r1, r2;
    bool variable, merge, descending;
    unsigned key, payload; /* lengths */
    unsigned active;       /* input lists */
    unsigned size;         /* of the parameter block */
    uint64_t to, room;     /* first operand */
    uint64_t at, space;    /* second operand */
    bool open;             /* sort mode: an output list is being made */
    uint64_t open_at, open_length;
    int incomplete, empty; /* number of the list that ends the operation, or -1 */
    unsigned done;         /* bytes stored in this execution */
    bool progress, ended;  /* something was stored; the condition code is final */
    uint8_t cc;
    uint8_t last[RECORD]; /* key of the record stored last, while an output list is open */
    uint8_t block[BLOCK_LISTS + LISTS * 16];
    struct list list[LISTS];
};

static int end(struct call *c, uint8_t cc)
{
    c->ended = true;
    c->cc = cc;
    return 0;
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

/* How a key compares with another: below zero, it comes first. */
static int order(const struct call *c, const uint8_t *a, const uint8_t *b)
{
    const int way = memcmp(a, b, c->key);
    return c->descending ? -way : way;
}

static int fetch_key(struct call *c, const struct list *l, uint8_t *key)
{
    return cpu_fetch_bytes(c->cpu, l->address, PARAMETER, key, c->key);
}

/* The length of the record at the head of list n; *whole: all of it is there. A record of variable length has behind
   its key six reserved bytes and two bytes with the length of its payload. Reading: their order. */
static int measure(struct call *c, struct list *l, bool *whole)
{
    unsigned payload = c->payload;
    l->size = c->key + payload;
    if (c->variable) {
        uint16_t length;
        l->size = c->key + HEADER;
        *whole = l->length >= l->size;
        if (!*whole)
            return 0;
        int code = cpu_fetch2(c->cpu, cpu_wrap(c->cpu, l->address + c->key + HEADER - 2), PARAMETER, &length);
        if (code)
            return code;
        if (length % 8 || l->size + length > RECORD)
            return cpu_data_exception(c->cpu, DXC_DECIMAL);
        l->size += length;
    }
    *whole = l->length >= l->size;
    return 0;
}

/* Look at the head of list n. */
static int take_head(struct call *c, unsigned n)
{
    struct list *l = &c->list[n];
    bool whole;
    l->head = l->later = false;
    if (!l->length)
        return 0;
    int code = measure(c, l, &whole);
    if (code)
        return code;
    if (!whole) {
        if (c->incomplete < 0)
            c->incomplete = (int)n;
        return 0;
    }
    code = cpu_fetch8(c->cpu, l->address, PARAMETER, &l->prefix);
    if (code)
        return code;
    if (c->descending)
        l->prefix = ~l->prefix;
    if (c->open) {
        uint8_t key[RECORD];
        code = fetch_key(c, l, key);
        if (code)
            return code;
        l->later = order(c, key, c->last) < 0;
    }
    l->head = true;
    return 0;
}

/* The list whose head comes first, or -1. Of equal keys that of the list with the lowest number does: Reading. */
static int choose(struct call *c, int *chosen)
{
    uint8_t keys[2][RECORD];
    uint8_t *best_key = keys[0], *key = keys[1];
    int best = -1, held = -1; /* held: the list that best_key is of */
    for (unsigned n = 0; n < c->active; n++) {
        const struct list *l = &c->list[n];
        if (!l->head || l->later || (best >= 0 && l->prefix > c->list[best].prefix))
            continue;
        if (best >= 0 && l->prefix == c->list[best].prefix) {
            int code = held == best ? 0 : fetch_key(c, &c->list[best], best_key);
            if (!code)
                code = fetch_key(c, l, key);
            if (code)
                return code;
            held = best;
            if (order(c, key, best_key) >= 0)
                continue;
            uint8_t *other = best_key;
            best_key = key;
            key = other;
            held = (int)n;
        }
        best = (int)n;
    }
    *chosen = best;
    return 0;
}

/* ---- output lists ----------------------------------------------------------------------------------------------- */

/* The open output list is at its end: store its delineation. Reading: R2 passes it only then. */
static int close_list(struct call *c)
{
    uint8_t delineation[DELINEATION];
    if (!c->open)
        return 0;
    put64(delineation, c->open_at);
    put64(delineation + 8, c->open_length);
    int code = cpu_store_bytes(c->cpu, c->at, c->r2, delineation, DELINEATION);
    if (code)
        return code;
    c->at = cpu_wrap(c->cpu, c->at + DELINEATION);
    c->space -= DELINEATION;
    c->open = false;
    c->progress = true;
    for (unsigned n = 0; n < c->active; n++)
        c->list[n].later = false;
    return 0;
}

/* There is room for another delineation, or the operation ends. */
static int open_list(struct call *c)
{
    if (c->space < DELINEATION)
        return end(c, 1);
    int code = cpu_test(c->cpu, c->at, c->r2, DELINEATION, CPU_STORE);
    if (code)
        return code;
    c->open_at = c->to;
    c->open_length = 0;
    return 0;
}

/* The list has become empty. Does that end the merge? Reading: not when no records are left at all; a list that is
   empty from the start does not end it; the flag tells of every such end; the sort mode does not look at the
   control. */
static bool ends_when_empty(const struct call *c, unsigned n)
{
    const unsigned control = c->block[BLOCK_EMPTY] >> 6;
    if (!c->merge || !(control & (n ? END_OTHER : END_ZERO)))
        return false;
    for (unsigned other = 0; other < c->active; other++)
        if (c->list[other].length)
            return true;
    return false;
}

/* Move the head of list n to the first operand. */
static int move_record(struct call *c, unsigned n)
{
    uint8_t record[RECORD];
    struct list *l = &c->list[n];
    int code = cpu_fetch_bytes(c->cpu, l->address, PARAMETER, record, l->size);
    if (!code && !c->merge && !c->open) {
        code = open_list(c);
        if (c->ended)
            return 0;
    }
    if (!code)
        code = cpu_store_bytes(c->cpu, c->to, c->r1, record, l->size);
    if (code)
        return code;
    c->open = !c->merge;
    c->open_length += l->size;
    c->to = cpu_wrap(c->cpu, c->to + l->size);
    c->room -= l->size;
    l->address = cpu_wrap(c->cpu, l->address + l->size);
    l->length -= l->size;
    c->done += l->size;
    c->progress = true;
    if (c->open)
        memcpy(c->last, record, c->key);
    if (!l->length && ends_when_empty(c, n)) {
        c->empty = (int)n;
        (void)end(c, 2);
    }
    return take_head(c, n);
}

/* One record, or the end of an output list. */
static int step(struct call *c)
{
    int chosen;
    if (c->incomplete >= 0)
        return end(c, 2);
    int code = choose(c, &chosen);
    if (code)
        return code;
    if (chosen < 0) {
        const bool waiting = c->open;
        code = close_list(c);
        for (unsigned n = 0; !code && waiting && n < c->active; n++)
            if (c->list[n].head)
                return 0;
        return code ? code : end(c, 0);
    }
    if (c->room >= c->list[chosen].size)
        return move_record(c, (unsigned)chosen);
    /* Reading: what comes next may come to another place, so it is another output list. */
    code = close_list(c);
    return code ? code : end(c, 1);
}

/* ---- the parameter block ---------------------------------------------------------------------------------------- */

static uint64_t block_address(const struct call *c) { return cpu_gr_address(c->cpu, PARAMETER); }

static uint64_t recall_address(const struct call *c)
{
    return cpu_wrap(c->cpu, get64(c->block + BLOCK_RECALL) & PAGE_ADDRESS);
}

/* Go on with the output list of the execution before. Reading: what another model left, or what does not belong to
   these operands, is a general-operand data exception. */
static int resume(struct call *c, unsigned options)
{
    const uint8_t *block = c->block;
    if (block[BLOCK_MODEL] != MODEL || block[STATE_FUNCTION] != options ||
        block[STATE_ORDER] != (block[BLOCK_ORDER] & DESCENDING) || get16(block + STATE_KEY) != c->key)
        return cpu_data_exception(c->cpu, DXC_DECIMAL);
    c->open = block[STATE_OPEN] == 1 && !c->merge;
    if (!c->open)
        return 0;
    c->open_at = cpu_wrap(c->cpu, get64(block + STATE_AT));
    c->open_length = get64(block + STATE_LENGTH);
    if (cpu_wrap(c->cpu, c->open_at + c->open_length) != c->to || c->space < DELINEATION)
        return cpu_data_exception(c->cpu, DXC_DECIMAL);
    return cpu_fetch_bytes(c->cpu, recall_address(c), PARAMETER, c->last, c->key);
}

/* General-operand data exceptions of the lengths. Reading: a record has at most 4096 bytes, its header among them. */
static bool malformed(const struct call *c)
{
    return !c->key || c->key % 8 || c->key > RECORD ||
           (!c->variable && (c->payload % 8 || c->key + c->payload > RECORD));
}

/* Take over the fields of the parameter block and look at the lists. */
static int begin(struct call *c, unsigned options)
{
    const uint8_t *block = c->block;
    c->descending = block[BLOCK_ORDER] & DESCENDING;
    c->key = get16(block + BLOCK_KEY);
    c->payload = get16(block + BLOCK_PAYLOAD);
    c->active = (block[BLOCK_ACTIVE] & 0x7fu) + 1;
    if (malformed(c) || c->active > (c->size - BLOCK_LISTS) / 16)
        return cpu_data_exception(c->cpu, DXC_DECIMAL);
    for (unsigned n = 0; n < c->active; n++) {
        c->list[n].address = cpu_wrap(c->cpu, get64(block + BLOCK_LISTS + 16 * n));
        c->list[n].length = get64(block + BLOCK_LISTS + 16 * n + 8);
        if (c->list[n].address & 7) /* Reading */
            return cpu_data_exception(c->cpu, DXC_DECIMAL);
    }
    int code = c->merge ? 0 : cpu_test(c->cpu, recall_address(c), PARAMETER, PAGE_SIZE_Z, CPU_UPDATE);
    if (!code && block[BLOCK_ORDER] & CF)
        code = resume(c, options);
    for (unsigned n = 0; !code && n < c->active; n++)
        code = take_head(c, n);
    return code;
}

/* The parameter block is fetched as far as its version says that it goes. Reading: an interface size that is not
   installed is a general-operand data exception, as another format is. */
static int fetch_block(struct call *c)
{
    uint16_t version;
    int code = cpu_fetch2(c->cpu, block_address(c), PARAMETER, &version);
    if (code)
        return code;
    const unsigned format = version >> 4 & 15, size = version & 15;
    if (format || (size != 2 && size != 4))
        return cpu_data_exception(c->cpu, DXC_DECIMAL);
    c->size = BLOCK_LISTS + 16 * (8u << size);
    code = cpu_test(c->cpu, block_address(c), PARAMETER, c->size, CPU_UPDATE);
    return code ? code : cpu_fetch_bytes(c->cpu, block_address(c), PARAMETER, c->block, c->size);
}

static void save_state(struct call *c, unsigned options)
{
    uint8_t *block = c->block;
    block[BLOCK_ORDER] |= CF;
    memset(block + BLOCK_STATE, 0, BLOCK_LISTS - BLOCK_STATE);
    block[STATE_FUNCTION] = (uint8_t)options;
    block[STATE_ORDER] = block[BLOCK_ORDER] & DESCENDING;
    put16(block + STATE_KEY, (uint16_t)c->key);
    if (c->open) {
        block[STATE_OPEN] = 1;
        put64(block + STATE_AT, c->open_at);
        put64(block + STATE_LENGTH, c->open_length);
    }
}

/* What a list that ended the operation leaves in its flag and number. */
static void tell(uint8_t *flag, uint8_t bit, uint8_t *number, int n)
{
    *flag = (uint8_t)((*flag & ~bit) | (n < 0 ? 0 : bit));
    *number = (uint8_t)(n < 0 ? 0 : n);
}

/* Everything that shows what was done: recall buffer, parameter block, registers. Reading: the recall buffer belongs to
   the sort mode, and the continuation flag is one after every condition code but 0. */
static int commit(struct call *c, unsigned options)
{
    struct cpu *cpu = c->cpu;
    uint8_t *block = c->block;
    int code = c->open && c->cc ? cpu_store_bytes(cpu, recall_address(c), PARAMETER, c->last, c->key) : 0;
    if (code)
        return code;
    block[BLOCK_MODEL] = MODEL;
    tell(block + BLOCK_EMPTY, EMPTY, block + BLOCK_EMPTY_NUMBER, c->empty);
    tell(block + BLOCK_INCOMPLETE, INCOMPLETE, block + BLOCK_INCOMPLETE_NUMBER, c->cc == 2 ? c->incomplete : -1);
    for (unsigned n = 0; n < c->active; n++) {
        put64(block + BLOCK_LISTS + 16 * n, c->list[n].address);
        put64(block + BLOCK_LISTS + 16 * n + 8, c->list[n].length);
    }
    if (c->cc)
        save_state(c, options);
    else
        block[BLOCK_ORDER] &= (uint8_t)~CF;
    code = cpu_store_bytes(cpu, block_address(c), PARAMETER, block, c->size);
    if (code)
        return code;
    set_gr_address(cpu, c->r1, c->to);
    set_gr_address(cpu, c->r1 + 1u, c->room);
    if (!c->merge) {
        set_gr_address(cpu, c->r2, c->at);
        set_gr_address(cpu, c->r2 + 1u, c->space);
    }
    cpu->cc = c->cc;
    return 0;
}

/* ---- the instruction -------------------------------------------------------------------------------------------- */

static int query(struct cpu *cpu)
{
    uint8_t block[32] = {0};
    put64(block, BIT64(QUERY) | BIT64(FIXED) | BIT64(VARIABLE));
    block[16] = 0x28; /* interface sizes 2 and 4: 32 and 128 input lists */
    block[24] = 0x80; /* parameter blocks of format 0 */
    int code = cpu_store_bytes(cpu, cpu_gr_address(cpu, PARAMETER), PARAMETER, block, sizeof block);
    if (!code)
        cpu->cc = 0;
    return code;
}

/* SORT LISTS: general register 0 has the function code (bits 57-63) and the mode (bit 56: merge), general register 1
   the parameter block; R1 and R1+1 the first operand, where output lists are stored; R2 and R2+1, in the sort mode, the
   second, where 16 bytes for each output list are stored: its address and its length. CC: 0 all records were stored;
   1 an operand is full; 2 an input list is incomplete, or is empty when that is to end the merge: a flag and the number
   of the list say so; 3 an amount that the CPU chose. Unless it is 0, executing the instruction again goes on.
   Exceptions: specification (function code, registers odd or 0, parameter block or operands not on a doubleword;
   Reading: the operands, and that R2 is looked at in every mode); data with DXC 0 (parameter block, records);
   access. */
int cpu_sortl(struct cpu *cpu, const struct dis_insn *i)
{
    const unsigned options = (unsigned)cpu->gr[0] & 0xff, function = options & 0x7f;
    if (function > VARIABLE || !i->r1 || !i->r2 || (cpu_gr_address(cpu, PARAMETER) & 7))
        return PIC_SPECIFICATION;
    if (function == QUERY)
        return query(cpu);
    struct call c;
    memset(&c, 0, offsetof(struct call, last));
    c.cpu = cpu;
    c.r1 = i->r1;
    c.r2 = i->r2;
    c.variable = function == VARIABLE;
    c.merge = options & 0x80;
    c.to = cpu_gr_address(cpu, i->r1);
    c.room = cpu_gr_length(cpu, i->r1 + 1u);
    c.at = cpu_gr_address(cpu, i->r2);
    c.space = cpu_gr_length(cpu, i->r2 + 1u);
    c.incomplete = c.empty = -1;
    if ((c.to | (c.merge ? 0 : c.at)) & 7)
        return PIC_SPECIFICATION;
    int code = fetch_block(&c);
    if (!code)
        code = begin(&c, options);
    while (!code && !c.ended && c.done < AMOUNT)
        code = step(&c);
    cpu_work(cpu, c.done);
    if (code && !c.progress)
        return code;
    if (!c.ended)
        c.cc = 3;
    return commit(&c, options);
}
