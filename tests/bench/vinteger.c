/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over arrays of integers, which compilers turn into vector instructions: copy, sums, checksum, comparison. */
static unsigned char bytes[4096] = {1}, copy[4096] = {1};
static unsigned words[1024] = {1}, others[1024] = {1};

void kernel(unsigned long repeat)
{
    for (; repeat; repeat--) {
        unsigned low = 1, high = 0, sum = 0, most = 0, count = 0;
        for (unsigned i = 0; i < sizeof bytes; i++)
            copy[i] = (unsigned char)(bytes[i] ^ 0x55);
        for (unsigned i = 0; i < sizeof bytes; i++) {
            low += copy[i];
            high += (4096 - i) * copy[i];
        }
        for (unsigned i = 0; i < 1024; i++) {
            others[i] = (words[i] << 3) + (others[i] >> 5) + low;
            sum += others[i];
        }
        for (unsigned i = 0; i < 1024; i++) {
            most = others[i] > most ? others[i] : most;
            count += others[i] == words[i];
        }
        words[repeat & 1023] = sum + high + most + count;
        __asm__ volatile("" : : : "memory");
    }
}
