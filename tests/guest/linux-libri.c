/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program under Linux profiles itself by libri: linux-libri prints its hottest functions and addresses, and compares
   what was sampled with what it carried out, which is known to the instruction. Then: what a system call and a task
   switch leave of the collection buffer, and two processes at once, each of which finds its own groups only. Prints
   "linux-libri: PASS" and ends with 0, or says what is wrong; 3: the machine has no such facility. A static program for
   s390x, see linux-libri.sh. */
#define _GNU_SOURCE
#include "ipl/guest/libri/libri.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define INTERVAL 1009u
#define PASSES   6u /* of the loops below, with a reading behind each */

/* Loops of 4 instructions a round and 2 around them, and one that calls a leaf: 5 a round. */
void loop_hot(uint64_t rounds);
void loop_warm(uint64_t rounds);
void loop_calls(uint64_t rounds);
void loop_other(uint64_t rounds);
extern const char loops_end[], leaf[], leaf_end[], site[];
#define LOOP(name)                                                                                                     \
    ".globl " name "\n" name ":\n"                                                                                     \
    "    lgr %r1,%r2\n"                                                                                                \
    "1:  la %r3,1(%r3)\n"                                                                                              \
    "    lr %r4,%r3\n"                                                                                                 \
    "    lgr %r5,%r3\n"                                                                                                \
    "    brctg %r1,1b\n"                                                                                               \
    "    br %r14\n"
__asm__(".text\n" LOOP("loop_hot") LOOP("loop_warm") LOOP("loop_other") ".globl loop_calls\n"
                                                                        "loop_calls:\n"
                                                                        "    lgr %r0,%r14\n"
                                                                        "    lgr %r1,%r2\n"
                                                                        "1:  la %r3,1(%r3)\n"
                                                                        "site: brasl %r14,leaf\n"
                                                                        "    brctg %r1,1b\n"
                                                                        "    lgr %r14,%r0\n"
                                                                        "    br %r14\n"
                                                                        "leaf: xr %r5,%r4\n"
                                                                        "    br %r14\n"
                                                                        "leaf_end:\n"
                                                                        "loops_end:\n");

static const char *who = "one";
static int problems;
__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
    va_list arguments;
    __builtin_va_start(arguments, format);
    printf("linux-libri: %s: ", who);
    vprintf(format, arguments);
    printf("\n");
    __builtin_va_end(arguments);
    fflush(stdout);
    problems++;
}

/* ---- a profile ------------------------------------------------------------------------------------------------- */

enum { HOT, WARM, CALLS, OTHER, LEAF, ELSEWHERE, FUNCTIONS };
static const char *const function_names[FUNCTIONS] = {"loop_hot",   "loop_warm", "loop_calls",
                                                      "loop_other", "leaf",      "elsewhere"};
static unsigned function_of(uint64_t address)
{
    if (address < (uintptr_t)loop_hot || address >= (uintptr_t)loops_end)
        return ELSEWHERE;
    if (address >= (uintptr_t)leaf)
        return LEAF;
    return address >= (uintptr_t)loop_calls   ? CALLS
           : address >= (uintptr_t)loop_other ? OTHER
           : address >= (uintptr_t)loop_warm  ? WARM
                                              : HOT;
}

#define CODE 128u /* bytes of the loops */
struct profile {
    unsigned groups, self[FUNCTIONS], at[CODE], calls, calls_elsewhere, emits, foreign_emits, undirected;
    uint64_t tag; /* what this process emits */
};

static void look(void *context, const struct libri_group *group)
{
    struct profile *p = context;
    p->groups++;
    for (unsigned i = 0; i < group->records; i++) {
        const struct libri_record r = libri_record(group, i);
        const uint64_t ia = libri_field(r, LIBRI_INSTRUCTION_IA), at = ia - (uintptr_t)loop_hot;
        switch (libri_type(r)) {
        case LIBRI_INSTRUCTION:
            p->self[function_of(ia)]++;
            p->at[at < CODE ? at : CODE - 1]++;
            break;
        case LIBRI_CALL:
            p->calls++;
            p->calls_elsewhere += ia == (uintptr_t)site && libri_field(r, LIBRI_BRANCH_TGT) != (uintptr_t)leaf;
            break;
        case LIBRI_EMIT:
            p->emits++;
            p->foreign_emits += libri_field(r, LIBRI_EMIT_DATA) != p->tag;
            break;
        default:
            break;
        }
    }
}

/* A share that was sampled lies within 3 sigma and half a point of what was carried out. */
static void compare(const struct profile *p, const uint64_t truth[FUNCTIONS])
{
    double all = 0;
    for (unsigned f = 0; f < FUNCTIONS; f++)
        all += (double)truth[f];
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        const double share = (double)p->self[f] / p->groups, is = (double)truth[f] / all, off = share - is;
        printf("linux-libri: %-10s %5.1f %% sampled, %5.1f %% carried out\n", function_names[f], 100 * share, 100 * is);
        if (off * off > 9 * is * (1 - is) / p->groups + 0.005 * 0.005)
            complain("%s: the share is wrong", function_names[f]);
    }
}

static void print_hot(const struct profile *p)
{
    for (unsigned n = 0, last = ~0u; n < 3; n++) {
        unsigned best = CODE - 1;
        for (unsigned i = 0; i < CODE - 1; i++)
            if (p->at[i] > p->at[best] && p->at[i] < last)
                best = i;
        last = p->at[best];
        printf("linux-libri: hot %s+%#lx %u samples\n", function_names[function_of((uintptr_t)loop_hot + best)],
               (unsigned long)best, p->at[best]);
    }
}

static void profile_loops(void)
{
    static struct profile p;
    struct libri ri;
    const struct libri_setup setup = {.interval = INTERVAL, .collect = LIBRI_CALLS, .rgs = 3, .size = 1 << 20};
    uint64_t truth[FUNCTIONS] = {0};
    const int code = libri_open(&ri, &setup);
    if (code)
        return complain("%s", libri_problem(code));
    if (libri_on(&ri))
        complain("it cannot be switched on");
    for (unsigned n = 0; n < PASSES; n++) {
        loop_hot(300000);
        loop_warm(60000);
        loop_calls(100000);
        truth[HOT] += 4 * 300000 + 2;
        truth[WARM] += 4 * 60000 + 2;
        truth[CALLS] += 3 * 100000 + 4;
        truth[LEAF] += 2 * 100000;
        const int groups = libri_read(&ri, look, &p);
        if (groups < 0)
            complain("reading: %s", libri_problem(groups));
    }
    libri_close(&ri);
    uint64_t all = 0;
    for (unsigned f = 0; f < FUNCTIONS; f++)
        all += truth[f];
    printf("linux-libri: %u groups of %lu instructions\n", p.groups, (unsigned long)all);
    if (p.groups < all / INTERVAL - 3 * PASSES || p.groups > all / INTERVAL * 102 / 100)
        complain("%u groups, not about %lu", p.groups, (unsigned long)(all / INTERVAL));
    if (!p.calls || p.calls_elsewhere)
        complain("%u calls, %u of the leaf's site go elsewhere", p.calls, p.calls_elsewhere);
    compare(&p, truth);
    print_hot(&p);
}

/* A buffer of its own for 32 groups, read by halves: with another interval there are fewer, and a full buffer says so.
 */
static void own_buffer(const struct libri_setup *setup, const uint8_t *pages)
{
    struct libri ri;
    int groups = libri_open(&ri, setup);
    if (groups || libri_on(&ri))
        return complain("a buffer of its own: %s", libri_problem(groups ? groups : -EPERM));
    loop_hot(2500);
    groups = libri_pause(&ri);
    if (groups < 8 || groups > 11 || ri.full || ri.buffer != pages || pages[0] != LIBRI_BEGIN)
        complain("a buffer of its own: %d groups of 10002 instructions, full %d", groups, ri.full);
    if (libri_resume(&ri, 5003, 16) != -EINVAL || libri_resume(&ri, 5003, LIBRI_CALLS))
        complain("it does not go on");
    loop_hot(5000);
    groups = libri_pause(&ri);
    if (groups < 3 || groups > 5 || ri.full)
        complain("after a change of the interval: %d groups of 20002 instructions, full %d", groups, ri.full);
    if (libri_resume(&ri, 1009, 0))
        complain("it does not go on again");
    loop_hot(25000);
    groups = libri_pause(&ri);
    if (groups != 32 || !ri.full)
        complain("a small buffer: %d groups of 100002 instructions, full %d", groups, ri.full);
    libri_close(&ri);
}

/* ---- what empties the collection buffer ------------------------------------------------------------------------ */

enum between { NOTHING, SYSTEM_CALL, TASK_SWITCH, SIGNAL };
static const char *const between_names[] = {"nothing", "a system call", "a task switch", "a signal"};
static volatile sig_atomic_t on_in_signal;
static void on_signal(int number)
{
    unsigned long high; /* PSW bit 24 */
    (void)number;
    __asm__ volatile("epsw %0,%%r0" : "=d"(high) : : "0");
    on_in_signal = (high & 0x80) != 0;
}

/* A value is emitted, something happens, the next instruction is sampled: is the value in the group? 1, 0; -1: there is
   not one group. */
static int survives(enum between what)
{
    struct profile p = {.tag = 0x5eed};
    struct libri ri;
    const struct libri_setup setup = {.collect = LIBRI_EMITS, .rgs = 2};
    int code = libri_open(&ri, &setup);
    if (code || libri_on(&ri)) {
        complain("%s", libri_problem(code ? code : -EPERM));
        return -1;
    }
    libri_emit(p.tag);
    if (what == SYSTEM_CALL)
        getppid();
    else if (what == TASK_SWITCH)
        usleep(2000);
    else if (what == SIGNAL)
        raise(SIGUSR1);
    libri_next();
    __asm__ volatile("lgr %%r0,%%r0" : : : "0");
    code = libri_read(&ri, look, &p);
    libri_close(&ri);
    return code != 1 || p.groups != 1 || p.emits > 1 || p.foreign_emits ? -1 : (int)p.emits;
}

static void what_empties(void)
{
    signal(SIGUSR1, on_signal);
    for (enum between b = NOTHING; b <= SIGNAL; b++) {
        int found = -1;
        for (unsigned n = 0; n < 20 && found != (b == NOTHING); n++) /* a timer may strike in between */
            found = survives(b);
        if (found != (b == NOTHING))
            complain("behind %s the collection buffer is %s", between_names[b],
                     found < 0 ? "in no group"
                     : found   ? "not empty"
                               : "empty");
        else
            printf("linux-libri: behind %s the value emitted before is %s\n", between_names[b],
                   found ? "in the group" : "gone");
    }
    printf("linux-libri: in a signal's handler it is %s\n", on_in_signal ? "on" : "off");
}

/* ---- two processes --------------------------------------------------------------------------------------------- */

/* Runs its own loop and emits its own tag, in turn with the other: finds neither code nor tags of the other. */
static void watch_own(unsigned own, void (*loop)(uint64_t), uint64_t tag)
{
    static struct profile p;
    struct libri ri;
    const struct libri_setup setup = {.interval = INTERVAL, .collect = LIBRI_EMITS, .rgs = 3};
    p = (struct profile){.tag = tag};
    int code = libri_open(&ri, &setup);
    if (code || libri_on(&ri))
        return complain("%s", libri_problem(code ? code : -EPERM));
    for (unsigned n = 0; n < 200; n++) {
        libri_emit(tag);
        loop(2000);
        sched_yield();
        if (n % 25 == 24 && libri_read(&ri, look, &p) < 0)
            complain("reading");
    }
    libri_close(&ri);
    for (unsigned f = 0; f < ELSEWHERE; f++)
        if (f != own && p.self[f])
            complain("%u samples in %s, which this process never enters", p.self[f], function_names[f]);
    if (p.self[own] < 1500 || p.foreign_emits || !p.emits)
        complain("%u samples, %u tags, %u of them not its own", p.self[own], p.emits, p.foreign_emits);
    printf("linux-libri: %s: %u samples, all in %s, %u tags, all its own\n", who, p.self[own], function_names[own],
           p.emits);
    fflush(stdout);
}

static void two_processes(void)
{
    int status = 1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        who = "two";
        watch_own(OTHER, loop_other, 0xbbbb);
        _exit(problems != 0);
    }
    watch_own(HOT, loop_hot, 0xaaaa);
    waitpid(child, &status, 0);
    if (status)
        complain("the other process ended with status %x", status);
}

int main(void)
{
    struct libri ri;
    static uint8_t pages[8192] __attribute__((aligned(4096)));
    const struct libri_setup bad = {.rgs = 9}, setup = {.interval = INTERVAL},
                             odd = {.buffer = pages + 256, .size = 4096}, none = {.buffer = pages},
                             small = {.buffer = pages, .size = sizeof pages, .interval = 1009, .rgs = 3};
    const int code = libri_open(&ri, &setup);
    if (code) {
        printf("linux-libri: %s\n", libri_problem(code));
        return code == -EOPNOTSUPP ? 3 : 1;
    }
    libri_close(&ri);
    if (libri_open(&ri, &bad) != -EINVAL)
        complain("a setup that is no good is taken");
    if (libri_on(&ri) != -EPERM || libri_read(&ri, look, NULL) != -EPERM)
        complain("without controls something can be done");
    if (libri_open(&ri, &odd) != -EINVAL || libri_open(&ri, &none) != -EINVAL)
        complain("a buffer that is not whole pages is taken");
    own_buffer(&small, pages);
    profile_loops();
    what_empties();
    two_processes();
    printf(problems ? "linux-libri: FAIL\n" : "linux-libri: PASS\n");
    return problems != 0;
}
