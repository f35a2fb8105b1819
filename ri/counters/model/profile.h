/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shape of a modelled pipeline: two built in, `teach' and `zlarge', others from files. */
#ifndef ZRI_RI_COUNTERS_MODEL_PROFILE_H
#define ZRI_RI_COUNTERS_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ec_predictor { EC_BIMODAL, EC_GSHARE, EC_TAGE };

struct ec_profile {
    char name[17];     /* of the profile, as DIAGNOSE tells it */
    uint16_t machine;  /* machine type it is for, four hexadecimal digits; 0: any */
    uint8_t predictor; /* enum ec_predictor */
#define KEY(key, ...) uint32_t key;
#include "ri/counters/model/profile.def"
#undef KEY
};

/* A built-in profile. False: there is none of that name. */
int ec_profile_built_in(const char *name, struct ec_profile *profile);

/* Read the text of a profile file: `size` bytes, any bytes. `base = NAME`, first of all keys, names the profile that
   the others change (teach when left out). `file` is what messages call it. 0, or -EINVAL with a sentence in `why` that
   names file, line and remedy. */
int ec_profile_read(const char *file, const char *text, size_t size, struct ec_profile *profile, char *why,
                    size_t why_size) __attribute__((warn_unused_result));

/* Can there be such a profile? It may come from anywhere. */
bool ec_profile_possible(const struct ec_profile *profile);
bool ec_profile_same(const struct ec_profile *a, const struct ec_profile *b);

/* The value of a key by its row in profile.def; its name, NULL behind the last. For displays. */
const char *ec_profile_key(const struct ec_profile *profile, unsigned row, uint32_t *value);

#endif
