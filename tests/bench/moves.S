# SPDX-License-Identifier: GPL-3.0-or-later
# Short moves, compares and clears of storage.
        .include "bench.inc"
        BEGIN
1:      mvc     0(8,%r12),256(%r12)
        mvc     16(16,%r12),272(%r12)
        clc     0(8,%r12),256(%r12)
        jne     2f
        mvc     32(32,%r12),512(%r12)
        xc      64(24,%r12),64(%r12)
        oc      64(8,%r12),256(%r12)
        mvc     100(4,%r12),300(%r12)
        clc     100(16,%r12),300(%r12)
2:      mvc     128(100,%r12),600(%r12)
        mvi     64(%r12),1
        brctg   %r11,1b
        END
