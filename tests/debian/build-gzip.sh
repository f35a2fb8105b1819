#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the name of a static gzip for s390x that uses the compression instruction where there is one (Debian's own is
# built without): from Debian's source package, compiled for the z15 once into a cache folder outside the tree.
# Exit status 77: it cannot be had here; the reason is on standard error.
set -u
cache=${ZRI_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/zri-tests}
cross=${S390X_CC:-s390x-linux-gnu-gcc}
mirror=${ZRI_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' 2>/dev/null | head -n 1)}
program=$cache/gzip-hw
unavailable()
{
    echo "build-gzip: no gzip with hardware compression here: $*" >&2
    exit 77
}
if [ -x "$program" ]; then
    echo "$program"
    exit 0
fi
[ "${ZRI_OFFLINE:-0}" = 0 ] || unavailable "ZRI_OFFLINE is set"
for tool in apt-get make "$cross"; do
    command -v "$tool" >/dev/null || unavailable "this host has no $tool"
done
mkdir -p "$cache" && work=$(mktemp -d "$cache/gzip.XXXXXX") || unavailable "cannot write into $cache"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/build"
: >"$work/status"
# Signed as Debian signs: with this host's keys.
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keys ] && option="[signed-by=$keys]" || option=
echo "deb-src $option $mirror bookworm main" >"$work/sources.list"
apt()
{
    timeout 300 apt-get -q -oDir::State="$work/state" -oDir::State::status="$work/status" -oDir::Cache="$work/cache" \
        -oDir::Etc::sourcelist="$work/sources.list" -oDir::Etc::sourceparts=/dev/null -oAPT::Sandbox::User= \
        -oAcquire::Languages=none -oAcquire::Retries=2 "$@" >>"$work/log" 2>&1
}
apt update
(cd "$work" && apt source --download-only gzip) || unavailable "its source cannot be fetched"
tar -xf "$work"/gzip_*.orig.tar.?z -C "$work" || unavailable "its source cannot be unpacked"
(
    cd "$work/build" && ../gzip-*/configure --host=s390x-linux-gnu --enable-dfltcc CC="$cross" CFLAGS='-O2 -march=z15' \
        LDFLAGS=-static && make
) >>"$work/log" 2>&1 || unavailable "it cannot be built: $(tail -n 1 "$work/log")"
mv "$work/build/gzip" "$program"
echo "$program"
