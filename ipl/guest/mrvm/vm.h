/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The virtual machine: bytecodes, classes, methods, call sites, compiled versions, and what its files share. A run-time
   has one struct vm; compiled code has its address in register 12. */
#ifndef MRVM_VM_H
#define MRVM_VM_H

#include "mrvm.h"

enum bytecode {
    BC_NOP,
    BC_PUSH8,  /* i8 */
    BC_PUSH32, /* i32 */
    BC_LOAD,   /* n */
    BC_STORE,  /* n */
    BC_DUP,
    BC_POP,
    BC_SWAP,
    BC_ADD,
    BC_SUB,
    BC_MUL,
    BC_AND,
    BC_XOR,
    BC_OR,
    BC_SHL,
    BC_SHR,
    BC_JMP, /* rel16, from the bytecode's own place */
    BC_JZ,
    BC_JNZ,
    BC_CALLS, /* method16 */
    BC_CALLV, /* slot8, arguments8, the receiver among them */
    BC_RET,
    BC_NEW,  /* class8 */
    BC_GETF, /* n */
    BC_PUTF, /* n: object, value */
    BC_NEWARR,
    BC_ALD, /* array, index */
    BC_AST, /* array, index, value */
    BC_LT,
    BC_EQ,
    BC_SUM,
    BC_HALT,
    BC_COUNT
};

#define METHODS        320u
#define CLASSES        16u
#define SLOTS          4u
#define SITES          512u
#define VERSIONS       1024u
#define TARGETS        8u /* callees counted for a site */
#define INLINED        16u
#define BLOCK          64u /* bytes of code cache that a piece of code is a multiple of */
#define BLOCKS         (CODE_SIZE / BLOCK)
#define LOCALS         16u
#define NO_METHOD      0xffffu
#define CODE_MOST      512u /* bytes of bytecode of a method */
#define ITERATIONS     200u
#define RETRY          6u  /* compilations of a method by T2, at most */
#define GROUP_LIMIT    32u /* a reading is due */
#define GROUP_LIMIT_T0 3u  /* while the interpreter has most samples: it is slow and waits for less */
#define GROUP_LENGTH   256u
#define RECORDS        16u
#define EVENTS         4096u

/* A class: its first words are what an object's class word points at. */
struct klass {
    u64 code[SLOTS]; /* entries of the methods, by slot */
    u16 method[SLOTS];
    u16 number, fields;
    const char *name;
};

struct object {
    struct klass *klass;
    s64 field[];
};
struct array {
    s64 length;
    s64 element[];
};

enum tier { T0, T1, T2 };

struct method {
    const char *name;
    const u8 *code;
    u16 length, operations; /* bytes, bytecodes */
    u8 arguments, locals, depth;
    u8 tier;
    u8 compiled2; /* times by T2 */
    u8 wanted;    /* to be compiled again at the end of this reading */
    u16 version;  /* current one, 0: interpreted by its stub */
    u16 site0;    /* its first call site + 1 */
    u8 virtuals;  /* it has virtual ones */
    u32 heat, self, called;
    u32 self_before; /* what halving has taken away */
    u32 self_share;  /* in per mille, when it was compiled */
    s64 counter;     /* counter modes: down to 0 */
    s64 guard_count; /* counter-g: failures of its guards, down to 0 */
};

enum site_kind { SITE_UNKNOWN, SITE_MONO, SITE_BI, SITE_MEGA };

struct site {
    u16 method, bci, slot;
    u8 is_virtual;
    u8 planted; /* RINEXT stands before its call */
    u8 decided; /* enum site_kind that code was made by, and the targets */
    u16 decided_target[2];
    u8 told; /* enum site_kind that was printed, and its target */
    u16 told_target;
    u8 targets;
    u16 target[TARGETS];
    u32 count[TARGETS];
    u32 n, other;       /* all, and those beyond TARGETS */
    u32 window;         /* since the latest reading */
    u32 since[TARGETS]; /* the same by target */
    u32 directed;       /* directed samples */
    u32 share[TARGETS]; /* of these, by target */
    /* Counter modes: a receiver cache of two entries that code counts into. */
    struct klass *klass[2];
    s64 seen[2], others;
};

struct tally {
    u32 callee, n; /* method plus one, 0: free */
};

/* One compilation. */
struct version {
    u64 start, born, died; /* address; TOD clock, died 0: alive */
    u32 length;
    u16 method;
    u8 tier, retired;
    u8 inlined; /* guarded sites */
    u16 guard_site[INLINED], guard_target[INLINED][2];
};

enum mode {
    NONE_I,
    NONE_B,
    COUNTER,
    COUNTER_G,
    RI,
    ORACLE,
    T1_PLAIN,
    T1_COUNTER,
    T1_RI,
    T1_DIRECT,
    EXACT,
    TESTS,
    MODES
};
enum prog { SHAPES, PHASE, FLAT, TWIN, TINY, PROGS };

enum event_kind { EVENT_TIER, EVENT_SITE, EVENT_READ };
struct event {
    u8 kind, from, to, what; /* what: enum why, or kind of site */
    u16 it, method, bci, count;
    u64 insn;
    u32 a, b, c, d;
    u16 name[4];
    u32 records[8];
};
enum why { WHY_START, WHY_EMIT, WHY_COUNT, WHY_SELF, WHY_GUARD, WHY_DOUBLED, WHY_PLANT, WHY_SETTLED };

struct vm {
    /* Reached from compiled code: displacements from register 12. */
    u64 entry[METHODS];
    u64 checksum;
    u64 heap;
    u64 helper[8]; /* enum helper */
    u64 receiver;  /* class word on its way to receiver_slow() */
    struct method method[METHODS];
    struct site site[SITES];

    struct klass klass[CLASSES];
    struct version version[VERSIONS];
    u16 map[BLOCKS]; /* version at a block of the code cache */
    u16 methods, classes, sites, versions, calls, transfers,
        limit;     /* the last: C, B is one; groups that the interpreter waits for */
    u32 code_next; /* offset of what was never used */
    u64 newest;    /* when the youngest version that reuses a place was born */
    u8 mode, prog, has_ri, counters, told, running, second, exact;
    u8 ri_mode;      /* control M */
    u8 profile_code; /* counters in T1 */
    u8 sampling;     /* RI is on */
    u16 iteration, iterations;
    u64 start, start_cost; /* instructions: when the program began; until its first iteration */
    u64 seed;
    const char *ri_off; /* why there is no sampling, NULL: there is, or nobody wants it */
    u8 quiet;           /* transparency test: 1 RI on, 2 off, though the nucleus loads controls all the time */
    u8 directed_only;   /* call records of counted samples tell nothing about sites */
    u8 marks;           /* MARK packets of exception trace at each compilation */
    u64 ipi[ITERATIONS];
    u16 method_map[BLOCKS]; /* the method there, plus one */
    /* Readings. */
    struct tally tally[SITES + 1][TARGETS]; /* of the calls of one reading, by site plus one */
    u16 touched[SITES * 2];                 /* places of it that are in use */
    u16 windowed[SITES], windows;           /* sites with calls since the latest reading */
    u32 touched_count, backedges[METHODS + 1];
    u64 read_cost[ITERATIONS]; /* instructions for reading, by iteration */
    u32 groups, unhalved, readings, stale, lost, window_self, window_calls, sf, next_sf;
    u64 buffer;                                    /* the program buffer */
    u64 reading_insn, deciding_insn, compile_insn; /* instructions; compilations are in none of the others */
    u64 random;
    struct event event[EVENTS];
    u32 events, unlogged;
};
enum helper { HELPER_INTERPRET, HELPER_POLL, HELPER_TRIGGER, HELPER_RECEIVER, HELPER_NEW, HELPER_NEWARR };

extern struct vm vm; /* the run-time is one program in one space */

#define SITE_MAP   ((u16 *)TABLE_START) /* by halfword of the code cache: (site + 1) * SITE_SCALE */
#define SITE_SCALE 64u                  /* bytes of a site's row of the tally */

/* interpret.c */
s64 interpret(u64 number, s64 *frame);
u32 method_numbered(const char *name);
/* glue.S: run compiled code; what it leaves in the first place of its frame. */
s64 call_code(u64 entry, s64 *frame, struct vm *);
void glue_interpret(void);
void glue_poll(void);
void glue_trigger(void);
void glue_receiver(void);
void glue_new(void);
void glue_newarr(void);
/* What the glue calls. */
void safepoint(void);
void triggered(u64 number);
void receiver_slow(u64 site);

/* main.c */
/* What follows the key in a word, NULL: it is another; a number, all ones: it is none. */
const char *after(const char *word, const char *key);
u64 value_of(const char *digits);

/* program.c, build.c */
void program_build(void);
void iteration_begins(u32 it);
extern u16 main_method;
s64 *new_object(u64 number);
s64 *new_array(u64 length);

/* code.c */
struct code; /* being emitted */
u32 method_compile(u16 number, enum tier tier, enum why why, u32 detail);
void version_discard(struct version *v);
void versions_collect(void);
void method_interpreted(u16 number);

/* decide.c */
void decide(void);
void counter_decide(u16 number);
enum site_kind site_kind(const struct site *s);
/* The same with what was known before, while too little is known now; the targets to inline. */
enum site_kind site_decided(struct site *s, u16 target[2]);
u32 site_targets(const struct site *s, u16 target[2], u32 share[2]);
void classes_link(void);
void event_tier(u16 number, u8 from, u8 to, u8 why, u32 detail, u32 bytes);
void event_site(u16 number);
void event_read(const u32 records[8], u32 groups, u32 cost);

/* read.c */
/* NULL, or why there is none: absent, buffer, block, refused. */
const char *sampling_start(void);
void sampling_stop(void);
void reading_last(void);

/* The platform: begin.S and bare.c on the nucleus, linux.c for a program under Linux. */
/* What a run is measured in: instructions of this CPU; under Linux, where these are not to be had without a system
   call, units of the TOD clock. */
u64 instructions(void);
u64 tod(void);
/* Run-time instrumentation, with vm.buffer, vm.sf, vm.ri_mode, vm.calls and vm.transfers. On: NULL, or why it is not.
 */
const char *ri_open(void);
/* Off: groups in the buffer; *full: one if others were lost. */
u32 ri_pause(u32 *full);
/* On again, with an empty buffer. */
void ri_resume(void);
u64 service(u64 number, u64 a, u64 b, u64 c); /* enum service */
/* What the usage line has in addition; a word that only this platform knows: 0 none, 1 taken, 2 asks for something else
   than a run. */
extern const char *const platform_words;
u32 platform_word(const char *word);
/* Something else than a run was asked for, and done: one, and what the run-time ends with, 99 for the usage line. */
u32 platform_task(u32 *code);
/* All is made, nothing has run; sampling has begun; the run is over, with these registers, and read; its lines are to
   follow. */
void platform_prepared(void);
void platform_begins(char *text);
void platform_ends(const u64 registers[16]);
void platform_report(void);

/* report.c */
const char *mode_name(u32 mode);
const char *prog_name(u32 prog);
void line_begin(const char *word);
void line_text(const char *text);
void line_word(const char *key, const char *word);
void line_number(const char *key, u64 value);
void line_hex(const char *key, u64 value);
void line_hundredths(const char *key, u64 value); /* as 12.34 */
void line_end(void);
void report_end(u64 total, u64 services);

/* tests.c */
/* A negative test by its name, "n1" to "n12"; what a run-time ends with. */
u32 tests_run(const char *which);
void test_check(u32 right, const char *words);
void test_n6(void);
void test_n7(void);
void test_n8(void);
void test_n10(void);
void test_n11(void);
void test_n12(void);
void test_live(void);
/* For tests: run code at an address as methods are run; a program without its run. */
void prepare_shapes(void);

#endif
