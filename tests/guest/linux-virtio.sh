#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Virtio devices under Debian's kernel (LB-74, LB-81): an ext4 file system on a disk is read and written and found whole by
# the host afterwards; snapshot mode and read-only disks; a disk that becomes shorter; console; random numbers; the network:
# DHCP, a server on the host, a server in the guest reached from the host.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
modules=$(sh "$here/fetch-kernel.sh" modules) || exit 77
PATH=$PATH:/usr/sbin:/sbin
command -v mke2fs >/dev/null || {
    echo "skipped: no mke2fs on this host (package e2fsprogs)"
    exit 77
}

set -- "$here/virtio-guest=bin/virtio"
for module in "$modules"/*.ko; do set -- "$@" "$module"; done
sh "$here/mkinitrd.sh" "$busybox" "$work/initrd.virtio" "$@"
initrd=$work/initrd.virtio
linux() # NAME PARTS OPTIONS...
{
    name=$1 parts=$2
    shift 2
    boot "$name" -m 128M --kernel "$kernel" --initrd "$initrd" \
        --append "nokaslr quiet zri.part=$parts zri.run=/bin/virtio" "$@"
    good_end "$name"
}
sum() { sha256sum | cut -c 1-64; }

# A file system with known contents.
mkdir "$work/root"
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%05d %06d %08d\n", i, i * 7919 % 1000003, i * 104729 % 15485863 }' \
    >"$work/root/data"
cp "$work/root/data" "$work/root/old"
mke2fs -q -t ext4 -d "$work/root" "$work/disk.img" 24M >"$work/log" 2>&1 || {
    echo "skipped: this mke2fs cannot fill a file system: $(cat "$work/log")"
    exit 77
}
cp "$work/disk.img" "$work/pristine.img"
echo "the second disk" | dd of="$work/second.img" bs=64K count=1 conv=sync 2>/dev/null
data=$(sum <"$work/root/data")
new=$(cat "$work/root/data" "$work/root/data" "$busybox" | sum)

# The same as a compressed image, when it can be made here and zri was built with zlib (seen in the build's config.h).
third=
if ! grep -q 'define HAVE_ZLIB' config.h 2>/dev/null; then
    echo "qcow2: not tested, zri was built without zlib"
elif command -v python3 >/dev/null && python3 "$here/virtio-qcow2.py" "$work/pristine.img" "$work/third.qcow2"; then
    third="--disk $work/third.qcow2,snapshot"
fi

# 1. Snapshot mode, twice, with what else there is: the guest is content, the image untouched, both runs the same.
part 'LB-81 LB-74 LB-70 virtio disks, console and random numbers; two runs are the same'
runs='first second'
short && runs=first
for run in $runs; do
    # shellcheck disable=SC2086
    linux $run disk,other --disk "$work/disk.img,snapshot" --disk "$work/second.img,ro" $third --device 0010,virtio-console \
        --device 0011,virtio-rng
done
short || cmp "$work/first" "$work/second" || fail "two runs differ"
says first "virtio: data $data zri-0:0000"
says first "virtio: new $new 9 number 7"
says first "virtio: size 49152 512"
[ -z "$third" ] || says first "virtio: third disk $data changed"
says first "virtio: second disk ro 1 the second disk"
says first "virtio: second disk is not written"
says first "virtio: this came by hvc0"
says first "virtio: random "
says first "virtio: adapter interruptions 1"
cannot=$(grep 'virtio: \(no module\|cannot\)' "$work/first") && fail "first: $cannot"
cmp "$work/disk.img" "$work/pristine.img" || fail "snapshot mode has written to the image"

# 2. The network, with both clocks.
part 'LB-85 the network by virtio'
"$zri" --device 0000,virtio-net,user --batch </dev/null >"$work/nonet" 2>&1
if grep -q 'without libslirp' "$work/nonet"; then
    part_skipped "network: not tested, zri was built without libslirp"
elif ! command -v python3 >/dev/null; then
    part_skipped "network: not tested, there is no python3 for a server on this host"
else
    clocks='virtual host'
    short && clocks=virtual
    for clock in $clocks; do
        start_host "net-$clock"
        boot "net-$clock" -m 128M --kernel "$kernel" --initrd "$initrd" --clock "$clock" \
            --append "nokaslr quiet zri.part=net zri.port=$port zri.run=/bin/virtio" --net "user,hostloopback=on,hostfwd=tcp:$forward-:7"
        good_end "net-$clock"
        wait $host
        says "net-$clock" "virtio: lease 10.0.2.15 10.0.2.2 10.0.2.3"
        says "net-$clock" "virtio: from the host $data"
        says "net-$clock" "virtio: served"
        grep -q 'the guest summed up' "$work/host" || fail "net-$clock: $(cat "$work/host")"
    done
fi

enough 'virtio disks, console, random numbers and network'

# 3. As in 1., saved in the middle of it all and resumed: the guest notices nothing.
part 'LB-81 LB-74 a machine with virtio devices resumed; disks written through, above others, too short'
printf 'g\nsnapshot save %s\n' "$work/saved" >"$work/script"
# shellcheck disable=SC2086
"$zri" $quick -m 128M --seconds "${ZRI_SECONDS:-300}" --limit 3400000000 --kernel "$kernel" --initrd "$initrd" \
    --append "nokaslr quiet zri.part=disk,other zri.run=/bin/virtio" --disk "$work/disk.img,snapshot" \
    --disk "$work/second.img,ro" $third --device 0010,virtio-console --device 0011,virtio-rng --script "$work/script" \
    >"$work/begun" 2>&1 </dev/null
if grep -q 'built without zlib' "$work/begun"; then
    echo "snapshot: not tested, zri was built without zlib"
else
    boot resumed --snapshot "$work/saved"
    good_end resumed
    grep -h '^virtio: ' "$work/first" >"$work/first.lines"
    cat "$work/begun" "$work/resumed" | grep '^virtio: ' | diff "$work/first.lines" - >"$work/log" ||
        fail "resumed: other lines than in one run: $(cat "$work/log")"
    cmp "$work/disk.img" "$work/pristine.img" || fail "resumed: written to the image"
fi

# An image above another one, if there is a qemu-img to make and judge it: written in place, and given back by fstrim.
over=
if command -v qemu-img >/dev/null; then
    qemu-img create -q -f qcow2 -b pristine.img -F raw "$work/over.qcow2" && over="--disk $work/over.qcow2"
else
    echo "qcow2 in place: not tried here, there is no qemu-img (package qemu-utils)"
fi

# 4. Written through, several CPUs: the host finds a whole file system with the new file in it.
# shellcheck disable=SC2086
linux written disk --cpus 2 --disk "$work/disk.img" --disk "$work/second.img,ro" $over
says written "virtio: new $new 9 number 7"
says written "virtio: queues 2"
e2fsck -fn "$work/disk.img" >"$work/fsck" 2>&1 || fail "the file system is damaged: $(cat "$work/fsck")"
[ "$(debugfs -R 'cat /new' "$work/disk.img" 2>/dev/null | sum)" = "$new" ] || fail "the host reads another file than the guest wrote"
if [ -n "$over" ]; then
    says written "virtio: third disk $data changed"
    qemu-img check -q "$work/over.qcow2" >"$work/log" 2>&1 || fail "qemu-img check: $(cat "$work/log")"
    qemu-img convert -O raw "$work/over.qcow2" "$work/over.img"
    e2fsck -fn "$work/over.img" >"$work/fsck" 2>&1 || fail "the file system above is damaged: $(cat "$work/fsck")"
    [ "$(debugfs -R 'cat /old' "$work/over.img" 2>/dev/null)" = changed ] || fail "the host reads another file above"
fi

# 5. An image becomes shorter and another cannot become longer while the guest boots: errors for the guest, a sentence for the operator, and a good end.
cp "$work/pristine.img" "$work/short.img"
(sleep 1 && truncate -s 1M "$work/short.img") &
truncate -s 16M "$work/full.img"
ulimit -S -f $((8 << 11)) # the second disk has room for its first half only
linux short short --disk "$work/short.img" --disk "$work/full.img"
ulimit -S -f unlimited
says short "virtio: the short disk gives errors"
grep -q "device 0:0000: cannot read the disk image '$work/short.img' at byte [0-9]*: Input/output error.*shorter" "$work/short.end" ||
    fail "short: no message: $(cat "$work/short.end")"
[ "$(wc -c <"$work/short.img")" -eq 1048576 ] || fail "the short disk has become longer again"
says short "virtio: the full disk takes what it has room for"
says short "virtio: the full disk gives errors"
grep -q "device 0:0001: cannot write the disk image '$work/full.img' at byte 12288000: File too large" "$work/short.end" ||
    fail "short: no message: $(cat "$work/short.end")"
[ "$(grep -c 'device 0:000' "$work/short.end")" -lt 8 ] || fail "too many messages: $(cat "$work/short.end")"

# A disk goes while the guest runs, and another comes.
cat >"$work/script" <<END
expect virtio: ready for less
detach 0000
.x
expect virtio: ready for more
attach 0000 virtio-blk $work/second.img ro serial=another
.x
expect virtio: power
g
quit
END
# shellcheck disable=SC2086
"$zri" $quick -m 128M --seconds "${ZRI_SECONDS:-300}" --kernel "$kernel" --initrd "$initrd" \
    --append "nokaslr quiet zri.part=hot zri.run=/bin/virtio" --disk "$work/disk.img,snapshot" --script "$work/script" \
    >"$work/hot" 2>"$work/hot.end" </dev/null
says hot "virtio: disks vda"
says hot "virtio: no disk"
says hot "virtio: another disk another the second disk"

finish "linux-virtio: all passed"
