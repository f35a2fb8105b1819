/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fuzz_symbols.c reads and changes, compiled with debugging information: functions in the places of the example
   profile's, one inlined. */
static volatile int lower;

static inline __attribute__((always_inline)) int least(int a, int b)
{
    if (a < b) {
        lower++;
        return a;
    }
    return b;
}

int work(int n);
int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += least(i, lower);
    return sum;
}

void _start(void);
void _start(void)
{
    for (;;)
        lower = work(lower);
}
