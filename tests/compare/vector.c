/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of single vector instructions between zri and another machine (tests/compare/vector.sh):
     vector make SEED CASES FILE [MNEMONIC]  an ELF image of random cases
     vector run FILE OUT [reference|block]   carry it out here; OUT is storage at the end
     vector diff OURS THEIRS [LIMIT]         cases whose results differ; status 1 if any
   Storage: a nucleus at X'1000', cases from X'100000'. */
#include "cpu/bits.h"
#include "cpu/cpu.h"
#include "cpu/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ELF_HEAD = 0x1000,
    AT_PSW = 0xf00,
    AT_NUCLEUS = 0x1000,
    AT_POINTER = 0x1f00,
    AT_OUT = 0x2200,
    AT_DATA = 0x8fe0, /* 64 bytes across a page boundary */
    AT_CASES = 0x100000,
    CASE_SIZE = 1024,
    STORAGE_SIZE = 64 << 20,
    FIRST_VR = 14, /* eight registers, half of them above 15 */
};

/* A case: what goes in, and from 512 on what came out. */
enum {
    IN_GR = 0,
    IN_VR = 128,
    IN_DATA = 256,
    IN_PSW = 320,
    IN_FPC = 336,
    IN_CODE = 344,
    OUT_GR = 512,
    OUT_VR = 640,
    OUT_DATA = 768,
    OUT_OLD = 832,
    OUT_CODES = 864,
    OUT_FPC = 880,
    OUT_END = 884,
};

static int fail(const char *what, const char *name)
{
    fprintf(stderr, "vector: %s: %s\n", what, name);
    return 2;
}

static uint64_t random64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
static unsigned below(uint64_t *s, unsigned n) { return (unsigned)(random64(s) % n); }

/* ---- the nucleus ----------------------------------------------------------------------------------------------------
 */

static void emit(uint8_t **at, uint64_t bytes, unsigned n)
{
    while (n--)
        *(*at)++ = (uint8_t)(bytes >> 8 * n);
}
static void emit_ss(uint8_t **at, unsigned op, unsigned length, unsigned b1, unsigned d1, unsigned b2, unsigned d2)
{
    emit(at, (uint64_t)op << 40 | (uint64_t)(length - 1) << 32 | (uint64_t)(b1 << 12 | d1) << 16 | (b2 << 12 | d2), 6);
}
/* RXY and RSY; `where` is base and a displacement of 20 bits. */
static void emit_long(uint8_t **at, unsigned op, unsigned registers, unsigned b2, unsigned d2)
{
    emit(at,
         (uint64_t)(op >> 8) << 40 | (uint64_t)registers << 32 | (uint64_t)(b2 << 12 | (d2 & 0xfff)) << 16 |
             (d2 >> 12) << 8 | (op & 0xff),
         6);
}
enum { LG = 0xe304, STG = 0xe324, LAY = 0xe371, CLG = 0xe321, LMG = 0xeb04, STMG = 0xeb24, LCTLG = 0xeb2f };

static uint64_t make_nucleus(uint8_t *image)
{
    uint8_t *c = image + AT_NUCLEUS;
    emit_long(&c, LCTLG, 0x00, 0, 0xf80);
    emit_long(&c, LG, 0x10, 0, AT_POINTER);
    emit_ss(&c, 0xd2, 16, 0, AT_PSW, 1, IN_PSW);
    emit_long(&c, LAY, 0x30, 0, AT_DATA);
    emit_ss(&c, 0xd2, 64, 3, 0, 1, IN_DATA);
    emit(&c, 0xb29d1000 + IN_FPC, 4);                      /* LFPC */
    emit(&c, UINT64_C(0xe7e510000436) + (IN_VR << 16), 6); /* VLM 14,21 */
    emit_ss(&c, 0xd7, 16, 0, 0x88, 0, 0x88);
    emit_ss(&c, 0xd7, 32, 0, 0x140, 0, 0x140);
    emit_long(&c, LMG, 0x0f, 1, IN_GR);
    emit(&c, 0xb2b20000 + AT_PSW, 4); /* LPSWE */
    uint64_t handler = (uint64_t)(c - image);
    emit_long(&c, STMG, 0x0f, 0, AT_OUT);
    emit_long(&c, LG, 0x10, 0, AT_POINTER);
    emit_long(&c, LAY, 0x20, 0, AT_OUT);
    emit_long(&c, LAY, 0x30, 0, AT_DATA);
    emit_ss(&c, 0xd2, 128, 1, OUT_GR, 2, 0);
    emit(&c, UINT64_C(0xe7e51000043e) + (OUT_VR << 16), 6); /* VSTM 14,21 */
    emit_ss(&c, 0xd2, 64, 1, OUT_DATA, 3, 0);
    emit_ss(&c, 0xd2, 32, 1, OUT_OLD, 0, 0x140);
    emit_ss(&c, 0xd2, 16, 1, OUT_CODES, 0, 0x88);
    emit(&c, 0xb29c1000 + OUT_FPC, 4); /* STFPC */
    emit_long(&c, LAY, 0x10, 1, CASE_SIZE);
    emit_long(&c, STG, 0x10, 0, AT_POINTER);
    emit_long(&c, CLG, 0x10, 0, AT_POINTER + 8);
    emit(&c, 0xa7740000 | (uint16_t)((AT_NUCLEUS - (c - image)) / 2), 4); /* BRC 7 */
    emit(&c, 0xb2b20000 + AT_PSW + 0x10, 4);
    return handler;
}

/* ---- cases ----------------------------------------------------------------------------------------------------------
 */

static bool usable(unsigned row)
{
    const char *chapter = dis_rows[row].section;
    return chapter[0] == '2' && chapter[1] >= '1' && chapter[1] <= '4' && dis_rows[row].flags & DIS_NEEDS_VECTOR &&
           dis_implemented(row);
}

static bool is_float(unsigned row) { return strcmp(dis_rows[row].section, "24") == 0; }

static uint64_t edge(uint64_t *s)
{
    static const uint64_t bytes[] = {0, 0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x81, 0x20, 0x41};
    uint64_t v = 0;
    switch (below(s, 5)) {
    case 0:
        return random64(s);
    case 1:
        return UINT64_C(1) << below(s, 64);
    case 2:
        return (UINT64_C(0x0101010101010101) << below(s, 8)) - below(s, 2);
    default:
        for (unsigned k = 0; k < 8; k++)
            v = v << 8 | bytes[below(s, sizeof bytes / sizeof *bytes)];
        return v;
    }
}

/* A number of a binary format, 32 or 64 bits, or the left half of 128. */
static uint64_t number(uint64_t *s, unsigned exponent_bits, unsigned bits)
{
    uint64_t e_max = (UINT64_C(1) << exponent_bits) - 1, sign = random64(s) & 1, e, fraction = random64(s);
    unsigned fraction_bits = bits - 1 - exponent_bits;
    switch (below(s, 8)) {
    case 0:
        e = 0;
        break;
    case 1:
        e = e_max;
        break;
    case 2:
        e = random64(s) & e_max;
        break;
    default:
        e = e_max / 2 + below(s, 2 * fraction_bits) - fraction_bits;
        break;
    }
    switch (below(s, 4)) {
    case 0:
        fraction = 0;
        break;
    case 1:
        fraction = random64(s) & UINT64_C(0xf) << (fraction_bits - 4);
        break;
    default:
        break;
    }
    fraction &= (UINT64_C(1) << fraction_bits) - 1;
    return sign << (bits - 1) | (e & e_max) << fraction_bits | fraction;
}

static void make_registers(uint8_t *in, uint64_t *s, unsigned row, unsigned format)
{
    for (unsigned k = 0; k < 16; k++) {
        uint64_t v;
        if (!is_float(row) || (row != DIS_VFTCI && below(s, 6) == 0))
            v = edge(s);
        else if (format == 2)
            v = number(s, 8, 32) << 32 | number(s, 8, 32);
        else if (format == 3)
            v = number(s, 11, 64);
        else
            v = k & 1 ? (below(s, 3) ? random64(s) : 0) : number(s, 15, 64);
        put64(in + IN_VR + 8 * k, v);
    }
    if (below(s, 3) == 0) /* two operands that are (nearly) equal */
        memcpy(in + IN_VR + 16 * below(s, 8), in + IN_VR + 16 * below(s, 8), 16 - below(s, 3));
    for (unsigned k = 0; k < 16; k++)
        put64(in + IN_GR + 8 * k, below(s, 2) ? below(s, 20) : edge(s));
    put64(in + IN_GR + 9 * 8, AT_DATA + below(s, 40));
    for (unsigned k = 0; k < 8; k++)
        put64(in + IN_DATA + 8 * k, edge(s));
}

static void put_register(uint8_t *code, unsigned byte, bool left, unsigned bit, uint64_t *s)
{
    unsigned v = FIRST_VR + below(s, 8);
    code[byte] = (uint8_t)(left ? (code[byte] & 15) | (v & 15) << 4 : (code[byte] & 0xf0) | (v & 15));
    if (v & 16)
        code[4] |= (uint8_t)(8 >> bit);
}
static void put_general(uint8_t *code, unsigned byte, bool left, unsigned r)
{
    code[byte] = (uint8_t)(left ? (code[byte] & 15) | r << 4 : (code[byte] & 0xf0) | r);
}
static unsigned mask(uint64_t *s, unsigned valid) { return below(s, 12) == 0 ? below(s, 16) : below(s, valid); }

/* Storage or an amount: base register 9 addresses the data. */
static void put_address(uint8_t *code, uint64_t *s, bool storage)
{
    unsigned base = storage ? 9 : below(s, 8), d = below(s, storage ? 8 : 70);
    code[2] = (uint8_t)(base << 4);
    code[3] = (uint8_t)d;
}

/* Masks in bits 16-31 of the register formats: zeros, or a few ones. */
static void put_masks(uint8_t *code, uint64_t *s, unsigned format, bool is_float_row, unsigned m)
{
    unsigned some = below(s, 16), top = below(s, 4) ? 0 : 8;
    switch (format) {
    case DIS_FMT_VRR_a:
        code[3] = (uint8_t)(is_float_row ? mask(s, 8) << 4 | top | (below(s, 4) ? 0 : 4) : below(s, 2) << 4);
        break;
    case DIS_FMT_VRR_b:
        code[3] = (uint8_t)(some << 4);
        break;
    case DIS_FMT_VRR_c:
        code[3] = (uint8_t)(is_float_row ? mask(s, 2) << 4 | top | (below(s, 3) ? 0 : 4) : 0);
        break;
    case DIS_FMT_VRR_d:
        code[2] |= (uint8_t)m;
        code[3] = (uint8_t)(below(s, 2) ? some << 4 : below(s, 4) << 4);
        break;
    case DIS_FMT_VRR_e:
        code[2] |= (uint8_t)(is_float_row ? m : 0);
        code[3] = (uint8_t)(is_float_row ? top : 0);
        break;
    default:
        break;
    }
}

static void make_operands(uint8_t *code, uint64_t *s, unsigned row)
{
    const unsigned format = dis_rows[row].format;
    const bool f = is_float(row), storage = dis_rows[row].storage[0].where != DIS_AT_NONE;
    unsigned m = f ? below(s, 12) ? 2 + below(s, 3) : below(s, 16) : mask(s, 5);
    code[4] = (uint8_t)(m << 4);
    switch (format) {
    case DIS_FMT_VRX:
    case DIS_FMT_VRV:
        put_register(code, 1, true, 0, s);
        put_address(code, s, true);
        if (format == DIS_FMT_VRV)
            put_register(code, 1, false, 1, s);
        else
            put_general(code, 1, false, 0);
        if (below(s, 2))
            code[4] = (uint8_t)((code[4] & 15) | below(s, 16) << 4);
        return;
    case DIS_FMT_VSI:
        code[4] = 0;
        put_register(code, 4, true, 3, s);
        put_address(code, s, true);
        code[1] = (uint8_t)below(s, below(s, 8) ? 16 : 256);
        return;
    case DIS_FMT_VRS_d:
        code[4] = 0;
        put_register(code, 4, true, 3, s);
        put_general(code, 1, false, below(s, 8));
        put_address(code, s, true);
        return;
    case DIS_FMT_VRS_a:
    case DIS_FMT_VRS_b:
    case DIS_FMT_VRS_c:
        if (format == DIS_FMT_VRS_c)
            put_general(code, 1, true, below(s, 8));
        else
            put_register(code, 1, true, 0, s);
        if (format == DIS_FMT_VRS_b)
            put_general(code, 1, false, below(s, 8));
        else
            put_register(code, 1, false, 1, s);
        put_address(code, s, storage);
        return;
    default:
        break;
    }
    put_register(code, 1, true, 0, s);
    if (format == DIS_FMT_VRR_f) {
        code[1] = (uint8_t)((code[1] & 0xf0) | below(s, 16));
        code[2] = (uint8_t)(below(s, 16) << 4);
        return;
    }
    if (format >= DIS_FMT_VRI_a && format <= DIS_FMT_VRI_i) {
        code[2] = (uint8_t)random64(s);
        code[3] = (uint8_t)random64(s);
        if (format == DIS_FMT_VRI_c) {
            code[2] = 0;
            code[3] = (uint8_t)below(s, 18);
        }
        if (format == DIS_FMT_VRI_e)
            code[3] = (uint8_t)((code[3] & 0xf0) | (below(s, 3) ? 0 : 8));
        if (format == DIS_FMT_VRI_d && below(s, 2))
            code[3] &= 15;
        if (format != DIS_FMT_VRI_a && format != DIS_FMT_VRI_b)
            put_register(code, 1, false, 1, s);
        else
            code[1] &= 0xf0;
        if (format == DIS_FMT_VRI_d) {
            code[2] = 0;
            put_register(code, 2, true, 2, s);
        }
        return;
    }
    put_register(code, 1, false, 1, s);
    if (format != DIS_FMT_VRR_a)
        put_register(code, 2, true, 2, s);
    put_masks(code, s, format, f, m);
    if (format == DIS_FMT_VRR_d || format == DIS_FMT_VRR_e) {
        code[4] &= 15;
        put_register(code, 4, true, 3, s);
    }
}

static void make_case(uint8_t *in, uint64_t at, uint64_t *s, unsigned row)
{
    static const uint8_t rounding[] = {0, 1, 2, 3, 7, 0, 0, 0};
    uint8_t *code = in + IN_CODE;
    put64(code, dis_rows[row].opcode << 16);
    make_operands(code, s, row);
    struct dis_insn insn;
    dis_decode(code, &insn);
    unsigned format = dis_rows[row].format == DIS_FMT_VRR_e ? insn.m6 : code[4] >> 4;
    make_registers(in, s, row, format >= 2 && format <= 4 ? format : 2 + below(s, 3));
    if (dis_rows[row].format == DIS_FMT_VRV) {
        unsigned n = insn.x2 - FIRST_VR;
        for (unsigned k = 0; k < 4 && n < 8; k++)
            put32(in + IN_VR + 16 * n + 4 * k,
                  row == DIS_VGEG || row == DIS_VSCEG ? k & 1 ? below(s, 24) : 0 : below(s, 24));
    }
    put16(code + 6, 0x0a00);
    put64(in + IN_PSW, BIT64(31) | BIT64(32) | (uint64_t)below(s, 4) << 44);
    put64(in + IN_PSW + 8, at + IN_CODE);
    uint32_t masks = below(s, 6) ? 0 : below(s, 32) << 27;
    put32(in + IN_FPC, is_float(row) ? masks | rounding[below(s, 8)] : 0);
}

static void make_all(uint8_t *image, unsigned cases, uint64_t seed, const char *only)
{
    uint16_t rows[DIS_ROW_COUNT];
    unsigned count = 0;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (usable(row) && (!only || strcmp(dis_rows[row].mnemonic, only) == 0))
            rows[count++] = (uint16_t)row;
    uint64_t handler = make_nucleus(image);
    for (unsigned k = 0x1a0; k < 0x200; k += 16) {
        bool ours = k == 0x1a0 || k == 0x1c0 || k == 0x1d0; /* restart, SVC, program */
        put64(image + k, ours ? BIT64(31) | BIT64(32) : BIT64(14) | BIT64(31) | BIT64(32));
        put64(image + k + 8, k == 0x1a0 ? AT_NUCLEUS : ours ? handler : k);
    }
    put64(image + 0xf80, BIT64(45) | BIT64(46));
    put64(image + AT_PSW + 0x10, BIT64(14) | BIT64(31) | BIT64(32));
    put64(image + AT_PSW + 0x18, 0xfff);
    put64(image + AT_POINTER, AT_CASES);
    put64(image + AT_POINTER + 8, AT_CASES + (uint64_t)cases * CASE_SIZE);
    for (unsigned n = 0; n < cases && count; n++) {
        uint64_t at = AT_CASES + (uint64_t)n * CASE_SIZE;
        make_case(image + at, at, &seed, rows[n < 4 * count ? n % count : below(&seed, count)]);
    }
}

static int make(const char *seed, const char *cases_text, const char *name, const char *only)
{
    unsigned cases = (unsigned)strtoul(cases_text, NULL, 10);
    size_t size = AT_CASES + (size_t)cases * CASE_SIZE;
    uint8_t *file = size <= STORAGE_SIZE ? calloc(1, ELF_HEAD + size) : NULL;
    if (!file)
        return fail("too many cases", cases_text);
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
    make_all(file + ELF_HEAD, cases, strtoull(seed, NULL, 0), only);
    FILE *f = fopen(name, "wb");
    bool bad = !f || fwrite(file, 1, ELF_HEAD + size, f) != ELF_HEAD + size;
    if (f)
        bad |= fclose(f) != 0;
    free(file);
    return bad ? fail("cannot write", name) : 0;
}

/* ---- running and comparing ------------------------------------------------------------------------------------------
 */

static uint8_t *read_file(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    uint8_t *bytes = malloc(STORAGE_SIZE + ELF_HEAD);
    if (!f || !bytes)
        exit(fail("cannot read", name));
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
    uint64_t done, left = (size / CASE_SIZE + 100) * 100; /* far more than every case needs */
    enum engine_end end;
    do {
        end = engine_run(cpu, left < 100000 ? left : 100000, &done);
        left -= done < left ? done : left;
    } while (end == ENGINE_BUDGET && left);
    bool good = cpu->psw.ia == 0xfff && (cpu->psw.mask & PSW_WAIT);
    FILE *f = fopen(out, "wb");
    if (!f || fwrite(sys->storage.bytes, 1, size - ELF_HEAD, f) != size - ELF_HEAD || fclose(f))
        return fail("cannot write", out);
    cpu_destroy(cpu);
    storage_destroy(&sys->storage);
    free(sys);
    free(file);
    return good ? 0 : fail("not ended as it should", name);
}

static void tell(const char *what, const uint8_t *a, const uint8_t *b, unsigned offset, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        if (memcmp(a + offset + 8 * k, b + offset + 8 * k, 8) != 0)
            printf("    %s%u: %016llx / %016llx\n", what, k, (unsigned long long)get64(a + offset + 8 * k),
                   (unsigned long long)get64(b + offset + 8 * k));
}

static void tell_case(const uint8_t *a, const uint8_t *b)
{
    char text[128];
    dis_text(a + IN_CODE, 0, false, text, sizeof text);
    printf("%s  (%012llx) fpc %08x\n", text, (unsigned long long)get64(a + IN_CODE) >> 16, get32(a + IN_FPC));
    tell("gr", a, b, OUT_GR, 16);
    for (unsigned k = 0; k < 8; k++) {
        printf("    v%u in %016llx %016llx", FIRST_VR + k, (unsigned long long)get64(a + IN_VR + 16 * k),
               (unsigned long long)get64(a + IN_VR + 16 * k + 8));
        if (memcmp(a + OUT_VR + 16 * k, b + OUT_VR + 16 * k, 16) != 0)
            printf("\n       ours %016llx %016llx\n     theirs %016llx %016llx",
                   (unsigned long long)get64(a + OUT_VR + 16 * k), (unsigned long long)get64(a + OUT_VR + 16 * k + 8),
                   (unsigned long long)get64(b + OUT_VR + 16 * k), (unsigned long long)get64(b + OUT_VR + 16 * k + 8));
        putchar('\n');
    }
    tell("data ", a, b, OUT_DATA, 8);
    tell("old psw ", a, b, OUT_OLD, 4);
    tell("codes ", a, b, OUT_CODES, 2);
    printf("    fpc: %08x / %08x\n", get32(a + OUT_FPC), get32(b + OUT_FPC));
}

static bool any_nan(const uint8_t *a)
{
    for (unsigned k = 0; k < 32; k++)
        if ((get32(a + IN_VR + 4 * k) & 0x7f800000) == 0x7f800000)
            return true;
    return false;
}

/* Where the other side (QEMU 7.2) is known to be wrong, has not got the instruction, or may do as it likes:
   - with a vector-processing exception its old PSW designates the instruction itself;
   - what the single-element control leaves unpredictable is not looked at;
   - it recognizes inexact exceptions that the mask suppresses;
   - a tiny exact result is no underflow exception to it though the mask of the FPC register is one;
   - a NaN that is converted to an integer is not inexact to it;
   - it rounds negated products by the direction of the negated number; its NaN of a multiply-add may be another one. */
static bool known(const uint8_t *a, const uint8_t *b)
{
    struct dis_insn insn;
    uint8_t theirs[CASE_SIZE];
    const uint32_t fpc = get32(a + IN_FPC);
    memcpy(theirs, b, CASE_SIZE);
    dis_decode(b + IN_CODE, &insn);
    if (get16(b + OUT_CODES + 6) == PIC_OPERATION || insn.row == DIS_VCKSM)
        return true;
    if (((insn.row == DIS_VFNMA || insn.row == DIS_VFNMS) && (fpc & 7)) ||
        ((insn.row == DIS_VFMA || insn.row == DIS_VFMS || insn.row == DIS_VFNMA || insn.row == DIS_VFNMS) &&
         any_nan(a)))
        return true;
    if ((insn.row == DIS_VCSFP || insn.row == DIS_VCLFP) && any_nan(a)) /* inexact with invalid, or not */
        return true;
    if (get16(a + OUT_CODES + 6) == PIC_VECTOR_PROCESSING && (a[OUT_CODES + 11] & 15) == 4)
        return true;
    if (get16(b + OUT_CODES + 6) == PIC_VECTOR_PROCESSING)
        put64(theirs + OUT_OLD + 24, get64(b + OUT_OLD + 24) + 6);
    if (is_float(insn.row) && dis_rows[insn.row].format == DIS_FMT_VRR_a && insn.m4 & 4) {
        if (get16(b + OUT_CODES + 6) == PIC_VECTOR_PROCESSING)
            return true;
        theirs[OUT_FPC + 1] = (uint8_t)((theirs[OUT_FPC + 1] & ~8) | (a[OUT_FPC + 1] & 8));
    }
    unsigned single = insn.row == DIS_VFTCI ? insn.m5 : insn.m4, format = insn.row == DIS_VFTCI ? insn.m4 : insn.m3;
    if ((insn.row == DIS_VFPSO || insn.row == DIS_VFTCI) && single & 8) {
        unsigned first = format == 2 ? 4 : 8, at = OUT_VR + 16 * (insn.r1 - FIRST_VR);
        memcpy(theirs + at + first, a + at + first, 16 - first);
    }
    if (insn.row == DIS_VFLR && insn.m3 == 4) { /* the right half of V1 is unpredictable */
        unsigned at = OUT_VR + 16 * (insn.r1 - FIRST_VR) + 8;
        memcpy(theirs + at, a + at, 8);
    }
    return memcmp(a + OUT_GR, theirs + OUT_GR, OUT_END - OUT_GR) == 0;
}

static int diff(const char *name_a, const char *name_b, unsigned limit)
{
    size_t size_a, size_b;
    uint8_t *a = read_file(name_a, &size_a), *b = read_file(name_b, &size_b);
    size_t size = size_a < size_b ? size_a : size_b;
    unsigned cases = 0, differing = 0, faults = 0, per_row[DIS_ROW_COUNT] = {0};
    if (size < AT_CASES)
        return fail("too short", name_a);
    uint64_t end = get64(a + AT_POINTER + 8);
    if (end > size || get64(a + AT_POINTER) != end || get64(b + AT_POINTER) != end)
        return fail("not all cases were carried out", name_b);
    for (size_t at = AT_CASES; at < end; at += CASE_SIZE, cases++) {
        struct dis_insn insn;
        if (memcmp(a + at + OUT_GR, b + at + OUT_GR, OUT_END - OUT_GR) == 0)
            continue;
        if (known(a + at, b + at)) {
            faults++;
            continue;
        }
        differing++;
        dis_decode(a + at + IN_CODE, &insn);
        if (insn.row != DIS_NO_ROW && per_row[insn.row]++ < limit)
            tell_case(a + at, b + at);
    }
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (per_row[row])
            printf("%s: %u\n", dis_rows[row].mnemonic, per_row[row]);
    printf("%u cases, %u differ, %u known faults of the other side\n", cases, differing, faults);
    free(a);
    free(b);
    return differing != 0;
}

int main(int argc, char **argv)
{
    if (argc >= 5 && strcmp(argv[1], "make") == 0)
        return make(argv[2], argv[3], argv[4], argc > 5 ? argv[5] : NULL);
    if (argc >= 4 && strcmp(argv[1], "run") == 0)
        return run(argv[2], argv[3], argc > 4 ? argv[4] : NULL);
    if (argc >= 4 && strcmp(argv[1], "diff") == 0)
        return diff(argv[2], argv[3], argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1);
    fprintf(stderr, "usage: vector make SEED CASES FILE [MNEMONIC] | run FILE OUT [ENGINE] | diff A B [LIMIT]\n");
    return 2;
}
