#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hacking.py SOURCE TEXT: does what TEXT mentions exist? Files and folders of ours (NAME stands for anything), functions and
macros written with (), names in capitals with _, make targets, options of zri. Names what does not; exit status 1 then."""
import glob, os, re, sys

SOURCE, TEXT = sys.argv[1], open(sys.argv[2]).read()
TOPS = 'base disasm ri cpu ipl emu tests doc man'.split()
KNOWN_TARGETS = {'check', 'install', 'dist', 'distcheck'}  # automake's own
bad = 0


def say(*words):
    global bad
    bad += 1
    print(*words)


os.chdir(SOURCE)
code, makefiles = '', ''
for top in TOPS:
    for path in glob.glob(top + '/**/*', recursive=True):
        if path.endswith(('.c', '.h', '.def')):
            code += open(path, errors='replace').read()
for path in ['Makefile.am'] + glob.glob('**/local.mk', recursive=True):
    makefiles += open(path).read()
names = set(re.findall(r'\w+', code))
functions = set(re.findall(r'(\w+) ?\(', code)) | set(re.findall(r'HANDLER\((\w+)\)', code))
options = set(re.findall(r'^OPTION\(\w+, [^,]*, "([^"]+)"', open('emu/config/options.def').read(), re.M))

for path in sorted(set(re.findall(r'(?<![\w/.~-])((?:%s)/[\w./*-]*)' % '|'.join(TOPS), TEXT))):
    pattern = re.sub(r'[A-Z]{2,}', '*', path.rstrip('.'))
    if not glob.glob(pattern):
        say('no such file or folder: %s' % path)
for name in sorted(set(re.findall(r'\b([A-Za-z_]\w+)\(\)', TEXT))):
    pattern = re.compile(re.sub(r'[A-Z]{2,}$', r'\\w+', name) + r'\Z') if re.search(r'[a-z]', name) else None
    if name not in functions and not (pattern and name[-1].isupper() and any(pattern.match(f) for f in functions)):
        say('no such function: %s()' % name)
for name in sorted(set(re.findall(r'\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b', TEXT))):
    if name not in names:
        say('no such name: %s' % name)
for name in sorted(set(re.findall(r'\b(?:cpu|op|struct)_\w+\b(?!\()', TEXT) + re.findall(r'\bstruct (\w+)', TEXT))):
    if name not in names and not name.endswith('_'):
        say('no such name: %s' % name)
for target in sorted(set(re.findall(r'\bmake ((?:check|bench|fuzz|format|generated|compare|coverage)[a-z-]*)', TEXT))):
    if target not in KNOWN_TARGETS and not re.search(r'^%s:' % re.escape(target), makefiles, re.M):
        say('no such target: make %s' % target)
for option in sorted(set(re.findall(r'--([a-z][a-z-]+)', TEXT))):
    if option not in options:
        say('no such option: --%s' % option)
sys.exit(bad != 0)
