/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code, functions and source lines of the modules of edge profiles and sample logs, from the files that the user names:
   ELF files, raw images, lists of addresses (System.map, /proc/kallsyms, what nm prints). Files are read whole, and
   nothing in them is trusted. Functions that return int give 0 or a negative errno and a sentence in `error`. */
#ifndef ZRI_EMU_SYMBOLS_SYMBOLS_H
#define ZRI_EMU_SYMBOLS_SYMBOLS_H

#include "ri/profile/build.h"
#include "ri/profile/show/source.h"

struct symbols;

/* No files. NULL: no memory. */
struct symbols *symbols_new(void) MUST_USE;
void symbols_free(struct symbols *symbols);
/* One more file: FILE or FILE@ADDRESS, its load bias in hexadecimal. -ENOENT, -EIO ...: it cannot be read; -EINVAL: it
   is damaged, or none of the kinds; -EOPNOTSUPP: this build lacks a library for it; -ENOMEM. */
int symbols_add(struct symbols *symbols, const char *argument, char *error, size_t size) MUST_USE;

/* The code for ep_build(). Modules that were told are remembered. -ENOMEM is what ep_build() returns then. */
struct ep_images symbols_images(struct symbols *symbols);
/* Where no log tells modules: all files are modules of this space, under its number in samples and that in the profile,
   at the addresses that they were given with. Errors of ep_profile_module(). */
int symbols_everywhere(struct symbols *symbols, uint32_t number, struct ep_profile *profile, uint32_t id) MUST_USE;
/* Is every file that of a module that was told? -EPERM: one is that of none. */
int symbols_all_used(const struct symbols *symbols, char *error, size_t size) MUST_USE;
/* Which file is that of which module of a settled profile. -EPERM: a file is that of none. The profile may be changed
   behind it, but for its spaces and modules. */
int symbols_bind(struct symbols *symbols, const struct ep_profile *profile, char *error, size_t size) MUST_USE;
/* Gives the profile that symbols_bind() had, or one with the same modules, the functions of the files: those that it
   had in such modules go. */
int symbols_name(const struct symbols *symbols, struct ep_profile *profile, char *error, size_t size) MUST_USE;
/* What exporters ask, about the profile that symbols_bind() had. */
struct ep_source symbols_source(struct symbols *symbols);

#endif
