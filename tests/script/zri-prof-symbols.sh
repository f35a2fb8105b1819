#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# zri-prof with the file of a program: profiles of sample logs, functions and lines, forms that other programs read. The
# program is a statically linked one of Linux; dice say where its branches go (tests/compare/dice.c).
. "${srcdir:-.}/tests/lib.sh"
tools=${ZRI:+$(dirname "$ZRI")}
tools=$(cd "${tools:-.}" && pwd)
prof=$tools/zri-prof dice=$tools/tests/compare/dice
source=$(cd "${srcdir:-.}" && pwd)/tests/script/profiled.c
command -v s390x-linux-gnu-gcc >/dev/null || skip "no s390x-linux-gnu-gcc"
[ -x "$dice" ] || skip "no tests/compare/dice"
cd "$work" || exit 99
cp "$source" profiled.c
s390x-linux-gnu-gcc -O2 -g -static -ffile-prefix-map="$work"=/src profiled.c -o program 2>err ||
    skip "no C library for s390x: $(cat err)"
printf '\177ELF' >elf
"$prof" report --symbols elf "$(dirname "$source")/example.zeprof" >text 2>err
[ $? -ne 64 ] || skip "built without libdw"
digest=$(sha256sum program | cut -d' ' -f1)
entries=$(s390x-linux-gnu-nm program | sed -n 's/^0*\([0-9a-f]*\) T \(main\|work\|qsort\)$/\1/p' | tr '\n' ' ')
# shellcheck disable=SC2086
"$dice" program "$digest" log collected 3000000 1 0 $entries >text || fail "dice: $(cat text)"

# How the run whose words are in err went; no words are wanted: none may be there.
ended() # GOT WANTED WORDS NAME
{
    [ "$1" -eq "$2" ] || fail "$4: exit status $1, not $2: $(cat err)"
    if [ -z "$3" ]; then
        [ ! -s err ] || fail "$4: words: $(cat err)"
    else
        grep -q "^zri-prof: .*$3" err || fail "$4 does not say '$3': $(cat err)"
    fi
}
lines() { grep -v '^[FZ] ' "$1"; } # all but functions

part 'EP-32 EP-34 EP-76 EP-77 EP-95 a log and the program give the profile that was collected'
"$prof" build log -o built --symbols program 2>err
ended $? 0 '' "build"
lines collected >one
lines built >two
cmp -s one two || fail "another profile: $(diff one two | head -n 5)"
"$prof" merge collected --symbols program -o named 2>err
ended $? 0 '' "names for the profile that was collected"
cmp -s built named || fail "other functions: $(diff built named | head -n 5)"
"$dice" program - log2 collected2 300000 7 3ff00000000 >text || fail "dice: $(cat text)"
"$prof" build log2 -o built2 --symbols program 2>err
ended $? 0 '' "build of a program without digest that was loaded elsewhere"
lines collected2 >one
lines built2 >two
cmp -s one two || fail "another profile of the program elsewhere: $(diff one two | head -n 5)"
"$prof" build log2 -o built3 --symbols program@3ff00000000 2>err
ended $? 0 '' "build with the load bias"
cmp -s built2 built3 || fail "the load bias changes the profile"

part 'EP-92 functions have the names of the symbols'
s390x-linux-gnu-nm program >map
"$prof" merge collected --symbols map -o mapped 2>err
ended $? 0 '' "names by nm"
for file in built mapped; do
    grep -q '^F [0-9]* [0-9]* [0-9a-f]* [0-9a-f]* main$' $file || fail "no main in $file"
    grep -q '^F [0-9]* [0-9]* [0-9a-f]* [0-9a-f]* work$' $file || fail "no work in $file"
done
wanted=$(s390x-linux-gnu-nm -S program | sed -n 's/^0*\([0-9a-f]*\) 0*\([0-9a-f]*\) T work$/\1 \2/p')
start=${wanted% *}
end=$(printf '%x' $((0x$start + 0x${wanted#* })))
grep -q "^F [0-9]* [0-9]* $start $end work\$" built || fail "work is not at $start to $end: $(grep ' work$' built)"
s390x-linux-gnu-strip -o d.program program
mkdir stripped
mv d.program stripped/program
"$prof" build log2 -o built3 --symbols stripped/program 2>err
ended $? 0 '' "a program without symbols"
grep '^F' built3 | grep -qv ' sub_[0-9a-f]*$' && fail "names out of nowhere: $(grep '^F' built3 | grep -v sub_ | head -n 3)"
lines built3 >one
cmp -s one two || fail "symbols change more than functions"

part 'EP-85 EP-91 EP-95 files that are not those of the log'
mkdir other
{ cat program && echo; } >other/program
"$prof" build log -o out --symbols other/program 2>err
ended $? 1 'other/program: this is not the file that ran: its SHA-256 digest begins with' "another file of that name"
[ ! -e out ] || fail "a profile is left"
"$prof" build log -o out --symbols program@1000 2>err
ended $? 1 "program: the module's load bias is 0, not 1000" "another load bias"
"$prof" build log -o out --symbols log 2>err
ended $? 1 'log: no module is this file' "a file that is none"
s390x-linux-gnu-gcc -O1 -g -static profiled.c -o other/program 2>err
"$prof" build log2 -o out --symbols other/program 2>err
status=$?
ended $status 1 'log2: image does not match the log: the code of' "another image"
"$prof" report out >text 2>err
ended $? 0 'samples were dropped: .*drop.image' "a profile of another image"
"$prof" build log -o out 2>err
ended $? 0 'samples were dropped: drop.unmapped' "no program at all"
head -c 100000 log >cut
"$prof" build cut -o out --symbols program 2>err
ended $? 0 'cut: the log has no end: what is complete in it was used' "a log that is cut"
head -c 100 program >short
"$prof" build log -o out --symbols short 2>err
ended $? 1 'short: ' "a program that is cut"
cp "$tools/zri-prof" own
"$prof" build log -o out --symbols own 2>err
ended $? 1 'own: this ELF file is for another machine' "a program of this machine"

finish "zri-prof with a program"
