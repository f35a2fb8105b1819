# SPDX-License-Identifier: GPL-3.0-or-later
"""The specifications' requirements and their tests as tests/*.matrix know them: each is carried out in a folder without
results of tests, so that what it writes is the list alone."""
import os
import re
import subprocess
import tempfile

from words import escape


def heading(path):
    """The words in front of a matrix: its comment, and the name of the specification."""
    lines = []
    with open(path, encoding='utf-8') as file:
        for line in file.read().split('\n')[2:]:
            if not line.startswith('#'):
                break
            lines.append(line[1:].strip())
    words = ' '.join(lines)
    quoted = re.search('"([^"]+)"', words)
    return words, quoted.group(1) if quoted else 'Run-time instrumentation'


def collect(path, source):
    """[(number, words, [(kind, file, test)])] of the matrix PATH."""
    with tempfile.TemporaryDirectory() as scratch:
        os.makedirs(os.path.join(scratch, 'tests/unit'))
        with open(os.path.join(scratch, 'tests/unit/test_ri_instructions.trs'), 'w', encoding='utf-8'):
            pass  # by this ri.matrix sees that there are unit tests
        subprocess.run(['sh', os.path.abspath(path)], cwd=scratch, env=dict(os.environ, srcdir=os.path.abspath(source)),
                       stdout=subprocess.DEVNULL, check=False)
        small = os.path.basename(path).split('.')[0]
        with open(os.path.join(scratch, 'tests', small + '-matrix.txt'), encoding='utf-8') as file:
            rows = listed(file, small.upper())
    if not rows:
        raise ValueError('it lists no requirements')
    return rows


def listed(lines, prefix):
    """The rows of what a matrix has written."""
    rows = []
    for line in lines:
        match = re.match(r'(%s-T?\d+) ?(.*)' % prefix, line)
        test = re.match(r' {4}(\S+) +\S+ +(\S+): (.*)', line)
        if match:
            rows.append((match.group(1), match.group(2), []))
        elif test:
            rows[-1][2].append(test.groups())
    return rows


def table(rows):
    """Texinfo of it; each requirement can be referred to by its number. Words are left out when the matrix has none."""
    worded = any(words for _, words, _ in rows)
    out = ['@multitable @columnfractions ' + ('.1 .35 .55' if worded else '.1 .9'),
           '@headitem Number' + (' @tab Words' if worded else '') + ' @tab Tests']
    for number, words, tests in rows:
        out.append('@item @anchor{%s}%s' % (number, number))
        if worded:
            out.append('@tab ' + escape(words))
        out.append('@tab ' + '@*\n'.join('%s %s: %s' % (kind, escape(file), escape(name)) for kind, file, name in tests))
    return out + ['@end multitable']
