#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's unmodified kernel and the channel subsystem (spec/linux-boot.md LB-5, LB-70 to LB-84): initial program loading
# from three card decks, a typed session on a 3215 console, devices in two subchannel sets, an ext4 file system on a
# fixed-block disk: written and read back, in snapshot mode, read-only; two runs are the same.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
version=$(strings "$kernel" | sed -n 's/^\([0-9.]*-[^ ]*\) (.*/\1/p' | head -n 1)

# 1. The decks: kernel, parameters, RAM disk.
part 'LB-5 LB-T3 LB-2 IPL from three card decks'
echo 'nokaslr zri.info' >"$work/parameters"
boot decks -m 128M --device "000C,3505,$kernel,ascii,$work/parameters,ebcdic,$initrd" --ipl 000C
good_end decks
says decks 'Kernel command line: nokaslr zri.info'
says decks 'zri-init: the end'
says decks 'zri-info: loaded by ccw 0.0.000c'
says decks 'zri-info: loaded again by ccw 0.0.000c'

# 2. The 3215 console: typed lines, one after the other and one long; characters that differ between code pages.
part 'LB-84 LB-73 a 3215 console'
start_typing typed -m 128M --device 0009,3215 --kernel "$kernel" --initrd "$initrd" \
    --append 'nokaslr conmode=3215 condev=0x0009 zri.shell'
if wait_for typed 'zri# '; then
    type_line 'echo a$((6 * 7))b; echo "[x] ^ | !"'
    type_line 'cat /proc/consoles'
    wait_for typed a42b
    wait_for typed '[x] ^ | !' 2
    wait_for typed 'ttyS0'
    long=$(printf '%0130d' 0 | tr 0 x)
    type_line "echo $long | wc -c"
    wait_for typed 131
    type_line 'poweroff -f'
fi
wait_end
good_end typed

# 2a. The operator gives the running guest devices and takes one away, and asks it to end.
part 'LB-56 LB-70 LB-73 LB-98 devices come and go; signal quiesce from the console'
cat >"$work/script" <<END
expect zri#
attach 0120 3370 =1M
.sleep 1; ls /sys/bus/ccw/devices; echo attached-\$?
expect attached-0
attach 1:0009 3215
detach 0120
.sleep 1; ls /sys/bus/ccw/devices; echo detached-\$?
expect detached-0
quiesce
g
END
# shellcheck disable=SC2086
"$zri" $quick -m 128M --seconds "${ZRI_SECONDS:-300}" --kernel "$kernel" --initrd "$initrd" --append 'nokaslr zri.shell' \
    --script "$work/script" >"$work/come" 2>"$work/come.end" </dev/null
status=$?
[ $status -eq 0 ] || fail "come: exit status $status"
sed '/^attached-0/,$d' "$work/come" | grep -qx 0.0.0120 || fail "come: the disk did not come"
sed '1,/^attached-0/d' "$work/come" | grep -qx 0.1.0009 || fail "come: the console did not come"
sed '1,/^attached-0/d' "$work/come" | grep -qx 0.0.0120 && fail "come: the disk did not go"
grep -q 'disabled wait, PSW 0002000180000000 0000000000000FFF' "$work/come" || fail "come: no end in order: $(tail -n 1 "$work/come")"

enough "Linux $version boots from card decks, talks on a 3215, and sees devices come and go"

# 3. Disks. The modules come from the kernel's package.
part 'LB-82 LB-70 LB-72 LB-73 LB-37 a file system on a fixed-block disk, two subchannel sets'
modules=$(sh "$here/../compare/fetch-s390x" "linux-image-$version" lib/modules)
if [ -z "$modules" ] || ! command -v mke2fs >/dev/null || ! command -v e2fsck >/dev/null; then
    part_skipped "the disk was not tried: no modules, or no mke2fs here"
    finish "decks and 3215 console work"
fi
list=
order=
for module in lib/crc16 fs/mbcache fs/jbd2/jbd2 crypto/crc32c_generic fs/ext4/ext4 drivers/s390/block/dasd_mod \
    drivers/s390/block/dasd_fba_mod; do
    list="$list $modules/$version/kernel/$module.ko"
    order="$order ${module##*/}"
done
cat >"$work/disk-test" <<END
#!/bin/sh
for m in$order; do insmod /bin/\$m.ko || echo "disk-test: \$m cannot be loaded"; done
for d in /sys/bus/ccw/devices/*; do echo "disk-test: \${d##*/} \$(cat \$d/cutype) \$(cat \$d/devtype)"; done
echo 1 >/sys/bus/ccw/devices/0.0.0120/online
echo 1 >/sys/bus/ccw/devices/0.1.0121/online
sleep 1
mkdir -p /tmp/disk
case " \$(cat /proc/cmdline) " in *" readonly "*) options=-oro,noload ;; *) options= ;; esac
mount \$options -t ext4 /dev/dasda /tmp/disk || echo "disk-test: no file system"
cat /tmp/disk/hello
if [ -z "\$options" ]; then
    awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%05d %08d\n", i, i * 104729 % 15485863 }' >/tmp/disk/data
    umount /tmp/disk
    echo 3 >/proc/sys/vm/drop_caches
    mount -t ext4 /dev/dasda /tmp/disk
    echo "disk-test: \$(sha256sum </tmp/disk/data)"
else
    dd if=/dev/zero of=/dev/dasda bs=4096 count=1 conv=fsync || echo "disk-test: it cannot be written"
    echo 1 >/sys/bus/ccw/devices/0.0.0122/online
    sleep 1
    dd if=/bin/busybox of=/dev/dasdc bs=4096 count=64 conv=fsync && echo "disk-test: there is room for this"
    dd if=/bin/busybox of=/dev/dasdc bs=4096 count=1 seek=3000 conv=fsync || echo "disk-test: there is no room for that"
fi
umount /tmp/disk
dd if=/dev/zero of=/dev/dasdb bs=64k count=16 && echo "disk-test: \$(sha256sum </dev/dasdb)"
END
# shellcheck disable=SC2086
sh "$here/mkinitrd.sh" "$busybox" "$work/disk-initrd" "$work/disk-test" $list
mkdir -p "$work/files" && echo "hello from the host" >"$work/files/hello"
truncate -s 16M "$work/disk"
mke2fs -q -F -t ext4 -b 4096 -d "$work/files" "$work/disk" || fail "mke2fs"
cp "$work/disk" "$work/untouched"
sum=$(awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%05d %08d\n", i, i * 104729 % 15485863 }' | sha256sum)
disks() # NAME WORDS-OF-THE-DISK APPEND
{
    # shellcheck disable=SC2086
    boot "$1" -m 128M --device 0120,9336,$work/disk$2 --device 1:0121,3370,=1M --kernel "$kernel" \
        --initrd "$work/disk-initrd" --append "nokaslr zri.run=/bin/disk-test $3"
    good_end "$1"
    says "$1" 'disk-test: 0.0.0120 6310/80 9336/10'
    says "$1" 'disk-test: 0.1.0121 3880/01 3370/00'
    says "$1" 'hello from the host'
}
for run in snapshot again; do
    disks $run ,snapshot ''
    says $run "disk-test: $sum"
    says $run "disk-test: $(head -c 1048576 /dev/zero | sha256sum)"
    cmp "$work/disk" "$work/untouched" || fail "$run: snapshot mode changed the file"
done
cmp "$work/snapshot" "$work/again" || fail "two runs differ: $(diff "$work/snapshot" "$work/again" | head -n 4)"
# The third disk has room for its first half only: files of this shell become no longer.
truncate -s 16M "$work/full"
ulimit -S -f $((8 << 11))
disks readonly ",ro --device 0122,9336,$work/full" readonly
ulimit -S -f unlimited
says readonly 'disk-test: there is room for this'
says readonly 'disk-test: there is no room for that'
grep -q "device 0:0122: cannot write the disk image '$work/full' at byte 12288000: File too large" "$work/readonly.end" ||
    fail "readonly: no message: $(cat "$work/readonly.end")"
says readonly 'disk-test: it cannot be written'
cmp "$work/disk" "$work/untouched" || fail "a read-only disk was changed"
disks written '' ''
says written "disk-test: $sum"
cmp -s "$work/disk" "$work/untouched" && fail "nothing was written to the file"
e2fsck -fn "$work/disk" >"$work/fsck" 2>&1 || fail "the file system: $(cat "$work/fsck")"

finish "Linux $version boots from card decks, talks on a 3215, and keeps a file system on a fixed-block disk"
