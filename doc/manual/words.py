# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of plain text as Texinfo has them: what would be a command is escaped, what names a chapter, a page of the manual or
a requirement becomes a reference to it."""
import re

# What Texinfo would make dashes and curved quotes of, in running text: --option, X'1F8', ``.
TYPED = re.compile(r"(-{2,}[\w=-]*|\b[A-Z]{1,2}'[^' ]*'|['`]{2,})")


def shown(text):
    """TEXT as it is, for examples."""
    return re.sub('([@{}])', r'@\1', text)


def escape(text):
    """TEXT as running text, in which what is typed stays as it is."""
    return ''.join('@t{%s}' % shown(part) if i % 2 else shown(part) for i, part in enumerate(TYPED.split(text)))


class Targets:
    """What can be referred to: names as they stand in the text (doc/tour.txt, zri-et(1), EC-12), each with its node."""

    def __init__(self):
        self.node_of = {}
        self.pattern = None
        self.pictures = None  # the folder of pictures; None: there are none

    def add(self, name, node):
        self.node_of[name] = node
        self.pattern = None

    def split(self, text):
        """TEXT in parts: (node, name) of what is referred to, (None, words) of what is between."""
        if self.pattern is None:
            names = sorted(self.node_of, key=len, reverse=True)
            self.pattern = re.compile(r'(?<![\w./-])(%s)(?![\w/-])' % '|'.join(map(re.escape, names)))
        for i, part in enumerate(self.pattern.split(text)):
            if part:
                yield (self.node_of[part] if i % 2 else None), part


def inline(text, targets):
    """A piece of running text: escaped, with references, and `words' marked as what is typed."""
    out = ''
    for node, part in targets.split(text):
        if node:
            out += '@ref{%s,,%s}' % (node, escape(part))
            continue
        for i, words in enumerate(re.split(r"`([^`'\n][^`'\n]*)'", part)):
            out += '@samp{%s}' % shown(words) if i % 2 else escape(words)
    return out


def node_name(text):
    """TEXT without what must not be in the name of a node."""
    return ' '.join(re.sub(r"[^\w +/-]", ' ', text).split())
