/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Channel programs: CCWs, chaining, suspension, ending status. A program goes on by one command at a time, at times
   that are counted in instructions. PoP chapter 15, "Execution of I/O Operations" (SA22-7832-13). */
#include "emu/dev/css/program.h"
#include "emu/state/machine.h"

#define START_DELAY  (5 * CHANNEL_MICROSECOND)
#define CHAIN_DELAY  (CHANNEL_MICROSECOND / 4)
#define COMMAND_TIME (2 * CHANNEL_MICROSECOND)
#define SENSE_ID     0xe4
#define LOAD_LENGTH  24
#define TRANSFER     0x08 /* transfer in channel, right half */

/* ---- CCWs ------------------------------------------------------------------------------------------------------ */

static bool fetch_ccw(struct css *css, struct subchannel *s, uint64_t address, struct ccw *ccw)
{
    uint8_t bytes[8];
    if (address & 7)
        return css_failed(s, CHANNEL_PROGRAM_CHECK);
    if (!css_fetch_control(css, s, address, bytes, sizeof bytes))
        return false;
    ccw->command = bytes[0];
    if (s->orb & ORB_FORMAT1) {
        ccw->flags = bytes[1];
        ccw->count = get16(bytes + 2);
        ccw->address = get32(bytes + 4);
    } else {
        ccw->address = get32(bytes) & 0xffffff;
        ccw->flags = bytes[4];
        ccw->count = get16(bytes + 6);
    }
    return true;
}

/* What PoP allows in a CCW that is not a transfer in channel. */
static bool ccw_valid(const struct subchannel *s, const struct ccw *ccw, bool data_chained)
{
    const bool format1 = s->orb & ORB_FORMAT1;
    const uint8_t flags = ccw->flags;
    if (!data_chained && ((ccw->command & 0x0f) == 0 || (ccw->command & 0x0f) == TRANSFER))
        return false;
    if (ccw->count == 0 && (!format1 || data_chained || (flags & CCW_CHAIN_DATA)))
        return false;
    if ((flags & CCW_MODIFIED) && (!(s->orb & ORB_MIDAW) || (flags & (CCW_INDIRECT | CCW_SKIP))))
        return false;
    if ((flags & CCW_SUSPEND) && (data_chained || !(s->orb & ORB_SUSPEND)))
        return false;
    return !(ccw->address & BIT32(0));
}

/* Make the CCW at s->next the current one, behind a transfer in channel perhaps. `first`: of the program. */
static bool next_ccw(struct css *css, struct subchannel *s, bool first, bool data_chained)
{
    struct ccw ccw;
    uint64_t address = s->next;
    for (bool transferred = false;; transferred = true) {
        s->at = address;
        if (!fetch_ccw(css, s, address, &ccw))
            return false;
        if (s->orb & ORB_FORMAT1 ? ccw.command != TRANSFER : (ccw.command & 0x0f) != TRANSFER)
            break;
        bool zeros = !(s->orb & ORB_FORMAT1) || (!ccw.flags && !ccw.count && !(ccw.address & BIT32(0)));
        if (first || transferred || !zeros)
            return css_failed(s, CHANNEL_PROGRAM_CHECK);
        address = ccw.address;
    }
    if (!ccw_valid(s, &ccw, data_chained))
        return css_failed(s, CHANNEL_PROGRAM_CHECK);
    s->ccw = ccw;
    s->next = s->at + 8;
    css_data_begin(s);
    return true;
}

static void controlled_interruption(struct css *css, struct subchannel *s)
{
    if (!(s->ccw.flags & CCW_PCI) || s->loads)
        return;
    s->status |= CHANNEL_PCI;
    s->ccw_address = (uint32_t)s->at + 8;
    css_status(css, s, SCSW_INTERMEDIATE);
}

bool css_chain_data(struct css *css, struct subchannel *s)
{
    if (!(s->ccw.flags & CCW_CHAIN_DATA) || !next_ccw(css, s, false, true))
        return false;
    controlled_interruption(css, s);
    return true;
}

/* ---- ending ---------------------------------------------------------------------------------------------------- */

/* The program ends: status becomes pending. */
static void finish(struct css *css, struct subchannel *s, uint8_t device_status)
{
    uint32_t control = SCSW_PRIMARY | SCSW_SECONDARY;
    s->phase = PHASE_IDLE;
    s->scsw &= ~SCSW_ACTIVITY;
    s->ccw_address = (uint32_t)s->at + 8;
    s->count = s->left;
    s->device_status = device_status;
    if (s->loads)
        return;
    css_measure_end(css, s);
    if ((s->status & ~CHANNEL_PCI) || (device_status & ~(CHANNEL_GOOD | CHANNEL_STATUS_MODIFIER)))
        control |= SCSW_ALERT;
    if ((device_status & CHANNEL_UNIT_CHECK) && (s->word6 & PMCW_CONCURRENT)) {
        s->scsw |= SCSW_EXTENDED;
        s->sense_length = s->device->type->sense_length;
        memcpy(s->sense, s->device->sense, s->sense_length);
        memset(s->device->sense, 0, sizeof s->device->sense);
    }
    css_status(css, s, control);
}

static bool incorrect_length(const struct subchannel *s)
{
    const uint8_t flags = s->ccw.flags;
    if (!s->moved && (s->ending & (CHANNEL_UNIT_CHECK | CHANNEL_UNIT_EXCEPTION))) /* the command was not begun */
        return false;
    if (flags & CCW_CHAIN_DATA)
        return true;
    if (!s->moved && (!(s->orb & ORB_FORMAT1) || (s->orb & ORB_SHORT)))
        return false;
    return (s->left || s->excess) && !(flags & CCW_SHORT);
}

static void command_ended(struct css *css, struct subchannel *s)
{
    if (!s->failed && incorrect_length(s))
        s->status |= CHANNEL_INCORRECT_LENGTH;
    bool good = (s->ending & ~CHANNEL_STATUS_MODIFIER) == CHANNEL_GOOD && !(s->status & ~CHANNEL_PCI);
    if (!good || (s->ccw.flags & (CCW_CHAIN | CCW_CHAIN_DATA)) != CCW_CHAIN) {
        finish(css, s, s->ending);
        return;
    }
    if (s->ending & CHANNEL_STATUS_MODIFIER)
        s->next += 8;
    s->previous = s->command;
    s->phase = PHASE_FETCH;
    s->due = css->now + CHAIN_DELAY;
}

/* ---- a command ------------------------------------------------------------------------------------------------- */

static void give(struct css *css, struct subchannel *s)
{
    struct channel_io io = {.css = css, .s = s};
    if (s->command != 0x03 && s->command != 0x04)
        memset(s->device->sense, 0, sizeof s->device->sense);
    s->failed = s->excess = s->moved = false;
    css_data_begin(s);
    unsigned status = s->device->type->command(s->device, s->command, &io);
    if (status == CHANNEL_WAITS) {
        s->phase = PHASE_WAITS;
        return;
    }
    s->ending = (uint8_t)status;
    s->phase = PHASE_ENDING;
    s->due = css->now + COMMAND_TIME;
}

static void suspend(struct css *css, struct subchannel *s)
{
    s->next = s->at;
    s->ccw_address = (uint32_t)s->at + 8;
    s->phase = PHASE_IDLE;
    css_measure_end(css, s);
    s->scsw = (s->scsw & ~SCSW_ACTIVITY) | SCSW_SUSPENDED;
    if (!(s->orb & ORB_NO_SUSPENDED))
        css_status(css, s, SCSW_INTERMEDIATE);
}

/* No channel path of the ORB can be used: deferred condition code 3. */
static void no_path(struct css *css, struct subchannel *s)
{
    s->phase = PHASE_IDLE;
    s->scsw = (s->scsw & ~SCSW_ACTIVITY) | SCSW_CC3 | SCSW_NO_PATH;
    css_status(css, s, SCSW_ALERT | SCSW_PRIMARY | SCSW_SECONDARY);
}

static void next_command(struct css *css, struct subchannel *s)
{
    const bool first = s->scsw & SCSW_START_PENDING;
    s->left = 0;
    if (first && !(s->orb >> 8 & s->lpm & s->pam)) {
        no_path(css, s);
        return;
    }
    s->lpum = s->pim;
    if (first && s->loads) {
        s->ccw = (struct ccw){.command = 0x02, .flags = CCW_CHAIN | CCW_SHORT, .count = LOAD_LENGTH};
        s->at = 0;
        s->next = 8;
        css_data_begin(s);
    } else if (!next_ccw(css, s, first, false)) {
        finish(css, s, 0);
        return;
    }
    if (s->ccw.flags & CCW_SUSPEND) {
        suspend(css, s);
        return;
    }
    s->scsw =
        (s->scsw & ~(SCSW_START_PENDING | SCSW_RESUME_PENDING | SCSW_SUSPENDED)) | SCSW_ACTIVE | SCSW_DEVICE_ACTIVE;
    s->command = s->ccw.command;
    if (!s->begun)
        s->begun = css->now;
    controlled_interruption(css, s);
    if (first && (s->orb & ORB_INITIAL)) {
        s->scsw |= SCSW_ZERO_CC;
        css_status(css, s, SCSW_INTERMEDIATE);
    }
    give(css, s);
}

void css_program_start(struct css *css, struct subchannel *s, uint64_t address, uint32_t orb)
{
    s->orb = orb;
    s->scsw = (orb & ORB_TO_SCSW) | SCSW_START | SCSW_START_PENDING;
    s->status = s->device_status = s->previous = 0;
    s->count = 0;
    s->failed = false;
    s->ccw_address = (uint32_t)address;
    s->at = s->next = address;
    s->phase = PHASE_FETCH;
    s->due = css->now + START_DELAY;
    css_measure_start(css, s);
}

void css_program_step(struct css *css, struct subchannel *s)
{
    switch (s->phase) {
    case PHASE_FETCH:
        next_command(css, s);
        break;
    case PHASE_AGAIN:
        give(css, s);
        break;
    case PHASE_ENDING:
        command_ended(css, s);
        break;
    default:
        break;
    }
}

/* ---- for devices ----------------------------------------------------------------------------------------------- */

size_t channel_left(const struct channel_io *io) { return io->s->left; }
bool channel_failed(const struct channel_io *io) { return io->s->failed; }
bool channel_first(const struct channel_io *io) { return io->s->previous == 0; }

unsigned channel_check(struct channel_device *device, unsigned status, uint8_t sense0)
{
    memset(device->sense, 0, sizeof device->sense);
    device->sense[0] = sense0;
    return status | CHANNEL_UNIT_CHECK;
}

unsigned channel_command(struct channel_device *device, uint8_t command, struct channel_io *io)
{
    switch (command) {
    case 0x03:
        return CHANNEL_GOOD;
    case 0x04:
        channel_store(io, device->sense, device->type->sense_length);
        memset(device->sense, 0, sizeof device->sense);
        return CHANNEL_GOOD;
    case SENSE_ID:
        channel_store(io, device->identity, device->identity_length);
        return CHANNEL_GOOD;
    default:
        return channel_check(device, CHANNEL_GOOD, SENSE_COMMAND_REJECT);
    }
}
