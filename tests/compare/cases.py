# SPDX-License-Identifier: GPL-3.0-or-later
# The guest of crypto.py and assist.py: an image with one instruction after the other, each in a slot with its registers.
# A slot: instruction at 0, general registers 0-7 at 8, and behind it again at 80; condition code at 144, interruption code
# at 150. What else is in it, and behind the slots, is the caller's. An instruction that ends with condition code 3 is
# carried out again.
import image, struct

BASE, DATA = 0x10000, 0x800000
INSN, BEFORE, AFTER, CC, CODE, SLOT = 0, 8, 80, 147, 150, 160
PROGRAM = 'a5fe0080 c0ef%08x c0d000000009 d203d000f000 eb07f0080004 00000000 a714fffe b2220080 8880001c 5080f090 eb07f0500024 a7fb%04x a7e6ffeb b2b200e0'
HANDLER = 'd203f094008c c0c100010024 07fc'


def slot(step, insn, gr):
    """A slot of `step` bytes (at least SLOT) with an instruction and general registers 0-7."""
    s = bytearray(step)
    s[INSN:INSN + 4] = insn
    s[BEFORE:BEFORE + 64] = struct.pack('>8Q', *gr)
    return s


def storage(count, step, data):
    """Storage from 0 on: `data` begins with `count` slots of `step` bytes."""
    handler, program = (bytes.fromhex(text.replace(' ', '')) for text in (HANDLER, PROGRAM % (count, step)))
    return image.build({0x800: handler, BASE: program, DATA: data}, 0x180000000, BASE, 0x800)
