/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries qcow2 images whose headers and tables were changed at random: opening, reading, writing, zeros, flushing,
   closing may fail but neither crash, hang nor make the file much longer than what was written. Usage: fuzz_qcow2
   [COUNT [SEED]]. The sanitizers are the judges of the rest. */
#define _GNU_SOURCE
#include "emu/dev/image/qcow2.h"
#include "tests/unit/qcow2_maker.h"
#include "tests/unit/random.h"
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE (1u << 20)
#define WORK 24u

struct seed {
    uint8_t *bytes;
    size_t length;
};

static void put(int file, const uint8_t *bytes, size_t length)
{
    if (ftruncate(file, 0) || pwrite(file, bytes, length, 0) != (ssize_t)length)
        abort();
}

static void use(struct random *r, struct qcow2 *q)
{
    static uint8_t bytes[1 << 16];
    const uint64_t size = qcow2_size(q);
    qcow2_set_lazy(q, below(r, 2));
    for (unsigned n = 0; n < WORK; n++) {
        const uint64_t at = next(r) % size / 512 * 512;
        uint64_t length = (1 + below(r, below(r, 4) ? 8 : 127)) * 512;
        if (length > size - at)
            length = size - at;
        int code;
        switch (below(r, 8)) {
        case 0:
            code = qcow2_zero(q, at, length, below(r, 2));
            break;
        case 1:
            code = qcow2_flush(q);
            break;
        case 2:
        case 3:
            code = qcow2_read(q, at, bytes, (size_t)length);
            break;
        default:
            memset(bytes, (int)n, sizeof bytes);
            code = qcow2_write(q, at, bytes, (size_t)length);
        }
        (void)code;
    }
}

/* One to eight changes, most of them where something is: in the header, in entries of tables. */
static void change(struct random *r, uint8_t *bytes, size_t length)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     512,
                                     0x1000,
                                     0x2000,
                                     UINT64_MAX,
                                     UINT64_C(1) << 63 | 0x3000,
                                     UINT64_C(1) << 62 | 0x1234,
                                     UINT64_C(1) << 55,
                                     UINT64_C(0x7fffffffffffffff),
                                     UINT32_MAX,
                                     UINT64_C(1) << 32};
    for (unsigned n = 1 + below(r, 8); n > 0; n--) {
        size_t at = below(r, 3) ? below(r, (unsigned)length / 8) * 8 : below(r, 14) * 8;
        for (unsigned tries = 0; tries < 64 && !get64(bytes + at); tries++)
            at = below(r, (unsigned)length / 8) * 8;
        switch (below(r, 5)) {
        case 0:
            bytes[at + below(r, 8)] ^= (uint8_t)(1u << below(r, 8));
            break;
        case 1:
            bytes[at + below(r, 8)] = (uint8_t)next(r);
            break;
        case 2:
            put64(bytes + at, edges[below(r, sizeof edges / sizeof *edges)]);
            break;
        case 3:
            put32(bytes + at + 4 * below(r, 2), (uint32_t)edges[below(r, sizeof edges / sizeof *edges)]);
            break;
        default:
            put64(bytes + at, get64(bytes + below(r, (unsigned)length / 8) * 8));
        }
    }
}

int main(int argc, char **argv)
{
    static const struct shape shapes[] = {{3, 12, 4, SIZE, NULL},
                                          {2, 12, 4, SIZE, NULL},
                                          {3, 9, 0, SIZE / 4, NULL},
                                          {3, 9, 6, SIZE, "below"},
                                          {3, 14, 3, SIZE, NULL}};
    const unsigned kinds = sizeof shapes / sizeof *shapes;
    struct seed seeds[sizeof shapes / sizeof *shapes];
    const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
    struct random r = {argc > 2 ? strtoull(argv[2], NULL, 0) | 1 : 20210601};
    unsigned long opened = 0;
    char name[64], why[600];
    int file = memfd_create("qcow2", 0);
    if (file < 0)
        return 2;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    for (unsigned k = 0; k < kinds; k++) {
        struct qcow2 *q;
        make_qcow2(name, &shapes[k]);
        if (qcow2_open(file, true, &q, why, sizeof why))
            return 1;
        use(&r, q);
        qcow2_close(q);
        seeds[k].bytes = load(name, &seeds[k].length);
        seeds[k].length &= ~(size_t)7;
    }
    for (unsigned long n = 0; n < count; n++) {
        const struct seed *s = &seeds[below(&r, kinds)];
        uint8_t *bytes = malloc(s->length);
        struct qcow2 *q;
        struct stat st;
        if (!bytes)
            return 2;
        memcpy(bytes, s->bytes, s->length);
        change(&r, bytes, s->length);
        put(file, bytes, s->length);
        free(bytes);
        alarm(20);
        if (!qcow2_open(file, below(&r, 5) != 0, &q, why, sizeof why)) {
            opened++;
            if (below(&r, 16) == 0 && ftruncate(file, (off_t)(s->length / 2)))
                return 2;
            use(&r, q);
            qcow2_close(q);
        }
        if (fstat(file, &st) || (uint64_t)st.st_size > s->length + (UINT64_C(256) << 20)) {
            printf("fuzz_qcow2: input %lu: the file has become %lld bytes long\n", n, (long long)st.st_size);
            return 1;
        }
    }
    for (unsigned k = 0; k < kinds; k++)
        free(seeds[k].bytes);
    printf("fuzz_qcow2: %lu inputs, %lu opened: no harm\n", count, opened);
    return 0;
}
