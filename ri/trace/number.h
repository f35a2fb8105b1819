/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception numbers (EN): 9 bits that stand for class and code of an interruption. */
#ifndef ZRI_RI_TRACE_NUMBER_H
#define ZRI_RI_TRACE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define ET_NUMBERS   512u
#define ET_NORMAL    0u
#define ET_EN_PGM    0x080u
#define ET_EN_SVC    0x100u
#define ET_EN_IO     0x008u
#define ET_NAME_SIZE 48u

/* In the order of the class bits of ETSL. */
enum et_class {
    ET_RESTART,
    ET_EXIGENT,
    ET_REPRESSIBLE,
    ET_EXTERNAL,
    ET_IO,
    ET_PROGRAM,
    ET_SVC,
    ET_CLASSES,
    ET_CLASS_NONE = ET_CLASSES /* of NORMAL and of reserved numbers */
};

/* EN of an interruption. `code`: SVC number, program code, external code, for ET_IO the interruption subclass 0-7; not
   looked at for the other classes. Total: what has no number of its own has that of the rest of its class. */
unsigned et_number(enum et_class class, uint64_t code);
enum et_class et_number_class(unsigned en);
/* Priority number (1-7) of a class; 1 is honoured first. */
unsigned et_class_priority(enum et_class class);
const char *et_class_name(enum et_class class);

/* Name of a program-interruption code without PER and abort bits, NULL when it has none: handed in, as it is known
 * above. */
typedef const char *et_program_name(unsigned code);
/* "NORMAL", "SVC 10", "I/O isc 5", "EXT clock-comparator", "PGM 11 page-translation", "MCK repressible", ... into
   `name`, which is returned. `program` may be NULL. */
char *et_number_name(unsigned en, et_program_name *program, char name[ET_NAME_SIZE]);

#endif
