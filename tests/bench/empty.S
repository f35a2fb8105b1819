# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing: what starting and ending take.
        .include "bench.inc"
        BEGIN
        END
