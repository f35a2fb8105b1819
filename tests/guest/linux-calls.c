/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls of Linux cost, for linux-calls.sh. `calls=TIMES' on the kernel's command line: the dearer ones are done
   fewer times. Each is done once for nothing; then a line says its name and nanoseconds by the guest's clock. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE  4096u
#define PAGES 256u /* of a mapping */

static int zero;
static volatile sig_atomic_t signals;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool parent(unsigned long times)
{
    for (unsigned long i = 0; i < times; i++)
        (void)syscall(SYS_getppid);
    return true;
}

static bool read_some(unsigned long times)
{
    char some[16];
    for (unsigned long i = 0; i < times; i++)
        if (read(zero, some, sizeof some) != sizeof some)
            return false;
    return true;
}

static bool clock_call(unsigned long times)
{
    struct timespec t;
    for (unsigned long i = 0; i < times; i++)
        if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t))
            return false;
    return true;
}

static void count(int number)
{
    (void)number;
    signals++;
}

static bool signal_self(unsigned long times)
{
    const pid_t self = getpid();
    signals = 0;
    if (signal(SIGUSR1, count) == SIG_ERR)
        return false;
    for (unsigned long i = 0; i < times; i++)
        if (kill(self, SIGUSR1))
            return false;
    return signals > 0;
}

static bool new_pages(unsigned long times)
{
    for (unsigned long i = 0; i < times; i += PAGES) {
        char *at = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED)
            return false;
        for (unsigned j = 0; j < PAGES; j++)
            at[j * PAGE] = 1;
        if (munmap(at, PAGES * PAGE))
            return false;
    }
    return true;
}

/* A byte there and one back. False: the other end is gone. */
static bool answer(int from, int to, unsigned long times, bool first)
{
    char byte = 0;
    for (unsigned long i = 0; i < times; i++)
        if ((first && write(to, &byte, 1) != 1) || read(from, &byte, 1) != 1 || (!first && write(to, &byte, 1) != 1))
            return false;
    return true;
}

static bool reap(pid_t child)
{
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool pipes(unsigned long times)
{
    int there[2], back[2];
    if (pipe(there) || pipe(back))
        return false;
    const pid_t child = fork();
    if (child == 0)
        _exit(!answer(there[0], back[1], times, false));
    bool good = child > 0 && answer(back[0], there[1], times, true);
    for (unsigned i = 0; i < 2; i++) {
        close(there[i]);
        close(back[i]);
    }
    return reap(child) && good;
}

static bool forks(unsigned long times)
{
    for (unsigned long i = 0; i < times; i++) {
        const pid_t child = fork();
        if (child == 0)
            _exit(0);
        if (!reap(child))
            return false;
    }
    return true;
}

static bool short_sleep(unsigned long times)
{
    const struct timespec t = {0, 20000};
    for (unsigned long i = 0; i < times; i++)
        if (nanosleep(&t, NULL))
            return false;
    return true;
}

static const struct {
    const char *name;
    bool (*work)(unsigned long times);
    unsigned fewer; /* so many times fewer */
} calls[] = {
    {"getppid", parent, 1}, {"read", read_some, 1}, {"clock_gettime", clock_call, 1}, {"signal", signal_self, 4},
    {"page", new_pages, 4}, {"pipe", pipes, 10},    {"nanosleep", short_sleep, 20},   {"fork", forks, 500},
};

int main(void)
{
    char words[4096] = "";
    FILE *f = fopen("/proc/cmdline", "r");
    if (f) {
        (void)!fgets(words, sizeof words, f);
        fclose(f);
    }
    const char *asked = strstr(words, "calls=");
    const unsigned long times = asked ? strtoul(asked + strlen("calls="), NULL, 10) : 100000;
    zero = open("/dev/zero", O_RDONLY);
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        const unsigned long n = (times / calls[i].fewer + PAGES - 1) / PAGES * PAGES;
        uint64_t before = 0;
        bool good = true;
        for (unsigned k = 0; k < 2 && good; k++) {
            before = now_ns();
            good = calls[i].work(n);
        }
        if (good)
            printf("calls: %s %llu ns\n", calls[i].name, (unsigned long long)((now_ns() - before) / n));
        else
            printf("calls: %s failed\n", calls[i].name);
        fflush(stdout);
    }
    puts("calls: done");
    return 0;
}
