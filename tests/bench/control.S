# SPDX-License-Identifier: GPL-3.0-or-later
# Masks and control registers: STNSM, STOSM, SSM, LCTLG.
        .include "bench.inc"
        BEGIN
        stctg   %c0,%c1,0(%r12)
        mvi     32(%r12),0
1:      stnsm   40(%r12),0xfc
        ahi     %r2,1
        stosm   40(%r12),0
        ahi     %r2,1
        ssm     32(%r12)
        ahi     %r2,1
        lctlg   %c1,%c1,8(%r12)
        ahi     %r2,1
        brctg   %r11,1b
        END
