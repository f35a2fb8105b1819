#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever the host refuses once is told: every open, write, flush, close, allocation and thread start of some short runs
# fails in turn (tests/preload/fail.c). Each run must end as if nothing had been, with the same results, or say a sentence
# and have the exit status of an error; a disk image has what was written or what was there before, and nothing else.
set -u
. "${srcdir:-.}/tests/lib.sh"
zri_ri=${zri%zri}zri-ri
zri_et=${zri%zri}zri-et
zri_prof=${zri%zri}zri-prof
example=$(cd "${srcdir:-.}" && pwd)/tests/script/example.zeprof
preload=$PWD/tests/preload/fail.so
[ -e "$preload" ] || skip "this host has no preloaded libraries of ours"
case $(FAIL_KIND=open FAIL_REPORT=$work/probe LD_PRELOAD=$preload "$zri" --version 2>&1; cat "$work/probe" 2>&1) in
*"
0") ;;
*) skip "calls cannot be made to fail in this build" ;;
esac
cd "$work" || exit 99
qcow2=
if command -v qemu-img >/dev/null; then qcow2="--device 0121,9336,now/disk.qcow2"; fi

# A guest that writes 8 blocks to the disk 0120, and to 0121 if there is one, by DIAGNOSE X'250'; wait address 0, or DEAD
# when that failed.
cat >make <<'END'
abs 0=0008000080000200
asm 200 lghi 2,0x400
asm 204 lghi 4,0
asm 208 diag 2,4,0x250
asm 20c brc 7,0x240
asm 210 lghi 2,0x440
asm 214 lghi 4,1
asm 218 diag 2,4,0x250
asm 21c brc 7,0x240
asm 220 lpswe 0x300
asm 240 lpswe 0x310
abs 1d0=0002000180000000 000000000000DEAD
abs 300=0002000180000000 0000000000000000
abs 310=0002000180000000 000000000000DEAD
abs 400=0120800000000000 0000000000000000 0000000000000000 0000020000000000
abs 440=0120800000000000 0000000000000000 0000000000000000 0000000000000008
abs 470=0000000000000500
END
n=1
while [ $n -le 8 ]; do
    printf 'abs %x=0100000000000000 000000000000000%d 0000000000001000\n' $((0x500 - 24 + 24 * n)) $n
    n=$((n + 1))
done >>make
n=0
while [ $n -lt 32 ]; do
    printf 'abs %x=ABABABABABABABABABABABABABABABAB\n' $((0x1000 + 16 * n))
    n=$((n + 1))
done >>make
echo 'savecore guest 0 11FF' >>make
"$zri" --script make </dev/null >made 2>&1 || fail "the guest cannot be made: $(cat made)"
sed 's/0120800000/0121800000/' make | sed 's/savecore guest/savecore guest2/' >make2
"$zri" --script make2 </dev/null >made 2>&1 || fail "the guest cannot be made: $(cat made)"
mkdir disks
truncate -s 64K disks/disk
[ -z "$qcow2" ] || qemu-img create -q -f qcow2 disks/disk.qcow2 64K
# some groups of run-time instrumentation, and a map for it
"$zri" --batch --ri-log disks/log builtin:demo >made 2>&1 || skip "this zri has no built-in images"
echo '0000000000000200 T start' >disks/map
printf 'reset\nabs 200=07FE\npsw\n' >disks/text
cat >disks/script <<'END'
log now/said
load guest
u 200
snapshot save now/snap
snapshot load now/snap
savecore now/core 0 FFF
script disks/text
END

mkdir now
"$zri" --script disks/script </dev/null >made 2>&1
if grep -q 'without zlib' made; then
    grep -v snapshot disks/script >without
    mv without disks/script
fi

# Everything a run left behind, in a form that can be compared.
results()
{
    (cd now && cksum out disk core log said trace filtered sum ctf/* 2>/dev/null; ls)
}

# once KIND NUMBER COMMAND...: the call of that number fails (0: none); status, results and calls are left in files.
once()
{
    kind=$1 number=$2
    shift 2
    rm -rf now
    cp -r disks now
    timeout 5 env FAIL_KIND="$kind" FAIL_AT="$number" FAIL_REPORT=calls LD_PRELOAD="$preload" "$@" \
        </dev/null >now/out 2>now/err
    status=$?
}

# A disk that was written has what was there, or what the guest wrote.
intact()
{
    cmp -s now/disk disks/disk || {
        [ "$(wc -c <now/disk)" -eq 65536 ] && [ "$(tr -d '\000\253' <now/disk | wc -c)" -eq 0 ]
    } || return 1
    cmp -s now/disk.qcow2 disks/disk.qcow2 || [ ! -e now/disk.qcow2 ] || {
        qemu-img check -q now/disk.qcow2 >/dev/null 2>&1
        case $? in 0 | 3) ;; *) return 1 ;; esac
    }
}

# every NAME KINDS STEP COMMAND...: where there are more than 20 calls of a kind, each STEP-th of them
runs=0
every()
{
    name=$1 kinds=$2 step=$3
    shift 3
    once none 0 "$@"
    [ $status -eq 0 ] || fail "$name: exit status $status without any failure: $(cat now/err)"
    results >expected
    [ ! -e now/disk.qcow2 ] || cp now/disk.qcow2 expected.qcow2
    for kind in $kinds; do
        once "$kind" 0 "$@"
        count=$(cat calls)
        [ "$count" -gt 0 ] || fail "$name: no $kind was seen, so none can be made to fail"
        number=1
        by=$step
        [ "$count" -gt 20 ] || by=1
        while [ $number -le "$count" ]; do
            runs=$((runs + 1))
            once "$kind" $number "$@"
            results >got
            if [ $status -eq 0 ]; then
                cmp -s got expected || fail "$name: $kind $number is lost without a word: $(diff got expected)"
                cmp -s now/disk.qcow2 expected.qcow2 || [ ! -e now/disk.qcow2 ] ||
                    qemu-img compare -q now/disk.qcow2 expected.qcow2 ||
                    fail "$name: after $kind $number the disk has not what the guest wrote, and no word of it"
            elif [ $status -gt 2 ]; then
                fail "$name: $kind $number ends with status $status: $(tail -n 2 now/err)"
            elif ! grep -v ': CPU [0-9]*:' now/err now/out | grep -qE 'zri(-ri|-et|-prof)?: |cannot|memory'; then
                fail "$name: $kind $number has status $status and no sentence: $(cat now/err)"
            elif [ $status -eq 1 ] && ! grep -q 'zri: .*disk image' now/err && [ "$name" != script ]; then
                fail "$name: $kind $number has status 1: $(cat now/err)"
            fi
            [ "$kind" != thread ] || [ $status -eq 2 ] || fail "$name: thread $number has status $status, not 2"
            intact || fail "$name: after $kind $number a disk image is damaged"
            number=$((number + by))
        done
    done
}

every disk "open write close alloc" 1 "$zri" --batch --device 0120,9336,now/disk --savecore now/core:0-FFF guest
# shellcheck disable=SC2086
[ -z "$qcow2" ] || every qcow2 "open write flush close alloc" 3 "$zri" --batch $qcow2 guest2
every demo "open write flush close" 5 "$zri" --batch --ri-log now/log --savecore now/core:0-FFF builtin:demo
every threads "write flush alloc thread" 4 "$zri" --batch --cpus 3 --threads builtin:demo
every script "open write close alloc" 2 "$zri" --script disks/script
every reader "open write flush close alloc" 3 "$zri_ri" --json --symbols disks/map disks/log
# Exception trace: a run that writes one, with an RI log in it; its readers; the filter.
every trace "open write flush close alloc" 5 "$zri" --batch --et timestamps=inline,info=on --et-out now/trace --ri-log now/trace \
    builtin:demo
"$zri" --batch --et timestamps=inline --et-out disks/trace --ri-log disks/trace builtin:demo >/dev/null 2>&1
"$zri" --batch --et downstream=on --et-out disks/full builtin:demo >/dev/null 2>&1
for output in --text --report --json --chrome --folded --csv --jsonl --vcd "--ctf now/ctf"; do
    # shellcheck disable=SC2086
    every "zri-et $output" "open write close alloc" 3 "$zri_et" $output now/trace
done
every "zri-et" flush 1 "$zri_et" now/trace
every "zri-et filter" "open write close alloc" 3 "$zri_et" filter --et events=entry --output now/filtered now/full
# Edge profiles: what is shown of them, and a sum in the place of one of them.
cp "$example" disks/profile
cp "$example" disks/sum
for words in "report now/profile" "report --json now/profile" "diff now/profile now/sum" "diff --json now/profile now/sum" \
    "export --format folded now/profile" "export --format llvm-raw now/profile"; do
    # shellcheck disable=SC2086
    every "zri-prof $words" "open write close alloc" 9 "$zri_prof" $words
done
every "zri-prof merge" "open write flush close alloc" 5 "$zri_prof" merge now/profile now/sum -o now/sum
finish "$runs failures of the host, each told or without consequence"
