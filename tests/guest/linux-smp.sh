#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-linux-smp: what work under Linux costs with one CPU, with two in rotation and with two in host threads, all by
# the host's clock: arithmetic, and processes and mappings that are made and given back, by one process and by two of them at
# once. For each, in milliseconds, the least of BENCH_RUNS runs (3): the time that passed in the guest; the host's CPU time;
# and the time that passed less what a thread of zri waited for a CPU of the host, which is what would have passed on a host
# that does nothing else. tests/guest/linux-smp.c is the work.
# by hand: part 'LB-60 LB-53 work for several CPUs under Linux'
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
"$cross" -static -O2 -march=z196 -o "$work/smp" "$here/linux-smp.c" 2>"$work/cross" || skip "no cross compiler for s390x"
sh "$here/mkinitrd.sh" "$busybox" "$work/initrd" "$work/smp=bin/smp"

cpu_ms() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000 / hz }' "/proc/$pid/stat"; }
waits() { awk '{ print int($2 / 1000000) }' /proc/"$pid"/task/*/schedstat; } # one line for each thread
most_waited() # BEFORE AFTER
{
    paste "$1" "$2" | awk '$2 - $1 > most { most = $2 - $1 } END { print most + 0 }'
}
# once KIND WORKERS TIMES OPTIONS...: milliseconds passed, of CPU time, passed on a host that does nothing else
once()
{
    asked=smp=$1,$2,$3
    shift 3
    : >"$work/out" # what the run before said is not this one's
    "$zri" --batch --seconds 300 -m 256M --kernel "$kernel" --initrd "$work/initrd" --append "nokaslr $asked zri.run=/bin/smp" \
        "$@" >"$work/out" 2>&1 </dev/null &
    pid=$!
    running=$pid
    while ! grep -q '^smp: starts' "$work/out" && kill -0 $pid 2>/dev/null; do sleep 0.1; done
    before=$(cpu_ms)
    waits >"$work/before"
    while ! grep -q '^smp: .* us' "$work/out" && kill -0 $pid 2>/dev/null; do sleep 0.1; done
    after=$(cpu_ms)
    waits >"$work/after"
    kill $pid 2>/dev/null
    wait $pid 2>/dev/null
    running=
    passed=$(tr -d '\r' <"$work/out" | sed -n 's/^smp: .* \([0-9]*\) us$/\1/p')
    [ -n "$passed" ] || return 1
    echo "$((passed / 1000)) $((after - before)) $((passed / 1000 - $(most_waited "$work/before" "$work/after")))"
}
least() # the columns of the lines
{
    awk 'NR == 1 || $1 < a { a = $1 } NR == 1 || $2 < b { b = $2 } NR == 1 || $3 < c { c = $3 } END { print a, b, c }'
}
for words in 'spin 1 15000' 'spin 2 15000' 'memory 1 1500' 'memory 2 1500'; do
    for options in '--cpus 1 --clock host' '--cpus 2 --clock host' '--cpus 2 --threads'; do
        : >"$work/lines"
        n=0
        while [ $n -lt "${BENCH_RUNS:-3}" ]; do
            # shellcheck disable=SC2086 # they are words
            once $words $options >>"$work/lines" || fail "$words $options: $(tail -n 1 "$work/out")"
            n=$((n + 1))
        done
        # shellcheck disable=SC2046 # they are words
        printf '%-14s %-22s passed %6s  CPU %6s  undisturbed %6s\n' "$words" "$options" $(least <"$work/lines")
    done
done
[ $failed -eq 0 ]
