/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: options, then one of batch run, tests, console. */
#include "cpu/translate/translate.h"
#include "emu/batch.h"
#include "emu/classroom.h"
#include "emu/config/options.h"
#include "emu/console/console.h"
#include "emu/console/debug/debug.h"
#include "emu/console/panes.h"
#include "emu/control/control.h"
#include "emu/debug/gdb.h"
#include "emu/demo.h"
#include "emu/history/history.h"
#include "emu/history/record.h"
#include "emu/host_code.h"
#include "emu/exit.h"
#include "emu/grade.h"
#include "emu/manual.h"
#include "emu/edges/profile.h"
#include "emu/observe/exception_trace.h"
#include "emu/machine/session.h"
#include "emu/sandbox.h"
#include "emu/script/coverage.h"
#include "emu/script/script.h"
#include "emu/streams.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int list_missing(void)
{
    unsigned count = 0;
    for (unsigned row = dis_missing(0); row != DIS_NO_ROW; row = dis_missing(row + 1), count++) {
        const char *facility = dis_facility_name(dis_rows[row].facility);
        printf("%-9s %-60s %s\n", dis_rows[row].mnemonic, dis_rows[row].name, facility ? facility : "");
    }
    printf("%u of %u instructions are not carried out yet; they cause an operation exception\n", count,
           (unsigned)DIS_ROW_COUNT);
    return EMU_EXIT_GOOD;
}

static int list_profiles(void)
{
    const struct emu_profile *p;
    for (unsigned i = 0; (p = emu_profile_number(i)); i++)
        printf("%-12s %s\n", p->name, p->description);
    return EMU_EXIT_GOOD;
}

static int fail(const char *error)
{
    fprintf(stderr, "zri: %s\n", error);
    return EMU_EXIT_HOST;
}

/* The file of --coverage will not do. */
static int fail_coverage(const char *file, const char *why)
{
    fprintf(stderr, "zri: --coverage %s: %s\n", file, why);
    return EMU_EXIT_HOST;
}

static int run_tests(const struct emu_options *o)
{
    struct zt_plan plan = {.files = o->tests,
                           .count = o->test_count,
                           .only = o->only,
                           .verbose = o->verbose,
                           .tap = o->tap,
                           .junit = o->junit,
                           .coverage = o->coverage,
                           .pipeline = o->machine.pipelined ? &o->machine.pipeline : NULL,
                           .out = stdout};
    char error[1024];
    int code = zt_judge(&plan, error, sizeof error);
    if (code < 0)
        return error[0] ? fail(error) : EMU_EXIT_HOST;
    return code ? EMU_EXIT_BAD : EMU_EXIT_GOOD;
}

/* The report of `zri --coverage FILE`: exit status 1 when an instruction with a body was not seen. */
static int report_coverage(const struct emu_options *o)
{
    struct coverage *coverage = malloc(sizeof *coverage);
    if (!coverage)
        return fail("the host has no memory");
    coverage_init(coverage);
    int status = coverage_read(coverage, o->coverage);
    if (status)
        status = fail_coverage(o->coverage, "it cannot be read; name a file that --test --coverage wrote");
    else
        status = coverage_report(coverage, true, stdout) ? EMU_EXIT_BAD : EMU_EXIT_GOOD;
    free(coverage);
    return status;
}

/* Something is loaded that can be run. */
static bool has_program(const struct emu_options *o) { return o->image_count || o->snapshot || o->ipl; }

/* The walls around a guest, before it runs. 0, or an exit status after a sentence. */
static int wall(const struct session *session, const struct emu_options *o)
{
    char error[256];
    emu_sandbox_usual(o->batch || o->lockstep);
    if (!o->sandbox)
        return EMU_EXIT_GOOD;
    if (css_polls(session->machine->css))
        return fail(
            "--sandbox: a network opens connections of the host while the guest runs; leave it or --sandbox away");
    if (o->savecore)
        return fail("--sandbox: --savecore opens its file at the end; leave one of the two away");
    if (o->script_count)
        return fail("--sandbox: commands of a --script may open files; leave one of the two away");
    if (emu_sandbox_strict(o->control != NULL, error, sizeof error))
        return fail(error);
    if (!o->batch && !o->lockstep)
        fprintf(stderr,
                "zri: --sandbox: commands that open files (attach, load, log, savecore, script, snapshot, symbols, "
                "t+) will fail\n");
    return EMU_EXIT_GOOD;
}

/* What was loaded runs, until it ends or somebody wants to look. `lends`: the terminal is lent to the guest. */
static int start_program(struct session *session, const struct emu_options *o, struct console *console, bool lends)
{
    if (lends) {
        session_watch_keyboard(session);
        session->input = STDIN_FILENO;
        session->pace = true;
        session->reads_ahead = console_edits();
    }
    if (o->demo)
        return emu_demo(session, o);
    console_start(console);
    return EMU_EXIT_GOOD;
}

/* What the operator sees: scripts, then the image, then the prompt. */
static int operate(struct session *session, const struct emu_options *o, struct classroom *room)
{
    struct console *console = console_create(session, stdout);
    struct console_panes *panes = NULL;
    const bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    int status = EMU_EXIT_GOOD;
    char error[1024];
    if (!console)
        return fail("the host has no memory for a console");
    console_serve_guest(console);
    console_serve_debugger(console);
    console_serve_control(console);
    console_set_json(console, o->json);
    console_set_limit(console, o->limit);
    if (o->seconds > 0)
        session->deadline_ns = session_now_ns() + (uint64_t)(o->seconds * 1e9);
    if (o->tui && console_panes_open(&panes, console, room != NULL, error, sizeof error)) {
        console_destroy(console);
        return fail(error);
    }
    if ((o->trace && console_trace(console, o->trace, o->trace_what)) || emu_measure(console, o))
        status = EMU_EXIT_HOST;
    if (!status && o->panel && console_open_panel(console, error, sizeof error))
        status = fail(error);
    if (!status)
        status = wall(session, o);
    if (!status && room && classroom_begin(room, console, error, sizeof error))
        status = fail(error);
    for (unsigned i = 0; i < o->script_count && !status && !console_quit(console); i++)
        if (console_script(console, o->scripts[i]))
            status = EMU_EXIT_BAD;
    if (!status && has_program(o) && !o->stop && !o->script_count)
        status = start_program(session, o, console, terminal && !panes);
    const bool late = session->deadline_struck;
    if (panes && !status && !console_quit(console) && !late)
        console_panes_run(panes);
    const struct machine_result *result = console_result(console);
    if (panes && session->deadline_struck)
        status = status ? status : EMU_EXIT_LIMIT;
    else if (!panes && !o->batch && !console_quit(console) && (terminal || o->stop || !(o->demo || o->script_count)))
        status = status ? status : console_interact(console);
    else if (!panes && !status && result)
        status = emu_end_status(session, result);
    if (room && status != EMU_EXIT_HOST)
        status = classroom_end(room);
    if (o->savecore && session_savecore(session, o->savecore, o->save_start, o->save_end, error, sizeof error))
        status = fail(error);
    if (o->pipe_report && console_measure(console, "report", o->pipe_report))
        status = EMU_EXIT_HOST;
    if (!console_end(console))
        status = EMU_EXIT_HOST;
    console_panes_close(panes, status == EMU_EXIT_HOST || status == EMU_EXIT_BAD);
    console_destroy(console);
    return status;
}

static int attach_devices(struct session *session, const struct emu_options *o, char *error, size_t size)
{
    int code = 0;
    for (unsigned i = 0; !code && i < o->device_count; i++)
        code = session_attach(session, o->devices[i], false, error, size);
    for (unsigned i = 0; !code && i < o->next_count; i++) {
        char words[1000];
        snprintf(words, sizeof words, "%s,%s", o->next[i].type, o->next[i].words);
        code = session_attach_next(session, words, error, size);
    }
    return code;
}

/* Exception trace as the options want it; it begins in front of the guest's first instruction. */
static int begin_trace(struct session *session, const struct emu_options *o, char *error, size_t size)
{
    const struct exception_trace_plan plan = {
        .keys = o->et_keys, .key_count = o->et_key_count, .config = o->et_config, .out = o->et_out};
    if (!plan.key_count && !plan.config && !plan.out)
        return 0;
    return exception_trace_begin(session->machine, &plan, error, size);
}

/* The control socket, and the debugger port. Clients that connect read where that is, and have to be told when nobody
   else knows. */
static int open_ports(struct session *session, const struct emu_options *o, char *error, size_t size)
{
    int code = o->control ? control_open(session, o->control, NULL, error, size) : 0;
    if (!code && o->gdb)
        code = gdb_open(session, o->gdb, o->batch && o->stop && !o->control, NULL, error, size);
    if (!o->gdb || code)
        return code;
    if (strcmp(o->gdb, "stdio") == 0)
        session->out = stderr;
    else
        fprintf(stderr, "zri: gdb may connect to %s\n", gdb_place(session));
    return 0;
}

/* Edge profiles as the options want them; likewise. */
static int begin_profile(struct session *session, const struct emu_options *o, char *error, size_t size)
{
    const struct edge_profile_plan plan = {.keys = o->profile_keys,
                                           .key_count = o->profile_key_count,
                                           .out = o->profile_out,
                                           .log = o->profile_log,
                                           .exact = o->profile_exact,
                                           .images = o->images,
                                           .image_count = o->image_count};
    const char *doubt;
    if (!plan.out && !plan.log && !plan.exact)
        return 0;
    int code = edge_profile_begin(session->machine, &plan, &doubt, error, size);
    if (!code && doubt)
        fprintf(stderr, "zri: %s\n", doubt);
    return code;
}

static void say(void *context, const char *sentence)
{
    (void)context;
    fprintf(stderr, "zri: profile: %s\n", sentence);
}

/* RI log and exception trace are to go into one file. */
static bool one_file(const struct emu_options *o) { return o->ri_log && o->et_out && !strcmp(o->ri_log, o->et_out); }

/* The RI log has been begun: is exception trace to write over it, under another name? */
static bool two_names(const struct emu_options *o)
{
    struct stat log, trace;
    return o->ri_log && o->et_out && !one_file(o) && !stat(o->ri_log, &log) && !stat(o->et_out, &trace) &&
           S_ISREG(log.st_mode) && log.st_dev == trace.st_dev && log.st_ino == trace.st_ino;
}

/* What the machine did is to be kept, or done once more. */
static int begin_past(struct session *session, const struct emu_options *o, struct tape_in *in, char *error,
                      size_t size)
{
    int code = recording_begin(session, o, in, error, size);
    if (code || !o->history)
        return code;
    return history_begin(session, o->history, o->history_spacing ? o->history_spacing : HISTORY_SPACING, error, size);
}

/* `in`: a recording that is replayed, empty otherwise. */
static int run(const struct emu_options *o, struct tape_in *in, struct classroom *room)
{
    struct session session;
    struct host_code code = {NULL};
    char error[1024];
    if (session_open(&session, &o->machine, o->lockstep, stdout, error, sizeof error))
        return fail(error);
    int status = EMU_EXIT_GOOD;
    if (o->machine.engine == ENGINE_TRANSLATE && translator_possible(error, sizeof error))
        fprintf(stderr, "zri: %s\n", error);
    if (o->ri_log && !one_file(o) && session_begin_log(&session, o->ri_log, error, sizeof error))
        status = fail(error);
    else if (two_names(o))
        status = fail("--ri-log and --et-out name one file in two ways; write the same name for one file with both, or "
                      "name two files");
    else if (attach_devices(&session, o, error, sizeof error))
        status = fail(error);
    else if (o->ipl && session_ipl(&session, o->ipl, true, error, sizeof error))
        status = fail(error);
    else if (o->image_count && session_load(&session, o->images, o->image_count, error, sizeof error))
        status = fail(error);
    else if (o->snapshot &&
             session_resume(&session, o->snapshot, o->profile_given ? &o->machine.profile : NULL, error, sizeof error))
        status = fail(error);
    else if (o->savecore &&
             session_savecore_place(&session, o->savecore, o->save_start, o->save_end, error, sizeof error))
        status = fail(error);
    else if (host_code_begin(&code, &session.machine, o->dump_code, o->perf_map, error, sizeof error))
        status = fail(error);
    else if (begin_trace(&session, o, error, sizeof error) || open_ports(&session, o, error, sizeof error))
        status = fail(error);
    else if (begin_profile(&session, o, error, sizeof error))
        status = fail(error);
    else if (one_file(o) && session_share_log(&session, error, sizeof error))
        status = fail(error);
    else if (begin_past(&session, o, in, error, sizeof error))
        status = fail(error);
    else if ((o->batch || o->lockstep) && !has_program(o) && !o->script_count)
        status = fail("there is no image to run; name one, or say --demo");
    else if (o->lockstep || (o->batch && !o->script_count))
        status = emu_batch(&session, o, wall);
    else
        status = operate(&session, o, room);
    gdb_close(&session);
    control_close(&session);
    if (recording_finish(&session, error, sizeof error))
        status = fail(error);
    if (session_end_log(&session, error, sizeof error))
        status = fail(error);
    if (exception_trace_end(session.machine, error, sizeof error))
        status = fail(error);
    if (edge_profile_end(session.machine, say, NULL, error, sizeof error))
        status = fail(error);
    session_close(&session);
    if (host_code_end(&code, error, sizeof error))
        status = fail(error);
    return session.lost ? EMU_EXIT_HOST : status;
}

/* The same with a recording, when there is one. */
static int run_past(struct emu_options *o, struct classroom *room)
{
    struct tape_in in;
    char error[1024];
    int status = recording_prepare(o, &in, error, sizeof error) ? fail(error) : run(o, &in, room);
    tape_free(&in);
    return status;
}

/* With a lesson, whose machine it is. */
static int run_lesson(struct emu_options *o)
{
    char error[1024];
    struct classroom *room = malloc(sizeof *room);
    if (!room)
        return fail("the host has no memory");
    int status = classroom_open(room, o, &o->machine, error, sizeof error) ? fail(error) : run_past(o, room);
    classroom_close(room);
    free(room);
    return status;
}

int main(int argc, char **argv)
{
    struct emu_options *options = malloc(sizeof *options);
    char error[1024];
    int status;
    if (!options)
        return fail("the host has no memory");
    if (!emu_streams_open()) {
        free(options);
        return fail("the host does not give /dev/null for a standard descriptor that is closed");
    }
    if (emu_options_parse(argc, argv, options, error, sizeof error)) {
        free(options);
        return fail(error);
    }
    if (!options->engine_given && !translator_possible(error, sizeof error))
        options->machine.engine = ENGINE_TRANSLATE;
    if (options->help) {
        emu_options_help(stdout);
        status = EMU_EXIT_GOOD;
    } else if (options->version) {
        printf("zri %s\n", PACKAGE_VERSION);
        status = EMU_EXIT_GOOD;
    } else if (options->list_missing) {
        status = list_missing();
    } else if (options->dump_manual) {
        const char *parts;
        status = EMU_EXIT_GOOD;
        if (!emu_manual(options->dump_manual, stdout, &parts)) {
            snprintf(error, sizeof error, "--dump-manual %.40s: the parts are %s", options->dump_manual, parts);
            status = fail(error);
        }
    } else if (options->list_profiles) {
        status = list_profiles();
    } else if (options->test) {
        status = run_tests(options);
    } else if (options->coverage) {
        status = report_coverage(options);
    } else if (options->lessons) {
        status = classroom_list(options->json);
    } else if (options->grade) {
        status = grade_files(options);
    } else if (options->lesson) {
        status = run_lesson(options);
    } else {
        status = run_past(options, NULL);
    }
    free(options);
    return emu_streams_end("zri", status);
}
