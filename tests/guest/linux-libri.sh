#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# libri under Debian's unmodified kernel: a program profiles itself by run-time instrumentation, finds its hot functions with the
# shares that it carried out, sees what empties the collection buffer, and nothing of another process. Without the facility it
# says so.
set -u
. "${srcdir:-.}/tests/guest/linux-lib.sh"
[ -n "$have_ri" ] || skip 'no cross compiler for s390x here'
"$cross" -static -O2 -march=z196 -Wall -I "${srcdir:-.}" -o "$work/linux-libri" "$here/linux-libri.c" \
    "${srcdir:-.}/ipl/guest/libri/libri.c" || exit 1
sh "$here/mkinitrd.sh" "$busybox" "$work/initrd" "$work/linux-libri"
words='nokaslr zri.run=/bin/linux-libri'
boot libri -m 128M --kernel "$kernel" --initrd "$initrd" --append "$words"
good_end libri
says libri 'linux-libri: PASS' || :
! grep -aF 'linux-libri: ' "$work/libri" | grep -a -e FAIL -e wrong -e cannot >&2 || fail 'libri: see above'
says libri 'linux-libri: behind nothing the value emitted before is in the group'
says libri 'linux-libri: behind a task switch the value emitted before is gone'
says libri 'linux-libri: hot loop_hot+'
says libri "linux-libri: in a signal's handler it is on"
[ "$(grep -acF 'tags, all its own' "$work/libri")" -eq 2 ] || fail 'libri: two processes did not end'
boot none -m 128M --facility -64 --kernel "$kernel" --initrd "$initrd" --append "$words"
says none 'linux-libri: this machine has no run-time instrumentation (facility 64)'
says none 'zri-init: status 3 of /bin/linux-libri'
enough 'a process profiles itself; without the facility it is told'

# Two CPUs, and every CPU on a host thread: the same program, the same truth.
boot two -m 128M --cpus 2 --kernel "$kernel" --initrd "$initrd" --append "$words"
says two 'linux-libri: PASS'
boot threads -m 128M --cpus 2 --threads --kernel "$kernel" --initrd "$initrd" --append "$words"
says threads 'linux-libri: PASS'
finish 'a process profiles itself, on one CPU and on two'
