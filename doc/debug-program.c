/* The program of doc/debugging.txt: sums of numbers, on a bare machine. */
struct account {
    long sum, count;
} account;
long numbers[4] = {3, 1, 4, 1};

static long add(long number)
{
    account.sum += number;
    account.count++;
    return account.sum;
}

static long add_all(const long *from, long count)
{
    long latest = 0;
    for (long i = 0; i < count; i++)
        latest = add(from[i]);
    return latest;
}

long start(void) { return add_all(numbers, 4); }
