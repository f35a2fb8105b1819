/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DEFLATE CONVERSION CALL: what its files share. PoP chapter 26 (SA22-7832-13); the format of compressed data is that
   of RFC 1951. */
#ifndef ZRI_CPU_EXEC_ASSIST_DEFLATE_H
#define ZRI_CPU_EXEC_ASSIST_DEFLATE_H

#include "cpu/storage/operand.h"

enum {
    DEFLATE_WINDOW = 32768, /* most bytes of history */
    DEFLATE_AMOUNT = 32768, /* most uncompressed bytes of one execution; then condition code 3 */
    DEFLATE_WORK = 4096,    /* of any execution: codes and history are looked at; a unit for each byte comes to it */
    DEFLATE_SYMBOLS = 288,  /* of literals, end of block and lengths; the last two are never used */
    DEFLATE_LENGTHS = 286,
    DEFLATE_DISTANCES = 30,
    DEFLATE_END = 256, /* end-of-block symbol */
    DEFLATE_DEEPEST = 15,
    DEFLATE_TABLE = 288, /* bytes of the longest compressed dynamic-Huffman table */
};

/* Operation-ending-supplemental codes. 12 and 27 are known from what programs on such machines report; the numbers of
   the others are a reading of ours. */
enum {
    OESC_VERSION = 0x01,        /* parameter-block version */
    OESC_MODEL = 0x02,          /* continuation state of another model */
    OESC_BLOCK_TYPE = 0x11,     /* binary 11 */
    OESC_STORED_LENGTH = 0x12,  /* NLEN is not the complement of LEN */
    OESC_TABLE_LENGTH = 0x21,   /* CDHTL */
    OESC_HLIT = 0x22,           /* more than 286 literal and length codes */
    OESC_HDIST = 0x23,          /* more than 30 distance codes */
    OESC_REPEAT = 0x26,         /* repeats nothing, or goes beyond the last code */
    OESC_CODE_LENGTHS = 0x27,   /* the codes of code lengths are no prefix code, or a code is none of them */
    OESC_NO_END = 0x28,         /* no code for the end of the block */
    OESC_LITERAL_CODES = 0x29,  /* no prefix code */
    OESC_DISTANCE_CODES = 0x2a, /* no prefix code */
    OESC_NO_CODE = 0x2f,        /* bits that are no code, or (compression) a literal without a code */
    OESC_DISTANCE = 0x31,       /* beyond the history */
    OESC_HISTORY_LENGTH = 0x41, /* HL above 32,768 */
};

/* A Huffman code, both ways. */
struct deflate_code {
    uint16_t symbols;
    uint8_t length[DEFLATE_SYMBOLS];  /* bits of the code; 0: no code */
    uint16_t bits[DEFLATE_SYMBOLS];   /* the code, its first bit rightmost */
    uint16_t count[16];               /* codes of a length */
    uint16_t sorted[DEFLATE_SYMBOLS]; /* symbols by code */
    uint16_t quick[1024];             /* by the next ten bits: symbol << 4 | length; 0: a longer code, or none */
};

struct deflate_codes {
    struct deflate_code literal, distance;
};

/* Bits from the right of each byte. */
struct deflate_reader {
    const uint8_t *bytes;
    unsigned end, at; /* in bits */
};

/* What reading may yield besides a value. */
enum { DEFLATE_SHORT = -1, DEFLATE_INVALID = -2 };

/* The next n (0-16) bits, right-aligned; DEFLATE_SHORT when there are not that many. */
int deflate_take(struct deflate_reader *reader, unsigned n);
/* The next symbol; DEFLATE_SHORT, DEFLATE_INVALID. */
int deflate_symbol(struct deflate_reader *reader, const struct deflate_code *code);

/* Lengths and distances: symbol n (of lengths: from 257 on) begins at `base` and has `extra` bits behind it. */
struct deflate_range {
    uint16_t base;
    uint8_t extra;
};
extern const struct deflate_range deflate_lengths[29], deflate_distances[DEFLATE_DISTANCES];
/* Symbols of a length and a distance. */
unsigned deflate_length_symbol(unsigned length);
unsigned deflate_distance_symbol(unsigned distance);

/* The codes of blocks with fixed tables (RFC 1951, 3.2.6). */
void deflate_fixed(struct deflate_codes *codes);
/* Read a compressed dynamic-Huffman table. 0, DEFLATE_SHORT or an operation-ending-supplemental code. */
int deflate_read_table(struct deflate_reader *reader, struct deflate_codes *codes);

/* Uncompressed data with the history before it, and what was found there. */
struct deflate_matcher {
    uint8_t window[DEFLATE_WINDOW + DEFLATE_AMOUNT];
    unsigned history, end;
    unsigned at; /* of the next literal or string */
    unsigned inserted;
    uint16_t head[8192], before[DEFLATE_WINDOW + DEFLATE_AMOUNT];
};
void deflate_match_begin(struct deflate_matcher *m, unsigned history, unsigned length);
/* The longest string before m->at that follows there too: its length (3-258) and distance, or 0. */
unsigned deflate_match(struct deflate_matcher *m, unsigned *distance);

/* A compressed dynamic-Huffman table for the data of a matcher into `table` (zeroed first); `all`: every symbol has a
   code, else those that occur. Yields its length in bits. */
unsigned deflate_make_table(struct deflate_matcher *m, bool all, uint8_t table[DEFLATE_TABLE]);

/* ---- one execution of the instruction ---------------------------------------------------------------------------- */

/* The parameter block: offsets of fields, and bits in their bytes. */
enum {
    BLOCK_SIZE = 1536,
    BLOCK_TABLE_SIZE = 384, /* what generating a table uses */
    BLOCK_CF = 7,           /* bit 7 */
    BLOCK_FLAGS = 16,
    BLOCK_DHTGC = 17,
    BLOCK_SBB = 18, /* bits 5-7 */
    BLOCK_OESC = 19,
    BLOCK_HL = 44,
    BLOCK_HO = 46,
    BLOCK_CV = 48,
    BLOCK_EOBS = 52,
    BLOCK_EOBL = 54,
    BLOCK_CDHTL = 56,
    BLOCK_CDHT = 64,
    BLOCK_CSB = 384, /* continuation state: our own format */
    FLAG_NT = 0x80,
    FLAG_CVT = 0x20,
    FLAG_HTT = 0x08,
    FLAG_BCF = 0x04,
    FLAG_BCC = 0x02,
    FLAG_BHF = 0x01,
    DHTGC = 0x20,
    CF = 0x01,
    SBB = 0x07,
};
enum { DEFLATE_STATE = BLOCK_SIZE - BLOCK_CSB, DEFLATE_PENDING = 512 };

/* A storage operand that is found accessible page by page, when it is come to. */
struct deflate_operand {
    struct cpu *cpu;
    unsigned r; /* address register; the length is in the next */
    enum cpu_access_kind kind;
    uint64_t address, length;
    unsigned reached; /* bytes found accessible */
    int fault;        /* why there are no more */
};

/* Is byte n of the operand (below its length) accessible? */
bool deflate_reach(struct deflate_operand *operand, unsigned n);

/* Bytes between a host buffer and storage, any length. Returns 0 or an access exception. */
int deflate_transfer(struct cpu *cpu, uint64_t address, unsigned r, uint8_t *host, unsigned length,
                     bool store) MUST_USE;

struct deflate_call {
    struct cpu *cpu;
    struct deflate_operand to, from;
    bool circular;
    uint64_t buffer; /* of the circular history; else history is before the uncompressed operand */
    unsigned buffer_r;
    uint8_t block[BLOCK_SIZE];
    bool resumed;    /* continuation flag */
    unsigned hl, ho; /* of the history */
    unsigned oesc;
};

/* What both directions yield: 0 and the amounts, to be committed; or a code, and nothing is changed. */
struct deflate_result {
    uint8_t cc;
    unsigned stored;      /* whole bytes of the first operand */
    unsigned consumed;    /* whole bytes of the second operand */
    unsigned sbb;         /* bits of the byte after them */
    const uint8_t *plain; /* uncompressed bytes that were processed, for history and check value */
    unsigned plain_length;
};

/* History into `window`: c->hl bytes. `before`: the address behind it when it is not in a buffer. */
int deflate_fetch_history(struct deflate_call *c, const struct deflate_operand *before, uint8_t *window) MUST_USE;
/* Store `length` bytes at the beginning of the first operand, found accessible before. */
int deflate_store(struct deflate_call *c, const uint8_t *bytes, unsigned length) MUST_USE;
/* The general register with the address of the parameter block, and that address. */
enum { DEFLATE_PARAMETER = 1 };
static inline uint64_t deflate_block_address(const struct deflate_call *c)
{
    return cpu_gr_address(c->cpu, DEFLATE_PARAMETER);
}
/* Update history, check value and parameter block, then the registers. */
int deflate_commit(struct deflate_call *c, const struct deflate_result *result) MUST_USE;

/* The functions CMPR and XPND: what one execution does. 0 with the condition code set, or a
   program-interruption code. */
int deflate_compress(struct deflate_call *c) MUST_USE;
int deflate_expand(struct deflate_call *c) MUST_USE;

#endif
