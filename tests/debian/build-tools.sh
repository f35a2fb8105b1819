#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the name of a disk image (an ext4 file system, no partitions) with programs of Debian 12 for s390x and all that they
# need: build-tools.sh [NAME PACKAGE...], NAME is "tools" and has util-linux, s390-tools, nodejs when nothing is said. Built
# once into a cache folder outside the tree; nothing of it is configured, its programs are to be started by chroot. Exit status
# 77: it cannot be had here; the reason is on standard error.
set -u
[ $# -gt 1 ] || set -- tools util-linux s390-tools nodejs
name=$1
shift
cache=${ZRI_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/zri-tests}/debian-12
image=$cache/$name.img
unavailable()
{
    echo "build-tools: no programs of Debian for s390x here: $*" >&2
    exit 77
}

if [ -s "$image" ]; then
    echo "$image"
    exit 0
fi
PATH=$PATH:/usr/sbin:/sbin
[ "${ZRI_OFFLINE:-0}" = 0 ] || unavailable "ZRI_OFFLINE is set"
for tool in apt-get dpkg-deb mke2fs; do
    command -v $tool >/dev/null || unavailable "this host has no $tool"
done
mkdir -p "$cache" || unavailable "cannot make $cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d "$cache/$name.XXXXXX") || unavailable "cannot write into $cache"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# apt with a state of its own, in which nothing is installed: it fetches the packages and all that they depend on.
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/root" && : >"$work/status"
apt()
{
    timeout 600 apt-get -q -oAPT::Architecture=s390x -oAPT::Architectures=s390x -oAPT::Sandbox::User= \
        -oDir::State="$work" -oDir::State::lists="$work/lists" -oDir::State::status="$work/status" \
        -oDir::Cache="$work" -oDir::Cache::archives="$work/archives" -oAcquire::Languages=none \
        -oAcquire::http::Timeout=20 -oAcquire::Retries=2 "$@" >>"$work/log" 2>&1
}
echo "build-tools: fetching the packages" >&2
apt update # what could not be had shows below
apt -y --no-install-recommends --download-only install "$@" ||
    unavailable "$(tail -n 2 "$work/log")"
for package in "$work"/archives/*.deb; do
    dpkg-deb -x "$package" "$work/root" || unavailable "${package##*/} cannot be unpacked"
done
rm -rf "$work/root/usr/share/doc" "$work/root/usr/share/man"
mkdir -p "$work/root/proc" "$work/root/sys" "$work/root/dev" "$work/root/tmp"
truncate -s 384M "$work/image"
mke2fs -q -F -t ext4 -b 4096 -m 0 -d "$work/root" "$work/image" >>"$work/log" 2>&1 ||
    unavailable "$(tail -n 2 "$work/log")"
mv "$work/image" "$image"
echo "$image"
