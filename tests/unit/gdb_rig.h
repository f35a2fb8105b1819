/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine with a debugger port, and a client of it in the same process: what the client is going to send is sent
   before the machine runs, what it was answered is read behind that. */
#ifndef ZRI_TESTS_UNIT_GDB_RIG_H
#define ZRI_TESTS_UNIT_GDB_RIG_H

#include "cpu/control/psw.h"
#include "cpu/storage/code.h"
#include "disasm/dis.h"
#include "emu/debug/gdb.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define RIG_CODE 0x10000u
#define RIG_PSW  UINT64_C(0x0000000180000000)

struct rig {
    struct session session;
    struct machine *m;
    char folder[32], path[48], place[64];
    int client;
};

static inline void rig_fail(const char *what)
{
    fprintf(stderr, "rig: %s\n", what);
    abort();
}

static inline void rig_open_as(struct rig *r, unsigned cpus, uint8_t engine, bool threads, bool host_clock)
{
    struct machine_config config = machine_default_config();
    char error[256];
    memset(r, 0, sizeof *r);
    config.storage = UINT64_C(1) << 20;
    config.cpus = cpus;
    config.engine = engine;
    config.threads = threads;
    config.host_clock = host_clock;
    strcpy(r->folder, "/tmp/zri-gdb-XXXXXX");
    if (session_open(&r->session, &config, false, NULL, error, sizeof error) || !mkdtemp(r->folder))
        rig_fail("no machine");
    r->m = r->session.machine;
    snprintf(r->path, sizeof r->path, "%s/port", r->folder);
    snprintf(r->place, sizeof r->place, "unix:%s", r->path);
    r->client = -1;
    if (gdb_open(&r->session, r->place, false, NULL, error, sizeof error))
        rig_fail(error);
}

static inline void rig_open(struct rig *r, unsigned cpus, uint8_t engine)
{
    rig_open_as(r, cpus, engine, false, false);
}

static inline void rig_hang_up(struct rig *r)
{
    if (r->client >= 0)
        close(r->client);
    r->client = -1;
}

static inline void rig_close(struct rig *r)
{
    rig_hang_up(r);
    gdb_close(&r->session);
    session_close(&r->session);
    rmdir(r->folder);
}

static inline int rig_connect(const struct rig *r)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", r->path);
    if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address))
        rig_fail("no connection");
    return file;
}

/* A program at RIG_CODE, and CPU 0 in front of it. */
static inline void rig_program(struct rig *r, const char *const *lines)
{
    uint64_t at = RIG_CODE;
    char why[200];
    for (uint8_t bytes[6]; *lines; lines++) {
        const int n = dis_assemble(*lines, at, bytes, why, sizeof why);
        if (n < 0)
            rig_fail(why);
        memcpy(r->m->sys.storage.bytes + at, bytes, (size_t)n);
        at += (unsigned)n;
    }
    put64(r->m->sys.storage.bytes + 0x300, UINT64_C(0x0002000180000000)); /* lpswe 0x300: a good end */
    cpu_code_written(&r->m->sys, 0, r->m->sys.storage.size);
    if (machine_start(r->m, RIG_PSW, RIG_CODE))
        rig_fail("no start");
}

/* Bytes as they are; a packet with its frame. */
static inline void rig_send(const struct rig *r, const void *bytes, size_t n)
{
    if (send(r->client, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        rig_fail("cannot send");
}

static inline void rig_say(const struct rig *r, const char *body)
{
    char frame[0x5000];
    uint8_t sum = 0;
    for (const char *at = body; *at; at++)
        sum = (uint8_t)(sum + (uint8_t)*at);
    snprintf(frame, sizeof frame, "$%s#%02x", body, sum);
    rig_send(r, frame, strlen(frame));
}

/* All that has come back so far, with a zero behind it. */
static inline size_t rig_hear(const struct rig *r, char *text, size_t size)
{
    size_t used = 0;
    ssize_t n;
    while (used < size - 1 && (n = recv(r->client, text + used, size - 1 - used, MSG_DONTWAIT)) > 0)
        used += (size_t)n;
    text[used] = 0;
    return used;
}

#endif
