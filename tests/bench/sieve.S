# SPDX-License-Identifier: GPL-3.0-or-later
# Sieve over 8,192 bytes.
        .include "bench.inc"
        BEGIN
        SIEVE
        END
