/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: options, then one of batch run, tests, console. */
#include "emu/batch.h"
#include "emu/demo.h"
#include "emu/options.h"
#include "emu/session.h"
#include "emu/zt.h"
#include <stdlib.h>
#include <string.h>

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

static void test_line(void *context, const char *line)
{
    (void)context;
    puts(line);
}

static int run_tests(const struct emu_options *o)
{
    struct zt_totals totals = {0};
    int status = EMU_EXIT_GOOD;
    for (unsigned i = 0; i < o->test_count; i++)
        if (zt_run_file(o->tests[i], false, &totals, test_line, NULL))
            status = EMU_EXIT_HOST;
    printf("%u passed, %u failed\n", totals.passed, totals.failed);
    return status ? status : totals.failed ? EMU_EXIT_BAD : EMU_EXIT_GOOD;
}

static int run(const struct emu_options *o)
{
    struct session session;
    char error[1024];
    if (session_open(&session, &o->machine, o->lockstep, stdout, error, sizeof error))
        return fail(error);
    int status = EMU_EXIT_GOOD;
    if (o->image_count && session_load(&session, o->images, o->image_count, error, sizeof error))
        status = fail(error);
    else if (o->batch && !o->image_count)
        status = fail("--batch needs an image to run; name one, or say --demo");
    else if (o->demo && !o->batch && !o->stop && !o->script_count)
        status = emu_demo(&session, o);
    else
        status = emu_batch(&session, o);
    session_close(&session);
    return status;
}

int main(int argc, char **argv)
{
    struct emu_options *options = malloc(sizeof *options);
    char error[1024];
    int status;
    if (!options)
        return fail("the host has no memory");
    if (emu_options_parse(argc, argv, options, error, sizeof error)) {
        free(options);
        return fail(error);
    }
    if (options->help) {
        emu_options_help(stdout);
        status = EMU_EXIT_GOOD;
    } else if (options->version) {
        printf("zri %s\n", PACKAGE_VERSION);
        status = EMU_EXIT_GOOD;
    } else if (options->list_missing) {
        status = list_missing();
    } else if (options->list_profiles) {
        status = list_profiles();
    } else if (options->test) {
        status = run_tests(options);
    } else {
        status = run(options);
    }
    free(options);
    return status;
}
