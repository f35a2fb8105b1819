/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods and classes out of text. */
#ifndef MRVM_BUILD_H
#define MRVM_BUILD_H

#include "vm.h"

/* A method from its text; the number. Calls are "calls NAME ARGUMENTS", "callv SLOT ARGUMENTS". */
u32 build_method(const char *name, u32 arguments, u32 locals, const char *text);
/* A class, with the names of the methods in its slots (NULL: none); its number. */
u32 build_class(const char *name, u32 fields, const char *const methods[SLOTS]);
/* All methods are there: call sites are numbered. */
void build_link(void);
/* The program is wrong: the run ends. */
void build_fail(const char *method, const char *word) __attribute__((noreturn));
u32 method_named(const char *word, u32 length);
/* Bytes of a bytecode, and what it does to the depth of the stack (calls apart). */
u32 bytecode_length(u32 op);
s32 bytecode_effect(u32 op);

#endif
