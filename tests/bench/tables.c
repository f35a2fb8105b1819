/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of words by their hash is filled, asked and emptied, and its entries are sorted by a function that is called
   for each comparison. */
struct entry {
    unsigned long key, value;
};
static struct entry table[1024], sorted[512];

static unsigned long hash(unsigned long v)
{
    v *= 0x9e3779b97f4a7c15;
    return v ^ v >> 29;
}

static struct entry *find(unsigned long key)
{
    unsigned i = (unsigned)hash(key) % 1024;
    while (table[i].key && table[i].key != key)
        i = (i + 1) % 1024;
    return &table[i];
}

static int compare(const struct entry *a, const struct entry *b)
{
    return a->value < b->value ? -1 : a->value > b->value;
}
static int (*volatile order)(const struct entry *, const struct entry *) = compare;

static void sort(struct entry *first, struct entry *last)
{
    int (*const before)(const struct entry *, const struct entry *) = order;
    while (first < last) {
        struct entry *i = first, *j = last, middle = first[(last - first) / 2], other;
        while (i <= j) {
            while (before(i, &middle) < 0)
                i++;
            while (before(&middle, j) < 0)
                j--;
            if (i <= j) {
                other = *i;
                *i++ = *j;
                *j-- = other;
            }
        }
        sort(first, j);
        first = i;
    }
}

void kernel(unsigned long repeat)
{
    for (; repeat; repeat--) {
        unsigned count = 0;
        for (unsigned i = 0; i < 1024; i++)
            table[i] = (struct entry){0, 0};
        for (unsigned i = 1; i <= 512; i++)
            *find(i * repeat | 1) = (struct entry){i * repeat | 1, hash(i + repeat)};
        for (unsigned i = 0; i < 1024; i++)
            if (table[i].key && count < 512)
                sorted[count++] = table[i];
        sort(sorted, sorted + count - 1);
        __asm__ volatile("" : : : "memory");
    }
}
