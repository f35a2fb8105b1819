/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile from a sample log. */
#ifndef ZRI_RI_PROFILE_BUILD_H
#define ZRI_RI_PROFILE_BUILD_H

#include "ri/profile/log.h"

/* The code of modules, from whoever has their files. */
struct ep_images {
    void *context;
    /* The module of this log, told in their order. Other than 0 ends the building. NULL: not asked for. */
    int (*module)(void *context, const struct ep_log_module *module);
    /* The instruction at an address of a space (`bytes` receives its 2, 4 or 6 bytes). False: there is none. */
    bool (*fetch)(void *context, uint32_t space, uint64_t address, uint8_t bytes[6]);
    /* Is the file of this module there, and how far from its beginning is what the module has of it? NULL: no. */
    bool (*file)(void *context, const struct ep_log_module *module, uint64_t *offset);
};

/* Somebody who is told, too, what a log has. Other than 0 ends the building. */
struct ep_follower {
    void *context;
    int (*space)(void *context, uint32_t number, const struct ep_space *space);
    int (*module)(void *context, const struct ep_log_module *module);
    /* A sample and the path that was made of it; NULL: it was dropped. */
    int (*sample)(void *context, const struct ep_sample *sample, const struct ep_path *path);
};

struct ep_built {
    uint64_t triggered, accepted, wrong_image; /* samples; those dropped because the code is another one */
    bool truncated;                            /* the log has no end */
};

/* Tells the log's parameters to `writer`, as they have to stand in front of the first sample. Values are names;
   `filter` is as it was given. */
int ep_build_parameters(struct ep_log_writer *writer, const struct ep_rules *rules, const char *filter,
                        const char *program) MUST_USE;

/* Adds all samples of a log to a profile that is empty; its header was read already. -EINVAL: the log is damaged, what
   is wrong is in `error`; -ENOMEM; what the input or `images` returned. */
int ep_build(const struct ep_input *input, const struct ep_log_header *header, const struct ep_images *images,
             struct ep_profile *profile, struct ep_built *built, char *error, size_t size) MUST_USE;
/* The same with a follower. */
int ep_build_followed(const struct ep_input *input, const struct ep_log_header *header, const struct ep_images *images,
                      const struct ep_follower *follower, struct ep_profile *profile, struct ep_built *built,
                      char *error, size_t size) MUST_USE;

#endif
