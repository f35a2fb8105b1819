/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commercial arithmetic in packed decimal: a loan's payments, a ledger, long multiplication and division, edited
   output. On s390x by the decimal instructions themselves; elsewhere by 128-bit integers, which is how the expected
   output is made. Numbers have 31 digits and a sign. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char b[16];
} packed;

#ifdef __s390x__

static packed from_long(long n)
{
    packed p;
    __asm__("cvdg %1,%0" : "=T"(p) : "d"(n));
    return p;
}

static long to_long(packed p)
{
    long n;
    __asm__("cvbg %0,%1" : "=d"(n) : "T"(p));
    return n;
}

static packed add(packed a, packed b)
{
    __asm__("ap %O0(16,%R0),%O1(16,%R1)" : "+Q"(a) : "Q"(b) : "cc");
    return a;
}

static packed subtract(packed a, packed b)
{
    __asm__("sp %O0(16,%R0),%O1(16,%R1)" : "+Q"(a) : "Q"(b) : "cc");
    return a;
}

static packed zero_and_add(packed b)
{
    packed a;
    __asm__("zap %O0(16,%R0),%O1(16,%R1)" : "=Q"(a) : "Q"(b) : "cc");
    return a;
}

/* a and b: 15 digits at most. */
static packed multiply(packed a, packed b)
{
    unsigned char s[8];
    memcpy(s, b.b + 8, 8);
    __asm__("mp %O0(16,%R0),%O1(8,%R1)" : "+Q"(a) : "Q"(*(unsigned char(*)[8])s) : "cc");
    return a;
}

/* b: 5 digits at most; so a may have 25. */
static packed multiply_short(packed a, packed b)
{
    unsigned char s[3];
    memcpy(s, b.b + 13, 3);
    __asm__("mp %O0(16,%R0),%O1(3,%R1)" : "+Q"(a) : "Q"(s) : "cc");
    return a;
}

/* a / b; b: 15 digits, the quotient 15 at most. */
static packed divide(packed a, packed b, packed *rest)
{
    unsigned char s[8];
    packed q = from_long(0), r = from_long(0);
    memcpy(s, b.b + 8, 8);
    __asm__("dp %O0(16,%R0),%O1(8,%R1)" : "+Q"(a) : "Q"(*(unsigned char(*)[8])s) : "cc");
    memcpy(q.b + 8, a.b, 8);
    memcpy(r.b + 8, a.b + 8, 8);
    *rest = r;
    return q;
}

/* Divide by 10 to the n (1 to 9), rounded half away from zero. */
static packed shift_right(packed a, int n)
{
    __asm__("srp %O0(16,%R0),0(%1),5" : "+Q"(a) : "a"(64 - n) : "cc");
    return a;
}

static int compare(packed a, packed b)
{
    int cc;
    __asm__("cp %O1(16,%R1),%O2(16,%R2)\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : "Q"(a), "Q"(b) : "cc");
    return cc == 0 ? 0 : cc == 1 ? -1 : 1;
}

/* 15 digits with commas, two decimals, CR when negative. */
static void edit(packed a, char *text)
{
    static const unsigned char pattern[23] = {0x40, 0x20, 0x6b, 0x20, 0x20, 0x20, 0x6b, 0x20, 0x20, 0x20, 0x6b, 0x20,
                                              0x20, 0x20, 0x6b, 0x20, 0x21, 0x20, 0x4b, 0x20, 0x20, 0xc3, 0xd9};
    unsigned char field[23], digits[8];
    memcpy(field, pattern, sizeof field);
    memcpy(digits, a.b + 8, 8);
    __asm__("ed %O0(23,%R0),%1" : "+Q"(field) : "Q"(digits) : "cc");
    for (int i = 0; i < 23; i++)
        text[i] = field[i] == 0x40   ? ' '
                  : field[i] == 0x6b ? ','
                  : field[i] == 0x4b ? '.'
                  : field[i] == 0xc3 ? 'C'
                  : field[i] == 0xd9 ? 'R'
                                     : (char)(field[i] - 0xf0 + '0');
    text[23] = 0;
}

#else

typedef __int128 wide;

static wide value(packed p)
{
    wide n = 0;
    for (int i = 0; i < 31; i++)
        n = n * 10 + (i % 2 ? p.b[i / 2] & 15 : p.b[i / 2] >> 4);
    int sign = p.b[15] & 15;
    return sign == 11 || sign == 13 ? -n : n;
}

static packed from_wide(wide n)
{
    packed p = {{0}};
    p.b[15] = n < 0 ? 0x0d : 0x0c;
    n = n < 0 ? -n : n;
    for (int i = 30; i >= 0; i--, n /= 10)
        p.b[i / 2] |= (unsigned char)((int)(n % 10) << (i % 2 ? 0 : 4));
    return p;
}

static packed from_long(long n) { return from_wide(n); }
static long to_long(packed p) { return (long)value(p); }
static packed add(packed a, packed b) { return from_wide(value(a) + value(b)); }
static packed subtract(packed a, packed b) { return from_wide(value(a) - value(b)); }
static packed zero_and_add(packed b) { return from_wide(value(b)); }
static packed multiply(packed a, packed b) { return from_wide(value(a) * value(b)); }
static packed multiply_short(packed a, packed b) { return multiply(a, b); }
static packed divide(packed a, packed b, packed *rest)
{
    *rest = from_wide(value(a) % value(b));
    return from_wide(value(a) / value(b));
}
static packed shift_right(packed a, int n)
{
    wide v = value(a), ten = 1;
    while (n--)
        ten *= 10;
    return from_wide(v < 0 ? -((-v + ten / 2) / ten) : (v + ten / 2) / ten);
}
static int compare(packed a, packed b) { return value(a) < value(b) ? -1 : value(a) > value(b); }

static void edit(packed a, char *text)
{
    static const char form[] = " d,ddd,ddd,ddd,dDd.dd";
    wide n = value(a), digits = n < 0 ? -n : n;
    int on = 0, left = 15;
    char all[16];
    for (int i = 14; i >= 0; i--, digits /= 10)
        all[i] = (char)('0' + (int)(digits % 10));
    for (int i = 0; form[i]; i++) {
        char c = form[i];
        if (c == 'd' || c == 'D') {
            char digit = all[15 - left--];
            on |= digit != '0';
            text[i] = on ? digit : ' ';
            on |= c == 'D';
        } else {
            text[i] = on ? c : ' ';
        }
    }
    strcpy(text + 21, n < 0 ? "CR" : "  ");
}

#endif

static void show(const char *what, packed p)
{
    char text[32];
    edit(p, text);
    printf("%-14s %s\n", what, text);
}

static void digits(const char *what, packed p)
{
    printf("%-14s ", what);
    for (int i = 0; i < 16; i++)
        printf("%02x", p.b[i]);
    printf("\n");
}

/* 250,000.00 at 3.875 % a year, 1,512.37 a month: cents and rounding until it is paid. */
static void loan(void)
{
    packed balance = from_long(25000000), payment = from_long(151237), paid = from_long(0), interest_sum = from_long(0);
    const packed rate = from_long(3229167); /* a month, 10^-9 */
    int month = 0;
    while (compare(balance, from_long(0)) > 0 && month < 600) {
        packed interest = shift_right(multiply(balance, rate), 9);
        packed part = payment;
        interest_sum = add(interest_sum, interest);
        balance = add(balance, interest);
        if (compare(part, balance) > 0)
            part = zero_and_add(balance);
        balance = subtract(balance, part);
        paid = add(paid, part);
        if (++month % 24 == 0) {
            printf("month %3d\n", month);
            show("  interest", interest);
            show("  balance", balance);
        }
    }
    printf("months %d\n", month);
    show("paid", paid);
    show("interest", interest_sum);
}

static unsigned long seed = 12345;
static long random_number(long most)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (long)(seed >> 17) % most;
}

/* Random postings to accounts, in both directions; the sum stays. */
static void ledger(void)
{
    packed account[8], sum = from_long(0);
    for (int i = 0; i < 8; i++)
        account[i] = from_long(100000 * (i + 1));
    for (int i = 0; i < 20000; i++) {
        long from = random_number(8), to = random_number(8);
        packed amount = from_long(random_number(99999) - 30000);
        account[from] = subtract(account[from], amount);
        account[to] = add(account[to], amount);
    }
    for (int i = 0; i < 8; i++) {
        show("account", account[i]);
        sum = add(sum, account[i]);
    }
    show("sum", sum);
    printf("sum %ld\n", to_long(sum));
}

static void long_numbers(void)
{
    packed factorial = from_long(1), rest, power = from_long(-1);
    for (int i = 2; i <= 25; i++)
        factorial = multiply_short(factorial, from_long(i));
    digits("25!", factorial);
    for (int i = 27; i > 16; i--) {
        packed q = shift_right(factorial, 9);
        digits("  rounded", q);
        q = divide(from_long(1000000007L * i), from_long(-(i * 7919L)), &rest);
        digits("  quotient", q);
        digits("  remainder", rest);
        if (i > 20)
            power = multiply_short(power, from_long(-1013));
    }
    digits("power", power);
    for (int i = 0; i < 5000; i++) {
        packed a = from_long(random_number(1L << 46) - (1L << 45)), b = from_long(random_number(999983) + 1);
        packed q = divide(a, b, &rest);
        if (compare(add(multiply(q, b), rest), a))
            printf("wrong: %ld\n", to_long(a));
        if (i % 1000 == 0) {
            show("random", a);
            printf("  %ld rest %ld\n", to_long(q), to_long(rest));
        }
    }
}

int main(void)
{
    loan();
    ledger();
    long_numbers();
    return 0;
}
