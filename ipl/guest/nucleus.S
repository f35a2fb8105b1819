/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small nucleus: low storage, interruption handlers, console lines by SERVICE CALL, dynamic address translation with
   its own tables, and one program in the problem state at virtual address X'400000'.

   Supervisor calls (number in the SVC instruction; results in general register 2, the others are preserved):
     0  end          r2: 0 ends in the disabled wait X'FFF', anything else in X'BAD'
     1  write a line r2: address, r3: length, at most 120 characters, ASCII
     2  observe      r2: address of a 16-byte area (word 0: alerts taken, word 1: parameter of the latest one);
                     loads the run-time-instrumentation controls with V, S, K, Ps, Pc, U one; 0, or 1 when the machine
                     has no run-time instrumentation
     3  page faults  r2: number of pages that were made valid when they were first touched

   Storage: 0 low storage; X'10000' the nucleus, mapped to itself; the program is at X'20000'-X'3FFFF' and is mapped to
   X'400000'. Pages of the program from `program_bss` on are invalid until touched. */

        .set    CR0_VALUE, 0x10040220   # low-address protection, AFP, service signal, measurement alert
        .include "nucleus.inc"
        .set    PSW_PROGRAM, 0x0581000180000000 # DAT, external, key 8, problem state, 64-bit
        .set    PSW_WAIT_ENABLED, 0x0502000180000000
        .set    SAVE_SVC, 0x200         # 16 doublewords each, behind what low-address protection covers
        .set    SAVE_PROGRAM, 0x280
        .set    SAVE_EXTERNAL, 0x300
        .set    PSW_SVC, 0x380           # the PSW to return to; low storage, because no register is free then
        .set    PSW_PROGRAM_CHECK, 0x390
        .set    PSW_EXTERNAL, 0x3a0
        .set    PROGRAM_REAL, 0x20000
        .set    PROGRAM_PAGES, 32
        .set    PROGRAM_SEGMENT, 4      # X'400000' >> 20

/* ---- Low storage ---- */
        LOW_STORAGE PSW_KERNEL

/* ---- Start ---- */
        .text
        .globl  start
        .type   start,@function
start:  sam64
        larl    %r1,control_registers
        lctlg   %c0,%c15,0(%r1)
        larl    %r15,stack_end-160
        brasl   %r14,make_tables
        brasl   %r14,set_keys
        larl    %r1,to_translated
        lpswe   0(%r1)
translated:
        brasl   %r14,sclp_open
        larl    %r1,to_program
        lpswe   0(%r1)
        .size   start,.-start

/* Page tables: the first MiB of the nucleus maps to itself; the program's segment has PROGRAM_PAGES pages, of which
   those of its bss are invalid (X'400') until the first touch. */
        .type   make_tables,@function
make_tables:
        larl    %r1,segment_table
        lghi    %r2,512
        lghi    %r3,0x20                # invalid segment
0:      stg     %r3,0(%r1)
        la      %r1,8(%r1)
        brctg   %r2,0b
        larl    %r1,segment_table
        larl    %r2,page_table_0
        stg     %r2,0(%r1)
        larl    %r3,page_table_program
        stg     %r3,8*PROGRAM_SEGMENT(%r1)
        lghi    %r4,0
        lghi    %r5,256
1:      stg     %r4,0(%r2)
        aghi    %r4,4096
        la      %r2,8(%r2)
        brctg   %r5,1b
        larl    %r6,program_bss
        lgfi    %r7,0x400000
        llilf   %r4,PROGRAM_REAL
        lghi    %r5,256
2:      lgr     %r8,%r4
        clgr    %r7,%r6
        jl      3f
        oill    %r8,0x400
3:      clgfi   %r4,PROGRAM_REAL+4096*PROGRAM_PAGES
        jl      4f
        lghi    %r8,0x400
4:      stg     %r8,0(%r3)
        aghi    %r4,4096
        aghi    %r7,4096
        la      %r3,8(%r3)
        brctg   %r5,2b
        br      %r14
        .size   make_tables,.-make_tables

/* Storage key 8 for the program's frames; everything else keeps 0. */
        .type   set_keys,@function
set_keys:
        llilf   %r1,PROGRAM_REAL
        lghi    %r2,PROGRAM_PAGES
        lghi    %r3,0x80
0:      sske    %r3,%r1
        aghi    %r1,4096
        brctg   %r2,0b
        br      %r14
        .size   set_keys,.-set_keys

/* ---- Console: SERVICE CALL, line mode ---- */

/* %r2 command, %r3 SCCB; waits for the service signal. */
        .type   sclp_call,@function
sclp_call:
        larl    %r1,signalled
        mvi     0(%r1),0
0:      .insn   rre,0xb2200000,%r2,%r3  # SERVICE CALL
        brc     2,0b                    # busy
        bnzr    %r14                    # not operational: no console
1:      cli     0(%r1),0
        bner    %r14
        larl    %r4,enabled_wait
        larl    %r5,1b
        stg     %r5,8(%r4)
        lpswe   0(%r4)
        .size   sclp_call,.-sclp_call

        .type   sclp_open,@function
sclp_open:
        stg     %r14,48(%r15)
        llilf   %r2,0x00780005          # write event mask
        larl    %r3,mask_sccb
        brasl   %r14,sclp_call
        lg      %r14,48(%r15)
        br      %r14
        .size   sclp_open,.-sclp_open

/* %r2 text, %r3 length (1-120): one line on the console. */
        .type   write_line,@function
write_line:
        stg     %r14,56(%r15)
        larl    %r4,line_sccb
        larl    %r5,line_text
        lghi    %r1,119
        aghi    %r3,-1                  # length code
        bmr     %r14
        clgr    %r3,%r1
        jle     0f
        lgr     %r3,%r1
0:      larl    %r1,copy_text
        ex      %r3,0(%r1)
        larl    %r1,translate_text
        larl    %r6,ebcdic
        ex      %r3,0(%r1)
        la      %r1,line_text-line_object+1(%r3)
        sth     %r1,line_object-line_sccb(%r4)
        la      %r1,line_text-line_block+1(%r3)
        sth     %r1,line_block-line_sccb(%r4)
        la      %r1,line_text-line_event+1(%r3)
        sth     %r1,line_event-line_sccb(%r4)
        la      %r1,line_text-line_sccb+1(%r3)
        sth     %r1,0(%r4)
        xc      6(2,%r4),6(%r4)         # response code
        mvi     line_event-line_sccb+3(%r4),0
        llilf   %r2,0x00760005          # write event data
        lgr     %r3,%r4
        brasl   %r14,sclp_call
        lg      %r14,56(%r15)
        br      %r14
copy_text:
        mvc     0(1,%r5),0(%r2)
translate_text:
        tr      0(1,%r5),0(%r6)
        .size   write_line,.-write_line

/* ---- Interruptions ---- */
        .type   svc_handler,@function
svc_handler:
        stmg    %r0,%r15,SAVE_SVC(0)
        larl    %r15,stack_end-160
        llgh    %r1,0x8a                # SVC interruption code
        clgfi   %r1,3
        jh      svc_unknown
        sllg    %r1,%r1,3
        larl    %r4,svc_table
        lg      %r1,0(%r1,%r4)
        basr    %r14,%r1
svc_return:
        stg     %r2,SAVE_SVC+16(0)
        mvc     PSW_SVC(16,0),0x140(0)
        lmg     %r0,%r15,SAVE_SVC(0)
        lpswe   PSW_SVC(0)
svc_unknown:
        lghi    %r2,-1
        j       svc_return
        .size   svc_handler,.-svc_handler

svc_end:
        larl    %r1,stop_bad
        ltgr    %r2,%r2
        jnz     0f
        larl    %r1,stop_good
0:      lpswe   0(%r1)

svc_faults:
        larl    %r1,faults
        lg      %r2,0(%r1)
        br      %r14

/* Load the controls for the program. A machine without the facility would end LRIC with an operation exception, so the
   facility list is looked at. */
        .type   svc_observe,@function
svc_observe:
        larl    %r1,facilities
        lghi    %r0,3
        stfle   0(%r1)
        tm      8(%r1),0x80             # bit 64
        jno     0f
        larl    %r3,alert_area
        stg     %r2,0(%r3)
        larl    %r1,ri_block
        .insn   rsy,0xeb0000000060,0,0,0(%r1)   # LRIC
        lghi    %r2,0
        br      %r14
0:      lghi    %r2,1
        br      %r14
        .size   svc_observe,.-svc_observe

        .type   external_handler,@function
external_handler:
        stmg    %r0,%r15,SAVE_EXTERNAL(0)
        llgh    %r2,0x86                # external-interruption code
        clgfi   %r2,0x2401
        je      service_signal
        clgfi   %r2,0x1407
        je      measurement_alert
external_return:
        mvc     PSW_EXTERNAL(16,0),0x130(0)
        ni      PSW_EXTERNAL+1(0),0xfd            # leave the wait state
        lmg     %r0,%r15,SAVE_EXTERNAL(0)
        lpswe   PSW_EXTERNAL(0)
service_signal:
        larl    %r1,signalled
        mvi     0(%r1),1
        j       external_return
measurement_alert:
        larl    %r1,alert_area
        ltg     %r1,0(%r1)
        jz      external_return
        asi     0(%r1),1
        mvc     4(4,%r1),0x80(0)        # external-interruption parameter
        j       external_return
        .size   external_handler,.-external_handler

/* A page of the program that is touched for the first time becomes valid and the instruction is tried again; every
   other program interruption is reported, and ends the run. */
        .type   program_handler,@function
program_handler:
        stmg    %r0,%r15,SAVE_PROGRAM(0)
        llgh    %r2,0x8e                # program-interruption code
        clgfi   %r2,0x11
        jne     program_error
        lg      %r3,0xa8                # translation-exception identification
        srlg    %r3,%r3,12
        aghi    %r3,-0x400              # page of the program
        clgfi   %r3,PROGRAM_PAGES
        jnl     program_error
        sllg    %r3,%r3,3
        larl    %r4,page_table_program
        lg      %r5,0(%r3,%r4)
        nill    %r5,0xf000
        stg     %r5,0(%r3,%r4)
        larl    %r1,faults
        agsi    0(%r1),1
        mvc     PSW_PROGRAM_CHECK(16,0),0x150(0)
        lmg     %r0,%r15,SAVE_PROGRAM(0)
        lpswe   PSW_PROGRAM_CHECK(0)
program_error:
        larl    %r15,stack_end-160
        larl    %r3,error_text
        aghi    %r3,error_code-error_text
        lgr     %r4,%r2
        lghi    %r5,4
        brasl   %r14,hexadecimal
        larl    %r3,error_text
        aghi    %r3,error_address-error_text
        lg      %r4,0x158               # program old PSW, address
        lghi    %r5,16
        brasl   %r14,hexadecimal
        larl    %r2,error_text
        lghi    %r3,error_text_end-error_text
        brasl   %r14,write_line
        larl    %r1,stop_bad
        lpswe   0(%r1)
        .size   program_handler,.-program_handler

/* The %r5 rightmost hexadecimal digits of %r4 at %r3. */
        .type   hexadecimal,@function
hexadecimal:
        lgr     %r1,%r4
        nill    %r1,15
        nihf    %r1,0
        nilh    %r1,0
        larl    %r6,digits
        ic      %r1,0(%r1,%r6)
        la      %r6,0(%r3,%r5)
        aghi    %r6,-1
        stc     %r1,0(%r6)
        srlg    %r4,%r4,4
        brctg   %r5,hexadecimal
        br      %r14
        .size   hexadecimal,.-hexadecimal

/* ---- Data ---- */
        .section .nucleus_data,"aw",@progbits
to_translated:  .quad   PSW_KERNEL, translated
to_program:     .quad   PSW_PROGRAM, program_start
enabled_wait:   .quad   PSW_WAIT_ENABLED, 0
stop_good:      .quad   PSW_STOP, 0xfff
stop_bad:       .quad   PSW_STOP, 0xbad
control_registers:
        .quad   CR0_VALUE, segment_table, 0, 0, 0, 0, 0, segment_table
        .quad   0, 0, 0, 0, 0, segment_table, 0, 0
svc_table:      .quad   svc_end, write_line, svc_observe, svc_faults
ri_block:       # controls: V S K Ps Pc U, key 8; the buffer is empty until the program names one
        .quad   0, 0, 0xfff
        .long   0xe0a28000, 0
        .quad   0, 0, 0, 0
alert_area:     .quad   0
faults:         .quad   0
facilities:     .space  32
        .balign 2
signalled:      .byte   0
        .balign 2
digits:         .ascii  "0123456789ABCDEF"
        .balign 2
error_text:     .ascii  "program interruption "
error_code:     .ascii  "0000 at "
error_address:  .ascii  "0000000000000000"
error_text_end:
        .balign 8
mask_sccb:      # write event mask: we send messages (type 2), receive nothing
        .short  28
        .byte   0, 0, 0, 0
        .short  0
        .short  0, 4
        .long   0, 0x40000000, 0, 0
        .balign 8
line_sccb:      # write event data: one line of text
        .short  0
        .byte   0, 0, 0, 0
        .short  0
line_event:     .short  0
        .byte   2, 0
        .short  0
line_block:     .short  0, 1
        .long   0xd4c4c240, 1
        .short  56, 1                   # general object
        .space  52
line_object:    .short  0, 4
        .short  0x1000
        .byte   0, 0, 0, 0
line_text:      .space  128
        .balign 16
ebcdic:
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40
        .byte   0x40,0x5a,0x7f,0x7b,0x5b,0x6c,0x50,0x7d,0x4d,0x5d,0x5c,0x4e,0x6b,0x60,0x4b,0x61
        .byte   0xf0,0xf1,0xf2,0xf3,0xf4,0xf5,0xf6,0xf7,0xf8,0xf9,0x7a,0x5e,0x4c,0x7e,0x6e,0x6f
        .byte   0x7c,0xc1,0xc2,0xc3,0xc4,0xc5,0xc6,0xc7,0xc8,0xc9,0xd1,0xd2,0xd3,0xd4,0xd5,0xd6
        .byte   0xd7,0xd8,0xd9,0xe2,0xe3,0xe4,0xe5,0xe6,0xe7,0xe8,0xe9,0xba,0xe0,0xbb,0xb0,0x6d
        .byte   0x79,0x81,0x82,0x83,0x84,0x85,0x86,0x87,0x88,0x89,0x91,0x92,0x93,0x94,0x95,0x96
        .byte   0x97,0x98,0x99,0xa2,0xa3,0xa4,0xa5,0xa6,0xa7,0xa8,0xa9,0xc0,0x4f,0xd0,0xa1,0x40
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40
        .byte   0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40,0x40

        .section .nucleus_bss,"aw",@nobits
        .balign 4096
segment_table:          .space  4096
page_table_0:           .space  2048
page_table_program:     .space  2048
stack:                  .space  4096
stack_end:
