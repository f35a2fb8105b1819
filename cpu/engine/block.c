/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The block engine: the cache of blocks, and the run loop around them. */
#include "cpu/engine/block.h"
#include "cpu/control/edges.h"
#include "cpu/control/interrupt.h"
#include "cpu/control/sample.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "cpu/storage/main.h"
#include "ri/counters/counters.h"
#include "ri/ri.h"
#include <stdlib.h>
#include <sys/mman.h>

static void forget(struct cpu *cpu, struct block_cache *cache)
{
    cache->table = cache->table_before = NULL;
    for (unsigned i = 0; i < TABLES && cache->clock; i++) /* else none was used */
        cache->tables[i].key = 0;
    if (cache->used) { /* else they are zeros that no page of the host was taken for */
        memset(cache->buckets, 0, sizeof cache->buckets);
        memset(cache->pages, 0, cache->page_count * sizeof *cache->pages);
        memset(cache->owner, 0, sizeof cache->owner);
        memset(cache->owned, 0, sizeof cache->owned);
    }
    block_predictor_end(cpu);
    if (cpu->edges)
        cpu->edges->names++;
    if (cache->branch_count)
        memset(cache->branches, 0, sizeof cache->branches);
    cache->branch_count = 0;
    cache->used = 0;
    cache->purge = false;
    if (cache->translator)
        cache->translator->forgotten(cache->translator);
}

static struct block_cache *create(struct cpu *cpu)
{
    const struct storage *storage = &cpu->sys->storage;
    /* Mapped, so that pages never reached cost nothing: a machine may live for a few instructions. */
    struct block_cache *cache = storage_map(sizeof *cache);
    if (!cache)
        return NULL;
    cache->page_count = storage->total / PAGE_SIZE_Z;
    cache->storage = storage->bytes;
    cache->pages = calloc(cache->page_count, sizeof *cache->pages);
    cache->arena = storage_map_large(ARENA, ARENA_SMALL); /* large programs walk all over it */
    if (!cache->pages || !cache->arena) {
        block_destroy(cache);
        return NULL;
    }
    cache->none.need = BLOCK_NEVER;
    cache->none.ia = 1; /* odd: never looked for */
    forget(cpu, cache);
    return cache;
}

void block_translator_destroy(struct block_translator *translator)
{
    if (translator)
        translator->destroy(translator);
}

void block_destroy(struct block_cache *cache)
{
    if (!cache)
        return;
    if (cache->arena)
        munmap(cache->arena, ARENA);
    free(cache->pages);
    munmap(cache, sizeof *cache);
}

/* Nobody enters the block any more. */
static void close_block(struct block_cache *cache, struct block *block)
{
    block->need = BLOCK_NEVER;
    if (cache->translator)
        cache->translator->dropped(cache->translator, block);
}

void block_purge(struct block_cache *cache)
{
    if (!cache)
        return;
    /* A run may be going on in one of them: none is entered any more, the room is used again at the next dispatch. */
    for (unsigned i = 0; cache->used && i < BUCKETS; i++)
        for (struct block *block = cache->buckets[i]; block; block = block->next)
            close_block(cache, block);
    cache->purge = true;
}

void *block_alloc(struct block_cache *cache, uint64_t size)
{
    size = (size + 31) & ~UINT64_C(31);
    if (cache->purge || ARENA - cache->used < size) {
        block_full(cache);
        return NULL;
    }
    void *place = cache->arena + cache->used;
    cache->used += size;
    return memset(place, 0, sizeof(struct block));
}

static unsigned bucket(uint64_t absolute) { return (unsigned)((absolute >> 1) ^ (absolute >> 14)) % BUCKETS; }

static void drop(struct block_cache *cache, struct block *block)
{
    struct block **place = &cache->buckets[bucket(block->absolute)];
    while (*place != block)
        place = &(*place)->next;
    *place = block->next;
    close_block(cache, block);
}

/* The operation of instruction `n` as it was decoded. */
static handler decoded(struct block *block, uint64_t n)
{
    return n == 0 && block->first ? block->first : block_op(block, n)->run;
}

/* The instruction there was changed. */
static void note_place(struct block_cache *cache, uint64_t absolute)
{
    struct volatile_place *place = block_place_of(cache, absolute);
    if (place->at != absolute + 1)
        *place = (struct volatile_place){.at = absolute + 1};
    place->changes++;
}

/* Offsets `first` to before `end` of its page were changed: must the block go? Not for instructions that are decoded
   each time. */
static bool concerns(struct block_cache *cache, struct block *block, unsigned first, unsigned end)
{
    bool all = false;
    if (block_count(block) == 0 || block->need == BLOCK_NEVER) /* of no instruction; purged */
        return true;
    for (unsigned n = 0; n < block_count(block); n++) {
        const struct op *op = block_op(block, n);
        if (op->offset >= end || first >= op->offset + op->length || decoded(block, n) == op_volatile)
            continue;
        note_place(cache, (block->absolute & PAGE_ADDRESS) | op->offset);
        all = true;
    }
    return all;
}

/* The caller took the marks off the lines of 64 bytes: from the first block that stays to the last they come again. */
bool block_code_changed(struct cpu *cpu, uint64_t absolute, unsigned length)
{
    struct block_cache *cache = cpu->engine->blocks;
    uint64_t page = absolute / PAGE_SIZE_Z, base = page * PAGE_SIZE_Z;
    if (page >= cache->page_count || length == 0)
        return false;
    unsigned first = (unsigned)(absolute % PAGE_SIZE_Z), end = first + length, low = first & ~63u,
             high = (end + 63) & ~63u, from = high, to = low;
    bool dropped = false;
    for (struct block *block, **place = &cache->pages[page]; (block = *place) != NULL;) {
        unsigned start = (unsigned)(block->absolute % PAGE_SIZE_Z);
        if (start < end && first < block->end && concerns(cache, block, first, end)) {
            drop(cache, block);
            *place = block->in_page;
            dropped = true;
            continue;
        }
        if (start < from && low < block->end)
            from = start > low ? start : low;
        if (start < high && to < block->end)
            to = block->end < high ? block->end : high;
        place = &block->in_page;
    }
    if (from < to)
        storage_code_mark(cpu->sys, base + from, to - from);
    if (dropped && cpu->sys->storage.page_changes[page] < UINT8_MAX)
        cpu->sys->storage.page_changes[page]++;
    return dropped;
}

void block_anew(struct cpu *cpu, struct op *op)
{
    struct block_cache *cache = cache_of(cpu);
    struct block *block = block_of(op), **place = &cache->pages[block->absolute / PAGE_SIZE_Z];
    while (*place && *place != block)
        place = &(*place)->in_page;
    if (!*place)
        return;
    *place = block->in_page;
    drop(cache, block);
}

void block_steady(struct cpu *cpu, struct op *op)
{
    block_place_of(cache_of(cpu), (block_of(op)->absolute & PAGE_ADDRESS) | op->offset)->at = 0;
    block_anew(cpu, op);
}

static ALWAYS_INLINE uint64_t mode_of(const struct cpu *cpu)
{
    uint64_t psw = cpu->psw.mask;
    uint64_t mode = (psw & PSW_EA ? MODE_EA : 0) | (psw & PSW_BA ? MODE_BA : 0) |
                    (psw & PSW_PROBLEM ? MODE_PROBLEM : 0) | (psw & PSW_PM_FIXED_POINT_OVERFLOW ? MODE_OVERFLOW : 0);
    mode |= (cpu->cr[0] & CR0_AFP ? MODE_AFP : 0) | (cpu->cr[0] & CR0_VECTOR ? MODE_VECTOR : 0);
    mode |= (uint64_t)ri_block_key(cpu->ri, psw & PSW_PROBLEM) << MODE_RI_SHIFT;
    mode |= mode & MODE_RI_CYCLES || cpu->counters->counting ? MODE_CYCLES : 0;
    return mode;
}

uint64_t block_mode(const struct cpu *cpu) { return mode_of(cpu); }

/* Choose the table of jumps for `key`. */
static void choose_table(struct cpu *cpu, struct block_cache *cache, uint64_t key)
{
    struct jumps *table = cache->table_before;
    cpu->block_key = key;
    if (cache->table && cache->table->key == key)
        return;
    if (!table || table->key != key)
        table = cache->tables;
    for (unsigned i = 0; i < TABLES && table->key != key; i++) {
        if (cache->tables[i].key == key) {
            table = &cache->tables[i];
            break;
        }
        if (cache->tables[i].used < table->used)
            table = &cache->tables[i];
    }
    if (table->key != key) {
        table->key = key;
        if (!table->used)
            storage_populate(table, sizeof *table);
        for (unsigned i = 0; i < JUMPS; i++)
            table->block[i] = &cache->none;
    }
    table->used = ++cache->clock;
    cache->table_before = cache->table;
    cache->table = table;
    cpu->jumps = table->block;
}

/* The translator counts how often a new block is entered. A loop that waits for other CPUs counts its passes itself. */
static void offer(struct block_cache *cache, struct block *block)
{
    if (!cache->translator)
        return;
    block->first = block->ops[0].run;
    block->code = cache->translator->outside;
    if (block->first != op_spin && (block->first != op_crossing || block->tail) && block->need) {
        block->heat = cache->translator->executions;
        block->ops[0].run = cache->translator->heat;
    }
}

/* Threads: code is marked before it is looked at, as far as a block may reach. */
static bool claim(struct cpu *cpu, uint64_t absolute)
{
    unsigned length = PAGE_SIZE_Z - (unsigned)(absolute % PAGE_SIZE_Z);
    if (length > 6 * BLOCK_INSTRUCTIONS)
        length = 6 * BLOCK_INSTRUCTIONS;
    if (LIKELY(storage_code_claim(cpu->sys, absolute, length)))
        return true;
    cpu->settle = cpu->wants_alone = true;
    return false;
}

struct block *block_lookup(struct cpu *cpu, uint64_t ia)
{
    struct block_cache *cache = cache_of(cpu);
    struct block **jump = &cpu->jumps[jump_slot(ia)];
    uint64_t absolute;
    if ((*jump)->ia == ia && (*jump)->need != BLOCK_NEVER)
        return *jump;
    if (ia & 1 || cache->purge || engine_break_at(cpu, ia) || cpu_instruction_page(cpu, ia, &absolute))
        return NULL; /* what a breakpoint stops before is not fetched */
    absolute = (absolute & PAGE_ADDRESS) | (ia & ~PAGE_ADDRESS);
    uint64_t page = absolute / PAGE_SIZE_Z;
    if (page >= cache->page_count)
        return NULL;
    if (UNLIKELY(cache->mode & MODE_EDGES) && !cpu_edges_mark(cpu, absolute))
        return NULL;
    struct block **head = &cache->buckets[bucket(absolute)], **place = head, *block;
    while ((block = *place) && !(block->absolute == absolute && block->ia == ia && block->mode == cache->mode))
        place = &block->next;
    if (block) { /* what is looked for again is found sooner */
        *place = block->next;
        block->next = *head;
        *head = block;
    } else {
        if (!claim(cpu, absolute))
            return NULL;
        block = block_decode(cpu, cache, ia, absolute);
        if (!block)
            return NULL;
        offer(cache, block);
        block->next = *head;
        *head = block;
        block->in_page = cache->pages[page];
        cache->pages[page] = block;
        storage_code_mark(cpu->sys, absolute, block->end - (absolute & 0xfff));
    }
    *jump = block;
    return block;
}

static ALWAYS_INLINE void nothing_happened(struct cpu *cpu)
{
    cpu->refetch = cpu->worked = cpu->tables_doubt = false;
    cpu->executed = false;
    cpu->look_around = false;
    cpu->code_back = 0;
}

/* Carry out blocks from `op` on until the run is left. The condition code follows from a and b there. Inline in the run
   loop: a guest that calls its supervisor again and again comes here for every few instructions. */
static ALWAYS_INLINE void enter(struct cpu *cpu, struct block_cache *cache, struct op *op, uint64_t a, uint64_t b,
                                uint64_t kind)
{
    nothing_happened(cpu);
#ifdef BLOCK_LOOP
    cache->op = op;
    cache->a = a;
    cache->b = b;
    cache->kind = kind;
    cache->tlb = cpu->tlb;
    while (cache->op)
        cache->op->run(cpu, cache->op, cache->a, cache->b, cache->kind, cache->tlb);
#else
    (void)cache;
    op->run(cpu, op, a, b, kind, cpu->tlb);
#endif
}

/* The same, perhaps in the middle of a block. The budget stands where the block begins. */
static __attribute__((noinline)) void enter_anywhere(struct cpu *cpu, struct block_cache *cache, struct op *op)
{
    uint64_t a = cpu->cc, b = 0, kind = KIND_CC;
    if (op->kind != KIND_DYNAMIC) {
        kind = op->kind;
        block_cc_operands(op->kind, cpu->cc, &a, &b);
    }
    enter(cpu, cache, op, a, b, kind);
}

/* While RI is active blocks run up to the instruction before the next sample instruction: the budget is held back. */
static int64_t ri_hold(struct cpu *cpu)
{
    if (!ri_active(cpu->ri))
        return 0;
    if (!ri_fast(cpu->ri))
        return cpu_left(cpu);
    uint64_t units = ri_remaining(cpu->ri) - 1;
    if (ri_charges_cycles(cpu->ri))
        units /= 3;
    const int64_t left = cpu_left(cpu);
    return units < (uint64_t)left ? left - (int64_t)units : 0;
}

/* The budget is held back likewise up to the next sample of the sampling facility. No instruction takes more cycles
   than the longest execute-type instruction with the longest target. */
static int64_t sampling_hold(const struct cpu *cpu)
{
    uint64_t most = (counters_until_sample(cpu->counters) - 1) / CPU_CYCLES_MOST + 1;
    const int64_t left = cpu_left(cpu);
    return most < (uint64_t)left ? left - (int64_t)most : 0;
}

/* What the run did since it stood at `start` with `cycles`, for counters and samples. */
static void count_run(struct cpu *cpu, struct block_cache *cache, int64_t start, uint64_t cycles)
{
    counters_charge(cpu->counters, (uint64_t)(start - block_place(cpu)) - (cache->uncounted != 0),
                    cpu_cycles(cpu) - cycles - cache->uncounted, cache->mode & MODE_PROBLEM);
    if (UNLIKELY(cpu->counters->due))
        cache->around |= cpu_sample(cpu);
}

static void choose_mode(struct cpu *cpu, struct block_cache *cache, uint64_t mode)
{
    cache->mode = mode;
    choose_table(cpu, cache, (uint64_t)cpu->fetch_tlb->generation << MODE_BITS | mode);
}

/* What is left of the budget: with what a stretch that counts branches holds back. */
static int64_t left_of_all(const struct cpu *cpu) { return cpu_left(cpu) + (UNLIKELY(cpu->far) ? cpu->far_held : 0); }

/* Interruptions are enabled: is there none to take, now or before the budget is used up? */
static bool none_to_take(struct cpu *cpu)
{
    const struct cpu_system *sys = cpu->sys;
    if (UNLIKELY(sys->threads) && !sys->alone && __atomic_load_n(&sys->want_alone, __ATOMIC_RELAXED))
        return false;
    return !cpu_may_be_interrupted(cpu) && cpu_next_timer_event(cpu) >= left_of_all(cpu);
}

bool block_quiet(struct cpu *cpu)
{
    const uint64_t event = cpu->sys->event_at;
    if (UNLIKELY(event && cpu_units_until(cpu, event) < left_of_all(cpu)))
        return false;
    if ((cpu->psw.mask & PSW_WAIT) || (cpu->leave | cpu->stop_pending | cpu->restart_pending) ||
        cpu->state != CPU_STATE_OPERATING || engine_reference_only(cpu) || cpu->exceptions)
        return false;
    return !(cpu->psw.mask & (PSW_IO | PSW_EXT | PSW_MCHK)) || none_to_take(cpu);
}

/* As much of a block from `op` on as the budget allows: the first instruction too many has op_stop for its handler
   meanwhile. No other way leads there, since nothing enters a block that is longer than the budget. */
static __attribute__((noinline)) void enter_part(struct cpu *cpu, struct block_cache *cache, struct op *op)
{
    cache->stop = block_op(block_of(op), (uint64_t)cpu_left(cpu));
    cache->stop_run = cache->stop->run;
    cache->stop->run = op_stop;
    enter_anywhere(cpu, cache, op);
    cache->stop->run = cache->stop_run;
    cache->stop = NULL;
}

/* Run blocks, from psw.ia on, until the run is left, with as much of the last one as the budget allows. False: there is
   none that may run. */
static ALWAYS_INLINE bool enter_blocks(struct cpu *cpu, struct block_cache *cache)
{
    const uint64_t ia = cpu->psw.ia;
    struct block *block = cpu->jumps[jump_slot(ia)];
    cache->resume = NULL;
    if (UNLIKELY(cpu_left(cpu) <= 0))
        return false;
    if (UNLIKELY(block->ia != ia || block->need == BLOCK_NEVER))
        block = block_lookup(cpu, ia);
    if (UNLIKELY(!block))
        return false;
    cache->next = block;
    if (LIKELY(cpu->budget >= block->need)) {
        cache->next = NULL;
        enter(cpu, cache, block->ops, cpu->cc, 0, KIND_CC);
    }
    if (cache->next)
        enter_part(cpu, cache, cache->next->ops);
    return true;
}

/* The run was stopped before a sample instruction: it, decoded. NULL: it may show the collection buffer, or cause
   another instruction to do so. */
static const struct dis_insn *only_samples(struct block_cache *cache, struct op *op)
{
    const uint8_t *bytes = block_of(op)->host + op->offset;
    struct dis_insn *insn = &cache->sampled[op->offset / 2u % BLOCK_SAMPLED];
    if (!block_same_instruction(insn, bytes))
        dis_decode(bytes, insn);
    return insn->row != DIS_DIAG && !(dis_rows[insn->row].flags & DIS_EXECUTES) ? insn : NULL;
}

/* The sample instruction that the run was stopped before. When what follows it is next, the run goes on there and not
   in a block that begins there: branches have one place in few blocks, and their entries of the predictor one owner. */
static void sample_here(struct cpu *cpu, struct block_cache *cache, const struct dis_insn *insn)
{
    struct op *op = cache->stopped;
    struct block *block = block_of(op);
    const uint64_t count = op->count + UINT64_C(1), cycles = cpu_run_cycles(cpu);
    cache->around = reference_known(cpu, insn);
    if (count * CPU_UNIT >= (uint64_t)block->need || cpu_run_cycles(cpu) - cycles != insn->length / 2u)
        return;
    op = block_op(block, count);
    if (op_ia(op) == cpu->psw.ia && block->need != BLOCK_NEVER) {
        cache->resume = op;
        cache->resume_key = cpu->block_key;
    }
}

/* Where to begin: psw.ia. */
static struct op *begin(struct cpu *cpu, struct block_cache *cache)
{
    struct op *op = cache->resume;
    cache->resume = NULL;
    if (cpu_left(cpu) <= 0)
        return NULL;
    if (op && block_of(op)->mode == cache->mode && cpu->block_key == cache->resume_key &&
        block_of(op)->need != BLOCK_NEVER)
        return op;
    struct block *block = block_lookup(cpu, cpu->psw.ia);
    return block ? block->ops : NULL;
}

/* enter_blocks() while RI is active. Behind it the interval is charged, and branches are collected. *sample: this
   instruction is known to be next, and is a sample instruction that looks at nothing but its own group. */
static bool enter_observed(struct cpu *cpu, struct block_cache *cache, const struct dis_insn **sample)
{
    struct op *op = begin(cpu, cache);
    if (!op)
        return false;
    if (cache->translator)
        block_predictor_begin(cpu);
    block_disown_touched(cpu);
    cache->next = NULL;
    cache->stopped = NULL;
    cpu->budget -= block_passed(op->count, op->cycles);
    if (cpu->budget < block_of(op)->need) {
        enter_part(cpu, cache, op);
    } else {
        enter_anywhere(cpu, cache, op);
        if (cache->next)
            enter_part(cpu, cache, cache->next->ops);
    }
    if (cache->stopped && ri_fast(cpu->ri) && ri_remaining(cpu->ri))
        *sample = only_samples(cache, cache->stopped);
    if (*sample)
        block_collect_group(cpu);
    else
        block_collect(cpu);
    block_charge_ri(cpu, cache);
    return true;
}

/* Branches are counted where the next sample and the end of the run, `hold` units before that of the budget, are far,
   else they are collected. (The reference engine, which may have had its turn, counts on up to the very last.) */
static void arm_edges(struct cpu *cpu, int64_t hold)
{
    struct cpu_edges *e = cpu->edges;
    const bool ends = cpu_left(cpu) - hold < CPU_EDGES_UNITS, near = ends || cpu->edge_word < CPU_EDGES_FAR;
    if (cpu->edge_word != e->start && (e->far ? near : !ends && e->unit->far))
        cpu_edges_settle(cpu);
    if (cpu->edge_word != e->start)
        return;
    cpu_edges_arm_run(cpu);
    if (e->far && ends) {
        e->far = false;
        cpu_edges_arm(cpu);
    }
}

/* Edge profiles: a run is about to begin in `*mode`, which becomes that of what is collected. False: that is left to
   the reference engine, as are branches while RI is active. */
static bool edges_mode(struct cpu *cpu, uint64_t *mode, int64_t hold)
{
    struct cpu_edges *e = cpu->edges;
    const enum cpu_edges_way way = cpu_edges_begin(cpu);
    e->told = false;
    e->collected = block_edges;
    if (way == CPU_EDGES_EACH || (way == CPU_EDGES_MANY && *mode & MODE_RI))
        return false;
    if (way == CPU_EDGES_MANY) {
        arm_edges(cpu, hold);
        *mode |= e->far ? MODE_EDGES | MODE_FAR : MODE_EDGES;
    }
    return true;
}

static void end_edges(struct cpu *cpu)
{
    cpu_edges_run_ended(cpu);
    if (cpu->edge_word < (cpu->edges->far ? CPU_EDGES_FAR : 0))
        cpu_edges_settle(cpu);
}

/* The same in a run that goes on: what it has collected ends here, and what follows begins; far from a sample the count
   goes on. False: what follows cannot be collected. */
static bool edges_go_on(struct cpu *cpu, uint64_t *mode)
{
    const bool near = cpu->edge_word - (cpu->far ? cpu_far_branches(cpu) : 0) < CPU_EDGES_FAR;
    if (cpu->far && !near && left_of_all(cpu) >= CPU_EDGES_UNITS && !(*mode & MODE_RI)) {
        cpu_edges_run_ended(cpu);
        cpu->edges->told = false;
        if (cpu_edges_begin(cpu) == CPU_EDGES_MANY) {
            *mode |= MODE_EDGES | MODE_FAR;
            return true;
        }
        cpu_edges_far_end(cpu);
    } else {
        if (cpu->far)
            cpu_edges_far_end(cpu);
        end_edges(cpu);
    }
    return edges_mode(cpu, mode, 0);
}

bool block_goes_on(struct cpu *cpu)
{
    struct block_cache *cache = cache_of(cpu);
    if (UNLIKELY(cache->mode & (MODE_RI | MODE_CYCLES)) || cache->step || cpu->settle || !block_quiet(cpu))
        return false;
    uint64_t mode = mode_of(cpu);
    if (UNLIKELY(mode & (MODE_RI | MODE_CYCLES)) || (UNLIKELY(cpu->edges != NULL) && !edges_go_on(cpu, &mode)))
        return false;
    cache->around = false;
    nothing_happened(cpu);
    choose_mode(cpu, cache, mode);
    if (UNLIKELY(mode & MODE_FAR) && !cpu->far)
        cpu_edges_far_begin(cpu);
    return true;
}

struct op *block_turn(struct cpu *cpu)
{
    struct block_cache *cache = cache_of(cpu);
    struct cpu_edges *e = cpu->edges;
    if (cache->mode & (MODE_RI | MODE_CYCLES) || cpu->settle || cache->purge || e->way != CPU_EDGES_MANY || e->told ||
        !cpu_edges_steady(cpu))
        return NULL;
    if (UNLIKELY(cpu->looked && cache->translator)) /* it is of the mode that ends here */
        cache->translator->looked(cpu);
    if (cpu->far)
        cpu_edges_far_end(cpu);
    end_edges(cpu);
    if (cpu_left(cpu) <= 0)
        return NULL;
    arm_edges(cpu, 0);
    choose_mode(cpu, cache, (cache->mode & ~(uint64_t)MODE_FAR) | (e->far ? MODE_FAR : 0));
    if (e->far)
        cpu_edges_far_begin(cpu);
    struct block *block = block_lookup(cpu, cpu->psw.ia);
    return block ? block_whole(cpu, block) : NULL;
}

/* One run of blocks from psw.ia, and the sample instruction that it was stopped before. False: there is none that may
   run, it is the reference engine's turn. */
static bool run_blocks(struct cpu *cpu, struct block_cache *cache)
{
    uint64_t mode = mode_of(cpu);
    cache->step = false;
    const struct dis_insn *sample = NULL;
    int64_t hold = ri_hold(cpu);
    if (UNLIKELY(mode & MODE_CYCLES)) {
        const int64_t longer = sampling_hold(cpu);
        hold = longer > hold ? longer : hold;
        cache->uncounted = 0;
    }
    if (UNLIKELY(cpu->edges != NULL) && !edges_mode(cpu, &mode, hold))
        return false;
    choose_mode(cpu, cache, mode);
    const uint64_t cycles = UNLIKELY(cache->mode & MODE_CYCLES) ? cpu_cycles(cpu) : 0;
    const int64_t start = block_place(cpu);
    cpu->budget -= hold * CPU_UNIT;
    cpu->budget_start -= hold;
    block_charged(cpu, cache);
    if (UNLIKELY(mode & MODE_FAR))
        cpu_edges_far_begin(cpu);
    const bool ran = UNLIKELY(cache->mode & MODE_RI) ? enter_observed(cpu, cache, &sample) : enter_blocks(cpu, cache);
    if (UNLIKELY(cpu->far)) /* the mode may be another one by now */
        cpu_edges_far_end(cpu);
    cache->step |= hold && cpu_left(cpu) <= 0; /* what was held back is for the reference engine */
    if (UNLIKELY(cpu->edges != NULL) && ran)
        end_edges(cpu);
    cpu->budget += hold * CPU_UNIT;
    cpu->budget_start += hold;
    if (UNLIKELY(cache->mode & MODE_CYCLES) && ran)
        count_run(cpu, cache, start, cycles);
    if (sample && cache->step && !cache->around) {
        sample_here(cpu, cache, sample);
        cache->step = false;
    }
    return ran;
}

static void run_on(struct cpu *cpu, struct engine *e, bool first, bool *at_break)
{
    struct block_cache *cache = e->blocks;
    struct block_translator *translator = cpu->engine_kind == ENGINE_TRANSLATE ? e->translator : NULL;
    if (UNLIKELY(cache->translator != translator)) { /* what was made with the other one or without is of no use */
        block_purge(cache);
        forget(cpu, cache);
        cache->translator = translator;
    }
    cache->around = false;
    cache->resume = NULL;
    bool step = false; /* the next instruction is the reference engine's */
    while (cpu_left(cpu) > 0) {
        if (UNLIKELY(cpu->looked && translator))
            translator->looked(cpu);
        if (cache->purge) {
            cache->resume = NULL;
            block_collect(cpu); /* notes are addresses of operations */
            if (cpu->edges)     /* what was collected names operations */
                cpu_edges_settle(cpu);
            forget(cpu, cache);
        }
        if (e->breaks.count && !first && engine_break_at(cpu, cpu->psw.ia)) {
            *at_break = true;
            return;
        }
        if (!step && run_blocks(cpu, cache)) {
            if ((cache->around && !block_quiet(cpu)) || cpu->settle)
                return;
            cache->around = false;
            step = cache->step;
        } else {
            block_collect(cpu);
            if (cpu->settle || (reference_one(cpu) && !block_quiet(cpu)) || cpu->settle)
                return;
            step = false;
        }
        first = false;
    }
}

void block_run(struct cpu *cpu, bool first, bool *at_break)
{
    struct engine *e = engine_of(cpu);
    *at_break = false;
    if (e && !e->blocks)
        e->blocks = create(cpu);
    if (!e || !e->blocks) {
        engine_run_reference(cpu, first, at_break);
        return;
    }
    run_on(cpu, e, first, at_break);
    block_collect(cpu);
}
