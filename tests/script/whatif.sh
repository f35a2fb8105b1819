#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# whatif: what a copy says is what then happens, and nothing of the machine, its past and its files has changed by asking.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 99
answers() { { cat before; echo 'echo the answers'; printf '%s\n' "$@"; } | "$zri" 2>&1 | awk 'shown; $0 == "the answers" { shown = 1 }'; }
cat >before <<'END'
psw mask=180000000
psw ia=10000
r 1C0=00000001800000000000000000010100
gpr 2=20000
gpr 3=ABCD
asm 10000 ahi %r3,1
asm 10004 stg %r3,8(%r2)
asm 1000A svc 5
END

# Registers, condition code, storage, an interruption, and where it ends.
answers 'whatif 3' >found
cat >wanted <<'END'
3 instructions would be carried out:
  supervisor-call interruption 0005 would come, with the old PSW at 000000000001000C
  r3      000000000000ABCD -> 000000000000ABCE
  pswa    0000000000010000 -> 0000000000010100
  absolute 0000000000000089, length 3: 000000 -> 020005
  absolute 0000000000000142, length 3: 000000 -> 200180
  absolute 000000000000014D, length 3: 000000 -> 01000C
  absolute 000000000002000E, length 2: 0000 -> ABCE
END
cmp -s wanted found || fail "what three instructions would do: $(diff wanted found)"
answers whatif | grep -q '^  cc      0 -> 2$' || fail "the condition code"

# The machine is as it was, to the last clock, whether it was asked or not; also with its past kept and branches noted.
for more in '' 'history on' 'branches on'; do
    answers $more 's' 'reg' 'clocks' 'r 0.200' 'r 20000.20' 'abs 10000.20' 'keys 0-20FFF' 'tlb' 'g 10100' 'clocks' >plain
    answers $more 'whatif 3' 's' 'whatif' 'reg' 'clocks' 'r 0.200' 'r 20000.20' 'abs 10000.20' 'keys 0-20FFF' 'tlb' 'whatif 5' 'g 10100' 'clocks' |
        grep -v 'would\|^  [a-z0-9]* *[0-9A-F]* -> \|^  absolute\|^  nothing' >asked
    grep -v '^  [a-z0-9]* *[0-9A-F]* -> ' plain | cmp -s - asked || fail "asking has changed something ($more): $(diff plain asked)"
done

# What it says of each of some instructions is what then comes.
for insn in 'ahi 3,5' 'lg 1,8(2)' 'stg 3,8(2)' 'mvc 0(9,2),8(2)' 'dr 0,3' 'svc 1' 'ap 0(2,2),0(2,2)' 'lpswe 0(2)' 'basr 14,2' 'cgr 2,3' 'stmg 0,15,16(2)'; do
    cat >before <<END
psw mask=180000000
psw ia=10000
gpr 2=20000
gpr 3=ABCD
r 20000=00000001800000000000000000010200
asm 10000 $insn
END
    answers whatif | sed -n 's/^  \([a-z]*[0-9]*\)  *[0-9A-F]* -> \([0-9A-F]*\)$/\1 \2/p' | grep -v '^cc' >said
    while read -r name value; do
        answers s "reg $name" | grep -qi "$value" || fail "$insn: $name does not become $value"
    done <said
    answers whatif | sed -n 's/^  absolute \([0-9A-F]*\), .* -> \([0-9A-F]*\)$/\1 \2/p' >said
    while read -r address value; do
        answers s "abs $address.$((${#value} / 2))" | sed 's/  \*.*//; s/ //g' | grep -q "$value" || fail "$insn: $address does not become $value"
    done <said
done

# Files of devices: the program that writes a block is carried out in the copy, too, but writes to no file. By itself it
# does write.
dd if=/dev/zero of=disk bs=512 count=64 2>/dev/null
cp disk disk.before
cat >before <<'END'
attach 0120 3370 disk
psw mask=180000000
gpr 1=10000
r 20000=00000000 00810120 000000FF
asm 10000 stsch 0x40(%r2)
asm 10004 msch 0x40(%r2)
asm 10008 ssch 0(%r3)
asm 1000C tsch 0(%r4)
asm 10010 brc 4,0x1000C
gpr 2=20000
gpr 3=20100
gpr 4=20400
psw ia=10000
s
r 20045=81
s
r 20100=00000000 0080FF00 00020200
r 20200=63400010 00020300 43400008 00020310 41000200 00031000
r 20300=00000200 00000000 00000000 00000007
r 20310=01000001 00000003
r 31000=C1C2C3
r 1D0=00020001800000000000000000000EEE
END
answers 'whatif 30000' >found
grep -q 'and the CPU would wait' found || fail "the copy has not come to the end of the program: $(cat found)"
cmp -s disk disk.before || fail "the copy has written to a disk"
answers 'g 10014' >/dev/null
cmp -s disk disk.before && fail "the machine itself does not write to the disk: nothing was tried"

answers 'whatif --json' | grep -q '^{"instructions":' || fail "no JSON"
answers 'whatif 0' | grep -q 'from 1 to 100000' || fail "no instruction"
answers 'whatif x' | grep -q 'not a count' || fail "no count"
finish "what would come came, and asking changes nothing"
