/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control socket: programs of the host that look at a machine and drive it, several at once. doc/control.txt has
   the protocol: a request is a line with a JSON object, and so is an answer and an event. Requests are carried out
   while the machine stands, which it does for them for a moment; the guest waits for no client. */
#ifndef ZRI_EMU_CONTROL_CONTROL_H
#define ZRI_EMU_CONTROL_CONTROL_H

#include "emu/machine/session.h"

/* What a command of the console has shown. */
struct control_shown {
    char *text; /* of malloc(), ends with a zero; NULL: no memory, or too much for an answer (`long_one`) */
    bool long_one;
    bool failed; /* `text` is a sentence that says what is wrong */
};

/* What the socket asks of those above it. */
struct control_host {
    void *context;
    /* Carry out a command of the console that speaks about *cpu, which it may choose anew (or replace the machine, then
       too); it may run the machine, and then other requests are carried out before it returns. */
    struct control_shown (*command)(void *context, struct cpu **cpu, const char *line, bool json);
    /* The name of class n of events, NULL: there are no more than n. */
    const char *(*class_name)(unsigned n);
    /* These classes are to be told by control_event() from now on: bits 1 << n. */
    void (*listen)(void *context, uint32_t classes);
};

/* Open the socket "unix:PATH" of a session. Returns 0, or a negative errno with a sentence. control_close() answers
   who still waits, and takes the socket away. */
int control_open(struct session *session, const char *place, const struct control_host *host, char *error,
                 size_t size) MUST_USE;
void control_close(struct session *session);
/* Those above have come or gone (host NULL): requests wait meanwhile. */
void control_set_host(struct session *session, const struct control_host *host);

/* Carry out the requests that wait; a client that sends without end gets no more than a share of them. The machine is
   not running, or its run was left for a moment. */
void control_serve(struct session *session);
/* Do requests wait for control_serve()? */
bool control_calls(const struct session *session);
/* Is a client connected? */
bool control_connected(const struct session *session);
/* True once when a client wants the run to end, or that the machine runs, or that the program ends. */
bool control_stops(struct session *session);
bool control_goes(struct session *session);
bool control_quits(struct session *session);

/* To be told: a run begins; it has ended, in words, on this CPU. */
void control_running(struct session *session);
void control_stopped(struct session *session, const char *end, struct cpu *cpu);
/* An event of class n as a JSON object. May be called by any CPU's thread. */
void control_event(struct session *session, unsigned n, const char *json);

#endif
