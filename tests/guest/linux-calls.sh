#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-linux-calls: what system calls, signals, new pages, changes of processes and short sleeps cost in Debian's kernel
# (linux-calls.c), in nanoseconds by the guest's clock, which goes by the host's: least and middle one of BENCH_RUNS runs (5)
# that zri, what BENCH_OTHERS names (another build of it) and QEMU carry out by turns. A sleep of 20 microseconds takes 70 in
# Linux, as a timer may be 50 late there.
# by hand: part 'LB-53 what calls of Linux cost'
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
times=${BENCH_TIMES:-100000}
"$cross" -static -O2 -march=z196 -o "$work/linux-calls" "$here/linux-calls.c" 2>"$work/cross" || skip "no cross compiler for s390x"
sh "$here/mkinitrd.sh" "$busybox" "$work/calls-initrd" "$work/linux-calls"
words="nokaslr calls=$times zri.run=/bin/linux-calls"

ours() # ZRI
{
    "$1" --batch --seconds 600 --clock host -m 256M --kernel "$kernel" --initrd "$work/calls-initrd" --append "$words"
}
theirs()
{
    timeout 600 qemu-system-s390x -M s390-ccw-virtio -cpu max -m 256 -nographic -nodefaults -no-reboot -chardev stdio,id=c \
        -device sclpconsole,chardev=c -kernel "$kernel" -initrd "$work/calls-initrd" -append "$words"
}
# once NAME COMMAND...: its lines are added to those of NAME
once()
{
    name=$1
    shift
    "$@" </dev/null 2>"$work/said.errors" | tr -d '\r' >"$work/said"
    grep -q '^calls: done' "$work/said" || fail "$name does not come to the end: $(tail -n 1 "$work/said")"
    grep 'calls: .* failed' "$work/said" && fail "$name: a call failed"
    sed -n 's/^calls: \(.*\) \([0-9]*\) ns$/\1 \2/p' "$work/said" >>"$work/of-$name"
}
n=0
while [ $n -lt "${BENCH_RUNS:-5}" ] && [ $failed -eq 0 ]; do
    once zri ours "$zri"
    other=1
    for one in ${BENCH_OTHERS:-}; do
        once "other-$other" ours "$one"
        other=$((other + 1))
    done
    command -v qemu-system-s390x >/dev/null && once qemu theirs
    n=$((n + 1))
done
for lines in "$work"/of-*; do
    echo "${lines##*/of-}: least and middle one of $n, nanoseconds"
    awk '!($1 in place) { place[$1] = ++kinds; name[kinds] = $1 } { of[$1] = of[$1] " " $2 }
        END { for (k = 1; k <= kinds; k++) print name[k] of[name[k]] }' "$lines" |
        while read -r name numbers; do
            # shellcheck disable=SC2086 # numbers
            printf '%s\n' $numbers | sort -n |
                awk -v name="$name" '{ at[NR] = $1 } END { printf "  %-14s %9d %9d\n", name, at[1], at[int((NR + 1) / 2)] }'
        done
done
[ $failed -eq 0 ]
