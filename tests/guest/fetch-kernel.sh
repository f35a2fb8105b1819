#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the name of an unmodified Debian s390x kernel image (vmlinuz), fetching its package once into a cache folder
# outside the tree: fetch-kernel.sh [modules]. With `modules' the folder of the package's modules that the tests load, the
# files as they are named. Exit status 77: it cannot be had here (offline, no apt); the reason is on standard
# error.
set -u
cache=${ZRI_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/zri-tests}
kernel=$cache/vmlinuz
modules=$cache/modules
module_names='virtio_blk virtio_net virtio_console virtio-rng net_failover failover ext4 jbd2 mbcache crc16 crc32c_generic'
wanted=$kernel
[ "${1:-}" != modules ] || wanted=$modules
unavailable()
{
    echo "fetch-kernel: no Debian s390x kernel here: $*" >&2
    exit 77
}

if [ -n "${ZRI_TEST_KERNEL:-}" ]; then
    [ "$wanted" = "$kernel" ] || unavailable "ZRI_TEST_KERNEL names a kernel without modules"
    [ -r "$ZRI_TEST_KERNEL" ] || unavailable "ZRI_TEST_KERNEL=$ZRI_TEST_KERNEL cannot be read"
    echo "$ZRI_TEST_KERNEL"
    exit 0
fi
if [ ! -s "$kernel" ] || [ ! -e "$wanted" ]; then
    command -v apt-get >/dev/null || unavailable "this host has no apt-get"
    command -v dpkg-deb >/dev/null || unavailable "this host has no dpkg-deb"
    mkdir -p "$cache" || unavailable "cannot make $cache"
    work=$(mktemp -d "$cache/fetch.XXXXXX") || unavailable "cannot write into $cache"
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
    : >"$work/status"
    # apt with a state of its own, for another architecture: the host's packages are not looked at, nor changed. The host's
    # own sources are asked; those of other origins have nothing for s390x and may fail.
    apt()
    {
        tool=$1
        shift
        "$tool" -q -oAPT::Architecture=s390x -oAPT::Architectures=s390x -oDir::State="$work/state" \
            -oDir::Cache="$work/cache" -oDir::State::status="$work/status" \
            -oAPT::Sandbox::User=root -oAcquire::Retries=2 \
            -oAcquire::http::Timeout=20 -oAcquire::Languages=none "$@"
    }
    apt apt-get update >"$work/log" 2>&1 # what could not be had shows below
    package=$(apt apt-cache depends linux-image-s390x 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' |
        head -n 1)
    [ -n "$package" ] || unavailable "the archive names no kernel package"
    (cd "$work" && apt apt-get download "$package" >>"$work/log" 2>&1) || unavailable "$package cannot be fetched"
    dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -xf - -C "$work" --wildcards './boot/vmlinuz*' './lib/modules/*.ko' ||
        unavailable "$package cannot be unpacked"
    mkdir "$work/modules"
    for name in $module_names; do
        find "$work/lib/modules" -name "$name.ko" -exec cp {} "$work/modules" ';'
    done
    rm -rf "$modules"
    mv "$work/modules" "$modules"
    mv "$work"/boot/vmlinuz* "$kernel.new" && mv "$kernel.new" "$kernel"
    echo "$package" >"$cache/version"
fi
echo "$wanted"
