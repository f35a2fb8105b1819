#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""arithmetic.py SOURCE: judges the cases of bfp-arithmetic.zt and hfp-arithmetic.zt by the exact models of tests/compare
(integers and fractions), where these have the instruction. Exit status 1 when one differs."""
import importlib, os, sys

SOURCE = sys.argv[1]
sys.path.insert(0, os.path.join(SOURCE, 'tests', 'compare'))
import exact

HFP_ROOT = {0x34: 0xb245, 0x35: 0xb244}  # SQE, SQD: their register forms have other numbers


def rows(path):
    """name of the case, columns of each row"""
    for block in open(path).read().split('\ntest ')[1:]:
        columns = None
        lines = block.split('\n')
        for line in lines[1:]:
            words = line.split()
            if words and words[0] == 'table':
                columns = words[1:]
            elif columns and len(words) == len(columns):
                yield lines[0], dict(zip(columns, words))


def between_registers(kind, code):
    """The same instruction with register 10 in place of its storage operand."""
    pair = code[1] & 0xf0 | 10
    if kind == 'bfp' and code[0] == 0xed and code[5] in (0x0e, 0x0f, 0x1e, 0x1f):
        return bytes([0xb3, code[5], code[4] & 0xf0, pair])
    if kind == 'bfp' and code[0] == 0xed and code[5] not in (0x10, 0x11, 0x12):  # test data class has no storage operand
        return bytes([0xb3, code[5], 0, pair])
    if kind == 'hfp' and code[0] >> 4 in (6, 7):
        return bytes([code[0] - 0x40, pair])
    if kind == 'hfp' and code[0] == 0xed:
        return HFP_ROOT.get(code[5], 0xb300 | code[5]).to_bytes(2, 'big') + bytes([0, pair])
    return code


def judge(kind):
    module = importlib.import_module('exact_' + kind)
    total = judged = bad = 0
    for name, row in rows('%s/tests/script/%s-arithmetic.zt' % (SOURCE, kind)):
        number = lambda column: int(row.get(column, '0'), 16)
        code = between_registers(kind, bytes.fromhex(row['insn']))
        opcode = code[0] << 8 | code[1] if code[0] in (0xb2, 0xb3) else code[0] << 8 | code[5] if code[0] == 0xed else code[0]
        total += 1
        if opcode not in module.BY_CODE:
            continue
        judged += 1
        v = [0] * 16
        for register, column in ((0, 'a'), (2, 'a2'), (4, 'b'), (6, 'b2'), (8, 'c')):
            v[register] = number(column) << 64
        v[10] = int(row['m'].ljust(32, '0')[:16], 16) << 64
        want = exact.expected(module, code, exact.Input(v=v, g=[0, 0, number('h'), number('g'), 0, 0], fpc=number('fpc'),
                                                        cc=number('cc'), pm=number('pm')))
        want = [want['pic'], want['cc'], want['fpc'], want['v'][0] >> 64, want['v'][2] >> 64, want['g'][2]]
        found = [number(column) for column in ('pic', 'rcc', 'rfpc', 'r', 'r2', 'rg')]
        if found != want:
            bad += 1
            print('%s-arithmetic.zt: %s, %s: code, cc, FPC, f0, f2, r2 are expected to be %s, should be %s' % (
                kind, name, row['insn'], ' '.join('%X' % n for n in found), ' '.join('%X' % n for n in want)))
    print('%s-arithmetic.zt: %d cases, %d judged by exact models, %d differ' % (kind, total, judged, bad))
    return bad or judged < {'bfp': 600, 'hfp': 600}[kind]


sys.exit(any([judge('bfp'), judge('hfp')]))
