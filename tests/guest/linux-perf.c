/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU-measurement facilities as a program under Linux has them: perf_event_open. A loop of known instructions is
   counted by cycles, instructions and their user forms, and sampled; every sample must lie in it. Cycles and time are
   those of the speed that is announced. Prints what it found and "linux-perf: PASS", and ends with 0; 3: the machine
   has no such facility. A static program for s390x, tests/guest/linux-boot.sh puts it into an initial RAM disk. */
#define _GNU_SOURCE
#include <asm/hwctrset.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS  UINT64_C(3000000)
#define PAGES   8
#define SAMPLES 40 /* at least; by 1,000,000 cycles at 7 cycles a round there are more */

/* A round is 4 instructions of 7 halfwords: the instructions of a call are ROUNDS times 4, and 2. */
void rounds(uint64_t count);
extern const char rounds_end[];
__asm__(".text\n"
        ".globl rounds\n"
        "rounds:\n"
        "    lgr %r1,%r2\n"
        "1:  la %r3,1(%r3)\n"
        "    lr %r4,%r3\n"
        "    lgr %r5,%r3\n"
        "    brctg %r1,1b\n"
        "    br %r14\n"
        "rounds_end:\n");

static int problems;
static void complain(const char *what, uint64_t found, uint64_t wanted)
{
    printf("linux-perf: %s: found %llu, wanted about %llu\n", what, (unsigned long long)found,
           (unsigned long long)wanted);
    problems++;
}

static int open_event(struct perf_event_attr *attr)
{
    attr->size = sizeof *attr;
    return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, 0);
}

/* How often the event happens while the loop runs. */
static uint64_t count(uint64_t config, int user)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE, .config = config, .exclude_kernel = user, .disabled = 1};
    uint64_t value = 0;
    int fd = open_event(&attr);
    if (fd < 0) {
        printf("linux-perf: event %llu%s: %s\n", (unsigned long long)config, user ? ":u" : "", strerror(errno));
        problems++;
        return 0;
    }
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    rounds(ROUNDS);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    if (read(fd, &value, sizeof value) != sizeof value)
        value = 0;
    close(fd);
    return value;
}

/* In the user state nothing but the loop and the way into and out of two system calls is counted; in both states the
   kernel's work comes on top. */
static void counting(void)
{
    static const struct {
        const char *name;
        uint64_t config, wanted;
    } events[] = {{"cycles", PERF_COUNT_HW_CPU_CYCLES, 7 * ROUNDS},
                  {"instructions", PERF_COUNT_HW_INSTRUCTIONS, 4 * ROUNDS}};
    for (int i = 0; i < 2; i++) {
        uint64_t all = count(events[i].config, 0), user = count(events[i].config, 1);
        printf("linux-perf: %s %llu, user %llu, the loop alone %llu\n", events[i].name, (unsigned long long)all,
               (unsigned long long)user, (unsigned long long)events[i].wanted);
        if (user < events[i].wanted || user > events[i].wanted + 500)
            complain("user", user, events[i].wanted);
        if (all < user || all > events[i].wanted + events[i].wanted / 4)
            complain("all", all, events[i].wanted);
    }
    struct perf_event_attr branches = {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_BRANCH_MISSES};
    if (open_event(&branches) >= 0)
        complain("branch misses can be counted", 1, 0);
}

/* Megahertz as the machine announces them, by /proc/cpuinfo; 0: it does not. */
static uint64_t announced(void)
{
    char line[256];
    unsigned mhz = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !mhz && fgets(line, sizeof line, file))
        if (sscanf(line, "cpu MHz static : %u", &mhz) != 1)
            mhz = 0;
    if (file)
        fclose(file);
    return mhz;
}

/* Moved as one long operand: MVCLE, until all of it is. */
static void move(char *to, const char *from, uint64_t length)
{
    register char *r2 __asm__("2") = to;
    register uint64_t r3 __asm__("3") = length;
    register const char *r4 __asm__("4") = from;
    register uint64_t r5 __asm__("5") = length;
    __asm__ volatile("0: mvcle %0,%2,0\n   jo 0b" : "+d"(r2), "+d"(r3), "+d"(r4), "+d"(r5) : : "cc", "memory");
}

/* What perf stat makes of cycles and task clock is the speed that is announced, within a per cent, whatever runs: short
   instructions, long operands, system calls. */
static void speed(void)
{
    static char from[1 << 20], to[1 << 20];
    const uint64_t wanted = announced();
    if (!wanted)
        complain("announced speed", 0, 1);
    for (int what = 0; what < 3; what++) {
        struct perf_event_attr cycles = {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES, .disabled = 1};
        struct perf_event_attr clock = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK, .disabled = 1};
        const int counter = open_event(&cycles), task = open_event(&clock);
        uint64_t counted = 0, ns = 0;
        ioctl(task, PERF_EVENT_IOC_ENABLE, 0);
        ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
        if (what == 0)
            rounds(ROUNDS);
        for (int i = 0; what == 1 && i < 200; i++)
            move(to, from, sizeof to);
        for (int i = 0; what == 2 && i < 20000; i++)
            (void)!lseek(0, 0, SEEK_CUR);
        ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
        ioctl(task, PERF_EVENT_IOC_DISABLE, 0);
        if (read(counter, &counted, sizeof counted) != sizeof counted || read(task, &ns, sizeof ns) != sizeof ns || !ns)
            complain("cycles and task clock", 0, 1);
        const uint64_t mhz = ns ? counted * 1000 / ns : 0;
        printf("linux-perf: %llu cycles in %llu ns, %llu MHz\n", (unsigned long long)counted, (unsigned long long)ns,
               (unsigned long long)mhz);
        if (mhz * 100 < wanted * 99 || mhz * 100 > wanted * 101)
            complain("megahertz", mhz, wanted);
        close(counter);
        close(task);
    }
}

/* The CPU is the program's alone in one half of the time: what other programs do is not counted. */
static void switching(void)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS, .exclude_kernel = 1, .disabled = 1};
    uint64_t value = 0;
    int fd = open_event(&attr), status;
    pid_t child = fork();
    if (child == 0) {
        rounds(20 * ROUNDS);
        _exit(0);
    }
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    for (int i = 0; i < 4; i++) {
        rounds(ROUNDS);
        usleep(1000);
    }
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    waitpid(child, &status, 0);
    if (read(fd, &value, sizeof value) != sizeof value || value < 16 * ROUNDS || value > 16 * ROUNDS + 5000)
        complain("with task switches", value, 16 * ROUNDS);
    close(fd);
}

static void sampling(void)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
                                   .config = PERF_COUNT_HW_CPU_CYCLES,
                                   .sample_period = 1000000,
                                   .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
                                   .exclude_kernel = 1,
                                   .disabled = 1};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint64_t inside = 0, outside = 0, kernel = 0;
    int fd = open_event(&attr);
    struct perf_event_mmap_page *buffer =
        fd < 0 ? MAP_FAILED : mmap(NULL, (PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (buffer == MAP_FAILED) {
        printf("linux-perf: sampling: %s\n", strerror(errno));
        problems++;
        return;
    }
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    rounds(3 * ROUNDS);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    const char *data = (const char *)buffer + page;
    for (uint64_t at = 0; at < buffer->data_head;) {
        const struct perf_event_header *header = (const void *)(data + at % (PAGES * page));
        uint64_t ia;
        memcpy(&ia, header + 1, sizeof ia);
        if (header->type == PERF_RECORD_SAMPLE &&
            (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
            kernel++;
        else if (header->type == PERF_RECORD_SAMPLE && ia >= (uint64_t)(uintptr_t)rounds &&
                 ia < (uint64_t)(uintptr_t)rounds_end)
            inside++;
        else if (header->type == PERF_RECORD_SAMPLE)
            outside++;
        at += header->size;
    }
    printf("linux-perf: samples %llu in the loop, %llu elsewhere, %llu of the kernel\n", (unsigned long long)inside,
           (unsigned long long)outside, (unsigned long long)kernel);
    if (inside < SAMPLES || outside + kernel > inside / 10)
        complain("samples in the loop", inside, 3 * ROUNDS * 7 / 1000000);
}

/* Whole counter sets, by the kernel's device for them: STORE CPU COUNTER MULTIPLE. */
#define SETS 6 /* basic 2, problem-state 4 */
static void sets(void)
{
    union {
        struct s390_ctrset_read read;
        uint64_t room[512];
    } *data = calloc(1, sizeof *data);
    __u64 cpus = 1;
    cpu_set_t here;
    struct s390_ctrset_start start = {
        .version = S390_HWCTR_START_VERSION, .cpumask_len = sizeof cpus, .cpumask = &cpus, .counter_sets = SETS};
    int fd = open("/dev/hwctr", O_RDWR);
    CPU_ZERO(&here);
    CPU_SET(0, &here);
    sched_setaffinity(0, sizeof here, &here);
    if (!data || fd < 0 || ioctl(fd, S390_HWCTR_START, &start) || start.data_bytes > sizeof *data) {
        printf("linux-perf: /dev/hwctr: %s\n", strerror(errno));
        problems++;
        return;
    }
    rounds(ROUNDS);
    if (ioctl(fd, S390_HWCTR_READ, &data->read) || data->read.no_cpus != 1 || data->read.data[0].no_sets != 2) {
        complain("counter sets", data->read.data[0].no_sets, 2);
    } else {
        const struct s390_ctrset_setdata *basic = data->read.data[0].data;
        const struct s390_ctrset_setdata *problem = (const void *)(basic->cv + basic->no_cnts);
        const uint64_t all = basic->cv[1], user = problem->cv[1];
        printf("linux-perf: sets of %u and %u counters; instructions %llu, user %llu\n", basic->no_cnts,
               problem->no_cnts, (unsigned long long)all, (unsigned long long)user);
        if (basic->no_cnts != 6 || user < 4 * ROUNDS || all < user || all > 5 * ROUNDS)
            complain("a whole set", user, 4 * ROUNDS);
    }
    ioctl(fd, S390_HWCTR_STOP, 0);
    close(fd);
    free(data);
}

static void levels(void)
{
    char line[256];
    FILE *file = fopen("/proc/service_levels", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "CPU-MF", 6) == 0)
            fputs(line, stdout);
    if (file)
        fclose(file);
}

int main(void)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES};
    setvbuf(stdout, NULL, _IOLBF, 0);
    levels();
    int fd = open_event(&attr);
    if (fd < 0) {
        printf("linux-perf: no counters: %s\n", strerror(errno));
        return 3;
    }
    close(fd);
    counting();
    speed();
    switching();
    sampling();
    sets();
    printf("linux-perf: %s\n", problems ? "FAIL" : "PASS");
    return problems != 0;
}
