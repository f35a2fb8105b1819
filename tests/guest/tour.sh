#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tours in doc/, word by word (run-time instrumentation by example on both engines): what they show of a session is what
# comes out of it, see tour-lib.sh. Then tours that are wrong, which must be noticed.
. "${srcdir:-.}/tests/guest/tour-lib.sh"
follow tour.txt
follow first-hour.txt
follow ri-by-example.txt
follow ri-by-example.txt "--engine reference"
follow exceptions-by-example.txt
follow exceptions-by-example.txt "--engine reference"
follow profiles-by-example.txt
follow profiles-by-example.txt "--engine reference"
follow speculation.txt
echo "$total sessions of the tours, $failed failed"
[ "$total" -gt 0 ] || exit 1
wrong "a line of the answer is left out" <<'END'
    $ zri
    zri> psw
    PSW=0000000000000000 0000000000000000  CPU 0 stopped
    enabled for: nothing
END
wrong "the last lines of the answer are left out" <<'END'
    $ zri
    zri> gpr 1=5
    zri> psw
    PSW=0000000000000000 0000000000000000  CPU 0 stopped
END
wrong "a command that is refused, behind a line of dots" <<'END'
    $ zri
    zri> cr 0
    ...
END
wrong "a line that does not come" <<'END'
    $ zri
    zri> psw
    ...
    supervisor state, 31-bit addressing
    ...
END
wrong "lines in another order" <<'END'
    $ printf 'one\\ntwo\\nthree\\n'
    two
    ...
    one
    ...
END
[ $failed -eq 0 ]
