#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# zri-et filter: of a run that was traced whole it makes what other configurations would have put out by themselves.
. "${srcdir:-.}/tests/lib.sh"
et=$(dirname "$zri")/zri-et
guests=${GUESTS:-tests/guest}
case $guests in /*) ;; *) guests=$PWD/$guests ;; esac
image=$guests/interrupt.elf
[ -f "$image" ] || skip "the guests are not built (no assembler for s390x)"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 99

part 'ET-78 the filter puts out what the run would have put out'
traced() # FILE OPTIONS...
{
    file=$1
    shift
    "$zri" --batch --et-out "$file" "$@" "$image" >/dev/null 2>end || fail "$* ends with $?: $(cat end)"
}
# The streams of a container, whatever the order of its chunks: in $1.streams.
streams()
{
    python3 -c 'import sys
data, at, streams = open(sys.argv[1], "rb").read(), 16, {}
while at < len(data):
    assert data[at:at + 2] == b"ZC", at
    size = int.from_bytes(data[at + 4:at + 8], "big")
    streams[data[at + 2:at + 4]] = streams.get(data[at + 2:at + 4], b"") + data[at + 8:at + 8 + size]
    at += 8 + size
with open(sys.argv[1] + ".streams", "wb") as out:
    for key in sorted(streams):
        out.write(b"%d.%d %d\n" % (key[0], key[1], len(streams[key])) + streams[key])' "$1" || fail "$1 is no container"
}
same() # NAME
{
    streams direct
    streams "$1"
    [ -s direct.streams ] && cmp direct.streams "$1.streams"
}
traced full --et downstream=on,clock=insn
for keys in events=all events=entry events=entry,omit=on merge=exit-return,timestamps=inline \
    merge=exit-return+tail,timestamps=inline,reduced=on,tailflag=entry compress=fifo,reduced=on,fifo=16 \
    compress=stack,info=on,addr=old+new+ret,state=on classes=svc numbers=0x107,0x110-0x11f sample=7 signal=on,from=problem \
    timestamps=separate,clock.shift=3; do
    traced direct --et "$keys,clock=insn"
    "$et" filter --et "$keys,clock=insn" full >filtered 2>err || fail "$keys ends with $?: $(cat err)"
    same filtered || fail "$keys"
    [ ! -s err ] || fail "$keys says $(cat err)"
done
"$et" filter --et enable=off,clock=insn full >filtered || fail "enable=off ends with $?"
streams filtered
! grep -aq '^0\.[01] ' filtered.streams || fail "with enable=off something is put out"

part 'ET-70 ET-78 files of keys, which --et wins over; pipes; a file as output'
printf 'events = entry\nclock = insn\n[exception-trace]\ntimestamps = inline\n' >config
traced direct --et-config config --et clock.shift=2
"$et" filter --et-config config --et clock.shift=2 --output out - <full || fail "a file of keys"
same out || fail "a file of keys: something else"
# shellcheck disable=SC2002 # a pipe is meant
cat full | "$et" filter --et-config config --et clock.shift=2 - | cmp - out || fail "a pipe"
"$et" filter --et-config config --et clock.shift=2 -o out full || fail "a file is not written again"
same out || fail "a file is written again, differently"

part 'ET-78 ET-92 what is wrong is said, with its remedy'
wrong() # STATUS WORDS OPTIONS...
{
    status=$1 words=$2
    shift 2
    "$et" filter "$@" >out 2>err
    code=$?
    [ $code -eq "$status" ] || fail "$*: exit status $code"
    grep -qF -- "$words" err || fail "$*: not said: $words; but: $(cat err)"
}
wrong 64 'name one file'
wrong 64 'name one file' one two
wrong 64 'no such option' --nothing full
wrong 64 'there is no key `what'"'" --et what=1 full
wrong 64 'only one of omit, compress and reduced' --et clock=insn,figure-mode=on,omit=on,reduced=on full
wrong 64 'downstream=on is what goes in' --et downstream=on full
wrong 64 'this is the input' --et clock=insn --output full full
printf '[exception-trace cpu0]\nevents = entry\n' >config
wrong 64 'line 2 is for one CPU' --et-config config full
wrong 2 'nowhere' --et-config nowhere full
wrong 2 'check the name' nowhere
wrong 2 'it needs clock=insn' full
wrong 2 'without downstream=on' --et clock=insn direct
wrong 2 'there is nothing in it' /dev/null
wrong 2 'name a file that can be written' --et clock=insn --output no/where full
if [ -c /dev/full ]; then
    "$et" filter --et clock=insn full >/dev/full 2>err
    [ $? -eq 2 ] || fail "full output"
    grep -q 'No space' err || fail "full output says $(cat err)"
fi
"$et" --help | grep -q 'zri-et filter' || fail "--help says nothing of it"
"$et" filter --help | grep -q -- '--et-config' || fail "filter --help"
finish "zri-et filter"
