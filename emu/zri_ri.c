/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zri-ri: RI logs and dumps of program buffers as text, JSON or CSV. */
#include "emu/exit.h"
#include "emu/ri_decode.h"
#include "emu/streams.h"
#include "emu/zri_ri.h"
#include "ipl/load.h"
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const struct option table[] = {{"json", no_argument, NULL, 'j'},
                                      {"csv", no_argument, NULL, 'c'},
                                      {"hex", no_argument, NULL, 'x'},
                                      {"cpu", required_argument, NULL, 'p'},
                                      {"origin", required_argument, NULL, 'o'},
                                      {"symbols", required_argument, NULL, 's'},
                                      {"dump-completion", required_argument, NULL, 'd'},
                                      {"version", no_argument, NULL, 'v'},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static void help(FILE *out)
{
    fputs(
        "zri-ri [options] FILE ...\n"
        "FILE: what zri --ri-log wrote, or the bytes of a program buffer from its origin; - is standard input.\n\n"
        "  --json         one JSON object for each group, a line each\n"
        "  --csv          one line for each record\n"
        "  --hex          text: the bytes of each record too\n"
        "  --cpu N        of a log only the groups of the CPU with this address (decimal)\n"
        "  --origin ADDR  address (hexadecimal) of a program buffer's first byte\n"
        "  --symbols MAP  names for addresses, in every form, from a map file (lines ADDRESS TYPE NAME, as nm prints)\n"
        "  --dump-completion SHELL  print the completion of these options for bash or zsh\n"
        "  --version      print the version\n"
        "  --help         print this list\n",
        out);
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "zri-ri: %s%s%s\n", what, *why ? ": " : "", why);
    return EMU_EXIT_HOST;
}

static int number(const char *text, int base, unsigned long long limit, unsigned long long *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, base);
    return errno || end == text || *end || *text == '-' || *value > limit ? -1 : 0;
}

/* More names; `symbols` is made when there are none yet. */
static int read_map(const char *file, struct ipl_symbols **symbols)
{
    char error[512];
    uint8_t *bytes;
    uint64_t length;
    if (!*symbols && !(*symbols = ipl_symbols_new()))
        return fail("--symbols", "the host has no memory");
    if (ipl_host_files.read(NULL, file, UINT64_C(64) << 20, &bytes, &length, error, sizeof error))
        return fail("--symbols", error);
    int code = ipl_symbols_add_map(*symbols, (const char *)bytes, length, 0, error, sizeof error);
    free(bytes);
    return code ? fail(file, error) : 0;
}

static int decode_file(const char *name, const struct ri_decode *how)
{
    const bool standard = strcmp(name, "-") == 0;
    char error[256];
    FILE *in = standard ? stdin : fopen(name, "rb");
    if (!in) {
        snprintf(error, sizeof error, "%s; %s", strerror(errno),
                 errno == ENOENT ? "check the name" : "check its permissions, and that it is a file");
        return fail(name, error);
    }
    int code = emu_ri_decode(in, how, stdout, error, sizeof error) ? fail(name, error) : 0;
    if (!standard)
        fclose(in);
    return code;
}

static int read_files(int argc, char **argv, struct ri_decode *how)
{
    unsigned long long value;
    int letter, status = 0;
    opterr = 0;
    while ((letter = getopt_long(argc, argv, "h", table, NULL)) != -1) {
        switch (letter) {
        case 'j':
            how->form = RI_DECODE_JSON;
            break;
        case 'c':
            how->form = RI_DECODE_CSV;
            break;
        case 'x':
            how->hex = true;
            break;
        case 'p':
            if (number(optarg, 10, 0xffff, &value))
                return fail("--cpu", "give a CPU address in decimal");
            how->cpu = (int)value;
            break;
        case 'o':
            if (number(optarg, 16, UINT64_MAX, &value))
                return fail("--origin", "give a hexadecimal address");
            how->origin = value;
            break;
        case 's':
            if (read_map(optarg, &how->symbols))
                return EMU_EXIT_HOST;
            break;
        case 'd':
            return zri_ri_complete(optarg, table) ? 0 : fail("--dump-completion", "the shells are bash and zsh");
        case 'v':
            printf("zri-ri %s\n", PACKAGE_VERSION);
            return 0;
        case 'h':
            help(stdout);
            return 0;
        default:
            return fail(argv[optind - 1], "there is no such option, or it needs an argument; zri-ri --help lists them");
        }
    }
    if (optind == argc)
        return fail("no file is named; zri-ri --help tells more", "");
    for (int i = optind; i < argc; i++)
        if (decode_file(argv[i], how))
            status = EMU_EXIT_HOST;
    return status;
}

int main(int argc, char **argv)
{
    struct ri_decode how = {.cpu = -1};
    if (!emu_streams_open())
        return fail("the host does not give /dev/null for a standard descriptor that is closed", "");
    const int status = read_files(argc, argv, &how);
    ipl_symbols_free(how.symbols);
    return emu_streams_end("zri-ri", status);
}
