/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at storage, instructions and symbols of a machine. */
#include "emu/inspect/inspect.h"
#include "cpu/storage/dat.h"
#include "disasm/dis.h"
#include "emu/machine/session.h"
#include <inttypes.h>
#include <string.h>

int inspect_absolute(struct cpu *cpu, enum cpu_space space, unsigned ar, uint64_t address, uint64_t *absolute)
{
    bool protect;
    const int code = cpu_walk(cpu, space, ar, address, NULL, NULL, absolute, &protect);
    return !code && !storage_has(&cpu->sys->storage, *absolute, 1) ? PIC_ADDRESSING : code;
}

uint8_t *inspect_page(struct cpu *cpu, enum cpu_space space, unsigned ar, uint64_t address, unsigned *left, int *code)
{
    uint64_t absolute;
    *code = inspect_absolute(cpu, space, ar, address, &absolute);
    *left = cpu_page_left(address);
    return *code ? NULL : cpu->sys->storage.bytes + absolute;
}

unsigned inspect_fetch(struct cpu *cpu, enum cpu_space space, unsigned ar, uint64_t address, void *to, unsigned length)
{
    unsigned done = 0, left;
    int code;
    while (done < length) {
        const uint8_t *host = inspect_page(cpu, space, ar, address + done, &left, &code);
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
enum cpu_space inspect_instruction_space(const struct cpu *cpu)
{
    if (!(cpu->psw.mask & PSW_DAT))
        return CPU_SPACE_REAL;
    return field64(cpu->psw.mask, 16, 17) == AS_HOME ? CPU_SPACE_HOME : CPU_SPACE_PRIMARY;
}

void inspect_symbol(struct session *session, uint64_t address, char *text, size_t size)
{
    const struct ipl_symbol *s = NULL;
    *text = 0;
    if (session->load)
        s = ipl_symbol_at(ipl_load_symbols(session->load), address);
    if (!s || (!s->code && !s->size && address != s->address)) /* data of unknown length ends anywhere */
        return;
    if (address == s->address)
        snprintf(text, size, "%s", s->name);
    else
        snprintf(text, size, "%s+%" PRIX64, s->name, address - s->address);
}

unsigned inspect_text(const uint8_t *bytes, uint64_t address, char *text, size_t size)
{
    const unsigned length = dis_text(bytes, address, true, text, size);
    for (char *tab = text; *tab; tab++)
        if (*tab == '\t')
            *tab = ' ';
    return length;
}

const char *inspect_code_name(int code)
{
    if (code == PIC_ADDRESSING)
        return "addressing: there is no storage";
    for (const struct cpu_code_name *row = cpu_program_codes; row->name; row++)
        if (row->code == code)
            return row->name;
    return "program interruption";
}
