#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of single general instructions: each case is carried out by zri's engines, by QEMU and by Hercules from
# the same image, and registers, condition code, interruption and storage are compared.
# regs.sh [CASES [SEED [MNEMONIC]]]: 3,000 cases by default (make check); the peers that are not installed are left out.
regs=${REGS:-tests/compare/regs}
cases=${1:-3000} seed=${2:-1} only=$3
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0

# with_qemu IMAGE OUT: guest storage is a file, so that the result can be read when it has ended.
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

for peer in qemu hercules; do
    case $peer in
    qemu) command -v qemu-system-s390x >/dev/null || { echo "qemu-system-s390x is not installed: not compared"; continue; } ;;
    hercules) command -v hercules >/dev/null || { echo "hercules is not installed: not compared"; continue; } ;;
    esac
    "$regs" make "$seed" "$cases" "$dir/image" $peer $only || exit 99
    with_$peer "$dir/image" "$dir/theirs"
    [ -s "$dir/theirs" ] || { echo "$peer did not carry it out:"; cat "$dir/log"; exit 99; }
    for engine in reference block; do
        echo "$peer, $engine engine:"
        "$regs" run "$dir/image" "$dir/ours" $engine || status=1
        "$regs" diff "$dir/ours" "$dir/theirs" 5 $peer || status=1
    done
    rm -f "$dir/theirs"
done

# The engines with each other, with what the peers have wrong.
"$regs" make "$seed" "$cases" "$dir/image" zri $only || exit 99
for engine in reference block; do
    "$regs" run "$dir/image" "$dir/$engine" $engine || status=1
done
echo "reference and block engine:"
"$regs" diff "$dir/reference" "$dir/block" 5 || status=1
exit $status
