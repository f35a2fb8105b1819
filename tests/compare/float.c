/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of single floating-point instructions between zri and another machine (tests/compare/float.sh):
     float make SEED CASES FILE binary|hex [MNEMONIC]  an ELF image of random cases
     float run FILE OUT [reference|block]              carry it out here; OUT is storage at the end
     float diff OURS THEIRS [LIMIT]                    cases whose results differ; status 1 if any
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
};

/* A case: what goes in, and from 512 on what came out. */
enum {
    IN_GR = 0,
    IN_FPR = 128,
    IN_DATA = 256,
    IN_PSW = 320,
    IN_FPC = 336,
    IN_CODE = 344,
    OUT_GR = 512,
    OUT_FPR = 640,
    OUT_DATA = 768,
    OUT_OLD = 832,
    OUT_CODES = 864,
    OUT_FPC = 880,
    OUT_END = 884,
};

static int fail(const char *what, const char *name)
{
    fprintf(stderr, "float: %s: %s\n", what, name);
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
    emit(&c, 0xb29d1000 + IN_FPC, 4); /* LFPC */
    for (unsigned r = 0; r < 16; r++)
        emit(&c, 0x68001000 + (r << 20) + IN_FPR + 8 * r, 4); /* LD */
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
    for (unsigned r = 0; r < 16; r++)
        emit(&c, 0x60001000 + (r << 20) + OUT_FPR + 8 * r, 4); /* STD */
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

static bool is_hex(unsigned row)
{
    return strcmp(dis_rows[row].section, "18") == 0 || row == DIS_THDER || row == DIS_THDR || row == DIS_TBEDR ||
           row == DIS_TBDR;
}
static bool usable(unsigned row, bool hex)
{
    const char *chapter = dis_rows[row].section;
    bool chosen = hex ? is_hex(row) : strcmp(chapter, "19") == 0 || (strcmp(chapter, "9") == 0 && !is_hex(row));
    if (row == DIS_SFASR || row == DIS_LFAS) /* QEMU aborts */
        return false;
    return chosen && dis_implemented(row) && dis_rows[row].flags & (DIS_AFP_IF_HIGH | DIS_NEEDS_AFP);
}

/* Bits of a fraction: random, few at one end, a run of ones. */
static uint64_t fraction_bits(uint64_t *s)
{
    uint64_t v = random64(s);
    switch (below(s, 6)) {
    case 0:
        return 0;
    case 1:
        return v << below(s, 64);
    case 2:
        return v >> below(s, 64);
    case 3:
        return ~UINT64_C(0) << below(s, 64);
    case 4:
        return (~UINT64_C(0) >> below(s, 64)) + (below(s, 3) - 1);
    default:
        return v;
    }
}

/* A binary number of 32 or 64 bits, or the left half of 128. */
static uint64_t binary(uint64_t *s, unsigned exponent_bits, unsigned bits)
{
    uint64_t e_max = (UINT64_C(1) << exponent_bits) - 1, sign = random64(s) & 1, e;
    unsigned n = bits - 1 - exponent_bits;
    switch (below(s, 10)) {
    case 0:
        e = below(s, 3) ? 0 : below(s, n + 3);
        break;
    case 1:
        e = e_max - (below(s, 3) ? 0 : below(s, n));
        break;
    case 2:
    case 3:
        e = random64(s);
        break;
    case 4: /* so that products come near the borders */
        e = (below(s, 2) ? e_max / 4 : e_max * 3 / 4) + below(s, 60) - 30;
        break;
    default:
        e = e_max / 2 + below(s, 2 * n) - n;
        break;
    }
    uint64_t fraction = fraction_bits(s) & ((UINT64_C(1) << n) - 1);
    return sign << (bits - 1) | (e & e_max) << n | fraction;
}

/* A hexadecimal number, left-aligned in 64 bits. */
static uint64_t hexadecimal(uint64_t *s)
{
    uint64_t c;
    switch (below(s, 6)) {
    case 0:
        c = below(s, 2) ? below(s, 20) : 127 - below(s, 20);
        break;
    case 1:
        c = below(s, 128);
        break;
    case 2: /* so that products come near the borders */
        c = (below(s, 2) ? 32 : 96) + below(s, 8) - 4;
        break;
    default:
        c = 64 + below(s, 24) - 8;
        break;
    }
    uint64_t fraction = fraction_bits(s) >> (below(s, 3) ? 8 : 8 + below(s, 56));
    if (below(s, 3)) /* most numbers are normalized, but not zero */
        fraction |= UINT64_C(1) << (52 + below(s, 4));
    return (random64(s) & 1) << 63 | c << 56 | (fraction & (UINT64_MAX >> 8));
}

/* The format of the source: s, l, e, as the name of the row tells it. */
static char source_format(unsigned row)
{
    const char *text = strchr(dis_rows[row].name, '(');
    return text && (text[1] == 's' || text[1] == 'e') ? text[1] : 'l';
}

static uint64_t operand(uint64_t *s, unsigned row, unsigned k)
{
    bool hex = strcmp(dis_rows[row].section, "18") == 0 || row == DIS_TBEDR || row == DIS_TBDR;
    char f = source_format(row);
    if (f == 'e' && k & 2)
        return hex ? hexadecimal(s) : fraction_bits(s);
    if (hex)
        return hexadecimal(s);
    if (f == 's')
        return binary(s, 8, 32) << 32 | (random64(s) & 0xffffffff);
    return f == 'l' ? binary(s, 11, 64) : binary(s, 15, 64);
}

static void make_registers(uint8_t *in, uint64_t *s, unsigned row)
{
    for (unsigned k = 0; k < 16; k++)
        put64(in + IN_FPR + 8 * k, operand(s, row, k));
    for (unsigned k = 0; k < 8; k++)
        put64(in + IN_DATA + 8 * k, operand(s, row, 0));
    for (unsigned k = 0; k < 16; k += 4) { /* operands that are nearly equal, in pairs of registers */
        if (below(s, 4))
            continue;
        unsigned from = 4 * below(s, 4) + (k & 1), to = 4 * below(s, 4) + (k & 1);
        memcpy(in + IN_FPR + 8 * to, in + IN_FPR + 8 * from, 8);
        memcpy(in + IN_FPR + 8 * to + 16, in + IN_FPR + 8 * from + 16, 8);
        in[IN_FPR + 8 * to] ^= below(s, 2) ? 0x80 : 0;
        in[IN_FPR + 8 * to + (below(s, 2) ? 7 : 3)] ^= (uint8_t)below(s, 4);
        in[IN_FPR + 8 * to + 23] ^= (uint8_t)below(s, 4);
        if (below(s, 4) == 0)
            in[IN_FPR + 8 * to] = (uint8_t)(in[IN_FPR + 8 * to] + below(s, 3));
    }
    for (unsigned k = 0; k < 16; k++)
        put64(in + IN_GR + 8 * k, below(s, 4) ? fraction_bits(s) : 0 - (uint64_t)below(s, 9));
    put64(in + IN_GR + 9 * 8, AT_DATA);
}

static unsigned rounding_mask(uint64_t *s)
{
    static const uint8_t valid[] = {0, 0, 1, 3, 4, 5, 6, 7};
    return below(s, 16) == 0 ? below(s, 16) : valid[below(s, 8)];
}

/* A register, of a valid pair if that is asked for. */
static unsigned reg(uint64_t *s, bool pair) { return below(s, 16) & (pair && below(s, 32) ? 13u : 15u); }

static void make_operands(uint8_t *code, uint64_t *s, unsigned row)
{
    const struct dis_row *r = &dis_rows[row];
    unsigned r1 = reg(s, r->flags & DIS_FP_PAIR_R1), r2 = reg(s, r->flags & DIS_FP_PAIR_R2), r3 = reg(s, false);
    const bool storage = r->storage[0].where != DIS_AT_NONE;
    unsigned address = storage ? 0x9000 + 8 * below(s, 6) + (below(s, 8) ? 0 : below(s, 8)) : below(s, 4096);
    if (row == DIS_SRNM || row == DIS_SRNMB || row == DIS_SRNMT)
        address = below(s, 10);
    switch (r->format) {
    case DIS_FMT_RR:
        code[1] = (uint8_t)(r1 << 4 | r2);
        return;
    case DIS_FMT_RRE:
        code[3] = (uint8_t)(r1 << 4 | r2);
        return;
    case DIS_FMT_RRD:
        code[2] = (uint8_t)(r1 << 4);
        code[3] = (uint8_t)(r3 << 4 | r2);
        return;
    case DIS_FMT_RRF_a:
    case DIS_FMT_RRF_b:
        code[2] = (uint8_t)(r3 << 4 | rounding_mask(s));
        code[3] = (uint8_t)(r1 << 4 | r2);
        return;
    case DIS_FMT_RRF_c:
    case DIS_FMT_RRF_e:
        code[2] = (uint8_t)(rounding_mask(s) << 4 | (r->format == DIS_FMT_RRF_e ? below(s, 2) * 4 : 0));
        code[3] = (uint8_t)(r1 << 4 | r2);
        return;
    case DIS_FMT_RXF:
        code[4] = (uint8_t)(r1 << 4);
        code[1] = (uint8_t)(r3 << 4);
        break;
    case DIS_FMT_S:
        break;
    default:
        code[1] = (uint8_t)(r1 << 4);
        break;
    }
    put16(code + 2, (uint16_t)address);
}

static void make_case(uint8_t *in, uint64_t at, uint64_t *s, unsigned row)
{
    static const uint8_t rounding[] = {0, 1, 2, 3};
    uint8_t *code = in + IN_CODE;
    put64(code, dis_rows[row].opcode << 16);
    make_operands(code, s, row);
    make_registers(in, s, row);
    put16(code + (code[0] < 0x40 ? 2 : code[0] < 0xc0 ? 4 : 6), 0x0a00);
    put64(in + IN_PSW, BIT64(31) | BIT64(32) | (uint64_t)below(s, 4) << 44 | (uint64_t)below(s, 4) << 40);
    put64(in + IN_PSW + 8, at + IN_CODE);
    uint32_t masks = below(s, 4) ? 0 : below(s, 32) << 27;
    put32(in + IN_FPC, is_hex(row) ? 0 : masks | rounding[below(s, 4)] | (below(s, 4) ? 0 : below(s, 32) << 19));
}

static void make_all(uint8_t *image, unsigned cases, uint64_t seed, bool hex, const char *only)
{
    uint16_t rows[DIS_ROW_COUNT];
    unsigned count = 0;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (usable(row, hex) && (!only || strcmp(dis_rows[row].mnemonic, only) == 0))
            rows[count++] = (uint16_t)row;
    uint64_t handler = make_nucleus(image);
    for (unsigned k = 0x1a0; k < 0x200; k += 16) {
        bool ours = k == 0x1a0 || k == 0x1c0 || k == 0x1d0; /* restart, SVC, program */
        put64(image + k, ours ? BIT64(31) | BIT64(32) : BIT64(14) | BIT64(31) | BIT64(32));
        put64(image + k + 8, k == 0x1a0 ? AT_NUCLEUS : ours ? handler : k);
    }
    put64(image + 0xf80, BIT64(45));
    put64(image + AT_PSW + 0x10, BIT64(14) | BIT64(31) | BIT64(32));
    put64(image + AT_PSW + 0x18, 0xfff);
    put64(image + AT_POINTER, AT_CASES);
    put64(image + AT_POINTER + 8, AT_CASES + (uint64_t)cases * CASE_SIZE);
    for (unsigned n = 0; n < cases && count; n++) {
        uint64_t at = AT_CASES + (uint64_t)n * CASE_SIZE;
        make_case(image + at, at, &seed, rows[n < 4 * count ? n % count : below(&seed, count)]);
    }
}

static int make(const char *seed, const char *cases_text, const char *name, bool hex, const char *only)
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
    make_all(file + ELF_HEAD, cases, strtoull(seed, NULL, 0), hex, only);
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
    for (unsigned k = 0; k < 16; k++) {
        printf("    f%-2u in %016llx", k, (unsigned long long)get64(a + IN_FPR + 8 * k));
        if (memcmp(a + OUT_FPR + 8 * k, b + OUT_FPR + 8 * k, 8) != 0)
            printf(" ours %016llx theirs %016llx", (unsigned long long)get64(a + OUT_FPR + 8 * k),
                   (unsigned long long)get64(b + OUT_FPR + 8 * k));
        printf(k & 1 ? "\n" : "");
    }
    printf("    data");
    for (unsigned k = 0; k < 8; k++)
        printf(" %016llx", (unsigned long long)get64(a + IN_DATA + 8 * k));
    printf("\n");
    tell("data ", a, b, OUT_DATA, 8);
    tell("old psw ", a, b, OUT_OLD, 4);
    tell("codes ", a, b, OUT_CODES, 2);
    printf("    fpc: %08x / %08x\n", get32(a + OUT_FPC), get32(b + OUT_FPC));
}

/* Where the other side is known to be wrong, or has not got the instruction. */
static bool known(const uint8_t *a, const uint8_t *b)
{
    unsigned dxc = get16(a + OUT_CODES + 6) == PIC_DATA ? a[OUT_CODES + 0xb] : 0;
    struct dis_insn i;
    dis_decode(a + IN_CODE, &i);
    if (get16(b + OUT_CODES + 6) == PIC_OPERATION)
        return true;
    switch (i.row) {
    case DIS_TBEDR: /* Hercules knows a rounding method 3, and rounds after truncating */
    case DIS_TBDR:
        return true;
    case DIS_MDEBR: /* QEMU: wrong product */
    case DIS_MXDBR:
    case DIS_MDEB:
    case DIS_MXDB:
    case DIS_LTEBR: /* QEMU: signaling NaNs stay as they are */
    case DIS_LTDBR:
    case DIS_LTXBR:
        return true;
    case DIS_LDXBRA: /* QEMU: any R1 */
    case DIS_LEXBRA:
        if (get16(a + OUT_CODES + 6) == PIC_SPECIFICATION && i.r1 & 2)
            return true;
        break;
    case DIS_MAEBR: /* QEMU: which of several NaNs */
    case DIS_MAEB:
    case DIS_MADBR:
    case DIS_MADB:
    case DIS_MSEBR:
    case DIS_MSEB:
    case DIS_MSDBR:
    case DIS_MSDB:
        if ((get16(a + OUT_FPR + 8 * i.r1) & 0x7f80) == 0x7f80 || (get16(a + OUT_FPR + 8 * i.r1) & 0x7ff0) == 0x7ff0)
            return true;
        break;
    case DIS_MYHR: /* Hercules wants a register pair */
        return get16(b + OUT_CODES + 6) == PIC_SPECIFICATION && i.r1 & 2;
    case DIS_MAER: /* Hercules' intermediate product and sum are not exact (float-exact.py is the judge) */
    case DIS_MAE:
    case DIS_MADR:
    case DIS_MAD:
    case DIS_MSER:
    case DIS_MSE:
    case DIS_MSDR:
    case DIS_MSD:
    case DIS_MAYR:
    case DIS_MAYHR:
    case DIS_MAYLR:
    case DIS_MAY:
    case DIS_MAYH:
    case DIS_MAYL:
        return is_hex(i.row);
    default:
        break;
    }
    /* QEMU: an invalid conversion of a NaN is not inexact. */
    if (i.row >= DIS_CFEBRA && i.row <= DIS_CLGXBR && get32(a + OUT_FPC) == (get32(b + OUT_FPC) | 0x00080000) &&
        get32(a + OUT_FPC) & 0x00800000)
        return true;
    /* QEMU: traps that complete; and a trap for an invalid conversion that says inexact as well. */
    return (dxc >= 0x08 && dxc <= 0x2c) || (dxc == 0x80 && b[OUT_CODES + 0xb] == 0x88);
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
    if (argc >= 6 && strcmp(argv[1], "make") == 0)
        return make(argv[2], argv[3], argv[4], strcmp(argv[5], "hex") == 0, argc > 6 ? argv[6] : NULL);
    if (argc >= 4 && strcmp(argv[1], "run") == 0)
        return run(argv[2], argv[3], argc > 4 ? argv[4] : NULL);
    if (argc >= 4 && strcmp(argv[1], "diff") == 0)
        return diff(argv[2], argv[3], argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1);
    fprintf(stderr,
            "usage: float make SEED CASES FILE binary|hex [MNEMONIC] | run FILE OUT [ENGINE] | diff A B [LIMIT]\n");
    return 2;
}
