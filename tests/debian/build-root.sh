#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the name of a disk image with a minimal Debian 12 for s390x (an ext4 file system, no partitions), building it once
# into a cache folder outside the tree: build-root.sh KERNEL INITRD. debootstrap fetches the packages; its second stage,
# which runs the packages' own programs, runs on zri, so no s390x system is needed. Not being root needs fakeroot.
# Exit status 77: it cannot be had here, 1: it could not be made; the reason is on standard error.
set -u
zri=${ZRI:-./zri}
here=${srcdir:-.}/tests/debian
kernel=$1 initrd=$2
cache=${ZRI_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/zri-tests}/debian-12
# The place that this system's own packages come from.
mirror=${ZRI_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' 2>/dev/null | head -n 1)}
image=$cache/root.img
unavailable()
{
    echo "build-root: no Debian root file system here: $*" >&2
    exit 77
}
failed()
{
    echo "build-root: $*" >&2
    exit 1
}

if [ -s "$image" ]; then
    echo "$image"
    exit 0
fi
PATH=$PATH:/usr/sbin:/sbin
[ "${ZRI_OFFLINE:-0}" = 0 ] || unavailable "ZRI_OFFLINE is set"
for tool in debootstrap mke2fs e2fsck; do
    command -v $tool >/dev/null || unavailable "this host has no $tool"
done
as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v fakeroot >/dev/null || unavailable "not root, and no fakeroot"
    as_root=fakeroot
fi
mkdir -p "$cache/packages" || unavailable "cannot make $cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d "$cache/build.XXXXXX") || unavailable "cannot write into $cache"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# One shell for the first stage and the image: under fakeroot only it knows the owners of the files.
cat >"$work/first-stage" <<'STAGE'
set -e
debootstrap --foreign --arch=s390x --variant=minbase --cache-dir="$cache/packages" \
    --include=systemd-sysv,udev,python3-minimal,openssl bookworm "$work/root" "$mirror" >"$work/log" 2>&1
[ ! -L "$work/root/proc" ] || rm "$work/root/proc" # what debootstrap leaves where it may not mount
mkdir -p "$work/root/proc"
# The second stage goes through the list of packages again and again, with perl: leave only those in it that are taken.
for list in "$work"/root/var/lib/apt/lists/*_Packages; do
    awk -v names="$(cat "$work/root/debootstrap/required" "$work/root/debootstrap/base" | tr '\n' ' ')" '
        BEGIN { RS = ""; ORS = "\n\n"; for (n = split(names, name, " "); n > 0; n--) taken[name[n]] }
        $2 in taken' "$list" >"$work/list"
    cp "$work/list" "$list"
done
cp "$here/second-stage" "$work/root/second-stage"
chmod 755 "$work/root/second-stage"
chown -R root:root "$work/root/second-stage"
echo force-unsafe-io >"$work/root/etc/dpkg/dpkg.cfg.d/zri-build"
truncate -s 1G "$work/image"
mke2fs -q -F -t ext4 -b 4096 -m 0 -d "$work/root" "$work/image" >>"$work/log" 2>&1
STAGE
echo "build-root: fetching the packages" >&2
export here cache work mirror
$as_root sh "$work/first-stage" ||
    unavailable "first stage: $(tail -n 2 "$work/log")"
echo "build-root: the second stage runs on zri, which takes a few minutes" >&2
"$zri" --batch -m 1G --kernel "$kernel" --initrd "$initrd" --disk "$work/image" \
    --append 'root=/dev/vda rw init=/second-stage' >"$cache/second-stage.log" 2>"$work/end" </dev/null ||
    failed "second stage: $(cat "$work/end"), see $cache/second-stage.log"
grep -q '^second-stage: done' "$cache/second-stage.log" || failed "second stage: see $cache/second-stage.log"
# Files that are in use although deleted keep the file system from being made read-only at the end: the journal is
# replayed here.
e2fsck -fp "$work/image" >"$work/log" 2>&1
[ $? -le 1 ] || failed "the file system: $(cat "$work/log")"
mv "$work/image" "$image"
echo "$image"
