/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line. */
#ifndef ZRI_EMU_CONFIG_OPTIONS_H
#define ZRI_EMU_CONFIG_OPTIONS_H

#include "emu/config/machine.h"
#include "ipl/load.h"
#include <stdio.h>

#define EMU_IMAGES 64
#define EMU_FILES  256
#define EMU_TESTS  4096

struct emu_options {
    struct machine_config machine;
    bool sandbox;        /* --sandbox */
    bool panel;          /* --panel */
    bool tui;            /* --tui */
    const char *gdb;     /* where the debugger port is to be; NULL: there is none */
    const char *control; /* where the control socket is to be; NULL: there is none */
    bool batch, stop, lockstep, demo, version, help, list_missing, list_profiles, json;
    const char *dump_manual; /* part of the manual; NULL: none */
    uint64_t limit;          /* instructions, 0: none */
    double seconds;          /* 0: none */
    const char *savecore;    /* file name; NULL: none */
    uint64_t save_start, save_end;
    const char *snapshot; /* file name; NULL: none */
    unsigned identity;    /* STSI level that --identity asks for; 0: the profile's */
    bool profile_given;   /* --profile or --facility */
    bool clock_virtual;   /* --clock virtual was given */
    bool console_given;   /* --console */
    const char *coverage; /* file name; NULL: none */
    const char *trace, *trace_what;
    const char *ri_log; /* file name; NULL: none */
    const char *et_keys[EMU_FILES];
    unsigned et_key_count;
    const char *et_config, *et_out;                        /* file names; NULL: none */
    const char *profile_out, *profile_log, *profile_exact; /* file names; NULL: none */
    const char *profile_keys[EMU_FILES];
    unsigned profile_key_count;
    char profile_text[2][64];          /* of --profile-period and --profile-what as keys */
    const char *pipe_sample, *pipe_by; /* words of ctr; NULL: none */
    const char *pipe_report;           /* file name; NULL: none */
    const char *dump_code;             /* file name; NULL: none */
    bool perf_map;
    const char *record, *replay; /* recordings, file names; NULL: none */
    uint64_t record_limit;       /* bytes, 0: the usual */
    bool follows;                /* the guest's clock, which is virtual, follows the host's: recording_prepare() */
    uint64_t history;            /* bytes that the past may take, 0: it is not kept */
    uint64_t history_spacing;    /* instructions, 0: the usual */
    const char *initrd, *append;
    const char *run; /* a Linux program for the system-call nucleus; NULL: none */
    const char *devices[EMU_FILES];
    unsigned device_count;
    struct {
        const char *type, *words;
    } next[EMU_FILES]; /* --disk, --net: devices at the next number */
    unsigned next_count;
    bool grade;         /* judge tests[] in bulk */
    bool storage_given; /* --storage */
    bool engine_given;  /* --engine; otherwise the quickest that the host can carry */
    bool lessons;       /* list them */
    const char *lesson; /* number, name or file; NULL: none */
    const char *ipl;    /* device number; NULL: none */
    const char *scripts[EMU_FILES];
    unsigned script_count;
    bool test, verbose, tap;
    const char *only, *junit; /* of --test; NULL: none */
    struct ipl_request images[EMU_IMAGES];
    unsigned image_count;
    const char *tests[EMU_TESTS];
    unsigned test_count;
};

/* Understand the command line; strings of argv are kept and may be split in place. Returns 0, or -EINVAL with a
   sentence in error[size]. */
int emu_options_parse(int argc, char **argv, struct emu_options *options, char *error, size_t size) MUST_USE;

/* Print the list of options, one for each line, on `out`. */
void emu_options_help(FILE *out);
/* The same as the body of a manual page's option list (troff). */
void emu_options_manual(FILE *out);
/* Completion of the options by a shell. */
void emu_options_bash(FILE *out);
void emu_options_zsh(FILE *out);

/* A size such as 512M, 2G, 65536K or plain bytes. Returns 0 or -EINVAL. */
int emu_parse_size(const char *text, uint64_t *bytes) MUST_USE;
/* "FILE:START-END", hexadecimal, inclusive; splits `text` in place. Returns 0 or -EINVAL with a sentence. */
int emu_parse_range(char *text, uint64_t *start, uint64_t *end, char *error, size_t size) MUST_USE;

#endif
