/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation as a program under Linux has it: system call s390_runtime_instr, MRIC, RION, RIEMIT, RINEXT.
   Each round of the loop below takes branches that depend on its number, marks itself by RIEMIT and is sampled by
   RINEXT; the program then finds in its program buffer exactly the branches that it took. Two processes do so at once,
   with task switches; a third is looked at and changed by ptrace. Prints "linux-ri: PASS" and ends with 0, or says what
   is wrong; 3: the machine has no such facility. A static program for s390x, tests/guest/linux-boot.sh puts it into an
   initial RAM disk. */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL_RUNTIME_INSTR 342
#define START              1
#define STOP               2
#define REGISTER_SET       0x30d /* NT_S390_RI_CB */

#define ROUNDS           1500u
#define RECORDS          16u /* of a group */
#define MOST_INTERRUPTED 60u /* rounds; with a clock of its own a host decides when timers come */
#define BUFFER           (ROUNDS * RECORDS * 16u + 65536u)

struct controls {
    uint64_t rca, roa, rla;
    uint8_t flags[8];
    uint64_t reserved1, sf, rsic, reserved2;
} __attribute__((aligned(8)));

struct record {
    uint64_t first, second;
};

/* The measured rounds: work(first, end, tag). Every label that is a branch or the target of one is known to C. */
void work(uint64_t first, uint64_t end, uint64_t tag);
extern const char work_loop[], work_odd[], work_third[], work_call_a[], work_call_b[], work_join[], work_back[],
    work_leaf[], work_leaf_return[], work_skip[], work_after_b[];
__asm__(".text\n"
        ".globl work\n"
        "work:\n"
        "    stmg %r6,%r14,48(%r15)\n"
        "    lgr %r6,%r2\n"
        "work_loop:\n"
        "    lgr %r5,%r4\n"
        "    sllg %r5,%r5,32\n"
        "    ogr %r5,%r6\n"
        "    .insn ri,0xaa040000,%r5,0\n" /* RIEMIT: tag and number of the round */
        "    tmll %r6,1\n"
        "work_odd: jo work_call_b\n" /* odd rounds */
        "work_call_a: brasl %r14,work_leaf\n"
        "work_third: tmll %r6,4\n"
        "    jz work_join\n"
        "    j work_skip\n"
        "work_call_b: larl %r1,work_leaf\n"
        "    basr %r14,%r1\n"
        "work_after_b:\n"
        "work_skip: nopr\n"
        "work_join:\n"
        "    .insn ri,0xaa000000,%r0,0\n" /* RINEXT: the next instruction is sampled */
        "    la %r6,1(%r6)\n"
        "work_back: clgrjl %r6,%r3,work_loop\n"
        "    lmg %r6,%r14,48(%r15)\n"
        "    br %r14\n"
        "work_leaf: nopr\n"
        "work_leaf_return: br %r14\n");

static const char *who = "one";
static int problems;
__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
    va_list arguments;
    __builtin_va_start(arguments, format);
    printf("linux-ri: %s: ", who);
    vprintf(format, arguments);
    printf("\n");
    __builtin_va_end(arguments);
    fflush(stdout);
    problems++;
}

static int modify(const struct controls *c)
{
    int cc;
    __asm__ volatile(".insn rsy,0xeb0000000062,%%r0,%%r0,%1\n ipm %0\n srl %0,28"
                     : "=d"(cc)
                     : "Q"(*c)
                     : "cc", "memory");
    return cc;
}
static int store(struct controls *c)
{
    int cc;
    __asm__ volatile(".insn rsy,0xeb0000000061,%%r0,%%r0,%1\n ipm %0\n srl %0,28"
                     : "=d"(cc), "=Q"(*c)
                     :
                     : "cc", "memory");
    return cc;
}
static int on(void)
{
    int cc;
    __asm__ volatile(".insn ri,0xaa010000,%%r0,0\n ipm %0\n srl %0,28" : "=d"(cc) : : "cc", "memory");
    return cc;
}
static int off(void)
{
    int cc;
    __asm__ volatile(".insn ri,0xaa030000,%%r0,0\n ipm %0\n srl %0,28" : "=d"(cc) : : "cc", "memory");
    return cc;
}
static int enabled(void) /* PSW bit 24 */
{
    unsigned long high;
    __asm__ volatile("epsw %0,%%r0" : "=d"(high) : : "0");
    return (high & 0x80) != 0;
}

static struct controls prepare(char **buffer, uint64_t length, int mode, uint64_t interval)
{
    struct controls c;
    memset(&c, 0, sizeof c);
    *buffer = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* no page is there yet */
    c.rca = c.roa = (uint64_t)*buffer;
    c.rla = c.roa + length - 1;
    c.flags[3] = 3;                         /* groups of 16 records */
    c.flags[4] = (uint8_t)(mode << 4 | 8);  /* RINEXT */
    c.flags[5] = 0x80 | 0x40 | 0x20 | 0x08; /* calls, returns, other branches, RIEMIT */
    c.flags[6] = mode == 2 ? 0 : 1;         /* F: every sample by count is reported */
    c.sf = c.rsic = interval;
    return c;
}

/* The branches that round `n` takes behind its RIEMIT. */
struct branch {
    unsigned type;
    const char *from, *to;
};
static unsigned expected(unsigned n, struct branch *b)
{
    unsigned count = 0;
    if (n & 1) {
        b[count++] = (struct branch){0x14, work_odd, work_call_b};
        b[count++] = (struct branch){0x12, work_call_b + 6, work_leaf};
        b[count++] = (struct branch){0x13, work_leaf_return, work_after_b};
        return count;
    }
    b[count++] = (struct branch){0x12, work_call_a, work_leaf};
    b[count++] = (struct branch){0x13, work_leaf_return, work_third};
    if (n & 4)
        b[count++] = (struct branch){0x14, work_third + 8, work_skip};
    else
        b[count++] = (struct branch){0x14, work_third + 4, work_join};
    return count;
}

static int is_nothing(const struct record *r) { return !r->first && !r->second; }

/* The group of round `n`: what stands behind its own emit record is what it took. An interruption empties the
   collection buffer: what was before it may be missing then, and nothing behind it. Returns the number of such
   records. */
static unsigned check_group(const struct record *group, unsigned n, uint64_t tag, int first)
{
    struct branch b[8];
    unsigned count = expected(n, b), at = RECORDS - 2 - count, emptied = 0;
    const struct record *end = &group[RECORDS - 1];
    if (group[0].first >> 56 != (first ? 0x02 : 0x03))
        complain("round %u: header %016lx", n, group[0].first);
    while (emptied < count + 1 && is_nothing(&group[at + emptied]))
        emptied++;
    if (!emptied && (group[at].first >> 56 != 0x10 || group[at].second != (tag << 32 | n)))
        complain("round %u: emit record %016lx %016lx", n, group[at].first, group[at].second);
    for (unsigned i = 0; i < at && emptied; i++)
        if (i && !is_nothing(&group[i]))
            complain("round %u: record %u is there, a later one is not", n, i);
    for (unsigned i = emptied ? emptied - 1 : 0; i < count; i++) {
        const struct record *r = &group[at + 1 + i];
        if (r->first != ((uint64_t)b[i].type << 56 | (uint64_t)b[i].from) ||
            (r->second & INT64_MAX) != (uint64_t)b[i].to)
            complain("round %u: branch %u is %016lx %016lx, not %x %p %p", n, i, r->first, r->second, b[i].type,
                     (const void *)b[i].from, (const void *)b[i].to);
    }
    if (end->first != ((uint64_t)0x04 << 56 | (uint64_t)(work_join + 4)) || !(end->second & (UINT64_C(1) << 59)))
        complain("round %u: instruction record %016lx %016lx", n, end->first, end->second);
    return emptied;
}

/* All groups: one for each round, but for the few whose directed sample an interruption has cancelled. */
static void check_groups(const char *buffer, uint64_t length, uint64_t tag)
{
    const uint64_t groups = length / (RECORDS * sizeof(struct record));
    unsigned n = 0, interrupted = 0;
    if (length % (RECORDS * sizeof(struct record)) || groups > ROUNDS || groups < ROUNDS - MOST_INTERRUPTED)
        complain("%lu bytes were stored, not %u", length, ROUNDS * RECORDS * 16);
    for (uint64_t g = 0; g < groups && problems < 20; g++, n++) {
        const struct record *group = (const struct record *)(buffer + g * RECORDS * sizeof *group);
        uint64_t emitted = group[RECORDS - 5].second - (tag << 32); /* three branches and the end stand behind it */
        if (group[RECORDS - 5].first >> 56 == 0x10 && emitted > n && emitted < ROUNDS &&
            emitted - n <= ROUNDS - groups) {
            interrupted += (unsigned)emitted - n;
            n = (unsigned)emitted;
        }
        interrupted += check_group(group, n, tag, g == 0) != 0;
    }
    if (interrupted > MOST_INTERRUPTED)
        complain("%u rounds have lost something by interruptions", interrupted);
    if (interrupted)
        printf("linux-ri: %s: an interruption fell into %u rounds\n", who, interrupted);
}

static long switches(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_nvcsw + u.ru_nivcsw;
}

static volatile sig_atomic_t signals;
static void on_signal(int number)
{
    (void)number;
    signals++;
}

/* Directed samples of every round; two processes take turns through pipes, and signals arrive. */
static void watch_rounds(uint64_t tag, int to, int from)
{
    char *buffer;
    struct controls c, before;
    if (syscall(CALL_RUNTIME_INSTR, START, 0)) {
        complain("start: error %d", errno);
        return;
    }
    if (store(&before) || before.roa || before.rca || before.rla != 0xfff || before.flags[0] != 0xe0)
        complain("the controls that Linux loads: roa %lx rca %lx rla %lx flags %02x", before.roa, before.rca,
                 before.rla, before.flags[0]);
    c = prepare(&buffer, BUFFER, 2, 0);
    memset(buffer, 0, BUFFER); /* a group whose page is not there is lost, so let them be there */
    if (modify(&c))
        complain("MRIC is refused");
    signal(SIGALRM, on_signal);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 3000}, {0, 3000}}, NULL);
    if (on())
        complain("RION is refused");
    for (unsigned n = 0; n < ROUNDS; n += 50) {
        work(n, n + 50, tag);
        char byte = 0;
        if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
            complain("the other process is gone");
        usleep(1); /* the slower of two on CPUs of their own would never wait */
        if (!enabled())
            complain("PSW bit 24 is off after round %u", n + 50);
    }
    for (unsigned i = 0; i < 2000000000 && !signals; i++)
        ;
    if (!enabled())
        complain("PSW bit 24 is off after a signal");
    if (off() || enabled())
        complain("RIOFF does not turn it off");
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    if (store(&c))
        complain("STRIC is refused");
    check_groups(buffer, c.rca - c.roa, tag);
    if (syscall(CALL_RUNTIME_INSTR, STOP, 0))
        complain("stop: error %d", errno);
    if (on() != 2)
        complain("RION is possible after the end");
    if (switches() < 5)
        complain("only %ld task switches", switches());
    printf("linux-ri: %s: %u rounds, %ld task switches, %d signals\n", who, ROUNDS, switches(), (int)signals);
    fflush(stdout);
}

/* Samples every 997 instructions, until the buffer is full: then nothing is stored any more. */
static void watch_count(void)
{
    char *buffer;
    struct controls c;
    unsigned polls = 0;
    if (syscall(CALL_RUNTIME_INSTR, START, 0))
        return complain("start: error %d", errno);
    c = prepare(&buffer, 65536, 1, 997);
    if (modify(&c) || on())
        return complain("MRIC or RION is refused");
    do {
        work(0, 2000, 7);
        off();
        if (store(&c))
            return complain("STRIC is refused");
        on();
    } while (c.rca <= c.rla && ++polls < 100);
    off();
    if (c.rca != c.rla + 1)
        complain("the buffer is not full: rca %lx, rla %lx", c.rca, c.rla);
    if (((struct record *)buffer)->first >> 56 != 0x02 || !(((struct record *)buffer)->first & 0x1000))
        complain("the begin record does not say that it is full: %016lx", ((struct record *)buffer)->first);
    syscall(CALL_RUNTIME_INSTR, STOP, 0);
}

/* The register set: read, changed, seen by the program. */
static void watch_ptrace(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        char *buffer;
        struct controls c;
        if (on() != 2) /* a child of a process with controls has none */
            _exit(10);
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        if (syscall(CALL_RUNTIME_INSTR, START, 0))
            _exit(11);
        c = prepare(&buffer, 65536, 1, 0x4711);
        if (modify(&c))
            _exit(12);
        raise(SIGSTOP);
        if (store(&c))
            _exit(13);
        _exit(c.sf == 0x8000 && c.roa == (uint64_t)buffer ? 0 : 14);
    }
    struct controls c;
    struct iovec io = {&c, sizeof c};
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status))
        return complain("ptrace: the child ended, status %x", status);
    if (ptrace(PTRACE_GETREGSET, child, REGISTER_SET, &io) || io.iov_len != 64)
        complain("ptrace: reading: error %d", errno);
    if (c.sf != 0x4711 || c.rla != c.roa + 65535 || (c.flags[0] & 0xe0) != 0xe0)
        complain("ptrace: scaling factor %lx, roa %lx, rla %lx", c.sf, c.roa, c.rla);
    c.sf = 0x8000;
    if (ptrace(PTRACE_SETREGSET, child, REGISTER_SET, &io))
        complain("ptrace: setting: error %d", errno);
    ptrace(PTRACE_CONT, child, NULL, NULL);
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        complain("ptrace: the child ended with status %x", status);
}

int main(void)
{
    if (syscall(CALL_RUNTIME_INSTR, START, 0)) {
        printf("linux-ri: UNAVAILABLE, error %d\n", errno);
        return errno == EOPNOTSUPP ? 3 : 1;
    }
    watch_ptrace();
    syscall(CALL_RUNTIME_INSTR, STOP, 0);
    watch_count();
    fflush(stdout);
    int there[2], back[2];
    if (pipe(there) || pipe(back))
        complain("no pipes");
    pid_t child = fork();
    if (child == 0) {
        who = "two";
        watch_rounds(2, there[1], back[0]);
        _exit(problems != 0);
    }
    watch_rounds(1, back[1], there[0]);
    int status = 1;
    waitpid(child, &status, 0);
    if (status)
        complain("the other process ended with status %x", status);
    printf(problems ? "linux-ri: FAIL\n" : "linux-ri: PASS\n");
    return problems != 0;
}
