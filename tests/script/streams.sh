#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the program is started with and where its output goes: closed descriptors never become those of a file, output that
# is lost is told with exit status 2, a place for a result is looked at before the run; hang-ups end a run as requests to
# terminate do.
set -u
. "${srcdir:-.}/tests/lib.sh"
zri_ri=${zri%zri}zri-ri
zri_et=${zri%zri}zri-et
zri_prof=${zri%zri}zri-prof
cp "${srcdir:-.}/tests/script/example.zeprof" "$work/profile"
cd "$work" || exit 99
"$zri" --batch --ri-log log builtin:demo >good 2>err || skip "this zri has no built-in images"
truncate -s 64K zeros
cp zeros disk

# ended STATUS WORDS NAME: how the run in ./err and $? went
ended() # GOT WANTED SENTENCE NAME
{
    [ "$1" -eq "$2" ] || fail "$4: exit status $1, not $2: $(cat err)"
    [ -z "$3" ] || grep -q "$3" err || fail "$4 does not say '$3': $(cat err)"
}

# ---- closed descriptors: what is printed goes into no file
disk_runs() { "$zri" --batch --device 0120,9336,disk builtin:demo "$@"; }
disk_runs >out 2>err <&-
ended $? 0 '' "closed input"
cmp -s good out || fail "closed input: other output"
disk_runs 2>err </dev/null >&-
ended $? 2 'zri: .*standard output' "closed output"
disk_runs >out </dev/null 2>&-
ended $? 0 '' "closed error output"
cmp -s good out || fail "closed error output: other output"
disk_runs <&- 2>err >&-
ended $? 2 'zri: .*standard output' "closed input and output"
disk_runs <&- >out 2>&-
ended $? 0 '' "closed input and error output"
disk_runs </dev/null >&- 2>&-
[ $? -eq 2 ] || fail "closed outputs: exit status is not 2"
disk_runs <&- >&- 2>&-
[ $? -eq 2 ] || fail "all closed: exit status is not 2"
cmp -s disk zeros || fail "what was printed went into the disk image"
cp log log.was
"$zri_ri" log 2>err >&-
ended $? 2 'zri-ri: .*output' "zri-ri with closed output"
"$zri_ri" log >&- 2>&-
[ $? -eq 2 ] || fail "zri-ri with closed outputs: exit status is not 2"
cmp -s log log.was || fail "zri-ri wrote into the log"

"$zri" --batch --et downstream=on --et-out trace builtin:demo >out 2>err || fail "no trace: $(cat err)"
cp trace trace.was
for words in trace "--report trace" "--chrome trace" "filter trace"; do
    # shellcheck disable=SC2086
    "$zri_et" $words 2>err >&-
    ended $? 2 'zri-et: .*output' "zri-et $words with closed output"
    # shellcheck disable=SC2086
    "$zri_et" $words >&- 2>&-
    [ $? -eq 2 ] || fail "zri-et $words with closed outputs: exit status is not 2"
done
"$zri_et" - <&- >out 2>err
ended $? 2 'zri-et: .*nothing in it' "zri-et with closed input"
"$zri_et" filter - <&- >out 2>err
ended $? 2 'zri-et: .*nothing in it' "zri-et filter with closed input"
"$zri_et" filter --output out trace >&- 2>&-
ended $? 0 '' "zri-et filter into a file, with closed outputs"
cmp -s trace trace.was || fail "zri-et wrote into the trace"

cp profile profile.was
for words in "report profile" "diff profile profile" "export --format folded profile" "merge profile -o -"; do
    # shellcheck disable=SC2086
    "$zri_prof" $words 2>err >&-
    ended $? 2 'zri-prof: .*output' "zri-prof $words with closed output"
    # shellcheck disable=SC2086
    "$zri_prof" $words >&- 2>&-
    [ $? -eq 2 ] || fail "zri-prof $words with closed outputs: exit status is not 2"
done
"$zri_prof" report - <&- >out 2>err
ended $? 1 'zri-prof: .*the file is empty' "zri-prof with closed input"
"$zri_prof" merge profile profile -o out >&- 2>&-
ended $? 0 '' "zri-prof merge into a file, with closed outputs"
cmp -s profile profile.was || fail "zri-prof wrote into a profile"

# ---- full places
if [ -c /dev/full ]; then
    "$zri" --batch builtin:demo >/dev/full 2>err
    ended $? 2 'zri: .*No space' "--batch"
    for option in --version --help --list-missing "--profile help"; do
        # shellcheck disable=SC2086
        "$zri" $option >/dev/full 2>err
        ended $? 2 'zri: .*No space' "$option"
    done
    echo version >script
    "$zri" --script script >/dev/full 2>err </dev/null
    ended $? 2 'zri: .*No space' "--script"
    "$zri" --batch --savecore /dev/full:0-FFFF builtin:demo >out 2>err
    ended $? 2 "zri: cannot write '/dev/full'" "--savecore"
    "$zri" --batch --trace /dev/full --limit 1000 builtin:demo >out 2>err
    ended $? 2 'zri: .*/dev/full' "--trace"
    "$zri" --batch --ri-log /dev/full builtin:demo >out 2>err
    ended $? 2 'zri: .*/dev/full' "--ri-log"
    "$zri" --batch --et-out /dev/full builtin:demo >out 2>err
    ended $? 2 'zri: .*/dev/full' "--et-out"
    for words in --text --report --json --chrome --folded --csv --jsonl --vcd filter "filter --output /dev/full" --help; do
        # shellcheck disable=SC2086
        "$zri_et" $words trace >/dev/full 2>err
        ended $? 2 'zri-et: .*No space' "zri-et $words"
    done
    printf 'log /dev/full\nversion\nhelp\n' >script
    "$zri" --script script >out 2>err </dev/null
    status=$?
    cat out >>err
    ended $status 2 '/dev/full' "log"
    for option in --json --csv --hex --help --version; do
        "$zri_ri" $option log >/dev/full 2>err
        ended $? 2 'zri-ri: .*No space' "zri-ri $option"
    done
fi

# ---- a reader that has gone
rm -f status
{
    "$zri" --batch --device 0120,9336,disk builtin:demo 2>err
    echo $? >status
} | true
ended "$(cat status)" 2 'zri: .*Broken pipe' "a pipe nobody reads"
cmp -s disk zeros || fail "the pipe nobody reads: the disk image is changed"

# ---- a place for storage is looked at before the run, and nothing is left there when the run does not begin
"$zri" --batch --savecore nowhere/core:0-FFF builtin:demo >out 2>err
ended $? 2 "zri: cannot write 'nowhere/core'" "--savecore into a folder that is not there"
[ ! -s out ] || fail "--savecore: the guest ran before its place was looked at"
"$zri" --batch --savecore core:0-FFFFFFFFFF builtin:demo >out 2>err
ended $? 2 'absolute storage ends' "--savecore of what is no storage"
[ ! -s out ] || fail "--savecore: the guest ran before the range was looked at"
[ ! -e core ] || fail "--savecore: a file is left that has nothing"

# ---- signals
printf 'abs 0=0000000180000000 0000000000000200\nasm 200 j 0x200\nsavecore loop 0 2FF\n' >script
"$zri" --script script >out 2>&1 </dev/null || fail "no loop: $(cat out)"
for signal in TERM HUP; do
    "$zri" --batch --seconds 30 loop >out 2>err </dev/null &
    id=$!
    heeds $id
    sleep 0.1
    kill -$signal $id
    wait $id
    ended $? 1 'zri: CPU 0: operating' "SIG$signal"
done
# at a terminal, while the guest runs and at the prompt: a request to terminate, a hang-up, a terminal that is lost
if command -v python3 >/dev/null; then
    for way in "loop" "--stop loop"; do
        for what in 15 1 0; do
            # shellcheck disable=SC2086
            timeout 60 python3 -c 'import os, pty, select, subprocess, sys, time
what, words = int(sys.argv[1]), sys.argv[2:]
ours, theirs = pty.openpty()
program = subprocess.Popen(words, stdin=theirs, stdout=theirs)
os.close(theirs)
def heeds():
    with open("/proc/%d/status" % program.pid) as status:
        return any(int(line.split()[1], 16) & 0x4000 for line in status if line.startswith("SigBlk:"))
seen, until = b"", time.time() + 20
while time.time() < until and not (b"zri> " in seen if words[1] == "--stop" else heeds()):
    if select.select([ours], [], [], 0.02)[0]:
        seen += os.read(ours, 4096)
time.sleep(0.2)
if what:
    program.send_signal(what)
else:
    os.close(ours)
try:
    sys.exit(min(abs(program.wait(20)), 9))
except subprocess.TimeoutExpired:
    program.kill()
    sys.exit(8)' $what "$zri" $way >out 2>err
            status=$?
            case $what:$way:$status in 0:*:[012] | *:loop:1 | *:--stop*:0) ;;
            *) fail "at a terminal '$way' ends with status $status after signal $what (8: not at all): $(cat err)" ;;
            esac
        done
    done
fi
finish "closed, full and broken places for output, and signals"
