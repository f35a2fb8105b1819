# SPDX-License-Identifier: GPL-3.0-or-later
# A small loop observed by run-time instrumentation: sampled at every fourth instruction, groups of eight records, every
# sample reported. Ends in the disabled wait X'FFF' with three groups in the program buffer at X'20000' and the controls
# at cbout. GNU as does not know the instructions of run-time instrumentation, hence .insn. Linked at X'10000'.
        .text
        .globl  start
start:  larl    %r1,cb
        .insn   rsy,0xeb0000000060,0,0,0(%r1)   # LRIC   load the controls
        lghi    %r5,0x5a5
        lhi     %r3,3
        .insn   ri,0xaa010000,0,0               # RION   on; not counted itself
loop:   .insn   ri,0xaa040000,%r5,0             # RIEMIT an event of our own
        brasl   %r14,sub
        brct    %r3,loop
        .insn   ri,0xaa030000,0,0               # RIOFF
        larl    %r1,cbout
        .insn   rsy,0xeb0000000061,0,0,0(%r1)   # STRIC  store the controls
        larl    %r1,done
        lpswe   0(%r1)
sub:    ahi     %r4,1
        br      %r14
        .balign 256
cb:     .quad   0x20000, 0x20000, 0x20fff       # current, origin and limit address of the buffer
        .long   0x80500002                      # valid, report and collect in the supervisor state, groups of 8
        .long   0x10e80100                      # by instructions; calls, returns, branches, RIEMIT; report all
        .quad   0, 4, 0, 0                      # every fourth
        .balign 256
cbout:  .space  64
done:   .quad   0x0002000180000000, 0x0000000000000fff
