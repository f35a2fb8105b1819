#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The past at the console: who wrote this word, steps back, places and times, and what is refused; on every engine.
. "${srcdir:-.}/tests/lib.sh"
passed=0

# has NAME REGEX: a line of the output matches
has() {
    if grep -Eq -- "$2" "$work/out"; then
        passed=$((passed + 1))
    else
        fail "$1: no line matches: $2"
        sed 's/^/    /' "$work/out" | head -60
    fi
}

# A loop counts %r3 up to 100000 and stores it at 20000; once, at 77777, another store goes to 20100.
cat > "$work/loop.zc" <<'END'
asm 10000 lgfi %r4,0x20000
asm 10006 lgfi %r5,100000
asm 1000c aghi %r3,1
asm 10010 stg %r3,0(%r4)
asm 10016 cgfi %r3,77777
asm 1001c jlh 0x10026
asm 10020 stg %r3,256(%r4)
asm 10026 cgr %r3,%r5
asm 1002a jl 0x1000c
asm 1002e lgfi %r2,0x20200
asm 10034 lpswe 0(%r2)
r 20200=0002000180000000 0000000000000FFF
psw 0000000180000000 10000
history on
g
END

for engine in reference block translate; do
    {
        cat "$work/loop.zc"
        cat <<'END'
history
echo who wrote
watch 20100.8
rg
gpr
r 20100.8
rg
watch- all
echo steps
goto 466663
gpr
rs
rs 3
goto 466663
gpr
echo breaks
b 10010 if %r3 = 3E8
rg
gpr
rg
b- all
goto 0
g
echo times
goto 0.3ms
history
END
    } > "$work/commands.zc"
    "$zri" --engine $engine --script "$work/commands.zc" > "$work/out" 2>&1
    has "$engine: the past" '^the past is kept: instruction 0 at 0 us to 600005 at'
    sed -n '/^who wrote/,/^steps/p' "$work/out" > "$work/part"
    mv "$work/out" "$work/all"
    cp "$work/part" "$work/out"
    has "$engine: rg" '^watchpoint, [0-9]+ instructions so far'
    has "$engine: the instruction that wrote" '^0000000000010020  E3304100.... *stg %r3,256'
    has "$engine: what it accesses" '^watchpoint at 20100: the next instruction accesses 20100'
    has "$engine: the count then" 'R3=0000000000012FD1'
    has "$engine: not yet written" '20100.* 00000000 00000000'
    has "$engine: and nobody before" '^the past that is kept begins here, 0 instructions so far'
    sed -n '/^steps/,/^breaks/p' "$work/all" > "$work/out"
    has "$engine: goto" '^it is there, 466663 instructions'
    has "$engine: rs" '^stepped back, 466662 instructions'
    has "$engine: rs 3" '^stepped back, 466659 instructions'
    if [ "$(grep -c 'R3=' "$work/out")" -eq 2 ] && [ "$(grep 'R3=' "$work/out" | sort -u | wc -l)" -eq 1 ]; then
        passed=$((passed + 1))
    else
        fail "$engine: the same place has other registers"
    fi
    sed -n '/^breaks/,/^times/p' "$work/all" > "$work/out"
    has "$engine: rg to a breakpoint" '^breakpoint, [0-9]+ instructions so far'
    has "$engine: its condition" 'R3=00000000000003E8'
    has "$engine: the end once more" '^every CPU is stopped or in a disabled wait, 600005 instructions'
    sed -n '/^times/,$p' "$work/all" > "$work/out"
    has "$engine: goto a time" '^it is there, '
    has "$engine: that time" 'instruction 0 at 0 us to [0-9]+ at 300 us'
done

# Interruptions that follow each other at once take time; how much does not depend on where runs end: stepped, or gone to from
# any place, the clock that is stored at 910 is the same.
for engine in reference block translate; do
    {
        cat <<'END'
asm 10000 sigp %r1,%r3,3
asm 10004 sigp %r1,%r3,2
asm 10008 stosm 0x900,1
asm 11000 lr %r6,%r6
asm 11002 lr %r6,%r6
asm 11004 stckf 0x910
asm 11008 j 0x11008
r 1B0=01000001800000000000000000011000
cr 0=E000
psw 0000000180000000 10000
history on
s 8
r 910.8
END
        for place in 0 1 2 3 4 5; do printf 'goto %s\ngoto 8\nr 910.8\n' $place; done
    } >"$work/commands.zc"
    "$zri" --engine $engine --script "$work/commands.zc" >"$work/out" 2>&1
    if [ "$(grep -c '^0000000000000910  D5F' "$work/out")" -eq 7 ] &&
        [ "$(grep '^0000000000000910' "$work/out" | sort -u | wc -l)" -eq 1 ]; then
        passed=$((passed + 1))
    else
        fail "$engine: interruptions in a row take other times: $(grep '^0000000000000910' "$work/out")"
    fi
done

# The place where the guest ends is reached like any other, from wherever one comes.
for engine in reference block translate; do
    {
        cat <<'END'
asm 10000 lghi %r1,1000
asm 10004 brctg %r1,0x10004
asm 10008 lpswe 0x900
r 900=00020001800000000000000000000000
psw 0000000180000000 10000
history on
g
END
        for place in 1001 1000 999 986 985 500 0; do printf 'goto %s\ngoto 1002\n' $place; done
    } >"$work/commands.zc"
    "$zri" --engine $engine --script "$work/commands.zc" >"$work/out" 2>&1
    if [ "$(grep -c '^it is there, 1002 ' "$work/out")" -eq 7 ] && ! grep -q 'ends here' "$work/out"; then
        passed=$((passed + 1))
    else
        fail "$engine: the end of the guest is not reached: $(grep instructions "$work/out")"
    fi
done

# What was changed at the console stays changed, from there on.
cat "$work/loop.zc" - > "$work/commands.zc" <<'END'
goto 300000
gpr 3=186A0
g
rs
gpr
goto 299990
gpr
goto 300001
gpr
END
"$zri" --script "$work/commands.zc" > "$work/out" 2>&1
has "changed" '300004 instructions'
has "what the change did is gone" 'R3=000000000000C350|R3=000000000000C34F'
has "before the change" 'R3=000000000000C34E'

# Refused with a sentence.
printf '%s\n' rs rg 'goto 5' 'history on 0' 'history x' 'goto' 'goto -1s' 'rs x' > "$work/bad.zc"
while read -r line; do
    echo "$line" | "$zri" > "$work/out" 2>&1 && fail "accepted: $line"
    has "refused: $line" '(history on|usage|megabytes|no word|decimal|time|number)'
done < "$work/bad.zc"
printf 'history on\n' | "$zri" --clock host > "$work/out" 2>&1 && fail "accepted with --clock host"
has "host clock" 'the past cannot be kept: .*--clock host'
echo "history: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
