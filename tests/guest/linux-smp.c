/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work for several CPUs under Linux, for linux-smp.sh. `smp=KIND,WORKERS,TIMES' on the kernel's command line: so many
   processes, each of which does this so many times: spin, some arithmetic; memory, a process is made and ends, and a
   mapping is made, touched and given back; none, nothing. All other kinds are what linux-smp-load does. Prints the
   elapsed time in microseconds. Before and behind the work the guest sleeps for a second: the host's CPU time between
   the two lines that it prints is that of the work. */
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TURNS  20000u  /* of one time of arithmetic */
#define AMOUNT 262144u /* bytes of a mapping */

static uint64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void spin(void)
{
    volatile uint64_t result;
    uint64_t value = 1;
    for (unsigned i = 0; i < TURNS; i++)
        value = value * UINT64_C(6364136223846793005) + (value >> 33);
    result = value;
    (void)result;
}

static void memory(void)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child < 0 || waitpid(child, NULL, 0) != child)
        abort();
    char *at = mmap(NULL, AMOUNT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        abort();
    for (unsigned i = 0; i < AMOUNT; i += 4096)
        at[i] = 1;
    munmap(at, AMOUNT);
}

/* Processes of our own. 0: all ended well. */
static int processes(void (*once)(void), unsigned workers, unsigned times)
{
    int status, bad = 0;
    for (unsigned w = 0; w < workers; w++)
        if (fork() == 0) {
            for (unsigned i = 0; once && i < times; i++)
                once();
            _exit(0);
        }
    for (unsigned w = 0; w < workers; w++)
        bad |= wait(&status) < 0 || status;
    return bad;
}

static int load(const char *kind, unsigned workers, unsigned times)
{
    char command[64];
    if (workers)
        snprintf(command, sizeof command, "exec linux-smp-load %s %u %u", kind, workers, times);
    else
        snprintf(command, sizeof command, "exec linux-smp-load prepare %s", kind);
    return system(command);
}

int main(void)
{
    char line[4096] = "", kind[16];
    unsigned workers, times;
    FILE *f = fopen("/proc/cmdline", "r");
    if (!f || !fgets(line, sizeof line, f))
        return 2;
    const char *words = strstr(line, "smp=");
    if (!words || sscanf(words, "smp=%15[a-z],%u,%u", kind, &workers, &times) != 3)
        return 2;
    void (*const once)(void) = strcmp(kind, "spin") == 0 ? spin : strcmp(kind, "memory") == 0 ? memory : NULL;
    const bool own = once || strcmp(kind, "none") == 0;
    if (!own && load(kind, 0, 0))
        return 2;
    printf("smp: starts\n");
    fflush(stdout);
    sleep(1);
    const uint64_t start = now_us();
    const int bad = own ? processes(once, workers, times) : load(kind, workers, times);
    printf("smp: %s %u %u %llu us%s\n", kind, workers, times, (unsigned long long)(now_us() - start),
           bad ? " bad" : "");
    fflush(stdout);
    sleep(1);
    return bad != 0;
}
