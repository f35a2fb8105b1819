/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dynamic address translation: aliases, protection, the translation exceptions with their identification, invalidation,
   a change of the space, three-level tables, LOAD REAL ADDRESS, code seen through two addresses. */
        .include "bare.inc"
        .set    WINDOW, 0x100000        # segment 1
        LOW_STORAGE
start:  larl    %r15,stack_end-160
        brasl   %r14,tables
        larl    %r1,controls
        lctlg   %c0,%c15,0(%r1)
        larl    %r1,to_translated
        lpswe   0(%r1)
translated:
        lghi    %r12,20
round:  brasl   %r14,aliases
        brasl   %r14,exceptions
        brasl   %r14,invalidation
        brasl   %r14,code_alias
        brasl   %r14,real_addresses
        brasl   %r14,other_space
        brctg   %r12,round
        FINISH

/* Segment 0 maps to itself; the window has the pages listed at window_pages; segment 2 is protected and is segment 0
   otherwise; the others are invalid. */
        .type   tables,@function
tables: larl    %r2,segment_table
        larl    %r3,segment_table_2
        larl    %r4,region_table
        lghi    %r5,512
        lghi    %r6,0x20
        lghi    %r7,0x24                # region-third entries: table type 01
0:      stg     %r6,0(%r2)
        stg     %r6,0(%r3)
        stg     %r7,0(%r4)
        la      %r2,8(%r2)
        la      %r3,8(%r3)
        la      %r4,8(%r4)
        brctg   %r5,0b
        larl    %r2,segment_table
        larl    %r3,segment_table_2
        larl    %r4,page_table_0
        stg     %r4,0(%r2)
        stg     %r4,0(%r3)
        oill    %r4,0x200
        stg     %r4,16(%r2)
        larl    %r4,page_table_w
        stg     %r4,8(%r2)
        larl    %r4,page_table_w2
        stg     %r4,8(%r3)
        larl    %r4,page_table_0
        lghi    %r5,256
        lghi    %r6,0
        MAP_FRAMES %r4, %r6, %r5
        larl    %r4,page_table_w
        larl    %r5,page_table_w2
        lghi    %r6,256
        lghi    %r7,0x400
2:      stg     %r7,0(%r4)
        stg     %r7,0(%r5)
        la      %r4,8(%r4)
        la      %r5,8(%r5)
        brctg   %r6,2b
        larl    %r4,page_table_w
        larl    %r5,window_pages
        mvc     0(48,%r4),0(%r5)
        larl    %r5,page_table_w2
        larl    %r6,frame_b
        stg     %r6,0(%r5)
        larl    %r2,segment_table       # two region-third entries: 0 and 3 lead to the same segment table
        oill    %r2,0x07                # table type 01, length 4 x 64 entries ... all of it
        larl    %r4,region_table
        stg     %r2,0(%r4)
        stg     %r2,24(%r4)
        br      %r14
        .size   tables,.-tables

        .type   aliases,@function
aliases:
        lgr     %r11,%r14
        llilf   %r2,WINDOW
        lgfi    %r3,0x1234567
        stg     %r3,0x100(%r2)
        llilf   %r4,WINDOW+4096
        lg      %r5,0x100(%r4)
        CHECK_EQ %r5, 0x1234567
        larl    %r6,frame_a
        lg      %r5,0x100(%r6)
        CHECK_EQ %r5, 0x1234567
        mvc     0xffe(4,%r2),0x100(%r2) # from page 0 into page 1, the same frame
        lgf     %r5,0xffe(%r2)
        CHECK_EQ %r5, 0
        br      %r11
        .size   aliases,.-aliases

        .macro  IDENTIFICATION value, bits
        lg      %r5,0xa8
        lgfi    %r4,\bits
        ngr     %r5,%r4
        CHECK_EQ %r5, \value
        .endm

        .type   exceptions,@function
exceptions:
        lgr     %r11,%r14
        llilf   %r2,WINDOW+0x2010
        EXPECT  0x04,1f                 # protected page
        mvi     0(%r2),1
1:      IDENTIFICATION WINDOW+0x2004, ~0xffb
        lg      %r5,0(%r2)
        EXPECT  0x11,2f                 # invalid page
        lg      %r5,0xff8(%r2)
2:      IDENTIFICATION WINDOW+0x3000, ~0xffc
        lg      %r5,0x158
        larl    %r4,2b-6                # nullified: the old PSW designates the instruction
        sgr     %r5,%r4
        CHECK_EQ %r5, 0
        llgh    %r5,0x8c
        CHECK_EQ %r5, 6
        llilf   %r2,0x200000            # protected segment
        l       %r5,0x200(%r2)
        EXPECT  0x04,3f
        st      %r5,0x200(%r2)
3:      IDENTIFICATION 0x200004, ~0xffb
        llilf   %r2,0x300000            # invalid segment
        EXPECT  0x10,4f
        l       %r5,0(%r2)
4:      IDENTIFICATION 0x300000, ~0xffc
        llilf   %r2,0x20000000          # behind the segment table
        EXPECT  0x10,5f
        l       %r5,0(%r2)
5:      llilf   %r2,0x80000000          # not for a segment-table designation
        EXPECT  0x38,6f
        l       %r5,0(%r2)
6:      llilf   %r2,WINDOW+0x1ff0       # a store over two pages of which the second is protected
        lg      %r3,8(%r2)
        lghi    %r6,-1
        EXPECT  0x04,7f
        stg     %r6,12(%r2)
7:      lg      %r4,8(%r2)
        cgrje   %r3,%r4,8f
        brasl   %r14,failed
8:      llilf   %r2,WINDOW+0x3000       # an instruction fetch
        EXPECT  0x11,9f
        br      %r2
9:      br      %r11
        .size   exceptions,.-exceptions

        .type   invalidation,@function
invalidation:
        lgr     %r11,%r14
        larl    %r3,page_table_w
        larl    %r4,frame_b
        mvghi   0(%r4),77
        stg     %r4,24(%r3)             # page 3 becomes valid
        llilf   %r2,WINDOW+0x3000
        lg      %r5,0(%r2)
        CHECK_EQ %r5, 77
        ipte    %r3,%r2
        tm      24+6(%r3),4
        jo      1f
        brasl   %r14,failed
1:      EXPECT  0x11,2f
        lg      %r5,0(%r2)
2:      larl    %r4,frame_a             # now another frame
        stg     %r4,24(%r3)
        mvghi   0(%r4),78
        lg      %r5,0(%r2)
        CHECK_EQ %r5, 78
        lghi    %r4,0x400
        stg     %r4,24(%r3)
        ptlb
        EXPECT  0x11,3f
        lg      %r5,0(%r2)
3:      br      %r11
        .size   invalidation,.-invalidation

        .type   code_alias,@function
code_alias:
        lgr     %r11,%r14
        llilf   %r3,WINDOW+0x4000
        llilf   %r4,WINDOW+0x5000
        lghi    %r7,0
        lghi    %r8,50
1:      sth     %r8,2(%r4)
        basr    %r14,%r3
        agr     %r7,%r2
        brctg   %r8,1b
        CHECK_EQ %r7, 1275
        br      %r11
        .size   code_alias,.-code_alias

        .type   real_addresses,@function
real_addresses:
        lgr     %r11,%r14
        llilf   %r3,WINDOW+0x1abc
        lrag    %r2,0(%r3)
        CHECK_CC 8
        larl    %r4,frame_a
        aghi    %r4,0xabc
        cgrje   %r2,%r4,1f
        brasl   %r14,failed
1:      llilf   %r3,WINDOW+0x3abc
        lrag    %r2,0(%r3)
        CHECK_CC 2
        llilf   %r3,0x300000
        lrag    %r2,0(%r3)
        CHECK_CC 4
        larl    %r4,frame_a
        mvghi   8(%r4),99
        lurag   %r5,%r4
        la      %r4,8(%r4)
        lurag   %r5,%r4
        CHECK_EQ %r5, 99
        br      %r11
        .size   real_addresses,.-real_addresses

/* Another primary space, then one with three levels. */
        .type   other_space,@function
other_space:
        lgr     %r11,%r14
        larl    %r3,frame_a
        larl    %r4,frame_b
        mvghi   16(%r3),1
        mvghi   16(%r4),2
        llilf   %r2,WINDOW
        lghi    %r7,0
        lghi    %r8,100
1:      ag      %r7,16(%r2)
        larl    %r1,space_2
        lctlg   %c1,%c1,0(%r1)
        ag      %r7,16(%r2)
        larl    %r1,space_1
        lctlg   %c1,%c1,0(%r1)
        brctg   %r8,1b
        CHECK_EQ %r7, 300
        larl    %r1,space_3
        lctlg   %c1,%c1,0(%r1)
        llihf   %r2,1                   # 4 GiB + 2 GiB + the window: region-third entry 3
        oilf    %r2,0x80000000+WINDOW
        lg      %r5,16(%r2)
        CHECK_EQ %r5, 1
        llihf   %r2,1
        EXPECT  0x3b,2f
        lg      %r5,0(%r2)
2:      larl    %r1,space_1
        lctlg   %c1,%c1,0(%r1)
        br      %r11
        .size   other_space,.-other_space

        .type   external_interruption,@function
external_interruption:
svc_interruption:
        larl    %r14,.
        j       failed
        PROGRAM_INTERRUPTION
        .balign 16
to_translated:  .quad   PSW_64+0x0400000000000000, translated
controls:       .quad   0x40000, segment_table, 0, 0, 0, 0, 0, segment_table
                .quad   0, 0, 0, 0, 0, segment_table, 0, 0
space_1:        .quad   segment_table
space_2:        .quad   segment_table_2
space_3:        .quad   region_table+7
window_pages:   .quad   frame_a, frame_a, frame_b+0x200, 0x400, frame_code, frame_code
        .balign 4096
frame_code:
        lghi    %r2,0
        br      %r14
        .bss
        .balign 4096
segment_table:  .space  4096
segment_table_2: .space 4096
region_table:   .space  4096
page_table_0:   .space  2048
page_table_w:   .space  2048
page_table_w2:  .space  2048
        .balign 4096
frame_a:        .space  4096
frame_b:        .space  4096
stack:  .space  8192
stack_end:
