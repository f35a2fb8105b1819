#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's unmodified kernel with busybox (spec/linux-boot.md T2, T4, T5, T7, T8): line mode and VT220, typed input,
# programs, run-time instrumentation through the kernel, two identical runs, a load list, powering off.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"

# 1. Line mode, one CPU, 128 MB, the kernel where it wants to be, twice: what programs make is what they make here, and both
# runs, the second one by the translator where there is one, are the same to the instruction.
part 'LB-1 LB-T2 LB-14 LB-16 LB-80 LB-27 LB-T5 LB-29 LB-95 LB-T6 LB-T8 LB-110 LB-111 LB-114 LB-115 a boot in line mode, programs, run-time instrumentation; two runs are the same'
words='zri.info zri.work'
[ -z "$have_ri" ] || words="$words zri.run=/bin/linux-ri zri.run=/bin/linux-perf"
printf 'g\nclocks\nquit\n' >"$work/script"
runs='first second'
short && runs=first
engine=
for run in $runs; do
    # shellcheck disable=SC2086
    "$zri" $engine -m 128M --seconds "${ZRI_SECONDS:-300}" --kernel "$kernel" --initrd "$initrd" --append "$words" --script "$work/script" \
        >"$work/$run" 2>"$work/$run.end" </dev/null
    status=$?
    [ $status -eq 0 ] || fail "$run: exit status $status, $(tail -n 1 "$work/$run") $(cat "$work/$run.end")"
    engine=$quick
done
check_work first
says first 'zri-init: the end'
says first 'VM00 Control Program: KVM/'
says first 'esan3 zarch stfle'
says first 'zri-info: loaded by ccw 0.0.000c' # as from a reader
says first 'zri-info: loaded again by ccw 0.0.000c'
says first 'zri-info: cache 1 Data 128K 64'
says first 'zri-info: cache 2 Unified 32768K 8192'
says first 'level=4 type=Unified scope=Shared size=2097152K'
says first 'smp: Brought up 1 node, 1 CPU'
[ "$(grep -c '^\[ ' "$work/first")" -ge 100 ] || fail "first: lines of the kernel's log are missing"
[ -z "$have_ri" ] || ri_passed first
short || cmp "$work/first" "$work/second" || fail "two runs differ: $(diff "$work/first" "$work/second" | head -n 4)"
grep -q 'instructions' "$work/first" || fail "no count of instructions in $(tail -n 3 "$work/first")"

# 1b. In the same runs: the CPU-measurement facilities as the kernel finds them, counters and samples (EC-124, EC-101).
if [ -n "$have_ri" ]; then
    says first 'linux-perf: PASS'
    grep -q '^CPU-MF: Counter facility: version=3.7 authorization=000[6e]' "$work/first" ||
        fail "first: the kernel does not find the counter facility: $(grep CPU-MF "$work/first")"
    says first 'CPU-MF: Sampling facility: mode=basic sample_size=32'
    says first 'CPU-MF: Sampling facility: mode=diagnostic sample_size=112'
fi

enough 'Linux boots to busybox on the line-mode console'

# 1a. The ASCII console alone, the kernel is told the other's name: each line is there once. Without run-time
# instrumentation its system call says so.
part 'LB-26 LB-28 LB-110 LB-115 the ASCII console under the name of the other; a machine without facility 64'
boot without --console ascii -m 128M --facility=-64 --kernel "$kernel" --initrd "$initrd" \
    --append "nokaslr console=ttyS0${have_ri:+ zri.run=/bin/linux-ri}"
good_end without
[ "$(grep -c 'Run /init as init process' "$work/without")" = 1 ] || fail "without: the log is not there once"
[ -z "$have_ri" ] || says without 'zri-init: status 3 of /bin/linux-ri'

# 1c. A machine of the z10, with a program for it alone (EC-124). Alerts of zri's own are nothing to the kernel (EC-113).
if [ -n "$have_ri" ] && "$cross" -static -nostdlib -ffreestanding -fno-stack-protector -O2 -march=z10 \
    -o "$work/linux-z10" "$here/linux-z10.c" 2>"$work/cross"; then
    sh "$here/mkinitrd.sh" "$busybox" "$work/initrd10" "$work/linux-z10=init"
    case $("$zri" --profile z10 --script /dev/null 2>&1) in
    *'claims facilities'*) without=--facility=-17 ;; # built without nettle
    *) without= ;;
    esac
    printf 'expect Run /init\nctr inject PM\nctr inject ET\nctr inject LCDA\ng\nquit\n' >"$work/script10"
    # shellcheck disable=SC2086
    "$zri" $quick --profile z10 $without -m 128M --seconds "${ZRI_SECONDS:-300}" --kernel "$kernel" --initrd "$work/initrd10" \
        --script "$work/script10" >"$work/z10" 2>"$work/z10.end" </dev/null
    grep -q '^the guest powered off' "$work/z10" || fail "z10: $(tail -n 1 "$work/z10") $(cat "$work/z10.end")"
    says z10 'Counter data was lost'
    grep -q '^linux-z10: 2000[0-9]* instructions, PASS' "$work/z10" || fail "z10: $(grep linux-z10 "$work/z10")"
    says z10 'CPU-MF: Counter facility: version=3.5'
fi

# 2. The VT220 console, two CPUs, typed commands, the kernel where it wants to be.
part 'LB-26 LB-28 LB-T4 LB-60 LB-61 LB-63 LB-T7 LB-97 LB-T10 LB-96 the ASCII console, two CPUs, a shell, a second boot, power-off'
start_typing ascii --cpus 2 -m 256M --kernel "$kernel" --initrd "$initrd" --append 'console=ttysclp0 zri.shell'
if wait_for ascii 'zri# '; then
    type_line 'echo a$((6 * 7))b; uname -m; nproc'
    wait_for ascii a42b
    type_line 'for i in 1 2 3; do echo "line $i" | sha256sum; done; cat /proc/consoles'
    wait_for ascii ttysclp0
    prompts=$(grep -cF 'zri# ' "$work/ascii")
    type_line 'reboot -f'
    wait_for ascii 'zri-init: started' 2 && wait_for ascii 'zri# ' $((prompts + 1))
    type_line 'echo b$((6 * 8))c; poweroff -f'
    wait_for ascii b48c
fi
wait_end
good_end ascii
says ascii 'smp: Brought up 1 node, 2 CPUs'
says ascii s390x
for i in 1 2 3; do says ascii "$(echo "line $i" | sha256sum)"; done

# 2a. Four CPUs; a kernel that panics ends in a disabled wait and another exit status.
part 'LB-T4 LB-60 LB-61 LB-96 four CPUs, a panic'
boot panic --cpus 4 -m 128M --kernel "$kernel" --initrd "$initrd" --append 'nokaslr rdinit=/none root=/dev/none panic=0'
says panic 'smp: Brought up 1 node, 4 CPUs'
says panic 'Kernel panic'
[ "$status" -eq 1 ] && grep -q 'disabled wait, PSW' "$work/panic.end" || fail "panic: exit status $status, $(cat "$work/panic.end")"

# 3. A load list, and typed lines in line mode, one of them long; then the operator asks for the end (SIGTERM).
part 'LB-6 LB-T3 LB-25 LB-27 LB-T7 LB-98 a load list, typed lines in line mode, the operator asks for the end'
printf '\0\200\0\0' >"$work/address" # X'800000'
size=$(wc -c <"$initrd")
# shellcheck disable=SC2059
printf "$(printf '\\%03o' $((size >> 24)) $((size >> 16 & 255)) $((size >> 8 & 255)) $((size & 255)))" >"$work/length"
printf 'nokaslr zri.shell\0' >"$work/line"
printf '%s 0\n%s 0x800000\n%s 0x1040c\n%s 0x10414\n%s 0x10480\n' "$kernel" "$initrd" "$work/address" "$work/length" \
    "$work/line" >"$work/linux.ins"
start_typing lines -m 256M "$work/linux.ins"
if wait_for lines 'zri# '; then
    long=$(printf '%0230d' 0 | tr 0 x)
    type_line "echo $long | wc -c"
    wait_for lines 231
    type_line 'awk "BEGIN { print 3.5 * 4 }"; echo done-$?'
    wait_for lines done-0
    kill -TERM "$pid"
fi
wait_end
[ $status -eq 0 ] || fail "lines: exit status $status, $(cat "$work/lines.end")"
grep -q ' 0000000000000FFF' "$work/lines.end" || fail "lines: $(cat "$work/lines.end")"
grep -qx 14 "$work/lines" || fail "lines: awk's answer is missing"

finish "Linux $(strings "$kernel" | sed -n 's/^\([0-9.]*-[^ ]*\) (.*/\1/p' | head -n 1) boots to busybox on the line-mode and on the VT220 console${have_ri:+; run-time instrumentation works through the kernel}"
