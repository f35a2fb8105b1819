/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facility list: PoP chapter 4, "Facility Indications" (SA22-7832-13), with the machine that first had each bit. */
#include "emu/config/facility.h"
#include "disasm/dis.h"
#include <string.h>

#define ROWS(bit, generation, name)                                                                                    \
    {                                                                                                                  \
        bit, generation, PROMISE_INSTRUCTIONS, 0, name                                                                 \
    }
#define KEPT(bit, generation, why)                                                                                     \
    {                                                                                                                  \
        bit, generation, PROMISE_KEPT, 0, why                                                                          \
    }
#define KEPT_WITH(bit, generation, w, why)                                                                             \
    {                                                                                                                  \
        bit, generation, PROMISE_KEPT, w, why                                                                          \
    }
#define LACKS(bit, generation, why)                                                                                    \
    {                                                                                                                  \
        bit, generation, PROMISE_NOT_KEPT, 0, why                                                                      \
    }

static const struct emu_facility facilities[] = {
    KEPT(0, Z10, "instructions that the book marks N3: all of the base table"),
    KEPT(1, Z10, "z/Architecture is installed"),
    KEPT_WITH(2, Z10, 1, "z/Architecture is active"),
    ROWS(3, Z10, "DAT enhancement 1"),
    KEPT_WITH(4, Z10, 3, "IDTE clears by segment; it drops the TLB entries"),
    KEPT_WITH(5, Z10, 3, "IDTE clears by region; it drops the TLB entries"),
    ROWS(6, Z10, "ASN and LX reuse"),
    ROWS(7, Z10, "store facility list extended"),
    ROWS(8, Z10, "enhanced DAT 1"),
    KEPT(9, Z10, "SIGP sense running status"),
    KEPT(10, Z10, "conditional SSKE"),
    ROWS(11, Z10, "configuration topology"),
    KEPT(13, Z196, "IPTE over a range"),
    KEPT(14, Z196, "nonquiescing SSKE: keys are seen by every CPU at once"),
    ROWS(16, Z10, "extended translation 2"),
    ROWS(17, Z10, "message-security assist"),
    ROWS(18, Z10, "long displacement"),
    KEPT_WITH(19, Z10, 18, "long displacement is fast"),
    ROWS(20, Z10, "HFP multiply and add/subtract"),
    ROWS(21, Z10, "extended immediate"),
    ROWS(22, Z10, "extended translation 3"),
    ROWS(23, Z10, "HFP unnormalized extension"),
    KEPT_WITH(24, Z10, 16, "extended translation 2 enhancement: the mask of CUxx and TRxx"),
    ROWS(25, Z10, "store clock fast"),
    ROWS(26, Z10, "parsing enhancement"),
    ROWS(27, Z10, "move with optional specifications"),
    ROWS(28, Z10, "TOD-clock steering"),
    KEPT_WITH(30, Z10, 22, "extended translation 3 enhancement: well-formedness checking"),
    ROWS(31, Z10, "extract CPU time"),
    ROWS(32, Z10, "compare and swap and store"),
    KEPT_WITH(33, Z10, 32, "compare and swap and store, 16-byte store"),
    ROWS(34, Z10, "general-instructions extension"),
    ROWS(35, Z10, "execute extensions"),
    KEPT(36, Z196, "enhanced monitor: MONITOR CALL counts events in storage"),
    ROWS(37, Z196, "floating-point extension"),
    LACKS(38, Z14, "COMPRESSION CALL has no order-preserving form"),
    ROWS(40, Z10, "load program parameter"),
    ROWS(41, Z10, "floating-point-support enhancement"),
    ROWS(42, Z10, "decimal floating point"),
    KEPT_WITH(43, Z10, 42, "decimal floating point is fast"),
    ROWS(44, Z10, "PFPO"),
    ROWS(45, Z196, "distinct operands, high word, load/store on condition, population count, interlocked access 1"),
    KEPT(47, Z196, "zero padding of COMPRESSION CALL"),
    ROWS(48, ZEC12, "decimal-floating-point zoned conversion"),
    ROWS(49, ZEC12, "execution hint, load and trap, processor assist, miscellaneous instructions 1"),
    ROWS(50, ZEC12, "constrained transactional execution"),
    KEPT(51, ZEC12, "local TLB clearing: IPTE, IDTE and CRDTE clear every TLB, which is never too little"),
    KEPT(52, ZEC12, "interlocked access 2: NI, OI, XI and their long forms are interlocked"),
    ROWS(53, Z13, "load and zero rightmost byte, load/store on condition 2"),
    KEPT(54, Z14, "entropy encoding of COMPRESSION CALL"),
    ROWS(57, Z13, "message-security-assist extension 5"),
    ROWS(58, Z14, "miscellaneous instructions 2"),
    ROWS(61, Z15, "miscellaneous instructions 3"),
    ROWS(64, ZEC12, "run-time instrumentation"),
    ROWS(66, Z196, "reset reference bits multiple"),
    ROWS(67, Z10, "CPU-measurement counters"),
    ROWS(68, Z10, "CPU-measurement sampling"),
    ROWS(73, ZEC12, "transactional execution"),
    KEPT(75, Z196, "the translation-exception identification tells fetch from store"),
    ROWS(76, Z196, "message-security-assist extension 3"),
    ROWS(77, Z196, "message-security-assist extension 4"),
    ROWS(78, ZEC12, "enhanced DAT 2"),
    ROWS(80, Z13, "decimal-floating-point packed conversion"),
    ROWS(129, Z13, "vector"),
    KEPT(130, Z14, "instruction-execution protection"),
    KEPT(131, ZEC12, "side-effect access is told in the TEID; enhanced suppression on protection 2"),
    ROWS(133, Z14, "guarded storage"),
    ROWS(134, Z14, "vector packed decimal"),
    ROWS(135, Z14, "vector enhancements 1"),
    KEPT(138, Z14, "the configuration is in z/Architecture mode from the start"),
    KEPT(139, Z14, "multiple epoch: epoch index in STORE CLOCK EXTENDED, clock-comparator sign control"),
    ROWS(142, Z13, "store CPU counter multiple"),
    ROWS(144, Z14, "test pending external interruption"),
    ROWS(145, Z14, "insert reference bits multiple"),
    ROWS(146, Z14, "message-security-assist extension 8"),
    ROWS(148, Z15, "vector enhancements 2"),
    ROWS(150, Z15, "enhanced sort"),
    ROWS(151, Z15, "deflate conversion"),
    KEPT_WITH(152, Z15, 134, "vector packed-decimal enhancement 1: the instruction-overflow mask"),
    ROWS(155, Z15, "message-security-assist extension 9"),
    ROWS(165, Z16, "neural-network-processing assist"),
    ROWS(192, Z16, "vector packed-decimal enhancement 2"),
    ROWS(193, Z16, "BEAR enhancement"),
    ROWS(194, Z16, "reset DAT protection"),
    ROWS(196, Z16, "processor-activity instrumentation"),
    KEPT_WITH(12, CONFIGURATION, 240, "adjunct processors: query configuration"),
    KEPT_WITH(15, CONFIGURATION, 240, "adjunct processors: facilities test"),
    KEPT_WITH(65, CONFIGURATION, 240, "adjunct processors: interruptions"),
    ROWS(69, CONFIGURATION, "PCI functions"),
    KEPT_WITH(71, CONFIGURATION, 69, "adapter-event notification: there is no PCI function to have events"),
    ROWS(72, CONFIGURATION, "adapter-interruption suppression"),
    ROWS(74, CONFIGURATION, "store hypervisor information"),
    KEPT_WITH(147, CONFIGURATION, 242, "collaborative memory management: pages without translation tables"),
    ROWS(158, CONFIGURATION, "ultravisor call"),
    KEPT(169, CONFIGURATION, "storage-key removal: there are no keys but zero"),
    ROWS(240, CONFIGURATION, "adjunct processors"),
    ROWS(242, CONFIGURATION, "collaborative memory management"),
};
#define COUNT (sizeof facilities / sizeof *facilities)

static void set_bit(uint64_t bits[4], unsigned n) { bits[n / 64] |= BIT64(n % 64); }
static void clear_bit(uint64_t bits[4], unsigned n) { bits[n / 64] &= ~BIT64(n % 64); }
static bool has_bit(const uint64_t bits[4], unsigned n) { return bits[n / 64] & BIT64(n % 64); }

const struct emu_facility *emu_facility_of(unsigned bit)
{
    for (unsigned i = 0; i < COUNT; i++)
        if (facilities[i].bit == bit)
            return &facilities[i];
    return NULL;
}

void emu_facilities_of_generation(unsigned generation, uint64_t bits[4])
{
    memset(bits, 0, 4 * sizeof *bits);
    for (unsigned i = 0; i < COUNT; i++)
        if (facilities[i].generation <= generation)
            set_bit(bits, facilities[i].bit);
}

void emu_facilities_complete(uint64_t bits[4])
{
    memset(bits, 0, 4 * sizeof *bits);
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (dis_rows[row].facility)
            set_bit(bits, dis_rows[row].facility);
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (dis_rows[row].facility && !dis_implemented(row))
            clear_bit(bits, dis_rows[row].facility);
    for (unsigned i = 0; i < COUNT; i++)
        if (facilities[i].promise == PROMISE_KEPT)
            set_bit(bits, facilities[i].bit);
        else if (facilities[i].promise == PROMISE_NOT_KEPT)
            clear_bit(bits, facilities[i].bit);
    for (unsigned i = 0; i < COUNT; i++)
        if (facilities[i].with && !has_bit(bits, facilities[i].with))
            clear_bit(bits, facilities[i].bit);
}
