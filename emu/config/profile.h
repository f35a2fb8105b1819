/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine profiles: what a guest sees of its machine. Text files, and some built in. */
#ifndef ZRI_EMU_CONFIG_PROFILE_H
#define ZRI_EMU_CONFIG_PROFILE_H

#include "cpu/state/system.h"
#include "emu/config/facility.h"
#include "ri/ri.h"

/* Characteristics of run-time instrumentation that are given singly. */
enum emu_ri_key {
    EMU_RI_VERSION,
    EMU_RI_CAPABILITY,
    EMU_RI_RGS,
    EMU_RI_RECORDS,
    EMU_RI_SF_MIN_CYCLES,
    EMU_RI_SF_MIN,
    EMU_RI_SF_MAX,
    EMU_RI_CACHE,
    EMU_RI_KEYS
};
struct emu_ri_changes {
    uint32_t given; /* 1 << enum emu_ri_key */
    uint64_t value[EMU_RI_KEYS];
};

struct emu_profile {
    char name[32];
    char description[128];
    uint64_t claims[4];      /* facility bits asked for */
    uint8_t generation;      /* every facility of the machines up to this one besides, enum dis_generation */
    bool all;                /* whatever is complete, besides */
    uint64_t removed[4];     /* taken away again, the last word */
    uint16_t machine_type;   /* four hexadecimal digits, as 0x3931 */
    uint32_t identification; /* CPU identification number, 24 bits */
    uint32_t capability;
    uint64_t tod_start; /* TOD-clock value when the machine is made */
    uint8_t level;      /* highest STSI level: 1, 2 or 3 */
    uint32_t mhz;       /* CPU speed, cycles per microsecond; 0: that of the machine itself */
    bool mt_diagnostic; /* the MT-diagnostic counter set is authorized */
    cpu_caches caches;
    char ri[2][16];                      /* run-time-instrumentation profile of the even and of the odd CPUs */
    struct emu_ri_changes ri_changes[2]; /* and what differs from it */
};

/* Built-in profile by number; NULL past the last. Number 0 is the default. */
const struct emu_profile *emu_profile_number(unsigned index);

/* Find a built-in profile by name, or read the file of that name when `name` has a slash or a dot in it. Returns 0, or
   a negative errno with a sentence in error[size] that names the line; *profile is then unchanged. */
int emu_profile_find(const char *name, struct emu_profile *profile, char *error, size_t size) MUST_USE;

/* Understand the text of a profile ("key = value" lines, # comments); `what` names it in messages. As above. */
int emu_profile_parse(const char *text, size_t length, const char *what, struct emu_profile *profile, char *error,
                      size_t size) MUST_USE;

/* Change facilities: "+134,-37,45" (a plain number adds). Returns 0 or -EINVAL with a sentence. */
int emu_profile_change(struct emu_profile *profile, const char *changes, char *error, size_t size) MUST_USE;

/* Run-time instrumentation of the CPU with this address: the column that the profile names, with what was given singly;
   its name has a + then. */
void emu_profile_ri(const struct emu_profile *profile, unsigned address, struct ri_profile *ri);

/* Whether the profile's keys take these values; for what comes from elsewhere. */
bool emu_profile_ri_possible(const struct emu_ri_changes *changes);

/* What the profile gives CPUs: a facility bit is on when it is claimed, not removed, and every instruction that it
   promises has a body. Returns 0, or -ENOTSUP with the list of what is missing when a claimed one is not complete, and
   the --facility option that takes it away. */
int emu_profile_resolve(const struct emu_profile *profile, struct cpu_profile *cpu, char *error, size_t size) MUST_USE;

#endif
