/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration registers of exception trace: names, reset values, and what may not be written. */
#include "ri/trace/config.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct row {
    const char *name, *text;
    uint64_t reset, bits;
} rows[ET_REGISTERS] = {
#define REGISTER(index, name, reset, bits, text) [index] = {#name, text, reset, bits},
#include "ri/trace/registers.def"
};

const char *et_register_name(unsigned index) { return index < ET_REGISTERS ? rows[index].name : "?"; }
const char *et_register_text(unsigned index) { return index < ET_REGISTERS ? rows[index].text : "?"; }
uint64_t et_register_reset(unsigned index) { return index < ET_REGISTERS ? rows[index].reset : 0; }
uint64_t et_register_bits(unsigned index) { return index < ET_REGISTERS ? rows[index].bits : 0; }

int et_register_find(const char *name)
{
    char *end;
    for (unsigned i = 0; i < ET_REGISTERS; i++)
        if (!strcasecmp(name, rows[i].name))
            return (int)i;
    if (*name < '0' || *name > '9')
        return -1;
    const unsigned long number = strtoul(name, &end, 10);
    return *end || number >= ET_REGISTERS ? -1 : (int)number;
}

void et_config_reset(struct et_config *config)
{
    for (unsigned i = 0; i < ET_REGISTERS; i++)
        config->reg[i] = rows[i].reset;
}

/* What the figure mode cannot carry. */
static const char *figure_wrong(const struct et_config *c)
{
    const unsigned shorter =
        ET_GET(c, ETFR, OMIT) + (ET_GET(c, ETFR, COMP) != ET_COMP_OFF) + (unsigned)ET_GET(c, ETFR, RED);
    if (ET_GET(c, ETFR, MERGE) > ET_MERGE_EXIT_RETURN)
        return "figure-mode has merge=off and merge=exit-return only";
    if (shorter > 1)
        return "figure-mode has only one of omit, compress and reduced";
    if (ET_GET(c, ETFR, FIFOSZ) > 1)
        return "figure-mode has fifo=2 and fifo=4 only";
    if (ET_GET(c, ETFR, LAE))
        return "figure-mode has no lateflag";
    if (ET_GET(c, ETFR, INFO) || ET_GET(c, ETFR, ADDRO) || ET_GET(c, ETFR, ADDRN) || ET_GET(c, ETFR, ADDRR))
        return "figure-mode has neither info nor addr";
    return NULL;
}

/* Codes without a meaning. Reading: the specification names them for OVP alone; what has no meaning in the others is
   refused as well, as nothing else would be predictable. */
static const char *code_wrong(const struct et_config *c)
{
    if (ET_GET(c, ETCR, RETM) > ET_RETM_ANY)
        return "code 3 of ETCR.RETM (retmode) is reserved";
    if (ET_GET(c, ETFR, MERGE) > ET_MERGE_TAIL)
        return "code 3 of ETFR.MERGE is reserved";
    if (ET_GET(c, ETTS, TSM) > ET_TSM_SEPARATE)
        return "code 3 of ETTS.TSM (timestamps) is reserved";
    if (ET_GET(c, ETBF, OVP) > ET_OVP_WRAP)
        return "code 3 of ETBF.OVP (overflow) is reserved";
    return NULL;
}

const char *et_config_wrong(const struct et_config *config, const struct et_limits *limits)
{
    for (unsigned i = 0; i < ET_REGISTERS; i++)
        if (config->reg[i] & ~rows[i].bits)
            return "bits are one that the register does not have";
    if (ET_GET(config, ETCR, EVENC) && ET_GET(config, ETCR, EVSEL) == 15)
        return "code 1111 of the event table of 4 bits is reserved";
    if (ET_GET(config, ETFR, REDBASE) + ET_GET(config, ETFR, REDMAX) >= 512)
        return "reduced.base and reduced.max together are beyond 511";
    if (ET_GET(config, ETBF, SIZE) < ET_BUFFER_MIN || ET_GET(config, ETBF, SIZE) > ET_BUFFER_MAX)
        return "buffer is not 7 to 26 (2^7 to 2^26 bytes)";
    if (ET_GET(config, ETTS, CLK) == ET_CLOCK_HOST && !limits->host_clock)
        return "clock=host needs a machine with --clock host";
    const char *wrong = code_wrong(config);
    if (!wrong && ET_GET(config, ETFR, FIG))
        wrong = figure_wrong(config);
    return wrong;
}
