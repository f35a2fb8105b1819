#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""rooms.py SOURCE BUILD: do the files keep to rooms.table? Looked at are #include lines, symbols of the objects in BUILD,
circles of files, and sizes. Says file, symbol and rule for each that does not, and the line of the table that would put it
off; exit status 1 then."""
import collections, glob, os, re, subprocess, sys

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'rooms.table')
bad = 0


def say(text, late=None):
    global bad
    bad += 1
    print(text)
    if late:
        print('    not yet ' + ' '.join(late))


class Table:
    def __init__(self):
        self.may, self.words, self.families, self.limit = {}, {}, [], 0
        self.late = {}  # what is known and not mended yet, as a tuple of words -> line number
        for number, line in enumerate(open(TABLE), 1):
            word = line.split('#')[0].split()
            if not word:
                continue
            if word[0] == 'room':
                self.may[word[1]], self.words[word[1]] = self.uses(word[1], word[2:], number), word[2:]
            elif word[0] == 'family':
                self.families.append(word[1:])
            elif word[0] == 'lines':
                self.limit = int(word[1])
            elif word[:2] == ['not', 'yet'] and word[2] in ('include', 'link', 'circle', 'lines'):
                self.late[tuple(word[2:])] = number
            else:
                sys.exit('rooms.table:%d: not understood: %s' % (number, line.strip()))
        self.used = set()

    def uses(self, room, words, number):
        """`+ROOM' is that room with all that it may use."""
        found = []
        for word in words:
            name = word.lstrip('+')
            if name not in self.may:
                sys.exit('rooms.table:%d: %s may use %s, which no line above has' % (number, room, name))
            found += [name] + (self.may[name] if word[0] == '+' else [])
        return list(dict.fromkeys(found))

    def row(self, path):
        """The row of a file: the longest name that fits its folder; NAME/* fits every folder in NAME."""
        folder = os.path.dirname(path)
        fits = lambda r: folder.startswith(r[:-1]) if r.endswith('/*') else folder == r or folder.startswith(r + '/')
        return max((r for r in self.may if fits(r)), key=len, default=None)

    def room(self, path):
        row = self.row(path)
        return row and (row[:-1] + path[len(row) - 1:].split('/')[0] if row.endswith('/*') else row)

    def allows(self, a, b):
        """May the file a use the file b?"""
        return self.room(b) in (None, self.room(a)) or self.row(b) in self.may[self.row(a)]

    def rule(self, a):
        return '%s may use: %s' % (self.room(a), ' '.join(self.words[self.row(a)]) or 'nothing of ours')

    def known(self, *words):
        """Is it among those that are not mended yet?"""
        for late in self.late:
            if late == words or late[0] == words[0] == 'circle' and set(words) <= set(late):
                self.used.add(late)
                return True
        return False

    def no_longer(self):
        for words, number in self.late.items():
            if words not in self.used:
                say('rooms.table:%d: "not yet %s" is no longer needed: take the line away' % (number, ' '.join(words)))


def source_files(table):
    tops = sorted({r.split('/')[0] for r in table.may})
    for top in tops:
        for path in sorted(glob.glob(top + '/**/*', recursive=True)):
            if path.endswith(('.c', '.h', '.def')) and '/guest/' not in path and path != 'ipl/builtin_data.c':
                yield path


def includes(table, files):
    for path in files:
        if not table.room(path):
            say('%s is in no room: rooms.table has no row for %s/' % (path, os.path.dirname(path)))
            continue
        for number, line in enumerate(open(path, errors='replace'), 1):
            m = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if not m:
                continue
            near = os.path.normpath(os.path.join(os.path.dirname(path), m[1]))
            to = near if os.path.exists(near) else m[1]
            late = 'include', path, to
            if not table.allows(path, to) and not table.known(*late):
                say('%s:%d: includes %s; %s' % (path, number, to, table.rule(path)), late)


def sizes(table, files):
    lines = collections.Counter()
    for path in files:
        if table.room(path) and not path.endswith('.def'):
            lines[table.room(path)] += len(open(path, errors='replace').readlines())
    for room, count in sorted(lines.items()):
        if count > table.limit and not table.known('lines', room):
            say('%s has %d lines; a room has at most %d: it wants a second room' % (room, count, table.limit))


def symbols(files, build):
    """object files: what each needs and who has it"""
    owner, needs = {}, {}
    for path in files:
        name = os.path.join(build, path[:-2] + '.o')
        if not path.endswith('.c') or not os.path.exists(name):
            continue
        needs[path] = set()
        for line in subprocess.run(['nm', name], capture_output=True, text=True, check=True).stdout.splitlines():
            part = line.split()
            if len(part) == 2 and part[0] == 'U':
                needs[path].add(part[1])
            elif len(part) == 3 and part[1] in 'TDRBCVW':
                owner.setdefault(part[2], path)
    arrows = {path: collections.defaultdict(list) for path in needs}
    for path, wanted in needs.items():
        for symbol in sorted(wanted):
            if owner.get(symbol, path) != path:
                arrows[path][owner[symbol]].append(symbol)
    return arrows


def links(table, arrows):
    """Arrows that turn back; they are taken away, so that circles are looked for inside rooms."""
    for path, to in sorted(arrows.items()):
        for other in sorted(to):
            if table.allows(path, other):
                continue
            late = 'link', path, other
            if not table.known(*late):
                say('%s needs %s of %s; %s' % (path, ', '.join(to[other][:4]), other, table.rule(path)), late)
            del to[other]


def reach(start, arrows):
    seen, work = set(), [start]
    while work:
        for other in arrows[work.pop()]:
            if other not in seen:
                seen.add(other)
                work.append(other)
    return seen


def circles(table, arrows):
    """Files that need each other in a loop: families, or not."""
    far = {path: reach(path, arrows) for path in arrows}
    done = set()
    for path in sorted(arrows):
        circle = sorted(p for p in far[path] if path in far[p])
        if path in done or len(circle) < 2:
            continue
        done.update(circle)
        fits = lambda p, f: any(p == w or w.endswith('*') and p.startswith(w[:-1]) for w in f)
        if any(all(fits(p, family) for p in circle) for family in table.families) or table.known('circle', *circle):
            continue
        say('circle of %d files, and no family of rooms.table has them all: %s' % (len(circle), ' '.join(circle)),
            ['circle'] + circle)
        for p in circle:
            for other, why in sorted(arrows[p].items()):
                if other in circle:
                    print('    %s needs %s of %s' % (p, ', '.join(why[:4]), other))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build = os.path.abspath(sys.argv[2])
    os.chdir(sys.argv[1])
    table = Table()
    files = list(source_files(table))
    includes(table, files)
    sizes(table, files)
    arrows = symbols([f for f in files if table.room(f)], build)
    if not arrows:
        sys.exit('rooms.py: no object of these files is in %s: build there first' % build)
    links(table, arrows)
    circles(table, arrows)
    table.no_longer()
    print('%d files in %d rooms, %d objects: %s' % (len(files), len({table.room(f) for f in files}), len(arrows),
                                                   '%d faults' % bad if bad else 'every arrow points down'))
    sys.exit(bad != 0)


main()
