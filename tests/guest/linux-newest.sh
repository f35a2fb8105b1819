#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The newest s390x kernel that the archive offers besides this release's own (backports): it boots, its programs compute what
# this host's do, with one CPU and with two, and it powers off in order.
. "${srcdir:-.}/tests/guest/linux-lib.sh"
short && skip "in short runs: linux-boot.sh boots the kernel of the release"
newest=$(sh "$here/fetch-kernel.sh" newest 2>"$work/why") || skip "$(cat "$work/why")"
release=$(cat "$(dirname "$newest")/version")
for cpus in 1 2; do
    boot newest-$cpus -m 512M --cpus $cpus --kernel "$newest" --initrd "$initrd" --append 'zri.work'
    good_end newest-$cpus
    check_work newest-$cpus
done
finish "$release boots"
