#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of one class of instructions: each case is carried out by zri's engines, by QEMU and by Hercules from
# the same image, and everything that it leaves is compared.
# compare.sh CLASS [CASES [SEED [MNEMONIC]]]: 3,000 cases by default (make check); peers that are not installed are left
# out. PEERS names them. Differences are made simpler and kept as scripted tests in the folder KEEP, when that is set.
# With SHOW_KNOWN the known faults of the other side count as differences.
compare=${COMPARE:-tests/compare/compare}
class=$1 cases=${2:-3000} seed=${3:-1} only=$4
case $class in
binary | vector) peers=qemu ;;
hex) peers=hercules ;;
*) peers='qemu hercules' ;;
esac
peers=${PEERS-$peers}
case $class in mem) batch=12000 ;; control) batch=7000 ;; *) batch=40000 ;; esac
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0

# with_qemu IMAGE OUT: guest storage is a file, so that the result can be read when it has ended.
with_qemu()
{
    rm -f "$2"
    truncate -s 64M "$2"
    timeout "${PEER_SECONDS:-120}" qemu-system-s390x -cpu max -m 64M -display none -serial none -monitor none -nic none \
        -object memory-backend-file,id=m,size=64M,mem-path="$2",share=on -machine s390-ccw-virtio,memory-backend=m \
        -kernel "$1" -action panic=exit-failure >"$dir/log" 2>&1
    [ -s "$2" ]
}

# The case pointer of a result stands behind the last case.
finished() { [ "$(od -An -tx8 -j 7936 -N 8 "$1")" = "$(od -An -tx8 -j 7944 -N 8 "$1")" ]; }

# Hercules does not tell when it has ended: it is given more time when it has not.
with_hercules()
{
    tail -c +4097 "$1" >"$dir/core"
    end=$(printf %X $(($(wc -c <"$dir/core") - 1)))
    printf 'MAINSIZE 64\nARCHMODE z/Arch\nNUMCPU 1\n0009 3215-C\n' >"$dir/cnf"
    for times in 1 6 30; do
        rm -f "$2"
        printf 'loadcore %s 0\nrestart\npause %s\nstopall\nsavecore %s 0 %s\nquit\n' "$dir/core" \
            "$((times * (2 + n / 4000)))" "$2" "$end" >"$dir/rc"
        HERCULES_RC="$dir/rc" timeout "${PEER_SECONDS:-600}" hercules -d -f "$dir/cnf" >"$dir/log" 2>&1
        [ -s "$2" ] && finished "$2" && return
    done
    [ -s "$2" ]
}

# The block engine as the other side.
with_zri() { "$compare" $class run "$1" "$2" block; }

# shrink PEER OURS THEIRS: the first difference, made simpler round by round, into $KEEP.
shrink()
{
    number=0
    while [ $number -lt "${KEEP_CASES:-3}" ] && "$compare" $class pick "$2" "$3" $as "$dir/case" $number; do
        round=0
        while [ $round -lt 12 ]; do
            round=$((round + 1))
            "$compare" $class vary $round "$dir/case" "$dir/small" || break
            "$compare" $class run "$dir/small" "$dir/small-ours" reference || break
            with_$1 "$dir/small" "$dir/small-theirs" || break
            "$compare" $class choose "$dir/small-ours" "$dir/small-theirs" $as "$dir/case" || break
        done
        file="$KEEP/$class-$1-$seed-$number.zt"
        "$compare" $class keep "$dir/small-ours" "$dir/small-theirs" "$class $1 seed $seed case $number" >"$file" &&
            echo "kept: $file"
        number=$((number + 1))
    done
}

# judge PEER OURS THEIRS: compare, and keep what differs.
judge()
{
    as=${SHOW_KNOWN:+none}
    as=${as:-$1}
    "$compare" $class diff "$2" "$3" "${LIMIT:-5}" $as && return
    status=1
    [ -z "$KEEP" ] || shrink $1 "$2" "$3"
}

compared=0
while [ "$cases" -gt 0 ]; do
    n=$((cases < batch ? cases : batch))
    for peer in $peers zri; do
        case $peer in
        qemu) command -v qemu-system-s390x >/dev/null || { echo "qemu-system-s390x is not installed: not compared"; continue; } ;;
        hercules) command -v hercules >/dev/null || { echo "hercules is not installed: not compared"; continue; } ;;
        esac
        "$compare" $class make "$seed" $n "$dir/image" $peer $only || exit 99
        "$compare" $class run "$dir/image" "$dir/ours" reference || status=1
        "$compare" $class run "$dir/image" "$dir/block" block || status=1
        echo "$class, seed $seed: $n cases made for $peer: reference and block engine:"
        judge zri "$dir/ours" "$dir/block"
        if [ $peer != zri ]; then
            with_$peer "$dir/image" "$dir/theirs" || { echo "$peer did not carry it out:"; cat "$dir/log"; exit 99; }
            echo "$class, seed $seed: $n cases: zri and $peer:"
            judge $peer "$dir/ours" "$dir/theirs"
            compared=$((compared + n))
        fi
        case $class:$peer in
        binary:zri | hex:zri)
            command -v python3 >/dev/null && [ -z "$only" ] && {
                echo "$class: exact fractions:"
                python3 "$(dirname "$0")/float-exact.py" "$dir/ours" $n || status=1
            } ;;
        esac
        rm -f "$dir/theirs"
    done
    cases=$((cases - n)) seed=$((seed + 1))
done
exit $status
