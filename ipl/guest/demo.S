/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The demonstration: a program in the problem state that observes itself by run-time instrumentation until its program
   buffer is full. Runs on nucleus.S. Interval 100 instructions, groups of 8 records (128 bytes), 32 groups. */
        .set    RGS, 2
        .set    INTERVAL, 100
        .set    BUFFER_LENGTH, 4096

/* The address of a place inside a line; LARL reaches even addresses only, and lines are on such. */
        .macro  PLACE register, line, inside
        larl    \register,\line
        aghi    \register,\inside-\line
        .endm
        .macro  LINE text, length
        larl    %r2,\text
        lghi    %r3,\length
        svc     1
        .endm

        .section .program_text,"ax",@progbits
        .globl  program_start
        .type   program_start,@function
program_start:
        larl    %r15,program_stack_end-160
        LINE    hello,hello_end-hello
        larl    %r11,buffer
        mvi     0(%r11),0               # touched, so that its page is valid when groups are stored
        larl    %r10,alerts
        mvi     0(%r10),0
        lgr     %r2,%r10
        svc     2
        ltgr    %r2,%r2
        jnz     no_facility

        larl    %r1,controls
        .insn   rsy,0xeb0000000062,0,0,0(%r1)   # MRIC
        jnz     refused
        lghi    %r9,0
        .insn   ri,0xaa010000,0,0       # RION
        jnz     refused

/* Work until the nucleus has counted an alert. */
work:   aghi    %r9,1
        .insn   ri,0xaa040000,%r9,0     # RIEMIT: the number of this round
        lgr     %r2,%r9
        brasl   %r14,square_root
        lgr     %r8,%r2
        brasl   %r14,find_letter
        lgr     %r2,%r9
        nill    %r2,31
        brasl   %r14,sum_to
        tmll    %r9,7                   # now and then: report the next instruction, whatever the interval
        jnz     0f
        .insn   ri,0xaa000000,0,0       # RINEXT
        j       0f
        .balign 8
0:      l       %r1,0(%r10)
        ltr     %r1,%r1
        jz      work

        .insn   ri,0xaa030000,0,0       # RIOFF
        larl    %r1,stored
        .insn   rsy,0xeb0000000061,0,0,0(%r1)   # STRIC
        jnz     refused
        lg      %r2,0(%r1)              # where the next group would go, less the origin
        sg      %r2,8(%r1)
        srlg    %r2,%r2,5+RGS
        PLACE   %r3,groups_text,groups_number
        brasl   %r14,decimal
        lgr     %r2,%r9
        PLACE   %r3,groups_text,rounds_number
        brasl   %r14,decimal
        LINE    groups_text,groups_text_end-groups_text
        PLACE   %r3,alert_text,alert_digits
        llgf    %r2,4(%r10)
        brasl   %r14,hexadecimal_word
        LINE    alert_text,alert_text_end-alert_text
        svc     3
        PLACE   %r3,faults_text,faults_number
        brasl   %r14,decimal
        LINE    faults_text,faults_text_end-faults_text
        LINE    bye,bye_end-bye
        lghi    %r2,0
        svc     0

no_facility:
        LINE    no_facility_text,no_facility_end-no_facility_text
        lghi    %r2,0
        svc     0
refused:
        LINE    refused_text,refused_end-refused_text
        lghi    %r2,1
        svc     0
        .size   program_start,.-program_start

/* Integer square root of %r2 by Newton's rule. */
        .type   square_root,@function
square_root:
        lgr     %r3,%r2
        lgr     %r4,%r2
0:      lghi    %r0,0
        lgr     %r1,%r2
        dlgr    %r0,%r4                 # quotient in %r1
        agr     %r1,%r4
        srlg    %r1,%r1,1
        clgr    %r1,%r4
        jnl     1f
        lgr     %r4,%r1
        j       0b
1:      lgr     %r2,%r4
        br      %r14
        .size   square_root,.-square_root

/* Offset of the first 'z' in a sentence, by SEARCH STRING. */
        .type   find_letter,@function
find_letter:
        lghi    %r0,'z'
        PLACE   %r2,sentence,sentence_end
        larl    %r1,sentence
        lgr     %r3,%r1
0:      srst    %r2,%r1
        jo      0b
        sgr     %r2,%r3
        br      %r14
        .size   find_letter,.-find_letter

/* 0 + 1 + ... + %r2, in a loop; even numbers through a branch that is hard to predict. */
        .type   sum_to,@function
sum_to: lghi    %r1,0
        ltgr    %r2,%r2
        bzr     %r14
0:      tmll    %r2,1
        jz      1f
        aghi    %r1,1
1:      agr     %r1,%r2
        brctg   %r2,0b
        lgr     %r2,%r1
        br      %r14
        .size   sum_to,.-sum_to

/* %r2 as 8 decimal digits, blanks in front, at %r3. */
        .type   decimal,@function
decimal:
        lghi    %r5,8
        lgr     %r1,%r2
0:      lghi    %r0,0
        lghi    %r4,10
        dlgr    %r0,%r4
        aghi    %r0,'0'
        la      %r4,0(%r5,%r3)
        aghi    %r4,-1
        stc     %r0,0(%r4)
        brctg   %r5,1f
        br      %r14
1:      ltgr    %r1,%r1
        jnz     0b
2:      la      %r4,0(%r5,%r3)
        aghi    %r4,-1
        mvi     0(%r4),' '
        brctg   %r5,2b
        br      %r14
        .size   decimal,.-decimal

/* The word %r2 as 8 hexadecimal digits at %r3. */
        .type   hexadecimal_word,@function
hexadecimal_word:
        lghi    %r5,8
0:      risbg   %r1,%r2,60,191,0
        larl    %r4,hexadecimal_digits
        ic      %r0,0(%r1,%r4)
        la      %r4,0(%r5,%r3)
        aghi    %r4,-1
        stc     %r0,0(%r4)
        srlg    %r2,%r2,4
        brctg   %r5,0b
        br      %r14
        .size   hexadecimal_word,.-hexadecimal_word

        .section .program_data,"aw",@progbits
        .balign 8
controls:       # the block that MRIC fetches
        .quad   buffer, buffer, buffer+BUFFER_LENGTH-1  # RCA, ROA, RLA
        .long   RGS                     # word 6: RGS, the rest is not for MRIC in the problem state
        .long   0x18e80100              # M=1 (instructions), N; C, R, B, E; F
        .quad   0, INTERVAL, 0, 0       # SF
stored: .space  64
        .balign 2
hello:  .ascii  "zri demonstration: a program that watches itself run"
hello_end:
        .balign 2
groups_text:    .ascii  "reporting groups stored: "
groups_number:  .ascii  "00000000, rounds of work: "
rounds_number:  .ascii  "00000000"
groups_text_end:
        .balign 2
alert_text:     .ascii  "measurement alert taken (external interruption 1407), parameter "
alert_digits:   .ascii  "00000000: program buffer full"
alert_text_end:
        .balign 2
faults_text:    .ascii  "pages made valid at their first touch: "
faults_number:  .ascii  "00000000"
faults_text_end:
        .balign 2
bye:    .ascii  "the end: disabled wait with address FFF"
bye_end:
        .balign 2
no_facility_text:       .ascii  "this machine has no run-time instrumentation (facility bit 64): nothing to show"
no_facility_end:
        .balign 2
refused_text:   .ascii  "an instruction of run-time instrumentation was refused"
refused_end:
        .balign 2
hexadecimal_digits:     .ascii  "0123456789ABCDEF"
        .balign 2
sentence:       .ascii  "the quick brown fox jumps over the lazy dog and runs on"
sentence_end:

        .section .program_bss,"aw",@nobits
        .balign 4096
        .globl  buffer
        .type   buffer,@object
buffer: .space  BUFFER_LENGTH
        .size   buffer,BUFFER_LENGTH
        .balign 4096
alerts: .space  4096
        .space  4096
program_stack_end:
