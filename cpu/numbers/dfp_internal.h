/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by cpu/numbers/dfp*.c only: the parameters of the formats, integers of 256 bits, rounding. */
#ifndef ZRI_CPU_NUMBERS_DFP_INTERNAL_H
#define ZRI_CPU_NUMBERS_DFP_INTERNAL_H

#include "cpu/numbers/dfp.h"

struct dfp_parameters {
    uint8_t precision;    /* digits */
    uint8_t continuation; /* bits of the exponent that follow the combination field */
    uint8_t declets;
    uint16_t bias, max_biased, scale; /* scale: power of ten that brings a trapped result into range */
    int16_t emax;                     /* exponent of the leftmost digit of the largest number; smallest normal 1-emax */
};
extern const struct dfp_parameters dfp_parameters[3];

/* 256 bits. */
struct wide {
    dfp_digits hi, lo;
};
struct wide wide_multiply(dfp_digits a, dfp_digits b);
struct wide wide_add(struct wide a, struct wide b);
struct wide wide_subtract(struct wide a, struct wide b);
int wide_compare(struct wide a, struct wide b);
/* Quotient; *remainder. */
struct wide wide_divide(struct wide a, dfp_digits b, dfp_digits *remainder);
/* a * 10**e, which must fit: a below 10**38. */
struct wide wide_scale(dfp_digits a, unsigned e);
unsigned wide_count(struct wide a);

/* What is left of digits when `drop` of them are rounded away. */
struct dfp_rounded {
    dfp_digits digits;
    bool inexact, incremented;
};
struct dfp_rounded dfp_round(unsigned rounding, bool minus, struct wide digits, unsigned drop, bool sticky);

/* a op b of finite numbers by Intel's library. false: it is not there or not for this case; nothing has changed
   then. */
enum dfp_operation { DFP_ADD, DFP_MULTIPLY, DFP_DIVIDE_BY };
bool dfp_library(struct dfp_env *x, enum dfp_format f, enum dfp_operation op, const struct dfp *a, const struct dfp *b,
                 int preferred, struct dfp *r) MUST_USE;

#endif
