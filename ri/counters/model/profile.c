/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of the pipeline model: those built in, and the reader of files. */
#include "ri/counters/model/profile.h"
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum rule { ANY, POWER, POWER0, LINE };
static const char *const rules[] = {"", ", a power of two", ", a power of two or 0", ": 64, 128 or 256"};

static const struct key {
    const char *name;
    uint8_t rule; /* enum rule */
    uint32_t least, most;
    size_t place;
} keys[] = {
#define KEY(key, rule, least, most, ...) {#key, rule, least, most, offsetof(struct ec_profile, key)},
#include "ri/counters/model/profile.def"
#undef KEY
};
#define KEYS (sizeof keys / sizeof *keys)

static const struct ec_profile built_in[] = {
    {
        .name = "teach",
        .predictor = EC_BIMODAL,
#define KEY(key, rule, least, most, teach, zlarge, meaning) .key = teach,
#include "ri/counters/model/profile.def"
#undef KEY
    },
    {
        .name = "zlarge",
        .predictor = EC_GSHARE,
#define KEY(key, rule, least, most, teach, zlarge, meaning) .key = zlarge,
#include "ri/counters/model/profile.def"
#undef KEY
    },
};

static const char *const predictors[] = {"bimodal", "gshare", "tage"};

int ec_profile_built_in(const char *name, struct ec_profile *profile)
{
    for (unsigned i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (strcmp(built_in[i].name, name) == 0) {
            *profile = built_in[i];
            return 0;
        }
    return -ENOENT;
}

const char *ec_profile_key(const struct ec_profile *profile, unsigned row, uint32_t *value)
{
    if (row >= KEYS)
        return NULL;
    memcpy(value, (const char *)profile + keys[row].place, sizeof *value);
    return keys[row].name;
}

static bool power_of_two(uint32_t v) { return v && !(v & (v - 1)); }

static bool allowed(const struct key *key, uint64_t v)
{
    if (v < key->least || v > key->most)
        return false;
    switch (key->rule) {
    case POWER:
    case LINE:
        return power_of_two((uint32_t)v);
    case POWER0:
        return v == 0 || power_of_two((uint32_t)v);
    default:
        return true;
    }
}

bool ec_profile_same(const struct ec_profile *a, const struct ec_profile *b)
{
    uint32_t left, right;
    bool same = strcmp(a->name, b->name) == 0 && a->machine == b->machine && a->predictor == b->predictor;
    for (unsigned i = 0; same && ec_profile_key(a, i, &left); i++)
        same = ec_profile_key(b, i, &right) && left == right;
    return same;
}

bool ec_profile_possible(const struct ec_profile *p)
{
    uint32_t value;
    size_t n = 0;
    while (n < sizeof p->name && isprint((unsigned char)p->name[n]))
        n++;
    if (n == sizeof p->name || p->name[n] || p->predictor >= sizeof predictors / sizeof *predictors ||
        !p->l3_sets != !p->l3_ways)
        return false;
    for (unsigned i = 0; ec_profile_key(p, i, &value); i++)
        if (!allowed(&keys[i], value))
            return false;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

struct reader {
    const char *file;
    unsigned line;
    struct ec_profile *profile;
    unsigned given;      /* keys so far */
    bool seen[KEYS + 2]; /* each key once; behind them machine and predictor */
    char *why;
    size_t why_size;
};

static int refuse(const struct reader *r, const char *what, const char *word, const char *remedy)
{
    /* a word from the file goes into the sentence as far as it can be printed */
    char shown[32];
    size_t n = 0;
    for (; word && word[n] && n < sizeof shown - 1; n++)
        shown[n] = isprint((unsigned char)word[n]) ? word[n] : '?';
    shown[n] = 0;
    snprintf(r->why, r->why_size, "%s, line %u: %s%s%s; %s", r->file, r->line, what, n ? " " : "", shown, remedy);
    return -EINVAL;
}

/* Decimal digits alone; UINT64_MAX: something else. */
static uint64_t number(const char *text)
{
    uint64_t v = 0;
    for (const char *p = text; *p; p++) {
        if (!isdigit((unsigned char)*p) || p - text > 8)
            return UINT64_MAX;
        v = v * 10 + (uint64_t)(*p - '0');
    }
    return *text ? v : UINT64_MAX;
}

static int once(struct reader *r, size_t key, const char *name)
{
    if (r->seen[key])
        return refuse(r, "a second", name, "leave one of them");
    r->seen[key] = true;
    return 0;
}

static int set_number(struct reader *r, const struct key *key, const char *value)
{
    const uint64_t v = number(value);
    char remedy[96];
    snprintf(remedy, sizeof remedy, "%s is %u to %u%s", key->name, key->least, key->most, rules[key->rule]);
    if (!allowed(key, v))
        return refuse(r, "not possible:", value, remedy);
    memcpy((char *)r->profile + key->place, &(uint32_t){(uint32_t)v}, sizeof(uint32_t));
    return once(r, (size_t)(key - keys), key->name);
}

static int set_machine(struct reader *r, const char *value)
{
    uint16_t type = 0;
    for (const char *p = value; *p; p++) {
        const char *digit = strchr("0123456789", *p);
        if (!digit || p - value > 3)
            return refuse(r, "no machine type:", value, "machine is four digits, as 3906");
        type = (uint16_t)(type << 4 | (digit - "0123456789"));
    }
    if (strlen(value) != 4)
        return refuse(r, "no machine type:", value, "machine is four digits, as 3906");
    r->profile->machine = type;
    return once(r, KEYS, "machine");
}

static int set_predictor(struct reader *r, const char *value)
{
    for (unsigned i = 0; i < sizeof predictors / sizeof *predictors; i++)
        if (strcmp(predictors[i], value) == 0) {
            r->profile->predictor = (uint8_t)i;
            return once(r, KEYS + 1, "predictor");
        }
    return refuse(r, "no predictor:", value, "predictor is bimodal, gshare or tage");
}

static int set(struct reader *r, const char *key, const char *value)
{
    const bool first = r->given++ == 0;
    if (strcmp(key, "base") == 0) {
        if (!first)
            return refuse(r, "base behind other keys", NULL, "put it before them");
        if (ec_profile_built_in(value, r->profile))
            return refuse(r, "no such profile:", value, "base is teach or zlarge");
        return 0;
    }
    if (strcmp(key, "machine") == 0)
        return set_machine(r, value);
    if (strcmp(key, "predictor") == 0)
        return set_predictor(r, value);
    for (unsigned i = 0; i < KEYS; i++)
        if (strcmp(keys[i].name, key) == 0)
            return set_number(r, &keys[i], value);
    return refuse(r, "unknown key", key, "see the specification of the pipeline model for the keys");
}

static char *strip(char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    for (size_t n = strlen(s); n && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'); n--)
        s[n - 1] = 0;
    return s;
}

static int read_line(struct reader *r, const char *text, size_t size)
{
    char line[256];
    if (memchr(text, 0, size))
        return refuse(r, "a zero byte", NULL, "the file is text");
    const char *comment = memchr(text, '#', size);
    size = comment ? (size_t)(comment - text) : size;
    if (size >= sizeof line)
        return refuse(r, "the line is too long", NULL, "one key = value stands on a line");
    memcpy(line, text, size);
    line[size] = 0;
    char *key = strip(line);
    if (!*key)
        return 0;
    char *equals = strchr(key, '=');
    if (!equals)
        return refuse(r, "no = behind", key, "write key = value");
    *equals = 0;
    return set(r, strip(key), strip(equals + 1));
}

/* What concerns two keys. */
static int agree(struct reader *r)
{
    const struct ec_profile *p = r->profile;
    if (!p->l3_sets != !p->l3_ways)
        return refuse(r, "l3_sets and l3_ways: one is 0", NULL, "give both, or none");
    return 0;
}

static void name_of(const char *file, char name[17])
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const size_t n = strcspn(base, ".");
    snprintf(name, 17, "%.*s", (int)(n < 16 ? n : 16), base);
}

int ec_profile_read(const char *file, const char *text, size_t size, struct ec_profile *profile, char *why,
                    size_t why_size)
{
    struct ec_profile made = built_in[0];
    struct reader r = {.file = file, .profile = &made, .why = why, .why_size = why_size};
    while (size) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end ? (size_t)(end - text) : size;
        r.line++;
        const int bad = read_line(&r, text, length);
        if (bad)
            return bad;
        text += length + (end != NULL);
        size -= length + (end != NULL);
    }
    const int bad = agree(&r);
    if (bad)
        return bad;
    name_of(file, made.name);
    *profile = made;
    return 0;
}
