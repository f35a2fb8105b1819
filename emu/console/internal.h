/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the console only. */
#ifndef ZRI_EMU_CONSOLE_INTERNAL_H
#define ZRI_EMU_CONSOLE_INTERNAL_H

#include "cpu/storage/access.h"
#include "cpu/engine/engine.h"
#include "emu/console/console.h"
#include "emu/console/json.h"

#define CONSOLE_LINE     1024 /* longest command line */
#define CONSOLE_WORDS    64
#define CONSOLE_BREAKS   64
#define CONSOLE_BRANCHES 64
#define CONSOLE_ERROR    512
#define CONSOLE_NESTED   8 /* scripts in scripts */

/* A comparison of a breakpoint's condition. */
struct console_condition {
    char left[64], right[64];
    char relation[3]; /* = != < > <= >= */
};

struct console_break {
    uint64_t address;
    unsigned condition_count;
    struct console_condition conditions[4];
    uint64_t hits;
};

/* What `ri stop` can stop at: STOP(name, word, member of struct ri that counts it). */
#define CONSOLE_RI_STOPS(STOP)                                                                                         \
    STOP(SAMPLE, "sample", told.samples)                                                                               \
    STOP(GROUP, "group", groups)                                                                                       \
    STOP(HALT, "halt", halts)                                                                                          \
    STOP(FULL, "full", told.fulls)                                                                                     \
    STOP(ALERT, "alert", told.alerts)
enum console_ri_stop {
#define STOP(name, word, member) RI_STOP_##name,
    CONSOLE_RI_STOPS(STOP)
#undef STOP
        RI_STOP_COUNT
};

struct console {
    struct session *session;
    struct machine *machine;
    struct cpu *cpu; /* what register and storage commands speak about */
    FILE *out, *log;
    bool json_always, json; /* this command's display is JSON */
    struct json facts;      /* what it has written so far */
    bool quit;
    bool started; /* the image was started, or a CPU was */
    unsigned nested;
    char error[CONSOLE_ERROR];
    const char *rest; /* the words of the line behind the command, unsplit */
    struct console_break breaks[CONSOLE_BREAKS];
    unsigned break_count;
    struct cpu_observer observer;
    bool observed; /* the observer is hooked into the CPUs */
    bool trace_screen;
    FILE *trace_file;
    bool keep_branches;
    uint64_t branch_from[CONSOLE_BRANCHES], branch_to[CONSOLE_BRANCHES];
    uint64_t branches; /* ever noted */
    uint64_t trace_gr[16];
    unsigned ri_stop;                /* bits 1 << enum console_ri_stop */
    uint64_t next_r, next_v, next_u; /* where the next display without an address goes on */
    uint64_t limit;                  /* of all runs together, 0: none */
    struct machine_result result;
    bool has_result;
};

/* What a word of a command is, for completion. */
enum console_kind {
    KIND_NONE,
    KIND_COMMAND,
    KIND_FILE,
    KIND_SYMBOL,
    KIND_MNEMONIC,
    KIND_RI,
    KIND_RI_FIELD,
    KIND_SPACE,
    KIND_ENGINE,
    KIND_CTR,
    KIND_CTR_ALERT
};

struct console_command {
    const char *name, *abbreviation, *usage, *help, *example;
    int (*run)(struct console *c, int argc, char **argv);
    uint8_t kind[2]; /* enum console_kind of the first argument and of those behind */
    const char *group;
};
extern const struct console_command console_commands[];
extern const unsigned console_command_count;
/* By name or abbreviation, NULL: none. */
const struct console_command *console_find(const char *name);

/* Show text (in JSON mode too: use it for text displays only when c->json is false). */
void console_print(struct console *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Note a sentence for the operator and return -1. */
int console_fail(struct console *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Wrong words: names the usage. */
int console_usage(struct console *c, const char *command);

/* Values: hexadecimal digits, %register, @symbol, sums and differences of them. Returns 0 or console_fail(). */
int console_value(struct console *c, const char *text, uint64_t *value) MUST_USE;
/* The same for a plain hexadecimal value of at most `limit`. */
int console_hex(struct console *c, const char *text, uint64_t limit, uint64_t *value) MUST_USE;
/* A decimal count. */
int console_count(struct console *c, const char *text, uint64_t *value) MUST_USE;

/* "name+offset" of an address, or "" without symbols. */
void console_symbol(struct console *c, uint64_t address, char *text, size_t size);
/* Fetch bytes as the CPU would, without effects. Returns how many could be had. */
unsigned console_fetch(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, void *to,
                       unsigned length);
/* Words for a program-interruption code. */
const char *console_code_name(int code);
/* One instruction at `address` as text; returns its length, 0: not in storage. */
unsigned console_instruction(struct console *c, uint64_t address, char *text, size_t size);
/* PSW, next instruction: where a CPU is. */
void console_where(struct console *c, struct cpu *cpu);
/* The same of the chosen CPU, as all that a command shows. */
void console_show_where(struct console *c);

/* Hook the observer in or out as tracing and the branch history need it. */
void console_observe(struct console *c);
/* Run the machine until something happens and say what. */
int console_go(struct console *c);
int console_program_buffer(struct console *c);
/* The program buffer's bytes from ROA to RCA as far as they can be fetched; the caller frees them. */
int console_fetch_buffer(struct console *c, uint8_t **bytes, size_t *size);
/* The groups as a listing of calls and branches, or as bytes; argv[2] may name one. */
int console_ri_groups(struct console *c, int argc, char **argv, bool listing);
int console_ri_explain(struct console *c);
/* argv[1] as one of the control instructions; *found tells whether it is one. */
int console_ri_drive(struct console *c, int argc, char **argv, bool *found);
/* The space instructions are fetched from. */
enum cpu_space console_instruction_space(const struct cpu *cpu);

#define CONSOLE_COMMAND(id, name, abbreviation, function, usage, help, example, kind1, kind2)                          \
    int function(struct console *c, int argc, char **argv);
#define CONSOLE_GROUP(title)
#include "emu/console/commands.def"
#undef CONSOLE_COMMAND
#undef CONSOLE_GROUP

#endif
