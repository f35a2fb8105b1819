/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration element of exception trace: registers 0 to 18 (ri/trace/registers.def), their fields, what may not
   be written, and their text form `key = value'. Knows neither tracker nor files. */
#ifndef ZRI_RI_TRACE_CONFIG_H
#define ZRI_RI_TRACE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum et_register {
#define REGISTER(index, name, reset, bits, text) name = index,
#include "ri/trace/registers.def"
    ET_REGISTERS
};

struct et_config {
    uint64_t reg[ET_REGISTERS];
};

/* Fields: ET_GET(config, ETCR, EVSEL), ET_PUT(config, ETCR, EVSEL, 4). */
enum et_field_place {
#define FIELD(reg, name, low, width) reg##_##name##_LOW = low, reg##_##name##_WIDTH = width,
#include "ri/trace/registers.def"
};
#define ET_GET(config, r, field) ((config)->reg[r] >> r##_##field##_LOW & ((UINT64_C(1) << r##_##field##_WIDTH) - 1))
#define ET_PUT(config, r, field, value)                                                                                \
    ((config)->reg[r] = ((config)->reg[r] & ~(((UINT64_C(1) << r##_##field##_WIDTH) - 1) << r##_##field##_LOW)) |      \
                        ((uint64_t)(value) & ((UINT64_C(1) << r##_##field##_WIDTH) - 1)) << r##_##field##_LOW)

enum et_comp { ET_COMP_OFF, ET_COMP_PREVIOUS, ET_COMP_STACK, ET_COMP_FIFO };
enum et_merge { ET_MERGE_OFF, ET_MERGE_EXIT_RETURN, ET_MERGE_TAIL };
enum et_retm { ET_RETM_MATCH, ET_RETM_PSTATE, ET_RETM_ANY };
enum et_tsm { ET_TSM_OFF, ET_TSM_INLINE, ET_TSM_SEPARATE };
enum et_clock { ET_CLOCK_TOD, ET_CLOCK_INSN, ET_CLOCK_CYCLE, ET_CLOCK_HOST };
enum et_overflow { ET_OVP_DROP, ET_OVP_STALL, ET_OVP_WRAP };

/* "ETCR", and what it is for: "control"; "?": there is no such register. */
const char *et_register_name(unsigned index);
const char *et_register_text(unsigned index);
/* Index of a register by its name (any case) or number; -1: there is none. */
int et_register_find(const char *name);
/* Its value after a reset; 0: there is no such register. */
uint64_t et_register_reset(unsigned index);
/* The bits that it has; all others stay zero. */
uint64_t et_register_bits(unsigned index);
/* Least and greatest binary logarithm of the buffer's size. */
#define ET_BUFFER_MIN 7u
#define ET_BUFFER_MAX 26u
/* All registers get their reset values. */
void et_config_reset(struct et_config *config);

/* What stands outside the registers and decides what may be written. */
struct et_limits {
    bool host_clock; /* ETTS.CLK=host is possible */
};
/* NULL, or why these registers together are refused: words that fit behind "refused: ". */
const char *et_config_wrong(const struct et_config *config, const struct et_limits *limits);

/* Set one key from text, as of a file's line, an option or the console: "events" "entry+exit". Changes `config` only
   when all is well, and does not look at combinations (et_config_wrong does). NULL, or a message in `why` (of `size`
   bytes) that names key, value and what is possible; then returned. */
const char *et_config_key(struct et_config *config, const char *key, const char *value, char *why, size_t size);
/* Keys for completion, manual and `et show': name and the values in words, by index; NULL behind the last. */
const char *et_config_key_name(unsigned index, const char **values);
/* The value of a key as et_config_key() would read it. */
void et_config_key_value(const struct et_config *config, unsigned index, char *value, size_t size);
/* Tell each `key = value' that restores `config` from the reset values; keys that have their reset value are left out.
 */
void et_config_save(const struct et_config *config, void (*line)(void *context, const char *key, const char *value),
                    void *context);

#endif
