#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-smp: what several CPUs cost each other. Every CPU does some work, then one instruction or interruption of a
# kind (smp.S), many times. The table has for each kind and number of CPUs, in rotation and with a host thread for each
# (t), the host's CPU time for one of them in nanoseconds, the work between taken away, and behind a slash the elapsed
# time likewise. usage: smp.sh ZRI SOURCE-DIRECTORY [REPEAT]
zri=$1 source=$2 repeat=${3:-50000}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
as=${S390X_AS:-s390x-linux-gnu-as} ld=${S390X_LD:-s390x-linux-gnu-ld}
command -v "$as" >/dev/null || { echo "bench: $as is not installed; install binutils-s390x-linux-gnu"; exit 77; }

kinds=(nothing IPTE IPTE-local IDTE SSKE emergency comparator timer ESSA yield sense PFMF CSP RRBE)
once() { # image options... -> CPU time and elapsed time in microseconds
    local TIMEFORMAT='%3U %3S %3R' t image=$1
    shift
    t=$({ time "$zri" --batch "$@" --seconds 60 "$image" >/dev/null 2>&1 || echo bad; } 2>&1)
    case $t in *bad*) echo "bad bad" ;; *) awk '{ printf "%d %d", ($1 + $2) * 1e6, $3 * 1e6 }' <<<"$t" ;; esac
}
printf '%-12s' kind
for cpus in 1 2 4; do printf '%16s%16s' "$cpus" "${cpus}t"; done
echo
declare -A base
for kind in "${!kinds[@]}"; do
    "$as" -march=z15 -I"$source" --defsym REPEAT="$repeat" --defsym KIND="$kind" -o "$work/s.o" "$source/smp.S" &&
        "$ld" -Ttext=0x10000 -e _start -o "$work/smp.elf" "$work/s.o" || exit 1
    printf '%-12s' "${kinds[kind]}"
    for cpus in 1 2 4; do
        for threads in "" --threads; do
            # shellcheck disable=SC2086 # no word or one
            read -r used passed <<<"$(once "$work/smp.elf" --cpus $cpus $threads)"
            [ "$kind" = 0 ] && base[$cpus$threads]="$used $passed"
            awk -v u="$used" -v p="$passed" -v b="${base[$cpus$threads]}" -v n="$repeat" -v c="$cpus" -v k="$kind" 'BEGIN {
                split(b, base)
                if (u == "bad") { printf "%16s", "-"; exit }
                printf "%16s", sprintf("%d/%d", (u - (k ? base[1] : 0)) * 1000 / n / c, (p - (k ? base[2] : 0)) * 1000 / n)
            }'
        done
    done
    echo
done
