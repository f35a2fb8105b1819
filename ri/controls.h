/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control block and the instructions that load, modify, store and test it (specification C and D). */
#ifndef ZRI_RI_CONTROLS_H
#define ZRI_RI_CONTROLS_H

#include "ri/state.h"

/* The 64-byte control block of controls (what LRIC takes and STRIC stores), and back. */
void ri_controls_encode(const struct ri_controls *controls, uint8_t block[RI_BLOCK_SIZE]);
struct ri_controls ri_controls_decode(const uint8_t block[RI_BLOCK_SIZE]);

/* Permission and validity check: condition code 2, 3, or 0 = go on. */
unsigned ri_pvc(const struct ri *ri, bool problem);
/* True when LRIC (`mric` false) or MRIC must recognize a specification exception for this block. */
bool ri_block_invalid(const uint8_t block[RI_BLOCK_SIZE], bool mric);
/* LRIC of a block that passed ri_block_invalid(). Returns whether PSW bit 24 stays as it is (false: set it to zero). */
bool ri_lric(struct ri *ri, const uint8_t block[RI_BLOCK_SIZE]);
/* MRIC after PVC and ri_block_invalid(). The condition code is 0. */
void ri_mric(struct ri *ri, const uint8_t block[RI_BLOCK_SIZE], bool problem);
void ri_stric(const struct ri *ri, uint8_t block[RI_BLOCK_SIZE]);
/* TRIC after PVC: the condition code, 0 or 1. RION and RIOFF are PVC and ri_enable(). */
unsigned ri_tric(const struct ri *ri);

#endif
