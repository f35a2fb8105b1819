/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of system calls: what is refused, and what goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "emu/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STRICT, ALONE, CONSOLE };
enum { EXEC = 1, OPEN = 2, SOCKET = 4, FORK = 8, GAIN = 16, BROKEN = 32, WITHOUT = 64 };

static void *nothing(void *context) { return context; }

/* What is refused to a process in the sandbox, as a set of bits; BROKEN: something that a guest needs. */
static int refused(int kind, int file)
{
    char error[200], byte = 7;
    char *const words[] = {(char *)"true", NULL};
    pthread_t thread;
    int found = 0;
    if (kind == STRICT && emu_sandbox_strict(false, error, sizeof error))
        return WITHOUT;
    if (kind != STRICT)
        emu_sandbox_usual(kind == ALONE);
    if (kind != STRICT && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        found |= GAIN;
    if (open("/dev/null", O_RDONLY) < 0 && errno == EPERM)
        found |= OPEN;
    if (socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM)
        found |= SOCKET;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child < 0 && errno == EPERM)
        found |= FORK;
    else
        waitpid(child, NULL, 0);
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || pwrite(file, &byte, 1, 0) != 1 || pread(file, &byte, 1, 0) != 1 || fdatasync(file) ||
        pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL))
        found |= BROKEN;
    if (execv("/nonexistent/true", words) && errno == EPERM)
        found |= EXEC;
    return found;
}

static int in_child(int kind)
{
    int status, file = fileno(tmpfile());
    pid_t id = fork();
    assert_true(id >= 0);
    if (id == 0)
        _exit(refused(kind, file));
    assert_int_equal(waitpid(id, &status, 0), id);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void strict(void **state)
{
    (void)state;
    const int found = in_child(STRICT);
    if (found == WITHOUT)
        skip();
    assert_int_equal(found, EXEC | OPEN | SOCKET | FORK);
}

static void usual(void **state)
{
    (void)state;
    assert_int_equal(in_child(CONSOLE), 0);
    const int found = in_child(ALONE);
    assert_true(found == (EXEC | FORK) || found == 0); /* as far as the host can do it */
#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__
    assert_int_equal(found, EXEC | FORK);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strict), cmocka_unit_test(usual)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
