/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long binary floating point: the attraction of five bodies. */
struct body {
    double x, y, z, vx, vy, vz, mass;
};

void kernel(unsigned long repeat)
{
    struct body b[5] = {
        {0, 0, 0, 0, 0, 0, 39.47841760435743},
        {4.841, -1.160, -0.1036, 0.606, 2.811, -0.0252, 0.0376},
        {8.343, 4.124, -0.4035, -1.010, 1.825, 0.0084, 0.0112},
        {12.894, -15.111, -0.2233, 1.082, 0.868, -0.0108, 0.0017},
        {15.379, -25.919, 0.1792, 0.979, 0.594, -0.0347, 0.0020},
    };
    for (; repeat; repeat--) {
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++) {
                double dx = b[i].x - b[j].x, dy = b[i].y - b[j].y, dz = b[i].z - b[j].z;
                double square = dx * dx + dy * dy + dz * dz;
                double by = 0.001 / (square * __builtin_sqrt(square));
                b[i].vx -= dx * b[j].mass * by;
                b[i].vy -= dy * b[j].mass * by;
                b[i].vz -= dz * b[j].mass * by;
                b[j].vx += dx * b[i].mass * by;
                b[j].vy += dy * b[i].mass * by;
                b[j].vz += dz * b[i].mass * by;
            }
        for (int i = 0; i < 5; i++) {
            b[i].x += 0.001 * b[i].vx;
            b[i].y += 0.001 * b[i].vy;
            b[i].z += 0.001 * b[i].vz;
        }
        __asm__ volatile("" : : "r"(b) : "memory");
    }
}
