/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a debugger asks of a file with symbols: where code comes from, and who called it: from call-frame information
   (DWARF) by libdw, and where it is missing by the back chain of the s390x ELF ABI. Addresses are those of the run. */
#ifndef ZRI_EMU_SYMBOLS_UNWIND_H
#define ZRI_EMU_SYMBOLS_UNWIND_H

#include "base/bits.h"
#include <stdbool.h>
#include <stddef.h>

struct symbols_file;
struct symbols_texts;

/* FILE or FILE@ADDRESS, as symbols_add(). */
int symbols_file_open(const char *argument, struct symbols_file **file, char *error, size_t size) MUST_USE;
void symbols_file_close(struct symbols_file *file); /* NULL: nothing */
/* Does it have this code? */
bool symbols_file_has(const struct symbols_file *file, uint64_t address);
/* The source of an instruction: "FILE:LINE", "" when it is not known. */
void symbols_file_line(struct symbols_file *file, uint64_t address, char *text, size_t size);
/* The text of that line: in the file that the debugging information names, or in one of its name beside the file with
   the code. "" when there is none. `newer`: that text was changed after the file with the code, so that it may be
   another one. */
void symbols_file_text(struct symbols_file *file, struct symbols_texts *texts, uint64_t address, char *text,
                       size_t size, bool *newer);
/* Function number n in the order of addresses: false: there are not so many. */
bool symbols_file_function(const struct symbols_file *file, size_t n, uint64_t *start, uint64_t *end,
                           const char **name);

enum unwind_how {
    UNWIND_NONE,
    UNWIND_CFI,
    UNWIND_CHAIN,
    UNWIND_REGISTER /* the return address in general register 14 */
};

/* A frame: where it is, and its registers as far as they are known. */
struct unwind_frame {
    uint64_t ia;     /* of the instruction; in callers of the one behind the call */
    uint64_t gr[16]; /* general registers */
    uint64_t fpr[16];
    bool known[16]; /* gr[n] is that of the frame */
};

/* The guest's storage: 8 bytes at an address; false: it cannot be fetched. */
struct unwind_storage {
    void *context;
    bool (*fetch)(void *context, uint64_t address, uint8_t bytes[8]);
};

/* From the frame to its caller's, by the file that has its code (NULL, or one without information for it: by the back
   chain). `innermost`: no call has been made there. Returns how it was found, UNWIND_NONE when the frame is the last or
   nothing leads further; it is unchanged then. */
enum unwind_how symbols_unwind(struct symbols_file *file, const struct unwind_storage *storage, bool innermost,
                               struct unwind_frame *frame);

#endif
