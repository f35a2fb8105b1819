/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of exception-trace streams: the whole. */
#include "ri/trace/decode.h"
#include "ri/trace/read/container.h"
#include "ri/trace/read/nest.h"
#include <errno.h>
#include <stdlib.h>

const char *et_state_name(unsigned code)
{
    static const char *const names[] = {NULL,
                                        "enabled wait",
                                        "wait ended",
                                        "disabled wait",
                                        "stopped",
                                        "started",
                                        "reset",
                                        "IPL",
                                        "oldest frame discarded",
                                        "output off",
                                        "output on",
                                        "configuration refused",
                                        "configured by the guest",
                                        "TOD clock changed"};
    return code && code <= ET_ST_TOD_CHANGED ? names[code] : "unknown";
}

const char *et_diagnostic_name(unsigned code)
{
    static const char *const names[ET_DIAGNOSTICS + 1] = {NULL,
                                                          "bytes skipped",
                                                          "SYNC damaged",
                                                          "check sum of a segment",
                                                          "number of packets",
                                                          "events lost",
                                                          "unknown header",
                                                          "illegal field",
                                                          "cut inside a packet",
                                                          "no END",
                                                          "gap of SYNC numbers",
                                                          "unknown source or chunk",
                                                          "exit without entry",
                                                          "exit of another number",
                                                          "return elsewhere",
                                                          "frames differ from SYNC",
                                                          "compression state empty",
                                                          "time went backwards",
                                                          "bytes after END",
                                                          "timing stream does not fit",
                                                          "no configuration after SYNC",
                                                          "accounts of END",
                                                          "container damaged"};
    return code && code <= ET_DIAGNOSTICS ? names[code] : "unknown";
}

struct et_decoder {
    struct et_front *front;
    struct et_nest *nest;
    struct et_decoder_calls calls;
};

static void raw_in(void *context, const struct et_raw *raw)
{
    struct et_decoder *decoder = context;
    et_nest_raw(decoder->nest, raw);
}

static void diagnostic_in(void *context, const struct et_diagnostic *diagnostic)
{
    struct et_decoder *decoder = context;
    decoder->calls.diagnostic(decoder->calls.context, diagnostic);
}

static void chunk_in(void *context, unsigned source, unsigned kind, uint64_t offset, const uint8_t *bytes, size_t size,
                     bool last)
{
    struct et_decoder *decoder = context;
    if (decoder->calls.chunk)
        decoder->calls.chunk(decoder->calls.context, source, kind, offset, bytes, size, last);
}

struct et_decoder *et_decoder_new(const struct et_decoder_calls *calls, const struct et_decoder_options *options)
{
    struct et_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return NULL;
    const struct et_front_calls inner = {decoder, raw_in, diagnostic_in, chunk_in};
    decoder->calls = *calls;
    decoder->front = et_front_new(&inner, options, ET_ONLY_ALL);
    decoder->nest = et_nest_new(calls);
    if (!decoder->front || !decoder->nest) {
        et_decoder_free(decoder);
        return NULL;
    }
    return decoder;
}

void et_decoder_free(struct et_decoder *decoder)
{
    if (!decoder)
        return;
    et_front_free(decoder->front);
    et_nest_free(decoder->nest);
    free(decoder);
}

int et_decoder_push(struct et_decoder *decoder, const uint8_t *bytes, size_t size)
{
    const int code = et_front_push(decoder->front, bytes, size);
    return code ? code : et_nest_starved(decoder->nest) ? -ENOMEM : 0;
}

void et_decoder_end(struct et_decoder *decoder)
{
    et_front_end(decoder->front);
    et_nest_end(decoder->nest);
}

void et_decoder_sums(const struct et_decoder *decoder, struct et_decoder_sums *sums)
{
    *sums = (struct et_decoder_sums){.diagnostics = et_nest_diagnostics(decoder->nest)};
    et_front_sums(decoder->front, sums);
}

const struct et_config *et_decoder_config(const struct et_decoder *decoder, unsigned source)
{
    const struct et_source *seen = et_front_source(decoder->front, source);
    return seen && seen->configured ? &seen->config : NULL;
}
