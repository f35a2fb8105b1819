/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nucleus in C: address spaces and their storage keys, services, program interruptions, time slices. None of the
   services is on the profiling path; those from 16 on are there for the negative tests. */
#include "mrvm.h"

#define PAGE        4096ul
#define PTE_INVALID 0x400ul
#define SEGMENTS    14u /* of an application's space, from segment 1 on */
#define SEG_INVALID 0x20ul
#define PSW_PROGRAM 0x0581000180000000ul /* DAT, external, key 8, problem state, 64-bit */
#define PSW_RI      0x0000008000000000ul
#define SLICE       (4096ul * 2000) /* CPU-timer units: 2 ms */
#define STOP_GOOD   0xffful
#define STOP_EXIT   0xbad000ul /* plus the code */
#define STOP_CHECK  0xbad100ul /* plus the program-interruption code */
#define LINE_MOST   3000u

/* Registers and PSW as the entry code saves them. */
struct state {
    u64 gr[16];
    u64 psw_mask, psw_address;
};

struct space {
    struct state state;
    struct riccb controls;
    u64 asce;
    u64 services; /* supervisor calls so far */
    u64 again;    /* address of a control block that is loaded when the CPU timer strikes */
    u64 checks;   /* address of a struct checks, 0: a program interruption ends the run */
    u32 writing;  /* has begun to write its lines: keeps the CPU */
    u32 ended, code;
};

void nucleus_sclp(u64 command, void *sccb);
void nucleus_stop(u64 address) __attribute__((noreturn));
u64 nucleus_tables(void);
void nucleus_start(struct state *state);
void nucleus_call(struct state *state, u64 number);
void nucleus_program_check(struct state *state, u64 code, u64 length_code, u64 teid);
void nucleus_external(struct state *state, u64 code, u64 parameter);

extern u64 control_registers[16];
extern const u8 program_image[];
extern const u8 program_length[];

static u64 segments[2][512] __attribute__((aligned(4096)));
static u64 low_pages[256] __attribute__((aligned(2048)));
static u64 pages[2][SEGMENTS][256] __attribute__((aligned(2048)));
static u8 sccb[PAGE] __attribute__((aligned(4096)));
static struct space spaces[2];
static u32 current, two, has_ri;
static u64 switches;
static const u8 ebcdic[96] = {/* code page 500 */
                              0x40, 0x4f, 0x7f, 0x7b, 0x5b, 0x6c, 0x50, 0x7d, 0x4d, 0x5d, 0x5c, 0x4e, 0x6b, 0x60,
                              0x4b, 0x61, 0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0x7a, 0x5e,
                              0x4c, 0x7e, 0x6e, 0x6f, 0x7c, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9,
                              0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6,
                              0xe7, 0xe8, 0xe9, 0x4a, 0xe0, 0x5a, 0x5f, 0x6d, 0x79, 0x81, 0x82, 0x83, 0x84, 0x85,
                              0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0xa2,
                              0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xc0, 0xbb, 0xd0, 0xa1, 0x6f};

/* The C compiler may call these. */
static void fill(void *to, int c, u64 n)
{
    for (u64 i = 0; i < n; i++)
        ((volatile u8 *)to)[i] = (u8)c;
}
static void copy(void *to, const void *from, u64 n)
{
    for (u64 i = 0; i < n; i++)
        ((volatile u8 *)to)[i] = ((const u8 *)from)[i];
}

/* ---- the beginning --------------------------------------------------------------------------------------------- */

static u64 *page_entry(u32 space, u64 address) { return &pages[space][(address >> 20) - 1][address >> 12 & 255]; }

static void make_space(u32 n)
{
    for (u32 i = 0; i < 512; i++)
        segments[n][i] = SEG_INVALID;
    segments[n][0] = (u64)low_pages;
    for (u32 s = 0; s < SEGMENTS; s++) {
        segments[n][s + 1] = (u64)pages[n][s];
        for (u32 p = 0; p < 256; p++) {
            const u64 address = APP_START + s * 0x100000ul + p * PAGE;
            const u32 code = address >= CODE_START && address < CODE_START + CODE_SIZE;
            pages[n][s][p] = REAL(n, address) | (code ? PTE_INVALID : 0);
            asm volatile("sske %0,%1" ::"r"(0x88), "a"(REAL(n, address)));
        }
    }
    spaces[n].asce = (u64)segments[n];
}

/* DAT is off. */
u64 nucleus_tables(void)
{
    for (u32 p = 0; p < 256; p++)
        low_pages[p] = p * PAGE;
    for (u32 n = 0; n < 2; n++)
        make_space(n);
    for (u32 n = 0; n < 2; n++) {
        for (u64 i = 0; i < (u64)program_length; i += 8)
            *(u64 *)(FRAMES(n) + i) = *(const u64 *)(IMAGE + i);
        for (u64 i = (u64)program_length; i < 0x100000ul; i += 8)
            *(u64 *)(FRAMES(n) + i) = 0;
    }
    return spaces[0].asce;
}

static u32 facility(u32 bit)
{
    u64 list[4] = {0};
    register u64 count asm("0") = 3;
    asm volatile("stfle %1" : "+d"(count), "=Q"(*(u64(*)[4])list) : : "cc", "memory");
    return list[bit / 64] >> (63 - bit % 64) & 1;
}

/* The basic counter set counts, and applications may extract its counters. */
static u32 counters_on(void)
{
    const u64 controls = 0x0000000000020002ul; /* basic: enabled, active */
    u32 cc;
    if (!facility(67))
        return 0;
    u8 info[64] __attribute__((aligned(8)));
    asm volatile(".insn s,0xb28e0000,%0" : "=Q"(info)); /* QUERY COUNTER INFORMATION */
    if (!(info[3] & 2))                                 /* the authorization controls */
        return 0;
    asm volatile(".insn s,0xb2840000,%1\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : "Q"(controls) : "cc");
    return !cc;
}

static void set_space(u32 n)
{
    control_registers[1] = control_registers[7] = control_registers[13] = spaces[n].asce;
    asm volatile("lctlg 1,1,%0" ::"Q"(spaces[n].asce));
    asm volatile("lctlg 7,7,%0" ::"Q"(spaces[n].asce));
    asm volatile("lctlg 13,13,%0" ::"Q"(spaces[n].asce));
    current = n;
}

/* The text asks for two spaces: prog=twin. */
static u32 wants_two(const char *text)
{
    for (; *text; text++)
        if (text[0] == 't' && text[1] == 'w' && text[2] == 'i' && text[3] == 'n')
            return 1;
    return 0;
}

static void slice(void)
{
    const u64 units = two || spaces[0].again ? SLICE : ~0ul >> 1; /* who is alone keeps the CPU */
    asm volatile("spt %0" ::"Q"(units));
}

void nucleus_start(struct state *state)
{
    u64 flags;
    fill(sccb, 0, 28); /* WRITE EVENT MASK: we send messages */
    sccb[1] = 28;
    sccb[11] = 4;
    sccb[16] = 0x40;
    nucleus_sclp(0x00780005, sccb);
    flags = counters_on() ? BOOT_COUNTERS : 0;
    has_ri = facility(64);
    flags |= has_ri ? BOOT_RI : 0;
    two = wants_two((const char *)ARGUMENTS);
    for (u32 n = 0; n < 2; n++) {
        struct space *s = &spaces[n];
        u8 *to = (u8 *)(APP_END - 4096); /* the text, at the end of the native stack */
        set_space(n);
        copy(to, (const void *)ARGUMENTS, 1024);
        to[1023] = 0;
        s->state.gr[2] = (u64)to;
        s->state.gr[3] = flags | (n ? BOOT_SPACE_B : 0);
        s->state.gr[15] = (u64)to - 160;
        s->state.psw_mask = PSW_PROGRAM;
        s->state.psw_address = APP_START;
        s->controls.rla = 0xfff;
    }
    set_space(0);
    slice();
    *state = spaces[0].state;
}

/* ---- services -------------------------------------------------------------------------------------------------- */

static void put(u32 at, u32 value)
{
    sccb[at] = (u8)(value >> 8);
    sccb[at + 1] = (u8)value;
}

static void write_line(const u8 *text, u64 length)
{
    const u32 n = length < LINE_MOST ? (u32)length : LINE_MOST;
    fill(sccb, 0, 112);
    put(0, 104 + n);
    put(8, 96 + n); /* event: message */
    sccb[10] = 2;
    put(14, 90 + n); /* message block */
    put(16, 1);
    copy(sccb + 18, "\xd4\xc4\xc2\x40\0\0\0\1", 8);
    put(26, 68); /* general object */
    put(28, 1);
    put(94, 10 + n); /* text object, a line of its own */
    put(96, 4);
    put(98, 0x1000);
    for (u32 i = 0; i < n; i++)
        sccb[104 + i] = text[i] >= 32 && text[i] < 127 ? ebcdic[text[i] - 32] : 0x6f;
    nucleus_sclp(0x00760005, sccb);
}

/* The whole buffer of an application is in its space. */
static u32 inside(u64 address, u64 length)
{
    return address >= APP_START && length <= APP_END - APP_START && address + length <= APP_END;
}

static void load_controls(const struct riccb *block) { asm volatile(".insn rsy,0xeb0000000060,0,0,%0" ::"S"(*block)); }

static void store_controls(struct riccb *block)
{
    asm volatile(".insn rsy,0xeb0000000061,0,0,%0" : "=S"(*block) : : "cc");
}

/* V, S, K, Ps, Pc, key 8; the buffer is empty until the application names one. */
static u64 permit(void)
{
    const struct riccb block = {.rla = 0xfff, .word6 = W6_V | W6_S | W6_K | W6_PS | W6_PC | W6_KEY};
    if (!has_ri)
        return 1;
    load_controls(&block);
    return 0;
}

static u64 retired(void)
{
    register u64 subcode asm("2") = 4;
    register u64 count asm("3") = 0;
    asm volatile("diag %0,%0,0xe20" : "+d"(subcode), "+d"(count) : : "cc");
    return count;
}

static void mark(u64 value)
{
    register u64 subcode asm("2") = 7;
    register u64 argument asm("3") = value;
    asm volatile("diag %0,%0,0xe10" : "+d"(subcode), "+d"(argument) : : "cc");
}

/* The other space goes on, when there is one that has not ended. */
static void switch_space(struct state *state)
{
    const u32 next = current ^ 1;
    if (!two || spaces[next].ended)
        return;
    if (!spaces[current].ended) {
        spaces[current].state = *state;
        if (has_ri)
            store_controls(&spaces[current].controls);
    }
    set_space(next);
    switches++;
    if (has_ri)
        load_controls(&spaces[next].controls);
    *state = spaces[next].state;
}

static void end(struct state *state, u64 code)
{
    spaces[current].ended = 1;
    spaces[current].code = (u32)code & 0xff;
    if (two && !spaces[current ^ 1].ended) {
        slice();
        switch_space(state);
        return;
    }
    const u32 worst = spaces[0].code | (two ? spaces[1].code : 0);
    nucleus_stop(worst ? STOP_EXIT + worst : STOP_GOOD);
}

static void change_page(u64 address, u64 bits, u64 key)
{
    if (!inside(address, 1))
        return;
    *page_entry(current, address) = (REAL(current, address) & ~(PAGE - 1)) | (bits & 0x600);
    asm volatile("sske %0,%1" ::"r"(key), "a"(REAL(current, address)));
    asm volatile("ptlb");
}

static void code_may_be_used(void)
{
    for (u64 a = CODE_START; a < CODE_START + CODE_SIZE; a += PAGE)
        *page_entry(current, a) &= ~PTE_INVALID;
    asm volatile("ptlb");
}

static u64 test_service(struct state *state, u64 number)
{
    switch (number) {
    case SVC_LRIC:
        if (!has_ri || !inside(state->gr[2], sizeof(struct riccb)))
            return 1;
        load_controls((const struct riccb *)state->gr[2]);
        return 0;
    case SVC_PAGE:
        change_page(state->gr[2], state->gr[3], state->gr[4]);
        return 0;
    case SVC_CHECKS:
        spaces[current].checks = inside(state->gr[2], sizeof(struct checks)) ? state->gr[2] : 0;
        return 0;
    case SVC_STRIC:
        if (has_ri && inside(state->gr[2], sizeof(struct riccb)))
            store_controls((struct riccb *)state->gr[2]);
        return 0;
    case SVC_SWITCHES:
        return switches;
    case SVC_AGAIN:
        spaces[current].again = inside(state->gr[2], sizeof(struct riccb)) ? state->gr[2] : 0;
        slice();
        return 0;
    case SVC_RI: /* as many instructions for one as for the other */
        state->psw_mask = (state->psw_mask & ~PSW_RI) | (state->gr[2] & 1) * PSW_RI;
        return 0;
    default:
        return ~0ul;
    }
}

void nucleus_call(struct state *state, u64 number)
{
    struct space *s = &spaces[current];
    switch (number) {
    case SVC_WRITE:
        s->writing = 1;
        if (inside(state->gr[2], state->gr[3]))
            write_line((const u8 *)state->gr[2], state->gr[3]);
        break;
    case SVC_EXIT:
        end(state, state->gr[2]);
        return;
    case SVC_RETIRED:
        state->gr[2] = retired();
        break;
    case SVC_PERMIT:
        state->gr[2] = permit();
        break;
    case SVC_MARK:
        mark(state->gr[2]);
        break;
    case SVC_CODE:
        code_may_be_used();
        break;
    case SVC_COUNTED:
        state->gr[2] = s->services;
        return;
    default:
        state->gr[2] = test_service(state, number);
        break;
    }
    s->services++;
}

/* ---- interruptions --------------------------------------------------------------------------------------------- */

static u32 decimal(u8 *to, u64 value)
{
    u8 digits[20];
    u32 n = 0, length;
    do
        digits[n++] = (u8)('0' + value % 10);
    while (value /= 10);
    for (length = n; n; n--)
        *to++ = digits[n - 1];
    return length;
}

void nucleus_program_check(struct state *state, u64 code, u64 length_code, u64 teid)
{
    struct space *s = &spaces[current];
    if (s->checks) {
        struct checks *c = (struct checks *)s->checks;
        c->count++;
        c->code = code;
        c->length_code = length_code;
        c->teid = teid;
        c->address = state->psw_address;
        return;
    }
    u8 text[80] = "mrvm: program interruption ";
    u32 n = 27;
    n += decimal(text + n, code);
    copy(text + n, " at ", 4);
    n += 4;
    for (u32 i = 0; i < 16; i++)
        text[n++] = (u8) "0123456789abcdef"[state->psw_address >> (60 - 4 * i) & 15];
    write_line(text, n);
    nucleus_stop(STOP_CHECK + code);
}

void nucleus_external(struct state *state, u64 code, u64 parameter)
{
    struct space *s = &spaces[current];
    if (code == 0x1407) {
        if (s->checks) {
            ((struct checks *)s->checks)->alerts++;
            ((struct checks *)s->checks)->parameter = parameter;
        }
        return;
    }
    slice();
    if (s->again && has_ri)
        load_controls((const struct riccb *)s->again);
    if (!s->writing)
        switch_space(state);
}
