#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exception trace and RI log in one file: --ri-log and --et-out with the same name. What zri-ri makes of it is what it makes
# of a log alone; zri-et shows both on one axis of time.
. "${srcdir:-.}/tests/lib.sh"
et=$(dirname "$zri")/zri-et
ri=$(dirname "$zri")/zri-ri
cd "$work" || exit 99
demo() # OPTIONS...
{
    "$zri" --batch --demo "$@" >guest 2>end || fail "$* ends with $?: $(cat end)"
}
demo --ri-log log
case $(head -c 4 log) in '') skip "this build has no run-time instrumentation" ;; esac
cp guest guest.was
"$ri" --json log >wanted || fail "the log alone"

part 'ET-22 ET-112 the RI log in the file is the same with any exception trace'
for keys in enable=off clock=tod,timestamps=inline events=entry,omit=on info=on,addr=old+new+ret,signal=on,state=on,tpi=on \
    buffer=7,drain=1,overflow=stall timestamps=separate,merge=exit-return downstream=on; do
    demo --ri-log both --et-out both --et "$keys"
    cmp guest guest.was || fail "$keys: the guest notices"
    "$ri" --json both >json || fail "$keys: zri-ri ends with $?"
    cmp wanted json || fail "$keys: another log"
    "$et" --jsonl both >events 2>err || [ "$keys" = enable=off ] || fail "$keys: zri-et ends with $?: $(cat err)"
done
"$ri" both >text || fail "text: status"
head -n 1 text | grep -q '^RI log: machine profile' || fail "text"
"$ri" - <both >text || fail "standard input"
[ "$(grep -c '^group' text)" -gt 20 ] || fail "few groups: $(grep -c '^group' text)"

part 'ET-112 groups and exceptions on one axis of time'
demo --ri-log both --et-out both --et clock=tod,timestamps=inline
groups=$(wc -l <wanted)
groups=$((groups - 1))
"$et" both >text 2>err || fail "zri-et: $(cat err)"
[ ! -s err ] || fail "words: $(cat err)"
[ "$(grep -c ' GROUP  --- RI reporting group ' text)" -eq $groups ] || fail "text: $(grep -c GROUP text) of $groups groups"
grep -q ' ENTRY .* PGM 11' text || fail "no exceptions"
awk '$1 + 0 < last { exit 1 } { last = $1 + 0 }' text || fail "text: times go back"
grep GROUP text | head -n 1 | grep -q 'next=[0-9a-f]* records=8$' || fail "a group: $(grep GROUP text | head -n 1)"
[ "$("$et" --cpu 1 both 2>err | wc -l)" -eq 0 ] || fail "--cpu 1 shows something"
if command -v python3 >/dev/null; then
    "$et" --jsonl both >lines
    "$et" --chrome both >chrome
    python3 -c '
import json
log = [json.loads(line) for line in open("wanted")][1:]
rows = [json.loads(line) for line in open("lines")]
shown = [row for row in rows if row["kind"] == "GROUP"]
assert [(row["time"], row["address"]) for row in shown] == [(int(g["tod"], 16), int(g["address"], 16)) for g in log]
times = [row["time"] for row in rows if "time" in row]
assert times == sorted(times)
first = next(i for i, row in enumerate(rows) if row["kind"] == "GROUP")
kinds = {row["kind"] for row in rows[first:]}
assert "ENTRY" in kinds and "EXIT" in kinds, "no events behind the first group"
instants = [e for e in json.load(open("chrome"))["traceEvents"] if e.get("name") == "RI group"]
assert len(instants) == len(log) and all(e["ph"] == "i" for e in instants)
' || fail "what programs read"
fi
# With another clock there is no common axis, and that is said.
demo --ri-log both --et-out both --et clock=insn,timestamps=inline
"$et" both >text 2>err
! grep -q GROUP text || fail "clock=insn: groups with times of another clock"
grep -q "$groups groups of its RI log are not shown.*clock=tod" err || fail "clock=insn: $(cat err)"

part 'ET-112 a new file from the console, and none'
printf '%s\n' 'et out second' g 'et out off' >script
"$zri" --demo --ri-log first --et-out first --script script >/dev/null 2>end
"$ri" --json second >json || fail "the second file: $(cat end)"
[ "$(wc -l <json)" -eq $((groups + 1)) ] || fail "the second file has $(wc -l <json) lines"
"$ri" first >text 2>err || fail "the first file, without groups: $(cat err)"
[ "$(wc -l <text)" -eq 1 ] || fail "the first file has groups"
printf '%s\n' 'et out off' g >script
"$zri" --demo --ri-log first --et-out first --script script >/dev/null 2>end
[ $? -eq 2 ] || fail "groups that had no file are not told"
grep -q "$groups reporting groups came while exception trace had no file" end || fail "groups without a file: $(cat end)"

part 'ET-112 what is wrong is said'
"$zri" --batch --demo --ri-log both --et-out ./both >guest 2>end
[ $? -eq 2 ] || fail "two names of one file: taken"
grep -q 'name one file in two ways; write the same name' end || fail "two names of one file: $(cat end)"
demo --et-out alone --et clock=tod
"$ri" alone >text 2>err
[ $? -eq 2 ] || fail "a trace without RI log: exit status"
grep -q 'it has no RI log; name' err || fail "a trace without RI log: $(cat err)"
demo --ri-log both --et-out both --et clock=tod,timestamps=inline
size=$(wc -c <both)
head -c $((size / 2)) both >cut
"$ri" cut >text 2>err
[ $? -eq 2 ] || fail "a file that is cut: exit status"
grep -q '; take another copy' err || fail "a file that is cut: $(cat err)"
if [ -c /dev/full ]; then
    "$zri" --batch --demo --ri-log /dev/full --et-out /dev/full >guest 2>end
    [ $? -eq 2 ] || fail "a full disk: exit status"
    grep -q 'No space' end || fail "a full disk: $(cat end)"
fi
finish "exception trace and RI log in one file"
