/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Known faults of the machines that we compare with: a difference that one of them explains is not ours. */
#ifndef ZRI_TESTS_COMPARE_REGS_KNOWN_H
#define ZRI_TESTS_COMPARE_REGS_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

/* Is the difference between our case and the peer's ("qemu", "hercules") one of its known faults? */
bool regs_known(const uint8_t *ours, const uint8_t *theirs, const char *peer);

#endif
