/* The other program of doc/debugging.txt: it loses its key, once in a hundred thousand rounds. */
struct store {
    long shelf[8];
    long key;
} store = {.key = 4711};

static void clear(long *from, long count)
{
    for (long i = 0; i < count; i++)
        from[i] = 0;
}

long start(void)
{
    for (long round = 1; round <= 100000; round++)
        clear(store.shelf, round == 77777 ? 9 : round % 8);
    return store.key;
}
