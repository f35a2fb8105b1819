#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What sampling says by itself: the branches of a run, all of them, sampled with the generator of the specification.
usage: edges-model.py STREAM BASE DELTA CBT SEED; the edges with their units, as in a profile, sorted.
STREAM: a sample log of traces side by side, as `zri-prof export --format brstack --brstack=full` prints it."""
import sys
from collections import Counter

MASK = (1 << 64) - 1


def outputs(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def draws(delta, seed):
    """CPU 0's."""
    if not delta:
        while True:
            yield 0
    n = 2 * delta + 1
    for x in outputs(next(outputs(seed))):
        if x >= (1 << 64) % n:
            yield x % n - delta


def main():
    name, base, delta, cbt, seed = sys.argv[1], *(int(word) for word in sys.argv[2:])
    stream = []
    with open(name, encoding="ascii") as lines:
        for line in lines:
            if line.startswith(" "):
                for entry in reversed(line.split()[1:]):
                    words = entry.split("/")
                    stream.append((words[0][2:], words[1][2:], "N" if words[2] == "PN" else "T"))
    units, at = Counter(), 0
    for draw in draws(delta, seed):
        at += base + draw
        if at > len(stream):
            break
        units.update(stream[max(0, at - cbt) : at])
    for line in sorted(f"{a} {b} {c} {n}" for (a, b, c), n in units.items()):
        print(line)


main()
