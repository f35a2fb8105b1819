#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A second model of the pipeline and of the counting of event-counters.md: it judges the counters and the log of zri.

    judge_pipeline.py FIRST CASES PROFILES ZRI WORK

FIRST, FIRST+1 ... are seeds of CASES random programs, each for all PROFILES (names below, separated by commas); WORK is a
folder for files. The exit status is 1 when something differs, LIMIT (8) is how many lines are said of a run. PROFILE/KEY=N
gives the judge alone another value of a key, so that it must differ: a test of the judge.

Written from the words of the specification alone. It carries out the random programs itself (right and wrong paths), and it
is built otherwise than zri's: nothing is counted while it runs. Each instruction that is fetched is an object that keeps its
own events and its fate (completed, cancelled, flushed, fetched only); the counts are sums over all of them at the end.
Compared are all pairs, all events added (but TBIT, which the clock of the host brings), PMC1 to PMC4 as they would be drained (directly
and by provisional counters that add, write and preload), the cycles, the general registers, and each line of the log: tag, F,
D, X, N, C or R, misprediction, address. Runs are broken by stops, reads (EC-49) and writes of the console (EC-43).

What the specification does not say, or not in so many words; READING n in the text marks where it is used:
 1. EC-210: classes. Operations on registers, compares and addresses alu; loads and AG load; stores and AGSI store; MVC and CLC ss;
    MSGR mul; BCR 14,0 and BCR 15,0 serial.
 2. REG_RD counts each general register that is read once: AGR 2,2 and a base that is also the index read one. A register of
    which an instruction keeps a half (L, LR) is not read for that, but the result is unknown when it was.
 3. EC-205: MVC accesses its first operand before its second.
 4. EC-231: a wrong-path access to a known address outside of storage signals LOAD or STORE and the bytes, and by EC-217
    nothing else.
 5. EC-226, EC-240: in group mode R is the branch's own N: N is an instruction's (EC-224), the maximum over members is what C
    is computed from.
 6. An instruction that ends in an exception makes its destinations ready at its N, and leaves them as they were for the wrong
    path behind it.
"""
import json
import os
import random
import subprocess
import sys

from judge_model import EVENTS, TEACH, Judge
from judge_programs import Program


def log_lines(text):
    """The lines of zri's log, without the disassembly. [w] tag F n D n X n N n R|C n address ..."""
    lines = []
    for line in text.splitlines():
        words = line.split()
        path = 'w' if words[0] == 'w' else 'r'
        if path == 'w':
            words = words[1:]
        lines.append(' '.join([path] + words[:12] + (['mispredicted'] if words[-1] == 'mispredicted' else [])))
    return lines


def ask(zri, work, program, profile, steps, stops=()):
    """The counters, PMCs, cycles, registers and log that zri has."""
    def put(name, data):
        with open(os.path.join(work, name), 'wb') as out:
            out.write(data)
    put('judge.bin', program.image)
    put('judge.uarch', ('base = teach\n' + ''.join('%s = %s\n' % kv for kv in sorted(profile.items()))).encode())
    pairs = ['ctr pairs add %s' % e for e in EVENTS]
    script = ['load judge.bin@0', 'psw mask=0000000180000000 ia=%X' % program.start,
              'gpr ' + ' '.join('%d=%X' % rv for rv in enumerate(program.registers))] + pairs + [
        'ctr select pv0 LOAD add', 'ctr select pv1 LD_BYTES write', 'ctr select pv2 REG_RD decode',
        'ctr select PMC1 INST', 'ctr select PMC2 pv0', 'ctr select PMC3 pv1', 'ctr select PMC4 pv2',
    ] + pieces(steps, stops) + ['ctr show', 'ctr status', 'gpr', 'ctr pmc', '']
    put('judge.zc', '\n'.join(script).encode())
    run = subprocess.run([zri, '--json', '--storage', '1M', '--pipe', './judge.uarch', '--script', 'judge.zc', '--pipe-out',
                          'judge.log', '--pipe-format', 'lines'], cwd=work, stdin=subprocess.DEVNULL, capture_output=True,
                         text=True, check=False)
    answers = []
    for line in run.stdout.splitlines():
        try:
            answers.append(json.loads(line))
        except ValueError:
            pass
    found = {}
    for a in answers:
        if isinstance(a, list) and a and 'difference' in a[0]:
            found['pairs'] = {x['event']: (x['all'], x['completed']) for x in a}
        elif isinstance(a, list):
            pass
        elif 'profile' in a:
            found['status'] = a
        elif 'R15' in a:
            found['gpr'] = [int(a['R%d' % r], 16) for r in range(16)]
        elif 'PMC1' in a:
            found['pmc'] = [int(a['PMC%d' % k], 16) for k in (1, 2, 3, 4)]
    if run.returncode or len(found) != 4:
        return None, 'zri: exit status %d, %s %s' % (run.returncode, run.stdout[-300:], run.stderr[-300:])
    with open(os.path.join(work, 'judge.log')) as log:
        found['log'] = log_lines(log.read())
    return found, None


def pieces(steps, stops):
    """Console commands for that many steps with stops, (number, drain) each: a write drains (EC-43), reads do not (EC-49)."""
    said, done = [], 0
    for n, drain in stops:
        if done < n < steps:
            said += ['s %d' % (n - done)] + (['ctr mark 0 0'] if drain else ['ctr table', 'ctr show INST', 'ctr spec LOAD', 'ctr pmc'])
            done = n
    return said + ['s %d' % (steps - done)]


PROFILES = {
    'teach': {},
    'small': dict(ct_entries=4, fetch_buffer=3, btb_sets=2, l2_sets=4, l1i_sets=2, wp_max_insns=7, restart=3),
    'gshare': dict(predictor='gshare', history=6, ras_entries=2, ct_entries=40, wp_max_insns=9, fetch_width=4, dispatch_width=3, lat_mem=211,
                   l3_sets=16, l3_ways=2, lat_l3=31, l2_sets=4),
    'tage': dict(predictor='tage', pht_entries=64, wp_exception=1, ras_entries=1),
    'dry': dict(wp_pollute=0, pht_entries=16, btb_sets=4, btb_ways=1, ras_entries=4, line=128, decode_redirect=5),
    'blind': dict(wp_max_insns=0, complete_width=1),
    'groups': dict(group_size=3, fetch_width=6, dispatch_width=6, ct_entries=10, predictor='gshare', history=3),
}


def differences(judge, found):
    """Sentences, the first of each kind."""
    said = []
    log = judge.log()
    for k in range(max(len(log), len(found['log']))):
        mine, its = (x[k] if k < len(x) else 'nothing' for x in (log, found['log']))
        if mine != its:
            said.append('line %d of the log: judge %s; zri %s' % (k + 1, mine, its))
            break
    if judge.g != found['gpr']:
        said.append('registers: judge %s; zri %s' % tuple([['%X' % v for v in g] for g in (judge.g, found['gpr'])]))
    if judge.ccyc != found['status']['cycles']:
        said.append('cycles: judge %d; zri %d' % (judge.ccyc, found['status']['cycles']))
    for event, pair in judge.counts().items():
        its = found['pairs'].get(event, (0, 0))
        if pair != its:
            said.append('%s, all and completed: judge %d %d; zri %d %d' % ((event,) + pair + its))
    if judge.monitors() != found['pmc']:
        said.append('PMC1 to PMC4: judge %s; zri %s' % (judge.monitors(), found['pmc']))
    return said


def main(first, cases, profiles, zri, work):
    wrong = instructions = lost = mispredicted = 0
    for seed in range(int(first), int(first) + int(cases)):
        program = Program(seed)
        steps = random.Random(seed).choice([4000, 4000, 4000, random.Random(seed).randint(1, 300)])
        r = random.Random(-seed)
        stops = sorted({r.randint(1, 300): r.random() < 0.5 for _ in range(r.choice([0, 5, 25]))}.items())
        for name in profiles.split(','):
            name, _, other = name.partition('/')
            judge = Judge(program, dict(TEACH, **PROFILES[name]))
            if other:
                judge.p[other.split('=')[0]] = int(other.split('=')[1])
            n = judge.run(steps, [at for at, drain in stops if drain])
            found, why = ask(zri, work, program, PROFILES[name], n, stops)
            said = differences(judge, found) if found else [why]
            if said:
                wrong += 1
                print('seed %d, profile %s, %d instructions:' % (seed, name, n))
                for line in said[:int(os.environ.get('LIMIT', '8'))]:
                    print('   ', line)
            counts = judge.counts()
            instructions += n
            lost += counts['INST'][0] - counts['INST'][1]
            mispredicted += counts['BR_MISP'][0]
    print('%d programs judged on %s: %d instructions, %d mispredictions, %d instructions of wrong paths; %d runs differ' %
          (int(cases), profiles, instructions, mispredicted, lost, wrong))
    if not mispredicted:
        print('nothing was mispredicted: no judgement')
        return 1
    return int(wrong != 0)


if __name__ == '__main__':
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
