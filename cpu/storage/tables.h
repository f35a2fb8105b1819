/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation tables in storage: which of their entries translations are kept from, and that one was changed. PoP
   chapter 3, "Modification of Translation Tables": a TLB may go on with what an entry was until it is purged. Then what
   a guest sees that does not purge would depend on the moment when a page was last looked up, which is the engine's
   business. So no translation outlives its table entries: they are marked, a store over one purges what was formed from
   it, and every engine gives what the tables say. With threads, where no CPU can purge another one's translations while
   that runs, they last until they are purged, as PoP has it. */
#ifndef ZRI_CPU_STORAGE_TABLES_H
#define ZRI_CPU_STORAGE_TABLES_H

#include "cpu/storage/dat.h"

/* May an operand's translation by these table entries be entered into a context of this CPU? Not while the instruction
   may store over one of them by a host address that it was given before: it is then translated anew each time, and the
   run ends behind the instruction. One for an `instruction` to be fetched always may, and decoded code then depends on
   the entries. */
bool tables_used(struct cpu *cpu, struct tlb *tlb, const struct dat_result *dat, bool instruction) MUST_USE;
/* Another instruction is fetched by what was formed from a page-table entry, or from none (TLB_NONE). */
void tables_used_again(struct tlb *tlb, uint64_t page_entry);

/* Storage in [absolute, absolute+length), within a page, was changed or, with cpu_code_about_to_be_stored(), will be
   before the instruction ends. */
void tables_stored(struct cpu_system *sys, uint64_t absolute, unsigned length);
static inline void tables_changed(struct cpu_system *sys, uint64_t absolute, unsigned length)
{
    if (UNLIKELY(sys->storage.page_flags[absolute >> PAGE_BITS] & PAGE_TABLES))
        tables_stored(sys, absolute, length);
}

/* What was formed from the table entry at an absolute address, which was stored into, by an address-space-control
   element with that table origin, or by any, is no longer used, by this CPU alone or by all. */
void tables_purge_entry(struct cpu *cpu, uint64_t absolute, bool local);
void tables_purge_space(struct cpu *cpu, uint64_t asce, bool local);
void tables_purge(struct cpu *cpu, bool local);

#endif
