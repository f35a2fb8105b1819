#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of single floating-point instructions: binary ones with QEMU, hexadecimal ones with Hercules, both between
# zri's engines; registers, condition code, FPC register, interruption and data-exception code are compared.
# float.sh [CASES [SEED [binary|hex [MNEMONIC]]]]: 4,000 cases of each by default (make check).
float=${FLOAT:-tests/compare/float}
cases=${1:-4000} seed=${2:-1} kinds=${3:-binary hex} only=$4
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0

with_qemu()
{
    truncate -s 64M "$2"
    timeout 600 qemu-system-s390x -cpu max -m 64M -display none -serial none -monitor none -nic none \
        -object memory-backend-file,id=m,size=64M,mem-path="$2",share=on -machine s390-ccw-virtio,memory-backend=m \
        -kernel "$1" -action panic=exit-failure >"$dir/log" 2>&1
}

with_hercules()
{
    tail -c +4097 "$1" >"$dir/core"
    end=$(printf %X $(($(wc -c <"$dir/core") - 1)))
    printf 'MAINSIZE 64\nARCHMODE z/Arch\nNUMCPU 1\n0009 3215-C\n' >"$dir/cnf"
    printf 'loadcore %s 0\nrestart\npause %s\nsavecore %s 0 %s\nquit\n' "$dir/core" "$((2 + cases / 20000))" "$2" "$end" >"$dir/rc"
    HERCULES_RC="$dir/rc" timeout 600 hercules -d -f "$dir/cnf" >"$dir/log" 2>&1
}

for kind in $kinds; do
    "$float" make "$seed" "$cases" "$dir/image" $kind $only || exit 99
    for engine in reference block; do
        "$float" run "$dir/image" "$dir/$engine" $engine || status=1
    done
    echo "$kind: reference and block engine:"
    "$float" diff "$dir/reference" "$dir/block" || status=1
    if command -v python3 >/dev/null; then
        echo "$kind: exact fractions:"
        python3 "$(dirname "$0")/float-exact.py" "$dir/reference" "$cases" || status=1
    fi
    case $kind in
    binary) peer=qemu program=qemu-system-s390x ;;
    *) peer=hercules program=hercules ;;
    esac
    command -v $program >/dev/null || { echo "$program is not installed: not compared"; continue; }
    with_$peer "$dir/image" "$dir/theirs"
    [ -s "$dir/theirs" ] || { echo "$peer did not carry it out:"; cat "$dir/log"; exit 99; }
    echo "$kind: $peer:"
    "$float" diff "$dir/reference" "$dir/theirs" || status=1
    rm -f "$dir/theirs"
done
exit $status
