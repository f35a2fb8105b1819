/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace: a machine's trace units, one for each CPU and one for floating requests, told by value what
   happened. Tracker, encoder, buffers and accounts; what is outside (time, storage, files, rules' deeds) is handed in.
 */
#ifndef ZRI_RI_TRACE_TRACE_H
#define ZRI_RI_TRACE_TRACE_H

#include "ri/trace/config.h"
#include "ri/trace/number.h"

struct et_machine; /* units and sink of a machine */
struct et_cpu;     /* tracker and trace unit of a CPU */

struct et_psw {
    uint64_t mask, address;
};

enum et_insn { ET_LPSW, ET_LPSWE, ET_LPSWEY, ET_RP, ET_PR };

/* What is known of an interruption besides its number. A bit (1 << tag) of `given` for each member that has a meaning.
 */
struct et_info {
    uint32_t given;
    uint64_t code; /* exact: SVC number, program code, external code, subsystem-identification word, MCIC */
    uint64_t parameter, bear;
    uint32_t io_word;
    uint16_t cpu_address, asn;
    uint8_t ilc, flags, dxc; /* flags: enum et_info_flag */
};

/* What the units reach outside. Each may be NULL where the feature is not wanted; `context` is handed back. */
struct et_host {
    void *context;
    uint64_t (*clock)(void *context, unsigned cpu, enum et_clock clock); /* ticks of the clock, unshifted */
    uint64_t (*instructions)(void *context, unsigned cpu);               /* retired, for DRAIN */
    void (*attention)(void *context, unsigned cpu, bool wanted);         /* look at the next boundary: et_boundary() */
    /* Bytes of the container in order. 0, or a negative errno: output ends, and et_machine_error() tells. NULL: in
     * memory only. */
    int (*write)(void *context, const uint8_t *bytes, size_t size);
    /* Real storage of a CPU, for the guest ring and DIAGNOSE: false when it is not all there. */
    bool (*fetch)(void *context, unsigned cpu, uint64_t real, void *bytes, size_t size);
    bool (*store)(void *context, unsigned cpu, uint64_t real, const void *bytes, size_t size);
    void (*alert)(void *context, unsigned cpu);                  /* measurement alert, parameter bit 28 */
    bool (*mode)(void *context, unsigned cpu, const char *name); /* rule `mode'; false: no such mode */
    void (*stop)(void *context, unsigned cpu, const char *rule); /* rule `stop' */
    void (*stall)(void *context, unsigned cpu);                  /* overflow=stall and a full buffer: let it drain */
};

/* A machine with `cpus` CPU addresses (1-64); every CPU's unit exists from the beginning, with reset configuration and
   output off. NULL: no memory. */
struct et_machine *et_machine_new(unsigned cpus, const struct et_host *host, const struct et_limits *limits);
void et_machine_free(struct et_machine *machine);
/* Unit of a CPU; with ET_SOURCE_MACHINE that of floating requests (more than one CPU), which is configured like the
   others and asks the host about CPU 0. NULL: there is none. */
struct et_cpu *et_machine_cpu(struct et_machine *machine, unsigned cpu);

/* ---- what happened ------------------------------------------------------------------------------------------- */

/* A PSW swap is complete. `isc`: for ET_IO, else 0. */
void et_entry(struct et_cpu *cpu, enum et_class class, uint64_t number_code, struct et_psw old, struct et_psw new_psw,
              const struct et_info *info);
/* LPSW, LPSWE, LPSWEY, RP or PR has completed. */
void et_reload(struct et_cpu *cpu, enum et_insn insn, struct et_psw loaded);
/* The CPU looked for interruptions and took none, with `next` about to be executed (or waited with). Only while
   attention is wanted. */
void et_boundary(struct et_cpu *cpu, struct et_psw next);
/* A request became pending, or was withdrawn untaken. cpu -1: floating. */
void et_request(struct et_machine *machine, int cpu, enum et_class class, uint64_t number_code,
                const struct et_info *info, bool withdrawn);
/* TEST PENDING INTERRUPTION with condition code 1. */
void et_tpi(struct et_cpu *cpu, unsigned isc, uint32_t ssid);
/* enum et_state_code of wire.h: wait, stop, reset, ... */
void et_state(struct et_cpu *cpu, unsigned code);
/* MARK with this value into the stream. */
void et_mark(struct et_cpu *cpu, uint64_t value);

/* ---- configuration and control --------------------------------------------------------------------------------- */

enum et_by { ET_BY_START, ET_BY_CONSOLE, ET_BY_GUEST }; /* LOCK, ALWAYS and GUEST know whom they refuse */

/* A register; ETST as it is now, 0 where there is none. */
uint64_t et_read(const struct et_cpu *cpu, unsigned index);
/* Write one register. NULL, or why it is refused. */
const char *et_write(struct et_cpu *cpu, unsigned index, uint64_t value, enum et_by by);
/* Write all registers at once (what et_config_key() made); the same checks. */
const char *et_configure(struct et_cpu *cpu, const struct et_config *config, enum et_by by);
/* All of them but ETST. */
const struct et_config *et_configuration(const struct et_cpu *cpu);
/* On begins with SYNC. Reading: STATE 10 follows where the stream had begun before and was switched off (STATE 9); the
   first SYNC of a stream says by itself that output is on. */
const char *et_output(struct et_cpu *cpu, bool on, enum et_by by);
void et_flush(struct et_cpu *cpu); /* release what is held, SYNC, and hand all to the sink */
/* The end: held EXITs, END of every stream, everything to the sink. Returns 0 or the negative errno of a write. */
int et_finish(struct et_machine *machine);
int et_machine_error(const struct et_machine *machine); /* negative errno of the first write that failed, or 0 */
/* host.write leads to another file from now on, or (not `present`) nowhere; at first it is there when it is not NULL.
   To be called while the file before can still be written: its streams end there as by et_finish(). What waits in
   memory goes to the first file that comes. Units that are on go on with SYNC. Returns 0 or the negative errno of a
   write. */
int et_sink(struct et_machine *machine, bool present);
/* A chunk of another kind (enum et_chunk of wire.h: metadata, ...) into the same container, whole. */
int et_chunk(struct et_machine *machine, unsigned source, unsigned kind, const void *bytes, size_t size);
/* All that waits in the buffers, from the first SYNC of each stream on, as a container of its own; it stays there. With
   a sink and neither drain nor overflow=wrap nothing waits. Returns 0 or the negative errno of a write. */
int et_dump(struct et_machine *machine, int (*write)(void *context, const uint8_t *bytes, size_t size), void *context);

struct et_accounts {
    uint64_t detected, filtered, emitted, lost; /* detected = filtered + emitted + lost (+ 1 while an EXIT is held) */
    uint64_t reloads_in_normal, reloads_in_handler;
};
/* Of one unit, since it was made. */
void et_accounts(const struct et_cpu *cpu, struct et_accounts *accounts);

/* Exact counters of a number, kept whether or not anything is put out. Times in ticks of the trace clock, unshifted. */
struct et_count {
    uint64_t entries, exits, returns, tail_chains, late_arrivals;
    uint64_t gross, self, gross_max, self_max;
    uint64_t latencies, latency, latency_max; /* entries whose request came at a known time, and how long they waited */
};
/* Of a number below ET_NUMBERS. The pointer stays good as long as the unit. */
const struct et_count *et_count(const struct et_cpu *cpu, unsigned en);
void et_counts_reset(struct et_cpu *cpu);

struct et_frame_view {
    uint16_t en, interrupted;
    struct et_psw old;
    uint64_t since; /* trace clock at ENTRY */
};
/* Open frames; the number of the handler that runs, 0 for none. */
unsigned et_depth(const struct et_cpu *cpu);
unsigned et_current(const struct et_cpu *cpu);
/* Frame 0 is the innermost. */
bool et_frame(const struct et_cpu *cpu, unsigned index, struct et_frame_view *view);

/* Bytes that wait in the buffer, oldest first, taken out as far as `size` goes: DIAGNOSE 10, `et dump'. */
size_t et_buffer_take(struct et_cpu *cpu, uint8_t *bytes, size_t size);
size_t et_buffer_look(const struct et_cpu *cpu, uint8_t *bytes, size_t size); /* the same, left there */

/* ---- listening in ------------------------------------------------------------------------------------------------ */

/* Someone in the same process who hears what units put out: the on-line analyser, a live display. */
struct et_listener {
    void *context;
    /* Whole events of a unit's event stream (timing: of its timing stream) as they go into the buffer. */
    void (*put)(void *context, struct et_cpu *cpu, bool timing, const uint8_t *bytes, size_t size);
    /* The hook is through that made them: everything may be called now. May be NULL. */
    void (*through)(void *context, struct et_cpu *cpu);
};
#define ET_LISTENERS 4u
/* Streams go on with SYNC for the new one. False: there are ET_LISTENERS already. */
bool et_listen(struct et_machine *machine, const struct et_listener *listener);
void et_unlisten(struct et_machine *machine, const void *context);

unsigned et_cpu_source(const struct et_cpu *cpu); /* on the wire: CPU address, ET_SOURCE_MACHINE */
const struct et_host *et_cpu_host(const struct et_cpu *cpu, unsigned *number); /* and the CPU it is asked about */

#endif
