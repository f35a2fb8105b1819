/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic of decimal floating point by Intel's library (libintelrdfpmath), which keeps digits as one binary integer
   as struct dfp does. It is given the cases that it has the same answer for, at a third of the time; the others, and
   every case in a build without it, are those of cpu/numbers/dfp.c. */
#include "config.h"

#include "cpu/numbers/dfp_internal.h"

#if HAVE_INTELRDFP

#define DECIMAL_CALL_BY_REFERENCE      0
#define DECIMAL_GLOBAL_ROUNDING        0
#define DECIMAL_GLOBAL_EXCEPTION_FLAGS 0
#include <bid_conf.h>
#include <bid_functions.h>

#define SMALL_LONG (UINT64_C(1) << 53) /* from here on the digits of a long number stand two bits further left */

static BID_UINT64 to_long(const struct dfp *a)
{
    uint64_t sign = (uint64_t)a->minus << 63, digits = (uint64_t)a->digits;
    uint64_t biased = (uint64_t)(a->exponent + dfp_parameters[DFP_LONG].bias);
    return digits < SMALL_LONG ? sign | biased << 53 | digits
                               : sign | UINT64_C(3) << 61 | biased << 51 | (digits & ((UINT64_C(1) << 51) - 1));
}
static struct dfp from_long(BID_UINT64 v)
{
    struct dfp a = {.minus = v >> 63};
    bool large = (v >> 61 & 3) == 3;
    a.digits = large ? (v & ((UINT64_C(1) << 51) - 1)) | SMALL_LONG : v & (SMALL_LONG - 1);
    a.exponent = (int)(v >> (large ? 51 : 53) & 0x3ff) - dfp_parameters[DFP_LONG].bias;
    return a;
}

static BID_UINT128 to_extended(const struct dfp *a)
{
    uint64_t biased = (uint64_t)(a->exponent + dfp_parameters[DFP_EXTENDED].bias);
    return (BID_UINT128){{(uint64_t)a->digits, (uint64_t)(a->digits >> 64) | biased << 49 | (uint64_t)a->minus << 63}};
}
static struct dfp from_extended(BID_UINT128 v)
{
    struct dfp a = {.minus = v.w[1] >> 63};
    a.digits = (dfp_digits)(v.w[1] & ((UINT64_C(1) << 49) - 1)) << 64 | v.w[0];
    a.exponent = (int)(v.w[1] >> 49 & 0x3fff) - dfp_parameters[DFP_EXTENDED].bias;
    return a;
}

static struct dfp call_long(enum dfp_operation op, const struct dfp *a, const struct dfp *b, _IDEC_round rounding,
                            _IDEC_flags *flags)
{
    BID_UINT64 x = to_long(a), y = to_long(b);
    return from_long(op == DFP_ADD        ? bid64_add(x, y, rounding, flags)
                     : op == DFP_MULTIPLY ? bid64_mul(x, y, rounding, flags)
                                          : bid64_div(x, y, rounding, flags));
}
static struct dfp call_extended(enum dfp_operation op, const struct dfp *a, const struct dfp *b, _IDEC_round rounding,
                                _IDEC_flags *flags)
{
    BID_UINT128 x = to_extended(a), y = to_extended(b);
    return from_extended(op == DFP_ADD        ? bid128_add(x, y, rounding, flags)
                         : op == DFP_MULTIPLY ? bid128_mul(x, y, rounding, flags)
                                              : bid128_div(x, y, rounding, flags));
}

bool dfp_library(struct dfp_env *x, enum dfp_format f, enum dfp_operation op, const struct dfp *a, const struct dfp *b,
                 int preferred, struct dfp *r)
{
    static const int8_t roundings[8] = {BID_ROUNDING_TO_NEAREST,
                                        BID_ROUNDING_TO_ZERO,
                                        BID_ROUNDING_UP,
                                        BID_ROUNDING_DOWN,
                                        BID_ROUNDING_TIES_AWAY,
                                        -1,
                                        -1,
                                        -1};
    const int rounding = roundings[x->rounding & 7];
    if (rounding < 0 || (x->masks & (DFP_OVERFLOW | DFP_UNDERFLOW | DFP_INEXACT | DFP_QUANTUM)) || x->quiet ||
        a->digits == 0 || b->digits == 0)
        return false;
    _IDEC_flags flags = BID_EXACT_STATUS;
    *r = (f == DFP_LONG ? call_long : call_extended)(op, a, b, (_IDEC_round)rounding, &flags);
    if (flags & ~(unsigned)BID_INEXACT_EXCEPTION)
        return false;
    if (flags)
        x->flags |= DFP_INEXACT;
    if (x->quantum && r->exponent != preferred)
        x->flags |= DFP_QUANTUM;
    return true;
}

#else

bool dfp_library(struct dfp_env *x, enum dfp_format f, enum dfp_operation op, const struct dfp *a, const struct dfp *b,
                 int preferred, struct dfp *r)
{
    (void)x, (void)f, (void)op, (void)a, (void)b, (void)preferred, (void)r;
    return false;
}

#endif
