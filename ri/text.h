/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation in words: controls, records and groups for people (lines) and for programs (JSON facts). */
#ifndef ZRI_RI_TEXT_H
#define ZRI_RI_TEXT_H

#include "ri/ri.h"

#define RI_LINE 256 /* no line below is longer, NUL included */

/* A fact: name, value, and how many hexadecimal digits show it in full (0: a plain decimal number or flag). */
typedef void (*ri_fact)(void *context, const char *name, uint64_t value, unsigned digits);
/* The same, with words for what the name and this value mean. */
typedef void (*ri_meaning)(void *context, const char *name, uint64_t value, unsigned digits, const char *words);

/* "call", "begin" ... of byte 0; NULL when it is no record type. */
const char *ri_type_name(unsigned type);

/* The fields of the controls with the names of the specification (RCA, V ... RSIC). */
void ri_controls_each(const struct ri_controls *controls, ri_meaning field, void *context);
/* Set a control by its name, upper or lower case ("RCA", "sf", "Qs"). false: no such control, or the value is too
   large for it. */
bool ri_controls_set(struct ri_controls *controls, const char *name, uint64_t value);
/* Words for what RI is doing now: "off", "active", "halted", "stopped (buffer full)". */
const char *ri_state_name(const struct ri *ri);

/* One record from 16 bytes in storage. */
struct ri_record ri_record_from(const uint8_t bytes[16]);
/* Its type (byte 0): RI_TYPE_..., or what is none. */
static inline unsigned ri_record_type(struct ri_record record) { return (unsigned)(record.hi >> 56); }
/* Its fields with the names of the specification (IA, W, TGT ...). */
void ri_record_facts(struct ri_record record, ri_fact fact, void *context);
/* The addresses in a record that symbols can name: of its instruction (IA), of a branch's target (TGT). */
struct ri_places {
    uint64_t ia, target;
    bool has_ia, has_target;
};
struct ri_places ri_record_places(struct ri_record record);
/* Names of the fields of all record types, each once: the one with a number from 0; NULL beyond the last. */
const char *ri_record_field(unsigned number);
/* One line; `size` at least RI_LINE never cuts. */
void ri_record_text(struct ri_record record, char *text, size_t size);
/* One JSON object: {"type":"call","IA":"1001C",...}; as snprintf. */
size_t ri_record_json(struct ri_record record, char *text, size_t size);

/* A program buffer: `bytes` of it beginning at ROA, which stands at `address`; the begin record tells how much is in
   it. Calls back for each record of the groups in it: group number from 1, address of the record. Returns how many
   groups there were; 0 when no begin record is there. */
unsigned ri_buffer_each(const uint8_t *bytes, size_t size, uint64_t address,
                        void (*each)(void *context, unsigned group, uint64_t address, struct ri_record record),
                        void *context);

/* Why a sample instruction was or would be reported: words for a line of the report-control table (1-11). */
const char *ri_report_line_text(unsigned line);

#endif
