/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine consists of, for all that is around its CPUs: devices, service processor, DIAGNOSE, the rotation. Made
   and run by emu/machine/. */
#ifndef ZRI_EMU_STATE_MACHINE_H
#define ZRI_EMU_STATE_MACHINE_H

#include "cpu/state/cpu.h"
#include "emu/config/machine.h"

struct css;
struct edge_profile;
struct measure;
struct exception_trace;

/* Where a machine meets its host. Any function may be NULL. */
struct ec_raised;
struct machine_host {
    void *context;
    /* Guest console output, UTF-8 text as it comes. */
    void (*output)(void *context, const char *text, size_t length);
    /* Looked at between slices: return true to make machine_run() end with MACHINE_REQUEST. May hand console input to
       the machine (sclp_input_line() ...). */
    bool (*poll)(void *context);
    /* Looked at many times a second, between two instructions of any CPU: likewise, but hands over nothing that belongs
       to the guest, so that where it is looked at makes no difference to a run. */
    bool (*urgent)(void *context);
    /* Every CPU waits and the next timer event is *us microseconds of guest time away (UINT64_MAX: none is set). Sleep
       if the host wants to, and hand over input; *us becomes what has passed of it. False: there is no input to
       come. */
    bool (*idle)(void *context, uint64_t *us);
    /* A sentence for the operator. */
    void (*message)(void *context, const char *text);
    /* A network device is handed this frame just now. */
    void (*frame)(void *context, unsigned set, uint16_t number, const uint8_t *bytes, size_t length);
    /* Something that was written to the host may be lost, as a message said just now. */
    void (*lost)(void *context);
    /* The guest asks to be loaded again with what it was loaded with: put it into storage, which was cleared if
       `clear`, and CPU 0 into the operating state. False: that is not possible; the CPUs stay stopped. */
    bool (*load)(void *context, bool clear);
    /* A command that the guest gives its operator: carry it out, its answer into answer[size]; returns 0 or a code. */
    int (*command)(void *context, const char *line, char *answer, size_t size);
};

/* Whoever keeps a machine's past. All functions are there. */
struct machine_door {
    void *context;
    /* A run begins; it has ended. What somebody changed in between is known by that. */
    void (*begin)(void *context);
    void (*end)(void *context);
    /* A rotation of the CPUs begins, or machine_instructions() has come to m->due. True: the run ends here. */
    bool (*due)(void *context);
};

/* ---- service processor ----------------------------------------------------------------------------------------- */

#define SCLP_LINE  251  /* characters of one typed line */
#define SCLP_INPUT 4096 /* bytes of typed input that wait for the guest */

struct sclp {
    uint32_t receive_mask, send_mask; /* of the guest, event type n is bit n-1 from the left */
    uint64_t last_sccb;
    char line[SCLP_INPUT]; /* typed lines for the line-mode console, UTF-8, each ended by a newline */
    size_t line_length;
    char keys[SCLP_INPUT]; /* typed characters for the ASCII console */
    size_t key_length;
    bool quiesce;       /* signal quiesce is to be sent */
    bool at_line_start; /* console output stands at the start of a line */
};

/* ---- DIAGNOSE -------------------------------------------------------------------------------------------------- */

#define DIAGNOSE_HOOKS   8
#define DIAGNOSE_COMMAND 240 /* characters of an operator's command by code X'008' */

/* What a machine does when a guest asks to be loaded again (code X'308'). */
enum diagnose_load { DIAGNOSE_LOAD_NONE, DIAGNOSE_LOAD_CLEAR, DIAGNOSE_LOAD_NORMAL };

/* A reset that the instruction asks for and the machine carries out before the next one (code X'308', too). */
enum diagnose_reset { DIAGNOSE_RESET_NONE, DIAGNOSE_RESET_CLEAR, DIAGNOSE_RESET_NORMAL };

struct machine_diagnose {
    /* Functions that are not built into the table; see machine_hook_diagnose(). */
    struct {
        uint16_t code;
        int (*carry_out)(void *context, struct cpu *cpu, unsigned r1, unsigned r3);
        void *context;
    } hooks[DIAGNOSE_HOOKS];
    unsigned hook_count;
    /* Of the guest; cleared by every reset of the machine. */
    uint64_t control_program; /* code X'318': what the control program calls itself */
    uint64_t watchdog_at;     /* code X'288': TOD clock at which it strikes; 0: it is off */
    uint64_t page_faults;     /* code X'258': CPUs (bit 1<<address) that have begun the handshake */
    /* What a load takes, as the guest reads and sets it by code X'308'; every reset leaves it. */
    bool ipl_device;          /* from a device; else nothing was loaded, and there is no parameter block */
    bool ipl_images;          /* device ipl_reader of set 0 stands for images of the host */
    uint8_t ipl_set;          /* the device's subchannel set */
    uint16_t ipl_number;      /* its device number */
    uint16_t ipl_reader;      /* device number */
    uint8_t ipl_parameter[8]; /* load parameter, EBCDIC */
    uint8_t load;             /* enum diagnose_load: a load that the machine is to carry out when the CPUs stand */
    uint8_t reset;            /* enum diagnose_reset: never there between two instructions */
    bool yielded;             /* codes X'044' and X'09C': the CPU gave the rest of its slice away */
};

/* ---- the machine ----------------------------------------------------------------------------------------------- */

struct machine {
    struct cpu_system sys;
    struct machine_config config;
    struct machine_host host;
    const struct machine_door *door; /* NULL: nobody keeps the past */
    bool again;                      /* what comes from outside comes once more, and nothing goes there */
    uint64_t due;                    /* instructions of all CPUs at which the door is told; UINT64_MAX: at none */
    struct sclp sclp;
    struct machine_diagnose diagnose;
    struct css *css;
    struct exception_trace *exceptions; /* NULL: none is kept */
    struct edge_profile *edges;         /* NULL: none is kept */
    struct pipeline_log *pipeline_logs; /* of all CPUs, NULL: none is written */
    struct measure *measure;            /* sampled use of the pipeline model, and counts by place; NULL: neither */
    uint8_t pipeline_mark;              /* by DIAGNOSE X'1F8': 0 nothing, 1 off, 2 on; before the next instruction */
    struct {
        unsigned sinks;                                                           /* ALERT_CONSOLE and its like */
        void (*told)(void *context, struct cpu *cpu, const struct ec_raised *by); /* NULL: nobody else */
        void *context;
    } alert;               /* of the performance monitor */
    uint64_t standby_cpus; /* CPU n is bit 1 << n */
    uint64_t assigned[16]; /* increments of standby storage that are assigned, likewise */
    bool storage_attached; /* the standby storage element is attached */
    bool powered_off;      /* the guest stopped its last CPU by SIGP */
    /* Threads, NULL without: this CPU may have something to do; it stands still, as far as others can see. */
    void (*wake)(struct machine *, struct cpu *by, struct cpu *cpu);
    bool (*sleeps)(struct machine *, struct cpu *);
    void *threads;        /* for these */
    uint64_t untold;      /* CPU n, bit 1 << n, came to a breakpoint when the run ended for another one's */
    uint64_t host_start;  /* the host's steady clock when the machine was made, TOD units */
    uint64_t random;      /* where the sequence of random numbers is, when they repeat */
    bool told_of_random;  /* the operator was told that they do */
    struct cpu *stepping; /* the run ends when this CPU has carried out an instruction; NULL: none */
    /* The rotation: where it is. It is kept between runs, so that a run in pieces is the same as a run at once. */
    unsigned turn;         /* CPU whose slice it is */
    uint64_t slice;        /* units of one by the host's clock: longer while CPUs do not call each other */
    bool called;           /* one did in this rotation: it gets no longer */
    bool slow, was_slow;   /* a run took long in this rotation, or in the one before: it gets shorter, or no longer */
    uint64_t slice_used;   /* units of it that are over, as cpu_elapsed() counts them */
    uint64_t slice_cycles; /* the same as cpu_cycles() counts */
    uint64_t longest;      /* longest slice of this rotation so far, cycles */
    uint64_t rotated;      /* units of all CPUs in this rotation */
    uint64_t unpolled;     /* units of all CPUs since the host was asked at the end of a rotation */
    uint64_t pace;         /* units that an engine runs at most before the host is looked at; the guest cannot tell */
    uint64_t looked_ns;    /* the host's clock when host.urgent was looked at last */
    bool alive;            /* some CPU was found neither stopped nor in a disabled wait */
    bool busy;             /* some CPU was found not waiting */
};

/* Random numbers are a sequence that is the same in every run. */
static inline bool machine_repeats_random(const struct machine *machine)
{
    return machine->config.entropy == ENTROPY_SEED ||
           (machine->config.entropy == ENTROPY_BY_CLOCK && !machine->sys.host_clock);
}

/* Instructions of all CPUs since the machine was made. */
static inline uint64_t machine_instructions(const struct machine *machine)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < machine->sys.cpu_count; i++)
        n += cpu_instructions(machine->sys.cpus[i]);
    return n;
}

/* Nesting levels of STORE SYSTEM INFORMATION 15.1.x, at most. */
#define MACHINE_TOPOLOGY_LEVELS 6

/* True when CPU `address` is not in the configuration: nobody reaches it. */
static inline bool machine_cpu_standby(const struct machine *machine, unsigned address)
{
    return machine->standby_cpus >> address & 1;
}

#endif
