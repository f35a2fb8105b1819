#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What sampling says by itself: the branches of a run, all of them, sampled with the generator of the specification.
usage: edges-model.py STREAM BASE DELTA CBT SEED; the edges with their units, as in a profile, sorted.
       edges-model.py STREAM BASE DELTA CBT SEED SEEDS; the overlap with the exact profile that SEED gives, mean and
       standard deviation of the overlaps of the seeds 1 to SEEDS, and of as many profiles whose triggers have nothing to
       do with each other.
STREAM: a sample log of traces side by side, as `zri-prof export --format brstack --brstack=full` prints it."""
import random
import sys
from collections import Counter
from statistics import mean, pstdev

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


def read(name):
    stream = []
    with open(name, encoding="ascii") as lines:
        for line in lines:
            if line.startswith(" "):
                for entry in reversed(line.split()[1:]):
                    words = entry.split("/")
                    stream.append((words[0][2:], words[1][2:], "N" if words[2] == "PN" else "T"))
    return stream


def triggers(stream, base, delta, seed):
    at = 0
    for draw in draws(delta, seed):
        at += base + draw
        if at > len(stream):
            return
        yield at


def sampled(stream, at, cbt):
    units = Counter()
    for k in at:
        units.update(stream[max(0, k - cbt) : k])
    return units


def overlap(exact, units):
    of, total = sum(exact.values()), sum(units.values())
    return sum(min(exact[edge] / of, n / total) for edge, n in units.items())


def spread(stream, base, delta, cbt, seed, seeds):
    exact, dice = Counter(stream), random.Random(1)
    count = len(list(triggers(stream, base, delta, seed)))
    drawn = [overlap(exact, sampled(stream, triggers(stream, base, delta, s), cbt)) for s in range(1, seeds + 1)]
    thrown = [
        overlap(exact, sampled(stream, (dice.randrange(cbt, len(stream) + 1) for _ in range(count)), cbt))
        for _ in range(seeds)
    ]
    one = overlap(exact, sampled(stream, triggers(stream, base, delta, seed), cbt))
    print(f"{one:.4f}", *(f"{mean(x):.4f} {pstdev(x):.4f}" for x in (drawn, thrown)))


def main():
    name, base, delta, cbt, seed, *seeds = sys.argv[1], *(int(word) for word in sys.argv[2:])
    stream = read(name)
    if seeds:
        spread(stream, base, delta, cbt, seed, seeds[0])
        return
    units = sampled(stream, triggers(stream, base, delta, seed), cbt)
    for line in sorted(f"{a} {b} {c} {n}" for (a, b, c), n in units.items()):
        print(line)


main()
