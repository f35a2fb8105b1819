/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of instructions between zri and another machine (tests/compare/compare.sh):
     compare CLASS make SEED CASES FILE PEER [MNEMONIC]  an ELF image of random cases, storage from absolute 0
     compare CLASS run FILE OUT [reference|block]        carry it out here; OUT is storage at the end
     compare CLASS diff OURS THEIRS [LIMIT [PEER]]       cases whose results differ; status 1 if any
     compare CLASS pick OURS THEIRS PEER CASE N          differing case number N into CASE; status 1: there is none
     compare CLASS vary SEED CASE FILE                   an image of CASE and simpler forms of it
     compare CLASS choose OURS THEIRS PEER CASE          the simplest that still differs into CASE; status 1: CASE
   itself compare CLASS keep OURS THEIRS TITLE                the first case as a scripted test, on standard output */
#include "tests/compare/compare.h"
#include "base/bits.h"
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/state/cpu.h"
#include "cpu/storage/main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct compare_class *const classes[] = {&compare_regs, &compare_mem,    &compare_binary,
                                                      &compare_hex,  &compare_vector, &compare_control};

static int fail(const char *what, const char *name)
{
    fprintf(stderr, "compare: %s: %s\n", what, name);
    return 2;
}

uint64_t compare_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

unsigned compare_below(uint64_t *state, unsigned n) { return (unsigned)(compare_random(state) % n); }

const struct compare_part *compare_part_of(const struct compare_class *c, unsigned kind)
{
    for (unsigned k = 0; k < c->part_count; k++)
        if (c->parts[k].kind == kind)
            return &c->parts[k];
    return NULL;
}

uint16_t compare_insn(const struct compare_class *c, const uint8_t *in, struct dis_insn *insn)
{
    bool executed = c->target && get16(in + c->code) == 0xc600; /* EXRL 0 */
    return dis_decode(in + (executed ? c->target : c->code), insn);
}

unsigned compare_pic(const struct compare_class *c, const uint8_t *a)
{
    const struct compare_part *codes = compare_part_of(c, COMPARE_CODES);
    return get16(a + codes->out + 142 - codes->where);
}

bool compare_differs(const struct compare_class *c, const uint8_t *ours, const uint8_t *theirs, const char *peer)
{
    return memcmp(ours + c->out, theirs + c->out, c->end - c->out) != 0 && !c->known(ours, theirs, peer);
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

uint8_t *compare_read(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    uint8_t *bytes = malloc(STORAGE_SIZE + COMPARE_ELF_HEAD);
    if (!f || !bytes) {
        fail("cannot read", name);
        free(bytes);
        if (f)
            fclose(f);
        return NULL;
    }
    *size = fread(bytes, 1, STORAGE_SIZE + COMPARE_ELF_HEAD, f);
    fclose(f);
    return bytes;
}

bool compare_write(const char *name, const uint8_t *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");
    bool good = f && fwrite(bytes, 1, size, f) == size;
    if (f && fclose(f))
        good = false;
    return good;
}

/* One segment that goes to absolute 0. */
int compare_write_image(const struct compare_class *c, const char *name, uint8_t *file, unsigned cases)
{
    static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 2, 2, 1};
    size_t size = AT_CASES + (size_t)cases * c->case_size;
    memcpy(file, ident, sizeof ident);
    put16(file + 16, 2);  /* ET_EXEC */
    put16(file + 18, 22); /* EM_S390 */
    put32(file + 20, 1);
    put64(file + 24, AT_NUCLEUS);
    put64(file + 32, 64); /* program header */
    put16(file + 52, 64);
    put16(file + 54, 56);
    put16(file + 56, 1);
    put32(file + 64, 1); /* PT_LOAD */
    put32(file + 68, 7);
    put64(file + 72, COMPARE_ELF_HEAD);
    put64(file + 96, size);
    put64(file + 104, size);
    put64(file + 112, 0x1000);
    return compare_write(name, file, COMPARE_ELF_HEAD + size) ? 0 : fail("cannot write", name);
}

static int make(const struct compare_class *c, const char *seed, const char *cases_text, const char *name,
                const char *peer, const char *only)
{
    unsigned cases = (unsigned)strtoul(cases_text, NULL, 10);
    size_t size = AT_CASES + (size_t)cases * c->case_size;
    uint8_t *file = size <= STORAGE_SIZE ? calloc(1, COMPARE_ELF_HEAD + size) : NULL;
    if (!file)
        return fail("too many cases", cases_text);
    compare_frame(c, file + COMPARE_ELF_HEAD, cases);
    c->make(file + COMPARE_ELF_HEAD, cases, strtoull(seed, NULL, 0), peer, only && *only ? only : NULL);
    int status = compare_write_image(c, name, file, cases);
    free(file);
    return status;
}

/* ---- running --------------------------------------------------------------------------------------------------- */

/* Run until the program ends; 0 when it ended as it should. */
static int carry_out(struct cpu *cpu, const char *engine, uint64_t left)
{
    enum engine_end end = ENGINE_STOPPED;
    uint64_t done;
    cpu->engine_kind = engine && strcmp(engine, "block") == 0 ? ENGINE_BLOCK : ENGINE_REFERENCE;
    cpu->state = CPU_STATE_OPERATING;
    if (!cpu_load_psw(cpu, PSW_EA | PSW_BA, AT_NUCLEUS))
        do {
            end = engine_run(cpu, left < 100000 ? left : 100000, &done);
            left -= done < left ? done : left;
        } while (end == ENGINE_BUDGET && left);
    if (cpu->psw.ia == 0xfff && (cpu->psw.mask & PSW_WAIT))
        return 0;
    fprintf(stderr, "compare: ended with PSW %016llx %016llx\n", (unsigned long long)cpu_psw_mask(cpu),
            (unsigned long long)cpu->psw.ia);
    return 1;
}

static int run(const struct compare_class *c, const char *name, const char *out, const char *engine)
{
    size_t size = 0;
    uint8_t *file = compare_read(name, &size);
    struct cpu_system *sys = calloc(1, sizeof *sys);
    if (!file || size < COMPARE_ELF_HEAD || !sys || storage_create(&sys->storage, STORAGE_SIZE))
        return fail("no memory or no image", name);
    memset(sys->profile.facilities, 0xff, sizeof sys->profile.facilities);
    sys->profile.facilities[2] &= ~BIT64(169 - 128); /* there are storage keys */
    sys->cpu_count = 1;
    struct cpu *cpu = sys->cpus[0] = cpu_create(sys, 0);
    if (!cpu)
        return fail("no memory", name);
    memcpy(sys->storage.bytes, file + COMPARE_ELF_HEAD, size - COMPARE_ELF_HEAD);
    int status = carry_out(cpu, engine, (size / c->case_size + 100) * 20000); /* far more than every case needs */
    if (!compare_write(out, sys->storage.bytes, size - COMPARE_ELF_HEAD))
        status = fail("cannot write", out);
    cpu_destroy(cpu);
    storage_destroy(&sys->storage);
    free(sys);
    free(file);
    return status;
}

/* ---- comparing ------------------------------------------------------------------------------------------------- */

static const char *const part_names[] = {
    [COMPARE_GR] = "gr",
    [COMPARE_AR] = "ar",
    [COMPARE_CR] = "cr",
    [COMPARE_FR] = "f",
    [COMPARE_VR] = "vr",
    [COMPARE_FPC] = "fpc ",
    [COMPARE_PSW] = "psw ",
    [COMPARE_CODE] = "code ",
    [COMPARE_MEMORY] = "",
    [COMPARE_KEYS] = "key ",
    [COMPARE_OLD_PSW] = "old psw ",
    [COMPARE_CODES] = "real ",
};

/* Size of what is shown as one. */
static unsigned unit(const struct compare_part *p)
{
    return p->kind == COMPARE_AR || p->kind == COMPARE_FPC || p->kind == COMPARE_CODES ? 4
           : p->kind == COMPARE_KEYS                                                   ? 1
           : p->kind == COMPARE_VR                                                     ? 16
                                                                                       : 8;
}

static void tell_bytes(const uint8_t *at, unsigned n)
{
    while (n--)
        printf("%02x", *at++);
}

static void tell_part(const struct compare_part *p, const uint8_t *a, const uint8_t *b)
{
    const unsigned n = unit(p), step = p->kind == COMPARE_KEYS ? 4096 : p->kind <= COMPARE_FPC ? 1 : n;
    const bool address = p->kind >= COMPARE_MEMORY && p->kind != COMPARE_OLD_PSW;
    for (unsigned k = 0; k < p->bytes / n; k++) {
        bool differs = p->out != COMPARE_NONE && memcmp(a + p->out + n * k, b + p->out + n * k, n) != 0;
        bool given = p->in != COMPARE_NONE && p->kind != COMPARE_CODE && p->kind != COMPARE_KEYS &&
                     p->kind != COMPARE_MEMORY && p->kind != COMPARE_AR && p->kind != COMPARE_CR;
        if (!differs && !given)
            continue;
        printf(address ? "    %s%x:" : "    %s%u:", part_names[p->kind], p->where + step * k);
        if (p->in != COMPARE_NONE) {
            printf(" in ");
            tell_bytes(a + p->in + n * k, n);
        }
        if (differs) {
            printf(" ours ");
            tell_bytes(a + p->out + n * k, n);
            printf(" theirs ");
            tell_bytes(b + p->out + n * k, n);
        }
        putchar('\n');
    }
}

static void tell_instruction(const uint8_t *bytes, uint64_t at, const char *how)
{
    char text[128];
    unsigned n = dis_length(*bytes);
    dis_text(bytes, at, false, text, sizeof text);
    printf("%s%s  (", text, how);
    tell_bytes(bytes, n);
    printf(")\n");
}

static void tell_case(const struct compare_class *c, const uint8_t *a, const uint8_t *b)
{
    const struct compare_part *psw = compare_part_of(c, COMPARE_PSW);
    uint64_t at = get64(a + psw->in + 8);
    const uint8_t *code = a + c->code;
    for (unsigned n = 0; n < 64; n++) { /* to the SVC behind the last */
        if (code[0] == 0x0a && n)
            break;
        tell_instruction(code, at, "");
        if (c->target && get16(code) == 0xc600)
            tell_instruction(a + c->target, at + 2 * (uint64_t)(int64_t)(int32_t)get32(code + 2), "  executed");
        at += dis_length(*code);
        code += dis_length(*code);
        if (code >= a + c->code + c->code_bytes || c->code_bytes <= 8)
            break;
    }
    for (unsigned k = 0; k < c->part_count; k++)
        tell_part(&c->parts[k], a, b);
}

static int diff(const struct compare_class *c, const char *name_a, const char *name_b, unsigned limit, const char *peer)
{
    size_t size_a = 0, size_b = 0;
    uint8_t *a = compare_read(name_a, &size_a), *b = compare_read(name_b, &size_b);
    size_t size = size_a < size_b ? size_a : size_b;
    unsigned cases = 0, differing = 0, known = 0, per_row[DIS_ROW_COUNT + 1] = {0};
    if (!a || !b || size < AT_CASES)
        return fail("too short", name_a);
    uint64_t end = get64(a + AT_POINTER + 8), done_a = get64(a + AT_POINTER), done_b = get64(b + AT_POINTER);
    if (end > size || done_a != end || done_b != end) {
        uint64_t done = done_a < done_b ? done_a : done_b;
        printf("not all cases were carried out: %llx and %llx of %llx; the first that was not:\n",
               (unsigned long long)done_a, (unsigned long long)done_b, (unsigned long long)end);
        if (done < AT_CASES || done > size - c->case_size)
            return 1;
        tell_case(c, a + done, a + done);
        end = done;
        differing++;
    }
    for (size_t at = AT_CASES; at < end; at += c->case_size, cases++) {
        struct dis_insn insn;
        if (memcmp(a + at + c->out, b + at + c->out, c->end - c->out) == 0)
            continue;
        if (c->known(a + at, b + at, peer)) {
            known++;
            continue;
        }
        uint16_t row = compare_insn(c, a + at, &insn);
        if (per_row[row == DIS_NO_ROW ? DIS_ROW_COUNT : row]++ == 0 && differing < limit)
            tell_case(c, a + at, b + at);
        differing++;
    }
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (per_row[row])
            printf("%s: %u\n", dis_rows[row].mnemonic, per_row[row]);
    printf("%u cases, %u differ, %u known faults of the other side\n", cases, differing, known);
    free(a);
    free(b);
    return differing != 0;
}

int main(int argc, char **argv)
{
    const struct compare_class *c = NULL;
    for (unsigned k = 0; argc > 2 && k < sizeof classes / sizeof *classes; k++)
        if (strcmp(classes[k]->name, argv[1]) == 0)
            c = classes[k];
    const char *command = c ? argv[2] : "";
    char **arg = argv + 3;
    argc -= 3;
    if (argc >= 4 && strcmp(command, "make") == 0)
        return make(c, arg[0], arg[1], arg[2], arg[3], arg[4]);
    if (argc >= 2 && strcmp(command, "run") == 0)
        return run(c, arg[0], arg[1], arg[2]);
    if (argc >= 2 && strcmp(command, "diff") == 0)
        return diff(c, arg[0], arg[1], argc > 2 ? (unsigned)strtoul(arg[2], NULL, 10) : 5, argc > 3 ? arg[3] : "");
    if (argc >= 5 && strcmp(command, "pick") == 0)
        return compare_pick(c, arg);
    if (argc >= 3 && strcmp(command, "vary") == 0)
        return compare_vary(c, arg);
    if (argc >= 4 && strcmp(command, "choose") == 0)
        return compare_choose(c, arg);
    if (argc >= 3 && strcmp(command, "keep") == 0)
        return compare_keep(c, arg);
    fprintf(stderr, "usage: compare CLASS make SEED CASES FILE PEER [MNEMONIC] | run FILE OUT [ENGINE] | "
                    "diff OURS THEIRS [LIMIT [PEER]] | pick OURS THEIRS PEER CASE N | vary SEED CASE FILE | "
                    "choose OURS THEIRS PEER CASE | keep OURS THEIRS TITLE\n");
    return 2;
}
