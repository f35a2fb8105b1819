#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Somebody sets the host's clock back by an hour: a guest that goes by the host's clock sees time go on, whichever reading of
# the clock is the first behind that, on all engines, with and without threads.
. "${srcdir:-.}/tests/lib.sh"
preload=$PWD/tests/preload/fail.so
[ -e "$preload" ] || skip "this host has no preloaded libraries of ours"
rm -f "$work/probe"
FAIL_KIND=clock FAIL_REPORT=$work/probe LD_PRELOAD=$preload "$zri" --clock host --script /dev/null </dev/null >/dev/null 2>&1
[ "$(cat "$work/probe" 2>/dev/null)" -gt 0 ] 2>/dev/null || skip "the host's clock cannot be set back in this build"
cat >"$work/clock.zc" <<'END'
asm 10000 lgfi %r1,30000
asm 10006 stckf 0x800
asm 1000a lg %r2,0x800
asm 10010 stckf 0x808
asm 10014 lg %r3,0x808
asm 1001a clgr %r3,%r2
asm 1001e brc 4,0x10030
asm 10022 lgr %r2,%r3
asm 10026 brctg %r1,0x10010
asm 1002a lpswe 0x820
asm 10030 lpswe 0x830
r 820=0002000180000000 0000000000000FFF
r 830=0002000180000000 0000000000000EEE
psw 0000000180000000 10000
g
quit
END
for engine in reference block translate; do
    for threads in '' '--cpus 2 --threads'; do
        for at in 1 2 3 40; do
            # shellcheck disable=SC2086 # no word or some
            FAIL_KIND=clock FAIL_AT=$at LD_PRELOAD=$preload timeout 60 "$zri" --engine $engine $threads --clock host \
                --script "$work/clock.zc" >"$work/out" 2>&1 </dev/null
            grep -q 'disabled wait, PSW 0002000180000000 0000000000000FFF' "$work/out" ||
                fail "$engine $threads, reading $at: $(tail -n 3 "$work/out")"
        done
    done
done
finish "the host's clock is set back"
