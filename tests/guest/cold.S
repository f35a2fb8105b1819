/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For edge profiles: a hundred short loops, of 15 to 40 passes each, of instructions that a translator leaves to their
   handlers, and branches by condition codes that it cannot tell in one step. */
        .include "bare.inc"
        LOW_STORAGE
        .machine z196

        .set    passes, 15
        .set    seed, 0
start:
        .rept   50
        lghi    %r3,passes
1:      cvd     %r3,0x400
        brct    %r3,1b
        lghi    %r3,passes
2:      popcnt  %r4,%r3
        tmll    %r3,6
        brc     7 - seed,3f
        popcnt  %r4,%r4
3:      brctg   %r3,2b
        .set    passes, passes + 1
        .if     passes > 40
        .set    passes, 15
        .endif
        .set    seed, (seed + 1) % 6
        .endr
        FINISH

        .type   external_interruption,@function
        .type   svc_interruption,@function
        .type   program_interruption,@function
external_interruption:
svc_interruption:
program_interruption:
        j       failed
