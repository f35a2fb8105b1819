#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Devices at the console: attaching, listing, initial program loading from a deck made here (LB-5 in small), lockstep,
# channel reports, snapshots in the middle of channel programs.
set -u
. "${srcdir:-.}/tests/lib.sh"
console() # NAME OPTIONS...: console commands on standard input
{
    name=$1
    shift
    cat >"$work/$name.script"
    (cd "$work" && "$zri" "$@" --seconds 60 --script "$name.script" </dev/null) >"$work/$name" 2>&1
}
says() # NAME TEXT
{
    grep -qF -- "$2" "$work/$1" || {
        fail "$1 does not say: $2"
        cat "$work/$1"
    }
}

# A deck that loads a program which counts the cards of the decks behind its own: R5 cards, R7 ends of decks.
console make <<'END'
abs 0=0008000080002000
abs 8=0200200060000050
abs 10=0200205020000050
asm 50 basr 12,0
asm 52 l 1,184
asm 56 ssch 126(12)
asm 5a tsch 254(12)
asm 5e brc 4,0x5a
asm 62 tm 262(12),1
asm 66 brc 1,0x72
asm 6a ahi 5,1
asm 6e brc 15,0x56
asm 72 ahi 7,1
asm 76 chi 7,3
asm 7a brc 7,0x56
asm 7e lpsw 150(12)
abs d0=00000000 0080FF00 00002090
abs e0=02200050 00003000
abs e8=000A000080000FFF
savecore deck 0 EF
END
printf 'one\ntwo\nthree\nfour\nfive\n' >"$work/text"
printf 'six\nseven' >"$work/more"

# By option, on both engines and in lockstep.
load() # NAME OPTIONS...
{
    name=$1
    shift
    (cd "$work" && "$zri" --device 000C,3505,deck,ascii,text,more --ipl 000C --seconds 60 "$@" </dev/null) \
        >"$work/$name" 2>&1 || fail "$name: exit status $?: $(cat "$work/$name")"
    says "$name" "disabled wait, PSW 0002000080000000 0000000000000FFF"
}
load reference --batch --engine reference --savecore reference.core:0-FFF
load block --batch --engine block --savecore block.core:0-FFF
load lockstep --lockstep --batch
says lockstep "no difference"
cmp "$work/reference.core" "$work/block.core" || fail "the engines leave different storage"

# From the console; loading again puts the decks back.
console load <<'END'
attach 000C 3505 deck ascii text more
devlist
ipl 000C
gpr
devlist
ipl 0:000C
gpr
abs 3000.5
END
says load "0:000C  subchannel 0000  3505,deck,ascii,text,more  deck 1 of 3"
says load "0:000C  subchannel 0000  3505,deck,ascii,text,more  empty"
[ "$(grep -c 'R5=0000000000000007 .*R7=0000000000000003' "$work/load")" -eq 2 ] || fail "seven cards were not counted twice"
says load "A285A585 95"

# Loading from a disk: its first block has the PSW, and a CCW that does nothing.
console makedisk <<'END'
abs 0=000A000080000FFF
abs 8=0300000020000001
savecore disk 0 3FF
END
(cd "$work" && "$zri" --device 0120,9336,disk --ipl 0120 --batch </dev/null) >"$work/fromdisk" 2>&1 ||
    fail "IPL from a disk: $(cat "$work/fromdisk")"

# A printer: spacing, printing over, the top of a form; then the file cannot be written.
printer() # FILE
{
    console print <<END
attach 000E 1403 $1
abs 20000=00000000 00800000 80000000 0000FF80
abs 20100=00000000 0080FF00 00020200
abs 20200=01600003 00021000 09600004 00021003 19600002 00021000 8B600001 00000000 09200002 00021000
abs 21000=C1C2C34040E76B
gpr 1=10000
gpr 2=20000
gpr 3=20100
gpr 4=20400
asm 10000 msch 0(2)
asm 10004 ssch 0(3)
asm 10008 tsch 0(4)
asm 1000c brc 4,0x10008
psw ia=10000
g 10010
abs 20408.4
END
}
printer paper
says print "0C00"
printf 'ABX,\nAB\n\n\n\n\f\nAB\n' >"$work/expected"
tr -d '\f' <"$work/paper" >"$work/plain"
tr -d '\f' <"$work/expected" | tr -s '\n' >"$work/plain.expected"
tr -s '\n' <"$work/plain" | cmp - "$work/plain.expected" || fail "the paper: $(cat "$work/paper")"
printer /dev/full
says print "device 0:000E: the printer's file cannot be written"
says print "0E00"

# What is not possible is said.
console wrong <<'END'
attach 000C 3505 nosuchfile
END
says wrong "card deck 'nosuchfile'"
for line in 'attach 000C 9999' 'attach G 3505' 'detach 0123' 'devinit 0123 x' 'attach 0120 3370' 'attach 0120 3370 =0' \
    'attach 0120 3370 =1M x' 'i 000C' 'input 000C x'; do
    printf 'attach 000C 3505 ascii =X\n%s\n' "$line" | console wrong
    [ $? -eq 1 ] || fail "'$line' was taken"
done
(cd "$work" && "$zri" --device 000C,3505,text --ipl 000C --batch </dev/null) >"$work/noprogram" 2>&1
[ $? -eq 2 ] || fail "IPL from a text has no exit status 2"

# Channel reports: attach and detach.
console report <<'END'
asm 10000 stcrw 0(2)
asm 10004 stcrw 4(2)
gpr 2=20000
attach 000C 3505 ascii =X
detach 000C
psw ia=10000
s 2
abs 20000.8
END
says report "03040000 03040000"

# A snapshot at any time, also in the middle of a channel program, goes on to the same end.
for steps in 1 5 6000 12000 40000; do
    (cd "$work" && printf 's %s\nsnapshot save a.zs\n' $steps >save.script &&
        "$zri" --device 000C,3505,deck,ascii,text,more --ipl 000C --script save.script </dev/null) \
        >"$work/save" 2>&1
    grep -q "built without zlib" "$work/save" && break
    (cd "$work" && "$zri" --snapshot a.zs --batch --savecore part.core:0-FFF </dev/null) >"$work/part" 2>&1 ||
        fail "the snapshot behind $steps instructions: $(cat "$work/part")"
    cmp "$work/part.core" "$work/block.core" || fail "behind $steps instructions the snapshot goes on differently"
done

finish "devices: all passed"
