/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of what passes through the pipeline, in the format Kanata 0004, as the viewer Konata reads it. */
#ifndef ZRI_RI_COUNTERS_MODEL_KANATA_H
#define ZRI_RI_COUNTERS_MODEL_KANATA_H

#include "ri/counters/model/model.h"

struct ec_kanata;

/* A log that is written by `put`, which may fail for itself. NULL: no memory. */
struct ec_kanata *ec_kanata_create(void (*put)(void *context, const char *text, size_t length), void *context);
/* What is still held is written; the log ends. The model that it watches is drained before, or has forgotten it. False:
   some of it was lost for lack of memory. */
bool ec_kanata_destroy(struct ec_kanata *log);
/* For ec_model_watch(). */
const struct ec_watch *ec_kanata_watch(struct ec_kanata *log);

#endif
