/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at storage, instructions and symbols. */
#include "emu/console/base/look.h"
#include "cpu/storage/dat.h"
#include "disasm/dis.h"
#include "emu/console/base/base.h"
#include "emu/console/base/source.h"
#include <inttypes.h>
#include <string.h>

/* Absolute address of a byte; 0 or the program-interruption code. */
static int absolute_address(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, uint64_t *absolute)
{
    bool protect;
    int code = cpu_walk(c->cpu, space, ar, address, NULL, NULL, absolute, &protect);
    if (!code && !storage_has(&c->machine->sys.storage, *absolute, 1))
        code = PIC_ADDRESSING;
    return code;
}

uint8_t *look_page(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, unsigned *left, int *code)
{
    uint64_t absolute;
    *code = absolute_address(c, space, ar, address, &absolute);
    *left = cpu_page_left(address);
    return *code ? NULL : c->machine->sys.storage.bytes + absolute;
}

unsigned look_fetch(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, void *to, unsigned length)
{
    unsigned done = 0, left;
    int code;
    while (done < length) {
        const uint8_t *host = look_page(c, space, ar, address + done, &left, &code);
        if (!host)
            break;
        if (left > length - done)
            left = length - done;
        memcpy((uint8_t *)to + done, host, left);
        done += left;
    }
    return done;
}

/* Instructions are fetched from the primary space in the secondary-space and access-register modes. */
enum cpu_space look_instruction_space(const struct cpu *cpu)
{
    if (!(cpu->psw.mask & PSW_DAT))
        return CPU_SPACE_REAL;
    return field64(cpu->psw.mask, 16, 17) == AS_HOME ? CPU_SPACE_HOME : CPU_SPACE_PRIMARY;
}

void look_symbol(struct console *c, uint64_t address, char *text, size_t size)
{
    const struct ipl_symbol *s = NULL;
    *text = 0;
    if (c->session->load)
        s = ipl_symbol_at(ipl_load_symbols(c->session->load), address);
    if (!s || (!s->code && !s->size && address != s->address)) /* data of unknown length ends anywhere */
        return;
    if (address == s->address)
        snprintf(text, size, "%s", s->name);
    else
        snprintf(text, size, "%s+%" PRIX64, s->name, address - s->address);
}

void look_text(const uint8_t *bytes, uint64_t address, char *text, size_t size)
{
    dis_text(bytes, address, true, text, size);
    for (char *tab = text; *tab; tab++)
        if (*tab == '\t')
            *tab = ' ';
}

struct look_instruction look_instruction(struct console *c, uint64_t address)
{
    struct look_instruction i = {.length = 0};
    uint8_t bytes[6] = {0};
    unsigned had = look_fetch(c, look_instruction_space(c->cpu), 0, address, bytes, sizeof bytes);
    unsigned length = dis_length(bytes[0]);
    if (had < 2 || had < length)
        return i;
    i.length = dis_text(bytes, address, true, i.text, sizeof i.text);
    look_text(bytes, address, i.text, sizeof i.text);
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

const char *look_code_name(int code)
{
    if (code == PIC_ADDRESSING)
        return "addressing: there is no storage";
    for (const struct cpu_code_name *row = cpu_program_codes; row->name; row++)
        if (row->code == code)
            return row->name;
    return "program interruption";
}
