/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of SIGNAL PROCESSOR by name; the callouts are declared in machine.h. */
#ifndef ZRI_EMU_MACHINE_SIGP_H
#define ZRI_EMU_MACHINE_SIGP_H

/* PoP's name of an order code. */
const char *machine_sigp_name(unsigned order) __attribute__((const));

#endif
