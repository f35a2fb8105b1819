/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bills: amounts in packed decimal, as compilers of business programs have them; prices times quantities, discount, tax
   rounded half up, sums, edited for print. */
typedef struct {
    unsigned char digits[8];
} amount; /* 15 digits and sign, cents */

static amount prices[64], sums[64], total;
static unsigned char page[64][20];

static void packed(amount *to, long n) { __asm__("cvd %1,%0" : "=R"(to->digits) : "r"((int)n)); }

static void one(unsigned i, unsigned quantity)
{
    static const amount percent = {{0, 0, 0, 0, 0, 0, 0x1, 0x9c}};
    static const unsigned char pattern[20] = {0x40, 0x20, 0x20, 0x6b, 0x20, 0x20, 0x20, 0x6b, 0x20, 0x20,
                                              0x20, 0x6b, 0x20, 0x20, 0x21, 0x4b, 0x20, 0x20, 0x60, 0x40};
    amount line = prices[i], tax;
    unsigned char factor[8], rate[2] = {percent.digits[6], percent.digits[7]};
    amount count;
    packed(&count, quantity);
    factor[0] = count.digits[6];
    factor[1] = count.digits[7];
    __asm__ volatile("mp %O0(8,%R0),%O1(2,%R1)" : "+Q"(line) : "Q"(factor) : "cc");
    tax = line;
    __asm__ volatile("mp %O0(8,%R0),%O1(2,%R1)" : "+Q"(tax) : "Q"(rate) : "cc");
    __asm__ volatile("srp %O0(8,%R0),62,5" : "+Q"(tax) : : "cc"); /* two places to the right, rounded */
    __asm__ volatile("ap %O0(8,%R0),%O1(8,%R1)" : "+Q"(line) : "Q"(tax) : "cc");
    sums[i] = line;
    __asm__ volatile("ap %O0(8,%R0),%O1(8,%R1)" : "+Q"(total) : "Q"(line) : "cc");
    for (unsigned k = 0; k < sizeof pattern; k++)
        page[i][k] = pattern[k];
    __asm__ volatile("ed %O0(19,%R0),%O1(%R1)" : "+Q"(page[i]) : "Q"(sums[i]) : "cc");
}

void kernel(unsigned long repeat)
{
    for (unsigned i = 0; i < 64; i++)
        packed(&prices[i], 1999 + 731 * i);
    for (; repeat; repeat--) {
        packed(&total, 0);
        for (unsigned i = 0; i < 64; i++)
            one(i, 1 + (i * 7 + (unsigned)repeat) % 90);
        __asm__ volatile("" : : : "memory");
    }
}
