# SPDX-License-Identifier: GPL-3.0-or-later
# Storage images of random cases, for the programs beside this file.
import struct


def build(pieces, mask, base, handler):
    """Storage with pieces {address: bytes}: a restart at base, a program interruption at handler, both by PSW mask; the end
    is a disabled wait by the PSW at X'E0'."""
    size = max(at + len(b) for at, b in pieces.items())
    image = bytearray(size)
    for at, address, m in ((0x1a0, base, mask), (0x1d0, handler, mask), (0xe0, 0xfff, 0x0002000180000000)):
        image[at:at + 16] = struct.pack('>QQ', m, address)
    for at, b in pieces.items():
        image[at:at + len(b)] = b
    return image


def elf(image, entry):
    """The image as an ELF file that is loaded at address 0 and starts at entry."""
    head = b'\x7fELF\2\2\1' + bytes(9) + struct.pack('>HHIQQQIHHHHHH', 2, 22, 1, entry, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    head += struct.pack('>IIQQQQQQ', 1, 7, 0x1000, 0, 0, len(image), len(image), 0x1000)
    return head + bytes(0x1000 - len(head)) + image
