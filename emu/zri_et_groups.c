/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reporting groups of run-time instrumentation in the file of exception trace (zri --ri-log FILE --et-out FILE), by
 * time.
 */
#include "emu/zri_et.h"
#include "base/bits.h"
#include "emu/exit.h"
#include "ri/log.h"
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
};

/* The next bytes of the log, NULL: they are passed over. False: there are not so many. */
static bool take(struct zri_et_groups *g, uint8_t *bytes, size_t size)
{
    while (size) {
        uint8_t head[ET_CHUNK_HEADER];
        const size_t now = size < g->left ? size : g->left;
        if (now) {
            if (bytes && pread(g->file, bytes, now, g->at) != (ssize_t)now)
                return false;
            bytes += bytes ? now : 0;
            size -= now;
            g->left -= (uint32_t)now;
            g->at += (off_t)now;
            continue;
        }
        if (pread(g->file, head, sizeof head, g->at) != sizeof head || get16(head) != ET_CHUNK_MAGIC)
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

struct zri_et_groups *zri_et_groups_read(int file, const char *name, int cpu)
{
    uint8_t head[ET_FILE_HEADER], bytes[RI_LOG_HEADER > RI_LOG_HEAD ? RI_LOG_HEADER : RI_LOG_HEAD];
    struct ri_log_header log;
    struct ri_log_group group;
    struct stat facts;
    const char *why = NULL;
    if (fstat(file, &facts) || !S_ISREG(facts.st_mode) || pread(file, head, sizeof head, 0) != sizeof head ||
        memcmp(head, "ZETC\1", 5) != 0)
        return NULL;
    struct zri_et_groups *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->file = file;
    g->at = sizeof head;
    if (take(g, bytes, RI_LOG_HEADER) && !(why = ri_log_get_header(bytes, &log)))
        while (take(g, bytes, RI_LOG_HEAD) && !(why = ri_log_get_group(bytes, &group)) &&
               (cpu >= 0 && group.cpu != (unsigned)cpu ? true : add(g, &group)))
            if (!take(g, NULL, (size_t)16 * group.count))
                break;
    if (why)
        zri_et_fail(EMU_EXIT_BAD, name, "of its RI log %zu groups can be read, then it %s; zri-ri tells more", g->count,
                    why);
    if (g->count) {
        qsort(g->group, g->count, sizeof *g->group, by_time);
        return g;
    }
    free(g);
    return NULL;
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
