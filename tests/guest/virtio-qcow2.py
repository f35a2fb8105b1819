# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a qcow2 image from a raw one: virtio-qcow2.py RAW QCOW2. Clusters of zeros are absent or marked as zeros, of the
others every second one is compressed."""
import struct
import sys
import zlib

BITS = 16
SIZE = 1 << BITS
raw = open(sys.argv[1], "rb").read()
clusters = (len(raw) + SIZE - 1) // SIZE
entries = SIZE // 8
tables = (clusters + entries - 1) // entries
out = bytearray(SIZE * (2 + tables))  # header, first table, second-level tables
for table in range(tables):
    struct.pack_into(">Q", out, SIZE + 8 * table, SIZE * (2 + table) | 1 << 63)
for n in range(clusters):
    data = raw[n * SIZE:(n + 1) * SIZE].ljust(SIZE, b"\0")
    if not any(data):
        entry = n & 1
    elif n & 1:
        deflate = zlib.compressobj(9, zlib.DEFLATED, -12)
        packed = deflate.compress(data) + deflate.flush()
        at = len(out)
        split = 62 - (BITS - 8)
        sectors = (at + len(packed) - 1) // 512 - at // 512
        if len(packed) < SIZE:
            entry = 1 << 62 | sectors << split | at
            out += packed
    if any(data) and not (n & 1 and len(packed) < SIZE):
        out += b"\0" * (-len(out) % SIZE)
        entry = len(out) | 1 << 63
        out += data
    struct.pack_into(">Q", out, SIZE * 2 + 8 * n, entry)
struct.pack_into(">4sIQIIQIIQQIIQ", out, 0, b"QFI\xfb", 3, 0, 0, BITS, len(raw), 0, tables, SIZE, 0, 0, 0, 0)
struct.pack_into(">QQQII", out, 72, 0, 0, 0, 4, 104)
open(sys.argv[2], "wb").write(out)
