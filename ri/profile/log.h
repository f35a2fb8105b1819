/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sample logs: what a unit recorded, for a profile to be built elsewhere and later. Big-endian; specification 4.2.
   Where that leaves room, bit 15 of a SAMPLE's flags says that entries were cut, and the byte behind the trigger's
   addressing mode has that of the origin. */
#ifndef ZRI_RI_PROFILE_LOG_H
#define ZRI_RI_PROFILE_LOG_H

#include "ri/profile/collect.h"

#define EP_LOG_CPUS 64u

/* What the header says. */
struct ep_log_header {
    struct ep_parameters parameters; /* without the filter */
    unsigned cbt, cpus;
    bool ri;
    uint32_t crc; /* of a header that was read */
};

/* A module while the epochs are those named. */
struct ep_log_module {
    struct ep_module module;
    uint64_t first_epoch, last_epoch;
};

/* ---- writing ---------------------------------------------------------------------------------------------------- */

struct ep_log_writer {
    struct ep_sink sink;
    uint32_t crc;
    int bad; /* the first error of the sink: nothing is written behind it */
};

/* All return 0 or what the sink returned, now or before; -EINVAL for what a log cannot hold; -ENOMEM. */
int ep_log_begin(struct ep_log_writer *writer, const struct ep_sink *sink, const struct ep_log_header *header) MUST_USE;
int ep_log_parameter(struct ep_log_writer *writer, const char *key, const char *value) MUST_USE;
int ep_log_space(struct ep_log_writer *writer, uint32_t number, const struct ep_space *space) MUST_USE;
int ep_log_module(struct ep_log_writer *writer, const struct ep_log_module *module) MUST_USE;
int ep_log_changed(struct ep_log_writer *writer, uint32_t space, uint64_t page, uint64_t epoch) MUST_USE;
int ep_log_target(struct ep_log_writer *writer, uint16_t cpu, struct ep_place at,
                  const struct ep_target *target) MUST_USE;
int ep_log_lost(struct ep_log_writer *writer, uint16_t cpu, unsigned reason, uint64_t count) MUST_USE;
int ep_log_sample(struct ep_log_writer *writer, const struct ep_sample *sample) MUST_USE;
/* Events of each CPU in all; the log is complete. */
int ep_log_end(struct ep_log_writer *writer, const uint64_t *events, unsigned cpus) MUST_USE;

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* What a reader is told, in the order of the file; NULL: not asked for. Other than 0 ends the reading. */
struct ep_log_listener {
    void *context;
    int (*parameter)(void *context, const char *key, const char *value);
    int (*space)(void *context, uint32_t number, const struct ep_space *space);
    int (*module)(void *context, const struct ep_log_module *module);
    int (*changed)(void *context, uint32_t space, uint64_t page, uint64_t epoch);
    int (*target)(void *context, uint16_t cpu, struct ep_place at, const struct ep_target *target);
    int (*lost)(void *context, uint16_t cpu, unsigned reason, uint64_t count);
    int (*sample)(void *context, const struct ep_sample *sample);
};
struct ep_log_end {
    uint64_t events[EP_LOG_CPUS]; /* in all, of each CPU; zeros when it is truncated */
    bool truncated;               /* it has no END: what is complete was told */
};

/* Reads the header. -EINVAL: it is no log, or one that nobody writes, with the byte offset and what is wrong in
   `error`; what the input returned. */
int ep_log_read_header(const struct ep_input *input, struct ep_log_header *header, char *error, size_t size) MUST_USE;
/* The records behind it. Errors as above, and what the listener returned. */
int ep_log_read(const struct ep_input *input, const struct ep_log_header *header,
                const struct ep_log_listener *listener, struct ep_log_end *end, char *error, size_t size) MUST_USE;

#endif
