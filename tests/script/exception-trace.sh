#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exception trace as a user has it: options and which of them win, files that are wrong or have no room, the console's
# family et in both forms, the same bytes from both engines and in two runs, a guest that does not notice.
. "${srcdir:-.}/tests/lib.sh"
reader=${ZRI:+$(dirname "$ZRI")/zri-et}
reader=${reader:-./zri-et}
guests=${GUESTS:-tests/guest}
image=$guests/interrupt.elf
[ -f "$image" ] || skip "the guests are not built (no assembler for s390x)"
full=signal=on,state=on,tpi=on,info=on,addr=old+new+ret,timestamps=inline,tailflag=both,lateflag=on

# run FILE OPTIONS...: the image, traced into FILE.
run()
{
    file=$1
    shift
    "$zri" --batch --et-out "$file" "$@" "$image" >"$work/guest" 2>"$work/end" || fail "$* ends with $?: $(cat "$work/end")"
}
# refused STATUS WORDS OPTIONS...: it ends so, with these words.
refused()
{
    status=$1 words=$2
    shift 2
    "$zri" --batch "$@" "$image" >"$work/guest" 2>"$work/end"
    code=$?
    [ $code -eq "$status" ] || fail "$*: exit status $code"
    grep -qF -- "$words" "$work/end" || fail "$*: not said: $words; but: $(cat "$work/end")"
}
# console LINES: a script of commands; what it shows in $work/shown. Behind a line that fails no other is carried out.
console()
{
    printf '%s\n' "$@" 'echo to the end' >"$work/script"
    "$zri" --script "$work/script" >"$work/shown" 2>&1
    grep -q 'to the end' "$work/shown" || fail "console: $(tail -n 2 "$work/shown")"
}
# not_taken LINES: the last one fails.
not_taken()
{
    printf '%s\n' "$@" 'echo to the end' >"$work/script"
    "$zri" --script "$work/script" >"$work/shown" 2>&1
    ! grep -q 'to the end' "$work/shown" || fail "taken: $*"
}
shows() { grep -qF -- "$1" "$work/shown" || fail "not shown: $1; but: $(head -n 5 "$work/shown")"; }

# 1. Both engines, two runs, every clock of the machine: the same bytes, and the decoder's accounts close.
part 'ET-110 both engines and two runs give the same streams'
for clock in insn tod cycle; do
    for engine in block reference; do
        run "$work/$engine.et" --engine $engine --et "$full,clock=$clock"
    done
    cmp "$work/block.et" "$work/reference.et" || fail "clock=$clock: the engines differ"
    run "$work/again.et" --et "$full,clock=$clock"
    cmp "$work/block.et" "$work/again.et" || fail "clock=$clock: two runs differ"
    "$reader" "$work/block.et" >"$work/text" 2>"$work/err" || fail "clock=$clock: $(tail -n 1 "$work/err")"
done
[ "$(grep -c ' ENTRY  107 SVC 7' "$work/text")" -eq 1001 ] || fail "not 1001 times SVC 7"

part 'ET-111 the guest ends the same with and without'
"$zri" --batch "$image" >"$work/plain" 2>"$work/plain.end"
for keys in enable=off "$full" "$full,buffer=7,drain=1,overflow=stall"; do
    run "$work/x.et" --et "$keys"
    cmp "$work/guest" "$work/plain" && cmp "$work/end" "$work/plain.end" || fail "$keys changes the run"
done

# 2. Options and files: defaults, precedence, sections.
part 'ET-70 options, files, and which of them win'
run "$work/default.et"
"$reader" "$work/default.et" >"$work/text" || fail "the default"
[ "$(grep -c RETURN "$work/text")" -ge 1000 ] || fail "the default does not put out everything"
printf '# a comment\nevents = entry\n[exception-trace cpu0]\ntimestamps = inline\n[exception-trace cpu3]\nevents = none\n' >"$work/config"
run "$work/file.et" --et-config "$work/config"
"$reader" "$work/file.et" >"$work/text" 2>/dev/null
! grep -q ' EXIT .*SVC 7 *gross=' "$work/text" || fail "the file does not choose events"
run "$work/both.et" --et-config "$work/config" --et events=all
"$reader" "$work/both.et" >"$work/text" || fail "both"
grep -q ' EXIT .*SVC 7' "$work/text" || fail "--et does not win over the file"
run "$work/off.et" --et enable=off
[ "$(wc -c <"$work/off.et")" -le 16 ] || fail "enable=off puts something out"
run "$work/numbers.et" --et numbers=0x107,0x110-0x11f,!0x111,events=entry
"$reader" "$work/numbers.et" >"$work/text" 2>/dev/null
[ "$(grep -c ENTRY "$work/text")" -eq 1016 ] || fail "numbers: $(grep -c ENTRY "$work/text") entries"

# The line of one CPU wins over that of all, wherever it stands; a file in two wins nothing over the command line.
printf '[exception-trace cpu0]\nevents = entry\n[exception-trace]\nevents = all\n' >"$work/config"
run "$work/cpu.et" --et-config "$work/config"
"$reader" "$work/cpu.et" >"$work/text" 2>/dev/null
! grep -q RETURN "$work/text" || fail "the section of CPU 0 does not win over that of all"

part 'ET-73 always on, and how much is put out can still be chosen'
run "$work/always.et" --et enable=off,always=on,events=entry
"$reader" "$work/always.et" >"$work/text" 2>"$work/err"
[ "$(grep -c ' ENTRY .*SVC 7 *$' "$work/text")" -eq 1001 ] || fail "always=on puts not all out"
! grep -q RETURN "$work/text" || fail "always=on puts out more than is chosen"

part 'ET-72 ET-70 a configuration that is fixed at the start'
printf '%s\n' "load $image" 'et set events=all' 'echo to the end' >"$work/script"
"$zri" --et lock=on,events=entry --et-out "$work/lock.et" --script "$work/script" >"$work/shown" 2>&1
! grep -q 'to the end' "$work/shown" || fail "a change behind lock=on"
grep -q locked "$work/shown" || fail "why it is refused: $(cat "$work/shown")"
printf '%s\n' "load $image" 'g' 'et show' 'echo to the end' >"$work/script"
"$zri" --et lock=on,events=entry --et-out "$work/lock.et" --script "$work/script" >"$work/shown" 2>&1
grep -q '^\* events  *entry ' "$work/shown" || fail "the configuration of the start: $(grep events "$work/shown")"
"$reader" "$work/lock.et" >"$work/text" 2>"$work/err"
[ "$(grep -c ' ENTRY .*SVC 7 *$' "$work/text")" -eq 1001 ] || fail "locked: not traced"

part 'ET-74 ET-75 a file is read in the midst of a run'
printf 'enable = on\nevents = entry\nclock = insn\ntimestamps = inline\n' >"$work/config"
console "et out $work/load.et" 'et set clock=insn timestamps=inline' 'et on' "load $image" 'et stop nesting 3' 'g' \
    "et load $work/config" 'et stop off' 'g' 'et out off'
"$reader" --jsonl "$work/load.et" >"$work/text" || fail "a configuration that changes: $(tail -n 1 "$work/text")"
awk '/"register":"ETCR"/ { part = $0; sub(/.*"value":/, "", part); part += 0 } /"kind":"ENTRY"/ { entries[part]++ }
    /"kind":"RETURN"/ { returns[part]++ } # ETCR: 4030041, then 4030011
    END { exit !(entries[67305537] > 1000 && returns[67305537] > 1000 && entries[67305489] > 10 && !returns[67305489]) }' \
    "$work/text" ||
    fail "events on both sides of the change"

part 'ET-65 a pipe as the sink, read while it is written'
mkfifo "$work/pipe"
"$reader" - <"$work/pipe" >"$work/text" 2>"$work/err" &
run "$work/pipe" --et "$full,clock=insn"
wait $! || fail "what came through the pipe: $(tail -n 1 "$work/text")"
run "$work/piped.et" --et "$full,clock=insn"
"$reader" "$work/piped.et" | cmp -s - "$work/text" || fail "pipe and file differ"

part 'ET-68 ET-76 what is wrong is said'
refused 2 'there is no key `event'"'" --et event=entry
refused 2 'possible is entry+exit+return' --et events=jump
refused 2 'is not KEY=VALUE' --et events
refused 2 'clock=host needs' --et clock=host
refused 2 'only one of omit, compress and reduced' --et figure-mode=on,omit=on,reduced=on
printf 'events = entry\nwhat\n' >"$work/config2"
refused 2 'config2:2: this is no `key = value'"'" --et-config "$work/config2"
printf '[other]\n' >"$work/config2"
refused 2 'config2:1: the sections are' --et-config "$work/config2"
printf '[exception-trace rules]\nrule x: when depth > 2\n  jump\n' >"$work/config2"
refused 2 'config2:2: ' --et-config "$work/config2"
refused 2 'cannot be read' --et-config "$work/none"
refused 2 'cannot be written' --et-out "$work/none/x.et"
if [ -e /dev/full ]; then
    refused 2 "is not complete: No space left on device" --et-out /dev/full
fi

# 3. The console.
part 'ET-69 ET-77 ET-18 the console'
console 'et' 'et set signal=on state=on timestamps=inline clock=insn info=on' 'et on' "load $image" 'et stop nesting 3' 'g' \
    'et' 'et stop program 6' 'et stop' 'et stop off' 'et stats' 'et last 3' 'et mark 77' 'et flush' "et save $work/saved" \
    "et out $work/console.et" 'g' 'et out off' 'et show' 'et reg ETCR'
shows 'nothing is kept'
shows "what 'et stop' or a rule asked for has happened"
shows 'PGM 05, nested 3 deep'
shows 'has interrupted NORMAL at 00000000000103EA'
shows 'a run ends at: program, code 0006'
shows 'SVC 7                             1001        0     0        3003           3         3         0'
shows 'ENTRY  085 PGM 05 addressing'
shows '* timestamps      inline'
shows '0000000004030341 control'
grep -qx 'timestamps = inline' "$work/saved" || fail "saved: $(cat "$work/saved")"
"$reader" "$work/console.et" >"$work/text" || fail "the file that the console began: $(tail -n 1 "$work/text")"
grep -q 'STATE  003 disabled wait' "$work/text" || fail "no state of the end"
console "et load $work/saved" 'et reg ETTS' 'et reg ETTS 0' 'et reg 4' 'et rule deep: when depth > 5 do stop' 'et rule' "load $image" \
    'g' 'et rule deep off' 'et rule' 'et lock' 'et cpu 0 status'
shows '0000000000000011 time'
shows '0000000000000000 time'
shows 'rule deep: when depth > 5 do stop; met 0 times'
shows 'rule deep'
console "load $image" 'et tail' 'et on' 'g' 'et tail off' 'et stats reset' 'et off' 'et status'
[ "$(grep -c 'ENTRY  107 SVC 7' "$work/shown")" -eq 1001 ] || fail "et tail: $(grep -c ENTRY "$work/shown")"
shows 'CPU 0: output off'
for command in 'et set what=1' 'et reg ETXX' 'et reg ETBF 0' 'et stop nowhere' 'et stop nesting 0' 'et rule x: when y' 'et cpu 9 on' \
    'et load /nowhere' 'et out /nowhere/x' 'et what' 'et mark' 'et set always=on'; do
    not_taken "$command"
done
not_taken 'et lock' 'et off'
shows 'locked'

part 'ET-64 ET-65 ET-69 the buffer: a dump of what waits'
console 'et set overflow=wrap buffer=10' 'et on' "load $image" 'g' "et dump $work/dump.et"
"$reader" "$work/dump.et" >"$work/text" 2>"$work/err"
grep -q ENTRY "$work/text" || fail "nothing in the dump: $(cat "$work/err")"

# 4. JSON says what the text says.
if command -v python3 >/dev/null; then
    part 'ET-69 displays for programs'
    console "load $image" 'et set signal=on timestamps=inline clock=insn' 'et on' 'et stop nesting 3' 'json on' 'g' 'et' 'et stats' 'et last 2' \
        'et show' 'et reg' 'et rule' 'et stop'
    python3 -c '
import json, sys
shown = [json.loads(line) for line in open(sys.argv[1]) if line[0] in "[{"]
end, status, stats, last, show, registers, rules, stop = shown
assert end["traced"] == "PGM 05, nested 3 deep", end
cpu = status["cpus"][0]
assert cpu["depth"] == 3 and len(cpu["frames"]) == 3, cpu
assert cpu["detected"] == cpu["emitted"] + cpu["filtered"] + cpu["lost"], cpu
svc = [n for n in stats["numbers"] if n["name"] == "SVC 7"][0]
assert svc["entries"] == 1001 and svc["gross"] == 3003 and svc["gross_max"] == 3, svc
assert sum(n["entries"] for n in stats["numbers"]) == sum(n["entries"] for n in stats["classes"])
assert [e["kind"] for e in last] == ["ENTRY", "ENTRY"] and last[1]["en"] == "085", last
assert show["timestamps"] == "inline" and len(registers) == 19 and rules == [] and stop["nesting"] == 3
' "$work/shown" || fail "JSON: $(tail -n 3 "$work/shown")"
fi
finish "options, files, console and buffer of exception trace"
