/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EBCDIC (code page 500, which Linux uses too) for consoles and for what identifies the machine. */
#ifndef ZRI_BASE_EBCDIC_H
#define ZRI_BASE_EBCDIC_H

#include <stddef.h>

/* One character of EBCDIC as ISO 8859-1, and back. */
unsigned char ebcdic_to_latin(unsigned char c);
unsigned char ebcdic_from_latin(unsigned char c);

/* `text` in EBCDIC, filled with blanks to `length` bytes; no end mark. */
void ebcdic_text(const char *text, unsigned char *to, size_t length);

#endif
