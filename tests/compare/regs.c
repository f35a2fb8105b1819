/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of single general instructions between zri and another machine (tests/compare/regs.sh):
     regs make SEED CASES FILE PEER [MNEMONIC]   an ELF image of random cases, storage from absolute 0
     regs run FILE OUT [reference|block]    carry it out here; OUT is storage at the end
     regs diff A B [LIMIT]                  cases whose results differ in two such storages, one line each; status 1 if
   any
 */
#include "tests/compare/regs.h"

#include "cpu/bits.h"
#include "cpu/cpu.h"
#include "cpu/engine/engine.h"
#include "tests/compare/regs_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELF_HEAD = 0x1000 };

static int fail(const char *what, const char *name)
{
    fprintf(stderr, "regs: %s: %s\n", what, name);
    return 2;
}

static int make(const char *seed, const char *cases_text, const char *name, const char *peer, const char *only)
{
    unsigned cases = (unsigned)strtoul(cases_text, NULL, 10);
    size_t size = AT_CASES + (size_t)cases * CASE_SIZE;
    if (size > STORAGE_SIZE)
        return fail("too many cases", cases_text);
    uint8_t *file = calloc(1, ELF_HEAD + size);
    if (!file)
        return fail("no memory", name);
    static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 2, 2, 1};
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
    put64(file + 72, ELF_HEAD);
    put64(file + 96, size);
    put64(file + 104, size);
    put64(file + 112, 0x1000);
    regs_make(file + ELF_HEAD, cases, strtoull(seed, NULL, 0), peer, only);
    FILE *f = fopen(name, "wb");
    bool bad = !f || fwrite(file, 1, ELF_HEAD + size, f) != ELF_HEAD + size;
    if (f)
        bad |= fclose(f) != 0;
    free(file);
    return bad ? fail("cannot write", name) : 0;
}

/* Reads a whole file; *size receives its length. NULL: said why. */
static uint8_t *read_file(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    uint8_t *bytes = malloc(STORAGE_SIZE + ELF_HEAD);
    if (!f || !bytes) {
        fail("cannot read", name);
        exit(2);
    }
    *size = fread(bytes, 1, STORAGE_SIZE + ELF_HEAD, f);
    fclose(f);
    return bytes;
}

static int run(const char *name, const char *out, const char *engine)
{
    size_t size;
    uint8_t *file = read_file(name, &size);
    struct cpu_system *sys = calloc(1, sizeof *sys);
    if (size < ELF_HEAD || !sys || storage_create(&sys->storage, STORAGE_SIZE))
        return fail("no memory or no image", name);
    memset(sys->profile.facilities, 0xff, sizeof sys->profile.facilities);
    sys->cpu_count = 1;
    struct cpu *cpu = sys->cpus[0] = cpu_create(sys, 0);
    if (!cpu)
        return fail("no memory", name);
    memcpy(sys->storage.bytes, file + ELF_HEAD, size - ELF_HEAD);
    cpu->engine_kind = engine && strcmp(engine, "block") == 0 ? ENGINE_BLOCK : ENGINE_REFERENCE;
    cpu->state = CPU_STATE_OPERATING;
    if (cpu_load_psw(cpu, PSW_EA | PSW_BA, AT_NUCLEUS))
        return fail("bad PSW", name);
    enum engine_end end;
    uint64_t done;
    uint64_t left = (size / CASE_SIZE + 100) * 100; /* far more than every case needs */
    do {
        end = engine_run(cpu, left < 100000 ? left : 100000, &done);
        left -= done < left ? done : left;
    } while (end == ENGINE_BUDGET && left);
    int code = cpu->psw.ia == 0xfff && (cpu->psw.mask & PSW_WAIT) ? 0 : 1;
    if (code)
        fprintf(stderr, "regs: ended with PSW %016llx %016llx\n", (unsigned long long)cpu_psw_mask(cpu),
                (unsigned long long)cpu->psw.ia);
    FILE *f = fopen(out, "wb");
    if (!f || fwrite(sys->storage.bytes, 1, size - ELF_HEAD, f) != size - ELF_HEAD || fclose(f))
        return fail("cannot write", out);
    cpu_destroy(cpu);
    storage_destroy(&sys->storage);
    free(sys);
    free(file);
    return code;
}

/* The lines that tell a difference in n doublewords at `offset`. */
static void tell(const char *what, const uint8_t *a, const uint8_t *b, unsigned offset, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        if (memcmp(a + offset + 8 * k, b + offset + 8 * k, 8) != 0)
            printf("    %s%u: %016llx / %016llx\n", what, k, (unsigned long long)get64(a + offset + 8 * k),
                   (unsigned long long)get64(b + offset + 8 * k));
    }
}

static void tell_instructions(const uint8_t *a)
{
    unsigned at = 0;
    for (unsigned n = 0; n <= a[IN_SEQUENCE]; n++) {
        char text[128];
        unsigned length = dis_text(a + IN_SLOT + at, get64(a + IN_PSW + 8) + at, false, text, sizeof text);
        printf("  %llx %s\n", (unsigned long long)get64(a + IN_PSW + 8) + at, text);
        at += length;
    }
}

static void tell_case(const uint8_t *a, const uint8_t *b)
{
    if (a[IN_SEQUENCE])
        tell_instructions(a);
    const bool executed = get16(a + IN_SLOT) == 0xc600; /* EXRL 0 */
    const uint8_t *bytes = a + (executed ? IN_TARGET : IN_SLOT);
    char text[128];
    dis_text(bytes, executed ? AT_TARGET : AT_SLOT, false, text, sizeof text);
    printf("%s%s  (%02x%02x%02x%02x%02x%02x) PSW %016llx\n", text, executed ? "  executed" : "", bytes[0], bytes[1],
           bytes[2], bytes[3], bytes[4], bytes[5], (unsigned long long)get64(a + IN_PSW));
    tell("gr", a, b, OUT_GR, 16);
    tell("ar pair ", a, b, OUT_AR, 8);
    tell("old psw ", a, b, OUT_OLD, 4);
    tell("codes ", a, b, OUT_CODES, 2);
    tell("codes ", a, b, OUT_CODES + 12, 1);
    tell("monitor ", a, b, OUT_MONITOR, 1);
    tell("data ", a, b, OUT_DATA, 32);
    for (unsigned k = 0; k < 16; k++)
        printf("    in gr%u %016llx%s", k, (unsigned long long)get64(a + IN_GR + 8 * k), k % 4 == 3 ? "\n" : "");
}

static int diff(const char *name_a, const char *name_b, unsigned limit, const char *peer)
{
    size_t size_a, size_b;
    uint8_t *a = read_file(name_a, &size_a), *b = read_file(name_b, &size_b);
    size_t size = size_a < size_b ? size_a : size_b;
    unsigned cases = 0, differing = 0, known = 0;
    if (size < AT_CASES)
        return fail("too short", name_a);
    uint64_t end = get64(a + AT_POINTER + 8);
    if (end > size || get64(a + AT_POINTER) != end || get64(b + AT_POINTER) != end) {
        printf("not all cases were carried out: %llx and %llx of %llx\n", (unsigned long long)get64(a + AT_POINTER),
               (unsigned long long)get64(b + AT_POINTER), (unsigned long long)end);
        return 1;
    }
    for (size_t at = AT_CASES; at < end; at += CASE_SIZE, cases++) {
        if (memcmp(a + at + OUT_GR, b + at + OUT_GR, OUT_END - OUT_GR) == 0)
            continue;
        if (regs_known(a + at, b + at, peer)) {
            known++;
            continue;
        }
        if (differing++ < limit)
            tell_case(a + at, b + at);
    }
    printf("%u cases, %u differ, %u known faults of the other side\n", cases, differing, known);
    free(a);
    free(b);
    return differing != 0;
}

int main(int argc, char **argv)
{
    if (argc >= 6 && strcmp(argv[1], "make") == 0)
        return make(argv[2], argv[3], argv[4], argv[5], argc > 6 ? argv[6] : NULL);
    if (argc >= 4 && strcmp(argv[1], "run") == 0)
        return run(argv[2], argv[3], argc > 4 ? argv[4] : NULL);
    if (argc >= 4 && strcmp(argv[1], "diff") == 0)
        return diff(argv[2], argv[3], argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 10, argc > 5 ? argv[5] : "");
    fprintf(stderr,
            "usage: regs make SEED CASES FILE PEER [MNEMONIC] | run FILE OUT [ENGINE] | diff A B [LIMIT [PEER]]\n");
    return 2;
}
