/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines and call frames of what runs, from the images that were loaded and the files of the command symbols. */
#ifndef ZRI_EMU_CONSOLE_BASE_SOURCE_H
#define ZRI_EMU_CONSOLE_BASE_SOURCE_H

#include "emu/symbols/unwind.h"

struct console;

/* The file that has the code at an address; NULL: none that is known. Images are opened when the first one asks. */
struct symbols_file *source_file(struct console *c, uint64_t address);
/* "FILE:LINE" of an instruction, or "". */
void source_line(struct console *c, uint64_t address, char *text, size_t size);

/* The text of the line; "": it cannot be had. */
struct source_text {
    char words[160];
    bool newer; /* the text is newer than the program: it may be another one */
};
struct source_text source_text(struct console *c, uint64_t address);
/* One more file; the console keeps it. 0, or a negative errno with a sentence. */
int source_add(struct console *c, const char *argument, struct symbols_file **file, char *error, size_t size) MUST_USE;
/* FILE, or FILE@ADDRESS, is an ELF file. */
bool source_is_elf(const char *argument);
/* All are closed. */
void source_close(struct console *c);

#endif
