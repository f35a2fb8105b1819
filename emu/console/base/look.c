/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at storage, instructions and symbols. */
#include "emu/console/base/look.h"
#include "disasm/dis.h"
#include "emu/console/base/base.h"
#include "emu/console/base/source.h"
#include "emu/inspect/inspect.h"
#include <inttypes.h>

uint8_t *look_page(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, unsigned *left, int *code)
{
    return inspect_page(c->cpu, space, ar, address, left, code);
}

unsigned look_fetch(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, void *to, unsigned length)
{
    return inspect_fetch(c->cpu, space, ar, address, to, length);
}

enum cpu_space look_instruction_space(const struct cpu *cpu) { return inspect_instruction_space(cpu); }

void look_symbol(struct console *c, uint64_t address, char *text, size_t size)
{
    inspect_symbol(c->session, address, text, size);
}

void look_text(const uint8_t *bytes, uint64_t address, char *text, size_t size)
{
    inspect_text(bytes, address, text, size);
}

struct look_instruction look_instruction(struct console *c, uint64_t address)
{
    struct look_instruction i = {.length = 0};
    uint8_t bytes[6] = {0};
    unsigned had = look_fetch(c, look_instruction_space(c->cpu), 0, address, bytes, sizeof bytes);
    unsigned length = dis_length(bytes[0]);
    if (had < 2 || had < length)
        return i;
    i.length = inspect_text(bytes, address, i.text, sizeof i.text);
    for (unsigned n = 0; n < i.length && n < sizeof bytes; n++)
        snprintf(i.hex + 2 * n, sizeof i.hex - 2 * n, "%02X", bytes[n]);
    look_symbol(c, address, i.symbol, sizeof i.symbol);
    source_line(c, address, i.source, sizeof i.source);
    return i;
}

unsigned look_line(struct console *c, uint64_t address, char *text, size_t size)
{
    const struct look_instruction i = look_instruction(c, address);
    if (i.length)
        snprintf(text, size, "%016" PRIX64 "  %-12s  %s%s%s%s%s%s", address, i.hex, i.text, *i.symbol ? "  <" : "",
                 i.symbol, *i.symbol ? ">" : "", *i.source ? "  " : "", i.source);
    return i.length;
}

const char *look_code_name(int code) { return inspect_code_name(code); }
