/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of one CPU. PoP chapters 2 and 4. */
#ifndef ZRI_CPU_STATE_CPU_H
#define ZRI_CPU_STATE_CPU_H

#include "base/bits.h"
#include "cpu/state/codes.h"
#include "cpu/state/control_registers.h"
#include "cpu/state/interruptions.h"
#include "cpu/state/system.h"
#include "disasm/dis.h"

struct ri;
struct counters;
struct transaction;
struct lines;
struct cpu_ri_before;
struct cpu_exceptions;
struct cpu_model;
struct cpu_edges;
struct ep_noted;
struct tlb;
struct tlb_pool;
struct engine;
struct block;

/* PSW bits 0-63. Bits 18-19 (condition code) of psw.mask are always zero: it lives in cpu->cc. */
#define PSW_PER                     BIT64(1)
#define PSW_DAT                     BIT64(5)
#define PSW_IO                      BIT64(6)
#define PSW_EXT                     BIT64(7)
#define PSW_KEY                     (BIT64(8) | BIT64(9) | BIT64(10) | BIT64(11))
#define PSW_BIT12                   BIT64(12)
#define PSW_MCHK                    BIT64(13)
#define PSW_WAIT                    BIT64(14)
#define PSW_PROBLEM                 BIT64(15)
#define PSW_AS                      (BIT64(16) | BIT64(17))
#define PSW_CC                      (BIT64(18) | BIT64(19))
#define PSW_PM                      (BIT64(20) | BIT64(21) | BIT64(22) | BIT64(23))
#define PSW_PM_FIXED_POINT_OVERFLOW BIT64(20)
#define PSW_PM_DECIMAL_OVERFLOW     BIT64(21)
#define PSW_PM_HFP_UNDERFLOW        BIT64(22)
#define PSW_PM_HFP_SIGNIFICANCE     BIT64(23)
#define PSW_RI                      BIT64(24)
#define PSW_EA                      BIT64(31)
#define PSW_BA                      BIT64(32)

/* Address-space control, PSW bits 16-17. */
enum { AS_PRIMARY = 0, AS_ACCESS_REGISTER = 1, AS_SECONDARY = 2, AS_HOME = 3 };

struct psw {
    uint64_t mask; /* bits 0-63, condition code zero */
    uint64_t ia;   /* instruction address, bits 64-127 */
};

/* Vector register; bits 0-63 are the floating-point register of the same number (0-15). */
struct vector_register {
    uint64_t hi, lo;
};

/* CPU states, PoP chapter 4. The wait state is PSW bit 14. */
enum cpu_state { CPU_STATE_STOPPED, CPU_STATE_OPERATING, CPU_STATE_CHECK_STOP, CPU_STATE_LOAD };

/* External-interruption conditions that are latched, and machine-check conditions: interruptions.def. Addresses of
   malfunction alert, emergency signal and external call are in ext_malfunction, ext_emergency and ext_call_from, the
   parameter of the service signal in ext_service. Clock comparator and CPU timer are levels (computed), measurement
   alert is what ri/ and ri/counters have pending, block I/O (DIAGNOSE X'250') what is in struct cpu_system. */
enum cpu_external {
#define EXTERNAL(id, ...) CPU_EXT_##id = 1u << CPU_EXTERNAL_##id,
#include "cpu/state/interruptions.def"
};
enum cpu_machine_check {
#define MACHINE_CHECK(id, ...) CPU_MCK_##id = 1u << CPU_MACHINE_CHECK_##id,
#include "cpu/state/interruptions.def"
};

/* Classes of interruptions. */
enum cpu_class {
    CPU_CLASS_PROGRAM,
    CPU_CLASS_SVC,
    CPU_CLASS_EXTERNAL,
    CPU_CLASS_IO,
    CPU_CLASS_MACHINE_CHECK,
    CPU_CLASS_RESTART
};

/* Called when set (console tracing, stepping tools): with `before` or `after` the CPU runs on the reference engine.
   Observation must not change results. */
struct cpu_observer {
    void *context;
    /* Before the instruction at cpu->insn_ia is carried out. */
    void (*before)(void *context, struct cpu *cpu, const struct dis_insn *insn);
    /* After it: `code` is what the body returned. */
    void (*after)(void *context, struct cpu *cpu, const struct dis_insn *insn, int code);
    /* By every engine, whether or not there are the two above: */
    /* A PSW was loaded, by an instruction or an interruption. May be NULL. */
    void (*loaded)(void *context, struct cpu *cpu, uint64_t mask, uint64_t ia);
    /* An interruption was taken. */
    void (*interruption)(void *context, struct cpu *cpu, enum cpu_class class, unsigned code);
};

/* A program interruption that was taken, for whoever tells the operator. */
struct cpu_program_taken {
    uint64_t number; /* the how many-th on this CPU; 0: there was none */
    uint64_t mask;   /* PSW bits 0-63 */
    uint64_t ia;     /* of the instruction; of an invalid PSW its address */
    uint64_t when;   /* instructions that this CPU had carried out */
    uint64_t teid;   /* as it was stored; with codes that store none, nothing */
    uint64_t gr[16];
    uint16_t code;
    uint8_t ilc; /* bytes */
    uint8_t dxc; /* with a data or vector-processing exception its code */
};

/* What interruptions leave for the operator; no instruction depends on it. A clear reset forgets the
   latest, no other reset does. */
struct cpu_taken {
    struct cpu_program_taken latest, origin; /* origin: of a string of them, each in the handler of the one before */
    uint64_t handler;                        /* where the program new PSW led */
    uint64_t psw_loads;                      /* counts the PSWs that were loaded, and system masks that were set */
    uint64_t whole_loads;                    /* ... without the latter */
    uint64_t loads_then;                     /* psw_loads behind the latest one */
    unsigned repeats;                        /* how often the latest one came at the same place of its own handler */
    bool loop;                               /* so often that it goes on for ever: the run ends */
    bool stop_at_loops;                      /* look for that */
    uint8_t stop_at;                         /* classes behind which a run ends, bits 1 << enum cpu_class */
    bool stopped;                            /* it ended there: by this class and code */
    uint8_t class;
    uint32_t code;
};

/* What a debugger watched and an instruction accessed, see cpu/storage/watch.h; until the debugger takes it. */
#define CPU_WATCHED 4u
struct cpu_watched {
    unsigned count;
    struct cpu_watch_hit {
        uint64_t watch;   /* where the watched range begins */
        uint64_t address; /* the first byte of it that was accessed */
        uint8_t kind;     /* of the watchpoint */
        uint8_t space;    /* of the watchpoint, enum cpu_watch_space */
        uint8_t who;      /* enum cpu_watch_who */
    } hits[CPU_WATCHED];
    bool late; /* some came while the CPU did not run: its next run ends at once */
};

#define CPU_STORED    16u
#define CPU_TRACES    256u /* a power of two, at least RI_RING */
#define CPU_PREDICTOR 256u /* RI_PREDICTOR */

struct cpu {
    /* Touched by every instruction. Cleared by: g = clear/initial... see the register table,
       cpu/control/registers.def. */
    uint64_t gr[16];
    uint64_t zero; /* always zero: register 16 of the block engine, "no base" */
    struct psw psw;
    uint8_t cc;            /* condition code, 0-3 */
    bool executed;         /* the instruction being carried out is the target of an execute-type instruction */
    bool refetch;          /* storage that holds decoded code was changed: leave the block after this instruction */
    bool worked;           /* the current instruction took longer than others: see cpu_work() */
    bool branched;         /* the current instruction took its branch (cpu_branch) */
    bool leave;            /* engine_leave(): end the run behind this instruction */
    bool spun;             /* ... because the guest waits for another CPU: ENGINE_SPINS */
    bool goes_on;          /* the run goes on: a breakpoint at its first instruction counts */
    bool interrupted;      /* the last that was done is an interruption; resets clear it */
    bool ri_watch;         /* as engine_leave() behind a sample instruction and when an RI alert is presented */
    bool look_around;      /* the target of an execute-type instruction changed the mode */
    bool settle;           /* threads: leave the run; something is to be done before the next instruction */
    bool wants_alone;      /* threads: that this CPU must be alone for */
    bool tables_doubt;     /* the instruction may hold host addresses to store at in pages whose stores are looked
                              at: table entries in use may be there, see cpu/storage/tables.h */
    uint8_t tx_depth;      /* transaction-nesting depth; not zero: the transactional-execution mode */
    bool tx_fetching;      /* in a transaction: the exception being recognized is of an instruction fetch */
    uint8_t ilc;           /* length in bytes of the current instruction (of EX/EXRL when executed) */
    uint64_t address_mask; /* X'FFFFFF', X'7FFFFFFF' or all ones, by PSW bits 31-32 */

    /* Translated code reaches what stands before and these with a displacement of one byte. */
    uint64_t bear;                /* breaking-event address */
    struct tlb *tlb;              /* translation context of operand accesses now (an empty one in the AR mode) */
    int64_t budget;               /* bits 0-38: units left in this run; 39-63: cycles that it took, see CPU_UNIT */
    uint64_t cc_a, cc_b, cc_kind; /* translated code: condition code between blocks, see block.h */
    uint64_t block_key;           /* block engine: current mode and fetch context */
    struct block **jumps;         /* block engine: blocks by address, for the current mode */
    int64_t edge_word;            /* block engine: branches collected for edge profiles, see cpu/state/edges.h */

    uint64_t insn_ia;          /* address of the current instruction (of EX/EXRL when executed) */
    uint64_t target_ia;        /* when executed: address of the target instruction */
    struct tlb_pool *tlb_pool; /* this CPU's translation contexts */
    struct tlb *fetch_tlb;     /* translation context of instruction fetches now */
    int64_t budget_start;      /* units at the start of the run */
    uint64_t elapsed;     /* units before this run: instructions and units of operation completed, and their work */
    uint64_t work;        /* that of all of them which was work */
    uint64_t cycles;      /* before this run, without those of work */
    uint64_t slice_start; /* cpu_cycles() when sys->now was last advanced */
    struct cpu_system *sys;
    struct transaction *tx; /* transactional execution, NULL until first used */
    struct lines *lines;    /* what a transaction has accessed; a part of *tx */
    uint64_t tx_code;       /* why CPU_TX_ABORT was returned, enum cpu_tx_code */
    struct ri *ri;          /* run-time instrumentation, never NULL */
    uint64_t told_length; /* bytes of a storage operand whose length only the body knows (DIS_LEN_TOLD); no reset needs
                             to clear it: an instruction that RI takes part in begins with zero */
    struct cpu_ri_before *ri_before;     /* the current instruction while RI or counters take part in it; NULL: not */
    struct counters *counters;           /* CPU-measurement facilities, never NULL */
    struct engine *engine;               /* block engine's own data, NULL until first used */
    uint64_t code_frame, code_back;      /* translated code: see cpu/translate/emit/exits.c */
    uint64_t code_entered;               /* likewise: see cpu/translate/emit/edges.c */
    const uint8_t *looked;               /* likewise: see cpu/translate/places.c; NULL: nothing to see */
    int32_t looks;                       /* likewise */
    unsigned spins;                      /* block engine: passes of loops that wait, see op_spin */
    uint64_t traced;                     /* block engine: notes of branches that were taken while RI is active */
    uint64_t traced_again;               /* and branches beyond the first of a note */
    const struct cpu_observer *observer; /* NULL: none */
    struct cpu_exceptions *exceptions;   /* exception trace; NULL: none is kept */
    struct cpu_model *model;             /* pipeline model that is told what is carried out; NULL: off, or it rests */
    struct cpu_model *pipeline;          /* the same, also while it rests; NULL: off */
    struct cpu_edges *edges;             /* edge profiles; NULL: none is kept */
    uint64_t far;     /* not 0: block engine: their branches are counted in `budget`, see CPU_FAR_MOST */
    int64_t far_held; /* then: units of the run that are not in it */
    struct ep_noted *edge_ring;
    uint64_t edge_mask; /* of its size in bytes */

    /* Other registers (PoP chapters 2 and 4) */
    uint32_t ar[16];
    uint64_t cr[16];
    _Alignas(16) struct vector_register vr[32];
    uint32_t fpc;
    uint32_t prefix;            /* bits 33-50 of the prefix register, as a real address */
    uint32_t tod_programmable;  /* TOD programmable register, 16 bits */
    uint64_t program_parameter; /* LPP; in the entries of the sampling facility */

    /* Guarded storage: the controls, and the event being recognized */
    uint64_t gs_designation, gs_sections, gs_list;
    struct cpu_guarded_event {
        uint64_t ia, operand, result;
        uint8_t cause, access;
    } gs_event;

    /* Clocks */
    uint64_t clock_comparator;
    int64_t cpu_timer;      /* value at cpu_timer_set */
    uint64_t cpu_timer_set; /* TOD (raw machine time, before SCK changes) when cpu_timer was right */
    struct cpu_timers_seen {
        uint64_t at; /* cpu_elapsed() when the host's clock was asked last and no timer could interrupt ... */
        uint64_t cr0, comparator, timer_set, tod_base; /* ... and what they were set to */
    } timers_seen;

    /* Identity and state */
    uint16_t address;    /* CPU address */
    uint8_t state;       /* enum cpu_state */
    uint8_t engine_kind; /* enum engine_kind */

    /* Interruption conditions */
    uint32_t external;                       /* enum cpu_external, latched ones */
    uint64_t ext_malfunction, ext_emergency; /* bit n (1<<n): from CPU address n */
    uint16_t ext_call_from;
    uint8_t ext_lock;     /* threads: held while one of these and their bits in `external` change */
    uint32_t ext_service; /* service-signal parameter */
    bool restart_pending;
    bool stop_pending;
    bool store_status_pending;
    uint32_t machine_checks; /* pending machine-check conditions, enum cpu_machine_check */

    /* What the exception being recognized will store (set together with the code that is returned) */
    uint64_t teid;               /* translation-exception identification, real 168 */
    uint8_t exception_access_id; /* real 160 */
    uint8_t operand_access_id;   /* real 162 */
    uint8_t dxc, vxc;
    uint16_t svc_code;
    uint8_t monitor_class;
    uint64_t monitor_code;
    uint16_t per_code; /* PER code and ATMID as stored at real 150, zero when no event */
    uint64_t per_address;
    uint8_t per_access_id;
    bool zero_ilc;       /* this program interruption stores length code zero */
    uint8_t per_space;   /* bits 14-15 of the ATMID */
    bool space_switched; /* the instruction left its primary or home space: with a PER event a space-switch event */
    uint64_t per_mask;   /* PSW bits 0-63 and control register 9 at the start of the instruction, while PER is active */
    uint64_t per_controls;

    struct cpu_taken taken;
    struct cpu_watched watched;
    bool held; /* by a debugger: it carries out nothing, whatever its state */

    /* Threads: stores that may have changed decoded code, see cpu_code_stored(). */
    struct {
        uint64_t absolute;
        unsigned length;
    } stored[CPU_STORED];
    unsigned stored_count; /* more than CPU_STORED: all of storage */

    /* Block engine: the latest of the notes counted by `traced`, not yet in ri/; a ring. Address of the operation, with
       BLOCK_NOTE; in the second half branch addresses, of those that are not relative. */
    uint64_t trace[2 * CPU_TRACES];
    /* With a translator, by entry of RI's predictor: the branch that went there last, as block_owner() has it, and in
       the LSB whether it was taken; 0: what is in ri/. See cpu/engine/op_branch.c. */
    uint32_t owners[CPU_PREDICTOR];
    uint64_t owner_targets[CPU_PREDICTOR]; /* its branch address, when it is not relative */
    bool owners_mixed[CPU_PREDICTOR];      /* some address there has had a relative branch and one that is not */
};

/* The complete 16-byte PSW with the condition code. */
static inline uint64_t cpu_psw_mask(const struct cpu *cpu) { return cpu->psw.mask | (uint64_t)cpu->cc << (63 - 19); }

/* What a CPU does is measured twice. Runs, slices and limits go by units: one for an ordinary instruction, more when
   its operands are long, by cpu_work(). Clocks and the cycle counter go by cycles: one for each halfword of an
   instruction (for an execute-type one those of its target, too), CPU_WORK_CYCLES for each unit of work. Both stand in
   one word, so that the block engine counts them with one subtraction: a unit is CPU_UNIT, less the instruction's
   cycles. */
#define CPU_UNIT_BITS   25
#define CPU_UNIT        (INT64_C(1) << CPU_UNIT_BITS)
#define CPU_CYCLES_MOST 6u                                        /* of an instruction: EXRL of one of six bytes */
#define CPU_RUN_MOST    (CPU_UNIT / (int64_t)CPU_CYCLES_MOST - 1) /* units of a run: cycles stay in their bits */
#define CPU_WORK_CYCLES 2u

/* While a program that is profiled is far from its next sample (cpu->far) the block engine counts completed branches in
   the same word, too: bits 39-48 are so many, and CPU_FAR_ZERO, as what was counted may be taken back after they were
   looked at; 49-63 are cycles. A branch takes CPU_FAR_WEIGHT units more: then at most a fifth of the units that are
   there are branches, and most of them when they are all gone. The word has so few units at a time that both stay in
   their bits; see cpu_edges_stretch(). */
#define CPU_FAR_BITS   15
#define CPU_FAR        (INT64_C(1) << CPU_FAR_BITS)
#define CPU_FAR_WEIGHT 4
#define CPU_FAR_ZERO   64
#define CPU_FAR_MOST   4790

/* Branches of this stretch that are in the budget. */
static inline int64_t cpu_far_branches(const struct cpu *cpu)
{
    return ((cpu->budget & (CPU_UNIT - 1)) >> CPU_FAR_BITS) - CPU_FAR_ZERO;
}
/* Units left in this run, at most 0 when it is over. Like the others it does not count the current instruction. */
static inline int64_t cpu_left(const struct cpu *cpu)
{
    const int64_t left = cpu->budget >> CPU_UNIT_BITS;
    return LIKELY(!cpu->far) ? left : left + CPU_FAR_WEIGHT * cpu_far_branches(cpu);
}
/* Cycles of this run, without those of work. */
static inline uint64_t cpu_run_cycles(const struct cpu *cpu)
{
    return (uint64_t)cpu->budget & (uint64_t)((LIKELY(!cpu->far) ? CPU_UNIT : CPU_FAR) - 1);
}
static inline void cpu_set_left(struct cpu *cpu, int64_t units) { cpu->budget = units * CPU_UNIT; }

/* Units and cycles of this CPU since the machine was made. */
static inline uint64_t cpu_elapsed(const struct cpu *cpu)
{
    return cpu->elapsed + (uint64_t)(cpu->budget_start - cpu_left(cpu));
}
static inline uint64_t cpu_cycles(const struct cpu *cpu)
{
    return cpu->cycles + cpu_run_cycles(cpu) + cpu->work * CPU_WORK_CYCLES;
}
/* Instructions executed by this CPU since the machine was made. */
static inline uint64_t cpu_instructions(const struct cpu *cpu) { return cpu_elapsed(cpu) - cpu->work; }

/* Bytes for one unit of work: moved, cleared or compared; searched or summed; enciphered or hashed. What goes byte by
   byte takes a unit for each. */
enum { CPU_WORK_MOVE = 64, CPU_WORK_SCAN = 16, CPU_WORK_CIPHER = 4 };

/* Less work than this is part of an ordinary instruction. */
#define CPU_WORK_LEAST 16u

/* The current instruction has done so much as so many ordinary ones: time goes on by that, and what was to come then
   comes behind this instruction. A function of what the instruction was told to do, so that every engine counts
   alike. */
static inline void cpu_work(struct cpu *cpu, uint64_t units)
{
    if (LIKELY(units < CPU_WORK_LEAST))
        return;
    cpu->work += units;
    cpu->budget -= (int64_t)units * CPU_UNIT;
    cpu->worked = true;
}

static inline uint32_t gr32(const struct cpu *cpu, unsigned r) { return (uint32_t)cpu->gr[r]; }
static inline void set_gr32(struct cpu *cpu, unsigned r, uint32_t v)
{
    cpu->gr[r] = (cpu->gr[r] & UINT64_C(0xffffffff00000000)) | v;
}
static inline uint32_t grh32(const struct cpu *cpu, unsigned r) { return (uint32_t)(cpu->gr[r] >> 32); }
static inline void set_grh32(struct cpu *cpu, unsigned r, uint32_t v)
{
    cpu->gr[r] = (cpu->gr[r] & UINT64_C(0xffffffff)) | (uint64_t)v << 32;
}
/* A register that receives an address: all 64 bits in the 64-bit mode, otherwise bits 32-63 with bits 0-31
   unchanged. */
static inline void set_gr_address(struct cpu *cpu, unsigned r, uint64_t v)
{
    if (cpu->psw.mask & PSW_EA)
        cpu->gr[r] = v;
    else
        set_gr32(cpu, r, (uint32_t)v);
}

/* Effective addresses of storage operands, wrapped to the addressing mode. */
static inline uint64_t cpu_ea(const struct cpu *cpu, unsigned b, unsigned x, int32_t d)
{
    return ((b ? cpu->gr[b] : 0) + (x ? cpu->gr[x] : 0) + (uint64_t)(int64_t)d) & cpu->address_mask;
}
static inline uint64_t cpu_ea1(const struct cpu *cpu, const struct dis_insn *i) { return cpu_ea(cpu, i->b1, 0, i->d1); }
static inline uint64_t cpu_ea2(const struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_ea(cpu, i->b2, i->x2, i->d2); /* X2 is zero in formats without it */
}
static inline uint64_t cpu_ea4(const struct cpu *cpu, const struct dis_insn *i) { return cpu_ea(cpu, i->b4, 0, i->d4); }
/* Address of a relative operand (bytes from the instruction itself, which is the target when executed). */
static inline uint64_t cpu_relative(const struct cpu *cpu, int64_t bytes)
{
    return ((cpu->executed ? cpu->target_ia : cpu->insn_ia) + (uint64_t)bytes) & cpu->address_mask;
}

/* Take a branch: breaking-event address, instruction address. `target` is wrapped here. An odd target is found at the
 * fetch. */
static inline void cpu_branch(struct cpu *cpu, uint64_t target)
{
    cpu->bear = cpu->insn_ia;
    cpu->branched = true;
    cpu->psw.ia = target & cpu->address_mask;
}

/* A data exception and its code: enum cpu_dxc, or IEEE exceptions. */
static inline int MUST_USE cpu_data_exception(struct cpu *cpu, unsigned dxc)
{
    cpu->dxc = (uint8_t)dxc;
    return PIC_DATA;
}

static inline bool cpu_problem_state(const struct cpu *cpu) { return cpu->psw.mask & PSW_PROBLEM; }
static inline unsigned cpu_key(const struct cpu *cpu) { return (unsigned)field64(cpu->psw.mask, 8, 11); }

#endif
