/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A system-call nucleus for one static Linux program of s390x: storage, the first stack, and as many system calls as
   the start-up of a static C library, stdio and malloc() ask for. Output goes to the line-mode console of the service
   processor. Compiled for the bare machine: no library, no floating point. The numbers are those of the Linux system
   call interface of 64-bit s390. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

#define PAGE         4096ul
#define MIB          0x100000ul
#define PROGRAM      (16 * MIB) /* where static programs are linked */
#define ARGUMENTS    0xf00000ul /* text of the arguments, zero at its end; at most 32 KiB */
#define SEGMENTS     0x100000ul /* segment table, 2048 entries */
#define PAGE_TABLES  0x200000ul /* behind each other, 2048 bytes each */
#define STORAGE_MOST 2048       /* MiB: what one segment table maps */
#define STACK_SIZE   (4 * MIB)
#define PTE_INVALID  0x400ul
#define PTE_PROTECT  0x200ul
#define STOP_GOOD    0xffful
#define STOP_EXIT    0xbad000ul           /* plus the exit status */
#define STOP_CHECK   0xbad100ul           /* plus the program-interruption code */
#define PSW_PROGRAM  0x0485000180000000ul /* DAT, key 8, problem state, 64-bit addressing, machine checks enabled */

enum { E_BADF = 9, E_NOMEM = 12, E_FAULT = 14, E_INVAL = 22, E_NOTTY = 25, E_NOENT = 2, E_SPIPE = 29, E_NOSYS = 38 };

/* Registers and PSW as the entry code saves them. */
struct state {
    u64 gr[16];
    u64 psw_mask, psw_address;
};

void nucleus_sclp(u64 command, void *sccb);
void nucleus_stop(u64 address) __attribute__((noreturn));
u64 nucleus_tables(void);
void nucleus_start(struct state *state);
void nucleus_call(struct state *state, u64 number);
void nucleus_program_check(struct state *state, u64 code, u64 dxc, u64 operand);

static u8 sccb[PAGE] __attribute__((aligned(4096)));
static u64 storage_end;            /* bytes */
static u64 break_start, break_now; /* the heap */
static u64 map_low, map_high;      /* where anonymous mappings go */
static u8 line[256];
static u64 line_length;
static u64 tid_address;

/* The C compiler may call these. */
void *memset(void *to, int c, u64 n);
void *memcpy(void *to, const void *from, u64 n);

void *memset(void *to, int c, u64 n)
{
    for (u64 i = 0; i < n; i++)
        ((volatile u8 *)to)[i] = (u8)c;
    return to;
}

void *memcpy(void *to, const void *from, u64 n)
{
    for (u64 i = 0; i < n; i++)
        ((volatile u8 *)to)[i] = ((const u8 *)from)[i];
    return to;
}

static u64 text_length(const char *text)
{
    u64 n = 0;
    while (text[n])
        n++;
    return n;
}

/* ---- console --------------------------------------------------------------------------------------------------- */

static const u8 ebcdic[96] = {0x40, 0x4f, 0x7f, 0x7b, 0x5b, 0x6c, 0x50, 0x7d, 0x4d, 0x5d, 0x5c, 0x4e, 0x6b, 0x60,
                              0x4b, 0x61, 0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0x7a, 0x5e,
                              0x4c, 0x7e, 0x6e, 0x6f, 0x7c, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9,
                              0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6,
                              0xe7, 0xe8, 0xe9, 0x4a, 0xe0, 0x5a, 0x5f, 0x6d, 0x79, 0x81, 0x82, 0x83, 0x84, 0x85,
                              0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0xa2,
                              0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xc0, 0xbb, 0xd0, 0xa1, 0x07};

static void put16(u8 *at, u64 value)
{
    at[0] = (u8)(value >> 8);
    at[1] = (u8)value;
}

/* What has been gathered, as one line on the console: an event with a message block of one text object. */
static void flush_line(void)
{
    u64 n = line_length;
    line_length = 0;
    memset(sccb, 0, 112);
    put16(sccb, 104 + n);
    put16(sccb + 8, 96 + n); /* event: message */
    sccb[10] = 2;
    put16(sccb + 14, 90 + n); /* message block */
    put16(sccb + 16, 1);
    memcpy(sccb + 18, "\xd4\xc4\xc2\x40\0\0\0\1", 8);
    put16(sccb + 26, 68); /* general object */
    put16(sccb + 28, 1);
    put16(sccb + 94, 10 + n); /* text object, a line of its own */
    put16(sccb + 96, 4);
    put16(sccb + 98, 0x1000);
    for (u64 i = 0; i < n; i++) {
        u8 c = line[i];
        sccb[104 + i] = c == '\t' ? 0x05 : c >= 32 && c < 127 ? ebcdic[c - 32] : 0x6f;
    }
    nucleus_sclp(0x00760005, sccb);
}

static void put_text(const u8 *text, u64 n)
{
    for (u64 i = 0; i < n; i++) {
        if (text[i] == '\n' || line_length == sizeof line - 8)
            flush_line();
        if (text[i] != '\n')
            line[line_length++] = text[i];
    }
}

static void say(const char *text) { put_text((const u8 *)text, text_length(text)); }

static void say_number(u64 value, u64 base)
{
    u8 digits[20];
    u64 n = 0;
    do
        digits[n++] = "0123456789ABCDEF"[value % base];
    while (value /= base);
    while (n)
        put_text(&digits[--n], 1);
}

/* A line of our own: what the program had begun is ended first. */
static void message(void)
{
    if (line_length)
        flush_line();
    say("linux-user: ");
}

static void end(u64 address) __attribute__((noreturn));
static void end(u64 address)
{
    if (line_length)
        flush_line();
    nucleus_stop(address);
}

static void fail(const char *why) __attribute__((noreturn));
static void fail(const char *why)
{
    message();
    say(why);
    end(STOP_EXIT + 127);
}

/* ---- storage --------------------------------------------------------------------------------------------------- */

static u64 *page_entry(u64 address) { return (u64 *)(PAGE_TABLES + address / MIB * 2048) + address / PAGE % 256; }
static u64 round_up(u64 n) { return (n + PAGE - 1) & -PAGE; }

static void change_entry(u64 address, u64 entry)
{
    u64 *pte = page_entry(address);
    if (!(*pte & PTE_INVALID)) /* INVALIDATE PAGE TABLE ENTRY */
        __asm__ volatile(".insn rre,0xb2210000,%0,%1"
                         :
                         : "a"((u64)pte - address / PAGE % 256 * 8), "a"(address)
                         : "memory");
    *pte = entry;
}

static void clear_page(u64 address)
{
    for (u64 a = address; a < address + PAGE; a += 256)
        __asm__ volatile("xc 0(256,%0),0(%0)" : : "a"(a) : "cc", "memory");
}

static void give_pages(u64 start, u64 stop)
{
    for (u64 a = start; a < stop; a += PAGE) {
        change_entry(a, a);
        clear_page(a);
    }
}

static void take_pages(u64 start, u64 stop)
{
    for (u64 a = start; a < stop; a += PAGE)
        change_entry(a, a | PTE_INVALID);
}

/* True when the program owns all of the range, and may store into it when `store`. */
static u64 owned(u64 address, u64 length, u64 store)
{
    if (length == 0)
        return 1;
    if (address < PROGRAM || length > storage_end || address > storage_end - length)
        return 0;
    for (u64 a = address & -PAGE; a < address + length; a += PAGE)
        if (*page_entry(a) & (store ? PTE_INVALID | PTE_PROTECT : PTE_INVALID))
            return 0;
    return 1;
}

/* Before DAT is on: the size of storage, tables that map every page to itself, keys. */
u64 nucleus_tables(void)
{
    put16(sccb, PAGE);
    nucleus_sclp(0x00020001, sccb); /* READ SCP INFO */
    u64 mib = (u64)(sccb[8] << 8 | sccb[9]) * (sccb[10] ? sccb[10] : 1);
    if (mib > STORAGE_MOST)
        mib = STORAGE_MOST;
    storage_end = mib * MIB;
    u64 *segments = (u64 *)SEGMENTS;
    for (u64 i = 0; i < 2048; i++)
        segments[i] = i < mib ? PAGE_TABLES + i * 2048 : 0x20;
    for (u64 a = 0; a < storage_end; a += PAGE) {
        u64 key = a < PROGRAM ? 0x08 : 0x80; /* 0 with fetch protection; 8 */
        *page_entry(a) = a < PROGRAM ? a : a | PTE_INVALID;
        __asm__ volatile("sske %0,%1" : : "d"(key), "a"(a) : "memory");
    }
    return SEGMENTS;
}

/* ---- the program's beginning ----------------------------------------------------------------------------------- */

/* The facilities that AT_HWCAP names, by bit of the facility list. */
static const u8 hwcap_facility[][2] = {{0, 1},    {2, 7},    {3, 17},   {4, 18},   {5, 21},   {6, 42},
                                       {8, 22},   {8, 30},   {11, 129}, {12, 134}, {13, 135}, {14, 133},
                                       {15, 148}, {16, 152}, {17, 150}, {18, 151}};

static u64 hwcap(void)
{
    u64 list[4] = {0}, word = 1 | 2 | 1 << 9; /* ESAN3, z/Architecture, high halves */
    register u64 last __asm__("0") = 3;
    __asm__ volatile("stfle %0" : "+Q"(list), "+d"(last) : : "cc", "memory");
    for (u64 i = 0; i < sizeof hwcap_facility / 2; i++) {
        u64 bit = hwcap_facility[i][1];
        if (list[bit / 64] >> (63 - bit % 64) & 1)
            word |= 1ul << hwcap_facility[i][0];
        else if (bit != 22)
            word &= ~(1ul << hwcap_facility[i][0]);
    }
    return word;
}

/* Split the argument text at its blanks, in place; returns the number of words. */
static u64 split(char *text, u64 *words, u64 most)
{
    u64 n = 0;
    while (*text && n < most) {
        while (*text == ' ' || *text == '\n')
            *text++ = 0;
        if (*text)
            words[n++] = (u64)text;
        while (*text && *text != ' ' && *text != '\n')
            text++;
    }
    return n;
}

/* The end of the program's segments, page by page; those pages become its own. */
static u64 own_segments(const u8 *elf)
{
    u64 end_of_program = PROGRAM;
    const u8 *header = elf + *(const u64 *)(elf + 32);
    if (*(const u64 *)(elf + 32) + *(const u16 *)(elf + 56) * *(const u16 *)(elf + 54) > PAGE)
        fail("the program headers are not in the first page of the program; link it in the ordinary way");
    for (u64 i = 0; i < *(const u16 *)(elf + 56); i++, header += *(const u16 *)(elf + 54)) {
        u64 start = *(const u64 *)(header + 16), stop = start + *(const u64 *)(header + 40);
        if (*(const u32 *)header != 1)
            continue;
        if (start < PROGRAM || stop > storage_end - STACK_SIZE)
            fail("a segment of the program lies outside storage; give more of it with --storage");
        u64 entry = *(const u32 *)(header + 4) & 2 ? 0 : PTE_PROTECT;
        for (u64 a = start & -PAGE; a < stop; a += PAGE)
            *page_entry(a) = a | (*page_entry(a) & PTE_INVALID ? entry : 0);
        if (stop > end_of_program)
            end_of_program = stop;
    }
    return end_of_program;
}

static u64 push_text(u64 sp, const char *text)
{
    u64 n = text_length(text) + 1;
    memcpy((void *)(sp - n), text, n);
    return sp - n;
}

/* argc, argv, envp and the auxiliary vector; returns the stack pointer. */
static u64 first_stack(const u8 *elf)
{
    u64 words[64], sp = storage_end, used = 0;
    u64 name = sp = push_text(sp, "program"), platform = sp = push_text(sp, "z900");
    u64 count = split((char *)ARGUMENTS, words, 63);
    for (u64 i = 0; i < count; i++)
        words[i] = sp = push_text(sp, (const char *)words[i]);
    sp = (sp & -16ul) - 16;
    u64 seed = sp;
    for (u64 i = 0; i < 16; i++)
        ((u8 *)sp)[i] = (u8)(i * 37 + 11); /* the same in every run */
    u64 aux[][2] = {{3, PROGRAM + *(const u64 *)(elf + 32)},
                    {4, *(const u16 *)(elf + 54)},
                    {5, *(const u16 *)(elf + 56)},
                    {6, PAGE},
                    {7, 0},
                    {8, 0},
                    {9, *(const u64 *)(elf + 24)},
                    {11, 0},
                    {12, 0},
                    {13, 0},
                    {14, 0},
                    {15, platform},
                    {16, hwcap()},
                    {17, 100},
                    {23, 0},
                    {25, seed},
                    {31, name},
                    {0, 0}};
    u64 *at = (u64 *)((sp - sizeof aux - (count + 4) * 8) & -16ul);
    sp = (u64)at;
    at[used++] = count + 1;
    at[used++] = name;
    for (u64 i = 0; i < count; i++)
        at[used++] = words[i];
    at[used++] = 0; /* end of argv; no environment */
    at[used++] = 0;
    memcpy(at + used, aux, sizeof aux);
    return sp;
}

void nucleus_start(struct state *state)
{
    static u8 elf[PAGE]; /* ELF header and program headers */
    memset(sccb, 0, 28); /* WRITE EVENT MASK: we send messages */
    put16(sccb, 28);
    put16(sccb + 10, 4);
    sccb[16] = 0x40;
    nucleus_sclp(0x00780005, sccb);
    if (storage_end < PROGRAM + 2 * STACK_SIZE)
        fail("at least 32 MiB of storage are needed; give them with --storage");
    change_entry(PROGRAM, PROGRAM);
    memcpy(elf, (const void *)PROGRAM, PAGE);
    take_pages(PROGRAM, PROGRAM + PAGE);
    if (*(const u32 *)elf != 0x7f454c46 || *(const u16 *)(elf + 18) != 22)
        fail(
            "there is no program at 1000000; name a static program behind the nucleus: zri builtin:linux-user PROGRAM");
    break_start = break_now = round_up(own_segments(elf)) + PAGE;
    map_high = storage_end - STACK_SIZE - PAGE;
    map_low = break_start + (map_high - break_start) / 2 / PAGE * PAGE;
    give_pages(storage_end - STACK_SIZE, storage_end);
    state->gr[15] = first_stack(elf);
    state->psw_mask = PSW_PROGRAM;
    state->psw_address = *(const u64 *)(elf + 24);
}

/* ---- system calls ---------------------------------------------------------------------------------------------- */

static long call_brk(u64 wanted)
{
    u64 now = round_up(break_now), next = round_up(wanted);
    if (wanted < break_start || wanted > map_low)
        return (long)break_now;
    if (next > now)
        give_pages(now, next);
    else
        take_pages(next, now);
    break_now = wanted;
    return (long)wanted;
}

/* The highest free run of pages that is long enough; 0: none. */
static u64 find_room(u64 length)
{
    u64 run = 0;
    for (u64 a = map_high - PAGE; a >= map_low; a -= PAGE) {
        run = *page_entry(a) == (a | PTE_INVALID) ? run + PAGE : 0;
        if (run == length)
            return a;
    }
    return 0;
}

static long protect_pages(u64 address, u64 length, u64 protection)
{
    if (address % PAGE || address < PROGRAM || length > storage_end || address > storage_end - length)
        return -E_INVAL;
    for (u64 a = address; a < address + length; a += PAGE)
        /* bit 61 marks a page that is given but not accessible */
        change_entry(a, protection & 2 ? a : protection ? a | PTE_PROTECT : a | PTE_INVALID | 4);
    return 0;
}

static long call_mmap(u64 arguments)
{
    const u64 *a = (const u64 *)arguments; /* address, length, protection, flags, descriptor, offset */
    if (!owned(arguments, 48, 0))
        return -E_FAULT;
    u64 length = round_up(a[1]), address = a[0];
    if (a[1] == 0 || a[1] > storage_end)
        return a[1] ? -E_NOMEM : -E_INVAL;
    if (!(a[3] & 0x20)) /* MAP_ANONYMOUS */
        return -E_BADF;
    if (a[3] & 0x10) { /* MAP_FIXED */
        if (address % PAGE || address < PROGRAM || address > storage_end - length)
            return -E_NOMEM;
    } else {
        address = find_room(length);
    }
    if (!address)
        return -E_NOMEM;
    give_pages(address, address + length);
    if ((a[2] & 2) == 0)
        protect_pages(address, length, a[2]);
    return (long)address;
}

static long call_munmap(u64 address, u64 length)
{
    length = round_up(length);
    if (address % PAGE || address < PROGRAM || length > storage_end || address > storage_end - length)
        return -E_INVAL;
    take_pages(address, address + length);
    return 0;
}

static long call_mremap(u64 old, u64 old_length, u64 length, u64 flags)
{
    if (old % PAGE || !owned(old, old_length, 1) || length == 0 || length > storage_end)
        return -E_INVAL;
    if (round_up(length) <= round_up(old_length)) {
        take_pages(old + round_up(length), old + round_up(old_length));
        return (long)old;
    }
    u64 address = flags & 1 ? find_room(round_up(length)) : 0; /* MREMAP_MAYMOVE */
    if (!address)
        return -E_NOMEM;
    give_pages(address, address + round_up(length));
    memcpy((void *)address, (const void *)old, old_length);
    take_pages(old, old + round_up(old_length));
    return (long)address;
}

static long call_write(u64 descriptor, u64 address, u64 length)
{
    if (descriptor != 1 && descriptor != 2)
        return -E_BADF;
    if (!owned(address, length, 0))
        return -E_FAULT;
    put_text((const u8 *)address, length);
    return (long)length;
}

static long call_writev(u64 descriptor, u64 vector, u64 count)
{
    long all = 0;
    if (count > 1024 || !owned(vector, count * 16, 0))
        return -E_INVAL;
    for (u64 i = 0; i < count; i++) {
        long n = call_write(descriptor, ((const u64 *)vector)[2 * i], ((const u64 *)vector)[2 * i + 1]);
        if (n < 0)
            return all ? all : n;
        all += n;
    }
    return all;
}

/* A character device without an end: what the three descriptors are. */
static long call_fstat(u64 descriptor, u64 address)
{
    u64 *stat = (u64 *)address;
    if (descriptor > 2)
        return -E_BADF;
    if (!owned(address, 144, 1))
        return -E_FAULT;
    memset(stat, 0, 144);
    stat[1] = 1 + descriptor;
    stat[2] = 1;
    stat[3] = (u64)0020620 << 32; /* st_mode */
    stat[15] = 1024;              /* st_blksize */
    return 0;
}

static long call_uname(u64 address)
{
    static const char *const words[6] = {"Linux", "zri", "6.1.0", "zri linux-user", "s390x", "(none)"};
    if (!owned(address, 6 * 65, 1))
        return -E_FAULT;
    memset((void *)address, 0, 6 * 65);
    for (u64 i = 0; i < 6; i++)
        memcpy((void *)(address + 65 * i), words[i], text_length(words[i]));
    return 0;
}

/* Seconds and nanoseconds since 1970 by the TOD clock. `unit`: nanoseconds for each unit of the second word. */
static long call_clock(u64 address, u64 unit)
{
    u64 clock, *to = (u64 *)address;
    if (!owned(address, 16, 1))
        return -E_FAULT;
    __asm__ volatile("stck %0" : "=Q"(clock) : : "cc");
    clock -= 0x7d91048bca000000ul;
    u64 seconds = clock / 4096000000ul;
    to[0] = seconds;
    to[1] = (clock - seconds * 4096000000ul) * 1000 / 4096 / unit;
    return 0;
}

static long call_getrandom(u64 address, u64 length)
{
    static u64 state = 0x9e3779b97f4a7c15ul;
    if (!owned(address, length, 1))
        return -E_FAULT;
    for (u64 i = 0; i < length; i++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        ((u8 *)address)[i] = (u8)(state >> 56);
    }
    return (long)length;
}

static long call_limit(u64 resource, u64 address)
{
    u64 *limit = (u64 *)address;
    if (!address)
        return 0;
    if (!owned(address, 16, 1))
        return -E_FAULT;
    limit[0] = limit[1] = resource == 3 ? STACK_SIZE : -1ul; /* RLIMIT_STACK */
    return 0;
}

static void call_exit(u64 status) __attribute__((noreturn));
static void call_exit(u64 status)
{
    status &= 255;
    end(status ? STOP_EXIT + status : STOP_GOOD);
}

static long unknown_call(u64 number)
{
    message();
    say("system call ");
    say_number(number, 10);
    say(" is not known here: ENOSYS\n");
    return -E_NOSYS;
}

static long call(u64 number, const u64 *a)
{
    switch (number) {
    case 1:   /* exit */
    case 248: /* exit_group */
        call_exit(a[0]);
    case 3: /* read: at its end */
        return a[0] == 0 ? 0 : -E_BADF;
    case 4:
        return call_write(a[0], a[1], a[2]);
    case 6: /* close */
        return a[0] <= 2 ? 0 : -E_BADF;
    case 5:   /* open */
    case 33:  /* access */
    case 85:  /* readlink */
    case 106: /* stat */
    case 107: /* lstat */
    case 288: /* openat */
    case 298: /* readlinkat */
    case 300: /* faccessat */
    case 379: /* statx */
        return -E_NOENT;
    case 19: /* lseek */
        return a[0] <= 2 ? -E_SPIPE : -E_BADF;
    case 20:  /* getpid */
    case 236: /* gettid */
        return 1;
    case 45:
        return call_brk(a[0]);
    case 54: /* ioctl */
        return a[0] <= 2 ? -E_NOTTY : -E_BADF;
    case 78: /* gettimeofday */
        return a[0] ? call_clock(a[0], 1000) : 0;
    case 90:
        return call_mmap((u64)a[0]);
    case 91:
        return call_munmap(a[0], a[1]);
    case 108:
        return call_fstat(a[0], a[1]);
    case 122:
        return call_uname(a[0]);
    case 125:
        return protect_pages(a[0], round_up(a[1]), a[2]);
    case 146:
        return call_writev(a[0], a[1], a[2]);
    case 163:
        return call_mremap(a[0], a[1], a[2], a[3]);
    case 191: /* getrlimit */
        return call_limit(a[0], a[1]);
    case 293: /* newfstatat: by descriptor (AT_EMPTY_PATH), or a file, of which there is none */
        return a[3] & 0x1000 ? call_fstat(a[0], a[2]) : -E_NOENT;
    case 334: /* prlimit64 */
        return call_limit(a[1], a[3]);
    case 260: /* clock_gettime */
        return call_clock(a[1], 1);
    case 349:
        return call_getrandom(a[0], a[1]);
    case 252: /* set_tid_address */
        tid_address = a[0];
        return 1;
    case 174: /* rt_sigaction */
    case 175: /* rt_sigprocmask */
    case 186: /* sigaltstack */
    case 199: /* getuid, getgid, geteuid, getegid */
    case 200:
    case 201:
    case 202:
    case 219: /* madvise */
    case 238: /* futex: one thread only */
    case 304: /* set_robust_list */
        return 0;
    case 37: /* kill, tkill, tgkill: a signal of our own ends the program */
    case 237:
        call_exit(128 + a[1]);
    case 241:
        call_exit(128 + a[2]);
    case 383: /* rseq: as on a system without it */
        return -E_NOSYS;
    default:
        return unknown_call(number);
    }
}

void nucleus_call(struct state *state, u64 number)
{
    if (number == 0)
        number = (u32)state->gr[1];
    state->gr[2] = (u64)call(number, &state->gr[2]);
}

/* A signal for a program that has no handlers: said, and the end. */
void nucleus_program_check(struct state *state, u64 code, u64 dxc, u64 operand)
{
    message();
    say("program interruption ");
    say_number(code, 16);
    say(" at ");
    say_number(state->psw_address, 16);
    if (code == 7) {
        say(", data-exception code ");
        say_number(dxc, 16);
    }
    if (code == 4 || code == 0x10 || code == 0x11 || code == 0x3b) {
        say(", operand at ");
        say_number(operand & -PAGE, 16);
    }
    end(STOP_CHECK + (code & 255));
}
