/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who called whom. */
#include "emu/console/debug/frames.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/listing.h"
#include <string.h>

#define FRAMES_USUAL 32u

static bool fetch(void *context, uint64_t address, uint8_t bytes[8])
{
    return look_fetch(context, CPU_SPACE_CURRENT, 0, address, bytes, 8) == 8;
}

void frames_begin(const struct console *c, struct unwind_frame *frame)
{
    *frame = (struct unwind_frame){.ia = c->cpu->psw.ia};
    for (unsigned n = 0; n < 16; n++) {
        frame->gr[n] = c->cpu->gr[n];
        frame->fpr[n] = c->cpu->vr[n].hi;
        frame->known[n] = true;
    }
}

static bool begins_function(const struct console *c, uint64_t address)
{
    const struct ipl_symbol *s = c->session->load ? ipl_symbol_at(ipl_load_symbols(c->session->load), address) : NULL;
    return s && s->code && s->address == address;
}

enum unwind_how frames_next(struct console *c, unsigned depth, struct unwind_frame *frame)
{
    const struct unwind_storage storage = {.context = c, .fetch = fetch};
    const struct unwind_frame callee = *frame;
    const enum unwind_how how = symbols_unwind(source_file(c, frame->ia), &storage, depth == 0, frame);
    if (how == UNWIND_CFI || depth || !begins_function(c, callee.ia))
        return how;
    *frame = callee; /* it has no place on the stack yet */
    frame->ia = callee.gr[14];
    memset(frame->known, 0, sizeof frame->known);
    frame->known[15] = true;
    return UNWIND_REGISTER;
}

static void show_frame(struct console *c, unsigned depth, const struct unwind_frame *frame, const char *how)
{
    static const char *const none = "";
    char symbol[96], source[96], name[104] = "", place[104] = "", line[LISTING_PLACE] = "", number[16];
    snprintf(number, sizeof number, "#%u", depth);
    look_symbol(c, frame->ia, symbol, sizeof symbol);
    /* behind a call the line is that of the call */
    const uint64_t at = frame->ia - (depth ? 1 : 0);
    const struct source_text text = source_text(c, at);
    source_line(c, at, source, sizeof source);
    if (*symbol)
        snprintf(name, sizeof name, "  <%s>", symbol);
    if (*source)
        snprintf(place, sizeof place, "  %s", source);
    SHOW_ROW(c, "{-4}{}{}{}{}{}\n", fact_text(NULL, number), fact_hex("address", frame->ia, 16), fact_text(NULL, name),
             fact_text(NULL, place), fact_text(NULL, *how ? "  by " : none), fact_text("by", how),
             fact_number("frame", depth), fact_if(*symbol, fact_text("symbol", symbol)),
             fact_if(*source, fact_text("source", source)), fact_if(*text.words, fact_text("source_text", text.words)),
             fact_if(text.newer, fact_flag("source_newer", true, "", "")),
             fact_if(frame->known[15], fact_hex("stack", frame->gr[15], 16)));
    listing_source(c, at, line);
}

int console_cmd_backtrace(struct console *c, int argc, char **argv)
{
    static const char *const words[] = {[UNWIND_NONE] = "",
                                        [UNWIND_CFI] = "",
                                        [UNWIND_CHAIN] = "the back chain",
                                        [UNWIND_REGISTER] = "general register 14"};
    struct unwind_frame frame;
    uint64_t most = FRAMES_USUAL;
    enum unwind_how how = UNWIND_CFI;
    if (argc > 2)
        return console_usage(c, "bt");
    if (argc == 2 && console_count(c, argv[1], &most))
        return -1;
    frames_begin(c, &frame);
    show_list(c, NULL);
    for (unsigned depth = 0; how != UNWIND_NONE && depth < most; depth++) {
        show_frame(c, depth, &frame, words[how]);
        how = frames_next(c, depth, &frame);
    }
    show_end_list(c);
    return 0;
}
