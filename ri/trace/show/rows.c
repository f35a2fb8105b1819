/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace as rows: CSV for spreadsheets, JSON lines for programs. */
#include "ri/trace/show/output.h"
#include <inttypes.h>
#include <stdlib.h>

struct rows {
    const struct et_output_setting *setting;
};

static void *begin(const struct et_output_setting *setting)
{
    struct rows *rows = calloc(1, sizeof *rows);
    if (rows)
        rows->setting = setting;
    return rows;
}

static void end(void *output, const struct et_decoder_sums *sums)
{
    (void)sums;
    free(output);
}

/* ---- CSV ------------------------------------------------------------------------------------------------------- */

static void *csv_begin(const struct et_output_setting *setting)
{
    et_put(&setting->writer, "source,index,offset,time,delta,kind,en,class,code,tc,la,frc,depth,gross,self,latency\n");
    return begin(setting);
}

/* A cell that may be empty, with the comma behind the one before. */
static void cell(const struct et_writer *w, bool known, uint64_t value)
{
    if (known)
        et_print(w, ",%" PRIu64, value);
    else
        et_put(w, ",");
}

/* Exact code of an interruption, code of a state, value of a mark, number of events lost. */
static bool code_of(const struct et_event *event, uint64_t *code)
{
    if (event->kind == ET_K_STATE || event->kind == ET_K_MARK || event->kind == ET_K_LOST) {
        *code = event->value;
        return event->kind != ET_K_LOST || event->value != UINT64_MAX;
    }
    *code = event->info[ET_INFO_CODE];
    return event->given & 1u << ET_INFO_CODE;
}

static void csv_event(void *output, const struct et_event *event)
{
    const struct et_writer *w = &((struct rows *)output)->setting->writer;
    uint64_t code;
    const bool numbered = event->kind <= ET_K_SIGNAL, known = numbered && event->en_known;
    if (event->kind > ET_K_MARK && event->kind != ET_K_LOST)
        return;
    et_print(w, "%u,%" PRIu64 ",%" PRIu64, event->source, event->index, event->offset);
    cell(w, event->time_known, event->time);
    if (event->time_known)
        et_print(w, ",%" PRId64, event->delta);
    else
        et_put(w, ",");
    et_print(w, ",%s", et_kind_name(event->kind));
    cell(w, known, event->en);
    et_print(w, ",%s", known ? et_class_name(et_number_class(event->en)) : "");
    const bool has_code = code_of(event, &code);
    cell(w, has_code, code);
    cell(w, numbered, !!(event->flags & ET_E_TC));
    cell(w, numbered, !!(event->flags & ET_E_LA));
    cell(w, numbered, !!(event->flags & ET_E_FRC));
    cell(w, event->depth_known, et_shown_depth(event));
    cell(w, event->durations, event->gross);
    cell(w, event->durations, event->self);
    cell(w, event->latency_known, event->latency);
    et_put(w, "\n");
}

static void csv_diagnostic(void *output, const struct et_diagnostic *diagnostic) { (void)output, (void)diagnostic; }

const struct et_output et_output_csv = {
    .name = "csv",
    .help = "a row for each event, numbers in decimal, for spreadsheets",
    .begin = csv_begin,
    .event = csv_event,
    .diagnostic = csv_diagnostic,
    .end = end,
};

/* ---- JSON lines ------------------------------------------------------------------------------------------------ */

static void member(const struct et_writer *w, const char *name, bool known, uint64_t value)
{
    if (known)
        et_print(w, ",\"%s\":%" PRIu64, name, value);
}

static void flag_names(const struct et_writer *w, unsigned flags)
{
    const char *between = "";
    et_put(w, ",\"flags\":[");
    for (unsigned i = 0; et_flag_name(i); i++)
        if (flags & 1u << i) {
            et_print(w, "%s\"%s\"", between, et_flag_name(i));
            between = ",";
        }
    et_put(w, "]");
}

static void information(const struct et_writer *w, const struct et_event *event)
{
    const char *between = "";
    if (!event->given)
        return;
    et_put(w, ",\"info\":{");
    for (unsigned tag = ET_INFO_CODE; tag <= ET_INFO_BEAR; tag++)
        if (event->given & 1u << tag) {
            et_print(w, "%s\"%s\":%" PRIu64, between, et_info_name(tag), event->info[tag]);
            between = ",";
        }
    et_put(w, "}");
}

static void numbers(const struct et_writer *w, const struct et_event *event)
{
    const char *between = "";
    if (event->kind != ET_K_COUNTS && event->kind != ET_K_END)
        return;
    et_print(w, ",\"%s\":[", event->kind == ET_K_COUNTS ? "entries" : "accounts");
    for (size_t i = 0; i < event->count; i++) {
        et_print(w, "%s%" PRIu64, between, event->numbers[i]);
        between = ",";
    }
    et_put(w, "]");
}

static void names(const struct rows *rows, const struct et_event *event)
{
    const struct et_writer *w = &rows->setting->writer;
    char name[ET_NAME_SIZE];
    if (event->kind <= ET_K_SIGNAL && event->en_known) {
        et_print(w, ",\"en\":%u,\"class\":\"%s\",\"name\":", event->en, et_class_name(et_number_class(event->en)));
        et_put_json(w, et_number_name(event->en, rows->setting->program, name));
    }
    if (event->kind == ET_K_STATE) {
        et_put(w, ",\"name\":");
        et_put_json(w, et_state_name((unsigned)event->value));
    }
    if (event->kind == ET_K_CONFIG)
        et_print(w, ",\"register\":\"%s\"", et_register_name(event->reg));
}

static void jsonl_event(void *output, const struct et_event *event)
{
    const struct rows *rows = output;
    const struct et_writer *w = &rows->setting->writer;
    const bool of_source = event->kind != ET_K_FILE;
    et_print(w, "{\"kind\":\"%s\"", et_kind_name(event->kind));
    member(w, "source", of_source, event->source);
    member(w, "index", of_source, event->index);
    member(w, "offset", true, event->offset);
    member(w, "time", event->time_known, event->time);
    if (event->time_known)
        et_print(w, ",\"delta\":%" PRId64, event->delta);
    names(rows, event);
    if (event->kind <= ET_K_SIGNAL)
        flag_names(w, event->flags);
    member(w, "depth", event->depth_known, et_shown_depth(event));
    member(w, "frame", event->kind <= ET_K_EXIT && event->frame, event->frame);
    member(w, "gross", event->durations, event->gross);
    member(w, "self", event->durations, event->self);
    member(w, "latency", event->latency_known, event->latency);
    member(w, "start_latency", event->start_known, event->start_latency);
    member(w, "return_latency", event->back_known, event->back);
    member(w, "chain", event->chain != 0, event->chain);
    member(w, "signal", event->signal != 0, event->signal);
    member(w, "old_address", event->old_known, event->old_address);
    member(w, "new_address", event->new_known, event->new_address);
    member(w, "return_address", event->return_known, event->return_address);
    information(w, event);
    member(w, "value",
           event->kind >= ET_K_STATE && event->kind != ET_K_COUNTS && event->kind != ET_K_END &&
               !(event->kind == ET_K_LOST && event->value == UINT64_MAX),
           event->value);
    numbers(w, event);
    et_put(w, "}\n");
}

static void jsonl_diagnostic(void *output, const struct et_diagnostic *diagnostic)
{
    const struct et_writer *w = &((struct rows *)output)->setting->writer;
    et_print(w, "{\"kind\":\"diagnostic\",\"code\":\"D%02u\",\"source\":%u,\"index\":%" PRIu64 ",\"offset\":%" PRIu64,
             diagnostic->code, diagnostic->source, diagnostic->index, diagnostic->offset);
    et_print(w, ",\"length\":%" PRIu64 ",\"time\":%" PRIu64 ",\"text\":", diagnostic->length, diagnostic->time);
    et_put_json(w, diagnostic->text);
    et_put(w, "}\n");
}

static void jsonl_group(void *output, const struct et_ri_group *group)
{
    const struct et_writer *w = &((struct rows *)output)->setting->writer;
    et_print(w, "{\"kind\":\"GROUP\",\"source\":%u,\"time\":%" PRIu64, group->cpu, group->time);
    et_print(w, ",\"address\":%" PRIu64 ",\"next\":%" PRIu64 ",\"records\":%u}\n", group->address, group->next,
             group->records);
}

const struct et_output et_output_jsonl = {
    .name = "jsonl",
    .help = "a JSON object on each line, for events and diagnostics",
    .begin = begin,
    .event = jsonl_event,
    .diagnostic = jsonl_diagnostic,
    .group = jsonl_group,
    .end = end,
};
