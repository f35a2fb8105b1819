/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What requests and answers share. Included where there is jansson. */
#ifndef ZRI_EMU_CONTROL_JSON_H
#define ZRI_EMU_CONTROL_JSON_H

#include "emu/control/internal.h"
#include <jansson.h>

/* A request that is being carried out. */
struct control_request {
    struct control *control;
    uint64_t client;    /* its serial; it may have gone meanwhile */
    const json_t *all;  /* the object */
    json_t *result;     /* of this request; NULL: nothing to say */
    const char *member; /* that the result is in the answer; "result" */
    bool later;         /* it is answered at another time */
    char error[640];
};

/* Note a sentence and return false. */
bool control_refuse(struct control_request *request, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The CPU that a request speaks about; NULL: it names none that there is. */
struct cpu *control_cpu(struct control_request *request);
/* A text as JSON has it, whatever the guest has made of it. */
json_t *control_text(const char *text, size_t length);
/* What `status` says. */
json_t *control_status(const struct control *control);

typedef bool control_function(struct control_request *request);
#define REQUEST(word, function, members, help) control_function control_##function;
#include "emu/control/requests.def"
#undef REQUEST

#endif
