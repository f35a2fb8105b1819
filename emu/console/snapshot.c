/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that save the machine and go on with a saved one. */
#include "emu/console/base/internal.h"
#include "emu/console/debug/debug.h"
#include "emu/console/debug/events.h"
#include "emu/machine/snapshot.h"
#include <string.h>

static int save(struct console *c, const char *file)
{
    char error[CONSOLE_ERROR];
    css_settle(c->machine->css); /* what the guest has written goes with the file */
    return snapshot_save(c->machine, file, error, sizeof error) ? console_fail(c, "%s", error) : 0;
}

/* Breakpoints and observers of the console go over to the new machine. */
static int take_over(struct console *c, unsigned address)
{
    c->machine = c->session->machine;
    const struct cpu_system *sys = &c->machine->sys;
    c->cpu = sys->cpus[address < sys->cpu_count ? address : 0];
    c->result.cpu = NULL; /* it was one of the machine that is gone */
    c->next_u = c->next_r = c->next_v = 0;
    events_hook(c);
    console_observe(c);
    console_break_hook(c);
    for (unsigned b = 0; b < c->break_count; b++)
        for (unsigned i = 0; !c->breaks[b].of_class && i < sys->cpu_count; i++)
            if (engine_break_add(sys->cpus[i], c->breaks[b].address))
                return console_fail(c, "snapshot: the host has no memory for the breakpoints; the machine is loaded");
    return 0;
}

static int load(struct console *c, const char *file, const char *profile_name)
{
    char error[CONSOLE_ERROR];
    struct emu_profile profile;
    unsigned address = c->cpu->address;
    if (profile_name && emu_profile_find(profile_name, &profile, error, sizeof error))
        return console_fail(c, "%s", error);
    if (session_resume(c->session, file, profile_name ? &profile : NULL, error, sizeof error))
        return console_fail(c, "%s", error);
    if (take_over(c, address))
        return -1;
    console_show_where(c);
    return 0;
}

int console_snapshot_save(struct console *c, int argc, char **argv)
{
    return argc == 3 ? save(c, argv[2]) : console_usage(c, "snapshot");
}

int console_snapshot_load(struct console *c, int argc, char **argv)
{
    return argc == 3 || argc == 4 ? load(c, argv[2], argc == 4 ? argv[3] : NULL) : console_usage(c, "snapshot");
}

int console_cmd_snapshot(struct console *c, int argc, char **argv)
{
    return console_run_word(c, "snapshot", argc, argv);
}

int console_cmd_suspend(struct console *c, int argc, char **argv)
{
    return argc == 2 ? save(c, argv[1]) : console_usage(c, "suspend");
}

int console_cmd_resume(struct console *c, int argc, char **argv)
{
    return argc == 2 || argc == 3 ? load(c, argv[1], argc == 3 ? argv[2] : NULL) : console_usage(c, "resume");
}
