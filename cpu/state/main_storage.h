/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Absolute storage: bytes, storage keys, and what the decoded-block engines keep about each page. PoP chapter 3. */
#ifndef ZRI_CPU_STATE_MAIN_STORAGE_H
#define ZRI_CPU_STATE_MAIN_STORAGE_H

#include "base/bits.h"

#define PAGE_SIZE_Z  4096u
#define PAGE_BITS    12
#define PAGE_ADDRESS (~UINT64_C(0xfff))

/* Storage-key byte as SSKE has it in bits 56-62: ACC 0xf0, F 0x08, R 0x04, C 0x02. */
#define KEY_ACC 0xf0
#define KEY_F   0x08
#define KEY_R   0x04
#define KEY_C   0x02

/* Page flags. */
#define PAGE_TABLES    0x01 /* some of `table_entries` in this page is marked */
#define PAGE_PROFILED  0x02 /* a program that is profiled has fetched from this page */
#define PAGE_UNCHANGED 0x40 /* nothing was stored into this page since somebody who keeps what it was set this bit */
/* What the guest said of the page, as EXTRACT AND SET STORAGE ATTRIBUTES shows it: zero is stable. */
#define PAGE_STABLE               0x00
#define PAGE_UNUSED               0x04
#define PAGE_POTENTIALLY_VOLATILE 0x08
#define PAGE_VOLATILE             0x0c
#define PAGE_NO_DAT               0x20 /* no translation tables are in it */
#define PAGE_STATE                (PAGE_VOLATILE | PAGE_NO_DAT)

struct storage {
    uint8_t *bytes;       /* absolute address 0; size bytes, followed by readable slack of one page */
    uint64_t size;        /* bytes that can be addressed, a multiple of 1 MiB */
    uint64_t total;       /* bytes there are: more than `size` while some are in standby */
    uint64_t told;        /* how often somebody outside the accessors told that he stored; not with threads */
    uint8_t *keys;        /* one storage-key byte for each 4K-byte block */
    uint64_t *code_lines; /* one word for each 4K-byte block: bit n (1<<n) = 64-byte line n holds decoded code */
    uint64_t *slots; /* likewise: bit n (1<<n) = there may be a TLB entry for this block in slots 8n to 8n+7 of some
                        context of some CPU */
    uint64_t *write_slots; /* some of these: bit n (1<<n) = a TLB entry in slots 8n to 8n+7 of some context of some CPU
                              lets stores to this block through without asking */
    uint64_t (*table_entries)[8]; /* likewise eight words: bit n (1<<n) of word w = doubleword 64w+n is a table entry
                                     that some CPU keeps translations from (not with threads) */
    uint8_t *page_flags;
    uint8_t *page_changes; /* saturating count of modifications of code in this page */
};

/* True when [address, address+length) lies in the storage. */
static inline bool storage_has(const struct storage *s, uint64_t address, uint64_t length)
{
    return address < s->size && length <= s->size - address;
}

/* Something was stored, or is about to be, into the block that an absolute address in storage is in. PAGE_UNCHANGED is
   never set with threads. */
static inline void storage_note_change(const struct storage *s, uint64_t absolute)
{
    uint8_t *flags = &s->page_flags[absolute >> PAGE_BITS];
    if (UNLIKELY(*flags & PAGE_UNCHANGED))
        *flags &= (uint8_t)~PAGE_UNCHANGED;
}

/* The storage key of the block that an absolute address in storage is in. With threads other CPUs may be recording
   references and changes in it. */
static inline uint8_t storage_key(const struct storage *s, uint64_t absolute)
{
    return __atomic_load_n(&s->keys[absolute >> PAGE_BITS], __ATOMIC_RELAXED);
}

#endif
