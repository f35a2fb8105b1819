/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first program of Linux on a machine of 2008: no library, as those of today are built for later machines. It
   counts the instructions of a loop in the problem state by perf_event_open, shows what the kernel says of the
   counters, and powers off. A static program for s390x (-march=z10 -nostdlib -ffreestanding); tests/guest/linux-boot.sh
   makes it /init. */
#include <linux/perf_event.h>
#include <linux/reboot.h>
#include <sys/syscall.h>

#define ROUNDS 1000000ul

static long call(long number, long a, long b, long c, long d, long e)
{
    register long r1 __asm__("1") = number;
    register long r2 __asm__("2") = a;
    register long r3 __asm__("3") = b;
    register long r4 __asm__("4") = c;
    register long r5 __asm__("5") = d;
    register long r6 __asm__("6") = e;
    __asm__ volatile("svc 0" : "+d"(r2) : "d"(r1), "d"(r3), "d"(r4), "d"(r5), "d"(r6) : "cc", "memory");
    return r2;
}

static unsigned long length(const char *text)
{
    unsigned long n = 0;
    while (text[n])
        n++;
    return n;
}
static void say(const char *text) { call(SYS_write, 1, (long)text, (long)length(text), 0, 0); }

static void say_number(unsigned long value)
{
    char digits[24];
    char *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    say(at);
}

/* 2 instructions a round. */
static void rounds(unsigned long count) { __asm__ volatile("0: nopr %%r0\n brctg %0,0b" : "+d"(count) : : "cc"); }

static void count(void)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof attr,
                                   .config = PERF_COUNT_HW_INSTRUCTIONS,
                                   .disabled = 1,
                                   .exclude_kernel = 1};
    unsigned long value = 0;
    long fd = call(SYS_perf_event_open, (long)&attr, 0, -1, -1, 0);
    call(SYS_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0, 0, 0);
    rounds(ROUNDS);
    call(SYS_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0, 0, 0);
    say("linux-z10: ");
    if (fd < 0 || call(SYS_read, fd, (long)&value, sizeof value, 0, 0) != sizeof value)
        say("no counter");
    else
        say_number(value);
    say(value >= 2 * ROUNDS && value < 2 * ROUNDS + 100 ? " instructions, PASS\n" : ", FAIL\n");
}

static void levels(void)
{
    static char text[4096];
    call(SYS_mkdir, (long)"/proc", 0755, 0, 0, 0);
    call(SYS_mount, (long)"proc", (long)"/proc", (long)"proc", 0, 0);
    long fd = call(SYS_open, (long)"/proc/service_levels", 0, 0, 0, 0);
    long n = call(SYS_read, fd, (long)text, sizeof text - 1, 0, 0);
    if (n > 0)
        say(text);
}

void _start(void)
{
    static const long second[2] = {1, 0};
    levels();
    count();
    call(SYS_nanosleep, (long)second, 0, 0, 0, 0); /* the kernel writes to a line-mode console a little later */
    for (;;)
        call(SYS_reboot, (int)LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_POWER_OFF, 0, 0);
}
