/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of an exception-trace stream: header bytes, flags and check sums that the unit and the decoder share.
   Packets: header (bits 1:0 size, 7:2 kind), payload; bit 0 is the rightmost here, as in the format's description. */
#ifndef ZRI_RI_TRACE_WIRE_H
#define ZRI_RI_TRACE_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum et_header {
    ET_H_OMIT = 0x0d,
    ET_H_FULL = 0x0e,
    ET_H_MERGED = 0x0f,
    ET_H_RED2 = 0x11,
    ET_H_SAME = 0x15,
    ET_H_FIFO = 0x19,
    ET_H_RED = 0x1d,
    ET_H_SIG = 0x22,
    ET_H_INFO = 0x24,
    ET_H_ADDR = 0x28,
    ET_H_STATE = 0x2d,
    ET_H_TSD = 0x30,
    ET_H_TSA = 0x34,
    ET_H_CFG = 0x38,
    ET_H_MARK = 0x3c,
    ET_H_CNT = 0x40,
    ET_H_OVF = 0x70,
    ET_H_END = 0x78,
    ET_H_TSS = 0xc0,
    ET_H_TSS_LAST = 0xfe,
    ET_SYNC_END = 0x80
};
#define ET_SYNC_ZEROS 7u    /* at least so many in front of ET_SYNC_END */
#define ET_VERSION    0x10u /* major.minor */

/* FLG of SYNC. */
#define ET_SYNC_FLAGS      0x80u /* always */
#define ET_SYNC_FIGURE     0x01u
#define ET_SYNC_TIMING     0x02u
#define ET_SYNC_AFTER_LOSS 0x04u
#define ET_SYNC_FRAMES     8u /* at most so many open frames are told */

/* Kinds of event (FN). */
enum et_fn { ET_FN_MERGED, ET_FN_ENTRY, ET_FN_EXIT, ET_FN_RETURN };

/* The flag byte. */
#define ET_P_LA          0x80u
#define ET_P_TC          0x40u
#define ET_P_FN(fn)      ((unsigned)(fn) << 4)
#define ET_P_FRC         0x08u
#define ET_P_EN8         0x01u
#define ET_SIG_WITHDRAWN 0x80u

/* Tags of INFO. */
enum et_info_tag {
    ET_INFO_CODE = 1,
    ET_INFO_ILC,
    ET_INFO_PARAMETER,
    ET_INFO_CPU_ADDRESS,
    ET_INFO_IO_WORD,
    ET_INFO_FLAGS,
    ET_INFO_DXC,
    ET_INFO_DEPTH,
    ET_INFO_ASN,
    ET_INFO_BEAR
};
enum et_info_flag {
    ET_IF_EARLY_PSW = 1,
    ET_IF_TPI = 2,
    ET_IF_FROM_WAIT = 4,
    ET_IF_PER = 8,
    ET_IF_TX_ABORT = 16,
    ET_IF_PROBLEM = 32 /* problem state was interrupted: in a full stream (ETCR.DS) only, for the downstream filter */
};

enum et_address_kind { ET_ADDR_OLD = 1, ET_ADDR_NEW, ET_ADDR_RETURN };

enum et_state_code {
    ET_ST_WAIT = 1, /* enabled wait entered */
    ET_ST_WAIT_END,
    ET_ST_DISABLED_WAIT,
    ET_ST_STOPPED,
    ET_ST_STARTED,
    ET_ST_RESET, /* all frames are gone */
    ET_ST_IPL,
    ET_ST_FRAME_DROPPED, /* the oldest */
    ET_ST_OFF,
    ET_ST_ON,
    ET_ST_REFUSED,
    ET_ST_GUEST_CONFIGURED,
    ET_ST_TOD_CHANGED
};

/* Container. */
#define ET_FILE_HEADER  16u
#define ET_CHUNK_HEADER 8u
#define ET_CHUNK_MAGIC  0x5a43u /* its first two bytes */
enum et_chunk { ET_CHUNK_EVENTS, ET_CHUNK_TIMING, ET_CHUNK_METADATA, ET_CHUNK_RI, ET_CHUNK_COUNTERS };
#define ET_SOURCE_MACHINE 255u /* floating requests */

#define ET_LEB_MAX 10u /* bytes of the longest number */

/* Append `value` in the shortest form; returns the bytes written (1-10). */
unsigned et_leb_put(uint8_t *bytes, uint64_t value);
/* Read a number from `size` bytes. Returns the bytes used; 0: more bytes are needed; -1: longer than 10 bytes, beyond
   64 bits or not the shortest form. */
int et_leb_get(const uint8_t *bytes, size_t size, uint64_t *value);

static inline uint64_t et_zigzag(uint64_t difference) { return difference << 1 ^ -(difference >> 63); }
static inline uint64_t et_unzigzag(uint64_t value) { return value >> 1 ^ -(value & 1); }

#define ET_CRC16_INIT 0xffffu
/* CRC-8: polynomial 07, begins with 0; CRC-16: polynomial 1021, begins with ET_CRC16_INIT; neither reflected. */
uint8_t et_crc8(uint8_t crc, const uint8_t *bytes, size_t size);
uint16_t et_crc16(uint16_t crc, const uint8_t *bytes, size_t size);

#endif
