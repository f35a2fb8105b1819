/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson that is on: it stands above the console, which tells it what happens and hands it its commands. */
#ifndef ZRI_EMU_CONSOLE_TEACHER_H
#define ZRI_EMU_CONSOLE_TEACHER_H

#include "cpu/state/cpu.h"
#include "emu/console/base/base.h"

struct console_teacher {
    void *context;
    /* The commands lesson, task, hint, check and answer; as a console_function, argv[0] being the command's name. */
    int (*command)(void *context, int argc, char **argv);
    /* A command was given, number `command` of the table. */
    void (*typed)(void *context, unsigned command);
    void (*interruption)(void *context, const struct cpu *cpu, enum cpu_class class, unsigned code);
    /* An instruction was carried out; told only when `instructions`. */
    void (*instruction)(void *context, const struct cpu *cpu, const struct dis_insn *insn);
    bool instructions;
};

#endif
