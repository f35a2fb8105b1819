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
"$prof" build log -o built --symbols program 2>err
! grep -q with-nettle err || skip "built without nettle: there are no digests"

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

# The branches of a profile, its runs' instructions are those of the exporters.
branches=$(sed -n 's/^H branch-units //p' built)
taken=$(awk '$1 == "E" && $6 == "T" { n += $7 } END { print n }' built)

part 'EP-96 EP-T12 callgrind'
"$prof" export --format callgrind --symbols program built >callgrind.out 2>err
ended $? 0 '' "export"
[ "$(sed -n 's/^totals: //p' callgrind.out | cut -d' ' -f1,2)" = "$branches $taken" ] ||
    fail "totals are not $branches $taken: $(tail -n 1 callgrind.out)"
awk '/^(calls|jump|jcnd)=/ { getline; next } /^0x/ { br += $3; bt += $4; ir += $5 } /^totals/ { print br == $2 && bt == $3 && ir == $4 }' \
    callgrind.out | grep -qx 1 || fail "costs do not add up to the totals"
"$prof" export --format callgrind built >out 2>err
ended $? 1 'built: this needs the code of module program; name its file (--symbols FILE)' "no code"
if command -v callgrind_annotate >/dev/null; then
    callgrind_annotate --show-percs=no --threshold=100 --auto=no callgrind.out >text 2>err || fail "callgrind_annotate: $(cat err)"
    [ ! -s err ] || fail "callgrind_annotate says: $(cat err)"
    [ "$(sed -n 's/ *PROGRAM TOTALS$//p' text | tr -d ,)" = "$(sed -n 's/^totals: //p' callgrind.out)" ] ||
        [ "$(sed -n 's/ *PROGRAM TOTALS$//p' text | tr -d , | tr -s ' ')" = "$(sed -n 's/^totals: //p' callgrind.out)" ] ||
        fail "callgrind_annotate has other totals: $(grep TOTALS text)"
    wanted=$("$prof" report --json built | tr '{' '\n' | sed -n 's/.*"name": *"work".*"units": *\([0-9]*\).*/\1/p' | head -n 1)
    [ "$(sed -n 's/^ *\([0-9,]*\) .*:work \[.*/\1/p' text | tr -d ,)" = "$wanted" ] ||
        fail "callgrind_annotate has other branches for work than $wanted: $(grep ':work' text)"
    callgrind_annotate --inclusive=yes callgrind.out >text 2>err || fail "callgrind_annotate --inclusive: $(cat err)"
    [ ! -s err ] || fail "callgrind_annotate --inclusive says: $(cat err)"
else
    part_skipped 'valgrind is not installed'
fi

part 'EP-96 EP-T12 llvm'
"$prof" export --format llvm --symbols program built >profile.llvm 2>err
ended $? 0 '' "export"
grep -q '^work:[0-9]*:[0-9]*$' profile.llvm || fail "work is missing: $(head -n 5 profile.llvm)"
grep -q '^ [0-9.]*: clamp:[0-9]*$' profile.llvm || fail "what is inlined in work is missing: $(grep -A 9 '^work' profile.llvm)"
grep -q '^  [0-9.]*: least:[0-9]*$' profile.llvm || fail "what is inlined in that is missing: $(grep -A 9 '^work' profile.llvm)"
grep -q '^ [0-9.]*: [0-9]* kind:[0-9]*$' profile.llvm || fail "what work calls is missing: $(grep -A 9 '^work' profile.llvm)"
[ "$(awk -F: '/^[^ ]/ { n += $(NF - 1) } END { print n }' profile.llvm)" = \
    "$(sed -n 's/^totals: .* //p' callgrind.out)" ] || fail "instructions are not those of callgrind"
if command -v llvm-profdata >/dev/null; then
    llvm-profdata merge --sample profile.llvm -o profile.data 2>err || fail "llvm-profdata: $(cat err)"
    [ ! -s err ] || fail "llvm-profdata says: $(cat err)"
    llvm-profdata show --sample --function=work profile.data >text 2>err || fail "llvm-profdata show: $(cat err)"
    total=$(sed -n 's/^work:\([0-9]*\):.*/\1/p' profile.llvm)
    grep -q "^Function: work: $total," text || fail "another profile of work: $(head -n 3 text), not $total"
    grep -q 'inlined callee: clamp' text || fail "llvm-profdata sees no inlined callee: $(cat text)"
else
    part_skipped 'llvm is not installed'
fi

part 'EP-T12 Clang takes the profile in'
if command -v clang >/dev/null && echo 'int x;' | clang --target=s390x-linux-gnu -c -x c - -o x.o 2>/dev/null; then
    clang --target=s390x-linux-gnu -O2 -gline-tables-only -fprofile-sample-use=profile.llvm -S -emit-llvm profiled.c \
        -o profiled.ll 2>err || fail "clang: $(cat err)"
    grep -q 'function_entry_count' profiled.ll || fail "clang has taken no counts from it: $(cat err)"
    grep -q 'branch_weights' profiled.ll || fail "clang has taken no weights from it: $(cat err)"
else
    part_skipped 'no clang for s390x'
fi

part 'EP-96 EP-T12 brstack'
"$prof" export --format brstack log >stacks 2>err
ended $? 0 '' "export"
[ "$(head -n 1 stacks | tr -s ' ' | cut -d' ' -f1,2)" = "PERF_RECORD_MMAP2 1/1:" ] || fail "no module in front: $(head -n 1 stacks)"
[ "$(grep -c '^ ' stacks)" -eq "$(sed -n 's/^H samples-triggered //p' built)" ] || fail "not a line for each sample"
grep '^ ' stacks | grep -vE '^ [0-9a-f]+( 0x[0-9a-f]+/0x[0-9a-f]+/-/-/-/0)+$' && fail "another form: $(grep '^ ' stacks | head -n 1)"
"$prof" export --format brstack --brstack=full --symbols program log >full 2>err
ended $? 0 '' "export of all branches"
# all branches of the samples are those of the profile
grep '^ ' full | tr ' ' '\n' | grep -c / >count
[ "$(cat count)" -eq "$branches" ] || fail "$(cat count) branches, not $branches"
[ "$(grep '^ ' full | tr ' ' '\n' | grep / | grep -vc /PN/)" -eq "$taken" ] || fail "not $taken taken branches"
"$prof" export --format brstack --brstack=full log >out 2>err
ended $? 1 'log: --brstack=full needs the code of all modules' "all branches without code"
"$prof" export --format brstack built >out 2>err
ended $? 1 'built: at byte 0: this is an edge profile, and a sample log is wanted' "branch stacks of a profile"
"$prof" export --format brstack --brstack=some log >out 2>err
ended $? 64 'brstack: say full' "some branches"
"$prof" export --format folded --brstack=full built >out 2>err
ended $? 64 'brstack: only the form brstack takes it' "--brstack with another form"

part 'EP-96 EP-T12 lcov'
"$prof" export --format lcov --symbols program built >out 2>err
ended $? 1 'built: coverage wants an exact profile' "coverage of a profile that was sampled"
if command -v python3 >/dev/null; then
    # as if all had been counted
    sed -e '/^Z [0-9]/d' -e 's/source native/source exact/' built | python3 -c 'import sys, zlib
body = sys.stdin.buffer.read()
sys.stdout.buffer.write(body + b"Z %d %08x\n" % (body.count(b"\n"), zlib.crc32(body)))' >exact
    "$prof" export --format lcov --symbols program exact >coverage 2>err
    ended $? 0 '' "export"
    file=$(sed -n 's/^SF:\(.*profiled.c\)$/\1/p' coverage)
    for name in main work kind compare; do
        grep -q "^FN:[0-9]*,$name\$" coverage || fail "no function $name: $(grep FN coverage)"
    done
    line=$(grep -n 'int sum = 0' profiled.c | cut -d: -f1)
    grep -q "^DA:$((line + 1)),[1-9]" coverage || fail "the loop of work was not executed: $(grep ^DA coverage)"
    for key in FNF:^FN: BRF:^BRDA: LF:^DA:; do
        [ "$(sed -n "s/^${key%%:*}://p" coverage)" -eq "$(grep -c "${key#*:}" coverage)" ] || fail "$key: $(cat coverage)"
    done
    [ "$(sed -n 's/^LH://p' coverage)" -eq "$(grep '^DA' coverage | grep -vc ',0$')" ] || fail "LH: $(cat coverage)"
    if command -v genhtml >/dev/null; then
        sed "s|^SF:.*|SF:$PWD/profiled.c|" coverage >coverage.here
        [ -n "$file" ] || fail "no file profiled.c: $(grep ^SF coverage)"
        genhtml -q --branch-coverage -o html coverage.here >text 2>&1 || fail "genhtml: $(cat text)"
        [ ! -s text ] || fail "genhtml says: $(cat text)"
        [ "$(find html -name 'profiled.c.gcov.html' | wc -l)" -eq 1 ] || fail "genhtml has made no page: $(find html)"
    else
        part_skipped 'lcov is not installed'
    fi
else
    part_skipped 'python3 is not installed'
fi

part 'EP-96 EP-T12 folded adds up'
[ "$("$prof" export --format folded built | awk '{ n += $NF } END { print n }')" = "$branches" ] || fail "folded is not $branches"

part 'EP-96 EP-T12 a program that has run, in every form'
"$tools/zri" --batch --profile-period 31 --profile-out ran --profile-log ran.log --profile-exact ran.exact --run program >out 2>err ||
    fail "the run: $(cat err)"
ran=$(sed -n 's/^H branch-units //p' ran)
[ "$(sed -n 's/^H samples-accepted //p' ran)" -ge 100 ] || fail "few samples: $(grep '^H samples' ran)"
for form in callgrind llvm llvm-raw folded dot; do
    "$prof" export --format $form --symbols program ran >ran.$form 2>err || fail "$form: $(cat err)"
done
"$prof" export --format dot --function work --symbols program ran >work.dot 2>err || fail "dot of a function: $(cat err)"
"$prof" export --format brstack --brstack=full --symbols program ran.log >ran.full 2>err || fail "brstack: $(cat err)"
"$prof" export --format lcov --symbols program ran.exact >ran.lcov 2>err || fail "lcov: $(cat err)"
[ "$(awk '{ n += $NF } END { print n }' ran.folded)" = "$ran" ] || fail "folded is not $ran"
[ "$(grep '^ ' ran.full | tr ' ' '\n' | grep -c /)" -eq "$ran" ] || fail "brstack has not $ran branches"
# ranges and branches of the raw form: each as often as it says, both counted
[ "$(awk -F: '/:/ { n++ } !/:/ { said += $1 } END { print said == n }' ran.llvm-raw)" = 1 ] || fail "llvm-raw: $(head -n 3 ran.llvm-raw)"
[ "$(awk -F: '/->/ { n += $2 } END { print n }' ran.llvm-raw)" = "$(awk '$1 == "E" && $6 == "T" { n += $7 } END { print n }' ran)" ] ||
    fail "llvm-raw has other taken branches than the profile"
judge() # TOOL COMMAND...: it takes the file without a word of complaint
{
    command -v "$1" >/dev/null || return 0
    "$@" >text 2>err || fail "$*: $(cat err)"
    [ ! -s err ] || fail "$* says: $(cat err)"
}
judge callgrind_annotate ran.callgrind
judge llvm-profdata merge --sample ran.llvm -o ran.data
judge dot -Tsvg -o svg ran.dot
judge dot -Tsvg -o svg work.dot
sed "s|^SF:/src/|SF:$PWD/|" ran.lcov >here.lcov
judge genhtml -q --branch-coverage -o html.ran here.lcov

finish "zri-prof with a program"
