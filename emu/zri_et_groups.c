/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reporting groups of run-time instrumentation in the file of exception trace (zri --ri-log FILE --et-out FILE), by
 * time.
 */
#include "emu/zri_et.h"
#include "base/bits.h"
#include "emu/exit.h"
#include "ri/log.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct zri_et_groups {
    int file;
    off_t at;      /* of the next byte of the file */
    uint32_t left; /* of the present chunk of the log */
    struct et_ri_group *group;
    size_t count, room, told;
    int error; /* negative errno of the read that failed */
};

/* Bytes at the present place; fewer at the end of the file. */
static size_t look(struct zri_et_groups *g, uint8_t *bytes, size_t size)
{
    ssize_t n;
    while ((n = pread(g->file, bytes, size, g->at)) < 0 && errno == EINTR)
        ;
    if (n < 0)
        g->error = -errno;
    return n < 0 ? 0 : (size_t)n;
}

/* The next bytes of the log, NULL: they are passed over. False: there are not so many. */
static bool take(struct zri_et_groups *g, uint8_t *bytes, size_t size)
{
    while (size) {
        uint8_t head[ET_CHUNK_HEADER];
        const size_t now = size < g->left ? size : g->left;
        if (now) {
            if (bytes && look(g, bytes, now) != now)
                return false;
            bytes += bytes ? now : 0;
            size -= now;
            g->left -= (uint32_t)now;
            g->at += (off_t)now;
            continue;
        }
        if (look(g, head, sizeof head) != sizeof head || get16(head) != ET_CHUNK_MAGIC)
            return false;
        g->at += (off_t)sizeof head;
        if (head[3] == ET_CHUNK_RI)
            g->left = get32(head + 4);
        else
            g->at += get32(head + 4);
    }
    return true;
}

static bool add(struct zri_et_groups *g, const struct ri_log_group *head)
{
    if (g->count == g->room) {
        const size_t room = g->room ? 2 * g->room : 256;
        struct et_ri_group *group = realloc(g->group, room * sizeof *group);
        if (!group)
            return false;
        g->group = group;
        g->room = room;
    }
    g->group[g->count++] = (struct et_ri_group){
        .time = head->tod, .cpu = head->cpu, .records = head->count, .address = head->address, .next = head->psw_next};
    return true;
}

static int by_time(const void *left, const void *right)
{
    const struct et_ri_group *a = left, *b = right;
    return a->time != b->time ? a->time < b->time ? -1 : 1 : a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

/* All groups of the log; `why': what is wrong with it. 0, or a negative errno. */
static int read_log(struct zri_et_groups *g, int cpu, const char **why)
{
    uint8_t bytes[RI_LOG_HEADER > RI_LOG_HEAD ? RI_LOG_HEADER : RI_LOG_HEAD];
    struct ri_log_header log;
    struct ri_log_group group;
    if (!take(g, bytes, RI_LOG_HEADER) || (*why = ri_log_get_header(bytes, &log)))
        return g->error;
    while (take(g, bytes, RI_LOG_HEAD)) {
        *why = ri_log_get_group(bytes, &group);
        if (*why)
            return 0;
        if ((cpu < 0 || group.cpu == (unsigned)cpu) && !add(g, &group))
            return -ENOMEM;
        if (!take(g, NULL, ri_log_rest(&group)))
            break;
    }
    return g->error;
}

int zri_et_groups_read(int file, const char *name, int cpu, struct zri_et_groups **groups)
{
    uint8_t head[ET_FILE_HEADER];
    struct stat facts;
    const char *why = NULL;
    *groups = NULL;
    if (fstat(file, &facts) || !S_ISREG(facts.st_mode) || pread(file, head, sizeof head, 0) != sizeof head ||
        memcmp(head, "ZETC\1", 5) != 0)
        return 0;
    struct zri_et_groups *g = calloc(1, sizeof *g);
    if (g) {
        g->file = file;
        g->at = sizeof head;
    }
    const int error = g ? read_log(g, cpu, &why) : -ENOMEM;
    if (error == -ENOMEM)
        zri_et_fail(0, name, "the host has no memory for its RI log; end other programs, or give it more");
    else if (error)
        zri_et_fail(0, name, "%s; check that it is a file and can be read", strerror(-error));
    else if (why)
        zri_et_fail(0, name, "of its RI log %zu groups can be read, then it %s; zri-ri tells more", g->count, why);
    if (error || !g->count) {
        zri_et_groups_end(g);
        return error ? EMU_EXIT_HOST : 0;
    }
    qsort(g->group, g->count, sizeof *g->group, by_time);
    *groups = g;
    return 0;
}

void zri_et_groups_until(struct zri_et_groups *groups, uint64_t time, const struct et_output *output, void *state)
{
    while (groups && groups->told < groups->count && groups->group[groups->told].time <= time)
        output->group(state, &groups->group[groups->told++]);
}

size_t zri_et_groups_end(struct zri_et_groups *groups)
{
    if (!groups)
        return 0;
    const size_t left = groups->count - groups->told;
    free(groups->group);
    free(groups);
    return left;
}
