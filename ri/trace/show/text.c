/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace as text: a line for each event, columns of fixed width, then key=value; a line "!! Dnn" for each
   diagnostic. */
#include "ri/trace/show/output.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    const struct et_output_setting *setting;
    char line[1024];
    size_t length;
};

static void *text_begin(const struct et_output_setting *setting)
{
    struct text *text = calloc(1, sizeof *text);
    if (text)
        text->setting = setting;
    return text;
}

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text->line + text->length, sizeof text->line - text->length, format, list);
    va_end(list);
    if (n > 0)
        text->length += (size_t)n;
    if (text->length > sizeof text->line - 2)
        text->length = sizeof text->line - 2;
}

/* The line without blanks at its end. */
static void line_out(struct text *text)
{
    while (text->length && text->line[text->length - 1] == ' ')
        text->length--;
    text->line[text->length++] = '\n';
    text->setting->writer.put(text->setting->writer.context, NULL, text->line, text->length);
    text->length = 0;
}

/* Time, difference, source, depth, kind. */
static void columns(struct text *text, const struct et_event *event)
{
    if (event->time_known)
        add(text, "%14" PRIu64 " %+11" PRId64, event->time, event->delta);
    else
        add(text, "%14s %11s", "-", "-");
    add(text, " cpu%02u d", event->source);
    if (event->depth_known)
        add(text, "%-2u", et_shown_depth(event));
    else
        add(text, "%-2s", "-");
    add(text, " %-6s ", et_kind_name(event->kind));
}

static void name_columns(struct text *text, const struct et_event *event)
{
    char name[ET_NAME_SIZE];
    if (event->kind == ET_K_STATE)
        add(text, "%03x %-24s ", (unsigned)event->value & 0xfff, et_state_name((unsigned)event->value));
    else if (event->kind == ET_K_MARK)
        add(text, "--- %-24s ", "");
    else if (event->en_known)
        add(text, "%03x %-24s ", event->en, et_number_name(event->en, text->setting->program, name));
    else
        add(text, "--- %-24s ", "?");
}

/* Bounds stand with the figures. */
static void flags(struct text *text, unsigned flags)
{
    flags &= ~(unsigned)(ET_E_BOUND | ET_E_MOST);
    for (unsigned i = 0; et_flag_name(i); i++)
        if (flags & 1u << i)
            add(text, "%s ", et_flag_name(i));
}

static void information(struct text *text, const struct et_event *event)
{
    for (unsigned tag = ET_INFO_CODE; tag <= ET_INFO_BEAR; tag++)
        if (event->given & 1u << tag)
            add(text, "%s=%" PRIx64 " ", et_info_name(tag), event->info[tag]);
    if (event->old_known)
        add(text, "old=%" PRIx64 " ", event->old_address);
    if (event->new_known)
        add(text, "new=%" PRIx64 " ", event->new_address);
    if (event->return_known)
        add(text, "ia=%" PRIx64 " ", event->return_address);
}

static void measures(struct text *text, const struct et_event *event)
{
    const char *const relations[] = {"=", ">=", "<=", "~"};
    const char *is = relations[(event->flags & ET_E_BOUND ? 1 : 0) | (event->flags & ET_E_MOST ? 2 : 0)];
    if (event->durations)
        add(text, "gross%s%" PRIu64 " self%s%" PRIu64 " ", is, event->gross, is, event->self);
    if (event->latency_known)
        add(text, "latency=%" PRIu64 " ", event->latency);
    if (event->start_known)
        add(text, "start=%" PRIu64 " ", event->start_latency);
    if (event->kind == ET_K_MARK)
        add(text, "value=%" PRIx64 " ", event->value);
}

/* Pairs on as many lines as they need. */
static void counts(struct text *text, const struct et_event *event)
{
    for (size_t i = 0; i + 1 < event->count; i += 2) {
        if (!text->length) {
            columns(text, event);
            add(text, "--- %-24s ", "entries since the last");
        }
        add(text, "%03x=%" PRIu64 " ", (unsigned)event->numbers[i] & 0xfff, event->numbers[i + 1]);
        if (text->length > 160)
            line_out(text);
    }
    if (text->length)
        line_out(text);
}

static void text_event(void *output, const struct et_event *event)
{
    struct text *text = output;
    if (event->kind == ET_K_COUNTS)
        counts(text, event);
    if (event->kind > ET_K_MARK)
        return;
    columns(text, event);
    name_columns(text, event);
    flags(text, event->flags);
    information(text, event);
    measures(text, event);
    line_out(text);
}

static void text_diagnostic(void *output, const struct et_diagnostic *diagnostic)
{
    struct text *text = output;
    add(text, "!! D%02u cpu%02u offset %" PRIu64, diagnostic->code, diagnostic->source, diagnostic->offset);
    if (diagnostic->length)
        add(text, " length %" PRIu64, diagnostic->length);
    add(text, " index %" PRIu64 " time %" PRIu64 ": %s", diagnostic->index, diagnostic->time, diagnostic->text);
    line_out(text);
}

static void text_group(void *output, const struct et_ri_group *group)
{
    struct text *text = output;
    add(text, "%14" PRIu64 " %11s cpu%02u d-  %-6s --- %-24s at=%" PRIx64 " next=%" PRIx64, group->time, "-",
        group->cpu, "GROUP", "RI reporting group", group->address, group->next);
    add(text, " records=%u", group->records);
    line_out(text);
}

static void text_end(void *output, const struct et_decoder_sums *sums)
{
    (void)sums;
    free(output);
}

const struct et_output et_output_text = {.name = "text",
                                         .help =
                                             "a line for each event (this is also what is printed without an option)",
                                         .begin = text_begin,
                                         .event = text_event,
                                         .diagnostic = text_diagnostic,
                                         .group = text_group,
                                         .end = text_end};
