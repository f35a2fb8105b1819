/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of system calls. A call that is not allowed fails with EPERM, so that what needs it says so. The filter for
   every run is a constant, as it must not cost anything; the one of --sandbox is made by libseccomp. */
#define _GNU_SOURCE /* CLONE_THREAD */
#include "emu/sandbox.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The sanitizers end by looking at the process from another one: no filters then. */
#ifdef __has_feature
#define SANITIZED __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* ---- every run ------------------------------------------------------------------------------------------------- */

#if defined __x86_64__
#define HOST AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define HOST AUDIT_ARCH_AARCH64
#endif

#if defined HOST && !SANITIZED
#define OTHER_NUMBERS 0x40000000u /* of another calling convention on the same host */
#define LOAD(member)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define FAIL(error)   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define NEVER(name)   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), FAIL(EPERM)

/* Threads are allowed, processes not. The newer call for both keeps its flags where no filter can see them; libraries
   go back to the older one when it does not exist. */
static const struct sock_filter usual[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HOST, 1, 0),
    FAIL(EPERM),
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_NUMBERS, 0, 1),
    FAIL(EPERM),
    NEVER(execve),
    NEVER(execveat),
#ifdef __NR_fork
    NEVER(fork),
    NEVER(vfork),
#endif
    NEVER(ptrace),
    NEVER(process_vm_readv),
    NEVER(process_vm_writev),
    NEVER(mount),
    NEVER(umount2),
    NEVER(pivot_root),
    NEVER(chroot),
    NEVER(unshare),
    NEVER(setns),
    NEVER(init_module),
    NEVER(finit_module),
    NEVER(delete_module),
    NEVER(kexec_load),
    NEVER(bpf),
    NEVER(perf_event_open),
    NEVER(keyctl),
    NEVER(add_key),
    NEVER(request_key),
    NEVER(userfaultfd),
    NEVER(reboot),
    NEVER(swapon),
    NEVER(swapoff),
    NEVER(settimeofday),
    NEVER(clock_settime),
    NEVER(open_by_handle_at),
    NEVER(io_uring_setup),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
    FAIL(ENOSYS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
    FAIL(EPERM),
    ALLOW,
};
#endif

void emu_sandbox_usual(bool alone)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || !alone)
        return;
#if defined HOST && !SANITIZED
    struct sock_fprog program = {.len = sizeof usual / sizeof *usual, .filter = (struct sock_filter *)(uintptr_t)usual};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return; /* a host that cannot do it runs guests all the same */
#endif
}

/* ---- --sandbox ------------------------------------------------------------------------------------------------- */

#if defined HAVE_SECCOMP && !SANITIZED
#include <seccomp.h>
#include <sys/ioctl.h>
#include <termios.h>

/* What is enough once everything is open. */
static const char *const enough[] = {
    "read",
    "write",
    "readv",
    "writev",
    "pread64",
    "pwrite64",
    "lseek",
    "close",
    "dup2",
    "dup3",
    "fstat",
    "newfstatat",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fallocate",
    "fcntl",
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "signalfd4",
    "mmap",
    "munmap",
    "mremap",
    "mprotect",
    "madvise",
    "brk",
    "futex",
    "set_robust_list",
    "rseq",
    "sched_yield",
    "getrandom",
    "clock_gettime",
    "clock_getres",
    "clock_nanosleep",
    "nanosleep",
    "gettimeofday",
    "getpid",
    "gettid",
    "tgkill",
    "prlimit64",
    "sched_getaffinity",
    "membarrier",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sigaltstack",
    "restart_syscall",
    "exit",
    "exit_group",
};
/* And for clients of a socket that it listens at. */
static const char *const for_clients[] = {"accept4", "sendto", "recvfrom"};
static const unsigned long terminal[] = {TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGWINSZ, FIONREAD};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static int allow(scmp_filter_ctx filter, const char *const *calls, size_t count)
{
    int code = 0;
    for (size_t i = 0; !code && i < count; i++) {
        const int number = seccomp_syscall_resolve_name(calls[i]);
        if (number >= 0) /* this host may not know all of them */
            code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
    }
    return code;
}

static int rules(scmp_filter_ctx filter, bool clients)
{
    int code = allow(filter, enough, COUNT(enough));
    if (!code && clients)
        code = allow(filter, for_clients, COUNT(for_clients));
    for (size_t i = 0; !code && i < COUNT(terminal); i++)
        code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_EQ, terminal[i]));
    if (!code)
        code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    if (!code) /* CPU threads */
        code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_TIMERSLACK));
    return code ? code : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

static int strict(bool clients)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int code = filter ? rules(filter, clients) : -ENOMEM;
    if (!code)
        code = seccomp_load(filter);
    seccomp_release(filter);
    return code;
}
#else
static int strict(bool clients)
{
    (void)clients;
    return -ENOTSUP;
}
#endif

int emu_sandbox_strict(bool clients, char *error, size_t size)
{
    const int code = strict(clients);
    if (code == -ENOTSUP)
        snprintf(error, size,
                 "--sandbox: zri was built without libseccomp, or with sanitizers; install libseccomp-dev and "
                 "configure again");
    else if (code)
        snprintf(error, size, "--sandbox: the host does not take a filter of system calls: %s; leave --sandbox away",
                 strerror(-code));
    return code;
}
