/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE X'E10' (specification 4.1 c). Storage operands are at real addresses, and no key protects them. */
#include "emu/observe/exception_diagnose.h"
#include "cpu/state/exceptions.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "emu/observe/exception_trace.h"

enum subcode {
    QUERY,
    READ_REGISTER,
    WRITE_REGISTER,
    LOAD_REGISTERS,
    OUTPUT_ON,
    OUTPUT_OFF,
    FLUSH,
    MARK,
    STORE_COUNTERS,
    ASSIGN_RING,
    TAKE_BUFFER,
    STATUS
};
enum { DONE, IN_PART, REFUSED, NOT_THERE };

/* What a query tells in R1+1: version in bits 0-15, registers in bits 16-31, capabilities in bits 32-63. */
#define VERSION 0x10u
enum capability {
    CAN_FIGURE_MODE = 1,
    CAN_SEPARATE_TIME = 2,
    CAN_FULL_STREAM = 4,
    CAN_GUEST_RING = 8,
    CAN_RULES = 16,
    CAN_HOST_CLOCK = 32
};

#define COUNTS 6u /* doublewords of an entry of the counter block */
#define PIECE  256u

/* One carried out: its unit, CPU and operands. */
struct call {
    struct machine *m;
    struct cpu *cpu;
    struct et_cpu *unit;
    unsigned r1, r3;
};

static uint64_t *argument(const struct call *c) { return &c->cpu->gr[c->r1 + 1]; }

static bool fetch(const struct call *c, uint64_t real, uint64_t *word)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++) {
        const uint8_t *from = cpu_real_host(c->cpu, real + i, 1);
        if (!from)
            return false;
        bytes[i] = *from;
    }
    *word = get64(bytes);
    return true;
}

static bool store(const struct call *c, uint64_t real, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t *to = cpu_real_host(c->cpu, real + i, 1);
        if (!to)
            return false;
        *to = bytes[i];
        cpu_code_stored(c->cpu, cpu_real_to_absolute(c->cpu, real + i), 1);
    }
    return true;
}

/* All of it is there. */
static bool there(const struct call *c, uint64_t real, uint64_t size)
{
    uint64_t at = real;
    if (real + size < real)
        return false;
    for (uint64_t left = size; left;) {
        const uint64_t part = cpu_page_left(at) < left ? cpu_page_left(at) : left;
        if (!cpu_real_host(c->cpu, at, (unsigned)part))
            return false;
        at += part;
        left -= part;
    }
    return true;
}

static int query(const struct call *c)
{
    const uint32_t can = CAN_FIGURE_MODE | CAN_SEPARATE_TIME | CAN_FULL_STREAM | CAN_GUEST_RING | CAN_RULES |
                         (c->m->sys.host_clock ? CAN_HOST_CLOCK : 0);
    *argument(c) = (uint64_t)VERSION << 48 | (uint64_t)ET_REGISTERS << 32 | can;
    c->cpu->gr[c->r3] = UINT64_C(1) << ET_GET(et_configuration(c->unit), ETBF, SIZE);
    return DONE;
}

/* Registers 0 on from storage, as many as R1+1 says, at once. */
static int load_registers(const struct call *c, int *code)
{
    const uint64_t count = *argument(c), from = c->cpu->gr[c->r3];
    struct et_config config = *et_configuration(c->unit);
    if (count > ET_REGISTERS)
        return NOT_THERE;
    for (unsigned i = 0; i < count; i++)
        if (!fetch(c, from + 8 * i, &config.reg[i])) {
            *code = PIC_ADDRESSING;
            return DONE;
        }
    return et_configure(c->unit, &config, ET_BY_GUEST) ? REFUSED : DONE;
}

static int write_register(const struct call *c)
{
    const uint64_t index = c->cpu->gr[c->r3];
    if (index >= ET_REGISTERS)
        return NOT_THERE;
    return et_write(c->unit, (unsigned)index, *argument(c), ET_BY_GUEST) ? REFUSED : DONE;
}

static int read_register(const struct call *c)
{
    const uint64_t index = c->cpu->gr[c->r3];
    if (index >= ET_REGISTERS)
        return NOT_THERE;
    *argument(c) = et_read(c->unit, (unsigned)index);
    return DONE;
}

static bool active(const struct et_count *count) { return count->entries || count->exits || count->returns; }

static int store_counters(const struct call *c, int *code)
{
    const uint64_t room = *argument(c) / (8 * COUNTS);
    uint64_t at = c->cpu->gr[c->r3], stored = 0;
    bool more = false;
    for (unsigned en = 0; en < ET_NUMBERS; en++) {
        const struct et_count *count = et_count(c->unit, en);
        uint8_t entry[8 * COUNTS];
        const uint64_t words[COUNTS] = {en,           count->entries, count->tail_chains,
                                        count->gross, count->self,    count->gross_max};
        if (!active(count))
            continue;
        more = stored == room;
        if (more)
            break;
        for (unsigned i = 0; i < COUNTS; i++)
            put64(entry + 8 * i, words[i]);
        if (!store(c, at, entry, sizeof entry)) {
            *code = PIC_ADDRESSING;
            return DONE;
        }
        at += sizeof entry;
        stored++;
    }
    *argument(c) = stored;
    return more ? IN_PART : DONE;
}

static int assign_ring(const struct call *c)
{
    struct et_config config = *et_configuration(c->unit);
    const bool again = config.reg[ETGA] == c->cpu->gr[c->r3] && config.reg[ETGL] == *argument(c) && *argument(c);
    if (again) { /* the same place once more: a new ring all the same */
        config.reg[ETGL] = 0;
        if (et_configure(c->unit, &config, ET_BY_GUEST))
            return REFUSED;
    }
    config.reg[ETGA] = *argument(c) ? c->cpu->gr[c->r3] : 0;
    config.reg[ETGL] = *argument(c);
    return et_configure(c->unit, &config, ET_BY_GUEST) ? REFUSED : DONE;
}

static int take_buffer(const struct call *c, int *code)
{
    const uint64_t room = *argument(c), at = c->cpu->gr[c->r3];
    uint8_t piece[PIECE];
    uint64_t taken = 0;
    if (!ET_GET(et_configuration(c->unit), ETCR, GUEST) || ET_GET(et_configuration(c->unit), ETCR, LOCK))
        return REFUSED;
    while (taken < room) { /* bytes that cannot be stored are not taken */
        const size_t most = room - taken < PIECE ? (size_t)(room - taken) : PIECE;
        const size_t some = et_buffer_look(c->unit, piece, most);
        if (!some)
            break;
        if (!there(c, at + taken, some)) {
            *code = PIC_ADDRESSING;
            break;
        }
        (void)store(c, at + taken, piece, et_buffer_take(c->unit, piece, some));
        taken += some;
    }
    *argument(c) = taken;
    return et_buffer_look(c->unit, piece, 1) ? IN_PART : DONE;
}

static int carry_out(const struct call *c, uint32_t subcode, int *code)
{
    switch (subcode) {
    case QUERY:
        return query(c);
    case READ_REGISTER:
        return read_register(c);
    case WRITE_REGISTER:
        return write_register(c);
    case LOAD_REGISTERS:
        return load_registers(c, code);
    case OUTPUT_ON:
    case OUTPUT_OFF:
        return et_output(c->unit, subcode == OUTPUT_ON, ET_BY_GUEST) ? REFUSED : DONE;
    case FLUSH:
        et_flush(c->unit);
        return DONE;
    case MARK:
        et_mark(c->unit, *argument(c));
        return DONE;
    case STORE_COUNTERS:
        return store_counters(c, code);
    case ASSIGN_RING:
        return assign_ring(c);
    case TAKE_BUFFER:
        return take_buffer(c, code);
    case STATUS:
        *argument(c) = et_read(c->unit, ETST);
        return DONE;
    default:
        return NOT_THERE;
    }
}

int exception_diagnose(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    const struct call c = {m, cpu, r1 & 1 ? NULL : exception_trace_unit(m, cpu), r1, r3};
    int code = 0;
    if (r1 & 1)
        return PIC_SPECIFICATION;
    if (!c.unit) { /* the host has no memory for units: none can be asked */
        cpu->cc = REFUSED;
        return 0;
    }
    const int cc = carry_out(&c, gr32(cpu, r1), &code);
    if (!code)
        cpu->cc = (uint8_t)cc;
    cpu->look_around = true; /* units may be there now: the engine looks at boundaries from here on */
    return code;
}
