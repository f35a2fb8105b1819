/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run-time's platform under Linux on s390x: a static program on libri. Its words are arguments:

       mrvm mode=ri prog=shapes        one run, as the bare one prints it
       mrvm share=1 prog=shapes        the share of its instructions that profiling takes: by counters, by samples

   Between the first instruction of a run and its last no system call is made, for the profile or for anything else: a
   filter of seccomp ends the program at any but those for what follows the run, and those are counted. Instructions in
   the problem state are counted by perf, asked before the run and after it; what happens in between is measured by the
   TOD clock. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "vm.h"
#include "ipl/guest/libri/libri.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

u32 run_time(char *text, u64 flags);

/* What a run leaves for the one that compares. */
struct counted {
    u64 instructions, checksum, groups;
    u32 known; /* the instructions are counted */
};

static struct {
    struct libri ri;
    u64 calls;            /* system calls by this file since the run was prepared */
    int counter;          /* of perf, or a negative errno */
    u64 before, after;    /* instructions */
    u32 sealed;           /* other system calls end the program */
    u32 share;            /* is asked for */
    struct counted *tell; /* the run is one of those that are compared: no lines */
} self = {.counter = -ENOSYS};

u64 tod(void)
{
    u64 time;
    asm volatile("stck %0" : "=Q"(time) : : "cc");
    return time;
}

u64 instructions(void) { return tod(); }

/* ---- services -------------------------------------------------------------------------------------------------- */

static void write_line(const char *text, u64 length)
{
    char whole[4096];
    u64 n = length < sizeof whole - 1 ? length : sizeof whole - 1, done = 0;
    memcpy(whole, text, n);
    whole[n++] = '\n';
    while (done < n) {
        const ssize_t some = write(STDOUT_FILENO, whole + done, n - done);
        if (some <= 0)
            return;
        done += (u64)some;
    }
}

u64 service(u64 number, u64 a, u64 b, u64 c)
{
    (void)c;
    switch (number) {
    case SVC_WRITE:
        self.calls++;
        if (!self.tell)
            write_line((const char *)a, b);
        return 0;
    case SVC_EXIT:
        self.calls++;
        _exit((int)a);
    case SVC_COUNTED:
        return self.calls;
    default:
        return 0;
    }
}

/* ---- run-time instrumentation ---------------------------------------------------------------------------------- */

static unsigned collected(void)
{
    return LIBRI_EMITS | (vm.calls ? LIBRI_CALLS : 0u) | (vm.transfers ? LIBRI_OTHERS : 0u);
}

const char *ri_open(void)
{
    const struct libri_setup setup = {.interval = vm.ri_mode == 1 ? vm.sf : 0,
                                      .size = BUFFER_SIZE,
                                      .buffer = (void *)vm.buffer,
                                      .rgs = 3,
                                      .collect = collected()};
    if (!vm.ri_mode)
        return "block"; /* cycles are nothing that libri has */
    self.calls++;
    int code = libri_open(&self.ri, &setup);
    if (!code)
        code = libri_on(&self.ri);
    switch (code) {
    case 0:
        return NULL;
    case -ENOSYS:
    case -EOPNOTSUPP:
        return "absent";
    case -EINVAL:
        return "block";
    default:
        return "refused";
    }
}

u32 ri_pause(u32 *full)
{
    const int groups = libri_pause(&self.ri);
    *full = self.ri.full;
    return groups > 0 ? (u32)groups : 0;
}

void ri_resume(void) { (void)libri_resume(&self.ri, vm.ri_mode == 1 ? vm.sf : 0, collected()); }

/* ---- what is measured, and that nothing else happens ----------------------------------------------------------- */

static u64 counter_now(void)
{
    u64 value = 0;
    self.calls++;
    if (self.counter < 0 || read(self.counter, &value, sizeof value) != sizeof value)
        return 0;
    return value;
}

void platform_prepared(void)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof attr,
                                   .config = PERF_COUNT_HW_INSTRUCTIONS,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    self.counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    self.before = counter_now();
}

/* From here on: read, write, the end, and libri_close(). */
static void seal(void)
{
    static struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), /* the number */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_s390_runtime_instr, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_munmap, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    self.sealed = !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

void platform_begins(char *text)
{
    (void)text;
    seal();
}

void platform_ends(const u64 registers[16])
{
    (void)registers;
    self.after = counter_now();
    if (self.ri.buffer)
        libri_close(&self.ri);
    if (self.tell)
        *self.tell = (struct counted){self.after - self.before, vm.checksum, vm.groups, self.counter >= 0};
}

void platform_report(void)
{
    line_begin("LINUX unit=tod"); /* of all numbers called insn and ipi below */
    if (self.counter >= 0)
        line_number("instructions", self.after - self.before);
    else
        line_word("instructions", "unknown");
    line_number("sealed", self.sealed);
    line_end();
}

/* ---- shares ---------------------------------------------------------------------------------------------------- */

const char *const platform_words = ", or share=1 prog=shapes|phase|flat|tiny [iters=1-200] [seed=N] [sf=N]";

u32 platform_word(const char *word)
{
    const char *v = after(word, "share=");
    if (!v)
        return 0;
    self.share = value_of(v) == 1;
    return self.share ? 2 : 0;
}

static void tell_share(const char *word, enum mode mode, const struct counted *c, const struct counted *plain)
{
    line_begin(word);
    line_word("mode", mode_name(mode));
    if (!c->known || !plain->known)
        line_word("instructions", "unknown");
    else {
        const u64 more = c->instructions > plain->instructions ? c->instructions - plain->instructions : 0;
        line_number("instructions", c->instructions);
        line_hundredths("share", more * 10000 / c->instructions);
    }
    line_number("groups", c->groups);
    line_hex("checksum", c->checksum);
    line_end();
}

/* A process for each run, one after the other. In such a process: zero; it goes on as if its mode had been asked for.
 */
static u32 runs(struct counted *table, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        const pid_t child = fork();
        int status = 1;
        if (!child) {
            vm.mode = (u8)(T1_PLAIN + i);
            self.tell = &table[i];
            return 0;
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status)
            return 2;
    }
    return 1;
}

u32 platform_task(u32 *code)
{
    enum { COUNT = T1_RI - T1_PLAIN + 1 };
    *code = 99;
    if (vm.prog == TWIN)
        return 1; /* there is one address space */
    if (!self.share)
        return 0;
    if (vm.prog >= PROGS)
        return 1;
    struct counted *table =
        mmap(NULL, COUNT * sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *code = 4;
    if (table == MAP_FAILED)
        return 1;
    const u32 done = runs(table, COUNT);
    if (!done)
        return 0;
    *code = done == 1 ? 0 : 5;
    for (u32 i = 0; i < COUNT && done == 1; i++)
        tell_share("SHARE", (enum mode)(T1_PLAIN + i), &table[i], &table[0]);
    munmap(table, COUNT * sizeof *table);
    return 1;
}

/* ---- the beginning --------------------------------------------------------------------------------------------- */

static u32 has_facility(u32 bit)
{
    u64 list[4] = {0};
    register u64 count asm("0") = 3;
    asm volatile("stfle %1" : "+d"(count), "=Q"(list) : : "cc", "memory");
    return list[bit / 64] >> (63 - bit % 64) & 1;
}

/* The places of mrvm.h, below the program itself. */
static u32 take_storage(void)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_POPULATE;
    void *const code = (void *)CODE_START, *const data = (void *)BUFFER_START;
    return mmap(code, CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, flags, -1, 0) == code &&
           mmap(data, STACK_START + STACK_SIZE - BUFFER_START, PROT_READ | PROT_WRITE, flags, -1, 0) == data;
}

int main(int argc, char **argv)
{
    static char text[1024];
    u32 n = 0;
    for (int i = 1; i < argc; i++) {
        for (const char *p = argv[i]; *p && n < sizeof text - 2; p++)
            text[n++] = *p;
        text[n++] = ' ';
        if (n >= sizeof text - 2)
            break;
    }
    if (!take_storage()) {
        line_begin(
            "mrvm: storage from 2 MiB to 13 MiB is not free; link the program as it was made, and start it alone");
        line_end();
        return 4;
    }
    return (int)run_time(text, has_facility(64) ? BOOT_RI : 0);
}
