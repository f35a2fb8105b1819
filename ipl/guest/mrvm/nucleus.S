/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nucleus of the managed run-time's demonstration, the part that cannot be C: low storage, entry and exit of
   interruptions, the program that PROGRAM CALL enters. The rest is space.c.

   Storage: 0 low storage; X'10480' the text of --append; X'20000' the nucleus, mapped to itself; the image of the
   run-time at 4 MiB; frames of address space A at 16 MiB, of B at 32 MiB, mapped from 1 MiB on (mrvm.h). */

        .include "nucleus.inc"
        .set    PSW_WAIT, 0x0502000180000000
        .set    SAVE, 0x200                     # 16 registers, then the PSW
        .set    SAVE_SIGNAL, 0x300

        LOW_STORAGE PSW_KERNEL

        .text
        START
        lghi    %r2,SAVE
        brasl   %r14,nucleus_start
        j       leave
        .size   start,.-start

/* Entered with the registers at SAVE; the C function makes of SAVE what is to be next. */
        .macro  ENTER old
        stmg    %r0,%r15,SAVE(0)
        mvc     SAVE+128(16,0),\old(0)
        larl    %r15,stack_end-160
        lghi    %r2,SAVE
        .endm

        .type   svc_handler,@function
svc_handler:
        ENTER   0x140
        llgh    %r3,0x8a
        brasl   %r14,nucleus_call
leave:  lmg     %r0,%r15,SAVE(0)
        lpswe   SAVE+128(0)
        .size   svc_handler,.-svc_handler

        .type   program_handler,@function
program_handler:
        tm      0x151(0),1              # the nucleus itself: nothing can be done
        jz      0f
        ENTER   0x150
        llgh    %r3,0x8e                # code
        llgc    %r4,0x8d                # instruction-length code
        lg      %r5,0xa8                # translation-exception identification
        brasl   %r14,nucleus_program_check
        j       leave
0:      larl    %r1,bad_psw
        lpswe   0(%r1)
        .size   program_handler,.-program_handler

/* The CPU timer strikes while the program runs; the service signal comes while the nucleus waits for it. */
        .type   external_handler,@function
external_handler:
        stg     %r1,SAVE_SIGNAL(0)
        lh      %r1,0x86
        chi     %r1,0x2401
        je      0f
        lg      %r1,SAVE_SIGNAL(0)
        ENTER   0x130
        llgh    %r3,0x86
        llgf    %r4,0x80
        brasl   %r14,nucleus_external
        j       leave
0:      larl    %r1,nucleus_signalled
        mvi     0(%r1),1
        mvc     SAVE_SIGNAL+8(16,0),0x130(0)
        ni      SAVE_SIGNAL+9(0),0xfd   # leave the wait state
        lg      %r1,SAVE_SIGNAL(0)
        lpswe   SAVE_SIGNAL+8(0)
        .size   external_handler,.-external_handler

/* What PROGRAM CALL 0 enters: in the supervisor state, without an interruption, so that the collection buffer is as it
   was. %r2: subcode of DIAGNOSE X'E20'; %r3 and %r5 its operands; %r2 becomes the condition code. Subcode 16: with RI as it
   is, 16 values from %r5 on are emitted here, in the supervisor state. */
        .globl  call_entry
        .type   call_entry,@function
call_entry:
        clgfi   %r2,16
        je      1f
        diag    %r2,%r5,0xe20
        ipm     %r2
        srl     %r2,28
        stg     %r3,0(%r9)              # PR restores %r2 to %r14, and PC has changed %r4
        stg     %r2,8(%r9)
        pr
1:      lghi    %r6,16
2:      lg      %r7,0(%r5)
        xg      %r7,16(%r9)
        .insn   ri,0xaa040000,%r7,0     # RIEMIT
        la      %r5,8(%r5)
        brctg   %r6,2b
        pr
        .size   call_entry,.-call_entry

/* nucleus_sclp(command, sccb): SERVICE CALL, and the wait for its end. */
        .globl  nucleus_sclp
        .type   nucleus_sclp,@function
nucleus_sclp:
        larl    %r1,nucleus_signalled
        mvi     0(%r1),0
0:      .insn   rre,0xb2200000,%r2,%r3
        brc     2,0b                    # busy
        bnzr    %r14                    # not operational: no console
        larl    %r4,waiting             # nothing else interrupts the wait
        lctlg   %c0,%c0,0(%r4)
1:      cli     0(%r1),0
        jne     2f
        larl    %r4,enabled_wait
        larl    %r5,1b
        stg     %r5,8(%r4)
        lpswe   0(%r4)
2:      larl    %r4,enabled_wait
        stnsm   15(%r4),0xfc            # disabled, before the timer may strike again
        larl    %r4,control_registers
        lctlg   %c0,%c0,0(%r4)
        br      %r14
        .size   nucleus_sclp,.-nucleus_sclp

        STOP

        .data
        .balign 64
primary_aste:                           # ASTE: linkage-table designation alone is used
        .long   0, 0, 0, 0, 0, 0, 0x80000000 + linkage_table, 0
        .space  32
        .balign 4096
linkage_table:
        .long   entry_table
        .fill   31,4,0x80000000
        .balign 64
entry_table:                            # stacking, 64-bit mode, authorized for key 8
        .long   0, call_entry
        .short  0x0080, 0
        .short  0, 0
        .long   0xe0000000, primary_aste
        .quad   0
        .fill   96,1,0
        .balign 8
linkage_stack:                          # a section: header, room for a few entries
        .quad   0
stack_header:
        .byte   0x09, 0
        .short  1536
        .short  0, 0
        .space  1600
        .balign 8
        START_PSWS
enabled_wait:   .quad   PSW_WAIT, 0
waiting:        .quad   0x0001000010040200
bad_psw:        .quad   PSW_STOP, 0xbad00
        .globl  control_registers
control_registers:      # low-address protection, AFP, service signal, CPU timer, measurement alert, counter extraction
        .quad   0x0001000010040620, 0, 0, 0x00800000, 0, primary_aste, 0, 0
        .quad   0, 0, 0, 0, 0, 0, 0, stack_header
        .globl  nucleus_signalled
nucleus_signalled:      .byte   0

        .bss
        .balign 4096
        .space  16384
stack_end:
        .section .note.GNU-stack,"",@progbits
