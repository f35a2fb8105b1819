/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPUs of one machine share, and the way out of the CPU: the table of functions that the machine supplied. */
#ifndef ZRI_CPU_STATE_SYSTEM_H
#define ZRI_CPU_STATE_SYSTEM_H

#include "cpu/state/main_storage.h"
#include "disasm/facility.h"

struct cpu;
struct dis_insn;
struct et_machine;
struct cpu_watches;
struct cpu_edges_system;

#include <stddef.h>

#define CPU_MAX 64 /* CPUs of one machine */

/* Instructions of the channel subsystem, and what is to be done for them. */
enum cpu_io {
    CPU_IO_CLEAR,       /* CSCH */
    CPU_IO_HALT,        /* HSCH */
    CPU_IO_RESUME,      /* RSCH */
    CPU_IO_CANCEL,      /* XSCH */
    CPU_IO_RESET_PATH,  /* RCHP */
    CPU_IO_SET_LIMIT,   /* SAL */
    CPU_IO_SET_MONITOR, /* SCHM */
    CPU_IO_MODIFY,      /* MSCH; SCHIB */
    CPU_IO_START,       /* SSCH; ORB */
    CPU_IO_STORE,       /* STSCH; SCHIB */
    CPU_IO_TEST,        /* TSCH; IRB */
    CPU_IO_PATH_STATUS, /* STCPS; 32 bytes */
    CPU_IO_REPORT_WORD, /* STCRW; channel-report word */
    CPU_IO_PENDING,     /* TPI; three words */
    CPU_IO_CALL,        /* CHSC; command block, which becomes the response */
    CPU_IO_SIGNAL,      /* SIGA */
};
#define CPU_IO_BLOCK 4096 /* bytes of the largest operand */

/* Functions the machine supplies. Each may be NULL: the instruction then behaves as the comment says.
   Those that return int return 0 or a program-interruption code; *cc is the condition code to set. */
struct cpu_callouts {
    /* SERVICE CALL. NULL: operation exception. `sccb` is the real address from R2. */
    int (*service_call)(void *machine, struct cpu *cpu, uint32_t command, uint64_t sccb, unsigned *cc);
    /* SIGNAL PROCESSOR. `parameter` is the parameter register, *status receives bits 32-63 when *cc is 1.
       NULL: cc 3. */
    int (*sigp)(void *machine, struct cpu *cpu, uint16_t address, uint8_t order, uint64_t parameter, uint32_t *status,
                unsigned *cc);
    /* Threads: must the CPU that gives this order, or DIAGNOSE code, be alone (cpu_alone())? NULL: always. */
    bool (*sigp_alone)(uint8_t order);
    bool (*diagnose_alone)(uint16_t code);
    /* DIAGNOSE; `code` is bits 48-63 of the second-operand address. NULL: specification exception. */
    int (*diagnose)(void *machine, struct cpu *cpu, uint16_t code, unsigned r1, unsigned r3);
    /* Channel-subsystem instructions: general registers 1 and 2 are those of the CPU, `block` is the operand as
       fetched, or as it is to be stored. NULL: operation exception. */
    int (*io)(void *machine, struct cpu *cpu, enum cpu_io function, uint8_t block[CPU_IO_BLOCK], unsigned *cc);
    /* True when an I/O interruption is pending for an interruption subclass that CR6 of this CPU allows.
       NULL: never. */
    bool (*io_pending)(void *machine, struct cpu *cpu);
    /* Hand over the pending I/O interruption with the highest priority: the three words for real 184-195.
       Returns false when there is none any more. */
    bool (*io_take)(void *machine, struct cpu *cpu, uint32_t words[3]);
    /* The time sys->event_at has come: `now` is the machine time in TOD units. Sets the next one. */
    void (*event)(void *machine, uint64_t now);
    /* The CPU entered the stopped or check-stop state, or a disabled wait. May be NULL. */
    void (*state_changed)(void *machine, struct cpu *cpu);
    /* Host clock as a TOD value, only asked with clock=host. */
    uint64_t (*host_tod)(void *machine);
    /* STORE SYSTEM INFORMATION: fill the 4,096-byte block for function code / selectors; false: cc 3. NULL: level 0
     * only. */
    bool (*system_information)(void *machine, struct cpu *cpu, unsigned fc, unsigned sel1, unsigned sel2,
                               uint8_t block[4096]);
    /* STORE HYPERVISOR INFORMATION, function 0: fill the 4,096-byte response. NULL: function not supported. */
    void (*hypervisor_information)(void *machine, struct cpu *cpu, uint8_t block[4096]);
    /* True random bytes for the cryptographic instructions. NULL: zeros. */
    void (*random)(void *machine, uint8_t *to, size_t length);
};

/* One cache, as EXTRACT CPU ATTRIBUTE tells of it. Nothing is cached by it: it is there for programs that fit their
   work to the caches. */
struct cpu_cache {
    uint32_t kilobytes; /* 0: there is none */
    uint16_t ways;      /* set associativity */
    bool shared;        /* by several CPUs */
};
#define CPU_CACHE_LEVELS 8u
#define CPU_CACHE_LINE   256u /* bytes, of all of them */

/* By level (less one) and type: 0 data, or both when there is none of type 1; 1 instructions. */
typedef struct cpu_cache cpu_caches[CPU_CACHE_LEVELS][2];

/* What the machine profile says that instructions can see. */
struct cpu_profile {
    char name[32];
    uint64_t facilities[4]; /* STFLE bits, bit 0 leftmost of [0] */
    uint64_t cpu_id;        /* STIDP without the CPU address, see cpu_store_cpu_id() */
    uint32_t capability;    /* STSI 1.2.2 CPU capability */
    uint32_t mhz;           /* CPU speed, cycles per microsecond */
    uint16_t machine_type;  /* four hexadecimal digits */
    bool mt_diagnostic;     /* the MT-diagnostic counter set is authorized */
    cpu_caches caches;
};

/* Wrapping keys of the message-security assist and the patterns by which a key wrapped with them is known. The machine
   makes new ones, true random bytes, when it is made and at each clear reset. */
struct cpu_wrapping {
    uint8_t dea_key[24], dea_pattern[24];
    uint8_t aes_key[32], aes_pattern[32];
};

/* Block I/O (DIAGNOSE X'250') that has ended: external interruption X'2603'. */
struct cpu_block_io {
    uint64_t parameter;
    uint16_t what; /* X'03' or X'07', the parameter has 32 or 64 bits; then the status */
};
#define CPU_BLOCK_IO 64u /* that are pending, at most */

struct cpu_system {
    struct storage storage;
    struct cpu *cpus[CPU_MAX]; /* by CPU address; NULL where none is configured */
    unsigned cpu_count;        /* entries in use, 1 to CPU_MAX */
    const struct cpu_callouts *callouts;
    void *machine; /* first argument of the callouts */
    struct cpu_profile profile;
    /* Time. With the virtual clock a microsecond has profile.mhz cycles, and every CPU of the rotation starts its slice
       at the same `now`. */
    uint64_t now;          /* TOD units since the machine was made, at the start of the current slice */
    uint64_t now_rest;     /* what is over: cycles times CPU_TOD_MICROSECOND, less than the cycles of a microsecond */
    uint64_t event_at;     /* machine time in TOD units at which callouts->event is wanted; 0: never */
    uint64_t tod_base;     /* TOD-clock value (bits 0-63) at now == 0 */
    uint64_t tod_physical; /* the same of the physical clock, which SET CLOCK leaves alone */
    uint8_t tod_epoch;     /* epoch index at now == 0 */
    bool host_clock;
    uint64_t tod_last; /* latest value stored by STCK or STCKE, so that values are unique */
    /* Decoded code in [absolute, absolute+length), within a page, was changed: the engine of this CPU is told by the
       function that it handed over, which says whether any was dropped. NULL: as if it were. */
    bool (*code_changed)(struct cpu *cpu, uint64_t absolute, unsigned length);
    uint32_t generation;      /* source of unique generation numbers for translation contexts */
    bool plo_lock;            /* held by the CPU that carries out PERFORM LOCKED OPERATION; for host atomics */
    bool ri_mixed_capability; /* CPUs of differing RI capability are configured */
    bool threads;             /* every CPU runs in a host thread of its own, see cpu_alone() */
    bool alone;            /* with threads: the CPU that runs is the only one, the others stand between instructions */
    unsigned want_alone;   /* threads, atomic: so many want to be alone; who runs makes room between two blocks */
    bool vertical;         /* CPUs are polarized vertically; cleared by every reset of the machine */
    bool topology_changed; /* a topology change is to be reported; likewise */
    struct cpu_wrapping wrapping;
    struct cpu_block_io block_io[CPU_BLOCK_IO]; /* pending, the oldest first */
    unsigned block_io_count;
    const struct cpu_watches *watches; /* storage that a debugger watches; NULL: none */
    struct cpu *running;               /* the CPU that began its run last; NULL: none did */
    struct et_machine *exceptions;     /* exception trace of all CPUs; NULL: none is kept */
    struct cpu_edges_system *edges;    /* edge profiles of all CPUs; NULL: none are kept */
};

#define CPU_TOD_MICROSECOND 4096u /* TOD units (bit 63 = 1) of a microsecond */
#define CPU_MHZ             2048u /* cycles of a microsecond when the profile does not say otherwise */

/* Cycles of a microsecond. */
static inline uint64_t cpu_mhz(const struct cpu_system *sys) { return sys->profile.mhz ? sys->profile.mhz : CPU_MHZ; }

/* May the CPU that runs change what belongs to all: other CPUs, translations, storage keys, decoded code, devices? It
   may not while others run in their threads: it then leaves its run (cpu->settle) and goes on when it is alone. */
static inline bool cpu_alone(const struct cpu_system *sys) { return !sys->threads || sys->alone; }

/* Does the guest see this facility (enum dis_facility_bit)? */
static inline bool cpu_facility(const struct cpu_system *sys, unsigned bit)
{
    return bit < FACILITY_BITS && (sys->profile.facilities[bit / 64] & BIT64(bit % 64));
}

#endif
