/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of exception-trace streams: the whole. */
#include "ri/trace/decode.h"

const char *et_state_name(unsigned code)
{
    static const char *const names[] = {NULL,
                                        "enabled wait",
                                        "wait ended",
                                        "disabled wait",
                                        "stopped",
                                        "started",
                                        "reset",
                                        "IPL",
                                        "oldest frame discarded",
                                        "output off",
                                        "output on",
                                        "configuration refused",
                                        "configured by the guest",
                                        "TOD clock changed"};
    return code && code <= ET_ST_TOD_CHANGED ? names[code] : "unknown";
}

const char *et_diagnostic_name(unsigned code)
{
    static const char *const names[ET_DIAGNOSTICS + 1] = {NULL,
                                                          "bytes skipped",
                                                          "SYNC damaged",
                                                          "check sum of a segment",
                                                          "number of packets",
                                                          "events lost",
                                                          "unknown header",
                                                          "illegal field",
                                                          "cut inside a packet",
                                                          "no END",
                                                          "gap of SYNC numbers",
                                                          "unknown source or chunk",
                                                          "exit without entry",
                                                          "exit of another number",
                                                          "return elsewhere",
                                                          "frames differ from SYNC",
                                                          "compression state empty",
                                                          "time went backwards",
                                                          "bytes after END",
                                                          "timing stream does not fit",
                                                          "no configuration after SYNC",
                                                          "accounts of END",
                                                          "container damaged"};
    return code && code <= ET_DIAGNOSTICS ? names[code] : "unknown";
}
