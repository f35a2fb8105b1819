/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripted tests: files are judged, and the judgement is told as text, as TAP or as JUnit's XML. */
#include "emu/script/coverage.h"
#include "emu/script/script.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One judgement. */
struct judge {
    const struct zt_plan *plan;
    unsigned ended[3];    /* cases, by enum zt_end */
    unsigned files_wrong; /* files that were refused as a whole: TAP counts each as a test */
    /* lines since the last case ended, each with its line end; NULL: none */
    char *lines;
    size_t length;
    /* JUnit: the test cases of the file that is run */
    FILE *xml;
    unsigned in_file[3];
};

static void take_line(void *context, const char *line)
{
    struct judge *j = context;
    size_t n = strlen(line);
    if (!j->plan->tap)
        fprintf(j->plan->out, "%s\n", line);
    char *more = realloc(j->lines, j->length + n + 2);
    if (!more)
        return; /* a report that lacks a line is better than none */
    j->lines = more;
    memcpy(more + j->length, line, n);
    memcpy(more + j->length + n, "\n", 2);
    j->length += n + 1;
}

static void forget_lines(struct judge *j)
{
    free(j->lines);
    j->lines = NULL;
    j->length = 0;
}

/* Text inside XML: its own characters named, and what XML cannot hold (control characters, bytes of other codes) as a
   question mark. */
static void xml_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char c = *text;
        const char *name = c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : NULL;
        if (name)
            fputs(name, out);
        else
            fputc(c == '\n' || (c >= ' ' && c < 0x7f) ? c : '?', out);
    }
}

static void xml_case(FILE *out, const char *file, const char *name, unsigned row, enum zt_end end, const char *lines)
{
    static const char *const elements[] = {NULL, "failure", "error"};
    fputs("    <testcase classname=\"", out);
    xml_text(out, file);
    fputs("\" name=\"", out);
    xml_text(out, name);
    if (row)
        fprintf(out, " (row at line %u)", row);
    fputs(end == ZT_PASSED ? "\"/>\n" : "\">\n", out);
    if (end == ZT_PASSED)
        return;
    fprintf(out, "      <%s message=\"%s\">", elements[end],
            end == ZT_FAILED ? "not as expected" : "a line is not understood");
    xml_text(out, lines ? lines : "");
    fprintf(out, "</%s>\n    </testcase>\n", elements[end]);
}

static void tap_case(struct judge *j, const char *file, const char *name, const struct zt_outcome *x)
{
    FILE *out = j->plan->out;
    const bool good = x && x->end == ZT_PASSED;
    fprintf(out, "%s %u - %s", good ? "ok" : "not ok",
            j->ended[ZT_PASSED] + j->ended[ZT_FAILED] + j->ended[ZT_REFUSED] + j->files_wrong, file);
    if (x)
        fprintf(out, ":%u", x->line);
    for (fputs(": ", out); *name; name++) /* a # would begin a directive */
        fprintf(out, *name == '#' ? "\\#" : "%c", *name);
    if (x && x->row)
        fprintf(out, " (row at line %u)", x->row);
    fputc('\n', out);
    for (const char *at = j->lines; at && *at; at = strchr(at, '\n') + 1)
        fprintf(out, "# %.*s\n", (int)strcspn(at, "\n"), at);
}

static void take_case(void *context, const struct zt_outcome *x)
{
    static const char *const words[] = {"passed", "failed", "not understood"};
    struct judge *j = context;
    j->ended[x->end]++;
    j->in_file[x->end]++;
    if (j->plan->tap)
        tap_case(j, x->file, x->name, x);
    else if (j->plan->verbose && x->row)
        fprintf(j->plan->out, "%s:%u: %s (row at line %u): %s\n", x->file, x->line, x->name, x->row, words[x->end]);
    else if (j->plan->verbose)
        fprintf(j->plan->out, "%s:%u: %s: %s\n", x->file, x->line, x->name, words[x->end]);
    if (j->xml)
        xml_case(j->xml, x->file, x->name, x->row, x->end, j->lines);
    forget_lines(j);
}

/* A file with its cases. The cases are written to memory first: a suite begins with how many there are. Returns how
   many were to be run or a negative number. */
static int judge_file(struct judge *j, const char *path, struct coverage *coverage, FILE *junit)
{
    char *cases = NULL;
    size_t length = 0;
    const struct zt_listener listener = {take_line, take_case, j, j->plan->pipeline, NULL};
    memset(j->in_file, 0, sizeof j->in_file);
    j->xml = junit ? open_memstream(&cases, &length) : NULL;
    if (junit && !j->xml)
        return -ENOMEM;
    int code = zt_run_file(path, j->plan->only, coverage, &listener);
    if (code < 0 && !j->in_file[ZT_REFUSED]) { /* the whole file */
        j->files_wrong++;
        j->in_file[ZT_REFUSED]++;
        if (j->plan->tap)
            tap_case(j, path, "the file", NULL);
        if (j->xml)
            xml_case(j->xml, path, "the file", 0, ZT_REFUSED, j->lines);
    }
    forget_lines(j);
    if (!j->xml)
        return code;
    fclose(j->xml);
    j->xml = NULL;
    fputs("  <testsuite name=\"", junit);
    xml_text(junit, path);
    fprintf(junit, "\" tests=\"%u\" failures=\"%u\" errors=\"%u\">\n%s  </testsuite>\n",
            j->in_file[ZT_PASSED] + j->in_file[ZT_FAILED] + j->in_file[ZT_REFUSED], j->in_file[ZT_FAILED],
            j->in_file[ZT_REFUSED], cases ? cases : "");
    free(cases);
    return code;
}

/* All files. Returns as zt_judge() does. */
static int judge_files(struct judge *j, struct coverage *coverage, FILE *junit, char *error, size_t size)
{
    const struct zt_plan *p = j->plan;
    unsigned cases = 0;
    bool refused = false;
    if (p->tap)
        fputs("TAP version 13\n", p->out);
    if (junit)
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", junit);
    for (unsigned i = 0; i < p->count; i++) {
        int n = judge_file(j, p->files[i], coverage, junit);
        refused = refused || n < 0;
        cases += n > 0 ? (unsigned)n : 0;
    }
    if (junit)
        fputs("</testsuites>\n", junit);
    if (p->tap)
        fprintf(p->out, "1..%u\n", j->ended[ZT_PASSED] + j->ended[ZT_FAILED] + j->ended[ZT_REFUSED] + j->files_wrong);
    else
        fprintf(p->out, "%u passed, %u failed\n", j->ended[ZT_PASSED], j->ended[ZT_FAILED]);
    if (refused)
        return -EINVAL;
    if (p->only && !cases) {
        snprintf(error, size, "--only %.200s: no case of %s has this in its name; -v names the cases", p->only,
                 p->count > 1 ? "these files" : p->files[0]);
        return -EINVAL;
    }
    return j->ended[ZT_FAILED] != 0;
}

int zt_judge(const struct zt_plan *plan, char *error, size_t size)
{
    struct judge j = {.plan = plan};
    struct coverage *coverage = plan->coverage ? malloc(sizeof *coverage) : NULL;
    FILE *junit = NULL;
    int code = 0;
    error[0] = 0;
    if (plan->coverage && !coverage) {
        snprintf(error, size, "--coverage: the host has no memory");
        return -ENOMEM;
    }
    if (coverage)
        coverage_init(coverage);
    if (plan->junit && !(junit = fopen(plan->junit, "w"))) {
        code = -errno;
        snprintf(error, size, "--junit %.200s: %s; name a file in a folder that you may write to", plan->junit,
                 strerror(-code));
    } else {
        code = judge_files(&j, coverage, junit, error, size);
    }
    const bool spoiled = junit && ferror(junit);
    if (junit && (fclose(junit) || spoiled)) {
        code = -EIO;
        snprintf(error, size, "--junit %.200s: it cannot be written whole; make room on its disk", plan->junit);
    }
    if (coverage && coverage_append(coverage, plan->coverage)) {
        code = -EIO;
        snprintf(error, size, "--coverage %.200s: it cannot be written; name a file in a folder that you may write to",
                 plan->coverage);
    }
    free(coverage);
    return code;
}
