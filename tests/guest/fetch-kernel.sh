#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the name of an unmodified Debian s390x kernel image (vmlinuz), fetching its package once into a cache folder
# outside the tree: fetch-kernel.sh. Exit status 77: it cannot be had here (offline, no apt); the reason is on standard
# error.
set -u
cache=${ZRI_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/zri-tests}
kernel=$cache/vmlinuz
unavailable()
{
    echo "fetch-kernel: no Debian s390x kernel here: $*" >&2
    exit 77
}

if [ -n "${ZRI_TEST_KERNEL:-}" ]; then
    [ -r "$ZRI_TEST_KERNEL" ] || unavailable "ZRI_TEST_KERNEL=$ZRI_TEST_KERNEL cannot be read"
    echo "$ZRI_TEST_KERNEL"
    exit 0
fi
if [ ! -s "$kernel" ]; then
    command -v apt-get >/dev/null || unavailable "this host has no apt-get"
    command -v dpkg-deb >/dev/null || unavailable "this host has no dpkg-deb"
    mkdir -p "$cache" || unavailable "cannot make $cache"
    work=$(mktemp -d "$cache/fetch.XXXXXX") || unavailable "cannot write into $cache"
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
    : >"$work/status"
    # apt with a state of its own and another architecture: the host's packages are not looked at, nor changed. Sources
    # of other origins do not carry s390x, so Debian's own archive alone is named.
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -r $keyring ] || unavailable "no Debian archive keyring"
    echo "deb [signed-by=$keyring] ${ZRI_TEST_MIRROR:-$(sed -n "s/^URIs: //p" /etc/apt/sources.list.d/debian.sources | head -n 1)} bookworm main" >"$work/sources.list"
    apt()
    {
        tool=$1
        shift
        "$tool" -q -oAPT::Architecture=s390x -oAPT::Architectures=s390x -oDir::State="$work/state" \
            -oDir::Cache="$work/cache" -oDir::State::status="$work/status" -oDir::Etc::sourcelist="$work/sources.list" \
            -oDir::Etc::sourceparts=/dev/null -oAPT::Sandbox::User=root -oAcquire::Retries=2 \
            -oAcquire::http::Timeout=20 -oAcquire::Languages=none -oAPT::Update::Error-Mode=any "$@"
    }
    apt apt-get update >"$work/log" 2>&1 || unavailable "the package lists cannot be fetched ($(tail -n 1 "$work/log"))"
    package=$(apt apt-cache depends linux-image-s390x 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' |
        head -n 1)
    [ -n "$package" ] || unavailable "the archive names no kernel package"
    (cd "$work" && apt apt-get download "$package" >>"$work/log" 2>&1) || unavailable "$package cannot be fetched"
    dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -xf - -C "$work" --wildcards './boot/vmlinuz*' ||
        unavailable "$package cannot be unpacked"
    mv "$work"/boot/vmlinuz* "$kernel.new" && mv "$kernel.new" "$kernel"
    echo "$package" >"$cache/version"
fi
echo "$kernel"
