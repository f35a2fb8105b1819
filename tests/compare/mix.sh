#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random programs in which everything meets everything, on both engines in lockstep; single instructions that are
# interrupted by missing pages and by the clock comparator, which must end as if they had not been; and machines that are
# saved and go on, which must go on as if they had not been. mix.sh [CASES [SEED]]: CASES / 600 programs of 200 chunks.
. "${srcdir:-.}/tests/lib.sh"
here=$(dirname "$0")
rows=${srcdir:-$here/../..}/disasm/instructions.def
programs=$((${1:-3000} / 600)) seed=${2:-1}
command -v python3 >/dev/null || skip "no python3"
command -v s390x-linux-gnu-ld >/dev/null || skip "no s390x cross tools"
cd "$work" || exit 99
case $here in /*) ;; *) here=$OLDPWD/$here ;; esac
case $rows in /*) ;; *) rows=$OLDPWD/$rows ;; esac

frame() # NAME
{
    s390x-linux-gnu-as -o "$1.o" "$here/$1.S" && s390x-linux-gnu-ld -Ttext=0x2000 --oformat binary -e 0x2000 -o "$1.bin" "$1.o"
}
frame mix && frame resume || exit 99

# Lockstep; 0 and 3 (its limit) are what most end with, a guest may also stop in a wait of its own.
in_lockstep()
{
    python3 "$here/mix.py" "$rows" mix.bin "$seed" mix.img || exit 99
    "$zri" --lockstep --storage 4M --limit 60000 mix.img@0 >out 2>&1
    grep -q 'no difference' out || fail "mix, seed $seed: $(head -1 out)"
}

interrupted() # ENGINE
{
    python3 "$here/resume.py" make "$rows" resume.bin "$seed" one || exit 99
    for way in 0 1 2 3 4; do
        "$zri" --batch --engine "$1" --storage 4M --limit 3000000 --savecore core.$way:0-3FFFFF one.$way@0 >out 2>&1 ||
            fail "resume, seed $seed, way $way: $(tail -1 out)"
    done
    said=$(python3 "$here/resume.py" judge core.0 core.1 core.2 core.3 core.4 "$rows" one.0) || fail "resume, seed $seed, $1: $said"
}

state='gpr psw cr fpr vr ar clocks pending'
then_show() { printf 's 3000\nsavecore %s 0 3FFFFF\n' "$1"; for word in $state; do echo "$word"; done; }
saved_behind() # INSTRUCTIONS; false: the program ends too early for that
{
    n=$1
    rm -f ./*.core
    { echo "s $n"; then_show whole.core; } >whole.zc
    { echo "s $n"; echo "snapshot save saved.zs"; then_show saved.core; } >saved.zc
    { echo "snapshot load saved.zs"; then_show loaded.core; } >loaded.zc
    "$zri" --storage 4M --script whole.zc mix.img@0 2>&1 | sed -n '/ R0=/,$p' >whole.txt
    [ -s whole.core ] || return 1
    "$zri" --storage 4M --script saved.zc mix.img@0 >out 2>&1
    grep -q "built without zlib" out && return 0
    sed -n '/ R0=/,$p' out >saved.txt
    "$zri" --storage 4M --script loaded.zc 2>&1 | sed -n '/ R0=/,$p' >loaded.txt
    for one in saved loaded; do
        cmp -s whole.core $one.core && cmp -s whole.txt $one.txt && [ -s $one.txt ] ||
            fail "snapshot, seed $seed behind $n instructions: the $one machine goes on otherwise"
    done
    return 0
}
saved() { saved_behind $((seed * 7919 % 20000 + 7000)) || saved_behind $((seed * 7919 % 2500)) || echo "seed $seed ends too early"; }

while [ "$programs" -gt 0 ]; do
    in_lockstep
    interrupted block
    interrupted reference
    saved
    programs=$((programs - 1)) seed=$((seed + 1))
done
finish "programs in which everything meets everything: 0 failed"
