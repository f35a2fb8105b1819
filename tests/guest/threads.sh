#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Several CPUs, in rotation and in host threads: a guest program that checks itself (tests/guest/smp.S), and what threads
# refuse. THREADS_RUNS=n for more runs by hand. With a build by -fsanitize=thread it is a test of emu/machine/threads.c and of all
# that CPUs share: tsan.supp names what reaches the guest's own storage.
. "${srcdir:-.}/tests/lib.sh"
dir=${GUESTS:-tests/guest}
image=$dir/smp.elf
export TSAN_OPTIONS="suppressions=${srcdir:-$(dirname "$0")/../..}/tests/guest/tsan.supp exitcode=66"

for words in "--lockstep --threads" "--threads --trace x" "--threads --clock virtual" "--snapshot x --threads"; do
    # shellcheck disable=SC2086 # they are words
    said=$("$zri" --batch $words --demo 2>&1) && fail "$words: not refused"
    case $said in *threads*) ;; *) fail "$words: said '$said'" ;; esac
done
if [ ! -s "$image" ]; then
    [ $failed -eq 0 ] && skip "no s390x cross tools and no prebuilt guest program"
    exit 1
fi
run() # OPTION...
{
    said=$("$zri" --batch "$@" --storage 16M --seconds 60 "$image" 2>&1) || fail "$*: exit status $?: $said"
    wanted=$cpus
    [ "$(echo "$said" | grep -c 'disabled wait, PSW 0002000180000000 0000000000000FFF')" = "$wanted" ] || fail "$*: $said"
}
part 'LB-60 LB-61 LB-63 LB-47 several CPUs by turns and at once: interlocked updates, order, signals, invalidation'
for cpus in 2 3 4; do
    run --cpus $cpus
done
cpus=2
run --cpus 2 --engine=reference
n=0
runs=3
short && runs=1 # a slow build: once is as long as often elsewhere
while [ $n -lt "${THREADS_RUNS:-$runs}" ]; do
    for cpus in 1 2; do
        run --threads --cpus $cpus
    done
    run --threads --cpus 2 --engine=reference
    n=$((n + 1))
done
# Instructions that must find their CPU alone, one CPU being enough for that.
for guest in "$dir"/*.elf; do
    [ -s "$guest" ] || continue
    case $guest in */edges.elf) continue ;; esac # its timer is due again before a slow host is out of the handler
    "$zri" --batch --threads --storage 16M --seconds 60 "$guest" >/dev/null 2>&1 || fail "$guest in a thread"
done
cpus=3
run --threads --cpus 3
finish "CPUs in rotation and in threads: 0 failed"
