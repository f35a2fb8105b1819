/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registers of a CPU as a debugger knows them, from the register table: cpu/control/registers.def. */
#include "cpu/control/registers.h"
#include "emu/debug/internal.h"
#include <string.h>

#define LOW_HALVES 16u /* vector registers whose left halves are floating-point registers */

/* The features of the target description: names that gdb knows, then our own. */
static const struct {
    const char *feature, *type, *group;
} groups[CPU_REGS_COUNT] = {
    [CPU_REGS_CORE] = {"org.gnu.gdb.s390.core", "uint64", "general"},
    [CPU_REGS_ACCESS] = {"org.gnu.gdb.s390.acr", "uint32", "access"},
    [CPU_REGS_FLOAT] = {"org.gnu.gdb.s390.fpr", "ieee_double", "float"},
    [CPU_REGS_VECTOR] = {"org.gnu.gdb.s390.vx", "vec128", "vector"},
    [CPU_REGS_GUARDED] = {"org.gnu.gdb.s390.gs", "uint64", "system"},
    [CPU_REGS_CONTROL] = {"org.gnu.gdb.s390.cr", "uint64", "control"},
    [CPU_REGS_SYSTEM] = {"org.zri.system", "uint64", "system"},
};

/* A register of the description: which one of the table, and how much of it. */
struct place {
    unsigned id, number;
    unsigned width; /* bits */
    bool low;       /* the right half of a vector register: the left one is a floating-point register */
};

/* Those of a group in the order of the table. Returns whether register *number is among them, else takes off so many.
 */
static bool find_in(unsigned group, unsigned *number, struct place *place)
{
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++) {
        const struct cpu_register *r = &cpu_registers[id];
        if (r->group != group)
            continue;
        if (*number < r->count) {
            const bool low = r->width == 128 && *number < LOW_HALVES;
            *place = (struct place){.id = id, .number = *number, .width = low ? 64 : r->width, .low = low};
            return true;
        }
        *number -= r->count;
    }
    return false;
}

static bool find(unsigned number, struct place *place)
{
    for (unsigned group = 0; group < CPU_REGS_COUNT; group++)
        if (find_in(group, &number, place))
            return true;
    return false;
}

unsigned registers_count(void)
{
    unsigned n = 0;
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++)
        n += cpu_registers[id].count;
    return n;
}

size_t registers_bytes(unsigned number)
{
    struct place p;
    return find(number, &p) ? p.width / 8 : 0;
}

bool registers_is_address(unsigned number)
{
    struct place p;
    return find(number, &p) && p.id == CPU_REG_PSW_ADDRESS;
}

bool registers_add(struct gdb *g, unsigned number)
{
    struct place p;
    uint64_t value[2];
    uint8_t bytes[16];
    if (!find(number, &p) || !cpu_register_get(gdb_cpu(g), p.id, p.number, value))
        return false;
    put64(bytes, value[0]);
    put64(bytes + 8, value[1]);
    packet_add_hex(&g->answer, bytes + sizeof bytes - p.width / 8, p.width / 8);
    return true;
}

bool registers_set(struct gdb *g, unsigned number, const uint8_t *bytes, size_t n)
{
    struct cpu *cpu = gdb_cpu(g);
    struct place p;
    uint64_t was[2], value[2];
    uint8_t all[16] = {0};
    if (!find(number, &p) || n != p.width / 8 || !cpu_register_get(cpu, p.id, p.number, was))
        return false;
    memcpy(all + sizeof all - n, bytes, n);
    value[0] = p.low ? was[0] : get64(all);
    value[1] = get64(all + 8);
    if (value[0] == was[0] && value[1] == was[1])
        return true;
    if (cpu_register_set(cpu, p.id, p.number, value) == 0)
        return true;
    (void)!cpu_register_set(cpu, p.id, p.number, was);
    return false;
}

static const char *type_of(const struct place *p)
{
    if (p->id == CPU_REG_PSW_ADDRESS)
        return "code_ptr";
    return p->width == 32 ? "uint32" : p->low ? "uint64" : groups[cpu_registers[p->id].group].type;
}

static void describe_vectors(FILE *out)
{
    static const char *const types[][3] = {{"v4f", "ieee_single", "4"}, {"v2d", "ieee_double", "2"},
                                           {"v16i8", "int8", "16"},     {"v8i16", "int16", "8"},
                                           {"v4i32", "int32", "4"},     {"v2i64", "int64", "2"}};
    static const char *const fields[][2] = {{"v4_float", "v4f"},   {"v2_double", "v2d"},  {"v16_int8", "v16i8"},
                                            {"v8_int16", "v8i16"}, {"v4_int32", "v4i32"}, {"v2_int64", "v2i64"},
                                            {"uint128", "uint128"}};
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        fprintf(out, "<vector id=\"%s\" type=\"%s\" count=\"%s\"/>\n", types[i][0], types[i][1], types[i][2]);
    fputs("<union id=\"vec128\">\n", out);
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        fprintf(out, "<field name=\"%s\" type=\"%s\"/>\n", fields[i][0], fields[i][1]);
    fputs("</union>\n", out);
}

void registers_describe(FILE *out)
{
    struct place p;
    fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
          "<architecture>s390:64-bit</architecture>\n",
          out);
    for (unsigned group = 0; group < CPU_REGS_COUNT; group++) {
        fprintf(out, "<feature name=\"%s\">\n", groups[group].feature);
        if (group == CPU_REGS_VECTOR)
            describe_vectors(out);
        for (unsigned n = 0;; n++) {
            unsigned number = n;
            if (!find_in(group, &number, &p))
                break;
            const struct cpu_register *r = &cpu_registers[p.id];
            fprintf(out, "<reg name=\"%s", r->debug_name);
            if (r->count > 1)
                fprintf(out, "%u%s", p.number, p.low ? "l" : "");
            fprintf(out, "\" bitsize=\"%u\" type=\"%s\" group=\"%s\"/>\n", p.width, type_of(&p), groups[group].group);
        }
        fputs("</feature>\n", out);
    }
    fputs("</target>\n", out);
}
