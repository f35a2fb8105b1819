#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How zri --test tells its judgement: one case alone, names, TAP, JUnit; and what may not pass: files and cases that judge
# nothing.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 99
cat >good.zt <<'END'
test AHI adds
    r1 = 5
    do ahi 1,-3
    expect r1 = 2
test AHI adds twice # & <more>
    r1 = $a
    do ahi 1,1
    expect r1 = $b
    table a b
          1 2
          2 3
END
cat >bad.zt <<'END'
test LR
    r2 = 5
    do lr 1,2
    expect r1 = 6
test LTR
    do ltr 1,2
    expect cc 0
END
# judge STATUS WORDS...: zri --test WORDS ends so; output, errors too, in out
judge()
{
    wanted=$1
    shift
    "$zri" --test "$@" >out 2>&1
    status=$?
    [ "$status" -eq "$wanted" ] || fail "--test $*: exit status $status, not $wanted: $(tail -n 2 out)"
}
line() # TEXT: a line is that
{
    grep -qxF -- "$1" out || fail "no line '$1': $(cat out)"
}

judge 0 good.zt
[ "$(cat out)" = '3 passed, 0 failed' ] || fail "more or less than the totals: $(cat out)"
judge 1 good.zt bad.zt
line 'bad.zt:4: LR: expected r1 = 6, found 5'
line '4 passed, 1 failed'

# Names: the case of that very name alone, otherwise those that have it in their names.
judge 0 -v good.zt
line 'good.zt:1: AHI adds: passed'
line 'good.zt:5: AHI adds twice (row at line 11): passed'
judge 0 --only 'AHI adds' -v good.zt
line '1 passed, 0 failed'
judge 0 --only twice good.zt
line '2 passed, 0 failed'
judge 0 --only LTR good.zt bad.zt
line '1 passed, 0 failed'
judge 2 --only XR good.zt
line 'zri: --only XR: no case of good.zt has this in its name; -v names the cases'
judge 2 --only LR
line 'zri: --test: no file is named; write zri --test FILE.zt ...'
"$zri" --only LR good.zt >out 2>&1
line 'zri: --only is said of scripted tests; write zri --test FILE.zt ...'

# TAP
judge 1 --tap good.zt bad.zt
cat >want <<'END'
TAP version 13
ok 1 - good.zt:1: AHI adds
ok 2 - good.zt:5: AHI adds twice (row at line 10)
ok 3 - good.zt:5: AHI adds twice (row at line 11)
not ok 4 - bad.zt:1: LR
# bad.zt:4: LR: expected r1 = 6, found 5
ok 5 - bad.zt:5: LTR
1..5
END
cmp want out || fail "TAP: $(diff want out)"
printf 'test a\n  do ar 1,2\n  expect r1 = 0\ntest b\n  nonsense\n  expect cc 0\n' >half.zt
: >empty.zt
judge 2 --tap half.zt empty.zt
line 'ok 1 - half.zt:1: a'
line 'not ok 2 - half.zt:4: b'
line 'not ok 3 - empty.zt: the file'
line '1..3'

# JUnit
judge 1 --junit out.xml good.zt bad.zt
cp out.xml out
line '  <testsuite name="good.zt" tests="3" failures="0" errors="0">'
line '  <testsuite name="bad.zt" tests="2" failures="1" errors="0">'
line '    <testcase classname="bad.zt" name="LTR"/>'
line '      <failure message="not as expected">bad.zt:4: LR: expected r1 = 6, found 5'
judge 2 --junit out.xml half.zt empty.zt
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.etree.ElementTree as e
t = e.parse(sys.argv[1]).getroot()
assert [s.get("errors") for s in t] == ["1", "1"], [s.attrib for s in t]
assert len(t.findall(".//error")) == 2' out.xml || fail "JUnit: no XML, or another one"
fi
printf 'test a <b> "c" & \001\n  do ar 1,2\n  expect cc 0\n' >odd.zt
judge 0 --junit out.xml odd.zt
grep -qF 'name="a &lt;b&gt; &quot;c&quot; &amp; ?"' out.xml || fail "XML: $(cat out.xml)"
judge 2 --junit no/such.xml good.zt
line 'zri: --junit no/such.xml: No such file or directory; name a file in a folder that you may write to'
[ ! -c /dev/full ] || {
    judge 2 --junit /dev/full good.zt
    grep -q 'cannot be written whole' out || fail "a full disk: $(cat out)"
}

# What judges nothing does not pass.
judge 2 empty.zt
line 'empty.zt:1: there is no case in this file; a case begins with test NAME'
printf '# only words\nsetup\n  r1 = 1\n' >words.zt
judge 2 words.zt
line 'words.zt:3: there is no case in this file; a case begins with test NAME'
printf 'test a\n  do ar 1,2\n  expect cc 0\n\ntest b\n  do ar 1,2\n' >blind.zt
judge 2 blind.zt
line 'blind.zt:5: this case expects nothing; say at least one expect, as expect no interruption'
printf 'test a\n  do ar 1,2\n  expet cc 0\n' >meant.zt
judge 2 meant.zt
line 'meant.zt:3: the first word is not understood; was expect meant? zri-test(5) has the list'
printf 'test a\n  do ar 1,2\n  expect cc $c\n  table c\n\n' >norows.zt
judge 2 norows.zt
line 'norows.zt:1: the table of this case has no rows'
judge 2 .
line '.: cannot be read: Is a directory; name the .zt files in it'
# What is not understood is quoted, with its own line; a difference stands once, with the engine that shows it alone.
printf 'test a\n  r1 = 5\n  frobnicate 5\n  do lr 1,1\n  expect r1 = 5\n' >word.zt
judge 2 word.zt
line "word.zt:3: a: 'frobnicate' is not understood; zri-test(5) has the list"
printf 'test a\n  r1 = 5\n  do nopr\n  do lrx 1,2\n  expect r1 = 5\n' >mnemonic.zt
judge 2 mnemonic.zt
line "mnemonic.zt:4: a: 'lrx' is no instruction; zri-instructions(7) lists them"
printf 'test a\n  do brc 15,@there\n  do nopr\n  expect cc 0\n' >label.zt
judge 2 label.zt
line 'label.zt:2: a: a label of "brc 15,@there" is not in this case'
printf 'test a\n  pm = 99\n  do nopr\n  expect cc 0\n' >value.zt
judge 2 value.zt
line 'value.zt:2: a: "pm = 99": pm is a number up to F'
printf 'test a\n  execute\n  r1 = 7FFFFFFF\n  do l 1,0(1)\n  expect program 6\n  expect r1 = 1\n' >once.zt
judge 1 once.zt
[ "$(grep -c 'expected r1 = 1, found 7FFFFFFF' out)" = 1 ] || fail "a difference is not told once: $(cat out)"
# where this build or host has a translator it is tried as well
translator='; translator' executed='; translator, EXRL'
"$zri" --batch --demo --engine translate 2>&1 | grep -q 'without a translator\|no MOVBE' && translator='' executed=''
line "once.zt:5: a [reference engine; block engine$translator]: expected program 6, found program 5 ilc 4 (addressing)"
line "once.zt:5: a [reference engine, EXRL; block engine, EXRL$executed]: expected program 6, found program 5 ilc 6 (addressing)"
printf 'test a\n  engine block\n  do nopr\n  expect cc 1\n' >block.zt
judge 1 block.zt
line 'block.zt:4: a: expected cc = 1, found 0'
finish "judgements are told as they should be"
