/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of sample logs, for who writes and who reads them. */
#ifndef ZRI_RI_PROFILE_LOG_FORMAT_H
#define ZRI_RI_PROFILE_LOG_FORMAT_H

#include "ri/profile/file/internal.h"
#include "ri/profile/log.h"

#define LOG_MAGIC  "ZTBTLOG1"
#define LOG_HEADER 64u
#define LOG_HEAD   8u                                                     /* of a record */
#define LOG_ENTRY  40u                                                    /* of a sample */
#define LOG_SAMPLE 56u                                                    /* a sample without entries, with its head */
#define LOG_TEXT   4096u                                                  /* bytes of a name or parameter at most */
#define LOG_MOST   (LOG_SAMPLE + LOG_ENTRY * EP_RING_MOST(EP_TRACE_MOST)) /* bytes of a record that is known */

enum { LOG_MODULE = 1, LOG_TRACE, LOG_LOST, LOG_CODEMOD, LOG_EXTARGET, LOG_SPACE, LOG_END, LOG_PARAM };
enum { LOG_IS_RI = 1, LOG_HAS_ORIGINS = 2, LOG_IS_CALLS = 4 }; /* header, flags */
enum { LOG_WAS_CUT = 1 };                                      /* SAMPLE, flags */
enum { LOG_IS_BRANCH = 1, LOG_IS_TAKEN = 2, LOG_HAS_ADDRESS = 4, LOG_HAS_ORIGIN = 8, LOG_EXECUTED = 16 }; /* trigger */
enum { LOG_ENTRY_EXECUTED = 1, LOG_ENTRY_NOT_TAKEN = 2, LOG_FROM_SHIFT = 2, LOG_TO_SHIFT = 4, LOG_REASON_SHIFT = 6 };

/* Kinds of spaces have other numbers than in a profile. */
static const uint8_t log_space_kinds[EP_SPACE_KINDS] = {EP_SPACE_REAL, EP_SPACE_PRIMARY, EP_SPACE_SECONDARY,
                                                        EP_SPACE_AR, EP_SPACE_HOME};

#endif
