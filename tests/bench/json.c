/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A JSON document is parsed: objects, arrays, strings with escapes, numbers; what it contains is counted and summed. */
static const char *at;
static long total;

static void space(void)
{
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
}

static unsigned string(void)
{
    unsigned hash = 5381;
    for (at++; *at != '"'; at++) {
        char c = *at;
        if (c == '\\') {
            c = *++at;
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        hash = hash * 33 ^ (unsigned char)c;
    }
    at++;
    return hash;
}

static long number(void)
{
    const int negative = *at == '-';
    long value = 0, places = 0;
    for (at += negative; (unsigned)(*at - '0') < 10; at++)
        value = 10 * value + (*at - '0');
    if (*at == '.')
        for (at++; (unsigned)(*at - '0') < 10; at++, places++)
            value = 10 * value + (*at - '0');
    return (negative ? -value : value) + places;
}

static void value(unsigned depth)
{
    space();
    switch (*at) {
    case '{':
        do {
            at++;
            space();
            total += string();
            space();
            at++; /* the colon */
            value(depth + 1);
            space();
        } while (*at == ',');
        at++;
        break;
    case '[':
        do {
            at++;
            value(depth + 1);
            space();
        } while (*at == ',');
        at++;
        break;
    case '"':
        total += string();
        break;
    case 't':
    case 'n':
        at += 4;
        break;
    case 'f':
        at += 5;
        break;
    default:
        total += number() * depth;
        break;
    }
}

void kernel(unsigned long repeat)
{
    static const char text[] =
        "{ \"title\": \"A list of \\\"things\\\"\\n\", \"count\": 128, \"open\": true, \"more\": null,\n"
        "  \"items\": [ { \"id\": 17, \"price\": 12.50, \"tags\": [\"red\", \"green\", \"blue\"], \"stock\": -3 },\n"
        "             { \"id\": 18, \"price\": 100.125, \"tags\": [\"large\", \"very large\"], \"stock\": 100234 },\n"
        "             { \"id\": 19, \"price\": 0.99, \"tags\": [\"\\tsmall\"], \"stock\": 0, \"old\": false } ],\n"
        "  \"matrix\": [[1, 2, 3], [4, 5, 6], [7, 8, 9]], \"name\": \"an ordinary name of some length\" }";
    for (; repeat; repeat--) {
        at = text;
        value(1);
        __asm__ volatile("" : : "r"(total) : "memory");
    }
}
