/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the benchmark programs of the managed run-time compute, in plain C on the host: model PROGRAM [ITERATIONS
   [SEED]] prints the checksum. Written from what the programs mean, without bytecode. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { CIRCLE, RECT, TRI, SQUARE, HEX, STAR };
struct shape {
    enum kind kind;
    int64_t a, b;
};

struct world {
    struct shape circles[2000], rects[2000], pairs[500], zoo[900];
    uint64_t checksum;
};

static void fold(struct world *w, int64_t value)
{
    w->checksum = (w->checksum << 7 | w->checksum >> 57) + (uint64_t)value;
}

static int64_t area(const struct shape *s)
{
    switch (s->kind) {
    case CIRCLE:
        return 3 * s->a * s->a;
    case RECT:
        return s->a * s->b;
    case TRI:
        return s->a * s->b / 2;
    case SQUARE:
        return s->a * s->a;
    case HEX:
        return s->a * s->a * 21 / 8;
    default:
        return 5 * (s->a ^ s->b);
    }
}

static void build(struct world *w)
{
    int64_t x = 12345;
    for (int i = 0; i < 2000; i++) {
        w->circles[i] = (struct shape){CIRCLE, i % 32 + 3, i};
        w->rects[i] = (struct shape){RECT, i % 32 + 3, i % 16 + 1};
    }
    for (int i = 0; i < 500; i++) {
        x = (x * 1103515245 + 12345) % (INT64_C(1) << 31);
        w->pairs[i] = x / 65536 % 1024 < 717 ? (struct shape){RECT, i % 8 + 2, i} : (struct shape){TRI, i % 8 + 4, i};
    }
    for (int i = 0; i < 900; i++)
        w->zoo[i] = (struct shape){(enum kind)(i % 6), i % 16 + 1, i};
}

static int64_t sum_of_areas(const struct shape *shapes, int count)
{
    int64_t sum = 0;
    while (count--)
        sum += area(shapes++);
    return sum;
}

/* Division by a power of two that rounds down. */
static int64_t floor_by(int64_t value, int64_t by) { return value >= 0 ? value / by : -((-value + by - 1) / by); }

static int64_t mixture(int64_t it, int late)
{
    int64_t x = 0, y = it, z = 1;
    for (int64_t i = 0; i < 1000; i++) {
        if (late) {
            x = (3 * x + i) / 2 & 0xffffff;
            y = ((x ^ y) * 128 ^ y / 512) & 0xffffff;
        } else {
            x += floor_by(i - x, 4);
            y = ((y * 32 ^ y) + x) & 0xffffff;
        }
        z = (z + y) & 0xffff;
    }
    return x + y + z;
}

static int64_t grid(int64_t start)
{
    for (int64_t i = 0; i < 50; i++)
        for (int64_t j = 0; j < 50; j++)
            start = (start + i * j) ^ j;
    return start;
}

static void cold(struct world *w, int64_t it)
{
    const int64_t k = it % 64;
    if (k < 40)
        fold(w, ((it * (k * 77 + 13)) ^ (k * 1009 + 5)) + it * (INT64_C(1) << (k % 7 + 1)));
}

static void shapes(struct world *w, int iterations, int change)
{
    build(w);
    for (int it = 0; it < iterations; it++) {
        const int late = it >= change;
        fold(w, sum_of_areas(late ? w->rects : w->circles, 2000));
        fold(w, mixture(it, late));
        fold(w, sum_of_areas(w->pairs, 500));
        fold(w, sum_of_areas(w->zoo, 900));
        fold(w, grid(it));
        cold(w, it);
    }
}

/* Arithmetic of 64 bits that wraps. */
static int64_t wrapped(uint64_t value) { return (int64_t)value; }

static void flat(struct world *w, int iterations)
{
    for (int it = 0; it < iterations; it++) {
        int64_t x = it;
        for (int round = 0; round < 40; round++)
            for (int64_t k = 0; k < 200; k++) {
                const int64_t y =
                    wrapped(((uint64_t)x * (uint64_t)(k * 31 + 7) ^ (uint64_t)(x >> 11)) + (uint64_t)(k * 401 + 3));
                x = ((wrapped(((uint64_t)y << 3 ^ (uint64_t)(y >> 5)) + (uint64_t)x) >> (k % 5 + 1)) ^ y) & 0x3fffffff;
            }
        fold(w, x);
    }
}

int main(int argc, char **argv)
{
    static struct world w;
    const char *program = argc > 1 ? argv[1] : "";
    const int tiny = !strcmp(program, "tiny");
    const int iterations = argc > 2 ? atoi(argv[2]) : tiny ? 5 : 200;
    w.checksum = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    if (tiny || !strcmp(program, "shapes"))
        shapes(&w, iterations, iterations);
    else if (!strcmp(program, "phase"))
        shapes(&w, iterations, 100);
    else if (!strcmp(program, "flat"))
        flat(&w, iterations);
    else {
        fprintf(stderr, "usage: model shapes|phase|flat|tiny [ITERATIONS [SEED]]\n");
        return 2;
    }
    printf("0x%016" PRIx64 "\n", w.checksum);
    return 0;
}
