#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""manual-look.py HTML INFO GUIDE... [-- PAGE...] [-- MATRIX...]: is the manual whole? HTML is its folder, INFO its file. Every
link leads somewhere, no node is empty, every line of the GUIDEs is there (and what is read in a
.lesson), every row of the PAGEs (troff as zri --dump-manual
writes it), every requirement of the MATRIXes. Names what is not; exit status 1 then."""
import glob, html.parser, os, re, sys

bad = 0


def say(*words):
    global bad
    bad += 1
    print(*words)


class File(html.parser.HTMLParser):
    """What a file of the HTML has: places that can be led to, links, text."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.text, self.quiet = [], [], [], False
        with open(path, encoding='utf-8') as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places += [attrs[k] for k in ('id', 'name') if k in attrs and tag != 'meta'][:1]
        if 'href' in attrs or 'src' in attrs:
            self.links.append(attrs.get('href', attrs.get('src')))
        elif tag == 'a' and not ('id' in attrs or 'name' in attrs):
            self.links.append('')
        self.quiet = tag in ('style', 'title')

    def handle_endtag(self, tag):
        self.quiet = False

    def handle_data(self, data):
        if not self.quiet:
            self.text.append(data)


def squeeze(text):
    """TEXT without blanks and quotes, which differ in what is shown."""
    return re.sub(r"[\s`'‘’¶]", '', text)


def is_picture(path):
    if not path.endswith('.png') or not os.path.exists(path):
        return False
    with open(path, 'rb') as file:
        return file.read(8) == b'\x89PNG\r\n\x1a\n'


def look_at_links(files, folder):
    for name, file in files.items():
        for place in set(p for p in file.places if file.places.count(p) > 1):
            say('%s: two places %s' % (name, place))
        for link in file.links:
            to, _, place = link.partition('#')
            to = to or name
            if re.match(r'\w+:', link):
                continue
            if is_picture(os.path.join(folder, to)):
                continue
            if not link or to not in files or place and place not in files[to].places:
                say("%s: a link that leads nowhere: '%s'" % (name, link))


def look_at_nodes(text):
    """The info file: nodes with something in them, menus and notes that lead to nodes or anchors."""
    nodes = {}
    for part in text.split('\x1f\n')[1:]:
        match = re.match(r'File: [^,]*,  Node: ([^,\n]*)', part)
        if match:
            nodes[match.group(1)] = part.split('\n', 1)[1]
    places = set(nodes) | set(re.findall(r'^Ref: (.*)\x7f', text, re.M))
    for name, body in nodes.items():
        own, _, menu = body.partition('* Menu:')
        own = re.sub(r'\n[^\n]+\n(\*+|=+)\n', '\n', '\n' + own, count=1)
        if not own.strip() and not (name == 'Index' and menu.count('\n* ') > 100):
            say('an empty node: ' + name)
        entries = [] if name == 'Index' else re.findall(r'^\* ([^:\n]+)::', menu, re.M)
        flat = ' '.join(body.split())
        for to in entries + re.findall(r'\*note (?:[^:]*): ([^.,:]+)[.,]', flat) + re.findall(r'\*note ([^:]+)::', flat):
            if to not in places:
                say('%s: a note that leads nowhere: %s' % (name, to))
    return nodes


def look_at_guide(path, texts):
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    title = squeeze(lines[0])
    text = next((t for t in texts.values() if re.search(r'\d' + re.escape(title), t[:4000])), None)
    if text is None:
        say('%s is not a chapter' % path)
        return
    for number, line in enumerate(lines[1:], 2):
        words = squeeze(re.sub(r'^ *([-*]|\d+\.) +(?=\S)', '', line))
        if not re.fullmatch('=*|-*', words) and words not in text:
            say('%s:%d is not in its chapter: %s' % (path, number, line.strip()))


def look_at_lesson(path, texts):
    """Its texts and hints, and the names of its tasks."""
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    title = squeeze(next(line[6:] for line in lines if line.startswith('title ')))
    text = next((t for t in texts.values() if re.search(r'\dLesson\d+:' + re.escape(title), t[:4000])), None)
    if text is None:
        say('%s is not a chapter' % path)
        return
    told = False
    for number, line in enumerate(lines, 1):
        if line[:1].strip():
            told = line.split()[0] in ('text', 'hint')
        words = squeeze(line[5:] if line.startswith('task ') else line if told and line[:1] == ' ' else '')
        if words and re.sub(r'^([-*]|\d+\.)', '', words) not in text:
            say('%s:%d is not in its chapter: %s' % (path, number, line.strip()))


def look_at_page(path, texts):
    with open(path, encoding='utf-8') as file:
        troff = file.read()
    terms = re.findall(r'^\.TP\n\.BR? (.*\n(?:[^.\n].*)?)', troff, re.M)  # with the first line of what is told of it
    terms = terms or re.findall(r'^([a-z]\S* +[A-Z].*?)(?: \[.*|\(not carried out\))?$', troff, re.M)
    if len(terms) < 5:
        say('%s has no terms' % path)
    all_of_them = ''.join(texts.values())
    for term in terms:
        term = re.sub(r' "|" |"|\\f.|\\&', '', term).replace('\\', '')
        if squeeze(term) not in all_of_them:
            say('%s: not in the manual: %s' % (path, ' '.join(term.split())))


def look_at_matrix(path, files):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    prefix = os.path.basename(path).split('.')[0].upper()
    listed = re.search(r"<<'END'\n(.*?)\nEND\n", text, re.S)
    count = re.search(r'n <= (\d+)', text)
    numbers = re.findall(r'^(\w+)', listed.group(1), re.M) if listed else map(str, range(1, int(count.group(1)) + 1))
    places = set(place for file in files.values() for place in file.places)
    for number in numbers:
        if '%s_002d%s' % (prefix, number) not in places:
            say('%s: not in the manual: %s-%s' % (path, prefix, number))


def main():
    folder, info, *rest = sys.argv[1:]
    groups = [[]]
    for word in rest:
        if word == '--':
            groups.append([])
        else:
            groups[-1].append(word)
    guides, pages, matrices = (groups + [[], []])[:3]
    files = {os.path.basename(path): File(path) for path in sorted(glob.glob(folder + '/*.html'))}
    texts = {name: squeeze(''.join(file.text)) for name, file in files.items() if name not in ('index.html', 'Index.html')}
    look_at_links(files, folder)
    with open(info, encoding='utf-8') as file:
        nodes = look_at_nodes(file.read())
    for path in guides:
        (look_at_lesson if path.endswith('.lesson') else look_at_guide)(path, texts)
    for path in pages:
        look_at_page(path, texts)
    for path in matrices:
        look_at_matrix(path, files)
    if not bad:
        print('%d files, %d links, %d nodes' % (len(files), sum(len(f.links) for f in files.values()), len(nodes)))
    sys.exit(bad != 0)


main()
