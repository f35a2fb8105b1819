#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-record: what recording a boot of Debian's kernel costs, in CPU time: pairs of boots in alternation, the median of
# their ratios, and the recording's size; what a replay costs, and one that keeps the past. RECORD_PAIRS says how many (7).
# Wanted: at most 5 %, and at most 1 MB.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
words='nokaslr zri.info'
seconds() # OPTIONS...: CPU time of a boot
{
    sh -c '"$@" >/dev/null 2>&1 </dev/null; times' sh "$zri" --batch --kernel "$kernel" --initrd "$initrd" --append "$words" "$@" |
        awk 'NR == 2 { gsub(/[ms]/, " "); printf "%.2f", $1 * 60 + $2 + $3 * 60 + $4 }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
for engine in ${RECORD_ENGINES:-block translate}; do
    for kind in record replay history; do : >"$work/$kind"; done
    n=0
    while [ $n -lt "${RECORD_PAIRS:-7}" ]; do
        plain=$(seconds --engine "$engine")
        with=$(seconds --engine "$engine" --record "$work/boot.rec")
        again=$(seconds --engine "$engine" --replay "$work/boot.rec")
        back=$(seconds --engine "$engine" --replay "$work/boot.rec" --history 256M)
        awk "BEGIN { print $with / $plain }" >>"$work/record"
        awk "BEGIN { print $again / $plain }" >>"$work/replay"
        awk "BEGIN { print $back / $plain }" >>"$work/history"
        n=$((n + 1))
    done
    size=$(wc -c <"$work/boot.rec")
    cost=$(median <"$work/record")
    echo "$engine: a boot takes $plain s; recorded $cost times that ($(tr '\n' ' ' <"$work/record")), $size bytes;" \
        "replayed $(median <"$work/replay"), with the past kept $(median <"$work/history")"
    awk "BEGIN { exit !($cost > 1.05) }" && fail "$engine: recording costs more than 5 %"
    [ "$size" -le 1000000 ] || fail "$engine: a recording of $size bytes"
done
finish 'recording costs no more than is wanted'
