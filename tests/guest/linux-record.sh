#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Recordings under Debian's kernel: a boot that is typed to and has a network (DHCP, a download from a server on the host, a
# server in the guest that the host uses) and a disk that it writes to is replayed without any of them, on other engines and
# observed, and leaves the same storage to the last byte. RECORD_ALL=1, as make bench-record has it: under more observation.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
modules=$(sh "$here/fetch-kernel.sh" modules) || exit 77
command -v python3 >/dev/null || skip "no python3 for a server on this host"
grep -q 'define HAVE_ZLIB' config.h 2>/dev/null || skip "zri was built without zlib"
"$zri" --device 0000,virtio-net,user --batch </dev/null >"$work/nonet" 2>&1
grep -q 'without libslirp' "$work/nonet" && skip "zri was built without libslirp"
PATH=$PATH:/usr/sbin:/sbin

set -- "$here/virtio-guest=bin/virtio"
for module in "$modules"/*.ko; do set -- "$@" "$module"; done
sh "$here/mkinitrd.sh" "$busybox" "$work/initrd.virtio" "$@"
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%05d %06d %08d\n", i, i * 7919 % 1000003, i * 104729 % 15485863 }' \
    >"$work/data"
mkdir "$work/root"
cp "$work/data" "$work/root/data"
cp "$work/data" "$work/root/old"
parts=net
disk=
if command -v mke2fs >/dev/null && mke2fs -q -t ext4 -d "$work/root" "$work/disk.img" 24M >"$work/log" 2>&1; then
    parts=disk,net
    disk="--disk $work/disk.img"
    cp "$work/disk.img" "$work/pristine.img"
fi

# 1. Recorded: with the network, by both clocks.
record() # NAME CLOCK
{
    start_host "$1"
    append="nokaslr quiet zri.part=$parts zri.port=$port zri.run=/bin/virtio"
    # shellcheck disable=SC2086
    boot "$1" -m 128M --kernel "$kernel" --initrd "$work/initrd.virtio" --clock "$2" --append "$append" $disk \
        --net "user,hostloopback=on,hostfwd=tcp:$forward-:7" --record "$work/$1.rec" --savecore "$work/$1.core:0-7FFFFFF"
    good_end "$1"
    wait $host
    says "$1" "virtio: from the host $(sha256sum <"$work/data" | cut -c 1-64)"
    says "$1" "virtio: served"
    echo "$1: a recording of $(wc -c <"$work/$1.rec") bytes"
}
replay() # NAME CLOCK AS OPTIONS...: what was recorded as AS
{
    name=$1 clock=$2 as=$3
    shift 3
    # shellcheck disable=SC2086
    boot "$name" -m 128M --kernel "$kernel" --initrd "$work/initrd.virtio" --clock "$clock" --append "$append" $disk \
        --net user --replay "$work/$as.rec" --savecore "$work/$name.core:0-7FFFFFF" "$@"
    good_end "$name"
    cmp "$work/$as" "$work/$name" || fail "$name: the guest writes something else"
    cmp "$work/$as.core" "$work/$name.core" || fail "$name: storage is another one"
    rm -f "$work/$name.core"
}
part 'a boot with network and a written disk is replayed with other engines and under observation'
record first virtual
[ -z "${RECORD_ALL:-}" ] || replay again virtual first
[ -z "$disk" ] || cmp -s "$work/disk.img" "$work/pristine.img" && fail "the guest has written nothing to the disk"
replay translated virtual first --engine translate --et-out "$work/et"
enough "a boot with network is replayed"
replay profiled virtual first --profile-out "$work/profile" --ri-log "$work/ri"

# Its end is found again from places in its middle, with what the network sent and the disk held then.
printf 'g\ngoto 300000000\nrs 10\ngoto 100000000\ng\n' >"$work/commands"
# shellcheck disable=SC2086
"$zri" $quick -m 128M --kernel "$kernel" --initrd "$work/initrd.virtio" --append "$append" $disk --net user \
    --replay "$work/first.rec" --history 256M --script "$work/commands" --savecore "$work/back.core:0-7FFFFFF" \
    >"$work/back" 2>&1 </dev/null || fail "backwards: exit status $?: $(tail -n 3 "$work/back")"
for words in 'it is there, 300000000' 'stepped back, 299999990' 'it is there, 100000000'; do
    grep -q "$words" "$work/back" || fail "backwards: not said: $words: $(tail -n 5 "$work/back")"
done
cmp "$work/first.core" "$work/back.core" || fail "backwards: storage is another one"

part 'a boot by the host'\''s clock and with true random numbers is replayed'
[ -z "$disk" ] || cp "$work/pristine.img" "$work/disk.img"
record second host
replay again2 host second --engine translate
finish "boots with network are replayed"
