/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way out of a trace unit: buffer, drain rate, what happens when it overflows (specification 4.2, ETBF). */
#include "ri/trace/unit.h"

/* Something takes bytes. */
static bool usable(const struct et_cpu *cpu) { return et_sink_usable(&cpu->machine->sink) || cpu->guest.used; }

/* Bytes are out. */
static void deliver(struct et_cpu *cpu, unsigned stream, const uint8_t *bytes, size_t size)
{
    struct et_machine *m = cpu->machine;
    if (m->sink.present)
        et_stage_put(&cpu->stage[stream], &m->sink, bytes, size);
    if (cpu->guest.used && stream == EVENT_STREAM &&
        !et_guest_put(&cpu->guest, &m->host, cpu->number, bytes, size, cpu->encoder.lost,
                      (unsigned)ET_GET(&cpu->config, ETMS, GALERT)))
        cpu->config.reg[ETGL] = 0;
}

/* The oldest `size` bytes of a ring, or all, go to the sink. Returns how many. */
static size_t leave(struct et_cpu *cpu, unsigned stream, size_t size)
{
    struct et_buffer *ring = &cpu->ring[stream];
    size_t left = size;
    while (left && ring->fill) {
        const uint8_t *bytes;
        size_t span = et_buffer_span(ring, &bytes);
        if (span > left)
            span = left;
        deliver(cpu, stream, bytes, span);
        et_buffer_drop(ring, span);
        left -= span;
    }
    return size - left;
}

/* What has left at the rate of the exit since the last time. An exit that had nothing to do saves nothing up. */
static void drain(struct et_cpu *cpu)
{
    const struct et_host *host = &cpu->machine->host;
    if (!cpu->drain || cpu->wrap || !usable(cpu))
        return;
    const uint64_t now = host->instructions(host->context, cpu->number);
    cpu->credit += (now - cpu->drained_at) * cpu->drain;
    cpu->drained_at = now;
    size_t bytes = cpu->credit / 1024;
    cpu->credit %= 1024;
    bytes -= leave(cpu, EVENT_STREAM, bytes);
    leave(cpu, TIMING_STREAM, bytes);
    if (!cpu->ring[EVENT_STREAM].fill && !cpu->ring[TIMING_STREAM].fill)
        cpu->credit = 0;
}

static bool fits(const struct et_cpu *cpu, size_t events, size_t timing)
{
    return et_buffer_room(&cpu->ring[EVENT_STREAM], events) &&
           (!timing || et_buffer_room(&cpu->ring[TIMING_STREAM], timing));
}

/* The CPU stands still until there is room: no instructions are carried out in that time, so nothing else changes. */
static bool stall(struct et_cpu *cpu, size_t events, size_t timing)
{
    const struct et_host *host = &cpu->machine->host;
    cpu->stalled = true;
    if (host->stall)
        host->stall(host->context, cpu->number);
    while (!fits(cpu, events, timing) && usable(cpu))
        if (!leave(cpu, EVENT_STREAM, events) && !leave(cpu, TIMING_STREAM, timing))
            break;
    return fits(cpu, events, timing);
}

bool et_exit_room(void *unit, size_t events, size_t timing)
{
    struct et_cpu *cpu = unit;
    cpu->stalled = false;
    if (cpu->direct)
        return usable(cpu);
    if (cpu->wrap)
        return events <= cpu->ring[EVENT_STREAM].whole && timing <= cpu->ring[TIMING_STREAM].whole;
    drain(cpu);
    return fits(cpu, events, timing) || (cpu->stall && stall(cpu, events, timing));
}

static void put(struct et_cpu *cpu, unsigned stream, const uint8_t *bytes, size_t size)
{
    if (cpu->direct)
        deliver(cpu, stream, bytes, size);
    else if (cpu->wrap)
        et_buffer_wrap(&cpu->ring[stream], bytes, size);
    else
        et_buffer_put(&cpu->ring[stream], bytes, size);
}

static void told(struct et_cpu *cpu, bool timing, const uint8_t *bytes, size_t size)
{
    struct et_machine *m = cpu->machine;
    for (unsigned i = 0; i < m->listeners; i++)
        m->listener[i].put(m->listener[i].context, cpu, timing, bytes, size);
    cpu->heard = true;
}

void et_exit_put(void *unit, const uint8_t *events, size_t size, const uint8_t *timing, size_t timing_size)
{
    struct et_cpu *cpu = unit;
    put(cpu, EVENT_STREAM, events, size);
    if (timing_size)
        put(cpu, TIMING_STREAM, timing, timing_size);
    if (!cpu->machine->listeners)
        return;
    told(cpu, false, events, size);
    if (timing_size)
        told(cpu, true, timing, timing_size);
}

/* A ring whose oldest bytes were overwritten begins inside of a packet: what goes out begins with SYNC. */
static void leave_all(struct et_cpu *cpu, unsigned stream)
{
    struct et_buffer *ring = &cpu->ring[stream];
    if (!usable(cpu))
        return;
    if (ring->overwritten)
        et_buffer_drop(ring, et_buffer_before_sync(ring));
    ring->overwritten = false;
    leave(cpu, stream, ring->fill);
}

void et_exit_flush(struct et_cpu *cpu)
{
    for (unsigned stream = 0; stream < STREAMS; stream++) {
        leave_all(cpu, stream);
        et_stage_flush(&cpu->stage[stream], &cpu->machine->sink);
    }
}

const char *et_exit_configure(struct et_cpu *cpu, const struct et_config *config)
{
    const unsigned policy = (unsigned)ET_GET(config, ETBF, OVP);
    const uint64_t rate = cpu->machine->host.instructions ? ET_GET(config, ETBF, DRAIN) : 0;
    const bool on = ET_GET(config, ETCR, ENABLE) || ET_GET(config, ETCR, ALWAYS);
    const bool direct = usable(cpu) && !rate && policy != ET_OVP_WRAP;
    const size_t size = direct || !on ? 0 : (size_t)1 << ET_GET(config, ETBF, SIZE);
    const size_t timing = ET_GET(config, ETTS, TSM) == ET_TSM_SEPARATE && !ET_GET(config, ETCR, DS) ? size : 0;
    if (direct)
        for (unsigned stream = 0; stream < STREAMS; stream++)
            leave_all(cpu, stream);
    /* A ring with something in it stays for those who fetch that, unless another one is wanted. */
    if ((size || !cpu->ring[EVENT_STREAM].fill) && !et_buffer_resize(&cpu->ring[EVENT_STREAM], size))
        return "there is no memory for the trace buffer; choose a smaller one (buffer=)";
    if ((timing || !cpu->ring[TIMING_STREAM].fill) && !et_buffer_resize(&cpu->ring[TIMING_STREAM], timing))
        return "there is no memory for the buffer of the timing stream; choose a smaller one (buffer=)";
    cpu->direct = direct;
    cpu->wrap = policy == ET_OVP_WRAP;
    cpu->stall = policy == ET_OVP_STALL;
    if (cpu->drain != rate && rate)
        cpu->drained_at = cpu->machine->host.instructions(cpu->machine->host.context, cpu->number);
    cpu->drain = rate;
    return NULL;
}

void et_exit_copy(const struct et_cpu *cpu, struct et_sink *sink)
{
    for (unsigned stream = 0; stream < STREAMS; stream++) {
        struct et_buffer ring = cpu->ring[stream];
        struct et_stage stage = {.source = cpu->stage[stream].source, .kind = cpu->stage[stream].kind};
        const size_t before = et_buffer_before_sync(&ring);
        if (before < ring.fill)
            et_buffer_drop(&ring, before);
        while (ring.fill) {
            const uint8_t *bytes;
            const size_t span = et_buffer_span(&ring, &bytes);
            et_stage_put(&stage, sink, bytes, span);
            et_buffer_drop(&ring, span);
        }
        et_stage_flush(&stage, sink);
    }
}
