/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our side of the comparison with objdump (objdump.sh).

   objdump generate COUNT SEED     COUNT random instructions of every row on standard output, each in a slot of 16 bytes
                                   filled up with 0700 (no operation), so that both sides find the next one again
   objdump list FILE [SLOT]        FILE as text, "offset<TAB>text"; with SLOT only lines at multiples of SLOT
   objdump assemble FILE [SLOT]    the lines of a list assembled and disassembled again; prints those that differ */
#include "disasm/dis.h"
#include "disasm/internal.h"
#include "tests/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT = 16 };

static uint64_t next_random(uint64_t *state) { return random_step(state) * UINT64_C(0x2545f4914f6cdd1d) >> 8; }

/* Random bits in the fields of the operands; every fourth operand is zero. */
static uint64_t random_operands(const uint8_t *operands, uint64_t *state)
{
    uint64_t insn = 0;
    for (unsigned i = 0; operands[i] != DIS_OP_NONE; i++) {
        uint64_t bits = dis_operand_bits(operands[i]);
        unsigned how = next_random(state) & 7;
        insn |= how < 2 ? 0 : how == 2 ? bits : next_random(state) & bits;
    }
    return insn;
}

/* One of the row's extended mnemonics with random operands, or none. */
static uint64_t random_extended(unsigned row, uint64_t *state, uint64_t insn)
{
    unsigned count = 0, chosen = 0;
    for (unsigned i = 0; i < dis_extended_count; i++)
        if (dis_extended[i].row == row && next_random(state) % ++count == 0)
            chosen = i;
    if (count == 0)
        return insn;
    const struct dis_extended *e = &dis_extended[chosen];
    insn = dis_rows[row].opcode | random_operands(e->operands, state);
    for (unsigned i = 0; i < e->given_count; i++) {
        const struct dis_operand *o = &dis_operands[e->given[i].operand];
        insn |= dis_in_field(e->given[i].value, o->start, o->width);
    }
    for (unsigned i = 0; e->operands[i] != DIS_OP_NONE; i++) {
        const struct dis_operand *o = &dis_operands[e->operands[i]];
        if (o->class == DIS_CLASS_U)
            insn |= dis_in_field(o->extra, o->start, o->width);
    }
    return insn;
}

static int generate(unsigned count, uint64_t seed)
{
    uint64_t state = seed * 2 + 1;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        for (unsigned n = 0; n < count; n++) {
            uint64_t insn = dis_rows[row].opcode | random_operands(dis_rows[row].operands, &state);
            unsigned how = next_random(&state) & 15;
            if (how == 0)
                insn |= next_random(&state) & ((UINT64_C(1) << 48) - 1) & ~dis_rows[row].mask;
            else if (how < 9)
                insn = random_extended(row, &state, insn);
            uint8_t slot[SLOT];
            for (unsigned i = 0; i < SLOT; i++)
                slot[i] = i & 1 ? 0x00 : 0x07;
            for (unsigned i = 0; i < dis_rows[row].length; i++)
                slot[i] = (uint8_t)(insn >> (40 - 8 * i));
            if (fwrite(slot, 1, SLOT, stdout) != SLOT)
                return 1;
        }
    return fflush(stdout) == 0 ? 0 : 1;
}

static uint8_t *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    uint8_t *data = NULL;
    long end = 0;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) > 0) {
        data = malloc((size_t)end);
        rewind(file);
        if (data != NULL && fread(data, 1, (size_t)end, file) != (size_t)end) {
            free(data);
            data = NULL;
        }
    }
    if (file != NULL)
        fclose(file);
    *size = (size_t)end;
    return data;
}

static int list(const char *name, unsigned slot)
{
    size_t size;
    uint8_t *data = read_file(name, &size);
    if (data == NULL)
        return 1;
    for (size_t at = 0; at < size;) {
        char text[128];
        unsigned length = dis_text_of(data + at, size - at, at, true, text, sizeof text);
        if (slot == 0 || at % slot == 0)
            printf("%zx\t%s\n", at, text);
        at += length;
    }
    free(data);
    return 0;
}

/* Whether two instructions of the same row agree in operation code and operands. */
static bool same_operands(const uint8_t *one, const uint8_t *other)
{
    struct dis_insn a, b;
    if (dis_decode(one, &a) != dis_decode(other, &b) || a.row == DIS_NO_ROW)
        return false;
    uint64_t bits = dis_rows[a.row].mask;
    for (unsigned i = 0; dis_rows[a.row].operands[i] != DIS_OP_NONE; i++)
        bits |= dis_operand_bits(dis_rows[a.row].operands[i]);
    for (unsigned i = 0; i < a.length; i++)
        if ((one[i] ^ other[i]) & (bits >> (40 - 8 * i) & 255))
            return false;
    return true;
}

/* Every line that FILE's instructions print, assembled: the bytes must be the same but for bits that no operand has. */
static int assemble(const char *name, unsigned slot)
{
    size_t size;
    uint8_t *data = read_file(name, &size);
    unsigned long checked = 0, different = 0;
    if (data == NULL)
        return 1;
    for (size_t at = 0; at < size;) {
        char text[128], again[128], why[200] = "";
        uint8_t bytes[6] = {0};
        unsigned length = dis_text_of(data + at, size - at, at, true, text, sizeof text);
        if (text[0] != '.' && (slot == 0 || at % slot == 0)) {
            int result = dis_assemble(text, at, bytes, why, sizeof why);
            if (result == (int)length)
                dis_text(bytes, at, true, again, sizeof again);
            checked++;
            if (result != (int)length || strcmp(text, again) != 0 || !same_operands(data + at, bytes)) {
                different++;
                printf("%zx\t%s\t%s\n", at, text, result < 0 ? why : again);
            }
        }
        at += length;
    }
    fprintf(stderr, "%lu lines assembled, %lu differ\n", checked, different);
    free(data);
    return different != 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "generate") == 0)
        return generate((unsigned)strtoul(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    if (argc >= 3 && strcmp(argv[1], "list") == 0)
        return list(argv[2], argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0);
    if (argc >= 3 && strcmp(argv[1], "assemble") == 0)
        return assemble(argv[2], argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0);
    fprintf(stderr, "usage: objdump generate COUNT SEED | list FILE [SLOT] | assemble FILE [SLOT]\n");
    return 2;
}
