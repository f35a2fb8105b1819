/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a device is to the channel subsystem, and what the channel subsystem gives a device: the only header that the
   file of a device needs besides its own. A device is attached at a device number (emu/dev/css/css.h), is asked to
   carry out one command at a time, and moves its data through a mover that knows about counts, data chaining, indirect
   addressing and protection. PoP chapters 13 to 17. */
#ifndef ZRI_EMU_DEV_CSS_CHANNEL_H
#define ZRI_EMU_DEV_CSS_CHANNEL_H

#include "base/bits.h"
#include "emu/state/fields.h"
#include <stddef.h>

struct machine;
struct channel_device;
struct channel_io;
struct pollfd;
struct image;

/* Device status, as command() returns it. */
enum {
    CHANNEL_ATTENTION = 0x80,
    CHANNEL_STATUS_MODIFIER = 0x40, /* with device end: command chaining leaves out one CCW */
    CHANNEL_CONTROL_UNIT_END = 0x20,
    CHANNEL_BUSY = 0x10,
    CHANNEL_END = 0x08,
    CHANNEL_DEVICE_END = 0x04,
    CHANNEL_UNIT_CHECK = 0x02,
    CHANNEL_UNIT_EXCEPTION = 0x01,
    CHANNEL_GOOD = CHANNEL_END | CHANNEL_DEVICE_END,
    /* No status yet: the device has not what the command asks for (typed input ...), and nothing was moved. It calls
       channel_again() when it has, and the command is then given to it once more. */
    CHANNEL_WAITS = 0x100,
};

/* Bits of sense byte 0. */
enum {
    SENSE_COMMAND_REJECT = 0x80,
    SENSE_INTERVENTION_REQUIRED = 0x40,
    SENSE_BUS_OUT_CHECK = 0x20,
    SENSE_EQUIPMENT_CHECK = 0x10,
    SENSE_DATA_CHECK = 0x08,
    SENSE_OVERRUN = 0x04,
};

/* Time is counted in TOD units of the machine's time, which the host's has no part in. */
#define CHANNEL_MICROSECOND CPU_TOD_MICROSECOND

/* A kind of device: a constant table. Functions marked * may be NULL. */
struct channel_type {
    const char *name;      /* as the operator writes it: "3505" */
    const char *arguments; /* usage: "FILE... [ascii|ebcdic] ..." */
    const char *help;      /* one line */
    uint16_t control_unit_type, device_type;
    uint8_t control_unit_model, device_model;
    uint8_t sense_length; /* bytes of sense information, 1 to 32 */
    uint8_t path_type;    /* channel-path type of CHSC X'0002'; 0: the ordinary one */
    /* * Make device->own out of the operator's words; may change device->identity. 0, or a negative errno with a
       sentence in error[size]. */
    int (*open)(struct channel_device *device, unsigned count, char **words, char *error, size_t size);
    void (*close)(struct channel_device *device); /* * ends device->own (which may be NULL after a failed open) */
    /* * Why the device cannot be opened with other words just now, half a sentence with what to do; NULL: it can. */
    const char *(*held)(const struct channel_device *device);
    /* * System reset, clear and halt functions: nothing is going on any more. `system`: the first of these. */
    void (*reset)(struct channel_device *device, bool system);
    void (*disabled)(struct channel_device *device); /* * the guest has disabled the subchannel */
    /* Carry out one command; its data go through `io`. Returns device status. With unit check device->sense was set.
       What it does not know it gives to channel_command(). */
    unsigned (*command)(struct channel_device *device, uint8_t command, struct channel_io *io);
    void (*timer)(struct channel_device *device); /* * the time set by channel_timer() has come */
    /* * A line was typed for this device (console command `input DEVNO TEXT`, or standard input). UTF-8 without line
       end. False: not now. With text NULL: only tell whether the guest listens. */
    bool (*line)(struct channel_device *device, const char *text);
    /* * Descriptors of the host that are to be looked at between two slices: puts at most `room` of them into fds, and
       shortens *timeout_ms. Returns how many. Then polled() is told what was seen, also when that is nothing. */
    unsigned (*poll)(struct channel_device *device, struct pollfd *fds, unsigned room, uint32_t *timeout_ms);
    void (*polled)(struct channel_device *device, const struct pollfd *fds, unsigned count);
    /* * A network frame that came before comes once more, between two instructions. */
    void (*frame)(struct channel_device *device, const uint8_t *bytes, size_t length);
    struct image *(*image)(struct channel_device *device); /* * a disk: what DIAGNOSE X'250' reads and writes */
    bool keyboard;                                         /* has an attention key: console command `i` */
    void (*describe)(const struct channel_device *device, char *text, size_t size);     /* * for `devlist` */
    void (*fields)(struct channel_device *device, const struct channel_fields *fields); /* * snapshot of device->own */
};

/* In a table of that kind: types and models of control unit and device, as SENSE ID tells them, and bytes of sense. */
#define CHANNEL_UNIT(unit, unit_model, type, model, sense)                                                             \
    .control_unit_type = unit, .control_unit_model = unit_model, .device_type = type, .device_model = model,           \
    .sense_length = sense

/* The environment of DIAGNOSE X'250' for a device, from the function that initializes it until the one that removes it,
 * or a reset. */
struct block_io {
    uint32_t block_size; /* bytes; 0: there is none */
    int64_t offset;      /* of block 1 from the first block of the disk */
};

struct channel_device {
    const struct channel_type *type;
    struct machine *machine;
    uint16_t number; /* device number */
    uint8_t set;     /* subchannel set 0-3 */
    uint16_t subchannel;
    uint8_t identity[16]; /* sense-ID bytes: X'FF', control unit type, model, device type, model, 0; then CIWs */
    uint8_t identity_length;
    uint8_t sense[32];   /* set by the device with unit check; cleared by the channel subsystem */
    bool private_medium; /* nothing is written to files of the host: snapshot mode */
    struct block_io block_io;
    unsigned polled; /* descriptors of the current look at the host */
    void *own;
};

/* ---- for command() --------------------------------------------------------------------------------------------- */

/* Input (read, sense commands): `length` bytes from the device go to storage. Returns how many found a place; if not
   all, the count was exhausted (incorrect length is then noted) or a check ended the program (channel_failed()). */
size_t channel_store(struct channel_io *io, const void *from, size_t length);
/* Output (write, control commands): the device takes `length` bytes. Returns how many there were; fewer is noted as
   incorrect length. */
size_t channel_fetch(struct channel_io *io, void *to, size_t length);
/* The same for a device that takes at most `length` and is content with less. */
size_t channel_fetch_some(struct channel_io *io, void *to, size_t length);
/* Bytes left of the count of the current CCW; data chaining may bring more. */
size_t channel_left(const struct channel_io *io);
/* The data of the command begin anew at their first byte, for a device that answers where it read. False: data chaining
   has left that place, or a check ended the program. */
bool channel_rewind(struct channel_io *io) MUST_USE;
/* The channel ended the operation by a program, protection or chaining check: more data will not move. */
bool channel_failed(const struct channel_io *io);
/* True when this is the first command of a start function. */
bool channel_first(const struct channel_io *io);

/* Unit check with these bits in sense byte 0: returns `status` | CHANNEL_UNIT_CHECK. */
unsigned channel_check(struct channel_device *device, unsigned status, uint8_t sense0);
/* Commands that all devices have: X'03' no-operation, X'04' sense, X'E4' sense ID. Command reject for others. */
unsigned channel_command(struct channel_device *device, uint8_t command, struct channel_io *io);

/* ---- at any time ----------------------------------------------------------------------------------------------- */

/* Give the command that waits (CHANNEL_WAITS) to the device again. False: none does. */
bool channel_again(struct channel_device *device);
/* The guest has enabled the subchannel. */
bool channel_enabled(const struct channel_device *device);
/* Status that no command asked for: attention, device end. It becomes pending when the subchannel is idle. */
void channel_attention(struct channel_device *device, unsigned status);
/* Call timer() after so many instructions. One time for each device; 0: never mind. */
void channel_timer(struct channel_device *device, uint64_t instructions);

/* Adapter interruption for an interruption subclass (0-7), which stays pending until it is taken. */
void channel_adapter_interruption(struct machine *machine, unsigned isc);

/* Absolute storage by a device's own accesses (queues of adapters, indicators): no key is looked at, reference and
   change bits are set, decoded code is dropped. False: not all of it is in storage, and nothing was moved. */
bool channel_storage_fetch(struct machine *machine, uint64_t absolute, void *to, size_t length) MUST_USE;
bool channel_storage_store(struct machine *machine, uint64_t absolute, const void *from, size_t length) MUST_USE;
/* Set a bit in a byte of absolute storage as one interlocked update. Returns the byte as it was, -1: not in storage. */
int channel_storage_or(struct machine *machine, uint64_t absolute, uint8_t bits) MUST_USE;

/* The device behind a subsystem-identification word (X'0001nnnn' with the set in bits 13-14), NULL: none. */
struct channel_device *channel_find(struct machine *machine, uint32_t subsystem_id);
/* An operator's message about a device: `device 0:0120: TEXT`. */
void channel_message(const struct channel_device *device, const char *text);

#endif
