#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every bare guest program on both engines and in lockstep: each checks itself and ends in the disabled wait X'FFF'.
. "${srcdir:-.}/tests/lib.sh"
dir=${GUESTS:-tests/guest}
ran=0
part 'LB-16 LB-37 LB-41 LB-43 LB-47 LB-48 LB-51 LB-52 programs that change themselves, translation, interruptions, clocks, on every engine'
for image in "$dir"/*.elf; do
    [ -s "$image" ] || continue
    for how in --engine=reference --engine=block --lockstep; do
        ran=$((ran + 1))
        end=$("$zri" --batch "$how" --storage 16M --seconds 60 "$image" 2>&1 >/dev/null)
        status=$?
        [ $status -eq 0 ] || fail "$image $how: exit status $status: $end"
    done
done
[ $ran -ne 0 ] || skip "no s390x cross tools and no prebuilt guest programs"
finish "$ran runs of guest programs"
