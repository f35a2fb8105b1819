#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-profile: what an edge profile costs a run. The same run again and again, by turns without it and with it at its
# usual parameters; CPU time, and for each pair its ratio to the run without it. With ZRI_BEFORE=PROGRAM also the ratio of a
# run without it to one of that program, a build from before. The specification wants at most 1.05 (on) and 1.005 (off).
# usage: edges.sh ZRI OPTIONS...; PAIRS=9 in the environment
# by hand: part 'EP-80 off it costs nothing that can be measured, on at most 5 percent'
zri=$1 pairs=${PAIRS:-9} before=${ZRI_BEFORE:-}
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
once() # PROGRAM OPTIONS...: CPU time in milliseconds
{
    local TIMEFORMAT='%3U %3S'
    { time "$@" --batch >/dev/null 2>&1 </dev/null; } 2>&1 | awk '{ printf "%d", ($1 + $2) * 1000 }'
}
for ((i = 0; i < pairs; i++)); do
    old=0
    [ -z "$before" ] || old=$(once "$before" "$@")
    off=$(once "$zri" "$@")
    on=$(once "$zri" --profile-out "$work/p" "$@")
    echo "$off $on $old"
done | awk '
    function median(list, n,   i, j, t) {
        for (i = 1; i <= n; i++)
            for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
        return list[int((n + 1) / 2)]
    }
    $1 { n++; print "off " $1 " ms, on " $2 " ms" ($3 ? ", before " $3 " ms" : ""); on[n] = $2 / $1; if ($3) off[++m] = $1 / $3 }
    END { printf "median ratio of %d pairs: on %.4f", n, median(on, n)
          if (m) printf ", off %.4f", median(off, m)
          print "" }'
