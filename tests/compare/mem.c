/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of instructions on storage between zri and another machine (tests/compare/mem.sh):
     mem make SEED CASES FILE PEER [MNEMONIC]   an ELF image of random cases, storage from absolute 0
     mem run FILE OUT [reference|block]         carry it out here; OUT is storage at the end
     mem diff A B [LIMIT [PEER]]                cases whose results differ in two such storages; status 1 if any */
#include "tests/compare/mem.h"

#include "cpu/bits.h"
#include "cpu/cpu.h"
#include "cpu/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELF_HEAD = 0x1000 };

static int fail(const char *what, const char *name)
{
    fprintf(stderr, "mem: %s: %s\n", what, name);
    return 2;
}

/* The whole file, in memory of the caller's; *size receives its length. NULL: said why. */
static uint8_t *read_file(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    uint8_t *bytes = malloc(STORAGE_SIZE + ELF_HEAD);
    if (!f || !bytes) {
        fail("cannot read", name);
        free(bytes);
        if (f)
            fclose(f);
        return NULL;
    }
    *size = fread(bytes, 1, STORAGE_SIZE + ELF_HEAD, f);
    fclose(f);
    return bytes;
}

static bool write_file(const char *name, const uint8_t *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");
    bool good = f && fwrite(bytes, 1, size, f) == size;
    if (f && fclose(f))
        good = false;
    return good;
}

/* The head of an ELF file whose one segment goes to absolute 0. */
static void make_head(uint8_t *head, size_t size)
{
    static const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 2, 2, 1};
    memcpy(head, ident, sizeof ident);
    put16(head + 16, 2);  /* ET_EXEC */
    put16(head + 18, 22); /* EM_S390 */
    put32(head + 20, 1);
    put64(head + 24, AT_NUCLEUS);
    put64(head + 32, 64); /* program header */
    put16(head + 52, 64);
    put16(head + 54, 56);
    put16(head + 56, 1);
    put32(head + 64, 1); /* PT_LOAD */
    put32(head + 68, 7);
    put64(head + 72, ELF_HEAD);
    put64(head + 96, size);
    put64(head + 104, size);
    put64(head + 112, 0x1000);
}

static int make(char **arg)
{
    unsigned cases = (unsigned)strtoul(arg[1], NULL, 10);
    size_t size = AT_CASES + (size_t)cases * CASE_SIZE;
    uint8_t *file = size > STORAGE_SIZE ? NULL : calloc(1, ELF_HEAD + size);
    if (!file)
        return fail("too many cases", arg[1]);
    make_head(file, size);
    mem_make(file + ELF_HEAD, cases, strtoull(arg[0], NULL, 0), arg[3], arg[4]);
    bool good = write_file(arg[2], file, ELF_HEAD + size);
    free(file);
    return good ? 0 : fail("cannot write", arg[2]);
}

/* Run until the program ends; 0 when it ended as it should. */
static int carry_out(struct cpu *cpu, const char *engine)
{
    cpu->engine_kind = engine && strcmp(engine, "block") == 0 ? ENGINE_BLOCK : ENGINE_REFERENCE;
    cpu->state = CPU_STATE_OPERATING;
    enum engine_end end = ENGINE_STOPPED;
    uint64_t done, all = 0;
    if (!cpu_load_psw(cpu, PSW_EA | PSW_BA, AT_NUCLEUS))
        do {
            end = engine_run(cpu, 100000, &done);
            all += done;
        } while (end == ENGINE_BUDGET && all < 200000000);
    if (cpu->psw.ia == 0xfff && (cpu->psw.mask & PSW_WAIT))
        return 0;
    fprintf(stderr, "mem: ended with PSW %016llx %016llx\n", (unsigned long long)cpu_psw_mask(cpu),
            (unsigned long long)cpu->psw.ia);
    return 1;
}

static int run(const char *name, const char *out, const char *engine)
{
    size_t size;
    uint8_t *file = read_file(name, &size);
    struct cpu_system *sys = calloc(1, sizeof *sys);
    if (!file || size < ELF_HEAD || !sys || storage_create(&sys->storage, STORAGE_SIZE))
        return fail("no memory or no image", name);
    memset(sys->profile.facilities, 0xff, sizeof sys->profile.facilities);
    sys->cpu_count = 1;
    struct cpu *cpu = sys->cpus[0] = cpu_create(sys, 0);
    if (!cpu)
        return fail("no memory", name);
    memcpy(sys->storage.bytes, file + ELF_HEAD, size - ELF_HEAD);
    int status = carry_out(cpu, engine);
    if (!write_file(out, sys->storage.bytes, size - ELF_HEAD))
        status = fail("cannot write", out);
    cpu_destroy(cpu);
    storage_destroy(&sys->storage);
    free(sys);
    free(file);
    return status;
}

static void tell_bytes(const char *what, const uint8_t *in, const uint8_t *a, const uint8_t *b)
{
    for (unsigned k = 0, told = 0; k < DATA_SIZE && told < 24; k++)
        if (a[k] != b[k]) {
            printf("    %s%x: %02x -> %02x / %02x\n", what, AT_DATA + k, in[k], a[k], b[k]);
            told++;
        }
}

static void tell_case(const uint8_t *a, const uint8_t *b)
{
    const bool executed = get16(a + IN_SLOT) == 0xc600; /* EXRL 0 */
    const uint8_t *bytes = a + (executed ? IN_TARGET : IN_SLOT);
    char text[128];
    dis_text(bytes, executed ? AT_TARGET : AT_SLOT, false, text, sizeof text);
    printf("%s%s  (%02x%02x%02x%02x%02x%02x) PSW %016llx\n", text, executed ? "  executed" : "", bytes[0], bytes[1],
           bytes[2], bytes[3], bytes[4], bytes[5], (unsigned long long)get64(a + IN_PSW));
    for (unsigned k = 0; k < 16; k++)
        printf("    gr%-2u %016llx%s", k, (unsigned long long)get64(a + IN_GR + 8 * k), k % 4 == 3 ? "\n" : "");
    for (unsigned k = 0; k < (OUT_CODES - OUT_GR) / 8; k++) {
        uint64_t x = get64(a + OUT_GR + 8 * k), y = get64(b + OUT_GR + 8 * k);
        if (x != y)
            printf("    %s%u: %016llx / %016llx\n", k < 16 ? "gr" : "old psw ", k < 16 ? k : k - 16,
                   (unsigned long long)x, (unsigned long long)y);
    }
    printf("    codes %08x %08x / %08x %08x\n", get32(a + OUT_CODES), get32(a + OUT_CODES + 4), get32(b + OUT_CODES),
           get32(b + OUT_CODES + 4));
    tell_bytes("byte ", a + IN_DATA, a + OUT_DATA, b + OUT_DATA);
}

static int diff(const char *name_a, const char *name_b, unsigned limit, const char *peer)
{
    size_t size_a = 0, size_b = 0;
    uint8_t *a = read_file(name_a, &size_a), *b = read_file(name_b, &size_b);
    size_t size = size_a < size_b ? size_a : size_b;
    unsigned cases = 0, differing = 0, known = 0;
    if (!a || !b || size < AT_CASES)
        return fail("too short", name_a);
    uint64_t end = get64(a + AT_NEXT + 8);
    if (end > size || get64(a + AT_NEXT) != end || get64(b + AT_NEXT) != end) {
        printf("not all cases were carried out: %llx and %llx of %llx\n", (unsigned long long)get64(a + AT_NEXT),
               (unsigned long long)get64(b + AT_NEXT), (unsigned long long)end);
        return 1;
    }
    for (size_t at = AT_CASES; at < end; at += CASE_SIZE, cases++) {
        if (memcmp(a + at + OUT_GR, b + at + OUT_GR, CASE_SIZE - OUT_GR) == 0)
            continue;
        if (mem_known(a + at, b + at, peer))
            known++;
        else if (differing++ < limit)
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
        return make(argv + 2);
    if (argc >= 4 && strcmp(argv[1], "run") == 0)
        return run(argv[2], argv[3], argc > 4 ? argv[4] : NULL);
    if (argc >= 4 && strcmp(argv[1], "diff") == 0)
        return diff(argv[2], argv[3], argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 10, argc > 5 ? argv[5] : "");
    fprintf(stderr,
            "usage: mem make SEED CASES FILE PEER [MNEMONIC] | run FILE OUT [ENGINE] | diff A B [LIMIT [PEER]]\n");
    return 2;
}
