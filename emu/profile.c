/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine profiles. Which facility bits a guest sees follows from the instruction table: a bit is on only when every
   row that it promises has a body. */
#include "emu/profile.h"
#include "disasm/dis.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROFILE_LIMIT 65536

/* Facilities without instructions of their own that the machine has. Those with instructions come from the table. */
static const uint8_t plain_bits[] = {
    0,   /* instructions marked N3 */
    1,   /* z/Architecture installed */
    2,   /* z/Architecture active */
    4,   /* IDTE clears by segment: with 3 */
    5,   /* IDTE clears by region: with 3 */
    9,   /* sense running status */
    10,  /* conditional SSKE */
    13,  /* IPTE range */
    14,  /* nonquiescing key setting */
    19,  /* long displacement, high performance */
    24,  /* ETF2 enhancement: with 16 */
    30,  /* ETF3 enhancement: with 22 */
    33,  /* compare and swap and store 2: with 32 */
    51,  /* local TLB clearing */
    52,  /* interlocked access 2 */
    75,  /* access-exception fetch/store indication */
    138, /* configuration z/Architecture */
    152, /* vector packed-decimal enhancement 1: with 134 */
};

/* A bit that makes sense only with another one. */
static const uint8_t needs[][2] = {{24, 16}, {30, 22}, {33, 32}, {2, 1}, {4, 3}, {5, 3}, {152, 134}};

static void set_bit(uint64_t bits[4], unsigned n) { bits[n / 64] |= BIT64(n % 64); }
static void clear_bit(uint64_t bits[4], unsigned n) { bits[n / 64] &= ~BIT64(n % 64); }
static bool has_bit(const uint64_t bits[4], unsigned n) { return bits[n / 64] & BIT64(n % 64); }

void emu_facilities_complete(uint64_t bits[4])
{
    uint64_t lacking[4] = {0};
    memset(bits, 0, 4 * sizeof *bits);
    for (unsigned i = 0; i < sizeof plain_bits; i++)
        set_bit(bits, plain_bits[i]);
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++) {
        unsigned bit = dis_rows[row].facility;
        if (bit == 0 || bit >= 240)
            continue;
        set_bit(bits, bit);
        if (!dis_implemented(row))
            set_bit(lacking, bit);
    }
    for (unsigned i = 0; i < 4; i++)
        bits[i] &= ~lacking[i];
    for (unsigned i = 0; i < sizeof needs / sizeof *needs; i++)
        if (!has_bit(bits, needs[i][1]))
            clear_bit(bits, needs[i][0]);
}

static const struct emu_profile builtin[] = {
    {.name = "max",
     .description = "every facility that is complete",
     .all = true,
     .machine_type = 0x3931,
     .identification = 0x00012345 & 0xffffff,
     .capability = 1000,
     .tod_start = UINT64_C(0xd5f0000000000000),
     .level = 3,
     .ri = {"RI-A", "RI-A"}},
    {.name = "linux-boot",
     .description = "the facilities that a Linux system of Debian 12 is tested with",
     .claims = {BIT64(0) | BIT64(1) | BIT64(2) | BIT64(3) | BIT64(7) | BIT64(9) | BIT64(16) | BIT64(17) | BIT64(18) |
                    BIT64(19) | BIT64(21) | BIT64(22) | BIT64(24) | BIT64(25) | BIT64(27) | BIT64(30) | BIT64(31) |
                    BIT64(32) | BIT64(33) | BIT64(34) | BIT64(35) | BIT64(37) | BIT64(41) | BIT64(45),
                BIT64(64 - 64) | BIT64(75 - 64), BIT64(138 - 128)},
     .machine_type = 0x2097,
     .identification = 0x00012345 & 0xffffff,
     .capability = 1000,
     .tod_start = UINT64_C(0xd5f0000000000000),
     .level = 3,
     .ri = {"RI-A", "RI-A"}},
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
    if (!number(copy, 10, 239, &first))
        return false;
    last = first;
    if (dash && (!number(dash, 10, 239, &last) || last < first))
        return false;
    for (uint64_t n = first; n <= last; n++)
        if (remove) {
            clear_bit(profile->claims, (unsigned)n);
            set_bit(profile->removed, (unsigned)n);
        } else {
            set_bit(profile->claims, (unsigned)n);
            clear_bit(profile->removed, (unsigned)n);
        }
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
                     "facility list: '%s' is no facility bit; give decimal numbers from 0 to 239 such as -37,+45",
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

/* One "key = value". Returns NULL, or what is wrong with it. */
static const char *profile_key(struct emu_profile *p, const char *key, const char *value, char *error, size_t size)
{
    uint64_t n;
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
    if (strcmp(key, "machine-type") == 0) {
        if (!number(value, 16, 0xffff, &n))
            return "a machine type has four digits";
        p->machine_type = (uint16_t)n;
        return NULL;
    }
    if (strcmp(key, "identification") == 0) {
        if (!number(value, 16, 0xffffff, &n))
            return "a CPU identification has six hexadecimal digits";
        p->identification = (uint32_t)n;
        return NULL;
    }
    if (strcmp(key, "capability") == 0) {
        if (!number(value, 10, 0x7fffff, &n) || n == 0)
            return "a capability is a decimal number from 1 to 8388607";
        p->capability = (uint32_t)n;
        return NULL;
    }
    if (strcmp(key, "tod") == 0)
        return number(value, 16, UINT64_MAX, &p->tod_start) ? NULL
                                                            : "a TOD-clock value has up to 16 hexadecimal digits";
    if (strcmp(key, "level") == 0) {
        if (!number(value, 10, 3, &n) || n == 0)
            return "a level is 1, 2 or 3";
        p->level = (uint8_t)n;
        return NULL;
    }
    if (strcmp(key, "ri") == 0 || strcmp(key, "ri-odd") == 0) {
        if (!ri_profile_find(value))
            return "the run-time-instrumentation profiles are RI-A, RI-B, RI-C and RI-D";
        snprintf(p->ri[1], sizeof p->ri[1], "%s", value);
        if (!key[2])
            snprintf(p->ri[0], sizeof p->ri[0], "%s", value);
        return NULL;
    }
    return "there is no such key; the keys are name, description, base, facilities, machine-type, identification, "
           "capability, tod, level, ri, ri-odd";
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
    char why[160];
    unsigned line_number = 0;
    memset(p.claims, 0, sizeof p.claims);
    p.all = false;
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
        if (strcmp(name, builtin[i].name) == 0) {
            *profile = builtin[i];
            return 0;
        }
    if (!strchr(name, '/') && !strchr(name, '.')) {
        snprintf(
            error, size,
            "there is no machine profile '%.60s'; built in are max and linux-boot, a file is named with a / or a dot",
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

static void list_missing(unsigned bit, char *error, size_t size, size_t *used)
{
    unsigned rows = 0, missing = 0;
    const char *first = NULL;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (dis_rows[row].facility == bit) {
            rows++;
            if (!dis_implemented(row)) {
                missing++;
                first = first ? first : dis_rows[row].mnemonic;
            }
        }
    if (*used >= size)
        return;
    int n = rows ? snprintf(error + *used, size - *used, "%s %u (%u of %u instructions, %s first)", *used ? "," : "",
                            bit, missing, rows, first ? first : "none")
                 : snprintf(error + *used, size - *used, "%s %u", *used ? "," : "", bit);
    *used += n > 0 ? (size_t)n : 0;
}

int emu_profile_resolve(const struct emu_profile *profile, struct cpu_profile *cpu, char *error, size_t size)
{
    uint64_t complete[4], wanted[4];
    char list[400] = "";
    size_t used = 0;
    unsigned lacking = 0;
    emu_facilities_complete(complete);
    for (unsigned i = 0; i < 4; i++)
        wanted[i] = (profile->claims[i] | (profile->all ? complete[i] : 0)) & ~profile->removed[i];
    for (unsigned bit = 0; bit < 240; bit++)
        if (has_bit(wanted, bit) && !has_bit(complete, bit)) {
            lacking++;
            list_missing(bit, list, sizeof list, &used);
        }
    if (lacking) {
        snprintf(error, size,
                 "profile '%s' claims facilities that are not complete:%s; take them off with --facility -N",
                 profile->name, list);
        return -ENOTSUP;
    }
    memset(cpu, 0, sizeof *cpu);
    snprintf(cpu->name, sizeof cpu->name, "%s", profile->name);
    memcpy(cpu->facilities, wanted, sizeof wanted);
    cpu->cpu_id = (uint64_t)profile->identification << 32 | (uint64_t)profile->machine_type << 16;
    cpu->capability = profile->capability;
    return 0;
}
