#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# "Linux on zri in ten minutes" (doc/linux.txt), word by word, see tour-lib.sh.
. "${srcdir:-.}/tests/guest/tour-lib.sh"
[ -z "${ZRI_SHORT:-}" ] || {
    echo "skipped in short runs: linux-boot.sh boots in the same ways"
    exit 77
}
sh "$doc/../tests/guest/fetch-kernel.sh" >/dev/null || exit 77
[ -n "$(sh "$doc/../tests/compare/fetch-s390x" busybox-static bin/busybox)" ] || {
    echo "skipped: no busybox for s390x here"
    exit 77
}
follow linux.txt
echo "$total sessions of the Linux guide, $failed failed"
[ "$total" -gt 0 ] && [ $failed -eq 0 ]
