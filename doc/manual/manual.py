#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""manual.py SOURCE VERSION [--pictures=FOLDER] FILE...: writes the manual as Texinfo to standard output. The FILEs are its chapters,
in their order: guides (ends in .txt, or has no ending), lessons (.lesson), pages of the manual (ends in a digit), matrices of
requirements (.matrix). SOURCE is the folder of the sources. What cannot be made a chapter is named with its file, and the exit status is 1."""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import guide  # noqa: E402
import lesson  # noqa: E402
import page  # noqa: E402
import requirements  # noqa: E402
from words import Targets, escape, inline, node_name  # noqa: E402

GROUPS = {'guide': 'Guides', 'lesson': 'Lessons', 'page': 'Reference', 'requirements': 'Requirements and their tests'}


class Chapter:
    """A chapter: its node, title, Texinfo in front of its sections, and sections of (node, title, Texinfo)."""

    def __init__(self, group, node, title):
        self.group, self.node, self.title = group, node, title
        self.about = ''  # a few words for the menu, where the title does not say it
        self.front, self.sections = [], []

    def section(self, title, text):
        self.sections.append(('%s: %s' % (self.node, node_name(title)), title, text))

    def texinfo(self):
        """All of it, with the menus."""
        out = ['@node ' + self.node_of(self.node), '@chapter ' + escape(self.title), ''] + self.front + ['']
        if self.sections:
            out += ['@menu'] + ['* %s::' % self.node_of(node) for node, _, _ in self.sections] + ['@end menu', '']
        for node, title, text in self.sections:
            out += ['@node ' + self.node_of(node), '@section ' + escape(title), ''] + text + ['']
        return out

    @staticmethod
    def node_of(name):
        return name.replace(':', ' -')


def kind_of(path):
    if path.endswith('.matrix'):
        return 'requirements'
    if path.endswith('.lesson'):
        return 'lesson'
    return 'page' if re.search(r'\.\d$', path) else 'guide'


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def name_in_text(path):
    """How the texts name the file: doc/tour.txt, SECURITY, zri-et(1)."""
    base = os.path.basename(path)
    if kind_of(path) == 'page':
        return re.sub(r'\.(\d)$', r'(\1)', base)
    return 'doc/' + base if base.endswith('.txt') else base


def make_guide(text, node, targets):
    title, sections = guide.parse(text)
    chapter = Chapter('guide', node, title)
    for name, lines in sections:
        if name is None:
            chapter.front = guide.body(lines, targets)
        else:
            chapter.section(re.sub(r'^\d+\. ', '', name), guide.body(lines, targets))
    return chapter


def make_page(text, node, name, targets):
    made = page.Page(text, targets, index=True)
    chapter = Chapter('page', node, name)
    for title, lines in made.sections:
        if title == 'Name':
            chapter.front = lines
            chapter.about = re.sub('^.*? - ', '', ' '.join(lines))
        elif title == 'Instructions':
            chapter.section(title, page.instruction_table([line for line in lines if line]))
        else:
            chapter.section(title, lines)
    return chapter


def make_lesson(path, made, node, targets):
    chapter = Chapter('lesson', node, 'Lesson %d: %s' % (lesson.number_of(path), made.title))
    chapter.about = made.title
    chapter.front = lesson.front(path, made, targets)
    for name, lines, hints in made.tasks:
        chapter.section(name, lesson.task(lines, hints, targets))
    return chapter


def make_requirements(path, rows, node):
    words, name = requirements.heading(path)
    chapter = Chapter('requirements', node, 'Requirements: ' + name)
    chapter.front = [escape(words), ''] + requirements.table(rows)
    return chapter


def announce(path, source, targets):
    """(node, rows of a matrix, the lesson, or None) of a file; its names are known as targets from now on."""
    kind = kind_of(path)
    if kind == 'requirements':
        rows = requirements.collect(path, source)
        for number, _, _ in rows:
            targets.add(number, number)
        return 'Requirements ' + node_name(requirements.heading(path)[1]), rows
    if kind == 'lesson':
        node = 'Lesson %d' % lesson.number_of(path)
        targets.add(node.lower(), node)
        return node, lesson.Lesson(read(path))
    node = node_name(guide.parse(read(path))[0]) if kind == 'guide' else re.sub(r'\.\d$', '', os.path.basename(path))
    targets.add(name_in_text(path), node)
    return node, None


def chapter_of(path, node, rows, targets):
    if kind_of(path) == 'lesson':
        return make_lesson(path, rows, node, targets)
    if rows:
        return make_requirements(path, rows, node)
    if kind_of(path) == 'page':
        return make_page(read(path), node, name_in_text(path), targets)
    return make_guide(read(path), node, targets)


def gather(source, paths, pictures):
    """The chapters. All names are known before any text is made, so that each may refer to each."""
    targets, announced, chapters = Targets(), [], []
    targets.pictures = pictures
    path = None
    try:
        for path in paths:
            announced.append(announce(path, source, targets))
        for path, (node, rows) in zip(paths, announced):
            chapters.append(chapter_of(path, node, rows, targets))
    except ValueError as error:
        raise ValueError('%s: %s' % (path, error)) from None
    return chapters


def manual(chapters, version):
    out = ['\\input texinfo', '@setfilename zri.info', '@documentencoding UTF-8', '@settitle zri ' + version,
           '@codequoteundirected on', '@codequotebacktick on', '@syncodeindex fn cp', '@dircategory Emulators', '@direntry',
           '* zri: (zri).        A z/Architecture machine with run-time instrumentation.', '@end direntry',
           '@titlepage', '@title zri ' + version, '@page', '@end titlepage', '@contents', '', '@node Top', '@top zri ' + version, '',
           'This is the manual of zri, a z/Architecture machine with run-time instrumentation: guides to follow word by word, all',
           'options, commands, instructions and codes, and what the specifications of its observing parts require, with the tests.',
           '', '@menu']
    for group, title in GROUPS.items():
        out += ['', title, '']
        out += [('* %s::  %s' % (Chapter.node_of(c.node), c.about)).rstrip() for c in chapters if c.group == group]
    out += ['', 'Looking up', '', '* Index::', '@end menu', '']
    for chapter in chapters:
        out += chapter.texinfo()
    out += ['@node Index', '@unnumbered Index', '', '@printindex cp', '', '@bye', '']
    return '\n'.join(out)


def main():
    source, version, *paths = sys.argv[1:]
    pictures = None
    if paths and paths[0].startswith('--pictures='):
        pictures = paths.pop(0).split('=', 1)[1]
    try:
        text = manual(gather(source, paths, pictures), version)
    except (ValueError, OSError) as error:
        print('manual.py: %s' % error, file=sys.stderr)
        return 1
    sys.stdout.reconfigure(encoding='utf-8')
    sys.stdout.write(text)
    return 0


if __name__ == '__main__':
    sys.exit(main())
