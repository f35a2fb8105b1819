#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-linux-smp: what work under Linux costs with one CPU, with two in rotation and with two in host threads, all by
# the host's clock. BENCH_LOADS names the loads: spin and memory (linux-smp.c: arithmetic; processes and mappings that are
# made and given back), go (linux-smp.go), and stressors of Debian's stress-ng (vm fork mmap futex switch), each by one worker
# and by two at once. What cannot be had here (a cross compiler, Debian's packages) is left out with a word. For each, in
# milliseconds, the middle one of BENCH_RUNS runs (3), which are taken by turns: the time that passed in the guest; the host's
# CPU time; and the time that passed less what a thread of zri waited for a CPU of the host, which is what would have passed on
# a host that does nothing else. Behind them: the operations for each CPU second with threads, as a part of those of each of
# the two ways without; for two workers the time with threads as a part of that of two CPUs in rotation, and of that of one
# worker with threads. These three are told of the undisturbed time.
# by hand: part 'LB-60 LB-53 work for several CPUs under Linux'
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
loads=${BENCH_LOADS:-spin memory go vm fork mmap futex switch}
ways='--cpus 1 --clock host,--cpus 2 --clock host,--cpus 2 --threads'

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
    "$zri" --batch --seconds 600 -m 256M --kernel "$kernel" --initrd "$work/smp-initrd" "$@" \
        --append "nokaslr $asked zri.run=/bin/smp" >"$work/out" 2>&1 </dev/null &
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
middle() # FILE: of each column
{
    for column in 1 2 3; do
        awk -v c=$column '{ print $c }' "$1" | sort -n | awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }'
    done | paste -s -d ' '
}
part() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else printf "-" }'; }

# measure KIND WORKERS TIMES [OPTIONS...]
measure()
{
    kind=$1 workers=$2 times=$3
    shift 3
    rm -f "$work"/lines-*
    n=0
    while [ $n -lt "${BENCH_RUNS:-3}" ]; do
        for way in 1 2 3; do
            # shellcheck disable=SC2046 # they are words
            once "$kind" "$workers" "$times" $(echo "$ways" | cut -d , -f $way) "$@" >>"$work/lines-$way" || {
                fail "$kind $workers $times: $(tail -n 1 "$work/out")"
                return
            }
        done
        n=$((n + 1))
    done
    set --
    for way in 1 2 3; do
        # shellcheck disable=SC2046 # they are words
        set -- "$@" $(middle "$work/lines-$way")
        printf '%-16s %-22s passed %6s  CPU %6s  undisturbed %6s\n' "$kind $workers $times" "$(echo "$ways" | cut -d , -f $way)" \
            $(middle "$work/lines-$way")
    done
    printf '%-16s with threads, for each CPU second: %s of one CPU, %s of two in rotation' "$kind $workers $times" \
        "$(part "$2" "$8")" "$(part "$5" "$8")"
    if [ "$workers" = 1 ]; then
        one=$9
        echo
    else
        echo "; time: $(part "$9" "$6") of rotation, $(part "$9" "$one") of one worker"
    fi
}

"$cross" -static -O2 -march=z196 -o "$work/smp" "$here/linux-smp.c" 2>"$work/cross" || skip "no cross compiler for s390x"
set -- "$work/smp" "$here/linux-smp-load"
disk=
case " $loads " in *' go '*)
    cache=${ZRI_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/zri-tests}
    if command -v go >/dev/null && GOARCH=s390x CGO_ENABLED=0 GOCACHE=$cache/go-build \
        go build -o "$work/linux-smp-go" "$here/linux-smp.go" 2>"$work/cross"; then
        set -- "$@" "$work/linux-smp-go"
    else
        echo "go: skipped, no Go compiler (golang-go)"
        loads=$(echo " $loads " | sed 's/ go / /')
    fi
    ;;
esac
case " $loads " in *' vm '* | *' fork '* | *' mmap '* | *' futex '* | *' switch '*)
    version=$(strings "$kernel" | sed -n 's/^\([0-9.]*-[^ ]*\) (.*/\1/p' | head -n 1)
    modules=$(sh "$here/../compare/fetch-s390x" "linux-image-$version" lib/modules)
    disk=$(sh "$here/../debian/build-tools.sh" stress stress-ng) || disk=
    if [ -z "$modules" ] || [ -z "$disk" ]; then
        echo "stress-ng: skipped, Debian's packages cannot be had here"
        loads=$(for load in $loads; do case $load in spin | memory | go) echo "$load" ;; esac done)
    else
        for module in lib/crc16 fs/mbcache fs/jbd2/jbd2 crypto/crc32c_generic fs/ext4/ext4 drivers/block/virtio_blk; do
            set -- "$@" "$modules/$version/kernel/$module.ko"
            echo "${module##*/}" >>"$work/modules"
        done
        set -- "$@" "$work/modules"
    fi
    ;;
esac
sh "$here/mkinitrd.sh" "$busybox" "$work/smp-initrd" "$@"
for load in $loads; do
    for workers in 1 2; do
        case $load in
        spin) measure spin $workers 8000 ;;
        memory) measure memory $workers 800 ;;
        go) measure go $workers 100 ;;
        vm) measure vm $workers 2000 --disk "$disk,snapshot" ;;
        fork) measure fork $workers 200 --disk "$disk,snapshot" ;;
        mmap) measure mmap $workers 3 --disk "$disk,snapshot" ;;
        futex) measure futex $workers 8000 --disk "$disk,snapshot" ;;
        switch) measure switch $workers 8000 --disk "$disk,snapshot" ;;
        *) fail "$load: no such load" ;;
        esac
    done
done
[ $failed -eq 0 ]
