/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Linux makes of instructions that it passes on to programs: STORE HYPERVISOR INFORMATION by the system call
   s390_sthyi, CALL LOGICAL PROCESSOR by /dev/clp, the cryptography counters by perf. The machine has no PCI function.
   Prints what it found and "linux-adapters: PASS", or says what is wrong. A static program for s390x, see
   linux-adapters.sh. */
#define _GNU_SOURCE
#include <asm/clp.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL_STHYI 380

static int failed;

static void check(int good, const char *what)
{
    if (good)
        return;
    printf("linux-adapters: FAIL: %s (%s)\n", what, strerror(errno));
    failed = 1;
}

static unsigned half(const uint8_t *at) { return at[0] << 8 | at[1]; }

/* EBCDIC letters, digits and blanks. */
static void print_ebcdic(const char *name, const uint8_t *at, unsigned length)
{
    printf("linux-adapters: %s ", name);
    for (unsigned i = 0; i < length; i++)
        putchar(at[i] >= 0xf0 && at[i] <= 0xf9   ? '0' + at[i] - 0xf0
                : at[i] >= 0xc1 && at[i] <= 0xc9 ? 'A' + at[i] - 0xc1
                : at[i] >= 0xd1 && at[i] <= 0xd9 ? 'J' + at[i] - 0xd1
                : at[i] >= 0xe2 && at[i] <= 0xe9 ? 'S' + at[i] - 0xe2
                                                 : '.');
    putchar('\n');
}

static void hypervisor_information(void)
{
    static uint8_t page[4096] __attribute__((aligned(4096)));
    uint64_t code = 99;
    long cc = syscall(CALL_STHYI, 0UL, page, &code, 0UL);
    check(cc == 0 && code == 0, "s390_sthyi");
    const uint8_t *machine = page + half(page + 12), *partition = page + half(page + 16);
    check(half(page + 8) == 168 && half(page + 14) == 64 && half(page + 18) == 56, "lengths of the sections");
    print_ebcdic("type", machine + 20, 4);
    print_ebcdic("partition", partition + 16, 8);
    printf("linux-adapters: CPUs %u %u\n", half(machine + 6), half(partition + 8));
}

static void logical_processors(void)
{
    static uint8_t block[4096] __attribute__((aligned(4096)));
    uint64_t installed = 0;
    int clp = open("/dev/clp", O_RDWR);
    check(clp >= 0, "/dev/clp");
    struct clp_req request = {.c = 1, .cmd = 1, .data_p = (uintptr_t)&installed};
    check(ioctl(clp, CLP_SYNC, &request) == 0, "CLP immediate");
    printf("linux-adapters: logical processors %016llx\n", (unsigned long long)installed);
    block[1] = 32; /* the list of PCI functions */
    block[3] = 2;
    block[32] = 0x0f;
    block[33] = 0xe0;
    request = (struct clp_req){.lps = 2, .data_p = (uintptr_t)block};
    check(ioctl(clp, CLP_SYNC, &request) == 0, "CLP list");
    printf("linux-adapters: list %u bytes, response %04x\n", half(block + 32), half(block + 34));
    close(clp);
}

/* COMPUTE INTERMEDIATE MESSAGE DIGEST, SHA-256, of one block. */
static void digest(void)
{
    static uint8_t state[32], block[64];
    register unsigned long function asm("0") = 2;
    register unsigned long parameter asm("1") = (uintptr_t)state;
    register unsigned long address asm("2") = (uintptr_t)block;
    register unsigned long length asm("3") = sizeof block;
    asm volatile("0: .insn rre,0xb93e0000,0,%2\n brc 1,0b"
                 : "+d"(function), "+d"(parameter), "+d"(address), "+d"(length)
                 :
                 : "cc", "memory");
}

/* Events from 0x1000 on are the cryptography counters; those of a CPU, as earlier kernels count no process. */
static void cryptography_counters(void)
{
    struct perf_event_attr attr = {.size = sizeof attr, .exclude_kernel = 1};
    uint64_t counts[2] = {0};
    int events[2];
    cpu_set_t set;
    FILE *type = fopen("/sys/bus/event_source/devices/pai_crypto/type", "r");
    if (!type) {
        puts("linux-adapters: no cryptography counters");
        return;
    }
    check(fscanf(type, "%u", &attr.type) == 1, "pai_crypto");
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    check(sched_setaffinity(0, sizeof set, &set) == 0, "CPU 0");
    for (int n = 0; n < 2; n++) {
        attr.config = n ? 0x1048 : 0x1049; /* KIMD of SHA-1, of SHA-256 */
        events[n] = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0UL);
        check(events[n] >= 0, "perf_event_open");
    }
    for (int n = 0; n < 1000; n++)
        digest();
    for (int n = 0; n < 2; n++)
        check(read(events[n], &counts[n], 8) == 8, "read");
    printf("linux-adapters: digests %llu %llu\n", (unsigned long long)counts[0], (unsigned long long)counts[1]);
}

int main(void)
{
    hypervisor_information();
    logical_processors();
    cryptography_counters();
    puts(failed ? "linux-adapters: FAIL" : "linux-adapters: PASS");
    return failed;
}
