/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network of a guest: what of the host it reaches. A connection is asked for by a frame, and a socket of the host
   says whether it came. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/bits.h"
#include "emu/dev/virtio/net_user.h"
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { GUEST = 0x0a00020f, HOST = 0x0a000202, IP = 14, TCP = 34, FRAME = 54 };

static void receive(void *context, const uint8_t *frame, size_t length)
{
    (void)context;
    (void)frame;
    (void)length;
}

static uint16_t checksum(const uint8_t *bytes, unsigned length, uint32_t sum)
{
    for (unsigned i = 0; i < length; i += 2)
        sum += get16(bytes + i);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

/* The first segment of a connection to a port of 10.0.2.2. */
static void first_segment(uint8_t frame[FRAME], uint16_t port)
{
    uint8_t *ip = frame + IP, *tcp = frame + TCP;
    memset(frame, 0, FRAME);
    memset(frame, 0x52, 12);
    put16(frame + 12, 0x0800);
    put16(ip, 0x4500);
    put16(ip + 2, FRAME - IP);
    put16(ip + 8, 64 << 8 | 6);
    put32(ip + 12, GUEST);
    put32(ip + 16, HOST);
    put16(ip + 10, checksum(ip, 20, 0));
    put16(tcp, 40000);
    put16(tcp + 2, port);
    put32(tcp + 4, 1000);
    put16(tcp + 12, 0x5002);
    put16(tcp + 14, 8192);
    put16(tcp + 16, checksum(tcp, 20, (GUEST >> 16) + (GUEST & 0xffff) + (HOST >> 16) + (HOST & 0xffff) + 6 + 20));
}

/* A connection of the guest comes to a socket at the host's loopback, 127.0.0.1. */
static bool reaches_loopback(unsigned count, char **words)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    uint8_t frame[FRAME];
    char error[256];
    int listens = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(listens >= 0 && bind(listens, (struct sockaddr *)&address, length) == 0 && listen(listens, 1) == 0);
    assert_int_equal(getsockname(listens, (struct sockaddr *)&address, &length), 0);
    struct net_user *net = net_user_open(count, words, receive, NULL, error, sizeof error);
    if (!net) {
        print_message("%s\n", error);
        close(listens);
        skip();
    }
    first_segment(frame, ntohs(address.sin_port));
    net_user_send(net, frame, sizeof frame);
    struct pollfd came = {.fd = listens, .events = POLLIN};
    const bool reached = poll(&came, 1, 300) == 1;
    net_user_close(net);
    close(listens);
    return reached;
}

static void host_loopback(void **state)
{
    char *usual[] = {(char *)"user"}, *off[] = {(char *)"user", (char *)"hostloopback=off"},
         *on[] = {(char *)"user", (char *)"hostloopback=on"},
         *closed[] = {(char *)"user", (char *)"hostloopback=on", (char *)"restrict"};
    (void)state;
    assert_true(reaches_loopback(2, on));
    assert_false(reaches_loopback(1, usual));
    assert_false(reaches_loopback(2, off));
    assert_false(reaches_loopback(3, closed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(host_loopback)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
