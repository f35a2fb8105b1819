/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subchannels and their devices: time, interruptions, channel reports. PoP chapters 13, 16 and 17
   (SA22-7832-13). */
#include "cpu/control/interrupt.h"
#include "cpu/state/exceptions.h"
#include "cpu/state/timing.h"
#include "emu/dev/css/internal.h"
#include "emu/dev/image/disk.h"
#include "emu/state/machine.h"
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#define ALL_PATHS   0xff
#define ONE_PATH    0x80
#define MAX_DEVICES 4096u /* of one set */
#define SHORT_DELAY (5 * CHANNEL_MICROSECOND)

struct css *css_of(struct machine *machine) { return machine->css; }
struct cpu_system *css_system(struct css *css) { return &css->machine->sys; }
struct storage *css_storage(struct css *css) { return &css->machine->sys.storage; }

struct css *css_create(struct machine *machine, const struct channel_type *const *types)
{
    struct css *css = calloc(1, sizeof *css);
    if (css) {
        css->machine = machine;
        css->types = types;
    }
    return css;
}

void css_end_device(struct subchannel *s)
{
    if (s->device && s->device->type->close)
        s->device->type->close(s->device);
    free(s->device);
    free(s->words);
    s->device = NULL;
    s->words = NULL;
}

void css_destroy(struct css *css)
{
    for (unsigned set = 0; css && set < CSS_SETS; set++) {
        for (unsigned i = 0; i < css->count[set]; i++) {
            css_end_device(css->subchannels[set][i]);
            free(css->subchannels[set][i]);
        }
        free(css->subchannels[set]);
    }
    free(css);
}

struct subchannel *css_subchannel_at(const struct css *css, unsigned set, unsigned number)
{
    return set < CSS_SETS && number < css->count[set] ? css->subchannels[set][number] : NULL;
}

struct subchannel *css_subchannel(const struct channel_device *device)
{
    return css_subchannel_at(device->machine->css, device->set, device->subchannel);
}

/* ---- time ------------------------------------------------------------------------------------------------------ */

void css_schedule(struct css *css)
{
    uint64_t first = 0;
    for (unsigned set = 0; set < CSS_SETS; set++)
        for (unsigned i = 0; i < css->count[set]; i++) {
            const struct subchannel *s = css->subchannels[set][i];
            if (s->due && (!first || s->due < first))
                first = s->due;
            if (s->timer && (!first || s->timer < first))
                first = s->timer;
        }
    css_system(css)->event_at = first;
}

/* The subchannel for which something is due first, by time, then by set and number. */
static struct subchannel *first_due(struct css *css, uint64_t now)
{
    struct subchannel *found = NULL;
    uint64_t first = now;
    for (unsigned set = 0; set < CSS_SETS; set++)
        for (unsigned i = 0; i < css->count[set]; i++) {
            struct subchannel *s = css->subchannels[set][i];
            uint64_t at = s->due && (!s->timer || s->due <= s->timer) ? s->due : s->timer;
            if (at && (at < first || (!found && at == first))) {
                found = s;
                first = at;
            }
        }
    return found;
}

void css_event(void *context, uint64_t now)
{
    struct css *css = ((struct machine *)context)->css;
    struct subchannel *s;
    css->now = now;
    while ((s = first_due(css, now))) {
        if (s->due && (!s->timer || s->due <= s->timer)) {
            s->due = 0;
            css_program_step(css, s);
        } else {
            s->timer = 0;
            if (s->device && s->device->type->timer)
                s->device->type->timer(s->device);
        }
    }
    css_schedule(css);
}

void css_at(struct machine *machine, struct cpu *cpu) { machine->css->now = cpu_now(cpu); }

/* The host acts between two slices: machine time then. */
static uint64_t time_now(const struct css *css)
{
    uint64_t now = css->machine->sys.now;
    return now > css->now ? now : css->now;
}

bool channel_enabled(const struct channel_device *device) { return css_subchannel(device)->flags & PMCW_ENABLED; }

bool channel_again(struct channel_device *device)
{
    struct subchannel *s = css_subchannel(device);
    if (s->phase != PHASE_WAITS)
        return false;
    s->phase = PHASE_AGAIN;
    s->due = time_now(device->machine->css) + SHORT_DELAY;
    css_schedule(device->machine->css);
    return true;
}

void channel_timer(struct channel_device *device, uint64_t instructions)
{
    css_subchannel(device)->timer = instructions ? time_now(device->machine->css) + instructions : 0;
    css_schedule(device->machine->css);
}

/* ---- status and interruptions ---------------------------------------------------------------------------------- */

/* The interruption that a subchannel has pending, or, NULL, that of an adapter. */
static void words_of(const struct subchannel *s, unsigned isc, uint32_t words[3])
{
    words[0] = s ? 0x00010000u | (uint32_t)s->set << 17 | s->number : 0;
    words[1] = s ? s->parameter : 0;
    words[2] = isc << 27 | (s ? 0 : BIT32(0));
}

/* Exception trace is told of a request. */
static void tell(struct css *css, const struct subchannel *s, unsigned isc, bool withdrawn)
{
    struct cpu_system *sys = css_system(css);
    uint32_t words[3];
    if (LIKELY(!sys->exceptions))
        return;
    words_of(s, isc, words);
    cpu_exceptions_io(sys, words, withdrawn);
}

static void forget_request(struct css *css, struct subchannel *s)
{
    css->requests[css_isc(s)]--;
    s->interruption = false;
}

void css_withdraw(struct css *css, struct subchannel *s)
{
    if (!s->interruption)
        return;
    forget_request(css, s);
    tell(css, s, css_isc(s), true);
}

void css_status(struct css *css, struct subchannel *s, uint32_t control)
{
    s->scsw |= control | SCSW_PENDING;
    if (s->interruption)
        return;
    s->interruption = true;
    s->order = ++css->orders;
    css->requests[css_isc(s)]++;
    tell(css, s, css_isc(s), false);
}

void css_present(struct css *css, struct subchannel *s)
{
    if (!s->unsolicited || !(s->flags & PMCW_ENABLED) || (s->scsw & (SCSW_FUNCTION | SCSW_ACTIVITY | SCSW_STATUS)))
        return;
    s->scsw = 0;
    s->device_status = s->unsolicited;
    s->status = 0;
    s->count = 0;
    s->unsolicited = 0;
    css_status(css, s, SCSW_ALERT);
}

void channel_attention(struct channel_device *device, unsigned status)
{
    struct subchannel *s = css_subchannel(device);
    s->unsolicited |= (uint8_t)status;
    css_present(device->machine->css, s);
}

void channel_adapter_interruption(struct machine *machine, unsigned isc)
{
    const uint8_t bit = (uint8_t)(0x80 >> (isc & 7));
    if (!(machine->css->adapter & bit))
        tell(machine->css, NULL, isc & 7, false);
    machine->css->adapter |= bit;
}

/* The interruption subclasses with a request that control register 6 allows, leftmost bit for subclass 0. */
static unsigned allowed(const struct css *css, const struct cpu *cpu)
{
    unsigned mask = css->adapter, any = 0;
    for (unsigned isc = 0; isc < 8; isc++)
        any |= css->requests[isc];
    for (unsigned isc = 0; UNLIKELY(any) && isc < 8; isc++)
        if (css->requests[isc])
            mask |= 0x80u >> isc;
    return mask & (unsigned)cpu_control_value(cpu->cr[6], CR6_IO_SUBCLASSES);
}

bool css_io_pending(void *machine, struct cpu *cpu) { return allowed(((struct machine *)machine)->css, cpu) != 0; }

bool css_io_take(void *machine, struct cpu *cpu, uint32_t words[3])
{
    struct css *css = ((struct machine *)machine)->css;
    struct subchannel *found = NULL;
    unsigned mask = allowed(css, cpu), isc = 0;
    if (!mask)
        return false;
    while (!(mask & 0x80u >> isc))
        isc++;
    for (unsigned set = 0; css->requests[isc] && set < CSS_SETS; set++)
        for (unsigned i = 0; i < css->count[set]; i++) {
            struct subchannel *s = css->subchannels[set][i];
            if (s->interruption && css_isc(s) == isc && (!found || s->order < found->order))
                found = s;
        }
    words_of(found, isc, words);
    if (found)
        forget_request(css, found);
    else
        css->adapter &= (uint8_t) ~(0x80u >> isc);
    return true;
}

/* ---- channel reports ------------------------------------------------------------------------------------------- */

void css_report(struct css *css, uint32_t word)
{
    if (css->report_count == CRW_QUEUE) {
        css->reports[CRW_QUEUE - 1] |= CRW_OVERFLOW;
        return;
    }
    css->reports[css->report_count++] = word;
    cpu_raise_channel_report(css_system(css));
}

void css_report_subchannel(struct css *css, const struct subchannel *s)
{
    if (s->set && !css->sets_enabled)
        return;
    uint32_t word = CRW_SUBCHANNEL | CRW_INITIALIZED;
    css_report(css, word | (css->sets_enabled ? CRW_CHAINED : 0) | s->number);
    if (css->sets_enabled)
        css_report(css, word | (uint32_t)s->set << 4);
}

/* ---- resets ---------------------------------------------------------------------------------------------------- */

void css_abort(struct subchannel *s)
{
    s->phase = PHASE_IDLE;
    s->due = 0;
    s->scsw &= ~(SCSW_FUNCTION | SCSW_ACTIVITY | SCSW_STATUS);
}

void css_reset_subchannel(struct css *css, struct subchannel *s)
{
    css_withdraw(css, s);
    css_abort(s);
    s->parameter = s->word6 = s->scsw = s->ccw_address = 0;
    s->device_status = s->status = s->sense_length = s->unsolicited = 0;
    s->count = s->block_index = 0;
    s->timer = s->started = s->begun = s->pending_rest = s->connect_rest = 0;
    s->loads = false;
    s->pnom = s->lpum = 0;
    s->flags = s->device ? PMCW_VALID : 0;
    s->pim = s->pam = s->device ? ONE_PATH : 0;
    s->lpm = s->pim;
    s->pom = ALL_PATHS;
    s->path = s->device ? (uint8_t)(s->device->number >> 8) : 0;
    if (s->device) {
        memset(s->device->sense, 0, sizeof s->device->sense);
        s->device->block_io.block_size = 0;
    }
    if (s->device && s->device->type->reset)
        s->device->type->reset(s->device, true);
}

void css_reset(struct css *css)
{
    for (unsigned set = 0; set < CSS_SETS; set++)
        for (unsigned i = 0; i < css->count[set]; i++)
            css_reset_subchannel(css, css->subchannels[set][i]);
    css->sets_enabled = css->reports_lost = false;
    for (unsigned isc = 0; isc < 8; isc++)
        if (css->adapter & 0x80u >> isc)
            tell(css, NULL, isc, true);
    css->adapter = 0;
    css->address_limit = 0;
    css->measures = false;
    css->report_count = 0;
    css_system(css)->block_io_count = 0;
    css_schedule(css);
}

/* ---- operator -------------------------------------------------------------------------------------------------- */

bool css_parse_number(const char *text, unsigned *set, uint16_t *number)
{
    char *end;
    *set = 0;
    if (text[0] >= '0' && text[0] < '0' + CSS_SETS && text[1] == ':') {
        *set = (unsigned)(text[0] - '0');
        text += 2;
    }
    if (!isxdigit((unsigned char)*text))
        return false;
    unsigned long value = strtoul(text, &end, 16);
    *number = (uint16_t)value;
    return *end == 0 && value <= 0xffff;
}

struct channel_device *css_device(const struct css *css, unsigned n)
{
    for (unsigned set = 0; set < CSS_SETS; set++)
        for (unsigned i = 0; i < css->count[set]; i++)
            if (css->subchannels[set][i]->device && n-- == 0)
                return css->subchannels[set][i]->device;
    return NULL;
}

struct channel_device *css_find_number(const struct css *css, unsigned set, uint16_t number)
{
    struct channel_device *d;
    for (unsigned n = 0; (d = css_device(css, n)); n++)
        if (d->set == set && d->number == number)
            return d;
    return NULL;
}

struct channel_device *channel_find(struct machine *machine, uint32_t id)
{
    struct subchannel *s = css_subchannel_at(machine->css, id >> 17 & 3, id & 0xffff);
    return s && (id & 0x00010000u) && !(id & 0xfff80000u) ? s->device : NULL;
}

struct subchannel *css_add_subchannel(struct css *css, unsigned set)
{
    if (css->count[set] == MAX_DEVICES)
        return NULL;
    struct subchannel **more = realloc(css->subchannels[set], (css->count[set] + 1) * sizeof *more);
    if (more)
        css->subchannels[set] = more;
    struct subchannel *s = more ? calloc(1, sizeof *s) : NULL;
    if (s) {
        s->set = (uint8_t)set;
        s->number = (uint16_t)css->count[set];
        more[css->count[set]++] = s;
        css_reset_subchannel(css, s);
    }
    return s;
}

void channel_message(const struct channel_device *device, const char *text)
{
    const struct machine_host *host = &device->machine->host;
    char line[480];
    snprintf(line, sizeof line, "device %u:%04X: %.440s", device->set, device->number, text);
    if (host->message)
        host->message(host->context, line);
}

bool css_line(struct css *css, const char *text)
{
    struct channel_device *d;
    for (unsigned n = 0; (d = css_device(css, n)); n++)
        if (d->type->line && d->type->line(d, NULL))
            return !text || d->type->line(d, text);
    return false;
}

void css_settle(const struct css *css)
{
    struct channel_device *d;
    for (unsigned n = 0; (d = css_device(css, n)); n++)
        if (d->type->image)
            (void)image_settle(d->type->image(d));
}

/* The next device that looks at the host, from *n on; NULL behind the last. */
static struct channel_device *next_polling(const struct css *css, unsigned *n)
{
    struct channel_device *d;
    while ((d = css_device(css, (*n)++)))
        if (d->type->poll)
            return d;
    return NULL;
}

bool css_polls(const struct css *css)
{
    unsigned n = 0;
    return next_polling(css, &n) != NULL;
}

unsigned css_poll(struct css *css, struct pollfd *fds, unsigned room, uint32_t *timeout_ms)
{
    struct channel_device *d;
    unsigned used = 0;
    for (unsigned n = 0; (d = next_polling(css, &n)); used += d->polled)
        d->polled = d->type->poll(d, fds + used, room - used, timeout_ms);
    return used;
}

void css_polled(struct css *css, const struct pollfd *fds)
{
    struct channel_device *d;
    for (unsigned n = 0; (d = next_polling(css, &n)); fds += d->polled)
        d->type->polled(d, fds, d->polled);
}
