/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard input, output and error of a program. */
#include "emu/streams.h"
#include "emu/exit.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool emu_streams_open(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY) != file)
            return false;
    return true;
}

int emu_streams_end(const char *program, int status)
{
    const bool lost = ferror(stdout);
    errno = 0;
    if (!fclose(stdout) && !lost)
        return status;
    if (status != EMU_EXIT_HOST)
        fprintf(stderr, "%s: not all that was printed could be written: %s; give standard output a place with room\n",
                program, errno ? strerror(errno) : "an error of standard output");
    return EMU_EXIT_HOST;
}
