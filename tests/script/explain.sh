#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# explain: what is told is so. What it says of an instruction is held against what the machine then does with it.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 99

# answers COMMANDS...: what zri answers to them, one a line, after the preparation.
answers() { { cat before; echo 'echo the answers'; printf '%s\n' "$@"; } | "$zri" 2>&1 | awk 'shown; $0 == "the answers" { shown = 1 }'; }
: >before

answers 'explain ahi 1,5' >found
cat >wanted <<'END'
0000000000000000  A71A0005  ahi %r1,5
ADD HALFWORD IMMEDIATE (32<-16), format RI-a, chapter 7 of the Principles of Operation
  bits 0-7    OP   A7        operation code
  bits 8-11   R1   1         register
  bits 12-15  OP   A         operation code
  bits 16-31  I2   0005      number in the instruction
Adds the signed 16 bits in the instruction to the first operand.
Operands now:
  1. general register 1 = 0000000000000000 (0)
  2. the number 5
The condition code, 0 now, will be:
  0  result zero
  1  result less than zero
  2  result greater than zero
  3  overflow
Could it be refused?
  no  operation: every machine of this profile has it
  no  fixed-point overflow: when the result does not fit; now the bit of the program mask for it is zero
END
cmp -s wanted found || fail "an instruction that is typed: $(diff wanted found)"

# What it says could go wrong is what does, and when it says no, none comes: instruction, registers, whether it says YES.
cat >before <<'END'
asm 10000 lpswe 0x300
r 1D0=0002000180000000 0000000000000EEE
r 300=0002000180000000 0000000000000000
END
tried=0
while IFS='|' read -r state line says code; do
    cat >run <<END
$state
asm 20000 $line
explain
s
END
    { cat before; cat run; } | "$zri" >out 2>&1
    yes=$(grep -c '^  YES' out)
    [ "$yes" -eq "$says" ] || fail "$line ($state): $yes exceptions told, $says wanted: $(cat out)"
    if [ "$says" -gt 0 ]; then
        grep -q "program interruption $code " out || fail "$line ($state): no program interruption $code: $(cat out)"
    elif grep -q 'program interruption' out; then
        fail "$line ($state): said that nothing is refused, and it was: $(cat out)"
    fi
    tried=$((tried + 1))
done <<'END'
psw 0000000180000000 20000|l %r1,0x400|0|
psw 0001000180000000 20000|lctlg %c1,%c1,0x400|1|0002
psw 0000000180000000 20000|lctlg %c1,%c1,0x400|0|
psw 0000000180000000 20000|mr %r3,%r4|1|0006
psw 0000000180000000 20000|mr %r2,%r4|0|
psw 0000000180000000 20000|adbr %f1,%f2|1|0007
psw 0000000180000000 20000|vone %v1|1|0007
psw 0000000180000000 20000|lxr %f2,%f4|1|0006
psw 00F0000180000000 20000|st %r1,0x600|1|0004
psw 00F0000180000000 20000|l %r1,0x600|0|
psw 0000000180000000 20000|l %r1,0(%r15)|0|
END
[ "$tried" -eq 11 ] || fail "$tried instructions tried"
{ cat before; echo 'gpr 2=7FFFFFFF000'; echo 'psw 0000000180000000 20000'; echo 'asm 20000 stg %r1,0(%r2)'; echo explain; } | "$zri" >out 2>&1
grep -q 'YES access: storing at 7FFFFFFF000 is refused: addressing' out || fail "a store outside storage: $(cat out)"

# It leaves no trace: reference bits, TEID, registers.
{ cat before; printf '%s\n' 'psw 0000000180000000 20000' 'asm 20000 l %r1,0x5000' 'keys 5000=0' explain 'keys 5000'; } | "$zri" >out 2>&1
tail -1 out | grep -q 'key 00' || fail "explain set a reference bit: $(tail -1 out)"

# The parts of the state.
answers 'psw 0703C00180000000 0000000000001234' 'explain psw' >out
grep -q '^  5      DAT                  1  addresses are translated$' out || fail "psw: DAT: $(cat out)"
grep -q '^  15     problem state        1  problem state' out || fail "psw: problem state: $(cat out)"
grep -q '^  16-17  address space        3 ' out || fail "psw: space: $(cat out)"
answers 'cr 0=40000' 'explain cr 0' | grep -q '^  45     1  AFP-register control$' || fail "cr 0"
answers 'explain interruption 5' | grep -q '^program interruption 0005: addressing;' || fail "a code"
answers 'explain interruption addressing' | grep -q '^program interruption 0005: addressing;' || fail "a name"
answers 'explain interruption 1004' | grep -q '^external interruption 1004: clock comparator' || fail "an external code"
answers 'explain interruption' | grep -q 'no program interruption on this CPU yet' || fail "none yet"
answers 'explain facility 129' | grep -q '^instructions: .* vll ' || fail "a facility"
answers 'r 400=02400050 00001000' 'explain ccw 400' >out
grep -q '^  command 02 (read), 80 bytes, data at absolute 00001000$' out || fail "a channel-command word: $(cat out)"
grep -q '^  chain command: ' out || fail "its flags: $(cat out)"
answers 'explain translation 1000' | grep -q '0000000000001000 is absolute' || fail "translation"
answers 'explain --json brc 8,0x10' | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["name"] == "BRANCH RELATIVE ON CONDITION" and d["branches"] is True and d["conditions"] == [], d
assert [f["name"] for f in d["fields"]] == ["OP", "M1", "OP", "RI2"], d
' 2>err || { command -v python3 >/dev/null && fail "JSON: $(cat err)"; }

# Errors name the thing and the remedy.
answers 'explain 10' | grep -q 'is no instruction: it would be an operation exception' || fail "no instruction"
answers 'explain 7fffffffff' | grep -q 'translate 7FFFFFFFFF shows why' || fail "no storage"
answers 'explain frobnicate 1,2' | grep -q "frobnicate" || fail "a wrong mnemonic"
answers 'explain cr 16' | grep -q '0 to 15' || fail "a wrong register"
answers 'explain facility 9999' | grep -q 'reserved' || fail "a wrong facility"
answers 'explain interruption FFFF' | grep -q 'man zri-interruptions' || fail "a wrong code"
answers 'explain ccw 7fffffff0' | grep -q 'no storage at absolute' || fail "a word outside storage"
finish "explain"
