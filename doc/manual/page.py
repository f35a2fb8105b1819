# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of the manual as troff's man macros have them, those that man/ uses, as chapters. A macro or an escape that is not
known here is an error, never left out."""
import re

from words import escape, inline, shown

FONT = {'B': '@b{%s}', 'I': '@i{%s}', 'R': '%s'}


def arguments(rest):
    """What stands behind a macro, as it splits it: at blanks, "..." is one."""
    return [a or b for a, b in re.findall(r'"((?:[^"]|"")*)"|(\S+)', rest)]


def plain(text):
    """Text without escapes of troff; font changes have been taken before."""
    def one(match):
        what = match.group(1)
        known = {'-': '-', '&': '', '\\': '\\', 'e': '\\', ' ': ' ', '(aq': "'", '(ga': '`', '(dq': '"', '(ha': '^', '(ti': '~'}
        if what not in known:
            raise ValueError('escape not known: \\' + what)
        return known[what]
    return re.sub(r'\\(\(..|.)', one, text)


def fonts(text, font):
    """(font, text) of text with \\fB, \\fI, \\fR and \\fP in it."""
    before = font
    for i, part in enumerate(re.split(r'\\f([BIRP])', text)):
        if i % 2:
            font, before = (before if part == 'P' else part), font
        elif part:
            yield font, plain(part)


def render(pieces, targets, as_it_is=False):
    """Texinfo of (font, text)s in a row; a reference may go over pieces (bold zri, roman (1)).
    In an example text is shown as it is."""
    text = ''.join(piece for _, piece in pieces)
    at, ends = 0, []
    for font, piece in pieces:
        at += len(piece)
        ends.append((at, font))
    out, at = '', 0
    for node, part in targets.split(text):
        end = at + len(part)
        if node:
            out += '@ref{%s,,%s}' % (node, escape(part))
        else:
            start = at
            for stop, font in ends:
                if stop > start and start < end:
                    some = text[start:min(stop, end)]
                    if as_it_is:
                        out += FONT[font] % shown(some)
                    else:
                        out += FONT[font] % escape(some) if font != 'R' else inline(some, targets)
                    start = min(stop, end)
        at = end
    return out


def lower(title, text):
    """A title in capitals as a sentence: its words as the page's text TEXT has them, most of them in small letters."""
    words = []
    for word in title.split():
        found = re.findall(r"(?<![\w.'-])%s(?![\w'-])" % re.escape(word), text, re.I)
        found = [form for form in found if not form.isupper()] or found or [word.lower()]
        words.append(word.lower() if word.lower() in found else max(found, key=found.count))
    title = ' '.join(words)
    return title[:1].upper() + title[1:]


class Page:
    """The text of a page: title, and sections of Texinfo."""

    def __init__(self, text, targets, index):
        self.targets = targets
        self.index = index  # are the terms of its lists entries of the index?
        self.text = re.sub(r'(?m)^\.(S[HS]|TH|\\") .*|\\f[BIRP]', '', text).replace('\\-', '-')
        self.name, self.number, self.sections = '', '', []
        self.out, self.line, self.table, self.fill, self.term = [], [], False, True, False
        for number, line in enumerate(text.split('\n'), 1):
            try:
                self.take(line)
            except ValueError as error:
                raise ValueError('line %d: %s' % (number, error)) from None
        self.close()

    def flush(self):
        if self.line:
            self.out.append(render(self.line, self.targets).strip())
            self.line = []

    def close(self):
        self.flush()
        if self.table:
            self.out += ['@end table', '']
            self.table = False

    def add(self, pieces):
        """A line's pieces: a term, a line that is shown, or the next words of a paragraph."""
        if self.term:
            self.term = False
            self.out.append('@item ' + render(pieces, self.targets))
            if self.index:
                words = ''.join(text for _, text in pieces)
                self.out.append('@cindex ' + escape(' '.join(words.split())))
        elif self.fill:
            if self.line:
                self.line.append(('R', '\n'))
            self.line += pieces
        else:
            self.out.append(render(pieces, self.targets, as_it_is=True))

    def take(self, line):
        match = re.match(r"[.'](\\\"|[A-Za-z]+)\s*(.*)", line)
        if not match:
            if line or not self.fill:
                self.add(list(fonts(line, 'R')))
            return
        macro, rest = match.groups()
        if macro == '\\"' or macro in ('RS', 'RE'):
            return
        if re.fullmatch('B|I|BI|IB|BR|RB|IR|RI', macro):
            words = arguments(rest)
            if len(macro) == 1:
                words = [' '.join(words)]
            self.add([piece for i, word in enumerate(words) for piece in fonts(word, macro[i % len(macro)])])
        elif macro == 'TH':
            self.name, self.number = arguments(rest)[0].lower(), arguments(rest)[1]
        elif macro in ('SH', 'SS'):
            self.head(macro, plain(' '.join(arguments(rest))))
        elif macro == 'PP':
            self.close()
            self.out.append('')
        elif macro == 'TP':
            self.item()
        elif macro == 'IP' and not rest:
            self.flush()
            self.out.append('')
        elif macro == 'br':
            self.line.append(('R', '\n'))
            self.flush()
            self.out.append('@*')
        elif macro in ('nf', 'fi'):
            self.flush()
            self.fill = macro == 'fi'
            self.out.append('@end example' if self.fill else '@example')
        else:
            raise ValueError('macro not known: .' + macro)

    def head(self, macro, title):
        self.close()
        if macro == 'SS':
            self.out.append('@subsubheading ' + escape(title))
            return
        self.out = []
        self.sections.append((lower(title, self.text), self.out))

    def item(self):
        self.flush()
        if not self.table:
            self.out += ['', '@table @asis']
            self.table = True
        self.term = True


def instruction_table(lines):
    """The list of instructions, which stands in an example, as a table with entries of the index."""
    out = ['@multitable @columnfractions .12 .1 .45 .33', '@headitem Mnemonic @tab Format @tab Name @tab Facility']
    for line in lines:
        match = re.fullmatch(r'(\S+) +(\S+) +(.*?)(?: \[(.*)\])?( \(not carried out\))?', line)
        if line in ('@example', '@end example'):
            continue
        if not match:
            raise ValueError('no line of the list of instructions: ' + line)
        mnemonic, form, name, facility, missing = match.groups()
        out += ['@item %s @tab %s @tab %s%s @tab %s' % (mnemonic, form, name, missing or '', facility or ''),
                '@findex ' + mnemonic]
    return out + ['@end multitable']
