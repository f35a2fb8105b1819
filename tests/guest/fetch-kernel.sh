#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the name of an unmodified Debian s390x kernel image (vmlinuz), fetching its package once into a cache folder
# outside the tree: fetch-kernel.sh [modules|newest]. With `modules' the folder of the package's modules that the tests load,
# the files as they are named. With `newest' not the kernel of this release but the one that its archive offers for it from
# the next (backports). Exit status 77: it cannot be had here (offline, no apt); the reason is on standard error.
set -u
cache=${ZRI_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/zri-tests}
[ "${1:-}" != newest ] || cache=$cache/newest
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

if [ -n "${ZRI_TEST_KERNEL:-}" ] && [ "${1:-}" != newest ]; then
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
    sources=
    if [ "${1:-}" = newest ]; then # the backports of this host's release, where its own packages come from
        release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
        archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
            sed -n -e 's/^URIs: *\(http[^ ]*debian\/*\)$/\1/p' -e 's/^deb .*\(http[^ ]*debian\/*\) .*/\1/p' | head -n 1)
        [ -n "$release" ] && [ -n "$archive" ] || unavailable "this host's packages come from no archive of Debian"
        mkdir "$work/parts"
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $release-backports main" >"$work/sources.list"
        sources="-oDir::Etc::sourcelist=$work/sources.list -oDir::Etc::sourceparts=$work/parts"
    fi
    # apt with a state of its own, for another architecture: the host's packages are not looked at, nor changed. The host's
    # own sources are asked; those of other origins have nothing for s390x and may fail.
    apt()
    {
        tool=$1
        shift
        # shellcheck disable=SC2086
        "$tool" -q $sources -oAPT::Architecture=s390x -oAPT::Architectures=s390x -oDir::State="$work/state" \
            -oDir::Cache="$work/cache" -oDir::State::status="$work/status" \
            -oAPT::Sandbox::User=root -oAcquire::Retries=2 \
            -oAcquire::http::Timeout=20 -oAcquire::Languages=none "$@"
    }
    apt apt-get update >"$work/log" 2>&1 # what could not be had shows below
    package=$(apt apt-cache depends linux-image-s390x 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' |
        head -n 1)
    [ -n "$package" ] || unavailable "the archive names no kernel package"
    (cd "$work" && apt apt-get download "$package" >>"$work/log" 2>&1) || unavailable "$package cannot be fetched"
    files='./boot/vmlinuz* ./lib/modules/*.ko'
    [ "${1:-}" != newest ] || files='./boot/vmlinuz*'
    package_file=$(echo "$work/$package"_*.deb)
    set -f # the patterns are tar's
    # shellcheck disable=SC2086
    dpkg-deb --fsys-tarfile "$package_file" | tar -xf - -C "$work" --wildcards $files ||
        unavailable "$package cannot be unpacked"
    set +f
    mkdir "$work/modules"
    for name in $module_names; do
        [ ! -d "$work/lib/modules" ] || find "$work/lib/modules" -name "$name.ko" -exec cp {} "$work/modules" ';'
    done
    rm -rf "$modules"
    mv "$work/modules" "$modules"
    mv "$work"/boot/vmlinuz* "$kernel.new" && mv "$kernel.new" "$kernel"
    echo "$package" >"$cache/version"
fi
echo "$wanted"
