#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# zri-prof: its commands on the profile of the specification, options, exit statuses, files that are no profiles, output
# that is lost.
. "${srcdir:-.}/tests/lib.sh"
prof=${ZRI:+$(dirname "$ZRI")/zri-prof}
prof=${prof:-./zri-prof}
case $prof in /*) ;; *) prof=$PWD/$prof ;; esac
cp "${srcdir:-.}/tests/script/example.zeprof" "$work/ex"
cd "$work" || exit 99

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

part 'EP-55 EP-95 merge'
"$prof" merge ex -o same 2>err
ended $? 0 '' "merge of one"
cmp -s ex same || fail "a profile merged alone is another: $(diff ex same)"
"$prof" merge ex same ex --output - >sum 2>err
ended $? 0 '' "merge of three"
grep -qx 'E 0 1001c 0 10024 T 9' sum || fail "no sum: $(cat sum)"
"$prof" merge - same <ex -o same 2>err
ended $? 0 '' "merge into one of the files"
grep -qx 'H events-total 30' same || fail "the sum in one of the files: $(cat same)"
[ "$(ls)" = "$(printf 'err\nex\nsame\nsum')" ] || fail "files are left: $(ls)"
# a profile of instructions, with a line Z that python or nothing makes
if command -v python3 >/dev/null; then
    sum() { python3 -c 'import sys, zlib
body = sys.stdin.buffer.read()
sys.stdout.buffer.write(body + b"Z %d %08x\n" % (body.count(b"\n"), zlib.crc32(body)))'; }
    sed -e '/^Z [0-9]/d' -e 's/event branch/event insn/' ex | sum >insn
    sed -e '/^Z [0-9]/d' -e 's/sha256:- ex/sha256:- ey/' ex | sum >other
    sed -e '/^Z [0-9]/d' -e 's/event branch/event taken/' ex | sum >taken
    sed -e '/^Z [0-9]/d' -e '/^[MFBERD]/d' -e 's/^H \(branch\|run\)-units .*/H \1-units 0/' ex | sum >empty
    "$prof" merge ex insn -o out 2>err
    ended $? 1 'ex has event branch and insn has insn.*--force' "merge of two events"
    [ ! -e out ] || fail "a refused merge leaves a file"
    "$prof" merge --force ex insn -o out 2>err || fail "forced: $(cat err)"
    grep -qx 'H event mixed' out || fail "forced: $(cat out)"
    "$prof" report out >text 2>err
    ended $? 0 'out: the profile may not be uniform' "report of what was forced"
    "$prof" merge --force ex other -o out2 2>err
    ended $? 1 'modules ex and ey are different' "merge of two programs"
    "$prof" diff ex other >text 2>err
    ended $? 1 'modules ex and ey are different' "comparison of two programs"
    "$prof" report taken >text 2>err
    ended $? 0 'taken: the profile is not uniform' "event taken"
    "$prof" export --format folded taken >text 2>err
    ended $? 0 'taken: the profile is not uniform' "export of event taken"
    "$prof" report empty >text 2>err
    ended $? 0 'empty: no branch is in the profile' "report of an empty profile"
fi

part 'EP-97 report'
"$prof" report ex >text 2>err
ended $? 0 '' "report"
grep -q '^Edge profile of ex: mode edge, source native, event branch' text || fail "head: $(cat text)"
grep -q '^ *3  25.000 % *4  *100.000 %  *0 1001c -> 0 10024 taken, cond  _start$' text || fail "edges: $(cat text)"
[ "$(grep -c ' -> ' text)" -eq 6 ] || fail "edges: $(cat text)"
[ "$("$prof" report --top 2 ex | grep -c ' -> ')" -eq 2 ] || fail "--top 2"
"$prof" report --json - <ex >json 2>err
ended $? 0 '' "report --json"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["headers"]["events-total"] == 15 and r["headers"]["mode"] == "edge" and r["diagnostics"] == {"drop.flow": 0, "drop.short": 0}
assert r["functions"] == [{"name": "_start", "module": "ex", "start": "10000", "end": "10048", "units": 12, "share": 1, "calls": 0}]
assert [e["units"] for e in r["edges"]] == [3, 2, 2, 2, 2, 1] and sum(e["share"] for e in r["edges"]) > 0.999
assert r["edges"][0]["from"] == "1001c" and r["edges"][0]["estimate"] == 4 and r["edges"][5]["taken"] is False
assert r["targets"] == [] and r["tail_calls"] == []' json || fail "JSON: $(cat json)"
fi

part 'EP-83 EP-97 diff'
"$prof" diff --metrics ex sum >text 2>err
ended $? 0 '' "diff --metrics"
[ "$(cut -d' ' -f1 text | tr '\n' ' ')" = "overlap share-error ratio-error ratio-error-0.01 not-taken-error probability-error \
hot-10 hot-50 tau-b block-overlap call-overlap " ] || fail "keys: $(cat text)"
grep -qx 'overlap 1.000000' text || fail "overlap: $(cat text)"
grep -qx 'call-overlap -' text || fail "calls: $(cat text)"
"$prof" diff ex sum >text 2>err
ended $? 0 '' "diff"
grep -q '^  25.000 %   25.000 %   +0.000 %  0 1001c -> 0 10024 taken, cond$' text || fail "diff: $(cat text)"
"$prof" diff --json ex sum >json 2>err
ended $? 0 '' "diff --json"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["reference"]["events-total"] == 15 and r["profile"]["events-total"] == 45
assert r["metrics"]["overlap"] == 1 and r["metrics"]["block-overlap"] is None and len(r["metrics"]) == 11
assert len(r["functions"]) == 1 and len(r["edges"]) == 6 and r["edges"][0]["change"] == 0' json || fail "JSON: $(cat json)"
fi

part 'EP-96 export'
[ "$("$prof" export --format folded ex)" = "_start 12" ] || fail "folded"
"$prof" export --format llvm-raw ex >raw 2>err
ended $? 0 '' "llvm-raw"
[ "$(tr '\n' ' ' <raw)" = "6 10-10:2 16-1c:1 18-1c:2 24-28:2 2c-30:1 38-3c:1 4 10->18:2 1c->24:3 30->38:2 3c->10:2 " ] ||
    fail "llvm-raw: $(cat raw)"
"$prof" export --format llvm-raw --module ey ex >raw 2>err
ended $? 1 'ex: no module of the profile has the name ey' "another module"
printf 'ZTBTLOG1\0\1\0\100' >log
"$prof" export --format folded log >raw 2>err
ended $? 1 'log: this is a sample log' "a sample log"
"$prof" build ex -o out 2>err
ended $? 1 'ex: at byte 0: this is an edge profile, and a sample log is wanted' "build of a profile"
"$prof" build log 2>err
ended $? 64 'build: name the file for the profile' "build to nowhere"

part 'EP-95 symbols'
printf '0000000000010000 T first\n0000000000010016 t second\n0000000000010048 B _end\n' >System.map
"$prof" report --symbols System.map --json ex >json 2>err
ended $? 0 '' "functions by a map"
grep -q '"name": *"first"' json && grep -q '"name": *"second"' json || fail "no names of the map: $(cat json)"
! grep -q _start json || fail "the name that was there is left: $(cat json)"
"$prof" merge --symbols System.map ex -o out 2>err
ended $? 0 '' "merge with a map"
grep -qx 'F 0 0 10000 10016 first' out && grep -qx 'F 1 0 10016 10048 second' out || fail "no names of the map: $(grep ^F out)"
printf '0000000000000000 T first\n0000000000000016 t second\n' >low.map
"$prof" merge --symbols low.map@10000 ex -o out2 2>err
ended $? 0 '' "a map with an address"
cmp -s out out2 || fail "another address, other functions: $(diff out out2)"
rm out2
"$prof" report --symbols low.map@x ex >text 2>err
ended $? 1 'low.map@x: what stands behind @ is no address' "a wrong address"
"$prof" report --symbols nowhere ex >text 2>err
ended $? 2 'nowhere: .*; check the name' "no file of symbols"
echo 'T first 10000' >bad.map
"$prof" report --symbols bad.map ex >text 2>err
ended $? 1 'bad.map: line 1 is none of a list of symbols' "a map that is none"
printf '0000000000000000 T first\n0000000000000000 T second\n' >zero.map
"$prof" report --symbols zero.map ex >text 2>err
ended $? 1 'zero.map: all addresses are zero: the kernel hides them' "a map without addresses"
printf '\1\2' >image
"$prof" report --symbols image ex >text 2>err
ended $? 1 'ex: image: no module is this file' "another image"
printf '\177ELF and no more' >elf
"$prof" report --symbols elf ex >text 2>err
case $? in
1) ended 1 1 'elf: the ELF header cannot be read' "a damaged ELF file" ;;
*) ended 64 64 'configure --with-libdw' "an ELF file without libdw" ;;
esac

part 'EP-60 EP-77 EP-95 a log of run-time instrumentation'
guest=${GUESTS:-../tests/guest}/ri-example.elf
if [ -s "$guest" ] && "$prof" report --symbols "$guest" ex 2>&1 | grep -q 'configured without libdw'; then
    part_skipped 'this build cannot read ELF files: no libdw'
elif [ -s "$guest" ]; then
    cp "$guest" ri.elf
    "$zri" --batch --storage 1M --ri-log ri.log ri.elf >text 2>err || fail "the guest: $(cat err)"
    "$prof" build ri.log -o ri --symbols ri.elf 2>err
    status=$?
    [ $status -eq 0 ] || fail "build: exit status $status: $(cat err)"
    grep -qx 'H source ri' ri || fail "another source: $(cat ri)"
    grep -q '^M 0 0 [0-9a-f]* [0-9a-f]* 0 sha256:.* ri.elf$' ri || fail "no module: $(grep ^M ri)"
    "$prof" report ri >text 2>err || fail "report: $(cat err)"
    printf 'zriRIlog and nothing' >ri.bad
    "$prof" build ri.bad -o out3 --symbols ri.elf 2>err
    ended $? 1 'ri.bad: ' "a damaged log"
    [ ! -e out3 ] || fail "a profile is left"
else
    part_skipped 'no guest: there are no s390x cross tools'
fi

part 'EP-91 files that are no profiles'
sed 's/T 3/T 4/' ex >bad
"$prof" report bad >text 2>err
ended $? 1 'bad: line 42: the check sum of the lines before it is .*; take a profile' "a changed count"
sed 's/ cond / kond /' ex >bad
"$prof" merge ex bad -o out3 2>err
ended $? 1 "bad: line 23: 'kond' cannot stand in field 4 of a line B; take a profile" "a wrong word"
[ ! -e out3 ] || fail "a file is left"
head -n 30 ex >bad
"$prof" report bad >text 2>err
ended $? 1 'bad: line 31: the file ends before it' "a profile that is cut"
"$prof" report /dev/null >text 2>err
ended $? 1 'line 1: the file is empty' "an empty file"
"$prof" report nowhere >text 2>err
ended $? 2 'nowhere: .*; check the name' "no file"
"$prof" report . >text 2>err
ended $? 2 '.: .*; check that it is a file' "a folder"
"$prof" merge ex -o nowhere/out 2>err
ended $? 2 'nowhere/out' "a place that is not there"

part 'EP-95 options'
for wrong in "" "nothing ex" "report" "report ex ex" "diff ex" "merge ex" "merge -o out" "report --metrics ex" "report --nothing ex" \
    "report --top x ex" "report --top -1 ex" "report --top" "diff --json --metrics ex ex" "export ex" "export --format nothing ex" \
    "export --format folded --module ex ex" "report --force ex"; do
    # shellcheck disable=SC2086
    "$prof" $wrong >text 2>err
    ended $? 64 ': ' "'$wrong'"
done
"$prof" --version | grep -q '^zri-prof ' || fail "--version"
"$prof" diff --version | grep -q '^zri-prof ' || fail "--version behind a command"
"$prof" report --help | grep -q '^  report  PROFILE' || fail "--help behind a command"
"$prof" --dump-completion sh >text 2>err
ended $? 64 'name a shell' "--dump-completion sh"
for shell in bash zsh; do
    "$prof" --dump-completion $shell >done.$shell 2>err
    ended $? 0 '' "--dump-completion $shell"
    command -v $shell >/dev/null || continue
    $shell -n done.$shell || fail "$shell does not understand its completion"
done
if command -v bash >/dev/null; then
    completed() # WORDS...: what the last of them becomes
    {
        bash -c '. ./done.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _zri_prof; echo "${COMPREPLY[*]}"' bash zri-prof "$@"
    }
    [ "$(completed m)" = merge ] || fail "completion of m: $(completed m)"
    [ "$(completed b)" = build ] || fail "completion of b: $(completed b)"
    [ "$(completed report --sy)" = --symbols ] || fail "completion of report --sy: $(completed report --sy)"
    [ "$(completed diff --m)" = --metrics ] || fail "completion of diff --m: $(completed diff --m)"
    [ "$(completed report --m)" = "" ] || fail "completion of report --m: $(completed report --m)"
    case " $(completed export --format '') " in *" folded "*) ;; *) false ;; esac || fail "completion of forms: $(completed export --format '')"
fi
if [ -c /dev/full ]; then
    for words in "report ex" "report --json ex" "diff ex ex" "export --format folded ex" "merge ex -o -" "--help"; do
        # shellcheck disable=SC2086
        "$prof" $words >/dev/full 2>err
        ended $? 2 'No space' "$words on a full device"
    done
    "$prof" merge ex -o /dev/full 2>err
    ended $? 2 '/dev/full: .*No space.*; give it a place with room' "merge to a full device"
fi
"$prof" report ex 2>err >&-
ended $? 2 'output' "closed output"
finish "zri-prof: merge, report, diff, export"
