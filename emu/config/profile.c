/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine profiles. Which facility bits a guest sees follows from the instruction table: a bit is on only when every
   row that it promises has a body. */
#include "config.h"

#include "emu/config/profile.h"
#include "disasm/dis.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PROFILE_LIMIT 65536

static void set_bit(uint64_t bits[4], unsigned n) { bits[n / 64] |= BIT64(n % 64); }
static void clear_bit(uint64_t bits[4], unsigned n) { bits[n / 64] &= ~BIT64(n % 64); }
static bool has_bit(const uint64_t bits[4], unsigned n) { return bits[n / 64] & BIT64(n % 64); }

/* The caches of the machines of the series: kilobytes, ways, shared. Sizes are those that were published of each
   machine; of the z16, which makes its levels 3 and 4 of the second-level caches of other CPUs, the ways of these two
   are a choice. */
#define Z10_CACHES                                                                                                     \
    {                                                                                                                  \
        {{128, 8}, {64, 4}}, {{3072, 12}},                                                                             \
        {                                                                                                              \
            {                                                                                                          \
                49152, 24, true                                                                                        \
            }                                                                                                          \
        }                                                                                                              \
    }
#define Z196_CACHES                                                                                                    \
    {                                                                                                                  \
        {{128, 8}, {64, 4}}, {{1536, 12}}, {{24576, 12, true}},                                                        \
        {                                                                                                              \
            {                                                                                                          \
                196608, 24, true                                                                                       \
            }                                                                                                          \
        }                                                                                                              \
    }
#define ZEC12_CACHES                                                                                                   \
    {                                                                                                                  \
        {{96, 6}, {64, 4}}, {{1024, 8}, {1024, 8}}, {{49152, 12, true}},                                               \
        {                                                                                                              \
            {                                                                                                          \
                393216, 24, true                                                                                       \
            }                                                                                                          \
        }                                                                                                              \
    }
#define Z13_CACHES                                                                                                     \
    {                                                                                                                  \
        {{128, 8}, {96, 6}}, {{2048, 8}, {2048, 8}}, {{65536, 16, true}},                                              \
        {                                                                                                              \
            {                                                                                                          \
                491520, 30, true                                                                                       \
            }                                                                                                          \
        }                                                                                                              \
    }
#define Z14_CACHES                                                                                                     \
    {                                                                                                                  \
        {{128, 8}, {128, 8}}, {{4096, 8}, {2048, 8}}, {{131072, 32, true}},                                            \
        {                                                                                                              \
            {                                                                                                          \
                688128, 42, true                                                                                       \
            }                                                                                                          \
        }                                                                                                              \
    }
#define Z15_CACHES                                                                                                     \
    {                                                                                                                  \
        {{128, 8}, {128, 8}}, {{4096, 8}, {4096, 8}}, {{262144, 32, true}},                                            \
        {                                                                                                              \
            {                                                                                                          \
                983040, 60, true                                                                                       \
            }                                                                                                          \
        }                                                                                                              \
    }
#define Z16_CACHES                                                                                                     \
    {                                                                                                                  \
        {{128, 8}, {128, 8}}, {{32768, 16}}, {{262144, 32, true}},                                                     \
        {                                                                                                              \
            {                                                                                                          \
                2097152, 64, true                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

/* A machine of the series: everything that its book promises. */
#define MODEL(lower, shown, number, type)                                                                              \
    {                                                                                                                  \
        .name = lower, .description = "the " shown " (" #type "): every facility of that machine",                     \
        .generation = DIS_##number, .machine_type = 0x##type, .identification = 0x012345, .capability = 1000,          \
        .tod_start = UINT64_C(0xd5f0000000000000), .level = 3, .caches = number##_CACHES, .ri = {                      \
            "RI-A",                                                                                                    \
            "RI-A"                                                                                                     \
        }                                                                                                              \
    }

/* The bit of a facility, in doubleword `n` of the list. */
#define IN(n, id) (FACILITY_##id / 64 == (n) ? BIT64(FACILITY_##id % 64) : 0)

/* Profile linux-boot; the message-security assist in a build with nettle. */
#define LINUX_BOOT(n)                                                                                                  \
    (IN(n, BASE) | IN(n, ZARCH_INSTALLED) | IN(n, ZARCH_ACTIVE) | IN(n, DAT1) | IN(n, STFLE) | IN(n, SENSE_RUNNING) |  \
     IN(n, ETF2) | IN(n, LDISP) | IN(n, LDISP_FAST) | IN(n, EIMM) | IN(n, ETF3) | IN(n, ETF2ENH) | IN(n, STCKF) |      \
     IN(n, MVCOS) | IN(n, ETF3ENH) | IN(n, ECTG) | IN(n, CSST) | IN(n, CSST2) | IN(n, GENEXT) | IN(n, EXEXT) |         \
     IN(n, FPEXT) | IN(n, FPSE) | IN(n, DISTINCT) | (HAVE_NETTLE ? IN(n, MSA) : 0) | IN(n, RI) |                       \
     IN(n, FETCH_STORE_INDICATION) | IN(n, ZARCH_ONLY))

static const struct emu_profile builtin[] = {
    {.name = "max",
     .description = "every facility that is complete",
     .all = true,
     .machine_type = 0x3931,
     .identification = 0x00012345 & 0xffffff,
     .caches = Z16_CACHES,
     .capability = 1000,
     .tod_start = UINT64_C(0xd5f0000000000000),
     .level = 3,
     .ri = {"RI-A", "RI-A"}},
    {.name = "linux-boot",
     .description = "the facilities that a Linux system of Debian 12 is tested with",
     .claims = {LINUX_BOOT(0), LINUX_BOOT(1), LINUX_BOOT(2)},
     .machine_type = 0x2097,
     .identification = 0x00012345 & 0xffffff,
     .caches = Z10_CACHES,
     .capability = 1000,
     .tod_start = UINT64_C(0xd5f0000000000000),
     .level = 3,
     .ri = {"RI-A", "RI-A"}},
    MODEL("z10", "System z10", Z10, 2097),
    MODEL("z196", "zEnterprise 196", Z196, 2817),
    MODEL("zEC12", "zEnterprise EC12", ZEC12, 2827),
    MODEL("z13", "z13", Z13, 2964),
    MODEL("z14", "z14", Z14, 3906),
    MODEL("z15", "z15", Z15, 8561),
    MODEL("z16", "z16", Z16, 3931),
};

const struct emu_profile *emu_profile_number(unsigned index)
{
    return index < sizeof builtin / sizeof *builtin ? &builtin[index] : NULL;
}

/* ---- text ------------------------------------------------------------------------------------------------------ */

static bool number(const char *text, int base, uint64_t limit, uint64_t *value)
{
    char *end;
    if (!isxdigit((unsigned char)*text))
        return false;
    errno = 0;
    unsigned long long v = strtoull(text, &end, base);
    if (errno || *end || v > limit)
        return false;
    *value = v;
    return true;
}

/* The last word on one facility: asked for, or taken away. */
static void claim(struct emu_profile *profile, unsigned bit, bool on)
{
    (on ? set_bit : clear_bit)(profile->claims, bit);
    (on ? clear_bit : set_bit)(profile->removed, bit);
}

/* One word of a facility list: 45, +45, -45, 0-9 or all. */
static bool facility_word(struct emu_profile *profile, const char *word)
{
    uint64_t first, last;
    bool remove = *word == '-';
    char copy[32];
    if (strcmp(word, "all") == 0) {
        profile->all = true;
        return true;
    }
    if (*word == '-' || *word == '+')
        word++;
    if (strlen(word) >= sizeof copy)
        return false;
    strcpy(copy, word);
    char *dash = strchr(copy, '-');
    if (dash)
        *dash++ = 0;
    if (!number(copy, 10, FACILITY_BITS - 1, &first))
        return false;
    last = first;
    if (dash && (!number(dash, 10, FACILITY_BITS - 1, &last) || last < first))
        return false;
    for (uint64_t n = first; n <= last; n++)
        claim(profile, (unsigned)n, !remove);
    return true;
}

int emu_profile_change(struct emu_profile *profile, const char *changes, char *error, size_t size)
{
    struct emu_profile changed = *profile;
    char word[32];
    while (*changes) {
        size_t n = strcspn(changes, ", \t");
        if (n >= sizeof word) {
            snprintf(error, size,
                     "facility list: a word of %zu characters is too long; give bit numbers such as -37,+45", n);
            return -EINVAL;
        }
        memcpy(word, changes, n);
        word[n] = 0;
        if (n && !facility_word(&changed, word)) {
            snprintf(error, size,
                     "facility list: '%s' is no facility bit; give decimal numbers from 0 to 255 such as -37,+45",
                     word);
            return -EINVAL;
        }
        changes += n;
        changes += strspn(changes, ", \t");
    }
    *profile = changed;
    return 0;
}

static int set_text(char *place, size_t room, const char *value)
{
    if (strlen(value) >= room)
        return -1;
    strcpy(place, value);
    return 0;
}

/* The keys of the CPU-measurement facilities stand for facility bits. */
static const char *measurement_key(struct emu_profile *p, const char *key, const char *value)
{
    const bool on = strcmp(value, "on") == 0;
    if (!on && strcmp(value, "off") != 0)
        return "this is on or off";
    if (strcmp(key, "mtdiag") == 0) {
        p->mt_diagnostic = on;
    } else if (strcmp(key, "counters") == 0) {
        claim(p, FACILITY_CPUMCF, on);
        claim(p, FACILITY_STCCTM, on);
    } else if (strcmp(key, "sampling") == 0) {
        claim(p, FACILITY_CPUMSF, on);
    } else {
        return "the CPU-measurement keys are cpumf.counters, cpumf.sampling and cpumf.mtdiag";
    }
    if (on && strcmp(key, "mtdiag") != 0)
        claim(p, FACILITY_LPP, true);
    return NULL;
}

#define CACHES_WRONG                                                                                                   \
    "caches are words such as L1:128K/8 (data) L1i:128K/8 (instructions) L2:32M/16 L3:256M/32/shared, level, "         \
    "size and ways; or none"

/* One cache: L and its level, i for one of instructions, its size and its ways; shared. */
static bool cache_word(cpu_caches caches, const char *word)
{
    unsigned level, ways;
    uint64_t size;
    char unit, end;
    const bool instructions = word[0] == 'L' && word[1] && word[2] == 'i';
    const char *rest = word + 2 + instructions;
    if (word[0] != 'L' || word[1] < '1' || word[1] > '0' + (int)CPU_CACHE_LEVELS || *rest != ':' ||
        !isdigit((unsigned char)rest[1]))
        return false;
    const char *slash = strrchr(rest, '/');
    const bool shared = slash && strcmp(slash, "/shared") == 0;
    const int found = sscanf(rest, ":%7" SCNu64 "%c/%5u%c", &size, &unit, &ways, &end);
    if (found != (shared ? 4 : 3) || (shared && (end != '/' || strchr(strchr(rest, '/') + 1, '/') != slash)))
        return false;
    size *= unit == 'M' ? 1024 : unit == 'K';
    level = (unsigned)(word[1] - '0');
    /* whole sets */
    if (!size || size > UINT64_C(4) << 20 || !ways || ways > 1024 || size * (1024 / CPU_CACHE_LINE) % ways)
        return false;
    caches[level - 1][instructions] = (struct cpu_cache){(uint32_t)size, (uint16_t)ways, shared};
    return true;
}

/* All caches; a level that has one of instructions has one of data, of the same scope. */
static const char *cache_key(struct emu_profile *p, const char *value)
{
    cpu_caches caches = {{{0}}};
    char word[32];
    if (strcmp(value, "none") == 0)
        value = "";
    for (size_t n; *value; value += n, value += strspn(value, " \t,")) {
        n = strcspn(value, " \t,");
        if (n >= sizeof word)
            return CACHES_WRONG;
        memcpy(word, value, n);
        word[n] = 0;
        if (!cache_word(caches, word))
            return CACHES_WRONG;
    }
    for (unsigned i = 0; i < CPU_CACHE_LEVELS; i++)
        if (caches[i][1].kilobytes && (!caches[i][0].kilobytes || caches[i][0].shared != caches[i][1].shared))
            return "a cache of instructions is beside one of data on the same level, both shared or neither";
    memcpy(p->caches, caches, sizeof caches);
    return NULL;
}

/* The keys of specification J.1; a value is a number, or one of two words that stand for 0 and 1. */
static const struct {
    const char *key;
    int base; /* of a number */
    uint64_t least, most;
    const char *words[2];
    const char *wrong;
} ri_keys[EMU_RI_KEYS] = {
    [EMU_RI_VERSION] = {"version", 16, 1, 0xffff, {NULL}, "a version has up to four hexadecimal digits, not all zero"},
    [EMU_RI_CAPABILITY] = {"capability", 0, 0, 0, {"primary", "secondary"}, "a capability is primary or secondary"},
    [EMU_RI_RGS] = {"rgs", 10, 0, 7, {NULL}, "the largest RGS is a decimal number from 0 to 7"},
    [EMU_RI_RECORDS] =
        {"records", 10, 2, RI_RING - 2, {NULL}, "entries of the collection buffer are a decimal number from 2 to 254"},
    [EMU_RI_SF_MIN_CYCLES] = {"sf-min-cycles",
                              10,
                              1,
                              UINT64_C(1) << 40,
                              {NULL},
                              "a limit of SF is a decimal number from 1 to 1099511627776"},
    [EMU_RI_SF_MIN] =
        {"sf-min", 10, 1, UINT64_C(1) << 40, {NULL}, "a limit of SF is a decimal number from 1 to 1099511627776"},
    [EMU_RI_SF_MAX] =
        {"sf-max", 10, 1, UINT64_C(1) << 40, {NULL}, "a limit of SF is a decimal number from 1 to 1099511627776"},
    [EMU_RI_CACHE] = {"cache", 0, 0, 0, {"uncached", "clm"}, "a cache model is uncached or clm"},
};

bool emu_profile_ri_possible(const struct emu_ri_changes *changes)
{
    for (unsigned i = 0; i < EMU_RI_KEYS; i++) {
        const uint64_t most = ri_keys[i].words[0] ? 1 : ri_keys[i].most;
        if ((changes->given & 1u << i) && (changes->value[i] < ri_keys[i].least || changes->value[i] > most))
            return false;
    }
    return changes->given >> EMU_RI_KEYS == 0;
}

/* One characteristic, for the CPUs from `first` (0: all, 1: those with odd addresses). */
static const char *ri_key(struct emu_profile *p, unsigned first, const char *key, const char *value)
{
    uint64_t n = 0;
    unsigned i = 0;
    while (i < EMU_RI_KEYS && strcmp(key, ri_keys[i].key) != 0)
        i++;
    if (i == EMU_RI_KEYS)
        return "the run-time-instrumentation keys are ri.version, ri.capability, ri.rgs, ri.records, "
               "ri.sf-min-cycles, ri.sf-min, ri.sf-max, ri.cache, and the same with ri-odd";
    if (ri_keys[i].words[0])
        n = strcmp(value, ri_keys[i].words[1]) == 0;
    if (ri_keys[i].words[0] ? strcmp(value, ri_keys[i].words[n]) != 0
                            : !number(value, ri_keys[i].base, ri_keys[i].most, &n) || n < ri_keys[i].least)
        return ri_keys[i].wrong;
    for (unsigned odd = first; odd < 2; odd++) {
        p->ri_changes[odd].given |= 1u << i;
        p->ri_changes[odd].value[i] = n;
    }
    return NULL;
}

/* Keys that are numbers. `wrong` becomes NULL, or what is wrong with the value. False: it is another key. */
static bool number_key(struct emu_profile *p, const char *key, const char *value, const char **wrong)
{
    static const struct {
        const char *key;
        uint64_t least, most;
        uint8_t base, size; /* of the member, bytes */
        uint16_t offset;
        const char *wrong;
    } keys[] = {
#define NUMBER(key, member, base, least, most, wrong)                                                                  \
    {key, least, most, base, sizeof((struct emu_profile *)0)->member, offsetof(struct emu_profile, member), wrong}
        NUMBER("machine-type", machine_type, 16, 0, 0xffff, "a machine type has four digits"),
        NUMBER("identification", identification, 16, 0, 0xffffff, "a CPU identification has six hexadecimal digits"),
        NUMBER("capability", capability, 10, 1, 0x7fffff, "a capability is a decimal number from 1 to 8388607"),
        NUMBER("tod", tod_start, 16, 0, UINT64_MAX, "a TOD-clock value has up to 16 hexadecimal digits"),
        NUMBER("level", level, 10, 1, 3, "a level is 1, 2 or 3"),
        NUMBER("mhz", mhz, 10, 1, 1000000, "a CPU speed is a decimal number from 1 to 1000000, cycles per microsecond"),
#undef NUMBER
    };
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
        char *member = (char *)p + keys[i].offset;
        uint64_t n;
        if (strcmp(key, keys[i].key) != 0)
            continue;
        *wrong = number(value, keys[i].base, keys[i].most, &n) && n >= keys[i].least ? NULL : keys[i].wrong;
        if (*wrong)
            return true;
        if (keys[i].size == 1)
            *(uint8_t *)member = (uint8_t)n;
        else if (keys[i].size == 2)
            *(uint16_t *)(void *)member = (uint16_t)n;
        else if (keys[i].size == 4)
            *(uint32_t *)(void *)member = (uint32_t)n;
        else
            *(uint64_t *)(void *)member = n;
        return true;
    }
    return false;
}

/* One "key = value". Returns NULL, or what is wrong with it. */
static const char *profile_key(struct emu_profile *p, const char *key, const char *value, char *error, size_t size)
{
    const char *wrong;
    if (strcmp(key, "name") == 0)
        return set_text(p->name, sizeof p->name, value) ? "the name is longer than 31 characters" : NULL;
    if (strcmp(key, "description") == 0)
        return set_text(p->description, sizeof p->description, value) ? "the text is longer than 127 characters" : NULL;
    if (strcmp(key, "base") == 0) {
        char name[32];
        strcpy(name, p->name);
        if (strchr(value, '/') || strchr(value, '.') || emu_profile_find(value, p, error, size))
            return "the base must be a built-in profile (zri --profile help lists them)";
        strcpy(p->name, name);
        return NULL;
    }
    if (strcmp(key, "facilities") == 0)
        return emu_profile_change(p, value, error, size) ? error : NULL;
    if (number_key(p, key, value, &wrong))
        return wrong;
    if (strcmp(key, "caches") == 0)
        return cache_key(p, value);
    if (strncmp(key, "cpumf.", 6) == 0)
        return measurement_key(p, key + 6, value);
    if (strncmp(key, "ri.", 3) == 0)
        return ri_key(p, 0, key + 3, value);
    if (strncmp(key, "ri-odd.", 7) == 0)
        return ri_key(p, 1, key + 7, value);
    if (strcmp(key, "cache") == 0)
        return ri_key(p, 0, key, value);
    if (strcmp(key, "ri") == 0 || strcmp(key, "ri-odd") == 0) {
        if (!ri_profile_find(value))
            return "the run-time-instrumentation profiles are RI-A, RI-B, RI-C and RI-D";
        snprintf(p->ri[1], sizeof p->ri[1], "%s", value);
        if (!key[2])
            snprintf(p->ri[0], sizeof p->ri[0], "%s", value);
        return NULL;
    }
    return "there is no such key; the keys are name, description, base, facilities, machine-type, identification, "
           "capability, tod, level, mhz, caches, cpumf.counters, cpumf.sampling, cpumf.mtdiag, ri, ri-odd, cache, "
           "ri.version and the like";
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        text[--n] = 0;
    return text;
}

int emu_profile_parse(const char *text, size_t length, const char *what, struct emu_profile *profile, char *error,
                      size_t size)
{
    struct emu_profile p = builtin[0];
    char why[200];
    unsigned line_number = 0;
    memset(p.claims, 0, sizeof p.claims);
    p.all = false;
    p.generation = DIS_NO_GENERATION;
    snprintf(p.name, sizeof p.name, "%.31s", what);
    for (size_t at = 0; at < length;) {
        char line[1024];
        const char *newline = memchr(text + at, '\n', length - at);
        size_t n = newline ? (size_t)(newline - (text + at)) : length - at;
        line_number++;
        if (n >= sizeof line || memchr(text + at, 0, n)) {
            snprintf(error, size, "%s, line %u: not a line of text; a profile has lines of the form key = value", what,
                     line_number);
            return -EINVAL;
        }
        memcpy(line, text + at, n);
        line[n] = 0;
        at += n + 1;
        line[strcspn(line, "#")] = 0;
        char *key = trim(line), *value = strchr(key, '=');
        if (!*key)
            continue;
        if (!value) {
            snprintf(error, size, "%s, line %u: '%.60s' has no =; write key = value", what, line_number, key);
            return -EINVAL;
        }
        *value++ = 0;
        const char *wrong = profile_key(&p, trim(key), trim(value), why, sizeof why);
        if (wrong) {
            snprintf(error, size, "%s, line %u: '%.40s': %s", what, line_number, trim(key), wrong);
            return -EINVAL;
        }
    }
    *profile = p;
    return 0;
}

int emu_profile_find(const char *name, struct emu_profile *profile, char *error, size_t size)
{
    for (unsigned i = 0; i < sizeof builtin / sizeof *builtin; i++)
        if (strcasecmp(name, builtin[i].name) == 0) {
            *profile = builtin[i];
            return 0;
        }
    if (!strchr(name, '/') && !strchr(name, '.')) {
        snprintf(error, size,
                 "there is no machine profile '%.60s'; --profile help lists those built in, a file is named with a / "
                 "or a dot",
                 name);
        return -EINVAL;
    }
    FILE *file = fopen(name, "rb");
    if (!file) {
        int code = errno;
        snprintf(error, size, "cannot open the profile '%.100s': %s", name, strerror(code));
        return -code;
    }
    char *text = malloc(PROFILE_LIMIT);
    size_t n = text ? fread(text, 1, PROFILE_LIMIT, file) : 0;
    int code = !text ? -ENOMEM : n == PROFILE_LIMIT ? -EFBIG : ferror(file) ? -EIO : 0;
    fclose(file);
    if (code)
        snprintf(error, size, "cannot read the profile '%.100s': %s", name, strerror(-code));
    else
        code = emu_profile_parse(text, n, name, profile, error, size);
    free(text);
    return code;
}

/* ---- what comes out of it -------------------------------------------------------------------------------------- */

#define MNEMONICS_SHOWN 4

/* One facility that is not complete: its name, and the instructions without a body or what else is lacking. */
static void list_missing(unsigned bit, char *text, size_t size)
{
    const struct dis_facility_row *facility = dis_facility_of(bit);
    unsigned missing = 0;
    size_t used = (size_t)snprintf(text, size, " %u (", bit);
    if (facility && facility->promise != DIS_PROMISE_ROWS) {
        if (facility->promise == DIS_PROMISE_KEPT)
            snprintf(text + used, size - used, "only together with %u)", facility->with);
        else
            snprintf(text + used, size - used, "%s)", facility->note);
        return;
    }
    dis_facility_names(bit, text + used, size - used);
    used += strlen(text + used);
    used += (size_t)snprintf(text + used, size - used, "%s:", facility ? "" : "unknown");
    for (unsigned row = 0; row < DIS_ROW_COUNT && used < size; row++)
        if (dis_rows[row].facility == bit && !dis_implemented(row) && ++missing <= MNEMONICS_SHOWN)
            used += (size_t)snprintf(text + used, size - used, " %s", dis_rows[row].mnemonic);
    if (used < size && missing > MNEMONICS_SHOWN)
        used += (size_t)snprintf(text + used, size - used, " and %u more", missing - MNEMONICS_SHOWN);
    if (used < size)
        snprintf(text + used, size - used, "%s)", missing ? "" : " not in this program");
}

/* The sentence: what is missing as far as there is room, and always the way out. */
static void refuse(const struct emu_profile *profile, const uint64_t lacking[4], char *error, size_t size)
{
    char remedy[480] = "", text[320];
    size_t used = 0, room, at;
    for (unsigned bit = 0; bit < FACILITY_BITS; bit++)
        if (has_bit(lacking, bit) && used < sizeof remedy)
            used += (size_t)snprintf(remedy + used, sizeof remedy - used, "%s-%u", used ? "," : "", bit);
    room = strlen(remedy) + 48;
    at = (size_t)snprintf(error, size, "profile '%s' claims facilities that are not complete:", profile->name);
    for (unsigned bit = 0; bit < FACILITY_BITS && at < size; bit++) {
        if (!has_bit(lacking, bit))
            continue;
        list_missing(bit, text, sizeof text);
        if (at + strlen(text) + room > size) {
            at += (size_t)snprintf(error + at, size - at, " ...");
            break;
        }
        at += (size_t)snprintf(error + at, size - at, "%s", text);
    }
    if (at < size)
        snprintf(error + at, size - at, "; take them off with --facility %s", remedy);
}

/* Facilities that come with others go with them, unless they were asked for. */
static int need_each_other(const struct emu_profile *profile, uint64_t wanted[4], char *error, size_t size)
{
    for (unsigned i = 0; i < dis_facility_need_count; i++) {
        const unsigned one = dis_facility_needs[i].one, other = dis_facility_needs[i].other;
        if (!has_bit(wanted, one) || has_bit(wanted, other))
            continue;
        if (has_bit(profile->claims, one)) {
            snprintf(error, size, "facility %u (%s) needs %u (%s); add that one, or take it off with --facility -%u",
                     one, dis_facility_name(one), other, dis_facility_name(other), one);
            return -EINVAL;
        }
        clear_bit(wanted, one);
    }
    return 0;
}

/* Storage-key removal comes only when it is asked for, and the facilities that deal with keys go then. */
static void without_keys(const struct emu_profile *profile, uint64_t wanted[4])
{
    if (!has_bit(profile->claims, FACILITY_STORAGE_KEY_REMOVAL))
        clear_bit(wanted, FACILITY_STORAGE_KEY_REMOVAL);
    for (unsigned i = 0; i < dis_facility_exclude_count; i++)
        if (has_bit(wanted, dis_facility_excludes[i].one))
            clear_bit(wanted, dis_facility_excludes[i].other);
}

void emu_profile_ri(const struct emu_profile *profile, unsigned address, struct ri_profile *ri)
{
    const struct emu_ri_changes *changes = &profile->ri_changes[address & 1];
    const struct ri_profile *base = ri_profile_find(profile->ri[address & 1]);
    *ri = base ? *base : ri_profiles[0];
    for (unsigned i = 0; i < EMU_RI_KEYS; i++) {
        const uint64_t value = changes->value[i];
        if (!(changes->given & 1u << i))
            continue;
        switch (i) {
        case EMU_RI_VERSION:
            ri->version = (uint16_t)value;
            break;
        case EMU_RI_CAPABILITY:
            ri->secondary = value;
            break;
        case EMU_RI_RGS:
            ri->rgs_max = (uint8_t)value;
            break;
        case EMU_RI_RECORDS:
            ri->cb_entries = (uint16_t)value;
            break;
        case EMU_RI_SF_MIN_CYCLES:
        case EMU_RI_SF_MIN:
            ri->sf_min[i - EMU_RI_SF_MIN_CYCLES] = value;
            break;
        case EMU_RI_SF_MAX:
            ri->sf_max = value;
            break;
        default: /* EMU_RI_CACHE */
            ri->cache_model = value ? RI_CACHE_TWO_LEVEL : RI_CACHE_UNCACHED;
        }
    }
    if (changes->given)
        snprintf(ri->name, sizeof ri->name, "%.14s+", base ? base->name : ri_profiles[0].name);
}

/* What was given singly must fit together (specification J.1). */
static int ri_fits(const struct emu_profile *profile, char *error, size_t size)
{
    for (unsigned odd = 0; odd < 2; odd++) {
        struct ri_profile ri;
        emu_profile_ri(profile, odd, &ri);
        const unsigned need = (2u << ri.rgs_max) - 2;
        if (ri.cb_entries < need) {
            snprintf(
                error, size,
                "profile '%s': groups of RGS %u need %u entries in the collection buffer, not %u; change ri.records "
                "or ri.rgs",
                profile->name, ri.rgs_max, need, ri.cb_entries);
            return -EINVAL;
        }
        if (ri.sf_max < ri.sf_min[0] || ri.sf_max < ri.sf_min[1]) {
            snprintf(error, size, "profile '%s': ri.sf-max is below ri.sf-min or ri.sf-min-cycles", profile->name);
            return -EINVAL;
        }
    }
    return 0;
}

int emu_profile_resolve(const struct emu_profile *profile, struct cpu_profile *cpu, char *error, size_t size)
{
    uint64_t complete[4], model[4] = {0}, wanted[4], lacking[4], any = 0;
    emu_facilities_complete(complete);
    if (profile->generation)
        emu_facilities_of_generation(profile->generation, model);
    for (unsigned i = 0; i < 4; i++) {
        wanted[i] = (profile->claims[i] | model[i] | (profile->all ? complete[i] : 0)) & ~profile->removed[i];
        any |= lacking[i] = wanted[i] & ~complete[i];
    }
    without_keys(profile, wanted);
    if (need_each_other(profile, wanted, error, size) || ri_fits(profile, error, size))
        return -EINVAL;
    if (any) {
        refuse(profile, lacking, error, size);
        return -ENOTSUP;
    }
    memset(cpu, 0, sizeof *cpu);
    snprintf(cpu->name, sizeof cpu->name, "%s", profile->name);
    memcpy(cpu->facilities, wanted, sizeof wanted);
    cpu->cpu_id = (uint64_t)profile->identification << 32 | (uint64_t)profile->machine_type << 16;
    cpu->capability = profile->capability;
    cpu->mhz = profile->mhz ? profile->mhz : CPU_MHZ;
    cpu->machine_type = profile->machine_type;
    cpu->mt_diagnostic = profile->mt_diagnostic;
    memcpy(cpu->caches, profile->caches, sizeof cpu->caches);
    return 0;
}
