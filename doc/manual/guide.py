# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides in plain text (doc/*.txt, README and their like) as chapters. Their form: a title underlined with =, sections
underlined with -; paragraphs at the margin; lists whose items begin with - or * or a number and a point; whatever else is
indented is shown as it stands, and so is a paragraph with columns (three blanks in a line). A paragraph `Picture: NAME - words'
has a picture of that name in front of it (doc/manual/picture.sh makes them), or what it shows as text."""
import os
import re

import words

PICTURE = re.compile(r'Picture: (\w+) - ')
ITEM = re.compile(r'( *)([-*]|\d+\.) +(?=\S)')


def parse(text):
    """(title, [(section's title or None for what is in front, [lines])]) of a guide."""
    lines = text.expandtabs(8).split('\n')
    title, sections = None, [(None, [])]
    for i, line in enumerate(lines):
        under = lines[i + 1] if i + 1 < len(lines) else ''
        if title is None and re.fullmatch('=+', under):
            title = line
        elif line and line[0] not in ' -=' and re.fullmatch('-{3,}', under):
            sections.append((line, []))
        elif not (re.fullmatch('=+|-{3,}', line) and i and lines[i - 1] in (title, sections[-1][0])):
            sections[-1][1].append(line)
    if title is None:
        raise ValueError('no title underlined with =')
    return title, sections


def blocks(lines):
    """Stretches of lines between empty ones; shown ones in a row are one, with the empty lines in them."""
    found, gap = [], False
    for line in lines:
        if not line.strip():
            gap = True
            continue
        if found and not gap:
            found[-1].append(line)
        elif found and line[0] == ' ' and shown(found[-1]) and not ITEM.match(line):
            found[-1] += ['', line]
        else:
            found.append([line])
        gap = False
        # without an empty line between them: a list and what is left of it, a paragraph and what is shown
        last = found[-1]
        if len(last) > 1 and last[-2] and apart(last, line):
            found.append([last.pop()])
    return found


def apart(block, line):
    """Does LINE, the last of BLOCK, begin another one?"""
    item = ITEM.match(block[0])
    if item:
        return len(line) - len(line.lstrip()) < len(item.group(1))
    return (line[0] == ' ') != (block[-2][0] == ' ') and not columns(block[:1])


def columns(block):
    return any(re.search(r'\S {3,}\S', line) for line in block)


def shown(block):
    return block[0][0] == ' ' and not ITEM.match(block[0]) or columns(block) and not ITEM.match(block[0])


def items(block, targets):
    """A list: an item begins with its mark at the first one's margin, its other lines are indented further."""
    margin = ITEM.match(block[0]).group(1)
    kind = '@enumerate' if ITEM.match(block[0]).group(2)[0].isdigit() else '@itemize @bullet'
    out, item = [kind], []
    for line in block + [None]:
        start = line is not None and ITEM.match(line)
        if item and (line is None or start and start.group(1) == margin):
            out += ['@item', words.inline('\n'.join(item), targets)]
            item = []
        if line is not None:
            item.append(line[start.end():] if start and start.group(1) == margin else line.strip())
    return out + ['@end ' + kind.split()[0][1:]]


def picture(name, targets):
    """Texinfo of a picture, where there are any."""
    if not targets.pictures:
        return []
    file = os.path.join(targets.pictures, name)
    if os.path.exists(file + '.png'):
        return ['@image{pictures/%s,16cm,,%s,.png}' % (name, words.escape('the view ' + name)), '', '@noindent']
    if not os.path.exists(file + '.txt'):
        raise ValueError('there is no picture ' + name)
    with open(file + '.txt', encoding='utf-8') as text:
        lines = [line.rstrip() for line in text]
    while lines and not lines[-1]:
        del lines[-1]
    return ['@smallexample'] + [words.shown(line) for line in lines] + ['@end smallexample', '', '@noindent']


def body(lines, targets):
    """Texinfo of a section's lines."""
    out = []
    for block in blocks(lines):
        shows = PICTURE.match(block[0])
        if shows:
            out += picture(shows.group(1), targets)
        if ITEM.match(block[0]):
            out += items(block, targets)
        elif shown(block):
            margin = min(len(line) - len(line.lstrip()) for line in block if line)
            out += ['@example'] + [words.shown(line[margin:]) for line in block] + ['@end example']
        else:
            out.append(words.inline('\n'.join(block), targets))
        out.append('')
    return out
