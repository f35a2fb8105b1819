/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of PCI functions and of adjunct processors. This machine has none of either, and says so: lists are
   empty, no handle and no queue number is valid. They are not in the Principles of Operation; codes and blocks are
   those that Linux uses (arch/s390: pci_insn.h, pci_clp.h, ap.h). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"

/* ---- PCI functions ---------------------------------------------------------------------------------------------- */

enum { NOT_OPERATIONAL = 3 }; /* condition code: the handle, or the logical processor, is not there */

/* Commands of CALL LOGICAL PROCESSOR for PCI. */
enum { COMMAND_LIST = 2, COMMAND_QUERY_FUNCTION = 3, COMMAND_QUERY_GROUP = 4, COMMAND_SET_FUNCTION = 5 };

enum {
    RESPONSE_DONE = 0x0010,
    RESPONSE_COMMAND = 0x0020,
    RESPONSE_FORMAT = 0x0040,
    RESPONSE_LENGTH = 0x0050,
    RESPONSE_8K = 0x0060,
    RESPONSE_RESERVED = 0x0070,
    RESPONSE_HANDLE = 0x0101,
    RESPONSE_TOKEN = 0x010a,
    RESPONSE_GROUP = 0x010b,
};

#define CLP_IMMEDIATE     8u /* M3: the command is in R2, the answer goes to R1 */
#define CLP_INSTALLED     1u /* immediate command: which logical processors are there */
#define PROCESSOR_BASE    0u /* M4 */
#define PROCESSOR_PCI     2u
#define CLP_REQUEST       32u /* bytes of every request that is known here */
#define CLP_LIST_HEADER   32u
#define CLP_LIST_ENTRY    16u
#define CLP_LARGEST       8192u
#define CLP_HEADER        16u
#define CLP_FORMAT        0xf0000000u /* of the word behind length and command */
#define CLP_SMALLEST_LIST 48u

/* A block of up to 8,192 bytes. */
static int fetch_block(struct cpu *cpu, uint64_t address, unsigned ar, uint8_t *to, unsigned length)
{
    int code = 0;
    for (unsigned n = 0, part; n < length && !code; n += part) {
        part = length - n < PAGE_SIZE_Z ? length - n : PAGE_SIZE_Z;
        code = cpu_fetch_bytes(cpu, (address + n) & cpu->address_mask, ar, to + n, part);
    }
    return code;
}

/* The list of PCI functions: there is none. Returns the response code; *cc becomes 3 when the room for the response is
   not a whole number of entries. */
static unsigned list_functions(const uint8_t *request, uint8_t *response, uint8_t *cc)
{
    uint32_t format = get32(request + 4);
    unsigned room = get16(response);
    if (format & CLP_FORMAT)
        return RESPONSE_FORMAT;
    if (format || get64(request + 8))
        return RESPONSE_RESERVED;
    if (get64(request + 16)) /* resume where? no list was ever interrupted */
        return RESPONSE_TOKEN;
    if (room < CLP_SMALLEST_LIST)
        return RESPONSE_8K;
    if ((room - CLP_LIST_HEADER) % CLP_LIST_ENTRY) {
        *cc = NOT_OPERATIONAL;
        return RESPONSE_LENGTH;
    }
    memset(response + 4, 0, CLP_LIST_HEADER - 4); /* no token, at most no functions */
    put16(response, CLP_LIST_HEADER);
    response[31] = CLP_LIST_ENTRY;
    return RESPONSE_DONE;
}

/* CALL LOGICAL PROCESSOR, a command for PCI functions in the request block at R2; the response block follows it.
   Exceptions: access (fetch and store); operand (lengths). */
static int call_pci(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[CLP_LARGEST], cc = 0;
    uint64_t address = cpu->gr[i->r2] & cpu->address_mask;
    int code = cpu_fetch_bytes(cpu, address, i->r2, block, CLP_HEADER);
    unsigned length = get16(block), room = 0, answer = RESPONSE_LENGTH;
    if (code)
        return code;
    if (length < CLP_HEADER || length > CLP_LARGEST - 8 || length % 8)
        return PIC_OPERAND;
    code = fetch_block(cpu, address, i->r2, block, length + 8);
    if (code)
        return code;
    room = get16(block + length);
    if (room < 8 || room % 8 || length + room > CLP_LARGEST)
        return PIC_OPERAND;
    code = fetch_block(cpu, address, i->r2, block, length + room);
    if (length == CLP_REQUEST)
        switch (get16(block + 2)) {
        case COMMAND_LIST:
            answer = list_functions(block, block + length, &cc);
            break;
        case COMMAND_QUERY_FUNCTION:
        case COMMAND_SET_FUNCTION:
            answer = RESPONSE_HANDLE;
            break;
        case COMMAND_QUERY_GROUP:
            answer = RESPONSE_GROUP;
            break;
        default:
            answer = RESPONSE_COMMAND;
            break;
        }
    put16(block + length + 2, (uint16_t)answer);
    cpu->told_length = length + room;
    if (!code)
        code = cpu_store_bytes(cpu, (address + length) & cpu->address_mask, i->r2, block + length,
                               answer == RESPONSE_DONE ? CLP_LIST_HEADER : 8);
    if (!code)
        cpu->cc = cc;
    return code;
}

/* CALL LOGICAL PROCESSOR: M4 is the number of the logical processor, 0 base or 2 PCI functions. With bit 0 of M3 one
   the immediate command 1 in R2 puts a bit for each that is installed into R1; otherwise R2 designates a request block.
   CC: 0 done, with a response code in the block; 3 no such processor or immediate command, or no room for a list.
   Exceptions: operation; privileged operation; access (fetch and store); operand (lengths). */
int cpu_clp(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m3 & CLP_IMMEDIATE) {
        cpu->cc = cpu->gr[i->r2] == CLP_INSTALLED ? 0 : NOT_OPERATIONAL;
        if (cpu->cc == 0)
            cpu->gr[i->r1] = BIT64(PROCESSOR_BASE) | BIT64(PROCESSOR_PCI);
        return 0;
    }
    if (i->m4 == PROCESSOR_PCI || i->m4 == PROCESSOR_BASE)
        return call_pci(cpu, i);
    cpu->cc = NOT_OPERATIONAL;
    return 0;
}

/* PCI LOAD, PCI STORE, PCI STORE BLOCK, REFRESH PCI TRANSLATIONS: bits 0-31 of R2 (PCISTB, RPCIT: R1) are the handle of
   a function. CC: 3, no such handle. Exceptions: operation; privileged operation; specification (odd R2). */
int cpu_pci_none(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    cpu->cc = NOT_OPERATIONAL;
    return 0;
}

/* MODIFY and STORE PCI FUNCTION CONTROLS: bits 0-31 of R1 are the handle of a function, the second operand is a
   function-information block. CC: 3, no such handle; the block is not accessed. Exceptions: operation; privileged
   operation; specification (doubleword boundary). */
int cpu_pci_controls(struct cpu *cpu, const struct dis_insn *i)
{
    if (cpu_ea2(cpu, i) & 7)
        return PIC_SPECIFICATION;
    cpu->cc = NOT_OPERATIONAL;
    return 0;
}

/* SET INTERRUPTION CONTROLS: bits 48-63 of R1 are the interruption mode, 0 all or 1 single, for the subclass in bits
   34-36 of R3. It governs adapters whose interruptions can be suppressed, those of PCI functions; there are none, so
   that nothing changes. CC: unchanged. Exceptions: operation; privileged operation; operand (another mode: directed
   interruptions). */
int cpu_sic(struct cpu *cpu, const struct dis_insn *i) { return (cpu->gr[i->r1] & 0xffff) > 1 ? PIC_OPERAND : 0; }

/* ---- Adjunct processors ----------------------------------------------------------------------------------------- */

/* General register 0: function code in bits 32-39, facilities test in 40, queue number in 48-63. */
#define AP_TEST_FACILITIES BIT64(40)
#define AP_RESERVED        UINT64_C(0x007f0000)
#define AP_EXTENDED        UINT64_C(0xc0f0) /* a number beyond 64 processors of 16 queues */

enum { AP_TEST, AP_RESET, AP_ZEROIZE, AP_INTERRUPTION, AP_QUERY_CONFIGURATION };
#define AP_CONFIGURATION 128u
#define AP_NOT_AVAILABLE UINT64_C(0x00010000) /* queue status with response code 01 */

/* The queue does not exist: its status in general register 1. */
static int no_queue(struct cpu *cpu)
{
    cpu->gr[1] = AP_NOT_AVAILABLE;
    cpu->cc = 3;
    return 0;
}

/* PROCESS ADJUNCT PROCESSOR QUEUE: the function code in bits 32-39 of general register 0 is 0 test, 1 reset, 2 zeroize,
   3 control interruptions, or 4 query configuration: 128 bytes, all zero here, at the address in general register 2.
   CC: 0 stored; 3, with the queue status in general register 1: not available. Exceptions: operation; privileged
   operation; specification (function code, bits 41-47 of register 0, a queue number or facilities test that is not
   possible); access (store). */
int cpu_pqap(struct cpu *cpu, const struct dis_insn *i)
{
    const uint64_t gr0 = cpu->gr[0];
    const unsigned function = (unsigned)(gr0 >> 24) & 0xff;
    static const uint8_t nothing[AP_CONFIGURATION];
    (void)i;
    if (function == AP_QUERY_CONFIGURATION && cpu_facility(cpu->sys, FACILITY_AP_QUERY)) {
        int code = cpu_store_bytes(cpu, cpu->gr[2] & cpu->address_mask, 2, nothing, AP_CONFIGURATION);
        if (!code)
            cpu->cc = 0;
        return code;
    }
    if (function > AP_INTERRUPTION || (gr0 & (AP_RESERVED | AP_EXTENDED)) ||
        (function == AP_INTERRUPTION && !cpu_facility(cpu->sys, FACILITY_AP_INTERRUPTION)) ||
        ((gr0 & AP_TEST_FACILITIES) && !cpu_facility(cpu->sys, FACILITY_AP_TEST)))
        return PIC_SPECIFICATION;
    return no_queue(cpu);
}

/* ENQUEUE and DEQUEUE ADJUNCT PROCESSOR QUEUE: a message in storage, to or from the queue in bits 48-63 of general
   register 0. CC: 3, with the queue status in general register 1: not available; storage is not accessed. Exceptions:
   operation; privileged operation; specification (odd R2). */
int cpu_ap_message(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return no_queue(cpu);
}
