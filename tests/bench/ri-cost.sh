#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-ri: what run-time instrumentation costs the host, in nanoseconds: one RIEMIT that makes a record, one that
# makes none, one group that is stored. The least of BENCH_RUNS runs (5) each. Usage: ri-cost.sh DRIVER SOURCE
set -u
driver=$1 source=$2 runs=${BENCH_RUNS:-5}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v s390x-linux-gnu-as >/dev/null || { echo "bench-ri: install binutils-s390x-linux-gnu"; exit 77; }
build() # NAME REPEAT
{
    s390x-linux-gnu-as -march=zEC12 -I "$source" --defsym REPEAT="$2" -o "$work/$1.o" "$source/$1.S" &&
        s390x-linux-gnu-ld -Ttext=0x10000 -e _start -o "$work/$1.elf" "$work/$1.o" &&
        s390x-linux-gnu-objcopy -O binary -R '.note*' "$work/$1.elf" "$work/$1"
}
least() # options and image: seconds, groups
{
    for ((i = 0; i < runs; i++)); do "$driver" "$@"; done |
        sed -n 's/.* instructions, \([0-9.]*\) s.*groups \([0-9]*\)$/\1 \2/p' | sort -n | head -n 1
}
build emit 5000000 && build intloop 37000 && build next 2000000 || exit 2
read -r idle _ < <(least "$work/next")
build next 50000 || exit 2 # so many groups fit into the buffer
read -r plain _ < <(least "$work/next")
read -r next directed < <(least -r 1000000000 "$work/next")
read -r off _ < <(least "$work/emit")
read -r on _ < <(least -r 1000000000 "$work/emit")
read -r far _ < <(least -r 1000000000 "$work/intloop")
read -r near groups < <(least -r 100 "$work/intloop")
awk -v idle="$idle" -v plain="$plain" -v asked="$next" -v directed="$directed" -v off="$off" -v on="$on" -v far="$far" -v near="$near" -v groups="$groups" 'BEGIN {
    printf "RIEMIT and half an addition: %.2f ns with a record, %.2f with RI off\n", on * 1e9 / 5e7, off * 1e9 / 5e7
    if (directed)
        printf "RINEXT, the sample that it asks for and its group: %.0f ns (%d groups)\n", (asked - plain) * 1e9 / directed, directed
    printf "RINEXT and an addition with RI off: %.2f ns\n", idle * 1e9 / 2e7
    printf "a group: %.0f ns (%d groups)\n", (near - far) * 1e9 / groups, groups
}'
