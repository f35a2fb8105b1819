#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# RI logs: every group that the demonstration stores is in it, byte for byte as in storage, the same on both engines; zri-ri
# reads logs and dumps, and says clearly what is damaged.
. "${srcdir:-.}/tests/lib.sh"
reader=${ZRI:+$(dirname "$ZRI")/zri-ri}
reader=${reader:-./zri-ri}
# Words that the reader's sentence must have; it must end with status 2.
damaged() {
    "$reader" "$1" > "$work/out" 2> "$work/err"
    [ $? -eq 2 ] || fail "$1: no exit status 2"
    grep -q '; ' "$work/err" || fail "$1: no remedy: $(cat "$work/err")"
    grep -q "$2" "$work/err" || fail "$1: not said: $2; but: $(cat "$work/err")"
}

for engine in reference block; do
    "$zri" --batch --demo --engine $engine --ri-log "$work/$engine.log" > "$work/guest" 2> /dev/null || fail "demo"
    "$zri" --batch --demo --engine $engine > "$work/guest.without" 2> /dev/null || fail "demo without a log"
    cmp "$work/guest" "$work/guest.without" || fail "the log changes what the guest prints"
done
cmp "$work/reference.log" "$work/block.log" || fail "the logs of the engines differ"
stored=$(sed -n 's/^reporting groups stored: *\([0-9]*\),.*/\1/p' "$work/guest")
log=$work/block.log
"$reader" "$log" > "$work/text" || fail "text"
"$reader" --json "$log" > "$work/json" || fail "json"
"$reader" --csv "$log" > "$work/csv" || fail "csv"
[ "$(grep -c '^group' "$work/text")" = "$stored" ] || fail "text: not $stored groups"
[ "$(grep -c '^{"group"' "$work/json")" = "$stored" ] || fail "json: not $stored groups"
[ "$(grep -c ',instruction,' "$work/csv")" = "$stored" ] || fail "csv: not $stored instruction records"
grep -q '^RI log: machine profile max, 1 CPUs; RI profile RI-A: version 0001, primary capability' "$work/text" || fail "header"
grep -q 'CPU 0, .*problem state, mode 1 (instructions)' "$work/text" || fail "text: CPU, state, mode"
tail -1 "$work/json" | grep -q '"full":true' || fail "the last group does not say that the buffer is full"
awk -F, 'NR == 1 { n = NF } NF != n { bad++ } END { exit bad + 0 }' "$work/csv" || fail "csv: lines of different lengths"
if command -v python3 > /dev/null; then
    python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' "$work/json" || fail "json: not JSON"
fi
[ "$("$reader" --cpu 1 "$log" | grep -c '^group')" = 0 ] || fail "--cpu 1"
[ "$("$reader" --cpu 0 "$log" | grep -c '^group')" = "$stored" ] || fail "--cpu 0"
"$reader" - < "$log" | cmp -s - "$work/text" || fail "standard input"

# The records of the log are the program buffer, but for what later groups changed in the begin record.
"$zri" --batch --demo --savecore "$work/core:0-3ffff" > /dev/null 2>&1
command -v python3 > /dev/null && { python3 - "$work/core" "$log" "$work/dump" <<'END' || fail "the program buffer differs from the log"
import struct, sys
core, log = open(sys.argv[1], "rb").read(), open(sys.argv[2], "rb").read()
at, groups = 96, []
while at < len(log):
    length, = struct.unpack(">I", log[at:at + 4])
    count, = struct.unpack(">H", log[at + 62:at + 64])
    if length != 64 + 16 * count + (0 if groups else 64):
        sys.exit("the control block does not stand with the first group alone")
    groups.append(log[at + 64:at + 64 + 16 * count])
    at += length
whole = b"".join(groups)
found = core.find(whole[16:])
if found < 16:
    sys.exit("not in storage")
open(sys.argv[3], "wb").write(core[found - 16:found - 16 + len(whole)])
END
}
if [ -s "$work/dump" ]; then
    "$reader" --origin 401000 --hex "$work/dump" > "$work/dumped" || fail "dump"
    "$reader" --hex "$log" | grep -c '  transfer' > "$work/a"
    grep -c '  transfer' "$work/dumped" > "$work/b"
    cmp "$work/a" "$work/b" || fail "dump: other transfer records"
    grep -q "^  401000 .*groups $stored, " "$work/dumped" || fail "dump: origin or count"
    head -c 500 "$work/dump" > "$work/short"
    damaged "$work/short" "counts $stored groups, but the file ends in group 4"
fi

# Two CPUs of different capability, each with a buffer of its own.
doc=$(cd "${srcdir:-.}/doc" && pwd)
printf 'name = two\nfacilities = all\nri = RI-A\nri-odd = RI-B\n' > "$work/two"
(cd "$doc/.." && "$zri" --cpus 2 --profile "$work/two" --ri-log "$work/two.log" > "$work/out" 2>&1) << 'END'
script doc/ri-program.zc
ri set V=1 Qs=1 Qc=1 M=1 B=1 F=1 RGS=1 SF=20 ROA=20000 RCA=20000 RLA=20FFF
ri on
cpu 1
psw 0000000180000000 10000
ri set V=1 Qs=1 Qc=1 M=1 B=1 F=1 RGS=1 SF=20 ROA=22000 RCA=22000 RLA=22FFF
ri on
start
cpu 0
g
END
"$reader" --json "$work/two.log" > "$work/json" || fail "two CPUs: json"
head -1 "$work/json" | grep -q '"profile":"two","cpus":2' || fail "two CPUs: header"
for cpu in 0 1; do
    [ "$("$reader" --cpu $cpu "$work/two.log" | grep -c "^group .*: CPU $cpu,")" = 11 ] || fail "CPU $cpu: not 11 groups"
    grep "\"cpu\":$cpu," "$work/json" | grep -c "\"T\":$cpu," | grep -qx 11 || fail "CPU $cpu: capability"
done

"$reader" --symbols "$doc/ri-program.map" "$work/two.log" > "$work/text" || fail "symbols"
grep -q 'transfer    1011C -> 10104 .* <again+18> -> <again>' "$work/text" || fail "symbols: text"
"$reader" --csv --symbols "$doc/ri-program.map" "$work/two.log" > "$work/csv" || fail "symbols: csv"
grep -q ',again+18,again$' "$work/csv" || fail "symbols: csv"
awk -F, 'NR == 1 { n = NF } NF != n { bad++ } END { exit bad + 0 }' "$work/csv" || fail "symbols: lines of different lengths"
"$reader" "$work" > "$work/out" 2> "$work/err" && fail "a directory is read"
grep -q 'Is a directory; name a file that' "$work/err" || fail "no remedy for a directory: $(cat "$work/err")"
"$reader" --symbols "$log" "$log" > "$work/out" 2> "$work/err"
[ $? -eq 2 ] || fail "symbols: a map that is none"

# Columns differ in more than case; JSON has symbols, too, and is JSON.
head -1 "$work/csv" | tr , '\n' | tr '[:upper:]' '[:lower:]' | sort | uniq -d > "$work/twice"
[ ! -s "$work/twice" ] || fail "csv: columns that differ in case alone: $(cat "$work/twice")"
"$reader" --json --symbols "$doc/ri-program.map" "$work/two.log" > "$work/json" || fail "symbols: json"
grep -q '"TGT":"[0-9A-F]*","symbol":"again+18","target_symbol":"again"}' "$work/json" || fail "symbols: json has none"
if command -v python3 > /dev/null; then
    python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' "$work/json" || fail "symbols: not JSON"
fi

# Damage. Each sentence has a remedy behind a semicolon.
: > "$work/empty"
damaged "$work/empty" "it is empty"
damaged "$zri" "neither an RI log nor a program buffer"
damaged "$work/not-there" "No such file"
head -c 50 "$log" > "$work/cut"
damaged "$work/cut" "within the header"
head -c 1000 "$log" > "$work/cut"
damaged "$work/cut" "within the entry of group 5"
[ "$(grep -c '^group' "$work/out")" = 4 ] || fail "what is good before the damage is not shown"
{ head -c 96 "$log"; printf '\377\377\377\377'; tail -c +101 "$log"; } > "$work/cut"
damaged "$work/cut" "the entry of group 1 has a length"
{ head -c 160 "$log"; printf '\005'; tail -c +162 "$log"; } > "$work/cut"
damaged "$work/cut" "group 1 does not begin with a begin record"
{ head -c 9 "$log"; printf '\011'; tail -c +11 "$log"; } > "$work/cut"
damaged "$work/cut" "format that this version does not know"
"$zri" --batch --demo --ri-log "$work/no/such/folder" > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q 'cannot be written' "$work/err" || fail "--ri-log into nothing"
if [ -c /dev/full ]; then
    "$zri" --batch --demo --ri-log /dev/full > "$work/out" 2> "$work/err"
    [ $? -eq 2 ] && grep -q 'is not complete' "$work/err" || fail "--ri-log on a full disk"
fi
finish "$stored groups logged, read back and compared"
