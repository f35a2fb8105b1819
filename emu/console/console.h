/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operator's console: the same commands from a terminal, a script and redirected input. */
#ifndef ZRI_EMU_CONSOLE_CONSOLE_H
#define ZRI_EMU_CONSOLE_CONSOLE_H

#include "emu/machine/session.h"

struct console;

/* A console for a session; what commands show goes to `out`. NULL: no host memory. */
struct console *console_create(struct session *session, FILE *out) MUST_USE;
/* Files that commands write are complete. False: not all of one could be written, now or before; it was said then. */
bool console_end(struct console *console);
void console_destroy(struct console *console);

/* Carry out one line (copied; no line end needed). Returns 0, or -1 when it was not understood or not possible: a
   sentence was written to `out` then. */
int console_line(struct console *console, const char *line);

/* Carry out the lines of a file. A line that fails is named and the rest is not carried out. Returns 0 or -1. */
int console_script(struct console *console, const char *file);

/* Lines can be edited at a terminal; then keys that were read ahead and not for the guest are the console's. */
bool console_edits(void);
/* Read commands from standard input, with line editing at a terminal, until the end or `quit`. Returns an exit status:
   0, or 1 when input that is not a terminal had a line that failed. */
int console_interact(struct console *console);

/* Let clients of the session's control socket give commands: all of them, also while the machine runs. */
void console_serve_control(struct console *console);
/* Open the panel's window. 0, or a negative number with a sentence. */
int console_open_panel(struct console *console, char *error, size_t size) MUST_USE;
/* Nothing is typed any more: until the panel's window is closed, if there is one, or somebody wants the program to end.
 */
void console_stand_for_panel(struct console *console);
/* While the machine stands: carry out what clients of the control socket ask. True: it has run meanwhile. */
bool console_attend(struct console *console);
/* Without a prompt: run the machine if `runs`; clients may stop it, let it run and so on. Until one of them says quit,
   the guest has come to its end and nobody is connected, or somebody wants the program to end. */
void console_stand(struct console *console, bool runs);
/* The guest has not come to an end by itself: it did not run, or was stopped somewhere. */
bool console_in_between(const struct console *console);

/* Start the loaded image and run until it ends or the keyboard asks; then say where it is. */
void console_start(struct console *console);

/* Displays as JSON from now on. */
void console_set_json(struct console *console, bool on);
/* Carry out `ctr WORD TEXT`, as an option has the text ("sample": with commas between its words). Returns 0, or -1
   after a sentence on `out`. */
int console_measure(struct console *console, const char *word, const char *text);
/* `quit` was given. */
bool console_quit(const struct console *console);
/* Let the session's guest give commands by DIAGNOSE code 8: those that show state, and those that change registers and
   storage, not such that run or replace the machine or touch files. */
void console_serve_guest(struct console *console);
/* Let the session's debugger give commands (monitor): all of them. */
void console_serve_debugger(struct console *console);
/* How the machine ended when it ran last; NULL: it did not run. */
const struct machine_result *console_result(const struct console *console);
/* Limits for runs of the machine: instructions in all (0: none). */
void console_set_limit(struct console *console, uint64_t instructions);

/* The command reference for the manual (troff). */
void console_manual(FILE *out);

#endif
