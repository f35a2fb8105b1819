#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --grade: scripts of students judged in bulk. Whatever one of them does - loop, flood, ask for too much, touch files, be no
# script at all - it gets its verdict, and the next one is judged. Issue 19, 3.
. "${srcdir:-.}/tests/lib.sh"
lessons=$(cd "${srcdir:-.}/lessons" && pwd) || exit 99
cd "$work" || exit 99
ZRI_LESSONS=$lessons XDG_STATE_HOME=$work/state
export ZRI_LESSONS XDG_STATE_HOME

cat >good.zt <<'END'
test add
    r1 = 1
    r2 = 2
    do agr 1,2
    expect r1 = 3
END
sed 's/r1 = 3/r1 = 4/' good.zt >bad.zt
cat good.zt bad.zt >half.zt
sed 's/do agr/do frob/' good.zt >words.zt
printf 'test loop\n limit FFFFFFFFFFFF\n a:\n do j @a\n do lghi 1,1\n expect r1 = 1\n' >loop.zt
printf '\001\002\000\377' >noise.zt
: >empty.zt
"$zri" --grade good.zt >out 2>err
status=$?
if [ $status -eq 2 ] && grep -q 'this host or this build has none' err; then
    skip "there is no sandbox here, and so --grade judges nothing"
fi
[ $status -eq 0 ] || fail "a good script: $status $(cat out err)"

# Every file has its verdict, in the order of the names.
"$zri" --grade --limit 1000000 bad.zt loop.zt noise.zt empty.zt words.zt none.zt . half.zt good.zt >out 2>err
[ $? -eq 1 ] || fail "exit status with bad scripts"
[ ! -s err ] || fail "on standard error: $(cat err)"
sed 's/:.*, /: &/; s/: :/:/' out | cut -d: -f1 | tr '\n' ' ' | grep -q '^bad.zt loop.zt noise.zt empty.zt words.zt none.zt . half.zt good.zt 1 of 9 passed $' || fail "order: $(cat out)"
says() { grep -q "$1" out || fail "not said: $1: $(cat out)"; }
says '^bad.zt: failed, 0 of 1: bad.zt:5: add: expected r1 = 4, found 3$'
says '^loop.zt: limit, .*within the instructions that --limit gives; does it loop?'
says '^noise.zt: refused, '
says '^empty.zt: refused, '
says '^words.zt: refused, .*frob'
says '^none.zt: unreadable, .*No such file'
says '^\.: unreadable, .*Is a directory'
says '^half.zt: failed, 1 of 2: '
says '^good.zt: passed, 1 of 1$'

# The forms for programs.
"$zri" --grade --json good.zt bad.zt >out
head -n 1 out | grep -q '^{"file":"good.zt","verdict":"passed","passed":1,"of":1,"instructions":[1-9][0-9]*,"words":""}$' || fail "JSON: $(cat out)"
"$zri" --grade --tap good.zt bad.zt >out
printf 'TAP version 13\n1..2\nok 1 - good.zt\n# passed, 1 of 1\nnot ok 2 - bad.zt\n# failed, 0 of 1: bad.zt:5: add: expected r1 = 4, found 3\n' | cmp -s - out || fail "TAP: $(cat out)"

# Answers to a lesson. What opens files fails, and the rest of the script goes on.
solution=$lessons/01-numbers.solution
printf 'gpr 1=2A\ncheck\ntask\ngpr 2=1\ncheck\n' >begun
printf 'savecore stolen 0 FFF\nlog stolen\nt+ stolen\nscript /etc/passwd\nsnapshot save stolen\nattach 000E 1403 stolen\ngpr 1=2A\ncheck\n' >thief
printf 'asm 10000 j 0x10000\npsw ia=10000\ng\n' >spins
printf 'asm 10000 j 0x10000\nt+\npsw ia=10000\ng\n' >floods
printf 'asm 10000 j 0x10000\npsw ia=10000\ns 99999999999999\n' >steps
printf 'quit\n' >quits
"$zri" --grade --limit 3000000 --lesson 1 "$solution" begun thief spins floods steps quits "$solution" >out 2>err
[ $? -eq 1 ] || fail "exit status with answers"
[ "$(grep -c 'numbers.solution: passed, 5 of 5$' out)" -eq 2 ] || fail "the solution: $(cat out)"
says '^begun: failed, 1 of 5: task 2: Not yet: register 2 holds 1, and not all of its 64 bits are one\.'
says '^thief: failed, 1 of 5: task 2: it was not judged'
[ ! -e stolen ] || fail "a script of a student has written a file"
says '^spins: limit, '
says '^floods: output, .*shows more than 1048576 bytes'
says '^steps: \(output\|limit\|time\), '
says '^quits: failed, 0 of 5: task 1: it was not judged'
says '^2 of 8 passed$'
[ ! -e state ] || fail "judging has changed what is remembered"

# A second on the host, and too little storage.
"$zri" --grade --limit 99999999999 --seconds 1 --lesson 1 spins "$solution" >out
says '^spins: time, .*not ready after 1 seconds'
says 'solution: passed'
"$zri" --grade --storage 48M --lesson 9 "$lessons/09-cpus.solution" >out
says 'solution: \(storage\|died\), '
short || for solution in "$lessons"/*.solution; do
    name=$(basename "$solution" .solution)
    "$zri" --grade --lesson "${name#*-}" "$solution" >out || fail "in the sandbox: $(cat out)"
done

"$zri" --grade 2>&1 | grep -q 'no file is named' || fail "no file"
"$zri" --grade --lesson 99 good.zt 2>&1 | grep -q "no lesson '99'" || fail "a lesson that is not there"
finish "scripts in bulk"
