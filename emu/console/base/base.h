/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ground of the console: what every command stands on. It knows no command; the tables of commands and words are
   handed to it. */
#ifndef ZRI_EMU_CONSOLE_BASE_H
#define ZRI_EMU_CONSOLE_BASE_H

#include "emu/machine/session.h"
#include "emu/console/base/json.h"

struct console;

#define CONSOLE_LINE     1024 /* longest command line */
#define CONSOLE_WORDS    64
#define CONSOLE_BREAKS   64
#define CONSOLE_BRANCHES 64 /* a power of two */
#define CONSOLE_ERROR    2100
#define CONSOLE_NESTED   8 /* scripts in scripts */
#define CONSOLE_USAGE    2000
#define CONSOLE_ACTION   160
#define CONSOLE_SOURCES  8

/* A comparison of a breakpoint's condition. */
struct console_condition {
    char left[64], right[64];
    char relation[3]; /* = != < > <= >= */
};

/* When something that is met counts, and what is done then. */
struct console_when {
    bool on_cpu, in_space, above; /* only on this CPU; in this space; where general register 15 is not less */
    bool once;                    /* it goes away when the machine has stopped there */
    uint16_t cpu;
    uint64_t space; /* address-space-control element, of which bits 0-51 count */
    uint64_t stack;
    unsigned condition_count;
    struct console_condition conditions[4];
    uint64_t hits;
    uint64_t from;               /* the first so many times are passed over, less one; 0: none is */
    char action[CONSOLE_ACTION]; /* commands, "": none */
};

struct console_break {
    uint64_t address; /* of an instruction */
    bool of_class;    /* no instruction: interruptions of this class, with this code (negative: any) */
    bool passing;     /* of a command that runs the machine, not the operator's */
    uint8_t class;
    int64_t code;
    struct console_when when;
};

/* What belongs to a watchpoint of the console besides its range. */
struct console_watch {
    uint64_t address;
    uint8_t kind, space;
    struct console_when when;
};

/* The latest branches that were taken: a ring. */
struct console_branches {
    uint64_t count; /* ever noted */
    struct {
        uint64_t from, to;
        uint16_t cpu;
    } way[CONSOLE_BRANCHES];
};

/* What a word of a command is, for completion; besides, there are the words that the table of words has. */
enum console_kind {
    KIND_NONE,
    KIND_COMMAND,
    KIND_FILE,
    KIND_SYMBOL,
    KIND_SYMBOL_FILE,
    KIND_MNEMONIC,
    KIND_RI_FIELD,
    KIND_DEVICE,
    KIND_DEVICE_TYPE,
    KIND_PROFILE,
    KIND_REGISTER,
    KIND_PROGRAM_CODE
};

typedef int console_function(struct console *c, int argc, char **argv);

enum console_flag {
    CONSOLE_GUEST = 1,   /* a guest may give it (DIAGNOSE code 8) */
    CONSOLE_REPEATS = 2, /* an empty line at the terminal gives it again */
    CONSOLE_PAGES = 4,   /* its display may be long: at a terminal through a pager */
    CONSOLE_RUNS = 8     /* it runs the machine, so that it waits for nobody while the machine runs */
};

struct console_command {
    const char *name, *abbreviation;
    const char *usage; /* @ stands for the words of the command */
    const char *help, *example;
    console_function *run;
    uint8_t kind[3]; /* enum console_kind of the first argument, the second, those behind */
    uint8_t flags;   /* enum console_flag */
    const char *group;
};

/* A word that stands behind a command, or behind another word of it. */
struct console_word {
    const char *command, *behind; /* behind "": the command itself */
    const char *word;
    console_function *run; /* NULL: the command looks at it */
    uint64_t value;        /* what it stands for */
    const char *arguments, *help;
    uint8_t kind; /* enum console_kind of what follows it */
};

struct console_table {
    const struct console_command *commands;
    const struct console_word *words;
    unsigned command_count, word_count;
};

#define CONSOLE_FILE 200

struct console_events;
struct console_teacher;
struct console_tracing;
struct panel;

struct console {
    struct session *session;
    struct machine *machine;
    struct cpu *cpu; /* what register and storage commands speak about */
    const struct console_table *table;
    FILE *out, *log;
    unsigned width;              /* of the terminal that `out` is on its way to; 0: `out` knows */
    char log_name[CONSOLE_FILE]; /* cut off, for messages */
    bool lost;                   /* output of a file was lost */
    bool json_always, json;      /* this command's display is JSON */
    struct json facts;           /* what it has written so far */
    bool quit;
    unsigned nested;
    char error[CONSOLE_ERROR];
    const char *rest; /* the words of the line behind the command, unsplit */
    struct console_break breaks[CONSOLE_BREAKS];
    unsigned break_count;
    struct console_watch watches[CPU_WATCHES]; /* those that have a `when` */
    unsigned watch_count;
    struct symbols_file *source[CONSOLE_SOURCES]; /* files with debugging information, see source.h */
    struct symbols_texts *texts;                  /* of their sources; NULL: nobody has asked */
    unsigned source_count, source_loads;          /* loads: of the session, whose images are among them */
    const char *arrival;           /* words for the end of a run by a command that awaits something, NULL: none */
    bool arrived;                  /* that ended the run */
    struct console_events *events; /* NULL: off */
    struct panel *panel;           /* NULL: nobody has asked for it */
    const struct console_teacher *teacher;      /* of the lesson that is on; NULL: none is */
    bool for_guest;                             /* a guest has given this command: no source texts for it */
    bool acting;                                /* the commands of a breakpoint are being carried out */
    bool attending;                             /* a run was left for a moment, for commands from outside */
    bool runs;                                  /* the machine, or it stands for a moment only */
    bool serves;                                /* whoever comes from outside may have the machine stand */
    bool stopped_outside;                       /* a client of the control socket has ended the run */
    const FILE *no_ends;                        /* ends of runs are not told there; NULL: everywhere */
    void (*prompt)(struct console *c, bool on); /* a run begins while there is a prompt; it has ended. NULL: none */
    struct cpu_observer observer;
    bool observed;                   /* the observer is hooked into the CPUs */
    struct console_tracing *tracing; /* NULL: off */
    bool trace_muted;                /* on the screen, until the next run */
    bool keep_branches;
    struct console_branches branches;
    unsigned ri_stop;                /* bits 1 << enum console_ri_stop */
    int et_cpu;                      /* the CPU that a command of `et` speaks about, -1: all, or the chosen one */
    uint64_t next_r, next_v, next_u; /* where the next display without an address goes on */
    uint64_t limit;                  /* of all runs together, 0: none */
    struct machine_result result;
    bool has_result;
};

/* A command by name or abbreviation, NULL: none. */
const struct console_command *console_find(const struct console *c, const char *name);
/* The word `text` behind a command and a word of it ("": none), NULL: there is none. Capital letters are as good. */
const struct console_word *console_word(const struct console *c, const char *command, const char *behind,
                                        const char *text);
/* The same; when there is none, a sentence that lists those that there are. */
const struct console_word *console_wants(struct console *c, const char *command, const char *behind, const char *text);
/* The word with a value behind a command and a word of it; NULL: there is none. */
const struct console_word *console_word_for(const struct console *c, const char *command, const char *behind,
                                            uint64_t value);
/* Carry out the word argv[1] of a command, or the one word that begins so, by its own function; usage of the command
 * when there is none. */
int console_run_word(struct console *c, const char *command, int argc, char **argv);
/* The usage of a command, its words in the place of @. */
void console_usage_words(const struct console_table *table, const struct console_command *command, char *text,
                         size_t size);

/* A word with its arguments. */
void console_word_usage(const struct console_table *table, const struct console_word *word, char *text, size_t size);

/* Show text (in JSON mode too: displays are shown by show.h). */
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

/* Close a file that was written, if there is one, and say so on standard error when not all could be; c->lost then. */
void console_end_file(struct console *c, FILE **file, const char *what, const char *name);

#endif
