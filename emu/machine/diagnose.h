/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE: the one table of function codes, what each keeps, and a place for those that devices and tools bring. */
#ifndef ZRI_EMU_MACHINE_DIAGNOSE_H
#define ZRI_EMU_MACHINE_DIAGNOSE_H

#include "cpu/state/cpu.h"

struct machine;

#define DIAGNOSE_HOOKS   8
#define DIAGNOSE_COMMAND 240 /* characters of an operator's command by code X'008' */

/* What a machine does when a guest asks to be loaded again (code X'308'). */
enum diagnose_load { DIAGNOSE_LOAD_NONE, DIAGNOSE_LOAD_CLEAR, DIAGNOSE_LOAD_NORMAL };

struct machine_diagnose {
    /* Functions that are not built into the table; see machine_hook_diagnose(). */
    struct {
        uint16_t code;
        int (*carry_out)(void *context, struct cpu *cpu, unsigned r1, unsigned r3);
        void *context;
    } hooks[DIAGNOSE_HOOKS];
    unsigned hook_count;
    /* Of the guest; cleared by every reset of the machine. */
    uint64_t control_program; /* code X'318': what the control program calls itself */
    uint64_t watchdog_at;     /* code X'288': TOD clock at which it strikes; 0: it is off */
    bool page_faults;         /* code X'258': always false, pages of this machine are never absent */
    uint8_t load;             /* enum diagnose_load: a load that the machine is to carry out when the CPUs stand */
    bool yielded;             /* codes X'044' and X'09C': the CPU gave the rest of its slice away */
};

/* DIAGNOSE; see struct cpu_callouts. A code that is not offered or is switched off: specification exception. */
int machine_diagnose(void *machine, struct cpu *cpu, uint16_t code, unsigned r1, unsigned r3);

/* Carry out `code` by a function of the caller's, in place of the table's own if it has one. The function returns 0 or
   a program-interruption code and sets the condition code itself. Returns 0 or -ENOSPC. */
int machine_hook_diagnose(struct machine *machine, uint16_t code,
                          int (*carry_out)(void *context, struct cpu *cpu, unsigned r1, unsigned r3),
                          void *context) MUST_USE;

/* Every reset of the machine. */
void diagnose_reset(struct machine *machine);

/* Looks at the watchdog; called when the clock has gone on. True: it struck, a CPU has a restart to take. */
bool diagnose_watch(struct machine *machine);
/* TOD units until the watchdog strikes, INT64_MAX: it is off. */
int64_t diagnose_next_event(struct machine *machine);

/* The codes that are offered when nothing else is said: a bit for each row of the table, row 0 on the right. */
uint32_t diagnose_default(void);
/* Change *offered by a list such as "+8,-288" (hexadecimal codes; without a sign: offered). 0 or -EINVAL with a
   sentence. */
int diagnose_change(uint32_t *offered, const char *changes, char *error, size_t size) MUST_USE;

#endif
