#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What run-time instrumentation that is off costs translated code: nothing when it is the code of a build that has none.
# Kernels are run by both programs with --dump-code, and their code is compared byte by byte, but for addresses in the
# host's storage, which are other ones in each run. Where the host ends a slice of a run a block begins, so two runs may
# have other blocks: what is the same is so once in a few. Says how much is the same; 1: something differs.
# usage: ri-off.sh ZRI ZRI-OF-A-BUILD-WITH---disable-ri SOURCE
set -u
zri=$1 without=$2 source=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cc=${S390X_CC:-s390x-linux-gnu-gcc}
for tool in s390x-linux-gnu-as s390x-linux-gnu-ld "$cc"; do
    command -v "$tool" >/dev/null || { echo "ri-off: $tool is not installed"; exit 77; }
done
build() # NAME [C SOURCE OPTIONS...]: few repeats, as nothing is timed
{
    local name=$1 first=${2:+start} c=${2:-} objects=
    shift $(($# < 2 ? $# : 2))
    if [ "$c" ]; then
        "$cc" -ffreestanding -fno-pic -fno-math-errno -fno-asynchronous-unwind-tables "$@" -c -o "$work/c.o" \
            "$source/$c" || return
        objects=$work/c.o
    fi
    # shellcheck disable=SC2086 # none or one
    s390x-linux-gnu-as -march=z15 -I"$source" --defsym REPEAT=20 -o "$work/s.o" "$source/${first:-$name}.S" &&
        s390x-linux-gnu-ld -Ttext=0x10000 -Tdata=0x40000 -Tbss=0x48000 -e _start -o "$work/image" "$work/s.o" $objects
}
code() # PROGRAM DUMP: a line for each block, its bytes in a row, what is moved as a doubleword left out
{
    rm -f "$work/dump"
    "$1" --batch --dump-code "$work/dump" "$work/image" >/dev/null 2>&1
    [ -e "$work/dump" ] || { echo "ri-off: $1 says nothing of its code"; exit 1; }
    awk '/^block/ { printf "%s%s", n++ ? "\n" : "", $2; code = 0 }
         /^(code|apart) / { $1 = ""; code = 1 }
         code { printf " %s", $0 }
         END { print "" }' "$work/dump" | tr -s ' ' | sed -E 's/4[89] b[89a-f]( [0-9a-f]{2}){8}/address/g' >"$2"
}
blocks=0 bytes=0 differ=0
while read -r name _ _ c options; do
    case $name in '' | '#'*) continue ;; esac
    # shellcheck disable=SC2086 # options are words
    build "$name" $c $options || exit 2
    for _ in {1..40}; do
        code "$zri" "$work/with"
        code "$without" "$work/without"
        cmp -s "$work/with" "$work/without" && break
    done
    if ! cmp -s "$work/with" "$work/without"; then
        echo "ri-off: the code of $name differs: $(diff "$work/with" "$work/without" | grep -c '^<') blocks"
        differ=1
    fi
    blocks=$((blocks + $(grep -c ' ' "$work/with")))
    bytes=$((bytes + $(wc -w <"$work/with")))
done <"$source/kernels.txt"
[ "$blocks" -gt 0 ] || { echo "ri-off: nothing was translated"; exit 1; }
[ $differ = 0 ] && echo "code with RI off is that of a build without RI: $blocks blocks, $bytes bytes"
exit $differ
