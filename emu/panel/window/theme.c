/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two themes. */
#include "emu/panel/window/theme.h"
#include <math.h>

const struct theme themes[THEMES] = {
    [THEME_DARK] = {.name = "dark",
                    .ground = 0x14181D,
                    .key = 0x2A323C,
                    .roles = {[CANVAS_PLAIN] = 0xD5DCE4,
                              [CANVAS_FAINT] = 0x8E9AA8,
                              [CANVAS_HEADING] = 0x8CC4F0,
                              [CANVAS_VALUE] = 0xF3F6F9,
                              [CANVAS_CHANGED] = 0xF0E442,
                              [CANVAS_HERE] = 0xE69F00,
                              [CANVAS_LIT] = 0xF0E442,
                              [CANVAS_DARK] = 0x8E9AA8,
                              [CANVAS_WARNING] = 0xFF8C4A,
                              [CANVAS_LINK] = 0x56B4E9,
                              [CANVAS_A] = 0x56B4E9,
                              [CANVAS_B] = 0xE69F00,
                              [CANVAS_C] = 0x00B384,
                              [CANVAS_D] = 0xCC79A7,
                              [CANVAS_E] = 0xF0E442}},
    [THEME_LIGHT] = {.name = "light",
                     .ground = 0xFBFBF8,
                     .key = 0xE3E6E8,
                     .roles = {[CANVAS_PLAIN] = 0x222831,
                               [CANVAS_FAINT] = 0x5A6470,
                               [CANVAS_HEADING] = 0x00507F,
                               [CANVAS_VALUE] = 0x0C1014,
                               [CANVAS_CHANGED] = 0xA63C00,
                               [CANVAS_HERE] = 0x8A4B00,
                               [CANVAS_LIT] = 0xB84A00,
                               [CANVAS_DARK] = 0x5A6470,
                               [CANVAS_WARNING] = 0xA63000,
                               [CANVAS_LINK] = 0x0064A0,
                               [CANVAS_A] = 0x0072B2,
                               [CANVAS_B] = 0xA85400,
                               [CANVAS_C] = 0x007556,
                               [CANVAS_D] = 0x9C4478,
                               [CANVAS_E] = 0x6E6200}},
};

static double luminance(uint32_t colour)
{
    static const double shares[3] = {0.0722, 0.7152, 0.2126}; /* blue, green, red */
    double sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        const double c = (double)(colour >> 8 * i & 0xFF) / 255;
        sum += shares[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

double theme_contrast(uint32_t one, uint32_t other)
{
    const double a = luminance(one) + 0.05, b = luminance(other) + 0.05;
    return a > b ? a / b : b / a;
}
