/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine is to be made of, before it exists. */
#ifndef ZRI_EMU_CONFIG_MACHINE_H
#define ZRI_EMU_CONFIG_MACHINE_H

#include "emu/config/profile.h"
#include "ri/counters/model/profile.h"

/* Consoles of the service processor. Output to one that is not configured is refused: Linux writes to both, and lines
   that two consoles show on one terminal would be there twice. */
enum sclp_console { SCLP_LINE_MODE = 1, SCLP_ASCII = 2 };

/* Where random numbers come from: the host with its clock and a sequence with the virtual one; always a sequence;
   always the host. */
enum machine_entropy { ENTROPY_BY_CLOCK, ENTROPY_SEED, ENTROPY_HOST };

struct machine_config {
    uint64_t storage;         /* bytes, with those in standby */
    uint64_t standby_storage; /* bytes of it, at its end, that the guest may assign */
    unsigned cpus;            /* 1 to CPU_MAX, with those in standby */
    unsigned standby_cpus;    /* of them, those with the highest addresses, that the guest may configure */
    uint8_t engine;           /* enum engine_kind */
    bool host_clock;
    bool threads;       /* every CPU in a host thread; implies the host's clock */
    uint8_t consoles;   /* enum sclp_console bits that the service processor announces */
    uint32_t diagnose;  /* DIAGNOSE codes that are offered, see diagnose_default() */
    uint8_t entropy;    /* enum machine_entropy */
    uint64_t seed;      /* of the sequence */
    bool private_media; /* devices write nothing to files of the host */
    bool replayed;      /* what comes from networks comes from a recording: they have no host */
    bool pipelined;     /* the pipeline model is on, with this profile: */
    struct ec_profile pipeline;
    bool pipe_control;           /* the guest may turn it on and off (DIAGNOSE X'1F8', subcode 7) */
    const char *pipe_out;        /* file for what passes through it; NULL: none */
    uint8_t pipe_format;         /* enum ec_log_format */
    uint64_t pipe_from, pipe_to; /* executed instructions that are in it, from 1; pipe_to 0: to the end */
    struct emu_profile profile;
};
/* 1 CPU, 128 MiB, block engine, virtual clock, default profile. */
struct machine_config machine_default_config(void);

/* The codes that are offered when nothing else is said: a bit for each row of the table, row 0 on the right. */
uint32_t diagnose_default(void);
/* Change *offered by a list such as "+8,-288" (hexadecimal codes; without a sign: offered). 0 or -EINVAL with a
   sentence. */
int diagnose_change(uint32_t *offered, const char *changes, char *error, size_t size) MUST_USE;

#endif
