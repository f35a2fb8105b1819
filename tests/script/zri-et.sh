#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# zri-et: the listing of the specification, options, exit statuses, input from a pipe as it arrives, output that is lost.
. "${srcdir:-.}/tests/lib.sh"
et=${ZRI:+$(dirname "$ZRI")/zri-et}
et=${et:-./zri-et}
hex() # DIGITS...: as bytes
{
    for byte in $(echo "$*" | tr -d ' \n' | sed 's/../& /g'); do
        # shellcheck disable=SC2059
        printf "\\$(printf %o "0x$byte")"
    done
}
cd "$work" || exit 99
case $et in /*) ;; *) et=$OLDPWD/$et ;; esac
hex '00000000000000801080010100ffff03e8070001ff 3801c1828c20 38028881f8d101 380511 0e0a11c0 1d14e8 220d00d4
    0f040d50ed 0f0d0a02304b 0f0a0001306e 7809000900 06e5e80272' >s3
[ "$(wc -c <s3)" -eq 75 ] || skip "this shell does not write bytes"

# the text of 8.4
part 'ET-98 ET-107 the listing of the specification'
cat >wanted <<'END2'
          1000          +0 cpu00 d1  ENTRY  10a SVC 10
          1040         +40 cpu00 d2  ENTRY  004 EXT clock-comparator
          1060         +20 cpu00 d2  SIGNAL 00d I/O isc 5
          1105         +45 cpu00 d2  EXIT   004 EXT clock-comparator     gross=65 self=65
          1105          +0 cpu00 d2  ENTRY  00d I/O isc 5                TC latency=45
          1180         +75 cpu00 d2  EXIT   00d I/O isc 5                gross=75 self=75
          1180          +0 cpu00 d1  RETURN 10a SVC 10
          1290        +110 cpu00 d1  EXIT   10a SVC 10                   gross=290 self=150
          1290          +0 cpu00 d0  RETURN 000 NORMAL
END2
"$et" s3 >out 2>err || fail "status of a sound trace: $?"
cmp -s out wanted || fail "the listing: $(diff out wanted)"
[ ! -s err ] || fail "words about a sound trace: $(cat err)"
"$et" --text - <s3 | cmp -s - wanted || fail "standard input"

part 'ET-87 ET-99 report and JSON have the same facts'
"$et" --report s3 >out || fail "--report"
grep -q '^Time: 290 = 0 NORMAL (0.00 %) + 290 in handlers (100.00 %)$' out || fail "time: $(grep Time: out)"
grep -q '^10a SVC 10  *1  *0  *0  *150  *51.72 ' out || fail "row of SVC 10"
grep -q 'accounts: 9 detected = 0 filtered + 9 emitted + 0 lost$' out || fail "accounts"
"$et" --json s3 >json || fail "--json"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
rows = {e["name"]: e for e in r["exceptions"]}
assert rows["SVC 10"]["self"]["sum"] == 150 and rows["SVC 10"]["gross"]["max"] == 290
assert rows["I/O isc 5"]["latency"]["sum"] == 45 and rows["I/O isc 5"]["chained"] == 1
assert r["time_seen"] == 290 and r["diagnostics"] == 0 and r["classes"]["all"]["entries"] == 3
assert r["sources"][0]["accounts"]["emitted"] == 9' json || fail "JSON"
fi

part 'ET-92 exit statuses'
"$et" s3 >out 2>err || fail "a sound trace: $?"
head -c 60 s3 >cut
"$et" cut >out 2>err
[ $? -eq 1 ] || fail "a trace that is cut"
grep -q '^!! D09 ' out || fail "D09 is not told"
"$et" --csv cut >out 2>err
[ $? -eq 1 ] || fail "a trace that is cut, as CSV"
grep -q 'diagnostics, the first: D' err || fail "no word about diagnostics: $(cat err)"
echo 'this is no trace at all, but some text' >text
"$et" text >out 2>err
[ $? -eq 2 ] || fail "no trace"
"$et" nowhere >out 2>err
[ $? -eq 2 ] || fail "no file"
for wrong in "--nothing s3" "" "s3 s3" "--cpu x s3" "--insn-rate 0 s3" "--text --csv s3"; do
    # shellcheck disable=SC2086
    "$et" $wrong >out 2>err
    [ $? -eq 64 ] || fail "'$wrong' does not end with 64"
    grep -q '^zri-et: ' err || fail "'$wrong' is not told"
done
"$et" --help | grep -q -- '--report' || fail "--help"
[ "$("$et" --cpu 1 s3 | wc -l)" -eq 0 ] || fail "--cpu 1"

part 'ET-55 ET-79 a fragment without SYNC, its configuration assumed'
tail -c +38 s3 | head -c 4 >fragment
printf '[exception-trace]\ntimestamps = inline # here\n' >config
"$et" --assume-config config fragment >out 2>err
grep -q 'ENTRY  10a SVC 10  *doubtful' out || fail "a fragment: $(cat out err)"

part 'ET-94 each event as it arrives'
mkfifo pipe
"$et" - <pipe >out &
reader=$!
exec 3>pipe
head -c 41 s3 >&3
n=0
while [ ! -s out ] && [ $n -lt 300 ]; do
    sleep 0.1
    n=$((n + 1))
done
[ "$(wc -l <out)" -eq 1 ] || fail "the first event is not told before the second comes"
tail -c +42 s3 >&3
exec 3>&-
wait $reader || fail "status from a pipe"
cmp -s out wanted || fail "the listing from a pipe"

part 'ET-92 output that is lost'
if [ -c /dev/full ]; then
    for option in --text --report --json --help; do
        "$et" $option s3 >/dev/full 2>err
        [ $? -eq 2 ] || fail "full output: $option"
        grep -q 'No space' err || fail "full output: $option says $(cat err)"
    done
fi
"$et" s3 >&- 2>err
[ $? -eq 2 ] || fail "closed output"
finish "zri-et: text, reports, statuses, pipes"
