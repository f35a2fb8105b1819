#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-profile: what an edge profile costs a run. The same run again and again without it and with it at its usual
# parameters, both at the same time on one CPU, so that the host gives it to them by turns of some milliseconds, and its
# clock and what else keeps it busy is the same for both; CPU time, and for each pair its ratio to the run without it. With
# ZRI_BEFORE=PROGRAM also the ratio of a run without it to one of that program, a build from before, which runs beside
# them. The specification wants at most 1.05 (on) and 1.005 (off).
# usage: edges.sh ZRI OPTIONS...; PAIRS=9 in the environment
# by hand: part 'EP-80 off it costs nothing that can be measured, on at most 5 percent'
zri=$1 pairs=${PAIRS:-9} before=${ZRI_BEFORE:-}
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cpu=$(taskset -pc $$ | sed 's/.*[ ,-]//') || exit 2
once() # NAME PROGRAM OPTIONS...: CPU time in milliseconds, to a file of the name
{
    local TIMEFORMAT='%3U %3S' name=$1
    shift
    { time taskset -c "$cpu" "$@" --batch >/dev/null 2>&1 </dev/null; } 2>&1 |
        awk '{ printf "%d", ($1 + $2) * 1000 }' >"$work/$name"
}
echo 0 >"$work/before"
for ((i = 0; i < pairs; i++)); do
    [ -z "$before" ] || once before "$before" "$@" &
    ((i % 2)) || once off "$zri" "$@" &
    once on "$zri" --profile-out "$work/p" "$@" &
    ((i % 2)) && once off "$zri" "$@" &
    wait
    echo "$(cat "$work/off") $(cat "$work/on") $(cat "$work/before")"
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
