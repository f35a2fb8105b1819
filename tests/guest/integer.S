/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed-point instructions in loops with calls; the checksums come from a model in another language. */
        .include "bare.inc"
        LOW_STORAGE
start:  larl    %r15,stack_end-160
        lghi    %r2,20000
        brasl   %r14,mixed
        CHECK_EQ %r2, 0x6b975b64c5165495
        lghi    %r2,18
        brasl   %r14,fibonacci
        CHECK_EQ %r2, 2584
        brasl   %r14,sieve
        CHECK_EQ %r2, 1229
        brasl   %r14,checksum
        CHECK_EQ %r2, 0xcbf43926
        FINISH

/* %r2 rounds of a linear congruential generator through multiplication, division, rotation, shifts and selection. */
        .type   mixed,@function
mixed:  llihf   %r3,0x5851f42d
        oilf    %r3,0x4c957f2d
        lghi    %r4,1                   # state
        lghi    %r5,0                   # sum
0:      msgr    %r4,%r3
        algfi   %r4,1442695041
        lgr     %r6,%r4
        srlg    %r6,%r6,33
        lgr     %r1,%r4
        lghi    %r0,0
        aghik   %r7,%r6,1
        dlgr    %r0,%r7                 # quotient %r1, remainder %r0
        xgr     %r5,%r1
        agr     %r5,%r0
        rllg    %r5,%r5,7
        tmll    %r4,0x100
        jz      1f
        lcgr    %r5,%r5
1:      risbg   %r8,%r4,40,183,16       # zero the rest
        agr     %r5,%r8
        srag    %r9,%r4,3
        sgr     %r5,%r9
        lgfr    %r9,%r4
        msgfi   %r9,12345
        xgr     %r5,%r9
        flogr   %r10,%r4
        agr     %r5,%r10
        brctg   %r2,0b
        lgr     %r2,%r5
        br      %r14
        .size   mixed,.-mixed

        .type   fibonacci,@function
fibonacci:
        cgijl   %r2,2,0f
        stmg    %r2,%r14,-104(%r15)
        aghi    %r15,-256
        aghi    %r2,-1
        brasl   %r14,fibonacci
        lgr     %r3,%r2
        lg      %r2,256-104(%r15)
        stg     %r3,0(%r15)
        aghi    %r2,-2
        brasl   %r14,fibonacci
        ag      %r2,0(%r15)
        aghi    %r15,256
        lmg     %r3,%r14,-96(%r15)
0:      br      %r14
        .size   fibonacci,.-fibonacci

/* Number of primes below 10000. */
        .type   sieve,@function
sieve:  larl    %r3,flags
        lgr     %r4,%r3
        lghi    %r5,10000
        lghi    %r6,0
        lghi    %r7,0
        mvcle   %r4,%r6,1               # fill with X'01'
        jo      .-4
        lghi    %r2,0
        lghi    %r4,2
0:
        llgc    %r0,0(%r4,%r3)
        chi     %r0,0
        je      2f
        aghi    %r2,1
        lgr     %r5,%r4
        msgr    %r5,%r4
        lghi    %r6,0
1:      cghi    %r5,10000
        jnl     2f
        stc     %r6,0(%r5,%r3)
        agr     %r5,%r4
        j       1b
2:      aghi    %r4,1
        cghi    %r4,10000
        jl      0b
        br      %r14
        .size   sieve,.-sieve

/* CRC-32 of "123456789", bit by bit. */
        .type   checksum,@function
checksum:
        larl    %r3,message
        lghi    %r4,9
        lhi     %r2,-1
0:      llgc    %r0,0(%r3)
        xr      %r2,%r0
        lhi     %r5,8
1:      lr      %r1,%r2
        srl     %r2,1
        nilf    %r1,1
        jz      2f
        xilf    %r2,0xedb88320
2:      brct    %r5,1b
        aghi    %r3,1
        brctg   %r4,0b
        xilf    %r2,0xffffffff
        llgfr   %r2,%r2
        br      %r14
        .size   checksum,.-checksum

external_interruption:
svc_interruption:
        larl    %r14,.
        j       failed
        PROGRAM_INTERRUPTION
message:        .ascii  "123456789"
        .bss
        .balign 4096
flags:  .space  12288
stack:  .space  8192
stack_end:
