# SPDX-License-Identifier: GPL-3.0-or-later
"""Lessons (lessons/NN-NAME.lesson, whose form doc/lessons.txt tells) as chapters: what is read in front of the tasks, each task
with what it asks for and its hints. How tasks are judged, and what is said then, is left to zri."""
import os
import re

import guide
import words


def number_of(path):
    return int(os.path.basename(path).split('-')[0])


class Lesson:
    """Title, about, text in front, and tasks of (name, [lines], [[lines of a hint]])."""

    def __init__(self, text):
        self.title = self.about = ''
        self.front, self.tasks = [], []
        into = None
        for line in text.expandtabs(8).split('\n'):
            match = re.match(r'([a-z]+) *(.*)', line)
            if not match:
                if into is not None:
                    into.append(line[2:])
                continue
            word, rest = match.groups()
            into = None
            if word == 'title':
                self.title = rest
            elif word == 'about':
                self.about = rest
            elif word == 'task':
                self.tasks.append((rest, [], []))
            elif word == 'text':
                into = self.tasks[-1][1] if self.tasks else self.front
            elif word == 'hint':
                if not self.tasks:
                    raise ValueError('a hint in front of the first task')
                self.tasks[-1][2].append([])
                into = self.tasks[-1][2][-1]
        if not self.title or not self.tasks:
            raise ValueError('a lesson has a title and tasks')


def task(lines, hints, targets):
    """Texinfo of a task."""
    out = guide.body(lines, targets)
    if hints:
        out += ['Hints, for those who want them:', '@enumerate']
        for hint in hints:
            out += ['@item'] + guide.body(hint, targets)
        out += ['@end enumerate', '']
    return out


def front(path, lesson, targets):
    """Texinfo of what is in front of the tasks."""
    begin = 'zri --lesson %d' % number_of(path)
    return [words.escape(lesson.about + '.'), '', '@noindent', 'Begin it with @samp{%s}.' % words.shown(begin),
            ''] + guide.body(lesson.front, targets)
