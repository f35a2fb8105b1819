/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the debugger port share. */
#ifndef ZRI_EMU_DEBUG_INTERNAL_H
#define ZRI_EMU_DEBUG_INTERNAL_H

#include "cpu/storage/watch.h"
#include "emu/debug/gdb.h"
#include "emu/debug/packet.h"
#include "emu/debug/port.h"

#define GDB_POINTS 512u
#define GDB_INPUT  0x8000u

/* Signals as the protocol numbers them. */
enum { SIGNAL_NONE = 0, SIGNAL_INT = 2, SIGNAL_TRAP = 5, SIGNAL_ABORT = 6 };

/* Kinds of Z packets. */
enum gdb_kind { POINT_SOFTWARE, POINT_HARDWARE, POINT_WRITE, POINT_READ, POINT_ACCESS, POINT_KINDS };

struct gdb_point {
    uint64_t address, length;
    uint8_t kind;  /* enum gdb_kind */
    uint8_t space; /* of a watchpoint, enum cpu_watch_space */
};

/* What a CPU does when the machine goes on. */
enum gdb_action { ACTION_HELD, ACTION_CONTINUE, ACTION_STEP };

struct gdb {
    struct session *session;
    struct gdb_host host;
    struct port port;
    struct packet_reader reader;
    struct packet_answer answer;
    char frame[PACKET_FRAME]; /* the last packet sent, as it may be wanted again */
    size_t framed;
    uint8_t input[GDB_INPUT]; /* what came and was not looked at */
    size_t input_at, input_end;
    bool no_ack, software, hardware; /* the client knows swbreak, hwbreak in stop replies */
    bool spoke;                      /* it has sent a packet */
    bool fresh;                      /* it has come, and the machine was not stopped for it yet */
    bool gone;                       /* it has gone, and nobody was told yet */
    bool interrupt;                  /* it wants the machine to stop */
    bool has_machine;                /* the machine stands for it */
    bool serving;                    /* a packet is being carried out */
    bool waits;                      /* nothing runs until there was a client */
    bool killed;
    bool told_end; /* it was told that the guest has come to a bad end */
    bool silent;   /* no answer to this packet */
    enum cpu_space space;
    unsigned cpu;          /* that packets speak about */
    unsigned shown;        /* that commands of the console speak about: the one that stopped, or that they chose */
    unsigned resumes;      /* that a plain c or s speaks about; CPU_MAX: all, or this one */
    char reason[160];      /* the last stop reply */
    uint8_t does[CPU_MAX]; /* enum gdb_action */
    uint64_t range_start, range_end; /* stepping goes on in here; end 0: one step */
    struct gdb_point points[GDB_POINTS], armed[GDB_POINTS];
    unsigned point_count, armed_count;
    unsigned armed_machine; /* session->machines then */
};

static inline struct machine *gdb_machine(const struct gdb *g) { return g->session->machine; }
/* The CPU that packets speak about. */
struct cpu *gdb_cpu(const struct gdb *g);
struct cpu *gdb_cpu_at(const struct gdb *g, unsigned address);

/* Packets (emu/debug/packets.c): one that was read, into g->answer. */
void gdb_carry_out(struct gdb *g);
/* Queries and settings (emu/debug/query.c). */
typedef void gdb_packet(struct gdb *g, const char *arguments, size_t length);
#define PACKET(text, function) gdb_packet function;
#include "emu/debug/packets.def"
#undef PACKET
/* An error that the client shows, or a plain one. */
void gdb_refuse(struct gdb *g, const char *why);
/* Thread number at *text; -1 and 0 (all, any) become CPU_MAX. False: no such CPU. */
bool gdb_thread(const struct gdb *g, const char **text, unsigned *cpu) MUST_USE;

/* The client has no say any more: it is hung up, its points are gone. */
void gdb_forget_client(struct gdb *g);
/* A stop is told (`why`: what stands behind the thread in a stop reply); the client has the machine. */
void gdb_stop(struct gdb *g, const struct cpu *cpu, unsigned signal, const char *why);
/* Send g->answer. */
void gdb_send(struct gdb *g);

/* Points (emu/debug/points.c): Z and z; what is in force follows before the machine goes on. */
bool points_add(struct gdb *g, const struct gdb_point *point) MUST_USE;
void points_remove(struct gdb *g, const struct gdb_point *point);
/* False: the host has no memory for them. */
bool points_arm(struct gdb *g) MUST_USE;
void points_clear(struct gdb *g);
/* Is it one of the client's watchpoints that was met? The breakpoint at an address; NULL: none of the client's. */
bool points_met(const struct gdb *g, const struct cpu_watch_hit *hit);
const struct gdb_point *points_at(const struct gdb *g, uint64_t address);

/* Registers (emu/debug/registers.c), in the order of the target description. */
unsigned registers_count(void);
/* Add its contents; set it from bytes[n] in the order of storage. False: no such register, or it cannot be. */
bool registers_add(struct gdb *g, unsigned number) MUST_USE;
bool registers_set(struct gdb *g, unsigned number, const uint8_t *bytes, size_t n) MUST_USE;
size_t registers_bytes(unsigned number);
/* Is it the instruction address? */
bool registers_is_address(unsigned number);
/* The target description. */
void registers_describe(FILE *out);

#endif
