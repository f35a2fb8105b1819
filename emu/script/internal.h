/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the scripted-test runner only. */
#ifndef ZRI_EMU_SCRIPT_INTERNAL_H
#define ZRI_EMU_SCRIPT_INTERNAL_H

#include "emu/machine/run.h"
#include "emu/script/script.h"
#include <stdbool.h>
#include <stdint.h>

#define ZT_TEXT    400u /* longest line after columns are filled in, NUL included */
#define ZT_COLUMNS 24u
#define ZT_PLACES  128u /* instructions and labels of a case */

/* A line of a file. */
struct zt_statement {
    unsigned line;
    char *text; /* without comment and outer spaces */
};

struct zt_list {
    struct zt_statement *items;
    unsigned count, room;
};

struct zt_row {
    unsigned line;
    char *values[ZT_COLUMNS];
};

struct zt_case {
    unsigned line;
    char *name;
    struct zt_list statements; /* setup's first */
    char *columns[ZT_COLUMNS];
    unsigned column_count;
    struct zt_row *rows;
    unsigned row_count;
};

struct zt_file {
    struct zt_case *cases;
    unsigned case_count;
};

/* Split a text into cases. Returns 0, or the number of a line that is not understood with a sentence in why[]. */
unsigned zt_file_parse(const char *text, size_t length, struct zt_file *file, char *why, size_t size);
void zt_file_free(struct zt_file *file);

/* Fill in the columns of a row. false: the line names a column that is not there, or becomes too long. */
bool zt_fill(const struct zt_case *c, const struct zt_row *row, const char *text, char out[ZT_TEXT]);

/* An instruction of the case, or a label. */
struct zt_place {
    char label[32]; /* empty: an instruction */
    unsigned line;  /* of the file */
    uint64_t address;
    unsigned length;
    char text[ZT_TEXT];
};

enum zt_interruption { ZT_NONE, ZT_RESTART, ZT_EXTERNAL, ZT_SVC, ZT_PROGRAM, ZT_MACHINE_CHECK, ZT_IO };

/* One run of one case. */
struct zt_run {
    /* what to run on */
    struct machine_config config;
    unsigned engine; /* bit 0 reference, bit 1 block, bit 2 translator */
    bool execute;    /* a second run with EXRL was asked for */
    bool executing;  /* this is it */
    /* the machine */
    struct machine *machine;
    struct cpu *cpu;
    uint64_t mask;  /* PSW bits 0-63 to start with */
    uint64_t start; /* address to start at, when has_start */
    bool has_start;
    bool dat;
    uint64_t next_table; /* room for page tables */
    struct zt_place places[ZT_PLACES];
    unsigned place_count;
    uint64_t here;      /* where the next instruction goes */
    uint64_t last;      /* address of the last instruction (of its EXRL when executing) */
    uint64_t last_next; /* address behind it */
    uint64_t until;
    bool has_until;
    uint64_t instructions; /* `run`; 0: to the end */
    uint64_t limit;
    uint64_t *budget; /* as of the listener */
    /* the end */
    struct machine_result result;
    enum zt_interruption interruption;
    uint64_t end_mask, end_ia; /* PSW at the end: old PSW after an interruption; with condition code */
    uint64_t done;
    struct cpu before; /* registers at the start */
    /* what was expected */
    bool named_interruption, named_cc, others;
    uint32_t named_gr, named_ar, named_fpr;
    /* report */
    unsigned line;           /* the one that is being carried out */
    char why[2 * ZT_TEXT];   /* a line that is not understood */
    char found[2 * ZT_TEXT]; /* a difference */
};

/* Results of carrying out a statement. */
enum zt_result { ZT_OK, ZT_DIFFERENT, ZT_NOT_UNDERSTOOD, ZT_NOT_MINE };

/* The engines of this host, as in zt_run.engine. */
unsigned zt_all_engines(void);
/* Before the machine is made: profile, facility, engine, execute. */
enum zt_result zt_prepare(struct zt_run *run, const char *text);
/* Registers, storage, mode ... */
enum zt_result zt_set(struct zt_run *run, const char *text);
/* do, at, labels, run, limit, until. */
enum zt_result zt_do(struct zt_run *run, const char *text);
/* All instructions are known: assemble them into storage. */
enum zt_result zt_assemble(struct zt_run *run);
enum zt_result zt_expect(struct zt_run *run, const char *text);
/* Behind the last expectation: interruptions and registers that none named. */
enum zt_result zt_expect_rest(struct zt_run *run);

/* Words and numbers. zt_word: does the text begin with this word (or these words)? Then *rest is what follows it. */
bool zt_word(const char *text, const char *word, const char **rest);
/* A hexadecimal number (underscores, minus sign) at *text, which goes behind it. */
bool zt_number(const char **text, uint64_t *value);
/* Nothing but spaces. */
bool zt_end(const char *text);
/* Skip spaces and "=". */
bool zt_equals(const char **text);
/* Bytes as `mem` has them; returns how many, or -1. */
int zt_bytes(const char *text, uint8_t *bytes, unsigned room);
/* ADDRESS or @LABEL. */
bool zt_address(struct zt_run *run, const char **text, uint64_t *value);
/* A register by its name in the table of registers ("r5", "fpc"), or "clock comparator", "cpu timer": enum
   cpu_register_id, number, part of a general register ' ', 'l' or 'h'. The parts of the PSW are no registers here. */
bool zt_register(const char **text, unsigned *id, unsigned *number, char *part);

#endif
