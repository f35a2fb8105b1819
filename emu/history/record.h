/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording what comes to a machine from outside, and carrying out such a run once more: bit for bit, on any engine and
   under any observation, for all that the machine draws from the host is in the file with its place. */
#ifndef ZRI_EMU_HISTORY_RECORD_H
#define ZRI_EMU_HISTORY_RECORD_H

#include "emu/config/options.h"
#include "emu/history/tape.h"
#include "emu/machine/session.h"

/* Before the machine is made: a recording that is replayed is read into `in`, and what the machine draws from the host
   when it is made (where its clock begins, its seed) comes from there, or from the host for a new recording. With
   neither of the options nothing happens. 0 or a negative errno with a sentence. */
int recording_prepare(struct emu_options *options, struct tape_in *in, char *error, size_t size) MUST_USE;

/* The machine is as it is to be when its guest starts: record what comes from now on, or replay what is in `in`, whose
   events are taken away. 0, or a negative errno with a sentence: the file cannot be written, or it is the recording of
   another machine. */
int recording_begin(struct session *session, const struct emu_options *options, struct tape_in *in, char *error,
                    size_t size) MUST_USE;

/* The last run is over. 0; or a negative errno with a sentence: not all that was wanted was recorded or replayed. */
int recording_finish(struct session *session, char *error, size_t size) MUST_USE;

/* For recording_begin(): what a recording is of, as items ("NAME\0VALUE\0" ...) of malloc(); NULL: no memory. */
char *recording_items(const struct session *session, const struct emu_options *options, size_t *length) MUST_USE;

#endif
