/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception numbers: from class and code, and back to a name. */
#include "ri/trace/number.h"
#include <stdio.h>
#include <string.h>

/* External interruptions that have a number of their own. */
static const struct external {
    uint16_t code, en;
    const char *name;
} externals[] = {
    {0x1004, 0x004, "clock-comparator"},
    {0x1005, 0x005, "cpu-timer"},
    {0x1201, 0x006, "emergency-signal"},
    {0x1202, 0x007, "external-call"},
    {0x0040, 0x010, "interrupt-key"},
    {0x1200, 0x011, "malfunction-alert"},
    {0x1406, 0x012, "timing-alert"},
    {0x1407, 0x013, "measurement-alert"},
    {0x2401, 0x014, "service-signal"},
    {0x1003, 0x015, "tod-sync-check"},
    {0x1007, 0x016, "warning-track"},
    {0x2603, 0x017, "2603"},
    {0x4000, 0x018, "4000"},
};
#define EXTERNALS     (sizeof externals / sizeof *externals)
#define OTHER         0x01fu /* any other external code */
#define PROGRAM_SET   0x280u /* PER, transaction abort: beside the code proper */
#define OTHER_PROGRAM 0x0ffu

static unsigned external_number(unsigned code)
{
    for (size_t i = 0; i < EXTERNALS; i++)
        if (externals[i].code == code)
            return externals[i].en;
    return OTHER;
}

static unsigned program_number(unsigned code)
{
    const unsigned proper = code & ~PROGRAM_SET;
    if (proper == 0x119)
        return 0x0f9;
    return proper & 0xff80 ? OTHER_PROGRAM : ET_EN_PGM | proper;
}

unsigned et_number(enum et_class class, uint64_t code)
{
    switch (class) {
    case ET_RESTART:
        return 1;
    case ET_EXIGENT:
        return 2;
    case ET_REPRESSIBLE:
        return 3;
    case ET_EXTERNAL:
        return external_number((uint16_t)code);
    case ET_IO:
        return ET_EN_IO | (code & 7);
    case ET_PROGRAM:
        return program_number((uint16_t)code);
    case ET_SVC:
        return ET_EN_SVC | (code & 0xff);
    default:
        return ET_NORMAL;
    }
}

enum et_class et_number_class(unsigned en)
{
    if (en >= ET_EN_SVC)
        return ET_SVC;
    if (en >= ET_EN_PGM)
        return ET_PROGRAM;
    if (en >= ET_EN_IO && en < ET_EN_IO + 8)
        return ET_IO;
    if (en >= 1 && en <= 3)
        return (enum et_class)(en - 1);
    if ((en >= 4 && en <= 0x018) || en == OTHER)
        return ET_EXTERNAL;
    return ET_CLASS_NONE;
}

unsigned et_class_priority(enum et_class class)
{
    static const uint8_t priority[ET_CLASSES] = {7, 1, 4, 5, 6, 3, 2};
    return class < ET_CLASSES ? priority[class] : 0;
}

const char *et_class_name(enum et_class class)
{
    static const char *const names[ET_CLASSES] = {
        "restart", "exigent-machine-check", "repressible-machine-check", "external", "io", "program", "svc"};
    return class < ET_CLASSES ? names[class] : "normal";
}

static char *external_name(unsigned en, char name[ET_NAME_SIZE])
{
    for (size_t i = 0; i < EXTERNALS; i++)
        if (externals[i].en == en) {
            snprintf(name, ET_NAME_SIZE, "EXT %s", externals[i].name);
            return name;
        }
    return strcpy(name, "EXT other");
}

static char *program_text(unsigned en, et_program_name *program, char name[ET_NAME_SIZE])
{
    const unsigned code = en == 0x0f9 ? 0x119 : en & 0x7f;
    const char *text = program && en != OTHER_PROGRAM ? program(code) : NULL;
    if (en == OTHER_PROGRAM)
        strcpy(name, "PGM other");
    else if (!code)
        strcpy(name, "PGM per-event");
    else
        snprintf(name, ET_NAME_SIZE, "PGM %02X%s%s", code, text ? " " : "", text ? text : "");
    return name;
}

char *et_number_name(unsigned en, et_program_name *program, char name[ET_NAME_SIZE])
{
    switch (et_number_class(en)) {
    case ET_RESTART:
        return strcpy(name, "restart");
    case ET_EXIGENT:
        return strcpy(name, "MCK exigent");
    case ET_REPRESSIBLE:
        return strcpy(name, "MCK repressible");
    case ET_EXTERNAL:
        return external_name(en, name);
    case ET_IO:
        snprintf(name, ET_NAME_SIZE, "I/O isc %u", en & 7);
        return name;
    case ET_PROGRAM:
        return program_text(en, program, name);
    case ET_SVC:
        snprintf(name, ET_NAME_SIZE, "SVC %u", en & 0xff);
        return name;
    default:
        if (en == ET_NORMAL)
            return strcpy(name, "NORMAL");
        snprintf(name, ET_NAME_SIZE, "reserved %03X", en & 0x1ff);
        return name;
    }
}
