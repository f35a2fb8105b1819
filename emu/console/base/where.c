/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a CPU is, in words. */
#include "emu/console/base/internal.h"
#include "emu/console/base/listing.h"
#include <inttypes.h>

void console_where(struct console *c, struct cpu *cpu)
{
    char words[256], line[256] = "", place[LISTING_PLACE] = "";
    struct cpu *chosen = c->cpu;
    c->cpu = cpu;
    const unsigned length = look_line(c, cpu->psw.ia, line, sizeof line);
    c->next_u = 0;
    machine_cpu_words(cpu, words, sizeof words);
    SHOW(c, "{}\n", fact_text(NULL, words), fact_text("state", machine_state_name(cpu)),
         fact_number("cpu", cpu->address), fact_hex("mask", cpu_psw_mask(cpu), 16),
         fact_hex("address", cpu->psw.ia, 16), fact_if(length, fact_text("next", line + 18)));
    if (length && !(cpu->psw.mask & PSW_WAIT)) {
        listing_source(c, cpu->psw.ia, place);
        show_words(c, "%s\n", line);
    }
    c->cpu = chosen;
}

void console_show_where(struct console *c)
{
    show_object(c, NULL);
    console_where(c, c->cpu);
    show_end_object(c);
}
