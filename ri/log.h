/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of an RI log: a header, then an entry for each reporting group stored. All numbers are big-endian;
   zri-ri(1) describes the file. No files here: bytes in memory only. */
#ifndef ZRI_RI_LOG_H
#define ZRI_RI_LOG_H

#include "ri/ri.h"

#define RI_LOG_HEADER 96u /* bytes of the header */
#define RI_LOG_HEAD   64u /* bytes of an entry in front of its records */
#define RI_LOG_ENTRY  (RI_LOG_HEAD + 16u * RI_GROUP_RECORDS + RI_BLOCK_SIZE) /* no entry is longer */
#define RI_LOG_FORMAT 1u

struct ri_log_header {
    uint16_t format;  /* RI_LOG_FORMAT */
    uint16_t version; /* CPU version of CPU 0's RI profile */
    uint16_t cpus;
    uint16_t cb_entries;
    uint8_t secondary, rgs_max; /* of CPU 0 */
    uint64_t tod;               /* TOD clock when the log was begun */
    char profile[32];           /* of the machine; NUL at the end */
    char ri_profile[16];        /* of CPU 0 */
};

/* An entry without its records. */
struct ri_log_group {
    uint16_t cpu;                /* CPU address */
    uint64_t tod;                /* at the store */
    uint64_t asce;               /* of the space the sample instruction came from; 0 with DAT off */
    uint64_t psw_mask, psw_next; /* PSW behind the sample instruction */
    uint64_t address, roa;       /* of the group, of the program buffer */
    uint8_t mode, rgs, key, home, full;
    uint16_t count; /* of records */
    bool controls;  /* a control block stands behind the records: that of the CPU from this group on, to the next one */
};
/* Bytes of an entry behind its head. */
static inline size_t ri_log_rest(const struct ri_log_group *group)
{
    return 16 * (size_t)group->count + (group->controls ? RI_BLOCK_SIZE : 0);
}

/* The header of a log as bytes. */
void ri_log_put_header(const struct ri_log_header *header, uint8_t bytes[RI_LOG_HEADER]);
/* NULL, or why these bytes are no header: words that fit behind the file's name. */
const char *ri_log_get_header(const uint8_t bytes[RI_LOG_HEADER], struct ri_log_header *header);

/* Make the entry of a group with its records; returns its length in bytes. `controls` stand behind them when the group
   says so. */
size_t ri_log_put_group(const struct ri_log_group *group, const struct ri_record *records,
                        const struct ri_controls *controls, uint8_t bytes[RI_LOG_ENTRY]);
/* Two control blocks differ in more than groups themselves change: address, remaining count, what is pending. */
bool ri_log_controls_differ(const struct ri_controls *a, const struct ri_controls *b);
/* The head of an entry. NULL, or why it is none; then nothing behind it can be found. */
const char *ri_log_get_group(const uint8_t bytes[RI_LOG_HEAD], struct ri_log_group *group);

/* NULL, or what is wrong with the records of a group: header, instruction record or a type is not right. `first` tells
   that it stands at the origin of its program buffer. */
const char *ri_group_wrong(const uint8_t *bytes, unsigned count, bool first);

#endif
