#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make bench-linux: Debian's kernel to a shell on zri and, in the same run, on qemu-system-s390x: seconds of CPU time (a
# busy host disturbs little), guest MIPS, storage of the process beyond that of the guest, and what an idle guest costs.
# by hand: part 'LB-100 LB-101 LB-53 boot time and idle time side by side with QEMU'
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
guest_mb=256

cpu_seconds() # FILE COMMAND...: CPU time of the command, output to FILE
{
    out=$1
    shift
    sh -c 'out=$1; shift; "$@" >"$out" 2>"$out.err" </dev/null; times' sh "$out" "$@" |
        awk 'NR == 2 { gsub(/[ms]/, " "); printf "%.2f", $1 * 60 + $2 + $3 * 60 + $4 }'
}
best() # of two runs
{
    a=$(cpu_seconds "$@") b=$(cpu_seconds "$@")
    awk "BEGIN { print $a < $b ? $a : $b }"
}

# side_by_side WHAT WORDS: boots that power off by themselves. QEMU does not tell how many instructions it carries out: its
# MIPS are those that it would have with zri's number of them.
side_by_side()
{
    words=$2
    printf 'g\nclocks\nquit\n' >"$work/script"
    "$zri" -m ${guest_mb}M --kernel "$kernel" --initrd "$initrd" --append "$words" --script "$work/script" >"$work/count" </dev/null
    instructions=$(sed -n 's/.*instructions *\([0-9]*\).*/\1/p' "$work/count" | tail -n 1)
    ours=$(best "$work/zri" "$zri" --batch -m ${guest_mb}M --kernel "$kernel" --initrd "$initrd" --append "$words")
    grep -q 'zri-init: the end' "$work/zri" || fail "zri did not come to the end: $1"
    echo "$1: $instructions instructions"
    echo "  zri:  $ours s, $(mips "$ours") MIPS"
    command -v qemu-system-s390x >/dev/null || return
    theirs=$(best "$work/qemu" qemu-system-s390x -M s390-ccw-virtio -cpu max -m $guest_mb -nographic -nodefaults -no-reboot \
        -chardev stdio,id=c -device sclpconsole,chardev=c -kernel "$kernel" -initrd "$initrd" -append "$words")
    grep -q 'zri-init: the end' "$work/qemu" || fail "QEMU did not come to the end: $1"
    echo "  QEMU: $theirs s, $(mips "$theirs") MIPS; zri takes $(awk "BEGIN { printf \"%.2f\", $ours / $theirs }") times as long"
    awk "BEGIN { exit !($ours > 3 * $theirs) }" && fail "$1: more than 3 times QEMU's time"
    :
}
mips() { awk "BEGIN { printf \"%.0f\", $instructions / $1 / 1e6 }"; }
side_by_side 'boot to the shell, and off' 'nokaslr'
side_by_side 'boot to the shell, programs, and off' 'nokaslr zri.work'

# An idle guest at its shell, with each clock: CPU time over 10 seconds, and the memory of the process.
field() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$pid/status"; }
ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$pid/stat"; }
for clock in virtual host; do
    start_typing idle --clock $clock -m ${guest_mb}M --kernel "$kernel" --initrd "$initrd" --append 'nokaslr zri.shell'
    wait_for idle 'zri# ' || continue
    sleep 3
    before=$(ticks)
    sleep 10
    percent=$(awk "BEGIN { print ($(ticks) - $before) * 100 / 10 / $(getconf CLK_TCK) }")
    beyond=$(($(field VmHWM) / 1024 - guest_mb))
    # Of the guest's storage only what it touched is resident: count the rest of the process.
    rest=$(awk -v guest=$((guest_mb * 1024)) '/^[0-9a-f]+-/ { size = 0 } /^Size:/ { size = $2 }
        /^Rss:/ { if (size < guest) sum += $2 } END { print int(sum / 1024) }' "/proc/$pid/smaps")
    echo "idle, clock=$clock: $percent % of a CPU; $rest MB beyond guest storage"
    awk "BEGIN { exit !($percent > 2) }" && fail "idle, clock=$clock: $percent % of a CPU"
    [ "$rest" -le 40 ] || fail "$rest MB beyond guest storage ($beyond)"
    type_line 'poweroff -f'
    wait_end
done
[ $failed -eq 0 ]
