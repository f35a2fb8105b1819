/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run-time's platform on the nucleus: storage for the C compiler, counters and clock, run-time instrumentation by
   its own instructions, and what only a machine of its own can be asked: the negative tests and the test of
   transparency. */
#include "vm.h"

#define FULL 0x00010000u /* control L */

/* The C compiler may call these. */
void *memset(void *to, int c, u64 n)
{
    u8 *p = to;
    const u64 word = (u64)(u8)c * 0x0101010101010101ul;
    for (; n >= 8; n -= 8, p += 8)
        *(volatile u64 *)p = word;
    while (n--)
        *(volatile u8 *)p++ = (u8)c;
    return to;
}

void *memcpy(void *to, const void *from, u64 n)
{
    u8 *p = to;
    const u8 *q = from;
    for (; n >= 8; n -= 8, p += 8, q += 8)
        *(volatile u64 *)p = *(const u64 *)q;
    while (n--)
        *(volatile u8 *)p++ = *q++;
    return to;
}

u64 tod(void)
{
    u64 time;
    asm volatile("stck %0" : "=Q"(time) : : "cc");
    return time;
}

u64 instructions(void)
{
    u64 value;
    if (!vm.counters)
        return service(SVC_RETIRED, 0, 0, 0);
    asm volatile(".insn rre,0xb2e40000,%0,%1" : "=d"(value) : "d"(1ul) : "cc"); /* EXTRACT CPU COUNTER */
    return value;
}

/* ---- run-time instrumentation ---------------------------------------------------------------------------------- */

static u32 modify(const struct riccb *block)
{
    u32 cc;
    asm volatile(".insn rsy,0xeb0000000062,0,0,%1\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : "S"(*block) : "cc", "memory");
    return cc;
}

static u32 on(void)
{
    u32 cc;
    asm volatile(".insn ri,0xaa010000,0,0\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : : "cc", "memory");
    return cc;
}

static void off(void) { asm volatile(".insn ri,0xaa030000,0,0" : : : "cc", "memory"); }

/* The block of 2.4 of the specification. C and B are one while compiled code has half, and most of the
   samples: calls and branches of the interpreter would push what it emits out of the buffer. */
static void make_block(struct riccb *b)
{
    memset(b, 0, sizeof *b);
    b->rca = b->roa = vm.buffer;
    b->rla = vm.buffer + BUFFER_SIZE - 1;
    b->word6 = 3; /* groups of 16 records */
    b->word7 = (u32)vm.ri_mode << 28 | W7_N | (vm.calls ? W7_C : 0) | W7_E | (vm.transfers ? W7_B : 0) | W7_F;
    b->sf = b->rsic = vm.sf;
}

const char *ri_open(void)
{
    struct riccb block, stored;
    if (service(SVC_PERMIT, 0, 0, 0))
        return "absent";
    make_block(&block);
    if (modify(&block))
        return "refused";
    asm volatile(".insn rsy,0xeb0000000061,0,0,%0" : "=S"(stored) : : "cc");
    if (stored.roa != block.roa || stored.rla != block.rla || stored.rca != block.rca)
        return "buffer";
    if (stored.sf != block.sf || stored.word7 != block.word7 || (stored.word6 & 7) != 3)
        return "block";
    return on() ? "refused" : NULL;
}

u32 ri_pause(u32 *full)
{
    struct riccb block;
    off();
    asm volatile(".insn rsy,0xeb0000000061,0,0,%0" : "=S"(block) : : "cc");
    *full = (block.word6 & FULL) != 0;
    return (u32)((block.rca - block.roa) / GROUP_LENGTH);
}

void ri_resume(void)
{
    struct riccb block;
    *(u32 *)vm.buffer = 0; /* else the number of groups is seen again */
    make_block(&block);
    (void)modify(&block);
    (void)on();
}

/* ---- what else may be asked ------------------------------------------------------------------------------------ */

static const char *test;

const char *const platform_words = " [marks=1] [quiet=1|2], or test=n1 to n7, n8-twin, n10 to n12, live";

u32 platform_word(const char *word)
{
    const char *v;
    if ((v = after(word, "marks=")))
        vm.marks = value_of(v) == 1;
    else if ((v = after(word, "quiet=")))
        vm.quiet = (u8)(2 - (value_of(v) & 1));
    else if ((v = after(word, "test=")))
        test = v;
    else
        return 0;
    return test ? 2 : 1;
}

u32 platform_task(u32 *code)
{
    if (!test)
        return 0;
    *code = tests_run(test);
    return 1;
}

void platform_prepared(void) {}

/* N9: the nucleus loads controls now and whenever the CPU timer strikes, and nobody reads the groups; RI is on or off
   by the PSW. What differs between the two runs is taken out of storage. */
static struct riccb quiet_block;

void platform_begins(char *text)
{
    if (!vm.quiet)
        return;
    quiet_block = (struct riccb){.rca = QUIET_BUFFER, .roa = QUIET_BUFFER, .rla = QUIET_BUFFER + BUFFER_SIZE - 1};
    quiet_block.word6 = W6_V | W6_S | W6_PS | W6_PC | W6_KEY | 3;
    quiet_block.word7 = W7_M1 | W7_C | W7_B | W7_E | W7_R | W7_F;
    quiet_block.sf = quiet_block.rsic = vm.next_sf;
    while (*text)
        *text++ = 0;
    (void)service(SVC_LRIC, (u64)&quiet_block, 0, 0);
    (void)service(SVC_AGAIN, (u64)&quiet_block, 0, 0);
    (void)service(SVC_RI, vm.quiet & 1, 0, 0);
    vm.quiet = 3;
}

void platform_ends(const u64 registers[16])
{
    u64 sum = 0, of_registers = 0;
    if (!vm.quiet)
        return;
    (void)service(SVC_RI, 0, 0, 0);
    (void)service(SVC_AGAIN, 0, 0, 0);
    for (u64 a = APP_START; a < APP_END; a += 8)
        if (a < QUIET_BUFFER || a >= QUIET_BUFFER + BUFFER_SIZE)
            sum = (sum << 5 | sum >> 59) + *(volatile u64 *)a;
    for (u32 i = 0; i < 16; i++)
        of_registers = (of_registers << 5 | of_registers >> 59) + registers[i];
    line_begin("STATE");
    line_hex("storage", sum);
    line_hex("registers", of_registers);
    line_end();
}

void platform_report(void) {}
