/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zri-et filter: what a run with another configuration would have put out, made of a full stream (downstream=on). */
#include "emu/zri_et.h"
#include "emu/config/exception.h"
#include "emu/exit.h"
#include "ri/trace/filter.h"
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPTION_KEYS = 256, OPTION_CONFIG };

const struct option zri_et_filter_options[] = {{"et", required_argument, NULL, OPTION_KEYS},
                                               {"et-config", required_argument, NULL, OPTION_CONFIG},
                                               {"output", required_argument, NULL, 'o'},
                                               {"help", no_argument, NULL, 'h'},
                                               {NULL, 0, NULL, 0}};

#define KEYS 64u
struct job {
    struct et_config config;
    const char *keys[KEYS], *file, *output, *input;
    unsigned key_count;
    int in, out;
    uint64_t read;
};

static void help(void)
{
    fputs("zri-et filter [options] FILE\n"
          "FILE: what zri --et downstream=on --et-out FILE wrote; - is standard input. Out comes, byte by byte, what "
          "the\n"
          "run would have put out with this configuration instead. Give the same clock= and sync= as for the run.\n\n"
          "  --et KEY=VALUE,...    the configuration, as for zri\n"
          "  --et-config FILE      the same from a file; --et wins\n"
          "  --output FILE, -o     where to; without it standard output\n"
          "  --help                print this list\n",
          stdout);
}

/* Reset values with output on, the file, the keys. 0 or a status that has been told. */
static int configure(struct job *job)
{
    char error[300];
    int status = 0;
    et_config_reset(&job->config);
    ET_PUT(&job->config, ETCR, ENABLE, 1);
    if (job->file) {
        struct emu_exception_lines lines;
        if (emu_exception_read(job->file, &lines, error, sizeof error))
            return zri_et_fail(EMU_EXIT_HOST, "--et-config", "%s", error);
        for (unsigned i = 0; i < lines.count && !status; i++)
            if (lines.line[i].cpu >= 0)
                status = zri_et_fail(EMU_EXIT_USAGE, job->file,
                                     "line %u is for one CPU, but a filter has the same configuration for all: leave "
                                     "that section out",
                                     lines.line[i].number);
        if (!status && emu_exception_apply(&lines, 0, &job->config, error, sizeof error))
            status = zri_et_fail(EMU_EXIT_USAGE, "--et-config", "%s", error);
        emu_exception_forget(&lines);
    }
    for (unsigned i = 0; i < job->key_count && !status; i++)
        if (emu_exception_keys(job->keys[i], &job->config, error, sizeof error))
            status = zri_et_fail(EMU_EXIT_USAGE, "--et", "%s", error);
    const char *wrong = et_config_wrong(&job->config, &(struct et_limits){.host_clock = true});
    if (!status && wrong)
        status = zri_et_fail(EMU_EXIT_USAGE, "--et", "refused: %s", wrong);
    if (!status && ET_GET(&job->config, ETCR, DS))
        status = zri_et_fail(EMU_EXIT_USAGE, "--et", "downstream=on is what goes in; give what is to come out");
    return status;
}

static int put(void *context, const uint8_t *bytes, size_t size)
{
    const struct job *job = context;
    while (size) {
        const ssize_t n = write(job->out, bytes, size);
        if (n < 0 && errno != EINTR)
            return -errno;
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* What has become of the filter. 0 or a status that has been told. */
static int told(const struct job *job, const struct et_filter *filter, int error)
{
    if (!error)
        return 0;
    if (error == -ENOMEM)
        return zri_et_fail(EMU_EXIT_HOST, job->input,
                           "the host has no memory for it; end other programs, or give it more");
    if (filter && et_filter_error(filter))
        return zri_et_fail(EMU_EXIT_HOST, job->input, "%s; what is in front of it has been put out",
                           et_filter_error(filter));
    return zri_et_fail(EMU_EXIT_HOST, job->output ? job->output : "standard output", "%s; give it a place with room",
                       strerror(-error));
}

/* All of the input. 0 or a status that has been told. */
static int filter_all(struct job *job)
{
    uint8_t bytes[65536];
    ssize_t n;
    int status = 0;
    struct et_filter *filter = et_filter_new(&job->config, put, job);
    if (!filter)
        return told(job, NULL, -ENOMEM);
    while (!status && (n = read(job->in, bytes, sizeof bytes)) != 0) {
        if (n > 0) {
            job->read += (size_t)n;
            status = told(job, filter, et_filter_push(filter, bytes, (size_t)n));
        } else if (errno != EINTR) {
            status =
                zri_et_fail(EMU_EXIT_HOST, job->input, "%s; check that it is a file and can be read", strerror(errno));
        }
    }
    if (!status && !job->read)
        status = zri_et_fail(EMU_EXIT_HOST, job->input, "there is nothing in it; is it what zri --et-out wrote?");
    if (!status)
        status = told(job, filter, et_filter_end(filter));
    et_filter_free(filter);
    return status;
}

/* Opens the output, which must not be the input. 0 or a status that has been told. */
static int open_output(struct job *job)
{
    struct stat in, out;
    job->out = STDOUT_FILENO;
    if (!job->output)
        return 0;
    job->out = open(job->output, O_WRONLY | O_CREAT, 0666);
    if (job->out < 0)
        return zri_et_fail(EMU_EXIT_HOST, job->output, "%s; name a file that can be written", strerror(errno));
    if (!fstat(job->in, &in) && !fstat(job->out, &out) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
        return zri_et_fail(EMU_EXIT_USAGE, job->output, "this is the input; name another file");
    if (!fstat(job->out, &out) && S_ISREG(out.st_mode) && ftruncate(job->out, 0))
        return zri_et_fail(EMU_EXIT_HOST, job->output, "%s; name a file that can be written", strerror(errno));
    return 0;
}

static int carry_out(struct job *job)
{
    int status = configure(job);
    if (status)
        return status;
    job->in = STDIN_FILENO;
    if (strcmp(job->input, "-") != 0)
        job->in = open(job->input, O_RDONLY);
    if (job->in < 0)
        return zri_et_fail(EMU_EXIT_HOST, job->input, "%s; check the name and its permissions", strerror(errno));
    status = open_output(job);
    if (!status)
        status = filter_all(job);
    if (job->out > STDERR_FILENO && close(job->out) && !status)
        status = told(job, NULL, -errno);
    if (job->in > STDERR_FILENO)
        close(job->in);
    return status;
}

int zri_et_filter(int argc, char **argv)
{
    struct job job = {.in = -1, .out = -1};
    int letter;
    while ((letter = getopt_long(argc, argv, "ho:", zri_et_filter_options, NULL)) != -1)
        switch (letter) {
        case 'h':
            help();
            return EMU_EXIT_GOOD;
        case 'o':
            job.output = optarg;
            break;
        case OPTION_CONFIG:
            job.file = optarg;
            break;
        case OPTION_KEYS:
            if (job.key_count == KEYS)
                return zri_et_fail(EMU_EXIT_USAGE, "--et", "so many are not taken; join them by commas");
            job.keys[job.key_count++] = optarg;
            break;
        default:
            return zri_et_fail(EMU_EXIT_USAGE, argv[optind - 1],
                               "there is no such option, or it needs an argument; zri-et filter --help lists them");
        }
    if (optind + 1 != argc)
        return zri_et_fail(EMU_EXIT_USAGE, "filter", "name one file, or - for standard input; --help tells more");
    job.input = argv[optind];
    return carry_out(&job);
}
