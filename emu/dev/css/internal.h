/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the channel subsystem only. */
#ifndef ZRI_EMU_DEV_CSS_INTERNAL_H
#define ZRI_EMU_DEV_CSS_INTERNAL_H

#include "cpu/storage/access.h"
#include "emu/dev/css/css.h"

/* PMCW word 1, its left half. */
#define PMCW_ISC_SHIFT      11
#define PMCW_ENABLED        0x0080u
#define PMCW_LIMIT_MODE     0x0060u
#define PMCW_LIMIT_FROM     0x0020u /* data addresses are not below the limit */
#define PMCW_LIMIT_BELOW    0x0040u
#define PMCW_VALID          0x0001u
#define PMCW_CHANGEABLE     0x38fcu
#define PMCW_MEASURED       0x0010u     /* the measurement block is updated */
#define PMCW_RESERVED       0xc300u     /* bits 0, 1, 6 and 7 */
#define PMCW_CONCURRENT     0x00000001u /* word 6: concurrent sense */
#define PMCW_WORD6_RESERVED 0xfffffffeu /* measurement-block format and extended measurement are not offered */

/* ORB word 1, which is SCSW word 0 too as far as bit 12. */
#define ORB_KEY          0xf0000000u
#define ORB_SUSPEND      BIT32(4)
#define ORB_FORMAT1      BIT32(8)
#define ORB_INITIAL      BIT32(10)
#define ORB_LIMIT        BIT32(11)
#define ORB_NO_SUSPENDED BIT32(12)
#define ORB_FORMAT2_IDAW BIT32(14)
#define ORB_IDAW_2K      BIT32(15)
#define ORB_SHORT        BIT32(24) /* incorrect-length suppression */
#define ORB_MIDAW        BIT32(25)
#define ORB_TO_SCSW      0xf8f80000u
#define ORB_RESERVED     (BIT32(13) | 0x3eu)

/* SCSW word 0. */
#define SCSW_CC3            (BIT32(6) | BIT32(7))
#define SCSW_ZERO_CC        BIT32(13)
#define SCSW_EXTENDED       BIT32(14)
#define SCSW_NO_PATH        BIT32(15)
#define SCSW_FUNCTION       0x7000u
#define SCSW_START          0x4000u
#define SCSW_HALT           0x2000u
#define SCSW_CLEAR          0x1000u
#define SCSW_ACTIVITY       0x0fe0u
#define SCSW_RESUME_PENDING 0x0800u
#define SCSW_START_PENDING  0x0400u
#define SCSW_HALT_PENDING   0x0200u
#define SCSW_CLEAR_PENDING  0x0100u
#define SCSW_ACTIVE         0x0080u
#define SCSW_DEVICE_ACTIVE  0x0040u
#define SCSW_SUSPENDED      0x0020u
#define SCSW_STATUS         0x001fu
#define SCSW_ALERT          0x0010u
#define SCSW_INTERMEDIATE   0x0008u
#define SCSW_PRIMARY        0x0004u
#define SCSW_SECONDARY      0x0002u
#define SCSW_PENDING        0x0001u

/* Subchannel status. */
#define CHANNEL_PCI              0x80
#define CHANNEL_INCORRECT_LENGTH 0x40
#define CHANNEL_PROGRAM_CHECK    0x20
#define CHANNEL_PROTECTION_CHECK 0x10

/* CCW flags. */
#define CCW_CHAIN_DATA 0x80
#define CCW_CHAIN      0x40
#define CCW_SHORT      0x20
#define CCW_SKIP       0x10
#define CCW_PCI        0x08
#define CCW_INDIRECT   0x04
#define CCW_SUSPEND    0x02
#define CCW_MODIFIED   0x01

/* Channel-report words. */
#define CRW_SOLICITED   BIT32(1)
#define CRW_OVERFLOW    BIT32(2)
#define CRW_CHAINED     BIT32(3)
#define CRW_SUBCHANNEL  0x03000000u
#define CRW_PATH        0x04000000u
#define CRW_INITIALIZED 0x00040000u /* installed parameters initialized */
#define CRW_PATH_RESET  0x00020000u
#define CRW_QUEUE       64

/* Where the work on a start function is. */
enum phase {
    PHASE_IDLE,
    PHASE_FETCH,  /* when due: fetch a CCW and give it to the device */
    PHASE_WAITS,  /* the device has the command and waits */
    PHASE_AGAIN,  /* when due: give the same command to the device */
    PHASE_ENDING, /* when due: the command ends with `ending` */
};

struct ccw {
    uint8_t command, flags;
    uint16_t count;
    uint64_t address;
};

struct subchannel {
    struct channel_device *device; /* NULL: not valid */
    char *words;                   /* as the operator wrote them: "3505,deck" */
    uint16_t number;
    uint8_t set;
    /* PMCW */
    uint32_t parameter, word6;
    uint16_t flags, block_index;
    uint8_t lpm, pnom, lpum, pim, pom, pam, path;
    /* SCSW */
    uint32_t scsw;
    uint32_t ccw_address;
    uint8_t device_status, status;
    uint16_t count;
    uint8_t sense[32], sense_length; /* concurrent sense */
    /* Interruption */
    bool interruption;
    uint64_t order; /* of the requests, the lowest is the first */
    uint8_t unsolicited;
    /* Channel program */
    uint32_t orb; /* word 1 */
    uint8_t phase;
    bool loads;  /* initial program loading: the first CCW is not in storage */
    bool failed; /* ended by a check */
    bool excess; /* the device had or wanted more data */
    bool moved;  /* data were asked for: not an immediate operation */
    uint8_t previous, command;
    uint8_t ending; /* device status */
    uint16_t left;  /* of the count of the CCW */
    struct ccw ccw;
    uint64_t at;    /* of the current CCW */
    uint64_t next;  /* CCW to be fetched */
    uint64_t due;   /* machine time, instructions; 0: nothing */
    uint64_t timer; /* of the device */
    /* Measurement, machine time: the start function was accepted; its first command was, 0: not yet; what was too short
       to be counted so far */
    uint64_t started, begun, pending_rest, connect_rest;
    /* Place of the data mover */
    uint64_t list;      /* next IDAW or MIDAW */
    uint64_t area;      /* next byte */
    uint32_t area_left; /* bytes there */
    uint32_t area_sum;  /* MIDAW: counts so far */
    bool area_skip, area_last, list_begun;
};

struct css {
    struct machine *machine;
    const struct channel_type *const *types; /* that can be attached, ended by NULL */
    struct subchannel **subchannels[CSS_SETS];
    unsigned count[CSS_SETS];
    bool sets_enabled; /* CHSC X'0031' */
    uint64_t now;      /* of the call that is being served */
    uint64_t orders;
    unsigned requests[8]; /* subchannels with an interruption request, by interruption subclass */
    uint8_t adapter;      /* bit 0x80 >> isc: adapter interruption pending */
    uint32_t address_limit;
    bool measures;          /* SET CHANNEL MONITOR: measurement blocks are updated */
    uint8_t measure_key;    /* with this key */
    uint64_t measure_block; /* the first of them, absolute */
    uint32_t reports[CRW_QUEUE];
    unsigned report_count;
    bool reports_lost;
};

/* From a machine to its channel subsystem, and from there to its CPUs and storage. */
struct css *css_of(struct machine *machine);
struct cpu_system *css_system(struct css *css);
struct storage *css_storage(struct css *css);

/* The subchannel behind the device. */
struct subchannel *css_subchannel(const struct channel_device *device);
/* By set and number, NULL: none. */
struct subchannel *css_subchannel_at(const struct css *css, unsigned set, unsigned number);

/* Times changed: tell the engines when they must look next. */
void css_schedule(struct css *css);
static inline unsigned css_isc(const struct subchannel *s) { return s->flags >> PMCW_ISC_SHIFT & 7; }
/* Make the subchannel status-pending with these status-control bits (SCSW_PENDING is added), and request an
   interruption. */
void css_status(struct css *css, struct subchannel *s, uint32_t control);
/* The interruption request of the subchannel, if any, is taken back. */
void css_withdraw(struct css *css, struct subchannel *s);
/* Present a status that waits, when the subchannel is idle. */
void css_present(struct css *css, struct subchannel *s);
void css_report(struct css *css, uint32_t word);
/* The guest is told that the device has come or gone. */
void css_report_subchannel(struct css *css, const struct subchannel *s);
/* The subchannel as after a subsystem reset. */
void css_reset_subchannel(struct css *css, struct subchannel *s);
/* One more subchannel at the end of a set. NULL: no host memory, or there are too many. */
struct subchannel *css_add_subchannel(struct css *css, unsigned set);
/* The device of a subchannel ends, if there is one. */
void css_end_device(struct subchannel *s);
/* Attach a device to a subchannel that has none; `text` is "TYPE,WORD,..." and is split. As css_attach_text(). */
int css_attach_words(struct css *css, struct subchannel *s, uint16_t number, char *text, char *error, size_t size);
/* What was going on at the device ends without status. */
void css_abort(struct subchannel *s);

/* Start the channel program at `address` with ORB word 1. */
void css_program_start(struct css *css, struct subchannel *s, uint64_t address, uint32_t orb);
/* What is due. */
void css_program_step(struct css *css, struct subchannel *s);

/* The measurement block of a subchannel that is measured: one more start or resume function; the times of one that ends
   or is suspended. */
void css_measure_start(struct css *css, struct subchannel *s);
void css_measure_end(struct css *css, struct subchannel *s);

/* CHANNEL SUBSYSTEM CALL on a command block; the response goes behind it. */
void css_call(struct css *css, uint8_t *block);

#endif
