/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processor-activity instrumentation, facility 196: cryptography counters that are kept in storage, one for each
   function of the message-security assist. The order of the counters, the designation at real X'1500' and the control
   in control register 0 are those of Linux's perf_pai_crypto. */
#include "config.h"
#include "cpu/exec/crypto/activity.h"
#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"
#include "cpu/storage/operand.h"

/* Real X'1500': origin of the page, and bit 52, which selects its second half (the operating system's own use). */
enum { DESIGNATION = 0x1500, SECOND_HALF = 0x800 };

#define CIPHERS 1, 2, 3, 9, 10, 11, 18, 19, 20, 26, 27, 28
#define DIGESTS 1, 2, 3, 32, 33, 34, 35, 36, 37

/* Function codes that are counted; counter 1 is the first of them, and so on through the table. */
static const struct {
    uint16_t row;
    uint8_t codes[24]; /* 0 ends them */
} counted[] = {
    {DIS_KM, {CIPHERS, 50, 52, 58, 60}},
    {DIS_KMC, {CIPHERS, 67}},
    {DIS_KMA, {18, 19, 20, 26, 27, 28}},
    {DIS_KMF, {CIPHERS}},
    {DIS_KMCTR, {CIPHERS}},
    {DIS_KMO, {CIPHERS}},
    {DIS_KIMD, {DIGESTS, 65}},
    {DIS_KLMD, {DIGESTS}},
    {DIS_KMAC, {CIPHERS}},
    {DIS_PCC, {CIPHERS, 50, 52, 58, 60, 64, 65, 66, 72, 73, 80, 81}},
    {DIS_PRNO, {3, 112, 114}},
    {DIS_KDSA, {1, 2, 3, 9, 10, 11, 17, 18, 19, 32, 36, 40, 44, 48, 52}},
    {DIS_PCKMO, {1, 2, 3, 18, 19, 20, 32, 33, 34, 40, 41}},
};

/* Number of the counter; with row DIS_NO_ROW that of the last one. 0: such a function has none. */
static unsigned counter_of(uint16_t row, unsigned function)
{
    unsigned counter = 0;
    for (unsigned n = 0; n < sizeof counted / sizeof *counted; n++)
        for (unsigned at = 0; at < sizeof counted->codes && counted[n].codes[at]; at++) {
            counter++;
            if (counted[n].row == row && counted[n].codes[at] == function)
                return counter;
        }
    return row == DIS_NO_ROW ? counter : 0;
}

void cpu_count_function(struct cpu *cpu, const struct dis_insn *i)
{
    if (!(cpu->cr[0] & CR0_CRYPTOGRAPHY_COUNTERS) || !cpu_facility(cpu->sys, FACILITY_PAI))
        return;
    const unsigned counter = counter_of(i->row, (unsigned)cpu->gr[0] & 0x7f);
    const uint8_t *low = cpu_real_host(cpu, DESIGNATION, 8);
    if (!counter || !low)
        return;
    const uint64_t designation = get64(low);
    struct cpu_access access = {.address = (designation & ~UINT64_C(0xfff)) + (designation & SECOND_HALF) + 8 * counter,
                                .space = CPU_SPACE_REAL,
                                .kind = CPU_FETCH,
                                .no_per = true,
                                .wide = true,
                                .no_low_protection = true};
    const uint8_t access_id = cpu->exception_access_id;
    uint8_t value[8];
    int code = cpu_fetch_as(cpu, &access, value, sizeof value);
    if (!code) {
        put64(value, get64(value) + 1);
        access.kind = CPU_STORE;
        code = cpu_store_as(cpu, &access, value, sizeof value);
    }
    if (code) /* not in the configuration: nothing is counted */
        cpu->exception_access_id = access_id;
}

/* QUERY PROCESSOR ACTIVITY COUNTER INFORMATION: as many doublewords about the counters as bits 56-63 of general
   register 0 ask for (less one); that byte then has the number that would be needed. Bits 8-15 of the second one are
   the number of cryptography counters. CC: 0 complete, 3 incomplete. Exceptions: privileged operation; specification
   (doubleword boundary); access (store). */
int cpu_qpaci(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[16] = {0};
    const unsigned need = sizeof block / 8, asked = ((unsigned)cpu->gr[0] & 0xff) + 1;
    const uint64_t address = cpu_ea2(cpu, i);
    if (address & 7)
        return PIC_SPECIFICATION;
#if HAVE_NETTLE
    block[9] = (uint8_t)counter_of(DIS_NO_ROW, 0);
#endif
    cpu->told_length = 8 * (asked < need ? asked : need);
    const int code = cpu_store_bytes(cpu, address, i->b2, block, (unsigned)cpu->told_length);
    if (code)
        return code;
    cpu->gr[0] = (cpu->gr[0] & ~UINT64_C(0xff)) | (need - 1);
    cpu->cc = asked >= need ? 0 : 3;
    return 0;
}
