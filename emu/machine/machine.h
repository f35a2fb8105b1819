/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine around the CPUs: storage, clock, CPUs in rotation, service processor. Several machines may exist in one
   process; nothing here prints or reads. */
#ifndef ZRI_EMU_MACHINE_MACHINE_H
#define ZRI_EMU_MACHINE_MACHINE_H

#include "cpu/state/cpu.h"
#include "emu/dev/css/css.h"
#include "emu/dev/sclp/service.h"
#include "emu/machine/diagnose.h"
#include "emu/config/profile.h"

/* Where a machine meets its host. Any function may be NULL. */
struct machine_host {
    void *context;
    /* Guest console output, UTF-8 text as it comes. */
    void (*output)(void *context, const char *text, size_t length);
    /* Looked at between slices: return true to make machine_run() end with MACHINE_REQUEST. May hand console input to
       the machine (sclp_input_line() ...). */
    bool (*poll)(void *context);
    /* Every CPU waits and the next timer event is *us microseconds of guest time away (UINT64_MAX: none is set). Sleep
       if the host wants to, and hand over input; *us becomes what has passed of it. False: there is no input to come.
     */
    bool (*idle)(void *context, uint64_t *us);
    /* A sentence for the operator. */
    void (*message)(void *context, const char *text);
    /* The guest asks to be loaded again with what it was loaded with: put it into storage, which was cleared if
       `clear`, and CPU 0 into the operating state. False: that is not possible; the CPUs stay stopped. */
    bool (*load)(void *context, bool clear);
    /* A command that the guest gives its operator: carry it out, its answer into answer[size]; returns 0 or a code. */
    int (*command)(void *context, const char *line, char *answer, size_t size);
};

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
    bool private_media; /* devices write nothing to files of the host */
    struct emu_profile profile;
};
/* 1 CPU, 128 MiB, block engine, virtual clock, default profile. */
struct machine_config machine_default_config(void);

struct machine {
    struct cpu_system sys;
    struct machine_config config;
    struct machine_host host;
    struct sclp sclp;
    struct machine_diagnose diagnose;
    struct css *css;
    uint64_t standby_cpus; /* CPU n is bit 1 << n */
    uint64_t assigned[16]; /* increments of standby storage that are assigned, likewise */
    bool storage_attached; /* the standby storage element is attached */
    bool powered_off;      /* the guest stopped its last CPU by SIGP */
    uint64_t host_start;   /* host clock when the machine was made, TOD units */
    uint64_t random;       /* with the virtual clock: where the sequence of random numbers is */
    /* The rotation: where it is. It is kept between runs, so that a run in pieces is the same as a run at once. */
    unsigned turn;       /* CPU whose slice it is */
    uint64_t slice_used; /* instructions it has carried out of it */
    uint64_t longest;    /* longest slice of this rotation so far */
    uint64_t rotated;    /* instructions of all CPUs in this rotation */
    bool alive;          /* some CPU was found neither stopped nor in a disabled wait */
    bool busy;           /* some CPU was found not waiting */
};

/* Make a machine: storage zero, all CPUs stopped after a power-on reset. Returns NULL with a sentence in error[size]
   when the configuration is not possible or the host has not the memory. */
struct machine *machine_create(const struct machine_config *config, const struct machine_host *host, char *error,
                               size_t size) MUST_USE;
void machine_destroy(struct machine *machine);

/* Clear reset of everything: storage, keys, CPUs, devices. The clocks go on. */
void machine_clear(struct machine *machine);
/* Reset of what is around the CPUs: service processor, DIAGNOSE, devices. */
void machine_reset_devices(struct machine *machine);
/* Normal reset as load normal has it: initial CPU reset of CPU 0, CPU reset of the others, devices. Storage stays. */
void machine_reset(struct machine *machine);

enum machine_end {
    MACHINE_LIMIT,       /* the number of instructions asked for was carried out */
    MACHINE_STOPPED,     /* every CPU is stopped, in a check-stop or in a disabled wait */
    MACHINE_POWERED_OFF, /* likewise, by the guest's own order */
    MACHINE_IDLE,        /* every CPU waits, and nothing can come any more */
    MACHINE_BREAK,       /* a breakpoint on `cpu` */
    MACHINE_REQUEST,     /* host.poll() or engine_leave() asked for it */
};
struct machine_result {
    enum machine_end end;
    struct cpu *cpu;       /* on which it happened; NULL when that has no meaning */
    uint64_t instructions; /* carried out by all CPUs together */
};

/* Run all operating CPUs in rotation for at most `limit` instructions in all. */
struct machine_result machine_run(struct machine *machine, uint64_t limit);

/* One instruction on one CPU, on the reference engine; time goes on with it. Returns enum engine_end. */
unsigned machine_step(struct machine *machine, struct cpu *cpu);

/* CPU 0 starts with this PSW. 0, or a program-interruption code when the PSW is not valid (nothing is started). */
int machine_start(struct machine *machine, uint64_t mask, uint64_t ia) MUST_USE;

/* True when CPU `address` is not in the configuration: nobody reaches it. */
static inline bool machine_cpu_standby(const struct machine *machine, unsigned address)
{
    return machine->standby_cpus >> address & 1;
}

/* True when the CPU waits with all interruptions masked off. */
bool machine_disabled_wait(const struct cpu *cpu);
/* Instructions of a CPU before the next one has its turn, and with one CPU before the host is looked at. */
uint64_t machine_slice(const struct machine *machine);
/* Instructions of all CPUs since the machine was made. */
uint64_t machine_instructions(const struct machine *machine);
/* Words for the state of a CPU: "stopped", "operating", "disabled wait", "enabled wait", "check-stop", "load". */
const char *machine_state_name(const struct cpu *cpu);

/* Callouts (emu/machine/sigp.c, emu/machine/stsi.c). */
int machine_sigp(void *machine, struct cpu *cpu, uint16_t address, uint8_t order, uint64_t parameter, uint32_t *status,
                 unsigned *cc);
bool machine_system_information(void *machine, struct cpu *cpu, unsigned fc, unsigned sel1, unsigned sel2,
                                uint8_t block[4096]);
void machine_hypervisor_information(void *machine, struct cpu *cpu, uint8_t block[4096]);

#endif
