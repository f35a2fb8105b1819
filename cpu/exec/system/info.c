/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control instructions that identify the machine, and those that call out to it. PoP chapter 10 (SA22-7832-13). */
#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "cpu/storage/tlb.h"
#include "ri/counters/counters.h"

/* STORE CPU ID: version, CPU identification, machine type to the doubleword operand. CC: unchanged.
   Exceptions: privileged operation; specification (doubleword boundary); access (store). */
int cpu_stidp(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    return address & 7 ? PIC_SPECIFICATION : cpu_store8(cpu, address, i->b2, cpu->sys->profile.cpu_id);
}

/* STORE CPU ADDRESS to the halfword operand. CC: unchanged. Exceptions: privileged operation; specification (halfword
   boundary); access (store). */
int cpu_stap(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    return address & 1 ? PIC_SPECIFICATION : cpu_store2(cpu, address, i->b2, cpu->address);
}

/* STORE FACILITY LIST: facility bits 0-31 to the word at real address 200. CC: unchanged. Exceptions: privileged
 * operation. */
int cpu_stfl(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    uint8_t *host = cpu_real_host(cpu, 200, 4);
    if (!host)
        return PIC_ADDRESSING;
    put32(host, (uint32_t)(cpu->sys->profile.facilities[0] >> 32));
    cpu_code_stored(cpu, cpu_real_to_absolute(cpu, 200), 4);
    return 0;
}

/* STORE FACILITY LIST EXTENDED: as many doublewords of the facility list as bits 56-63 of general register 0 ask for
   (less one); that byte then has the number that would be needed. CC: 0 complete, 3 incomplete. Exceptions:
   specification (doubleword boundary); access (store). */
int cpu_stfle(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[sizeof cpu->sys->profile.facilities];
    uint64_t list[sizeof bytes / 8];
    unsigned need = sizeof list / 8, asked = ((unsigned)cpu->gr[0] & 0xff) + 1;
    uint64_t address = cpu_ea2(cpu, i);
    if (address & 7)
        return PIC_SPECIFICATION;
    memcpy(list, cpu->sys->profile.facilities, sizeof list);
    list[3] &= ~UINT64_C(0xffff); /* from 240 on: known to this program alone */
    while (need > 1 && !list[need - 1])
        need--;
    for (unsigned n = 0; n < need; n++)
        put64(bytes + 8 * n, list[n]);
    cpu->told_length = 8 * (asked < need ? asked : need);
    int code = cpu_store_bytes(cpu, address, i->b2, bytes, (unsigned)cpu->told_length);
    if (code)
        return code;
    cpu->gr[0] = (cpu->gr[0] & ~UINT64_C(0xff)) | (need - 1);
    cpu->cc = asked >= need ? 0 : 3;
    return 0;
}

/* STORE SYSTEM INFORMATION: bits 32-35 of general register 0 are the function code; 0 yields the current level there,
   otherwise the block of the selectors is stored at the operand. CC: 0 done, 3 not available. Exceptions: privileged
   operation; specification (bits 36-55 of register 0 or 32-47 of register 1 not zero; block not on a 4K-byte boundary);
   access (store). */
int cpu_stsi(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t r0 = gr32(cpu, 0), r1 = gr32(cpu, 1);
    unsigned fc = r0 >> 28;
    uint8_t block[4096] = {0};
    const struct cpu_callouts *out = cpu->sys->callouts;
    if ((r0 & 0x0fffff00) || (r1 & 0xffff0000))
        return PIC_SPECIFICATION;
    if (fc == 0) {
        unsigned level = 1;
        for (unsigned l = 2; l <= 3; l++)
            if (out && out->system_information && out->system_information(cpu->sys->machine, cpu, l, 2, 2, block))
                level = l;
        set_gr32(cpu, 0, (r0 & 0x0fffffff) | level << 28);
        cpu->cc = 0;
        return 0;
    }
    uint64_t address = cpu_ea2(cpu, i);
    if (address & 0xfff)
        return PIC_SPECIFICATION;
    if (!out || !out->system_information ||
        !out->system_information(cpu->sys->machine, cpu, fc, r0 & 0xff, r1 & 0xffff, block)) {
        cpu->cc = 3;
        return 0;
    }
    int code = cpu_store_bytes(cpu, address, i->b2, block, sizeof block);
    if (!code)
        cpu->cc = 0;
    return code;
}

enum { CACHE_SUMMARY, CACHE_LINE, CACHE_SIZE, CACHE_WAYS }; /* attribute indications */
enum { SCOPE_PRIVATE = 1, SCOPE_SHARED = 2 };
enum { TYPE_SEPARATE = 0, TYPE_UNIFIED = 3 };

/* A byte for each level, the first one leftmost: bits 4-5 scope, 6-7 type; zero where there is no cache. */
static uint64_t cache_summary(const cpu_caches caches)
{
    uint64_t summary = 0;
    for (unsigned n = 0; n < CPU_CACHE_LEVELS; n++) {
        const unsigned scope = !caches[n][0].kilobytes ? 0 : caches[n][0].shared ? SCOPE_SHARED : SCOPE_PRIVATE;
        const unsigned type = !scope || caches[n][1].kilobytes ? TYPE_SEPARATE : TYPE_UNIFIED;
        summary = summary << 8 | scope << 2 | type;
    }
    return summary;
}

/* All ones: there is no such cache or attribute. */
static uint64_t cache_attribute(const struct cpu_cache *cache, unsigned indication)
{
    if (!cache->kilobytes)
        return ~UINT64_C(0);
    switch (indication) {
    case CACHE_LINE:
        return CPU_CACHE_LINE;
    case CACHE_SIZE:
        return (uint64_t)cache->kilobytes * 1024;
    case CACHE_WAYS:
        return cache->ways;
    default:
        return ~UINT64_C(0);
    }
}

/* EXTRACT CPU ATTRIBUTE: bits 52-55 of the second-operand address are the attribute set (0 cache, 1 CPU), 56-59 the
   attribute indication, 60-62 the level, 63 the type; bits 40-51 are zero. The topology summary of the caches needs no
   level. The only attribute of a CPU is its speed in megahertz, dynamic and static. CC: unchanged. Exceptions:
   operation. */
int cpu_ecag(struct cpu *cpu, const struct dis_insn *i)
{
    const uint64_t address = cpu_ea2(cpu, i), speed = cpu->counters->profile.mhz;
    const unsigned set = address >> 8 & 0xffff, indication = address >> 4 & 0xf;
    if (set == 0 && indication == CACHE_SUMMARY)
        cpu->gr[i->r1] = cache_summary(cpu->sys->profile.caches);
    else if (set == 0)
        cpu->gr[i->r1] = cache_attribute(&cpu->sys->profile.caches[address >> 1 & 7][address & 1], indication);
    else
        cpu->gr[i->r1] = (address & 0xffffff) == 0x100 ? speed << 32 | speed : ~UINT64_C(0);
    return 0;
}

/* SERVICE CALL: command word in R1, SCCB real address in R2: all of it in the 64-bit mode, bits 32-63 otherwise. CC: 0
   initiated, 2 busy, 3 not operational. Exceptions: operation; privileged operation; specification, addressing (by the
   service processor). */
int cpu_servc(struct cpu *cpu, const struct dis_insn *i)
{
    const struct cpu_callouts *out = cpu->sys->callouts;
    unsigned cc = 3;
    if (!out || !out->service_call)
        return PIC_OPERATION;
    const uint64_t sccb = cpu->psw.mask & PSW_EA ? cpu->gr[i->r2] : gr32(cpu, i->r2);
    int code = out->service_call(cpu->sys->machine, cpu, gr32(cpu, i->r1), sccb, &cc);
    if (!code)
        cpu->cc = cc & 3;
    return code;
}

/* SIGNAL PROCESSOR: order in bits 56-63 of the second-operand address, CPU address in R3, parameter in the odd one of
   R1 and R1+1. CC: 0 accepted, 1 status stored in bits 32-63 of R1, 2 busy, 3 not operational. Exceptions: privileged
   operation. */
int cpu_sigp(struct cpu *cpu, const struct dis_insn *i)
{
    const struct cpu_callouts *out = cpu->sys->callouts;
    uint32_t status = 0;
    unsigned cc = 3;
    if (!out || !out->sigp) {
        cpu->cc = 3;
        return 0;
    }
    int code = out->sigp(cpu->sys->machine, cpu, (uint16_t)cpu->gr[i->r3], (uint8_t)cpu_ea2(cpu, i), cpu->gr[i->r1 | 1],
                         &status, &cc);
    if (code)
        return code;
    if (cc == 1)
        set_gr32(cpu, i->r1, status);
    cpu->cc = cc & 3;
    return 0;
}

/* DIAGNOSE: the function code is bits 48-63 of the second-operand address; the machine carries it out.
   CC: by the function. Exceptions: privileged operation; specification (no such function). */
int cpu_diag(struct cpu *cpu, const struct dis_insn *i)
{
    const struct cpu_callouts *out = cpu->sys->callouts;
    if (!out || !out->diagnose)
        return PIC_SPECIFICATION;
    return out->diagnose(cpu->sys->machine, cpu, (uint16_t)cpu_ea2(cpu, i), i->r1, i->r3);
}

/* SET PREFIX: bits 33-50 of the word operand become the prefix, when both its 4K-byte blocks are in storage.
   Translations are purged. CC: unchanged. Exceptions: privileged operation; specification (word boundary); access
   (fetch); addressing. */
int cpu_spx(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t value;
    uint64_t address = cpu_ea2(cpu, i);
    if (address & 3)
        return PIC_SPECIFICATION;
    int code = cpu_fetch4(cpu, address, i->b2, &value);
    if (code)
        return code;
    value &= 0x7fffe000;
    if (!storage_has(&cpu->sys->storage, value, 0x2000))
        return PIC_ADDRESSING;
    cpu->prefix = value;
    cpu_tlb_purge(cpu);
    cpu_mode_changed(cpu);
    return 0;
}

/* STORE PREFIX to the word operand. CC: unchanged. Exceptions: privileged operation; specification (word boundary);
 * access (store). */
int cpu_stpx(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    return address & 3 ? PIC_SPECIFICATION : cpu_store4(cpu, address, i->b2, cpu->prefix);
}

/* PERFORM TOPOLOGY FUNCTION: bits 56-63 of R1 are the function: 0 horizontal, 1 vertical polarization, 2 is there a
   topology change to report. The polarization changes at once, which is a change to report; the report is taken away by
   asking for it. CC: 0 the change is initiated, nothing to report; 1 there is a change to report; 2 rejected, with the
   reason in bits 48-55 of R1 (1: already so). Exceptions: operation; privileged operation; specification (bits 0-55 not
   zero, unknown function). */
int cpu_ptf(struct cpu *cpu, const struct dis_insn *i)
{
    enum { PTF_VERTICAL = 1, PTF_CHECK = 2, PTF_ALREADY = 1 };
    struct cpu_system *sys = cpu->sys;
    const uint64_t function = cpu->gr[i->r1];
    if (function > PTF_CHECK)
        return PIC_SPECIFICATION;
    if (function == PTF_CHECK) {
        cpu->cc = sys->topology_changed;
        sys->topology_changed = false;
    } else if (sys->vertical == (function == PTF_VERTICAL)) {
        cpu->gr[i->r1] |= (uint64_t)PTF_ALREADY << 8;
        cpu->cc = 2;
    } else {
        sys->vertical = function == PTF_VERTICAL;
        sys->topology_changed = true;
        cpu->cc = 0;
    }
    return 0;
}

/* LOAD PROGRAM PARAMETER: the doubleword operand becomes the program parameter of the CPU-measurement facilities. CC:
   unchanged. Exceptions: operation; privileged operation; specification (doubleword boundary); access (fetch). */
int cpu_lpp(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t value;
    int code = control_fetch_doubleword(cpu, cpu_ea2(cpu, i), i->b2, &value);
    if (!code)
        cpu->program_parameter = value;
    return code;
}

/* TEST PENDING EXTERNAL INTERRUPTION: ones in R2 choose subclasses of external interruptions, in the positions that
   they have in control register 0; R1 receives a one for each of those that is pending, whether the CPU is enabled for
   it or not. Nothing is taken away. CC: 0 none of them is pending, 1 some are. Exceptions: operation; privileged
   operation. */
int cpu_tpei(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = cpu->gr[i->r2] & cpu_external_subclasses(cpu);
    cpu->cc = cpu->gr[i->r1] != 0;
    return 0;
}

#define STHYI_NOT_SUPPORTED 4u /* return code */

/* STORE HYPERVISOR INFORMATION: bits 48-63 of R1 are the function code; 0 stores capacities to the 4K-byte block at R2.
   R2+1 receives the return code. CC: 0 stored, return code 0; 3 function not supported, return code 4. Exceptions:
   operation; privileged operation; specification (odd R1 or R2, both the same, 4K-byte boundary); access (store). */
int cpu_sthyi(struct cpu *cpu, const struct dis_insn *i)
{
    const struct cpu_callouts *out = cpu->sys->callouts;
    uint64_t address = cpu->gr[i->r2] & cpu->address_mask;
    uint8_t block[4096];
    if (i->r1 == i->r2 || (address & (sizeof block - 1)))
        return PIC_SPECIFICATION;
    bool supported = (cpu->gr[i->r1] & 0xffff) == 0 && out && out->hypervisor_information;
    if (supported) {
        out->hypervisor_information(cpu->sys->machine, cpu, block);
        int code = cpu_store_bytes(cpu, address, i->r2, block, sizeof block);
        if (code)
            return code;
    }
    cpu->gr[i->r2 | 1] = supported ? 0 : STHYI_NOT_SUPPORTED;
    cpu->cc = supported ? 0 : 3;
    return 0;
}

/* Ultravisor-call control block: length and command; return code; calls that are installed. */
enum { UV_HEADER = 8, UV_RETURN_CODE = 4, UV_INSTALLED = 16, UV_QUERY_SHORTEST = 168, UV_QUERY = 256 };
enum { UV_COMMAND_QUERY = 1, UV_EXECUTED = 1, UV_BAD_COMMAND = 2, UV_BAD_LENGTH = 5 };

/* ULTRAVISOR CALL: the control block at R2. There is no ultravisor but for the query, whose answer is that nothing else
   is installed: no secure guests, no storage for them. CC: 0 executed; 1 not, the return code in the block says why
   (command, length). Exceptions: operation; privileged operation; specification (doubleword boundary); access (fetch
   and store). */
int cpu_uvc(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[UV_QUERY] = {0};
    uint64_t address = cpu->gr[i->r2] & cpu->address_mask;
    if (address & 7)
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, address, i->r2, block, UV_HEADER);
    if (code)
        return code;
    const unsigned length = get16(block), command = get16(block + 2);
    unsigned answer = command != UV_COMMAND_QUERY  ? UV_BAD_COMMAND
                      : length < UV_QUERY_SHORTEST ? UV_BAD_LENGTH
                                                   : UV_EXECUTED;
    put32(block + UV_RETURN_CODE, answer << 16); /* and no reason */
    put64(block + UV_INSTALLED, BIT64(0));       /* the query */
    code = cpu_store_bytes(cpu, address, i->r2, block,
                           answer != UV_EXECUTED ? UV_HEADER
                           : length < UV_QUERY   ? length
                                                 : UV_QUERY);
    if (!code)
        cpu->cc = answer != UV_EXECUTED;
    return code;
}
