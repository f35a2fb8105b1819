/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the outputs of exception traces share. */
#include "ri/trace/show/output.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void et_put(const struct et_writer *writer, const char *text)
{
    writer->put(writer->context, NULL, text, strlen(text));
}

void et_print(const struct et_writer *writer, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n > 0)
        writer->put(writer->context, NULL, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void et_put_json(const struct et_writer *writer, const char *text)
{
    et_put(writer, "\"");
    for (const uint8_t *at = (const uint8_t *)text; *at;) {
        const unsigned n = utf8_length(at);
        if (!n)
            et_put(writer, "\\ufffd");
        else if (*at < 0x20 || *at == '"' || *at == '\\' || *at == 0x7f)
            et_print(writer, "\\u%04x", *at);
        else
            writer->put(writer->context, NULL, at, n);
        at += n ? n : 1;
    }
    et_put(writer, "\"");
}

const char *et_kind_name(enum et_kind kind)
{
    static const char *const names[ET_KINDS] = {"ENTRY",  "EXIT", "RETURN", "SIGNAL", "STATE", "MARK",
                                                "COUNTS", "SYNC", "CONFIG", "LOST",   "END",   "FILE"};
    return kind < ET_KINDS ? names[kind] : "";
}

const char *et_flag_name(unsigned bit)
{
    static const char *const names[] = {"TC",        "LA",       "FRC",   "cut",     "implied",
                                        "withdrawn", "doubtful", "bound", "aborted", "most"};
    return bit < sizeof names / sizeof *names ? names[bit] : NULL;
}

const char *et_info_name(unsigned tag)
{
    static const char *const names[] = {"",     "code", "ilc",   "parameter", "cpu", "ioword",
                                        "info", "dxc",  "depth", "asn",       "bear"};
    return tag < sizeof names / sizeof *names ? names[tag] : "";
}

unsigned et_shown_depth(const struct et_event *event)
{
    return event->depth + (event->kind == ET_K_EXIT && event->frame);
}

/* ---- time ------------------------------------------------------------------------------------------------------ */

void et_scale_init(struct et_scale *scale, uint64_t insn_rate)
{
    scale->clock = ET_CLOCK_TOD;
    scale->rate = insn_rate ? insn_rate : 1000000000;
}

void et_scale_event(struct et_scale *scale, const struct et_event *event)
{
    const struct et_config config = {.reg[ETTS] = event->value};
    if (event->kind == ET_K_CONFIG && event->reg == ETTS)
        scale->clock = (enum et_clock)ET_GET(&config, ETTS, CLK);
}

unsigned __int128 et_scale_ps(const struct et_scale *scale, uint64_t ticks)
{
    const unsigned __int128 most = (unsigned __int128)UINT64_MAX * 1000000, n = ticks;
    const unsigned __int128 ps = scale->clock == ET_CLOCK_TOD    ? n * 1000000 / 4096
                                 : scale->clock == ET_CLOCK_HOST ? n * 1000
                                                                 : n * 1000000000000 / scale->rate;
    return ps < most ? ps : most;
}

const char *et_clock_name(enum et_clock clock)
{
    static const char *const names[] = {"tod", "insn", "cycle", "host"};
    return names[clock & 3];
}
