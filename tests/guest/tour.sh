#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tours in doc/, word by word (run-time instrumentation by example on both engines): every session is typed into zri
# through a pipe, and each line that the tour shows as its output must appear in it, in that order. A line of three dots
# stands for anything.
. "${srcdir:-.}/tests/guest/tour-lib.sh"
follow tour.txt
follow ri-by-example.txt
follow ri-by-example.txt "--engine reference"
echo "$total sessions of the tours, $failed failed"
[ "$total" -gt 0 ] && [ $failed -eq 0 ]
