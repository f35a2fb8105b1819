/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary floating point: planets, a Fourier transform and back, an equation system, sums in short, long and extended
   precision, printf() of results. Only operations that IEEE 754 rounds exactly, so that every host agrees
   (-ffp-contract=off). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef __s390x__
typedef long double extended;
#else
typedef __float128 extended;
#endif

struct body {
    double x[3], v[3], mass;
};

static struct body bodies[5] = {
    {{0, 0, 0}, {0, 0, 0}, 39.47841760435743},
    {{4.84143144246472090, -1.16032004402742839, -0.103622044471123109},
     {0.606326392995832, 2.81198684491626, -0.02521836165988763},
     0.03769367487038949},
    {{8.34336671824457987, 4.12479856412430479, -0.403523417114321381},
     {-1.0107743461787924, 1.8256623712304119, 0.008415761376584154},
     0.011286326131968767},
    {{12.8943695621391310, -15.1111514016986312, -0.223307578892655734},
     {1.0827910064415354, 0.8687130181696082, -0.010832637401363636},
     0.0017237240570597112},
    {{15.3796971148509165, -25.9193146099879641, 0.179258772950371181},
     {0.979090732243898, 0.5946989986476762, -0.034755955504078104},
     0.0020336868699246304},
};

static double energy(void)
{
    double e = 0;
    for (int i = 0; i < 5; i++) {
        struct body *a = &bodies[i];
        e += 0.5 * a->mass * (a->v[0] * a->v[0] + a->v[1] * a->v[1] + a->v[2] * a->v[2]);
        for (int j = i + 1; j < 5; j++) {
            double d = 0;
            for (int k = 0; k < 3; k++)
                d += (a->x[k] - bodies[j].x[k]) * (a->x[k] - bodies[j].x[k]);
            e -= a->mass * bodies[j].mass / sqrt(d);
        }
    }
    return e;
}

static void advance(double dt)
{
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++) {
            struct body *a = &bodies[i], *b = &bodies[j];
            double d[3], square = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = a->x[k] - b->x[k];
                square += d[k] * d[k];
            }
            double pull = dt / (square * sqrt(square));
            for (int k = 0; k < 3; k++) {
                a->v[k] -= d[k] * b->mass * pull;
                b->v[k] += d[k] * a->mass * pull;
            }
        }
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++)
            bodies[i].x[k] += dt * bodies[i].v[k];
}

static void planets(void)
{
    printf("energy %.15f %a\n", energy(), energy());
    for (int step = 1; step <= 10000; step++) {
        advance(0.01);
        if (step % 2500 == 0)
            printf("energy %.15f after %d steps, x %.17g %.9e\n", energy(), step, bodies[1].x[0], bodies[2].x[1]);
    }
}

enum { POINTS = 1024 };
static double re[POINTS], im[POINTS];

/* exp(2 pi i / n) for n a power of two, by halving the angle: square roots only. */
static void root(int n, double *c, double *s)
{
    *c = -1, *s = 0; /* n = 2 */
    for (int m = 2; m < n; m *= 2) {
        double half = sqrt((1 + *c) / 2);
        *s = m == 2 ? 1 : *s / (2 * half);
        *c = half;
    }
}

static void transform(double sign)
{
    for (int i = 0, j = 0; i < POINTS; i++) {
        if (i < j) {
            double t = re[i];
            re[i] = re[j], re[j] = t;
            t = im[i], im[i] = im[j], im[j] = t;
        }
        int bit = POINTS / 2;
        for (; bit && (j & bit); bit /= 2)
            j ^= bit;
        j |= bit;
    }
    for (int n = 2; n <= POINTS; n *= 2) {
        double c, s, wr = 1, wi = 0;
        root(n, &c, &s);
        s *= sign;
        for (int k = 0; k < n / 2; k++) {
            for (int i = k; i < POINTS; i += n) {
                int j = i + n / 2;
                double tr = re[j] * wr - im[j] * wi, ti = re[j] * wi + im[j] * wr;
                re[j] = re[i] - tr, im[j] = im[i] - ti;
                re[i] += tr, im[i] += ti;
            }
            double t = wr * c - wi * s;
            wi = wr * s + wi * c, wr = t;
        }
    }
}

static void fourier(void)
{
    double worst = 0;
    for (int i = 0; i < POINTS; i++)
        re[i] = (i * 7919 % 1000) / 997.0 - 0.5, im[i] = i < 100 ? 1.0 / (i + 1) : 0;
    transform(1);
    for (int i = 0; i < POINTS; i += 128)
        printf("frequency %4d: %.12g %+.12gi\n", i, re[i], im[i]);
    transform(-1);
    for (int i = 0; i < POINTS; i++) {
        double e = fabs(re[i] / POINTS - ((i * 7919 % 1000) / 997.0 - 0.5));
        worst = e > worst ? e : worst;
    }
    printf("back again within %.3e\n", worst);
}

static void equations(void)
{
    enum { N = 24 };
    static float a[N][N + 1];
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= N; j++)
            a[i][j] = (float)((i * 31 + j * 17 + i * j * 5) % 101) / 101.0f + (i == j ? 4.0f : 0.0f);
    for (int i = 0; i < N; i++)
        for (int r = 0; r < N; r++) {
            float f = a[r][i] / a[i][i];
            for (int j = i; r != i && j <= N; j++)
                a[r][j] -= f * a[i][j];
        }
    for (int i = 0; i < N; i += 5)
        printf("unknown %2d: %.9g\n", i, (double)(a[i][N] / a[i][i]));
}

/* Extended precision: e and a square root, printed bit by bit because printf() differs from host to host. */
static void quadruple(void)
{
    extended e = 1, term = 1, x = 1;
    unsigned char bytes[16];
    for (int i = 1; i < 40; i++)
        e += term /= i;
    for (int i = 0; i < 12; i++)
        x = (x + 2 / x) / 2;
    for (int n = 0; n < 2; n++) {
        memcpy(bytes, n ? &x : &e, 16);
        printf(n ? "root of 2 " : "e ");
        for (int i = 0; i < 16; i++)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
            printf("%02x", bytes[i]);
#else
            printf("%02x", bytes[15 - i]);
#endif
        printf(" %.17g\n", (double)(n ? x : e));
    }
}

static void corners(void)
{
    volatile double zero = 0, tiny = 4.9406564584124654e-324, big = 1.7976931348623157e308;
    volatile float small = 1e-45f;
    printf("%g %g %g %d\n", 1 / zero, -1 / zero, big * 2, isnan(zero / zero) != 0);
    printf("%g %g %.17g %g\n", tiny / 2, tiny * 3, big + 1e291, (double)(small * 0.5f));
    printf("%ld %d %lu\n", (long)-1234567.9, (int)2147483646.9, (unsigned long)1.8446744073709550e19);
    printf("%.17g %.17g %.17g\n", (double)9007199254740993L, (double)0xffffffffffffffffUL, (double)0.1f);
    printf("%.17g %.17g %.17g %.17g\n", floor(-2.5), ceil(-2.5), trunc(2.9), rint(2.5));
    printf("%.40f\n%.3e\n%g\n", 0.1, 123456789.0, 1e100);
}

int main(void)
{
    planets();
    fourier();
    equations();
    quadruple();
    corners();
    return 0;
}
