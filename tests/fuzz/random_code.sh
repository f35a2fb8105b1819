#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Guests of random instructions, carried out by the translator and the reference engine in lockstep.
tests/fuzz/random_code 30 1 translate
status=$?
[ $status -eq 99 ] && exit 77 # no translator on this host
[ $status -eq 0 ] || exit $status
# A block was translated again in another mode than its own, and linked with that mode's blocks.
tests/fuzz/random_code 1 34000867 translate || exit 1
# Threads: a block that code was not worth it for lost what is behind a fence at its end, and had the instruction before it
# carried out twice.
tests/fuzz/random_code 1 4800090 translate threads || exit 1
tests/fuzz/random_code 20 1 translate threads && tests/fuzz/random_code 10 1 block threads || exit 1
# Profiles: of seed 29 an instruction in two pages that is none was looked up in the instruction table, of 47 a run that was
# to end before a sample of the sampling facility could not begin. Of the last one the reference engine did not know of
# pages that were fetched from while branches were counted only, so what was stored into them was no change of the code
# (EP-65).
tests/fuzz/random_code 1 29 block profile && tests/fuzz/random_code 1 47 block profile || exit 1
tests/fuzz/random_code 1 2026113001509 block profile || exit 1
# STORE THEN OR SYSTEM MASK is no load of a PSW, by which a handler of a measurement alert returns (EP-18).
tests/fuzz/random_code 1 555002589 block profile || exit 1
tests/fuzz/random_code 20 100 translate profile && tests/fuzz/random_code 10 100 block profile || exit 1
# Several CPUs, in turn and in threads
tests/fuzz/random_code 20 1 translate several && tests/fuzz/random_code 10 1 block several || exit 1
tests/fuzz/random_code 10 1 translate free && tests/fuzz/random_code 5 1 block free
