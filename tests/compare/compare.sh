#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random comparison of one class of instructions: each case is carried out by zri's engines, by QEMU and by Hercules from
# the same image, and everything that it leaves is compared.
# compare.sh CLASS [CASES [SEED [MNEMONIC]]]: 3,000 cases by default (make check); peers that are not installed are left
# out. PEERS names them. Differences are made simpler and kept as scripted tests in the folder KEEP, when that is set.
# With SHOW_KNOWN the known faults of the other side count as differences.
. "${srcdir:-.}/tests/lib.sh"
. "${srcdir:-.}/tests/compare/hercules.sh"
compare=${COMPARE:-tests/compare/compare}
class=$1 cases=${2:-3000} seed=${3:-1} only=$4
case $class in
binary | vector) peers=qemu ;;
hex) peers=hercules ;;
*) peers='qemu hercules' ;;
esac
peers=${PEERS-$peers}
case $class in mem) batch=12000 ;; control) batch=7000 ;; *) batch=40000 ;; esac
status=0

# with_qemu IMAGE OUT: guest storage is a file, so that the result can be read when it has ended.
with_qemu()
{
    rm -f "$2"
    truncate -s 64M "$2"
    timeout "${PEER_SECONDS:-120}" qemu-system-s390x -cpu max -m 64M -display none -serial none -monitor none -nic none \
        -object memory-backend-file,id=m,size=64M,mem-path="$2",share=on -machine s390-ccw-virtio,memory-backend=m \
        -kernel "$1" -action panic=exit-failure >"$work/log" 2>&1
    [ -s "$2" ]
}

# The case pointer of a result stands behind the last case.
finished() { [ "$(od -An -tx8 -j 7936 -N 8 "$1")" = "$(od -An -tx8 -j 7944 -N 8 "$1")" ]; }

# Hercules does not tell when it has ended: it is given more time when it has not.
with_hercules()
{
    tail -c +4097 "$1" >"$work/core"
    end=$(printf %X $(($(wc -c <"$work/core") - 1)))
    for times in 1 6 30; do
        hercules_core "$work/core" $((times * (2 + n / 4000))) "$2" "$end" && finished "$2" && return
    done
    [ -s "$2" ]
}

# The block engine as the other side.
with_zri() { "$compare" $class run "$1" "$2" block; }

# shrink PEER OURS THEIRS: the first difference, made simpler round by round, into $KEEP.
shrink()
{
    number=0
    while [ $number -lt "${KEEP_CASES:-3}" ] && "$compare" $class pick "$2" "$3" $as "$work/case" $number; do
        round=0
        while [ $round -lt 12 ]; do
            round=$((round + 1))
            "$compare" $class vary $round "$work/case" "$work/small" || break
            "$compare" $class run "$work/small" "$work/small-ours" reference || break
            with_$1 "$work/small" "$work/small-theirs" || break
            "$compare" $class choose "$work/small-ours" "$work/small-theirs" $as "$work/case" || break
        done
        file="$KEEP/$class-$1-$seed-$number.zt"
        "$compare" $class keep "$work/small-ours" "$work/small-theirs" "$class $1 seed $seed case $number" >"$file" &&
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
        "$compare" $class make "$seed" $n "$work/image" $peer $only || exit 99
        "$compare" $class run "$work/image" "$work/ours" reference || status=1
        "$compare" $class run "$work/image" "$work/block" block || status=1
        echo "$class, seed $seed: $n cases made for $peer: reference and block engine:"
        judge zri "$work/ours" "$work/block"
        if [ $peer != zri ]; then
            with_$peer "$work/image" "$work/theirs" || { echo "$peer did not carry it out:"; cat "$work/log"; exit 99; }
            echo "$class, seed $seed: $n cases: zri and $peer:"
            judge $peer "$work/ours" "$work/theirs"
            compared=$((compared + n))
        fi
        case $class:$peer in
        binary:zri | hex:zri)
            command -v python3 >/dev/null && [ -z "$only" ] && {
                echo "$class: exact fractions:"
                python3 "$(dirname "$0")/float-exact.py" "$work/ours" $n || status=1
            } ;;
        esac
        rm -f "$work/theirs"
    done
    cases=$((cases - n)) seed=$((seed + 1))
done
exit $status
