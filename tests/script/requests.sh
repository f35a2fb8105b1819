#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Requests of the operator, --seconds and signals, are honoured soon whatever the guest does: guests that do nothing but the
# longest instructions there are, on every engine, with one CPU and with 64, in rotation and in threads. What is measured is
# a second and more, for the sake of slow and busy hosts; the guests would run for minutes.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 1
most=4 # seconds
ran=0

# guest NAME: an image from lines of assembler at 10100, which all CPUs carry out once CPU 0 has restarted the others
guest()
{
    {
        cat <<'END'
asm 10000 lghi %r5,1
asm 10004 sigp %r1,%r5,6
asm 10008 brc 2,0x10004
asm 1000c brc 1,0x10100
asm 10010 aghi %r5,1
asm 10014 j 0x10004
r 0=0000000180000000 0000000000010000
r 1A0=0000000180000000 0000000000010100
END
        cat
        echo "savecore $1 0 10FFF"
    } >"$1.zc"
    "$zri" --script "$1.zc" >"$1.made" 2>&1 </dev/null || fail "$1: $(cat "$1.made")"
}
guest deflate <<'END'
asm 10100 lghi %r0,2
asm 10104 lgfi %r1,0x20000
asm 1010a lgfi %r2,0x200000
asm 10110 lgfi %r3,0x400000
asm 10116 lgfi %r4,0x100000
asm 1011c lgfi %r5,0x100000
asm 10122 lgfi %r6,0x30000
asm 10128 dfltcc %r2,%r4,%r6
asm 1012c brc 1,0x10128
asm 10130 j 0x10100
END
guest frames <<'END'
asm 10100 llilf %r1,0x32030
asm 10106 llilf %r2,0x80000000
asm 1010c pfmf %r1,%r2
asm 10110 j 0x10106
END
guest keys <<'END'
asm 10100 lghi %r1,0
asm 10104 lghi %r2,0
asm 10108 sske %r1,%r2
asm 1010c j 0x10108
END
guest move <<'END'
asm 10100 lgfi %r2,0x1000000
asm 10106 lgfi %r3,0xf00000
asm 1010c lgfi %r4,0x2000000
asm 10112 lgfi %r5,0xf00000
asm 10118 mvcl %r2,%r4
asm 1011a j 0x10100
END

# soon NAME STATUS OPTIONS...: ends in time with that exit status
soon()
{
    name=$1 expected=$2
    shift 2
    ran=$((ran + 1))
    start=$(date +%s)
    timeout 60 "$zri" --batch -m 4G "$@" "$name" >"$name.out" 2>&1 </dev/null
    status=$?
    took=$(($(date +%s) - start))
    [ $status -eq "$expected" ] || fail "$name $*: exit status $status: $(cat "$name.out")"
    [ $took -le $most ] || fail "$name $*: ended after $took seconds"
}
for name in deflate frames keys move; do
    for options in '' '--engine reference' '--cpus 64' '--cpus 64 --engine reference' '--cpus 4 --threads'; do
        # shellcheck disable=SC2086
        soon $name 3 --seconds 0.5 $options
    done
done

# A signal ends the run; these guests do not listen to a request to shut down.
for options in '' '--cpus 64' '--cpus 4 --threads'; do
    ran=$((ran + 1))
    # shellcheck disable=SC2086
    timeout -s KILL 30 "$zri" --batch -m 4G $options frames >signal.out 2>&1 </dev/null &
    child=$!
    sleep 1
    start=$(date +%s)
    kill -TERM $child
    wait $child
    status=$?
    took=$(($(date +%s) - start))
    [ $status -eq 1 ] || fail "SIGTERM $options: exit status $status: $(cat signal.out)"
    [ $took -le $most ] || fail "SIGTERM $options: ended after $took seconds"
done
finish "$ran runs ended in time"
