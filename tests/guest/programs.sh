#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every bare guest program on both engines and in lockstep: each checks itself and ends in the disabled wait X'FFF'.
zri=${ZRI:-./zri}
dir=${GUESTS:-tests/guest}
failed=0
ran=0
for image in "$dir"/*.elf; do
    [ -s "$image" ] || continue
    for how in --engine=reference --engine=block --lockstep; do
        ran=$((ran + 1))
        end=$("$zri" --batch "$how" --storage 16M --seconds 60 "$image" 2>&1 >/dev/null)
        status=$?
        if [ $status -ne 0 ]; then
            failed=$((failed + 1))
            echo "FAIL: $image $how: exit status $status: $end"
        fi
    done
done
if [ $ran -eq 0 ]; then
    echo "no guest programs: no s390x cross tools and no prebuilt images"
    exit 77
fi
echo "$ran runs of guest programs, $failed failed"
[ $failed -eq 0 ]
