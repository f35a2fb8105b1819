/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the control socket share. */
#ifndef ZRI_EMU_CONTROL_INTERNAL_H
#define ZRI_EMU_CONTROL_INTERNAL_H

#include "emu/control/control.h"
#include "emu/debug/socket.h"
#include <pthread.h>

#define CONTROL_CLIENTS 16u
#define CONTROL_LINE    65536u              /* bytes of a request with its newline */
#define CONTROL_DEPTH   16u                 /* of objects and lists in it */
#define CONTROL_QUEUE   (UINT32_C(8) << 20) /* bytes that wait for a client */

/* What a client may subscribe besides classes of the event log, which follow. */
enum control_subject { SUBJECT_OUTPUT, SUBJECT_RUN, SUBJECT_CLASSES };

struct control_client {
    int file;        /* -1: nobody */
    uint64_t serial; /* one of its own for each that ever came */
    char *in;        /* CONTROL_LINE bytes */
    size_t in_length;
    unsigned lines;   /* that are complete in there */
    bool skips;       /* the rest of a line that was too long */
    bool ended;       /* it sends no more */
    bool gone;        /* it is to be forgotten */
    bool leaves;      /* when it has read what waits for it, or at once when its place is wanted */
    unsigned serving; /* of its requests that are being carried out */
    char *out;
    size_t out_at, out_length, out_room;
    bool midline;      /* the last byte that it was sent is not the end of a line */
    uint64_t subjects; /* bits 1 << enum control_subject, and so on */
    uint16_t cpu;      /* that its commands speak about */
};

struct control_waiter;

struct control {
    struct session *session;
    struct control_host host;
    int listens;
    char path[SOCKET_PATH];
    pthread_mutex_t lock; /* of what waits for clients: CPUs in threads tell events */
    struct control_client clients[CONTROL_CLIENTS];
    uint64_t serial;
    unsigned next;    /* whose turn it is */
    unsigned running; /* runs, one within the other */
    bool stop, go, quit;
    char tail[8]; /* of the guest's output: a character that is not complete */
    size_t tail_length;
    char end[128]; /* how the latest run ended, "": none has */
    uint32_t listened;
    bool relisten;                  /* what all want to know may be something else */
    struct control_waiter *waiters; /* who is answered when the machine stands */
};

/* A client of this number, NULL: it has gone. */
struct control_client *control_client_of(struct control *control, uint64_t serial);
/* A line for a client; a newline is put behind it. */
void control_tell(struct control *control, struct control_client *client, const char *line, size_t length);
/* What all want to know is asked of those above. */
void control_listen(struct control *control);
/* The name of a subject, NULL: there are no more than n. */
const char *control_subject_name(const struct control *control, unsigned n);

/* Requests (emu/control/request.c): one line of a client. */
void control_carry_out(struct control *control, struct control_client *client, const char *line, size_t length);
/* The machine has come to stand: who has waited for that is told. */
void control_answer_stops(struct control *control);
/* An answer or event of these words, all of them of their kind: {"name": "text"}. */
void control_say(struct control *control, struct control_client *client, const char *name, const char *text);
void control_tell_output(struct control *control, const char *text, size_t length);
void control_tell_run(struct control *control, const char *end, struct cpu *cpu);
/* zri was built so that there can be requests. */
bool control_possible(void);

#endif
