/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the nucleus and the run-time have in common: types, places, services. */
#ifndef MRVM_H
#define MRVM_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef short s16v;
typedef int s32;
typedef long s64;
#define NULL     ((void *)0)
#define MUST_USE __attribute__((warn_unused_result))

/* Virtual addresses in an application's space. */
#define APP_START    0x100000ul
#define CODE_START   0x200000ul /* code cache */
#define CODE_SIZE    0x100000ul
#define BUFFER_START 0x300000ul /* program buffer */
#define BUFFER_SIZE  0x10000ul
#define QUIET_BUFFER 0x310000ul /* of the transparency test */
#define TABLE_START  0x400000ul /* which call site a halfword of the code cache is */
#define TABLE_SIZE   0x200000ul
#define HEAP_START   0x600000ul
#define HEAP_SIZE    0x600000ul
#define STACK_START  0xc00000ul /* frames of the virtual machine */
#define STACK_SIZE   0x100000ul
#define NATIVE_END   0xe00000ul /* the stack of C, downwards */
#define APP_END      0xe00000ul

/* Real addresses. */
#define ARGUMENTS  0x10480ul
#define IMAGE      0x400000ul
#define FRAMES(n)  (0x1000000ul + (n)*0x1000000ul) /* of space n */
#define REAL(n, v) ((v)-APP_START + FRAMES(n))

enum service {
    SVC_WRITE = 1,   /* r2 text, r3 length: a line */
    SVC_EXIT = 2,    /* r2 code */
    SVC_RETIRED = 3, /* r2: instructions of this CPU */
    SVC_PERMIT = 4,  /* r2: 0, or 1: no run-time instrumentation here */
    SVC_MARK = 5,    /* r2: value of a MARK packet of exception trace */
    SVC_CODE = 6,    /* the code cache may be used */
    /* For the negative tests. */
    SVC_LRIC = 16,     /* r2: control block */
    SVC_PAGE = 17,     /* r2 address, r3 page-table bits, r4 storage key */
    SVC_CHECKS = 18,   /* r2: address of struct checks to be filled in; program interruptions come back from here on */
    SVC_COUNTED = 19,  /* r2: supervisor calls so far, this one not among them */
    SVC_STRIC = 21,    /* r2: control block to be filled in */
    SVC_SWITCHES = 22, /* r2: switches between the address spaces so far */
    SVC_AGAIN = 23,    /* r2: control block that is loaded whenever the CPU timer strikes */
    SVC_RI = 24,       /* r2: 0 or 1, PSW bit 24 */
};

/* What the nucleus tells a run-time when it starts, in its registers 2 and 3: text of --append, flags. */
enum boot_flag { BOOT_COUNTERS = 1, BOOT_RI = 2, BOOT_SPACE_B = 4 };

/* The latest program interruption that came back, and how many there were. */
struct checks {
    u64 count, code, length_code, teid, address;
    u64 alerts, parameter; /* measurement alerts */
};

/* Run-time-instrumentation control block. */
struct riccb {
    u64 rca, roa, rla;
    u32 word6, word7;
    u64 reserved, sf, rsic, end;
};
#define W6_V   0x80000000u
#define W6_S   0x40000000u
#define W6_K   0x20000000u
#define W6_PS  0x00800000u
#define W6_QS  0x00400000u
#define W6_PC  0x00200000u
#define W6_QC  0x00100000u
#define W6_U   0x00020000u
#define W6_KEY 0x00008000u /* key 8 */
#define W7_M1  0x10000000u
#define W7_M2  0x20000000u
#define W7_N   0x08000000u
#define W7_C   0x00800000u
#define W7_R   0x00400000u
#define W7_B   0x00200000u
#define W7_E   0x00080000u
#define W7_F   0x00000100u

void *memset(void *to, int c, u64 n);
void *memcpy(void *to, const void *from, u64 n);

#endif
