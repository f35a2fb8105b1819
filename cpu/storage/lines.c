/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that a transaction has accessed. PoP chapter 5 (SA22-7832-13). */
#include "cpu/storage/lines.h"
#include "cpu/storage/code.h"

static uint8_t *bytes_of(struct cpu *cpu, const struct line *line) { return cpu->sys->storage.bytes + line->absolute; }

static void put_line(struct cpu *cpu, const struct line *line, const uint8_t *contents)
{
    uint8_t *bytes = bytes_of(cpu, line);
    if (memcmp(bytes, contents, LINES_SIZE) == 0)
        return;
    memcpy(bytes, contents, LINES_SIZE);
    cpu_code_written(cpu->sys, line->absolute, LINES_SIZE);
}

void lines_begin(struct lines *lines, bool constrained)
{
    memset(lines->slot, 0, sizeof lines->slot);
    lines->count = lines->stored = lines->octowords = 0;
    lines->constrained = constrained;
    lines->suspended = false;
}

struct line *lines_find(struct cpu *cpu, uint64_t absolute)
{
    struct lines *lines = cpu->lines;
    unsigned slot = (unsigned)(absolute / LINES_SIZE * 0x9e3779b1u) % LINES_SLOTS;
    while (lines->slot[slot]) {
        struct line *line = &lines->line[lines->slot[slot] - 1];
        if (line->absolute == absolute)
            return line;
        slot = (slot + 1) % LINES_SLOTS;
    }
    if (lines->count == LINES_MAX)
        return NULL;
    struct line *line = &lines->line[lines->count++];
    lines->slot[slot] = (uint16_t)lines->count;
    line->absolute = absolute;
    line->stored = false;
    memcpy(line->before, bytes_of(cpu, line), LINES_SIZE);
    return line;
}

static bool too_many_octowords(struct lines *lines, uint64_t absolute, unsigned length)
{
    for (uint64_t at = absolute & ~UINT64_C(31); at < absolute + length; at += 32) {
        unsigned i = 0;
        while (i < lines->octowords && lines->octoword[i] != at)
            i++;
        if (i < lines->octowords)
            continue;
        if (i == LINES_OCTOWORDS)
            return true;
        lines->octoword[lines->octowords++] = at;
    }
    return false;
}

static int overflow(struct cpu *cpu, bool store)
{
    cpu->tx_code = store ? TX_STORE_OVERFLOW : TX_FETCH_OVERFLOW;
    return CPU_TX_ABORT;
}

int lines_access(struct cpu *cpu, uint64_t absolute, unsigned length, bool store)
{
    struct lines *lines = cpu->lines;
    if (lines->constrained && too_many_octowords(lines, absolute, length))
        return PIC_TRANSACTION_CONSTRAINT;
    for (uint64_t at = absolute & ~(uint64_t)(LINES_SIZE - 1); at < absolute + length; at += LINES_SIZE) {
        struct line *line = lines_find(cpu, at);
        if (!line)
            return overflow(cpu, store);
        if (!store || line->stored)
            continue;
        if (lines->stored == LINES_STORED)
            return overflow(cpu, true);
        line->stored = true;
        lines->stored++;
    }
    return 0;
}

void lines_undo(struct cpu *cpu)
{
    const struct lines *lines = cpu->lines;
    for (unsigned i = 0; i < lines->count; i++)
        if (lines->line[i].stored && !lines->suspended)
            put_line(cpu, &lines->line[i], lines->line[i].before);
}

void lines_suspend(struct cpu *cpu)
{
    struct lines *lines = cpu->lines;
    for (unsigned i = 0; i < lines->count; i++)
        if (lines->line[i].stored) {
            memcpy(lines->line[i].mine, bytes_of(cpu, &lines->line[i]), LINES_SIZE);
            put_line(cpu, &lines->line[i], lines->line[i].before);
        }
    lines->suspended = true;
}

const struct line *lines_changed(struct cpu *cpu)
{
    const struct lines *lines = cpu->lines;
    for (unsigned i = 0; i < lines->count; i++)
        if (memcmp(bytes_of(cpu, &lines->line[i]), lines->line[i].before, LINES_SIZE) != 0)
            return &lines->line[i];
    return NULL;
}

void lines_resume(struct cpu *cpu)
{
    struct lines *lines = cpu->lines;
    for (unsigned i = 0; i < lines->count; i++)
        if (lines->line[i].stored)
            put_line(cpu, &lines->line[i], lines->line[i].mine);
    lines->suspended = false;
}
