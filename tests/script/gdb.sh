#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gdb itself debugs what runs on zri: the chapter doc/debugging.txt word by word, on both engines.
. "${srcdir:-.}/tests/guest/tour-lib.sh"
for tool in gdb-multiarch s390x-linux-gnu-gcc; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
export HOME="$work" COLUMNS=80 LC_ALL=C
follow debugging.txt
follow debugging.txt "--engine reference"
wrong "gdb says something else" <<'END'
    $ gdb-multiarch -q -nx
    (gdb) print 1
    $1 = 2
END
# A port: gdb comes and goes while the guest runs, a second one is sent away, and kill ends it. A bad end is a signal first.
part()
{
    echo "$@" >>"$wrongs/gdb"
    timeout 60 gdb-multiarch -q -nx -batch "$@" >>"$wrongs/gdb" 2>&1
}
wants() # TEXT: gdb said so
{
    grep -qF -- "$1" "$wrongs/gdb" || { failed=$((failed + 1)); echo "FAIL: gdb did not say: $1"; cat "$wrongs/gdb"; }
}
cd "$wrongs" || exit 1
printf '        .globl _start\n_start: lghi %%%%r1,7\nloop:   j loop\nbad:    lpswe 0\n' | sed 's/%%/%/' >loop.S
s390x-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x10000 -o loop loop.S 2>/dev/null || exit 1
for how in "" "--engine reference" "--cpus 2 --threads"; do
    : >gdb
    # shellcheck disable=SC2086
    timeout 120 "$zri" --batch $how --gdb 0 loop >out 2>err &
    guest=$!
    place=
    while [ -z "$place" ]; do
        sleep 0.1
        place=$(sed -n 's/.*gdb may connect to //p' err)
        kill -0 $guest || exit 1
    done
    part loop -ex "target remote $place" -ex 'print $r1' -ex detach
    wants '$1 = 7'
    wants '[Inferior 1 (Remote target) detached]'
    part loop -ex "target remote $place" -ex "add-inferior -no-connection" -ex "inferior 2" -ex "target remote $place" \
        -ex "inferior 1" -ex 'print/x $pc' -ex detach
    wants '$1 = 0x10004'
    wants 'another debugger is connected to this machine'
    part loop -ex "target remote $place" -ex 'set $pc = bad' -ex continue -ex 'print $r1 + 1' -ex continue
    wants 'received signal SIGABRT'
    wants '$1 = 8'
    wants '[Inferior 1 (Remote target) exited with code 01]'
    wait $guest
    [ $? -eq 1 ] || { failed=$((failed + 1)); echo "FAIL: zri $how: $(cat err)"; }
done
"$zri" --batch --stop --gdb "unix:$wrongs/port" loop 2>err &
guest=$!
while [ ! -S port ]; do sleep 0.1; done
part loop -ex "target remote $wrongs/port" -ex 'print/x $pc' -ex kill
wants '$1 = 0x10000'
wait $guest
grep -q "gdb has killed the guest" err || { failed=$((failed + 1)); echo "FAIL: killed: $(cat err)"; }
[ ! -e port ] || { failed=$((failed + 1)); echo "FAIL: the socket stays"; }
echo "$total sessions with gdb, $failed failed"
[ "$failed" -eq 0 ] && [ "$total" -gt 0 ]
