#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-et BENCH_ET="--kernel ... --limit 60000000": what exception trace costs a run. The same run again and again,
# by turns without it, attached with output off, and with everything selected into a file; CPU time, and for each pair its
# ratio to the run without it. The specification wants at most 1.005 (off) and 1.03 (on) on a quiet host.
# usage: et-pair.sh ZRI OPTIONS...; PAIRS=7 in the environment
# by hand: part 'ET-2 off it costs nothing that can be measured, on at most 3 percent'
# by hand: part 'ET-108 at most 150 ns for an event, at least 5 million event packets decoded in a second'
zri=$1 pairs=${PAIRS:-7}
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
full=signal=on,state=on,tpi=on,info=on,addr=old+new+ret,timestamps=inline,tailflag=both,lateflag=on,clock=tod
once() # OPTIONS...: CPU time in milliseconds
{
    local TIMEFORMAT='%3U %3S'
    { time "$zri" --batch "$@" >/dev/null 2>&1 </dev/null; } 2>&1 | awk '{ printf "%d", ($1 + $2) * 1000 }'
}
for ((i = 0; i < pairs; i++)); do
    plain=$(once "$@")
    off=$(once --et enable=off "$@")
    on=$(once --et "$full" --et-out "$work/et" "$@")
    echo "$plain $off $on"
done | awk '
    function median(list,   i, j, t) {
        for (i = 1; i <= NR; i++)
            for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
        return list[int((NR + 1) / 2)]
    }
    $1 { print "without " $1 " ms, off " $2 " ms, on " $3 " ms"; off[NR] = $2 / $1; on[NR] = $3 / $1 }
    END { printf "median ratios of %d pairs: off %.4f, on %.4f\n", NR, median(off), median(on) }'
