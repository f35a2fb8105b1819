#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the console and the command line answer: translations bit by bit, waits, symbols, logs, help that fits, options that
# are nearly right, files that are no snapshots.
. "${srcdir:-.}/tests/lib.sh"
expect() # NAME REGEX: a line of $work/out matches
{
    grep -Eq -- "$2" "$work/out" || { fail "$1: no line matches: $2"; sed 's/^/    /' "$work/out" | head -40; }
}

# translate: DAT off, every field, and which bit a translation-specification exception means.
"$zri" > "$work/out" 2>&1 << 'END'
translate 2000
cr 1=40000
r 40000=0000000000050000 0000000000050004 0000000000050010
r 50000=0000000000030000 0000000000030800 0000000000030400 0000000000030200
psw 0400000180000000 10000
translate 0
translate 1000
translate 100000
translate 3000
translate 1000 --json
cr 1=40100
translate 200000
psw 0000000180000000 10000
translate home 1000
END
expect 'DAT off' '^DAT is off: the address is real$'
expect 'segment entry' '^    page table 50000, protection 0, invalid 0, common 0, type 0$'
expect 'page entry' '^    frame 30000, bit 52 \(must be 0\) 0, invalid 0, protection 0, no execution 0$'
expect 'bit 52' '^0000000000001000: program-interruption code 0012 \(translation specification\): bit 52 of the page-table entry is one$'
expect 'type' 'code 0012 \(translation specification\): bits 60-61 \(type\) are 1, and an entry of a segment table has 0 there$'
expect 'protection' '^    frame 30000, .*, protection 1, '
expect 'json' '"fields":\{"frame":"30000","zero":"1","invalid":"0","protection":"0","iep":"0"\}.*"why":"bit 52 of the page-table entry is one"'
expect 'common' 'code 0012 .*: bit 59 \(common\) is one in a private space \(bit 55 of the ASCE is one\)$'
expect 'home' '^ASCE in CR13: '

# psw and s on a CPU that waits.
"$zri" > "$work/out" 2>&1 << 'END'
psw 0002000180000000 0
psw
s
psw 0102000180000000 0
s
s --json
END
expect 'enabled for nothing' '^enabled for: nothing; wait$'
expect 'disabled wait' '^the CPU waits with every interruption masked off: only restart or a reset brings it out$'
expect 'enabled wait' '^the CPU waits for an interruption that it is enabled for, and none is pending'
expect 'wait json' '"nothing":"the CPU waits for'

# Symbols: read, stub, a part of a name.
doc=$(cd "${srcdir:-.}/doc" && pwd)
echo 'ffffffffffffffff B The real System.map is in the linux-image-<version>-dbg package' > "$work/stub"
"$zri" > "$work/out" 2>&1 << END
symbols $doc/ri-program.map
symbols gai
symbols nosuchpart
symbols $work/stub
END
expect 'read' '^8 symbols \(decimal\) read from .*ri-program.map$'
expect 'part of a name' ' again$'
expect 'part counted' '^1 symbols \(decimal\)$'
expect 'no part' "^symbols: no symbol has 'nosuchpart' in its name, and there is no such file$"
expect 'stub' '^1 symbols \(decimal\) read from .*: a stub; '

# log has what the guest writes as well.
printf 'log %s\nload builtin:demo\ng\nlog off\n' "$work/log" | "$zri" > "$work/out" 2>&1
grep -q '^zri demonstration' "$work/log" || fail "the log has not what the guest wrote"

# Help fits.
for width in 40 60 100; do
    printf 'help\nhelp ri\nhelp b\n' | COLUMNS=$width "$zri" > "$work/out" 2>&1
    [ "$(awk -v w=$width 'length($0) > w && !/^ +[^ ]+$/' "$work/out" | wc -l)" = 0 ] || fail "help is wider than $width: $(awk -v w=$width 'length($0) > w' "$work/out" | head -3)"
    COLUMNS=$width "$zri" --help > "$work/out"
    [ "$(awk -v w=$width 'length($0) > w && !/^ +[^ ]+$/' "$work/out" | wc -l)" = 0 ] || fail "--help is wider than $width: $(awk -v w=$width 'length($0) > w' "$work/out" | head -3)"
done
expect 'groups' '^The machine$'
"$zri" --dump-manual options | tr -d '\\' > "$work/manual"
for option in $("$zri" --help | sed -n 's/^  .*--\([a-z-]*\).*/\1/p'); do
    grep -qF -- "--$option" "$work/manual" || fail "--$option is not in the manual"
done

# Nearly right.
"$zri" --storge 1M > "$work/out" 2>&1
[ $? -eq 2 ] || fail "--storge: status"
expect 'near' "^zri: there is no option '--storge'; did you mean --storage\? zri --help lists them$"
"$zri" --bogus > "$work/out" 2>&1
expect 'far' "^zri: there is no option '--bogus'; did you mean --[a-z]+\?"
"$zri" spin@zz > "$work/out" 2>&1
expect 'address' '^zri: spin@zz: cannot read it: .*; check the name; what stands behind its @ is no hexadecimal address$'
for file in "$0" / /dev/null; do
    "$zri" --snapshot "$file" > "$work/out" 2>&1
    [ $? -eq 2 ] || fail "--snapshot $file: status"
    expect "--snapshot $file" 'this is not a snapshot; name a file that snapshot save wrote$'
done
printf 'asm 10000 nosuch %%r1\n' | "$zri" > "$work/out" 2>&1
expect 'mnemonic' "'nosuch' is no instruction; zri-instructions\(7\) lists them"

# The demonstration ends with a summary and what to type.
"$zri" --demo < /dev/null > "$work/out" 2>&1 || fail "zri --demo: status $?"
expect 'summary' '^In short: a program ran with run-time instrumentation on'
expect 'what to type' '^  ri listing 1 '
# What it says can be typed.
sed -n 's/^  \(ri listing 1\|ri controls\|translate [0-9A-F]*\) .*/\1/p' "$work/out" > "$work/typed"
[ "$(wc -l < "$work/typed")" = 3 ] || fail "the demonstration does not say what to type"
{ printf 'load builtin:demo\ng\n'; cat "$work/typed"; } | "$zri" > "$work/out" 2>&1 || fail "what the demonstration says to type fails: $(tail -3 "$work/out")"

# Parts of the manual, and the completion of shells.
for part in options commands devices diagnose interruptions instructions facilities controls bash zsh; do
    "$zri" --dump-manual $part > "$work/$part" || fail "--dump-manual $part"
    [ -s "$work/$part" ] || fail "--dump-manual $part: nothing"
done
"$zri" --dump-manual nothing > "$work/out" 2>&1
expect 'no part' 'the parts are options, commands, devices'
grep -q '^\.B "0005"$' "$work/interruptions" || fail "the manual has not the addressing exception"
grep -q '^lhi  *RI\\-a *LOAD HALFWORD IMMEDIATE' "$work/instructions" || fail "the manual has not LHI"
grep -q '^\.B "CR0.45"$' "$work/controls" || fail "the manual has not the AFP-register control"
grep -q '^\.B "129"$' "$work/facilities" || fail "the manual has not the vector facility"
grep -q '^\.B "288"$' "$work/diagnose" || fail "the manual has not DIAGNOSE 288"
grep -q '^\.B "3505 ' "$work/devices" || fail "the manual has not the card reader"
if command -v bash > /dev/null; then
    bash -c '. "$1"; COMP_WORDS=(zri --stor); COMP_CWORD=1; _zri; echo "${COMPREPLY[*]}"' sh "$work/bash" > "$work/out" 2>&1
    expect 'bash: option' '^--storage$'
    bash -c '. "$1"; COMP_WORDS=(zri --engine r); COMP_CWORD=2; _zri; echo "${COMPREPLY[*]}"' sh "$work/bash" > "$work/out" 2>&1
    expect 'bash: word' '^reference$'
fi
if command -v zsh > /dev/null; then zsh -n "$work/zsh" || fail "zsh: syntax"; fi
# zri-et's: every option of its help, those of filter behind filter only.
et=$(dirname "$zri")/zri-et
for shell in bash zsh; do
    "$et" --dump-completion $shell > "$work/$shell" || fail "zri-et --dump-completion $shell"
    for option in $("$et" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        grep -q -- "$option" "$work/$shell" || fail "$shell: zri-et has no completion of $option"
    done
done
ri=$(dirname "$zri")/zri-ri
for shell in bash zsh; do
    "$ri" --dump-completion $shell > "$work/$shell.ri" || fail "zri-ri --dump-completion $shell"
    for option in $("$ri" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        grep -q -- "$option" "$work/$shell.ri" || fail "$shell: zri-ri has no completion of $option"
    done
    if command -v $shell > /dev/null; then $shell -n "$work/$shell.ri" || fail "$shell does not understand zri-ri's completion"; fi
done
"$ri" --dump-completion sh > "$work/out" 2>&1 && fail "zri-ri --dump-completion sh: exit status"
expect 'no shell' 'the shells are bash and zsh'
if command -v bash > /dev/null; then
    bash -c '. "$1"; COMP_WORDS=(zri-ri --or); COMP_CWORD=1; _zri_ri; echo "${COMPREPLY[*]}"' sh "$work/bash.ri" > "$work/out" 2>&1
    expect 'bash: zri-ri' '^--origin$'
fi
"$et" --dump-completion sh > "$work/out" 2>&1
[ $? -eq 64 ] || fail "zri-et --dump-completion sh: exit status"
if command -v bash > /dev/null; then
    bash -c '. "$1"; COMP_WORDS=(zri-et --ch); COMP_CWORD=1; _zri_et; echo "${COMPREPLY[*]}"' sh "$work/bash" > "$work/out" 2>&1
    expect 'bash: option of zri-et' '^--chrome$'
    bash -c '. "$1"; COMP_WORDS=(zri-et filt); COMP_CWORD=1; _zri_et; echo "${COMPREPLY[*]}"' sh "$work/bash" > "$work/out" 2>&1
    expect 'bash: filter' '^filter$'
    bash -c '. "$1"; COMP_WORDS=(zri-et filter --e); COMP_CWORD=2; _zri_et; echo "${COMPREPLY[*]}"' sh "$work/bash" > "$work/out" 2>&1
    expect 'bash: options of filter' '^--et --et-config$'
fi
if command -v zsh > /dev/null; then zsh -n "$work/zsh" || fail "zsh: syntax of zri-et"; fi
# Every member of the console's JSON is in zri-json(5).
if command -v python3 > /dev/null; then
    "$zri" --storage 8M > "$work/json" 2>&1 << 'END'
load builtin:demo
b 10000 if %r1 = 0
b io
b? --json
json on
help b
gpr
ar
vr
psw
cpu
clocks
ext
pending
facilities
prefix
s
branches
b @work
g
translate 400000
translate 401000
v 400000.20
u 400000.10
tlb
keys 0-2000
symbols work
ri
ri next
ri explain
ri stop group
g
ri buffer
ri hex 1
ri listing 1
ri explain
ctr
ri tric
attach 000C 3505
devlist
devtypes
bogus
r 1D0=0002000180000000 0000000000000BAD
psw 0000000180000000 F000000000
b- all
g
psw 0002000180000000 0
s
END
    python3 - "$work/json" "${srcdir:-.}/man/zri-json.5" << 'END' || fail "a member of the JSON is not in zri-json(5)"
import json, re, sys
page = set(re.findall(r'[a-z_]+', open(sys.argv[2]).read()))
def members(value):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from members(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from members(inner)
names = {n for line in open(sys.argv[1]) if line[:1] in '{[' for n in members(json.loads(line))}
missing = sorted(n for n in names if re.fullmatch('[a-z_]+', n) and n not in page)
if len(names) < 100 or missing:
    sys.exit('%d names; not in the page: %s' % (len(names), ' '.join(missing)))
END
fi
finish "answers are as they should be"
