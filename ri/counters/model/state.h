/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole state of a model, for snapshots: in one order of fields for counting, writing and reading. What is read may
   be any bytes: contents that no model can have are refused, and such a model may be let go and nothing else. */
#ifndef ZRI_RI_COUNTERS_MODEL_STATE_H
#define ZRI_RI_COUNTERS_MODEL_STATE_H

#include "ri/counters/model/model.h"

struct ec_fields {
    void *context;
    bool loading;                                               /* places are filled in */
    void (*number)(void *context, void *place, unsigned size);  /* unsigned, of 1, 2, 4 or 8 bytes */
    void (*bytes)(void *context, void *place, unsigned length); /* as they are */
    void (*refuse)(void *context, const char *why);             /* it cannot be; nothing behind it counts */
    bool (*refused)(void *context);                             /* somebody has, or nothing more could be read */
};

/* Shape of a model. */
void ec_profile_fields(struct ec_profile *profile, const struct ec_fields *fields);
/* A model of the same profile as the one that was written. What is decoded is found anew. */
void ec_model_fields(struct ec_model *model, const struct ec_fields *fields);
void ec_totals_fields(struct ec_totals *totals, const struct ec_fields *fields);

/* For those who write fields of their own. */
#define EC_FIELD(fields, place) ((fields)->number((fields)->context, &(place), sizeof(place)))
void ec_field_flag(const struct ec_fields *fields, bool *place);
void ec_field_numbers(const struct ec_fields *fields, uint64_t *place, size_t count);

#endif
