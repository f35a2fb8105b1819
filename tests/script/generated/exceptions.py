#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the scripted tests of the exceptions that the instruction table itself promises (exceptions.zt): for each row with a
# body an operation exception without its facility, a privileged-operation exception in the problem state, a specification
# exception for a register that is none of a pair, a data exception while floating point or vectors are not enabled, and an
# addressing exception for storage that is not there. exceptions.py SOURCE_FOLDER >exceptions.zt
import re
import sys

top = sys.argv[1] if len(sys.argv) > 1 else '.'
facilities = {m[1]: int(m[2]) for m in re.finditer(r'FACILITY\((\w+), (\d+)', open(top + '/disasm/facilities.def').read())}
row = re.compile(r'^ROW\((\w+), "([^"]+)", "[^"]*", (0x\w+), (\w+), (\w+), ([^,]*), (\w+), (\w+), (\w+), OPS\(([^)]*)\), '
                 r'(NO_ST|ST\([^)]*\)), (NO_ST|ST\([^)]*\)), "([^"]*)", (.*)\)$', re.M)

# What these need more than an address: a function code and a parameter block, a valid pair of controls ...
NEED_MORE = set('''km kma kmc kmctr kmf kmo kimd klmd kmac pcc prno pckmo csst plo mvcos mvcp mvcs mvck lasp sske stsi
  tbegin tbeginc pfpo ectg sortl dfltcc rp cmpsc upt cfc mvpg ex exrl tr trt pr siga chsc servc ptff msta
  trtr trte trtre troo trot trto trtt tre lric mric stric tric ric riemit rinext stcrw ssch stsch msch tsch tpi stcps lctl
  lctlg pfmf tb csp cspg crdte essa clp nqap dqap mpcifc stpcifc pcistb stcctm cuse srst srstu lgsc stgsc pku unpku dp mp trace tracg'''.split())
ABSOLUTE = ()
DECIMAL = '20'


def field(code, start, value):
    return code | value << (44 - start)


def encode(r, registers, base):
    """The row with these numbers for its registers, one after the other, and this base register."""
    code, n = int(r['opcode'], 16), 0
    for op in r['ops']:
        m = re.match(r'(RE|FE|R|F|A|C|V)_(\d+)$', op)
        if m:
            code = field(code, int(m[2]), registers[n % len(registers)])
            n += 1
        elif re.match(r'U4_', op):
            code = field(code, int(op[3:]), r['mask'])
        elif re.match(r'(X|V)?BD(L|_16)?$|LBD_8_16|LLBD_16|RBD_16', op):
            code = field(code, 16, base)
            if op == 'RBD_16':
                code = field(code, 8, registers[0])
        elif re.match(r'BD_32|LBD_12_32|LLBD_32', op):
            code = field(code, 32, base)
        elif op == 'J32_16':
            code |= 0x400000
    return '%012X' % code if r['length'] == 6 else ('%012X' % code)[:2 * r['length']]


def rows():
    for m in row.finditer(open(top + '/disasm/instructions.def').read()):
        body = m[14].strip()
        if body == 'none' or 'NETTLE' in body:
            continue
        first = int(m[3], 16) >> 40
        yield {'name': m[2], 'opcode': m[3], 'format': m[4], 'facility': facilities[m[5]], 'flags': m[6],
               'ops': [o.strip() for o in m[10].split(',') if o.strip() != 'NONE'], 'storage': m[11], 'chapter': m[13],
               'mask': 1 if re.match('vl(br|er|lebrz)|vst(br|er)', m[2]) else 15 if m[2] in ('bic icm icmh icmy stcm stcmh stcmy clm clmh clmy'.split()) or m[2].startswith(('loc', 'stoc'))
                       else 0, 'length': 2 if first < 0x40 else 4 if first < 0xc0 else 6}


def table(title, statements, lines):
    print('\ntest %s' % title)
    for s in statements:
        print('    ' + s)
    print('    table name     code         ilc' + (' dxc' if lines and len(lines[0]) > 3 else ''))
    for n in lines:
        print('          %-8s %-12s %s' % (n[0], n[1], '   '.join(str(x) for x in n[2:])))


everything = list(rows())
print('# SPDX-License-Identifier: GPL-3.0-or-later\n'
      '# Written by exceptions.py from the instruction table: the exceptions that each row promises.')
for bit in sorted({r['facility'] for r in everything if 0 < r['facility']}):
    table('operation exceptions without facility %d' % bit,
          ['facility -%d' % bit, 'do hex $code', 'expect program 1 ilc $ilc', 'expect others unchanged'],
          [(r['name'], encode(r, [2, 4, 6], 9), r['length']) for r in everything if r['facility'] == bit])
table('privileged-operation exceptions', ['c0 = 60000', 'in problem state', 'do hex $code', 'expect program 2 ilc $ilc'],
      [(r['name'], encode(r, [2, 4, 6], 9), r['length']) for r in everything if 'DIS_PRIVILEGED' in r['flags']])
pairs = [r for r in everything if re.search(r'DIS_EVEN_R|DIS_FP_PAIR', r['flags'])]
table('specification exceptions of registers that are no pair',
      ['c0 = 60000', 'dat on', 'r9 = 20000', 'do hex $code', 'expect program 6 ilc $ilc'],
      [(r['name'], encode(r, [3], 9), r['length']) for r in pairs])
table('data exceptions come before specification exceptions',
      ['c0 = 0', 'r9 = 20000', 'do hex $code', 'expect program 7 ilc $ilc', 'expect others unchanged'],
      [(r['name'], encode(r, [3], 9), r['length']) for r in pairs
       if re.search(r'DIS_NEEDS_VECTOR|DIS_NEEDS_AFP|DIS_AFP_IF_HIGH', r['flags'])])
data = []
for r in everything:
    if 'DIS_NEEDS_VECTOR' in r['flags']:
        data.append((r['name'], encode(r, [1], 9), r['length'], 'FE'))
    elif 'DIS_NEEDS_AFP' in r['flags']:
        data.append((r['name'], encode(r, [4], 9), r['length'], '03' if r['chapter'] == DECIMAL or r['name'] in ('srnmt', 'lfas', 'sfasr') else '02'))
    elif 'DIS_AFP_IF_HIGH' in r['flags']:
        data.append((r['name'], encode(r, [1], 9), r['length'], '01'))
table('data exceptions while the registers are not enabled',
      ['r9 = 20000', 'do hex $code', 'expect program 7 ilc $ilc', 'expect dxc = $dxc'], data)
access = [r for r in everything if r['storage'] != 'NO_ST' and re.search(r'FETCH|STORE|UPDATE', r['storage'])
          and r['name'] not in NEED_MORE]
table('addressing exceptions of storage that is not there',
      ['c0 = 60000', 'r4-r5 = 800000 10', 'r12-r13 = 800000 10', 'r9 = 800000', 'do hex $code',
       'expect program 5 ilc $ilc'],
      [(r['name'], encode(r, [4, 12], 9), r['length']) for r in access])
# The operand is protected where the address wraps to; without wrapping there is no storage.
wrapping = [r for r in access if 'J32_16' not in r['ops'] and r['name'] not in ABSOLUTE]
for mode, start in (('24', 'FFFFFFFF01020000'), ('31', 'FFFFFFFF80020000')):
    table('addresses wrap at %s bits' % mode,
          ['c0 = 60000', 'amode %s' % mode, 'key = 1', 'storage key 20000 = 08',
           'r4-r5 = %s 10' % start, 'r12-r13 = %s 10' % start, 'r9 = %s' % start, 'do hex $code',
           'expect program 4 ilc $ilc'],
          [(r['name'], encode(r, [4, 12], 9), r['length']) for r in wrapping])
