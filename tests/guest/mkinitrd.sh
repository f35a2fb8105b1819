#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# An initial RAM disk for Linux on zri, from busybox and what else is named: mkinitrd.sh BUSYBOX OUTPUT [FILE[=NAME]]...
# FILEs go to /bin, or become NAME. Needs no root: an archive of the "newc" kind is nothing but headers and contents, and
# its device nodes are numbers in a header. Equal inputs give equal archives (all times are 0).
#
# Words on the kernel's command line say what /init does, in this order:
#   zri.info    tells of CPUs, storage and machine       zri.work    runs programs and prints sums of what they made
#   zri.run=P   runs the program P, prints its status    zri.shell   a shell at the console, until it is left
#   zri.halt, zri.reboot    the end, in place of powering off
set -eu
[ $# -ge 2 ] || {
    echo "usage: mkinitrd.sh BUSYBOX OUTPUT [FILE[=NAME]]..." >&2
    exit 2
}
busybox=$1 output=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0

zeros() # up to a multiple of 4 behind LENGTH
{
    case $(($1 % 4)) in
    1) printf '\0\0\0' ;;
    2) printf '\0\0' ;;
    3) printf '\0' ;;
    esac
}
member() # NAME MODE(hexadecimal) MAJOR MINOR CONTENTS
{
    length=$(($(wc -c <"$5")))
    number=$((number + 1))
    printf '070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\0' "$number" "0x$2" 0 0 1 0 "$length" 0 0 "$3" \
        "$4" $((${#1} + 1)) 0 "$1"
    zeros $((111 + ${#1}))
    cat "$5"
    zeros "$length"
}

cat >"$work/init" <<'END'
#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /tmp
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox mount -t tmpfs tmp /tmp
/bin/busybox --install -s /bin
export PATH=/bin HOME=/ PS1='zri# '
cd /tmp
words=$(cat /proc/cmdline)
asked() { case " $words " in *" $1 "*) ;; *) false ;; esac; }
say() { echo "zri-init: $*"; }

say "started, kernel $(uname -r), $(nproc) CPUs, $(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo) MB"
if asked zri.info; then
    grep -v '^bogomips' /proc/cpuinfo
    cat /proc/sysinfo
    cat /proc/interrupts
    echo "zri-info: loaded by $(cat /sys/firmware/ipl/ipl_type) $(cat /sys/firmware/ipl/device 2>/dev/null)"
    echo "zri-info: loaded again by $(cat /sys/firmware/reipl/reipl_type) $(cat /sys/firmware/reipl/ccw/device)"
    for index in /sys/devices/system/cpu/cpu0/cache/index*; do
        echo "zri-info: cache $(cat $index/level) $(cat $index/type) $(cat $index/size) $(cat $index/number_of_sets)"
    done
fi
if asked zri.work; then
    awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%05d %06d %08d\n", i, i * 7919 % 1000003, i * 104729 % 15485863 }' >data
    say "sha256sum $(sha256sum <data)"
    gzip -c data >data.gz
    say "gunzip $(gunzip -c data.gz | md5sum)"
    say "sort $(sort -k 2,2 data | sha1sum)"
    say "awk $(awk 'BEGIN { for (i = 1; i <= 20000; i++) { n += i * i % 7; x += 1 / i } printf "%d %.9f\n", n, x }')"
    n=0 sum=0
    while [ $n -lt 2000 ]; do n=$((n + 1)) sum=$((sum + n * n)); done
    say "loop $sum"
    n=0
    while [ $n -lt 20 ]; do /bin/true && n=$((n + 1)); done
    say "processes $n"
fi
for word in $words; do
    case $word in zri.run=*) "${word#*=}"; say "status $? of ${word#*=}" ;; esac
done
if asked zri.shell; then setsid cttyhack sh; fi
say "the end"
sleep 1 # the kernel writes to a line-mode console a little later
if asked zri.halt; then halt -f; elif asked zri.reboot; then reboot -f; else poweroff -f; fi
END

: >"$work/nothing"
printf busybox >"$work/link"
{
    for folder in bin dev etc proc sys tmp; do member $folder 41ED 0 0 "$work/nothing"; done
    member dev/console 2180 5 1 "$work/nothing"
    member dev/null 21B6 1 3 "$work/nothing"
    member bin/busybox 81ED 0 0 "$busybox"
    member bin/sh A1FF 0 0 "$work/link"
    member init 81ED 0 0 "$work/init"
    for extra in "$@"; do
        file=${extra%%=*} name=${extra#*=}
        [ "$name" != "$extra" ] || name=bin/${file##*/}
        member "${name#/}" 81ED 0 0 "$file"
    done
    member 'TRAILER!!!' 0 0 0 "$work/nothing"
} >"$work/archive"
gzip -9 -n <"$work/archive" >"$output"
