/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine with its operator: what the batch run, the console and the tests have in common. */
#ifndef ZRI_EMU_MACHINE_SESSION_H
#define ZRI_EMU_MACHINE_SESSION_H

#include "cpu/storage/watch.h"
#include "emu/machine/ri_log.h"
#include "emu/machine/run.h"
#include "ipl/load.h"
#include <poll.h>
#include <stdio.h>
#include <termios.h>

#define SESSION_VISITOR_FDS 24u

/* Somebody who comes from outside to look at the machine, also while it runs. Nothing of what he sends is handed to the
   guest while it runs. All functions NULL: nobody. */
struct session_visitor {
    void *context;
    /* His descriptors, at most `room`: how many. */
    unsigned (*poll)(void *context, struct pollfd *fds, unsigned room);
    /* They were looked at. */
    void (*polled)(void *context, const struct pollfd *fds, unsigned count);
    /* Is the machine to stand, so that he can have a look? */
    bool (*calls)(void *context);
    /* Is he there, and may type for the guest? NULL: he never does. */
    bool (*types)(void *context);
    /* Does he show pictures of the running machine? Then it is looked for him more often. NULL: he never does. */
    bool (*shows)(void *context);
    /* What the guest has written on its console. NULL: he does not want to know. */
    void (*output)(void *context, const char *text, size_t length);
    /* He called, and the machine stands: he may look at it, and what he wants is carried out. NULL: those who run the
       machine know him. */
    void (*served)(void *context);
};
enum session_visitors { SESSION_DEBUGGER, SESSION_CONTROL, SESSION_WINDOW, SESSION_TERMINAL, SESSION_VISITORS };

/* The descriptors of all visitors, and whose they are. */
struct session_visit {
    struct pollfd fds[SESSION_VISITOR_FDS];
    unsigned counts[SESSION_VISITORS], count;
};

/* What comes from outside and makes a difference to the guest. */
enum session_outside {
    SESSION_LINE,    /* a line was typed */
    SESSION_KEYS,    /* keys were typed at the VT220 */
    SESSION_QUIESCE, /* the guest was asked to end */
    SESSION_SLEPT,   /* an idle guest slept for so many microseconds */
    SESSION_FRAME,   /* a frame came for a network device: value is its subchannel set << 16 | device number */
    SESSION_PASSED,  /* the guest's clock went on by so many TOD units, for it follows the host's */
};

/* Somebody who keeps what came from outside, to hand it over once more. All functions NULL: nobody. */
struct session_keeper {
    void *context;
    /* The guest was handed this just now; `idle`: while it was idle. */
    void (*told)(void *context, enum session_outside kind, bool idle, uint64_t value, const void *bytes, size_t length);
    /* The guest wrote this on its consoles. */
    void (*wrote)(void *context, const char *text, size_t length);
    /* The guest gets what it got before, and nothing from outside. */
    bool (*replays)(void *context);
    /* Then this stands for machine_host.idle. */
    bool (*idle)(void *context, uint64_t *us);
    /* session_resume() has put another machine in the place of the one before, which is gone. */
    void (*renewed)(void *context);
    /* The session is being closed. */
    void (*end)(void *context);
};

/* Whose watchpoints they are. */
enum session_watcher { SESSION_WATCH_CONSOLE, SESSION_WATCH_DEBUGGER, SESSION_WATCHERS };

struct gdb;
struct history;

#define SESSION_IMAGES 4u

struct session {
    struct machine *machine;
    struct machine *twin;             /* lockstep: the same machine on the reference engine; NULL otherwise */
    struct ipl_load *load;            /* the images that were loaded last; NULL: none */
    char images[SESSION_IMAGES][256]; /* their first names, for debugging information */
    struct ipl_request requests[SESSION_IMAGES]; /* of those names; an initial RAM disk is there, without its name */
    unsigned image_count, loads;                 /* loads: so many so far */
    struct emu_ri_log *ri_log;                   /* where reporting groups go; NULL: nowhere */
    char expected[64];                           /* what the guest is expected to write, "": nothing */
    char written[64];                            /* its last characters, as many as are expected */
    bool met;                                    /* it wrote what was expected */
    FILE *out;                                   /* guest console output; NULL: dropped */
    FILE *copy;                                  /* and a copy of it; NULL: none */
    /* It is told of it, too; NULL: nobody is. */
    void (*heard)(void *context, const char *text, size_t length);
    void *heard_context;
    bool output_told;        /* it was said that not all of it could be written */
    bool lost;               /* something that was written, there or to a disk, is lost; it was said */
    int signals;             /* descriptor that reads signals; -1: none */
    bool keyboard;           /* an interrupt from the keyboard is among them */
    bool ending;             /* the guest was asked to end */
    bool terminated;         /* a request to terminate is for us: the program ends */
    bool hung_up;            /* the terminal or its user has gone */
    uint64_t urgent_ns;      /* the host's clock when signals and visitors were looked at last, whatever ran */
    bool looked;             /* while the guest was idle, so that it need not be done again at once */
    bool raw;                /* the terminal gives every key to the guest, but Ctrl-] to us */
    struct termios terminal; /* how it was before */
    /* Commands that the guest gives by DIAGNOSE; see struct machine_host. NULL: nobody is there to carry them out. */
    int (*command)(void *context, const char *line, char *answer, size_t size);
    void *command_context;
    int input;        /* descriptor of lines for the guest; -1: none */
    bool pace;        /* idle guests wait as long on the host (a person is looking) */
    bool interrupted; /* the keyboard asked for attention */
    bool input_ended;
    uint64_t deadline_ns; /* host monotonic time at which to give up; 0: never */
    bool deadline_struck;
    char typed[512]; /* the unfinished line */
    size_t typed_length;
    char asked[512]; /* a command for the console that is typed while the guest runs, behind Ctrl-] */
    size_t asked_length;
    bool asks;        /* what is typed belongs to it */
    bool reads_ahead; /* keys may be read that the guest does not take yet; whoever says so takes what is left */
    char ahead[4096]; /* those, behind a run: they were not for the guest; as many as a terminal keeps */
    size_t ahead_length;
    char posted[2048]; /* typed by others than the terminal, whole lines or keys: handed over when the guest runs */
    size_t posted_length;
    bool posted_keys;
    bool asked_complete; /* it waits for the console; false again when it was taken */
    struct session_visitor visitors[SESSION_VISITORS];
    struct gdb *gdb;         /* the debugger port, see emu/debug/gdb.h; NULL: closed */
    struct control *control; /* the control socket, see emu/control/control.h; NULL: closed */
    struct session_keeper keeper;
    struct history *history; /* the past that is kept, see emu/history/history.h; NULL: none */
    bool idles;              /* what is handed over comes while the guest is idle */
    bool played_out;         /* what is played ends here, and so does the run */
    bool follows;            /* the guest's clock, which is virtual, is brought to the host's now and then */
    uint64_t follows_ns;     /* host's time when the machine was made, since when it does */
    unsigned machines;       /* that were put in the place of another by session_resume() */
    struct cpu_watches watches[SESSION_WATCHERS]; /* watchpoints */
    struct cpu_watches watched;                   /* all of them, as they are in force */
};

/* Make the machine of a session. Returns 0 or a negative errno with a sentence. End it with session_close(). */
int session_open(struct session *session, const struct machine_config *config, bool lockstep, FILE *out, char *error,
                 size_t size) MUST_USE;
void session_close(struct session *session);

/* What was loaded last goes into `m` once more, because its guest wants that; CPU 0 operates then. clear: storage is
   cleared before. False: it cannot be, and that was said. */
bool session_load_again(const struct session *s, struct machine *m, bool clear) MUST_USE;
/* Clear the machine, load images and set the PSW to start with on CPU 0, which stays stopped. Returns 0, or a negative
   errno with a sentence; the machine is then as it was. */
int session_load(struct session *session, const struct ipl_request *images, unsigned count, char *error,
                 size_t size) MUST_USE;

/* Attach a device, as `--device` has it, to the machine (and its twin, in lockstep). `report`: a running guest is told.
   Likewise take one away, by "[SET:]DEVNO". Both return 0 or a negative errno with a sentence. */
int session_attach(struct session *session, const char *text, bool report, char *error, size_t size) MUST_USE;
/* The same before the guest runs, with the first free device number: "TYPE[,WORD...]". */
int session_attach_next(struct session *session, const char *words, char *error, size_t size) MUST_USE;
int session_detach(struct session *session, const char *number, char *error, size_t size) MUST_USE;
/* Clear the machine (load-clear), or reset it with storage as it is (load-normal), and load the initial program from
   the device "[SET:]DEVNO". CPU 0 stays stopped at its first instruction. Returns 0 or a negative errno with a
   sentence. */
int session_ipl(struct session *session, const char *number, bool clear, char *error, size_t size) MUST_USE;

/* Log every reporting group of this session's machine (not of its twin) from now on, also of one that a snapshot brings
   later. session_close() ends it, session_end_log() before that tells whether all was written. 0 or a negative errno
   with a sentence. */
int session_begin_log(struct session *session, const char *file, char *error, size_t size) MUST_USE;
/* The log goes into the file of exception trace. The same. */
int session_share_log(struct session *session, char *error, size_t size) MUST_USE;
int session_end_log(struct session *session, char *error, size_t size) MUST_USE;

/* Write absolute storage start to end (inclusive) to a file. Returns 0 or a negative errno with a sentence. */
int session_savecore(const struct session *session, const char *file, uint64_t start, uint64_t end, char *error,
                     size_t size) MUST_USE;

/* Before a run: whether that will be possible, as far as can be told. Nothing is left there. */
int session_savecore_place(const struct session *session, const char *file, uint64_t start, uint64_t end, char *error,
                           size_t size) MUST_USE;

/* Put the machine of a snapshot in the place of this one. `profile` NULL: the one it was saved on. Returns 0, or a
   negative errno with a sentence; the machine is then as it was. Pointers to the old machine and its CPUs are void. */
int session_resume(struct session *session, const char *file, const struct emu_profile *profile, char *error,
                   size_t size) MUST_USE;

/* Did a run end as guests end that are content: powered off, or in a disabled wait at address 0 or X'FFF'? */
bool session_good_end(const struct session *session, const struct machine_result *result);

/* Start what was loaded: CPU 0, or nothing when a machine was resumed in which some CPU operates. */
void session_start(struct session *session);

/* Let interrupts from the keyboard be noticed by the machine instead of ending the program. */
void session_watch_keyboard(struct session *session);
/* Let a request to terminate (SIGTERM, or SIGHUP and a terminal that is lost) ask the guest to end in order, and a
   second one end the run. */
void session_watch_termination(struct session *session);
/* While the guest runs a terminal is its keyboard, with a VT220 key by key. Ctrl-], there and at the beginning of a
 * line, begins a command for us; see session->asked. */
void session_lend_terminal(struct session *session);
void session_take_terminal(struct session *session);
/* End the next run when the guest has written `text` (1 to 63 characters) on its console; session->met then. */
void session_expect(struct session *session, const char *text);
/* Hand over once more what the keeper was told of (not SESSION_SLEPT). */
void session_hand(struct session *session, enum session_outside kind, uint64_t value, const uint8_t *bytes,
                  size_t length);
/* A sentence for the operator, on standard error. */
void session_say(const struct session *session, const char *sentence);
/* From now on the guest's clock, which must be virtual, follows the host's in steps of about a millisecond. */
void session_follow(struct session *session);

/* Type for the guest, from elsewhere than the terminal: keys for its VT220, or lines, each ended by a newline. The
   guest has them when it runs, at a place that a recording keeps. 0; -ENXIO: it does not listen; -ENOSPC: it has too
   much that it did not read; -EROFS: a recording is replayed, which has all that comes from outside. */
int session_post(struct session *session, bool keys, const char *bytes, size_t length) MUST_USE;
/* True when the keyboard asked for attention, and stays so until session_interrupted(). Looks at signals alone, so that
   it may be called between any two instructions. */
bool session_asked(struct session *session);
/* The time that the operator gave is over. */
bool session_late(struct session *session);
/* True once when the keyboard asked for attention. */
bool session_interrupted(struct session *session);

/* Wait until a signal comes, a visitor sends something, or the time has passed; 0: look at the visitors alone, and do
   not wait. The guest stands, and nothing is handed to it. */
void session_stand(struct session *session, unsigned ms);
/* For those who wait for more than that: the visitors' descriptors; they were looked at. */
void session_visitors_poll(const struct session *session, struct session_visit *visit);
void session_visitors_polled(struct session *session, const struct session_visit *visit);
/* Is the machine to stand for this visitor? */
bool session_calls(const struct session *session, enum session_visitors visitor);
/* Does one of those call who are served by session_serve(): the visitors that say `served`? The machine stands then. */
bool session_called(const struct session *session);
void session_serve(struct session *session);

/* From now on these watchpoints are in force for this watcher, in the place of his others; and in a machine that
   session_resume() brings. 0, or -ENOSPC: together there are more than CPU_WATCHES; nothing is changed then. */
int session_watch(struct session *session, enum session_watcher watcher, const struct cpu_watches *watches) MUST_USE;

/* Run in lockstep for at most `limit` instructions; as machine_run(). On a difference false, with words in why[]. */
bool session_lockstep(struct session *session, uint64_t limit, struct machine_result *result, char *why, size_t size);

/* Host time that never goes back, nanoseconds. */
uint64_t session_now_ns(void);

#endif
